/* What a loop watches for: gaps of open pairs, forces, slips and edges of closed ones, and what the user asks.
 *
 * Compliant contacts that are closed watch for themselves: see phase.h. */
#include "scene/clearance.h"
#include "motion/loop.h"

#include "base/alloc.h"
#include "base/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Steps in contact are so short that velocities within them are no more than a few times those at their ends. */
static const double FAR = 4;

/* ---- values ---- */

/* That indentation has recovered when the gap itself has opened. */
static int recovery_value(double t, const double *y, double *g, void *context)
{
    pc_guard *w = context;
    pc_planar *system = &w->l->run->scratch.system;
    const pc_configuration *at = pc_planar_make_pair(system, w->pair, t, y);
    if (!at) return -1;
    *g = pc_configuration_gap(at, &system->places, w->pair);
    return 0;
}

static int gap_value(double t, const double *y, double *g, void *context)
{
    pc_guard *w = context;
    pc_run *run = w->l->run;
    if (!run->scene->pairs[w->pair].thin && pc_clearance_gap(run->scene, w->pair, t, y, g)) {
        *g += run->state.memory[w->pair].residual + w->slack;
        return 0;
    }
    const pc_configuration *at = pc_planar_make_pair(&run->scratch.system, w->pair, t, y);
    if (!at) return -1;
    *g = pc_pair_gap(at, &run->scratch.system.places, run->state.memory, w->pair) + w->slack;
    return 0;
}

/* Whether the outlines touch where a gap closes. What comes to the line of a thin core at its very end, with its own
 * outline behind that, goes round the end (a tip slides off a corner). */
static int gap_meets(double t, const double *y, void *context)
{
    pc_guard *w = context;
    pc_planar *system = &w->l->run->scratch.system;
    const pc_configuration *at = pc_planar_make_pair(system, w->pair, t, y);
    pc_touch touch;
    if (!at) return -1;
    pc_configuration_touch(at, &system->places, w->pair, &touch);
    if (!touch.meets || !at->scene->pairs[w->pair].thin || pc_configuration_is_before(at, w->pair)) return touch.meets;
    int face = system->places.face[w->pair];
    return face == 0 || pc_configuration_outer_face(at, w->pair) == face;
}

static int bound_value(double t, const double *y, double *g, void *context)
{
    pc_guard *w = context;
    pc_planar *system = &w->l->run->scratch.system;
    const pc_configuration *at = pc_planar_make_pair(system, w->pair, t, y);
    double margin[PC_MARGINS];
    if (!at) return -1;
    pc_configuration_margins(at, &system->places, w->pair, margin);
    *g = margin[w->sign] + w->slack + PC_OVERHANG * at->scene->pairs[w->pair].length;
    return 0;
}

/* The configuration of a state, with the forces of what is closed there in its contacts. NULL: stop. */
static const pc_configuration *accelerate(pc_run *run, double t, const double *y)
{
    const pc_configuration *at = pc_planar_make(&run->scratch.system, t, y);
    bool known = at && pc_run_accelerate(run, run->scratch.a) == 0;
    return known ? at : NULL;
}

/* What all that watch forces and slips ask for of a closed pair. The locator asks for each guard in turn at the same
 * places of a step, so it is found once for them all, and kept in one of SLOTS, with the time (NaN: nothing) and the
 * state before it. */
typedef struct known_pair {
    double force[2], slide, mobility;
} known_pair;
enum { SLOT_BITS = 6, SLOTS = 1 << SLOT_BITS, KNOWN = sizeof(known_pair) / sizeof(double) };

/* Of all closed pairs at a state; NULL: stop. */
static const known_pair *know(pc_loop *l, double t, const double *y)
{
    pc_run *run = l->run;
    const pc_contacts *c = &run->state.contacts;
    uint64_t bits;
    memcpy(&bits, &t, sizeof bits);
    double *slot = l->known + ((bits * 0x9E3779B97F4A7C15u) >> (64 - SLOT_BITS)) * l->known_size;
    known_pair *known = (known_pair *)(slot + l->known_at);
    size_t size = (size_t)(2 * run->scene->n_dof + PC_ROWS * run->state.compliant.n) * sizeof *y;
    if (slot[0] == t && memcmp(slot + 1, y, size) == 0) return known;
    slot[0] = NAN;
    const pc_configuration *at = accelerate(run, t, y);
    if (!at) return NULL;
    for (int i = 0; i < c->n; i++) {
        double v[2];
        pc_configuration_velocity(at, c->pair[i], &c->touch[i], v);
        known[i] = (known_pair){
            .force = {c->force[i][PC_T], c->force[i][PC_N]},
            .slide = v[PC_T],
            .mobility = pc_contacts_slip_mobility(c, &run->scratch.system.mechanics, &run->scratch.block, i)};
    }
    slot[0] = t;
    memcpy(slot + 1, y, size);
    return known;
}

static int force_value(double t, const double *y, double *g, void *context)
{
    pc_guard *w = context;
    const pc_run *run = w->l->run;
    const pc_contacts *c = &run->state.contacts;
    const known_pair *known = know(w->l, t, y);
    const int i = pc_contacts_find(c, w->pair);
    if (!known) return -1;
    double mu = run->scene->pairs[w->pair].static_friction;
    if (w->what == PC_GUARDS_SLIP) *g = c->mode[i] * known[i].slide;
    if (w->what == PC_GUARDS_NORMAL) *g = known[i].force[PC_N];
    if (w->what == PC_GUARDS_MARGIN) *g = mu * known[i].force[PC_N] + w->sign * known[i].force[PC_T];
    if (w->what == PC_GUARDS_JAM) *g = known[i].mobility;
    return 0;
}

/* 1 while the contacts may go on as they do, -1 when they cannot: a jump, which the locator finds by halving. */
static int hold_value(double t, const double *y, double *g, void *context)
{
    pc_guard *w = context;
    pc_run *run = w->l->run;
    bool hold = false;
    if (!pc_planar_make(&run->scratch.system, t, y)) return -1;
    int got = pc_contacts_persist(&run->state.contacts, &run->state.compliant, &run->scratch.system.mechanics,
                                  &run->scratch.block, &hold);
    *g = hold ? 1 : -1;
    return got;
}

/* ---- the list ---- */

/* A site at the centre of a free body before a plane: the gap is linear in the state. */
static bool is_linear(const pc_scene *scene, int pair)
{
    const pc_site *site = &scene->sites[scene->pairs[pair].site];
    const pc_outline *outline = &scene->outlines[scene->pairs[pair].outline];
    const pc_drive *drive = pc_scene_drive(scene, outline->member, outline->link);
    if (site->member < 0 || outline->member >= 0 || outline->n_sides != 1 || (drive && pc_drive_displaces(drive)))
        return false;
    return !scene->members[site->member].chain && site->along == 0 && site->across == 0;
}

static const double *linear_gap(pc_loop *l, int pair)
{
    const pc_scene *scene = l->run->scene;
    const pc_site *site = &scene->sites[scene->pairs[pair].site];
    if (!is_linear(scene, pair)) return NULL;
    const pc_member *member = &scene->members[site->member];
    const pc_side *side = &scene->outlines[scene->pairs[pair].outline].sides[0];
    size_t size = 2 + (size_t)scene->n_dof;
    double *c = l->linear + (size_t)l->n_linear++ * size;
    memset(c, 0, size * sizeof *c);
    c[0] = l->run->state.memory[pair].residual + side->y * side->ex - side->x * side->ey - site->radius;
    c[2 + member->first] = side->ey;
    c[3 + member->first] = -side->ex;
    return c;
}

/* How each is followed: -1 where it falls through zero, +1 where it rises. */
static const struct {
    const char *name;
    int direction;
    int (*value)(double t, const double *y, double *g, void *context);
} guard_rows[] = {
    [PC_GUARDS_GAP] = {"gap", -1, gap_value},
    [PC_GUARDS_RECOVERY] = {"recovery", 1, recovery_value},
    [PC_GUARDS_NORMAL] = {"normal force", -1, force_value},
    [PC_GUARDS_SLIP] = {"slip velocity", -1, force_value},
    [PC_GUARDS_MARGIN] = {"friction margin", -1, force_value},
    [PC_GUARDS_PERSISTENCE] = {"hold", -1, hold_value},
    [PC_GUARDS_JAM] = {"jam", -1, force_value},
    [PC_GUARDS_BOUND] = {"edge", -1, bound_value},
};

/* Noise is rounding of the terms that are summed: lengths in a gap, speeds in a velocity, and what forces have. */
static double noise_of(const pc_run *run, pc_guard_kind what, int pair, double force)
{
    switch (what) {
    case PC_GUARDS_GAP:
    case PC_GUARDS_RECOVERY:
    case PC_GUARDS_BOUND: return 8 * DBL_EPSILON * run->scene->pairs[pair].length;
    case PC_GUARDS_SLIP: return pc_pair_resolution(run->scene, run->state.memory, pair);
    case PC_GUARDS_PERSISTENCE: return 0.1;
    case PC_GUARDS_NORMAL:
    case PC_GUARDS_MARGIN:
        return pc_contacts_noise(&run->state.contacts, &run->scratch.system.mechanics, &run->scratch.block, force);
    default: return 0;
    }
}

static void add_guard(pc_loop *l, pc_guard_kind what, int pair, int sign, double force)
{
    const pc_run *run = l->run;
    int k = l->locator.n_events++;
    l->guards[k] = (pc_guard){l, what, pair, sign, 0};
    l->events[k] = (pc_event){.name = guard_rows[what].name,
                              .direction = guard_rows[what].direction,
                              .leaving = -1,
                              .first = true,
                              .g = guard_rows[what].value,
                              .context = &l->guards[k],
                              .noise = noise_of(run, what, pair, force)};
    if (what != PC_GUARDS_GAP) return;
    if (pc_pair_acts_in_motion(run->scene, pair))
        l->events[k].first = false; /* some are left out */
    else if (run->scene->pairs[pair].bounded)
        l->events[k].holds = gap_meets;
    if (run->scene->pairs[pair].thin) l->events[k].direction = 0; /* it may go round an end meanwhile */
    l->events[k].linear = linear_gap(l, pair);
    l->events[k].leading = run->scene->n_dof;
}

/* Where another part of the outlines takes over. What is beyond already (two tips that meet) goes on from there. */
static void add_bounds(pc_loop *l, const pc_configuration *now, int pair)
{
    double margin[PC_MARGINS], overhang = PC_OVERHANG * l->run->scene->pairs[pair].length;
    pc_configuration_margins(now, &l->run->scratch.system.places, pair, margin);
    for (int k = 0; k < PC_MARGINS; k++) {
        if (!isfinite(margin[k])) continue;
        add_guard(l, PC_GUARDS_BOUND, pair, k, 0);
        if (margin[k] < -overhang) l->guards[l->locator.n_events - 1].slack = -margin[k];
    }
}

/* The list for the configuration of now, in which the forces of what is closed are known. */
static void list_guards(pc_loop *l, const pc_configuration *now)
{
    pc_run *run = l->run;
    const pc_contacts *c = &run->state.contacts;
    bool overdrawn = false; /* a contact goes on though its forces are at their bounds, since others bear the load */
    l->locator.n_events = l->n_linear = 0;
    for (size_t k = 0; k < SLOTS && c->n > 0; k++) l->known[k * l->known_size] = NAN;
    double mu, force = pc_contacts_greatest(&run->state.contacts);
    for (int pair = 0; pair < run->scene->n_pairs; pair++) {
        int closed = pc_contacts_find(c, pair);
        if (pc_compliant_has(&run->state.compliant, pair)) continue; /* the contact phase looks after it */
        if (closed < 0 && !pc_compliant_keeps_side(run->scene, run->state.memory, pair))
            run->scratch.system.places.feature[pair] = -1;
        if (run->state.memory[pair].residual > 0 && !run->state.memory[pair].permanent)
            add_guard(l, PC_GUARDS_RECOVERY, pair, 0, 0);
        if (closed < 0) {
            add_guard(l, PC_GUARDS_GAP, pair, 0, 0);
            continue;
        }
        add_bounds(l, now, pair);
        mu = run->scene->pairs[pair].static_friction;
        add_guard(l, PC_GUARDS_NORMAL, pair, 0, force);
        overdrawn |= c->force[closed][PC_N] <= 0;
        if (mu == 0) continue;
        if (c->mode[closed] == 0) {
            double rest = mu * c->force[closed][PC_N] - fabs(c->force[closed][PC_T]);
            overdrawn |= rest <= noise_of(run, PC_GUARDS_MARGIN, pair, force);
            add_guard(l, PC_GUARDS_MARGIN, pair, 1, force);
            add_guard(l, PC_GUARDS_MARGIN, pair, -1, force);
        } else {
            add_guard(l, PC_GUARDS_SLIP, pair, 0, 0);
            add_guard(l, PC_GUARDS_JAM, pair, 0, 0);
        }
    }
    if (overdrawn) add_guard(l, PC_GUARDS_PERSISTENCE, c->pair[0], 0, 0);
    for (int i = 0; i < l->options->n_events; i++) {
        int k = l->locator.n_events++;
        l->guards[k] = (pc_guard){l, PC_GUARDS_USER, i, 0, 0};
        l->events[k] = l->options->events[i];
    }
}

/* Room for what may be watched and known while as many pairs are closed as the run has room for. */
static pc_status reserve(pc_loop *l)
{
    const pc_run *run = l->run;
    const pc_scene *scene = run->scene;
    size_t closed = run->state.contacts.room, state = pc_run_state_room(&run->state);
    size_t most = 2 * (size_t)scene->n_pairs + (3 + PC_MARGINS) * closed + (size_t)l->options->n_events + 2;
    const pc_column columns[] = {PC_COLUMN(l->events), PC_COLUMN(l->guards), PC_COLUMN(l->caused)};
    bool good = pc_columns_reserve(columns, sizeof columns / sizeof *columns, &l->most, most);
    size_t size = 1 + state + KNOWN * closed;
    if (good && run->state.contacts.n > 0 && size > l->known_size) {
        double *known = pc_calloc(SLOTS * size, sizeof *known);
        good = known != NULL;
        if (good) {
            pc_free(l->known);
            l->known = known;
            l->known_size = size;
            l->known_at = 1 + state;
        }
    }
    if (!good) return pc_fail(l->err, PC_E_MEMORY, "not enough memory for the %zu events of a motion", most);
    return pc_locator_reserve(&l->locator, l->events, (int)most, (int)state, l->err);
}

pc_status pc_loop_open_guards(pc_loop *l)
{
    const pc_scene *scene = l->run->scene;
    size_t linear = 0;
    for (int pair = 0; pair < scene->n_pairs; pair++) linear += is_linear(scene, pair);
    l->linear = pc_calloc(linear, (2 + (size_t)scene->n_dof) * sizeof *l->linear);
    if (!l->linear)
        return pc_fail(l->err, PC_E_MEMORY, "not enough memory for a motion of %d coordinates", scene->n_dof);
    return pc_locator_open(&l->locator, NULL, 0, 2 * scene->n_dof, l->err);
}

void pc_loop_close_guards(pc_loop *l)
{
    pc_locator_close(&l->locator);
    pc_free(l->events); /* the first of its lists */
    pc_free(l->linear);
    pc_free(l->known);
}

/* ---- from instant to instant ---- */

static bool rides_along(pc_run *run, const pc_configuration *now, int pair)
{
    const pc_handover known = {now, run->scratch.system.places, &run->state.compliant, run->state.memory};
    return pc_pair_rides_along(&known, &run->state.contacts, run->state.t, run->scratch.a, pair);
}

/* Begin to watch, after the events [first, last) or, if there are none, from the start. A gap that is zero up to
 * rounding counts as zero, on whichever side of it rounding has put it: what falls from there strikes at once. */
pc_status pc_loop_watch(pc_loop *l, int first, int last)
{
    pc_run *run = l->run;
    const int n_causes = last - first < (int)l->most ? last - first : (int)l->most;
    for (int i = 0; i < n_causes; i++) /* known to the new list by what they guard */
        l->caused[i] = l->guards[l->locator.found[first + i].event];
    pc_status status = reserve(l);
    if (status != PC_OK) return status;
    const pc_occurrence *causes = l->locator.found + first;
    const pc_places *places = &run->scratch.system.places;
    const pc_configuration *now = run->state.contacts.n > 0
                                      ? accelerate(run, run->state.t, run->state.y)
                                      : pc_planar_make(&run->scratch.system, run->state.t, run->state.y);
    if (!now) return pc_run_stopped(run, l->err);
    list_guards(l, now);
    pc_locator_restart(&l->locator);
    for (int e = 0; e < l->locator.n_events; e++) {
        pc_guard *w = &l->guards[e];
        pc_occurrence cause = {.event = -1};
        bool opened = false;
        for (int i = 0; i < n_causes; i++) {
            const pc_guard *old = &l->caused[i];
            opened |= old->what == PC_GUARDS_NORMAL && w->pair == old->pair;
            if (w->what == old->what && w->pair == old->pair && w->sign == old->sign) cause = causes[i];
        }
        if (w->what == PC_GUARDS_BOUND) continue;
        if (w->what == PC_GUARDS_MARGIN && cause.event >= 0 && pc_instant_sticks(&l->instant, w->pair, w->sign))
            continue; /* it is still to come */
        if (w->what == PC_GUARDS_GAP) {
            pc_pair_update_face(now, &run->scratch.system.places, w->pair);
            double gap = pc_pair_gap(now, places, run->state.memory, w->pair);
            if (cause.event < 0 && gap > PC_TOUCHING * run->scene->pairs[w->pair].length) continue;
            if (cause.event < 0) cause.rate = 0;
            if (gap < -PC_TOUCHING * run->scene->pairs[w->pair].length &&
                !pc_pair_acts_in_motion(run->scene, w->pair)) {
                /* corrections of other contacts have closed it a little: it closes again from there, no deeper */
                w->slack = -gap;
                l->events[e].linear = NULL;
                gap = cause.rate = 0;
            }
            cause.value = gap;
            if (!opened && rides_along(run, now, w->pair)) {
                w->slack = fmax(PC_OVERHANG, l->options->settings.rtol) * run->scene->pairs[w->pair].length;
                l->events[e].linear = NULL;
                continue;
            }
        } else if (cause.event < 0) {
            continue;
        }
        cause.event = e;
        pc_locator_add_cause(&l->locator, &cause);
    }
    return PC_OK;
}

/* Leave the guards in peace that cannot fall in a step; true if that is all of them: most steps need no search. */
bool pc_loop_skip_idle(pc_loop *l, const pc_dense *dense)
{
    pc_run *run = l->run;
    bool nothing = true;
    for (int e = 0; e < l->locator.n_events; e++) {
        pc_watch *seen = &l->locator.watch[e];
        const pc_guard *w = &l->guards[e];
        seen->idle = false;
        if (w->what == PC_GUARDS_GAP) {
            /* zeros of what is linear are found at once */
            bool parts = !l->events[e].linear, falls = false, *may_fall = parts ? &falls : NULL;
            double clear = 0;
            seen->from = seen->to = 0;
            if (seen->side == 1) clear = pc_clearance_until(run->scene, w->pair, INFINITY, parts, may_fall, dense);
            if (clear == 1) {
                seen->idle = true;
                continue;
            }
            if (!falls) {
                pc_planar *planar = &run->scratch.system;
                const pc_configuration *now = pc_planar_make_pair(planar, w->pair, run->state.t, run->state.y);
                if (!now) return false;
                if (pc_pair_update_face(now, &planar->places, w->pair)) seen->side = 1; /* round an end */
                bool unseen = seen->side == PC_SIDE_UNKNOWN && !seen->fired; /* nothing has been asked of it yet */
                if (seen->side == 0 || seen->side == PC_SIDE_UNKNOWN) {
                    double gap = pc_pair_gap(now, &planar->places, run->state.memory, w->pair) + w->slack;
                    clear = pc_clearance_until(run->scene, w->pair, gap, parts, may_fall, dense);
                    if (clear > 0) seen->side = 1;
                    seen->idle = clear == 1;
                }
                if (!seen->idle && !falls && (seen->side == 1 || unseen)) /* else near zero */
                    seen->idle = pc_clearance_lasts(now, &planar->places, w->pair, dense);
                if (seen->idle) seen->side = 1;
            }
            seen->from = clear;
            seen->to = falls ? 1 : 0;
        }
        nothing &= seen->idle;
    }
    return nothing;
}

bool pc_loop_is_far(pc_loop *l)
{
    pc_run *run = l->run;
    const pc_stepper *s = &l->phase.stepper;
    int n = run->scene->n_dof;
    double *c = run->scratch.spare;
    for (int i = 0; i < n; i++) {
        c[2 * i] = 0;
        c[2 * i + 1] = FAR * s->h * fmax(fabs(s->y_old[n + i]), fabs(s->y[n + i]));
    }
    const pc_dense travel = {s->t_old, s->h, n, 1, c};
    for (int e = 0; e < l->locator.n_events; e++) {
        const pc_watch *seen = &l->locator.watch[e];
        const pc_guard *w = &l->guards[e];
        bool open = seen->side == 1 || (seen->side == PC_SIDE_UNKNOWN && !seen->fired);
        if (w->what != PC_GUARDS_GAP || !open || run->scene->pairs[w->pair].thin) return false;
        const pc_configuration *now = pc_planar_make_pair(&run->scratch.system, w->pair, run->state.t, run->state.y);
        if (!now || !pc_clearance_lasts(now, &run->scratch.system.places, w->pair, &travel)) return false;
    }
    for (int e = 0; e < l->locator.n_events; e++) l->locator.watch[e].side = 1;
    return true;
}

/* A pair at its configuration where its gap closes that does so no faster than rounding tells, and is no deeper than
 * that where the step ends: bodies that touch as they fall ride along. < 0: stop. */
static int rides(pc_run *run, const pc_configuration *at, int pair, const pc_dense *dense)
{
    const pc_pair *p = &run->scene->pairs[pair];
    const pc_places *places = &run->scratch.system.places;
    pc_touch touch;
    double v[2];
    pc_configuration_contact(at, places, pair, &touch, v);
    if (p->thin || v[PC_N] < -pc_pair_resolution(run->scene, run->state.memory, pair)) return 0;
    pc_dense_eval(dense, 1, run->scratch.spare);
    at = pc_planar_make_pair(&run->scratch.system, pair, dense->t + dense->h, run->scratch.spare);
    if (!at) return -1;
    pc_configuration_touch(at, places, pair, &touch);
    double far = fabs(touch.center[0][0]) + fabs(touch.center[0][1]);
    return -(touch.gap + run->state.memory[pair].residual) <= PC_TOUCHING * (p->length + far);
}

pc_status pc_loop_keep_features(pc_loop *l, int first, int last)
{
    pc_run *run = l->run;
    const pc_places *places = &run->scratch.system.places;
    for (int i = first; i < last; i++) {
        const pc_occurrence *o = &l->locator.found[i];
        const pc_guard *w = &l->guards[o->event];
        pc_touch touch;
        if (w->what != PC_GUARDS_GAP) continue;
        if (o->before < 0) places->face[w->pair] = (signed char)-places->face[w->pair];
        if (pc_pair_acts_in_motion(run->scene, w->pair)) continue;
        const pc_configuration *now = pc_planar_make_pair(&run->scratch.system, w->pair, run->state.t, run->state.y);
        if (!now) return pc_run_stopped(run, l->err);
        pc_configuration_touch(now, places, w->pair, &touch);
        if (touch.meets) places->feature[w->pair] = (signed char)touch.feature;
    }
    return PC_OK;
}

/* Forget the gaps that closed where compliant outlines do not touch, or do no more than that. */
pc_status pc_loop_leave_out(pc_loop *l, const pc_dense *dense)
{
    pc_run *run = l->run;
    int kept = 0;
    for (int i = 0; i < l->locator.n_found; i++) {
        pc_occurrence *o = &l->locator.found[i];
        const pc_guard *w = &l->guards[o->event];
        bool begins = true;
        if (w->what == PC_GUARDS_GAP && pc_pair_acts_in_motion(run->scene, w->pair)) {
            pc_dense_eval(dense, o->x, run->scratch.spare);
            const pc_configuration *at = pc_planar_make_pair(&run->scratch.system, w->pair, o->t, run->scratch.spare);
            int riding = !at ? -1 : pc_instant_may_begin(&l->instant, w->pair) ? rides(run, at, w->pair, dense) : 1;
            if (riding < 0) return pc_run_stopped(run, l->err);
            begins = riding == 0;
        }
        if (begins) l->locator.found[kept++] = *o;
    }
    l->locator.n_found = kept;
    return PC_OK;
}
