/* What a run keeps: see run.h. */
#include "motion/run.h"

#include "math/roots.h"

#include <math.h>
#include <string.h>

const char *pc_event_kind_word(pc_event_kind kind)
{
    static const char *const words[PC_EVENT_KINDS] = {"impact",   "contact",  "accumulation", "stick", "slip",
                                                      "reversal", "lift_off", "jam",          "rest",  "user"};
    return words[kind];
}

/* ---- works along smooth arcs, by quadrature on the dense output ---- */

/* They are not part of the state, so that asking for them does not change the motion. Six points are exact for
 * polynomials of degree 11, beyond the order of any interpolant here. */
bool pc_run_has_work(const pc_scene *scene, const pc_contacts *contacts, const pc_compliant *compliant)
{
    if (scene->n_drives > 0 && contacts->n + compliant->n > 0) return true;
    for (int i = 0; i < contacts->n; i++)
        if (contacts->roll[i] != 0 || (contacts->mode[i] != 0 && scene->pairs[contacts->pair[i]].friction > 0))
            return true;
    if (scene->n_forces > 0) return true;
    for (int i = 0; i < scene->n_joints; i++) {
        const pc_scene_force *joint = &scene->joints[i].at;
        if (joint->kind->drives && joint->kind->drives(joint->params)) return true;
    }
    for (int m = 0; m < scene->n_members; m++) {
        const pc_chain *chain = scene->members[m].chain;
        if (scene->members[m].mechanism && scene->members[m].mechanism->has_force) return true;
        if (!chain) continue;
        if (chain->torque || pc_pivot_moves(&chain->pivot)) return true;
        for (int i = 0; i < chain->n; i++)
            if (chain->links[i].damping != 0 || chain->links[i].torque != 0) return true;
    }
    return false;
}

double pc_run_drive_power(const pc_configuration *now, int which, const pc_contacts *contacts,
                          const pc_compliant *compliant)
{
    const pc_scene *scene = now->scene;
    double sum = 0, power;
    if (scene->n_drives == 0) return 0;
    for (int i = 0; i < contacts->n; i++) {
        if (which >= 0 && pc_scene_pair_drive(scene, contacts->pair[i]) != which) continue;
        const double force[2] = {pc_contacts_force(contacts, scene->clings, i, PC_T),
                                 pc_contacts_force(contacts, scene->clings, i, PC_N)};
        if (pc_planar_drive_power(now, contacts->pair[i], &contacts->touch[i], force, &power)) sum += power;
    }
    for (int i = 0; i < compliant->n; i++) {
        const double force[2] = {compliant->now[i].Ft, compliant->now[i].Fn};
        int pair = compliant->contact[i].pair;
        if (which >= 0 && pc_scene_pair_drive(scene, pair) != which) continue;
        if (pc_planar_drive_power(now, pair, &compliant->touch[i], force, &power)) sum += power;
    }
    return sum;
}

/* Power of all works at a state; what the friction of each contact does in a time there joins `rubbed`. */
static int power_at(pc_run *run, pc_contacts *contacts, pc_compliant *compliant, double t, const double *y, double time,
                    double power[PC_WORKS])
{
    pc_planar *planar = &run->scratch.system;
    const pc_configuration *now = pc_planar_make(planar, t, y);
    if (!now) return -1;
    int got = pc_contacts_accelerate(contacts, compliant, &planar->mechanics, &run->scratch.block, run->scratch.a);
    if (got == 0) got = pc_planar_power(planar, power);
    power[PC_WORK_FRICTION] = 0;
    power[PC_WORK_DRIVES] = got == 0 ? pc_run_drive_power(now, -1, contacts, compliant) : 0;
    for (int i = 0; i < contacts->n && got == 0; i++) {
        double v[2];
        pc_configuration_velocity(now, contacts->pair[i], &contacts->touch[i], v);
        double rubbing = contacts->force[i][PC_T] * v[PC_T];
        if (contacts->roll[i] != 0) { /* its forces act ahead of where it touches */
            pc_touch turning = contacts->touch[i];
            turning.couple = turning.aside;
            pc_configuration_velocity(now, contacts->pair[i], &turning, v);
            rubbing += contacts->force[i][PC_N] * v[PC_T];
        }
        power[PC_WORK_FRICTION] += rubbing;
        contacts->rubbed[i] += time * rubbing;
    }
    return got;
}

int pc_run_add_work(pc_run *run, pc_contacts *contacts, pc_compliant *compliant, const pc_dense *dense, double x,
                    double work[PC_WORKS])
{
    double *y = run->scratch.spare;
    for (int i = 0; i < contacts->n; i++) contacts->rubbed[i] = 0;
    for (int k = 0; k < PC_RUN_NODES; k++) {
        double weight, place = 0.5 * x * (1 + pc_gauss(PC_RUN_NODES, k, &weight)), power[PC_WORKS];
        double time = 0.5 * x * dense->h * weight;
        pc_dense_eval(dense, place, y);
        int got = power_at(run, contacts, compliant, dense->t + place * dense->h, y, time, power);
        if (got != 0) return got;
        for (int i = 0; i < PC_WORKS; i++) work[i] += time * power[i];
    }
    return 0;
}

pc_status pc_run_force_work(pc_run *run, int force, double from, double to, double work[2], pc_error *err)
{
    pc_planar *planar = &run->scratch.system;
    double *y = run->scratch.spare;
    work[0] = work[1] = 0;
    pc_planar_hold_none(planar);
    for (size_t a = 0; a < run->history.arcs.used; a++) {
        const pc_arc *arc = (const pc_arc *)run->history.trajectory.arcs.data + a;
        double start = fmax(from, arc->t), stop = fmin(to, arc->stop), half = (stop - start) / 2;
        if (!(half > 0)) continue;
        pc_dense dense = pc_trajectory_dense(&run->history.trajectory, a);
        dense.n = 2 * run->scene->n_dof; /* without the rows of contacts */
        for (int k = 0; k < PC_RUN_NODES; k++) {
            double weight, t = start + half * (1 + pc_gauss(PC_RUN_NODES, k, &weight)), power[2];
            pc_dense_eval(&dense, pc_dense_place(&dense, t), y);
            const pc_configuration *now = pc_planar_make(planar, t, y);
            if (!now || pc_planar_force_power(now, force, power) != 0) return pc_run_stopped(run, err);
            for (int i = 0; i < 2; i++) work[i] += half * weight * power[i];
        }
    }
    return PC_OK;
}

/* What friction may give, by errors of steps, as a share of the tolerance of the method times the size of energies. */
static const double GIVEN = 100;

static pc_status gave(const pc_run *run, int pair, double work, double size, pc_error *err)
{
    return pc_fail_at(
        err, PC_E_NUMERIC, run->state.t, "friction",
        "%s: friction gave %.3g J of %.3g J to the motion at t = %.17g, where it can only take: no motion "
        "with this contact was found",
        run->scene->pairs[pair].name, work, size, run->state.t);
}

/* Size of the energies at the run's t and y: what moves, what has been turned into that or lost, and what the weight
 * does over the lengths of a pair. Infinite where a function of the user asks to stop, which the next step tells. */
static double energy_size(pc_run *run, int pair)
{
    const pc_scene *scene = run->scene;
    const pc_configuration *now = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    double mass = 0;
    if (!now) return INFINITY;
    for (int m = 0; m < scene->n_members; m++) {
        const pc_chain *chain = scene->members[m].chain;
        if (!chain) mass += scene->members[m].body.mass;
        for (int i = 0; chain && i < chain->n; i++) mass += chain->links[i].mass;
    }
    return pc_configuration_kinetic(now) + fabs(pc_configuration_potential(now) - run->state.energy0) +
           mass * fabs(scene->gravity) * scene->pairs[pair].length;
}

/* As pc_run_check_compliant, of the contacts that last, after pc_run_add_work. */
static pc_status check_friction(pc_run *run, pc_error *err)
{
    const double *rubbed = run->state.contacts.rubbed;
    for (int i = 0; i < run->state.contacts.n; i++) {
        bool rubs = run->state.contacts.mode[i] != 0 || run->state.contacts.roll[i] != 0;
        if (!rubs || !(rubbed[i] > 0)) continue;
        double size = energy_size(run, run->state.contacts.pair[i]);
        if (rubbed[i] > GIVEN * run->rtol * size) return gave(run, run->state.contacts.pair[i], rubbed[i], size, err);
    }
    return PC_OK;
}

pc_status pc_run_check_compliant(pc_run *run, int which, double work, pc_error *err)
{
    const pc_compliant_contact *c = &run->state.compliant.contact[which];
    bool may_give = c->base.p.tangential.kind == PC_TANGENTIAL_MINDLIN || pc_contact_has_rings(&c->base);
    double size = c->mass * c->speed * c->speed;
    if (may_give || !(work > GIVEN * run->rtol * size)) return PC_OK;
    size += energy_size(run, c->pair); /* gentle ones are known as well as the motion of which they are part */
    if (!(work > GIVEN * run->rtol * size)) return PC_OK;
    return gave(run, c->pair, work, size, err);
}

/* ---- records ---- */

pc_status pc_run_log(pc_run *run, pc_event_record event, pc_error *err)
{
    pc_pool *events = &run->history.events;
    pc_status status = pc_pool_grow(events, 1, sizeof event, err);
    if (status != PC_OK) return status;
    pc_event_record *next = (pc_event_record *)events->data + events->used++;
    *next = event;
    if (event.kind != PC_EVENT_ACCUMULATION) next->t = run->state.t;
    return PC_OK;
}

pc_status pc_run_record_modes(pc_run *run, pc_error *err)
{
    const pc_contacts *c = &run->state.contacts;
    pc_run_history *h = &run->history;
    const size_t first = h->closed.used;
    pc_status status = pc_pool_grow(&h->modes, 1, sizeof(pc_modes), err);
    for (int i = 0; i < c->n && status == PC_OK; i++) {
        pc_closed_pair closed = {.pair = c->pair[i],
                                 .feature = run->scratch.system.places.feature[c->pair[i]],
                                 .mode = (signed char)c->mode[i],
                                 .roll = (signed char)c->roll[i]};
        status = pc_pool_append(&h->closed, &closed, 1, sizeof closed, err);
    }
    if (status == PC_OK) ((pc_modes *)h->modes.data)[h->modes.used++] = (pc_modes){c->n, first};
    return status;
}

const pc_closed_pair *pc_run_closed(const pc_run *run, size_t index, int *n)
{
    const pc_modes *modes = (const pc_modes *)run->history.modes.data + index;
    *n = modes->n;
    return modes->n > 0 ? (const pc_closed_pair *)run->history.closed.data + modes->first : NULL;
}

void pc_run_restore_modes(pc_run *run, size_t index, pc_contacts *contacts)
{
    pc_planar_hold_none(&run->scratch.system);
    const pc_closed_pair *closed = pc_run_closed(run, index, &contacts->n);
    for (int i = 0; i < contacts->n; i++) {
        contacts->pair[i] = closed[i].pair;
        contacts->mode[i] = closed[i].mode;
        contacts->roll[i] = closed[i].roll;
        run->scratch.system.places.feature[closed[i].pair] = closed[i].feature;
    }
}

/* The closed compliant contacts: as the arc before has them unless something changed, which begins new modes. */
static pc_status record_compliant(pc_run *run, pc_arc_record *arc, pc_error *err)
{
    pc_run_history *history = &run->history;
    const pc_arc_record *last = (const pc_arc_record *)history->arcs.data + history->arcs.used;
    arc->n_compliant = (size_t)run->state.compliant.n;
    bool same = history->arcs.used > 0 && last[-1].modes == arc->modes;
    arc->compliant = same ? last[-1].compliant : history->compliant.used;
    if (same || arc->n_compliant == 0) return PC_OK;
    pc_status status = pc_pool_append(&history->compliant, run->state.compliant.contact, arc->n_compliant,
                                      sizeof(pc_compliant_contact), err);
    if (status != PC_OK) return status;
    pc_compliant_contact *kept = (pc_compliant_contact *)history->compliant.data + arc->compliant;
    for (size_t i = 0; i < arc->n_compliant; i++) kept[i].base.rings = NULL; /* histories go on */
    return PC_OK;
}

pc_status pc_run_record_arc(pc_run *run, const pc_dense *dense, double stop, bool record, pc_error *err)
{
    if (record) {
        pc_arc_record arc = {
            .modes = run->history.modes.used - 1, .lost = run->state.lost, .sprung = run->state.sprung};
        memcpy(arc.work, run->state.work, sizeof arc.work);
        pc_status status = pc_pool_grow(&run->history.arcs, 1, sizeof arc, err); /* both are added, or none */
        if (status == PC_OK) status = record_compliant(run, &arc, err);
        if (status == PC_OK) status = pc_trajectory_append(&run->history.trajectory, dense, stop, err);
        if (status == PC_OK) status = pc_pool_append(&run->history.arcs, &arc, 1, sizeof arc, err);
        if (status != PC_OK) return status;
    }
    if (!pc_run_has_work(run->scene, &run->state.contacts, &run->state.compliant)) return PC_OK;
    int got = pc_run_add_work(run, &run->state.contacts, &run->state.compliant, dense, pc_dense_place(dense, stop),
                              run->state.work);
    return got == 0 ? check_friction(run, err) : pc_run_stopped(run, err);
}

size_t pc_run_at(const pc_run *run, double t, int side, double *y)
{
    size_t n;
    const pc_arc *arcs = pc_trajectory_arcs(&run->history.trajectory, &n);
    int n_y = 2 * run->scene->n_dof;
    if (n == 0 || !(t >= arcs[0].t && t <= run->state.t)) return n;
    if (t < run->state.t || side < 0) return pc_trajectory_at(&run->history.trajectory, t, side, n_y, y);
    memcpy(y, run->state.y, (size_t)n_y * sizeof *y);
    return n - 1;
}

/* ---- impacts ---- */

pc_mobility pc_impact_record_mobility(const pc_impact_record *record, pc_turning *turning)
{
    pc_mobility W = record->W;
    *turning = (pc_turning){0};
    turning->cross[PC_T2][PC_T] = record->turning[0];
    turning->cross[PC_T2][PC_N] = record->turning[1];
    turning->own[PC_T2][PC_T2] = record->turning[2];
    turning->rate[PC_T2] = record->turning[3];
    if (record->turning[2] > 0) W.turning = turning;
    return W;
}
