/* Runs in files: see save.h. */
#include "motion/save.h"

#include "base/alloc.h"
#include "base/outfile.h"
#include "motion/save_fields.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char mark[16] = "percuss run\r\n\x1a\0"; /* a change of line ends, or a reading as text, breaks it */

/* ---- members ---- */

static size_t width_of(const list *l)
{
    size_t width = 0;
    for (size_t i = 0; i < l->n_fields; i++) width += 8 * (size_t)l->fields[i].count;
    return width;
}

static uint64_t load_bits(const void *at, kind of)
{
    uint64_t bits = 0;
    switch (of) {
    case REAL: memcpy(&bits, at, sizeof bits); break;
    case WORD:
    case INT: bits = (uint64_t)(*(const int *)at); break;
    case UNSIGNED: bits = *(const unsigned *)at; break;
    case SIGN: bits = (uint64_t)(*(const signed char *)at); break;
    case FLAG: bits = *(const bool *)at; break;
    case SIZE: bits = *(const size_t *)at; break;
    }
    return bits;
}

static bool lies_within(uint64_t bits, int64_t least, int64_t most)
{
    return (int64_t)bits >= least && (int64_t)bits <= most;
}

/* False, and nothing is stored, for what the member cannot hold: no number of a file wraps into a harmless one. */
static bool store_bits(void *at, const field *of, uint64_t bits)
{
    switch (of->kind) {
    case REAL: memcpy(at, &bits, sizeof bits); return true;
    case WORD:
        if (!lies_within(bits, 0, of->last)) return false;
        *(int *)at = (int)bits;
        return true;
    case INT:
        if (!lies_within(bits, INT_MIN, INT_MAX)) return false;
        *(int *)at = (int)(int64_t)bits;
        return true;
    case UNSIGNED:
        if (bits > UINT_MAX) return false;
        *(unsigned *)at = (unsigned)bits;
        return true;
    case SIGN:
        if (!lies_within(bits, SCHAR_MIN, SCHAR_MAX)) return false;
        *(signed char *)at = (signed char)(int64_t)bits;
        return true;
    case FLAG:
        if (bits > 1) return false;
        *(bool *)at = bits == 1;
        return true;
    case SIZE:
        if (bits > SIZE_MAX) return false;
        *(size_t *)at = (size_t)bits;
        return true;
    }
    return false;
}

static size_t size_of(kind of)
{
    static const size_t sizes[] = {sizeof(double), sizeof(int),    sizeof(unsigned), sizeof(signed char),
                                   sizeof(bool),   sizeof(size_t), sizeof(int)};
    return sizes[of];
}

/* ---- writing ---- */

/* FNV-1a, 64 bits (Fowler, Noll and Vo). */
static uint64_t checksum(uint64_t sum, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) sum = (sum ^ bytes[i]) * 0x100000001b3;
    return sum;
}

static const uint64_t SUM_START = 0xcbf29ce484222325;

typedef struct writer {
    FILE *stream;
    uint64_t sum;
} writer;

static void put(writer *w, const void *bytes, size_t n)
{
    w->sum = checksum(w->sum, bytes, n);
    fwrite(bytes, 1, n, w->stream); /* its errors are found when the file is closed */
}

static void put_bits(writer *w, uint64_t bits)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(bits >> 8 * i);
    put(w, bytes, 8);
}

static void put_record(writer *w, const field *fields, size_t n, const void *record)
{
    for (size_t f = 0; f < n; f++)
        for (int i = 0; i < fields[f].count; i++)
            put_bits(w, load_bits((const char *)record + fields[f].offset + (size_t)i * size_of(fields[f].kind),
                                  fields[f].kind));
}

static void put_rings(writer *w, const pc_rings *rings)
{
    put_bits(w, rings ? (uint64_t)rings->n : 0);
    if (!rings) return;
    put_record(w, rings_fields, COUNT(rings_fields), rings);
    for (int i = 0; i < rings->n; i++) put_record(w, ring_fields, COUNT(ring_fields), &rings->ring[i]);
}

pc_status pc_run_save(const pc_run *run, const pc_note notes[PC_SAVE_NOTES], const char *path, pc_error *err)
{
    pc_outfile file;
    pc_status status = pc_outfile_open(&file, path, err);
    if (status != PC_OK) return status;
    writer w = {file.stream, SUM_START};
    put(&w, mark, sizeof mark);
    put_bits(&w, PC_SAVE_VERSION);
    for (int i = 0; i < PC_SAVE_NOTES; i++) {
        put_bits(&w, notes[i].n);
        put(&w, notes[i].bytes, notes[i].n);
    }
    put_bits(&w, (uint64_t)run->scene->n_dof);
    put_bits(&w, (uint64_t)run->scene->n_nodes);
    put_bits(&w, (uint64_t)run->scene->n_pairs);
    put_record(&w, run_fields, COUNT(run_fields), run);
    for (int i = 0; i < run->scratch.room; i++) put_bits(&w, load_bits(&run->state.y[i], REAL));
    for (int i = 0; i < run->scene->n_pairs; i++)
        put_record(&w, memory_fields, COUNT(memory_fields), &run->state.memory[i]);
    for (int i = 0; i < run->state.compliant.n; i++)
        put_record(&w, pressed_fields, COUNT(pressed_fields), &run->state.compliant.contact[i]);
    for (size_t i = 0; i < COUNT(lists); i++) {
        const pc_pool *pool = (const void *)((const char *)run + lists[i].offset);
        put_bits(&w, pool->used);
        for (size_t k = 0; k < pool->used; k++)
            put_record(&w, lists[i].fields, lists[i].n_fields, (const char *)pool->data + k * lists[i].size);
    }
    for (int i = 0; i < run->state.compliant.n; i++) put_rings(&w, run->state.compliant.contact[i].press.rings);
    put_bits(&w, w.sum);
    return pc_outfile_commit(&file, err);
}

/* ---- reading ---- */

typedef struct reader {
    const unsigned char *at, *end;
} reader;

static uint64_t bits_at(const unsigned char *at)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) bits |= (uint64_t)at[i] << 8 * i;
    return bits;
}

static bool get_bits(reader *r, uint64_t *bits)
{
    if (r->end - r->at < 8) return false;
    *bits = bits_at(r->at);
    r->at += 8;
    return true;
}

/* A number of things of `size` bytes, all of which are there. */
static bool get_count(reader *r, size_t size, size_t *n)
{
    uint64_t count;
    if (!get_bits(r, &count) || count > (uint64_t)(r->end - r->at) / size) return false;
    *n = (size_t)count;
    return true;
}

static bool get_record(reader *r, const field *fields, size_t n, void *record)
{
    for (size_t f = 0; f < n; f++) {
        for (int i = 0; i < fields[f].count; i++) {
            uint64_t bits;
            void *at = (char *)record + fields[f].offset + (size_t)i * size_of(fields[f].kind);
            if (!get_bits(r, &bits) || !store_bits(at, &fields[f], bits)) return false;
        }
    }
    return true;
}

static pc_status damaged(const char *path, pc_error *err)
{
    return pc_fail(err, PC_E_ARGUMENT, "'%.300s' is cut short or damaged; nothing was loaded", path);
}

pc_status pc_saved_open(pc_saved *saved, pc_note file, const char *path, pc_error *err)
{
    *saved = (pc_saved){.path = path};
    if (file.n < sizeof mark || memcmp(file.bytes, mark, sizeof mark) != 0)
        return pc_fail(err, PC_E_ARGUMENT, "'%.300s' is no saved run", path);
    if (file.n < sizeof mark + 16) return damaged(path, err);
    reader r = {file.bytes + sizeof mark, file.bytes + file.n - 8};
    uint64_t version = bits_at(r.at);
    r.at += 8;
    if (version != PC_SAVE_VERSION)
        return pc_fail(err, PC_E_ARGUMENT, "'%.300s' is a run saved in version %llu of the format; this is version %d",
                       path, (unsigned long long)version, PC_SAVE_VERSION);
    if (bits_at(r.end) != checksum(SUM_START, file.bytes, file.n - 8)) return damaged(path, err);
    for (int i = 0; i < PC_SAVE_NOTES; i++) {
        if (!get_count(&r, 1, &saved->notes[i].n)) return damaged(path, err);
        saved->notes[i].bytes = r.at;
        r.at += saved->notes[i].n;
    }
    saved->run = (pc_note){r.at, (size_t)(r.end - r.at)};
    return PC_OK;
}

static bool is_pair(const pc_run *run, int pair)
{
    return pair >= 0 && pair < run->scene->n_pairs;
}

static bool is_sign(int value)
{
    return value >= -1 && value <= 1;
}

/* A number of things, far enough from the greatest that whoever goes on may count them. */
static bool is_number(int n)
{
    return n >= 0 && n <= INT_MAX / 2;
}

static bool are_closed(const pc_run *run, int n, const int *pair)
{
    if (n < 0 || n > PC_CLOSED) return false;
    for (int i = 0; i < n; i++) {
        if (!is_pair(run, pair[i])) return false;
        for (int k = 0; k < i; k++) /* each once: workspaces have room for the pairs that there are */
            if (pair[k] == pair[i]) return false;
    }
    return true;
}

/* A feature that the outline of a pair has, or none. */
static bool is_feature(const pc_run *run, int pair, int feature)
{
    int sides = run->scene->outlines[run->scene->pairs[pair].outline].n_sides;
    return feature >= -1 && feature < (sides > 0 ? 2 * sides : 1);
}

/* The side that a closed contact may hold to: of sharp corners alone. */
static bool is_side(const pc_run *run, const pc_run_contact *c)
{
    if (!run->scene->pairs[c->pair].sharp) return c->feature == -1;
    return is_feature(run, c->pair, c->feature) && c->feature % 2 != 0;
}

static bool is_pressed(const pc_run *run, const pc_run_contact *c)
{
    const pc_impact_record *hits = run->history.hits.data;
    return is_pair(run, c->pair) && pc_pair_acts_in_motion(run->scene, c->pair) && is_side(run, c) && c->mass > 0 &&
           c->speed > 0 && c->length > 0 && c->hit < run->history.hits.used && hits[c->hit].pressed &&
           is_sign(c->press.sign) && is_sign(c->press.kink_side) && (c->press.branch == 0 || c->press.branch == 1);
}

/* Closed contacts of both kinds at one moment: each pair once. */
static bool are_apart(int n, const int *pair, size_t n_pressed, const pc_run_contact *pressed)
{
    for (size_t i = 0; i < n_pressed; i++) {
        for (int k = 0; k < n; k++)
            if (pair[k] == pressed[i].pair) return false;
        for (size_t k = 0; k < i; k++)
            if (pressed[k].pair == pressed[i].pair) return false;
    }
    return true;
}

/* Every index points to what there is: a checksum tells of accidents only. */
static bool holds_together(const pc_run *run)
{
    if (!isfinite(run->history.t0) || !isfinite(run->state.t) || run->state.t < run->history.t0) return false;
    if (!are_closed(run, run->state.contacts.n, run->state.contacts.pair)) return false;
    if (!are_apart(run->state.contacts.n, run->state.contacts.pair, (size_t)run->state.compliant.n,
                   run->state.compliant.contact))
        return false;
    for (int i = 0; i < run->state.contacts.n; i++)
        if (!is_sign(run->state.contacts.mode[i])) return false;
    for (int i = 0; i < 4; i++)
        if (!isnan(run->state.recent[i]) && !is_pair(run, run->state.recent_pair[i])) return false;
    const pc_modes *modes = run->history.modes.data;
    for (size_t i = 0; i < run->history.modes.used; i++) {
        if (!are_closed(run, modes[i].n, modes[i].pair)) return false;
        for (int k = 0; k < modes[i].n; k++)
            if (!is_feature(run, modes[i].pair[k], modes[i].feature[k]) || !is_sign(modes[i].mode[k])) return false;
    }
    for (int i = 0; i < run->scene->n_pairs; i++)
        if (!is_feature(run, i, run->state.memory[i].feature) || !is_sign(run->state.memory[i].face)) return false;
    size_t n_arcs, n_coefficients = run->history.trajectory.coefficients.used;
    const pc_arc *arcs = pc_trajectory_arcs(&run->history.trajectory, &n_arcs);
    const pc_arc_record *records = run->history.arcs.data;
    const pc_run_contact *pressed = run->history.pressed.data;
    if (run->history.arcs.used != n_arcs) return false;
    for (size_t i = 0; i < n_arcs; i++) {
        const pc_arc *a = &arcs[i];
        const pc_arc_record *r = &records[i]; /* where contacts press, the slope of an arc is asked for */
        if (a->degree < (r->n_pressed > 0) || a->degree > PC_DENSE_DEGREE || r->modes >= run->history.modes.used)
            return false;
        if (r->n_pressed > PC_CLOSED || r->pressed > run->history.pressed.used ||
            r->n_pressed > run->history.pressed.used - r->pressed)
            return false;
        const pc_run_contact *closed = r->n_pressed > 0 ? pressed + r->pressed : NULL;
        if (!are_apart(modes[r->modes].n, modes[r->modes].pair, r->n_pressed, closed)) return false;
        if (a->n != 2 * run->scene->n_dof + PC_ROWS * (int)r->n_pressed || a->n > run->scratch.room) return false;
        size_t count = (size_t)a->n * (size_t)(a->degree + 1);
        if (a->coefficient > n_coefficients || count > n_coefficients - a->coefficient) return false;
    }
    const pc_impact_record *hits = run->history.hits.data;
    for (size_t i = 0; i < run->history.hits.used; i++) {
        if (hits[i].pressed && hits[i].press >= run->history.presses.used) return false;
        size_t per_hit = (hits[i].pressed ? 4 : 3) * (size_t)run->scene->n_dof + 2 * (size_t)run->scene->n_nodes;
        if (!is_pair(run, hits[i].pair) || hits[i].states > run->history.states.used) return false;
        if (per_hit > run->history.states.used - hits[i].states || !is_number(hits[i].n_phases)) return false;
        if (!is_number(hits[i].order)) return false;
    }
    for (int i = 0; i < run->state.compliant.n; i++)
        if (!is_pressed(run, &run->state.compliant.contact[i])) return false;
    for (size_t i = 0; i < run->history.pressed.used; i++)
        if (!is_pressed(run, &pressed[i])) return false;
    const pc_event_record *events = run->history.events.data;
    for (size_t i = 0; i < run->history.events.used; i++) {
        const pc_event_record *e = &events[i];
        if (e->kind == PC_EVENT_USER ? e->pair < 0 : e->pair != -1 && !is_pair(run, e->pair)) return false;
        if (e->kind == PC_EVENT_IMPACT && e->impact >= run->history.hits.used) return false;
    }
    return true;
}

/* What records of closed contacts leave out. */
static void prepare_one(const pc_run *run, pc_run_contact *c)
{
    const pc_pair *pair = &run->scene->pairs[c->pair];
    c->press.element = pair->law->element;
    pair->law->element->prepare(pair->params, &(pc_scales){1, 1, 1}, c->mass, c->speed, &c->press.p);
}

static void prepare_again(pc_run *run)
{
    pc_run_contact *recorded = run->history.pressed.data;
    for (size_t i = 0; i < run->history.pressed.used; i++) prepare_one(run, &recorded[i]);
    for (int i = 0; i < run->state.compliant.n; i++) prepare_one(run, &run->state.compliant.contact[i]);
}

static pc_status read_lists(reader *r, pc_run *run, const char *path, pc_error *err)
{
    for (size_t i = 0; i < COUNT(lists); i++) {
        pc_pool *pool = (void *)((char *)run + lists[i].offset);
        size_t n;
        if (!get_count(r, width_of(&lists[i]), &n)) return damaged(path, err);
        pc_status status = pc_pool_grow(pool, n, lists[i].size, err);
        if (status != PC_OK) return status;
        for (; pool->used < n; pool->used++) {
            void *record = (char *)pool->data + pool->used * lists[i].size;
            memset(record, 0, lists[i].size);
            if (!get_record(r, lists[i].fields, lists[i].n_fields, record)) return damaged(path, err);
        }
    }
    return PC_OK;
}

/* Numbers of a history that a run goes on from without harm: depths ascend, and every ring has a width. */
static bool are_rings(const pc_rings *r)
{
    if (!(r->mu > 0 && r->stiffness > 0 && r->width > 0 && r->time > 0 && r->step > 0 && r->wanted > 0)) return false;
    if (!isfinite(r->u) || !isfinite(r->z)) return false;
    for (int i = 0; i < r->n; i++) {
        const pc_ring *ring = &r->ring[i];
        if (!(ring->width > 0 && isfinite(ring->stretch) && isfinite(ring->edge) && isfinite(ring->moment)))
            return false;
        if (!(i == 0 ? ring->depth == 0 : ring->depth > ring[-1].depth)) return false;
    }
    return true;
}

static pc_status read_rings(reader *r, pc_contact *press, const char *path, pc_error *err)
{
    size_t n;
    if (!get_count(r, 8 * COUNT(ring_fields), &n) || (n > 0) != pc_contact_has_rings(press) || n > INT_MAX)
        return damaged(path, err);
    if (n == 0) return PC_OK;
    pc_rings *rings = press->rings = pc_calloc(1, sizeof *rings);
    pc_ring *ring = pc_calloc(n, sizeof *ring);
    if (!rings || !ring) {
        pc_free(ring);
        return pc_fail(err, PC_E_MEMORY, "not enough memory for %zu rings", n);
    }
    *rings = (pc_rings){.n = (int)n, .room = (int)n, .ring = ring};
    bool good = get_record(r, rings_fields, COUNT(rings_fields), rings);
    for (size_t i = 0; i < n && good; i++) good = get_record(r, ring_fields, COUNT(ring_fields), &ring[i]);
    return good && are_rings(rings) ? PC_OK : damaged(path, err);
}

pc_status pc_saved_restore(const pc_saved *saved, pc_run *run, const pc_scene *scene, pc_error *err)
{
    reader r = {saved->run.bytes, saved->run.bytes + saved->run.n};
    const uint64_t sizes[3] = {(uint64_t)scene->n_dof, (uint64_t)scene->n_nodes, (uint64_t)scene->n_pairs};
    *run = (pc_run){0};
    for (int i = 0; i < 3; i++) {
        uint64_t size;
        if (!get_bits(&r, &size)) return damaged(saved->path, err);
        if (size != sizes[i]) return pc_fail(err, PC_E_ARGUMENT, "'%.300s' was saved from another scene", saved->path);
    }
    double *y = pc_calloc(2 * (size_t)scene->n_dof, sizeof *y);
    if (!y) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d coordinates", scene->n_dof);
    pc_status status = pc_run_open(run, scene, 0, y, err);
    pc_free(y);
    if (status != PC_OK) return status;
    bool read = get_record(&r, run_fields, COUNT(run_fields), run);
    for (int i = 0; i < run->scratch.room && read; i++) read = get_record(&r, double_fields, 1, &run->state.y[i]);
    for (int i = 0; i < scene->n_pairs && read; i++)
        read = get_record(&r, memory_fields, COUNT(memory_fields), &run->state.memory[i]);
    int most = (run->scratch.room - 2 * scene->n_dof) / PC_ROWS;
    read = read && run->state.compliant.n >= 0 && run->state.compliant.n <= (most < PC_CLOSED ? most : PC_CLOSED);
    if (!read) run->state.compliant.n = 0;
    for (int i = 0; i < run->state.compliant.n && read; i++)
        read = get_record(&r, pressed_fields, COUNT(pressed_fields), &run->state.compliant.contact[i]);
    status = read ? read_lists(&r, run, saved->path, err) : damaged(saved->path, err);
    if (status == PC_OK && !holds_together(run)) status = damaged(saved->path, err);
    if (status == PC_OK) prepare_again(run);
    for (int i = 0; i < run->state.compliant.n && status == PC_OK; i++)
        status = read_rings(&r, &run->state.compliant.contact[i].press, saved->path, err);
    if (status == PC_OK && r.at != r.end) status = damaged(saved->path, err);
    if (status != PC_OK) pc_run_close(run);
    return status;
}
