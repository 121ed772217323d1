/* pc.array: contiguous doubles inside the userdata. This file makes the type out of its parts and creates arrays
 * (pc.array(...), pc.array.zeros and friends, pc.linspace, pc.logspace); access.c reads and writes elements, each.c
 * computes element by element, reduce.c holds the rest. */
#include "base/alloc.h"
#include "bind/array/array.h"
#include "bind/core/bind.h"

#include <string.h>

static const pc_function *const methods[] = {
    pc_array_methods_access, pc_array_methods_each,  pc_array_methods_unary,
    pc_array_methods_sum,    pc_array_methods_order, pc_array_methods_csv,
};
enum { N_LISTS = sizeof methods / sizeof *methods };

static const luaL_Reg metamethods[] = {{"__newindex", pc_array_newindex}, {NULL, NULL}};

const pc_type pc_type_array = {
    .name = "percuss.array",
    .summary = "Numbers in one block of memory: a[i] from 1 to #a, arithmetic element by element, a .. b joins, "
               "== compares all. < and <= cannot give an array in Lua: use a:lt(b) and its sisters, which give masks "
               "of 1 and 0.",
    .metamethods = metamethods,
    .describe = pc_array_describe,
};

void pc_array_ok(lua_State *L, pc_status status, const pc_error *err)
{
    if (status == PC_OK) return;
    if (status == PC_E_INTERRUPTED) pc_interrupt_raise(L, 0);
    pc_raise(L, err);
}

static const char *nearest_method(const char *name)
{
    enum { MOST = 128 };
    const char *words[MOST];
    int n = 0;
    for (int i = 0; i < N_LISTS; i++)
        for (const pc_function *f = methods[i]; f->name && n < MOST; f++) words[n++] = f->name;
    return pc_nearest(name, words, n);
}

/* Replaces the type's own __index, because a[i] has to be quick: elements first, then names. */
static int array_index(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TSTRING) return pc_array_element(L);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    const char *name = lua_tostring(L, 2), *near = nearest_method(name);
    if (near) return pc_refuse(L, "an array has no method '%s'; did you mean '%s'?", name, near);
    return pc_refuse(L, "an array has no method '%s'", name);
}

/* Adds the lists of methods to the metatable that pc_type_open has made. */
static void open_methods(lua_State *L)
{
    luaL_getmetatable(L, pc_type_array.name);
    lua_getfield(L, -1, "__names");
    for (int i = 0; i < N_LISTS; i++)
        for (const pc_function *f = methods[i]; f->name; f++) {
            lua_pushcfunction(L, f->call);
            pc_register_function(L, pc_type_array.name, ":", f);
            lua_setfield(L, -2, f->name);
        }
    lua_pushcclosure(L, array_index, 1);
    lua_setfield(L, -2, "__index");
    luaL_setfuncs(L, pc_array_arithmetic, 0);
    lua_pop(L, 1);
}

void pc_open_array(lua_State *L)
{
    pc_type_open(L, &pc_type_array);
    open_methods(L);
    lua_newtable(L);
    pc_functions_open(L, "array", pc_array_functions_make);
    pc_functions_open(L, "array", pc_array_functions_each);
    pc_functions_open(L, "array", pc_array_functions_csv);
    pc_register_callable(L, "", &pc_array_constructor);
    pc_module_strict(L, "array");
    lua_setfield(L, -2, "array");
    pc_functions_open(L, "", pc_array_functions_top);
    pc_functions_open(L, "", pc_array_functions_order);
    pc_array_open_csv(L);
}

size_t pc_array_count_argument(lua_State *L, int index)
{
    lua_Integer n = pc_argument_integer(L, index);
    if (n < 0) pc_argument_error(L, index, "must not be negative");
    return (size_t)n;
}

static int push_full(lua_State *L, size_t n, double x)
{
    pc_array *a = pc_array_push_unset(L, n);
    for (size_t i = 0; i < n; i++) a->v[i] = x;
    return 1;
}

/* __call of the table percuss.array, which is argument 1 */
static int make(lua_State *L)
{
    lua_remove(L, 1);
    if (lua_type(L, 1) == LUA_TNUMBER)
        return push_full(L, pc_array_count_argument(L, 1), pc_argument_number_or(L, 2, 0));
    const pc_array *a = pc_array_test(L, 1);
    if (a) {
        pc_array_push_copy(L, a);
        return 1;
    }
    if (lua_type(L, 1) != LUA_TTABLE)
        return pc_argument_type_error(L, 1, "table of numbers, array or number of elements");
    pc_array_take(L, 1);
    lua_settop(L, 1);
    return 1;
}

static int make_zeros(lua_State *L)
{
    return push_full(L, pc_array_count_argument(L, 1), 0);
}

static int make_ones(lua_State *L)
{
    return push_full(L, pc_array_count_argument(L, 1), 1);
}

static int make_full(lua_State *L)
{
    return push_full(L, pc_array_count_argument(L, 1), pc_argument_number(L, 2));
}

static int make_range(lua_State *L)
{
    double a = pc_argument_number(L, 1), b = pc_argument_number(L, 2), step = pc_argument_number_or(L, 3, 1);
    size_t n = 0;
    pc_error err = {0};
    pc_array_ok(L, pc_array_range_count(a, b, step, &n, &err), &err);
    pc_array *out = pc_array_push_unset(L, n);
    pc_array_ok(L, pc_array_range(a, b, step, n, out->v, &err), &err);
    return 1;
}

typedef pc_status space(double a, double b, size_t n, double *out, pc_error *err);

static int make_space(lua_State *L, space *f)
{
    double a = pc_argument_number(L, 1), b = pc_argument_number(L, 2);
    size_t n = pc_array_count_argument(L, 3);
    pc_error err = {0};
    pc_array *out = pc_array_push_unset(L, n);
    pc_array_ok(L, f(a, b, n, out->v, &err), &err);
    return 1;
}

static int make_linspace(lua_State *L)
{
    return make_space(L, pc_array_linspace);
}

static int make_logspace(lua_State *L)
{
    return make_space(L, pc_array_logspace);
}

static const pc_row make_params[] = {
    {.name = "what",
     .kind = PC_TABLE,
     .also = PC_ALSO(PC_NUMBERS) | PC_ALSO(PC_INTEGER),
     .initial = PC_REQUIRED,
     .doc = "the numbers, an array to copy, or how many elements"},
    {.name = "fill", .kind = PC_REAL, .doc = "value of every element, where their number is given"},
    {0},
};
static const pc_row count_params[] = {
    {.name = "n", .kind = PC_INTEGER, .initial = PC_REQUIRED, .doc = "number of elements"}, {0}};
static const pc_row full_params[] = {
    {.name = "n", .kind = PC_INTEGER, .initial = PC_REQUIRED, .doc = "number of elements"},
    {.name = "x", .kind = PC_REAL, .initial = PC_REQUIRED, .doc = "value of every element"},
    {0},
};
static const pc_row range_params[] = {
    {.name = "a", .kind = PC_REAL, .initial = PC_REQUIRED, .doc = "first value"},
    {.name = "b",
     .kind = PC_REAL,
     .initial = PC_REQUIRED,
     .doc = "bound of the last value, included if the steps meet it up to rounding"},
    {.name = "step", .kind = PC_REAL, .initial = 1, .doc = "difference of neighbours, not 0"},
    {0},
};
static const pc_row space_params[] = {
    {.name = "a", .kind = PC_REAL, .initial = PC_REQUIRED, .doc = "first value"},
    {.name = "b", .kind = PC_REAL, .initial = PC_REQUIRED, .doc = "last value"},
    {.name = "n", .kind = PC_INTEGER, .initial = PC_REQUIRED, .doc = "number of values; both ends count"},
    {0},
};

const pc_function pc_array_constructor = {
    "array",
    make,
    "A new array from a table of numbers, from another array, or of n equal elements.",
    make_params,
    "array",
    NULL,
    "print(pc.array{ 1, 2, 3 }, pc.array(2, 0.5)) --> array[3] {1, 2, 3}\tarray[2] {0.5, 0.5}"};

const pc_function pc_array_functions_make[] = {
    {"zeros", make_zeros, "n zeros.", count_params, "array", NULL, "print(pc.array.zeros(3)) --> array[3] {0, 0, 0}"},
    {"ones", make_ones, "n ones.", count_params, "array", NULL, "print(pc.array.ones(3)) --> array[3] {1, 1, 1}"},
    {"full", make_full, "n equal numbers.", full_params, "array", NULL,
     "print(pc.array.full(2, math.huge)) --> array[2] {inf, inf}"},
    {"range", make_range, "The numbers a, a + step, a + 2 step, ... up to b.", range_params, "array", NULL,
     "print(pc.array.range(0, 0.3, 0.1)) --> array[4] {0, 0.1, 0.2, 0.3}"},
    {0},
};

const pc_function pc_array_functions_top[] = {
    {"linspace", make_linspace, "n evenly spaced numbers from a to b, both exact.", space_params, "array", NULL,
     "print(pc.linspace(0, 1, 5)) --> array[5] {0, 0.25, 0.5, 0.75, 1}"},
    {"logspace", make_logspace,
     "n numbers from a to b with a constant ratio. a and b are the values themselves, not exponents of ten.",
     space_params, "array", NULL, "print(pc.logspace(1, 1000, 4)) --> array[4] {1, 10, 100, 1000}"},
    {0},
};
