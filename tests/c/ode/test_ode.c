/* Integrators: order conditions of every table, observed orders, tolerances, failures. */
#include "base/alloc.h"
#include "ode/ode.h"
#include "ode/rk.h"
#include "order.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- order conditions ---- */

static forest trees;

typedef struct weights {
    double a[MAX_STAGES][MAX_STAGES], d[4][MAX_STAGES], e[3][MAX_STAGES], b[MAX_STAGES]; /* e: and the second */
    int stages;
} weights;

static void spread(const pc_rk_table *t, weights *w)
{
    memset(w, 0, sizeof *w);
    w->stages = t->stages + 1 + t->extra;
    const pc_rk_entry *entry = t->a;
    for (int i = 1; i < w->stages; i++)
        for (int j = 0; j < t->lengths[i - 1]; j++, entry++) w->a[i][entry->stage] = entry->weight;
    memcpy(w->b, w->a[t->stages], sizeof w->b);
    entry = t->e;
    for (int i = 0; i < t->errors; i++)
        for (int j = 0; j < t->e_lengths[i]; j++, entry++) w->e[i][entry->stage] = entry->weight;
    for (int j = 0; j < t->second_length; j++) w->e[2][t->second[j].stage] = t->second[j].weight;
    entry = t->d;
    for (int i = 0; i < t->high; i++)
        for (int j = 0; j < t->d_lengths[i]; j++, entry++) w->d[i][entry->stage] = entry->weight;
}

/* Largest residual of sum_i b_i Phi_i - target over trees up to an order, in units of the rounding of its terms. */
static double residual(double phi[N_TREES][MAX_STAGES], const double *b, int stages, int lo, int hi, double x,
                       double homogeneous)
{
    double worst = 0;
    for (int t = 0; t < trees.n; t++) {
        if (trees.t[t].order < lo || trees.t[t].order > hi) continue;
        double target = homogeneous * pow(x, trees.t[t].order) / trees.t[t].gamma, sum = -target, size = fabs(target);
        for (int i = 0; i < stages; i++) {
            sum += b[i] * phi[t][i];
            size += fabs(b[i] * phi[t][i]);
        }
        worst = fmax(worst, fabs(sum) / (DBL_EPSILON * (size + 1)));
    }
    return worst;
}

/* Coefficients are given to double precision and Phi has up to eight factors, each a sum with cancellation by a factor
 * of about a hundred at worst (the large entries of DOP853), so 2000 units are rounding and 1e6 would be a wrong
 * digit. */
static const double UNITS = 2000;

START_TEST(there_are_two_hundred_trees_up_to_order_eight)
{
    int count[TREE_ORDER + 1] = {0}, known[] = {0, 1, 1, 2, 4, 9, 20, 48, 115};
    grow_forest(&trees);
    for (int t = 0; t < trees.n; t++) count[trees.t[t].order]++;
    for (int p = 1; p <= TREE_ORDER; p++) ck_assert_int_eq(count[p], known[p]);
}
END_TEST

/* The next table of methods.def, and its method; NULL after the last. Explicit methods share the code of a step. */
static const pc_rk_table *next_table(const pc_ode_method **method, int *k)
{
    for (; *k < pc_n_ode_methods; ++*k) {
        *method = pc_ode_methods[*k];
        if ((*method)->attempt == pc_rk_attempt && !(*method)->symplectic) return pc_ode_methods[(*k)++]->table;
    }
    return NULL;
}

START_TEST(methods_without_an_explicit_table_have_tests_of_their_own)
{
    int explicit = 0, others = 0, k = 0;
    const pc_ode_method *m;
    while (next_table(&m, &k)) explicit ++;
    for (k = 0; k < pc_n_ode_methods; k++)
        others += pc_ode_methods[k]->table == &pc_rodas_rodas5p || pc_ode_methods[k]->symplectic ||
                  pc_ode_methods[k]->step != NULL;
    ck_assert_int_ge(explicit, 4);
    ck_assert_int_eq(explicit + others, pc_n_ode_methods);
}
END_TEST

/* Orders of the sums that estimate errors: one of error_order, or those of a step of order eight (rk.c). */
static int order_of_estimate(const pc_rk_table *t, const pc_ode_method *m, int i)
{
    static const int of_eight[] = {5, 3, 5};
    return t->errors == 1 ? m->error_order : of_eight[i];
}

START_TEST(every_table_meets_the_order_conditions_and_no_more)
{
    grow_forest(&trees);
    const pc_ode_method *m;
    const pc_rk_table *table;
    for (int k = 0; (table = next_table(&m, &k));) {
        weights w;
        double phi[N_TREES][MAX_STAGES];
        spread(table, &w);
        elementary_weights(&trees, w.stages, w.a, w.a, phi);
        int order = m->order;
        double met = residual(phi, w.b, w.stages, 1, order, 1, 1);
        printf("%s: order %d residual %.0f units\n", m->schema->name, order, met);
        ck_assert(met < UNITS);
        if (order < TREE_ORDER) ck_assert(residual(phi, w.b, w.stages, order + 1, order + 1, 1, 1) > 1e9);
        for (int i = 0; i < table->errors + (table->second != NULL); i++) {
            int q = order_of_estimate(table, m, i);
            ck_assert(residual(phi, w.e[i], w.stages, 1, q, 1, 0) < UNITS);
            ck_assert(residual(phi, w.e[i], w.stages, q + 1, q + 1, 1, 0) > 1e9);
        }
        /* nodes are the row sums */
        for (int i = 0; i < w.stages; i++) {
            double sum = 0;
            for (int j = 0; j < w.stages; j++) sum += w.a[i][j];
            ck_assert_double_eq_tol(sum, table->c[i], 100 * DBL_EPSILON);
        }
    }
}
END_TEST

START_TEST(every_interpolant_meets_the_continuous_order_conditions)
{
    grow_forest(&trees);
    const pc_ode_method *m;
    const pc_rk_table *t;
    for (int k = 0; (t = next_table(&m, &k));) {
        weights w;
        double phi[N_TREES][MAX_STAGES];
        spread(t, &w);
        elementary_weights(&trees, w.stages, w.a, w.a, phi);
        for (double x = 0.1; x < 1; x += 0.2) {
            double b[MAX_STAGES], f[6], z = 1 - x;
            double shape[6] = {
                x * z, x * x * z, x * x * z * z, x * x * x * z * z, x * x * x * z * z * z, x * x * x * x * z * z * z};
            for (int i = 0; i < w.stages; i++) {
                f[0] = (i == 0) - w.b[i];
                f[1] = 2 * w.b[i] - (i == 0) - (i == t->stages);
                for (int j = 0; j < 4; j++) f[2 + j] = w.d[j][i];
                b[i] = x * w.b[i];
                for (int j = 0; j < 2 + t->high; j++) b[i] += shape[j] * f[j];
            }
            int q = m->dense_order;
            ck_assert(residual(phi, b, w.stages, 1, q, x, 1) < UNITS);
            ck_assert(residual(phi, b, w.stages, q + 1, q + 1, x, 1) > 1e6);
        }
    }
}
END_TEST

/* Back from the form in U to the one of the theory: with Gamma lower triangular and gamma on its diagonal,
 * Gamma^-1 = 1/gamma - C, alpha = a Gamma, b = m Gamma (Hairer and Wanner, IV.7). */
static void unfold(const pc_rodas_table *t, double alpha[MAX_STAGES][MAX_STAGES], double beta[MAX_STAGES][MAX_STAGES],
                   double gamma[MAX_STAGES][MAX_STAGES])
{
    int s = t->stages;
    memset(gamma, 0, MAX_STAGES * sizeof *gamma);
    for (int j = 0; j < s; j++) { /* column j of the inverse of 1/gamma - C by forward substitution */
        for (int i = j; i < s; i++) {
            double sum = i == j;
            for (int k = j; k < i; k++) sum += t->C[i][k] * gamma[k][j];
            gamma[i][j] = sum * t->gamma;
        }
    }
    for (int i = 0; i < s; i++) {
        for (int j = 0; j < s; j++) {
            alpha[i][j] = 0;
            for (int k = 0; k < s; k++) alpha[i][j] += t->a[i][k] * gamma[k][j];
            beta[i][j] = alpha[i][j] + gamma[i][j];
        }
    }
}

START_TEST(the_rosenbrock_table_meets_its_order_conditions)
{
    const pc_rodas_table *t = &pc_rodas_rodas5p;
    double alpha[MAX_STAGES][MAX_STAGES], beta[MAX_STAGES][MAX_STAGES], gamma[MAX_STAGES][MAX_STAGES];
    double phi[N_TREES][MAX_STAGES], b[MAX_STAGES], embedded[MAX_STAGES];
    int s = t->stages;
    grow_forest(&trees);
    unfold(t, alpha, beta, gamma);
    elementary_weights(&trees, s, alpha, beta, phi);
    for (int i = 0; i < s; i++) {
        b[i] = embedded[i] = 0;
        for (int k = 0; k < s; k++) {
            double m = k < s - 1 ? t->a[s - 1][k] : 1;
            b[i] += m * gamma[k][i];
            embedded[i] += (k < s - 1 ? m : 0) * gamma[k][i];
        }
        double c = 0, d = 0;
        for (int j = 0; j < s; j++) c += alpha[i][j], d += gamma[i][j];
        /* the table is rounded to 16 digits, and C, whose entries reach 147, is inverted: 1e-12 */
        ck_assert_double_eq_tol(c, t->c[i], 1e-12);
        ck_assert_double_eq_tol(d, t->d[i], 1e-12);
    }
    printf("rodas5p: order 5 residual %.0f units\n", residual(phi, b, s, 1, 5, 1, 1));
    ck_assert(residual(phi, b, s, 1, 5, 1, 1) < UNITS);
    ck_assert(residual(phi, b, s, 6, 6, 1, 1) > 1e9);
    ck_assert(residual(phi, embedded, s, 1, 4, 1, 1) < UNITS);
    ck_assert(residual(phi, embedded, s, 5, 5, 1, 1) > 1e9);
    for (double x = 0.1; x < 1; x += 0.2) {
        double at[MAX_STAGES];
        for (int i = 0; i < s; i++) {
            at[i] = x * b[i];
            for (int k = 0; k < s; k++)
                at[i] += x * (1 - x) * (t->H[0][k] + x * (t->H[1][k] + x * t->H[2][k])) * gamma[k][i];
        }
        ck_assert(residual(phi, at, s, 1, 4, x, 1) < UNITS);
        ck_assert(residual(phi, at, s, 5, 5, x, 1) > 1e9);
    }
}
END_TEST

/* ---- observed orders ---- */

/* y0' = y0 cos t, y1' = -2 t y1^2, with y0 = exp(sin t), y1 = 1/(1 + t^2) */
static int smooth(double t, const double *y, double *dydt, void *context)
{
    (void)context;
    dydt[0] = y[0] * cos(t);
    dydt[1] = -2 * t * y[1] * y[1];
    return 0;
}

static void smooth_solution(double t, double *y)
{
    y[0] = exp(sin(t));
    y[1] = 1 / (1 + t * t);
}

/* Pendulum, separable; its energy is v^2/2 - cos q. */
static int pendulum(double t, const double *y, double *dydt, void *context)
{
    (void)t;
    (void)context;
    dydt[0] = y[1];
    dydt[1] = -sin(y[0]);
    return 0;
}

static const pc_ode_problem smooth_problem = {.n = 2, .rhs = smooth};
static const pc_ode_problem pendulum_problem = {.n = 2, .rhs = pendulum, .n_positions = 1};

/* Settings that make every step h long. */
static pc_ode_settings constant_step(double h)
{
    return (pc_ode_settings){.rtol = 1, .atol = 1e6, .first_step = h, .max_step = h, .step = h, .max_steps = 10000000};
}

static pc_ode_settings tolerance(double rtol, double atol)
{
    return (pc_ode_settings){.rtol = rtol, .atol = atol, .max_step = INFINITY, .step = 1e-3, .max_steps = 1000000};
}

/* Integrate from t0 to t1; the state at the end in y. Returns the statistics. */
static pc_ode_statistics integrate(const pc_ode_method *method, const pc_ode_problem *problem, pc_ode_settings settings,
                                   double t0, double t1, double *y)
{
    pc_stepper s;
    pc_error err;
    ck_assert_int_eq(pc_stepper_open(&s, method, problem, &settings, &err), PC_OK);
    ck_assert_int_eq(pc_stepper_start(&s, t0, y, &err), PC_OK);
    while (s.t != t1) ck_assert_msg(pc_stepper_step(&s, t1, &err) == PC_OK, "%s", err.text);
    memcpy(y, s.y, (size_t)problem->n * sizeof *y);
    pc_ode_statistics statistics = s.statistics;
    pc_stepper_close(&s);
    return statistics;
}

/* Error at t = 1.5 with steps h. */
static double global_error(const pc_ode_method *method, double h)
{
    double y[2], exact[2];
    if (method->symplectic) {
        double start[2] = {1, 0.5}, fine[2] = {1, 0.5};
        integrate(method, &pendulum_problem, constant_step(h), 0, 1.5, start);
        integrate(&pc_ode_dop853, &pendulum_problem, tolerance(1e-15, 1e-15), 0, 1.5, fine);
        return hypot(start[0] - fine[0], start[1] - fine[1]);
    }
    smooth_solution(0, y);
    integrate(method, &smooth_problem, constant_step(h), 0, 1.5, y);
    smooth_solution(1.5, exact);
    return hypot(y[0] - exact[0], y[1] - exact[1]);
}

START_TEST(every_method_shows_its_order)
{
    for (int k = 0; k < pc_n_ode_methods; k++) {
        const pc_ode_method *m = pc_ode_methods[k];
        if (m->step) continue; /* chooses its own steps */
        double h = m->order > 6 ? 0.25 : 0.0625;
        double e1 = global_error(m, h), e2 = global_error(m, h / 2), order = log2(e1 / e2);
        printf("%-20s h = %g error %.3g, h/2 error %.3g: order %.2f\n", m->schema->name, h, e1, e2, order);
        /* the next power still contributes at these steps: a third of an order to either side */
        ck_assert(order > m->order - 0.34 && order < m->order + 1);
    }
}
END_TEST

/* Largest error inside one step of length h that starts exactly. */
static double dense_error(const pc_ode_method *method, double h)
{
    const pc_ode_problem *problem = method->symplectic ? &pendulum_problem : &smooth_problem;
    pc_ode_settings settings = constant_step(h);
    double t0 = 0.3, y[2] = {1, 0.5}, worst = 0;
    if (!method->symplectic) smooth_solution(t0, y);
    pc_stepper s;
    ck_assert_int_eq(pc_stepper_open(&s, method, problem, &settings, NULL), PC_OK);
    ck_assert_int_eq(pc_stepper_start(&s, t0, y, NULL), PC_OK);
    ck_assert_int_eq(pc_stepper_step(&s, t0 + 10, NULL), PC_OK);
    const pc_dense *dense;
    ck_assert_int_eq(pc_stepper_dense(&s, &dense, NULL), PC_OK);
    ck_assert(dense->c[0] == y[0] && dense->c[dense->degree] == s.y[0]);
    for (int i = 1; i < 20; i++) {
        double at[2], exact[2], t = t0 + h * i / 20;
        pc_dense_eval(dense, pc_dense_place(dense, t), at);
        if (method->symplectic) {
            memcpy(exact, y, sizeof exact);
            integrate(&pc_ode_dop853, problem, tolerance(1e-15, 1e-15), t0, t, exact);
        } else {
            smooth_solution(t, exact);
        }
        worst = fmax(worst, hypot(at[0] - exact[0], at[1] - exact[1]));
    }
    pc_stepper_close(&s);
    return worst;
}

START_TEST(dense_output_of_every_method_shows_its_order)
{
    for (int k = 0; k < pc_n_ode_methods; k++) {
        const pc_ode_method *m = pc_ode_methods[k];
        if (m->step) continue;
        double h = m->order > 6 ? 0.4 : 0.1;
        double e1 = dense_error(m, h), e2 = dense_error(m, h / 2), order = log2(e1 / e2);
        printf("%-20s dense: error %.3g, %.3g: order %.2f\n", m->schema->name, e1, e2, order);
        ck_assert(order > m->dense_order + 1 - 0.4);
        ck_assert(e2 > 50 * DBL_EPSILON); /* or the order means nothing */
    }
}
END_TEST

START_TEST(error_follows_the_tolerance)
{
    for (int k = 0; k < pc_n_ode_methods; k++) {
        const pc_ode_method *m = pc_ode_methods[k];
        if (m->error_order == 0) continue;
        double coarse = 0, error = 0;
        for (double rtol = 1e-4; rtol > 1e-10; rtol *= 1e-2) {
            double y[2], exact[2];
            smooth_solution(0, y);
            integrate(m, &smooth_problem, tolerance(rtol, rtol), 0, 8, y);
            smooth_solution(8, exact);
            error = hypot(y[0] - exact[0], y[1] - exact[1]);
            if (coarse == 0) coarse = error;
            printf("%-20s rtol %g: error %.3g\n", m->schema->name, rtol, error);
            /* tens of steps, each within rtol; CVODE takes hundreds with less margin in each */
            ck_assert(error < (m->step ? 1000 : 100) * rtol);
        }
        ck_assert(error < 1e-3 * coarse); /* six decades of rtol; single steps of them may cancel by chance */
    }
}
END_TEST

START_TEST(backward_integration_returns_to_the_start)
{
    double y[2] = {1, 0.5};
    integrate(&pc_ode_dop853, &pendulum_problem, tolerance(1e-13, 1e-13), 0, 5, y);
    integrate(&pc_ode_dop853, &pendulum_problem, tolerance(1e-13, 1e-13), 5, 0, y);
    ck_assert_double_eq_tol(y[0], 1, 1e-11); /* a hundred steps of 1e-13 */
    ck_assert_double_eq_tol(y[1], 0.5, 1e-11);
}
END_TEST

START_TEST(symplectic_energy_error_does_not_grow)
{
    double y[2] = {1, 0.5}, e0 = 0.125 - cos(1), early = 0, late = 0;
    pc_ode_settings settings = constant_step(0.1);
    pc_stepper s;
    ck_assert_int_eq(pc_stepper_open(&s, &pc_ode_symplectic, &pendulum_problem, &settings, NULL), PC_OK);
    ck_assert_int_eq(pc_stepper_start(&s, 0, y, NULL), PC_OK);
    for (int i = 0; i < 200000; i++) {
        ck_assert_int_eq(pc_stepper_step(&s, 1e9, NULL), PC_OK);
        double drift = fabs(s.y[1] * s.y[1] / 2 - cos(s.y[0]) - e0);
        if (i < 1000) early = fmax(early, drift);
        if (i >= 199000) late = fmax(late, drift);
    }
    pc_stepper_close(&s);
    printf("energy error: %.3g in the first 1000 steps, %.3g in the last of 200000\n", early, late);
    ck_assert(early > 1e-12); /* above rounding, so that the comparison means something */
    ck_assert(late < 1.5 * early);
}
END_TEST

/* ---- failures ---- */

static int blow_up(double t, const double *y, double *dydt, void *context)
{
    (void)t;
    (void)context;
    dydt[0] = y[0] * y[0]; /* singular at t = 1 from y = 1 */
    return 0;
}

static int nan_after_half(double t, const double *y, double *dydt, void *context)
{
    (void)y;
    (void)context;
    dydt[0] = t > 0.5 ? NAN : 1;
    return 0;
}

static int refuse_at_call(double t, const double *y, double *dydt, void *context)
{
    int *left = context;
    (void)t;
    dydt[0] = -y[0];
    return (*left)-- > 0 ? 0 : -1;
}

static pc_status run_until_failure(const pc_ode_method *method, const pc_ode_problem *problem, double t1, pc_error *err)
{
    pc_stepper s;
    pc_ode_settings settings = tolerance(1e-9, 1e-12);
    double y = 1;
    pc_status status = pc_stepper_open(&s, method, problem, &settings, err);
    if (status == PC_OK) status = pc_stepper_start(&s, 0, &y, err);
    while (status == PC_OK && s.t != t1) status = pc_stepper_step(&s, t1, err);
    pc_stepper_close(&s);
    return status;
}

START_TEST(a_singularity_is_reported_where_it_is)
{
    pc_ode_problem problem = {.n = 1, .rhs = blow_up};
    pc_error err;
    ck_assert_int_eq(run_until_failure(&pc_ode_dop853, &problem, 2, &err), PC_E_NUMERIC);
    ck_assert_double_eq_tol(err.time, 1, 1e-7); /* where rtol 1e-9 moves it to */
}
END_TEST

static int decay(double t, const double *y, double *dydt, void *rate)
{
    (void)t;
    dydt[0] = -*(double *)rate * y[0];
    return 0;
}

START_TEST(a_step_too_long_by_orders_is_refused_however_large_its_error)
{
    /* DOP853 makes about 1e-9 (rate h)^12 of y: the squares of its errors overflow one after the other */
    for (double digits = 10; digits < 26; digits += 0.005) {
        double rate = pow(10, digits), one = 1;
        pc_ode_problem problem = {.n = 1, .rhs = decay, .context = &rate};
        pc_ode_settings settings = {.atol = 1e-12, .first_step = 1, .max_step = INFINITY, .max_steps = 1000};
        pc_stepper s;
        ck_assert_int_eq(pc_stepper_open(&s, &pc_ode_dop853, &problem, &settings, NULL), PC_OK);
        ck_assert_int_eq(pc_stepper_start(&s, 0, &one, NULL), PC_OK);
        ck_assert_int_eq(pc_stepper_step(&s, 10, NULL), PC_OK);
        ck_assert_msg(fabs(s.y[0] - exp(-rate * s.h)) < 1e-10, "rate %g: y = %g after a step of %g", rate, s.y[0], s.h);
        pc_stepper_close(&s);
    }
}
END_TEST

START_TEST(a_right_hand_side_that_is_not_a_number_is_named_with_its_time)
{
    pc_ode_problem problem = {.n = 1, .rhs = nan_after_half};
    for (int k = 0; k < pc_n_ode_methods; k++) {
        if (pc_ode_methods[k]->symplectic) continue;
        pc_error err;
        ck_assert_int_eq(run_until_failure(pc_ode_methods[k], &problem, 1, &err), PC_E_NUMERIC);
        ck_assert_str_eq(err.quantity, "rhs");
        ck_assert(err.time <= 0.5 && err.time > 0.49);
        ck_assert(strstr(err.text, "not finite") != NULL);
    }
}
END_TEST

/* Heun's method of third order: no stage that enters y has the end of the step as its node. */
static int until_half(double t, const double *y, double *dydt, void *context)
{
    (void)y, (void)context;
    dydt[0] = dydt[1] = t < 0.5 ? 1 : NAN;
    return 0;
}

START_TEST(a_fixed_step_whose_rates_are_not_a_number_at_its_end_is_refused)
{
    static const double c[] = {0, 1 / 3.0, 2 / 3.0, 1};
    static const pc_rk_entry a[] = {{0, 1 / 3.0}, {1, 2 / 3.0}, {0, 0.25}, {2, 0.75}};
    static const unsigned char lengths[] = {1, 1, 2};
    static const pc_rk_table heun = {.stages = 3, .c = c, .a = a, .lengths = lengths};
    pc_ode_method third = pc_ode_rk4;
    third.table = &heun;
    third.order = third.stages = 3;
    const pc_ode_method *methods[] = {&third, &pc_ode_rk4, &pc_ode_symplectic};
    for (int k = 0; k < 3; k++) {
        pc_ode_problem problem = {.n = 2, .rhs = until_half, .n_positions = 1};
        pc_ode_settings settings = {.step = 0.25, .max_steps = 100};
        pc_stepper s;
        pc_error err;
        double y[2] = {0, 0};
        ck_assert_int_eq(pc_stepper_open(&s, methods[k], &problem, &settings, &err), PC_OK);
        ck_assert_int_eq(pc_stepper_start(&s, 0, y, &err), PC_OK);
        ck_assert_int_eq(pc_stepper_step(&s, 1, &err), PC_OK);
        ck_assert_int_eq(pc_stepper_step(&s, 1, &err), PC_E_NUMERIC);
        ck_assert(s.t == 0.25 && err.time == 0.25);
        ck_assert_str_eq(err.quantity, "rhs");
        pc_stepper_close(&s);
    }
}
END_TEST

/* Whose rate is not a number at one call. */
typedef struct spoilt {
    long calls, bad;
} spoilt;

static int spoilt_decay(double t, const double *y, double *dydt, void *context)
{
    spoilt *c = context;
    (void)t;
    bool bad = c->calls++ == c->bad;
    dydt[0] = bad ? NAN : y[1];
    dydt[1] = bad ? NAN : -y[0];
    return 0;
}

START_TEST(a_rate_that_is_not_a_number_is_seen_within_its_step)
{
    for (int k = 0; k < pc_n_ode_methods; k++) {
        const pc_ode_method *m = pc_ode_methods[k];
        if (m->step) continue; /* CVODE asks as it likes */
        long calls = 1;
        for (long bad = -1; bad < calls; bad++) {
            spoilt c = {.bad = -1};
            pc_ode_problem problem = {.n = 2, .rhs = spoilt_decay, .n_positions = 1, .context = &c};
            pc_ode_settings settings = tolerance(1e-3, 1e-3);
            settings.step = settings.first_step = 0.1;
            pc_stepper s;
            double y[2] = {1, 0};
            ck_assert_int_eq(pc_stepper_open(&s, m, &problem, &settings, NULL), PC_OK);
            ck_assert_int_eq(pc_stepper_start(&s, 0, y, NULL), PC_OK);
            c = (spoilt){.bad = bad};
            pc_status status = pc_stepper_step(&s, 1, NULL);
            if (bad < 0) calls = c.calls; /* of a step that is accepted */
            bool refused = status == PC_E_NUMERIC || s.statistics.rejected > 0;
            ck_assert_msg(refused == (bad >= 0), "%s: call %ld of %ld", m->schema->name, bad, calls);
            pc_stepper_close(&s);
        }
        ck_assert_int_ge(calls, m->stages);
    }
}
END_TEST

START_TEST(a_callback_may_stop_at_every_call)
{
    for (int k = 0; k < pc_n_ode_methods; k++) {
        if (pc_ode_methods[k]->symplectic) continue;
        for (int calls = 0; calls < 60; calls++) {
            int left = calls;
            long live = pc_alloc_live();
            pc_ode_problem problem = {.n = 1, .rhs = refuse_at_call, .context = &left};
            pc_error err;
            ck_assert_int_eq(run_until_failure(pc_ode_methods[k], &problem, 100, &err), PC_E_CALLBACK);
            ck_assert_int_eq(pc_alloc_live(), live);
        }
    }
}
END_TEST

START_TEST(short_memory_is_reported_and_leaves_nothing_behind)
{
    int left = 1000000;
    pc_ode_problem problem = {.n = 1, .rhs = refuse_at_call, .context = &left};
    for (int k = 0; k < pc_n_ode_methods; k++) {
        if (pc_ode_methods[k]->symplectic) continue;
        for (int n = 0;; n++) {
            long live = pc_alloc_live();
            pc_error err;
            pc_alloc_fail_after(n);
            pc_status status = run_until_failure(pc_ode_methods[k], &problem, 1, &err);
            pc_alloc_fail_after(-1);
            ck_assert_int_eq(pc_alloc_live(), live);
            if (status == PC_OK) break;
            ck_assert_int_eq(status, PC_E_MEMORY);
        }
    }
}
END_TEST

START_TEST(steps_are_limited)
{
    pc_ode_settings settings = tolerance(1e-9, 1e-12);
    settings.max_steps = 10;
    double y[2] = {1, 0.5};
    pc_stepper s;
    pc_error err;
    ck_assert_int_eq(pc_stepper_open(&s, &pc_ode_dop853, &pendulum_problem, &settings, &err), PC_OK);
    ck_assert_int_eq(pc_stepper_start(&s, 0, y, &err), PC_OK);
    pc_status status = PC_OK;
    while (status == PC_OK) status = pc_stepper_step(&s, 1e6, &err);
    ck_assert_int_eq(status, PC_E_LIMIT);
    ck_assert_int_eq(s.statistics.steps + s.statistics.rejected, 10);
    pc_stepper_close(&s);
}
END_TEST

/* Two pendulums that know of each other, of n = 4; behind them, of n > 4, nothing that moves. */
static int two_pendulums(double t, const double *y, double *dydt, void *context)
{
    const int *n = context;
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = -sin(y[0]) + 0.3 * (y[1] - y[0]);
    dydt[3] = -sin(y[1]) - 0.3 * (y[1] - y[0]) + 0.1 * cos(t);
    for (int i = 4; i < *n; i++) dydt[i] = 0;
    return 0;
}

START_TEST(small_systems_get_the_bits_of_large_ones)
{
    const pc_rk_kernel *kernels[] = {
        &pc_rk_small,
#if !defined(PC_NO_X86)
        __builtin_cpu_supports("avx2") ? &pc_rk_small_avx2 : &pc_rk_small,
#endif
    };
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        pc_ode_settings settings = constant_step(0.3); /* the norm of an error knows n */
        int n[2] = {4, 5};
        pc_ode_problem problems[2];
        pc_stepper s[2];
        double y[5] = {1, -0.5, 0.2, 2, 0};
        for (int i = 0; i < 2; i++) {
            problems[i] = (pc_ode_problem){.n = n[i], .rhs = two_pendulums, .context = &n[i]};
            ck_assert_int_eq(pc_stepper_open(&s[i], &pc_ode_dop853, &problems[i], &settings, NULL), PC_OK);
            ck_assert_int_eq(pc_stepper_start(&s[i], 0, y, NULL), PC_OK);
        }
        s[0].kernel = kernels[k];
        for (int step = 0; step < 100; step++) {
            const pc_dense *dense[2];
            for (int i = 0; i < 2; i++) {
                ck_assert_int_eq(pc_stepper_step(&s[i], 1e3, NULL), PC_OK);
                ck_assert_int_eq(pc_stepper_dense(&s[i], &dense[i], NULL), PC_OK);
            }
            ck_assert_mem_eq(s[0].y, s[1].y, 4 * sizeof(double));
            ck_assert_mem_eq(dense[0]->c, dense[1]->c, 4 * 8 * sizeof(double));
        }
        ck_assert(fabs(s[0].y[0] - 1) > 1e-3); /* it moved */
        for (int i = 0; i < 2; i++) pc_stepper_close(&s[i]);
    }
}
END_TEST

UNIT_MAIN("ode", 60, there_are_two_hundred_trees_up_to_order_eight,
          methods_without_an_explicit_table_have_tests_of_their_own, every_table_meets_the_order_conditions_and_no_more,
          every_interpolant_meets_the_continuous_order_conditions, the_rosenbrock_table_meets_its_order_conditions,
          every_method_shows_its_order, dense_output_of_every_method_shows_its_order, error_follows_the_tolerance,
          backward_integration_returns_to_the_start, symplectic_energy_error_does_not_grow,
          a_singularity_is_reported_where_it_is, a_step_too_long_by_orders_is_refused_however_large_its_error,
          a_right_hand_side_that_is_not_a_number_is_named_with_its_time,
          a_fixed_step_whose_rates_are_not_a_number_at_its_end_is_refused,
          a_rate_that_is_not_a_number_is_seen_within_its_step, a_callback_may_stop_at_every_call,
          short_memory_is_reported_and_leaves_nothing_behind, steps_are_limited,
          small_systems_get_the_bits_of_large_ones)
