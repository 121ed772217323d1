/* What stands in the way: floors, walls, planes, pegs, steps, blocks, bars, and how it moves. A kind is one descriptor
 * and one row in obstacles.def. */
#ifndef PC_SCENE_OBSTACLE_H
#define PC_SCENE_OBSTACLE_H

#include "ode/ode.h"
#include "shape/outline.h"

#include "base/row.h"

#include <stddef.h>

/* How an obstacle moves. It is displaced by amplitude_x, amplitude_y times sin(frequency t + phase) from where it was
 * described, and turned about its middle by amplitude_angle times that and by rate t; or as a function says. The
 * surface may run past besides, as that of a belt or of a drum: in the direction t of its contacts, to the right on a
 * floor. */
typedef struct pc_drive {
    double amplitude_x, amplitude_y, amplitude_angle, frequency, phase;
    double rate; /* at which it turns besides */
    double surface_speed;
    double middle[2];
    /* Functions of the user in place of these; NULL: none. The displacement x, y, angle, then its rates, then those of
     * these, as many of the nine as are known: 3, 6 or 9 is returned. The speed, then its rate: 1 or 2. < 0: stop. */
    int (*motion)(double t, double state[9], void *context);
    int (*surface)(double t, double state[2], void *context);
    void *context;
} pc_drive;

extern const pc_schema pc_drive_schema; /* of harmonic motion */

/* Where it is displaced to and how it moves; the rates of functions that do not give them by differences. */
typedef struct pc_drive_state {
    double place[3], rate[3], acceleration[3]; /* x, y, angle */
    double surface[2];                         /* speed of the surface, and its rate */
} pc_drive_state;

/* scale: what functions do lasts at least so long, s; within: they are asked at no other times. Returns 0, or < 0 to
 * stop, PC_DRIVE_TORN where differences show that a function is not smooth near t. */
enum { PC_DRIVE_TORN = -2 };
int pc_drive_find(const pc_drive *drive, double t, double scale, const pc_span *within, pc_drive_state *out);

/* Refuse rates that functions return where differences, as from the start of `within` on, show that they are not. */
pc_status pc_drive_check(const pc_drive *drive, const char *name, double scale, const pc_span *within, pc_error *err);

/* Whether the obstacle is elsewhere than it was described, whether it moves there, and whether it does anything. */
bool pc_drive_displaces(const pc_drive *drive);
bool pc_drive_moves(const pc_drive *drive);
bool pc_drive_acts(const pc_drive *drive);

/* The greatest distance from where it was described of what is `arm` from its middle, and how far that may move in a
 * time; infinite: nothing is known. */
double pc_drive_reach(const pc_drive *drive, double arm);
double pc_drive_travel(const pc_drive *drive, double arm, double time);

/* The parameters of a kind are a struct of its own that begins with this. The rows "motion" and "surface_speed" stay
 * with whoever reads it, and puts what they say into the drive. */
typedef struct pc_obstacle_common {
    char name[PC_PART_NAME]; /* empty: none was given */
    pc_drive drive;
} pc_obstacle_common;

/* What rows of lists and functions say, of which one is given. */
typedef struct pc_obstacle_source {
    const char *row;  /* its name */
    int n;            /* of a list: how many structs as the `options` of its row describe them, or places x, y */
    const void *list; /* NULL: of places, or it is a function */
    const double (*places)[2];
    /* Up to 4 numbers of a function of s: how many it has given, 1 at least. < 0: stop. */
    int (*f)(double s, double out[4], void *context);
    /* Memory that lasts as long as the parameters; of several pieces the last alone does. NULL: there is none. */
    void *(*room)(size_t size, void *context);
    void *context;
} pc_obstacle_source;

typedef struct pc_obstacle_kind {
    const pc_schema *schema; /* its name is that of the obstacle */
    pc_outline (*build)(const void *params);
    void (*describe)(const void *params, char *text, size_t size);
    /* of kinds with rows of lists or functions: what is said there, once the other rows are read */
    pc_status (*take)(void *params, const pc_obstacle_source *source, pc_error *err);
} pc_obstacle_kind;

/* A row of a number; and the rows with which every kind ends. */
#define PC_OBSTACLE_ROW(type, member, dimension, start, range, text)                                                   \
    PC_ROW(type, member, #member, .unit = dimension, .initial = start, .allowed = range, .doc = text)

#define PC_OBSTACLE_LAST_ROWS(type)                                                                                    \
    PC_ROW(type, common.name, "name", .initial = PC_ABSENT,                                                            \
           .doc = "for pairs, events and columns; that of its kind if not given"),                                     \
        PC_STAYS_ROW(                                                                                                  \
            "motion", PC_TABLE, .also = PC_ALSO(PC_FUNCTION), .options = &pc_drive_schema, .otherwise = "at rest",     \
            .doc = "its displacement from the place described here, and the angle by which it is turned about its "    \
                   "middle: amplitudes times sin(frequency t + phase); or a function of t that returns x, y (m) and "  \
                   "angle (rad), then, if it likes, their rates, then the rates of these. What it does not return is " \
                   "found by differences over a quarter of time_scale"),                                               \
        PC_STAYS_ROW(                                                                                                  \
            "surface_speed", PC_REAL, .also = PC_ALSO(PC_FUNCTION), .unit = PC_UNIT_M_PER_S, .otherwise = "0",         \
            .allowed = PC_ANY,                                                                                         \
            .doc =                                                                                                     \
                "at which its surface runs past, as that of a belt or of a drum: to the right on a floor, clockwise "  \
                "round a peg; or a function of t that returns it and, if it likes, its rate")

#define PC_OBSTACLE(name) extern const pc_obstacle_kind pc_obstacle_##name;
#include "scene/obstacles.def"
#undef PC_OBSTACLE

enum {
    PC_OBSTACLE_KINDS = 0
#define PC_OBSTACLE(name) +1
#include "scene/obstacles.def"
#undef PC_OBSTACLE
};
extern const pc_obstacle_kind *const pc_obstacle_kinds[PC_OBSTACLE_KINDS];

#endif
