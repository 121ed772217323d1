/* What the rows of obstacles share. */
#ifndef PC_SCENE_OBSTACLE_ROWS_H
#define PC_SCENE_OBSTACLE_ROWS_H

#include "scene/obstacle.h"

#define PLACE(member) offsetof(pc_obstacle_shape, member)

#define LENGTH_ROW(member, start, range, text)                                                                         \
    {                                                                                                                  \
        .name = #member, .kind = PC_REAL, .offset = PLACE(member), .unit = PC_UNIT_M, .initial = start,                \
        .allowed = range, .doc = text                                                                                  \
    }

/* Last of every kind. */
#define NAME_ROW                                                                                                       \
    {                                                                                                                  \
        .name = "name", .kind = PC_TEXT, .offset = PLACE(name), .count = PC_PART_NAME, .initial = PC_ABSENT,           \
        .doc = "for pairs and events; that of its kind if not given"                                                   \
    }

/* Words of pc_obstacle_shape.side; NULL at the end. */
extern const char *const pc_obstacle_sides[];

#endif
