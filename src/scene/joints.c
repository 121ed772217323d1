/* Joints of a scene: see joints.h. */
#include "scene/joints.h"

#include "base/alloc.h"
#include "base/tolerance.h"
#include "math/linsolve.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Groups of members by their first one. */
static void find_groups(pc_joints *s, const pc_scene *scene)
{
    for (int m = 0; m < scene->n_members; m++) s->group[m] = m;
    for (int i = 0; i < scene->n_joints; i++) {
        const int *member = scene->joints[i].at.member;
        if (member[0] < 0 || member[1] < 0) continue;
        int a = s->group[member[0]], b = s->group[member[1]];
        for (int m = 0; m < scene->n_members; m++)
            if (s->group[m] == (a < b ? b : a)) s->group[m] = a < b ? a : b;
    }
}

/* Conditions of a joint. What a chain holds at its own hinge needs none. */
static int join(const pc_scene_joint *joint, const pc_force_end end[2], pc_joint_row *row)
{
    int n = joint->at.kind->join(joint->at.params, end, &joint->start, row);
    if (!joint->hinge) return n;
    for (int i = 2; i < n; i++) row[i - 2] = row[i];
    return n - 2;
}

/* How many conditions there are does not depend on where the ends are. */
static void count(pc_joints *s, const pc_scene *scene)
{
    const pc_force_end end[2] = {{.x = 0}, {.x = 0}};
    for (int i = 0; i < scene->n_joints; i++) {
        int rows = join(&scene->joints[i], end, s->row + s->n);
        for (int k = 0; k < rows; k++) s->joint[s->n++] = i;
    }
}

/* Whether two conditions have a member in common. */
static bool are_neighbours(const pc_joints *s, const pc_scene *scene, int i, int j)
{
    const int *a = scene->joints[s->joint[i]].at.member, *b = scene->joints[s->joint[j]].at.member;
    return (a[0] >= 0 && (a[0] == b[0] || a[0] == b[1])) || (a[1] >= 0 && (a[1] == b[0] || a[1] == b[1]));
}

pc_status pc_joints_open(pc_joints *s, const pc_scene *scene, pc_error *err)
{
    *s = (pc_joints){0};
    if (scene->n_joints == 0) return PC_OK;
    size_t n = PC_JOINT_ROWS * (size_t)scene->n_joints, members = (size_t)scene->n_members;
    size_t dof = (size_t)scene->n_dof;
    s->row = pc_calloc(n, sizeof *s->row);
    s->joint = pc_calloc(3 * n + members + 1 + n * n, sizeof *s->joint);
    const size_t joints = (size_t)scene->n_joints;
    s->response = pc_calloc(2 * n * dof + 4 * n * n + 4 * n + dof + 3 * joints + 2, sizeof *s->response);
    if (!s->row || !s->joint || !s->response) {
        pc_joints_close(s);
        return pc_fail(err, PC_E_MEMORY, "not enough memory for %d joints", scene->n_joints);
    }
    s->pivots = s->joint + n;
    s->group = s->pivots + n;
    s->rank = s->group + members;
    s->n_near = s->rank + 1;
    s->near = s->n_near + n;
    s->G = s->response + n * dof;
    s->L = s->G + n * dof;
    s->W = s->L + n * n;
    s->WL = s->W + n * n;
    s->factors = s->WL + n * n;
    s->unit = s->factors + n * n;
    s->force = s->unit + n;
    s->room = s->force + n;
    s->x = s->room + n;
    s->give = s->x + dof;
    s->reached = s->give + joints;
    s->independence = s->reached + 2 * joints;
    s->spread = s->independence + 1;
    s->error = s->spread + 1;
    find_groups(s, scene);
    count(s, scene);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            if (are_neighbours(s, scene, i, j)) s->near[i * s->n + s->n_near[i]++] = j;
    return PC_OK;
}

void pc_joints_close(pc_joints *s)
{
    pc_free(s->row);
    pc_free(s->joint);
    pc_free(s->response);
    *s = (pc_joints){0};
}

void pc_joints_place(const pc_joints *s, const pc_configuration *c)
{
    pc_joint_row *row = s->row;
    for (int i = 0; i < c->scene->n_joints; i++) {
        const pc_scene_joint *joint = &c->scene->joints[i];
        pc_force_end end[2];
        for (int k = 0; k < 2; k++) pc_configuration_force_end(c, &joint->at, k, &end[k]);
        row += join(joint, end, row);
    }
}

double pc_joints_read(const pc_joints *s, const pc_configuration *c, int i, const double *x, pc_rates kind)
{
    return pc_configuration_row_rate(c, &c->scene->joints[s->joint[i]].at, &s->row[i], x, kind);
}

/* ---- sizes ---- */

/* Of what conditions compare: lengths of the mechanism, m, and its speeds, m/s and rad/s. */
typedef struct sizes {
    double length, speed, rate;
} sizes;

static sizes measure(const pc_joints *s, const pc_configuration *c)
{
    sizes all = {0};
    for (int i = 0; i < s->n; i++) {
        const pc_scene_force *at = &c->scene->joints[s->joint[i]].at;
        for (int k = 0; k < 2; k++) {
            pc_force_end end;
            pc_configuration_force_end(c, at, k, &end);
            double arm = fabs(at->along[k]) + fabs(at->across[k]);
            all.length = fmax(all.length, fabs(end.x) + fabs(end.y) + arm);
            all.speed = fmax(all.speed, fabs(end.vx) + fabs(end.vy) + arm * fabs(end.rate));
            all.rate = fmax(all.rate, fmax(fabs(end.rate), fabs(s->row[i].rate)));
        }
    }
    /* what does not turn may do so by the rounding of what moves, and the other way round */
    all.speed = fmax(all.speed, all.rate * all.length);
    if (all.length > 0) all.rate = fmax(all.rate, all.speed / all.length);
    return all;
}

void pc_joints_sizes(const pc_joints *s, const pc_configuration *c, double *size)
{
    const pc_scene *scene = c->scene;
    const sizes all = measure(s, c);
    double *speed = size + scene->n_dof;
    memset(size, 0, 2 * (size_t)scene->n_dof * sizeof *size);
    for (int i = 0; i < scene->n_joints; i++) {
        for (int k = 0; k < 2; k++) {
            const int m = scene->joints[i].at.member[k];
            if (m < 0) continue;
            const pc_member *member = &scene->members[m];
            for (int j = member->first; j < member->first + member->n_dof; j++) {
                bool angle = pc_member_turns(member, j - member->first);
                size[j] = angle || all.length == 0 ? 1 : all.length;
                speed[j] = angle ? all.rate : all.speed;
            }
        }
    }
}

static bool turns(const pc_joint_row *row)
{
    return row->on[0].fx == 0 && row->on[0].fy == 0;
}

const char *pc_joints_worst(const pc_joints *s, const pc_configuration *c, double *gap, const char **unit,
                            double *share)
{
    const char *name = NULL;
    const sizes all = measure(s, c);
    *gap = *share = 0;
    for (int i = 0; i < s->n; i++) {
        const pc_joint_row *row = &s->row[i];
        double error = fabs(row->error), size = turns(row) ? 1 : all.length;
        if (error <= *share * size) continue;
        *gap = error;
        *share = error / size;
        *unit = turns(row) ? "rad" : "m";
        name = c->scene->joints[s->joint[i]].at.name;
    }
    return name;
}

const char *pc_joints_fastest(const pc_joints *s, const pc_configuration *c, const double *u, double *rate,
                              const char **unit, double *share)
{
    const char *name = NULL;
    const sizes all = measure(s, c);
    *rate = *share = 0;
    for (int i = 0; i < s->n; i++) {
        const pc_joint_row *row = &s->row[i];
        double error = fabs(pc_joints_read(s, c, i, u, PC_RATES_VELOCITIES) - row->rate);
        double size = turns(row) ? all.rate : all.speed;
        if (error <= *share * size) continue;
        *rate = error;
        *share = error / size;
        *unit = turns(row) ? "rad/s" : "m/s";
        name = c->scene->joints[s->joint[i]].at.name;
    }
    return name;
}

/* ---- forces ---- */

/* By what the angle of column j counts: how far it moves what a condition compares, at most. So neither the place of
 * the origin nor the size of other bodies tells how nearly a condition follows from others. What an angle moves by
 * rounding alone, or not at all, has the length of the mechanism. */
static double lever(const pc_joints *s, int j, int n_dof, double length)
{
    double most = 0;
    for (int i = 0; i < s->n; i++)
        if (!turns(&s->row[i])) most = fmax(most, fabs(s->G[i * n_dof + j]));
    return most > PC_CLEARLY * length ? most : length;
}

/* Rows of G by coordinates, with angles times a length and rows of unit size: what the conditions are, whatever the
 * masses. */
static void spell(const pc_joints *s, const pc_configuration *c)
{
    const pc_scene *scene = c->scene;
    const double size_of_all = measure(s, c).length,
                 length = size_of_all > 0 ? size_of_all : 1; /* wheels at the origin have none */
    const int n_dof = scene->n_dof;
    memset(s->G, 0, (size_t)s->n * (size_t)n_dof * sizeof *s->G);
    for (int i = 0; i < s->n; i++) {
        const pc_scene_force *at = &scene->joints[s->joint[i]].at;
        double *row = s->G + i * n_dof;
        for (int k = 0; k < 2; k++) {
            if (at->member[k] < 0) continue;
            const pc_member *member = &scene->members[at->member[k]];
            int j = member->first;
            if (!member->chain) { /* it moves along with its centre */
                row[j++] = s->row[i].on[k].fx;
                row[j++] = s->row[i].on[k].fy;
            }
            for (; j < member->first + member->n_dof; j++) {
                bool angle = pc_member_turns(member, j - member->first);
                if (member->chain && angle && j > member->first + at->link[k]) continue; /* a link below it */
                s->x[j] = 1;
                row[j] = pc_joints_read(s, c, i, s->x, PC_RATES_JUMPS);
                s->x[j] = 0;
            }
        }
    }
    for (int m = 0; m < scene->n_members; m++) {
        const pc_member *member = &scene->members[m];
        for (int j = member->first; j < member->first + member->n_dof; j++) {
            if (!pc_member_turns(member, j - member->first)) continue;
            const double of = lever(s, j, n_dof, length);
            for (int i = 0; i < s->n; i++) s->G[i * n_dof + j] /= of;
        }
    }
    for (int i = 0; i < s->n; i++) {
        double *row = s->G + i * n_dof, size = 0;
        for (int j = 0; j < n_dof; j++) size += row[j] * row[j];
        s->unit[i] = size > 0 ? 1 / sqrt(size) : 0;
        for (int j = 0; j < n_dof; j++) row[j] *= s->unit[i];
    }
}

/* L with L L^T = G G^T but for conditions that follow from others, by Cholesky with pivots in order of size. A pivot is
 * the square of the angle between a condition and those before: where it is below eps/1e-6, rounding would leave a
 * millionth of the forces that they need against each other, and an angle of 1e-5 rad counts as none. So a loop passes
 * a place in which it could change its branch without forces beyond any bound. */
static int find_rank(const pc_joints *s, int n_dof)
{
    const int n = s->n;
    double *left = s->room;
    *s->independence = 1;
    for (int i = 0; i < n; i++) left[i] = s->unit[i] > 0;
    for (int r = 0; r < n; r++) {
        int p = 0;
        for (int i = 1; i < n; i++)
            if (left[i] > left[p]) p = i;
        if (!(left[p] > DBL_EPSILON / PC_CLEARLY)) return r;
        *s->independence = left[p];
        const double pivot = sqrt(left[p]);
        for (int i = 0; i < n; i++) s->L[i * n + r] = 0;
        for (int j = 0; j < s->n_near[p]; j++) {
            const int i = s->near[p * n + j];
            for (int k = 0; k < n_dof; k++) s->L[i * n + r] += s->G[i * n_dof + k] * s->G[p * n_dof + k];
        }
        for (int i = 0; i < n; i++) {
            double sum = s->L[i * n + r];
            for (int k = 0; k < r; k++) sum -= s->L[i * n + k] * s->L[p * n + k];
            s->L[i * n + r] = left[i] < 0 ? 0 : i == p ? pivot : sum / pivot;
            left[i] -= s->L[i * n + r] * s->L[i * n + r];
        }
        left[p] = -1; /* its row is complete */
    }
    return n;
}

static inline void add_times(double factor, const double *restrict from, int n, double *restrict to)
{
    if (factor == 0) return;
    for (int k = 0; k < n; k++) to[k] += factor * from[k];
}

void pc_joints_weigh(const pc_joints *s, const pc_configuration *c)
{
    const int n = s->n, n_dof = c->scene->n_dof;
    spell(s, c);
    const int rank = *s->rank = find_rank(s, n_dof);
    memset(s->W, 0, (size_t)n * (size_t)n * sizeof *s->W);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < s->n_near[j]; k++) {
            const int i = s->near[j * n + k];
            if (i > j) continue;
            s->W[i * n + j] = s->W[j * n + i] =
                s->unit[i] * s->unit[j] * pc_joints_read(s, c, i, s->response + j * n_dof, PC_RATES_JUMPS);
        }
    }
    memset(s->factors, 0, (size_t)rank * (size_t)rank * sizeof *s->factors);
    for (int i = 0; i < n; i++) {
        double *row = s->WL + i * n;
        memset(row, 0, (size_t)rank * sizeof *row);
        for (int k = 0; k < s->n_near[i]; k++) {
            const int j = s->near[i * n + k];
            add_times(s->W[i * n + j], s->L + j * n, rank, row);
        }
        for (int l = 0; l < rank; l++) add_times(s->L[i * n + l], row, rank, s->factors + l * rank);
    }
    if (!pc_lu_factor(s->factors, rank, s->pivots)) *s->rank = 0; /* not-a-number, at which steps end */
    double least = INFINITY, most = 0;
    for (int k = 0; k < *s->rank; k++) { /* pivots are kept inverted */
        least = fmin(least, fabs(s->factors[k * (rank + 1)]));
        most = fmax(most, fabs(s->factors[k * (rank + 1)]));
    }
    *s->spread = most > 0 ? least / most : 1;
}

void pc_joints_solve(const pc_joints *s, double *b)
{
    const int n = s->n, rank = *s->rank;
    double *z = s->room;
    for (int k = 0; k < rank; k++) {
        z[k] = 0;
        for (int i = 0; i < n; i++) z[k] += s->L[i * n + k] * s->unit[i] * b[i];
    }
    pc_lu_solve(s->factors, rank, s->pivots, z);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < rank; k++) sum += s->L[i * n + k] * z[k];
        b[i] = s->unit[i] * sum;
    }
}

/* Factors have the squares of angles between conditions, and forces an error of eps/angle^2: of two pins 2 mm apart in
 * bodies of 1 m that is 1e-10, and more where masses differ. Steps of rtol = 1e-11 became as short as 1e-5 s there, and
 * W of a coordinate that is locked was now zero and now not. Taking once more what the forces leave brings it down to
 * eps/angle. Below this square, by which eps/angle^2 is 2e-13, that is done; and where masses make pivots differ by so
 * much, at 0.04 rad between conditions: 1e-10 of W was rounding there, by which two joints that stick on one freedom
 * shared their load. */
static const double NEARLY = 1e-3, UNEVEN = 1e-7;

bool pc_joints_depend(const pc_joints *s)
{
    return *s->independence < NEARLY || *s->spread < UNEVEN;
}

double pc_joints_greatest(const pc_joints *s)
{
    double most = 0;
    for (int i = 0; i < s->n; i++)
        if (!turns(&s->row[i])) most = fmax(most, fabs(s->force[i]));
    return most;
}

pc_wrench pc_joints_reaction(const pc_joints *s, const pc_scene *scene, const pc_chain_force *forces, int joint)
{
    const pc_scene_joint *of = &scene->joints[joint];
    pc_wrench sum = {0};
    if (of->hinge) { /* on the link that hangs there, at its upper joint */
        const int k = of->hinge - 1, sign = k == 0 ? 1 : -1;
        const pc_chain_force *at = forces + scene->members[of->at.member[k]].node + of->at.link[k];
        sum.fx = sign * at->rx;
        sum.fy = sign * at->ry;
    }
    for (int i = 0; i < s->n; i++) {
        if (s->joint[i] != joint) continue;
        sum.fx += s->force[i] * s->row[i].on[0].fx;
        sum.fy += s->force[i] * s->row[i].on[0].fy;
        sum.moment += s->force[i] * s->row[i].on[0].moment;
    }
    return sum;
}
