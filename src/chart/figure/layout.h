/* Where everything goes on a page: frames, margins, legends, in pixels at 96 dots an inch, y up. */
#ifndef PC_CHART_LAYOUT_H
#define PC_CHART_LAYOUT_H

#include "chart/figure/curve.h"
#include "chart/figure/label.h"

/* Sizes of type and pens, chosen once for a figure. */
typedef struct pc_type_sizes {
    double tick, label, title; /* height of type */
    double pen;                /* width of a curve */
    double gap;                /* the small distance between things */
} pc_type_sizes;

/* One entry of a legend: a series, a field, or a span that has no room for its label. */
typedef enum pc_entry_of { PC_ENTRY_SERIES, PC_ENTRY_FIELD, PC_ENTRY_SPAN } pc_entry_of;

typedef struct pc_entry {
    pc_entry_of of;
    size_t index;
    double x, y; /* left end of the sample; middle of the text */
} pc_entry;

enum { PC_ENTRIES_MAX = 48 };

typedef struct pc_panel_layout {
    pc_scale x, y;
    pc_box frame;
    double x_label, y_label, title; /* distances of middle lines from the frame */
    pc_scale right;                 /* the second axis of y, where there is one */
    double right_label;
    pc_scale radius; /* of a polar panel, from its middle to its edge */
    pc_scale z;      /* of the colours of a shaded field, beside its bar */
    pc_box bar;
    double z_label; /* distance of its middle line from the frame */
    int n_entries;
    pc_entry entries[PC_ENTRIES_MAX];
    bool legend_inside;
    pc_box legend; /* with its padding, where it lies inside the frame */
} pc_panel_layout;

typedef struct pc_layout {
    double width, height;
    pc_type_sizes type;
    double title; /* middle line of the figure's title */
    size_t n_panels;
    pc_panel_layout *panels;
} pc_layout;

/* Text of a legend entry: the label, with "(no data)" where a series has none. */
void pc_entry_text(const pc_panel *panel, const pc_entry *entry, pc_buffer *text);

/* Length of the sample before the text of an entry. */
double pc_entry_sample(const pc_type_sizes *type);

/* "F_t [N]": the label of an axis with its unit; empty if there is none. */
void pc_axis_text(const pc_axis *axis, pc_buffer *text);

/* True if a span's label fits at the top of the span. */
bool pc_span_has_room(const pc_panel *panel, const pc_panel_layout *layout, const pc_type_sizes *type, size_t span);

/* Left and right end of a span within the frame; false if it lies outside. */
bool pc_span_ends(const pc_panel_layout *layout, const pc_span *span, double *left, double *right);

/* The scale of y on which a series counts. */
const pc_scale *pc_layout_scale_of(const pc_panel_layout *layout, const pc_series *series);

pc_status pc_layout_make(const pc_figure *figure, pc_layout *layout, pc_error *err);
void pc_layout_free(pc_layout *layout);

#endif
