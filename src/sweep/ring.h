/* A queue of records between two processes: one writes, one reads, in memory that both share.
 *
 * The reader sees a record only when it is complete, so a writer that is killed at any moment leaves the queue whole.
 * Neither side makes a system call, hence a record costs a writer no more than copying it.
 */
#ifndef PC_SWEEP_RING_H
#define PC_SWEEP_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
