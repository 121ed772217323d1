/* Algebraic laws: Newton's restitution and a rule for the impulse ratio r = p_t/p_n.
 *
 * With v_n+ = -e v_n the ratio decides everything: p_n = -(1 + e) v_n/(w_nn + w_tn r) and p_t = r p_n. Where p_n > 0,
 * v_t+ grows with r at the rate (1 + e) |v_n| det W/(w_nn + w_tn r)^2, so a rule for v_t+ and r has one solution.
 */
#ifndef PC_LAW_RIGID_IMPULSE_RATIO_H
#define PC_LAW_RIGID_IMPULSE_RATIO_H

#include "law/rigid/rigid.h"

#define PC_RATIO_RESTITUTION_ROW(type)                                                                                 \
    PC_RIGID_RESTITUTION_ROW(type, "e", "kinematic coefficient of restitution e = -v_n+/v_n-")

/* Normal impulse that goes with a ratio; not positive or not finite where none can reverse v_n. */
double pc_ratio_normal(const pc_mobility *W, const double v0[3], double e, double ratio);

/* Tangential velocity that the ratio leaves. */
double pc_ratio_after(const pc_mobility *W, const double v0[3], double e, double ratio);

/* The ratio that leaves the tangential velocity v_t; 0: after which nothing slides (Brach's mu_0). NaN if no impulse
 * with p_n > 0 does that. */
double pc_ratio_reaching(const pc_mobility *W, const double v0[3], double e, double v_t);

/* The ratios between which an impact loses energy, in ascending order (Brach's mu_T is that of the side of mu_0); NaN
 * where there is no bound. */
void pc_ratio_lossless(const pc_mobility *W, const double v0[3], double e, double bounds[2]);

/* The ratio that a law gives an impact. */
typedef double pc_ratio_rule(const void *params, const pc_mobility *W, const double v0[3]);

/* Whittaker's rule, of a pc_rigid: sticking if |r| <= static_friction allows it, else friction against v_t+. */
pc_ratio_rule pc_ratio_against_departure;

/* One impact by a law whose parameters begin with the coefficient of restitution; and pc_law.path. */
pc_status pc_ratio_impact(const pc_schema *schema, pc_ratio_rule *rule, const void *params, const pc_mobility *W,
                          const double v0[3], pc_impact *out, pc_error *err);
pc_status pc_ratio_path(const void *params, const pc_mobility *W, const pc_impact *impact, const double *p_n, size_t n,
                        pc_state *out, pc_error *err);

/* pc_law.impact of a law whose schema is `schema`. */
#define PC_RATIO_RULE(rule)                                                                                            \
    static pc_status impact(const void *params, const pc_mobility *W, const double v0[3], pc_impact *out,              \
                            pc_error *err)                                                                             \
    {                                                                                                                  \
        return pc_ratio_impact(&schema, rule, params, W, v0, out, err);                                                \
    }

/* The planar part of W; an error where the second tangent couples or moves. */
pc_status pc_ratio_plane(const char *law, const pc_mobility *W, const double v0[3], pc_mobility *plane, pc_error *err);

#endif
