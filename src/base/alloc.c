/* Checked allocation with a failure switch for tests: see alloc.h. */
#include "base/alloc.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

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

void pc_alloc_keep(void)
{
#if defined(__GLIBC__)
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 24);
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 24);
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

/* Blocks that grow. Pointers of every type have one form, in which they are copied here. */

enum { LEAST = 16 }; /* elements of the first block */

bool pc_grow(void *block, size_t *room, size_t wanted, size_t size)
{
    if (wanted <= *room) return true;
    size_t more = 2 * *room;
    if (more < wanted) more = wanted;
    if (more < LEAST) more = LEAST;
    void *old;
    memcpy(&old, block, sizeof old);
    void *fresh = pc_realloc(old, more, size);
    if (!fresh) return false;
    memcpy(block, &fresh, sizeof fresh);
    *room = more;
    return true;
}

bool pc_columns_reserve(const pc_column *columns, int n, size_t *room, size_t wanted)
{
    size_t row = 0;
    void *first;
    if (wanted <= *room) return true;
    for (int i = 0; i < n; i++) row += columns[i].size;
    char *fresh = pc_calloc(wanted, row), *next = fresh;
    if (!fresh) return false;
    memcpy(&first, columns[0].list, sizeof first);
    for (int i = 0; i < n; i++) {
        void *old, *list = next;
        memcpy(&old, columns[i].list, sizeof old);
        if (*room > 0) memcpy(list, old, *room * columns[i].size);
        memcpy(columns[i].list, &list, sizeof list);
        next += wanted * columns[i].size;
    }
    pc_free(first);
    *room = wanted;
    return true;
}

pc_status pc_pool_enlarge(pc_pool *pool, size_t count, size_t size, pc_error *err)
{
    if (pc_grow(&pool->data, &pool->room, pool->used + count, size)) return PC_OK;
    return pc_fail(err, PC_E_MEMORY, "not enough memory for a list of %zu", pool->used + count);
}

pc_status pc_pool_append(pc_pool *pool, const void *elements, size_t count, size_t size, pc_error *err)
{
    pc_status status = pc_pool_grow(pool, count, size, err);
    if (status != PC_OK || count == 0) return status;
    memcpy((char *)pool->data + pool->used * size, elements, count * size);
    pool->used += count;
    return PC_OK;
}

void pc_pool_free(pc_pool *pool)
{
    pc_free(pool->data);
    *pool = (pc_pool){0};
}
