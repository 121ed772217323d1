/* A queue of records between two processes: see ring.h. */
#include "sweep/ring.h"

#include <string.h>

static void copy_in(pc_ring *ring, uint64_t at, const void *from, size_t bytes)
{
    size_t start = (size_t)(at % PC_RING_BYTES);
    size_t first = bytes < PC_RING_BYTES - start ? bytes : PC_RING_BYTES - start;
    memcpy(ring->data + start, from, first);
    memcpy(ring->data, (const unsigned char *)from + first, bytes - first);
}

bool pc_ring_put(pc_ring *ring, const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    if (PC_RING_BYTES - (head - tail) < a_bytes + b_bytes) return false;
    copy_in(ring, head, a, a_bytes);
    if (b_bytes > 0) copy_in(ring, head + a_bytes, b, b_bytes);
    atomic_store_explicit(&ring->head, head + a_bytes + b_bytes, memory_order_release);
    return true;
}

bool pc_ring_peek(const pc_ring *ring, size_t offset, void *out, size_t bytes)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    if (head - tail < offset + bytes) return false;
    size_t start = (size_t)((tail + offset) % PC_RING_BYTES);
    size_t first = bytes < PC_RING_BYTES - start ? bytes : PC_RING_BYTES - start;
    memcpy(out, ring->data + start, first);
    memcpy((unsigned char *)out + first, ring->data, bytes - first);
    return true;
}

void pc_ring_drop(pc_ring *ring, size_t bytes)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    atomic_store_explicit(&ring->tail, tail + bytes, memory_order_release);
}
