/* Power series of a single contact, and the normal forces that they can follow: those that are sums of powers of a root
 * of the indentation,
 *
 *     u = offset + y^root,  F = base + elastic y^e + damping y^d w,  k = stiffness y^s
 *
 * with any tangential element. With the clock dt = n y^(n - 1) dtau everything is polynomial in y, w = du/dt, v_t and
 * q, so the coefficients of the motion follow one from another.
 */
#ifndef PC_LAW_SERIES_H
#define PC_LAW_SERIES_H

#include "law/element.h"

/* One stretch of a contact: all that an element has to say. */
typedef struct pc_force {
    double offset, base, elastic, damping, stiffness;
    int elastic_power, damping_power, stiffness_power;
    bool ends_by_force; /* the contact ends where F over its lowest power of y is 0; else where y is 0 */
    double kink;        /* indentation beyond which the element has another shape; infinite: none */
} pc_force;

/* Without offset, base, damping and kink: elastic y^e, and its slope as the stiffness. */
pc_force pc_force_elastic(double elastic, int power, int root);

/* The force and all that is known with it. y is the root of u - offset, of either sign. */
void pc_force_normal(const pc_force *f, int root, double y, double u, double w, pc_normal *out);

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
enum { PC_SERIES_Y, PC_SERIES_Q, PC_SERIES_PT, PC_SERIES_PN, PC_SERIES_BLOCK };
enum { PC_SERIES_STRETCH, PC_SERIES_WN, PC_SERIES_WF, PC_SERIES_TIME };
typedef double pc_coefficients[PC_SERIES_ORDER + 1];
typedef struct pc_expansion {
    double motion[PC_SERIES_ORDER + 1][PC_SERIES_BLOCK];
    double rest[PC_SERIES_ORDER + 1][PC_SERIES_BLOCK];
} pc_expansion;

/* For one instruction set; all give the same bit by bit. */
typedef struct pc_series {
    void (*expand)(const pc_force *f, int root, const pc_tangential *e, const pc_course *at, pc_expansion *out);
    void (*scale)(pc_expansion *s, double h);                                               /* of tau/h */
    void (*sum)(const double (*c)[PC_SERIES_BLOCK], double x, double out[PC_SERIES_BLOCK]); /* motion or rest at x */
} pc_series;

const pc_series *pc_series_widest(void);
extern const pc_series pc_series_plain, pc_series_avx2; /* the second where there is x86 */

#endif
