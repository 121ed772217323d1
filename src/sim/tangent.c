/* Displacements carried along: see tangent.h. */
#include "sim/tangent.h"

#include "base/alloc.h"
#include "base/interrupt.h"
#include "sim/run_parts.h"

#include <math.h>
#include <string.h>

/* Displacement for differences, as a share of the state: a central difference then rounds at 1e-10, and its other
 * error, the square of the displacement, stays below that where frequencies are below 100 rad/s. */
static const double SHARE = 1e-6;

/* Of the linearised equations, relative to the displacement; its derivative is known to some 1e-10. */
static const double TOLERANCE = 1e-9;

typedef struct carrier {
    pc_run *run;
    double from, to;             /* of the arc: what happened at its ends is outside */
    int n;                       /* 2 n_dof */
    double *y, *near, *f[2], *d; /* states, rates */
    pc_error *err;
} carrier;

static double size_of(const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

/* Rates of the state without contacts. */
static int rates(carrier *c, double t, const double *y, double *f)
{
    pc_run *run = c->run;
    pc_contacts none = {0};
    int n = c->n / 2, got = pc_system_place(&run->system, t, y);
    if (got == 0) got = pc_contacts_accelerate(&none, &run->system, &run->block, f + n);
    memcpy(f, y + n, (size_t)n * sizeof *f);
    return got;
}

/* How far to go along d, so that the displacement is a small share of y. */
static double step_along(const carrier *c, const double *y, const double *d)
{
    return SHARE * (1 + size_of(y, c->n)) / size_of(d, c->n);
}

static int linearised(double t, const double *d, double *dd, void *context)
{
    carrier *c = context;
    int n = c->n;
    t = fmin(fmax(t, c->from), c->to);
    pc_run_at(c->run, t, t > c->from ? -1 : 1, c->y);
    double h = step_along(c, c->y, d);
    if (!isfinite(h)) {
        memset(dd, 0, (size_t)n * sizeof *dd);
        return 0;
    }
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < n; i++) c->near[i] = c->y[i] + (side ? h : -h) * d[i];
        int got = rates(c, t, c->near, c->f[side]);
        if (got != 0) return got;
    }
    for (int i = 0; i < n; i++) dd[i] = i < n / 2 ? d[n / 2 + i] : (c->f[1][i] - c->f[0][i]) / (2 * h);
    return 0;
}

static pc_status follow_arc(carrier *c, double from, double to)
{
    if (to <= from) return PC_OK;
    c->from = from;
    c->to = to;
    double size = size_of(c->d, c->n);
    pc_ode_problem problem = {.n = c->n, .rhs = linearised, .context = c};
    pc_ode_settings settings = {TOLERANCE, TOLERANCE * size, 0, INFINITY, 0, 10000000};
    pc_stepper stepper;
    pc_status status = pc_stepper_open(&stepper, &pc_ode_dop853, &problem, &settings, c->err);
    if (status == PC_OK) status = pc_stepper_start(&stepper, from, c->d, c->err);
    while (status == PC_OK && stepper.t < to) {
        if (pc_interrupted())
            status = pc_fail_at(c->err, PC_E_INTERRUPTED, stepper.t, "", "interrupted at t = %.17g", stepper.t);
        else
            status = pc_stepper_step(&stepper, to, c->err);
    }
    if (status == PC_OK) memcpy(c->d, stepper.y, (size_t)c->n * sizeof *c->d);
    pc_stepper_close(&stepper);
    return status == PC_E_CALLBACK ? pc_run_stopped(c->run, c->err) : status;
}

/* Velocities after an impact of the pair at (t, y). */
static pc_status respond(carrier *c, int pair, double t, const double *y, double *after)
{
    pc_run *run = c->run;
    const pc_pair *p = &run->scene->pairs[pair];
    pc_touch touch;
    if (pc_system_place(&run->system, t, y) != 0) return pc_run_stopped(run, c->err);
    pc_system_touch(&run->system, pair, &touch);
    pc_mobility W;
    double v0[3] = {0};
    pc_status status = pc_run_meet(run, pair, &touch, &W, v0, c->err);
    if (status != PC_OK) return status;
    pc_impact impact;
    pc_impact_init(&impact);
    status = p->law->impact(p->params, &W, v0, &impact, c->err);
    pc_system_unload(&run->system);
    pc_system_push(&run->system, pair, &touch, impact.impulse);
    pc_system_jumps(&run->system, after);
    for (int i = 0; i < c->n / 2; i++) after[i] += y[c->n / 2 + i];
    pc_impact_free(&impact);
    return status;
}

/* The touch of a pair that strikes in the placed system, and its velocity. A side without thickness is struck on the
 * face from which the other comes, whatever rounding says of a gap that is zero. */
static void touch_struck(pc_run *run, int pair, pc_touch *touch, double v[2])
{
    signed char *face = &run->system.face[pair];
    for (*face = 1;; *face = -1) {
        pc_system_touch(&run->system, pair, touch);
        pc_system_velocity(&run->system, pair, touch, v);
        if (v[PC_N] < 0 || *face < 0) return;
    }
}

/* d- to d+ at an impact. */
static pc_status leap(carrier *c, const pc_hit *hit, pc_slowest *slowest)
{
    pc_run *run = c->run;
    int n = c->n, m = n / 2;
    const double *states = (const double *)run->states.data + hit->states;
    if (hit->together)
        return pc_fail_at(c->err, PC_E_UNSUPPORTED, hit->t, "impact",
                          "several contacts are struck at once at t = %.10g: there a displacement has no one image",
                          hit->t);
    double v[2], change[2], *y = c->y;
    pc_touch touch;
    memcpy(y, states, (size_t)n * sizeof *y); /* q, u before */
    if (pc_system_place(&run->system, hit->t, y) != 0) return pc_run_stopped(run, c->err);
    touch_struck(run, hit->pair, &touch, v);
    pc_system_change(&run->system, hit->pair, &touch, c->d, change);
    if (-v[PC_N] < slowest->speed) *slowest = (pc_slowest){-v[PC_N], hit->t};
    if (!(v[PC_N] < -pc_run_resolution(run, hit->pair)))
        return pc_fail_at(c->err, PC_E_UNSUPPORTED, hit->t, "impact",
                          "%s: the impact at t = %.10g grazes: there a displacement has no image",
                          run->scene->pairs[hit->pair].name, hit->t);
    double dt = -change[PC_N] / v[PC_N], *d = c->d, *before = c->f[0], *after = c->f[1];
    if (rates(c, hit->t, y, before) != 0) return pc_run_stopped(run, c->err);
    for (int i = 0; i < n; i++) d[i] += before[i] * dt;

    /* along d and dt together the gap stays closed: the law is asked where displaced motions strike */
    double h = step_along(c, y, d);
    if (!isfinite(h)) h = 0;
    for (int side = 0; side < 2 && h > 0; side++) {
        double s = side ? h : -h;
        for (int i = 0; i < n; i++) c->near[i] = y[i] + s * d[i];
        pc_status status = respond(c, hit->pair, hit->t + s * dt, c->near, c->f[side]);
        if (status != PC_OK) return status;
    }
    for (int i = 0; i < m && h > 0; i++) d[m + i] = (c->f[1][i] - c->f[0][i]) / (2 * h);

    run->system.face[hit->pair] = 0;

    memcpy(y + m, states + n, (size_t)m * sizeof *y); /* u after */
    if (rates(c, hit->t, y, after) != 0) return pc_run_stopped(run, c->err);
    for (int i = 0; i < n; i++) d[i] -= after[i] * dt;
    return PC_OK;
}

static pc_status carry(carrier *c, double from, double to, pc_slowest *slowest)
{
    const pc_run *run = c->run;
    size_t n;
    const pc_event_record *events = pc_run_events(run, &n);
    double begin = from;
    for (size_t i = 0; i < n; i++) {
        const pc_event_record *e = &events[i];
        if (e->t <= begin || e->t > to || e->kind == PC_HAPPENS_USER) continue;
        if (e->kind != PC_HAPPENS_IMPACT)
            return pc_fail_at(c->err, PC_E_UNSUPPORTED, e->t, "contact",
                              "%s at t = %.10g: contacts that last are not linearised, only impacts are",
                              pc_happening_word(e->kind), e->t);
        pc_status status = follow_arc(c, from, e->t);
        if (status == PC_OK) status = leap(c, (const pc_hit *)run->hits.data + e->impact, slowest);
        if (status != PC_OK) return status;
        from = e->t;
    }
    return follow_arc(c, from, to);
}

pc_status pc_run_carry(pc_run *run, double from, double to, double *d, pc_slowest *slowest, pc_error *err)
{
    size_t n = 2 * (size_t)run->scene->n_dof;
    pc_error own = {0};
    if (err) err->code = PC_OK;
    if (!(from <= to && from >= run->t0 && to <= run->t))
        return pc_fail(err, PC_E_ARGUMENT, "from t = %.10g to %.10g is not within the motion, %.10g to %.10g", from, to,
                       run->t0, run->t);
    double *memory = pc_calloc(4 * n, sizeof *memory);
    if (!memory) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d coordinates", run->scene->n_dof);
    carrier c = {.run = run,
                 .n = (int)n,
                 .y = memory,
                 .near = memory + n,
                 .f = {memory + 2 * n, memory + 3 * n},
                 .d = d,
                 .err = err ? err : &own};
    const pc_smooth_arc *arc = pc_run_at(run, from, 1, c.y);
    pc_run_let_go(run);
    pc_status status = PC_OK;
    if (run->t > run->t0 && !arc)
        status = pc_fail(err, PC_E_ARGUMENT, "the motion was not recorded (record = false)");
    else if (arc && (((const pc_modes *)run->modes.data)[arc->modes].n > 0 || arc->n_pressed > 0))
        status = pc_fail_at(c.err, PC_E_UNSUPPORTED, from, "contact",
                            "a contact is closed at t = %.10g: contacts that last are not linearised, only impacts are",
                            from);
    else if (arc) {
        pc_compliant *now = run->system.compliant; /* of the end of the motion */
        run->system.compliant = NULL;
        status = carry(&c, from, to, slowest);
        run->system.compliant = now;
    }
    pc_free(memory);
    return status;
}
