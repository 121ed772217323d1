/* Impacts of several pairs at once, by complementarity: see run_parts.h.
 *
 * Poisson's law for several contacts (Pfeiffer and Glocker 1996, chapter 8): compression brings no pair closer, then
 * each gives back its share of impulse, more where it would be passed through.
 */
#include "sim/run_parts.h"

#include "math/friction.h"

#include <math.h>
#include <string.h>

/* What ever gentler impacts have left is rounding up to so many times that of one velocity. */
static const double LEFT = 1e3;

typedef struct joint_impact {
    int n, pair[PC_CLOSED];
    pc_touch touch[PC_CLOSED];
    pc_rubbing rub[PC_CLOSED];
    double v0[2 * PC_CLOSED], v1[2 * PC_CLOSED], p[2 * PC_CLOSED];
    double rounding;
} joint_impact;

static void meet(pc_run *run, int n, const int *pairs, joint_impact *joint)
{
    joint->n = n;
    joint->rounding = 0;
    for (int i = 0; i < n; i++) {
        joint->pair[i] = pairs[i];
        pc_system_touch(&run->system, pairs[i], &joint->touch[i]);
        pc_system_velocity(&run->system, pairs[i], &joint->touch[i], joint->v0 + 2 * i);
        joint->rub[i] = (pc_rubbing){.mu = run->scene->pairs[pairs[i]].friction};
        joint->rounding = fmax(joint->rounding, pc_run_resolution(run, pairs[i]));
    }
    pc_block_build(&run->block, &run->system, pairs, joint->touch, n);
}

static void add_change(const pc_block *block, int side, const double *p, const double *from, double *v)
{
    for (int i = 0; i < side; i++) {
        v[i] = from[i];
        for (int j = 0; j < side; j++) v[i] += block->W[i * side + j] * p[j];
    }
}

static bool solve(pc_run *run, const joint_impact *joint, const double *v, double *p)
{
    pc_block *block = &run->block;
    return pc_friction_solve(joint->n, joint->rub, block->W, v, joint->rounding, p, block->friction, block->index);
}

/* Restitution, after compression by p. plastic: there is none. */
static bool give_back(pc_run *run, joint_impact *joint, bool plastic)
{
    int n = joint->n, side = 2 * n;
    double v[2 * PC_CLOSED] = {0}, back[2 * PC_CLOSED];
    add_change(&run->block, side, joint->p, joint->v0, v);
    for (int i = 0; i < n; i++) {
        double e = plastic ? 0 : pc_pair_restitution(&run->scene->pairs[joint->pair[i]]);
        joint->rub[i].given = e * fmax(joint->p[2 * i + PC_N], 0);
    }
    if (!solve(run, joint, v, back)) return false;
    add_change(&run->block, side, back, v, joint->v1);
    for (int i = 0; i < side; i++) joint->p[i] += back[i];
    return true;
}

/* One record for each pair that got an impulse; the first carries the change of state. */
static pc_status record(pc_run *run, const joint_impact *joint, int *order, pc_error *err)
{
    int n = joint->n, side = 2 * n, n_dof = run->scene->n_dof;
    bool told = false;
    for (int i = 0; i < n; i++) {
        if (!(joint->p[2 * i + PC_N] > 0)) continue;
        pc_hit *hit;
        double *states;
        pc_status status = pc_run_new_hit(run, &hit, &states, err);
        if (status != PC_OK) return status;
        const double *own = run->block.W + 2 * i * side + 2 * i;
        hit->pair = joint->pair[i];
        hit->order = (*order)++;
        hit->together = true;
        hit->W = (pc_mobility){.tt = own[0], .tn = own[1], .nn = own[side + 1]};
        for (int k = 0; k < 2; k++) {
            hit->v0[k] = joint->v0[2 * i + k];
            hit->v1[k] = joint->v1[2 * i + k];
            hit->impulse[k] = joint->p[2 * i + k];
        }
        if (!told) {
            pc_system_unload(&run->system);
            for (int j = 0; j < n; j++)
                pc_system_push(&run->system, joint->pair[j], &joint->touch[j], joint->p + 2 * j);
            status = pc_run_finish_hit(run, states, hit, err);
            if (status != PC_OK) return status;
            told = true;
        } else { /* the state is that after all of them */
            memcpy(states + 2 * n_dof, run->y + n_dof, (size_t)n_dof * sizeof *states);
            hit->energy0 = hit->energy1 = pc_run_energy(&run->system);
        }
        status = pc_run_keep_hit(run, hit, err);
        if (status != PC_OK) return status;
    }
    return PC_OK;
}

static pc_status unsolved(const pc_run *run, int n, pc_error *err)
{
    return pc_fail_at(err, PC_E_NUMERIC, run->t, "impulse",
                      "no impulses solve the simultaneous impact of %d contacts at t = %.17g", n, run->t);
}

pc_status pc_run_strike_together(pc_run *run, const pc_touching *touching, int *order, bool plastic, pc_error *err)
{
    joint_impact joint;
    meet(run, touching->n, touching->pair, &joint);
    if (plastic) joint.rounding *= LEFT;
    if (!solve(run, &joint, joint.v0, joint.p) || !give_back(run, &joint, plastic))
        return unsolved(run, touching->n, err);
    return record(run, &joint, order, err);
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
    return solve(run, joint, loaded, p);
}

pc_status pc_run_bear(pc_run *run, const pc_touching *touching, double h, pc_error *err)
{
    joint_impact joint;
    int n = run->scene->n_dof;
    double *u = run->y + n;
    if (pc_system_load(&run->system) != 0) return pc_run_stopped(run, err);
    pc_system_accelerations(&run->system, run->a);
    for (int i = 0; i < n; i++) u[i] += h * run->a[i];
    if (pc_system_place(&run->system, run->t, run->y) != 0) return pc_run_stopped(run, err);
    meet(run, touching->n, touching->pair, &joint);
    if (!solve(run, &joint, joint.v0, joint.p)) return unsolved(run, touching->n, err);
    pc_system_unload(&run->system);
    for (int i = 0; i < joint.n; i++) pc_system_push(&run->system, joint.pair[i], &joint.touch[i], joint.p + 2 * i);
    pc_system_jumps(&run->system, run->a);
    for (int i = 0; i < n; i++) u[i] += run->a[i];
    return PC_OK;
}

/* The load of a short time h as an impulse, and the impulses that answer it. These have a limit for h -> 0: zero if
 * forces could bear the load, and a finite impulse where slip presses the harder the greater the forces are, until it
 * stops (Stewart 1998, SIAM Review 42, section 5). For small h they are linear in it. */
pc_status pc_run_strike_jammed(pc_run *run, pc_contacts *c, int *order, double *slow, bool *nothing, pc_error *err)
{
    static const double STEP = 1e-9;
    joint_impact joint;
    int n = c->n, side = 2 * n;
    double load[2 * PC_CLOSED], twice[2 * PC_CLOSED], speed = 0, most = 0, p = 0, change = 0;
    *nothing = true;
    if (pc_system_load(&run->system) != 0) return pc_run_stopped(run, err);
    pc_system_accelerations(&run->system, run->a);
    meet(run, n, c->pair, &joint);
    for (int i = 0; i < n; i++) {
        pc_system_acceleration(&run->system, c->pair[i], &joint.touch[i], run->a, load + 2 * i);
        joint.v0[2 * i + PC_N] = 0;
        if (c->mode[i] == 0) joint.v0[2 * i + PC_T] = 0;
    }
    for (int i = 0; i < side; i++) {
        speed = fmax(speed, fabs(joint.v0[i]));
        most = fmax(most, fabs(load[i]));
    }
    double h = fmax(STEP * speed, 100 * joint.rounding) / most;
    *slow = 10 * h * most;
    if (!bear(run, &joint, load, h, joint.p) || !bear(run, &joint, load, 2 * h, twice)) return unsolved(run, n, err);
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
    pc_event_record event = {.kind = PC_HAPPENS_JAM, .pair = c->pair[0]};
    for (int i = 0; i < n; i++)
        if (c->mode[i] != 0) event.pair = c->pair[i];
    pc_status status = pc_run_tell(run, event, err);
    if (status != PC_OK) return status;
    if (!give_back(run, &joint, false)) return unsolved(run, n, err);
    return record(run, &joint, order, err);
}
