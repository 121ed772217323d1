/* Runs of connected points: see curve.h. */
#include "chart/curve.h"

#include "base/alloc.h"
#include "base/grow.h"
#include "base/interrupt.h"

#include <math.h>
#include <stdint.h>

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
