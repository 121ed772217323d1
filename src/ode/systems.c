/* Built-in right-hand sides: see ode.h. */
#include "ode/ode.h"

#include <math.h>
#include <stddef.h>

/* The schema of a system, of its rows and parameters of its name. */
#define SCHEMA(name_, ...)                                                                                             \
    static const pc_schema name_##_schema = {                                                                          \
        .name = "system." #name_, PC_ROWS(name_##_rows), .size = sizeof(name_), __VA_ARGS__};

/* ---- oscillator: m x'' + c x' + k x = 0 ---- */

typedef struct oscillator {
    double m, c, k;
} oscillator;

static const pc_row oscillator_rows[] = {
    PC_ROW(oscillator, m, "mass", .symbol = "m", .unit = PC_UNIT_KG, .initial = 1, .allowed = PC_POSITIVE,
           .sample = {0.5, 2}, .doc = "mass"),
    PC_ROW(oscillator, c, "damping", .symbol = "c", .unit = {.kg = 1, .s = -1}, .initial = 0, .allowed = PC_NONNEGATIVE,
           .sample = {0, 2}, .doc = "damping constant"),
    PC_ROW(oscillator, k, "stiffness", .symbol = "k", .unit = PC_UNIT_N_PER_M, .initial = 1, .allowed = PC_POSITIVE,
           .sample = {0.5, 2}, .doc = "stiffness"),
};

SCHEMA(oscillator, .summary = "A mass on a spring and a dashpot: m x'' + c x' + k x = 0; state x, v.",
       .source = "elementary",
       .example = "local motion = percuss.ode.solve{ rhs = percuss.system.oscillator{}, y = { 1, 0 }, t = math.pi }\n"
                  "print(string.format(\"%.9f\", motion.y[1]))\n--> -1.000000000")

static int oscillator_rhs(double t, const double *y, double *dydt, void *context)
{
    const oscillator *p = context;
    (void)t;
    dydt[0] = y[1];
    dydt[1] = -(p->c * y[1] + p->k * y[0]) / p->m;
    return 0;
}

static int oscillator_jacobian(double t, const double *y, double *dfdy, void *context)
{
    const oscillator *p = context;
    (void)t, (void)y;
    dfdy[1] = 1;
    dfdy[2] = -p->k / p->m;
    dfdy[3] = -p->c / p->m;
    return 0;
}

/* ---- pendulum: angle'' = -(g/l) sin(angle) ---- */

typedef struct pendulum {
    double gravity, length;
} pendulum;

static const pc_row pendulum_rows[] = {
    PC_ROW(pendulum, gravity, "gravity", .symbol = "g", .unit = PC_UNIT_M_PER_S2, .initial = 9.81,
           .allowed = PC_NONNEGATIVE, .sample = {1, 20}, .doc = "acceleration of free fall"),
    PC_ROW(pendulum, length, "length", .symbol = "l", .unit = PC_UNIT_M, .initial = 1, .allowed = PC_POSITIVE,
           .sample = {0.5, 2}, .doc = "from the pivot to the point mass"),
};

SCHEMA(pendulum,
       .summary =
           "The mathematical pendulum, angle'' = -(g/l) sin(angle); state angle (from the downward vertical), rate.",
       .source = "elementary", .example = "print(percuss.system.pendulum{ length = 2 }.n)\n--> 2")

static int pendulum_rhs(double t, const double *y, double *dydt, void *context)
{
    const pendulum *p = context;
    (void)t;
    dydt[0] = y[1];
    dydt[1] = -p->gravity / p->length * sin(y[0]);
    return 0;
}

static int pendulum_jacobian(double t, const double *y, double *dfdy, void *context)
{
    const pendulum *p = context;
    (void)t;
    dfdy[1] = 1;
    dfdy[2] = -p->gravity / p->length * cos(y[0]);
    return 0;
}

/* ---- kepler: r'' = -k r/|r|^3 ---- */

typedef struct kepler {
    double attraction;
} kepler;

static const pc_row kepler_rows[] = {
    PC_ROW(kepler, attraction, "attraction", .symbol = "k", .unit = {.m = 3, .s = -2}, .initial = 1,
           .allowed = PC_POSITIVE, .sample = {0.5, 2}, .doc = "of the centre, G M"),
};

SCHEMA(kepler, .summary = "A body that a centre attracts by the inverse square of the distance; state x, y, vx, vy.",
       .source = "elementary", .example = "print(#percuss.system.kepler{}.names)\n--> 4")

static int kepler_rhs(double t, const double *y, double *dydt, void *context)
{
    const kepler *p = context;
    (void)t;
    double r2 = y[0] * y[0] + y[1] * y[1];
    double pull = -p->attraction / (r2 * sqrt(r2));
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = pull * y[0];
    dydt[3] = pull * y[1];
    return 0;
}

static int kepler_jacobian(double t, const double *y, double *dfdy, void *context)
{
    const kepler *p = context;
    (void)t;
    double r2 = y[0] * y[0] + y[1] * y[1], r = sqrt(r2);
    double pull = p->attraction / (r2 * r), tide = 3 * pull / r2;
    dfdy[2] = dfdy[4 + 3] = 1;
    dfdy[8] = tide * y[0] * y[0] - pull;
    dfdy[8 + 1] = dfdy[12] = tide * y[0] * y[1];
    dfdy[12 + 1] = tide * y[1] * y[1] - pull;
    return 0;
}

/* ---- van der Pol: x'' = mu (1 - x^2) x' - x ---- */

typedef struct van_der_pol {
    double mu;
} van_der_pol;

static const pc_row van_der_pol_rows[] = {
    PC_ROW(van_der_pol, mu, "damping", .symbol = "mu", .greek = "μ", .initial = 1, .allowed = PC_NONNEGATIVE,
           .sample = {0, 5}, .doc = "strength of the nonlinear damping; large: stiff"),
};

SCHEMA(van_der_pol, .summary = "Van der Pol's oscillator, x'' = mu (1 - x^2) x' - x; state x, v. Stiff for large mu.",
       .source = "van der Pol (1926); Hairer and Wanner, Solving Ordinary Differential Equations II",
       .example = "print(percuss.system.van_der_pol{ mu = 1000 }.mu)\n--> 1000.0")

static int van_der_pol_rhs(double t, const double *y, double *dydt, void *context)
{
    const van_der_pol *p = context;
    (void)t;
    dydt[0] = y[1];
    dydt[1] = p->mu * (1 - y[0] * y[0]) * y[1] - y[0];
    return 0;
}

static int van_der_pol_jacobian(double t, const double *y, double *dfdy, void *context)
{
    const van_der_pol *p = context;
    (void)t;
    dfdy[1] = 1;
    dfdy[2] = -2 * p->mu * y[0] * y[1] - 1;
    dfdy[3] = p->mu * (1 - y[0] * y[0]);
    return 0;
}

/* ---- Robertson's reaction ---- */

typedef struct robertson {
    double slow, fast, middle;
} robertson;

static const pc_row robertson_rows[] = {
    PC_ROW(robertson, slow, "slow", .unit = PC_UNIT_PER_S, .initial = 0.04, .allowed = PC_POSITIVE,
           .sample = {0.01, 0.1}, .doc = "rate of A -> B"),
    PC_ROW(robertson, fast, "fast", .unit = PC_UNIT_PER_S, .initial = 3e7, .allowed = PC_POSITIVE, .sample = {1e6, 1e8},
           .doc = "rate of B + B -> B + C"),
    PC_ROW(robertson, middle, "middle", .unit = PC_UNIT_PER_S, .initial = 1e4, .allowed = PC_POSITIVE,
           .sample = {1e3, 1e5}, .doc = "rate of B + C -> A + C"),
};

SCHEMA(robertson,
       .summary = "Robertson's chemical reaction, the usual test of stiff methods; state a, b, c (a + b + c stays 1).",
       .source = "Robertson (1966); Hairer and Wanner, Solving Ordinary Differential Equations II",
       .example = "print(percuss.system.robertson{}.fast)\n--> 30000000.0")

static int robertson_rhs(double t, const double *y, double *dydt, void *context)
{
    const robertson *p = context;
    (void)t;
    double one = p->slow * y[0], two = p->middle * y[1] * y[2], three = p->fast * y[1] * y[1];
    dydt[0] = two - one;
    dydt[1] = one - two - three;
    dydt[2] = three;
    return 0;
}

static int robertson_jacobian(double t, const double *y, double *dfdy, void *context)
{
    const robertson *p = context;
    (void)t;
    dfdy[0] = -p->slow;
    dfdy[1] = p->middle * y[2];
    dfdy[2] = p->middle * y[1];
    dfdy[6 + 1] = 2 * p->fast * y[1];
    for (int j = 0; j < 3; j++) dfdy[3 + j] = -dfdy[j] - dfdy[6 + j];
    return 0;
}

/* ---- Lorenz ---- */

typedef struct lorenz {
    double prandtl, rayleigh, aspect;
} lorenz;

static const pc_row lorenz_rows[] = {
    PC_ROW(lorenz, prandtl, "prandtl", .symbol = "sigma", .greek = "σ", .initial = 10, .allowed = PC_POSITIVE,
           .sample = {1, 20}, .doc = "Prandtl number"),
    PC_ROW(lorenz, rayleigh, "rayleigh", .symbol = "rho", .greek = "ρ", .initial = 28, .allowed = PC_NONNEGATIVE,
           .sample = {1, 40}, .doc = "Rayleigh number over its critical value"),
    PC_ROW(lorenz, aspect, "aspect", .symbol = "beta", .greek = "β", .initial = 8.0 / 3, .allowed = PC_POSITIVE,
           .sample = {1, 5}, .doc = "shape of the cell"),
};

SCHEMA(lorenz, .summary = "Lorenz's convection, chaotic at its customary numbers; state x, y, z.",
       .source = "Lorenz (1963), J. Atmos. Sci. 20, 130",
       .example = "print(percuss.system.lorenz{}.rayleigh)\n--> 28.0")

static int lorenz_rhs(double t, const double *y, double *dydt, void *context)
{
    const lorenz *p = context;
    (void)t;
    dydt[0] = p->prandtl * (y[1] - y[0]);
    dydt[1] = y[0] * (p->rayleigh - y[2]) - y[1];
    dydt[2] = y[0] * y[1] - p->aspect * y[2];
    return 0;
}

static int lorenz_jacobian(double t, const double *y, double *dfdy, void *context)
{
    const lorenz *p = context;
    (void)t;
    dfdy[0] = -p->prandtl;
    dfdy[1] = p->prandtl;
    dfdy[3] = p->rayleigh - y[2];
    dfdy[3 + 1] = -1;
    dfdy[3 + 2] = -y[0];
    dfdy[6] = y[1];
    dfdy[6 + 1] = y[0];
    dfdy[6 + 2] = -p->aspect;
    return 0;
}

const pc_ode_system pc_ode_systems[] = {
    {&oscillator_schema, 2, {"x", "v"}, {1, 0}, oscillator_rhs, oscillator_jacobian, 0},
    {&pendulum_schema, 2, {"angle", "rate"}, {1, 0}, pendulum_rhs, pendulum_jacobian, 1},
    {&kepler_schema, 4, {"x", "y", "vx", "vy"}, {1, 0, 0, 1}, kepler_rhs, kepler_jacobian, 2},
    {&van_der_pol_schema, 2, {"x", "v"}, {2, 0}, van_der_pol_rhs, van_der_pol_jacobian, 0},
    {&robertson_schema, 3, {"a", "b", "c"}, {1, 0, 0}, robertson_rhs, robertson_jacobian, 0},
    {&lorenz_schema, 3, {"x", "y", "z"}, {1, 1, 1}, lorenz_rhs, lorenz_jacobian, 0},
};

const int pc_n_ode_systems = (int)(sizeof pc_ode_systems / sizeof *pc_ode_systems);
