/* One impact of an elastic body: see elastic.h. */
#include "elastic/elastic.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* Samples of an estimated contact time; contact times after which a motion that still touches is given up. */
enum { SAMPLES = 400, LONGEST = 60 };
static const double SHARE_OF_LIMIT = 0.9;

typedef struct motion {
    const pc_elastic_model *model;
    const pc_elastic_motion *given;
    pc_elastic_result *out;
    pc_elastic_field u[2], v[2], f[2];
    double *all[2][3]; /* the doubles of u, v, f */
    size_t size[2];
    double *free[2], *force[2], *place[2], *before[2]; /* contact: w by the motion alone, forces, w, w before */
    double *bound, *pulled;                            /* of friction; forces of the step before */
    pc_elastic_rings press, rub;
    double *work; /* of rings that grip */
    double dt, t;
    int n;
    double *memory;
} motion;

static pc_status reserve(motion *s, pc_error *err)
{
    const pc_elastic_model *model = s->model;
    size_t total = 0, n = (size_t)s->n;
    for (int m = 0; m < 2; m++) {
        s->size[m] = pc_elastic_field_room(model, m);
        total += 3 * s->size[m] + 4 * (size_t)model->patch[m].contacts;
    }
    s->memory = pc_calloc(total + 5 * n + 6 * n * n, sizeof *s->memory);
    if (!s->memory) return pc_fail(err, PC_E_MEMORY, "not enough memory for a motion of %zu numbers", total);
    double *at = s->memory;
    for (int m = 0; m < 2; m++) {
        pc_elastic_field *fields[3] = {&s->u[m], &s->v[m], &s->f[m]};
        for (int k = 0; k < 3; k++, at += s->size[m]) {
            s->all[m][k] = at;
            *fields[k] = pc_elastic_field_in(model, m, at);
        }
        double **lists[4] = {&s->free[m], &s->force[m], &s->place[m], &s->before[m]};
        for (int k = 0; k < 4; k++, at += model->patch[m].contacts) *lists[k] = at;
    }
    s->bound = at, s->pulled = at + n;
    at += 3 * n;
    s->work = at + 2 * n * n;
    s->press = (pc_elastic_rings){.n = s->n, .S = model->patch[0].S, .stride = 2 * n, .factor = at};
    s->rub = (pc_elastic_rings){.n = s->n, .S = model->patch[1].S, .stride = n, .factor = at + n * n};
    return PC_OK;
}

/* ---- one step ---- */

static void advance(const motion *s, int m, double h)
{
    double *restrict u = s->all[m][0], *restrict v = s->all[m][1];
    const double *restrict a = s->all[m][2];
    const size_t n = s->size[m];
    const double dt = s->dt;
    for (size_t i = 0; i < n; i++) {
        v[i] += h * a[i];
        u[i] += dt * v[i];
    }
}

/* Contact forces by the displacements now; the work of friction since the step before. */
static pc_status touch(motion *s, pc_error *err)
{
    const pc_elastic_model *model = s->model;
    const pc_elastic_motion *given = s->given;
    const int n = s->n;
    pc_elastic_model_contact(model, 0, s->u[0], s->free[0]);
    double *P = s->force[0];
    pc_status status;
    if (given->radial_friction) {
        memcpy(s->before[0], s->place[0], 2 * (size_t)n * sizeof *P);
        for (int i = 0; i < n; i++) s->pulled[i] = P[n + i];
        status = pc_elastic_rings_grip(n, model->patch[0].S, s->free[0], model->mesh.gap, given->friction, s->before[0],
                                       P, s->place[0], s->work, err);
        if (status) return status;
        for (int i = n; i < 2 * n; i++)
            s->out->friction_work += (P[i] + s->pulled[i - n]) / 2 * (s->place[0][i] - s->before[0][i]);
    } else {
        double w0[PC_ELASTIC_RINGS_MOST];
        for (int i = 0; i < n; i++) w0[i] = s->free[0][i] + model->mesh.gap[i];
        status = pc_elastic_rings_press(&s->press, w0, P, err);
        if (status) return status;
        for (int i = 0; i < n; i++) {
            s->place[0][i] = s->free[0][i];
            for (int j = 0; j < n; j++) s->place[0][i] += s->press.S[(size_t)i * s->press.stride + (size_t)j] * P[j];
        }
    }
    if (given->radial_friction || given->friction == 0) return PC_OK;
    double *Q = s->force[1];
    pc_elastic_model_contact(model, 1, s->u[1], s->free[1]);
    memcpy(s->before[1], s->place[1], (size_t)n * sizeof *Q);
    memcpy(s->pulled, Q, (size_t)n * sizeof *Q);
    for (int i = 0; i < n; i++) s->bound[i] = given->friction * P[i];
    status = pc_elastic_rings_rub(&s->rub, s->free[1], s->bound, s->before[1], Q, s->place[1], err);
    for (int i = 0; i < n; i++) s->out->friction_work += (Q[i] + s->pulled[i]) / 2 * (s->place[1][i] - s->before[1][i]);
    return status;
}

static double sum_of(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}

/* Energy of both harmonics at this step, where `f` holds accelerations: kinetic by the velocities on both sides of the
 * step. elastic: half of -u . f + P . w, found while f were forces. */
static double kinetic_now(const motion *s, int m, double h)
{
    const pc_elastic_model *model = s->model;
    return pc_elastic_model_mass_product(model, m, s->v[m], s->v[m]) / 2 +
           h * pc_elastic_model_mass_product(model, m, s->v[m], s->f[m]) / 2;
}

static double elastic_now(const motion *s, int m)
{
    double sum = -pc_elastic_model_work(s->model, m, s->u[m], s->f[m]);
    for (int i = 0; i < s->model->patch[m].contacts; i++) sum += s->force[m][i] * s->place[m][i];
    return sum / 2;
}

/* ---- records ---- */

static double middle_radius(const pc_elastic_mesh *mesh, int outermost)
{
    if (outermost < 0) return 0;
    double r = mesh->inner_r[outermost];
    double next = outermost + 1 < mesh->n_rings ? mesh->inner_r[outermost + 1] : mesh->side ? mesh->r[0] : r;
    return (r + next) / 2;
}

/* +-1: every ring that touches slips along or against x; 0: some stick. */
static int slip_sign(const motion *s, int *outermost)
{
    int sign = 2;
    *outermost = -1;
    for (int i = 0; i < s->n; i++) {
        if (s->force[0][i] <= 0) continue;
        if (s->rub.state[i] == 0) *outermost = i;
        int here = -s->rub.state[i];
        sign = sign == 2 || sign == here ? here : 0;
    }
    return sign == 2 ? 0 : sign;
}

static pc_status note_phase(motion *s, int sign, double t, pc_error *err)
{
    pc_elastic_result *out = s->out;
    if (out->n_phases > 0) {
        pc_elastic_phase *last = &out->phases[out->n_phases - 1];
        last->stop = t;
        if (last->sign == sign) return PC_OK;
    }
    if (!PC_GROW(out->phases, out->phase_room, out->n_phases + 1))
        return pc_fail(err, PC_E_MEMORY, "not enough memory for the phases of an impact");
    out->phases[out->n_phases++] = (pc_elastic_phase){sign, t, t};
    return PC_OK;
}

static pc_status note_sample(motion *s, const pc_elastic_sample *sample, pc_error *err)
{
    pc_elastic_result *out = s->out;
    size_t n = (size_t)s->n, used = 2 * n * (size_t)out->n_samples;
    if (!PC_GROW(out->samples, out->sample_room, out->n_samples + 1) ||
        !PC_GROW(out->rings, out->ring_room, used + 2 * n))
        return pc_fail(err, PC_E_MEMORY, "not enough memory for the history of an impact");
    out->samples[out->n_samples++] = *sample;
    memcpy(out->rings + used, s->force[0], n * sizeof *out->rings);
    const double *tangential = s->given->radial_friction ? s->force[0] + n : s->force[1];
    memcpy(out->rings + used + n, tangential, n * sizeof *out->rings);
    return PC_OK;
}

/* ---- the whole ---- */

/* Of steps and samples under way. */
typedef struct course {
    double v_t, v_n, omega; /* of the rigid part, by the impulses so far; v_t of the mass centre */
    double normal, tangential, last_normal, last_tangential, turning, last_turning;
    double energy0;
    double closed, opened, last_closed; /* times: contact began, was lost, was there last */
    bool touches;
    double depth, slid;
    bool compressing;
    int each;   /* steps of a sample */
    int within; /* of the present one */
    double sum_normal, sum_tangential;
    double scale;
} course;

static void add_impulses(motion *s, course *c)
{
    pc_elastic_result *out = s->out;
    const pc_elastic_model *model = s->model;
    const double h = s->dt / 2;
    double p_n = h * (c->normal + c->last_normal), p_t = h * (c->tangential + c->last_tangential);
    double l = h * (c->turning + c->last_turning);
    out->impulse[0] += p_t, out->impulse[1] += p_n;
    double before = c->v_n;
    c->v_n += p_n / model->total;
    c->v_t += p_t / model->total;
    c->omega += l / model->inertia;
    c->depth -= s->dt * (before + c->v_n) / 2;
    out->approach_depth = fmax(out->approach_depth, c->depth);
    if (c->touches) {
        c->slid += s->dt * (c->v_t + c->omega * model->mesh.height);
        out->greatest_slip = fmax(out->greatest_slip, fabs(c->slid));
    }
    if (c->compressing && c->v_n >= 0) {
        double share = c->v_n > before ? -before / (c->v_n - before) : 1;
        c->compressing = false;
        out->compression_time = s->t - s->dt + share * s->dt;
        out->impulse_compression[0] = out->impulse[0] - (1 - share) * p_t;
        out->impulse_compression[1] = out->impulse[1] - (1 - share) * p_n;
    }
}

/* When contact ends: F goes as the power 3/2 of the time left. */
static double end_of_contact(const motion *s, const course *c, double last, double before)
{
    double a = pow(before, 2.0 / 3), b = pow(last, 2.0 / 3);
    return a > b ? c->last_closed + fmin(1, b / (a - b)) * s->dt : c->last_closed;
}

static pc_status add_sample(motion *s, course *c, int outermost, double error, pc_error *err)
{
    pc_elastic_result *out = s->out;
    int edge = -1;
    for (int i = 0; i < s->n; i++)
        if (s->force[0][i] > 0) edge = i;
    if (edge >= out->greatest_contact) out->greatest_contact = edge + 1;
    pc_elastic_sample sample = {
        .t = s->t - (c->each - 1) * s->dt / 2,
        .normal = c->sum_normal / c->each,
        .tangential = c->sum_tangential / c->each,
        .contact_radius = middle_radius(&s->model->mesh, edge),
        .stick_radius = middle_radius(&s->model->mesh, outermost),
        .v_n = c->v_n,
        .v_t = c->v_t + c->omega * s->model->mesh.height,
        .error = error,
    };
    double sizes[2] = {fabs(sample.tangential), sample.normal};
    for (int i = 0; i < 2; i++)
        if (sizes[i] > out->peak[i]) out->peak[i] = sizes[i], out->peak_time[i] = sample.t;
    out->energy_error = fmax(out->energy_error, fabs(error));
    c->sum_normal = c->sum_tangential = 0;
    c->within = 0;
    return note_sample(s, &sample, err);
}

static pc_status look(const motion *s, const pc_elastic_watch *watch, int *next, pc_error *err)
{
    while (watch && *next < watch->n && watch->times[*next] <= s->t + s->dt / 2) {
        const double *const contact[2] = {s->force[0], s->force[1]};
        pc_status status = watch->see(watch->context, s->model, *next, s->t, s->u, contact, err);
        if (status) return status;
        ++*next;
    }
    return PC_OK;
}

static pc_status go(motion *s, course *c, double quiet, const pc_elastic_watch *watch, pc_error *err)
{
    pc_elastic_result *out = s->out;
    const pc_elastic_model *model = s->model;
    const bool oblique = !s->given->radial_friction && s->given->friction > 0;
    /* without friction the tangential motion is rigid and stays so */
    const int harmonics = oblique ? 2 : 1;
    int seen = 0;
    double before_last = 0;
    for (int k = 0;; k++) {
        s->t = k * s->dt;
        pc_status status = touch(s, err);
        if (status) return status;
        c->last_normal = c->normal, c->last_tangential = c->tangential, c->last_turning = c->turning;
        c->normal = sum_of(s->force[0], s->n);
        c->tangential = oblique ? sum_of(s->force[1], s->n) : 0;
        c->turning = 0;
        for (int i = 0; i < s->n && oblique; i++)
            c->turning += s->force[1][i] * (model->mesh.height - model->mesh.inner_z[i]);
        if (k > 0) add_impulses(s, c);
        int outermost = -1, sign = slip_sign(s, &outermost);
        if (c->normal > 0) {
            if (!c->touches) {
                out->contacts++;
                c->touches = true;
                if (out->contacts == 1) c->closed = s->t - s->dt;
            }
            c->last_closed = s->t;
            if (oblique) status = note_phase(s, sign, s->t, err);
            if (status) return status;
        } else if (c->touches) {
            c->touches = false;
            c->opened = end_of_contact(s, c, c->last_normal, before_last);
        }
        before_last = c->last_normal;
        status = look(s, watch, &seen, err);
        if (status) return status;

        bool samples = ++c->within == c->each;
        c->sum_normal += c->normal, c->sum_tangential += c->tangential;
        double energy = -out->friction_work, h = k == 0 ? s->dt / 2 : s->dt;
        for (int m = 0; m < harmonics; m++) {
            pc_elastic_model_force(model, m, s->u[m], s->force[m], s->f[m]);
            if (samples) energy += elastic_now(s, m);
            pc_elastic_model_accelerate(model, m, s->f[m]);
            if (samples) energy += kinetic_now(s, m, h);
        }
        if (samples) {
            if (!oblique) energy += c->energy0 - s->model->total * s->given->approach * s->given->approach / 2;
            status = add_sample(s, c, outermost, energy - c->energy0, err);
            if (status) return status;
        }
        if (k % 64 == 0) {
            if (pc_interrupted())
                return pc_fail_at(err, PC_E_INTERRUPTED, s->t, "contact", "interrupted during an impact");
            if (!isfinite(c->normal) || !isfinite(c->tangential))
                return pc_fail_at(err, PC_E_NUMERIC, s->t, "contact", "the motion of the elastic body is not finite");
            if (k % 1024 == 0 && watch && watch->progress && !watch->progress(watch->context, s->t / c->scale))
                return pc_fail_at(err, PC_E_CALLBACK, s->t, "contact", "stopped during an impact");
        }
        bool over =
            !c->touches && out->contacts > 0 && s->t > c->last_closed + fmax(quiet, 0.3 * (c->opened - c->closed));
        if (over || s->t > LONGEST * c->scale) {
            out->steps = k;
            /* velocities at this step */
            for (int m = 0; m < harmonics; m++)
                for (size_t i = 0; i < s->size[m]; i++) s->all[m][1][i] += h / 2 * s->all[m][2][i];
            if (!over)
                return pc_fail_at(err, PC_E_NUMERIC, s->t, "contact",
                                  "the contact has not ended after %d times its estimated duration of %g s", LONGEST,
                                  c->scale);
            return PC_OK;
        }
        for (int m = 0; m < harmonics; m++) advance(s, m, h);
    }
}

/* Rigid part of the motion at the end, and what vibrates. */
static void finish(motion *s, const course *c)
{
    pc_elastic_result *out = s->out;
    const pc_elastic_model *model = s->model;
    const bool oblique = !s->given->radial_friction && s->given->friction > 0;
    const double M = model->total, I = model->inertia;
    out->v_n = c->v_n, out->v_t = c->v_t, out->omega = c->omega;
    out->duration = c->opened - c->closed;
    out->energy_before = c->energy0;
    out->energy_after = M * (c->v_n * c->v_n + c->v_t * c->v_t) / 2 + I * c->omega * c->omega / 2;
    /* momenta of the body itself: products with rigid velocities, which take the place of f */
    for (int m = 0; m < (oblique ? 2 : 1); m++) {
        double energy = pc_elastic_model_mass_product(model, m, s->v[m], s->v[m]) / 2, rigid = 0;
        for (int k = m == 0 ? 1 : 0; k < 3; k += m == 0 ? 3 : 2) {
            double one[3] = {0};
            one[k] = 1;
            pc_elastic_model_rigid(model, m, one, s->f[m]);
            double momentum = pc_elastic_model_mass_product(model, m, s->v[m], s->f[m]), mass = k == 2 ? I : M;
            double expected = k == 0 ? M * c->v_t : k == 1 ? M * c->v_n : I * c->omega;
            rigid += momentum * momentum / mass / 2;
            double error = fabs(momentum - expected) / (k == 2 ? model->mesh.height : 1);
            out->momentum_error = fmax(out->momentum_error, error);
        }
        /* the elastic part: forces again, as the last ones have become accelerations */
        pc_elastic_model_force(model, m, s->u[m], s->force[m], s->f[m]);
        out->vibration[m] = energy + elastic_now(s, m) - rigid;
    }
    out->step = s->dt;
    for (int part = 0; part < PC_ELASTIC_PARTS; part++)
        out->cell_steps += (double)out->steps * model->part[part].positions * model->part[part].layers;
}

pc_status pc_elastic_strike(const pc_elastic_model *model, const pc_elastic_motion *given, double time_scale,
                            double quiet, const pc_elastic_watch *watch, pc_elastic_result *out, pc_error *err)
{
    *out = (pc_elastic_result){0};
    motion s = {.model = model, .given = given, .out = out, .n = model->mesh.n_rings};
    pc_status status = reserve(&s, err);
    if (status) return status;
    s.dt = SHARE_OF_LIMIT * model->step;
    const double rigid[3] = {given->vt, -given->approach, given->omega};
    for (int m = 0; m < 2; m++) pc_elastic_model_rigid(model, m, rigid, s.v[m]);
    course c = {
        .v_t = given->vt, .v_n = -given->approach, .omega = given->omega, .compressing = true, .scale = time_scale};
    c.each = (int)fmax(1, floor(time_scale / SAMPLES / s.dt + 0.5));
    c.energy0 = model->total * (given->vt * given->vt + given->approach * given->approach) / 2 +
                model->inertia * given->omega * given->omega / 2;
    status = go(&s, &c, quiet, watch, err);
    if (!status) finish(&s, &c);
    pc_free(s.memory);
    if (status) pc_elastic_result_free(out);
    return status;
}

void pc_elastic_result_free(pc_elastic_result *result)
{
    pc_free(result->phases), pc_free(result->samples), pc_free(result->rings);
    result->phases = NULL, result->samples = NULL, result->rings = NULL;
    result->n_phases = result->n_samples = 0;
}
