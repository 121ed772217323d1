/* A planar chain of rigid links hanging from a fixed pivot, frozen at the instant at which its end strikes a plane.
 *
 * Coordinates are the absolute angles of the links, as of a chain that moves (body/chain.h), so that A follows from
 * distances of mass centres: A_ij = [m_j c_j + l_j (masses beyond j)] l_i cos(q_i - q_j) for i < j. The end is a
 * point, or a disc of which the lowest point touches.
 */
#include "body/chain.h"
#include "body/kind.h"

#include <math.h>
#include <string.h>

typedef struct linkage {
    pc_surface surface;
    pc_matrix lengths, masses, angles, centers, inertias;
    double radius;
} linkage;

#define LIST(word, member, dimension, start, text)                                                                     \
    {                                                                                                                  \
        .name = word, .kind = PC_MATRIX, .offset = offsetof(linkage, member), .unit = dimension, .initial = start,     \
        .allowed = PC_ANY, .doc = text                                                                                 \
    }

static const pc_row rows[] = {
    LIST("lengths", lengths, PC_UNIT_M, PC_REQUIRED, "of the links, from the pivot on: a list"),
    LIST("masses", masses, PC_UNIT_KG, PC_REQUIRED, "of the links: a list"),
    LIST("angles", angles, PC_UNIT_RAD, PC_REQUIRED, "of the links from the normal, positive towards +t: a list"),
    LIST("centers", centers, PC_UNIT_M, PC_ABSENT,
         "of mass, from the upper joint along each link; the middle if not given"),
    LIST("inertias", inertias, PC_UNIT_KG_M2, PC_ABSENT,
         "about the centres of mass; m l^2/12 of slender rods if not given"),
    {.name = "radius",
     .symbol = "R",
     PC_MEMBER(linkage, radius),
     .unit = PC_UNIT_M,
     .initial = 0,
     .allowed = PC_NONNEGATIVE,
     .sample = {0, 0.5},
     .doc = "of a disc or sphere about the end of the last link; 0: the end is a point"},
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

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
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

static const pc_schema schema = {
    .name = "body.linkage",
    .summary = "A chain of links from a fixed pivot, frozen as its end strikes a plane below.",
    .details =
        "Its own velocities are the rates of the links, 'rates'. From those of the end they follow as the motion "
        "of least kinetic energy. percuss.chain is the same thing in motion.",
    .equations = "W = C A^-1 C': with the mass matrix A of the links and the Jacobian C of the end",
    .source = "Hurmuzlu and Marghitu, Int. J. Robotics Res. 13 (1994)",
    .example = "local arm = percuss.body.linkage{ lengths = { 1, 0.8 }, masses = { 1, 0.5 }, angles = { 0.4, -0.2 } }\n"
               "print(arm.rank, string.format(\"%.6f\", arm.w_nn)) --> 2\t0.935386",
    PC_ROWS(rows),
    .size = sizeof(linkage),
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
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
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

static void chain(const void *params, pc_chain *out, double *angles)
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

const pc_body_kind pc_body_kind_linkage = {.schema = &schema, .build = build, .chain = chain};
