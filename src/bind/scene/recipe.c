/* Recipes: see scene.h. Tagged values (bind.h), and besides
 *
 *     X a function,
 *     U the name of a constructor (S), then its options
 *
 * The keys of a table stand in order: integers before strings, each ascending.
 */
#include "base/files.h"
#include "bind/core/bind.h"
#include "bind/law/law.h"
#include "bind/law/restitution.h"
#include "bind/ode/ode.h"
#include "bind/scene/run.h"
#include "bind/scene/scene.h"
#include "law/rigid/rigid.h"
#include "motion/run.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Of tables; those of parts lie within those of scenes. */
enum { DEEPEST = 16, DEEPEST_READ = 2 * DEEPEST, MOST_KEYS = 4096 };

/* Stands for a function that was not kept. */
static const char lost_function;

/* ---- options that are kept ---- */

static void push_copy(lua_State *L, int index, int depth)
{
    luaL_checkstack(L, 8, "options are nested too deeply");
    const pc_array *array = pc_array_test(L, index);
    if (array) {
        pc_push_numbers(L, array->v, (int)array->n);
        return;
    }
    if (lua_type(L, index) != LUA_TTABLE || depth > DEEPEST) {
        lua_pushvalue(L, index);
        return;
    }
    lua_newtable(L);
    int copy = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        push_copy(L, lua_gettop(L) - 1, depth + 1);
        lua_rawset(L, copy);
    }
}

void pc_recipe_keep(lua_State *L, int options, int object, int uservalue)
{
    object = lua_absindex(L, object);
    push_copy(L, lua_absindex(L, options), 0);
    lua_setiuservalue(L, object, uservalue);
}

/* ---- writing ---- */

typedef struct writer {
    pc_tagged_out out;
    const char *what; /* for messages */
} writer;

static void put_tag(writer *w, char tag)
{
    pc_tagged_put_tag(&w->out, tag);
}

static void put_string(writer *w, const char *text, size_t n)
{
    pc_tagged_put_string(&w->out, text, n);
}

static void put_value(writer *w, lua_State *L, int index, int depth);

/* String keys of the table at `index` as a sorted list, pushed; their number. */
static int push_keys(writer *w, lua_State *L, int index)
{
    lua_newtable(L);
    int list = lua_gettop(L), n = 0;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        if (lua_isinteger(L, -2)) continue;
        if (lua_type(L, -2) != LUA_TSTRING) pc_refuse(L, "%s: a table has a key that is no name", w->what);
        if (n == MOST_KEYS) pc_refuse(L, "%s: a table has more than %d names", w->what, MOST_KEYS);
        lua_pushvalue(L, -2);
        int at = ++n;
        for (; at > 1; at--) { /* move greater ones up */
            lua_rawgeti(L, list, at - 1);
            bool greater = strcmp(lua_tostring(L, -1), lua_tostring(L, -2)) > 0;
            if (!greater) {
                lua_pop(L, 1);
                break;
            }
            lua_rawseti(L, list, at);
        }
        lua_rawseti(L, list, at);
    }
    return n;
}

static void put_table(writer *w, lua_State *L, int index, int depth)
{
    if (depth > DEEPEST) pc_refuse(L, "%s: a table is nested more than %d deep", w->what, DEEPEST);
    luaL_checkstack(L, 12, w->what);
    put_tag(w, 'L');
    lua_Integer length = (lua_Integer)lua_rawlen(L, index);
    for (lua_Integer i = 1; i <= length; i++) {
        lua_rawgeti(L, index, i);
        pc_tagged_put_bits(&w->out, 'I', (uint64_t)i);
        put_value(w, L, lua_gettop(L), depth + 1);
        lua_pop(L, 1);
    }
    int n = push_keys(w, L, index), keys = lua_gettop(L);
    for (int i = 1; i <= n; i++) {
        lua_rawgeti(L, keys, i);
        size_t size;
        const char *key = lua_tolstring(L, -1, &size);
        put_string(w, key, size);
        lua_rawget(L, index);
        put_value(w, L, lua_gettop(L), depth + 1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    put_tag(w, 'E');
}

static void put_maker(writer *w, const char *name)
{
    put_tag(w, 'U');
    put_string(w, name, strlen(name));
}

/* The options kept in a user value. */
static void put_kept(writer *w, lua_State *L, int index, const char *name, int uservalue, int depth)
{
    put_maker(w, name);
    lua_getiuservalue(L, index, uservalue);
    put_value(w, L, lua_gettop(L), depth + 1);
    lua_pop(L, 1);
}

/* Push a table of the rows of a struct that are in `given`; the objects among them are materials. */
static void push_rows(lua_State *L, const pc_schema *schema, const void *object, uint64_t given)
{
    lua_newtable(L);
    for (int i = 0; i < schema->n_rows; i++) {
        if (!(given >> i & 1)) continue;
        const pc_row *row = &schema->rows[i];
        if (row->kind == PC_OBJECT) {
            void *material = pc_type_new(L, &pc_type_material, sizeof(pc_material), 0);
            memcpy(material, (const char *)object + row->offset, sizeof(pc_material));
        } else {
            pc_row_push(L, row, object);
        }
        lua_setfield(L, -2, schema->rows[i].name);
    }
}

/* What makes a thing, and the options on top of the stack. */
static void put_made(writer *w, lua_State *L, const char *name, int depth)
{
    put_maker(w, name);
    put_value(w, L, lua_gettop(L), depth + 1);
    lua_pop(L, 1);
}

/* A law in Lua, or one whose restitution is a function, is known by its name and by what its functions are. */
static void put_law(writer *w, lua_State *L, int index, const pc_bound_law *law, int depth)
{
    push_rows(L, law->law->schema, law->params, law->given);
    if (pc_law_is_scripted(law->law)) {
        pc_scripted_push_identity(L, law->law);
        lua_setfield(L, -2, "identity");
    }
    if (lua_getiuservalue(L, index, PC_LAW_RESTITUTION) == LUA_TUSERDATA) {
        lua_getfield(L, -1, "identity");
        lua_setfield(L, -3, "identity");
        lua_setfield(L, -2, "restitution");
    } else {
        lua_pop(L, 1);
    }
    put_made(w, L, law->law->schema->name, depth);
}

/* Rows that are not at their defaults. */
static uint64_t changed_rows(const pc_schema *schema, const void *object)
{
    uint64_t changed = 0;
    for (int i = 0; i < schema->n_rows; i++)
        if (pc_row_number(&schema->rows[i], object) != schema->rows[i].initial) changed |= (uint64_t)1 << i;
    return changed;
}

/* A body or a material: false if the value is neither. A pair of bodies is not made of rows. */
static bool put_body(writer *w, lua_State *L, int index, int depth)
{
    const pc_bound_body *body = pc_type_test(L, index, &pc_type_body);
    const pc_material *material = pc_type_test(L, index, &pc_type_material);
    if (material) {
        push_rows(L, &pc_material_schema, material, changed_rows(&pc_material_schema, material));
        put_made(w, L, pc_material_schema.name, depth);
    } else if (body && body->body.kind) {
        const pc_schema *schema = body->body.kind->schema;
        push_rows(L, schema, body->params, body->given);
        put_made(w, L, schema->name, depth);
    }
    return material || (body && body->body.kind);
}

static void put_object(writer *w, lua_State *L, int index, int depth)
{
    const pc_bound_obstacle *obstacle = pc_type_test(L, index, &pc_type_obstacle);
    const pc_bound_force *force = pc_type_test(L, index, &pc_type_force);
    const pc_bound_law *law = pc_type_test(L, index, &pc_type_law);
    const pc_bound_solver *solver = pc_type_test(L, index, &pc_type_solver);
    if (pc_type_test(L, index, &pc_type_scene)) {
        put_kept(w, L, index, "scene", PC_SCENE_OPTIONS, depth);
    } else if (pc_type_test(L, index, &pc_type_chain)) {
        put_kept(w, L, index, "chain", PC_CHAIN_OPTIONS, depth);
    } else if (pc_type_test(L, index, &pc_type_free)) {
        put_kept(w, L, index, "free", PC_FREE_OPTIONS, depth);
    } else if (obstacle) {
        put_kept(w, L, index, obstacle->kind->schema->name, PC_OBSTACLE_OPTIONS, depth);
    } else if (pc_type_test(L, index, &pc_type_mechanism)) {
        pc_mechanism_push_options(L, index);
        put_made(w, L, "mechanism", depth);
    } else if (force) {
        put_kept(w, L, index, force->kind->schema->name, PC_FORCE_OPTIONS, depth);
    } else if (law) {
        put_law(w, L, index, law, depth);
    } else if (pc_type_test(L, index, &pc_type_restitution)) {
        const char *name;
        if (pc_restitution_push_recipe(L, index, &name))
            put_made(w, L, name, depth);
        else
            put_tag(w, 'X');
    } else if (solver) {
        const pc_schema *schema = solver->method->schema;
        push_rows(L, schema, &solver->settings, changed_rows(schema, &solver->settings));
        put_made(w, L, schema->name, depth);
    } else if (!put_body(w, L, index, depth)) {
        pc_refuse(L, "%s: %s cannot be saved", w->what, luaL_tolstring(L, index, NULL));
    }
}

/* `index` is absolute. */
static void put_value(writer *w, lua_State *L, int index, int depth)
{
    luaL_checkstack(L, 12, w->what);
    if (pc_tagged_put_plain(&w->out, L, index)) return;
    switch (lua_type(L, index)) {
    case LUA_TFUNCTION:
    case LUA_TLIGHTUSERDATA: put_tag(w, 'X'); break;
    case LUA_TTABLE: put_table(w, L, index, depth); break;
    default: put_object(w, L, index, depth);
    }
}

const unsigned char *pc_recipe_push(lua_State *L, int index, const char *what, size_t *n)
{
    index = lua_absindex(L, index);
    writer count = {.what = what};
    put_value(&count, L, index, 0);
    writer w = {{lua_newuserdatauv(L, count.out.n, 0), 0}, what};
    put_value(&w, L, index, 0);
    *n = w.out.n;
    return w.out.bytes;
}

/* ---- reading ---- */

static bool is_name(const pc_schema *schema, const char *name, size_t n)
{
    return strlen(schema->name) == n && memcmp(schema->name, name, n) == 0;
}

/* Push the constructor of a name: of parts, bodies, materials, scenes, laws and solvers, and of nothing else. */
static bool push_maker(lua_State *L, const char *name, size_t n)
{
    bool known = (n == 5 && memcmp(name, "scene", 5) == 0) || (n == 5 && memcmp(name, "chain", 5) == 0);
    known |= is_name(&pc_mechanism_schema, name, n);
    known |= is_name(&pc_free_schema, name, n) || is_name(&pc_material_schema, name, n);
    for (int i = 0; i < PC_OBSTACLE_KINDS; i++) known |= is_name(pc_obstacle_kinds[i]->schema, name, n);
    for (int i = 0; i < PC_FORCE_KINDS; i++) known |= is_name(pc_force_kinds[i]->schema, name, n);
    for (int i = 0; i < pc_n_laws; i++) known |= is_name(pc_laws[i]->schema, name, n);
    for (int i = 0; i < pc_n_body_kinds; i++) known |= is_name(pc_body_kinds[i]->schema, name, n);
    for (int i = 0; i < pc_n_ode_methods; i++) known |= is_name(pc_ode_methods[i]->schema, name, n);
    for (int i = 0; i < pc_n_restitution_kinds; i++) known |= is_name(pc_restitution_kinds[i].schema, name, n);
    if (!known) return pc_scripted_push_maker(L, name, n);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, "percuss");
    lua_remove(L, -2);
    for (const char *end = name + n; name < end;) {
        const char *dot = memchr(name, '.', (size_t)(end - name));
        size_t part = dot ? (size_t)(dot - name) : (size_t)(end - name);
        lua_pushlstring(L, name, part);
        lua_gettable(L, -2);
        lua_remove(L, -2);
        name += part + (dot != NULL);
    }
    return true;
}

static bool get_value(pc_tagged_in *r, lua_State *L, int depth);

static bool get_table(pc_tagged_in *r, lua_State *L, int depth)
{
    lua_newtable(L);
    while (r->at < r->end && *r->at != 'E') {
        if ((*r->at != 'I' && *r->at != 'S') || !get_value(r, L, depth + 1) || !get_value(r, L, depth + 1))
            return false;
        lua_rawset(L, -3);
    }
    return r->at++ < r->end;
}

static bool get_made(pc_tagged_in *r, lua_State *L, int depth)
{
    const char *name;
    size_t n;
    char tag;
    if (!pc_tagged_get_tag(r, &tag) || tag != 'S' || !pc_tagged_get_string(r, &name, &n) || !push_maker(L, name, n))
        return false;
    if (!get_value(r, L, depth + 1)) return false;
    lua_call(L, 1, 1);
    return true;
}

/* Pushes the value; after false the stack holds what was read so far. */
static bool get_value(pc_tagged_in *r, lua_State *L, int depth)
{
    char tag;
    if (depth > DEEPEST_READ || !lua_checkstack(L, 12) || !pc_tagged_get_tag(r, &tag)) return false;
    switch (tag) {
    case 'X': lua_pushlightuserdata(L, (void *)&lost_function); return true;
    case 'L': return get_table(r, L, depth);
    case 'U': return get_made(r, L, depth);
    default: return pc_tagged_push_plain(r, L, tag);
    }
}

bool pc_recipe_make(lua_State *L, const unsigned char *bytes, size_t n)
{
    int top = lua_gettop(L);
    pc_tagged_in r = {bytes, bytes + n};
    if (get_value(&r, L, 0) && r.at == r.end) return true;
    lua_settop(L, top);
    return false;
}

/* ---- comparing ---- */

typedef struct key {
    const char *name; /* NULL: an index, or the end of the table */
    size_t n;
    uint64_t index;
    bool end;
} key;

/* A place in a value: the keys on the way to it. */
typedef struct place {
    int depth;
    key keys[DEEPEST_READ];
} place;

static bool get_key(pc_tagged_in *r, key *k)
{
    char tag;
    *k = (key){0};
    if (!pc_tagged_get_tag(r, &tag)) return false;
    k->end = tag == 'E';
    return k->end ||
           (tag == 'S' ? pc_tagged_get_string(r, &k->name, &k->n) : tag == 'I' && pc_tagged_get_bits(r, &k->index));
}

/* In the order of the file: indices, names, the end. */
static int compare_keys(const key *a, const key *b)
{
    if (a->end || b->end) return a->end - b->end;
    if (!a->name && !b->name) return (a->index > b->index) - (a->index < b->index);
    if (!a->name || !b->name) return a->name ? 1 : -1;
    int order = memcmp(a->name, b->name, a->n < b->n ? a->n : b->n);
    return order != 0 ? order : (a->n > b->n) - (a->n < b->n);
}

static bool find(pc_tagged_in *a, pc_tagged_in *b, place *p);

static bool find_in_table(pc_tagged_in *a, pc_tagged_in *b, place *p)
{
    if (p->depth >= DEEPEST_READ) return true;
    key *at = &p->keys[p->depth++], other;
    for (;;) {
        if (!get_key(a, at)) return true;
        if (b && !get_key(b, &other)) return true;
        int order = b ? compare_keys(at, &other) : 0;
        if (order > 0) *at = other;
        if (order != 0) return true;
        if (at->end) break;
        if (find(a, b, p)) return true;
    }
    p->depth--;
    return false;
}

/* Walk through `a`, and through `b` beside it if that is given, to the first function, or to the first difference:
 * true, and the place is there. */
static bool find(pc_tagged_in *a, pc_tagged_in *b, place *p)
{
    char tag = 0, other = 0;
    uint64_t bits = 0, bits_b = 0;
    const char *text = "", *text_b = "";
    size_t n = 0, n_b = 0;
    if (!pc_tagged_get_tag(a, &tag) || (b && (!pc_tagged_get_tag(b, &other) || tag != other))) return true;
    switch (tag) {
    case 'X': return !b;
    case 'I':
    case 'D': return !pc_tagged_get_bits(a, &bits) || (b && (!pc_tagged_get_bits(b, &bits_b) || bits != bits_b));
    case 'S':
        return !pc_tagged_get_string(a, &text, &n) ||
               (b && (!pc_tagged_get_string(b, &text_b, &n_b) || n != n_b || memcmp(text, text_b, n) != 0));
    case 'U': /* a name, then a table */
        if (a->at == a->end || *a->at != 'S' || find(a, b, p)) return true;
        return a->at == a->end || *a->at != 'L' || find(a, b, p);
    case 'L': return find_in_table(a, b, p);
    default: return false;
    }
}

static void push_place(lua_State *L, const place *p)
{
    lua_pushliteral(L, "");
    for (int i = 0; i < p->depth; i++) {
        if (p->keys[i].name) {
            lua_pushstring(L, i > 0 ? "." : "");
            lua_pushlstring(L, p->keys[i].name, p->keys[i].n);
            lua_concat(L, 3);
        } else {
            lua_pushfstring(L, "[%I]", (LUAI_UACINT)p->keys[i].index);
            lua_concat(L, 2);
        }
    }
}

bool pc_recipe_push_function(lua_State *L, const unsigned char *bytes, size_t n)
{
    place p = {0};
    pc_tagged_in r = {bytes, bytes + n};
    if (!find(&r, NULL, &p)) return false;
    push_place(L, &p);
    return true;
}

bool pc_recipe_push_difference(lua_State *L, const unsigned char *a, size_t n, const unsigned char *b, size_t m)
{
    place p = {0};
    pc_tagged_in first = {a, a + n}, second = {b, b + m};
    if (!find(&first, &second, &p)) return false;
    push_place(L, &p);
    return true;
}

/* Runs into files and back: run:save, percuss.load_run. */

enum { NOTE_SCENE, NOTE_SETTINGS };

/* How the run was asked for, as a table on top of the stack; `events`: index of the list of its events. */
static void push_settings(lua_State *L, const pc_bound_run *self, int events)
{
    lua_createtable(L, 0, 4);
    pc_bound_solver *solver = pc_type_new(L, &pc_type_solver, sizeof *solver, 0);
    *solver = self->solver;
    lua_setfield(L, -2, "solver");
    if (self->contact_solver.method) {
        solver = pc_type_new(L, &pc_type_solver, sizeof *solver, 0);
        *solver = self->contact_solver;
        lua_setfield(L, -2, "contact_solver");
    }
    lua_pushinteger(L, self->max_impacts);
    lua_setfield(L, -2, "max_impacts");
    lua_pushboolean(L, self->record);
    lua_setfield(L, -2, "record");
    lua_pushvalue(L, events);
    lua_setfield(L, -2, "events");
    lua_createtable(L, self->breaks.n, 0);
    for (int i = 0; i < self->breaks.n; i++) {
        lua_pushnumber(L, self->breaks.t[i]);
        lua_rawseti(L, -2, i + 1);
    }
    if (self->breaks.n > 0)
        lua_setfield(L, -2, "breaks");
    else
        lua_pop(L, 1);
    if (isnan(self->time_scale)) return;
    lua_pushnumber(L, self->time_scale);
    lua_setfield(L, -2, "time_scale");
}

/* run:save(path) */
int pc_run_save_file(lua_State *L)
{
    const pc_bound_run *self = pc_run_check(L);
    const char *path = pc_argument_string(L, 2);
    lua_settop(L, 2);
    pc_note notes[PC_SAVE_NOTES];
    pc_run_push_scene(L, 1);
    notes[NOTE_SCENE].bytes = pc_recipe_push(L, 3, "save: the scene", &notes[NOTE_SCENE].n);
    lua_getiuservalue(L, 1, PC_RUN_EVENTS);
    push_settings(L, self, lua_gettop(L));
    notes[NOTE_SETTINGS].bytes = pc_recipe_push(L, -1, "save: the settings", &notes[NOTE_SETTINGS].n);
    pc_error err = {0};
    pc_status status = pc_run_save(&self->run, notes, path, &err);
    if (status == PC_E_SYSTEM) return pc_push_failure(L, &err);
    if (status != PC_OK) return pc_raise(L, &err);
    lua_settop(L, 2);
    return 1;
}

/* The bytes of a file as a userdata on top of the stack, made before the file is opened, since that may raise. */
static pc_status push_file(lua_State *L, const char *path, pc_note *file, pc_error *err)
{
    size_t size, got = 0;
    pc_status status = pc_file_measure(path, &size, err);
    if (status) return status;
    unsigned char *bytes = lua_newuserdatauv(L, size + 1, 0);
    status = pc_file_read(path, bytes, size, &got, err);
    *file = (pc_note){bytes, got};
    return status;
}

static const pc_row load_rows[] = {
    PC_STAYS_ROW("scene", PC_OBJECT, .object = "scene", .otherwise = "made from the file",
                 .doc = "the scene again, needed where it has functions of Lua"),
    PC_STAYS_ROW("events", PC_LIST, .otherwise = "none",
                 .doc = "those of the run again, needed to continue a run that has some"),
};
static const pc_schema load_schema = {.name = "load_run", PC_ROWS(load_rows)};

static const pc_row load_params[] = {
    {.name = "path", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the file"},
    {.name = "options",
     .kind = PC_TABLE,
     .options = &load_schema,
     .initial = PC_ABSENT,
     .otherwise = "{}",
     .doc = "what a file cannot hold"},
    {0},
};

/* Its argument, a note, as the value that it makes, or nil. */
static int make_value(lua_State *L)
{
    const pc_note *note = lua_touserdata(L, 1);
    if (!pc_recipe_make(L, note->bytes, note->n)) lua_pushnil(L);
    return 1;
}

/* Push what a note of the file makes, or nil. What a constructor refuses is told as a fault of the file. */
static void push_value(lua_State *L, const pc_saved *saved, int which)
{
    lua_pushcfunction(L, make_value);
    lua_pushlightuserdata(L, (void *)&saved->notes[which]);
    int code = lua_pcall(L, 1, 1, 0);
    if (code == LUA_OK) return;
    if (code != LUA_ERRRUN || lua_type(L, -1) != LUA_TSTRING) lua_error(L); /* no memory, or an interruption */
    pc_refuse(L, "load_run: '%s' is damaged: %s", saved->path, lua_tostring(L, -1));
}

/* Push the scene of the file: the one given in the options at index 2, if it is the same, else one made anew. */
static pc_bound_scene *push_scene(lua_State *L, const pc_saved *saved)
{
    pc_note note = saved->notes[NOTE_SCENE];
    if (lua_getfield(L, 2, "scene") != LUA_TNIL) {
        pc_bound_scene *scene = pc_type_check(L, -1, &pc_type_scene);
        size_t n;
        const unsigned char *own = pc_recipe_push(L, -1, "load_run: the scene", &n);
        if (pc_recipe_push_difference(L, note.bytes, note.n, own, n))
            pc_refuse(L, "load_run: '%s' is a run of another scene: %s differs", saved->path, lua_tostring(L, -1));
        lua_pop(L, 1);
        return scene;
    }
    lua_pop(L, 1);
    if (pc_recipe_push_function(L, note.bytes, note.n))
        pc_refuse(L,
                  "load_run: the scene of '%s' has a function of Lua (%s), which a file cannot hold; give the scene "
                  "again, as in load_run(path, { scene = world })",
                  saved->path, lua_tostring(L, -1));
    push_value(L, saved, NOTE_SCENE);
    pc_bound_scene *scene = pc_type_test(L, -1, &pc_type_scene);
    if (!scene) pc_refuse(L, "load_run: '%s' does not hold a scene", saved->path);
    return scene;
}

/* The settings of the file into the run at `index`, with the functions of its events where they are given. */
static void read_settings(lua_State *L, const pc_saved *saved, pc_bound_run *self, int index)
{
    pc_note note = saved->notes[NOTE_SETTINGS];
    const pc_bound_solver *solver = NULL;
    push_value(L, saved, NOTE_SETTINGS);
    int settings = lua_gettop(L);
    if (lua_istable(L, settings) && lua_getfield(L, settings, "solver") == LUA_TUSERDATA)
        solver = pc_type_test(L, -1, &pc_type_solver);
    if (!solver) pc_refuse(L, "load_run: '%s' does not say how the run was made", saved->path);
    self->solver = *solver;
    if (lua_getfield(L, settings, "contact_solver") == LUA_TUSERDATA &&
        (solver = pc_type_test(L, -1, &pc_type_solver)) != NULL)
        self->contact_solver = *solver;
    lua_getfield(L, settings, "max_impacts");
    self->max_impacts = (long)lua_tointeger(L, -1);
    lua_getfield(L, settings, "record");
    self->record = lua_toboolean(L, -1);
    pc_run_keep_breaks(L, settings, index);
    if (lua_getfield(L, 2, "events") == LUA_TNIL) {
        pc_run_keep_events(L, settings, index, false);
        return;
    }
    pc_run_keep_events(L, 2, index, true);
    lua_getiuservalue(L, index, PC_RUN_EVENTS);
    push_settings(L, self, lua_gettop(L));
    size_t n;
    const unsigned char *own = pc_recipe_push(L, -1, "load_run: events", &n);
    if (pc_recipe_push_difference(L, note.bytes, note.n, own, n))
        pc_refuse(L, "load_run: the events given are not those of the run in '%s': %s differs", saved->path,
                  lua_tostring(L, -1));
}

/* load_run(path [, { scene =, events = }]) */
static int load_run(lua_State *L)
{
    const char *path = pc_argument_string(L, 1);
    lua_settop(L, 2);
    pc_options_take(L, 2, &load_schema, NULL);
    pc_error err = {0};
    pc_note file = {0};
    pc_saved saved;
    if (push_file(L, path, &file, &err) != PC_OK) return pc_push_failure(L, &err);
    if (pc_saved_open(&saved, file, path, &err) != PC_OK) return pc_raise(L, &err);
    pc_bound_run *self = pc_type_new(L, &pc_type_run, sizeof *self, PC_RUN_USERVALUES);
    int index = lua_gettop(L);
    const pc_bound_scene *scene = push_scene(L, &saved);
    lua_setiuservalue(L, index, PC_RUN_SCENE);
    read_settings(L, &saved, self, index);
    if (pc_saved_restore(&saved, &self->run, &scene->scene, &err) != PC_OK) return pc_raise(L, &err);
    self->run.breaks = self->breaks;
    lua_settop(L, index);
    return 1;
}

const pc_function pc_run_files[] = {
    {"load_run", load_run, "Read a run that run:save has written; it answers and goes on as the first one would.",
     load_params, "run; or nil, message, code where the file cannot be read", NULL,
     "local ball = percuss.free{ shape = \"disc\", radius = 0.1, mass = 1, y = 1.1 }\n"
     "local world = percuss.scene{ ball, percuss.floor{ height = 0 },\n"
     "    contact = percuss.contact.newton{ restitution = 0.5, friction = 0 } }\n"
     "local run = percuss.simulate(world, { duration = 0.5 })\n"
     "local again = percuss.load_run(run:save \"bounce.run\")\n"
     "print(again:continue(0.6):at(1).y == run:continue(0.6):at(1).y) --> true"},
    {0},
};
