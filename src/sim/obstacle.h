/* What stands in the way: floors, walls, planes, pegs. */
#ifndef PC_SIM_OBSTACLE_H
#define PC_SIM_OBSTACLE_H

#include "sim/scene.h"

typedef struct pc_obstacle_shape {
    double x, y, radius, depth, height, nx, ny;
    int side;
} pc_obstacle_shape;

typedef struct pc_obstacle_kind {
    const pc_schema *schema; /* of pc_obstacle_shape; its name is that of the obstacle */
    void (*build)(const pc_obstacle_shape *shape, pc_obstacle *obstacle);
} pc_obstacle_kind;

enum { PC_OBSTACLE_KINDS = 4 };
extern const pc_obstacle_kind pc_obstacle_kinds[PC_OBSTACLE_KINDS];

#endif
