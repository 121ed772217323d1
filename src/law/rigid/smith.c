/* Smith's law: p_t = -mu p_n (|v_t| v_t + |v_t+| v_t+)/(v_t^2 + v_t+^2), a friction of both velocities.
 *
 * As a condition on r = p_t/p_n: F(r) = r + mu phi(v_t+(r)) = 0 with phi between -1 and 1. v_t+ grows with r, so F
 * grows at least as fast as r and has one root with |r| <= mu. */
#include "law/rigid/rigid.h"
#include "math/roots.h"

#include <math.h>

static const pc_row rows[] = {
    PC_RATIO_RESTITUTION_ROW(pc_rigid),
    PC_RIGID_FRICTION_ROW("coefficient of friction: the impulse ratio of an impact that slides one way"),
};

static const pc_schema schema = {
    .name = "contact.smith",
    .summary = "Newton's restitution; friction weighs the tangential velocities before and after.",
    .details = "Never creates energy. Works and partial impulses are those of the straight line in the impulse plane.",
    .equations = "v_n' = -e v_n: afterwards\n"
                 "p_t = -mu p_n (|v_t| v_t + |v_t'| v_t')/(v_t^2 + v_t'^2): with the sliding before and afterwards",
    .source = "Smith, J. Appl. Mech. 58 (1991), 754-758; Lai (1999), equations 2.4-2.5",
    .example = "print(percuss.contact.smith{ restitution = 0.5, friction = 0.2 }.mu) --> 0.2",
    PC_ROWS(rows),
    .size = sizeof(pc_rigid),
    .validate = pc_rigid_validate,
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

static double ratio(const void *params, double e, const pc_mobility *W, const double v0[3])
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

PC_RATIO_RULE(ratio)

const pc_law pc_law_smith = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR,
    .impact = impact,
    .path = pc_ratio_path,
    .friction = pc_rigid_friction,
};
