/* A system of the user's own: see mechanism.h. */
#include "scene/mechanism.h"

#include "base/alloc.h"
#include "base/tolerance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps of differences, as shares of the scale: where the errors of what is left out, and of rounding, meet. */
static const double STEP = 0.01, STEP_TWICE = 0.03;

/* Of six points at 1, 2 and 3 steps on both sides. */
static const double first[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
static const double second[] = {3.0 / 2, -3.0 / 20, 1.0 / 90}, middle = -49.0 / 18;

/* What the user's functions tell, as numbers of t and q. */
typedef enum field { MASS, POTENTIAL, GAP, NORMAL, TANGENT } field;

enum { KNOWN_GAP = 1, KNOWN_ROWS = 2, KNOWN_BEND = 4 };

bool pc_mechanism_is_driven(const pc_mechanism *m)
{
    for (int i = 0; i < m->n_gaps; i++)
        if (m->gaps[i].moves || m->gaps[i].normal_drifts || m->gaps[i].tangent_drifts) return true;
    return false;
}

pc_status pc_mechanism_frame_open(pc_mechanism_frame *f, const pc_mechanism *m, pc_error *err)
{
    size_t n = (size_t)m->n, gaps = (size_t)m->n_gaps, square = n * n, row = n + 1;
    /* what is asked at once: a mass at most; five of them are worked with */
    size_t most = square > row ? square : row, size = 2 * square + 2 * n + 5 * most + gaps * (1 + 2 * row + 2);
    *f = (pc_mechanism_frame){.m = m, .mass = pc_calloc(size, sizeof *f->mass), .known = pc_calloc(gaps + 1, 1)};
    if (!f->mass || !f->known) {
        pc_mechanism_frame_close(f);
        return pc_fail(err, PC_E_MEMORY, "not enough memory for a mechanism of %d coordinates", m->n);
    }
    f->factor = f->mass + square;
    f->load = f->factor + square;
    f->near = f->load + n;
    f->row = f->near + n;
    f->work = f->row + most;
    f->gap = f->work + 4 * most;
    f->normal = f->gap + gaps;
    f->tangent = f->normal + gaps * row;
    f->bend = f->tangent + gaps * row;
    return PC_OK;
}

void pc_mechanism_frame_close(pc_mechanism_frame *f)
{
    pc_free(f->mass);
    pc_free(f->known);
    *f = (pc_mechanism_frame){0};
}

/* ---- what the functions tell, and how it changes ---- */

static int size_of(const pc_mechanism *m, field what)
{
    return what == MASS ? m->n * m->n : what == POTENTIAL || what == GAP ? 1 : m->n + 1;
}

/* After a failure nothing is asked any more until a state is placed. */
static int ask(pc_mechanism_frame *f, field what, int gap, double t, const double *q, double *out)
{
    const pc_mechanism *m = f->m;
    const pc_mechanism_gap *g = &m->gaps[gap];
    const double *fixed = what == MASS ? m->mass : what == NORMAL ? g->normal : what == TANGENT ? g->tangent : NULL;
    size_t size = (size_t)size_of(m, what) * sizeof *out;
    int got = f->failed ? -1 : 0;
    if (got == 0 && fixed) {
        memcpy(out, fixed, size);
    } else if (got == 0) {
        switch (what) {
        case MASS: got = m->call->mass(m->context, q, out); break;
        case POTENTIAL: got = m->call->potential(m->context, q, out); break;
        case GAP: got = m->call->gap(m->context, gap, t, q, out); break;
        case NORMAL: got = m->call->normal(m->context, gap, t, q, out); break;
        case TANGENT: got = m->call->tangent(m->context, gap, t, q, out); break;
        }
    }
    if (got == 0) return 0;
    f->failed = true;
    memset(out, 0, size);
    return -1;
}

/* A way to go from a state: so much of each coordinate and of the time for each unit of it. i >= 0: one coordinate
 * alone; i == n: the time alone; else along the motion, and with the time if that matters. */
typedef struct way {
    int i;
    bool time;
} way;

/* The longest way whose coordinates change by their scales; infinite: nothing does. */
static double reach(const pc_mechanism_frame *f, way w)
{
    const pc_mechanism *m = f->m;
    double most = w.time ? 1 / m->time_scale : 0;
    if (w.i >= 0) return w.i == m->n ? m->time_scale : m->coordinates[w.i].scale;
    for (int i = 0; i < m->n; i++) most = fmax(most, fabs(f->u[i]) / m->coordinates[i].scale);
    return 1 / most;
}

static int ask_at(pc_mechanism_frame *f, field what, int gap, way w, double s, double *out)
{
    const int n = f->m->n;
    double t = w.time || w.i == n ? f->t + s : f->t;
    for (int i = 0; i < n; i++) f->near[i] = f->q[i] + (w.i < 0 ? s * f->u[i] : w.i == i ? s : 0);
    return ask(f, what, gap, t, f->near, out);
}

/* Its rate along a way, by points at multiples of h: `sum` may not be the first two of the frame's work. */
static int difference(pc_mechanism_frame *f, field what, int gap, way w, double h, double *sum)
{
    const int size = size_of(f->m, what);
    double *ahead = f->work, *behind = f->work + size;
    for (int k = 0; k < size; k++) sum[k] = 0;
    for (int j = 1; j <= 3; j++) {
        if (ask_at(f, what, gap, w, j * h, ahead) != 0 || ask_at(f, what, gap, w, -j * h, behind) != 0) return -1;
        for (int k = 0; k < size; k++) sum[k] += first[j - 1] * (ahead[k] - behind[k]);
    }
    for (int k = 0; k < size; k++) sum[k] /= h;
    return 0;
}

static int slope(pc_mechanism_frame *f, field what, int gap, way w, double *out)
{
    double h = STEP * reach(f, w);
    if (isfinite(h)) return difference(f, what, gap, w, h, out);
    memset(out, 0, (size_t)size_of(f->m, what) * sizeof *out);
    return 0;
}

/* The second rate of a gap along the motion. */
static int bend_gap(pc_mechanism_frame *f, int gap, double *out)
{
    const way w = {-1, f->m->gaps[gap].moves};
    double h = STEP_TWICE * reach(f, w), ahead, behind;
    *out = 0;
    if (!isfinite(h)) return 0;
    if (ask_at(f, GAP, gap, w, 0, &ahead) != 0) return -1;
    *out = middle * ahead;
    for (int j = 1; j <= 3; j++) {
        if (ask_at(f, GAP, gap, w, j * h, &ahead) != 0 || ask_at(f, GAP, gap, w, -j * h, &behind) != 0) return -1;
        *out += second[j - 1] * (ahead + behind);
    }
    *out /= h * h;
    return 0;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* ---- states ---- */

int pc_mechanism_place(pc_mechanism_frame *f, double t, const double *q, const double *u)
{
    bool failed = f->failed;
    f->t = t;
    f->q = q;
    f->u = u;
    f->failed = false;
    memset(f->known, 0, (size_t)f->m->n_gaps);
    return failed ? -1 : 0;
}

bool pc_mechanism_move(pc_mechanism_frame *f, const double *q, const double *u)
{
    f->q = q;
    f->u = u;
    for (int i = 0; i < f->m->n_gaps; i++) f->known[i] &= KNOWN_GAP | KNOWN_ROWS;
    return !f->failed;
}

/* "y = 0.1, phi = 2", as much of it as there is room for. */
static void list_state(const pc_mechanism_frame *f, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < f->m->n && used + 1 < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s = %.6g", i > 0 ? ", " : "", f->m->coordinates[i].name,
                                 f->q[i]);
}

static int refuse_mass(pc_mechanism_frame *f, const char *why)
{
    char state[160], text[400];
    list_state(f, state, sizeof state);
    snprintf(text, sizeof text, "mechanism: mass is not that of a motion at %s: %s", state, why);
    f->m->call->refuse(f->m->context, text);
    f->failed = true;
    return -1;
}

int pc_mechanism_factor(pc_mechanism_frame *f)
{
    const int n = f->m->n;
    double *M = f->mass, *L = f->factor;
    char why[200];
    if (f->factored) return 0;
    if (ask(f, MASS, 0, f->t, f->q, M) != 0) return -1;
    for (int i = 0; i < n; i++) {
        const char *name = f->m->coordinates[i].name;
        if (!(M[i * n + i] > 0)) {
            snprintf(why, sizeof why, "its entry of %s with itself is %.6g, which must be > 0", name, M[i * n + i]);
            return refuse_mass(f, why);
        }
        for (int j = 0; j < i; j++) {
            double size = sqrt(M[i * n + i] * M[j * n + j]);
            if (fabs(M[i * n + j] - M[j * n + i]) > pc_rank_bound(size)) {
                snprintf(why, sizeof why, "it is not symmetric, %s with %s is %.10g and the other way %.10g", name,
                         f->m->coordinates[j].name, M[i * n + j], M[j * n + i]);
                return refuse_mass(f, why);
            }
            L[i * n + j] = (M[i * n + j] + M[j * n + i]) / (2 * size);
        }
        L[i * n + i] = 1;
        for (int j = 0; j <= i; j++) {
            double left = L[i * n + j] - dot(L + i * n, L + j * n, j);
            if (j < i) {
                L[i * n + j] = left / L[j * n + j];
            } else if (left > PC_RANK_TOLERANCE) {
                L[i * n + i] = sqrt(left);
            } else {
                snprintf(why, sizeof why,
                         "it is not positive definite, with its diagonal scaled to 1 its pivot of %s is %.3g", name,
                         left);
                return refuse_mass(f, why);
            }
        }
    }
    f->factored = f->m->mass != NULL;
    return 0;
}

/* x = M^-1 b; they may be the same. */
static void solve(const pc_mechanism_frame *f, const double *b, double *x)
{
    const int n = f->m->n;
    const double *M = f->mass, *L = f->factor;
    for (int i = 0; i < n; i++) x[i] = (b[i] / sqrt(M[i * n + i]) - dot(L + i * n, x, i)) / L[i * n + i];
    for (int i = n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int j = i + 1; j < n; j++) sum -= L[j * n + i] * x[j];
        x[i] = sum / L[i * n + i];
    }
    for (int i = 0; i < n; i++) x[i] /= sqrt(M[i * n + i]);
}

static double twice_kinetic(const double *M, const double *u, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += u[i] * dot(M + i * n, u, n);
    return sum;
}

double pc_mechanism_kinetic(pc_mechanism_frame *f)
{
    if (pc_mechanism_factor(f) != 0) return 0;
    return 0.5 * twice_kinetic(f->mass, f->u, f->m->n);
}

double pc_mechanism_potential(pc_mechanism_frame *f)
{
    double energy = 0;
    if (f->m->has_potential) (void)ask(f, POTENTIAL, 0, f->t, f->q, &energy);
    return energy;
}

/* ---- gaps ---- */

int pc_mechanism_gap_at(pc_mechanism_frame *f, int gap, double *value)
{
    if (!(f->known[gap] & KNOWN_GAP)) {
        if (ask(f, GAP, gap, f->t, f->q, &f->gap[gap]) != 0) f->gap[gap] = INFINITY; /* nothing touches */
        f->known[gap] |= KNOWN_GAP;
    }
    *value = f->gap[gap];
    return f->failed ? -1 : 0;
}

static void find_rows(pc_mechanism_frame *f, int gap)
{
    const pc_mechanism *m = f->m;
    const pc_mechanism_gap *g = &m->gaps[gap];
    double *normal = f->normal + gap * (m->n + 1), *tangent = f->tangent + gap * (m->n + 1);
    if (f->known[gap] & KNOWN_ROWS) return;
    f->known[gap] |= KNOWN_ROWS;
    if (g->has_tangent) (void)ask(f, TANGENT, gap, f->t, f->q, tangent);
    if (g->has_normal) (void)ask(f, NORMAL, gap, f->t, f->q, normal);
    for (int i = 0; i <= m->n; i++) {
        bool depends = i < m->n ? m->turns[(gap + 1) * m->n + i] : g->moves;
        bool told = g->has_normal && (i < m->n || g->normal_drifts);
        if (told) continue;
        normal[i] = 0;
        if (depends) (void)slope(f, GAP, gap, (way){i, false}, &normal[i]);
    }
}

/* What velocities bend: how the rows change along the motion, times the velocities, and how their drifts do. */
static void find_bend(pc_mechanism_frame *f, int gap)
{
    const pc_mechanism *m = f->m;
    const pc_mechanism_gap *g = &m->gaps[gap];
    double *bend = f->bend + 2 * gap;
    if (f->known[gap] & KNOWN_BEND) return;
    f->known[gap] |= KNOWN_BEND;
    bend[0] = bend[1] = 0;
    if (g->has_tangent && !g->tangent) {
        (void)slope(f, TANGENT, gap, (way){-1, true}, f->row);
        bend[PC_T] = dot(f->row, f->u, m->n) + f->row[m->n];
    }
    if (!g->has_normal || (g->moves && !g->normal_drifts)) {
        (void)bend_gap(f, gap, &bend[PC_N]);
    } else if (!g->normal) {
        (void)slope(f, NORMAL, gap, (way){-1, true}, f->row);
        bend[PC_N] = dot(f->row, f->u, m->n) + f->row[m->n];
    }
}

void pc_mechanism_change(pc_mechanism_frame *f, int gap, const double *x, double v[2])
{
    const int n = f->m->n;
    find_rows(f, gap);
    v[PC_T] = dot(f->tangent + gap * (n + 1), x, n);
    v[PC_N] = dot(f->normal + gap * (n + 1), x, n);
}

void pc_mechanism_velocity(pc_mechanism_frame *f, int gap, double v[2])
{
    double drift[2];
    pc_mechanism_change(f, gap, f->u, v);
    pc_mechanism_drift(f, gap, drift);
    for (int k = 0; k < 2; k++) v[k] -= drift[k];
}

void pc_mechanism_acceleration(pc_mechanism_frame *f, int gap, const double *a, double v[2])
{
    pc_mechanism_change(f, gap, a, v);
    find_bend(f, gap);
    for (int k = 0; k < 2; k++) v[k] += f->bend[2 * gap + k];
}

void pc_mechanism_drift(pc_mechanism_frame *f, int gap, double v[2])
{
    const int n = f->m->n, last = gap * (n + 1) + n;
    find_rows(f, gap);
    v[PC_T] = 0 - f->tangent[last];
    v[PC_N] = 0 - f->normal[last];
}

double pc_mechanism_speed(pc_mechanism_frame *f, int gap)
{
    const int n = f->m->n;
    const double *normal = f->normal + gap * (n + 1), *tangent = f->tangent + gap * (n + 1);
    find_rows(f, gap);
    double sum = fabs(normal[n]) + fabs(tangent[n]);
    for (int i = 0; i < n; i++) sum += (fabs(normal[i]) + fabs(tangent[i])) * fabs(f->u[i]);
    return sum;
}

/* ---- forces ---- */

void pc_mechanism_unload(pc_mechanism_frame *f)
{
    memset(f->load, 0, (size_t)f->m->n * sizeof *f->load);
}

/* What the change of the mass does, -M' u + d(u.M u/2)/dq, is added to the load: M' is the sum of its slopes along the
 * coordinates, times their rates, and asks for no points of its own. */
static int turn_mass(pc_mechanism_frame *f)
{
    const pc_mechanism *m = f->m;
    const int n = m->n;
    for (int i = 0; i < n; i++) {
        if (!m->turns[i]) continue;
        if (slope(f, MASS, 0, (way){i, false}, f->row) != 0) return -1;
        f->load[i] += 0.5 * twice_kinetic(f->row, f->u, n);
        for (int k = 0; k < n; k++) f->load[k] -= f->u[i] * dot(f->row + k * n, f->u, n);
    }
    return 0;
}

int pc_mechanism_load(pc_mechanism_frame *f)
{
    const pc_mechanism *m = f->m;
    const int n = m->n;
    double slope_of;
    pc_mechanism_unload(f);
    if (m->has_force && m->call->force(m->context, f->t, f->q, f->u, f->load) != 0) f->failed = true;
    if (f->failed) return -1;
    for (int i = 0; i < n && m->has_potential; i++) {
        if (slope(f, POTENTIAL, 0, (way){i, false}, &slope_of) != 0) return -1;
        f->load[i] -= slope_of;
    }
    return m->whole_force || m->mass ? 0 : turn_mass(f);
}

void pc_mechanism_push(pc_mechanism_frame *f, int gap, const double force[2])
{
    const int n = f->m->n;
    const double *normal = f->normal + gap * (n + 1), *tangent = f->tangent + gap * (n + 1);
    find_rows(f, gap);
    for (int i = 0; i < n; i++) f->load[i] += force[PC_N] * normal[i] + force[PC_T] * tangent[i];
}

void pc_mechanism_solve(const pc_mechanism_frame *f, double *a)
{
    solve(f, f->load, a);
}

int pc_mechanism_power(pc_mechanism_frame *f, double *power)
{
    const pc_mechanism *m = f->m;
    double *force = f->work + 2 * size_of(m, MASS);
    *power = 0;
    if (!m->has_force) return f->failed ? -1 : 0;
    if (f->failed || m->call->force(m->context, f->t, f->q, f->u, force) != 0) {
        f->failed = true;
        return -1;
    }
    *power = dot(force, f->u, m->n);
    if (!m->whole_force || m->mass) return 0;
    /* what the force has in it of the change of the mass only moves energy about: its power is that of M'/2 */
    if (slope(f, MASS, 0, (way){-1, false}, f->row) != 0) return -1;
    *power += 0.5 * twice_kinetic(f->row, f->u, m->n);
    return 0;
}

/* ---- before the motion ---- */

/* Scales that are tried: 1, 0.3, 0.1, ... m, rad or s. */
enum { SCALES = 17 };

static double try_scale(int k)
{
    return (k % 2 ? 0.3 : 1) * pow(10, -(k / 2));
}

/* What differences may be off, as a share of what they give: at the most, and so little that a smaller scale is not
 * worth its rounding. */
static const double WORST = 1e-6, GOOD = 1e-12;

/* Times at which a function of time may differ though it does nothing with its argument but compare it. */
static const double TIMES[] = {-1e3, -17, -1, -0.03, 0, 1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 1e3, 1e5};
enum { N_TIMES = sizeof TIMES / sizeof *TIMES };

/* Whether differences of a field along a way are ever taken. */
static bool differs(const pc_mechanism *m, field what, int gap, way w)
{
    if (what == GAP) return w.i == m->n ? !m->gaps[gap].normal_drifts : !m->gaps[gap].has_normal;
    return w.i < m->n || what > GAP;
}

/* The i-th of what can be asked; false: there are no more. */
static bool find_field(const pc_mechanism *m, int i, field *what, int *gap)
{
    *gap = 0;
    if (!m->mass && i-- == 0) return *what = MASS, true;
    if (m->has_potential && i-- == 0) return *what = POTENTIAL, true;
    for (int k = 0; k < m->n_gaps; k++) {
        const pc_mechanism_gap *g = &m->gaps[k];
        *gap = k;
        if (i-- == 0) return *what = GAP, true;
        if (g->has_normal && !g->normal && i-- == 0) return *what = NORMAL, true;
        if (g->has_tangent && !g->tangent && i-- == 0) return *what = TANGENT, true;
    }
    return false;
}

static const char *name_field(const pc_mechanism *m, field what, int gap, char text[80])
{
    static const char *const words[] = {"mass", "potential", "gap", "jacobian of", "tangent of"};
    if (what == MASS || what == POTENTIAL)
        snprintf(text, 80, "%s", words[what]);
    else
        snprintf(text, 80, "%s '%s'", words[what], m->gaps[gap].name);
    return text;
}

/* How well six points tell the slope of a field, and its bend over a step, by eight, beyond rounding: as a share of the
 * steepest chord, which an even function has, too. */
static int error_of(pc_mechanism_frame *f, field what, int gap, way w, double scale, double *error)
{
    /* weights of six points less those of eight */
    static const double odd[] = {3.0 / 4 - 4.0 / 5, -3.0 / 20 + 1.0 / 5, 1.0 / 60 - 4.0 / 105, 1.0 / 280};
    static const double even[] = {3.0 / 2 - 8.0 / 5, -3.0 / 20 + 1.0 / 5, 1.0 / 90 - 8.0 / 315, 1.0 / 560};
    const int size = size_of(f->m, what);
    const double h = STEP * scale;
    double *slopes = f->row, *here = f->work, *there = here + size, *bends = there + size, *chord = bends + size;
    *error = 0;
    if (ask_at(f, what, gap, w, 0, here) != 0) return -1;
    for (int k = 0; k < size; k++) slopes[k] = bends[k] = chord[k] = 0;
    for (int j = -4; j <= 4; j++) {
        if (j == 0) continue;
        if (ask_at(f, what, gap, w, j * h, there) != 0) return -1;
        for (int k = 0; k < size; k++) {
            double away = (there[k] - here[k]) / h;
            slopes[k] += (j > 0 ? 1 : -1) * odd[abs(j) - 1] * away;
            bends[k] += even[abs(j) - 1] * away;
            chord[k] = fmax(chord[k], fabs(away / j));
        }
    }
    for (int k = 0; k < size; k++) {
        double off = fmax(fabs(slopes[k]), fabs(bends[k])) - pc_rounding(fabs(here[k]) / h + chord[k]);
        if (off > 0) *error = fmax(*error, off / chord[k]);
    }
    return 0;
}

/* On what the mass and the gaps depend: where that has no value, they have none. */
static int find_dependence(pc_mechanism *m, pc_mechanism_frame *f, bool *timed)
{
    const int n = m->n;
    double *q = f->load, here;
    field what;
    int gap;
    for (int i = 0; i <= n; i++) {
        memcpy(q, f->q, (size_t)n * sizeof *q);
        if (i < n) q[i] = NAN;
        for (int k = 0; find_field(m, k, &what, &gap); k++) {
            if (what == POTENTIAL || (i < n && what > GAP) || (i == n && what == MASS)) continue;
            bool depends = false;
            m->trying = true;
            int got = ask(f, what, gap, i < n ? f->t : NAN, q, f->row);
            for (int j = 0; j < size_of(m, what); j++) depends |= isnan(f->row[j]);
            for (int j = 0; i == n && what == GAP && got == 0 && j < N_TIMES; j++) {
                got = ask(f, what, gap, j > 0 ? TIMES[j] : f->t, q, f->row);
                if (j == 0) here = f->row[0];
                depends |= j > 0 && f->row[0] != here;
            }
            m->trying = false;
            if (got != 0) return -1;
            if (i < n)
                m->turns[(what == MASS ? 0 : gap + 1) * n + i] = depends;
            else if (what == GAP)
                m->gaps[gap].moves |= depends;
            *timed |= i == n && depends;
        }
    }
    if (!m->has_force) return 0;
    m->trying = true;
    int got = m->call->force(m->context, NAN, f->q, f->u, f->row);
    for (int i = 0; i < n; i++) m->timed_force |= isnan(f->row[i]);
    for (int j = 0; j < N_TIMES && got == 0; j++) {
        got = m->call->force(m->context, TIMES[j], f->q, f->u, f->work);
        for (int i = 0; i < n; i++) m->timed_force |= f->work[i] != f->row[i];
    }
    m->trying = false;
    return got;
}

/* The scale of a coordinate, or of the time: the largest with which differences are good, or do no worse than with any
 * other; the worst field and its error. */
static int find_scale(pc_mechanism_frame *f, way w, double *scale, double *error, field *worst, int *worst_gap)
{
    double own[SCALES], tried = *scale, least = INFINITY;
    int best = 0;
    field what;
    int gap;
    for (int k = 0; k < SCALES; k++) {
        own[k] = 0;
        for (int i = 0; find_field(f->m, i, &what, &gap); i++) {
            double off;
            if (!differs(f->m, what, gap, w)) continue;
            if (error_of(f, what, gap, w, tried > 0 ? tried : try_scale(k), &off) != 0) return -1;
            own[k] = fmax(own[k], off);
        }
        least = fmin(least, own[k]);
        if (tried > 0) break;
    }
    while (tried == 0 && own[best] > fmax(GOOD, 10 * least)) best++;
    *scale = tried > 0 ? tried : try_scale(best);
    *error = own[best];
    for (int i = 0; find_field(f->m, i, &what, &gap); i++) {
        double off;
        if (!differs(f->m, what, gap, w)) continue;
        if (error_of(f, what, gap, w, *scale, &off) != 0) return -1;
        if (off < *error) continue;
        *worst = what;
        *worst_gap = gap;
    }
    return 0;
}

/* A row that was given against the gap; and the length of what is in a gap. */
static pc_status check_gap(pc_mechanism *m, pc_mechanism_frame *f, int gap, pc_error *err)
{
    pc_mechanism_gap *g = &m->gaps[gap];
    const int n = m->n;
    const double *row = f->normal + gap * (n + 1);
    double value, length = 0, most = 0;
    find_rows(f, gap);
    if (pc_mechanism_gap_at(f, gap, &value) != 0) return PC_E_CALLBACK;
    for (int i = 0; i < n; i++) {
        const pc_mechanism_coordinate *c = &m->coordinates[i];
        length += fabs(row[i]) * (c->angle ? 1 : fabs(f->q[i]));
        most = fmax(most, fabs(row[i]) * c->scale);
    }
    if (g->length == 0) g->length = fmax(length, fabs(value));
    if (g->length == 0) g->length = most > 0 ? most : 1;
    for (int i = 0; i < n && g->has_normal; i++) {
        double found, scale = m->coordinates[i].scale;
        if (slope(f, GAP, gap, (way){i, false}, &found) != 0) return PC_E_CALLBACK;
        if (fabs(found - row[i]) * scale <= WORST * fmax(most, fabs(found) * scale)) continue;
        return pc_fail(err, PC_E_ARGUMENT,
                       "mechanism: the jacobian of gap '%s' is %.10g along %s at the start, where the gap itself "
                       "changes at %.10g",
                       g->name, row[i], m->coordinates[i].name, found);
    }
    return PC_OK;
}

static pc_status find_scales(pc_mechanism *m, pc_mechanism_frame *f, bool timed, pc_error *err)
{
    m->error = 0;
    for (int i = 0; i <= m->n; i++) {
        double error, *scale = i < m->n ? &m->coordinates[i].scale : &m->time_scale;
        field what = GAP;
        int gap = 0;
        char text[80];
        if (i == m->n && !timed) {
            m->time_scale = INFINITY;
            break;
        }
        if (find_scale(f, (way){i, false}, scale, &error, &what, &gap) != 0) return PC_E_CALLBACK;
        m->error = fmax(m->error, error);
        if (error <= WORST) continue;
        return pc_fail(err, PC_E_ARGUMENT,
                       "mechanism: differences tell the slope of %s along %s to %.1g of itself only at the start: it "
                       "has to be smooth there, on a scale that may be given",
                       name_field(m, what, gap, text), i < m->n ? m->coordinates[i].name : "t", error);
    }
    return PC_OK;
}

pc_status pc_mechanism_prepare(pc_mechanism *m, const double *q, const double *u, pc_error *err)
{
    pc_mechanism_frame f;
    pc_status status = pc_mechanism_frame_open(&f, m, err);
    bool timed = false;
    if (status != PC_OK) return status;
    (void)pc_mechanism_place(&f, 0, q, u);
    if (find_dependence(m, &f, &timed) != 0 || pc_mechanism_factor(&f) != 0) status = PC_E_CALLBACK;
    if (status == PC_OK) status = find_scales(m, &f, timed, err);
    for (int i = 0; i < m->n_gaps && status == PC_OK; i++) status = check_gap(m, &f, i, err);
    if (status == PC_OK && pc_mechanism_load(&f) != 0) status = PC_E_CALLBACK;
    if (status == PC_OK) (void)pc_mechanism_potential(&f);
    if (f.failed) status = PC_E_CALLBACK;
    pc_mechanism_frame_close(&f);
    if (status != PC_E_CALLBACK) return status;
    if (pc_interrupted()) return pc_fail(err, PC_E_INTERRUPTED, "interrupted");
    return pc_fail(err, PC_E_CALLBACK, "mechanism: a function of it stopped");
}
