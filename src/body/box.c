/* Solid box with two sides in the plane of motion, striking with its lowest corner (an edge, seen in space), or with
 * the middle of a side that lies flat. */
#include "body/kind.h"

typedef struct box {
    pc_matter matter;
    pc_surface surface;
    double width, height, depth, angle;
    bool spatial;
} box;

static const pc_row rows[] = {
    PC_MATTER_ROWS(box),
    {.name = "width",
     PC_MEMBER(box, width),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-2, 2},
     .doc = "side along t at angle 0"},
    {.name = "height",
     PC_MEMBER(box, height),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-2, 2},
     .doc = "side along n at angle 0"},
    {.name = "depth",
     PC_MEMBER(box, depth),
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .sample = {1e-2, 2},
     .doc = "side along t2; needed in space and for the mass from a density"},
    PC_ANGLE_ROW(box, PC_REQUIRED, "angle by which the box is turned, anticlockwise"),
    PC_SPATIAL_ROW(box),
    PC_SURFACE_ROWS(box),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    box *p = object;
    bool flat = p->angle == 0 || fabs(p->angle) == PC_BODY_QUARTER;
    if (p->spatial && isnan(p->depth))
        return pc_fail(err, PC_E_ARGUMENT, "%s: 'depth' is needed for motion in space", schema->name);
    pc_surface_settle(&p->surface, schema, given, flat ? 0 : PC_ABSENT);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, p->width * p->height * p->depth, "'depth'", err);
}

static const pc_schema schema = {
    .name = "body.box",
    .summary = "A solid box that strikes with its lowest corner.",
    .details = "Where a side lies flat, at 0 and at a quarter turn, the contact is taken at the middle of the side, "
               "where a symmetric pressure acts. In space the corner is an edge and strikes with its middle.",
    .equations = "J = m (width^2 + height^2)/12: inertia about the middle\n"
                 "x = height/2 sin(theta) - width/2 cos(theta): place of the contact from the middle, along t\n"
                 "z = -height/2 cos(theta) - width/2 sin(theta): and along n\n"
                 "w_tt = 1/m + z^2/J: as of any body in the plane\n"
                 "w_tn = -x z/J: as of any body in the plane\n"
                 "w_nn = 1/m + x^2/J: as of any body in the plane",
    .example = "print(percuss.body.box{ width = 1, height = 1, mass = 1, angle = 0 }.w_tt) --> 2.5",
    PC_ROWS(rows),
    .size = sizeof(box),
    .groups = {PC_AT_MOST_ONE},
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const box *p = params;
    double w = p->width, h = p->height, m = p->matter.mass, c = cos(p->angle), s = sin(p->angle);
    double inertia[3][3] = {{0}}, arm[3];
    inertia[PC_T2][PC_T2] = m * (w * w + h * h) / 12;
    if (p->spatial) {
        /* principal moments about the sides that lie along t and n at angle 0, turned about t2 */
        double d = p->depth, Iw = m * (h * h + d * d) / 12, Ih = m * (w * w + d * d) / 12;
        inertia[PC_T][PC_T] = Iw * c * c + Ih * s * s;
        inertia[PC_N][PC_N] = Iw * s * s + Ih * c * c;
        inertia[PC_T][PC_N] = inertia[PC_N][PC_T] = (Iw - Ih) * s * c;
    }
    pc_corner_arm(w, h, p->angle, arm);
    pc_body_fill_free(body, p->spatial, m, inertia, arm);
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

const pc_body_kind pc_body_kind_box = {.schema = &schema, .build = build};
