/* Obstacles with corners, straight sides and circles, and the motion of all: see obstacle.h; curves: see
 * curved_obstacle.c. */
#include "scene/obstacle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- motion ---- */

#define DRIVE_ROW(member, unit_, text) PC_ROW(pc_drive, member, #member, .unit = unit_, .allowed = PC_ANY, .doc = text)

static const pc_row drive_rows[] = {
    DRIVE_ROW(amplitude_x, PC_UNIT_M, "of its displacement amplitude_x sin(frequency t + phase)"),
    DRIVE_ROW(amplitude_y, PC_UNIT_M, "of its displacement amplitude_y sin(frequency t + phase), upwards"),
    DRIVE_ROW(amplitude_angle, PC_UNIT_RAD, "of its turning amplitude_angle sin(frequency t + phase), anticlockwise"),
    DRIVE_ROW(frequency, PC_UNIT_RAD_PER_S, "of its motion"),
    DRIVE_ROW(phase, PC_UNIT_RAD, "of its motion at t = 0"),
    DRIVE_ROW(rate, PC_UNIT_RAD_PER_S, "at which it turns all the time, anticlockwise, as a cam does"),
};

static pc_status drive_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    const pc_drive *d = object;
    if (given >> pc_schema_find(schema, "frequency") & 1 || !pc_drive_displaces(d) || d->rate != 0) return PC_OK;
    return pc_fail(err, PC_E_ARGUMENT, "motion: its amplitudes need a frequency (rad/s), or nothing moves");
}

const pc_schema pc_drive_schema = {
    .name = "motion",
    .summary = "How an obstacle moves: a harmonic motion about the place where it was described, and turning about its "
               "middle.",
    PC_ROWS(drive_rows),
    .size = sizeof(pc_drive),
    .validate = drive_validate,
};

bool pc_drive_displaces(const pc_drive *d)
{
    return d->motion || d->amplitude_x != 0 || d->amplitude_y != 0 || d->amplitude_angle != 0 || d->rate != 0;
}

bool pc_drive_moves(const pc_drive *d)
{
    return d->motion || d->rate != 0 || (pc_drive_displaces(d) && d->frequency != 0);
}

bool pc_drive_acts(const pc_drive *d)
{
    return pc_drive_displaces(d) || d->surface || d->surface_speed != 0;
}

/* Differences are taken at these places, in shares of the greatest distance h from their middle: about it, or, where
 * rates are wanted nearer to an end, at those of a Chebyshev polynomial, which round less there. What the last two add
 * to the others is little where a function is smooth. */
enum { POINTS = 9, INNER = POINTS - 2, MOST = 3 };
static const double PLACES[2][POINTS] = {
    {0, -0.125, 0.125, -0.25, 0.25, -0.5, 0.5, -1, 1},
    {0, -1, 1, -0.92387953251128674, 0.92387953251128674, -0.70710678118654752, 0.70710678118654752,
     -0.38268343236508977, 0.38268343236508977},
};

/* What they differ by, as a share of the greatest quotients, where a function has a corner or a jump between them; and
 * how much of that is rounding. */
static const double TORN = 1e-3, ROUNDED = 1e3;

/* Weights of the first two derivatives at 0 for values at x (Fornberg 1988), exact for polynomials of degree
 * POINTS - 1; and those of the first for the inner values alone. */
static void weigh(const double x[POINTS], double weight[2][POINTS], double inner[INNER])
{
    double w[3][POINTS] = {{1}}, before = 1;
    for (int i = 1; i < POINTS; i++) {
        if (i == INNER) memcpy(inner, w[1], INNER * sizeof *inner);
        double product = 1;
        for (int j = 0; j < i; j++) {
            double gap = x[i] - x[j];
            product *= gap;
            for (int k = 2; k >= 0 && j == i - 1; k--)
                w[k][i] = before / product * ((k > 0 ? k * w[k - 1][i - 1] : 0) - x[i - 1] * w[k][i - 1]);
            for (int k = 2; k >= 0; k--) w[k][j] = (x[i] * w[k][j] - (k > 0 ? k * w[k - 1][j] : 0)) / gap;
        }
        before = product;
    }
    memcpy(weight, w[1], 2 * sizeof *weight);
}

typedef int drive_function(double t, double *state, void *context);

/* Rates of numbers, the rates of these, and what the rates are a share of: the greatest difference quotient. */
typedef struct slopes {
    double rate[MOST], second[MOST], size[MOST];
} slopes;

/* Of the n numbers of a function from `from` on, at t, by differences over h to either side, or, beside a break, to one
 * side, so that nothing beyond it is asked. For a wave of the frequency w they err by (w h)^8/1.5e9, in the middle, and
 * round at 1e-15/(w h) and 6e-15/(w h)^2. PC_DRIVE_TORN: the function is not smooth there. */
static int differentiate(drive_function *f, void *context, double t, double h, const pc_span *within, int from, int n,
                         slopes *out)
{
    double x[POINTS], value[MOST][POINTS], state[9], weight[2][POINTS], inner[INNER];
    h = fmin(h, 0.5 * (within->to - within->from));
    double middle = fmin(fmax(t, within->from + h), within->to - h);
    const double *place = PLACES[middle != t];
    for (int k = 0; k < POINTS; k++) {
        int got = f(middle + h * place[k], state, context);
        if (got < 0) return got;
        x[k] = (middle - t) / h + place[k];
        for (int i = 0; i < n; i++) value[i][k] = state[from + i];
    }
    weigh(x, weight, inner);
    for (int i = 0; i < n; i++) {
        double size = 0, greatest = fabs(value[i][0]), sum[2] = {0}, less = 0;
        for (int k = 0; k < POINTS; k++) {
            double change = value[i][k] - value[i][0]; /* the weights of all values add up to zero */
            for (int j = 0; j < 2; j++) sum[j] += weight[j][k] * change;
            if (k < INNER) less += inner[k] * change;
            if (k > 0) size = fmax(size, fabs(change / place[k]));
            greatest = fmax(greatest, fabs(value[i][k]));
        }
        size += ROUNDED * DBL_EPSILON / TORN * greatest;
        if (fabs(sum[0] - less) > TORN * size) return PC_DRIVE_TORN;
        out->rate[i] = sum[0] / h;
        out->second[i] = sum[1] / (h * h);
        out->size[i] = size / h;
    }
    return 0;
}

/* Differences are taken over this share of the time scale. */
static const double SPAN = 0.25;

static int find_motion(const pc_drive *d, double t, double h, const pc_span *within, pc_drive_state *out)
{
    double state[9];
    slopes found;
    int known = d->motion(t, state, d->context), got = 0;
    if (known < 0) return known;
    if (known < 9) got = differentiate(d->motion, d->context, t, h, within, known - 3, 3, &found);
    memcpy(out->place, state, sizeof out->place);
    memcpy(out->rate, known >= 6 ? state + 3 : found.rate, sizeof out->rate);
    memcpy(out->acceleration,
           known == 9   ? state + 6
           : known == 6 ? found.rate
                        : found.second,
           sizeof out->acceleration);
    return got;
}

int pc_drive_find(const pc_drive *d, double t, double scale, const pc_span *within, pc_drive_state *out)
{
    double amplitude[3] = {d->amplitude_x, d->amplitude_y, d->amplitude_angle}, h = SPAN * scale;
    out->surface[0] = d->surface_speed;
    out->surface[1] = 0;
    if (d->surface) {
        slopes found;
        int known = d->surface(t, out->surface, d->context);
        if (known == 1 && (known = differentiate(d->surface, d->context, t, h, within, 0, 1, &found)) == 0)
            out->surface[1] = found.rate[0];
        if (known < 0) return known;
    }
    if (d->motion) return find_motion(d, t, h, within, out);
    double w = d->frequency, s = sin(w * t + d->phase), c = cos(w * t + d->phase);
    for (int i = 0; i < 3; i++) {
        out->place[i] = amplitude[i] * s;
        out->rate[i] = amplitude[i] * w * c;
        out->acceleration[i] = -amplitude[i] * w * w * s;
    }
    out->place[2] += d->rate * t;
    out->rate[2] += d->rate;
    return 0;
}

/* Times at which rates are compared with differences, in time scales from the start; how often these are taken over an
 * eighth of the way before, where the function is not smooth on it; and the share by which they may be off. */
static const double COMPARED[] = {0, 0.83, 5.3};
enum { SHORTER = 5 };
static const double AGREE = 0.01;

/* The first of the n numbers from `from` on whose rates, the numbers behind them, are not theirs at t; -1: there is
 * none, or none is known. < -1: stop. */
static int find_wrong(drive_function *f, void *context, double t, double h, const pc_span *within, int from, int n,
                      const double *state, slopes *found)
{
    int got = PC_DRIVE_TORN;
    for (int k = 0; k < SHORTER && got == PC_DRIVE_TORN; k++, h /= 8)
        got = differentiate(f, context, t, h, within, from, n, found);
    if (got == PC_DRIVE_TORN) return -1;
    if (got < 0) return -2;
    for (int i = 0; i < n; i++)
        if (fabs(state[from + n + i] - found->rate[i]) > AGREE * found->size[i]) return i;
    return -1;
}

pc_status pc_drive_check(const pc_drive *d, const char *name, double scale, const pc_span *within, pc_error *err)
{
    static const char *const numbers[] = {"x", "y", "angle", "rate of x", "rate of y", "rate of angle"};
    const struct {
        drive_function *f;
        const char *name;
        int group, most;
    } of[] = {{d->motion, "motion", 3, 9}, {d->surface, "surface_speed", 1, 2}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        for (size_t i = 0; i < sizeof COMPARED / sizeof *COMPARED && of[k].f; i++) {
            double t = within->from + COMPARED[i] * scale, state[9];
            if (!(t < within->to)) break;
            int known = of[k].f(t, state, d->context), n = of[k].group;
            for (int from = 0; from + n < known; from += n) {
                slopes found;
                int wrong = find_wrong(of[k].f, d->context, t, SPAN * scale, within, from, n, state, &found);
                if (wrong < -1) return pc_fail_stopped(err, t, of[k].name, "a function of the scene stopped");
                if (wrong < 0) continue;
                return pc_fail_at(err, PC_E_ARGUMENT, t, of[k].name,
                                  "%s: %s returns %.10g for the rate of its %s at t = %.10g s, but that changes at "
                                  "%.10g; return rates that are those of the numbers before them, or none",
                                  name, of[k].name, state[from + n + wrong], n == 1 ? "speed" : numbers[from + wrong],
                                  t, found.rate[wrong]);
            }
            if (known < 0) return pc_fail_stopped(err, t, of[k].name, "a function of the scene stopped");
        }
    return PC_OK;
}

double pc_drive_reach(const pc_drive *d, double arm)
{
    if (d->motion) return INFINITY;
    return hypot(d->amplitude_x, d->amplitude_y) + arm * (fabs(d->amplitude_angle) + 2 * (d->rate != 0));
}

double pc_drive_travel(const pc_drive *d, double arm, double time)
{
    if (!pc_drive_moves(d)) return 0;
    double swing = hypot(d->amplitude_x, d->amplitude_y) + arm * fabs(d->amplitude_angle);
    if (d->motion) return INFINITY;
    return swing * fmin(2, fabs(d->frequency) * time) + arm * fmin(2, fabs(d->rate) * time);
}

/* ---- kinds ---- */

#define ROW PC_OBSTACLE_ROW
#define LAST_ROWS PC_OBSTACLE_LAST_ROWS

static const char *const sides[] = {"right", "left", NULL};

#define SIDE_ROW(type, text) PC_CHOICE_ROW(type, side, "side", sides, .initial = PC_REQUIRED, .doc = text)

/* ---- floor ---- */

typedef struct ground {
    pc_obstacle_common common;
    double depth, height;
} ground;

static const pc_row floor_rows[] = {
    PC_ROW(ground, depth, "depth", .symbol = "D", .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_ANY,
           .group = 1, .doc = "of the floor below y = 0"),
    PC_ROW(ground, height, "height", .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_ANY, .group = 1,
           .doc = "of the floor above y = 0"),
    LAST_ROWS(ground),
};

static const pc_schema floor_schema = {
    .name = "floor",
    .summary = "A horizontal floor for scenes.",
    .example = "print(percuss.floor{ depth = 0.9 })\n--> floor at y = -0.9",
    PC_ROWS(floor_rows),
    .size = sizeof(ground),
    .groups = {PC_EXACTLY_ONE},
};

static double floor_height(const ground *shape)
{
    return isnan(shape->depth) ? shape->height : -shape->depth;
}

static pc_outline build_floor(const void *params)
{
    const ground *shape = params;
    return pc_outline_plane("floor", 0, floor_height(shape), 0, 1);
}

static void describe_floor(const void *params, char *text, size_t size)
{
    const ground *shape = params;
    snprintf(text, size, "floor at y = %g", floor_height(shape));
}

const pc_obstacle_kind pc_obstacle_floor = {.schema = &floor_schema, .build = build_floor, .describe = describe_floor};

/* ---- wall ---- */

typedef struct wall {
    pc_obstacle_common common;
    double x;
    int side;
} wall;

static const pc_row wall_rows[] = {
    ROW(wall, x, PC_UNIT_M, PC_REQUIRED, PC_ANY, "where the wall stands"),
    SIDE_ROW(wall, "on which side of it things move: \"right\" or \"left\""),
    LAST_ROWS(wall),
};

static const pc_schema wall_schema = {
    .name = "wall",
    .summary = "A vertical wall for scenes.",
    .example = "print(percuss.wall{ x = 1.1, side = \"left\" })\n--> wall at x = 1.1, open to the left",
    PC_ROWS(wall_rows),
    .size = sizeof(wall),
};

static pc_outline build_wall(const void *params)
{
    const wall *shape = params;
    return pc_outline_plane("wall", shape->x, 0, shape->side ? -1 : 1, 0);
}

static void describe_wall(const void *params, char *text, size_t size)
{
    const wall *shape = params;
    snprintf(text, size, "wall at x = %g, open to the %s", shape->x, sides[shape->side]);
}

const pc_obstacle_kind pc_obstacle_wall = {.schema = &wall_schema, .build = build_wall, .describe = describe_wall};

/* ---- plane ---- */

typedef struct plane {
    pc_obstacle_common common;
    double x, y, nx, ny;
} plane;

static const pc_row plane_rows[] = {
    ROW(plane, x, PC_UNIT_M, 0, PC_ANY, "a point of the plane"),
    ROW(plane, y, PC_UNIT_M, 0, PC_ANY, "a point of the plane"),
    ROW(plane, nx, PC_UNIT_NONE, PC_REQUIRED, PC_ANY, "normal, into the open side; of any length"),
    ROW(plane, ny, PC_UNIT_NONE, PC_REQUIRED, PC_ANY, "normal, into the open side; of any length"),
    LAST_ROWS(plane),
};

static pc_status plane_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    (void)schema, (void)given;
    plane *shape = object;
    double size = hypot(shape->nx, shape->ny);
    if (!(size > 0)) return pc_fail(err, PC_E_ARGUMENT, "plane: its normal must not be zero");
    shape->nx /= size;
    shape->ny /= size;
    return PC_OK;
}

static const pc_schema plane_schema = {
    .name = "plane",
    .summary = "An inclined plane for scenes.",
    .example = "print(percuss.plane{ nx = 3, ny = 4 })\n--> plane through (0, 0) with the normal (0.6, 0.8)",
    PC_ROWS(plane_rows),
    .size = sizeof(plane),
    .validate = plane_validate,
};

static pc_outline build_plane(const void *params)
{
    const plane *shape = params;
    return pc_outline_plane("plane", shape->x, shape->y, shape->nx, shape->ny);
}

static void describe_plane(const void *params, char *text, size_t size)
{
    const plane *shape = params;
    snprintf(text, size, "plane through (%g, %g) with the normal (%g, %g)", shape->x, shape->y, shape->nx, shape->ny);
}

const pc_obstacle_kind pc_obstacle_plane = {.schema = &plane_schema, .build = build_plane, .describe = describe_plane};

/* ---- peg ---- */

typedef struct peg {
    pc_obstacle_common common;
    double x, y, radius;
} peg;

static const pc_row peg_rows[] = {
    ROW(peg, x, PC_UNIT_M, PC_REQUIRED, PC_ANY, "centre"),
    ROW(peg, y, PC_UNIT_M, PC_REQUIRED, PC_ANY, "centre"),
    ROW(peg, radius, PC_UNIT_M, 0, PC_NONNEGATIVE, "0: a point, which round bodies and flat sides may touch"),
    LAST_ROWS(peg),
};

static const pc_schema peg_schema = {
    .name = "peg",
    .summary = "A fixed disc for scenes.",
    .example = "print(percuss.peg{ x = 0, y = -1, radius = 0.1 })\n--> peg of radius 0.1 at (0, -1)",
    PC_ROWS(peg_rows),
    .size = sizeof(peg),
};

static pc_outline build_peg(const void *params)
{
    const peg *shape = params;
    return pc_outline_point("peg", shape->x, shape->y, shape->radius);
}

static void describe_peg(const void *params, char *text, size_t size)
{
    const peg *shape = params;
    snprintf(text, size, "peg of radius %g at (%g, %g)", shape->radius, shape->x, shape->y);
}

const pc_obstacle_kind pc_obstacle_peg = {.schema = &peg_schema, .build = build_peg, .describe = describe_peg};

/* ---- bowl: a peg from within ---- */

static const pc_row bowl_rows[] = {
    ROW(peg, x, PC_UNIT_M, PC_REQUIRED, PC_ANY, "centre"),
    ROW(peg, y, PC_UNIT_M, PC_REQUIRED, PC_ANY, "centre"),
    ROW(peg, radius, PC_UNIT_M, PC_REQUIRED, PC_POSITIVE, "of the circle in which everything moves"),
    LAST_ROWS(peg),
};

static const pc_schema bowl_schema = {
    .name = "bowl",
    .summary = "The inside of a circle for scenes: a bowl, a loop, a drum from within.",
    .details = "All that may touch it is inside. Bodies with sides touch it with their corners.",
    .example = "print(percuss.bowl{ x = 0, y = 1, radius = 1 })\n--> bowl of radius 1 about (0, 1)",
    PC_ROWS(bowl_rows),
    .size = sizeof(peg),
};

static pc_outline build_bowl(const void *params)
{
    const peg *shape = params;
    return pc_outline_point("bowl", shape->x, shape->y, -shape->radius);
}

static void describe_bowl(const void *params, char *text, size_t size)
{
    const peg *shape = params;
    snprintf(text, size, "bowl of radius %g about (%g, %g)", shape->radius, shape->x, shape->y);
}

const pc_obstacle_kind pc_obstacle_bowl = {.schema = &bowl_schema, .build = build_bowl, .describe = describe_bowl};

/* ---- step ---- */

typedef struct step {
    pc_obstacle_common common;
    double x, y;
    int side;
} step;

static const pc_row step_rows[] = {
    ROW(step, x, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of its edge"),
    ROW(step, y, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of its edge and its flat top"),
    SIDE_ROW(step, "on which side of its edge it stands: \"right\" or \"left\""),
    LAST_ROWS(step),
};

static const pc_schema step_schema = {
    .name = "step",
    .summary = "A step for scenes: a flat top that ends at an edge, and a vertical face below it.",
    .details = "What is round rolls over the edge. With a floor below it stands on that.",
    .example =
        "print(percuss.step{ x = 1, y = 0.2, side = \"right\" })\n--> step with its edge at (1, 0.2), to the right",
    PC_ROWS(step_rows),
    .size = sizeof(step),
};

static pc_outline build_step(const void *params)
{
    const step *shape = params;
    static const double leftwards[2] = {-1, 0}, up[2] = {0, 1}, down[2] = {0, -1};
    bool left = shape->side;
    return pc_outline_wedge("step", shape->x, shape->y, left ? up : leftwards, left ? leftwards : down);
}

static void describe_step(const void *params, char *text, size_t size)
{
    const step *shape = params;
    snprintf(text, size, "step with its edge at (%g, %g), to the %s", shape->x, shape->y, sides[shape->side]);
}

const pc_obstacle_kind pc_obstacle_step = {.schema = &step_schema, .build = build_step, .describe = describe_step};

/* ---- block ---- */

typedef struct block {
    pc_obstacle_common common;
    double x, y, width, height, angle;
} block;

static const pc_row block_rows[] = {
    ROW(block, x, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of its centre"),
    ROW(block, y, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of its centre"),
    ROW(block, width, PC_UNIT_M, PC_REQUIRED, PC_POSITIVE, "along x at angle 0"),
    ROW(block, height, PC_UNIT_M, PC_REQUIRED, PC_POSITIVE, "along y at angle 0"),
    ROW(block, angle, PC_UNIT_RAD, 0, PC_ANY, "by which it is turned, anticlockwise"),
    LAST_ROWS(block),
};

static const pc_schema block_schema = {
    .name = "block",
    .summary = "A fixed box for scenes, with flat sides and four corners.",
    .example = "print(percuss.block{ x = 0, y = -1, width = 2, height = 0.5 })\n--> block of 2 by 0.5 at (0, -1)",
    PC_ROWS(block_rows),
    .size = sizeof(block),
};

static pc_outline build_block(const void *params)
{
    const block *shape = params;
    double c = cos(shape->angle), s = sin(shape->angle), corners[8];
    for (int i = 0; i < 4; i++) {
        double w = (i == 1 || i == 2 ? 0.5 : -0.5) * shape->width, h = (i < 2 ? -0.5 : 0.5) * shape->height;
        corners[2 * i] = shape->x + c * w - s * h;
        corners[2 * i + 1] = shape->y + s * w + c * h;
    }
    return pc_outline_polygon("block", corners, 4, 0);
}

static void describe_block(const void *params, char *text, size_t size)
{
    const block *shape = params;
    int n = snprintf(text, size, "block of %g by %g at (%g, %g)", shape->width, shape->height, shape->x, shape->y);
    if (shape->angle != 0) snprintf(text + n, size - (size_t)n, ", turned by %g rad", shape->angle);
}

const pc_obstacle_kind pc_obstacle_block = {.schema = &block_schema, .build = build_block, .describe = describe_block};

/* ---- bar ---- */

typedef struct bar {
    pc_obstacle_common common;
    double x, y, x2, y2, radius;
} bar;

static const pc_row bar_rows[] = {
    ROW(bar, x, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of one end"),
    ROW(bar, y, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of one end"),
    ROW(bar, x2, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of the other end"),
    ROW(bar, y2, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of the other end"),
    ROW(bar, radius, PC_UNIT_M, 0, PC_NONNEGATIVE, "of its round ends, and half its thickness"),
    LAST_ROWS(bar),
};

static pc_status bar_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    (void)schema, (void)given;
    const bar *shape = object;
    if (shape->x == shape->x2 && shape->y == shape->y2)
        return pc_fail(err, PC_E_ARGUMENT, "bar: its ends must differ; a peg is a disc or a point");
    return PC_OK;
}

static const pc_schema bar_schema = {
    .name = "bar",
    .summary = "A fixed bar for scenes: a wall with two ends and two sides.",
    .example = "print(percuss.bar{ x = 0, y = 0, x2 = 1, y2 = 1 })\n--> bar from (0, 0) to (1, 1)",
    PC_ROWS(bar_rows),
    .size = sizeof(bar),
    .validate = bar_validate,
};

static pc_outline build_bar(const void *params)
{
    const bar *shape = params;
    const double ends[4] = {shape->x, shape->y, shape->x2, shape->y2};
    return pc_outline_polygon("bar", ends, 2, shape->radius);
}

static void describe_bar(const void *params, char *text, size_t size)
{
    const bar *shape = params;
    int n = snprintf(text, size, "bar from (%g, %g) to (%g, %g)", shape->x, shape->y, shape->x2, shape->y2);
    if (shape->radius > 0) snprintf(text + n, size - (size_t)n, " of radius %g", shape->radius);
}

const pc_obstacle_kind pc_obstacle_bar = {.schema = &bar_schema, .build = build_bar, .describe = describe_bar};

/* ---- polygon ---- */

typedef struct polygon {
    pc_obstacle_common common;
    int n;
    double corners[PC_OUTLINE_SIDES][2]; /* anticlockwise */
} polygon;

static const pc_row polygon_rows[] = {
    PC_STAYS_ROW("corners", PC_LIST, .group = 1,
                 .doc = "of a convex polygon: a list of 3 to 16 places { x, y } (m), either way round"),
    LAST_ROWS(polygon),
};

static const pc_schema polygon_schema = {
    .name = "polygon",
    .summary = "A fixed convex polygon for scenes: a ramp, a wedge, a triangle.",
    .details = "What is not convex is put together from several. It is touched as a block is.",
    .example =
        "print(percuss.polygon{ corners = { { 0, 0 }, { 2, 0 }, { 2, 1 } } })\n--> polygon of 3 corners at (0, 0)",
    PC_ROWS(polygon_rows),
    .size = sizeof(polygon),
    .groups = {PC_EXACTLY_ONE},
};

static pc_status take_polygon(void *params, const pc_obstacle_source *source, pc_error *err)
{
    polygon *shape = params;
    const double(*corners)[2] = source->places;
    bool left;
    pc_status status = pc_outline_check_corners("polygon", corners, source->n, &left, err);
    if (status != PC_OK) return status;
    shape->n = source->n;
    for (int i = 0; i < shape->n; i++)
        memcpy(shape->corners[i], corners[left ? i : (shape->n - i) % shape->n], sizeof shape->corners[i]);
    return PC_OK;
}

static pc_outline build_polygon(const void *params)
{
    const polygon *shape = params;
    return pc_outline_polygon("polygon", shape->corners[0], shape->n, 0);
}

static void describe_polygon(const void *params, char *text, size_t size)
{
    const polygon *shape = params;
    snprintf(text, size, "polygon of %d corners at (%g, %g)", shape->n, shape->corners[0][0], shape->corners[0][1]);
}

const pc_obstacle_kind pc_obstacle_polygon = {&polygon_schema, build_polygon, describe_polygon, take_polygon};

const pc_obstacle_kind *const pc_obstacle_kinds[] = {
#define PC_OBSTACLE(name) &pc_obstacle_##name,
#include "scene/obstacles.def"
#undef PC_OBSTACLE
};
