/* Algebraic laws: Brach, Smith, Whittaker, Kane and Levinson, and Brach's bounds. */
#include "unit.h"

#include "engine/collide.h"
#include "law/rigid/rigid.h"
#include "math/mobility.h"
#include "rng.h"

#include <float.h>
#include <math.h>

extern const pc_law pc_law_brach, pc_law_smith, pc_law_whittaker, pc_law_kane_levinson, pc_law_newton;

typedef struct two {
    pc_coefficient restitution;
    double value;
} two;

static pc_rng rng;

static double uniform(double lo, double hi)
{
    return pc_rng_between(&rng, lo, hi);
}

static pc_status collide(const pc_law *law, const void *params, const pc_mobility *W, const double v0[3],
                         pc_impact *hit)
{
    pc_impact_init(hit);
    return pc_law_impact(law, params, W, v0, hit, NULL);
}

static double gain(const pc_impact *hit)
{
    return (hit->impulse[0] * (hit->v0[0] + hit->v1[0]) + hit->impulse[1] * (hit->v0[1] + hit->v1[1])) / 2;
}

static double moved(const pc_impact *hit)
{
    return fabs(hit->work_n_compression) + hit->work_n_restitution + fabs(hit->work_f);
}

static pc_mobility random_mobility(void)
{
    double a = uniform(0, 3.14159), big = exp(uniform(-2, 2)), small = big * exp(uniform(-6, 0));
    double c = cos(a), s = sin(a);
    return (pc_mobility){
        .tt = big * c * c + small * s * s, .tn = (big - small) * c * s, .nn = big * s * s + small * c * c, .rank = 2};
}

/* Brach (1993), tip impact of a slender rod at `theta_deg`, unit mass and length, v_n = -1: checked bounds. */
static const struct {
    double theta_deg, v_t, e, sticking, greatest_loss, lossless[2];
} bounds[] = {
    {45, 0.0, 1.0, 0.6, 0.6, {0.0, 0.6}},
    {45, 0.0, 0.5, 0.6, 0.6, {-0.411010092661, 0.811010092661}},
    {45, 0.0, 0.05, 0.6, 0.6, {-0.923047314042, 0.980190171185}},
    {45, 0.2, 1.0, 0.531914893617, 0.454545454545, {0.0, 0.454545454545}},
    {45, 0.2, 0.5, 0.507246376812, 0.454545454545, {-0.555555555556, 0.714285714286}},
    {45, 0.6, 1.0, 0.365853658537, 0.0, {0.0, 0.0}},
    {45, 0.6, 0.5, 0.263157894737, 0.0, {-1.27284656798, 0.503615798753}},
    {45, 0.6, 0.05, 0.0434782608696, 0.0, {-4.14848295217, 0.693937497629}},
    {45, -1.0, 1.0, 0.846153846154, 1.0, {0.0, 1.0}},
    {45, -1.0, 0.05, 0.987878787879, 1.0, {-0.337069827773, 1.25262538333}},
    {30, 0.6, 0.5, 0.219396956411, 0.100801590846, {-0.648445040707, 0.406911677558}},
    {30, -1.0, 0.5, 0.599049940284, 0.670259961523, {-0.148150038581, 0.790327097927}},
    {65, 0.6, 1.0, 0.0921940816689, -1.0981400034, {-1.0981400034, 0.0}},
    {65, 0.6, 0.5, -0.219854746003, -1.0981400034, {-3.7515862487, 0.499212430388}},
    {65, -1.0, 0.5, 1.50248772324, 1.71822914181, {-0.193175765069, 1.94842850508}},
};

static pc_mobility rod(double theta_deg)
{
    double a = theta_deg * 3.14159265358979323846 / 180, x = cos(a) / 2, y = sin(a) / 2;
    return (pc_mobility){.tt = 1 + 12 * x * x, .tn = -12 * x * y, .nn = 1 + 12 * y * y, .rank = 2};
}

START_TEST(bounds_of_the_impulse_ratio_are_the_checked_ones)
{
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        pc_mobility W = rod(bounds[i].theta_deg);
        double v0[3] = {bounds[i].v_t, -1, 0}, lossless[2];
        double scale = 1 + fabs(bounds[i].lossless[0]);
        ck_assert_double_eq_tol(pc_ratio_reaching(&W, v0, bounds[i].e, 0), bounds[i].sticking, 2e-12 * scale);
        ck_assert_double_eq_tol(pc_ratio_reaching(&W, v0, 0, 0), bounds[i].greatest_loss, 1e-11);
        pc_ratio_lossless(&W, v0, bounds[i].e, lossless);
        for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(lossless[k], bounds[i].lossless[k], 2e-11 * scale);
    }
}
END_TEST

/* Brach (1993), below Table 2: e = 1 and mu = 0.5319 gain more than 12 per cent. Checked value brach.text.gain12. */
START_TEST(brachs_example_gains_energy_and_says_so)
{
    pc_mobility W = rod(45);
    double v0[3] = {0.2, -1, 0};
    two params = {{.value = 1}, 0.531914893617021};
    pc_impact hit;
    ck_assert_int_eq(collide(&pc_law_brach, &params, &W, v0, &hit), PC_OK);
    ck_assert_double_eq_tol(gain(&hit) / 0.52, 0.120192307692, 1e-12);
    ck_assert(hit.flags & PC_FLAG_GAINED_ENERGY);
    ck_assert_double_eq_tol(hit.impulse[PC_N], 1.175, 1e-12);
    ck_assert_double_eq_tol(hit.v1[PC_T], 0, 1e-14);
    /* beyond mu_T it gains, short of it it does not */
    params.value = 5.0 / 11 - 1e-6;
    ck_assert_int_eq(collide(&pc_law_brach, &params, &W, v0, &hit), PC_OK);
    ck_assert(!(hit.flags & PC_FLAG_GAINED_ENERGY));
    params.value = 5.0 / 11 + 1e-6;
    ck_assert_int_eq(collide(&pc_law_brach, &params, &W, v0, &hit), PC_OK);
    ck_assert(hit.flags & PC_FLAG_GAINED_ENERGY);
}
END_TEST

START_TEST(ratios_inside_the_lossless_bounds_lose_and_others_gain)
{
    pc_rng_seed(&rng, 13);
    int inside = 0, outside = 0;
    for (int i = 0; i < 100000; i++) {
        pc_mobility W = random_mobility();
        double v0[3] = {uniform(-2, 2), -uniform(0.1, 1), 0}, lossless[2];
        two params = {{.value = uniform(0, 1)}, uniform(-2, 2)};
        pc_impact hit;
        if (collide(&pc_law_brach, &params, &W, v0, &hit)) continue;
        pc_ratio_lossless(&W, v0, params.restitution.value, lossless);
        if (isnan(lossless[0])) continue;
        double a = 2 * v0[0] * W.tn - (1 + params.restitution.value) * v0[1] * W.tt;
        bool between = params.value > lossless[0] && params.value < lossless[1];
        bool loses = a > 0 ? between : !between;
        if (fabs(gain(&hit)) < 1e-10 * moved(&hit)) continue;
        ck_assert_int_eq(loses, gain(&hit) < 0);
        inside += loses;
        outside += !loses;
        pc_impact_free(&hit);
    }
    ck_assert_int_gt(inside, 10000);
    ck_assert_int_gt(outside, 10000);
}
END_TEST

START_TEST(smiths_impulse_obeys_his_equation_and_never_gains)
{
    pc_rng_seed(&rng, 1991);
    int reversed = 0;
    for (int i = 0; i < 300000; i++) {
        pc_mobility W = random_mobility();
        double v0[3] = {i % 17 ? uniform(-2, 2) : 0, -uniform(0.1, 1), 0};
        double e = i % 5 ? uniform(0, 1) : 1, mu = i % 7 ? uniform(0, 1.5) : uniform(0, 10);
        pc_rigid params = {.restitution = {.value = e}, .coulomb = {mu, mu}};
        pc_impact hit;
        ck_assert_int_eq(collide(&pc_law_smith, &params, &W, v0, &hit), PC_OK);
        double a = v0[0], b = hit.v1[PC_T], p_n = hit.impulse[PC_N];
        if (a != 0) {
            /* v_t+ is the difference of v_t and W p: the equation holds to its rounding */
            double slack = 16 * DBL_EPSILON * (fabs(a) + (W.tt * mu + fabs(W.tn)) * p_n) / (fabs(a) + fabs(b));
            double want = -mu * (fabs(a) * a + fabs(b) * b) / (a * a + b * b);
            ck_assert_double_le(fabs(hit.impulse[PC_T] / p_n - want), 4 * mu * slack + 1e-14);
        }
        ck_assert_double_le(fabs(hit.v1[PC_N] + params.restitution.value * v0[1]),
                            1e-13 * (1 + (W.nn + fabs(W.tn) * mu) * p_n));
        ck_assert_double_le(gain(&hit), 1e-11 * moved(&hit));
        reversed += a * b < 0;
        pc_impact_free(&hit);
    }
    ck_assert_int_gt(reversed, 10000);
}
END_TEST

START_TEST(whittaker_sticks_where_friction_allows_and_opposes_departure_elsewhere)
{
    pc_rng_seed(&rng, 1904);
    int sticks = 0, slides = 0, gains = 0;
    for (int i = 0; i < 300000; i++) {
        pc_mobility W = random_mobility();
        double v0[3] = {i % 17 ? uniform(-2, 2) : 0, -uniform(0.1, 1), 0};
        double mu = uniform(0, 1.5);
        pc_rigid params = {.restitution = {.value = uniform(0, 1)}, .coulomb = {mu, i % 2 ? mu : mu * uniform(1, 2)}};
        const pc_law *law = i % 2 ? &pc_law_whittaker : &pc_law_kane_levinson;
        pc_impact hit;
        ck_assert_int_eq(collide(law, &params, &W, v0, &hit), PC_OK);
        double r = hit.impulse[PC_T] / hit.impulse[PC_N], after = hit.v1[PC_T];
        double speed = fabs(v0[0]) + (W.tt * mu + fabs(W.tn)) * hit.impulse[PC_N];
        double held = pc_ratio_reaching(&W, v0, params.restitution.value, 0);
        if (fabs(held) <= params.coulomb.static_friction) {
            ck_assert_double_le(fabs(after), 1e-13 * (speed + W.tt * fabs(held) * hit.impulse[PC_N]));
            ck_assert_double_le(fabs(r - held), 1e-14 * (1 + fabs(held)));
            sticks++;
        } else {
            ck_assert_double_eq_tol(fabs(r), mu, 1e-14 * (1 + mu));
            if (mu > 0) ck_assert_double_le(r * after, 1e-13 * speed);
            slides++;
        }
        bool flagged = hit.flags & PC_FLAG_GAINED_ENERGY;
        if (fabs(gain(&hit)) > 1e-11 * moved(&hit)) ck_assert_int_eq(flagged, gain(&hit) > 0);
        gains += flagged;
        pc_impact_free(&hit);
    }
    ck_assert_int_gt(sticks, 10000);
    ck_assert_int_gt(slides, 10000);
    ck_assert_int_gt(gains, 1000);
}
END_TEST

/* All laws with Newton's restitution agree where slip keeps its direction to the end. */
START_TEST(laws_agree_where_slip_keeps_its_direction)
{
    pc_rng_seed(&rng, 5);
    int agreed = 0;
    for (int i = 0; i < 50000; i++) {
        pc_mobility W = random_mobility();
        double v0[3] = {uniform(-2, 2), -uniform(0.1, 1), 0}, e = uniform(0, 1), mu = uniform(0.01, 1);
        pc_rigid rigid = {.restitution = {.value = e}, .coulomb = {mu, mu}};
        pc_impact routh, hit;
        ck_assert_int_eq(collide(&pc_law_newton, &rigid, &W, v0, &routh), PC_OK);
        if (routh.n_phases > 1 || routh.v1[PC_T] * v0[0] <= 0) continue;
        const pc_law *const laws[] = {&pc_law_smith, &pc_law_whittaker};
        for (int k = 0; k < 2; k++) {
            ck_assert_int_eq(collide(laws[k], &rigid, &W, v0, &hit), PC_OK);
            double scale = routh.impulse[PC_N] * (1 + mu);
            ck_assert_double_le(fabs(hit.impulse[PC_N] - routh.impulse[PC_N]), 1e-13 * scale);
            ck_assert_double_le(fabs(hit.impulse[PC_T] - routh.impulse[PC_T]), 1e-13 * scale);
        }
        agreed++;
    }
    ck_assert_int_gt(agreed, 5000);
}
END_TEST

START_TEST(a_ratio_that_no_impulse_has_is_refused)
{
    pc_mobility W = {.tt = 2, .tn = 0.9, .nn = 0.5, .rank = 2};
    double v0[3] = {0, -1, 0};
    two params = {{.value = 0.5}, -0.6}; /* w_nn + w_tn r < 0 */
    pc_impact hit;
    ck_assert_int_eq(collide(&pc_law_brach, &params, &W, v0, &hit), PC_E_UNSUPPORTED);
}
END_TEST

UNIT_MAIN("rigid_ratio", 60, bounds_of_the_impulse_ratio_are_the_checked_ones, brachs_example_gains_energy_and_says_so,
          ratios_inside_the_lossless_bounds_lose_and_others_gain, smiths_impulse_obeys_his_equation_and_never_gains,
          whittaker_sticks_where_friction_allows_and_opposes_departure_elsewhere,
          laws_agree_where_slip_keeps_its_direction, a_ratio_that_no_impulse_has_is_refused)
