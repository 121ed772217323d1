/* A recorded motion at one instant, with everything that follows from the state. */
#ifndef PC_MOTION_LOOK_H
#define PC_MOTION_LOOK_H

#include "motion/run.h"

/* y: (q, u); a: accelerations. Forces of closed pairs are in `contacts`, those of compliant contacts in `compliant`,
 * reactions within chains in `forces`, of each node, and those of joints in `joints`. work: see pc_work, since the
 * start; lost: in rigid impacts; stored: in the springs of compliant contacts; dissipated: by their laws, J. */
typedef struct pc_look {
    double *y, *a; /* the run's workspace, like what follows: until the next look */
    const pc_configuration *at;
    const pc_places *places; /* what pairs hold to there */
    const pc_chain_force *forces;
    const pc_joints *joints;
    pc_contacts *contacts;
    pc_compliant *compliant;
    double kinetic, potential, stored;
    double work[PC_WORKS], lost, dissipated;
} pc_look;

/* side < 0: before what happened at t. PC_E_ARGUMENT if t lies outside the motion or it was not recorded. */
pc_status pc_run_look(pc_run *run, double t, int side, pc_look *look, pc_error *err);

/* The same of any state (2 n_dof), as far as it follows from that alone: places and energies, no forces and no works.
 * */
pc_status pc_run_look_state(pc_run *run, double t, const double *y, pc_look *look, pc_error *err);

/* What the drive of an obstacle has given from one time to another, within the recorded motion, at contacts that last
 * and at impacts, J; of these, those at `from` are before it. */
pc_status pc_run_drive_work(pc_run *run, int drive, double from, double to, double *work, pc_error *err);

/* ---- columns ---- */

/* The columns of a run: everything that is known of a recorded motion at one instant, by name and unit.
 *
 * angle1, rate1, x1, y1 (lower joints or ends), Rx1, Ry1 (force on link 1 at its upper joint) of chains, and of one
 * that floats x0, y0, vx0, vy0 of its upper end; x, y, angle, vx, vy, rate of free bodies; coordinates of mechanisms by
 * their names and phi_rate of one that is called phi; after its name, x to rate of an obstacle that is driven
 * (displacements from where it was described); gap, F_t, F_n of contacts, numbered when there are several; pin.Rx,
 * pin.Ry, pin.M of joints; energies. Those of members begin with their names when there are several, or a name was
 * given. */

/* Where a value comes from. */
typedef enum pc_column_source {
    PC_COLUMN_ANGLE,
    PC_COLUMN_RATE,
    PC_COLUMN_JOINT_X,
    PC_COLUMN_JOINT_Y,
    PC_COLUMN_REACTION_X,
    PC_COLUMN_REACTION_Y,
    PC_COLUMN_BODY_Q,
    PC_COLUMN_BODY_U,
    PC_COLUMN_DRIVE_PLACE,
    PC_COLUMN_DRIVE_RATE,
    PC_COLUMN_GAP,
    PC_COLUMN_FORCE_T,
    PC_COLUMN_FORCE_N,
    PC_COLUMN_JOINT_FORCE, /* member: which joint; k: x, y, moment */
    PC_COLUMN_ENERGY,
} pc_column_source;

typedef struct pc_run_column {
    pc_column_source from;
    int member, k; /* member: or drive; k: link, coordinate, pair or kind of energy */
    const char *unit;
    char name[2 * PC_NAME];
} pc_run_column;

/* The columns of a scene: how many there are; the first `room` of them are written. */
int pc_run_columns(const pc_scene *scene, pc_run_column *columns, int room);

double pc_run_column_value(const pc_look *look, const pc_run_column *column);

/* True if the value follows from time and state alone, whatever was recorded. */
static inline bool pc_run_column_is_of_state(const pc_run_column *column)
{
    bool force = column->from == PC_COLUMN_REACTION_X || column->from == PC_COLUMN_REACTION_Y ||
                 column->from == PC_COLUMN_FORCE_T || column->from == PC_COLUMN_FORCE_N ||
                 column->from == PC_COLUMN_JOINT_FORCE;
    return !force && (column->from != PC_COLUMN_ENERGY || column->k <= 2);
}

#endif
