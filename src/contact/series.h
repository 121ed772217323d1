/* Power series of a single contact: normal force a sum of powers (contact/force.h), any tangential element.
 *
 * With u = offset + y^n and the clock dt = n y^(n - 1) dtau everything is polynomial in y, w = du/dt, v_t and q, so
 * the coefficients of the motion follow one from another.
 */
#ifndef PC_CONTACT_SERIES_H
#define PC_CONTACT_SERIES_H

#include "contact/force.h"

enum {
    PC_SERIES_ORDER = 31,
    PC_SERIES_POWER = 15, /* greatest power of y that may occur, the clock's included */
};

/* The contact at the start of a step, scaled. */
typedef struct pc_course {
    double w_tt, w_tn, w_nn;
    double y, q, v_t, w;
    int sign; /* of slip; 0 in stick */
} pc_course;

/* The motion from there: coefficient of tau^i at [i]. Impulses, works, stretch and time are increments; q is the
 * whole. */
typedef double pc_coefficients[PC_SERIES_ORDER + 1];
typedef struct pc_expansion {
    pc_coefficients y, q, p_t, p_n, stretch, work_n, work_f, t;
} pc_expansion;

void pc_series_expand(const pc_force *f, int root, const pc_tangential *e, const pc_course *at, pc_expansion *out);

#endif
