/* Free flight: see places.h. */
#include "scene/places.h"

#include "base/alloc.h"

#include <math.h>

pc_status pc_flight_open(pc_flight *f, const pc_scene *scene, pc_error *err)
{
    *f = (pc_flight){.scene = scene,
                     .direct = scene->n_forces == 0 && scene->n_joints == 0 && scene->n_mechanisms == 0,
                     .chains = pc_calloc((size_t)scene->n_members + 1, sizeof *f->chains)};
    if (!f->chains) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d members", scene->n_members);
    bool chains = false;
    for (int m = 0; m < scene->n_members; m++) {
        if (!scene->members[m].chain) continue;
        chains = true;
        f->direct = f->direct && pc_direct_open(&f->chains[m], scene->members[m].chain, scene->gravity);
    }
    f->parabolic = f->direct && !chains;
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

static bool find_line(const pc_flight *f, int pair, pc_direct_contact *out)
{
    const pc_pair *p = &f->scene->pairs[pair];
    const pc_site *site = &f->scene->sites[p->site];
    const pc_outline *outline = &f->scene->outlines[p->outline];
    if (!f->alone || f->chains->moves || f->chains->joints || site->member < 0 || outline->member >= 0 ||
        outline->link > 0 || !pc_outline_is_plane(outline))
        return false;
    const pc_side *side = outline->sides;
    *out = (pc_direct_contact){.link = site->link,
                               .along = site->along,
                               .across = site->across,
                               .radius = site->radius,
                               .apart = site->radius + outline->radius,
                               .n = {side->ey, -side->ex},
                               .point = {side->x, side->y}};
    return true;
}

bool pc_flight_serves(void *flight, const pc_compliant *c)
{
    pc_flight *f = flight;
    if (c->n > PC_FLIGHT_LINES) return false;
    for (int i = 0; i < c->n; i++)
        if (!find_line(f, c->contact[i].pair, &f->line[i])) return false;
    return true;
}

void pc_flight_accelerate_under(void *flight, pc_compliant *c, const double *y, double *a)
{
    const pc_flight *f = flight;
    const double *u = y + f->scene->n_dof, *rows = u + f->scene->n_dof;
    pc_direct_place at;
    double torque[PC_DIRECT_LINKS] = {0}, v[2];
    pc_direct_find_place(f->chains, y, &at);
    for (int i = 0; i < c->n; i++, rows += pc_compliant_rows(c)) {
        const pc_compliant_contact *contact = &c->contact[i];
        pc_contact_values *m = &c->now[i];
        m->u = -(pc_direct_touch(f->chains, &f->line[i], &at, u, v) + contact->residual);
        m->w = -v[PC_N];
        m->v_t = v[PC_T];
        m->q = rows[PC_ROW_Q];
        for (int j = 0; j < contact->base.p.memory; j++) m->recall[j] = rows[PC_ROWS + j];
        pc_contact_forces(&contact->base, m);
        pc_direct_push(f->chains, &f->line[i], &at, (double[2]){m->Ft, m->Fn}, torque);
    }
    pc_direct_accelerate_under(f->chains, &at, u, torque, a);
}
