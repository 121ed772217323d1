/* Flat and nearly flat contact of a thin disc: see flat/flat.c and flat/patch.c.
 *
 * A patch is springs spread over a face, all at once in contact when the faces are parallel. What matters of it are
 * its moments along the slope: everything else follows from one potential, so that elastic contact conserves energy
 * while it passes from a point to a line to a surface and back.
 */
#ifndef PC_LAW_FLAT_FLAT_H
#define PC_LAW_FLAT_FLAT_H

#include "base/row.h"
#include "base/status.h"

#include <stdbool.h>

typedef enum pc_flat_model {
    PC_FLAT_RIM,     /* springs along the rim */
    PC_FLAT_AREA,    /* a bed of springs under the whole face */
    PC_FLAT_OVERLAP, /* a bed where the disc overlaps a second one, which is fixed */
} pc_flat_model;

/* A rim or an area, and its radius, m. */
typedef struct pc_flat_patch {
    int model;
    double radius;
} pc_flat_patch;

/* At penetration d (m) of the disc's centre and slope s = sin(tilt), local depth d + s x, for a density of springs of
 * 1: force dU/dd, moment dU/ds, potential. Of the pressure, the distance of its centre from the axis, down the slope
 * (m; where nothing is pressed, that of the lowest place), its variance along the slope and across it (m^2). And of
 * what is pressed, the weight and its first two moments about that centre (m, m^2). */
typedef struct pc_flat_load {
    double force, moment, potential;
    double lever, along, athwart;
    double pressed[3];
} pc_flat_load;

/* `whole`: all of the patch is pressed, and the load goes on smoothly where some of it would leave: for a step of an
 * integrator that ends beyond that. */
pc_flat_load pc_flat_press(const pc_flat_patch *patch, double d, double s, bool whole);

/* Springs whose force is k depth (1 + zeta rate), as Hunt and Crossley have it: with w the rate of the depth at the
 * pressure centre and g its gradient, their resultant is F = elastic (1 + zeta w) there, and the spread K of the
 * pressure adds the moment zeta elastic K g. Where some springs would pull, F is held above 0 and that moment within F
 * times the spread. Gives F; *couple is what multiplies K g, with size = g.K g. */
double pc_flat_damp(double elastic, double zeta, double w, double size, double *couple);

/* The place where two discs overlap, cut by a line in any direction: see flat/patch.c. */

/* A disc of radius `radius` about the origin and another of radius `other` about (offset, 0); m. */
typedef struct pc_lens {
    double radius, other, offset;
} pc_lens;

/* Where the rims cross, above the line of the centres and, mirrored, below it; how many such points there are (0, 2).
 * */
int pc_lens_corners(const pc_lens *lens, double corner[2]);

/* The place of the lens farthest in the direction (cos a, sin a). */
void pc_lens_farthest(const pc_lens *lens, const double direction[2], double place[2]);

/* Springs all over the lens, of density 1, at the depth d + p.r > 0: force, its moments and its potential, of which
 * force and moments are the derivatives by d and p (`whole`: as above); of the pressure, the centre (where nothing is
 * pressed, the lowest place) and the variances about it (xx, xy, yy). */
typedef struct pc_lens_load {
    double force, moment[2], potential;
    double centre[2], spread[3];
} pc_lens_load;
pc_lens_load pc_lens_press(const pc_lens *lens, double d, const double p[2], bool whole);

/* A frictionless impact of a free disc, from first touch to separation. */
typedef struct pc_flat_task {
    int model;                   /* pc_flat_model */
    pc_lens lens;                /* of the disc, and of the one that it overlaps: absent with other models */
    double mass, inertia;        /* kg, kg m^2 about a diameter */
    double stiffness;            /* N/m, of the whole patch */
    double tilt;                 /* rad; positive: the side of positive x is lower */
    double speed, rate;          /* m/s towards the obstacle; rad/s of the tilt */
    double azimuth;              /* rad, overlap: of the lower side, from the line to the other disc's axis */
    double damping, restitution; /* s/m; of a flat fall. At most one */
} pc_flat_task;

typedef struct pc_flat_result {
    double velocity, rate, tilt;    /* after: m/s away from the obstacle, rad/s, rad */
    double azimuth, rate_x, rate_y; /* rad; rad/s about the line of the offset and about the one across it */
    double duration, impulse;       /* s, N s */
    double energy0, energy1;        /* J */
} pc_flat_result;

extern const pc_schema pc_flat_schema; /* of pc_flat_task */

pc_status pc_flat_impact(const pc_flat_task *task, pc_flat_result *out, pc_error *err);

#endif
