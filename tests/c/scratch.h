/* Where tests write files: the folder that the runner gives them, /tmp without one. What is made there the test removes
 * again; the runner looks. */
#ifndef TESTS_C_SCRATCH_H
#define TESTS_C_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>

enum { SCRATCH_SIZE = 256 };

/* A pattern for mkstemp and mkdtemp. */
static inline void scratch_pattern(char path[SCRATCH_SIZE])
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, SCRATCH_SIZE, "%s/percuss-XXXXXX", folder ? folder : "/tmp");
}

#endif
