/* Bodies frozen at the instant of contact.
 *
 * A body supplies the inverse effective mass W at its contact site and the map between the contact point's velocity
 * and its own. Coordinates: generalized velocities u (n of them), mass matrix A, contact Jacobian J (rows t, n, t2),
 * v = J u, W = J A^-1 J^T, u+ = u- + A^-1 J^T p.
 *
 * Frame: t, n and t2 = t x n are right-handed, n points from the obstacle into the body. A positive rate about t2
 * turns anticlockwise in the plane (t, n). Angles are measured from the normal, positive towards +t: a link from the
 * mass centre (or pivot) to its contact end has the direction (sin a, -cos a).
 */
#ifndef PC_BODY_BODY_H
#define PC_BODY_BODY_H

#include "base/row.h"
#include "base/status.h"
#include "math/mobility.h"

#include <math.h>
#include <stdbool.h>

/* Materials: elastic and plastic constants by name. */

/* NaN where a constant is unknown. Plain data, may be copied. */
typedef struct pc_material {
    char name[32];      /* "" where nothing is known */
    const char *source; /* static text, or NULL */
    double density;     /* kg/m^3 */
    double young;       /* Pa */
    double poisson;     /* - */
    double yield;       /* Pa */
} pc_material;

/* The parameters of a material given by constants. */
extern const pc_schema pc_material_schema;

/* Named materials in the order of materials.def. */
extern const pc_material pc_materials[];
extern const int pc_n_materials;

/* The material of which nothing is known. */
extern const pc_material pc_material_unknown;

/* True if name and constants agree; unknown constants agree with each other. */
bool pc_material_same(const pc_material *a, const pc_material *b);

enum { PC_BODY_DOF = PC_MATRIX_SIDE };

/* What the velocities of a body mean, which decides how they follow from those of the contact point. */
typedef enum pc_body_form {
    PC_BODY_DATA,    /* dof == 0: only W is known */
    PC_BODY_FREE,    /* translation of the mass centre and rotation: (vt, vn, omega), in space (vt, vn, vt2, three
                        rates about t, n, t2) */
    PC_BODY_JOINTED, /* any other generalized velocities */
} pc_body_form;

typedef struct pc_body_kind pc_body_kind;
struct pc_chain;

enum { PC_BODY_CORNERS = 4 };

/* What a scene needs of a body that moves freely in the plane: mass (kg) and inertia (kg m^2) about the mass centre,
 * the convex outline in its own frame, from the mass centre (m), and the angle (rad) by which the body as it strikes
 * is turned from that, anticlockwise. n corners, anticlockwise, with a radius round them: one is a disc, two the ends
 * of a segment. n == 0: the body has no outline. */
typedef struct pc_plane_body {
    double mass, inertia, angle, radius;
    int n;
    double corners[PC_BODY_CORNERS][2];
} pc_plane_body;

/* A body ready for use; plain data, may be copied. */
typedef struct pc_body {
    pc_plane_body planar;     /* comes first, so that rows of others can take it alone */
    const pc_body_kind *kind; /* NULL for a pair */
    pc_body_form form;
    bool spatial;     /* J and W have their third row */
    double mass;      /* kg; NaN where it has no meaning (matrix, system) */
    double curvature; /* of the surface at the contact, 1/m; 0 flat, NaN unknown or a sharp corner */
    pc_material material;
    pc_mobility W;
    int dof;                        /* 0: only W is known */
    const char *names[PC_BODY_DOF]; /* of the generalized velocities: "v[1]", "omega", "rate": as in a motion */
    pc_unit units[PC_BODY_DOF];
    double A[PC_BODY_DOF * PC_BODY_DOF]; /* dof x dof, row-major, packed */
    double J[3 * PC_BODY_DOF];           /* rows t, n, t2; each of dof numbers, packed */
    double response[PC_BODY_DOF * 3];    /* A^-1 J^T: dof x 3 */
    bool turns;                          /* how what touches turns is known: */
    double turn[3 * PC_BODY_DOF];        /* its rates about t, n, t2 by u, as J; in the plane the last alone */
    pc_vibration vibration;              /* beside its rigid motion; n == 0: none */
} pc_body;

struct pc_body_kind {
    const pc_schema *schema; /* of a struct that begins with a pc_surface */
    /* Fill form, spatial, mass, dof, names, units, A and J (or W where dof is 0) from parameters that passed the
     * schema; curvature and material are known. Free bodies that have an outline in the plane fill it, too
     * (pc_body_outline); scenes take those that do. */
    pc_status (*build)(const void *params, pc_body *body, pc_error *err);
    /* Where the body is a chain of links above a plane: the chain, from the pivot at the origin, with the disc of its
     * last link as what touches, and the angles at which it is. NULL: it is none. */
    void (*chain)(const void *params, struct pc_chain *chain, double *angles);
};

/* All kinds in the order of bodies.def. */
extern const pc_body_kind *const pc_body_kinds[];
extern const int pc_n_body_kinds;

/* Build and finish a body from parameters that passed the kind's schema. */
pc_status pc_body_make(const pc_body_kind *kind, const void *params, pc_body *body, pc_error *err);

/* Response, W and its rank from A and J; for data the rank alone. A may be singular where that is harmless: the
 * contact point does not move along any null direction of A. Anything else is refused. */
pc_status pc_body_finish(pc_body *body, pc_error *err);

/* v = J u. Components that the body does not have are 0. Needs dof > 0, as do the others that take u. */
void pc_body_contact_velocity(const pc_body *body, const double *u, double v[3]);

/* Own velocities for which the contact point moves with v. Free bodies: pure translation. Others: the velocities of
 * least kinetic energy, which are the only ones for a pendulum; v in a direction that the joints block is refused,
 * naming the direction that they allow. */
pc_status pc_body_velocities(const pc_body *body, const double v[3], double *u, pc_error *err);

/* Velocities after an impulse p at the contact; u1 may be u. */
void pc_body_after(const pc_body *body, const double *u, const double p[3], double *u1);

/* How what touches turns, at own velocities u, about the axes that are wanted (the others read 0), and the own
 * velocities that couples about them give, A^-1 turn^T: dof x 3. PC_E_UNSUPPORTED: it is not known. */
pc_status pc_body_turning(const pc_body *body, const double *u, const bool wanted[3], pc_turning *out,
                          double response[PC_BODY_DOF * 3], pc_error *err);

/* Kinetic energy, J. */
double pc_body_energy(const pc_body *body, const double *u);

/* Lai's parameters of the planar part: W = (1/mass) [1 + lambda cos 2 theta, lambda sin 2 theta; ., 1 - lambda cos 2
 * theta], lambda >= 0, theta from t to the axis of greater mobility, in (-pi/2, pi/2] (Lai 1999, 3.33-3.36). */
void pc_body_lai(const pc_body *body, double *mass, double *lambda, double *theta);

/* Two bodies in contact with each other: W = W_a + W_b, described by data alone. Each is given in its own frame, with
 * n pointing into it; the frame of the pair is that of a, and b is turned half round about t2. The curvature is the
 * sum; the material is known where both have the same. */
pc_status pc_body_pair(const pc_body *a, const pc_body *b, pc_body *out, pc_error *err);

/* What the kinds of bodies share: rows for matter and surface, inertia of simple shapes, the free rigid body. */

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
    PC_ROW(type, surface.curvature, "curvature", .unit = PC_UNIT_PER_M, .initial = PC_ABSENT, .allowed = PC_ANY,       \
           .follows = true,                                                                                            \
           .doc =                                                                                                      \
               "curvature of the surface at the contact, in place of the one that follows from the shape; 0 is flat"), \
    {                                                                                                                  \
        .name = "material", .kind = PC_OBJECT, .offset = offsetof(type, surface) + offsetof(pc_surface, material),     \
        .count = sizeof(pc_material), .initial = PC_ABSENT, .object = "material",                                      \
        .doc = "elastic constants of the surface, and the density where neither mass nor density is given"             \
    }

#define PC_MATTER_ROWS(type)                                                                                           \
    PC_ROW(type, matter.mass, "mass", .symbol = "m", .unit = PC_UNIT_KG, .initial = PC_ABSENT, .allowed = PC_POSITIVE, \
           .sample = {1e-3, 10}, .group = 1, .doc = "mass; or give the density or a material with one"),               \
        PC_ROW(type, matter.density, "density", .symbol = "rho", .greek = "ρ", .unit = PC_UNIT_KG_PER_M3,              \
               .initial = PC_ABSENT, .allowed = PC_POSITIVE, .group = 1, .follows = true,                              \
               .doc = "mass per volume of the shape")

#define PC_SPATIAL_ROW(type)                                                                                           \
    PC_ROW(type, spatial, "spatial", .initial = 0,                                                                     \
           .doc = "true: motion in space, with the second tangent; false: motion in the plane (t, n)")

/* An angle from the normal, with quarter turns as limits; `type` has a member `angle`. */
#define PC_ANGLE_ROW(type, start, text)                                                                                \
    PC_ROW(type, angle, "angle", .symbol = "theta", .greek = "θ", .unit = PC_UNIT_RAD, .initial = start,               \
           .allowed = {-PC_BODY_QUARTER, PC_BODY_QUARTER, false, false}, .sample = {-1.5, 1.5}, .doc = text)

/* For `validate`. The material is made unknown if it was not given, and the curvature becomes the natural one if
 * it was not. */
void pc_surface_settle(pc_surface *surface, const pc_schema *schema, uint64_t given, double natural_curvature);

/* For `validate`, after pc_surface_settle: fill mass and density from one another. The volume is NaN if what
 * `missing` calls by its name was not given, which matters only when the mass has to come from a density. */
pc_status pc_matter_settle(pc_matter *matter, const pc_surface *surface, const pc_schema *schema, uint64_t given,
                           double volume, const char *missing, pc_error *err);

/* A free rigid body: arm from the mass centre to the contact point and inertia about the mass centre, both along
 * (t, n, t2). In the plane only the inertia about t2 and the arm's first two components count. */
void pc_body_fill_free(pc_body *body, bool spatial, double mass, double inertia[3][3], const double arm[3]);

/* The outline of a free body whose mass centre is in its middle: a rectangle, width along t and height along n, with a
 * radius round it, turned by `angle`. Without width it is a rod or a capsule, without height as well a disc. */
void pc_body_outline(pc_body *body, double width, double height, double radius, double angle);

/* The same for an outline that is given by itself. */
void pc_plane_body_rectangle(pc_plane_body *planar, double width, double height, double radius);

/* Inertia of a body of revolution with its axis along (sin angle, -cos angle, 0). */
void pc_inertia_axial(double along, double across, double angle, double inertia[3][3]);

/* Inertia of a body of revolution with its axis along t2. */
void pc_inertia_rolling(double along, double across, double inertia[3][3]);

/* Contact of a flat-ended shape, width by height in the plane, turned by `angle` about t2: the lowest corner; or the
 * middle of the lower side where a side lies flat, which is where a symmetric pressure acts. */
void pc_corner_arm(double width, double height, double angle, double arm[3]);

/* A body with modes of vibration where they would be left out: fails with the name of who cannot take them. */
pc_status pc_body_require_rigid(const pc_body *body, const char *who, pc_error *err);

/* A rod of circular section, free at both ends, and how many of its lowest modes are wanted. */
typedef struct pc_beam {
    double length, radius, young, poisson, density;
    bool round; /* with rigid hemispheres beyond its length; the contact point is then on one */
    int bending, axial;
} pc_beam;

/* Angle from the normal, positive if the striking end lies ahead of the mass centre (+t). */
pc_status pc_beam_modes(const pc_beam *beam, double angle, pc_vibration *out, pc_error *err);

/* Rows for members `bending` and `axial` of a parameter struct. */
enum { PC_BENDING_MOST = 4, PC_AXIAL_MOST = 3 };
#define PC_MODE_ROWS(type)                                                                                             \
    PC_ROW(type, bending, "bending_modes", .initial = 0, .allowed = PC_BETWEEN(0, PC_BENDING_MOST),                    \
           .doc = "lowest bending modes that vibrate in an impact by contact.maw (a Timoshenko beam); they need a "    \
                  "material with young and poisson"),                                                                  \
        PC_ROW(type, axial, "axial_modes", .initial = 0, .allowed = PC_BETWEEN(0, PC_AXIAL_MOST),                      \
               .doc = "lowest modes along the axis (a bar), likewise")

/* For `validate`, and for `build`: modes of a body whose beam has no constants of the material yet. */
pc_status pc_beam_check(const pc_schema *schema, const pc_surface *surface, const pc_beam *beam, bool spatial,
                        pc_error *err);
pc_status pc_beam_put(const pc_surface *surface, pc_beam beam, double angle, pc_body *body, pc_error *err);

/* Linear systems with a symmetric positive semi-definite matrix. */

/* Solve A X = B^T: A is n x n (n <= PC_BODY_DOF), row-major, symmetric; B has `rows` rows of n numbers; X is n x rows,
 * row-major. A may be singular if B is zero along its null directions; then X is the solution of least norm.
 * PC_E_ARGUMENT if A is not positive semi-definite or B is not zero along a null direction of A. */
pc_status pc_solve_semidefinite(int n, const double *A, int rows, const double *B, double *X, pc_error *err);

#endif
