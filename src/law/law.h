/* The contract of a contact law.
 *
 * A law turns (W, v0) into an impact. It never knows which body it serves. One file per law, one row in laws.def;
 * everything else (constructor, range checks, help, property tests, benchmark) reads the descriptor.
 */
#ifndef PC_LAW_LAW_H
#define PC_LAW_LAW_H

#include "base/row.h"
#include "law/impact.h"

#include <stddef.h>

enum {
    PC_LAW_PLANAR = 1,        /* takes v0 and W in the plane t, n */
    PC_LAW_SPATIAL = 2,       /* takes the second tangent as well */
    PC_LAW_COMPLIANT = 4,     /* has a history in time: duration, forces, trace */
    PC_LAW_CLOSED_FORM = 8,   /* no integration */
    PC_LAW_CONSERVATIVE = 16, /* loses nothing but the work of friction (when its restitution is 1) */
    PC_LAW_MAY_GAIN = 32,     /* may create energy; says so in the flags */
    PC_LAW_ADHESIVE = 64,     /* the obstacle may pull, and then there is no friction */
    PC_LAW_SCRIPT = 128,      /* asks functions of a script: in one thread only */
    PC_LAW_VIBRATES = 256,    /* takes the modes of a body; no other law may be given any */
};

typedef struct pc_law pc_law;
typedef struct pc_map_columns pc_map_columns;

/* Coulomb friction: static_friction >= friction >= 0. */
typedef struct pc_coulomb {
    double friction, static_friction;
} pc_coulomb;

/* Resistance to turning, as lengths: the couple about tangents or about the normal is not above them times the normal
 * force or impulse, m. */
typedef struct pc_turning_resistance {
    double rolling, twisting;
} pc_turning_resistance;

/* pc_law.friction of a law whose parameters, a `type`, have one coefficient. */
#define PC_ONE_FRICTION(type, member)                                                                                  \
    static void friction(const void *params, pc_coulomb *out)                                                          \
    {                                                                                                                  \
        double mu = ((const type *)params)->member;                                                                    \
        *out = (pc_coulomb){mu, mu};                                                                                   \
    }

/* The law NAME that is no more than an element, of parameters `type` with a member `tangential` for friction and
 * rolling (law/element.h); what else its schema tells follows by name. */
#define PC_ELEMENT_LAW(name_, type, rows_, element_, more, ...)                                                        \
    static const pc_schema name_##_schema = {                                                                          \
        .name = "contact." #name_, PC_ROWS(rows_), .size = sizeof(type), __VA_ARGS__};                                 \
    static void name_##_friction(const void *params, pc_coulomb *out)                                                  \
    {                                                                                                                  \
        out->friction = out->static_friction = ((const type *)params)->tangential.mu;                                  \
    }                                                                                                                  \
    static void name_##_turning(const void *params, pc_turning_resistance *out)                                        \
    {                                                                                                                  \
        *out = (pc_turning_resistance){.rolling = ((const type *)params)->tangential.rolling};                         \
    }                                                                                                                  \
    const pc_law pc_law_##name_ = {.schema = &name_##_schema,                                                          \
                                   .abilities = PC_LAW_PLANAR | PC_LAW_COMPLIANT | PC_LAW_MAY_GAIN | (more),           \
                                   .element = &element_,                                                               \
                                   .friction = name_##_friction,                                                       \
                                   .turning = name_##_turning};

/* What ends restitution at one of several contacts that are struck as one: its normal velocity, its share of the normal
 * impulse, or its share of the normal work, with the coefficient e that goes with it. */
typedef enum pc_joint_kind { PC_JOINT_NEWTON, PC_JOINT_POISSON, PC_JOINT_STRONGE } pc_joint_kind;

typedef struct pc_joint_rule {
    pc_joint_kind kind;
    double e;
} pc_joint_rule;

struct pc_law {
    const pc_schema *schema; /* schema->size bytes of parameters */
    unsigned abilities;

    /* Whether `impact` is for this W; NULL: for any. Where not, or where there is none, the law is an element, of which
     * the engine makes impacts. */
    bool (*takes)(const void *params, const pc_mobility *W);

    /* One impact at frozen configuration. v0[PC_N] >= 0 gives PC_OUTCOME_NONE. Compliant laws alone are asked for
     * states. */
    pc_status (*impact)(const void *params, const pc_mobility *W, const double v0[3], pc_asked asked, pc_impact *out,
                        pc_error *err);

    /* States at given normal impulses in ascending order, 0 <= p_n <= total; rigid laws only. */
    pc_status (*path)(const void *params, const pc_mobility *W, const pc_impact *impact, const double *p_n, size_t n,
                      pc_state *out, pc_error *err);

    /* Many impacts at once, for laws that have a batch kernel (pc_map_columns); else NULL. */
    pc_status (*map)(const pc_map_columns *map, size_t *failed, pc_error *err);

    /* Coefficients of friction of contacts that last and of those struck as one with others; NULL: smooth. */
    void (*friction)(const void *params, pc_coulomb *out);

    /* Lengths by which a contact resists rolling, if it is round, and twisting; NULL: it does not. */
    void (*turning)(const void *params, pc_turning_resistance *out);

    /* How it restitutes where several contacts approach at once, this one with the speed `approach` > 0; what it says
     * is what `impact` does to one contact without friction. Not 0: not at this speed. NULL: it has impacts of one
     * contact only, and is struck in sequence. */
    int (*joint_rule)(const void *params, double approach, pc_joint_rule *out);

    /* Laws that are elements (law/element.h) and so may act at several contacts at once; else NULL. */
    const struct pc_element *element;
};

/* All laws in the order of laws.def. */
extern const pc_law *const pc_laws[];
extern const int pc_n_laws;

/* Columns of many impacts of one law at once.
 *
 * Inputs are columns: an array of n values, or one value for all. Parameters of the law come as one column per row of
 * its schema, in SI units, already checked and with every alternative derived.
 */

typedef struct pc_map_column {
    const double *values; /* NULL: `fixed` everywhere */
    double fixed;
} pc_map_column;

typedef enum pc_map_output {
#define PC_MAP_OUTPUT(id, name, unit, doc) PC_MAP_##id,
#include "law/map_outputs.def"
#undef PC_MAP_OUTPUT
    PC_N_MAP_OUTPUTS
} pc_map_output;

typedef struct pc_map_columns {
    size_t n;
    pc_map_column w_tt, w_tn, w_nn, rank; /* mobility in the plane, 1/kg */
    pc_map_column v_t, v_n;               /* contact point before, m/s */
    const void *params;                   /* of the law: what the columns do not change */
    const pc_map_column *rows;            /* NULL: params for all; else schema->n_rows columns (REAL rows are used) */
    double *out[PC_N_MAP_OUTPUTS];        /* n numbers each; NULL: not wanted */
} pc_map_columns;

#endif
