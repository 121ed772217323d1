/* Capsule: a cylinder with hemispherical caps, striking with a cap. Arm (L/2)(sin a, -cos a) + (0, -R). Lai's phi
 * (1999, 5.76-5.79) is the angle of the axis, his theta that of the arm. */
#include "body/kind.h"

#include <math.h>

typedef struct capsule {
    pc_matter matter;
    pc_surface surface;
    double length, radius, angle;
    bool spatial;
} capsule;

static const pc_row rows[] = {
    PC_MATTER_ROWS(capsule),
    {.name = "length",
     .symbol = "L",
     PC_MEMBER(capsule, length),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_NONNEGATIVE,
     .sample = {1e-2, 2},
     .doc = "length of the cylindrical part, without the caps"},
    {.name = "radius",
     .symbol = "R",
     PC_MEMBER(capsule, radius),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-3, 1},
     .doc = "radius of cylinder and caps"},
    PC_ANGLE_ROW(capsule, PC_REQUIRED,
                 "angle of the axis from the normal, positive if the striking cap lies ahead of the mass centre (+t)"),
    PC_SPATIAL_ROW(capsule),
    PC_SURFACE_ROWS(capsule),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    capsule *p = object;
    double R = p->radius, volume = M_PI * R * R * (p->length + 4 * R / 3);
    pc_surface_settle(&p->surface, schema, given, 1 / R);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, volume, NULL, err);
}

static const pc_schema schema = {
    .name = "body.capsule",
    .summary = "A solid cylinder with hemispherical caps that strikes with a cap.",
    .details = "At an angle of a quarter turn it lies on its side; the contact is then at the foot of the cap.",
    .equations = "m_c = m L/(L + 4/3 R): mass of the cylinder, m_s = m - m_c that of the caps\n"
                 "J = m_c (L^2/12 + R^2/4) + (m - m_c) (2/5 R^2 + L^2/4 + 3/8 L R): about the middle\n"
                 "x = L/2 sin(theta): place of the contact from the middle, along t\n"
                 "z = -L/2 cos(theta) - R: and along n\n"
                 "w_tt = 1/m + z^2/J: as of any body in the plane\n"
                 "w_tn = -x z/J: as of any body in the plane\n"
                 "w_nn = 1/m + x^2/J: as of any body in the plane",
    .source = "Lai (1999), equations 5.76-5.79 and Figure 5.21",
    .example = "print(percuss.body.capsule{ length = 0.5, radius = 0.1, mass = 1, angle = 0.2 }.w_tn > 0) --> true",
    PC_ROWS(rows),
    .size = sizeof(capsule),
    .groups = {PC_AT_MOST_ONE},
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const capsule *p = params;
    double R = p->radius, L = p->length, a = p->angle, m = p->matter.mass;
    /* (5.77) times m: radius of gyration about an axis across */
    double across = m * (8 * R * R * R / 15 + 3 * R * R * L / 4 + R * L * L / 3 + L * L * L / 12) / (4 * R / 3 + L);
    double along = m * R * R * (L / 2 + 8 * R / 15) / (L + 4 * R / 3);
    double inertia[3][3];
    pc_inertia_axial(along, across, a, inertia);
    pc_body_fill_free(body, p->spatial, m, inertia, (double[3]){L / 2 * sin(a), -L / 2 * cos(a) - R, 0});
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

const pc_body_kind pc_body_kind_capsule = {.schema = &schema, .build = build};
