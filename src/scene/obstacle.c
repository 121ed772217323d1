/* Floors, walls, planes, pegs, steps, blocks and bars: see obstacle.h. */
#include "scene/obstacle.h"

#include <math.h>
#include <stdio.h>

#define PLACE(member) offsetof(pc_obstacle_shape, member)

#define ROW(member, dimension, start, range, text)                                                                     \
    {                                                                                                                  \
        .name = #member, PC_MEMBER(pc_obstacle_shape, member), .unit = dimension, .initial = start, .allowed = range,  \
        .doc = text                                                                                                    \
    }

/* Last of every kind. */
#define NAME_ROW                                                                                                       \
    {                                                                                                                  \
        .name = "name", .kind = PC_TEXT, .offset = PLACE(name), .count = PC_PART_NAME, .initial = PC_ABSENT,           \
        .doc = "for pairs and events; that of its kind if not given"                                                   \
    }

static const char *const sides[] = {"right", "left", NULL};

#define SIDE_ROW(text)                                                                                                 \
    {                                                                                                                  \
        .name = "side", .kind = PC_CHOICE, .offset = PLACE(side), .initial = PC_REQUIRED, .choices = sides,            \
        .doc = text                                                                                                    \
    }

/* The rows of a schema. */
#define OBSTACLE_ROWS(list) .rows = list, .n_rows = sizeof list / sizeof *list, .size = sizeof(pc_obstacle_shape)

/* ---- floor ---- */

static const pc_row floor_rows[] = {
    {.name = "depth",
     .symbol = "D",
     PC_MEMBER(pc_obstacle_shape, depth),
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .allowed = PC_ANY,
     .group = 1,
     .doc = "of the floor below y = 0"},
    {.name = "height",
     PC_MEMBER(pc_obstacle_shape, height),
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .allowed = PC_ANY,
     .group = 1,
     .doc = "of the floor above y = 0"},
    NAME_ROW,
};

static const pc_schema floor_schema = {
    .name = "floor",
    .summary = "A horizontal floor for scenes.",
    .example = "print(percuss.floor{ depth = 0.9 })\n--> floor at y = -0.9",
    OBSTACLE_ROWS(floor_rows),
    .groups = {PC_EXACTLY_ONE},
};

static double floor_height(const pc_obstacle_shape *shape)
{
    return isnan(shape->depth) ? shape->height : -shape->depth;
}

static pc_outline build_floor(const pc_obstacle_shape *shape)
{
    return pc_outline_plane("floor", 0, floor_height(shape), 0, 1);
}

static void describe_floor(const pc_obstacle_shape *shape, char *text, size_t size)
{
    snprintf(text, size, "floor at y = %g", floor_height(shape));
}

const pc_obstacle_kind pc_obstacle_floor = {&floor_schema, build_floor, describe_floor};

/* ---- wall ---- */

static const pc_row wall_rows[] = {
    ROW(x, PC_UNIT_M, PC_REQUIRED, PC_ANY, "where the wall stands"),
    SIDE_ROW("on which side of it things move: \"right\" or \"left\""),
    NAME_ROW,
};

static const pc_schema wall_schema = {
    .name = "wall",
    .summary = "A vertical wall for scenes.",
    .example = "print(percuss.wall{ x = 1.1, side = \"left\" })\n--> wall at x = 1.1, open to the left",
    OBSTACLE_ROWS(wall_rows),
};

static pc_outline build_wall(const pc_obstacle_shape *shape)
{
    return pc_outline_plane("wall", shape->x, 0, shape->side ? -1 : 1, 0);
}

static void describe_wall(const pc_obstacle_shape *shape, char *text, size_t size)
{
    snprintf(text, size, "wall at x = %g, open to the %s", shape->x, sides[shape->side]);
}

const pc_obstacle_kind pc_obstacle_wall = {&wall_schema, build_wall, describe_wall};

/* ---- plane ---- */

static const pc_row plane_rows[] = {
    ROW(x, PC_UNIT_M, 0, PC_ANY, "a point of the plane"),
    ROW(y, PC_UNIT_M, 0, PC_ANY, "a point of the plane"),
    ROW(nx, PC_UNIT_NONE, PC_REQUIRED, PC_ANY, "normal, into the open side; of any length"),
    ROW(ny, PC_UNIT_NONE, PC_REQUIRED, PC_ANY, "normal, into the open side; of any length"),
    NAME_ROW,
};

static pc_status plane_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    (void)schema, (void)given;
    pc_obstacle_shape *shape = object;
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
    OBSTACLE_ROWS(plane_rows),
    .validate = plane_validate,
};

static pc_outline build_plane(const pc_obstacle_shape *shape)
{
    return pc_outline_plane("plane", shape->x, shape->y, shape->nx, shape->ny);
}

static void describe_plane(const pc_obstacle_shape *shape, char *text, size_t size)
{
    snprintf(text, size, "plane through (%g, %g) with the normal (%g, %g)", shape->x, shape->y, shape->nx, shape->ny);
}

const pc_obstacle_kind pc_obstacle_plane = {&plane_schema, build_plane, describe_plane};

/* ---- peg ---- */

static const pc_row peg_rows[] = {
    ROW(x, PC_UNIT_M, PC_REQUIRED, PC_ANY, "centre"),
    ROW(y, PC_UNIT_M, PC_REQUIRED, PC_ANY, "centre"),
    ROW(radius, PC_UNIT_M, 0, PC_NONNEGATIVE, "0: a point, which round bodies and flat sides may touch"),
    NAME_ROW,
};

static const pc_schema peg_schema = {
    .name = "peg",
    .summary = "A fixed disc for scenes.",
    .example = "print(percuss.peg{ x = 0, y = -1, radius = 0.1 })\n--> peg of radius 0.1 at (0, -1)",
    OBSTACLE_ROWS(peg_rows),
};

static pc_outline build_peg(const pc_obstacle_shape *shape)
{
    return pc_outline_point("peg", shape->x, shape->y, shape->radius);
}

static void describe_peg(const pc_obstacle_shape *shape, char *text, size_t size)
{
    snprintf(text, size, "peg of radius %g at (%g, %g)", shape->radius, shape->x, shape->y);
}

const pc_obstacle_kind pc_obstacle_peg = {&peg_schema, build_peg, describe_peg};

/* ---- step ---- */

static const pc_row step_rows[] = {
    ROW(x, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of its edge"),
    ROW(y, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of its edge and its flat top"),
    SIDE_ROW("on which side of its edge it stands: \"right\" or \"left\""),
    NAME_ROW,
};

static const pc_schema step_schema = {
    .name = "step",
    .summary = "A step for scenes: a flat top that ends at an edge, and a vertical face below it.",
    .details = "What is round rolls over the edge. With a floor below it stands on that.",
    .example =
        "print(percuss.step{ x = 1, y = 0.2, side = \"right\" })\n--> step with its edge at (1, 0.2), to the right",
    OBSTACLE_ROWS(step_rows),
};

static pc_outline build_step(const pc_obstacle_shape *shape)
{
    static const double leftwards[2] = {-1, 0}, up[2] = {0, 1}, down[2] = {0, -1};
    bool left = shape->side;
    return pc_outline_wedge("step", shape->x, shape->y, left ? up : leftwards, left ? leftwards : down);
}

static void describe_step(const pc_obstacle_shape *shape, char *text, size_t size)
{
    snprintf(text, size, "step with its edge at (%g, %g), to the %s", shape->x, shape->y, sides[shape->side]);
}

const pc_obstacle_kind pc_obstacle_step = {&step_schema, build_step, describe_step};

/* ---- block ---- */

static const pc_row block_rows[] = {
    ROW(x, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of its centre"),
    ROW(y, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of its centre"),
    ROW(width, PC_UNIT_M, PC_REQUIRED, PC_POSITIVE, "along x at angle 0"),
    ROW(height, PC_UNIT_M, PC_REQUIRED, PC_POSITIVE, "along y at angle 0"),
    ROW(angle, PC_UNIT_RAD, 0, PC_ANY, "by which it is turned, anticlockwise"),
    NAME_ROW,
};

static const pc_schema block_schema = {
    .name = "block",
    .summary = "A fixed box for scenes, with flat sides and four corners.",
    .example = "print(percuss.block{ x = 0, y = -1, width = 2, height = 0.5 })\n--> block of 2 by 0.5 at (0, -1)",
    OBSTACLE_ROWS(block_rows),
};

static pc_outline build_block(const pc_obstacle_shape *shape)
{
    double c = cos(shape->angle), s = sin(shape->angle), corners[8];
    for (int i = 0; i < 4; i++) {
        double w = (i == 1 || i == 2 ? 0.5 : -0.5) * shape->width, h = (i < 2 ? -0.5 : 0.5) * shape->height;
        corners[2 * i] = shape->x + c * w - s * h;
        corners[2 * i + 1] = shape->y + s * w + c * h;
    }
    return pc_outline_polygon("block", corners, 4, 0);
}

static void describe_block(const pc_obstacle_shape *shape, char *text, size_t size)
{
    int n = snprintf(text, size, "block of %g by %g at (%g, %g)", shape->width, shape->height, shape->x, shape->y);
    if (shape->angle != 0) snprintf(text + n, size - (size_t)n, ", turned by %g rad", shape->angle);
}

const pc_obstacle_kind pc_obstacle_block = {&block_schema, build_block, describe_block};

/* ---- bar ---- */

static const pc_row bar_rows[] = {
    ROW(x, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of one end"),
    ROW(y, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of one end"),
    ROW(x2, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of the other end"),
    ROW(y2, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of the other end"),
    ROW(radius, PC_UNIT_M, 0, PC_NONNEGATIVE, "of its round ends, and half its thickness"),
    NAME_ROW,
};

static pc_status bar_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    (void)schema, (void)given;
    const pc_obstacle_shape *shape = object;
    if (shape->x == shape->x2 && shape->y == shape->y2)
        return pc_fail(err, PC_E_ARGUMENT, "bar: its ends must differ; a peg is a disc or a point");
    return PC_OK;
}

static const pc_schema bar_schema = {
    .name = "bar",
    .summary = "A fixed bar for scenes: a wall with two ends and two sides.",
    .example = "print(percuss.bar{ x = 0, y = 0, x2 = 1, y2 = 1 })\n--> bar from (0, 0) to (1, 1)",
    OBSTACLE_ROWS(bar_rows),
    .validate = bar_validate,
};

static pc_outline build_bar(const pc_obstacle_shape *shape)
{
    const double ends[4] = {shape->x, shape->y, shape->x2, shape->y2};
    return pc_outline_polygon("bar", ends, 2, shape->radius);
}

static void describe_bar(const pc_obstacle_shape *shape, char *text, size_t size)
{
    int n = snprintf(text, size, "bar from (%g, %g) to (%g, %g)", shape->x, shape->y, shape->x2, shape->y2);
    if (shape->radius > 0) snprintf(text + n, size - (size_t)n, " of radius %g", shape->radius);
}

const pc_obstacle_kind pc_obstacle_bar = {&bar_schema, build_bar, describe_bar};

const pc_obstacle_kind *const pc_obstacle_kinds[] = {
#define PC_OBSTACLE(name) &pc_obstacle_##name,
#include "scene/obstacles.def"
#undef PC_OBSTACLE
};
