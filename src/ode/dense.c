/* Dense output of a step: see dense.h. */
#include "ode/dense.h"

double pc_dense_place(const pc_dense *dense, double t)
{
    double x = (t - dense->t) / dense->h;
    return t == dense->t + dense->h || x > 1 ? 1 : x > 0 ? x : 0;
}

void pc_dense_eval(const pc_dense *dense, double x, double *y)
{
    int row = dense->degree + 1;
    for (int i = 0; i < dense->n; i++) y[i] = pc_poly_eval(dense->c + i * row, dense->degree, x);
}

void pc_dense_rate(const pc_dense *dense, double x, double *dydt)
{
    double d[PC_DENSE_DEGREE];
    int row = dense->degree + 1;
    for (int i = 0; i < dense->n; i++) {
        pc_poly_derivative(dense->c + i * row, dense->degree, d);
        dydt[i] = pc_poly_eval(d, dense->degree - 1, x) / dense->h;
    }
}

/* x^a (1 - x)^b = sum_j C(degree - a - b, j - a)/C(degree, j) B_j(x): multiply by (x + 1 - x)^(degree - a - b). */
void pc_dense_assemble(double *c, int degree, double y0, double y1, const pc_dense_term *terms, int n_terms,
                       const double *f, size_t stride)
{
    for (int j = 1; j < degree; j++) c[j] = y0 + (y1 - y0) * j / degree;
    for (int k = 0; k < n_terms; k++) {
        int a = terms[k].a, raise = degree - a - terms[k].b;
        double fk = f[(size_t)k * stride];
        for (int i = 0; i <= raise; i++) c[a + i] += fk * (pc_binomial(raise, i) / pc_binomial(degree, a + i));
    }
    c[0] = y0;
    c[degree] = y1;
}
