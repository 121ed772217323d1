/* The linear law over arrays: see linear.h. Points are scaled into blocks, run by the kernel that suits the processor,
 * and scaled back. */
#include "base/interrupt.h"
#include "contact/linear.h"
#include "contact/linear_scale.h"

#include <math.h>
#include <string.h>

/* Every kernel returns the same bits, so this choice is one of speed alone. */
static bool has_width(int width)
{
#if !defined(PC_NO_X86)
    if (width == 4) return __builtin_cpu_supports("avx2");
    if (width == 8)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#endif
    return width == 1;
}

static pc_linear_kernel *kernel_of(int width)
{
#if !defined(PC_NO_X86)
    if (width == 8) return pc_linear_run8;
    if (width == 4) return pc_linear_run4;
#endif
    (void)width;
    return pc_linear_run1;
}

int pc_linear_width(void)
{
    return has_width(8) ? 8 : has_width(4) ? 4 : 1;
}

static double at(const pc_linear_column *column, size_t i)
{
    return column->values ? column->values[i] : column->fixed;
}

static bool are_allowed(const pc_linear_given *g)
{
    return g->kn > 0 && g->eta > 0 && g->mu >= 0 && g->restitution > 0 && g->restitution <= 1 && isfinite(g->v_t) &&
           isfinite(g->v_n) && isfinite(g->kn) && isfinite(g->eta) && isfinite(g->mu);
}

/* What a block remembers of its points beside the scaled problem. */
typedef struct points {
    double v_t[PC_LINEAR_BLOCK]; /* before, scaled */
    pc_linear_scale scale[PC_LINEAR_BLOCK];
    int place[PC_LINEAR_BLOCK]; /* in the kernel's block; -1 nothing happens, -2 refused */
} points;

static void put(double *column, size_t i, double value)
{
    if (column) column[i] = value;
}

static void write_all(const pc_linear_batch *batch, size_t i, double value, double outcome)
{
    double *const columns[] = {batch->after_t,  batch->after_n,          batch->p_t,    batch->p_n,
                               batch->duration, batch->compression_time, batch->peak_n, batch->peak_time,
                               batch->work_n,   batch->work_f,           batch->loss,   batch->loss_fraction,
                               batch->phases};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) put(columns[k], i, value);
    put(batch->outcome, i, outcome);
}

/* Kinetic energy at the contact before the impact, v.W^+ v/2, in scaled units. */
static double energy_before(double a, double b, double det, double vt)
{
    double along = b * vt - 1, length = 1 + b * b; /* rank 1: W = x x^T with x = (b, 1), v_n = -1 */
    if (det == 0) return along * along / (length * length) / 2;
    return (vt * vt + 2 * b * vt + a) / det / 2;
}

static void write_point(const pc_linear_batch *batch, size_t i, const pc_linear_block *block, int j,
                        const pc_linear_scale *scale, double energy)
{
#define FIELD(name) block->field[PC_LINEAR_FIELD_##name][j]
    bool wedged = FIELD(code) == PC_LINEAR_WEDGED;
    double m = scale->mirror;
    put(batch->after_t, i, wedged ? 0 : m * FIELD(vt) * scale->velocity);
    put(batch->after_n, i, wedged ? 0 : -FIELD(w) * scale->velocity);
    put(batch->p_t, i, m * FIELD(pt) * scale->impulse);
    put(batch->p_n, i, FIELD(pn) * scale->impulse);
    put(batch->duration, i, FIELD(t) * scale->time);
    put(batch->compression_time, i, FIELD(turn) * scale->time);
    put(batch->peak_n, i, FIELD(peak) * scale->force);
    put(batch->peak_time, i, FIELD(peak_time) * scale->time);
    put(batch->work_n, i, FIELD(work_n) * scale->work);
    put(batch->work_f, i, FIELD(work_f) * scale->work);
    double loss = wedged ? energy : -(FIELD(work_n) + FIELD(work_f));
    put(batch->loss, i, loss * scale->work);
    put(batch->loss_fraction, i, loss / energy);
    put(batch->outcome, i, wedged ? PC_OUTCOME_WEDGED : PC_OUTCOME_REBOUND);
    put(batch->phases, i, FIELD(phases));
#undef FIELD
}

/* n points from `first` on. */
static void run_block(const pc_linear_batch *batch, size_t first, int n, pc_linear_kernel *kernel, points *p,
                      pc_linear_block *block, size_t *failed)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        size_t at_i = first + (size_t)i;
        pc_linear_given g = {
            .w_tt = at(&batch->w_tt, at_i),
            .w_tn = at(&batch->w_tn, at_i),
            .w_nn = at(&batch->w_nn, at_i),
            .v_t = at(&batch->v_t, at_i),
            .v_n = at(&batch->v_n, at_i),
            .kn = at(&batch->kn, at_i),
            .eta = at(&batch->eta, at_i),
            .mu = at(&batch->mu, at_i),
            .restitution = at(&batch->restitution, at_i),
            .rank = (int)at(&batch->rank, at_i),
        };
        double problem[7];
        if (!are_allowed(&g)) {
            p->place[i] = -2;
        } else if (g.v_n >= 0) {
            p->place[i] = -1;
        } else if (!pc_linear_scale_problem(&g, problem, &p->scale[i])) {
            p->place[i] = -2;
        } else {
            for (int k = 0; k < 7; k++) block->field[k][m] = problem[k];
            p->v_t[i] = problem[PC_LINEAR_FIELD_vt];
            p->place[i] = m++;
        }
    }
    if (m > 0) kernel(block, m, batch->compression_time || batch->peak_n || batch->peak_time);
    for (int i = 0; i < n; i++) {
        size_t at_i = first + (size_t)i;
        int j = p->place[i];
        double code = j >= 0 ? block->field[PC_LINEAR_FIELD_code][j] : 0;
        if (j == -1) {
            write_all(batch, at_i, 0, PC_OUTCOME_NONE);
            put(batch->after_t, at_i, at(&batch->v_t, at_i));
            put(batch->after_n, at_i, at(&batch->v_n, at_i));
        } else if (code == PC_LINEAR_REBOUND || code == PC_LINEAR_WEDGED) {
            double energy = 0;
            if (batch->loss || batch->loss_fraction)
                energy = energy_before(block->field[PC_LINEAR_FIELD_a][j], block->field[PC_LINEAR_FIELD_b][j],
                                       block->field[PC_LINEAR_FIELD_det][j], p->v_t[i]);
            write_point(batch, at_i, block, j, &p->scale[i], energy);
        } else {
            write_all(batch, at_i, NAN, NAN);
            ++*failed;
        }
    }
}

pc_status pc_linear_map_width(const pc_linear_batch *batch, size_t n, int width, size_t *failed, pc_error *err)
{
    if (!has_width(width)) return pc_fail(err, PC_E_UNSUPPORTED, "this processor has no kernel %d lanes wide", width);
    pc_linear_kernel *kernel = kernel_of(width);
    pc_linear_block block;
    points p;
    memset(&block, 0, sizeof block);
    *failed = 0;
    for (size_t i = 0; i < n; i += PC_LINEAR_BLOCK) {
        if (i % (16 * PC_LINEAR_BLOCK) == 0 && pc_interrupted())
            return pc_fail(err, PC_E_INTERRUPTED, "interrupted after %zu of %zu impacts", i, n);
        run_block(batch, i, n - i < PC_LINEAR_BLOCK ? (int)(n - i) : PC_LINEAR_BLOCK, kernel, &p, &block, failed);
    }
    return PC_OK;
}

pc_status pc_linear_map(const pc_linear_batch *batch, size_t n, size_t *failed, pc_error *err)
{
    return pc_linear_map_width(batch, n, pc_linear_width(), failed, err);
}
