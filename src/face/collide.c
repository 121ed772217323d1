/* Materials, laws, bodies and their impacts: see percuss.h. */
#include "face/face.h"

#include "base/alloc.h"
#include "base/thread.h"
#include "engine/collide.h"
#include "motion/collision.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct percuss_impact {
    pc_handle handle;
    const percuss_body *body;
    const percuss_law *law;
    pc_collision collision;
    percuss_impact_record record;
};

/* ---- materials ---- */

percuss_material *percuss_material_new(const percuss_option *options, percuss_error *error)
{
    percuss_material *self = pc_handle_new(PC_HANDLE_MATERIAL, sizeof *self, NULL, error);
    if (!self) return NULL;
    return pc_handle_made(self, pc_face_read(&pc_material_schema, options, &self->material, NULL, error));
}

/* ---- restitution ---- */

static const percuss_restitution *of_curve(const pc_curve *curve)
{
    return (const void *)((const char *)curve - offsetof(percuss_restitution, curve));
}

static pc_status kind_at(const pc_curve *curve, double speed, double *e, pc_error *err)
{
    const percuss_restitution *self = of_curve(curve);
    (void)err;
    *e = self->kind->at(self->params, speed);
    return PC_OK;
}

static pc_status function_at(const pc_curve *curve, double speed, double *e, pc_error *err)
{
    const percuss_restitution *self = of_curve(curve);
    double value = NAN;
    *e = NAN;
    if (self->function(speed, &value, self->context) < 0)
        return pc_fail(err, PC_E_CALLBACK, "restitution: its function asked to stop at a speed of %.10g m/s", speed);
    if (!(value >= 0 && value <= 1))
        return pc_fail(err, PC_E_CALLBACK,
                       "restitution: its function gave %.10g, which is not from 0 to 1, at a speed of %.10g m/s", value,
                       speed);
    *e = value;
    return PC_OK;
}

static void close_restitution(pc_handle *handle)
{
    pc_free(((percuss_restitution *)handle)->lists);
}

static percuss_restitution *restitution_new(size_t size, percuss_error *error)
{
    percuss_restitution *self = pc_handle_new(PC_HANDLE_RESTITUTION, sizeof *self + size, close_restitution, error);
    if (!self) return NULL;
    self->coefficient = (pc_coefficient){NAN, &self->curve};
    self->curve.text = "restitution by the speed of approach";
    return self;
}

/* The lists of a table, which rows of numbers do not hold. */
static percuss_code read_table(percuss_restitution *self, const pc_schema *schema, const percuss_option *options,
                               percuss_error *error)
{
    const percuss_option *given[2] = {NULL};
    for (const percuss_option *o = options; o && o->name; o++) {
        const int row = pc_schema_find(schema, o->name);
        if (row < 0) return pc_face_set(schema, o, self->params, &(uint64_t){0}, error);
        if (given[row] || o->is != PERCUSS_IS_LIST || !o->values || o->columns < 2)
            return pc_face_fail(error, PERCUSS_E_ARGUMENT, o->name, row ? "" : "m/s", "%s: %s must be %s", schema->name,
                                o->name, given[row] ? "given once" : "a list of two numbers or more");
        given[row] = o;
    }
    for (int i = 0; i < 2; i++)
        if (!given[i])
            return pc_face_fail(error, PERCUSS_E_ARGUMENT, schema->rows[i].name, i ? "" : "m/s", "%s: %s is needed",
                                schema->name, schema->rows[i].name);
    const size_t n = (size_t)given[0]->columns;
    if (given[1]->columns != given[0]->columns)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "values", "", "%s: %zu speeds and %d values; give as many",
                            schema->name, n, given[1]->columns);
    self->lists = pc_calloc(3 * n, sizeof *self->lists);
    if (!self->lists) return pc_face_fail(error, PERCUSS_E_MEMORY, "", "", "%s: not enough memory", schema->name);
    for (size_t i = 0; i < 2; i++) memcpy(self->lists + i * n, given[i]->values, n * sizeof *self->lists);
    pc_restitution_table *table = (void *)self->params;
    *table = (pc_restitution_table){n, self->lists, self->lists + n, self->lists + 2 * n};
    pc_error err = {0};
    return pc_restitution_table_fit(table, self->lists + 2 * n, &err) == PC_OK ? PERCUSS_OK : pc_face_put(error, &err);
}

percuss_restitution *percuss_restitution_new(const char *kind, const percuss_option *options, percuss_error *error)
{
    int index;
    const pc_schema *schema = pc_face_kind("restitution", kind, &index, error);
    percuss_restitution *self = schema ? restitution_new(schema->size, error) : NULL;
    if (!self) return NULL;
    self->kind = &pc_restitution_kinds[index];
    self->curve.at = kind_at;
    percuss_code code = schema->rows[0].kind == PC_NUMBERS ? read_table(self, schema, options, error)
                                                           : pc_face_read(schema, options, self->params, NULL, error);
    return pc_handle_made(self, code);
}

percuss_restitution *percuss_restitution_function(int (*function)(double speed, double *value, void *context),
                                                  void *context, percuss_error *error)
{
    if (!function) return pc_face_null(error, "restitution_function", "function"), NULL;
    percuss_restitution *self = restitution_new(0, error);
    if (!self) return NULL;
    self->function = function;
    self->context = context;
    self->curve.at = function_at;
    return self;
}

percuss_code percuss_restitution_at(const percuss_restitution *restitution, double speed, double *value,
                                    percuss_error *error)
{
    if (!restitution || !value) return pc_face_null(error, "restitution_at", restitution ? "value" : "restitution");
    if (!(speed >= 0) || !isfinite(speed))
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "speed", "m/s",
                            "restitution_at: speed = %g m/s is not allowed; it must be finite and >= 0 m/s", speed);
    pc_error err = {0};
    const pc_curve *curve = &restitution->curve;
    return curve->at(curve, speed, value, &err) == PC_OK ? PERCUSS_OK : pc_face_put(error, &err);
}

/* ---- laws ---- */

/* Rows that were not given by themselves take what a body or a material gives. */
static void offer(percuss_law *self, pc_role role, double value, uint64_t given)
{
    const pc_schema *schema = self->law->schema;
    int row = pc_schema_find_role(schema, role);
    if (row < 0 || isnan(value) || given >> row & 1) return;
    self->given &= ~(UINT64_C(1) << row); /* a body may have given it, and a material says it better */
    pc_schema_set_number(schema, row, self->params, value, &self->given, NULL);
}

static percuss_code offer_material(percuss_law *self, const pc_material *m, bool counter, uint64_t given,
                                   percuss_error *error)
{
    if (isnan(m->young) || isnan(m->poisson))
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, counter ? "counter_material" : "material", "",
                            "%s: material '%s' has no young and poisson", self->law->schema->name, m->name);
    offer(self, counter ? PC_COUNTER_YOUNG : PC_YOUNG, m->young, given);
    offer(self, counter ? PC_COUNTER_POISSON : PC_POISSON, m->poisson, given);
    return PERCUSS_OK;
}

/* The options that stand for several rows, of laws that have such rows. */
static const char *const several[] = {"body", "material", "counter_material"};

static int which_several(const pc_schema *schema, const char *name)
{
    for (int i = 0; i < 3 && pc_schema_find_role(schema, PC_YOUNG) >= 0; i++)
        if (strcmp(name, several[i]) == 0) return i;
    return -1;
}

static percuss_code take_several(percuss_law *self, const percuss_option *o, int which, uint64_t given,
                                 percuss_error *error)
{
    const char *where = self->law->schema->name;
    if (which == 0) {
        const percuss_body *body = pc_face_object(where, o, PC_HANDLE_BODY, error);
        if (!body) return PERCUSS_E_ARGUMENT;
        percuss_code code = offer_material(self, &body->body.material, false, given, error);
        if (code == PERCUSS_OK && body->body.curvature > 0) offer(self, PC_RADIUS, 1 / body->body.curvature, given);
        return code;
    }
    /* a material, by name or as a handle: as the row of a body would take it */
    static const pc_row row = {.name = "material",
                               .kind = PC_OBJECT,
                               .offset = 0,
                               .count = sizeof(pc_material),
                               .initial = PC_ABSENT,
                               .object = "material",
                               .doc = ""};
    const pc_schema schema = {.name = where, .rows = &row, .n_rows = 1, .size = sizeof(pc_material)};
    percuss_option as_row = *o;
    as_row.name = "material";
    pc_material material;
    uint64_t seen = 0;
    percuss_code code = pc_face_set(&schema, &as_row, &material, &seen, error);
    return code == PERCUSS_OK ? offer_material(self, &material, which == 2, given, error) : code;
}

static percuss_code read_law(percuss_law *self, const percuss_option *options, percuss_error *error)
{
    const pc_schema *schema = self->law->schema;
    percuss_code code = PERCUSS_OK;
    pc_schema_defaults(schema, self->params);
    for (const percuss_option *o = options; o && o->name && code == PERCUSS_OK; o++)
        if (which_several(schema, o->name) < 0) code = pc_face_set(schema, o, self->params, &self->given, error);
    uint64_t given = self->given;
    for (int which = 0; which < 3; which++)
        for (const percuss_option *o = options; o && o->name && code == PERCUSS_OK; o++)
            if (which_several(schema, o->name) == which) code = take_several(self, o, which, given, error);
    return code == PERCUSS_OK ? pc_face_finish(schema, self->params, self->given, error) : code;
}

static void close_law(pc_handle *handle)
{
    pc_handle_drop(((percuss_law *)handle)->restitution);
}

percuss_law *percuss_law_new(const char *kind, const percuss_option *options, percuss_error *error)
{
    int index;
    const pc_schema *schema = pc_face_kind("law", kind, &index, error);
    if (!schema) return NULL;
    percuss_law *self = pc_handle_new(PC_HANDLE_LAW, sizeof *self + schema->size, close_law, error);
    if (!self) return NULL;
    self->law = pc_laws[index];
    percuss_code code = read_law(self, options, error);
    const int row = pc_schema_find_role(schema, PC_RESTITUTION);
    const pc_curve *curve = code == PERCUSS_OK && row >= 0 ? pc_row_curve(&schema->rows[row], self->params) : NULL;
    if (curve) self->restitution = pc_handle_keep(of_curve(curve));
    return pc_handle_made(self, code);
}

percuss_code percuss_law_get(const percuss_law *law, const char *name, double *value, percuss_error *error)
{
    if (!law) return pc_face_null(error, "law_get", "law");
    return pc_face_get(law->law->schema, law->params, name, value, error);
}

percuss_code percuss_law_restitution(const percuss_law *law, const percuss_body *body, double speed,
                                     double *restitution, percuss_error *error)
{
    if (!law || !body || !restitution)
        return pc_face_null(error, "law_restitution", !law ? "law" : !body ? "body" : "restitution");
    if (!(speed > 0) || !isfinite(speed))
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "speed", "m/s",
                            "law_restitution: speed = %g m/s is not allowed; it must be finite and > 0 m/s", speed);
    pc_error err = {0};
    if (pc_body_require_rigid(&body->body, "law_restitution", &err)) return pc_face_put(error, &err);
    *restitution = pc_law_restitution(law->law, law->params, body->body.W.nn, speed, &err);
    return err.code == PC_OK ? PERCUSS_OK : pc_face_put(error, &err);
}

/* ---- bodies ---- */

static void fill_values(percuss_body *self)
{
    const pc_body *body = &self->body;
    const pc_mobility *w = &body->W;
    self->values =
        (percuss_body_values){.dof = body->dof,
                              .spatial = body->spatial,
                              .rank = w->rank,
                              .mass = body->mass,
                              .W = {{w->tt, w->tn, w->tt2}, {w->tn, w->nn, w->t2n}, {w->tt2, w->t2n, w->t2t2}},
                              .curvature = body->curvature};
}

static percuss_code make_body(percuss_body *self, const pc_body_kind *kind, const percuss_option *options,
                              percuss_error *error)
{
    percuss_code code = pc_face_read(kind->schema, options, self->params, NULL, error);
    if (code != PERCUSS_OK) return code;
    pc_error err = {0};
    if (pc_body_make(kind, self->params, &self->body, &err) == PC_OK) {
        fill_values(self);
        return PERCUSS_OK;
    }
    /* what build and finish refuse lacks the name of the kind */
    if (strncmp(err.text, "body.", 5) == 0) return pc_face_put(error, &err);
    return pc_face_fail(error, (percuss_code)err.code, "", "", "%s: %s", kind->schema->name, err.text);
}

percuss_body *percuss_body_new(const char *kind, const percuss_option *options, percuss_error *error)
{
    int index;
    const pc_schema *schema = pc_face_kind("body", kind, &index, error);
    if (!schema) return NULL;
    percuss_body *self = pc_handle_new(PC_HANDLE_BODY, sizeof *self + schema->size, NULL, error);
    if (!self) return NULL;
    return pc_handle_made(self, make_body(self, pc_body_kinds[index], options, error));
}

percuss_body *percuss_body_pair(const percuss_body *a, const percuss_body *b, percuss_error *error)
{
    if (!a || !b) return pc_face_null(error, "body_pair", a ? "b" : "a"), NULL;
    percuss_body *self = pc_handle_new(PC_HANDLE_BODY, sizeof *self, NULL, error);
    if (!self) return NULL;
    pc_error err = {0};
    if (pc_body_pair(&a->body, &b->body, &self->body, &err) == PC_OK) {
        fill_values(self);
        return self;
    }
    return pc_handle_made(self, pc_face_put(error, &err));
}

percuss_code percuss_body_get(const percuss_body *body, const char *name, double *value, percuss_error *error)
{
    if (!body) return pc_face_null(error, "body_get", "body");
    if (!body->body.kind)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "name", "", "body_get: a pair of bodies has no options");
    return pc_face_get(body->body.kind->schema, body->params, name, value, error);
}

const percuss_body_values *percuss_body_read(const percuss_body *body)
{
    return body ? &body->values : NULL;
}

const char *percuss_body_velocity_name(const percuss_body *body, int i)
{
    return body && i >= 0 && i < body->body.dof ? body->body.names[i] : NULL;
}

const char *percuss_body_velocity_unit(const percuss_body *body, int i)
{
    if (!body || i < 0 || i >= body->body.dof) return NULL;
    return body->body.units[i].m == 1 ? "m/s" : body->body.units[i].rad == 1 ? "rad/s" : "1/s";
}

/* What all functions of own velocities ask: u has n = dof > 0 finite numbers. */
static percuss_code check_own(const char *function, const percuss_body *body, const double *u, int n,
                              percuss_error *error)
{
    if (!body || !u) return pc_face_null(error, function, body ? "u" : "body");
    if (body->body.dof == 0)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "u", "",
                            "%s: this body is known by its mobility alone and has no own velocities", function);
    return pc_face_count(function, "the body", "own velocities", n, body->body.dof, error);
}

static percuss_code check_velocities(const char *function, const percuss_body *body, const double *u, int n,
                                     percuss_error *error)
{
    percuss_code code = check_own(function, body, u, n, error);
    if (code != PERCUSS_OK) return code;
    return pc_face_finite(u, (size_t)n, function, "u", "", error) ? PERCUSS_OK : PERCUSS_E_ARGUMENT;
}

/* A velocity or impulse at the contact: finite, and in the plane for a planar body. */
static percuss_code check_contact(const char *function, const char *argument, const char *unit,
                                  const percuss_body *body, const double v[3], percuss_error *error)
{
    if (!v) return pc_face_null(error, function, argument);
    if (!pc_face_finite(v, 3, function, argument, unit, error)) return PERCUSS_E_ARGUMENT;
    if (body->body.spatial || v[PC_T2] == 0) return PERCUSS_OK;
    return pc_face_fail(error, PERCUSS_E_ARGUMENT, argument, unit,
                        "%s: %s[2] = %g %s needs a body in space; this one moves in the plane", function, argument,
                        v[PC_T2], unit);
}

percuss_code percuss_body_contact_velocity(const percuss_body *body, const double *u, int n, double v[3],
                                           percuss_error *error)
{
    percuss_code code = check_velocities("body_contact_velocity", body, u, n, error);
    if (code != PERCUSS_OK) return code;
    if (!v) return pc_face_null(error, "body_contact_velocity", "v");
    pc_body_contact_velocity(&body->body, u, v);
    return PERCUSS_OK;
}

percuss_code percuss_body_velocities(const percuss_body *body, const double v[3], double *u, int n,
                                     percuss_error *error)
{
    percuss_code code = check_own("body_velocities", body, u, n, error);
    if (code == PERCUSS_OK) code = check_contact("body_velocities", "v", "m/s", body, v, error);
    if (code != PERCUSS_OK) return code;
    pc_error err = {0};
    return pc_body_velocities(&body->body, v, u, &err) == PC_OK ? PERCUSS_OK : pc_face_put(error, &err);
}

percuss_code percuss_body_after(const percuss_body *body, const double *u, int n, const double impulse[3], double *u1,
                                percuss_error *error)
{
    percuss_code code = check_velocities("body_after", body, u, n, error);
    if (code == PERCUSS_OK) code = check_contact("body_after", "impulse", "N s", body, impulse, error);
    if (code != PERCUSS_OK) return code;
    if (!u1) return pc_face_null(error, "body_after", "u1");
    pc_body_after(&body->body, u, impulse, u1);
    return PERCUSS_OK;
}

percuss_code percuss_body_energy(const percuss_body *body, const double *u, int n, double *energy, percuss_error *error)
{
    percuss_code code = check_velocities("body_energy", body, u, n, error);
    if (code != PERCUSS_OK) return code;
    if (!energy) return pc_face_null(error, "body_energy", "energy");
    *energy = pc_body_energy(&body->body, u);
    return PERCUSS_OK;
}

/* ---- the record of an impact ---- */

#define SAME(public, core) _Static_assert((int)PERCUSS_##public == (int)PC_##core, "it has another number")
SAME(T, T);
SAME(N, N);
SAME(T2, T2);
SAME(REBOUND, OUTCOME_REBOUND);
SAME(WEDGED, OUTCOME_WEDGED);
SAME(ADHERED, OUTCOME_ADHERED);
SAME(JAM, FLAG_JAM);
SAME(REVERSE_SLIP, FLAG_REVERSE_SLIP);
SAME(E_ABOVE_ONE, FLAG_E_ABOVE_ONE);
SAME(GAINED_ENERGY, FLAG_GAINED_ENERGY);
SAME(GROSS_STICK, FLAG_GROSS_STICK);
SAME(GROSS_SLIP, FLAG_GROSS_SLIP);
SAME(RECOMPRESSION, FLAG_RECOMPRESSION);
SAME(ORDER_DEPENDENT, FLAG_ORDER_DEPENDENT);
SAME(TANGENTIAL_GAIN, FLAG_TANGENTIAL_GAIN);

static void copy(double *to, const double *from, size_t n)
{
    memcpy(to, from, n * sizeof *to);
}

static void fill_record(const pc_collision *c, percuss_impact_record *r)
{
    const pc_impact *hit = &c->impact;
    pc_restitution3 e = pc_impact_restitution(hit);
    *r = (percuss_impact_record){.outcome = (percuss_outcome)hit->outcome,
                                 .flags = hit->flags,
                                 .n_phases = hit->n_phases,
                                 .n_reversals = hit->n_reversals,
                                 .kinematic = e.kinematic,
                                 .kinetic = e.kinetic,
                                 .energetic = e.energetic,
                                 .energy_before = c->energy0,
                                 .energy = c->energy1,
                                 .contact_energy_before = c->moving ? NAN : hit->energy0,
                                 .contact_energy = c->moving ? NAN : hit->energy1,
                                 .loss = pc_impact_loss(hit),
                                 .loss_max = c->loss_max,
                                 .work_normal = hit->work_n,
                                 .work_tangential = hit->work_t + hit->work_f,
                                 .work_friction = hit->work_f,
                                 .work_normal_compression = hit->work_n_compression,
                                 .work_normal_restitution = hit->work_n_restitution,
                                 .duration = hit->duration,
                                 .compression_time = hit->compression_time,
                                 .arrest_time = hit->arrest_time,
                                 .lock_frequency = hit->lock_frequency,
                                 .rotation = c->rotation};
    copy(r->velocity_before, hit->v0, 3);
    copy(r->velocity, hit->v1, 3);
    copy(r->impulse, hit->impulse, 3);
    copy(r->couple, hit->couple, 3);
    copy(r->impulse_compression, hit->impulse_compression, 3);
    copy(r->impulse_restitution, hit->impulse_restitution, 3);
    copy(r->peak, hit->peak, 2);
    copy(r->peak_time, hit->peak_time, 2);
    copy(r->lock_mean, hit->lock_mean, 2);
    copy(r->lock_amplitude, hit->lock_amplitude, 2);
}

static void fill_state(const percuss_impact *impact, const pc_state *state, percuss_contact_state *out)
{
    *out = (percuss_contact_state){.t = state->t,
                                   .slip = {state->s[0], state->s[1]},
                                   .work_normal = state->work_n,
                                   .work_tangential = state->work_t + state->work_f,
                                   .work_friction = state->work_f,
                                   .energy = pc_collision_energy(&impact->collision, state)};
    copy(out->u, state->u, 3);
    copy(out->v, state->v, 3);
    copy(out->F, state->F, 3);
    copy(out->p, state->p, 3);
}

/* ---- impacts ---- */

static void close_impact(pc_handle *handle)
{
    percuss_impact *self = (percuss_impact *)handle;
    pc_impact_free(&self->collision.impact);
    pc_handle_drop(self->body);
    pc_handle_drop(self->law);
}

static pc_colliding who_collides(const percuss_body *body, const percuss_law *law)
{
    return (pc_colliding){&body->body, body->params, law->law, law->params};
}

/* u: own velocities; NULL: of a body that has none. */
static percuss_impact *collide(const percuss_body *body, const percuss_law *law, const double *u, const double v[3],
                               const percuss_option *options, percuss_error *error)
{
    pc_collide_options how;
    if (pc_face_read(&pc_collide_schema, options, &how, NULL, error) != PERCUSS_OK) return NULL;
    percuss_impact *self = pc_handle_new(PC_HANDLE_IMPACT, sizeof *self, close_impact, error);
    if (!self) return NULL;
    self->body = pc_handle_keep(body);
    self->law = pc_handle_keep(law);
    const pc_colliding who = who_collides(body, law);
    pc_error err = {0};
    if (pc_collide(&who, &how, u, v, &self->collision, &err) == PC_OK) {
        fill_record(&self->collision, &self->record);
        return self;
    }
    return pc_handle_made(self, pc_face_put(error, &err));
}

percuss_impact *percuss_collide(const percuss_body *body, const percuss_law *law, const double velocity[3],
                                const percuss_option *options, percuss_error *error)
{
    if (!body || !law) return pc_face_null(error, "collide", body ? "law" : "body"), NULL;
    if (check_contact("collide", "velocity", "m/s", body, velocity, error) != PERCUSS_OK) return NULL;
    if (body->body.dof == 0) return collide(body, law, NULL, velocity, options, error);
    double u[PC_BODY_DOF], v[3];
    pc_error err = {0};
    if (pc_body_velocities(&body->body, velocity, u, &err) != PC_OK) return pc_face_put(error, &err), NULL;
    pc_body_contact_velocity(&body->body, u, v);
    return collide(body, law, u, v, options, error);
}

percuss_impact *percuss_collide_own(const percuss_body *body, const percuss_law *law, const double *u, int n,
                                    const percuss_option *options, percuss_error *error)
{
    if (!law) return pc_face_null(error, "collide_own", "law"), NULL;
    if (check_velocities("collide_own", body, u, n, error) != PERCUSS_OK) return NULL;
    double v[3];
    pc_body_contact_velocity(&body->body, u, v);
    return collide(body, law, u, v, options, error);
}

percuss_impact *pc_face_impact_new(const pc_mobility *W, const percuss_law *law, percuss_error *error)
{
    const double rows[4] = {W->tt, W->tn, W->tn, W->nn};
    const percuss_option mobility[] = {PERCUSS_MATRIX("mobility", rows, 2, 2), PERCUSS_END};
    percuss_body *body = percuss_body_new("matrix", mobility, error);
    if (!body) return NULL;
    percuss_impact *self = pc_handle_new(PC_HANDLE_IMPACT, sizeof *self, close_impact, error);
    if (!self) {
        pc_handle_drop(body);
        return NULL;
    }
    pc_impact_init(&self->collision.impact);
    self->collision.W = body->body.W;
    self->body = body;
    self->law = pc_handle_keep(law);
    return self;
}

pc_collision *pc_face_impact_collision(percuss_impact *impact)
{
    return &impact->collision;
}

void pc_face_impact_finish(percuss_impact *impact)
{
    fill_record(&impact->collision, &impact->record);
}

const percuss_impact_record *percuss_impact_values(const percuss_impact *impact)
{
    return impact ? &impact->record : NULL;
}

const char *percuss_impact_regime(const percuss_impact *impact)
{
    return impact ? pc_impact_regime(&impact->collision.impact) : NULL;
}

percuss_code percuss_impact_phase(const percuss_impact *impact, int i, percuss_phase *out, percuss_error *error)
{
    if (!impact || !out) return pc_face_null(error, "impact_phase", impact ? "out" : "impact");
    const pc_impact *hit = &impact->collision.impact;
    percuss_code code = pc_face_index("impact_phase", "phase", "the impact", i, hit->n_phases, error);
    if (code != PERCUSS_OK) return code;
    out->slips = hit->phases[i].kind == PC_PHASE_SLIP;
    out->sign = hit->phases[i].sign;
    fill_state(impact, &hit->phases[i].start, &out->start);
    fill_state(impact, &hit->phases[i].stop, &out->stop);
    return PERCUSS_OK;
}

percuss_code percuss_impact_reversal(const percuss_impact *impact, int i, double *t, percuss_error *error)
{
    if (!impact || !t) return pc_face_null(error, "impact_reversal", impact ? "t" : "impact");
    const pc_impact *hit = &impact->collision.impact;
    percuss_code code = pc_face_index("impact_reversal", "reversal", "the impact", i, hit->n_reversals, error);
    if (code == PERCUSS_OK) *t = hit->reversals[i];
    return code;
}

percuss_code percuss_impact_body(const percuss_impact *impact, double *before, double *after, int n,
                                 percuss_error *error)
{
    if (!impact) return pc_face_null(error, "impact_body", "impact");
    percuss_code code = pc_face_count("impact_body", "the body", "own velocities", n, impact->body->body.dof, error);
    if (code != PERCUSS_OK) return code;
    if (before) copy(before, impact->collision.u0, (size_t)n);
    if (after) copy(after, impact->collision.u1, (size_t)n);
    return PERCUSS_OK;
}

/* States at `at`, which the core writes by `make`, in the caller's form. */
typedef pc_status maker(const percuss_impact *impact, const double *at, size_t n, pc_state *states, pc_error *err);

static percuss_code make_states(const percuss_impact *impact, maker *make, const double *at, size_t n,
                                percuss_contact_state *out, percuss_error *error)
{
    pc_state *states = pc_calloc(n, sizeof *states);
    if (!states)
        return pc_face_fail(error, PERCUSS_E_MEMORY, "n", "", "not enough memory for %zu states of a contact", n);
    pc_error err = {0};
    pc_status status = make(impact, at, n, states, &err);
    for (size_t i = 0; i < n && status == PC_OK; i++) fill_state(impact, &states[i], &out[i]);
    pc_free(states);
    return status == PC_OK ? PERCUSS_OK : pc_face_put(error, &err);
}

static pc_status trace(const percuss_impact *impact, const double *at, size_t n, pc_state *states, pc_error *err)
{
    const pc_colliding who = who_collides(impact->body, impact->law);
    return pc_collision_trace(&who, &impact->collision, at, n, states, err);
}

static pc_status path(const percuss_impact *impact, const double *at, size_t n, pc_state *states, pc_error *err)
{
    const pc_collision *c = &impact->collision;
    const pc_mobility W = pc_collision_mobility(c);
    return impact->law->law->path(impact->law->params, &W, &c->impact, at, n, states, err);
}

percuss_code percuss_impact_trace(const percuss_impact *impact, const double *times, size_t n,
                                  percuss_contact_state *out, percuss_error *error)
{
    if (!impact || (n > 0 && (!times || !out)))
        return pc_face_null(error, "impact_trace", !impact ? "impact" : times ? "out" : "times");
    const pc_law *law = impact->law->law;
    if (!(law->abilities & PC_LAW_COMPLIANT))
        return pc_face_fail(error, PERCUSS_E_UNSUPPORTED, "impact", "", "impact_trace: %s has no history in time",
                            law->schema->name);
    if (!pc_face_ascending(times, n, "impact_trace", "times", "s", error)) return PERCUSS_E_ARGUMENT;
    return make_states(impact, trace, times, n, out, error);
}

percuss_code percuss_impact_path(const percuss_impact *impact, const double *impulses, size_t n,
                                 percuss_contact_state *out, percuss_error *error)
{
    if (!impact || (n > 0 && (!impulses || !out)))
        return pc_face_null(error, "impact_path", !impact ? "impact" : impulses ? "out" : "impulses");
    const pc_law *law = impact->law->law;
    double most = impact->record.impulse[PC_N];
    if (!law->path)
        return pc_face_fail(error, PERCUSS_E_UNSUPPORTED, "impact", "",
                            "impact_path: %s follows its impact in time, not in impulse", law->schema->name);
    if (!pc_face_ascending(impulses, n, "impact_path", "impulses", "N s", error)) return PERCUSS_E_ARGUMENT;
    if (n > 0 && impulses[n - 1] > most)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "impulses", "N s",
                            "impact_path: impulses[%zu] = %.10g N s is beyond that of the impact, %.10g N s", n - 1,
                            impulses[n - 1], most);
    return make_states(impact, path, impulses, n, out, error);
}

/* ---- many at once ---- */

static const struct {
    const char *name, *unit, *doc;
} map_columns[] = {
#define PC_MAP_OUTPUT(id, name, unit, doc) {name, unit, doc},
#include "law/map_outputs.def"
#undef PC_MAP_OUTPUT
};

int percuss_map_column(int i, const char **name, const char **unit, const char **doc)
{
    if (i < 0 || i >= PC_N_MAP_OUTPUTS) return 0;
    if (name) *name = map_columns[i].name;
    if (unit) *unit = map_columns[i].unit;
    if (doc) *doc = map_columns[i].doc;
    return 1;
}

static percuss_code choose_columns(double **out, const char *const *names, double *const *columns, int n,
                                   percuss_error *error)
{
    const char *known[PC_N_MAP_OUTPUTS];
    for (int k = 0; k < PC_N_MAP_OUTPUTS; k++) known[k] = map_columns[k].name;
    for (int i = 0; i < n; i++) {
        if (!names || !columns || !names[i] || !columns[i])
            return pc_face_null(error, "map", names && names[i] ? "columns" : "names");
        int k = 0;
        while (k < PC_N_MAP_OUTPUTS && strcmp(known[k], names[i]) != 0) k++;
        if (k < PC_N_MAP_OUTPUTS && !out[k]) {
            out[k] = columns[i];
            continue;
        }
        char hint[PC_FACE_HINT] = "";
        if (k == PC_N_MAP_OUTPUTS) pc_face_hint(names[i], known, PC_N_MAP_OUTPUTS, hint);
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, names[i], "", "map: column '%.60s' %s%s", names[i],
                            k < PC_N_MAP_OUTPUTS ? "is named twice" : "does not exist", hint);
    }
    return PERCUSS_OK;
}

static percuss_code check_map(const percuss_body *body, const percuss_law *law, size_t n, const double *v_t,
                              const double *v_n, int threads, percuss_error *error)
{
    if (!body || !law || !v_t || !v_n)
        return pc_face_null(error, "map", !body ? "body" : !law ? "law" : v_t ? "v_n" : "v_t");
    if (!(law->law->abilities & PC_LAW_PLANAR) || body->body.spatial)
        return pc_face_fail(error, PERCUSS_E_UNSUPPORTED, body->body.spatial ? "body" : "law", "",
                            "map: it runs planar laws on planar bodies only");
    pc_error err = {0};
    if (pc_body_require_rigid(&body->body, "map", &err)) return pc_face_put(error, &err);
    if (threads < 1 || threads > PC_THREADS_MAX)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "threads", "",
                            "map: threads = %d is not allowed; it must be from 1 to %d", threads, PC_THREADS_MAX);
    bool finite =
        pc_face_finite(v_t, n, "map", "v_t", "m/s", error) && pc_face_finite(v_n, n, "map", "v_n", "m/s", error);
    return finite ? PERCUSS_OK : PERCUSS_E_ARGUMENT;
}

percuss_code percuss_map(const percuss_body *body, const percuss_law *law, size_t n, const double *v_t,
                         const double *v_n, const char *const *names, double *const *columns, int n_columns,
                         int threads, size_t *failed, percuss_error *error)
{
    percuss_code code = check_map(body, law, n, v_t, v_n, threads, error);
    if (code != PERCUSS_OK) return code;
    const pc_mobility *W = &body->body.W;
    const pc_schema *schema = law->law->schema;
    pc_map_column rows[PC_MAP_ROWS_MAX];
    for (int i = 0; i < schema->n_rows; i++)
        rows[i] = (pc_map_column){NULL, pc_row_number(&schema->rows[i], law->params)};
    pc_map map = {.columns = {.n = n,
                              .w_tt = {NULL, W->tt},
                              .w_tn = {NULL, W->tn},
                              .w_nn = {NULL, W->nn},
                              .rank = {NULL, W->rank},
                              .v_t = {v_t, 0},
                              .v_n = {v_n, 0},
                              .params = law->params,
                              .rows = rows}};
    code = choose_columns(map.columns.out, names, columns, n_columns, error);
    if (code != PERCUSS_OK) return code;
    size_t bad = 0;
    pc_error err = {0};
    if (pc_law_map(law->law, &map, threads, &bad, &err) != PC_OK) return pc_face_put(error, &err);
    if (bad > 0) pc_face_put(error, &err);
    if (failed) *failed = bad;
    return PERCUSS_OK;
}
