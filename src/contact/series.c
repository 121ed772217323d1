/* Power series of a single contact: see series.h.
 *
 * Letters: n the root, c = n y^(n - 1) the clock; f are forces times the clock, the rates of the impulses:
 *
 *     f_n = n y^(n - 1) (base + elastic y^e + damping y^d w) (coupled: + ratio k'/2 q^2 c)
 *     stick  f_t = -kt c q (spring), -c q (mindlin), -ratio k c q (secant, coupled), -(w_tn/w_tt) f_n (rigid);
 *            q' = c v_t, mindlin ratio k c v_t
 *     slip   f_t = -mu sign f_n, and q from F
 */
#include "contact/series.h"

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

static inline two load(const double *p)
{
    two v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Coefficient i of a product, of all that is known of both. */
static inline double product(const row *a, const row *b, int i)
{
    _Static_assert((N + 1) % BLOCK == 0, "rows are whole blocks");
    const double *x = a->f, *y = b->r + N - i;
    two sum[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    for (const double *end = x + i; x <= end; x += BLOCK, y += BLOCK) {
        sum[0] += load(x) * load(y);
        sum[1] += load(x + 2) * load(y + 2);
        sum[2] += load(x + 4) * load(y + 4);
        sum[3] += load(x + 6) * load(y + 6);
    }
    sum[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    return sum[0][0] + sum[0][1];
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
 * power beyond PC_SERIES_POWER: see power.c. */
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
    for (int i = 0; i < N; i++) out[i] = m == 0 ? b->f[i] : product(p->of[m], b, i);
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
            for (int i = 0; i < N; i++) damped[i] += d * product(&y_w, &x->rows.w, i);
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
    for (int k = first; k < p->links; k++)
        for (int i = 0; i < N; i++) set(p->link[k].out, i, product(p->link[k].left, p->link[k].right, i));
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
    s->q[N] = 0;
    for (int i = 0; i < N; i++) s->work_f[i + 1] = -bound * product(&x->rows.f_n, &x->rows.v_t, i) * over(i);
    if (e->kind == PC_TANGENTIAL_RIGID) return;
    if (e->kind == PC_TANGENTIAL_SECANT || e->kind == PC_TANGENTIAL_COUPLED) {
        /* q = sign cone y^n; what the stretch takes is in proportion to the work of the normal force */
        for (int i = 0; i < N; i++) s->q[i] = sign * e->cone * p->of[n]->f[i];
        for (int i = 1; i < N; i++) s->stretch[i] = s->q[i];
        for (int i = 1; i <= N; i++) s->work_f[i] -= e->mu * e->cone * s->work_n[i];
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
    for (int i = 0; i < N; i++) s->q[i] = (mindlin ? bound : bound / e->kt) * F.f[i];
    pc_coefficients creep = {0};
    if (mindlin) creep_mindlin(f, bound / e->ratio, x, creep);
    for (int i = 0; i < N; i++) set(&rate, i, mindlin ? creep[i] : i + 1 < N ? (i + 1) * s->q[i + 1] : 0);
    for (int i = 0; i < N; i++) {
        s->stretch[i + 1] = rate.f[i] * over(i);
        s->work_f[i + 1] += bound * product(&F, &rate, i) * over(i);
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

void pc_series_expand(const pc_force *f, int n, const pc_tangential *e, const pc_course *at, pc_expansion *s)
{
    static const row one = {.f = {1}, .r = {[N] = 1}};
    bool slips = at->sign != 0, damped = f->damping != 0, mindlin = e->kind == PC_TANGENTIAL_MINDLIN;
    bool rigid = e->kind == PC_TANGENTIAL_RIGID, spring = e->kind == PC_TANGENTIAL_SPRING;
    /* k' times the clock is one power lower: with k = stiffness y it is a constant (coupled) */
    double extra = e->kind == PC_TANGENTIAL_COUPLED ? e->ratio * f->stiffness / 2 : 0;
    /* slip: F_n over F, from q = sign C y^2 */
    double more = slips && extra > 0 ? 1 + extra * e->cone * e->cone / (n * f->elastic) : 1;
    work x;
    powers *p = &x.power;
    memset(&x.rows, 0, sizeof x.rows);
    p->links = 0;
    memset(p->of, 0, sizeof p->of);
    p->of[0] = &one;
    p->of[1] = &x.rows.y;
    ask(f, e, n, slips, p);
    row *y = &x.rows.y, *q = &x.rows.q, *w = &x.rows.w, *v_t = &x.rows.v_t, *f_n = &x.rows.f_n, *clock = &x.rows.clock;
    const row *elastic = p->of[f->elastic_power + n - 1], *damping = p->of[f->damping_power + n - 1];
    /* stick: f_t = -pull (press q), q' = gain (sweep v_t) */
    const row *kc = spring || rigid ? NULL : p->of[f->stiffness_power + n - 1];
    const row *press = spring || mindlin ? clock : kc, *sweep = mindlin ? kc : clock;
    double scaled_k = n * e->ratio * f->stiffness, pull = spring ? e->kt : mindlin ? 1 : scaled_k;
    double gain = mindlin ? scaled_k : 1;
    bool stretches = !slips && !rigid;
    double in_proportion = slips ? -at->sign * e->mu : at->w_tt > 0 ? -(at->w_tn / at->w_tt) : 0;

    double next_y = at->y, next_q = at->q, next_t = 0, next_n = 0, before[LINKS] = {0};
    for (int i = 0; i < N; i++) {
        /* first what follows from coefficients long known, so that nothing waits for it */
        for (int j = 0; j < p->links; j++) before[j] = product(p->link[j].left, p->link[j].right, i);
        double before_damping = damped ? product(damping, w, i) : 0;
        double before_press = stretches ? product(press, q, i) : 0;
        double before_sweep = stretches ? product(sweep, v_t, i) : 0;
        double before_extra = stretches && extra > 0 ? product(q, q, i) : 0;

        set(y, i, next_y);
        set(q, i, next_q);
        set(v_t, i, at->w_tt * next_t + at->w_tn * next_n + (i == 0 ? at->v_t : 0));
        set(w, i, -(at->w_tn * next_t + at->w_nn * next_n) + (i == 0 ? at->w : 0));
        for (int j = 0; j < p->links; j++)
            set(p->link[j].out, i, complete(before[j], p->link[j].left, p->link[j].right, i));
        set(clock, i, n * p->of[n - 1]->f[i]);
        double F = f->elastic * elastic->f[i];
        if (damped) F += f->damping * complete(before_damping, damping, w, i);
        F = n * more * F + f->base * clock->f[i];
        if (stretches && extra > 0) F += extra * complete(before_extra, q, q, i);
        set(f_n, i, F);
        double f_t = stretches ? -pull * complete(before_press, press, q, i) : in_proportion * F;
        next_y = w->f[i] * over(i);
        next_q = stretches ? gain * complete(before_sweep, sweep, v_t, i) * over(i) : 0;
        s->y[i + 1] = next_y;
        s->q[i + 1] = next_q;
        s->p_t[i + 1] = next_t = f_t * over(i);
        s->p_n[i + 1] = next_n = F * over(i);
        s->t[i + 1] = clock->f[i] * over(i);
    }
    s->y[0] = at->y;
    s->q[0] = at->q;
    memset(s->stretch, 0, sizeof s->stretch);
    memset(s->work_f, 0, sizeof s->work_f);
    s->p_t[0] = s->p_n[0] = s->t[0] = s->work_n[0] = 0;
    for (int i = 0; i < N; i++) s->work_n[i + 1] = -product(f_n, w, i) * over(i);
    if (slips) {
        finish_slip(f, e, n, at->sign, &x, s);
        return;
    }
    /* in stick the others hold the stretch itself */
    for (int i = 0; i < N; i++) s->stretch[i + 1] = rigid || mindlin ? product(clock, v_t, i) * over(i) : s->q[i + 1];
}
