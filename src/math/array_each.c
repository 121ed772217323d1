/* Functions element by element: see array.h. The lists array_unary.def and array_binary.def become one loop per
 * function (and per shape of its arguments), which the compiler vectorises where the function allows it. */
#include "math/array.h"
#include "math/array_loop.h"

#include <math.h>
#include <string.h>

/* Lua's float remainder: C's fmod, moved by b where the signs differ. */
static double modulo(double a, double b)
{
    double m = fmod(a, b);
    if (m != 0 && (m < 0) != (b < 0)) m += b;
    return m;
}

/* Squares are exact products, as in Lua; pow costs twenty times as much. */
static double power(double a, double b)
{
    return b == 2 ? a * a : pow(a, b);
}

#define PC_UNARY(name, expression, summary, example)                                                                   \
    static void each_##name(size_t n, const double *v, double *out)                                                    \
    {                                                                                                                  \
        for (size_t i = 0; i < n; i++) {                                                                               \
            double x = v[i];                                                                                           \
            out[i] = expression;                                                                                       \
        }                                                                                                              \
    }
#include "math/array_unary.def"
#undef PC_UNARY

#define PC_BINARY(name, expression)                                                                                    \
    static void each2_##name(size_t n, pc_operand p, pc_operand q, double *out)                                        \
    {                                                                                                                  \
        double a = p.x, b = q.x;                                                                                       \
        if (p.v && q.v) {                                                                                              \
            for (size_t i = 0; i < n; i++) {                                                                           \
                a = p.v[i];                                                                                            \
                b = q.v[i];                                                                                            \
                out[i] = expression;                                                                                   \
            }                                                                                                          \
        } else if (p.v) {                                                                                              \
            for (size_t i = 0; i < n; i++) {                                                                           \
                a = p.v[i];                                                                                            \
                out[i] = expression;                                                                                   \
            }                                                                                                          \
        } else if (q.v) {                                                                                              \
            for (size_t i = 0; i < n; i++) {                                                                           \
                b = q.v[i];                                                                                            \
                out[i] = expression;                                                                                   \
            }                                                                                                          \
        } else {                                                                                                       \
            for (size_t i = 0; i < n; i++) out[i] = expression;                                                        \
        }                                                                                                              \
    }
#include "math/array_binary.def"
#undef PC_BINARY

static const struct {
    const char *name;
    void (*run)(size_t n, const double *v, double *out);
} unary[] = {
#define PC_UNARY(name, expression, summary, example) {#name, each_##name},
#include "math/array_unary.def"
#undef PC_UNARY
};

static void (*const binary[])(size_t n, pc_operand p, pc_operand q, double *out) = {
#define PC_BINARY(name, expression) each2_##name,
#include "math/array_binary.def"
#undef PC_BINARY
};

static pc_operand from(pc_operand a, size_t start)
{
    if (a.v) a.v += start;
    return a;
}

pc_status pc_array_each(pc_array_unary f, size_t n, const double *x, double *out, pc_error *err)
{
    PC_CHUNKS(n, start, end, err)
    {
        unary[f].run(end - start, x + start, out + start);
    }
    return PC_OK;
}

pc_status pc_array_each2(pc_array_binary f, size_t n, pc_operand a, pc_operand b, double *out, pc_error *err)
{
    PC_CHUNKS(n, start, end, err)
    {
        binary[f](end - start, from(a, start), from(b, start), out + start);
    }
    return PC_OK;
}

pc_array_unary pc_array_unary_find(const char *name)
{
    int f = 0;
    while (f < PC_N_UNARY && strcmp(unary[f].name, name) != 0) f++;
    return (pc_array_unary)f;
}

const char *pc_array_unary_name(pc_array_unary f)
{
    return unary[f].name;
}

pc_status pc_array_clip(size_t n, const double *x, double lo, double hi, double *out, pc_error *err)
{
    if (!(lo <= hi)) return pc_fail(err, PC_E_ARGUMENT, "clip needs lo <= hi, not %g and %g", lo, hi);
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) out[i] = x[i] < lo ? lo : x[i] > hi ? hi : x[i];
    }
    return PC_OK;
}

pc_status pc_array_choose(size_t n, const double *mask, pc_operand a, pc_operand b, double *out, pc_error *err)
{
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) out[i] = mask[i] != 0 ? (a.v ? a.v[i] : a.x) : (b.v ? b.v[i] : b.x);
    }
    return PC_OK;
}

size_t pc_array_count(size_t n, const double *mask)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += mask[i] != 0;
    return count;
}

bool pc_array_equal(size_t n, const double *a, const double *b)
{
    for (size_t i = 0; i < n; i++)
        if (!(a[i] == b[i])) return false;
    return true;
}
