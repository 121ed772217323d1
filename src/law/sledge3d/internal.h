/* Inside the sledge in space: its state and its moment. See sledge3d/run.c for the equations. */
#ifndef PC_LAW_SLEDGE3D_INTERNAL_H
#define PC_LAW_SLEDGE3D_INTERNAL_H

#include "law/recorder.h"
#include "law/sledge3d/sledge3d.h"

/* The state; X is the stretch along t and t2 in stick; in slip X[0] is the angle theta. */
enum { TIME, U, X, P = X + 2, WORK_N = P + 3, WORK_F, N };

typedef enum mode { STICK, SLIP, SMOOTH } mode;

typedef struct moment {
    double v[3], w, F[3], dFn;
    double s[2];      /* slip velocity */
    double sigma;     /* slip speed */
    double across;    /* v_T.that */
    double turned[2]; /* nhat */
} moment;

typedef struct sledge {
    double W[3][3], v0[3]; /* scaled */
    double kappa, mu, E2;
    int rank;
    mode mode;
    double begin[2]; /* slip: nhat where the phase began */
    double k, rest;  /* of the normal spring as it stands */
    double memory;   /* greatest indentation; infinite while loading for the first time */
    double y[N];
    double speed, length, time, force, impulse, work; /* SI values of the scaled units */
    pc_recorder record;
    pc_impact *out;
    pc_error *err;
} sledge;

/* Velocities, forces and slip at a state in the mode at hand. */
void pc_sledge3d_evaluate(const sledge *s, const double *y, moment *m);

/* sledge3d/note.c: what goes into the result. */
pc_state pc_sledge3d_state(const sledge *s, const double *y);
void pc_sledge3d_note_peaks(sledge *s, const double *y);
pc_status pc_sledge3d_open_phase(sledge *s);
void pc_sledge3d_close_phase(sledge *s);
void pc_sledge3d_trace_now(sledge *s);
void pc_sledge3d_stay(sledge *s, const pc_mobility *W);
void pc_sledge3d_finish(sledge *s);

#endif
