/* What the kinds of bodies share: rows for matter and surface, inertia of simple shapes, the free rigid body. */
#ifndef PC_BODY_KIND_H
#define PC_BODY_KIND_H

#include "body/body.h"

#include <math.h>

#define PC_BODY_QUARTER (M_PI / 2)

/* The surface at the contact. */
typedef struct pc_surface {
    double curvature;
    pc_material material;
} pc_surface;

/* How much there is of it: mass, or density times volume. */
typedef struct pc_matter {
    double mass, density;
} pc_matter;

/* Rows for members `surface` and `matter` of a parameter struct. Mass and density are group 1. */
#define PC_SURFACE_ROWS(type)                                                                                          \
    {.name = "curvature",                                                                                              \
     PC_MEMBER(type, surface.curvature),                                                                               \
     .unit = PC_UNIT_PER_M,                                                                                            \
     .initial = PC_ABSENT,                                                                                             \
     .allowed = PC_ANY,                                                                                                \
     .follows = true,                                                                                                  \
     .doc = "curvature of the surface at the contact, in place of the one that follows from the shape; 0 is flat"},    \
    {                                                                                                                  \
        .name = "material", .kind = PC_OBJECT, .offset = offsetof(type, surface) + offsetof(pc_surface, material),     \
        .count = sizeof(pc_material), .initial = PC_ABSENT, .object = "material",                                      \
        .doc = "elastic constants of the surface, and the density where neither mass nor density is given"             \
    }

#define PC_MATTER_ROWS(type)                                                                                           \
    {.name = "mass",                                                                                                   \
     .symbol = "m",                                                                                                    \
     PC_MEMBER(type, matter.mass),                                                                                     \
     .unit = PC_UNIT_KG,                                                                                               \
     .initial = PC_ABSENT,                                                                                             \
     .allowed = PC_POSITIVE,                                                                                           \
     .sample = {1e-3, 10},                                                                                             \
     .group = 1,                                                                                                       \
     .doc = "mass; or give the density or a material with one"},                                                       \
    {                                                                                                                  \
        .name = "density", .symbol = "rho", .greek = "ρ", PC_MEMBER(type, matter.density), .unit = PC_UNIT_KG_PER_M3,  \
        .initial = PC_ABSENT, .allowed = PC_POSITIVE, .group = 1, .follows = true,                                     \
        .doc = "mass per volume of the shape"                                                                          \
    }

#define PC_SPATIAL_ROW(type)                                                                                           \
    {                                                                                                                  \
        .name = "spatial", PC_MEMBER(type, spatial), .initial = 0,                                                     \
        .doc = "true: motion in space, with the second tangent; false: motion in the plane (t, n)"                     \
    }

/* An angle from the normal, with quarter turns as limits; `type` has a member `angle`. */
#define PC_ANGLE_ROW(type, start, text)                                                                                \
    {                                                                                                                  \
        .name = "angle", .symbol = "theta", .greek = "θ", PC_MEMBER(type, angle), .unit = PC_UNIT_RAD,                 \
        .initial = start, .allowed = {-PC_BODY_QUARTER, PC_BODY_QUARTER, false, false}, .sample = {-1.5, 1.5},         \
        .doc = text                                                                                                    \
    }

/* For `validate`. The material is made unknown if it was not given, and the curvature becomes the natural one if
 * it was not. */
void pc_surface_settle(pc_surface *surface, const pc_schema *schema, uint64_t given, double natural_curvature);

/* For `validate`, after pc_surface_settle: fill mass and density from one another. The volume is NaN if what
 * `missing` calls by its name was not given, which matters only when the mass has to come from a density. */
pc_status pc_matter_settle(pc_matter *matter, const pc_surface *surface, const pc_schema *schema, uint64_t given,
                           double volume, const char *missing, pc_error *err);

/* For `build`. */
void pc_surface_put(const pc_surface *surface, pc_body *body);

/* A free rigid body: arm from the mass centre to the contact point and inertia about the mass centre, both along
 * (t, n, t2). In the plane only the inertia about t2 and the arm's first two components count. */
void pc_body_fill_free(pc_body *body, bool spatial, double mass, double inertia[3][3], const double arm[3]);

/* Inertia of a body of revolution with its axis along (sin angle, -cos angle, 0). */
void pc_inertia_axial(double along, double across, double angle, double inertia[3][3]);

/* Inertia of a body of revolution with its axis along t2. */
void pc_inertia_rolling(double along, double across, double inertia[3][3]);

/* Contact of a flat-ended shape, width by height in the plane, turned by `angle` about t2: the lowest corner; or the
 * middle of the lower side where a side lies flat, which is where a symmetric pressure acts. */
void pc_corner_arm(double width, double height, double angle, double arm[3]);

#endif
