/* What the files of the C interface share: handles, failures, and the reading of options by the rows of a schema.
 *
 * percuss.h is written in the words of those who call it, this room joins it to the core. Structs and enums of the core
 * may change from day to day; those of percuss.h may not, so values are copied one by one.
 */
#ifndef PC_FACE_FACE_H
#define PC_FACE_FACE_H

#include "percuss.h"

#include "base/row.h"
#include "body/body.h"
#include "event/event.h"
#include "law/law.h"
#include "law/rigid/rigid.h"
#include "motion/collision.h"
#include "motion/look.h"

#include <stdatomic.h>

enum { PC_FACE_NAME = 48 };

/* ---- handles ---- */

typedef enum pc_handle_type {
    PC_HANDLE_MATERIAL,
    PC_HANDLE_LAW,
    PC_HANDLE_BODY,
    PC_HANDLE_IMPACT,
    PC_HANDLE_SOLVER,
    PC_HANDLE_PART,
    PC_HANDLE_SCENE,
    PC_HANDLE_RUN,
    PC_HANDLE_MOTION,
    PC_HANDLE_RESTITUTION,
} pc_handle_type;

/* Every handle begins with this. It is freed with its last reference: those who made it hold one, and so does each
 * handle that was made of it. */
typedef struct pc_handle {
    pc_handle_type type;
    atomic_int references;
    void (*close)(struct pc_handle *handle); /* gives back what it holds, but not itself; NULL: nothing */
} pc_handle;

/* A zeroed handle of `size` bytes with one reference, or NULL with the failure. */
void *pc_handle_new(pc_handle_type type, size_t size, void (*close)(pc_handle *handle), percuss_error *error);

/* One more reference to a handle whose first member is its pc_handle; NULL stays NULL. */
const void *pc_handle_keep(const void *handle);
void pc_handle_drop(const void *handle);

/* A handle that is complete; or, where making it failed, NULL, and it is dropped. */
void *pc_handle_made(void *handle, percuss_code code);

struct percuss_material {
    pc_handle handle;
    pc_material material;
};

/* By a kind, whose parameters follow, or by a function of the caller. */
struct percuss_restitution {
    pc_handle handle;
    pc_coefficient coefficient; /* rows copy it */
    pc_curve curve;
    const pc_restitution_kind *kind;
    int (*function)(double speed, double *value, void *context);
    void *context;
    double *lists; /* of a table: speeds, values, slopes */
    _Alignas(max_align_t) unsigned char params[];
};

struct percuss_law {
    pc_handle handle;
    const pc_law *law;
    const percuss_restitution *restitution; /* that its parameters point to; or NULL */
    uint64_t given;
    _Alignas(max_align_t) unsigned char params[]; /* law->schema->size bytes */
};

struct percuss_body {
    pc_handle handle;
    pc_body body;
    percuss_body_values values;
    _Alignas(max_align_t) unsigned char params[]; /* of body.kind; none of a pair */
};

struct percuss_solver {
    pc_handle handle;
    const pc_ode_method *method;
    pc_ode_settings settings;
};

/* Lists end with the scene; its parts and the laws of its pairs are kept. */
struct percuss_scene {
    pc_handle handle;
    pc_scene scene;
    pc_chain *chains; /* of its members */
    int n_chains, n_laws, n_columns, n_parts;
    const percuss_law **laws;
    const percuss_part **parts;
    pc_run_column *columns;
    double *start; /* q, u */
    bool calls;    /* torques, pivots, motions of obstacles, or forces without breaks, are functions of the caller */
};

/* ---- failures ---- */

/* Fill the record, which may be NULL, and return the code. parameter and unit: "" where there is none. */
percuss_code pc_face_fail(percuss_error *error, percuss_code code, const char *parameter, const char *unit,
                          const char *format, ...) PC_PRINTF(5, 6);

/* The same with what the core says. */
percuss_code pc_face_put(percuss_error *error, const pc_error *err);

/* NULL where a handle, or a pointer to something, has to be: a failure that is in the record stays. */
percuss_code pc_face_null(percuss_error *error, const char *function, const char *argument);

/* 0 <= i < n: "there is no phase 3; the impact has 2". And n, the room of the caller, is what there is: "n = 2, but the
 * scene has 3 coordinates". */
percuss_code pc_face_index(const char *function, const char *what, const char *owner, ptrdiff_t i, ptrdiff_t n,
                           percuss_error *error);
percuss_code pc_face_count(const char *function, const char *owner, const char *what, int n, int has,
                           percuss_error *error);

/* True if n numbers are finite; else the failure names the first that is not. */
bool pc_face_finite(const double *v, size_t n, const char *function, const char *argument, const char *unit,
                    percuss_error *error);

/* True if n numbers are finite, >= 0 and ascend. */
bool pc_face_ascending(const double *v, size_t n, const char *function, const char *argument, const char *unit,
                       percuss_error *error);

/* "; did you mean 'floor'?" if one of n words is near to this one, else "". */
enum { PC_FACE_HINT = 96 };
const char *pc_face_hint(const char *word, const char *const *words, int n, char text[PC_FACE_HINT]);

/* ---- options ---- */

/* An object with its defaults, the options that the caller gives, and the end of it (see base/row.h). `given` may be
 * NULL. */
percuss_code pc_face_read(const pc_schema *schema, const percuss_option *options, void *object, uint64_t *given,
                          percuss_error *error);

/* The steps of that: one option into its row; and what follows from all of them. */
percuss_code pc_face_set(const pc_schema *schema, const percuss_option *option, void *object, uint64_t *given,
                         percuss_error *error);
percuss_code pc_face_finish(const pc_schema *schema, void *object, uint64_t given, percuss_error *error);

/* The same where places stand in a matrix of two columns, in place of a list (pc_row_is_places): that option in
 * *places, which is NULL if there is none. */
percuss_code pc_face_read_places(const pc_schema *schema, const percuss_option *options, void *object,
                                 const percuss_option **places, percuss_error *error);

/* The handle in an option, which has to be of this type; NULL with the failure. */
const void *pc_face_object(const char *where, const percuss_option *option, pc_handle_type type, percuss_error *error);

/* A row that is a number. */
percuss_code pc_face_get(const pc_schema *schema, const void *object, const char *name, double *value,
                         percuss_error *error);

/* The schema of a kind of a group; NULL with the failure, which names the nearest kind. *index: which one. */
const pc_schema *pc_face_kind(const char *group, const char *kind, int *index, percuss_error *error);

/* ---- solvers and events ---- */

/* What solver says, or the method and the settings that stand without one. */
void pc_face_solver(const percuss_solver *solver, const pc_ode_method **method, pc_ode_settings *settings);

/* Events and breaks of the caller, as the core has them: copies in blocks that pc_face_watch_close gives back. */
typedef struct pc_face_watch {
    pc_event *events;
    char (*names)[PC_FACE_NAME];
    int n_events;
    double *t; /* of the breaks */
    pc_breaks breaks;
} pc_face_watch;

/* actions: whether events may have any. The watch is zeroed before; on failure there is something to close as well. */
percuss_code pc_face_watch_open(pc_face_watch *watch, const char *function, const percuss_event *events, int n_events,
                                bool actions, const double *breaks, int n_breaks, percuss_error *error);
void pc_face_watch_close(pc_face_watch *watch);

/* Times of the caller, as the core takes breaks: ascending. */
void pc_face_copy_times(const double *times, size_t n, double *out);

/* time_scale of the caller in that of the core, for a stretch of time; silent: 0 says that it is not known. Negative
 * numbers and NaN are refused. */
percuss_code pc_face_time_scale(const char *function, double given, double stretch, bool silent, double *out,
                                percuss_error *error);

/* ---- impacts ---- */

/* An impact of a body known by its mobility alone, which is to be filled in; NULL with the failure. */
percuss_impact *pc_face_impact_new(const pc_mobility *W, const percuss_law *law, percuss_error *error);
pc_collision *pc_face_impact_collision(percuss_impact *impact);

/* Its collision is complete: the record follows. */
void pc_face_impact_finish(percuss_impact *impact);

#endif
