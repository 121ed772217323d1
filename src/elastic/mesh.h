/* Meshes of the meridian half-section of a body of revolution that stands with its pole on the plane z = 0.
 *
 * Layers of nodes lie around the pole, each from the surface (position 0) to the axis (the last position). Layer 0 is
 * the edge of the core, a square patch of small cells at the pole, and the last layer the flat end of a rod or the edge
 * of the cap, a square patch at the far pole. Some nodes at the pole have no equations of motion, but follow the others
 * as in statics: the inner nodes, first of all the rings, bottom nodes that may touch.
 */
#ifndef PC_ELASTIC_MESH_H
#define PC_ELASTIC_MESH_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* What the outline of a body is made of. */
typedef struct pc_elastic_shape {
    double radius; /* of sphere or cylinder, m */
    double length; /* of the cylindrical part, m; 0: a sphere */
    bool flat;     /* ends of the cylinder; else they are hemispheres */
} pc_elastic_shape;

/* Mass, moment of inertia about the mass centre across the axis, and height of the mass centre. */
void pc_elastic_shape_matter(const pc_elastic_shape *shape, double density, double *mass, double *inertia,
                             double *height);

typedef struct pc_elastic_mesh {
    pc_elastic_shape shape;
    int positions; /* nodes of a layer */
    int layers;
    double *r, *z;                           /* layers x positions, m */
    int side;                                /* cells along a side of core and cap; 0: there is neither */
    double *core_r, *core_z, *cap_r, *cap_z; /* (side + 1)^2, in rows of nodes that begin on the axis */
    int *edge;                               /* the node of core and cap at each position of layer 0, of the last one */
    bool core_moves;                         /* but for its bottom row; else all of it is static */
    int n_inner, n_rings, n_boundary;        /* rings are the first of the inner nodes, from the axis outwards */
    double *inner_r, *inner_z, *boundary_r, *boundary_z; /* boundary: nodes that move and have inner ones beside them */
    int n_quads;
    int *quads;  /* cells with inner nodes, 4 nodes each, in order round: below n_inner, else n_inner + boundary node */
    int *upward; /* the boundary node that takes the mass of each inner one, where the core moves */
    double *gap; /* of each ring, m */
    double height; /* of the mass centre, m */
} pc_elastic_mesh;

/* Cells of size h at the pole, `cells` of them along a side of the core (flat ends: along the radius, and h counts for
 * nothing). */
pc_status pc_elastic_mesh_make(const pc_elastic_shape *shape, int cells, double h, bool core_moves,
                               pc_elastic_mesh *mesh, pc_error *err);

void pc_elastic_mesh_free(pc_elastic_mesh *mesh);

#endif
