/* Works along smooth arcs, by quadrature on the dense output.
 *
 * They are not part of the state, so that asking for them does not change the motion. Gauss-Legendre with six points
 * is exact for polynomials of degree 11, beyond the order of any interpolant here (Abramowitz and Stegun, 25.4.30).
 */
#include "motion/ledger.h"

#include <math.h>

static const double nodes[3] = {0.2386191860831969086, 0.6612093864662645136, 0.9324695142031520278};
static const double weights[3] = {0.4679139345726910474, 0.3607615730481386076, 0.1713244923791703450};

bool pc_run_has_work(const pc_scene *scene, const pc_contacts *contacts)
{
    for (int i = 0; i < contacts->n; i++)
        if (contacts->mode[i] != 0 && scene->pairs[contacts->pair[i]].friction > 0) return true;
    for (int m = 0; m < scene->n_members; m++) {
        const pc_chain *chain = scene->members[m].chain;
        if (!chain) continue;
        if (chain->torque || pc_pivot_moves(&chain->pivot)) return true;
        for (int i = 0; i < chain->n; i++)
            if (chain->links[i].damping != 0 || chain->links[i].torque != 0) return true;
    }
    return false;
}

/* Power of damping, torques, pivots and friction at a state; what the friction of each contact does in a time there
 * joins `rubbed`. */
static int power_at(pc_run *run, pc_contacts *contacts, pc_compliant *compliant, double t, const double *y, double time,
                    double power[4])
{
    pc_planar *planar = &run->scratch.system;
    const pc_configuration *now = pc_planar_make(planar, t, y);
    if (!now) return -1;
    int got = pc_contacts_accelerate(contacts, compliant, &planar->mechanics, &run->scratch.block, run->scratch.a);
    if (got == 0) got = pc_planar_power(planar, power);
    power[3] = 0;
    for (int i = 0; i < contacts->n && got == 0; i++) {
        double v[2];
        pc_configuration_velocity(now, contacts->pair[i], &contacts->touch[i], v);
        double rubbing = contacts->force[i][PC_T] * v[PC_T];
        power[3] += rubbing;
        contacts->rubbed[i] += time * rubbing;
    }
    return got;
}

int pc_run_add_work(pc_run *run, pc_contacts *contacts, pc_compliant *compliant, const pc_dense *dense, double x,
                    double work[4])
{
    double *y = run->scratch.spare;
    for (int i = 0; i < contacts->n; i++) contacts->rubbed[i] = 0;
    for (int k = 0; k < 6; k++) {
        double place = 0.5 * x * (1 + (k % 2 ? -1 : 1) * nodes[k / 2]), power[4];
        double time = 0.5 * x * dense->h * weights[k / 2];
        pc_dense_eval(dense, place, y);
        int got = power_at(run, contacts, compliant, dense->t + place * dense->h, y, time, power);
        if (got != 0) return got;
        for (int i = 0; i < 4; i++) work[i] += time * power[i];
    }
    return 0;
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

pc_status pc_run_check_friction(pc_run *run, pc_error *err)
{
    const double *rubbed = run->state.contacts.rubbed;
    for (int i = 0; i < run->state.contacts.n; i++) {
        if (run->state.contacts.mode[i] == 0 || !(rubbed[i] > 0)) continue;
        double size = energy_size(run, run->state.contacts.pair[i]);
        if (rubbed[i] > GIVEN * run->rtol * size) return gave(run, run->state.contacts.pair[i], rubbed[i], size, err);
    }
    return PC_OK;
}

pc_status pc_run_check_compliant(pc_run *run, int which, double work, pc_error *err)
{
    const pc_run_contact *c = &run->state.compliant.contact[which];
    bool may_give = c->base.p.tangential.kind == PC_TANGENTIAL_MINDLIN || pc_contact_has_rings(&c->base);
    double size = c->mass * c->speed * c->speed;
    if (may_give || !(work > GIVEN * run->rtol * size)) return PC_OK;
    size += energy_size(run, c->pair); /* gentle ones are known as well as the motion of which they are part */
    if (!(work > GIVEN * run->rtol * size)) return PC_OK;
    return gave(run, c->pair, work, size, err);
}

double pc_run_energy(pc_planar *planar)
{
    return pc_configuration_kinetic(&planar->now) + pc_configuration_potential(&planar->now);
}
