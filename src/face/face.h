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
#include "law/law.h"
#include "ode/ode.h"

#include <stdatomic.h>

/* ---- handles ---- */

typedef enum pc_handle_type {
    PC_HANDLE_MATERIAL,
    PC_HANDLE_LAW,
    PC_HANDLE_BODY,
    PC_HANDLE_IMPACT,
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

struct percuss_material {
    pc_handle handle;
    pc_material material;
};

struct percuss_law {
    pc_handle handle;
    const pc_law *law;
    uint64_t given;
    _Alignas(max_align_t) unsigned char params[]; /* law->schema->size bytes */
};

struct percuss_body {
    pc_handle handle;
    pc_body body;
    percuss_body_values values;
    _Alignas(max_align_t) unsigned char params[]; /* of body.kind; none of a pair */
};

/* ---- failures ---- */

/* Fill the record, which may be NULL, and return the code. parameter and unit: "" where there is none. */
percuss_code pc_face_fail(percuss_error *error, percuss_code code, const char *parameter, const char *unit,
                          const char *format, ...) PC_PRINTF(5, 6);

/* The same with what the core says. */
percuss_code pc_face_put(percuss_error *error, const pc_error *err);

/* NULL where a handle, or a pointer to something, has to be: a failure that is in the record stays. */
percuss_code pc_face_null(percuss_error *error, const char *function, const char *argument);

/* True if n numbers are finite; else the failure names the first that is not. */
bool pc_face_finite(const double *v, size_t n, const char *function, const char *argument, const char *unit,
                    percuss_error *error);

/* True if n numbers are finite, >= 0 and ascend. */
bool pc_face_ascending(const double *v, size_t n, const char *function, const char *argument, const char *unit,
                       percuss_error *error);

/* ---- options ---- */

/* An object with its defaults, the options that the caller gives, and the end of it (see base/row.h). `given` may be
 * NULL. */
percuss_code pc_face_read(const pc_schema *schema, const percuss_option *options, void *object, uint64_t *given,
                          percuss_error *error);

/* The steps of that: one option into its row; and what follows from all of them. */
percuss_code pc_face_set(const pc_schema *schema, const percuss_option *option, void *object, uint64_t *given,
                         percuss_error *error);
percuss_code pc_face_finish(const pc_schema *schema, void *object, uint64_t given, percuss_error *error);

/* The handle in an option, which has to be of this type; NULL with the failure. */
const void *pc_face_object(const char *where, const percuss_option *option, pc_handle_type type, percuss_error *error);

/* A row that is a number. */
percuss_code pc_face_get(const pc_schema *schema, const void *object, const char *name, double *value,
                         percuss_error *error);

/* The schema of a kind of a group; NULL with the failure, which names the nearest kind. *index: which one. */
const pc_schema *pc_face_kind(const char *group, const char *kind, int *index, percuss_error *error);

/* ---- impacts ---- */

/* The members of a contact state, but for its energy. */
void pc_face_state(const pc_state *state, percuss_contact_state *out);

#endif
