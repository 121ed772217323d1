/* Hoop in the plane of motion, striking with its edge: J = m R^2, arm (0, -R), so that W = diag(2, 1)/m. */
#include "body/kind.h"

#include <math.h>

typedef struct hoop {
    pc_matter matter;
    pc_surface surface;
    double radius, section;
    bool spatial;
} hoop;

static const pc_row rows[] = {
    PC_MATTER_ROWS(hoop),
    {.name = "radius",
     .symbol = "R",
     PC_MEMBER(hoop, radius),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-3, 1},
     .doc = "radius of the centre line"},
    {.name = "section",
     PC_MEMBER(hoop, section),
     .unit = {.m = 2},
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .doc = "area of the cross-section; only for the mass from a density"},
    PC_SPATIAL_ROW(hoop),
    PC_SURFACE_ROWS(hoop),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    hoop *p = object;
    pc_surface_settle(&p->surface, schema, given, 1 / p->radius);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, 2 * M_PI * p->radius * p->section, "'section'",
                            err);
}

static const pc_schema schema = {
    .name = "body.hoop",
    .summary = "A thin hoop that strikes with its edge; its axis is the second tangent.",
    .equations = "J = m R^2: inertia about its axis\n"
                 "w_tt = 2/m: 1/m + R^2/J\n"
                 "w_nn = 1/m: so that w_tn = 0",
    .source = "Lai (1999), Table 5.1: lambda = 1/3",
    .example = "print(percuss.body.hoop{ radius = 0.1, mass = 0.5 }.w_nn) --> 2.0",
    PC_ROWS(rows),
    .size = sizeof(hoop),
    .groups = {PC_AT_MOST_ONE},
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const hoop *p = params;
    double inertia[3][3], J = p->matter.mass * p->radius * p->radius;
    pc_inertia_rolling(J, J / 2, inertia);
    pc_body_fill_free(body, p->spatial, p->matter.mass, inertia, (double[3]){0, -p->radius, 0});
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

const pc_body_kind pc_body_kind_hoop = {.schema = &schema, .build = build};
