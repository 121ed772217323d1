/* Displacements carried along: see tangent.h. */
#include "base/alloc.h"
#include "event/solve.h"
#include "motion/proximity.h"
#include "motion/variation/internal.h"

#include <math.h>
#include <string.h>

/* Displacement for differences, as a share of the sizes in the scene. Those of four points err by its fourth power over
 * 30, 2e-15 where frequencies are those of these sizes and 2e-11 at ten times as much, and round at 6e-13. */
static const double SHARE = 5e-4;

/* The linearised equations are integrated with the tolerance of the run, relative to the displacement, but not beyond
 * what their derivatives are known to. */
static const double FINEST = 1e-12;

double pc_carrier_size(const pc_carrier *c, const double *v)
{
    double sum = 0;
    for (int i = 0; i < c->n; i++) sum += v[i] / c->scale[i] * (v[i] / c->scale[i]);
    return sqrt(sum);
}

pc_status pc_carrier_reserve(pc_carrier *c, int n)
{
    pc_contacts *lists[] = {&c->contacts, &c->before, &c->after, &c->kept_closed};
    pc_status status = pc_run_reserve(c->run, n, c->err);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && status == PC_OK; i++)
        status = pc_contacts_reserve(lists[i], n, c->err);
    return status;
}

const pc_configuration *pc_carrier_rates(pc_carrier *c, double t, const double *y, double *f)
{
    int n = c->n / 2;
    const pc_configuration *at = pc_planar_make(c->planar, t, y);
    memcpy(f, y + n, (size_t)n * sizeof *f);
    bool known =
        at && pc_contacts_accelerate(&c->contacts, NULL, &c->planar->mechanics, &c->run->scratch.block, f + n) == 0;
    return known ? at : NULL;
}

/* Lengths and speeds of the pairs; where there are none, of chains and of a fall. Coordinates have their sizes, and so
 * has a radian, with the rate that goes with them. */
static void find_scales(pc_carrier *c)
{
    const pc_run *run = c->run;
    const pc_scene *scene = run->scene;
    double length = 0, speed = 0;
    for (int i = 0; i < scene->n_pairs; i++) {
        length = fmax(length, scene->pairs[i].length);
        speed = fmax(speed, pc_pair_speed_scale(run->scene, run->state.memory, i));
    }
    for (int m = 0; m < scene->n_members && scene->n_pairs == 0; m++)
        for (int i = 0; scene->members[m].chain && i < scene->members[m].chain->n; i++)
            length = fmax(length, scene->members[m].chain->links[i].length);
    c->length = length > 0 ? length : 1;
    speed = fmax(speed, sqrt(fabs(scene->gravity) * c->length));
    c->speed = speed > 0 ? speed : c->length;
    for (int m = 0; m < scene->n_members; m++) {
        const pc_member *member = &scene->members[m];
        int dof = member->chain ? member->chain->n : 3;
        for (int i = 0; i < dof; i++) {
            bool turns = member->chain || i == 2;
            c->scale[member->first + i] = turns ? 1 : c->length;
            c->scale[c->n / 2 + member->first + i] = turns ? c->speed / c->length : c->speed;
        }
    }
}

double pc_carrier_step(const pc_carrier *c, const double *d)
{
    double most = 0;
    for (int i = 0; i < c->n; i++) most = fmax(most, fabs(d[i]) / c->scale[i]);
    return SHARE / most;
}

/* Of four points: f' = sum of weight (f(at h) - f(-at h))/h, but for h^4 f'''''/30. */
static const struct {
    double at, weight;
} difference[2] = {{1, 8.0 / 12}, {2, -1.0 / 12}};

pc_status pc_carrier_differ(pc_carrier *c, pc_carrier_map map, const void *context, double t, const double *along,
                            double dt, double most, int m, double *out)
{
    double h = fmin(pc_carrier_step(c, along), most);
    memset(c->sum, 0, (size_t)m * sizeof *c->sum);
    for (int k = 0; k < 2 && isfinite(h); k++) {
        for (int side = 0; side < 2; side++) {
            double s = (side ? h : -h) * difference[k].at, *near = c->f[side];
            for (int i = 0; i < c->n; i++) near[i] = c->y[i] + s * along[i];
            pc_status status = map(c, t + s * dt, near, context);
            if (status != PC_OK) return status;
        }
        for (int i = 0; i < m; i++) c->sum[i] += difference[k].weight * (c->f[1][i] - c->f[0][i]);
    }
    for (int i = 0; i < m; i++) out[i] = c->sum[i] / h;
    return PC_OK;
}

static pc_status project(pc_carrier *c, double t, double *near, const void *context)
{
    if (!pc_planar_make(c->planar, t, near)) return pc_run_stopped(c->run, c->err);
    pc_contacts_project(&c->contacts, &c->planar->mechanics, &c->run->scratch.block, *(const bool *)context, near);
    return PC_OK;
}

pc_status pc_carrier_project(pc_carrier *c, double t, double dt, bool rub)
{
    return c->contacts.n > 0 ? pc_carrier_differ(c, project, &rub, t, c->d, dt, INFINITY, c->n, c->d) : PC_OK;
}

static pc_status accelerate(pc_carrier *c, double t, double *near, const void *context)
{
    int m = c->n / 2;
    (void)context;
    if (!pc_carrier_rates(c, t, near, c->near)) return pc_run_stopped(c->run, c->err);
    memcpy(near, c->near + m, (size_t)m * sizeof *near);
    return PC_OK;
}

static int linearised(double t, const double *d, double *dd, void *context)
{
    pc_carrier *c = context;
    int m = c->n / 2;
    t = fmin(fmax(t, c->from), c->to);
    pc_run_at(c->run, t, t > c->from ? -1 : 1, c->y);
    memcpy(dd, d + m, (size_t)m * sizeof *dd);
    return pc_carrier_differ(c, accelerate, NULL, t, d, 0, INFINITY, m, dd + m) == PC_OK ? 0 : -1;
}

/* The rates keep what contacts forbid at zero but for the errors of a step, which are taken away at the end. */
static pc_status follow_arc(pc_carrier *c, double from, double to)
{
    if (to <= from) return PC_OK;
    c->from = from;
    c->to = to;
    double size = pc_carrier_size(c, c->d);
    if (size == 0) return PC_OK; /* contacts have taken all of it */
    pc_ode_problem problem = {.n = c->n, .rhs = linearised, .context = c, .scale = c->scale};
    double tolerance = fmax(c->run->rtol, FINEST);
    pc_ode_settings settings = {tolerance, tolerance * size, 0, INFINITY, 0, 10000000};
    pc_solve_task task = {
        .problem = &problem, .method = &pc_ode_dop853, .settings = &settings, .t0 = from, .t1 = to, .y0 = c->d};
    pc_solution solution;
    pc_status status = pc_solve(&task, &solution, c->err);
    if (status == PC_OK) memcpy(c->d, solution.y, (size_t)c->n * sizeof *c->d);
    pc_solution_free(&solution);
    if (status == PC_E_CALLBACK) return pc_run_stopped(c->run, c->err);
    if (status != PC_OK) return status;
    pc_run_at(c->run, to, -1, c->y);
    return pc_carrier_project(c, to, 0, false);
}

/* A compliant contact moves along with the state: its rows would have to be displaced as well. */
static pc_status refuse_pressed(const pc_carrier *c, const pc_arc_record *arc, double t)
{
    if (arc->n_compliant == 0) return PC_OK;
    const pc_run_contact *contact = (const pc_run_contact *)c->run->history.compliant.data + arc->compliant;
    return pc_fail_at(c->err, PC_E_UNSUPPORTED, t, "contact",
                      "%s is closed at t = %.10g with configuration = \"moving\": displacements are carried through "
                      "impacts and rigid contacts only",
                      c->run->scene->pairs[contact->pair].name, t);
}

static pc_status carry(pc_carrier *c, double from, double to)
{
    pc_run *run = c->run;
    size_t n;
    const pc_arc *arcs = pc_trajectory_arcs(&run->history.trajectory, &n);
    const pc_arc_record *records = run->history.arcs.data;
    size_t i = pc_trajectory_find(&run->history.trajectory, from, 1), last = run->history.modes.used - 1;
    size_t modes = i < n ? records[i].modes : last;
    int n_closed;
    pc_run_closed(run, modes, &n_closed);
    pc_status status = pc_carrier_reserve(c, n_closed);
    if (status != PC_OK) return status;
    pc_run_restore_modes(run, modes, &c->contacts);
    pc_run_at(run, from, 1, c->y);
    status = pc_carrier_project(c, from, 0, false);
    while (status == PC_OK && i < n && from < to) {
        size_t next = i;
        while (next < n && records[next].modes == modes) next++;
        double stop = next < n ? arcs[next].t : run->state.t;
        status = refuse_pressed(c, &records[i], fmax(from, arcs[i].t));
        if (status == PC_OK) status = follow_arc(c, from, fmin(stop, to));
        if (status != PC_OK || stop > to) return status;
        from = stop;
        i = next;
        size_t after = next < n ? records[next].modes : last;
        if (after != modes) status = pc_carrier_pass(c, from, modes, after);
        modes = after;
    }
    return status;
}

pc_status pc_run_carry(pc_run *run, double from, double to, double *d, pc_slowest *slowest, pc_error *err)
{
    size_t n = 2 * (size_t)run->scene->n_dof;
    pc_error own = {0};
    pc_error_clear(err);
    if (!(from <= to && from >= run->history.t0 && to <= run->state.t))
        return pc_fail(err, PC_E_ARGUMENT, "from t = %.10g to %.10g is not within the motion, %.10g to %.10g", from, to,
                       run->history.t0, run->state.t);
    if (run->history.arcs.used == 0 && run->state.t > run->history.t0)
        return pc_fail(err, PC_E_ARGUMENT, "the motion was not recorded (record = false)");
    if (run->history.arcs.used == 0) return PC_OK;
    double *memory = pc_calloc(11 * n, sizeof *memory);
    if (!memory) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d coordinates", run->scene->n_dof);
    pc_carrier c = {.run = run,
                    .planar = &run->scratch.system,
                    .n = (int)n,
                    .y = memory,
                    .near = memory + n,
                    .f = {memory + 2 * n, memory + 3 * n},
                    .kept = {memory + 4 * n, memory + 5 * n, memory + 6 * n, memory + 7 * n},
                    .scale = memory + 8 * n,
                    .sum = memory + 9 * n,
                    .rates = memory + 10 * n,
                    .d = d,
                    .slowest = slowest,
                    .err = err ? err : &own};
    find_scales(&c);
    pc_status status = carry(&c, from, to);
    pc_contacts *lists[] = {&c.contacts, &c.before, &c.after, &c.kept_closed};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) pc_contacts_close(lists[i]);
    pc_free(c.struck);
    pc_free(c.causes);
    pc_free(memory);
    return status;
}
