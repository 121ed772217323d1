/* Free planar bodies by their shape (disc, rod, box, capsule), or as a kind of body makes them. */
#ifndef PC_SCENE_FREE_H
#define PC_SCENE_FREE_H

#include "scene/scene.h"

#include "body/body.h"

typedef enum pc_shape { PC_SHAPE_OF_BODY = -1, PC_SHAPE_DISC, PC_SHAPE_ROD, PC_SHAPE_BOX, PC_SHAPE_CAPSULE } pc_shape;

/* What can be set, with position and velocity of the mass centre at the start. At angle 0 length and height lie along
 * y, width along x; the angle turns anticlockwise. */
typedef struct pc_free_shape {
    int shape;
    pc_plane_body body; /* n == 0: none was given */
    double mass, inertia, radius, length, width, height;
    double x, y, angle, vx, vy, rate;
    char name[PC_PART_NAME]; /* empty: none was given */
} pc_free_shape;

extern const pc_schema pc_free_schema;

/* The body with its outline. */
pc_status pc_scene_add_free(pc_scene *scene, const pc_free_shape *shape, const char *name, pc_error *err);

/* Corners or ends of the outline from the mass centre, (along e, across f), for drawing; their number. Circles of the
 * radius `round` are drawn about them. */
int pc_free_outline(const pc_free_shape *shape, double points[PC_BODY_CORNERS][2], double *round);

#endif
