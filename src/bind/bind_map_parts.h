/* What the files of percuss.map share: a call that was read, and the filler of its columns. */
#ifndef PC_BIND_BIND_MAP_PARTS_H
#define PC_BIND_BIND_MAP_PARTS_H

#include "bind/bind_body.h"
#include "bind/bind_contact.h"
#include "engine/map.h"

enum { PC_MAP_SOURCES_MAX = 32 };

/* Stack indices of the arguments. */
enum { PC_MAP_BODY = 1, PC_MAP_LAW, PC_MAP_OPTIONS };

/* Components of the motion that can vary. */
enum { PC_MOTION_VT, PC_MOTION_VN, PC_MOTION_SPEED, PC_MOTION_INCIDENCE, PC_MOTION_RATE, PC_N_MOTION };

/* One name of the options that varies: where its values go. */
typedef enum pc_map_target { PC_MAP_TO_MOTION, PC_MAP_TO_LAW, PC_MAP_TO_BODY } pc_map_target;
typedef struct pc_map_source {
    pc_map_target to;
    int row; /* of the law's or the body's schema */
    const char *name;
    const double *values;
} pc_map_source;

typedef struct pc_map_request {
    lua_State *L;
    pc_bound_body *body;
    pc_bound_law *law;
    size_t n; /* 0: no array seen so far */
    int n_sources;
    pc_map_source sources[PC_MAP_SOURCES_MAX];
    int motion;                     /* stack index of the table with the fixed part of the motion */
    void *law_params, *body_params; /* working copies */
    uint64_t law_given, body_given;
    uint64_t law_fresh, body_fresh; /* of those, what the options give */
    bool law_varies, body_varies, motion_varies;
} pc_map_request;

/* What the motion table says where nothing varies; then the varying components over it. The forms that can vary are
 * { vt, vn }, { speed, incidence } and { rate }. */
typedef struct pc_map_motion {
    double fixed[PC_N_MOTION]; /* NaN: not given */
    const double *values[PC_N_MOTION];
    double v[3], u[PC_BODY_DOF]; /* of a motion that does not vary */
} pc_map_motion;

/* What the threads of a map read of the call. */
typedef struct pc_map_fill {
    const pc_map_request *r;
    const pc_map_motion *m;
} pc_map_fill;

/* bind_map_request.c: read the options, and the motion at the first point, which tells its form. */
void pc_map_read_options(pc_map_request *r);
void pc_map_open_motion(pc_map_request *r, pc_map_motion *m);

/* bind_map_fill.c. The filler of the map (engine/map.h); its context is a pc_map_fill. */
pc_status pc_map_fill_block(const void *context, size_t first, size_t n, const pc_map_block *to, pc_error *err);

/* Set the rows of one schema that vary, check them, and derive the alternatives. What is given is the same at every
 * point, so that it is checked at the first of a block alone. */
pc_status pc_map_set_rows(const pc_map_request *r, pc_map_target to, const pc_schema *schema, size_t i, bool first,
                          void *params, uint64_t given, pc_error *err);

/* An error of one point names it, unless the text does so already. */
pc_status pc_map_name_point(pc_status status, size_t i, pc_error *err);

/* False, and the error says which point it is. */
bool pc_map_velocity_is_finite(size_t i, double v_t, double v_n, pc_error *err);

#endif
