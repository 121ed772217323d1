/* Homogeneous bodies of simple shape. */
#include "body/body.h"

#include <math.h>

#define RADIUS_ROW(type, text)                                                                                         \
    PC_ROW(type, radius, "radius", .symbol = "R", .unit = PC_UNIT_M, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,   \
           .sample = {1e-3, 1}, .doc = text)

/* ---- round bodies: sphere, shell, disc, hoop ----
 *
 * They touch below their centre: arm (0, -R), so that W = diag(1/m + R^2/J, 1/m). Disc and hoop lie in the plane of
 * motion and strike with their edge. */

typedef struct round_body {
    pc_surface surface;
    pc_matter matter;
    double radius, wall; /* thickness or section, only for the mass from a density */
    bool spatial;
} round_body;

static const pc_schema sphere_schema, shell_schema, disc_schema, hoop_schema;

/* The volume is a factor times a power of the radius times the wall, if there is one; J about the axis of motion is
 * times m R^2/over, and a share of that about a diameter across. */
static const struct round_kind {
    const pc_schema *schema;
    double volume;
    int power;
    const char *wall;
    double times, over, across;
} round_kinds[] = {
    {&sphere_schema, 4 * M_PI / 3, 3, NULL, 2, 5, 1},
    {&shell_schema, 4 * M_PI, 2, "'thickness'", 2, 3, 1},
    {&disc_schema, M_PI, 2, "'thickness'", 1, 2, 0.5},
    {&hoop_schema, 2 * M_PI, 1, "'section'", 1, 1, 0.5},
};

static const struct round_kind *round_kind(const pc_schema *schema)
{
    const struct round_kind *kind = round_kinds;
    while (kind->schema != schema) kind++;
    return kind;
}

static pc_status round_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    round_body *p = object;
    const struct round_kind *kind = round_kind(schema);
    double volume = kind->volume;
    for (int i = 0; i < kind->power; i++) volume *= p->radius;
    if (kind->wall) volume *= p->wall;
    pc_surface_settle(&p->surface, schema, given, 1 / p->radius);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, volume, kind->wall, err);
}

static pc_status round_build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const round_body *p = params;
    const struct round_kind *kind = round_kind(body->kind->schema);
    double inertia[3][3], J = kind->times * p->matter.mass * p->radius * p->radius / kind->over;
    pc_inertia_rolling(J, J * kind->across, inertia);
    pc_body_fill_free(body, p->spatial, p->matter.mass, inertia, (double[3]){0, -p->radius, 0});
    pc_body_outline(body, 0, 0, p->radius, 0);
    return PC_OK;
}

static const pc_row sphere_rows[] = {
    PC_MATTER_ROWS(round_body),
    RADIUS_ROW(round_body, "radius"),
    PC_SPATIAL_ROW(round_body),
    PC_SURFACE_ROWS(round_body),
};

static const pc_schema sphere_schema = {
    .name = "body.sphere",
    .summary = "A solid sphere of uniform density.",
    .equations = "J = 2/5 m R^2: inertia about the centre\n"
                 "w_tt = 7/(2 m): 1/m + R^2/J\n"
                 "w_nn = 1/m: so that w_tn = 0",
    .source = "Birlik (2012), section 3.3.1; Lai (1999), Table 5.1: lambda = 5/9",
    .example = "print(percuss.body.sphere{ radius = 0.1, mass = 2 }.w_nn) --> 0.5",
    PC_ROWS(sphere_rows),
    .size = sizeof(round_body),
    .groups = {PC_AT_MOST_ONE},
    .validate = round_validate,
};

const pc_body_kind pc_body_kind_sphere = {.schema = &sphere_schema, .build = round_build};

static const pc_row shell_rows[] = {
    PC_MATTER_ROWS(round_body),
    RADIUS_ROW(round_body, "radius of the middle surface"),
    PC_ROW(round_body, wall, "thickness", .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_POSITIVE,
           .doc = "thickness of the wall, small against the radius; only for the mass from a density"),
    PC_SPATIAL_ROW(round_body),
    PC_SURFACE_ROWS(round_body),
};

static const pc_schema shell_schema = {
    .name = "body.shell",
    .summary = "A thin spherical shell.",
    .equations = "J = 2/3 m R^2: inertia about the centre\n"
                 "w_tt = 5/(2 m): 1/m + R^2/J\n"
                 "w_nn = 1/m: so that w_tn = 0",
    .source = "Lai (1999), Table 5.1: lambda = 3/7",
    .example = "print(percuss.body.shell{ radius = 0.02, mass = 0.0025 }.rank) --> 2",
    PC_ROWS(shell_rows),
    .size = sizeof(round_body),
    .groups = {PC_AT_MOST_ONE},
    .validate = round_validate,
};

const pc_body_kind pc_body_kind_shell = {.schema = &shell_schema, .build = round_build};

static const pc_row disc_rows[] = {
    PC_MATTER_ROWS(round_body),
    RADIUS_ROW(round_body, "radius"),
    PC_ROW(round_body, wall, "thickness", .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_POSITIVE,
           .doc = "thickness along t2; only for the mass from a density, the inertia is that of a lamina"),
    PC_SPATIAL_ROW(round_body),
    PC_SURFACE_ROWS(round_body),
};

static const pc_schema disc_schema = {
    .name = "body.disc",
    .summary = "A thin solid disc that strikes with its edge; its axis is the second tangent.",
    .equations = "J = 1/2 m R^2: inertia about its axis\n"
                 "w_tt = 3/m: 1/m + R^2/J\n"
                 "w_nn = 1/m: so that w_tn = 0",
    .source = "Lai (1999), Table 5.1: lambda = 1/2",
    .example = "print(percuss.body.disc{ radius = 0.1, mass = 0.5 }.lai.lambda) --> 0.5",
    PC_ROWS(disc_rows),
    .size = sizeof(round_body),
    .groups = {PC_AT_MOST_ONE},
    .validate = round_validate,
};

const pc_body_kind pc_body_kind_disc = {.schema = &disc_schema, .build = round_build};

static const pc_row hoop_rows[] = {
    PC_MATTER_ROWS(round_body),
    RADIUS_ROW(round_body, "radius of the centre line"),
    PC_ROW(round_body, wall, "section", .unit = {.m = 2}, .initial = PC_ABSENT, .allowed = PC_POSITIVE,
           .doc = "area of the cross-section; only for the mass from a density"),
    PC_SPATIAL_ROW(round_body),
    PC_SURFACE_ROWS(round_body),
};

static const pc_schema hoop_schema = {
    .name = "body.hoop",
    .summary = "A thin hoop that strikes with its edge; its axis is the second tangent.",
    .equations = "J = m R^2: inertia about its axis\n"
                 "w_tt = 2/m: 1/m + R^2/J\n"
                 "w_nn = 1/m: so that w_tn = 0",
    .source = "Lai (1999), Table 5.1: lambda = 1/3",
    .example = "print(percuss.body.hoop{ radius = 0.1, mass = 0.5 }.w_nn) --> 2.0",
    PC_ROWS(hoop_rows),
    .size = sizeof(round_body),
    .groups = {PC_AT_MOST_ONE},
    .validate = round_validate,
};

const pc_body_kind pc_body_kind_hoop = {.schema = &hoop_schema, .build = round_build};

/* Slender rod striking with its end: J = m L^2/12, arm (L/2)(sin a, -cos a); Lai's lambda = 3/5 at any angle.
 *
 * Birlik (2012, 3.102) has the contact point behind the mass centre, which is a negative angle here; his a13 is printed
 * with the wrong sign for that case.
 */

typedef struct rod {
    pc_surface surface;
    pc_matter matter;
    double length, angle, section;
    int bending, axial;
    bool spatial;
} rod;

static const pc_row rod_rows[] = {
    PC_MATTER_ROWS(rod),
    PC_ROW(rod, length, "length", .symbol = "L", .unit = PC_UNIT_M, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .sample = {1e-2, 2}, .doc = "length from end to end"),
    PC_ANGLE_ROW(rod, PC_REQUIRED,
                 "angle of the rod from the normal, positive if the striking end lies ahead of the mass centre (+t)"),
    PC_ROW(rod, section, "section", .unit = {.m = 2}, .initial = PC_ABSENT, .allowed = PC_POSITIVE,
           .doc = "area of the cross-section; only for the mass from a density"),
    PC_SPATIAL_ROW(rod),
    PC_SURFACE_ROWS(rod),
    PC_MODE_ROWS(rod),
};

/* A rod of circular section. */
static pc_beam rod_beam(const rod *p)
{
    return (pc_beam){.length = p->length,
                     .radius = sqrt(p->section / M_PI),
                     .density = p->matter.mass / (p->section * p->length),
                     .bending = p->bending,
                     .axial = p->axial};
}

static pc_status rod_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    rod *p = object;
    pc_surface_settle(&p->surface, schema, given, PC_ABSENT);
    pc_beam beam = rod_beam(p);
    pc_status status = pc_beam_check(schema, &p->surface, &beam, p->spatial, err);
    if (status) return status;
    return pc_matter_settle(&p->matter, &p->surface, schema, given, p->length * p->section, "'section'", err);
}

static const pc_schema rod_schema = {
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
    PC_ROWS(rod_rows),
    .size = sizeof(rod),
    .groups = {PC_AT_MOST_ONE},
    .validate = rod_validate,
};

static pc_status rod_build(const void *params, pc_body *body, pc_error *err)
{
    const rod *p = params;
    double inertia[3][3], L = p->length, a = p->angle;
    pc_inertia_axial(0, p->matter.mass * L * L / 12, a, inertia);
    pc_body_fill_free(body, p->spatial, p->matter.mass, inertia, (double[3]){L / 2 * sin(a), -L / 2 * cos(a), 0});
    pc_body_outline(body, 0, L, 0, a);
    return pc_beam_put(&p->surface, rod_beam(p), a, body, err);
}

const pc_body_kind pc_body_kind_rod = {.schema = &rod_schema, .build = rod_build};

/* Capsule: a cylinder with hemispherical caps, striking with a cap. Arm (L/2)(sin a, -cos a) + (0, -R). Lai's phi
 * (1999, 5.76-5.79) is the angle of the axis, his theta that of the arm. */

typedef struct capsule {
    pc_surface surface;
    pc_matter matter;
    double length, radius, angle;
    int bending, axial;
    bool spatial;
} capsule;

static const pc_row capsule_rows[] = {
    PC_MATTER_ROWS(capsule),
    PC_ROW(capsule, length, "length", .symbol = "L", .unit = PC_UNIT_M, .initial = PC_REQUIRED,
           .allowed = PC_NONNEGATIVE, .sample = {1e-2, 2}, .doc = "length of the cylindrical part, without the caps"),
    RADIUS_ROW(capsule, "radius of cylinder and caps"),
    PC_ANGLE_ROW(capsule, PC_REQUIRED,
                 "angle of the axis from the normal, positive if the striking cap lies ahead of the mass centre (+t)"),
    PC_SPATIAL_ROW(capsule),
    PC_SURFACE_ROWS(capsule),
    PC_MODE_ROWS(capsule),
};

static pc_beam capsule_beam(const capsule *p)
{
    double R = p->radius;
    return (pc_beam){.length = p->length,
                     .radius = R,
                     .density = p->matter.mass / (M_PI * R * R * (p->length + 4 * R / 3)),
                     .round = true,
                     .bending = p->bending,
                     .axial = p->axial};
}

static pc_status capsule_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    capsule *p = object;
    double R = p->radius, volume = M_PI * R * R * (p->length + 4 * R / 3);
    pc_surface_settle(&p->surface, schema, given, 1 / R);
    pc_beam beam = capsule_beam(p);
    pc_status status = pc_beam_check(schema, &p->surface, &beam, p->spatial, err);
    return status ? status : pc_matter_settle(&p->matter, &p->surface, schema, given, volume, NULL, err);
}

static const pc_schema capsule_schema = {
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
    PC_ROWS(capsule_rows),
    .size = sizeof(capsule),
    .groups = {PC_AT_MOST_ONE},
    .validate = capsule_validate,
};

static pc_status capsule_build(const void *params, pc_body *body, pc_error *err)
{
    const capsule *p = params;
    double R = p->radius, L = p->length, a = p->angle, m = p->matter.mass;
    /* (5.77) times m: radius of gyration about an axis across */
    double across = m * (8 * R * R * R / 15 + 3 * R * R * L / 4 + R * L * L / 3 + L * L * L / 12) / (4 * R / 3 + L);
    double along = m * R * R * (L / 2 + 8 * R / 15) / (L + 4 * R / 3);
    double inertia[3][3];
    pc_inertia_axial(along, across, a, inertia);
    pc_body_fill_free(body, p->spatial, m, inertia, (double[3]){L / 2 * sin(a), -L / 2 * cos(a) - R, 0});
    pc_body_outline(body, 0, L, R, a);
    return pc_beam_put(&p->surface, capsule_beam(p), a, body, err);
}

const pc_body_kind pc_body_kind_capsule = {.schema = &capsule_schema, .build = capsule_build};

/* Solid cylinder whose axis lies in the plane of motion. Which part strikes follows from the angle of the axis: the
 * lowest point of the rim, or the middle of the face or of the side where one lies flat. */

typedef struct cylinder {
    pc_surface surface;
    pc_matter matter;
    double height, radius, angle;
    bool spatial;
} cylinder;

static const pc_row cylinder_rows[] = {
    PC_MATTER_ROWS(cylinder),
    PC_ROW(cylinder, height, "height", .symbol = "H", .unit = PC_UNIT_M, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .sample = {1e-2, 2}, .doc = "height along the axis"),
    RADIUS_ROW(cylinder, "radius"),
    PC_ANGLE_ROW(cylinder, PC_REQUIRED, "angle by which the axis is turned from the normal, anticlockwise"),
    PC_SPATIAL_ROW(cylinder),
    PC_SURFACE_ROWS(cylinder),
};

static pc_status cylinder_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    cylinder *p = object;
    double R = p->radius;
    /* a flat face has no curvature; rim and side have none that one number could give */
    pc_surface_settle(&p->surface, schema, given, p->angle == 0 ? 0 : PC_ABSENT);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, M_PI * R * R * p->height, NULL, err);
}

static const pc_schema cylinder_schema = {
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
    PC_ROWS(cylinder_rows),
    .size = sizeof(cylinder),
    .groups = {PC_AT_MOST_ONE},
    .validate = cylinder_validate,
};

static pc_status cylinder_build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const cylinder *p = params;
    double R = p->radius, H = p->height, m = p->matter.mass;
    double inertia[3][3], arm[3];
    pc_inertia_axial(m * R * R / 2, m * (3 * R * R + H * H) / 12, p->angle, inertia);
    pc_corner_arm(2 * R, H, p->angle, arm);
    pc_body_fill_free(body, p->spatial, m, inertia, arm);
    pc_body_outline(body, 2 * R, H, 0, p->angle);
    return PC_OK;
}

const pc_body_kind pc_body_kind_cylinder = {.schema = &cylinder_schema, .build = cylinder_build};

/* Solid box with two sides in the plane of motion, striking with its lowest corner (an edge, seen in space), or with
 * the middle of a side that lies flat. */

typedef struct box {
    pc_surface surface;
    pc_matter matter;
    double width, height, depth, angle;
    bool spatial;
} box;

static const pc_row box_rows[] = {
    PC_MATTER_ROWS(box),
    PC_ROW(box, width, "width", .unit = PC_UNIT_M, .initial = PC_REQUIRED, .allowed = PC_POSITIVE, .sample = {1e-2, 2},
           .doc = "side along t at angle 0"),
    PC_ROW(box, height, "height", .unit = PC_UNIT_M, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .sample = {1e-2, 2}, .doc = "side along n at angle 0"),
    PC_ROW(box, depth, "depth", .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_POSITIVE, .sample = {1e-2, 2},
           .doc = "side along t2; needed in space and for the mass from a density"),
    PC_ANGLE_ROW(box, PC_REQUIRED, "angle by which the box is turned, anticlockwise"),
    PC_SPATIAL_ROW(box),
    PC_SURFACE_ROWS(box),
};

static pc_status box_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    box *p = object;
    bool flat = p->angle == 0 || fabs(p->angle) == PC_BODY_QUARTER;
    if (p->spatial && isnan(p->depth))
        return pc_fail(err, PC_E_ARGUMENT, "%s: 'depth' is needed for motion in space", schema->name);
    pc_surface_settle(&p->surface, schema, given, flat ? 0 : PC_ABSENT);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, p->width * p->height * p->depth, "'depth'", err);
}

static const pc_schema box_schema = {
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
    PC_ROWS(box_rows),
    .size = sizeof(box),
    .groups = {PC_AT_MOST_ONE},
    .validate = box_validate,
};

static pc_status box_build(const void *params, pc_body *body, pc_error *err)
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
    pc_body_outline(body, w, h, 0, p->angle);
    return PC_OK;
}

const pc_body_kind pc_body_kind_box = {.schema = &box_schema, .build = box_build};
