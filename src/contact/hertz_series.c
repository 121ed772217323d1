/* Power series of a Hertz contact with any tangential element: see hertz.h.
 *
 * With y = sqrt(u) and dt = 2 y dtau everything is polynomial in y, w = du/dt, v_t and q. Letters: D = 1 + zeta w,
 * F = c y^3 D, k = 3/2 c y; f are forces times 2 y, the rates of the impulses:
 *
 *     f_n = 2 c y^4 D (coupled: + 3/4 c ratio q^2)
 *     stick  spring -2 kt y q, mindlin -2 y q, secant and coupled -3 c ratio y^2 q;
 *            q' = 2 y v_t, mindlin 3 c ratio y^2 v_t
 *     slip   f_t = -mu sign f_n, and q from F
 *
 * so the coefficients of the motion follow one from another.
 */
#include "contact/hertz.h"

enum { N = PC_SERIES_ORDER };

/* Coefficient i of a product, and of a square. */
static double product(const double *a, const double *b, int i)
{
    double sum = 0;
    for (int j = 0; j <= i; j++) sum += a[j] * b[i - j];
    return sum;
}

static double square(const double *a, int i)
{
    double sum = 0;
    for (int j = 0; 2 * j < i; j++) sum += a[j] * a[i - j];
    return i % 2 ? 2 * sum : 2 * sum + a[i / 2] * a[i / 2];
}

typedef struct work {
    pc_coefficients y2, y4, w, v_t, D, f_n, f_t;
} work;

/* f_t in stick, f_n without what a stretch adds. */
static double stuck_force(const pc_tangential *e, const pc_course *at, double c, const work *x, const pc_series *s,
                          int i)
{
    switch (e->kind) {
    case PC_TANGENTIAL_SPRING: return -2 * e->kt * product(s->y, s->q, i);
    case PC_TANGENTIAL_MINDLIN: return -2 * product(s->y, s->q, i);
    case PC_TANGENTIAL_SECANT:
    case PC_TANGENTIAL_COUPLED: return -3 * c * e->ratio * product(x->y2, s->q, i);
    case PC_TANGENTIAL_RIGID: break;
    }
    return at->w_tt > 0 ? -(at->w_tn / at->w_tt) * x->f_n[i] : 0;
}

/* Rate of the stretch in slip, times 2 y: all but the last coefficient. */
static void creep(const pc_tangential *e, int sign, double c, double zeta, const work *x, const double *y, double *out)
{
    pc_coefficients yw, dF; /* dF: F'/(c y) = 3 y w D + zeta y^2 w' or, for a spring, F'/c = y times that */
    for (int i = 0; i < N; i++) yw[i] = product(y, x->w, i);
    if (e->kind == PC_TANGENTIAL_SECANT || e->kind == PC_TANGENTIAL_COUPLED) {
        for (int i = 0; i < N; i++) out[i] = 2 * sign * e->cone * yw[i];
        return;
    }
    pc_coefficients dw;
    for (int i = 0; i + 1 < N; i++) dw[i] = (i + 1) * x->w[i + 1];
    dw[N - 1] = 0;
    for (int i = 0; i < N; i++) dF[i] = 3 * product(yw, x->D, i) + (zeta != 0 ? zeta * product(x->y2, dw, i) : 0);
    for (int i = 0; i < N; i++) {
        if (e->kind == PC_TANGENTIAL_SPRING) out[i] = sign * e->mu * c / e->kt * product(y, dF, i);
        if (e->kind == PC_TANGENTIAL_MINDLIN) out[i] = sign * e->mu / (1.5 * e->ratio) * dF[i];
        if (e->kind == PC_TANGENTIAL_RIGID) out[i] = 0;
    }
}

/* What slip leaves to be said when the motion is known: q, stretch and work of friction. `more`: total F_n over F. */
static void finish_slip(const pc_tangential *e, int sign, double c, double zeta, double more, const work *x,
                        pc_series *s)
{
    pc_coefficients y3, F, rate, g;
    creep(e, sign, c, zeta, x, s->y, rate);
    for (int i = 0; i < N; i++) y3[i] = product(s->y, x->y2, i);
    for (int i = 0; i < N; i++) {
        F[i] = c * product(y3, x->D, i);
        g[i] = 2 * product(s->y, x->v_t, i) - rate[i];
    }
    for (int i = 0; i < N; i++) {
        s->stretch[i + 1] = rate[i] / (i + 1);
        s->work_f[i + 1] = -sign * e->mu * more * product(F, g, i) / (i + 1);
        s->q[i] = e->kind == PC_TANGENTIAL_SPRING    ? sign * e->mu * F[i] / e->kt
                  : e->kind == PC_TANGENTIAL_MINDLIN ? sign * e->mu * F[i]
                  : e->kind == PC_TANGENTIAL_RIGID   ? 0
                                                     : sign * e->cone * x->y2[i];
    }
}

void pc_hertz_series(double c, double zeta, const pc_tangential *e, const pc_course *at, pc_series *s)
{
    bool coupled = e->kind == PC_TANGENTIAL_COUPLED;
    /* slip: F_n over F, from q = sign C y^2 */
    double more = at->sign && coupled ? 1 + 0.375 * e->ratio * e->cone * e->cone : 1;
    work x;
    *s = (pc_series){.y = {at->y}, .q = {at->q}};
    for (int i = 0; i < N; i++) {
        x.y2[i] = square(s->y, i);
        x.y4[i] = square(x.y2, i);
        x.v_t[i] = at->w_tt * s->p_t[i] + at->w_tn * s->p_n[i] + (i == 0 ? at->v_t : 0);
        x.w[i] = -(at->w_tn * s->p_t[i] + at->w_nn * s->p_n[i]) + (i == 0 ? at->w : 0);
        x.D[i] = (i == 0 ? 1 : 0) + zeta * x.w[i];
        x.f_n[i] = 2 * c * more * (zeta != 0 ? product(x.y4, x.D, i) : x.y4[i]);
        if (at->sign) {
            x.f_t[i] = -at->sign * e->mu * x.f_n[i];
        } else {
            if (coupled) x.f_n[i] += 0.75 * c * e->ratio * square(s->q, i);
            x.f_t[i] = stuck_force(e, at, c, &x, s, i);
            double path = 2 * product(s->y, x.v_t, i) / (i + 1);
            s->stretch[i + 1] = path;
            if (e->kind == PC_TANGENTIAL_MINDLIN)
                s->q[i + 1] = 3 * c * e->ratio * product(x.y2, x.v_t, i) / (i + 1);
            else if (e->kind != PC_TANGENTIAL_RIGID)
                s->q[i + 1] = path;
        }
        s->y[i + 1] = x.w[i] / (i + 1);
        s->p_t[i + 1] = x.f_t[i] / (i + 1);
        s->p_n[i + 1] = x.f_n[i] / (i + 1);
        s->work_n[i + 1] = -product(x.f_n, x.w, i) / (i + 1);
        s->t[i + 1] = 2 * s->y[i] / (i + 1);
    }
    if (at->sign) finish_slip(e, at->sign, c, zeta, more, &x, s);
}
