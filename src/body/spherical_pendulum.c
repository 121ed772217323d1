/* Spherical pendulum: a ball on a rigid link from a fixed joint, striking the plane in space; the link lies in the
 * plane (t, n) at the instant of contact.
 *
 * Two joints. "suppressed": rotation about t is blocked, as in Birlik (2012, 4.1); the rates are about t2 and about n.
 * "universal": only rotation about the link itself is blocked; the rates are about t2 and about the axis across the
 * link in the plane (t, n). With a point bob both give the projector across the link over m (Birlik 4.6); with a ball
 * of finite size the mobility along t2 differs.
 */
#include "body/kind.h"

#include <math.h>

enum { SUPPRESSED, UNIVERSAL };
static const char *const joints[] = {"suppressed", "universal", NULL};

enum { LINK, SURFACE };
static const char *const contacts[] = {"link", "surface", NULL};

typedef struct spherical {
    pc_matter matter;
    pc_surface surface;
    double length, angle, radius, link_mass;
    int joint, contact;
} spherical;

static const pc_row rows[] = {
    PC_MATTER_ROWS(spherical),
    {.name = "length",
     .symbol = "L",
     PC_MEMBER(spherical, length),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-2, 2},
     .doc = "distance from the joint to the centre of the ball"},
    {.name = "angle",
     .symbol = "theta",
     .greek = "θ",
     PC_MEMBER(spherical, angle),
     .unit = PC_UNIT_RAD,
     .initial = PC_REQUIRED,
     .allowed = {-PC_BODY_QUARTER, PC_BODY_QUARTER, true, true},
     .sample = {-1.5, 1.5},
     .doc = "angle of the link from the normal, positive if the ball lies ahead (+t)"},
    {.name = "joint",
     .kind = PC_CHOICE,
     .offset = offsetof(spherical, joint),
     .initial = PC_REQUIRED,
     .choices = joints,
     .doc = "which rotation the joint blocks: the one about t (suppressed) or the one about the link (universal)"},
    {.name = "radius",
     .symbol = "R",
     PC_MEMBER(spherical, radius),
     .unit = PC_UNIT_M,
     .initial = 0,
     .allowed = PC_NONNEGATIVE,
     .sample = {0, 0.5},
     .doc = "radius of the solid ball; 0 is a point mass"},
    {.name = "link_mass",
     PC_MEMBER(spherical, link_mass),
     .unit = PC_UNIT_KG,
     .initial = 0,
     .allowed = PC_NONNEGATIVE,
     .sample = {0, 5},
     .doc = "mass of the link, a slender rod from joint to ball centre"},
    {.name = "contact",
     .kind = PC_CHOICE,
     .offset = offsetof(spherical, contact),
     .initial = LINK,
     .choices = contacts,
     .doc = "where the obstacle acts: at the ball's centre on the line of the link, or on its surface below it"},
    PC_SURFACE_ROWS(spherical),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    spherical *p = object;
    double R = p->radius;
    if (p->contact == SURFACE && R == 0)
        return pc_fail(err, PC_E_ARGUMENT, "%s: contact = \"surface\" needs a ball with 'radius' > 0 m", schema->name);
    pc_surface_settle(&p->surface, schema, given, R > 0 ? 1 / R : PC_ABSENT);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, R > 0 ? 4 * M_PI / 3 * R * R * R : NAN, "'radius'",
                            err);
}

static const pc_schema schema = {
    .name = "body.spherical_pendulum",
    .summary = "A ball on a rigid link from a fixed joint, in space.",
    .details = "Its own velocities are 'rate', about t2, and 'turn': about the normal for the joint \"suppressed\", "
               "about the axis across the link in the plane (t, n) for \"universal\". W has rank 2.",
    .equations = "W = C A^-1 C': with the mass matrix A of link and bob and the Jacobian C of the contact point",
    .source = "Birlik (2012), section 4.1, equations 4.1-4.6",
    .example = "print(percuss.body.spherical_pendulum{ length = 1, mass = 1, angle = 0.6, joint = \"universal\" }.rank)"
               " --> 2",
    PC_ROWS(rows),
    .size = sizeof(spherical),
    .groups = {PC_AT_MOST_ONE},
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const spherical *p = params;
    double L = p->length, R = p->radius, m = p->matter.mass, ball = 2 * m * R * R / 5;
    double s = sin(p->angle), c = cos(p->angle), x = L * s, z = -L * c - (p->contact == SURFACE ? R : 0);
    bool universal = p->joint == UNIVERSAL;
    /* distance of the ball's centre from the second axis, and the velocity of the contact point along t2 for a unit
     * rate about it: (0, 1, 0) x r or (c, s, 0) x r */
    double reach = universal ? L : x;
    double aside = universal ? c * z - s * x : -x;
    body->form = PC_BODY_JOINTED;
    body->spatial = true;
    body->mass = m + p->link_mass;
    body->dof = 2;
    body->names[0] = "rate";
    body->names[1] = "turn";
    body->units[0] = body->units[1] = (pc_unit)PC_UNIT_RAD_PER_S;
    body->A[0] = m * L * L + ball + p->link_mass * L * L / 3;
    body->A[3] = m * reach * reach + ball + p->link_mass * reach * reach / 3;
    body->J[2 * PC_T] = -z;
    body->J[2 * PC_N] = x;
    body->J[2 * PC_T2 + 1] = aside;
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

const pc_body_kind pc_body_kind_spherical_pendulum = {.schema = &schema, .build = build};
