/* Wrong arguments: see bind.h. And from the core's error record to Lua: see bind.h.
 *
 * Wrong arguments raise a string with the position in the script. Numerical and other failures raise an error
 * object { code, message, time, quantity } that prints as its message. The environment's failures are returned.
 */
#include "base/alloc.h"
#include "bind/core/bind.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* "a body", "an array": what stands at an index, or what a type is called. */
static const char *push_with_article(lua_State *L, const char *word)
{
    if (strncmp(word, "percuss.", 8) == 0) word += 8;
    return lua_pushfstring(L, "%s %s", strchr("aeiou", word[0]) ? "an" : "a", word);
}

static const char *push_kind(lua_State *L, int index)
{
    if (lua_isnoneornil(L, index)) return lua_pushliteral(L, "nothing");
    if (luaL_getmetafield(L, index, "__name") == LUA_TSTRING) return push_with_article(L, lua_tostring(L, -1));
    return push_with_article(L, luaL_typename(L, index));
}

/* Raise with the text on top of the stack. `value`: say what was given. */
static int fail(lua_State *L, int index, bool value)
{
    const char *what = lua_tostring(L, -1);
    bool method;
    const char *path;
    const pc_function *function = pc_register_running(L, &path, &method);
    bool number = value && lua_type(L, index) == LUA_TNUMBER;
    if (number && !function) what = lua_pushfstring(L, "%s, but is %s", what, luaL_tolstring(L, index, NULL));
    if (!path) return luaL_argerror(L, index, what);
    if (!function) return pc_refuse(L, "%s: argument %d %s", path, index, what);
    int place = method ? index - 1 : index;
    if (place == 0) return pc_refuse(L, "%s: call it with a colon, as a method of %s", path, what);
    const pc_row *param = function->params;
    for (int i = 1; param && param->name && i < place; i++) param++;
    if (!param || !param->name) return pc_refuse(L, "%s: argument %d %s", path, place, what);
    if (number)
        return pc_refuse(L, "%s: argument %d, %s = %s, %s", path, place, param->name, luaL_tolstring(L, index, NULL),
                         what);
    return pc_refuse(L, "%s: argument %d, %s, %s", path, place, param->name, what);
}

int pc_argument_error(lua_State *L, int index, const char *must)
{
    lua_pushstring(L, must);
    return fail(L, index, true);
}

int pc_argument_type_error(lua_State *L, int index, const char *expected)
{
    luaL_checkstack(L, 12, NULL);
    const char *given = push_kind(L, index); /* first: what is pushed may stand where an argument is missing */
    const char *wanted = push_with_article(L, expected);
    bool method;
    const char *path;
    if (pc_register_running(L, &path, &method) && method && index == 1)
        lua_pushfstring(L, "%s, not of %s", wanted, given);
    else
        lua_pushfstring(L, "must be %s, not %s", wanted, given);
    return fail(L, index, false);
}

void *pc_argument_part(lua_State *L, int index, const pc_type *type, const char *what)
{
    void *self = pc_type_test(L, index, type);
    if (self) return self;
    index = lua_absindex(L, index);
    luaL_checkstack(L, 8, NULL);
    const char *given = push_kind(L, index), *wanted = push_with_article(L, type->name);
    pc_refuse(L, "%s must be %s, not %s", what, wanted, given);
    return NULL;
}

void pc_argument_check(lua_State *L, bool holds, int index, const char *must)
{
    if (!holds) pc_argument_error(L, index, must);
}

void pc_argument_any(lua_State *L, int index)
{
    if (lua_isnone(L, index)) pc_argument_error(L, index, "must be given");
}

void pc_argument_type(lua_State *L, int index, int type)
{
    if (lua_type(L, index) != type) pc_argument_type_error(L, index, lua_typename(L, type));
}

double pc_argument_number(lua_State *L, int index)
{
    pc_argument_type(L, index, LUA_TNUMBER);
    return lua_tonumber(L, index);
}

double pc_argument_number_or(lua_State *L, int index, double otherwise)
{
    return lua_isnoneornil(L, index) ? otherwise : pc_argument_number(L, index);
}

lua_Integer pc_argument_integer(lua_State *L, int index)
{
    pc_argument_type(L, index, LUA_TNUMBER);
    int whole;
    lua_Integer n = lua_tointegerx(L, index, &whole);
    if (!whole) pc_argument_error(L, index, "must be a whole number");
    return n;
}

lua_Integer pc_argument_integer_or(lua_State *L, int index, lua_Integer otherwise)
{
    return lua_isnoneornil(L, index) ? otherwise : pc_argument_integer(L, index);
}

const char *pc_argument_string(lua_State *L, int index)
{
    pc_argument_type(L, index, LUA_TSTRING);
    size_t n;
    const char *text = lua_tolstring(L, index, &n);
    if (strlen(text) != n) pc_argument_error(L, index, "must not have a zero byte");
    return text;
}

const char *pc_argument_string_or(lua_State *L, int index, const char *otherwise)
{
    return lua_isnoneornil(L, index) ? otherwise : pc_argument_string(L, index);
}

const char *pc_argument_bytes(lua_State *L, int index, size_t *n)
{
    pc_argument_type(L, index, LUA_TSTRING);
    return lua_tolstring(L, index, n);
}

int pc_argument_word(lua_State *L, int index, const char *const words[])
{
    const char *given = pc_argument_string(L, index);
    luaL_Buffer must;
    luaL_buffinit(L, &must);
    luaL_addstring(&must, "must be ");
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], given) == 0) return i;
        lua_pushfstring(L, "%s\"%s\"", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
        luaL_addvalue(&must);
    }
    lua_pushfstring(L, ", not \"%s\"", given);
    luaL_addvalue(&must);
    luaL_pushresult(&must);
    return fail(L, index, false);
}

static int error_tostring(lua_State *L)
{
    lua_getfield(L, 1, "message");
    return 1;
}

/* As luaL_where(L, 1); where one of percuss's own modules called, the place in the script that called the module,
 * perhaps through a function of Lua's library. */
void pc_push_where(lua_State *L)
{
    lua_Debug at;
    int level = 1;
    for (bool inside = false; lua_getstack(L, level, &at) && lua_getinfo(L, "Sl", &at); level++) {
        bool own = strncmp(at.source, "=percuss.", 9) == 0;
        if (!own && !(inside && at.currentline < 0)) break;
        inside = true;
    }
    luaL_where(L, level);
}

int pc_refuse(lua_State *L, const char *format, ...)
{
    luaL_checkstack(L, 6, NULL);
    pc_push_where(L);
    va_list arguments;
    va_start(arguments, format);
    lua_pushvfstring(L, format, arguments);
    va_end(arguments);
    lua_concat(L, 2);
    lua_error(L);
    abort(); /* lua_error does not return, but is not declared so */
}

int pc_refuse_text(lua_State *L)
{
    pc_refuse(L, "%s", lua_tostring(L, 1));
}

void pc_error_push(lua_State *L, const pc_error *err)
{
    lua_createtable(L, 0, 4);
    lua_pushstring(L, pc_status_word(err->code));
    lua_setfield(L, -2, "code");
    pc_push_where(L);
    lua_pushstring(L, err->text[0] ? err->text : pc_status_text(err->code));
    lua_concat(L, 2);
    lua_setfield(L, -2, "message");
    if (err->quantity[0]) {
        lua_pushstring(L, err->quantity);
        lua_setfield(L, -2, "quantity");
        if (!isnan(err->time)) {
            lua_pushnumber(L, err->time);
            lua_setfield(L, -2, "time");
        }
    }
    if (luaL_newmetatable(L, "percuss.error")) {
        lua_pushcfunction(L, error_tostring);
        lua_setfield(L, -2, "__tostring");
    }
    lua_setmetatable(L, -2);
}

int pc_raise(lua_State *L, const pc_error *err)
{
    pc_failure failure = pc_failure_push(L);
    if (failure == PC_FAILURE_THROWN) return pc_callback_raise_value(L);
    if (failure == PC_FAILURE_TOLD) {
        pc_push_where(L);
        lua_insert(L, -2);
        lua_concat(L, 2);
        return lua_error(L);
    }
    if (err->code == PC_E_ARGUMENT || err->code == PC_E_UNSUPPORTED) {
        pc_push_where(L);
        lua_pushstring(L, err->text);
        lua_concat(L, 2);
        return lua_error(L);
    }
    /* there is one object for every interruption, which may carry a partial result already */
    if (err->code == PC_E_INTERRUPTED) return pc_interrupt_raise(L, 0);
    pc_error_push(L, err);
    return lua_error(L);
}

int pc_push_failure(lua_State *L, const pc_error *err)
{
    lua_pushnil(L);
    lua_pushstring(L, err->text);
    lua_pushstring(L, pc_status_word(err->code));
    return 3;
}

/* Arrays as payload of userdata: made, recognised, taken from lists. Their type and all methods are in the room array.
 */

pc_array *pc_array_push_unset(lua_State *L, size_t n)
{
    size_t bytes = pc_array_bytes(n);
    if (!bytes) pc_refuse(L, "an array of %I elements is too large", (LUAI_UACINT)n);
    pc_array *a = lua_newuserdatauv(L, bytes, 0);
    a->n = n;
    pc_expect_writes(a, bytes);
    luaL_setmetatable(L, pc_type_array.name);
    return a;
}

pc_array *pc_array_new(lua_State *L, size_t n)
{
    pc_array *a = pc_array_push_unset(L, n);
    memset(a->v, 0, n * sizeof *a->v);
    return a;
}

pc_array *pc_array_check(lua_State *L, int index)
{
    return pc_type_check(L, index, &pc_type_array);
}

pc_array *pc_array_test(lua_State *L, int index)
{
    return pc_type_test(L, index, &pc_type_array);
}

bool pc_array_or_table(lua_State *L, int index)
{
    return lua_istable(L, index) || pc_array_test(L, index);
}

pc_array *pc_array_take(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    if (lua_type(L, index) != LUA_TTABLE) return pc_array_check(L, index);
    size_t n = (size_t)lua_rawlen(L, index);
    pc_array *a = pc_array_push_unset(L, n);
    for (size_t i = 0; i < n; i++) {
        pc_array_poll(L, i);
        if (lua_rawgeti(L, index, (lua_Integer)i + 1) != LUA_TNUMBER) {
            pc_argument_error(L, index,
                              lua_pushfstring(L, "must hold numbers: element [%I] must be a number, not a %s",
                                              (LUAI_UACINT)i + 1, luaL_typename(L, -1)));
        }
        a->v[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    lua_replace(L, index);
    return a;
}

pc_array *pc_array_push_copy(lua_State *L, const pc_array *a)
{
    pc_array *copy = pc_array_push_unset(L, a->n);
    memcpy(copy->v, a->v, a->n * sizeof *a->v);
    return copy;
}
