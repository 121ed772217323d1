/* Dense output: one step as a polynomial per component, in the Bernstein basis of the step.
 *
 *     y_i(t + x h) = sum_j c[i (degree + 1) + j] C(degree, j) x^j (1 - x)^(degree - j),   0 <= x <= 1
 *
 * The first and last coefficients are the states at both ends, bit for bit, so consecutive steps join exactly, and
 * whatever is linear in the state is a polynomial of the same degree with the same combination of coefficients.
 */
#ifndef PC_ODE_DENSE_H
#define PC_ODE_DENSE_H

#include "math/poly.h"

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

#endif
