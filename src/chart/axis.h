/* Limits and ticks of an axis, the same for every device. */
#ifndef PC_CHART_AXIS_H
#define PC_CHART_AXIS_H

#include "chart/figure.h"

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

#endif
