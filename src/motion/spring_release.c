/* A compliant contact parts by a spring release: see pc_contact_release_springs.
 *
 * Its impulse is that of a force without bounds, so what contacts that last rigidly answer to it, and points that
 * friction holds, is in proportion to it, as long as their modes stay. For the motion it acts where it begins: its
 * impulses times the way that is left, a share 1e-9 of a contact's, is below what integration can tell. The record of
 * the impact tells of where it ends.
 */
#include "motion/contact_changes.h"
#include "motion/spring_release.h"

#include "base/alloc.h"

#include <math.h>

/* What a unit impulse along t and along n does: rows of n velocities, then those impulses in the joints. A force at the
 * contact tells, by what there is more than without it. */
static pc_status respond(pc_run *run, int which, double force, double *rows, int length, pc_error *err)
{
    pc_compliant *all = &run->state.compliant;
    const pc_touch touch = all->touch[which];
    const double push[3][2] = {{force, 0}, {0, force}, {0, 0}};
    int n = run->scene->n_dof;
    for (int i = 0; i < 3; i++) {
        const pc_acting more = {{1, &all->contact[which].pair, &touch}, push[i], NULL};
        double *a = rows + i * length, *joints = a + n;
        if (pc_contacts_accelerate_under(&run->state.contacts, all, &run->scratch.system.mechanics, &run->scratch.block,
                                         &more, a) != 0)
            return pc_run_stopped(run, err);
        for (int k = 0; k < run->scene->n_nodes; k++) {
            joints[2 * k] = run->scratch.system.forces[k].rx;
            joints[2 * k + 1] = run->scratch.system.forces[k].ry;
        }
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < length; k++) rows[i * length + k] = (rows[i * length + k] - rows[2 * length + k]) / force;
    return PC_OK;
}

/* The response is known, and so is all that is in `now`. How long it takes. */
static double give_back(pc_run *run, const pc_configuration *at, int which, const double *rows, int length)
{
    const pc_compliant_contact *c = &run->state.compliant.contact[which];
    const pc_impact_record *record = (const pc_impact_record *)run->history.impacts.data + c->impact;
    pc_impact_history *history = pc_run_impact_history(&run->history, c->impact);
    const pc_contact_values *m = &run->state.compliant.now[which];
    const pc_touch *touch = &run->state.compliant.touch[which];
    int n = run->scene->n_dof;
    double *mine = run->state.y + 2 * n + which * PC_ROWS, along[2], across[2];
    double *joints = (double *)run->history.states.data + record->states + 3 * n;
    pc_configuration_change(at, c->pair, touch, rows, across);
    pc_configuration_change(at, c->pair, touch, rows + length, along);
    pc_spring_release release;
    const double *p = release.impulse;
    /* what slides elsewhere answers unlike on both axes: work knows their mean */
    double tn = (along[PC_T] + across[PC_N]) / 2;
    pc_contact_release_springs(&c->base, m, &(pc_mobility){.tt = across[PC_T], .tn = tn, .nn = along[PC_N]}, &release);
    for (int k = 0; k < length; k++) {
        double jump = p[PC_T] * rows[k] + p[PC_N] * rows[length + k];
        *(k < n ? &run->state.y[n + k] : &joints[k - n]) += jump;
    }
    mine[PC_ROW_PT] += p[PC_T];
    mine[PC_ROW_PN] += p[PC_N];
    mine[PC_ROW_WT] += p[PC_T] * (m->v_t + (across[PC_T] * p[PC_T] + along[PC_T] * p[PC_N]) / 2);
    mine[PC_ROW_WN] += p[PC_N] * (-m->w + (across[PC_N] * p[PC_T] + along[PC_N] * p[PC_N]) / 2);
    if (release.unbounded) pc_peaks_note(&history->peaks, PC_N, INFINITY, run->state.t + release.duration);
    return release.duration;
}

pc_status pc_run_release_springs(pc_run *run, const pc_configuration **at, int which, double *duration, pc_error *err)
{
    pc_status status = pc_run_evaluate(run, at, err);
    double force = run->state.compliant.now[which].Fn;
    if (status != PC_OK || !(force > 0)) return status;
    double kinetic = pc_configuration_kinetic(*at);
    int length = run->scene->n_dof + 2 * run->scene->n_nodes;
    double *rows = pc_calloc(3 * (size_t)length, sizeof *rows), elements[2], friction;
    if (!rows) return pc_fail(err, PC_E_MEMORY, "not enough memory for the end of a contact");
    status = respond(run, which, force, rows, length, err);
    pc_compliant_work(&run->state.compliant, run->state.y + 2 * run->scene->n_dof, &elements[0], &friction);
    if (status == PC_OK) *duration = give_back(run, *at, which, rows, length);
    pc_free(rows);
    pc_compliant_work(&run->state.compliant, run->state.y + 2 * run->scene->n_dof, &elements[1], &friction);
    if (status == PC_OK) status = pc_run_evaluate(run, at, err);
    /* what slides elsewhere rubs meanwhile */
    if (status == PC_OK && run->state.contacts.n > 0)
        run->state.work[3] += pc_configuration_kinetic(*at) - kinetic - (elements[1] - elements[0]);
    return status;
}

pc_status pc_run_end_spring_release(pc_run *run, size_t which, double duration, pc_error *err)
{
    pc_impact_record *record = (pc_impact_record *)run->history.impacts.data + which;
    int n = run->scene->n_dof;
    double *u = (double *)run->history.states.data + record->states + 2 * n, *joints = u + n;
    double *q = joints + 2 * run->scene->n_nodes, a[2];
    pc_touch touch;
    const pc_configuration *at = pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!at) return pc_run_stopped(run, err);
    if (pc_run_accelerate(run, run->scratch.a) != 0) return pc_run_stopped(run, err);
    pc_configuration_touch(at, &run->scratch.system.places, record->pair, &touch);
    pc_configuration_acceleration(at, record->pair, &touch, run->scratch.a, a);
    for (int i = 0; i < n; i++) {
        q[i] += duration * u[i];
        u[i] += duration * run->scratch.a[i];
    }
    for (int i = 0; i < run->scene->n_nodes; i++) {
        joints[2 * i] += duration * run->scratch.system.forces[i].rx;
        joints[2 * i + 1] += duration * run->scratch.system.forces[i].ry;
    }
    for (int i = 0; i < 2; i++) record->v1[i] += duration * a[i];
    return PC_OK;
}
