/* Threads for work that is shared out, and what is made once for all of them. A build without threads does the work one
 * after the other. */
#ifndef PC_BASE_THREAD_H
#define PC_BASE_THREAD_H

#include <stdatomic.h>
#include <stddef.h>

enum { PC_THREADS_MAX = 64 };

/* Call work(context + i * size) for i < n <= PC_THREADS_MAX side by side, the first by the caller. Whoever comes late
 * must find nothing left to do: a thread that cannot be started is done without. */
void pc_threads_run(void (*work)(void *context), void *contexts, size_t size, int n);

/* All zero: not made. */
typedef struct pc_once {
    atomic_bool made;
} pc_once;

/* Call `make` the first time, and have it done when this returns. */
void pc_once_call(pc_once *once, void (*make)(void));

#endif
