/* What a run tells of its contacts: impacts, whose impulses act on the state, compliant contacts, and events. */
#include "motion/run.h"

#include <math.h>
#include <string.h>

/* ---- impacts ---- */

/* All zero but what is given. Compilers clear a large struct by a string instruction that takes longer than all the
 * rest; parts of it they do not. */
static void begin_impact(pc_impact_record *r, double t, size_t states)
{
    r->t = t;
    r->pair = r->order = 0;
    r->W = (pc_mobility){0};
    for (int i = 0; i < 2; i++) r->v0[i] = r->v1[i] = r->impulse[i] = 0;
    for (int i = 0; i < 4; i++) r->turning[i] = 0;
    r->couple = r->energy0 = r->energy1 = r->driven = 0;
    r->outcome = PC_OUTCOME_REBOUND;
    r->flags = 0;
    r->n_phases = 0;
    r->rule = PC_RULE_SEQUENTIAL;
    r->compliant = false;
    r->history = 0;
    r->states = states;
}

/* Room for one more impact; its states begin as q, u, u, 0. */
static pc_status new_impact(pc_run *run, pc_impact_record **record, double **states, pc_error *err)
{
    int n = run->scene->n_dof;
    size_t count = 3 * (size_t)n + pc_scene_reactions(run->scene);
    pc_status status = pc_pool_grow(&run->history.impacts, 1, sizeof **record, err);
    if (status == PC_OK) status = pc_pool_grow(&run->history.states, count, sizeof **states, err);
    if (status != PC_OK) return status;
    *record = pc_run_impact_record(&run->history, run->history.impacts.used);
    *states = (double *)run->history.states.data + run->history.states.used;
    begin_impact(*record, run->state.t, run->history.states.used);
    memset(*states, 0, count * sizeof **states);
    memcpy(*states, run->state.y, 2 * (size_t)n * sizeof **states);
    return PC_OK;
}

/* What the joints passed on of the forces or impulses that were solved for last. */
static void reactions(void *context, double *out)
{
    const pc_run *run = context;
    memset(out, 0, pc_scene_reactions(run->scene) * sizeof *out);
    pc_planar_add_reactions(&run->scratch.system, 1, out);
}

/* Impulses p act on the state. v: see pc_carried_work. */
static pc_status finish(pc_run *run, const pc_contact_set *set, const double *p, const double v[2], double *states,
                        pc_impact_record *record, pc_error *err)
{
    int n = run->scene->n_dof;
    double *after = states + 2 * n, *joints = after + n;
    const double potential = pc_configuration_potential(&run->scratch.system.now);
    record->energy0 = pc_configuration_kinetic(&run->scratch.system.now) + potential;
    record->driven = pc_carried_work(&run->scratch.system.mechanics, set, p, v);
    pc_mechanics_jump(&run->scratch.system.mechanics, set, p, run->scratch.block.a);
    for (int i = 0; i < n; i++) after[i] = run->state.y[n + i] += run->scratch.block.a[i];
    reactions(run, joints);
    const pc_configuration *now = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!now) return pc_run_stopped(run, err);
    record->energy1 = pc_configuration_kinetic(now) + potential;
    run->state.lost += record->energy0 - record->energy1 + record->driven;
    run->state.work[PC_WORK_DRIVES] += record->driven;
    return PC_OK;
}

static pc_status keep(pc_run *run, const pc_impact_record *record, pc_error *err)
{
    run->history.states.used += 3 * (size_t)run->scene->n_dof + pc_scene_reactions(run->scene);
    return pc_run_log(
        run, (pc_event_record){.kind = PC_EVENT_IMPACT, .pair = record->pair, .impact = run->history.impacts.used++},
        err);
}

static pc_status record_single(void *context, const pc_single_impact *single, int order, pc_error *err)
{
    pc_run *run = context;
    const pc_impact *impact = &single->impact;
    pc_impact_record *record;
    double *states;
    pc_status status = new_impact(run, &record, &states, err);
    if (status != PC_OK) return status;
    record->pair = single->place;
    record->order = order;
    record->W = single->W;
    record->W.turning = NULL;
    if (single->W.turning) {
        const pc_turning *turning = &single->turning;
        const double kept[4] = {turning->cross[PC_T2][PC_T], turning->cross[PC_T2][PC_N], turning->own[PC_T2][PC_T2],
                                turning->rate[PC_T2]};
        memcpy(record->turning, kept, sizeof kept);
        record->couple = impact->couple[PC_T2];
    }
    for (int i = 0; i < 2; i++) {
        record->v0[i] = single->v0[i];
        record->v1[i] = impact->v1[i];
        record->impulse[i] = impact->impulse[i];
    }
    record->outcome = impact->outcome;
    record->flags = impact->flags | (single->tied ? PC_FLAG_ORDER_DEPENDENT : 0);
    record->n_phases = impact->n_phases;
    pc_struck struck;
    pc_contact_struck(&struck, single->place, &single->touch, impact);
    status = finish(run, &struck.set, struck.p, single->v0, states, record, err);
    return status == PC_OK ? keep(run, record, err) : status;
}

/* One record for each pair that got an impulse; the first carries the change of state. */
static pc_status record_joint(void *context, const pc_joint_impact *joint, pc_rule rule, int *order, pc_error *err)
{
    pc_run *run = context;
    int n = joint->n, side = 2 * n, n_dof = run->scene->n_dof;
    bool told = false;
    for (int i = 0; i < n; i++) {
        if (pc_joint_impact_is_couple(joint, i) || !(joint->p[2 * i + PC_N] > 0)) continue;
        pc_impact_record *record;
        double *states;
        pc_status status = new_impact(run, &record, &states, err);
        if (status != PC_OK) return status;
        const double *own = joint->block->W + 2 * i * side + 2 * i;
        record->pair = joint->place[i];
        record->order = (*order)++;
        record->rule = (int)rule;
        record->flags = pc_joint_impact_gains(joint) ? PC_FLAG_GAINED_ENERGY : 0;
        record->W = (pc_mobility){.tt = own[0], .tn = own[1], .nn = own[side + 1]};
        for (int k = n - joint->n_couples; k < n; k++)
            if (joint->of[k] == i) record->couple = joint->touch[k].couple * joint->p[2 * k + PC_T];
        for (int k = 0; k < 2; k++) {
            record->v0[k] = joint->v0[2 * i + k];
            record->v1[k] = joint->v1[2 * i + k];
            record->impulse[k] = joint->p[2 * i + k];
        }
        if (!told) {
            status = finish(run, &(pc_contact_set){n, joint->place, joint->touch}, joint->p, NULL, states, record, err);
            if (status != PC_OK) return status;
            told = true;
        } else { /* the state is that after all of them */
            memcpy(states + 2 * n_dof, run->state.y + n_dof, (size_t)n_dof * sizeof *states);
            record->energy0 = record->energy1 = pc_configuration_energy(&run->scratch.system.now);
        }
        status = keep(run, record, err);
        if (status != PC_OK) return status;
    }
    return PC_OK;
}

/* ---- events ---- */

static pc_status log_accumulation(void *context, int pair, double ratio, double end, pc_error *err)
{
    return pc_run_log(context, (pc_event_record){.t = end, .kind = PC_EVENT_ACCUMULATION, .pair = pair, .ratio = ratio},
                      err);
}

static pc_status log_jam(void *context, int pair, pc_error *err)
{
    return pc_run_log(context, (pc_event_record){.kind = PC_EVENT_JAM, .pair = pair}, err);
}

static const pc_event_kind kinds[] = {
    [PC_CHANGE_BEGIN] = PC_EVENT_BEGIN,       [PC_CHANGE_STICK] = PC_EVENT_STICK, [PC_CHANGE_SLIP] = PC_EVENT_SLIP,
    [PC_CHANGE_REVERSAL] = PC_EVENT_REVERSAL, [PC_CHANGE_END] = PC_EVENT_LIFT,    [PC_CHANGE_REST] = PC_EVENT_REST};

static pc_status log_change(void *context, int pair, pc_contact_change change, int mode, pc_error *err)
{
    return pc_run_log(context, (pc_event_record){.kind = kinds[change], .pair = pair, .mode = mode}, err);
}

static pc_impact_record *impact_of(pc_run *run, int which)
{
    return pc_run_impact_record(&run->history, run->state.compliant.contact[which].impact);
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

/* ---- records of compliant contacts ---- */

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
    const double *rows = run->state.y + 2 * n + which * pc_compliant_rows(&run->state.compliant);
    pc_impact_record *record = impact_of(run, which);
    double *u = ends_of(run, record), *q = u + n + pc_scene_reactions(run->scene), *work = history_of(run, which)->work;
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
    size_t count = 4 * (size_t)scene->n_dof + pc_scene_reactions(scene); /* the last: q in the end */
    pc_impact_record *record;
    double *states;
    pc_status status = new_impact(run, &record, &states, err); /* the pool may move: states is not used */
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

static void record_release(void *context, size_t impact, const pc_spring_release *release, const double *through)
{
    pc_run *run = context;
    const pc_impact_record *record = pc_run_impact_record(&run->history, impact);
    double *joints = ends_of(run, record) + run->scene->n_dof;
    for (size_t i = 0; i < pc_scene_reactions(run->scene); i++) joints[i] += through[i];
    pc_peaks *peaks = &pc_run_impact_history(&run->history, impact)->peaks;
    if (release->unbounded) pc_peaks_note(peaks, PC_N, INFINITY, run->state.t + release->duration);
}

static void record_released(void *context, size_t impact, double duration, const double *a, const double b[2])
{
    pc_run *run = context;
    pc_impact_record *record = pc_run_impact_record(&run->history, impact);
    int n = run->scene->n_dof;
    double *u = ends_of(run, record), *joints = u + n, *q = joints + pc_scene_reactions(run->scene);
    for (int i = 0; i < n; i++) {
        q[i] += duration * u[i];
        u[i] += duration * a[i];
    }
    pc_planar_add_reactions(&run->scratch.system, duration, joints);
    for (int i = 0; i < 2; i++) record->v1[i] += duration * b[i];
}

/* ---- the resolver ---- */

static double speed_by_now(void *context, int pair)
{
    pc_run *run = context;
    pc_pair_record_speed(&run->scratch.system.now, run->state.memory, pair);
    return pc_pair_speed_scale(run->scene, run->state.memory, pair);
}

pc_contact_state *pc_run_contact_state(pc_run *run)
{
    pc_run_state *state = &run->state;
    pc_run_scratch *scratch = &run->scratch;
    scratch->at = (pc_contact_state){.mechanics = &scratch->system.mechanics,
                                     .t = state->t,
                                     .y = state->y,
                                     .contacts = &state->contacts,
                                     .compliant = &state->compliant,
                                     .memory = state->memory,
                                     .a = scratch->a,
                                     .block = &scratch->block};
    return &scratch->at;
}

pc_resolver pc_run_resolver(pc_run *run)
{
    pc_run_state *state = &run->state;
    pc_run_scratch *scratch = &run->scratch;
    return (pc_resolver){.at = pc_run_contact_state(run),
                         .log = {run, record_single, record_joint, log_accumulation, speed_by_now, log_jam, log_change},
                         .rule = (pc_rule)run->scene->rule,
                         .rtol = run->rtol,
                         .v_rest = run->scene->v_rest,
                         .lost = &state->lost,
                         .driven = &state->work[PC_WORK_DRIVES],
                         .accumulation = &state->accumulation,
                         .spare = scratch->spare,
                         .before = &scratch->before,
                         .candidates = &scratch->candidates,
                         .sequence = &scratch->sequence};
}

pc_contact_changes pc_run_changes(pc_run *run)
{
    return (pc_contact_changes){.at = pc_run_contact_state(run),
                                .log = {.context = run,
                                        .open = open_record,
                                        .begin = begin_record,
                                        .change = tell_change,
                                        .end = end_record,
                                        .release = record_release,
                                        .released = record_released,
                                        .n_reactions = (int)pc_scene_reactions(run->scene),
                                        .reactions = reactions},
                                .permanent = run->scene->recovery == PC_RECOVERY_PERMANENT,
                                .friction = &run->state.work[PC_WORK_FRICTION],
                                .elements = &run->state.sprung};
}

pc_status pc_run_update_impacts(pc_run *run, pc_error *err)
{
    if (run->state.compliant.n == 0) return PC_OK;
    pc_contact_changes changes = pc_run_changes(run);
    pc_status status = pc_changes_evaluate(&changes, err);
    for (int i = 0; i < run->state.compliant.n && status == PC_OK; i++) update_record(run, i);
    return status;
}

pc_status pc_run_carry_histories(pc_run *run, pc_error *err)
{
    if (run->state.compliant.n == 0) return PC_OK;
    pc_contact_changes changes = pc_run_changes(run);
    bool changed = false;
    pc_status status = pc_changes_carry_histories(&changes, &changed, err);
    /* another phase in the arcs to come */
    return status == PC_OK && changed ? pc_run_record_modes(run, err) : status;
}
