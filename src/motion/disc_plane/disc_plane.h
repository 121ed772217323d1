/* A thin disc in space on a plane: it falls, bounces, slides, spins, rolls and settles. See disc_plane.c. */
#ifndef PC_MOTION_DISC_PLANE_DISC_PLANE_H
#define PC_MOTION_DISC_PLANE_DISC_PLANE_H

#include "base/row.h"
#include "base/status.h"

#include <stddef.h>

/* The disc, the plane and the motion at the start; SI. */
typedef struct pc_disc_plane {
    int model; /* PC_FLAT_RIM or PC_FLAT_AREA */
    double radius, mass, inertia, polar;
    double stiffness, eta, friction, damping, gravity;
    double height, tilt, tilt_rate, precession, spin;
    double velocity[3]; /* of the centre; the third is upwards */
    double duration;
    int rows, max_steps;
} pc_disc_plane;

extern const pc_schema pc_disc_plane_schema;

typedef enum pc_disc_mode {
    PC_DISC_FLIGHT, /* no contact */
    PC_DISC_SMOOTH, /* contact without friction */
    PC_DISC_STICK,  /* the sledge rests: rolling, or rest */
    PC_DISC_SLIP,
    PC_N_DISC_MODES
} pc_disc_mode;
extern const char *const pc_disc_mode_words[];

/* What is told of an instant; SI. Lost energies count from the start. */
typedef struct pc_disc_row {
#define PC_DISC_COLUMN(id, unit, doc) double id;
#include "motion/disc_plane/columns.def"
#undef PC_DISC_COLUMN
} pc_disc_row;
enum { PC_N_DISC_COLUMNS = sizeof(pc_disc_row) / sizeof(double) };

typedef struct pc_disc_phase {
    pc_disc_mode mode;
    double start, stop; /* s */
} pc_disc_phase;

typedef struct pc_disc_run {
    pc_disc_row *rows; /* task->rows of them, equally spaced from 0 to the duration, as far as it got */
    int n_rows;
    double stop; /* to where it got, s */
    pc_disc_phase *phases;
    size_t n_phases, room;
    struct pc_disc_mark *marks; /* states now and then, from which those between follow */
    size_t n_marks, mark_room;
    double drift; /* greatest |change of the ledger| over the rows, J: what integration has done to the energy */
    long steps;   /* accepted and rejected */
} pc_disc_run;

/* On failure the run holds what there was until then, and is to be freed as well. PC_E_LIMIT: after max_steps. */
pc_status pc_disc_plane_run(const pc_disc_plane *task, pc_disc_run *run, pc_error *err);
void pc_disc_run_free(pc_disc_run *run);

/* The motion at any time of a run, 0 <= t <= run->stop, s; where the contact changes, after it. It is followed again
 * from the mark before. */
pc_status pc_disc_run_at(const pc_disc_plane *task, const pc_disc_run *run, double t, pc_disc_row *row, pc_error *err);

#endif
