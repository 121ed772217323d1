/* Arrays reduced to numbers, cumulated, differenced and integrated; extremes, sorting, quantiles, searching,
 * interpolation. */
#include "bind/array/array.h"
#include "bind/core/bind.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef pc_status reduction(size_t n, const double *x, double *result, pc_error *err);

static int push_reduced(lua_State *L, reduction *f)
{
    const pc_array *a = pc_array_check(L, 1);
    double result = 0;
    pc_error err = {0};
    pc_array_ok(L, f(a->n, a->v, &result, &err), &err);
    lua_pushnumber(L, result);
    return 1;
}

static int array_sum(lua_State *L)
{
    return push_reduced(L, pc_array_sum);
}

static int array_mean(lua_State *L)
{
    return push_reduced(L, pc_array_mean);
}

static int array_prod(lua_State *L)
{
    return push_reduced(L, pc_array_product);
}

static double variance(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1);
    lua_Integer lost = pc_argument_integer_or(L, 2, 1);
    if (lost < 0) pc_argument_error(L, 2, "must not be negative");
    double result = 0;
    pc_error err = {0};
    pc_array_ok(L, pc_array_variance(a->n, a->v, (size_t)lost, &result, &err), &err);
    return result;
}

static int array_var(lua_State *L)
{
    lua_pushnumber(L, variance(L));
    return 1;
}

static int array_std(lua_State *L)
{
    lua_pushnumber(L, sqrt(variance(L)));
    return 1;
}

static int array_norm(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1);
    double result = 0, p = pc_argument_number_or(L, 2, 2);
    pc_error err = {0};
    pc_array_ok(L, pc_array_norm(a->n, a->v, p, &result, &err), &err);
    lua_pushnumber(L, result);
    return 1;
}

static int array_dot(lua_State *L)
{
    const pc_array *a = pc_array_check(L, 1), *b = pc_array_take(L, 2);
    if (a->n != b->n)
        return pc_refuse(L, "arrays of %I and %I elements do not go together", (LUAI_UACINT)a->n, (LUAI_UACINT)b->n);
    double result = 0;
    pc_error err = {0};
    pc_array_ok(L, pc_array_dot(a->n, a->v, b->v, &result, &err), &err);
    lua_pushnumber(L, result);
    return 1;
}

/* A new array of `n` elements computed from the one at 1. */
static int push_from(lua_State *L, reduction *f, size_t n)
{
    const pc_array *a = pc_array_check(L, 1);
    pc_array *out = pc_array_push_unset(L, n);
    pc_error err = {0};
    pc_array_ok(L, f(a->n, a->v, out->v, &err), &err);
    return 1;
}

static int array_cumsum(lua_State *L)
{
    return push_from(L, pc_array_cumsum, pc_array_check(L, 1)->n);
}

static int array_cumprod(lua_State *L)
{
    return push_from(L, pc_array_cumprod, pc_array_check(L, 1)->n);
}

static int array_diff(lua_State *L)
{
    size_t n = pc_array_check(L, 1)->n;
    return push_from(L, pc_array_diff, n > 0 ? n - 1 : 0);
}

/* Argument 2: the abscissae, or their spacing; without it 1. */
static pc_abscissae abscissae(lua_State *L, size_t n)
{
    if (lua_isnoneornil(L, 2)) return (pc_abscissae){NULL, 1};
    return pc_array_operand(L, 2, &n);
}

static int array_gradient(lua_State *L)
{
    const pc_array *y = pc_array_check(L, 1);
    pc_abscissae x = abscissae(L, y->n);
    pc_array *out = pc_array_push_unset(L, y->n);
    pc_error err = {0};
    pc_array_ok(L, pc_array_gradient(y->n, y->v, x, out->v, &err), &err);
    return 1;
}

static int array_trapz(lua_State *L)
{
    const pc_array *y = pc_array_check(L, 1);
    double result = 0;
    pc_error err = {0};
    pc_array_ok(L, pc_array_trapz(y->n, y->v, abscissae(L, y->n), &result, &err), &err);
    lua_pushnumber(L, result);
    return 1;
}

static int array_cumtrapz(lua_State *L)
{
    const pc_array *y = pc_array_check(L, 1);
    pc_abscissae x = abscissae(L, y->n);
    pc_array *out = pc_array_push_unset(L, y->n);
    pc_error err = {0};
    pc_array_ok(L, pc_array_cumtrapz(y->n, y->v, x, out->v, &err), &err);
    return 1;
}

static const pc_row variance_params[] = {
    {.name = "lost",
     .kind = PC_INTEGER,
     .initial = 1,
     .doc = "degrees of freedom lost: 1 for a sample, 0 for a whole population"},
    {0},
};
static const pc_row norm_params[] = {
    {.name = "p",
     .kind = PC_REAL,
     .initial = 2,
     .doc = "1: sum of magnitudes; 2: Euclidean; math.huge: greatest magnitude"},
    {0},
};
static const pc_row dot_params[] = {
    {.name = "b", .kind = PC_NUMBERS, .initial = PC_REQUIRED, .doc = "as long as the array"}, {0}};
static const pc_row abscissae_params[] = {
    {.name = "x",
     .kind = PC_NUMBERS,
     .also = PC_ALSO(PC_REAL),
     .initial = PC_ABSENT,
     .otherwise = "1",
     .doc = "where the samples lie, or their spacing"},
    {0},
};

#define NEUMAIER "Neumaier, ZAMM 54 (1974) 39-51"

const pc_function pc_array_methods_sum[] = {
    {"sum", array_sum, "Sum of the elements, compensated: correct but for one rounding unless they cancel.", NULL,
     "number", NEUMAIER, "print(pc.array{ 1e100, 1, -1e100 }:sum()) --> 1.0"},
    {"mean", array_mean, "Arithmetic mean; an empty array has none.", NULL, "number", NULL,
     "print(pc.array{ 1, 2, 6 }:mean()) --> 3.0"},
    {"prod", array_prod, "Product of the elements.", NULL, "number", NULL,
     "print(pc.array{ 2, 3, 4 }:prod()) --> 24.0"},
    {"var", array_var, "Variance: mean square of the deviations from the mean.", variance_params, "number",
     "Chan, Golub and LeVeque, Amer. Statistician 37 (1983) 242-247",
     "local a = pc.array{ 1, 2, 3, 4 }\nprint(a:var(0)) --> 1.25"},
    {"std", array_std, "Standard deviation: square root of the variance.", variance_params, "number", NULL,
     "print(pc.array{ 1, 3, 5 }:std()) --> 2.0"},
    {"norm", array_norm, "Norm of the array as a vector, without overflow on the way.", norm_params, "number", NULL,
     "local a = pc.array{ 3, -4 }\nprint(a:norm(), a:norm(1), a:norm(math.huge)) --> 5.0\t7.0\t4.0"},
    {"dot", array_dot, "Sum of the products with the elements of another array.", dot_params, "number", NULL,
     "print(pc.array{ 1, 2 }:dot(pc.array{ 3, 4 })) --> 11.0"},
    {"cumsum", array_cumsum, "Sums of the first 1, 2, ..., #a elements, compensated.", NULL, "array", NEUMAIER,
     "print(pc.array{ 1, 2, 3 }:cumsum()) --> array[3] {1, 3, 6}"},
    {"cumprod", array_cumprod, "Products of the first 1, 2, ..., #a elements.", NULL, "array", NULL,
     "print(pc.array{ 1, 2, 3 }:cumprod()) --> array[3] {1, 2, 6}"},
    {"diff", array_diff, "Differences of neighbours: one element less than the array.", NULL, "array", NULL,
     "print(pc.array{ 1, 4, 9 }:diff()) --> array[2] {3, 5}"},
    {"gradient", array_gradient,
     "Derivative with respect to x: that of the parabola through three neighbours, of second order at the ends too.",
     abscissae_params, "array", NULL, "local x = pc.array{ 0, 1, 3 }\nprint((x^2):gradient(x)) --> array[3] {0, 2, 6}"},
    {"trapz", array_trapz, "Integral over x by the trapezoidal rule.", abscissae_params, "number", NULL,
     "local x = pc.linspace(0, 1, 101)\nprint(x:trapz(x)) --> 0.5"},
    {"cumtrapz", array_cumtrapz, "Integral over x from the first sample to each, by the trapezoidal rule.",
     abscissae_params, "array", NULL, "print(pc.array{ 0, 1, 2 }:cumtrapz(0.5)) --> array[3] {0, 0.25, 1}"},
    {0},
};

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

static const pc_row quantile_params[] = {
    {.name = "q",
     .kind = PC_REAL,
     .also = PC_ALSO(PC_NUMBERS),
     .initial = PC_REQUIRED,
     .doc = "from 0 (the least element) to 1 (the greatest)"},
    {0},
};
static const pc_row search_params[] = {
    {.name = "x",
     .kind = PC_REAL,
     .also = PC_ALSO(PC_NUMBERS),
     .initial = PC_REQUIRED,
     .doc = "the values to place; give many at once, because the order is checked each "
            "time"},
    {0},
};
#define INTERP_PARAMS                                                                                                  \
    {.name = "xs", .kind = PC_NUMBERS, .initial = PC_REQUIRED, .doc = "where the data lie, strictly ascending"},       \
        {.name = "ys", .kind = PC_NUMBERS, .initial = PC_REQUIRED, .doc = "the data"},                                 \
    {                                                                                                                  \
        .name = "outside", .kind = PC_STRING, .also = PC_ALSO(PC_REAL), .initial = PC_ABSENT, .otherwise = "refuse",   \
        .doc = "for x outside the data: \"hold\" the nearest, or a number"                                             \
    }
static const pc_row interp_params[] = {INTERP_PARAMS, {0}};
static const pc_row interp_function_params[] = {
    {.name = "x",
     .kind = PC_REAL,
     .also = PC_ALSO(PC_NUMBERS),
     .initial = PC_REQUIRED,
     .doc = "where values are wanted"},
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
