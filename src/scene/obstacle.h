/* What stands in the way: floors, walls, planes, pegs, steps, blocks, bars. A kind is one descriptor and one row in
 * obstacles.def. */
#ifndef PC_SCENE_OBSTACLE_H
#define PC_SCENE_OBSTACLE_H

#include "shape/outline.h"

#include "base/row.h"

#include <stddef.h>

typedef struct pc_obstacle_shape {
    double x, y, radius, depth, height, width, angle, nx, ny, x2, y2;
    int side;
    char name[PC_PART_NAME]; /* empty: none was given */
} pc_obstacle_shape;

typedef struct pc_obstacle_kind {
    const pc_schema *schema; /* of pc_obstacle_shape; its name is that of the obstacle */
    pc_outline (*build)(const pc_obstacle_shape *shape);
    void (*describe)(const pc_obstacle_shape *shape, char *text, size_t size);
} pc_obstacle_kind;

#define PC_OBSTACLE(name) extern const pc_obstacle_kind pc_obstacle_##name;
#include "scene/obstacles.def"
#undef PC_OBSTACLE

enum {
    PC_OBSTACLE_KINDS = 0
#define PC_OBSTACLE(name) +1
#include "scene/obstacles.def"
#undef PC_OBSTACLE
};
extern const pc_obstacle_kind *const pc_obstacle_kinds[PC_OBSTACLE_KINDS];

#endif
