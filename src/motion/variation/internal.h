/* Inside of tangent.h: what follows arcs (tangent.c) and what passes instants (saltation.c). */
#ifndef PC_MOTION_VARIATION_INTERNAL_H
#define PC_MOTION_VARIATION_INTERNAL_H

#include "motion/variation/tangent.h"

/* A displacement on its way. */
typedef struct pc_carrier {
    pc_run *run;
    pc_planar *planar;                   /* of the run, whose pairs hold to what they did then */
    double from, to;                     /* of the arc: what happened at its ends is outside */
    int n;                               /* 2 n_dof */
    double *y, *near, *f[2], *rates, *d; /* states, rates */
    double *kept[4], *sum;               /* room for more */
    double length, speed;                /* sizes in the scene */
    double *scale;                       /* and of each component */
    pc_contacts contacts; /* that are closed; those before an instant and after it, and what goes on through it */
    pc_contacts before, after, kept_closed;
    int *struck; /* pairs, at an instant */
    size_t struck_room;
    struct pc_trigger *causes; /* of changes at an instant: see saltation.c */
    size_t causes_room;
    pc_slowest *slowest;
    size_t event; /* the first that has not been passed */
    pc_error *err;
} pc_carrier;

/* Of a displacement or of the difference of two states, in sizes of its components. */
double pc_carrier_size(const pc_carrier *c, const double *v);

/* Room for n contacts in its lists and in the run. */
pc_status pc_carrier_reserve(pc_carrier *c, int n);

/* Rates of the state with the contacts, in its configuration. NULL: stop. */
const pc_configuration *pc_carrier_rates(pc_carrier *c, double t, const double *y, double *f);

/* How far to go along d, so that each component is displaced by a small share of its size; infinite: d is 0. */
double pc_carrier_step(const pc_carrier *c, const double *d);

/* How the first m numbers of a map of states change along a direction of y and dt of t, by central differences that go
 * no further than `most`: `map` makes them of `near`, a displaced y, in its place, and may fail. `out` may be `along`,
 * and neither is one of the carrier's f. */
typedef pc_status (*pc_carrier_map)(pc_carrier *c, double t, double *near, const void *context);
pc_status pc_carrier_differ(pc_carrier *c, pc_carrier_map map, const void *context, double t, const double *along,
                            double dt, double most, int m, double *out);

/* Take what the contacts forbid from d, at t + dt for it; rub: see pc_contacts_project. */
pc_status pc_carrier_project(pc_carrier *c, double t, double dt, bool rub);

/* What happened at t, where the contacts of one recorded set of modes became those of another. */
pc_status pc_carrier_pass(pc_carrier *c, double t, size_t before, size_t after);

#endif
