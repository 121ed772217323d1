/* How far a sweep is, as text for a person or a line for a program. Nothing here writes: the binding does. */
#ifndef PC_SWEEP_PROGRESS_H
#define PC_SWEEP_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

typedef struct pc_progress {
    const char *name;
    uint64_t total;   /* points of this process's part */
    uint64_t skipped; /* that were done before */
    uint64_t done;    /* now */
    uint64_t failed;  /* among those done now */
    double seconds;   /* since the start */
    double rate;      /* points a second, smoothed */
    double rated_at;  /* when `rate` was last brought up to date, and how many were done then; the module's alone */
    uint64_t rated_done;
} pc_progress;

/* Bring the rate up to date; asked a few times a second. */
void pc_progress_update(pc_progress *progress, double seconds);

/* "wedge: 52340 of 1000000 (5 %), 10400/s, 1 min 31 s left, 3 failed" */
void pc_progress_line(const pc_progress *progress, char *text, size_t size);

/* One JSON object without line end: sweep, state, total, skipped, done, failed, seconds, rate, left (null: unknown). */
void pc_progress_json(const pc_progress *progress, const char *state, char *text, size_t size);

/* "1 h 02 min", "3 min 20 s", "12 s" */
void pc_progress_duration(double seconds, char *text, size_t size);

#endif
