/* The impact of a disc on another one that it overlaps in part, tilted in any direction.
 *
 * Local depth D + E.r over the lens, with E the part of the disc's axis along the fixed face: in the plane of the two
 * centres that is the slope of flat.c. The potential is a function of D and E, so the moment about the centre is M x e
 * with M = dU/dE and e the axis, and elastic contact conserves energy. No moment acts about the axis; the disc does not
 * spin, and what is said of the discs' places holds while tilts are small.
 *
 * Source: Kecskemethy, Lange and Grabner (1999), extension (4), inclined axes.
 */
#include "contact/flat_lens.h"
#include "contact/flat_parts.h"
#include "contact/restitution.h"

#include <math.h>

/* Scaled: the radius, the mass, sqrt(m/k); depth and E over the length that the disc goes in that time. */
enum { DEPTH, SINKING, E, TURN = E + 2, IMPULSE = TURN + 3, N };

typedef struct skew {
    pc_lens lens;
    double density, damping, slope, gyration;
} skew;

/* The axis, and rates of E. */
static void axis_of(const skew *f, const double *y, double axis[3], double rate[2])
{
    axis[0] = f->slope * y[E];
    axis[1] = f->slope * y[E + 1];
    axis[2] = sqrt(fmax(1 - axis[0] * axis[0] - axis[1] * axis[1], 0));
    rate[0] = y[TURN + 1] * axis[2] - y[TURN + 2] * axis[1];
    rate[1] = y[TURN + 2] * axis[0] - y[TURN] * axis[2];
}

static int rates(double t, const double *y, double *rate, void *context)
{
    const skew *f = context;
    (void)t;
    double e[3], g[2];
    axis_of(f, y, e, g);
    pc_lens_load load = pc_lens_press(&f->lens, y[DEPTH], y + E);
    double F = 0, M[2] = {0};
    if (load.force > 0) {
        double r[2] = {load.moment[0] / load.force, load.moment[1] / load.force}, spread[2], couple;
        double xx = load.second[0] / load.force - r[0] * r[0], xy = load.second[1] / load.force - r[0] * r[1],
               yy = load.second[2] / load.force - r[1] * r[1];
        spread[0] = xx * g[0] + xy * g[1];
        spread[1] = xy * g[0] + yy * g[1];
        F = pc_flat_damp(f->density * load.force, f->damping, y[SINKING] + r[0] * g[0] + r[1] * g[1],
                         fmax(spread[0] * g[0] + spread[1] * g[1], 0), &couple);
        for (int i = 0; i < 2; i++) M[i] = F * r[i] + couple * spread[i];
    }
    rate[DEPTH] = y[SINKING];
    rate[SINKING] = -F;
    rate[E] = g[0];
    rate[E + 1] = g[1];
    rate[TURN] = f->gyration * M[1] * e[2];
    rate[TURN + 1] = -f->gyration * M[0] * e[2];
    rate[TURN + 2] = f->gyration * (M[0] * e[1] - M[1] * e[0]);
    rate[IMPULSE] = F;
    return 0;
}

/* Where the weight of the lens is not smooth: a rim, |E| its radius deep, or a corner. */
typedef struct place {
    const skew *f;
    double x, y, radius;
} place;

static int depth_at(double t, const double *y, double *g, void *context)
{
    const place *p = context;
    (void)t;
    double middle = y[DEPTH] + y[E] * p->x + y[E + 1] * p->y;
    *g = p->radius > 0 ? middle * middle - p->radius * p->radius * (y[E] * y[E] + y[E + 1] * y[E + 1]) : middle;
    return 0;
}

static int passes(double t, double *y, void *context)
{
    const skew *f = ((const place *)context)->f;
    (void)t;
    double s = hypot(y[E], y[E + 1]), u[2] = {1, 0};
    if (s > 0) u[0] = y[E] / s, u[1] = y[E + 1] / s;
    return y[DEPTH] + s * pc_lens_reach(&f->lens, u) <= PC_FLAT_TOGETHER ? PC_ACTION_STOP : PC_ACTION_RESTART;
}

pc_status pc_flat_skew_impact(const pc_flat_task *task, pc_flat_result *out, pc_error *err)
{
    double a = task->patch.radius, v = task->speed, T = sqrt(task->mass / task->stiffness);
    skew f = {.lens = {1, task->patch.other / a, task->patch.offset / a},
              .slope = v * T / a,
              .gyration = task->mass * a * a / task->inertia,
              .damping = task->restitution < 1 ? pc_hunt_crossley_a(task->restitution) : task->damping * v};
    f.density = 1 / pc_lens_area(&f.lens);
    double side = task->tilt < 0 ? -1 : 1, c = cos(task->azimuth), d = sin(task->azimuth),
           s = sin(task->tilt) / f.slope;
    double reach = pc_lens_reach(&f.lens, (double[]){side * c, side * d}), turn = task->rate * a / v;
    if (!(1 + side * reach * turn * cos(task->tilt) > 0))
        return pc_fail(err, PC_E_ARGUMENT, "flat_impact: the edge that touches does not approach");
    double y0[N] = {[DEPTH] = -side * s * reach, [SINKING] = 1,        [E] = s * c, [E + 1] = s * d,
                    [TURN] = -turn * d,          [TURN + 1] = turn * c};
    double corner[2];
    place places[4] = {{&f, 0, 0, 1}, {&f, f.lens.offset, 0, f.lens.other}};
    pc_event events[4];
    int n = 2;
    if (pc_lens_corners(&f.lens, corner))
        for (int k = -1; k <= 1; k += 2) places[n++] = (place){&f, corner[0], k * corner[1], 0};
    for (int i = 0; i < n; i++)
        events[i] = (pc_event){.name = "edge", .g = depth_at, .action = passes, .context = &places[i]};
    pc_ode_problem problem = {.n = N, .rhs = rates, .context = &f, .autonomous = true};
    pc_solution end = {0};
    pc_status status = pc_flat_follow(&problem, events, n, y0, T, &end, err);
    if (!status) {
        const double *y = end.y, *w = y + TURN;
        double axis[3], g[2], size = hypot(y[E], y[E + 1]);
        axis_of(&f, y, axis, g);
        *out = (pc_flat_result){.velocity = -y[SINKING] * v,
                                .tilt = asin(fmin(f.slope * size, 1)),
                                .azimuth = atan2(y[E + 1], y[E]),
                                .rate = size > 0 && axis[2] > 0
                                            ? (y[E] * g[0] + y[E + 1] * g[1]) / (size * axis[2]) * v / a
                                            : hypot(g[0], g[1]) * v / a,
                                .rate_x = w[0] * v / a,
                                .rate_y = w[1] * v / a,
                                .duration = end.t * T,
                                .impulse = y[IMPULSE] * task->mass * v,
                                .energy0 = (task->mass * v * v + task->inertia * task->rate * task->rate) / 2};
        double square = (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) * (v / a) * (v / a);
        out->energy1 = (task->mass * out->velocity * out->velocity + task->inertia * square) / 2;
    }
    pc_solution_free(&end);
    return status;
}
