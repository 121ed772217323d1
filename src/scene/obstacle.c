/* The list of obstacles: see obstacle.h. */
#include "scene/obstacle_rows.h"

const char *const pc_obstacle_sides[] = {"right", "left", NULL};

const pc_obstacle_kind *const pc_obstacle_kinds[] = {
#define PC_OBSTACLE(name) &pc_obstacle_##name,
#include "scene/obstacles.def"
#undef PC_OBSTACLE
};
