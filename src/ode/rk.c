/* One step of an explicit Runge-Kutta method, for every table, and the tables: see rk.h. */
#include "ode/rk.h"

#include "math/twin.h"
#include "ode/rk_dop853.h"

#include <math.h>
#include <string.h>

enum { LANES = 4 };

const pc_dense_term pc_rk_terms[PC_RK_TERMS] = {{1, 1}, {2, 1}, {2, 2}, {3, 2}, {3, 3}, {4, 3}};

size_t pc_rk_room(const pc_ode_method *method, size_t n, size_t stride)
{
    const pc_rk_table *t = method->table;
    (void)n;
    return (size_t)(t->stages + 1 + t->extra + 1 + PC_RK_TERMS) * stride;
}

/* out = y + h sum_j a_j k_j, or h sum_j a_j k_j without y. Four components stay in registers while the stages pass
 * by. */
static void combine(const pc_stepper *s, double *restrict out, const double *restrict y, double h,
                    const pc_rk_entry *row, int length)
{
    size_t stride = s->stride;
    for (size_t i = 0; i < stride; i += LANES) {
        const double *k = s->work + i;
        pc_twin low = {0}, high = {0};
        for (int j = 0; j < length; j++) {
            const double *kj = k + (size_t)row[j].stage * stride;
            double a = h * row[j].weight; /* not h times the sum: that would wait for the newest stage */
            low += a * pc_twin_load(kj);
            high += a * pc_twin_load(kj + 2);
        }
        if (y) {
            low += pc_twin_load(y + i);
            high += pc_twin_load(y + i + 2);
        }
        pc_twin_store(out + i, low);
        pc_twin_store(out + i + 2, high);
    }
}

static int advance(pc_stepper *s, double h)
{
    const pc_rk_table *t = s->method->table;
    const pc_rk_entry *row = t->a;
    double *scratch = pc_rk_scratch(s);
    for (int i = 1; i <= t->stages; i++) {
        double *y = i < t->stages ? scratch : s->y_new;
        combine(s, y, s->y, h, row, t->lengths[i - 1]);
        row += t->lengths[i - 1];
        int got = pc_stepper_rhs(s, s->t + t->c[i] * h, y, pc_rk_stage(s, i));
        if (got != 0) return got;
    }
    row = t->e;
    for (int i = 0; i < t->errors; i++) {
        combine(s, scratch + (size_t)i * s->stride, NULL, h, row, t->e_lengths[i]);
        row += t->e_lengths[i];
    }
    return 0;
}

int pc_rk_interpolate(pc_stepper *s, double h)
{
    const pc_rk_table *t = s->method->table;

    /* the extra stages */
    const pc_rk_entry *row = t->a;
    double *scratch = pc_rk_scratch(s);
    for (int i = 1; i <= t->stages && t->extra > 0; i++) row += t->lengths[i - 1];
    for (int i = t->stages + 1; i <= t->stages + t->extra; i++) {
        combine(s, scratch, s->y_old, h, row, t->lengths[i - 1]);
        row += t->lengths[i - 1];
        int got = pc_stepper_rhs(s, s->t_old + t->c[i] * h, scratch, pc_rk_stage(s, i));
        if (got != 0) return got;
    }

    double *f1 = scratch + s->stride, *f2 = f1 + s->stride, *high = f2 + s->stride;
    const double *k0 = pc_rk_stage(s, 0), *k1 = pc_rk_stage(s, t->stages);
    for (int i = 0; i < s->problem->n; i++) {
        double delta = s->y[i] - s->y_old[i];
        f1[i] = h * k0[i] - delta;
        f2[i] = 2 * delta - h * (k0[i] + k1[i]);
    }
    const pc_rk_entry *d = t->d;
    for (int i = 0; i < t->high; i++) {
        combine(s, high + (size_t)i * s->stride, NULL, h, d, t->d_lengths[i]);
        d += t->d_lengths[i];
    }
    pc_dense_assemble(&s->dense, &s->form, s->y_old, s->y, pc_rk_terms, 2 + t->high, f1, s->stride);
    return 0;
}

const pc_rk_kernel pc_rk_any = {advance, pc_rk_interpolate};

/* ---- a method ---- */

pc_status pc_rk_open(pc_stepper *s, pc_error *err)
{
    const pc_rk_table *t = s->method->table;
    (void)err;
    s->kernel = t->kernel ? t->kernel(s->stride) : &pc_rk_any;
    return PC_OK;
}

int pc_rk_start(pc_stepper *s)
{
    int got = pc_stepper_rhs(s, s->t, s->y, pc_rk_stage(s, 0));
    if (got != 0) return got;
    return pc_stepper_finite(s, pc_rk_stage(s, 0)) ? 0 : 1;
}

/* The estimate of fifth order is a sum over the stages, which vanishes by chance where a jump lies in the step, and is
 * small beside that of third order where the motion is smooth. Below this share of it, squared, a second sum tells
 * these apart. */
static const double DOUBTFUL = 1e-4;

/* The error estimate as a multiple of the tolerance. */
static double error_norm(const pc_stepper *s, double h)
{
    const pc_rk_table *t = s->method->table;
    double *fifth = pc_rk_scratch(s), *third = fifth + s->stride, *second = third + s->stride;
    if (t->errors == 1) return pc_stepper_norm(s, fifth);

    /* Estimates of orders five and three make one that shrinks as h^8 (Hairer, Norsett and Wanner, II.10):
     * e5^2/sqrt(e5^2 + 0.01 e3^2). */
    double sum5 = 0, sum3 = 0;
    int n = s->problem->n;
    for (int i = 0; i < n; i++) {
        double scale = 1 / pc_stepper_weight(s, i), e5 = fifth[i] * scale, e3 = third[i] * scale;
        sum5 += e5 * e5;
        sum3 += e3 * e3;
    }
    if (t->second && sum5 < DOUBTFUL * sum3) {
        double sum = 0;
        combine(s, second, NULL, h, t->second, t->second_length);
        for (int i = 0; i < n; i++) sum += second[i] * second[i] / (pc_stepper_weight(s, i) * pc_stepper_weight(s, i));
        sum5 = fmax(sum5, sum);
    }
    /* what is too large for its square is no small error */
    double both = (sum5 + 0.01 * sum3) * n;
    return sum5 == 0 ? 0 : isfinite(both) ? sum5 / sqrt(both) : INFINITY;
}

/* Estimates need not tell of the rate at the end, with which the next step and the interpolant begin. The numbers have
 * just been written, one by one, and are soonest read in the same way. */
static bool is_finite(const pc_stepper *s, const double *k)
{
    double zero = 0;
    for (int i = 0; i < s->problem->n; i++) zero += 0 * k[i];
    return zero == 0;
}

int pc_rk_attempt(pc_stepper *s, double h, double *error)
{
    const pc_rk_table *t = s->method->table;
    const pc_rk_kernel *kernel = s->kernel;
    if (!s->ready) {
        memcpy(pc_rk_stage(s, 0), pc_rk_stage(s, t->stages), s->stride * sizeof(double));
        s->ready = true;
    }
    int got = kernel->advance(s, h);
    if (got != 0) return got;
    if (t->errors > 0) *error = error_norm(s, h);
    return is_finite(s, pc_rk_stage(s, t->stages)) ? 0 : 1;
}

int pc_rk_finish(pc_stepper *s)
{
    const pc_rk_kernel *kernel = s->kernel;
    return kernel->interpolate(s, s->h);
}

/* Where the difficulty of a problem changes from step to step, a share of 0.9 has a fifth of the attempts refused, and
 * the steps that just pass carry most of the error. With 0.75, and the tolerance that gives the same error in the end,
 * a pendulum that swings over and an orbit of eccentricity 0.7 take a tenth fewer right-hand sides. */
#define SAFETY 0.75

static const pc_schema dop853_schema = {
    .name = "solver.dop853",
    .summary = "Dormand-Prince of order 8, adaptive, with dense output of order 7: the default.",
    .details = "Twelve right-hand sides a step and three more for dense output. Best choice for smooth motion and "
               "tolerances from 1e-6 down to rounding.",
    .source = "Prince and Dormand (1981); Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I",
    .example = "print(percuss.solver.dop853{ rtol = 1e-10 })",
    PC_ODE_ADAPTIVE};

const pc_ode_method pc_ode_dop853 = {.schema = &dop853_schema,
                                     .order = 8,
                                     .dense_order = 7,
                                     .dense_degree = 7,
                                     .error_order = 7,
                                     .stages = 12,
                                     .safety = SAFETY,
                                     .table = &pc_rk_dop853,
                                     PC_RK_FUNCTIONS};

static const pc_schema dopri5_schema = {
    .name = "solver.dopri5",
    .summary = "Dormand-Prince of order 5, adaptive, with dense output of order 4.",
    .details = "Six right-hand sides a step and none for dense output. For moderate tolerances, and where many events "
               "keep steps short.",
    .source = "Dormand and Prince (1980); Shampine (1986)",
    .example = "print(percuss.solver.dopri5{ rtol = 1e-6 })",
    PC_ODE_ADAPTIVE};

const pc_ode_method pc_ode_dopri5 = {.schema = &dopri5_schema,
                                     .order = 5,
                                     .dense_order = 4,
                                     .dense_degree = 4,
                                     .error_order = 4,
                                     .stages = 6,
                                     .beta = 0.04,
                                     .safety = SAFETY,
                                     .table = &pc_rk_dp54,
                                     PC_RK_FUNCTIONS};

static const pc_schema bs32_schema = {
    .name = "solver.bs32",
    .summary = "Bogacki-Shampine of order 3, adaptive, with cubic dense output.",
    .details = "Three right-hand sides a step. For coarse tolerances and right-hand sides with kinks.",
    .source = "Bogacki and Shampine (1989)",
    .example = "print(percuss.solver.bs32{ rtol = 1e-3, atol = 1e-6 })",
    PC_ODE_ADAPTIVE};

const pc_ode_method pc_ode_bs32 = {.schema = &bs32_schema,
                                   .order = 3,
                                   .dense_order = 3,
                                   .dense_degree = 3,
                                   .error_order = 2,
                                   .stages = 3,
                                   .beta = 0.04,
                                   .safety = SAFETY,
                                   .table = &pc_rk_bs32,
                                   PC_RK_FUNCTIONS};

static const pc_schema rk4_schema = {
    .name = "solver.rk4",
    .summary = "The classical Runge-Kutta method of order 4 with fixed steps and cubic dense output.",
    .details = "For teaching and for comparison with the literature: nothing controls its error.",
    .source = "Kutta (1901)",
    .example = "print(percuss.solver.rk4{ step = 1e-3 })",
    PC_ODE_FIXED};

const pc_ode_method pc_ode_rk4 = {.schema = &rk4_schema,
                                  .order = 4,
                                  .dense_order = 3,
                                  .dense_degree = 3,
                                  .stages = 4,
                                  .table = &pc_rk_rk4,
                                  PC_RK_FUNCTIONS};

/* Coefficients of the explicit Runge-Kutta methods: rk.h says what the arrays mean.
 *
 * Entries are {stage, coefficient} with zeros left out, row after row; *_lengths says how many belong to each row.
 * The tests check every row against the order conditions, so a mistaken digit cannot hide here.
 */

/* The classical fourth-order method of Kutta (1901), cubic Hermite interpolant. */
static const double rk4_c[] = {
    0.0, 1.0 / 2, 1.0 / 2, 1.0, 1.0,
};
static const pc_rk_entry rk4_a[] = {
    {0, 1.0 / 2}, {1, 1.0 / 2}, {2, 1.0}, {0, 1.0 / 6}, {1, 1.0 / 3}, {2, 1.0 / 3}, {3, 1.0 / 6},
};
static const unsigned char rk4_a_lengths[] = {1, 1, 1, 4};
const pc_rk_table pc_rk_rk4 = {.stages = 4, .c = rk4_c, .a = rk4_a, .lengths = rk4_a_lengths};

/* Bogacki and Shampine (1989), A 3(2) pair of Runge-Kutta formulas, cubic Hermite interpolant. */
static const double bs32_c[] = {
    0.0,
    1.0 / 2,
    3.0 / 4,
    1.0,
};
static const pc_rk_entry bs32_a[] = {
    {0, 1.0 / 2}, {1, 3.0 / 4}, {0, 2.0 / 9}, {1, 1.0 / 3}, {2, 4.0 / 9},
};
static const unsigned char bs32_a_lengths[] = {1, 1, 3};
static const pc_rk_entry bs32_e[] = {
    {0, -5.0 / 72},
    {1, 1.0 / 12},
    {2, 1.0 / 9},
    {3, -1.0 / 8},
};
static const unsigned char bs32_e_lengths[] = {4};
const pc_rk_table pc_rk_bs32 = {.stages = 3,
                                .c = bs32_c,
                                .a = bs32_a,
                                .lengths = bs32_a_lengths,
                                .errors = 1,
                                .e = bs32_e,
                                .e_lengths = bs32_e_lengths};

/* Dormand and Prince (1980), A family of embedded Runge-Kutta formulae: RK5(4)7M. Interpolant of fourth order after
 * Shampine (1986) in the form of Hairer, Norsett and Wanner, II.6. */
static const double dp54_c[] = {
    0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0,
};
static const pc_rk_entry dp54_a[] = {
    {0, 1.0 / 5},       {0, 3.0 / 40},       {1, 9.0 / 40},        {0, 44.0 / 45},      {1, -56.0 / 15},
    {2, 32.0 / 9},      {0, 19372.0 / 6561}, {1, -25360.0 / 2187}, {2, 64448.0 / 6561}, {3, -212.0 / 729},
    {0, 9017.0 / 3168}, {1, -355.0 / 33},    {2, 46732.0 / 5247},  {3, 49.0 / 176},     {4, -5103.0 / 18656},
    {0, 35.0 / 384},    {2, 500.0 / 1113},   {3, 125.0 / 192},     {4, -2187.0 / 6784}, {5, 11.0 / 84},
};
static const unsigned char dp54_a_lengths[] = {1, 2, 3, 4, 5, 5};
static const pc_rk_entry dp54_e[] = {
    {0, 71.0 / 57600}, {2, -71.0 / 16695}, {3, 71.0 / 1920}, {4, -17253.0 / 339200}, {5, 22.0 / 525}, {6, -1.0 / 40},
};
static const unsigned char dp54_e_lengths[] = {6};
static const pc_rk_entry dp54_d[] = {
    {0, -12715105075.0 / 11282082432},  {2, 87487479700.0 / 32700410799}, {3, -10690763975.0 / 1880347072},
    {4, 701980252875.0 / 199316789632}, {5, -1453857185.0 / 822651844},   {6, 69997945.0 / 29380423},
};
static const unsigned char dp54_d_lengths[] = {6};
const pc_rk_table pc_rk_dp54 = {.stages = 6,
                                .c = dp54_c,
                                .a = dp54_a,
                                .lengths = dp54_a_lengths,
                                .errors = 1,
                                .e = dp54_e,
                                .e_lengths = dp54_e_lengths,
                                .high = 1,
                                .d = dp54_d,
                                .d_lengths = dp54_d_lengths};

/* DOP853 has a file of its own. */
const pc_rk_table pc_rk_dop853 = PC_RK_DOP853;
