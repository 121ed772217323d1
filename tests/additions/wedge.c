/* A wedge: a fixed triangle with a level base. */
#include "scene/obstacle.h"

#include <stdio.h>

typedef struct wedge {
    pc_obstacle_common common;
    double x, y, width, height;
} wedge;

static const pc_row rows[] = {
    PC_OBSTACLE_ROW(wedge, x, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of its tip"),
    PC_OBSTACLE_ROW(wedge, y, PC_UNIT_M, PC_REQUIRED, PC_ANY, "of its tip"),
    PC_OBSTACLE_ROW(wedge, width, PC_UNIT_M, PC_REQUIRED, PC_POSITIVE, "of its base"),
    PC_OBSTACLE_ROW(wedge, height, PC_UNIT_M, PC_REQUIRED, PC_POSITIVE, "of its tip above the base"),
    PC_OBSTACLE_LAST_ROWS(wedge),
};

static const pc_schema schema = {
    .name = "wedge_block",
    .summary = "A fixed triangle with a level base, for scenes.",
    .example =
        "print(percuss.wedge_block{ x = 0, y = 0, width = 2, height = 1 })\n--> wedge_block with its tip at (0, 0)",
    PC_ROWS(rows),
    .size = sizeof(wedge),
};

static pc_outline build(const void *params)
{
    const wedge *p = params;
    double half = p->width / 2, base = p->y - p->height;
    const double corners[6] = {p->x, p->y, p->x - half, base, p->x + half, base};
    return pc_outline_polygon("wedge_block", corners, 3, 0);
}

static void describe(const void *params, char *text, size_t size)
{
    const wedge *p = params;
    snprintf(text, size, "wedge_block with its tip at (%g, %g)", p->x, p->y);
}

const pc_obstacle_kind pc_obstacle_wedge_block = {.schema = &schema, .build = build, .describe = describe};
