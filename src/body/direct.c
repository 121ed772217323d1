/* Short chains: see direct.h. */
#include "body/direct_kernel.h"

int pc_direct_run_any(const pc_direct *d, double t, const double *q, const double *u, double *a)
{
    return run(d, t, q, u, a);
}

bool pc_direct_open(pc_direct *d, const pc_chain *chain, double gravity)
{
    *d = (pc_direct){.chain = chain, .gravity = gravity, .moves = pc_pivot_moves(&chain->pivot)};
    if (chain->n > PC_DIRECT_LINKS) return false;
    double below = 0; /* mass of the links below */
    for (int i = chain->n - 1; i >= 0; i--) {
        const pc_link *link = &chain->links[i];
        double l = link->length;
        d->s[i] = link->mass * link->center + l * below;
        d->c[i][i] = link->inertia + link->mass * link->center * link->center + l * l * below;
        for (int j = 0; j < i; j++) d->c[i][j] = d->c[j][i] = chain->links[j].length * d->s[i];
        below += link->mass;
        d->joints |= link->damping != 0 || link->stiffness != 0 || link->torque != 0;
    }
    d->joints |= chain->torque != NULL;
    d->first = 1 / d->c[0][0];
    d->run = pc_direct_run_any;
#if !defined(PC_NO_X86)
    if (__builtin_cpu_supports("avx2")) d->run = pc_direct_run_avx2;
#endif
    return true;
}

int pc_direct_torques(const pc_chain *chain, double t, const double *q, const double *u, double *out)
{
    for (int i = 0; i < chain->n; i++) out[i] = 0;
    if (chain->torque) {
        int got = chain->torque(t, q, u, out, chain->torque_context);
        if (got != 0) return got;
    }
    for (int i = 0; i < chain->n; i++) {
        double ground, inner;
        pc_joint_torques(chain, i, t, q, u, &ground, &inner);
        out[i] += ground + inner;
        if (i) out[i - 1] -= inner;
    }
    return 0;
}
