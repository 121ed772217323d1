/* Every kind of body in the list, with parameters drawn from its rows, has the properties that mechanics demands. A
 * new kind is tested the moment its row exists. */
#include "body_sample.h"

#include <stdio.h>

/* Bounds relative to the size of what is compared. Each quantity is a handful of products, and the mass matrices drawn
 * here have condition numbers (after scaling to unit diagonal) below 1e3. */
#define ROUND 1e-12

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
    double share = pc_mobility_energy(W, v0), q[3], square = 0; /* W rounds, which changes q.W.q in proportion to q.q */
    pc_mobility_solve_pseudo(W, v0, q);
    for (int i = 0; i < 3; i++) square += q[i] * q[i];
    ck_assert_msg(share <= T0 + ROUND * (T0 + trace(W) * square), "%s: share %.17g of %.17g J", s->kind->schema->name,
                  share, T0);
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

/* The lowest point of the outline, turned as the body strikes, is its contact; corners go round anticlockwise. */
static void check_outline(const sample *s)
{
    const pc_plane_body *p = &s->body.planar;
    if (p->n == 0) return;
    const pc_body *b = &s->body;
    int last = b->dof - 1;
    double c = cos(p->angle), w = sin(p->angle), lowest = INFINITY, along = NAN, size = p->radius;
    ck_assert(b->form == PC_BODY_FREE && p->radius >= 0 && p->n <= PC_BODY_CORNERS);
    for (int i = 0; i < p->n; i++) {
        const double *q = p->corners[i], *r = p->corners[(i + 1) % p->n], *t = p->corners[(i + 2) % p->n];
        if (p->n > 2) ck_assert((r[0] - q[0]) * (t[1] - r[1]) - (r[1] - q[1]) * (t[0] - r[0]) > 0);
        double x = c * q[0] - w * q[1], y = w * q[0] + c * q[1];
        size = fmax(size, hypot(x, y));
        if (y < lowest) lowest = y, along = x;
    }
    near(s, "lowest point", lowest - p->radius, -b->J[PC_T * b->dof + last], size);
    near(s, "its place", along, b->J[PC_N * b->dof + last], size);
    near(s, "mass", p->mass, b->mass, b->mass);
    near(s, "inertia", p->inertia, b->A[last * b->dof + last], p->inertia);
}

START_TEST(outlines_touch_where_the_body_strikes)
{
    FOR_ALL_BODIES(check_outline(&s);)
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
          free_bodies_have_full_rank_and_pendulums_one_less, outlines_touch_where_the_body_strikes,
          schemas_describe_every_parameter)
