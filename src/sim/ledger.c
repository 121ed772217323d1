/* Works along smooth arcs, by quadrature on the dense output.
 *
 * They are not part of the state, so that asking for them does not change the motion. Gauss-Legendre with six points
 * is exact for polynomials of degree 11, beyond the order of any interpolant here (Abramowitz and Stegun, 25.4.30).
 */
#include "sim/run_parts.h"

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

/* Power of damping, torques, pivots and friction at a state. */
static int power_at(pc_system *system, pc_block *block, pc_contacts *contacts, double t, const double *y, double *a,
                    double power[4])
{
    int got = pc_system_place(system, t, y);
    if (got == 0) got = pc_contacts_accelerate(contacts, system, block, a);
    if (got == 0) got = pc_system_power(system, power);
    power[3] = 0;
    for (int i = 0; i < contacts->n && got == 0; i++) {
        double v[2];
        pc_system_velocity(system, contacts->pair[i], &contacts->touch[i], v);
        power[3] += contacts->force[i][PC_T] * v[PC_T];
    }
    return got;
}

int pc_run_add_work(pc_system *system, pc_block *block, pc_contacts *contacts, const pc_dense *dense, double x,
                    double *y, double *a, double work[4])
{
    for (int k = 0; k < 6; k++) {
        double place = 0.5 * x * (1 + (k % 2 ? -1 : 1) * nodes[k / 2]), power[4];
        pc_dense_eval(dense, place, y);
        int got = power_at(system, block, contacts, dense->t + place * dense->h, y, a, power);
        if (got != 0) return got;
        for (int i = 0; i < 4; i++) work[i] += 0.5 * x * dense->h * weights[k / 2] * power[i];
    }
    return 0;
}
