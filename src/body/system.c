/* A mechanical system given by its mass matrix and contact Jacobian at the instant of contact: W = C A^-1 C^T. */
#include "body/kind.h"

#include <math.h>
#include <string.h>

typedef struct linear_system {
    pc_surface surface;
    pc_matrix A, C;
} linear_system;

/* As for a mobility: typed digits and computed products. */
#define SYMMETRY_TOLERANCE 1e-12

static const pc_row rows[] = {
    {.name = "mass_matrix",
     .symbol = "A",
     .kind = PC_MATRIX,
     .offset = offsetof(linear_system, A),
     .initial = PC_REQUIRED,
     .allowed = PC_ANY,
     .doc = "mass matrix of the generalized velocities, n x n, symmetric and positive semi-definite"},
    {.name = "jacobian",
     .symbol = "C",
     .kind = PC_MATRIX,
     .offset = offsetof(linear_system, C),
     .initial = PC_REQUIRED,
     .allowed = PC_ANY,
     .doc = "velocity of the contact point per unit of each generalized velocity: 2 rows (t, n) or 3 (t, n, t2) of n"},
    PC_SURFACE_ROWS(linear_system),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    linear_system *p = object;
    int n = p->A.rows;
    if (n != p->A.cols)
        return pc_fail(err, PC_E_ARGUMENT, "%s: mass_matrix (A) must be square, not %d x %d", schema->name, n,
                       p->A.cols);
    if (p->C.cols != n || (p->C.rows != 2 && p->C.rows != 3))
        return pc_fail(err, PC_E_ARGUMENT, "%s: jacobian (C) must have 2 or 3 rows of %d numbers, not %d rows of %d",
                       schema->name, n, p->C.rows, p->C.cols);
    double size = 0;
    for (int i = 0; i < n * n; i++) size = fmax(size, fabs(p->A.v[i]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double below = p->A.v[i * n + j], above = p->A.v[j * n + i];
            if (fabs(below - above) > SYMMETRY_TOLERANCE * size)
                return pc_fail(err, PC_E_ARGUMENT,
                               "%s: mass_matrix (A) must be symmetric: element (%d, %d) is %.10g and (%d, %d) is %.10g",
                               schema->name, i + 1, j + 1, below, j + 1, i + 1, above);
        }
    pc_surface_settle(&p->surface, schema, given, PC_ABSENT);
    return PC_OK;
}

static const pc_schema schema = {
    .name = "body.system",
    .summary = "Any mechanical system, given by its mass matrix A and contact Jacobian C.",
    .details = "Its own velocities are the n generalized ones, given as 'rates'. From those of the contact point they "
               "follow as the motion of least kinetic energy.",
    .equations = "W = C A^-1 C': with the mass matrix A and the Jacobian C of the contact point",
    .source = "Kecskemethy, Lange and Grabner (1999), equation 1",
    .example = "print(percuss.body.system{ A = {{ 2, 0 }, { 0, 4 }}, C = {{ 1, 0 }, { 0, 1 }} }.w_nn) --> 0.25",
    PC_ROWS(rows),
    .size = sizeof(linear_system),
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    static const char *const names[PC_BODY_DOF] = {"u1",  "u2",  "u3",  "u4",  "u5",  "u6",  "u7",  "u8",
                                                   "u9",  "u10", "u11", "u12", "u13", "u14", "u15", "u16",
                                                   "u17", "u18", "u19", "u20", "u21", "u22", "u23", "u24"};
    const linear_system *p = params;
    int n = p->A.rows;
    body->form = PC_BODY_JOINTED;
    body->spatial = p->C.rows == 3;
    body->dof = n;
    memcpy(body->names, names, (size_t)n * sizeof *names);
    memcpy(body->A, p->A.v, (size_t)(n * n) * sizeof *body->A);
    memcpy(body->J, p->C.v, (size_t)(p->C.rows * n) * sizeof *body->J);
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

const pc_body_kind pc_body_kind_system = {.schema = &schema, .build = build};
