/* Filling the columns of percuss.map, a block at a time, in several threads; nothing here knows Lua. */
#include "base/alloc.h"
#include "bind/bind_map_parts.h"

#include <math.h>
#include <string.h>

/* ---- the motion at one point ---- */

bool pc_map_velocity_is_finite(size_t i, double v_t, double v_n, pc_error *err)
{
    if (isfinite(v_t) && isfinite(v_n)) return true;
    pc_fail(err, PC_E_ARGUMENT, "map: the velocity of point %zu is not finite (vt = %g, vn = %g m/s)", i + 1, v_t, v_n);
    return false;
}

static double motion_at(const pc_map_motion *m, int word, size_t i)
{
    return m->values[word] ? m->values[word][i] : m->fixed[word];
}

/* Contact velocity, and with_own the body's own velocities, at point i of a body that may differ from point to point. A
 * jointed body allows few contact velocities, which its own tell. */
static pc_status motion_point(const pc_map_request *r, const pc_map_motion *m, size_t i, const pc_body *body,
                              bool with_own, double v[3], double *u, pc_error *err)
{
    bool polar = m->values[PC_MOTION_SPEED] || m->values[PC_MOTION_INCIDENCE] || !isnan(m->fixed[PC_MOTION_SPEED]);
    bool own = m->values[PC_MOTION_RATE] || !isnan(m->fixed[PC_MOTION_RATE]);
    v[PC_T2] = 0;
    if (own) {
        u[0] = motion_at(m, PC_MOTION_RATE, i);
        pc_body_contact_velocity(body, u, v);
    } else if (polar) {
        double speed = motion_at(m, PC_MOTION_SPEED, i), incidence = motion_at(m, PC_MOTION_INCIDENCE, i);
        v[PC_T] = speed * sin(incidence);
        v[PC_N] = -speed * cos(incidence);
    } else if (r->motion_varies || !isnan(m->fixed[PC_MOTION_VN])) {
        v[PC_T] = motion_at(m, PC_MOTION_VT, i);
        v[PC_N] = motion_at(m, PC_MOTION_VN, i);
    } else { /* v, omega or rates: the same for all points */
        memcpy(u, m->u, (size_t)body->dof * sizeof *u);
        pc_body_contact_velocity(body, u, v);
        return PC_OK;
    }
    if (!pc_map_velocity_is_finite(i, v[PC_T], v[PC_N], err)) return PC_E_ARGUMENT;
    return own || !with_own ? PC_OK : pc_body_velocities(body, v, u, err);
}

/* ---- columns ---- */

/* The working copies of one thread. */
typedef struct workbench {
    pc_body body;
    unsigned char *law, *body_params;
} workbench;

pc_status pc_map_set_rows(const pc_map_request *r, pc_map_target to, const pc_schema *schema, size_t i, bool first,
                          void *params, uint64_t given, pc_error *err)
{
    for (int k = 0; k < r->n_sources; k++) {
        const pc_map_source *s = &r->sources[k];
        if (s->to != to) continue;
        uint64_t fresh = 0;
        pc_status status = pc_schema_set_number(schema, s->row, params, s->values[i], &fresh, err);
        if (status) return status;
    }
    if (first) return pc_schema_finish(schema, params, given, err);
    return schema->validate ? schema->validate(schema, params, given, err) : PC_OK;
}

/* Point i of the call is point k of the block. */
static pc_status fill_point(const pc_map_fill *c, workbench *w, size_t i, size_t k, const pc_map_block *to,
                            pc_error *err)
{
    const pc_map_request *r = c->r;
    const pc_body *here = &r->body->body;
    pc_status status;
    if (r->body_varies) {
        const pc_body_kind *kind = r->body->body.kind;
        status = pc_map_set_rows(r, PC_MAP_TO_BODY, kind->schema, i, k == 0, w->body_params, r->body_given, err);
        if (!status) status = pc_body_make(kind, w->body_params, &w->body, err);
        if (status) return status;
        here = &w->body;
        to->w_tt[k] = here->W.tt;
        to->w_tn[k] = here->W.tn;
        to->w_nn[k] = here->W.nn;
        to->rank[k] = here->W.rank;
    }
    if (to->v_t) {
        double v[3] = {0}, u[PC_BODY_DOF] = {0};
        bool with_own = here->dof > 0 && (to->energy || here->form == PC_BODY_JOINTED);
        status = motion_point(r, c->m, i, here, with_own, v, u, err);
        if (status) return status;
        to->v_t[k] = v[PC_T];
        to->v_n[k] = v[PC_N];
        if (to->energy) to->energy[k] = here->dof > 0 ? pc_body_energy(here, u) : pc_mobility_energy(&here->W, v);
    }
    if (!r->law_varies) return PC_OK;
    const pc_schema *schema = r->law->law->schema;
    status = pc_map_set_rows(r, PC_MAP_TO_LAW, schema, i, k == 0, w->law, r->law_given, err);
    for (int row = 0; row < schema->n_rows && !status; row++)
        if (to->rows[row]) to->rows[row][k] = *(double *)(void *)(w->law + schema->rows[row].offset);
    return status;
}

pc_status pc_map_name_point(pc_status status, size_t i, pc_error *err)
{
    char text[PC_ERROR_TEXT];
    memcpy(text, err->text, sizeof text);
    if (strncmp(text, "map: ", 5) != 0) pc_fail(err, status, "map: point %zu: %.400s", i + 1, text);
    return status;
}

pc_status pc_map_fill_block(const void *context, size_t first, size_t n, const pc_map_block *to, pc_error *err)
{
    const pc_map_fill *c = context;
    const pc_map_request *r = c->r;
    size_t law_size = (r->law->law->schema->size + 15) & ~(size_t)15;
    size_t body_size = r->body->body.kind ? r->body->body.kind->schema->size : 0;
    workbench *w = pc_calloc(1, sizeof *w);
    unsigned char *params = pc_calloc(1, law_size + body_size);
    pc_status status = w && params ? PC_OK : pc_fail(err, PC_E_MEMORY, "no memory for a block of a map");
    if (!status) {
        w->law = memcpy(params, r->law_params, r->law->law->schema->size);
        w->body_params = params + law_size;
        if (body_size) memcpy(w->body_params, r->body_params, body_size);
    }
    for (size_t k = 0; k < n && !status; k++) {
        status = fill_point(c, w, first + k, k, to, err);
        if (status) pc_map_name_point(status, first + k, err);
    }
    pc_free(params);
    pc_free(w);
    return status;
}
