/* Friction at several planar contacts: see friction.h.
 *
 * First the linear complementarity problem of Anitescu and Potra (1997), by Lemke's method: x = p_n - given, the parts
 * of p_t along +t and -t, and a slack l of the cone,
 *
 *     0 <= x   with v_n >= 0,   0 <= p+ with l + v_t >= 0,   0 <= p- with l - v_t >= 0,   0 <= l with mu p_n - p+ - p-.
 *
 * Its matrix is copositive, so that the method ends with a solution where rounding lets it. Where it does not (many
 * conditions that follow from each other), contact after contact is solved alone, again and again, until the states
 * open, stick, slip are those of a solution; the equations of these states then give it to rounding.
 */
#include "math/friction.h"

#include "base/tolerance.h"
#include "math/lcp.h"
#include "math/linsolve.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { T = 0, N = 1 };
enum { SWEEPS = 321 };

/* Residuals of a solution, as a share of the largest terms: what elimination leaves of a few dozen equations. */
static const double SOLVED = 1e-10;

/* Rounding of the right-hand sides as a share of the greatest; that of right-hand sides of which no two are alike need
 * not be taken for a tie. */
static const double TIE = 1e-13, TIE_APART = 1e-15;

/* Pivots below this share of the largest belong to conditions that follow from others: W rounds at a few 1e-16. */
static const double DEPENDENT = 1e-11;

size_t pc_friction_room(int n)
{
    size_t side = 4 * (size_t)n, own = 2 * (size_t)n;
    size_t complementary = own + side * side + 2 * side + pc_lcp_room(4 * n);
    size_t direct = own * (own + 1) + 2 * own;
    return 2 * own + (complementary > direct ? complementary : direct);
}

size_t pc_friction_indices(int n)
{
    return 8 * (size_t)n + 1;
}

static void velocities(int n, const double *W, const double *b, const double *p, double *v)
{
    for (int i = 0; i < 2 * n; i++) {
        v[i] = b[i];
        for (int j = 0; j < 2 * n; j++) v[i] += W[i * 2 * n + j] * p[j];
    }
}

/* rounding: of b. soft: contacts give by this share, which makes every problem without given slips a regular one.
 * apart: velocities by which all of b is moved away from the bounds, no two alike. */
typedef struct equations {
    int n;
    const pc_rubbing *c;
    const double *W, *b;
    double rounding, soft, apart;
} equations;

/* Rounding of the terms in a velocity, as a share of the greatest, beyond which nothing is known of it. */
static const double DWARFED = 1e-6;

/* True if p solves the problem, up to a share of the velocities. */
static bool solves(const equations *e, double share, const double *p, double *v)
{
    int n = e->n;
    const pc_rubbing *c = e->c;
    const double *W = e->W, *b = e->b;
    double speed = 0, terms = 0, most = 0;
    velocities(n, W, b, p, v);
    for (int i = 0; i < 2 * n; i++) {
        for (int j = 0; j < 2 * n; j++) terms = fmax(terms, fabs(W[i * 2 * n + j] * p[j]));
        speed = fmax(speed, fmax(fabs(b[i]), fabs(v[i])));
        most = fmax(most, fabs(p[i]));
        if (!isfinite(v[i])) return false;
    }
    /* terms that dwarf all velocities are no solution that could be trusted */
    double round = pc_rounding(terms);
    if (round > fmax(DWARFED * speed, e->rounding)) return false;
    double small = fmax(fmax(share * speed, round), e->rounding), little = share * most;
    for (int i = 0; i < n; i++) {
        double x = p[2 * i + N] - c[i].given, vt = v[2 * i + T], vn = v[2 * i + N], pt = p[2 * i + T];
        double bound = c[i].mu * p[2 * i + N];
        if (!c[i].held && (x < -little || vn < -small || (x > little && vn > small))) return false;
        if (c[i].held && fabs(x) > little) return false;
        if (c[i].slip != 0 && fabs(pt + c[i].slip * bound) > little) return false;
        if (c[i].slip != 0) continue;
        if (fabs(pt) > bound + little) return false;
        if (fabs(vt) > small && fabs(pt + (vt > 0 ? bound : -bound)) > little) return false;
    }
    return true;
}

/* ---- as a complementarity problem ---- */

/* Columns and rows of a contact in it; -1: it has none. */
typedef struct place {
    int x, plus, minus, slack;
} place;

static int count_places(const pc_rubbing *c, int next, place *at)
{
    at->x = c->held ? -1 : next++;
    bool rubs = c->slip == 0 && c->mu > 0;
    at->plus = rubs ? next++ : -1;
    at->minus = rubs ? next++ : -1;
    at->slack = rubs ? next++ : -1;
    return next;
}

/* What friction goes with a normal impulse of 1. */
static double carried(const pc_rubbing *c)
{
    return -c->slip * c->mu;
}

/* Row of M: `sign` times the velocity `row` in the unknowns. */
static double fill_row(const equations *e, int row, double sign, double *M)
{
    int n = e->n;
    const pc_rubbing *c = e->c;
    const double *w = e->W + row * 2 * n;
    double q = sign * e->b[row], give = sign * e->soft * w[row];
    for (int j = 0, next = 0; j < n; j++) {
        place at;
        next = count_places(&c[j], next, &at);
        double normal = w[2 * j + N] + carried(&c[j]) * w[2 * j + T];
        q += sign * normal * c[j].given;
        if (at.x >= 0) M[at.x] = sign * normal + (row == 2 * j + N ? give : 0);
        if (at.plus < 0) continue;
        M[at.plus] = sign * w[2 * j + T] + (row == 2 * j + T ? give : 0);
        M[at.minus] = -M[at.plus];
    }
    return q;
}

/* Multiples of the golden ratio, less whole numbers, are nowhere near one another. */
static void move_apart(const equations *e, double *q)
{
    double mobility = 0;
    int size = 0;
    for (int i = 0; i < e->n; i++) mobility = fmax(mobility, e->W[(2 * i + N) * (2 * e->n + 1)]);
    for (int i = 0; i < e->n; i++) {
        place at;
        for (int k = size, end = size = count_places(&e->c[i], size, &at); k < end; k++)
            q[k] += e->apart * (1 + fmod(0.6180339887498949 * k, 1)) / (k == at.slack ? mobility : 1);
    }
}

static bool solve_complementary(const equations *e, double *p, double *work, int *index)
{
    const pc_rubbing *c = e->c;
    int n = e->n, size = 0, next = 0;
    place at;
    for (int i = 0; i < n; i++) size = count_places(&c[i], size, &at);
    double *M = work, *q = M + size * size, *z = q + size, *lcp = z + size;
    memset(M, 0, (size_t)size * (size_t)size * sizeof *M);
    for (int i = 0; i < n; i++) {
        next = count_places(&c[i], next, &at);
        if (at.x >= 0) q[at.x] = fill_row(e, 2 * i + N, 1, M + at.x * size);
        if (at.plus < 0) continue;
        q[at.plus] = fill_row(e, 2 * i + T, 1, M + at.plus * size);
        q[at.minus] = fill_row(e, 2 * i + T, -1, M + at.minus * size);
        M[at.plus * size + at.slack] = M[at.minus * size + at.slack] = 1;
        if (at.x >= 0) M[at.slack * size + at.x] = c[i].mu;
        M[at.slack * size + at.plus] = M[at.slack * size + at.minus] = -1;
        q[at.slack] = c[i].mu * c[i].given;
    }
    if (e->apart > 0) move_apart(e, q);
    if (!pc_lcp_solve(size, M, q, e->apart > 0 ? TIE_APART : TIE, z, lcp, index)) return false;
    next = 0;
    for (int i = 0; i < n; i++) {
        next = count_places(&c[i], next, &at);
        p[2 * i + N] = c[i].given + (at.x >= 0 ? z[at.x] : 0);
        p[2 * i + T] = at.plus >= 0 ? z[at.plus] - z[at.minus] : carried(&c[i]) * p[2 * i + N];
    }
    return true;
}

/* ---- by states ---- */

typedef enum state { OPEN, STICK, FORWARD, BACKWARD } state;

static int slip_of(int s)
{
    return s == FORWARD ? 1 : s == BACKWARD ? -1 : 0;
}

/* The states that p and v show. A contact with given slip, or a held one, is never open. */
static void guess_states(const equations *e, const double *p, const double *v, int *states)
{
    for (int i = 0; i < e->n; i++) {
        const pc_rubbing *c = &e->c[i];
        double bound = c->mu * p[2 * i + N], pt = p[2 * i + T], vt = v[2 * i + T];
        int slip = vt > 0 ? 1 : vt < 0 ? -1 : pt > 0 ? -1 : 1;
        if (!c->held && !(p[2 * i + N] > c->given))
            states[i] = OPEN;
        else if (fabs(pt) < bound * (1 - PC_ROUNDING))
            states[i] = STICK;
        else
            states[i] = slip > 0 ? FORWARD : BACKWARD;
    }
}

/* The impulses that follow from states: an open contact has its given part, with friction that opposes its slip. */
static void follow_states(const equations *e, const int *states, const double *v, double *p, double *work, int *index)
{
    int n = e->n, side = 2 * n, size = 0, *row = index + side;
    for (int i = 0; i < n; i++) {
        const pc_rubbing *c = &e->c[i];
        bool sticks = c->slip == 0 && states[i] == STICK;
        int slip = c->slip ? c->slip : states[i] == OPEN ? (v[2 * i + T] < 0 ? -1 : 1) : slip_of(states[i]);
        if (!c->held && states[i] != OPEN) row[size++] = 2 * i + N;
        if (sticks) row[size++] = 2 * i + T;
        p[2 * i + N] = c->given;
        p[2 * i + T] = -slip * c->mu; /* per unit of p_n: the friction of what slips comes with its normal impulse */
    }
    double *A = work, *x = work + size * (size + 1);
    for (int k = 0; k < size; k++) {
        double rest = -e->b[row[k]];
        const double *w = e->W + row[k] * side;
        for (int j = 0, col = 0; j < n; j++) {
            bool closed = col < size && row[col] == 2 * j + N;
            double normal = w[2 * j + N] + p[2 * j + T] * w[2 * j + T];
            if (closed)
                A[k * (size + 1) + col++] = normal;
            else
                rest -= normal * p[2 * j + N];
            if (col < size && row[col] == 2 * j + T) A[k * (size + 1) + col++] = w[2 * j + T];
        }
        A[k * (size + 1) + size] = rest;
    }
    pc_solve_dependent(A, size, DEPENDENT, x, index);
    for (int j = 0, col = 0; j < n; j++) {
        if (col < size && row[col] == 2 * j + N) p[2 * j + N] = x[col++];
        if (col < size && row[col] == 2 * j + T)
            p[2 * j + T] = x[col++];
        else
            p[2 * j + T] *= p[2 * j + N];
    }
}

/* Put right what their solution contradicts. False: nothing. */
static bool correct_states(const equations *e, const double *p, const double *v, int *states)
{
    bool changed = false;
    for (int i = 0; i < e->n; i++) {
        const pc_rubbing *c = &e->c[i];
        double pt = p[2 * i + T], vt = v[2 * i + T];
        int now = states[i];
        if (now == OPEN && v[2 * i + N] < -e->rounding)
            now = STICK;
        else if (now != OPEN && !c->held && p[2 * i + N] < c->given)
            now = OPEN;
        else if (c->slip == 0 && now == STICK && fabs(pt) > c->mu * p[2 * i + N])
            now = pt > 0 ? BACKWARD : FORWARD;
        else if (c->slip == 0 && slip_of(now) * vt < -e->rounding)
            now = STICK;
        changed |= now != states[i];
        states[i] = now;
    }
    return changed;
}

/* From the states that p shows to those of a solution, if that is not far. */
static bool solve_states(const equations *e, double *p, double *v, double *work, int *index)
{
    enum { TURNS = 12 };
    int *states = index + 4 * e->n;
    guess_states(e, p, v, states);
    for (int turn = 0; turn < TURNS; turn++) {
        follow_states(e, states, v, p, work, index);
        if (solves(e, SOLVED, p, v)) return true;
        if (!correct_states(e, p, v, states)) return false;
    }
    return false;
}

/* ---- contact by contact ---- */

/* The impulse of one contact alone, for velocities w that it would have without; its block is W. */
static void solve_alone(const pc_rubbing *c, double tt, double tn, double nt, double nn, const double w[2], double p[2])
{
    double g = c->given;
    if (c->slip != 0) {
        double rate = nn + carried(c) * nt;
        p[N] = c->held || !(rate > 0) ? g : fmax(g, -w[N] / rate);
        p[T] = carried(c) * p[N];
        return;
    }
    double bound = c->mu * g, stop = tt > 0 ? -(w[T] + tn * g) / tt : 0;
    p[N] = g;
    p[T] = fmax(-bound, fmin(bound, stop));
    if (c->held || w[N] + nt * p[T] + nn * g >= 0) return; /* it opens */
    double det = tt * nn - tn * nt;
    if (det > DEPENDENT * tt * nn) { /* it sticks */
        p[T] = -(nn * w[T] - tn * w[N]) / det;
        p[N] = -(tt * w[N] - nt * w[T]) / det;
        if (p[N] >= g && fabs(p[T]) <= c->mu * p[N]) return;
    }
    for (int slip = -1; slip <= 1; slip += 2) {
        double rate = nn - slip * c->mu * nt;
        p[N] = rate > 0 ? fmax(g, -w[N] / rate) : g;
        p[T] = -slip * c->mu * p[N];
        if (slip * (w[T] + tt * p[T] + tn * p[N]) >= 0) return;
    }
}

/* One round over all contacts; v is kept up to date. */
static void sweep(const equations *e, double *p, double *v)
{
    int n = e->n, side = 2 * n;
    for (int i = 0; i < n; i++) {
        const double *rt = e->W + (2 * i + T) * side, *rn = e->W + (2 * i + N) * side;
        double tt = rt[2 * i + T], tn = rt[2 * i + N], nt = rn[2 * i + T], nn = rn[2 * i + N];
        double old[2] = {p[2 * i + T], p[2 * i + N]}, own[2];
        double w[2] = {v[2 * i + T] - tt * old[T] - tn * old[N], v[2 * i + N] - nt * old[T] - nn * old[N]};
        solve_alone(&e->c[i], tt, tn, nt, nn, w, own);
        for (int k = 0; k < 2; k++) {
            double change = own[k] - old[k];
            p[2 * i + k] = own[k];
            for (int j = 0; j < side; j++) v[j] += e->W[j * side + 2 * i + k] * change;
        }
    }
}

static bool solve_in_turn(const equations *e, double *p, double *v, double *work, int *index)
{
    int n = e->n;
    const pc_rubbing *c = e->c;
    const double *W = e->W, *b = e->b;
    double *kept = work, *rest = work + 2 * n;
    for (int i = 0; i < n; i++) {
        p[2 * i + N] = c[i].given;
        p[2 * i + T] = carried(&c[i]) * c[i].given;
    }
    velocities(n, W, b, p, v);
    for (int done = 0, next = 5; done < SWEEPS; done++) {
        if (done < next) {
            sweep(e, p, v);
            continue;
        }
        next *= 4;
        memcpy(kept, p, 2 * (size_t)n * sizeof *kept);
        if (solve_states(e, p, v, rest, index)) return true;
        memcpy(p, kept, 2 * (size_t)n * sizeof *kept);
        velocities(n, W, b, p, v);
    }
    return solves(e, SOLVED, p, v);
}

/* Bodies that jam one another without any play (a row of discs between walls, as wide as the room there is) make W so
 * nearly singular that neither way ends. Contacts that give a little show the states; where those do not lead to a
 * solution either, what is left of the approach with such contacts is that little. */
static bool solve_softly(equations *e, double *p, double *v, double *work, int *index)
{
    static const double SOFT[] = {1e-11, 1e-9};
    double *kept = work, *rest = work + 2 * e->n;
    for (int k = 0; k < 2; k++) {
        e->soft = SOFT[k];
        if (!solve_complementary(e, p, rest, index)) continue;
        memcpy(kept, p, 2 * (size_t)e->n * sizeof *kept);
        velocities(e->n, e->W, e->b, p, v);
        if (solve_states(e, p, v, rest, index)) return true;
        memcpy(p, kept, 2 * (size_t)e->n * sizeof *kept);
        if (solves(e, fmax(SOLVED, 10 * SOFT[k]), p, v)) return true;
    }
    return false;
}

/* Where many conditions are at their bounds at once (what rests, while next to nothing approaches), rounding leads the
 * method astray. It is not, where all of them are moved away a little; the states of that solution are those of the
 * problem, or near. */
static bool solve_apart(equations *e, double *p, double *v, double *work, int *index)
{
    static const double SHARES[] = {1e-7, 1e-5, 1e-3, 0.1}, SOFT[] = {0, 1e-9};
    double approach = 0;
    for (int i = 0; i < e->n; i++) approach = fmax(approach, -e->b[2 * i + N]);
    for (int k = 0; k < 8 && approach > 0; k++) {
        e->apart = SHARES[k % 4] * approach;
        e->soft = SOFT[k / 4];
        if (!solve_complementary(e, p, work, index)) continue;
        velocities(e->n, e->W, e->b, p, v);
        if (solves(e, SOLVED, p, v) || solve_states(e, p, v, work, index)) return true;
    }
    e->apart = e->soft = 0;
    return false;
}

bool pc_friction_solve(int n, const pc_rubbing *contacts, const double *W, const double *b, double rounding, double *p,
                       double *work, int *index)
{
    double *v = work, *clean = v + 2 * n, *rest = clean + 2 * n;
    for (int i = 0; i < 2 * n; i++) clean[i] = fabs(b[i]) <= rounding ? 0 : b[i];
    equations e = {.n = n, .c = contacts, .W = W, .b = clean, .rounding = rounding};
    return (solve_complementary(&e, p, rest, index) && solves(&e, SOLVED, p, v)) ||
           solve_in_turn(&e, p, v, rest, index) || solve_apart(&e, p, v, rest, index) ||
           solve_softly(&e, p, v, rest, index);
}
