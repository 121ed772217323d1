/* The stiff method on Van der Pol, Robertson, HIRES and two widely separated rates, against reference solutions. */
#include "stiff_problems.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>

/* Greatest relative error over the components at the end; NaN if the run fails. */
static double final_error(const pc_ode_method *method, const stiff_problem *p, bool by_differences, double rtol,
                          long *rhs_calls)
{
    pc_ode_problem problem = p->ode;
    if (by_differences) problem.jacobian = NULL;
    pc_ode_settings settings = {
        .rtol = rtol, .atol = rtol * p->atol_by_rtol, .max_step = INFINITY, .max_steps = 1000000};
    pc_stepper s;
    pc_error err;
    pc_status status = pc_stepper_open(&s, method, &problem, &settings, &err);
    if (status == PC_OK) status = pc_stepper_start(&s, 0, p->start, &err);
    while (status == PC_OK && s.t != p->t1) status = pc_stepper_step(&s, p->t1, &err);
    double worst = 0;
    for (int i = 0; i < problem.n && status == PC_OK; i++) worst = fmax(worst, fabs(s.y[i] / p->reference[i] - 1));
    *rhs_calls = s.statistics.rhs_calls;
    pc_stepper_close(&s);
    return status == PC_OK ? worst : NAN;
}

START_TEST(stiff_problems_end_where_the_references_say)
{
    for (int k = 0; k < N_STIFF; k++) {
        const stiff_problem *p = &stiff_problems[k];
        for (int differences = 0; differences < 2; differences++) {
            for (double rtol = 1e-5; rtol > 1e-12; rtol *= 1e-3) {
                long calls;
                double error = final_error(&pc_ode_rodas5p, p, differences, rtol, &calls);
                printf("%-24s %s rtol %g: error %.2e, %ld calls\n", p->name,
                       differences || !p->ode.jacobian ? "differences" : "Jacobian   ", rtol, error, calls);
                /* a few times the tolerance; the longest motions take hundreds of steps */
                ck_assert(error < 10 * rtol);
            }
        }
    }
}
END_TEST

/* Work must not grow with stiffness: mu = 1e6 costs at most three times mu = 1e3 (its layers are longer in decades). */
START_TEST(cost_does_not_grow_with_stiffness)
{
    long mild, harsh;
    final_error(&pc_ode_rodas5p, &stiff_problems[0], false, 1e-6, &mild);
    final_error(&pc_ode_rodas5p, &stiff_problems[1], false, 1e-6, &harsh);
    ck_assert_int_lt(harsh, 3 * mild);
}
END_TEST

/* A dense state inside a step of a stiff motion is as accurate as its ends. */
START_TEST(dense_output_holds_on_a_stiff_problem)
{
    const stiff_problem *p = &stiff_problems[N_STIFF - 1]; /* a = exp(-10 t), b = exp(-6e5 t) */
    pc_ode_settings settings = {.rtol = 1e-8, .atol = 1e-11, .max_step = INFINITY, .max_steps = 100000};
    pc_stepper s;
    double worst = 0;
    ck_assert_int_eq(pc_stepper_open(&s, &pc_ode_rodas5p, &p->ode, &settings, NULL), PC_OK);
    ck_assert_int_eq(pc_stepper_start(&s, 0, p->start, NULL), PC_OK);
    while (s.t != p->t1) {
        const pc_dense *dense;
        ck_assert_int_eq(pc_stepper_step(&s, p->t1, NULL), PC_OK);
        ck_assert_int_eq(pc_stepper_dense(&s, &dense, NULL), PC_OK);
        for (double x = 0.125; x < 1; x += 0.125) {
            double y[2], t = dense->t + x * dense->h, a = exp(-10 * t), b = exp(-6e5 * t);
            pc_dense_eval(dense, x, y);
            worst = fmax(worst, fmax(fabs(y[0] - 0.5 * (a + b)), fabs(y[1] - 0.5 * (a - b))));
        }
    }
    pc_stepper_close(&s);
    printf("dense output: %.2e\n", worst);
    ck_assert(worst < 1e-6); /* order 4 inside steps that the fifth-order step chose */
}
END_TEST

#ifdef PC_HAVE_SUNDIALS
START_TEST(a_second_opinion_agrees)
{
    for (int k = 0; k < N_STIFF; k++) {
        long calls;
        double error = final_error(&pc_ode_bdf, &stiff_problems[k], false, 1e-9, &calls);
        printf("%-24s CVODE BDF rtol 1e-9: error %.2e\n", stiff_problems[k].name, error);
        ck_assert(error < 1e-6); /* CVODE's own ratio of global error to tolerance on these */
    }
}
END_TEST
#define SECOND_OPINION , a_second_opinion_agrees
#else
#define SECOND_OPINION
#endif

UNIT_MAIN("ode_stiff", 60, stiff_problems_end_where_the_references_say, cost_does_not_grow_with_stiffness,
          dense_output_holds_on_a_stiff_problem SECOND_OPINION)
