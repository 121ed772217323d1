/* The loop of a kernel over one block.
 *
 * Neighbours run together in a vector as long as they do the same. Where they part, impacts that slip and impacts that
 * stick wait in two lists, and each pass runs one segment of every one of them, a vector at a time, so that all lanes
 * of a vector do the same work however the impacts differ. The including file has set PC_LANES; see linear_kernel.h.
 */
#ifndef PC_CONTACT_LINEAR_RUN_H
#define PC_CONTACT_LINEAR_RUN_H

#include "contact/linear_stick.h"

static inline lane linear_gather(const double *field, const int *index)
{
#if PC_LANES == 8
    return _mm512_i32gather_pd(_mm256_loadu_si256((const __m256i *)(const void *)index), field, 8);
#else
    double x[PC_LANES];
    for (int i = 0; i < PC_LANES; i++) x[i] = field[index[i]];
    return lane_load(x);
#endif
}

/* Neighbours, the usual case in a sweep, are read and written as they lie. */
static inline bool linear_is_row(const int *index)
{
    bool row = true;
    for (int i = 1; i < PC_LANES; i++) row = row && index[i] == index[0] + i;
    return row;
}

static inline linear linear_load(const pc_linear_block *block, const int *index)
{
    linear q;
    if (linear_is_row(index)) {
#define PC_LINEAR(name) q.name = lane_load(&block->field[PC_LINEAR_FIELD_##name][index[0]]);
#include "contact/linear_fields.def"
#undef PC_LINEAR
        return q;
    }
#define PC_LINEAR(name) q.name = linear_gather(block->field[PC_LINEAR_FIELD_##name], index);
#include "contact/linear_fields.def"
#undef PC_LINEAR
    return q;
}

static inline void linear_scatter(double *field, const int *index, lane value)
{
    double x[PC_LANES];
    lane_store(x, value);
    for (int i = 0; i < PC_LANES; i++) field[index[i]] = x[i];
}

/* Write the state; after the start also the rest of the problem. */
static inline void linear_save(pc_linear_block *block, const int *index, const linear *q)
{
    if (linear_is_row(index)) {
#define PC_LINEAR(name)
#define PC_LINEAR_STATE(name) lane_store(&block->field[PC_LINEAR_FIELD_##name][index[0]], q->name);
#include "contact/linear_fields.def"
#undef PC_LINEAR
        return;
    }
#define PC_LINEAR(name)
#define PC_LINEAR_STATE(name) linear_scatter(block->field[PC_LINEAR_FIELD_##name], index, q->name);
#include "contact/linear_fields.def"
#undef PC_LINEAR
}

/* Lists have room for a last vector, which is filled up with its own last entry: that impact is then run more than
 * once from the same state, to the same result. */
typedef struct linear_list {
    int n;
    int index[PC_LINEAR_BLOCK + PC_LANES];
} linear_list;

static inline void linear_pad(linear_list *list)
{
    int filler = list->n ? list->index[list->n - 1] : 0;
    for (int i = 0; i < PC_LANES; i++) list->index[list->n + i] = filler;
}

static inline void linear_sort(const pc_linear_block *block, const int *index, int n, linear_list *slips,
                               linear_list *sticks)
{
    for (int i = 0; i < n; i++) {
        int point = index[i];
        if (block->field[PC_LINEAR_FIELD_code][point] != PC_LINEAR_RUNNING) continue;
        linear_list *list = block->field[PC_LINEAR_FIELD_sign][point] != 0 ? slips : sticks;
        list->index[list->n++] = point;
    }
}

static inline void linear_segment(linear *q, bool slips)
{
    if (slips)
        linear_slip(q);
    else
        linear_stick(q);
}

static inline void linear_advance(linear *q, bool slips, bool turns)
{
    if (!turns) {
        linear_segment(q, slips);
        return;
    }
    linear before = *q;
    linear_segment(q, slips);
    linear_watch(&before, q, slips);
}

/* Take the state of `before` where the mask is clear. */
static inline void linear_hold(lane_mask running, const linear *before, linear *q)
{
#define PC_LINEAR(name)
#define PC_LINEAR_STATE(name) q->name = lane_select(running, q->name, before->name);
#include "contact/linear_fields.def"
#undef PC_LINEAR
}

/* Run a vector as long as the impacts in it that go on do the same and are at least half of it; one lane is run to its
 * end. */
static inline void linear_run_together(linear *q, bool turns)
{
    const lane zero = lane_set(0);
    for (int pass = 0; pass < PC_LINEAR_MAX_SEGMENTS; pass++) {
        lane_mask running = lane_eq(q->code, zero), stands = lane_eq(q->sign, zero);
        int n = mask_count(running), sticks = mask_count(mask_and(running, stands));
        if (2 * n < PC_LANES || n == 0 || (sticks != 0 && sticks != n)) return;
        if (n == PC_LANES) {
            linear_advance(q, sticks == 0, turns);
            continue;
        }
        linear before = *q;
        linear_advance(q, sticks == 0, turns);
        linear_hold(running, &before, q);
    }
}

static inline void linear_run(pc_linear_block *block, int n, bool turns)
{
    linear_list list[2][2]; /* [now or next][slip or stick] */
    list[0][0].n = list[0][1].n = 0;
    linear_list all = {.n = n};
    for (int i = 0; i < n; i++) all.index[i] = i;
    linear_pad(&all);
    for (int i = 0; i < n; i += PC_LANES) {
        const int *index = &all.index[i];
        linear q = linear_load(block, index);
        linear_start(&q);
        linear_run_together(&q, turns);
        linear_save(block, index, &q);
        linear_scatter(block->field[PC_LINEAR_FIELD_soft], index, q.soft);
        linear_scatter(block->field[PC_LINEAR_FIELD_in_range], index, q.in_range);
        linear_sort(block, index, n - i < PC_LANES ? n - i : PC_LANES, &list[0][0], &list[0][1]);
    }
    for (int pass = 0; pass < PC_LINEAR_MAX_SEGMENTS; pass++) {
        linear_list *now = list[pass % 2], *next = list[(pass + 1) % 2];
        if (now[0].n + now[1].n == 0) return;
        next[0].n = next[1].n = 0;
        for (int kind = 0; kind < 2; kind++) {
            linear_pad(&now[kind]);
            for (int i = 0; i < now[kind].n; i += PC_LANES) {
                const int *index = &now[kind].index[i];
                linear q = linear_load(block, index);
                linear_advance(&q, kind == 0, turns);
                linear_run_together(&q, turns);
                linear_save(block, index, &q);
                int left = now[kind].n - i;
                linear_sort(block, index, left < PC_LANES ? left : PC_LANES, &next[0], &next[1]);
            }
        }
    }
    for (int i = 0; i < n; i++)
        if (block->field[PC_LINEAR_FIELD_code][i] == PC_LINEAR_RUNNING)
            block->field[PC_LINEAR_FIELD_code][i] = PC_LINEAR_LIMIT;
}

#endif
