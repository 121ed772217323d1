/* Piles of free bodies for tests: they fall, bounce on one another and come to rest; what has to hold meanwhile. */
#ifndef TESTS_C_PILE_SCENES_H
#define TESTS_C_PILE_SCENES_H

#include "motion_scenes.h"

#include <stdio.h>

enum { PILE_BODIES = 16 };

typedef struct pile {
    pc_scene scene;
    pc_rigid law;
    const pc_law *kind;
    int n;
    double start[PILE_BODIES][6]; /* x, y, angle and their rates */
    double half[PILE_BODIES][2];  /* of boxes and rods, across and along their axis at angle 0; NAN of what is round */
} pile;

static inline void pile_begin(pile *p, const pc_law *kind, double restitution, double friction)
{
    memset(p, 0, sizeof *p);
    p->scene.gravity = 9.81;
    p->law = rigid(restitution, friction);
    p->kind = kind;
}

/* disc: radius a; rod: half length a; box: half width a, half height b; capsule: half length a, radius b. */
static inline void pile_add(pile *p, pc_shape kind, double mass, double a, double b, double x, double y, double angle)
{
    static const char *const words[] = {"disc", "rod", "box", "capsule"};
    const struct {
        const char *name;
        double value;
    } lengths[] = {{"radius", kind == PC_SHAPE_DISC      ? a
                              : kind == PC_SHAPE_CAPSULE ? b
                                                         : NAN},
                   {"length", kind == PC_SHAPE_ROD || kind == PC_SHAPE_CAPSULE ? 2 * a : NAN},
                   {"width", kind == PC_SHAPE_BOX ? 2 * a : NAN},
                   {"height", kind == PC_SHAPE_BOX ? 2 * b : NAN},
                   {"mass", mass}};
    pc_error err = {0};
    pc_free_shape shape;
    uint64_t given = 0;
    char name[16];
    pc_schema_defaults(&pc_free_schema, &shape);
    must(pc_schema_set_word(&pc_free_schema, pc_schema_find(&pc_free_schema, "shape"), &shape, words[kind], &given,
                            &err),
         &err);
    for (int i = 0; i < 5; i++)
        if (!isnan(lengths[i].value))
            must(pc_schema_set_number(&pc_free_schema, pc_schema_find(&pc_free_schema, lengths[i].name), &shape,
                                      lengths[i].value, &given, &err),
                 &err);
    must(pc_schema_finish(&pc_free_schema, &shape, given, &err), &err);
    snprintf(name, sizeof name, "b%d", p->n + 1);
    must(pc_scene_add_free(&p->scene, &shape, name, &err), &err);
    bool straight = kind == PC_SHAPE_BOX || kind == PC_SHAPE_ROD;
    p->half[p->n][0] = !straight ? NAN : kind == PC_SHAPE_BOX ? a : 0;
    p->half[p->n][1] = !straight ? NAN : kind == PC_SHAPE_BOX ? b : a;
    double *start = p->start[p->n++];
    start[0] = x, start[1] = y, start[2] = angle;
}

/* How far two bodies with straight sides overlap: the least over the directions of their sides (separating axes);
 * below zero or not a number: they do not. */
static inline double pile_overlap(const pile *p, const double *y, int i, int j)
{
    const double *a = y + 3 * i, *b = y + 3 * j;
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        double angle = (k < 2 ? a : b)[2] + k % 2 * M_PI / 2, nx = cos(angle), ny = sin(angle), reach = 0;
        for (int m = 0; m < 2; m++) {
            const double *half = p->half[m ? j : i], *at = m ? b : a;
            reach +=
                half[0] * fabs(cos(at[2]) * nx + sin(at[2]) * ny) + half[1] * fabs(-sin(at[2]) * nx + cos(at[2]) * ny);
        }
        least = fmin(least, reach - fabs((b[0] - a[0]) * nx + (b[1] - a[1]) * ny));
        if (isnan(reach)) return NAN;
    }
    return least;
}

/* A floor at y = 0, and walls at x = +-half (0: none). */
static inline void pile_bin(pile *p, double half)
{
    add_hull(&p->scene, pc_outline_plane("floor", 0, 0, 0, 1));
    if (half == 0) return;
    add_hull(&p->scene, pc_outline_plane("left", -half, 0, 1, 0));
    add_hull(&p->scene, pc_outline_plane("right", half, 0, -1, 0));
}

typedef struct pile_outcome {
    pc_status status;
    pc_error err;
    bool rests;             /* nothing moved at the end */
    size_t impacts, most;   /* most: contacts closed at once */
    double ledger, deepest; /* greatest errors: of the energy, of 1 + |E|; overlaps of what is straight, or of discs */
    double kinetic, y[PILE_BODIES];
} pile_outcome;

static inline void pile_check(pile *p, pc_run *run, pile_outcome *out)
{
    enum { LOOKS = 40 };
    pc_error err = {0};
    pc_look look;
    for (int k = 0; k <= LOOKS; k++) {
        double t = k == LOOKS ? run->state.t : run->history.t0 + (run->state.t - run->history.t0) * k / LOOKS;
        must(pc_run_look(run, t, 1, &look, &err), &err);
        double balance = look.kinetic + look.potential + look.lost - run->state.energy0;
        for (int j = 0; j < 4; j++) balance -= look.work[j];
        out->ledger = fmax(out->ledger, fabs(balance) / (1 + fabs(run->state.energy0)));
        for (int i = 0; i < p->scene.n_pairs; i++) {
            pc_touch touch;
            pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, i, &touch);
            if (touch.meets && !p->scene.pairs[i].bounded) out->deepest = fmax(out->deepest, -touch.gap);
        }
        for (int i = 0; i < p->n; i++)
            for (int j = i + 1; j < p->n; j++) out->deepest = fmax(out->deepest, pile_overlap(p, look.y, i, j));
    }
    out->kinetic = look.kinetic;
    for (int i = 0; i < p->n; i++) out->y[i] = look.y[3 * i + 1];
}

/* max_impacts: 0 for no limit. */
static inline pile_outcome pile_run(pile *p, double duration, double rtol, long max_impacts)
{
    pile_outcome out = {0};
    int n = 3 * p->n;
    double y[6 * PILE_BODIES] = {0};
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < 3; k++) y[3 * i + k] = p->start[i][k], y[n + 3 * i + k] = p->start[i][3 + k];
    must(pc_scene_join(&p->scene, p->kind, &p->law, &out.err), &out.err);
    pc_run run;
    must(pc_run_open(&run, &p->scene, 0, y, &out.err), &out.err);
    pc_run_options options = run_options(&pc_ode_dop853, rtol);
    options.max_impacts = max_impacts;
    out.status = pc_run_advance(&run, &options, duration, &out.err);
    if (run.history.arcs.used > 0) pile_check(p, &run, &out);
    pc_run_impacts(&run, &out.impacts);
    const pc_event_record *events = run.history.events.data;
    out.rests = run.history.events.used > 0 && events[run.history.events.used - 1].kind == PC_EVENT_REST;
    const pc_modes *modes = run.history.modes.data;
    for (size_t i = 0; i < run.history.modes.used; i++)
        if ((size_t)modes[i].n > out.most) out.most = (size_t)modes[i].n;
    pc_run_close(&run);
    pc_scene_free(&p->scene);
    return out;
}

#endif
