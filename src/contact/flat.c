/* Flat and nearly flat contact: moments of patches, and the impact of a disc on them.
 *
 * Source: Kecskemethy, Lange and Grabner (1999), extensions (3) and (4) without friction. Where the abstract has a
 * transition function, this has a bed of springs (Winkler): the potential
 *
 *     U(d, s) = k/2 int max(0, d + s x)^2 dw(x)
 *
 * over the weight dw of the patch at x. Force dU/dd and moment dU/ds need the moments of that part of the patch which
 * is below the surface, and these are elementary functions of the angle at which the slope crosses it.
 */
#include "contact/flat.h"

#include "event/solve.h"

#include <limits.h>
#include <math.h>

#define PI 3.14159265358979323846

static const char *const models[] = {"rim", "area", "overlap", NULL};

static const pc_row rows[] = {
    {.name = "model",
     .kind = PC_CHOICE,
     .offset = offsetof(pc_flat_task, patch) + offsetof(pc_flat_patch, model),
     .initial = PC_FLAT_AREA,
     .choices = models,
     .doc = "where the springs are: along the rim, under the whole area, or where the disc overlaps a second one"},
    {.name = "radius",
     .symbol = "a",
     .kind = PC_REAL,
     .offset = offsetof(pc_flat_task, patch) + offsetof(pc_flat_patch, radius),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .doc = "radius of the disc"},
    {.name = "other_radius",
     .kind = PC_REAL,
     .offset = offsetof(pc_flat_task, patch) + offsetof(pc_flat_patch, other),
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .doc = "radius of the fixed disc, with model = \"overlap\""},
    {.name = "offset",
     .kind = PC_REAL,
     .offset = offsetof(pc_flat_task, patch) + offsetof(pc_flat_patch, offset),
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .allowed = PC_ANY,
     .doc = "distance from the axis of the disc to that of the fixed one, along the slope, with model = \"overlap\""},
    {.name = "mass",
     .symbol = "m",
     .kind = PC_REAL,
     .offset = offsetof(pc_flat_task, mass),
     .unit = PC_UNIT_KG,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .doc = "mass of the disc"},
    {.name = "inertia",
     .kind = PC_REAL,
     .offset = offsetof(pc_flat_task, inertia),
     .unit = {.kg = 1, .m = 2},
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .doc = "moment of inertia about a diameter; m a^2/4 of a thin homogeneous disc if not given"},
    {.name = "stiffness",
     .symbol = "k",
     .kind = PC_REAL,
     .offset = offsetof(pc_flat_task, stiffness),
     .unit = PC_UNIT_N_PER_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .doc = "stiffness of all springs together, when the faces are parallel"},
    {.name = "tilt",
     .kind = PC_REAL,
     .offset = offsetof(pc_flat_task, tilt),
     .unit = PC_UNIT_RAD,
     .initial = 0,
     .allowed = {-PI / 2, PI / 2, true, true},
     .doc = "angle between the faces at first touch; positive: the side of positive x is lower"},
    {.name = "speed",
     .kind = PC_REAL,
     .offset = offsetof(pc_flat_task, speed),
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .doc = "speed of the disc's centre towards the obstacle"},
    {.name = "rate",
     .kind = PC_REAL,
     .offset = offsetof(pc_flat_task, rate),
     .unit = {.s = -1},
     .initial = 0,
     .allowed = PC_ANY,
     .doc = "rate at which the tilt grows at first touch"},
};

static pc_status validate(void *object, uint64_t given, pc_error *err)
{
    pc_flat_task *task = object;
    pc_flat_patch *patch = &task->patch;
    bool overlap = patch->model == PC_FLAT_OVERLAP;
    (void)given;
    if (overlap == isnan(patch->other) || overlap == isnan(patch->offset))
        return pc_fail(err, PC_E_ARGUMENT, "flat_impact: model = \"%s\" %s other_radius and offset",
                       models[patch->model], overlap ? "needs" : "does not take");
    double lo, hi;
    if (!pc_flat_extent(patch, &lo, &hi))
        return pc_fail(err, PC_E_ARGUMENT,
                       "flat_impact: discs of radius %g and %g m do not overlap at an offset of %g m", patch->radius,
                       patch->other, patch->offset);
    if (isnan(task->inertia)) task->inertia = task->mass * patch->radius * patch->radius / 4;
    return PC_OK;
}

const pc_schema pc_flat_schema = {
    .name = "flat_impact",
    .summary = "Impact of a thin disc that falls flat or tilted.",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .size = sizeof(pc_flat_task),
    .validate = validate,
};

/* ---- patches ---- */

bool pc_flat_extent(const pc_flat_patch *patch, double *lo, double *hi)
{
    *lo = -patch->radius;
    *hi = patch->radius;
    if (patch->model != PC_FLAT_OVERLAP) return true;
    *lo = fmax(*lo, patch->offset - patch->other);
    *hi = fmin(*hi, patch->offset + patch->other);
    return *lo < *hi;
}

/* Angle of the place x on a circle of radius r about the origin. */
static double angle_of(double x, double r)
{
    return acos(fmax(-1, fmin(1, x / r)));
}

/* Add the moments of the part a <= x <= b of a disc of radius r about x0: x = x0 + r cos(phi), dw = 2 r^2 sin^2(phi)
 * dphi. */
static void add_disc(double r, double x0, double a, double b, double j[3])
{
    double part[3] = {0}, ends[2] = {angle_of(b - x0, r), angle_of(a - x0, r)};
    for (int i = 0; i < 2; i++) {
        double phi = ends[i], s = sin(phi), sign = i ? 1 : -1;
        part[0] += sign * (phi / 2 - sin(2 * phi) / 4);
        part[1] += sign * (s * s * s / 3);
        part[2] += sign * (phi / 8 - sin(4 * phi) / 32);
    }
    double w = 2 * r * r;
    j[0] += w * part[0];
    j[1] += w * (x0 * part[0] + r * part[1]);
    j[2] += w * (x0 * x0 * part[0] + 2 * x0 * r * part[1] + r * r * part[2]);
}

static void add_rim(double r, double a, double b, double j[3])
{
    double ends[2] = {angle_of(b, r), angle_of(a, r)};
    for (int i = 0; i < 2; i++) {
        double phi = ends[i], sign = (i ? 1 : -1) / PI;
        j[0] += sign * phi;
        j[1] += sign * r * sin(phi);
        j[2] += sign * r * r * (phi / 2 + sin(2 * phi) / 4);
    }
}

/* Where the rims of the two discs cross; infinite if they do not. */
static double crossing(const pc_flat_patch *p)
{
    double c = p->offset, r = p->radius, q = p->other;
    double x = p->model == PC_FLAT_OVERLAP && c != 0 ? (c * c + r * r - q * q) / (2 * c) : INFINITY;
    return fabs(x) < r ? x : INFINITY;
}

/* The chord of the overlap is that of the circle whose arc lies nearer: they change over where the rims cross. */
static void add_overlap(const pc_flat_patch *p, double a, double b, double j[3])
{
    double c = p->offset, r = p->radius, q = p->other, cross = crossing(p);
    if (isinf(cross)) { /* one lies inside the other */
        if (q < r)
            add_disc(q, c, a, b, j);
        else
            add_disc(r, 0, a, b, j);
        return;
    }
    double middle = fmax(a, fmin(b, cross));
    bool beyond = c > 0; /* the second disc's near arc comes first */
    if (middle > a) add_disc(beyond ? q : r, beyond ? c : 0, a, middle, j);
    if (b > middle) add_disc(beyond ? r : q, beyond ? 0 : c, middle, b, j);
}

pc_flat_moments pc_flat_part(const pc_flat_patch *patch, double a, double b)
{
    pc_flat_moments m = {{0}};
    if (!(a < b)) return m;
    switch (patch->model) {
    case PC_FLAT_RIM: add_rim(patch->radius, a, b, m.j); break;
    case PC_FLAT_AREA: add_disc(patch->radius, 0, a, b, m.j); break;
    default: add_overlap(patch, a, b, m.j);
    }
    return m;
}

pc_flat_load pc_flat_press(const pc_flat_patch *patch, double d, double s)
{
    double lo, hi;
    pc_flat_extent(patch, &lo, &hi);
    if (d + s * lo < 0 && d + s * hi < 0) return (pc_flat_load){0};
    if (d + s * lo < 0) lo = -d / s;
    if (d + s * hi < 0) hi = -d / s;
    pc_flat_moments m = pc_flat_part(patch, lo, hi);
    return (pc_flat_load){d * m.j[0] + s * m.j[1], d * m.j[1] + s * m.j[2],
                          (d * d * m.j[0] + 2 * d * s * m.j[1] + s * s * m.j[2]) / 2};
}

/* ---- the impact ---- */

/* Scaled: time sqrt(m/k), speed that of approach, the tilt times the radius over the unit of length. */
enum { DEPTH, SINKING, TILT, TURNING, IMPULSE, N };

/* Error of a step. At the edges the force grows with a fractional power of time, which costs the method its order, so
 * that steps are held short as well: energy then closes to 1e-10. */
static const double TOLERANCE = 1e-13;

/* Edges this near the surface, scaled, leave it together. */
static const double TOGETHER = 1e-11;

typedef struct fall {
    pc_flat_patch patch; /* with lengths over the radius */
    double density;      /* of springs, scaled */
    double slope;        /* unit of length over radius */
    double gyration;     /* m a^2/I */
    double lo, hi;       /* ends of the patch over the radius */
} fall;

static pc_flat_load load_of(const fall *f, const double *y)
{
    /* depth is in units of length, so the slope is as well: the load is linear in both */
    return pc_flat_press(&f->patch, y[DEPTH], sin(y[TILT] * f->slope) / f->slope);
}

static int rates(double t, const double *y, double *rate, void *context)
{
    const fall *f = context;
    (void)t;
    pc_flat_load load = load_of(f, y);
    rate[DEPTH] = y[SINKING];
    rate[SINKING] = -f->density * load.force;
    rate[TILT] = y[TURNING];
    rate[TURNING] = -f->density * f->gyration * load.moment * cos(y[TILT] * f->slope);
    rate[IMPULSE] = f->density * load.force;
    return 0;
}

static double edge(const fall *f, const double *y, double x)
{
    return y[DEPTH] + x * sin(y[TILT] * f->slope) / f->slope;
}

/* A place where the weight of the patch is not smooth: its ends, and where the rims of two discs cross. */
typedef struct place {
    const fall *f;
    double x;
} place;

static int depth_at(double t, const double *y, double *g, void *context)
{
    const place *p = context;
    (void)t;
    *g = edge(p->f, y, p->x);
    return 0;
}

/* The force has no higher derivatives where such a place passes the surface: start afresh there, or end. */
static int passes(double t, double *y, void *context)
{
    const fall *f = ((const place *)context)->f;
    (void)t;
    bool over = edge(f, y, f->lo) <= TOGETHER && edge(f, y, f->hi) <= TOGETHER;
    return over ? PC_ACTION_STOP : PC_ACTION_RESTART;
}

pc_status pc_flat_impact(const pc_flat_task *task, pc_flat_result *out, pc_error *err)
{
    double a = task->patch.radius, v = task->speed, T = sqrt(task->mass / task->stiffness);
    fall f = {.patch = {task->patch.model, 1, task->patch.other / a, task->patch.offset / a},
              .slope = v * T / a,
              .gyration = task->mass * a * a / task->inertia};
    pc_flat_extent(&f.patch, &f.lo, &f.hi);
    f.density = 1 / pc_flat_part(&f.patch, f.lo, f.hi).j[0];
    double s = sin(task->tilt) / f.slope;
    double y0[N] = {[DEPTH] = -fmax(f.lo * s, f.hi * s),
                    [SINKING] = 1,
                    [TILT] = task->tilt / f.slope,
                    [TURNING] = task->rate * a / v};
    double deepest = s > 0 || (s == 0 && task->rate > 0) ? f.hi : f.lo;
    if (!(1 + deepest * y0[TURNING] * cos(task->tilt) > 0))
        return pc_fail(err, PC_E_ARGUMENT, "flat_impact: the edge that touches does not approach");
    place places[3] = {{&f, f.lo}, {&f, f.hi}, {&f, crossing(&f.patch)}};
    pc_event events[3];
    int n_events = isfinite(places[2].x) ? 3 : 2;
    for (int i = 0; i < n_events; i++)
        events[i] = (pc_event){.name = "edge", .g = depth_at, .action = passes, .context = &places[i]};
    pc_ode_problem problem = {.n = N, .rhs = rates, .context = &f, .autonomous = true};
    pc_ode_settings settings = {.rtol = TOLERANCE, .atol = TOLERANCE, .max_step = 0.05, .max_steps = 100000};
    pc_solve_task solve = {.problem = &problem,
                           .method = &pc_ode_dop853,
                           .settings = &settings,
                           .events = events,
                           .n_events = n_events,
                           .max_events = 10000,
                           .t1 = 1e6,
                           .y0 = y0};
    pc_solution end = {0};
    pc_status status = pc_solve(&solve, &end, err);
    if (!status && end.stop != PC_STOP_EVENT)
        status = pc_fail_at(err, PC_E_NUMERIC, end.t * T, "contact", "the disc does not leave the surface");
    if (!status) {
        const double *y = end.y;
        *out = (pc_flat_result){.velocity = -y[SINKING] * v,
                                .rate = y[TURNING] * v / a,
                                .tilt = y[TILT] * f.slope,
                                .duration = end.t * T,
                                .impulse = y[IMPULSE] * task->mass * v};
        out->energy0 = (task->mass * v * v + task->inertia * task->rate * task->rate) / 2;
        out->energy1 = (task->mass * out->velocity * out->velocity + task->inertia * out->rate * out->rate) / 2;
    }
    pc_solution_free(&end);
    return status;
}
