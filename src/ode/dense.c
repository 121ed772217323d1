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

/* ---- a recorded motion, in two pools ---- */

pc_status pc_trajectory_append(pc_trajectory *trajectory, const pc_dense *dense, double stop, pc_error *err)
{
    pc_pool *coefficients = &trajectory->coefficients;
    size_t first = coefficients->used, count = (size_t)dense->n * (size_t)(dense->degree + 1);
    pc_arc arc = {dense->t, dense->h, stop, dense->n, dense->degree, first};
    pc_status status = pc_pool_append(coefficients, dense->c, count, sizeof *dense->c, err);
    if (status == PC_OK) status = pc_pool_append(&trajectory->arcs, &arc, 1, sizeof arc, err);
    if (status == PC_OK) return PC_OK;
    coefficients->used = first;
    return pc_fail_at(err, status, stop, "memory", "not enough memory to record the motion at t = %.17g", stop);
}

size_t pc_trajectory_find(const pc_trajectory *trajectory, double t, int side)
{
    size_t lo = 0, hi;
    const pc_arc *arcs = pc_trajectory_arcs(trajectory, &hi);
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        double left = arcs[middle].h > 0 ? arcs[middle].stop - t : t - arcs[middle].stop;
        if (left > 0 || (left == 0 && side < 0))
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

pc_dense pc_trajectory_dense(const pc_trajectory *trajectory, size_t arc)
{
    const pc_arc *a = (const pc_arc *)trajectory->arcs.data + arc;
    return (pc_dense){a->t, a->h, a->n, a->degree, (double *)trajectory->coefficients.data + a->coefficient};
}

size_t pc_trajectory_at(const pc_trajectory *trajectory, double t, int side, int n, double *y)
{
    size_t arc = pc_trajectory_find(trajectory, t, side);
    if (arc == trajectory->arcs.used) arc--;
    pc_dense dense = pc_trajectory_dense(trajectory, arc);
    dense.n = n;
    pc_dense_eval(&dense, pc_dense_place(&dense, t), y);
    return arc;
}

void pc_trajectory_free(pc_trajectory *trajectory)
{
    pc_pool_free(&trajectory->arcs);
    pc_pool_free(&trajectory->coefficients);
}
