/* Open pairs near contact: what is watched of them, and which need no watching. */
#include "motion/proximity.h"

#include <math.h>
#include <string.h>

/* Accelerations that follow from forces round at a few 1e-16 of the largest, more where the forces are nearly
 * dependent. */
static const double STILL = 1e-11;

double pc_run_gap(const pc_run *run, int pair)
{
    bool thin = run->scene->pairs[pair].thin;
    double gap = thin ? run->scratch.system.places.face[pair] * pc_configuration_height(&run->scratch.system.now, pair)
                      : pc_configuration_gap(&run->scratch.system.now, &run->scratch.system.places, pair);
    return gap + run->state.memory[pair].residual;
}

/* Nearer to the line of its core than this, as a share of the lengths, a site of rigid bodies does not change faces: it
 * has sunk into the core while other contacts carried the load. If it comes to there from beyond an end, it belongs to
 * the face on whose side its own outline is. */
static const double SUNK = 1e-4;

bool pc_run_update_face(pc_run *run, int pair)
{
    const pc_pair *p = &run->scene->pairs[pair];
    if (!p->thin) return false;
    double height = pc_configuration_height(&run->scratch.system.now, pair);
    signed char *face = &run->scratch.system.places.face[pair], before = *face;
    if (fabs(height) > SUNK * p->length || *face == 0 || pc_pair_acts_in_motion(run->scene, pair)) {
        if (fabs(height) > PC_TOUCHING * p->length) *face = height > 0 ? 1 : -1;
    } else if (!pc_configuration_is_before(&run->scratch.system.now, pair)) {
        *face = (signed char)pc_configuration_outer_face(&run->scratch.system.now, pair);
    }
    return *face != before;
}

bool pc_run_rides_along(const pc_run *run, int pair)
{
    pc_touch touch;
    double v[2], a[2], largest = fabs(run->scene->gravity);
    if (run->state.memory[pair].riding == run->state.t) return true;
    if (run->state.contacts.n == 0) return false;
    pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, pair, &touch);
    pc_configuration_velocity(&run->scratch.system.now, pair, &touch, v);
    pc_configuration_acceleration(&run->scratch.system.now, pair, &touch, run->scratch.a, a);
    for (int i = 0; i < run->scene->n_dof; i++) largest = fmax(largest, fabs(run->scratch.a[i]));
    return touch.meets && fabs(touch.gap) <= PC_TOUCHING * run->scene->pairs[pair].length &&
           fabs(v[PC_N]) <= pc_run_resolution(run, pair) && fabs(a[PC_N]) <= STILL * largest;
}

void pc_run_release_features(pc_run *run)
{
    memset(run->scratch.system.places.feature, -1, (size_t)run->scene->n_pairs);
    memset(run->scratch.system.places.face, 0, (size_t)run->scene->n_pairs);
}

void pc_run_restore_features(pc_run *run)
{
    for (int i = 0; i < run->scene->n_pairs; i++) {
        run->scratch.system.places.feature[i] = run->state.memory[i].feature;
        run->scratch.system.places.face[i] = run->state.memory[i].face;
    }
}

double pc_run_speed_scale(const pc_run *run, int pair)
{
    /* what has always been at rest has seen no velocity: its scale is that of a fall over the lengths of the pair */
    double fall = sqrt(fabs(run->scene->gravity) * run->scene->pairs[pair].length);
    return fmax(run->state.memory[pair].greatest_speed, fall);
}

double pc_run_resolution(const pc_run *run, int pair)
{
    return pc_rounding(pc_run_speed_scale(run, pair));
}

/* Size of the terms that make up the velocity of what is fixed to a link, `arm` away from its upper joint. */
static double link_speed(const pc_run *run, int m, int link, double arm)
{
    if (m < 0) return 0;
    const pc_member *member = &run->scene->members[m];
    const double *u = run->scratch.system.now.u + member->first;
    if (!member->chain) return fabs(u[0]) + fabs(u[1]) + arm * fabs(u[2]);
    const double *pivot = run->scratch.system.now.pivots[m];
    double sum = fabs(pivot[2]) + fabs(pivot[3]) + arm * fabs(u[link]);
    for (int i = 0; i < link; i++) sum += member->chain->links[i].length * fabs(u[i]);
    return sum;
}

void pc_run_record_speed(pc_run *run, int pair)
{
    const pc_pair *p = &run->scene->pairs[pair];
    const pc_site *site = &run->scene->sites[p->site];
    const pc_outline *outline = &run->scene->outlines[p->outline];
    double own = fabs(site->along) + fabs(site->across) + site->radius;
    double speed = link_speed(run, site->member, site->link, own) +
                   link_speed(run, outline->member, outline->link, pc_outline_reach(outline) + outline->radius);
    run->state.memory[pair].greatest_speed = fmax(run->state.memory[pair].greatest_speed, speed);
}
