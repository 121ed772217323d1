/* Elements of arrays: reading, writing, slices, conversion to other things.
 *
 * Positions count from 1. Reading just beyond the end gives nil, so that ipairs ends; writing there is an error,
 * because an array does not grow. Zero and negative positions are refused everywhere: they are mistakes, or another
 * language's habit.
 */
#include "bind/array/array.h"
#include "bind/core/bind.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int refuse_position(lua_State *L, lua_Integer i)
{
    return pc_refuse(L, "positions in an array count from 1; [%I] is not allowed", (LUAI_UACINT)i);
}

static lua_Integer key_position(lua_State *L)
{
    int whole;
    lua_Integer i = lua_tointegerx(L, 2, &whole);
    if (!whole || lua_type(L, 2) != LUA_TNUMBER)
        pc_refuse(L, "positions in an array are whole numbers, not %s", luaL_tolstring(L, 2, NULL));
    if (i < 1) refuse_position(L, i);
    return i;
}

int pc_array_element(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1);
    if (lua_type(L, 2) == LUA_TUSERDATA) return pc_array_push_where(L, a, 2);
    lua_Integer i = key_position(L);
    if ((lua_Unsigned)i > a->n) return 0;
    lua_pushnumber(L, a->v[i - 1]);
    return 1;
}

/* a[mask] = number or array of as many elements as the mask selects */
static void set_where(lua_State *L, pc_array *a)
{
    const pc_array *mask = pc_array_check(L, 2);
    if (mask->n != a->n)
        pc_refuse(L, "a mask of %I elements does not fit an array of %I", (LUAI_UACINT)mask->n, (LUAI_UACINT)a->n);
    size_t n = pc_array_count(mask->n, mask->v), length = SIZE_MAX, taken = 0;
    pc_operand value = pc_array_operand(L, 3, &length);
    if (value.v && length != n)
        pc_refuse(L, "the mask selects %I elements, but %I are given", (LUAI_UACINT)n, (LUAI_UACINT)length);
    for (size_t i = 0; i < a->n; i++)
        if (mask->v[i] != 0) a->v[i] = value.v ? value.v[taken++] : value.x;
}

int pc_array_newindex(lua_State *L)
{
    pc_array *a = pc_array_check(L, 1);
    if (lua_type(L, 2) == LUA_TUSERDATA) {
        set_where(L, a);
        return 0;
    }
    if (lua_type(L, 2) == LUA_TSTRING)
        return pc_refuse(L, "an array has elements only; field '%s' cannot be set", lua_tostring(L, 2));
    lua_Integer i = key_position(L);
    if ((lua_Unsigned)i > a->n)
        return pc_refuse(L, "[%I] is beyond the end of an array of %I elements, which does not grow", (LUAI_UACINT)i,
                         (LUAI_UACINT)a->n);
    if (lua_type(L, 3) != LUA_TNUMBER)
        return pc_refuse(L, "an element must be a number, not a %s", luaL_typename(L, 3));
    a->v[i - 1] = lua_tonumber(L, 3);
    return 0;
}

size_t pc_array_position(lua_State *L, int index, size_t most, lua_Integer initial)
{
    lua_Integer i = pc_argument_integer_or(L, index, initial);
    if (i < 1) refuse_position(L, i);
    if ((lua_Unsigned)i > most)
        pc_refuse(L, "[%I] is beyond the end of an array of %I elements", (LUAI_UACINT)i, (LUAI_UACINT)most);
    return (size_t)i - 1;
}

int pc_array_push_where(lua_State *L, const pc_array *a, int index)
{
    const pc_array *mask = pc_array_check(L, index);
    if (mask->n != a->n)
        return pc_refuse(L, "a mask of %I elements does not fit an array of %I", (LUAI_UACINT)mask->n,
                         (LUAI_UACINT)a->n);
    pc_array *out = pc_array_push_unset(L, pc_array_count(mask->n, mask->v));
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++)
        if (mask->v[i] != 0) out->v[n++] = a->v[i];
    return 1;
}

/* A slice: `count` elements from `first` (0-based) on, `step` apart. */
typedef struct slice {
    size_t first, count;
    lua_Integer step;
} slice;

/* From the arguments first, last, step at `index`; first after last in the direction of the step is an empty slice. */
static slice slice_arguments(lua_State *L, int first_index, int last_index, int step_index, size_t n)
{
    lua_Integer step = pc_argument_integer_or(L, step_index, 1), end = (lua_Integer)n;
    if (step == 0) pc_argument_error(L, step_index, "must not be 0");
    lua_Integer first = pc_argument_integer_or(L, first_index, step > 0 ? 1 : end);
    lua_Integer last = pc_argument_integer_or(L, last_index, step > 0 ? end : 1);
    if (step > 0 ? first > last : first < last) return (slice){0, 0, step};
    if (first < 1 || last < 1) refuse_position(L, first < 1 ? first : last);
    if (first > end || last > end)
        pc_refuse(L, "[%I] is beyond the end of an array of %I elements", (LUAI_UACINT)(first > end ? first : last),
                  (LUAI_UACINT)end);
    /* a step longer than the array takes one element; this also keeps -step in range */
    if (step > end) step = end;
    if (step < -end) step = -end;
    lua_Integer count = (last - first) / step + 1;
    return (slice){(size_t)(first - 1), (size_t)count, step};
}

static size_t slice_at(slice s, size_t i)
{
    return (size_t)((lua_Integer)s.first + (lua_Integer)i * s.step);
}

static int array_slice(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1);
    slice s = slice_arguments(L, 2, 3, 4, a->n);
    pc_array *out = pc_array_push_unset(L, s.count);
    for (size_t i = 0; i < s.count; i++) out->v[i] = a->v[slice_at(s, i)];
    return 1;
}

/* memmove semantics where the values are the array itself: they are copied first. */
static int array_set_slice(lua_State *L)
{
    pc_array *a = pc_array_check(L, 1);
    lua_settop(L, 5);
    slice s = slice_arguments(L, 2, 3, 5, a->n);
    if (lua_type(L, 4) == LUA_TNUMBER) {
        double x = lua_tonumber(L, 4);
        for (size_t i = 0; i < s.count; i++) a->v[slice_at(s, i)] = x;
    } else {
        const pc_array *values = pc_array_take(L, 4);
        if (values->n != s.count)
            return pc_refuse(L, "the slice has %I elements, but %I are given", (LUAI_UACINT)s.count,
                             (LUAI_UACINT)values->n);
        if (values == a) values = pc_array_push_copy(L, a);
        for (size_t i = 0; i < s.count; i++) a->v[slice_at(s, i)] = values->v[i];
    }
    lua_settop(L, 1);
    return 1;
}

static int array_copy(lua_State *L)
{
    pc_array_push_copy(L, pc_array_check(L, 1));
    return 1;
}

static int array_reverse(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1);
    pc_array *out = pc_array_push_unset(L, a->n);
    for (size_t i = 0; i < a->n; i++) out->v[i] = a->v[a->n - 1 - i];
    return 1;
}

static int array_totable(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1);
    lua_createtable(L, a->n < INT_MAX ? (int)a->n : 0, 0);
    for (size_t i = 0; i < a->n; i++) {
        pc_array_poll(L, i);
        lua_pushnumber(L, a->v[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

enum { NUMBER_TEXT = 512 }; /* "%.99f" of the largest double has 409 characters; width is at most 99 */

/* One conversion of a double and nothing else, because it goes to snprintf. */
static const char *check_format(lua_State *L, int index)
{
    const char *format = pc_argument_string_or(L, index, "%.14g"), *s = format;
    bool ok = *s++ == '%';
    while (ok && *s && strchr("-+ #0", *s)) s++;
    for (int digits = 0; ok && digits < 2 && isdigit((unsigned char)*s); digits++) s++;
    if (ok && *s == '.') {
        s++;
        for (int digits = 0; digits < 2 && isdigit((unsigned char)*s); digits++) s++;
    }
    ok = ok && *s && strchr("aAeEfFgG", *s) && s[1] == '\0';
    if (!ok) pc_argument_error(L, index, "must be one conversion of a number, such as \"%.6g\"");
    return format;
}

static void add_number(luaL_Buffer *buffer, const char *format, double x)
{
    char *text = luaL_prepbuffsize(buffer, NUMBER_TEXT);
    int n = snprintf(text, NUMBER_TEXT, format, x);
    luaL_addsize(buffer, n > 0 ? (size_t)n : 0);
}

static int array_concat(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1);
    size_t length = 2;
    const char *separator = lua_isnoneornil(L, 2) ? ", " : pc_argument_bytes(L, 2, &length);
    const char *format = check_format(L, 3);
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    for (size_t i = 0; i < a->n; i++) {
        pc_array_poll(L, i);
        if (i > 0) luaL_addlstring(&buffer, separator, length);
        add_number(&buffer, format, a->v[i]);
    }
    luaL_pushresult(&buffer);
    return 1;
}

/* array[1000000] {0, 0.1, 0.2, ..., 99999.9} */
void pc_array_describe(lua_State *L, void *self)
{
    enum { MOST = 10, HEAD = 3, TAIL = 1 };
    const pc_array *a = self;
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    lua_pushfstring(L, "array[%I] {", (LUAI_UACINT)a->n);
    luaL_addvalue(&buffer);
    for (size_t i = 0; i < a->n; i++) {
        if (i > 0) luaL_addstring(&buffer, ", ");
        if (a->n > MOST && i == HEAD) {
            luaL_addstring(&buffer, "..., ");
            i = a->n - TAIL;
        }
        add_number(&buffer, "%.6g", a->v[i]);
    }
    luaL_addchar(&buffer, '}');
    luaL_pushresult(&buffer);
}

static const pc_row slice_params[] = {
    {.name = "first",
     .kind = PC_INTEGER,
     .initial = PC_ABSENT,
     .otherwise = "1 (with a negative step: #a)",
     .doc = "first position"},
    {.name = "last",
     .kind = PC_INTEGER,
     .initial = PC_ABSENT,
     .otherwise = "#a (with a negative step: 1)",
     .doc = "last position, included if the step meets it"},
    {.name = "step", .kind = PC_INTEGER, .initial = 1, .doc = "distance of the positions; negative runs backwards"},
    {0},
};
static const pc_row set_slice_params[] = {
    {.name = "first", .kind = PC_INTEGER, .initial = 1, .doc = "first position, or nil"},
    {.name = "last", .kind = PC_INTEGER, .initial = PC_ABSENT, .otherwise = "#a", .doc = "last position, or nil"},
    {.name = "values",
     .kind = PC_NUMBERS,
     .also = PC_ALSO(PC_REAL),
     .initial = PC_REQUIRED,
     .doc = "as many elements as the slice has, or one number for all"},
    {.name = "step", .kind = PC_INTEGER, .initial = 1, .doc = "distance of the positions; negative runs backwards"},
    {0},
};
static const pc_row where_params[] = {
    {.name = "mask",
     .kind = PC_NUMBERS,
     .initial = PC_REQUIRED,
     .doc = "as long as the array; elements other than 0 select"},
    {0},
};
static const pc_row concat_params[] = {
    {.name = "separator",
     .kind = PC_STRING,
     .initial = PC_ABSENT,
     .otherwise = "\", \"",
     .doc = "what stands between two numbers"},
    {.name = "format",
     .kind = PC_STRING,
     .initial = PC_ABSENT,
     .otherwise = "\"%.14g\"",
     .doc = "how a number is written, as in string.format"},
    {0},
};

static int array_where(lua_State *L)
{
    return pc_array_push_where(L, pc_array_check(L, 1), 2);
}

const pc_function pc_array_methods_access[] = {
    {"slice", array_slice, "A copy of some elements: first, first + step, ..., last.", slice_params, "array", NULL,
     "local a = pc.array{ 10, 20, 30, 40, 50 }\nprint(a:slice(2, 4), a:slice(5, 1, -2))\n"
     "--> array[3] {20, 30, 40}\tarray[3] {50, 30, 10}"},
    {"set_slice", array_set_slice, "Overwrite some elements, in place.", set_slice_params, "the array itself", NULL,
     "local a = pc.array(5)\na:set_slice(2, 3, { 7, 8 }):set_slice(4, 5, 1)\nprint(a) --> array[5] {0, 7, 8, 1, 1}"},
    {"where", array_where, "The elements at which a mask is not 0; the same as a[mask].", where_params, "array", NULL,
     "local a = pc.array{ 3, -1, 4, -1 }\nprint(a:where(a:gt(0))) --> array[2] {3, 4}"},
    {"copy", array_copy, "A copy that can be changed on its own.", NULL, "array", NULL,
     "local a = pc.array{ 1, 2 }\nlocal b = a:copy()\nb[1] = 9\nprint(a, b) --> array[2] {1, 2}\tarray[2] {9, 2}"},
    {"reverse", array_reverse, "The elements from last to first.", NULL, "array", NULL,
     "print(pc.array{ 1, 2, 3 }:reverse()) --> array[3] {3, 2, 1}"},
    {"totable", array_totable, "A Lua table with the same elements.", NULL, "table: a list of numbers", NULL,
     "print(#pc.array{ 1, 2, 3 }:totable()) --> 3"},
    {"concat", array_concat, "The elements as text, like table.concat.", concat_params, "string", NULL,
     "print(pc.array{ 1, 2.5 }:concat(\"; \", \"%.2f\")) --> 1.00; 2.50"},
    {0},
};
