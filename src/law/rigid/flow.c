/* The flow of sliding: see flow.h. */
#include "law/rigid/flow.h"

#include "law/rigid/impulse_spatial.h"
#include "law/rigid/impulse_swerve.h"
#include "math/roots.h"

#include <float.h>
#include <math.h>

/* A trigonometric polynomial of degree 2: c1 cos + s1 sin + constant + c2 cos 2phi + s2 sin 2phi. */
typedef struct trig {
    double c1, s1, constant, c2, s2;
} trig;

static double trig_value(const trig *f, double phi)
{
    double c = cos(phi), s = sin(phi);
    return f->c1 * c + f->s1 * s + f->constant + f->c2 * (c * c - s * s) + f->s2 * 2 * c * s;
}

static double trig_slope(const trig *f, double phi)
{
    double c = cos(phi), s = sin(phi);
    return f->s1 * c - f->c1 * s + 2 * (f->s2 * (c * c - s * s) - f->c2 * 2 * c * s);
}

static double trig_size(const trig *f)
{
    return fabs(f->c1) + fabs(f->s1) + fabs(f->constant) + fabs(f->c2) + fabs(f->s2);
}

static trig turn_of(const pc_mobility *W, double mu)
{
    return (trig){.c1 = W->t2n, .s1 = -W->tn, .c2 = -mu * W->tt2, .s2 = -mu * (W->t2t2 - W->tt) / 2};
}

static trig growth_of(const pc_mobility *W, double mu)
{
    return (trig){.c1 = W->tn,
                  .s1 = W->t2n,
                  .constant = -mu * (W->tt + W->t2t2) / 2,
                  .c2 = -mu * (W->tt - W->t2t2) / 2,
                  .s2 = -mu * W->tt2};
}

/* Zeros in [0, 2 pi), ascending, at most 4. With t = tan((phi - centre)/2) each half of the circle becomes a quartic on
 * [-1, 1], whose zeros are isolated, so none is missed. A double zero is listed once. */
static int trig_zeros(const trig *f, double zeros[4])
{
    int n = 0, side = PC_SIDE_UNKNOWN;
    double scale = trig_size(f), rounding = 8 * DBL_EPSILON * scale;
    for (int half = 0; half < 2; half++) {
        /* halves centred on 0 and pi: cos and sin change their signs, the double angle does not */
        double sign = half ? -1 : 1, c1 = sign * f->c1, s1 = sign * f->s1;
        /* times (1 + t^2)^2 */
        const double power[5] = {c1 + f->constant + f->c2, 2 * s1 + 4 * f->s2, 2 * f->constant - 6 * f->c2,
                                 2 * s1 - 4 * f->s2, -c1 + f->constant + f->c2};
        double b[5];
        pc_poly_from_power(power, 4, -1, 1, b);
        pc_root roots[5];
        int found = pc_poly_roots(b, 4, rounding, &side, roots);
        for (int i = 0; i < found && n < 4; i++) {
            double phi = 2 * atan(2 * roots[i].x - 1) + (half ? M_PI : 0);
            if (roots[i].multiplicity == 1) phi -= trig_value(f, phi) / trig_slope(f, phi); /* polish */
            phi = fmod(phi, 2 * M_PI);
            if (phi < 0) phi += 2 * M_PI;
            if (phi >= 2 * M_PI || 2 * M_PI - phi < 4 * DBL_EPSILON) phi = 0;
            bool known = false;
            for (int k = 0; k < n; k++) known |= fabs(phi - zeros[k]) < 1e-12;
            if (!known) zeros[n++] = phi;
        }
    }
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && zeros[k] < zeros[k - 1]; k--) {
            double swap = zeros[k];
            zeros[k] = zeros[k - 1];
            zeros[k - 1] = swap;
        }
    return n;
}

static pc_flow_kind kind_of(double growth, double turn_by_phi, double rounding)
{
    if (fabs(growth) <= rounding || fabs(turn_by_phi) <= rounding) return PC_FLOW_DEGENERATE;
    if ((growth < 0) != (turn_by_phi < 0)) return PC_FLOW_SADDLE;
    return growth < 0 ? PC_FLOW_NODE_SINK : PC_FLOW_NODE_SOURCE;
}

pc_status pc_flow_make(const pc_mobility *W, double friction, pc_flow *flow, pc_error *err)
{
    if (!(friction >= 0 && friction < INFINITY))
        return pc_fail(err, PC_E_ARGUMENT, "flow: friction (mu) = %.10g; it must be >= 0", friction);
    *flow = (pc_flow){0};
    trig turn = turn_of(W, friction), growth = growth_of(W, friction);
    double size = friction * (W->tt + W->t2t2) + hypot(W->tn, W->t2n);
    /* what products of this size round to; below it a coefficient is nothing */
    double rounding = 16 * DBL_EPSILON * size;
    double zeros[4];
    flow->every_direction = trig_size(&turn) <= rounding;
    if (!flow->every_direction) {
        flow->n_invariant = trig_zeros(&turn, zeros);
        for (int i = 0; i < flow->n_invariant; i++) {
            double g = trig_value(&growth, zeros[i]), t = trig_slope(&turn, zeros[i]);
            flow->invariant[i] = (pc_flow_direction){zeros[i], g, t, kind_of(g, t, rounding)};
        }
    }
    if (trig_size(&growth) > rounding) flow->n_change = trig_zeros(&growth, flow->change);
    double direction[2];
    pc_coulomb coulomb = {friction, friction};
    flow->sticks = pc_impulse_rest(&coulomb, W, flow->ratio, direction, &flow->restart_growth);
    flow->critical_friction = hypot(flow->ratio[0], flow->ratio[1]);
    if (!flow->sticks) {
        flow->restart = atan2(direction[1], direction[0]);
        if (flow->restart < 0) flow->restart += 2 * M_PI;
    }
    return PC_OK;
}

/* Points from `k` on in steps of `stride`, at tau = 0, h, 2h, ...; h may be negative. The number of points kept. */
static size_t follow(const pc_mobility *W, double mu, const double v[2], double h, size_t n, ptrdiff_t stride,
                     double least, double most, double *v_t, double *v_t2)
{
    pc_walk walk = {.v = {v[0], 0, v[1]}};
    size_t kept = 0;
    double at = 0; /* tau of the walk */
    for (size_t i = 0; i < n;) {
        pc_swerve step;
        pc_swerve_expand(&step, W, mu, &walk);
        double reach = at + copysign(step.length, h);
        for (; i < n && fabs(h * (double)i) <= fabs(reach); i++) {
            double tau = h * (double)i - at;
            double x = pc_swerve_value(&step, PC_SWERVE_X, tau), y = pc_swerve_value(&step, PC_SWERVE_Y, tau);
            double speed = hypot(x, y);
            if (!(speed >= least && speed <= most)) return kept;
            v_t[(ptrdiff_t)i * stride] = x;
            v_t2[(ptrdiff_t)i * stride] = y;
            kept++;
        }
        double length = copysign(step.length, h);
        walk.v[PC_T] = pc_swerve_value(&step, PC_SWERVE_X, length);
        walk.v[PC_T2] = pc_swerve_value(&step, PC_SWERVE_Y, length);
        at = reach;
        double speed = hypot(walk.v[PC_T], walk.v[PC_T2]);
        if (!(speed >= least && speed <= most)) break;
    }
    return kept;
}

size_t pc_flow_trajectory(const pc_mobility *W, double friction, const double v[2], double from, double to, size_t n,
                          double least, double most, double *v_t, double *v_t2, size_t *first)
{
    double h = (to - from) / (double)(n - 1);
    size_t before = (size_t)lround(-from / h), after = n - 1 - before;
    size_t forward = follow(W, friction, v, h, after + 1, 1, least, most, v_t + before, v_t2 + before);
    if (!forward) return 0;
    size_t backward = follow(W, friction, v, -h, before + 1, -1, least, most, v_t + before, v_t2 + before);
    *first = before + 1 - backward;
    return forward + backward - 1;
}
