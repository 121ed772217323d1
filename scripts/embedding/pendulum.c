/* A pendulum in C: differential equations with an event that is located on dense output.
 *
 * Released at an angle a it swings with the period 2 pi sqrt(l/g)/agm(1, cos(a/2)), by the arithmetic-geometric mean of
 * Gauss.
 */
#include <math.h>
#include <percuss.h>
#include <stdio.h>

static int swing(double t, const double *y, double *dydt, void *context)
{
    const double g_over_l = *(const double *)context;
    (void)t;
    dydt[0] = y[1];
    dydt[1] = -g_over_l * sin(y[0]);
    return 0;
}

static int turning(double t, const double *y, double *value, void *context)
{
    (void)t;
    (void)context;
    *value = y[1];
    return 0;
}

int main(void)
{
    double g_over_l = 9.81 / 0.5, start[2] = {2, 0}, far[2], a = 1, b = cos(1.0), period, exact;
    const percuss_option tight[] = {PERCUSS_NUMBER("rtol", 1e-12), PERCUSS_NUMBER("atol", 1e-14), PERCUSS_END};
    const percuss_event turns[] = {{"turns back", 1, 1, turning, NULL, NULL}};
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_solver *solver = percuss_solver_new("dop853", tight, &error);
    percuss_ode ode = {2, swing, NULL, NULL, 0, 1, NULL, 0, 0, NULL, 0, 0, NULL, 0, NULL, NULL};
    percuss_motion *motion;
    percuss_motion_record record;
    int i;
    ode.context = &g_over_l;
    ode.events = turns;
    ode.n_events = 1;
    ode.solver = solver;
    if (percuss_ode_solve(&ode, start, 0, 100, &motion, &error) != PERCUSS_OK ||
        percuss_motion_read(motion, &record, &error) != PERCUSS_OK ||
        percuss_motion_at(motion, record.time, 1, far, 2, &error) != PERCUSS_OK) {
        fprintf(stderr, "pendulum: %s\n", error.message);
        return 1;
    }
    for (i = 0; i < 6; i++) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    period = 2 * record.time;
    exact = 2 * 3.14159265358979323846 / sqrt(g_over_l) / a;
    printf("period %.15g s, by Gauss %.15g s, where it turns back the angle is %.15g rad\n", period, exact, far[0]);
    percuss_motion_free(motion);
    percuss_solver_free(solver);
    return 0;
}
