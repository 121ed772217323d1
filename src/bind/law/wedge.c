/* The pendulum on the linear law in closed form: critical angle, wedging range, greatest loss. */
#include "bind/core/bind.h"
#include "law/linear/linear.h"

#include <math.h>
#include <stdbool.h>

/* One argument: what it is called, its unit, and between which numbers (both excluded) it must lie; `closed` lets the
 * lower (1) or upper (2) limit in. */
typedef struct argument {
    const char *name, *unit;
    double lo, hi;
    int closed;
} argument;

static const argument friction = {"mu", "", 0, INFINITY, 1};
static const argument ratio = {"eta", "", 0, INFINITY, 0};
static const argument coefficient = {"restitution", "", 0, 1, 2};
static const argument angle = {"angle", " rad", 0, 1.5707963267948966, 0};

static double take(lua_State *L, int index, const char *function, const argument *a)
{
    double x = pc_argument_number(L, index);
    bool above = a->closed & 1 ? x >= a->lo : x > a->lo;
    bool below = a->closed & 2 ? x <= a->hi : x < a->hi;
    if (above && below) return x;
    const char *low = a->closed & 1 ? ">=" : ">";
    if (isinf(a->hi))
        pc_refuse(L, "%s: %s = %f%s is not allowed; it must be finite and %s %f%s", function, a->name, x, a->unit, low,
                  a->lo, a->unit);
    pc_refuse(L, "%s: %s = %f%s is not allowed; it must be %s %f and %s %f%s%s", function, a->name, x, a->unit, low,
              a->lo, a->closed & 2 ? "<=" : "<", a->hi, a->unit,
              a == &angle && x > 1.6 ? " (did you mean degrees? write x*percuss.deg)" : "");
    return 0;
}

static double take_restitution(lua_State *L, int index, const char *function)
{
    return lua_isnoneornil(L, index) ? 1 : take(L, index, function, &coefficient);
}

static int critical_angle(lua_State *L)
{
    double mu = take(L, 1, "critical_angle", &friction), eta = take(L, 2, "critical_angle", &ratio);
    lua_pushnumber(L, pc_wedge_critical_angle(mu, eta, take_restitution(L, 3, "critical_angle")));
    return 1;
}

static int wedging_range(lua_State *L)
{
    double theta = take(L, 1, "wedging_range", &angle), eta = take(L, 2, "wedging_range", &ratio);
    double low, high;
    if (!pc_wedge_friction_range(theta, eta, take_restitution(L, 3, "wedging_range"), &low, &high)) return 0;
    lua_pushnumber(L, low);
    lua_pushnumber(L, high);
    return 2;
}

static int greatest_critical_angle(lua_State *L)
{
    double eta = take(L, 1, "greatest_critical_angle", &ratio), mu;
    lua_pushnumber(L, pc_wedge_greatest_angle(eta, take_restitution(L, 2, "greatest_critical_angle"), &mu));
    lua_pushnumber(L, mu);
    return 2;
}

static int friction_of_greatest_loss(lua_State *L)
{
    double theta = take(L, 1, "friction_of_greatest_loss", &angle);
    double eta = take(L, 2, "friction_of_greatest_loss", &ratio), mu;
    double loss = pc_pendulum_greatest_loss(theta, eta, &mu);
    lua_pushnumber(L, mu);
    lua_pushnumber(L, loss);
    return 2;
}

static int pendulum_loss(lua_State *L)
{
    double theta = take(L, 1, "pendulum_loss", &angle), mu = take(L, 2, "pendulum_loss", &friction);
    lua_pushnumber(L, pc_pendulum_loss(theta, mu, take(L, 3, "pendulum_loss", &ratio)));
    return 1;
}

static int pendulum_speed_ratio(lua_State *L)
{
    double theta = take(L, 1, "pendulum_speed_ratio", &angle), mu = take(L, 2, "pendulum_speed_ratio", &friction);
    lua_pushnumber(L, pc_pendulum_speed_ratio(theta, mu, take(L, 3, "pendulum_speed_ratio", &ratio)));
    return 1;
}

static int rigid_pendulum_speed_ratio(lua_State *L)
{
    double theta = take(L, 1, "rigid_pendulum_speed_ratio", &angle);
    double mu = take(L, 2, "rigid_pendulum_speed_ratio", &friction);
    lua_pushnumber(L, pc_pendulum_rigid_speed_ratio(theta, mu, take_restitution(L, 3, "rigid_pendulum_speed_ratio")));
    return 1;
}

#define MU                                                                                                             \
    {                                                                                                                  \
        .name = "mu", .kind = PC_REAL, .initial = PC_REQUIRED, .doc = "coefficient of friction, >= 0"                  \
    }
#define ETA                                                                                                            \
    {                                                                                                                  \
        .name = "eta", .kind = PC_REAL, .initial = PC_REQUIRED, .doc = "stiffness ratio k_n/k_t, > 0"                  \
    }
#define E                                                                                                              \
    {                                                                                                                  \
        .name = "restitution", .kind = PC_REAL, .initial = 1,                                                          \
        .doc = "energetic coefficient of restitution, above 0 and up to 1"                                             \
    }
#define ANGLE                                                                                                          \
    {                                                                                                                  \
        .name = "angle", .kind = PC_REAL, .unit = PC_UNIT_RAD, .initial = PC_REQUIRED,                                 \
        .doc = "of the link from the normal, between 0 and pi/2"                                                       \
    }
#define BIRLIK "Birlik (2012), section 4.2.1, with its errata"

static const pc_row mu_eta_e[] = {MU, ETA, E, {0}};
static const pc_row angle_eta_e[] = {ANGLE, ETA, E, {0}};
static const pc_row eta_e[] = {ETA, E, {0}};
static const pc_row angle_eta[] = {ANGLE, ETA, {0}};
static const pc_row angle_mu_eta[] = {ANGLE, MU, ETA, {0}};
static const pc_row angle_mu_e[] = {ANGLE, MU, E, {0}};

static const pc_function functions[] = {
    {"critical_angle", critical_angle,
     "The angle below which a pendulum on the linear law wedges; it does not depend on speed, mass, size or k_n.",
     mu_eta_e, "number (rad)", BIRLIK,
     "print(string.format(\"%.5f\", percuss.critical_angle(1, 0.1)/percuss.deg))\n--> 36.07020"},
    {"wedging_range", wedging_range, "The coefficients of friction between which a pendulum wedges at an angle.",
     angle_eta_e,
     "number, number: the least and the greatest friction (-); nothing where no friction wedges it: above the angle "
     "that greatest_critical_angle(eta) gives. A rigid "
     "pendulum wedges from mu = tan(angle) on",
     BIRLIK, "print(string.format(\"%.5f %.5f\", percuss.wedging_range(13*percuss.deg, 1.21)))\n--> 0.36830 0.74799"},
    {"greatest_critical_angle", greatest_critical_angle,
     "The greatest critical angle over all frictions, and the friction at which it is reached.", eta_e,
     "number, number: the angle (rad), the friction (-)", BIRLIK,
     "print(string.format(\"%.4f\", percuss.greatest_critical_angle(1.21)/percuss.deg))\n--> 13.6901"},
    {"friction_of_greatest_loss", friction_of_greatest_loss,
     "The friction at which a pendulum loses most, and the fraction of its energy that it loses then.", angle_eta,
     "number, number: the friction (-), the fraction lost (-)", BIRLIK,
     "print(string.format(\"%.5f %.5f\", percuss.friction_of_greatest_loss(30*percuss.deg, 1.21)))\n--> 0.39348 "
     "0.46105"},
    {"pendulum_loss", pendulum_loss,
     "The fraction of its energy that a pendulum loses on the linear law (restitution 1); 1 when it wedges.",
     angle_mu_eta, "number (-)", BIRLIK,
     "print(string.format(\"%.6f\", percuss.pendulum_loss(30*percuss.deg, 0.5, 1.21)))\n--> 0.447629"},
    {"pendulum_speed_ratio", pendulum_speed_ratio,
     "Speed after over speed before of a pendulum on the linear law (restitution 1); 0 when it wedges.", angle_mu_eta,
     "number (-)", BIRLIK,
     "print(string.format(\"%.6f\", percuss.pendulum_speed_ratio(30*percuss.deg, 0.5, 1.21)))\n--> 0.743217"},
    {"rigid_pendulum_speed_ratio", rigid_pendulum_speed_ratio,
     "Speed after over speed before of a pendulum in a rigid impact with energetic restitution; 0 when it wedges (mu "
     ">= tan angle).",
     angle_mu_e, "number (-)", "Birlik (2012), eq 4.69 with the square root that it lacks",
     "print(string.format(\"%.6f\", percuss.rigid_pendulum_speed_ratio(30*percuss.deg, 0.3)))\n--> 0.562248"},
    {0},
};

#define TANGENT "T = tan(angle): tangent of the angle of the link from the normal\n"
#define RATIO "h = eta/restitution^2: stiffness ratio that counts\n"
#define WEDGE TANGENT RATIO "mu h T^2 + (1 + 3 mu^2 h) T = mu: "

static const struct {
    const char *path, *text;
} equations[] = {
    {"critical_angle", WEDGE "at the critical angle"},
    {"wedging_range", WEDGE "at the least and at the greatest friction"},
    {"greatest_critical_angle", WEDGE "at the critical angle\n"
                                      "h T^2 + 6 mu h T = 1: where it is greatest over the friction"},
    {"friction_of_greatest_loss",
     TANGENT "mu = (sqrt(2 (1 + eta T^2)/eta) - T)/(2 + eta T^2): the friction\n"
             "loss = 2 mu/(T + mu) - 4 mu^2 eta T/((T + mu) (1 + mu eta T)): the fraction"},
    {"pendulum_loss", TANGENT "loss = 2 mu/(T + mu) - 4 mu^2 eta T/((T + mu) (1 + mu eta T)): if that is below 1 and "
                              "mu eta T is; it is 0 where mu eta T is not"},
    {"pendulum_speed_ratio", TANGENT "r^2 = (T - mu)/(T + mu) + 4 mu^2 eta T/((T + mu) (1 + mu eta T)): if that is "
                                     "positive and mu eta T below 1; else r is 0, or 1"},
    {"rigid_pendulum_speed_ratio", TANGENT "r = restitution sqrt((T - mu)/(T + mu)): if mu < T, else 0"},
};

void pc_open_wedge(lua_State *L)
{
    pc_functions_open(L, "", functions);
    for (size_t i = 0; i < sizeof equations / sizeof *equations; i++)
        pc_register_equations(L, equations[i].path, equations[i].text);
}
