/* require "percuss": the table percuss with all its modules. The first is the core: version, constants, and the
 * functions on which help and documentation stand.
 *
 * The same function serves the program (preloaded) and percuss.so (stock lua5.4). Modules in C open first, in the
 * order of modules.def; the part of the library written in Lua is embedded in the binary and reached through
 * package.preload, so that `require "percuss.plot"` works without any file.
 */
#include "base/version.h"
#include "bind/core/bind.h"
#include "bind/core/embedded.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* percuss.nearest(word, list): the word of the list nearest to a misspelt one, or nil. */
static int core_nearest(lua_State *L)
{
    enum { MOST = 256 };
    const char *words[MOST];
    const char *word = pc_argument_string(L, 1);
    pc_argument_type(L, 2, LUA_TTABLE);
    lua_Integer n = luaL_len(L, 2);
    if (n > MOST) n = MOST;
    for (lua_Integer i = 0; i < n; i++) {
        bool string = lua_rawgeti(L, 2, i + 1) == LUA_TSTRING;
        words[i] = string ? lua_tostring(L, -1) : NULL; /* alive in the list */
        lua_pop(L, 1);
    }
    lua_pushstring(L, pc_nearest(word, words, (int)n));
    return 1;
}

/* percuss.type(x): "sphere"-like name of a percuss object without its prefix, or Lua's own type. */
static int core_type(lua_State *L)
{
    pc_argument_any(L, 1);
    bool has_name = luaL_getmetafield(L, 1, "__name") == LUA_TSTRING;
    if (has_name && lua_istable(L, 1)) { /* any table may have such a name: its metatable has to be the type's own */
        lua_getmetatable(L, 1);
        luaL_getmetatable(L, lua_tostring(L, -2));
        has_name = lua_rawequal(L, -1, -2);
        lua_pop(L, 2);
    }
    if (has_name && (lua_istable(L, 1) || lua_isuserdata(L, 1))) {
        const char *name = lua_tostring(L, -1);
        bool open = strncmp(name, "percuss.", 8) == 0, closed = strncmp(name, "closed ", 7) == 0;
        if (open || closed) {
            lua_pushstring(L, open ? name + 8 : name);
            return 1;
        }
    }
    lua_pushstring(L, luaL_typename(L, 1));
    return 1;
}

/* Make one directory; an existing one is fine. */
static bool make_one(const char *path)
{
    struct stat found;
    if (mkdir(path, 0777) == 0) return true;
    return errno == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* percuss.make_directory(path): with the directories above it. */
static int core_make_directory(lua_State *L)
{
    const char *path = pc_argument_string(L, 1);
    char part[1024];
    size_t length = strlen(path);
    pc_argument_check(L, length > 0 && length < sizeof part, 1, "must have 1 to 1023 bytes");
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (make_one(part)) continue;
        pc_error err = {0};
        pc_fail(&err, PC_E_SYSTEM, "cannot make the directory %.300s: %s", part, strerror(errno));
        return pc_push_failure(L, &err);
    }
    lua_pushvalue(L, 1);
    return 1;
}

/* percuss.is_terminal(): whether a person may be looking at standard output. */
static int core_is_terminal(lua_State *L)
{
    lua_pushboolean(L, isatty(STDOUT_FILENO));
    return 1;
}

static const pc_row directory_params[] = {
    {.name = "path", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the directory"}, {0}};
static const pc_row nearest_params[] = {
    {.name = "word", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "what was typed"},
    {.name = "words", .kind = PC_TABLE, .initial = PC_REQUIRED, .doc = "list of the known words"},
    {0},
};
static const pc_row type_params[] = {{.name = "value", .kind = PC_ANYTHING, .initial = PC_REQUIRED, .doc = "anything"},
                                     {0}};
static const pc_row lookup_params[] = {
    {.name = "value", .kind = PC_ANYTHING, .initial = PC_REQUIRED, .doc = "a function or constructor"}, {0}};
static const pc_row extend_params[] = {
    {.name = "type",
     .kind = PC_STRING,
     .initial = PC_REQUIRED,
     .doc = "full name of the type, such as \"percuss.impact\""},
    {.name = "name", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the method"},
    {.name = "method", .kind = PC_FUNCTION, .initial = PC_REQUIRED, .doc = "called with the object first"},
    {0},
};
static const pc_row document_params[] = {
    {.name = "path",
     .kind = PC_STRING,
     .initial = PC_REQUIRED,
     .doc = "name under which help finds it, such as \"impact:plot\""},
    {.name = "value", .kind = PC_FUNCTION, .initial = PC_REQUIRED, .doc = "the function described, or nil"},
    {.name = "entry",
     .kind = PC_TABLE,
     .initial = PC_REQUIRED,
     .doc = "summary, params = { { name =, type =, doc = }, ... }, returns, source, example"},
    {0},
};

static const pc_function functions[] = {
    {"nearest", core_nearest, "The word of a list that is nearest to a misspelt one.", nearest_params, "string or nil",
     NULL, "print(percuss.nearest(\"frction\", { \"friction\", \"stiffness\" }))\n--> friction"},
    {"type", core_type,
     "Kind of a value: the name of a percuss type, as in \"array\", or what Lua's own type says, as in \"number\" or "
     "\"userdata\"; of a closed object \"closed figure\". At the prompt `type` is this one.",
     type_params, "string", NULL, "print(percuss.type(percuss.body.sphere{ radius = 5e-3, mass = 0.004 }))\n--> body"},
    {"make_directory", core_make_directory, "Make a directory, and those above it, where they are missing.",
     directory_params, "the path, or nil, message, code", NULL, "print(percuss.make_directory(\"/tmp\"))\n--> /tmp"},
    {"is_terminal", core_is_terminal, "Whether standard output is a terminal.", NULL, "boolean", NULL,
     "print(type(percuss.is_terminal()))\n--> boolean"},
    {"register", pc_register_list,
     "Everything public with its documentation: what help, the manual and the completion read.", NULL,
     "list of entries: kind (function, method, constructor, type, constant), path, summary, params, rows, fields, "
     "returns, "
     "example, ...",
     NULL, "print(#percuss.register() > 50)\n--> true"},
    {"lookup", pc_register_lookup, "The documentation entry of a function or constructor.", lookup_params,
     "table: an entry of register(); or nothing", NULL, "print(percuss.lookup(percuss.type).path)\n--> type"},
    {"document", pc_register_document, "Enter a function written in Lua in the register.", document_params, NULL, NULL,
     "local function twice(x) return 2 * x end\n"
     "percuss.document(\"twice\", twice, { summary = \"Twice a number.\" })\n"
     "print(percuss.lookup(twice).summary)\n--> Twice a number."},
    {"extend", pc_type_extend, "Add a method written in Lua to a type.", extend_params, NULL, NULL,
     "percuss.extend(\"percuss.impact\", \"is_gentle\", function(hit) return hit.loss_fraction < 0.1 end)"},
    {0},
};

void pc_open_core(lua_State *L)
{
    pc_functions_open(L, "", functions);
    pc_constant_open(L, "", "deg", 0.017453292519943295, "rad", "one degree in radians: 30*percuss.deg");
    lua_pushliteral(L, PC_VERSION);
    lua_setfield(L, -2, "version");
}

/* Loader in package.preload: upvalue 1 is the embedded file. */
static int load_embedded(lua_State *L)
{
    const struct pc_embedded *file = lua_touserdata(L, lua_upvalueindex(1));
    lua_pushfstring(L, "=%s", file->name);
    if (luaL_loadbufferx(L, (const char *)file->data, file->size, lua_tostring(L, -1), "t") != LUA_OK)
        return lua_error(L);
    lua_pushstring(L, file->name);
    lua_call(L, 1, 1);
    return 1;
}

static void preload_embedded(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    for (const struct pc_embedded *file = pc_embedded; file->name; file++) {
        lua_pushlightuserdata(L, (void *)(uintptr_t)file);
        lua_pushcclosure(L, load_embedded, 1);
        lua_setfield(L, -2, file->name);
    }
    lua_pop(L, 1);
}

void pc_percuss_preload(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, luaopen_percuss);
    lua_setfield(L, -2, "percuss");
    lua_pop(L, 1);
    preload_embedded(L);
}

int luaopen_percuss(lua_State *L)
{
    luaL_checkversion(L);
    lua_newtable(L);
    /* modules may ask for each other and for the table itself while they open */
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "percuss");
    lua_pushcfunction(L, pc_refuse_text);
    lua_setfield(L, -2, "percuss.refuse");
    lua_pushcfunction(L, pc_record_define);
    lua_setfield(L, -2, "percuss.record_type");
    pc_row_core_open(L);
    lua_setfield(L, -2, "percuss.row_core");
    lua_pop(L, 1);
#define PC_MODULE(name) pc_open_##name(L);
#include "bind/core/modules.def"
#undef PC_MODULE
    preload_embedded(L);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss.init");
    lua_call(L, 1, 0);
    pc_module_strict(L, "percuss");
    return 1;
}
