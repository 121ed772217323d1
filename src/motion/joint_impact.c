/* Impacts of several pairs at once, by complementarity: see impacts.h.
 *
 * Compression brings no pair closer; then each restitutes by the rule of its own law (Pfeiffer and Glocker 1996,
 * chapter 8, for Poisson's). Stronge's law knows the work of one contact only. Here all contacts of it give back E
 * times their impulse of compression and a factor, the same for all of them, with which the sum of their normal works
 * of restitution is that of E^2 times their works of compression. That is his law for a contact that slips one way, and
 * without friction it conserves energy for E = 1 whatever the contacts are. Works are those of impulses that grow in
 * proportion within a phase; friction may do positive ones then, where slip turns round, and the factor is the less
 * that no energy is created.
 */
#include "motion/impacts.h"
#include "motion/ledger.h"
#include "motion/proximity.h"

#include "law/driver.h"
#include "math/friction.h"
#include "math/roots.h"

#include <math.h>
#include <string.h>

/* What ever gentler impacts have left is rounding up to so many times that of one velocity. */
static const double LEFT = 1e3;

/* Works that differ by less than this share are the same, and energy below it is rounding: that of sums of a few dozen
 * terms after an elimination. */
static const double BALANCED = 1e-14, GAIN = 1e-12;

/* Velocities after impulses that hold each other round at that of the terms, which may be some times greater than any
 * velocity. */
static const double ROUNDING = 256 * DBL_EPSILON;

typedef struct joint_impact {
    int n, pair[PC_CLOSED];
    pc_touch touch[PC_CLOSED];
    pc_rubbing rub[PC_CLOSED];
    pc_joint_rule rule[PC_CLOSED];
    double v0[2 * PC_CLOSED], v1[2 * PC_CLOSED], p[2 * PC_CLOSED];
    double rounding;
} joint_impact;

static void meet(pc_run *run, int n, const int *pairs, joint_impact *joint)
{
    joint->n = n;
    joint->rounding = 0;
    for (int i = 0; i < n; i++) {
        joint->pair[i] = pairs[i];
        pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, pairs[i], &joint->touch[i]);
        pc_configuration_velocity(&run->scratch.system.now, pairs[i], &joint->touch[i], joint->v0 + 2 * i);
        joint->rub[i] = (pc_rubbing){.mu = run->scene->pairs[pairs[i]].friction};
        joint->rounding = fmax(joint->rounding, pc_run_resolution(run, pairs[i]));
    }
    pc_block_build(&run->scratch.block, &run->scratch.system, pairs, joint->touch, n);
}

static void add_change(const pc_block *block, int side, const double *p, const double *from, double *v)
{
    for (int i = 0; i < side; i++) {
        v[i] = from[i];
        for (int j = 0; j < side; j++) v[i] += block->W[i * side + j] * p[j];
    }
}

static bool solve(pc_run *run, const joint_impact *joint, const double *v, double rounding, double *p)
{
    pc_block *block = &run->scratch.block;
    return pc_friction_solve(joint->n, joint->rub, block->W, v, rounding, p, block->friction, block->index);
}

bool pc_run_joint_rule(const pc_run *run, int pair, double approach, pc_joint_rule *rule)
{
    const pc_pair *p = &run->scene->pairs[pair];
    return p->law->joint_rule && p->law->joint_rule(p->params, approach, rule) == 0;
}

/* Velocities after impulses p and then `back`, from vc. */
typedef struct restitution {
    pc_run *run;
    joint_impact *joint;
    const double *vc;
    double back[2 * PC_CLOSED];
    double rounding;          /* of velocities, after impulses as great as those of compression */
    double compression, loss; /* normal work that Stronge's law gives back; energy that compression took, J */
    bool conserves;           /* no other law that might create some */
} restitution;

/* Each pair gives back its part of the impulse, those by Stronge's law with a factor; more where it would be passed
 * through. Newton's law asks for a velocity instead. */
static bool give_back(restitution *r, double factor)
{
    joint_impact *joint = r->joint;
    int side = 2 * joint->n;
    double from[2 * PC_CLOSED];
    memcpy(from, r->vc, (size_t)side * sizeof *from);
    for (int i = 0; i < joint->n; i++) {
        const pc_joint_rule *rule = &joint->rule[i];
        double share = rule->e * fmax(joint->p[2 * i + PC_N], 0);
        bool newton = rule->kind == PC_JOINT_NEWTON;
        joint->rub[i].given = newton ? 0 : rule->kind == PC_JOINT_STRONGE ? factor * share : share;
        if (newton) from[2 * i + PC_N] -= rule->e * fmax(-joint->v0[2 * i + PC_N], 0);
    }
    if (!solve(r->run, joint, from, r->rounding, r->back)) return false;
    add_change(&r->run->scratch.block, side, r->back, r->vc, joint->v1);
    return true;
}

/* By how much the factor is too great: normal work in restitution, or energy that would be created. NaN: no impulses
 * were found. */
static double excess(double factor, void *context)
{
    restitution *r = context;
    const joint_impact *joint = r->joint;
    if (!give_back(r, factor)) return NAN;
    double work = 0, gain = 0;
    for (int i = 0; i < 2 * joint->n; i++) {
        double w = 0.5 * r->back[i] * (r->vc[i] + joint->v1[i]);
        gain += w;
        if (i % 2 == PC_N && joint->rule[i / 2].kind == PC_JOINT_STRONGE) work += w;
    }
    work -= r->compression;
    return r->conserves ? fmax(work, gain - r->loss) : work;
}

/* Without friction the factor is 1, unless pairs would be passed through. Where pairs hold each other by friction,
 * impulses can grow and do no work: then it is 1 as well. */
static bool balance_works(restitution *r)
{
    enum { DOUBLINGS = 20 };
    double low = 0, high = 1, below = -r->compression, above = excess(high, r);
    for (int i = 0; above < -BALANCED * r->compression && i < DOUBLINGS; i++) {
        low = high;
        below = above;
        above = excess(high *= 2, r);
    }
    if (!(above >= -BALANCED * r->compression)) return give_back(r, 1);
    if (above <= BALANCED * r->compression) return true;
    double factor = pc_root_between(excess, r, low, below, high, above, 0);
    return !isnan(factor) && !isnan(excess(factor, r));
}

/* Where friction holds bodies against the velocities that Newton's law asks for (a disc wedged into a V), it restitutes
 * as Poisson's does. False: no pair has it. */
static bool ask_for_impulses(joint_impact *joint)
{
    bool any = false;
    for (int i = 0; i < joint->n; i++) {
        any |= joint->rule[i].kind == PC_JOINT_NEWTON;
        joint->rule[i].kind = PC_JOINT_POISSON;
    }
    return any;
}

/* After compression by p: by the rules of the pairs, or none at all. */
static bool restitute(pc_run *run, joint_impact *joint)
{
    int side = 2 * joint->n;
    double vc[2 * PC_CLOSED] = {0};
    add_change(&run->scratch.block, side, joint->p, joint->v0, vc);
    restitution r = {.run = run, .joint = joint, .vc = vc, .rounding = joint->rounding, .conserves = true};
    for (int i = 0; i < side * side; i++)
        r.rounding = fmax(r.rounding, ROUNDING * fabs(run->scratch.block.W[i] * joint->p[i % side]));
    for (int i = 0; i < side; i++) {
        double w = 0.5 * joint->p[i] * (joint->v0[i] + vc[i]);
        const pc_joint_rule *rule = &joint->rule[i / 2];
        r.loss -= w;
        r.conserves &= rule->kind == PC_JOINT_STRONGE;
        if (i % 2 == PC_N && rule->kind == PC_JOINT_STRONGE) r.compression -= rule->e * rule->e * w;
    }
    if (!(r.compression > 0 ? balance_works(&r) : give_back(&r, 1))) {
        if (!ask_for_impulses(joint) || !give_back(&r, 1)) return false;
    }
    for (int i = 0; i < side; i++) joint->p[i] += r.back[i];
    return true;
}

/* Energy that was created, beyond rounding. */
static bool gains(const joint_impact *joint)
{
    double change = 0, size = 0;
    for (int i = 0; i < 2 * joint->n; i++) {
        change += 0.5 * joint->p[i] * (joint->v0[i] + joint->v1[i]);
        size += fabs(joint->p[i] * joint->v0[i]);
    }
    return change > GAIN * size;
}

/* One record for each pair that got an impulse; the first carries the change of state. */
static pc_status record(pc_run *run, const joint_impact *joint, pc_rule rule, int *order, pc_error *err)
{
    int n = joint->n, side = 2 * n, n_dof = run->scene->n_dof;
    bool told = false;
    for (int i = 0; i < n; i++) {
        if (!(joint->p[2 * i + PC_N] > 0)) continue;
        pc_impact_record *hit;
        double *states;
        pc_status status = pc_run_new_impact(run, &hit, &states, err);
        if (status != PC_OK) return status;
        const double *own = run->scratch.block.W + 2 * i * side + 2 * i;
        hit->pair = joint->pair[i];
        hit->order = (*order)++;
        hit->rule = (int)rule;
        hit->flags = gains(joint) ? PC_FLAG_GAINED_ENERGY : 0;
        hit->W = (pc_mobility){.tt = own[0], .tn = own[1], .nn = own[side + 1]};
        for (int k = 0; k < 2; k++) {
            hit->v0[k] = joint->v0[2 * i + k];
            hit->v1[k] = joint->v1[2 * i + k];
            hit->impulse[k] = joint->p[2 * i + k];
        }
        if (!told) {
            pc_system_unload(&run->scratch.system);
            for (int j = 0; j < n; j++)
                pc_system_push(&run->scratch.system, joint->pair[j], &joint->touch[j], joint->p + 2 * j);
            status = pc_run_finish_impact(run, states, hit, err);
            if (status != PC_OK) return status;
            told = true;
        } else { /* the state is that after all of them */
            memcpy(states + 2 * n_dof, run->state.y + n_dof, (size_t)n_dof * sizeof *states);
            hit->energy0 = hit->energy1 = pc_run_energy(&run->scratch.system);
        }
        status = pc_run_keep_impact(run, hit, err);
        if (status != PC_OK) return status;
    }
    return PC_OK;
}

pc_status pc_run_unsolved(const pc_run *run, int n, pc_error *err)
{
    return pc_fail_at(err, PC_E_NUMERIC, run->state.t, "impulse",
                      "no impulses solve the simultaneous impact of %d contacts at t = %.17g", n, run->state.t);
}

pc_status pc_run_joint_impact(pc_run *run, int n, const int *pairs, pc_rule rule, int *order, bool *found,
                              pc_error *err)
{
    joint_impact joint;
    meet(run, n, pairs, &joint);
    *found = true;
    for (int i = 0; i < n; i++)
        *found &= pc_run_joint_rule(run, pairs[i], fmax(-joint.v0[2 * i + PC_N], 0), &joint.rule[i]);
    *found = *found && solve(run, &joint, joint.v0, joint.rounding, joint.p) && restitute(run, &joint);
    return *found ? record(run, &joint, rule, order, err) : PC_OK;
}

pc_status pc_run_joint_compliant_impact(pc_run *run, int n, const int *pairs, int *order, bool *found, pc_error *err)
{
    joint_impact joint;
    pc_drive_contact contacts[PC_CLOSED];
    pc_drive_summary end[PC_CLOSED];
    pc_error own = {0};
    meet(run, n, pairs, &joint);
    for (int i = 0; i < n; i++) {
        const pc_pair *p = &run->scene->pairs[pairs[i]];
        contacts[i] = (pc_drive_contact){p->law->element, p->params};
    }
    pc_drive_task task = {
        .k = n, .contacts = contacts, .W = run->scratch.block.W, .v0 = joint.v0, .tolerance = PC_DRIVE_TOLERANCE};
    pc_status status = pc_drive(&task, end, NULL, NULL, &own);
    *found = status == PC_OK;
    if (status == PC_E_NUMERIC || status == PC_E_UNSUPPORTED || status == PC_E_ARGUMENT) return PC_OK;
    if (status != PC_OK) {
        *err = own;
        return status;
    }
    for (int i = 0; i < 2 * n; i++) {
        joint.p[i] = end[i / 2].p[i % 2];
        joint.v1[i] = end[i / 2].v[i % 2];
    }
    return record(run, &joint, PC_RULE_TIED, order, err);
}

pc_status pc_run_joint_plastic_impact(pc_run *run, int n, const int *pairs, int *order, pc_error *err)
{
    joint_impact joint;
    meet(run, n, pairs, &joint);
    joint.rounding *= LEFT;
    for (int i = 0; i < n; i++) joint.rule[i] = (pc_joint_rule){PC_JOINT_POISSON, 0};
    if (!solve(run, &joint, joint.v0, joint.rounding, joint.p) || !restitute(run, &joint))
        return pc_run_unsolved(run, n, err);
    return record(run, &joint, PC_RULE_SIMULTANEOUS, order, err);
}

static void keep_loaded(pc_contacts *c, const double *p)
{
    int kept = 0;
    for (int i = 0; i < c->n; i++) {
        if (!(p[2 * i + PC_N] > 0)) continue;
        c->pair[kept] = c->pair[i];
        c->mode[kept++] = c->mode[i];
    }
    c->n = kept;
}

/* The impulses p that answer a load for a time h. */
static bool bear(pc_run *run, joint_impact *joint, const double *load, double h, double *p)
{
    double loaded[2 * PC_CLOSED];
    for (int i = 0; i < 2 * joint->n; i++) loaded[i] = joint->v0[i] + h * load[i];
    return solve(run, joint, loaded, joint->rounding, p);
}

pc_status pc_run_impulse_step(pc_run *run, const pc_touching *touching, double h, pc_error *err)
{
    joint_impact joint;
    int n = run->scene->n_dof;
    double *u = run->state.y + n;
    if (pc_system_load(&run->scratch.system) != 0) return pc_run_stopped(run, err);
    pc_system_accelerations(&run->scratch.system, run->scratch.a);
    for (int i = 0; i < n; i++) u[i] += h * run->scratch.a[i];
    if (pc_system_place(&run->scratch.system, run->state.t, run->state.y) != 0) return pc_run_stopped(run, err);
    meet(run, touching->n, touching->pair, &joint);
    if (!solve(run, &joint, joint.v0, joint.rounding, joint.p)) return pc_run_unsolved(run, touching->n, err);
    pc_system_unload(&run->scratch.system);
    for (int i = 0; i < joint.n; i++)
        pc_system_push(&run->scratch.system, joint.pair[i], &joint.touch[i], joint.p + 2 * i);
    pc_system_jumps(&run->scratch.system, run->scratch.a);
    for (int i = 0; i < n; i++) u[i] += run->scratch.a[i];
    return PC_OK;
}

/* The load of a short time h as an impulse, and the impulses that answer it. These have a limit for h -> 0: zero if
 * forces could bear the load, and a finite impulse where slip presses the harder the greater the forces are, until it
 * stops (Stewart 1998, SIAM Review 42, section 5). For small h they are linear in it. */
pc_status pc_run_jam_impact(pc_run *run, pc_contacts *c, int *order, double *slow, bool *nothing, pc_error *err)
{
    static const double STEP = 1e-9;
    joint_impact joint;
    int n = c->n, side = 2 * n;
    double load[2 * PC_CLOSED], twice[2 * PC_CLOSED], speed = 0, most = 0, p = 0, change = 0;
    *nothing = true;
    if (pc_system_load(&run->scratch.system) != 0) return pc_run_stopped(run, err);
    pc_system_accelerations(&run->scratch.system, run->scratch.a);
    meet(run, n, c->pair, &joint);
    for (int i = 0; i < n; i++) {
        pc_configuration_acceleration(&run->scratch.system.now, c->pair[i], &joint.touch[i], run->scratch.a,
                                      load + 2 * i);
        joint.v0[2 * i + PC_N] = 0;
        if (c->mode[i] == 0) joint.v0[2 * i + PC_T] = 0;
    }
    for (int i = 0; i < side; i++) {
        speed = fmax(speed, fabs(joint.v0[i]));
        most = fmax(most, fabs(load[i]));
    }
    double h = fmax(STEP * speed, 100 * joint.rounding) / most;
    *slow = 10 * h * most;
    if (!bear(run, &joint, load, h, joint.p) || !bear(run, &joint, load, 2 * h, twice))
        return pc_run_unsolved(run, n, err);
    for (int i = 0; i < side; i++) {
        p = fmax(p, fabs(joint.p[i]));
        joint.p[i] = 2 * joint.p[i] - twice[i];
        change = fmax(change, fabs(joint.p[i]));
    }
    *nothing = !(change > 0.5 * p);
    if (*nothing) {
        keep_loaded(c, twice);
        return PC_OK;
    }
    pc_event_record event = {.kind = PC_EVENT_JAM, .pair = c->pair[0]};
    for (int i = 0; i < n; i++)
        if (c->mode[i] != 0) event.pair = c->pair[i];
    pc_status status = pc_run_log(run, event, err);
    if (status != PC_OK) return status;
    for (int i = 0; i < n; i++) { /* there is no approach: what counts is the impulse that stopped the slips */
        const pc_pair *own_pair = &run->scene->pairs[c->pair[i]];
        double w_nn = run->scratch.block.W[(2 * i + PC_N) * (side + 1)],
               approach = w_nn * fmax(joint.p[2 * i + PC_N], 0);
        pc_joint_rule own;
        if (pc_run_joint_rule(run, c->pair[i], approach, &own))
            joint.rule[i].e = own.e;
        else if (approach > 0)
            joint.rule[i].e = pc_law_restitution(own_pair->law, own_pair->params, w_nn, approach, err);
        joint.rule[i].kind = PC_JOINT_POISSON;
        if (isnan(joint.rule[i].e)) return err->code;
    }
    if (!restitute(run, &joint)) return pc_run_unsolved(run, n, err);
    return record(run, &joint, PC_RULE_SIMULTANEOUS, order, err);
}
