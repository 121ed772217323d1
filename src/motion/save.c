/* Runs in files: see run.h. */
#include "motion/run.h"

#include "base/digest.h"
#include "base/files.h"
#include "base/alloc.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const char mark[16] = "percuss run\r\n\x1a\0"; /* a change of line ends, or a reading as text, breaks it */

/* ---- members ---- */

/* Every kind takes 8 bytes in the file. */
typedef enum kind { REAL, INT, UNSIGNED, SIGN, FLAG, SIZE, LONG } kind;

static const size_t size_of[] = {sizeof(double), sizeof(int),    sizeof(unsigned), sizeof(signed char),
                                 sizeof(bool),   sizeof(size_t), sizeof(long)};

/* Members of one kind that take `size` bytes at an offset. */
typedef struct field {
    size_t offset;
    kind kind;
    size_t size;
} field;

typedef struct record {
    size_t size;
    const field *fields;
    size_t n;
} record;

/* Structs of one kind of member count as so many of them; enumerations are unsigned, or int. Where size_t is unsigned,
 * one of them stands for both. */
#if SIZE_MAX == UINT_MAX
#define KIND_OF_SIZES unsigned : UNSIGNED
#else
#define KIND_OF_SIZES unsigned : UNSIGNED, size_t : SIZE
#endif
#define KIND_OF(member)                                                                                                \
    _Generic(member, double: REAL, double *: REAL, int: INT, int *: INT, KIND_OF_SIZES, signed char: SIGN,        \
             signed char *: SIGN, bool: FLAG, pc_ode_statistics: LONG)
#define FIELD(type, member)                                                                                            \
    {                                                                                                                  \
        offsetof(type, member), KIND_OF(((type *)0)->member), sizeof((type *)0)->member                                \
    }
#define COUNT(list) (sizeof(list) / sizeof *(list))
#define RECORD(type, fields)                                                                                           \
    {                                                                                                                  \
        sizeof(type), fields, COUNT(fields)                                                                            \
    }

static const field run_fields[] = {
    FIELD(pc_run, rtol),
    FIELD(pc_run, history.t0),
    FIELD(pc_run, history.statistics),
};
static const field state_fields[] = {
#define PC_STATE_VALUE(type, name, count) FIELD(pc_run_state, name),
#include "motion/state.def"
};
static const field memory_fields[] = {
#define PC_MEMORY(type, name) FIELD(pc_pair_memory, name),
#include "motion/state.def"
};
static const field accumulation_fields[] = {
#define PC_ACCUMULATION_MEMBER(name) FIELD(pc_accumulation, name),
#include "motion/state.def"
};
static const field contact_fields[] = {
#define PC_CLOSED_MEMBER(name) FIELD(pc_compliant_contact, name),
#include "motion/state.def"
};
static const field rings_fields[] = {
#define PC_RINGS_MEMBER(name) FIELD(pc_rings, name),
#include "motion/state.def"
};
static const field ring_fields[] = {
#define PC_RING_MEMBER(name) FIELD(pc_ring, name),
#include "motion/state.def"
};
static const field double_fields[] = {{0, REAL, sizeof(double)}};
static const field int_fields[] = {{0, INT, sizeof(int)}};
static const field arc_fields[] = {
    FIELD(pc_arc, t), FIELD(pc_arc, h),      FIELD(pc_arc, stop),
    FIELD(pc_arc, n), FIELD(pc_arc, degree), FIELD(pc_arc, coefficient),
};
static const field arc_record_fields[] = {
    FIELD(pc_arc_record, modes),  FIELD(pc_arc_record, work),      FIELD(pc_arc_record, lost),
    FIELD(pc_arc_record, sprung), FIELD(pc_arc_record, compliant), FIELD(pc_arc_record, n_compliant),
};
static const field modes_fields[] = {FIELD(pc_modes, n), FIELD(pc_modes, first)};
static const field closed_fields[] = {FIELD(pc_closed_pair, pair), FIELD(pc_closed_pair, mode),
                                      FIELD(pc_closed_pair, roll), FIELD(pc_closed_pair, feature)};
static const field impact_fields[] = {
    FIELD(pc_impact_record, t),       FIELD(pc_impact_record, pair),    FIELD(pc_impact_record, order),
    FIELD(pc_impact_record, W.tt),    FIELD(pc_impact_record, W.tn),    FIELD(pc_impact_record, W.nn),
    FIELD(pc_impact_record, W.rank),  FIELD(pc_impact_record, v0),      FIELD(pc_impact_record, v1),
    FIELD(pc_impact_record, impulse), FIELD(pc_impact_record, energy0), FIELD(pc_impact_record, energy1),
    FIELD(pc_impact_record, outcome), FIELD(pc_impact_record, flags),   FIELD(pc_impact_record, n_phases),
    FIELD(pc_impact_record, rule),    FIELD(pc_impact_record, states),  FIELD(pc_impact_record, compliant),
    FIELD(pc_impact_record, history), FIELD(pc_impact_record, driven),  FIELD(pc_impact_record, turning),
    FIELD(pc_impact_record, couple),
};
static const field history_fields[] = {
    FIELD(pc_impact_history, stop), FIELD(pc_impact_history, peaks.force), FIELD(pc_impact_history, peaks.time),
    FIELD(pc_impact_history, work), FIELD(pc_impact_history, begun),       FIELD(pc_impact_history, slips),
};
static const field event_fields[] = {
    FIELD(pc_event_record, t),    FIELD(pc_event_record, kind),   FIELD(pc_event_record, pair),
    FIELD(pc_event_record, mode), FIELD(pc_event_record, impact), FIELD(pc_event_record, ratio),
};

static const record run_record = RECORD(pc_run, run_fields), state_record = RECORD(pc_run_state, state_fields),
                    memory_record = RECORD(pc_pair_memory, memory_fields),
                    accumulation_record = RECORD(pc_accumulation, accumulation_fields),
                    contact_record = RECORD(pc_compliant_contact, contact_fields),
                    rings_record = RECORD(pc_rings, rings_fields), ring_record = RECORD(pc_ring, ring_fields),
                    double_record = RECORD(double, double_fields), int_record = RECORD(int, int_fields);

/* The recorded lists in their order in the file. */
typedef struct list {
    size_t offset; /* of the pool */
    record of;
} list;

#define LIST(pool, type, fields)                                                                                       \
    {                                                                                                                  \
        offsetof(pc_run_history, pool), RECORD(type, fields)                                                           \
    }

static const list lists[] = {
    LIST(trajectory.arcs, pc_arc, arc_fields),
    LIST(trajectory.coefficients, double, double_fields),
    LIST(arcs, pc_arc_record, arc_record_fields),
    LIST(modes, pc_modes, modes_fields),
    LIST(closed, pc_closed_pair, closed_fields),
    LIST(impacts, pc_impact_record, impact_fields),
    LIST(states, double, double_fields),
    LIST(events, pc_event_record, event_fields),
    LIST(compliant, pc_compliant_contact, contact_fields),
    LIST(impact_histories, pc_impact_history, history_fields),
};

/* A new member of these belongs in the lists above or in state.def, in holds_together below if it counts something or
 * points to it, and then the version of the format changes. (The sizes are those of 64-bit machines; the file is the
 * same everywhere.) */
#define IS_WHOLE(type, size) _Static_assert(sizeof(void *) != 8 || sizeof(type) == (size), "see the fields of " #type)
IS_WHOLE(pc_arc, 40);
IS_WHOLE(pc_arc_record, 80);
IS_WHOLE(pc_modes, 16);
IS_WHOLE(pc_closed_pair, 12);
IS_WHOLE(pc_impact_record, 240); /* of W its planar part: bodies in scenes have no modes */
IS_WHOLE(pc_event_record, 40);
IS_WHOLE(pc_accumulation, 120);
IS_WHOLE(pc_compliant_contact, 352);
IS_WHOLE(pc_impact_history, 80);
IS_WHOLE(pc_rings, 88);
IS_WHOLE(pc_ring, 40);

static size_t width_of(const record *of)
{
    size_t width = 0;
    for (size_t i = 0; i < of->n; i++) width += 8 * (of->fields[i].size / size_of[of->fields[i].kind]);
    return width;
}

static uint64_t load_bits(const void *at, kind of)
{
    uint64_t bits = 0;
    switch (of) {
    case REAL: memcpy(&bits, at, sizeof bits); break;
    case INT: bits = (uint64_t)(*(const int *)at); break;
    case UNSIGNED: bits = *(const unsigned *)at; break;
    case SIGN: bits = (uint64_t)(*(const signed char *)at); break;
    case FLAG: bits = *(const bool *)at; break;
    case SIZE: bits = *(const size_t *)at; break;
    case LONG: bits = (uint64_t)(*(const long *)at); break;
    }
    return bits;
}

/* False for what the member cannot hold: no number of a file wraps into a harmless one. */
static bool store_bits(void *at, kind of, uint64_t bits)
{
    switch (of) {
    case REAL: memcpy(at, &bits, sizeof bits); break;
    case INT: *(int *)at = (int)(int64_t)bits; break;
    case UNSIGNED: *(unsigned *)at = (unsigned)bits; break;
    case SIGN: *(signed char *)at = (signed char)(int64_t)bits; break;
    case FLAG: *(bool *)at = bits == 1; break;
    case SIZE: *(size_t *)at = (size_t)bits; break;
    case LONG: *(long *)at = (long)(int64_t)bits; break;
    }
    return load_bits(at, of) == bits;
}

/* ---- what passes ---- */

/* A file that is written or read: the same members pass in the same order both ways. */
typedef struct archive {
    FILE *out;                     /* NULL: it is read */
    uint64_t sum;                  /* of what was written */
    const unsigned char *at, *end; /* of what is still to be read */
    const char *path;
    pc_error *err;
} archive;

static pc_status damaged(const archive *a)
{
    return pc_fail(a->err, PC_E_ARGUMENT, "'%.300s' is cut short or damaged; nothing was loaded", a->path);
}

static void put(archive *a, const void *bytes, size_t n)
{
    a->sum = pc_digest(a->sum, bytes, n);
    fwrite(bytes, 1, n, a->out); /* its errors are found when the file is closed */
}

static uint64_t bits_at(const unsigned char *at)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) bits |= (uint64_t)at[i] << 8 * i;
    return bits;
}

/* False where the file ends before. */
static bool pass_bits(archive *a, uint64_t *bits)
{
    if (a->out) {
        unsigned char bytes[8];
        for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(*bits >> 8 * i);
        put(a, bytes, 8);
        return true;
    }
    if (a->end - a->at < 8) return false;
    *bits = bits_at(a->at);
    a->at += 8;
    return true;
}

/* A number of things of `width` bytes, all of which are there. */
static bool pass_count(archive *a, size_t width, size_t *n)
{
    uint64_t count = *n;
    if (!pass_bits(a, &count) || (!a->out && count > (uint64_t)(a->end - a->at) / width)) return false;
    *n = (size_t)count;
    return true;
}

/* n elements of a list. */
static bool pass_records(archive *a, const record *of, void *first, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        for (size_t f = 0; f < of->n; f++) {
            kind each = of->fields[f].kind;
            char *at = (char *)first + k * of->size + of->fields[f].offset;
            for (size_t i = 0; i < of->fields[f].size; i += size_of[each]) {
                uint64_t bits = a->out ? load_bits(at + i, each) : 0;
                if (!pass_bits(a, &bits) || (!a->out && !store_bits(at + i, each, bits))) return false;
            }
        }
    }
    return true;
}

/* The scene is that of the file if it has as much in it. */
static pc_status pass_sizes(archive *a, const pc_scene *scene)
{
    const int sizes[3] = {scene->n_dof, (int)pc_scene_reactions(scene), scene->n_pairs};
    for (int i = 0; i < 3; i++) {
        uint64_t size = (uint64_t)sizes[i];
        if (!pass_bits(a, &size)) return damaged(a);
        if (size != (uint64_t)sizes[i])
            return pc_fail(a->err, PC_E_ARGUMENT, "'%.300s' was saved from another scene", a->path);
    }
    return PC_OK;
}

/* What an element of a list of the state consists of. */
#define RECORD_OF(list)                                                                                                \
    _Generic(list, double * : &double_record, int * : &int_record, pc_pair_memory * : &memory_record)

static pc_status pass_state(archive *a, pc_run *run)
{
    pc_run_state *s = &run->state;
    bool good = pass_records(a, &state_record, s, 1) && pass_records(a, &accumulation_record, &s->accumulation, 1);
    size_t n = (size_t)s->contacts.n, n_compliant = (size_t)s->compliant.n;
    if (!good || !pass_count(a, 3 * width_of(&int_record), &n) ||
        !pass_count(a, width_of(&contact_record), &n_compliant) || n + n_compliant > pc_run_state_pairs(s) ||
        n_compliant > (size_t)pc_scene_compliant_pairs(run->scene))
        return damaged(a);
    pc_status status = a->out ? PC_OK : pc_run_reserve(run, (int)(n + n_compliant), a->err);
    if (status != PC_OK) return status;
    s->contacts.n = (int)n;
    s->compliant.n = (int)n_compliant;
    good = pass_records(a, &int_record, s->contacts.pair, n) && pass_records(a, &int_record, s->contacts.mode, n) &&
           pass_records(a, &int_record, s->contacts.roll, n) &&
           pass_records(a, &contact_record, s->compliant.contact, n_compliant);
#define PC_STATE_LIST(type, name, size)                                                                                \
    good = good && pass_records(a, RECORD_OF(s->name), s->name, pc_run_state_##size(s));
#include "motion/state.def"
    return good ? PC_OK : damaged(a);
}

static pc_status pass_lists(archive *a, pc_run_history *history)
{
    for (size_t i = 0; i < COUNT(lists); i++) {
        pc_pool *pool = (void *)((char *)history + lists[i].offset);
        const record *of = &lists[i].of;
        size_t n = pool->used;
        if (!pass_count(a, width_of(of), &n)) return damaged(a);
        pc_status status = a->out ? PC_OK : pc_pool_grow(pool, n, of->size, a->err);
        if (status != PC_OK) return status;
        if (!a->out && n > 0) memset(pool->data, 0, n * of->size);
        if (!pass_records(a, of, pool->data, n)) return damaged(a);
        pool->used = n;
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

static pc_status pass_rings(archive *a, pc_contact *contact)
{
    size_t n = contact->rings ? (size_t)contact->rings->n : 0;
    if (!pass_count(a, width_of(&ring_record), &n) || (n > 0) != pc_contact_has_rings(contact) || n > INT_MAX)
        return damaged(a);
    if (n == 0) return PC_OK;
    if (!a->out) {
        contact->rings = pc_rings_new(n);
        if (!contact->rings) return pc_fail(a->err, PC_E_MEMORY, "not enough memory for %zu rings", n);
    }
    pc_rings *rings = contact->rings;
    bool good = pass_records(a, &rings_record, rings, 1) && pass_records(a, &ring_record, rings->ring, n);
    return good && (a->out || are_rings(rings)) ? PC_OK : damaged(a);
}

/* ---- whether it holds together ---- */

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

/* Closed contacts: n records of one size, each of which begins with its pair. */
typedef struct closed_list {
    size_t n;
    const void *records;
    size_t size;
} closed_list;

static int pair_of(const closed_list *closed, size_t i)
{
    return *(const int *)(const void *)((const char *)closed->records + i * closed->size);
}

/* Contacts that are closed at one moment, rigid and compliant: each pair once. */
static bool are_closed(const pc_run *run, closed_list rigid, closed_list compliant)
{
    for (size_t i = 0; i < rigid.n + compliant.n; i++) {
        int pair = i < rigid.n ? pair_of(&rigid, i) : pair_of(&compliant, i - rigid.n);
        if (!is_pair(run, pair)) return false;
        for (size_t k = 0; k < i; k++)
            if ((k < rigid.n ? pair_of(&rigid, k) : pair_of(&compliant, k - rigid.n)) == pair) return false;
    }
    return true;
}

/* A feature that the outline of a pair has, or none. */
static bool is_feature(const pc_run *run, int pair, int feature)
{
    const pc_pair *p = &run->scene->pairs[pair];
    if (p->kind != PC_PAIR_OUTLINES) return feature == -1 || feature == 0;
    const pc_outline *outline = &run->scene->outlines[p->outline];
    int last = 2 * outline->n_sides - !(pc_outline_is_curve(outline) && !outline->closed);
    return feature >= -1 && feature <= (last > 0 ? last : 0);
}

/* The side that a closed contact may hold to: of sharp corners alone. */
static bool is_side(const pc_run *run, const pc_compliant_contact *c)
{
    if (!run->scene->pairs[c->pair].sharp) return c->feature == -1;
    return is_feature(run, c->pair, c->feature) && c->feature % 2 != 0;
}

static bool is_compliant(const pc_run *run, const pc_compliant_contact *c)
{
    const pc_impact_record *impacts = run->history.impacts.data;
    return is_pair(run, c->pair) && pc_pair_acts_in_motion(run->scene, c->pair) && is_side(run, c) && c->mass > 0 &&
           c->speed > 0 && c->length > 0 && c->impact < run->history.impacts.used && impacts[c->impact].compliant &&
           is_sign(c->base.sign) && is_sign(c->base.kink_side) && (c->base.branch == 0 || c->base.branch == 1);
}

static closed_list closed_in(const pc_modes *modes, const pc_closed_pair *sets)
{
    return (closed_list){(size_t)modes->n, modes->n > 0 ? sets + modes->first : NULL, sizeof *sets};
}

/* Every index points to what there is: a checksum tells of accidents only. */
static bool holds_together(const pc_run *run)
{
    if (!isfinite(run->history.t0) || !isfinite(run->state.t) || run->state.t < run->history.t0) return false;
    if (run->state.stop > PC_RUN_BROKEN) return false;
    const pc_run_state *s = &run->state;
    const closed_list lasting = {(size_t)s->contacts.n, s->contacts.pair, sizeof *s->contacts.pair};
    const closed_list others = {(size_t)s->compliant.n, s->compliant.contact, sizeof *s->compliant.contact};
    if (!are_closed(run, lasting, others)) return false;
    for (int i = 0; i < run->state.contacts.n; i++)
        if (!is_sign(run->state.contacts.mode[i]) || !is_sign(run->state.contacts.roll[i])) return false;
    for (int i = 0; i < 4; i++)
        if (!isnan(run->state.accumulation.time[i]) && !is_pair(run, run->state.accumulation.pair[i])) return false;
    const pc_modes *modes = run->history.modes.data;
    const pc_closed_pair *sets = run->history.closed.data;
    for (size_t i = 0; i < run->history.closed.used; i++)
        if (!is_pair(run, sets[i].pair) || !is_feature(run, sets[i].pair, sets[i].feature) || !is_sign(sets[i].mode) ||
            !is_sign(sets[i].roll))
            return false;
    for (size_t i = 0; i < run->history.modes.used; i++) {
        if (modes[i].n < 0 || modes[i].first > run->history.closed.used) return false;
        if ((size_t)modes[i].n > run->history.closed.used - modes[i].first) return false;
        if (!are_closed(run, closed_in(&modes[i], sets), (closed_list){0})) return false;
    }
    for (int i = 0; i < run->scene->n_pairs; i++)
        if (!is_feature(run, i, run->state.feature[i]) || !is_sign(run->state.face[i])) return false;
    size_t n_arcs, n_coefficients = run->history.trajectory.coefficients.used;
    const pc_arc *arcs = pc_trajectory_arcs(&run->history.trajectory, &n_arcs);
    const pc_arc_record *records = run->history.arcs.data;
    const pc_compliant_contact *compliant = run->history.compliant.data;
    if (run->history.arcs.used != n_arcs) return false;
    for (size_t i = 0; i < n_arcs; i++) {
        const pc_arc *a = &arcs[i];
        const pc_arc_record *r = &records[i]; /* where contacts press, the slope of an arc is asked for */
        if (a->degree < (r->n_compliant > 0) || a->degree > PC_DENSE_DEGREE || r->modes >= run->history.modes.used)
            return false;
        if (r->compliant > run->history.compliant.used || r->n_compliant > run->history.compliant.used - r->compliant)
            return false;
        const closed_list now = {r->n_compliant, r->n_compliant > 0 ? compliant + r->compliant : NULL,
                                 sizeof *compliant};
        if (now.n > 0 && !are_closed(run, closed_in(&modes[r->modes], sets), now)) return false;
        if (a->n != 2 * run->scene->n_dof + pc_compliant_rows(&run->state.compliant) * (int)r->n_compliant)
            return false;
        size_t count = (size_t)a->n * (size_t)(a->degree + 1);
        if (a->coefficient > n_coefficients || count > n_coefficients - a->coefficient) return false;
    }
    const pc_impact_record *impacts = run->history.impacts.data;
    for (size_t i = 0; i < run->history.impacts.used; i++) {
        if (impacts[i].compliant && impacts[i].history >= run->history.impact_histories.used) return false;
        size_t per_impact = (impacts[i].compliant ? 4 : 3) * (size_t)run->scene->n_dof + pc_scene_reactions(run->scene);
        if (!is_pair(run, impacts[i].pair) || impacts[i].states > run->history.states.used) return false;
        if (per_impact > run->history.states.used - impacts[i].states || !is_number(impacts[i].n_phases)) return false;
        if (!is_number(impacts[i].order) || impacts[i].outcome > PC_OUTCOME_ADHERED) return false;
        if (impacts[i].W.rank < 0 || impacts[i].W.rank > 2) return false;
        if (impacts[i].rule < 0 || impacts[i].rule > PC_RULE_SEQUENTIAL) return false;
    }
    for (int i = 0; i < run->state.compliant.n; i++)
        if (!is_compliant(run, &run->state.compliant.contact[i])) return false;
    for (size_t i = 0; i < run->history.compliant.used; i++)
        if (!is_compliant(run, &compliant[i])) return false;
    const pc_event_record *events = run->history.events.data;
    for (size_t i = 0; i < run->history.events.used; i++) {
        const pc_event_record *e = &events[i];
        if (e->kind >= PC_EVENT_KINDS) return false;
        if (e->kind == PC_EVENT_USER ? e->pair < 0 : e->pair != -1 && !is_pair(run, e->pair)) return false;
        if (e->kind == PC_EVENT_IMPACT && e->impact >= run->history.impacts.used) return false;
    }
    return true;
}

/* What records of closed contacts leave out. */
static void prepare_one(const pc_run *run, pc_compliant_contact *c)
{
    const pc_pair *pair = &run->scene->pairs[c->pair];
    c->base.element = pair->law->element;
    pair->law->element->prepare(pair->params, &(pc_scales){1, 1, 1}, c->mass, c->speed, &c->base.p);
}

static void prepare_again(pc_run *run)
{
    pc_compliant_contact *recorded = run->history.compliant.data;
    for (size_t i = 0; i < run->history.compliant.used; i++) prepare_one(run, &recorded[i]);
    for (int i = 0; i < run->state.compliant.n; i++) prepare_one(run, &run->state.compliant.contact[i]);
}

static pc_status pass_run(archive *a, pc_run *run)
{
    pc_status status = pass_state(a, run);
    if (status == PC_OK && !pass_records(a, &run_record, run, 1)) status = damaged(a);
    if (status == PC_OK) status = pass_lists(a, &run->history);
    if (status == PC_OK && !a->out) {
        if (!holds_together(run)) return damaged(a);
        prepare_again(run);
    }
    for (int i = 0; i < run->state.compliant.n && status == PC_OK; i++)
        status = pass_rings(a, &run->state.compliant.contact[i].base);
    return status;
}

/* ---- files ---- */

pc_status pc_run_save(const pc_run *run, const pc_note notes[PC_SAVE_NOTES], const char *path, pc_error *err)
{
    pc_outfile file;
    pc_status status = pc_outfile_open(&file, path, err);
    if (status != PC_OK) return status;
    archive a = {.out = file.stream, .sum = PC_DIGEST_START};
    uint64_t version = PC_SAVE_VERSION;
    put(&a, mark, sizeof mark);
    pass_bits(&a, &version);
    for (int i = 0; i < PC_SAVE_NOTES; i++) {
        size_t n = notes[i].n;
        pass_count(&a, 1, &n);
        put(&a, notes[i].bytes, n);
    }
    pass_sizes(&a, run->scene);
    pass_run(&a, (pc_run *)run); /* which changes nothing on the way out */
    uint64_t sum = a.sum;
    pass_bits(&a, &sum);
    return pc_outfile_commit(&file, err);
}

pc_status pc_saved_open(pc_saved *saved, pc_note file, const char *path, pc_error *err)
{
    *saved = (pc_saved){.path = path};
    if (file.n < sizeof mark || memcmp(file.bytes, mark, sizeof mark) != 0)
        return pc_fail(err, PC_E_ARGUMENT, "'%.300s' is no saved run", path);
    archive a = {.at = file.bytes + sizeof mark, .end = file.bytes + file.n, .path = path, .err = err};
    uint64_t version;
    if (!pass_bits(&a, &version) || a.end - a.at < 8) return damaged(&a);
    if (version != PC_SAVE_VERSION)
        return pc_fail(err, PC_E_ARGUMENT, "'%.300s' is a run saved in version %llu of the format; this is version %d",
                       path, (unsigned long long)version, PC_SAVE_VERSION);
    a.end -= 8;
    if (bits_at(a.end) != pc_digest(PC_DIGEST_START, file.bytes, file.n - 8)) return damaged(&a);
    for (int i = 0; i < PC_SAVE_NOTES; i++) {
        if (!pass_count(&a, 1, &saved->notes[i].n)) return damaged(&a);
        saved->notes[i].bytes = a.at;
        a.at += saved->notes[i].n;
    }
    saved->run = (pc_note){a.at, (size_t)(a.end - a.at)};
    return PC_OK;
}

pc_status pc_saved_restore(const pc_saved *saved, pc_run *run, const pc_scene *scene, pc_error *err)
{
    archive a = {.at = saved->run.bytes, .end = saved->run.bytes + saved->run.n, .path = saved->path, .err = err};
    *run = (pc_run){0};
    pc_status status = pass_sizes(&a, scene);
    if (status != PC_OK) return status;
    double *y = pc_calloc(2 * (size_t)scene->n_dof, sizeof *y);
    if (!y) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d coordinates", scene->n_dof);
    status = pc_run_open(run, scene, 0, y, err);
    pc_free(y);
    if (status != PC_OK) return status;
    status = pass_run(&a, run);
    if (status == PC_OK && a.at != a.end) status = damaged(&a);
    if (status != PC_OK) pc_run_close(run);
    return status;
}
