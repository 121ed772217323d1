/* From series to what a device draws: runs of connected points in device coordinates, clipped to a box.
 *
 * Of neighbouring points in one column of the device only the first, the lowest, the highest and the last are kept,
 * in their order: no extreme is lost, and a million points cost what the device can show.
 */
#ifndef PC_CHART_CURVE_H
#define PC_CHART_CURVE_H

#include "chart/axis.h"

/* A rectangle, x0 < x1 and y0 < y1; y points up. */
typedef struct pc_box {
    double x0, y0, x1, y1;
} pc_box;

/* Points of a line being made. All zero is none; what cannot be added is not, and marks the whole as failed. */
typedef struct pc_points {
    double *x, *y;
    int n;
    size_t x_room, y_room;
    bool failed;
} pc_points;

void pc_points_add(pc_points *points, double x, double y);
void pc_points_free(pc_points *points);

/* Receives a run of n >= 1 points; a run of one point is an isolated dot. */
typedef void (*pc_run_sink)(void *context, const double *x, const double *y, int n);

/* Runs of a joined series. The frame is where the scales end, `box` where the pen may go (the frame or a little
 * more). `column`: width of a device column in units of the box. */
pc_status pc_curve_runs(const pc_series *series, const pc_scale *x, const pc_scale *y, pc_box frame, pc_box box,
                        double column, pc_run_sink sink, void *context, pc_error *err);

/* The same for arrays of points; `held`: joined by steps. */
pc_status pc_curve_trace(const double *px, const double *py, size_t n, bool held, const pc_scale *x, const pc_scale *y,
                         pc_box frame, pc_box box, double column, pc_run_sink sink, void *context, pc_error *err);

/* Points of a series inside the frame, each as a run of one. Points less than `grain` apart in both coordinates may
 * be given once. */
pc_status pc_curve_points(const pc_series *series, const pc_scale *x, const pc_scale *y, pc_box frame, double grain,
                          pc_run_sink sink, void *context, pc_error *err);

/* The part of a segment inside a box; false if there is none (Liang and Barsky 1984). */
bool pc_clip_segment(pc_box box, double *x0, double *y0, double *x1, double *y1);

/* Cut a run into dashes. `unit` is the length that the pattern counts in. */
void pc_dash_run(pc_dash dash, double unit, const double *x, const double *y, int n, pc_run_sink sink, void *context);

#endif
