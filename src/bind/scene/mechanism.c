/* Mechanisms as userdata: systems of the user's own, whose functions run in a coroutine of the mechanism, which is
 * never resumed: so they can be called wherever a number is needed, and cannot yield. */
#include "bind/core/bind.h"
#include "bind/law/law.h"
#include "bind/scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Stack of the coroutine: three functions of the whole and three of each gap, tables for q and u, then the slots of the
 * callbacks, one for each kind of function. */
enum { MASS, FORCE, POTENTIAL, GAP, NORMAL, TANGENT, KINDS };
static const char *const names[KINDS] = {"mass", "force", "potential", "gap", "jacobian", "tangent"};

/* User values: the coroutine; what the core points to; the options, and what laws and functions lie in them. */
enum { COROUTINE = 1, BLOCK, OPTIONS, USERVALUES = OPTIONS };

typedef struct bound_mechanism {
    pc_mechanism m; /* its context is this */
    double *start;  /* q, u */
    lua_State *L;
    pc_callback call[KINDS];
    bool busy;
} bound_mechanism;

const pc_mechanism *pc_bound_mechanism_test(lua_State *L, int index, const double **start)
{
    const bound_mechanism *self = pc_type_test(L, index, &pc_type_mechanism);
    if (!self) return NULL;
    *start = self->start;
    return &self->m;
}

static int slot_of(int kind, int gap)
{
    return kind < GAP ? kind + 1 : GAP + 3 * gap + (kind - GAP) + 1;
}

static int table_of(const bound_mechanism *self, bool rates)
{
    return GAP + 3 * self->m.n_gaps + (rates ? 2 : 1);
}

/* ---- calls ---- */

static void reset(bound_mechanism *self)
{
    lua_settop(self->L, table_of(self, true));
    for (int i = 0; i < KINDS; i++) pc_callback_open(self->L, 1, names[i], &self->call[i]);
}

/* "y = 0.1, phi = 2", pushed. */
static void push_state(lua_State *L, const pc_mechanism *m, const double *q)
{
    luaL_Buffer text;
    char number[64];
    luaL_buffinit(L, &text);
    for (int i = 0; i < m->n; i++) {
        snprintf(number, sizeof number, " = %.10g", q[i]);
        if (i > 0) luaL_addstring(&text, ", ");
        luaL_addstring(&text, m->coordinates[i].name);
        luaL_addstring(&text, number);
    }
    luaL_pushresult(&text);
}

/* What an error is about: the number that a function gives and where. A pcall protects from memory errors. */
typedef struct complaint {
    const bound_mechanism *self;
    int kind, gap;
    double t;
    const double *q;
    const char *what; /* "must return ..., but ..." */
} complaint;

static int push_complaint(lua_State *L)
{
    const complaint *c = lua_touserdata(L, 1);
    const pc_mechanism *m = &c->self->m;
    lua_pushfstring(L, "mechanism: %s", names[c->kind]);
    if (c->kind >= GAP) lua_pushfstring(L, c->kind == GAP ? " '%s'" : " of gap '%s'", m->gaps[c->gap].name);
    lua_pushfstring(L, " %s", c->what);
    if (c->kind != MASS && c->kind != POTENTIAL) {
        char time[48];
        snprintf(time, sizeof time, " at t = %.10g s,", c->t);
        lua_pushstring(L, time);
    } else {
        lua_pushliteral(L, " at");
    }
    lua_pushliteral(L, " ");
    push_state(L, m, c->q);
    lua_concat(L, lua_gettop(L) - 1);
    pc_failure_keep(L, -1, PC_FAILURE_TOLD);
    return 0;
}

static int complain(const complaint *c)
{
    lua_State *L = c->self->L;
    lua_pushcfunction(L, push_complaint);
    lua_pushlightuserdata(L, (void *)(uintptr_t)c);
    if (lua_pcall(L, 1, 0, 0) == LUA_OK) return -1;
    pc_failure_keep(L, -1, PC_FAILURE_THROWN);
    lua_pop(L, 1);
    return -1;
}

static void refuse(void *context, const char *text)
{
    bound_mechanism *self = context;
    lua_pushstring(self->L, text);
    pc_failure_keep(self->L, -1, PC_FAILURE_TOLD);
    lua_pop(self->L, 1);
}

static void fill(lua_State *L, int table, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, x[i]);
        lua_rawseti(L, table, i + 1);
    }
    lua_pushvalue(L, table);
}

/* Call one with (t, q, u), as far as it takes them; `most` results are on top of the stack of the coroutine then. 1: a
 * function that was only tried failed. */
static int call(bound_mechanism *self, int kind, int gap, double t, const double *q, const double *u, int most)
{
    lua_State *L = self->L;
    if (self->busy) {
        refuse(self, "mechanism: a function of it asks for a motion of the mechanism itself");
        return -1;
    }
    for (int i = 0; i < KINDS; i++)
        if (self->call[i].failed) {
            reset(self);
            break;
        }
    int args = 1 + (kind != MASS && kind != POTENTIAL) + (u != NULL);
    lua_pushvalue(L, slot_of(kind, gap));
    if (kind != MASS && kind != POTENTIAL) lua_pushnumber(L, t);
    fill(L, table_of(self, false), q, self->m.n);
    if (u) fill(L, table_of(self, true), u, self->m.n);
    lua_State *before = pc_interrupt_enter(L);
    self->busy = true;
    pc_status status = pc_callback_run(&self->call[kind], args, most, NULL);
    self->busy = false;
    pc_interrupt_enter(before);
    if (status == PC_OK) return 0;
    if (self->m.trying && self->call[kind].failed) return 1;
    if (self->call[kind].failed) pc_failure_keep(L, self->call[kind].error, PC_FAILURE_THROWN);
    return -1;
}

/* Where results are: from `at` on in the stack, or in the list that stands there alone. */
static int type_of(lua_State *L, int at, bool list, int i)
{
    if (list)
        lua_rawgeti(L, at, i + 1);
    else
        lua_pushvalue(L, at + i);
    return lua_type(L, -1);
}

/* n numbers, or n + 1 if `more`, from the results or the list at `at`, the rest zero; how many, or -1 with what is
 * wrong. */
static int read_numbers(lua_State *L, int at, int n, int more, double *out, char *what, size_t size)
{
    const pc_array *array = pc_array_test(L, at);
    bool list = lua_istable(L, at);
    int got = 0;
    for (; got < n + more; got++) {
        if (array && (size_t)got >= array->n) break;
        int type = array ? LUA_TNUMBER : type_of(L, at, list, got);
        out[got] = array ? array->v[got] : lua_tonumber(L, -1);
        if (!array) lua_pop(L, 1);
        if (type == LUA_TNIL && got >= n) break;
        if (type == LUA_TNUMBER && isfinite(out[got])) continue;
        snprintf(what, size, "must return %d number%s, one by one or as a list, but number %d is %s", n,
                 n > 1 ? "s" : "", got + 1,
                 type != LUA_TNUMBER ? type == LUA_TNIL ? "missing" : lua_typename(L, type)
                 : isnan(out[got]) ? "not a number"
                                     : "infinite");
        return -1;
    }
    size_t length = array ? array->n : list ? (size_t)lua_rawlen(L, at) : 0;
    if (length > (size_t)(n + more) || got < n) {
        snprintf(what, size, "must return %d number%s, not %d", n, n > 1 ? "s" : "",
                 array && got < n ? got : (int)length);
        return -1;
    }
    for (int i = got; i < n + more; i++) out[i] = 0;
    return got;
}

/* What a function gives as numbers; `most`: results that are asked for. How many, or -1. */
static int ask(bound_mechanism *self, int kind, int gap, double t, const double *q, const double *u, int n, int more,
               double *out)
{
    lua_State *L = self->L;
    char what[160];
    int most = n + more, got = call(self, kind, gap, t, q, u, most);
    if (got < 0) return -1;
    if (got == 0) {
        int at = lua_gettop(L) - most + 1;
        got = read_numbers(L, at, n, more, out, what, sizeof what);
        lua_settop(L, at - 1);
        if (got >= 0 || !self->m.trying) return got >= 0 ? got : complain(&(complaint){self, kind, gap, t, q, what});
    }
    for (int i = 0; i < most; i++) out[i] = NAN;
    return most;
}

static int call_force(void *self, double t, const double *q, const double *u, double *out)
{
    return ask(self, FORCE, 0, t, q, u, ((bound_mechanism *)self)->m.n, 0, out) < 0 ? -1 : 0;
}

static int call_potential(void *self, const double *q, double *out)
{
    return ask(self, POTENTIAL, 0, 0, q, NULL, 1, 0, out) < 0 ? -1 : 0;
}

static int call_gap(void *self, int gap, double t, const double *q, double *out)
{
    return ask(self, GAP, gap, t, q, NULL, 1, 0, out) < 0 ? -1 : 0;
}

static int call_row(bound_mechanism *self, int kind, int gap, double t, const double *q, bool drifts, double *out)
{
    const int n = self->m.n;
    int got = ask(self, kind, gap, t, q, NULL, n, 1, out);
    if (got < 0) return -1;
    if (self->m.trying || got == n + drifts) return 0;
    return complain(&(complaint){self, kind, gap, t, q,
                                 drifts ? "must return what time does after its row, as at the start"
                                        : "must return its row alone, as at the start"});
}

static int call_normal(void *self, int gap, double t, const double *q, double *out)
{
    return call_row(self, NORMAL, gap, t, q, ((bound_mechanism *)self)->m.gaps[gap].normal_drifts, out);
}

static int call_tangent(void *self, int gap, double t, const double *q, double *out)
{
    return call_row(self, TANGENT, gap, t, q, ((bound_mechanism *)self)->m.gaps[gap].tangent_drifts, out);
}

/* Rows of a matrix, or its diagonal, from the list at `at`. False: what is wrong. */
static bool read_mass(lua_State *L, int at, int n, double *out, char *what, size_t size)
{
    char inner[160];
    memset(out, 0, (size_t)n * (size_t)n * sizeof *out);
    bool rows = lua_istable(L, at) && lua_rawgeti(L, at, 1) != LUA_TNUMBER;
    if (lua_istable(L, at)) lua_pop(L, 1);
    if (!rows) {
        if (n > 1 && !lua_istable(L, at) && !pc_array_test(L, at)) {
            snprintf(what, size, "must be %d rows of %d numbers, or a list of its diagonal, not a %s", n, n,
                     luaL_typename(L, at));
            return false;
        }
        if (read_numbers(L, at, n, 0, out, what, size) < 0) return false;
        for (int i = n - 1; i > 0; i--) {
            out[i * n + i] = out[i];
            out[i] = 0;
        }
        return true;
    }
    for (int i = 0; i < n; i++) {
        lua_rawgeti(L, at, i + 1);
        bool is = lua_istable(L, -1) || pc_array_test(L, -1);
        int got = is ? read_numbers(L, lua_gettop(L), n, 0, out + i * n, inner, sizeof inner) : -1;
        if (!is) snprintf(inner, sizeof inner, "is a %s", luaL_typename(L, -1));
        lua_pop(L, 1);
        if (got >= 0) continue;
        snprintf(what, size, "must be %d rows of %d numbers; row %d %.90s", n, n, i + 1, inner);
        return false;
    }
    if ((int)lua_rawlen(L, at) == n) return true;
    snprintf(what, size, "must be %d rows of %d numbers, not %d rows", n, n, (int)lua_rawlen(L, at));
    return false;
}

static int call_mass(void *context, const double *q, double *out)
{
    bound_mechanism *self = context;
    const int n = self->m.n;
    char what[300];
    int got = call(self, MASS, 0, 0, q, NULL, 1);
    if (got < 0) return -1;
    if (got == 0) {
        bool good = read_mass(self->L, lua_gettop(self->L), n, out, what, sizeof what);
        lua_pop(self->L, 1);
        if (good) return 0;
        if (!self->m.trying) return complain(&(complaint){self, MASS, 0, 0, q, what});
    }
    for (int i = 0; i < n * n; i++) out[i] = NAN;
    return 0;
}

static const pc_mechanism_functions functions = {.mass = call_mass,
                                                 .force = call_force,
                                                 .potential = call_potential,
                                                 .gap = call_gap,
                                                 .normal = call_normal,
                                                 .tangent = call_tangent,
                                                 .refuse = refuse};

/* ---- what it is made of ---- */

enum { FROM_MASS, IN_FORCE };
static const char *const coriolis_words[] = {"from_mass", "in_force", NULL};

typedef struct options {
    char name[PC_MECHANISM_NAME];
    int coriolis;
    double time_scale;
} options;

typedef struct coordinate_options {
    char name[PC_MECHANISM_NAME], unit[PC_MECHANISM_UNIT];
    double scale;
} coordinate_options;

typedef struct gap_options {
    char name[PC_MECHANISM_NAME];
    double length;
    bool moves;
} gap_options;

static const pc_row coordinate_rows[] = {
    {.name = "name",
     .kind = PC_TEXT,
     .place = 1,
     .offset = offsetof(coordinate_options, name),
     .count = PC_MECHANISM_NAME,
     .initial = PC_REQUIRED,
     .doc = "its column, and the field of q and u in the functions"},
    {.name = "unit",
     .kind = PC_TEXT,
     .offset = offsetof(coordinate_options, unit),
     .count = PC_MECHANISM_UNIT,
     .initial = PC_ABSENT,
     .otherwise = "m",
     .doc = "as text, such as \"m\" or \"rad\""},
    PC_ROW(coordinate_options, scale, "scale", .written = "its unit", .initial = PC_ABSENT,
           .otherwise = "1, 0.3, 0.1, ...: the first on which all functions are smooth at the start",
           .allowed = PC_POSITIVE,
           .doc = "on which the functions change: differences go 1/100 of it, or 3/100 for second ones"),
};
static const pc_schema coordinate_schema = {
    .name = "mechanism: a coordinate", PC_ROWS(coordinate_rows), .size = sizeof(coordinate_options)};

static const pc_row gap_rows[] = {
    {.name = "gap",
     .kind = PC_FUNCTION,
     .place = 1,
     .initial = PC_REQUIRED,
     .doc = "of (t, q): the distance that is left (m), which contact keeps from being negative"},
    {.name = "jacobian",
     .kind = PC_FUNCTION,
     .also = PC_ALSO(PC_NUMBERS),
     .initial = PC_ABSENT,
     .otherwise = "by differences",
     .doc =
         "of (t, q): the slope of the gap along each coordinate and, if it likes, along t; or a list, where they are "
         "constant. At the start it is compared with differences"},
    {.name = "tangent",
     .kind = PC_FUNCTION,
     .also = PC_ALSO(PC_NUMBERS),
     .initial = PC_ABSENT,
     .otherwise = "no slip, so that laws with friction are refused",
     .doc =
         "of (t, q): the slip velocity (m/s) for each unit of each rate and, if it likes, what it is at rest, as on a "
         "belt; or a list, where they are constant. Friction acts along it"},
    {.name = "contact",
     .kind = PC_OBJECT,
     .object = "law",
     .initial = PC_ABSENT,
     .otherwise = "that of the scene",
     .doc = "the law by which it closes"},
    {.name = "name",
     .kind = PC_TEXT,
     .offset = offsetof(gap_options, name),
     .count = PC_MECHANISM_NAME,
     .initial = PC_ABSENT,
     .otherwise = "gap and its number",
     .doc = "what the contact is called in pairs, events and impacts"},
    PC_ROW(gap_options, length, "length", .unit = PC_UNIT_M, .initial = PC_ABSENT,
           .otherwise = "of the terms in it at the start", .allowed = PC_POSITIVE,
           .doc = "size of what is summed in it: 64 roundings of that count as touching"),
    PC_ROW(
        gap_options, moves, "moves",
        .doc =
            "it depends on t, which is found if t enters it other than by comparison with a time beyond those that are "
            "tried"),
};
static const pc_schema gap_schema = {.name = "mechanism: a gap", PC_ROWS(gap_rows), .size = sizeof(gap_options)};

static const pc_row rows[] = {
    {.name = "coordinates",
     .kind = PC_LIST,
     .options = &coordinate_schema,
     .initial = PC_REQUIRED,
     .doc = "their names, in order; or tables, as in { \"phi\", unit = \"rad\" }"},
    {.name = "mass",
     .kind = PC_FUNCTION,
     .also = PC_ALSO(PC_LIST),
     .initial = PC_REQUIRED,
     .doc = "of q: rows of the symmetric mass matrix, for which the kinetic energy is u.M u/2, or a list of its "
            "diagonal; or these themselves, where they are constant"},
    {.name = "force",
     .kind = PC_FUNCTION,
     .initial = PC_ABSENT,
     .otherwise = "none",
     .doc =
         "of (t, q, u): the generalised force along each coordinate, whose power is force.u, one by one or as a list"},
    {.name = "potential",
     .kind = PC_FUNCTION,
     .initial = PC_ABSENT,
     .otherwise = "none",
     .doc = "of q: potential energy (J); its slopes act as forces besides, by differences"},
    {.name = "gaps",
     .kind = PC_LIST,
     .options = &gap_schema,
     .initial = PC_ABSENT,
     .otherwise = "none",
     .doc = "what may come into contact"},
    {.name = "start",
     .kind = PC_NUMBERS,
     .initial = PC_ABSENT,
     .otherwise = "zeros",
     .allowed = PC_ANY,
     .doc = "coordinates at the start"},
    {.name = "rates",
     .kind = PC_NUMBERS,
     .initial = PC_ABSENT,
     .otherwise = "zeros",
     .allowed = PC_ANY,
     .doc = "their rates at the start"},
    PC_CHOICE_ROW(
        options, coriolis, "coriolis", coriolis_words, .initial = FROM_MASS,
        .doc = "what a mass that depends on q does by itself, M' u - d(u.M u/2)/dq: \"from_mass\", it is found by "
               "differences; \"in_force\", force has it already, on the right of M u' = force"),
    PC_ROW(options, time_scale, "time_scale", .unit = PC_UNIT_S, .initial = PC_ABSENT,
           .otherwise = "as that of a coordinate", .allowed = PC_POSITIVE,
           .doc = "on which gaps and rows change with t, if they do: no step is longer then"),
    {.name = "picture",
     .kind = PC_FUNCTION,
     .initial = PC_ABSENT,
     .otherwise = "none, so that it is not drawn",
     .doc = "of (q, t): a list of the lines that run:draw, run:animate and run:view show, each { xs, ys } (m)"},
    {.name = "name",
     .kind = PC_TEXT,
     .offset = offsetof(options, name),
     .count = PC_MECHANISM_NAME,
     .initial = PC_ABSENT,
     .doc = "for columns, which then begin with it"},
};
const pc_schema pc_mechanism_schema = {
    .name = "mechanism",
    .summary = "A system of one's own for scenes: coordinates, with functions for its mass, its forces and its gaps.",
    .details =
        "It moves by Lagrange's equations, d(M u)/dt - d(u.M u/2)/dq = force - dV/dq + normal forces N times the "
        "slopes "
        "of their gaps + friction F times their tangents; gravity is a force like any other. Contacts strike, stick, "
        "slip, rest and lift off by the laws, as between bodies.\n\n"
        "Functions get q and u as lists whose elements have the names of the coordinates as well (q[2], q.phi), which "
        "are theirs until they return. They depend on their arguments alone: they are asked at trial states, out of "
        "order, and before the motion with not-a-number in place of a coordinate or of t, which tells on what they "
        "depend. Rows that are not given are central differences of six points, known to some 1e-13 of themselves, the "
        "bend of a gap along the motion to 1e-12, where the functions are smooth on the scale of the coordinates; a "
        "start at which this is off by 1e-6 is refused. The mass matrix has to be symmetric and positive definite, "
        "pivots above 1e-12 of the diagonal.",
    .source = "Pfeiffer and Glocker (1996); Glocker (1995)",
    .example = "local pendulum = percuss.mechanism{ coordinates = { { \"phi\", unit = \"rad\" } }, start = { 1 },\n"
               "    mass = { 0.5 * 0.8^2 }, force = function(t, q, u) return -0.5 * 9.81 * 0.8 * math.sin(q.phi) end,\n"
               "    gaps = { { function(t, q) return 0.8 * math.sin(q.phi) end, name = \"wall\",\n"
               "        contact = percuss.contact.newton{ restitution = 0.5, friction = 0 } } } }\n"
               "local run = percuss.simulate(percuss.scene{ pendulum }, { duration = 1 })\n"
               "print(#run.impacts, run.impacts[1].contact) --> 1\twall",
    PC_ROWS(rows),
    .size = sizeof(options),
};

/* Room for what the core points to, one after the other. */
static void *take_room(char **block, size_t size)
{
    char *here = *block;
    *block += (size + 15) / 16 * 16;
    return here;
}

static void take_name(lua_State *L, const char *what, int i, const char *name)
{
    if (!name[0]) pc_refuse(L, "mechanism: %s[%d] needs a name", what, i + 1);
}

/* The coordinates, in the list at `list`. */
static void read_coordinates(lua_State *L, pc_mechanism *m, int list)
{
    for (int i = 0; i < m->n; i++) {
        coordinate_options given;
        pc_mechanism_coordinate *c = &m->coordinates[i];
        if (lua_geti(L, list, i + 1) == LUA_TSTRING) {
            lua_createtable(L, 1, 0);
            lua_insert(L, -2);
            lua_rawseti(L, -2, 1);
        }
        pc_options_take(L, lua_gettop(L), &coordinate_schema, &given);
        take_name(L, "coordinates", i, given.name);
        for (int k = 0; k < i; k++)
            if (strcmp(m->coordinates[k].name, given.name) == 0)
                pc_refuse(L, "mechanism: coordinates %d and %d are both called '%s'", k + 1, i + 1, given.name);
        pc_unit unit = PC_UNIT_M;
        char text[PC_UNIT_TEXT];
        if (given.unit[0] && !pc_unit_parse(given.unit, &unit))
            pc_refuse(L, "mechanism: '%s' is no unit, of %s; write \"m\" or \"rad\"", given.unit, given.name);
        snprintf(c->name, sizeof c->name, "%s", given.name);
        snprintf(c->rate_name, sizeof c->rate_name, "%s_rate", given.name);
        snprintf(c->unit, sizeof c->unit, "%.23s", pc_unit_text(unit, NAN, text));
        c->angle = unit.rad == 1 && unit.m == 0;
        unit.s -= 1;
        snprintf(c->rate_unit, sizeof c->rate_unit, "%.23s", pc_unit_text(unit, NAN, text));
        c->scale = isnan(given.scale) ? 0 : given.scale;
        lua_settop(L, list);
    }
}

/* A function or a constant row of a gap: the function becomes the last of the stack of the coroutine. */
static bool read_row(lua_State *L, bound_mechanism *self, int index, const char *name, int i, const double **fixed,
                     bool *drifts, char **block)
{
    const int n = self->m.n;
    char what[160];
    lua_getfield(L, index, name);
    bool given = !lua_isnil(L, -1);
    if (lua_isfunction(L, -1)) {
        lua_xmove(L, self->L, 1);
        return true;
    }
    if (given) {
        double *row = take_room(block, ((size_t)n + 1) * sizeof *row);
        int got = read_numbers(L, lua_gettop(L), n, 1, row, what, sizeof what);
        if (got < 0)
            pc_refuse(L, "mechanism: %s of gaps[%d] has a slope for each of the %d coordinates: it %s", name, i + 1, n,
                      what);
        *fixed = row;
        *drifts = got > n;
    }
    lua_pop(L, 1);
    lua_pushnil(self->L);
    return given;
}

static void read_gaps(lua_State *L, bound_mechanism *self, int list, char **block)
{
    pc_mechanism *m = &self->m;
    for (int i = 0; i < m->n_gaps; i++) {
        gap_options given;
        pc_mechanism_gap *g = &m->gaps[i];
        lua_geti(L, list, i + 1);
        pc_options_take(L, list + 1, &gap_schema, &given);
        if (given.name[0])
            snprintf(g->name, sizeof g->name, "%s", given.name);
        else
            snprintf(g->name, sizeof g->name, "gap%d", i + 1);
        for (int k = 0; k < i; k++)
            if (strcmp(m->gaps[k].name, g->name) == 0)
                pc_refuse(L, "mechanism: gaps %d and %d are both called '%s'", k + 1, i + 1, g->name);
        g->length = isnan(given.length) ? 0 : given.length;
        g->moves = given.moves;
        lua_getfield(L, list + 1, "contact");
        const pc_bound_law *law = pc_type_test(L, -1, &pc_type_law);
        if (law && !(law->law->abilities & PC_LAW_PLANAR))
            pc_refuse(L, "mechanism: gap '%s': %s is no planar law", g->name, law->law->schema->name);
        g->law = law ? law->law : NULL;
        g->params = law ? law->params : NULL;
        lua_getfield(L, list + 1, "gap");
        lua_xmove(L, self->L, 1);
        g->has_normal = read_row(L, self, list + 1, "jacobian", i, &g->normal, &g->normal_drifts, block);
        g->has_tangent = read_row(L, self, list + 1, "tangent", i, &g->tangent, &g->tangent_drifts, block);
        lua_settop(L, list);
    }
}

/* q.phi: upvalue 1 has the places of names. Elements that are not there are nil, as of any list. */
static int find_coordinate(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TSTRING) return 0;
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL)
        return luaL_error(L, "the mechanism has no coordinate '%s'", lua_tostring(L, 2));
    lua_rawget(L, 1);
    return 1;
}

/* The tables of q and u, on top of the stack of the coroutine. */
static void open_lists(lua_State *L, bound_mechanism *self)
{
    const pc_mechanism *m = &self->m;
    lua_newtable(L);
    lua_createtable(L, 0, m->n);
    for (int i = 0; i < m->n; i++) {
        lua_pushinteger(L, i + 1);
        lua_setfield(L, -2, m->coordinates[i].name);
    }
    lua_pushcclosure(L, find_coordinate, 1);
    lua_setfield(L, -2, "__index");
    for (int k = 0; k < 2; k++) {
        lua_createtable(L, m->n, 0);
        lua_pushvalue(L, -2);
        lua_setmetatable(L, -2);
        lua_xmove(L, self->L, 1);
    }
    lua_pop(L, 1);
}

/* How many numbers rows that are functions return at the start. */
static void count_rows(lua_State *L, bound_mechanism *self, double *room)
{
    pc_mechanism *m = &self->m;
    const pc_error stopped = {.code = pc_interrupted() ? PC_E_INTERRUPTED : PC_E_CALLBACK,
                              .text = "mechanism: stopped"};
    for (int i = 0; i < m->n_gaps; i++) {
        pc_mechanism_gap *g = &m->gaps[i];
        for (int kind = NORMAL; kind <= TANGENT; kind++) {
            bool normal = kind == NORMAL;
            if (!(normal ? g->has_normal && !g->normal : g->has_tangent && !g->tangent)) continue;
            int got = ask(self, kind, i, 0, self->start, NULL, m->n, 1, room);
            if (got < 0) pc_raise(L, &stopped);
            *(normal ? &g->normal_drifts : &g->tangent_drifts) = got > m->n;
        }
    }
}

static void read_start(lua_State *L, const pc_mechanism *m, const char *name, double *out)
{
    size_t got;
    const double *numbers = pc_option_numbers(L, 1, &pc_mechanism_schema, name, &got);
    if (numbers && got != (size_t)m->n)
        pc_refuse(L, "mechanism: %s must be a list of %d number%s, one for each coordinate, not %d", name, m->n,
                  m->n > 1 ? "s" : "", (int)got);
    if (numbers) memcpy(out, numbers, got * sizeof *out);
}

/* The length of a list in the options, which is pushed; 0 where there is none. */
static int push_list(lua_State *L, const char *name)
{
    if (!pc_option_push(L, 1, name)) lua_newtable(L);
    lua_Integer n = luaL_len(L, -1);
    if (n > 10000) pc_refuse(L, "mechanism: %s has %d entries", name, (int)n);
    return (int)n;
}

/* mechanism{ coordinates =, mass =, ... } */
int pc_mechanism_new(lua_State *L)
{
    options given;
    pc_argument_type(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    pc_options_take(L, 1, &pc_mechanism_schema, &given);
    bound_mechanism *self = pc_type_new(L, &pc_type_mechanism, sizeof *self, USERVALUES);
    pc_mechanism *m = &self->m;
    m->n = push_list(L, "coordinates");
    m->n_gaps = push_list(L, "gaps");
    lua_settop(L, 2);
    if (m->n < 1) pc_refuse(L, "mechanism: it needs a coordinate, as in coordinates = { \"x\" }");
    size_t n = (size_t)m->n, gaps = (size_t)m->n_gaps;
    size_t size = n * sizeof *m->coordinates + gaps * sizeof *m->gaps + (n * n + 2 * n + (n + 1)) * sizeof(double) +
                  2 * gaps * ((n + 1) * sizeof(double) + 16) + n * (gaps + 1) + 8 * 16;
    char *block = lua_newuserdatauv(L, size, 0);
    memset(block, 0, size);
    lua_setiuservalue(L, 2, BLOCK);
    m->coordinates = take_room(&block, n * sizeof *m->coordinates);
    m->gaps = take_room(&block, gaps * sizeof *m->gaps);
    self->start = take_room(&block, 2 * n * sizeof *self->start);
    m->turns = take_room(&block, n * (gaps + 1));
    double *mass = take_room(&block, n * n * sizeof *mass), *room = take_room(&block, (n + 1) * sizeof *room);
    m->call = &functions;
    m->context = self;
    snprintf(m->name, sizeof m->name, "%s", given.name);
    m->whole_force = given.coriolis == IN_FORCE;
    m->time_scale = isnan(given.time_scale) ? 0 : given.time_scale;
    push_list(L, "coordinates");
    read_coordinates(L, m, lua_gettop(L));
    lua_settop(L, 2);
    read_start(L, m, "start", self->start);
    read_start(L, m, "rates", self->start + n);
    lua_settop(L, 2);

    self->L = lua_newthread(L);
    lua_setiuservalue(L, 2, COROUTINE);
    if (!lua_checkstack(self->L, 3 * m->n_gaps + m->n + 2 * KINDS + 2 * LUA_MINSTACK))
        pc_refuse(L, "mechanism: not enough memory for its functions");
    char what[300];
    lua_getfield(L, 1, "mass");
    if (lua_isfunction(L, -1)) {
        lua_xmove(L, self->L, 1);
    } else {
        if (!read_mass(L, lua_gettop(L), m->n, mass, what, sizeof what)) pc_refuse(L, "mechanism: mass %s", what);
        m->mass = mass;
        lua_pushnil(self->L);
    }
    lua_getfield(L, 1, "force");
    lua_getfield(L, 1, "potential");
    m->has_force = !lua_isnil(L, -2);
    m->has_potential = !lua_isnil(L, -1);
    lua_xmove(L, self->L, 2);
    lua_settop(L, 2);
    push_list(L, "gaps");
    read_gaps(L, self, lua_gettop(L), &block);
    lua_settop(L, 2);
    open_lists(L, self);
    reset(self);

    pc_error err = {0};
    pc_failure_clear(L);
    count_rows(L, self, room);
    if (pc_mechanism_prepare(m, self->start, self->start + n, &err) != PC_OK) return pc_raise(L, &err);
    lua_settop(L, 2);
    pc_recipe_keep(L, 1, 2, OPTIONS);
    return 1;
}

void pc_mechanism_keep_laws(lua_State *L, int index, int laws)
{
    const int top = lua_gettop(L);
    index = lua_absindex(L, index);
    lua_getiuservalue(L, index, OPTIONS);
    if (lua_getfield(L, -1, "gaps") == LUA_TTABLE)
        for (lua_Integer i = 1; lua_rawgeti(L, top + 2, i) == LUA_TTABLE; i++) {
            lua_getfield(L, -1, "contact");
            if (!lua_isnil(L, -1)) lua_rawseti(L, laws, (lua_Integer)lua_rawlen(L, laws) + 1);
            lua_settop(L, top + 2);
        }
    lua_settop(L, top);
}

/* ---- the type ---- */

static void push_name(lua_State *L, void *self)
{
    const pc_mechanism *m = &((bound_mechanism *)self)->m;
    lua_pushstring(L, m->name[0] ? m->name : "mechanism");
}

static void push_coordinates(lua_State *L, void *self)
{
    const pc_mechanism *m = &((bound_mechanism *)self)->m;
    lua_createtable(L, m->n, 0);
    for (int i = 0; i < m->n; i++) {
        lua_pushstring(L, m->coordinates[i].name);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_gaps(lua_State *L, void *self)
{
    const pc_mechanism *m = &((bound_mechanism *)self)->m;
    lua_createtable(L, m->n_gaps, 0);
    for (int i = 0; i < m->n_gaps; i++) {
        lua_pushstring(L, m->gaps[i].name);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_scales(lua_State *L, void *self)
{
    const pc_mechanism *m = &((bound_mechanism *)self)->m;
    lua_createtable(L, m->n, 0);
    for (int i = 0; i < m->n; i++) {
        lua_pushnumber(L, m->coordinates[i].scale);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_time_scale(lua_State *L, void *self)
{
    lua_pushnumber(L, ((bound_mechanism *)self)->m.time_scale);
}

/* What all of it is, its functions among them, as text (percuss.identity). */
void pc_mechanism_push_identity(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    luaL_checkstack(L, 6, NULL);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss.identity");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "digest");
    lua_getiuservalue(L, index, OPTIONS);
    lua_call(L, 1, 1);
    lua_remove(L, -2);
}

static void push_identity(lua_State *L, void *self)
{
    (void)self;
    pc_mechanism_push_identity(L, 1);
}

void pc_mechanism_push_options(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    lua_newtable(L);
    lua_getiuservalue(L, index, OPTIONS);
    for (lua_pushnil(L); lua_next(L, -2);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -5);
    }
    lua_pop(L, 1);
    const pc_mechanism *m = &((const bound_mechanism *)lua_touserdata(L, index))->m;
    if (m->mass && !m->has_force && !m->has_potential && m->n_gaps == 0) return; /* there are none */
    pc_mechanism_push_identity(L, index);
    lua_setfield(L, -2, "identity");
}

static void describe(lua_State *L, void *self)
{
    const pc_mechanism *m = &((bound_mechanism *)self)->m;
    lua_pushfstring(L, "mechanism of %d coordinate%s (", m->n, m->n == 1 ? "" : "s");
    for (int i = 0; i < m->n; i++) {
        lua_pushfstring(L, "%s%s", i > 0 ? ", " : "", m->coordinates[i].name);
        lua_concat(L, 2);
    }
    lua_pushfstring(L, ") and %d gap%s", m->n_gaps, m->n_gaps == 1 ? "" : "s");
    lua_concat(L, 2);
}

/* What it was made of is a field, too. */
static int index_mechanism(lua_State *L)
{
    const char *key = luaL_checkstring(L, 2);
    pc_error err = {0};
    if (pc_schema_find(&pc_mechanism_schema, key) < 0) {
        pc_schema_unknown(&pc_mechanism_schema, key, &err);
        return pc_raise(L, &err);
    }
    lua_getiuservalue(L, 1, OPTIONS);
    lua_getfield(L, -1, key);
    return 1;
}

static const pc_property properties[] = {
    {"name", push_name, NULL, "its name in columns"},
    {"coordinates", push_coordinates, NULL, "names of its coordinates, in order"},
    {"gaps", push_gaps, NULL, "names of its gaps, in order"},
    {"scales", push_scales, NULL, "of its coordinates, on which differences are taken"},
    {"time_scale", push_time_scale, "s", "on which it changes with t; infinite where nothing but its force does"},
    {"identity", push_identity, NULL, "text that changes when a function or a number of it does"},
    {0},
};
static const luaL_Reg meta[] = {{"__index", index_mechanism}, {NULL, NULL}};

const pc_type pc_type_mechanism = {
    .name = "percuss.mechanism",
    .summary = "A system of one's own with its motion at the start; what it was made of are fields, too.",
    .properties = properties,
    .metamethods = meta,
    .describe = describe,
};
