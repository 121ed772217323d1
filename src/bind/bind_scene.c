/* The scene module: chains, free bodies and obstacles, and the scenes made of them. */
#include "bind/bind_scene.h"

#include "bind/bind_contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void pc_check_words(lua_State *L, int index, const char *where, const char *const *words)
{
    int n = 0;
    while (words[n]) n++;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING) continue;
        const char *key = lua_tostring(L, -1);
        bool known = false;
        for (int i = 0; i < n && !known; i++) known = strcmp(key, words[i]) == 0;
        if (known) continue;
        const char *near = pc_nearest(key, words, n);
        luaL_error(L, "%s has no option '%s'%s%s%s", where, key, near ? "; did you mean '" : "", near ? near : "",
                   near ? "'?" : "");
    }
}

static void read_name(lua_State *L, int table, const char *initial, char name[PC_NAME])
{
    int type = lua_getfield(L, table, "name");
    if (type != LUA_TNIL && type != LUA_TSTRING)
        luaL_error(L, "%s: name must be a string, not a %s", initial, lua_typename(L, type));
    snprintf(name, PC_NAME, "%s", type == LUA_TNIL ? initial : lua_tostring(L, -1));
    lua_pop(L, 1);
}

/* ---- chains ---- */

static const char *const chain_words[] = {"links", "angles", "rates", "pivot", "torque", "touch", "name", NULL};
static const char *const pivot_words[] = {"x", "y", "amplitude_x", "amplitude_y", "frequency", "phase", NULL};
static const char *const touch_words[] = {"end", "joints", "none", NULL};

static void read_numbers(lua_State *L, int table, const char *name, int n, double *out)
{
    if (lua_getfield(L, table, name) == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    if ((!lua_istable(L, -1) && !lua_isuserdata(L, -1)) || luaL_len(L, -1) != n)
        luaL_error(L, "chain: %s must be a list of %d numbers, one for each link", name, n);
    for (int i = 0; i < n; i++) {
        int number;
        lua_geti(L, -1, i + 1);
        out[i] = lua_tonumberx(L, -1, &number);
        if (!number || !isfinite(out[i])) luaL_error(L, "chain: %s[%d] must be a finite number", name, i + 1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void read_links(lua_State *L, pc_chain *chain)
{
    if (lua_getfield(L, 1, "links") != LUA_TTABLE)
        luaL_error(L, "chain: links must be a list of links, as in links = { { mass = 1, length = 1 } }");
    lua_Integer n = luaL_len(L, -1);
    if (n < 1 || n > PC_CHAIN_LINKS) luaL_error(L, "chain: it has from 1 to %d links, not %d", PC_CHAIN_LINKS, (int)n);
    chain->n = (int)n;
    for (int i = 0; i < chain->n; i++) {
        lua_geti(L, -1, i + 1);
        pc_options_read(L, -1, &pc_link_schema, &chain->links[i]);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static double field_number(lua_State *L, int table, const char *where, const char *name)
{
    int type = lua_getfield(L, table, name), number;
    double x = lua_tonumberx(L, -1, &number);
    if (type != LUA_TNIL && (!number || !isfinite(x))) luaL_error(L, "%s: %s must be a finite number", where, name);
    lua_pop(L, 1);
    return x;
}

static void read_pivot(lua_State *L, int self, pc_pivot *pivot)
{
    int type = lua_getfield(L, 1, "pivot");
    if (type == LUA_TFUNCTION) {
        lua_setiuservalue(L, self, PC_CHAIN_PIVOT);
        return;
    }
    if (type == LUA_TTABLE) {
        int table = lua_gettop(L);
        pc_check_words(L, table, "chain: pivot", pivot_words);
        pivot->x = field_number(L, table, "chain: pivot", "x");
        pivot->y = field_number(L, table, "chain: pivot", "y");
        pivot->amplitude_x = field_number(L, table, "chain: pivot", "amplitude_x");
        pivot->amplitude_y = field_number(L, table, "chain: pivot", "amplitude_y");
        pivot->frequency = field_number(L, table, "chain: pivot", "frequency");
        pivot->phase = field_number(L, table, "chain: pivot", "phase");
    } else if (type != LUA_TNIL) {
        luaL_error(L, "chain: pivot must be a table { x =, y =, ... } or a function of t, not a %s",
                   lua_typename(L, type));
    }
    lua_pop(L, 1);
}

/* chain{ links =, angles =, rates =, ... } */
static int chain_new(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    pc_check_words(L, 1, "chain", chain_words);
    pc_bound_chain *self = pc_type_new(L, &pc_type_chain, sizeof *self, PC_CHAIN_USERVALUES);
    read_links(L, &self->chain);
    read_numbers(L, 1, "angles", self->chain.n, self->angles);
    read_numbers(L, 1, "rates", self->chain.n, self->rates);
    read_pivot(L, 2, &self->chain.pivot);
    read_name(L, 1, "chain", self->name);
    int type = lua_getfield(L, 1, "torque");
    if (type != LUA_TNIL && type != LUA_TFUNCTION)
        return luaL_error(L, "chain: torque must be a function of (t, angles, rates), not a %s", lua_typename(L, type));
    lua_setiuservalue(L, 2, PC_CHAIN_TORQUE);
    type = lua_getfield(L, 1, "touch");
    const char *word = type == LUA_TSTRING ? lua_tostring(L, -1) : type == LUA_TNIL ? "end" : "";
    while (self->touch < 3 && strcmp(word, touch_words[self->touch]) != 0) self->touch++;
    if (self->touch == 3) return luaL_error(L, "chain: touch must be \"end\", \"joints\" or \"none\"");
    lua_settop(L, 2);
    return 1;
}

static void push_list(lua_State *L, const double *v, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, v[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static void chain_push_angles(lua_State *L, void *self)
{
    push_list(L, ((pc_bound_chain *)self)->angles, ((pc_bound_chain *)self)->chain.n);
}

static void chain_push_rates(lua_State *L, void *self)
{
    push_list(L, ((pc_bound_chain *)self)->rates, ((pc_bound_chain *)self)->chain.n);
}

static void chain_push_links(lua_State *L, void *self)
{
    const pc_chain *chain = &((pc_bound_chain *)self)->chain;
    lua_createtable(L, chain->n, 0);
    for (int i = 0; i < chain->n; i++) {
        lua_createtable(L, 0, pc_link_schema.n_rows);
        for (int k = 0; k < pc_link_schema.n_rows; k++) {
            pc_row_push(L, &pc_link_schema.rows[k], &chain->links[i]);
            lua_setfield(L, -2, pc_link_schema.rows[k].name);
        }
        lua_rawseti(L, -2, i + 1);
    }
}

static void chain_push_pivot(lua_State *L, void *self)
{
    const pc_pivot *pivot = &((pc_bound_chain *)self)->chain.pivot;
    const double values[6] = {pivot->x,           pivot->y,         pivot->amplitude_x,
                              pivot->amplitude_y, pivot->frequency, pivot->phase};
    lua_createtable(L, 0, 6);
    for (int i = 0; i < 6; i++) {
        lua_pushnumber(L, values[i]);
        lua_setfield(L, -2, pivot_words[i]);
    }
}

static void chain_push_name(lua_State *L, void *self)
{
    lua_pushstring(L, ((pc_bound_chain *)self)->name);
}

static void chain_describe(lua_State *L, void *self)
{
    int n = ((pc_bound_chain *)self)->chain.n;
    lua_pushfstring(L, "chain of %d link%s", n, n == 1 ? "" : "s");
}

static const pc_property chain_properties[] = {
    {"links", chain_push_links, NULL, "list of links with their parameters"},
    {"angles", chain_push_angles, "rad", "of the links at the start, from the downward vertical, anticlockwise"},
    {"rates", chain_push_rates, "rad/s", "of the links at the start"},
    {"pivot", chain_push_pivot, NULL, "place and harmonic motion of the pivot"},
    {"name", chain_push_name, NULL, "its name in events and columns"},
    {0},
};

const pc_type pc_type_chain = {
    .name = "percuss.chain",
    .summary = "A planar chain of rigid links hanging from a pivot, with its motion at the start.",
    .properties = chain_properties,
    .describe = chain_describe,
};

/* ---- free bodies ---- */

/* The name is no parameter of the shape: it is taken out of a copy of the table. */
static int free_new(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    pc_bound_free *self = pc_type_new(L, &pc_type_free, sizeof *self, 0);
    read_name(L, 1, "body", self->name);
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, 3);
    }
    lua_pushnil(L);
    lua_setfield(L, 3, "name");
    pc_options_read(L, 3, &pc_free_schema, &self->shape);
    lua_settop(L, 2);
    return 1;
}

static int free_index(lua_State *L)
{
    const pc_bound_free *self = pc_type_check(L, 1, &pc_type_free);
    const char *key = luaL_checkstring(L, 2);
    int row = pc_schema_find(&pc_free_schema, key);
    if (row < 0) {
        pc_error err = {0};
        pc_schema_unknown(&pc_free_schema, key, &err);
        return pc_raise(L, &err);
    }
    pc_row_push(L, &pc_free_schema.rows[row], &self->shape);
    return 1;
}

static void free_push_name(lua_State *L, void *self)
{
    lua_pushstring(L, ((pc_bound_free *)self)->name);
}

/* outline: list of { along, across }, round = radius about them */
static void free_push_outline(lua_State *L, void *self)
{
    double points[4][2], round;
    int n = pc_free_outline(&((pc_bound_free *)self)->shape, points, &round);
    lua_createtable(L, n, 1);
    for (int i = 0; i < n; i++) {
        push_list(L, points[i], 2);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushnumber(L, round);
    lua_setfield(L, -2, "round");
}

static void free_describe(lua_State *L, void *self)
{
    pc_schema_push_text(L, &pc_free_schema, &((pc_bound_free *)self)->shape);
}

static const pc_property free_properties[] = {
    {"name", free_push_name, NULL, "its name in events and columns"},
    {"outline", free_push_outline, "m", "corners, ends or centre from the mass centre, and the radius round them"},
    {0},
};
static const luaL_Reg free_meta[] = {{"__index", free_index}, {NULL, NULL}};

const pc_type pc_type_free = {
    .name = "percuss.free",
    .summary = "A free planar body with its motion at the start; each parameter is a field.",
    .properties = free_properties,
    .metamethods = free_meta,
    .describe = free_describe,
};

/* ---- obstacles ---- */

static int obstacle_new(lua_State *L)
{
    const pc_obstacle_kind *kind = lua_touserdata(L, lua_upvalueindex(1));
    pc_bound_obstacle *self = pc_type_new(L, &pc_type_obstacle, sizeof *self, 0);
    pc_obstacle_shape shape;
    pc_options_read(L, 1, kind->schema, &shape);
    self->kind = kind;
    kind->build(&shape, &self->obstacle);
    snprintf(self->obstacle.name, sizeof self->obstacle.name, "%s", kind->schema->name);
    return 1;
}

static void obstacle_push_kind(lua_State *L, void *self)
{
    lua_pushstring(L, ((pc_bound_obstacle *)self)->kind->schema->name);
}

/* shape: what drawing needs */
static void obstacle_push_shape(lua_State *L, void *self)
{
    const pc_obstacle *o = &((pc_bound_obstacle *)self)->obstacle;
    const struct {
        const char *name;
        double value;
    } fields[] = {{"x", o->x}, {"y", o->y}, {"nx", o->nx}, {"ny", o->ny}, {"radius", o->radius}};
    lua_createtable(L, 0, 6);
    for (int i = 0; i < 5; i++) {
        lua_pushnumber(L, fields[i].value);
        lua_setfield(L, -2, fields[i].name);
    }
    lua_pushboolean(L, o->disc);
    lua_setfield(L, -2, "disc");
}

static void obstacle_describe(lua_State *L, void *self)
{
    const pc_obstacle *o = &((pc_bound_obstacle *)self)->obstacle;
    char text[160];
    if (o->disc)
        snprintf(text, sizeof text, "%s of radius %g at (%g, %g)", o->name, o->radius, o->x, o->y);
    else if (o->nx == 0 && o->ny == 1)
        snprintf(text, sizeof text, "%s at y = %g", o->name, o->y);
    else if (o->ny == 0)
        snprintf(text, sizeof text, "%s at x = %g, open to the %s", o->name, o->x, o->nx > 0 ? "right" : "left");
    else
        snprintf(text, sizeof text, "%s through (%g, %g) with the normal (%g, %g)", o->name, o->x, o->y, o->nx, o->ny);
    lua_pushstring(L, text);
}

static const pc_property obstacle_properties[] = {
    {"kind", obstacle_push_kind, NULL, "floor, wall, plane or peg"},
    {"shape", obstacle_push_shape, NULL, "x, y, and nx, ny of a plane or radius of a disc (disc = true)"},
    {0},
};

const pc_type pc_type_obstacle = {
    .name = "percuss.obstacle",
    .summary = "Something that stands in the way: a floor, wall, plane or peg.",
    .properties = obstacle_properties,
    .describe = obstacle_describe,
};

/* ---- functions of chains ---- */

static int call_failed(pc_scene_functions *f, pc_callback *callback)
{
    if (f->failed) *f->failed = callback;
    return -1;
}

static int call_torque(double t, const double *q, const double *u, double *torque, void *context)
{
    pc_scene_functions *f = context;
    lua_State *L = f->torque.L;
    lua_pushnumber(L, t);
    push_list(L, q, f->n);
    push_list(L, u, f->n);
    if (pc_callback_call(&f->torque, 3, f->n, f->err) != PC_OK) return call_failed(f, &f->torque);
    int got = 0;
    for (int i = 0; i < f->n; i++) {
        int number;
        torque[i] = lua_tonumberx(L, i - f->n, &number);
        if (lua_isnil(L, i - f->n)) continue; /* the links without torque at the end need no zeros */
        if (number || got != 0) continue;
        pc_fail_at(f->err, PC_E_ARGUMENT, t, "torque", "torque must return one number for each link; result %d is a %s",
                   i + 1, luaL_typename(L, i - f->n));
        got = -1;
    }
    lua_pop(L, f->n);
    return got;
}

static int call_pivot(double t, double state[6], void *context)
{
    pc_scene_functions *f = context;
    lua_State *L = f->pivot.L;
    lua_pushnumber(L, t);
    if (pc_callback_call(&f->pivot, 1, 6, f->err) != PC_OK) return call_failed(f, &f->pivot);
    int got = 0;
    for (int i = 0; i < 6; i++) {
        int number;
        state[i] = lua_tonumberx(L, i - 6, &number);
        if (number || got != 0) continue;
        pc_fail_at(f->err, PC_E_ARGUMENT, t, "pivot",
                   "pivot must return x, y, their velocities and their accelerations; result %d is a %s", i + 1,
                   luaL_typename(L, i - 6));
        got = -1;
    }
    lua_pop(L, 6);
    return got;
}

pc_scene_functions *pc_scene_functions_open(lua_State *L, int index, pc_error *err, pc_callback **failed)
{
    pc_bound_scene *self = pc_type_check(L, index, &pc_type_scene);
    index = lua_absindex(L, index);
    size_t size = (size_t)self->n_chains * sizeof *self->functions;
    pc_scene_functions *saved = lua_newuserdatauv(L, size + 1, 0);
    if (size > 0) memcpy(saved, self->functions, size);
    luaL_checkstack(L, 2 * LUA_MINSTACK + 8 * self->n_chains, "too many chains");
    lua_getiuservalue(L, index, PC_SCENE_PARTS);
    int parts = lua_gettop(L), chain = 0;
    for (lua_Integer i = 1; chain < self->n_chains; i++) {
        lua_rawgeti(L, parts, i);
        if (!pc_type_test(L, -1, &pc_type_chain)) {
            lua_pop(L, 1);
            continue;
        }
        int part = lua_gettop(L);
        pc_scene_functions *f = &self->functions[chain++];
        f->err = err;
        f->failed = failed;
        if (f->has_torque) {
            lua_getiuservalue(L, part, PC_CHAIN_TORQUE);
            pc_callback_open(L, lua_gettop(L), "torque", &f->torque);
        }
        if (f->has_pivot) {
            lua_getiuservalue(L, part, PC_CHAIN_PIVOT);
            pc_callback_open(L, lua_gettop(L), "pivot", &f->pivot);
        }
    }
    return saved;
}

void pc_scene_functions_close(pc_bound_scene *scene, const pc_scene_functions *saved)
{
    if (scene->n_chains > 0) memcpy(scene->functions, saved, (size_t)scene->n_chains * sizeof *saved);
}

/* ---- scenes ---- */

static const char *const scene_words[] = {"contact", "pairs", "gravity", "g", "v_rest", "together", NULL};
static const char *const pair_words[] = {"a", "b", "contact", NULL};

/* The rows of pc_scene_schema that the table has. */
static void read_settings(lua_State *L, pc_scene *scene)
{
    static const char *const names[] = {"gravity", "g", "v_rest", "together"};
    lua_newtable(L);
    for (int i = 0; i < 4; i++)
        if (lua_getfield(L, 1, names[i]) != LUA_TNIL)
            lua_setfield(L, -2, names[i]);
        else
            lua_pop(L, 1);
    pc_options_read(L, -1, &pc_scene_schema, scene);
    lua_pop(L, 1);
}

/* The law in field `contact` of the table at `index`; the list of laws keeps it. */
static const pc_bound_law *read_law(lua_State *L, int index, int laws, const char *where)
{
    lua_getfield(L, index, "contact");
    const pc_bound_law *law = pc_type_test(L, -1, &pc_type_law);
    if (!law)
        luaL_error(L,
                   "%s: contact must be a law, as in contact = percuss.contact.poisson{ restitution = 0.9, friction = "
                   "0.15 }",
                   where);
    if (!(law->law->abilities & PC_LAW_PLANAR)) luaL_error(L, "%s: %s is no planar law", where, law->law->schema->name);
    lua_rawseti(L, laws, (lua_Integer)lua_rawlen(L, laws) + 1);
    return law;
}

static bool names_match(const pc_scene *scene, const pc_pair *pair, const char *a, const char *b)
{
    const pc_site *site = &scene->sites[pair->site];
    const char *first = site->name, *member = scene->members[site->member].name;
    const char *second, *other = "";
    if (pair->fixed) {
        second = scene->obstacles[pair->other].name;
    } else {
        second = scene->sites[pair->other].name;
        other = scene->members[scene->sites[pair->other].member].name;
    }
    bool a1 = strcmp(a, first) == 0 || strcmp(a, member) == 0, b1 = strcmp(b, first) == 0 || strcmp(b, member) == 0;
    bool a2 = strcmp(a, second) == 0 || strcmp(a, other) == 0, b2 = strcmp(b, second) == 0 || strcmp(b, other) == 0;
    return (a1 && b2) || (b1 && a2);
}

/* pairs = { { a = name, b = name, contact = law }, ... } */
static void read_pairs(lua_State *L, pc_scene *scene, int laws)
{
    int type = lua_getfield(L, 1, "pairs");
    if (type == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    if (type != LUA_TTABLE) luaL_error(L, "scene: pairs must be a list of { a =, b =, contact = }");
    int list = lua_gettop(L);
    lua_Integer n = luaL_len(L, list);
    for (lua_Integer i = 1; i <= n; i++) {
        if (lua_geti(L, list, i) != LUA_TTABLE) luaL_error(L, "scene: pairs[%d] must be a table", (int)i);
        int entry = lua_gettop(L);
        pc_check_words(L, entry, "scene: an entry of pairs", pair_words);
        lua_getfield(L, entry, "a");
        lua_getfield(L, entry, "b");
        if (lua_type(L, -1) != LUA_TSTRING || lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "scene: pairs[%d]: a and b must be names", (int)i);
        const pc_bound_law *law = read_law(L, entry, laws, "scene: pairs");
        int found = 0;
        for (int k = 0; k < scene->n_pairs; k++) {
            if (!names_match(scene, &scene->pairs[k], lua_tostring(L, -2), lua_tostring(L, -1))) continue;
            pc_pair_set_law(&scene->pairs[k], law->law, law->params);
            found++;
        }
        if (found == 0)
            luaL_error(L, "scene: pairs[%d]: no contact of '%s' with '%s' is possible", (int)i, lua_tostring(L, -2),
                       lua_tostring(L, -1));
        lua_settop(L, list);
    }
    lua_pop(L, 1);
}

/* A name that no other part has: the second floor is floor2. */
static void unique_name(lua_State *L, int used, const char *name, char out[PC_NAME])
{
    snprintf(out, PC_NAME, "%s", name);
    for (int k = 2; lua_getfield(L, used, out) != LUA_TNIL; k++) {
        lua_pop(L, 1);
        snprintf(out, PC_NAME, "%.20s%d", name, k);
    }
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
    lua_setfield(L, used, out);
}

static pc_status add_chain(pc_bound_scene *self, const pc_bound_chain *source, const char *name, pc_error *err)
{
    pc_scene *scene = &self->scene;
    pc_chain *chain = &self->chains[self->n_chains];
    pc_scene_functions *f = &self->functions[self->n_chains++];
    *chain = source->chain;
    f->n = chain->n;
    if (f->has_torque) {
        chain->torque = call_torque;
        chain->torque_context = f;
    }
    if (f->has_pivot) {
        chain->pivot.motion = call_pivot;
        chain->pivot.context = f;
    }
    pc_status status = pc_scene_add_chain(scene, chain, name, err);
    for (int i = 0; i < chain->n && status == PC_OK; i++) {
        const pc_link *link = &chain->links[i];
        bool last = i == chain->n - 1;
        if (source->touch == PC_TOUCH_NONE || (source->touch == PC_TOUCH_END && !last && link->radius == 0)) continue;
        pc_site site = {scene->n_members - 1, i, link->reach, 0, link->radius, ""};
        snprintf(site.name, sizeof site.name, last ? "%.24s" : "%.20s.joint%d", name, i + 2);
        status = pc_scene_add_site(scene, &site, err);
    }
    return status;
}

/* One part of the list, at the top of the stack. */
static void add_part(lua_State *L, pc_bound_scene *self, int used, int number)
{
    pc_scene *scene = &self->scene;
    char name[PC_NAME];
    pc_error err = {0};
    pc_status status = PC_OK;
    const pc_bound_chain *chain = pc_type_test(L, -1, &pc_type_chain);
    const pc_bound_free *body = pc_type_test(L, -1, &pc_type_free);
    const pc_bound_obstacle *obstacle = pc_type_test(L, -1, &pc_type_obstacle);
    if (chain) {
        pc_scene_functions *f = &self->functions[self->n_chains];
        f->has_torque = lua_getiuservalue(L, -1, PC_CHAIN_TORQUE) == LUA_TFUNCTION;
        f->has_pivot = lua_getiuservalue(L, -2, PC_CHAIN_PIVOT) == LUA_TFUNCTION;
        lua_pop(L, 2);
        unique_name(L, used, chain->name, name);
        status = add_chain(self, chain, name, &err);
    } else if (body) {
        unique_name(L, used, body->name, name);
        status = pc_scene_add_free(scene, &body->shape, name, &err);
    } else if (obstacle) {
        pc_obstacle copy = obstacle->obstacle;
        unique_name(L, used, copy.name, name);
        memcpy(copy.name, name, sizeof copy.name);
        status = pc_scene_add_obstacle(scene, &copy, &err);
    } else {
        luaL_error(L, "scene: part %d must be a chain, a free body or an obstacle, not %s", number,
                   luaL_tolstring(L, -1, NULL));
    }
    if (status != PC_OK) pc_raise(L, &err);
}

/* The state at the start, in the order of the members. */
static void fill_start(lua_State *L, pc_bound_scene *self, int parts, int n)
{
    const pc_scene *scene = &self->scene;
    double *q = self->start, *u = q + scene->n_dof;
    int at = 0;
    for (int i = 1; i <= n; i++) {
        lua_rawgeti(L, parts, i);
        const pc_bound_chain *chain = pc_type_test(L, -1, &pc_type_chain);
        const pc_bound_free *body = pc_type_test(L, -1, &pc_type_free);
        if (chain) {
            memcpy(q + at, chain->angles, (size_t)chain->chain.n * sizeof *q);
            memcpy(u + at, chain->rates, (size_t)chain->chain.n * sizeof *u);
            at += chain->chain.n;
        } else if (body) {
            const pc_free_shape *s = &body->shape;
            memcpy(q + at, (double[3]){s->x, s->y, s->angle}, 3 * sizeof *q);
            memcpy(u + at, (double[3]){s->vx, s->vy, s->rate}, 3 * sizeof *u);
            at += 3;
        }
        lua_pop(L, 1);
    }
}

/* A cleared block that the scene at `index` keeps. */
static void *new_block(lua_State *L, int index, int uservalue, size_t size)
{
    void *block = lua_newuserdatauv(L, size + 1, 0);
    memset(block, 0, size + 1);
    lua_setiuservalue(L, index, uservalue);
    return block;
}

/* scene{ parts..., contact = law, ... } */
static int scene_new(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    pc_check_words(L, 1, "scene", scene_words);
    pc_bound_scene *self = pc_type_new(L, &pc_type_scene, sizeof *self, PC_SCENE_USERVALUES);
    read_settings(L, &self->scene);
    int n = (int)luaL_len(L, 1);
    lua_createtable(L, n, 0);
    int parts = lua_gettop(L);
    lua_newtable(L);
    int laws = lua_gettop(L);
    lua_newtable(L);
    int used = lua_gettop(L);
    lua_pushvalue(L, parts);
    lua_setiuservalue(L, 2, PC_SCENE_PARTS);
    lua_pushvalue(L, laws);
    lua_setiuservalue(L, 2, PC_SCENE_LAWS);

    int n_chains = 0;
    for (int i = 1; i <= n; i++) {
        lua_geti(L, 1, i);
        n_chains += pc_type_test(L, -1, &pc_type_chain) != NULL;
        lua_rawseti(L, parts, i);
    }
    self->chains = new_block(L, 2, PC_SCENE_CHAINS, (size_t)n_chains * sizeof *self->chains);
    self->functions = new_block(L, 2, PC_SCENE_FUNCTIONS, (size_t)n_chains * sizeof *self->functions);
    for (int i = 1; i <= n; i++) {
        lua_rawgeti(L, parts, i);
        add_part(L, self, used, i);
        lua_pop(L, 1);
    }
    if (self->scene.n_dof == 0) return luaL_error(L, "scene: nothing in it can move; give it a chain or a free body");
    bool meets = self->scene.n_sites > 0 && (self->scene.n_obstacles > 0 || self->scene.n_members > 1);
    pc_error err = {0};
    lua_getfield(L, 1, "contact");
    bool given = !lua_isnil(L, -1);
    lua_pop(L, 1);
    if (given || meets) {
        const pc_bound_law *law = read_law(L, 1, laws, "scene");
        if (pc_scene_join(&self->scene, law->law, law->params, &err) != PC_OK) return pc_raise(L, &err);
    }
    read_pairs(L, &self->scene, laws);
    self->start = new_block(L, 2, PC_SCENE_START, 2 * (size_t)self->scene.n_dof * sizeof *self->start);
    fill_start(L, self, parts, n);
    lua_settop(L, 2);
    return 1;
}

static void scene_free(void *self)
{
    pc_scene_free(&((pc_bound_scene *)self)->scene);
}

static void scene_push_parts(lua_State *L, void *self)
{
    (void)self;
    lua_getiuservalue(L, 1, PC_SCENE_PARTS);
    lua_Integer n = luaL_len(L, -1);
    lua_createtable(L, (int)n, 0);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, -2, i);
        lua_rawseti(L, -2, i);
    }
}

static void scene_push_pairs(lua_State *L, void *self)
{
    const pc_scene *scene = &((pc_bound_scene *)self)->scene;
    lua_createtable(L, scene->n_pairs, 0);
    for (int i = 0; i < scene->n_pairs; i++) {
        lua_pushstring(L, scene->pairs[i].name);
        lua_rawseti(L, -2, i + 1);
    }
}

static void scene_push_gravity(lua_State *L, void *self)
{
    lua_pushnumber(L, ((pc_bound_scene *)self)->scene.gravity);
}

static void scene_push_rule(lua_State *L, void *self)
{
    lua_pushstring(L, ((pc_bound_scene *)self)->scene.rule == PC_RULE_SEQUENTIAL ? "sequential" : "simultaneous");
}

static void scene_describe(lua_State *L, void *self)
{
    const pc_scene *scene = &((pc_bound_scene *)self)->scene;
    lua_pushfstring(L, "scene of %d member%s and %d obstacle%s, %d contact%s possible", scene->n_members,
                    scene->n_members == 1 ? "" : "s", scene->n_obstacles, scene->n_obstacles == 1 ? "" : "s",
                    scene->n_pairs, scene->n_pairs == 1 ? "" : "s");
}

static const pc_property scene_properties[] = {
    {"parts", scene_push_parts, NULL, "what it was made of, in order"},
    {"contacts", scene_push_pairs, NULL, "names of the contacts that are possible, \"chain on floor\""},
    {"gravity", scene_push_gravity, "m/s^2", "acceleration of gravity, downwards"},
    {"together", scene_push_rule, NULL, "how impacts at one instant are resolved: sequential or simultaneous"},
    {0},
};

const pc_type pc_type_scene = {
    .name = "percuss.scene",
    .summary = "What moves, what stands in its way, and the law by which they collide.",
    .properties = scene_properties,
    .free = scene_free,
    .describe = scene_describe,
};

/* ---- module ---- */

static const pc_param chain_params[] = {
    {"options", "table", NULL, NULL,
     "links (list of { mass, length, center, inertia, radius, reach, damping, stiffness, rest_angle, torque, "
     "frequency, "
     "phase, from }), angles and rates at the start (lists), pivot { x, y, amplitude_x, amplitude_y, frequency, phase "
     "} "
     "or a function of t that returns x, y, their velocities and accelerations, torque (function of t, angles, rates "
     "that returns a torque for each link), touch (\"end\", \"joints\" or \"none\": what may touch besides links with "
     "a "
     "radius), name"},
    {0},
};
static const pc_param scene_params[] = {
    {"options", "table", NULL, NULL,
     "list of chains, free bodies and obstacles; contact (the law of all pairs), pairs (list of { a =, b =, contact = "
     "} for "
     "those with another law, by names), gravity (9.81 m/s^2), v_rest (0 m/s: off), together (\"sequential\" or "
     "\"simultaneous\")"},
    {0},
};

static const pc_function functions[] = {
    {"chain", chain_new, "A planar chain of rigid links for scenes; angles are absolute, from the downward vertical.",
     chain_params, "chain", "Featherstone (1983); Sypniewska-Kaminska (2017), equation 3",
     "local rig = percuss.chain{ links = { { mass = 1, length = 0.5 }, { mass = 2, length = 1 } }, angles = { 1, 0 } "
     "}\n"
     "print(rig, rig.links[2].center) --> chain of 2 links\t0.5"},
    {"scene", scene_new, "A scene: chains and free bodies, what stands in their way, and the law of their contacts.",
     scene_params, "scene", NULL,
     "local ball = percuss.free{ shape = \"disc\", radius = 0.1, mass = 1, y = 1 }\n"
     "print(percuss.scene{ ball, percuss.floor{ height = 0 },\n"
     "    contact = percuss.contact.newton{ restitution = 0.5, friction = 0 } }.contacts[1]) --> body on floor"},
    {0},
};

void pc_open_scene(lua_State *L)
{
    pc_type_open(L, &pc_type_chain);
    pc_type_open(L, &pc_type_free);
    pc_type_open(L, &pc_type_obstacle);
    pc_type_open(L, &pc_type_scene);
    pc_functions_open(L, "", functions);
    pc_constructor_open(L, &pc_free_schema, free_new, NULL);
    for (int i = 0; i < PC_OBSTACLE_KINDS; i++)
        pc_constructor_open(L, pc_obstacle_kinds[i].schema, obstacle_new, &pc_obstacle_kinds[i]);
}
