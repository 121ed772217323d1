/* Solid cylinder whose axis lies in the plane of motion. Which part strikes follows from the angle of the axis: the
 * lowest point of the rim, or the middle of the face or of the side where one lies flat. */
#include "body/kind.h"

#include <math.h>

typedef struct cylinder {
    pc_matter matter;
    pc_surface surface;
    double height, radius, angle;
    bool spatial;
} cylinder;

static const pc_row rows[] = {
    PC_MATTER_ROWS(cylinder),
    {.name = "height",
     .symbol = "H",
     PC_MEMBER(cylinder, height),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-2, 2},
     .doc = "height along the axis"},
    {.name = "radius",
     .symbol = "R",
     PC_MEMBER(cylinder, radius),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-3, 1},
     .doc = "radius"},
    PC_ANGLE_ROW(cylinder, PC_REQUIRED, "angle by which the axis is turned from the normal, anticlockwise"),
    PC_SPATIAL_ROW(cylinder),
    PC_SURFACE_ROWS(cylinder),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    cylinder *p = object;
    double R = p->radius;
    /* a flat face has no curvature; rim and side have none that one number could give */
    pc_surface_settle(&p->surface, schema, given, p->angle == 0 ? 0 : PC_ABSENT);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, M_PI * R * R * p->height, NULL, err);
}

static const pc_schema schema = {
    .name = "body.cylinder",
    .summary = "A solid cylinder that strikes with its rim, its face or its side.",
    .details = "The rim strikes at any angle between 0 and a quarter turn, on either side. At 0 the face lies flat, at "
               "a quarter turn the side; the contact is then taken at the middle, where a symmetric pressure acts.",
    .equations = "J = m (3 R^2 + H^2)/12: inertia about the middle\n"
                 "x = H/2 sin(theta) - R cos(theta): place of the contact from the middle, along t\n"
                 "z = -H/2 cos(theta) - R sin(theta): and along n\n"
                 "w_tt = 1/m + z^2/J: as of any body in the plane\n"
                 "w_tn = -x z/J: as of any body in the plane\n"
                 "w_nn = 1/m + x^2/J: as of any body in the plane",
    .example = "print(percuss.body.cylinder{ height = 1, radius = 0.2, mass = 1, angle = 0 }.w_nn) --> 1.0",
    PC_ROWS(rows),
    .size = sizeof(cylinder),
    .groups = {PC_AT_MOST_ONE},
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const cylinder *p = params;
    double R = p->radius, H = p->height, m = p->matter.mass;
    double inertia[3][3], arm[3];
    pc_inertia_axial(m * R * R / 2, m * (3 * R * R + H * H) / 12, p->angle, inertia);
    pc_corner_arm(2 * R, H, p->angle, arm);
    pc_body_fill_free(body, p->spatial, m, inertia, arm);
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

const pc_body_kind pc_body_kind_cylinder = {.schema = &schema, .build = build};
