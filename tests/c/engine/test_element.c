/* Impacts of elements against closed forms: the linear law, which is solved in another way altogether, chains of
 * spheres, and itself with several contacts. */
#include "engine/collide.h"
#include "unit.h"

#include "element_unit.h"

#include "engine/element_impact.h"
#include "law/linear/linear.h"
#include "law/series.h"
#include "rng.h"

#include <stdio.h>

static void near(const char *what, int i, double got, double want, double bound)
{
    ck_assert_msg(fabs(got - want) <= bound, "case %d, %s: %.15g, not %.15g; difference %.2e, bound %.1e", i, what, got,
                  want, got - want, bound);
}

typedef struct pair {
    pc_mobility W;
    double v_t, v_n, k, eta, mu, e;
} pair;

static pair random_pair(pc_rng *rng)
{
    pair p = {.k = pow(10, pc_rng_between(rng, -1, 1)),
              .eta = pc_rng_between(rng, 0.3, 4),
              .mu = pc_rng_between(rng, 0.02, 1.5)};
    double w = pc_rng_between(rng, 0.2, 5), a = pc_rng_between(rng, 0.3, 4), c = pc_rng_between(rng, -0.9, 0.9);
    p.W = (pc_mobility){.tt = a * w, .tn = c * w * sqrt(a), .nn = w, .rank = 2};
    p.v_t = pc_rng_between(rng, -3, 3);
    p.v_n = -pc_rng_between(rng, 0.1, 3);
    p.e = pc_rng_uniform(rng) < 0.5 ? 1 : pc_rng_between(rng, 0.4, 1);
    return p;
}

/* The same impact by the closed form and by its element. */
static void both(const pair *p, pc_impact *closed, pc_impact *driven, filled *element)
{
    filled linear =
        fill("linear", "stiffness", p->k, "stiffness_ratio", p->eta, "friction", p->mu, "restitution", p->e, NULL);
    *element = p->e == 1 ? fill("kelvin_voigt", "stiffness", p->k, "damping", 0.0, "friction", p->mu, "tangential",
                                "spring", "tangential_stiffness", p->k / p->eta, NULL)
                         : fill("walton_braun", "stiffness", p->k, "restitution", p->e, "friction", p->mu, "tangential",
                                "spring", "tangential_stiffness", p->k / p->eta, NULL);
    strike(&linear, &p->W, p->v_t, p->v_n, closed);
    strike(element, &p->W, p->v_t, p->v_n, driven);
    /* its own element is the same pair of springs */
    pc_impact own;
    pc_error err = {0};
    pc_impact_init(&own);
    double v0[3] = {p->v_t, p->v_n, 0};
    ck_assert(pc_element_impact(linear.law->element, &linear.params, &p->W, v0, (pc_asked){0}, &own, &err) == PC_OK);
    for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(own.v1[i], driven->v1[i], 1e-10 * fabs(p->v_n));
    pc_impact_free(&own);
}

/* Impacts near a threshold between two orders of phases amplify the integrator's 1e-12; 1e-9 holds for all but such
 * near misses, and these are still the same impact. */
START_TEST(the_linear_law_as_an_element_is_its_closed_form)
{
    pc_rng rng;
    pc_rng_seed(&rng, 7);
    for (int i = 0; i < 400; i++) {
        pair p = random_pair(&rng);
        pc_impact a, b;
        filled element;
        both(&p, &a, &b, &element);
        double v = fabs(p.v_n) + fabs(p.v_t), m = 1 / p.W.nn, bound = 1e-9 * v;
        near("v_t", i, b.v1[PC_T], a.v1[PC_T], bound);
        near("v_n", i, b.v1[PC_N], a.v1[PC_N], bound);
        near("p_n", i, b.impulse[PC_N], a.impulse[PC_N], bound * m);
        near("duration", i, b.duration, a.duration, 1e-9 * a.duration);
        near("compression", i, b.compression_time, a.compression_time, 1e-9 * a.duration);
        near("peak n", i, b.peak[PC_N], a.peak[PC_N], 1e-9 * a.peak[PC_N]);
        near("peak t", i, b.peak[PC_T], a.peak[PC_T], 1e-8 * a.peak[PC_N]);
        near("friction", i, b.work_f, a.work_f, 1e-9 * a.energy0);
        near("normal", i, b.work_n_compression, a.work_n_compression, 1e-9 * a.energy0);
        near("impulse t of compression", i, b.impulse_compression[PC_T], a.impulse_compression[PC_T], bound * m);
        ck_assert_msg(a.n_phases == b.n_phases, "case %d: %d phases, not %d", i, b.n_phases, a.n_phases);
        ck_assert_msg(a.n_reversals == b.n_reversals, "case %d: %d reversals, not %d", i, b.n_reversals, a.n_reversals);
        ck_assert_msg(a.flags == b.flags, "case %d: flags %x, not %x", i, b.flags, a.flags);
        for (int k = 0; k < a.n_phases; k++) {
            ck_assert_int_eq(a.phases[k].kind, b.phases[k].kind);
            ck_assert_int_eq(a.phases[k].sign, b.phases[k].sign);
            /* stick ends with zero slope where slip ended: the square root of the error */
            near("phase", i, b.phases[k].stop.t, a.phases[k].stop.t, 1e-6 * a.duration);
        }
        pc_impact_free(&a);
        pc_impact_free(&b);
    }
}
END_TEST

START_TEST(traces_agree_with_the_closed_form)
{
    pc_rng rng;
    pc_rng_seed(&rng, 11);
    for (int i = 0; i < 40; i++) {
        pair p = random_pair(&rng);
        pc_impact a, b;
        filled element;
        both(&p, &a, &b, &element);
        filled linear =
            fill("linear", "stiffness", p.k, "stiffness_ratio", p.eta, "friction", p.mu, "restitution", p.e, NULL);
        double times[33];
        pc_state x[33], y[33];
        /* not the very end: in the last 1e-9 of the contact the closed form's force stands still */
        for (int k = 0; k < 33; k++) times[k] = fmin(a.duration, b.duration) * (1 - 1e-7) * k / 32;
        ck_assert_int_eq(pc_law_trace(linear.law, &linear.params, &p.W, &a, times, 33, x, NULL), PC_OK);
        ck_assert_int_eq(pc_law_trace(element.law, &element.params, &p.W, &b, times, 33, y, NULL), PC_OK);
        double v = fabs(p.v_n) + fabs(p.v_t), F = a.peak[PC_N], U = F / p.k;
        for (int k = 0; k < 33; k++) {
            for (int c = 0; c < 2; c++) {
                near("trace v", i, y[k].v[c], x[k].v[c], 1e-8 * v);
                near("trace F", i, y[k].F[c], x[k].F[c], 1e-8 * F);
                near("trace u", i, y[k].u[c], x[k].u[c], 1e-8 * U * fmax(1, p.eta));
            }
            near("trace W_f", i, y[k].work_f, x[k].work_f, 1e-8 * a.energy0);
            near("trace W_t", i, y[k].work_t, x[k].work_t, 1e-8 * a.energy0);
        }
        pc_impact_free(&a);
        pc_impact_free(&b);
    }
}
END_TEST

/* Phases that last: where a force that pulls begins, rounding may leave a moment of stick. */
static int lasting(const pc_impact *hit)
{
    int n = 0;
    for (int i = 0; i < hit->n_phases; i++) n += hit->phases[i].stop.t - hit->phases[i].start.t > 1e-7 * hit->duration;
    return n;
}

/* The impact `like` again by integration, as tightly as it goes: near a threshold errors grow a thousandfold. */
static void integrate(const pc_element *element, const void *params, const pc_mobility *W, const pc_impact *like,
                      pc_impact *out)
{
    double w[4] = {W->tt, W->tn, W->tn, W->nn};
    pc_element_contact one = {element, params};
    pc_element_task task = {.k = 1, .contacts = &one, .W = w, .rank = W->rank, .v0 = like->v0, .tolerance = 1e-14};
    pc_element_summary summary;
    pc_error err = {0};
    pc_impact_init(out);
    out->energy0 = like->energy0;
    ck_assert_msg(pc_element_run(&task, &summary, out, NULL, &err) == PC_OK, "%s", err.text);
}

START_TEST(series_and_integration_agree_for_every_tangential_element)
{
    pc_rng rng;
    pc_rng_seed(&rng, 5);
    for (int i = 0; i < 60; i++) {
        pair p = random_pair(&rng);
        double zeta = i % 2 ? pc_rng_between(&rng, 0.05, 0.4) : 0.02;
        filled laws[] = {
            fill("hunt_crossley", "stiffness", p.k, "damping", zeta, "friction", p.mu, NULL),
            fill("hunt_crossley", "stiffness", p.k, "damping", zeta, "friction", p.mu, "tangential", "spring",
                 "tangential_stiffness", p.k / p.eta, NULL),
            fill("hunt_crossley", "stiffness", p.k, "damping", zeta, "friction", p.mu, "tangential", "mindlin",
                 "stiffness_ratio", p.eta, NULL),
            fill("hertz_mindlin", "modulus", p.k, "radius", 1.0, "kappa", p.eta / 1.5, "friction", p.mu, NULL),
            fill("hertz_mindlin", "modulus", p.k, "radius", 1.0, "kappa", p.eta / 1.5, "friction", p.mu, "form",
                 "secant", NULL),
            fill("coupled", "modulus", p.k, "radius", 1.0, "kappa", p.eta / 1.5, "friction", p.mu, NULL),
            fill("hunt_crossley", "stiffness", p.k, "exponent", 2.2, "damping", zeta, "friction", p.mu, "tangential",
                 "spring", "tangential_stiffness", p.k / p.eta, NULL),
            fill("hunt_crossley", "stiffness", p.k, "exponent", 1.25, "damping", zeta, "friction", p.mu, "tangential",
                 "mindlin", "stiffness_ratio", p.eta, NULL),
            fill("tsuji", "modulus", p.k, "radius", 1.0, "damping", zeta, "friction", p.mu, NULL),
            fill("tsuji", "modulus", p.k, "radius", 1.0, "damping", zeta, "friction", p.mu, "tangential", "spring",
                 "tangential_stiffness", p.k / p.eta, NULL),
            fill("tsuji", "modulus", p.k, "radius", 1.0, "damping", zeta, "friction", p.mu, "tangential", "mindlin",
                 "stiffness_ratio", p.eta, NULL),
            fill("kelvin_voigt", "stiffness", p.k, "damping_ratio", zeta, "friction", p.mu, "tangential", "mindlin",
                 "stiffness_ratio", p.eta, NULL),
            fill("kelvin_voigt", "stiffness", p.k, "damping_ratio", zeta, "friction", p.mu, "tension", 1.0,
                 "tangential", "spring", "tangential_stiffness", p.k / p.eta, NULL),
            fill("walton_braun", "stiffness", p.k, "restitution", 1 - zeta, "friction", p.mu, "tangential", "mindlin",
                 "stiffness_ratio", p.eta, NULL),
            fill("thornton", "modulus", p.k, "radius", 1.0, "yield", p.k * zeta, "friction", p.mu, NULL),
            fill("thornton", "modulus", p.k, "radius", 1.0, "yield", p.k * zeta, "friction", p.mu, "tangential",
                 "mindlin", "stiffness_ratio", p.eta, NULL),
        };
        for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
            pc_impact a, b;
            strike(&laws[k], &p.W, p.v_t, p.v_n, &a);
            pc_element integrated = *laws[k].law->element;
            ck_assert(integrated.shape != NULL);
            integrated.shape = NULL;
            integrate(&integrated, &laws[k].params, &p.W, &a, &b);
            double v = fabs(p.v_n) + fabs(p.v_t);
            int id = 100 * i + (int)k;
            near("v_t", id, a.v1[PC_T], b.v1[PC_T], 1e-9 * v);
            near("v_n", id, a.v1[PC_N], b.v1[PC_N], 1e-9 * v);
            near("duration", id, a.duration, b.duration, 1e-9 * b.duration);
            near("friction", id, a.work_f, b.work_f, 1e-9 * b.energy0);
            near("normal", id, a.work_n, b.work_n, 1e-9 * b.energy0);
            near("stretch", id, a.phases[a.n_phases - 1].stop.u[PC_T], b.phases[b.n_phases - 1].stop.u[PC_T],
                 1e-8 * v * b.duration);
            ck_assert_msg(lasting(&a) == lasting(&b), "case %d: %d and %d phases", id, lasting(&a), lasting(&b));
            pc_impact_free(&a);
            pc_impact_free(&b);
        }
    }
}
END_TEST

START_TEST(a_shape_is_the_normal_force_of_its_element)
{
    pc_rng rng;
    pc_rng_seed(&rng, 13);
    filled laws[] = {
        fill("coupled", "modulus", 2.0, "radius", 1.0, "kappa", 0.8, "friction", 0.3, NULL),
        fill("hertz_mindlin", "modulus", 2.0, "radius", 1.0, "kappa", 0.8, "friction", 0.3, NULL),
        fill("hunt_crossley", "stiffness", 2.0, "exponent", 1.75, "damping", 0.3, "friction", 0.3, NULL),
        fill("hunt_crossley", "stiffness", 2.0, "exponent", 1.0, "damping", 0.3, "friction", 0.3, NULL),
        fill("lankarani_nikravesh", "stiffness", 2.0, "restitution", 0.6, "friction", 0.3, NULL),
        fill("tsuji", "modulus", 2.0, "radius", 1.0, "damping", 0.3, "friction", 0.3, NULL),
        fill("kelvin_voigt", "stiffness", 2.0, "damping", 0.3, "friction", 0.3, NULL),
        fill("walton_braun", "stiffness", 2.0, "restitution", 0.6, "friction", 0.3, NULL),
        fill("thornton", "modulus", 2.0, "radius", 1.0, "yield", 0.4, "friction", 0.3, NULL),
    };
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        const pc_element *element = laws[l].law->element;
        pc_scales scales = {1, 1, element->length(&laws[l].params, 1, 1)};
        pc_prepared p = {0};
        element->prepare(&laws[l].params, &scales, 1, 1, &p);
        ck_assert(p.has_shape);
        for (int i = 0; i < 200; i++) {
            pc_indent x = {.u = pc_rng_between(&rng, 0.05, 2), .w = pc_rng_between(&rng, -0.5, 0.5)};
            x.branch = p.plastic && i % 2;
            x.memory = x.u * pc_rng_between(&rng, 1, 1.05);
            x.y = pow(x.u, 1.0 / p.root);
            pc_normal want, got;
            pc_force shape;
            element->normal(&p, &x, &want);
            element->shape(&p, &x, false, &shape);
            if (x.u > shape.kink) element->shape(&p, &x, true, &shape);
            pc_force_normal(&shape, p.root, pow(x.u - shape.offset, 1.0 / p.root), x.u, x.w, &got);
            int id = 1000 * (int)l + i;
            /* beyond the residual indentation the root of a difference is taken */
            near("F", id, got.F, want.F, 1e-12);
            near("dF/du", id, got.dFdu, want.dFdu, 1e-12 * fmax(1, fabs(want.dFdu)));
            near("dF/dw", id, got.dFdw, want.dFdw, 1e-13);
            near("k", id, got.k, want.k, 1e-12 * want.k);
            near("dk", id, got.dk, want.dk, 1e-11 * fabs(want.dk) + 1e-12);
            near("ddk", id, got.ddk, want.ddk, 1e-10 * fabs(want.ddk) + 1e-12);
        }
    }
}
END_TEST

START_TEST(contacts_that_do_not_couple_are_impacts_of_their_own)
{
    pc_rng rng;
    pc_rng_seed(&rng, 3);
    for (int i = 0; i < 40; i++) {
        pair p = random_pair(&rng), q = random_pair(&rng);
        filled one = fill("coupled", "modulus", 1.0, "radius", 1.0, "poisson", 0.3, "friction", 0.4, NULL);
        filled two = fill("hunt_crossley", "stiffness", 0.7, "damping", 0.2, "friction", 0.3, "tangential", "spring",
                          "tangential_stiffness", 0.8, NULL);
        pc_impact a, b;
        strike(&one, &p.W, p.v_t, p.v_n, &a);
        strike(&two, &q.W, q.v_t, q.v_n, &b);
        double W[16] = {p.W.tt, p.W.tn, 0, 0, p.W.tn, p.W.nn, 0, 0, 0, 0, q.W.tt, q.W.tn, 0, 0, q.W.tn, q.W.nn};
        double v0[4] = {p.v_t, p.v_n, q.v_t, q.v_n}, duration;
        pc_element_contact contacts[2] = {{one.law->element, &one.params}, {two.law->element, &two.params}};
        pc_element_task task = {.k = 2, .contacts = contacts, .W = W, .v0 = v0, .tolerance = 1e-13};
        pc_element_summary s[2];
        pc_error err = {0};
        ck_assert_msg(pc_element_run(&task, s, NULL, &duration, &err) == PC_OK, "%s", err.text);
        const pc_impact *alone[2] = {&a, &b};
        for (int k = 0; k < 2; k++) {
            double v = fabs(alone[k]->v0[0]) + fabs(alone[k]->v0[1]);
            near("v_t", i, s[k].v[PC_T], alone[k]->v1[PC_T], 1e-8 * v);
            near("v_n", i, s[k].v[PC_N], alone[k]->v1[PC_N], 1e-8 * v);
            near("work of friction", i, s[k].work_f, alone[k]->work_f, 1e-8 * alone[k]->energy0);
            near("stop", i, s[k].stop, alone[k]->duration, 1e-7 * alone[k]->duration);
            near("peak", i, s[k].peak[PC_N], alone[k]->peak[PC_N], 1e-8 * alone[k]->peak[PC_N]);
            pc_impact_free((pc_impact *)alone[k]);
        }
    }
}
END_TEST

enum { MOST = 10 };

/* Velocities of n equal spheres after the first one has struck at 1 m/s. */
static void row(int n, double stiffness, double exponent, double *u)
{
    filled law =
        fill("hunt_crossley", "stiffness", stiffness, "exponent", exponent, "damping", 0.0, "friction", 0.0, NULL);
    enum { SIDE = 2 * (MOST - 1) };
    double W[SIDE * SIDE] = {0}, v0[SIDE] = {0};
    pc_element_contact contacts[MOST - 1];
    pc_element_summary s[MOST - 1];
    int k = n - 1, side = 2 * k;
    for (int i = 0; i < k; i++) {
        contacts[i] = (pc_element_contact){law.law->element, &law.params};
        W[(2 * i + 1) * side + 2 * i + 1] = 2;
        if (i > 0) W[(2 * i + 1) * side + 2 * i - 1] = -1;
        if (i + 1 < k) W[(2 * i + 1) * side + 2 * i + 3] = -1;
    }
    v0[1] = -1;
    pc_element_task task = {.k = k, .contacts = contacts, .W = W, .v0 = v0, .tolerance = 1e-14};
    pc_error err = {0};
    ck_assert_msg(pc_element_run(&task, s, NULL, NULL, &err) == PC_OK, "%s", err.text);
    for (int i = 0; i < n; i++) u[i] = (i == 0 ? 1 : 0) + (i > 0 ? s[i - 1].p[PC_N] : 0) - (i < k ? s[i].p[PC_N] : 0);
}

START_TEST(chains_of_hertz_spheres_end_with_the_checked_velocities)
{
    FILE *file = fopen("tests/reference/hertz_chain_final_velocities.csv", "r");
    ck_assert_ptr_nonnull(file);
    char source[32], line[128];
    int n, ball, checked = 0;
    double want, u[MOST];
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%31[^,],%d,%d,%lf", source, &n, &ball, &want) != 4 || strcmp(source, "RK4") != 0) continue;
        if (ball == 1) row(n, 1e9, 1.5, u);
        near("velocity", n, u[ball - 1], want, 1e-9);
        checked++;
    }
    fclose(file);
    ck_assert_int_eq(checked, 24);
}
END_TEST

START_TEST(a_chain_does_not_depend_on_stiffness)
{
    double a[5], b[5];
    row(5, 1, 1.5, a);
    row(5, 3.7e11, 1.5, b);
    for (int i = 0; i < 5; i++) near("velocity", i, b[i], a[i], 1e-10);
}
END_TEST

/* A light link of length 1 points `angle` from the normal: its end moves along one line, v = (cos, sin) rate. Sliding
 * takes the share mu/(mu + T) of its energy up to rest, T = tan(angle): the forces do work F_t v_t + F_n v_n, with
 * F_t = mu F_n and v_n = T v_t. There friction holds it, in the balance of moments, if mu >= T. */
START_TEST(with_one_degree_of_freedom_what_rigid_friction_holds_rests_for_good)
{
    const double mu = 2.67;
    filled laws[] = {
        fill("hunt_crossley", "stiffness", 1.0, "damping", 0.2, "friction", mu, NULL),
        fill("kelvin_voigt", "stiffness", 1.0, "damping", 30.0, "friction", mu, "tangential", "rigid", NULL),
        fill("lankarani_nikravesh", "stiffness", 1.0, "restitution", 0.5, "friction", mu, NULL),
        fill("tsuji", "modulus", 1.0, "radius", 1.0, "restitution", 0.6, "friction", mu, NULL),
        fill("walton_braun", "stiffness", 1.0, "restitution", 0.5, "friction", mu, NULL),
    };
    for (int k = 0; k < 5; k++)
        for (int i = 1; i < 60; i++) {
            double angle = 0.02 * i, c = cos(angle), d = sin(angle), share = mu / (mu + d / c);
            const pc_mobility W = {.tt = c * c, .tn = c * d, .nn = d * d, .rank = 1};
            pc_impact hit;
            strike(&laws[k], &W, -c, -d, &hit);
            const char *name = laws[k].law->schema->name;
            ck_assert_msg(hit.outcome == PC_OUTCOME_WEDGED && hit.n_phases == 2, "%s, %d", name, i);
            near(name, i, hit.work_f / hit.energy0, -share, 1e-10);
            near(name, i, hit.impulse[PC_T], mu * hit.impulse[PC_N], 1e-10 * hit.impulse[PC_N]);
            near(name, i, hit.compression_time, hit.arrest_time, 1e-9 * hit.arrest_time);
            const pc_state *rest = &hit.phases[1].start;
            near(name, i, c * rest->F[PC_T] + d * rest->F[PC_N], 0, 1e-10 * hit.peak[PC_N]);
            ck_assert(hit.energy1 == 0 && !(hit.flags & PC_FLAG_RECOMPRESSION));
            pc_impact_free(&hit);
        }
}
END_TEST

/* A pendulum of one link, whose W has rank 1, wedges on two springs: the closed form and the element that is followed
 * come to rest at the same time and go on in the same vibration. A trace of the element is followed through it. */
START_TEST(a_wedged_element_vibrates_as_its_closed_form_does)
{
    const double angle = 0.15, c = cos(angle), s = sin(angle);
    filled linear = fill("linear", "stiffness", 1e5, "stiffness_ratio", 1.21, "friction", 0.6, NULL);
    const pc_mobility W = {.tt = 3 * c * c, .tn = -3 * c * s, .nn = 3 * s * s, .rank = 1};
    const double v0[3] = {c, -s, 0};
    pc_impact closed, own;
    pc_error err = {0};
    pc_impact_init(&closed);
    pc_impact_init(&own);
    ck_assert(pc_law_impact(linear.law, &linear.params, &W, v0, &closed, &err) == PC_OK);
    ck_assert(pc_element_impact(linear.law->element, &linear.params, &W, v0, (pc_asked){0}, &own, &err) == PC_OK);
    ck_assert(closed.outcome == PC_OUTCOME_WEDGED && own.outcome == PC_OUTCOME_WEDGED);
    /* times and forces follow from zeros on steps with errors of 1e-12 */
    const double bound = 1e-9;
    ck_assert_double_eq_tol(own.arrest_time, closed.arrest_time, bound * closed.arrest_time);
    ck_assert_double_eq_tol(own.lock_frequency, closed.lock_frequency, bound * closed.lock_frequency);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(own.lock_mean[i], closed.lock_mean[i], bound * closed.peak[PC_N]);
        ck_assert_double_eq_tol(own.lock_amplitude[i], closed.lock_amplitude[i], bound * closed.peak[PC_N]);
        double shares = own.impulse_compression[i] + own.impulse_restitution[i];
        ck_assert_double_eq_tol(own.impulse[i], closed.impulse[i], bound * closed.impulse[PC_N]);
        ck_assert_double_eq_tol(shares, own.impulse[i], bound * closed.impulse[PC_N]);
    }
    double times[8], half = M_PI / closed.lock_frequency;
    pc_state x[8], y[8];
    for (int i = 0; i < 8; i++) times[i] = closed.arrest_time + 1.3 * half * i;
    ck_assert(pc_law_trace(linear.law, &linear.params, &W, &closed, times, 8, x, &err) == PC_OK);
    pc_impact_free(&own);
    pc_asked asked = {8, times, y};
    ck_assert(pc_element_impact(linear.law->element, &linear.params, &W, v0, asked, &own, &err) == PC_OK);
    for (int i = 0; i < 8; i++) ck_assert_double_eq_tol(y[i].F[PC_N], x[i].F[PC_N], 10 * bound * closed.peak[PC_N]);
    pc_impact_free(&closed);
    pc_impact_free(&own);
}
END_TEST

UNIT_MAIN("element", 120, the_linear_law_as_an_element_is_its_closed_form, traces_agree_with_the_closed_form,
          series_and_integration_agree_for_every_tangential_element, a_shape_is_the_normal_force_of_its_element,
          contacts_that_do_not_couple_are_impacts_of_their_own, chains_of_hertz_spheres_end_with_the_checked_velocities,
          a_chain_does_not_depend_on_stiffness, with_one_degree_of_freedom_what_rigid_friction_holds_rests_for_good,
          a_wedged_element_vibrates_as_its_closed_form_does)
