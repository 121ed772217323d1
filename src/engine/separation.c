/* Overlaps at the start of a motion: see separation.h. */
#include "engine/separation.h"

#include "base/alloc.h"
#include "math/friction.h"

#include <math.h>
#include <string.h>

/* Rounds in which the least displacement is looked for, which may go to and fro where corners come before other sides;
 * and those after that, in which any will do. */
enum { ROUNDS = 60, MORE = 60 };

/* What is left in the end is well below what counts as an overlap. The search is over where it moves by a small share
 * of the whole displacement. No angle changes by more in one round. */
static const double LEFT = 0.25 * PC_OVERLAP, OVER = 1e-12, TURN = 0.3;

/* Places that overlap or have done so, and the problem that says how they part. */
typedef struct separation {
    const pc_mechanics *m;
    double t, *y;
    double *start; /* coordinates before; then two states of workspace */
    int n, *place;
    bool *is_in; /* of all places */
    pc_touch *touch;
    size_t room;
    double *W, *M, *gap, *cover, *push, *work, *p, *dq;
    int *index;
    int worst; /* place; < 0: nothing overlaps */
    double depth;
} separation;

static bool open_separation(separation *s)
{
    const size_t places = (size_t)s->m->n_places, n = (size_t)s->m->n;
    s->place = pc_calloc(places + 1, sizeof *s->place);
    s->is_in = pc_calloc(places + 1, sizeof *s->is_in);
    s->dq = pc_calloc(7 * n + 1, sizeof *s->dq);
    if (!s->place || !s->is_in || !s->dq) return false;
    s->start = s->dq + n;
    memcpy(s->start, s->y, n * sizeof *s->y);
    return true;
}

static void close_separation(separation *s)
{
    pc_free(s->W); /* the first list of the problem */
    pc_free(s->place);
    pc_free(s->is_in);
    pc_free(s->dq);
}

/* Room for the problem of all places that are in. */
static bool open_problem(separation *s)
{
    if ((size_t)s->n <= s->room) return true;
    const size_t n = 2 * (size_t)s->n;
    const pc_column columns[] = {PC_COLUMNS(s->W, 4 * n), PC_COLUMNS(s->M, n), PC_COLUMNS(s->work, n + 2),
                                 PC_COLUMN(s->gap),       PC_COLUMN(s->cover), PC_COLUMN(s->push),
                                 PC_COLUMNS(s->p, 2),     PC_COLUMN(s->touch), PC_COLUMNS(s->index, 3)};
    s->room = 0; /* nothing is kept */
    return pc_columns_reserve(columns, sizeof columns / sizeof *columns, &s->room, n);
}

/* Take in what overlaps; the worst of all. */
static pc_status look(separation *s, pc_error *err)
{
    const pc_mechanics *m = s->m;
    double most = 0;
    s->worst = -1;
    if (pc_mechanics_place(m, s->t, s->y) != 0) return pc_mechanics_stopped(s->t, err);
    for (int place = 0; place < m->n_places; place++) {
        const pc_pairing *pairing = pc_mechanics_pairing(m, place);
        pc_touch touch;
        if (pairing->acts_in_motion) continue;
        pc_mechanics_touch(m, place, &touch);
        double share = -touch.gap / pairing->length;
        if (!(share > LEFT)) continue;
        if (!s->is_in[place]) s->place[s->n++] = place;
        s->is_in[place] = true;
        if (!(share > most)) continue;
        most = share;
        s->worst = place;
        s->depth = -touch.gap;
    }
    return PC_OK;
}

/* The displacement back to the start, of it what joints allow: as of velocities that are put back to what they allow,
 * less those that they drive. The configuration is made again. */
static int find_way_back(const separation *s, double *back)
{
    const pc_mechanics *m = s->m;
    const size_t n = (size_t)m->n;
    double *states[2] = {s->start + n, s->start + 3 * n};
    for (int k = 0; k < 2; k++) {
        memcpy(states[k], s->y, n * sizeof *s->y);
        for (size_t i = 0; i < n; i++) states[k][n + i] = k == 0 ? s->start[i] - s->y[i] : 0;
        int got = pc_mechanics_project(m, s->t, states[k]);
        if (got != 0) return got;
    }
    for (size_t i = 0; i < n; i++) back[i] = states[0][n + i] - states[1][n + i];
    return pc_mechanics_place(m, s->t, s->y);
}

/* One step of Newton's method, to the least displacement from the start or, if not `least`, from here. *moved: the
 * greatest change of a coordinate. > 0: there is no solution; < 0: stop. */
static int part(separation *s, bool least, double *moved)
{
    const pc_mechanics *m = s->m;
    const int n = s->n, side = 2 * n;
    double *back = s->start + 5 * (size_t)m->n;
    memset(back, 0, (size_t)m->n * sizeof *back);
    if (least) {
        int got = find_way_back(s, back);
        if (got != 0) return got;
    }
    for (int i = 0; i < n; i++) {
        double change[2];
        pc_mechanics_touch(m, s->place[i], &s->touch[i]);
        pc_mechanics_change(m, s->place[i], &s->touch[i], back, change);
        s->gap[i] = s->touch[i].gap + change[PC_N];
        s->cover[i] = 1;
    }
    const pc_contact_set set = {n, s->place, s->touch};
    m->provider->mobility(m->self, m->at, &set, s->W);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) s->M[i * n + j] = s->W[(2 * i + PC_N) * side + 2 * j + PC_N];
    if (!pc_lcp_solve(n, s->M, s->gap, s->cover, s->push, s->work, s->index)) return 1;
    for (int i = 0; i < n; i++) {
        s->p[2 * i + PC_T] = 0;
        s->p[2 * i + PC_N] = s->push[i];
    }
    pc_mechanics_jump(m, &set, s->p, s->dq);
    double turn = 0;
    for (int i = 0; i < m->n; i++) {
        if (!isfinite(s->dq[i])) return 1;
        s->dq[i] += back[i];
        if (m->provider->is_angle(m->self, i)) turn = fmax(turn, fabs(s->dq[i]));
    }
    const double share = turn > TURN ? TURN / turn : 1;
    *moved = 0;
    for (int i = 0; i < m->n; i++) {
        s->y[i] += share * s->dq[i];
        *moved = fmax(*moved, fabs(share * s->dq[i]));
    }
    return pc_mechanics_project(m, s->t, s->y);
}

/* The greatest displacement so far. */
static double displacement(const separation *s)
{
    double most = 0;
    for (int i = 0; i < s->m->n; i++) most = fmax(most, fabs(s->y[i] - s->start[i]));
    return most;
}

static pc_status separate(separation *s, pc_error *err)
{
    int got = 0;
    double moved = INFINITY;
    if (!open_separation(s)) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d contacts", s->m->n_places);
    pc_status status = look(s, err);
    for (int round = 0; round < ROUNDS + MORE && s->n > 0 && got == 0 && status == PC_OK; round++) {
        bool least = round < ROUNDS;
        if (s->worst < 0 && (!least || moved <= OVER * displacement(s))) break;
        if (!open_problem(s)) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d contacts that overlap", s->n);
        got = part(s, least, &moved);
        if (got < 0) return pc_mechanics_stopped(s->t, err);
        if (got == 0) status = look(s, err);
    }
    if (status != PC_OK || s->worst < 0) return status;
    return pc_fail_at(err, PC_E_NUMERIC, s->t, "gap",
                      "%s: what overlaps cannot be pushed apart at t = %g: there is no room nearby, it still overlaps "
                      "by %.6g m",
                      pc_mechanics_pairing(s->m, s->worst)->name, s->t, s->depth);
}

pc_status pc_separate(const pc_mechanics *mechanics, double t, double *y, pc_error *err)
{
    separation s = {.m = mechanics, .t = t, .y = y};
    pc_status status = separate(&s, err);
    close_separation(&s);
    return status;
}
