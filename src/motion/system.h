/* A scene in a state: where things are, what a force does to them, what they do by themselves.
 *
 * A system holds the workspace. After pc_system_place it knows the configuration at (t, y); everything else below is
 * asked of it then.
 */
#ifndef PC_MOTION_SYSTEM_H
#define PC_MOTION_SYSTEM_H

#include "ode/breaks.h"
#include "scene/scene.h"

/* A pair in a configuration. */
typedef struct pc_touch {
    double gap;
    double n[2];     /* t = (n_y, -n_x) */
    double distance; /* of the site's centre from a corner; infinite before a side */
    double center[2]
                 [2]; /* of the site, and what of the outline's body is taken with it: the corner, or its point there */
    double reach, roll; /* from the two of them to where they touch: against n, and along n */
    double yields;      /* how much of the gap's rate both of these follow */
    int feature;        /* of the outline */
    bool meets;         /* the pair touches here if the gap closes */
    bool edge;          /* where another pair is as near, to rounding: that one begins */
} pc_touch;

/* feature: of closed pairs, the part of the outline that they hold to, though the site may be a little beyond it, or so
 * deep in the outline that another side is nearer; -1: the nearest. face: of thin pairs, on which side of the core the
 * site is, 1 or -1; 0: not known. */
typedef struct pc_system {
    const pc_scene *scene;
    double t;            /* at which functions of time are asked: never at a break, but on the side of the step */
    pc_span span;        /* between two breaks; infinite: there are none */
    const double *q, *u; /* of the caller */
    double (*pivots)[6]; /* of each member: position, velocity, acceleration */
    pc_chain_node *nodes;
    struct pc_compliant *compliant; /* contacts whose forces act as well (compliant.h); NULL: none */
    signed char *feature, *face;    /* of each pair */
} pc_system;

pc_status pc_system_open(pc_system *system, const pc_scene *scene, pc_error *err);
void pc_system_close(pc_system *system);

/* Positions, and what solving needs; y must stay. Returns < 0 where a function of the user asks to stop,
 * as do the others that return int. */
int pc_system_place(pc_system *system, double t, const double *y);

/* Positions of the members of one pair alone, which is enough for its gap. */
int pc_system_place_pair(pc_system *system, int pair, double t, const double *y);

void pc_system_touch(const pc_system *system, int pair, pc_touch *touch);

/* Gap of a pair for the state last placed. */
double pc_system_gap(const pc_system *system, int pair);

/* Height of a thin pair's site above the line of its core, on the positive side where face = 1. */
double pc_system_height(const pc_system *system, int pair);

/* A closed contact holds to its part of the outlines until it is beyond by this share of the lengths: what rests on an
 * edge, up to rounding, does not go to and fro. */
#define PC_OVERHANG 1e-12

/* Whether that site is before its core, clearly: not beyond an end, nor nearer to it than this share of the lengths. */
#define PC_TIP 1e-9
bool pc_system_is_before(const pc_system *system, int pair);

/* On which side of a thin core the site belongs that lies in it: where the outlines do not overlap, else that of a
 * body above something fixed. */
int pc_system_outer_face(const pc_system *system, int pair);

/* How far a closed pair is from where another feature takes over: of the outline, before and after; where it holds to a
 * corner, of the site's own outline as well. Infinite where nothing does. */
enum { PC_MARGINS = 4 };
void pc_system_margins(const pc_system *system, int pair, double margin[PC_MARGINS]);

/* The feature beyond a margin, -1 if the pair does not touch there. */
int pc_system_beyond(const pc_system *system, int pair, int margin);

/* The side before which a sharp corner of the pair is, of those through which its own outline does not reach, or, if
 * `any`, of all; -1: before none. */
int pc_system_side(const pc_system *system, int pair, bool any);

/* What faces a side of the outline from its end (1: the last), where the site is near that: the side of the site's own
 * outline that runs back over it from the site, and the corner of the outline at that end, before it. Two flat sides
 * that lie on each other are in contact at both ends of what they have in common, each the end of one of them. */
typedef struct pc_facing {
    int feature, corner, end; /* the end of that side which is the site */
    double margin;            /* of the corner, from the site along that side */
    double height;            /* above that side */
    bool before;              /* not beyond an end of it */
} pc_facing;

/* False: none does. */
bool pc_system_facing(const pc_system *system, int pair, int feature, int end, pc_facing *facing);

/* (t, n) velocity of the contact point for the velocities of the state, and what jumps du would change of it. */
void pc_system_velocity(const pc_system *system, int pair, const pc_touch *touch, double v[2]);
void pc_system_change(const pc_system *system, int pair, const pc_touch *touch, const double *du, double v[2]);

/* (t, n) acceleration of the contact point for accelerations a, in the rolling sense that a sticking contact keeps
 * both at zero. */
void pc_system_acceleration(const pc_system *system, int pair, const pc_touch *touch, const double *a, double v[2]);

/* Forces or impulses on the members: begin with none, or with gravity, joints, torques and compliant contacts; add
 * those of others, force = (t, n) on the first site and its opposite on the other; then solve for accelerations or
 * jumps. */
void pc_system_unload(pc_system *system);
int pc_system_load(pc_system *system);
void pc_system_push(pc_system *system, int pair, const pc_touch *touch, const double force[2]);
void pc_system_accelerations(pc_system *system, double *a);
void pc_system_jumps(pc_system *system, double *du);

/* Jumps by an impulse on a pair alone, of the members it acts on; what du says of others stays. */
void pc_system_respond(pc_system *system, int pair, const pc_touch *touch, const double impulse[2], double *du);

/* Whether two pairs have a member in common: only then does an impulse on one change the velocity of the other. */
bool pc_system_coupled(const pc_system *system, int pair, int other);

/* Kinetic and potential energy, J. */
double pc_system_kinetic(pc_system *system);
double pc_system_potential(const pc_system *system);

/* Power of damping, torques and moving pivots, W; the last by the reactions of the last solution. */
int pc_system_power(const pc_system *system, double power[3]);

#endif
