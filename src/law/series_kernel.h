/* The power series of series.h, for one instruction set: series.c and series_avx2.c include this, with the width of its
 * registers.
 *
 * Products are sums over blocks of eight, always in the same order, however wide the registers are: results are the
 * same bit by bit.
 *
 * Letters: n the root, c = n y^(n - 1) the clock; f are forces times the clock, the rates of the impulses:
 *
 *     f_n = n y^(n - 1) (base + elastic y^e + damping y^d w) (coupled: + ratio k'/2 q^2 c)
 *     stick  f_t = -kt c q (spring), -c q (mindlin), -ratio k c q (secant, coupled), -(w_tn/w_tt) f_n (rigid);
 *            q' = c v_t, mindlin ratio k c v_t
 *     slip   f_t = -mu sign f_n, and q from F
 */
#ifndef PC_LAW_SERIES_KERNEL_H
#define PC_LAW_SERIES_KERNEL_H

#include "law/series.h"

#include <string.h>

enum { N = PC_SERIES_ORDER, LINKS = 24 };

/* Coefficients, and the same backwards: r[N - i] = f[i]. What is not known yet is 0, and so is what lies beyond: sums
 * of products, which are most of the work, run over whole blocks and need no branches. */
enum { BLOCK = 8 };
typedef struct row {
    double f[N + 1], r[N + 1 + BLOCK];
} row;

/* 1/(i + 1): a division would be what the recurrence waits for. */
static inline double over(int i)
{
    static const double table[N] = {1.0 / 1,  1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,
                                    1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16,
                                    1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23, 1.0 / 24,
                                    1.0 / 25, 1.0 / 26, 1.0 / 27, 1.0 / 28, 1.0 / 29, 1.0 / 30, 1.0 / 31};
    return table[i];
}

static inline void set(row *a, int i, double value)
{
    a->f[i] = a->r[N - i] = value;
}

typedef double two __attribute__((vector_size(2 * sizeof(double))));
typedef double wide __attribute__((vector_size(PC_SERIES_WIDTH * sizeof(double))));
enum { WIDTH = PC_SERIES_WIDTH }; /* numbers in a register */

static inline wide load(const double *p)
{
    wide v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Sum of a block: (0 + 4) + (2 + 6) and (1 + 5) + (3 + 7), then these two. */
static inline double sum_block(const wide sum[BLOCK / WIDTH])
{
#if PC_SERIES_WIDTH == 2
    two half = (sum[0] + sum[2]) + (sum[1] + sum[3]);
#else
    wide both = sum[0] + sum[1];
    two half = __builtin_shufflevector(both, both, 0, 1) + __builtin_shufflevector(both, both, 2, 3);
#endif
    return half[0] + half[1];
}

#define INLINE static inline __attribute__((always_inline))

/* Coefficient i of a product, of all that is known of both; i < BLOCK blocks. */
INLINE double product(const row *a, const row *b, int i, int blocks)
{
    _Static_assert((N + 1) % BLOCK == 0, "rows are whole blocks");
    const double *x = a->f, *y = b->r + N - i;
    wide sum[BLOCK / WIDTH] = {{0}};
#pragma GCC unroll 4
    for (int j = 0; j < blocks; j++, x += BLOCK, y += BLOCK) {
#pragma GCC unroll 4
        for (int k = 0; k < BLOCK / WIDTH; k++) sum[k] += load(x + k * WIDTH) * load(y + k * WIDTH);
    }
    return sum_block(sum);
}

/* The same for all coefficients below N, where all of both are known. */
static inline void product_of(const row *a, const row *b, double *out)
{
    double behind[2 * N + 1] = {0}, *start = behind + N;
    memcpy(start, b->f, sizeof b->f);
    for (int part = 0; part <= N; part += BLOCK) {
        wide sum[BLOCK / WIDTH] = {{0}};
        for (int j = 0; j < part + BLOCK; j++)
#pragma GCC unroll 4
            for (int k = 0; k < BLOCK / WIDTH; k++) sum[k] += a->f[j] * load(start + part - j + k * WIDTH);
        for (int k = 0; k < BLOCK / WIDTH; k++) memcpy(out + part + k * WIDTH, &sum[k], sizeof sum[k]);
    }
}

/* The same once coefficient i of both is known as well, from `before`: what it was without them. Recurrences wait for
 * this alone. */
static inline double complete(double before, const row *a, const row *b, int i)
{
    return i == 0 ? a->f[0] * b->f[0] : before + (a->f[0] * b->f[i] + a->f[i] * b->f[0]);
}

/* Powers of y, each from two lower ones. */
typedef struct powers {
    const row *of[PC_SERIES_POWER + 1]; /* NULL: not asked for */
    int links;
    struct link {
        const row *left, *right;
        row *out;
    } link[LINKS];
    row memory[LINKS];
} powers;

/* Ask for y^m: the square of its half, or the largest power below that is there already times the rest. No law has a
 * power beyond PC_SERIES_POWER. */
static void need(powers *p, int m)
{
    if (m < 2 || m > PC_SERIES_POWER || p->of[m]) return;
    int left = m / 2;
    while (m % 2 && !p->of[left]) left--;
    need(p, m - left);
    row *out = &p->memory[p->links];
    memset(out, 0, sizeof *out);
    p->link[p->links++] = (struct link){p->of[left], p->of[m - left], out};
    p->of[m] = out;
}

typedef struct work {
    powers power;
    struct {
        row y, q, w, v_t, f_n, clock;
    } rows;
} work;

/* All of y^m times b, in `out`. */
static void times(const powers *p, int m, const row *b, double *out)
{
    if (m == 0)
        memcpy(out, b->f, sizeof b->f);
    else
        product_of(p->of[m], b, out);
}

/* Rate of the stretch in slip, times the clock, with a Mindlin spring: that of F over k. */
static void creep_mindlin(const pc_force *f, double factor, const work *x, double *out)
{
    int e = f->elastic_power, d = f->damping_power, s = f->stiffness_power;
    const powers *p = &x->power;
    times(p, e - 1 - s, &x->rows.w, out);
    for (int i = 0; i < N; i++) out[i] *= e * f->elastic;
    if (f->damping != 0) {
        /* (y^d w)' = d y^(d - 1) w^2 + y^d w'; over y^s, if that does not divide the powers, by division */
        int low = d == 0 || d > s ? s : 0;
        row dw = {.f = {0}}, y_w = {.f = {0}};
        pc_coefficients damped, part;
        for (int i = 0; i + 1 < N; i++) set(&dw, i, (i + 1) * x->rows.w.f[i + 1]);
        times(p, d - low, &dw, damped);
        if (d > 0) {
            times(p, d - 1 - low, &x->rows.w, part);
            for (int i = 0; i < N; i++) set(&y_w, i, part[i]);
            product_of(&y_w, &x->rows.w, part);
            for (int i = 0; i < N; i++) damped[i] += d * part[i];
        }
        for (int i = 0; i < N && low < s; i++) {
            const double *k = p->of[s]->f;
            for (int j = 1; j <= i; j++) damped[i] -= k[j] * damped[i - j];
            damped[i] /= k[0];
        }
        for (int i = 0; i < N; i++) out[i] += f->damping * damped[i];
    }
    for (int i = 0; i < N; i++) out[i] *= factor / f->stiffness;
}

/* F without the clock, and the powers that it takes. */
static void plain_force(const pc_force *f, work *x, int first, row *F)
{
    powers *p = &x->power;
    pc_coefficients damping = {0};
    need(p, f->elastic_power);
    if (f->damping != 0) need(p, f->damping_power);
    for (int k = first; k < p->links; k++) {
        pc_coefficients power;
        product_of(p->link[k].left, p->link[k].right, power);
        for (int i = 0; i < N; i++) set(p->link[k].out, i, power[i]);
    }
    if (f->damping != 0) times(p, f->damping_power, &x->rows.w, damping);
    for (int i = 0; i < N; i++)
        set(F, i, f->elastic * p->of[f->elastic_power]->f[i] + f->damping * damping[i] + (i == 0 ? f->base : 0));
}

/* What slip leaves to be said when the motion is known: q, stretch and work of friction, of which
 *
 *     work' = f_t v_t - F_t (rate of the stretch)
 */
static void finish_slip(const pc_force *f, const pc_tangential *e, int n, int sign, work *x, pc_expansion *s)
{
    powers *p = &x->power;
    double bound = sign * e->mu;
    s->motion[N][PC_SERIES_Q] = 0;
    pc_coefficients power;
    product_of(&x->rows.f_n, &x->rows.v_t, power);
    for (int i = 0; i < N; i++) s->rest[i + 1][PC_SERIES_WF] = -bound * power[i] * over(i);
    if (e->kind == PC_TANGENTIAL_RIGID || e->mu == 0) return;
    if (e->kind == PC_TANGENTIAL_SECANT || e->kind == PC_TANGENTIAL_COUPLED) {
        /* q = sign cone y^n; what the stretch takes is in proportion to the work of the normal force */
        for (int i = 0; i < N; i++) s->motion[i][PC_SERIES_Q] = sign * e->cone * p->of[n]->f[i];
        for (int i = 1; i < N; i++) s->rest[i][PC_SERIES_STRETCH] = s->motion[i][PC_SERIES_Q];
        for (int i = 1; i <= N; i++) s->rest[i][PC_SERIES_WF] -= e->mu * e->cone * s->rest[i][PC_SERIES_WN];
        return;
    }
    bool mindlin = e->kind == PC_TANGENTIAL_MINDLIN;
    int first = p->links, a = f->elastic_power, d = f->damping_power, b = f->stiffness_power;
    if (mindlin) {
        need(p, a - 1 - b);
        need(p, b);
        if (f->damping != 0 && d > b) need(p, d - 1 - b), need(p, d - b);
    }
    row F = {.f = {0}}, rate = {.f = {0}};
    plain_force(f, x, first, &F);
    for (int i = 0; i < N; i++) s->motion[i][PC_SERIES_Q] = (mindlin ? bound : bound / e->kt) * F.f[i];
    pc_coefficients creep = {0};
    if (mindlin) creep_mindlin(f, bound / e->ratio, x, creep);
    for (int i = 0; i < N; i++)
        set(&rate, i, mindlin ? creep[i] : i + 1 < N ? (i + 1) * s->motion[i + 1][PC_SERIES_Q] : 0);
    product_of(&F, &rate, power);
    for (int i = 0; i < N; i++) {
        s->rest[i + 1][PC_SERIES_STRETCH] = rate.f[i] * over(i);
        s->rest[i + 1][PC_SERIES_WF] += bound * power[i] * over(i);
    }
}

/* Powers that the recurrences need from the start. */
static void ask(const pc_force *f, const pc_tangential *e, int n, bool slips, powers *p)
{
    need(p, n - 1);
    need(p, f->elastic_power + n - 1);
    if (f->damping != 0) need(p, f->damping_power + n - 1);
    if (slips && (e->kind == PC_TANGENTIAL_SECANT || e->kind == PC_TANGENTIAL_COUPLED)) need(p, n);
    bool builds_on_k = e->kind != PC_TANGENTIAL_RIGID && e->kind != PC_TANGENTIAL_SPRING;
    if (!slips && builds_on_k) need(p, f->stiffness_power + n - 1);
}

/* What the recurrences go on with from one coefficient to the next. */
typedef struct march {
    const pc_force *f;
    const pc_course *at;
    int n;
    bool damped, stretches; /* stick: f_t = -pull (press q), q' = gain (sweep v_t) */
    double more;            /* slip: F_n over F, coupled */
    double extra;           /* coupled: of q^2 in F_n */
    double pull, gain, in_proportion;
    const row *elastic, *damping, *press, *sweep;
    work x;
    double next_y, next_q, next_t, next_n;
} march;

/* The coefficients of one block. */
INLINE void follow(march *m, int block, pc_expansion *s)
{
    work *x = &m->x;
    powers *p = &x->power;
    const pc_force *f = m->f;
    const pc_course *at = m->at;
    const row *damping = m->damping, *press = m->press, *sweep = m->sweep;
    row *q = &x->rows.q, *w = &x->rows.w, *v_t = &x->rows.v_t, *clock = &x->rows.clock;
    bool damped = m->damped, stretches = m->stretches, squares = stretches && m->extra > 0;
    for (int i = block * BLOCK; i < (block + 1) * BLOCK && i < N; i++) {
        /* first what follows from coefficients long known, so that nothing waits for it */
        double before[LINKS];
        for (int j = 0; j < p->links; j++) before[j] = product(p->link[j].left, p->link[j].right, i, block + 1);
        double before_damping = damped ? product(damping, w, i, block + 1) : 0;
        double before_press = stretches ? product(press, q, i, block + 1) : 0;
        double before_sweep = stretches ? product(sweep, v_t, i, block + 1) : 0;
        double before_extra = squares ? product(q, q, i, block + 1) : 0;

        set(&x->rows.y, i, m->next_y);
        set(q, i, m->next_q);
        set(v_t, i, at->w_tt * m->next_t + at->w_tn * m->next_n + (i == 0 ? at->v_t : 0));
        set(w, i, -(at->w_tn * m->next_t + at->w_nn * m->next_n) + (i == 0 ? at->w : 0));
        for (int j = 0; j < p->links; j++)
            set(p->link[j].out, i, complete(before[j], p->link[j].left, p->link[j].right, i));
        set(clock, i, m->n * p->of[m->n - 1]->f[i]);
        double F = f->elastic * m->elastic->f[i];
        if (damped) F += f->damping * complete(before_damping, damping, w, i);
        F = m->n * m->more * F + f->base * clock->f[i];
        if (squares) F += m->extra * complete(before_extra, q, q, i);
        x->rows.f_n.f[i] = F;
        double f_t = stretches ? -m->pull * complete(before_press, press, q, i) : m->in_proportion * F;
        m->next_y = w->f[i] * over(i);
        m->next_q = stretches ? m->gain * complete(before_sweep, sweep, v_t, i) * over(i) : 0;
        m->next_t = f_t * over(i);
        m->next_n = F * over(i);
        s->motion[i + 1][PC_SERIES_Y] = m->next_y;
        s->motion[i + 1][PC_SERIES_Q] = m->next_q;
        s->motion[i + 1][PC_SERIES_PT] = m->next_t;
        s->motion[i + 1][PC_SERIES_PN] = m->next_n;
        s->rest[i + 1][PC_SERIES_TIME] = clock->f[i] * over(i);
    }
}

static void expand(const pc_force *f, int n, const pc_tangential *e, const pc_course *at, pc_expansion *s)
{
    static const row one = {.f = {1}, .r = {[N] = 1}};
    bool slips = at->sign != 0, mindlin = e->kind == PC_TANGENTIAL_MINDLIN;
    bool rigid = e->kind == PC_TANGENTIAL_RIGID, spring = e->kind == PC_TANGENTIAL_SPRING;
    march m;
    powers *p = &m.x.power;
    memset(&m.x.rows, 0, sizeof m.x.rows);
    p->links = 0;
    memset(p->of, 0, sizeof p->of);
    p->of[0] = &one;
    p->of[1] = &m.x.rows.y;
    ask(f, e, n, slips, p);
    const row *w = &m.x.rows.w, *v_t = &m.x.rows.v_t, *f_n = &m.x.rows.f_n, *clock = &m.x.rows.clock;
    const row *kc = spring || rigid ? NULL : p->of[f->stiffness_power + n - 1];
    double scaled_k = n * e->ratio * f->stiffness;
    m.f = f;
    m.at = at;
    m.n = n;
    m.damped = f->damping != 0;
    m.stretches = !slips && !rigid;
    /* k' times the clock is one power lower: with k = stiffness y it is a constant (coupled) */
    m.extra = e->kind == PC_TANGENTIAL_COUPLED ? e->ratio * f->stiffness / 2 : 0;
    /* from q = sign C y^2 */
    m.more = slips && m.extra > 0 ? 1 + m.extra * e->cone * e->cone / (n * f->elastic) : 1;
    m.pull = spring ? e->kt : mindlin ? 1 : scaled_k;
    m.gain = mindlin ? scaled_k : 1;
    m.in_proportion = slips ? -at->sign * e->mu : at->w_tt > 0 ? -(at->w_tn / at->w_tt) : 0;
    m.elastic = p->of[f->elastic_power + n - 1];
    m.damping = p->of[f->damping_power + n - 1];
    m.press = spring || mindlin ? clock : kc;
    m.sweep = mindlin ? kc : clock;
    m.next_y = at->y;
    m.next_q = at->q;
    m.next_t = m.next_n = 0;
    follow(&m, 0, s);
    follow(&m, 1, s);
    follow(&m, 2, s);
    follow(&m, 3, s);
    _Static_assert(N + 1 == 4 * BLOCK, "these are all blocks");

    s->motion[0][PC_SERIES_Y] = at->y;
    s->motion[0][PC_SERIES_Q] = at->q;
    s->motion[0][PC_SERIES_PT] = s->motion[0][PC_SERIES_PN] = 0;
    memset(s->rest[0], 0, sizeof s->rest[0]);
    pc_coefficients power;
    product_of(f_n, w, power);
    for (int i = 0; i < N; i++) {
        s->rest[i + 1][PC_SERIES_WN] = -power[i] * over(i);
        s->rest[i + 1][PC_SERIES_STRETCH] = s->rest[i + 1][PC_SERIES_WF] = 0;
    }
    if (slips) {
        finish_slip(f, e, n, at->sign, &m.x, s);
    } else if (mindlin) {
        product_of(clock, v_t, power);
        for (int i = 0; i < N; i++) s->rest[i + 1][PC_SERIES_STRETCH] = power[i] * over(i);
    } else if (!rigid) { /* the variable is the stretch itself; a held point has none */
        for (int i = 1; i <= N; i++) s->rest[i][PC_SERIES_STRETCH] = s->motion[i][PC_SERIES_Q];
    }
}

/* Four series at x. Horner's rule would wait for itself: four of it in x^4, side by side. */
static void sum(const double (*c)[PC_SERIES_BLOCK], double x, double *out)
{
    _Static_assert((N + 1) % 4 == 0, "powers are summed four by four");
    double x2 = x * x, x4 = x2 * x2;
    for (int part = 0; part < PC_SERIES_BLOCK; part += WIDTH) {
        wide a[4];
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++) a[j] = load(c[N - 3 + j] + part);
        for (int k = N - 7; k >= 0; k -= 4) {
#pragma GCC unroll 4
            for (int j = 0; j < 4; j++) a[j] = load(c[k + j] + part) + x4 * a[j];
        }
        wide value = (a[0] + x * a[1]) + x2 * (a[2] + x * a[3]);
        memcpy(out + part, &value, sizeof value);
    }
}

static void scale(pc_expansion *s, double h)
{
    double power = 1;
    for (int i = 0; i <= N; i++, power *= h) {
        for (int part = 0; part < PC_SERIES_BLOCK; part += WIDTH) {
            wide motion = power * load(s->motion[i] + part), rest = power * load(s->rest[i] + part);
            memcpy(s->motion[i] + part, &motion, sizeof motion);
            memcpy(s->rest[i] + part, &rest, sizeof rest);
        }
    }
}

#endif
