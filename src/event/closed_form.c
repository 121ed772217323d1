/* The first fall of a function that is known in closed form: see event.h. */
#include "event/event.h"

#include "math/twin.h"

#include <math.h>

/* Looks in one call: what grazes for longer is asked again. */
enum { LOOKS = 1000 };

/* Where the time rounds, what does not go by it is still known: so many corrections of that, where it makes at least
 * this share of the rate. */
enum { CORRECTIONS = 3 };
static const double OF_RATE = 0.25;

/* Beyond what is known to be clear by so little, to see how much further it is. */
static const double SLIGHTLY = 1.05;

/* The first positive zero of f + f' x - bend x^2/2 where f is not below zero; infinite: there is none. */
static double first_zero(double f, double rate, double bend)
{
    double square = rate * rate + 2 * bend * f;
    if (!(square >= 0)) return INFINITY;
    double root = sqrt(square);
    if (rate <= 0) return root - rate > 0 ? 2 * f / (root - rate) : INFINITY;
    return bend > 0 ? (rate + root) / bend : INFINITY;
}

/* p and its rate: what goes by s, and the waves that go by the time; of heights the second derivative as well. */
typedef struct sample {
    double p[2], by_time[2], rate[2], rate_by_time[2], curve;
} sample;

/* Everything below is compiled for both numbers of components. */
#define INLINE static inline __attribute__((always_inline))

INLINE double angle_of(const pc_closed_form *f, const pc_wave *w, double s)
{
    return w->frequency * (w->by_time ? f->t + s : s) + w->phase;
}

INLINE void add_wave(const pc_wave *w, int n, double sine, double cosine, sample *out)
{
    double *p = w->by_time ? out->by_time : out->p, *rate = w->by_time ? out->rate_by_time : out->rate;
    for (int k = 0; k < n; k++) {
        const double wave = w->a[k] * sine + w->b[k] * cosine;
        p[k] += wave;
        rate[k] += w->frequency * (w->a[k] * cosine - w->b[k] * sine);
        if (n == 1) out->curve -= w->frequency * w->frequency * wave;
    }
}

INLINE void begin(const pc_closed_form *f, int n, double s, sample *out)
{
    out->curve = 2 * f->c[2][0];
    for (int k = 0; k < n; k++) {
        out->p[k] = f->c[0][k] + s * (f->c[1][k] + s * f->c[2][k]);
        out->rate[k] = f->c[1][k] + 2 * s * f->c[2][k];
    }
}

/* Of n components. */
INLINE void look(const pc_closed_form *f, int n, double s, sample *out)
{
    begin(f, n, s, out);
    for (int k = 0; k < n; k++) out->by_time[k] = out->rate_by_time[k] = 0;
    for (int i = 0; i < f->n; i += 2) {
        const pc_wave *w = &f->wave[i];
        const bool both = i + 1 < f->n;
        const double first = angle_of(f, w, s), at[2] = {first, both ? angle_of(f, w + 1, s) : first};
        double sine[2], cosine[2];
        pc_sincos_pair(at, sine, cosine);
        add_wave(w, n, sine[0], cosine[0], out);
        if (both) add_wave(w + 1, n, sine[1], cosine[1], out);
    }
}

/* The same a little beside, where what goes by the time does not change. */
INLINE void look_beside(const pc_closed_form *f, int n, double s, sample *out)
{
    begin(f, n, s, out);
    for (int i = 0; i < f->n; i++) {
        const pc_wave *w = &f->wave[i];
        if (w->by_time) continue;
        const double at = angle_of(f, w, s);
        double sine[2], cosine[2];
        pc_sincos_pair((const double[2]){at, at}, sine, cosine);
        add_wave(w, n, sine[0], cosine[0], out);
    }
}

/* Value and rate of f; `own`: the rate of what goes by s alone. */
INLINE double combine(const pc_closed_form *f, int n, const sample *at, double *rate, double *own)
{
    const double x = at->p[0] + at->by_time[0], vx = at->rate[0] + at->rate_by_time[0];
    if (n == 1) {
        *rate = vx;
        *own = at->rate[0];
        return x - f->radius;
    }
    const double y = at->p[1] + at->by_time[1], vy = at->rate[1] + at->rate_by_time[1], length = sqrt(x * x + y * y);
    const double share = length > 0 ? 1 / length : 0;
    *rate = share * (x * vx + y * vy);
    *own = share * (x * at->rate[0] + y * at->rate[1]);
    if (f->kind == PC_CLOSED_DISTANCE) return length - f->radius;
    *rate = -*rate;
    *own = -*own;
    return f->radius - length;
}

double pc_closed_form_value(const pc_closed_form *f, double s)
{
    const int n = f->kind == PC_CLOSED_HEIGHT ? 1 : 2;
    sample at;
    double rate, own;
    look(f, n, s, &at);
    return combine(f, n, &at, &rate, &own);
}

/* The zero is at s, with these values, as far as the time can tell; its place in what goes by s. */
INLINE pc_fall found(const pc_closed_form *f, int n, double s, sample *at)
{
    const double t = f->t + s;
    pc_fall fall = {.kind = PC_FALL_FOUND, .s = s};
    double own, rate, unused;
    fall.value = combine(f, n, at, &fall.rate, &own);
    for (int i = 0; i < CORRECTIONS && own < 0 && own <= OF_RATE * fall.rate; i++) {
        double next = fall.s - fall.value / own;
        if (f->t + next != t || next == fall.s) break;
        look_beside(f, n, next, at);
        const double value = combine(f, n, at, &rate, &unused);
        if (fabs(value) >= fabs(fall.value)) break;
        fall.s = next;
        fall.value = value;
    }
    return fall;
}

/* The least second derivative is above -bend, that of a height falls no faster than by `jerk`, and waves lift it by no
 * more than `lift`. */
typedef struct bounds {
    double bend, jerk, lift;
} bounds;

INLINE bounds bound(const pc_closed_form *f, int n)
{
    bounds b = {.bend = -2 * f->c[2][0]};
    if (n == 2) b.bend = 2 * sqrt(f->c[2][0] * f->c[2][0] + f->c[2][1] * f->c[2][1]);
    for (int i = 0; i < f->n; i++) {
        const pc_wave *w = &f->wave[i];
        const double square = w->frequency * w->frequency;
        double size = w->a[0] * w->a[0] + w->b[0] * w->b[0];
        if (n == 2) size += w->a[1] * w->a[1] + w->b[1] * w->b[1];
        size = sqrt(size);
        b.bend += size * square;
        b.jerk += size * square * fabs(w->frequency);
        b.lift += size;
    }
    return b;
}

/* Within a circle, whose distance has no bound on its second derivative at the centre: radius^2 - |p|^2 has, which is
 * -2 |p'|^2 - 2 p.p'', and |p'| grows by no more than bend, the greatest |p''|. How far it is clear; `ahead`: some
 * time. */
static double clear_inside(const pc_closed_form *f, const sample *at, double bend)
{
    double p[2], v[2];
    for (int k = 0; k < 2; k++) {
        p[k] = at->p[k] + at->by_time[k];
        v[k] = at->rate[k] + at->rate_by_time[k];
    }
    const double value = fmax(f->radius * f->radius - p[0] * p[0] - p[1] * p[1], 0);
    const double rate = -2 * (p[0] * v[0] + p[1] * v[1]), speed = sqrt(v[0] * v[0] + v[1] * v[1]);
    double ahead = 2 * first_zero(value, rate, 2 * (speed * speed + f->radius * bend)), step = 0;
    if (!(ahead < INFINITY)) return INFINITY; /* nothing moves */
    for (int i = 0; i < 2; i++) {
        const double most = speed + bend * ahead;
        step = fmax(step, fmin(ahead, first_zero(value, rate, 2 * (most * most + f->radius * bend))));
        ahead = SLIGHTLY * step;
    }
    return step;
}

/* A height: over twice the way that its rate tells, its second derivative falls little, so that near a zero it
 * converges with the cube. And high above what the waves can reach there is nothing to look at. */
static double clear_height(const pc_closed_form *f, double s, double value, double rate, double curve, const bounds *b)
{
    double step;
    if (rate < 0) {
        const double ahead = -2 * value / rate, bend = b->jerk * ahead - curve;
        step = first_zero(value, rate, bend < b->bend ? bend : b->bend);
        if (step > ahead) step = ahead;
    } else {
        step = first_zero(value, rate, b->bend);
    }
    if (f->n == 0 || !(step < INFINITY)) return step;
    const double at = s + step, clear = f->c[0][0] + at * (f->c[1][0] + at * f->c[2][0]) - f->radius - b->lift;
    return clear > 0 ? step + first_zero(clear, f->c[1][0] + 2 * at * f->c[2][0], -2 * f->c[2][0]) : step;
}

INLINE pc_fall walk(const pc_closed_form *f, int n, double small, double until)
{
    const bounds b = bound(f, n);
    double rate, own, s = 0;
    sample at;
    look(f, n, 0, &at);
    double value = combine(f, n, &at, &rate, &own);
    if (value <= small) { /* it has to rise by more than rounding */
        double bends = b.bend;
        if (f->kind == PC_CLOSED_INSIDE && f->radius > 0) {
            const double x = at.rate[0] + at.rate_by_time[0], y = at.rate[1] + at.rate_by_time[1];
            bends += (x * x + y * y) / f->radius;
        }
        if (!(value >= -small && rate > 0 && rate * rate > 8 * small * bends))
            return (pc_fall){PC_FALL_UNKNOWN, 0, value, rate};
        value = fmax(value, 0);
    }
    for (int i = 0; i < LOOKS && s < until; i++) {
        if (rate < 0 && f->t + (s - value / rate) == f->t + s) return found(f, n, s, &at);
        const double step = n == 1                        ? clear_height(f, s, value, rate, at.curve, &b)
                            : f->kind == PC_CLOSED_INSIDE ? clear_inside(f, &at, b.bend)
                                                          : first_zero(value, rate, b.bend);
        if (f->t + (s + step) == f->t + s) {
            if (rate < 0) return found(f, n, s, &at);
            return (pc_fall){PC_FALL_NONE, s, value, rate};
        }
        s += step;
        if (!(s < until)) break;
        look(f, n, s, &at);
        value = combine(f, n, &at, &rate, &own);
        if (value > 0) continue;
        const double t = f->t + s;
        if (rate < 0) s -= value / rate; /* beyond it by rounding */
        if (f->t + s == t)
            look_beside(f, n, s, &at);
        else
            look(f, n, s, &at);
        return found(f, n, s, &at);
    }
    return (pc_fall){PC_FALL_NONE, fmin(s, until), value, rate};
}

pc_fall pc_closed_form_fall(const pc_closed_form *f, double small, double until)
{
    return f->kind == PC_CLOSED_HEIGHT ? walk(f, 1, small, until) : walk(f, 2, small, until);
}
