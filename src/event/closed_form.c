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

/* The first positive zero of f + f' x - bend x^2/2 where f is not below zero; infinite: there is none. */
static double first_zero(double f, double rate, double bend)
{
    double square = rate * rate + 2 * bend * f;
    if (!(square >= 0)) return INFINITY;
    double root = sqrt(square);
    if (rate <= 0) return root - rate > 0 ? 2 * f / (root - rate) : INFINITY;
    return bend > 0 ? (rate + root) / bend : INFINITY;
}

/* Value and rate: of what goes by s, and of the waves that go by the time. */
typedef struct sample {
    double value, by_time, rate, rate_by_time;
} sample;

static void add_wave(const pc_wave *w, double sine, double cosine, sample *out)
{
    double value = w->a * sine + w->b * cosine, rate = w->frequency * (w->a * cosine - w->b * sine);
    *(w->by_time ? &out->by_time : &out->value) += value;
    *(w->by_time ? &out->rate_by_time : &out->rate) += rate;
}

static inline sample look(const pc_closed_form *f, double s)
{
    sample out = {f->c[0] + s * (f->c[1] + s * f->c[2]), 0, f->c[1] + 2 * s * f->c[2], 0};
    for (int i = 0; i < f->n; i += 2) {
        const pc_wave *w = &f->wave[i], *next = i + 1 < f->n ? w + 1 : w;
        double sine[2], cosine[2];
        const double at[2] = {w->frequency * (w->by_time ? f->t + s : s) + w->phase,
                              next->frequency * (next->by_time ? f->t + s : s) + next->phase};
        pc_sincos_pair(at, sine, cosine);
        add_wave(w, sine[0], cosine[0], &out);
        if (next != w) add_wave(next, sine[1], cosine[1], &out);
    }
    return out;
}

double pc_closed_form_value(const pc_closed_form *f, double s)
{
    const sample at = look(f, s);
    return at.value + at.by_time;
}

/* The zero is at s, with these values, as far as the time can tell; its place in what goes by s. */
static pc_fall found(const pc_closed_form *f, double s, sample at)
{
    const double t = f->t + s;
    pc_fall fall = {PC_FALL_FOUND, s, at.value + at.by_time, at.rate + at.rate_by_time};
    pc_closed_form by_s = {.c = {f->c[0], f->c[1], f->c[2]}};
    for (int i = 0; i < f->n; i++)
        if (!f->wave[i].by_time) by_s.wave[by_s.n++] = f->wave[i];
    for (int i = 0; i < CORRECTIONS && at.rate < 0 && at.rate <= OF_RATE * fall.rate; i++) {
        double next = fall.s - fall.value / at.rate;
        if (f->t + next != t || next == fall.s) break;
        at.value = pc_closed_form_value(&by_s, next);
        if (fabs(at.value + at.by_time) >= fabs(fall.value)) break;
        fall.s = next;
        fall.value = at.value + at.by_time;
    }
    return fall;
}

pc_fall pc_closed_form_fall(const pc_closed_form *f, double small, double until)
{
    double lift = 0, bend = -2 * f->c[2], s = 0;
    for (int i = 0; i < f->n; i++) {
        double size = sqrt(f->wave[i].a * f->wave[i].a + f->wave[i].b * f->wave[i].b);
        lift += size;
        bend += size * f->wave[i].frequency * f->wave[i].frequency;
    }
    sample at = look(f, 0);
    double value = at.value + at.by_time, rate = at.rate + at.rate_by_time;
    if (value <= small) { /* it has to rise by more than rounding */
        if (!(value >= -small && rate > 0 && rate * rate > 8 * small * bend))
            return (pc_fall){PC_FALL_UNKNOWN, 0, value, rate};
        value = fmax(value, 0);
    }
    for (int i = 0; i < LOOKS && s < until; i++) {
        double clear = f->c[0] + s * (f->c[1] + s * f->c[2]) - lift, step = first_zero(value, rate, bend);
        if (f->n > 0 && clear > 0) step = fmax(step, first_zero(clear, f->c[1] + 2 * s * f->c[2], -2 * f->c[2]));
        if (f->t + (s + step) == f->t + s) {
            if (rate < 0) return found(f, s, at);
            return (pc_fall){PC_FALL_NONE, s, value, rate};
        }
        s += step;
        if (!(s < until)) break;
        at = look(f, s);
        value = at.value + at.by_time;
        rate = at.rate + at.rate_by_time;
        if (value > 0) continue;
        if (rate < 0) s -= value / rate; /* beyond it by rounding */
        return found(f, s, look(f, s));
    }
    return (pc_fall){PC_FALL_NONE, fmin(s, until), value, rate};
}
