/* Free flight: see flight.h. */
#include "scene/flight.h"

#include "base/alloc.h"

#include <math.h>

pc_status pc_flight_open(pc_flight *f, const pc_scene *scene, pc_error *err)
{
    *f = (pc_flight){
        .scene = scene, .direct = true, .chains = pc_calloc((size_t)scene->n_members + 1, sizeof *f->chains)};
    if (!f->chains) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d members", scene->n_members);
    for (int m = 0; m < scene->n_members; m++)
        if (scene->members[m].chain)
            f->direct = f->direct && pc_direct_open(&f->chains[m], scene->members[m].chain, scene->gravity);
    f->alone = f->direct && scene->n_members == 1 && scene->members[0].chain;
    return PC_OK;
}

void pc_flight_close(pc_flight *f)
{
    pc_free(f->chains);
    f->chains = NULL;
}

int pc_flight_accelerate(const pc_flight *f, double t, const double *y, double *a)
{
    const pc_scene *scene = f->scene;
    if (f->alone) return pc_direct_accelerate(f->chains, t, y, y + scene->n_dof, a);
    for (int m = 0; m < scene->n_members; m++) {
        const pc_member *member = &scene->members[m];
        const double *q = y + member->first;
        double *out = a + member->first;
        if (member->chain) {
            int got = pc_direct_accelerate(&f->chains[m], t, q, q + scene->n_dof, out);
            if (got != 0) return got;
        } else {
            out[0] = out[2] = 0;
            out[1] = -scene->gravity;
        }
    }
    return 0;
}

bool pc_flight_contact(const pc_flight *f, int pair, pc_direct_contact *out)
{
    const pc_pair *p = &f->scene->pairs[pair];
    const pc_site *site = &f->scene->sites[p->site];
    const pc_outline *outline = &f->scene->outlines[p->outline];
    if (!f->alone || f->chains->moves || f->chains->joints || site->member < 0 || outline->member >= 0) return false;
    const pc_side *side = outline->sides;
    if (outline->n_sides != 1 || !isinf(side->lo) || !isinf(side->hi)) return false;
    *out = (pc_direct_contact){.link = site->link,
                               .along = site->along,
                               .across = site->across,
                               .radius = site->radius,
                               .apart = site->radius + outline->radius,
                               .n = {side->ey, -side->ex},
                               .point = {side->x, side->y}};
    return true;
}
