/* Looking at a recorded motion: see look.h. */
#include "sim/look.h"

#include "sim/run_parts.h"

#include <string.h>

pc_status pc_run_look(pc_run *run, double t, int side, pc_look *look, pc_error *err)
{
    int n = run->scene->n_dof;
    if (err) err->code = PC_OK;
    look->y = run->y + 2 * n;
    look->a = run->y + 4 * n;
    const pc_smooth_arc *arc = pc_run_at(run, t, side, look->y);
    if (!arc && run->arcs.used == 0 && t == run->t) { /* nothing has moved, or nothing was recorded */
        memcpy(look->y, run->y, 2 * (size_t)n * sizeof *run->y);
        look->contacts = run->contacts;
    } else if (!arc) {
        return pc_fail(err, PC_E_ARGUMENT,
                       run->arcs.used == 0 ? "the motion was not recorded (record = false)"
                                           : "t = %.10g lies outside the motion, %.10g to %.10g",
                       t, run->t0, run->t);
    } else {
        pc_run_restore_modes(run, arc->modes, &look->contacts);
    }
    bool now = t == run->t && side >= 0;
    memcpy(look->work, now || !arc ? run->work : arc->work, sizeof look->work);
    look->lost = now || !arc ? run->lost : arc->lost;
    if (now) look->contacts = run->contacts;
    if (arc && !now && pc_run_has_work(run->scene, &look->contacts)) {
        pc_dense dense = {arc->t, arc->h, 2 * n, arc->degree, (double *)run->coefficients.data + arc->coefficients};
        double x = pc_dense_place(&dense, t);
        if (pc_run_add_work(&run->system, &run->block, &look->contacts, &dense, x, look->y, look->a, look->work) != 0)
            return pc_run_stopped(run, err);
        pc_dense_eval(&dense, x, look->y);
    }
    if (pc_system_place(&run->system, t, look->y) != 0) return pc_run_stopped(run, err);
    if (pc_contacts_accelerate(&look->contacts, &run->system, &run->block, look->a) != 0)
        return pc_run_stopped(run, err);
    look->kinetic = pc_system_kinetic(&run->system);
    look->potential = pc_system_potential(&run->system);
    return PC_OK;
}
