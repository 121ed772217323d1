/* The impact of a disc on another one that it overlaps in part, tilted in any direction.
 *
 * Local depth D + E.r over the lens, with E the part of the disc's axis along the fixed face: in the plane of the two
 * centres that is the slope of flat.c. The potential is a function of D and E, so the moment about the centre is M x e
 * with M = dU/dE and e the axis, and elastic contact conserves energy. No moment acts about the axis; the disc does not
 * spin, and what is said of the discs' places holds while tilts are small.
 *
 * Source: Kecskemethy, Lange and Grabner (1999), extension (4), inclined axes.
 */
#include "law/flat/flat.h"
#include "law/flat/flat_internal.h"
#include "law/restitution.h"

#include <math.h>

/* Scaled: the radius, the mass, sqrt(m/k); depth and E over the length that the disc goes in that time. UPRIGHT is the
 * part of the axis along the normal of the fixed face. */
enum { DEPTH, SINKING, E, UPRIGHT = E + 2, TURN, IMPULSE = TURN + 3, N };

typedef struct skew {
    pc_lens lens;
    double density, damping, slope, gyration;
    bool whole; /* all of it is pressed */
} skew;

/* The axis, and rates of E. */
static void axis_of(const skew *f, const double *y, double axis[3], double rate[2])
{
    axis[0] = f->slope * y[E];
    axis[1] = f->slope * y[E + 1];
    axis[2] = y[UPRIGHT];
    rate[0] = y[TURN + 1] * axis[2] - y[TURN + 2] * axis[1];
    rate[1] = y[TURN + 2] * axis[0] - y[TURN] * axis[2];
}

static int rates(double t, const double *y, double *rate, void *context)
{
    const skew *f = context;
    (void)t;
    double e[3], g[2];
    axis_of(f, y, e, g);
    pc_lens_load load =
        f->whole ? pc_lens_press_whole(&f->lens, y[DEPTH], y + E) : pc_lens_press(&f->lens, y[DEPTH], y + E);
    const double *r = load.centre, *K = load.spread;
    double spread[2] = {K[0] * g[0] + K[1] * g[1], K[1] * g[0] + K[2] * g[1]}, couple;
    double F = pc_flat_damp(f->density * load.force, f->damping, y[SINKING] + r[0] * g[0] + r[1] * g[1],
                            fmax(spread[0] * g[0] + spread[1] * g[1], 0), &couple);
    double M[2], share = load.force > 0 ? F / load.force : f->density;
    for (int i = 0; i < 2; i++) M[i] = share * load.moment[i] + couple * spread[i];
    rate[DEPTH] = y[SINKING];
    rate[SINKING] = -F;
    rate[E] = g[0];
    rate[E + 1] = g[1];
    rate[UPRIGHT] = f->slope * (y[TURN] * e[1] - y[TURN + 1] * e[0]);
    rate[TURN] = f->gyration * M[1] * e[2];
    rate[TURN + 1] = -f->gyration * M[0] * e[2];
    rate[TURN + 2] = f->gyration * (M[0] * e[1] - M[1] * e[0]);
    rate[IMPULSE] = F;
    return 0;
}

/* What may leave or touch: the lowest place, whose depth has a simple root where a whole rim's has not, or the highest;
 * and where the weight of the lens is not smooth: a rim, |E| its radius deep, or a corner. */
typedef struct place {
    skew *f;
    int side; /* 1: the lowest; -1: the highest */
    double x, y, radius;
} place;

/* Depth of the lowest place or, side = -1, of the highest, and its rate. */
static double farthest(const skew *f, const double *y, int side, double *rate)
{
    double s = side * hypot(y[E], y[E + 1]), u[2] = {side, 0}, at[2], axis[3], g[2];
    if (s != 0) u[0] = y[E] / s, u[1] = y[E + 1] / s;
    pc_lens_farthest(&f->lens, u, at);
    axis_of(f, y, axis, g);
    *rate = y[SINKING] + g[0] * at[0] + g[1] * at[1];
    return y[DEPTH] + y[E] * at[0] + y[E + 1] * at[1];
}

static int depth_at(double t, const double *y, double *g, void *context)
{
    const place *p = context;
    double middle = y[DEPTH] + y[E] * p->x + y[E + 1] * p->y, rate;
    (void)t;
    if (p->side != 0)
        *g = farthest(p->f, y, p->side, &rate);
    else if (p->radius > 0)
        *g = middle * middle - p->radius * p->radius * (y[E] * y[E] + y[E + 1] * y[E + 1]);
    else
        *g = middle;
    return 0;
}

/* All of it is pressed, or is about to be. */
static bool is_whole(const skew *f, const double *y)
{
    double near = pc_flat_near(y[DEPTH]), rate, highest = farthest(f, y, -1, &rate);
    return highest > near || (highest > -near && rate > 0);
}

static int passes(double t, double *y, void *context)
{
    skew *f = ((const place *)context)->f;
    double rate;
    (void)t;
    f->whole = is_whole(f, y);
    return farthest(f, y, 1, &rate) <= pc_flat_near(y[DEPTH]) && rate < 0 ? PC_ACTION_STOP : PC_ACTION_RESTART;
}

pc_status pc_flat_skew_impact(const pc_flat_task *task, pc_flat_result *out, pc_error *err)
{
    double a = task->patch.radius, v = task->speed, T = sqrt(task->mass / task->stiffness);
    skew f = {.lens = {1, task->patch.other / a, task->patch.offset / a},
              .slope = v * T / a,
              .gyration = task->mass * a * a / task->inertia,
              .damping = task->restitution < 1 ? pc_hunt_crossley_a(task->restitution) : task->damping * v};
    pc_status status = pc_flat_check(task, T, f.slope, 1, err);
    if (status) return status;
    f.density = 1 / pc_lens_area(&f.lens);
    double side = task->tilt < 0 ? -1 : 1, c = cos(task->azimuth), d = sin(task->azimuth),
           s = sin(task->tilt) / f.slope;
    double at[2], turn = task->rate * a / v;
    pc_lens_farthest(&f.lens, (double[]){side * c, side * d}, at);
    double reach = at[0] * c + at[1] * d, arm = reach * cos(task->tilt), approach = 1 + arm * turn, way = 1;
    if (!(approach > 0)) return pc_fail(err, PC_E_ARGUMENT, "flat_impact: the edge that touches does not approach");
    double y0[N] = {[DEPTH] = -s * reach,        [SINKING] = 1,      [E] = s * c,          [E + 1] = s * d,
                    [UPRIGHT] = cos(task->tilt), [TURN] = -turn * d, [TURN + 1] = turn * c};
    double energy = approach * approach / (1 + f.gyration * arm * arm) / 2; /* of the edge alone */
    while (f.density * pc_lens_press(&f.lens, y0[DEPTH] + way, y0 + E).potential < energy && isfinite(way)) way *= 2;
    status = pc_flat_check(task, T, f.slope, way, err);
    if (status) return status;
    double corner[2];
    place places[6] = {
        {&f, .side = 1}, {&f, .side = -1}, {&f, .radius = 1}, {&f, .x = f.lens.offset, .radius = f.lens.other}};
    pc_event events[6];
    int n = 4;
    if (pc_lens_corners(&f.lens, corner))
        for (int k = -1; k <= 1; k += 2) places[n++] = (place){&f, .x = corner[0], .y = k * corner[1]};
    for (int i = 0; i < n; i++)
        events[i] = (pc_event){.name = "edge", .g = depth_at, .action = passes, .context = &places[i]};
    f.whole = is_whole(&f, y0);
    pc_ode_problem problem = {.n = N, .rhs = rates, .context = &f, .autonomous = true};
    pc_solution end = {0};
    status = pc_flat_follow(&problem, events, n, y0, way / (2 * approach), T, &end, err);
    if (!status) {
        const double *y = end.y, *w = y + TURN;
        double axis[3], g[2], size = hypot(y[E], y[E + 1]);
        axis_of(&f, y, axis, g);
        *out = (pc_flat_result){.velocity = -y[SINKING] * v,
                                .tilt = atan2(f.slope * size, axis[2]),
                                .azimuth = atan2(y[E + 1], y[E]),
                                .rate = size > 0 && axis[2] != 0
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
