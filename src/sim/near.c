/* Open pairs near contact: what is watched of them, and which need no watching. */
#include "math/sincos.h"
#include "sim/run_parts.h"

#include <math.h>
#include <string.h>

/* Accelerations that follow from forces round at a few 1e-16 of the largest, more where the forces are nearly
 * dependent. */
static const double STILL = 1e-11;

double pc_run_gap(const pc_run *run, int pair)
{
    bool thin = run->scene->pairs[pair].thin;
    double gap =
        thin ? run->system.face[pair] * pc_system_height(&run->system, pair) : pc_system_gap(&run->system, pair);
    return gap + run->residual[pair];
}

bool pc_run_note_face(pc_run *run, int pair)
{
    const pc_pair *p = &run->scene->pairs[pair];
    if (!p->thin) return false;
    double height = pc_system_height(&run->system, pair);
    signed char *face = &run->system.face[pair], before = *face;
    if (fabs(height) > PC_TOUCHING * p->length) *face = height > 0 ? 1 : -1;
    return *face != before;
}

bool pc_run_rides_along(const pc_run *run, int pair)
{
    pc_touch touch;
    double v[2], a[2], largest = fabs(run->scene->gravity);
    if (run->contacts.n == 0) return false;
    pc_system_touch(&run->system, pair, &touch);
    pc_system_velocity(&run->system, pair, &touch, v);
    pc_system_acceleration(&run->system, pair, &touch, run->a, a);
    for (int i = 0; i < run->scene->n_dof; i++) largest = fmax(largest, fabs(run->a[i]));
    return touch.meets && fabs(touch.gap) <= PC_TOUCHING * run->scene->pairs[pair].length &&
           fabs(v[PC_N]) <= pc_run_resolution(run, pair) && fabs(a[PC_N]) <= STILL * largest;
}

pc_status pc_run_add_touching(pc_run *run, const pc_touching *gone, pc_touching *touching, pc_error *err)
{
    pc_status status = PC_OK;
    for (int pair = 0; pair < run->scene->n_pairs && status == PC_OK; pair++) {
        if (pc_pair_presses(run->scene, pair)) continue;
        pc_touch touch;
        pc_system_touch(&run->system, pair, &touch);
        bool touches = touch.meets && fabs(touch.gap) <= PC_TOUCHING * run->scene->pairs[pair].length;
        for (int i = 0; i < gone->n; i++) touches &= gone->pair[i] != pair;
        if (touches) status = pc_touching_add(touching, pair, false, false, err);
    }
    return status;
}

/* Least value of a sin q + b cos q for q in an interval. */
static double least_wave(double a, double b, double lo, double hi)
{
    double sine[2], cosine[2];
    if (!(hi - lo < M_PI)) return -hypot(a, b);
    pc_sincos_pair((const double[2]){lo, hi}, sine, cosine);
    bool falls = a * cosine[0] - b * sine[0]<0, rises = a * cosine[1] - b * sine[1]> 0;
    if (falls && rises) return -hypot(a, b); /* the trough lies between */
    return fmin(a * sine[0] + b * cosine[0], a * sine[1] + b * cosine[1]);
}

/* A coordinate lies between its least and its greatest Bernstein coefficient. */
static void enclose(const pc_dense *dense, int i, double *lo, double *hi)
{
    const double *c = dense->c + i * (dense->degree + 1);
    *lo = *hi = c[0];
    for (int j = 1; j <= dense->degree; j++) {
        if (c[j] < *lo) *lo = c[j];
        if (c[j] > *hi) *hi = c[j];
    }
}

bool pc_run_stays_above(const pc_run *run, int pair, const pc_dense *dense)
{
    const pc_scene *scene = run->scene;
    const pc_site *site = &scene->sites[scene->pairs[pair].site];
    const pc_hull *hull = &scene->hulls[scene->pairs[pair].hull];
    const pc_side *side = &hull->sides[0];
    if (hull->member >= 0 || hull->n_sides != 1 || isfinite(side->lo) || isfinite(side->hi)) return false;
    const pc_member *member = &scene->members[site->member];
    double nx = side->ey, ny = -side->ex, lo, hi, height = -site->radius - hull->radius;
    int first = member->first;
    if (member->chain) { /* the directions of links are (sin, -cos) */
        const pc_pivot *pivot = &member->chain->pivot;
        double state[6];
        if (pc_pivot_moves(pivot) || pc_pivot_state(pivot, 0, state) != 0) return false;
        height += pc_side_height(side, state[0], state[1]);
        for (int i = 0; i < site->link; i++, first++) {
            double l = member->chain->links[i].length;
            enclose(dense, first, &lo, &hi);
            height += least_wave(l * nx, -l * ny, lo, hi);
        }
    } else {
        height += pc_side_height(side, 0, 0);
        for (int i = 0; i < 2; i++, first++) {
            double n = i ? ny : nx;
            enclose(dense, first, &lo, &hi);
            height += fmin(n * lo, n * hi);
        }
    }
    enclose(dense, first, &lo, &hi);
    double a = site->along * nx + site->across * ny, b = site->across * nx - site->along * ny;
    height += least_wave(a, b, lo, hi);
    return height > PC_TOUCHING * scene->pairs[pair].length;
}

/* How far what is fixed to a link, `arm` away from its upper joint, can have moved in a step, by the Bernstein
 * coefficients of its member's coordinates, which enclose them. */
static double excursion(const pc_scene *scene, int m, int link, double arm, const pc_dense *dense)
{
    if (m < 0) return 0;
    const pc_member *member = &scene->members[m];
    if (member->chain && pc_pivot_moves(&member->chain->pivot)) return INFINITY;
    double sum = 0;
    int row = dense->degree + 1, links = member->chain ? link + 1 : 3;
    for (int i = 0; i < links; i++) {
        const double *c = dense->c + (member->first + i) * row;
        double most = 0, factor = 1;
        for (int j = 1; j < row; j++) {
            double away = fabs(c[j] - c[0]);
            if (away > most) most = away;
        }
        if (member->chain && i < link)
            factor = member->chain->links[i].length;
        else if (member->chain || i == 2)
            factor = arm;
        sum += factor * most;
    }
    return sum;
}

/* A gap is the distance of two outlines, so it cannot change by more than they move. */
bool pc_run_stays_open(const pc_run *run, int pair, const pc_dense *dense)
{
    const pc_scene *scene = run->scene;
    const pc_site *site = &scene->sites[scene->pairs[pair].site];
    const pc_hull *hull = &scene->hulls[scene->pairs[pair].hull];
    double reach = excursion(scene, site->member, site->link, fabs(site->along) + fabs(site->across), dense) +
                   excursion(scene, hull->member, hull->link, pc_hull_reach(hull), dense);
    return pc_system_gap(&run->system, pair) > 1.001 * reach;
}

void pc_run_let_go(pc_run *run)
{
    memset(run->system.feature, -1, (size_t)run->scene->n_pairs);
    memset(run->system.face, 0, (size_t)run->scene->n_pairs);
}

void pc_run_restore_holds(pc_run *run)
{
    memcpy(run->system.feature, run->feature, (size_t)run->scene->n_pairs);
    memcpy(run->system.face, run->face, (size_t)run->scene->n_pairs);
}
