/* What a run keeps: see run.h. */
#include "motion/history.h"
#include "motion/ledger.h"
#include "motion/proximity.h"

#include <math.h>
#include <string.h>

const char *pc_event_kind_word(pc_event_kind kind)
{
    static const char *const words[PC_EVENT_KINDS] = {"impact",   "contact",  "accumulation", "stick", "slip",
                                                      "reversal", "lift_off", "jam",          "rest",  "user"};
    return words[kind];
}

pc_status pc_run_log(pc_run *run, pc_event_record event, pc_error *err)
{
    if (event.kind != PC_EVENT_ACCUMULATION) event.t = run->state.t;
    return pc_pool_append(&run->history.events, &event, 1, sizeof event, err);
}

pc_status pc_run_record_modes(pc_run *run, pc_error *err)
{
    const pc_contacts *c = &run->state.contacts;
    pc_run_history *h = &run->history;
    const pc_modes modes = {c->n, h->closed.used};
    pc_status status = PC_OK;
    for (int i = 0; i < c->n && status == PC_OK; i++) {
        pc_closed_pair closed = {c->pair[i], (signed char)c->mode[i], run->scratch.system.places.feature[c->pair[i]]};
        status = pc_pool_append(&h->closed, &closed, 1, sizeof closed, err);
    }
    return status == PC_OK ? pc_pool_append(&h->modes, &modes, 1, sizeof modes, err) : status;
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
                                      sizeof(pc_run_contact), err);
    if (status != PC_OK) return status;
    pc_run_contact *kept = (pc_run_contact *)history->compliant.data + arc->compliant;
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
    if (!pc_run_has_work(run->scene, &run->state.contacts)) return PC_OK;
    int got = pc_run_add_work(run, &run->state.contacts, &run->state.compliant, dense, pc_dense_place(dense, stop),
                              run->state.work);
    return got == 0 ? pc_run_check_friction(run, err) : pc_run_stopped(run, err);
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
