/* Physical pendulum in the plane: a bob on a rigid link from a fixed pivot, striking the plane at an angle.
 *
 * One rate, so W has rank 1: W = (1/J) (-z, x)(-z, x)^T with the contact point at (x, z) from the pivot and J about the
 * pivot. Birlik (2012, 4.59) puts the contact point C on the line of the link at the bob's centre, (L sin a, -L cos a);
 * a real round bob touches R below its centre, (L sin a, -L cos a - R). Both are offered.
 */
#include "body/chain.h"
#include "body/kind.h"

#include <math.h>
#include <string.h>

enum { LINK, SURFACE };
static const char *const contacts[] = {"link", "surface", NULL};

enum { SPHERE, SHELL, DISC, HOOP };
static const char *const bobs[] = {"sphere", "shell", "disc", "hoop", NULL};

/* Moment of inertia of the bob about its centre, in m R^2. */
static const double moments[] = {[SPHERE] = 2.0 / 5, [SHELL] = 2.0 / 3, [DISC] = 1.0 / 2, [HOOP] = 1};

typedef struct pendulum {
    pc_matter matter;
    pc_surface surface;
    double length, angle, radius, link_mass;
    int bob, contact;
} pendulum;

static const pc_row rows[] = {
    PC_MATTER_ROWS(pendulum),
    {.name = "length",
     .symbol = "L",
     PC_MEMBER(pendulum, length),
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-2, 2},
     .doc = "distance from the pivot to the centre of the bob"},
    {.name = "angle",
     .symbol = "theta",
     .greek = "θ",
     PC_MEMBER(pendulum, angle),
     .unit = PC_UNIT_RAD,
     .initial = PC_REQUIRED,
     .allowed = {-PC_BODY_QUARTER, PC_BODY_QUARTER, true, true},
     .sample = {-1.5, 1.5},
     .doc = "angle of the link from the normal, positive if the bob lies ahead of the pivot (+t); at a quarter turn "
            "the link no longer reaches the plane"},
    {.name = "radius",
     .symbol = "R",
     PC_MEMBER(pendulum, radius),
     .unit = PC_UNIT_M,
     .initial = 0,
     .allowed = PC_NONNEGATIVE,
     .sample = {0, 0.5},
     .doc = "radius of the bob; 0 is a point mass"},
    {.name = "link_mass",
     PC_MEMBER(pendulum, link_mass),
     .unit = PC_UNIT_KG,
     .initial = 0,
     .allowed = PC_NONNEGATIVE,
     .sample = {0, 5},
     .doc = "mass of the link, a slender rod from pivot to bob centre"},
    {.name = "bob",
     .kind = PC_CHOICE,
     .offset = offsetof(pendulum, bob),
     .initial = SPHERE,
     .choices = bobs,
     .doc = "shape of the bob"},
    {.name = "contact",
     .kind = PC_CHOICE,
     .offset = offsetof(pendulum, contact),
     .initial = LINK,
     .choices = contacts,
     .doc = "where the obstacle acts: at the bob's centre on the line of the link, or on the bob's surface below it"},
    PC_SURFACE_ROWS(pendulum),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pendulum *p = object;
    double R = p->radius;
    double volume = p->bob == SPHERE && R > 0 ? 4 * M_PI / 3 * R * R * R : NAN;
    if (p->contact == SURFACE && R == 0)
        return pc_fail(err, PC_E_ARGUMENT, "%s: contact = \"surface\" needs a bob with 'radius' > 0 m", schema->name);
    pc_surface_settle(&p->surface, schema, given, R > 0 ? 1 / R : PC_ABSENT);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, volume, "'radius' of a solid sphere", err);
}

static const pc_schema schema = {
    .name = "body.pendulum",
    .summary = "A bob on a rigid link from a fixed pivot, in the plane.",
    .details = "The mass is that of the bob. W has rank 1: the contact point moves across its arm only. Its own "
               "velocity is the rate of the link; the bob strikes a plane below with a rate against the sign of the "
               "angle.",
    .equations = "w_tt = L^2 cos(theta)^2/J_p: with contact = \"link\"; J_p is the inertia about the pivot\n"
                 "w_tn = L^2 sin(theta) cos(theta)/J_p: with contact = \"link\"\n"
                 "w_nn = L^2 sin(theta)^2/J_p: with contact = \"link\"\n"
                 "w_tt w_nn = w_tn^2: in any case, for there is one way to move",
    .source = "Birlik (2012), section 4.2; Lubarda, J. Appl. Mech. 77 (2010) 011006",
    .example = "print(percuss.body.pendulum{ length = 0.1, radius = 5e-3, mass = 0.0041, angle = 0.5 }.rank) --> 1",
    PC_ROWS(rows),
    .size = sizeof(pendulum),
    .groups = {PC_AT_MOST_ONE},
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const pendulum *p = params;
    double L = p->length, R = p->radius, m = p->matter.mass;
    double x = L * sin(p->angle), z = -L * cos(p->angle) - (p->contact == SURFACE ? R : 0);
    body->form = PC_BODY_JOINTED;
    body->mass = m + p->link_mass;
    body->dof = 1;
    body->names[0] = "rate";
    body->units[0] = (pc_unit)PC_UNIT_RAD_PER_S;
    body->A[0] = m * L * L + moments[p->bob] * m * R * R + p->link_mass * L * L / 3;
    body->J[PC_T] = -z;
    body->J[PC_N] = x;
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

static void chain(const void *params, pc_chain *out, double *angles)
{
    const pendulum *p = params;
    double L = p->length, R = p->radius, m = p->matter.mass, rod = p->link_mass;
    double center = (m * L + rod * L / 2) / (m + rod), off = L - center, rod_off = center - L / 2;
    memset(out, 0, sizeof *out);
    out->n = 1;
    out->links[0] = (pc_link){
        .mass = m + rod,
        .length = L,
        .center = center,
        .inertia = moments[p->bob] * m * R * R + m * off * off + rod * (L * L / 12 + rod_off * rod_off),
        .radius = p->contact == SURFACE ? R : 0,
        .reach = L,
    };
    angles[0] = p->angle;
}

const pc_body_kind pc_body_kind_pendulum = {.schema = &schema, .build = build, .chain = chain};
