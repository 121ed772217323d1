/* A kernel over a map. A vector at a time, columns in SI units become the scaled problem, and the state at the end
 * the columns that are wanted. The including file has set PC_LANES; see linear.h for the scaling and
 * linear/kernel.h for the letters.
 */
#ifndef PC_LAW_LINEAR_RUN_H
#define PC_LAW_LINEAR_RUN_H

#include "law/impact.h"
#include "law/linear/kernel.h"
#include "law/linear/linear.h"
#include "math/mobility.h"

#include <string.h>

/* What the scaled problem leaves of a vector of points. mirror: -1 where the tangent was turned round. */
typedef struct linear_units {
    lane kn, w, speed, mirror;
    lane v_t, v_n;
} linear_units;

/* xy in two parts, high + low exactly (Dekker, Numer. Math. 18, 1971; Veltkamp's split at 27 bits). What fma() does in
 * a call is done here in place. */
LANE_INLINE lane linear_low_part(lane x, lane y, lane high)
{
    const lane split = lane_set(0x1p27 + 1);
    lane cx = split * x, cy = split * y;
    lane x1 = cx - (cx - x), x2 = x - x1, y1 = cy - (cy - y), y2 = y - y1;
    return ((x1 * y1 - high) + x1 * y2 + x2 * y1) + x2 * y2;
}

/* x - y^2 without cancellation (Kahan). */
LANE_INLINE lane linear_less_square(lane x, lane y)
{
    lane square = y * y;
    return (x - square) - linear_low_part(y, y, square);
}

/* W over w_nn, with its rank settled. False where W is not positive semi-definite or w_nn is not positive. */
LANE_INLINE lane_mask linear_scale_mobility(linear *q, lane w_tt, lane w_tn, lane w, lane rank)
{
    const lane zero = lane_set(0);
    lane a = w_tt / w, b = w_tn / w;
    lane bound = lane_set(PC_RANK_TOLERANCE) * (a + lane_set(1)) * (a + lane_set(1));
    lane det = lane_select(lane_eq(rank, lane_set(1)), zero, linear_less_square(a, b));
    lane_mask good = mask_and(mask_and(lane_lt(zero, w), lane_le(zero, w_tt)), lane_le(-bound, det));
    lane_mask flat = mask_and(mask_not(lane_eq(rank, lane_set(2))), lane_le(det, bound));
    q->a = a;
    q->b = b;
    q->det = lane_select(mask_or(flat, lane_lt(det, zero)), zero, det);
    return good;
}

/* The velocities over |v_n|; after linear_scale_mobility. */
LANE_INLINE void linear_scale_velocity(linear *q, linear_units *u)
{
    const lane zero = lane_set(0), one = lane_set(1);
    u->speed = -u->v_n;
    lane vt = u->v_t / u->speed;
    lane_mask turned = mask_or(lane_lt(vt, zero), mask_and(lane_eq(vt, zero), lane_lt(q->b, zero)));
    u->mirror = lane_select(turned, -one, one);
    q->vt = u->mirror * vt;
    q->b = u->mirror * q->b;
}

/* Kinetic energy at the contact before the impact, v.W^+ v/2, in scaled units; on a problem as it was scaled. */
LANE_INLINE lane linear_energy_before(const linear *q)
{
    const lane one = lane_set(1), half = lane_set(0.5), two = lane_set(2);
    lane along = q->b * q->vt - one, length = one + q->b * q->b; /* rank 1: W = x x^T, x = (b, 1), v_n = -1 */
    lane_mask flat = lane_eq(q->det, lane_set(0));
    lane above = lane_select(flat, along * along, q->vt * q->vt + two * q->b * q->vt + q->a);
    return half * (above / lane_select(flat, length * length, q->det));
}

LANE_INLINE lane linear_input(const pc_map_column *column, size_t i)
{
    return column->values ? lane_load(column->values + i) : lane_set(column->fixed);
}

/* Read the points from i on and start them. Points that do not approach, and what cannot be computed, get a code that
 * says so, and do not run. */
LANE_INLINE void linear_open(const pc_map_columns *map, size_t i, linear *q, linear_units *u)
{
    const lane zero = lane_set(0), one = lane_set(1), endless = lane_set(INFINITY);
    u->v_t = linear_input(&map->v_t, i);
    u->v_n = linear_input(&map->v_n, i);
    u->w = linear_input(&map->w_nn, i);
    u->kn = linear_input(&map->rows[PC_LINEAR_KN], i);
    q->mu = linear_input(&map->rows[PC_LINEAR_MU], i);
    q->eta = linear_input(&map->rows[PC_LINEAR_ETA], i);
    lane E = linear_input(&map->rows[PC_LINEAR_E], i);
    q->k2 = one / (E * E);
    lane_mask good = linear_scale_mobility(q, linear_input(&map->w_tt, i), linear_input(&map->w_tn, i), u->w,
                                           linear_input(&map->rank, i));
    linear_scale_velocity(q, u);

    lane_mask approaches = lane_lt(u->v_n, zero);
    lane_mask sound = mask_and(mask_and(lane_lt(lane_abs(u->v_t), endless), lane_lt(lane_abs(u->v_n), endless)),
                               mask_and(mask_and(lane_lt(zero, u->kn), lane_lt(u->kn, endless)),
                                        mask_and(lane_lt(zero, q->eta), lane_lt(q->eta, endless))));
    sound = mask_and(sound, mask_and(mask_and(lane_le(zero, q->mu), lane_lt(q->mu, endless)),
                                     mask_and(lane_lt(zero, E), lane_le(E, one))));
    linear_start(q);
    lane code = lane_select(approaches, lane_set(PC_LINEAR_REFUSED), lane_set(PC_LINEAR_NONE));
    code = lane_select(mask_and(approaches, good), zero, code);
    q->code = lane_select(sound, code, lane_set(PC_LINEAR_REFUSED));
}

/* ---- results ---- */

/* How the points of a vector ended. plain: all in rebound. */
typedef struct linear_verdict {
    lane_mask wedged, none, failed;
    bool plain;
} linear_verdict;

LANE_INLINE linear_verdict linear_judge(lane code)
{
    linear_verdict v;
    lane_mask rebound = lane_eq(code, lane_set(PC_LINEAR_REBOUND));
    v.wedged = lane_eq(code, lane_set(PC_LINEAR_WEDGED));
    v.none = lane_eq(code, lane_set(PC_LINEAR_NONE));
    v.failed = mask_not(mask_or(mask_or(rebound, v.wedged), v.none));
    v.plain = !mask_any(mask_not(rebound));
    return v;
}

/* Write one column, if it is wanted: 0 where nothing happened, NaN where it failed. */
LANE_INLINE void linear_put(double *column, size_t i, const linear_verdict *v, lane value, lane none)
{
    if (!column) return;
    if (!v->plain) value = lane_select(v->failed, lane_set(NAN), lane_select(v->none, none, value));
    lane_store(column + i, value);
}

/* Write the points from i on. Returns how many failed. */
LANE_INLINE int linear_close(const pc_map_columns *map, size_t i, const linear *q, const linear_units *u)
{
    const lane zero = lane_set(0);
    linear_verdict v = linear_judge(q->code);
    lane speed = u->speed, tangent = u->mirror * q->vt, normal = -q->w;
    if (!v.plain) {
        tangent = lane_select(v.wedged, zero, tangent);
        normal = lane_select(v.wedged, zero, normal);
    }
    linear_put(map->out[PC_MAP_VT], i, &v, tangent * speed, u->v_t);
    linear_put(map->out[PC_MAP_VN], i, &v, normal * speed, u->v_n);
    lane outcome = lane_select(v.wedged, lane_set(PC_OUTCOME_WEDGED), lane_set(PC_OUTCOME_REBOUND));
    linear_put(map->out[PC_MAP_OUTCOME], i, &v, outcome, lane_set(PC_OUTCOME_NONE));
    linear_put(map->out[PC_MAP_PHASES], i, &v, q->phases, zero);

    lane impulse = speed / u->w, work = impulse * speed;
    linear_put(map->out[PC_MAP_PT], i, &v, u->mirror * q->pt * impulse, zero);
    linear_put(map->out[PC_MAP_PN], i, &v, q->pn * impulse, zero);
    linear_put(map->out[PC_MAP_WORK_N], i, &v, q->work_n * work, zero);
    linear_put(map->out[PC_MAP_WORK_F], i, &v, q->work_f * work, zero);
    if (map->out[PC_MAP_LOSS] || map->out[PC_MAP_LOSS_OF_MAX]) {
        linear before = *q;
        before.vt = u->mirror * (u->v_t / speed);
        lane energy = linear_energy_before(&before);
        lane loss = lane_select(v.wedged, energy, -(q->work_n + q->work_f));
        linear_put(map->out[PC_MAP_LOSS], i, &v, loss * work, zero);
        linear_put(map->out[PC_MAP_LOSS_OF_MAX], i, &v, loss / energy, zero);
    }
    if (map->out[PC_MAP_DURATION] || map->out[PC_MAP_COMPRESSION_TIME] || map->out[PC_MAP_PEAK_N]) {
        lane root = lane_sqrt(u->kn * u->w), time = lane_set(1) / root;
        linear_put(map->out[PC_MAP_DURATION], i, &v, q->t * time, zero);
        linear_put(map->out[PC_MAP_COMPRESSION_TIME], i, &v, q->turn * time, zero);
        linear_put(map->out[PC_MAP_PEAK_N], i, &v, q->peak * (u->kn * (speed / root)), zero);
    }
    return mask_any(v.failed) ? mask_count(v.failed) : 0;
}

/* ---- the loop ----
 *
 * Neighbours run together in a vector, from the columns of the map to its results, as long as they do the same. Where
 * they part the vector is parked. When the car park is full, its impacts wait in lists of those that do the same next,
 * and each pass runs one segment of every one of them, a vector at a time, so that all lanes of a vector do the same
 * work however the impacts differ. Each impact goes its own way whoever shares its vector, so grouping changes no
 * bit.
 */

/* What is wanted beside velocities, impulses and works. */
typedef struct linear_wants {
    bool times, turns;
} linear_wants;

/* Parked impacts, one field beside the other. The gap keeps the fields of an impact out of each other's way in the
 * cache: at a distance of a power of two they would share few of its sets. */
enum { LINEAR_PARK = 512, LINEAR_GAP = 8 };
typedef struct linear_park {
    double field[PC_LINEAR_N_FIELDS][LINEAR_PARK + LINEAR_GAP];
    size_t from[LINEAR_PARK]; /* of each vector: its first point in the map */
    int n;                    /* impacts */
} linear_park;

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

static inline void linear_scatter(double *field, const int *index, lane value)
{
    double x[PC_LANES];
    lane_store(x, value);
    for (int i = 0; i < PC_LANES; i++) field[index[i]] = x[i];
}

/* A vector as it lies in the park. */
static inline void linear_read_row(const linear_park *park, int at, linear *q)
{
#define PC_LINEAR(name) q->name = lane_load(&park->field[PC_LINEAR_FIELD_##name][at]);
#include "law/linear/fields.def"
#undef PC_LINEAR
}

static inline void linear_write_row(linear_park *park, int at, const linear *q)
{
#define PC_LINEAR(name) lane_store(&park->field[PC_LINEAR_FIELD_##name][at], q->name);
#include "law/linear/fields.def"
#undef PC_LINEAR
}

/* Impacts picked from the park; only their state is written back. */
static inline void linear_pick(const linear_park *park, const int *index, linear *q)
{
#define PC_LINEAR(name) q->name = linear_gather(park->field[PC_LINEAR_FIELD_##name], index);
#include "law/linear/fields.def"
#undef PC_LINEAR
}

static inline void linear_return(linear_park *park, const int *index, const linear *q)
{
#define PC_LINEAR(name)
#define PC_LINEAR_STATE(name) linear_scatter(park->field[PC_LINEAR_FIELD_##name], index, q->name);
#include "law/linear/fields.def"
#undef PC_LINEAR
}

/* Lists have room for a last vector, which is filled up with its own last entry: that impact is then run more than
 * once from the same state, to the same result. */
typedef struct linear_list {
    int n;
    int index[LINEAR_PARK + PC_LANES];
} linear_list;

static inline void linear_pad(linear_list *list)
{
    int filler = list->n ? list->index[list->n - 1] : 0;
    for (int i = 0; i < PC_LANES; i++) list->index[list->n + i] = filler;
}

/* What an impact does next. Stick with E < 1 has a list of its own, because its end is found by steps, never by leaps:
 * in one vector with leaps, either would wait for the other. */
enum { LINEAR_SLIPS, LINEAR_LEAPS, LINEAR_STEPS, LINEAR_WAYS };

static inline void linear_sort(const linear_park *park, const int *index, int n, linear_list lists[LINEAR_WAYS])
{
    for (int i = 0; i < n; i++) {
        int point = index[i];
        if (park->field[PC_LINEAR_FIELD_code][point] != PC_LINEAR_RUNNING) continue;
        bool slips = park->field[PC_LINEAR_FIELD_sign][point] != 0, splits = park->field[PC_LINEAR_FIELD_k2][point] > 1;
        linear_list *list = &lists[slips ? LINEAR_SLIPS : splits ? LINEAR_STEPS : LINEAR_LEAPS];
        list->index[list->n++] = point;
    }
}

static inline void linear_advance(linear *q, bool slips, linear_wants wants)
{
    linear before;
    if (wants.turns) before = *q;
    if (slips)
        linear_slip(q, wants.times);
    else
        linear_stick(q);
    if (wants.turns) linear_watch(&before, q, slips);
}

/* Take the state of `before` where the mask is clear. */
static inline void linear_hold(lane_mask running, const linear *before, linear *q)
{
#define PC_LINEAR(name)
#define PC_LINEAR_STATE(name) q->name = lane_select(running, q->name, before->name);
#include "law/linear/fields.def"
#undef PC_LINEAR
}

/* Run a vector as long as the impacts in it that go on do the same and are at least half of it; one lane is run to its
 * end. */
static inline void linear_run_together(linear *q, linear_wants wants)
{
    const lane zero = lane_set(0);
    for (int pass = 0; pass < PC_LINEAR_MAX_SEGMENTS; pass++) {
        lane_mask running = lane_eq(q->code, zero), stands = lane_eq(q->sign, zero);
        int n = mask_count(running), sticks = mask_count(mask_and(running, stands));
        if (2 * n < PC_LANES || n == 0 || (sticks != 0 && sticks != n)) return;
        int steps = sticks ? mask_count(mask_and(running, lane_lt(lane_set(1), q->k2))) : 0;
        if (steps != 0 && steps != n) return;
        if (n == PC_LANES) {
            linear_advance(q, sticks == 0, wants);
            continue;
        }
        linear before = *q;
        linear_advance(q, sticks == 0, wants);
        linear_hold(running, &before, q);
    }
    q->code = lane_select(lane_eq(q->code, zero), lane_set(PC_LINEAR_LIMIT), q->code);
}

/* Run all that is parked to its end, write the results and empty the park. Returns how many failed. */
static inline size_t linear_clear_park(const pc_map_columns *map, linear_park *park, linear_wants wants)
{
    linear_list list[2][LINEAR_WAYS]; /* now and next */
    linear_list all = {.n = park->n};
    for (int i = 0; i < all.n; i++) all.index[i] = i;
    for (int way = 0; way < LINEAR_WAYS; way++) list[0][way].n = 0;
    linear_sort(park, all.index, all.n, list[0]);
    for (int pass = 0; pass < PC_LINEAR_MAX_SEGMENTS; pass++) {
        linear_list *now = list[pass % 2], *next = list[(pass + 1) % 2];
        int waiting = 0;
        for (int way = 0; way < LINEAR_WAYS; way++) {
            waiting += now[way].n;
            next[way].n = 0;
        }
        if (waiting == 0) break;
        for (int way = 0; way < LINEAR_WAYS; way++) {
            linear_pad(&now[way]);
            for (int i = 0; i < now[way].n; i += PC_LANES) {
                const int *index = &now[way].index[i];
                linear q;
                linear_pick(park, index, &q);
                linear_advance(&q, way == LINEAR_SLIPS, wants);
                linear_run_together(&q, wants);
                linear_return(park, index, &q);
                int left = now[way].n - i;
                linear_sort(park, index, left < PC_LANES ? left : PC_LANES, next);
            }
        }
    }
    size_t failed = 0;
    for (int at = 0; at < park->n; at += PC_LANES) {
        linear q, fresh;
        linear_units units;
        linear_read_row(park, at, &q);
        linear_open(map, park->from[at / PC_LANES], &fresh, &units);
        failed += (size_t)linear_close(map, park->from[at / PC_LANES], &q, &units);
    }
    park->n = 0;
    return failed;
}

/* Run whole vectors of points. */
static inline size_t linear_run_vectors(const pc_map_columns *map, size_t first, size_t end)
{
    linear_wants wants = {.turns = map->out[PC_MAP_COMPRESSION_TIME] || map->out[PC_MAP_PEAK_N]};
    wants.times = wants.turns || map->out[PC_MAP_DURATION];
    linear_park park;
    park.n = 0;
    size_t failed = 0;
    for (size_t i = first; i < end; i += PC_LANES) {
        linear q;
        linear_units units;
        linear_open(map, i, &q, &units);
        linear_run_together(&q, wants);
        if (!mask_any(lane_eq(q.code, lane_set(PC_LINEAR_RUNNING)))) {
            failed += (size_t)linear_close(map, i, &q, &units);
            continue;
        }
        linear_write_row(&park, park.n, &q);
        park.from[park.n / PC_LANES] = i;
        park.n += PC_LANES;
        if (park.n == LINEAR_PARK) failed += linear_clear_park(map, &park, wants);
    }
    return failed + linear_clear_park(map, &park, wants);
}

/* Fewer points than lanes: they run in a vector of their own, filled up with the last one. */
static inline size_t linear_run_rest(const pc_map_columns *map, size_t first, size_t end)
{
    pc_map_columns rest = *map;
    pc_map_column rows[PC_LINEAR_ROWS];
    pc_map_column *in[] = {&rest.w_tt, &rest.w_tn, &rest.w_nn, &rest.rank, &rest.v_t, &rest.v_n,
                           &rows[0],   &rows[1],   &rows[2],   &rows[3],   &rows[4]};
    enum { INPUTS = sizeof in / sizeof *in };
    double given[INPUTS][PC_LANES], out[PC_N_MAP_OUTPUTS][PC_LANES];
    memcpy(rows, map->rows, sizeof rows);
    rest.rows = rows;
    for (int k = 0; k < INPUTS; k++) {
        if (!in[k]->values) continue;
        for (size_t i = 0; i < PC_LANES; i++) given[k][i] = in[k]->values[first + i < end ? first + i : end - 1];
        in[k]->values = given[k];
    }
    for (int k = 0; k < PC_N_MAP_OUTPUTS; k++)
        if (map->out[k] || k == PC_MAP_OUTCOME) rest.out[k] = out[k];
    linear_run_vectors(&rest, 0, PC_LANES);
    size_t failed = 0;
    for (size_t i = first; i < end; i++) {
        if (isnan(out[PC_MAP_OUTCOME][i - first])) failed++;
        for (int k = 0; k < PC_N_MAP_OUTPUTS; k++)
            if (map->out[k]) map->out[k][i] = out[k][i - first];
    }
    return failed;
}

static inline size_t linear_run(const pc_map_columns *map, size_t first, size_t end)
{
    size_t whole = first + (end - first) / PC_LANES * PC_LANES;
    size_t failed = linear_run_vectors(map, first, whole);
    return whole < end ? failed + linear_run_rest(map, whole, end) : failed;
}

#endif
