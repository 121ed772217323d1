/* Checked allocation with a failure switch for tests: see alloc.h. */
#include "base/alloc.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static atomic_long fail_after = -1;
static atomic_long live_blocks;

/* Counts this request against the switch; true if it has to fail. The switch turns itself off when it fires. */
static int must_fail(void)
{
    long left = atomic_load_explicit(&fail_after, memory_order_relaxed);
    if (left < 0) return 0;
    atomic_store_explicit(&fail_after, left - 1, memory_order_relaxed);
    return left == 0;
}

void *pc_realloc(void *block, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) return NULL;
    if (must_fail()) return NULL;
    size_t bytes = count * size;
    void *fresh = realloc(block, bytes ? bytes : 1);
    if (fresh && !block) atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
    return fresh;
}

void *pc_calloc(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) return NULL;
    if (must_fail()) return NULL;
    void *fresh = calloc(count ? count : 1, size ? size : 1);
    if (fresh) atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
    return fresh;
}

void pc_free(void *block)
{
    if (!block) return;
    atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
    free(block);
}

char *pc_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = pc_calloc(bytes, 1);
    if (copy) memcpy(copy, text, bytes);
    return copy;
}

void pc_expect_writes(void *block, size_t bytes)
{
#if defined(MADV_HUGEPAGE)
    /* only pages that lie wholly inside, and blocks where the rest of the last one does not count */
    const uintptr_t page = (uintptr_t)1 << 21, start = (uintptr_t)block;
    if (bytes < 4 * page) return;
    uintptr_t first = (start + page - 1) & ~(page - 1), end = (start + bytes) & ~(page - 1);
    (void)madvise((void *)first, end - first, MADV_HUGEPAGE); /* a kernel without them says no */
#else
    (void)block;
    (void)bytes;
#endif
}

void pc_alloc_fail_after(long n)
{
    atomic_store(&fail_after, n);
}

long pc_alloc_fail_left(void)
{
    return atomic_load(&fail_after);
}

long pc_alloc_live(void)
{
    return atomic_load(&live_blocks);
}
