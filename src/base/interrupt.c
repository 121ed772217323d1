/* The interrupt flag: see interrupt.h. */
#include "base/interrupt.h"

volatile sig_atomic_t pc_interrupt_flag = 0;
