/* The one walk over a panel: everything that is drawn of it, part by part, given to a pen.
 *
 * The walk knows what a panel holds and where it lies on the layout's page; a pen knows how its device shows it. There
 * is a pen for pages (paint.h) and one for characters (text.h).
 *
 * Order: tints, fields, grid, reference lines, curves, their labels, frame, bar of colours, texts, legend: what is read
 * last is drawn last.
 */
#ifndef PC_CHART_PANEL_H
#define PC_CHART_PANEL_H

#include "chart/figure/layout.h"

typedef struct pc_pen pc_pen;

/* Where a text of an axis stands. */
typedef enum pc_side { PC_SIDE_BELOW, PC_SIDE_LEFT, PC_SIDE_RIGHT, PC_SIDE_BAR } pc_side;

/* What a note is: of the user, that nothing could be drawn, how many values a logarithmic axis hides. */
typedef enum pc_note_kind { PC_NOTE_OWN, PC_NOTE_EMPTY, PC_NOTE_MASKED } pc_note_kind;

/* What a device does. Points are in the layout's units; `series`, `span` and `guide` are numbers in the panel. Nothing
 * is reported: a pen that fails keeps its first failure in `status`, which ends the walk. */
typedef struct pc_pen_kind {
    /* true: cells of a heatmap are looked up once for each place of the pen's raster; false: drawn one by one */
    bool sampled;

    void (*span)(pc_pen *pen, size_t span, double left, double right);
    void (*span_label)(pc_pen *pen, size_t span, double left, double right);

    /* an area of one colour, `at` from 0 to 1 of a palette; areas come in rows from below, each from left to right */
    void (*area)(pc_pen *pen, const pc_palette *palette, double at, pc_box box);
    void (*level)(pc_pen *pen, const pc_field *field, double level, const double *x, const double *y, int n);
    void (*arrow)(pc_pen *pen, const pc_field *field, const double x[2], const double y[2]);
    void (*stream)(pc_pen *pen, const pc_field *field, const double *x, const double *y, int n);

    void (*guide)(pc_pen *pen, size_t guide, const double x[2], const double y[2]);
    void (*guide_label)(pc_pen *pen, size_t guide, double x, double y);

    /* runs of a joined series; a marker; a bar and whiskers over what a point reaches */
    void (*run)(pc_pen *pen, size_t series, const double *x, const double *y, int n);
    void (*marker)(pc_pen *pen, size_t series, double x, double y);
    void (*bar)(pc_pen *pen, size_t series, pc_box reach);
    void (*whiskers)(pc_pen *pen, size_t series, double x, double y, pc_box reach);

    /* axes: a line of the grid (NULL: there is none), the frame, a tick (minor ones have no text), the text of an axis
     * with what its ticks share */
    void (*grid)(pc_pen *pen, bool vertical, double at);
    void (*frame)(pc_pen *pen);
    void (*tick)(pc_pen *pen, pc_side side, double at, const char *text);
    void (*axis)(pc_pen *pen, pc_side side, const char *label, const char *common);
    void (*title)(pc_pen *pen, const char *text);

    /* of a polar panel: a circle with its radius (NULL: the edge), a spoke with its angle */
    void (*circle)(pc_pen *pen, double x, double y, double radius, const char *text);
    void (*spoke)(pc_pen *pen, double x, double y, double radius, int degrees);

    void (*colours)(pc_pen *pen, const pc_bands *bands);
    void (*note)(pc_pen *pen, pc_note_kind kind, double x, double y, const char *text);

    /* legend: what lies under it (NULL: nothing); the samples of a span and of a field; a text. Samples of series are
     * drawn by what draws the series. */
    void (*legend)(pc_pen *pen);
    void (*span_sample)(pc_pen *pen, size_t span, double x, double y);
    void (*field_sample)(pc_pen *pen, const pc_field *field, double x, double y);
    void (*entry)(pc_pen *pen, double x, double y, const char *text);
} pc_pen_kind;

/* The first member of every pen. */
struct pc_pen {
    const pc_pen_kind *kind;
    const pc_panel *panel;
    const pc_panel_layout *layout;
    double column;                     /* width of the finest column that the device shows */
    int columns, rows;                 /* the raster of shades over the frame */
    double spacing;                    /* of streamlines at density 1 */
    double arrow_spacing, arrow_least; /* of arrows */
    double sample, sample_half;        /* of a legend's sample: length, half its height */
    pc_status status;
    pc_error *err;
};

pc_status pc_panel_draw(pc_pen *pen);

/* The colour at 0 to 1 of a bar of colours: of bands that of the band there. */
pc_colour pc_bands_colour(const pc_bands *bands, double at);

#endif
