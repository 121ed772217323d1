/* The force of a block, f = -K u, for one instruction set: kernel.c and its variants include this. Loops run over the
 * positions of a layer, which the compiler makes vectors of; each element is computed alike by all of them.
 *
 * Stored are the coefficients of a node with those that follow it; what comes before is read as their transpose.
 */
#include "elastic/elastic.h"

/* One layer; c: coefficients of its nodes, below: of the layer before. */
static inline void layer0(ptrdiff_t pitch, const double *restrict c, const double *restrict below,
                          const double *restrict u, const double *restrict w, double *restrict f, double *restrict g)
{
    for (ptrdiff_t k = 0; k < pitch; k++) {
        double x = c[k] * u[k] + c[pitch + k] * w[k];
        double y = c[pitch + k] * u[k] + c[2 * pitch + k] * w[k];
#define NEXT(d, o)                                                                                                     \
    x += c[(d)*pitch + k] * u[k + (o)] + c[((d) + 1) * pitch + k] * w[k + (o)];                                        \
    y += c[((d) + 2) * pitch + k] * u[k + (o)] + c[((d) + 3) * pitch + k] * w[k + (o)];
#define LAST(c, d, o, lag)                                                                                             \
    x += c[(d)*pitch + k - (lag)] * u[k - (o)] + c[((d) + 2) * pitch + k - (lag)] * w[k - (o)];                        \
    y += c[((d) + 1) * pitch + k - (lag)] * u[k - (o)] + c[((d) + 3) * pitch + k - (lag)] * w[k - (o)];
        NEXT(3, 1)
        NEXT(7, pitch - 1)
        NEXT(11, pitch)
        NEXT(15, pitch + 1)
        LAST(c, 3, 1, 1)
        LAST(below, 7, pitch - 1, -1)
        LAST(below, 11, pitch, 0)
        LAST(below, 15, pitch + 1, 1)
#undef NEXT
#undef LAST
        f[k] = -x;
        g[k] = -y;
    }
}

static inline void layer1(ptrdiff_t pitch, const double *restrict c, const double *restrict below,
                          const double *restrict u, const double *restrict v, const double *restrict w,
                          double *restrict f, double *restrict g, double *restrict h)
{
    for (ptrdiff_t k = 0; k < pitch; k++) {
        double x = c[k] * u[k] + c[pitch + k] * v[k] + c[2 * pitch + k] * w[k];
        double y = c[pitch + k] * u[k] + c[3 * pitch + k] * v[k] + c[4 * pitch + k] * w[k];
        double z = c[2 * pitch + k] * u[k] + c[4 * pitch + k] * v[k] + c[5 * pitch + k] * w[k];
#define NEXT(d, o)                                                                                                     \
    x +=                                                                                                               \
        c[(d)*pitch + k] * u[k + (o)] + c[((d) + 1) * pitch + k] * v[k + (o)] + c[((d) + 2) * pitch + k] * w[k + (o)]; \
    y += c[((d) + 3) * pitch + k] * u[k + (o)] + c[((d) + 4) * pitch + k] * v[k + (o)] +                               \
         c[((d) + 5) * pitch + k] * w[k + (o)];                                                                        \
    z += c[((d) + 6) * pitch + k] * u[k + (o)] + c[((d) + 7) * pitch + k] * v[k + (o)] +                               \
         c[((d) + 8) * pitch + k] * w[k + (o)];
#define LAST(c, d, o, lag)                                                                                             \
    x += c[(d)*pitch + k - (lag)] * u[k - (o)] + c[((d) + 3) * pitch + k - (lag)] * v[k - (o)] +                       \
         c[((d) + 6) * pitch + k - (lag)] * w[k - (o)];                                                                \
    y += c[((d) + 1) * pitch + k - (lag)] * u[k - (o)] + c[((d) + 4) * pitch + k - (lag)] * v[k - (o)] +               \
         c[((d) + 7) * pitch + k - (lag)] * w[k - (o)];                                                                \
    z += c[((d) + 2) * pitch + k - (lag)] * u[k - (o)] + c[((d) + 5) * pitch + k - (lag)] * v[k - (o)] +               \
         c[((d) + 8) * pitch + k - (lag)] * w[k - (o)];
        NEXT(6, 1)
        NEXT(15, pitch - 1)
        NEXT(24, pitch)
        NEXT(33, pitch + 1)
        LAST(c, 6, 1, 1)
        LAST(below, 15, pitch - 1, -1)
        LAST(below, 24, pitch, 0)
        LAST(below, 33, pitch + 1, 1)
#undef NEXT
#undef LAST
        f[k] = -x;
        g[k] = -y;
        h[k] = -z;
    }
}

static inline void force(const pc_elastic_block *b, int m, const double *u, double *f)
{
    const ptrdiff_t pitch = b->pitch, row = pc_elastic_diagonals(m) * pitch;
    const size_t room = pc_elastic_room(b), margin = pc_elastic_margin(b);
    for (int layer = 0; layer < b->layers; layer++) {
        const double *c = b->coefficient[m] + layer * row;
        size_t at = margin + (size_t)layer * (size_t)pitch, next = at + room, last = next + room;
        if (m == 0)
            layer0(pitch, c, c - row, u + at, u + next, f + at, f + next);
        else
            layer1(pitch, c, c - row, u + at, u + next, u + last, f + at, f + next, f + last);
    }
}
