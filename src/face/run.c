/* Simulations and what they show: see percuss.h. */
#include "face/face.h"

#include "base/alloc.h"
#include "base/digest.h"
#include "base/files.h"
#include "engine/collide.h"
#include "motion/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct percuss_run {
    pc_handle handle;
    const percuss_scene *scene;
    pc_run_options options; /* but for max_impacts and time_scale, which are of each stretch */
    double time_scale;      /* as it was given */
    int max_impacts;
    pc_face_watch watch;
    pc_run run;
    bool open, busy; /* busy: functions of the caller may be running, who must not ask for more */
};

static void close_run(pc_handle *handle)
{
    percuss_run *self = (percuss_run *)handle;
    if (self->open) pc_run_close(&self->run);
    pc_face_watch_close(&self->watch);
    pc_handle_drop(self->scene);
}

/* ---- beginning ---- */

static percuss_code choose_solvers(percuss_run *self, const percuss_setup *setup, percuss_error *error)
{
    pc_run_options *o = &self->options;
    pc_face_solver(setup->solver, &o->method, &o->settings);
    if (o->method->symplectic)
        return pc_face_fail(error, PERCUSS_E_UNSUPPORTED, "solver", "",
                            "simulate: %s needs forces that do not depend on velocities, which scenes have",
                            o->method->schema->name);
    if (!setup->contact_solver) return PERCUSS_OK;
    pc_face_solver(setup->contact_solver, &o->contact, &o->contact_settings);
    if (o->contact->error_order > 0 && o->contact->attempt) return PERCUSS_OK;
    return pc_face_fail(error, PERCUSS_E_UNSUPPORTED, "contact_solver", "",
                        "simulate: contact_solver needs a method that chooses its steps by errors in the size of a "
                        "contact, such as dop853 or rodas5p; %s does not",
                        o->contact->schema->name);
}

/* A run with its settings, which has not begun yet. */
static percuss_code prepare(percuss_run *self, const percuss_setup *setup, const pc_run_settings *settings,
                            percuss_error *error)
{
    double unused;
    percuss_code code = choose_solvers(self, setup, error);
    if (code == PERCUSS_OK) code = pc_face_time_scale("simulate", setup->time_scale, 1, false, &unused, error);
    if (code == PERCUSS_OK)
        code = pc_face_watch_open(&self->watch, "simulate", setup->events, setup->n_events, false, setup->breaks,
                                  setup->n_breaks, error);
    self->options.events = self->watch.events;
    self->options.n_events = self->watch.n_events;
    self->options.breaks = self->watch.breaks;
    self->options.progress = setup->progress;
    self->options.progress_context = setup->progress_context;
    self->options.record = settings->record;
    self->options.assemble = settings->assemble;
    self->options.separate = settings->separate;
    self->max_impacts = settings->max_impacts;
    self->time_scale = setup->time_scale;
    return code;
}

static percuss_run *new_run(const percuss_scene *scene, const percuss_option *options, const percuss_setup *setup,
                            pc_run_settings *settings, percuss_error *error)
{
    static const percuss_setup none;
    if (pc_face_read(&pc_run_schema, options, settings, NULL, error) != PERCUSS_OK) return NULL;
    percuss_run *self = pc_handle_new(PC_HANDLE_RUN, sizeof *self, close_run, error);
    if (!self) return NULL;
    self->scene = pc_handle_keep(scene);
    return pc_handle_made(self, prepare(self, setup ? setup : &none, settings, error));
}

/* Coordinates and velocities at the start. */
static percuss_code begin(percuss_run *self, const percuss_setup *setup, double t, percuss_error *error)
{
    int n = self->scene->scene.n_dof;
    double *y = pc_calloc(2 * (size_t)n, sizeof *y);
    if (!y) return pc_face_fail(error, PERCUSS_E_MEMORY, "", "", "simulate: not enough memory for the state");
    memcpy(y, self->scene->start, 2 * (size_t)n * sizeof *y);
    percuss_code code = PERCUSS_OK;
    for (int k = 0; k < 2 && setup && code == PERCUSS_OK; k++) {
        const double *given = k ? setup->u : setup->q;
        if (!given) continue;
        if (!pc_face_finite(given, (size_t)n, "simulate", k ? "u" : "q", "", error)) code = PERCUSS_E_ARGUMENT;
        memcpy(y + k * n, given, (size_t)n * sizeof *y);
    }
    pc_error err = {0};
    if (code == PERCUSS_OK && pc_run_open(&self->run, &self->scene->scene, t, y, &err) != PC_OK)
        code = pc_face_put(error, &err);
    self->open = code == PERCUSS_OK;
    pc_free(y);
    return code;
}

/* ---- going on ---- */

static percuss_code refuse_busy(const char *function, percuss_error *error)
{
    return pc_face_fail(error, PERCUSS_E_ARGUMENT, "run", "",
                        "%s: the run is being worked out; functions that it calls meanwhile cannot ask it for more",
                        function);
}

static percuss_code advance(percuss_run *self, double duration, percuss_error *error)
{
    pc_run_options options = self->options;
    options.max_impacts = (long)self->run.history.impacts.used + self->max_impacts;
    bool silent = self->scene->calls && self->watch.breaks.n == 0;
    pc_face_time_scale("simulate", self->time_scale, duration, silent, &options.time_scale, NULL);
    pc_error err = {0};
    self->busy = true;
    pc_status status = pc_run_advance(&self->run, &options, self->run.state.t + duration, &err);
    self->busy = false;
    return status == PC_OK ? PERCUSS_OK : pc_face_put(error, &err);
}

percuss_code percuss_simulate(const percuss_scene *scene, const percuss_option *options, const percuss_setup *setup,
                              percuss_run **run, percuss_error *error)
{
    if (run) *run = NULL;
    if (!scene || !run) return pc_face_null(error, "simulate", scene ? "run" : "scene");
    percuss_error own = PERCUSS_NO_ERROR;
    percuss_error *told = error ? error : &own;
    pc_run_settings settings;
    percuss_run *self = new_run(scene, options, setup, &settings, told);
    if (!self) return told->code;
    percuss_code code = begin(self, setup, settings.start, told);
    if (code != PERCUSS_OK) {
        pc_handle_drop(self);
        return code;
    }
    *run = self;
    return advance(self, settings.duration, told);
}

percuss_code percuss_run_continue(percuss_run *run, double duration, percuss_error *error)
{
    if (!run) return pc_face_null(error, "run_continue", "run");
    if (!(duration >= 0) || !isfinite(duration))
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "duration", "s",
                            "run_continue: duration = %g s is not allowed; it must be finite and >= 0 s", duration);
    return run->busy ? refuse_busy("run_continue", error) : advance(run, duration, error);
}

/* ---- what happened ---- */

percuss_code percuss_run_read(const percuss_run *run, percuss_run_record *out, percuss_error *error)
{
    if (!run || !out) return pc_face_null(error, "run_read", run ? "out" : "run");
    static const percuss_ending endings[] = {[PC_RUN_END] = PERCUSS_ENDED,
                                             [PC_RUN_EVENT] = PERCUSS_BY_EVENT,
                                             [PC_RUN_LIMIT] = PERCUSS_BY_LIMIT,
                                             [PC_RUN_INTERRUPTED] = PERCUSS_BY_FAILURE,
                                             [PC_RUN_BROKEN] = PERCUSS_BY_FAILURE};
    const pc_run *r = &run->run;
    const pc_ode_statistics *s = &r->history.statistics;
    *out = (percuss_run_record){.start = r->history.t0,
                                .time = r->state.t,
                                .ending = endings[r->state.stop],
                                .event = r->state.stop == PC_RUN_EVENT ? r->state.stop_event : -1,
                                .steps = s->steps,
                                .rejected = s->rejected,
                                .rhs_calls = s->rhs_calls,
                                .energy_at_start = r->state.energy0};
    pc_run_events(r, &out->n_events);
    pc_run_impacts(r, &out->n_impacts);
    return PERCUSS_OK;
}

static percuss_code check_dof(const char *function, const percuss_run *run, int n, percuss_error *error)
{
    return pc_face_count(function, "the scene", "coordinates", n, run->scene->scene.n_dof, error);
}

percuss_code percuss_run_event_read(const percuss_run *run, size_t i, percuss_run_event *out, percuss_error *error)
{
    if (!run || !out) return pc_face_null(error, "run_event_read", run ? "out" : "run");
    size_t n;
    const pc_event_record *events = pc_run_events(&run->run, &n);
    percuss_code code = pc_face_index("run_event_read", "event", "the run", (ptrdiff_t)i, (ptrdiff_t)n, error);
    if (code != PERCUSS_OK) return code;
    const pc_event_record *e = &events[i];
    bool user = e->kind == PC_EVENT_USER, pair = !user && e->pair >= 0;
    bool has_mode = e->kind == PC_EVENT_BEGIN || e->kind == PC_EVENT_SLIP || e->kind == PC_EVENT_REVERSAL ||
                    e->kind == PC_EVENT_STICK;
    bool has_impact = e->kind == PC_EVENT_IMPACT || (pair && pc_pair_acts_in_motion(&run->scene->scene, e->pair));
    *out = (percuss_run_event){.t = e->t,
                               .kind = pc_event_kind_word(e->kind),
                               .event = user ? e->pair : -1,
                               .contact = pair ? e->pair : -1,
                               .mode = has_mode ? e->mode : 0,
                               .impact = has_impact ? (ptrdiff_t)e->impact : -1,
                               .ratio = e->kind == PC_EVENT_ACCUMULATION ? e->ratio : NAN};
    return PERCUSS_OK;
}

/* ---- impacts ---- */

static void copy(double *to, const double *from, int n)
{
    if (to) memcpy(to, from, (size_t)n * sizeof *to);
}

static void fill_compliant(const pc_impact_history *h, percuss_run_impact *out)
{
    out->rule = "compliant";
    out->over = !isnan(h->stop);
    out->stop = h->stop;
    copy(out->peak, h->peaks.force, 2);
    copy(out->peak_time, h->peaks.time, 2);
}

percuss_code percuss_run_impact_read(const percuss_run *run, size_t i, percuss_run_impact *out, double *q,
                                     double *u_before, double *u_after, int n, percuss_error *error)
{
    if (!run || !out) return pc_face_null(error, "run_impact_read", run ? "out" : "run");
    size_t n_impacts;
    const pc_impact_record *r = pc_run_impacts(&run->run, &n_impacts);
    percuss_code code =
        pc_face_index("run_impact_read", "impact", "the run", (ptrdiff_t)i, (ptrdiff_t)n_impacts, error);
    if (code == PERCUSS_OK && (q || u_before || u_after)) code = check_dof("run_impact_read", run, n, error);
    if (code != PERCUSS_OK) return code;
    r += i;
    *out = (percuss_run_impact){.t = r->t,
                                .contact = r->pair,
                                .order = r->order,
                                .rule = pc_rule_words[r->rule],
                                .over = 1,
                                .stop = r->t,
                                .outcome = (percuss_outcome)r->outcome,
                                .flags = r->flags,
                                .n_phases = r->n_phases,
                                .W = {{r->W.tt, r->W.tn}, {r->W.tn, r->W.nn}},
                                .energy_before = r->energy0,
                                .energy = r->energy1,
                                .driven = r->driven,
                                .peak = {NAN, NAN},
                                .peak_time = {NAN, NAN}};
    copy(out->velocity_before, r->v0, 2);
    copy(out->velocity, r->v1, 2);
    copy(out->impulse, r->impulse, 2);
    if (r->compliant) fill_compliant(pc_run_impact_history(&run->run.history, i), out);
    const double *states = (const double *)run->run.history.states.data + r->states;
    copy(q, states, n);
    copy(u_before, states + n, n);
    copy(u_after, states + 2 * n, n);
    return PERCUSS_OK;
}

/* The law of a contact: that whose parameters it uses. */
static const percuss_law *law_of(const percuss_scene *scene, int pair)
{
    int i = 0;
    while (scene->laws[i]->params != scene->scene.pairs[pair].params) i++;
    return scene->laws[i];
}

static pc_status make_detail(percuss_run *run, size_t i, const pc_impact_record *r, pc_collision *c, pc_error *err)
{
    const double v0[3] = {r->v0[PC_T], r->v0[PC_N], 0};
    c->loss_max = pc_mobility_energy(&c->W, v0);
    if (!r->compliant) {
        const pc_pair *pair = &run->scene->scene.pairs[r->pair];
        c->resists = pc_impact_record_mobility(r, &c->turning).turning != NULL;
        const pc_mobility W = pc_collision_mobility(c);
        return pc_law_impact(pair->law, pair->params, &W, v0, &c->impact, err);
    }
    double *joints = pc_calloc(pc_scene_reactions(&run->scene->scene) + 1, sizeof *joints);
    if (!joints) return pc_fail(err, PC_E_MEMORY, "not enough memory for the impulses of joints");
    pc_status status = pc_run_compliant_impact(&run->run, i, &c->impact, joints, err);
    pc_free(joints);
    if (status == PC_E_ARGUMENT) err->code = PC_E_UNSUPPORTED; /* not recorded */
    return status;
}

percuss_impact *percuss_run_impact_detail(percuss_run *run, size_t i, percuss_error *error)
{
    if (!run) return pc_face_null(error, "run_impact_detail", "run"), NULL;
    size_t n;
    const pc_impact_record *r = pc_run_impacts(&run->run, &n);
    if (pc_face_index("run_impact_detail", "impact", "the run", (ptrdiff_t)i, (ptrdiff_t)n, error) != PERCUSS_OK)
        return NULL;
    if (run->busy) return refuse_busy("run_impact_detail", error), NULL;
    r += i;
    if (!r->compliant && r->rule != PC_RULE_SEQUENTIAL) {
        pc_face_fail(error, PERCUSS_E_UNSUPPORTED, "i", "",
                     "run_impact_detail: impact %zu was struck as one with others, of which no law knows more", i);
        return NULL;
    }
    percuss_impact *impact = pc_face_impact_new(&r->W, law_of(run->scene, r->pair), error);
    if (!impact) return NULL;
    pc_collision *c = pc_face_impact_collision(impact);
    pc_error err = {0};
    run->busy = true;
    pc_status status = make_detail(run, i, r, c, &err);
    run->busy = false;
    if (status != PC_OK) return pc_handle_made(impact, pc_face_put(error, &err));
    c->energy0 = c->impact.energy0;
    c->energy1 = c->impact.energy1;
    pc_face_impact_finish(impact);
    return impact;
}

/* ---- states ---- */

static percuss_code look(const char *function, percuss_run *run, double t, int side, pc_look *out, percuss_error *error)
{
    if (isnan(t)) return pc_face_fail(error, PERCUSS_E_ARGUMENT, "t", "s", "%s: t = nan s is not allowed", function);
    if (run->busy) return refuse_busy(function, error);
    pc_error err = {0};
    run->busy = true;
    pc_status status = pc_run_look(&run->run, t, side < 0 ? -1 : 1, out, &err);
    run->busy = false;
    return status == PC_OK ? PERCUSS_OK : pc_face_put(error, &err);
}

percuss_code percuss_run_state(percuss_run *run, double t, int side, double *q, double *u, int n, percuss_error *error)
{
    if (!run) return pc_face_null(error, "run_state", "run");
    pc_look now;
    percuss_code code = check_dof("run_state", run, n, error);
    if (code == PERCUSS_OK) code = look("run_state", run, t, side, &now, error);
    if (code != PERCUSS_OK) return code;
    copy(q, now.y, n);
    copy(u, now.y + n, n);
    return PERCUSS_OK;
}

percuss_code percuss_run_at(percuss_run *run, double t, int side, double *values, int n, percuss_error *error)
{
    if (!run || !values) return pc_face_null(error, "run_at", run ? "values" : "run");
    const percuss_scene *scene = run->scene;
    pc_look now;
    percuss_code code = pc_face_count("run_at", "the scene", "columns", n, scene->n_columns, error);
    if (code == PERCUSS_OK) code = look("run_at", run, t, side, &now, error);
    for (int i = 0; i < n && code == PERCUSS_OK; i++) values[i] = pc_run_column_value(&now, &scene->columns[i]);
    return code;
}

/* ---- works ---- */

percuss_code percuss_run_work(percuss_run *run, const char *name, double t, double *given, double *damped,
                              percuss_error *error)
{
    enum { MOST = 64 };
    if (!run || !name) return pc_face_null(error, "run_work", run ? "name" : "run");
    const pc_scene *scene = &run->scene->scene;
    const char *names[MOST];
    int which = 0;
    for (; which < scene->n_forces && strcmp(scene->forces[which].name, name) != 0; which++)
        if (which < MOST) names[which] = scene->forces[which].name;
    char hint[PC_FACE_HINT];
    if (which == scene->n_forces)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "name", "", "run_work: the scene has no force '%.60s'%s", name,
                            pc_face_hint(name, names, which < MOST ? which : MOST, hint));
    const double start = run->run.history.t0, stop = run->run.state.t;
    if (!(t >= start && t <= stop))
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "t", "s", "run_work: t = %g s is not from %g to %g s", t, start,
                            stop);
    if (run->run.history.arcs.used == 0 && t > start)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "run", "", "run_work: the motion was not recorded");
    if (run->busy) return refuse_busy("run_work", error);
    double work[2] = {0};
    pc_error err = {0};
    run->busy = true;
    pc_status status = pc_run_force_work(&run->run, which, start, t, work, &err);
    run->busy = false;
    if (status != PC_OK) return pc_face_put(error, &err);
    if (given) *given = work[1];
    if (damped) *damped = 0 - work[0];
    return PERCUSS_OK;
}

/* ---- files ---- */

static uint64_t digest_text(uint64_t digest, const char *text)
{
    return pc_digest(digest, text, strlen(text) + 1);
}

/* What tells a number by another one, by some of its values. */
static uint64_t digest_curve(uint64_t digest, const pc_curve *curve)
{
    static const double speeds[] = {0.01, 0.1, 1, 10};
    for (int i = 0; curve && i < (int)(sizeof speeds / sizeof *speeds); i++) {
        double value = 0;
        if (curve->at(curve, speeds[i], &value, NULL)) value = -1;
        digest = pc_digest(digest, &value, sizeof value);
    }
    return digest;
}

/* All rows that are numbers, and texts. */
static uint64_t digest_rows(uint64_t digest, const pc_schema *schema, const void *object)
{
    digest = digest_text(digest, schema->name);
    for (int i = 0; i < schema->n_rows; i++) {
        const pc_row *row = &schema->rows[i];
        double x = pc_row_number(row, object);
        if (row->kind <= PC_CHOICE) digest = pc_digest(digest, &x, sizeof x);
        if (row->kind == PC_VECTOR)
            digest = pc_digest(digest, (const char *)object + row->offset, row->count * sizeof(double));
        if (row->kind == PC_TEXT) digest = digest_text(digest, (const char *)object + row->offset);
        digest = digest_curve(digest, pc_row_curve(row, object));
    }
    return digest;
}

static uint64_t digest_force(uint64_t digest, const pc_scene_force *force)
{
    const pc_force_common *common = force->params;
    digest = digest_rows(digest_text(digest, force->name), force->kind->schema, common);
    return pc_digest(digest, common->breaks, (size_t)common->n_breaks * sizeof *common->breaks);
}

static uint64_t digest_scene(const percuss_scene *self)
{
    const pc_scene *s = &self->scene;
    uint64_t d = digest_rows(PC_DIGEST_START, &pc_scene_schema, s);
    for (int m = 0; m < s->n_members; m++) {
        const pc_member *member = &s->members[m];
        d = digest_text(d, member->name);
        d = pc_digest(d, &member->body.mass, sizeof(double));
        d = pc_digest(d, &member->body.inertia, sizeof(double));
        for (int i = 0; member->chain && i < member->chain->n; i++)
            d = digest_rows(d, &pc_link_schema, &member->chain->links[i]);
        if (member->chain) d = digest_rows(d, &pc_pivot_schema, &member->chain->pivot);
    }
    for (int i = 0; i < s->n_outlines; i++) {
        const pc_outline *o = &s->outlines[i];
        const double place[3] = {o->x, o->y, o->radius};
        d = pc_digest(digest_text(d, o->name), place, sizeof place);
        for (int k = 0; k < o->curve.n; k++) /* all that follows the degree are numbers */
            d = pc_digest(d, o->curve.spans[k].x, sizeof(pc_curve_span) - offsetof(pc_curve_span, x));
        if (!pc_outline_is_curve(o)) d = pc_digest(d, o->sides, (size_t)o->n_sides * sizeof *o->sides);
    }
    for (int i = 0; i < s->n_drives; i++) {
        const double speed = s->drives[i].surface_speed;
        d = pc_digest(digest_rows(d, &pc_drive_schema, &s->drives[i]), &speed, sizeof speed);
    }
    for (int i = 0; i < s->n_forces; i++) d = digest_force(d, &s->forces[i]);
    for (int i = 0; i < s->n_joints; i++) d = digest_force(d, &s->joints[i].at);
    for (int i = 0; i < s->n_pairs; i++)
        d = digest_rows(digest_text(d, s->pairs[i].name), s->pairs[i].law->schema, s->pairs[i].params);
    return d;
}

static uint64_t digest_settings(const percuss_run *self)
{
    const pc_run_options *o = &self->options;
    uint64_t d = digest_rows(PC_DIGEST_START, o->method->schema, &o->settings);
    if (o->contact) d = digest_rows(d, o->contact->schema, &o->contact_settings);
    for (int i = 0; i < o->n_events; i++) {
        const int how[2] = {o->events[i].direction, o->events[i].terminal};
        d = pc_digest(digest_text(d, o->events[i].name), how, sizeof how);
    }
    d = pc_digest(d, o->breaks.t, (size_t)o->breaks.n * sizeof *o->breaks.t);
    const double numbers[3] = {self->time_scale, self->max_impacts, o->record};
    return pc_digest(d, numbers, sizeof numbers);
}

/* The notes of a file: what the scene and the settings were, as a mark and a digest of them. */
enum { NOTE = 40 };
static void write_notes(const percuss_run *self, char text[PC_SAVE_NOTES][NOTE], pc_note notes[PC_SAVE_NOTES])
{
    const uint64_t digests[PC_SAVE_NOTES] = {digest_scene(self->scene), digest_settings(self)};
    for (int i = 0; i < PC_SAVE_NOTES; i++) {
        int n = snprintf(text[i], NOTE, "percuss.h %016" PRIx64, digests[i]);
        notes[i] = (pc_note){(const unsigned char *)text[i], (size_t)n};
    }
}

percuss_code percuss_run_save(const percuss_run *run, const char *path, percuss_error *error)
{
    if (!run || !path) return pc_face_null(error, "run_save", run ? "path" : "run");
    char text[PC_SAVE_NOTES][NOTE];
    pc_note notes[PC_SAVE_NOTES];
    write_notes(run, text, notes);
    pc_error err = {0};
    return pc_run_save(&run->run, notes, path, &err) == PC_OK ? PERCUSS_OK : pc_face_put(error, &err);
}

/* The bytes of a file, to be freed by pc_free; NULL with the failure. */
static unsigned char *read_file(const char *path, size_t *n, percuss_error *error)
{
    size_t size;
    pc_error err = {0};
    unsigned char *bytes = NULL;
    if (pc_file_measure(path, &size, &err) == PC_OK) {
        bytes = pc_calloc(size + 1, 1);
        if (!bytes) pc_fail(&err, PC_E_MEMORY, "not enough memory for the %zu bytes of '%.200s'", size, path);
    }
    if (bytes && pc_file_read(path, bytes, size, n, &err) == PC_OK) return bytes;
    pc_face_put(error, &err);
    pc_free(bytes);
    return NULL;
}

static percuss_code restore(percuss_run *self, const pc_saved *saved, percuss_error *error)
{
    static const char *const what[PC_SAVE_NOTES] = {"scene", "setup"};
    char text[PC_SAVE_NOTES][NOTE];
    pc_note notes[PC_SAVE_NOTES];
    write_notes(self, text, notes);
    for (int i = 0; i < PC_SAVE_NOTES; i++)
        if (saved->notes[i].n != notes[i].n || memcmp(saved->notes[i].bytes, notes[i].bytes, notes[i].n) != 0)
            return pc_face_fail(error, PERCUSS_E_ARGUMENT, what[i], "",
                                "run_load: '%.200s' is a run of another scene, or of other settings: %s is not what it "
                                "was made with",
                                saved->path, what[i]);
    pc_error err = {0};
    if (pc_saved_restore(saved, &self->run, &self->scene->scene, &err) != PC_OK) return pc_face_put(error, &err);
    self->open = true;
    self->run.breaks = self->watch.breaks;
    return PERCUSS_OK;
}

percuss_run *percuss_run_load(const percuss_scene *scene, const percuss_option *options, const percuss_setup *setup,
                              const char *path, percuss_error *error)
{
    if (!scene || !path) return pc_face_null(error, "run_load", scene ? "path" : "scene"), NULL;
    pc_run_settings settings;
    size_t n;
    percuss_run *self = new_run(scene, options, setup, &settings, error);
    unsigned char *bytes = self ? read_file(path, &n, error) : NULL;
    pc_saved saved;
    pc_error err = {0};
    percuss_code code = bytes ? PERCUSS_OK : PERCUSS_E_SYSTEM;
    if (code == PERCUSS_OK && pc_saved_open(&saved, (pc_note){bytes, n}, path, &err) != PC_OK)
        code = pc_face_put(error, &err);
    if (code == PERCUSS_OK) code = restore(self, &saved, error);
    pc_free(bytes);
    return pc_handle_made(self, code);
}
