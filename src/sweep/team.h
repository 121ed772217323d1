/* Forked workers that share out the points of a sweep.
 *
 * The parent forks; each worker asks pc_team_next for a point, computes it and hands it in by pc_team_put. Points are
 * given out in runs of neighbours, long where points are quick and single where they are slow, by one shared counter:
 * nobody waits for anybody. The parent takes finished points whenever it likes; how they were shared out cannot be seen
 * in them.
 *
 * A worker may die at any moment. What it finished is not lost, and a new worker goes on with the rest of its run, from
 * the point on at which it was killed. A point that kills two of them, or that ends its process, becomes a failed one.
 * When the parent dies, the workers end too. Without processes there is no team (pc_fail_missing).
 */
#ifndef PC_SWEEP_TEAM_H
#define PC_SWEEP_TEAM_H

#include "base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A queue of records between two processes: one writes, one reads, in memory that both share.
 *
 * The reader sees a record only when it is complete, so a writer that is killed at any moment leaves the queue whole.
 * Neither side makes a system call, hence a record costs a writer no more than copying it.
 */

enum { PC_RING_BYTES = 1 << 20 }; /* a power of two */

/* Invariant: tail <= head <= tail + PC_RING_BYTES. Both only grow; positions are taken modulo the size. Only the
 * writer changes head, only the reader tail; each has its own cache line. */
typedef struct pc_ring {
    _Alignas(64) _Atomic uint64_t head;
    _Alignas(64) _Atomic uint64_t tail;
    _Alignas(64) unsigned char data[PC_RING_BYTES];
} pc_ring;

/* Append the pieces a and b as one record; false if there is no room now. */
bool pc_ring_put(pc_ring *ring, const void *a, size_t a_bytes, const void *b, size_t b_bytes);

/* Copy the next `bytes` bytes from `offset` behind the tail; false if they are not there. */
bool pc_ring_peek(const pc_ring *ring, size_t offset, void *out, size_t bytes);

/* Give back what has been read. */
void pc_ring_drop(pc_ring *ring, size_t bytes);

enum { PC_TEAM_WORKERS_MAX = 256, PC_TEAM_VALUES_MAX = 256, PC_TEAM_TEXT_MAX = 4096 };

typedef struct pc_team pc_team;

/* A finished point. A failed one has a text and no values. */
typedef struct pc_record {
    uint64_t point;
    double seconds; /* of wall time that it took */
    uint32_t n_values, text_bytes;
    double values[PC_TEAM_VALUES_MAX];
    char text[PC_TEAM_TEXT_MAX + 1];
} pc_record;

/* ---- the parent ---- */

/* `done` has a bit for each of the points, set for those that need no work; it is borrowed, and pc_team_take sets the
 * bit of each point that it returns. No worker runs yet. */
pc_status pc_team_new(pc_team **team, int workers, uint64_t points, unsigned char *done, pc_error *err);

/* Kills what still runs. In a worker it does nothing. */
void pc_team_free(pc_team *team);

/* Fork one worker; its number is `worker`. In the parent *child is false. In the worker it is true: it works until
 * pc_team_next returns false and leaves by _exit. */
pc_status pc_team_start(pc_team *team, int worker, bool *child, pc_error *err);

/* Wait until a worker ends or has finished a slow point, at most that long. */
void pc_team_wait(pc_team *team, int milliseconds);

/* The next finished point, copied into `record`; false if there is none at this moment. Points of workers that died are
 * among them, as failed ones. */
bool pc_team_take(pc_team *team, pc_record *record);

/* A worker that died and has to be started again, or -1. Asked after pc_team_take has returned false. */
int pc_team_fallen(pc_team *team);

/* Whether a worker still runs. */
bool pc_team_works(pc_team *team);

/* Give out again, from the first, all points that are not done: for when no worker runs and some are left. */
void pc_team_rewind(pc_team *team);

/* Ask the workers to stop after their present point, and kill those that have not after `milliseconds`. What they
 * finished can still be taken; points that were cut off are not failed, only not done. */
void pc_team_stop(pc_team *team, int milliseconds);

/* ---- a worker ---- */

/* The next point to compute; false when there is none, or no parent. */
bool pc_team_next(pc_team *team, int worker, uint64_t *point);

/* Hand in that point. Waits while the parent has not taken enough of the earlier ones. */
void pc_team_put(pc_team *team, int worker, const double *values, size_t n, const char *text);

/* ---- for both ---- */

/* Seconds on a clock that only goes forward. */
double pc_team_clock(void);

static inline bool pc_team_is_done(const unsigned char *done, uint64_t point)
{
    return (done[point / 8] >> (point % 8) & 1) != 0;
}

static inline void pc_team_set_done(unsigned char *done, uint64_t point)
{
    done[point / 8] = (unsigned char)(done[point / 8] | 1u << (point % 8));
}

#endif
