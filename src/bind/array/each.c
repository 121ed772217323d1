/* Arrays element by element: operators, comparisons that give masks, functions, map. */
#include "bind/array/array.h"
#include "bind/core/bind.h"

#include <stdint.h>
#include <string.h>

pc_operand pc_array_operand(lua_State *L, int index, size_t *n)
{
    if (lua_type(L, index) == LUA_TNUMBER) return (pc_operand){NULL, lua_tonumber(L, index)};
    const pc_array *a = pc_array_test(L, index);
    if (!a) pc_argument_type_error(L, index, "array or number");
    if (*n != SIZE_MAX && *n != a->n)
        pc_refuse(L, "arrays of %I and %I elements do not go together", (LUAI_UACINT)*n, (LUAI_UACINT)a->n);
    *n = a->n;
    return (pc_operand){a->v, 0};
}

/* The operands at 1 and 2, of which one at least must be an array. */
static int push_each2(lua_State *L, pc_array_binary f)
{
    size_t n = SIZE_MAX;
    pc_operand a = pc_array_operand(L, 1, &n), b = pc_array_operand(L, 2, &n);
    if (n == SIZE_MAX) return pc_argument_type_error(L, 1, pc_type_array.name);
    pc_array *out = pc_array_push_unset(L, n);
    pc_error err = {0};
    pc_array_ok(L, pc_array_each2(f, n, a, b, out->v, &err), &err);
    return 1;
}

#define PC_BINARY(name, expression)                                                                                    \
    static int array_##name(lua_State *L)                                                                              \
    {                                                                                                                  \
        return push_each2(L, PC_BINARY_##name);                                                                        \
    }
#include "math/array.def"

static int push_each(lua_State *L, pc_array_unary f)
{
    const pc_array *a = pc_array_check(L, 1);
    pc_array *out = pc_array_push_unset(L, a->n);
    pc_error err = {0};
    pc_array_ok(L, pc_array_each(f, a->n, a->v, out->v, &err), &err);
    return 1;
}

#define PC_UNARY(name, expression, summary, example)                                                                   \
    static int array_##name(lua_State *L)                                                                              \
    {                                                                                                                  \
        return push_each(L, PC_UNARY_##name);                                                                          \
    }
#include "math/array.def"

static int array_equal(lua_State *L)
{
    const pc_array *a = pc_array_test(L, 1), *b = pc_array_test(L, 2);
    lua_pushboolean(L, a && b && a->n == b->n && pc_array_equal(a->n, a->v, b->v));
    return 1;
}

/* Lua turns the result of < into a boolean, so that a mask would be lost: say so. */
static int array_refuse_order(lua_State *L)
{
    return pc_refuse(L, "arrays cannot be compared by < and <=; a:lt(b), a:le(b), a:gt(b), a:ge(b) give masks");
}

static size_t length_of(const pc_array *a)
{
    return a ? a->n : 1;
}

/* a .. b: elements of a, then of b; a number stands for one element. */
static int array_join(lua_State *L)
{
    const pc_array *part[2];
    for (int i = 0; i < 2; i++) {
        part[i] = pc_array_test(L, i + 1);
        if (!part[i] && lua_type(L, i + 1) != LUA_TNUMBER)
            return pc_refuse(L,
                             "an array can be joined with an array or a number, not with a %s (tostring(a) makes "
                             "text)",
                             luaL_typename(L, i + 1));
    }
    pc_array *out = pc_array_push_unset(L, length_of(part[0]) + length_of(part[1]));
    double *v = out->v;
    for (int i = 0; i < 2; i++) {
        if (part[i])
            memcpy(v, part[i]->v, part[i]->n * sizeof *v);
        else
            *v = lua_tonumber(L, i + 1);
        v += length_of(part[i]);
    }
    return 1;
}

static int array_length(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)pc_array_check(L, 1)->n);
    return 1;
}

static int next_element(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1);
    lua_Integer i = pc_argument_integer(L, 2);
    if (i < 0 || (lua_Unsigned)i >= a->n) return 0;
    lua_pushinteger(L, i + 1);
    lua_pushnumber(L, a->v[i]);
    return 2;
}

static int array_pairs(lua_State *L)
{
    pc_array_check(L, 1);
    lua_pushcfunction(L, next_element);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

const luaL_Reg pc_array_arithmetic[] = {
    {"__add", array_add},     {"__sub", array_sub},         {"__mul", array_mul},
    {"__div", array_div},     {"__idiv", array_idiv},       {"__mod", array_mod},
    {"__pow", array_pow},     {"__unm", array_neg},         {"__eq", array_equal},
    {"__concat", array_join}, {"__lt", array_refuse_order}, {"__le", array_refuse_order},
    {"__len", array_length},  {"__pairs", array_pairs},     {NULL, NULL},
};

/* The same function gives the same array whether it is named or written in Lua; named ones run in C. */
static int map_named(lua_State *L, const char *name)
{
    enum { MOST = PC_N_UNARY };
    pc_array_unary f = pc_array_unary_find(name);
    if (f != PC_N_UNARY) return push_each(L, f);
    const char *words[MOST];
    for (int i = 0; i < MOST; i++) words[i] = pc_array_unary_name((pc_array_unary)i);
    const char *near = pc_nearest(name, words, MOST);
    if (near) return pc_refuse(L, "there is no function '%s' of arrays; did you mean '%s'?", name, near);
    return pc_refuse(L, "there is no function '%s' of arrays", name);
}

static int array_map(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1);
    if (lua_type(L, 2) == LUA_TSTRING) return map_named(L, lua_tostring(L, 2));
    pc_argument_type(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    pc_array *out = pc_array_push_unset(L, a->n);
    pc_callback f;
    pc_callback_open(L, 2, "the function of map", &f);
    for (size_t i = 0; i < a->n; i++) {
        lua_pushnumber(L, a->v[i]);
        if (pc_callback_call(&f, 1, 1, NULL) != PC_OK) return pc_callback_raise(&f);
        if (lua_type(L, -1) != LUA_TNUMBER)
            return pc_refuse(L, "the function of map must return a number; for [%I] = %f it returned a %s",
                             (LUAI_UACINT)i + 1, a->v[i], luaL_typename(L, -1));
        out->v[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    lua_settop(L, 3);
    return 1;
}

static int array_clip(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1);
    double lo = pc_argument_number(L, 2), hi = pc_argument_number(L, 3);
    pc_array *out = pc_array_push_unset(L, a->n);
    pc_error err = {0};
    pc_array_ok(L, pc_array_clip(a->n, a->v, lo, hi, out->v, &err), &err);
    return 1;
}

static size_t count(lua_State *L, size_t *n)
{
    const pc_array *mask = pc_array_check(L, 1);
    *n = mask->n;
    return pc_array_count(mask->n, mask->v);
}

static int array_any(lua_State *L)
{
    size_t n;
    lua_pushboolean(L, count(L, &n) > 0);
    return 1;
}

static int array_all(lua_State *L)
{
    size_t n;
    lua_pushboolean(L, count(L, &n) == n);
    return 1;
}

static int array_count(lua_State *L)
{
    size_t n;
    lua_pushinteger(L, (lua_Integer)count(L, &n));
    return 1;
}

static int array_find(lua_State *L)
{
    size_t n, found = 0;
    pc_array *out = pc_array_push_unset(L, count(L, &n));
    const pc_array *mask = pc_array_check(L, 1);
    for (size_t i = 0; i < n; i++)
        if (mask->v[i] != 0) out->v[found++] = (double)(i + 1);
    return 1;
}

/* percuss.array.select(mask, a, b) */
static int make_select(lua_State *L)
{
    size_t n = pc_array_check(L, 1)->n;
    pc_operand a = pc_array_operand(L, 2, &n), b = pc_array_operand(L, 3, &n);
    pc_array *out = pc_array_push_unset(L, n);
    pc_error err = {0};
    pc_array_ok(L, pc_array_choose(n, pc_array_check(L, 1)->v, a, b, out->v, &err), &err);
    return 1;
}

static const pc_row other_params[] = {
    {.name = "b",
     .kind = PC_NUMBERS,
     .also = PC_ALSO(PC_REAL),
     .initial = PC_REQUIRED,
     .doc = "as long as the array, or one number for all elements"},
    {0},
};
static const pc_row atan2_params[] = {
    {.name = "x",
     .kind = PC_NUMBERS,
     .also = PC_ALSO(PC_REAL),
     .initial = PC_REQUIRED,
     .doc = "abscissae; the array holds the ordinates"},
    {0},
};
static const pc_row map_params[] = {
    {.name = "f",
     .kind = PC_FUNCTION,
     .also = PC_ALSO(PC_STRING),
     .initial = PC_REQUIRED,
     .doc = "called with one element, returns a number; or the name of a function of "
            "arrays, which runs in C"},
    {0},
};
static const pc_row clip_params[] = {
    {.name = "lo", .kind = PC_REAL, .initial = PC_REQUIRED, .doc = "least value"},
    {.name = "hi", .kind = PC_REAL, .initial = PC_REQUIRED, .doc = "greatest value"},
    {0},
};
static const pc_row select_params[] = {
    {.name = "mask", .kind = PC_NUMBERS, .initial = PC_REQUIRED, .doc = "which to take"},
    {.name = "a",
     .kind = PC_NUMBERS,
     .also = PC_ALSO(PC_REAL),
     .initial = PC_REQUIRED,
     .doc = "taken where the mask is not 0"},
    {.name = "b",
     .kind = PC_NUMBERS,
     .also = PC_ALSO(PC_REAL),
     .initial = PC_REQUIRED,
     .doc = "taken where the mask is 0"},
    {0},
};

const pc_function pc_array_methods_each[] = {
    {"lt", array_lt, "Mask: 1 where an element is less than b, else 0.", other_params, "array", NULL,
     "print(pc.array{ 1, 2, 3 }:lt(2)) --> array[3] {1, 0, 0}"},
    {"le", array_le, "Mask: 1 where an element is at most b, else 0.", other_params, "array", NULL,
     "print(pc.array{ 1, 2, 3 }:le(2)) --> array[3] {1, 1, 0}"},
    {"gt", array_gt, "Mask: 1 where an element is greater than b, else 0.", other_params, "array", NULL,
     "print(pc.array{ 1, 2, 3 }:gt(2)) --> array[3] {0, 0, 1}"},
    {"ge", array_ge, "Mask: 1 where an element is at least b, else 0.", other_params, "array", NULL,
     "print(pc.array{ 1, 2, 3 }:ge(2)) --> array[3] {0, 1, 1}"},
    {"eq", array_eq, "Mask: 1 where an element equals b, else 0; a == b asks whether all do.", other_params, "array",
     NULL, "print(pc.array{ 1, 2, 3 }:eq(2)) --> array[3] {0, 1, 0}"},
    {"ne", array_ne, "Mask: 1 where an element differs from b, else 0.", other_params, "array", NULL,
     "print(pc.array{ 1, 2, 3 }:ne(2)) --> array[3] {1, 0, 1}"},
    {"any", array_any, "Whether a mask has an element other than 0.", NULL, "boolean", NULL,
     "print(pc.array{ 1, 2, 3 }:gt(2):any()) --> true"},
    {"all", array_all, "Whether a mask has no 0.", NULL, "boolean", NULL,
     "print(pc.array{ 1, 2, 3 }:gt(2):all()) --> false"},
    {"count", array_count, "How many elements of a mask are not 0.", NULL, "integer", NULL,
     "print(pc.array{ 1, 2, 3 }:ge(2):count()) --> 2"},
    {"find", array_find, "The positions at which a mask is not 0.", NULL, "array", NULL,
     "print(pc.array{ 5, 7, 6 }:gt(5):find()) --> array[2] {2, 3}"},
    {"atan2", array_atan2, "Angle of the point (x, element) from the x axis, in all four quadrants (rad).",
     atan2_params, "array", NULL, "print(pc.array{ 0, 1 }:atan2(-1)) --> array[2] {3.14159, 2.35619}"},
    {"hypot", array_hypot, "sqrt(a^2 + b^2) without overflow on the way.", other_params, "array", NULL,
     "print(pc.array{ 3, 3e200 }:hypot(pc.array{ 4, 4e200 })) --> array[2] {5, 5e+200}"},
    {"clip", array_clip, "Every element, or the nearer bound where it lies outside them.", clip_params, "array", NULL,
     "print(pc.array{ -1, 0.5, 3 }:clip(0, 1)) --> array[3] {0, 0.5, 1}"},
    {"map", array_map, "The array of the results of a function.", map_params, "array", NULL,
     "local a = pc.array{ 1, 2, 3 }\nprint(a:map(function(x) return x * x end), a:map(\"neg\"))\n"
     "--> array[3] {1, 4, 9}\tarray[3] {-1, -2, -3}"},
    {0},
};

const pc_function pc_array_methods_unary[] = {
#define PC_UNARY(name, expression, summary, example) {#name, array_##name, summary, NULL, "array", NULL, example},
#include "math/array.def"
    {0},
};

const pc_function pc_array_functions_each[] = {
    {"select", make_select, "Element by element from a where the mask is not 0, else from b.", select_params, "array",
     NULL, "local a = pc.array{ -1, 2 }\nprint(pc.array.select(a:lt(0), 0, a)) --> array[2] {0, 2}"},
    {0},
};
