/* Sweeps below Lua: where points lie, who computes which, the ring, the store, and maps in threads. */
#include "scratch.h"
#include "unit.h"

#include "base/alloc.h"
#include "engine/collide.h"
#include "rng.h"
#include "sweep/store.h"
#include "sweep/plan.h"
#include "sweep/team.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- where points lie ---- */

static double sample(pc_sampling kind, uint64_t seed, unsigned d, uint64_t i, uint64_t n)
{
    double x;
    pc_sample_column(kind, seed, d, n, i, 1, 1, &x);
    return x;
}

/* Every interval of length 2^-k holds exactly one of the first 2^k points, in every coordinate: the defining property
 * of each coordinate of Sobol's sequence, which a wrong direction number or an even m breaks. */
START_TEST(sobol_coordinates_are_stratified)
{
    enum { K = 10, N = 1 << K };
    for (unsigned d = 0; d < PC_SOBOL_DIMENSIONS; d++) {
        bool taken[N] = {false};
        for (uint64_t i = 0; i < N; i++) {
            int cell = (int)(sample(PC_SAMPLE_SOBOL, 7, d, i, N) * N);
            ck_assert_msg(!taken[cell], "coordinate %u: cell %d is hit twice", d, cell);
            taken[cell] = true;
        }
    }
}
END_TEST

/* Each direction number is an odd integer over a power of two, and no two coordinates have the same ones. */
START_TEST(sobol_coordinates_differ)
{
    uint64_t v[PC_SOBOL_DIMENSIONS][64];
    for (unsigned d = 0; d < PC_SOBOL_DIMENSIONS; d++) {
        pc_sample_directions(d, v[d]);
        for (unsigned k = 0; k < 64; k++)
            ck_assert_msg(v[d][k] >> (63 - k) & 1, "coordinate %u: direction %u is no odd integer", d, k);
        for (unsigned e = 0; e < d; e++) ck_assert(memcmp(v[d], v[e], sizeof v[d]) != 0);
    }
}
END_TEST

/* The first points of the first three coordinates, unshifted, as on the page of Joe and Kuo's direction numbers. */
START_TEST(sobol_points_are_the_published_ones)
{
    static const double expected[8][3] = {{0, 0, 0},
                                          {0.5, 0.5, 0.5},
                                          {0.75, 0.25, 0.25},
                                          {0.25, 0.75, 0.75},
                                          {0.375, 0.375, 0.625},
                                          {0.875, 0.875, 0.125},
                                          {0.625, 0.125, 0.875},
                                          {0.125, 0.625, 0.375}};
    for (unsigned d = 0; d < 3; d++) {
        uint64_t v[64];
        pc_sample_directions(d, v);
        for (uint64_t i = 0; i < 8; i++) {
            uint64_t x = 0;
            for (uint64_t gray = i ^ (i >> 1), k = 0; gray; gray >>= 1, k++)
                if (gray & 1) x ^= v[k];
            ck_assert_double_eq((double)(x >> 11) * 0x1p-53, expected[i][d]);
        }
    }
}
END_TEST

/* The integral of a product of k factors with mean 1 over the unit cube is 1; the sequence finds it with an error of
 * order (log n)^k/n, random points with 1/sqrt(n). A factor of 5 lies far outside what chance does in 8 seeds. */
START_TEST(sobol_integrates_better_than_chance)
{
    enum { N = 4096, K = 6 };
    double error[2] = {0, 0};
    for (uint64_t seed = 0; seed < 8; seed++) {
        for (int kind = 0; kind < 2; kind++) {
            double sum = 0;
            for (uint64_t i = 0; i < N; i++) {
                double product = 1;
                for (unsigned d = 0; d < K; d++)
                    product *= 0.5 + sample(kind ? PC_SAMPLE_SOBOL : PC_SAMPLE_RANDOM, seed, d, i, N);
                sum += product;
            }
            error[kind] += pow(sum / N - 1, 2);
        }
    }
    ck_assert_double_lt(25 * error[1], error[0]);
}
END_TEST

START_TEST(latin_points_have_one_in_each_part)
{
    static const uint64_t sizes[] = {1, 2, 3, 7, 100, 1000, 4096, 5000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint64_t n = sizes[s];
        for (unsigned d = 0; d < 4; d++) {
            bool taken[5000] = {false};
            for (uint64_t i = 0; i < n; i++) {
                uint64_t part = (uint64_t)(sample(PC_SAMPLE_LATIN, 3, d, i, n) * (double)n);
                ck_assert_msg(part < n && !taken[part], "n = %d: part %d", (int)n, (int)part);
                taken[part] = true;
            }
        }
    }
}
END_TEST

START_TEST(permutations_are_permutations_and_differ_by_seed)
{
    enum { N = 997 };
    int same = 0;
    bool taken[N] = {false};
    for (uint64_t i = 0; i < N; i++) {
        uint64_t a = pc_sample_permute(1, i, N);
        ck_assert(a < N && !taken[a]);
        taken[a] = true;
        same += a == pc_sample_permute(2, i, N);
    }
    /* two random permutations agree at one place on average; 12 places have a probability below 1e-9 */
    ck_assert_int_lt(same, 12);
}
END_TEST

/* ---- shards ---- */

START_TEST(shards_share_out_all_points)
{
    for (uint64_t count = 1; count < 9; count++) {
        for (uint64_t n = 0; n < 30; n++) {
            uint64_t sum = 0;
            for (uint64_t i = 1; i <= count; i++) sum += pc_shard_size((pc_shard){i, count}, n);
            ck_assert_uint_eq(sum, n);
        }
    }
}
END_TEST

START_TEST(shards_are_read_strictly)
{
    static const char *const wrong[] = {
        "", "/", "1", "1/", "/2", "0/2", "3/2", "1/2x", "a/b", "-1/2", " 1/2", "1/0", "99999999999999999999999/1"};
    pc_shard shard;
    pc_error err;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(pc_shard_parse(wrong[i], &shard, &err) == PC_E_ARGUMENT, "'%s' was taken", wrong[i]);
    ck_assert_int_eq(pc_shard_parse("7/12", &shard, &err), PC_OK);
    ck_assert(shard.index == 7 && shard.count == 12);
}
END_TEST

/* ---- the ring ---- */

/* Records of all lengths pass in order and whole, over many turns of the ring. */
START_TEST(ring_passes_records_whole)
{
    pc_ring *ring = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(ring != MAP_FAILED);
    pc_rng rng;
    pc_rng_seed(&rng, 5);
    unsigned char data[3000], got[3000];
    uint64_t sent = 0, received = 0;
    size_t lengths[5000];
    while (received < 5000) {
        bool put = sent < 5000 && pc_rng_below(&rng, 2) == 0;
        if (put) {
            size_t n = 1 + (size_t)pc_rng_below(&rng, sizeof data - 1), half = n / 2;
            memset(data, (int)(sent % 251), n);
            if (!pc_ring_put(ring, data, half, data + half, n - half)) continue;
            lengths[sent++] = n;
        } else if (received < sent) {
            size_t n = lengths[received];
            ck_assert(pc_ring_peek(ring, 0, got, n));
            memset(data, (int)(received % 251), n);
            ck_assert(memcmp(got, data, n) == 0);
            pc_ring_drop(ring, n);
            received++;
        } else {
            ck_assert(!pc_ring_peek(ring, 0, got, 1));
        }
    }
    munmap(ring, sizeof *ring);
}
END_TEST

/* ---- a team ---- */

START_TEST(team_computes_every_point_once)
{
    enum { N = 20000, WORKERS = 3 };
    unsigned char done[N / 8 + 1] = {0};
    static double value[N];
    for (uint64_t i = 0; i < N; i += 3) pc_team_set_done(done, i);
    pc_team *team;
    pc_error err;
    ck_assert_int_eq(pc_team_new(&team, WORKERS, N, done, &err), PC_OK);
    for (int w = 0; w < WORKERS; w++) {
        bool child;
        ck_assert_int_eq(pc_team_start(team, w, &child, &err), PC_OK);
        if (!child) continue;
        uint64_t point;
        while (pc_team_next(team, w, &point)) {
            double twice[2] = {2.0 * (double)point, 1};
            pc_team_put(team, w, twice, 2, point % 1000 == 1 ? "failed" : NULL);
        }
        _exit(0);
    }
    int seen = 0, failed = 0;
    static pc_record record;
    bool works = true;
    while (works) {
        works = pc_team_works(team);
        if (works) pc_team_wait(team, 5);
        while (pc_team_take(team, &record)) {
            seen++;
            ck_assert(record.point % 3 != 0 && value[record.point] == 0);
            failed += record.text_bytes > 0;
            value[record.point] = record.text_bytes > 0 ? -1 : record.values[0];
            if (record.text_bytes == 0) ck_assert_double_eq(record.values[0], 2.0 * (double)record.point);
        }
    }
    ck_assert_int_eq(seen, N - (N + 2) / 3);
    ck_assert_int_eq(failed, 14); /* 1, 1001, ..., 19001 without the six that 3 divides */
    pc_team_free(team);
}
END_TEST

/* ---- the store ---- */

static const pc_store_column columns[] = {{"x", "m", true}, {"y", "", false}};
static const pc_store_identity identity = {10, "p", "f", "v", "c"};

static void remove_store(const char *path)
{
    char name[SCRATCH_SIZE + 8];
    static const char *const endings[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        remove(name);
    }
}

static void temporary(char path[SCRATCH_SIZE])
{
    scratch_pattern(path);
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
}

START_TEST(store_gives_back_what_it_took)
{
    char path[SCRATCH_SIZE];
    temporary(path);
    pc_store *store;
    pc_error err = {0};
    ck_assert_msg(pc_store_open(&store, path, true, &err) == PC_OK, "%s", err.text);
    ck_assert_int_eq(pc_store_begin(store, "it's \"odd\"", &identity, columns, 2, PC_STORE_REFUSE, &err), PC_OK);
    const double odd[3][2] = {{0.1, NAN}, {1e300, INFINITY}, {5e-324, -1.0 / 3}};
    for (int i = 0; i < 3; i++) {
        pc_store_row row = {(uint64_t)(10 - i), odd[i], 0.5, i == 1 ? "it's wrong" : NULL};
        ck_assert_int_eq(pc_store_put(store, &row, &err), PC_OK);
    }
    ck_assert_int_eq(pc_store_commit(store, &err), PC_OK);
    pc_store_close(store);

    ck_assert_int_eq(pc_store_open(&store, path, false, &err), PC_OK);
    ck_assert_int_eq(pc_store_select(store, NULL, &err), PC_OK);
    ck_assert_str_eq(pc_store_present(store)->name, "it's \"odd\"");
    ck_assert_int_eq(pc_store_rows(store, &err), PC_OK);
    for (int i = 2; i >= 0; i--) {
        pc_store_row row;
        bool found;
        ck_assert_int_eq(pc_store_next(store, &row, &found, &err), PC_OK);
        ck_assert(found && row.index == (uint64_t)(10 - i));
        ck_assert_double_eq(row.values[0], odd[i][0]);
        ck_assert(isnan(odd[i][1]) ? isnan(row.values[1]) : row.values[1] == odd[i][1]);
        ck_assert((row.error != NULL) == (i == 1));
    }
    pc_store_close(store);
    remove_store(path);
}
END_TEST

START_TEST(store_notices_what_changed)
{
    char path[SCRATCH_SIZE];
    temporary(path);
    pc_store *store;
    pc_error err = {0};
    ck_assert_int_eq(pc_store_open(&store, path, true, &err), PC_OK);
    ck_assert_int_eq(pc_store_begin(store, "points", &identity, columns, 2, PC_STORE_REFUSE, &err), PC_OK);
    const double values[2] = {1, 2};
    ck_assert_int_eq(pc_store_put(store, &(pc_store_row){1, values, 0, NULL}, &err), PC_OK);
    ck_assert_int_eq(pc_store_commit(store, &err), PC_OK);

    struct {
        pc_store_identity identity;
        pc_store_change change;
        pc_status status;
        const char *word;
        uint64_t rows;
    } cases[] = {
        {{10, "p", "g", "v", "c"}, PC_STORE_REFUSE, PC_E_ARGUMENT, "the function", 1},
        {{10, "p", "f", "w", "c"}, PC_STORE_REFUSE, PC_E_ARGUMENT, "the version", 1},
        {{10, "p", "f", "v", "d"}, PC_STORE_REFUSE, PC_E_ARGUMENT, "the processor", 1},
        {{10, "q", "f", "v", "c"}, PC_STORE_REFUSE, PC_E_ARGUMENT, "another sweep", 1},
        {{10, "q", "f", "v", "c"}, PC_STORE_KEEP, PC_E_ARGUMENT, "another sweep", 1},
        {{10, "p", "f", "v", "c"}, PC_STORE_RESTART, PC_OK, NULL, 1},
        {{10, "p", "g", "v", "c"}, PC_STORE_KEEP, PC_OK, NULL, 1},
        {{10, "p", "g", "v", "c"}, PC_STORE_RESTART, PC_OK, NULL, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pc_status status = pc_store_begin(store, "points", &cases[i].identity, columns, 2, cases[i].change, &err);
        ck_assert_msg(status == cases[i].status, "case %zu: %s", i, err.text);
        if (cases[i].word) ck_assert_msg(strstr(err.text, cases[i].word) != NULL, "case %zu: %s", i, err.text);
        uint64_t rows, failed;
        ck_assert_int_eq(pc_store_select(store, "points", &err), PC_OK);
        ck_assert_int_eq(pc_store_count(store, &rows, &failed, &err), PC_OK);
        ck_assert_msg(rows == cases[i].rows, "case %zu: %d rows", i, (int)rows);
    }
    pc_store_close(store);
    remove_store(path);
}
END_TEST

/* Every request for memory of ours fails once; the store stays whole, and nothing is lost by us. */
START_TEST(store_survives_a_lack_of_memory)
{
    char path[SCRATCH_SIZE];
    temporary(path);
    pc_error err = {0};
    for (long n = 0;; n++) {
        long live = pc_alloc_live();
        pc_store *store = NULL;
        pc_alloc_fail_after(n);
        pc_status status = pc_store_open(&store, path, true, &err);
        if (!status) status = pc_store_begin(store, "points", &identity, columns, 2, PC_STORE_REFUSE, &err);
        bool failed = pc_alloc_fail_left() < 0;
        pc_alloc_fail_after(-1);
        pc_store_close(store);
        ck_assert_int_eq(pc_alloc_live(), live);
        if (!failed) {
            ck_assert_msg(status == PC_OK, "%s", err.text);
            break;
        }
        ck_assert_int_eq(status, PC_E_MEMORY);
    }
    remove_store(path);
}
END_TEST

/* ---- progress ---- */

START_TEST(progress_reads_as_a_person_would_say_it)
{
    char text[256];
    pc_progress p = {.name = "wedge", .total = 1000000, .skipped = 40000};
    p.done = 12340;
    p.failed = 3;
    pc_progress_update(&p, 2);
    pc_progress_line(&p, text, sizeof text);
    ck_assert_str_eq(text, "wedge: 52340 of 1000000 (5 %), 6.17e+03/s, 2 min 34 s left, 3 failed");
    pc_progress_json(&p, "running", text, sizeof text);
    ck_assert(strstr(text, "\"done\": 12340") && strstr(text, "\"left\": 153.592"));
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0.2, "0 s"}, {59.6, "1 min 00 s"}, {3725, "1 h 02 min"}, {200000, "2 days 7 h"}};
    for (size_t i = 0; i < 4; i++) {
        pc_progress_duration(cases[i].seconds, text, sizeof text);
        ck_assert_str_eq(text, cases[i].text);
    }
}
END_TEST

/* ---- maps in threads ---- */

START_TEST(map_does_not_depend_on_threads)
{
    enum { N = 100003 };
    const pc_law *law = NULL;
    for (int i = 0; i < pc_n_laws && !law; i++)
        if (pc_laws[i]->map) law = pc_laws[i];
    ck_assert_ptr_nonnull(law);
    double *v_t = pc_calloc(N, sizeof *v_t), *out[2];
    uint64_t given = 0;
    pc_error err = {0};
    void *params = pc_calloc(1, law->schema->size);
    pc_schema_defaults(law->schema, params);
    for (int r = 0; r < law->schema->n_rows; r++) {
        const pc_row *row = &law->schema->rows[r];
        bool needed = row->kind == PC_REAL && row->initial == PC_REQUIRED;
        bool one_of =
            row->group > 0 && law->schema->groups[row->group - 1] == PC_EXACTLY_ONE && row->sample.lo < row->sample.hi;
        for (int q = 0; q < r; q++) {
            const pc_row *other = &law->schema->rows[q];
            one_of = one_of && !(other->group == row->group && other->sample.lo < other->sample.hi);
        }
        if (needed || one_of)
            ck_assert_int_eq(
                pc_schema_set_number(law->schema, r, params, 0.5 * (row->sample.lo + row->sample.hi), &given, &err),
                PC_OK);
    }
    ck_assert_msg(pc_schema_finish(law->schema, params, given, &err) == PC_OK, "%s", err.text);
    for (int i = 0; i < N; i++) v_t[i] = 4.0 * i / N - 2;
    pc_map map = {.columns = {.n = N,
                              .w_tt = {NULL, 3.5},
                              .w_tn = {NULL, 0.7},
                              .w_nn = {NULL, 1.2},
                              .rank = {NULL, 2},
                              .v_t = {v_t, 0},
                              .v_n = {NULL, -1},
                              .params = params}};
    for (int k = 0; k < 2; k++) out[k] = pc_calloc(N, sizeof *out[k]);
    size_t failed[2];
    map.columns.out[PC_MAP_VT] = out[0];
    ck_assert_int_eq(pc_law_map(law, &map, 1, &failed[0], &err), PC_OK);
    static const int threads[] = {2, 3, 5, 64};
    map.columns.out[PC_MAP_VT] = out[1];
    for (int t = 0; t < 4; t++) {
        memset(out[1], 0, N * sizeof *out[1]);
        ck_assert_int_eq(pc_law_map(law, &map, threads[t], &failed[1], &err), PC_OK);
        ck_assert_uint_eq(failed[0], failed[1]);
        ck_assert_msg(memcmp(out[0], out[1], N * sizeof *out[0]) == 0, "%d threads differ from one", threads[t]);
    }
    pc_free(v_t);
    pc_free(params);
    pc_free(out[0]);
    pc_free(out[1]);
}
END_TEST

UNIT_MAIN("sweep", 300, sobol_coordinates_are_stratified, sobol_coordinates_differ, sobol_points_are_the_published_ones,
          sobol_integrates_better_than_chance, latin_points_have_one_in_each_part,
          permutations_are_permutations_and_differ_by_seed, shards_share_out_all_points, shards_are_read_strictly,
          ring_passes_records_whole, team_computes_every_point_once, store_gives_back_what_it_took,
          store_notices_what_changed, store_survives_a_lack_of_memory, progress_reads_as_a_person_would_say_it,
          map_does_not_depend_on_threads)
