/* Dense output: one step as a polynomial per component, in the Bernstein basis of the step.
 *
 *     y_i(t + x h) = sum_j c[i (degree + 1) + j] C(degree, j) x^j (1 - x)^(degree - j),   0 <= x <= 1
 *
 * The first and last coefficients are the states at both ends, bit for bit, so consecutive steps join exactly, and
 * whatever is linear in the state is a polynomial of the same degree with the same combination of coefficients.
 */
#ifndef PC_ODE_DENSE_H
#define PC_ODE_DENSE_H

#include "base/alloc.h"
#include "math/roots.h"

#include <stddef.h>

enum { PC_DENSE_DEGREE = 12 }; /* the highest that a method may use */

typedef struct pc_dense {
    double t, h; /* from t to t + h; h < 0 integrates backwards */
    int n, degree;
    double *c; /* n rows of degree + 1 */
} pc_dense;

/* Where t lies in the step, clipped to [0, 1]; exact at both ends. */
double pc_dense_place(const pc_dense *dense, double t);

/* The state at the fraction x of the step. */
void pc_dense_eval(const pc_dense *dense, double x, double *y);

/* Interpolants are published as y0 + x (y1 - y0) + sum_k F_k x^a_k (1 - x)^b_k. */
typedef struct pc_dense_term {
    int a, b;
} pc_dense_term;
enum { PC_DENSE_TERMS = 6 };

/* The terms in the Bernstein basis, worked out at the first use; all zero before. */
typedef struct pc_dense_form {
    const pc_dense_term *terms; /* of which */
    double shape[PC_DENSE_TERMS][PC_DENSE_DEGREE + 2];
} pc_dense_form;

void pc_dense_prepare(pc_dense_form *form, int degree, const pc_dense_term *terms, int n_terms);

/* Bernstein coefficients from such a form; F_k of component i at f[k * stride + i]. `form` is kept from step to step,
 * with the same terms and degree. */
void pc_dense_assemble(pc_dense *dense, pc_dense_form *form, const double *y0, const double *y1,
                       const pc_dense_term *terms, int n_terms, const double *f, size_t stride);

/* ---- a recorded motion: the polynomials of its steps, one after another ---- */

/* An arc is the dense output of a step up to where it stopped counting, at its end or at an event within it. Arcs are
 * in the order of time, which may run backwards, and join: each begins where the one before stopped. Where something
 * jumped, the state at that time is the last of one arc and the first of the next. */
typedef struct pc_arc {
    double t, h, stop;  /* polynomial on t .. t + h, h not 0, valid up to `stop` */
    int n, degree;      /* components of the state, and of their polynomials */
    size_t coefficient; /* the first of n rows of degree + 1 */
} pc_arc;

typedef struct pc_trajectory {
    pc_pool arcs, coefficients; /* pc_arc, double */
} pc_trajectory;

static inline const pc_arc *pc_trajectory_arcs(const pc_trajectory *trajectory, size_t *n)
{
    *n = trajectory->arcs.used;
    return trajectory->arcs.data;
}

/* Add a step up to `stop`. On failure the trajectory is as before. */
pc_status pc_trajectory_append(pc_trajectory *trajectory, const pc_dense *dense, double stop, pc_error *err);

/* The first arc that stops after t, or at t for side < 0; the number of arcs: none does. */
size_t pc_trajectory_find(const pc_trajectory *trajectory, double t, int side);

/* The first n components at a time within the motion; where the state jumps side < 0 gives it before and otherwise
 * after. There are arcs, and the result is the one that told it: beyond the last one, that. */
size_t pc_trajectory_at(const pc_trajectory *trajectory, double t, int side, int n, double *y);

/* The polynomial of an arc; its coefficients are the trajectory's, until something is added. */
pc_dense pc_trajectory_dense(const pc_trajectory *trajectory, size_t arc);

void pc_trajectory_free(pc_trajectory *trajectory);

#endif
