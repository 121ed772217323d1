/* Arrays reduced to numbers, cumulated, differenced and integrated. */
#include "bind/argument.h"
#include "bind/array_parts.h"

#include <math.h>
#include <stdint.h>

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

static const pc_param variance_params[] = {
    {"lost", "integer", NULL, "1", "degrees of freedom lost: 1 for a sample, 0 for a whole population"},
    {0},
};
static const pc_param norm_params[] = {
    {"p", "number", "", "2", "1: sum of magnitudes; 2: Euclidean; math.huge: greatest magnitude"},
    {0},
};
static const pc_param dot_params[] = {{"b", "array", NULL, NULL, "as long as the array"}, {0}};
static const pc_param abscissae_params[] = {
    {"x", "array or number", NULL, "1", "where the samples lie, or their spacing"},
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
