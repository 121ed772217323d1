/* Contact laws in Lua: see law.h.
 *
 * What a law remembers the state of the motion holds, in units in which it is about 1 in an impact: those of the
 * greatest that it comes to on the way to the depth of the impact at the speed of its beginning.
 *
 * A kind of law is a descriptor like those of C, in a userdata: rows, schema and law made from what define was given.
 * Its functions run in a coroutine of the kind, which is never resumed: so they can be called wherever a force is
 * asked for, and cannot yield. They get their parameters as a table, which is filled again only where those of another
 * law of the kind are asked for; a call makes nothing.
 *
 * Indentation, rate and force go through the functions in SI, while the element works in scaled units. Beyond the
 * parting the force goes on with odd symmetry. Slopes that a function does not tell are central differences: of the
 * whole force along the motion where a rate is wanted, which is what guards and crests ask for.
 */
#include "base/status.h"
#include "bind/core/bind.h"
#include "bind/law/law.h"
#include "engine/element_impact.h"
#include "law/rigid/rigid.h"
#include "law/series.h"
#include "law/rigid/impulse_spatial.h"
#include "math/linsolve.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ROWS = 48 };

/* Stack of the coroutine. */
enum { FORCE = 1, ENERGY, RATES, PARAMETERS, W_PLANE, V_PLANE, W_SPACE, V_SPACE, FIXED = V_SPACE };

typedef struct kind {
    pc_law law; /* first: a pc_law of these is its kind */
    pc_schema schema;
    pc_row rows[MOST_ROWS];
    lua_State *L; /* the coroutine */
    pc_callback force, energy, rates;
    int states;  /* variables that it remembers */
    bool filled; /* PARAMETERS has what is in `last` */
    void *last;  /* schema.size bytes */
    bool rigid, tension, may_gain, has_energy, friction;
    int tangential; /* the word that is meant where none is given */
} kind;

/* Parameters of a law of a kind; its own numbers follow. */
typedef struct parameters {
    const kind *kind;
    pc_tangential_choice tangential; /* compliant */
    pc_coulomb coulomb;              /* rigid */
    double number[];
} parameters;

/* Scaled constants of the element: units, the size of steps for differences, what the force starts with, and the force
 * over that where the impact is deep; of a sum of powers its coefficients, and what powers of the root they are of. */
enum { LENGTH, VELOCITY, PER_FORCE, SPEED, EXPONENT, TIME, HARDNESS, ELASTIC, ELASTIC_POWER, DAMPING, DAMPING_POWER };

/* ---- calls ---- */

/* Values of the functions as they were before the first failure. */
static void reset(kind *k)
{
    lua_settop(k->L, FIXED);
    pc_callback_open(k->L, FORCE, k->rigid ? "impulse" : "force", &k->force);
    if (k->has_energy) pc_callback_open(k->L, ENERGY, "energy", &k->energy);
    if (k->states > 0) pc_callback_open(k->L, RATES, "rates", &k->rates);
}

static void fill(kind *k, const parameters *p)
{
    if (k->filled && memcmp(k->last, p, k->schema.size) == 0) return;
    memcpy(k->last, p, k->schema.size);
    k->filled = true;
    for (int i = 0; i < k->schema.n_rows; i++) {
        const pc_row *row = &k->rows[i];
        if (row->kind != PC_REAL) continue;
        lua_pushnumber(k->L, pc_row_number(row, p));
        if (row->symbol) {
            lua_pushvalue(k->L, -1);
            lua_setfield(k->L, PARAMETERS, row->symbol);
        }
        lua_setfield(k->L, PARAMETERS, row->name);
    }
}

/* A call of a function failed: by what it threw, or by Ctrl-C, which is no matter of the function. */
static void keep_thrown(const pc_callback *c)
{
    if (c->failed) pc_failure_keep(c->L, c->error, PC_FAILURE_THROWN);
}

/* A result that cannot be used, with the state it was asked at. */
static void refuse_result(kind *k, const char *what, double u, double w)
{
    char text[256];
    snprintf(text, sizeof text, "%s: %s at u = %.10g m, w = %.10g m/s", k->schema.name, what, u, w);
    lua_pushstring(k->L, text);
    pc_failure_keep(k->L, -1, PC_FAILURE_TOLD);
    lua_pop(k->L, 1);
}

static bool has_failed(const kind *k)
{
    return k->force.failed || k->energy.failed || k->rates.failed;
}

/* A call of a function of u, w and what is remembered, which leaves n results; false: there are none. */
static bool call(kind *k, const parameters *p, pc_callback *c, double u, double w, const double *x, int n)
{
    if (has_failed(k)) return false;
    fill(k, p);
    lua_State *L = k->L;
    lua_pushvalue(L, c->function);
    lua_pushvalue(L, PARAMETERS);
    lua_pushnumber(L, u);
    lua_pushnumber(L, w);
    for (int i = 0; i < k->states; i++) lua_pushnumber(L, x[i]);
    lua_State *before = pc_interrupt_enter(L);
    pc_status status = pc_callback_run(c, 3 + k->states, n, NULL);
    pc_interrupt_enter(before);
    if (status != PC_OK) keep_thrown(c);
    return status == PC_OK;
}

/* F, N, and the slopes that the function tells, else NaN. False if there is none: all are NaN. x: what it remembers. */
static bool ask(kind *k, const parameters *p, double u, double w, const double *x, double out[3])
{
    lua_State *L = k->L;
    for (int i = 0; i < 3; i++) out[i] = NAN;
    if (!call(k, p, &k->force, u, w, x, 3)) return false;
    int number;
    out[0] = lua_tonumberx(L, -3, &number);
    for (int i = 1; i < 3; i++)
        if (lua_type(L, i - 3) == LUA_TNUMBER) out[i] = lua_tonumber(L, i - 3);
    if (number && isfinite(out[0])) {
        lua_pop(L, 3);
        return true;
    }
    char what[96];
    if (number)
        snprintf(what, sizeof what, "force returned %s", isnan(out[0]) ? "not a number" : "an infinite number");
    else
        snprintf(what, sizeof what, "force must return a number (N), not %s,", luaL_typename(L, -3));
    lua_pop(L, 3);
    refuse_result(k, what, u, w);
    out[0] = NAN;
    return false;
}

static double force_at(kind *k, const parameters *p, double u, double w, const double *x)
{
    double out[3];
    ask(k, p, u, w, x, out);
    return out[0];
}

/* Rates of what it remembers; false if there are none: all are NaN. */
static bool ask_rates(kind *k, const parameters *p, double u, double w, const double *x, double *out)
{
    for (int i = 0; i < k->states; i++) out[i] = NAN;
    if (!call(k, p, &k->rates, u, w, x, k->states)) return false;
    bool good = true;
    for (int i = 0; i < k->states && good; i++) {
        int number;
        out[i] = lua_tonumberx(k->L, i - k->states, &number);
        good = number && isfinite(out[i]);
        if (good) continue;
        char what[96];
        snprintf(what, sizeof what, "rates must return %d finite number%s, but number %d is %s,", k->states,
                 k->states == 1 ? "" : "s", i + 1,
                 !number         ? luaL_typename(k->L, i - k->states)
                 : isnan(out[i]) ? "not a number"
                                 : "infinite");
        refuse_result(k, what, u, w);
    }
    lua_pop(k->L, k->states);
    return good;
}

/* ---- compliant laws ---- */

static kind *kind_of(const parameters *p)
{
    return (kind *)(uintptr_t)p->kind; /* the kind's coroutine is scratch */
}

/* Steps of central differences: their errors, the square of this and rounding over it, are least there. */
static double step_of(double size)
{
    return cbrt(DBL_EPSILON) * size;
}

/* Steps from the touch to a depth. */
enum { DRIVE = 16 };

/* The force at a depth that is reached at a constant speed, from nothing that is remembered; and of what is then the
 * greatest of each, if it is asked for. By implicit Euler's method without iterations: a size is what is wanted, of
 * variables however stiff. */
static double drive(kind *k, const parameters *p, double u, double speed, double *greatest)
{
    const int n = k->states;
    double x[PC_MEMORY] = {0}, rate[PC_MEMORY], moved[PC_MEMORY], A[PC_MEMORY * PC_MEMORY], h = u / speed / DRIVE;
    int pivots[PC_MEMORY];
    for (int i = 0; greatest && i < n; i++) greatest[i] = 0;
    for (int step = 1; step <= DRIVE; step++) {
        double depth = u * step / DRIVE;
        if (!ask_rates(k, p, depth, speed, x, rate)) return NAN;
        for (int j = 0; j < n; j++) {
            double kept = x[j], by = sqrt(DBL_EPSILON) * fmax(fabs(kept), h * fabs(rate[j]));
            x[j] += by > 0 ? by : DBL_EPSILON;
            if (!ask_rates(k, p, depth, speed, x, moved)) return NAN;
            for (int i = 0; i < n; i++) A[i * n + j] = (i == j) - h * (moved[i] - rate[i]) / (x[j] - kept);
            x[j] = kept;
        }
        if (!pc_lu_factor(A, n, pivots)) {
            refuse_result(k, "rates have no finite derivatives by what they are rates of", depth, speed);
            return NAN;
        }
        pc_lu_solve(A, n, pivots, rate);
        for (int i = 0; i < n; i++) {
            x[i] += h * rate[i];
            if (greatest) greatest[i] = fmax(greatest[i], fabs(x[i]));
        }
    }
    return force_at(k, p, u, speed, x);
}

/* Where the force at rest, or the damper, takes up the energy of the impact: by Hertz's power law through the force
 * found last, and between two such places by halves. About is enough. */
static double length(const void *params, double mass, double speed)
{
    const parameters *p = params;
    kind *k = kind_of(p);
    if (pc_interrupted()) return NAN;
    if (has_failed(k)) reset(k);
    pc_failure_clear(k->L);
    double energy = mass * speed * speed, u = 1e-5, shallow = 0, deep = INFINITY;
    for (int i = 0; i < 100 && u > 1e-60 && u < 1e60; i++) {
        double F = k->states > 0 ? drive(k, p, u, speed, NULL) : force_at(k, p, u, 0, NULL);
        if (isnan(F)) return NAN;
        if (!(F > 0) && k->states == 0) F = force_at(k, p, u, speed, NULL);
        double ratio = F > 0 ? energy / (F * u) : 1e8; /* too shallow for a force */
        if (ratio > 0.25 && ratio < 4) return u * pow(ratio, 0.4);
        *(ratio > 1 ? &shallow : &deep) = u;
        if (deep < INFINITY && shallow > 0)
            u = sqrt(shallow) * sqrt(deep);
        else
            u *= fmin(fmax(pow(ratio, 0.4), 1e-4), 1e4);
    }
    char what[128];
    snprintf(what, sizeof what, "no force up to there that would stop %.6g kg at %.6g m/s;", mass, speed);
    refuse_result(k, what, u, 0);
    return NAN;
}

static void prepare(const void *params, const pc_scales *s, double mass, double speed, pc_prepared *out)
{
    const parameters *p = params;
    kind *k = kind_of(p);
    out->params = params;
    out->pulls = k->tension;
    out->root = 2;
    out->c[LENGTH] = s->length;
    out->c[VELOCITY] = s->velocity;
    out->c[PER_FORCE] = s->length / (s->mass * s->velocity * s->velocity);
    out->c[SPEED] = speed;
    double u = length(params, mass, speed), deep, near, nearer;
    out->memory = k->states;
    if (k->states > 0) {
        deep = drive(k, p, u, speed, out->memory_unit);
        near = drive(k, p, 1e-3 * u, speed, NULL), nearer = drive(k, p, 5e-4 * u, speed, NULL);
        for (int i = 0; i < k->states; i++)
            if (!(out->memory_unit[i] > 0 && isfinite(out->memory_unit[i]))) out->memory_unit[i] = 1;
    } else {
        deep = force_at(k, p, u, 0, NULL);
        near = force_at(k, p, 1e-3 * u, 0, NULL), nearer = force_at(k, p, 5e-4 * u, 0, NULL);
    }
    out->c[TIME] = u / speed * s->velocity / s->length;
    double exponent = near > 0 && nearer > 0 ? log2(near / nearer) : 1;
    out->c[EXPONENT] = fmin(fmax(exponent, 0), 10);
    out->c[HARDNESS] = deep * out->c[PER_FORCE] / pow(u / s->length, out->c[EXPONENT]);
    pc_tangential_choice choice = p->tangential;
    /* the spring of a full stick of spheres of one material, nu = 0.3: Mindlin's ratio 2 (1 - nu)/(2 - nu) */
    if (choice.kind == PC_TANGENTIAL_SPRING && isnan(choice.kt)) choice.kt = 14.0 / 17 * deep / u;
    out->tangential = pc_tangential_prepare(&choice, s);
}

/* Mindlin's element builds on the elastic stiffness, dF/du at w = 0, and its slopes. */
static void find_stiffness(kind *k, const parameters *p, const pc_prepared *at, double u, pc_normal *out)
{
    double h = 1e-3 * u, f[5], scale = at->c[PER_FORCE] * at->c[LENGTH];
    for (int i = 0; i < 5; i++) f[i] = force_at(k, p, u + (i - 2) * h, 0, NULL);
    out->k = scale * (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h);
    out->dk = scale * at->c[LENGTH] * (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h);
    out->ddk = 0; /* of the coupled element alone */
}

/* What is remembered, in the units of the function. */
static const double *recall(const pc_prepared *at, const pc_indent *x, double out[PC_MEMORY])
{
    for (int i = 0; i < at->memory; i++) out[i] = x->recall ? x->recall[i] * at->memory_unit[i] : 0;
    return out;
}

static void remember(const pc_prepared *at, const pc_indent *x, double *rates)
{
    const parameters *p = at->params;
    double known[PC_MEMORY];
    ask_rates(kind_of(p), p, fabs(x->u) * at->c[LENGTH], x->w * at->c[VELOCITY], recall(at, x, known), rates);
    for (int i = 0; i < at->memory; i++) rates[i] *= at->c[LENGTH] / at->c[VELOCITY] / at->memory_unit[i];
}

static int memory(const void *params)
{
    return ((const parameters *)params)->kind->states;
}

/* By central differences along the motion, as far as a millionth of the time that the impact takes. */
static double rate(const pc_prepared *at, const pc_indent *x, double dw)
{
    const parameters *p = at->params;
    kind *k = kind_of(p);
    double h = step_of(at->c[TIME]), F[2], known[PC_MEMORY], rates[PC_MEMORY];
    if (at->memory > 0) remember(at, x, rates);
    for (int i = 0; i < 2; i++) {
        double t = i ? h : -h, u = x->u + x->w * t;
        recall(at, x, known);
        for (int j = 0; j < at->memory; j++) known[j] += t * rates[j] * at->memory_unit[j];
        F[i] = force_at(k, p, fabs(u) * at->c[LENGTH], (x->w + dw * t) * at->c[VELOCITY], known);
        if (u < 0) F[i] = -F[i];
    }
    return (F[1] - F[0]) / (2 * h) * at->c[PER_FORCE];
}

/* u to the power that the force starts with; of whole powers of its root y, which most are, by products. */
static double start_of(const pc_prepared *at, const pc_indent *x)
{
    double power = at->root * at->c[EXPONENT], whole = round(power), product = 1, y = fabs(x->y);
    if (fabs(power - whole) > 1e-3) return pow(fabs(x->u), at->c[EXPONENT]);
    for (int i = 0; i < (int)whole; i++) product *= y;
    return product;
}

static void normal(const pc_prepared *at, const pc_indent *x, pc_normal *out)
{
    const parameters *p = at->params;
    kind *k = kind_of(p);
    double side = x->y < 0 ? -1 : 1, u = fabs(x->u) * at->c[LENGTH], w = x->w * at->c[VELOCITY], f[3];
    double scale = at->c[PER_FORCE], known[PC_MEMORY];
    ask(k, p, u, w, recall(at, x, known), f);
    *out = (pc_normal){.F = side * f[0] * scale, .k = 1, .kink = 1};
    if (at->pulls)
        out->kink = out->F; /* friction ends there */
    else if (f[0] < 0 && w > 0 && x->y > 0)
        refuse_result(k, "force pulls (tension = true allows that) while the bodies approach,", u, w);
    /* over the power of u that it starts with, so that it has a slope where it ends */
    double start = start_of(at, x);
    out->release = at->pulls || start == 0 ? x->y : out->F * fabs(x->y) / start;
    /* what is remembered does not know where u = 0, which then ends the contact by itself */
    if (at->memory > 0 && !at->pulls) out->release = x->y > 0 ? fmin(x->y, out->release / at->c[HARDNESS]) : x->y;
    if (x->force_alone && at->tangential.kind != PC_TANGENTIAL_MINDLIN) return;
    double hu = step_of(u), hw = step_of(fmax(fabs(w), at->c[SPEED]));
    if (isnan(f[1]))
        f[1] = u > 0 ? (force_at(k, p, u + hu, w, known) - force_at(k, p, u - hu, w, known)) / (2 * hu) : 0;
    if (isnan(f[2])) f[2] = (force_at(k, p, u, w + hw, known) - force_at(k, p, u, w - hw, known)) / (2 * hw);
    out->dFdu = f[1] * scale * at->c[LENGTH];
    out->dFdw = side * f[2] * scale * at->c[VELOCITY];
    if (at->tangential.kind == PC_TANGENTIAL_MINDLIN && u > 0) find_stiffness(k, p, at, u, out);
}

/* In SI the slope may be left to a function; without it the normal work counts as lost. */
static double stored(const pc_prepared *at, const pc_indent *x)
{
    const parameters *p = at->params;
    kind *k = kind_of(p);
    if (!k->has_energy || has_failed(k)) return 0;
    fill(k, p);
    lua_State *L = k->L;
    lua_pushvalue(L, PARAMETERS);
    lua_pushnumber(L, fabs(x->u) * at->c[LENGTH]);
    double known[PC_MEMORY];
    recall(at, x, known);
    for (int i = 0; i < k->states; i++) lua_pushnumber(L, known[i]);
    lua_State *before = pc_interrupt_enter(L);
    pc_status status = pc_callback_call(&k->energy, 2 + k->states, 1, NULL);
    pc_interrupt_enter(before);
    if (status != PC_OK) {
        keep_thrown(&k->energy);
        return NAN;
    }
    double energy = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return energy * at->c[PER_FORCE] / at->c[LENGTH];
}

/* ---- power laws ----
 *
 * Many functions are F = c u^p + d u^q w, whose impacts follow by power series as those of the laws in C do. Whether
 * this one is, its values tell: powers and coefficients are found from some of them, and the impact is made by the
 * series, each step of which holds only if the function itself has these forces at its places (`agrees`). Where one
 * does not, it is integrated from there on. All is found for each impact anew: so it depends on nothing else. */

/* How near to whole a power of the root has to be found, and how exactly the function is to be what was found. Powers
 * of indentations are exact to some roundings, and so are the coefficients. */
static const double WHOLE = 1e-6, SAME = 1e-13;

/* Deepest root of u that is tried, as for power laws in C. */
enum { DEEPEST = 6 };

typedef struct power_law {
    double c, d, p, q;
    int root;
} power_law;

static double value_of(const power_law *f, double u, double w)
{
    return f->c * pow(u, f->p) + f->d * pow(u, f->q) * w;
}

/* The function at a place of its own, beside what was found. */
static bool is_value(kind *k, const parameters *p, const power_law *f, double u, double w)
{
    double size = f->c * pow(u, f->p) + f->d * pow(u, f->q) * fabs(w);
    return fabs(force_at(k, p, u, w, NULL) - value_of(f, u, w)) <= SAME * size;
}

/* The least root in which both powers are whole. */
static bool find_root(power_law *f)
{
    for (int n = 1; n <= DEEPEST; n++) {
        double e = round(n * f->p), d = round(n * f->q);
        if (fabs(n * f->p - e) > WHOLE || fabs(n * f->q - d) > WHOLE) continue;
        if (e < n || d < 0 || fmax(e, d) + n - 1 > PC_SERIES_POWER) return false;
        *f = (power_law){.p = e / n, .q = d / n, .root = n};
        return true;
    }
    return false;
}

/* What is found from values at the depth of an impact, at a 16th of it, and where damper and spring are alike: there
 * the small one is known as well as the great one. */
static bool find_power_law(kind *k, const parameters *p, double u, double speed, power_law *f)
{
    const double near = u / 16;
    double spring = force_at(k, p, u, 0, NULL), there = force_at(k, p, near, 0, NULL);
    if (!(spring > 0 && there > 0)) return false;
    double damper = force_at(k, p, u, speed, NULL) - spring, beside = force_at(k, p, near, speed, NULL) - there;
    bool damped = damper != 0 || beside != 0;
    if (damped && !(damper > 0 && beside > 0)) return false;
    f->p = log2(spring / there) / 4;
    f->q = damped ? log2(damper / beside) / 4 : f->p;
    if (!find_root(f)) return false;
    f->c = spring / pow(u, f->p);
    f->d = 0;
    double alike = u;
    if (damped && f->q < f->p && damper < spring) {
        alike = fmax(u * pow(damper / spring, 1 / (f->p - f->q)), 1e-6 * u);
        damper = force_at(k, p, alike, speed, NULL) - force_at(k, p, alike, 0, NULL);
    }
    if (damped) f->d = damper / (speed * pow(alike, f->q));
    if (!(f->d >= 0)) return false;
    double out = f->c * pow(u / 3, f->p - f->q) / f->d; /* at this speed the force is 0 */
    return is_value(k, p, f, u / 3, speed / 3) && is_value(k, p, f, u / 3, -fmin(speed, out) / 2);
}

/* An only contact of an impact. What fails at places that the impact may never come to says nothing. */
static pc_status suit(const void *params, const pc_mobility *W, pc_prepared *at, pc_error *err)
{
    (void)W, (void)err;
    const parameters *p = params;
    kind *k = kind_of(p);
    if (k->states > 0 || has_failed(k) || pc_failure_waits(k->L)) return PC_OK;
    double speed = at->c[SPEED], depth = at->c[TIME] * speed * at->c[LENGTH] / at->c[VELOCITY];
    power_law f;
    bool found = find_power_law(k, p, depth, speed, &f);
    if (!pc_interrupted() && (has_failed(k) || pc_failure_waits(k->L))) {
        reset(k);
        pc_failure_clear(k->L);
        return PC_OK;
    }
    /* a spring in slip goes on from the slope of the damper over that of the force */
    if (at->tangential.kind == PC_TANGENTIAL_MINDLIN && f.d > 0 && f.q < f.p) found = false;
    if (!found) return PC_OK;
    at->root = f.root;
    at->has_shape = true;
    at->c[ELASTIC] = f.c * pow(at->c[LENGTH], f.p) * at->c[PER_FORCE];
    at->c[ELASTIC_POWER] = f.root * f.p;
    at->c[DAMPING] = f.d * pow(at->c[LENGTH], f.q) * at->c[VELOCITY] * at->c[PER_FORCE];
    at->c[DAMPING_POWER] = f.root * f.q;
    return PC_OK;
}

static void shape(const pc_prepared *at, const pc_indent *x, bool beyond, pc_force *out)
{
    (void)x, (void)beyond;
    int e = (int)lround(at->c[ELASTIC_POWER]), d = (int)lround(at->c[DAMPING_POWER]);
    *out = pc_force_elastic(at->c[ELASTIC], e, at->root);
    out->damping = at->c[DAMPING];
    out->damping_power = d;
    out->ends_by_force = out->damping > 0 && d < e && !at->pulls;
}

static bool agrees(const pc_prepared *at, const pc_indent *x, double F)
{
    const parameters *p = at->params;
    double f = force_at(kind_of(p), p, x->u * at->c[LENGTH], x->w * at->c[VELOCITY], NULL) * at->c[PER_FORCE];
    double elastic = at->c[ELASTIC] * pow(x->y, at->c[ELASTIC_POWER]);
    return fabs(f - F) <= SAME * (elastic + fabs(F - elastic));
}

static const pc_element element = {.length = length,
                                   .suit = suit,
                                   .prepare = prepare,
                                   .normal = normal,
                                   .rate = rate,
                                   .remember = remember,
                                   .memory = memory,
                                   .stored = stored,
                                   .shape = shape,
                                   .agrees = agrees};

/* Shares of the energy of an impact: what errors of integration may seem to give. */
static const double GAIN = 1e-8;

/* A text for pc_raise, where no function has left its own. */
static pc_status fail_call(const kind *k, pc_error *err)
{
    return pc_fail(err, PC_E_CALLBACK, "%s: a function failed", k->schema.name);
}

static pc_status compliant_impact(const void *params, const pc_mobility *W, const double v0[3], pc_asked asked,
                                  pc_impact *out, pc_error *err)
{
    kind *k = kind_of(params);
    pc_status status = pc_element_impact(&element, params, W, v0, asked, out, err);
    if (status == PC_E_INTERRUPTED) return status;
    if (pc_failure_waits(k->L)) status = fail_call(k, err);
    if (status != PC_OK || k->may_gain || out->outcome != PC_OUTCOME_REBOUND) return status;
    double gain = out->work_n;
    if (gain <= GAIN * out->energy0) return PC_OK;
    return pc_fail(
        err, PC_E_CALLBACK,
        "%s: the normal force gave %.6g J to an impact of %.6g J with v_n = %.6g m/s (may_gain = true allows "
        "that)",
        k->schema.name, gain, out->energy0, v0[PC_N]);
}

/* ---- rigid laws ---- */

static void set_entry(lua_State *L, int table, int i, double value)
{
    lua_pushnumber(L, value);
    lua_rawseti(L, table, i);
}

/* A velocity of d components, t, n and t2. */
static const char *text_of_v(char *text, size_t size, const double v[3], int d)
{
    int n = snprintf(text, size, "{ %.6g, %.6g", v[PC_T], v[PC_N]);
    if (d == 3) n += snprintf(text + n, size - (size_t)n, ", %.6g", v[PC_T2]);
    snprintf(text + n, size - (size_t)n, " }");
    return text;
}

static pc_status refuse_impulse(const kind *k, int d, const double v0[3], const double p[3], const char *why,
                                pc_error *err)
{
    char more[40] = "", v[80];
    if (d == 3) snprintf(more, sizeof more, ", p_t2 = %.6g", p[PC_T2]);
    return pc_fail(err, PC_E_ARGUMENT, "%s: impulse returned p_t = %.6g, p_n = %.6g%s N s for v = %s m/s: %s",
                   k->schema.name, p[PC_T], p[PC_N], more, text_of_v(v, sizeof v, v0, d), why);
}

/* p_t, p_n and, with d = 3, p_t2. */
static pc_status ask_impulse(kind *k, const parameters *p, const pc_mobility *W, int d, const double v0[3],
                             double out[3], pc_error *err)
{
    lua_State *L = k->L;
    if (has_failed(k)) reset(k);
    pc_failure_clear(L);
    fill(k, p);
    const double w[3][3] = {{W->tt, W->tn, W->tt2}, {W->tn, W->nn, W->t2n}, {W->tt2, W->t2n, W->t2t2}};
    const int of_w = d == 3 ? W_SPACE : W_PLANE, of_v = d == 3 ? V_SPACE : V_PLANE;
    for (int i = 0; i < d; i++) {
        lua_rawgeti(L, of_w, i + 1);
        for (int j = 0; j < d; j++) set_entry(L, lua_gettop(L), j + 1, w[i][j]);
        lua_pop(L, 1);
        set_entry(L, of_v, i + 1, v0[i]);
    }
    lua_pushvalue(L, PARAMETERS);
    lua_pushvalue(L, of_w);
    lua_pushvalue(L, of_v);
    lua_State *before = pc_interrupt_enter(L);
    pc_status status = pc_callback_call(&k->force, 3, d, err);
    pc_interrupt_enter(before);
    if (status != PC_OK) {
        keep_thrown(&k->force);
        return status;
    }
    static const char *const ordinals[] = {"first", "second", "third"};
    for (int i = 0; i < d; i++) {
        int number;
        out[i] = lua_tonumberx(L, i - d, &number);
        if (number && isfinite(out[i])) continue;
        const char *got = number ? (isnan(out[i]) ? "not a number" : "infinite") : luaL_typename(L, i - d);
        char v[80];
        pc_fail(err, PC_E_ARGUMENT, "%s: impulse must return the numbers %s (N s)%s, but the %s is %s; v = %s m/s",
                k->schema.name, d == 3 ? "p_t, p_n and p_t2" : "p_t and p_n",
                d == 3 ? " of an impact that leaves the plane" : "", ordinals[i], got, text_of_v(v, sizeof v, v0, d));
        lua_pop(L, d);
        return PC_E_ARGUMENT;
    }
    lua_pop(L, d);
    return PC_OK;
}

/* What a rigid contact keeps: no pull, no approach afterwards, the cone, and energy unless it may be gained. Roundings
 * of the functions are given 1e-12. */
static pc_status check_impulse(const kind *k, const parameters *p, const pc_mobility *W, int d, const double v0[3],
                               const double out[3], pc_error *err)
{
    const double rounding = 1e-12;
    double v_n = v0[PC_N] + W->tn * out[0] + W->nn * out[1] + W->t2n * out[2], mu = p->coulomb.static_friction;
    double size = fabs(v0[PC_N]) + fabs(W->tn * out[0]) + W->nn * fabs(out[1]) + fabs(W->t2n * out[2]);
    const char *wrong = NULL;
    char text[96];
    if (!(out[1] > 0))
        wrong = "p_n must be positive: the obstacle cannot pull";
    else if (v_n < -rounding * size) {
        snprintf(text, sizeof text, "the bodies still approach afterwards, v_n = %.6g m/s", v_n);
        wrong = text;
    } else if (hypot(out[0], out[2]) > mu * out[1] * (1 + rounding)) {
        snprintf(text, sizeof text, "|p_t| is beyond friction times p_n, %.6g N s", mu * out[1]);
        wrong = text;
    }
    if (!wrong) return PC_OK;
    return refuse_impulse(k, d, v0, out, wrong, err);
}

static pc_status rigid_impact(const void *params, const pc_mobility *W, const double v0[3], pc_asked asked,
                              pc_impact *out, pc_error *err)
{
    (void)asked;
    const parameters *p = params;
    kind *k = kind_of(p);
    double impulse[3] = {0};
    pc_mobility used = *W;
    const int d = v0[PC_T2] == 0 && pc_mobility_planar(W, &used) ? 2 : 3;
    if (v0[PC_N] >= 0) {
        for (int i = 0; i < 3; i++) out->v0[i] = out->v1[i] = v0[i];
        out->outcome = PC_OUTCOME_NONE;
        return PC_OK;
    }
    pc_status status = ask_impulse(k, p, &used, d, v0, impulse, err);
    if (!status) status = check_impulse(k, p, &used, d, v0, impulse, err);
    if (!status) status = pc_impulse_direct(&used, v0, impulse, out, err);
    if (status || k->may_gain || !(out->flags & PC_FLAG_GAINED_ENERGY)) return status;
    char wrong[128];
    snprintf(wrong, sizeof wrong, "the energy grows from %.6g to %.6g J (may_gain = true allows that)", out->energy0,
             out->energy1);
    return refuse_impulse(k, d, v0, impulse, wrong, err);
}

/* ---- friction and rolling ---- */

static void compliant_friction(const void *params, pc_coulomb *out)
{
    double mu = ((const parameters *)params)->tangential.mu;
    *out = (pc_coulomb){mu, mu};
}

static void compliant_turning(const void *params, pc_turning_resistance *out)
{
    *out = (pc_turning_resistance){.rolling = ((const parameters *)params)->tangential.rolling};
}

static void rigid_friction(const void *params, pc_coulomb *out)
{
    *out = ((const parameters *)params)->coulomb;
}

/* ---- making a kind ---- */

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    parameters *p = object;
    const kind *k = (const void *)((const char *)schema - offsetof(kind, schema));
    p->kind = k;
    pc_tangential_choice *t = &p->tangential;
    if (k->rigid) {
        pc_coulomb *c = &p->coulomb;
        if (!k->friction)
            *c = (pc_coulomb){0, INFINITY};
        else if (!pc_schema_given(schema, given, "static_friction"))
            c->static_friction = c->friction;
        if (c->static_friction >= c->friction) return PC_OK;
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: static_friction (mu_s) = %.10g; it must not be below friction (mu) = %.10g", schema->name,
                       c->static_friction, c->friction);
    }
    if (k->states > 0 && t->kind == PC_TANGENTIAL_MINDLIN)
        return pc_fail(
            err, PC_E_UNSUPPORTED,
            "%s: tangential = \"mindlin\" follows an elastic stiffness, which a law with memory does not tell; "
            "take \"spring\"",
            schema->name);
    /* the one the law was defined with finds its own stiffness */
    bool own = t->kind == k->tangential && !pc_schema_given(schema, given, "tangential_stiffness") &&
               t->kind == PC_TANGENTIAL_SPRING;
    return own ? PC_OK : pc_tangential_validate(schema, t, err);
}

static int make_law(lua_State *L)
{
    kind *k = lua_touserdata(L, lua_upvalueindex(1));
    lua_settop(L, 1);
    if (lua_istable(L, 1) && lua_getfield(L, 1, "identity") == LUA_TSTRING) {
        /* made again from a file, which says which functions it was written with */
        pc_scripted_push_identity(L, &k->law);
        if (!lua_rawequal(L, -1, -2)) {
            pc_error err = {0};
            pc_fail(&err, PC_E_UNSUPPORTED, "%s was saved with other functions than those it has now", k->schema.name);
            pc_error_push(L, &err);
            return lua_error(L);
        }
        lua_pushnil(L);
        lua_setfield(L, 1, "identity");
    }
    lua_settop(L, 1);
    pc_bound_law *self = pc_law_push(L, &k->law);
    self->given = pc_options_read(L, 1, &k->schema, self->params);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_setiuservalue(L, -2, PC_LAW_KIND);
    return 1;
}

static const pc_row compliant_rows[] = {PC_TANGENTIAL_ROWS(parameters)};
static const pc_row rigid_rows[] = {
    PC_ROW(parameters, coulomb.friction, "friction", .symbol = "mu", .greek = "μ", .initial = PC_REQUIRED,
           .allowed = PC_NONNEGATIVE, .sample = {0, 2}, .doc = "coefficient of friction while slipping"),
    PC_ROW(parameters, coulomb.static_friction, "static_friction", .symbol = "mu_s", .greek = "μ_s",
           .initial = PC_ABSENT, .allowed = PC_NONNEGATIVE,
           .doc = "coefficient of friction while sticking, not below friction; the same if not given"),
};

/* A string of the table at `index`, kept alive by the kind; NULL if it is not there. */
static const char *text_of(lua_State *L, int index, const char *name, int keep)
{
    const char *text = NULL;
    if (lua_getfield(L, index, name) == LUA_TSTRING) {
        text = lua_tostring(L, -1);
        lua_pushvalue(L, -1);
        lua_pushboolean(L, 1);
        lua_rawset(L, keep);
    }
    lua_pop(L, 1);
    return text;
}

static double number_of(lua_State *L, int index, const char *name, double otherwise)
{
    double x = lua_getfield(L, index, name) == LUA_TNUMBER ? lua_tonumber(L, -1) : otherwise;
    lua_pop(L, 1);
    return x;
}

static bool flag_of(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    bool set = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return set;
}

/* The row of the table on top of the stack. */
static void read_row(lua_State *L, kind *k, int i, int keep)
{
    int row = lua_gettop(L);
    pc_row *r = &k->rows[i];
    *r = (pc_row){.kind = PC_REAL,
                  .offset = offsetof(parameters, number) + (size_t)i * sizeof(double),
                  .name = text_of(L, row, "name", keep),
                  .symbol = text_of(L, row, "symbol", keep),
                  .greek = text_of(L, row, "greek", keep),
                  .doc = text_of(L, row, "doc", keep),
                  .initial = number_of(L, row, "default", PC_REQUIRED)};
    const char *unit = text_of(L, row, "unit", keep);
    if (unit && !pc_unit_parse(unit, &r->unit))
        pc_refuse(L, "%s: '%s' is no unit of parameter %s; write it as \"N/m^1.5\", \"kg m^2\" or \"1/s\"",
                  k->schema.name, unit, r->name);
    double above = number_of(L, row, "above", -INFINITY), below = number_of(L, row, "below", INFINITY);
    double least = number_of(L, row, "least", -INFINITY), most = number_of(L, row, "most", INFINITY);
    r->allowed = (pc_range){fmax(above, least), fmin(below, most), above >= least, below <= most};
    r->sample = (pc_interval){number_of(L, row, "from", NAN), number_of(L, row, "to", NAN)};
    if (isnan(r->sample.lo)) r->sample = (pc_interval){0};
}

static void add_rows(lua_State *L, kind *k, const pc_row *rows, int n)
{
    for (int i = 0; i < n; i++) {
        if (pc_schema_find(&k->schema, rows[i].name) >= 0 ||
            pc_schema_find(&k->schema, rows[i].symbol ? rows[i].symbol : rows[i].name) >= 0)
            pc_refuse(L, "%s: %s%s%s is a parameter that %s laws have already; call yours otherwise", k->schema.name,
                      rows[i].name, rows[i].symbol ? " or " : "", rows[i].symbol ? rows[i].symbol : "",
                      k->rigid ? "rigid" : "compliant");
        k->rows[k->schema.n_rows++] = rows[i];
    }
}

/* define(options) -> constructor: options as percuss.law_definition has made them, which checked all but units and what
 * the rows of friction clash with. */
static int define(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_getfield(L, 1, "parameters");
    int n = (int)lua_rawlen(L, 2);
    if (n + 5 > MOST_ROWS) return pc_refuse(L, "contact.define: %d parameters; at most %d", n, MOST_ROWS - 5);
    size_t size = sizeof(parameters) + (size_t)n * sizeof(double);
    kind *k = lua_newuserdatauv(L, sizeof *k + size, 2);
    memset(k, 0, sizeof *k);
    k->last = k + 1;
    lua_newtable(L);
    int keep = lua_gettop(L);
    lua_pushvalue(L, keep);
    lua_setiuservalue(L, 3, 1);
    k->rigid = flag_of(L, 1, "rigid");
    k->tension = flag_of(L, 1, "tension");
    k->may_gain = flag_of(L, 1, "may_gain");
    k->states = (int)number_of(L, 1, "states", 0);
    k->friction = flag_of(L, 1, "friction");
    k->tangential = (int)number_of(L, 1, "tangential", PC_TANGENTIAL_RIGID);
    k->schema = (pc_schema){.name = text_of(L, 1, "path", keep),
                            .summary = text_of(L, 1, "doc", keep),
                            .details = text_of(L, 1, "details", keep),
                            .equations = text_of(L, 1, "equations", keep),
                            .source = text_of(L, 1, "source", keep),
                            .example = text_of(L, 1, "example", keep),
                            .rows = k->rows,
                            .n_rows = n,
                            .size = size,
                            .validate = validate};
    for (int i = 0; i < n; i++) {
        lua_rawgeti(L, 2, i + 1);
        read_row(L, k, i, keep);
        lua_pop(L, 1);
    }
    if (!k->rigid) {
        add_rows(L, k, compliant_rows, sizeof compliant_rows / sizeof *compliant_rows);
        k->rows[pc_schema_find(&k->schema, "tangential")].initial = k->tangential;
    } else if (k->friction) {
        add_rows(L, k, rigid_rows, sizeof rigid_rows / sizeof *rigid_rows);
    }
    unsigned abilities = PC_LAW_PLANAR | PC_LAW_SCRIPT;
    if (k->may_gain || !k->rigid) abilities |= PC_LAW_MAY_GAIN; /* mindlin's element may */
    if (k->tension) abilities |= PC_LAW_ADHESIVE;
    k->law = (pc_law){.schema = &k->schema, .abilities = abilities};
    if (k->rigid) {
        k->law.abilities |= PC_LAW_SPATIAL;
        k->law.impact = rigid_impact;
        k->law.path = pc_ratio_path;
        k->law.friction = k->friction ? rigid_friction : NULL;
    } else {
        k->law.abilities |= PC_LAW_COMPLIANT;
        k->law.impact = compliant_impact;
        k->law.element = &element;
        k->law.friction = compliant_friction;
        k->law.turning = compliant_turning;
    }
    /* the coroutine and its stack */
    k->L = lua_newthread(L);
    lua_setiuservalue(L, 3, 2);
    lua_getfield(L, 1, k->rigid ? "impulse" : "force");
    k->has_energy = lua_getfield(L, 1, "energy") == LUA_TFUNCTION;
    lua_getfield(L, 1, "rates");
    lua_createtable(L, 0, 2 * k->schema.n_rows);
    for (int d = 2; d <= 3; d++) {
        lua_createtable(L, d, 0);
        for (int i = 1; i <= d; i++) {
            lua_createtable(L, d, 0);
            lua_rawseti(L, -2, i);
        }
        lua_createtable(L, d, 0);
    }
    if (!lua_checkstack(k->L, LUA_MINSTACK + FIXED)) return pc_refuse(L, "contact.define: not enough memory");
    lua_xmove(L, k->L, FIXED);
    reset(k);
    /* kinds live as long as the state: their schemas are keys, and laws of theirs may be anywhere */
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "percuss.law_kinds");
    lua_pushvalue(L, 3);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    lua_pop(L, 1);
    lua_pushvalue(L, 3);
    lua_pushcclosure(L, make_law, 1);
    pc_register_forget(L, k->schema.name);
    pc_register_schema(L, &k->schema);
    return 1;
}

/* (law, kg, m, s) -> the law in other units: every parameter that it was given times the size of its unit. */
static int rescale(lua_State *L)
{
    const pc_bound_law *from = pc_type_check(L, 1, &pc_type_law);
    const double size[3] = {luaL_checknumber(L, 2), luaL_checknumber(L, 3), luaL_checknumber(L, 4)};
    const pc_schema *schema = from->law->schema;
    lua_settop(L, 1);
    pc_bound_law *out = pc_law_push_like(L, 1);
    out->given = from->given;
    pc_schema_copy(schema, from->params, from->given, out->params);
    for (int i = 0; i < schema->n_rows; i++) {
        const pc_row *row = &schema->rows[i];
        if (row->kind != PC_REAL) continue;
        double *x = (double *)(void *)(out->params + row->offset), m = row->unit.m;
        int power = row->unit.m_minus ? pc_schema_find(schema, row->unit.m_minus) : -1;
        if (power >= 0) m -= pc_row_number(&schema->rows[power], from->params);
        *x *= pow(size[0], row->unit.kg) * pow(size[1], m) * pow(size[2], row->unit.s);
        if (!(from->given >> i & 1) && !isnan(*x)) out->given |= UINT64_C(1) << i; /* defaults have units too */
    }
    pc_error err = {0};
    if (pc_schema_finish(schema, out->params, out->given, &err)) return pc_raise(L, &err);
    return 1;
}

/* Whether a value is a constructor of a kind, for definitions that replace one another. */
static int is_kind(lua_State *L)
{
    lua_pushboolean(L, lua_tocfunction(L, 1) == make_law);
    return 1;
}

/* (path): help and completion no longer know the kind; laws of it stay as they are. */
static int forget(lua_State *L)
{
    pc_register_forget(L, luaL_checkstring(L, 1));
    return 0;
}

int pc_scripted_open(lua_State *L)
{
    lua_createtable(L, 0, 4);
    lua_pushcfunction(L, forget);
    lua_setfield(L, -2, "forget");
    lua_pushcfunction(L, rescale);
    lua_setfield(L, -2, "rescale");
    lua_pushcfunction(L, define);
    lua_setfield(L, -2, "define");
    lua_pushcfunction(L, is_kind);
    lua_setfield(L, -2, "is_kind");
    return 1;
}

/* ---- for others ---- */

bool pc_law_is_scripted(const pc_law *law)
{
    return law->abilities & PC_LAW_SCRIPT;
}

bool pc_scripted_push_maker(lua_State *L, const char *name, size_t n)
{
    const char prefix[] = "contact.";
    size_t skip = sizeof prefix - 1;
    if (n <= skip || n > 80 || memcmp(name, prefix, skip) != 0) return false;
    for (size_t i = skip; i < n; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '_') return false;
    luaL_checkstack(L, 4, NULL);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, "percuss");
    lua_getfield(L, -1, "contact");
    lua_pushlstring(L, name + skip, n - skip);
    lua_rawget(L, -2);
    if (lua_tocfunction(L, -1) != make_law) {
        pc_error err = {0};
        pc_fail(&err, PC_E_UNSUPPORTED,
                "the law %.*s is not defined here; define it as it was, by contact.define, before this is read", (int)n,
                name);
        pc_error_push(L, &err);
        lua_error(L);
    }
    lua_insert(L, -4);
    lua_pop(L, 3);
    return true;
}

void pc_scripted_push_identity(lua_State *L, const pc_law *law)
{
    if (!pc_law_is_scripted(law)) {
        lua_pushnil(L);
        return;
    }
    const kind *k = (const void *)law;
    luaL_checkstack(L, 6, NULL);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss.identity");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "digest");
    lua_createtable(L, 2, 0);
    for (int i = FORCE; i <= (k->states > 0 ? RATES : ENERGY); i++) {
        lua_pushvalue(k->L, i);
        lua_xmove(k->L, L, 1);
        lua_rawseti(L, -2, i);
    }
    lua_call(L, 1, 1);
    lua_remove(L, -2);
}
