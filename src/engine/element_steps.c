/* Steps of an impact of elements: by series or by the integrator, explicit, or stiff where damping asks for that. See
 * element_impact.h. */
#include "engine/element_impact_internal.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The series of a step lie where its dense output does. */
enum { BLOCK = PC_SERIES_BLOCK };
_Static_assert((int)PC_SERIES_Y == Y && (int)PC_SERIES_Q == Q && (int)PC_SERIES_PT == PT && (int)PC_SERIES_PN == PN &&
                   PC_SERIES_STRETCH == UT - BLOCK && PC_SERIES_WN == WN - BLOCK && PC_SERIES_WF == WF - BLOCK,
               "the state holds what the series tell, in their order");

static const pc_expansion *series_of(const pc_dense *dense)
{
    return (const void *)dense->c;
}

/* Step over radius of convergence: 1e-13^(1/32), 1e-13 being what the first term left out may be. */
static const double PACE = 0.39;

/* Longest step by series or explicit, scaled: guards are looked at in five places of it. */
static const double LONGEST = 0.5;

/* What is damped keeps steps short long after it has died away. By series such steps are some 4.8 times the time of
 * the damping while there is something left of it and 12 when that is rounding, explicitly about 6; stiff ones know no
 * such bound, and with less than NOT_STIFF another way would be as good. */
static const double EDGE_OF_SERIES = 8, EDGE_OF_EXPLICIT_STEPS = 4, NOT_STIFF = 3;
enum { STIFF_STEPS = 8, NOT_STIFF_STEPS = 6 };

const double *pc_element_at(const motion *d)
{
    return d->way == BY_SERIES ? d->at : d->stepper.y;
}

/* A stiff step's polynomial does not know what its stages have damped, and forces tell a millionth of that: the step is
 * made again, up to there. It has the same beginning and so the same Jacobian. */
static void within(const motion *d, double x, double *state)
{
    pc_stepper *s = d->inside;
    const double *y = x == 1 ? d->stepper.y : x == 0 ? s->y : s->y_new;
    double error;
    if (y == s->y_new) s->method->attempt(s, x * d->dense.h, &error);
    memcpy(state, y, (size_t)d->n * sizeof *state);
}

void pc_element_motion_at(const motion *d, const pc_dense *dense, double x, double *state)
{
    if (d->way == BY_SERIES)
        d->series->sum(series_of(dense)->motion, x, state);
    else if (d->way == BY_STIFF_STEPS)
        within(d, x, state);
    else
        pc_dense_eval(dense, x, state);
}

void pc_element_state_at(const motion *d, const pc_dense *dense, double x, double *state)
{
    pc_element_motion_at(d, dense, x, state);
    if (d->way == BY_SERIES) d->series->sum(series_of(dense)->rest, x, state + BLOCK);
}

double pc_element_time_at(const motion *d, const pc_dense *dense, double x)
{
    if (d->way == BY_SERIES) {
        double rest[BLOCK];
        d->series->sum(series_of(dense)->rest, x, rest);
        return rest[PC_SERIES_TIME];
    }
    if (d->way == BY_EXPLICIT_STEPS) return pc_poly_eval(dense->c + (d->n - 1) * (dense->degree + 1), dense->degree, x);
    within(d, x, d->spare);
    return d->spare[d->n - 1];
}

/* The series converge up to the nearest singularity in the complex plane, and fall off like (h/radius)^k. The radius is
 * the least |c_k|^(-1/k) of the later coefficients; from a touch only every (PC_SERIES_POWER + 1)-th need differ from
 * 0. Of |c_k| the exponent is enough. */
static double reach(const pc_expansion *s)
{
    double least = INFINITY;
    for (int k = PC_SERIES_ORDER - PC_SERIES_POWER; k <= PC_SERIES_ORDER; k++) {
        /* the greatest has the greatest bits */
        uint64_t bits[6], most = 0;
        memcpy(bits, s->motion[k], BLOCK * sizeof *bits);
        memcpy(bits + BLOCK, s->rest[k], 2 * sizeof *bits);
        for (int i = 0; i < 6; i++) most = bits[i] << 1 > most ? bits[i] << 1 : most;
        double size = -((double)(most >> 53) - 1022) / k;
        if (most > 0 && size < least) least = size;
    }
    return fmin(exp2(least) * PACE, LONGEST);
}

static void series_step(motion *d)
{
    const contact *c = &d->contacts[0];
    const pc_contact_values *m = d->node[0];
    pc_course course = {d->W[0], d->W[1], d->W[3], d->at[Y], d->at[Q], m->v_t, m->w, slips(c) ? c->base.sign : 0};
    pc_tangential e = c->base.p.tangential;
    if (c->base.p.pulls && c->base.kink_side < 0) e.mu = 0;
    pc_expansion *s = (void *)d->dense.c;
    d->series->expand(&c->shape, c->base.p.root, &e, &course, s);
    double h = reach(s);
    d->series->scale(s, h);
    s->motion[0][PC_SERIES_PT] = d->at[PT];
    s->motion[0][PC_SERIES_PN] = d->at[PN];
    memcpy(s->rest[0], d->at + BLOCK, BLOCK * sizeof *d->at);
    pc_element_state_at(d, &d->dense, 1, d->at);
    d->dense.t = d->tau;
    d->dense.h = h;
    d->tau += h;
}

/* Rate at which damping takes away what forces do not keep up, in the time of steps. A point that friction holds moves
 * along where the normal force pushes it. */
static double damping(const motion *d)
{
    const pc_contact_values *m = d->node[0];
    double most = 0;
    for (int i = 0; i < d->k; i++) {
        const contact *c = &d->contacts[i];
        const double *to_t = d->W + (size_t)(2 * i) * 2 * (size_t)d->k + 2 * i, *to_n = to_t + 2 * d->k;
        double along = sticks(c) ? c->base.p.tangential.ct * to_t[0] : 0;
        most = fmax(most, along);
        if (c->open || m[i].n.dFdw == 0) continue;
        double give = to_n[1];
        if (slips(c))
            give -= c->base.p.tangential.mu * c->base.sign * to_n[0];
        else if (c->base.p.tangential.kind == PC_TANGENTIAL_RIGID && to_t[0] > 0)
            give -= to_n[0] * (to_n[0] / to_t[0]);
        most = fmax(most, fabs(give * m[i].n.dFdw) + along);
    }
    return most * fabs(pc_element_clock(d, m->y));
}

/* Change of the indentation in the longest step, as a share, below which a contact creeps. */
static const double CREEP = 1e-2;

/* Dashpots that friction holds may leave next to no motion long before the end: explicit steps would be many, whatever
 * their error. */
static bool creeps(const motion *d)
{
    const pc_contact_values *m = d->node[0];
    bool all = true;
    for (int i = 0; i < d->k && all; i++) {
        const contact *c = &d->contacts[i];
        all = sticks(c) && c->base.p.tangential.kind == PC_TANGENTIAL_DASHPOT &&
              fabs(m[i].w) * LONGEST < CREEP * (d->k == 1 ? m[i].y : m[i].u);
    }
    return all;
}

pc_status pc_element_take(motion *d, pc_element_way way, pc_error *err)
{
    d->way = way;
    d->at_limit = 0;
    if (way == BY_SERIES) return PC_OK;
    bool stiff = way == BY_STIFF_STEPS;
    bool brief = pc_contact_has_rings(&d->contacts[0].base);
    const pc_ode_method *method = stiff ? &pc_ode_rodas5p : brief ? &pc_ode_dopri5 : &pc_ode_dop853;
    pc_ode_settings settings = {.rtol = d->task->tolerance,
                                .atol = d->task->tolerance,
                                .max_step = stiff ? INFINITY : LONGEST,
                                .max_steps = INT_MAX};
    pc_stepper_close(&d->stepper);
    pc_stepper_close(d->inside);
    *d->inside = (pc_stepper){0};
    d->problem.scale = stiff ? d->scale : NULL;
    pc_status status = pc_stepper_open(&d->stepper, method, &d->problem, &settings, err);
    if (!status && stiff) status = pc_stepper_open(d->inside, method, &d->problem, &settings, err);
    return status;
}

/* Count the steps that speak for another way, and go on by that when there have been enough. */
static pc_status choose(motion *d, pc_error *err)
{
    bool stiff = d->way == BY_STIFF_STEPS;
    if (d->at_limit < (stiff ? NOT_STIFF_STEPS : STIFF_STEPS)) return PC_OK;
    double tau = d->way == BY_SERIES ? d->tau : d->stepper.t;
    double *y = d->state;
    memcpy(y, pc_element_at(d), (size_t)d->n * sizeof *y);
    for (int i = 0; i < d->k; i++) y[i * PER_CONTACT + WF] += pc_element_apart(d, i, &d->node[0][i]);
    pc_status status = pc_element_take(d, !stiff ? BY_STIFF_STEPS : d->series ? BY_SERIES : BY_EXPLICIT_STEPS, err);
    for (int i = 0; i < d->k; i++) y[i * PER_CONTACT + WF] -= pc_element_apart(d, i, &d->node[0][i]);
    return status ? status : pc_element_start(d, tau, y, err);
}

/* Later than any contact ends that does not creep, in scaled time. */
static const double HORIZON = 1e12;

/* No component of a stiff step is asked for more than what rounding of the velocities leaves of it. The stretch follows
 * from the motion, and in slip a damper makes a rate of that rounding. */
static void weigh(motion *d)
{
    double step = d->stepper.h_next / d->task->tolerance, time = step * fabs(pc_element_clock(d, d->node[0]->y));
    pc_element_resolve(d, pc_element_at(d));
    for (int i = 0; i < d->k; i++) {
        const contact *c = &d->contacts[i];
        const pc_contact_values *m = &d->node[0][i];
        double *own = d->scale + i * PER_CONTACT;
        own[Y] = fmax(1, step * c->fine[PC_N]);
        own[Q] = fmax(1, time * c->fine[PC_T] * pc_tangential_gain(&c->base.p.tangential, &m->n));
        own[PT] = own[PN] = 1;
        own[WN] = fmax(1, time * c->fine[PC_N] * fabs(m->Fn));
        double rough = c->fine[PC_N] * c->base.p.tangential.mu * m->n.dFdw; /* of F_t in slip */
        own[WF] = fmax(1, time * (fabs(m->Ft) * c->fine[PC_T] + fabs(m->v_t) * rough));
        own[UT] = INFINITY;
    }
    for (int i = d->k * PER_CONTACT; i < d->n; i++) d->scale[i] = 1;
}

static pc_status integrate(motion *d, const pc_dense **dense, pc_error *err)
{
    if (d->stepper.t >= HORIZON)
        return pc_fail_at(err, PC_E_LIMIT, d->stepper.y[d->n - 1] * d->time, "time",
                          "the contact has not ended after %.0e times its own time: the bodies creep away from each "
                          "other",
                          HORIZON);
    if (d->way == BY_STIFF_STEPS) weigh(d);
    bool rings = pc_contact_has_rings(&d->contacts[0].base);
    pc_status status = pc_stepper_step(&d->stepper, rings ? d->carry : HORIZON, err);
    if (status) return status;
    if (d->way == BY_EXPLICIT_STEPS) return pc_stepper_dense(&d->stepper, dense, err);
    *dense = &d->dense;
    d->dense.t = d->stepper.t_old;
    d->dense.h = d->stepper.h;
    return pc_stepper_start(d->inside, d->stepper.t_old, d->stepper.y_old, err);
}

/* Where they cost something, slopes are found once a step, for what is judged by them. */
static void find_slopes(motion *d)
{
    for (int i = 0; i < d->k; i++) {
        pc_contact_values *m = &d->node[0][i];
        const contact *c = &d->contacts[i];
        if (c->open || !m->lean || !c->base.element->rate) continue;
        m->lean = false;
        pc_contact_normal(&c->base, m);
        m->lean = true;
    }
}

pc_status pc_element_step(motion *d, const pc_dense **dense, pc_error *err)
{
    find_slopes(d);
    pc_status status = choose(d, err);
    if (!status && d->way != BY_SERIES) status = integrate(d, dense, err);
    if (status) return status;
    if (d->way == BY_SERIES) series_step(d), *dense = &d->dense;
    double reach = damping(d) * (*dense)->h;
    double edge = d->way == BY_SERIES ? EDGE_OF_SERIES : EDGE_OF_EXPLICIT_STEPS;
    bool slow = creeps(d), other = d->way == BY_STIFF_STEPS ? reach < NOT_STIFF && !slow : reach > edge || slow;
    d->at_limit = other ? d->at_limit + 1 : 0;
    return PC_OK;
}

pc_status pc_element_start(motion *d, double tau, const double *y, pc_error *err)
{
    if (d->way != BY_SERIES) return pc_stepper_start(&d->stepper, tau, y, err);
    memcpy(d->at, y, (size_t)d->n * sizeof *y);
    d->tau = tau;
    return PC_OK;
}
