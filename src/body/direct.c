/* Short chains: see chain.h. */
#include "body/direct_kernel.h"

int pc_direct_run_any(const pc_direct *d, double t, const double *q, const double *u, double *a)
{
    return run(d, t, q, u, a);
}

bool pc_direct_open(pc_direct *d, const pc_chain *chain, double gravity)
{
    *d = (pc_direct){.chain = chain, .gravity = gravity, .moves = pc_pivot_moves(&chain->pivot)};
    if (chain->n > PC_DIRECT_LINKS || chain->pivot.floats) return false;
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
    if (!d->moves) {
        double state[6];
        pc_pivot_state(&chain->pivot, 0, state);
        d->pivot[0] = state[0];
        d->pivot[1] = state[1];
    }
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

void pc_direct_find_place(const pc_direct *d, const double *q, pc_direct_place *out)
{
    if (d->chain->n > 2)
        place(4, (const double[]){q[0], q[1], q[2], d->chain->n > 3 ? q[3] : 0}, out);
    else
        place(2, (const double[]){q[0], d->chain->n > 1 ? q[1] : 0}, out);
}

/* From the upper joint of the contact's link to the centre of its circle. */
static inline void find_arm(const pc_direct_contact *c, const pc_direct_place *at, double arm[2])
{
    double sine = at->sine[c->link], cosine = at->cosine[c->link];
    arm[0] = c->along * sine + c->across * cosine;
    arm[1] = c->across * sine - c->along * cosine;
}

double pc_direct_touch(const pc_direct *d, const pc_direct_contact *c, const pc_direct_place *at, const double *u,
                       double v[2])
{
    double x = d->pivot[0], y = d->pivot[1], vx = 0, vy = 0, arm[2];
    for (int i = 0; i < c->link; i++) {
        double l = d->chain->links[i].length;
        x += l * at->sine[i];
        y -= l * at->cosine[i];
        vx += l * (u[i] * at->cosine[i]);
        vy += l * (u[i] * at->sine[i]);
    }
    find_arm(c, at, arm);
    vx -= u[c->link] * arm[1];
    vy += u[c->link] * arm[0];
    v[0] = c->n[1] * vx - c->n[0] * vy + c->radius * u[c->link];
    v[1] = c->n[0] * vx + c->n[1] * vy;
    return (x + arm[0] - c->point[0]) * c->n[0] + (y + arm[1] - c->point[1]) * c->n[1] - c->apart;
}

void pc_direct_push(const pc_direct *d, const pc_direct_contact *c, const pc_direct_place *at, const double force[2],
                    double *torque)
{
    double fx = force[0] * c->n[1] + force[1] * c->n[0], fy = force[1] * c->n[1] - force[0] * c->n[0], arm[2];
    for (int i = 0; i < c->link; i++) torque[i] += d->chain->links[i].length * (at->cosine[i] * fx + at->sine[i] * fy);
    find_arm(c, at, arm);
    torque[c->link] += arm[0] * fy - arm[1] * fx + c->radius * force[0];
}

void pc_direct_accelerate_under(const pc_direct *d, const pc_direct_place *at, const double *u, const double *torque,
                                double *a)
{
    const double g[2] = {0, -d->gravity};
    switch (d->chain->n) {
    case 1: accelerate(1, d, g, at, u, torque, a); break;
    case 2: accelerate(2, d, g, at, u, torque, a); break;
    case 3: accelerate(3, d, g, at, u, torque, a); break;
    case 4: accelerate(4, d, g, at, u, torque, a); break;
    default: break;
    }
}
