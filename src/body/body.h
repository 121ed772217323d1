/* Bodies frozen at the instant of contact.
 *
 * A body supplies the inverse effective mass W at its contact site and the map between the contact point's velocity
 * and its own. Coordinates: generalized velocities u (n of them), mass matrix A, contact Jacobian J (rows t, n, t2),
 * v = J u, W = J A^-1 J^T, u+ = u- + A^-1 J^T p (PHYSICS: one picture for everything).
 */
#ifndef PC_BODY_BODY_H
#define PC_BODY_BODY_H

#include "base/row.h"
#include "contact/impact.h"

#include <stdbool.h>

enum { PC_BODY_DOF = PC_MATRIX_SIDE };

/* Elastic and plastic constants; NaN where unknown. */
typedef struct pc_material {
    char name[32];
    double density; /* kg/m^3 */
    double young;   /* Pa */
    double poisson; /* - */
    double yield;   /* Pa */
} pc_material;

typedef struct pc_body_kind pc_body_kind;

/* A body ready for use; plain data, may be copied. */
typedef struct pc_body {
    const pc_body_kind *kind; /* NULL for a pair */
    bool spatial;             /* J and W have their third row */
    double mass;              /* kg; NaN where it has no meaning (matrix, system) */
    double curvature;         /* of the surface at the contact, 1/m; 0 flat, NaN unknown */
    pc_material material;
    pc_mobility W;
    int dof;                        /* 0: only W is known */
    const char *names[PC_BODY_DOF]; /* of the generalized velocities: "vt", "vn", "omega", "rate" */
    pc_unit units[PC_BODY_DOF];
    double A[PC_BODY_DOF * PC_BODY_DOF]; /* dof x dof, row-major, packed */
    double J[3 * PC_BODY_DOF];           /* rows t, n, t2; each of dof numbers, packed */
    double response[PC_BODY_DOF * 3];    /* A^-1 J^T: dof x 3 */
} pc_body;

struct pc_body_kind {
    const pc_schema *schema;
    /* Fill `body` from parameters that passed the schema. */
    pc_status (*build)(const void *params, pc_body *body, pc_error *err);
};

extern const pc_body_kind *const pc_body_kinds[];
extern const int pc_n_body_kinds;

#endif
