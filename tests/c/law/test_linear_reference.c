/* The linear law against the checked values for Birlik (2012): 70 impacts whose numbers come from three independent
 * solvers. They agree with each other to about 1e-12, except that the time at which slip or stick ends near the edge of
 * contact is only as good as its conditioning: 1e-9 relative is asked of everything, 1e-12 of closed forms. */
#include "unit.h"

#include "engine/collide.h"
#include "law/linear/linear.h"

#include <math.h>
#include <string.h>

typedef struct reference_case {
    const char *id;
    bool wedged;
    const char *phases; /* '0' stick, '+' and '-' slip */
    double w_tt, w_tn, w_nn, mu, eta, v_t, v_n;
    double transitions[6];
    int n_reversals;
    double first_reversal;
    double duration, compression, peak_n, after_t, after_n, p_t, p_n, work_tangential, work_f, energy0, loss_fraction;
    double lock_mean_n, lock_mean_t, lock_amplitude_n, lock_frequency, dissipated, force_at_arrest;
    double works[7][3]; /* per phase: F_t v_t, normal, friction */
} reference_case;

static const reference_case cases[] = {
#include "../../reference/birlik2012_linear.inc"
};
enum { N_CASES = sizeof cases / sizeof *cases };

/* `relative` times the reference or the natural scale of the quantity, whichever is larger. */
static void near(const char *id, const char *what, double got, double want, double relative, double scale)
{
    if (isnan(want)) return;
    double bound = relative * fmax(fabs(want), scale);
    ck_assert_msg(fabs(got - want) <= bound, "%s %s: %.17g, reference %.17g, difference %.3g, bound %.3g", id, what,
                  got, want, got - want, bound);
}

static void run(const reference_case *c, pc_impact *hit, bool single)
{
    pc_linear law = {.kn = 1, .kt = 1 / c->eta, .eta = c->eta, .mu = c->mu, .restitution = 1};
    pc_mobility W = {.tt = c->w_tt, .tn = c->w_tn, .nn = c->w_nn, .rank = single ? 1 : 2};
    double v0[3] = {c->v_t, c->v_n, 0};
    pc_error err = {0};
    ck_assert_msg(pc_law_impact(&pc_law_linear, &law, &W, v0, hit, &err) == PC_OK, "%s: %s", c->id, err.text);
}

static bool is_single_link(const reference_case *c)
{
    return fabs(c->w_tt * c->w_nn - c->w_tn * c->w_tn) < 1e-12;
}

START_TEST(every_case_has_the_phases_times_and_velocities_of_the_reference)
{
    for (int i = 0; i < N_CASES; i++) {
        const reference_case *c = &cases[i];
        pc_impact hit;
        run(c, &hit, is_single_link(c));
        ck_assert_msg((hit.outcome == PC_OUTCOME_WEDGED) == c->wedged, "%s: outcome", c->id);
        int n = (int)strlen(c->phases);
        char got[16] = "";
        for (int k = 0; k < hit.n_phases && k < 15; k++)
            got[k] = hit.phases[k].kind == PC_PHASE_STICK ? '0' : hit.phases[k].sign > 0 ? '+' : '-';
        ck_assert_msg(strcmp(got, c->phases) == 0, "%s: phases %s, reference %s", c->id, got, c->phases);
        for (int k = 0; k + 1 < n; k++) near(c->id, "transition", hit.phases[k].stop.t, c->transitions[k], 1e-9, 1);
        if (!c->wedged) near(c->id, "duration", hit.duration, c->duration, 1e-9, 1);
        near(c->id, "compression time", hit.compression_time, c->compression, 1e-9, 1);
        near(c->id, "peak F_n", hit.peak[PC_N], c->peak_n, 1e-12, 1);
        near(c->id, "v_t", hit.v1[PC_T], c->after_t, 1e-12, fabs(c->v_t) + 1);
        near(c->id, "v_n", hit.v1[PC_N], c->after_n, 1e-12, fabs(c->v_t) + 1);
        near(c->id, "p_t", hit.impulse[PC_T], c->p_t, 1e-11, 1);
        near(c->id, "p_n", hit.impulse[PC_N], c->p_n, 1e-11, 1);
        ck_assert_msg(hit.n_reversals == c->n_reversals, "%s: %d reversals, reference %d", c->id, hit.n_reversals,
                      c->n_reversals);
        if (hit.n_reversals) near(c->id, "first reversal", hit.reversals[0], c->first_reversal, 1e-9, 1);
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(works_of_every_phase_and_losses_are_those_of_the_reference)
{
    for (int i = 0; i < N_CASES; i++) {
        const reference_case *c = &cases[i];
        pc_impact hit;
        run(c, &hit, is_single_link(c));
        double scale = c->energy0;
        for (int k = 0; k < hit.n_phases - c->wedged; k++) {
            const pc_state *a = &hit.phases[k].start, *b = &hit.phases[k].stop;
            double friction = b->work_f - a->work_f, element = b->work_t - a->work_t;
            near(c->id, "tangential work", element + friction, c->works[k][0], 1e-11, scale);
            near(c->id, "normal work", b->work_n - a->work_n, c->works[k][1], 1e-11, scale);
            near(c->id, "friction work", friction, c->works[k][2], 1e-11, scale);
        }
        near(c->id, "energy before", hit.energy0, c->energy0, 1e-12, 0);
        near(c->id, "friction", hit.work_f, c->work_f, 1e-11, scale);
        if (!c->wedged) near(c->id, "loss", 1 - hit.energy1 / hit.energy0, c->loss_fraction, 1e-11, 1);
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(wedged_pendulums_lock_as_the_reference_says)
{
    int seen = 0;
    for (int i = 0; i < N_CASES; i++) {
        const reference_case *c = &cases[i];
        if (!c->wedged) continue;
        seen++;
        pc_impact hit;
        run(c, &hit, true);
        const pc_phase *last = &hit.phases[hit.n_phases - 1];
        ck_assert(isinf(hit.duration) && isinf(last->stop.t));
        ck_assert(hit.v1[PC_T] == 0 && hit.v1[PC_N] == 0 && hit.energy1 == 0);
        near(c->id, "mean F_n", hit.lock_mean[PC_N], c->lock_mean_n, 1e-12, 1);
        near(c->id, "mean F_t", hit.lock_mean[PC_T], c->lock_mean_t, 1e-12, 1);
        near(c->id, "amplitude of F_n", hit.lock_amplitude[PC_N], c->lock_amplitude_n, 1e-12, 1);
        near(c->id, "frequency", hit.lock_frequency, c->lock_frequency, 1e-11, 0);
        near(c->id, "dissipated", -hit.work_f / hit.energy0, c->dissipated, 1e-11, 0);
        near(c->id, "F_n at arrest", last->start.F[PC_N], c->force_at_arrest, 1e-12, 1);
        near(c->id, "arrest", hit.arrest_time, last->start.t, 0, 0);
        /* the impulse up to arrest stops the contact point: v0 + W p = 0 */
        near(c->id, "W p", c->w_tt * hit.impulse[PC_T] + c->w_tn * hit.impulse[PC_N], -c->v_t, 1e-12, 0);
        near(c->id, "W p", c->w_tn * hit.impulse[PC_T] + c->w_nn * hit.impulse[PC_N], -c->v_n, 1e-12, 0);
        pc_impact_free(&hit);
    }
    ck_assert_int_ge(seen, 4);
}
END_TEST

UNIT_MAIN("linear law: reference", 20, every_case_has_the_phases_times_and_velocities_of_the_reference,
          works_of_every_phase_and_losses_are_those_of_the_reference, wedged_pendulums_lock_as_the_reference_says)
