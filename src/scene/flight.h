/* Scenes in which nothing touches, or one chain straight lines alone: their accelerations, faster than by a system,
 * where all chains are short. */
#ifndef PC_SCENE_FLIGHT_H
#define PC_SCENE_FLIGHT_H

#include "body/direct.h"
#include "engine/compliant.h"
#include "scene/scene.h"

enum { PC_FLIGHT_LINES = 2 }; /* contacts with lines at once */

/* chains: of the members that are chains, by member. */
typedef struct pc_flight {
    const pc_scene *scene;
    bool direct; /* it serves this scene */
    bool alone;  /* which is one chain */
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
