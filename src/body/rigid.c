/* General free rigid body: W = 1/m - [r] J^-1 [r], with r the arm from the mass centre to the contact point (Birlik
 * 2012, 3.36). */
#include "math/eigen.h"
#include "body/kind.h"

#include <math.h>

/* Principal moments are compared to this fraction of the largest: they are known to a few 1e-16 of it, and a typed
 * lamina or rod may carry rounded digits. */
#define MOMENT_TOLERANCE 1e-12

/* The arm lies along the axis without inertia if its part across is below this fraction of it. */
#define ALONG_TOLERANCE 1e-9

typedef struct rigid {
    pc_surface surface;
    pc_matrix tensor;
    double mass, inertia;
    double arm[2], arm_t2;
    bool spatial;
} rigid;

static const pc_row rows[] = {
    {.name = "mass",
     .symbol = "m",
     PC_MEMBER(rigid, mass),
     .unit = PC_UNIT_KG,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-3, 10},
     .doc = "mass"},
    {.name = "inertia",
     .symbol = "J",
     PC_MEMBER(rigid, inertia),
     .unit = PC_UNIT_KG_M2,
     .initial = PC_ABSENT,
     .allowed = PC_NONNEGATIVE,
     .sample = {1e-3, 10},
     .group = 1,
     .doc = "moment of inertia about t2 through the mass centre: motion in the plane"},
    {.name = "inertia_tensor",
     .kind = PC_MATRIX,
     .offset = offsetof(rigid, tensor),
     .unit = PC_UNIT_KG_M2,
     .initial = PC_ABSENT,
     .allowed = PC_ANY,
     .group = 1,
     .doc = "3 x 3 inertia about the mass centre along t, n, t2: motion in space"},
    {.name = "arm",
     .symbol = "r",
     .kind = PC_VECTOR,
     .offset = offsetof(rigid, arm),
     .count = 2,
     .unit = PC_UNIT_M,
     .initial = PC_REQUIRED,
     .allowed = PC_ANY,
     .sample = {-1, 1},
     .doc = "contact point seen from the mass centre, along t and n"},
    {.name = "arm_t2",
     PC_MEMBER(rigid, arm_t2),
     .unit = PC_UNIT_M,
     .initial = 0,
     .allowed = PC_ANY,
     .doc = "its third component, along t2 = t x n; in space only"},
    PC_SURFACE_ROWS(rigid),
};

static pc_status check_plane(const pc_schema *schema, const rigid *p, pc_error *err)
{
    if (p->arm_t2 != 0)
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: arm_t2 = %.10g m needs 'inertia_tensor': 'inertia' describes motion in "
                       "the plane",
                       schema->name, p->arm_t2);
    if (p->inertia == 0 && (p->arm[0] != 0 || p->arm[1] != 0))
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: inertia = 0 kg m^2 is allowed only for a contact at the mass centre, "
                       "not with the arm (%.10g, %.10g) m",
                       schema->name, p->arm[0], p->arm[1]);
    return PC_OK;
}

/* An inertia without moment about an axis is harmless only if the arm lies along it: no impulse there turns it. A
 * point mass (no moment at all) must be struck at its place. */
static pc_status check_axis(const pc_schema *schema, const rigid *p, double values[3], double axes[3][3], pc_error *err)
{
    double x = p->arm[0], z = p->arm[1], y = p->arm_t2, size = sqrt(x * x + z * z + y * y);
    double a = axes[0][2], b = axes[1][2], c = axes[2][2];
    double across = sqrt(pow(b * y - c * z, 2) + pow(c * x - a * y, 2) + pow(a * z - b * x, 2));
    if (values[0] == 0 ? size == 0 : across <= ALONG_TOLERANCE * size) return PC_OK;
    return pc_fail(err, PC_E_ARGUMENT,
                   "%s: inertia_tensor has no moment about an axis that the arm does not lie along: an impulse there "
                   "would spin the body without resistance",
                   schema->name);
}

static pc_status check_space(const pc_schema *schema, rigid *p, pc_error *err)
{
    const pc_matrix *T = &p->tensor;
    if (T->rows != 3 || T->cols != 3)
        return pc_fail(err, PC_E_ARGUMENT, "%s: inertia_tensor must have 3 rows of 3 numbers, not %d rows of %d",
                       schema->name, T->rows, T->cols);
    double I[3][3], values[3], axes[3][3], size = 0;
    for (int i = 0; i < 9; i++) size = fmax(size, fabs(T->v[i]));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            I[i][j] = (T->v[3 * i + j] + T->v[3 * j + i]) / 2;
            if (fabs(T->v[3 * i + j] - T->v[3 * j + i]) > MOMENT_TOLERANCE * size)
                return pc_fail(err, PC_E_ARGUMENT,
                               "%s: inertia_tensor must be symmetric: element (%d, %d) is %.10g and (%d, %d) is "
                               "%.10g kg m^2",
                               schema->name, i + 1, j + 1, T->v[3 * i + j], j + 1, i + 1, T->v[3 * j + i]);
        }
    pc_eigen_symmetric3(I, values, axes);
    double slack = MOMENT_TOLERANCE * size;
    if (values[2] < -slack)
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: inertia_tensor is not positive semi-definite: its least principal moment is %.10g kg m^2; "
                       "it must be >= 0 kg m^2",
                       schema->name, values[2]);
    if (values[0] > values[1] + values[2] + slack)
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: inertia_tensor has the principal moments %.10g, %.10g and %.10g kg m^2; the largest must "
                       "be <= the sum of the others, %.10g kg m^2, as in every body",
                       schema->name, values[0], values[1], values[2], values[1] + values[2]);
    for (int i = 0; i < 9; i++) p->tensor.v[i] = I[i / 3][i % 3];
    return values[2] > slack ? PC_OK : check_axis(schema, p, values, axes, err);
}

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    rigid *p = object;
    p->spatial = pc_schema_given(schema, given, "inertia_tensor");
    pc_surface_settle(&p->surface, schema, given, PC_ABSENT);
    return p->spatial ? check_space(schema, p, err) : check_plane(schema, p, err);
}

static const pc_schema schema = {
    .name = "body.rigid",
    .summary = "A free rigid body given by mass, inertia and the arm to its contact point.",
    .details = "With 'inertia', a number, it moves in the plane; with 'inertia_tensor' in space. The three axes are "
               "t, n and t2 = t x n, in this order. A plate may have one principal moment equal to the sum of the "
               "others, and a slender rod no moment about its axis if the arm lies along it.",
    .equations = "w_tt = 1/m + r_n^2/J: in the plane, r being the arm from the mass centre to the contact\n"
                 "w_tn = -r_t r_n/J: in the plane\n"
                 "w_nn = 1/m + r_t^2/J: in the plane",
    .source = "Birlik (2012), equations 3.33-3.38; Stronge, Impact Mechanics (2000), chapter 4",
    .example = "print(percuss.body.rigid{ mass = 1, inertia = 0.25, arm = { 0.5, -0.5 } }.w_tn) --> 1.0",
    PC_ROWS(rows),
    .size = sizeof(rigid),
    .groups = {PC_EXACTLY_ONE},
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const rigid *p = params;
    double inertia[3][3] = {{0}};
    if (p->spatial)
        for (int i = 0; i < 9; i++) inertia[i / 3][i % 3] = p->tensor.v[i];
    else
        inertia[PC_T2][PC_T2] = p->inertia;
    pc_body_fill_free(body, p->spatial, p->mass, inertia, (double[3]){p->arm[0], p->arm[1], p->arm_t2});
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

const pc_body_kind pc_body_kind_rigid = {.schema = &schema, .build = build};
