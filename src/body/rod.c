/* Slender rod striking with its end: J = m L^2/12, arm (L/2)(sin a, -cos a); Lai's lambda = 3/5 at any angle.
 *
 * Birlik (2012, 3.102) has the contact point behind the mass centre, which is a negative angle here; his a13 is printed
 * with the wrong sign for that case.
 */
#include "body/kind.h"

typedef struct rod {
    pc_matter matter;
    pc_surface surface;
    double length, angle, section;
    bool spatial;
} rod;

static const pc_row rows[] = {
    PC_MATTER_ROWS(rod),
    {.name = "length",
     .symbol = "L",
     PC_MEMBER(rod, length),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-2, 2},
     .doc = "length from end to end"},
    PC_ANGLE_ROW(rod, PC_REQUIRED,
                 "angle of the rod from the normal, positive if the striking end lies ahead of the mass centre (+t)"),
    {.name = "section",
     PC_MEMBER(rod, section),
     .unit = {.m = 2},
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .doc = "area of the cross-section; only for the mass from a density"},
    PC_SPATIAL_ROW(rod),
    PC_SURFACE_ROWS(rod),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    rod *p = object;
    pc_surface_settle(&p->surface, schema, given, PC_ABSENT);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, p->length * p->section, "'section'", err);
}

static const pc_schema schema = {
    .name = "body.rod",
    .summary = "A slender uniform rod that strikes with its end.",
    .details = "The end has no curvature of its own; a law that needs one takes it from 'curvature'. In space the rod "
               "has no inertia about its axis, which does no harm: the contact point lies on the axis.",
    .equations = "J = m L^2/12: inertia about the middle\n"
                 "w_tt = (1 + 3 cos(theta)^2)/m: theta is the angle of the rod from the normal\n"
                 "w_tn = 3 sin(theta) cos(theta)/m: normal velocity by a tangential impulse\n"
                 "w_nn = (1 + 3 sin(theta)^2)/m: a quarter of the mass at a quarter turn",
    .source = "Brach (1993); Birlik (2012), section 3.3.2; Lai (1999), section 3.2: lambda = 3/5",
    .example = "print(percuss.body.rod{ length = 1, mass = 1, angle = 0 }.w_tt) --> 4.0",
    PC_ROWS(rows),
    .size = sizeof(rod),
    .groups = {PC_AT_MOST_ONE},
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const rod *p = params;
    double inertia[3][3], L = p->length, a = p->angle;
    pc_inertia_axial(0, p->matter.mass * L * L / 12, a, inertia);
    pc_body_fill_free(body, p->spatial, p->matter.mass, inertia, (double[3]){L / 2 * sin(a), -L / 2 * cos(a), 0});
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

const pc_body_kind pc_body_kind_rod = {.schema = &schema, .build = build};
