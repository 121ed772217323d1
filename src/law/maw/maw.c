/* The rings of Maw, Barber and Fawcett's solution in motion, and the law: see maw.h.
 *
 * The rings are bounded by the contact radii of the steps of compression, so that each step takes exactly one ring in,
 * and one out in restitution. Second order: an impulse over a step is the mean of the force ratios times the exact
 * normal impulse, so gross slip is exact.
 */
#include "law/maw/maw.h"

#include "base/alloc.h"
#include "base/status.h"
#include "law/recorder.h"
#include "math/roots.h"

#include <math.h>

/* Passes of the implicit step: each reduces its error by about chi times the square of the step. */
enum { PASSES = 4 };

/* Steps are graded so that the first rings are not much wider than the last. */
static double angle_of(int i, int n)
{
    if (i > n) return M_PI - angle_of(2 * n - i, n);
    double s = (double)i / n;
    return M_PI / 2 * s * s * (3 - s) / 2;
}

/* Time between two angles in [0, pi/2]: the integral of 4/5 sin(phi)^(-1/5), smooth in phi^(4/5); Gauss with four
 * points. */
static double quarter(double a, double b)
{
    double lo = pow(a, 0.8), hi = pow(b, 0.8), half = (hi - lo) / 2, middle = (hi + lo) / 2, sum = 0;
    for (int k = 0; k < 4; k++) {
        double weight, theta = middle + half * pc_gauss(4, k, &weight), phi = pow(theta, 1.25);
        sum += weight * pow(phi / sin(phi), 0.2);
    }
    return half * sum;
}

/* Time from angle a to b, both in [0, pi]: compression and restitution mirror each other. */
static double time_between(double a, double b)
{
    if (b <= M_PI / 2) return quarter(a, b);
    if (a >= M_PI / 2) return quarter(M_PI - b, M_PI - a);
    return quarter(a, M_PI / 2) + quarter(M_PI - b, M_PI / 2);
}

typedef struct row {
    int n;
    const double *x2;     /* squares of the radii of the rings' bounds, n + 1 */
    const double *weight; /* n + 1: of each spring within a contact of any size; its last one counts differently but
                             carries nothing */
    double *stretch;      /* n + 1, at the start of the step; */
    double *next;         /* and at its end */
} row;

typedef struct sums {
    double force, normal; /* of the springs; of the bounds of their stretch */
    double work;          /* of slip over the step */
    int stuck;            /* number of springs that stick; index of the outermost below */
    int outermost;
    double slipped; /* sum of slips, for its sign */
} sums;

/* Carry the springs within the contact, indices below `inside`, through a displacement dz to an indentation u. */
static sums carry(const row *r, int inside, double u, double dz)
{
    sums s = {.outermost = -1};
    for (int j = 0; j < inside; j++) {
        double bound = fmax(u - r->x2[j], 0), trial = r->stretch[j] + dz;
        double now = fmin(fmax(trial, -bound), bound), slip = trial - now;
        r->next[j] = now;
        s.force += r->weight[j] * now;
        s.normal += r->weight[j] * bound;
        s.work -= r->weight[j] * (now + r->stretch[j]) / 2 * slip;
        s.slipped += slip;
        if (slip == 0) s.stuck++, s.outermost = j;
    }
    return s;
}

/* ---- when slip begins and ends: to second order, as everything else ---- */

/* All rings slip at step `old`, and stick from where the contact point is no faster than the bounds of their stretches
 * grow: |psi| = cos(phi). While all slip, |psi| falls by 2 chi d(1 - cos(phi)), so cos(phi) of that instant follows. */
static double arrest(const pc_maw_step *old, const pc_maw_step *new, double chi)
{
    double cosine = (old->slip * old->psi - 2 * chi * cos(old->phi)) / (1 - 2 * chi);
    double phi = acos(fmin(1, fmax(-1, cosine)));
    if (!(phi < new->phi)) return new->t;
    /* the step before may have gone on slipping while the stretches it ends with are no smaller than their bounds */
    return phi > old->phi ? old->t + time_between(old->phi, phi) : old->t - time_between(phi, old->phi);
}

/* True if some spring sticks at a share of the step from `old` to `new`. */
static bool sticks_at(const row *r, int inside, const pc_maw_step *old, const pc_maw_step *new, double chi,
                      double share, double *t)
{
    double phi = old->phi + share * (new->phi - old->phi), u = pow(sin(phi), 0.8);
    double psi = old->psi + chi * (cos(old->phi) - cos(phi)) * (old->ratio + new->ratio);
    *t = old->t + time_between(old->phi, phi);
    double dz = (*t - old->t) * (old->psi + psi) / 2;
    for (int j = 0; j < inside; j++)
        if (fabs(r->stretch[j] + dz) <= u - r->x2[j]) return true;
    return false;
}

/* The last springs that stick at `old` let go before `new`: by bisection to the rounding of a share. */
static double release(const row *r, int inside, const pc_maw_step *old, const pc_maw_step *new, double chi)
{
    double lo = 0, hi = 1, t = new->t;
    for (int i = 0; i < 40; i++) {
        double share = (lo + hi) / 2, at;
        if (sticks_at(r, inside, old, new, chi, share, &at))
            lo = share;
        else
            hi = share, t = at;
    }
    return t;
}

static pc_status run(row *r, double psi1, double chi, const double *angles, const double *times, pc_maw_step *steps,
                     double *profile, int at, pc_error *err)
{
    int n = r->n;
    steps[0] = (pc_maw_step){.psi = psi1, .slip = fabs(psi1) > 1 ? (psi1 > 0 ? 1 : -1) : 0, .changed = NAN};
    /* at the touch the springs stretch as psi t against a bound t */
    steps[0].ratio = -fmin(fmax(psi1, -1), 1);
    for (int i = 1; i <= 2 * n; i++) {
        if (i % 64 == 0 && pc_interrupted())
            return pc_fail_at(err, PC_E_INTERRUPTED, steps[i - 1].t, "rings", "interrupted during an impact");
        const pc_maw_step *old = &steps[i - 1];
        pc_maw_step *new = &steps[i];
        int from = i <= n ? i - 1 : 2 * n - i, size = i <= n ? i : 2 * n - i; /* ring that is crossed; radius index */
        int inside = i <= n ? i : 2 * n - i + 1;
        double dt = times[from], u = r->x2[size];
        double impulse = cos(angles[i - 1]) - cos(angles[i]);
        double ratio = old->ratio, psi = old->psi, dz = 0;
        sums s = {0};
        for (int pass = 0; pass < PASSES; pass++) {
            psi = old->psi + 2 * chi * impulse * (old->ratio + ratio) / 2;
            dz = dt * (old->psi + psi) / 2;
            s = carry(r, inside, u, dz);
            ratio = s.normal > 0 ? -s.force / s.normal : old->ratio;
        }
        *new = (pc_maw_step){
            .t = old->t + dt, .phi = angles[i], .psi = psi, .z = old->z + dz, .ratio = ratio, .changed = NAN};
        new->work_f = old->work_f + 1.5 * s.work;
        new->stick_radius = s.outermost < 0 ? 0 : sqrt(r->x2[s.outermost]);
        new->slip = s.stuck > 0 ? 0 : s.slipped > 0 ? 1 : -1;
        if (i > 1 && new->slip != old->slip)
            new->changed = old->slip ? arrest(old, new, chi) : release(r, inside, old, new, chi);
        double *spare = r->stretch;
        r->stretch = r->next;
        r->next = spare;
        for (int j = inside; j <= n; j++) r->stretch[j] = 0;
        new->middle = r->stretch[0];
        for (int j = 0; profile && i == at && j <= n; j++) profile[j] = r->stretch[j];
    }
    return PC_OK;
}

pc_status pc_maw_run(double psi1, double chi, int n, pc_maw_step *steps, double *profile, int at, pc_error *err)
{
    size_t size = (size_t)n + 1;
    double *memory = pc_calloc(7 * size, sizeof *memory);
    if (!memory) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d rings", n);
    double *x2 = memory, *weight = x2 + size, *times = weight + size, *angles = times + size; /* angles: 2 n + 1 */
    row r = {n, x2, weight, angles + 2 * size, angles + 3 * size};
    for (int i = 0; i <= 2 * n; i++) angles[i] = angle_of(i, n);
    for (int j = 0; j <= n; j++) x2[j] = pow(sin(angles[j]), 0.8);
    for (int j = 0; j < n; j++) times[j] = time_between(angles[j], angles[j + 1]);
    /* trapezoidal in the radius */
    for (int j = 0; j < n; j++) weight[j] = (sqrt(x2[j + 1]) - (j > 0 ? sqrt(x2[j - 1]) : 0)) / 2;
    pc_status status = run(&r, psi1, chi, angles, times, steps, profile, at, err);
    pc_free(memory);
    return status;
}

/* Integral of dx/sqrt(x^2 - r^2) from a to b, a >= r. */
static double segment(double a, double b, double r)
{
    if (r == 0) return log(b / a);
    return log((b + sqrt((b - r) * (b + r))) / (a + sqrt((a - r) * (a + r))));
}

void pc_maw_traction(const double *profile, int rings, double u, const double *radii, int n, double *traction,
                     double *limit)
{
    for (int i = 0; i < n; i++) {
        double r = radii[i], sum = 0, x0 = 0;
        for (int j = 0; j < rings; j++) {
            double x1 = pow(sin(angle_of(j + 1, rings)), 0.4);
            double slope = (profile[j + 1] - profile[j]) / (x1 - x0);
            double from = fmax(x0, r);
            /* at the middle the integrand's pole meets a slope that vanishes with x */
            if (x1 > from && slope != 0 && from > 0) sum -= slope / 2 * segment(from, x1, r);
            x0 = x1;
        }
        traction[i] = sum;
        if (limit) limit[i] = sqrt(fmax(u - r * r, 0));
    }
}

/* ---- the law ---- */
/* The fewest rings that a tolerance gives, and the most: 2 s of computing. */
enum { LEAST = 16, MOST = 8192 };

static const char *const compliance_words[] = {"none", "sphere", "given", NULL};

static const pc_row rows[] = {
    PC_HERTZ_ROWS(pc_maw),
    PC_FRICTION_ROW(pc_maw, friction),
    PC_ROW(pc_maw, tolerance, "tolerance", .initial = PC_ABSENT, .allowed = {1e-7, 0.1, false, false}, .group = 3,
           .doc = "error allowed in v_t/(1.5 kappa mu |v_n|) after the impact; it gives the number of rings, at most "
                  "8192, which serve 1e-7 up to chi = 2; 1e-5 if neither this nor rings is given"),
    PC_ROW(pc_maw, annuli, "rings", .initial = 0, .allowed = PC_BETWEEN(0, 100000), .group = 3,
           .doc = "number of rings in the greatest contact circle, in place of a tolerance"),
    PC_CHOICE_ROW(pc_maw, body_compliance, "body_compliance", compliance_words, .initial = 0,
                  .doc = "how a finite body differs from the half-space: not; as an elastic sphere of the radius R "
                         "does, c_n = -0.41 and c_t = 0.05 + 0.09 ln(R/a), fitted to elastodynamics at poisson = 0.3 "
                         "and a/R from 0.01 to 0.08; or by the two numbers that follow"),
    PC_ROW(pc_maw, normal_compliance, "normal_compliance", .symbol = "c_n", .initial = PC_ABSENT, .otherwise = "0",
           .allowed = PC_BETWEEN(-2, 100), .sample = {-0.5, 1},
           .doc = "of the body in series with the contact: the mass centre comes nearer by c_n F_n/(E* R) more than "
                  "the contact is indented; below 0 the body is stiffer than the half-space, as compact ones are"),
    PC_ROW(pc_maw, tangential_compliance, "tangential_compliance", .symbol = "c_t", .initial = PC_ABSENT,
           .otherwise = "0", .allowed = PC_BETWEEN(0, 100), .sample = {0, 1},
           .doc = "along t likewise: it moves by c_t F_t/(G R) more, G being the body's shear modulus"),
};

enum { RIGID_BODY, SPHERE_BODY, GIVEN_BODY };

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_maw *law = object;
    bool rings = pc_schema_given(schema, given, "rings");
    if (rings && law->annuli < 2)
        return pc_fail(err, PC_E_ARGUMENT, "%s: rings = %d; it must be at least 2", schema->name, law->annuli);
    if (rings)
        law->tolerance = NAN;
    else if (!pc_schema_given(schema, given, "tolerance"))
        law->tolerance = 1e-5;
    /* a map may give a tolerance to a law that was made with rings */
    if (!rings) law->annuli = 0;
    bool numbers =
        pc_schema_given(schema, given, "normal_compliance") || pc_schema_given(schema, given, "tangential_compliance");
    if (numbers && !pc_schema_given(schema, given, "body_compliance")) law->body_compliance = GIVEN_BODY;
    if (isnan(law->normal_compliance)) law->normal_compliance = 0;
    if (isnan(law->tangential_compliance)) law->tangential_compliance = 0;
    if (numbers != (law->body_compliance == GIVEN_BODY))
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: body_compliance = \"%s\" %s normal_compliance and tangential_compliance", schema->name,
                       numbers ? "none" : "given", numbers ? "does not go with" : "needs");
    if (law->body_compliance != RIGID_BODY && !isnan(law->hertz.counter_young))
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: body_compliance is of a body on a rigid obstacle; leave counter_young out", schema->name);
    return pc_hertz_validate(schema, law, given, err);
}

static const pc_schema schema = {
    .name = "contact.maw",
    .summary = "The continuum solution for Hertz contact with friction: the circle sticks and slips ring by ring.",
    .details =
        "Normal motion by Hertz. The tangential tractions are the Abel transform of a row of springs that stick or "
        "slip each by itself. Where W has no w_tn the result depends on psi1 = v_t/(1.5 kappa mu |v_n|) and chi = "
        "w_tt/(3 kappa w_nn) alone; where it has, and within a motion (configuration = \"moving\"), rings are added as "
        "the contact grows. A phase counts as slip where every ring slips, else as stick. A body is no half-space: "
        "body_compliance and the modes of a rod (body.capsule, body.rod) bring the law within 0.003 of elastodynamics "
        "(percuss.elastic) in psi2 for spheres with a/R up to 0.03, and close nine tenths of the gap for upright rods.",
    .equations = "K = 4/3 E_c sqrt(R): E_c is the contact modulus, R the relative radius\n"
                 "F_n = K u^1.5: by Hertz, u being the indentation\n"
                 "psi_1 = v_t/(1.5 kappa mu |v_n|): before the impact, and psi_2 afterwards with v_t'\n"
                 "chi = w_tt/(3 kappa w_nn): of a body without w_tn\n"
                 "psi_2 = psi_1 - 4 chi: in gross slip, which is from psi_1 = 4 chi - 1 on",
    .source = "Maw, Barber and Fawcett, Wear 38 (1976); Lai (1999), sections 4.6 and 5.3",
    .example =
        "local law = percuss.contact.maw{ modulus = 1, poisson = 0.3, radius = 1, friction = 0.5, rings = 100 }\n"
        "local ball = percuss.body.lai{ mass = 1, lambda = 5/9, theta = 0 }\n"
        "print(percuss.collide(ball, law, { vt = 1, vn = -1 }).regime) --> slip-stick-slip",
    PC_ROWS(rows),
    .size = sizeof(pc_maw),
    .groups = {PC_EXACTLY_ONE, PC_EXACTLY_ONE, PC_AT_MOST_ONE},
    .validate = validate,
};

/* ---- rings that are carried along ---- */

/* The error of the velocity after an impact, in the unit of `tolerance`, times the square of the number of rings. It
 * stays below these, as measured over random impacts; tests/c/test_maw.c does that again at 0.3 <= chi <= 4. Uncoupled
 * motions, whose steps follow the tangential vibration to second order only, were measured at chi from 0.2 to 100;
 * coupled ones, whose steps are integrated, at chi from 0.5 to 10 and friction from 0.1 to 1.5. The rings of a scene in
 * motion do not know chi: at chi below 2 the error of coupled ones was below 0.3. */
static double error_uncoupled(double chi)
{
    return 0.15 + 1.4 * chi * chi;
}

static double error_coupled(double chi)
{
    return 0.25 + 0.5 * chi;
}

static const double ERROR_MOVING = 0.75;

static pc_status count_rings(const pc_maw *law, double error, int *rings, pc_error *err)
{
    *rings = law->annuli;
    if (law->annuli > 0) return PC_OK;
    double wanted = ceil(sqrt(error / law->tolerance));
    if (!(wanted <= MOST))
        return pc_fail_at(err, PC_E_LIMIT, 0, "rings",
                          "tolerance = %g needs %.0f rings for this body, and %d are the most; they give %.1e",
                          law->tolerance, wanted, MOST, error / ((double)MOST * MOST));
    *rings = wanted > LEAST ? (int)wanted : LEAST;
    return PC_OK;
}

static double chi_of(const pc_hertz *h, const pc_mobility *W)
{
    return W->tt / (3 * h->kappa * W->nn);
}

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const pc_maw *law = params;
    (void)mass, (void)speed;
    double kappa = law->hertz.kappa;
    out->c[0] = pc_hertz_scaled(&law->hertz, scales);
    out->root = 2;
    if (law->friction == 0) return;
    int rings = law->annuli > 0 ? law->annuli : (int)ceil(sqrt(ERROR_MOVING / law->tolerance));
    out->tangential = (pc_tangential){.kind = PC_TANGENTIAL_RINGS,
                                      .mu = law->friction,
                                      .kt = out->c[0] / kappa,
                                      .ratio = 2 / (3 * kappa),
                                      .cone = 1.5 * kappa * law->friction,
                                      .rings = rings};
}

static pc_status suit(const void *params, const pc_mobility *W, pc_prepared *p, pc_error *err)
{
    const pc_maw *law = params;
    if (law->body_compliance != RIGID_BODY || W->modes)
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "contact.maw with %s acts in percuss.collide with the configuration frozen, and not in scenes",
                       W->modes ? "modes of the body" : "body_compliance");
    if (law->friction == 0) return PC_OK;
    return count_rings(law, error_coupled(chi_of(&law->hertz, W)), &p->tangential.rings, err);
}

static const pc_element element = {
    .length = pc_hertz_length, .prepare = prepare, .suit = suit, .normal = pc_hertz_normal, .stored = pc_hertz_stored};

/* ---- the motions do not couple ---- */

/* What rounding may add to an energy. */
static const double ROUNDING = 1e-10;

/* One impact: the scaled steps and what they mean. */
typedef struct solution {
    int n;
    pc_maw_step *steps;
    double mu, v, vt0;         /* m/s */
    double psi1, tangential;   /* velocity unit across, m/s */
    double depth, force, time; /* greatest u_n and F_n, unit of time */
    double mass, w_tt;
} solution;

/* In the end no spring holds anything, so friction has taken all that the tangential force has: its work, summed over
 * steps to second order, is brought to that. Not where so little slips that the steps' errors are as large. */
static void balance(solution *s, double chi)
{
    const pc_maw_step *last = &s->steps[2 * s->n];
    double sum = last->work_f, all = (last->psi * last->psi - s->psi1 * s->psi1) / (5 * chi);
    if (sum == 0 || !(fabs(all - sum) <= 0.01 * fabs(sum))) return;
    for (int i = 0; i <= 2 * s->n; i++) s->steps[i].work_f *= all / sum;
}

static pc_status check(const pc_mobility *W, pc_error *err)
{
    if (!(W->nn > 0 && W->tt >= 0))
        return pc_fail(err, PC_E_ARGUMENT, "W needs w_nn > 0 and w_tt >= 0; here w_nn = %.10g, w_tt = %.10g 1/kg",
                       W->nn, W->tt);
    return PC_OK;
}

static pc_status solve(const pc_maw *law, const pc_mobility *W, const double v0[3], solution *s, pc_error *err)
{
    const pc_hertz *h = &law->hertz;
    *s = (solution){.mu = law->friction, .v = -v0[PC_N], .vt0 = v0[PC_T], .mass = 1 / W->nn, .w_tt = W->tt};
    s->depth = pow(1.25 * s->mass * s->v * s->v / pc_hertz_stiffness(h), 0.4);
    s->force = pc_hertz_stiffness(h) * s->depth * sqrt(s->depth);
    s->time = s->depth / s->v;
    s->tangential = 1.5 * h->kappa * s->mu * s->v;
    s->psi1 = s->mu > 0 ? s->vt0 / s->tangential : 0;
    double chi = chi_of(h, W);
    pc_status status = count_rings(law, error_uncoupled(chi), &s->n, err);
    if (status) return status;
    s->steps = pc_calloc(2 * (size_t)s->n + 1, sizeof *s->steps);
    if (!s->steps) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d rings", s->n);
    status = pc_maw_run(s->psi1, chi, s->n, s->steps, NULL, 0, err);
    if (status)
        pc_free(s->steps);
    else
        balance(s, chi);
    return status;
}

static pc_state state_of(const solution *s, const pc_maw_step *x)
{
    pc_state out = {.t = x->t * s->time};
    double sine = sin(x->phi), cosine = cos(x->phi);
    double closing = s->mass * s->v;
    out.u[PC_N] = s->depth * pow(fabs(sine), 0.8);
    out.u[PC_T] = s->tangential / s->v * s->depth * x->middle;
    out.v[PC_N] = -s->v * cosine;
    out.v[PC_T] = s->vt0 + (x->psi - s->psi1) * s->tangential;
    out.F[PC_N] = s->force * pow(fabs(sine), 1.2);
    out.F[PC_T] = s->mu * x->ratio * out.F[PC_N];
    out.p[PC_N] = closing * (1 - cosine);
    out.p[PC_T] = s->w_tt > 0 ? (x->psi - s->psi1) * s->tangential / s->w_tt : 0;
    if (x->slip) out.s[0] = out.v[PC_T] - x->slip * s->tangential * cosine;
    if (s->mu == 0) out.s[0] = s->vt0;
    out.work_n = -closing * s->v * sine * sine / 2;
    out.work_f = s->mu * s->force * s->depth * (s->tangential / s->v) * x->work_f;
    out.work_t = out.p[PC_T] * (s->vt0 + out.v[PC_T]) / 2 - out.work_f;
    return out;
}

/* Angle at which the scaled time since a step's start is what is asked for. */
typedef struct place {
    double from, wanted;
} place;

static double late(double phi, void *context)
{
    const place *p = context;
    return time_between(p->from, phi) - p->wanted;
}

static pc_maw_step between(const solution *s, int i, double t)
{
    const pc_maw_step *a = &s->steps[i], *b = &s->steps[i + 1];
    double part = (t - a->t) / (b->t - a->t);
    if (part <= 0) return *a;
    if (part >= 1) return *b;
    place p = {a->phi, t - a->t};
    pc_maw_step x = *b;
    x.t = t;
    x.phi = pc_root_between(late, &p, a->phi, a->t - t, b->phi, b->t - t, 0);
    x.psi = a->psi + part * (b->psi - a->psi);
    x.middle = a->middle + part * (b->middle - a->middle);
    x.ratio = a->ratio + part * (b->ratio - a->ratio);
    x.work_f = a->work_f + part * (b->work_f - a->work_f);
    return x;
}

static int slip_of(const solution *s, const pc_maw_step *x)
{
    return s->mu > 0 ? x->slip : s->vt0 > 0 ? 1 : s->vt0 < 0 ? -1 : 0;
}

/* The state in which the slip of step i began, which may be before the end of the step before. */
static pc_state beginning(const solution *s, int i)
{
    const pc_maw_step *x = s->steps;
    if (isnan(x[i].changed)) return state_of(s, &x[i - 1]);
    double t = x[i].changed;
    while (i > 1 && t < x[i - 1].t) i--;
    pc_maw_step at = between(s, i - 1, t);
    return state_of(s, &at);
}

static pc_status record(const solution *s, pc_impact *out, pc_error *err)
{
    int last = 2 * s->n;
    const pc_maw_step *x = s->steps;
    pc_recorder r = {.out = out, .d = 2, .time = 1, .force = 1, .impulse = 1, .work = 1, .way = 1, .err = err};
    pc_status status = PC_OK;
    for (int i = 1; i <= last && status == PC_OK; i++) {
        int slip = slip_of(s, &x[i]);
        pc_state now = state_of(s, &x[i]);
        if (out->n_phases == 0 || out->phases[out->n_phases - 1].sign != slip) {
            pc_state start = beginning(s, i);
            if (out->n_phases > 0) out->phases[out->n_phases - 1].stop = start;
            status = pc_recorder_open_phase(&r, slip ? PC_PHASE_SLIP : PC_PHASE_STICK, slip, &start);
            if (status != PC_OK) return status;
        }
        out->phases[out->n_phases - 1].stop = now;
        if (i < last && x[i].ratio * x[i - 1].ratio < 0) {
            double part = x[i - 1].ratio / (x[i - 1].ratio - x[i].ratio);
            status = pc_recorder_reversal(&r, (x[i - 1].t + part * (x[i].t - x[i - 1].t)) * s->time);
        }
        pc_recorder_force(&r, PC_T, fabs(now.F[PC_T]), now.t);
        if (i == s->n) {
            pc_recorder_force(&r, PC_N, now.F[PC_N], now.t);
            pc_recorder_turn(&r, now.t, now.p, now.work_n);
        }
        if (i == last) pc_recorder_settle(&r, now.p, now.work_n);
    }
    if (status != PC_OK) return status;
    pc_recorder_finish(&r);
    pc_recorder_judge(&r, ROUNDING, out->energy0, false);
    return PC_OK;
}

static bool is_flexible(const pc_maw *law, const pc_mobility *W)
{
    return W->modes || law->body_compliance != RIGID_BODY;
}

/* Where the motions do not couple; the engine follows those that do, unless the body gives way. */
static bool takes(const void *params, const pc_mobility *W)
{
    return is_flexible(params, W) || fabs(W->tn) <= 1e-12 * (W->tt + W->nn);
}

/* ---- bodies that give way ---- */

/* Shear modulus of the body, from E and nu, or from E* and kappa on a rigid obstacle: kappa = (2 - nu)/(3 (1 - nu)). */
static double shear_of(const pc_hertz *h)
{
    double nu = (3 * h->kappa - 2) / (3 * h->kappa - 1);
    return h->modulus * (1 - nu) / 2;
}

static pc_status flexible(const pc_maw *law, const pc_mobility *W, const double v0[3], pc_asked asked, pc_impact *out,
                          pc_error *err)
{
    const pc_hertz *h = &law->hertz;
    double R = pc_hertz_radius(h), depth = pow(1.25 / W->nn * v0[PC_N] * v0[PC_N] / pc_hertz_stiffness(h), 0.4);
    double c_n = law->normal_compliance, c_t = law->tangential_compliance;
    if (law->body_compliance == SPHERE_BODY) c_n = -0.41, c_t = fmax(0, 0.05 + 0.09 * log(sqrt(R / depth)));
    pc_maw_flexible task = {.hertz = h,
                            .W = W,
                            .friction = law->friction,
                            .normal_compliance = c_n / (h->modulus * R),
                            .tangential_compliance = c_t / (shear_of(h) * R)};
    /* twice Hertz's depth leaves room for tangential motion that drives the body deeper */
    if (!(1 + 1.5 * task.normal_compliance * pc_hertz_stiffness(h) * sqrt(2 * depth) > 0))
        return pc_fail(
            err, PC_E_UNSUPPORTED,
            "contact.maw: normal_compliance = %g makes the body infinitely stiff in this impact, whose contact "
            "radius is %.3g of the body's radius",
            c_n, sqrt(depth / R));
    pc_status status = count_rings(law, error_coupled(chi_of(h, W)), &task.rings, err);
    return status ? status : pc_maw_flexible_run(&task, v0, asked, out, err);
}

static pc_status impact(const void *params, const pc_mobility *W, const double v0[3], pc_asked asked, pc_impact *out,
                        pc_error *err)
{
    pc_mobility plane = *W;
    pc_status status = pc_impact_begin(out, &plane, 2, v0, err);
    if (status == PC_OK && out->outcome != PC_OUTCOME_NONE) status = check(&plane, err);
    if (status != PC_OK || out->outcome == PC_OUTCOME_NONE) return status;
    plane.modes = W->modes;
    if (is_flexible(params, &plane)) return flexible(params, &plane, v0, asked, out, err);
    solution s;
    status = solve(params, &plane, v0, &s, err);
    if (status) return status;
    status = record(&s, out, err);
    for (size_t k = 0, i = 0; k < asked.n; k++) {
        double t = asked.times[k] / s.time;
        while ((int)i + 1 < 2 * s.n && s.steps[i + 1].t < t) i++;
        pc_maw_step x = between(&s, (int)i, t);
        asked.states[k] = state_of(&s, &x);
    }
    pc_free(s.steps);
    return status;
}

PC_ONE_FRICTION(pc_maw, friction)

const pc_law pc_law_maw = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_COMPLIANT | PC_LAW_CONSERVATIVE | PC_LAW_VIBRATES,
    .takes = takes,
    .impact = impact,
    .element = &element,
    .friction = friction,
};
