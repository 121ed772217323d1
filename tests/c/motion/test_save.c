/* Runs in files: what is damaged is refused, and what a wrong index could point to is never asked. The rest is tested
 * from Lua. */
#include "base/alloc.h"
#include "press_random.h"
#include "run_snapshot.h"
#include "scratch.h"
#include "motion/run.h"

#include <stdio.h>
#include <unistd.h>

enum { ROOM = 1 << 20 };

static pc_chain chain;
static pc_rigid law;
static pc_scene scene;
static const pc_note notes[PC_SAVE_NOTES] = {{(const unsigned char *)"scene", 5}, {(const unsigned char *)"", 0}};

/* The paper's pendulum over three seconds, with a floor that takes much: impacts, accumulation and lasting contact. */
static void begin(pc_run *run)
{
    pc_error err = {0};
    double y[4];
    paper_chain(&chain);
    law = rigid(0.2, 0.15);
    chain_scene(&scene, &chain, 0.9, &pc_law_poisson, &law);
    paper_start(y);
    must(pc_run_open(run, &scene, 0, y, &err), &err);
    pc_run_options options = run_options(&pc_ode_dop853, 1e-8);
    must(pc_run_advance(run, &options, 3, &err), &err);
}

/* Save the run and read the bytes. */
static size_t bytes_of(const pc_run *run, unsigned char *bytes)
{
    char path[SCRATCH_SIZE];
    scratch_pattern(path);
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    pc_error err = {0};
    must(pc_run_save(run, notes, path, &err), &err);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    size_t n = fread(bytes, 1, ROOM, file);
    fclose(file);
    unlink(path);
    ck_assert_uint_lt(n, ROOM);
    return n;
}

static void sign(unsigned char *bytes, size_t n)
{
    uint64_t sum = 0xcbf29ce484222325;
    for (size_t i = 0; i < n - 8; i++) sum = (sum ^ bytes[i]) * 0x100000001b3;
    for (int i = 0; i < 8; i++) bytes[n - 8 + (size_t)i] = (unsigned char)(sum >> 8 * i);
}

static pc_status restore(const unsigned char *bytes, size_t n, pc_run *run, pc_error *err)
{
    pc_saved saved;
    pc_status status = pc_saved_open(&saved, (pc_note){bytes, n}, "file", err);
    return status == PC_OK ? pc_saved_restore(&saved, run, &scene, err) : status;
}

START_TEST(a_run_read_back_goes_on_as_the_first_one)
{
    pc_error err = {0};
    pc_run run, again;
    begin(&run);
    unsigned char *bytes = malloc(ROOM), *others = malloc(ROOM);
    size_t n = bytes_of(&run, bytes);
    must(restore(bytes, n, &again, &err), &err);
    pc_run_options options = run_options(&pc_ode_dop853, 1e-8);
    must(pc_run_advance(&run, &options, 4, &err), &err);
    must(pc_run_advance(&again, &options, 4, &err), &err);
    n = bytes_of(&run, bytes);
    ck_assert_uint_eq(n, bytes_of(&again, others));
    ck_assert_mem_eq(bytes, others, n);
    pc_run_close(&run);
    pc_run_close(&again);
    pc_scene_free(&scene);
    free(bytes);
    free(others);
}
END_TEST

START_TEST(what_was_cut_short_or_changed_is_refused)
{
    pc_error err = {0};
    pc_run run, again;
    begin(&run);
    unsigned char *bytes = malloc(ROOM);
    size_t n = bytes_of(&run, bytes);
    for (size_t k = 0; k < n; k += k < 100 ? 1 : 997) ck_assert_int_eq(restore(bytes, k, &again, &err), PC_E_ARGUMENT);
    for (size_t k = 0; k < n; k += k < 100 ? 1 : 997) {
        bytes[k] ^= 4;
        ck_assert_int_eq(restore(bytes, n, &again, &err), PC_E_ARGUMENT);
        bytes[k] ^= 4;
    }
    must(restore(bytes, n, &again, &err), &err);
    pc_run_close(&again);
    pc_run_close(&run);
    pc_scene_free(&scene);
    free(bytes);
}
END_TEST

/* With the checksum put right a change may pass; then the run must be one that can be asked anything. */
START_TEST(a_forged_file_does_no_harm)
{
    pc_error err = {0};
    pc_run run, again;
    begin(&run);
    unsigned char *bytes = malloc(ROOM), *forged = malloc(ROOM);
    size_t n = bytes_of(&run, bytes);
    pc_rng rng;
    pc_rng_seed(&rng, 77);
    int refused = 0, passed = 0;
    long live = pc_alloc_live();
    for (int k = 0; k < 3000; k++) {
        memcpy(forged, bytes, n);
        for (int i = 0; i < 3; i++)
            forged[pc_rng_below(&rng, (unsigned)n - 8)] = (unsigned char)pc_rng_below(&rng, 256);
        sign(forged, n);
        pc_status status = restore(forged, n, &again, &err);
        if (status != PC_OK) {
            refused++;
        } else {
            passed++;
            pc_look look;
            for (double t = 0; t <= 3; t += 0.25) (void)pc_run_look(&again, t, -1, &look, &err);
            pc_run_close(&again);
        }
        ck_assert_int_eq(pc_alloc_live(), live);
    }
    ck_assert_int_gt(refused, 100);
    ck_assert_int_gt(passed, 100);
    pc_run_close(&run);
    pc_scene_free(&scene);
    free(bytes);
    free(forged);
}
END_TEST

START_TEST(memory_may_run_out_while_reading)
{
    pc_error err = {0};
    pc_run run, again;
    begin(&run);
    unsigned char *bytes = malloc(ROOM);
    size_t n = bytes_of(&run, bytes);
    long live = pc_alloc_live();
    bool done = false;
    for (long k = 0; !done && k < 100; k++) {
        pc_alloc_fail_after(k);
        pc_status status = restore(bytes, n, &again, &err);
        pc_alloc_fail_after(-1);
        done = status == PC_OK;
        if (done)
            pc_run_close(&again);
        else
            ck_assert_int_eq(status, PC_E_MEMORY);
        ck_assert_int_eq(pc_alloc_live(), live);
    }
    ck_assert(done);
    pc_run_close(&run);
    pc_scene_free(&scene);
    free(bytes);
}
END_TEST

/* Between two advances the state alone decides: put back, it brings the same end as the first time, also where
 * contacts are closed whose tangential elements have a history. */
START_TEST(a_state_put_back_goes_on_as_the_first_time)
{
    int in_contact = 0, with_rings = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        pile p;
        filled filling;
        pc_error err = {0};
        pc_run twice;
        double y[6 * PILE_BODIES] = {0};
        press_random(&p, &filling, seed);
        if (seed % 2) filling = fill("maw", "modulus", 1e6, "radius", 0.1, "poisson", 0.3, "friction", 0.4, NULL);
        for (int i = 0; i < p.scene.n_pairs; i++) pc_pair_set_law(&p.scene.pairs[i], filling.law, &filling.params);
        for (int i = 0; i < p.n; i++)
            for (int k = 0; k < 3; k++) y[3 * i + k] = p.start[i][k], y[3 * (p.n + i) + k] = p.start[i][3 + k];
        must(pc_run_open(&twice, &p.scene, 0, y, &err), &err);
        pc_run_options options = run_options(&pc_ode_dop853, 1e-8);
        options.contact_settings = options.settings;
        static pc_run_state before, end;
        must(pc_run_state_open(&before, &p.scene, 0, y, &err), &err);
        must(pc_run_state_open(&end, &p.scene, 0, y, &err), &err);
        for (int k = 1; k <= 8; k++) {
            take_snapshot(&before, &twice.state);
            ck_assert(same_states(&before, &twice.state));
            in_contact += before.compliant.n > 0;
            for (int i = 0; i < before.compliant.n; i++) with_rings += before.compliant.contact[i].base.rings != NULL;
            must(pc_run_advance(&twice, &options, 0.06 * k, &err), &err);
            ck_assert(!same_states(&before, &twice.state));
            take_snapshot(&end, &twice.state);
            size_t impacts = twice.history.impacts.used;
            take_snapshot(&twice.state, &before);
            must(pc_run_advance(&twice, &options, 0.06 * k, &err), &err);
            for (int i = 0; i < end.compliant.n; i++) /* records begun in the second go are others */
                if (end.compliant.contact[i].impact != twice.state.compliant.contact[i].impact)
                    ck_assert_uint_ge(twice.state.compliant.contact[i].impact, impacts);
            for (int i = 0; i < end.compliant.n; i++)
                end.compliant.contact[i].impact = twice.state.compliant.contact[i].impact;
            ck_assert_msg(same_states(&end, &twice.state), "%lu: at %g", (unsigned long)seed, 0.06 * k);
        }
        pc_run_state_close(&before);
        pc_run_state_close(&end);
        pc_run_close(&twice);
        pc_scene_free(&p.scene);
    }
    ck_assert_int_gt(in_contact, 10);
    ck_assert_int_gt(with_rings, 0);
}
END_TEST

UNIT_MAIN("save", 60, a_run_read_back_goes_on_as_the_first_one, what_was_cut_short_or_changed_is_refused,
          a_forged_file_does_no_harm, a_state_put_back_goes_on_as_the_first_time, memory_may_run_out_while_reading)
