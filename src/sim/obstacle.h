/* What stands in the way: floors, walls, planes, pegs, steps, blocks, bars. */
#ifndef PC_SIM_OBSTACLE_H
#define PC_SIM_OBSTACLE_H

#include "sim/hull.h"

#include "base/row.h"

#include <stddef.h>

typedef struct pc_obstacle_shape {
    double x, y, radius, depth, height, width, angle, nx, ny, x2, y2;
    int side;
} pc_obstacle_shape;

typedef struct pc_obstacle_kind {
    const pc_schema *schema; /* of pc_obstacle_shape; its name is that of the obstacle */
    pc_hull (*build)(const pc_obstacle_shape *shape);
    void (*describe)(const pc_obstacle_shape *shape, char *text, size_t size);
} pc_obstacle_kind;

enum { PC_OBSTACLE_KINDS = 7 };
extern const pc_obstacle_kind pc_obstacle_kinds[PC_OBSTACLE_KINDS];

#endif
