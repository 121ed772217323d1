/* Displacements carried along arcs and through instants: see run.h. */
#include "motion/run.h"

#include "base/alloc.h"
#include "engine/collide.h"
#include "event/event.h"

#include <math.h>
#include <string.h>

/* Displacement for differences, as a share of the sizes in the scene. Those of four points err by its fourth power over
 * 30, 2e-15 where frequencies are those of these sizes and 2e-11 at ten times as much, and round at 6e-13. */
static const double SHARE = 5e-4;

/* The linearised equations are integrated with the tolerance of the run, relative to the displacement, but not beyond
 * what their derivatives are known to. */
static const double FINEST = 1e-12;

/* Displacements and speeds below this share of what they are compared with are zero, and those that differ by less are
 * the same: differences of laws that integrate are known to some 1e-9, and chains of impacts multiply that. */
static const double SAME = 1e-6;

/* A function whose zero changes the contacts of a displaced motion; which: of the margins; or the sign of a slip. Where
 * rolling begins against a resistance there is none: at its bound the couple is what held. TOUCH and RELEASE are the
 * ends of what a compliant contact lasts. */
typedef enum trigger_kind { NORMAL_SPEED, SLIP_SPEED, ROLLING_SPEED, CONE, BOUND, TOUCH, RELEASE } trigger_kind;

typedef struct trigger {
    trigger_kind what;
    int pair, which;
    double residual; /* of a release: how much more indentation is left in a displaced motion */
} trigger;

/* A displacement on its way. */
typedef struct carrier {
    pc_run *run;
    pc_planar *planar;                   /* of the run, whose pairs hold to what they did then */
    double from, to;                     /* of the arc: what happened at its ends is outside */
    int n;                               /* 2 n_dof */
    double *y, *near, *f[2], *rates, *d; /* states, rates */
    double *kept[4], *sum, *open;        /* room for more */
    double length, speed;                /* sizes in the scene */
    double *scale;                       /* and of each component */
    pc_contacts contacts; /* that are closed; those before an instant and after it, and what goes on through it */
    pc_contacts before, after, kept_closed;
    pc_compliant compliant; /* likewise, those that give */
    double *left, *more;    /* of all pairs: what the last contact left indented, NaN: unknown, and its displacement */
    double away;            /* how many displacements the state that is asked about is from that of the run */
    int *struck;            /* pairs, at an instant */
    size_t struck_room;
    trigger *causes; /* of changes at an instant */
    size_t causes_room;
    pc_slowest *slowest;
    size_t event; /* the first that has not been passed */
    pc_error *err;
} carrier;

/* Of a displacement or of the difference of two states, in sizes of its components. */
static double size_of(const carrier *c, const double *v)
{
    double sum = 0;
    for (int i = 0; i < c->n; i++) sum += v[i] / c->scale[i] * (v[i] / c->scale[i]);
    return sqrt(sum);
}

/* Room for n contacts in its lists and in the run, and for all that may give. */
static pc_status reserve(carrier *c, int n)
{
    n += pc_scene_compliant_pairs(c->run->scene);
    pc_contacts *lists[] = {&c->contacts, &c->before, &c->after, &c->kept_closed};
    pc_status status = pc_run_reserve(c->run, n, c->err);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && status == PC_OK; i++)
        status = pc_contacts_reserve(lists[i], n, c->err);
    return status;
}

/* What contacts that give have been left by the last ones is displaced with the state. */
static void displace_residuals(const carrier *c)
{
    for (int i = 0; i < c->compliant.n; i++) {
        pc_compliant_contact *contact = &c->compliant.contact[i];
        if (contact->residual > 0) contact->residual = c->left[contact->pair] + c->away * c->more[contact->pair];
    }
}

/* Rates of the state with the contacts, in its configuration. NULL: stop. */
static const pc_configuration *find_rates(carrier *c, double t, const double *y, double *f)
{
    int n = c->n / 2;
    displace_residuals(c);
    const pc_configuration *at = pc_planar_make(c->planar, t, y);
    memcpy(f, y + n, (size_t)n * sizeof *f);
    bool known = at && pc_contacts_accelerate(&c->contacts, &c->compliant, &c->planar->mechanics,
                                              &c->run->scratch.block, f + n) == 0;
    return known ? at : NULL;
}

/* Whether the coordinate of a pair is an angle: of a stop or the friction of a pin. */
static bool is_angular(const pc_scene *scene, int pair)
{
    const pc_pair *p = &scene->pairs[pair];
    return p->kind > PC_PAIR_GAP &&
           pc_joint_angular(scene->joints[p->joint].at.kind, scene->joints[p->joint].at.params);
}

/* Lengths and speeds of the pairs and of what is joined; where there are none, of chains and of a fall. Coordinates
 * have their sizes, and so has a radian, with the rate that goes with them. */
static pc_status find_scales(carrier *c)
{
    const pc_run *run = c->run;
    const pc_scene *scene = run->scene;
    const int n = c->n / 2;
    double length = 0, speed = 0, turning = 0;
    for (int i = 0; i < scene->n_pairs; i++) {
        const double rate = pc_pair_speed_scale(run->scene, run->state.memory, i);
        if (is_angular(scene, i)) {
            turning = fmax(turning, rate);
            continue;
        }
        length = fmax(length, scene->pairs[i].length);
        speed = fmax(speed, rate);
    }
    if (scene->n_joints > 0) {
        const pc_configuration *at = pc_planar_make(c->planar, run->history.t0, c->y);
        if (!at) return pc_run_stopped(run, c->err);
        pc_joints_sizes(&c->planar->joints, at, c->scale);
        for (int i = 0; i < n; i++) {
            const bool angle = c->planar->mechanics.provider->is_angle(c->planar, i);
            if (!angle) length = fmax(length, c->scale[i]);
            if (!angle) speed = fmax(speed, c->scale[n + i]);
            if (angle) turning = fmax(turning, c->scale[n + i]);
        }
    }
    const bool unknown = length == 0;
    for (int m = 0; m < scene->n_members && unknown; m++)
        for (int i = 0; scene->members[m].chain && i < scene->members[m].chain->n; i++)
            length = fmax(length, scene->members[m].chain->links[i].length);
    c->length = length > 0 ? length : 1;
    speed = fmax(fmax(speed, turning * c->length), sqrt(fabs(scene->gravity) * c->length));
    c->speed = speed > 0 ? speed : c->length;
    for (int m = 0; m < scene->n_members; m++) {
        const pc_member *member = &scene->members[m];
        for (int i = 0; i < member->n_dof; i++) {
            bool turns = pc_member_turns(member, i);
            c->scale[member->first + i] = turns ? 1 : c->length;
            c->scale[n + member->first + i] = turns ? c->speed / c->length : c->speed;
        }
    }
    return PC_OK;
}

/* How far to go along d, so that each component is displaced by a small share of its size; infinite: d is 0. */
static double reach_along(const carrier *c, const double *d)
{
    double most = 0;
    for (int i = 0; i < c->n; i++) most = fmax(most, fabs(d[i]) / c->scale[i]);
    return SHARE / most;
}

typedef pc_status (*state_map)(carrier *c, double t, double *near, const void *context);

/* Of four points: f' = sum of weight (f(at h) - f(-at h))/h, but for h^4 f'''''/30. */
static const struct {
    double at, weight;
} stencil[2] = {{1, 8.0 / 12}, {2, -1.0 / 12}};

/* How the first m numbers of a map of states change along a direction of y and dt of t, by central differences that go
 * no further than `most`: `map` makes them of `near`, a displaced y, in its place, and may fail. `out` may be `along`,
 * and neither is one of the carrier's f. */
static pc_status differentiate(carrier *c, state_map map, const void *context, double t, const double *along, double dt,
                               double most, int m, double *out)
{
    double h = fmin(reach_along(c, along), most);
    memset(c->sum, 0, (size_t)m * sizeof *c->sum);
    for (int k = 0; k < 2 && isfinite(h); k++) {
        for (int side = 0; side < 2; side++) {
            double s = (side ? h : -h) * stencil[k].at, *near = c->f[side];
            for (int i = 0; i < c->n; i++) near[i] = c->y[i] + s * along[i];
            c->away = along == c->rates ? 0 : s;
            pc_status status = map(c, t + s * dt, near, context);
            c->away = 0;
            if (status != PC_OK) return status;
        }
        for (int i = 0; i < m; i++) c->sum[i] += stencil[k].weight * (c->f[1][i] - c->f[0][i]);
    }
    for (int i = 0; i < m; i++) out[i] = c->sum[i] / h;
    return PC_OK;
}

/* By how much joints are open, and then how fast they open, in their conditions. */
static pc_status measure_joints(carrier *c, double t, double *near, const void *context)
{
    (void)context;
    if (!pc_planar_make(c->planar, t, near)) return pc_run_stopped(c->run, c->err);
    pc_planar_joint_errors(c->planar, near);
    return PC_OK;
}

/* Take what joints forbid from d, as the run puts them back: of places, then of the velocities that are left there.
 * Which conditions follow from others is found where they do, at the state itself. */
static pc_status take_open(carrier *c, double t, double dt)
{
    const int n = c->planar->joints.n;
    pc_status status = PC_OK;
    for (int k = 0; k < 2 && n > 0 && status == PC_OK; k++) {
        status = differentiate(c, measure_joints, NULL, t, c->d, dt, INFINITY, 2 * n, c->open);
        if (status == PC_OK && !pc_planar_make(c->planar, t, c->y)) status = pc_run_stopped(c->run, c->err);
        if (status == PC_OK) pc_planar_take(c->planar, c->open + k * n, c->d + k * c->n / 2);
    }
    return status;
}

static pc_status take_forbidden(carrier *c, double t, double *near, const void *context)
{
    if (!pc_planar_make(c->planar, t, near)) return pc_run_stopped(c->run, c->err);
    pc_contacts_project(&c->contacts, &c->planar->mechanics, &c->run->scratch.block, *(const bool *)context, near);
    return PC_OK;
}

/* Take what joints and contacts forbid from d, at t + dt for it; rub: see pc_contacts_project. What puts contacts back
 * leaves joints together; the second time places are right, and velocities become those that they allow. */
static pc_status project(carrier *c, double t, double dt, bool rub)
{
    pc_status status = take_open(c, t, dt);
    for (int round = 0; round < 2 && c->contacts.n > 0 && status == PC_OK; round++) {
        status = differentiate(c, take_forbidden, &rub, t, c->d, dt, INFINITY, c->n, c->d);
        if (status == PC_OK) status = take_open(c, t, dt);
    }
    return status;
}

/* ---- an instant ---- */

typedef struct instant {
    double t;
    size_t first, last; /* events */
    int n, *pair;       /* impacts, in their order: in the carrier's list */
    bool together;
    size_t next;                  /* arc */
    const pc_contacts *after;     /* that are closed then */
    const pc_closed_pair *closed; /* the same, with the parts of the outlines to which they hold */
} instant;

static const char *name_of(const carrier *c, int pair)
{
    return c->run->scene->pairs[pair].name;
}

/* A force below this share of the greatest one at the instant is one that has come to zero. */
static const double GONE = 1e-6;

/* Forces round at a few 1e-16 of the largest, more where conditions are nearly dependent. */
static const double FORCE_ROUNDING = 1e-12;

/* So many impacts of one pair at one instant are taken for the beginning of infinitely many. */
enum { ENDLESS = 64 };

static const pc_event_record *event(const carrier *c, size_t i)
{
    return (const pc_event_record *)c->run->history.events.data + i;
}

/* Whether something was told of a pair then. */
static bool tells(const carrier *c, const instant *now, pc_event_kind kind, int pair)
{
    for (size_t i = now->first; i < now->last; i++)
        if (event(c, i)->kind == kind && event(c, i)->pair == pair) return true;
    return false;
}

/* What contacts that give hold to. */
static void hold_compliant(const carrier *c)
{
    for (int i = 0; i < c->compliant.n; i++)
        c->planar->places.feature[c->compliant.contact[i].pair] = c->compliant.contact[i].feature;
}

/* Contacts that give, of an arc; beyond the last one, those of now. */
static const pc_compliant_contact *pressed(const pc_run *run, size_t arc, size_t *n)
{
    const pc_arc_record *record = (const pc_arc_record *)run->history.arcs.data + arc;
    const bool now = arc == run->history.arcs.used;
    *n = now ? (size_t)run->state.compliant.n : record->n_compliant;
    return now ? run->state.compliant.contact
               : (const pc_compliant_contact *)run->history.compliant.data + record->compliant;
}

/* Why a displacement is not carried through a contact that gives; NULL: it is. Its force has to follow from the state
 * alone, by the same function in a displaced motion, at any distance that differences go. */
static const char *foreign(const pc_pair *p, const pc_compliant_contact *contact)
{
    const pc_prepared *own = &contact->base.p;
    if (p->friction > 0) return "has friction";
    if (p->rolling > 0) return "resists rolling";
    if (!own->linear || own->plastic || own->memory > 0) return "is not linear";
    for (int k = 0; k < 2; k++) {
        const double mass = contact->mass * (k == 0 ? 2 : 1), speed = contact->speed * (k == 0 ? 1 : 2);
        pc_prepared other = {0};
        p->law->element->prepare(p->params, &(pc_scales){1, 1, 1}, mass, speed, &other);
        if (memcmp(other.c, own->c, sizeof own->c) != 0)
            return k == 0 ? "has constants that depend on its mass" : "has constants that depend on its approach";
    }
    return NULL;
}

/* Let the contacts of an arc that give be those of the carrier. */
static pc_status press(carrier *c, size_t arc, double t)
{
    size_t n;
    const pc_compliant_contact *from = pressed(c->run, arc, &n);
    for (size_t i = 0; i < n; i++) {
        const pc_pair *p = &c->run->scene->pairs[from[i].pair];
        const char *why = foreign(p, &from[i]);
        if (!why) continue;
        return pc_fail_at(c->err, PC_E_UNSUPPORTED, t, "contact",
                          "%s is closed at t = %.10g%s and %s: of contacts that give, displacements are carried "
                          "through a spring and a dashpot of given constants without friction",
                          p->name, t, p->kind > PC_PAIR_GAP ? "" : " with configuration = \"moving\"", why);
    }
    if (n > 0) memcpy(c->compliant.contact, from, n * sizeof *from);
    c->compliant.n = (int)n;
    for (size_t i = 0; i < n; i++)
        if (from[i].residual > 0) c->left[from[i].pair] = from[i].residual;
    hold_compliant(c);
    return PC_OK;
}

/* The contacts from now on: some of those of afterwards, or all. */
static void adopt(carrier *c, const instant *now, const pc_contacts *closed)
{
    if (closed != &c->contacts) pc_contacts_copy(&c->contacts, closed);
    pc_planar_hold_none(c->planar);
    for (int i = 0; i < now->after->n; i++)
        if (pc_contacts_find(closed, now->after->pair[i]) >= 0)
            c->planar->places.feature[now->after->pair[i]] = now->closed[i].feature;
    hold_compliant(c);
}

static pc_status refuse(const carrier *c, const instant *now, int pair, const char *why)
{
    return pc_fail_at(c->err, PC_E_UNSUPPORTED, now->t, "contact",
                      "%s: %s at t = %.10g: there a displacement has no image", name_of(c, pair), why, now->t);
}

/* d += rates dt with the contacts that are closed. */
static pc_status shift(carrier *c, double t, const double *y, double dt)
{
    double *rate = c->near;
    if (dt == 0) return PC_OK;
    if (!find_rates(c, t, y, rate)) return pc_run_stopped(c->run, c->err);
    for (int i = 0; i < c->n; i++) c->d[i] += dt * rate[i];
    return PC_OK;
}

/* ---- when contacts change ---- */

static pc_status value(carrier *c, double t, double *near, const void *context)
{
    const trigger *cause = context;
    const pc_places *places = &c->planar->places;
    pc_touch touch;
    double v[2], margin[PC_MARGINS];
    const pc_configuration *at =
        cause->what == CONE ? find_rates(c, t, near, c->near) : pc_planar_make(c->planar, t, near);
    if (!at) return pc_run_stopped(c->run, c->err);
    if (cause->what == TOUCH) {
        near[0] = pc_configuration_gap(at, places, cause->pair);
    } else if (cause->what == RELEASE) {
        displace_residuals(c);
        pc_compliant_evaluate(&c->compliant, &c->planar->mechanics);
        near[0] = c->compliant.now[cause->which].n.release;
    } else if (cause->what == CONE) {
        const double *force = c->contacts.force[pc_contacts_find(&c->contacts, cause->pair)];
        near[0] = c->run->scene->pairs[cause->pair].static_friction * force[PC_N] + cause->which * force[PC_T];
    } else if (cause->what == BOUND) {
        pc_configuration_margins(at, places, cause->pair, margin);
        near[0] = margin[cause->which];
    } else {
        pc_configuration_contact(at, places, cause->pair, &touch, v);
        touch.couple = cause->what == ROLLING_SPEED ? c->run->scene->pairs[cause->pair].rolling : 0;
        if (touch.couple > 0) pc_configuration_velocity(at, cause->pair, &touch, v);
        near[0] = v[cause->what == NORMAL_SPEED ? PC_N : PC_T];
    }
    return PC_OK;
}

/* How fast a cause changes along a direction of the state and of the time. */
static pc_status slope(carrier *c, const trigger *cause, double t, const double *along, double dt, double *rate)
{
    return differentiate(c, value, cause, t, along, dt, INFINITY, 1, rate);
}

static double rounding_of(const carrier *c, const trigger *cause)
{
    const double *force;
    switch (cause->what) {
    case CONE:
        force = c->contacts.force[pc_contacts_find(&c->contacts, cause->pair)];
        return FORCE_ROUNDING * (fabs(force[PC_N]) + fabs(force[PC_T]));
    case BOUND:
    case TOUCH: return PC_TOUCHING * c->run->scene->pairs[cause->pair].length;
    case RELEASE: return 0; /* where its force has come to zero no rate changes */
    default: return pc_pair_resolution(c->run->scene, c->run->state.memory, cause->pair);
    }
}

/* A slip below so many times what its contact resolves is at rest: corrections of others leave as much. */
static const double RESTING = 1e4;

/* From the one side to the other of such a difference, in its steps. */
static const double SIDES = 4;

/* How much later that happens in a displaced motion. */
static pc_status postponed(carrier *c, const instant *now, trigger *cause, double *dt)
{
    double along_d, along_t;
    if (!find_rates(c, now->t, c->y, c->rates)) return pc_run_stopped(c->run, c->err);
    pc_status status = slope(c, cause, now->t, c->d, 0, &along_d);
    if (status == PC_OK) status = slope(c, cause, now->t, c->rates, 1, &along_t);
    if (status != PC_OK) return status;
    double difference = fabs(along_t) * SIDES * reach_along(c, c->rates);
    if (!(difference > rounding_of(c, cause))) return refuse(c, now, cause->pair, "the contact changes in passing");
    if (cause->what == TOUCH && -along_t < c->slowest->speed) *c->slowest = (pc_slowest){-along_t, now->t};
    if (cause->what == TOUCH) along_d += c->more[cause->pair];
    *dt = -along_d / along_t;
    if (cause->what != RELEASE) return PC_OK;
    const trigger gap = {.what = TOUCH, .pair = cause->pair};
    status = slope(c, &gap, now->t, c->d, 0, &along_d);
    if (status == PC_OK) status = slope(c, &gap, now->t, c->rates, 1, &along_t);
    cause->residual = -(along_d + *dt * along_t);
    return status;
}

/* What is closed after an instant, except what is struck at it or ends bouncing: contacts that were closed before, and
 * some that touched and now bear a load. These have to touch in a displaced motion, whose d is that at t + dt. They are
 * put into `kept_closed`. */
static pc_status go_on(carrier *c, const instant *now, double dt)
{
    pc_contacts *kept = &c->kept_closed;
    pc_status status = PC_OK;
    double size = size_of(c, c->d), gap[2], slower;
    kept->n = 0;
    for (int i = 0; i < now->after->n && status == PC_OK; i++) {
        const trigger speed = {.what = NORMAL_SPEED, .pair = now->after->pair[i]};
        bool struck = tells(c, now, PC_EVENT_ACCUMULATION, speed.pair);
        for (int k = 0; k < now->n; k++) struck |= now->pair[k] == speed.pair;
        if (struck) continue;
        pc_contacts_add(kept, now->after, i);
        if (pc_contacts_find(&c->contacts, speed.pair) >= 0) continue;
        status = slope(c, &speed, now->t, c->d, dt, &slower);
        if (status != PC_OK) return status;
        const pc_configuration *at = pc_planar_make(c->planar, now->t, c->y);
        if (!at) return pc_run_stopped(c->run, c->err);
        pc_touch touch;
        pc_configuration_touch(at, &c->planar->places, speed.pair, &touch);
        pc_configuration_change(at, speed.pair, &touch, c->d, gap);
        const double length = is_angular(c->run->scene, speed.pair) ? 1 : c->length;
        if (fabs(gap[PC_N]) > SAME * size * length || fabs(slower) > SAME * size * length * (c->speed / c->length))
            status = refuse(c, now, speed.pair, "the contact closes without an impact");
    }
    return status;
}

/* ---- changes of contacts that last ---- */

/* The bound of its part of the outlines at which a closed pair is; -1: none. */
static int bound_of(const carrier *c, const pc_configuration *at, int pair)
{
    double margin[PC_MARGINS], least = SAME * c->run->scene->pairs[pair].length;
    int found = -1;
    pc_configuration_margins(at, &c->planar->places, pair, margin);
    for (int k = 0; k < PC_MARGINS; k++) {
        if (!(fabs(margin[k]) < least)) continue;
        least = fabs(margin[k]);
        found = k;
    }
    return found;
}

/* What changed the i-th closed contact, whose forces are known; false: nothing that changes a rate, or others did. */
static bool cause_of(const carrier *c, const instant *now, const pc_configuration *at, int i, trigger *cause)
{
    const pc_contacts *closed = &c->contacts;
    int pair = closed->pair[i], mode = closed->mode[i], k = pc_contacts_find(now->after, pair);
    const pc_pair *p = &c->run->scene->pairs[pair];
    double largest = 0;
    for (int j = 0; j < closed->n; j++) largest = fmax(largest, fabs(closed->force[j][PC_N]));
    bool off = k < 0 && closed->force[i][PC_N] > GONE * largest; /* it has slipped off */
    *cause = (trigger){.what = BOUND, .pair = pair, .which = bound_of(c, at, pair)};
    if (off || (k >= 0 && now->closed[k].feature != c->planar->places.feature[pair])) return cause->which >= 0;
    if (k < 0 || mode == now->after->mode[k]) return false;
    *cause = (trigger){.what = mode ? SLIP_SPEED : CONE, .pair = pair, .which = now->after->mode[k]};
    return mode != 0 || p->static_friction > p->friction;
}

/* Whether rolling of the i-th closed contact came to its end. */
static bool rolling_ends(const carrier *c, const instant *now, int i, trigger *cause)
{
    int k = pc_contacts_find(now->after, c->contacts.pair[i]), roll = c->contacts.roll[i];
    *cause = (trigger){.what = ROLLING_SPEED, .pair = c->contacts.pair[i]};
    return roll != 0 && k >= 0 && now->after->roll[k] != roll;
}

/* Whether a contact is in such a list. */
static bool has(const pc_compliant_contact *list, size_t n, const pc_compliant_contact *contact)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].pair == contact->pair && list[i].impact == contact->impact) return true;
    return false;
}

/* Contacts that give begin and end: how many causes there are with these. A residual that is not what the last contact
 * has left is that of a pair whose gap was not watched as it closed. */
static pc_status compliant_causes(carrier *c, const instant *now, int *n)
{
    size_t after;
    const pc_compliant_contact *list = pressed(c->run, now->next, &after), *own = c->compliant.contact;
    const size_t before = (size_t)c->compliant.n;
    for (size_t i = 0; i < before; i++)
        if (!has(list, after, &own[i])) c->causes[(*n)++] = (trigger){.what = RELEASE, own[i].pair, (int)i};
    for (size_t i = 0; i < after; i++) {
        const int pair = list[i].pair;
        if (has(own, before, &list[i])) continue;
        if (list[i].residual == 0) c->more[pair] = 0;
        if (fabs(list[i].residual - c->left[pair]) > SAME * list[i].length && list[i].residual > 0)
            return refuse(c, now, pair, "it is found closed,");
        c->causes[(*n)++] = (trigger){.what = TOUCH, .pair = pair};
    }
    return PC_OK;
}

/* Contacts that were closed change without an impact. Where one stops or passes a bound forces jump, and others may
 * slip because of it: these are not asked when. */
static pc_status pass_changes(carrier *c, const instant *now)
{
    int n = 0;
    bool jumps = false;
    double least = INFINITY, most = -INFINITY, size = size_of(c, c->d), change = 0;
    if (!PC_GROW(c->causes, c->causes_room, 2 * c->contacts.n + 2 * pc_scene_compliant_pairs(c->run->scene)))
        return pc_fail(c->err, PC_E_MEMORY, "not enough memory for %d contacts", c->contacts.n);
    trigger *causes = c->causes;
    const pc_configuration *at = find_rates(c, now->t, c->y, c->f[0]);
    if (!at) return pc_run_stopped(c->run, c->err);
    for (int i = 0; i < c->contacts.n; i++) {
        if (cause_of(c, now, at, i, &causes[n])) jumps |= causes[n++].what != CONE;
        if (rolling_ends(c, now, i, &causes[n])) jumps = ++n > 0;
    }
    const int lasting = n;
    pc_status found = compliant_causes(c, now, &n);
    if (found != PC_OK) return found;
    jumps |= n > lasting;
    int first = -1, last = -1;
    for (int i = 0; i < n; i++) {
        if (jumps && causes[i].what == CONE) continue;
        double dt;
        pc_status status = postponed(c, now, &causes[i], &dt);
        if (status != PC_OK) return status;
        if (dt < least) least = dt, first = causes[i].pair;
        if (dt > most) most = dt, last = causes[i].pair;
    }
    double dt = first < 0 ? 0 : least;
    pc_status status = shift(c, now->t, c->y, dt);
    if (status == PC_OK) status = go_on(c, now, dt);
    if (status != PC_OK) return status;
    at = find_rates(c, now->t, c->y, c->f[0]);
    if (!at) return pc_run_stopped(c->run, c->err);
    for (int i = lasting; i < n; i++) {
        if (causes[i].what != RELEASE) continue;
        c->more[causes[i].pair] = causes[i].residual;
        c->left[causes[i].pair] = -pc_configuration_gap(at, &c->planar->places, causes[i].pair);
    }
    adopt(c, now, &c->kept_closed);
    if ((status = press(c, now->next, now->t)) != PC_OK) return status;
    if (!find_rates(c, now->t, c->y, c->f[1])) return pc_run_stopped(c->run, c->err);
    for (int i = 0; i < c->n; i++) {
        change = fmax(change, fabs(c->f[1][i] - c->f[0][i]) / c->scale[i]);
        c->d[i] -= dt * c->f[1][i];
    }
    if ((most - least) * change > SAME * size)
        return pc_fail_at(c->err, PC_E_UNSUPPORTED, now->t, "contact",
                          "%s and %s change at once at t = %.10g, and a displaced motion changes one first: there a "
                          "displacement has no one image",
                          name_of(c, first), name_of(c, last), now->t);
    return PC_OK;
}

/* Bounces have accumulated: at their end, where the contact closes, its speed comes to zero. */
static pc_status pass_accumulation(carrier *c, const instant *now, int i)
{
    trigger end = {.what = NORMAL_SPEED, .pair = now->after->pair[i]};
    double dt;
    pc_status status = postponed(c, now, &end, &dt);
    if (status == PC_OK) status = shift(c, now->t, c->y, dt);
    if (status != PC_OK) return status;
    pc_contacts_add(&c->contacts, now->after, i);
    status = project(c, now->t, dt, true);
    return status == PC_OK ? shift(c, now->t, c->y, -dt) : status;
}

/* ---- impacts ---- */

/* Pairs struck at once, each of its own accord, whose orders are all tried. */
enum { ORDERED = 4 };

/* Velocities of displaced motions at a contact differ by at most this share of the speed of approach. */
static const double SIMILAR = 1e-3;

/* The touch of a pair that strikes, and its velocity. A side without thickness is struck on the
 * face from which the other comes, whatever rounding says of a gap that is zero. */
static void touch_struck(const pc_configuration *at, pc_places *places, int pair, pc_touch *touch, double v[2])
{
    int *face = &places->face[pair];
    for (*face = 1;; *face = -1) {
        pc_configuration_contact(at, places, pair, touch, v);
        if (v[PC_N] < 0 || *face < 0) return;
    }
}

/* What happens now to all that is closed, and to some pairs, in an order that the run would find. */
static pc_status touch_all(carrier *c, const int *pair, int n)
{
    pc_touching *touching = &c->run->scratch.touching;
    touching->n = 0;
    for (int i = 0; i < n; i++)
        if (!pc_touching_add(touching, pair[i], c->err)) return PC_E_MEMORY;
    for (int i = 0; i < c->contacts.n; i++)
        if (!pc_touching_add(touching, c->contacts.pair[i], c->err)) return PC_E_MEMORY;
    return pc_run_reserve(c->run, touching->n, c->err);
}

/* What joints rub with the impulses of their reactions, of which those that led to y are the last. */
static pc_status rub(carrier *c, double t, double *y)
{
    if (!c->planar->mechanics.follows) return PC_OK;
    if (!pc_planar_make(c->planar, t, y)) return pc_run_stopped(c->run, c->err);
    pc_resolver resolver = pc_run_resolver(c->run);
    return pc_resolver_rub_jump(&resolver, &c->run->scratch.touching, y + c->run->scene->n_dof, c->err);
}

/* The state after an impact of one pair, by its law. */
static pc_status strike(carrier *c, double t, double *y, const void *context)
{
    pc_run *run = c->run;
    int pair = *(const int *)context, m = c->n / 2;
    const pc_pair *p = &run->scene->pairs[pair];
    pc_status status = touch_all(c, &pair, 1);
    const pc_configuration *at = status == PC_OK ? pc_planar_make(c->planar, t, y) : NULL;
    if (!at) return status == PC_OK ? pc_run_stopped(run, c->err) : status;
    pc_touch touch;
    pc_configuration_touch(at, &c->planar->places, pair, &touch);
    pc_mobility W;
    double v0[3] = {0};
    pc_turning turning;
    status = pc_contact_mobility(&c->planar->mechanics, pair, &touch, &run->scratch.block, &W, &turning, c->err);
    if (status != PC_OK) return status;
    pc_configuration_velocity(at, pair, &touch, v0);
    pc_impact impact;
    pc_impact_init(&impact);
    status = pc_law_impact(p->law, p->params, &W, v0, &impact, c->err);
    pc_struck struck;
    pc_contact_struck(&struck, pair, &touch, &impact);
    pc_mechanics_jump(&c->planar->mechanics, &struck.set, struck.p, run->scratch.block.a);
    for (int i = 0; i < m; i++) y[m + i] += run->scratch.block.a[i];
    pc_impact_free(&impact);
    return status == PC_OK ? rub(c, t, y) : status;
}

/* The state after one impact of all pairs. The run resolves it as if it happened now, and forgets it. */
static pc_status strike_together(carrier *c, double t, double *y, const void *context)
{
    pc_run *run = c->run;
    const instant *now = context;
    pc_status status = touch_all(c, now->pair, now->n);
    if (status != PC_OK) return status;
    if (!pc_planar_make(c->planar, t, y)) return pc_run_stopped(run, c->err);
    pc_resolver resolver = pc_run_resolver(run);
    status = pc_resolver_joint_jump(&resolver, &run->scratch.touching, y + run->scene->n_dof, c->err);
    return status == PC_OK ? rub(c, t, y) : status;
}

/* How much later a displaced motion closes the gap of the k-th impact, at the state y. */
static pc_status delay(carrier *c, const instant *now, int k, double *dt)
{
    int pair = now->pair[k];
    pc_run *run = c->run;
    pc_touch touch;
    double v[2], change[2];
    const pc_configuration *at = pc_planar_make(c->planar, now->t, c->y);
    if (!at) return pc_run_stopped(run, c->err);
    touch_struck(at, &c->planar->places, pair, &touch, v);
    pc_configuration_change(at, pair, &touch, c->d, change);
    if (-v[PC_N] < c->slowest->speed) *c->slowest = (pc_slowest){-v[PC_N], now->t};
    if (!(v[PC_N] < -pc_pair_resolution(run->scene, run->state.memory, pair)))
        return refuse(c, now, pair, k ? "impacts that follow each other at once die out" : "the impact grazes");
    *dt = -change[PC_N] / v[PC_N];
    return PC_OK;
}

/* How far to go along d so that the velocities at the contact stay similar: bounces before they accumulate are slower
 * than the displacements of difference quotients. */
static pc_status reach_of(carrier *c, const instant *now, int pair, double *most)
{
    pc_touch touch;
    double v[2], change[2];
    const pc_configuration *at = pc_planar_make(c->planar, now->t, c->y);
    if (!at) return pc_run_stopped(c->run, c->err);
    pc_configuration_contact(at, &c->planar->places, pair, &touch, v);
    pc_configuration_change(at, pair, &touch, c->d + c->n / 2, change);
    *most = SIMILAR * fabs(v[PC_N]) / hypot(change[PC_T], change[PC_N]);
    return PC_OK;
}

/* A pair stays closed from this impact on: it is the last of the pair, and the bounces that follow do not
 * accumulate. */
static bool closes(const carrier *c, const instant *now, int k)
{
    for (int i = k + 1; i < now->n; i++)
        if (now->pair[i] == now->pair[k]) return false;
    return pc_contacts_find(now->after, now->pair[k]) >= 0 && !tells(c, now, PC_EVENT_ACCUMULATION, now->pair[k]);
}

/* Pairs that stay closed are stopped, as the run does with what is slower than v_rest: y and d. */
static pc_status stop(carrier *c, double t, double dt)
{
    pc_status status = project(c, t, dt, true);
    if (status != PC_OK || c->contacts.n == 0) return status;
    if (!pc_planar_make(c->planar, t, c->y)) return pc_run_stopped(c->run, c->err);
    pc_contacts_project(&c->contacts, &c->planar->mechanics, &c->run->scratch.block, true, c->y);
    return PC_OK;
}

/* The k-th impact, or all of them together. */
static pc_status leap(carrier *c, const instant *now, int k)
{
    double dt = 0, most = INFINITY;
    pc_status status = delay(c, now, k, &dt);
    if (status == PC_OK) status = shift(c, now->t, c->y, dt);
    if (status == PC_OK) status = reach_of(c, now, now->pair[k], &most);
    state_map map = now->together ? strike_together : strike;
    const void *context = now->together ? (const void *)now : &now->pair[k];
    /* along d and dt together the gap stays closed: the law is asked where displaced motions strike */
    if (status == PC_OK) status = differentiate(c, map, context, now->t, c->d, dt, most, c->n, c->d);
    if (status == PC_OK) status = map(c, now->t, c->y, context);
    if (status != PC_OK) return status;
    c->planar->places.face[now->pair[k]] = 0;
    if (k == 0) {
        status = go_on(c, now, dt);
        if (status != PC_OK) return status;
        pc_contacts_copy(&c->contacts, &c->kept_closed);
    }
    for (int i = k; i < (now->together ? now->n : k + 1); i++)
        if (closes(c, now, i)) pc_contacts_add(&c->contacts, now->after, pc_contacts_find(now->after, now->pair[i]));
    status = stop(c, now->t, dt);
    return status == PC_OK ? shift(c, now->t, c->y, -dt) : status;
}

/* All impacts in the order of now->pair, from the state in kept[0] and the displacement in kept[1]. */
static pc_status leap_all(carrier *c, const instant *now)
{
    size_t size = (size_t)c->n * sizeof *c->y;
    pc_status status = PC_OK;
    memcpy(c->y, c->kept[0], size);
    memcpy(c->d, c->kept[1], size);
    pc_contacts_copy(&c->contacts, &c->before);
    int n = now->together ? 1 : now->n;
    for (int k = 0; k < n && status == PC_OK; k++) status = leap(c, now, k);
    return status;
}

static pc_status refuse_order(const carrier *c, const instant *now, int first, int second)
{
    return pc_fail_at(c->err, PC_E_UNSUPPORTED, now->t, "impact",
                      "%s and %s are struck at once at t = %.10g, and the motion depends on which is first: there a "
                      "displacement has no one image",
                      name_of(c, first), name_of(c, second), now->t);
}

static bool differ(const carrier *c, const double *a, const double *b)
{
    double *difference = c->near;
    for (int i = 0; i < c->n; i++) difference[i] = a[i] - b[i];
    double size = fmax(size_of(c, a), size_of(c, b));
    return !(size_of(c, difference) <= SAME * size);
}

/* Every order of the impacts from the k-th on has to lead to the state in kept[2], and to the displacement in kept[3],
 * which that of the first one fills. */
static pc_status try_orders(carrier *c, instant *now, int k, bool *known)
{
    pc_status status = PC_OK;
    if (k == now->n) {
        status = leap_all(c, now);
        if (status != PC_OK) return status;
        if (!*known) memcpy(c->kept[3], c->d, (size_t)c->n * sizeof *c->d);
        *known = true;
        bool other = differ(c, c->kept[2], c->y) || differ(c, c->kept[3], c->d);
        return other ? refuse_order(c, now, now->pair[0], now->pair[1]) : PC_OK;
    }
    for (int i = k; i < now->n && status == PC_OK; i++) {
        int pair = now->pair[i];
        now->pair[i] = now->pair[k];
        now->pair[k] = pair;
        status = try_orders(c, now, k + 1, known);
        now->pair[k] = now->pair[i];
        now->pair[i] = pair;
    }
    return status;
}

/* Pairs that approach before any has struck, of which the first two are told: the others are struck by what these do.
 * One leads, and the rest follow in a displaced motion as well; of several that lead, a displaced motion strikes one
 * first. */
static int leaders(carrier *c, const instant *now, const pc_configuration *at, int pair[2])
{
    int n = 0;
    for (int k = 0; k < now->n; k++) {
        pc_touch touch;
        double v[2];
        bool known = false;
        for (int i = 0; i < k; i++) known |= now->pair[i] == now->pair[k];
        touch_struck(at, &c->planar->places, now->pair[k], &touch, v);
        c->planar->places.face[now->pair[k]] = 0;
        if (known || !(v[PC_N] < -pc_pair_resolution(c->run->scene, c->run->state.memory, now->pair[k]))) continue;
        if (n < 2) pair[n] = now->pair[k];
        n++;
    }
    return n;
}

/* The leader, now->pair[0], strikes together with pairs that touch: they have to touch in a displaced motion. */
static pc_status check_touching(carrier *c, const instant *now, const pc_configuration *at)
{
    double size = size_of(c, c->d);
    for (int k = 1; k < now->n; k++) {
        pc_touch touch;
        double change[2];
        pc_configuration_touch(at, &c->planar->places, now->pair[k], &touch);
        pc_configuration_change(at, now->pair[k], &touch, c->d, change);
        const double length = is_angular(c->run->scene, now->pair[k]) ? 1 : c->length;
        if (fabs(change[PC_N]) > SAME * size * length) return refuse_order(c, now, now->pair[0], now->pair[k]);
    }
    return PC_OK;
}

/* Pass the impacts of an instant, from the state y, which becomes that after them. */
static pc_status pass_impacts(carrier *c, instant *now)
{
    size_t size = (size_t)c->n * sizeof *c->y;
    int lead[2];
    const pc_configuration *at = pc_planar_make(c->planar, now->t, c->y);
    if (!at) return pc_run_stopped(c->run, c->err);
    pc_contacts_copy(&c->before, &c->contacts);
    int n = leaders(c, now, at, lead);
    memcpy(c->kept[0], c->y, size);
    memcpy(c->kept[1], c->d, size);
    if (n <= 1) {
        for (int k = 1; k < now->n && n == 1 && now->together; k++) { /* it is the leader's instant */
            if (now->pair[k] != lead[0]) continue;
            now->pair[k] = now->pair[0];
            now->pair[0] = lead[0];
        }
        pc_status status = now->together ? check_touching(c, now, at) : PC_OK;
        return status == PC_OK ? leap_all(c, now) : status;
    }
    if (n < now->n || n > ORDERED) return refuse_order(c, now, lead[0], lead[1]);
    pc_run_at(c->run, now->t, 1, c->kept[2]);
    now->together = false; /* displaced motions strike one after the other */
    bool known = false;
    pc_status status = try_orders(c, now, 0, &known);
    memcpy(c->d, c->kept[3], size);
    return status;
}

/* ---- what happened at one instant ---- */

/* What the run has told of it. The time of an accumulation is that of its end, which is yet to come. */
static pc_status gather(carrier *c, instant *now, const pc_impact_record **first)
{
    const pc_impact_record *impacts = c->run->history.impacts.data;
    size_t i = c->event, all = c->run->history.events.used;
    int begun = -1; /* a contact that gives */
    while (i < all && (event(c, i)->kind == PC_EVENT_ACCUMULATION || event(c, i)->t < now->t)) i++;
    now->first = i;
    while (i < all && (event(c, i)->kind == PC_EVENT_ACCUMULATION || event(c, i)->t == now->t)) i++;
    now->last = c->event = i;
    for (i = now->first; i < now->last; i++) {
        const pc_event_record *e = event(c, i);
        if (e->kind == PC_EVENT_JAM) return refuse(c, now, e->pair, "slip jams, where forces grow beyond bounds,");
        if (e->kind != PC_EVENT_IMPACT) continue;
        const pc_impact_record *record = &impacts[e->impact];
        if (record->compliant) begun = e->pair;
        if (record->compliant || c->run->scene->pairs[e->pair].kind == PC_PAIR_DRY) continue; /* see rub */
        if (now->n == 0) *first = record;
        bool mixed = now->n > 0 && now->together != (record->rule == PC_RULE_SIMULTANEOUS);
        int again = 0;
        for (int k = 0; k < now->n; k++) again += now->pair[k] == e->pair;
        if (mixed || again >= ENDLESS)
            return refuse(c, now, e->pair, "impacts without end follow each other at one instant");
        if (!PC_GROW(c->struck, c->struck_room, now->n + 1))
            return pc_fail(c->err, PC_E_MEMORY, "not enough memory for %d impacts at one instant", now->n + 1);
        now->together = record->rule == PC_RULE_SIMULTANEOUS;
        now->pair = c->struck;
        now->pair[now->n++] = e->pair;
    }
    return begun < 0 || now->n == 0 ? PC_OK : refuse(c, now, begun, "it closes with an impact");
}

/* What happened at t, where the contacts of one recorded set of modes became those of another. */
static pc_status pass_instant(carrier *c, double t, size_t before, size_t after, size_t next)
{
    pc_run *run = c->run;
    instant now = {.t = t, .next = next, .after = &c->after};
    const pc_impact_record *record = NULL;
    const double *states = run->history.states.data;
    int n_before, n_after;
    pc_run_closed(run, before, &n_before);
    now.closed = pc_run_closed(run, after, &n_after);
    pc_status status = reserve(c, n_before + n_after);
    if (status != PC_OK) return status;
    pc_run_restore_modes(run, after, &c->after);
    pc_run_restore_modes(run, before, &c->contacts);
    hold_compliant(c);
    status = gather(c, &now, &record);
    if (status != PC_OK) return status;
    pc_run_at(run, t, -1, c->y);
    if (record) {
        memcpy(c->y, states + record->states, (size_t)c->n * sizeof *c->y);
        status = pass_impacts(c, &now);
    } else {
        status = pass_changes(c, &now);
    }
    pc_run_at(run, t, 1, c->y);
    adopt(c, &now, &c->contacts);
    if (status == PC_OK) status = press(c, next, t);
    for (int i = 0; i < c->after.n && status == PC_OK; i++)
        if (pc_contacts_find(&c->contacts, c->after.pair[i]) < 0) status = pass_accumulation(c, &now, i);
    return status == PC_OK ? project(c, t, 0, false) : status;
}

/* ---- arcs ---- */

static pc_status accelerate(carrier *c, double t, double *near, const void *context)
{
    int m = c->n / 2;
    (void)context;
    if (!find_rates(c, t, near, c->near)) return pc_run_stopped(c->run, c->err);
    memcpy(near, c->near + m, (size_t)m * sizeof *near);
    return PC_OK;
}

static int linearised(double t, const double *d, double *dd, void *context)
{
    carrier *c = context;
    int m = c->n / 2;
    t = fmin(fmax(t, c->from), c->to);
    pc_run_at(c->run, t, t > c->from ? -1 : 1, c->y);
    memcpy(dd, d + m, (size_t)m * sizeof *dd);
    return differentiate(c, accelerate, NULL, t, d, 0, INFINITY, m, dd + m) == PC_OK ? 0 : -1;
}

/* The rates keep what contacts forbid at zero but for the errors of a step, which are taken away at the end. */
static pc_status follow_arc(carrier *c, double from, double to)
{
    if (to <= from) return PC_OK;
    c->from = from;
    c->to = to;
    double size = size_of(c, c->d);
    if (size == 0) return PC_OK; /* contacts have taken all of it */
    pc_ode_problem problem = {
        .n = c->n, .rhs = linearised, .context = c, .scale = c->scale, .time_scale = c->run->time_scale};
    double tolerance = fmax(c->run->rtol, FINEST);
    pc_ode_settings settings = {tolerance, tolerance * size, 0, INFINITY, 0, 10000000};
    pc_solve_task task = {
        .problem = &problem, .method = &pc_ode_dop853, .settings = &settings, .t0 = from, .t1 = to, .y0 = c->d};
    pc_solution solution;
    pc_status status = pc_solve(&task, &solution, c->err);
    if (status == PC_OK) memcpy(c->d, solution.y, (size_t)c->n * sizeof *c->d);
    pc_solution_free(&solution);
    if (status == PC_E_CALLBACK) return pc_run_stopped(c->run, c->err);
    if (status != PC_OK) return status;
    pc_run_at(c->run, to, -1, c->y);
    return project(c, to, 0, false);
}

/* Follow arcs with the same contacts. No step crosses a break, where the linearised equations jump: one that does may
 * pass a short pulse without having seen it. */
static pc_status follow_arcs(carrier *c, double from, double to)
{
    const pc_run *run = c->run;
    pc_status status = PC_OK;
    while (status == PC_OK && from < to) {
        double next = pc_scene_next_break(run->scene, from, pc_breaks_next(&run->breaks, from, to));
        c->planar->now.within = pc_run_span(run, from);
        status = follow_arc(c, from, next);
        from = next;
    }
    return status;
}

/* Slip that begins from rest at t goes one way: a displacement the other way first slips back, against the other
 * friction. */
static pc_status check_slip(carrier *c, double t)
{
    const instant now = {.t = t};
    const double size = size_of(c, c->d);
    for (int i = 0; i < c->contacts.n; i++) {
        const trigger slip = {.what = SLIP_SPEED, .pair = c->contacts.pair[i]};
        double rate, v[2], unit = is_angular(c->run->scene, slip.pair) ? c->speed / c->length : c->speed;
        pc_touch touch;
        if (c->contacts.mode[i] == 0 || c->run->scene->pairs[slip.pair].friction == 0) continue;
        const pc_configuration *at = pc_planar_make(c->planar, t, c->y);
        if (!at) return pc_run_stopped(c->run, c->err);
        pc_configuration_contact(at, &c->planar->places, slip.pair, &touch, v);
        if (fabs(v[PC_T]) > RESTING * pc_pair_resolution(c->run->scene, c->run->state.memory, slip.pair)) continue;
        pc_status status = slope(c, &slip, t, c->d, 0, &rate);
        if (status != PC_OK) return status;
        if (c->contacts.mode[i] * rate < -SAME * size * unit)
            return refuse(c, &now, slip.pair, "slip begins, the other way,");
    }
    return PC_OK;
}

/* What a break strikes would need the time of it kept fixed. */
static pc_status refuse_strike(const carrier *c, double t)
{
    pc_configuration *at = &c->planar->now;
    const pc_span before = at->within, after = pc_run_span(c->run, t);
    pc_break_jump jump;
    if (!(before.to < after.from)) return PC_OK;
    if (pc_configuration_jump(at, t, &before, &after, &jump) < 0) return pc_run_stopped(c->run, c->err);
    if (!jump.strikes) return PC_OK;
    return pc_fail_at(c->err, PC_E_UNSUPPORTED, t, "motion",
                      "displacements are not carried past t = %.10g, a break where the velocity of an obstacle jumps",
                      t);
}

static pc_status carry(carrier *c, double from, double to)
{
    pc_run *run = c->run;
    size_t n;
    const pc_arc *arcs = pc_trajectory_arcs(&run->history.trajectory, &n);
    const pc_arc_record *records = run->history.arcs.data;
    size_t i = pc_trajectory_find(&run->history.trajectory, from, 1), last = run->history.modes.used - 1;
    size_t modes = i < n ? records[i].modes : last;
    int n_closed;
    pc_run_closed(run, modes, &n_closed);
    pc_status status = reserve(c, n_closed);
    if (status != PC_OK) return status;
    pc_run_restore_modes(run, modes, &c->contacts);
    if ((status = press(c, i, from)) != PC_OK) return status;
    pc_run_at(run, from, 1, c->y);
    status = project(c, from, 0, false);
    if (status == PC_OK) status = check_slip(c, from);
    while (status == PC_OK && i < n && from < to) {
        size_t next = i;
        while (next < n && records[next].modes == modes) next++;
        double stop = next < n ? arcs[next].t : run->state.t;
        status = follow_arcs(c, from, fmin(stop, to));
        if (status != PC_OK || stop > to) return status;
        from = stop;
        i = next;
        size_t after = next < n ? records[next].modes : last;
        if (after != modes) status = refuse_strike(c, from);
        if (status == PC_OK && after != modes) status = pass_instant(c, from, modes, after, next);
        modes = after;
    }
    return status;
}

pc_status pc_run_carry(pc_run *run, double from, double to, double *d, pc_slowest *slowest, pc_error *err)
{
    size_t n = 2 * (size_t)run->scene->n_dof;
    pc_error own = {0};
    pc_error_clear(err);
    if (!(from <= to && from >= run->history.t0 && to <= run->state.t))
        return pc_fail(err, PC_E_ARGUMENT, "from t = %.10g to %.10g is not within the motion, %.10g to %.10g", from, to,
                       run->history.t0, run->state.t);
    if (run->history.arcs.used == 0 && run->state.t > run->history.t0)
        return pc_fail(err, PC_E_ARGUMENT, "the motion was not recorded (record = false)");
    if (run->history.arcs.used == 0) return PC_OK;
    /* states have rows for contacts that give behind them, which stay zero */
    const size_t rows = (size_t)pc_scene_compliant_pairs(run->scene) * (size_t)pc_compliant_rows(&run->state.compliant);
    const size_t pairs = (size_t)run->scene->n_pairs, open = 2 * (size_t)run->scratch.system.joints.n,
                 whole = n + rows > open ? n + rows : open;
    double *memory = pc_calloc(8 * n + 3 * whole + 2 * open + 2 * pairs, sizeof *memory);
    if (!memory) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d coordinates", run->scene->n_dof);
    double *state = memory + 7 * n;
    carrier c = {.run = run,
                 .planar = &run->scratch.system,
                 .n = (int)n,
                 .y = state,
                 .near = memory,
                 .f = {state + whole, state + 2 * whole},
                 .kept = {memory + n, memory + 2 * n, memory + 3 * n, memory + 4 * n},
                 .scale = memory + 5 * n,
                 .rates = memory + 6 * n,
                 .sum = state + 3 * whole,
                 .open = state + 3 * whole + n + open,
                 .left = state + 3 * whole + n + 2 * open,
                 .more = state + 3 * whole + n + 2 * open + pairs,
                 .compliant = {.memory = run->state.compliant.memory},
                 .d = d,
                 .slowest = slowest,
                 .err = err ? err : &own};
    for (size_t i = 0; i < pairs; i++) c.left[i] = NAN;
    pc_run_at(run, run->history.t0, 1, c.y);
    pc_status status = pc_compliant_reserve(&c.compliant, pc_scene_compliant_pairs(run->scene), c.err);
    if (status == PC_OK) status = find_scales(&c);
    if (status == PC_OK) status = carry(&c, from, to);
    c.planar->now.within = pc_breaks_span(&(pc_breaks){0}, to, 1);
    pc_contacts *lists[] = {&c.contacts, &c.before, &c.after, &c.kept_closed};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) pc_contacts_close(lists[i]);
    pc_compliant_close(&c.compliant);
    pc_free(c.struck);
    pc_free(c.causes);
    pc_free(memory);
    return status;
}
