/* Energies and works. */
#ifndef PC_MOTION_LEDGER_H
#define PC_MOTION_LEDGER_H

#include "motion/run.h"

/* Works on the fraction from 0 to x of an arc, added to work; those of the friction at each closed contact in its list.
 * < 0: stop. */
int pc_run_add_work(pc_run *run, pc_contacts *contacts, pc_compliant *compliant, const pc_dense *dense, double x,
                    double work[4]);

/* Friction takes energy from what slips: stop where it has given more than the errors of an arc explain, at the closed
 * contacts after pc_run_add_work; work: by a compliant one. A tangential element whose stiffness changes under load may
 * give some by its nature, which its record says. */
pc_status pc_run_check_friction(pc_run *run, pc_error *err);
pc_status pc_run_check_compliant(pc_run *run, int which, double work, pc_error *err);
bool pc_run_has_work(const pc_scene *scene, const pc_contacts *contacts);

/* Total energy of the placed scene, without that in springs. */
double pc_run_energy(pc_planar *planar);

#endif
