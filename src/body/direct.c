/* Short chains: see direct.h. */
#include "body/direct.h"

#include "math/sincos.h"

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
    return true;
}

/* A a = b for the symmetric positive definite A, by its factors L D L^T, in the lower triangle; first: 1/A[0][0], which
 * is constant. n is a constant where this is used, and the loops are gone. */
static inline __attribute__((always_inline)) void solve(int n, double A[PC_DIRECT_LINKS][PC_DIRECT_LINKS], double first,
                                                        const double *b, double *a)
{
    double inverse[PC_DIRECT_LINKS], x[PC_DIRECT_LINKS];
#pragma GCC unroll 4
    for (int j = 0; j < n; j++) {
        inverse[j] = j == 0 ? first : 1 / A[j][j];
#pragma GCC unroll 4
        for (int i = j + 1; i < n; i++) {
            double factor = A[i][j] * inverse[j];
#pragma GCC unroll 4
            for (int k = j + 1; k <= i; k++) A[i][k] -= factor * A[k][j];
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
#pragma GCC unroll 4
        for (int j = 0; j < i; j++) x[i] -= A[i][j] * inverse[j] * x[j];
    }
#pragma GCC unroll 4
    for (int i = n - 1; i >= 0; i--) {
        double sum = x[i];
#pragma GCC unroll 4
        for (int k = i + 1; k < n; k++) sum -= A[k][i] * a[k];
        a[i] = sum * inverse[i];
    }
}

static inline __attribute__((always_inline)) void accelerate(int n, const pc_direct *d, const double g[2],
                                                             const double *q, const double *u, const double *torque,
                                                             double *a)
{
    double sine[PC_DIRECT_LINKS], cosine[PC_DIRECT_LINKS], A[PC_DIRECT_LINKS][PC_DIRECT_LINKS], b[PC_DIRECT_LINKS];
#pragma GCC unroll 2
    for (int i = 0; i < n; i += 2)
        pc_sincos_pair((const double[2]){q[i], i + 1 < n ? q[i + 1] : 0}, sine + i, cosine + i);
#pragma GCC unroll 4
    for (int i = 0; i < n; i++) {
        b[i] = torque[i] + d->s[i] * (g[0] * cosine[i] + g[1] * sine[i]);
        A[i][i] = d->c[i][i];
    }
#pragma GCC unroll 4
    for (int i = 0; i < n; i++) {
#pragma GCC unroll 4
        for (int j = 0; j < i; j++) {
            double turn = d->c[i][j] * (sine[i] * cosine[j] - cosine[i] * sine[j]);
            A[i][j] = d->c[i][j] * (cosine[i] * cosine[j] + sine[i] * sine[j]);
            b[i] -= turn * (u[j] * u[j]);
            b[j] += turn * (u[i] * u[i]);
        }
    }
    solve(n, A, d->first, b, a);
}

/* Torques of the joints and of the user on each link. */
static int torques(const pc_chain *chain, double t, const double *q, const double *u, double *out)
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

int pc_direct_accelerate(const pc_direct *d, double t, const double *q, const double *u, double *a)
{
    double torque[PC_DIRECT_LINKS] = {0}, g[2] = {0, -d->gravity};
    if (d->moves) { /* in the frame of the pivot */
        double pivot[6];
        int got = pc_pivot_state(&d->chain->pivot, t, pivot);
        if (got != 0) return got;
        g[0] -= pivot[4];
        g[1] -= pivot[5];
    }
    if (d->joints) {
        int got = torques(d->chain, t, q, u, torque);
        if (got != 0) return got;
    }
    switch (d->chain->n) {
    case 1: accelerate(1, d, g, q, u, torque, a); break;
    case 2: accelerate(2, d, g, q, u, torque, a); break;
    case 3: accelerate(3, d, g, q, u, torque, a); break;
    case 4: accelerate(4, d, g, q, u, torque, a); break;
    default: break;
    }
    return 0;
}
