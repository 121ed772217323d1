/* Free planar bodies by their shape (disc, rod, box, capsule), as a kind of body makes them, by their corners, or put
 * together from several of these. */
#ifndef PC_SCENE_FREE_H
#define PC_SCENE_FREE_H

#include "scene/scene.h"

#include "body/body.h"

typedef enum pc_shape {
    PC_SHAPE_OF_PIECES = -2,
    PC_SHAPE_OF_BODY = -1,
    PC_SHAPE_DISC,
    PC_SHAPE_ROD,
    PC_SHAPE_BOX,
    PC_SHAPE_CAPSULE
} pc_shape;

/* A convex piece of the outline of a body: corners, ends or centre from the mass centre, (along e, across f) as those
 * of a site, anticlockwise, and the radius round them. */
typedef struct pc_free_piece {
    int n;
    double points[PC_OUTLINE_SIDES][2], round;
} pc_free_piece;

/* What can be set, with position and velocity of the mass centre at the start. At angle 0 length and height lie along
 * y, width along x; the angle turns anticlockwise. */
typedef struct pc_free_shape {
    int shape;
    pc_plane_body body; /* n == 0: none was given */
    int n_pieces;       /* of PC_SHAPE_OF_PIECES, which are the caller's and have to stay */
    const pc_free_piece *pieces;
    double mass, inertia, radius, length, width, height;
    double x, y, angle, vx, vy, rate;
    bool touch;
    char name[PC_PART_NAME]; /* empty: none was given */
} pc_free_shape;

extern const pc_schema pc_free_schema;

/* The body with its outline. */
pc_status pc_scene_add_free(pc_scene *scene, const pc_free_shape *shape, const char *name, pc_error *err);

/* How many pieces the outline has; one of them. */
int pc_free_pieces(const pc_free_shape *shape);
void pc_free_find_piece(const pc_free_shape *shape, int i, pc_free_piece *piece);

/* What the rows "corners" and "shapes" say, which stay with whoever reads them, of a shape whose other rows were read:
 * a convex polygon of n corners (x, y), whose mass is spread evenly; and n bodies put together, each where its x, y and
 * angle say, whose masses add up. Both are placed about their mass centre. The pieces, as many as there are shapes with
 * all of their own, are written and have to stay. */
pc_status pc_free_take_corners(pc_free_shape *shape, const double (*corners)[2], int n, pc_free_piece *piece,
                               pc_error *err);
pc_status pc_free_take_shapes(pc_free_shape *shape, const pc_free_shape *shapes, int n, pc_free_piece *pieces,
                              pc_error *err);

#endif
