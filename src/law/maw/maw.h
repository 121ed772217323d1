/* Maw, Barber and Fawcett's solution: the continuum answer to which the simpler laws are compared.
 *
 * The normal motion is Hertz's. Tangentially the contact circle sticks or slips ring by ring. The two are joined as
 * Cattaneo and Mindlin joined them: tractions and displacements of a circular contact are the Abel transforms of
 * those of a row of independent springs at distances x <= a from its middle (Jaeger 1998; Popov and Hess 2015). Spring
 * x touches while u > x^2/R; it carries E* (u - x^2/R) dx of the normal force and sticks while its stretch is below
 * 3/2 kappa mu (u - x^2/R). So each ring sticks or slips by itself and none has to be solved for together with
 * another.
 *
 * In units of 3/2 kappa mu |v_n| the tangential velocity is psi, and an impact is psi2(psi1, chi) with chi = w_tt/(3
 * kappa w_nn). It starts in full stick iff psi1 <= 1 and slips throughout iff psi1 >= 4 chi - 1, psi2 = psi1 - 4 chi
 * then.
 *
 * Source: Maw, Barber and Fawcett, Wear 38 (1976); Lai (1999), sections 4.6 and 5.3.
 */
#ifndef PC_LAW_MAW_MAW_H
#define PC_LAW_MAW_MAW_H

#include "law/hertz.h"
#include "law/impact.h"
#include "law/law.h"

typedef struct pc_maw {
    pc_hertz hertz;
    double friction;
    double tolerance;                                /* of psi2; NaN: `annuli` is given */
    int annuli;                                      /* 0: by tolerance */
    int body_compliance;                             /* of a finite body: none, that of a sphere, or as given */
    double normal_compliance, tangential_compliance; /* c_n, c_t */
} pc_maw;

extern const pc_law pc_law_maw;

/* The problem without units. Lengths across in units of the greatest contact radius, indentation of the greatest one,
 * time of the greatest indentation over |v_n|, force of mu times the greatest F_n, tangential displacement of
 * 3/2 kappa mu times the greatest indentation. */
typedef struct pc_maw_step {
    double t, phi;       /* u = sin(phi)^(4/5), du/dt = cos(phi), phi from 0 to pi */
    double psi, z;       /* velocity and displacement of the contact point */
    double middle;       /* stretch of the spring in the middle */
    double ratio;        /* F_t/(mu F_n), against psi > 0 negative */
    double work_f;       /* of friction, in force times displacement */
    double stick_radius; /* greatest radius at which a ring sticks */
    int slip;            /* sign of slip if every ring slips, else 0 */
    double changed;      /* time at which the slip of the step before became this one; NaN: it is the same */
} pc_maw_step;

/* Run with n rings and 2 n steps; `steps` has 2 n + 1 elements. `profile`, if not NULL, has n + 1 elements and receives
 * the springs' stretches at the end of step `at`; their radii are those of the contact at steps 0 .. n. */
pc_status pc_maw_run(double psi1, double chi, int n, pc_maw_step *steps, double *profile, int at, pc_error *err);

/* Tangential traction over mu times the greatest pressure at n radii (of the greatest contact radius), from the
 * stretches of `rings` + 1 springs at the end of a step: the Abel transform of the row of springs. `limit`, if not
 * NULL, receives the bound that friction sets there when the indentation is u. */
void pc_maw_traction(const double *profile, int rings, double u, const double *radii, int n, double *traction,
                     double *limit);

/* Maw's rings beneath a body that gives way: its modes of vibration, and linear compliances in series with the contact,
 * by which a finite body differs from a half-space.
 *
 * The indentation is u_n = depth + C_n F_n, where F_n = K depth^1.5; the contact point moves by s - C_t F_t, where s is
 * the shift of the springs' feet. Modes obey q'' + omega^2 q = phi . F. Rigid body and modes are integrated by Verlet's
 * method, the springs stick and slip at every step as in maw.c; all of second order.
 */

typedef struct pc_maw_flexible {
    const pc_hertz *hertz;
    const pc_mobility *W; /* with its modes, if it has any */
    double friction;
    double normal_compliance, tangential_compliance; /* C_n, C_t: m/N */
    int rings;                                       /* in Hertz's contact radius */
} pc_maw_flexible;

/* The impact, whose beginning pc_impact_begin has made. */
pc_status pc_maw_flexible_run(const pc_maw_flexible *task, const double v0[3], pc_asked asked, pc_impact *out,
                              pc_error *err);

#endif
