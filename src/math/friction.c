/* Friction at several planar contacts: see friction.h.
 *
 * Of each contact a mode says whether it is closed and whether it sticks or slips in one direction; modes make the
 * problem a linear system. First all contacts that do not separate stick; modes that the solution contradicts are
 * changed, all at once (block pivoting; Judice and Pires, Computers and Operations Research 21, 1994), so that neither
 * the order of contacts nor their mirror image makes a difference. Where that does not end, modes are those of the
 * linear complementarity problem of Anitescu and Potra (1997), by Lemke's method: x = p_n - given, the parts of p_t
 * along +t and -t, and a slack l of the cone,
 *
 *     0 <= x   with v_n >= 0,   0 <= p+ with l + v_t >= 0,   0 <= p- with l - v_t >= 0,   0 <= l with mu p_n - p+ - p-.
 *
 * Its matrix is copositive, so that the method ends with a solution but for rounding, which the modes make good.
 */
#include "math/friction.h"

#include "base/tolerance.h"
#include "math/linsolve.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { T = 0, N = 1 };

size_t pc_friction_room(int n)
{
    size_t side = 4 * (size_t)n, own = 2 * (size_t)n;
    size_t complementary = side * side + 3 * side + pc_lcp_room(4 * n);
    size_t modes = own * (own + 1) + pc_least_norm_room(2 * n);
    return 4 * own + (complementary > modes ? complementary : modes);
}

size_t pc_friction_indices(int n)
{
    return 16 * (size_t)n + 1;
}

/* s: 0 sticks, else the sign of slip. */
typedef struct mode {
    signed char closed, s;
} mode;

/* Velocities times `scale`, 1/sqrt(W_ii), and impulses over it are both roots of an energy: so they are compared,
 * and so the rows of a system are of unit size. best: the p of the least residual so far; solved: what may be left
 * of one. */
typedef struct problem {
    int n, side;
    const pc_rubbing *c;
    const double *W;
    double *b, *p, *v, *scale, *best, *work, rounding, solved, residual;
    mode *mode, *seen;
    int *row, *index;
} problem;

static bool rubs(const pc_rubbing *c)
{
    return c->slip == 0 && c->mu > 0;
}

/* An open contact without a given impulse has no friction. */
static bool sticks(const problem *q, int i)
{
    return rubs(&q->c[i]) && q->mode[i].s == 0 && (q->mode[i].closed || q->c[i].given > 0);
}

static void find_velocities(problem *q)
{
    for (int i = 0; i < q->side; i++) {
        const double *w = q->W + i * q->side;
        double sum = q->b[i];
        for (int j = 0; j < q->side; j++) sum += w[j] * q->p[j];
        q->v[i] = sum;
    }
}

/* The impulses of the modes, of least norm where conditions depend on one another. False: they do. */
static bool follow_modes(problem *q, double rank)
{
    const mode *m = q->mode;
    int size = 0, side = q->side;
    for (int i = 0; i < q->n; i++) {
        const pc_rubbing *c = &q->c[i];
        if (m[i].closed) q->row[size++] = 2 * i + N;
        if (sticks(q, i)) q->row[size++] = 2 * i + T;
        q->p[2 * i + N] = c->given;
        q->p[2 * i + T] = sticks(q, i) ? 0 : -m[i].s * c->mu * c->given;
    }
    double *A = q->work, *x = A + size * size;
    for (int k = 0; k < size; k++) {
        const double *w = q->W + q->row[k] * side;
        double sum = q->b[q->row[k]];
        for (int j = 0; j < side; j++) sum += w[j] * q->p[j];
        x[k] = -sum * q->scale[q->row[k]];
    }
    for (int l = 0; l < size; l++) {
        int j = q->row[l], i = j / 2;
        double rubbed = j % 2 == N && !sticks(q, i) ? m[i].s * q->c[i].mu : 0;
        for (int k = 0; k < size; k++) {
            const double *w = q->W + q->row[k] * side + j;
            double a = rubbed != 0 ? w[0] - rubbed * w[-1] : w[0];
            A[l * size + k] = a * q->scale[q->row[k]] * q->scale[j];
        }
    }
    bool independent = pc_least_norm(A, size, rank, x, x + size, q->index) == size;
    for (int k = 0; k < size; k++) {
        int row = q->row[k], i = row / 2;
        double p = x[k] * q->scale[row];
        q->p[row] += p;
        if (row % 2 == N && !sticks(q, i)) q->p[2 * i + T] -= m[i].s * q->c[i].mu * p;
    }
    return independent;
}

/* How far contact i contradicts its mode, and the mode that it should have instead. */
static double contradict(const problem *q, int i, mode *other)
{
    const pc_rubbing *c = &q->c[i];
    const mode m = q->mode[i];
    double scale = q->scale[2 * i + T], pt = q->p[2 * i + T], slide = q->v[2 * i + T] * scale;
    double x = (q->p[2 * i + N] - c->given) / q->scale[2 * i + N], part = q->v[2 * i + N] * q->scale[2 * i + N];
    double off = c->held ? 0 : m.closed ? fmax(-x, fabs(part)) : fmax(-part, 0), aside = 0;
    mode normal = m, slip = m;
    normal.closed = m.closed ? x > 0 && part < 0 : off > 0;
    if (!m.closed && rubs(c) && !(c->given > 0)) normal.s = 0;
    if (rubs(c) && (m.closed || c->given > 0)) {
        double beyond = (fabs(pt) - c->mu * q->p[2 * i + N]) / scale;
        double way = beyond > fabs(slide) ? -pt : slide;
        aside = m.s == 0 ? fmax(beyond, fabs(slide)) : fmax(-m.s * slide, 0);
        slip.s = m.s != 0 ? 0 : way > 0 ? 1 : -1;
    }
    if (off <= q->rounding * q->scale[2 * i + N]) off = 0;
    if (aside <= q->rounding * scale) aside = 0;
    *other = off >= aside ? normal : slip;
    return fmax(off, aside);
}

/* How far p is from a solution: of normal parts the lesser of impulse and velocity, of tangential ones the way from p
 * to what p - v is when it is brought into the cone. What the rounding of b makes is nothing. */
static bool is_solved(problem *q)
{
    double worst = 0;
    find_velocities(q);
    for (int i = 0; i < q->n; i++) {
        const pc_rubbing *c = &q->c[i];
        const double *scale = q->scale + 2 * i;
        double pn = q->p[2 * i + N], pt = q->p[2 * i + T] / scale[T], bound = c->mu * fmax(pn, 0) / scale[T];
        double x = (pn - c->given) / scale[N], vn = q->v[2 * i + N] * scale[N], vt = q->v[2 * i + T] * scale[T];
        double off = c->held ? fabs(x) : fabs(fmin(x, vn));
        double aside = fabs(pt - (c->slip ? -c->slip * bound : fmax(-bound, fmin(bound, pt - vt))));
        if (off > q->rounding * scale[N]) worst = fmax(worst, off);
        if (aside > q->rounding * scale[T]) worst = fmax(worst, aside);
        if (!isfinite(vn + vt)) worst = INFINITY;
    }
    if (worst < q->residual) {
        q->residual = worst;
        memcpy(q->best, q->p, (size_t)q->side * sizeof *q->p);
    }
    return worst <= q->solved;
}

/* How far the conditions of the modes are from being met. */
static double unmet(const problem *q)
{
    double most = 0;
    for (int i = 0; i < q->n; i++) {
        if (q->mode[i].closed) most = fmax(most, fabs(q->v[2 * i + N]) * q->scale[2 * i + N]);
        if (sticks(q, i)) most = fmax(most, fabs(q->v[2 * i + T]) * q->scale[2 * i + T]);
    }
    return most;
}

/* p of the modes. Conditions that seem to depend on others and yet contradict them count down to their rounding. */
static bool try_modes(problem *q)
{
    bool independent = follow_modes(q, PC_RANK_TOLERANCE);
    if (is_solved(q)) return true;
    if (independent || unmet(q) <= q->solved) return false;
    follow_modes(q, q->side * DBL_EPSILON);
    return is_solved(q);
}

/* Change modes that p and v contradict: all of them, or the worst, of equals the first. False: there are none. */
static bool change_modes(problem *q, bool worst_only)
{
    double largest = 0;
    bool changed = false;
    mode other;
    for (int i = 0; i < q->n && worst_only; i++) largest = fmax(largest, contradict(q, i, &other));
    for (int i = 0; i < q->n && !(changed && worst_only); i++) {
        double by = contradict(q, i, &other);
        if (!(by > q->solved) || by < largest) continue;
        q->mode[i] = other;
        changed = true;
    }
    return changed;
}

/* From the modes to those of a solution. The search ends where modes come again that were there before (which Brent's
 * method sees), or when it has lasted for as many turns. */
static bool search(problem *q, bool worst_only, int turns)
{
    size_t bytes = (size_t)q->n * sizeof *q->mode;
    memcpy(q->seen, q->mode, bytes);
    for (int turn = 1, power = 1; turn <= turns; turn++) {
        if (try_modes(q)) return true;
        if (!change_modes(q, worst_only) || memcmp(q->seen, q->mode, bytes) == 0) return false;
        if (turn < power) continue;
        power *= 2;
        memcpy(q->seen, q->mode, bytes);
    }
    return false;
}

/* Columns and rows of a contact in the complementarity problem; -1: it has none. */
typedef struct place {
    int x, plus, minus, slack;
} place;

static int count_places(const pc_rubbing *c, int next, place *at)
{
    at->x = c->held ? -1 : next++;
    at->plus = rubs(c) ? next++ : -1;
    at->minus = rubs(c) ? next++ : -1;
    at->slack = rubs(c) ? next++ : -1;
    return next;
}

/* Row of M: `sign` times the velocity `row` in the unknowns. */
static double fill_row(const problem *q, int row, double sign, double soft, double *M)
{
    const double *w = q->W + row * q->side;
    double rest = q->b[row], give = soft * w[row], scale = sign * q->scale[row];
    for (int j = 0, next = 0; j < q->n; j++) {
        place at;
        next = count_places(&q->c[j], next, &at);
        double normal = w[2 * j + N] - q->c[j].slip * q->c[j].mu * w[2 * j + T];
        rest += normal * q->c[j].given;
        if (at.x >= 0) M[at.x] = scale * q->scale[2 * j + N] * (normal + (row == 2 * j + N ? give : 0));
        if (at.plus < 0) continue;
        M[at.plus] = scale * q->scale[2 * j + T] * (w[2 * j + T] + (row == 2 * j + T ? give : 0));
        M[at.minus] = -M[at.plus];
    }
    return scale * rest;
}

/* p and modes of the complementarity problem; contacts give by the share `soft` of their mobility. Multiples of the
 * golden ratio, less whole numbers, are nowhere near one another: with them as covering vector there are no ties on
 * the way. */
static bool solve_complementary(problem *q, double soft)
{
    const pc_rubbing *c = q->c;
    mode *m = q->mode;
    int n = q->n, size = 0, next = 0;
    place at;
    for (int i = 0; i < n; i++) size = count_places(&c[i], size, &at);
    double *M = q->work, *r = M + size * size, *d = r + size, *z = d + size, *lcp = z + size;
    memset(M, 0, (size_t)size * (size_t)size * sizeof *M);
    for (int i = 0; i < n; i++) {
        next = count_places(&c[i], next, &at);
        if (at.x >= 0) r[at.x] = fill_row(q, 2 * i + N, 1, soft, M + at.x * size);
        if (at.plus < 0) continue;
        double ratio = q->scale[2 * i + N] / q->scale[2 * i + T];
        r[at.plus] = fill_row(q, 2 * i + T, 1, soft, M + at.plus * size);
        r[at.minus] = fill_row(q, 2 * i + T, -1, soft, M + at.minus * size);
        M[at.plus * size + at.slack] = M[at.minus * size + at.slack] = 1;
        if (at.x >= 0) M[at.slack * size + at.x] = c[i].mu * ratio;
        M[at.slack * size + at.plus] = M[at.slack * size + at.minus] = -1;
        r[at.slack] = c[i].mu * c[i].given / q->scale[2 * i + T];
    }
    for (int k = 0; k < size; k++) d[k] = 1 + fmod(0.6180339887498949 * k, 1);
    if (!pc_lcp_solve(size, M, r, d, z, lcp, q->index)) return false;
    next = 0;
    for (int i = 0; i < n; i++) {
        next = count_places(&c[i], next, &at);
        m[i].closed = at.x >= 0 && z[at.x] > 0;
        q->p[2 * i + N] = c[i].given + (at.x >= 0 ? z[at.x] * q->scale[2 * i + N] : 0);
        q->p[2 * i + T] =
            at.plus >= 0 ? (z[at.plus] - z[at.minus]) * q->scale[2 * i + T] : -c[i].slip * c[i].mu * q->p[2 * i + N];
        if (at.plus >= 0) m[i].s = !(z[at.slack] > 0) ? 0 : z[at.plus] > z[at.minus] ? -1 : 1;
    }
    return true;
}

/* Modes are sought to this end for n + FEW turns without Lemke's method, which costs as much as some n of them, and for
 * MANY (n + 1) with it, when nothing but them is left. */
enum { FEW = 4, MANY = 8 };

/* Contacts that give are the more regular the more they give, from rounding to where it is as much as what may be
 * left. */
static bool search_from_complementary(problem *q, double least)
{
    for (double soft = 0; soft <= sqrt(least); soft = soft > 0 ? 100 * soft : least) {
        if (!solve_complementary(q, soft)) continue;
        if (is_solved(q) || search(q, false, q->n + FEW) || search(q, true, MANY * (q->n + 1))) return true;
    }
    return false;
}

/* What solved the problem may be one solution of many, by the order of contacts. That of the modes which its
 * velocities alone show, where there is one, is not. */
static void solve_again(problem *q)
{
    memcpy(q->best, q->p, (size_t)q->side * sizeof *q->p);
    for (int i = 0; i < q->n; i++) {
        const double *v = q->v + 2 * i, *scale = q->scale + 2 * i;
        double small = q->solved;
        bool slides = fabs(v[T]) * scale[T] > small && fabs(v[T]) > q->rounding;
        q->mode[i].closed = !q->c[i].held && v[N] * scale[N] <= fmax(small, q->rounding * scale[N]);
        if (rubs(&q->c[i])) q->mode[i].s = !slides ? 0 : v[T] > 0 ? 1 : -1;
    }
    q->residual = 0; /* what is best stays */
    if (!search(q, false, q->n + FEW)) memcpy(q->p, q->best, (size_t)q->side * sizeof *q->p);
}

/* What is left of a residual is taken from p, which is in its cone then. */
static void bring_inside(problem *q)
{
    for (int i = 0; i < q->n; i++) {
        const pc_rubbing *c = &q->c[i];
        double *p = q->p + 2 * i, bound = c->mu * (p[N] = c->held ? c->given : fmax(p[N], c->given));
        p[T] = c->slip ? -c->slip * bound : fmax(-bound, fmin(bound, p[T]));
    }
}

/* First the modes of contacts without impulses but the given ones, of which those that do not separate are closed.
 * Returns the greatest velocity; 0: nothing approaches, and this is the solution. */
static double start(problem *q)
{
    double speed = 0;
    bool approach = false;
    for (int i = 0; i < q->n; i++) {
        const pc_rubbing *c = &q->c[i];
        q->mode[i] = (mode){.s = c->slip ? (signed char)c->slip : rubs(c) ? 0 : 1};
        q->p[2 * i + N] = c->given;
        q->p[2 * i + T] = -c->slip * c->mu * c->given;
    }
    find_velocities(q);
    for (int i = 0; i < q->n; i++) {
        double vn = q->v[2 * i + N];
        q->mode[i].closed = !q->c[i].held && vn <= q->rounding;
        approach |= q->c[i].given > 0 || (vn < 0 && !q->c[i].held);
        for (int k = 2 * i; k < 2 * i + 2; k++) speed = fmax(speed, fmax(fabs(q->b[k]), fabs(q->v[k])) * q->scale[k]);
    }
    return approach ? speed : 0;
}

bool pc_friction_solve(int n, const pc_rubbing *contacts, const double *W, const double *b, double rounding, double *p,
                       double *work, int *index)
{
    int side = 2 * n;
    problem q = {.n = n,
                 .side = side,
                 .c = contacts,
                 .W = W,
                 .b = work,
                 .v = work + side,
                 .scale = work + 2 * side,
                 .best = work + 3 * side,
                 .work = work + 4 * side,
                 .p = p,
                 .rounding = rounding,
                 .residual = INFINITY,
                 .row = index,
                 .mode = (mode *)(index + side),
                 .seen = (mode *)(index + side) + n,
                 .index = index + 2 * side};
    for (int i = 0; i < side; i++) {
        /* what moves in one direction only (a link along itself) has a mobility of rounding in the other */
        double own = W[i * (side + 1)], other = W[(i ^ 1) * (side + 1)], size = fmax(own, pc_rank_bound(other));
        q.b[i] = fabs(b[i]) <= rounding ? 0 : b[i];
        q.scale[i] = size > 0 ? 1 / sqrt(size) : 1;
    }
    double speed = start(&q), least = side * DBL_EPSILON;
    if (speed == 0) return true;
    q.solved = pc_rank_bound(speed);
    if (search(&q, false, n + FEW)) {
        bring_inside(&q);
        return true;
    }
    if (search_from_complementary(&q, least)) {
        solve_again(&q);
    } else {
        /* A direction turned by an angle out of those of others has a pivot of its square: an approach by the root of a
         * rounding is in directions of which W knows nothing. */
        if (!(q.residual <= sqrt(least) * speed)) return false;
        memcpy(p, q.best, (size_t)side * sizeof *p);
    }
    bring_inside(&q);
    return true;
}
