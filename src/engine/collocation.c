/* Collocation at ten Lobatto points for motions under springs: half a swing in one step.
 *
 * The rates of a polynomial of degree 10 are those of the motion at both ends and eight points between (Lobatto IIIA:
 * Hairer and Wanner, Solving ODEs II, IV.5). It is of order 18 at the end of the step, symmetric, A-stable, and its own
 * dense output, which is known without more right-hand sides.
 *
 * A body on a spring turns by next to nothing while the spring swings, so the springs frozen as they are at the
 * beginning are nearly all that is stiff. With them the equations of all points are solved by a simplified Newton
 * iteration, of which each pass leaves as small a share of the error as what is frozen changes in the step: one pass or
 * two are enough in most cases, of one right-hand side a point. Its linear system is in the deflections of the springs
 * alone. With z_i = row . da_i for changes da_i of the accelerations at the points, A the matrix of the method:
 *
 *     da_i = r_i + column phi_i,   phi = K (h A)^2 z + C h A z,   z_i = row . r_i + row . column phi_i
 *
 * r_i is what the accelerations miss of those of the right-hand side. The first guess solves the same for a motion
 * whose accelerations change by the springs alone. In the eigenvectors of A, its modes, the system falls apart into
 * small ones, of each mode one (Hairer and Wanner IV.8).
 */
#include "engine/collocation.h"

#include "math/linsolve.h"
#include "math/twin.h"

#include <math.h>
#include <string.h>

enum { POINTS = PC_LOBATTO_POINTS, MODES = PC_LOBATTO_MODES, FREE = POINTS - 1, MOST = PC_SPRINGS * FREE };

/* A pass whose changes are more than this share of those of the last one goes on too slowly; no pass, and the first one
 * beside the guess, is taken to be quicker than the other share. A step is solved when the next pass would change
 * velocities by less than this share of the tolerance; what no longer shrinks below the last share is rounding. */
static const double SLOW = 0.3, QUICK = 1e-4, SOLVED = 0.03, ROUNDING = 0.3;
enum { PASSES = 10 };

/* Coefficients of a polynomial that shrink by this share in two degrees are those of a smooth motion. */
static const double SMOOTH = 0.1;

/* Workspace: rates at the points, states at all but the first, a right-hand side, the tail; then the springs' rows and
 * columns. */
enum { STATES = POINTS, SIDE = STATES + FREE, TAIL, VECTORS = TAIL + 4 };

static size_t room(const pc_ode_method *method, size_t n, size_t stride)
{
    (void)method;
    return VECTORS * stride + 2 * PC_SPRINGS * n;
}

static const pc_spring_problem *problem_of(const pc_stepper *s)
{
    return (const pc_spring_problem *)s->problem; /* whose first member it is */
}

static double *rates(const pc_stepper *s, int point)
{
    return s->work + (size_t)point * s->stride;
}

static double *state(const pc_stepper *s, int point)
{
    return s->work + (size_t)(STATES + point - 1) * s->stride;
}

static double *vector(const pc_stepper *s, int which)
{
    return s->work + (size_t)which * s->stride;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* out = h sum_j a_j rates_j, four components at a time, of which vectors have a multiple. */
static inline void combine(const pc_stepper *s, double h, const double *a, double *out)
{
    size_t stride = s->stride;
    for (size_t i = 0; i < stride; i += 4) {
        const double *f = s->work + i;
        pc_twin sum[2] = {{0}};
#pragma GCC unroll 10
        for (int j = 0; j < POINTS; j++, f += stride) {
            sum[0] += a[j] * pc_twin_load(f);
            sum[1] += a[j] * pc_twin_load(f + 2);
        }
        pc_twin_store(out + i, h * sum[0]);
        pc_twin_store(out + i + 2, h * sum[1]);
    }
}

/* The sum of h times n columns of a table, by the factors f, `apart`. */
static inline void sum_columns(double h, int n, const double (*column)[POINTS], const double *f, size_t apart,
                               double out[POINTS])
{
    pc_twin sum[POINTS / 2] = {{0}};
#pragma GCC unroll 10
    for (int j = 0; j < n; j++, f += apart)
#pragma GCC unroll 5
        for (int i = 0; i < POINTS / 2; i++) sum[i] += *f * pc_twin_load(&column[j][2 * i]);
#pragma GCC unroll 5
    for (int i = 0; i < POINTS / 2; i++) pc_twin_store(out + 2 * i, h * sum[i]);
}

/* What h times the values f, `apart`, at all points from `first` on come to at every point, if they are zero before. */
static inline void sum_up(double h, int first, const double *f, size_t apart, double out[POINTS])
{
    sum_columns(h, POINTS - first, pc_lobatto_integral + first, f, apart, out);
}

/* The states at the points: of the first `length` components, velocities first, which are the rates of the positions.
 * Gives the greatest change of the velocities, in tolerances. */
static double integrate(pc_stepper *s, double h, int length)
{
    int positions = s->problem->n_positions;
    double grown[POINTS], moved[POINTS] = {0}, worst = 0;
    for (int k = positions; k < length; k++) {
        double weight = k < 2 * positions ? pc_stepper_weight(s, k) : INFINITY;
        sum_up(h, 0, rates(s, 0) + k, s->stride, grown);
        for (int i = 1; i < POINTS; i++) {
            double *y = state(s, i) + k, now = s->y[k] + grown[i], change = (now - *y) / weight;
            moved[i] += change * change;
            *y = now;
        }
    }
    for (int k = 0; k < positions; k++) {
        for (int i = 1; i < POINTS; i++) rates(s, i)[k] = state(s, i)[positions + k];
        sum_up(h, 0, rates(s, 0) + k, s->stride, grown);
        for (int i = 1; i < POINTS; i++) state(s, i)[k] = s->y[k] + grown[i];
    }
    for (int i = 1; i < POINTS; i++)
        if (moved[i] > worst || isnan(moved[i])) worst = moved[i];
    return sqrt(worst / positions);
}

/* The linear system of the deflections. Its unknowns are those along axes: where there is one position, all deflections
 * are multiples of one; else each spring has its own, but for those that do nothing, which follow from the others. */
typedef struct newton {
    pc_springs springs;
    double h, answer[PC_SPRINGS][PC_SPRINGS];        /* row . column */
    int n_axes, axis[PC_SPRINGS];                    /* a spring of each */
    int along[PC_SPRINGS];                           /* the axis of a spring; < 0: it does nothing */
    double share[PC_SPRINGS];                        /* its deflection over that of the spring of its axis */
    int length;                                      /* of what rates depend on */
    double x[FREE][PC_SPRINGS], v[FREE][PC_SPRINGS]; /* last changes of deflections and their rates */
    double lu[MODES][4 * PC_SPRINGS * PC_SPRINGS]; /* of each mode, with real parts of all axes before imaginary ones */
    int pivots[MODES][2 * PC_SPRINGS];
} newton;

static void find_axes(newton *w, int n)
{
    const pc_springs *springs = &w->springs;
    w->n_axes = 0;
    if (n > 1) {
        for (int a = 0; a < springs->n; a++) {
            bool acts = springs->stiffness[a] != 0 || springs->damping[a] != 0;
            w->share[a] = 1;
            w->along[a] = acts ? w->n_axes : -1;
            if (acts) w->axis[w->n_axes++] = a;
        }
        return;
    }
    int most = 0;
    for (int a = 1; a < springs->n; a++)
        if (fabs(springs->row[a]) > fabs(springs->row[most])) most = a;
    double row = springs->row[most];
    w->axis[w->n_axes++] = most;
    for (int a = 0; a < springs->n; a++) {
        w->along[a] = 0;
        w->share[a] = row != 0 ? springs->row[a] / row : 0;
    }
}

/* The system of a mode, whose amplitudes A multiplies by its eigenvalue. */
static bool freeze_mode(newton *w, int mode, double stiffness[][PC_SPRINGS], double damping[][PC_SPRINGS])
{
    const double re = pc_lobatto_mode[mode][0], im = pc_lobatto_mode[mode][1];
    const int n = w->n_axes;
    double *lu = w->lu[mode];
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            double real = (a == b) - (stiffness[a][b] * (re * re - im * im) + damping[a][b] * re),
                   imaginary = -(stiffness[a][b] * (2 * re * im) + damping[a][b] * im);
            lu[a * 2 * n + b] = lu[(n + a) * 2 * n + n + b] = real;
            lu[a * 2 * n + n + b] = -imaginary;
            lu[(n + a) * 2 * n + b] = imaginary;
        }
    return pc_lu_factor(lu, 2 * n, w->pivots[mode]);
}

static bool freeze(newton *w, const pc_stepper *s, double h)
{
    const pc_springs *springs = &w->springs;
    int n = s->problem->n_positions;
    w->h = h;
    for (int a = 0; a < springs->n; a++)
        for (int b = 0; b < springs->n; b++) w->answer[a][b] = dot(springs->row + a * n, springs->column + b * n, n);
    find_axes(w, n);
    double stiffness[PC_SPRINGS][PC_SPRINGS] = {{0}}, damping[PC_SPRINGS][PC_SPRINGS] = {{0}};
    for (int a = 0; a < w->n_axes; a++)
        for (int k = 0; k < springs->n; k++) {
            if (w->along[k] < 0) continue;
            double answer = w->answer[w->axis[a]][k] * w->share[k] * h;
            stiffness[a][w->along[k]] += answer * (springs->stiffness[k] * h);
            damping[a][w->along[k]] += answer * springs->damping[k];
        }
    bool solvable = true;
    for (int m = 0; m < MODES; m++) solvable &= freeze_mode(w, m, stiffness, damping);
    return solvable;
}

/* The deflection of a spring changes by x at a point, and its rate by v. */
static void note_change(newton *w, const pc_stepper *s, int spring, int point, double x, double v)
{
    int own = w->springs.component[spring];
    if (own >= 0) rates(s, point)[own] += w->springs.factor[spring] * v;
    w->x[point - 1][spring] = x;
    w->v[point - 1][spring] = v;
}

/* Deflections along the axes, and their rates, that follow where the accelerations miss z of each of their springs. */
static void deflect(const newton *w, const double *z, double x[][POINTS], double v[][POINTS])
{
    const int n = w->n_axes;
    double missed[PC_SPRINGS][POINTS], modes_x[PC_SPRINGS][POINTS], modes_v[PC_SPRINGS][POINTS];
    for (int a = 0; a < n; a++) sum_columns(1, FREE, pc_lobatto_to_modes, z + w->axis[a] * FREE, 1, missed[a]);
    for (int m = 0; m < MODES; m++) {
        const double re = w->h * pc_lobatto_mode[m][0], im = w->h * pc_lobatto_mode[m][1];
        double amplitude[2 * PC_SPRINGS];
        for (int a = 0; a < n; a++) amplitude[a] = missed[a][2 * m], amplitude[n + a] = missed[a][2 * m + 1];
        pc_lu_solve(w->lu[m], 2 * n, w->pivots[m], amplitude);
        for (int a = 0; a < n; a++) {
            double *of_v = modes_v[a] + 2 * m, *of_x = modes_x[a] + 2 * m;
            of_v[0] = re * amplitude[a] - im * amplitude[n + a];
            of_v[1] = im * amplitude[a] + re * amplitude[n + a];
            of_x[0] = re * of_v[0] - im * of_v[1];
            of_x[1] = im * of_v[0] + re * of_v[1];
        }
    }
    for (int a = 0; a < n; a++) {
        sum_columns(1, FREE, pc_lobatto_from_modes, modes_v[a], 1, v[a]);
        sum_columns(1, FREE, pc_lobatto_from_modes, modes_x[a], 1, x[a]);
    }
}

/* Add to the rates what springs do when the accelerations change along them by z = row . r and what follows. */
static void respond(newton *w, pc_stepper *s, double *z)
{
    const pc_springs *springs = &w->springs;
    int n = s->problem->n_positions;
    double x[PC_SPRINGS][POINTS], v[PC_SPRINGS][POINTS];
    deflect(w, z, x, v);
    for (int a = 0; a < springs->n; a++) {
        if (w->along[a] < 0) continue;
        const double *along_x = x[w->along[a]], *along_v = v[w->along[a]], share = w->share[a];
        bool acts = springs->stiffness[a] != 0 || springs->damping[a] != 0;
        for (int i = 1; i < POINTS; i++) {
            note_change(w, s, a, i, share * along_x[i], share * along_v[i]);
            if (!acts) continue;
            double *f = rates(s, i) + n,
                   force = share * (springs->stiffness[a] * along_x[i] + springs->damping[a] * along_v[i]);
            for (int k = 0; k < n; k++) f[k] += springs->column[a * n + k] * force;
            for (int b = 0; b < springs->n; b++)
                if (w->along[b] < 0) z[b * FREE + i - 1] += w->answer[b][a] * force;
        }
    }
    for (int a = 0; a < springs->n; a++) {
        if (w->along[a] >= 0) continue;
        sum_up(w->h, 1, z + a * FREE, 1, v[0]);
        sum_up(w->h, 0, v[0], 1, x[0]);
        for (int i = 1; i < POINTS; i++) note_change(w, s, a, i, x[0][i], v[0][i]);
    }
}

/* The force of a spring at a point is known to change by so much. */
static inline void push(const newton *w, pc_stepper *s, int spring, int point, double force, double *z)
{
    const pc_springs *springs = &w->springs;
    int n = s->problem->n_positions;
    double *f = rates(s, point) + n;
    for (int k = 0; k < n; k++) f[k] += springs->column[spring * n + k] * force;
    for (int a = 0; a < springs->n; a++) z[a * FREE + point - 1] += w->answer[a][spring] * force;
}

/* The first guess; gives the change from unchanged accelerations, in tolerances. */
static double predict(newton *w, pc_stepper *s)
{
    const pc_springs *springs = &w->springs;
    int n = s->problem->n_positions;
    double z[MOST] = {0}, h = w->h;
    for (int i = 1; i < POINTS; i++) {
        memcpy(rates(s, i), rates(s, 0), s->stride * sizeof(double));
        for (int k = n; k < 2 * n; k++) state(s, i)[k] = s->y[k] + pc_lobatto_c[i] * h * rates(s, 0)[k];
    }
    for (int b = 0; b < springs->n; b++) {
        double v = dot(springs->row + b * n, s->y + n, n), a = dot(springs->row + b * n, rates(s, 0) + n, n);
        for (int i = 1; i < POINTS; i++) {
            double t = pc_lobatto_c[i] * h, x = (v + a * t / 2) * t;
            push(w, s, b, i, springs->stiffness[b] * x + springs->damping[b] * a * t, z);
            if (springs->component[b] >= 0) rates(s, i)[springs->component[b]] += springs->factor[b] * a * t;
        }
    }
    respond(w, s, z);
    return integrate(s, h, w->length);
}

/* One pass over the points. */
static int pass(newton *w, pc_stepper *s, double *change)
{
    const pc_springs *springs = &w->springs;
    int n = s->problem->n_positions, all = s->problem->n;
    double z[MOST], missed[PC_SPRINGS][FREE], *side = vector(s, SIDE);
    for (int i = 1; i < POINTS; i++) {
        double *f = rates(s, i), t = i == FREE ? s->t + w->h : s->t + pc_lobatto_c[i] * w->h;
        int got = pc_stepper_rhs(s, t, state(s, i), side);
        if (got != 0) return got;
        for (int k = n; k < 2 * n; k++) f[k] = side[k] - f[k];
        for (int a = 0; a < springs->n; a++) {
            int own = springs->component[a];
            z[a * FREE + i - 1] = dot(springs->row + a * n, f + n, n);
            if (own >= 0) missed[a][i - 1] = (side[own] - f[own]) / springs->factor[a];
        }
        memcpy(f + n, side + n, (size_t)(all - n) * sizeof *f);
    }
    /* the state of a spring changes by what its rate has missed as well */
    double more[PC_SPRINGS][POINTS] = {{0}};
    for (int a = 0; a < springs->n; a++) {
        if (springs->component[a] < 0) continue;
        sum_up(w->h, 1, missed[a], 1, more[a]);
        for (int i = 1; i < POINTS; i++) push(w, s, a, i, springs->stiffness[a] * more[a][i], z);
    }
    respond(w, s, z);
    for (int i = 1; i < POINTS; i++)
        for (int a = 0; a < springs->n; a++) w->x[i - 1][a] += more[a][i];
    *change = integrate(s, w->h, w->length);
    return 0;
}

/* What rates do not depend on is left for the end. */
static int finish_others(const newton *w, pc_stepper *s)
{
    const pc_spring_problem *p = problem_of(s);
    if (p->ode.n == 2 * p->ode.n_positions) return 0;
    for (int i = 1; i < POINTS; i++) {
        double t = i == FREE ? s->t + w->h : s->t + pc_lobatto_c[i] * w->h;
        int got = p->others(i, t, state(s, i), w->x[i - 1], w->v[i - 1], rates(s, i), p->ode.context);
        if (got != 0) return got;
    }
    double weight[POINTS], *end = state(s, FREE);
    for (int j = 0; j < POINTS; j++) weight[j] = pc_lobatto_integral[j][FREE];
    combine(s, w->h, weight, end);
    for (size_t k = 0; k < s->stride; k++) end[k] += s->y[k];
    return 0;
}

static int start(pc_stepper *s)
{
    int got = pc_stepper_rhs(s, s->t, s->y, rates(s, 0));
    if (got != 0) return got;
    for (int i = 0; i < s->problem->n; i++)
        if (!isfinite(rates(s, 0)[i])) return 1;
    return 0;
}

/* Coefficients of the polynomial in Legendre's basis tell how fast it converges: of those of degrees 7 and 8, and of 9
 * and 10, one may vanish, where the motion is symmetric. What is left out begins with degree 11. */
static double error_of(pc_stepper *s, double h)
{
    double *c[4];
    for (int k = 0; k < 4; k++) {
        c[k] = vector(s, TAIL + k);
        combine(s, h, pc_lobatto_tail[k], c[k]);
    }
    for (int i = 0; i < s->problem->n; i++) {
        double before = fmax(fabs(c[0][i]), fabs(c[1][i])), last = fmax(fabs(c[2][i]), fabs(c[3][i]));
        c[0][i] = last < SMOOTH * before ? last * (last / before) : last;
    }
    return pc_stepper_norm(s, c[0]);
}

static int attempt(pc_stepper *s, double h, double *error)
{
    newton w;
    const pc_spring_problem *p = problem_of(s);
    if (!s->ready) {
        int got = start(s);
        if (got != 0) return got;
        s->ready = true;
    }
    memcpy(s->y_new, s->y, s->stride * sizeof *s->y);
    w.springs.row = vector(s, VECTORS);
    w.springs.column = w.springs.row + PC_SPRINGS * p->ode.n_positions;
    int got = p->springs(s->t, s->y, &w.springs, p->ode.context);
    if (got != 0) return got;
    w.length = 2 * p->ode.n_positions;
    for (int k = 0; k < w.springs.n; k++)
        if (w.springs.component[k] >= w.length) w.length = w.springs.component[k] + 1;
    if (!freeze(&w, s, h)) return 1;
    double change = predict(&w, s), rate = INFINITY;
    for (int k = 0; k < PASSES && !(rate * change <= SOLVED); k++) {
        double last = change;
        got = pass(&w, s, &change);
        if (got != 0) return got;
        rate = fmax(change / last, QUICK);
        if (k > 0 && rate > SLOW) break;
    }
    if (!(rate * change <= SOLVED || change <= ROUNDING)) return 1;
    got = finish_others(&w, s);
    if (got != 0) return got;
    memcpy(s->y_new, state(s, FREE), s->stride * sizeof *s->y);
    *error = error_of(s, h);
    return 0;
}

static int interpolate(pc_stepper *s)
{
    double *slope = vector(s, SIDE);
    for (int i = 0; i < s->problem->n; i++) {
        s->dense.c[i * (POINTS + 1)] = s->y_old[i];
        s->dense.c[i * (POINTS + 1) + POINTS] = s->y[i];
    }
    for (int j = 0; j + 1 < POINTS; j++) {
        combine(s, s->h / POINTS, pc_lobatto_bernstein[j], slope);
        for (int i = 0; i < s->problem->n; i++) {
            double *c = s->dense.c + i * (POINTS + 1) + j;
            c[1] = c[0] + slope[i];
        }
    }
    return 0;
}

static const pc_schema schema = {.name = "collocation",
                                 .summary = "Collocation at ten Lobatto points for motions under springs.",
                                 .rows = pc_ode_adaptive_rows,
                                 .n_rows = PC_ODE_ADAPTIVE_ROWS,
                                 .size = sizeof(pc_ode_settings)};

const pc_ode_method pc_collocation = {.schema = &schema,
                                      .order = 2 * POINTS - 2,
                                      .dense_order = POINTS,
                                      .dense_degree = POINTS,
                                      .error_order = POINTS,
                                      .safety = 0.9,
                                      .stages = FREE,
                                      .room = room,
                                      .start = start,
                                      .attempt = attempt,
                                      .interpolate = interpolate};
