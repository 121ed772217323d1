/* Looking at a recorded motion: see look.h. */
#include "motion/look.h"

#include "math/roots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The compliant contacts of an arc, or those of now. */
static void restore(const pc_run *run, const pc_arc_record *arc, pc_look *look)
{
    look->compliant->n = 0;
    look->compliant->given = NULL;
    const pc_compliant_contact *from = run->state.compliant.contact;
    size_t n = (size_t)run->state.compliant.n;
    if (arc) {
        n = arc->n_compliant;
        from = n > 0 ? (const pc_compliant_contact *)run->history.compliant.data + arc->compliant : NULL;
    }
    if (n > 0) memcpy(look->compliant->contact, from, n * sizeof *from);
    for (size_t i = 0; i < n; i++) run->scratch.system.places.feature[from[i].pair] = from[i].feature;
    look->compliant->n = (int)n;
}

/* Where everything is at t and the y of a look. */
static pc_status look_around(pc_run *run, double t, pc_look *look, pc_error *err)
{
    pc_planar *system = &run->scratch.system;
    look->at = pc_planar_make(system, t, look->y);
    if (!look->at) return pc_run_stopped(run, err);
    look->places = &system->places;
    look->forces = system->forces;
    look->joints = &system->joints;
    look->kinetic = pc_configuration_kinetic(look->at);
    look->potential = pc_configuration_potential(look->at);
    return pc_configuration_is_known(look->at) ? PC_OK : pc_run_stopped(run, err);
}

/* dense: of the arc that t lies in; NULL: now. */
static pc_status look_at(pc_run *run, double t, const pc_dense *dense, pc_look *look, pc_error *err)
{
    pc_planar *system = &run->scratch.system;
    look->compliant->past = dense;
    if (dense && pc_run_has_work(run->scene, look->contacts, look->compliant)) {
        double x = pc_dense_place(dense, t);
        if (pc_run_add_work(run, look->contacts, look->compliant, dense, x, look->work) != 0)
            return pc_run_stopped(run, err);
        pc_dense_eval(dense, x, look->y);
    }
    pc_status status = look_around(run, t, look, err);
    if (status != PC_OK) return status;
    if (pc_contacts_accelerate(look->contacts, look->compliant, &system->mechanics, &run->scratch.block, look->a) != 0)
        return pc_run_stopped(run, err);
    double elements, friction;
    pc_compliant_work(look->compliant, look->y + 2 * run->scene->n_dof, &elements, &friction);
    look->stored = pc_compliant_stored(look->compliant);
    look->dissipated = -(look->dissipated + elements) - look->stored;
    look->work[PC_WORK_FRICTION] += friction;
    return PC_OK;
}

pc_status pc_run_look(pc_run *run, double t, int side, pc_look *look, pc_error *err)
{
    int n = run->scene->n_dof;
    pc_error_clear(err);
    look->contacts = &run->scratch.looked;
    look->compliant = &run->scratch.looked_compliant;
    look->compliant->memory = run->state.compliant.memory;
    const pc_run_history *history = &run->history;
    size_t n_arcs = history->arcs.used, which = pc_run_at(run, t, side, run->scratch.spare);
    bool now =
        t == run->state.t && (side >= 0 || n_arcs == 0); /* where nothing has moved or been recorded, also before */
    if (!now && which == n_arcs)
        return pc_fail(err, PC_E_ARGUMENT,
                       n_arcs == 0 ? "the motion was not recorded (record = false)"
                                   : "t = %.10g s lies outside the motion, %.10g to %.10g s",
                       t, history->t0, run->state.t);
    const pc_arc_record *arc = now ? NULL : (const pc_arc_record *)history->arcs.data + which;
    int n_closed = run->state.contacts.n, n_compliant = run->state.compliant.n;
    if (arc) {
        pc_run_closed(run, arc->modes, &n_closed);
        n_compliant = (int)arc->n_compliant;
    }
    pc_status status = pc_contacts_reserve(look->contacts, n_closed + n_compliant, err);
    if (status == PC_OK) status = pc_compliant_reserve(look->compliant, n_compliant, err);
    if (status == PC_OK) status = pc_run_reserve(run, n_closed + n_compliant, err);
    if (status != PC_OK) return status;
    look->y = run->scratch.spare; /* has kept what it holds */
    look->a = run->scratch.a;
    pc_dense dense = {0};
    if (!now) dense = pc_trajectory_dense(&history->trajectory, which);
    if (now) {
        memcpy(look->y, run->state.y, pc_run_state_numbers(&run->state) * sizeof *run->state.y);
        pc_contacts_copy(look->contacts, &run->state.contacts);
        pc_planar_hold_none(&run->scratch.system);
        const pc_places *places = &run->scratch.system.places;
        for (int i = 0; i < run->scene->n_pairs; i++) {
            places->feature[i] = run->state.feature[i];
            /* the face that an open pair was last near says nothing about where it is now */
            if (places->feature[i] >= 0) places->face[i] = run->state.face[i];
        }
    } else {
        pc_run_restore_modes(run, arc->modes, look->contacts);
        if (dense.n > 2 * n) pc_dense_eval(&dense, pc_dense_place(&dense, t), look->y);
    }
    restore(run, arc, look);
    run->scratch.system.now.within = pc_run_span(run, arc ? dense.t : run->state.t);
    memcpy(look->work, arc ? arc->work : run->state.work, sizeof look->work);
    look->lost = arc ? arc->lost : run->state.lost;
    look->dissipated = arc ? arc->sprung : run->state.sprung;
    status = look_at(run, t, arc ? &dense : NULL, look, err);
    look->compliant->past = NULL;
    run->scratch.system.now.within = pc_breaks_span(&(pc_breaks){0}, run->state.t, 1);
    return status;
}

pc_status pc_run_look_state(pc_run *run, double t, const double *y, pc_look *look, pc_error *err)
{
    pc_error_clear(err);
    memset(look, 0, sizeof *look);
    look->y = run->scratch.spare;
    look->a = run->scratch.a;
    look->contacts = &run->scratch.looked;
    look->compliant = &run->scratch.looked_compliant;
    look->compliant->memory = run->state.compliant.memory;
    look->contacts->n = look->compliant->n = 0;
    memcpy(look->y, y, 2 * (size_t)run->scene->n_dof * sizeof *y);
    pc_planar_hold_none(&run->scratch.system);
    return look_around(run, t, look, err);
}

/* ---- works of drives ---- */

/* At impacts in (from, to]. */
static pc_status add_impacts(pc_run *run, int drive, double from, double to, double *work, pc_error *err)
{
    size_t n;
    pc_planar *system = &run->scratch.system;
    const pc_impact_record *records = pc_run_impacts(run, &n);
    const double *states = run->history.states.data;
    pc_planar_hold_none(system);
    for (size_t i = 0; i < n; i++) {
        const pc_impact_record *r = &records[i];
        pc_touch touch;
        double given;
        if (r->compliant || r->t <= from || r->t > to || pc_scene_pair_drive(run->scene, r->pair) != drive) continue;
        const pc_configuration *at = pc_planar_make(system, r->t, states + r->states);
        if (!at) return pc_run_stopped(run, err);
        pc_configuration_touch(at, &system->places, r->pair, &touch);
        if (pc_planar_drive_power(at, r->pair, &touch, r->impulse, &given)) *work += given;
    }
    return PC_OK;
}

pc_status pc_run_drive_work(pc_run *run, int drive, double from, double to, double *work, pc_error *err)
{
    size_t n;
    *work = 0;
    const pc_arc *arcs = pc_trajectory_arcs(&run->history.trajectory, &n);
    pc_status status = add_impacts(run, drive, from, to, work, err);
    for (size_t a = 0; a < n && status == PC_OK; a++) {
        double start = fmax(from, arcs[a].t), stop = fmin(to, arcs[a].stop), half = (stop - start) / 2, weight;
        const pc_arc_record *record = (const pc_arc_record *)run->history.arcs.data + a;
        int closed = (int)record->n_compliant;
        if (closed == 0) pc_run_closed(run, record->modes, &closed);
        if (!(half > 0) || closed == 0) continue;
        for (int k = 0; k < PC_RUN_NODES && status == PC_OK; k++) {
            pc_look look;
            double t = start + half * (1 + pc_gauss(PC_RUN_NODES, k, &weight));
            status = pc_run_look(run, t, 1, &look, err);
            if (status == PC_OK)
                *work += half * weight * pc_run_drive_power(look.at, drive, look.contacts, look.compliant);
        }
    }
    return status;
}

/* ---- columns ---- */

typedef struct layout {
    int n, room;
    pc_run_column *columns;
} layout;

/* The column of this name, which follows a prefix unless that is empty; number: behind it, 0: none. */
static void add(layout *l, pc_column_source from, int member, int k, const char *unit, const char *prefix,
                const char *name, int number)
{
    pc_run_column c = {.from = from, .member = member, .k = k, .unit = unit};
    int used = snprintf(c.name, sizeof c.name, "%.30s%s%.32s", prefix, prefix[0] ? "." : "", name);
    if (number > 0) snprintf(c.name + used, sizeof c.name - (size_t)used, "%d", number);
    if (l->n < l->room) l->columns[l->n] = c;
    l->n++;
}

/* The last of the energies, where obstacles are driven. */
enum { DRIVE_ENERGY = 10 };

int pc_run_columns(const pc_scene *scene, pc_run_column *columns, int room)
{
    layout all = {.room = room, .columns = columns}, *l = &all;
    static const char *const body_q[] = {"x", "y", "angle"}, *const body_u[] = {"vx", "vy", "rate"};
    static const char *const units_q[] = {"m", "m", "rad"}, *const units_u[] = {"m/s", "m/s", "rad/s"};
    static const char *const energies[] = {"kinetic",  "potential", "energy", "damped",     "torque", "pivot",
                                           "friction", "lost",      "stored", "dissipated", "drive"};
    for (int m = 0; m < scene->n_members; m++) {
        const pc_member *member = &scene->members[m];
        const char *prefix = pc_scene_tells(scene, m) ? member->name : "";
        if (member->mechanism) {
            const pc_mechanism_coordinate *c = member->mechanism->coordinates;
            for (int i = 0; i < member->n_dof; i++) add(l, PC_COLUMN_BODY_Q, m, i, c[i].unit, prefix, c[i].name, 0);
            for (int i = 0; i < member->n_dof; i++)
                add(l, PC_COLUMN_BODY_U, m, i, c[i].rate_unit, prefix, c[i].rate_name, 0);
        } else if (member->chain) {
            static const struct {
                pc_column_source from;
                const char *name, *unit;
            } kinds[] = {{PC_COLUMN_ANGLE, "angle", "rad"}, {PC_COLUMN_RATE, "rate", "rad/s"},
                         {PC_COLUMN_JOINT_X, "x", "m"},     {PC_COLUMN_JOINT_Y, "y", "m"},
                         {PC_COLUMN_REACTION_X, "Rx", "N"}, {PC_COLUMN_REACTION_Y, "Ry", "N"}};
            for (int f = 0; f < 6; f++)
                for (int i = 0; i < member->chain->n; i++)
                    add(l, kinds[f].from, m, i, kinds[f].unit, prefix, kinds[f].name, i + 1);
            for (int i = 0; i < 2 && member->chain->pivot.floats; i++) {
                static const char *const base_q[] = {"x0", "y0"}, *const base_u[] = {"vx0", "vy0"};
                add(l, PC_COLUMN_BODY_Q, m, member->chain->n + i, "m", prefix, base_q[i], 0);
                add(l, PC_COLUMN_BODY_U, m, member->chain->n + i, "m/s", prefix, base_u[i], 0);
            }
        } else {
            for (int i = 0; i < 3; i++) add(l, PC_COLUMN_BODY_Q, m, i, units_q[i], prefix, body_q[i], 0);
            for (int i = 0; i < 3; i++) add(l, PC_COLUMN_BODY_U, m, i, units_u[i], prefix, body_u[i], 0);
        }
    }
    for (int d = 0; d < scene->n_drives; d++) {
        if (pc_scene_drives_gaps(scene, d)) continue;
        const char *prefix = pc_scene_drive_name(scene, d);
        for (int i = 0; i < 3; i++) add(l, PC_COLUMN_DRIVE_PLACE, d, i, units_q[i], prefix, body_q[i], 0);
        for (int i = 0; i < 3; i++) add(l, PC_COLUMN_DRIVE_RATE, d, i, units_u[i], prefix, body_u[i], 0);
    }
    const int n_pairs = scene->n_pairs - scene->n_own;
    for (int p = 0; p < n_pairs; p++) {
        bool many = n_pairs > 1;
        add(l, PC_COLUMN_GAP, 0, p, "m", "", "gap", many ? p + 1 : 0);
        add(l, PC_COLUMN_FORCE_T, 0, p, "N", "", "F_t", many ? p + 1 : 0);
        add(l, PC_COLUMN_FORCE_N, 0, p, "N", "", "F_n", many ? p + 1 : 0);
    }
    for (int i = 0; i < scene->n_joints; i++) {
        static const char *const parts[] = {"Rx", "Ry", "M"}, *const units[] = {"N", "N", "N m"};
        const pc_scene_force *joint = &scene->joints[i].at;
        for (int k = 0; k < 3; k++)
            if (k < 2 || pc_joint_turns(joint->kind, joint->params))
                add(l, PC_COLUMN_JOINT_FORCE, i, k, units[k], joint->name, parts[k], 0);
    }
    for (int p = n_pairs; p < scene->n_pairs; p++) {
        const pc_pair *pair = &scene->pairs[p];
        const pc_scene_force *joint = &scene->joints[pair->joint].at;
        const bool angular = pc_joint_angular(joint->kind, joint->params), dry = pair->kind == PC_PAIR_DRY;
        if (!dry) add(l, PC_COLUMN_GAP, 0, p, angular ? "rad" : "m", pair->name, "gap", 0);
        add(l, dry ? PC_COLUMN_FORCE_T : PC_COLUMN_FORCE_N, 0, p, angular ? "N m" : "N", pair->name,
            angular ? "M" : "F", 0);
    }
    int n_energies = pc_scene_compliant_pairs(scene) ? 10 : 8; /* two belong to compliant contacts */
    for (int i = 0; i < n_energies; i++) add(l, PC_COLUMN_ENERGY, 0, i, "J", "", energies[i], 0);
    if (scene->n_drives > 0) add(l, PC_COLUMN_ENERGY, 0, DRIVE_ENERGY, "J", "", energies[DRIVE_ENERGY], 0);
    return l->n;
}

static double force_of(const pc_look *look, int pair, int component)
{
    int rigid = pc_contacts_find(look->contacts, pair);
    if (rigid >= 0) return pc_contacts_force(look->contacts, look->at->scene->clings, rigid, component);
    const pc_compliant *c = look->compliant;
    for (int i = 0; i < c->n; i++)
        if (c->contact[i].pair == pair) return component == PC_N ? c->now[i].Fn : c->now[i].Ft;
    return 0;
}

double pc_run_column_value(const pc_look *look, const pc_run_column *c)
{
    const pc_scene *scene = look->at->scene;
    if (c->from == PC_COLUMN_DRIVE_PLACE) return look->at->drives[c->member].state.place[c->k];
    if (c->from == PC_COLUMN_DRIVE_RATE) return look->at->drives[c->member].state.rate[c->k];
    if (c->from == PC_COLUMN_JOINT_FORCE) {
        const pc_wrench w = pc_joints_reaction(look->joints, scene, look->forces, c->member);
        return c->k == 0 ? w.fx : c->k == 1 ? w.fy : w.moment;
    }
    const pc_member *member = &scene->members[c->member];
    const pc_chain_node *nodes = look->at->nodes + member->node;
    const pc_chain_force *forces = look->forces + member->node;
    const double *q = look->y + member->first, *u = q + scene->n_dof;
    switch (c->from) {
    case PC_COLUMN_ANGLE:
    case PC_COLUMN_BODY_Q: return q[c->k];
    case PC_COLUMN_RATE:
    case PC_COLUMN_BODY_U: return u[c->k];
    case PC_COLUMN_JOINT_X: return nodes[c->k + 1].x;
    case PC_COLUMN_JOINT_Y: return nodes[c->k + 1].y;
    case PC_COLUMN_REACTION_X: return forces[c->k].rx;
    case PC_COLUMN_REACTION_Y: return forces[c->k].ry;
    case PC_COLUMN_GAP: return pc_configuration_gap(look->at, look->places, c->k);
    case PC_COLUMN_FORCE_T: return force_of(look, c->k, PC_T);
    case PC_COLUMN_FORCE_N: return force_of(look, c->k, PC_N);
    default: break;
    }
    const double *work = look->work;
    const double energies[] = {look->kinetic,
                               look->potential,
                               look->kinetic + look->potential + look->stored,
                               0 - work[PC_WORK_DAMPING],
                               work[PC_WORK_FORCES],
                               work[PC_WORK_PIVOTS],
                               0 - work[PC_WORK_FRICTION],
                               look->lost,
                               look->stored,
                               look->dissipated,
                               work[PC_WORK_DRIVES]};
    return energies[c->k];
}
