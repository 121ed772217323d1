/* The columns of a run: see columns.h. */
#include "motion/columns.h"

#include <stdio.h>

typedef struct layout {
    int n, room;
    pc_run_column *columns;
} layout;

static void add(layout *l, pc_run_column c)
{
    if (l->n < l->room) l->columns[l->n] = c;
    l->n++;
}

static pc_run_column named(pc_column_source from, int member, int k, const char *unit, const char *prefix,
                           const char *format, int number)
{
    pc_run_column c = {.from = from, .member = member, .k = k, .unit = unit};
    char word[24];
    snprintf(word, sizeof word, format, number);
    snprintf(c.name, sizeof c.name, "%.30s%s%s", prefix, prefix[0] ? "." : "", word);
    return c;
}

static void lay_out(const pc_scene *scene, layout *l)
{
    static const char *const body_q[] = {"x", "y", "angle"}, *const body_u[] = {"vx", "vy", "rate"};
    static const char *const units_q[] = {"m", "m", "rad"}, *const units_u[] = {"m/s", "m/s", "rad/s"};
    static const char *const energies[] = {"kinetic", "potential", "energy", "damped", "torque",
                                           "pivot",   "friction",  "lost",   "stored", "dissipated"};
    for (int m = 0; m < scene->n_members; m++) {
        const pc_member *member = &scene->members[m];
        const char *prefix = pc_scene_tells(scene, m) ? member->name : "";
        if (member->chain) {
            static const struct {
                pc_column_source from;
                const char *format, *unit;
            } kinds[] = {{PC_COLUMN_ANGLE, "angle%d", "rad"}, {PC_COLUMN_RATE, "rate%d", "rad/s"},
                         {PC_COLUMN_JOINT_X, "x%d", "m"},     {PC_COLUMN_JOINT_Y, "y%d", "m"},
                         {PC_COLUMN_REACTION_X, "Rx%d", "N"}, {PC_COLUMN_REACTION_Y, "Ry%d", "N"}};
            for (int f = 0; f < 6; f++)
                for (int i = 0; i < member->chain->n; i++)
                    add(l, named(kinds[f].from, m, i, kinds[f].unit, prefix, kinds[f].format, i + 1));
        } else {
            for (int i = 0; i < 3; i++) add(l, named(PC_COLUMN_BODY_Q, m, i, units_q[i], prefix, body_q[i], 0));
            for (int i = 0; i < 3; i++) add(l, named(PC_COLUMN_BODY_U, m, i, units_u[i], prefix, body_u[i], 0));
        }
    }
    for (int p = 0; p < scene->n_pairs; p++) {
        bool many = scene->n_pairs > 1;
        add(l, named(PC_COLUMN_GAP, 0, p, "m", "", many ? "gap%d" : "gap", p + 1));
        add(l, named(PC_COLUMN_FORCE_T, 0, p, "N", "", many ? "F_t%d" : "F_t", p + 1));
        add(l, named(PC_COLUMN_FORCE_N, 0, p, "N", "", many ? "F_n%d" : "F_n", p + 1));
    }
    int n_energies = pc_scene_compliant_pairs(scene) ? 10 : 8; /* the last two belong to compliant contacts */
    for (int i = 0; i < n_energies; i++) add(l, named(PC_COLUMN_ENERGY, 0, i, "J", "", energies[i], 0));
}

int pc_run_columns(const pc_scene *scene, pc_run_column *columns, int room)
{
    layout l = {.room = room, .columns = columns};
    lay_out(scene, &l);
    return l.n;
}

static double force_of(const pc_look *look, int pair, int component)
{
    const pc_contacts *contacts = look->contacts;
    for (int i = 0; i < contacts->n; i++)
        if (contacts->pair[i] == pair) return contacts->force[i][component];
    const pc_compliant *c = look->compliant;
    for (int i = 0; i < c->n; i++)
        if (c->contact[i].pair == pair) return component == PC_N ? c->now[i].Fn : c->now[i].Ft;
    return 0;
}

double pc_run_column_value(const pc_look *look, const pc_run_column *c)
{
    const pc_scene *scene = look->at->scene;
    const pc_member *member = &scene->members[c->member];
    const pc_chain_node *nodes = look->at->nodes + member->node;
    const pc_chain_force *forces = look->forces + member->node;
    const double *q = look->y + member->first, *u = q + scene->n_dof;
    switch (c->from) {
    case PC_COLUMN_ANGLE:
    case PC_COLUMN_BODY_Q: return q[c->k];
    case PC_COLUMN_RATE:
    case PC_COLUMN_BODY_U: return u[c->k];
    case PC_COLUMN_JOINT_X: return nodes[c->k + 1].x;
    case PC_COLUMN_JOINT_Y: return nodes[c->k + 1].y;
    case PC_COLUMN_REACTION_X: return forces[c->k].rx;
    case PC_COLUMN_REACTION_Y: return forces[c->k].ry;
    case PC_COLUMN_GAP: return pc_configuration_gap(look->at, look->places, c->k);
    case PC_COLUMN_FORCE_T: return force_of(look, c->k, PC_T);
    case PC_COLUMN_FORCE_N: return force_of(look, c->k, PC_N);
    case PC_COLUMN_ENERGY: break;
    }
    const double energies[] = {look->kinetic,     look->potential, look->kinetic + look->potential + look->stored,
                               0 - look->work[0], look->work[1],   look->work[2],
                               0 - look->work[3], look->lost,      look->stored,
                               look->dissipated};
    return energies[c->k];
}
