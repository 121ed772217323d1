/* Impacts of several contacts at once, as one problem of impulses: v = v0 + W p.
 *
 * Compression brings no contact closer; then each restitutes by the rule of its own law (Pfeiffer and Glocker 1996,
 * chapter 8, for Poisson's). Stronge's law knows the work of one contact only. Here all contacts of it give back E
 * times their impulse of compression and a factor, the same for all of them, with which the sum of their normal works
 * of restitution is that of E^2 times their works of compression. That is his law for a contact that slips one way, and
 * without friction it conserves energy for E = 1 whatever the contacts are. Works are those of impulses that grow in
 * proportion within a phase; friction may do positive ones then, where slip turns round, and the factor is the less
 * that no energy is created.
 */
#ifndef PC_ENGINE_JOINT_IMPACT_H
#define PC_ENGINE_JOINT_IMPACT_H

#include "engine/block.h"
#include "engine/element_impact.h"
#include "law/law.h"

/* A contact that strikes. speed: the greatest velocity it has met; normal velocities within its rounding are zero. */
typedef struct pc_striking {
    const char *name;
    const pc_law *law;
    const void *params;
    double friction, speed, rolling;
} pc_striking;

/* Contacts that strike, and behind them the couples of those that resist rolling, which are contacts as well: their
 * tangential part is the couple for each metre, their normal one is what bounds it, and both are without effect on the
 * normal velocity, which is 0. */
typedef struct pc_joint_impact {
    int n, n_couples, *place; /* n counts the couples */
    size_t room;              /* of the lists */
    pc_touch *touch;
    pc_striking *contact;
    pc_joint_rule *rule;
    double *v0, *v1, *p; /* (t, n) of each contact */
    double rounding;     /* of velocities */
    pc_block *block;     /* with W */

    /* workspace, (t, n) of each contact, and one for each */
    double *middle, *back, *from; /* velocities after compression; impulses of restitution; velocities to start from */
    double *load;                 /* accelerations; the caller's, as p before an impact */
    double *given;
    pc_element_contact *element;
    pc_element_summary *end;
    int *of; /* the contact that a couple belongs to */
} pc_joint_impact;

/* Room for n contacts and couples, of one that begins as zeros. */
pc_status pc_joint_impact_reserve(pc_joint_impact *joint, int n, pc_error *err);
void pc_joint_impact_close(pc_joint_impact *joint);

/* n contacts as they meet, whose places and what strikes there have been set; rolling: and with them the couples of
 * those that resist it. */
void pc_joint_impact_meet(pc_joint_impact *joint, int n, bool rolling, const pc_mechanics *mechanics, pc_block *block);

static inline bool pc_joint_impact_is_couple(const pc_joint_impact *joint, int i)
{
    return i >= joint->n - joint->n_couples;
}

/* What a contact that approaches with a speed says about joint impacts; false: its law has none, or not there. */
bool pc_striking_rule(const pc_striking *contact, double approach, pc_joint_rule *rule);

/* By the joint rules of the laws; by the forces of compliant laws while the configuration is frozen; without
 * restitution, from velocities that ever gentler impacts have left. False: there are no such rules or impulses, or no
 * end of the contacts; then of a compliant one err->code is set if it failed in another way. */
bool pc_joint_impact_by_rules(pc_joint_impact *joint);
bool pc_joint_impact_compliant(pc_joint_impact *joint, pc_error *err);
bool pc_joint_impact_plastic(pc_joint_impact *joint);

/* The impulses p that stop all approaches, without restitution. */
bool pc_joint_impact_compress(pc_joint_impact *joint);

/* Contacts of which some slip, for whose loads no forces were found, from v_n = 0; mode: 0 for those that do not slip.
 * *nothing: no impulse came of it; then p are those that bear the load of a short time, and slips below *slow are
 * stopped by it in no time. Else what restitutes after that is the impulse that stopped the slips. */
bool pc_joint_impact_jam(pc_joint_impact *joint, const int *mode, const double *load, double *slow, bool *nothing);
bool pc_joint_impact_after_jam(pc_joint_impact *joint, pc_error *err);

/* The failure of n contacts for which no impulses were found. */
pc_status pc_joint_impact_unsolved(int n, double t, pc_error *err);

/* Energy was created, beyond rounding. */
bool pc_joint_impact_gains(const pc_joint_impact *joint);

#endif
