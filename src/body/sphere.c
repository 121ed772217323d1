/* Solid sphere: J = 2/5 m R^2, arm (0, -R), so that W = diag(7/2, 1)/m. */
#include "body/kind.h"

#include <math.h>

typedef struct sphere {
    pc_matter matter;
    pc_surface surface;
    double radius;
    bool spatial;
} sphere;

static const pc_row rows[] = {
    PC_MATTER_ROWS(sphere),
    {.name = "radius",
     .symbol = "R",
     PC_MEMBER(sphere, radius),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-3, 1},
     .doc = "radius"},
    PC_SPATIAL_ROW(sphere),
    PC_SURFACE_ROWS(sphere),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    sphere *p = object;
    double R = p->radius;
    pc_surface_settle(&p->surface, schema, given, 1 / R);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, 4 * M_PI / 3 * R * R * R, NULL, err);
}

static const pc_schema schema = {
    .name = "body.sphere",
    .summary = "A solid sphere of uniform density.",
    .equations = "J = 2/5 m R^2: inertia about the centre\n"
                 "w_tt = 7/(2 m): 1/m + R^2/J\n"
                 "w_nn = 1/m: so that w_tn = 0",
    .source = "Birlik (2012), section 3.3.1; Lai (1999), Table 5.1: lambda = 5/9",
    .example = "print(percuss.body.sphere{ radius = 0.1, mass = 2 }.w_nn) --> 0.5",
    PC_ROWS(rows),
    .size = sizeof(sphere),
    .groups = {PC_AT_MOST_ONE},
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const sphere *p = params;
    double inertia[3][3], J = 2 * p->matter.mass * p->radius * p->radius / 5;
    pc_inertia_rolling(J, J, inertia);
    pc_body_fill_free(body, p->spatial, p->matter.mass, inertia, (double[3]){0, -p->radius, 0});
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

const pc_body_kind pc_body_kind_sphere = {.schema = &schema, .build = build};
