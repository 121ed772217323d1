/* Smooth curves in the plane: see plane_curve.h. */
#include "shape/plane_curve.h"

#include "base/alloc.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* How far beyond its ends a polynomial is followed, as a place: its rounding grows there as its Chebyshev polynomials
 * do, those of degree 16 to 5e4. */
static const double BEYOND = 1.25;

/* ---- a place of a span ---- */

typedef struct jet {
    double at[2], first[2], second[2]; /* by the place v */
} jet;

static void evaluate(const pc_curve_span *s, double v, jet *j)
{
    memset(j, 0, sizeof *j);
    if (s->degree == 0) {
        double half = s->turn / 2, angle = s->from + half * (1 + v), x = s->radius * cos(angle),
               y = s->radius * sin(angle);
        *j = (jet){{s->centre[0] + x, s->centre[1] + y}, {-half * y, half * x}, {-half * half * x, -half * half * y}};
        return;
    }
    double t[3] = {1, v, 0}, d[3] = {0, 1, 0}, e[3] = {0, 0, 0}; /* T_k of k - 1, k, k + 1 and their derivatives */
    j->at[0] = s->x[0];
    j->at[1] = s->y[0];
    for (int k = 1; k <= s->degree; k++) {
        j->at[0] += s->x[k] * t[1];
        j->at[1] += s->y[k] * t[1];
        j->first[0] += s->x[k] * d[1];
        j->first[1] += s->y[k] * d[1];
        j->second[0] += s->x[k] * e[1];
        j->second[1] += s->y[k] * e[1];
        t[2] = 2 * v * t[1] - t[0];
        d[2] = 2 * t[1] + 2 * v * d[1] - d[0];
        e[2] = 4 * d[1] + 2 * v * e[1] - e[0];
        for (int i = 0; i < 2; i++) t[i] = t[i + 1], d[i] = d[i + 1], e[i] = e[i + 1];
    }
}

/* As pc_curve_at; returns the rate of the length by v. */
static double find_frame(const pc_curve_span *span, double v, double point[2], double tangent[2], double *curvature)
{
    jet j;
    evaluate(span, v, &j);
    double speed = hypot(j.first[0], j.first[1]);
    for (int k = 0; k < 2; k++) {
        point[k] = j.at[k];
        tangent[k] = j.first[k] / speed;
    }
    *curvature = (j.first[1] * j.second[0] - j.first[0] * j.second[1]) / (speed * speed * speed);
    return speed;
}

void pc_curve_at(const pc_curve_span *span, double v, double point[2], double tangent[2], double *curvature)
{
    (void)find_frame(span, v, point, tangent, curvature);
}

/* ---- the nearest place ---- */

/* Slope of half the square of the distance along the span, and its own. */
static double slope(const pc_curve_span *s, double v, const double p[2], double *of)
{
    jet j;
    evaluate(s, v, &j);
    const double away[2] = {j.at[0] - p[0], j.at[1] - p[1]};
    *of = j.first[0] * j.first[0] + j.first[1] * j.first[1] + away[0] * j.second[0] + away[1] * j.second[1];
    return away[0] * j.first[0] + away[1] * j.first[1];
}

/* The place between lo and hi where that vanishes, by Newton's method within a bracket; an end where it does not. The
 * ends are looked at when a step would leave them: most are never. *bends: where it begins the distance has no minimum
 * nearby, so that there may be one on each side. */
static double solve(const pc_curve_span *s, const double p[2], double v, double lo, double hi, bool *bends)
{
    enum { MOST = 100 };
    bool known[2] = {false, false};
    double d;
    for (int i = 0; i < MOST; i++) {
        double f = slope(s, v, p, &d), next = v - f / d;
        if (i == 0) *bends = d <= 0;
        if (f == 0) return v;
        if (f < 0) {
            lo = v;
            known[0] = true;
        } else {
            hi = v;
            known[1] = true;
        }
        if (!(d > 0 && next > lo && next < hi)) {
            if (d > 0 && fabs(f / d) <= 2 * DBL_EPSILON) return v;
            int end = f > 0 ? 0 : 1; /* towards which it falls */
            if (!known[end]) {
                double e = slope(s, end ? hi : lo, p, &d);
                if (end ? e <= 0 : e >= 0) return end ? hi : lo;
                known[end] = true;
            }
            next = lo + (hi - lo) / 2;
        }
        if (fabs(next - v) <= DBL_EPSILON / 2 || next == lo || next == hi) return next;
        v = next;
    }
    return v;
}

static double node_place(int i)
{
    return -1 + 2.0 * i / (PC_CURVE_NODES - 1);
}

typedef struct candidate {
    double place, distance;
} candidate;

static candidate candidate_at(const pc_curve_span *s, const double p[2], double v)
{
    jet j;
    evaluate(s, v, &j);
    return (candidate){v, hypot(j.at[0] - p[0], j.at[1] - p[1])};
}

static void compare(const pc_curve_span *s, const double p[2], double v, candidate *best)
{
    const candidate here = candidate_at(s, p, v);
    if (here.distance < best->distance) *best = here;
}

/* The nearest place of a span; beyond: where that is one of its ends, a little further on. */
static candidate nearest_on(const pc_curve_span *s, const double p[2], bool beyond)
{
    bool bends, unused;
    if (s->degree == 0) {
        double x = p[0] - s->centre[0], y = p[1] - s->centre[1], half = s->turn / 2;
        if (x == 0 && y == 0) return candidate_at(s, p, 0);
        double v = remainder(atan2(y, x) - s->from - half, 2 * M_PI) / half;
        return candidate_at(s, p, beyond ? v : fmax(-1, fmin(1, v)));
    }
    double square[PC_CURVE_NODES];
    candidate best = {0, INFINITY};
    for (int i = 0; i < PC_CURVE_NODES; i++) {
        double x = s->node[i][0] - p[0], y = s->node[i][1] - p[1];
        square[i] = x * x + y * y;
    }
    for (int i = 0; i < PC_CURVE_NODES; i++) {
        bool first = i == 0, last = i == PC_CURVE_NODES - 1;
        if ((!first && square[i - 1] < square[i]) || (!last && square[i + 1] < square[i])) continue;
        double v = node_place(i), lo = first ? -1 : node_place(i - 1), hi = last ? 1 : node_place(i + 1);
        compare(s, p, solve(s, p, v, lo, hi, &bends), &best);
        if (!bends) continue;
        compare(s, p, solve(s, p, lo, lo, v, &unused), &best);
        compare(s, p, solve(s, p, hi, v, hi, &unused), &best);
    }
    if (beyond && best.place == -1) return candidate_at(s, p, solve(s, p, -1, -BEYOND, -1, &unused));
    if (beyond && best.place == 1) return candidate_at(s, p, solve(s, p, 1, 1, BEYOND, &unused));
    return best;
}

static void describe_foot(const pc_curve_span *s, double v, const double p[2], pc_curve_foot *out)
{
    const double rate = find_frame(s, v, out->point, out->tangent, &out->curvature), half = s->length / 2;
    const double away[2] = {p[0] - out->point[0], p[1] - out->point[1]};
    double along = away[0] * out->tangent[0] + away[1] * out->tangent[1];
    out->place = v;
    out->distance = hypot(away[0], away[1]);
    out->height = away[1] * out->tangent[0] - away[0] * out->tangent[1];
    if (s->degree == 0) { /* without the rounding of angles */
        double x = p[0] - s->centre[0], y = p[1] - s->centre[1], r = hypot(x, y), left = s->turn > 0 ? 1 : -1;
        if (r > 0 && fabs(along) <= 1e-9 * s->radius) {
            out->tangent[0] = -left * y / r;
            out->tangent[1] = left * x / r;
            out->height = left * (s->radius - r);
            out->distance = fabs(s->radius - r);
        }
        out->curvature = -left / s->radius;
    }
    bool beyond = s->degree > 0 && fabs(v) >= BEYOND;
    out->margin[0] = half * (1 + v) + (beyond && v < 0 ? along : 0);
    out->margin[1] = half * (1 - v) - (beyond && v > 0 ? along : 0);
    out->speed = (s->degree > 0 ? half / rate : 1) / (1 + out->curvature * out->height);
}

void pc_curve_on_span(const pc_plane_curve *curve, int span, double x, double y, pc_curve_foot *out)
{
    const double p[2] = {x, y};
    const pc_curve_span *s = &curve->spans[span];
    *out = (pc_curve_foot){.span = span};
    describe_foot(s, nearest_on(s, p, true).place, p, out);
}

void pc_curve_end(const pc_plane_curve *curve, int which, double point[2], double tangent[2])
{
    double curvature;
    pc_curve_at(&curve->spans[which ? curve->n - 1 : 0], which ? 1 : -1, point, tangent, &curvature);
}

typedef struct nearest_so_far {
    int span;
    double place, distance, bound; /* bound: no nearer place is farther */
} nearest_so_far;

static bool is_far(const double p[2], const double middle[2], double room)
{
    double dx = p[0] - middle[0], dy = p[1] - middle[1];
    return dx * dx + dy * dy > room * room;
}

static void look_at(const pc_plane_curve *curve, int i, const double p[2], nearest_so_far *best)
{
    const pc_curve_span *s = &curve->spans[i];
    if (is_far(p, s->middle, s->reach + best->bound)) return;
    const candidate found = nearest_on(s, p, false);
    if (!(found.distance < best->distance)) return;
    best->distance = found.distance;
    best->bound = fmin(best->bound, found.distance);
    best->span = i;
    best->place = found.place;
}

void pc_curve_nearest(const pc_plane_curve *curve, double x, double y, double tolerance, pc_curve_foot *out)
{
    const double p[2] = {x, y};
    nearest_so_far best = {.distance = INFINITY};
    double square = INFINITY;
    for (int i = 0; i<curve->n; i += curve->n> PC_CURVE_BLOCK ? PC_CURVE_BLOCK : 1) { /* none is farther than these */
        const double *node = curve->spans[i].node[PC_CURVE_NODES / 2], dx = x - node[0], dy = y - node[1];
        if (dx * dx + dy * dy < square) square = dx * dx + dy * dy;
    }
    best.bound = sqrt(square) * (1 + 4 * DBL_EPSILON);
    for (int i = 0; i < curve->n; i += PC_CURVE_BLOCK) {
        const pc_curve_span *s = &curve->spans[i];
        int last = i + PC_CURVE_BLOCK < curve->n ? i + PC_CURVE_BLOCK : curve->n;
        if (curve->n > PC_CURVE_BLOCK && is_far(p, s->block_middle, s->block_reach + best.bound)) continue;
        for (int k = i; k < last; k++) look_at(curve, k, p, &best);
    }
    int found = best.span;
    double place = best.place;
    *out = (pc_curve_foot){.span = found};
    describe_foot(&curve->spans[found], place, p, out);
    if (curve->closed || fabs(place) < 1) return;
    double along = (x - out->point[0]) * out->tangent[0] + (y - out->point[1]) * out->tangent[1];
    if (found == 0 && place == -1 && along < -tolerance) out->end = -1;
    if (found == curve->n - 1 && place == 1 && along > tolerance) out->end = 1;
}

double pc_curve_reach(const pc_plane_curve *curve)
{
    double most = 0;
    for (int i = 0; i < curve->n; i++)
        for (int k = 0; k < PC_CURVE_NODES; k++)
            most = fmax(most, fabs(curve->spans[i].node[k][0]) + fabs(curve->spans[i].node[k][1]));
    return most;
}

/* ---- making spans ---- */

/* What would stand still before it comes to where it is known next, by its second derivative, may do so: at a cusp.
 * What slows down to this share of its greatest speed does. */
static const double STILL = 1.0 / (PC_CURVE_NODES - 1), SLOW = 1e-3;

/* Its course beforehand: length by Gauss's rule of two points between neighbours, and by how much it turns; infinite:
 * it may stand still. */
static double measure(pc_curve_span *s)
{
    double tangent[2], before[2] = {0, 0}, curvature, turn = 0;
    double least = INFINITY, most = 0;
    bool still = false;
    s->length = 0;
    for (int i = 0; i < PC_CURVE_NODES; i++) {
        jet here;
        evaluate(s, node_place(i), &here);
        double speed = hypot(here.first[0], here.first[1]);
        still |= !(speed > STILL * hypot(here.second[0], here.second[1]));
        least = fmin(least, speed);
        most = fmax(most, speed);
        pc_curve_at(s, node_place(i), s->node[i], tangent, &curvature);
        if (i > 0) {
            turn += fabs(atan2(before[0] * tangent[1] - before[1] * tangent[0],
                               before[0] * tangent[0] + before[1] * tangent[1]));
            double half = 1.0 / (PC_CURVE_NODES - 1), middle = node_place(i) - half;
            for (int side = -1; side < 2; side += 2) {
                jet j;
                evaluate(s, middle + side * half / sqrt(3), &j);
                s->length += half * hypot(j.first[0], j.first[1]);
            }
        }
        memcpy(before, tangent, sizeof before);
    }
    for (int k = 0; k < 2; k++) s->middle[k] = (s->node[0][k] + s->node[PC_CURVE_NODES - 1][k]) / 2;
    s->reach = 0;
    for (int i = 0; i < PC_CURVE_NODES; i++)
        s->reach = fmax(s->reach, hypot(s->node[i][0] - s->middle[0], s->node[i][1] - s->middle[1]));
    s->reach += s->length / (PC_CURVE_NODES - 1); /* between two of them */
    return still || !(least > SLOW * most) ? INFINITY : turn;
}

void pc_curve_line(pc_curve_span *span, const double a[2], const double b[2])
{
    *span = (pc_curve_span){
        .degree = 1, .x = {(a[0] + b[0]) / 2, (b[0] - a[0]) / 2}, .y = {(a[1] + b[1]) / 2, (b[1] - a[1]) / 2}};
    measure(span);
}

void pc_curve_arc(pc_curve_span *span, const double centre[2], double radius, double from, double turn)
{
    *span = (pc_curve_span){.centre = {centre[0], centre[1]}, .radius = radius, .from = from, .turn = turn};
    measure(span);
    span->length = radius * fabs(turn);
}

/* Its series are found from its values at the zeros of the next Chebyshev polynomial. */
void pc_curve_stretch(pc_curve_span *out, const pc_curve_span *span, double from, double to)
{
    const int n = span->degree + 1;
    double middle = (from + to) / 2, half = (to - from) / 2;
    if (span->degree == 0) {
        double begins = span->from + span->turn * (1 + from) / 2;
        pc_curve_arc(out, span->centre, span->radius, begins, span->turn * half);
        return;
    }
    *out = (pc_curve_span){.degree = span->degree};
    for (int j = 0; j < n; j++) {
        double angle = M_PI * (j + 0.5) / n;
        jet here;
        evaluate(span, middle + half * cos(angle), &here);
        for (int k = 0; k < n; k++) {
            double share = (k > 0 ? 2.0 : 1.0) / n * cos(k * angle);
            out->x[k] += share * here.at[0];
            out->y[k] += share * here.at[1];
        }
    }
    measure(out);
}

/* Solve a tridiagonal system for x and, unless NULL, for other right-hand sides y; below[i] is left of diagonal[i + 1],
 * which changes. */
static void solve_tridiagonal(int n, const double *below, double *diagonal, const double *above, double *x, double *y)
{
    for (int i = 1; i < n; i++) {
        double w = below[i - 1] / diagonal[i - 1];
        diagonal[i] -= w * above[i - 1];
        x[i] -= w * x[i - 1];
        if (y) y[i] -= w * y[i - 1];
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = (x[i] - (i < n - 1 ? above[i] * x[i + 1] : 0)) / diagonal[i];
        if (y) y[i] = (y[i] - (i < n - 1 ? above[i] * y[i + 1] : 0)) / diagonal[i];
    }
}

/* Second derivatives m of a spline through the k-th coordinates of n points with the steps h. room: 4 n numbers. */
static void find_bends(const double *h, const double (*points)[2], int k, int n, bool closed, double *m, double *room)
{
    double *diagonal = room, *above = room + n, *below = room + 2 * n, *q = room + 3 * n;
    const int first = closed ? 0 : 1, rows = closed ? n : n - 2;
    m[0] = m[n - 1] = 0;
    for (int i = first, row = 0; row < rows; i++, row++) {
        double before = h[(i + n - 1) % n], after = h[i], here = points[i][k];
        diagonal[row] = 2 * (before + after);
        above[row] = after;
        if (row > 0) below[row - 1] = before;
        m[i] = 6 * ((points[(i + 1) % n][k] - here) / after - (here - points[(i + n - 1) % n][k]) / before);
        q[i] = 0;
    }
    if (closed) { /* cyclic: the corner entries are taken out by one vector more (Sherman and Morrison) */
        double corner = h[n - 1], gamma = -2 * (h[n - 1] + h[0]);
        diagonal[0] -= gamma;
        diagonal[n - 1] -= corner * corner / gamma;
        q[0] = gamma;
        q[n - 1] = corner;
        solve_tridiagonal(n, below, diagonal, above, m, q);
        double factor = (m[0] + corner / gamma * m[n - 1]) / (1 + q[0] + corner / gamma * q[n - 1]);
        for (int i = 0; i < n; i++) m[i] -= factor * q[i];
    } else if (n == 3) { /* the parabola */
        m[0] = m[1] = m[2] = m[1] / (3 * (h[0] + h[1]));
    } else if (n > 3) { /* not a knot: m0 = m1 + (m1 - m2) h0/h1, and likewise at the end */
        double ratio = h[n - 2] / h[n - 3];
        diagonal[0] += h[0] * (1 + h[0] / h[1]);
        above[0] -= h[0] * h[0] / h[1];
        diagonal[n - 3] += h[n - 2] * (1 + ratio);
        below[n - 4] -= h[n - 2] * ratio;
        solve_tridiagonal(n - 2, below, diagonal, above, m + 1, NULL);
        m[0] = m[1] + (m[1] - m[2]) * h[0] / h[1];
        m[n - 1] = m[n - 2] + (m[n - 2] - m[n - 3]) * ratio;
    }
}

/* Chebyshev series of a cubic with the values a, b and the second derivatives p, q at its ends, h apart. */
static void cubic(double a, double b, double p, double q, double h, double out[4])
{
    /* (a + b)/2 + (b - a)/2 v + h^2/16 (v^2 - 1) (p + q) + h^2/48 (v^3 - v) (q - p) with v from -1 to 1 */
    double even = h * h / 16 * (p + q), odd = h * h / 48 * (q - p);
    out[0] = (a + b) / 2 - even / 2;
    out[1] = (b - a) / 2 - odd / 4;
    out[2] = even / 2;
    out[3] = odd / 4;
}

pc_status pc_curve_spline(pc_curve_span *spans, const double (*points)[2], int n, bool closed, int *bad, pc_error *err)
{
    int n_spans = closed ? n : n - 1;
    size_t all = (size_t)n;
    double *h = pc_calloc(7 * all, sizeof *h);
    if (!h) return pc_fail(err, PC_E_MEMORY, "not enough memory for a spline of %d points", n);
    double *m[2] = {h + all, h + 2 * all};
    pc_status status = PC_OK;
    for (int i = 0; i < n_spans && status == PC_OK; i++) {
        const double *a = points[i], *b = points[(i + 1) % n];
        h[i] = hypot(b[0] - a[0], b[1] - a[1]);
        *bad = i;
        if (!(h[i] > 0)) status = pc_fail(err, PC_E_ARGUMENT, "two points that follow each other are one");
    }
    for (int k = 0; k < 2 && status == PC_OK; k++) find_bends(h, points, k, n, closed, m[k], h + 3 * all);
    for (int i = 0; i < n_spans && status == PC_OK; i++) {
        int j = (i + 1) % n;
        spans[i] = (pc_curve_span){.degree = 3};
        cubic(points[i][0], points[j][0], m[0][i], m[0][j], h[i], spans[i].x);
        cubic(points[i][1], points[j][1], m[1][i], m[1][j], h[i], spans[i].y);
        *bad = i;
        if (!(measure(&spans[i]) < PC_CURVE_TURN))
            status =
                pc_fail(err, PC_E_ARGUMENT, "the spline turns by more than %g rad between two points", PC_CURVE_TURN);
    }
    if (status == PC_OK) pc_curve_gather(spans, n_spans);
    pc_free(h);
    return status;
}

/* ---- functions ---- */

/* The series has come to an end where its last terms are below this share of the curve's size, and the function is met
 * between its nodes as well; what is below rounding is left out. Parts that are a small share of the whole may have
 * more of them, the rounding of the function itself. */
static const double ENDS = 1e-16, NOISE = 4e-15, SMALL = 1.0 / 64, MEETS = 4e-14, ROUNDS = 2e-16;

/* Of its size, by which it goes on in a part at least: rounding is far below that. */
static const double RUNS = 1e-12;

/* Parts narrower than this share of the whole are not smooth. */
static const double FINEST = 1e-7;

typedef struct follower {
    int (*f)(double s, double place[2], void *context);
    void *context;
    double size;
} follower;

/* 1: the span is good; 0: it is not; < 0: stop. */
static int fit(follower *w, double from, double to, double ends, pc_curve_span *span)
{
    enum { N = PC_CURVE_DEGREE + 1 };
    double value[N][2], middle = from + (to - from) / 2, half = (to - from) / 2;
    *span = (pc_curve_span){.degree = PC_CURVE_DEGREE};
    for (int i = 0; i < N; i++) {
        int got = w->f(middle + half * cos(M_PI * (i + 0.5) / N), value[i], w->context);
        if (got < 0) return got;
        w->size = fmax(w->size, fmax(fabs(value[i][0]), fabs(value[i][1])));
    }
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++) {
            int quarter = k * (2 * i + 1) % (4 * N); /* small angles do not round much */
            double wave =
                (k == 0 ? 1.0 : 2.0) / N * cos(M_PI * (quarter > 2 * N ? quarter - 4 * N : quarter) / (2 * N));
            span->x[k] += wave * value[i][0];
            span->y[k] += wave * value[i][1];
        }
    for (int k = N - 3; k < N; k++)
        if (fmax(fabs(span->x[k]), fabs(span->y[k])) > ends * w->size) return 0;
    while (span->degree > 1 && fmax(fabs(span->x[span->degree]), fabs(span->y[span->degree])) <= ROUNDS * w->size)
        span->degree--;
    for (int i = 0; i < 5; i++) {
        double v = -1 + (2 * i + 0.3) / 5, place[2];
        jet j;
        int got = w->f(middle + half * v, place, w->context);
        if (got < 0) return got;
        evaluate(span, v, &j);
        if (fmax(fabs(place[0] - j.at[0]), fabs(place[1] - j.at[1])) > MEETS * w->size) return 0;
    }
    return hypot(span->x[1], span->y[1]) > RUNS * w->size && measure(span) < PC_CURVE_TURN;
}

int pc_curve_follow(pc_curve_span *spans, int room, int (*f)(double s, double place[2], void *context), void *context,
                    double from, double to, double *where)
{
    follower w = {f, context, 0};
    double at = from, width = to - from;
    int n = 0;
    while (at < to) {
        bool last = at + width >= to - FINEST / 2 * (to - from);
        *where = at;
        if (n == room) return 0;
        double ends = width > SMALL * (to - from) ? ENDS : NOISE;
        int got = fit(&w, at, last ? to : at + width, ends, &spans[n]);
        if (got < 0) return got;
        if (got == 0) {
            *where = at + width / 2;
            width /= 2;
            if (width < FINEST * (to - from)) return 0;
            continue;
        }
        spans[n++].turn = last ? to - at : width;
        if (last) break;
        at += width;
        width = fmin(2 * width, to - at);
    }
    pc_curve_gather(spans, n);
    return n;
}

/* ---- whole curves ---- */

void pc_curve_gather(pc_curve_span *spans, int n)
{
    for (int i = 0; i < n; i += PC_CURVE_BLOCK) {
        pc_curve_span *first = &spans[i];
        int last = i + PC_CURVE_BLOCK < n ? i + PC_CURVE_BLOCK : n;
        for (int k = 0; k < 2; k++)
            first->block_middle[k] = (first->node[0][k] + spans[last - 1].node[PC_CURVE_NODES - 1][k]) / 2;
        first->block_reach = 0;
        for (int j = i; j < last; j++) {
            double away =
                hypot(spans[j].middle[0] - first->block_middle[0], spans[j].middle[1] - first->block_middle[1]);
            first->block_reach = fmax(first->block_reach, away + spans[j].reach);
        }
    }
}

/* Ends that are nearer to each other than this share of the curve's size are one; directions that differ by less. */
static const double JOINED = 1e-11, ALONG = 1e-8;

/* A span is longer than this share of the curve's size, which is less than this, m. */
static const double SHORTEST = 1e-10, LARGEST = 1e100;

int pc_curve_vanishes(const pc_plane_curve *curve)
{
    double size = pc_curve_reach(curve);
    for (int i = 0; i < curve->n; i++)
        if (!(size < LARGEST && curve->spans[i].length > SHORTEST * size)) return i;
    return -1;
}

int pc_curve_breaks(const pc_plane_curve *curve)
{
    double size = pc_curve_reach(curve);
    for (int i = 0; i < curve->n - !curve->closed; i++) {
        double a[2], b[2], s[2], t[2], curvature;
        int next = (i + 1) % curve->n;
        pc_curve_at(&curve->spans[i], 1, a, s, &curvature);
        pc_curve_at(&curve->spans[next], -1, b, t, &curvature);
        double turn = s[0] * t[1] - s[1] * t[0];
        bool good =
            hypot(a[0] - b[0], a[1] - b[1]) <= JOINED * size && fabs(turn) <= ALONG && s[0] * t[0] + s[1] * t[1] > 0;
        if (!good) return next;
    }
    return -1;
}

/* True if the chords ab and cd have a point in common. */
static bool chords_cross(const double a[2], const double b[2], const double c[2], const double d[2], double small)
{
    double ux = b[0] - a[0], uy = b[1] - a[1], vx = d[0] - c[0], vy = d[1] - c[1], wx = c[0] - a[0], wy = c[1] - a[1];
    double cross = ux * vy - uy * vx, p = wx * vy - wy * vx, q = wx * uy - wy * ux;
    if (fmin(fmin(hypot(wx, wy), hypot(d[0] - a[0], d[1] - a[1])),
             fmin(hypot(c[0] - b[0], c[1] - b[1]), hypot(d[0] - b[0], d[1] - b[1]))) <= small)
        return true;
    if (cross == 0) return false;
    return p / cross >= 0 && p / cross <= 1 && q / cross >= 0 && q / cross <= 1;
}

static bool spans_meet(const pc_plane_curve *curve, int i, int j, double small)
{
    const pc_curve_span *a = &curve->spans[i], *b = &curve->spans[j];
    bool next = j <= i + 1 || (curve->closed && i == 0 && j == curve->n - 1);
    if (next || is_far(a->middle, b->middle, a->reach + b->reach)) return false;
    for (int k = 1; k < PC_CURVE_NODES; k++)
        for (int l = 1; l < PC_CURVE_NODES; l++)
            if (chords_cross(a->node[k - 1], a->node[k], b->node[l - 1], b->node[l], small)) return true;
    return false;
}

bool pc_curve_meets_itself(const pc_plane_curve *curve)
{
    enum { BLOCK = PC_CURVE_BLOCK };
    double small = JOINED * pc_curve_reach(curve);
    for (int first = 0; first < curve->n; first += BLOCK)
        for (int other = first; other < curve->n; other += BLOCK) {
            const pc_curve_span *a = &curve->spans[first], *b = &curve->spans[other];
            if (is_far(a->block_middle, b->block_middle, a->block_reach + b->block_reach)) continue;
            for (int i = first; i < first + BLOCK && i < curve->n; i++)
                for (int j = other; j < other + BLOCK && j < curve->n; j++)
                    if (spans_meet(curve, i, j, small)) return true;
        }
    return false;
}
