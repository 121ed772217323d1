/* The loop of a run: see run.h. */
#include "motion/run.h"

#include "base/alloc.h"
#include "base/status.h"
#include "engine/phase.h"
#include "engine/separation.h"
#include "math/twin.h"
#include "scene/places.h"
#include "scene/guards.h"

#include <math.h>
#include <string.h>

/* Instants in a row without progress in time before it is made to go on, and before the run is given up. */
enum { PASS = 20, STALL = 200 };

/* Share of the tolerances for what is free between compliant contacts: impacts begin within its steps, where their
 * polynomials err several times more than at the ends, and steps without contact are cheap beside those in it. */
static const double FLIGHT = 0.1, TIGHTEST = 1e-13;

/* While it goes on: what it integrates with, what it watches, and its instants. */
typedef struct pc_loop {
    pc_run *run;
    const pc_run_options *options;
    pc_flight flight;
    pc_ode_problem problem;
    double *scale;          /* of its components, where joints lock some of them; NULL: there are no joints */
    pc_stepper stepper;     /* while no compliant contact is closed */
    bool stale;             /* it has yet to be started where the state is */
    pc_dense parabola;      /* the last arc that needed no stepper; c: NULL where all arcs need one */
    double parabola_end;    /* the time there */
    pc_contact_phase phase; /* while one is */
    pc_guards guards;
    pc_instant instant;
    pc_error *err;
    double t_end;
    pc_restarts restarts;
} pc_loop;

#define SETTING(member, ...) PC_ROW(pc_run_settings, member, #member, __VA_ARGS__)

static const pc_row rows[] = {
    SETTING(duration, .unit = PC_UNIT_S, .initial = PC_REQUIRED, .allowed = PC_NONNEGATIVE, .doc = "of the motion"),
    SETTING(start, .unit = PC_UNIT_S, .allowed = PC_ANY, .doc = "time at the start"),
    SETTING(max_impacts, .initial = 1000000, .allowed = PC_BETWEEN(1, 2e9),
            .doc = "the run stops there; a continued one after as many more"),
    SETTING(record, .initial = 1, .doc = "keep the motion between what happens"),
    SETTING(assemble, .doc = "put joints together that are open at the start: places by the least motion, each body "
                             "weighed by its mass, then velocities as an impact of the joints would change them; else "
                             "a joint that is open is an error"),
    SETTING(separate, .doc = "push rigid bodies apart that overlap at the start: by the least displacement, each body "
                             "weighed by its mass and its moment of inertia, until they touch; velocities stay as they "
                             "are, and joints closed; else an overlap is an error"),
};

const pc_schema pc_run_schema = {
    .name = "simulate",
    .summary = "How a scene is set in motion.",
    PC_ROWS(rows),
    .size = sizeof(pc_run_settings),
};

pc_status pc_run_stopped(const pc_run *run, pc_error *err)
{
    return pc_mechanics_stopped(run->state.t, err);
}

/* A few rates: calling the C library for them would take longer. */
static inline void copy(double *to, const double *from, int n)
{
    int i = 0;
    for (; i + 1 < n; i += 2) pc_twin_store(to + i, pc_twin_load(from + i));
    if (i < n) to[i] = from[i];
}

static int rhs(double t, const double *y, double *dydt, void *context)
{
    const pc_loop *l = context;
    pc_run *run = l->run;
    int n = run->scene->n_dof;
    copy(dydt, y + n, n);
    if (l->flight.direct && run->state.contacts.n == 0) {
        return pc_flight_accelerate(&l->flight, pc_span_clip(&run->scratch.system.now.within, t), y, dydt + n);
    }
    if (!pc_planar_make(&run->scratch.system, t, y)) return -1;
    return pc_run_accelerate(run, dydt + n);
}

/* ---- instants ---- */

static pc_status give_room(void *context, int lasting, pc_instant *it, pc_error *err)
{
    pc_run *run = ((pc_loop *)context)->run;
    pc_status status = pc_run_reserve(run, lasting, err);
    pc_run_contact_state(run);
    it->resolver.spare = run->scratch.spare;
    return status;
}

/* The arc of a step by impulses. */
static pc_status pass(void *context, const pc_dense *dense, double *work, pc_error *err)
{
    pc_loop *l = context;
    pc_run *run = l->run;
    const double *done = run->state.work, before = done[0] + done[1] + done[2];
    pc_status status = pc_run_record_modes(run, err);
    if (status == PC_OK) status = pc_run_record_arc(run, dense, run->state.t + dense->h, l->options->record, err);
    run->state.t += dense->h;
    *work = done[0] + done[1] + done[2] - before;
    return status;
}

/* The instant at the run's t and y. */
static pc_instant *now(pc_loop *l)
{
    pc_instant *it = &l->instant;
    pc_run_contact_state(l->run);
    it->last = l->restarts.last;
    it->stalls = l->restarts.stalls;
    return it;
}

static void open_instants(pc_loop *l)
{
    pc_run *run = l->run;
    l->instant = (pc_instant){.resolver = pc_run_resolver(run),
                              .changes = pc_run_changes(run),
                              .touching = &run->scratch.touching,
                              .gone = &run->scratch.gone,
                              .context = l,
                              .reserve = give_room,
                              .passed = pass,
                              .start = run->history.t0,
                              .end = l->t_end};
    now(l);
}

/* A gap of a closed contact that no error of a step explains, as a share of its lengths: that at the tolerance of the
 * method, or at the best. Where nothing controls the error of steps it explains any. */
static const double LOST = 1e-6, LOSE = 100;

static bool moves_by_function(const pc_scene *scene, int pair)
{
    int drive = pc_scene_pair_drive(scene, pair);
    return drive >= 0 && scene->drives[drive].motion;
}

/* What else than its forces may have opened a closed contact. */
static const char *suspect(const pc_scene *scene, int pair)
{
    return moves_by_function(scene, pair)
               ? "; where the motion of an obstacle has a corner, its time belongs into breaks"
               : "";
}

/* What was found as the zero of a gap is one, unless a function moves an obstacle by a jump; or another part of a thin
 * obstacle is the nearest from there on. */
static pc_status check_gap(const pc_loop *l, int pair)
{
    pc_run *run = l->run;
    const double t = run->state.t, near = 8 * pc_one_instant(t, 0);
    const pc_pair *p = &run->scene->pairs[pair];
    if (p->kind == PC_PAIR_GAP || !moves_by_function(run->scene, pair)) return PC_OK;
    const pc_configuration *at = pc_planar_make_pair(&run->scratch.system, pair, t, run->state.y);
    if (!at) return pc_run_stopped(run, l->err);
    double gap = pc_configuration_gap(at, &run->scratch.system.places, pair) + run->state.memory[pair].residual;
    if (fabs(gap) <= LOST * p->length) return PC_OK;
    pc_configuration *now = &run->scratch.system.now;
    pc_span before = now->within, after = now->within;
    before.to = fmin(before.to, t - near);
    after.from = fmax(after.from, t + near);
    pc_break_jump jump;
    if (pc_configuration_jump(now, t, &before, &after, &jump) < 0) return pc_run_stopped(run, l->err);
    if (!jump.name) return PC_OK;
    return pc_fail_at(l->err, PC_E_NUMERIC, t, "gap",
                      "%s: the gap jumps to %.3g m near t = %.17g: no place that a motion returns may jump", p->name,
                      gap, t);
}

/* A pair opens at this instant: then nothing else becomes of it. */
static bool opens(const pc_loop *l, int first, int last, int pair)
{
    for (int i = first; i < last; i++) {
        const pc_guard *w = &l->guards.guards[l->guards.locator.found[i].event];
        if (w->what == PC_GUARDS_NORMAL && w->pair == pair) return true;
    }
    return false;
}

/* What the events [first, last) found at the run's t and y bring. *changed: the motion starts afresh. */
static pc_status act(pc_loop *l, int first, int last, bool *changed, bool *stop)
{
    pc_run *run = l->run;
    pc_instant *it = now(l);
    pc_status status = PC_OK;
    pc_instant_open(it);
    for (int i = first; i < last && status == PC_OK; i++) {
        const pc_occurrence *o = &l->guards.locator.found[i];
        const pc_guard *w = &l->guards.guards[o->event];
        if (w->what != PC_GUARDS_USER) {
            *changed = true;
            const pc_fallen_guard fallen = {w->what, w->pair, w->sign, o->t, opens(l, first, last, w->pair)};
            if (w->what == PC_GUARDS_GAP) status = check_gap(l, w->pair);
            if (status == PC_OK) status = pc_instant_take(it, &fallen, l->err);
            continue;
        }
        const pc_event *event = &l->options->events[w->pair];
        status = pc_run_log(run, (pc_event_record){.kind = PC_EVENT_USER, .pair = w->pair}, l->err);
        int verdict = event->action && status == PC_OK ? event->action(o->t, run->state.y, event->context) : 0;
        if (verdict < 0) return pc_run_stopped(run, l->err);
        if (verdict == PC_ACTION_RESTART) *changed = it->jumped = true;
        if (event->terminal || verdict == PC_ACTION_STOP) {
            *stop = true;
            run->state.stop_event = w->pair;
        }
    }
    return status == PC_OK && *changed ? pc_instant_close(it, l->err) : status;
}

/* What touches at the start, before anything has moved. */
static pc_status begin(pc_loop *l)
{
    pc_run *run = l->run;
    const pc_scene *scene = run->scene;
    const pc_configuration *made = &run->scratch.system.now;
    const pc_span within = {made->within.from, fmin(made->within.to, l->t_end)};
    for (int i = 0; i < scene->n_drives; i++) {
        const char *name = pc_scene_drive_name(scene, i);
        pc_status checked = pc_drive_check(&scene->drives[i], name, made->time_scale, &within, l->err);
        if (checked != PC_OK) return checked;
    }
    const pc_configuration *at = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!at) return pc_run_stopped(run, l->err);
    run->state.energy0 = pc_configuration_energy(at);
    pc_status status = pc_instant_begin(now(l), l->err);
    if (status == PC_OK) run->state.energy0 += pc_compliant_stored(&run->state.compliant);
    if (status == PC_OK) status = pc_run_record_modes(run, l->err);
    run->state.begun = status == PC_OK;
    return status;
}

/* ---- integrators ---- */

static pc_peaks *peaks_of(void *history, size_t impact)
{
    return &pc_run_impact_history(history, impact)->peaks;
}

/* Of steps in which obstacles that move are watched. */
static double longest_step(const pc_loop *l)
{
    return pc_scene_longest_step(l->run->scene, l->options->time_scale);
}

static pc_status open_phase(pc_loop *l)
{
    pc_run *run = l->run;
    const pc_run_options *options = l->options;
    double scale = options->time_scale > 0 ? options->time_scale : INFINITY;
    const pc_contact_phase_options asked = {.peaks = peaks_of,
                                            .log = &run->history,
                                            .shortcut = {pc_flight_serves, pc_flight_accelerate_under, &l->flight},
                                            .method = options->contact,
                                            .settings =
                                                options->contact ? options->contact_settings : options->settings,
                                            .time_scale = fmin(scale, longest_step(l))};
    return pc_contact_phase_open(&l->phase, &run->state.contacts, &run->state.compliant, &run->scratch.system.mechanics,
                                 &run->scratch.block, &asked, l->err);
}

/* Where everything flies freely and the method only keeps to a tolerance, arcs are known in closed form. */
static pc_status open_parabola(pc_loop *l)
{
    const int n = 2 * l->run->scene->n_dof;
    if (!l->flight.parabolic || l->options->method->error_order == 0) return PC_OK;
    l->parabola = (pc_dense){.n = n, .degree = 2, .c = pc_calloc(3 * (size_t)n, sizeof(double))};
    return l->parabola.c ? PC_OK : pc_fail(l->err, PC_E_MEMORY, "not enough memory for an arc of %d coordinates", n);
}

static pc_status open_loop(pc_loop *l)
{
    const pc_run *run = l->run;
    open_instants(l);
    l->guards = (pc_guards){.planar = &l->run->scratch.system,
                            .scene = run->scene,
                            .instant = &l->instant,
                            .users = l->options->events,
                            .n_users = l->options->n_events,
                            .rtol = l->options->settings.rtol,
                            .err = l->err};
    pc_status status = pc_guards_open(&l->guards);
    if (status == PC_OK) status = pc_flight_open(&l->flight, run->scene, l->err);
    if (status == PC_OK) status = open_phase(l);
    if (status != PC_OK) return status;
    l->problem =
        (pc_ode_problem){.n = 2 * run->scene->n_dof, .rhs = rhs, .context = l, .time_scale = l->options->time_scale};
    pc_ode_settings settings = l->options->settings;
    if (pc_scene_compliant_pairs(run->scene)) {
        settings.rtol = fmax(FLIGHT * settings.rtol, fmin(settings.rtol, TIGHTEST));
        settings.atol *= FLIGHT;
    }
    settings.max_step = fmin(settings.max_step, longest_step(l));
    if (run->scene->n_joints > 0 && settings.atol > 0) {
        l->problem.scale = l->scale = pc_calloc(2 * (size_t)run->scene->n_dof, sizeof *l->scale);
        if (!l->scale) return pc_fail(l->err, PC_E_MEMORY, "not enough memory for the sizes of coordinates");
    }
    status = pc_stepper_open(&l->stepper, l->options->method, &l->problem, &settings, l->err);
    if (status != PC_OK) return status;
    if (run->state.h_next > 0 && l->options->method->error_order > 0) l->stepper.h_next = run->state.h_next;
    return open_parabola(l);
}

static void close_loop(pc_loop *l)
{
    pc_guards_close(&l->guards);
    pc_flight_close(&l->flight);
    pc_stepper_close(&l->stepper);
    pc_contact_phase_close(&l->phase);
    pc_free(l->scale);
    pc_free(l->parabola.c);
}

/* A disc on the side of a curve on which things do not move, where it would touch it in two places, may bounce there
 * but not stay: a contact that lasts follows one place. */
static pc_status refuse_cramped(const pc_loop *l)
{
    const pc_run_state *s = &l->run->state;
    const pc_scene *scene = l->run->scene;
    for (int i = 0; i < s->contacts.n + s->compliant.n; i++) {
        int pair = i < s->contacts.n ? s->contacts.pair[i] : s->compliant.contact[i - s->contacts.n].pair;
        if (!scene->pairs[pair].cramped) continue;
        const pc_configuration *now = pc_planar_make_pair(&l->run->scratch.system, pair, s->t, s->y);
        if (!now) return pc_run_stopped(l->run, l->err);
        bool behind = pc_configuration_height(now, pair) * scene->outlines[scene->pairs[pair].outline].curve.side < 0;
        if (behind && pc_configuration_is_before(now, pair)) return pc_scene_refuse_cramped(scene, pair, l->err);
    }
    return PC_OK;
}

/* Let the integrator of what comes begin at the run's t and y. */
static pc_status start(pc_loop *l)
{
    pc_status status = refuse_cramped(l);
    if (status != PC_OK) return status;
    if (l->run->state.compliant.n > 0)
        return pc_contact_phase_start(&l->phase, l->run->state.t, l->run->state.y, l->err);
    pc_contact_phase_leave(&l->phase);
    l->stale = l->parabola.c != NULL;
    if (l->stale) return PC_OK;
    if (l->scale) {
        const pc_planar *planar = &l->run->scratch.system;
        const pc_ode_settings *settings = &l->stepper.settings;
        if (!pc_planar_make(&l->run->scratch.system, l->run->state.t, l->run->state.y))
            return pc_run_stopped(l->run, l->err);
        pc_joints_sizes(&planar->joints, &planar->now, l->scale);
        for (int i = 0; i < l->problem.n; i++) l->scale[i] = 1 + settings->rtol / settings->atol * l->scale[i];
    }
    return pc_stepper_start(&l->stepper, l->run->state.t, l->run->state.y, l->err);
}

static pc_status restart(pc_loop *l, int first, int last)
{
    pc_run *run = l->run;
    now(l);
    pc_status status = pc_guards_watch(&l->guards, first, last);
    if (status == PC_OK) status = pc_run_record_modes(run, l->err);
    return status == PC_OK ? start(l) : status;
}

/* An instant at which something changed; a run in which time no longer goes on is given up. `flight`: the arc before it
 * says how long the next may be. */
static pc_status note_instant(pc_loop *l, double t, bool flight)
{
    pc_restarts_add(&l->restarts, t, flight ? &l->stepper : NULL);
    if (l->restarts.stalls >= PASS && l->run->state.compliant.n == 0) return pc_instant_pass(now(l), l->err);
    if (l->restarts.stalls < STALL) return PC_OK;
    return pc_fail_at(l->err, PC_E_NUMERIC, t, "contacts", "%d events in a row at t = %.17g", STALL, t);
}

/* The state is that at time t of an arc, which ends there. */
static pc_status end_arc(pc_loop *l, const pc_dense *dense, double t)
{
    pc_status status = pc_run_record_arc(l->run, dense, t, l->options->record, l->err);
    return status == PC_OK ? pc_run_carry_histories(l->run, l->err) : status;
}

/* Joints drift within the tolerances of the method: put them back. */
static pc_status put_joints_back(pc_loop *l)
{
    pc_run *run = l->run;
    int got = pc_mechanics_project(&run->scratch.system.mechanics, run->state.t, run->state.y);
    if (got < 0) return pc_run_stopped(run, l->err);
    if (got == 0) return PC_OK;
    return pc_fail_at(l->err, PC_E_NUMERIC, run->state.t, "joints",
                      got == 1 ? "the joints cannot be put together at t = %.17g: there is no such place nearby"
                               : "the joints let nothing move as their drives ask for at t = %.17g",
                      run->state.t);
}

/* A share of the lengths, or of the speeds, by which joints may be open at the start: what numbers that are typed in
 * leave, with ten digits. */
static const double OPEN = 1e-9;

static pc_status join(pc_loop *l)
{
    pc_run *run = l->run;
    pc_planar *planar = &run->scratch.system;
    double gap, share, *y = run->state.y, *u = y + run->scene->n_dof;
    const char *unit = "", *name = NULL;
    if (run->scene->n_joints == 0) return PC_OK;
    const pc_configuration *now = pc_planar_make(planar, run->state.t, y);
    if (!now) return pc_run_stopped(run, l->err);
    name = pc_joints_worst(&planar->joints, now, &gap, &unit, &share);
    if (name && share > OPEN && !l->options->assemble)
        return pc_fail_at(l->err, PC_E_ARGUMENT, run->state.t, "joints",
                          "%s is open by %.6g %s at the start; give places that fit, or assemble = true", name, gap,
                          unit);
    name = pc_joints_fastest(&planar->joints, now, u, &gap, &unit, &share);
    if (name && share > OPEN && !l->options->assemble)
        return pc_fail_at(l->err, PC_E_ARGUMENT, run->state.t, "joints",
                          "%s opens at %.6g %s at the start; give velocities that fit, or assemble = true", name, gap,
                          unit);
    return put_joints_back(l);
}

/* Put joints and closed contacts back, unless one is where its forces cannot have left it. At an instant velocities
 * have to be right where the bodies then are; within a motion it does that they were where the step left them. */
static pc_status correct(pc_loop *l, bool instant)
{
    pc_run *run = l->run;
    pc_status joined = put_joints_back(l);
    if (run->state.contacts.n == 0 || joined != PC_OK) return joined;
    bool controlled = l->options->method->error_order > 0;
    double share = controlled ? fmax(LOST, LOSE * l->options->settings.rtol) : INFINITY;
    const pc_configuration *at = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!at) return pc_run_stopped(run, l->err);
    for (int i = 0; i < run->state.contacts.n; i++) {
        const pc_pair *p = &run->scene->pairs[run->state.contacts.pair[i]];
        double gap = pc_configuration_gap(at, &run->scratch.system.places, run->state.contacts.pair[i]);
        if (fabs(gap) > share * p->length)
            return pc_fail_at(l->err, PC_E_NUMERIC, run->state.t, "gap",
                              "%s: a closed contact came to a gap of %.3g m at t = %.17g, which its forces should not "
                              "have let happen%s",
                              p->name, gap, run->state.t, suspect(run->scene, run->state.contacts.pair[i]));
    }
    pc_contacts_project(&run->state.contacts, &run->scratch.system.mechanics, &run->scratch.block, false, run->state.y);
    return instant ? pc_instant_correct(now(l), l->err) : PC_OK;
}

/* A compliant contact changes at the fraction x of a step. */
static pc_status change_contact(pc_loop *l, const pc_dense *dense, const pc_guard_fall *change)
{
    pc_run *run = l->run;
    double x = change->x, t = x == 1 ? dense->t + dense->h : dense->t + x * dense->h;
    run->state.t = t;
    pc_dense_eval(dense, x, run->state.y);
    pc_status status = end_arc(l, dense, t);
    if (status == PC_OK) status = correct(l, true);
    if (status == PC_OK) status = pc_changes_guard(&now(l)->changes, change->contact, change->guard, l->err);
    /* its force may jump, under which what lasts no longer does */
    if (status == PC_OK && run->state.contacts.n > 0) status = pc_instant_decide(now(l), false, l->err);
    if (status == PC_OK) status = note_instant(l, t, false);
    return status == PC_OK ? restart(l, 0, 0) : status;
}

/* Find what happens in a step. */
static pc_status find_events(pc_loop *l, const pc_dense *dense)
{
    pc_locator *locator = &l->guards.locator;
    locator->n_found = 0;
    if (l->run->scratch.system.mechanics.follows && l->run->scratch.block.grown > 1) pc_guards_blur(&l->guards);
    if (pc_guards_skip_idle(&l->guards, dense)) return PC_OK;
    locator->last = (l->run->state.compliant.n > 0 ? &l->phase.stepper : &l->stepper)->t == l->t_end;
    pc_status status = pc_locator_scan(locator, dense, l->err);
    return status == PC_OK ? pc_guards_leave_out(&l->guards, dense) : status;
}

/* What happens in a step, up to where a compliant contact changes. */
static pc_status events_of_step(pc_loop *l, const pc_dense *dense, double until, bool *cut, bool *stop)
{
    pc_run *run = l->run;
    pc_locator *locator = &l->guards.locator;
    pc_status status = PC_OK;
    for (int i = 0, last; i < locator->n_found && locator->found[i].x <= until && status == PC_OK && !*cut; i = last) {
        last = pc_locator_instant(locator, dense, i);
        double t = locator->found[i].t;
        bool changed = false, flight = run->state.compliant.n == 0;
        double t_before = run->state.t;
        run->state.t = t;
        pc_dense_eval(dense, locator->found[i].x, run->state.y);
        /* the arc belongs to the contacts of before */
        bool only_told = true;
        for (int k = i; k < last; k++) only_told &= l->guards.guards[locator->found[k].event].what == PC_GUARDS_USER;
        if (!only_told) status = end_arc(l, dense, t);
        now(l);
        if (status == PC_OK) status = pc_guards_keep_parts(&l->guards, i, last);
        if (status == PC_OK && !only_told) status = correct(l, true);
        if (status == PC_OK) status = act(l, i, last, &changed, stop);
        if (only_told && (changed || *stop) && status == PC_OK) status = end_arc(l, dense, t);
        *cut = changed || *stop || !only_told;
        if (!*cut) run->state.t = t_before;
        if (*cut && status == PC_OK) {
            status = note_instant(l, t, flight);
            bool passed = run->state.t > t; /* and what was found is over */
            if (status == PC_OK && !*stop) status = restart(l, passed ? 0 : i, passed ? 0 : last);
        }
    }
    return status;
}

/* A gap that was zero (balls in a row) and closes more slowly than the rounding of a step can tell leaves zero unseen.
 * Its contact then begins where the step ends, pressed by next to nothing. *moved: unchanged if there is none. */
static pc_status close_unseen(pc_loop *l, bool *moved)
{
    pc_run *run = l->run;
    bool closed = false;
    for (int pair = 0; pair < run->scene->n_pairs; pair++) {
        if (!pc_pair_acts_in_motion(run->scene, pair) || pc_compliant_has(&run->state.compliant, pair)) continue;
        if (run->scene->pairs[pair].thin) continue;
        const pc_configuration *at = pc_planar_make_pair(&run->scratch.system, pair, run->state.t, run->state.y);
        if (!at) return pc_run_stopped(run, l->err);
        pc_touch touch;
        pc_configuration_touch(at, &run->scratch.system.places, pair, &touch);
        double depth = -(touch.gap + run->state.memory[pair].residual), length = run->scene->pairs[pair].length;
        double far = fabs(touch.center[0][0]) + fabs(touch.center[0][1]); /* what coordinates round by */
        if (depth <= PC_TOUCHING * (length + far) || !pc_instant_may_begin(&l->instant, pair)) continue;
        pc_status status = pc_instant_close_late(now(l), pair, l->err);
        if (status != PC_OK) return status;
        closed = true;
    }
    if (!closed) return PC_OK;
    *moved = false; /* what follows starts it */
    return restart(l, 0, 0);
}

/* Friction of points that slip without an element between has only taken energy in the last step. That of others is
 * known when their contact is over. */
static pc_status check_slips(pc_loop *l)
{
    pc_run *run = l->run;
    const pc_stepper *s = &l->phase.stepper;
    const double *old = s->y_old + 2 * run->scene->n_dof + PC_ROW_WF, *now = s->y + 2 * run->scene->n_dof + PC_ROW_WF;
    const int each = pc_compliant_rows(&run->state.compliant);
    for (int i = 0; i < run->state.compliant.n; i++, old += each, now += each) {
        const pc_contact *contact = &run->state.compliant.contact[i].base;
        if (contact->stuck || contact->p.tangential.kind != PC_TANGENTIAL_RIGID) continue;
        pc_status status = pc_run_check_compliant(run, i, *now - *old, l->err);
        if (status != PC_OK) return status;
    }
    return PC_OK;
}

/* Held points that corners have set moving within the last step slip from its end on. *moved: unchanged if there are
 * none. */
static pc_status slip_jumped(pc_loop *l, bool *moved)
{
    bool any = false;
    for (int i = 0; i < l->run->state.compliant.n; i++) {
        double v_t = l->phase.node[PC_GUARD_PLACES - 1][i].v_t;
        if (!pc_compliant_has_jumped(&l->run->state.compliant.contact[i], v_t)) continue;
        pc_status status = pc_changes_let_slip(&now(l)->changes, i, 0, v_t, l->err);
        if (status != PC_OK) return status;
        any = true;
    }
    if (!any) return PC_OK;
    *moved = false; /* what follows starts it */
    return restart(l, 0, 0);
}

/* What compliant contacts carry comes to rest between two instants: told once. */
static pc_status log_rest(pc_loop *l)
{
    const pc_run *run = l->run;
    if (run->state.compliant.n == 0) return PC_OK;
    const pc_event_record *events = run->history.events.data;
    if (run->history.events.used > 0 && events[run->history.events.used - 1].kind == PC_EVENT_REST) return PC_OK;
    if (!pc_contact_phase_rests(&l->phase, run->state.t, run->state.y)) return PC_OK;
    return pc_run_log(l->run, (pc_event_record){.kind = PC_EVENT_REST, .pair = -1}, l->err);
}

/* The run has come to a break. What is closed is decided anew, as forces jump there, and what touches if the velocity
 * of an obstacle does; of what flies only the method starts afresh. */
static pc_status pass_break(pc_loop *l)
{
    pc_run *run = l->run;
    pc_configuration *at = &run->scratch.system.now;
    const pc_span before = at->within, after = pc_run_span(run, run->state.t);
    pc_break_jump jump;
    if (pc_configuration_jump(at, run->state.t, &before, &after, &jump) < 0) return pc_run_stopped(run, l->err);
    if (jump.name)
        return pc_fail_at(
            l->err, PC_E_ARGUMENT, run->state.t, "motion",
            "%s: the %s jumps by %.6g %s at t = %.10g s; at a break the velocity of an obstacle may jump, "
            "but no place, nor the velocity of a pivot",
            jump.name, strcmp(jump.unit, "m/s") == 0 ? "velocity of its pivot" : "place that it moves to", jump.by,
            jump.unit, run->state.t);
    at->within = after;
    l->stepper.h_next = 0;
    if (run->state.contacts.n == 0 && !jump.strikes) return start(l);
    pc_status status = pc_instant_decide(now(l), jump.strikes, l->err);
    return status == PC_OK ? restart(l, 0, 0) : status;
}

/* Go along parabolas as far as nothing happens, and to what happens there, with no error but rounding. False: forces of
 * contacts act, or something is watched that is not known in closed form. */
static bool fly(pc_loop *l, double t_end)
{
    pc_run *run = l->run;
    pc_dense *arc = &l->parabola;
    const int n = run->scene->n_dof;
    const double *y = run->state.y, *u = y + n;
    double *a = run->scratch.a, h, longest = l->options->settings.max_step;
    if (!arc->c || run->state.contacts.n + run->state.compliant.n > 0) return false;
    if (l->stepper.statistics.steps + l->stepper.statistics.rejected >= l->stepper.settings.max_steps) return false;
    if (t_end - run->state.t > longest) t_end = run->state.t + longest;
    if (pc_flight_accelerate(&l->flight, run->state.t, y, a) != 0 ||
        !pc_guards_foresee(&l->guards, run->state.t, y, a, t_end, &h, &l->parabola_end))
        return false;
    arc->t = run->state.t;
    arc->h = h;
    for (int i = 0; i < n; i++) {
        double *place = arc->c + 3 * i, *rate = place + 3 * n;
        place[0] = y[i];
        place[1] = y[i] + 0.5 * h * u[i];
        place[2] = y[i] + h * (u[i] + 0.5 * h * a[i]);
        rate[0] = u[i];
        rate[1] = u[i] + 0.5 * h * a[i];
        rate[2] = u[i] + h * a[i];
        if (!isfinite(place[2]) || !isfinite(rate[2])) return false;
    }
    l->stepper.statistics.steps++;
    l->stale = true;
    return true;
}

static bool is_finite(const pc_dense *dense)
{
    const int n = dense->n * (dense->degree + 1);
    for (int i = 0; i < n; i++)
        if (!isfinite(dense->c[i])) return false;
    return true;
}

/* Its polynomial asks for rates where none of its stages has, and there friction may jam: then the step is made again,
 * shorter, as one is in whose stages it jams. Steps that this makes too short end the run. */
static pc_status take_back(pc_loop *l)
{
    const pc_run *run = l->run;
    pc_stepper *stepper = &l->stepper;
    const double h = fabs(stepper->h);
    stepper->statistics.rejected++;
    if (l->options->method->error_order == 0)
        return pc_fail_at(l->err, PC_E_NUMERIC, run->state.t, "friction",
                          "friction finds no forces within the step from t = %.17g, which is as long as every other",
                          run->state.t);
    pc_status status = pc_stepper_start(stepper, run->state.t, run->state.y, l->err);
    stepper->h_next = 0.25 * h;
    return status;
}

/* One step, and what compliant contacts do in it; and what is found in it. Its polynomial, unless nothing needs it. */
static pc_status step(pc_loop *l, double t_end, const pc_dense **dense, pc_guard_fall *change)
{
    const pc_run *run = l->run;
    bool compliant = run->state.compliant.n > 0;
    pc_stepper *stepper = compliant ? &l->phase.stepper : &l->stepper;
    l->guards.locator.n_found = 0;
    if (fly(l, t_end)) {
        *dense = &l->parabola;
        return PC_OK;
    }
    if (!compliant && l->stale) {
        pc_status started = pc_stepper_start(stepper, run->state.t, run->state.y, l->err);
        if (started != PC_OK) return started;
        l->stale = false;
    }
    for (;;) {
        pc_status status = compliant ? pc_contact_phase_step(&l->phase, t_end, change, l->err)
                                     : pc_stepper_step(stepper, t_end, l->err);
        if (status != PC_OK) return status;
        bool needed = !compliant || change->x <= 1 || l->options->record ||
                      pc_run_has_work(run->scene, &run->state.contacts, &run->state.compliant) ||
                      !pc_guards_is_far(&l->guards, stepper);
        if (!needed) return PC_OK;
        status = pc_stepper_dense(stepper, dense, l->err);
        if (status != PC_OK) return status;
        if (compliant || !run->scratch.system.mechanics.follows || is_finite(*dense)) return find_events(l, *dense);
        status = take_back(l);
        if (status != PC_OK) return status;
    }
}

/* Not-a-number all over scratch, but for the places that pairs hold to: what hides state there does not get far. */
#ifndef NDEBUG
static void poison(pc_run *run)
{
    const pc_scene *scene = run->scene;
    pc_run_scratch *s = &run->scratch;
    memset(s->spare, 0xff, s->numbers * sizeof *s->spare);
    memset(s->a, 0xff, s->numbers * sizeof *s->a);
    memset(s->block.W, 0xff, (size_t)((char *)s->block.touch - (char *)s->block.W)); /* all of its numbers */
    s->block.n = 0; /* W has to be made from the beginning */
    memset(s->system.forces, 0xff, (size_t)scene->n_nodes * sizeof *s->system.forces);
    memset(s->system.answer, 0xff, (size_t)scene->n_dof * sizeof *s->system.answer);
    s->system.now.has = 0;
    memset(s->system.now.nodes, 0xff, (size_t)scene->n_nodes * sizeof *s->system.now.nodes);
    memset(s->system.now.pivots, 0xff, (size_t)scene->n_members * sizeof *s->system.now.pivots);
}
#endif

/* The state is that at the end of a step. */
static void take_end(pc_loop *l, const pc_dense *dense)
{
    pc_run *run = l->run;
    const pc_stepper *stepper = run->state.compliant.n > 0 ? &l->phase.stepper : &l->stepper;
    if (dense == &l->parabola) {
        run->state.t = l->parabola_end;
        pc_dense_eval(dense, 1, run->state.y);
    } else {
        run->state.t = stepper->t;
        memcpy(run->state.y, stepper->y, (size_t)stepper->problem->n * sizeof *run->state.y);
    }
}

/* No forces were found with which the friction of a joint is what its reaction makes of it. */
static pc_status tell_unbound(const pc_loop *l)
{
    const pc_run *run = l->run;
    const pc_block *block = &run->scratch.block;
    return pc_fail_at(
        l->err, PC_E_NUMERIC, run->state.t, "friction",
        "%s: friction jams near t = %.17g: it changes the reaction that bounds it by more than itself, and "
        "no forces are consistent; %s",
        run->scene->pairs[block->unbound - 1].name, run->state.t,
        pc_block_is_locked(block, block->unbound - 1)
            ? "the joint passes a dead centre, where neither force nor impulse of friction stops it: with "
              "less friction, or a smaller radius, it would go on"
            : "the joint is nearly locked there, or its friction too great");
}

/* Differences of a function of t have found a place where it is not smooth. */
static pc_status tell_torn(const pc_loop *l)
{
    const pc_configuration *at = &l->run->scratch.system.now;
    return pc_fail_at(l->err, PC_E_ARGUMENT, at->t, "motion",
                      "%s: its motion, or the speed of its surface, has a corner or a jump near t = %.10g s, where its "
                      "rates are found by differences; give that time in breaks, or a shorter time_scale",
                      pc_scene_drive_name(l->run->scene, at->torn - 1), at->t);
}

/* Steps have come to where its own reaction makes the friction of a joint grow beyond bounds. */
static pc_status pass_jam(pc_loop *l)
{
    pc_run *run = l->run;
    const int unbound = run->scratch.block.unbound;
    pc_instant *it = now(l);
    pc_error_clear(l->err);
    pc_instant_open(it);
    const pc_fallen_guard fallen = {.what = PC_GUARDS_JAM, .place = unbound - 1, .t = run->state.t};
    pc_status status = pc_instant_take(it, &fallen, l->err);
    if (status == PC_OK) status = pc_instant_close(it, l->err);
    if (status == PC_E_NUMERIC) run->scratch.block.unbound = unbound;
    l->stepper.h_next = 0; /* it had come to nothing */
    if (l->phase.open) l->phase.stepper.h_next = l->phase.response_time;
    if (status == PC_OK) status = note_instant(l, run->state.t, true);
    return status == PC_OK ? restart(l, 0, 0) : status;
}

static pc_status march(pc_loop *l, bool begins)
{
    pc_run *run = l->run;
    const pc_run_options *options = l->options;
    now(l);
    pc_status status = pc_guards_watch(&l->guards, 0, 0);
    l->guards.locator.begins = begins;
    if (status == PC_OK) status = start(l);
    bool stop = false;
    for (long steps = 1; status == PC_OK && !stop && run->state.t < l->t_end; steps++) {
#ifndef NDEBUG
        poison(run);
#endif
        if (pc_interrupted())
            return pc_fail_at(l->err, PC_E_INTERRUPTED, run->state.t, "", "interrupted at t = %.17g", run->state.t);
        if (options->progress && steps % 4096 == 0)
            options->progress(run->state.t, (long)run->history.impacts.used, options->progress_context);
        const pc_dense *dense = NULL;
        pc_guard_fall change = {.x = 2};
        bool cut = false;
        double t_end = pc_breaks_next(&run->breaks, run->state.t, l->t_end);
        t_end = pc_scene_next_break(run->scene, run->state.t, t_end);
        run->scratch.block.unbound = 0;
        status = step(l, t_end, &dense, &change);
        bool jams = status == PC_E_NUMERIC && run->scratch.block.unbound > 0;
        if (jams) {
            status = pass_jam(l);
            continue;
        }
        if (status != PC_OK) return status;
        if (l->guards.locator.n_found > 0) status = events_of_step(l, dense, change.x, &cut, &stop);
        if (status != PC_OK) return status;
        if (!cut && change.x <= 1) {
            status = change_contact(l, dense, &change);
        } else if (!cut) {
            take_end(l, dense);
            status = end_arc(l, dense, run->state.t);
            if (status == PC_OK) status = check_slips(l);
            if (run->state.compliant.n > 0) pc_contact_phase_adopt_rows(&l->phase, run->state.y);
            bool moved = run->state.contacts.n > 0 || run->scene->n_joints > 0;
            if (status == PC_OK && moved) status = correct(l, false);
            if (status == PC_OK) status = slip_jumped(l, &moved);
            if (status == PC_OK) status = close_unseen(l, &moved);
            if (status == PC_OK) status = log_rest(l);
            bool at_break = run->state.t == t_end && t_end < l->t_end;
            if (status == PC_OK && moved && !at_break) {
                status = start(l);
                jams = run->scratch.block.unbound > 0 &&
                       (status == PC_E_NUMERIC || (status == PC_OK && pc_contacts_run_away(&run->scratch.block)));
                if (jams) status = pass_jam(l);
            }
            if (status == PC_OK && at_break) status = pass_break(l);
        }
        if (status == PC_OK && options->max_impacts > 0 && (long)run->history.impacts.used >= options->max_impacts) {
            run->state.stop = PC_RUN_LIMIT;
            return PC_OK;
        }
    }
    if (status == PC_OK) run->state.stop = stop ? PC_RUN_EVENT : PC_RUN_END;
    return status;
}

pc_status pc_run_open(pc_run *run, const pc_scene *scene, double t, const double *y, pc_error *err)
{
    memset(run, 0, offsetof(pc_run, state));
    pc_status status = pc_run_state_open(&run->state, scene, t, y, err);
    if (status != PC_OK) return status;
    run->scene = scene;
    run->history.t0 = t;
    status =
        scene->n_dof > 0 ? pc_scene_check(scene, err) : pc_fail(err, PC_E_ARGUMENT, "scene: nothing in it can move");
    if (status == PC_OK) status = pc_planar_open(&run->scratch.system, scene, err);
    if (status == PC_OK) status = pc_block_open(&run->scratch.block, scene->n_dof, 0, err);
    if (status == PC_OK) status = pc_run_reserve(run, 1, err);
    if (status != PC_OK) pc_run_close(run);
    return status;
}

pc_status pc_run_reserve(pc_run *run, int touching, pc_error *err)
{
    pc_run_state *state = &run->state;
    pc_run_scratch *scratch = &run->scratch;
    const int each = run->scene->rolls ? 2 : 1; /* with couples that hold against rolling */
    int wanted = each * ((touching > state->contacts.n ? touching : state->contacts.n) + state->compliant.n),
        room = scratch->block.room, pairs = each * run->scene->n_pairs;
    if (wanted <= room && state->contacts.room >= (size_t)room) return PC_OK;
    const int compliant = pc_scene_compliant_pairs(run->scene);
    if (wanted > room) {
        room += room / 2; /* matrices grow as its square */
        if (room < wanted) room = wanted;
        if (room > pairs) room = pairs;
    }
    pc_status status = pc_run_state_reserve(state, room, compliant < room ? compliant : room, err);
    if (status == PC_OK) status = pc_contacts_reserve(&scratch->before, room, err);
    if (status == PC_OK) status = pc_contacts_reserve(&scratch->candidates, room, err);
    if (status == PC_OK) status = pc_impact_sequence_reserve(&scratch->sequence, room, err);
    const pc_column columns[] = {PC_COLUMN(scratch->spare), PC_COLUMN(scratch->a)};
    if (status == PC_OK && !pc_columns_reserve(columns, 2, &scratch->numbers, pc_run_state_room(state)))
        status = pc_fail(err, PC_E_MEMORY, "not enough memory for %zu coordinates", pc_run_state_room(state));
    return status == PC_OK ? pc_block_reserve(&scratch->block, room, err) : status; /* the last: it has the room */
}

void pc_run_close(pc_run *run)
{
    pc_run_history *h = &run->history;
    pc_pool *pools[] = {&h->arcs,   &h->modes, &h->closed, &h->compliant, &h->impacts, &h->impact_histories,
                        &h->states, &h->events};
    for (size_t i = 0; i < sizeof pools / sizeof *pools; i++) pc_pool_free(pools[i]);
    pc_trajectory_free(&h->trajectory);
    pc_run_state_close(&run->state);
    pc_planar_close(&run->scratch.system);
    pc_block_close(&run->scratch.block);
    pc_contacts *lists[] = {&run->scratch.before, &run->scratch.candidates, &run->scratch.looked};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) pc_contacts_close(lists[i]);
    pc_compliant_close(&run->scratch.looked_compliant);
    pc_impact_sequence_close(&run->scratch.sequence);
    pc_free(run->scratch.touching.at);
    pc_free(run->scratch.gone.at);
    pc_free(run->scratch.spare);
    run->scratch.spare = NULL;
}

/* Share of a motion over which functions of time are smooth where nothing else is said. */
static const double DIFFERENCES = 1.0 / 256;

pc_status pc_run_advance(pc_run *run, const pc_run_options *options, double t, pc_error *err)
{
    pc_error own = {0};
    if (!isfinite(t) || t < run->state.t)
        return pc_fail(err, PC_E_ARGUMENT, "a motion goes on from t = %g, not to %g", run->state.t, t);
    pc_loop l = {.run = run, .options = options, .err = err ? err : &own, .t_end = t, .restarts.last = run->state.t};
    pc_error_clear(l.err);
    run->state.stop_event = -1;
    run->rtol = options->settings.rtol;
    run->breaks = options->breaks;
    run->time_scale = options->time_scale;
    run->scratch.system.now.within = pc_run_span(run, run->state.t);
    run->scratch.system.places = pc_run_state_places(&run->state);
    if (options->time_scale > 0 && isfinite(options->time_scale))
        run->scratch.system.now.time_scale = options->time_scale;
    else if (t > run->history.t0)
        run->scratch.system.now.time_scale = DIFFERENCES * (t - run->history.t0);
    run->scratch.system.now.torn = 0;
    pc_status status = pc_run_reserve(run, 0, l.err);
    if (status == PC_OK) status = open_loop(&l);
    bool begins = !run->state.begun;
    if (status == PC_OK && begins) status = join(&l);
    if (status == PC_OK && begins && options->separate)
        status = pc_separate(&run->scratch.system.mechanics, run->state.t, run->state.y, l.err);
    if (status == PC_OK && begins) status = begin(&l);
    if (status == PC_OK) status = march(&l, begins);
    if (status == PC_E_NUMERIC && run->scratch.block.unbound > 0) status = tell_unbound(&l);
    if (status == PC_E_CALLBACK && run->scratch.system.now.torn > 0) status = tell_torn(&l);
    pc_error quiet = {0};
    if (status == PC_OK)
        status = pc_run_update_impacts(run, l.err);
    else
        pc_run_update_impacts(run, &quiet); /* as far as it got */
    if (l.stepper.method) {
        pc_ode_statistics_add(&run->history.statistics, &l.stepper.statistics);
        run->state.h_next = l.stepper.h_next;
    }
    pc_contact_phase_leave(&l.phase);
    pc_ode_statistics_add(&run->history.statistics, &l.phase.statistics);
    close_loop(&l);
    run->scratch.system.now.within = pc_breaks_span(&(pc_breaks){0}, run->state.t, 1);
    if (status != PC_OK) run->state.stop = status == PC_E_INTERRUPTED ? PC_RUN_INTERRUPTED : PC_RUN_BROKEN;
    return status;
}
