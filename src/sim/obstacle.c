/* Obstacles: see obstacle.h. */
#include "sim/obstacle.h"

#include <math.h>

#define PLACE(member) offsetof(pc_obstacle_shape, member)

#define LENGTH_ROW(member, start, range, text)                                                                         \
    {                                                                                                                  \
        .name = #member, .kind = PC_REAL, .offset = PLACE(member), .unit = PC_UNIT_M, .initial = start,                \
        .allowed = range, .doc = text                                                                                  \
    }

/* ---- floor ---- */

static const pc_row floor_rows[] = {
    {.name = "depth",
     .symbol = "D",
     .kind = PC_REAL,
     .offset = PLACE(depth),
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .allowed = PC_ANY,
     .group = 1,
     .doc = "of the floor below y = 0"},
    {.name = "height",
     .kind = PC_REAL,
     .offset = PLACE(height),
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .allowed = PC_ANY,
     .group = 1,
     .doc = "of the floor above y = 0"},
};

static const pc_schema floor_schema = {
    .name = "floor",
    .summary = "A horizontal floor for scenes.",
    .example = "print(percuss.floor{ depth = 0.9 })\n--> floor at y = -0.9",
    .rows = floor_rows,
    .n_rows = sizeof floor_rows / sizeof *floor_rows,
    .size = sizeof(pc_obstacle_shape),
    .groups = {PC_EXACTLY_ONE},
};

static void build_floor(const pc_obstacle_shape *shape, pc_obstacle *obstacle)
{
    obstacle->y = isnan(shape->depth) ? shape->height : -shape->depth;
    obstacle->ny = 1;
}

/* ---- wall ---- */

static const char *const side_words[] = {"right", "left", NULL};

static const pc_row wall_rows[] = {
    LENGTH_ROW(x, PC_REQUIRED, PC_ANY, "where the wall stands"),
    {.name = "side",
     .kind = PC_CHOICE,
     .offset = PLACE(side),
     .initial = PC_REQUIRED,
     .choices = side_words,
     .doc = "on which side of it things move: \"right\" or \"left\""},
};

static const pc_schema wall_schema = {
    .name = "wall",
    .summary = "A vertical wall for scenes.",
    .example = "print(percuss.wall{ x = 1.1, side = \"left\" })\n--> wall at x = 1.1, open to the left",
    .rows = wall_rows,
    .n_rows = sizeof wall_rows / sizeof *wall_rows,
    .size = sizeof(pc_obstacle_shape),
};

static void build_wall(const pc_obstacle_shape *shape, pc_obstacle *obstacle)
{
    obstacle->x = shape->x;
    obstacle->nx = shape->side ? -1 : 1;
}

/* ---- plane ---- */

static const pc_row plane_rows[] = {
    LENGTH_ROW(x, 0, PC_ANY, "a point of the plane"),
    LENGTH_ROW(y, 0, PC_ANY, "a point of the plane"),
    {.name = "nx",
     .kind = PC_REAL,
     .offset = PLACE(nx),
     .initial = PC_REQUIRED,
     .allowed = PC_ANY,
     .doc = "normal, into the open side; of any length"},
    {.name = "ny",
     .kind = PC_REAL,
     .offset = PLACE(ny),
     .initial = PC_REQUIRED,
     .allowed = PC_ANY,
     .doc = "normal, into the open side; of any length"},
};

static pc_status plane_validate(void *object, uint64_t given, pc_error *err)
{
    (void)given;
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
    .rows = plane_rows,
    .n_rows = sizeof plane_rows / sizeof *plane_rows,
    .size = sizeof(pc_obstacle_shape),
    .validate = plane_validate,
};

static void build_plane(const pc_obstacle_shape *shape, pc_obstacle *obstacle)
{
    obstacle->x = shape->x;
    obstacle->y = shape->y;
    obstacle->nx = shape->nx;
    obstacle->ny = shape->ny;
}

/* ---- peg ---- */

static const pc_row peg_rows[] = {
    LENGTH_ROW(x, PC_REQUIRED, PC_ANY, "centre"),
    LENGTH_ROW(y, PC_REQUIRED, PC_ANY, "centre"),
    LENGTH_ROW(radius, 0, PC_NONNEGATIVE, "0: a point, as of a corner"),
};

static const pc_schema peg_schema = {
    .name = "peg",
    .summary = "A fixed disc for scenes.",
    .example = "print(percuss.peg{ x = 0, y = -1, radius = 0.1 })\n--> peg of radius 0.1 at (0, -1)",
    .rows = peg_rows,
    .n_rows = sizeof peg_rows / sizeof *peg_rows,
    .size = sizeof(pc_obstacle_shape),
};

static void build_peg(const pc_obstacle_shape *shape, pc_obstacle *obstacle)
{
    obstacle->disc = true;
    obstacle->x = shape->x;
    obstacle->y = shape->y;
    obstacle->radius = shape->radius;
}

const pc_obstacle_kind pc_obstacle_kinds[PC_OBSTACLE_KINDS] = {
    {&floor_schema, build_floor},
    {&wall_schema, build_wall},
    {&plane_schema, build_plane},
    {&peg_schema, build_peg},
};
