/* Hunt and Crossley's law, and what it shares with Lankarani and Nikravesh's: a power law with damping in proportion
 * to the force. */
#ifndef PC_LAW_HUNT_CROSSLEY_H
#define PC_LAW_HUNT_CROSSLEY_H

#include "law/element.h"

typedef struct pc_power {
    double k, p;
} pc_power;

typedef struct pc_hunt_crossley {
    pc_power power;
    double damping, restitution;
    pc_tangential_choice tangential;
} pc_hunt_crossley;

/* Rows for a member `power` of a parameter struct. */
#define PC_POWER_ROWS(type)                                                                                            \
    {.name = "stiffness",                                                                                              \
     .symbol = "k",                                                                                                    \
     .kind = PC_REAL,                                                                                                  \
     .offset = offsetof(type, power) + offsetof(pc_power, k),                                                          \
     .unit = {.kg = 1, .m = 1, .s = -2, .m_minus = "exponent"},                                                        \
     .initial = PC_REQUIRED,                                                                                           \
     .allowed = PC_POSITIVE,                                                                                           \
     .sample = {1e6, 1e10},                                                                                            \
     .doc = "stiffness of F_n = k u^p; 4/3 E* sqrt(R) for Hertz contact"},                                             \
    {                                                                                                                  \
        .name = "exponent", .symbol = "p", .kind = PC_REAL, .offset = offsetof(type, power) + offsetof(pc_power, p),   \
        .initial = 1.5, .allowed = {1, 10, false, false}, .sample = {1, 2.5},                                          \
        .doc = "exponent of the indentation; 1.5 for Hertz contact, 1 for a linear spring"                             \
    }

/* Length of the scaled problem: (m v^2/k)^(1/(p + 1)). */
double pc_power_length(const pc_power *power, double mass, double speed);

/* F = k u^p (1 + zeta w); zeta in s/m. */
void pc_power_prepare(const pc_power *power, const pc_tangential_choice *tangential, const pc_scales *scales,
                      double zeta, pc_prepared *out);
void pc_power_normal(const pc_prepared *p, const pc_indent *x, pc_normal *out);
double pc_power_stored(const pc_prepared *p, const pc_indent *x);
void pc_power_shape(const pc_prepared *at, const pc_indent *x, bool beyond, struct pc_force *out);

#endif
