/* States of runs: see state.h. */
#include "motion/state.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

pc_status pc_run_state_open(pc_run_state *s, const pc_scene *scene, double t, const double *y, pc_error *err)
{
    memset(s, 0, sizeof *s);
    s->room = 2 * scene->n_dof + PC_ROWS * pc_compliant_pairs(scene);
    s->n_pairs = scene->n_pairs;
    bool good = true;
#define PC_STATE_LIST(type, name, size)                                                                                \
    s->name = pc_calloc((size_t)s->size + 1, sizeof(type));                                                            \
    good = good && s->name;
#include "motion/state.def"
    if (!good) {
        pc_run_state_close(s);
        return pc_fail(err, PC_E_MEMORY, "not enough memory for %d coordinates", scene->n_dof);
    }
    s->t = t;
    s->stop_event = -1;
    pc_accumulation_forget(&s->accumulation);
    memcpy(s->y, y, 2 * (size_t)scene->n_dof * sizeof *y);
    for (int i = 0; i < s->n_pairs; i++) s->memory[i] = (pc_pair_memory){.last_impact = NAN, .riding = NAN};
    const pc_places places = pc_run_state_places(s);
    pc_places_release(&places, s->n_pairs);
    return PC_OK;
}

static void close_compliant(pc_compliant *c)
{
    for (int i = 0; i < c->n; i++) pc_contact_close_rings(&c->contact[i].base);
    pc_compliant_close(c);
}

void pc_run_state_close(pc_run_state *s)
{
    close_compliant(&s->compliant);
    pc_contacts_close(&s->contacts);
#define PC_STATE_LIST(type, name, size)                                                                                \
    pc_free(s->name);                                                                                                  \
    s->name = NULL;
#include "motion/state.def"
}

static pc_rings *copy_of(const pc_rings *rings)
{
    pc_rings *copy = pc_rings_new((size_t)rings->n);
    if (!copy) return NULL;
    pc_ring *ring = memcpy(copy->ring, rings->ring, (size_t)rings->n * sizeof *ring);
    size_t room = copy->room;
    *copy = *rings;
    copy->ring = ring;
    copy->room = room;
    return copy;
}

/* The closed compliant contacts, each with a history of its own. */
static pc_status copy_compliant(pc_compliant *to, const pc_compliant *from, pc_error *err)
{
    pc_compliant copy = {.version = to->version + 1}; /* whoever has measured them measures them again */
    int room = (int)to->room;
    pc_status status = pc_compliant_reserve(&copy, room > from->n ? room : from->n, err);
    for (int i = 0; i < from->n && status == PC_OK; i++, copy.n = i) {
        const pc_rings *rings = from->contact[i].base.rings;
        copy.contact[i] = from->contact[i];
        copy.touch[i] = from->touch[i];
        copy.now[i] = from->now[i];
        copy.contact[i].base.rings = rings ? copy_of(rings) : NULL;
        if (rings && !copy.contact[i].base.rings)
            status = pc_fail(err, PC_E_MEMORY, "not enough memory for the histories of contacts");
    }
    pc_compliant gone = status == PC_OK ? *to : copy;
    if (status == PC_OK) *to = copy;
    close_compliant(&gone);
    return status;
}

pc_status pc_run_state_copy(pc_run_state *to, const pc_run_state *from, pc_error *err)
{
    pc_status status = pc_contacts_reserve(&to->contacts, from->contacts.n + from->compliant.n, err);
    if (status == PC_OK) status = copy_compliant(&to->compliant, &from->compliant, err);
    if (status != PC_OK) return status;
    pc_contacts_copy(&to->contacts, &from->contacts);
    to->accumulation = from->accumulation;
#define PC_STATE_VALUE(type, name, count) memcpy(&to->name, &from->name, sizeof to->name);
#define PC_STATE_LIST(type, name, size) memcpy(to->name, from->name, (size_t)from->size * sizeof(type));
#include "motion/state.def"
    return PC_OK;
}

#define DIFFERS(name) (memcmp(&a->name, &b->name, sizeof a->name) != 0)

static bool equal_rings(const pc_rings *a, const pc_rings *b)
{
    if (!a || !b) return a == b;
    bool differ = a->n != b->n;
#define PC_RINGS_MEMBER(name) differ = differ || DIFFERS(name);
#include "motion/state.def"
    return !differ && memcmp(a->ring, b->ring, (size_t)a->n * sizeof *a->ring) == 0;
}

static bool equal_contacts(const pc_run_contact *a, const pc_run_contact *b)
{
    bool differ = !equal_rings(a->base.rings, b->base.rings);
#define PC_CLOSED_MEMBER(name) differ = differ || DIFFERS(name);
#include "motion/state.def"
    return !differ;
}

static bool equal_memories(const pc_pair_memory *a, const pc_pair_memory *b)
{
    bool differ = false;
#define PC_MEMORY(type, name) differ = differ || DIFFERS(name);
#include "motion/state.def"
    return !differ;
}

static bool equal_doubles(const double *a, const double *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static bool equal_chars(const signed char *a, const signed char *b)
{
    return *a == *b;
}

bool pc_run_state_equal(const pc_run_state *a, const pc_run_state *b)
{
    bool differ = DIFFERS(room) || DIFFERS(n_pairs) || DIFFERS(contacts.n) || DIFFERS(compliant.n);
#define PC_STATE_VALUE(type, name, count) differ = differ || DIFFERS(name);
#define PC_ACCUMULATION_MEMBER(name) differ = differ || DIFFERS(accumulation.name);
#include "motion/state.def"
    for (int i = 0; !differ && i < a->contacts.n; i++) differ = DIFFERS(contacts.pair[i]) || DIFFERS(contacts.mode[i]);
    for (int i = 0; !differ && i < a->compliant.n; i++)
        differ = !equal_contacts(&a->compliant.contact[i], &b->compliant.contact[i]);
#define EQUAL_OF(list)                                                                                                 \
    _Generic(list, double * : equal_doubles, signed char * : equal_chars, pc_pair_memory * : equal_memories)
#define PC_STATE_LIST(type, name, size)                                                                                \
    for (int i = 0; !differ && i < a->size; i++) differ = !EQUAL_OF(a->name)(a->name + i, b->name + i);
#include "motion/state.def"
    return !differ;
}
