/* What a run keeps: see run.h. */
#include "motion/run_internal.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

const char *pc_event_kind_word(pc_event_kind kind)
{
    static const char *const words[PC_EVENT_KINDS] = {"impact",   "contact",  "accumulation", "stick", "slip",
                                                      "reversal", "lift_off", "jam",          "rest",  "user"};
    return words[kind];
}

pc_status pc_pool_grow(pc_pool *pool, size_t count, size_t size, pc_error *err)
{
    if (pool->used + count <= pool->room) return PC_OK;
    size_t room = pool->room ? pool->room : 16;
    while (room < pool->used + count) room *= 2;
    void *data = pc_realloc(pool->data, room, size);
    if (!data) return pc_fail(err, PC_E_MEMORY, "not enough memory to record the motion");
    pool->data = data;
    pool->room = room;
    return PC_OK;
}

pc_status pc_run_log(pc_run *run, pc_event_record event, pc_error *err)
{
    pc_status status = pc_pool_grow(&run->history.events, 1, sizeof event, err);
    if (status != PC_OK) return status;
    if (event.kind != PC_EVENT_ACCUMULATION) event.t = run->state.t;
    ((pc_event_record *)run->history.events.data)[run->history.events.used++] = event;
    return PC_OK;
}

pc_status pc_run_record_modes(pc_run *run, pc_error *err)
{
    pc_status status = pc_pool_grow(&run->history.modes, 1, sizeof(pc_modes), err);
    if (status != PC_OK) return status;
    const pc_contacts *c = &run->state.contacts;
    pc_modes modes = {.n = c->n};
    for (int i = 0; i < c->n; i++) {
        modes.pair[i] = c->pair[i];
        modes.mode[i] = (signed char)c->mode[i];
        modes.feature[i] = run->scratch.system.feature[c->pair[i]];
    }
    ((pc_modes *)run->history.modes.data)[run->history.modes.used++] = modes;
    return PC_OK;
}

void pc_run_restore_modes(pc_run *run, size_t index, pc_contacts *contacts)
{
    pc_run_release_features(run);
    const pc_modes *modes = (const pc_modes *)run->history.modes.data + index;
    contacts->n = modes->n;
    for (int i = 0; i < modes->n; i++) {
        contacts->pair[i] = modes->pair[i];
        contacts->mode[i] = modes->mode[i];
        run->scratch.system.feature[modes->pair[i]] = modes->feature[i];
    }
}

/* The closed compliant contacts: as the arc before has them unless something changed, which begins new modes. */
static pc_status record_pressed(pc_run *run, pc_smooth_arc *arc, pc_error *err)
{
    const pc_smooth_arc *last = (const pc_smooth_arc *)run->history.arcs.data + run->history.arcs.used;
    size_t n = (size_t)run->state.compliant.n;
    arc->n_pressed = n;
    if (run->history.arcs.used > 0 && last[-1].modes == arc->modes) {
        arc->pressed = last[-1].pressed;
        return PC_OK;
    }
    pc_status status = pc_pool_grow(&run->history.pressed, n, sizeof(pc_run_contact), err);
    if (status != PC_OK || n == 0) return status;
    arc->pressed = run->history.pressed.used;
    pc_run_contact *kept = (pc_run_contact *)run->history.pressed.data + arc->pressed;
    memcpy(kept, run->state.compliant.contact, n * sizeof *kept);
    for (size_t i = 0; i < n; i++) kept[i].press.rings = NULL; /* histories go on */
    run->history.pressed.used += n;
    return PC_OK;
}

pc_status pc_run_record_arc(pc_run *run, const pc_dense *dense, double stop, bool record, pc_error *err)
{
    if (record) {
        size_t count = (size_t)dense->n * (size_t)(dense->degree + 1);
        pc_status status = pc_pool_grow(&run->history.arcs, 1, sizeof(pc_smooth_arc), err);
        if (status == PC_OK) status = pc_pool_grow(&run->history.coefficients, count, sizeof(double), err);
        if (status != PC_OK) return status;
        pc_smooth_arc arc = {.t = dense->t,
                             .h = dense->h,
                             .stop = stop,
                             .degree = dense->degree,
                             .coefficients = run->history.coefficients.used,
                             .modes = run->history.modes.used - 1,
                             .lost = run->state.lost,
                             .sprung = run->state.sprung,
                             .n = dense->n};
        status = record_pressed(run, &arc, err);
        if (status != PC_OK) return status;
        memcpy(arc.work, run->state.work, sizeof arc.work);
        ((pc_smooth_arc *)run->history.arcs.data)[run->history.arcs.used++] = arc;
        memcpy((double *)run->history.coefficients.data + run->history.coefficients.used, dense->c,
               count * sizeof(double));
        run->history.coefficients.used += count;
    }
    if (!pc_run_has_work(run->scene, &run->state.contacts)) return PC_OK;
    double rubbed[PC_CLOSED] = {0};
    int got = pc_run_add_work(&run->scratch.system, &run->scratch.block, &run->state.contacts, dense,
                              pc_dense_place(dense, stop), run->scratch.spare, run->scratch.a, run->state.work, rubbed);
    return got == 0 ? pc_run_check_friction(run, rubbed, err) : pc_run_stopped(run, err);
}

const pc_smooth_arc *pc_run_at(const pc_run *run, double t, int side, double *y)
{
    const pc_smooth_arc *arcs = run->history.arcs.data;
    size_t n = run->history.arcs.used;
    if (n == 0 || !(t >= arcs[0].t && t <= run->state.t)) return NULL;
    size_t lo = 0, hi = n - 1; /* the first arc that ends after t, or at t before a jump */
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (arcs[middle].stop > t || (arcs[middle].stop == t && side < 0))
            hi = middle;
        else
            lo = middle + 1;
    }
    const pc_smooth_arc *arc = &arcs[lo];
    if (t == run->state.t && side >= 0) {
        memcpy(y, run->state.y, 2 * (size_t)run->scene->n_dof * sizeof *y);
        return arc;
    }
    pc_dense dense = {arc->t, arc->h, 2 * run->scene->n_dof, arc->degree,
                      (double *)run->history.coefficients.data + arc->coefficients};
    pc_dense_eval(&dense, pc_dense_place(&dense, t), y);
    return arc;
}
