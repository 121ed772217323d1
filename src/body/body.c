/* Bodies frozen at the instant of contact: see body.h. */
#include "body/body.h"

#include "base/tolerance.h"

#include <math.h>
#include <string.h>

/* Own velocities are found again from a velocity that the joints allow to this fraction of it; a person's digits and
 * the rounding of sines stay below it, a wrong direction does not. */
#define ALLOWED_DIRECTION 1e-9

#define PC_BODY(name) extern const pc_body_kind pc_body_kind_##name;
#include "body/bodies.def"
#undef PC_BODY

const pc_body_kind *const pc_body_kinds[] = {
#define PC_BODY(name) &pc_body_kind_##name,
#include "body/bodies.def"
#undef PC_BODY
};
const int pc_n_body_kinds = sizeof pc_body_kinds / sizeof *pc_body_kinds;

static int n_rows(const pc_body *body)
{
    return body->spatial ? 3 : 2;
}

pc_status pc_body_make(const pc_body_kind *kind, const void *params, pc_body *body, pc_error *err)
{
    memset(body, 0, sizeof *body);
    body->kind = kind;
    body->mass = NAN;
    body->curvature = ((const pc_surface *)params)->curvature;
    body->material = ((const pc_surface *)params)->material;
    pc_status status = kind->build(params, body, err);
    if (status) return status;
    body->planar.mass = body->mass;
    body->planar.inertia = body->form == PC_BODY_FREE ? body->A[body->dof * body->dof - 1] : NAN;
    return pc_body_finish(body, err);
}

pc_status pc_body_finish(pc_body *body, pc_error *err)
{
    if (body->dof > 0) {
        int n = body->dof, rows = n_rows(body);
        double X[PC_BODY_DOF * 3];
        pc_status status = pc_solve_semidefinite(n, body->A, rows, body->J, X, err);
        if (status) return status;
        double W[3][3] = {{0}};
        for (int i = 0; i < n; i++)
            for (int r = 0; r < 3; r++) body->response[i * 3 + r] = r < rows ? X[i * rows + r] : 0;
        for (int r = 0; r < rows; r++)
            for (int s = r; s < rows; s++)
                for (int i = 0; i < n; i++) W[r][s] += body->J[r * n + i] * body->response[i * 3 + s];
        body->W = (pc_mobility){.tt = W[PC_T][PC_T],
                                .tn = W[PC_T][PC_N],
                                .nn = W[PC_N][PC_N],
                                .t2t2 = W[PC_T2][PC_T2],
                                .tt2 = W[PC_T][PC_T2],
                                .t2n = W[PC_N][PC_T2]};
    }
    return pc_mobility_rank(&body->W, &body->W.rank, err);
}

pc_status pc_body_turning(const pc_body *body, const double *u, const bool wanted[3], pc_turning *out,
                          double response[PC_BODY_DOF * 3], pc_error *err)
{
    const int n = body->dof;
    double rows[3 * PC_BODY_DOF] = {0};
    *out = (pc_turning){0};
    if (!body->turns)
        return pc_fail(err, PC_E_UNSUPPORTED, "how %s turns where it touches is not known",
                       body->kind ? body->kind->schema->name : "a pair of bodies");
    for (int r = 0; r < 3; r++)
        if (wanted[r]) memcpy(rows + r * n, body->turn + r * n, (size_t)n * sizeof *rows);
    pc_status status = pc_solve_semidefinite(n, body->A, 3, rows, response, err);
    if (status)
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "%s has no inertia about an axis of its contact: a couple there would turn it at once",
                       body->kind->schema->name);
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < n; i++) {
            out->rate[r] += rows[r * n + i] * u[i];
            for (int s = 0; s < 3; s++) {
                out->cross[r][s] += rows[r * n + i] * body->response[i * 3 + s];
                out->own[r][s] += rows[r * n + i] * response[i * 3 + s];
            }
        }
    return PC_OK;
}

void pc_body_contact_velocity(const pc_body *body, const double *u, double v[3])
{
    v[PC_T2] = 0;
    for (int r = 0; r < n_rows(body); r++) {
        v[r] = 0;
        for (int i = 0; i < body->dof; i++) v[r] += body->J[r * body->dof + i] * u[i];
    }
}

/* The refusal of a velocity that the joints do not allow. With one direction left it can be named. */
static pc_status refuse_velocity(const pc_body *body, const double v[3], pc_error *err)
{
    const pc_mobility *W = &body->W;
    if (W->rank != 1)
        return pc_fail(err, PC_E_ARGUMENT,
                       "the joints do not let the contact point move with (%.10g, %.10g, %.10g) m/s", v[PC_T], v[PC_N],
                       v[PC_T2]);
    if (W->nn <= PC_RANK_TOLERANCE * W->tt)
        return pc_fail(err, PC_E_ARGUMENT,
                       "the joint lets the contact point move along t only; vn = %.10g m/s must be 0", v[PC_N]);
    return pc_fail(err, PC_E_ARGUMENT,
                   "the joint lets the contact point move in one direction only: vt/vn must be %.10g, not %.10g/%.10g; "
                   "give vn alone, speed alone, or the body's own rate",
                   W->tn / W->nn, v[PC_T], v[PC_N]);
}

pc_status pc_body_velocities(const pc_body *body, const double v[3], double *u, pc_error *err)
{
    int n = body->dof;
    if (body->form == PC_BODY_DATA)
        return pc_fail(err, PC_E_UNSUPPORTED, "this body is known by its W alone: it has no velocities of its own");
    if (body->form == PC_BODY_FREE) {
        memset(u, 0, (size_t)n * sizeof *u);
        memcpy(u, v, (size_t)n_rows(body) * sizeof *u);
        return PC_OK;
    }
    /* the impulse that would bring the body from rest to v gives it the least kinetic energy (Kelvin's theorem) */
    double p[3], back[3], zero[PC_BODY_DOF] = {0};
    pc_mobility_solve_pseudo(&body->W, v, p);
    pc_body_after(body, zero, p, u);
    pc_body_contact_velocity(body, u, back);
    double miss = 0, size = 0;
    for (int r = 0; r < 3; r++) {
        miss = fmax(miss, fabs(back[r] - v[r]));
        size = fmax(size, fabs(v[r]));
    }
    return miss <= ALLOWED_DIRECTION * size ? PC_OK : refuse_velocity(body, v, err);
}

void pc_body_after(const pc_body *body, const double *u, const double p[3], double *u1)
{
    for (int i = 0; i < body->dof; i++) {
        const double *r = &body->response[i * 3];
        u1[i] = u[i] + (r[PC_T] * p[PC_T] + r[PC_N] * p[PC_N] + r[PC_T2] * p[PC_T2]);
    }
}

double pc_body_energy(const pc_body *body, const double *u)
{
    double sum = 0;
    for (int i = 0; i < body->dof; i++) {
        double momentum = 0;
        for (int j = 0; j < body->dof; j++) momentum += body->A[i * body->dof + j] * u[j];
        sum += u[i] * momentum;
    }
    return sum / 2;
}

void pc_body_lai(const pc_body *body, double *mass, double *lambda, double *theta)
{
    const pc_mobility *W = &body->W;
    double sum = W->tt + W->nn;
    *mass = 2 / sum;
    *lambda = hypot(W->tt - W->nn, 2 * W->tn) / sum;
    /* atan2 keeps the quadrant that the arc tangent of (3.33) loses where w_tt < w_nn */
    *theta = atan2(2 * W->tn, W->tt - W->nn) / 2;
}

pc_status pc_body_require_rigid(const pc_body *body, const char *who, pc_error *err)
{
    if (body->vibration.n == 0) return PC_OK;
    return pc_fail(
        err, PC_E_UNSUPPORTED,
        "%s would leave out the body's modes of vibration; give a body without bending_modes and axial_modes", who);
}

pc_status pc_body_pair(const pc_body *a, const pc_body *b, pc_body *out, pc_error *err)
{
    if (pc_body_require_rigid(a, "pair", err) || pc_body_require_rigid(b, "pair", err)) return PC_E_UNSUPPORTED;
    if (a->spatial != b->spatial)
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "a planar and a spatial body make no pair: build both with the same "
                       "'spatial'");
    const pc_mobility *Wa = &a->W, *Wb = &b->W;
    pc_body pair = {.form = PC_BODY_DATA,
                    .spatial = a->spatial,
                    .curvature = a->curvature + b->curvature,
                    .material = pc_material_same(&a->material, &b->material) ? a->material : pc_material_unknown};
    pair.mass = 1 / (1 / a->mass + 1 / b->mass);
    /* the half turn of b reverses t and n, so the products of one of them with t2 change sign */
    pair.W = (pc_mobility){.tt = Wa->tt + Wb->tt,
                           .tn = Wa->tn + Wb->tn,
                           .nn = Wa->nn + Wb->nn,
                           .t2t2 = Wa->t2t2 + Wb->t2t2,
                           .tt2 = Wa->tt2 - Wb->tt2,
                           .t2n = Wa->t2n - Wb->t2n};
    *out = pair;
    return pc_body_finish(out, err);
}

void pc_surface_settle(pc_surface *surface, const pc_schema *schema, uint64_t given, double natural_curvature)
{
    if (!pc_schema_given(schema, given, "material")) surface->material = pc_material_unknown;
    if (!pc_schema_given(schema, given, "curvature")) surface->curvature = natural_curvature;
}

pc_status pc_matter_settle(pc_matter *matter, const pc_surface *surface, const pc_schema *schema, uint64_t given,
                           double volume, const char *missing, pc_error *err)
{
    if (pc_schema_given(schema, given, "mass")) {
        matter->density = matter->mass / volume;
        return PC_OK;
    }
    if (!pc_schema_given(schema, given, "density")) {
        if (!pc_schema_given(schema, given, "material"))
            return pc_fail(err, PC_E_ARGUMENT, "%s: one of 'mass', 'density' or 'material' is needed", schema->name);
        matter->density = surface->material.density;
        if (isnan(matter->density))
            return pc_fail(err, PC_E_ARGUMENT, "%s: the material '%s' has no density; give 'mass' or 'density'",
                           schema->name, surface->material.name);
    }
    if (isnan(volume))
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s is needed to find the mass from the density", schema->name, missing);
    matter->mass = matter->density * volume;
    if (!(matter->mass > 0) || !isfinite(matter->mass))
        return pc_fail(err, PC_E_ARGUMENT, "%s: density and size give a mass of %.10g kg; it must be > 0 kg",
                       schema->name, matter->mass);
    return PC_OK;
}

void pc_body_fill_free(pc_body *body, bool spatial, double mass, double inertia[3][3], const double arm[3])
{
    static const char *const plane[] = {"v[1]", "v[2]", "omega"};
    static const char *const space[] = {"v[1]", "v[2]", "v[3]", "omega[1]", "omega[2]", "omega[3]"};
    int half = spatial ? 3 : 2, n = spatial ? 6 : 3;
    body->form = PC_BODY_FREE;
    body->spatial = spatial;
    body->mass = mass;
    body->dof = n;
    for (int i = 0; i < n; i++) {
        body->names[i] = spatial ? space[i] : plane[i];
        body->units[i] = i < half ? (pc_unit)PC_UNIT_M_PER_S : (pc_unit)PC_UNIT_RAD_PER_S;
    }
    for (int i = 0; i < half; i++) {
        body->A[i * n + i] = mass;
        body->J[i * n + i] = 1;
    }
    /* v = v_centre + omega x arm */
    double x = arm[PC_T], z = arm[PC_N], y = arm[PC_T2];
    int last = n - 1;
    body->A[last * n + last] = inertia[PC_T2][PC_T2];
    body->J[PC_T * n + last] = -z;
    body->J[PC_N * n + last] = x;
    body->turns = true;
    for (int i = 0; i < 3; i++)
        if (spatial || i == PC_T2) body->turn[i * n + (spatial ? 3 + i : last)] = 1;
    if (!spatial) return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) body->A[(3 + i) * n + 3 + j] = inertia[i][j];
    body->J[PC_T * n + 4] = y;
    body->J[PC_N * n + 3] = -y;
    body->J[PC_T2 * n + 3] = z;
    body->J[PC_T2 * n + 4] = -x;
}

void pc_plane_body_rectangle(pc_plane_body *planar, double width, double height, double radius)
{
    double w = width / 2, h = height / 2;
    const double corners[PC_BODY_CORNERS][2] = {{w, h}, {-w, h}, {-w, -h}, {w, -h}}, ends[2][2] = {{0, h}, {0, -h}};
    planar->n = width > 0 ? 4 : height > 0 ? 2 : 1;
    planar->radius = radius;
    memcpy(planar->corners, width > 0 ? corners : ends, (size_t)planar->n * sizeof *corners);
}

void pc_body_outline(pc_body *body, double width, double height, double radius, double angle)
{
    pc_plane_body_rectangle(&body->planar, width, height, radius);
    body->planar.angle = angle;
}

void pc_inertia_axial(double along, double across, double angle, double inertia[3][3])
{
    /* sums of squares: 1 - cos^2 would leave a rod that stands nearly upright without a semi-definite matrix */
    double c = cos(angle), s = sin(angle);
    const double I[3][3] = {{across * c * c + along * s * s, (across - along) * s * c, 0},
                            {(across - along) * s * c, across * s * s + along * c * c, 0},
                            {0, 0, across}};
    memcpy(inertia, I, sizeof I);
}

void pc_inertia_rolling(double along, double across, double inertia[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inertia[i][j] = 0;
    inertia[PC_T][PC_T] = inertia[PC_N][PC_N] = across;
    inertia[PC_T2][PC_T2] = along;
}

void pc_corner_arm(double width, double height, double angle, double arm[3])
{
    arm[PC_T] = arm[PC_T2] = 0;
    if (angle == 0) {
        arm[PC_N] = -height / 2;
    } else if (fabs(angle) == PC_BODY_QUARTER) {
        arm[PC_N] = -width / 2;
    } else {
        /* turned anticlockwise, the corner on the side of -t is the lowest */
        double side = angle > 0 ? -width / 2 : width / 2;
        arm[PC_T] = side * cos(angle) + height / 2 * sin(angle);
        arm[PC_N] = side * sin(angle) - height / 2 * cos(angle);
    }
}

/* Symmetric positive semi-definite systems by a pivoted L D L^T factorization (Higham, Accuracy and Stability of
 * Numerical Algorithms, 10.3).
 *
 * A mass matrix mixes kilograms with moments of inertia, so it is first scaled to unit diagonal, up to a factor of 2:
 * scaling by powers of two is exact, and leaves a diagonal matrix with exact reciprocals in the answer.
 */

enum { SIDE = PC_BODY_DOF };

/* A right-hand side counts as zero along a null direction below this fraction of its size: the direction itself is
 * known to about eps/PC_RANK_TOLERANCE^(1/2). */
#define CONSISTENT 1e-9

typedef struct factors {
    int n, rank;
    int order[SIDE];    /* pivot k is row order[k] */
    double scale[SIDE]; /* powers of two */
    double L[SIDE][SIDE], D[SIDE];
    double null[SIDE][SIDE]; /* rows rank..n-1: null directions in the original coordinates */
} factors;

/* A power of two within a factor 2 of 1/sqrt(a); 1 for a = 0. Halving rounds down for negative exponents too, so that
 * other units of measurement, by powers of four, change nothing but the scale. */
static double power_scale(double a)
{
    if (!(a > 0)) return 1;
    int exponent;
    frexp(a, &exponent);
    return ldexp(1, -(exponent - (exponent & 1)) / 2);
}

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

static void exchange(factors *f, double S[SIDE][SIDE], int i, int j)
{
    int order = f->order[i];
    f->order[i] = f->order[j];
    f->order[j] = order;
    for (int k = 0; k < f->n; k++) swap(&S[i][k], &S[j][k]);
    for (int k = 0; k < f->n; k++) swap(&S[k][i], &S[k][j]);
    for (int k = 0; k < f->n; k++) swap(&f->L[i][k], &f->L[j][k]);
}

/* False if A is not positive semi-definite. */
static bool factorize(factors *f, int n, const double *A)
{
    double S[SIDE][SIDE];
    f->n = n;
    for (int i = 0; i < n; i++) {
        memset(f->L[i], 0, (size_t)n * sizeof f->L[i][0]);
        f->order[i] = i;
        f->scale[i] = power_scale(A[i * n + i]);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) S[i][j] = f->scale[i] * A[i * n + j] * f->scale[j];
    int k = 0;
    for (; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (S[i][i] > S[pivot][pivot]) pivot = i;
        if (!(S[pivot][pivot] > PC_RANK_TOLERANCE)) break;
        exchange(f, S, k, pivot);
        f->D[k] = S[k][k];
        f->L[k][k] = 1;
        for (int i = k + 1; i < n; i++) f->L[i][k] = S[i][k] / f->D[k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++) S[i][j] -= f->L[i][k] * S[k][j];
    }
    f->rank = k;
    /* what remains of a semi-definite matrix with zero diagonal is zero */
    for (int i = k; i < n; i++)
        for (int j = k; j < n; j++)
            if (!(fabs(S[i][j]) <= 2 * PC_RANK_TOLERANCE)) return false;
    return true;
}

/* x: in permuted order; solve L^T x = b in place over the leading `rank` rows. */
static void back_substitute(const factors *f, double *x)
{
    for (int i = f->rank - 1; i >= 0; i--)
        for (int j = i + 1; j < f->rank; j++) x[i] -= f->L[j][i] * x[j];
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Orthonormal null directions: for each dependent row r, L11^T x1 = -L21^T e_r and x2 = e_r. */
static void find_null_directions(factors *f)
{
    for (int r = f->rank; r < f->n; r++) {
        double x[SIDE] = {0};
        for (int j = 0; j < f->rank; j++) x[j] = -f->L[r][j];
        back_substitute(f, x);
        x[r] = 1;
        double *direction = f->null[r];
        for (int i = 0; i < f->n; i++) direction[f->order[i]] = f->scale[f->order[i]] * x[i];
        for (int s = f->rank; s < r; s++) {
            double along = dot(f->n, f->null[s], direction);
            for (int i = 0; i < f->n; i++) direction[i] -= along * f->null[s][i];
        }
        double norm = sqrt(dot(f->n, direction, direction));
        for (int i = 0; i < f->n; i++) direction[i] /= norm;
    }
}

static void make_least(const factors *f, double *x)
{
    for (int r = f->rank; r < f->n; r++) {
        double along = dot(f->n, x, f->null[r]);
        for (int i = 0; i < f->n; i++) x[i] -= along * f->null[r][i];
    }
}

/* The solution of least norm for one right-hand side. */
static void solve_least(const factors *f, const double *b, double *x)
{
    double y[SIDE] = {0};
    for (int i = 0; i < f->rank; i++) {
        y[i] = b[f->order[i]] * f->scale[f->order[i]];
        for (int j = 0; j < i; j++) y[i] -= f->L[i][j] * y[j];
    }
    for (int i = 0; i < f->rank; i++) y[i] /= f->D[i];
    back_substitute(f, y);
    for (int i = 0; i < f->n; i++) x[i] = 0;
    for (int i = 0; i < f->rank; i++) x[f->order[i]] = f->scale[f->order[i]] * y[i];
    make_least(f, x);
}

/* Where the pivot has the smaller inertia by far (a rod that stands nearly upright), what is projected out is as much
 * larger than what is left, and takes digits with it; each round of refinement wins them back. */
enum { REFINEMENTS = 2 };

pc_status pc_solve_semidefinite(int n, const double *A, int rows, const double *B, double *X, pc_error *err)
{
    factors f;
    if (!factorize(&f, n, A)) return pc_fail(err, PC_E_ARGUMENT, "the mass matrix is not positive semi-definite");
    find_null_directions(&f);
    for (int row = 0; row < rows; row++) {
        const double *b = &B[row * n];
        double size = sqrt(dot(n, b, b));
        for (int r = f.rank; r < n; r++)
            if (fabs(dot(n, b, f.null[r])) > CONSISTENT * size)
                return pc_fail(err, PC_E_ARGUMENT,
                               "the mass matrix is singular and the contact point moves in a direction without "
                               "inertia: W would be infinite");
        double x[SIDE];
        solve_least(&f, b, x);
        for (int pass = 0; f.rank < n && pass < REFINEMENTS; pass++) {
            double left[SIDE], more[SIDE];
            for (int i = 0; i < n; i++) left[i] = b[i] - dot(n, A + i * n, x);
            solve_least(&f, left, more);
            for (int i = 0; i < n; i++) x[i] += more[i];
            make_least(&f, x);
        }
        for (int i = 0; i < n; i++) X[i * rows + row] = x[i];
    }
    return PC_OK;
}

static const pc_row rows[] = {
    PC_ROW(pc_material, name, "name", .initial = PC_ABSENT,
           .doc = "what results and errors call it; \"custom\" if left out"),
    PC_ROW(pc_material, density, "density", .symbol = "rho", .greek = "ρ", .unit = PC_UNIT_KG_PER_M3,
           .initial = PC_ABSENT, .allowed = PC_POSITIVE, .sample = {1e3, 1e4}, .doc = "mass per volume"),
    PC_ROW(pc_material, young, "young", .symbol = "E", .unit = PC_UNIT_PA, .initial = PC_ABSENT, .allowed = PC_POSITIVE,
           .sample = {1e9, 4e11}, .doc = "Young's modulus"),
    PC_ROW(pc_material, poisson, "poisson", .symbol = "nu", .greek = "ν", .initial = PC_ABSENT,
           .allowed = {-1, 0.5, true, false}, .sample = {0, 0.5}, .doc = "Poisson's ratio"),
    PC_ROW(pc_material, yield, "yield", .symbol = "sigma_y", .greek = "σ_y", .unit = PC_UNIT_PA, .initial = PC_ABSENT,
           .allowed = PC_POSITIVE, .sample = {1e7, 1e9}, .doc = "yield stress"),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_material *material = object;
    (void)err;
    if (!pc_schema_given(schema, given, "name")) strcpy(material->name, "custom");
    return PC_OK;
}

const pc_schema pc_material_schema = {
    .name = "material.custom",
    .summary = "A material given by its constants; those that are left out are unknown.",
    .details = "A law that needs a constant which its body's material lacks refuses the body and names the constant.",
    .example = "print(pc.material.custom{ name = \"epoxy\", young = 3.2e9 }.name) --> epoxy",
    PC_ROWS(rows),
    .size = sizeof(pc_material),
    .validate = validate,
};

const pc_material pc_materials[] = {
#define PC_MATERIAL(word, rho, E, nu, sigma, text)                                                                     \
    {.name = #word, .source = text, .density = rho, .young = E, .poisson = nu, .yield = sigma},
#include "body/materials.def"
#undef PC_MATERIAL
};
const int pc_n_materials = sizeof pc_materials / sizeof *pc_materials;

const pc_material pc_material_unknown = {.density = NAN, .young = NAN, .poisson = NAN, .yield = NAN};

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

bool pc_material_same(const pc_material *a, const pc_material *b)
{
    return strcmp(a->name, b->name) == 0 && same(a->density, b->density) && same(a->young, b->young) &&
           same(a->poisson, b->poisson) && same(a->yield, b->yield);
}
