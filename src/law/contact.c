/* One compliant contact between two of its changes: see contact.h. */
#include "law/contact.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* In shares of the length of a contact. The impulse of a spring release is as the root of it, and known but for the
 * fifth power of that; the less it is, the more of the force is the rounding of gaps: their errors, as its power 5/2
 * and rounding over its root, are least together at the cube root of the rounding. */
static const double PARTING = 1e-6;

/* In shares of that again: below this a stretch is rounding. */
static const double UNSTRETCHED = 1e-6;

/* ---- the tangential element: see element.h ---- */

/* A spring without a dashpot has ct = 0, and a dashpot without a spring kt = 0. */

/* Limit of |F_t|/(mu F_n) below 1? True if a contact that closes with w and slides with v_t begins in stick. `n` is the
 * normal force at a small indentation u. */
static bool starts_stuck(const pc_tangential *e, const pc_normal *n, double u, double w, double v_t)
{
    if (v_t == 0 || isinf(e->cone)) return true;
    if (!(w > 0)) return false;
    double slope = fabs(v_t) / w;
    switch (e->kind) {
    case PC_TANGENTIAL_SPRING:
    case PC_TANGENTIAL_DASHPOT:
    case PC_TANGENTIAL_SPRING_DASHPOT: return e->kt * u * slope + e->ct * fabs(v_t) <= e->mu * n->F;
    case PC_TANGENTIAL_MINDLIN:
        /* along u = w t the force is ratio k u/(1 + d ln k/d ln u) for a power law */
        return e->ratio * n->k * u / (1 + n->dk * u / n->k) * slope <= e->mu * n->F;
    case PC_TANGENTIAL_SECANT:
    case PC_TANGENTIAL_RINGS:
    case PC_TANGENTIAL_COUPLED: return slope <= e->cone;
    case PC_TANGENTIAL_RIGID: break;
    }
    return false;
}

/* Stick, all kinds but rigid and rings: F_t, and what F_n gains. */
static double tangential_force(const pc_tangential *e, const pc_normal *n, double q, double v_t)
{
    switch (e->kind) {
    case PC_TANGENTIAL_SPRING: return -e->kt * q;
    case PC_TANGENTIAL_MINDLIN: return -q;
    case PC_TANGENTIAL_DASHPOT:
    case PC_TANGENTIAL_SPRING_DASHPOT: return -e->kt * q - e->ct * v_t;
    default: return -e->ratio * n->k * q;
    }
}

static double normal_gain(const pc_tangential *e, const pc_normal *n, double q)
{
    return e->kind == PC_TANGENTIAL_COUPLED && q != 0 ? e->ratio * n->dk * q * q / 2 : 0;
}

/* Energy that letting go of it slowly would give back; in slip q is that of slip_q(). */
static double tangential_stored(const pc_tangential *e, const pc_normal *n, double q)
{
    if (q == 0) return 0;
    bool spring = e->kind == PC_TANGENTIAL_SPRING || e->kind == PC_TANGENTIAL_SPRING_DASHPOT;
    if (e->kind == PC_TANGENTIAL_MINDLIN) return q * q / (2 * e->ratio * n->k);
    return spring ? e->kt * q * q / 2 : pc_tangential_bounds_stretch(e) ? e->ratio * n->k * q * q / 2 : 0;
}

/* In slip towards `sign`: q at the pressure F and the indentation u; and the rate of the stretch when F_n changes at
 * dF, u at w and v_t at dv_t. */
static double slip_q(const pc_tangential *e, int sign, double u, double F, double v_t)
{
    switch (e->kind) {
    case PC_TANGENTIAL_SPRING:
    case PC_TANGENTIAL_SPRING_DASHPOT: return (sign * e->mu * F - e->ct * v_t) / e->kt;
    case PC_TANGENTIAL_MINDLIN: return sign * (e->mu * F);
    case PC_TANGENTIAL_SECANT:
    case PC_TANGENTIAL_COUPLED: return sign * (e->cone * u);
    default: return 0;
    }
}

static double creep(const pc_tangential *e, const pc_normal *n, int sign, double w, double dF, double dv_t)
{
    if (e->mu == 0) return 0;
    switch (e->kind) {
    case PC_TANGENTIAL_SPRING:
    case PC_TANGENTIAL_SPRING_DASHPOT: return (sign * e->mu * dF - e->ct * dv_t) / e->kt;
    case PC_TANGENTIAL_MINDLIN: return sign * (e->mu * dF / (e->ratio * n->k));
    case PC_TANGENTIAL_DASHPOT: return sign * (e->mu * n->F / e->ct);
    case PC_TANGENTIAL_SECANT:
    case PC_TANGENTIAL_COUPLED: return sign * (e->cone * w);
    default: return 0;
    }
}

/* ---- forces and rates ---- */

/* With odd symmetry beyond the parting, so that an integrator may look there. */
static double root_of(const pc_contact *c, double u)
{
    int root = c->p.root;
    if (root == 1) return u;
    return copysign(root == 2 ? sqrt(fabs(u)) : pow(fabs(u), 1.0 / root), u);
}

static pc_indent indent(const pc_contact *c, const pc_contact_values *m)
{
    bool force_alone = m->force_alone || m->lean;
    double y = c->rooted ? m->y : root_of(c, m->u + c->p.neck);
    return (pc_indent){y, m->u, m->w, c->branch, c->memory, force_alone, m->recall};
}

static inline void find_normal(const pc_contact *c, pc_contact_values *m)
{
    if (c->shape) {
        pc_force_normal(c->shape, c->p.root, m->y, m->u, m->w, &m->n);
        if (c->p.pulls) m->n.kink = m->n.F;
        return;
    }
    pc_indent x = indent(c, m);
    c->element->normal(&c->p, &x, &m->n);
    if (c->parting > 0 && m->w < 0) m->n.release -= root_of(c, c->parting);
}

void pc_contact_normal(const pc_contact *c, pc_contact_values *m)
{
    find_normal(c, m);
}

/* At the touch itself nothing has a force yet, or any more; there the slope of the stiffness may have no bound. */
static bool acts(const pc_contact_values *m)
{
    return m->n.k != 0;
}

void pc_contact_forces(const pc_contact *c, pc_contact_values *m)
{
    const pc_tangential *e = &c->p.tangential;
    find_normal(c, m);
    if (pc_contact_has_rings(c)) {
        m->Fn = m->n.F;
        if (!c->rings) return;
        pc_rings_force now;
        pc_rings_press(c->rings, m->u, m->q, m->w, m->v_t, m->Fn, m->n.dFdu * m->w, &now);
        m->Ft = now.Ft;
        m->dFt = now.dFt;
        m->stretching = now.power;
        m->kept = now.stored;
        m->whole = now.slip;
        return;
    }
    if (c->stuck) {
        m->Fn = m->n.F + (acts(m) ? normal_gain(e, &m->n, m->q) : 0);
        if (e->kind != PC_TANGENTIAL_RIGID) m->Ft = tangential_force(e, &m->n, m->q, m->v_t);
        return;
    }
    m->q = 0;
    m->Fn = m->n.F;
    m->Ft = 0;
    if (e->mu == 0) return;
    double F = c->p.pulls ? fmax(m->n.F, 0) : m->n.F; /* what pulls does not rub */
    m->q = slip_q(e, c->sign, m->u, F, m->v_t);
    double extra = normal_gain(e, &m->n, m->q);
    m->Fn += extra;
    m->Ft = -c->sign * (e->mu * (F + extra));
}

/* A Mindlin spring holds no more than friction lets it. What integration leaves beyond that would be a stretch without
 * bound where the stiffness vanishes. */
static double within_cone(const pc_tangential *e, const pc_contact_values *m)
{
    return fmin(fabs(m->q), e->mu * fabs(m->Fn));
}

void pc_contact_remember(const pc_contact *c, const pc_contact_values *m, double *rates)
{
    pc_indent x = indent(c, m);
    c->element->remember(&c->p, &x, rates);
}

static double normal_rate(const pc_contact *c, const pc_contact_values *m, double dw)
{
    if (m->force_alone) return 0;
    bool known = c->shape || !(m->lean || c->p.memory > 0) || !c->element->rate;
    if (known) return m->n.dFdu * m->w + m->n.dFdw * dw;
    pc_indent x = indent(c, m);
    return c->element->rate(&c->p, &x, dw);
}

void pc_contact_rates(const pc_contact *c, pc_contact_values *m, double dw)
{
    const pc_tangential *e = &c->p.tangential;
    m->dFn = normal_rate(c, m, dw);
    m->creep = m->v_t;
    m->slip = 0;
    if (pc_contact_has_rings(c)) {
        m->creep = 0;
        return;
    }
    if (!c->stuck) {
        /* at the touch itself stiffness and force vanish together, and no force does work */
        bool bare = m->Fn == 0 || (c->p.pulls && m->Fn < 0);
        m->creep = bare ? 0 : creep(e, &m->n, c->sign, m->w, m->dFn, m->dv_t);
        m->slip = m->v_t - m->creep;
    } else if (e->kind == PC_TANGENTIAL_RIGID) {
        m->creep = 0;
    }
    bool stretched = m->q != 0 && acts(m);
    if (e->kind == PC_TANGENTIAL_COUPLED && stretched)
        m->dFn += e->ratio * (m->n.ddk * m->w * m->q * m->q / 2 + m->n.dk * m->q * m->creep);
    if (!c->stuck)
        m->dFt = -c->sign * (e->mu * m->dFn);
    else if (e->kind == PC_TANGENTIAL_MINDLIN)
        m->dFt = -e->ratio * m->n.k * m->v_t;
    else if (e->kind == PC_TANGENTIAL_SPRING)
        m->dFt = -e->kt * m->v_t;
    else if (pc_tangential_is_damped(e))
        m->dFt = -e->kt * m->v_t - e->ct * m->dv_t;
    else if (e->kind != PC_TANGENTIAL_RIGID && stretched)
        m->dFt = -e->ratio * (m->n.dk * m->w * m->q + m->n.k * m->v_t);
    else
        m->dFt = 0;
    m->stretching = pc_contact_stretch_follows(c) ? 0 : m->Ft * m->creep;
    if (e->kind != PC_TANGENTIAL_MINDLIN || !stretched) return;
    double stretch = within_cone(e, m) / m->n.k;
    m->stretching = -stretch * stretch * m->n.dk * m->w / (2 * e->ratio);
}

double pc_contact_stored(const pc_contact *c, const pc_contact_values *m)
{
    pc_indent x = indent(c, m);
    return c->element->stored(&c->p, &x) + pc_contact_stored_along(c, m);
}

double pc_contact_stored_along(const pc_contact *c, const pc_contact_values *m)
{
    const pc_tangential *e = &c->p.tangential;
    if (pc_contact_has_rings(c)) return m->kept;
    if (!acts(m)) return 0;
    return tangential_stored(e, &m->n, e->kind == PC_TANGENTIAL_MINDLIN ? within_cone(e, m) : m->q);
}

/* The stretch hardly changes, so what it holds goes with the root of the indentation: by energy the speed is known at
 * any root y, and dt = 2 y dy over that, while F_t goes with y. */
void pc_contact_release_springs(const pc_contact *c, const pc_contact_values *m, const pc_mobility *W,
                                pc_spring_release *out)
{
    static const double place[3] = {0.1127016653792583, 0.5, 0.8872983346207417},
                        weight[3] = {5. / 18, 8. / 18, 5. / 18};
    double held = pc_contact_stored(c, m), v = -m->w, pt = 0, time = 0;
    *out = (pc_spring_release){.duration = v > 0 ? m->u / v : 0};
    if (!(held > 0)) return;
    for (int i = 0; i < 3; i++) {
        double y = place[i], share = weight[i] * 2 * m->u * y / sqrt(v * v + 2 * W->nn * held * (1 - y));
        time += share;
        pt += share * y * m->Ft;
    }
    double speed = v + W->tn * pt, left = held - (m->v_t + W->tt * pt / 2) * pt;
    double sum = speed + sqrt(fmax(speed * speed + 2 * W->nn * left, 0)), pn = sum > 0 ? 2 * left / sum : 0;
    *out =
        (pc_spring_release){.impulse = {pt, pn}, .duration = time, .unbounded = fabs(m->q) > UNSTRETCHED * c->parting};
}

static double cone(const pc_contact *c, const pc_contact_values *m, int sign)
{
    const pc_tangential *e = &c->p.tangential;
    if (pc_tangential_bounds_stretch(e)) return isfinite(e->cone) ? e->cone * m->u - sign * m->q : 1;
    return e->mu * fmax(m->Fn, 0) + sign * m->Ft;
}

double pc_contact_guard(const pc_contact *c, const pc_contact_values *m, int which)
{
    if (!pc_contact_guard_applies(c, which)) return 1;
    switch (which) {
    case PC_GUARD_RELEASE: return m->n.release;
    case PC_GUARD_CONE_UP: return cone(c, m, 1);
    case PC_GUARD_CONE_DOWN: return cone(c, m, -1);
    case PC_GUARD_ARREST: /* where there is no force the rate of a stretch is not known */
        return m->Fn != 0 || c->p.tangential.kind == PC_TANGENTIAL_RIGID ? c->sign * m->slip : 1;
    case PC_GUARD_KINK: return m->n.kink == 1 ? 1 : c->kink_side * m->n.kink;
    case PC_GUARD_TURN: return c->roll * m->turn;
    case PC_GUARD_BRACE_UP: return fmax(m->Fn, 0) + m->hold;
    case PC_GUARD_BRACE_DOWN: return fmax(m->Fn, 0) - m->hold;
    default: return c->branch == 0 ? m->w : c->memory - m->u;
    }
}

void pc_contact_cross(pc_contact *c, const pc_contact_values *m, int which)
{
    if (pc_guard_is_cone(which)) {
        c->stuck = false;
        c->sign = which == PC_GUARD_CONE_UP ? 1 : -1;
    } else if (which == PC_GUARD_BRACE_UP || which == PC_GUARD_BRACE_DOWN) {
        c->roll = which == PC_GUARD_BRACE_UP ? 1 : -1;
    } else if (which == PC_GUARD_KINK) {
        c->kink_side = -c->kink_side;
    } else {
        if (c->branch == 0) c->memory = m->u;
        c->branch = !c->branch;
    }
}

void pc_contact_begin(pc_contact *c, double u, double w, double v_t, double length, double rounding)
{
    const pc_tangential *e = &c->p.tangential;
    c->branch = 0;
    c->memory = 0;
    c->kink_side = 1;
    c->fresh = true;
    c->armed = u > 0;
    c->backward = 0;
    c->parting =
        e->kind == PC_TANGENTIAL_COUPLED && isinf(e->cone) ? fmax(PARTING, cbrt(rounding / length)) * length : 0;
    c->sign = v_t < 0 ? -1 : 1;
    c->stuck = v_t == 0;
    if (e->mu == 0)
        c->stuck = v_t == 0 && e->kind != PC_TANGENTIAL_RIGID;
    else if (e->kind != PC_TANGENTIAL_RIGID && v_t != 0) {
        /* a small touch shows which of the two forces grows faster; a compressed start has an unstretched element */
        pc_indent x = {.u = 1e-12 * length, .w = w};
        x.y = root_of(c, x.u + c->p.neck);
        double recall[PC_MEMORY];
        if (c->p.memory > 0) { /* as far as it has gone by then */
            c->element->remember(&c->p, &x, recall);
            for (int j = 0; j < c->p.memory; j++) recall[j] *= w > 0 ? x.u / w : 0;
            x.recall = recall;
        }
        pc_normal n;
        c->element->normal(&c->p, &x, &n);
        c->stuck = u > 0 || starts_stuck(e, &n, x.u, w, v_t);
    }
    pc_contact_values m = {.u = u, .w = w};
    pc_contact_forces(c, &m);
    if (m.n.kink != 1 && m.n.kink < 0) c->kink_side = -1;
}

/* So few rings, where a contact begins or ends, do not tell stick from slip. */
enum { FEW = 4 };

pc_status pc_contact_open_rings(pc_contact *c, double u, double w, double length, double speed, pc_error *err)
{
    const pc_tangential *e = &c->p.tangential;
    return pc_rings_open(&c->rings, e->mu, e->kt, e->rings, length, speed, u, w, err);
}

bool pc_contact_has_mode(const pc_contact *c)
{
    return c->rings->n >= FEW;
}

pc_status pc_contact_advance_rings(pc_contact *c, const pc_contact_values *m, double *q, pc_error *err)
{
    pc_rings_force now;
    pc_rings_press(c->rings, m->u, m->q, m->w, m->v_t, m->Fn, m->dFn, &now);
    if (now.Ft != 0 && pc_contact_has_mode(c)) {
        c->stuck = now.slip == 0;
        if (now.slip != 0) c->sign = now.slip;
    }
    pc_status status = pc_rings_carry(c->rings, m->u, m->q, m->w, m->Fn, err);
    *q = c->rings->z = c->rings->ring[0].stretch;
    return status;
}

void pc_contact_close_rings(pc_contact *c)
{
    pc_rings_close(c->rings);
    c->rings = NULL;
}

/* An impact lasts about three times as long as its speed needs for its depth (Hertz: 2.943), and takes two steps for
 * each ring, one on the way in and one on the way out. */
static const double STEPS = 1.5;

/* A ring is added when the contact has grown by nearly its width. */
static const double NEARLY = 0.8;

/* Where a contact grows beyond what was expected, so many times the wanted number fill the circle at least: rings
 * become wider in the same measure, and their number grows with the logarithm of the load. */
static const double FINEST = 2;

/* ---- life ---- */

static double width_at(const pc_rings *r, double x)
{
    return fmax(r->width, x / (FINEST * r->wanted));
}

/* One more ring outside the others, reaching to `edge`. */
static pc_status add(pc_rings *r, double depth, double edge, pc_error *err)
{
    if (!PC_GROW(r->ring, r->room, r->n > 0 ? r->n + 1 : r->wanted + 2))
        return pc_fail(err, PC_E_MEMORY, "not enough memory for %d rings", r->n + 1);
    const pc_ring *last = r->n > 0 ? &r->ring[r->n - 1] : &(pc_ring){0};
    double width = edge - last->edge;
    r->ring[r->n++] = (pc_ring){depth, width, 0, edge, last->moment + width * depth};
    return PC_OK;
}

/* How long the next step may be, for chords and for the next ring to be as wide as the others. */
static double next_step(const pc_rings *r, double w)
{
    if (!(w > 0)) return r->time;
    double edge = r->ring[r->n - 1].edge, x = edge + width_at(r, edge) / 2, left = x * x - r->u;
    return left > 0 ? fmin(r->time, left / w) : r->time;
}

pc_status pc_rings_open(pc_rings **out, double mu, double stiffness, int wanted, double depth, double speed, double u,
                        double w, pc_error *err)
{
    pc_rings *r = pc_calloc(1, sizeof *r);
    *out = NULL;
    if (!r) return pc_fail(err, PC_E_MEMORY, "not enough memory for the rings of a contact");
    *r = (pc_rings){.mu = mu, .stiffness = stiffness, .wanted = wanted, .u = u};
    r->width = sqrt(depth) / wanted;
    r->time = STEPS * depth / (speed * wanted);
    double reach = sqrt(fmax(u, 0));
    pc_status status = add(r, 0, r->width / 2, err);
    for (double x = r->width; x <= reach && status == PC_OK; x = r->ring[r->n - 1].edge + width_at(r, x) / 2) {
        double edge = r->ring[r->n - 1].edge;
        status = add(r, x * x, 2 * x - edge, err);
    }
    if (status != PC_OK) {
        pc_rings_close(r);
        return status;
    }
    r->step = next_step(r, w);
    *out = r;
    return PC_OK;
}

pc_rings *pc_rings_new(size_t n)
{
    pc_rings *r = pc_calloc(1, sizeof *r);
    if (!r || !PC_GROW(r->ring, r->room, n)) {
        pc_free(r);
        return NULL;
    }
    memset(r->ring, 0, n * sizeof *r->ring);
    r->n = (int)n;
    return r;
}

void pc_rings_close(pc_rings *r)
{
    if (!r) return;
    pc_free(r->ring);
    pc_free(r);
}

/* ---- within a step ---- */

/* How many rings touch at u. */
static int touching(const pc_rings *r, double u)
{
    int n = r->n;
    while (n > 0 && !(r->ring[n - 1].depth < u)) n--;
    return n;
}

/* B of the rings that touch, and its rate. */
static double bound_of(const pc_rings *r, int n, double u, double w, double Fn, double dFn, double *rate)
{
    const pc_ring *last = &r->ring[n - 1];
    double sum = r->stiffness * (last->edge * u - last->moment), B = r->mu * Fn / sum;
    *rate = (r->mu * dFn - B * r->stiffness * last->edge * w) / sum;
    return B;
}

static double cut(double stretch, double bound)
{
    return stretch > bound ? bound : stretch < -bound ? -bound : stretch;
}

void pc_rings_press(const pc_rings *r, double u, double z, double w, double v_t, double Fn, double dFn,
                    pc_rings_force *out)
{
    int n = touching(r, u), up = 0, down = 0;
    *out = (pc_rings_force){0};
    if (n == 0 || !(Fn > 0)) return;
    double dB, B = bound_of(r, n, u, w, Fn, dFn, &dB), dz = z - r->z;
    double force = 0, rate = 0, power = 0, stored = 0;
    for (int i = 0; i < n; i++) {
        const pc_ring *ring = &r->ring[i];
        double above = u - ring->depth, bound = above * B, trial = ring->stretch + dz;
        double stretch = cut(trial, bound), growth = w * B + above * dB;
        double creep = trial >= bound ? growth : trial <= -bound ? -growth : v_t;
        up += trial >= bound;
        down += trial <= -bound;
        force += ring->width * stretch;
        rate += ring->width * creep;
        power += ring->width * stretch * creep;
        stored += ring->width * stretch * stretch;
    }
    out->Ft = -r->stiffness * force;
    out->dFt = -r->stiffness * rate;
    out->power = -r->stiffness * power;
    out->stored = r->stiffness * stored / 2;
    out->slip = up == n ? 1 : down == n ? -1 : 0;
}

/* ---- between steps ---- */

pc_status pc_rings_carry(pc_rings *r, double u, double z, double w, double Fn, pc_error *err)
{
    int n = touching(r, u);
    double dz = z - r->z, none, B = n > 0 && Fn > 0 ? bound_of(r, n, u, 0, Fn, 0, &none) : 0;
    for (int i = 0; i < n; i++) {
        pc_ring *ring = &r->ring[i];
        ring->stretch = cut(ring->stretch + dz, (u - ring->depth) * B);
    }
    /* the one in the middle stays for as long as the contact does */
    if (n == 0) r->ring[0].stretch = 0;
    r->n = n > 0 ? n : 1;
    r->u = u;
    r->z = z;
    double x = sqrt(fmax(u, 0)), edge = r->ring[r->n - 1].edge;
    pc_status status = PC_OK;
    if (2 * (x - edge) >= NEARLY * width_at(r, x)) status = add(r, u, 2 * x - edge, err);
    r->step = next_step(r, w);
    return status;
}
