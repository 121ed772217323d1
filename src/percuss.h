/* percuss: impact with friction. The interface for C, and for whatever calls C.
 *
 * A program makes laws and bodies by name and options, lets them collide and reads what happened:
 *
 *     #include <percuss.h>
 *     #include <stdio.h>
 *     int main(void)
 *     {
 *         const percuss_option sphere[] = {PERCUSS_NUMBER("radius", 0.02), PERCUSS_NUMBER("mass", 0.05), PERCUSS_END};
 *         const percuss_option newton[] = {PERCUSS_NUMBER("restitution", 0.8), PERCUSS_NUMBER("friction", 0.2),
 *                                          PERCUSS_END};
 *         const double velocity[3] = {1, -2, 0};
 *         percuss_error error = PERCUSS_NO_ERROR;
 *         percuss_body *ball = percuss_body_new("sphere", sphere, &error);
 *         percuss_law *law = percuss_law_new("newton", newton, &error);
 *         percuss_impact *hit = percuss_collide(ball, law, velocity, NULL, &error);
 *         if (!hit) return fprintf(stderr, "%s\n", error.message), 1;
 *         printf("%g m/s\n", percuss_impact_values(hit)->velocity[PERCUSS_N]);
 *         percuss_impact_free(hit), percuss_law_free(law), percuss_body_free(ball);
 *         return 0;
 *     }
 *
 * Units are SI: m, kg, s, rad, N, J. Components at a contact are indexed t, n, t2 (PERCUSS_T, PERCUSS_N, PERCUSS_T2):
 * two tangents and the normal, right-handed with t2 = t x n; n points from the obstacle into the body, so v_n < 0
 * approaches. In the plane the third component is 0.
 *
 * Kinds and their options are not listed here: percuss_kind_read and percuss_kind_option list them, with unit, range,
 * default and a sentence, and `help "contact.newton"` of the program percuss shows the same.
 *
 * Errors. A function that can fail takes `percuss_error *error` last, which may be NULL. It writes there only when it
 * fails, and tells by its result: a handle is NULL, a code is not PERCUSS_OK. Given NULL in place of a handle it fails
 * as well (PERCUSS_E_ARGUMENT) but leaves a failure that is in the record already: so a chain of calls, whose record
 * began as PERCUSS_NO_ERROR, can be checked once, at its end. Nothing is ever printed, and no call ends the program.
 *
 * Memory. Each handle is given back by its own function; NULL is fine there. Handles keep what they were made of, so
 * the order does not matter. Texts that are returned as const char * belong to the library: those of kinds, codes and
 * words for good, those of a handle as long as that.
 *
 * Threads. There is no state but in handles. Laws, bodies, materials, solvers, parts, scenes and impacts do not change
 * once they are made, and any number of threads may use them at once; a run or a motion belongs to one thread at a
 * time. Functions of the caller run in the thread that called, and may use any handle but the run that calls them.
 *
 * Versions. Structs are read and written by their size, so the number after the name of the library (libpercuss.so.0)
 * changes where one of them or a function does.
 */
#ifndef PERCUSS_H
#define PERCUSS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PERCUSS_API __attribute__((visibility("default")))
#else
#define PERCUSS_API
#endif

/* ---- version ---- */

#define PERCUSS_VERSION_MAJOR 0
#define PERCUSS_VERSION_MINOR 1
#define PERCUSS_VERSION_PATCH 0
#define PERCUSS_VERSION "0.1.0"

/* The version of the library that runs, as PERCUSS_VERSION is that of this header. */
PERCUSS_API const char *percuss_version(void);

/* ---- errors ---- */

typedef enum percuss_code {
    PERCUSS_OK,
    PERCUSS_E_ARGUMENT,    /* a value given by the caller is not allowed */
    PERCUSS_E_MEMORY,      /* not enough memory */
    PERCUSS_E_NUMERIC,     /* a computation failed or did not converge */
    PERCUSS_E_INTERRUPTED, /* not used here */
    PERCUSS_E_CALLBACK,    /* a function given by the caller asked to stop */
    PERCUSS_E_SYSTEM,      /* a file could not be used */
    PERCUSS_E_LIMIT,       /* a stated limit on steps, events or size was reached */
    PERCUSS_E_UNSUPPORTED  /* these two things do not go together */
} percuss_code;

/* What went wrong. message: a sentence for a person, which names parameter, value, unit and what is allowed. parameter:
 * name of the option, argument or event that is wrong, "" where it is no single one; unit: its unit, "" for a pure
 * number. time (s) and quantity: where a computation failed; NaN and "" elsewhere. */
typedef struct percuss_error {
    percuss_code code;
    double time;
    char quantity[32];
    char parameter[48];
    char unit[48];
    char message[512];
} percuss_error;

#define PERCUSS_NO_ERROR                                                                                               \
    {                                                                                                                  \
        PERCUSS_OK, 0, "", "", "", ""                                                                                  \
    }

/* The word of a code ("argument", "memory", ...), and a sentence that says what it means; "?" for other numbers. */
PERCUSS_API const char *percuss_code_word(percuss_code code);
PERCUSS_API const char *percuss_code_text(percuss_code code);

/* ---- options ---- */

typedef enum percuss_value {
    PERCUSS_IS_NUMBER, /* number; of an option that is true or false 1 or 0 */
    PERCUSS_IS_WORD,   /* word: one of the choices, a name, or the name of a material */
    PERCUSS_IS_LIST,   /* values: `columns` of them */
    PERCUSS_IS_MATRIX, /* values: row after row */
    PERCUSS_IS_OBJECT  /* object: a handle of this library, of the type that the option wants */
} percuss_value;

/* One named value. Lists of options end with PERCUSS_END; where one is asked for NULL means none. Names are those of
 * the options or their symbols: "friction" or "mu". */
typedef struct percuss_option {
    const char *name;
    percuss_value is;
    double number;
    const char *word;
    const double *values;
    int rows, columns;
    const void *object;
} percuss_option;

#define PERCUSS_NUMBER(name, number)                                                                                   \
    {                                                                                                                  \
        (name), PERCUSS_IS_NUMBER, (number), NULL, NULL, 0, 0, NULL                                                    \
    }
#define PERCUSS_WORD(name, word)                                                                                       \
    {                                                                                                                  \
        (name), PERCUSS_IS_WORD, 0, (word), NULL, 0, 0, NULL                                                           \
    }
#define PERCUSS_LIST(name, values, count)                                                                              \
    {                                                                                                                  \
        (name), PERCUSS_IS_LIST, 0, NULL, (values), 1, (count), NULL                                                   \
    }
#define PERCUSS_MATRIX(name, values, rows, columns)                                                                    \
    {                                                                                                                  \
        (name), PERCUSS_IS_MATRIX, 0, NULL, (values), (rows), (columns), NULL                                          \
    }
#define PERCUSS_OBJECT(name, handle)                                                                                   \
    {                                                                                                                  \
        (name), PERCUSS_IS_OBJECT, 0, NULL, NULL, 0, 0, (handle)                                                       \
    }
#define PERCUSS_END                                                                                                    \
    {                                                                                                                  \
        NULL, PERCUSS_IS_NUMBER, 0, NULL, NULL, 0, 0, NULL                                                             \
    }

/* ---- kinds and their options ---- */

/* What there is to choose from: groups of kinds, such as "law" and "body". A group of one kind has it under its own
 * name ("collide", which lists the options of percuss_collide). */
typedef struct percuss_kind {
    const char *group, *name; /* "law", "newton" */
    const char *summary;      /* a sentence */
    const char *details;      /* paragraphs, or NULL */
    const char *source;       /* literature, or NULL */
    int n_options;
} percuss_kind;

typedef enum percuss_type {
    PERCUSS_REAL,
    PERCUSS_INTEGER,
    PERCUSS_BOOLEAN, /* the number 0 or 1 */
    PERCUSS_CHOICE,  /* one of the words in `choices` */
    PERCUSS_VECTOR,  /* a list of `count` numbers */
    PERCUSS_TABLE,   /* a matrix */
    PERCUSS_HANDLE,  /* an object of the type called `object` */
    PERCUSS_TEXT     /* a word of at most `count` - 1 bytes */
} percuss_type;

typedef struct percuss_option_info {
    const char *name;
    const char *symbol; /* may stand in its place; or NULL */
    percuss_type type;
    char unit[48];  /* "N/m", "" for a pure number */
    int required;   /* 1: it has to be given */
    double initial; /* the default; NaN: it has none, or follows from others. Of a choice the number of its word */
    double lo, hi;  /* what is allowed; infinite: no bound */
    int lo_open, hi_open;
    int count;                  /* numbers of a vector, bytes of a text */
    const char *const *choices; /* NULL at the end; or NULL */
    const char *object;         /* or NULL */
    int alternative;            /* options of a kind with one such number > 0 say the same thing: give one of them */
    const char *doc;            /* a sentence */
} percuss_option_info;

/* Groups, i from 0; NULL beyond the last. */
PERCUSS_API const char *percuss_group(int i);

/* How many kinds a group has; 0 if there is no such group. */
PERCUSS_API int percuss_kind_count(const char *group);

/* Kind i of a group. PERCUSS_E_ARGUMENT: there is no such group or kind. */
PERCUSS_API percuss_code percuss_kind_read(const char *group, int i, percuss_kind *out, percuss_error *error);

/* Option i of a kind, by name. PERCUSS_E_ARGUMENT: there is no such group, kind or option. */
PERCUSS_API percuss_code percuss_kind_option(const char *group, const char *kind, int i, percuss_option_info *out,
                                             percuss_error *error);

/* ---- materials, laws, bodies ---- */

enum { PERCUSS_T, PERCUSS_N, PERCUSS_T2 };

typedef struct percuss_material percuss_material;
typedef struct percuss_law percuss_law;
typedef struct percuss_body percuss_body;

/* A material of constants: group "material". Named ones are given by their name, as in PERCUSS_WORD("material",
 * "steel"). Errors: PERCUSS_E_ARGUMENT for an option that is unknown, given twice, missing, of the wrong type, out of
 * its range or no number; PERCUSS_E_MEMORY. So do all functions that take options. */
PERCUSS_API percuss_material *percuss_material_new(const percuss_option *options, percuss_error *error);
PERCUSS_API void percuss_material_free(percuss_material *material);

/* Restitution that depends on the speed of approach: a kind of the group "restitution" ("power", "viscoelastic",
 * "table", whose lists are PERCUSS_LIST("speeds", ...) and PERCUSS_LIST("values", ...)), or a function, which writes a
 * number from 0 to 1 for a speed (m/s, >= 0) and returns 0, or a negative number to stop with an error; it depends on
 * the speed alone. Rigid laws take it in place of the number: PERCUSS_OBJECT("restitution", handle).
 * percuss_restitution_at gives its value; PERCUSS_E_CALLBACK: the function gave none. */
typedef struct percuss_restitution percuss_restitution;
PERCUSS_API percuss_restitution *percuss_restitution_new(const char *kind, const percuss_option *options,
                                                         percuss_error *error);
PERCUSS_API percuss_restitution *percuss_restitution_function(int (*function)(double speed, double *value,
                                                                              void *context),
                                                              void *context, percuss_error *error);
PERCUSS_API percuss_code percuss_restitution_at(const percuss_restitution *restitution, double speed, double *value,
                                                percuss_error *error);
PERCUSS_API void percuss_restitution_free(percuss_restitution *restitution);

/* A contact law: a kind of the group "law". Laws of elastic bodies also take "body", "material" and "counter_material",
 * which give the constants that are not given by themselves. */
PERCUSS_API percuss_law *percuss_law_new(const char *kind, const percuss_option *options, percuss_error *error);
PERCUSS_API void percuss_law_free(percuss_law *law);

/* A body at the instant of contact: a kind of the group "body". */
PERCUSS_API percuss_body *percuss_body_new(const char *kind, const percuss_option *options, percuss_error *error);
PERCUSS_API void percuss_body_free(percuss_body *body);

/* Two bodies that strike each other, described in the frame of a; b is given in its own, with n pointing into it. What
 * moves is the relative velocity, so the pair has no velocities of its own (dof 0). */
PERCUSS_API percuss_body *percuss_body_pair(const percuss_body *a, const percuss_body *b, percuss_error *error);

/* The value of an option that is a number, by name or symbol, also where it followed from others: "damping" of a law
 * made by its restitution. Of true or false 1 or 0, of a choice the number of its word; NaN where it is unknown.
 * PERCUSS_E_ARGUMENT: there is no such option, or it is no number. */
PERCUSS_API percuss_code percuss_law_get(const percuss_law *law, const char *name, double *value, percuss_error *error);
PERCUSS_API percuss_code percuss_body_get(const percuss_body *body, const char *name, double *value,
                                          percuss_error *error);

/* The kinematic restitution that the law gives a central impact of the body with this speed (m/s, > 0). */
PERCUSS_API percuss_code percuss_law_restitution(const percuss_law *law, const percuss_body *body, double speed,
                                                 double *restitution, percuss_error *error);

/* What a body is at its contact. */
typedef struct percuss_body_values {
    int dof;          /* own velocities; 0: only the mobility is known */
    int spatial;      /* 1: in space, with the second tangent */
    int rank;         /* of the mobility */
    double mass;      /* kg; NaN where it has no meaning */
    double W[3][3];   /* mobility (inverse effective mass) along t, n, t2, 1/kg */
    double curvature; /* of the surface at the contact, 1/m; 0 flat, NaN unknown */
} percuss_body_values;

/* NULL for NULL; it lives as long as the body. */
PERCUSS_API const percuss_body_values *percuss_body_read(const percuss_body *body);

/* Own velocity i of the body, by name ("v[1]", "omega", "rate"), and its unit ("m/s", "rad/s"); NULL if there is none.
 * A free body has those of its mass centre along t, n (and t2), then the rate about t2 (in space about t, n, t2). */
PERCUSS_API const char *percuss_body_velocity_name(const percuss_body *body, int i);
PERCUSS_API const char *percuss_body_velocity_unit(const percuss_body *body, int i);

/* Velocity v (m/s) of the contact point where the body has the own velocities u, n of them (= dof); and own velocities
 * for which the contact point moves with v: of a free body pure translation, else those of least energy.
 * PERCUSS_E_ARGUMENT: n is not dof, dof is 0, a number is not finite, or the joints block that direction. */
PERCUSS_API percuss_code percuss_body_contact_velocity(const percuss_body *body, const double *u, int n, double v[3],
                                                       percuss_error *error);
PERCUSS_API percuss_code percuss_body_velocities(const percuss_body *body, const double v[3], double *u, int n,
                                                 percuss_error *error);

/* Own velocities u1 after an impulse (N s) of the obstacle on the body; u1 may be u. */
PERCUSS_API percuss_code percuss_body_after(const percuss_body *body, const double *u, int n, const double impulse[3],
                                            double *u1, percuss_error *error);

/* Kinetic energy, J. */
PERCUSS_API percuss_code percuss_body_energy(const percuss_body *body, const double *u, int n, double *energy,
                                             percuss_error *error);

/* ---- impacts ---- */

typedef struct percuss_impact percuss_impact;

typedef enum percuss_outcome {
    PERCUSS_REBOUND,    /* the contact ends */
    PERCUSS_WEDGED,     /* it never ends: the body stays, vibrating or at rest */
    PERCUSS_ADHERED = 3 /* the same, held by adhesion: along the surface it may go on */
} percuss_outcome;

enum {
    PERCUSS_JAM = 1,               /* slip deepened the approach */
    PERCUSS_REVERSE_SLIP = 2,      /* slip in both directions */
    PERCUSS_E_ABOVE_ONE = 4,       /* energetic restitution above 1 */
    PERCUSS_GAINED_ENERGY = 8,     /* total energy grew */
    PERCUSS_GROSS_STICK = 16,      /* stick all the time */
    PERCUSS_GROSS_SLIP = 32,       /* one slip phase and no other */
    PERCUSS_RECOMPRESSION = 64,    /* the normal velocity returned to 0 more than once */
    PERCUSS_ORDER_DEPENDENT = 128, /* of a run: others approached as fast and were struck after it, by their places */
    PERCUSS_TANGENTIAL_GAIN = 256  /* the tangential element gave back more than it took */
};

/* What happened in one impact: the same for every law. NaN where something is undefined. */
typedef struct percuss_impact_record {
    percuss_outcome outcome;
    unsigned flags; /* PERCUSS_JAM and others, together */
    int n_phases, n_reversals;
    double velocity_before[3], velocity[3]; /* of the contact point, m/s */
    double impulse[3];                      /* of the obstacle on the body, N s */
    double impulse_compression[3], impulse_restitution[3];
    double kinematic, kinetic, energetic; /* the three coefficients of restitution */
    double energy_before, energy;         /* kinetic, of the body, J; where dof is 0 the contact's share of it */
    double contact_energy_before, contact_energy; /* the share that an impulse at the contact can reach, J; NaN where
                                                     the configuration moved */
    double loss, loss_max;                        /* J, and the greatest possible */
    double work_normal, work_tangential, work_friction; /* of the contact on the body, J; friction's is a part of the
                                                           tangential one */
    double work_normal_compression, work_normal_restitution;
    double duration, compression_time;  /* s; rigid laws: 0; wedged: the duration is infinite */
    double peak[2], peak_time[2];       /* greatest |F_t| and F_n, N; when, s */
    double arrest_time, lock_frequency; /* of a wedged one: end of the last slip, s; of the vibration after it, rad/s */
    double lock_mean[2], lock_amplitude[2]; /* of its forces, N */
    double rotation;                        /* angle that the body, or its last link, turned through meanwhile, rad */
    double couple[3]; /* impulse of the couples on the body, about t, n, t2, that resist rolling and twisting, N m s; 0
                         without such resistance */
} percuss_impact_record;

/* A contact at one instant. */
typedef struct percuss_contact_state {
    double t;                      /* since the first touch, s; rigid laws: 0 */
    double u[3], v[3], F[3], p[3]; /* displacement of the contact point as springs see it (u[PERCUSS_N]: the
                                         indentation), m; velocity, m/s; force, N; impulse so far, N s */
    double slip[2];                /* slip velocity along t and t2, m/s */
    double work_normal, work_tangential, work_friction; /* so far, J */
    double energy;                                      /* kinetic, of the body, J */
} percuss_contact_state;

/* A phase of the contact: stick, or slip with the sign of the slip velocity along t (0 where it turns in space). */
typedef struct percuss_phase {
    int slips, sign;
    percuss_contact_state start, stop;
} percuss_phase;

/* One impact of the body with the obstacle. velocity: of the contact point, m/s (t, n, t2), with v_n < 0; own: the same
 * by the body's own velocities, n of them. options: group "collide". Errors: PERCUSS_E_ARGUMENT where they do not
 * approach or a number is not finite, PERCUSS_E_UNSUPPORTED where law, body and options do not go together (a planar
 * law out of the plane), PERCUSS_E_NUMERIC, PERCUSS_E_MEMORY. */
PERCUSS_API percuss_impact *percuss_collide(const percuss_body *body, const percuss_law *law, const double velocity[3],
                                            const percuss_option *options, percuss_error *error);
PERCUSS_API percuss_impact *percuss_collide_own(const percuss_body *body, const percuss_law *law, const double *u,
                                                int n, const percuss_option *options, percuss_error *error);
PERCUSS_API void percuss_impact_free(percuss_impact *impact);

/* The record of the impact; NULL for NULL. It lives as long as the impact. */
PERCUSS_API const percuss_impact_record *percuss_impact_values(const percuss_impact *impact);

/* The order of its phases in words: "gross stick", "slip-stick-slip", "wedged", ...; NULL for NULL. */
PERCUSS_API const char *percuss_impact_regime(const percuss_impact *impact);

/* Phase i < n_phases. */
PERCUSS_API percuss_code percuss_impact_phase(const percuss_impact *impact, int i, percuss_phase *out,
                                              percuss_error *error);

/* Time (s) of reversal i < n_reversals, at which the tangential force changes its sign; rigid laws: 0. */
PERCUSS_API percuss_code percuss_impact_reversal(const percuss_impact *impact, int i, double *t, percuss_error *error);

/* The body's own velocities before and after, n = dof of them each; either may be NULL. */
PERCUSS_API percuss_code percuss_impact_body(const percuss_impact *impact, double *before, double *after, int n,
                                             percuss_error *error);

/* The contact at n times (s, ascending, >= 0), by a compliant law; beyond the end of contact: the state there.
 * PERCUSS_E_UNSUPPORTED: the law has no history in time. */
PERCUSS_API percuss_code percuss_impact_trace(const percuss_impact *impact, const double *times, size_t n,
                                              percuss_contact_state *out, percuss_error *error);

/* The contact at n normal impulses (N s, ascending, from 0 to that of the impact), by a rigid law.
 * PERCUSS_E_UNSUPPORTED: the law has no path through impulse space. */
PERCUSS_API percuss_code percuss_impact_path(const percuss_impact *impact, const double *impulses, size_t n,
                                             percuss_contact_state *out, percuss_error *error);

/* Many impacts at once, in the plane: n velocities of the contact point, m/s. The columns called `names`
 * (percuss_map_column lists them) are filled with n numbers each. threads: how many to use, 1 to 64; the results do not
 * depend on it. What cannot be solved reads NaN and is counted in *failed (may be NULL), and error then holds the first
 * reason while the result is PERCUSS_OK; what does not approach has outcome 2 and keeps its velocity. Errors:
 * PERCUSS_E_ARGUMENT for a name, a velocity that is not finite, or threads; PERCUSS_E_UNSUPPORTED for a law that is not
 * planar or a body in space; PERCUSS_E_MEMORY. */
PERCUSS_API percuss_code percuss_map(const percuss_body *body, const percuss_law *law, size_t n, const double *v_t,
                                     const double *v_n, const char *const *names, double *const *columns, int n_columns,
                                     int threads, size_t *failed, percuss_error *error);

/* Column i that a map can give: its name, unit and what it is; 0 beyond the last. Any of the three may be NULL. */
PERCUSS_API int percuss_map_column(int i, const char **name, const char **unit, const char **doc);

/* ---- solvers ---- */

typedef struct percuss_solver percuss_solver;

/* A method for differential equations with its settings: a kind of the group "solver". */
PERCUSS_API percuss_solver *percuss_solver_new(const char *kind, const percuss_option *options, percuss_error *error);
PERCUSS_API void percuss_solver_free(percuss_solver *solver);

/* An event: a zero of g(t, y), located along the motion. y: the state; of a scene (q, u). All of it is the caller's and
 * has to live as long as what it was given to. */
typedef struct percuss_event {
    const char *name; /* for errors and records; NULL: "event 1" for the first, and so on */
    int direction;    /* -1: reached from above, +1 from below, 0 both */
    int terminal;     /* 1: the motion ends there */
    /* Writes the value, which may jump; returns 0, or a negative number to stop with an error. */
    int (*g)(double t, const double *y, double *value, void *context);
    /* What to do there, of an ode alone: may change y. Returns PERCUSS_CONTINUE, PERCUSS_RESTART where it changed y or
     * the right-hand side, PERCUSS_STOP, or a negative number to stop with an error. NULL: nothing. */
    int (*action)(double t, double *y, void *context);
    void *context; /* of both */
} percuss_event;

enum { PERCUSS_CONTINUE, PERCUSS_RESTART, PERCUSS_STOP };

/* ---- scenes ---- */

typedef struct percuss_part percuss_part;
typedef struct percuss_scene percuss_scene;

/* A part of a scene in the plane (x, y), y upwards: a kind of the group "part", a free body ("free") or an obstacle
 * ("floor", "peg", ...). A free body has a shape, or is a percuss_body with an outline: PERCUSS_OBJECT("body", body).
 * The corners of a polygon, of a free body or an obstacle, and the points of a profile are a matrix with a row for each
 * place, x and y in m: PERCUSS_MATRIX("corners", corners, 3, 2). */
PERCUSS_API percuss_part *percuss_part_new(const char *kind, const percuss_option *options, percuss_error *error);

/* A chain of n links that hangs from a pivot: each link a list of options of the group "link". Members may be 0 or
 * NULL where not said otherwise. */
typedef struct percuss_chain {
    int n;
    const percuss_option *const *links;
    const double *angles, *rates;  /* at the start, n each: from the downward vertical, anticlockwise, rad and rad/s;
                                     NULL: zeros */
    const percuss_option *pivot;   /* group "pivot": where it is, its harmonic motion, or that it floats */
    const percuss_option *options; /* group "chain": name and touch */
    /* Torques on the links from the ground, N m, n of them, added to those of the links. Returns 0, or a negative
     * number to stop with an error. */
    int (*torque)(double t, const double *angles, const double *rates, double *torque, void *context);
    void *torque_context;
    /* Motion of the pivot in place of the harmonic one: x, y, their velocities, their accelerations. */
    int (*motion)(double t, double state[6], void *context);
    void *motion_context;
} percuss_chain;

PERCUSS_API percuss_part *percuss_chain_new(const percuss_chain *chain, percuss_error *error);

/* How an obstacle moves. Members may be 0 or NULL. */
typedef struct percuss_drive {
    const percuss_option *options; /* group "motion": a harmonic displacement from where it was described */
    double surface_speed;          /* at which its surface runs past, as that of a belt, m/s: to the right on a floor */
    /* In place of these. The displacement: x, y (m) and angle (rad, about its middle), then their rates, then the rates
     * of these; how many of the nine it wrote is returned: 3, 6 or 9. The speed of the surface, then its rate: 1 or 2.
     * What they do not write is found by differences. A negative number stops with an error. */
    int (*motion)(double t, double state[9], void *context);
    int (*surface)(double t, double state[2], void *context);
    void *context; /* of both */
} percuss_drive;

/* Let an obstacle move in the scenes that are made of it from now on. */
PERCUSS_API percuss_code percuss_part_move(percuss_part *part, const percuss_drive *drive, percuss_error *error);
PERCUSS_API void percuss_part_free(percuss_part *part);

/* What a function of a force is asked by, SI: place and velocity of the point where it acts, angle and rate of the body
 * (of a motor against what it stands on), and its mass. */
typedef struct percuss_force_state {
    double x, y, vx, vy, angle, rate, mass;
} percuss_force_state;

/* A force as a function, in space axes. It writes: of "force" f_x, f_y (N) and, if it likes, a moment (N m), which are
 * 0 before; of "field" both components, m/s^2 or N; of "motor" the torque (N m). Returns 0, or a negative number to
 * stop with an error. It is asked at times and states that the motion may not reach, and out of order. */
typedef struct percuss_force_function {
    int (*call)(double t, const percuss_force_state *at, double out[3], void *context);
    void *context;
    const double *breaks; /* times (s) at which it jumps or has a kink: no step crosses one; they are copied */
    int n_breaks;
} percuss_force_function;

/* A force, or a joint, as a part of a scene: a kind of the group "force" ("spring", "rotational_spring", "drag",
 * "magnus", "field", "motor", "force"; "pin", "slider", "weld"). Bodies are told by the names of their parts: "ball",
 * "chain.link2", "ground". function: of force, field and motor, in place of their numbers; NULL: none.
 * PERCUSS_E_ARGUMENT also where the body that it acts on is not told; whether the scene has it percuss_scene_new finds.
 * percuss_part_free gives it back. */
PERCUSS_API percuss_part *percuss_force_new(const char *kind, const percuss_option *options,
                                            const percuss_force_function *function, percuss_error *error);

/* A law for all contacts of two parts, by their names or those of what touches of them ("box.corner1"). */
typedef struct percuss_pair {
    const char *a, *b;
    const percuss_law *law;
} percuss_pair;

/* A scene of n parts. law: of all contacts that have none of their own in `pairs`; NULL: each needs one there.
 * options: group "scene". PERCUSS_E_ARGUMENT: nothing can move, two parts have one name, a contact has no law, a pair
 * does not meet; PERCUSS_E_UNSUPPORTED: a law is not planar, or does not go with the options. */
PERCUSS_API percuss_scene *percuss_scene_new(const percuss_part *const *parts, int n, const percuss_law *law,
                                             const percuss_pair *pairs, int n_pairs, const percuss_option *options,
                                             percuss_error *error);
PERCUSS_API void percuss_scene_free(percuss_scene *scene);

/* How many coordinates q, and as many velocities u, in the order of the parts: of a free body x, y (m), angle (rad); of
 * a chain its angles (rad), and of one that floats x, y (m) of its upper end behind them. 0 for NULL. */
PERCUSS_API int percuss_scene_dof(const percuss_scene *scene);

/* q and u at the start, n = dof numbers each; either may be NULL. */
PERCUSS_API percuss_code percuss_scene_start(const percuss_scene *scene, double *q, double *u, int n,
                                             percuss_error *error);

/* Name of contact i that is possible, "body on floor"; NULL beyond the last. */
PERCUSS_API const char *percuss_scene_contact(const percuss_scene *scene, int i);

/* Column i of what is known of a run at one instant (see percuss_run_at): its name and unit; NULL beyond the last.
 * angle1, rate1, x1, y1 (lower ends, m), Rx1, Ry1 (force on a link at its upper joint, N) of chains, and x0, y0, vx0,
 * vy0 of the upper end of one that floats; x, y, angle, vx, vy, rate of free bodies and, after its name, of an obstacle
 * that moves; gap (m), F_t, F_n (N) of contacts; kinetic, potential, energy (their sum), damped, torque and pivot
 * (their work), friction (what it took), lost (in impacts), J; with configuration = "moving" also stored and
 * dissipated; where obstacles move drive (the work of what drives them).
 */
PERCUSS_API const char *percuss_scene_column(const percuss_scene *scene, int i);
PERCUSS_API const char *percuss_scene_column_unit(const percuss_scene *scene, int i);

/* ---- runs ---- */

typedef struct percuss_run percuss_run;

/* What a simulation may be given besides options; members that are 0 or NULL mean what is said. What it points to is
 * copied, but for functions and their contexts. */
typedef struct percuss_setup {
    const double *q, *u;                  /* at the start, dof numbers each; NULL: those of the parts */
    const percuss_solver *solver;         /* NULL: dop853 */
    const percuss_solver *contact_solver; /* with configuration = "moving", while contacts are closed; its rtol is
                                             relative to their indentations; NULL: collocation, explicit or stiff as it
                                             turns out */
    const percuss_event *events;          /* functions of (q, u) */
    int n_events;
    const double *breaks; /* times (s) at which a torque, a pivot or the motion of an obstacle jumps or has a kink: no
                             step crosses one. Where the velocity of an obstacle jumps, what touches it is struck; its
                             place may not, nor place and velocity of a pivot */
    int n_breaks;
    double time_scale; /* what torques, pivots and obstacles do by time alone lasts at least so long, s; infinite: they
                          do not depend on time; 0: 1/256 of the duration, with breaks infinite */
    void (*progress)(double t, long impacts, void *context); /* called now and then */
    void *progress_context;
} percuss_setup;

typedef enum percuss_ending {
    PERCUSS_ENDED,       /* its time was over */
    PERCUSS_BY_EVENT,    /* a terminal event, or an action that said so */
    PERCUSS_BY_LIMIT,    /* max_impacts */
    PERCUSS_BY_STALLING, /* events of an ode have accumulated */
    PERCUSS_BY_FAILURE   /* a failure, which the call that met it told */
} percuss_ending;

/* Set a scene in motion. options: group "simulate"; setup may be NULL. *run is the run as far as it got, also where the
 * result is a failure; NULL if it could not be made. Failures: PERCUSS_E_ARGUMENT, PERCUSS_E_UNSUPPORTED (a solver that
 * does not serve scenes), PERCUSS_E_NUMERIC, PERCUSS_E_LIMIT (steps), PERCUSS_E_CALLBACK (a function asked to stop),
 * PERCUSS_E_MEMORY. */
PERCUSS_API percuss_code percuss_simulate(const percuss_scene *scene, const percuss_option *options,
                                          const percuss_setup *setup, percuss_run **run, percuss_error *error);

/* Let the run go on for a duration, s, >= 0; after a failure too. */
PERCUSS_API percuss_code percuss_run_continue(percuss_run *run, double duration, percuss_error *error);
PERCUSS_API void percuss_run_free(percuss_run *run);

/* How a run stands. */
typedef struct percuss_run_record {
    double start, time; /* s */
    percuss_ending ending;
    int event; /* which event ended it; -1: none */
    size_t n_events, n_impacts;
    long steps, rejected, rhs_calls;
    double energy_at_start; /* J */
} percuss_run_record;

PERCUSS_API percuss_code percuss_run_read(const percuss_run *run, percuss_run_record *out, percuss_error *error);

/* Something that happened. kind: "impact", "contact" (closes for good), "accumulation", "stick", "slip", "reversal",
 * "lift_off", "jam", "rest", "user" (an event of the setup). */
typedef struct percuss_run_event {
    double t; /* s */
    const char *kind;
    int event;        /* which event of the setup; -1: none */
    int contact;      /* which contact of the scene; -1: none */
    int mode;         /* of a contact that begins, sticks or slips: 0 stick, else the sign of slip */
    ptrdiff_t impact; /* its impact; -1: none */
    double ratio;     /* of an accumulation: of intervals; else NaN */
} percuss_run_event;

/* Event i < n_events of the run. */
PERCUSS_API percuss_code percuss_run_event_read(const percuss_run *run, size_t i, percuss_run_event *out,
                                                percuss_error *error);

/* An impact of a run, as it is kept. Components are t, n. Energies are those of the whole scene, potential included. */
typedef struct percuss_run_impact {
    double t;           /* s */
    int contact, order; /* which contact of the scene; the how-manieth impact at this instant, from 0 */
    const char *rule;   /* "sequential": by its law alone; "tied" or "simultaneous": as one with others;
                                "compliant": by its law while everything moved */
    int over;           /* 0: of a compliant one, it lasts */
    double stop;        /* end of a compliant one, s; t of others; NaN while it lasts */
    percuss_outcome outcome;
    unsigned flags;
    int n_phases;
    double velocity_before[2], velocity[2]; /* of the contact point, m/s */
    double impulse[2];                      /* N s */
    double W[2][2];                         /* mobility, 1/kg */
    double energy_before, energy;           /* J */
    double driven;                /* work that moving obstacles gave; energy_before + driven - energy is lost */
    double peak[2], peak_time[2]; /* of a compliant one: greatest |F_t| and F_n, N; when, s; else NaN */
} percuss_run_impact;

/* Impact i < n_impacts of the run; q, u_before and u_after: coordinates at its beginning and velocities before and
 * after, n = dof numbers each; each may be NULL. */
PERCUSS_API percuss_code percuss_run_impact_read(const percuss_run *run, size_t i, percuss_run_impact *out, double *q,
                                                 double *u_before, double *u_after, int n, percuss_error *error);

/* The same with all that its law knows: phases, works, restitutions, duration. Its body is known by its mobility, so
 * energies are the contact's share. PERCUSS_E_UNSUPPORTED: it was struck as one with others, or is a compliant one of a
 * motion that was not recorded. */
PERCUSS_API percuss_impact *percuss_run_impact_detail(percuss_run *run, size_t i, percuss_error *error);

/* Coordinates and velocities (n = dof numbers each; either may be NULL) at a time of a recorded run, s; where they jump
 * side < 0 means before. */
PERCUSS_API percuss_code percuss_run_state(percuss_run *run, double t, int side, double *q, double *u, int n,
                                           percuss_error *error);

/* All columns of the scene at a time, n of them (percuss_scene_column; as many as there are). */
PERCUSS_API percuss_code percuss_run_at(percuss_run *run, double t, int side, double *values, int n,
                                        percuss_error *error);

/* What one force of the scene has done up to a time of a recorded run, J: what it gave, and what it damped (>= 0); what
 * a spring stores counts as neither. name: its own, or that of its kind; either pointer may be NULL.
 * PERCUSS_E_ARGUMENT: there is no such force, or the run was not there or not recorded. */
PERCUSS_API percuss_code percuss_run_work(percuss_run *run, const char *name, double t, double *given, double *damped,
                                          percuss_error *error);

/* Write a run into a file, whole or not at all; and read one, which answers and goes on to the last bit as the first
 * one would. What a file cannot hold is given again: the scene, and options and setup of percuss_simulate (duration,
 * start, q and u do not count). PERCUSS_E_SYSTEM: the file; PERCUSS_E_ARGUMENT: it is none, damaged, or a run of
 * another scene or of other settings. */
PERCUSS_API percuss_code percuss_run_save(const percuss_run *run, const char *path, percuss_error *error);
PERCUSS_API percuss_run *percuss_run_load(const percuss_scene *scene, const percuss_option *options,
                                          const percuss_setup *setup, const char *path, percuss_error *error);

/* ---- differential equations ---- */

typedef struct percuss_motion percuss_motion;

/* y' = f(t, y), n components. Members that are 0 or NULL mean what is said. */
typedef struct percuss_ode {
    int n;
    /* Writes the rates; returns 0, a positive number where they cannot be evaluated (the step is tried again, shorter),
     * a negative one to stop with an error. */
    int (*rhs)(double t, const double *y, double *dydt, void *context);
    /* df/dy, n rows of n, zeroed before; NULL: by differences, where a method needs it. */
    int (*jacobian)(double t, const double *y, double *dfdy, void *context);
    void *context;
    int n_positions; /* for symplectic methods: y begins with so many positions; 0: it does not */
    int autonomous;  /* 1: f does not depend on t */
    const percuss_event *events;
    int n_events;
    int max_events;       /* 0: 100000 */
    const double *breaks; /* times at which f jumps by t alone */
    int n_breaks;
    double time_scale;            /* as in percuss_setup */
    const percuss_solver *solver; /* NULL: dop853 */
    int forget;                   /* 1: keep the end alone, not the motion */
    /* Called now and then; not 0 stops with an error. NULL: nothing. */
    int (*progress)(double t, size_t n_events, void *context);
    void *progress_context;
} percuss_ode;

/* Solve from y0 at t0 to t1, which may lie before t0. *motion is the motion as far as it got, also where the result is
 * a failure; NULL if it could not be made. Failures as in percuss_simulate. */
PERCUSS_API percuss_code percuss_ode_solve(const percuss_ode *ode, const double *y0, double t0, double t1,
                                           percuss_motion **motion, percuss_error *error);
PERCUSS_API void percuss_motion_free(percuss_motion *motion);

/* How a motion ended. */
typedef struct percuss_motion_record {
    int n;
    double start, time; /* s */
    percuss_ending ending;
    int event; /* which event ended it; -1: none */
    size_t n_events;
    long steps, rejected, rhs_calls, jacobians, factorizations, event_calls;
    double fit_error; /* greatest error of a fit to an event function, relative to its size, where above 1e-12 */
} percuss_motion_record;

PERCUSS_API percuss_code percuss_motion_read(const percuss_motion *motion, percuss_motion_record *out,
                                             percuss_error *error);

/* The n components at a time, from the polynomials of the steps; where they jump side < 0 means before.
 * PERCUSS_E_ARGUMENT: the motion was not there then, or it was not kept. */
PERCUSS_API percuss_code percuss_motion_at(const percuss_motion *motion, double t, int side, double *y, int n,
                                           percuss_error *error);

/* An event that happened. */
typedef struct percuss_motion_event {
    double t;         /* s */
    int event;        /* which */
    int direction;    /* -1: g went down through zero; +1: up; 0: it touched it */
    int from;         /* sign of g before; 0: at the start */
    int multiplicity; /* of the zero */
} percuss_motion_event;

/* Event i < n_events of the motion; before, after: the n components before and after its action; each may be NULL. */
PERCUSS_API percuss_code percuss_motion_event_read(const percuss_motion *motion, size_t i, percuss_motion_event *out,
                                                   double *before, double *after, int n, percuss_error *error);

#ifdef __cplusplus
}
#endif

#endif
