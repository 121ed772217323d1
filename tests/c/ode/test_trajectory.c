/* Recorded motions: which arc tells a time, on either side of a jump, forwards and backwards. */
#include "ode/ode.h"

#include "base/alloc.h"

#include "unit.h"

#include <math.h>

/* Arcs of y = (place of the arc in the order, t) of which every other one stops half way: y_0 jumps at each stop. */
static double record(pc_trajectory *trajectory, int n, double h)
{
    double t = 0;
    for (int i = 0; i < n; i++) {
        double c[] = {i, i, t, t + h}, stop = i % 2 ? t + h / 2 : t + h;
        pc_dense dense = {t, h, 2, 1, c};
        ck_assert_int_eq(pc_trajectory_append(trajectory, &dense, stop, NULL), PC_OK);
        t = stop;
    }
    return t;
}

START_TEST(sides_of_a_jump_are_told_by_the_arcs_that_meet_there)
{
    for (int direction = -1; direction <= 1; direction += 2) {
        pc_trajectory trajectory = {0};
        size_t n;
        double end = record(&trajectory, 21, 0.25 * direction), y[2];
        const pc_arc *arcs = pc_trajectory_arcs(&trajectory, &n);
        ck_assert_uint_eq(n, 21);
        for (size_t i = 0; i < n; i++) {
            double t = arcs[i].stop, middle = (arcs[i].t + t) / 2;
            ck_assert_uint_eq(pc_trajectory_find(&trajectory, t, -1), i);
            ck_assert_uint_eq(pc_trajectory_find(&trajectory, t, 1), i + 1);
            ck_assert_uint_eq(pc_trajectory_at(&trajectory, t, -1, 2, y), i);
            ck_assert(y[0] == (double)i && y[1] == t);
            for (int side = -1; side <= 1; side += 2) {
                ck_assert_uint_eq(pc_trajectory_at(&trajectory, middle, side, 2, y), i);
                ck_assert(fabs(y[0] - (double)i) < 1e-14 && fabs(y[1] - middle) < 1e-14);
            }
        }
        ck_assert_uint_eq(pc_trajectory_find(&trajectory, 0, -1), 0);
        ck_assert_uint_eq(pc_trajectory_at(&trajectory, end, 1, 1, y), n - 1); /* none goes on */
        ck_assert(y[0] == 20);
        pc_trajectory_free(&trajectory);
        ck_assert_uint_eq(trajectory.arcs.used, 0);
    }
}
END_TEST

START_TEST(an_arc_for_which_there_is_no_memory_leaves_the_others_alone)
{
    double c[200] = {0};
    pc_dense dense = {5, 1, 100, 1, c};
    long live = pc_alloc_live();
    for (long k = 0; k < 2; k++) { /* coefficients, arcs */
        pc_trajectory trajectory = {0};
        pc_error err;
        record(&trajectory, 16, 1);
        size_t coefficients = trajectory.coefficients.used, n;
        pc_alloc_fail_after(k);
        ck_assert_int_eq(pc_trajectory_append(&trajectory, &dense, 6, &err), PC_E_MEMORY);
        ck_assert_int_eq(err.code, PC_E_MEMORY);
        ck_assert(err.time == 6);
        const pc_arc *arcs = pc_trajectory_arcs(&trajectory, &n);
        ck_assert_uint_eq(n, 16);
        ck_assert_uint_eq(trajectory.coefficients.used, coefficients);
        ck_assert_int_eq(pc_trajectory_append(&trajectory, &dense, 6, NULL), PC_OK);
        arcs = pc_trajectory_arcs(&trajectory, &n);
        ck_assert(n == 17 && arcs[16].coefficient == coefficients && arcs[16].stop == 6);
        pc_trajectory_free(&trajectory);
    }
    ck_assert_int_eq(pc_alloc_live(), live);
}
END_TEST

UNIT_MAIN("trajectory", 30, sides_of_a_jump_are_told_by_the_arcs_that_meet_there,
          an_arc_for_which_there_is_no_memory_leaves_the_others_alone)
