/* A step of DOP853 for up to four equations: the vectors are of one length, the loops over stages and entries are gone,
 * and the coefficients stand in the instructions. The operations and their order are those of rk.c, and so are the
 * bits.
 *
 * Rates of positions are known a stage before those of velocities. So the two halves of a vector are never in one
 * register, and each is loaded as it was stored: the next stage may then begin with its positions while the last one
 * still works on its accelerations.
 *
 * Included by one file for each instruction set.
 */
#include "math/twin.h"
#include "ode/rk_dop853.h"

static const pc_rk_table dop853 = PC_RK_DOP853;

enum { SMALL = 4, DEGREE = 7, STAGES = 12, EXTRA = 3 };

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))

INLINE four *at(double *vectors, int i)
{
    return (four *)(vectors + SMALL * i);
}

/* out = y + h sum_j a_j k_j, or h sum_j a_j k_j without y. */
INLINE void combine(const double *k, double *out, const double *y, double h, const pc_rk_entry *row, int length)
{
#pragma GCC unroll 2
    for (int half = 0; half < SMALL; half += 2) {
        pc_twin sum = {0};
#pragma GCC unroll 16
        for (int j = 0; j < length; j++) {
            double a = h * row[j].weight;
            sum += a * pc_twin_load(k + SMALL * row[j].stage + half);
        }
        if (y) sum += pc_twin_load(y + half);
        pc_twin_store(out + half, sum);
    }
}

static int advance(pc_stepper *s, double h)
{
    double *k = s->work, *scratch = pc_rk_scratch(s);
    const pc_rk_entry *row = dop853.a;
#pragma GCC unroll 16
    for (int i = 1; i <= STAGES; i++) {
        double *y = i < STAGES ? scratch : s->y_new;
        combine(k, y, s->y, h, row, dop853.lengths[i - 1]);
        row += dop853.lengths[i - 1];
        int got = pc_stepper_rhs(s, s->t + dop853.c[i] * h, y, k + SMALL * i);
        if (got != 0) return got;
    }
    combine(k, scratch, NULL, h, dop853.e, dop853.e_lengths[0]);
    combine(k, scratch + SMALL, NULL, h, dop853.e + dop853.e_lengths[0], dop853.e_lengths[1]);
    return 0;
}

/* As pc_dense_assemble, with the components side by side. */
INLINE void assemble(pc_stepper *s, const four *y0, const four *y1, const four *f)
{
    double b[SMALL * (DEGREE + 1)];
    four delta = (*y1 - *y0) * (1.0 / DEGREE);
    pc_dense_prepare(&s->form, DEGREE, pc_rk_terms, PC_RK_TERMS);
    *at(b, 0) = *y0;
    *at(b, DEGREE) = *y1;
#pragma GCC unroll 8
    for (int j = 1; j < DEGREE; j++) {
        four sum = *y0 + delta * (double)j;
#pragma GCC unroll 8
        for (int m = 0; m < PC_RK_TERMS; m++) sum += f[m] * s->form.shape[m][j];
        *at(b, j) = sum;
    }
    for (int i = 0; i < s->problem->n; i++) {
        double *c = s->dense.c + i * (DEGREE + 1);
#pragma GCC unroll 8
        for (int j = 0; j <= DEGREE; j += 2) pc_twin_store(c + j, (pc_twin){b[SMALL * j + i], b[SMALL * (j + 1) + i]});
    }
}

static int interpolate(pc_stepper *s, double h)
{
    double *k = s->work, *scratch = pc_rk_scratch(s);
    const pc_rk_entry *row = dop853.a;
    four *y0 = at(s->y_old, 0), *y1 = at(s->y, 0);
#pragma GCC unroll 16
    for (int i = 1; i <= STAGES + EXTRA; i++) {
        if (i > STAGES) {
            combine(k, scratch, s->y_old, h, row, dop853.lengths[i - 1]);
            int got = pc_stepper_rhs(s, s->t_old + dop853.c[i] * h, scratch, k + SMALL * i);
            if (got != 0) return got;
        }
        row += dop853.lengths[i - 1];
    }

    four f[PC_RK_TERMS], delta = *y1 - *y0;
    f[0] = h * *at(k, 0) - delta;
    f[1] = 2 * delta - h * (*at(k, 0) + *at(k, STAGES));
    row = dop853.d;
#pragma GCC unroll 4
    for (int i = 0; i < PC_RK_HIGH; i++) {
        combine(k, (double *)&f[2 + i], NULL, h, row, dop853.d_lengths[i]);
        row += dop853.d_lengths[i];
    }
    assemble(s, y0, y1, f);
    return 0;
}
