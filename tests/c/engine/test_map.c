/* Maps over threads: engine/collide.h. */
#include "base/status.h"
#include "base/thread.h"
#include "law/linear/linear.h"
#include "engine/collide.h"
#include "unit.h"

enum { N = 100003 }; /* many blocks and a rest */
static double v_t[N], mu[N], out[2][2][N];

static const pc_linear params = {.kn = 1e6, .kt = 1e6 / 1.21, .eta = 1.21, .mu = 0.5, .restitution = 1};

/* A sphere that strikes with any v_t and friction; `columns` are those of the law. */
static pc_map make_map(pc_map_column columns[5], double *after, double *peak)
{
    const double fixed[] = {params.kn, params.kt, params.eta, params.mu, params.restitution};
    for (int k = 0; k < 5; k++) columns[k] = (pc_map_column){NULL, fixed[k]};
    columns[3].values = mu;
    for (int i = 0; i < N; i++) {
        v_t[i] = 3 * sin(i);
        mu[i] = 0.5 + 0.5 * sin(2 * i);
    }
    pc_map map = {.columns = {
                      .n = N,
                      .w_tt = {NULL, 3.5},
                      .w_nn = {NULL, 1},
                      .rank = {NULL, 2},
                      .v_t = {v_t, 0},
                      .v_n = {NULL, -1},
                      .params = &params,
                      .rows = columns,
                      .out = {[PC_MAP_VT] = after, [PC_MAP_PEAK_N] = peak},
                  }};
    return map;
}

START_TEST(any_number_of_threads_gives_the_same_bits)
{
    pc_map_column columns[5];
    size_t failed = 1;
    pc_map map = make_map(columns, out[0][0], out[0][1]);
    ck_assert(!pc_law_map(&pc_law_linear, &map, 1, &failed, NULL));
    for (int threads = 2; threads <= PC_THREADS_MAX; threads *= 2) {
        memset(out[1], 0, sizeof out[1]);
        map = make_map(columns, out[1][0], out[1][1]);
        ck_assert(!pc_law_map(&pc_law_linear, &map, threads, &failed, NULL));
        ck_assert(failed == 0);
        ck_assert(memcmp(out[0], out[1], sizeof out[0]) == 0);
    }
}
END_TEST

START_TEST(failed_points_are_counted_and_the_others_stay)
{
    pc_map_column columns[5];
    pc_map map = make_map(columns, out[0][0], out[0][1]);
    mu[7] = -1;
    mu[60000] = mu[N - 1] = NAN;
    for (int threads = 1; threads <= 4; threads++) {
        pc_error err = {0};
        size_t failed = 0;
        ck_assert(!pc_law_map(&pc_law_linear, &map, threads, &failed, &err));
        ck_assert_int_eq((int)failed, 3);
        ck_assert(err.text[0]);
        for (int i = 0; i < N; i++) ck_assert(!isnan(out[0][0][i]) == (i != 7 && i != 60000 && i != N - 1));
    }
}
END_TEST

START_TEST(an_interrupt_ends_every_thread_and_says_how_far_it_came)
{
    pc_map_column columns[5];
    pc_map map = make_map(columns, out[0][0], out[0][1]);
    pc_interrupt_flag = 1;
    for (int threads = 1; threads <= 4; threads++) {
        pc_error err = {0};
        size_t failed = 0;
        ck_assert_int_eq(pc_law_map(&pc_law_linear, &map, threads, &failed, &err), PC_E_INTERRUPTED);
        ck_assert_msg(strstr(err.text, "of 100003 impacts"), "%s", err.text);
    }
    pc_interrupt_flag = 0;
}
END_TEST

UNIT_MAIN("map", 60, any_number_of_threads_gives_the_same_bits, failed_points_are_counted_and_the_others_stay,
          an_interrupt_ends_every_thread_and_says_how_far_it_came)
