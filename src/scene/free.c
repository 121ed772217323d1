/* Free planar bodies: see free.h. */
#include "scene/free.h"

#include <math.h>

#define SHAPE(member) offsetof(pc_free_shape, member)

static const char *const shape_words[] = {"disc", "rod", "box", "capsule", NULL};

#define ROW(member, dimension, start, range, text)                                                                     \
    {                                                                                                                  \
        .name = #member, PC_MEMBER(pc_free_shape, member), .unit = dimension, .initial = start, .allowed = range,      \
        .doc = text                                                                                                    \
    }

static const pc_row rows[] = {
    {.name = "shape",
     .kind = PC_CHOICE,
     .offset = SHAPE(shape),
     .initial = PC_ABSENT,
     .choices = shape_words,
     .group = 1,
     .doc =
         "\"disc\" (radius), \"rod\" (length), \"box\" (width, height) or \"capsule\" (length between the centres of "
         "its round ends, radius)"},
    {.name = "body",
     .kind = PC_OBJECT,
     .offset = SHAPE(body),
     .count = sizeof(pc_plane_body),
     .initial = PC_ABSENT,
     .object = "body",
     .group = 1,
     .doc = "one of percuss.body that moves freely and has an outline, such as a sphere or a box, in place of a shape, "
            "a mass and an inertia"},
    {.name = "mass",
     .symbol = "m",
     PC_MEMBER(pc_free_shape, mass),
     .unit = PC_UNIT_KG,
     .initial = PC_ABSENT,
     .otherwise = "that of the body; a shape needs one",
     .allowed = PC_POSITIVE,
     .doc = "mass"},
    {.name = "inertia",
     .symbol = "J",
     PC_MEMBER(pc_free_shape, inertia),
     .unit = PC_UNIT_KG_M2,
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .doc = "about the mass centre; that of the uniform shape, or of the body, if not given"},
    ROW(radius, PC_UNIT_M, PC_ABSENT, PC_POSITIVE, "of a disc or of a capsule's ends"),
    ROW(length, PC_UNIT_M, PC_ABSENT, PC_POSITIVE, "of a rod, or between the centres of a capsule's ends"),
    ROW(width, PC_UNIT_M, PC_ABSENT, PC_POSITIVE, "of a box"),
    ROW(height, PC_UNIT_M, PC_ABSENT, PC_POSITIVE, "of a box"),
    ROW(x, PC_UNIT_M, 0, PC_ANY, "mass centre at the start"),
    ROW(y, PC_UNIT_M, 0, PC_ANY, "mass centre at the start, upwards"),
    {.name = "angle",
     PC_MEMBER(pc_free_shape, angle),
     .unit = PC_UNIT_RAD,
     .initial = PC_ABSENT,
     .otherwise = "0, or that of the body",
     .allowed = PC_ANY,
     .doc = "at the start, anticlockwise; at 0 rods and capsules stand upright"},
    ROW(vx, PC_UNIT_M_PER_S, 0, PC_ANY, "velocity of the mass centre at the start"),
    ROW(vy, PC_UNIT_M_PER_S, 0, PC_ANY, "velocity of the mass centre at the start, upwards"),
    ROW(rate, PC_UNIT_RAD_PER_S, 0, PC_ANY, "of rotation at the start"),
    {.name = "name",
     .kind = PC_TEXT,
     .offset = SHAPE(name),
     .count = PC_PART_NAME,
     .initial = PC_ABSENT,
     .doc = "for pairs, events and columns, which then begin with it: \"b.y\"; \"body\" if not given"},
};

/* A body brings all that a shape is asked for. */
static pc_status take_body(const pc_schema *schema, pc_free_shape *s, uint64_t given, pc_error *err)
{
    static const char *const own[] = {"mass", "inertia", "radius", "length", "width", "height"};
    for (int i = 0; i < (int)(sizeof own / sizeof *own); i++)
        if (pc_schema_given(schema, given, own[i]))
            return pc_fail(err, PC_E_ARGUMENT, "free: a body has its own %s; give a shape, or change the body", own[i]);
    if (s->body.n == 0)
        return pc_fail(err, PC_E_ARGUMENT,
                       "free: this body has no outline in the plane, it is known at its contact alone; a sphere, a rod "
                       "or a box has one");
    s->shape = PC_SHAPE_OF_BODY;
    s->mass = s->body.mass;
    s->inertia = s->body.inertia;
    if (isnan(s->angle)) s->angle = s->body.angle;
    return PC_OK;
}

/* Each shape needs its own lengths and no others. */
static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    static const char *const names[4] = {"radius", "length", "width", "height"};
    static const char needs[4][5] = {"1000", "0100", "0011", "1100"};
    pc_free_shape *s = object;
    if (pc_schema_given(schema, given, "body")) return take_body(schema, s, given, err);
    if (isnan(s->mass)) return pc_fail(err, PC_E_ARGUMENT, "free: mass (m) is needed (> 0 kg)");
    if (isnan(s->angle)) s->angle = 0;
    for (int i = 0; i < 4; i++) {
        bool needed = needs[s->shape][i] == '1', is = pc_schema_given(schema, given, names[i]);
        if (needed != is)
            return pc_fail(err, PC_E_ARGUMENT, "free: a %s %s %s", shape_words[s->shape],
                           needed ? "needs its" : "has no", names[i]);
    }
    if (!isnan(s->inertia)) return PC_OK;
    double l = s->length, r = s->radius, m = s->mass;
    switch ((pc_shape)s->shape) {
    case PC_SHAPE_OF_BODY: break;
    case PC_SHAPE_DISC: s->inertia = m * r * r / 2; break;
    case PC_SHAPE_ROD: s->inertia = m * l * l / 12; break;
    case PC_SHAPE_BOX: s->inertia = m * (s->width * s->width + s->height * s->height) / 12; break;
    case PC_SHAPE_CAPSULE: {
        /* a rectangle and two half discs, whose mass centres lie 4 r/(3 pi) beyond its ends */
        double strip = 2 * r * l, caps = M_PI * r * r, own = 4 * r / (3 * M_PI);
        double rectangle = strip * (l * l + 4 * r * r) / 12;
        double ends = caps * (r * r / 2 - own * own + (l / 2 + own) * (l / 2 + own));
        s->inertia = m * (rectangle + ends) / (strip + caps);
        break;
    }
    }
    if (isfinite(s->inertia) && s->inertia > 0) return PC_OK;
    return pc_fail(err, PC_E_ARGUMENT, "free: this %s has an inertia of %g kg m^2, which must be > 0 and finite",
                   shape_words[s->shape], s->inertia);
}

const pc_schema pc_free_schema = {
    .name = "free",
    .summary = "A free planar body for scenes, with its motion at the start.",
    .details = "Bodies touch with corners, ends and flat sides. Only points do not meet points: two rods without "
               "thickness that slide end to end in one line. A body made for `collide` keeps its mass and its inertia "
               "here: of a cylinder, not of a disc.",
    .example = "local rod = percuss.free{ shape = \"rod\", mass = 1, length = 2 }\n"
               "print(string.format(\"%.6f\", rod.inertia)) --> 0.333333",
    PC_ROWS(rows),
    .size = sizeof(pc_free_shape),
    .groups = {PC_EXACTLY_ONE},
    .validate = validate,
};

int pc_free_outline(const pc_free_shape *s, double points[PC_BODY_CORNERS][2], double *round)
{
    pc_plane_body own = s->body;
    double radius = isnan(s->radius) ? 0 : s->radius;
    switch ((pc_shape)s->shape) {
    case PC_SHAPE_OF_BODY: break;
    case PC_SHAPE_DISC: pc_plane_body_rectangle(&own, 0, 0, radius); break;
    case PC_SHAPE_BOX: pc_plane_body_rectangle(&own, s->width, s->height, radius); break;
    case PC_SHAPE_ROD:
    case PC_SHAPE_CAPSULE: pc_plane_body_rectangle(&own, 0, s->length, radius); break;
    }
    for (int i = 0; i < own.n; i++) { /* at angle 0 e points up and f to the left */
        points[i][0] = own.corners[i][1];
        points[i][1] = 0 - own.corners[i][0];
    }
    *round = own.radius;
    return own.n;
}

pc_status pc_scene_add_free(pc_scene *scene, const pc_free_shape *shape, const char *name, pc_error *err)
{
    pc_free_body body = {shape->mass, shape->inertia};
    pc_status status = pc_scene_add_body(scene, &body, name, err);
    if (status != PC_OK) return status;
    double points[PC_BODY_CORNERS][2], round;
    int n = pc_free_outline(shape, points, &round);
    pc_outline outline = n == 1 ? pc_outline_point(name, points[0][0], points[0][1], round)
                                : pc_outline_polygon(name, points[0], n, round);
    outline.member = scene->n_members - 1;
    return pc_scene_add_outline(scene, &outline, err);
}
