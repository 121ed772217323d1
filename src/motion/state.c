/* States of runs: see state.h. */
#include "motion/state.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

pc_status pc_run_state_open(pc_run_state *s, const pc_scene *scene, double t, const double *y, pc_error *err)
{
    memset(s, 0, sizeof *s);
    s->n_dof = scene->n_dof;
    s->n_pairs = scene->n_pairs;
    s->compliant.memory = pc_scene_memory(scene);
    bool good = true;
#define PC_STATE_LIST(type, name, size)                                                                                \
    s->name = pc_calloc(pc_run_state_##size(s) + 1, sizeof(type));                                                     \
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

pc_status pc_run_state_reserve(pc_run_state *s, int lasting, int compliant, pc_error *err)
{
    if ((size_t)compliant > s->compliant.room) {
        double *y =
            pc_realloc(s->y, 2 * (size_t)s->n_dof + (size_t)(pc_compliant_rows(&s->compliant) * compliant), sizeof *y);
        if (!y) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d contacts", compliant);
        s->y = y;
    }
    pc_status status = pc_compliant_reserve(&s->compliant, compliant, err);
    return status == PC_OK ? pc_contacts_reserve(&s->contacts, lasting, err) : status;
}

void pc_run_state_close(pc_run_state *s)
{
    for (int i = 0; i < s->compliant.n; i++) pc_contact_close_rings(&s->compliant.contact[i].base);
    pc_compliant_close(&s->compliant);
    pc_contacts_close(&s->contacts);
#define PC_STATE_LIST(type, name, size)                                                                                \
    pc_free(s->name);                                                                                                  \
    s->name = NULL;
#include "motion/state.def"
}
