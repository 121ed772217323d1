/* A scene from its parts: chains, free bodies and obstacles, in the order in which they are listed. */
#ifndef PC_SCENE_ASSEMBLY_H
#define PC_SCENE_ASSEMBLY_H

#include "scene/free.h"
#include "scene/obstacle.h"

/* One of four: a chain with its motion at the start, a free body, an obstacle, or a force. What it points to is the
 * caller's; the chain and the force's parameters have to stay as long as the scene. */
typedef struct pc_part {
    const pc_chain *chain;
    const pc_chain_options *options;
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
