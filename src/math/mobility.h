/* The inverse effective mass at a contact: what a body tells a law about itself.
 *
 * v = v0 + W p, with the velocity v of the contact point and the impulse p on the body. Components are indexed
 * t, n, t2; W is symmetric positive semi-definite, in 1/kg.
 */
#ifndef PC_MATH_MOBILITY_H
#define PC_MATH_MOBILITY_H

#include "base/status.h"
#include "base/tolerance.h"

#include <stdbool.h>

enum { PC_T, PC_N, PC_T2 };

/* Modes of vibration of a body in the plane: the contact point moves by (t, along_n) q, and q obeys q'' + omega^2 q =
 * (t, along_n).F. */
enum { PC_VIBRATION_MOST = 12 };
typedef struct pc_vibration {
    int n;
    double omega[PC_VIBRATION_MOST];                         /* rad/s */
    double t[PC_VIBRATION_MOST], along_n[PC_VIBRATION_MOST]; /* kg^-1/2 */
} pc_vibration;

/* How what touches turns, about t, n and t2: w = w0 + cross p + own c, with the rate w of the body against the obstacle
 * (rad/s) and the couple c on the body (N m s); then v = v0 + W p + cross^T c. In the plane only t2 counts. */
typedef struct pc_turning {
    double cross[3][3]; /* rate about one of t, n, t2 by impulse along another, 1/(kg m) */
    double own[3][3];   /* rate by couple, 1/(kg m^2) */
    double rate[3];     /* before the impact */
    double rolling;     /* length by which a compliant contact resists rolling, m; whoever asks a law fills it */
} pc_turning;

typedef struct pc_mobility {
    double tt, tn, nn;         /* planar part */
    double t2t2, tt2, t2n;     /* second tangent; 0 for a planar body */
    int rank;                  /* of the part in use */
    const pc_vibration *modes; /* of the body beside its rigid motion; NULL: none. Whoever sets it keeps them alive */
    const pc_turning *turning; /* for laws that resist it; NULL: nothing does. Likewise */
} pc_mobility;

/* W by rows, and with W->turning, whose rows follow. */
enum { PC_TURNING_SIDE = 6 };
void pc_mobility_matrix(const pc_mobility *W, double M[3][3]);
void pc_mobility_turning_matrix(const pc_mobility *W, double M[PC_TURNING_SIDE][PC_TURNING_SIDE]);

/* Rank of W: how many of its eigenvalues are greater than PC_RANK_TOLERANCE times the largest; fails if W is not
 * positive semi-definite (an eigenvalue below -PC_RANK_TOLERANCE times the largest). */
pc_status pc_mobility_rank(const pc_mobility *W, int *rank, pc_error *err);

/* g = W^+ v, the least impulse that stops as much of v as W can; uses W->rank. */
void pc_mobility_solve_pseudo(const pc_mobility *W, const double v[3], double g[3]);

/* v.W^+ v/2: the kinetic energy that an impulse at the contact can reach, J (Lai 1999, eq 5.72). */
double pc_mobility_energy(const pc_mobility *W, const double v[3]);

/* The same of an impulse and a couple, with W->turning, whose rows count as far as they are not 0; and the rank of all
 * of that (NULL: it is not wanted). */
double pc_mobility_turning_energy(const pc_mobility *W, const double v[3], int *rank);

/* True if the second tangent decouples from t and n; then `plane` is the planar part with its own rank. `plane` may
 * be W itself. */
bool pc_mobility_planar(const pc_mobility *W, pc_mobility *plane);

#endif
