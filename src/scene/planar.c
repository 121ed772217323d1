/* A scene in the plane: see planar.h. */
#include "scene/places.h"

#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const pc_provider provider; /* at the end */

/* True if torques, pivots, forces or obstacles depend on time. */
static bool is_driven(const pc_scene *scene)
{
    if (scene->n_mechanisms > 0) return true; /* as far as anybody knows */
    for (int i = 0; i < scene->n_forces; i++) {
        const pc_scene_force *force = &scene->forces[i];
        if (force->kind->driven && force->kind->driven(force->params)) return true;
    }
    for (int i = 0; i < scene->n_drives; i++)
        if (pc_drive_moves(&scene->drives[i]) || scene->drives[i].surface) return true;
    for (int m = 0; m < scene->n_members; m++) {
        const pc_chain *chain = scene->members[m].chain;
        if (!chain) continue;
        if (chain->torque || pc_pivot_moves(&chain->pivot)) return true;
        for (int i = 0; i < chain->n; i++)
            if (chain->links[i].torque != 0 && chain->links[i].frequency != 0) return true;
    }
    return false;
}

/* True if the friction of a joint follows from its reaction. */
static bool follows_reactions(const pc_scene *scene)
{
    for (int i = scene->n_pairs - scene->n_own; i < scene->n_pairs; i++)
        if (scene->pairs[i].kind == PC_PAIR_DRY && pc_pair_joint(scene, &scene->pairs[i])->arm > 0) return true;
    return false;
}

/* True if a pair knows no edges: outlines without sides, or a site before an endless plane. */
static bool is_endless(const pc_scene *scene, const pc_pair *p)
{
    const pc_outline *outline = &scene->outlines[p->outline], *own = &scene->outlines[scene->sites[p->site].outline];
    if (outline->n_sides == 0) return own->n_sides == 0 || outline->radius < 0;
    return pc_outline_is_plane(outline);
}

static void describe_pairs(const pc_scene *scene, pc_pairing *out)
{
    for (int i = 0; i < scene->n_pairs; i++) {
        const pc_pair *p = &scene->pairs[i];
        out[i] = (pc_pairing){.name = p->name,
                              .always = p->kind == PC_PAIR_DRY,
                              .follows = p->kind == PC_PAIR_DRY && pc_pair_joint(scene, p)->arm > 0,
                              .law = p->law,
                              .params = p->params,
                              .friction = p->friction,
                              .static_friction = p->static_friction,
                              .pull = pc_pair_acts_in_motion(scene, i) ? 0 : p->pull,
                              .rolling = p->rolling,
                              .length = p->length,
                              .acts_in_motion = pc_pair_acts_in_motion(scene, i),
                              .endless = is_endless(scene, p)};
    }
}

pc_status pc_planar_open(pc_planar *s, const pc_scene *scene, pc_error *err)
{
    *s = (pc_planar){0};
    s->mechanics = (pc_mechanics){.provider = &provider,
                                  .self = s,
                                  .at = &s->now,
                                  .n = scene->n_dof,
                                  .n_places = scene->n_pairs,
                                  .fall = fabs(scene->gravity),
                                  .driven = is_driven(scene),
                                  .rolls = scene->rolls,
                                  .clings = scene->clings,
                                  .follows = follows_reactions(scene),
                                  .carried = scene->n_drives > 0};
    pc_status status = pc_configuration_open(&s->now, scene, err);
    if (status == PC_OK) status = pc_joints_open(&s->joints, scene, err);
    s->forces = pc_calloc((size_t)scene->n_nodes + 1, sizeof *s->forces);
    s->own.feature = pc_calloc((size_t)scene->n_pairs + 1, 2 * sizeof *s->own.feature);
    s->answer = pc_calloc((size_t)scene->n_dof + 1, sizeof *s->answer);
    s->made = pc_calloc((size_t)scene->n_dof + 1, sizeof *s->made);
    s->pairing = pc_calloc((size_t)scene->n_pairs + 1, sizeof *s->pairing);
    bool good = s->forces && s->own.feature && s->answer && s->made && s->pairing;
    if (status == PC_OK && !good)
        status = pc_fail(err, PC_E_MEMORY, "not enough memory for a scene of %d links", scene->n_nodes);
    if (status != PC_OK) {
        pc_planar_close(s);
        return status;
    }
    describe_pairs(scene, s->pairing);
    s->mechanics.pairing = s->pairing;
    s->own.face = s->own.feature + scene->n_pairs + 1;
    pc_planar_hold_none(s);
    return PC_OK;
}

void pc_planar_close(pc_planar *s)
{
    pc_configuration_close(&s->now);
    pc_joints_close(&s->joints);
    pc_free(s->forces);
    pc_free(s->own.feature);
    pc_free(s->answer);
    pc_free(s->made);
    pc_free(s->pairing);
    *s = (pc_planar){0};
}

void pc_planar_hold_none(pc_planar *s)
{
    s->places = s->own;
    pc_places_release(&s->places, s->now.scene->n_pairs);
}

const pc_configuration *pc_planar_make(pc_planar *s, double t, const double *y)
{
    return pc_mechanics_place(&s->mechanics, t, y) == 0 ? &s->now : NULL;
}

const pc_configuration *pc_planar_make_pair(pc_planar *s, int pair, double t, const double *y)
{
    return pc_configuration_place_pair(&s->now, pair, pc_span_clip(&s->now.within, t), y) == 0 ? &s->now : NULL;
}

static void unload_member(const pc_configuration *c, pc_chain_force *forces, int m)
{
    const pc_member *member = &c->scene->members[m];
    pc_chain_force *on = forces + member->node;
    if (member->mechanism)
        pc_mechanism_unload(&c->mechanisms[m]);
    else if (member->chain)
        pc_chain_unload(member->chain, on);
    else
        on->fx = on->fy = on->moment = 0;
}

static void unload(const pc_configuration *c, pc_chain_force *forces)
{
    for (int m = 0; m < c->scene->n_members; m++) unload_member(c, forces, m);
}

/* ---- forces of the scene ---- */

static void add_wrench(const pc_configuration *c, pc_chain_force *forces, int member, int link, const pc_force_end *end,
                       const pc_wrench *w)
{
    if (member < 0) return;
    int first = c->scene->members[member].node;
    pc_chain_push(c->nodes + first, link, end->x, end->y, w->fx, w->fy, forces + first);
    forces[first + link].moment += w->moment;
}

static double power_of(const pc_force_end *end, const pc_wrench *w)
{
    return w->fx * end->vx + w->fy * end->vy + w->moment * end->rate;
}

/* What one force does at its ends, or, where it has none, on every body: added to `forces` (NULL: not), and to power:
 * of damping, and of what it does besides. */
static int apply(const pc_configuration *c, const pc_scene_force *force, pc_chain_force *forces, double power[2])
{
    const pc_force_kind *kind = force->kind;
    pc_force_end end[2];
    pc_wrench w[2];
    for (int k = 0; k < kind->ends; k++) pc_configuration_force_end(c, force, k, &end[k]);
    if (kind->ends > 0) {
        int got = kind->act(force->params, c->t, end, w);
        double damped = kind->damped ? kind->damped(force->params, end) : 0, sum = 0;
        for (int k = 0; k < kind->ends; k++) {
            if (forces) add_wrench(c, forces, force->member[k], force->link[k], &end[k], &w[k]);
            if (force->member[k] >= 0) sum += power_of(&end[k], &w[k]);
        }
        power[0] += damped;
        if (!kind->potential) power[1] += sum - damped;
        return got;
    }
    for (int m = 0; m < c->scene->n_members; m++) {
        if (c->scene->members[m].mechanism) continue;
        int links = c->scene->members[m].chain ? c->scene->members[m].chain->n : 1;
        for (int i = 0; i < links; i++) {
            pc_configuration_body_end(c, m, i, end);
            int got = kind->act(force->params, c->t, end, w);
            if (got != 0) return got;
            if (forces) add_wrench(c, forces, m, i, end, w);
            power[1] += power_of(end, w);
        }
    }
    return 0;
}

int pc_planar_force_power(const pc_configuration *c, int force, double power[2])
{
    power[0] = power[1] = 0;
    return apply(c, &c->scene->forces[force], NULL, power);
}

static int load(const pc_configuration *c, pc_chain_force *forces)
{
    for (int m = 0; m < c->scene->n_members; m++) {
        const pc_member *member = &c->scene->members[m];
        pc_chain_force *on = forces + member->node;
        if (member->mechanism) {
            if (pc_mechanism_load(&c->mechanisms[m]) != 0) return -1;
            continue;
        }
        if (!member->chain) {
            on->fx = on->moment = 0;
            on->fy = -member->body.mass * c->scene->gravity;
            continue;
        }
        int got = pc_chain_load(member->chain, c->nodes + member->node, c->t, c->q + member->first,
                                c->u + member->first, c->scene->gravity, on);
        if (got != 0) return got;
    }
    for (int i = 0; i < c->scene->n_forces; i++) {
        double power[2] = {0};
        int got = apply(c, &c->scene->forces[i], forces, power);
        if (got != 0) return got;
    }
    return 0;
}

static void solve_member(const pc_configuration *c, pc_chain_force *forces, int m, bool moving, double *a)
{
    static const double rest[2] = {0, 0};
    const pc_member *member = &c->scene->members[m];
    pc_chain_force *on = forces + member->node;
    double *out = a + member->first;
    if (member->mechanism) {
        pc_mechanism_solve(&c->mechanisms[m], out);
    } else if (member->chain) {
        pc_chain_solve(member->chain, c->nodes + member->node, moving ? c->pivots[m] + 4 : rest,
                       moving ? c->u + member->first : NULL, on, out);
    } else {
        out[0] = on->fx / member->body.mass;
        out[1] = on->fy / member->body.mass;
        out[2] = on->moment / member->body.inertia;
    }
}

static void solve(const pc_configuration *c, pc_chain_force *forces, bool moving, double *a)
{
    assert(c->has & PC_HAS_FACTORS);
    for (int m = 0; m < c->scene->n_members; m++) solve_member(c, forces, m, moving, a);
}

/* ---- joints ---- */

/* A force along a condition of a joint. */
static void push_row(const pc_configuration *c, pc_chain_force *forces, const pc_scene_force *at,
                     const pc_joint_row *row, double force)
{
    for (int k = 0; k < 2; k++) {
        if (at->member[k] < 0) continue;
        const pc_wrench w = {force * row->on[k].fx, force * row->on[k].fy, force * row->on[k].moment};
        pc_force_end end;
        pc_configuration_force_end(c, at, k, &end);
        add_wrench(c, forces, at->member[k], at->link[k], &end, &w);
    }
}

static void push_joint(const pc_planar *s, const pc_configuration *c, int i, double force)
{
    push_row(c, s->forces, &c->scene->joints[s->joints.joint[i]].at, &s->joints.row[i], force);
}

/* Of a stop or the friction of a joint: a force along its coordinate. */
static void push_coordinate(const pc_configuration *c, pc_chain_force *forces, const pc_pair *p, int pair,
                            const double force[2])
{
    const double along = p->kind == PC_PAIR_DRY ? force[PC_T] : pc_pair_opens_with(p) * force[PC_N];
    pc_joint_row row;
    pc_configuration_coordinate(c, pair, &row);
    push_row(c, forces, &c->scene->joints[p->joint].at, &row, along);
}

/* Mobility of the coordinates that rub, as if there were no joints. */
static void find_give(const pc_planar *s, const pc_configuration *c)
{
    static const double unit[2] = {[PC_T] = 1};
    for (int pair = c->scene->n_pairs - c->scene->n_own; pair < c->scene->n_pairs; pair++) {
        const pc_pair *p = &c->scene->pairs[pair];
        double v[2];
        if (p->kind != PC_PAIR_DRY) continue;
        unload(c, s->forces);
        push_coordinate(c, s->forces, p, pair, unit);
        solve(c, s->forces, false, s->answer);
        pc_configuration_change(c, pair, NULL, s->answer, v);
        s->joints.give[p->joint] = v[PC_T];
    }
}

/* Conditions of the joints in the configuration, and what their forces do there. */
static void place_joints(const pc_planar *s, const pc_configuration *c)
{
    const pc_joints *joints = &s->joints;
    pc_joints_place(joints, c);
    for (int i = 0; i < joints->n; i++) { /* which moves the members at its ends alone */
        const int *member = c->scene->joints[joints->joint[i]].at.member;
        double *response = joints->response + (size_t)i * (size_t)c->scene->n_dof;
        memset(response, 0, (size_t)c->scene->n_dof * sizeof *response);
        for (int k = 0; k < 2; k++)
            if (member[k] >= 0) unload_member(c, s->forces, member[k]);
        push_joint(s, c, i, 1);
        for (int k = 0; k < 2; k++)
            if (member[k] >= 0) solve_member(c, s->forces, member[k], false, response);
    }
    pc_joints_weigh(joints, c);
    find_give(s, c);
}

/* As `solve`, with the forces that keep the joints. */
static void keep_joined(const pc_planar *s, const pc_configuration *c, bool moving, double *a)
{
    solve(c, s->forces, moving, a);
    const pc_joints *joints = &s->joints;
    if (joints->n == 0) return;
    memset(joints->force, 0, (size_t)joints->n * sizeof *joints->force);
    for (int again = pc_joints_depend(joints); again >= 0; again--) {
        for (int i = 0; i < joints->n; i++)
            joints->error[i] = -pc_joints_read(joints, c, i, a, moving ? PC_RATES_ACCELERATIONS : PC_RATES_JUMPS);
        pc_joints_solve(joints, joints->error);
        for (int i = 0; i < joints->n; i++) {
            joints->force[i] += joints->error[i];
            push_joint(s, c, i, joints->error[i]);
        }
        solve(c, s->forces, moving, a); /* so that the reactions within chains are right too */
    }
}

/* And note the reactions that friction follows. */
static void solve_joined(const pc_planar *s, const pc_configuration *c, bool moving, double *a)
{
    keep_joined(s, c, moving, a);
    for (int pair = c->scene->n_pairs - c->scene->n_own; pair < c->scene->n_pairs; pair++) {
        const pc_pair *p = &c->scene->pairs[pair];
        if (p->kind != PC_PAIR_DRY) continue;
        const pc_wrench w = pc_joints_reaction(&s->joints, c->scene, s->forces, p->joint);
        s->joints.reached[2 * p->joint] = w.fx;
        s->joints.reached[2 * p->joint + 1] = w.fy;
    }
}

void pc_planar_joint_errors(const pc_planar *s, double *error)
{
    const pc_joints *joints = &s->joints;
    for (int i = 0; i < joints->n; i++) /* first, for the velocities may be where errors go */
        joints->error[i] = pc_joints_read(joints, &s->now, i, s->now.u, PC_RATES_VELOCITIES) - joints->row[i].rate;
    for (int i = 0; i < joints->n; i++) {
        error[i] = joints->row[i].error;
        error[joints->n + i] = joints->error[i];
    }
}

void pc_planar_take(const pc_planar *s, double *error, double *x)
{
    const int n_dof = s->now.scene->n_dof;
    pc_joints_solve(&s->joints, error);
    for (int i = 0; i < s->joints.n; i++) {
        const double *response = s->joints.response + (size_t)i * (size_t)n_dof;
        for (int j = 0; j < n_dof; j++) x[j] -= error[i] * response[j];
    }
}

/* Newton's method squares the share by which joints are open, from the tolerance of a step to rounding at once; what is
 * put together anew may take more. */
enum { MOST_ROUNDS = 50 };

/* It stalls where conditions that depend on others do not agree: numbers that are typed in with ten digits leave 1e-9
 * of the lengths (`assemble` is not asked for that), and where a loop passes a place in which some depend that do not
 * beside it, they part by the square of the angle below which they do, 2e-10. */
static const double STALLED = 1e-8;

static int provide_project(const void *self, double t, double *y)
{
    const pc_planar *s = self;
    const pc_joints *joints = &s->joints;
    const int n_dof = s->now.scene->n_dof;
    double gap, share, last = INFINITY;
    const char *unit;
    if (s->now.scene->n_joints == 0) return 0;
    for (int round = 0; round <= MOST_ROUNDS; round++) {
        if (pc_mechanics_place(&s->mechanics, t, y) != 0) return -1;
        pc_joints_worst(joints, &s->now, &gap, &unit, &share);
        if (share <= PC_ROUNDING || (share < STALLED && share >= last)) break;
        if (round == MOST_ROUNDS) return 1;
        last = share;
        for (int i = 0; i < joints->n; i++) joints->error[i] = joints->row[i].error;
        pc_planar_take(s, joints->error, y);
    }
    for (int again = pc_joints_depend(joints); again >= 0; again--) {
        for (int i = 0; i < joints->n; i++)
            joints->error[i] = pc_joints_read(joints, &s->now, i, y + n_dof, PC_RATES_VELOCITIES) - joints->row[i].rate;
        pc_planar_take(s, joints->error, y + n_dof);
    }
    bool driven = false; /* else nothing moves, but what may */
    for (int i = 0; i < joints->n; i++) driven |= joints->row[i].rate != 0;
    if (driven) pc_joints_fastest(joints, &s->now, y + n_dof, &gap, &unit, &share);
    return driven && share > PC_CLEARLY ? 2 : 0;
}

/* The members a pair acts on; -1: none. */
static void members_of(const pc_scene *scene, int pair, int members[2])
{
    members[0] = scene->sites[scene->pairs[pair].site].member;
    members[1] = scene->pairs[pair].kind == PC_PAIR_GAP ? -1 : scene->outlines[scene->pairs[pair].outline].member;
}

static void push_member(const pc_configuration *c, pc_chain_force *forces, int member, int link, const double at[2],
                        const double force[2])
{
    if (member < 0) return;
    int first = c->scene->members[member].node;
    pc_chain_push(c->nodes + first, link, at[0], at[1], force[0], force[1], forces + first);
}

static void turn_member(const pc_configuration *c, pc_chain_force *forces, int member, int link, double moment)
{
    if (member >= 0) forces[c->scene->members[member].node + link].moment += moment;
}

/* Of a contact: force = (t, n) on the first site, and its opposite on the other. */
static void push(const pc_configuration *c, pc_chain_force *forces, int pair, const pc_touch *touch,
                 const double force[2])
{
    const pc_pair *p = &c->scene->pairs[pair];
    if (p->kind == PC_PAIR_GAP) {
        pc_mechanism_push(&c->mechanisms[c->scene->sites[p->site].member], p->gap - 1, force);
        return;
    }
    if (p->kind != PC_PAIR_OUTLINES) {
        push_coordinate(c, forces, p, pair, force);
        return;
    }
    const pc_site *site = &c->scene->sites[c->scene->pairs[pair].site];
    const pc_outline *outline = &c->scene->outlines[c->scene->pairs[pair].outline];
    const double *n = touch->n;
    if (touch->couple != 0) {
        turn_member(c, forces, site->member, site->link, touch->couple * force[PC_T]);
        turn_member(c, forces, outline->member, outline->link, -touch->couple * force[PC_T]);
        return;
    }
    double on_first[2] = {force[PC_T] * n[1] + force[PC_N] * n[0], -force[PC_T] * n[0] + force[PC_N] * n[1]};
    double on_second[2] = {-on_first[0], -on_first[1]}, first[2], second[2];
    for (int k = 0; k < 2; k++) {
        first[k] = touch->center[0][k] + -touch->reach * n[k];
        second[k] = touch->center[1][k] + touch->roll * n[k];
    }
    if (touch->aside != 0) { /* along t = (n_y, -n_x) */
        const double way[2] = {touch->aside * n[1], -touch->aside * n[0]};
        for (int k = 0; k < 2; k++) {
            first[k] += way[k];
            second[k] += way[k];
        }
    }
    push_member(c, forces, site->member, site->link, first, on_first);
    push_member(c, forces, outline->member, outline->link, second, on_second);
}

/* What an impulse along a component of a contact does to all velocities. Where joints hold it but for rounding, which
 * is a share of what it would do to free bodies, nothing moves. */
static void respond(const pc_planar *s, const pc_configuration *c, int pair, const pc_touch *touch, int component,
                    double *du)
{
    const double impulse[2] = {component == PC_T, component == PC_N};
    int members[2];
    pc_chain_force *forces = s->forces;
    assert(c->has & PC_HAS_FACTORS);
    const pc_pair_kind kind = c->scene->pairs[pair].kind;
    if (kind > PC_PAIR_GAP && (component == PC_T) != (kind == PC_PAIR_DRY)) { /* along the other one nothing moves */
        memset(du, 0, (size_t)c->scene->n_dof * sizeof *du);
        return;
    }
    if (s->joints.n > 0) {
        double alone[2], held[2];
        unload(c, forces);
        push(c, forces, pair, touch, impulse);
        solve(c, forces, false, du);
        pc_configuration_change(c, pair, touch, du, alone);
        solve_joined(s, c, false, du);
        pc_configuration_change(c, pair, touch, du, held);
        if (!(held[component] > DBL_EPSILON / PC_CLEARLY * alone[component]))
            memset(du, 0, (size_t)c->scene->n_dof * sizeof *du);
        return;
    }
    members_of(c->scene, pair, members);
    for (int k = 0; k < 2; k++)
        if (members[k] >= 0) unload_member(c, forces, members[k]);
    push(c, forces, pair, touch, impulse);
    for (int k = 0; k < 2; k++)
        if (members[k] >= 0) solve_member(c, forces, members[k], false, du);
}

/* Whether two pairs have a member in common, or members that are joined. */
static bool coupled(const pc_planar *s, const pc_scene *scene, int pair, int other)
{
    int a[2], b[2];
    members_of(scene, pair, a);
    members_of(scene, other, b);
    for (int k = 0; k < 2 && scene->n_joints > 0; k++) {
        if (a[k] >= 0) a[k] = s->joints.group[a[k]];
        if (b[k] >= 0) b[k] = s->joints.group[b[k]];
    }
    return (a[0] >= 0 && (a[0] == b[0] || a[0] == b[1])) || (a[1] >= 0 && (a[1] == b[0] || a[1] == b[1]));
}

int pc_planar_power(const pc_planar *s, double power[3])
{
    power[0] = power[1] = power[2] = 0;
    for (int m = 0; m < s->now.scene->n_members; m++) {
        const pc_member *member = &s->now.scene->members[m];
        double damping, torque;
        if (member->mechanism) {
            if (pc_mechanism_power(&s->now.mechanisms[m], &torque) != 0) return -1;
            power[1] += torque;
        }
        if (!member->chain) continue;
        int got = pc_chain_power(member->chain, s->now.t, s->now.q + member->first, s->now.u + member->first, &damping,
                                 &torque);
        if (got != 0) return got;
        const pc_chain_force *top = s->forces + member->node;
        power[0] += damping;
        power[1] += torque;
        if (!member->chain->pivot.floats) power[2] += top->rx * s->now.pivots[m][2] + top->ry * s->now.pivots[m][3];
    }
    for (int i = 0; i < s->now.scene->n_forces; i++) {
        int got = apply(&s->now, &s->now.scene->forces[i], NULL, power);
        if (got != 0) return got;
    }
    for (int i = 0; i < s->joints.n; i++) power[1] += s->joints.force[i] * s->joints.row[i].rate;
    return 0;
}

bool pc_planar_drive_power(const pc_configuration *c, int pair, const pc_touch *touch, const double force[2],
                           double *power)
{
    double v[2];
    if (!pc_configuration_drive_velocity(c, pair, touch, v)) return false;
    *power = force[PC_T] * v[PC_T] + force[PC_N] * v[PC_N];
    return true;
}

void pc_planar_add_reactions(const pc_planar *s, double times, double *sum)
{
    const pc_scene *scene = s->now.scene;
    for (int i = 0; i < scene->n_nodes; i++) {
        *sum++ += times * s->forces[i].rx;
        *sum++ += times * s->forces[i].ry;
    }
    for (int i = 0; i < scene->n_joints; i++) {
        const pc_wrench w = pc_joints_reaction(&s->joints, scene, s->forces, i);
        *sum++ += times * w.fx;
        *sum++ += times * w.fy;
        *sum++ += times * w.moment;
    }
}

/* ---- what the engine asks ---- */

/* A few coordinates: calling the C library for them would take longer. */
static bool are_equal(const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] != b[i]) return false;
    return true;
}

/* Poses and factors go by the time and the coordinates, and velocities are only pointed to: where an instant asks for
 * its configuration again, nothing has to be made. (Conditions of joints go by velocities as well.) */
static int provide_place(const void *self, double t, const double *y, pc_configuration *out)
{
    const pc_planar *s = self;
    const int n = out->scene->n_dof;
    const unsigned whole = PC_HAS_POSES | PC_HAS_FACTORS;
    t = pc_span_clip(&s->now.within, t);
    if (out == &s->now && out->scene->n_joints == 0 && out->has == whole && out->t == t && are_equal(s->made, y, n) &&
        pc_configuration_move(out, y))
        return 0;
    int got = pc_configuration_place(out, t, y);
    if (got == 0 && out->scene->n_joints > 0) place_joints(s, out);
    for (int i = 0; i < n && got == 0; i++) s->made[i] = y[i];
    return got;
}

static void provide_state(const pc_configuration *c, double *t, const double **q, const double **u)
{
    *t = c->t;
    *q = c->q;
    *u = c->u;
}

static bool provide_is_angle(const void *self, int coordinate)
{
    const pc_member *m = ((const pc_planar *)self)->now.scene->members;
    while (coordinate >= m->first + m->n_dof) m++;
    return pc_member_turns(m, coordinate - m->first);
}

static void provide_touch(const void *self, const pc_configuration *c, int place, pc_touch *touch)
{
    pc_configuration_touch(c, &((const pc_planar *)self)->places, place, touch);
}

static bool provide_coupled(const void *self, const pc_configuration *c, int place, int other)
{
    return coupled(self, c->scene, place, other);
}

/* Zeros for the members a pair acts on. */
static void calm(const pc_scene *scene, int pair, double *du)
{
    int members[2];
    if (scene->n_joints > 0) memset(du, 0, (size_t)scene->n_dof * sizeof *du);
    members_of(scene, pair, members);
    for (int k = 0; k < 2; k++) {
        if (members[k] < 0) continue;
        const pc_member *member = &scene->members[members[k]];
        memset(du + member->first, 0, (size_t)member->n_dof * sizeof *du);
    }
}

/* Where joints, or the rows of a gap, leave a contact no motion or one way to move, W has no negative eigenvalues by
 * rounding. */
static void tidy(double *W, int n)
{
    const int side = 2 * n;
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side && W[j * side + j] == 0; i++) W[j * side + i] = W[i * side + j] = 0;
    for (int i = 0; i < n; i++) {
        double *tt = W + 2 * i * side + 2 * i, *nn = tt + side + 1, most = sqrt(*tt * *nn) * (1 - PC_ROUNDING);
        if (fabs(tt[1]) > most) tt[1] = nn[-1] = copysign(most, tt[1]);
    }
}

/* One contact of free bodies, of which no joint is asked: each gives way as its mass and its moment of inertia about
 * the mass centre let it, with the impulse at r from there. False: it is not that. */
static bool find_free_mobility(const pc_configuration *c, int pair, const pc_touch *touch, double W[4])
{
    int members[2];
    const double *n = touch->n;
    if (touch->couple != 0 || touch->aside != 0) return false;
    members_of(c->scene, pair, members);
    for (int k = 0; k < 2; k++) {
        const double way = k == 0 ? -touch->reach : touch->roll;
        if (members[k] < 0) continue;
        const pc_member *member = &c->scene->members[members[k]];
        if (member->chain || member->mechanism) return false;
        const pc_chain_node *node = c->nodes + member->node;
        const double x = touch->center[k][0] - node->x, y = touch->center[k][1] - node->y;
        const double along = -(x * n[0] + y * n[1]) - way, across = x * n[1] - y * n[0]; /* 0 for a disc, to the bit */
        W[0] += 1 / member->body.mass + along * along / member->body.inertia;
        W[1] += along * across / member->body.inertia;
        W[3] += 1 / member->body.mass + across * across / member->body.inertia;
    }
    W[2] = W[1];
    return true;
}

static void provide_mobility(const void *self, const pc_configuration *c, const pc_contact_set *set, double *W)
{
    const pc_planar *s = self;
    const int n = set->n, side = 2 * n;
    memset(W, 0, (size_t)side * (size_t)side * sizeof *W);
    if (n == 1 && s->joints.n == 0 && find_free_mobility(c, set->place[0], set->touch, W)) return;
    if (n == 1) memset(W, 0, 4 * sizeof *W);
    for (int i = 0; i < n; i++) calm(c->scene, set->place[i], s->answer);
    for (int j = 0; j < side; j++) {
        const int struck = set->place[j / 2];
        respond(s, c, struck, &set->touch[j / 2], j % 2, s->answer);
        for (int i = 0; i < n; i++) {
            double v[2];
            if (!coupled(s, c->scene, set->place[i], struck)) continue;
            pc_configuration_change(c, set->place[i], &set->touch[i], s->answer, v);
            W[2 * i * side + j] = v[PC_T];
            W[(2 * i + 1) * side + j] = v[PC_N];
        }
        calm(c->scene, struck, s->answer);
    }
    if (s->joints.n > 0 || c->scene->n_mechanisms > 0) tidy(W, n);
    for (int i = 0; i < n; i++) {
        const pc_pair *p = &c->scene->pairs[set->place[i]];
        if (p->kind == PC_PAIR_DRY) W[(2 * i + PC_N) * (side + 1)] = s->joints.give[p->joint];
    }
}

static void provide_jump(const void *self, const pc_configuration *c, const pc_contact_set *set, const double *p,
                         double *du)
{
    const pc_planar *s = self;
    unload(c, s->forces);
    for (int i = 0; i < set->n; i++) push(c, s->forces, set->place[i], &set->touch[i], p + 2 * i);
    solve_joined(s, c, false, du);
}

static int provide_accelerations(const void *self, const pc_configuration *c, const pc_acting *acting, double *a)
{
    const pc_planar *s = self;
    int got = load(c, s->forces);
    if (got != 0) return got;
    for (; acting; acting = acting->more)
        for (int i = 0; i < acting->at.n; i++)
            push(c, s->forces, acting->at.place[i], &acting->at.touch[i], acting->force + 2 * i);
    solve_joined(s, c, true, a);
    return 0;
}

static void provide_acceleration(const void *self, const pc_configuration *c, int place, const pc_touch *touch,
                                 const double *a, double b[2])
{
    const pc_pair *p = &c->scene->pairs[place];
    pc_configuration_acceleration(c, place, touch, a, b);
    if (p->kind != PC_PAIR_DRY) return;
    const pc_joints *joints = &((const pc_planar *)self)->joints;
    b[PC_N] = -pc_pair_joint(c->scene, p)->press * joints->give[p->joint];
}

static void provide_sizes(const void *self, const pc_configuration *c, double *size)
{
    const pc_planar *s = self;
    if (c->scene->n_joints > 0)
        pc_joints_sizes(&s->joints, c, size);
    else
        memset(size, 0, 2 * (size_t)c->scene->n_dof * sizeof *size);
}

static double provide_reaction(const void *self, int place, double r[2])
{
    const pc_planar *s = self;
    const pc_pair *p = &s->now.scene->pairs[place];
    const double arm = pc_pair_joint(s->now.scene, p)->arm;
    for (int k = 0; k < 2; k++) r[k] = arm * s->joints.reached[2 * p->joint + k];
    return arm * pc_joints_greatest(&s->joints);
}

/* ---- parts of outlines ---- */

static void begin_part(const void *self, const pc_configuration *c, int place)
{
    const pc_places *places = &((const pc_planar *)self)->places;
    if (c->scene->pairs[place].thin) places->face[place] = pc_configuration_outer_face(c, place);
    pc_pair_update_face(c, places, place);
}

static int held_part(const void *self, int place)
{
    return ((const pc_planar *)self)->places.feature[place];
}

static void hold_part(const void *self, int place, int part)
{
    ((const pc_planar *)self)->places.feature[place] = part;
}

static void margins_of_part(const void *self, const pc_configuration *c, int place, double margin[PC_MARGINS])
{
    pc_configuration_margins(c, &((const pc_planar *)self)->places, place, margin);
}

static int beyond_part(const void *self, const pc_configuration *c, int place, int margin)
{
    return pc_configuration_beyond(c, &((const pc_planar *)self)->places, place, margin);
}

static int follower_of_part(const void *self, const pc_configuration *c, int place, int margin)
{
    (void)self;
    return margin > 1 ? -1 : pc_configuration_next_part(c, place, margin);
}

static const pc_provider_parts parts = {.begin = begin_part,
                                        .held = held_part,
                                        .hold = hold_part,
                                        .margins = margins_of_part,
                                        .margin_rates = pc_configuration_margin_rates,
                                        .beyond = beyond_part,
                                        .follower = follower_of_part,
                                        .may_begin = pc_compliant_may_begin,
                                        .take_hold = pc_compliant_hold_side,
                                        .is_off = pc_compliant_is_off,
                                        .hand_over = pc_compliant_hand_over,
                                        .leave = pc_compliant_leave};

static const pc_provider provider = {.parts = &parts,
                                     .place = provide_place,
                                     .project = provide_project,
                                     .state = provide_state,
                                     .energy = pc_configuration_energy,
                                     .is_angle = provide_is_angle,
                                     .touch = provide_touch,
                                     .velocity = pc_configuration_velocity,
                                     .change = pc_configuration_change,
                                     .coupled = provide_coupled,
                                     .mobility = provide_mobility,
                                     .jump = provide_jump,
                                     .accelerations = provide_accelerations,
                                     .acceleration = provide_acceleration,
                                     .sizes = provide_sizes,
                                     .reaction = provide_reaction};
