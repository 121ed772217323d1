/* What a run keeps of its compliant contacts while they begin, change and end: see engine/contact_changes.h. */
#include "motion/contact_changes.h"
#include "motion/handover.h"
#include "motion/resolver.h"

#include <math.h>
#include <string.h>

/* A depth, as a share of the lengths in a gap, that rounding does not explain. */
static const double UNSEEN = 1e-10;

static pc_impact_record *impact_of(pc_run *run, int which)
{
    return (pc_impact_record *)run->history.impacts.data + run->state.compliant.contact[which].impact;
}

static pc_impact_history *history_of(pc_run *run, int which)
{
    return pc_run_impact_history(&run->history, run->state.compliant.contact[which].impact);
}

/* The states of a record, which begin as q, u; then u in the end, the impulses in joints, and q in the end. */
static double *ends_of(pc_run *run, const pc_impact_record *record)
{
    return (double *)run->history.states.data + record->states + 2 * run->scene->n_dof;
}

/* ---- records ---- */

/* One more phase, and it began with an event. */
static void count_phase(pc_run *run, int which)
{
    enum { BOTH = 3 };
    const pc_contact *contact = &run->state.compliant.contact[which].base;
    pc_impact_record *record = impact_of(run, which);
    pc_impact_history *history = history_of(run, which);
    record->n_phases++;
    if (!contact->stuck) history->slips |= contact->sign > 0 ? 1 : 2;
    if (history->slips == BOTH) record->flags |= PC_FLAG_REVERSE_SLIP;
}

/* What the contact has done up to now; its forces are known. */
static void update_record(pc_run *run, int which)
{
    const pc_contact_values *m = &run->state.compliant.now[which];
    int n = run->scene->n_dof;
    const double *rows = run->state.y + 2 * n + which * PC_ROWS;
    pc_impact_record *record = impact_of(run, which);
    double *u = ends_of(run, record), *q = u + n + 2 * run->scene->n_nodes, *work = history_of(run, which)->work;
    memcpy(u, run->state.y + n, (size_t)n * sizeof *u);
    memcpy(q, run->state.y, (size_t)n * sizeof *q);
    record->v1[PC_T] = m->v_t;
    record->v1[PC_N] = -m->w;
    record->impulse[PC_T] = rows[PC_ROW_PT];
    record->impulse[PC_N] = rows[PC_ROW_PN];
    pc_compliant_works(&run->state.compliant.contact[which].base, m, rows, work);
    record->energy1 = record->energy0 + (work[0] + work[1] + work[2]);
}

static pc_status tell(pc_run *run, int which, pc_event_kind kind, pc_error *err)
{
    const pc_compliant_contact *c = &run->state.compliant.contact[which];
    pc_event_record event = {
        .kind = kind, .pair = c->pair, .mode = c->base.stuck ? 0 : c->base.sign, .impact = c->impact};
    return pc_run_log(run, event, err);
}

static pc_status open_record(void *context, int pair, size_t *impact, pc_error *err)
{
    pc_run *run = context;
    const pc_scene *scene = run->scene;
    size_t count = 4 * (size_t)scene->n_dof + 2 * (size_t)scene->n_nodes; /* the last: q in the end */
    pc_impact_record *record;
    double *states;
    pc_status status = pc_run_new_impact(run, &record, &states, err); /* the pool may move: states is not used */
    if (status == PC_OK) status = pc_pool_grow(&run->history.states, count, sizeof(double), err);
    if (status == PC_OK) status = pc_pool_grow(&run->history.impact_histories, 1, sizeof(pc_impact_history), err);
    if (status != PC_OK) return status;
    run->history.states.used += count;
    record->pair = pair;
    record->compliant = true;
    record->history = run->history.impact_histories.used++;
    *pc_run_impact_history(&run->history, run->history.impacts.used) = (pc_impact_history){.stop = NAN};
    *impact = run->history.impacts.used++;
    return PC_OK;
}

static pc_status begin_record(void *context, int which, const double W[4], const double v[2], pc_error *err)
{
    pc_run *run = context;
    const pc_compliant *all = &run->state.compliant;
    pc_impact_record *record = impact_of(run, which);
    const double t = run->state.t;
    history_of(run, which)->peaks = (pc_peaks){{fabs(all->now[which].Ft), fmax(all->now[which].Fn, 0)}, {t, t}};
    record->W = (pc_mobility){.tt = W[0], .tn = 0.5 * (W[1] + W[2]), .nn = W[3]};
    memcpy(record->v0, v, sizeof record->v0);
    record->energy0 = pc_configuration_energy(&run->scratch.system.now) + pc_compliant_stored(all);
    update_record(run, which);
    count_phase(run, which);
    history_of(run, which)->begun = run->history.events.used;
    return tell(run, which, PC_EVENT_BEGIN, err);
}

static pc_status tell_change(void *context, int which, pc_contact_change change, pc_error *err)
{
    static const pc_event_kind kinds[] = {
        [PC_CHANGE_STICK] = PC_EVENT_STICK, [PC_CHANGE_SLIP] = PC_EVENT_SLIP, [PC_CHANGE_REVERSAL] = PC_EVENT_REVERSAL};
    count_phase(context, which);
    return tell(context, which, kinds[change], err);
}

static pc_status end_record(void *context, int which, double more, const double work[3], pc_error *err)
{
    pc_run *run = context;
    update_record(run, which);
    history_of(run, which)->stop = run->state.t + more;
    pc_status status = tell(run, which, PC_EVENT_LIFT, err);
    return status == PC_OK ? pc_run_check_compliant(run, which, work[2], err) : status;
}

/* ---- spring releases ---- */

static void reactions(void *context, double *out)
{
    pc_run_reactions(context, out);
}

static void record_release(void *context, size_t impact, const pc_spring_release *release, const double *through)
{
    pc_run *run = context;
    const pc_impact_record *record = (const pc_impact_record *)run->history.impacts.data + impact;
    double *joints = ends_of(run, record) + run->scene->n_dof;
    for (int i = 0; i < 2 * run->scene->n_nodes; i++) joints[i] += through[i];
    pc_peaks *peaks = &pc_run_impact_history(&run->history, impact)->peaks;
    if (release->unbounded) pc_peaks_note(peaks, PC_N, INFINITY, run->state.t + release->duration);
}

static void record_released(void *context, size_t impact, double duration, const double *a, const double b[2])
{
    pc_run *run = context;
    pc_impact_record *record = (pc_impact_record *)run->history.impacts.data + impact;
    int n = run->scene->n_dof;
    double *u = ends_of(run, record), *joints = u + n, *q = joints + 2 * run->scene->n_nodes;
    for (int i = 0; i < n; i++) {
        q[i] += duration * u[i];
        u[i] += duration * a[i];
    }
    for (int i = 0; i < run->scene->n_nodes; i++) {
        joints[2 * i] += duration * run->scratch.system.forces[i].rx;
        joints[2 * i + 1] += duration * run->scratch.system.forces[i].ry;
    }
    for (int i = 0; i < 2; i++) record->v1[i] += duration * b[i];
}

/* ---- parts of outlines ---- */

static int held_part(void *context, int pair)
{
    return ((const pc_run *)context)->state.feature[pair];
}

static bool is_off(void *context, int which)
{
    const pc_run *run = context;
    return pc_compliant_is_off(&run->scratch.system.now, &run->state, which);
}

static void leave_part(void *context, int pair)
{
    pc_run *run = context;
    if (!pc_compliant_keeps_side(run->scene, &run->state, pair)) run->state.feature[pair] = -1;
}

static bool hand_over(void *context, int which)
{
    pc_run *run = context;
    return pc_compliant_hand_over(&run->scratch.system.now, &run->state, which);
}

static const pc_place_parts parts = {held_part, is_off, leave_part, hand_over};

/* ---- changes ---- */

static pc_contact_changes changes_of(pc_run *run)
{
    pc_run_state *state = &run->state;
    pc_run_scratch *scratch = &run->scratch;
    return (pc_contact_changes){.mechanics = &scratch->system.mechanics,
                                .log = {.context = run,
                                        .open = open_record,
                                        .begin = begin_record,
                                        .change = tell_change,
                                        .end = end_record,
                                        .release = record_release,
                                        .released = record_released,
                                        .n_reactions = 2 * run->scene->n_nodes,
                                        .reactions = reactions},
                                .parts = &parts,
                                .permanent = run->scene->recovery == PC_RECOVERY_PERMANENT,
                                .t = state->t,
                                .y = state->y,
                                .friction = &state->work[3],
                                .elements = &state->sprung,
                                .contacts = &state->contacts,
                                .compliant = &state->compliant,
                                .memory = state->memory,
                                .a = scratch->a,
                                .block = &scratch->block};
}

pc_status pc_run_close_pair(pc_run *run, int pair, pc_error *err)
{
    pc_status status = pc_run_reserve(run, run->state.contacts.n + 1, err);
    if (status != PC_OK) return status;
    pc_contact_changes changes = changes_of(run);
    return pc_changes_close(&changes, pair, err);
}

pc_status pc_run_close_late(pc_run *run, int pair, pc_error *err)
{
    const pc_configuration *at = pc_planar_make_pair(&run->scratch.system, pair, run->state.t, run->state.y);
    if (!at) return pc_run_stopped(run, err);
    pc_compliant_hold_side(at, &run->state, pair);
    double gap = pc_configuration_gap(at, &run->scratch.system.places, pair);
    if (-(gap + run->state.memory[pair].residual) > UNSEEN * run->scene->pairs[pair].length)
        run->state.memory[pair].residual = -gap;
    return pc_run_close_pair(run, pair, err);
}

pc_status pc_run_change(pc_run *run, int which, int guard, pc_error *err)
{
    pc_contact_changes changes = changes_of(run);
    return pc_changes_guard(&changes, which, guard, err);
}

pc_status pc_run_stick_again(pc_run *run, pc_error *err)
{
    pc_contact_changes changes = changes_of(run);
    return pc_changes_jump(&changes, err);
}

pc_status pc_run_let_slip(pc_run *run, int which, double v_t, pc_error *err)
{
    pc_contact_changes changes = changes_of(run);
    return pc_changes_let_slip(&changes, which, v_t, err);
}

pc_status pc_run_update_impacts(pc_run *run, pc_error *err)
{
    if (run->state.compliant.n == 0) return PC_OK;
    pc_contact_changes changes = changes_of(run);
    pc_status status = pc_changes_evaluate(&changes, err);
    for (int i = 0; i < run->state.compliant.n && status == PC_OK; i++) update_record(run, i);
    return status;
}

pc_status pc_run_carry_histories(pc_run *run, pc_error *err)
{
    pc_contact_changes changes = changes_of(run);
    bool changed = false;
    pc_status status = pc_changes_carry_histories(&changes, &changed, err);
    /* another phase in the arcs to come */
    return status == PC_OK && changed ? pc_run_record_modes(run, err) : status;
}
