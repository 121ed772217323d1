/* Threads: see thread.h. */
#include "base/thread.h"

#ifdef PC_HAVE_THREADS

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

typedef struct task {
    void (*work)(void *context);
    void *context;
} task;

static void *run_task(void *context)
{
    const task *t = context;
    t->work(t->context);
    return NULL;
}

void pc_threads_run(void (*work)(void *context), void *contexts, size_t size, int n)
{
    pthread_t threads[PC_THREADS_MAX];
    bool started[PC_THREADS_MAX] = {false};
    task tasks[PC_THREADS_MAX];
    /* signals belong to the thread that runs Lua */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    for (int i = 1; i < n; i++) {
        tasks[i] = (task){work, (char *)contexts + (size_t)i * size};
        started[i] = pthread_create(&threads[i], NULL, run_task, &tasks[i]) == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    work(contexts);
    for (int i = 1; i < n; i++) {
        if (started[i]) pthread_join(threads[i], NULL);
    }
}

void pc_once_call(pc_once *once, void (*make)(void))
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (atomic_load(&once->made)) return;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&once->made)) make();
    atomic_store(&once->made, true);
    pthread_mutex_unlock(&lock);
}

#else

void pc_threads_run(void (*work)(void *context), void *contexts, size_t size, int n)
{
    (void)size, (void)n;
    work(contexts);
}

void pc_once_call(pc_once *once, void (*make)(void))
{
    if (!atomic_load(&once->made)) make();
    atomic_store(&once->made, 1);
}

#endif
