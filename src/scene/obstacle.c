/* Obstacles with corners, straight sides and circles, and the motion of all: see obstacle.h; curves: see
 * curved_obstacle.c. */
#include "scene/obstacle.h"

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

const pc_schema pc_drive_schema = {
    .name = "motion",
    .summary = "How an obstacle moves: a harmonic motion about the place where it was described, and turning about its "
               "middle.",
    PC_ROWS(drive_rows),
    .size = sizeof(pc_drive),
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

/* Rates of the first n of the numbers of a function, and, unless NULL, the rates of these: central differences over h,
 * h/2, h/4 and h/8, extrapolated (Richardson). For a wave of the frequency w they err by (w h)^8/1.5e9, and round at
 * 1e-15/(w h) and 6e-15/(w h)^2. */
enum { LEVELS = 4, MOST = 3 };
static int differentiate(int (*f)(double t, double *state, void *context), void *context, double t, double h, int from,
                         int n, double *rate, double *second)
{
    double now[9], left[9], right[9], table[2][MOST][LEVELS];
    int got = f(t, now, context);
    for (int k = 0; k < LEVELS && got >= 0; k++, h /= 2) {
        got = f(t - h, left, context);
        if (got >= 0) got = f(t + h, right, context);
        for (int i = 0; i < n && got >= 0; i++) {
            table[0][i][k] = (right[from + i] - left[from + i]) / (2 * h);
            table[1][i][k] = (right[from + i] - 2 * now[from + i] + left[from + i]) / (h * h);
        }
    }
    if (got < 0) return got;
    for (int which = 0; which < 2; which++)
        for (int i = 0; i < n; i++) {
            double *of = table[which][i], *out = which ? second : rate, four = 4;
            for (int column = 1; column < LEVELS; column++, four *= 4)
                for (int k = 0; k < LEVELS - column; k++) of[k] = of[k + 1] + (of[k + 1] - of[k]) / (four - 1);
            if (out) out[i] = of[0];
        }
    return 0;
}

/* Differences are taken over this share of the time scale. */
static const double SPAN = 0.25;

static int find_motion(const pc_drive *d, double t, double h, pc_drive_state *out)
{
    double state[9];
    int known = d->motion(t, state, d->context), got = 0;
    if (known < 0) return known;
    memcpy(out->place, state, sizeof out->place);
    if (known >= 6) memcpy(out->rate, state + 3, sizeof out->rate);
    if (known == 9) memcpy(out->acceleration, state + 6, sizeof out->acceleration);
    if (known == 6) got = differentiate(d->motion, d->context, t, h, 3, 3, out->acceleration, NULL);
    if (known == 3) got = differentiate(d->motion, d->context, t, h, 0, 3, out->rate, out->acceleration);
    return got;
}

int pc_drive_find(const pc_drive *d, double t, double scale, pc_drive_state *out)
{
    double amplitude[3] = {d->amplitude_x, d->amplitude_y, d->amplitude_angle};
    out->surface[0] = d->surface_speed;
    out->surface[1] = 0;
    if (d->surface) {
        int known = d->surface(t, out->surface, d->context);
        if (known == 1) known = differentiate(d->surface, d->context, t, SPAN * scale, 0, 1, &out->surface[1], NULL);
        if (known < 0) return known;
    }
    if (d->motion) return find_motion(d, t, SPAN * scale, out);
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
