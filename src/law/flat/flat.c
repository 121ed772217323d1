/* Flat and nearly flat contact without friction: the impact of a thin disc on springs over its face, against a plane or
 * another disc that it overlaps in part, tilted in any direction.
 *
 * Local depth D + E.r over the face, with E the part of the disc's axis along the obstacle. The potential is a function
 * of D and E, so the moment about the centre is M x e with M = dU/dE and e the axis, and elastic contact conserves
 * energy. No moment acts about the axis; the disc does not spin, and what is said of the discs' places holds while
 * tilts are small.
 *
 * Source: Kecskemethy, Lange and Grabner (1999), extensions (3) and (4), inclined axes.
 */
#include "law/flat/flat.h"

#include "event/event.h"
#include "law/element.h"

#include <float.h>
#include <math.h>

static const char *const models[] = {"rim", "area", "overlap", NULL};

static const pc_row rows[] = {
    PC_CHOICE_ROW(
        pc_flat_task, model, "model", models, .initial = PC_FLAT_AREA,
        .doc = "where the springs are: along the rim, under the whole area, or where the disc overlaps a second one"),
    PC_ROW(pc_flat_task, lens.radius, "radius", .symbol = "a", .unit = PC_UNIT_M, .initial = PC_REQUIRED,
           .allowed = PC_POSITIVE, .doc = "radius of the disc"),
    PC_ROW(pc_flat_task, lens.other, "other_radius", .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_POSITIVE,
           .doc = "radius of the fixed disc, with model = \"overlap\""),
    PC_ROW(
        pc_flat_task, lens.offset, "offset", .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_ANY,
        .doc =
            "distance from the axis of the disc to that of the fixed one, along the slope, with model = \"overlap\""),
    PC_ROW(pc_flat_task, mass, "mass", .symbol = "m", .unit = PC_UNIT_KG, .initial = PC_REQUIRED,
           .allowed = PC_POSITIVE, .doc = "mass of the disc"),
    PC_ROW(pc_flat_task, inertia, "inertia", .unit = {.kg = 1, .m = 2}, .initial = PC_ABSENT, .allowed = PC_POSITIVE,
           .doc = "moment of inertia about a diameter; m a^2/4 of a thin homogeneous disc if not given"),
    PC_ROW(pc_flat_task, stiffness, "stiffness", .symbol = "k", .unit = PC_UNIT_N_PER_M, .initial = PC_REQUIRED,
           .allowed = PC_POSITIVE, .doc = "stiffness of all springs together, when the faces are parallel"),
    PC_ROW(pc_flat_task, tilt, "tilt", .unit = PC_UNIT_RAD, .initial = 0, .allowed = {-M_PI / 2, M_PI / 2, true, true},
           .doc = "angle between the faces at first touch; positive: the side of positive x is lower"),
    PC_ROW(pc_flat_task, azimuth, "azimuth", .unit = PC_UNIT_RAD, .initial = 0, .allowed = {-M_PI, M_PI, false, false},
           .doc = "direction of the lower side from the line that joins the axes, with model = \"overlap\""),
    PC_ROW(pc_flat_task, speed, "speed", .unit = PC_UNIT_M_PER_S, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .doc = "speed of the disc's centre towards the obstacle"),
    PC_ROW(pc_flat_task, rate, "rate", .unit = {.s = -1}, .initial = 0, .allowed = PC_ANY,
           .doc = "rate at which the tilt grows at first touch"),
    PC_ROW(pc_flat_task, damping, "damping", .symbol = "zeta", .greek = "ζ", .unit = {.m = -1, .s = 1}, .initial = 0,
           .allowed = PC_NONNEGATIVE, .group = 1,
           .doc = "damping zeta of each spring: its force is k depth (1 + zeta rate)"),
    PC_ROW(pc_flat_task, restitution, "restitution", .symbol = "e", .initial = 1, .allowed = {0.05, 1, false, false},
           .group = 1, .doc = "kinematic restitution of a disc that falls flat at this speed; zeta follows from it"),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_flat_task *task = object;
    const pc_lens *lens = &task->lens;
    bool overlap = task->model == PC_FLAT_OVERLAP;
    (void)schema, (void)given;
    if (overlap == isnan(lens->other) || overlap == isnan(lens->offset))
        return pc_fail(err, PC_E_ARGUMENT, "flat_impact: model = \"%s\" %s other_radius and offset",
                       models[task->model], overlap ? "needs" : "does not take");
    if (overlap && !(fabs(lens->offset) < lens->radius + lens->other))
        return pc_fail(err, PC_E_ARGUMENT,
                       "flat_impact: discs of radius %g and %g m do not overlap at an offset of %g m", lens->radius,
                       lens->other, lens->offset);
    if (!overlap && task->azimuth != 0)
        return pc_fail(err, PC_E_ARGUMENT, "flat_impact: azimuth = %.10g rad has no meaning with model = \"%s\"",
                       task->azimuth, models[task->model]);
    if (isnan(task->inertia)) task->inertia = task->mass * lens->radius * lens->radius / 4;
    return PC_OK;
}

const pc_schema pc_flat_schema = {
    .name = "flat_impact",
    .summary = "Impact of a thin disc that falls flat or tilted.",
    PC_ROWS(rows),
    .size = sizeof(pc_flat_task),
    .groups = {PC_AT_MOST_ONE},
    .validate = validate,
};

/* ---- the impact ---- */

/* Error of a step. At the edges the force grows with a fractional power of time, which costs the method its order, so
 * that steps are held short as well, as a share of the time in which the edge that touches would come to its deepest:
 * energy then closes to 1e-10. */
static const double TOLERANCE = 1e-13, LONGEST = 0.05;

/* Scaled: the radius, the mass, sqrt(m/k); depth and E over the length that the disc goes in that time. UPRIGHT is the
 * part of the axis along the normal of the obstacle. The first of them, as many as PLACES, tell all depths. */
enum { DEPTH, E, PLACES = E + 2, SINKING = PLACES, UPRIGHT, TURN, N = TURN + 3 };

typedef struct fall {
    int model;
    pc_lens lens; /* over the radius; an endless other disc where there is none */
    double density, damping, slope, gyration;
    bool whole; /* all of it is pressed */
} fall;

/* The load of springs of density 1 with the lowest place in the direction of p. */
static pc_lens_load press(const fall *f, double d, const double p[2], bool whole)
{
    if (f->model == PC_FLAT_OVERLAP) return pc_lens_press(&f->lens, d, p, whole);
    const pc_flat_patch patch = {f->model, 1};
    double s = hypot(p[0], p[1]), u[2] = {0}; /* flat, it has no direction: its moment is rounding */
    if (s > 0) u[0] = p[0] / s, u[1] = p[1] / s;
    pc_flat_load load = pc_flat_press(&patch, d, s, whole);
    double more = load.along - load.athwart;
    return (pc_lens_load){
        .force = load.force,
        .moment = {load.moment * u[0], load.moment * u[1]},
        .potential = load.potential,
        .centre = {load.lever * u[0], load.lever * u[1]},
        .spread = {load.athwart + more * u[0] * u[0], more * u[0] * u[1], load.athwart + more * u[1] * u[1]}};
}

/* The axis, and rates of E. */
static void axis_of(const fall *f, const double *y, double axis[3], double rate[2])
{
    axis[0] = f->slope * y[E];
    axis[1] = f->slope * y[E + 1];
    axis[2] = y[UPRIGHT];
    rate[0] = y[TURN + 1] * axis[2] - y[TURN + 2] * axis[1];
    rate[1] = y[TURN + 2] * axis[0] - y[TURN] * axis[2];
}

static int rates(double t, const double *y, double *rate, void *context)
{
    const fall *f = context;
    (void)t;
    double e[3], g[2];
    axis_of(f, y, e, g);
    pc_lens_load load = press(f, y[DEPTH], y + E, f->whole);
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
    return 0;
}

/* What may leave or touch: the lowest place, whose depth has a simple root where a whole rim's has not, or the highest;
 * and where the weight of the lens is not smooth: a rim, |E| its radius deep, or a corner. */
typedef struct place {
    fall *f;
    int side; /* 1: the lowest; -1: the highest */
    double x, y, radius;
} place;

/* Where it is lowest or, side = -1, highest, and the depth there. */
static double farthest(const fall *f, const double *y, int side, double at[2])
{
    double s = side * hypot(y[E], y[E + 1]), u[2] = {side, 0};
    if (s != 0) u[0] = y[E] / s, u[1] = y[E + 1] / s;
    pc_lens_farthest(&f->lens, u, at);
    return y[DEPTH] + y[E] * at[0] + y[E + 1] * at[1];
}

/* The rate of the depth at a place of the disc. */
static double rate_at(const fall *f, const double *y, const double at[2])
{
    double axis[3], g[2];
    axis_of(f, y, axis, g);
    return y[SINKING] + g[0] * at[0] + g[1] * at[1];
}

static int depth_at(double t, const double *y, double *g, void *context)
{
    const place *p = context;
    double middle = y[DEPTH] + y[E] * p->x + y[E + 1] * p->y, at[2];
    (void)t;
    if (p->side != 0)
        *g = farthest(p->f, y, p->side, at);
    else if (p->radius > 0)
        *g = middle * middle - p->radius * p->radius * (y[E] * y[E] + y[E + 1] * y[E + 1]);
    else
        *g = middle;
    return 0;
}

/* Edges this near the surface leave it together; a steep disc has an edge there by a difference of large numbers. */
static double near_surface(double depth)
{
    return 1e-11 + 16 * DBL_EPSILON * fabs(depth);
}

/* All of it is pressed, or is about to be. */
static bool is_whole(const fall *f, const double *y)
{
    double near = near_surface(y[DEPTH]), at[2], highest = farthest(f, y, -1, at);
    return highest > near || (highest > -near && rate_at(f, y, at) > 0);
}

/* The force has no higher derivatives where such a place passes the surface: start afresh there, or end. */
static int passes(double t, double *y, void *context)
{
    fall *f = ((const place *)context)->f;
    double at[2];
    (void)t;
    f->whole = is_whole(f, y);
    bool parts = farthest(f, y, 1, at) <= near_surface(y[DEPTH]) && rate_at(f, y, at) < 0;
    return parts ? PC_ACTION_STOP : PC_ACTION_RESTART;
}

/* Refuse what cannot be scaled: the time sqrt(m/k) and the slope, speed times time over radius, must be normal numbers,
 * and `size` finite: the square of the tilt, or the indentation that a search by doubling ended at. */
static pc_status check(const pc_flat_task *task, double T, double slope, double size, pc_error *err)
{
    if (isnormal(T) && isnormal(slope) && isfinite(size)) return PC_OK;
    return pc_fail(
        err, PC_E_ARGUMENT,
        "flat_impact: speed (v) = %g m/s, mass (m) = %g kg, stiffness (k) = %g N/m and radius (R) = %g m are "
        "too far apart: v sqrt(m/k)/R = %g or an indentation is beyond the range of numbers",
        task->speed, task->mass, task->stiffness, task->lens.radius, slope);
}

/* From y0 until an edge says that contact has ended. longest: time in which it would be at its deepest, where it takes
 * longer than flat; T: unit of time, s. */
static pc_status follow(fall *f, const double *y0, double longest, double T, pc_solution *end, pc_error *err)
{
    double corner[2];
    place places[6] = {{f, .side = 1}, {f, .side = -1}};
    pc_event events[6];
    int n = 2; /* a whole rim passes the surface with its lowest place or its highest */
    if (f->model == PC_FLAT_OVERLAP) {
        places[n++] = (place){f, .radius = 1};
        places[n++] = (place){f, .x = f->lens.offset, .radius = f->lens.other};
    }
    if (pc_lens_corners(&f->lens, corner))
        for (int k = -1; k <= 1; k += 2) places[n++] = (place){f, .x = corner[0], .y = k * corner[1]};
    for (int i = 0; i < n; i++)
        events[i] =
            (pc_event){.name = "edge", .g = depth_at, .action = passes, .context = &places[i], .leading = PLACES};
    f->whole = is_whole(f, y0);
    pc_ode_problem problem = {.n = N, .rhs = rates, .context = f, .autonomous = true};
    pc_ode_settings settings = {
        .rtol = TOLERANCE, .atol = TOLERANCE, .max_step = LONGEST * fmax(longest, 1), .max_steps = 100000};
    pc_solve_task task = {.problem = &problem,
                          .method = &pc_ode_dop853,
                          .settings = &settings,
                          .events = events,
                          .n_events = n,
                          .max_events = 10000,
                          .t1 = 1e6 * fmax(longest, 1),
                          .y0 = y0};
    pc_status status = pc_solve(&task, end, err);
    if (!status && end->stop != PC_STOP_EVENT)
        status = pc_fail_at(err, PC_E_NUMERIC, end->t * T, "contact", "the disc does not leave the surface");
    return status;
}

pc_status pc_flat_impact(const pc_flat_task *task, pc_flat_result *out, pc_error *err)
{
    double a = task->lens.radius, v = task->speed, T = sqrt(task->mass / task->stiffness);
    bool overlap = task->model == PC_FLAT_OVERLAP;
    fall f = {.model = task->model,
              .lens = {1, overlap ? task->lens.other / a : INFINITY, overlap ? task->lens.offset / a : 0},
              .slope = v * T / a,
              .gyration = task->mass * a * a / task->inertia,
              .damping = task->restitution < 1 ? pc_hunt_crossley_a(task->restitution) : task->damping * v};
    double c = cos(task->azimuth), d = sin(task->azimuth), s = sin(task->tilt) / f.slope;
    pc_status status = check(task, T, f.slope, s * s, err);
    if (status) return status;
    f.density = 1 / press(&f, 1, (const double[2]){0}, true).force; /* a depth of 1 everywhere */
    double side = task->tilt < 0 || (task->tilt == 0 && task->rate < 0) ? -1 : 1;
    double at[2], turn = task->rate * a / v;
    pc_lens_farthest(&f.lens, (double[]){side * c, side * d}, at);
    double reach = at[0] * c + at[1] * d, arm = reach * cos(task->tilt), approach = 1 + arm * turn, way = 1;
    if (!(approach > 0)) return pc_fail(err, PC_E_ARGUMENT, "flat_impact: the edge that touches does not approach");
    double y0[N] = {[DEPTH] = -s * reach,        [SINKING] = 1,      [E] = s * c,          [E + 1] = s * d,
                    [UPRIGHT] = cos(task->tilt), [TURN] = -turn * d, [TURN + 1] = turn * c};
    double energy = approach * approach / (1 + f.gyration * arm * arm) / 2; /* of the edge alone */
    while (f.density * press(&f, y0[DEPTH] + way, y0 + E, false).potential < energy && isfinite(way)) way *= 2;
    status = check(task, T, f.slope, way, err);
    if (status) return status;
    pc_solution end = {0};
    status = follow(&f, y0, way / (2 * approach), T, &end, err);
    if (!status) {
        const double *y = end.y, *w = y + TURN;
        double axis[3], g[2], size = hypot(y[E], y[E + 1]);
        axis_of(&f, y, axis, g);
        *out = (pc_flat_result){.velocity = -y[SINKING] * v,
                                .rate_x = w[0] * v / a,
                                .rate_y = w[1] * v / a,
                                .duration = end.t * T,
                                .impulse = (1 - y[SINKING]) * task->mass * v,
                                .energy0 = (task->mass * v * v + task->inertia * task->rate * task->rate) / 2};
        if (task->azimuth == 0 ||
            (task->tilt == 0 && task->rate == 0)) { /* it stays in one plane, and tilts either way */
            out->tilt = atan2(axis[0], axis[2]);
            out->rate = out->rate_y;
        } else {
            out->tilt = atan2(f.slope * size, axis[2]);
            out->azimuth = atan2(y[E + 1], y[E]);
            out->rate = size > 0 && axis[2] != 0 ? (y[E] * g[0] + y[E + 1] * g[1]) / (size * axis[2]) * v / a
                                                 : hypot(g[0], g[1]) * v / a;
        }
        double square = (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) * (v / a) * (v / a);
        out->energy1 = (task->mass * out->velocity * out->velocity + task->inertia * square) / 2;
    }
    pc_solution_free(&end);
    return status;
}
