/* Every kind of body in the list, with parameters drawn from its rows, has the properties that mechanics demands. A
 * new kind is tested the moment its row exists. */
#include "unit.h"

#include "body/body.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 300 };

/* Bounds relative to the size of what is compared. Each quantity is a handful of products, and the mass matrices drawn
 * here have condition numbers (after scaling to unit diagonal) below 1e3. */
#define ROUND 1e-12

static uint64_t seed = 20120717;

static double uniform(double lo, double hi)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

static int choose(int n)
{
    return (int)uniform(0, n);
}

static double draw(pc_interval range)
{
    if (range.lo > 0 && range.hi > 20 * range.lo) return range.lo * pow(range.hi / range.lo, uniform(0, 1));
    return uniform(range.lo, range.hi);
}

/* A random n x n matrix B B^T + I/10: positive definite and not too ill-conditioned. */
static pc_matrix draw_definite(int n)
{
    static double b[PC_MATRIX_SIDE][PC_MATRIX_SIDE];
    pc_matrix m = {.rows = n, .cols = n};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) b[i][j] = uniform(-1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? 0.1 : 0;
            for (int k = 0; k < n; k++) sum += b[i][k] * b[j][k];
            m.v[i * n + j] = m.v[j * n + i] = sum;
        }
    return m;
}

/* The inertia of some mass distribution: trace(S) 1 - S with S its second moments. */
static pc_matrix draw_inertia(void)
{
    pc_matrix s = draw_definite(3);
    double trace = s.v[0] + s.v[4] + s.v[8];
    for (int i = 0; i < 9; i++) s.v[i] = (i % 4 == 0 ? trace : 0) - s.v[i];
    return s;
}

static pc_matrix draw_rows(int rows, int cols)
{
    pc_matrix m = {.rows = rows, .cols = cols};
    for (int i = 0; i < rows * cols; i++) m.v[i] = uniform(-1, 1);
    return m;
}

typedef struct sample {
    const pc_body_kind *kind;
    void *params;
    uint64_t given;
    pc_body body;
} sample;

static int find(const sample *s, const char *name)
{
    return pc_schema_find(s->kind->schema, name);
}

static void set_matrix(sample *s, const char *name, pc_matrix value)
{
    pc_error err = {0};
    ck_assert_msg(!pc_schema_set_matrix(s->kind->schema, find(s, name), s->params, &value, &s->given, &err), "%s",
                  err.text);
}

/* Matrices have no sampling range: what they must be is known here. */
static void draw_matrices(sample *s)
{
    if (find(s, "mobility") >= 0) set_matrix(s, "mobility", draw_definite(2 + choose(2)));
    if (find(s, "lengths") >= 0) {
        pc_matrix l = draw_rows(1, 1 + choose(3)), m = l, q = l;
        for (int i = 0; i < l.cols; i++) l.v[i] = uniform(0.5, 1.5), m.v[i] = uniform(0.5, 2), q.v[i] = uniform(-1, 1);
        set_matrix(s, "lengths", l);
        set_matrix(s, "masses", m);
        set_matrix(s, "angles", q);
    }
    if (find(s, "mass_matrix") < 0) return;
    int n = 1 + choose(8);
    set_matrix(s, "mass_matrix", draw_definite(n));
    set_matrix(s, "jacobian", draw_rows(2 + choose(2), n));
}

static void draw_row(sample *s, int row)
{
    const pc_schema *schema = s->kind->schema;
    const pc_row *r = &schema->rows[row];
    double list[3];
    pc_error err = {0};
    pc_status status = PC_OK;
    switch (r->kind) {
    case PC_REAL:
        if (r->sample.lo < r->sample.hi)
            status = pc_schema_set_number(schema, row, s->params, draw(r->sample), &s->given, &err);
        break;
    case PC_CHOICE: {
        int n = 0;
        while (r->choices[n]) n++;
        status = pc_schema_set_word(schema, row, s->params, r->choices[choose(n)], &s->given, &err);
        break;
    }
    case PC_BOOLEAN: status = pc_schema_set_boolean(schema, row, s->params, choose(2) == 1, &s->given, &err); break;
    case PC_VECTOR:
        ck_assert_uint_le(r->count, 3);
        for (size_t i = 0; i < r->count; i++) list[i] = draw(r->sample);
        status = pc_schema_set_vector(schema, row, s->params, list, r->count, &s->given, &err);
        break;
    default: break;
    }
    ck_assert_msg(!status, "%s", err.text);
}

static void make(sample *s)
{
    pc_error err = {0};
    ck_assert_msg(!pc_body_make(s->kind, s->params, &s->body, &err), "%s: %s", s->kind->schema->name, err.text);
}

/* A body of the kind with parameters from its rows; of alternatives the first, but a tensor for every other rigid
 * body. */
static sample draw_body(const pc_body_kind *kind)
{
    sample s = {.kind = kind, .params = malloc(kind->schema->size)};
    const pc_schema *schema = kind->schema;
    pc_error err = {0};
    uint64_t groups = 0;
    pc_schema_defaults(schema, s.params);
    if (find(&s, "inertia_tensor") >= 0 && choose(2)) {
        set_matrix(&s, "inertia_tensor", draw_inertia());
        groups |= 1u << schema->rows[find(&s, "inertia_tensor")].group;
        ck_assert(!pc_schema_set_number(schema, find(&s, "arm_t2"), s.params, uniform(-1, 1), &s.given, &err));
    }
    for (int i = 0; i < schema->n_rows; i++) {
        int group = schema->rows[i].group;
        if (group && (groups >> group & 1)) continue;
        draw_row(&s, i);
        if (group) groups |= 1u << group;
    }
    draw_matrices(&s);
    ck_assert_msg(!pc_schema_finish(schema, s.params, s.given, &err), "%s", err.text);
    make(&s);
    return s;
}

static void free_body(sample *s)
{
    free(s->params);
}

static void draw_vector(double *v, int n)
{
    for (int i = 0; i < n; i++) v[i] = uniform(-1, 1);
}

static void near(const sample *s, const char *what, double got, double want, double size)
{
    ck_assert_msg(fabs(got - want) <= ROUND * size, "%s: %s is %.17g, expected %.17g (difference %.3g, bound %.3g)",
                  s->kind->schema->name, what, got, want, got - want, ROUND * size);
}

static double trace(const pc_mobility *W)
{
    return W->tt + W->nn + W->t2t2;
}

static void near_mobility(const sample *s, const pc_mobility *got, const pc_mobility *want)
{
    double size = trace(want);
    near(s, "w_tt", got->tt, want->tt, size);
    near(s, "w_tn", got->tn, want->tn, size);
    near(s, "w_nn", got->nn, want->nn, size);
    near(s, "w_t2t2", got->t2t2, want->t2t2, size);
    near(s, "w_tt2", got->tt2, want->tt2, size);
    near(s, "w_t2n", got->t2n, want->t2n, size);
}

/* Runs the statements for SAMPLES bodies of every kind as `s`. */
#define FOR_ALL_BODIES(statements)                                                                                     \
    for (int kind_ = 0; kind_ < pc_n_body_kinds; kind_++)                                                              \
        for (int i_ = 0; i_ < SAMPLES; i_++) {                                                                         \
            sample s = draw_body(pc_body_kinds[kind_]);                                                                \
            statements free_body(&s);                                                                                  \
        }

/* ---- the properties ---- */

static void check_mobility(const sample *s)
{
    const pc_mobility *W = &s->body.W;
    double slack = ROUND * trace(W);
    ck_assert(W->tt >= 0 && W->nn >= 0 && W->t2t2 >= 0 && trace(W) > 0);
    ck_assert(W->tt * W->nn - W->tn * W->tn >= -slack * slack / ROUND);
    for (int i = 0; i < 20; i++) {
        double p[3], v[3];
        draw_vector(p, 3);
        v[PC_T] = W->tt * p[PC_T] + W->tn * p[PC_N] + W->tt2 * p[PC_T2];
        v[PC_N] = W->tn * p[PC_T] + W->nn * p[PC_N] + W->t2n * p[PC_T2];
        v[PC_T2] = W->tt2 * p[PC_T] + W->t2n * p[PC_N] + W->t2t2 * p[PC_T2];
        ck_assert_msg(p[0] * v[0] + p[1] * v[1] + p[2] * v[2] >= -slack, "%s", s->kind->schema->name);
    }
    if (!s->body.spatial) ck_assert(W->t2t2 == 0 && W->tt2 == 0 && W->t2n == 0);
}

START_TEST(mobility_is_symmetric_and_positive_semidefinite)
{
    FOR_ALL_BODIES(check_mobility(&s);)
}
END_TEST

/* The response solves A X = J^T, whatever way it was found, and W = J X is symmetric. */
static void check_response(const sample *s)
{
    const pc_body *b = &s->body;
    int n = b->dof, rows = b->spatial ? 3 : 2;
    double W[3][3] = {{0}};
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < n; i++) {
            double sum = 0, size = fabs(b->J[r * n + i]);
            for (int j = 0; j < n; j++) {
                sum += b->A[i * n + j] * b->response[j * 3 + r];
                size += fabs(b->A[i * n + j] * b->response[j * 3 + r]);
            }
            near(s, "A response", sum, b->J[r * n + i], size);
            for (int q = 0; q < rows; q++) W[q][r] += b->J[q * n + i] * b->response[i * 3 + r];
        }
    if (n == 0) return;
    const pc_mobility upper = {
        .tt = W[0][0], .tn = W[0][1], .nn = W[1][1], .t2t2 = W[2][2], .tt2 = W[0][2], .t2n = W[1][2]};
    const pc_mobility lower = {
        .tt = W[0][0], .tn = W[1][0], .nn = W[1][1], .t2t2 = W[2][2], .tt2 = W[2][0], .t2n = W[2][1]};
    near_mobility(s, &b->W, &upper);
    near_mobility(s, &b->W, &lower);
}

START_TEST(response_solves_the_equations_of_motion)
{
    FOR_ALL_BODIES(check_response(&s);)
}
END_TEST

static void check_energy(const sample *s)
{
    const pc_body *b = &s->body;
    if (b->dof == 0) return;
    double u0[PC_BODY_DOF], u1[PC_BODY_DOF], v0[3], v1[3], p[3];
    draw_vector(u0, b->dof);
    draw_vector(p, 3);
    if (!b->spatial) p[PC_T2] = 0;
    pc_body_after(b, u0, p, u1);
    pc_body_contact_velocity(b, u0, v0);
    pc_body_contact_velocity(b, u1, v1);
    double T0 = pc_body_energy(b, u0), T1 = pc_body_energy(b, u1);
    double work = 0, size = T0 + T1, speed = 0;
    for (int i = 0; i < 3; i++) {
        work += p[i] * (v0[i] + v1[i]) / 2;
        size += fabs(p[i] * v0[i]) + fabs(p[i] * v1[i]);
        speed += fabs(v0[i]) + fabs(v1[i]);
    }
    near(s, "energy gained", T1 - T0, work, size);
    const pc_mobility *W = &b->W;
    speed += trace(W);
    near(s, "vt after", v1[PC_T], v0[PC_T] + W->tt * p[PC_T] + W->tn * p[PC_N] + W->tt2 * p[PC_T2], speed);
    near(s, "vn after", v1[PC_N], v0[PC_N] + W->tn * p[PC_T] + W->nn * p[PC_N] + W->t2n * p[PC_T2], speed);
    near(s, "vt2 after", v1[PC_T2], v0[PC_T2] + W->tt2 * p[PC_T] + W->t2n * p[PC_N] + W->t2t2 * p[PC_T2], speed);
    /* no impact can take more than the contact's share */
    double share = pc_mobility_energy(W, v0);
    ck_assert_msg(share <= T0 * (1 + ROUND), "%s: share %.17g of %.17g J", s->kind->schema->name, share, T0);
}

START_TEST(impulse_changes_energy_by_its_work)
{
    FOR_ALL_BODIES(check_energy(&s);)
}
END_TEST

/* Velocities of the contact point that the body can have lead back to themselves. The bound is wider: v goes through
 * W^+, whose error grows with the condition number of W, up to about 1e4 here. */
static void check_round_trip(const sample *s)
{
    const pc_body *b = &s->body;
    if (b->dof == 0) return;
    double u[PC_BODY_DOF], back[PC_BODY_DOF], v[3], again[3];
    pc_error err = {0};
    draw_vector(u, b->dof);
    pc_body_contact_velocity(b, u, v);
    ck_assert_msg(!pc_body_velocities(b, v, back, &err), "%s: %s", s->kind->schema->name, err.text);
    pc_body_contact_velocity(b, back, again);
    double size = fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
    for (int i = 0; i < 3; i++) near(s, "contact velocity", again[i], v[i], 1e3 * size);
    double energy = pc_body_energy(b, back);
    if (b->form == PC_BODY_JOINTED)
        near(s, "least energy", energy, pc_mobility_energy(&b->W, v), 1e3 * energy);
    else
        near(s, "energy of translation", energy, b->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2, energy);
}

START_TEST(velocities_of_contact_point_and_body_agree)
{
    FOR_ALL_BODIES(check_round_trip(&s);)
}
END_TEST

/* Mirror images: what the mirror t -> -t does to an angle it does to w_tn. */
static void check_mirror(sample *s)
{
    const char *name = find(s, "angle") >= 0 ? "angle" : find(s, "theta") >= 0 ? "theta" : NULL;
    if (!name) return;
    pc_mobility W = s->body.W;
    double *angle = (double *)(void *)((char *)s->params + s->kind->schema->rows[find(s, name)].offset);
    *angle = -*angle;
    make(s);
    W.tn = -W.tn;
    W.tt2 = -W.tt2;
    near_mobility(s, &s->body.W, &W);
}

START_TEST(mirrored_angle_reverses_the_coupling)
{
    FOR_ALL_BODIES(check_mirror(&s);)
}
END_TEST

/* Other units of mass and length change every parameter by its unit and W by 1/kg. The factors are powers of four, so
 * nothing rounds differently and no pivot changes. The data of `system` have no units. */
static void check_units(sample *s)
{
    const double kg = 16, m = 0.25;
    if (find(s, "mass_matrix") >= 0) return;
    pc_mobility W = s->body.W;
    for (int i = 0; i < s->kind->schema->n_rows; i++) {
        const pc_row *row = &s->kind->schema->rows[i];
        double factor = pow(kg, (double)row->unit.kg) * pow(m, (double)row->unit.m);
        double *at = (double *)(void *)((char *)s->params + row->offset);
        pc_matrix *matrix = (pc_matrix *)(void *)at;
        if (row->kind == PC_REAL || row->kind == PC_VECTOR)
            for (size_t k = 0; k < (row->kind == PC_VECTOR ? row->count : 1); k++) at[k] *= factor;
        if (row->kind == PC_MATRIX)
            for (int k = 0; k < matrix->rows * matrix->cols; k++) matrix->v[k] *= factor;
    }
    make(s);
    ck_assert_double_eq(s->body.W.tt * kg, W.tt);
    ck_assert_double_eq(s->body.W.tn * kg, W.tn);
    ck_assert_double_eq(s->body.W.nn * kg, W.nn);
    ck_assert_double_eq(s->body.W.t2t2 * kg, W.t2t2);
    ck_assert_double_eq(s->body.W.tt2 * kg, W.tt2);
    ck_assert_double_eq(s->body.W.t2n * kg, W.t2n);
}

START_TEST(units_scale_through)
{
    FOR_ALL_BODIES(check_units(&s);)
}
END_TEST

static void check_lai(const sample *s)
{
    const pc_mobility *W = &s->body.W;
    double mass, lambda, theta;
    pc_body_lai(&s->body, &mass, &lambda, &theta);
    ck_assert(lambda >= 0 && lambda <= 1 + ROUND && fabs(theta) <= 1.5708);
    double c = lambda * cos(2 * theta), d = lambda * sin(2 * theta), size = W->tt + W->nn;
    near(s, "w_tt from Lai", (1 + c) / mass, W->tt, size);
    near(s, "w_tn from Lai", d / mass, W->tn, size);
    near(s, "w_nn from Lai", (1 - c) / mass, W->nn, size);
}

START_TEST(lai_parameters_give_the_mobility_back)
{
    FOR_ALL_BODIES(check_lai(&s);)
}
END_TEST

START_TEST(mobility_of_a_pair_is_the_sum_seen_after_a_half_turn)
{
    for (int i = 0; i < 20 * SAMPLES; i++) {
        sample a = draw_body(pc_body_kinds[choose(pc_n_body_kinds)]);
        sample b = draw_body(pc_body_kinds[choose(pc_n_body_kinds)]);
        pc_body pair;
        pc_error err = {0};
        if (a.body.spatial != b.body.spatial) {
            ck_assert_int_eq(pc_body_pair(&a.body, &b.body, &pair, &err), PC_E_UNSUPPORTED);
        } else {
            ck_assert_msg(!pc_body_pair(&a.body, &b.body, &pair, &err), "%s", err.text);
            const pc_mobility *A = &a.body.W, *B = &b.body.W;
            const pc_mobility sum = {.tt = A->tt + B->tt,
                                     .tn = A->tn + B->tn,
                                     .nn = A->nn + B->nn,
                                     .t2t2 = A->t2t2 + B->t2t2,
                                     .tt2 = A->tt2 - B->tt2,
                                     .t2n = A->t2n - B->t2n};
            near_mobility(&a, &pair.W, &sum);
            ck_assert_int_ge(pair.W.rank, a.body.W.rank > b.body.W.rank ? a.body.W.rank : b.body.W.rank);
        }
        free_body(&a);
        free_body(&b);
    }
}
END_TEST

/* The sampled jointed systems aside, whose rank is that of random data. */
static void check_rank(const sample *s)
{
    const char *name = s->kind->schema->name;
    int rank = s->body.W.rank;
    if (strcmp(name, "body.pendulum") == 0) ck_assert_int_eq(rank, 1);
    if (strcmp(name, "body.spherical_pendulum") == 0) ck_assert_int_eq(rank, 2);
    if (s->body.form == PC_BODY_FREE) ck_assert_int_eq(rank, s->body.spatial ? 3 : 2);
}

START_TEST(free_bodies_have_full_rank_and_pendulums_one_less)
{
    FOR_ALL_BODIES(check_rank(&s);)
}
END_TEST

START_TEST(schemas_describe_every_parameter)
{
    for (int k = 0; k < pc_n_body_kinds; k++) {
        const pc_schema *schema = pc_body_kinds[k]->schema;
        ck_assert_msg(strncmp(schema->name, "body.", 5) == 0, "%s", schema->name);
        ck_assert_msg(schema->summary && schema->example, "%s", schema->name);
        ck_assert_int_le(schema->n_rows, 64);
        for (int i = 0; i < schema->n_rows; i++) {
            const pc_row *row = &schema->rows[i];
            ck_assert_msg(row->doc && row->doc[0], "%s.%s", schema->name, row->name);
            ck_assert_msg(pc_schema_find(schema, row->name) == i, "%s.%s twice", schema->name, row->name);
        }
    }
}
END_TEST

UNIT_MAIN("body_properties", 60, mobility_is_symmetric_and_positive_semidefinite,
          response_solves_the_equations_of_motion, impulse_changes_energy_by_its_work,
          velocities_of_contact_point_and_body_agree, mirrored_angle_reverses_the_coupling, units_scale_through,
          lai_parameters_give_the_mobility_back, mobility_of_a_pair_is_the_sum_seen_after_a_half_turn,
          free_bodies_have_full_rank_and_pendulums_one_less, schemas_describe_every_parameter)
