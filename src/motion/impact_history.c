/* Compliant impacts of a run as whole records, worked out from the recorded arcs when they are asked for.
 *
 * The arcs know in which mode each closed contact was, and its rows hold impulses and works, so phases, their states,
 * and what belongs to compression (v_n < 0) and restitution are read off. Impulses at joints are integrals of the
 * reactions, by Gauss and Legendre's rule with six points (Abramowitz and Stegun, 25.4.30) on each half of an arc.
 * Forces that are smooth in u^(1/root) are so in time^(1/root) near the touch and the parting: there that is the
 * variable.
 */
#include "motion/run.h"
#include "motion/look.h"

#include "base/status.h"
#include "law/recorder.h"
#include "math/roots.h"

#include <math.h>
#include <string.h>

/* What rounding may add to a work. */
static const double ROUNDING = 1e-10;

typedef struct reading {
    pc_run *run;
    size_t impact;
    double t0, t1; /* of the contact, as far as it has got */
    double stop;   /* of the arc that is being read, of which the states below it are asked for */
    double stretch;
    pc_mobility W;
    const pc_compliant_contact *contact; /* in `look` */
    const pc_contact_values *now;
    const double *rows;
    pc_look look;
    pc_recorder recorder; /* in SI units, times since t0 */
    pc_error *err;
} reading;

/* Whether the stretch is nothing that the contact keeps, so that it is found as the integral of its rate: Mindlin's
 * element goes by the force, and a dashpot has no variable. */
static bool is_summed(const pc_contact *contact)
{
    const pc_tangential_kind kind = contact->p.tangential.kind;
    return kind == PC_TANGENTIAL_MINDLIN || kind == PC_TANGENTIAL_DASHPOT;
}

/* Look at t in the arc: forces, and the rates of the contact with them. */
static pc_status look(reading *r, double t)
{
    pc_status status = pc_run_look(r->run, t, t < r->stop ? 1 : -1, &r->look, r->err);
    if (status != PC_OK) return status;
    pc_compliant *c = r->look.compliant;
    pc_compliant_rates(c, &r->run->scratch.system.mechanics, r->look.a, NULL);
    for (int i = 0; i < c->n; i++) {
        if (c->contact[i].impact != r->impact) continue;
        r->contact = &c->contact[i];
        r->now = &c->now[i];
        r->rows = r->look.y + 2 * r->run->scene->n_dof + i * pc_compliant_rows(c);
        return PC_OK;
    }
    return pc_fail_at(r->err, PC_E_NUMERIC, t, "contact", "the contact is not closed at t = %.17g", t);
}

static pc_state state_now(const reading *r, double t)
{
    const pc_contact_values *m = r->now;
    const double *rows = r->rows;
    const pc_contact *contact = &r->contact->base;
    double work[3];
    pc_compliant_works(contact, m, rows, work);
    double stretch = contact->p.tangential.kind == PC_TANGENTIAL_RIGID ? 0 : is_summed(contact) ? r->stretch : m->q;
    return (pc_state){.t = t - r->t0,
                      .u = {stretch, m->u},
                      .v = {m->v_t, -m->w},
                      .F = {m->Ft, m->Fn},
                      .p = {rows[PC_ROW_PT], rows[PC_ROW_PN]},
                      .s = {m->slip},
                      .work_n = work[0],
                      .work_t = work[1],
                      .work_f = work[2]};
}

static pc_status open_reading(reading *r, pc_run *run, size_t impact, pc_impact *out, pc_error *err)
{
    const pc_impact_record *h = pc_run_impact_record(&run->history, impact);
    double stop = pc_run_impact_history(&run->history, impact)->stop;
    *r = (reading){
        .run = run, .impact = impact, .t0 = h->t, .t1 = isnan(stop) ? run->state.t : stop, .W = h->W, .err = err};
    r->recorder =
        (pc_recorder){.out = out, .d = 2, .time = 1, .force = 1, .impulse = 1, .work = 1, .way = 1, .err = err};
    pc_status status = pc_mobility_rank(&r->W, &r->W.rank, err);
    if (status != PC_OK) return status;
    size_t n;
    const pc_arc *arcs = pc_trajectory_arcs(&run->history.trajectory, &n);
    if (n > 0 && arcs[0].t <= r->t0 && r->t1 > r->t0) return PC_OK;
    return pc_fail(err, PC_E_ARGUMENT, "the motion was not recorded (record = false)");
}

static bool is_in(const pc_run *run, size_t which, size_t impact)
{
    const pc_arc_record *arc = (const pc_arc_record *)run->history.arcs.data + which;
    const pc_compliant_contact *compliant = (const pc_compliant_contact *)run->history.compliant.data + arc->compliant;
    for (size_t i = 0; i < arc->n_compliant; i++)
        if (compliant[i].impact == impact) return true;
    return false;
}

/* ---- integrals along half an arc ---- */

/* From `end`, where time^(1/root) is the variable, over a length h of either sign, if anything is an integral. joints:
 * NULL where there are none. */
static pc_status integrate(reading *r, double end, double h, int root, double *joints)
{
    const pc_run *run = r->run;
    if (!joints && !is_summed(&r->contact->base)) return PC_OK;
    for (int k = 0; k < PC_RUN_NODES; k++) {
        double share, s = (1 + pc_gauss(PC_RUN_NODES, k, &share)) / 2, part = pow(s, root);
        double weight = fabs(h) * share / 2 * root * (root > 1 ? pow(s, root - 1) : 1);
        pc_status status = look(r, end + h * part);
        if (status != PC_OK) return status;
        r->stretch += weight * r->now->creep;
        if (joints) pc_planar_add_reactions(&run->scratch.system, weight, joints);
    }
    return PC_OK;
}

/* ---- compression and restitution ---- */

static double closing_speed(double t, void *context)
{
    reading *r = context;
    return look(r, t) == PC_OK ? r->now->w : NAN;
}

/* w changes its sign between a and b. */
static pc_status turn(reading *r, double a, double wa, double b, double wb)
{
    double t = pc_root_between(closing_speed, r, a, wa, b, wb, 0);
    pc_status status = look(r, t);
    if (status == PC_OK) pc_recorder_turn(&r->recorder, t - r->t0, r->rows + PC_ROW_PT, r->rows[PC_ROW_WN]);
    return status;
}

static double tangential_force(double t, void *context)
{
    reading *r = context;
    return look(r, t) == PC_OK ? r->now->Ft : NAN;
}

/* ---- one record ---- */

static pc_status open_phase(reading *r, double t)
{
    const pc_contact *contact = &r->contact->base;
    pc_state start = state_now(r, t);
    return pc_recorder_open_phase(&r->recorder, contact->stuck ? PC_PHASE_STICK : PC_PHASE_SLIP,
                                  contact->stuck ? 0 : contact->sign, &start);
}

/* What happens from a to b, within one arc. */
static pc_status read_piece(reading *r, double a, double b, double *joints)
{
    r->stop = b;
    pc_status status = look(r, a);
    if (status == PC_OK) status = open_phase(r, a);
    if (status != PC_OK) return status;
    double wa = r->now->w, fa = r->now->Ft, middle = a + (b - a) / 2;
    int root = r->contact->base.p.root;
    if (a == r->t0) r->recorder.way = wa >= 0 ? 1 : -1;
    status = integrate(r, a, middle - a, root, joints);
    for (int half = 0; half < 2 && status == PC_OK; half++) {
        double from = half ? middle : a, to = half ? b : middle;
        if ((status = look(r, to)) != PC_OK) break;
        double wb = r->now->w, fb = r->now->Ft;
        if (fa * fb < 0)
            status =
                pc_recorder_reversal(&r->recorder, pc_root_between(tangential_force, r, from, fa, to, fb, 0) - r->t0);
        if (status == PC_OK && (r->recorder.way > 0 ? wb < 0 : wb > 0)) status = turn(r, from, wa, to, wb);
        wa = wb, fa = fb;
    }
    if (status == PC_OK) status = integrate(r, b, middle - b, root, joints);
    if (status == PC_OK) status = look(r, b);
    pc_impact *out = r->recorder.out;
    if (status == PC_OK) out->phases[out->n_phases - 1].stop = state_now(r, b);
    return status;
}

/* Rings stick one by one, so near the turn from slip to stick a step may find none that does, or one already: a phase
 * too short for them to tell, between two that are alike, is part of these. A contact takes two steps for each ring,
 * and its default tolerance 274 of them. */
static const double RESOLVED = 2e-3;

static void join_phases(pc_impact *out)
{
    const double resolved = RESOLVED * out->phases[out->n_phases - 1].stop.t;
    for (;;) {
        int shortest = 0;
        double least = resolved;
        for (int i = 1; i + 1 < out->n_phases; i++) {
            const pc_phase *before = &out->phases[i - 1], *here = before + 1, *after = here + 1;
            double lasts = here->stop.t - here->start.t;
            if (lasts >= least || before->kind != after->kind || before->sign != after->sign) continue;
            shortest = i;
            least = lasts;
        }
        if (shortest == 0) return;
        pc_phase *joined = &out->phases[shortest - 1];
        joined->stop = joined[2].stop;
        memmove(joined + 1, joined + 3, (size_t)(out->n_phases - shortest - 2) * sizeof *joined);
        out->n_phases -= 2;
    }
}

/* Slip that is left and jams. */
static void flag_jams(const reading *r, pc_impact *out)
{
    double mu = r->contact->base.p.tangential.mu;
    for (int i = 0; i < out->n_phases; i++)
        if (r->W.nn - mu * out->phases[i].sign * r->W.tn < 0) out->flags |= PC_FLAG_JAM;
}

/* A spring release comes after all arcs of the contact, and its record knows of it. */
static void end_in_release(const pc_impact_record *record, const pc_impact_history *history, pc_state *end,
                           pc_record_share *restitution)
{
    end->t = history->stop - record->t;
    end->u[PC_N] = 0;
    for (int i = 0; i < 2; i++) {
        restitution->impulse[i] += record->impulse[i] - end->p[i];
        end->p[i] = record->impulse[i];
        end->v[i] = record->v1[i];
    }
    restitution->work += history->work[0] - end->work_n;
    end->work_n = history->work[0];
    end->work_t = history->work[1];
}

static void finish(reading *r)
{
    pc_recorder *recorder = &r->recorder;
    pc_impact *out = recorder->out;
    const pc_tangential *e = &r->contact->base.p.tangential;
    if (e->kind == PC_TANGENTIAL_RINGS) join_phases(out);
    flag_jams(r, out);
    const pc_impact_record *record = pc_run_impact_record(&r->run->history, r->impact);
    const pc_impact_history *history = pc_run_impact_history(&r->run->history, r->impact);
    pc_recorder_settle(recorder, r->rows + PC_ROW_PT, r->rows[PC_ROW_WN]);
    bool over = !isnan(history->stop);
    if (over && r->contact->base.parting > 0)
        end_in_release(record, history, &out->phases[out->n_phases - 1].stop, &recorder->restitution);
    for (int i = 0; i < 2; i++) pc_recorder_force(recorder, i, history->peaks.force[i], history->peaks.time[i] - r->t0);
    memcpy(out->v0, record->v0, sizeof record->v0);
    out->energy0 = pc_mobility_energy(&r->W, out->v0);
    pc_recorder_finish(recorder);
    memcpy(out->v1, record->v1, sizeof record->v1);
    if (over)
        pc_recorder_judge(recorder, ROUNDING, fabs(out->work_n_compression), pc_tangential_may_gain(e));
    else
        out->duration = INFINITY;
}

pc_status pc_run_compliant_impact(pc_run *run, size_t impact, pc_impact *out, double *joints, pc_error *err)
{
    reading r;
    const pc_impact_record *h = pc_run_impact_record(&run->history, impact);
    const double *release = (const double *)run->history.states.data + h->states + 3 * run->scene->n_dof;
    memcpy(joints, release, pc_scene_reactions(run->scene) * sizeof *joints); /* zero, if it did not end in one */
    pc_status status = open_reading(&r, run, impact, out, err);
    size_t n;
    const pc_arc *arcs = pc_trajectory_arcs(&run->history.trajectory, &n);
    bool jointed = false;
    for (int m = 0; m < run->scene->n_members; m++) jointed |= run->scene->members[m].chain != NULL;
    for (size_t i = pc_trajectory_find(&run->history.trajectory, r.t0, 1);
         status == PC_OK && i < n && arcs[i].t < r.t1 && is_in(run, i, impact); i++) {
        if (pc_interrupted())
            return pc_fail_at(err, PC_E_INTERRUPTED, arcs[i].t, "phases", "interrupted while an impact was read");
        double a = fmax(arcs[i].t, r.t0), b = fmin(arcs[i].stop, r.t1);
        if (b > a) status = read_piece(&r, a, b, jointed ? joints : NULL);
    }
    if (status == PC_OK) finish(&r);
    return status;
}
