/* Obstacles without an end: floors, walls and inclined planes. */
#include "scene/obstacle_rows.h"

#include <math.h>
#include <stdio.h>

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
    NAME_ROW,
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
    LENGTH_ROW(x, PC_REQUIRED, PC_ANY, "where the wall stands"),
    {.name = "side",
     .kind = PC_CHOICE,
     .offset = PLACE(side),
     .initial = PC_REQUIRED,
     .choices = pc_obstacle_sides,
     .doc = "on which side of it things move: \"right\" or \"left\""},
    NAME_ROW,
};

static const pc_schema wall_schema = {
    .name = "wall",
    .summary = "A vertical wall for scenes.",
    .example = "print(percuss.wall{ x = 1.1, side = \"left\" })\n--> wall at x = 1.1, open to the left",
    .rows = wall_rows,
    .n_rows = sizeof wall_rows / sizeof *wall_rows,
    .size = sizeof(pc_obstacle_shape),
};

static pc_outline build_wall(const pc_obstacle_shape *shape)
{
    return pc_outline_plane("wall", shape->x, 0, shape->side ? -1 : 1, 0);
}

static void describe_wall(const pc_obstacle_shape *shape, char *text, size_t size)
{
    snprintf(text, size, "wall at x = %g, open to the %s", shape->x, pc_obstacle_sides[shape->side]);
}

const pc_obstacle_kind pc_obstacle_wall = {&wall_schema, build_wall, describe_wall};

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
    NAME_ROW,
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

static pc_outline build_plane(const pc_obstacle_shape *shape)
{
    return pc_outline_plane("plane", shape->x, shape->y, shape->nx, shape->ny);
}

static void describe_plane(const pc_obstacle_shape *shape, char *text, size_t size)
{
    snprintf(text, size, "plane through (%g, %g) with the normal (%g, %g)", shape->x, shape->y, shape->nx, shape->ny);
}

const pc_obstacle_kind pc_obstacle_plane = {&plane_schema, build_plane, describe_plane};
