/* A system of the user's own in a scene: its coordinates, and functions that tell its mass, its forces and its gaps.
 *
 * With the coordinates q and their velocities u the motion follows from Lagrange's equations,
 *
 *     d(M u)/dt - d(u.M u/2)/dq = Q - dV/dq + sum over closed gaps of n N + t F,
 *
 * of the mass M(q), the forces Q(t, q, u), the potential energy V(q), and for each gap g(t, q) its row n = dg/dq and
 * the row t of its slip, whose velocity is t.u + drift. A positive normal force N opens the gap, and F is positive
 * along the slip.
 *
 * What is not given is found by central differences with six points: of first order, whose error is h^6/140 of the
 * seventh derivative and some 1e-14 of the function by rounding, and of second order along the motion, for the
 * accelerations of gaps, h^6/560 and some 1e-12. Steps are shares of the scale of each coordinate, the least change
 * that matters to the functions, which is given or found at the start (pc_mechanism_prepare).
 */
#ifndef PC_SCENE_MECHANISM_H
#define PC_SCENE_MECHANISM_H

#include "law/law.h"

#include <stdbool.h>

enum { PC_MECHANISM_NAME = 24, PC_MECHANISM_UNIT = 24 };

typedef struct pc_mechanism_coordinate {
    char name[PC_MECHANISM_NAME], rate_name[PC_MECHANISM_NAME + 8];
    char unit[PC_MECHANISM_UNIT], rate_unit[PC_MECHANISM_UNIT];
    bool angle;
    double scale; /* 0: not known yet */
} pc_mechanism_coordinate;

typedef struct pc_mechanism_gap {
    char name[PC_MECHANISM_NAME];
    const pc_law *law; /* NULL: that of the scene */
    const void *params;
    double length;                      /* size of the terms in the gap, for its rounding; 0: not known yet */
    bool moves;                         /* the gap itself depends on time */
    bool has_normal, has_tangent;       /* a function or a constant row tells it; else differences, or no friction */
    bool normal_drifts, tangent_drifts; /* these rows end with what time alone does */
    const double *normal, *tangent;     /* constant rows, of n + 1 numbers; NULL */
} pc_mechanism_gap;

/* What the user's functions return; < 0: stop. Rows have n + 1 numbers, the last of which is zero where it is not told.
 */
typedef struct pc_mechanism_functions {
    int (*mass)(void *context, const double *q, double *mass);
    int (*force)(void *context, double t, const double *q, const double *u, double *force);
    int (*potential)(void *context, const double *q, double *energy);
    int (*gap)(void *context, int gap, double t, const double *q, double *value);
    int (*normal)(void *context, int gap, double t, const double *q, double *row);
    int (*tangent)(void *context, int gap, double t, const double *q, double *row);
    void (*refuse)(void *context, const char *text); /* what a function returned cannot be used */
} pc_mechanism_functions;

typedef struct pc_mechanism {
    char name[PC_MECHANISM_NAME]; /* empty: none was given */
    int n, n_gaps;
    pc_mechanism_coordinate *coordinates;
    pc_mechanism_gap *gaps;
    const double *mass; /* constant; NULL: a function tells it */
    bool *turns;        /* of the mass, then of each gap: whether it depends on each coordinate */
    bool trying;        /* a function may be asked where it has no value: NaN, which is no error then */
    bool has_force, has_potential;
    bool timed_force;  /* it reads the time */
    bool whole_force;  /* the force has in it what the change of the mass does */
    double time_scale; /* of gaps that move, s; 0: not known yet */
    double error;      /* of differences at the start, as a share of what they give */
    const pc_mechanism_functions *call;
    void *context;
} pc_mechanism;

/* Whether contacts may be with what moves by itself. */
bool pc_mechanism_is_driven(const pc_mechanism *m);

/* Find what was not given, in the state where the motion starts, and check what was: scales, on what the functions
 * depend, lengths of gaps, rows against differences. PC_E_ARGUMENT: what is wrong; PC_E_CALLBACK: a function stopped.
 */
pc_status pc_mechanism_prepare(pc_mechanism *m, const double *q, const double *u, pc_error *err);

/* A mechanism in one state, whose numbers are the caller's. What was asked is kept until the next one. A function that
 * stops makes what it should tell zero, and the next state that is placed stop. */
typedef struct pc_mechanism_frame {
    const pc_mechanism *m;
    double t;
    const double *q, *u;
    double *mass, *factor; /* n x n; Cholesky's, of what the mass is scaled by its diagonal */
    double *load;          /* forces that are solved for */
    double *near, *row, *work;
    double *gap, *normal, *tangent, *bend; /* of each gap: 1, n + 1, n + 1, 2 */
    unsigned char *known;
    bool factored, failed;
} pc_mechanism_frame;

pc_status pc_mechanism_frame_open(pc_mechanism_frame *f, const pc_mechanism *m, pc_error *err);
void pc_mechanism_frame_close(pc_mechanism_frame *f);

/* A state; the same with other velocities (false: it has to be placed, since a function stopped); what solving needs in
 * it. < 0: stop. */
int pc_mechanism_place(pc_mechanism_frame *f, double t, const double *q, const double *u);
bool pc_mechanism_move(pc_mechanism_frame *f, const double *q, const double *u);
int pc_mechanism_factor(pc_mechanism_frame *f);

/* The gap, with < 0 where its function stopped. */
int pc_mechanism_gap_at(pc_mechanism_frame *f, int gap, double *value);

double pc_mechanism_kinetic(pc_mechanism_frame *f);
double pc_mechanism_potential(pc_mechanism_frame *f);

/* (t, n) of a contact: what rates x of the coordinates are in it, its velocity, its acceleration with those of the
 * coordinates, the velocity of what moves by itself, and the size of the terms in its velocity. */
void pc_mechanism_change(pc_mechanism_frame *f, int gap, const double *x, double v[2]);
void pc_mechanism_velocity(pc_mechanism_frame *f, int gap, double v[2]);
void pc_mechanism_acceleration(pc_mechanism_frame *f, int gap, const double *a, double v[2]);
void pc_mechanism_drift(pc_mechanism_frame *f, int gap, double v[2]);
double pc_mechanism_speed(pc_mechanism_frame *f, int gap);

/* Forces: none; all that act but contacts; those of a contact; and what all of them do. */
void pc_mechanism_unload(pc_mechanism_frame *f);
int pc_mechanism_load(pc_mechanism_frame *f);
void pc_mechanism_push(pc_mechanism_frame *f, int gap, const double force[2]);
void pc_mechanism_solve(const pc_mechanism_frame *f, double *a);

/* Power of the forces, but for those of the potential, W. */
int pc_mechanism_power(pc_mechanism_frame *f, double *power);

#endif
