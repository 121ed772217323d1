/* Bodies frozen at the instant of contact: see body.h. */
#include "body/body.h"
#include "body/solve.h"

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
    body->curvature = NAN;
    body->material = pc_material_unknown;
    pc_status status = kind->build(params, body, err);
    return status ? status : pc_body_finish(body, err);
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

pc_status pc_body_pair(const pc_body *a, const pc_body *b, pc_body *out, pc_error *err)
{
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
