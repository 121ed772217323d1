/* States of runs: see state.h. */
#include "motion/state.h"

#include "base/alloc.h"
#include "base/tolerance.h"

#include <math.h>
#include <string.h>

pc_status pc_run_state_open(pc_run_state *s, const pc_scene *scene, double t, const double *y, pc_error *err)
{
    memset(s, 0, sizeof *s);
    s->n_dof = scene->n_dof;
    s->n_pairs = scene->n_pairs;
    bool good = true;
#define PC_STATE_LIST(type, name, size)                                                                                \
    s->name = pc_calloc(pc_run_state_##size(s) + 1, sizeof(type));                                                     \
    good = good && s->name;
#include "motion/state.def"
    if (!good) {
        pc_run_state_close(s);
        return pc_fail(err, PC_E_MEMORY, "not enough memory for %d coordinates", scene->n_dof);
    }
    s->t = t;
    s->stop_event = -1;
    pc_accumulation_forget(&s->accumulation);
    memcpy(s->y, y, 2 * (size_t)scene->n_dof * sizeof *y);
    for (int i = 0; i < s->n_pairs; i++) s->memory[i] = (pc_pair_memory){.last_impact = NAN, .riding = NAN};
    const pc_places places = pc_run_state_places(s);
    pc_places_release(&places, s->n_pairs);
    return PC_OK;
}

pc_status pc_run_state_reserve(pc_run_state *s, int lasting, int compliant, pc_error *err)
{
    if ((size_t)compliant > s->compliant.room) {
        double *y = pc_realloc(s->y, 2 * (size_t)s->n_dof + PC_ROWS * (size_t)compliant, sizeof *y);
        if (!y) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d contacts", compliant);
        s->y = y;
    }
    pc_status status = pc_compliant_reserve(&s->compliant, compliant, err);
    return status == PC_OK ? pc_contacts_reserve(&s->contacts, lasting, err) : status;
}

void pc_run_state_close(pc_run_state *s)
{
    for (int i = 0; i < s->compliant.n; i++) pc_contact_close_rings(&s->compliant.contact[i].base);
    pc_compliant_close(&s->compliant);
    pc_contacts_close(&s->contacts);
#define PC_STATE_LIST(type, name, size)                                                                                \
    pc_free(s->name);                                                                                                  \
    s->name = NULL;
#include "motion/state.def"
}

/* ---- open pairs near contact: what is watched of them ---- */

/* Accelerations that follow from forces round at a few 1e-16 of the largest, more where the forces are nearly
 * dependent. */
static const double STILL = 1e-11;

double pc_pair_gap(const pc_configuration *c, const pc_places *places, const pc_pair_memory *memory, int pair)
{
    bool thin = c->scene->pairs[pair].thin;
    double gap = thin ? places->face[pair] * pc_configuration_height(c, pair) : pc_configuration_gap(c, places, pair);
    return gap + memory[pair].residual;
}

/* Nearer to the line of its core than this, as a share of the lengths, a site of rigid bodies does not change faces: it
 * has sunk into the core while other contacts carried the load. If it comes to there from beyond an end, it belongs to
 * the face on whose side its own outline is. */
static const double SUNK = 1e-4;

bool pc_pair_update_face(const pc_configuration *c, pc_places *places, int pair)
{
    const pc_pair *p = &c->scene->pairs[pair];
    if (!p->thin) return false;
    double height = pc_configuration_height(c, pair);
    signed char *face = &places->face[pair], before = *face;
    if (fabs(height) > SUNK * p->length || *face == 0 || pc_pair_acts_in_motion(c->scene, pair)) {
        if (fabs(height) > PC_TOUCHING * p->length) *face = height > 0 ? 1 : -1;
    } else if (!pc_configuration_is_before(c, pair)) {
        *face = (signed char)pc_configuration_outer_face(c, pair);
    }
    return *face != before;
}

bool pc_pair_rides_along(const pc_configuration *c, const pc_places *places, const pc_run_state *state,
                         const double *accelerations, int pair)
{
    pc_touch touch;
    double v[2], a[2], largest = fabs(c->scene->gravity);
    if (state->memory[pair].riding == state->t) return true;
    if (state->contacts.n == 0) return false;
    pc_configuration_touch(c, places, pair, &touch);
    pc_configuration_velocity(c, pair, &touch, v);
    pc_configuration_acceleration(c, pair, &touch, accelerations, a);
    for (int i = 0; i < c->scene->n_dof; i++) largest = fmax(largest, fabs(accelerations[i]));
    return touch.meets && fabs(touch.gap) <= PC_TOUCHING * c->scene->pairs[pair].length &&
           fabs(v[PC_N]) <= pc_pair_resolution(c->scene, state->memory, pair) && fabs(a[PC_N]) <= STILL * largest;
}

double pc_pair_speed_scale(const pc_scene *scene, const pc_pair_memory *memory, int pair)
{
    return pc_speed_scale(&memory[pair], fabs(scene->gravity), scene->pairs[pair].length);
}

double pc_pair_resolution(const pc_scene *scene, const pc_pair_memory *memory, int pair)
{
    return pc_rounding(pc_pair_speed_scale(scene, memory, pair));
}

/* Size of the terms that make up the velocity of what is fixed to a link, `arm` away from its upper joint. */
static double link_speed(const pc_configuration *c, int m, int link, double arm)
{
    if (m < 0) return 0;
    const pc_member *member = &c->scene->members[m];
    const double *u = c->u + member->first;
    if (!member->chain) return fabs(u[0]) + fabs(u[1]) + arm * fabs(u[2]);
    const double *pivot = c->pivots[m];
    double sum = fabs(pivot[2]) + fabs(pivot[3]) + arm * fabs(u[link]);
    for (int i = 0; i < link; i++) sum += member->chain->links[i].length * fabs(u[i]);
    return sum;
}

void pc_pair_record_speed(const pc_configuration *c, pc_pair_memory *memory, int pair)
{
    const pc_pair *p = &c->scene->pairs[pair];
    const pc_site *site = &c->scene->sites[p->site];
    const pc_outline *outline = &c->scene->outlines[p->outline];
    double own = fabs(site->along) + fabs(site->across) + site->radius;
    double speed = link_speed(c, site->member, site->link, own) +
                   link_speed(c, outline->member, outline->link, pc_outline_reach(outline) + outline->radius);
    memory[pair].greatest_speed = fmax(memory[pair].greatest_speed, speed);
}
