/* The path through impulse space with couples: see impulse_rolling.h. */
#include "law/rigid/impulse_rolling.h"

#include "law/rigid/impulse_walk.h"
#include "math/linsolve.h"
#include "math/roots.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Components: velocities along t, n, t2, then rates about them. */
enum { RATES = 3, SIDE = PC_TURNING_SIDE, CONES = 3 };

/* Events of one impact: each cone stops or starts, compression ends. A handful; more than this never ends. */
enum { EVENTS_MOST = 10000 };

/* What is left of a velocity that comes to rest while others swerve, as a share of the greatest that the energy allows:
 * above what integration leaves of zero, below all that results show. */
static const double AT_REST = 1e-13;

/* Where several come to rest at once and their directions turn faster and faster, each step gains little: after so many
 * events ten times as much is rest with every hundred more, up to a share that is still far below any velocity. */
enum { PATIENCE = 200, MORE = 100 };
static const double AT_REST_MOST = 1e-8;

static double at_rest(int event)
{
    return event <= PATIENCE ? AT_REST : fmin(AT_REST * pow(10, (double)(event - PATIENCE) / MORE), AT_REST_MOST);
}

/* Below this share a velocity may be about to come to rest while it grows. */
static const double NEAR_REST = 1e-6;

/* What of a velocity counts as its direction: below, the direction is the one in which it started. */
static const double AIMED = 1e-14;

/* The first step of what starts, as a share of that: its square is nothing. */
static const double STARTED = 1e-8;

/* How far a curved step goes towards the place where a velocity might be zero, beyond which series end. */
static const double SHARE = 0.5;

/* The error of a curved step, as a share of the greatest velocities. */
static const double STEP_ERROR = 1e-14;

/* The same where slip creeps: slow beside the greatest velocity, and its rate beside what its force alone would make of
 * it. There the direction settles faster than anything else goes on. */
static const double CREEP_ERROR = 1e-12, SLOW = 0.1, BALANCED = 0.3;

typedef struct cone {
    int dim, row[2];
    double moving, holding; /* bounds on its force per unit of p_n */
    double scale;           /* greatest velocity that the energy allows */
    bool rests, broken;     /* at zero velocity; has just been torn from it */
    double f[2], aim[2];    /* force at rest; direction of slip where that cannot be seen */
} cone;

typedef struct point { /* a place on the path: the vector that is integrated */
    double v[SIDE], p[SIDE], work_n, work_f;
} point;
enum { POINT = sizeof(point) / sizeof(double) };

typedef struct path {
    pc_impact *impact;
    double M[SIDE][SIDE];
    int n_cones, d;
    cone cones[CONES];
    bool singular;
    double most_n; /* greatest |v_n| that the energy allows */
    double next;   /* length of the next step that creeps; 0: it is the first */
    point at;
    /* of those at rest: their rows, the inverse of M between them, what more their forces are where that leaves a
     * choice, and what cannot move without them */
    int n_held, held[SIDE];
    double inverse[SIDE][SIDE], more[SIDE];
    bool fixed[SIDE];
} path;

/* ---- the matrix ---- */

static void add_cone(path *r, int first, int second, double moving, double holding, double energy)
{
    double w = fmax(r->M[first][first], second < 0 ? 0 : r->M[second][second]);
    cone *c = &r->cones[r->n_cones];
    if (!(w > 0) || holding == 0) return; /* nothing turns there, or nothing holds it */
    *c = (cone){.dim = second < 0 ? 1 : 2,
                .row = {first, second < 0 ? first : second},
                .moving = moving,
                .holding = holding,
                .scale = sqrt(2 * energy * w)};
    r->n_cones++;
}

static double size_of(const cone *c, const double *v)
{
    return c->dim == 1 ? fabs(v[c->row[0]]) : hypot(v[c->row[0]], v[c->row[1]]);
}

static void open_path(path *r, const pc_coulomb *coulomb, const pc_turning_resistance *resistance, const pc_mobility *W,
                      const double v0[3])
{
    int rank, rows = 0;
    bool space = W->t2t2 > 0;
    memset(r, 0, sizeof *r);
    pc_mobility_turning_matrix(W, r->M);
    for (int i = 0; i < 3; i++) {
        r->at.v[i] = v0[i];
        r->at.v[RATES + i] = W->turning->rate[i];
    }
    double energy = pc_mobility_turning_energy(W, v0, &rank);
    for (int i = 0; i < SIDE; i++) rows += r->M[i][i] > 0;
    r->singular = rank < rows;
    r->d = space ? 3 : 2;
    r->most_n = sqrt(2 * energy * r->M[PC_N][PC_N]);
    add_cone(r, PC_T, space ? PC_T2 : -1, coulomb->friction, coulomb->static_friction, energy);
    add_cone(r, RATES + PC_T2, space ? RATES + PC_T : -1, resistance->rolling, resistance->rolling, energy);
    add_cone(r, RATES + PC_N, -1, resistance->twisting, resistance->twisting, energy);
    for (int i = 0; i < r->n_cones; i++) r->cones[i].rests = size_of(&r->cones[i], r->at.v) == 0;
}

/* ---- forces ---- */

/* Unit direction in which a cone slips. */
static void direction_of(const cone *c, const double *v, double s[2])
{
    double size = size_of(c, v);
    bool seen = size > AIMED * c->scale || (size > 0 && c->aim[0] == 0 && c->aim[1] == 0);
    for (int k = 0; k < 2; k++) s[k] = k >= c->dim ? 0 : seen ? v[c->row[k]] / size : c->aim[k];
}

/* The rates of velocities, and forces, per unit of p_n, with those at rest held. */
static void rates_at(const path *r, const double *v, double f[SIDE], double dv[SIDE])
{
    for (int i = 0; i < SIDE; i++) f[i] = i == PC_N;
    for (int i = 0; i < r->n_cones; i++) {
        const cone *c = &r->cones[i];
        double s[2];
        if (c->rests) continue;
        direction_of(c, v, s);
        for (int k = 0; k < c->dim; k++) f[c->row[k]] = -c->moving * s[k];
    }
    double load[SIDE];
    for (int a = 0; a < r->n_held; a++) {
        load[a] = 0;
        for (int j = 0; j < SIDE; j++) load[a] += r->M[r->held[a]][j] * f[j];
    }
    for (int a = 0; a < r->n_held; a++) {
        f[r->held[a]] = r->more[a];
        for (int b = 0; b < r->n_held; b++) f[r->held[a]] -= r->inverse[a][b] * load[b];
    }
    for (int i = 0; i < SIDE; i++) {
        dv[i] = 0;
        for (int j = 0; j < SIDE; j++) dv[i] += r->M[i][j] * f[j];
    }
    for (int a = 0; a < r->n_held; a++) dv[r->held[a]] = 0;
    for (int i = 0; i < SIDE && r->singular; i++)
        if (r->fixed[i]) dv[i] = 0;
}

static void put_at_rest(path *r, cone *c)
{
    c->rests = true;
    c->aim[0] = c->aim[1] = 0;
    for (int k = 0; k < c->dim; k++) r->at.v[c->row[k]] = 0;
}

static void list_held(path *r)
{
    r->n_held = 0;
    for (int i = 0; i < r->n_cones; i++)
        for (int k = 0; k < r->cones[i].dim && r->cones[i].rests; k++)
            if (r->M[r->cones[i].row[k]][r->cones[i].row[k]] > 0) r->held[r->n_held++] = r->cones[i].row[k];
}

/* The inverse of M between the rows that are held, as far as they are independent; of the others it has zeros. */
static void invert_held(path *r)
{
    const int n = r->n_held;
    double size[SIDE];
    int order[SIDE];
    for (int a = 0; a < n; a++) {
        size[a] = sqrt(r->M[r->held[a]][r->held[a]]);
        r->more[a] = 0;
    }
    for (int column = 0; column < n; column++) {
        double A[SIDE * (SIDE + 1)], x[SIDE];
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < n; b++) A[a * (n + 1) + b] = r->M[r->held[a]][r->held[b]] / (size[a] * size[b]);
            A[a * (n + 1) + n] = a == column ? 1 : 0;
        }
        pc_solve_dependent(A, n, 1, PC_RANK_TOLERANCE, true, x, order);
        for (int a = 0; a < n; a++) r->inverse[a][column] = x[a] / (size[a] * size[column]);
    }
}

/* What moves only together with what is held: it rests as well, whatever rounding has left of it. True: cones that did
 * not rest do so now. */
static bool find_fixed(path *r)
{
    bool any = false;
    for (int k = 0; k < SIDE; k++) {
        double free = r->M[k][k];
        for (int a = 0; a < r->n_held; a++)
            for (int b = 0; b < r->n_held; b++) free -= r->M[k][r->held[a]] * r->inverse[a][b] * r->M[r->held[b]][k];
        r->fixed[k] = r->n_held > 0 && free <= PC_COINCIDENCE * r->M[k][k];
        if (r->fixed[k]) r->at.v[k] = 0;
    }
    for (int i = 0; i < r->n_cones; i++) {
        cone *c = &r->cones[i];
        bool rests = !c->rests && r->fixed[c->row[0]] && (c->dim == 1 || r->fixed[c->row[1]]);
        if (rests) put_at_rest(r, c);
        any |= rests;
    }
    return any;
}

static void find_held(path *r)
{
    do {
        list_held(r);
        invert_held(r);
    } while (r->singular && find_fixed(r));
}

/* The f of least f.A f/2 + b.f with |f| <= bound, of a cone; A is its own block. Outside of its bound (A + l 1) f = -b
 * with |f| = bound, and -l f is the rate at which it starts. */
static void least_within(const cone *c, double A[2][2], const double b[2], double bound, double f[2])
{
    if (c->dim == 1) {
        double free = A[0][0] > 0 ? -b[0] / A[0][0] : 0;
        f[0] = fmax(-bound, fmin(bound, free));
        f[1] = 0;
        return;
    }
    double mean = (A[0][0] + A[1][1]) / 2, half = (A[0][0] - A[1][1]) / 2, spread = hypot(half, A[0][1]);
    double turn = 0.5 * atan2(A[0][1], half), co = cos(turn), si = sin(turn);
    double high = mean + spread, low = fmax(mean - spread, 0);
    double x = co * b[0] + si * b[1], y = co * b[1] - si * b[0], l = 0;
    if (!(low > PC_RANK_TOLERANCE * high) && fabs(y) <= PC_RANK_TOLERANCE * hypot(x, y)) {
        y = 0;
        low = high;
    }
    if (hypot(x / high, y / low) > bound) {
        /* Newton on 1/|f|, which is nearly linear in l and concave: from below it comes up to the root */
        l = fmax(0, hypot(x, y) / bound - high);
        for (int i = 0; i < 60; i++) {
            double fx = x / (high + l), fy = y / (low + l), size = hypot(fx, fy);
            double slope = (fx * fx / (high + l) + fy * fy / (low + l)) / (size * size * size);
            double step = (1 / bound - 1 / size) / slope;
            l += step;
            if (!(fabs(step) > 4 * DBL_EPSILON * (high + l))) break;
        }
    }
    double fx = -x / (high + l), fy = -y / (low + l);
    f[0] = co * fx - si * fy;
    f[1] = si * fx + co * fy;
}

static double bound_of(const cone *c)
{
    return c->broken ? c->moving : c->holding;
}

/* Forces of the cones at rest under what the others do, one after the other until they agree: the minimum of a convex
 * function, which each step lowers. */
static void balance_rests(path *r, double *f)
{
    enum { SWEEPS = 100000 };
    for (int i = 0; i < r->n_cones; i++)
        for (int k = 0; k < r->cones[i].dim && r->cones[i].rests; k++) f[r->cones[i].row[k]] = r->cones[i].f[k];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double change = 0;
        for (int i = 0; i < r->n_cones; i++) {
            cone *c = &r->cones[i];
            double A[2][2], b[2] = {0}, next[2], bound = bound_of(c);
            if (!c->rests) continue;
            for (int k = 0; k < c->dim; k++) {
                for (int j = 0; j < SIDE; j++) b[k] += r->M[c->row[k]][j] * f[j];
                for (int j = 0; j < c->dim; j++) {
                    A[k][j] = r->M[c->row[k]][c->row[j]];
                    b[k] -= A[k][j] * f[c->row[j]];
                }
            }
            least_within(c, A, b, bound, next);
            double size = hypot(next[0], next[1]);
            for (int k = 0; k < c->dim; k++) {
                double d = fabs(next[k] - f[c->row[k]]);
                if (d > 16 * DBL_EPSILON * size) change = fmax(change, d);
                f[c->row[k]] = c->f[k] = next[k];
            }
        }
        if (change == 0) break;
    }
}

/* How a cone at rest starts under forces, as a share of the terms: rounding where others hold it with it. */
static double start_of(const path *r, const cone *c, const double *f)
{
    double rate = 0, terms = 0;
    for (int k = 0; k < c->dim; k++) {
        double sum = 0;
        for (int j = 0; j < SIDE; j++) {
            sum += r->M[c->row[k]][j] * f[j];
            terms += fabs(r->M[c->row[k]][j] * f[j]);
        }
        rate += fabs(sum);
    }
    return terms > 0 ? rate / terms : 0;
}

/* Force of a cone against its bound, 1 at it. */
static double share_of_bound(const cone *c, const double *f)
{
    double size = size_of(c, f), bound = bound_of(c);
    return size == 0 ? 0 : size / bound;
}

/* Which of those at rest stay there: all, if what holds them is within the bounds; else those that the balance leaves
 * within. The others start against their forces. */
static void decide(path *r)
{
    double f[SIDE], dv[SIDE];
    bool starts[CONES] = {false}, any = false;
    const double *v = r->at.v;
    find_held(r);
    rates_at(r, v, f, dv);
    for (int i = 0; i < r->n_cones; i++) {
        cone *c = &r->cones[i];
        if (!c->rests) continue;
        for (int k = 0; k < 2; k++) c->f[k] = k < c->dim ? f[c->row[k]] : 0;
        any |= c->broken || share_of_bound(c, f) > 1 + PC_RANK_TOLERANCE;
    }
    if (!any) return;
    /* a kinetic bound below the static one: what starts by the one is resisted by the other */
    for (int pass = 0; pass < 2; pass++) {
        balance_rests(r, f);
        bool more = false;
        for (int i = 0; i < r->n_cones; i++) {
            cone *c = &r->cones[i];
            if (!c->rests) continue;
            bool free = c->broken || start_of(r, c, f) > PC_RANK_TOLERANCE;
            starts[i] = free && share_of_bound(c, f) >= 1 - (c->broken ? 1e-6 : PC_RANK_TOLERANCE);
            if (starts[i] && !c->broken && c->moving < c->holding) more = c->broken = true;
        }
        if (!more) break;
    }
    for (int i = 0; i < r->n_cones; i++) {
        cone *c = &r->cones[i];
        c->broken = false;
        if (!starts[i]) continue;
        double size = hypot(c->f[0], c->f[1]);
        for (int k = 0; k < 2; k++) c->aim[k] = size > 0 ? -c->f[k] / size : 0;
        c->rests = size == 0 && c->moving > 0;
    }
    find_held(r);
    if (!r->singular) return;
    /* the forces that were found within the bounds, of all that would do */
    rates_at(r, v, f, dv);
    for (int a = 0; a < r->n_held; a++)
        for (int i = 0; i < r->n_cones; i++)
            for (int k = 0; k < r->cones[i].dim; k++)
                if (r->cones[i].row[k] == r->held[a]) r->more[a] = r->cones[i].f[k] - f[r->held[a]];
}

/* ---- steps ---- */

static void slope_at(const path *r, const point *at, double *slope)
{
    double f[SIDE], dv[SIDE], work_f = 0;
    rates_at(r, at->v, f, dv);
    for (int i = 0; i < SIDE; i++)
        if (i != PC_N) work_f += f[i] * at->v[i];
    memcpy(slope, dv, sizeof dv);
    memcpy(slope + SIDE, f, sizeof f);
    slope[2 * SIDE] = at->v[PC_N];
    slope[2 * SIDE + 1] = work_f;
}

/* A straight step: velocities are linear in p_n, so works are trapezia. */
static void step_straight(const path *r, double x, point *to)
{
    double slope[POINT];
    const point *from = &r->at;
    point end = *from;
    slope_at(r, from, slope);
    end.work_n += x * (from->v[PC_N] + 0.5 * x * slope[PC_N]);
    for (int i = 0; i < SIDE; i++) {
        double dp = slope[SIDE + i] * x;
        if (i != PC_N) end.work_f += dp * (from->v[i] + 0.5 * x * slope[i]);
        end.v[i] += slope[i] * x;
        end.p[i] += dp;
    }
    *to = end;
}

/* Put a column, of column + 1 times the fewest steps, into the table of Aitken and Neville; its first is the result. Of
 * a method whose error goes in powers 1 or 2 of the step. */
static void extrapolate(double table[][POINT], int column, int power)
{
    for (int k = column; k > 0; k--) {
        double ratio = (double)(column + 1) / k, less = (power == 2 ? ratio * ratio : ratio) - 1;
        for (int i = 0; i < POINT; i++) table[k - 1][i] = table[k][i] + (table[k][i] - table[k - 1][i]) / less;
    }
}

/* The error as a multiple of what it may be, the share `allowed` of the greatest velocities. */
static double extrapolation_error(const path *r, double table[][POINT], double allowed)
{
    double error = 0;
    for (int i = 0; i < r->n_cones; i++)
        for (int k = 0; k < r->cones[i].dim; k++) {
            const int row = r->cones[i].row[k];
            error = fmax(error, fabs(table[0][row] - table[1][row]) / (allowed * r->cones[i].scale));
        }
    return error;
}

/* A curved step by Gragg's method, extrapolated (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I,
 * II.9). Returns its error as a multiple of what it may be. */
static double step_curved(const path *r, double x, point *to)
{
    enum { COLUMNS = 8 };
    double table[COLUMNS][POINT], first[POINT];
    const double *from = (const double *)&r->at;
    slope_at(r, &r->at, first);
    for (int column = 0; column < COLUMNS; column++) {
        int n = 2 * (column + 1);
        double h = x / n, slope[POINT];
        point before = r->at, now;
        for (int i = 0; i < POINT; i++) ((double *)&now)[i] = from[i] + h * first[i];
        for (int k = 1; k < n; k++) {
            point next;
            slope_at(r, &now, slope);
            for (int i = 0; i < POINT; i++) ((double *)&next)[i] = ((double *)&before)[i] + 2 * h * slope[i];
            before = now;
            now = next;
        }
        slope_at(r, &now, slope);
        for (int i = 0; i < POINT; i++)
            table[column][i] = 0.5 * (((double *)&now)[i] + ((double *)&before)[i] + h * slope[i]);
        extrapolate(table, column, 2);
    }
    memcpy(to, table[0], sizeof *to);
    return extrapolation_error(r, table, STEP_ERROR);
}

/* How slopes change with velocities: those of velocities, forces, and works by rows as in a point. */
static void jacobian_at(const path *r, const point *at, double J[POINT][SIDE])
{
    double f[SIDE], dv[SIDE], K[SIDE][SIDE] = {{0}};
    memset(J, 0, POINT * sizeof *J);
    rates_at(r, at->v, f, dv);
    for (int i = 0; i < r->n_cones; i++) {
        const cone *c = &r->cones[i];
        double s[2], size = fmax(size_of(c, at->v), AIMED * c->scale);
        if (c->rests || c->dim == 1) continue;
        direction_of(c, at->v, s);
        for (int k = 0; k < 2; k++)
            for (int l = 0; l < 2; l++) K[c->row[k]][c->row[l]] = -c->moving * ((k == l) - s[k] * s[l]) / size;
    }
    for (int j = 0; j < SIDE; j++) {
        double load[SIDE];
        for (int a = 0; a < r->n_held; a++) {
            load[a] = 0;
            for (int i = 0; i < SIDE; i++) load[a] += r->M[r->held[a]][i] * K[i][j];
        }
        for (int a = 0; a < r->n_held; a++)
            for (int b = 0; b < r->n_held; b++) K[r->held[a]][j] -= r->inverse[a][b] * load[b];
    }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            for (int k = 0; k < SIDE; k++) J[i][j] += r->M[i][k] * K[k][j];
            J[SIDE + i][j] = K[i][j];
            if (i != PC_N) J[2 * SIDE + 1][j] += at->v[i] * K[i][j];
        }
    for (int a = 0; a < r->n_held; a++) memset(J[r->held[a]], 0, sizeof *J);
    for (int i = 0; i < SIDE; i++) {
        if (r->singular && r->fixed[i]) memset(J[i], 0, sizeof *J);
        if (i != PC_N) J[2 * SIDE + 1][i] += f[i];
    }
    J[2 * SIDE][PC_N] = 1;
}

/* One step of the linearly implicit rule of Euler, added to what has been gone since the start: as sums of their own,
 * changes keep the digits that extrapolation takes from them. */
static void step_euler(const path *r, double h, double gone[POINT])
{
    point now = r->at;
    for (int i = 0; i < POINT; i++) ((double *)&now)[i] += gone[i];
    const point *at = &now;
    double J[POINT][SIDE], A[SIDE * SIDE], d[SIDE], slope[POINT];
    int pivots[SIDE];
    jacobian_at(r, at, J);
    slope_at(r, at, slope);
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) A[i * SIDE + j] = (i == j) - h * J[i][j];
        d[i] = h * slope[i];
    }
    pc_lu_factor(A, SIDE, pivots);
    pc_lu_solve(A, SIDE, pivots, d);
    for (int i = 0; i < POINT; i++) {
        double change = h * slope[i];
        for (int j = 0; j < SIDE && i >= SIDE; j++) change += h * J[i][j] * d[j];
        gone[i] += i < SIDE ? d[i] : change;
    }
}

/* A curved step for slip that creeps at the edge of its cone, the more slowly the faster its direction settles: by the
 * linearly implicit rule of Euler, extrapolated (Deuflhard 1985; Hairer and Wanner, Solving Ordinary Differential
 * Equations II, IV.9). */
static double step_creeping(const path *r, double x, point *to)
{
    enum { COLUMNS = 9 };
    double table[COLUMNS][POINT];
    for (int column = 0; column < COLUMNS; column++) {
        const int n = column + 1;
        memset(table[column], 0, sizeof table[column]);
        for (int k = 0; k < n; k++) step_euler(r, x / n, table[column]);
        extrapolate(table, column, 1);
    }
    *to = r->at;
    for (int i = 0; i < POINT; i++) ((double *)to)[i] += table[0][i];
    return extrapolation_error(r, table, CREEP_ERROR);
}

/* How far a cone is from rest along a line; infinite where it does not come to it. */
static double to_stop(const path *r, const cone *c, const double *dv)
{
    double along = 0, square = 0;
    if (c->rests) return INFINITY;
    for (int k = 0; k < c->dim; k++) {
        along += r->at.v[c->row[k]] * dv[c->row[k]];
        square += dv[c->row[k]] * dv[c->row[k]];
    }
    return along < 0 ? -along / square : INFINITY;
}

/* Whether what is near rest comes to it, alone or with the others that are as near: what would hold it there is within
 * its bound. Then u.A^-1 u falls, with its block A of the inverse of M's, though |u| may grow for a while. */
static bool would_rest(const path *r, int i, double near)
{
    for (int together = 0; together < 2; together++) {
        path held = *r;
        double f[SIDE], dv[SIDE], most = 0;
        bool rests[CONES];
        for (int k = 0; k < r->n_cones; k++) {
            cone *c = &held.cones[k];
            rests[k] = !c->rests && (k == i || (together && size_of(c, r->at.v) <= near * c->scale));
            if (rests[k]) put_at_rest(&held, c);
        }
        find_held(&held);
        rates_at(&held, held.at.v, f, dv);
        for (int k = 0; k < r->n_cones; k++) {
            const cone *c = &held.cones[k];
            if (rests[k]) most = fmax(most, share_of_bound(c, f));
        }
        if (most <= 1) return true;
    }
    return false;
}

/* Whether a cone that is so near comes to rest on its way, or leaves it. */
static bool is_stopping(const path *r, int i, const double *dv, double near)
{
    const cone *c = &r->cones[i];
    return to_stop(r, c, dv) < INFINITY || (size_of(c, r->at.v) <= near * c->scale && would_rest(r, i, near));
}

/* Whether a cone goes on along a line, up to its rest at least: by `error` of its greatest velocity. */
static bool goes_straight(const path *r, const cone *c, const double *f, const double *dv, double error)
{
    double s[2], terms = 0;
    if (c->rests || c->dim == 1 || c->moving == 0) return true;
    direction_of(c, r->at.v, s);
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < SIDE; j++) terms += fabs(r->M[c->row[k]][j] * f[j]);
    double across = fabs(s[0] * dv[c->row[1]] - s[1] * dv[c->row[0]]);
    if (across <= 8 * DBL_EPSILON * terms) return true;
    return to_stop(r, c, dv) < INFINITY && across * size_of(c, r->at.v) <= error * c->scale * size_of(c, dv);
}

/* Whether the next step is along a line: everything moves so, or one comes to rest in no time to speak of. */
static bool is_straight(const path *r, const double *f, const double *dv)
{
    bool all = true;
    for (int i = 0; i < r->n_cones; i++) {
        const cone *c = &r->cones[i];
        all &= goes_straight(r, c, f, dv, STEP_ERROR);
        if (c->rests || size_of(c, r->at.v) > STARTED * c->scale || to_stop(r, c, dv) == INFINITY) continue;
        if (goes_straight(r, c, f, dv, 0.1 * STEP_ERROR)) return true;
    }
    return all;
}

/* ---- the end of a curved step ---- */

typedef enum stop_reason { AT_TURN, AT_END, AT_BREAK, REASONS } stop_reason;

typedef double step_method(const path *r, double x, point *to);

typedef struct search {
    const path *r;
    step_method *step;
    const pc_joint_rule *rule;
    bool compression;
    stop_reason reason;
} search;

/* Greatest share of its bound that holds a cone at rest, less 1. */
static double beyond_bounds(const path *r, const double *v)
{
    double f[SIDE], dv[SIDE], most = -1;
    rates_at(r, v, f, dv);
    for (int i = 0; i < r->n_cones; i++) {
        const cone *c = &r->cones[i];
        if (!c->rests) continue;
        most = fmax(most, share_of_bound(c, f) - 1);
    }
    return most;
}

/* Positive once the event has happened. */
static double passed(const search *s, const point *to)
{
    const path *r = s->r;
    if (s->reason == AT_TURN) return s->compression ? to->v[PC_N] : -to->v[PC_N];
    if (s->reason == AT_BREAK) return beyond_bounds(r, to->v) - PC_RANK_TOLERANCE;
    double lack = pc_rule_lack(s->rule, r->impact, to->v[PC_N]);
    double more = pc_rule_measure(s->rule, 0, to->p[PC_N] - r->at.p[PC_N], to->work_n - r->at.work_n);
    return more - lack;
}

static double passed_after(double x, void *context)
{
    const search *s = context;
    point to;
    s->step(s->r, x, &to);
    return passed(s, &to);
}

/* ---- the walk ---- */

static void put_state(const path *r, pc_state *state)
{
    pc_walk walk = {.work_n = r->at.work_n, .work_f = r->at.work_f};
    memcpy(walk.p, r->at.p, sizeof walk.p);
    memcpy(walk.v, r->at.v, sizeof walk.v);
    pc_walk_put(&walk, state);
}

/* The phase that slip or stick has now: a new one where that has changed. */
static pc_phase *open_phase(path *r, const double *dv, pc_error *err)
{
    pc_impact *out = r->impact;
    const cone *slide = r->n_cones > 0 && r->cones[0].row[0] == PC_T ? &r->cones[0] : NULL;
    double s[2] = {0};
    bool stuck = slide && slide->rests;
    if (slide && !stuck) direction_of(slide, r->at.v, s);
    if (!slide) { /* smooth */
        s[0] = r->at.v[PC_T] != 0 ? r->at.v[PC_T] : dv[PC_T];
        s[1] = r->at.v[PC_T2] != 0 ? r->at.v[PC_T2] : dv[PC_T2];
        stuck = s[0] == 0 && s[1] == 0;
    }
    bool straight = s[1] == 0;
    int sign = stuck || !straight ? 0 : (s[0] > 0) - (s[0] < 0);
    pc_phase_kind kind = stuck ? PC_PHASE_STICK : PC_PHASE_SLIP;
    pc_phase *last = out->n_phases > 0 ? &out->phases[out->n_phases - 1] : NULL;
    if (last && last->kind == kind && (last->sign == sign || !straight)) return last;
    if (last) put_state(r, &last->stop);
    pc_phase *phase = pc_impact_push(out);
    if (!phase) {
        pc_fail(err, PC_E_MEMORY, "no memory for a phase of the impact");
        return NULL;
    }
    phase->kind = kind;
    phase->sign = sign;
    put_state(r, &phase->start);
    return phase;
}

/* On to a point of the path, within compression or restitution. */
static void advance(path *r, const point *to, bool compression)
{
    double dp[3];
    for (int i = 0; i < 3; i++) dp[i] = to->p[i] - r->at.p[i];
    pc_walk_sum(r->impact, compression, dp, to->work_n - r->at.work_n, r->d);
    r->at = *to;
}

typedef enum step_end { GOES_ON, ENDED, ARRIVED, FAILED } step_end;

/* A straight step to whatever comes first, but no further than `room`. */
static step_end walk_straight(path *r, const pc_joint_rule *rule, bool compression, const double *dv, double room)
{
    double slope = dv[PC_N], turn = INFINITY, end = INFINITY, x = room, stop[CONES];
    if (compression ? slope > 0 : slope < 0) turn = -r->at.v[PC_N] / slope;
    if (!compression && rule)
        end = pc_rule_distance(rule, pc_rule_lack(rule, r->impact, r->at.v[PC_N]), r->at.v[PC_N], slope);
    for (int i = 0; i < r->n_cones; i++) stop[i] = to_stop(r, &r->cones[i], dv);
    x = fmin(x, fmin(turn, end));
    for (int i = 0; i < r->n_cones; i++) x = fmin(x, stop[i]);
    if (!(x < INFINITY)) return FAILED;
    const double also = r->singular ? x * (1 + PC_COINCIDENCE) : x;
    point to;
    step_straight(r, x, &to);
    if (turn <= also) to.v[PC_N] = 0;
    advance(r, &to, compression);
    for (int i = 0; i < r->n_cones; i++)
        if (stop[i] <= also) put_at_rest(r, &r->cones[i]);
    return x == end ? ENDED : x == room ? ARRIVED : GOES_ON;
}

/* Whether a cone creeps: its force nearly balances what drives it, or it has just started. */
static bool creeps(const path *r, int i, const double *dv)
{
    const cone *c = &r->cones[i];
    double size = size_of(c, r->at.v);
    if (c->rests || c->dim == 1 || size > SLOW * c->scale) return false;
    double w = fmax(r->M[c->row[0]][c->row[0]], r->M[c->row[1]][c->row[1]]);
    return size_of(c, dv) < BALANCED * c->moving * w || (size == 0 && !is_stopping(r, i, dv, NEAR_REST));
}

/* A length for the next curved step, and by which method. */
static double choose_step(path *r, const double *dv, step_method **method)
{
    double x = SHARE * r->most_n / r->M[PC_N][PC_N];
    bool creeping = false;
    const double least = DBL_EPSILON * x;
    for (int i = 0; i < r->n_cones; i++) creeping |= creeps(r, i, dv);
    if (!creeping) r->next = 0;
    if (creeping) x = r->next > 0 ? fmin(x, r->next) : STARTED * x;
    *method = creeping ? step_creeping : step_curved;
    for (int i = 0; i < r->n_cones; i++) {
        const cone *c = &r->cones[i];
        double rate = size_of(c, dv);
        if (c->rests || !(rate > 0) || creeps(r, i, dv)) continue;
        double way = SHARE * size_of(c, r->at.v);
        if (!is_stopping(r, i, dv, NEAR_REST)) way = fmax(way, STARTED * c->scale); /* it may have just started */
        x = fmin(x, way / rate);
    }
    return fmax(x, least);
}

/* A curved step, no further than `room`, and to the first of what ends it. */
static step_end walk_curved(path *r, const pc_joint_rule *rule, bool compression, const double *dv, double room,
                            int event)
{
    step_method *step;
    const double least = DBL_EPSILON * r->most_n / r->M[PC_N][PC_N];
    double x = fmin(choose_step(r, dv, &step), room), error;
    point to;
    bool all = x == room;
    while ((error = step(r, x, &to)) > 1 && x > least) {
        x *= 0.5;
        all = false;
    }
    r->next = error < 1e-3 ? 2 * x : x;
    search s = {r, step, rule, compression, AT_TURN};
    stop_reason first = REASONS;
    for (stop_reason reason = AT_TURN; reason < REASONS; reason++) {
        s.reason = reason;
        if (reason == AT_END && (compression || !rule)) continue;
        double after = passed(&s, &to), before = passed(&s, &r->at);
        if (!(after > 0)) continue;
        if (reason == AT_TURN && before >= 0) continue; /* it has just begun */
        double at = before >= 0 ? 0 : pc_root_between(passed_after, &s, 0, before, x, after, 0);
        if (!(at < x) && first != REASONS) continue;
        x = fmin(x, at);
        first = reason;
        all = false;
        step(r, x, &to);
    }
    if (first == AT_TURN) to.v[PC_N] = 0;
    advance(r, &to, compression);
    if (first == AT_END) return ENDED;
    double f[SIDE], rates[SIDE];
    rates_at(r, r->at.v, f, rates);
    for (int i = 0; i < r->n_cones; i++) {
        cone *c = &r->cones[i];
        if (c->rests)
            c->broken = first == AT_BREAK && share_of_bound(c, f) > 1 - 1e-9;
        else if (size_of(c, r->at.v) <= at_rest(event) * c->scale && is_stopping(r, i, rates, at_rest(event)))
            put_at_rest(r, c);
    }
    if (r->singular && fabs(r->at.v[PC_N]) <= PC_COINCIDENCE * r->most_n) {
        bool rests = true;
        for (int i = 0; i < r->n_cones; i++) rests &= r->cones[i].rests;
        if (rests) r->at.v[PC_N] = 0;
    }
    return all ? ARRIVED : GOES_ON;
}

/* Where nothing can move the normal impulse grows to no effect: see pc_walk_phase. */
static pc_status wedge(path *r, const pc_joint_rule *rule, const double *f, pc_error *err)
{
    if (fabs(r->at.v[PC_N]) > PC_COINCIDENCE * r->most_n) return pc_walk_fail(r->at.v[PC_N], err);
    r->at.v[PC_N] = 0;
    double more = pc_rule_distance(rule, pc_rule_lack(rule, r->impact, 0), 0, 0);
    for (int i = 0; i < SIDE && more < INFINITY; i++) r->at.p[i] += f[i] * more;
    r->impact->outcome = PC_OUTCOME_WEDGED;
    return PC_OK;
}

/* Along the path by a rule to its end, or, without one, to the normal impulses p_n. */
static pc_status walk(path *r, const pc_joint_rule *rule, const double *p_n, size_t n, pc_state *states, pc_error *err)
{
    bool restituted = false;
    size_t given = 0;
    for (int event = 0; event < EVENTS_MOST; event++) {
        double f[SIDE], dv[SIDE], room = INFINITY;
        /* cppcheck-suppress nullPointer ; without impulses n is 0 */
        for (; given < n && p_n[given] <= r->at.p[PC_N]; given++) put_state(r, &states[given]);
        if (!rule && given == n) return PC_OK;
        if (given < n) room = p_n[given] - r->at.p[PC_N];
        decide(r);
        rates_at(r, r->at.v, f, dv);
        bool slips = false;
        for (int i = 0; i < r->n_cones; i++) slips |= !r->cones[i].rests;
        if (r->singular && !slips && fabs(dv[PC_N]) <= pc_rank_bound(r->M[PC_N][PC_N])) dv[PC_N] = 0;
        bool compression = r->at.v[PC_N] < 0 || (r->at.v[PC_N] == 0 && dv[PC_N] < 0);
        if (event == 0 && (r->at.v[PC_N] > 0 || (r->at.v[PC_N] == 0 && !compression))) {
            r->impact->outcome = PC_OUTCOME_NONE;
            return PC_OK;
        }
        if (rule) {
            bool over = !compression && pc_rule_lack(rule, r->impact, r->at.v[PC_N]) <= 0;
            if (over && event > 0 && dv[PC_N] > 0) return PC_OK;
            if (!open_phase(r, dv, err)) return PC_E_MEMORY;
            if (!slips && !(dv[PC_N] > 0)) return wedge(r, rule, f, err);
        }
        if (compression && dv[PC_N] < 0) r->impact->flags |= PC_FLAG_JAM;
        if (compression && restituted) r->impact->flags |= PC_FLAG_RECOMPRESSION;
        restituted |= !compression;
        step_end end = is_straight(r, f, dv) ? walk_straight(r, rule, compression, dv, room)
                                             : walk_curved(r, rule, compression, dv, room, event);
        if (end == FAILED) return pc_walk_fail(r->at.v[PC_N], err);
        if (end == ENDED) return PC_OK;
        if (end == ARRIVED && given < n) r->at.p[PC_N] = p_n[given];
    }
    return pc_fail(err, PC_E_NUMERIC, "the impact does not end: more than %d changes of slip, rolling and twisting",
                   EVENTS_MOST);
}

pc_status pc_impulse_rolling(const pc_coulomb *coulomb, const pc_turning_resistance *resistance,
                             const pc_joint_rule *rule, const pc_mobility *W, const double v0[3], pc_impact *out,
                             pc_error *err)
{
    path r;
    open_path(&r, coulomb, resistance, W, v0);
    r.impact = out;
    double before[SIDE];
    memcpy(before, r.at.v, sizeof before);
    for (int i = 0; i < 3; i++) out->v0[i] = out->v1[i] = v0[i];
    pc_status status = walk(&r, rule, NULL, 0, NULL, err);
    for (int i = 0; i < 3; i++) {
        out->rate0[i] = before[RATES + i];
        out->rate1[i] = r.at.v[RATES + i];
        out->couple[i] = r.at.p[RATES + i];
    }
    if (status != PC_OK || out->outcome == PC_OUTCOME_NONE) return status;
    put_state(&r, &out->phases[out->n_phases - 1].stop);
    pc_impulse_finish(W, out);
    out->energy0 = pc_mobility_turning_energy(W, v0, NULL);
    out->energy1 = fmax(out->energy0 + out->work_n + out->work_f, 0);
    return PC_OK;
}

pc_status pc_impulse_rolling_path(const pc_coulomb *coulomb, const pc_turning_resistance *resistance,
                                  const pc_mobility *W, const pc_impact *impact, const double *p_n, size_t n,
                                  pc_state *out, pc_error *err)
{
    path r;
    pc_impact own;
    pc_impact_init(&own);
    open_path(&r, coulomb, resistance, W, impact->v0);
    r.impact = &own;
    pc_status status = walk(&r, NULL, p_n, n, out, err);
    pc_impact_free(&own);
    return status;
}
