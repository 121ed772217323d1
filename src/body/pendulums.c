/* Bodies that hang from a pivot: pendulums in the plane and in space, and chains of links. */
#include "body/chain.h"
#include "body/body.h"

#include <math.h>
#include <string.h>

/* Physical pendulum in the plane: a bob on a rigid link from a fixed pivot, striking the plane at an angle.
 *
 * One rate, so W has rank 1: W = (1/J) (-z, x)(-z, x)^T with the contact point at (x, z) from the pivot and J about the
 * pivot. Birlik (2012, 4.59) puts the contact point C on the line of the link at the bob's centre, (L sin a, -L cos a);
 * a real round bob touches R below its centre, (L sin a, -L cos a - R). Both are offered.
 */

enum { LINK, SURFACE };
static const char *const contacts[] = {"link", "surface", NULL};

enum { SPHERE, SHELL, DISC, HOOP };
static const char *const bobs[] = {"sphere", "shell", "disc", "hoop", NULL};

/* Moment of inertia of the bob about its centre, in m R^2. */
static const double moments[] = {[SPHERE] = 2.0 / 5, [SHELL] = 2.0 / 3, [DISC] = 1.0 / 2, [HOOP] = 1};

typedef struct pendulum {
    pc_surface surface;
    pc_matter matter;
    double length, angle, radius, link_mass;
    int bob, contact;
} pendulum;

static const pc_row pendulum_rows[] = {
    PC_MATTER_ROWS(pendulum),
    PC_ROW(pendulum, length, "length", .symbol = "L", .unit = PC_UNIT_M, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .sample = {1e-2, 2}, .doc = "distance from the pivot to the centre of the bob"),
    PC_ROW(pendulum, angle, "angle", .symbol = "theta", .greek = "θ", .unit = PC_UNIT_RAD, .initial = PC_REQUIRED,
           .allowed = {-PC_BODY_QUARTER, PC_BODY_QUARTER, true, true}, .sample = {-1.5, 1.5},
           .doc = "angle of the link from the normal, positive if the bob lies ahead of the pivot (+t); at a quarter "
                  "turn the link no longer reaches the plane"),
    PC_ROW(pendulum, radius, "radius", .symbol = "R", .unit = PC_UNIT_M, .initial = 0, .allowed = PC_NONNEGATIVE,
           .sample = {0, 0.5}, .doc = "radius of the bob; 0 is a point mass"),
    PC_ROW(pendulum, link_mass, "link_mass", .unit = PC_UNIT_KG, .initial = 0, .allowed = PC_NONNEGATIVE,
           .sample = {0, 5}, .doc = "mass of the link, a slender rod from pivot to bob centre"),
    PC_CHOICE_ROW(pendulum, bob, "bob", bobs, .initial = SPHERE, .doc = "shape of the bob"),
    PC_CHOICE_ROW(
        pendulum, contact, "contact", contacts, .initial = LINK,
        .doc =
            "where the obstacle acts: at the bob's centre on the line of the link, or on the bob's surface below it"),
    PC_SURFACE_ROWS(pendulum),
};

static pc_status pendulum_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pendulum *p = object;
    double R = p->radius;
    double volume = p->bob == SPHERE && R > 0 ? 4 * M_PI / 3 * R * R * R : NAN;
    if (p->contact == SURFACE && R == 0)
        return pc_fail(err, PC_E_ARGUMENT, "%s: contact = \"surface\" needs a bob with 'radius' > 0 m", schema->name);
    pc_surface_settle(&p->surface, schema, given, R > 0 ? 1 / R : PC_ABSENT);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, volume, "'radius' of a solid sphere", err);
}

static const pc_schema pendulum_schema = {
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
    PC_ROWS(pendulum_rows),
    .size = sizeof(pendulum),
    .groups = {PC_AT_MOST_ONE},
    .validate = pendulum_validate,
};

static pc_status pendulum_build(const void *params, pc_body *body, pc_error *err)
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
    body->turns = true;
    body->turn[PC_T2] = 1;
    return PC_OK;
}

static void pendulum_chain(const void *params, pc_chain *out, double *angles)
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

const pc_body_kind pc_body_kind_pendulum = {
    .schema = &pendulum_schema, .build = pendulum_build, .chain = pendulum_chain};

/* A planar chain of rigid links hanging from a fixed pivot, frozen at the instant at which its end strikes a plane.
 *
 * Coordinates are the absolute angles of the links, as of a chain that moves (body/chain.h), so that A follows from
 * distances of mass centres: A_ij = [m_j c_j + l_j (masses beyond j)] l_i cos(q_i - q_j) for i < j. The end is a
 * point, or a disc of which the lowest point touches.
 */

typedef struct linkage {
    pc_surface surface;
    pc_matrix lengths, masses, angles, centers, inertias;
    double radius;
} linkage;

#define LIST(word, member, dimension, start, text)                                                                     \
    PC_ROW(linkage, member, word, .unit = dimension, .initial = start, .allowed = PC_ANY, .doc = text)

static const pc_row linkage_rows[] = {
    LIST("lengths", lengths, PC_UNIT_M, PC_REQUIRED, "of the links, from the pivot on: a list"),
    LIST("masses", masses, PC_UNIT_KG, PC_REQUIRED, "of the links: a list"),
    LIST("angles", angles, PC_UNIT_RAD, PC_REQUIRED, "of the links from the normal, positive towards +t: a list"),
    LIST("centers", centers, PC_UNIT_M, PC_ABSENT,
         "of mass, from the upper joint along each link; the middle if not given"),
    LIST("inertias", inertias, PC_UNIT_KG_M2, PC_ABSENT,
         "about the centres of mass; m l^2/12 of slender rods if not given"),
    PC_ROW(linkage, radius, "radius", .symbol = "R", .unit = PC_UNIT_M, .initial = 0, .allowed = PC_NONNEGATIVE,
           .sample = {0, 0.5}, .doc = "of a disc or sphere about the end of the last link; 0: the end is a point"),
    PC_SURFACE_ROWS(linkage),
};

static pc_status check_list(const pc_schema *schema, const char *name, const pc_matrix *list, int n, double least,
                            bool open, pc_error *err)
{
    if (list->rows != 1 || list->cols != n)
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s must be a list of %d numbers, one for each link", schema->name, name,
                       n);
    for (int i = 0; i < n; i++)
        if (!(open ? list->v[i] > least : list->v[i] >= least))
            return pc_fail(err, PC_E_ARGUMENT, "%s: %s[%d] = %.10g is not allowed; it must be %s %.10g", schema->name,
                           name, i + 1, list->v[i], open ? ">" : ">=", least);
    return PC_OK;
}

static pc_status linkage_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    linkage *p = object;
    int n = p->lengths.cols;
    pc_status status = check_list(schema, "lengths", &p->lengths, n, 0, true, err);
    if (!status) status = check_list(schema, "masses", &p->masses, n, 0, false, err);
    if (!status) status = check_list(schema, "angles", &p->angles, n, -HUGE_VAL, true, err);
    if (status) return status;
    if (!pc_schema_given(schema, given, "centers")) {
        p->centers = p->lengths;
        for (int i = 0; i < n; i++) p->centers.v[i] /= 2;
    }
    if (!pc_schema_given(schema, given, "inertias")) {
        p->inertias = p->masses;
        for (int i = 0; i < n; i++) p->inertias.v[i] *= p->lengths.v[i] * p->lengths.v[i] / 12;
    }
    status = check_list(schema, "centers", &p->centers, n, -HUGE_VAL, true, err);
    if (!status) status = check_list(schema, "inertias", &p->inertias, n, 0, false, err);
    pc_surface_settle(&p->surface, schema, given, p->radius > 0 ? 1 / p->radius : PC_ABSENT);
    return status;
}

static const pc_schema linkage_schema = {
    .name = "body.linkage",
    .summary = "A chain of links from a fixed pivot, frozen as its end strikes a plane below.",
    .details =
        "Its own velocities are the rates of the links, 'rates'. From those of the end they follow as the motion "
        "of least kinetic energy. percuss.chain is the same thing in motion.",
    .equations = "W = C A^-1 C': with the mass matrix A of the links and the Jacobian C of the end",
    .source = "Hurmuzlu and Marghitu, Int. J. Robotics Res. 13 (1994)",
    .example = "local arm = percuss.body.linkage{ lengths = { 1, 0.8 }, masses = { 1, 0.5 }, angles = { 0.4, -0.2 } }\n"
               "print(arm.rank, string.format(\"%.6f\", arm.w_nn)) --> 2\t0.935386",
    PC_ROWS(linkage_rows),
    .size = sizeof(linkage),
    .validate = linkage_validate,
};

static pc_status linkage_build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    static const char *const names[PC_BODY_DOF] = {"rate1",  "rate2",  "rate3",  "rate4",  "rate5",  "rate6",
                                                   "rate7",  "rate8",  "rate9",  "rate10", "rate11", "rate12",
                                                   "rate13", "rate14", "rate15", "rate16", "rate17", "rate18",
                                                   "rate19", "rate20", "rate21", "rate22", "rate23", "rate24"};
    const linkage *p = params;
    int n = p->lengths.cols;
    const double *l = p->lengths.v, *m = p->masses.v, *q = p->angles.v, *c = p->centers.v;
    body->form = PC_BODY_JOINTED;
    body->dof = n;
    body->mass = 0;
    double beyond = 0;
    for (int j = n - 1; j >= 0; j--) {
        double pull = m[j] * c[j] + beyond * l[j];
        body->A[j * n + j] = p->inertias.v[j] + m[j] * c[j] * c[j] + beyond * l[j] * l[j];
        for (int i = 0; i < j; i++) body->A[i * n + j] = body->A[j * n + i] = pull * l[i] * cos(q[i] - q[j]);
        beyond += m[j];
        body->mass += m[j];
        body->names[j] = names[j];
        body->units[j] = (pc_unit)PC_UNIT_RAD_PER_S;
        body->J[PC_T * n + j] = l[j] * cos(q[j]) + (j == n - 1 ? p->radius : 0);
        body->J[PC_N * n + j] = l[j] * sin(q[j]);
    }
    body->turns = true;
    body->turn[PC_T2 * n + n - 1] = 1;
    return PC_OK;
}

static void linkage_chain(const void *params, pc_chain *out, double *angles)
{
    const linkage *p = params;
    memset(out, 0, sizeof *out);
    out->n = p->lengths.cols;
    for (int i = 0; i < out->n; i++) {
        out->links[i] = (pc_link){.mass = p->masses.v[i],
                                  .length = p->lengths.v[i],
                                  .center = p->centers.v[i],
                                  .inertia = p->inertias.v[i],
                                  .reach = p->lengths.v[i]};
        angles[i] = p->angles.v[i];
    }
    out->links[out->n - 1].radius = p->radius;
}

const pc_body_kind pc_body_kind_linkage = {.schema = &linkage_schema, .build = linkage_build, .chain = linkage_chain};

/* Spherical pendulum: a ball on a rigid link from a fixed joint, striking the plane in space; the link lies in the
 * plane (t, n) at the instant of contact.
 *
 * Two joints. "suppressed": rotation about t is blocked, as in Birlik (2012, 4.1); the rates are about t2 and about n.
 * "universal": only rotation about the link itself is blocked; the rates are about t2 and about the axis across the
 * link in the plane (t, n). With a point bob both give the projector across the link over m (Birlik 4.6); with a ball
 * of finite size the mobility along t2 differs.
 */

enum { SUPPRESSED, UNIVERSAL };
static const char *const joints[] = {"suppressed", "universal", NULL};

typedef struct spherical {
    pc_surface surface;
    pc_matter matter;
    double length, angle, radius, link_mass;
    int joint, contact;
} spherical;

static const pc_row spherical_pendulum_rows[] = {
    PC_MATTER_ROWS(spherical),
    PC_ROW(spherical, length, "length", .symbol = "L", .unit = PC_UNIT_M, .initial = PC_REQUIRED,
           .allowed = PC_POSITIVE, .sample = {1e-2, 2}, .doc = "distance from the joint to the centre of the ball"),
    PC_ROW(spherical, angle, "angle", .symbol = "theta", .greek = "θ", .unit = PC_UNIT_RAD, .initial = PC_REQUIRED,
           .allowed = {-PC_BODY_QUARTER, PC_BODY_QUARTER, true, true}, .sample = {-1.5, 1.5},
           .doc = "angle of the link from the normal, positive if the ball lies ahead (+t)"),
    PC_CHOICE_ROW(
        spherical, joint, "joint", joints, .initial = PC_REQUIRED,
        .doc = "which rotation the joint blocks: the one about t (suppressed) or the one about the link (universal)"),
    PC_ROW(spherical, radius, "radius", .symbol = "R", .unit = PC_UNIT_M, .initial = 0, .allowed = PC_NONNEGATIVE,
           .sample = {0, 0.5}, .doc = "radius of the solid ball; 0 is a point mass"),
    PC_ROW(spherical, link_mass, "link_mass", .unit = PC_UNIT_KG, .initial = 0, .allowed = PC_NONNEGATIVE,
           .sample = {0, 5}, .doc = "mass of the link, a slender rod from joint to ball centre"),
    PC_CHOICE_ROW(
        spherical, contact, "contact", contacts, .initial = LINK,
        .doc = "where the obstacle acts: at the ball's centre on the line of the link, or on its surface below it"),
    PC_SURFACE_ROWS(spherical),
};

static pc_status spherical_pendulum_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    spherical *p = object;
    double R = p->radius;
    if (p->contact == SURFACE && R == 0)
        return pc_fail(err, PC_E_ARGUMENT, "%s: contact = \"surface\" needs a ball with 'radius' > 0 m", schema->name);
    pc_surface_settle(&p->surface, schema, given, R > 0 ? 1 / R : PC_ABSENT);
    return pc_matter_settle(&p->matter, &p->surface, schema, given, R > 0 ? 4 * M_PI / 3 * R * R * R : NAN, "'radius'",
                            err);
}

static const pc_schema spherical_pendulum_schema = {
    .name = "body.spherical_pendulum",
    .summary = "A ball on a rigid link from a fixed joint, in space.",
    .details = "Its own velocities are 'rate', about t2, and 'turn': about the normal for the joint \"suppressed\", "
               "about the axis across the link in the plane (t, n) for \"universal\". W has rank 2.",
    .equations = "W = C A^-1 C': with the mass matrix A of link and bob and the Jacobian C of the contact point",
    .source = "Birlik (2012), section 4.1, equations 4.1-4.6",
    .example = "print(percuss.body.spherical_pendulum{ length = 1, mass = 1, angle = 0.6, joint = \"universal\" }.rank)"
               " --> 2",
    PC_ROWS(spherical_pendulum_rows),
    .size = sizeof(spherical),
    .groups = {PC_AT_MOST_ONE},
    .validate = spherical_pendulum_validate,
};

static pc_status spherical_pendulum_build(const void *params, pc_body *body, pc_error *err)
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
    body->turns = true;
    body->turn[2 * PC_T2] = 1;
    body->turn[2 * PC_T + 1] = universal ? c : 0;
    body->turn[2 * PC_N + 1] = universal ? s : 1;
    return PC_OK;
}

const pc_body_kind pc_body_kind_spherical_pendulum = {.schema = &spherical_pendulum_schema,
                                                      .build = spherical_pendulum_build};
