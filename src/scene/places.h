/* What is remembered of the places of a scene, its pairs, and where contacts go on when they come to the end of a part
 * of an outline.
 */
#ifndef PC_SCENE_PLACES_H
#define PC_SCENE_PLACES_H

#include "body/chain.h"
#include "engine/compliant.h"
#include "engine/resolver.h"
#include "event/event.h"
#include "ode/ode.h"
#include "scene/configuration.h"
#include "scene/planar.h"
#include "scene/scene.h"

/* What pc_provider_parts say of compliant contacts; the configuration may be that of one pair alone. */
bool pc_compliant_hand_over(const pc_contact_state *s, int which);
bool pc_compliant_is_off(const pc_contact_state *s, int which);
bool pc_compliant_may_begin(const pc_contact_state *s, int pair);
bool pc_compliant_hold_side(const pc_contact_state *s, int pair);
void pc_compliant_leave(const pc_contact_state *s, int pair);

/* True if an open pair holds to the side in which it has left an indentation. */
bool pc_compliant_keeps_side(const pc_scene *scene, const pc_pair_memory *memory, int pair);

/* ---- pairs near contact ---- */

/* What has to close of an open pair: its gap, of a compliant contact that has left an indentation from there, of a thin
 * pair the height before its face. memory: of all pairs. */
double pc_pair_gap(const pc_configuration *c, const pc_places *places, const pc_pair_memory *memory, int pair);

/* A thin core has two faces: the site is before the one on whose side it is seen, and where it is too near to tell,
 * before the one it was. True if that has changed. */
bool pc_pair_update_face(const pc_configuration *c, const pc_places *places, int pair);

/* An open pair that touches and neither moves nor accelerates: contacts that carry the load keep it there, up to the
 * errors of the integrator between corrections. So it closes only below those. Accelerations are in `a`. */
bool pc_pair_rides_along(const pc_contact_state *s, int pair);

/* The greatest velocity that a pair has met, at least that of a fall over its lengths. Normal velocities within the
 * resolution of zero are zero: rounding of that. */
double pc_pair_speed_scale(const pc_scene *scene, const pc_pair_memory *memory, int pair);
double pc_pair_resolution(const pc_scene *scene, const pc_pair_memory *memory, int pair);

/* Note how fast a pair may be moving, for that. */
void pc_pair_record_speed(const pc_configuration *c, pc_pair_memory *memory, int pair);

/* How long gaps stay open, without a configuration being made at every look. */

/* The gap of a site that does not turn, before a plane at rest, is linear in the coordinates: see pc_event.linear, to
 * which it is added (NULL: to none). False for what else there is. */
bool pc_clearance_linear(const pc_scene *scene, int pair, double *c);

/* The gap of a site before a plane that is fixed or swings, from coordinates and the time alone, which is quicker than
 * to place its member. False for what else there is. */
bool pc_clearance_gap(const pc_scene *scene, int pair, double time, const double *q, double *gap);

/* The gap of free bodies as a function of the time from `time` on, for constant accelerations a: of any site before a
 * plane that rests or swings or in a bowl, and of discs that meet each other or a peg. False for what else there is. */
bool pc_clearance_closed_form(const pc_scene *scene, int pair, double time, const double *y, const double *a,
                              pc_closed_form *f);

/* The fraction of a step up to which a gap cannot close, or has opened where it was zero: `gap`, at the beginning,
 * infinite if it is known not to be. 1: in the whole step, and for any other result with `parts` alone. *falls, unless
 * NULL: it is known to close all the way from there to the end of the step. It knows of planes that are fixed or swing,
 * and is 0 for what else there is. */
double pc_clearance_until(const pc_scene *scene, int pair, double gap, bool parts, bool *falls, const pc_dense *dense);

/* True if a gap cannot close in a step, by how far the outlines can have moved; the configuration is that where it
 * begins. */
bool pc_clearance_lasts(const pc_configuration *c, const pc_places *places, int pair, const pc_dense *dense);

/* Scenes in which nothing touches, or one chain straight lines alone: their accelerations, faster than by a system,
 * where all chains are short. */

enum { PC_FLIGHT_LINES = 2 }; /* contacts with lines at once */

/* chains: of the members that are chains, by member. */
typedef struct pc_flight {
    const pc_scene *scene;
    bool direct;    /* it serves this scene */
    bool alone;     /* which is one chain */
    bool parabolic; /* or of free bodies, whose accelerations are constant */
    pc_direct *chains;
    pc_direct_contact line[PC_FLIGHT_LINES]; /* contacts that were served last */
} pc_flight;

pc_status pc_flight_open(pc_flight *flight, const pc_scene *scene, pc_error *err);
void pc_flight_close(pc_flight *flight);

/* Accelerations in the state y at t; < 0: stop. Only where `direct` is true. */
int pc_flight_accelerate(const pc_flight *flight, double t, const double *y, double *a);

/* Contacts of the only chain as a shortcut of engine/phase.h; self is the flight, which remembers them. They are served
 * where the pivot is at rest and joints have no torques, if each is a circle of the chain before an endless line at
 * rest. */
bool pc_flight_serves(void *flight, const pc_compliant *compliant);
void pc_flight_accelerate_under(void *flight, pc_compliant *compliant, const double *y, double *a);

#endif
