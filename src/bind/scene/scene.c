/* The scene module: scenes made of chains, free bodies and obstacles (part.c). */
#include "bind/core/bind.h"
#include "bind/law/law.h"
#include "bind/scene/scene.h"
#include "scene/curve_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    pc_push_numbers(L, q, f->n);
    pc_push_numbers(L, u, f->n);
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
    self->in_use++;
    return saved;
}

void pc_scene_functions_close(pc_bound_scene *scene, const pc_scene_functions *saved)
{
    scene->in_use--;
    if (scene->n_chains > 0) memcpy(scene->functions, saved, (size_t)scene->n_chains * sizeof *saved);
}

/* ---- scenes ---- */

typedef struct pair_options {
    const char *a, *b;
} pair_options;

static const pc_row pair_rows[] = {
    {.name = "a",
     .kind = PC_STRING,
     .offset = offsetof(pair_options, a),
     .initial = PC_REQUIRED,
     .doc = "name of a part"},
    {.name = "b",
     .kind = PC_STRING,
     .offset = offsetof(pair_options, b),
     .initial = PC_REQUIRED,
     .doc = "name of the other part"},
    {.name = "contact", .kind = PC_OBJECT, .object = "law", .initial = PC_REQUIRED, .doc = "the law of their contacts"},
};
static const pc_schema pair_schema = {
    .name = "scene: an entry of pairs", PC_ROWS(pair_rows), .size = sizeof(pair_options)};

static const pc_row scene_rows[] = {
    PC_STAYS_ROW("contact", PC_OBJECT, .object = "law", .otherwise = "none",
                 .doc = "the law of all pairs that have none of their own"),
    PC_STAYS_ROW("pairs", PC_LIST, .options = &pair_schema, .otherwise = "none",
                 .doc = "a table for each pair with a law of its own; without contact, for every pair that can touch"),
};
static const pc_schema scene_schema = {.name = "scene", PC_ROWS(scene_rows), .list = true, .base = &pc_scene_schema};

/* The law in field `contact` of the table at `index`; the list of laws keeps it. */
static const pc_bound_law *read_law(lua_State *L, int index, int laws, const char *where)
{
    lua_getfield(L, index, "contact");
    const pc_bound_law *law = pc_type_test(L, -1, &pc_type_law);
    if (!law)
        pc_refuse(L,
                  "%s: contact must be a law, as in contact = percuss.contact.poisson{ restitution = 0.9, friction = "
                  "0.15 }",
                  where);
    if (!(law->law->abilities & PC_LAW_PLANAR)) pc_refuse(L, "%s: %s is no planar law", where, law->law->schema->name);
    lua_rawseti(L, laws, (lua_Integer)lua_rawlen(L, laws) + 1);
    return law;
}

/* pairs = { { a = name, b = name, contact = law }, ... } */
static void read_pairs(lua_State *L, pc_scene *scene, int laws)
{
    if (!pc_option_push(L, 1, "pairs")) return;
    int list = lua_gettop(L);
    lua_Integer n = luaL_len(L, list);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_geti(L, list, i);
        pair_options pair;
        pc_options_take(L, list + 1, &pair_schema, &pair);
        const pc_bound_law *law = read_law(L, list + 1, laws, "scene: pairs");
        if (pc_scene_set_law(scene, pair.a, pair.b, law->law, law->params) == 0)
            pc_refuse(L, "scene: pairs[%d]: no contact of '%s' with '%s' is possible", (int)i, pair.a, pair.b);
        lua_settop(L, list);
    }
    lua_pop(L, 1);
}

/* The chain of a scene, whose functions are called in the Lua state that runs; the chain as described is on top. */
static const pc_chain *copy_chain(lua_State *L, pc_bound_scene *self, const pc_chain *source)
{
    pc_chain *chain = &self->chains[self->n_chains];
    pc_scene_functions *f = &self->functions[self->n_chains++];
    *chain = *source;
    f->n = chain->n;
    f->has_torque = lua_getiuservalue(L, -1, PC_CHAIN_TORQUE) == LUA_TFUNCTION;
    f->has_pivot = lua_getiuservalue(L, -2, PC_CHAIN_PIVOT) == LUA_TFUNCTION;
    lua_pop(L, 2);
    if (f->has_torque) {
        chain->torque = call_torque;
        chain->torque_context = f;
    }
    if (f->has_pivot) {
        chain->pivot.motion = call_pivot;
        chain->pivot.context = f;
    }
    return chain;
}

/* One part of the list, on top of the stack. */
static pc_part read_part(lua_State *L, pc_bound_scene *self, int number)
{
    const pc_bound_chain *chain = pc_type_test(L, -1, &pc_type_chain);
    const pc_bound_free *body = pc_type_test(L, -1, &pc_type_free);
    const pc_bound_obstacle *obstacle = pc_type_test(L, -1, &pc_type_obstacle);
    if (chain)
        return (pc_part){.chain = copy_chain(L, self, &chain->chain),
                         .options = &chain->options,
                         .angles = chain->angles,
                         .rates = chain->rates};
    const pc_bound_force *force = pc_type_test(L, -1, &pc_type_force);
    const double *start;
    const pc_mechanism *mechanism = pc_bound_mechanism_test(L, -1, &start);
    if (mechanism) return (pc_part){.mechanism = mechanism, .angles = start, .rates = start + mechanism->n};
    if (body) return (pc_part){.body = &body->shape};
    if (force) return (pc_part){.force = force->kind, .params = force->params};
    if (!obstacle)
        pc_refuse(L,
                  "scene: part %d must be a chain, a free body, a mechanism, an obstacle, a force or a joint, not %s",
                  number, luaL_tolstring(L, -1, NULL));
    return (pc_part){.obstacle = obstacle->kind, .params = obstacle->params};
}

/* A cleared block that the scene at `index` keeps. */
static void *new_block(lua_State *L, int index, int uservalue, size_t size)
{
    void *block = lua_newuserdatauv(L, size + 1, 0);
    memset(block, 0, size + 1);
    lua_setiuservalue(L, index, uservalue);
    return block;
}

static void *move_list(char **block, const void *list, size_t size)
{
    void *kept = *block;
    if (size > 0) memcpy(kept, list, size);
    *block += size;
    return kept;
}

/* Put the lists of a scene that is complete into one block of the collector: a run that outlives the closed scene still
 * names its contacts. */
static void keep_lists(lua_State *L, int index, pc_scene *scene)
{
    pc_scene built = *scene;
    size_t members = (size_t)built.n_members * sizeof *built.members,
           sites = (size_t)(built.n_sites + built.n_ends) * sizeof *built.sites;
    size_t outlines = (size_t)(built.n_outlines + built.n_parts + built.n_ends) * sizeof *built.outlines;
    size_t spans = (size_t)built.n_spans * sizeof *built.spans;
    size_t pairs = (size_t)built.n_pairs * sizeof *built.pairs;
    size_t forces = (size_t)built.n_forces * sizeof *built.forces;
    size_t drives = (size_t)built.n_drives * sizeof *built.drives;
    size_t joints = (size_t)built.n_joints * sizeof *built.joints;
    char *block =
        new_block(L, index, PC_SCENE_LISTS, members + sites + outlines + spans + pairs + forces + drives + joints);
    scene->members = move_list(&block, built.members, members);
    scene->sites = move_list(&block, built.sites, sites);
    scene->outlines = move_list(&block, built.outlines, outlines);
    scene->spans = move_list(&block, built.spans, spans);
    pc_scene_place_parts(scene);
    scene->pairs = move_list(&block, built.pairs, pairs);
    scene->forces = move_list(&block, built.forces, forces);
    scene->drives = move_list(&block, built.drives, drives);
    scene->joints = move_list(&block, built.joints, joints);
    pc_scene_free(&built);
}

/* scene{ parts..., contact = law, ... } */
static int scene_new(lua_State *L)
{
    pc_argument_type(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    pc_bound_scene *self = pc_type_new(L, &pc_type_scene, sizeof *self, PC_SCENE_USERVALUES);
    pc_options_take(L, 1, &scene_schema, &self->scene);
    int n = (int)luaL_len(L, 1);
    lua_createtable(L, n, 0);
    int parts = lua_gettop(L);
    lua_newtable(L);
    int laws = lua_gettop(L);
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
    pc_part *list = lua_newuserdatauv(L, (size_t)n * sizeof *list + 1, 0);
    for (int i = 1; i <= n; i++) {
        lua_rawgeti(L, parts, i);
        list[i - 1] = read_part(L, self, i);
        if (list[i - 1].mechanism) pc_mechanism_keep_laws(L, -1, laws);
        lua_pop(L, 1);
    }
    pc_error err = {0};
    if (pc_scene_assemble(&self->scene, list, n, &err) != PC_OK) return pc_raise(L, &err);
    bool given = lua_getfield(L, 1, "contact") != LUA_TNIL;
    lua_pop(L, 1);
    const pc_bound_law *law = given ? read_law(L, 1, laws, "scene") : NULL;
    if (pc_scene_join(&self->scene, law ? law->law : NULL, law ? law->params : NULL, &err) != PC_OK)
        return pc_raise(L, &err);
    read_pairs(L, &self->scene, laws);
    if (pc_scene_check(&self->scene, &err) != PC_OK) return pc_raise(L, &err);
    double *start = new_block(L, 2, PC_SCENE_START, 2 * (size_t)self->scene.n_dof * sizeof *start);
    keep_lists(L, 2, &self->scene);
    self->start = start;
    pc_parts_start(list, n, self->scene.n_dof, start);
    lua_settop(L, 2);
    pc_recipe_keep(L, 1, 2, PC_SCENE_OPTIONS);
    return 1;
}

static void scene_free(void *self)
{
    pc_bound_scene *scene = self;
    if (!scene->start) pc_scene_free(&scene->scene);
}

static bool scene_in_use(const void *self)
{
    return ((const pc_bound_scene *)self)->in_use > 0;
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

/* The law of all pairs, or nil. */
static void scene_push_contact(lua_State *L, void *self)
{
    (void)self;
    lua_getiuservalue(L, 1, PC_SCENE_OPTIONS);
    lua_getfield(L, -1, "contact");
}

/* A copy of the pairs that were given. */
static void scene_push_laws(lua_State *L, void *self)
{
    (void)self;
    lua_getiuservalue(L, 1, PC_SCENE_OPTIONS);
    lua_Integer n = lua_getfield(L, -1, "pairs") == LUA_TTABLE ? luaL_len(L, -1) : 0;
    int list = lua_gettop(L);
    lua_createtable(L, (int)n, 0);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, list, i);
        lua_createtable(L, 0, 3);
        for (int k = 0; k < pair_schema.n_rows; k++) {
            lua_getfield(L, -2, pair_rows[k].name);
            lua_setfield(L, -2, pair_rows[k].name);
        }
        lua_rawseti(L, list + 1, i);
        lua_settop(L, list + 1);
    }
}

/* Which members meet at each contact, the one that touches with a point first; 0: an obstacle. */
static void scene_push_contact_bodies(lua_State *L, void *self)
{
    const pc_scene *scene = &((pc_bound_scene *)self)->scene;
    lua_createtable(L, scene->n_pairs, 0);
    for (int i = 0; i < scene->n_pairs; i++) {
        int first = scene->sites[scene->pairs[i].site].member, second = scene->outlines[scene->pairs[i].outline].member;
        if (scene->pairs[i].kind == PC_PAIR_GAP) second = -1;
        pc_push_numbers(L, (const double[2]){first < 0 ? second + 1 : first + 1, first < 0 ? 0 : second + 1}, 2);
        lua_rawseti(L, -2, i + 1);
    }
}

/* What obstacles are called, in the order of the parts. */
static void scene_push_obstacles(lua_State *L, void *self)
{
    const pc_scene *scene = &((pc_bound_scene *)self)->scene;
    lua_createtable(L, scene->n_obstacles, 0);
    for (int i = 0, n = 0; i < scene->n_outlines; i++) {
        if (scene->outlines[i].member >= 0) continue;
        lua_pushstring(L, scene->outlines[i].name);
        lua_rawseti(L, -2, ++n);
    }
}

/* The body at an end of a joint, and the place there, in the frame that is that of space at angle 0. */
static void set_end(lua_State *L, const pc_scene *scene, const pc_scene_force *at, int end, const char *body,
                    const char *place)
{
    const pc_member *member = at->member[end] < 0 ? NULL : &scene->members[at->member[end]];
    if (!member)
        lua_pushstring(L, "ground");
    else if (member->chain && member->chain->n > 1)
        lua_pushfstring(L, "%s.link%d", member->name, at->link[end] + 1);
    else
        lua_pushstring(L, member->name);
    lua_setfield(L, -2, body);
    const double own[2] = {member ? at->across[end] : at->along[end], member ? 0 - at->along[end] : at->across[end]};
    pc_push_numbers(L, own, 2);
    lua_setfield(L, -2, place);
}

static void scene_push_joints(lua_State *L, void *self)
{
    const pc_scene *scene = &((pc_bound_scene *)self)->scene;
    lua_createtable(L, scene->n_joints, 0);
    for (int i = 0; i < scene->n_joints; i++) {
        const pc_scene_force *at = &scene->joints[i].at;
        lua_createtable(L, 0, 6);
        lua_pushstring(L, at->name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, at->kind->schema->name);
        lua_setfield(L, -2, "kind");
        set_end(L, scene, at, 0, "a", "a_at");
        set_end(L, scene, at, 1, "b", "b_at");
        pc_record_seal(L, "");
        lua_rawseti(L, -2, i + 1);
    }
}

/* What the columns of each member begin with. */
static void scene_push_prefixes(lua_State *L, void *self)
{
    const pc_scene *scene = &((pc_bound_scene *)self)->scene;
    lua_createtable(L, scene->n_members, 0);
    for (int i = 0; i < scene->n_members; i++) {
        bool told = pc_scene_tells(scene, i);
        lua_pushfstring(L, "%s%s", told ? scene->members[i].name : "", told ? "." : "");
        lua_rawseti(L, -2, i + 1);
    }
}

static int scene_index(lua_State *L)
{
    const pc_bound_scene *self = pc_type_check(L, 1, &pc_type_scene);
    return pc_push_parameter(L, &pc_scene_schema, &self->scene);
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
    {"contact_bodies", scene_push_contact_bodies, NULL,
     "for each of these { a, b }: which of the chains and free bodies, by their order, meet there; 0 is an obstacle"},
    {"obstacles", scene_push_obstacles, NULL,
     "names of the obstacles, in order: what they are called in contacts and, where they move, in columns and works"},
    {"joints", scene_push_joints, "m",
     "list of its joints, in order: name, kind, the bodies a and b, and where it is on them, a_at and b_at"},
    {"contact", scene_push_contact, NULL, "the law of all pairs; nil if each has its own"},
    {"pairs", scene_push_laws, NULL, "list of { a =, b =, contact = }: the pairs that have laws of their own"},
    {"prefixes", scene_push_prefixes, NULL,
     "what the columns of each chain and free body begin with, in order: its name and a dot, or nothing"},
    {0},
};
static const luaL_Reg scene_meta[] = {{"__index", scene_index}, {NULL, NULL}};

const pc_type pc_type_scene = {
    .name = "percuss.scene",
    .summary = "What moves, what stands in its way, and the law by which they collide; each parameter is a field.",
    .properties = scene_properties,
    .metamethods = scene_meta,
    .free = scene_free,
    .in_use = scene_in_use,
    .describe = scene_describe,
};

/* ---- module ---- */

static const pc_function functions[] = {
    {"chain", pc_chain_new,
     "A planar chain of rigid links for scenes; angles are absolute, from the downward vertical.",
     PC_TAKES(pc_chain_options_schema), "chain", "Featherstone (1983); Sypniewska-Kaminska (2017), equation 3",
     "local rig = percuss.chain{ links = { { mass = 1, length = 0.5 }, { mass = 2, length = 1 } }, angles = { 1, 0 } "
     "}\n"
     "print(rig, rig.links[2].center) --> chain of 2 links\t0.5"},
    {"scene", scene_new, "A scene: chains and free bodies, what stands in their way, and the law of their contacts.",
     PC_TAKES(scene_schema), "scene", NULL,
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
    pc_type_open(L, &pc_type_force);
    pc_type_open(L, &pc_type_mechanism);
    pc_type_open(L, &pc_type_scene);
    pc_functions_open(L, "", functions);
    pc_constructor_open(L, &pc_link_schema, pc_link_new, NULL);
    pc_constructor_open(L, &pc_free_schema, pc_free_new, NULL);
    pc_constructor_open(L, &pc_mechanism_schema, pc_mechanism_new, NULL);
    for (int i = 0; i < PC_OBSTACLE_KINDS; i++)
        pc_constructor_open(L, pc_obstacle_kinds[i]->schema, pc_obstacle_new, pc_obstacle_kinds[i]);
    for (int i = 0; i < PC_FORCE_KINDS; i++)
        pc_constructor_open(L, pc_force_kinds[i]->schema, pc_force_new, pc_force_kinds[i]);
}
