/* Elastic constants of a Hertz contact: what the laws of this family share.
 *
 * Two surfaces of radii R1 and R2 (negative: a seat; infinite: a plane) with Young's moduli and Poisson's ratios; an
 * obstacle without constants of its own is rigid. From them R, E* and kappa = E* / (6 G*), which is all that enters:
 * 1/R = 1/R1 + 1/R2, 1/E* = sum (1 - nu^2)/E, 1/G* = sum (2 - nu)/G, G = E/(2 (1 + nu)) (Lai 1999, chapters 4 and 5;
 * Johnson 1985, chapters 4 and 7). The modulus E* and kappa may be given instead.
 */
#ifndef PC_LAW_HERTZ_H
#define PC_LAW_HERTZ_H

#include "base/row.h"
#include "law/element.h"
#include "law/law.h"

typedef struct pc_hertz {
    double young, poisson, counter_young, counter_poisson;
    double radius, counter_radius;
    double modulus, kappa;
} pc_hertz;

/* R, m; and the stiffness K = 4/3 E* sqrt(R) of F_n = K u^1.5, N/m^1.5. */
double pc_hertz_radius(const pc_hertz *h);
double pc_hertz_stiffness(const pc_hertz *h);

/* Rows for a member `hertz` of a parameter struct; they use groups 1 and 2. */
#define PC_HERTZ_ROWS(type)                                                                                            \
    PC_ROW(type, hertz.young, "young", .symbol = "E", .role = PC_YOUNG, .unit = PC_UNIT_PA, .initial = PC_ABSENT,      \
           .allowed = PC_POSITIVE, .group = 1,                                                                         \
           .doc = "Young's modulus of the body; a material gives it together with Poisson's ratio"),                   \
        PC_ROW(type, hertz.modulus, "modulus", .unit = PC_UNIT_PA, .initial = PC_ABSENT, .allowed = PC_POSITIVE,       \
               .sample = {1e9, 2e11}, .group = 1, .doc = "contact modulus E*, 1/E* = sum of (1 - nu^2)/E"),            \
        PC_ROW(type, hertz.poisson, "poisson", .symbol = "nu", .greek = "ν", .role = PC_POISSON, .initial = PC_ABSENT, \
               .allowed = {-1, 0.5, true, false}, .sample = {0, 0.45}, .group = 2,                                     \
               .doc = "Poisson's ratio of the body; with the modulus, of both"),                                       \
        PC_ROW(type, hertz.kappa, "compliance_ratio", .symbol = "kappa", .greek = "κ", .initial = PC_ABSENT,           \
               .allowed = PC_POSITIVE, .group = 2, .doc = "E* / (6 G*); (2 - nu)/(3 (1 - nu)) for equal materials"),   \
        PC_ROW(type, hertz.counter_young, "counter_young", .role = PC_COUNTER_YOUNG, .unit = PC_UNIT_PA,               \
               .initial = PC_ABSENT, .allowed = PC_POSITIVE,                                                           \
               .doc = "Young's modulus of the obstacle; it is rigid if this is not given"),                            \
        PC_ROW(type, hertz.counter_poisson, "counter_poisson", .role = PC_COUNTER_POISSON, .initial = PC_ABSENT,       \
               .allowed = {-1, 0.5, true, false}, .doc = "Poisson's ratio of the obstacle"),                           \
        PC_ROW(type, hertz.radius, "radius", .symbol = "R", .role = PC_RADIUS, .unit = PC_UNIT_M,                      \
               .initial = PC_REQUIRED, .allowed = PC_POSITIVE, .sample = {1e-3, 0.1},                                  \
               .doc = "radius of the body at the contact"),                                                            \
        PC_ROW(type, hertz.counter_radius, "counter_radius", .unit = PC_UNIT_M, .initial = PC_ABSENT,                  \
               .allowed = PC_ANY, .doc = "radius of the obstacle; negative for a seat, a plane if not given")

/* pc_schema.validate of laws whose parameters begin with a pc_hertz: derives what was not given, refuses what
 * contradicts. */
pc_status pc_hertz_validate(const pc_schema *schema, void *params, uint64_t given, pc_error *err);

/* The same with a choice of tangential element, whose ratio for Mindlin's follows where it was not given. */
pc_status pc_hertz_validate_choice(const pc_schema *schema, pc_hertz *h, pc_tangential_choice *choice, uint64_t given,
                                   pc_error *err);

/* The last as the `validate` of the laws of a file whose parameters, a `type`, have both members. */
#define PC_HERTZ_VALIDATE(type)                                                                                        \
    static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)                    \
    {                                                                                                                  \
        return pc_hertz_validate_choice(schema, &((type *)object)->hertz, &((type *)object)->tangential, given, err);  \
    }

/* pc_element.length of laws whose parameters begin with a pc_hertz: (m v^2/K)^(2/5). */
double pc_hertz_length(const void *params, double mass, double speed);

/* K in scaled units; and F = c[0] u^1.5 as an element's normal force. */
double pc_hertz_scaled(const pc_hertz *h, const pc_scales *scales);
void pc_hertz_normal(const pc_prepared *p, const pc_indent *x, pc_normal *out);
double pc_hertz_stored(const pc_prepared *p, const pc_indent *x);
void pc_hertz_shape(const pc_prepared *p, const pc_indent *x, bool beyond, struct pc_force *out);

/* The coupled conservative Hertz law: see hertz.c. */

typedef struct pc_coupled {
    pc_hertz hertz;
    double friction;
} pc_coupled;

extern const pc_law pc_law_coupled;
extern const pc_element pc_coupled_element;

/* Greatest |s|/u in stick; infinite where kappa mu^2 >= 1. */
double pc_coupled_cone(double kappa, double mu);

#endif
