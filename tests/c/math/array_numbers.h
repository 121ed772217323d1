/* Numbers to fill arrays with. */
#ifndef TESTS_C_ARRAY_NUMBERS_H
#define TESTS_C_ARRAY_NUMBERS_H

#include "unit.h"

#include <stdint.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

static double number(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13; /* xorshift64 of Marsaglia */
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

#endif
