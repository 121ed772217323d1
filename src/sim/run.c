/* The loop of a run: see run.h. */
#include "sim/run_parts.h"

#include "base/alloc.h"
#include "base/interrupt.h"
#include "sim/flight.h"
#include "sim/stage.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Instants in a row without progress in time before the run is given up. */
enum { STALL = 200 };

/* The step after an instant is at most so many times the arc before it: see event/solve.c. */
static const double LONGEST_ARC = 16;

/* What an event of the locator watches. */
typedef enum watched { GAP, RECOVERY, NORMAL, SLIP, MARGIN, JAM, BOUND, USER } watched;

typedef struct loop loop;
typedef struct watch {
    loop *l;
    watched what;
    int pair, sign; /* MARGIN: slip that begins there; BOUND: which margin of the feature */
    double slack;   /* GAP: of what rides along, see pc_run_rides_along */
} watch;

struct loop {
    pc_run *run;
    const pc_run_options *options;
    pc_flight flight;
    pc_ode_problem problem;
    pc_stepper stepper; /* while no compliant contact is closed */
    pc_stage stage;     /* while one is */
    pc_locator locator;
    pc_event *events;
    watch *watches;
    double *linear;               /* of each pair: see pc_event.linear */
    pc_occurrence *causes, *kept; /* room for one of each event */
    watch *caused;
    int most;
    pc_error *err;
    double last;
    int stalls;
};

pc_status pc_run_stopped(const pc_run *run, pc_error *err)
{
    if (err && err->code != PC_OK) return err->code; /* the caller's function has filled the record */
    return pc_fail_at(err, PC_E_CALLBACK, run->t, "torque", "a function of the scene asked to stop at t = %.17g",
                      run->t);
}

static int rhs(double t, const double *y, double *dydt, void *context)
{
    const loop *l = context;
    pc_run *run = l->run;
    int n = run->scene->n_dof;
    for (int i = 0; i < n; i++) dydt[i] = y[n + i];
    if (l->flight.direct && run->contacts.n == 0) return pc_flight_accelerate(&l->flight, t, y, dydt + n);
    int got = pc_system_place(&run->system, t, y);
    if (got == 0) got = pc_contacts_accelerate(&run->contacts, &run->system, &run->block, dydt + n);
    return got;
}

/* ---- what is watched ---- */

/* That indentation has recovered when the gap itself has opened. */
static int recovery_value(double t, const double *y, double *g, void *context)
{
    watch *w = context;
    pc_system *system = &w->l->run->system;
    int got = pc_system_place_pair(system, w->pair, t, y);
    if (got == 0) *g = pc_system_gap(system, w->pair);
    return got;
}

static int gap_value(double t, const double *y, double *g, void *context)
{
    watch *w = context;
    pc_system *system = &w->l->run->system;
    int got = pc_system_place_pair(system, w->pair, t, y);
    if (got == 0) *g = pc_run_gap(w->l->run, w->pair) + w->slack;
    return got;
}

static int bound_value(double t, const double *y, double *g, void *context)
{
    watch *w = context;
    pc_system *system = &w->l->run->system;
    double margin[PC_MARGINS];
    int got = pc_system_place_pair(system, w->pair, t, y);
    if (got != 0) return got;
    pc_system_margins(system, w->pair, margin);
    *g = margin[w->sign] + PC_OVERHANG * system->scene->pairs[w->pair].length;
    return 0;
}

static int force_value(double t, const double *y, double *g, void *context)
{
    watch *w = context;
    pc_run *run = w->l->run;
    pc_contacts *c = &run->contacts;
    int i = 0;
    while (c->pair[i] != w->pair) i++;
    int got = pc_system_place(&run->system, t, y);
    if (got != 0) return got;
    if (w->what == SLIP) {
        double v[2];
        pc_system_touch(&run->system, w->pair, &c->touch[i]);
        pc_system_velocity(&run->system, w->pair, &c->touch[i], v);
        *g = c->mode[i] * v[PC_T];
        return 0;
    }
    got = pc_contacts_accelerate(c, &run->system, &run->block, run->a);
    double mu = run->scene->pairs[w->pair].static_friction;
    if (w->what == NORMAL) *g = c->force[i][PC_N];
    if (w->what == MARGIN) *g = mu * c->force[i][PC_N] + w->sign * c->force[i][PC_T];
    if (w->what == JAM) *g = pc_contacts_give(c, &run->system, &run->block, i);
    return got;
}

/* A site at the centre of a free body before a plane: the gap is linear in the state. */
static const double *linear_gap(loop *l, int pair)
{
    const pc_scene *scene = l->run->scene;
    const pc_pair *p = &scene->pairs[pair];
    const pc_site *site = &scene->sites[p->site];
    const pc_hull *hull = &scene->hulls[p->hull];
    if (site->member < 0 || hull->member >= 0 || hull->n_sides != 1) return NULL;
    const pc_member *member = &scene->members[site->member];
    if (member->chain || site->along != 0 || site->across != 0) return NULL;
    const pc_side *side = &hull->sides[0];
    double *c = l->linear + (size_t)pair * (size_t)(2 + l->run->room);
    memset(c, 0, (size_t)(2 + l->run->room) * sizeof *c);
    c[0] = l->run->residual[pair] + side->y * side->ex - side->x * side->ey - site->radius;
    c[2 + member->first] = side->ey;
    c[3 + member->first] = -side->ex;
    return c;
}

/* The noise is rounding of the terms that are summed: lengths in a gap, speeds in a velocity. Forces come from linear
 * systems that may be nearly singular (joints of a straight chain on a floor), so theirs is a generous share of the
 * greatest one; crossings are polished on the function itself, so this costs no accuracy. */
static void add_watch(loop *l, watched what, int pair, int sign, double force)
{
    double noise = 0;
    if (what == GAP || what == RECOVERY || what == BOUND) noise = 8 * DBL_EPSILON * l->run->scene->pairs[pair].length;
    if (what == SLIP) noise = pc_run_resolution(l->run, pair);
    if (what == NORMAL || what == MARGIN) noise = 1e-9 * force;
    int k = l->locator.n_events++;
    static const char *const words[] = {"gap", "recovery", "normal force", "slip velocity", "friction margin",
                                        "jam", "edge"};
    bool either = what == GAP && l->run->scene->pairs[pair].thin; /* it may go round an end meanwhile */
    l->watches[k] = (watch){l, what, pair, sign, 0};
    l->events[k] = (pc_event){.name = words[what],
                              .direction = either             ? 0
                                           : what == RECOVERY ? 1
                                                              : -1,
                              .leaving = -1,
                              .g = what == GAP        ? gap_value
                                   : what == RECOVERY ? recovery_value
                                   : what == BOUND    ? bound_value
                                                      : force_value,
                              .linear = what == GAP ? linear_gap(l, pair) : NULL,
                              .leading = what == GAP ? l->run->scene->n_dof : 0,
                              .context = &l->watches[k],
                              .noise = noise};
}

/* Where another part of the outlines takes over. */
static void add_bounds(loop *l, int pair)
{
    double margin[PC_MARGINS];
    pc_system_margins(&l->run->system, pair, margin);
    for (int k = 0; k < PC_MARGINS; k++)
        if (isfinite(margin[k])) add_watch(l, BOUND, pair, k, 0);
}

static double largest_force(const pc_run *run)
{
    double largest = 0;
    for (int i = 0; i < run->contacts.n; i++)
        largest = fmax(largest, fabs(run->contacts.force[i][PC_N]) + fabs(run->contacts.force[i][PC_T]));
    return largest;
}

static bool is_pressed(const pc_run *run, int pair)
{
    for (int i = 0; i < run->compliant.n; i++)
        if (run->compliant.contact[i].pair == pair) return true;
    return false;
}

static int watch_all(loop *l)
{
    pc_run *run = l->run;
    const pc_contacts *c = &run->contacts;
    if (c->n > 0) { /* the forces now */
        int got = pc_system_place(&run->system, run->t, run->y);
        if (got == 0) got = pc_contacts_accelerate(&run->contacts, &run->system, &run->block, run->a);
        if (got != 0) return got;
    }
    l->locator.n_events = 0;
    for (int pair = 0; pair < run->scene->n_pairs; pair++) {
        int closed = 0;
        while (closed < c->n && c->pair[closed] != pair) closed++;
        if (closed == c->n) run->system.feature[pair] = -1;
        if (is_pressed(run, pair)) continue; /* the stage looks after it */
        if (run->residual[pair] > 0 && !run->dented[pair]) add_watch(l, RECOVERY, pair, 0, 0);
        if (closed == c->n) {
            add_watch(l, GAP, pair, 0, 0);
            continue;
        }
        add_bounds(l, pair);
        double mu = run->scene->pairs[pair].static_friction, force = largest_force(run);
        add_watch(l, NORMAL, pair, 0, force);
        if (mu == 0) continue;
        if (c->mode[closed] == 0) {
            add_watch(l, MARGIN, pair, 1, force);
            add_watch(l, MARGIN, pair, -1, force);
        } else {
            add_watch(l, SLIP, pair, 0, 0);
            add_watch(l, JAM, pair, 0, 0);
        }
    }
    for (int i = 0; i < l->options->n_events; i++) {
        int k = l->locator.n_events++;
        l->watches[k] = (watch){l, USER, i, 0, 0};
        l->events[k] = l->options->events[i];
    }
    return 0;
}

static pc_status open_loop(loop *l)
{
    const pc_run *run = l->run;
    const pc_scene *scene = run->scene;
    int most = 2 * scene->n_pairs + (3 + PC_MARGINS) * PC_CLOSED + l->options->n_events + 1;
    size_t n = (size_t)run->room;
    l->most = most;
    l->events = pc_calloc((size_t)most, sizeof *l->events);
    l->watches = pc_calloc((size_t)most, sizeof *l->watches);
    l->linear = pc_calloc((size_t)scene->n_pairs + 1, (2 + n) * sizeof *l->linear);
    l->causes = pc_calloc((size_t)most, sizeof *l->causes);
    l->kept = pc_calloc((size_t)most, sizeof *l->kept);
    l->caused = pc_calloc((size_t)most, sizeof *l->caused);
    if (!l->events || !l->watches || !l->linear || !l->causes || !l->kept || !l->caused)
        return pc_fail(l->err, PC_E_MEMORY, "not enough memory for a motion of %d coordinates", scene->n_dof);
    pc_status status = pc_flight_open(&l->flight, scene, l->err);
    if (status != PC_OK) return status;
    /* every function there is room for counts as watched while the locator makes its memory */
    status = pc_locator_open(&l->locator, l->events, most, run->room, l->err);
    if (status == PC_OK) status = pc_stage_open(&l->stage, l->run, l->options, l->err);
    if (status != PC_OK) return status;
    l->problem = (pc_ode_problem){.n = 2 * scene->n_dof, .rhs = rhs, .context = l};
    status = pc_stepper_open(&l->stepper, l->options->method, &l->problem, &l->options->settings, l->err);
    if (status != PC_OK) return status;
    if (run->h_next > 0 && l->options->method->error_order > 0) l->stepper.h_next = run->h_next;
    return PC_OK;
}

static void close_loop(loop *l)
{
    pc_locator_close(&l->locator);
    pc_flight_close(&l->flight);
    pc_stepper_close(&l->stepper);
    pc_stage_close(&l->stage);
    pc_free(l->events);
    pc_free(l->watches);
    pc_free(l->linear);
    pc_free(l->causes);
    pc_free(l->kept);
    pc_free(l->caused);
}

/* ---- impacts that accumulate ---- */

static void note_impact(pc_run *run, int pair)
{
    memmove(run->recent + 1, run->recent, 4 * sizeof *run->recent);
    memmove(run->recent_pair + 1, run->recent_pair, 3 * sizeof *run->recent_pair);
    run->recent[0] = run->t;
    run->recent_pair[0] = pair;
}

/* The intervals d of the last impacts shrink by one ratio, and the bounces are low (their height is v d/4, v the
 * speed at which they end) or near in time. The bounds balance two errors of the extrapolation to the end: it
 * neglects what changes over the rest of the sequence, and the intervals round, all the more the lower the bounces.
 * Both are then below 1e-9 of the last second. */
static bool accumulating(const pc_run *run, double v, double *ratio)
{
    const double *t = run->recent;
    double d0 = t[0] - t[1], d1 = t[1] - t[2], d2 = t[2] - t[3], d3 = t[3] - t[4];
    if (!(d0 > 0 && d0 < d1 && d1 < d2 && d2 < d3)) return false;
    *ratio = cbrt(d0 / d3);
    bool settled = fabs(d0 / d1 - d2 / d3) <= 0.1 * (1 - *ratio);
    double length = run->scene->pairs[run->recent_pair[0]].length;
    return settled && (v * d0 <= 4e-12 * length || d0 <= 1e-11 * fabs(t[0]));
}

static pc_status close_accumulated(pc_run *run, const pc_hit *hit, pc_error *err)
{
    int pair = hit->pair;
    double ratio;
    if (!accumulating(run, fabs(hit->v0[PC_N]), &ratio)) return PC_OK;
    double rest = (run->recent[0] - run->recent[1]) * ratio / (1 - ratio);
    pc_status status = pc_run_tell(
        run,
        (pc_event_record){.t = run->recent[0] + rest, .kind = PC_HAPPENS_ACCUMULATION, .pair = pair, .ratio = ratio},
        err);
    pc_touching touching = {0};
    for (int i = 0; i < run->contacts.n && status == PC_OK; i++)
        status = pc_touching_add(&touching, run->contacts.pair[i], false, false, err);
    for (int i = 0; i < 4 && status == PC_OK; i++) {
        int other = run->recent_pair[i];
        if (fabs(pc_system_gap(&run->system, other)) <= 1e-10 * run->scene->pairs[other].length)
            status = pc_touching_add(&touching, other, false, true, err);
    }
    for (int i = 0; i < 5; i++) run->recent[i] = NAN;
    return status == PC_OK ? pc_run_settle(run, &touching, -1, err) : status;
}

/* ---- instants ---- */

/* Closed contacts drift within the tolerances of the method: put them back. */
static pc_status correct(pc_run *run, pc_error *err)
{
    if (run->contacts.n == 0) return PC_OK;
    if (pc_system_place(&run->system, run->t, run->y) != 0) return pc_run_stopped(run, err);
    pc_contacts_project(&run->contacts, &run->system, &run->block, false, run->y);
    return PC_OK;
}

/* Settle, and see whether the impacts there go on for ever. */
static pc_status settle(loop *l, pc_touching *touching, int jam)
{
    pc_run *run = l->run;
    size_t before = run->hits.used;
    pc_status status = pc_run_settle(run, touching, jam, l->err);
    if (status == PC_OK && run->hits.used > before) {
        const pc_hit *hit = (const pc_hit *)run->hits.data + before;
        note_impact(run, hit->pair);
        status = close_accumulated(run, hit, l->err);
    }
    return status;
}

/* Forced changes of a closed pair: at a zero of its normal force it opens, at the edge of the cone it slips. */
static pc_status open_pair(pc_run *run, int pair, pc_error *err)
{
    pc_contacts *c = &run->contacts;
    for (int i = 0; i < c->n; i++) {
        if (c->pair[i] != pair) continue;
        c->n--;
        for (int j = i; j < c->n; j++) {
            c->pair[j] = c->pair[j + 1];
            c->mode[j] = c->mode[j + 1];
        }
    }
    return pc_run_tell(run, (pc_event_record){.kind = PC_HAPPENS_LIFT, .pair = pair}, err);
}

static pc_status begin_slip(pc_run *run, int pair, int sign, pc_error *err)
{
    for (int i = 0; i < run->contacts.n; i++)
        if (run->contacts.pair[i] == pair) run->contacts.mode[i] = sign;
    return pc_run_tell(run, (pc_event_record){.kind = PC_HAPPENS_SLIP, .pair = pair, .mode = sign}, err);
}

/* A closed pair comes to where another part of the outlines takes over: it goes on there, or it has slipped off.
 * *gone: the latter. */
static pc_status pass_bound(pc_run *run, int pair, int margin, bool *gone, pc_error *err)
{
    int next = pc_system_beyond(&run->system, pair, margin);
    *gone = next < 0;
    run->system.feature[pair] = (signed char)next;
    return *gone ? open_pair(run, pair, err) : PC_OK;
}

/* The events [first, last) at one instant. *changed: the motion starts afresh. */
static pc_status act(loop *l, int first, int last, bool *changed, bool *stop)
{
    pc_run *run = l->run;
    pc_touching touching = {0}, gone = {0};
    bool unsettled = false;
    int jam = -1;
    pc_status status = PC_OK;
    for (int i = first; i < last && status == PC_OK; i++) {
        const pc_occurrence *o = &l->locator.found[i];
        const watch *w = &l->watches[o->event];
        if (w->what == USER) {
            const pc_event *event = &l->options->events[w->pair];
            status = pc_run_tell(run, (pc_event_record){.kind = PC_HAPPENS_USER, .pair = w->pair}, l->err);
            int verdict = event->action && status == PC_OK ? event->action(o->t, run->y, event->context) : 0;
            if (verdict < 0) return pc_run_stopped(run, l->err);
            *changed |= verdict == PC_ACTION_RESTART;
            if (event->terminal || verdict == PC_ACTION_STOP) {
                *stop = true;
                run->stop_event = w->pair;
            }
            continue;
        }
        *changed = true;
        if (w->what == GAP && o->before < 0) run->system.face[w->pair] = (signed char)-run->system.face[w->pair];
        if (w->what == RECOVERY) run->residual[w->pair] = 0;
        if (w->what == GAP && pc_pair_presses(run->scene, w->pair)) {
            status = pc_run_close_pair(run, w->pair, l->err);
            continue;
        }
        if (w->what == NORMAL) status = open_pair(run, w->pair, l->err);
        if (w->what == MARGIN) status = begin_slip(run, w->pair, w->sign, l->err);
        if (w->what == JAM) jam = w->pair;
        if (w->what == BOUND) {
            bool off;
            status = pass_bound(run, w->pair, w->sign, &off, l->err);
            if (off && status == PC_OK) status = pc_touching_add(&gone, w->pair, false, false, l->err);
            if (!off && status == PC_OK) status = correct(run, l->err); /* the frame has turned by the overhang */
            unsettled = true;
        }
        if (w->what == GAP || w->what == SLIP || w->what == JAM) {
            /* a gap that closes again at once: the bounce before it was lower than its rounding */
            bool still = w->what == GAP && o->t - l->last <= 8 * DBL_EPSILON * fabs(o->t) && l->last > run->t0;
            unsettled = true;
            status = pc_touching_add(&touching, w->pair, w->what == SLIP, still, l->err);
        }
    }
    if (status != PC_OK || !unsettled) return status;
    for (int i = 0; i < run->contacts.n && status == PC_OK; i++)
        status = pc_touching_add(&touching, run->contacts.pair[i], false, false, l->err);
    if (pc_system_place(&run->system, run->t, run->y) != 0) return pc_run_stopped(run, l->err);
    if (status == PC_OK) status = pc_run_add_touching(run, &gone, &touching, l->err);
    if (status == PC_OK) status = settle(l, &touching, jam);
    return status == PC_OK ? pc_run_grip_again(run, l->err) : status;
}

/* Begin to watch, after the events [first, last) or, if there are none, from the start. A gap that is zero up to
 * rounding counts as zero, on whichever side of it rounding has put it: what falls from there strikes at once. */
static pc_status watch_from_here(loop *l, int first, int last)
{
    pc_run *run = l->run;
    pc_occurrence *causes = l->causes;
    int n = 0;
    for (int i = first; i < last && n < l->most; i++) { /* known to the new list by what they watch */
        causes[n] = l->locator.found[i];
        l->caused[n++] = l->watches[l->locator.found[i].event];
    }
    if (watch_all(l) != 0) return pc_run_stopped(run, l->err);
    if (pc_system_place(&run->system, run->t, run->y) != 0) return pc_run_stopped(run, l->err);
    int fired = n, kept = 0;
    for (int e = 0; e < l->locator.n_events; e++) {
        watch *w = &l->watches[e];
        pc_occurrence cause = {.event = -1};
        bool opened = false;
        for (int i = 0; i < fired; i++) {
            const watch *old = &l->caused[i];
            opened |= old->what == NORMAL && w->pair == old->pair;
            if (w->what == old->what && w->pair == old->pair && w->sign == old->sign) cause = causes[i];
        }
        if (w->what == BOUND) continue;
        if (w->what == GAP) {
            pc_run_note_face(run, w->pair);
            double gap = pc_run_gap(run, w->pair);
            if (cause.event < 0 && gap > PC_TOUCHING * run->scene->pairs[w->pair].length) continue;
            if (cause.event < 0) cause.rate = 0;
            cause.value = gap;
            if (!opened && pc_run_rides_along(run, w->pair)) {
                w->slack = fmax(PC_OVERHANG, l->options->settings.rtol) * run->scene->pairs[w->pair].length;
                l->events[e].linear = NULL;
                continue;
            }
        } else if (cause.event < 0) {
            continue;
        }
        cause.event = e;
        l->kept[kept++] = cause;
    }
    pc_locator_restart(&l->locator, l->kept, kept);
    return PC_OK;
}

/* Let the integrator of what comes begin at the run's t and y. */
static pc_status start(loop *l)
{
    if (l->run->compliant.n > 0) return pc_stage_start(&l->stage, l->err);
    pc_stage_leave(&l->stage);
    return pc_stepper_start(&l->stepper, l->run->t, l->run->y, l->err);
}

static pc_status restart(loop *l, int first, int last)
{
    pc_run *run = l->run;
    pc_status status = watch_from_here(l, first, last);
    if (status == PC_OK) status = pc_run_record_modes(run, l->err);
    return status == PC_OK ? start(l) : status;
}

/* Leave the watches in peace that cannot fire in a step; true if that is all of them: most steps need no search. */
static bool nothing_near(loop *l, const pc_dense *dense)
{
    bool nothing = true;
    for (int e = 0; e < l->locator.n_events; e++) {
        pc_watch *seen = &l->locator.watch[e];
        const watch *w = &l->watches[e];
        seen->idle = false;
        if (w->what == GAP) {
            if (seen->side == 1 && pc_run_stays_above(l->run, w->pair, dense)) {
                seen->idle = true;
                continue;
            }
            if (pc_system_place_pair(&l->run->system, w->pair, l->run->t, l->run->y) != 0) return false;
            if (pc_run_note_face(l->run, w->pair)) seen->side = 1;       /* it went round an end */
            bool unseen = seen->side == PC_SIDE_UNKNOWN && !seen->fired; /* nothing has been asked of it yet */
            if (seen->side == 1 || unseen) seen->idle = pc_run_stays_open(l->run, w->pair, dense); /* else near zero */
            if (seen->idle) seen->side = 1;
        }
        nothing &= seen->idle;
    }
    return nothing;
}

/* Forget the gaps that closed where the outlines do not touch. */
static pc_status leave_out(loop *l, const pc_dense *dense)
{
    pc_run *run = l->run;
    int kept = 0;
    for (int i = 0; i < l->locator.n_found; i++) {
        pc_occurrence *o = &l->locator.found[i];
        const watch *w = &l->watches[o->event];
        bool meets = true;
        if (w->what == GAP && run->scene->pairs[w->pair].bounded) {
            pc_touch touch;
            pc_dense_eval(dense, o->x, run->spare);
            if (pc_system_place_pair(&run->system, w->pair, o->t, run->spare) != 0) return pc_run_stopped(run, l->err);
            pc_system_touch(&run->system, w->pair, &touch);
            meets = touch.meets;
        }
        if (meets) l->locator.found[kept++] = *o;
    }
    l->locator.n_found = kept;
    return PC_OK;
}

/* An instant at which something changed; a run in which time no longer goes on is given up. `flight`: the arc before it
 * says how long the next may be. */
static pc_status note_instant(loop *l, double t, bool flight)
{
    bool progress = t - l->last > 8 * DBL_EPSILON * fabs(t);
    l->stalls = progress ? 0 : l->stalls + 1;
    if (progress && flight && l->options->method->error_order > 0)
        l->stepper.h_next = fmin(l->stepper.h_next, LONGEST_ARC * (t - l->last));
    l->last = t;
    if (l->stalls < STALL) return PC_OK;
    return pc_fail_at(l->err, PC_E_NUMERIC, t, "contacts", "%d events in a row at t = %.17g", STALL, t);
}

/* A compliant contact changes at the fraction x of a step. */
static pc_status change_contact(loop *l, const pc_dense *dense, const pc_stage_change *change)
{
    pc_run *run = l->run;
    double x = change->x, t = x == 1 ? dense->t + dense->h : dense->t + x * dense->h;
    run->t = t;
    pc_dense_eval(dense, x, run->y);
    pc_status status = pc_run_record_arc(run, dense, t, l->options->record, l->err);
    if (status == PC_OK) status = correct(run, l->err);
    if (status == PC_OK) status = pc_run_change(run, change->which, change->guard, l->err);
    if (status == PC_OK) status = note_instant(l, t, false);
    return status == PC_OK ? restart(l, 0, 0) : status;
}

/* What happens in a step, up to where a compliant contact changes. */
static pc_status events_of_step(loop *l, const pc_dense *dense, double until, bool *cut, bool *stop)
{
    pc_run *run = l->run;
    pc_locator *locator = &l->locator;
    pc_status status = pc_locator_scan(locator, dense, l->err);
    if (status == PC_OK) status = leave_out(l, dense);
    for (int i = 0; i < locator->n_found && locator->found[i].x <= until && status == PC_OK && !*cut;) {
        int last = i + 1;
        double near = 8 * DBL_EPSILON * fmax(fabs(locator->found[i].t), fabs(dense->h)), t = locator->found[i].t;
        while (last < locator->n_found && fabs(locator->found[last].t - t) <= near) last++;
        bool changed = false, flight = run->compliant.n == 0;
        double t_before = run->t;
        run->t = t;
        pc_dense_eval(dense, locator->found[i].x, run->y);
        /* the arc belongs to the contacts of before */
        bool only_told = true;
        for (int k = i; k < last; k++) only_told &= l->watches[locator->found[k].event].what == USER;
        if (!only_told) status = pc_run_record_arc(run, dense, t, l->options->record, l->err);
        if (status == PC_OK && !only_told) status = correct(run, l->err);
        if (status == PC_OK) status = act(l, i, last, &changed, stop);
        if (only_told && (changed || *stop) && status == PC_OK)
            status = pc_run_record_arc(run, dense, t, l->options->record, l->err);
        *cut = changed || *stop || !only_told;
        if (!*cut) run->t = t_before;
        if (*cut && status == PC_OK) {
            status = note_instant(l, t, flight);
            if (status == PC_OK && !*stop) status = restart(l, i, last);
        }
        i = last;
    }
    return status;
}

/* A gap that was zero (balls in a row) and closes more slowly than the rounding of a step can tell leaves zero unseen.
 * Its contact then begins where the step ends, pressed by next to nothing. *moved: unchanged if there is none. */
static pc_status close_unseen(loop *l, bool *moved)
{
    pc_run *run = l->run;
    bool closed = false;
    for (int pair = 0; pair < run->scene->n_pairs; pair++) {
        if (!pc_pair_presses(run->scene, pair) || is_pressed(run, pair)) continue;
        if (pc_system_place_pair(&run->system, pair, run->t, run->y) != 0) return pc_run_stopped(run, l->err);
        pc_touch touch;
        pc_system_touch(&run->system, pair, &touch);
        if (run->scene->pairs[pair].thin || !touch.meets) continue;
        if (touch.gap + run->residual[pair] >= -PC_TOUCHING * run->scene->pairs[pair].length) continue;
        pc_status status = pc_run_close_pair(run, pair, l->err);
        if (status != PC_OK) return status;
        closed = true;
    }
    if (!closed) return PC_OK;
    *moved = false; /* what follows starts it */
    return restart(l, 0, 0);
}

/* What compliant contacts carry comes to rest between two instants: told once. */
static pc_status tell_pressed_rest(loop *l)
{
    const pc_run *run = l->run;
    if (run->compliant.n == 0) return PC_OK;
    const pc_event_record *events = run->events.data;
    if (run->events.used > 0 && events[run->events.used - 1].kind == PC_HAPPENS_REST) return PC_OK;
    if (!pc_stage_rests(&l->stage)) return PC_OK;
    return pc_run_tell(l->run, (pc_event_record){.kind = PC_HAPPENS_REST, .pair = -1}, l->err);
}

/* One step, and what compliant contacts do in it. */
static pc_status step(loop *l, double t_end, const pc_dense **dense, pc_stage_change *change)
{
    if (l->run->compliant.n == 0) {
        pc_status status = pc_stepper_step(&l->stepper, t_end, l->err);
        return status == PC_OK ? pc_stepper_dense(&l->stepper, dense, l->err) : status;
    }
    return pc_stage_step(&l->stage, t_end, dense, change, l->err);
}

static pc_status march(loop *l, double t_end)
{
    pc_run *run = l->run;
    const pc_run_options *options = l->options;
    pc_status status = watch_from_here(l, 0, 0);
    if (status == PC_OK) status = start(l);
    bool stop = false;
    for (long steps = 1; status == PC_OK && !stop && run->t < t_end; steps++) {
        if (pc_interrupted())
            return pc_fail_at(l->err, PC_E_INTERRUPTED, run->t, "", "interrupted at t = %.17g", run->t);
        if (options->progress && steps % 4096 == 0)
            options->progress(run->t, (long)run->hits.used, options->progress_context);
        const pc_dense *dense = NULL;
        pc_stage_change change = {.x = 2};
        bool cut = false;
        status = step(l, t_end, &dense, &change);
        if (status != PC_OK) return status;
        if (!nothing_near(l, dense)) status = events_of_step(l, dense, change.x, &cut, &stop);
        if (status != PC_OK) return status;
        if (!cut && change.x <= 1) {
            status = change_contact(l, dense, &change);
        } else if (!cut) {
            const pc_stepper *stepper = run->compliant.n > 0 ? &l->stage.stepper : &l->stepper;
            run->t = stepper->t;
            memcpy(run->y, stepper->y, (size_t)stepper->problem->n * sizeof *run->y);
            status = pc_run_record_arc(run, dense, run->t, options->record, l->err);
            bool moved = run->contacts.n > 0;
            if (status == PC_OK && moved) status = correct(run, l->err);
            if (status == PC_OK) status = close_unseen(l, &moved);
            if (status == PC_OK) status = tell_pressed_rest(l);
            if (status == PC_OK && moved) status = start(l);
        }
        if (status == PC_OK && options->max_impacts > 0 && (long)run->hits.used >= options->max_impacts) {
            run->stop = PC_RUN_LIMIT;
            return PC_OK;
        }
    }
    if (status == PC_OK) run->stop = stop ? PC_RUN_EVENT : PC_RUN_END;
    return status;
}

/* A compliant pair at the start: closed if it is compressed, approaches, or is pressed from rest. */
static pc_status begin_pressed(pc_run *run, int pair, pc_error *err)
{
    double rounding = PC_TOUCHING * run->scene->pairs[pair].length, v[2], a[2];
    if (pc_system_place(&run->system, run->t, run->y) != 0) return pc_run_stopped(run, err);
    pc_touch touch;
    pc_system_touch(&run->system, pair, &touch);
    if (!touch.meets || touch.gap > rounding) return PC_OK;
    pc_run_note_speed(run, pair);
    if (touch.gap < -rounding) return pc_run_close_pair(run, pair, err);
    pc_system_velocity(&run->system, pair, &touch, v);
    double small = pc_run_resolution(run, pair);
    if (v[PC_N] > small) return PC_OK;
    if (pc_contacts_accelerate(&run->contacts, &run->system, &run->block, run->a) != 0) return pc_run_stopped(run, err);
    pc_system_acceleration(&run->system, pair, &touch, run->a, a);
    return v[PC_N] < -small || a[PC_N] < 0 ? pc_run_close_pair(run, pair, err) : PC_OK;
}

/* What touches at the start, before anything has moved. */
static pc_status begin(loop *l)
{
    pc_run *run = l->run;
    pc_touching touching = {0};
    pc_status status = PC_OK;
    if (pc_system_place(&run->system, run->t, run->y) != 0) return pc_run_stopped(run, l->err);
    for (int pair = 0; pair < run->scene->n_pairs && status == PC_OK; pair++) {
        const pc_pair *p = &run->scene->pairs[pair];
        if (p->thin) run->system.face[pair] = (signed char)pc_system_outer_face(&run->system, pair);
        pc_run_note_face(run, pair);
        double gap = pc_system_gap(&run->system, pair);
        if (gap < -PC_TOUCHING * p->length && !pc_pair_presses(run->scene, pair))
            status = pc_fail_at(l->err, PC_E_ARGUMENT, run->t, "gap", "%s: the motion begins with a gap of %.6g m",
                                p->name, gap);
    }
    if (status == PC_OK) status = pc_run_add_touching(run, &(pc_touching){0}, &touching, l->err);
    run->energy0 = pc_run_energy(&run->system);
    if (status == PC_OK) status = touching.n > 0 ? settle(l, &touching, -1) : PC_OK;
    for (int pair = 0; pair < run->scene->n_pairs && status == PC_OK; pair++)
        if (pc_pair_presses(run->scene, pair)) status = begin_pressed(run, pair, l->err);
    if (status == PC_OK) run->energy0 += pc_compliant_stored(&run->compliant);
    if (status == PC_OK) status = pc_run_record_modes(run, l->err);
    run->begun = status == PC_OK;
    return status;
}

pc_status pc_run_open(pc_run *run, const pc_scene *scene, double t, const double *y, pc_error *err)
{
    size_t n = (size_t)scene->n_dof;
    *run = (pc_run){.scene = scene, .t0 = t, .t = t, .stop_event = -1};
    for (int i = 0; i < 5; i++) run->recent[i] = NAN;
    if (n == 0) return pc_fail(err, PC_E_ARGUMENT, "scene: nothing in it can move");
    run->room = 2 * scene->n_dof + pc_compliant_room(scene);
    run->y = pc_calloc(3 * (size_t)run->room, sizeof *run->y);
    run->spare = run->y + run->room;
    run->a = run->spare + run->room;
    if (!run->y) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d coordinates", scene->n_dof);
    memcpy(run->y, y, 2 * n * sizeof *y);
    memset(run->feature, -1, sizeof run->feature);
    pc_status status = pc_scene_check(scene, err);
    if (status == PC_OK) status = pc_system_open(&run->system, scene, err);
    if (status == PC_OK) status = pc_block_open(&run->block, scene, err);
    if (status != PC_OK) pc_run_close(run);
    return status;
}

void pc_run_close(pc_run *run)
{
    pc_pool *pools[] = {&run->arcs, &run->coefficients, &run->modes,  &run->pressed,
                        &run->hits, &run->presses,      &run->states, &run->events};
    for (int i = 0; i < 8; i++) {
        pc_free(pools[i]->data);
        *pools[i] = (pc_pool){0};
    }
    pc_system_close(&run->system);
    pc_block_close(&run->block);
    pc_free(run->y);
    run->y = NULL;
}

static void add_statistics(pc_ode_statistics *sum, const pc_ode_statistics *more)
{
    sum->steps += more->steps;
    sum->rejected += more->rejected;
    sum->rhs_calls += more->rhs_calls;
    sum->jacobians += more->jacobians;
    sum->factorizations += more->factorizations;
}

pc_status pc_run_advance(pc_run *run, const pc_run_options *options, double t, pc_error *err)
{
    pc_error own = {0};
    if (!isfinite(t) || t < run->t)
        return pc_fail(err, PC_E_ARGUMENT, "a motion goes on from t = %g, not to %g", run->t, t);
    loop l = {.run = run, .options = options, .err = err ? err : &own, .last = run->t};
    l.err->code = PC_OK;
    run->stop_event = -1;
    pc_run_restore_holds(run);
    pc_status status = open_loop(&l);
    if (pc_scene_presses(run->scene)) run->system.compliant = &run->compliant;
    if (status == PC_OK && !run->begun) status = begin(&l);
    if (status == PC_OK) status = march(&l, t);
    pc_error quiet = {0};
    if (status == PC_OK)
        status = pc_run_note_hits(run, l.err);
    else
        pc_run_note_hits(run, &quiet); /* as far as it got */
    if (l.stepper.method) {
        add_statistics(&run->statistics, &l.stepper.statistics);
        run->h_next = l.stepper.h_next;
    }
    pc_stage_leave(&l.stage);
    add_statistics(&run->statistics, &l.stage.statistics);
    close_loop(&l);
    memcpy(run->feature, run->system.feature, (size_t)run->scene->n_pairs);
    memcpy(run->face, run->system.face, (size_t)run->scene->n_pairs);
    if (status != PC_OK) run->stop = status == PC_E_INTERRUPTED ? PC_RUN_INTERRUPTED : PC_RUN_BROKEN;
    return status;
}
