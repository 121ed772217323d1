/* From series and fields to what a device draws: runs of connected points in device coordinates, clipped to a box.
 *
 * Of neighbouring points in one column of the device only the first, the lowest, the highest and the last are kept,
 * in their order: no extreme is lost, and a million points cost what the device can show.
 */
#ifndef PC_CHART_CURVE_H
#define PC_CHART_CURVE_H

#include "chart/figure/axis.h"

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

/* --- bars and error bars: what points reach over --- */

/* Receives a point and what it reaches over, clipped to the frame. */
typedef void (*pc_reach_sink)(void *context, double x, double y, pc_box reach);

/* Points of a series whose reach meets the frame. An end that a logarithmic axis cannot show lies at the frame. */
pc_status pc_reach_each(const pc_series *series, const pc_scale *x, const pc_scale *y, pc_box frame, pc_reach_sink sink,
                        void *context, pc_error *err);

/* --- lines of equal value --- */

/* Gives every line of a level to the sink, in the units of the axes. A closed line ends at its first point. Cells
 * with a value that is not finite have no line. Between grid points values run straight; where a cell has two lines,
 * the mean of its corners says which corners they join. */
pc_status pc_contour_trace(const pc_field *field, double level, pc_run_sink sink, void *context, pc_error *err);

/* --- streamlines and arrows --- */

/* The field in the coordinates of a frame: a vector is the velocity with which a point moves over the page, so that
 * arrows are tangent to the curves drawn there, whatever the scales of the axes. */
typedef struct pc_stream {
    pc_box frame;
    size_t nx, ny;
    double *x, *y; /* grid lines on the page, ascending or descending as the axes run */
    double *u, *v; /* NaN where there is no vector */
    double fastest;
} pc_stream;

pc_status pc_stream_make(const pc_field *field, const pc_scale *x, const pc_scale *y, pc_box frame, pc_stream *flow,
                         pc_error *err);
void pc_stream_free(pc_stream *flow);

/* The vector at a point of the page; false outside the field and where it has none. */
bool pc_stream_at(const pc_stream *flow, double x, double y, double *u, double *v);

/* Streamlines about `spacing` apart, each a run in the direction of flow (Jobard and Lefer 1997, "Creating
 * evenly-spaced streamlines of arbitrary density"). */
pc_status pc_stream_lines(const pc_stream *flow, double spacing, pc_run_sink sink, void *context, pc_error *err);

/* Arrows at grid points at least `spacing` apart, each a run of two points, tail and tip, centred on its grid point;
 * the longest is `spacing` long, none is shorter than `least`. There is none where the field vanishes,
 * nor where it would leave the frame. */
void pc_stream_arrows(const pc_stream *flow, double spacing, double least, pc_run_sink sink, void *context);

#endif
