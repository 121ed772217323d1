/* What stands in the way: floors, walls, planes, pegs, steps, blocks, bars. A kind is one descriptor and one row in
 * obstacles.def. */
#ifndef PC_SCENE_OBSTACLE_H
#define PC_SCENE_OBSTACLE_H

#include "shape/outline.h"

#include "base/row.h"

#include <stddef.h>

/* The parameters of a kind are a struct of its own that begins with this. */
typedef struct pc_obstacle_common {
    char name[PC_PART_NAME]; /* empty: none was given */
} pc_obstacle_common;

typedef struct pc_obstacle_kind {
    const pc_schema *schema; /* its name is that of the obstacle */
    pc_outline (*build)(const void *params);
    void (*describe)(const void *params, char *text, size_t size);
} pc_obstacle_kind;

/* A row of a number; and the name, which is the last row of every kind. */
#define PC_OBSTACLE_ROW(type, member, dimension, start, range, text)                                                   \
    {                                                                                                                  \
        .name = #member, PC_MEMBER(type, member), .unit = dimension, .initial = start, .allowed = range, .doc = text   \
    }

#define PC_OBSTACLE_NAME_ROW(type)                                                                                     \
    {                                                                                                                  \
        .name = "name", .kind = PC_TEXT, .offset = offsetof(type, common) + offsetof(pc_obstacle_common, name),        \
        .count = PC_PART_NAME, .initial = PC_ABSENT, .doc = "for pairs and events; that of its kind if not given"      \
    }

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
