/* Arrays and order: extremes, sorting, quantiles, searching, interpolation. */
#include "bind/argument.h"
#include "bind/array_parts.h"

#include <string.h>

/* Positions (0-based) of the least and greatest element of the array at 1. */
static const pc_array *extremes(lua_State *L, size_t *least, size_t *greatest)
{
    const pc_array *a = pc_array_check(L, 1);
    pc_error err = {0};
    pc_array_ok(L, pc_array_extremes(a->n, a->v, least, greatest, &err), &err);
    return a;
}

static int array_min(lua_State *L)
{
    size_t lo = 0, hi = 0;
    const pc_array *a = extremes(L, &lo, &hi);
    lua_pushnumber(L, a->v[lo]);
    return 1;
}

static int array_max(lua_State *L)
{
    size_t lo = 0, hi = 0;
    const pc_array *a = extremes(L, &lo, &hi);
    lua_pushnumber(L, a->v[hi]);
    return 1;
}

static int array_argmin(lua_State *L)
{
    size_t lo = 0, hi = 0;
    extremes(L, &lo, &hi);
    lua_pushinteger(L, (lua_Integer)lo + 1);
    return 1;
}

static int array_argmax(lua_State *L)
{
    size_t lo = 0, hi = 0;
    extremes(L, &lo, &hi);
    lua_pushinteger(L, (lua_Integer)hi + 1);
    return 1;
}

static pc_array *push_sorted(lua_State *L, const pc_array *a)
{
    pc_array *sorted = pc_array_push_copy(L, a);
    pc_error err = {0};
    pc_array_ok(L, pc_array_sort(sorted->n, sorted->v, &err), &err);
    return sorted;
}

static int array_sort(lua_State *L)
{
    push_sorted(L, pc_array_check(L, 1));
    return 1;
}

static int array_argsort(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1);
    pc_array *out = pc_array_push_unset(L, a->n);
    pc_error err = {0};
    pc_array_ok(L, pc_array_argsort(a->n, a->v, 1, out->v, &err), &err);
    return 1;
}

static int array_unique(lua_State *L)
{
    pc_array *sorted = push_sorted(L, pc_array_check(L, 1));
    size_t n = pc_array_unique(sorted->n, sorted->v);
    pc_array *out = pc_array_push_unset(L, n);
    memcpy(out->v, sorted->v, n * sizeof *out->v);
    return 1;
}

/* Quantiles of the array at 1 for the n_q numbers q. */
static void quantiles(lua_State *L, size_t n_q, const double *q, double *out)
{
    const pc_array *a = pc_array_check(L, 1);
    pc_error err = {0};
    pc_array_ok(L, pc_array_refuse_nan(a->n, a->v, "the array", &err), &err);
    const pc_array *sorted = push_sorted(L, a);
    pc_array_ok(L, pc_array_quantile(sorted->n, sorted->v, n_q, q, out, &err), &err);
    lua_pop(L, 1);
}

static int array_quantile(lua_State *L)
{
    if (lua_type(L, 2) == LUA_TNUMBER) {
        double q = lua_tonumber(L, 2), value = 0;
        quantiles(L, 1, &q, &value);
        lua_pushnumber(L, value);
        return 1;
    }
    const pc_array *q = pc_array_take(L, 2);
    pc_array *out = pc_array_push_unset(L, q->n);
    quantiles(L, q->n, q->v, out->v);
    return 1;
}

static int array_median(lua_State *L)
{
    double half = 0.5, value = 0;
    quantiles(L, 1, &half, &value);
    lua_pushnumber(L, value);
    return 1;
}

static int array_search(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1);
    pc_error err = {0};
    pc_array_ok(L, pc_array_refuse_unsorted(a->n, a->v, false, "the array", &err), &err);
    if (lua_type(L, 2) == LUA_TNUMBER) {
        double x = lua_tonumber(L, 2);
        pc_array_ok(L, pc_array_refuse_nan(1, &x, "the value", &err), &err);
        lua_pushinteger(L, (lua_Integer)pc_array_search(a->n, a->v, x));
        return 1;
    }
    const pc_array *x = pc_array_take(L, 2);
    pc_array_ok(L, pc_array_refuse_nan(x->n, x->v, "the array of values", &err), &err);
    pc_array *out = pc_array_push_unset(L, x->n);
    for (size_t i = 0; i < x->n; i++) {
        pc_array_poll(L, i);
        out->v[i] = (double)pc_array_search(a->n, a->v, x->v[i]);
    }
    return 1;
}

/* Argument 4 of interp: nothing, "hold", or the number to fill with. */
static pc_outside outside_argument(lua_State *L, double *fill)
{
    if (lua_isnoneornil(L, 4)) return PC_OUTSIDE_ERROR;
    if (lua_type(L, 4) == LUA_TNUMBER) {
        *fill = lua_tonumber(L, 4);
        return PC_OUTSIDE_FILL;
    }
    static const char *const words[] = {"hold", NULL};
    pc_argument_word(L, 4, words);
    return PC_OUTSIDE_HOLD;
}

/* percuss.interp(x, xs, ys, outside) and x:interp(xs, ys, outside) */
static int array_interp(lua_State *L)
{
    double fill = 0, number = 0, value = 0;
    pc_outside outside = outside_argument(L, &fill);
    const pc_array *xs = pc_array_take(L, 2), *ys = pc_array_take(L, 3);
    if (xs->n != ys->n)
        return pc_refuse(L, "interpolation needs as many xs as ys, not %I and %I", (LUAI_UACINT)xs->n,
                         (LUAI_UACINT)ys->n);
    pc_error err = {0};
    if (lua_type(L, 1) == LUA_TNUMBER) {
        number = lua_tonumber(L, 1);
        pc_array_ok(L, pc_array_interp(1, &number, xs->n, xs->v, ys->v, outside, fill, &value, &err), &err);
        lua_pushnumber(L, value);
        return 1;
    }
    const pc_array *x = pc_array_take(L, 1);
    pc_array *out = pc_array_push_unset(L, x->n);
    pc_array_ok(L, pc_array_interp(x->n, x->v, xs->n, xs->v, ys->v, outside, fill, out->v, &err), &err);
    return 1;
}

static const pc_param quantile_params[] = {
    {"q", "number or array", NULL, NULL, "from 0 (the least element) to 1 (the greatest)"},
    {0},
};
static const pc_param search_params[] = {
    {"x", "number or array", NULL, NULL,
     "the values to place; give many at once, because the order is checked each "
     "time"},
    {0},
};
#define INTERP_PARAMS                                                                                                  \
    {"xs", "array", NULL, NULL, "where the data lie, strictly ascending"}, {"ys", "array", NULL, NULL, "the data"},    \
    {                                                                                                                  \
        "outside", "string or number", NULL, "refuse", "for x outside the data: \"hold\" the nearest, or a number"     \
    }
static const pc_param interp_params[] = {INTERP_PARAMS, {0}};
static const pc_param interp_function_params[] = {
    {"x", "number or array", NULL, NULL, "where values are wanted"},
    INTERP_PARAMS,
    {0},
};

#define QUANTILE                                                                                                       \
    "linear between order statistics: definition 7 of Hyndman and Fan, Amer. Statistician 50 (1996) 361-365"

const pc_function pc_array_methods_order[] = {
    {"min", array_min, "Least element; NaN and empty arrays are refused.", NULL, "number", NULL,
     "print(pc.array{ 3, 1, 2 }:min()) --> 1.0"},
    {"max", array_max, "Greatest element; NaN and empty arrays are refused.", NULL, "number", NULL,
     "print(pc.array{ 3, 1, 2 }:max()) --> 3.0"},
    {"argmin", array_argmin, "Position of the least element, the first if there are several.", NULL, "integer", NULL,
     "print(pc.array{ 3, 1, 2 }:argmin()) --> 2"},
    {"argmax", array_argmax, "Position of the greatest element, the first if there are several.", NULL, "integer", NULL,
     "print(pc.array{ 3, 1, 2 }:argmax()) --> 1"},
    {"sort", array_sort, "A copy in ascending order; NaN comes last.", NULL, "array", NULL,
     "print(pc.array{ 3, 1, 2 }:sort()) --> array[3] {1, 2, 3}"},
    {"argsort", array_argsort,
     "The positions in ascending order of their elements; equal elements keep their order, NaN comes last.", NULL,
     "array", NULL, "print(pc.array{ 30, 10, 20 }:argsort()) --> array[3] {2, 3, 1}"},
    {"unique", array_unique, "The different elements in ascending order; NaN comes last, once.", NULL, "array", NULL,
     "print(pc.array{ 3, 1, 3, 1 }:unique()) --> array[2] {1, 3}"},
    {"median", array_median, "Middle of the sorted elements, the mean of two if their number is even; NaN is refused.",
     NULL, "number", QUANTILE, "print(pc.array{ 4, 1, 3, 2 }:median()) --> 2.5"},
    {"quantile", array_quantile, "The value below which a fraction q of the elements lies; NaN is refused.",
     quantile_params, "number or array", QUANTILE,
     "print(pc.array{ 4, 1, 3, 2, 5 }:quantile{ 0, 0.25, 1 }) --> array[3] {1, 2, 5}"},
    {"search", array_search,
     "In an ascending array, the position i with a[i] <= x < a[i + 1]; 0 below the first element, #a from the last on.",
     search_params, "integer or array", NULL,
     "local a = pc.array{ 10, 20, 30 }\nprint(a:search(25), a:search{ 5, 10, 99 }) --> 2\tarray[3] {0, 1, 3}"},
    {"interp", array_interp, "Values at the elements of the array, piecewise linear through the data (xs, ys).",
     interp_params, "array", NULL, "print(pc.array{ 0.5, 1.5 }:interp({ 0, 1, 2 }, { 0, 10, 0 })) --> array[2] {5, 5}"},
    {0},
};

const pc_function pc_array_functions_order[] = {
    {"interp", array_interp, "Values at x, piecewise linear through the data (xs, ys), exact at the data.",
     interp_function_params, "number or array", NULL,
     "print(pc.interp(0.5, { 0, 1 }, { 10, 20 }), pc.interp(7, { 0, 1 }, { 10, 20 }, \"hold\")) --> 15.0\t20.0"},
    {0},
};
