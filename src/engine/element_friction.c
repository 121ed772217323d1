/* Rigid tangential elements that stick: see element_impact.h.
 *
 * Contacts that stick without an element of their own hold v_t = 0: their friction forces are those that keep all of
 * these velocities at rest against every other force,
 *
 *     W_SS F_S = -(what the normal forces and the friction of the others do to v_S).
 *
 * Where more contacts stick than the bodies have freedoms W_SS is singular and the forces are not determined, though
 * the motion is; the smallest ones are taken.
 */
#include "engine/element_impact_internal.h"

#include "base/tolerance.h"
#include "math/linsolve.h"

#include <math.h>

static double mobility(const drive *d, int i, int part_i, int j, int part_j)
{
    return d->W[(size_t)(2 * i + part_i) * 2 * (size_t)d->k + (size_t)(2 * j + part_j)];
}

static bool is_rigid(const contact *c)
{
    return c->base.p.tangential.kind == PC_TANGENTIAL_RIGID && c->base.p.tangential.mu > 0;
}

/* W_SS = L L^T with as many columns as its rank, pivots taken by size. */
static int factor(drive *d)
{
    int n = d->n_held, rank = 0;
    double *L = d->hold.L, *left = d->hold.b, greatest = 0;
    for (int i = 0; i < n; i++) left[i] = mobility(d, d->held[i], PC_T, d->held[i], PC_T);
    for (int i = 0; i < n; i++) greatest = fmax(greatest, left[i]);
    for (; rank < n; rank++) {
        int best = 0;
        for (int i = 1; i < n; i++)
            if (left[i] > left[best]) best = i;
        if (!(left[best] > pc_rank_bound(greatest))) break;
        double root = sqrt(left[best]);
        for (int i = 0; i < n; i++) {
            double sum = mobility(d, d->held[i], PC_T, d->held[best], PC_T);
            for (int j = 0; j < rank; j++) sum -= L[i * n + j] * L[best * n + j];
            L[i * n + rank] = sum / root;
        }
        for (int i = 0; i < n; i++) left[i] -= L[i * n + rank] * L[i * n + rank];
        left[best] = 0;
    }
    return rank;
}

void pc_element_hold(drive *d)
{
    d->n_held = 0;
    for (int i = 0; i < d->k; i++) {
        const contact *c = &d->contacts[i];
        if (sticks(c) && is_rigid(c)) d->held[d->n_held++] = i;
    }
    int n = d->n_held, rank = factor(d);
    /* pseudo-inverse L G^-2 L^T, G = L^T L; column by column */
    double *L = d->hold.L, *G = d->hold.G, *x = d->hold.b;
    for (int i = 0; i < rank; i++)
        for (int j = 0; j < rank; j++) {
            G[i * rank + j] = 0;
            for (int m = 0; m < n; m++) G[i * rank + j] += L[m * n + i] * L[m * n + j];
        }
    bool regular = pc_lu_factor(G, rank, d->pivots);
    for (int m = 0; m < n; m++) {
        for (int i = 0; i < rank; i++) x[i] = L[m * n + i];
        for (int twice = 0; regular && twice < 2; twice++) pc_lu_solve(G, rank, d->pivots, x);
        for (int l = 0; l < n; l++) {
            double sum = 0;
            for (int i = 0; i < rank; i++) sum += L[l * n + i] * x[i];
            d->hold.inverse[l * n + m] = sum;
        }
    }
}

/* Forces, or their rates, at those that hold, from all the others in `all`. */
void pc_element_held(const drive *d, pc_contact_values *all, bool rates)
{
    int n = d->n_held;
    if (n == 0) return;
    if (d->body) { /* whose W has changed since */
        if (!rates) all->Ft = d->W[0] > 0 ? -(d->W[1] * all->Fn + d->frame->c[PC_T]) / d->W[0] : 0;
        return;
    }
    double *b = d->hold.b;
    for (int l = 0; l < n; l++) {
        b[l] = 0;
        int i = d->held[l];
        for (int j = 0; j < d->k; j++) {
            const contact *c = &d->contacts[j];
            bool held = !c->open && pc_contact_is_constrained(&c->base);
            b[l] += mobility(d, i, PC_T, j, PC_N) * (rates ? all[j].dFn : all[j].Fn);
            if (!held) b[l] += mobility(d, i, PC_T, j, PC_T) * (rates ? all[j].dFt : all[j].Ft);
        }
    }
    for (int l = 0; l < n; l++) {
        double sum = 0;
        for (int m = 0; m < n; m++) sum -= d->hold.inverse[l * n + m] * b[m];
        *(rates ? &all[d->held[l]].dFt : &all[d->held[l]].Ft) = sum;
    }
}

/* How far contact i is from what its mode allows: beyond the cone in stick, accelerated against the slip in slip. */
static double excess(const drive *d, int i, const pc_contact_values *all)
{
    const contact *c = &d->contacts[i];
    if (sticks(c)) return fabs(all[i].Ft) - c->base.p.tangential.mu * fmax(all[i].Fn, 0);
    double a = 0;
    for (int j = 0; j < d->k; j++)
        a += mobility(d, i, PC_T, j, PC_T) * all[j].Ft + mobility(d, i, PC_T, j, PC_N) * all[j].Fn;
    return -c->base.sign * a;
}

/* Forces have jumped: which of the rigid points at rest stick, and which begin to slide? Normal forces are given, so
 * this is a complementarity problem with bounds and a positive matrix, solved by changing the worst offender, then, by
 * Murty's rule, the first one, which ends. */
void pc_element_balance(drive *d, const double *y, pc_contact_values *out)
{
    const double rest = 10 * d->task->tolerance;
    const int patience = 2 * d->k, most = patience + (d->k < 16 ? 1 << d->k : 1 << 16);
    for (int i = 0; i < d->k; i++) {
        contact *c = &d->contacts[i];
        if (slips(c) && is_rigid(c) && fabs(out[i].v_t) <= rest) c->base.stuck = c->base.fresh = true;
    }
    for (int turn = 0; turn < most; turn++) {
        pc_element_hold(d);
        pc_element_values(d, y, out);
        int who = -1;
        double worst = rest;
        for (int i = 0; i < d->k; i++) {
            const contact *c = &d->contacts[i];
            if (c->open || !is_rigid(c) || fabs(out[i].v_t) > rest) continue;
            double off = excess(d, i, out);
            if (off > worst && (who < 0 || turn < patience)) who = i, worst = turn < patience ? off : worst;
        }
        if (who < 0) return;
        contact *c = &d->contacts[who];
        c->base.fresh = true;
        if (sticks(c)) c->base.sign = out[who].Ft < 0 ? 1 : -1;
        c->base.stuck = !c->base.stuck;
    }
}
