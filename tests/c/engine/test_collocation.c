/* Collocation for motions under springs: coefficients, accuracy within steps and at their ends, and cost. */
#include "engine/collocation.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINTS = PC_LOBATTO_POINTS };

/* Values of the Legendre polynomial of degree n on [0, 1], where x = 2t - 1. */
static double legendre(int n, double t)
{
    double x = 2 * t - 1, before = 1, p = x;
    if (n == 0) return 1;
    for (int k = 1; k < n; k++) {
        double next = ((2 * k + 1) * x * p - k * before) / (k + 1);
        before = p;
        p = next;
    }
    return p;
}

START_TEST(coefficients_are_exact_for_polynomials_of_degree_nine)
{
    for (int d = 0; d < POINTS; d++)
        for (int i = 0; i < POINTS; i++) {
            double once = 0, c = pc_lobatto_c[i], b[POINTS];
            for (int j = 0; j < POINTS; j++) {
                once += pc_lobatto_integral[j][i] * pow(pc_lobatto_c[j], d);
                b[j] = 0;
                for (int k = 0; k < POINTS; k++) b[j] += pc_lobatto_bernstein[j][k] * pow(pc_lobatto_c[k], d);
            }
            ck_assert_double_eq_tol(once, pow(c, d + 1) / (d + 1), 1e-15);
            ck_assert_double_eq_tol(pc_poly_eval(b, POINTS - 1, c), pow(c, d), 1e-13);
        }
}
END_TEST

/* Of values at the points that are zero at the first, by their amplitudes and back, with the eigenvalues in between. */
START_TEST(modes_are_the_eigenvectors_of_the_integral)
{
    for (int j = 0; j + 1 < POINTS; j++) {
        double same[POINTS] = {0}, integral[POINTS] = {0}, size[POINTS] = {0};
        for (int m = 0; m < PC_LOBATTO_MODES; m++) {
            const double *at = &pc_lobatto_to_modes[j][2 * m], *mode = pc_lobatto_mode[m];
            const double grown[2] = {mode[0] * at[0] - mode[1] * at[1], mode[1] * at[0] + mode[0] * at[1]};
            for (int part = 0; part < 2 && 2 * m + part + 1 < POINTS; part++)
                for (int i = 0; i < POINTS; i++) {
                    same[i] += at[part] * pc_lobatto_from_modes[2 * m + part][i];
                    size[i] += fabs(at[part] * pc_lobatto_from_modes[2 * m + part][i]);
                    integral[i] += grown[part] * pc_lobatto_from_modes[2 * m + part][i];
                }
        }
        for (int i = 0; i < POINTS; i++) {
            ck_assert_double_le(fabs(same[i] - (i == j + 1)), DBL_EPSILON * size[i]);
            ck_assert_double_le(fabs(integral[i] - pc_lobatto_integral[j + 1][i]), DBL_EPSILON * size[i]);
        }
    }
}
END_TEST

/* (2n + 1) P_n is the derivative of P_(n+1) - P_(n-1), by x = 2t - 1: of its integral the tail holds the first part. */
START_TEST(the_tail_holds_what_legendre_polynomials_bring_to_the_next_one)
{
    for (int n = 0; n < POINTS; n++)
        for (int k = 0; k < 4; k++) {
            double sum = 0;
            for (int j = 0; j < POINTS; j++) sum += pc_lobatto_tail[k][j] * legendre(n, pc_lobatto_c[j]);
            ck_assert_double_eq_tol(sum, n == POINTS - 4 + k ? 1.0 / (2 * (2 * n + 1)) : 0, 1e-16);
        }
}
END_TEST

/* ---- motions ---- */

/* A body on a spring and a damper, which turn with it: x'' = -(k x + c x')(1 + e sin a) - g, a'' = -a - e x, with the
 * spring's impulse and work behind them. A second spring holds it along y; its stretch z is a component:
 * y'' = -s z - m (k x + c x'), z' = y'. State x, a, y, their rates, z, impulse, work. */
enum { X, A, Y, VX, VA, VY, Z, IMPULSE, WORK, ALL };

typedef struct body {
    double k, c, e, g, s, m;
    double told; /* how stiff collocation believes the first spring to be, over how stiff it is */
    int point;   /* of a step, at which rates are asked for next */
    double seen[POINTS][ALL];
} body;

static void other_rates(const body *b, const double *y, double x, double v, double vz, double *dydt)
{
    double force = b->k * (y[X] + x) + b->c * (y[VX] + v);
    dydt[Z] = y[VY] + vz;
    dydt[IMPULSE] = force;
    dydt[WORK] = force * (y[VX] + v);
}

/* From where rates were asked for last. */
static int others(int point, double t, const double *y, const double *x, const double *v, double *dydt, void *context)
{
    const body *b = context;
    (void)t, (void)y;
    other_rates(b, b->seen[point], x[0], v[0], b->s > 0 ? v[1] : 0, dydt);
    return 0;
}

static int rhs(double t, const double *y, double *dydt, void *context)
{
    body *b = context;
    double force = b->k * y[X] + b->c * y[VX];
    (void)t;
    memcpy(dydt, y + VX, 3 * sizeof *y);
    dydt[VX] = -force * (1 + b->e * sin(y[A])) - b->g;
    dydt[VA] = -y[A] - b->e * y[X];
    dydt[VY] = -b->s * y[Z] - b->m * force;
    other_rates(b, y, 0, 0, 0, dydt);
    memcpy(b->seen[b->point], y, sizeof b->seen[0]);
    b->point = b->point + 1 == POINTS ? 1 : b->point + 1;
    return 0;
}

static int springs(double t, const double *y, pc_springs *out, void *context)
{
    body *b = context;
    (void)t;
    b->point = 1;
    *out = (pc_springs){.n = b->s > 0 ? 2 : 1,
                        .stiffness = {b->told * b->k, b->s},
                        .damping = {b->c, 0},
                        .factor = {0, 1},
                        .component = {-1, Z},
                        .row = out->row,
                        .column = out->column};
    const double row[2][3] = {{1, 0, 0}, {0, 0, 1}}, column[2][3] = {{-1 - b->e * sin(y[A]), 0, -b->m}, {0, 0, -1}};
    memcpy(out->row, row, sizeof row);
    memcpy(out->column, column, sizeof column);
    return 0;
}

typedef struct result {
    double y[ALL], inside; /* greatest difference of a state within a step from the reference */
    pc_ode_statistics statistics;
} result;

static const double start[ALL] = {[VX] = 1, [A] = 0.3, [VA] = 0.5, [VY] = -0.4};

/* Components have the size that a swing of the first spring gives them; rounding of the angle a is 1e-11 of that. */
static void sizes(const body *b, double scale[ALL])
{
    double l = 1 / sqrt(b->k);
    for (int i = 0; i < ALL; i++) scale[i] = i == X || i == A || i == Y || i == Z ? l : 1;
}

static result run(body *b, const pc_ode_method *method, double tolerance, double t1, const body *reference)
{
    double scale[ALL];
    sizes(b, scale);
    pc_spring_problem p = {.ode = {.n = ALL, .rhs = rhs, .context = b, .n_positions = 3, .scale = scale},
                           .springs = springs,
                           .others = others};
    pc_ode_settings settings = {
        .atol = tolerance, .first_step = M_PI / sqrt(b->k), .max_step = INFINITY, .max_steps = 100000};
    pc_stepper s;
    pc_error err;
    result out = {.inside = 0};
    ck_assert_int_eq(pc_stepper_open(&s, method, &p.ode, &settings, &err), PC_OK);
    ck_assert_int_eq(pc_stepper_start(&s, 0, start, &err), PC_OK);
    while (s.t != t1) {
        const pc_dense *dense;
        double y[ALL], x = 0.37;
        ck_assert_msg(pc_stepper_step(&s, t1, &err) == PC_OK, "%s", err.text);
        if (!reference) continue;
        ck_assert_int_eq(pc_stepper_dense(&s, &dense, &err), PC_OK);
        pc_dense_eval(dense, x, y);
        body own = *reference;
        result there = run(&own, &pc_ode_dop853, 1e-14, dense->t + x * dense->h, NULL);
        for (int i = 0; i < ALL; i++) out.inside = fmax(out.inside, fabs(y[i] - there.y[i]) / scale[i]);
    }
    memcpy(out.y, s.y, sizeof out.y);
    out.statistics = s.statistics;
    pc_stepper_close(&s);
    return out;
}

static double difference(const body *b, const result *a, const result *c)
{
    double scale[ALL], worst = 0;
    sizes(b, scale);
    for (int i = 0; i < ALL; i++) worst = fmax(worst, fabs(a->y[i] - c->y[i]) / scale[i]);
    return worst;
}

static const body bodies[] = {
    {.k = 1e10, .e = 0.2, .g = 9.81, .told = 1},                               /* one spring, free along y */
    {.k = 1e10, .c = 4e4, .e = 0.2, .g = 9.81, .told = 1},                     /* damped by a fifth of the critical */
    {.k = 1e10, .c = 1e4, .e = 0.2, .g = 9.81, .s = 3e9, .m = 0.3, .told = 1}, /* two springs */
    {.k = 1e10, .c = 6e5, .e = 0, .g = 9.81, .told = 1},                       /* overdamped */
};

START_TEST(steps_are_as_exact_as_they_are_asked_to_be_within_and_at_their_ends)
{
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (double tolerance = 1e-4; tolerance > 1e-11; tolerance *= 1e-2) {
            body b = bodies[i], other = b;
            double t1 = 2 * M_PI / sqrt(b.k);
            result own = run(&b, &pc_collocation, tolerance, t1, &bodies[i]),
                   reference = run(&other, &pc_ode_dop853, 1e-14, t1, NULL);
            double end = difference(&b, &own, &reference);
            printf("body %zu, tolerance %.0e: error %.1e, within steps %.1e, %ld steps, %ld calls\n", i, tolerance, end,
                   own.inside, own.statistics.steps, own.statistics.rhs_calls);
            ck_assert(end < tolerance);
            ck_assert(own.inside < 4 * tolerance); /* the tolerance is for the mean square of nine components */
        }
}
END_TEST

/* x'' = -k x - c x' - g from x = 0, in closed form. */
START_TEST(a_damped_swing_is_that_of_its_closed_form)
{
    body b = {.k = 1e10, .c = 4e4, .g = 9.81, .told = 1};
    double t = 3e-5, decay = b.c / 2, rate = sqrt(b.k - decay * decay), sunk = b.g / b.k;
    result own = run(&b, &pc_collocation, 1e-11, t, NULL);
    double swing = (1 + decay * sunk) / rate, wave = sunk * cos(rate * t) + swing * sin(rate * t);
    ck_assert_double_eq_tol(own.y[X] * 1e5, (exp(-decay * t) * wave - sunk) * 1e5, 1e-11);
    ck_assert_double_eq_tol(own.y[IMPULSE], start[VX] - own.y[VX] - b.g * t, 1e-11);
}
END_TEST

/* The body turns by a hundred thousandth meanwhile: one pass is enough for what a step can tell of half a swing. */
START_TEST(half_a_swing_takes_a_step_and_ten_right_hand_sides)
{
    body b = {.k = 1e10, .e = 0.2, .g = 9.81, .told = 1}, other = b;
    double t1 = M_PI / sqrt(b.k);
    result own = run(&b, &pc_collocation, 1e-5, t1, NULL), reference = run(&other, &pc_ode_dop853, 1e-14, t1, NULL);
    ck_assert_int_eq(own.statistics.steps, 1);
    ck_assert_int_eq(own.statistics.rhs_calls, POINTS);
    ck_assert(difference(&b, &own, &reference) < 1e-7);
}
END_TEST

/* What the springs are told to be decides how fast the passes converge, not to what. */
START_TEST(springs_told_wrongly_cost_passes_and_no_accuracy)
{
    body right = bodies[2], wrong = right, other = right;
    wrong.told = 1.2;
    double t1 = 2 * M_PI / sqrt(right.k);
    result reference = run(&other, &pc_ode_dop853, 1e-14, t1, NULL), own = run(&wrong, &pc_collocation, 1e-9, t1, NULL),
           told = run(&right, &pc_collocation, 1e-9, t1, NULL);
    ck_assert_int_gt(own.statistics.rhs_calls, told.statistics.rhs_calls);
    ck_assert(difference(&wrong, &own, &reference) < 1e-9);
}
END_TEST

/* ---- springs that share a coordinate ---- */

/* One coordinate x between a spring with a damper and one along -2x with a stretch z of its own, and a row of -3 that
 * only tells: x'' = -k x - c x' + 2 s z, z' = -2 x', told' = -3 x'. With two coordinates the other one drifts. */
typedef struct pair {
    int n, point;
    double k, c, s, told, seen[POINTS];
} pair;

static int pair_rhs(double t, const double *y, double *dydt, void *context)
{
    pair *b = context;
    int n = b->n;
    double v = y[n];
    (void)t;
    memcpy(dydt, y + n, (size_t)n * sizeof *y);
    memset(dydt + n, 0, (size_t)n * sizeof *y);
    dydt[n] = -b->k * y[0] - b->c * v + 2 * b->s * y[2 * n];
    dydt[2 * n] = -2 * v;
    dydt[2 * n + 1] = -3 * v;
    b->seen[b->point] = v;
    b->point = b->point + 1 == POINTS ? 1 : b->point + 1;
    return 0;
}

static int pair_others(int point, double t, const double *y, const double *x, const double *v, double *dydt,
                       void *context)
{
    const pair *b = context;
    (void)t, (void)y, (void)x;
    dydt[2 * b->n] = -2 * b->seen[point] + v[2];
    dydt[2 * b->n + 1] = -3 * b->seen[point] + v[0];
    return 0;
}

static int pair_springs(double t, const double *y, pc_springs *out, void *context)
{
    pair *b = context;
    int n = b->n;
    (void)t, (void)y;
    b->point = 1;
    *out = (pc_springs){.n = 3,
                        .stiffness = {0, b->told * b->k, b->s},
                        .damping = {0, b->c, 0},
                        .factor = {0, 0, 1},
                        .component = {-1, -1, 2 * n},
                        .row = out->row,
                        .column = out->column};
    memset(out->row, 0, 3 * (size_t)n * sizeof(double));
    memset(out->column, 0, 3 * (size_t)n * sizeof(double));
    const double row[3] = {-3, 1, -2}, column[3] = {0.7, -1, 2};
    for (int k = 0; k < 3; k++) out->row[k * n] = row[k], out->column[k * n] = column[k];
    return 0;
}

/* All of it is linear, so where it is told as it is one pass solves a step; x in closed form, in units of its swing.
 * What follows x does so to rounding, also from the rates of a pass that changed them. */
START_TEST(springs_along_one_coordinate_and_one_that_only_tells_take_one_pass)
{
    for (int i = 0; i < 4; i++) {
        int n = 1 + i % 2;
        pair b = {.n = n, .k = 1e10, .c = 1e4, .s = 3e9, .told = i < 2 ? 1 : 1.2, .point = 1};
        double decay = b.c / 2, rate = sqrt(b.k + 4 * b.s - decay * decay), l = 1 / rate, t = 2.5 / rate;
        double scale[6], y[6] = {0};
        for (int k = 0; k < 2 * n + 2; k++) scale[k] = k < n || k >= 2 * n ? l : 1;
        y[n] = 1;
        pc_spring_problem p = {
            .ode = {.n = 2 * n + 2, .rhs = pair_rhs, .context = &b, .n_positions = n, .scale = scale},
            .springs = pair_springs,
            .others = pair_others};
        pc_ode_settings settings = {.atol = 1e-5, .first_step = t, .max_step = INFINITY, .max_steps = 10};
        pc_stepper s;
        pc_error err;
        ck_assert_int_eq(pc_stepper_open(&s, &pc_collocation, &p.ode, &settings, &err), PC_OK);
        ck_assert_int_eq(pc_stepper_start(&s, 0, y, &err), PC_OK);
        ck_assert_int_eq(pc_stepper_step(&s, t, &err), PC_OK);
        ck_assert_double_eq(s.t, t);
        if (b.told == 1) ck_assert_int_eq(s.statistics.rhs_calls, POINTS);
        double x = exp(-decay * t) * sin(rate * t) / rate;
        /* a step of order 18 leaves 1e-9 of 2.5 radians, and passes that end at a tolerance of 1e-5 a share of that */
        double close = b.told == 1 ? 1e-8 : 1e-6;
        ck_assert_double_eq_tol(s.y[0] / l, x / l, close);
        ck_assert_double_eq_tol(s.y[n], exp(-decay * t) * cos(rate * t) - decay * x, close);
        ck_assert_double_eq_tol(s.y[2 * n] / l, -2 * s.y[0] / l, 1e-13);
        ck_assert_double_eq_tol(s.y[2 * n + 1] / l, -3 * s.y[0] / l, 1e-13);
        pc_stepper_close(&s);
    }
}
END_TEST

UNIT_MAIN("collocation", 60, coefficients_are_exact_for_polynomials_of_degree_nine,
          modes_are_the_eigenvectors_of_the_integral, the_tail_holds_what_legendre_polynomials_bring_to_the_next_one,
          steps_are_as_exact_as_they_are_asked_to_be_within_and_at_their_ends,
          a_damped_swing_is_that_of_its_closed_form, half_a_swing_takes_a_step_and_ten_right_hand_sides,
          springs_told_wrongly_cost_passes_and_no_accuracy,
          springs_along_one_coordinate_and_one_that_only_tells_take_one_pass)
