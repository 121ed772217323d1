/* Inside a run: what its files share. */
#ifndef PC_MOTION_RUN_INTERNAL_H
#define PC_MOTION_RUN_INTERNAL_H

#include "motion/run.h"

#include <float.h>

/* Pairs that touch at an instant, closed before or reached now. */
typedef struct pc_touching {
    int n;
    int pair[PC_CLOSED];
    bool rest[PC_CLOSED];  /* slip has just come to a stop: v_t is 0, whatever rounding says */
    bool still[PC_CLOSED]; /* v_n counts as 0: impacts have accumulated */
    int slip[PC_CLOSED];   /* sign of a slip that begins now, else 0 */
    bool kept[PC_CLOSED];  /* closed until now, and nothing has changed velocities since: it neither approaches nor
                              separates, and slips as `rest` and `slip` say, whatever rounding says */
} pc_touching;

pc_status pc_touching_add(pc_touching *touching, int pair, bool rest, bool still, pc_error *err);

/* Sort what touches by where it does, in the placed system, from left to right and then upwards, and by the normals
 * there: the order of lists of bodies and obstacles then reaches neither arithmetic nor choices. */
void pc_touching_sort(pc_touching *touching, const pc_run *run);

/* Rounding of a gap, as a share of the lengths in it. */
#define PC_TOUCHING (64 * DBL_EPSILON)

/* proximity.c: what has to close of an open pair in the placed system: its gap, of a compliant contact that has left an
 * indentation from there, of a thin pair the height before its face. */
double pc_run_gap(const pc_run *run, int pair);

/* A thin core has two faces: the site is before the one on whose side it is seen, and where it is too near to tell,
 * before the one it was. True if that has changed. */
bool pc_run_update_face(pc_run *run, int pair);

/* An open pair that touches and neither moves nor accelerates, for the accelerations run->scratch.a: contacts that
 * carry the load keep it there, up to the errors of the integrator between corrections. So it closes only below
 * those. */
bool pc_run_rides_along(const pc_run *run, int pair);

/* What touches without having been closed (a row of balls at rest) takes part in an impact; `gone` do not. */
pc_status pc_run_add_touching(pc_run *run, const pc_touching *gone, pc_touching *touching, pc_error *err);

/* clearance.c: the gap of a site before a fixed plane, from coordinates alone, which is quicker than to place its
 * member. False for what else there is. */
bool pc_run_height(const pc_run *run, int pair, const double *q, double *height);

/* The fraction of a step up to which a gap cannot close, or has opened where it was zero: `gap`, at the beginning,
 * infinite if it is known not to be. 1: in the whole step, and for any other result with `parts` alone. *falls, unless
 * NULL: it is known to close all the way from there to the end of the step. It knows of fixed planes, and is 0 for what
 * else there is. */
double pc_run_clear_until(const pc_run *run, int pair, double gap, bool parts, bool *falls, const pc_dense *dense);

/* True if a gap cannot close in a step, by how far the outlines can have moved; the system is placed where it
 * begins. */
bool pc_run_stays_open(const pc_run *run, int pair, const pc_dense *dense);

/* Parts of the outlines that the pairs hold to now, in the run's system. */
void pc_run_restore_features(pc_run *run);

/* None held: every pair is at what is nearest. */
void pc_run_release_features(pc_run *run);

/* resolver.c: everything that happens at the run's t and y to the pairs that touch: impacts until none approaches, then
 * how the others go on. jam: a pair whose slip presses it, struck from v_n = 0; or -1. Where nothing comes of it the
 * run is unsettled, with its contacts as they were. */
pc_status pc_run_resolve(pc_run *run, pc_touching *touching, int jam, pc_error *err);

/* impact.c: one impact of one pair by its law. tied: others approach as fast, and the order is that of the places. */
pc_status pc_run_single_impact(pc_run *run, int pair, int order, bool from_rest, bool tied, bool *nothing,
                               pc_error *err);

/* joint_impact.c: several pairs as one problem. By the joint rules of their laws, under the rule that decided so; by
 * the forces of compliant laws while the configuration is frozen; not *found: there are no such rules or impulses, or
 * no end of the contacts, and nothing has happened. Without restitution; or contacts of which some slip and for which
 * no forces were found, from v_n = 0. order: counts the impacts of this instant. *nothing: no impulse came of it, and
 * slips below `slow` are stopped by the load in no time; then only those contacts are left that bear it. */
pc_status pc_run_joint_impact(pc_run *run, int n, const int *pairs, pc_rule rule, int *order, bool *found,
                              pc_error *err);
pc_status pc_run_joint_compliant_impact(pc_run *run, int n, const int *pairs, int *order, bool *found, pc_error *err);
pc_status pc_run_unsolved(const pc_run *run, int n, pc_error *err);
pc_status pc_run_joint_plastic_impact(pc_run *run, int n, const int *pairs, int *order, pc_error *err);
pc_status pc_run_jam_impact(pc_run *run, pc_contacts *contacts, int *order, double *slow, bool *nothing, pc_error *err);

/* What a pair that approaches with a speed says about joint impacts; false: its law has none. */
bool pc_run_joint_rule(const pc_run *run, int pair, double approach, pc_joint_rule *rule);

/* The velocities after a time h of loads and of impulses with which the pairs answer them, without restitution. */
pc_status pc_run_impulse_step(pc_run *run, const pc_touching *touching, double h, pc_error *err);

/* impact_sequence.c: impacts until no pair approaches. order: of the next impact at this instant. */
pc_status pc_run_impact_sequence(pc_run *run, const pc_touching *touching, int *order, pc_error *err);

/* bounces.c: remember the impacts from `first` on, for what follows: whether a pair that separates may stay closed, if
 * the bounce is low; whether it is, with the speed v and the acceleration a that presses it; the event of it. */
void pc_run_record_bounces(pc_run *run, const pc_touching *touching, const pc_contacts *before, size_t first);
bool pc_run_may_stay(pc_run *run, int pair, double v);
bool pc_run_ends_bouncing(const pc_run *run, int pair, double v, double a);

/* bounces.c: an impact so gentle, beside what the pair has seen, that it can be one of the last of its bounces. Those
 * of several contacts may follow one another as closely while they are fast. */
bool pc_run_is_gentle(const pc_run *run, int pair, double v);
pc_status pc_run_log_accumulation(pc_run *run, int pair, double v, double a, pc_error *err);

/* What a law is asked about a pair that touches in the placed system: its W and the velocity of its contact point. */
pc_status pc_run_approach(pc_run *run, int pair, const pc_touch *touch, pc_mobility *W, double v[2], pc_error *err);

/* The greatest velocity that a pair has met, at least that of a fall over its lengths. */
double pc_run_speed_scale(const pc_run *run, int pair);

/* Normal velocities within this of zero are zero: rounding of that. */
double pc_run_resolution(const pc_run *run, int pair);

/* Note how fast a pair may be moving, for that. */
void pc_run_record_speed(pc_run *run, int pair);

/* record.c */
pc_status pc_run_log(pc_run *run, pc_event_record event, pc_error *err);
pc_status pc_run_record_arc(pc_run *run, const pc_dense *dense, double stop, bool keep, pc_error *err);
pc_status pc_run_record_modes(pc_run *run, pc_error *err);

/* The pairs of a recorded set of modes; these as contacts, in the run's system as well. */
const pc_closed_pair *pc_run_closed(const pc_run *run, size_t modes, int *n);
void pc_run_restore_modes(pc_run *run, size_t modes, pc_contacts *contacts);

/* ledger.c: works on the fraction from 0 to x of an arc, added to work; rubbed: NULL, or of the friction at each closed
 * contact. < 0: stop. */
int pc_run_add_work(pc_system *system, pc_block *block, pc_contacts *contacts, const pc_dense *dense, double x,
                    double *y, double *a, double work[4], double *rubbed);

/* Friction takes energy from what slips: stop where it has given more than the errors of an arc explain. `rubbed`: by
 * the closed contacts, whose system is placed on that arc; work: by a compliant one. A tangential element whose
 * stiffness changes under load may give some by its nature, which its record says. */
pc_status pc_run_check_friction(pc_run *run, const double *rubbed, pc_error *err);
pc_status pc_run_check_compliant(pc_run *run, int which, double work, pc_error *err);
bool pc_run_has_work(const pc_scene *scene, const pc_contacts *contacts);

/* Total energy of the placed system, without that in springs. */
double pc_run_energy(pc_system *system);

/* contact_changes.c: compliant contacts, at the run's t and y. Close a pair, unless it only touches and
 * separates; within a motion one begins without a force, however deep it is (a corner comes before a side while another
 * contact keeps the two outlines pressed): as if that were an indentation left behind. What a guard that has fallen
 * brings; every contact after velocities jumped; what the records of the closed ones can tell by now. */
pc_status pc_run_close_pair(pc_run *run, int pair, pc_error *err);
pc_status pc_run_close_late(pc_run *run, int pair, pc_error *err);
pc_status pc_run_change(pc_run *run, int which, int guard, pc_error *err);
pc_status pc_run_stick_again(pc_run *run, pc_error *err);
pc_status pc_run_update_impacts(pc_run *run, pc_error *err);

/* A held point that has been set moving, at v_t, by a corner that passed another one. Let it slip. */
bool pc_run_has_jumped(const pc_run *run, int which, double v_t);
pc_status pc_run_let_slip(pc_run *run, int which, double v_t, pc_error *err);

/* spring_release.c: a contact that parts at the run's t and y gives back at once what its springs still hold.
 * Velocities jump, and all rates are in `now`; duration: how long that takes. Its record, when it is no longer closed,
 * goes on to the end of that. */
pc_status pc_run_release_springs(pc_run *run, int which, double *duration, pc_error *err);
pc_status pc_run_end_spring_release(pc_run *run, size_t hit, double duration, pc_error *err);

/* handover.c: a closed compliant contact ends. True if that is at an edge beyond which it goes on elsewhere. Whether a
 * sharp corner is beyond the end of its side. Whether the pair, placed, may begin where its gap closes: not at an edge
 * at which a contact goes on, or has ended. Let a sharp corner hold to the side before which it is; false: there is
 * none. */
bool pc_run_handover(pc_run *run, int which);
bool pc_run_is_off(const pc_run *run, int which);
bool pc_run_may_begin(pc_run *run, int pair);
bool pc_run_keep_feature(pc_run *run, int pair);

/* True if an open pair holds to the side in which it has left an indentation. */
bool pc_run_keeps_feature(const pc_run *run, int pair);

/* The state is that at the end of a step or of a part of it: contacts with a history go on from there. */
pc_status pc_run_carry_histories(pc_run *run, pc_error *err);

/* Place the state now, with the forces of compliant contacts and all rates in `now`. */
pc_status pc_run_evaluate(pc_run *run, pc_error *err);

/* impact.c: room for one more impact; its states begin as q, u, u, 0. Let the impulses that were pushed act, and
 * complete its record; keep and tell it. */
pc_status pc_run_new_impact(pc_run *run, pc_impact_record **hit, double **states, pc_error *err);
pc_status pc_run_finish_impact(pc_run *run, double *states, pc_impact_record *hit, pc_error *err);
pc_status pc_run_keep_impact(pc_run *run, const pc_impact_record *hit, pc_error *err);

/* True if the pair is a compliant contact that is closed. */
bool pc_run_is_compliant(const pc_run *run, int pair);

/* instant.c: closed contacts drift within the tolerances of the method; put them back. */
pc_status pc_run_correct(pc_run *run, pc_error *err);

/* accumulation.c: after an instant whose first impact is `hit`, see whether impacts accumulate, and close what they
 * lead to. */
pc_status pc_run_accumulate(pc_run *run, const pc_impact_record *hit, pc_error *err);

/* When the bounces of a pair are over, if it is known better than by this guess. */
double pc_run_end_of_bounces(const pc_run *run, int pair, double guess);

/* How long impacts go on after one that happens now, whose like have shrunk to nothing; 0: it is not known. */
double pc_run_rest_of_impacts(const pc_run *run);

/* No impact so far counts as one of a sequence. */
void pc_run_forget_bounces(pc_run *run);

pc_status pc_run_stopped(const pc_run *run, pc_error *err);

#endif
