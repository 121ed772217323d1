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

/* A function that is one expression. */
#define LANE(type, name, parameters, value)                                                                            \
    static inline type name parameters                                                                                 \
    {                                                                                                                  \
        return value;                                                                                                  \
    }

#if PC_LANES == 8

#include <immintrin.h>

typedef __m512d lane;
typedef __mmask8 lane_mask;

LANE(lane, lane_set, (double x), _mm512_set1_pd(x))
LANE(lane, lane_sqrt, (lane x), _mm512_sqrt_pd(x))
LANE(lane, lane_abs, (lane x), _mm512_abs_pd(x))
LANE(lane, lane_min, (lane x, lane y), _mm512_min_pd(x, y))
LANE(lane, lane_max, (lane x, lane y), _mm512_max_pd(x, y))
LANE(lane_mask, lane_lt, (lane x, lane y), _mm512_cmp_pd_mask(x, y, _CMP_LT_OQ))
LANE(lane_mask, lane_le, (lane x, lane y), _mm512_cmp_pd_mask(x, y, _CMP_LE_OQ))
LANE(lane_mask, lane_eq, (lane x, lane y), _mm512_cmp_pd_mask(x, y, _CMP_EQ_OQ))
LANE(lane, lane_select, (lane_mask m, lane yes, lane no), _mm512_mask_blend_pd(m, no, yes))
LANE(lane, lane_rough_inverse, (lane x),
     _mm512_castsi512_pd(_mm512_sub_epi64(_mm512_set1_epi64(LANE_INVERSE_BITS), _mm512_castpd_si512(x))))
LANE(lane_mask, mask_and, (lane_mask a, lane_mask b), (a & b))
LANE(lane_mask, mask_or, (lane_mask a, lane_mask b), (a | b))
LANE(lane_mask, mask_not, (lane_mask a), (lane_mask)~a)
LANE(bool, mask_any, (lane_mask a), a != 0)
LANE(int, mask_count, (lane_mask a), __builtin_popcount(a))

#elif PC_LANES == 4

#include <immintrin.h>

typedef __m256d lane;
typedef __m256d lane_mask; /* all bits of a lane set or clear */

LANE(lane, lane_set, (double x), _mm256_set1_pd(x))
LANE(lane, lane_sqrt, (lane x), _mm256_sqrt_pd(x))
LANE(lane, lane_abs, (lane x), _mm256_andnot_pd(_mm256_set1_pd(-0.0), x))
LANE(lane, lane_min, (lane x, lane y), _mm256_min_pd(x, y))
LANE(lane, lane_max, (lane x, lane y), _mm256_max_pd(x, y))
LANE(lane_mask, lane_lt, (lane x, lane y), _mm256_cmp_pd(x, y, _CMP_LT_OQ))
LANE(lane_mask, lane_le, (lane x, lane y), _mm256_cmp_pd(x, y, _CMP_LE_OQ))
LANE(lane_mask, lane_eq, (lane x, lane y), _mm256_cmp_pd(x, y, _CMP_EQ_OQ))
LANE(lane, lane_select, (lane_mask m, lane yes, lane no), _mm256_blendv_pd(no, yes, m))
LANE(lane, lane_rough_inverse, (lane x),
     _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_set1_epi64x(LANE_INVERSE_BITS), _mm256_castpd_si256(x))))
LANE(lane_mask, mask_and, (lane_mask a, lane_mask b), _mm256_and_pd(a, b))
LANE(lane_mask, mask_or, (lane_mask a, lane_mask b), _mm256_or_pd(a, b))
LANE(lane_mask, mask_not, (lane_mask a), _mm256_xor_pd(a, _mm256_cmp_pd(a, a, _CMP_TRUE_UQ)))
LANE(bool, mask_any, (lane_mask a), _mm256_movemask_pd(a) != 0)
LANE(int, mask_count, (lane_mask a), __builtin_popcount((unsigned)_mm256_movemask_pd(a)))

#elif PC_LANES == 1

typedef double lane;
typedef bool lane_mask;

LANE(lane, lane_set, (double x), x)
LANE(lane, lane_sqrt, (lane x), sqrt(x))
LANE(lane, lane_abs, (lane x), fabs(x))
/* The second operand where the two do not compare, as the vector instructions do it. */
LANE(lane, lane_min, (lane x, lane y), x < y ? x : y)
LANE(lane, lane_max, (lane x, lane y), x > y ? x : y)
LANE(lane_mask, lane_lt, (lane x, lane y), x < y)
LANE(lane_mask, lane_le, (lane x, lane y), x <= y)
LANE(lane_mask, lane_eq, (lane x, lane y), x == y)
LANE(lane, lane_select, (lane_mask m, lane yes, lane no), m ? yes : no)

static inline lane lane_rough_inverse(lane x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = LANE_INVERSE_BITS - bits;
    memcpy(&x, &bits, sizeof x);
    return x;
}

LANE(lane_mask, mask_and, (lane_mask a, lane_mask b), (a && b))
LANE(lane_mask, mask_or, (lane_mask a, lane_mask b), (a || b))
LANE(lane_mask, mask_not, (lane_mask a), !a)
LANE(bool, mask_any, (lane_mask a), a)
LANE(int, mask_count, (lane_mask a), a)

#else
#error "PC_LANES must be 1, 4 or 8"
#endif

LANE(lane_mask, mask_and_not, (lane_mask a, lane_mask b), mask_and(a, mask_not(b)))
LANE(lane_mask, mask_select, (lane_mask m, lane_mask yes, lane_mask no), mask_or(mask_and(m, yes), mask_and_not(no, m)))
#undef LANE

static inline lane lane_load(const double *from)
{
    lane x;
    memcpy(&x, from, sizeof x);
    return x;
}

static inline void lane_store(double *to, lane x)
{
    memcpy(to, &x, sizeof x);
}

/* The nearest integer, ties to even, for |x| < 2^51: adding 1.5 * 2^52 leaves no bits for a fraction. */
static inline lane lane_round(lane x)
{
    const lane big = lane_set(6755399441055744.0);
    return (x + big) - big;
}

/* Angle functions over lanes.
 *
 * Errors stay below 8 units of 2^-53 times the scale of the result (1 for a sine, pi/2 for an angle), and small
 * results keep their relative accuracy. Polynomials: least maximum relative error over the reduced range, from a
 * Chebyshev fit in 40 digits, summed in pairs (Estrin) since latency is what a narrow kernel waits for; the range and
 * what the truncation leaves stand beside each.
 */

/* sin^2(x/2) and sin(x/2) cos(x/2) for |x| < 4e6: what is needed for 1 - cos x = 2 sin^2(x/2) and
 * sin x = 2 sin(x/2) cos(x/2) without cancellation.
 *
 * Both have period 2 pi in x, so x/4 is reduced by multiples of pi/2 to |y| <= pi/4 and the angle doubled once. pi/2
 * is taken in three parts of 33 bits (the split is that of Cody and Waite, 1980): n times a part is exact for
 * n < 2^20. */
LANE_INLINE void lane_half_angle(lane x, lane *sin_sin, lane *sin_cos)
{
    const lane quarter = lane_set(0.78539816339744831);
    lane y = x * lane_set(0.25);
    /* multiples of 0 change nothing, so this branch is one of speed alone */
    if (mask_any(lane_lt(quarter, lane_abs(y)))) {
        lane n = lane_round(y * lane_set(0.63661977236758134308));
        y = y - n * lane_set(1.57079632673412561417e+00);
        y = y - n * lane_set(6.07710050630396597660e-11);
        y = y - n * lane_set(2.02226624879595063154e-21);
    }

    /* sin y = y + y z S(z), cos y = 1 - z/2 + z^2 C(z), z = y^2 <= (pi/4)^2: 2.1e-17 and 1.3e-18 */
    lane z = y * y;
    lane zz = z * z, zzzz = zz * zz;
    lane s = (lane_set(-0.16666666666666666) + z * lane_set(0.0083333333333309358)) +
             zz * (lane_set(-0.00019841269836740532) + z * lane_set(2.7557316093198404e-06)) +
             zzzz * (lane_set(-2.5051129896450185e-08) + z * lane_set(1.5917988979397435e-10));
    lane sine = y + y * z * s;
    lane c = (lane_set(0.041666666666666664) + z * lane_set(-0.0013888888888887389)) +
             zz * (lane_set(2.48015872987544e-05) + z * lane_set(-2.7557317265878082e-07)) +
             zzzz * (lane_set(2.0876145049413178e-09) + z * lane_set(-1.138254464534925e-11));
    lane cosine = lane_set(1) - (z * lane_set(0.5) - zz * c);

    lane s2 = lane_set(2) * sine * cosine;
    lane c2 = lane_set(1) - lane_set(2) * sine * sine;
    *sin_sin = s2 * s2;
    *sin_cos = s2 * c2;
}

/* The angle of (x, y) for x >= 0, y >= 0, not both 0: from 0 to pi/2.
 *
 * One quotient, chosen so that |z| <= tan(pi/8): y/x, -x/y beyond 3 pi/8, and (y - x)/(y + x) between, with the angle
 * 0, pi/2 or pi/4 added. atan z = z + z w A(w), w = z^2 <= tan^2(pi/8): 3.2e-17 w. */
LANE_INLINE lane lane_angle(lane y, lane x)
{
    const lane eighth = lane_set(0.41421356237309503);
    lane_mask low = lane_le(y, eighth * x), high = lane_lt(x, eighth * y);
    lane above = lane_select(low, y, lane_select(high, -x, y - x));
    lane below = lane_select(low, x, lane_select(high, y, y + x));
    lane offset = lane_select(low, lane_set(0), lane_select(high, lane_set(M_PI_2), lane_set(M_PI_4)));
    /* what rounding pi/2 and pi/4 has lost */
    lane rest = lane_select(low, lane_set(0),
                            lane_select(high, lane_set(6.123233995736766e-17), lane_set(3.061616997868383e-17)));
    lane z = above / below;
    lane w = z * z;
    lane ww = w * w, w4 = ww * ww, w8 = w4 * w4;
    lane a = ((lane_set(-0.33333333333333331) + w * lane_set(0.1999999999999548)) +
              ww * (lane_set(-0.14285714284657894) + w * lane_set(0.11111111014561013))) +
             w4 * ((lane_set(-0.090909045498846111) + w * lane_set(0.076921825351166484)) +
                   ww * (lane_set(-0.066645022156714473) + w * lane_set(0.058580687568615106))) +
             w8 * ((lane_set(-0.050850304928109408) + w * lane_set(0.039219552532551293)) +
                   ww * lane_set(-0.019162068915902573));
    return offset + (z + (rest + z * w * a));
}

#endif
