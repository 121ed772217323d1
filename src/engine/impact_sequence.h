/* The impacts of one instant: one set of contacts after another, until none approaches.
 *
 * Of the contacts that approach, those that tie with the fastest are struck first, as one where bodies join them and
 * their laws have joint rules, and so on. Which contacts tie depends on speeds alone, and the order of what does not is
 * that in which they are given: by their places, so that lists of bodies decide nothing.
 *
 * Contacts that stay closed strike each other again and again, ever more gently: a ball that falls on others in a row
 * against a wall. Most such sequences end, or decay geometrically down to rounding. Where one has decayed so far that
 * the rest is beneath all else that is known of the motion, or where it decays so slowly that no patience will do
 * (balls between walls that leave no play), what is left of it is completed: infinitely many impacts at one instant
 * come to the state in which no contact approaches, and whatever restitution has given back has been taken again. That
 * is one impact of all of them without restitution, and is told as an accumulation.
 */
#ifndef PC_ENGINE_IMPACT_SEQUENCE_H
#define PC_ENGINE_IMPACT_SEQUENCE_H

#include "engine/joint_impact.h"

/* What happens when several contacts strike at one instant. */
typedef enum pc_rule { PC_RULE_TIED, PC_RULE_SIMULTANEOUS, PC_RULE_SEQUENTIAL } pc_rule;

/* The W that a law is asked about; where the contact resists rolling it has `turning` (NULL: it is not asked for),
 * which is to stay. The block has room for two. */
pc_status pc_contact_mobility(const pc_mechanics *mechanics, int place, const pc_touch *touch, pc_block *block,
                              pc_mobility *W, pc_turning *turning, pc_error *err);

/* The impulses of an impact at one contact, whose touch is to stay: p for the set, which has its couple as well, where
 * there is one. */
typedef struct pc_struck {
    int place[2];
    pc_touch touch[2];
    double p[4];
    pc_contact_set set;
} pc_struck;
void pc_contact_struck(pc_struck *struck, int place, const pc_touch *touch, const pc_impact *impact);

/* One impact of one contact by its law, which is told where and how it touches, and with which velocity: the rest is
 * set as it strikes. `impact` is then to be freed in any case. */
typedef struct pc_single_impact {
    int place;
    bool tied; /* others approach as fast, and the order is that of the places */
    pc_touch touch;
    double v0[2];
    pc_mobility W;
    pc_turning turning; /* of W, where the contact resists rolling */
    pc_impact impact;
} pc_single_impact;
pc_status pc_single_impact_strike(pc_single_impact *single, const pc_striking *contact, const pc_mechanics *mechanics,
                                  pc_block *block, pc_error *err);

/* Who has the state: lets impulses act on the velocities of the configuration, and tells of it. */
typedef struct pc_impact_log {
    void *context;
    pc_status (*single)(void *context, const pc_single_impact *single, int order, pc_error *err);
    pc_status (*joint)(void *context, const pc_joint_impact *joint, pc_rule rule, int *order, pc_error *err);
    /* what is left of a sequence of impacts, which would end then, has happened */
    pc_status (*accumulation)(void *context, int place, double ratio, double end, pc_error *err);
    double (*speed)(void *context, int place); /* the greatest velocity that the contact has met by now */
    pc_status (*jam)(void *context, int place, pc_error *err); /* then it is struck from v_n = 0 */

    /* a contact lasts from here on, in that mode (0: it sticks, else the sign of slip), or it is over; rest: nothing
     * moves any more, at no place */
    pc_status (*change)(void *context, int place, pc_contact_change change, int mode, pc_error *err);
} pc_impact_log;

/* The first impact at an instant. once: no other had to do with its contact, whose normal velocity went from v0 to v1.
 */
typedef struct pc_first_impact {
    int place; /* -1: nothing has struck */
    pc_rule rule;
    double v0, v1;
    bool once;
} pc_first_impact;

typedef struct pc_impact_sequence {
    const pc_mechanics *mechanics;
    pc_block *block;
    const pc_impact_log *log;
    pc_rule rule;
    double t, rtol; /* for messages; what is known of velocities, as a share of those that contacts have met */
    double rest;    /* how long impacts go on, by those before, s; 0: it is not known */
    int order;      /* of the next impact at this instant */
    pc_first_impact first;
    int n, *place;
    size_t room; /* of the lists */
    pc_striking *contact;
    bool *still;           /* v_n counts as 0 */
    bool *kept;            /* closed until now: it does not approach before something has struck */
    double *struck;        /* v_n with which it was struck first; NaN: it was not */
    pc_joint_impact joint; /* of some of them, or of all */

    /* workspace */
    pc_touch *touch;
    int n_approaching, *which; /* those of them that do, or of these the chosen ones; their speeds */
    double *approach;
    bool *chosen;
    double *reaction[2], *load, *reach, *lack, *last; /* impulses at joints; a pc_fixed_point */
} pc_impact_sequence;

/* Room for n contacts, of one that begins as zeros. */
pc_status pc_impact_sequence_reserve(pc_impact_sequence *sequence, int n, pc_error *err);
void pc_impact_sequence_close(pc_impact_sequence *sequence);

pc_status pc_impact_sequence_strike(pc_impact_sequence *sequence, pc_error *err);

/* An impact has happened: the log lets it act. What rubs by a reaction does so with the impulse of that, once the laws
 * of what struck have acted: told as one more impact, which contacts may answer by yet another one. */
pc_status pc_impact_sequence_tell_single(pc_impact_sequence *sequence, const pc_single_impact *single, pc_error *err);
pc_status pc_impact_sequence_tell_joint(pc_impact_sequence *sequence, pc_rule rule, pc_error *err);

/* Whether the slip of a place that rubs by a reaction can be stopped by an impulse that friction bears, since the
 * impulse of the reaction to it is greater than what bounds it: friction jams there by itself. What else rubs does so
 * meanwhile. Then it may happen, and is told. */
pc_status pc_impact_sequence_stop(pc_impact_sequence *sequence, int place, bool *stops, pc_error *err);
pc_status pc_impact_sequence_tell_stop(pc_impact_sequence *sequence, pc_error *err);

/* What rubs with the impulses of what struck last, of velocities u alone, in the configuration after that: nothing is
 * told. */
pc_status pc_impact_sequence_rub(pc_impact_sequence *sequence, double *u, pc_error *err);

#endif
