/* Impacts of elastic bodies as they are asked for: by cells, or by an error that is allowed. */
#ifndef PC_ELASTIC_COLLIDE_H
#define PC_ELASTIC_COLLIDE_H

#include "elastic/impact.h"

typedef struct pc_elastic_body {
    pc_elastic_shape shape;
    double young, poisson, density; /* Pa, -, kg/m^3 */
} pc_elastic_body;

/* Cells along a side of the core; Poisson's ratio from which bilinear cells lock too much. */
enum { PC_ELASTIC_CELLS_LEAST = 6, PC_ELASTIC_CELLS_MOST = 40 };
#define PC_ELASTIC_POISSON_MOST 0.45

/* What is known beforehand: the rigid body, and Hertz's impact of it (round ends; else NaN). */
typedef struct pc_elastic_scales {
    double mass, inertia, height;                  /* kg; kg m^2 about the mass centre, across; m */
    double bar_speed;                              /* sqrt(E/rho), m/s */
    double contact_radius, depth, force, duration; /* m, m, N, s; flat ends: 2 L/c for the duration */
} pc_elastic_scales;
void pc_elastic_body_scales(const pc_elastic_body *body, double approach, pc_elastic_scales *out);

/* The tangential velocity by which psi counts, as in contact.maw: mu (2 - nu)/(2 (1 - nu)) |v_n|; 0 without friction.
 */
double pc_elastic_unit(const pc_elastic_body *body, const pc_elastic_motion *motion);

typedef struct pc_elastic_request {
    pc_elastic_motion motion;
    int cells;
    double tolerance;        /* of e, v_t in units of psi, and the duration over its Hertz value; NaN: cells decides */
    pc_elastic_watch *watch; /* NULL: nobody looks */
} pc_elastic_request;

/* The mesh on which an impact's history and fields are: cells, and where the edge of contact lies within one. */
typedef struct pc_elastic_hit {
    pc_elastic_scales scales;
    int cells;
    double placement;
    pc_elastic_result result;     /* means of both placements where a tolerance was given, but for histories */
    double mass, inertia, height; /* of the mesh, by which momenta are */
    int n_rings;
    double *radius, *area;                                            /* of each ring: m, m^2 */
    int meshes;                                                       /* computed in all */
    double error_restitution, error_unit, error_duration, error_peak; /* estimates; NaN: none was asked for */
} pc_elastic_hit;

pc_status pc_elastic_collide(const pc_elastic_body *body, const pc_elastic_request *request, pc_elastic_hit *out,
                             pc_error *err);

void pc_elastic_hit_free(pc_elastic_hit *hit);

/* The model of a mesh, as pc_elastic_collide makes it. */
pc_status pc_elastic_body_model(const pc_elastic_body *body, double approach, int cells, double placement,
                                pc_elastic_model *model, pc_error *err);

#endif
