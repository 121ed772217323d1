/* The motion of a disc on a plane at any time: followed again from the mark before, within one mode.
 *
 * A mark stands where each mode begins and every few steps along it. It takes less than a twentieth of the memory of
 * the steps' polynomials, and what follows from it is as exact as the motion itself.
 */
#include "motion/disc_plane/internal.h"

#include "base/grow.h"
#include "event/solve.h"

#include <math.h>
#include <string.h>

pc_status pc_disc_run_mark(pc_disc_run *run, const disc *s, double t, const double *y, pc_error *err)
{
    if (!PC_GROW(run->marks, run->mark_room, run->n_marks + 1))
        return pc_fail(err, PC_E_MEMORY, "not enough memory for %zu marks of a motion", run->n_marks + 1);
    pc_disc_mark *mark = &run->marks[run->n_marks++];
    *mark = (pc_disc_mark){.t = t, .hold = s->hold, .touching = s->touching, .whole = s->whole};
    memcpy(mark->y, y, sizeof mark->y);
    return PC_OK;
}

/* The last mark that is not after t, s, as the phases tell its time. */
static const pc_disc_mark *mark_before(const pc_disc_run *run, double t, double unit)
{
    size_t lo = 0, hi = run->n_marks;
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        if (run->marks[middle].t * unit <= t)
            lo = middle;
        else
            hi = middle;
    }
    return &run->marks[lo];
}

pc_status pc_disc_run_at(const pc_disc_plane *task, const pc_disc_run *run, double t, pc_disc_row *row, pc_error *err)
{
    disc s = {0};
    pc_disc_scale(task, &s);
    const pc_disc_mark *mark = mark_before(run, t, s.time);
    double when = fmax(mark->t, fmin(t / s.time, run->marks[run->n_marks - 1].t));
    s.hold = mark->hold;
    s.touching = mark->touching;
    s.whole = mark->whole;
    double y[N];
    memcpy(y, mark->y, sizeof y);
    if (when > mark->t) {
        pc_ode_problem problem = {.n = N, .rhs = pc_disc_rates, .context = &s, .autonomous = true};
        pc_ode_settings settings = pc_disc_settings(&s);
        pc_solve_task again = {.problem = &problem,
                               .method = &pc_ode_dop853,
                               .settings = &settings,
                               .t0 = mark->t,
                               .t1 = when,
                               .y0 = mark->y};
        pc_solution solution = {0};
        pc_status status = pc_solve(&again, &solution, err);
        if (status == PC_OK) memcpy(y, solution.y, sizeof y);
        pc_solution_free(&solution);
        if (status != PC_OK) return status;
    }
    *row = pc_disc_row_at(&s, when, y);
    row->t = t;
    return PC_OK;
}
