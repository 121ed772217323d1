/* pc_law.impact and pc_law.trace of a law that is an element and nothing more. */
#ifndef PC_LAW_ELEMENT_LAW_H
#define PC_LAW_ELEMENT_LAW_H

#include "law/driver.h"
#include "law/law.h"

#define PC_ELEMENT_LAW(element)                                                                                        \
    static pc_status impact(const void *params, const pc_mobility *W, const double v0[3], pc_impact *out,              \
                            pc_error *err)                                                                             \
    {                                                                                                                  \
        return pc_drive_impact(&(element), params, W, v0, out, err);                                                   \
    }                                                                                                                  \
    static pc_status trace(const void *params, const pc_mobility *W, const pc_impact *from, const double *times,       \
                           size_t n, pc_state *out, pc_error *err)                                                     \
    {                                                                                                                  \
        return pc_drive_trace(&(element), params, W, from, times, n, out, err);                                        \
    }

#endif
