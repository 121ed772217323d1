/* Runs of connected points: see figure.h. */
#include "chart/figure/figure.h"

#include "base/alloc.h"
#include "base/status.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

bool pc_clip_segment(pc_box box, double *x0, double *y0, double *x1, double *y1)
{
    const double dx = *x1 - *x0, dy = *y1 - *y0;
    const double p[4] = {-dx, dx, -dy, dy};
    const double q[4] = {*x0 - box.x0, box.x1 - *x0, *y0 - box.y0, box.y1 - *y0};
    double enter = 0, leave = 1;
    for (int i = 0; i < 4; i++) {
        if (p[i] == 0) {
            if (q[i] < 0) return false;
        } else if (p[i] < 0) {
            enter = fmax(enter, q[i] / p[i]);
        } else {
            leave = fmin(leave, q[i] / p[i]);
        }
    }
    if (enter > leave) return false;
    const double ax = *x0, ay = *y0;
    if (enter > 0) {
        *x0 = ax + enter * dx;
        *y0 = ay + enter * dy;
    }
    if (leave < 1) {
        *x1 = ax + leave * dx;
        *y1 = ay + leave * dy;
    }
    return true;
}

typedef struct point {
    double x, y;
} point;

/* Three stages in a row: points of one column are thinned, segments clipped, runs collected. */
typedef struct tracer {
    pc_box box;
    double column;
    pc_run_sink sink;
    void *context;
    /* stage 1: the column being filled. Order of the extremes is kept by their counts. */
    int in_column;
    double column_index;
    point first, low, high, last;
    int low_at, high_at;
    /* stage 2: the previous point */
    bool has_previous;
    point previous;
    /* stage 3: the run being collected */
    pc_points points;
} tracer;

void pc_points_add(pc_points *points, double x, double y)
{
    points->failed = points->failed || !PC_GROW(points->x, points->x_room, points->n + 1) ||
                     !PC_GROW(points->y, points->y_room, points->n + 1);
    if (points->failed) return;
    points->x[points->n] = x;
    points->y[points->n++] = y;
}

void pc_points_free(pc_points *points)
{
    pc_free(points->x);
    pc_free(points->y);
    *points = (pc_points){0};
}

static void finish_run(tracer *t)
{
    pc_points *run = &t->points;
    if (run->n > 0) t->sink(t->context, run->x, run->y, run->n);
    run->n = 0;
}

static bool inside(pc_box box, point p)
{
    return p.x >= box.x0 && p.x <= box.x1 && p.y >= box.y0 && p.y <= box.y1;
}

static void join(tracer *t, point p)
{
    if (!t->has_previous) {
        if (inside(t->box, p)) pc_points_add(&t->points, p.x, p.y);
    } else {
        point a = t->previous, b = p;
        if (pc_clip_segment(t->box, &a.x, &a.y, &b.x, &b.y)) {
            if (t->points.n == 0) pc_points_add(&t->points, a.x, a.y);
            pc_points_add(&t->points, b.x, b.y);
            if (b.x != p.x || b.y != p.y) finish_run(t);
        } else {
            finish_run(t);
        }
    }
    t->previous = p;
    t->has_previous = true;
}

static void finish_column(tracer *t)
{
    if (t->in_column == 0) return;
    join(t, t->first);
    bool low_first = t->low_at <= t->high_at;
    const int at[2] = {low_first ? t->low_at : t->high_at, low_first ? t->high_at : t->low_at};
    const point extreme[2] = {low_first ? t->low : t->high, low_first ? t->high : t->low};
    for (int i = 0; i < 2; i++) {
        bool repeated = i == 1 && at[1] == at[0];
        if (at[i] > 0 && at[i] < t->in_column - 1 && !repeated) join(t, extreme[i]);
    }
    if (t->in_column > 1) join(t, t->last);
    t->in_column = 0;
}

static void add_point(tracer *t, point p)
{
    double index = floor(p.x / t->column);
    if (t->in_column > 0 && index != t->column_index) finish_column(t);
    if (t->in_column == 0) {
        t->first = t->low = t->high = p;
        t->low_at = t->high_at = 0;
        t->column_index = index;
    } else if (p.y < t->low.y) {
        t->low = p;
        t->low_at = t->in_column;
    } else if (p.y > t->high.y) {
        t->high = p;
        t->high_at = t->in_column;
    }
    t->last = p;
    t->in_column++;
}

static void break_line(tracer *t)
{
    finish_column(t);
    finish_run(t);
    t->has_previous = false;
}

/* Device coordinates stay below this, so that differences and products of them are exact enough to clip. */
static const double FARTHEST = 1e8;

static bool map_point(const pc_scale *x, const pc_scale *y, pc_box frame, double px, double py, point *p)
{
    if (!isfinite(px) || !isfinite(py)) return false;
    double u = pc_scale_position(x, px), v = pc_scale_position(y, py);
    if (isnan(u) || isnan(v)) return false;
    p->x = fmin(fmax(frame.x0 + u * (frame.x1 - frame.x0), -FARTHEST), FARTHEST);
    p->y = fmin(fmax(frame.y0 + v * (frame.y1 - frame.y0), -FARTHEST), FARTHEST);
    return true;
}

/* Asks the interrupt flag about every millisecond of points. */
static bool asked_to_stop(size_t i)
{
    return (i & 0xFFFF) == 0 && pc_interrupted();
}

pc_status pc_curve_trace(const double *px, const double *py, size_t n, bool held, const pc_scale *x, const pc_scale *y,
                         pc_box frame, pc_box box, double column, pc_run_sink sink, void *context, pc_error *err)
{
    tracer t = {.box = box, .column = column, .sink = sink, .context = context};
    bool connected = false;
    double last = 0;
    bool interrupted = false;
    for (size_t i = 0; i < n && !interrupted; i++) {
        interrupted = asked_to_stop(i);
        point p;
        if (!map_point(x, y, frame, px[i], py[i], &p)) {
            break_line(&t);
            connected = false;
            continue;
        }
        if (held && connected) add_point(&t, (point){p.x, last});
        add_point(&t, p);
        last = p.y;
        connected = true;
    }
    if (!t.points.failed) break_line(&t);
    bool failed = t.points.failed;
    pc_points_free(&t.points);
    if (interrupted) return pc_fail(err, PC_E_INTERRUPTED, "interrupted while drawing");
    return failed ? pc_fail(err, PC_E_MEMORY, "not enough memory to draw a curve") : PC_OK;
}

pc_status pc_curve_runs(const pc_series *series, const pc_scale *x, const pc_scale *y, pc_box frame, pc_box box,
                        double column, pc_run_sink sink, void *context, pc_error *err)
{
    return pc_curve_trace(series->x, series->y, series->n, series->kind->held, x, y, frame, box, column, sink, context,
                          err);
}

pc_status pc_curve_points(const pc_series *series, const pc_scale *x, const pc_scale *y, pc_box frame, double grain,
                          pc_run_sink sink, void *context, pc_error *err)
{
    size_t columns = (size_t)ceil((frame.x1 - frame.x0) / grain) + 1;
    size_t rows = (size_t)ceil((frame.y1 - frame.y0) / grain) + 1;
    uint8_t *taken = pc_calloc(columns * rows, 1);
    if (!taken) return pc_fail(err, PC_E_MEMORY, "not enough memory to draw points");
    bool interrupted = false;
    for (size_t i = 0; i < series->n && !interrupted; i++) {
        interrupted = asked_to_stop(i);
        point p;
        if (!map_point(x, y, frame, series->x[i], series->y[i], &p) || !inside(frame, p)) continue;
        size_t cell = (size_t)((p.y - frame.y0) / grain) * columns + (size_t)((p.x - frame.x0) / grain);
        if (!taken[cell]) sink(context, &p.x, &p.y, 1);
        taken[cell] = 1;
    }
    pc_free(taken);
    return interrupted ? pc_fail(err, PC_E_INTERRUPTED, "interrupted while drawing") : PC_OK;
}

void pc_dash_run(pc_dash dash, double unit, const double *x, const double *y, int n, pc_run_sink sink, void *context)
{
    const double *pattern = pc_dash_patterns[dash];
    if (pattern[0] == 0 || n < 2) {
        sink(context, x, y, n);
        return;
    }
    enum { PIECE = 256 };
    double px[PIECE], py[PIECE];
    int held = 0, phase = 0;
    double left = pattern[0] * unit;
    px[held] = x[0];
    py[held++] = y[0];
    for (int i = 1; i < n; i++) {
        double length = hypot(x[i] - x[i - 1], y[i] - y[i - 1]), done = 0;
        while (length - done > left) {
            done += left;
            double at = done / length, cx = x[i - 1] + at * (x[i] - x[i - 1]), cy = y[i - 1] + at * (y[i] - y[i - 1]);
            if (phase % 2 == 0) {
                px[held] = cx;
                py[held++] = cy;
                sink(context, px, py, held);
            }
            phase = pattern[phase + 1] != 0 ? phase + 1 : 0;
            left = pattern[phase] * unit;
            held = 0;
            if (phase % 2 == 0) {
                px[held] = cx;
                py[held++] = cy;
            }
        }
        left -= length - done;
        if (phase % 2 == 1) continue;
        px[held] = x[i];
        py[held++] = y[i];
        /* a dash over very many points: hand on what there is, one place stays for the end of the dash */
        if (held == PIECE - 1) {
            sink(context, px, py, held);
            px[0] = x[i];
            py[0] = y[i];
            held = 1;
        }
    }
    if (phase % 2 == 0 && held > 1) sink(context, px, py, held);
}

/* --- bars and error bars --- */

/* Place of a value on the page. On a logarithmic axis what is not positive lies infinitely far beyond the lower end. */
static double place(const pc_scale *scale, double value, double from, double to)
{
    double at = pc_scale_position(scale, value);
    if (isnan(at) && scale->log && value <= 0) at = scale->hi > scale->lo ? -INFINITY : INFINITY;
    return fmin(fmax(from + at * (to - from), -1e8), 1e8);
}

static double end_of(const double *ends, size_t i, double otherwise)
{
    return ends && !isnan(ends[i]) ? ends[i] : otherwise;
}

pc_status pc_reach_each(const pc_series *series, const pc_scale *x, const pc_scale *y, pc_box frame, pc_reach_sink sink,
                        void *context, pc_error *err)
{
    const pc_reach *r = &series->reach;
    for (size_t i = 0; i < series->n; i++) {
        if ((i & 0xFFFF) == 0 && pc_interrupted()) return pc_fail(err, PC_E_INTERRUPTED, "interrupted while drawing");
        double px = series->x[i], py = series->y[i];
        if (!isfinite(px) || !isfinite(py) || (x->log && px <= 0) || (y->log && py <= 0)) continue;
        double xs[2] = {end_of(r->x_lo, i, px), end_of(r->x_hi, i, px)};
        double ys[2] = {end_of(r->y_lo, i, py), end_of(r->y_hi, i, py)};
        for (int k = 0; k < 2; k++) {
            xs[k] = place(x, xs[k], frame.x0, frame.x1);
            ys[k] = place(y, ys[k], frame.y0, frame.y1);
        }
        pc_box box = {fmax(fmin(xs[0], xs[1]), frame.x0), fmax(fmin(ys[0], ys[1]), frame.y0),
                      fmin(fmax(xs[0], xs[1]), frame.x1), fmin(fmax(ys[0], ys[1]), frame.y1)};
        if (box.x0 > box.x1 || box.y0 > box.y1) continue;
        sink(context, place(x, px, frame.x0, frame.x1), place(y, py, frame.y0, frame.y1), box);
    }
    return PC_OK;
}

/* --- lines of equal value ---
 *
 * Marching squares, walked rather than collected: a line enters a cell by one edge and leaves by another, and every
 * edge that it crosses lies on exactly one line. Lines that end are walked first, from their ends; what is left is
 * closed.
 */

/* Sides of cell (i, j), between grid points (i, j) and (i + 1, j + 1); opposite ones differ by 2. */
typedef enum side { BOTTOM, RIGHT, TOP, LEFT, NO_SIDE } side;

typedef struct walker {
    const pc_field *field;
    double level;
    uint8_t *walked; /* bit 0: the edge from (i, j) to (i + 1, j), bit 1: to (i, j + 1) */
    pc_points line;
} walker;

static double value_at(const walker *w, size_t i, size_t j)
{
    return w->field->values[0][i * w->field->ny + j];
}

/* The two grid points of a side of a cell. */
typedef struct ends {
    size_t i0, j0, i1, j1;
} ends;

static ends ends_of(size_t i, size_t j, side s)
{
    switch (s) {
    case BOTTOM: return (ends){i, j, i + 1, j};
    case TOP: return (ends){i, j + 1, i + 1, j + 1};
    case LEFT: return (ends){i, j, i, j + 1};
    default: return (ends){i + 1, j, i + 1, j + 1};
    }
}

static bool crosses(const walker *w, ends e)
{
    double a = value_at(w, e.i0, e.j0), b = value_at(w, e.i1, e.j1);
    return isfinite(a) && isfinite(b) && (a >= w->level) != (b >= w->level);
}

static bool is_walked(const walker *w, ends e)
{
    return w->walked[e.i0 * w->field->ny + e.j0] & (e.i1 > e.i0 ? 1 : 2);
}

static bool is_cell(const walker *w, size_t i, size_t j)
{
    if (i >= w->field->nx - 1 || j >= w->field->ny - 1) return false; /* also -1, which is the largest size_t */
    return isfinite(value_at(w, i, j)) && isfinite(value_at(w, i + 1, j)) && isfinite(value_at(w, i, j + 1)) &&
           isfinite(value_at(w, i + 1, j + 1));
}

/* Where a line that enters a cell by a side leaves it. */
static side way_out(const walker *w, size_t i, size_t j, side in)
{
    bool crossed[4];
    int n = 0;
    for (int s = 0; s < 4; s++) n += crossed[s] = crosses(w, ends_of(i, j, (side)s));
    if (n == 2) {
        for (int s = 0; s < 4; s++) {
            if (crossed[s] && s != (int)in) return (side)s;
        }
    }
    /* a saddle: the lines cut off the corners that differ from the middle */
    double mean =
        0.25 * (value_at(w, i, j) + value_at(w, i + 1, j) + value_at(w, i, j + 1) + value_at(w, i + 1, j + 1));
    bool like_first = (mean >= w->level) == (value_at(w, i, j) >= w->level);
    static const side around_first[] = {[BOTTOM] = LEFT, [LEFT] = BOTTOM, [RIGHT] = TOP, [TOP] = RIGHT};
    static const side around_second[] = {[BOTTOM] = RIGHT, [RIGHT] = BOTTOM, [LEFT] = TOP, [TOP] = LEFT};
    return like_first ? around_second[in] : around_first[in];
}

/* Marks an edge as walked and appends the point where the line crosses it. */
static void cross(walker *w, ends e)
{
    const pc_field *f = w->field;
    w->walked[e.i0 * f->ny + e.j0] |= e.i1 > e.i0 ? 1 : 2;
    double a = value_at(w, e.i0, e.j0), b = value_at(w, e.i1, e.j1), part = (w->level - a) / (b - a);
    pc_points_add(&w->line, f->x[e.i0] + part * (f->x[e.i1] - f->x[e.i0]),
                  f->y[e.j0] + part * (f->y[e.j1] - f->y[e.j0]));
}

/* Follows a line from a side of a cell until it ends or closes. */
static void walk(walker *w, size_t i, size_t j, side in)
{
    w->line.n = 0;
    cross(w, ends_of(i, j, in));
    while (!w->line.failed && is_cell(w, i, j)) {
        side out = way_out(w, i, j, in);
        ends e = ends_of(i, j, out);
        bool closed = is_walked(w, e);
        cross(w, e);
        if (closed) return; /* back at the first edge */
        i += out == RIGHT ? 1 : out == LEFT ? (size_t)-1 : 0;
        j += out == TOP ? 1 : out == BOTTOM ? (size_t)-1 : 0;
        in = (side)((out + 2) % 4);
    }
}

/* Starts lines in every cell: `open` those that begin at a side without a cell beyond it, else all that are left. */
static pc_status start_lines(walker *w, bool open, pc_run_sink sink, void *context, pc_error *err)
{
    const pc_field *f = w->field;
    for (size_t i = 0; i + 1 < f->nx; i++) {
        if (pc_interrupted()) return pc_fail(err, PC_E_INTERRUPTED, "interrupted while drawing");
        const double *left = f->values[0] + i * f->ny, *right = left + f->ny;
        for (size_t j = 0; j + 1 < f->ny; j++) {
            /* nearly all cells lie on one side of the level; a missing value is below every level */
            bool above = left[j] >= w->level;
            if ((right[j] >= w->level) == above && (left[j + 1] >= w->level) == above &&
                (right[j + 1] >= w->level) == above) {
                continue;
            }
            if (!is_cell(w, i, j)) continue;
            for (int s = 0; s < 4; s++) {
                ends e = ends_of(i, j, (side)s);
                if (!crosses(w, e) || is_walked(w, e)) continue;
                size_t beyond_i = i + (s == RIGHT ? 1 : s == LEFT ? (size_t)-1 : 0);
                size_t beyond_j = j + (s == TOP ? 1 : s == BOTTOM ? (size_t)-1 : 0);
                if (open && is_cell(w, beyond_i, beyond_j)) continue;
                walk(w, i, j, (side)s);
                if (w->line.failed) return pc_fail(err, PC_E_MEMORY, "not enough memory to draw contours");
                if (w->line.n > 1) sink(context, w->line.x, w->line.y, w->line.n);
            }
        }
    }
    return PC_OK;
}

pc_status pc_contour_trace(const pc_field *field, double level, pc_run_sink sink, void *context, pc_error *err)
{
    walker w = {.field = field, .level = level};
    w.walked = pc_calloc(field->nx * field->ny, 1);
    pc_status status = w.walked ? PC_OK : pc_fail(err, PC_E_MEMORY, "not enough memory to draw contours");
    if (!status) status = start_lines(&w, true, sink, context, err);
    if (!status) status = start_lines(&w, false, sink, context, err);
    pc_free(w.walked);
    pc_points_free(&w.line);
    return status;
}

/* --- streamlines ---
 *
 * A line starts where it is `spacing` away from a line that is already there and is followed both ways until it leaves
 * the field, reaches a point of rest or comes nearer than half the spacing to another line or to a part of itself
 * that is not just behind it. Points lie in square buckets of the spacing's size, so that neighbours are found at
 * once.
 */

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

typedef struct streamer {
    const pc_stream *flow;
    double spacing, step;
    int columns, rows, *buckets; /* first mark in each, or -1 */
    mark *marks;
    int n_marks;
    size_t mark_room;
    int line;
    pc_points points; /* of the line being traced; backwards first, then turned round */
} streamer;

static int bucket_of(const streamer *t, double x, double y)
{
    int c = (int)((x - t->flow->frame.x0) / t->spacing), r = (int)((y - t->flow->frame.y0) / t->spacing);
    c = c < 0 ? 0 : c >= t->columns ? t->columns - 1 : c;
    r = r < 0 ? 0 : r >= t->rows ? t->rows - 1 : r;
    return r * t->columns + c;
}

/* True if a mark of a line with a number below `lines` is nearer than `distance` <= spacing. */
static bool is_near(const streamer *t, double x, double y, double distance, int lines)
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
static bool direction(const streamer *t, double x, double y, double way, double *u, double *v)
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
static bool step_along(const streamer *t, double way, double *x, double *y)
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
static bool meets_itself(const streamer *t, double x, double y, int since)
{
    for (int i = 0; i < t->points.n - since; i++) {
        if (hypot(t->points.x[i] - x, t->points.y[i] - y) < 0.3 * t->spacing) return true;
    }
    return false;
}

/* True if the line, at (x, y), is about to run into its start. Between two points of a smooth curve the chord lies
 * along the mean of the two directions. */
static bool closes(const streamer *t, double way, double x, double y, double x0, double y0)
{
    double u, v, u0, v0, dx = x0 - x, dy = y0 - y;
    if (hypot(dx, dy) > 0.35 * t->spacing) return false;
    if (!direction(t, x, y, way, &u, &v) || !direction(t, x0, y0, way, &u0, &v0)) return false;
    double length = hypot(u + u0, v + v0);
    if (!(length > 0) || dx * (u + u0) + dy * (v + v0) <= 0) return false;
    return fabs(dx * (v + v0) - dy * (u + u0)) / length < 0.2 * t->step;
}

/* Follows the flow (way 1) or against it (way -1) from the last point. True if the line closed on its start. */
static bool follow(streamer *t, double way)
{
    enum { LONGEST = 20000 };
    const double x0 = t->points.x[t->points.n - 1], y0 = t->points.y[t->points.n - 1];
    double x = x0, y = y0;
    const int away = (int)(1.5 * t->spacing / t->step);
    for (int k = 1; !t->points.failed && k < LONGEST && step_along(t, way, &x, &y); k++) {
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

static void keep_marks(streamer *t)
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
static void start_line(streamer *t, double x, double y, pc_run_sink sink, void *context)
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
    streamer t = {.flow = flow, .spacing = spacing, .step = fmin(spacing / 8, 3)};
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
