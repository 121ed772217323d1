/* The algebraic laws: restitution and a rule for the impulse ratio. */
#include "law/rigid/rigid.h"

#include "law/rigid/impulse_spatial.h"
#include "math/roots.h"

#include <math.h>

/* Normal impulse that goes with a ratio; not positive or not finite where none can reverse v_n. */
static double normal_of_ratio(const pc_mobility *W, const double v0[3], double e, double ratio)
{
    return -(1 + e) * v0[PC_N] / (W->nn + W->tn * ratio);
}

double pc_ratio_after(const pc_mobility *W, const double v0[3], double e, double ratio)
{
    return v0[PC_T] + (W->tn + W->tt * ratio) * normal_of_ratio(W, v0, e, ratio);
}

double pc_ratio_reaching(const pc_mobility *W, const double v0[3], double e, double v_t)
{
    double rebound = (1 + e) * v0[PC_N], missing = v0[PC_T] - v_t;
    double weight = missing * W->tn - rebound * W->tt; /* p_n det W */
    return weight > 0 ? (rebound * W->tn - missing * W->nn) / weight : NAN;
}

void pc_ratio_lossless(const pc_mobility *W, const double v0[3], double e, double bounds[2])
{
    /* p.(v0 + v1) = 0 times (w_nn + w_tn r)/p_n: a r^2 + 2 b r + c = 0 */
    double v_t = v0[PC_T], v_n = v0[PC_N];
    double a = 2 * v_t * W->tn - (1 + e) * v_n * W->tt, b = v_t * W->nn - e * v_n * W->tn;
    double c = (1 - e) * v_n * W->nn;
    double root = sqrt(b * b - a * c); /* a c <= 0 unless friction alone can stop the body */
    double q = b >= 0 ? -(b + root) : root - b;
    double first = q / a, second = q != 0 ? c / q : 0;
    if (!isfinite(first)) first = NAN;
    bounds[0] = fmin(first, second);
    bounds[1] = fmax(first, second);
    if (isnan(first)) bounds[0] = NAN;
}

double pc_ratio_against_departure(const void *params, double e, const pc_mobility *W, const double v0[3])
{
    const pc_rigid *law = params;
    double mu = law->coulomb.friction, r = pc_ratio_reaching(W, v0, e, 0);
    if (fabs(r) <= law->coulomb.static_friction) return r;
    /* v_t+ has the same sign for all ratios short of sticking, which is that of r = 0 */
    return pc_ratio_after(W, v0, e, 0) > 0 ? -mu : mu;
}

pc_status pc_ratio_impact(const pc_schema *schema, pc_ratio_rule *rule, const void *params, const pc_mobility *W,
                          const double v0[3], pc_impact *out, pc_error *err)
{
    pc_mobility plane;
    pc_status status = pc_ratio_plane(schema->name, W, v0, &plane, err);
    if (status) return status;
    if (v0[PC_N] >= 0) {
        for (int i = 0; i < 3; i++) out->v0[i] = out->v1[i] = v0[i];
        out->outcome = PC_OUTCOME_NONE;
        return PC_OK;
    }
    double e;
    status = pc_coefficient_at(params, -v0[PC_N], &e, err);
    if (status) return status;
    double ratio = rule(params, e, &plane, v0), p_n = normal_of_ratio(&plane, v0, e, ratio);
    if (!(p_n > 0 && p_n < INFINITY))
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "%s: no impulse with the ratio p_t/p_n = %.6g can reverse the normal velocity of this body",
                       schema->name, ratio);
    return pc_impulse_direct(&plane, v0, (double[3]){ratio * p_n, p_n, 0}, out, err);
}

pc_status pc_ratio_path(const void *params, const pc_mobility *W, const pc_impact *impact, const double *p_n, size_t n,
                        pc_state *out, pc_error *err)
{
    (void)params, (void)err;
    pc_impulse_path(NULL, W, impact, p_n, n, out);
    return PC_OK;
}

pc_status pc_ratio_plane(const char *law, const pc_mobility *W, const double v0[3], pc_mobility *plane, pc_error *err)
{
    *plane = *W;
    if (W->t2t2 == 0 && v0[PC_T2] == 0) return PC_OK;
    if (v0[PC_T2] == 0 && pc_mobility_planar(W, plane)) return PC_OK;
    return pc_fail(err, PC_E_UNSUPPORTED, "%s is a planar law, but this impact leaves the plane", law);
}

/* ---- hard sphere ---- */

/* The hard-sphere law: restitution along the normal and across it, as it is measured.
 *
 * v_n+ = -e v_n-; where friction can bring that about v_t+ = -beta0 v_t-, else the impulse ratio is at its bound. Of a
 * sphere beta0 = -1 is a smooth contact; 0 is one that sticks, 1 one that gives all of its tangential velocity back.
 *
 * Sources: Walton (1993), in Particulate Two-Phase Flow; Foerster, Louge, Chang and Allia, Phys. Fluids 6 (1994).
 */

typedef struct hard_sphere {
    pc_coefficient restitution;
    double friction, tangential;
} hard_sphere;

static const pc_row hard_sphere_rows[] = {
    PC_RATIO_RESTITUTION_ROW(hard_sphere),
    PC_ROW(hard_sphere, friction, "friction", .symbol = "mu", .greek = "μ", .initial = PC_REQUIRED,
           .allowed = PC_NONNEGATIVE, .sample = {0, 2}, .doc = "coefficient of friction: bound on the impulse ratio"),
    PC_ROW(hard_sphere, tangential, "tangential_restitution", .symbol = "beta0", .greek = "β₀", .initial = PC_REQUIRED,
           .allowed = PC_BETWEEN(-1, 1), .sample = {-1, 1},
           .doc = "beta0 = -v_t+/v_t- of an impact that friction does not bound"),
};

/* v_t+ grows with the ratio, so what lies beyond a bound is nearest to it there. */
static double hard_sphere_ratio(const void *params, double e, const pc_mobility *W, const double v0[3])
{
    const hard_sphere *law = params;
    double r = pc_ratio_reaching(W, v0, e, -law->tangential * v0[PC_T]);
    if (fabs(r) <= law->friction) return r;
    double missing = pc_ratio_after(W, v0, e, 0) + law->tangential * v0[PC_T];
    return missing > 0 ? -law->friction : law->friction;
}

PC_ONE_FRICTION(hard_sphere, friction)

static int hard_sphere_joint_rule(const void *params, double approach, pc_joint_rule *out)
{
    out->kind = PC_JOINT_NEWTON;
    return pc_coefficient_at(&((const hard_sphere *)params)->restitution, approach, &out->e, NULL);
}

PC_RATIO_LAW(
    hard_sphere, hard_sphere, hard_sphere_ratio, PC_LAW_CLOSED_FORM | PC_LAW_MAY_GAIN, friction, hard_sphere_joint_rule,
    .summary = "Hard spheres known by three measured coefficients: restitution along, restitution across, friction.",
    .details = "What experiments on oblique impacts of spheres are reported in. Some papers write beta0 with the other "
               "sign. Of bodies whose W couples normal and tangent it may create energy; the result says so "
               "(flags.gained_energy). Works and partial impulses are those of the straight line in the impulse plane.",
    .equations = "v_n' = -e v_n: afterwards\n"
                 "v_t' = -beta0 v_t: if friction can bring that about\n"
                 "p_t = -mu s p_n: if it can not, s being the direction of slip before",
    .source = "Walton (1993); Foerster, Louge, Chang and Allia, Phys. Fluids 6 (1994)",
    .example = "local law = percuss.contact.hard_sphere{ e = 0.9, mu = 0.25, beta0 = 0.35 }\n"
               "local ball = percuss.body.sphere{ radius = 0.01, mass = 0.03 }\n"
               "local hit = percuss.collide(ball, law, { vt = 0.5, vn = -1 })\n"
               "print(string.format('%.3f', hit.velocity.t)) --> -0.175")

/* ---- brach ---- */

/* Brach's law: restitution e and a given impulse ratio p_t/p_n. */

typedef struct brach {
    pc_coefficient restitution;
    double ratio;
} brach;

static const pc_row brach_rows[] = {
    PC_RATIO_RESTITUTION_ROW(brach),
    PC_ROW(brach, ratio, "impulse_ratio", .symbol = "mu", .greek = "μ", .initial = PC_REQUIRED, .allowed = PC_ANY,
           .sample = {-0.5, 0.5},
           .doc = "ratio p_t/p_n of the whole impact, with its sign: negative opposes slip towards +t"),
};

static double brach_ratio(const void *params, double e, const pc_mobility *W, const double v0[3])
{
    (void)e, (void)W, (void)v0;
    return ((const brach *)params)->ratio;
}

PC_RATIO_LAW(
    brach, brach, brach_ratio, PC_LAW_CLOSED_FORM | PC_LAW_MAY_GAIN, NULL, NULL,
    .summary = "Rigid impact known by its kinematic restitution and its impulse ratio.",
    .details = "A ratio beyond mu_T creates energy: allowed, and marked in the result (flags.gained_energy). Works and "
               "partial impulses are those of the straight line in the impulse plane.",
    .equations = "v_n' = -e v_n: afterwards\n"
                 "p_t = mu p_n: with the impulse ratio mu",
    .source = "Brach, Int. J. Impact Engng 13 (1993), equations 1-8; J. Appl. Mech. 56 (1989)",
    .example = "print(percuss.contact.brach{ restitution = 0.5, impulse_ratio = -0.2 }.mu) --> -0.2")

/* ---- smith ---- */

/* Smith's law: p_t = -mu p_n (|v_t| v_t + |v_t+| v_t+)/(v_t^2 + v_t+^2), a friction of both velocities.
 *
 * As a condition on r = p_t/p_n: F(r) = r + mu phi(v_t+(r)) = 0 with phi between -1 and 1. v_t+ grows with r, so F
 * grows at least as fast as r and has one root with |r| <= mu. */

static const pc_row smith_rows[] = {
    PC_RATIO_RESTITUTION_ROW(pc_rigid),
    PC_RIGID_FRICTION_ROW("coefficient of friction: the impulse ratio of an impact that slides one way"),
};

/* (|a| a + |b| b)/(a^2 + b^2), without overflow */
static double weighted_sign(double a, double b)
{
    double scale = fmax(fabs(a), fabs(b));
    if (!(scale > 0)) return 0;
    if (isinf(b)) return b > 0 ? 1 : -1;
    a /= scale;
    b /= scale;
    return (fabs(a) * a + fabs(b) * b) / (a * a + b * b);
}

typedef struct equation {
    const pc_mobility *W;
    const double *v0;
    double e, mu;
} equation;

static double residual(double r, void *context)
{
    const equation *q = context;
    return r + q->mu * weighted_sign(q->v0[PC_T], pc_ratio_after(q->W, q->v0, q->e, r));
}

/* The root in [-mu, mu] where v_t > 0; NaN if no impulse with p_n > 0 belongs to it. */
static double solve(equation *q)
{
    const pc_mobility *W = q->W;
    double along = -q->mu; /* slip keeps its direction to the end */
    if (W->nn + W->tn * along > 0 && pc_ratio_after(W, q->v0, q->e, along) >= 0) return along;
    double lo = -q->mu, hi = q->mu;
    /* beyond this ratio p_n < 0; towards it v_t+ is infinite, and F has the sign that the bracket needs */
    double limit = W->tn != 0 ? -W->nn / W->tn : INFINITY;
    if (limit > lo && limit < hi) {
        double *end = W->tn > 0 ? &lo : &hi, inner = W->tn > 0 ? hi : lo;
        int k = 0;
        do {
            *end = limit + ldexp(inner - limit, -++k);
        } while (k < 60 && residual(*end, q) * (W->tn > 0 ? 1 : -1) > 0);
    }
    double f_lo = residual(lo, q), f_hi = residual(hi, q);
    if (!(f_lo <= 0 && f_hi >= 0)) return NAN;
    return pc_root_between(residual, q, lo, f_lo, hi, f_hi, 0);
}

static double smith_ratio(const void *params, double e, const pc_mobility *W, const double v0[3])
{
    const pc_rigid *law = params;
    /* without slip at first only the departure counts */
    if (v0[PC_T] == 0) return pc_ratio_against_departure(params, e, W, v0);
    /* solved with slip towards +t, so that the search rounds a mirror image alike */
    pc_mobility turned = *W;
    double slip[3] = {fabs(v0[PC_T]), v0[PC_N], 0}, sign = v0[PC_T] > 0 ? 1 : -1;
    turned.tn *= sign;
    return sign * solve(&(equation){&turned, slip, e, law->coulomb.friction});
}

PC_RATIO_LAW(
    smith, pc_rigid, smith_ratio, 0, pc_rigid_friction, NULL,
    .summary = "Newton's restitution; friction weighs the tangential velocities before and after.",
    .details = "Never creates energy. Works and partial impulses are those of the straight line in the impulse plane.",
    .equations = "v_n' = -e v_n: afterwards\n"
                 "p_t = -mu p_n (|v_t| v_t + |v_t'| v_t')/(v_t^2 + v_t'^2): with the sliding before and afterwards",
    .source = "Smith, J. Appl. Mech. 58 (1991), 754-758; Lai (1999), equations 2.4-2.5",
    .example = "print(percuss.contact.smith{ restitution = 0.5, friction = 0.2 }.mu) --> 0.2",
    .validate = pc_rigid_validate)

/* ---- whittaker ---- */

/* Whittaker's law: v_t+ = 0 if friction can bring that about, else friction against v_t+. */

static const pc_row whittaker_rows[] = {
    PC_RATIO_RESTITUTION_ROW(pc_rigid),
    PC_RIGID_FRICTION_ROW("coefficient of friction: bound on the impulse ratio"),
};

PC_RATIO_LAW(
    whittaker, pc_rigid, pc_ratio_against_departure, PC_LAW_CLOSED_FORM | PC_LAW_MAY_GAIN, pc_rigid_friction, NULL,
    .summary = "Newton's restitution; friction acts on the velocities before and after alone.",
    .details = "Right where slip keeps its direction. May create energy where it does not; the result says so "
               "(flags.gained_energy). Works and partial impulses are those of the straight line in the impulse plane.",
    .equations = "v_n' = -e v_n: afterwards\n"
                 "v_t' = 0: if friction can stop the slip\n"
                 "p_t = -mu s p_n: if it can not, s being the direction of slip before",
    .source = "Whittaker, Analytical Dynamics (1904); Lai (1999), chapter 2",
    .example = "print(percuss.contact.whittaker{ restitution = 0.5, friction = 0.2 }.e) --> 0.5",
    .validate = pc_rigid_validate)

/* ---- kane levinson ---- */

/* Kane and Levinson's law: v_t+ = 0 if static friction can bring that about, else kinetic friction against v_t+. */

static const pc_row kane_levinson_rows[] = {
    PC_RATIO_RESTITUTION_ROW(pc_rigid),
    PC_RIGID_FRICTION_ROW("coefficient of kinetic friction: the impulse ratio of an impact that slides"),
    PC_RIGID_STATIC_ROW(
        "coefficient of static friction: bound on the impulse ratio of an impact that sticks; the same as friction "
        "if not given"),
};

PC_RATIO_LAW(
    kane_levinson, pc_rigid, pc_ratio_against_departure, PC_LAW_CLOSED_FORM | PC_LAW_MAY_GAIN, pc_rigid_friction, NULL,
    .summary = "Newton's restitution; friction acts on the velocities before and after alone.",
    .details = "May create energy where slip reverses during the impact; the result says so (flags.gained_energy). "
               "Works and partial impulses are those of the straight line in the impulse plane.",
    .equations = "v_n' = -e v_n: afterwards\n"
                 "v_t' = 0: if static friction can do that\n"
                 "p_t = -mu s p_n: if it can not, s being the direction of slip afterwards",
    .source = "Kane and Levinson, Dynamics: Theory and Applications (1985); Lai (1999), equations 2.1-2.3",
    .example = "print(percuss.contact.kane_levinson{ e = 0.5, mu = 0.2, mu_s = 0.3 }.static_friction) --> 0.3",
    .validate = pc_rigid_validate)
