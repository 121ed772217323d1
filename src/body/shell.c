/* Thin spherical shell: J = 2/3 m R^2, arm (0, -R), so that W = diag(5/2, 1)/m. */
#include "body/kind.h"

#include <math.h>

typedef struct shell {
    pc_matter matter;
    pc_surface surface;
    double radius, thickness;
    bool spatial;
} shell;

static const pc_row rows[] = {
    PC_MATTER_ROWS(shell),
    {.name = "radius",
     .symbol = "R",
     PC_MEMBER(shell, radius),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-3, 1},
     .doc = "radius of the middle surface"},
    {.name = "thickness",
     PC_MEMBER(shell, thickness),
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .doc = "thickness of the wall, small against the radius; only for the mass from a density"},
    PC_SPATIAL_ROW(shell),
    PC_SURFACE_ROWS(shell),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    shell *p = object;
    double volume = 4 * M_PI * p->radius * p->radius * p->thickness;
    pc_surface_settle(&p->surface, schema, given, 1 / p->radius);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, volume, "'thickness'", err);
}

static const pc_schema schema = {
    .name = "body.shell",
    .summary = "A thin spherical shell.",
    .equations = "J = 2/3 m R^2: inertia about the centre\n"
                 "w_tt = 5/(2 m): 1/m + R^2/J\n"
                 "w_nn = 1/m: so that w_tn = 0",
    .source = "Lai (1999), Table 5.1: lambda = 3/7",
    .example = "print(percuss.body.shell{ radius = 0.02, mass = 0.0025 }.rank) --> 2",
    PC_ROWS(rows),
    .size = sizeof(shell),
    .groups = {PC_AT_MOST_ONE},
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const shell *p = params;
    double inertia[3][3], J = 2 * p->matter.mass * p->radius * p->radius / 3;
    pc_inertia_rolling(J, J, inertia);
    pc_body_fill_free(body, p->spatial, p->matter.mass, inertia, (double[3]){0, -p->radius, 0});
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

const pc_body_kind pc_body_kind_shell = {.schema = &schema, .build = build};
