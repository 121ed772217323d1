/* The parts of a scene, and a scene from them: chains, free bodies, mechanisms, obstacles and forces, in the order in
 * which they are listed. */
#ifndef PC_SCENE_PART_H
#define PC_SCENE_PART_H

#include "body/body.h"
#include "scene/obstacle.h"
#include "scene/scene.h"

/* Free planar bodies by their shape (disc, rod, box, capsule, sphere), as a kind of body makes them, by their corners,
 * or put together from several of these. */

/* What of a free body may touch. */
enum { PC_FREE_OUTLINE, PC_FREE_NOTHING };

typedef enum pc_shape {
    PC_SHAPE_OF_PIECES = -2,
    PC_SHAPE_OF_BODY = -1,
    PC_SHAPE_DISC,
    PC_SHAPE_ROD,
    PC_SHAPE_BOX,
    PC_SHAPE_CAPSULE,
    PC_SHAPE_SPHERE
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
    int touch;               /* PC_FREE_OUTLINE or PC_FREE_NOTHING */
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

/* One of five: a chain or a mechanism with its motion at the start, a free body, an obstacle, or a force. What it
 * points to is the caller's; the chain, the mechanism and the force's parameters have to stay as long as the scene. */
typedef struct pc_part {
    const pc_chain *chain;
    const pc_chain_options *options;
    const pc_mechanism *mechanism; /* prepared */
    const double *angles, *rates;
    const pc_free_shape *body;
    const pc_obstacle_kind *obstacle;
    const pc_force_kind *force;
    const void *params; /* of the obstacle or the force */
} pc_part;

/* The name that it was given; empty: none was. And what it is called without. */
const char *pc_part_given_name(const pc_part *part);
const char *pc_part_kind_name(const pc_part *part);

/* Members with their outlines, and fixed outlines; each with a name of its own, which is given or that of its kind: the
 * second floor is floor2. PC_E_ARGUMENT: two were given the same name, or nothing can move. */
pc_status pc_scene_assemble(pc_scene *scene, const pc_part *parts, int n, pc_error *err);

/* Coordinates and velocities at the start, those of the members in order: 2 n_dof numbers. */
void pc_parts_start(const pc_part *parts, int n, int n_dof, double *start);

#endif
