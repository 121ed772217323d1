/* Compliant contacts begin, change and end, at one instant of a state.
 *
 * Like a resolver (resolver.h), changes have the mechanics and the state by pointers, and tell whoever has them what
 * happens. Contacts are named by their place in the list of those that are closed. Where a function does not say
 * otherwise it makes the configuration of (t, y) itself, and leaves forces and rates there in `now` of each contact.
 */
#ifndef PC_ENGINE_CONTACT_CHANGES_H
#define PC_ENGINE_CONTACT_CHANGES_H

#include "engine/resolver.h"

/* Who is told. Values of the contact are in `now` where it begins, changes and ends. */
typedef struct pc_contact_log {
    void *context;

    /* a contact begins at a place: which impact it is, for which there is room after this. Then, when it is in the list
     * with its forces: what it began with */
    pc_status (*open)(void *context, int place, size_t *impact, pc_error *err);
    pc_status (*begin)(void *context, int which, const double W[4], const double v[2], pc_error *err);

    /* it sticks or slips from here on as it now does */
    pc_status (*change)(void *context, int which, pc_contact_change change, pc_error *err);

    /* it ends after a time `more`, and is still in the list; work: as pc_compliant_works gives it */
    pc_status (*end)(void *context, int which, double more, const double work[3], pc_error *err);

    /* its springs were released: reactions: impulses that joints passed on meanwhile. Then, when it is no longer in the
     * list: it ends after `duration`, during which velocities have the rates a and those of the contact b */
    void (*release)(void *context, size_t impact, const pc_spring_release *release, const double *reactions);
    void (*released)(void *context, size_t impact, double duration, const double *a, const double b[2]);

    /* n_reactions forces that joints passed on when accelerations were asked for last; of `release`, the same of
     * impulses */
    int n_reactions;
    void (*reactions)(void *context, double *out);
} pc_contact_log;

typedef struct pc_contact_changes {
    pc_contact_state *at;
    pc_contact_log log;
    bool permanent; /* what a plastic contact leaves of its indentation never recovers */

    /* of the state, J: what friction took, and what the elements of contacts that are over did, less what was stored
     * when they began */
    double *friction, *elements;
} pc_contact_changes;

/* The configuration, and in it forces and all rates. */
pc_status pc_changes_evaluate(pc_contact_changes *changes, pc_error *err);

/* Close a place, unless it only touches and separates, or nothing gives it a scale. There is room for one contact more,
 * beside those that last, and for its rows in y. */
pc_status pc_changes_close(pc_contact_changes *changes, int place, pc_error *err);

/* What a guard (law/contact.h) that has fallen brings; what the contact is then may be over. */
pc_status pc_changes_guard(pc_contact_changes *changes, int which, int guard, pc_error *err);

/* Velocities have jumped, forces not: what slid may now slide the other way, what was held lets go, and a plastic
 * contact that was loaded is unloaded. *changed (NULL: nobody asks): the friction of some has another sense now. */
pc_status pc_changes_jump(pc_contact_changes *changes, bool *changed, pc_error *err);

/* Whether a held point has been set moving, at v_t, by a corner that passed another one. Let one slip: that way, or as
 * it moves if it does. */
bool pc_compliant_has_jumped(const pc_compliant_contact *contact, double v_t);
pc_status pc_changes_let_slip(pc_contact_changes *changes, int which, int sign, double v_t, pc_error *err);

/* The state is that at the end of a step or of a part of it: contacts with a history go on from there. *changed: one of
 * them has another mode now; else it is left as it is. */
pc_status pc_changes_carry_histories(pc_contact_changes *changes, bool *changed, pc_error *err);

#endif
