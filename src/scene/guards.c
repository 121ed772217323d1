/* What a motion watches for between two instants: see guards.h. */
#include "scene/guards.h"

#include "scene/places.h"

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
    pc_planar *system = w->list->planar;
    const pc_configuration *at = pc_planar_make_pair(system, w->pair, t, y);
    if (!at) return -1;
    *g = pc_configuration_gap(at, &system->places, w->pair);
    return 0;
}

static int gap_value(double t, const double *y, double *g, void *context)
{
    pc_guard *w = context;
    const pc_pair_memory *memory = w->list->instant->resolver.at->memory;
    pc_planar *planar = w->list->planar;
    if (!w->list->scene->pairs[w->pair].thin && pc_clearance_gap(w->list->scene, w->pair, t, y, g)) {
        *g += memory[w->pair].residual + w->slack;
        return 0;
    }
    const pc_configuration *at = pc_planar_make_pair(planar, w->pair, t, y);
    if (!at) return -1;
    *g = pc_pair_gap(at, &planar->places, memory, w->pair) + w->slack;
    return 0;
}

/* Whether the outlines touch where a gap closes. What comes to the line of a thin core at its very end, with its own
 * outline behind that, goes round the end (a tip slides off a corner). */
static int gap_meets(double t, const double *y, void *context)
{
    pc_guard *w = context;
    pc_planar *system = w->list->planar;
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
    pc_planar *system = w->list->planar;
    const pc_configuration *at = pc_planar_make_pair(system, w->pair, t, y);
    double margin[PC_MARGINS];
    if (!at) return -1;
    pc_configuration_margins(at, &system->places, w->pair, margin);
    *g = margin[w->sign] + w->slack + PC_OVERHANG * at->scene->pairs[w->pair].length;
    return 0;
}

/* The configuration of a state, with the forces of what is closed there in its contacts. NULL: stop. */
static const pc_configuration *accelerate(const pc_guards *list, double t, const double *y)
{
    const pc_contact_state *r = list->instant->resolver.at;
    pc_planar *planar = list->planar;
    const pc_configuration *at = pc_planar_make(planar, t, y);
    bool known = at && pc_contacts_accelerate(r->contacts, r->compliant, r->mechanics, r->block, r->a) == 0;
    return known ? at : NULL;
}

/* What all that watch forces and slips ask for of a closed pair. The locator asks for each guard in turn at the same
 * places of a step, so it is found once for them all, and kept in one of SLOTS, with the time (NaN: nothing) and the
 * state before it. The time says in which TRIES of them it may be, of which the earliest is given up. */
typedef struct known_pair {
    double force[2], slide, mobility, hold, turn; /* turn: of what rolls against a resistance, as a velocity */
    double across; /* of a slider: its reaction to the left of the line, as it bounds friction */
} known_pair;
enum { SLOT_BITS = 6, SLOTS = 1 << SLOT_BITS, TRIES = 4, KNOWN = sizeof(known_pair) / sizeof(double) };

/* The line of a slider is the direction in which its coordinate takes a force; that of a pin takes a moment. */
static double across_line(const pc_guards *list, const pc_configuration *at, int pair)
{
    const pc_mechanics *m = list->instant->resolver.at->mechanics;
    pc_joint_row line;
    double r[2];
    if (!pc_mechanics_pairing(m, pair)->follows) return 0;
    pc_configuration_coordinate(at, pair, &line);
    m->provider->reaction(m->self, pair, r);
    return line.on[0].fx * r[1] - line.on[0].fy * r[0];
}

/* Of all closed pairs at a state; NULL: stop. */
static const known_pair *know(pc_guards *list, double t, const double *y)
{
    const pc_contact_state *r = list->instant->resolver.at;
    const pc_contacts *c = r->contacts;
    uint64_t bits;
    memcpy(&bits, &t, sizeof bits);
    const size_t first = (bits * 0x9E3779B97F4A7C15u) >> (64 - SLOT_BITS);
    double *slot = NULL;
    size_t size = (size_t)(2 * list->scene->n_dof + pc_compliant_rows(r->compliant) * r->compliant->n) * sizeof *y;
    for (size_t k = 0; k < TRIES; k++) {
        double *other = list->known + (first + k) % SLOTS * list->known_size;
        if (other[0] == t && memcmp(other + 1, y, size) == 0) return (known_pair *)(other + list->known_at);
        if (!slot || isnan(other[0]) || other[0] < slot[0]) slot = other;
    }
    known_pair *known = (known_pair *)(slot + list->known_at);
    slot[0] = NAN;
    const pc_configuration *at = accelerate(list, t, y);
    if (!at) return NULL;
    for (int i = 0; i < c->n; i++) {
        double v[2], turn[2] = {0};
        pc_configuration_velocity(at, c->pair[i], &c->touch[i], v);
        if (c->roll[i] != 0) {
            pc_touch turning = c->touch[i];
            turning.couple = list->scene->pairs[c->pair[i]].rolling;
            pc_configuration_velocity(at, c->pair[i], &turning, turn);
        }
        known[i] = (known_pair){.force = {c->force[i][PC_T], c->force[i][PC_N]},
                                .slide = v[PC_T],
                                .hold = c->hold[i],
                                .turn = turn[PC_T],
                                .across = across_line(list, at, c->pair[i]),
                                .mobility = pc_contacts_slip_mobility(c, r->mechanics, r->block, i)};
    }
    slot[0] = t;
    memcpy(slot + 1, y, size);
    return known;
}

static int force_value(double t, const double *y, double *g, void *context)
{
    pc_guard *w = context;
    const pc_contacts *c = w->list->instant->resolver.at->contacts;
    const known_pair *known = know(w->list, t, y);
    const int i = pc_contacts_find(c, w->pair);
    if (!known) return -1;
    double mu = w->list->scene->pairs[w->pair].static_friction;
    if (w->what == PC_GUARDS_SLIP) *g = c->mode[i] * known[i].slide;
    if (w->what == PC_GUARDS_NORMAL) *g = known[i].force[PC_N];
    if (w->what == PC_GUARDS_MARGIN) *g = mu * known[i].force[PC_N] + w->sign * known[i].force[PC_T];
    if (w->what == PC_GUARDS_JAM) *g = known[i].mobility;
    if (w->what == PC_GUARDS_ROLL) *g = c->roll[i] * known[i].turn;
    if (w->what == PC_GUARDS_REACTION) *g = known[i].across;
    if (w->what == PC_GUARDS_BRACE) *g = known[i].force[PC_N] + w->sign * known[i].hold;
    return 0;
}

/* 1 while the contacts may go on as they do, -1 when they cannot: a jump, which the locator finds by halving. */
static int hold_value(double t, const double *y, double *g, void *context)
{
    pc_guard *w = context;
    const pc_contact_state *r = w->list->instant->resolver.at;
    pc_planar *planar = w->list->planar;
    bool hold = false;
    if (!pc_planar_make(planar, t, y)) return -1;
    int got = pc_contacts_persist(r->contacts, r->compliant, r->mechanics, r->block, &hold);
    *g = hold ? 1 : -1;
    return got;
}

/* ---- the list ---- */

/* A site that does not turn before a plane, or a stop of a pin: the gap is linear in the state. */
static bool is_linear(const pc_scene *scene, int pair)
{
    const pc_pair *p = &scene->pairs[pair];
    if (p->kind == PC_PAIR_DRY || p->kind == PC_PAIR_GAP) return false;
    if (p->kind == PC_PAIR_OUTLINES) return pc_clearance_linear(scene, pair, NULL);
    return pc_joint_angular(scene->joints[p->joint].at.kind, scene->joints[p->joint].at.params);
}

/* The gap of a stop of a pin, by the angles that its bodies have among the coordinates c. */
static void turn_linear(const pc_scene *scene, const pc_pair *p, double *c)
{
    const pc_scene_force *at = &scene->joints[p->joint].at;
    const pc_joint *joint = at->params;
    const int sign = pc_pair_opens_with(p);
    c[0] -= sign * (p->kind == PC_PAIR_LOWER ? joint->lower : joint->upper);
    for (int k = 0; k < 2; k++) {
        if (at->member[k] < 0) continue;
        const pc_member *member = &scene->members[at->member[k]];
        c[2 + member->first + (member->chain ? at->link[k] : 2)] += k == 0 ? sign : -sign;
    }
}

/* Of pairs without indentations, which stays. */
static void find_linear_gap(const pc_scene *scene, int pair, double *c)
{
    if (scene->pairs[pair].kind == PC_PAIR_OUTLINES)
        pc_clearance_linear(scene, pair, c + 1);
    else
        turn_linear(scene, &scene->pairs[pair], c + 1);
    c[0] = c[1];
}

/* Before each is its constant without indentation. */
static size_t linear_size(const pc_scene *scene)
{
    return 3 + (size_t)scene->n_dof;
}

static const double *linear_gap(const pc_guards *list, int pair)
{
    if (list->row[pair] < 0) return NULL;
    double *c = list->linear + (size_t)list->row[pair] * linear_size(list->scene);
    c[1] = c[0] + list->instant->resolver.at->memory[pair].residual;
    return c + 1;
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
    [PC_GUARDS_ROLL] = {"rate of rolling", -1, force_value},
    [PC_GUARDS_BRACE] = {"margin of rolling", -1, force_value},
    [PC_GUARDS_PERSISTENCE] = {"hold", -1, hold_value},
    [PC_GUARDS_JAM] = {"jam", -1, force_value},
    [PC_GUARDS_REACTION] = {"reaction", 0, force_value},
    [PC_GUARDS_BOUND] = {"edge", -1, bound_value},
};

/* What errors of steps leave of the rate of a joint, as a multiple of the tolerance. A joint that creeps against the
 * damper of its stop, with friction at its bound, slows down exponentially and never turns: below that its rate has no
 * sign, and each zero of it would be one more instant that changes nothing. */
static const double CREEP = 10;

/* Noise is rounding of the terms that are summed: lengths in a gap, speeds in a velocity, and what forces have. Of
 * reactions those are known with the accelerations that were found last. */
static double noise_of(const pc_guards *list, pc_guard_kind what, int pair, double force)
{
    const pc_contact_state *r = list->instant->resolver.at;
    double across[2], resolved;
    switch (what) {
    case PC_GUARDS_GAP:
    case PC_GUARDS_RECOVERY:
    case PC_GUARDS_BOUND: return 8 * DBL_EPSILON * list->scene->pairs[pair].length;
    case PC_GUARDS_SLIP:
    case PC_GUARDS_ROLL:
        resolved = pc_pair_resolution(list->scene, r->memory, pair);
        if (list->scene->pairs[pair].kind != PC_PAIR_DRY) return resolved;
        return fmax(resolved, CREEP * list->rtol * pc_pair_speed_scale(list->scene, r->memory, pair));
    case PC_GUARDS_PERSISTENCE: return 0.1;
    case PC_GUARDS_NORMAL:
    case PC_GUARDS_MARGIN:
    case PC_GUARDS_BRACE: return pc_contacts_noise(r->contacts, r->mechanics, r->block, force);
    case PC_GUARDS_REACTION:
        force = r->mechanics->provider->reaction(r->mechanics->self, pair, across);
        return pc_contacts_noise(r->contacts, r->mechanics, r->block, force);
    default: return 0;
    }
}

void pc_guards_blur(pc_guards *list)
{
    const double force = pc_contacts_greatest(list->instant->resolver.at->contacts);
    for (int e = 0; e < list->locator.n_events; e++) {
        const pc_guard *w = &list->guards[e];
        const bool grows = w->what == PC_GUARDS_NORMAL || w->what == PC_GUARDS_MARGIN || w->what == PC_GUARDS_REACTION;
        if (grows) list->events[e].noise = fmax(list->events[e].noise, noise_of(list, w->what, w->pair, force));
    }
}

static void add_guard(pc_guards *list, pc_guard_kind what, int pair, int sign, double force)
{
    const pc_scene *scene = list->scene;
    int k = list->locator.n_events++;
    list->guards[k] = (pc_guard){list, what, pair, sign, 0};
    list->events[k] = (pc_event){.name = guard_rows[what].name,
                                 .direction = guard_rows[what].direction,
                                 .leaving = guard_rows[what].direction,
                                 .first = true,
                                 .g = guard_rows[what].value,
                                 .context = &list->guards[k],
                                 .noise = noise_of(list, what, pair, force)};
    if (what != PC_GUARDS_GAP) return;
    if (pc_pair_acts_in_motion(scene, pair))
        list->events[k].first = false; /* some are left out */
    else if (scene->pairs[pair].bounded)
        list->events[k].holds = gap_meets;
    if (scene->pairs[pair].thin) list->events[k].direction = 0; /* it may go round an end meanwhile */
    list->events[k].linear = linear_gap(list, pair);
    list->events[k].leading = scene->n_dof;
}

/* Where another part of the outlines takes over. What is beyond already (two tips that meet) goes on from there. */
static void add_bounds(pc_guards *list, const pc_configuration *now, int pair)
{
    double margin[PC_MARGINS], overhang = PC_OVERHANG * list->scene->pairs[pair].length;
    pc_configuration_margins(now, &list->planar->places, pair, margin);
    for (int k = 0; k < PC_MARGINS; k++) {
        if (!isfinite(margin[k])) continue;
        add_guard(list, PC_GUARDS_BOUND, pair, k, 0);
        if (margin[k] < -overhang) list->guards[list->locator.n_events - 1].slack = -margin[k];
    }
}

/* Whether the friction of a slider follows its reaction. */
static bool slides(const pc_scene *scene, int pair)
{
    const pc_pair *p = &scene->pairs[pair];
    if (p->kind != PC_PAIR_DRY) return false;
    const pc_scene_force *joint = &scene->joints[p->joint].at;
    return pc_pair_joint(scene, p)->arm > 0 && !pc_joint_angular(joint->kind, joint->params);
}

/* Nothing is closed, and no indentation left: all that is watched are gaps. */
static bool is_plain(const pc_guards *list)
{
    const pc_contact_state *r = list->instant->resolver.at;
    bool plain = r->contacts->n == 0 && r->compliant->n == 0;
    for (int pair = 0; pair < list->scene->n_pairs && plain; pair++) plain = r->memory[pair].residual == 0;
    return plain;
}

/* The list of before, where it is plain and stays so. */
static void renew_guards(pc_guards *list)
{
    for (int e = 0; e < list->locator.n_events - list->n_users; e++) {
        pc_guard *w = &list->guards[e];
        w->slack = 0;
        list->events[e].linear = linear_gap(list, w->pair);
        list->planar->places.feature[w->pair] = -1;
    }
}

/* The list for the configuration of now, in which the forces of what is closed are known. */
static void list_guards(pc_guards *list, const pc_configuration *now)
{
    const pc_contact_state *r = list->instant->resolver.at;
    const pc_scene *scene = list->scene;
    pc_planar *planar = list->planar;
    const pc_contacts *c = r->contacts;
    bool overdrawn = false; /* a contact goes on though its forces are at their bounds, since others bear the load */
    list->locator.n_events = 0;
    for (size_t k = 0; k < SLOTS && c->n > 0; k++) list->known[k * list->known_size] = NAN;
    double mu, force = pc_contacts_greatest(r->contacts);
    for (int pair = 0; pair < scene->n_pairs; pair++) {
        int closed = pc_contacts_find(c, pair);
        if (pc_compliant_has(r->compliant, pair)) continue; /* the contact phase looks after it */
        if (closed < 0 && !pc_compliant_keeps_side(scene, r->memory, pair)) planar->places.feature[pair] = -1;
        if (r->memory[pair].residual > 0 && !r->memory[pair].permanent) add_guard(list, PC_GUARDS_RECOVERY, pair, 0, 0);
        const bool dry = scene->pairs[pair].kind == PC_PAIR_DRY; /* it neither opens nor closes */
        if (closed < 0) {
            if (!dry) add_guard(list, PC_GUARDS_GAP, pair, 0, 0);
            continue;
        }
        add_bounds(list, now, pair);
        mu = scene->pairs[pair].static_friction;
        if (!dry) {
            add_guard(list, PC_GUARDS_NORMAL, pair, 0, force);
            overdrawn |= c->force[closed][PC_N] <= 0;
        }
        if (c->roll[closed] != 0) {
            add_guard(list, PC_GUARDS_ROLL, pair, 0, 0);
        } else if (scene->pairs[pair].rolling > 0) {
            add_guard(list, PC_GUARDS_BRACE, pair, 1, force);
            add_guard(list, PC_GUARDS_BRACE, pair, -1, force);
        }
        if (mu == 0) continue;
        if (c->mode[closed] == 0) {
            double rest = mu * c->force[closed][PC_N] - fabs(c->force[closed][PC_T]);
            overdrawn |= rest <= noise_of(list, PC_GUARDS_MARGIN, pair, force);
            add_guard(list, PC_GUARDS_MARGIN, pair, 1, force);
            add_guard(list, PC_GUARDS_MARGIN, pair, -1, force);
            continue;
        }
        add_guard(list, PC_GUARDS_SLIP, pair, 0, 0);
        add_guard(list, PC_GUARDS_JAM, pair, 0, 0);
        if (slides(scene, pair)) add_guard(list, PC_GUARDS_REACTION, pair, 0, 0);
    }
    if (overdrawn) add_guard(list, PC_GUARDS_PERSISTENCE, c->pair[0], 0, 0);
    for (int i = 0; i < list->n_users; i++) {
        int k = list->locator.n_events++;
        list->guards[k] = (pc_guard){list, PC_GUARDS_USER, i, 0, 0};
        list->events[k] = list->users[i];
    }
}

/* Room for what may be watched and known while as many pairs are closed as there is room for. */
static pc_status reserve(pc_guards *list)
{
    const pc_contact_state *r = list->instant->resolver.at;
    const pc_scene *scene = list->scene;
    size_t closed = r->contacts->room;
    const bool same = list->most > 0 && list->closed == closed && list->compliant == r->compliant->room;
    if (same && (list->fits || r->contacts->n == 0)) return PC_OK;
    list->plain = false; /* what points into lists that move */
    size_t state = 2 * (size_t)scene->n_dof + (size_t)pc_compliant_rows(r->compliant) * r->compliant->room;
    size_t most = 2 * (size_t)scene->n_pairs + (5 + PC_MARGINS) * closed + (size_t)list->n_users + 2;
    const pc_column columns[] = {PC_COLUMN(list->events), PC_COLUMN(list->guards), PC_COLUMN(list->caused)};
    bool good = pc_columns_reserve(columns, sizeof columns / sizeof *columns, &list->most, most);
    size_t size = 1 + state + KNOWN * closed;
    if (good && r->contacts->n > 0 && size > list->known_size) {
        double *known = pc_calloc(SLOTS * size, sizeof *known);
        good = known != NULL;
        if (good) {
            pc_free(list->known);
            list->known = known;
            list->known_size = size;
            list->known_at = 1 + state;
        }
    }
    if (!good) return pc_fail(list->err, PC_E_MEMORY, "not enough memory for the %zu events of a motion", most);
    list->closed = closed;
    list->compliant = r->compliant->room;
    list->fits = r->contacts->n > 0;
    return pc_locator_reserve(&list->locator, list->events, (int)most, (int)state, list->err);
}

pc_status pc_guards_open(pc_guards *list)
{
    const pc_scene *scene = list->scene;
    int linear = 0;
    list->row = pc_calloc((size_t)scene->n_pairs + 1, sizeof *list->row);
    for (int pair = 0; pair < scene->n_pairs && list->row; pair++)
        list->row[pair] = is_linear(scene, pair) ? linear++ : -1;
    list->linear = list->row ? pc_calloc((size_t)linear, linear_size(scene) * sizeof *list->linear) : NULL;
    if (!list->linear)
        return pc_fail(list->err, PC_E_MEMORY, "not enough memory for a motion of %d coordinates", scene->n_dof);
    for (int pair = 0; pair < scene->n_pairs; pair++)
        if (list->row[pair] >= 0)
            find_linear_gap(scene, pair, list->linear + (size_t)list->row[pair] * linear_size(scene));
    const pc_contact_state *r = list->instant->resolver.at;
    pc_closed_form unused;
    memset(r->a, 0, (size_t)scene->n_dof * sizeof *r->a);
    list->closed_form = list->n_users == 0;
    for (int pair = 0; pair < scene->n_pairs && list->closed_form; pair++)
        list->closed_form = pc_clearance_closed_form(scene, pair, r->t, r->y, r->a, &unused);
    return pc_locator_open(&list->locator, NULL, 0, 2 * scene->n_dof, list->err);
}

void pc_guards_close(pc_guards *list)
{
    pc_locator_close(&list->locator);
    pc_free(list->events); /* the first of its lists */
    pc_free(list->linear);
    pc_free(list->row);
    pc_free(list->known);
}

/* ---- from instant to instant ---- */

/* A gap that is zero up to rounding counts as zero, on whichever side of it rounding has put it: what falls from there
 * strikes at once. */
pc_status pc_guards_watch(pc_guards *list, int first, int last)
{
    const pc_contact_state *r = list->instant->resolver.at;
    const pc_scene *scene = list->scene;
    pc_planar *planar = list->planar;
    const int n_causes = last - first < (int)list->most ? last - first : (int)list->most;
    for (int i = 0; i < n_causes; i++) /* known to the new list by what they guard */
        list->caused[i] = list->guards[list->locator.found[first + i].event];
    pc_status status = reserve(list);
    if (status != PC_OK) return status;
    const pc_occurrence *causes = list->locator.found + first;
    const pc_places *places = &planar->places;
    const pc_configuration *now =
        r->contacts->n > 0 ? accelerate(list, r->t, r->y) : pc_planar_make(planar, r->t, r->y);
    if (!now) return pc_mechanics_stopped(r->t, list->err);
    const bool plain = is_plain(list);
    if (plain && list->plain)
        renew_guards(list);
    else
        list_guards(list, now);
    list->plain = plain && list->locator.n_events == scene->n_pairs + list->n_users;
    pc_locator_restart(&list->locator);
    for (int e = 0; e < list->locator.n_events; e++) {
        pc_guard *w = &list->guards[e];
        pc_occurrence cause = {.event = -1};
        bool opened = false;
        for (int i = 0; i < n_causes; i++) {
            const pc_guard *old = &list->caused[i];
            opened |= old->what == PC_GUARDS_NORMAL && w->pair == old->pair;
            if (w->what == old->what && w->pair == old->pair && w->sign == old->sign) cause = causes[i];
        }
        if (w->what == PC_GUARDS_BOUND) continue;
        const bool holds = w->what == PC_GUARDS_MARGIN || w->what == PC_GUARDS_BRACE;
        if (holds && cause.event >= 0 && pc_instant_holds(list->instant, w->what, w->pair, w->sign))
            continue; /* it is still to come */
        if (w->what == PC_GUARDS_GAP) {
            pc_pair_update_face(now, &planar->places, w->pair);
            double gap = pc_pair_gap(now, places, r->memory, w->pair);
            if (cause.event < 0 && gap > PC_TOUCHING * scene->pairs[w->pair].length) continue;
            if (cause.event < 0) cause.rate = 0;
            if (gap < -PC_TOUCHING * scene->pairs[w->pair].length && !pc_pair_acts_in_motion(scene, w->pair)) {
                /* corrections of other contacts have closed it a little: it closes again from there, no deeper */
                w->slack = -gap;
                list->events[e].linear = NULL;
                gap = cause.rate = 0;
            }
            cause.value = gap;
            if (!opened && pc_pair_rides_along(r, w->pair)) {
                w->slack = fmax(PC_OVERHANG, list->rtol) * scene->pairs[w->pair].length;
                list->events[e].linear = NULL;
                continue;
            }
        } else if (cause.event < 0) {
            continue;
        }
        cause.event = e;
        pc_locator_add_cause(&list->locator, &cause);
    }
    return PC_OK;
}

bool pc_guards_skip_idle(pc_guards *list, const pc_dense *dense)
{
    const pc_contact_state *r = list->instant->resolver.at;
    const pc_scene *scene = list->scene;
    pc_planar *planar = list->planar;
    bool nothing = true;
    for (int e = 0; e < list->locator.n_events; e++) {
        pc_watch *seen = &list->locator.watch[e];
        const pc_guard *w = &list->guards[e];
        seen->idle = false;
        if (w->what == PC_GUARDS_GAP) {
            /* zeros of what is linear are found at once */
            bool parts = !list->events[e].linear, falls = false, *may_fall = parts ? &falls : NULL;
            double clear = 0;
            seen->from = seen->to = 0;
            if (seen->side == 1) clear = pc_clearance_until(scene, w->pair, INFINITY, parts, may_fall, dense);
            if (clear == 1) {
                seen->idle = true;
                continue;
            }
            if (!falls) {
                const pc_configuration *now = pc_planar_make_pair(planar, w->pair, dense->t, r->y);
                if (!now) return false;
                if (pc_pair_update_face(now, &planar->places, w->pair)) seen->side = 1; /* round an end */
                bool unseen = seen->side == PC_SIDE_UNKNOWN && !seen->fired; /* nothing has been asked of it yet */
                if (seen->side == 0 || seen->side == PC_SIDE_UNKNOWN) {
                    double gap = pc_pair_gap(now, &planar->places, r->memory, w->pair) + w->slack;
                    clear = pc_clearance_until(scene, w->pair, gap, parts, may_fall, dense);
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

bool pc_guards_foresee(pc_guards *list, double t, const double *y, const double *a, double t_end, double *length,
                       double *end)
{
    const pc_pair_memory *memory = list->instant->resolver.at->memory;
    const pc_scene *scene = list->scene;
    pc_locator *locator = &list->locator;
    double least = t_end - t;
    locator->n_found = 0;
    if (!list->closed_form) return false;
    for (int e = 0; e < locator->n_events; e++) {
        const pc_guard *w = &list->guards[e];
        pc_closed_form f;
        if (w->what != PC_GUARDS_GAP) return false;
        if (!pc_clearance_closed_form(scene, w->pair, t, y, a, &f)) return false;
        const double more = memory[w->pair].residual + w->slack; /* to the gap */
        f.radius += f.kind == PC_CLOSED_INSIDE ? more : -more;
        double small = PC_TOUCHING * scene->pairs[w->pair].length;
        const pc_fall fall = pc_closed_form_fall(&f, small, least + pc_one_instant(t, least));
        if (fall.kind == PC_FALL_UNKNOWN) return false;
        least = fmin(least, fall.s);
        if (fall.kind != PC_FALL_FOUND) continue;
        locator->found[locator->n_found++] = (pc_occurrence){.event = e,
                                                             .x = fall.s,
                                                             .value = fall.value,
                                                             .rate = fall.rate,
                                                             .multiplicity = 1,
                                                             .before = 1,
                                                             .after = -1};
    }
    if (!(t + least > t)) return false;
    int n = 0;
    *length = least;
    *end = least == t_end - t ? t_end : t + least;
    for (int i = 0; i < locator->n_found; i++) {
        pc_occurrence o = locator->found[i];
        if (!(o.x <= least + pc_one_instant(t, least))) continue;
        o.t = *end;
        o.x = 1;
        locator->found[n++] = o;
    }
    locator->n_found = n;
    for (int e = 0; e < locator->n_events; e++) locator->watch[e].side = 1;
    return true;
}

bool pc_guards_is_far(pc_guards *list, const pc_stepper *s)
{
    const pc_contact_state *r = list->instant->resolver.at;
    const pc_scene *scene = list->scene;
    pc_planar *planar = list->planar;
    int n = scene->n_dof;
    double *c = list->instant->resolver.spare;
    for (int i = 0; i < n; i++) {
        c[2 * i] = 0;
        c[2 * i + 1] = FAR * s->h * fmax(fabs(s->y_old[n + i]), fabs(s->y[n + i]));
    }
    const pc_dense travel = {s->t_old, s->h, n, 1, c};
    for (int e = 0; e < list->locator.n_events; e++) {
        const pc_watch *seen = &list->locator.watch[e];
        const pc_guard *w = &list->guards[e];
        bool open = seen->side == 1 || (seen->side == PC_SIDE_UNKNOWN && !seen->fired);
        if (w->what != PC_GUARDS_GAP || !open || scene->pairs[w->pair].thin) return false;
        const pc_configuration *now = pc_planar_make_pair(planar, w->pair, s->t_old, r->y);
        if (!now || !pc_clearance_lasts(now, &planar->places, w->pair, &travel)) return false;
    }
    for (int e = 0; e < list->locator.n_events; e++) list->locator.watch[e].side = 1;
    return true;
}

/* A pair at its configuration where its gap closes that does so no faster than rounding tells, and is no deeper than
 * that where the step ends: bodies that touch as they fall ride along. < 0: stop. */
static int rides(const pc_guards *list, const pc_configuration *at, int pair, const pc_dense *dense)
{
    const pc_contact_state *r = list->instant->resolver.at;
    pc_planar *planar = list->planar;
    const pc_pair *p = &list->scene->pairs[pair];
    const pc_places *places = &planar->places;
    pc_touch touch;
    double v[2];
    pc_configuration_contact(at, places, pair, &touch, v);
    if (p->thin || v[PC_N] < -pc_pair_resolution(list->scene, r->memory, pair)) return 0;
    pc_dense_eval(dense, 1, list->instant->resolver.spare);
    at = pc_planar_make_pair(planar, pair, dense->t + dense->h, list->instant->resolver.spare);
    if (!at) return -1;
    pc_configuration_touch(at, places, pair, &touch);
    double far = fabs(touch.center[0][0]) + fabs(touch.center[0][1]);
    return -(touch.gap + r->memory[pair].residual) <= PC_TOUCHING * (p->length + far);
}

pc_status pc_guards_keep_parts(pc_guards *list, int first, int last)
{
    const pc_contact_state *r = list->instant->resolver.at;
    const pc_scene *scene = list->scene;
    pc_planar *planar = list->planar;
    const pc_places *places = &planar->places;
    for (int i = first; i < last; i++) {
        const pc_occurrence *o = &list->locator.found[i];
        const pc_guard *w = &list->guards[o->event];
        pc_touch touch;
        if (w->what != PC_GUARDS_GAP) continue;
        if (o->before < 0) places->face[w->pair] = -places->face[w->pair];
        if (pc_pair_acts_in_motion(scene, w->pair)) continue;
        const pc_pair *pair = &scene->pairs[w->pair];
        const pc_outline *outline = &scene->outlines[pair->outline];
        if (pair->kind == PC_PAIR_OUTLINES && pc_outline_is_plane(outline)) {
            places->feature[w->pair] = 1; /* it has one part */
            continue;
        }
        const pc_configuration *now = pc_planar_make_pair(planar, w->pair, r->t, r->y);
        if (!now) return pc_mechanics_stopped(r->t, list->err);
        pc_configuration_touch(now, places, w->pair, &touch);
        if (touch.meets) places->feature[w->pair] = touch.feature;
    }
    return PC_OK;
}

pc_status pc_guards_leave_out(pc_guards *list, const pc_dense *dense)
{
    const pc_contact_state *r = list->instant->resolver.at;
    const pc_scene *scene = list->scene;
    pc_planar *planar = list->planar;
    int kept = 0;
    for (int i = 0; i < list->locator.n_found; i++) {
        pc_occurrence *o = &list->locator.found[i];
        const pc_guard *w = &list->guards[o->event];
        bool begins = true;
        if (w->what == PC_GUARDS_GAP && pc_pair_acts_in_motion(scene, w->pair)) {
            pc_dense_eval(dense, o->x, list->instant->resolver.spare);
            const pc_configuration *at = pc_planar_make_pair(planar, w->pair, o->t, list->instant->resolver.spare);
            int riding = !at ? -1 : pc_instant_may_begin(list->instant, w->pair) ? rides(list, at, w->pair, dense) : 1;
            if (riding < 0) return pc_mechanics_stopped(r->t, list->err);
            begins = riding == 0;
        }
        if (begins) list->locator.found[kept++] = *o;
    }
    list->locator.n_found = kept;
    return PC_OK;
}
