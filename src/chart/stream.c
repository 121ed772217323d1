/* Streamlines: see stream.h.
 *
 * A line starts where it is `spacing` away from a line that is already there and is followed both ways until it leaves
 * the field, reaches a point of rest or comes nearer than half the spacing to another line or to a part of itself
 * that is not just behind it. Points lie in square buckets of the spacing's size, so that neighbours are found at
 * once.
 */
#include "chart/stream.h"

#include "base/alloc.h"
#include "base/grow.h"
#include "base/interrupt.h"

#include <math.h>
#include <string.h>

/* --- the field on the page --- */

static void map_lines(const pc_scale *scale, const double *lines, size_t n, double from, double to, double *at)
{
    for (size_t i = 0; i < n; i++) at[i] = from + pc_scale_position(scale, lines[i]) * (to - from);
}

/* Change of the position with the value, in units of the page. */
static double slope(const pc_scale *scale, double value, double length)
{
    return scale->log ? length / (value * log(scale->hi / scale->lo)) : length / (scale->hi - scale->lo);
}

pc_status pc_stream_make(const pc_field *field, const pc_scale *x, const pc_scale *y, pc_box frame, pc_stream *flow,
                         pc_error *err)
{
    *flow = (pc_stream){.frame = frame, .nx = field->nx, .ny = field->ny};
    flow->x = pc_calloc(flow->nx, sizeof *flow->x);
    flow->y = pc_calloc(flow->ny, sizeof *flow->y);
    flow->u = pc_calloc(flow->nx * flow->ny, sizeof *flow->u);
    flow->v = pc_calloc(flow->nx * flow->ny, sizeof *flow->v);
    if (!flow->x || !flow->y || !flow->u || !flow->v) {
        pc_stream_free(flow);
        return pc_fail(err, PC_E_MEMORY, "not enough memory to draw a vector field");
    }
    map_lines(x, field->x, flow->nx, frame.x0, frame.x1, flow->x);
    map_lines(y, field->y, flow->ny, frame.y0, frame.y1, flow->y);
    for (size_t i = 0; i < flow->nx; i++) {
        for (size_t j = 0; j < flow->ny; j++) {
            size_t k = i * flow->ny + j;
            double u = field->values[0][k] * slope(x, field->x[i], frame.x1 - frame.x0);
            double v = field->values[1][k] * slope(y, field->y[j], frame.y1 - frame.y0);
            bool exists = isfinite(u) && isfinite(v) && isfinite(flow->x[i]) && isfinite(flow->y[j]);
            flow->u[k] = exists ? u : NAN;
            flow->v[k] = exists ? v : NAN;
            if (exists) flow->fastest = fmax(flow->fastest, hypot(u, v));
        }
    }
    return PC_OK;
}

void pc_stream_free(pc_stream *flow)
{
    pc_free(flow->x);
    pc_free(flow->y);
    pc_free(flow->u);
    pc_free(flow->v);
    *flow = (pc_stream){0};
}

/* The interval of monotonic lines that holds a value, and the place in it; false outside. */
static bool find_interval(const double *lines, size_t n, double value, size_t *interval, double *part)
{
    bool down = lines[n - 1] < lines[0];
    size_t lo = 0, hi = n - 1;
    if (!(down ? value <= lines[0] && value >= lines[hi] : value >= lines[0] && value <= lines[hi])) return false;
    while (hi - lo > 1) {
        size_t middle = (lo + hi) / 2;
        if ((value >= lines[middle]) != down)
            lo = middle;
        else
            hi = middle;
    }
    *interval = lo;
    *part = (value - lines[lo]) / (lines[hi] - lines[lo]);
    return true;
}

bool pc_stream_at(const pc_stream *flow, double x, double y, double *u, double *v)
{
    size_t i, j;
    double a, b;
    if (!find_interval(flow->x, flow->nx, x, &i, &a) || !find_interval(flow->y, flow->ny, y, &j, &b)) return false;
    const size_t k = i * flow->ny + j, right = k + flow->ny;
    *u =
        (1 - a) * ((1 - b) * flow->u[k] + b * flow->u[k + 1]) + a * ((1 - b) * flow->u[right] + b * flow->u[right + 1]);
    *v =
        (1 - a) * ((1 - b) * flow->v[k] + b * flow->v[k + 1]) + a * ((1 - b) * flow->v[right] + b * flow->v[right + 1]);
    return isfinite(*u) && isfinite(*v);
}

/* --- lines --- */

typedef struct mark {
    double x, y;
    int line, next; /* next in its bucket, or -1 */
} mark;

typedef struct tracer {
    const pc_stream *flow;
    double spacing, step;
    int columns, rows, *buckets; /* first mark in each, or -1 */
    mark *marks;
    int n_marks;
    size_t mark_room;
    int line;
    pc_points points; /* of the line being traced; backwards first, then turned round */
} tracer;

static int bucket_of(const tracer *t, double x, double y)
{
    int c = (int)((x - t->flow->frame.x0) / t->spacing), r = (int)((y - t->flow->frame.y0) / t->spacing);
    c = c < 0 ? 0 : c >= t->columns ? t->columns - 1 : c;
    r = r < 0 ? 0 : r >= t->rows ? t->rows - 1 : r;
    return r * t->columns + c;
}

/* True if a mark of a line with a number below `lines` is nearer than `distance` <= spacing. */
static bool is_near(const tracer *t, double x, double y, double distance, int lines)
{
    int here = bucket_of(t, x, y), row = here / t->columns, column = here % t->columns;
    for (int r = row - 1; r <= row + 1; r++) {
        for (int c = column - 1; c <= column + 1; c++) {
            if (r < 0 || c < 0 || r >= t->rows || c >= t->columns) continue;
            for (int k = t->buckets[r * t->columns + c]; k >= 0; k = t->marks[k].next) {
                const mark *m = &t->marks[k];
                if (m->line < lines && hypot(m->x - x, m->y - y) < distance) return true;
            }
        }
    }
    return false;
}

/* Unit vector of the flow times `way`; false where a line ends. */
static bool direction(const tracer *t, double x, double y, double way, double *u, double *v)
{
    const pc_box f = t->flow->frame;
    if (x < f.x0 || x > f.x1 || y < f.y0 || y > f.y1 || !pc_stream_at(t->flow, x, y, u, v)) return false;
    double speed = hypot(*u, *v);
    if (speed <= 1e-6 * t->flow->fastest) return false; /* a point of rest */
    *u *= way / speed;
    *v *= way / speed;
    return true;
}

/* One step along the line by the midpoint rule: its error at this length is far below a pen's width. */
static bool advance(const tracer *t, double way, double *x, double *y)
{
    double u, v;
    if (!direction(t, *x, *y, way, &u, &v)) return false;
    if (!direction(t, *x + 0.5 * t->step * u, *y + 0.5 * t->step * v, way, &u, &v)) return false;
    *x += t->step * u;
    *y += t->step * v;
    const pc_box f = t->flow->frame;
    return *x >= f.x0 && *x <= f.x1 && *y >= f.y0 && *y <= f.y1;
}

/* True if the point closes on an earlier part of its own line, `since` points ago or longer. */
static bool meets_itself(const tracer *t, double x, double y, int since)
{
    for (int i = 0; i < t->points.n - since; i++) {
        if (hypot(t->points.x[i] - x, t->points.y[i] - y) < 0.3 * t->spacing) return true;
    }
    return false;
}

/* True if the line, at (x, y), is about to run into its start. Between two points of a smooth curve the chord lies
 * along the mean of the two directions. */
static bool closes(const tracer *t, double way, double x, double y, double x0, double y0)
{
    double u, v, u0, v0, dx = x0 - x, dy = y0 - y;
    if (hypot(dx, dy) > 0.35 * t->spacing) return false;
    if (!direction(t, x, y, way, &u, &v) || !direction(t, x0, y0, way, &u0, &v0)) return false;
    double length = hypot(u + u0, v + v0);
    if (!(length > 0) || dx * (u + u0) + dy * (v + v0) <= 0) return false;
    return fabs(dx * (v + v0) - dy * (u + u0)) / length < 0.2 * t->step;
}

/* Follows the flow (way 1) or against it (way -1) from the last point. True if the line closed on its start. */
static bool follow(tracer *t, double way)
{
    enum { LONGEST = 20000 };
    const double x0 = t->points.x[t->points.n - 1], y0 = t->points.y[t->points.n - 1];
    double x = x0, y = y0;
    const int away = (int)(1.5 * t->spacing / t->step);
    for (int k = 1; !t->points.failed && k < LONGEST && advance(t, way, &x, &y); k++) {
        if (k > away && closes(t, way, x, y, x0, y0)) {
            pc_points_add(&t->points, x, y);
            if (!t->points.failed) pc_points_add(&t->points, x0, y0);
            return true;
        }
        if (is_near(t, x, y, 0.5 * t->spacing, t->line) || meets_itself(t, x, y, away)) return false;
        pc_points_add(&t->points, x, y);
    }
    return false;
}

static void reverse(double *values, int n)
{
    for (int i = 0; i < n / 2; i++) {
        double kept = values[i];
        values[i] = values[n - 1 - i];
        values[n - 1 - i] = kept;
    }
}

static void keep_marks(tracer *t)
{
    pc_points *p = &t->points;
    p->failed = !PC_GROW(t->marks, t->mark_room, t->n_marks + p->n);
    if (p->failed) return;
    for (int i = 0; i < p->n; i++) {
        int bucket = bucket_of(t, p->x[i], p->y[i]);
        t->marks[t->n_marks] = (mark){p->x[i], p->y[i], t->line, t->buckets[bucket]};
        t->buckets[bucket] = t->n_marks++;
    }
    t->line++;
}

/* The line through a point, if there is room for one; short ones are given up. */
static void start_line(tracer *t, double x, double y, pc_run_sink sink, void *context)
{
    double u, v;
    if (!direction(t, x, y, 1, &u, &v) || is_near(t, x, y, 0.99 * t->spacing, t->line)) return;
    t->points.n = 0;
    pc_points_add(&t->points, x, y);
    if (t->points.failed) return;
    bool closed = follow(t, -1);
    reverse(t->points.x, t->points.n);
    reverse(t->points.y, t->points.n);
    if (!closed && !t->points.failed) follow(t, 1);
    if (t->points.failed || t->points.n * t->step < 1.2 * t->spacing) return;
    keep_marks(t);
    if (!t->points.failed) sink(context, t->points.x, t->points.y, t->points.n);
}

pc_status pc_stream_lines(const pc_stream *flow, double spacing, pc_run_sink sink, void *context, pc_error *err)
{
    tracer t = {.flow = flow, .spacing = spacing, .step = fmin(spacing / 8, 3)};
    const pc_box f = flow->frame;
    t.columns = 1 + (int)((f.x1 - f.x0) / spacing);
    t.rows = 1 + (int)((f.y1 - f.y0) / spacing);
    size_t n_buckets = (size_t)t.columns * (size_t)t.rows;
    t.buckets = pc_calloc(n_buckets, sizeof *t.buckets);
    if (!t.buckets) return pc_fail(err, PC_E_MEMORY, "not enough memory to draw streamlines");
    for (size_t i = 0; i < n_buckets; i++) t.buckets[i] = -1;
    bool interrupted = false;
    /* beside the lines that are there, first to last; then over the page, for parts of the flow that no line reached */
    start_line(&t, (f.x0 + f.x1) / 2, (f.y0 + f.y1) / 2, sink, context);
    for (int k = 0, page = 0; !t.points.failed && !interrupted;) {
        if (k < t.n_marks) {
            double u, v;
            const mark m = t.marks[k++];
            interrupted = (k & 255) == 0 && pc_interrupted();
            if (!direction(&t, m.x, m.y, spacing, &u, &v)) continue;
            start_line(&t, m.x - v, m.y + u, sink, context);
            if (!t.points.failed) start_line(&t, m.x + v, m.y - u, sink, context);
        } else if (page < t.columns * t.rows) {
            double c = page % t.columns + 0.5, r = page / t.columns + 0.5;
            page++;
            start_line(&t, f.x0 + c * spacing, f.y0 + r * spacing, sink, context);
        } else {
            break;
        }
    }
    pc_free(t.buckets);
    pc_free(t.marks);
    bool failed = t.points.failed;
    pc_points_free(&t.points);
    if (interrupted) return pc_fail(err, PC_E_INTERRUPTED, "interrupted while drawing");
    return failed ? pc_fail(err, PC_E_MEMORY, "not enough memory to draw streamlines") : PC_OK;
}

/* --- arrows --- */

/* Every how many grid lines there is an arrow, for a distance between arrows. */
static size_t stride(const double *lines, size_t n, double spacing)
{
    double each = fabs(lines[n - 1] - lines[0]) / (double)(n - 1);
    return each >= spacing ? 1 : (size_t)ceil(spacing / each - 1e-9);
}

void pc_stream_arrows(const pc_stream *flow, double spacing, double least, pc_run_sink sink, void *context)
{
    if (!(flow->fastest > 0)) return;
    const size_t every_x = stride(flow->x, flow->nx, spacing), every_y = stride(flow->y, flow->ny, spacing);
    const pc_box f = flow->frame;
    /* what the strides leave over is shared by both ends */
    for (size_t i = (flow->nx - 1) % every_x / 2; i < flow->nx; i += every_x) {
        for (size_t j = (flow->ny - 1) % every_y / 2; j < flow->ny; j += every_y) {
            double u = flow->u[i * flow->ny + j], v = flow->v[i * flow->ny + j], speed = hypot(u, v);
            if (!(speed > 1e-9 * flow->fastest)) continue;
            double half = 0.5 * fmax(least, spacing * speed / flow->fastest) / speed;
            const double x[2] = {flow->x[i] - half * u, flow->x[i] + half * u};
            const double y[2] = {flow->y[j] - half * v, flow->y[j] + half * v};
            bool inside = true;
            for (int k = 0; k < 2; k++) {
                inside = inside && x[k] >= f.x0 && x[k] <= f.x1 && y[k] >= f.y0 && y[k] <= f.y1;
            }
            if (!inside) continue;
            sink(context, x, y, 2);
        }
    }
}
