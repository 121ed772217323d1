/* Two doubles at a time: every processor has arithmetic on pairs, and pairs cannot change a result. */
#ifndef PC_MATH_TWIN_H
#define PC_MATH_TWIN_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef double pc_twin __attribute__((vector_size(16)));
typedef int64_t pc_twin_bits __attribute__((vector_size(16)));

static inline pc_twin pc_twin_load(const double *from)
{
    pc_twin twin;
    memcpy(&twin, from, sizeof twin);
    return twin;
}

static inline void pc_twin_store(double *to, pc_twin twin)
{
    memcpy(to, &twin, sizeof twin);
}

/* Sine and cosine of two angles at once, for right-hand sides: the same bits on every processor, and several times
 * faster than the C library twice.
 *
 * Errors stay below 2^-52 for |x| < 2^20; larger angles and what is not finite go to the C library. Reduction and
 * polynomials as in lanes.h.
 */
static inline __attribute__((always_inline)) void pc_sincos_pair(const double x[2], double sine[2], double cosine[2])
{
    const double most = 0x1p20;
    if (!(fabs(x[0]) < most && fabs(x[1]) < most)) {
        for (int i = 0; i < 2; i++) {
            sine[i] = sin(x[i]);
            cosine[i] = cos(x[i]);
        }
        return;
    }
    /* n, the nearest multiple of pi/2, stands in the last bits of `shifted`; times a part of pi/2 it is exact */
    pc_twin y = {x[0], x[1]};
    pc_twin shifted = y * 0.63661977236758134308 + 6755399441055744.0, n = shifted - 6755399441055744.0;
    y = y - n * 1.57079632673412561417e+00;
    y = y - n * 6.07710050630396597660e-11;
    y = y - n * 2.02226624879595063154e-21;

    /* sin y = y + y z S(z), cos y = 1 - z/2 + z^2 C(z), z = y^2 <= (pi/4)^2 */
    pc_twin z = y * y, zz = z * z, zzzz = zz * zz;
    pc_twin s = (-0.16666666666666666 + z * 0.0083333333333309358) +
                zz * (-0.00019841269836740532 + z * 2.7557316093198404e-06) +
                zzzz * (-2.5051129896450185e-08 + z * 1.5917988979397435e-10);
    pc_twin c = (0.041666666666666664 + z * -0.0013888888888887389) +
                zz * (2.48015872987544e-05 + z * -2.7557317265878082e-07) +
                zzzz * (2.0876145049413178e-09 + z * -1.138254464534925e-11);
    pc_twin sy = y + y * z * s, cy = 1 - (z * 0.5 - zz * c);

    /* odd n exchanges them, bit 1 of n changes the sign of the sine, that of n + 1 the sign of the cosine */
    pc_twin_bits bits = (pc_twin_bits)shifted, odd = -(bits & 1), a = (pc_twin_bits)sy, b = (pc_twin_bits)cy;
    pc_twin_bits sin_bits = ((a & ~odd) | (b & odd)) ^ ((bits & 2) << 62);
    pc_twin_bits cos_bits = ((b & ~odd) | (a & odd)) ^ (((bits + 1) & 2) << 62);
    pc_twin sines = (pc_twin)sin_bits, cosines = (pc_twin)cos_bits;
    for (int i = 0; i < 2; i++) {
        sine[i] = sines[i];
        cosine[i] = cosines[i];
    }
}

#endif
