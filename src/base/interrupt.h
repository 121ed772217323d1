/* The interrupt flag. A signal handler raises it; every loop of the core that may run longer than a few
 * milliseconds asks it and returns PC_E_INTERRUPTED with its partial result. Whoever shows the result to a person
 * clears it. */
#ifndef PC_BASE_INTERRUPT_H
#define PC_BASE_INTERRUPT_H

#include <signal.h>

extern volatile sig_atomic_t pc_interrupt_flag;

static inline int pc_interrupted(void)
{
    return pc_interrupt_flag != 0;
}

#endif
