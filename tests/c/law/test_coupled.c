/* The coupled Hertz law, and the secant form of Hertz and Mindlin, against the checked values for Lai (1999).
 *
 * The references carry 13 digits and two independent solvers agree on them to 1e-12. The integrator holds the error of
 * a step at 1e-12; over an impact of some 40 steps it adds up to a few of that, and strong jams (k17, k19) and ten
 * reversals (chi10.0) amplify it. Hence 2e-11, in units in which everything is about 1. */
#include "engine/collide.h"
#include "unit.h"

#include "law/hertz.h"
#include "engine/element_impact.h"

#include <math.h>
#include <string.h>

static const double CLOSE = 2e-11;

typedef struct reference_case {
    const char *id;
    bool secant;
    const char *phases; /* '0' stick, '+' and '-' slip */
    double nu, mu, lambda, theta, tan_alpha;
    double switches[4];
    double duration, compression, p_t, p_n, v_t, v_n, depth, peak_n, dissipated, energy_change, work_compression, e;
} reference_case;

static const reference_case cases[] = {
#include "../../reference/lai1999_coupled.inc"
};
enum { N_CASES = sizeof cases / sizeof *cases };

static const pc_law *law_named(const char *name)
{
    for (int i = 0; i < pc_n_laws; i++)
        if (strcmp(pc_laws[i]->schema->name, name) == 0) return pc_laws[i];
    return NULL;
}

static void set(const pc_law *law, void *params, const char *name, double value, uint64_t *given)
{
    pc_error err = {0};
    pc_status status = pc_schema_set_number(law->schema, pc_schema_find(law->schema, name), params, value, given, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
}

/* E* = R = 1 in plane and rigid obstacle, kappa from nu as for equal materials. */
static const pc_law *make(void *params, bool secant, double nu, double mu)
{
    const pc_law *law = law_named(secant ? "contact.hertz_mindlin" : "contact.coupled");
    uint64_t given = 0;
    pc_error err = {0};
    pc_schema_defaults(law->schema, params);
    set(law, params, "modulus", 1, &given);
    set(law, params, "radius", 1, &given);
    set(law, params, "poisson", nu, &given);
    set(law, params, "friction", mu, &given);
    if (secant)
        ck_assert_int_eq(
            pc_schema_set_word(law->schema, pc_schema_find(law->schema, "form"), params, "secant", &given, &err),
            PC_OK);
    ck_assert_msg(pc_schema_finish(law->schema, params, given, &err) == PC_OK, "%s", err.text);
    return law;
}

/* Lai's units: m = v = 1. */
static const pc_law *collide(const reference_case *c, void *params, pc_mobility *W, pc_impact *hit)
{
    double v = hypot(1, c->tan_alpha), twist = 2 * c->theta;
    double v0[3] = {c->tan_alpha / v, -1 / v, 0};
    const pc_law *law = make(params, c->secant, c->nu, c->mu);
    pc_error err = {0};
    *W = (pc_mobility){
        .tt = 1 + c->lambda * cos(twist), .tn = c->lambda * sin(twist), .nn = 1 - c->lambda * cos(twist), .rank = 2};
    ck_assert_msg(pc_law_impact(law, params, W, v0, hit, &err) == PC_OK, "%s: %s", c->id, err.text);
    return law;
}

static void near(const char *id, const char *what, double got, double want)
{
    if (isnan(want)) return;
    double bound = CLOSE * fmax(1, fabs(want));
    ck_assert_msg(fabs(got - want) <= bound, "%s %s: %.15g, reference %.15g, difference %.2e, bound %.1e", id, what,
                  got, want, got - want, bound);
}

typedef union any_params {
    double align;
    unsigned char bytes[256];
} any_params;

START_TEST(impacts_are_those_of_the_reference)
{
    for (int i = 0; i < N_CASES; i++) {
        const reference_case *c = &cases[i];
        any_params params;
        pc_mobility W;
        pc_impact hit;
        collide(c, &params, &W, &hit);
        char phases[16] = "";
        for (int k = 0; k < hit.n_phases && k < 15; k++)
            phases[k] = hit.phases[k].kind == PC_PHASE_STICK ? '0' : hit.phases[k].sign > 0 ? '+' : '-';
        ck_assert_msg(strcmp(phases, c->phases) == 0, "%s: phases %s, reference %s", c->id, phases, c->phases);
        for (int k = 0; k + 1 < hit.n_phases && k < 4; k++) near(c->id, "switch", hit.phases[k].stop.t, c->switches[k]);
        near(c->id, "duration", hit.duration, c->duration);
        near(c->id, "compression", hit.compression_time, c->compression);
        near(c->id, "p_t", hit.impulse[PC_T], c->p_t);
        near(c->id, "p_n", hit.impulse[PC_N], c->p_n);
        near(c->id, "v_t", hit.v1[PC_T], c->v_t);
        near(c->id, "v_n", hit.v1[PC_N], c->v_n);
        near(c->id, "peak", hit.peak[PC_N], c->peak_n);
        near(c->id, "loss", hit.energy1 - hit.energy0, c->energy_change);
        near(c->id, "friction", -hit.work_f, c->dissipated);
        near(c->id, "work of compression", hit.work_n_compression, c->work_compression);
        near(c->id, "e", pc_impact_restitution(&hit).kinematic, c->e);
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(nothing_but_friction_loses_energy)
{
    for (int i = 0; i < N_CASES; i++) {
        any_params params;
        pc_mobility W;
        pc_impact hit;
        if (cases[i].secant) continue;
        collide(&cases[i], &params, &W, &hit);
        double left = (hit.work_n + hit.work_t) / hit.energy0;
        ck_assert_msg(fabs(left) < 1e-11, "%s: %.2e of the energy is neither returned nor friction's", cases[i].id,
                      left);
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(the_secant_form_creates_and_destroys_energy)
{
    double most = 0, least = 0;
    for (int i = 0; i < N_CASES; i++) {
        any_params params;
        pc_mobility W;
        pc_impact hit;
        if (!cases[i].secant) continue;
        collide(&cases[i], &params, &W, &hit);
        most = fmax(most, hit.work_n + hit.work_t);
        least = fmin(least, hit.work_n + hit.work_t);
        pc_impact_free(&hit);
    }
    ck_assert_double_gt(most, 0.01);
    ck_assert_double_lt(least, -1e-3);
}
END_TEST

START_TEST(a_trace_starts_and_ends_where_the_impact_does)
{
    any_params params;
    pc_mobility W;
    pc_impact hit;
    const pc_law *law = collide(&cases[3], &params, &W, &hit);
    double times[41];
    pc_state states[41];
    for (int i = 0; i < 41; i++) times[i] = hit.duration * i / 40;
    ck_assert_int_eq(pc_law_trace(law, &params, &W, &hit, times, 41, states, NULL), PC_OK);
    for (int k = 0; k < 2; k++) {
        ck_assert_double_eq(states[0].v[k], hit.v0[k]);
        ck_assert_double_eq_tol(states[40].v[k], hit.v1[k], 1e-12);
        ck_assert_double_eq_tol(states[40].p[k], hit.impulse[k], 1e-12);
    }
    for (int i = 0; i < 41; i++) {
        const pc_state *s = &states[i];
        double kinetic = pc_mobility_energy(&W, s->v);
        ck_assert_double_eq_tol(kinetic, hit.energy0 + s->work_n + s->work_t + s->work_f, 1e-11);
        ck_assert_double_le(fabs(s->F[PC_T]), 0.5 * s->F[PC_N] + 1e-11);
        /* stored energy of the potential (Lai 5.18; errata) */
        double u = s->u[PC_N], q = s->u[PC_T], nu = 0.3;
        double stored = 8.0 / 15 * pow(u, 2.5) + 2 * (1 - nu) / (2 - nu) * q * q * sqrt(u);
        ck_assert_double_eq_tol(stored, -(s->work_n + s->work_t), 1e-11);
    }
    pc_impact_free(&hit);
}
END_TEST

START_TEST(series_and_integration_agree)
{
    pc_element integrated = pc_coupled_element;
    integrated.shape = NULL;
    ck_assert(pc_coupled_element.shape != NULL);
    for (int i = 0; i < N_CASES; i++) {
        any_params params;
        pc_mobility W;
        pc_impact a, b;
        if (cases[i].secant) continue;
        collide(&cases[i], &params, &W, &a);
        ck_assert_int_eq(pc_element_impact(&integrated, &params, &W, a.v0, (pc_asked){0}, &b, NULL), PC_OK);
        ck_assert_int_eq(a.n_phases, b.n_phases);
        ck_assert_int_eq(a.n_reversals, b.n_reversals);
        for (int k = 0; k < 2; k++) near(cases[i].id, "v", b.v1[k], a.v1[k]);
        near(cases[i].id, "duration", b.duration, a.duration);
        near(cases[i].id, "friction", b.work_f, a.work_f);
        near(cases[i].id, "stretch", b.phases[b.n_phases - 1].stop.u[PC_T], a.phases[a.n_phases - 1].stop.u[PC_T]);
        pc_impact_free(&a);
        pc_impact_free(&b);
    }
}
END_TEST

START_TEST(beyond_kappa_mu_squared_of_one_nothing_slips_and_nothing_is_lost)
{
    any_params params;
    const pc_law *law = make(&params, false, 0.3, 1.2);
    pc_mobility W = {.tt = 1.5, .tn = 0.2, .nn = 0.5, .rank = 2};
    for (double slope = -30; slope < 31; slope += 7.5) {
        pc_impact hit;
        double v0[3] = {slope, -1, 0};
        ck_assert_int_eq(pc_law_impact(law, &params, &W, v0, &hit, NULL), PC_OK);
        ck_assert_int_eq(hit.n_phases, 1);
        ck_assert_double_eq(hit.work_f, 0);
        ck_assert(isinf(hit.peak[PC_N]) && hit.peak_time[PC_N] == hit.duration);
        ck_assert_double_eq_tol(hit.energy1 / hit.energy0, 1, 1e-11);
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(elastic_constants_of_both_surfaces_count)
{
    const pc_law *law = law_named("contact.coupled");
    pc_coupled one, other;
    uint64_t given = 0;
    pc_schema_defaults(law->schema, &one);
    set(law, &one, "young", 7e10, &given);
    set(law, &one, "poisson", 0.3, &given);
    set(law, &one, "counter_young", 7e10, &given);
    set(law, &one, "counter_poisson", 0.3, &given);
    set(law, &one, "radius", 0.05, &given);
    set(law, &one, "counter_radius", -0.2, &given);
    set(law, &one, "friction", 0.1, &given);
    ck_assert_int_eq(pc_schema_finish(law->schema, &one, given, NULL), PC_OK);
    ck_assert_double_eq_tol(one.hertz.modulus, 7e10 / 0.91 / 2, 1);
    ck_assert_double_eq_tol(one.hertz.kappa, 1.7 / 2.1, 1e-15);
    ck_assert_double_eq_tol(pc_hertz_radius(&one.hertz), 1 / (20.0 - 5), 1e-17);
    /* a seat that is too narrow */
    given = 0;
    pc_error err = {0};
    pc_schema_defaults(law->schema, &other);
    set(law, &other, "modulus", 1, &given);
    set(law, &other, "poisson", 0.3, &given);
    set(law, &other, "radius", 0.05, &given);
    set(law, &other, "counter_radius", -0.04, &given);
    set(law, &other, "friction", 0.1, &given);
    ck_assert_int_eq(pc_schema_finish(law->schema, &other, given, &err), PC_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "does not fit"));
}
END_TEST

UNIT_MAIN("coupled", 60, impacts_are_those_of_the_reference, nothing_but_friction_loses_energy,
          the_secant_form_creates_and_destroys_energy, series_and_integration_agree,
          a_trace_starts_and_ends_where_the_impact_does,
          beyond_kappa_mu_squared_of_one_nothing_slips_and_nothing_is_lost, elastic_constants_of_both_surfaces_count)
