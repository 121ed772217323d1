/* Forces of a scene besides gravity and contacts: springs, drag, motors, fields, what a user brings; and joints.
 *
 * A kind is one descriptor and one row in forces.def. A force has up to two ends; an end is a point of a free body or
 * of a link, or of the ground. It says what it does to the bodies at its ends, and how its power divides: what it
 * stores, what it damps, and what it does by itself. A joint says what its ends have to keep instead, and its forces
 * follow from that.
 */
#ifndef PC_SCENE_FORCE_FORCE_H
#define PC_SCENE_FORCE_FORCE_H

#include "base/row.h"
#include "law/rigid/rigid.h"
#include "shape/outline.h"

#include <stdbool.h>

/* Where an end is, as it is given: a body by the name of a part ("ground": none), and a point in the frame that turns
 * with it and is that of space at angle 0: from the mass centre of a free body, from the upper joint of a link (whose
 * end is there at (0, -length)); of the ground in space. */
typedef struct pc_force_place {
    char body[PC_NAME];
    double at[2];
} pc_force_place;

/* An end in a configuration: place (m) and velocity (m/s) of its point, angle (rad) and rate (rad/s) of its body, and
 * the mass (kg), infinite of the ground. */
typedef struct pc_force_end {
    double x, y, vx, vy, angle, rate, mass;
} pc_force_end;

/* Force on a body at an end, N, and moment, N m. */
typedef struct pc_wrench {
    double fx, fy, moment;
} pc_wrench;

/* What a function of the user gets and returns: (x, y, t) -> two components; (t, angle, rate) -> a moment; (t, body) ->
 * fx, fy and a moment. */
typedef enum pc_force_arguments {
    PC_FORCE_NO_FUNCTION,
    PC_FORCE_OF_PLACE,
    PC_FORCE_OF_ANGLE,
    PC_FORCE_OF_BODY
} pc_force_arguments;

/* Such a function; NULL: there is none. Returns 0, or < 0 to stop. */
typedef struct pc_force_function {
    int (*call)(void *context, pc_force_arguments kind, double t, const pc_force_end *end, double out[3]);
    void *context;
} pc_force_function;

/* What all forces have; parameters of a kind begin with it. What is not given is empty. */
typedef struct pc_force_common {
    char name[PC_PART_NAME];
    pc_force_place place[2];
    pc_force_function function;
    const double *breaks; /* ascending: where the function jumps by t alone; they must outlive the force */
    int n_breaks;
} pc_force_common;

/* Parameters of all joints. Places that are not given are not-a-number, and follow from where the bodies are at their
 * own start, in which the point `at` is one of both (pc_scene_add_force). touch: what it joins may touch.
 *
 * The coordinate of a joint, the angle of a pin or the way of a slider, may have stops, at which it strikes by `stop`
 * (NULL: it has none), and dry friction: of a force or moment `dry`, or of `arm` times the force of its reaction. */
typedef struct pc_joint {
    pc_force_common common;
    double at[2], rate, angle;
    bool touch;
    double lower, upper, restitution, stiffness, damping, dry, radius, friction; /* not given: not-a-number */

    /* what follows from these */
    const pc_law *stop;
    union {
        pc_rigid rigid;
        char room[128];
    } stop_params;       /* of that law */
    bool rubs;           /* it has dry friction */
    double press, arm;   /* which is by so much, and so much for each newton of the reaction */
    pc_rigid dry_params; /* of contact.newton, for its coefficient */
} pc_joint;

/* Of a joint at the start of its bodies: the angle of the second, and of the first against it. */
typedef struct pc_joint_start {
    double second, angle;
} pc_joint_start;

/* One condition of a joint, see force/joint.c; error: m or rad, 0 of a condition on rates alone. */
typedef struct pc_joint_row {
    pc_wrench on[2];
    double error, rate, bend;
} pc_joint_row;

enum { PC_JOINT_ROWS = 3 };

typedef struct pc_force_kind {
    const pc_schema *schema;     /* of a struct that begins with a pc_force_common */
    int ends;                    /* 1: on one body; 2: between two; 0: on every body of the scene, at its mass centre */
    pc_force_arguments function; /* of the option f */
    /* wrenches on the ends; < 0: stop */
    int (*act)(const void *params, double t, const pc_force_end *end, pc_wrench *out);
    double (*potential)(const void *params, const pc_force_end *end); /* J; NULL: it stores nothing */
    double (*damped)(const void *params, const pc_force_end *end);    /* power, W, <= 0; NULL: none is */
    bool (*driven)(const void *params);                               /* reads t; NULL: it does not */
    /* of a joint, which has none of the above: its conditions, and how many; NULL: it is a force */
    int (*join)(const void *params, const pc_force_end end[2], const pc_joint_start *start,
                pc_joint_row row[PC_JOINT_ROWS]);
    bool (*drives)(const void *params); /* its forces do work; NULL: they do not */
    /* its coordinate, as a condition whose error that is, m or rad; NULL: it has none */
    void (*coordinate)(const void *params, const pc_force_end end[2], const pc_joint_start *start, pc_joint_row *row);
    bool holds_points; /* its first two conditions hold the ends together */
    bool needs_place;  /* else the origin of its first body will do */
} pc_force_kind;

/* Whether a joint has a moment on its bodies. */
bool pc_joint_turns(const pc_force_kind *kind, const void *params);

/* Whether its coordinate is an angle; else it is a length. */
bool pc_joint_angular(const pc_force_kind *kind, const void *params);

/* The law of joint.dry_params. */
const pc_law *pc_joint_dry_law(void);

#define PC_FORCE(name) extern const pc_force_kind pc_force_##name;
#include "scene/force/forces.def"
#undef PC_FORCE

enum {
    PC_FORCE_KINDS = 0
#define PC_FORCE(name) +1
#include "scene/force/forces.def"
#undef PC_FORCE
};
extern const pc_force_kind *const pc_force_kinds[PC_FORCE_KINDS];

/* Rows of kinds; `common` is their first member. */
#define PC_FORCE_NAME_ROW(type)                                                                                        \
    PC_ROW(type, common.name, "name", .initial = PC_ABSENT,                                                            \
           .doc = "for columns and works; that of its kind if not given")
#define PC_FORCE_BODY_ROW(type, word, which, text)                                                                     \
    PC_ROW(type, common.place[which].body, word, .initial = PC_ABSENT, .doc = text)
#define PC_FORCE_AT_ROW(type, word, which, start, text)                                                                \
    PC_ROW(type, common.place[which].at, word, .unit = PC_UNIT_M, .initial = start, .allowed = PC_ANY, .doc = text)

/* Of kinds with a function. */
#define PC_FORCE_BREAKS_ROW                                                                                            \
    PC_STAYS_ROW(                                                                                                      \
        "breaks", PC_NUMBERS, .unit = PC_UNIT_S, .otherwise = "none",                                                  \
        .doc = "times at which f jumps or has a kink: no step crosses one, and no force is asked at it, but just "     \
               "before and just after")

/* "chain.link2" of a link; of a chain of one link its name is enough. */
#define PC_FORCE_BODY_TEXT "name of a free body, of a chain with one link, or of a link as in \"chain.link2\""
#define PC_FORCE_AT_TEXT                                                                                               \
    "{ x, y } in the frame that turns with the body and is that of space at angle 0: from the mass centre of a free "  \
    "body, from the upper joint of a link"

/* Cosine of frequency t + phase; 1 where nothing swings. */
double pc_force_swing(double frequency, double phase, double t);

#endif
