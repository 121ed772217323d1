/* Solid disc in the plane of motion, striking with its edge: J = m R^2/2, arm (0, -R), so that W = diag(3, 1)/m. */
#include "body/kind.h"

#include <math.h>

typedef struct disc {
    pc_matter matter;
    pc_surface surface;
    double radius, thickness;
    bool spatial;
} disc;

static const pc_row rows[] = {
    PC_MATTER_ROWS(disc),
    {.name = "radius",
     .symbol = "R",
     PC_MEMBER(disc, radius),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-3, 1},
     .doc = "radius"},
    {.name = "thickness",
     PC_MEMBER(disc, thickness),
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .doc = "thickness along t2; only for the mass from a density, the inertia is that of a lamina"},
    PC_SPATIAL_ROW(disc),
    PC_SURFACE_ROWS(disc),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    disc *p = object;
    double volume = M_PI * p->radius * p->radius * p->thickness;
    pc_surface_settle(&p->surface, schema, given, 1 / p->radius);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, volume, "'thickness'", err);
}

static const pc_schema schema = {
    .name = "body.disc",
    .summary = "A thin solid disc that strikes with its edge; its axis is the second tangent.",
    .equations = "J = 1/2 m R^2: inertia about its axis\n"
                 "w_tt = 3/m: 1/m + R^2/J\n"
                 "w_nn = 1/m: so that w_tn = 0",
    .source = "Lai (1999), Table 5.1: lambda = 1/2",
    .example = "print(percuss.body.disc{ radius = 0.1, mass = 0.5 }.lai.lambda) --> 0.5",
    PC_ROWS(rows),
    .size = sizeof(disc),
    .groups = {PC_AT_MOST_ONE},
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const disc *p = params;
    double inertia[3][3], J = p->matter.mass * p->radius * p->radius / 2;
    pc_inertia_rolling(J, J / 2, inertia);
    pc_body_fill_free(body, p->spatial, p->matter.mass, inertia, (double[3]){0, -p->radius, 0});
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

const pc_body_kind pc_body_kind_disc = {.schema = &schema, .build = build};
