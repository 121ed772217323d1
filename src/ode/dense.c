/* Dense output of a step: see dense.h. */
#include "ode/dense.h"

#include "math/twin.h"

double pc_dense_place(const pc_dense *dense, double t)
{
    double x = (t - dense->t) / dense->h;
    return t == dense->t + dense->h || x > 1 ? 1 : x > 0 ? x : 0;
}

void pc_dense_eval(const pc_dense *dense, double x, double *y)
{
    pc_poly_eval_rows(dense->c, dense->n, dense->degree, x, y);
}

/* x^a (1 - x)^b = sum_j C(degree - a - b, j - a)/C(degree, j) B_j(x): multiply by (x + 1 - x)^(degree - a - b). */
void pc_dense_prepare(pc_dense_form *form, int degree, const pc_dense_term *terms, int n_terms)
{
    if (form->terms == terms) return;
    form->terms = terms;
    for (int k = 0; k < n_terms; k++) {
        int raise = degree - terms[k].a - terms[k].b;
        for (int j = 0; j <= degree; j++)
            form->shape[k][j] = pc_binomial(raise, j - terms[k].a) / pc_binomial(degree, j);
    }
}

void pc_dense_assemble(pc_dense *dense, pc_dense_form *form, const double *y0, const double *y1,
                       const pc_dense_term *terms, int n_terms, const double *f, size_t stride)
{
    int degree = dense->degree;
    double share = 1.0 / degree;
    pc_dense_prepare(form, degree, terms, n_terms);
    for (int i = 0; i < dense->n; i++) {
        double *c = dense->c + i * (degree + 1), delta = (y1[i] - y0[i]) * share;
        double sum[PC_DENSE_DEGREE + 2];
        for (int j = 0; j <= degree; j += 2) { /* the rows have room for one more */
            pc_twin two = {y0[i] + delta * j, y0[i] + delta * (j + 1)};
            for (int k = 0; k < n_terms; k++)
                two += f[(size_t)k * stride + (size_t)i] * pc_twin_load(&form->shape[k][j]);
            pc_twin_store(sum + j, two);
        }
        for (int j = 1; j < degree; j++) c[j] = sum[j];
        c[0] = y0[i];
        c[degree] = y1[i];
    }
}
