/* One impact by Maw's rings where W couples the normal motion to the tangential one: see maw/coupled.c. */
#ifndef PC_LAW_MAW_COUPLED_H
#define PC_LAW_MAW_COUPLED_H

#include "law/element.h"
#include "math/mobility.h"

#include <stddef.h>

/* With this number of rings. `out` has v0 and energy0; v_n < 0. The states at n_times times, s, in ascending order, go
 * into `states`. */
pc_status pc_maw_couple(const pc_element *element, const void *params, int rings, const pc_mobility *W,
                        const double *times, size_t n_times, pc_state *states, pc_impact *out, pc_error *err);

#endif
