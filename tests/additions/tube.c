/* A tube that strikes with its side; its axis is the second tangent: J = m (R^2 + r^2)/2. */
#include "body/body.h"

typedef struct tube {
    pc_surface surface;
    pc_matter matter;
    double radius, bore, length;
    bool spatial;
} tube;

static const pc_row rows[] = {
    PC_MATTER_ROWS(tube),
    PC_ROW(tube, radius, "radius", .symbol = "R", .unit = PC_UNIT_M, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .sample = {0.1, 1}, .doc = "outer radius"),
    PC_ROW(tube, bore, "bore", .symbol = "r", .unit = PC_UNIT_M, .initial = PC_REQUIRED, .allowed = PC_NONNEGATIVE,
           .sample = {0, 0.1}, .doc = "inner radius"),
    PC_ROW(tube, length, "length", .symbol = "L", .unit = PC_UNIT_M, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .sample = {0.1, 1}, .doc = "length along its axis"),
    PC_SPATIAL_ROW(tube),
    PC_SURFACE_ROWS(tube),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    tube *p = object;
    double R = p->radius, r = p->bore;
    if (r >= R)
        return pc_fail(err, PC_E_ARGUMENT, "%s: bore (r) = %.10g m must be smaller than the radius (R) = %.10g m",
                       schema->name, r, R);
    pc_surface_settle(&p->surface, schema, given, 1 / R);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, M_PI * (R * R - r * r) * p->length, NULL, err);
}

static const pc_schema schema = {
    .name = "body.tube",
    .summary = "A tube that strikes with its side; its axis is the second tangent.",
    .equations = "J = 1/2 m (R^2 + r^2): inertia about its axis\n"
                 "w_nn = 1/m: so that w_tn = 0",
    .example = "print(percuss.body.tube{ radius = 0.1, bore = 0.05, length = 1, mass = 0.5 }.w_nn) --> 2.0",
    PC_ROWS(rows),
    .size = sizeof(tube),
    .groups = {PC_AT_MOST_ONE},
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const tube *p = params;
    double inertia[3][3], m = p->matter.mass, squares = p->radius * p->radius + p->bore * p->bore;
    pc_inertia_rolling(m * squares / 2, m * (3 * squares + p->length * p->length) / 12, inertia);
    pc_body_fill_free(body, p->spatial, m, inertia, (double[3]){0, -p->radius, 0});
    pc_body_outline(body, 0, 0, p->radius, 0);
    return PC_OK;
}

const pc_body_kind pc_body_kind_tube = {.schema = &schema, .build = build};
