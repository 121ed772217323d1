/* Streamlines and arrows of a vector field, as it looks on the page. */
#ifndef PC_CHART_STREAM_H
#define PC_CHART_STREAM_H

#include "chart/curve.h"
#include "chart/field.h"

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
