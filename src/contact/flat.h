/* Flat and nearly flat contact of a thin disc: see flat.c and flat_patch.c.
 *
 * A patch is springs spread over a face, all at once in contact when the faces are parallel. What matters of it are
 * its moments along the slope: everything else follows from one potential, so that elastic contact conserves energy
 * while it passes from a point to a line to a surface and back.
 */
#ifndef PC_CONTACT_FLAT_H
#define PC_CONTACT_FLAT_H

#include "base/row.h"
#include "base/status.h"

typedef enum pc_flat_model {
    PC_FLAT_RIM,     /* springs along the rim */
    PC_FLAT_AREA,    /* a bed of springs under the whole face */
    PC_FLAT_OVERLAP, /* a bed where the disc overlaps a second one, which is fixed */
} pc_flat_model;

/* Sizes in m; `offset` is the distance of the two axes along the slope. */
typedef struct pc_flat_patch {
    int model;
    double radius, other, offset;
} pc_flat_patch;

/* Weight and the first three moments along the slope (m, m^2, m^3) about the axis of the disc. */
typedef struct pc_flat_moments {
    double j[4];
} pc_flat_moments;

/* Between which places along the slope the patch lies. False if it is empty. */
bool pc_flat_extent(const pc_flat_patch *patch, double *lo, double *hi);

/* Moments of the part of the patch between a and b: by angle over 2 pi for the rim, by area (m^2) for the others. */
pc_flat_moments pc_flat_part(const pc_flat_patch *patch, double a, double b);

/* Where the rims of the two discs cross; infinite if they do not. */
double pc_flat_crossing(const pc_flat_patch *patch);

/* At penetration d (m) of the disc's centre and slope s = sin(tilt), local depth d + s x, for a density of springs of
 * 1: force dU/dd, moment dU/ds, potential, and the moments of what is pressed. Of the pressure, the distance of its
 * centre from the axis, down the slope (m; where nothing is pressed, that of the lowest place), and, of rim and area,
 * its variances along and across the slope (m^2). */
typedef struct pc_flat_load {
    double force, moment, potential;
    double lever, along, athwart;
    pc_flat_moments pressed;
} pc_flat_load;
pc_flat_load pc_flat_press(const pc_flat_patch *patch, double d, double s);

/* A frictionless impact of a free disc, from first touch to separation. */
typedef struct pc_flat_task {
    pc_flat_patch patch;
    double mass, inertia; /* kg, kg m^2 about a diameter */
    double stiffness;     /* N/m, of the whole patch */
    double tilt;          /* rad; positive: the side of positive x is lower */
    double speed, rate;   /* m/s towards the obstacle; rad/s of the tilt */
} pc_flat_task;

typedef struct pc_flat_result {
    double velocity, rate, tilt; /* after: m/s away from the obstacle, rad/s, rad */
    double duration, impulse;    /* s, N s */
    double energy0, energy1;     /* J */
} pc_flat_result;

extern const pc_schema pc_flat_schema; /* of pc_flat_task */

pc_status pc_flat_impact(const pc_flat_task *task, pc_flat_result *out, pc_error *err);

#endif
