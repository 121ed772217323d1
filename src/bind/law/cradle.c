/* percuss.cradle: bodies in a row that push each other along one line, every contact with its own law. */
#include "bind/core/bind.h"
#include "bind/law/law.h"
#include "engine/element_impact.h"

#include <math.h>
#include <string.h>

/* Bodies at most: W of the contacts is kept whole. */
enum { MOST = 500 };

/* Tighter than for one contact: u^1.5 is not smooth where contacts open and close, and errors of a long row add up. */
static const double PRECISION = 1e-14;

static const pc_row rows[] = {
    {.name = "bodies", .kind = PC_LIST, .initial = PC_REQUIRED, .doc = "in the order of the line"},
    {.name = "contact",
     .kind = PC_OBJECT,
     .object = "law",
     .also = PC_ALSO(PC_LIST),
     .initial = PC_REQUIRED,
     .doc = "the law of all contacts, or one for each"},
    {.name = "velocity",
     .kind = PC_NUMBERS,
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_REQUIRED,
     .allowed = PC_ANY,
     .doc = "of each body along the line"},
    {.name = "gaps",
     .kind = PC_NUMBERS,
     .unit = PC_UNIT_M,
     .initial = PC_ABSENT,
     .otherwise = "zeros",
     .allowed = PC_NONNEGATIVE,
     .doc = "between neighbours"},
};
static const pc_schema schema = {.name = "cradle", PC_ROWS(rows)};

/* Numbers of a list, which stays on the stack; NULL: it is not given. */
static const double *read_numbers(lua_State *L, const char *name, int n)
{
    size_t got;
    const double *numbers = pc_option_numbers(L, 1, &schema, name, &got);
    if (numbers && got != (size_t)n) pc_refuse(L, "cradle: %s must be a list of %d numbers, not %d", name, n, (int)got);
    return numbers;
}

/* 1/mass of every body, into memory that Lua owns. */
static double *read_bodies(lua_State *L, int *n)
{
    pc_option_push(L, 1, "bodies");
    lua_Integer count = luaL_len(L, -1);
    if (count < 2 || count > MOST) pc_refuse(L, "cradle: from 2 to %d bodies, not %d", MOST, (int)count);
    double *out = lua_newuserdatauv(L, (size_t)count * sizeof *out, 0);
    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, -2, i + 1);
        const char *what = lua_pushfstring(L, "cradle: body %d", (int)i + 1);
        const pc_body *body = pc_argument_part(L, -2, &pc_type_body, what);
        if (!(body->mass > 0)) pc_refuse(L, "cradle: body %d has no mass of its own", (int)i + 1);
        pc_error err = {0};
        if (pc_body_require_rigid(body, "cradle", &err)) pc_raise(L, &err);
        out[i] = 1 / body->mass;
        lua_pop(L, 2);
    }
    *n = (int)count;
    return out;
}

/* The law of every contact: one for all, or a list. */
static pc_element_contact *read_contacts(lua_State *L, int k)
{
    pc_element_contact *out = lua_newuserdatauv(L, (size_t)k * sizeof *out, 0);
    pc_option_push(L, 1, "contact");
    bool list = lua_type(L, -1) == LUA_TTABLE;
    if (list && luaL_len(L, -1) != k) pc_refuse(L, "cradle: contact needs one law, or a list of %d", k);
    for (int i = 0; i < k; i++) {
        if (list)
            lua_geti(L, -1, i + 1);
        else
            lua_pushvalue(L, -1);
        pc_bound_law *law = pc_argument_part(L, -1, &pc_type_law, "cradle: contact");
        if (!law->law->element)
            pc_refuse(L,
                      "cradle: %s cannot act at several contacts at once; take a compliant law such as coupled or "
                      "hunt_crossley",
                      law->law->schema->name);
        out[i] = (pc_element_contact){law->law->element, law->params};
        lua_pop(L, 1);
    }
    return out; /* the laws live in the options table */
}

/* Two bodies meet where their gap has closed: nothing acts on them before, so all times move by the flight. */
static void delay(pc_element_summary *s, double flight)
{
    s->start += flight;
    s->stop += flight;
    for (int i = 0; i < 2; i++) s->peak_time[i] += flight;
}

static void set_number(lua_State *L, const char *name, double value)
{
    if (isnan(value)) return;
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

static void push_contact(lua_State *L, const pc_element_summary *s)
{
    lua_createtable(L, 0, 6);
    set_number(L, "start", s->start);
    set_number(L, "stop", s->stop);
    set_number(L, "impulse", s->p[PC_N]);
    set_number(L, "peak", s->peak[PC_N]);
    set_number(L, "peak_time", s->peak_time[PC_N]);
    lua_pushinteger(L, s->n_closings);
    lua_setfield(L, -2, "closings");
    pc_record_seal(L, "start stop impulse peak peak_time");
}

static const pc_property fields[] = {
    {"velocity", NULL, "m/s", "of each body along the line afterwards, an array"},
    {"duration", NULL, "s", "until the last contact has ended"},
    {"energy", NULL, "J", "kinetic energy of all bodies: .before, .after"},
    {"contacts", NULL, NULL,
     "list, one for each pair of neighbours: .start, .stop (s), .impulse (N s), .peak (greatest force, N), .peak_time "
     "(s), .closings (how often it closed)"},
    {0},
};
static const pc_type type_cradle = {
    .name = "percuss.cradle",
    .summary = "What bodies in a row have done to each other.",
    .properties = fields,
};

/* cradle{ bodies =, contact =, velocity =, [gaps =] } -> table */
static int cradle(lua_State *L)
{
    lua_settop(L, 1);
    pc_options_take(L, 1, &schema, NULL);
    int n;
    const double *mobility = read_bodies(L, &n);
    int k = n - 1;
    const pc_element_contact *contacts = read_contacts(L, k);
    const double *u0 = read_numbers(L, "velocity", n), *gaps = read_numbers(L, "gaps", k);

    size_t side = 2 * (size_t)k;
    double *W = lua_newuserdatauv(L, (side * side + side) * sizeof *W, 0), *v0 = W + side * side;
    memset(W, 0, (side * side + side) * sizeof *W);
    bool approaches = false;
    for (size_t i = 0; i < (size_t)k; i++) {
        double *row = W + (2 * i + 1) * side;
        row[2 * i + 1] = mobility[i] + mobility[i + 1];
        if (i > 0) row[2 * i - 1] = -mobility[i];
        if (i + 1 < (size_t)k) row[2 * i + 3] = -mobility[i + 1];
        v0[2 * i + 1] = u0[i + 1] - u0[i];
        approaches = approaches || v0[2 * i + 1] < 0;
    }
    if (!approaches) return pc_refuse(L, "cradle: no body approaches the next");

    pc_element_summary *summary = lua_newuserdatauv(L, (size_t)k * sizeof *summary, 0);
    pc_element_task task = {.k = k, .contacts = contacts, .W = W, .v0 = v0, .gaps = gaps, .tolerance = PRECISION};
    double duration, flight = 0;
    if (k == 1 && gaps) flight = gaps[0] / -v0[1], task.gaps = NULL;
    pc_error err = {0};
    if (pc_element_run(&task, summary, NULL, &duration, &err)) return pc_raise(L, &err);
    if (flight > 0) delay(&summary[0], flight), duration += flight;

    lua_createtable(L, 0, 5);
    pc_array *velocity = pc_array_new(L, (size_t)n);
    double before = 0, after = 0;
    for (int i = 0; i < n; i++) {
        double p = (i > 0 ? summary[i - 1].p[PC_N] : 0) - (i < k ? summary[i].p[PC_N] : 0);
        velocity->v[i] = u0[i] + p * mobility[i];
        before += u0[i] * u0[i] / mobility[i] / 2;
        after += velocity->v[i] * velocity->v[i] / mobility[i] / 2;
    }
    lua_setfield(L, -2, "velocity");
    set_number(L, "duration", duration);
    lua_createtable(L, 0, 2);
    set_number(L, "before", before);
    set_number(L, "after", after);
    pc_record_seal(L, "");
    lua_setfield(L, -2, "energy");
    lua_createtable(L, k, 0);
    for (int i = 0; i < k; i++) {
        push_contact(L, &summary[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "contacts");
    pc_record_make(L, &type_cradle);
    return 1;
}

static const pc_function functions[] = {
    {"cradle", cradle,
     "Bodies in a row push each other along one line, all contacts at once, until none approaches the next. "
     "Where a contact ends indented, its gap counts from there until it has opened as far.",
     PC_TAKES(schema), "cradle", "Herrmann and Schmalzle, Am. J. Phys. 49 (1981)",
     "local ball = percuss.body.sphere{ radius = 0.01, mass = 0.03 }\n"
     "local law = percuss.contact.hunt_crossley{ stiffness = 1e9, damping = 0, friction = 0 }\n"
     "local run = percuss.cradle{ bodies = { ball, ball, ball }, contact = law, velocity = { 1, 0, 0 } }\n"
     "print(string.format('%.6f %.6f %.6f', run.velocity[1], run.velocity[2], run.velocity[3]))\n"
     "--> -0.070952 0.076403 0.994549"},
    {0},
};

void pc_open_cradle(lua_State *L)
{
    pc_record_open(L, &type_cradle);
    pc_functions_open(L, "", functions);
}
