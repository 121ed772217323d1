/* Bodies known by numbers: W itself, mass matrix and Jacobian, mass and inertia, Lai's parameters. */
#include "body/body.h"
#include "math/linsolve.h"

#include <math.h>
#include <string.h>

/* Typed digits and computed products may differ across the diagonal by this fraction of the largest element; principal
 * moments are compared to it as well: they are known to a few 1e-16 of the largest, and a typed lamina or rod may carry
 * rounded digits. */
static const double ROUNDED = 1e-12;

static pc_status check_symmetric(const pc_schema *schema, const char *what, const char *unit, const pc_matrix *m,
                                 double *size, pc_error *err)
{
    const int n = m->rows;
    *size = 0;
    for (int i = 0; i < n * n; i++) *size = fmax(*size, fabs(m->v[i]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double below = m->v[i * n + j], above = m->v[j * n + i];
            if (fabs(below - above) > ROUNDED * *size)
                return pc_fail(err, PC_E_ARGUMENT,
                               "%s: %s must be symmetric: element (%d, %d) is %.10g and (%d, %d) is %.10g%s",
                               schema->name, what, i + 1, j + 1, below, j + 1, i + 1, above, unit);
        }
    return PC_OK;
}

/* A body known by its inverse effective mass alone. */

typedef struct matrix {
    pc_surface surface;
    pc_matrix W;
} matrix;

static const pc_row matrix_rows[] = {
    PC_ROW(
        matrix, W, "mobility", .symbol = "W", .unit = PC_UNIT_PER_KG, .initial = PC_REQUIRED, .allowed = PC_ANY,
        .doc =
            "inverse effective mass, symmetric and positive semi-definite: {{tt, tn}, {tn, nn}}, or 3 x 3 along t, n, "
            "t2 = t x n"),
    PC_SURFACE_ROWS(matrix),
};

static pc_status matrix_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    matrix *p = object;
    const pc_matrix *W = &p->W;
    int n = W->rows;
    if (n != W->cols || (n != 2 && n != 3))
        return pc_fail(err, PC_E_ARGUMENT, "%s: mobility (W) must be 2 x 2 or 3 x 3, not %d x %d", schema->name,
                       W->rows, W->cols);
    double size;
    pc_status status = check_symmetric(schema, "mobility (W)", " 1/kg", W, &size, err);
    if (status != PC_OK) return status;
    if (size == 0)
        return pc_fail(err, PC_E_ARGUMENT, "%s: mobility (W) is zero: such a body is part of the obstacle",
                       schema->name);
    pc_surface_settle(&p->surface, schema, given, PC_ABSENT);
    return PC_OK;
}

static const pc_schema matrix_schema = {
    .name = "body.matrix",
    .summary = "A body known by its inverse effective mass W alone.",
    .details = "It has no velocities of its own: its motion is given by those of the contact point, and energies are "
               "the contact's share v.W^+.v/2.",
    .equations = "v' = v + W p: as of any body",
    .example = "print(percuss.body.matrix{ W = {{ 3.5, 0 }, { 0, 1 }} }.rank) --> 2",
    PC_ROWS(matrix_rows),
    .size = sizeof(matrix),
    .validate = matrix_validate,
};

static pc_status matrix_build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const matrix *p = params;
    const double *v = p->W.v;
    body->form = PC_BODY_DATA;
    body->spatial = p->W.rows == 3;
    if (body->spatial)
        body->W = (pc_mobility){.tt = v[0], .tn = v[1], .tt2 = v[2], .nn = v[4], .t2n = v[5], .t2t2 = v[8]};
    else
        body->W = (pc_mobility){.tt = v[0], .tn = v[1], .nn = v[3]};
    return PC_OK;
}

const pc_body_kind pc_body_kind_matrix = {.schema = &matrix_schema, .build = matrix_build};

/* A mechanical system given by its mass matrix and contact Jacobian at the instant of contact: W = C A^-1 C^T. */

typedef struct linear_system {
    pc_surface surface;
    pc_matrix A, C;
} linear_system;

static const pc_row system_rows[] = {
    PC_ROW(linear_system, A, "mass_matrix", .symbol = "A", .initial = PC_REQUIRED, .allowed = PC_ANY,
           .doc = "mass matrix of the generalized velocities, n x n, symmetric and positive semi-definite"),
    PC_ROW(
        linear_system, C, "jacobian", .symbol = "C", .initial = PC_REQUIRED, .allowed = PC_ANY,
        .doc =
            "velocity of the contact point per unit of each generalized velocity: 2 rows (t, n) or 3 (t, n, t2) of n"),
    PC_SURFACE_ROWS(linear_system),
};

static pc_status system_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    linear_system *p = object;
    int n = p->A.rows;
    if (n != p->A.cols)
        return pc_fail(err, PC_E_ARGUMENT, "%s: mass_matrix (A) must be square, not %d x %d", schema->name, n,
                       p->A.cols);
    if (p->C.cols != n || (p->C.rows != 2 && p->C.rows != 3))
        return pc_fail(err, PC_E_ARGUMENT, "%s: jacobian (C) must have 2 or 3 rows of %d numbers, not %d rows of %d",
                       schema->name, n, p->C.rows, p->C.cols);
    double size;
    pc_surface_settle(&p->surface, schema, given, PC_ABSENT);
    return check_symmetric(schema, "mass_matrix (A)", "", &p->A, &size, err);
}

static const pc_schema system_schema = {
    .name = "body.system",
    .summary = "Any mechanical system, given by its mass matrix A and contact Jacobian C.",
    .details = "Its own velocities are the n generalized ones, given as 'rates'. From those of the contact point they "
               "follow as the motion of least kinetic energy.",
    .equations = "W = C A^-1 C': with the mass matrix A and the Jacobian C of the contact point",
    .source = "Kecskemethy, Lange and Grabner (1999), equation 1",
    .example = "print(percuss.body.system{ A = {{ 2, 0 }, { 0, 4 }}, C = {{ 1, 0 }, { 0, 1 }} }.w_nn) --> 0.25",
    PC_ROWS(system_rows),
    .size = sizeof(linear_system),
    .validate = system_validate,
};

static pc_status system_build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    static const char *const names[PC_BODY_DOF] = {"u1",  "u2",  "u3",  "u4",  "u5",  "u6",  "u7",  "u8",
                                                   "u9",  "u10", "u11", "u12", "u13", "u14", "u15", "u16",
                                                   "u17", "u18", "u19", "u20", "u21", "u22", "u23", "u24"};
    const linear_system *p = params;
    int n = p->A.rows;
    body->form = PC_BODY_JOINTED;
    body->spatial = p->C.rows == 3;
    body->dof = n;
    memcpy(body->names, names, (size_t)n * sizeof *names);
    memcpy(body->A, p->A.v, (size_t)(n * n) * sizeof *body->A);
    memcpy(body->J, p->C.v, (size_t)(p->C.rows * n) * sizeof *body->J);
    return PC_OK;
}

const pc_body_kind pc_body_kind_system = {.schema = &system_schema, .build = system_build};

/* General free rigid body: W = 1/m - [r] J^-1 [r], with r the arm from the mass centre to the contact point (Birlik
 * 2012, 3.36). */

/* The arm lies along the axis without inertia if its part across is below this fraction of it. */
#define ALONG_TOLERANCE 1e-9

typedef struct rigid {
    pc_surface surface;
    pc_matrix tensor;
    double mass, inertia;
    double arm[2], arm_t2;
    bool spatial;
} rigid;

static const pc_row rigid_rows[] = {
    PC_ROW(rigid, mass, "mass", .symbol = "m", .unit = PC_UNIT_KG, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .sample = {1e-3, 10}, .doc = "mass"),
    PC_ROW(rigid, inertia, "inertia", .symbol = "J", .unit = PC_UNIT_KG_M2, .initial = PC_ABSENT,
           .allowed = PC_NONNEGATIVE, .sample = {1e-3, 10}, .group = 1,
           .doc = "moment of inertia about t2 through the mass centre: motion in the plane"),
    PC_ROW(rigid, tensor, "inertia_tensor", .unit = PC_UNIT_KG_M2, .initial = PC_ABSENT, .allowed = PC_ANY, .group = 1,
           .doc = "3 x 3 inertia about the mass centre along t, n, t2: motion in space"),
    PC_ROW(rigid, arm, "arm", .symbol = "r", .unit = PC_UNIT_M, .initial = PC_REQUIRED, .allowed = PC_ANY,
           .sample = {-1, 1}, .doc = "contact point seen from the mass centre, along t and n"),
    PC_ROW(rigid, arm_t2, "arm_t2", .unit = PC_UNIT_M, .initial = 0, .allowed = PC_ANY,
           .doc = "its third component, along t2 = t x n; in space only"),
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
    double I[3][3], values[3], axes[3][3], size;
    pc_status status = check_symmetric(schema, "inertia_tensor", " kg m^2", T, &size, err);
    if (status != PC_OK) return status;
    for (int i = 0; i < 9; i++) I[i / 3][i % 3] = (T->v[i] + T->v[3 * (i % 3) + i / 3]) / 2;
    pc_eigen_symmetric3(I, values, axes);
    double slack = ROUNDED * size;
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

static pc_status rigid_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    rigid *p = object;
    p->spatial = pc_schema_given(schema, given, "inertia_tensor");
    pc_surface_settle(&p->surface, schema, given, PC_ABSENT);
    return p->spatial ? check_space(schema, p, err) : check_plane(schema, p, err);
}

static const pc_schema rigid_schema = {
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
    PC_ROWS(rigid_rows),
    .size = sizeof(rigid),
    .groups = {PC_EXACTLY_ONE},
    .validate = rigid_validate,
};

static pc_status rigid_build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const rigid *p = params;
    double inertia[3][3] = {{0}};
    if (p->spatial)
        for (int i = 0; i < 9; i++) inertia[i / 3][i % 3] = p->tensor.v[i];
    else
        inertia[PC_T2][PC_T2] = p->inertia;
    pc_body_fill_free(body, p->spatial, p->mass, inertia, (double[3]){p->arm[0], p->arm[1], p->arm_t2});
    return PC_OK;
}

const pc_body_kind pc_body_kind_rigid = {.schema = &rigid_schema, .build = rigid_build};

/* A body given by Lai's three parameters (1999, 3.34): W = (1/m) [1 + l cos 2 theta, l sin 2 theta; ., 1 - l cos 2
 * theta]. The text at his (3.33) measures theta from n; the equations, and percuss, from t to the axis of the greater
 * mobility. */

typedef struct lai {
    pc_surface surface;
    double mass, lambda, theta;
} lai;

static const pc_row lai_rows[] = {
    PC_ROW(lai, mass, "mass", .symbol = "m", .unit = PC_UNIT_KG, .initial = PC_REQUIRED, .allowed = PC_POSITIVE,
           .sample = {1e-3, 10}, .doc = "Lai's effective mass, 2/(w_tt + w_nn)"),
    PC_ROW(lai, lambda, "lambda", .greek = "λ", .initial = PC_REQUIRED, .allowed = {-1, 1, true, false},
           .sample = {0, 0.99},
           .doc = "(N1 - N2)/(N1 + N2) of the principal mobilities; a negative value exchanges the two axes"),
    PC_ROW(lai, theta, "theta", .greek = "θ", .unit = PC_UNIT_RAD, .initial = 0, .allowed = {-M_PI, M_PI, false, false},
           .sample = {-1.5, 1.5}, .doc = "angle from t to the axis of the greater mobility"),
    PC_SURFACE_ROWS(lai),
};

static pc_status lai_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    (void)err;
    lai *p = object;
    pc_surface_settle(&p->surface, schema, given, PC_ABSENT);
    return PC_OK;
}

static const pc_schema lai_schema = {
    .name = "body.lai",
    .summary = "A body given by Lai's effective mass, lambda and theta.",
    .details = "lambda at theta = 0: solid sphere 5/9, disc 1/2, thin shell 3/7, hoop 1/3; slender rod 3/5 at any "
               "theta. It has no velocities of its own.",
    .equations =
        "w_tt = (1 + lambda cos(2 theta))/m: theta is the angle from t to the direction of the greater mobility\n"
        "w_tn = lambda sin(2 theta)/m: which couples the two\n"
        "w_nn = (1 - lambda cos(2 theta))/m: so that w_tt + w_nn = 2/m",
    .source = "Lai (1999), equations 3.33-3.36",
    .example = "print(percuss.body.lai{ mass = 2, lambda = 0.5 }.w_tt) --> 0.75",
    PC_ROWS(lai_rows),
    .size = sizeof(lai),
    .validate = lai_validate,
};

static pc_status lai_build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const lai *p = params;
    double c = p->lambda * cos(2 * p->theta), s = p->lambda * sin(2 * p->theta);
    body->form = PC_BODY_DATA;
    body->mass = p->mass;
    body->W = (pc_mobility){.tt = (1 + c) / p->mass, .tn = s / p->mass, .nn = (1 - c) / p->mass};
    return PC_OK;
}

const pc_body_kind pc_body_kind_lai = {.schema = &lai_schema, .build = lai_build};
