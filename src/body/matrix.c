/* A body known by its inverse effective mass alone. */
#include "body/kind.h"

#include <math.h>

typedef struct matrix {
    pc_surface surface;
    pc_matrix W;
} matrix;

/* Typed digits and computed products may differ across the diagonal by this fraction of the largest element. */
#define SYMMETRY_TOLERANCE 1e-12

static const pc_row rows[] = {
    {.name = "mobility",
     .symbol = "W",
     .kind = PC_MATRIX,
     .offset = offsetof(matrix, W),
     .unit = PC_UNIT_PER_KG,
     .initial = PC_REQUIRED,
     .allowed = PC_ANY,
     .doc = "inverse effective mass, symmetric and positive semi-definite: {{tt, tn}, {tn, nn}}, or 3 x 3 along t, n, "
            "t2 = t x n"},
    PC_SURFACE_ROWS(matrix),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    matrix *p = object;
    const pc_matrix *W = &p->W;
    int n = W->rows;
    if (n != W->cols || (n != 2 && n != 3))
        return pc_fail(err, PC_E_ARGUMENT, "%s: mobility (W) must be 2 x 2 or 3 x 3, not %d x %d", schema->name,
                       W->rows, W->cols);
    double size = 0;
    for (int i = 0; i < n * n; i++) size = fmax(size, fabs(W->v[i]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(W->v[i * n + j] - W->v[j * n + i]) > SYMMETRY_TOLERANCE * size)
                return pc_fail(
                    err, PC_E_ARGUMENT,
                    "%s: mobility (W) must be symmetric: element (%d, %d) is %.10g and (%d, %d) is %.10g 1/kg",
                    schema->name, i + 1, j + 1, W->v[i * n + j], j + 1, i + 1, W->v[j * n + i]);
    if (size == 0)
        return pc_fail(err, PC_E_ARGUMENT, "%s: mobility (W) is zero: such a body is part of the obstacle",
                       schema->name);
    pc_surface_settle(&p->surface, schema, given, PC_ABSENT);
    return PC_OK;
}

static const pc_schema schema = {
    .name = "body.matrix",
    .summary = "A body known by its inverse effective mass W alone.",
    .details = "It has no velocities of its own: its motion is given by those of the contact point, and energies are "
               "the contact's share v.W^+.v/2.",
    .equations = "v' = v + W p: as of any body",
    .example = "print(percuss.body.matrix{ W = {{ 3.5, 0 }, { 0, 1 }} }.rank) --> 2",
    PC_ROWS(rows),
    .size = sizeof(matrix),
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const matrix *p = params;
    const double *v = p->W.v;
    body->form = PC_BODY_DATA;
    body->spatial = p->W.rows == 3;
    if (body->spatial)
        body->W = (pc_mobility){.tt = v[0], .tn = v[1], .tt2 = v[2], .nn = v[4], .t2n = v[5], .t2t2 = v[8]};
    else
        body->W = (pc_mobility){.tt = v[0], .tn = v[1], .nn = v[3]};
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

const pc_body_kind pc_body_kind_matrix = {.schema = &schema, .build = build};
