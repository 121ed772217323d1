/* The dissipative laws against what is known about them in closed form.
 *
 * The integrator holds the error of a step at 1e-12 and an impact takes some tens of steps: 1e-10 for restitutions. */
#include "engine/collide.h"
#include "unit.h"

#include "element_unit.h"
#include "restitution_forms.h"

#include "law/element.h"

static const double CLOSE = 1e-10;

static void near(const char *what, double got, double want, double bound)
{
    ck_assert_msg(fabs(got - want) <= bound, "%s: %.15g, not %.15g; difference %.2e, bound %.1e", what, got, want,
                  got - want, bound);
}

START_TEST(a_clipped_dashpot_gives_more_than_the_unclipped_formula_says)
{
    /* input e of the unclipped formula, and what the clipped contact achieves */
    static const double known[][2] = {{0.2, 0.324863}, {0.3, 0.397140}, {0.5, 0.550283}, {0.7, 0.718201},
                                      {0.8, 0.808099}, {0.9, 0.902026}, {0.98, 0.980081}};
    for (int i = 0; i < 7; i++) {
        double z = pc_tension_ratio(known[i][0]);
        filled clipped = fill("kelvin_voigt", "stiffness", 1e6, "damping_ratio", z, "friction", 0.3, NULL);
        filled open = fill("kelvin_voigt", "stiffness", 1e6, "damping_ratio", z, "friction", 0.3, "tension", 1.0, NULL);
        near("clipped", central(&clipped, 0.02, 3), known[i][1], 6e-7);
        near("clipped, closed form", central(&clipped, 0.02, 3), pc_clipped_e(z), CLOSE);
        near("unclipped", central(&open, 0.02, 3), known[i][0], CLOSE);
        near("twins", central(&open, 0.01, 3), known[i][0], CLOSE);
    }
}
END_TEST

START_TEST(restitution_asked_for_is_achieved_where_a_closed_form_exists)
{
    for (double e = 0.1; e < 1.01; e += 0.15) {
        double wanted = fmin(e, 1);
        filled laws[] = {
            fill("hunt_crossley", "stiffness", 1e9, "restitution", wanted, "friction", 0.1, NULL),
            fill("hunt_crossley", "stiffness", 1e7, "exponent", 1.0, "restitution", wanted, "friction", 0.1, NULL),
            fill("hunt_crossley", "stiffness", 1e9, "exponent", 2.2, "restitution", wanted, "friction", 0.1, NULL),
            fill("kelvin_voigt", "stiffness", 1e6, "restitution", wanted, "friction", 0.1, NULL),
            fill("walton_braun", "stiffness", 1e6, "restitution", wanted, "friction", 0.1, NULL),
            fill("tsuji", "modulus", 7e10, "radius", 0.01, "restitution", wanted, "friction", 0.1, NULL),
        };
        for (int i = 0; i < 6; i++)
            for (double speed = 0.01; speed < 20; speed *= 30)
                near(laws[i].law->schema->name, central(&laws[i], 0.03, speed), wanted, CLOSE);
    }
}
END_TEST

START_TEST(lankarani_and_nikraveshs_restitution_follows_from_hunt_and_crossleys)
{
    for (double e = 0.3; e < 1; e += 0.2) {
        filled law = fill("lankarani_nikravesh", "stiffness", 1e9, "restitution", e, "friction", 0.0, NULL);
        double got = central(&law, 0.03, 2);
        near("achieved", got, hunt_crossley_e(0.75 * (1 - e * e)), CLOSE);
        ck_assert_double_gt(got, e);
    }
}
END_TEST

START_TEST(closed_forms_and_their_inverses_agree)
{
    for (double e = 0.05; e < 1; e += 0.05) {
        near("hunt_crossley", hunt_crossley_e(pc_hunt_crossley_a(e)), e, 1e-13);
        near("clipped", pc_clipped_e(pc_clipped_ratio(e)), e, 1e-14);
        near("tension", tension_e(pc_tension_ratio(e)), e, 1e-14);
    }
    near("critical damping", pc_clipped_e(1), exp(-2), 1e-16);
    /* both branches meet there; the formula loses the square root of rounding */
    near("just below", pc_clipped_e(1 - 1e-9), exp(-2), 1e-7);
    near("just above", pc_clipped_e(1 + 1e-9), exp(-2), 1e-7);
}
END_TEST

START_TEST(a_spent_damper_lets_bodies_glide_apart)
{
    /* speeds of millions times 1/zeta: in the end the bodies part with 1/zeta, which takes millions of the damper's own
     * times; no force is left, and what stuck or slipped goes on as it is */
    const pc_mobility W = {.tt = 3.5, .tn = 0.8, .nn = 1.2, .rank = 2};
    for (double zeta = 1e3; zeta < 2e8; zeta *= 50)
        for (double p = 1; p < 3; p += 0.5) {
            filled law = fill("hunt_crossley", "stiffness", 1e8, "exponent", p, "damping", zeta, "friction", 0.0, NULL);
            near("e", central(&law, 0.03, 2), hunt_crossley_e(2 * zeta), CLOSE);
            filled rough[] = {
                fill("hunt_crossley", "stiffness", 1e8, "exponent", p, "damping", zeta, "friction", 0.4, NULL),
                fill("hunt_crossley", "stiffness", 1e8, "exponent", p, "damping", zeta, "friction", 0.4, "tangential",
                     "spring", "kt", 5e7, NULL),
                fill("hunt_crossley", "stiffness", 1e8, "exponent", p, "damping", zeta, "friction", 0.4, "tangential",
                     "mindlin", "eta", 1.2, NULL),
            };
            for (int i = 0; i < 3; i++) {
                pc_impact hit;
                strike(&rough[i], &W, 0.3, -2, &hit);
                ck_assert_double_le(hit.work_f, 0);
                near("energy", hit.energy1 - hit.energy0, hit.work_n + hit.work_t + hit.work_f, CLOSE);
                /* what is left of the speed is small beside CLOSE times that before */
                near("speed", hit.v1[PC_N], 1 / zeta, CLOSE);
                double at[3] = {0.3 * hit.duration, 0.6 * hit.duration, 0.9 * hit.duration};
                pc_state s[3];
                ck_assert_int_eq(pc_law_trace(rough[i].law, &rough[i].params, &W, &hit, at, 3, s, NULL), PC_OK);
                for (int j = 0; j < 3; j++)
                    near("depth", s[j].u[PC_N] / (hit.v1[PC_N] * hit.duration), 1 - 0.3 * (j + 1), 1e-3);
                pc_impact_free(&hit);
            }
        }
}
END_TEST

START_TEST(thorntons_restitution_is_his_formula)
{
    double E = 7e10, R = 0.01, py = 1e9, m = 0.01;
    /* speed of yield: the elastic energy at u_y is m V^2/2 */
    double uy = R * pow(M_PI * py / (2 * E), 2), K = 4.0 / 3 * E * sqrt(R);
    double Vy = sqrt(2.0 / m * 0.4 * K * pow(uy, 2.5));
    filled law = fill("thornton", "modulus", E, "radius", R, "yield", py, "friction", 0.0, NULL);
    for (double x = 0.02; x < 1.3; x += 0.11) near("e", central(&law, m, Vy / x), thornton_e(x), 1e-9);
}
END_TEST

START_TEST(walton_and_brauns_contact_leaves_a_residual)
{
    filled law = fill("walton_braun", "stiffness", 1e6, "unloading", 4e6, "friction", 0.0, NULL);
    pc_mobility W = {.nn = 50, .rank = 1};
    pc_impact hit;
    strike(&law, &W, 0, -1, &hit);
    /* u_max = v sqrt(m/k1), residual u_max (1 - k1/k2) */
    double most = sqrt(1 / 50.0 / 1e6);
    near("residual", hit.phases[0].stop.u[PC_N], most * 0.75, 1e-11 * most);
    near("energy", hit.energy1 / hit.energy0, 0.25, CLOSE);
    pc_impact_free(&hit);
}
END_TEST

START_TEST(friction_in_gross_slip_follows_from_the_normal_impulse)
{
    /* whatever the normal law, as long as it does not stick at the start, as a dashpot's jump with a spring would:
       v_t' = v_t - mu w_tt p_n, p_n = (1 + e) |v_n|/w_nn */
    const pc_mobility W = {.tt = 3.5, .nn = 1, .rank = 2};
    filled laws[] = {
        fill("hunt_crossley", "stiffness", 1.0, "restitution", 0.6, "friction", 0.1, NULL),
        fill("hunt_crossley", "stiffness", 1.0, "restitution", 0.6, "friction", 0.1, "tangential", "spring",
             "tangential_stiffness", 0.8, NULL),
        fill("kelvin_voigt", "stiffness", 1.0, "restitution", 0.6, "friction", 0.1, "tangential", "rigid", NULL),
        fill("tsuji", "modulus", 1.0, "radius", 1.0, "restitution", 0.6, "friction", 0.1, NULL),
        fill("walton_braun", "stiffness", 1.0, "restitution", 0.6, "friction", 0.1, "tangential", "spring",
             "tangential_stiffness", 0.8, NULL),
    };
    for (int i = 0; i < 5; i++) {
        pc_impact hit;
        strike(&laws[i], &W, 5, -1, &hit);
        near(laws[i].law->schema->name, hit.v1[PC_N], 0.6, CLOSE);
        near(laws[i].law->schema->name, hit.v1[PC_T], 5 - 0.1 * 3.5 * 1.6, CLOSE);
        pc_impact_free(&hit);
    }
}
END_TEST

START_TEST(forces_are_finite_and_vanish_with_the_indentation)
{
    filled laws[] = {
        fill("coupled", "modulus", 1.0, "radius", 1.0, "poisson", 0.3, "friction", 0.3, NULL),
        fill("hertz_mindlin", "modulus", 1.0, "radius", 1.0, "poisson", 0.3, "friction", 0.3, NULL),
        fill("hunt_crossley", "stiffness", 1.0, "damping", 0.3, "friction", 0.3, NULL),
        fill("lankarani_nikravesh", "stiffness", 1.0, "restitution", 0.5, "friction", 0.3, NULL),
        fill("tsuji", "modulus", 1.0, "radius", 1.0, "damping", 0.3, "friction", 0.3, NULL),
        fill("walton_braun", "stiffness", 1.0, "restitution", 0.5, "friction", 0.3, NULL),
        fill("thornton", "modulus", 1.0, "radius", 1.0, "yield", 0.1, "friction", 0.3, NULL),
    };
    for (int i = 0; i < 7; i++) {
        const pc_element *element = laws[i].law->element;
        pc_scales scales = {1, 1, element->length(&laws[i].params, 1, 1)};
        pc_prepared p = {0};
        element->prepare(&laws[i].params, &scales, 1, 1, &p);
        const double depth[] = {1e-20, 1e-300, 0};
        for (int k = 0; k < 3; k++) {
            pc_indent x = {.u = depth[k], .y = pow(depth[k], 1.0 / p.root), .w = 1};
            pc_normal n;
            element->normal(&p, &x, &n);
            ck_assert_msg(isfinite(n.F) && fabs(n.F) <= 2e-5 && (k < 2 || n.F == 0), "%s: F(%g) = %g",
                          laws[i].law->schema->name, depth[k], n.F);
        }
    }
}
END_TEST

/* The work of the force at rest from where unloading ends: what the element says it has stored. Simpson's rule in the
 * root of the distance, in which the forces are smooth. */
START_TEST(stored_energy_is_the_work_of_unloading)
{
    filled laws[] = {
        fill("linear", "stiffness", 1.0, "stiffness_ratio", 1.0, "friction", 0.3, "restitution", 0.6, NULL),
        fill("linear", "stiffness", 1.0, "stiffness_ratio", 1.0, "friction", 0.3, NULL),
        fill("coupled", "modulus", 1.0, "radius", 1.0, "poisson", 0.3, "friction", 0.3, NULL),
        fill("hertz_mindlin", "modulus", 1.0, "radius", 1.0, "poisson", 0.3, "friction", 0.3, NULL),
        fill("hunt_crossley", "stiffness", 1.0, "damping", 0.3, "friction", 0.3, NULL),
        fill("hunt_crossley", "stiffness", 1.0, "exponent", 1.0, "damping", 0.3, "friction", 0.3, NULL),
        fill("lankarani_nikravesh", "stiffness", 1.0, "restitution", 0.5, "friction", 0.3, NULL),
        fill("tsuji", "modulus", 1.0, "radius", 1.0, "damping", 0.3, "friction", 0.3, NULL),
        fill("kelvin_voigt", "stiffness", 1.0, "damping", 0.3, "friction", 0.3, NULL),
        fill("walton_braun", "stiffness", 1.0, "restitution", 0.5, "friction", 0.3, NULL),
        fill("thornton", "modulus", 1.0, "radius", 1.0, "yield", 0.1, "friction", 0.3, NULL),
    };
    enum { INTERVALS = 400 };
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        const pc_element *element = laws[i].law->element;
        pc_prepared p = {0};
        element->prepare(&laws[i].params, &(pc_scales){1, 1, 1}, 1, 1, &p);
        const double most = 0.7;
        for (double u = 0.7; u > 0.6; u -= 0.03) {
            /* a plastic one from its unloading branch; where that ends, by bisection */
            double low = 0, high = u, sum = 0;
            for (int k = 0; k < 60 && p.plastic; k++) {
                double middle = (low + high) / 2;
                pc_normal n;
                element->normal(&p, &(pc_indent){pow(middle, 1.0 / p.root), middle, 0, p.plastic, most, false, NULL},
                                &n);
                *(n.release > 0 ? &high : &low) = middle;
            }
            for (int k = 0; k <= INTERVALS; k++) {
                double s = (double)k / INTERVALS, at = low + (u - low) * s * s, weight = k % 2 ? 4 : 2;
                pc_normal n;
                if (k == 0 || k == INTERVALS) weight = 1;
                element->normal(&p, &(pc_indent){pow(at, 1.0 / p.root), at, 0, p.plastic, most, false, NULL}, &n);
                sum += weight * n.F * 2 * s * (u - low) / (3 * INTERVALS);
            }
            double stored = element->stored(&p, &(pc_indent){pow(u, 1.0 / p.root), u, 0, p.plastic, most, false, NULL});
            ck_assert_msg(fabs(stored - sum) <= 1e-9 * stored, "%s: %.12g, not %.12g", laws[i].law->schema->name,
                          stored, sum);
        }
        /* while it is loaded, as after a turn there */
        double loading = element->stored(&p, &(pc_indent){pow(most, 1.0 / p.root), most, 0, 0, 0, false, NULL});
        double turned =
            element->stored(&p, &(pc_indent){pow(most, 1.0 / p.root), most, 0, p.plastic, most, false, NULL});
        ck_assert_double_eq_tol(loading, turned, 1e-14);
    }
}
END_TEST

START_TEST(each_tangential_element_takes_its_own_constant_and_no_other)
{
    const pc_law *law = fill("walton_braun", "stiffness", 1.0, "restitution", 0.5, "friction", 0.3, NULL).law;
    static const struct {
        const char *kind, *constant;
    } wrong[] = {{"spring", NULL}, {"mindlin", NULL}, {"rigid", "kt"}, {"spring", "eta"}, {"mindlin", "kt"}};
    for (int i = 0; i < 5; i++) {
        filled f = {0};
        uint64_t given = 0;
        pc_error err = {0};
        pc_schema_defaults(law->schema, &f.params);
        const char *names[] = {"stiffness", "restitution", "friction", wrong[i].constant};
        for (int k = 0; k < 4 && names[k]; k++)
            pc_schema_set_number(law->schema, pc_schema_find(law->schema, names[k]), &f.params, 0.5, &given, NULL);
        pc_schema_set_word(law->schema, pc_schema_find(law->schema, "tangential"), &f.params, wrong[i].kind, &given,
                           NULL);
        ck_assert_int_eq(pc_schema_finish(law->schema, &f.params, given, &err), PC_E_ARGUMENT);
    }
}
END_TEST

UNIT_MAIN("loss", 120, a_clipped_dashpot_gives_more_than_the_unclipped_formula_says,
          restitution_asked_for_is_achieved_where_a_closed_form_exists,
          lankarani_and_nikraveshs_restitution_follows_from_hunt_and_crossleys, closed_forms_and_their_inverses_agree,
          a_spent_damper_lets_bodies_glide_apart, thorntons_restitution_is_his_formula,
          walton_and_brauns_contact_leaves_a_residual, friction_in_gross_slip_follows_from_the_normal_impulse,
          forces_are_finite_and_vanish_with_the_indentation, stored_energy_is_the_work_of_unloading,
          each_tangential_element_takes_its_own_constant_and_no_other)
