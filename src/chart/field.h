/* Fields: numbers or vectors on a grid, drawn as colours, lines of equal value, arrows or streamlines.
 *
 * A field owns its grid lines, which ascend, and its values; value (i, j), at x[i] and y[j], is values[i * ny + j].
 * Where a value is not finite nothing is drawn. Limits, grid lines and levels may lie on logarithmic axes.
 */
#ifndef PC_CHART_FIELD_H
#define PC_CHART_FIELD_H

#include "chart/axis.h"
#include "chart/palette.h"

/* Kinds as rows with abilities, as those of series. */
typedef struct pc_field_kind {
    const char *name;
    bool shaded;   /* cells around the grid points, filled by value; brings a colour bar */
    bool banded;   /* shaded, but by areas between levels, with values between the grid points */
    bool levelled; /* lines of equal value, with labels */
    bool arrowed;  /* an arrow at grid points */
    bool traced;   /* lines that follow the arrows */
    int parts;     /* values at each point: 1 for numbers, 2 for vectors */
    const char *doc;
} pc_field_kind;

extern const pc_field_kind pc_field_kinds[]; /* ends with a NULL name */
const pc_field_kind *pc_field_kind_find(const char *name);

struct pc_field {
    const pc_field_kind *kind;
    size_t nx, ny;
    double *x, *y;
    double *values[2]; /* z; or u and v */
    pc_axis z;         /* label, unit, limits and scale of the colours */
    const pc_palette *palette;
    double *levels; /* ascending; NULL: about `about` round values */
    int about;
    size_t n_levels;
    bool labelled;  /* levels are written on their lines */
    double density; /* of arrows and streamlines: 1 is usual */
    char *label;    /* in the legend: not for shaded fields, whose colour bar has that of z */
    pc_style style;
};

/* Grid lines must be finite and strictly monotonic, at least two each way; descending ones are turned round together
 * with the values. values[1] is NULL for kinds of one part. Everything is copied. *field points into the panel until
 * the next one is added. */
pc_status pc_panel_add_field(pc_panel *panel, const pc_field_kind *kind, const double *x, size_t nx, const double *y,
                             size_t ny, const double *const values[2], pc_field **field, pc_error *err);

/* Takes the last field away again. */
void pc_panel_drop_field(pc_panel *panel);

/* Finite levels in any order; equal ones count once. */
pc_status pc_field_set_levels(pc_field *field, const double *levels, size_t n, pc_error *err);

/* What a field owns; for pc_figure_free. */
void pc_field_clear(pc_field *field);

/* --- what drawing asks --- */

/* True if any value of the field is finite. */
bool pc_field_has_data(const pc_field *field);

/* The first shaded field of a panel, whose colour bar it shows; or NULL. */
const pc_field *pc_panel_bar(const pc_panel *panel);

/* Limits of the colours. Those that are not given follow from the values; on both sides of zero alike where the
 * palette diverges. */
void pc_field_scale(const pc_field *field, pc_scale *z);

/* Levels of a levelled field: its own, or round values within its limits. Writes at most `room`. */
enum { PC_LEVELS_MAX = 64 };
int pc_field_levels(const pc_field *field, double levels[PC_LEVELS_MAX]);

/* A level as its label says it, in label markup. */
void pc_field_level_text(double level, char *text, size_t size);

/* Edges of the cells around n ascending grid lines, n + 1 of them: halfway between neighbours, on a logarithmic axis
 * by their ratio. */
void pc_field_edges(const double *lines, size_t n, bool log, double *edges);

/* First and last value that the field covers along an axis: edges of cells for fields that have them. */
void pc_field_reach(const pc_field *field, bool along_y, bool log, double *first, double *last);

/* Colour of the field's lines and arrows on a theme. */
pc_colour pc_field_colour(const pc_panel *panel, const pc_field *field, const pc_theme *theme);

#endif
