/* Arithmetic over 1, 4 or 8 doubles, so that a kernel is written once and compiled for each width.
 *
 * The including file defines PC_LANES first: 1 is plain C, 4 needs AVX2, 8 needs AVX-512 F and DQ. + - * / and unary
 * minus work on `lane` as they stand; everything else is named here. Each operation is exactly rounded or exact, and
 * no operation fuses two, so a lane gives the same bits at every width. Masks hold one truth value per lane.
 */
#ifndef PC_MATH_LANES_H
#define PC_MATH_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Kernels are inlined whole: passing vectors through memory costs more than they compute. */
#define LANE_INLINE static inline __attribute__((always_inline))

/* lane_rough_inverse: 1/x to within 5.1 % for 0 < x < 2^1000, in one subtraction. Negating an exponent is subtracting
 * bit patterns; the constant, (2 * 1023 - 0.101) * 2^52, balances the error of reading the mantissa as a straight
 * line. */
#define LANE_INVERSE_BITS INT64_C(0x7fde624dd2f1a800)

#if PC_LANES == 8

#include <immintrin.h>

typedef __m512d lane;
typedef __mmask8 lane_mask;

static inline lane lane_set(double x)
{
    return _mm512_set1_pd(x);
}
static inline lane lane_load(const double *from)
{
    return _mm512_loadu_pd(from);
}
static inline void lane_store(double *to, lane x)
{
    _mm512_storeu_pd(to, x);
}
static inline lane lane_sqrt(lane x)
{
    return _mm512_sqrt_pd(x);
}
static inline lane lane_abs(lane x)
{
    return _mm512_abs_pd(x);
}
static inline lane lane_min(lane x, lane y)
{
    return _mm512_min_pd(x, y);
}
static inline lane lane_max(lane x, lane y)
{
    return _mm512_max_pd(x, y);
}
static inline lane_mask lane_lt(lane x, lane y)
{
    return _mm512_cmp_pd_mask(x, y, _CMP_LT_OQ);
}
static inline lane_mask lane_le(lane x, lane y)
{
    return _mm512_cmp_pd_mask(x, y, _CMP_LE_OQ);
}
static inline lane_mask lane_eq(lane x, lane y)
{
    return _mm512_cmp_pd_mask(x, y, _CMP_EQ_OQ);
}
static inline lane lane_select(lane_mask m, lane yes, lane no)
{
    return _mm512_mask_blend_pd(m, no, yes);
}
static inline lane lane_rough_inverse(lane x)
{
    return _mm512_castsi512_pd(_mm512_sub_epi64(_mm512_set1_epi64(LANE_INVERSE_BITS), _mm512_castpd_si512(x)));
}
static inline lane_mask mask_and(lane_mask a, lane_mask b)
{
    return a & b;
}
static inline lane_mask mask_or(lane_mask a, lane_mask b)
{
    return a | b;
}
static inline lane_mask mask_not(lane_mask a)
{
    return (lane_mask)~a;
}
static inline bool mask_any(lane_mask a)
{
    return a != 0;
}
static inline int mask_count(lane_mask a)
{
    return __builtin_popcount(a);
}

#elif PC_LANES == 4

#include <immintrin.h>

typedef __m256d lane;
typedef __m256d lane_mask; /* all bits of a lane set or clear */

static inline lane lane_set(double x)
{
    return _mm256_set1_pd(x);
}
static inline lane lane_load(const double *from)
{
    return _mm256_loadu_pd(from);
}
static inline void lane_store(double *to, lane x)
{
    _mm256_storeu_pd(to, x);
}
static inline lane lane_sqrt(lane x)
{
    return _mm256_sqrt_pd(x);
}
static inline lane lane_abs(lane x)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
}
static inline lane lane_min(lane x, lane y)
{
    return _mm256_min_pd(x, y);
}
static inline lane lane_max(lane x, lane y)
{
    return _mm256_max_pd(x, y);
}
static inline lane_mask lane_lt(lane x, lane y)
{
    return _mm256_cmp_pd(x, y, _CMP_LT_OQ);
}
static inline lane_mask lane_le(lane x, lane y)
{
    return _mm256_cmp_pd(x, y, _CMP_LE_OQ);
}
static inline lane_mask lane_eq(lane x, lane y)
{
    return _mm256_cmp_pd(x, y, _CMP_EQ_OQ);
}
static inline lane lane_select(lane_mask m, lane yes, lane no)
{
    return _mm256_blendv_pd(no, yes, m);
}
static inline lane lane_rough_inverse(lane x)
{
    return _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_set1_epi64x(LANE_INVERSE_BITS), _mm256_castpd_si256(x)));
}
static inline lane_mask mask_and(lane_mask a, lane_mask b)
{
    return _mm256_and_pd(a, b);
}
static inline lane_mask mask_or(lane_mask a, lane_mask b)
{
    return _mm256_or_pd(a, b);
}
static inline lane_mask mask_not(lane_mask a)
{
    return _mm256_xor_pd(a, _mm256_cmp_pd(a, a, _CMP_TRUE_UQ));
}
static inline bool mask_any(lane_mask a)
{
    return _mm256_movemask_pd(a) != 0;
}
static inline int mask_count(lane_mask a)
{
    return __builtin_popcount((unsigned)_mm256_movemask_pd(a));
}

#elif PC_LANES == 1

typedef double lane;
typedef bool lane_mask;

static inline lane lane_set(double x)
{
    return x;
}
static inline lane lane_load(const double *from)
{
    return *from;
}
static inline void lane_store(double *to, lane x)
{
    *to = x;
}
static inline lane lane_sqrt(lane x)
{
    return sqrt(x);
}
static inline lane lane_abs(lane x)
{
    return fabs(x);
}
/* The second operand where the two do not compare, as the vector instructions do it. */
static inline lane lane_min(lane x, lane y)
{
    return x < y ? x : y;
}
static inline lane lane_max(lane x, lane y)
{
    return x > y ? x : y;
}
static inline lane_mask lane_lt(lane x, lane y)
{
    return x < y;
}
static inline lane_mask lane_le(lane x, lane y)
{
    return x <= y;
}
static inline lane_mask lane_eq(lane x, lane y)
{
    return x == y;
}
static inline lane lane_select(lane_mask m, lane yes, lane no)
{
    return m ? yes : no;
}
static inline lane lane_rough_inverse(lane x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = LANE_INVERSE_BITS - bits;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline lane_mask mask_and(lane_mask a, lane_mask b)
{
    return a && b;
}
static inline lane_mask mask_or(lane_mask a, lane_mask b)
{
    return a || b;
}
static inline lane_mask mask_not(lane_mask a)
{
    return !a;
}
static inline bool mask_any(lane_mask a)
{
    return a;
}
static inline int mask_count(lane_mask a)
{
    return a;
}

#else
#error "PC_LANES must be 1, 4 or 8"
#endif

static inline lane_mask mask_and_not(lane_mask a, lane_mask b)
{
    return mask_and(a, mask_not(b));
}

static inline lane_mask mask_select(lane_mask m, lane_mask yes, lane_mask no)
{
    return mask_or(mask_and(m, yes), mask_and_not(no, m));
}

/* The nearest integer, ties to even, for |x| < 2^51: adding 1.5 * 2^52 leaves no bits for a fraction. */
static inline lane lane_round(lane x)
{
    const lane big = lane_set(6755399441055744.0);
    return (x + big) - big;
}

#endif
