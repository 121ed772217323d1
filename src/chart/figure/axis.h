/* Limits and ticks of an axis, and what a field has on its scale of colours, the same for every device. */
#ifndef PC_CHART_AXIS_H
#define PC_CHART_AXIS_H

#include "chart/figure/figure.h"

enum { PC_TICKS_MAX = 64, PC_TICK_TEXT = 32 };

typedef struct pc_tick {
    double value;
    char text[PC_TICK_TEXT]; /* in label markup; "" for a minor tick */
} pc_tick;

/* An axis with everything resolved. lo may be greater than hi: then it runs backwards. */
typedef struct pc_scale {
    double lo, hi;
    bool log;
    int n_ticks;
    pc_tick ticks[PC_TICKS_MAX];
    char common[48]; /* what all tick texts share: "×10^{-3}", "+ 1200", or "" */
} pc_scale;

/* Limits of both axes of a panel: what is given, and what is not from the data, reference lines and spans included,
 * with a margin where a curve would touch the frame. */
void pc_panel_limits(const pc_panel *panel, pc_scale *x, pc_scale *y);

/* The same for the right axis of y. */
void pc_panel_right_limits(const pc_panel *panel, pc_scale *right);

/* Limits of one axis: what is given, and what is not from the data between lo and hi (lo > hi: there is none), without
 * a margin. */
void pc_scale_resolve(const pc_axis *axis, double lo, double hi, pc_scale *scale);

/* Ticks for the limits in *scale, about `wanted` of them. */
void pc_scale_set_ticks(pc_scale *scale, int wanted);

/* Position of a value: 0 at lo, 1 at hi. Not finite where the value cannot be drawn. */
double pc_scale_position(const pc_scale *scale, double value);

/* The value at a position. */
double pc_scale_value(const pc_scale *scale, double position);

/* --- fields --- */

/* Limits of the colours. Those that are not given follow from the values; on both sides of zero alike where the
 * palette diverges. */
void pc_field_scale(const pc_field *field, pc_scale *z);

/* Levels of a levelled field: its own, or round values within its limits. */
int pc_field_levels(const pc_field *field, double levels[PC_LEVELS_MAX]);

/* A level as its label says it, in label markup. */
void pc_field_level_text(double level, char *text, size_t size);

/* Edges of the cells around n ascending grid lines, n + 1 of them: halfway between neighbours, on a logarithmic axis
 * by their ratio. */
void pc_field_edges(const double *lines, size_t n, bool log, double *edges);

/* First and last value that the field covers along an axis: edges of cells for fields that have them. */
void pc_field_reach(const pc_field *field, bool along_y, bool log, double *first, double *last);

/* --- bands: areas between the levels of a field, each of one colour --- */

/* Band i lies between level i - 1 and level i; the first and the last have no end. */
typedef struct pc_bands {
    const pc_field *field;
    pc_scale z;
    int n_levels;
    double levels[PC_LEVELS_MAX];
} pc_bands;

void pc_bands_make(const pc_field *field, pc_bands *bands);

/* The band of a value, or -1 where it is not finite or not on the scale. */
int pc_bands_find(const pc_bands *bands, double value);

/* Where the colour of a band stands on the palette, from 0 to 1: at the middle of its part of the scale. */
double pc_bands_position(const pc_bands *bands, int band);

/* Value at a point of the axes, linear in x and in y between grid points; NaN outside of the grid and in a cell that
 * has a corner without value. */
double pc_bands_value(const pc_bands *bands, double x, double y);

#endif
