/* Accelerations of short chains: see chain.h. Included by one file for each instruction set; all give the same
 * bits. */
#include "body/chain.h"

#include "math/twin.h"

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

static inline __attribute__((always_inline)) void place(int n, const double *q, pc_direct_place *out)
{
#pragma GCC unroll 2
    for (int i = 0; i < n; i += 2)
        pc_sincos_pair((const double[2]){q[i], i + 1 < n ? q[i + 1] : 0}, out->sine + i, out->cosine + i);
}

static inline __attribute__((always_inline)) void accelerate(int n, const pc_direct *d, const double g[2],
                                                             const pc_direct_place *at, const double *u,
                                                             const double *torque, double *a)
{
    const double *sine = at->sine, *cosine = at->cosine;
    double A[PC_DIRECT_LINKS][PC_DIRECT_LINKS], b[PC_DIRECT_LINKS];
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

static int run(const pc_direct *d, double t, const double *q, const double *u, double *a)
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
        int got = pc_direct_torques(d->chain, t, q, u, torque);
        if (got != 0) return got;
    }
    pc_direct_place at;
    switch (d->chain->n) {
    case 1: place(1, q, &at), accelerate(1, d, g, &at, u, torque, a); break;
    case 2: place(2, q, &at), accelerate(2, d, g, &at, u, torque, a); break;
    case 3: place(3, q, &at), accelerate(3, d, g, &at, u, torque, a); break;
    case 4: place(4, q, &at), accelerate(4, d, g, &at, u, torque, a); break;
    default: break;
    }
    return 0;
}
