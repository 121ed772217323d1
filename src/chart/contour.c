/* Lines of equal value: see contour.h.
 *
 * Marching squares, walked rather than collected: a line enters a cell by one edge and leaves by another, and every
 * edge that it crosses lies on exactly one line. Lines that end are walked first, from their ends; what is left is
 * closed.
 */
#include "chart/contour.h"

#include "base/alloc.h"
#include "base/interrupt.h"

#include <math.h>
#include <stdint.h>

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
