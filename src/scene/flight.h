/* Scenes in which nothing touches, or one chain straight lines alone: their accelerations, faster than by a system,
 * where all chains are short. */
#ifndef PC_SCENE_FLIGHT_H
#define PC_SCENE_FLIGHT_H

#include "body/direct.h"
#include "scene/scene.h"

/* chains: of the members that are chains, by member. */
typedef struct pc_flight {
    const pc_scene *scene;
    bool direct; /* it serves this scene */
    bool alone;  /* which is one chain */
    pc_direct *chains;
} pc_flight;

pc_status pc_flight_open(pc_flight *flight, const pc_scene *scene, pc_error *err);
void pc_flight_close(pc_flight *flight);

/* Accelerations in the state y at t; < 0: stop. Only where `direct` is true. */
int pc_flight_accelerate(const pc_flight *flight, double t, const double *y, double *a);

/* The contact of a pair as the only chain knows it (body/direct.h). False where there is another member, the pivot
 * moves or joints have torques, or unless the pair is a circle of the chain before an endless line at rest. */
bool pc_flight_contact(const pc_flight *flight, int pair, pc_direct_contact *out);

#endif
