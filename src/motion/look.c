/* Looking at a recorded motion: see look.h. */
#include "motion/look.h"

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
    for (size_t i = 0; i < n; i++) run->scratch.system.places.feature[from[i].pair] = (signed char)from[i].feature;
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
    look->kinetic = pc_configuration_kinetic(look->at);
    look->potential = pc_configuration_potential(look->at);
    return PC_OK;
}

/* dense: of the arc that t lies in; NULL: now. */
static pc_status look_at(pc_run *run, double t, const pc_dense *dense, pc_look *look, pc_error *err)
{
    pc_planar *system = &run->scratch.system;
    look->compliant->past = dense;
    if (dense && pc_run_has_work(run->scene, look->contacts)) {
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
    look->work[3] += friction;
    return PC_OK;
}

pc_status pc_run_look(pc_run *run, double t, int side, pc_look *look, pc_error *err)
{
    int n = run->scene->n_dof;
    pc_error_clear(err);
    look->contacts = &run->scratch.looked;
    look->compliant = &run->scratch.looked_compliant;
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
    run->scratch.system.span = pc_breaks_span(&run->breaks, arc ? dense.t : run->state.t, 1);
    memcpy(look->work, arc ? arc->work : run->state.work, sizeof look->work);
    look->lost = arc ? arc->lost : run->state.lost;
    look->dissipated = arc ? arc->sprung : run->state.sprung;
    status = look_at(run, t, arc ? &dense : NULL, look, err);
    look->compliant->past = NULL;
    run->scratch.system.span = pc_breaks_span(&(pc_breaks){0}, run->state.t, 1);
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
    look->contacts->n = look->compliant->n = 0;
    memcpy(look->y, y, 2 * (size_t)run->scene->n_dof * sizeof *y);
    pc_planar_hold_none(&run->scratch.system);
    return look_around(run, t, look, err);
}
