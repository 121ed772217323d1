/* Flat and nearly flat contact without friction: the impact of a disc on a patch of springs (flat/patch.c).
 *
 * Source: Kecskemethy, Lange and Grabner (1999), extensions (3) and (4).
 */
#include "law/flat/flat_internal.h"

#include "law/restitution.h"

#include <limits.h>
#include <math.h>

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
     PC_MEMBER(pc_flat_task, patch.radius),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .doc = "radius of the disc"},
    {.name = "other_radius",
     PC_MEMBER(pc_flat_task, patch.other),
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .doc = "radius of the fixed disc, with model = \"overlap\""},
    {.name = "offset",
     PC_MEMBER(pc_flat_task, patch.offset),
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .allowed = PC_ANY,
     .doc = "distance from the axis of the disc to that of the fixed one, along the slope, with model = \"overlap\""},
    {.name = "mass",
     .symbol = "m",
     PC_MEMBER(pc_flat_task, mass),
     .unit = PC_UNIT_KG,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .doc = "mass of the disc"},
    {.name = "inertia",
     PC_MEMBER(pc_flat_task, inertia),
     .unit = {.kg = 1, .m = 2},
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .doc = "moment of inertia about a diameter; m a^2/4 of a thin homogeneous disc if not given"},
    {.name = "stiffness",
     .symbol = "k",
     PC_MEMBER(pc_flat_task, stiffness),
     .unit = PC_UNIT_N_PER_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .doc = "stiffness of all springs together, when the faces are parallel"},
    {.name = "tilt",
     PC_MEMBER(pc_flat_task, tilt),
     .unit = PC_UNIT_RAD,
     .initial = 0,
     .allowed = {-M_PI / 2, M_PI / 2, true, true},
     .doc = "angle between the faces at first touch; positive: the side of positive x is lower"},
    {.name = "azimuth",
     PC_MEMBER(pc_flat_task, azimuth),
     .unit = PC_UNIT_RAD,
     .initial = 0,
     .allowed = {-M_PI, M_PI, false, false},
     .doc = "direction of the lower side from the line that joins the axes, with model = \"overlap\""},
    {.name = "speed",
     PC_MEMBER(pc_flat_task, speed),
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .doc = "speed of the disc's centre towards the obstacle"},
    {.name = "rate",
     PC_MEMBER(pc_flat_task, rate),
     .unit = {.s = -1},
     .initial = 0,
     .allowed = PC_ANY,
     .doc = "rate at which the tilt grows at first touch"},
    {.name = "damping",
     .symbol = "zeta",
     .greek = "ζ",
     PC_MEMBER(pc_flat_task, damping),
     .unit = {.m = -1, .s = 1},
     .initial = 0,
     .allowed = PC_NONNEGATIVE,
     .group = 1,
     .doc = "damping zeta of each spring: its force is k depth (1 + zeta rate)"},
    {.name = "restitution",
     .symbol = "e",
     PC_MEMBER(pc_flat_task, restitution),
     .initial = 1,
     .allowed = {0.05, 1, false, false},
     .group = 1,
     .doc = "kinematic restitution of a disc that falls flat at this speed; zeta follows from it"},
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_flat_task *task = object;
    pc_flat_patch *patch = &task->patch;
    bool overlap = patch->model == PC_FLAT_OVERLAP;
    (void)schema, (void)given;
    if (overlap == isnan(patch->other) || overlap == isnan(patch->offset))
        return pc_fail(err, PC_E_ARGUMENT, "flat_impact: model = \"%s\" %s other_radius and offset",
                       models[patch->model], overlap ? "needs" : "does not take");
    double lo, hi;
    if (!pc_flat_extent(patch, &lo, &hi))
        return pc_fail(err, PC_E_ARGUMENT,
                       "flat_impact: discs of radius %g and %g m do not overlap at an offset of %g m", patch->radius,
                       patch->other, patch->offset);
    if (!overlap && task->azimuth != 0)
        return pc_fail(err, PC_E_ARGUMENT, "flat_impact: azimuth = %.10g rad has no meaning with model = \"%s\"",
                       task->azimuth, models[patch->model]);
    if (isnan(task->inertia)) task->inertia = task->mass * patch->radius * patch->radius / 4;
    return PC_OK;
}

const pc_schema pc_flat_schema = {
    .name = "flat_impact",
    .summary = "Impact of a thin disc that falls flat or tilted.",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .size = sizeof(pc_flat_task),
    .groups = {PC_AT_MOST_ONE},
    .validate = validate,
};

/* ---- the impact ---- */

/* Error of a step. At the edges the force grows with a fractional power of time, which costs the method its order, so
 * that steps are held short as well, as a share of the time in which the edge that touches would come to its deepest:
 * energy then closes to 1e-10. */
static const double TOLERANCE = 1e-13, LONGEST = 0.05;

/* Scaled: time sqrt(m/k), speed that of approach, the tilt times the radius over the unit of length. */
enum { DEPTH, SINKING, TILT, TURNING, IMPULSE, N };

pc_status pc_flat_check(const pc_flat_task *task, double T, double slope, double way, pc_error *err)
{
    if (isnormal(T) && isnormal(slope) && isfinite(way)) return PC_OK;
    return pc_fail(
        err, PC_E_ARGUMENT,
        "flat_impact: speed (v) = %g m/s, mass (m) = %g kg, stiffness (k) = %g N/m and radius (R) = %g m are "
        "too far apart: v sqrt(m/k)/R = %g or an indentation is beyond the range of numbers",
        task->speed, task->mass, task->stiffness, task->patch.radius, slope);
}

pc_status pc_flat_follow(const pc_ode_problem *problem, const pc_event *edges, int n_edges, const double *y0,
                         double longest, double T, pc_solution *end, pc_error *err)
{
    pc_ode_settings settings = {
        .rtol = TOLERANCE, .atol = TOLERANCE, .max_step = LONGEST * fmax(longest, 1), .max_steps = 100000};
    pc_solve_task task = {.problem = problem,
                          .method = &pc_ode_dop853,
                          .settings = &settings,
                          .events = edges,
                          .n_events = n_edges,
                          .max_events = 10000,
                          .t1 = 1e6 * fmax(longest, 1),
                          .y0 = y0};
    pc_status status = pc_solve(&task, end, err);
    if (!status && end->stop != PC_STOP_EVENT)
        status = pc_fail_at(err, PC_E_NUMERIC, end->t * T, "contact", "the disc does not leave the surface");
    return status;
}

typedef struct fall {
    pc_flat_patch patch; /* with lengths over the radius */
    double density;      /* of springs, scaled */
    double damping;      /* zeta times the speed */
    double slope;        /* unit of length over radius */
    double gyration;     /* m a^2/I */
    double lo, hi;       /* ends of the patch over the radius */
    bool whole;          /* all of it is pressed */
} fall;

static int rates(double t, const double *y, double *rate, void *context)
{
    const fall *f = context;
    (void)t;
    /* depth is in units of length, so the slope is as well: the load is linear in both */
    double slope = sin(y[TILT] * f->slope) / f->slope;
    pc_flat_load load =
        f->whole ? pc_flat_press_whole(&f->patch, y[DEPTH], slope) : pc_flat_press(&f->patch, y[DEPTH], slope);
    double steeper = y[TURNING] * cos(y[TILT] * f->slope), spread = load.along * steeper, couple;
    double F =
        pc_flat_damp(f->density * load.force, f->damping, y[SINKING] + load.lever * steeper, spread * steeper, &couple);
    rate[DEPTH] = y[SINKING];
    rate[SINKING] = -F;
    rate[TILT] = y[TURNING];
    rate[TURNING] = -f->gyration * (load.lever * F + couple * spread) * cos(y[TILT] * f->slope);
    rate[IMPULSE] = F;
    return 0;
}

static double edge(const fall *f, const double *y, double x)
{
    return y[DEPTH] + x * sin(y[TILT] * f->slope) / f->slope;
}

/* A place where the weight of the patch is not smooth: its ends, and where the rims of two discs cross. */
typedef struct place {
    fall *f;
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
    fall *f = ((const place *)context)->f;
    (void)t;
    double ends[2] = {f->lo, f->hi}, near = pc_flat_near(y[DEPTH]);
    bool over = true;
    f->whole = true;
    for (int i = 0; i < 2; i++) {
        double depth = edge(f, y, ends[i]), rate = y[SINKING] + ends[i] * y[TURNING] * cos(y[TILT] * f->slope);
        over = over && (depth < -near || (depth <= near && rate < 0));
        f->whole = f->whole && (depth > near || (depth > -near && rate > 0));
    }
    return over ? PC_ACTION_STOP : PC_ACTION_RESTART;
}

pc_status pc_flat_impact(const pc_flat_task *task, pc_flat_result *out, pc_error *err)
{
    if (task->azimuth != 0 && (task->tilt != 0 || task->rate != 0)) return pc_flat_skew_impact(task, out, err);
    double a = task->patch.radius, v = task->speed, T = sqrt(task->mass / task->stiffness);
    fall f = {.patch = {task->patch.model, 1, task->patch.other / a, task->patch.offset / a},
              .slope = v * T / a,
              .gyration = task->mass * a * a / task->inertia,
              .damping = task->restitution < 1 ? pc_hunt_crossley_a(task->restitution) : task->damping * v};
    pc_status status = pc_flat_check(task, T, f.slope, 1, err);
    if (status) return status;
    pc_flat_extent(&f.patch, &f.lo, &f.hi);
    f.density = 1 / pc_flat_part(&f.patch, f.lo, f.hi).j[0];
    double s = sin(task->tilt) / f.slope;
    double y0[N] = {[DEPTH] = -fmax(f.lo * s, f.hi * s),
                    [SINKING] = 1,
                    [TILT] = task->tilt / f.slope,
                    [TURNING] = task->rate * a / v};
    double deepest = s > 0 || (s == 0 && task->rate > 0) ? f.hi : f.lo;
    double arm = deepest * cos(task->tilt), approach = 1 + arm * y0[TURNING], way = 1;
    if (!(approach > 0)) return pc_fail(err, PC_E_ARGUMENT, "flat_impact: the edge that touches does not approach");
    double energy = approach * approach / (1 + f.gyration * arm * arm) / 2; /* of the edge alone */
    while (f.density * pc_flat_press(&f.patch, y0[DEPTH] + way, s).potential < energy && isfinite(way)) way *= 2;
    status = pc_flat_check(task, T, f.slope, way, err);
    if (status) return status;
    place places[3] = {{&f, f.lo}, {&f, f.hi}, {&f, pc_flat_crossing(&f.patch)}};
    pc_event events[3];
    int n_events = isfinite(places[2].x) ? 3 : 2;
    for (int i = 0; i < n_events; i++)
        events[i] = (pc_event){.name = "edge", .g = depth_at, .action = passes, .context = &places[i]};
    pc_ode_problem problem = {.n = N, .rhs = rates, .context = &f, .autonomous = true};
    pc_solution end = {0};
    status = pc_flat_follow(&problem, events, n_events, y0, way / (2 * approach), T, &end, err);
    if (!status) {
        const double *y = end.y;
        *out = (pc_flat_result){.velocity = -y[SINKING] * v,
                                .rate = y[TURNING] * v / a,
                                .tilt = y[TILT] * f.slope,
                                .rate_y = y[TURNING] * v / a,
                                .duration = end.t * T,
                                .impulse = y[IMPULSE] * task->mass * v};
        out->energy0 = (task->mass * v * v + task->inertia * task->rate * task->rate) / 2;
        out->energy1 = (task->mass * out->velocity * out->velocity + task->inertia * out->rate * out->rate) / 2;
    }
    pc_solution_free(&end);
    return status;
}
