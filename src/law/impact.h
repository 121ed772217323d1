/* The result of one impact: the same record for every law.
 *
 * Components are indexed t, n, t2 (PC_T, PC_N, PC_T2): a planar law uses the first two and leaves the third 0.
 * u: stretch of the tangential element (u_t) and indentation (u_n >= 0, but in a neck), m. v: velocity of the contact
 * point, m/s, v_n < 0 approaches. F: force of the obstacle on the body, N, F_n >= 0. s: slip velocity of the contact
 * particle, m/s. Works are those of the contact on the body, J; work of friction is <= 0.
 */
#ifndef PC_LAW_IMPACT_H
#define PC_LAW_IMPACT_H

#include "base/status.h"
#include "math/mobility.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum pc_outcome {
    PC_OUTCOME_REBOUND, /* the contact ends */
    PC_OUTCOME_WEDGED,  /* the contact never ends: the body stays, vibrating or at rest */
    PC_OUTCOME_NONE,    /* the bodies do not approach: nothing happens */
    PC_OUTCOME_ADHERED, /* the contact never ends: the obstacle holds the body by pulling at it */
} pc_outcome;

typedef enum pc_phase_kind { PC_PHASE_STICK, PC_PHASE_SLIP } pc_phase_kind;

typedef struct pc_state {
    double t; /* s; in impulse-space laws the normal impulse stands in `p` and t stays 0 */
    double u[3], v[3], F[3], p[3];
    double s[2]; /* slip velocity along t and t2 */
    /* Accumulated works on the body, J: of the normal element, of the tangential element (what it has stored, with
     * reversed sign) and of friction. Together they are the change of kinetic energy; F_t v_t alone has done
     * work_t + work_f. */
    double work_n, work_t, work_f;
} pc_state;

/* States that are asked for, at times in ascending order, s; beyond the end it is the state there. */
typedef struct pc_asked {
    size_t n;
    const double *times;
    pc_state *states;
} pc_asked;

typedef struct pc_phase {
    pc_phase_kind kind;
    int sign; /* slip: sign of s along t; stick: 0 */
    pc_state start, stop;
} pc_phase;

enum { PC_PHASES_INSIDE = 6, PC_REVERSALS_INSIDE = 4 };

typedef struct pc_impact {
    pc_outcome outcome;
    double duration; /* s; infinite when wedged or adhered. The last phase of a wedged impact stops at t = infinity
                                with the state of its start: there the contact point is at rest, and from there it
                                vibrates; of an adhered one where the neck held it back, with v_n = 0 */
    double compression_time; /* s, first maximum of indentation */
    double v0[3], v1[3];     /* contact point before and after; wedged: after the motion has died out, 0 */
    double impulse[3];       /* N s; wedged or adhered: the one up to arrest, which brings the contact point to rest,
                                or v_n to 0 */
    double impulse_compression[3], impulse_restitution[3]; /* summed over v_n < 0 and v_n > 0 */
    double couple[3];              /* N m s about t, n, t2: what resisted rolling and twisting; 0 where nothing did */
    double rate0[3], rate1[3];     /* then the relative rates about them before and after, rad/s */
    double peak[2];                /* greatest F_n and |F_t|, N */
    double peak_time[2];           /* s */
    double work_n, work_t, work_f; /* as in pc_state; wedged: up to arrest */
    double work_n_compression, work_n_restitution; /* over v_n < 0 and v_n > 0 */
    double energy0, energy1;                       /* v.W^-1.v/2 at the contact, J */
    /* A wedged body that still vibrates: since when, and mean and amplitude of its forces. NaN otherwise. */
    double arrest_time, lock_frequency; /* s, rad/s */
    double lock_mean[2], lock_amplitude[2];
    unsigned flags; /* PC_FLAG_* */
    int n_phases, n_reversals;
    size_t capacity, reversal_capacity;
    pc_phase *phases;  /* `room`, or a heap block when there are more */
    double *reversals; /* times at which F_t changes its sign, s (0 in rigid laws); `reversal_room`, or a heap block */
    double reversal_room[PC_REVERSALS_INSIDE];
    pc_phase room[PC_PHASES_INSIDE];
} pc_impact;

enum {
    PC_FLAG_JAM = 1,               /* slip deepened the approach */
    PC_FLAG_REVERSE_SLIP = 2,      /* slip in both directions */
    PC_FLAG_E_ABOVE_ONE = 4,       /* energetic restitution > 1 */
    PC_FLAG_GAINED_ENERGY = 8,     /* total energy grew */
    PC_FLAG_GROSS_STICK = 16,      /* stick all the time */
    PC_FLAG_GROSS_SLIP = 32,       /* one slip phase and no other */
    PC_FLAG_RECOMPRESSION = 64,    /* v_n returned to 0 more than once */
    PC_FLAG_TANGENTIAL_GAIN = 256, /* the tangential element gave back more than it took: element.h says of which */
    PC_FLAG_ORDER_DEPENDENT = 128, /* of a run: others approached as fast and were struck after it, by their places */
};

void pc_impact_init(pc_impact *impact);

/* A further phase, uninitialised; NULL if memory is short. */
pc_phase *pc_impact_push(pc_impact *impact);

/* Note a sign change of F_t at time t; false if memory is short. */
bool pc_impact_push_reversal(pc_impact *impact, double t);

void pc_impact_free(pc_impact *impact);

/* "rebound", "wedged", "none", "adhered". */
const char *pc_outcome_word(pc_outcome outcome);

/* What kind of impact it was, in the words of Birlik's decision chart (2012, Fig 3.2): "gross stick", "gross slip",
 * "stick-slip", "slip-stick-slip", "slip-stick", "many cycles", "wedged", "adhered", or "none"; rigid: "slip-slip" as
 * well. */
const char *pc_impact_regime(const pc_impact *impact);

/* The three coefficients of restitution. Kinematic e = -v_n+/v_n-, kinetic R = p_n(restitution)/p_n(compression),
 * energetic E = sqrt(W_n(restitution)/-W_n(compression)). NaN where undefined. When the
 * contact never ends, e is 0, since the contact point comes to rest, and R and E are undefined. */
typedef struct pc_restitution3 {
    double kinematic, kinetic, energetic;
} pc_restitution3;
pc_restitution3 pc_impact_restitution(const pc_impact *impact);

/* Energy lost, J, from the works: of a graze the difference of the energies would keep few digits. */
double pc_impact_loss(const pc_impact *impact);

#endif
