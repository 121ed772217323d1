/* One impact of an elastic body of revolution on a rigid plane with friction.
 *
 * Small displacements; leapfrog at a tenth below the stability limit, contact and friction decided at every step.
 * Pressure and tangential traction are axisymmetric, the traction is along x; what this leaves out (Maw's assumptions)
 * is the displacement across, and the radial one by pressure but where `radial_friction` asks for it.
 */
#ifndef PC_ELASTIC_IMPACT_H
#define PC_ELASTIC_IMPACT_H

#include "elastic/model.h"

/* Velocities of the mass centre along the plane and towards it (> 0), and the rate of rotation that carries the contact
 * point along with positive velocities. */
typedef struct pc_elastic_motion {
    double vt, approach, omega;
    double friction;
    bool radial_friction;
} pc_elastic_motion;

/* Means over a sample, but for what belongs to its last step: radii, forces by ring, energies. */
typedef struct pc_elastic_sample {
    double t;                            /* s: middle of the sample */
    double normal, tangential;           /* N */
    double contact_radius, stick_radius; /* m */
    double v_n, v_t;                     /* of the contact point as the rigid part of the motion carries it, m/s */
    double error;                        /* of the balance of energy, J */
} pc_elastic_sample;

typedef enum pc_elastic_slip { PC_ELASTIC_STICK, PC_ELASTIC_SLIP } pc_elastic_slip;
typedef struct pc_elastic_phase {
    int sign; /* every ring slips along or against x; 0: some stick */
    double start, stop;
} pc_elastic_phase;

typedef struct pc_elastic_result {
    double step;
    int steps;
    double cell_steps; /* nodes times steps */
    double duration;   /* s: from touch until the last contact is over */
    int contacts;      /* 1: it did not touch again */
    double impulse[2]; /* tangential, normal; N s */
    double impulse_compression[2];
    double compression_time;
    double v_n, v_t, omega;                 /* of the rigid part afterwards; v_t of the mass centre */
    double approach_depth;                  /* greatest way of the mass centre, m */
    double peak[2], peak_time[2];           /* tangential, normal */
    double energy_before, energy_after;     /* of rigid motion, J */
    double vibration[PC_ELASTIC_HARMONICS]; /* J */
    double friction_work;                   /* <= 0 */
    double energy_error;                    /* greatest, J */
    double momentum_error;                  /* between the body's momentum and the impulses, N s: of both directions */
    double greatest_slip;                   /* m: way of the rigid contact point along the plane while in contact */
    int greatest_contact;                   /* rings */
    pc_elastic_phase *phases;
    int n_phases;
    size_t phase_room;
    pc_elastic_sample *samples;
    double *rings; /* by sample: normal, then tangential force of each ring */
    int n_samples;
    size_t sample_room, ring_room;
} pc_elastic_result;

/* Displacements at a time asked for, called at the step next to it: u of each harmonic, and contact forces. */
typedef struct pc_elastic_watch {
    const double *times; /* ascending */
    int n;
    pc_status (*see)(void *context, int which, double t, const pc_elastic_field u[PC_ELASTIC_HARMONICS],
                     const double *const contact[PC_ELASTIC_HARMONICS], pc_error *err);
    /* now and then: the share of a contact time that has passed; NULL: nobody asks. Returns whether to go on. */
    bool (*progress)(void *context, double share);
    void *context;
} pc_elastic_watch;

/* time_scale: an estimate of the contact's duration, s, of which a sample is a four-hundredth. quiet: s without contact
 * after which the impact is over, at least three tenths of the contact. */
pc_status pc_elastic_strike(const pc_elastic_model *model, const pc_elastic_motion *motion, double time_scale,
                            double quiet, const pc_elastic_watch *watch, pc_elastic_result *out, pc_error *err);

void pc_elastic_result_free(pc_elastic_result *result);

#endif
