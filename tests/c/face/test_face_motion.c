/* The interface for C, things that move: scenes, runs and differential equations. */
#include "face_tools.h"

#include "base/alloc.h"
#include "motion/look.h"
#include "scene/part.h"
#include "scene/obstacle.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const percuss_option disc[] = {PERCUSS_WORD("shape", "disc"), PERCUSS_NUMBER("radius", 0.1),
                                      PERCUSS_NUMBER("mass", 2),     PERCUSS_NUMBER("y", 1.1),
                                      PERCUSS_NUMBER("vx", 0.5),     PERCUSS_END};
static const percuss_option ground[] = {PERCUSS_NUMBER("height", 0), PERCUSS_END};
static const percuss_option newton[] = {PERCUSS_NUMBER("restitution", 0.5), PERCUSS_NUMBER("friction", 0.1),
                                        PERCUSS_END};
static const percuss_option for_two[] = {PERCUSS_NUMBER("duration", 2), PERCUSS_END};

static percuss_part *part_of(const char *kind, const percuss_option *options)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_part *part = percuss_part_new(kind, options, &error);
    ck_assert_msg(part != NULL, "%s", error.message);
    return part;
}

/* A disc above a floor, by a law; everything but the scene is given back. */
static percuss_scene *ball_on_floor(const char *kind, const percuss_option *law_options, const percuss_option *options)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_part *const parts[] = {part_of("free", disc), part_of("floor", ground)};
    percuss_law *law = law_of(kind, law_options);
    percuss_scene *scene = percuss_scene_new((const percuss_part *const *)parts, 2, law, NULL, 0, options, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    percuss_law_free(law);
    percuss_part_free(parts[0]);
    percuss_part_free(parts[1]);
    return scene;
}

static percuss_run *run_of(const percuss_scene *scene, const percuss_option *options, const percuss_setup *setup)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_run *run;
    percuss_code code = percuss_simulate(scene, options, setup, &run, &error);
    ck_assert_msg(code == PERCUSS_OK, "%s", error.message);
    return run;
}

/* ---- scenes ---- */

START_TEST(a_scene_says_what_it_is)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_scene *scene = ball_on_floor("newton", newton, NULL);
    double q[3], u[3];
    ck_assert_int_eq(percuss_scene_dof(scene), 3);
    ck_assert_int_eq(percuss_scene_dof(NULL), 0);
    ck_assert_int_eq(percuss_scene_start(scene, q, u, 3, &error), PERCUSS_OK);
    ck_assert(q[0] == 0 && q[1] == 1.1 && q[2] == 0 && u[0] == 0.5 && u[1] == 0 && u[2] == 0);
    ck_assert_int_eq(percuss_scene_start(scene, q, u, 4, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "n", "", "has 3 coordinates");
    ck_assert_int_eq(percuss_scene_start(NULL, q, u, 3, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_str_eq(percuss_scene_contact(scene, 0), "body on floor");
    ck_assert_ptr_null(percuss_scene_contact(scene, 1));
    ck_assert_ptr_null(percuss_scene_contact(NULL, 0));
    ck_assert_str_eq(percuss_scene_column(scene, 0), "x");
    ck_assert_str_eq(percuss_scene_column_unit(scene, 5), "rad/s");
    ck_assert_str_eq(percuss_scene_column(scene, 6), "gap");
    ck_assert_ptr_null(percuss_scene_column(scene, 99));
    ck_assert_ptr_null(percuss_scene_column_unit(scene, -1));
    percuss_scene_free(scene);
    percuss_scene_free(NULL);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(parts_get_names_and_pairs_get_laws)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const percuss_option left[] = {PERCUSS_WORD("shape", "disc"), PERCUSS_NUMBER("radius", 0.1),
                                   PERCUSS_NUMBER("mass", 1), PERCUSS_NUMBER("x", -1), PERCUSS_END};
    const percuss_option named[] = {PERCUSS_WORD("shape", "disc"), PERCUSS_NUMBER("radius", 0.1),
                                    PERCUSS_NUMBER("mass", 1), PERCUSS_WORD("name", "body2"), PERCUSS_END};
    const percuss_option right[] = {PERCUSS_WORD("shape", "disc"), PERCUSS_NUMBER("radius", 0.1),
                                    PERCUSS_NUMBER("mass", 1), PERCUSS_NUMBER("x", 1), PERCUSS_END};
    const percuss_part *parts[] = {part_of("free", left), part_of("free", named), part_of("free", right)};
    percuss_law *law = law_of("newton", newton);
    const percuss_pair pairs[] = {{"body", "body2", law}, {"body2", "body3", law}, {"body", "body3", law}};
    percuss_scene *scene = percuss_scene_new(parts, 3, NULL, pairs, 3, NULL, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    ck_assert_str_eq(percuss_scene_contact(scene, 0), "body on body2");
    ck_assert_str_eq(percuss_scene_contact(scene, 1), "body on body3");
    ck_assert_str_eq(percuss_scene_column(scene, 0), "body.x");
    percuss_scene_free(scene);
    ck_assert_ptr_null(percuss_scene_new(parts, 3, NULL, pairs, 2, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "", "", "no law is given for body on body3");
    const percuss_pair nobody[] = {{"body", "ghost", law}};
    ck_assert_ptr_null(percuss_scene_new(parts, 3, law, nobody, 1, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "pairs", "", "no contact of 'body' with 'ghost'");
    const percuss_part *twice[] = {parts[1], parts[0], parts[1]};
    ck_assert_ptr_null(percuss_scene_new(twice, 3, law, NULL, 0, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "", "", "parts 1 and 3 are both called 'body2'");
    const percuss_pair empty[] = {{"body", NULL, law}};
    percuss_error fresh = PERCUSS_NO_ERROR;
    ck_assert_ptr_null(percuss_scene_new(parts, 3, law, empty, 1, NULL, &fresh));
    failed_with(&fresh, PERCUSS_E_ARGUMENT, "name of a pair", "", "is NULL");
    const percuss_part *hole[] = {parts[0], NULL};
    percuss_error another = PERCUSS_NO_ERROR;
    ck_assert_ptr_null(percuss_scene_new(hole, 2, law, NULL, 0, NULL, &another));
    failed_with(&another, PERCUSS_E_ARGUMENT, "parts", "", "parts is NULL");
    ck_assert_ptr_null(percuss_scene_new(NULL, 2, law, NULL, 0, NULL, NULL));
    ck_assert_ptr_null(percuss_scene_new(parts, 0, law, NULL, 0, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "n", "", "one part at least");
    for (int i = 0; i < 3; i++) percuss_part_free((percuss_part *)(uintptr_t)parts[i]);
    percuss_part *floor = part_of("floor", ground);
    const percuss_part *still[] = {floor};
    ck_assert_ptr_null(percuss_scene_new(still, 1, law, NULL, 0, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "", "", "nothing in it can move");
    percuss_part_free(floor);
    percuss_law_free(law);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(a_body_is_a_part_by_its_outline)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const percuss_option of_disc[] = {PERCUSS_NUMBER("radius", 0.1), PERCUSS_NUMBER("mass", 2), PERCUSS_END};
    const percuss_option hanging[] = {PERCUSS_NUMBER("length", 1), PERCUSS_NUMBER("mass", 1),
                                      PERCUSS_NUMBER("angle", 0.3), PERCUSS_END};
    percuss_body *body = percuss_body_new("disc", of_disc, &error),
                 *rig = percuss_body_new("pendulum", hanging, &error);
    ck_assert_msg(body && rig, "%s", error.message);
    const percuss_option given[] = {PERCUSS_OBJECT("body", body), PERCUSS_NUMBER("y", 1.1), PERCUSS_NUMBER("vx", 0.5),
                                    PERCUSS_END};
    const percuss_option wrong[] = {PERCUSS_OBJECT("body", rig), PERCUSS_END};
    percuss_part *const parts[] = {part_of("free", given), part_of("floor", ground)};
    percuss_law *law = law_of("newton", newton);
    percuss_scene *scene = percuss_scene_new((const percuss_part *const *)parts, 2, law, NULL, 0, NULL, &error);
    percuss_scene *other = ball_on_floor("newton", newton, NULL);
    percuss_run *a = run_of(scene, for_two, NULL), *b = run_of(other, for_two, NULL);
    double q[3], u[3], p[3], w[3];
    ck_assert_int_eq(percuss_run_state(a, 1.9, 1, q, u, 3, &error), PERCUSS_OK);
    ck_assert_int_eq(percuss_run_state(b, 1.9, 1, p, w, 3, &error), PERCUSS_OK);
    ck_assert(memcmp(q, p, sizeof q) == 0 && memcmp(u, w, sizeof u) == 0);
    ck_assert_ptr_null(percuss_part_new("free", wrong, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "", "", "this body has no outline in the plane");
    percuss_run_free(a);
    percuss_run_free(b);
    percuss_scene_free(scene);
    percuss_scene_free(other);
    percuss_law_free(law);
    percuss_part_free(parts[0]);
    percuss_part_free(parts[1]);
    percuss_body_free(body);
    percuss_body_free(rig);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(wrong_parts_and_scenes_are_refused)
{
    percuss_error error = PERCUSS_NO_ERROR;
    ck_assert_ptr_null(percuss_part_new("flor", ground, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "kind", "", "there is no part 'flor'; did you mean 'floor'?");
    ck_assert_ptr_null(percuss_part_new("floor", NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "", "", "one of 'depth' or 'height' is needed");
    const percuss_option blob[] = {PERCUSS_WORD("shape", "dics"), PERCUSS_NUMBER("mass", 1), PERCUSS_END};
    ck_assert_ptr_null(percuss_part_new("free", blob, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "shape", "", "did you mean \"disc\"?");
    const percuss_option link[] = {PERCUSS_NUMBER("length", 1), PERCUSS_NUMBER("mass", 1), PERCUSS_END};
    const percuss_option *const links[] = {link, link};
    const double wild[2] = {0, INFINITY};
    const percuss_option swinging[] = {PERCUSS_NUMBER("frequency", NAN), PERCUSS_END};
    const percuss_option everywhere[] = {PERCUSS_WORD("touch", "all"), PERCUSS_END};
    const percuss_option thick[] = {PERCUSS_NUMBER("length", 1), PERCUSS_NUMBER("mass", 1),
                                    PERCUSS_NUMBER("thickness", 0.1), PERCUSS_END};
    const percuss_option *const thick_links[] = {thick};
    percuss_chain chain = {0};
    ck_assert_ptr_null(percuss_chain_new(NULL, NULL));
    ck_assert_ptr_null(percuss_chain_new(&chain, NULL));
    chain.links = links;
    ck_assert_ptr_null(percuss_chain_new(&chain, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "n", "", "from 1 to 50 links");
    chain.n = 2, chain.rates = wild;
    ck_assert_ptr_null(percuss_chain_new(&chain, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "rates", "rad/s", "rates[1] = inf");
    chain.rates = NULL, chain.pivot = swinging;
    ck_assert_ptr_null(percuss_chain_new(&chain, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "frequency", "rad/s", "nan");
    chain.pivot = NULL, chain.options = everywhere;
    ck_assert_ptr_null(percuss_chain_new(&chain, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "touch", "", "\"end\", \"joints\", \"links\" or \"none\"");
    chain = (percuss_chain){.n = 1, .links = thick_links};
    ck_assert_ptr_null(percuss_chain_new(&chain, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "", "", "has no effect without touch");

    percuss_part *const parts[] = {part_of("free", disc), part_of("floor", ground)};
    const percuss_part *const *list = (const percuss_part *const *)parts;
    percuss_law *law = law_of("newton", newton);
    const percuss_option heavy[] = {PERCUSS_NUMBER("gravity", INFINITY), PERCUSS_END};
    const percuss_option moving[] = {PERCUSS_WORD("configuration", "moving"), PERCUSS_END};
    ck_assert_ptr_null(percuss_scene_new(list, 2, law, NULL, 0, heavy, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "gravity", "m/s^2", "inf");
    ck_assert_ptr_null(percuss_scene_new(list, 2, law, NULL, 0, moving, &error));
    failed_with(&error, PERCUSS_E_UNSUPPORTED, "", "", "needs a compliant law");
    percuss_law_free(law);
    for (int i = 0; i < 2; i++) percuss_part_free(parts[i]);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- obstacles that move ---- */

/* A table that rises by a wave, told with all rates, without the last, and by its place alone. */
typedef struct wave {
    double amplitude, frequency;
    int told;
} wave;

static int rise(double t, double state[9], void *context)
{
    const wave *w = context;
    const double s = sin(w->frequency * t), c = cos(w->frequency * t), a = w->amplitude, f = w->frequency;
    const double all[9] = {0, a * s, 0, 0, a * f * c, 0, 0, -a * f * f * s, 0};
    memcpy(state, all, (size_t)w->told * sizeof *all);
    return w->told;
}

static int refuse_to_rise(double t, double state[9], void *context)
{
    (void)t, (void)state, (void)context;
    return -1;
}

static int run_past(double t, double state[2], void *context)
{
    (void)context;
    state[0] = 0.25 + 0 * t;
    return 1;
}

static percuss_scene *ball_on_table(const percuss_drive *motion)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_part *const parts[] = {part_of("free", disc), part_of("floor", ground)};
    percuss_law *law = law_of("newton", newton);
    ck_assert_int_eq(percuss_part_move(parts[1], motion, &error), PERCUSS_OK);
    percuss_scene *scene = percuss_scene_new((const percuss_part *const *)parts, 2, law, NULL, 0, NULL, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    percuss_law_free(law);
    for (int i = 0; i < 2; i++) percuss_part_free(parts[i]);
    return scene;
}

START_TEST(an_obstacle_moves_by_options_or_by_a_function)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const percuss_option swing[] = {PERCUSS_NUMBER("amplitude_y", 0.02), PERCUSS_NUMBER("frequency", 30), PERCUSS_END};
    const percuss_drive by_options = {.options = swing, .surface_speed = 0.25};
    percuss_scene *scene = ball_on_table(&by_options);
    percuss_run *run = run_of(scene, for_two, NULL);
    percuss_run_record told;
    ck_assert_int_eq(percuss_run_read(run, &told, &error), PERCUSS_OK);
    ck_assert(told.n_impacts > 3);
    percuss_run_impact first, impact;
    ck_assert_int_eq(percuss_run_impact_read(run, 0, &first, NULL, NULL, NULL, 0, &error), PERCUSS_OK);
    ck_assert(first.driven != 0 && first.energy_before + first.driven - first.energy > 0);
    for (int known = 3; known <= 9; known += 3) {
        wave w = {0.02, 30, known};
        const percuss_drive by_function = {.motion = rise, .surface = run_past, .context = &w};
        percuss_scene *other = ball_on_table(&by_function);
        percuss_run *again = run_of(other, for_two, NULL);
        ck_assert_int_eq(percuss_run_impact_read(again, 0, &impact, NULL, NULL, NULL, 0, &error), PERCUSS_OK);
        ck_assert_double_eq_tol(impact.t, first.t, 1e-12);
        for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(impact.velocity[k], first.velocity[k], 1e-9);
        percuss_run_free(again);
        percuss_scene_free(other);
    }
    percuss_run_free(run);
    percuss_scene_free(scene);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(wrong_motions_are_refused)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const percuss_option swing[] = {PERCUSS_NUMBER("amplitude", 0.02), PERCUSS_END};
    const percuss_drive misspelt = {.options = swing}, endless = {.surface_speed = NAN};
    const percuss_drive stubborn = {.motion = refuse_to_rise};
    const percuss_option belt[] = {PERCUSS_NUMBER("height", 0), PERCUSS_NUMBER("surface_speed", 1), PERCUSS_END};
    percuss_part *body = part_of("free", disc), *table = part_of("floor", ground);
    ck_assert_int_eq(percuss_part_move(NULL, &misspelt, &error), PERCUSS_E_ARGUMENT);
    error = (percuss_error)PERCUSS_NO_ERROR;
    ck_assert_int_eq(percuss_part_move(table, &misspelt, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "amplitude", "", "did you mean 'amplitude_");
    ck_assert_int_eq(percuss_part_move(table, &endless, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "surface_speed", "m/s", "nan");
    ck_assert_int_eq(percuss_part_move(body, &stubborn, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "part", "", "a free body");
    ck_assert_ptr_null(percuss_part_new("floor", belt, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "surface_speed", "m/s", "percuss_part_move");
    percuss_part_free(body);
    percuss_part_free(table);
    percuss_scene *scene = ball_on_table(&stubborn);
    percuss_run *run = NULL;
    ck_assert_int_eq(percuss_simulate(scene, for_two, NULL, &run, &error), PERCUSS_E_CALLBACK);
    percuss_run_free(run);
    percuss_scene_free(scene);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- runs ---- */

/* The same scene and run in the core by hand. */
static void run_core(pc_scene *scene, pc_run *run)
{
    static struct {
        double restitution, friction;
        unsigned char room[256];
    } params;
    pc_error err = {0};
    uint64_t given = 0;
    const pc_law *law = NULL;
    for (int i = 0; i < pc_n_laws; i++)
        if (strcmp(pc_laws[i]->schema->name, "contact.newton") == 0) law = pc_laws[i];
    pc_schema_defaults(law->schema, &params);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pc_schema_set_number(law->schema, pc_schema_find(law->schema, newton[i].name), &params,
                                              newton[i].number, &given, &err),
                         PC_OK);
    ck_assert_int_eq(pc_schema_finish(law->schema, &params, given, &err), PC_OK);
    pc_schema_defaults(&pc_scene_schema, scene);
    pc_free_shape shape = {.shape = PC_SHAPE_DISC, .mass = 2, .radius = 0.1, .inertia = 2 * 0.1 * 0.1 / 2};
    ck_assert_int_eq(pc_scene_add_free(scene, &shape, "body", &err), PC_OK);
    pc_outline plane = pc_outline_plane("floor", 0, 0, 0, 1);
    plane.member = -1;
    ck_assert_int_eq(pc_scene_add_outline(scene, &plane, &err), PC_OK);
    ck_assert_int_eq(pc_scene_join(scene, law, &params, &err), PC_OK);
    const double y[6] = {0, 1.1, 0, 0.5, 0, 0};
    ck_assert_int_eq(pc_run_open(run, scene, 0, y, &err), PC_OK);
    pc_run_options options = {.method = &pc_ode_dop853, .max_impacts = 1000000, .record = true};
    pc_schema_defaults(options.method->schema, &options.settings);
    ck_assert_int_eq(pc_run_advance(run, &options, 2, &err), PC_OK);
}

START_TEST(a_run_is_that_of_the_core)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_scene *scene = ball_on_floor("newton", newton, NULL);
    percuss_run *run = run_of(scene, for_two, NULL);
    pc_scene own;
    pc_run core;
    run_core(&own, &core);
    percuss_run_record r;
    ck_assert_int_eq(percuss_run_read(run, &r, &error), PERCUSS_OK);
    size_t n_events, n_impacts;
    const pc_event_record *events = pc_run_events(&core, &n_events);
    const pc_impact_record *impacts = pc_run_impacts(&core, &n_impacts);
    ck_assert(r.n_events == n_events && r.n_impacts == n_impacts && n_impacts > 5);
    ck_assert(r.start == 0 && r.time == 2 && r.ending == PERCUSS_ENDED && r.event == -1);
    ck_assert(r.steps == core.history.statistics.steps && equal(r.energy_at_start, core.state.energy0));
    for (size_t i = 0; i < n_events; i++) {
        percuss_run_event e;
        ck_assert_int_eq(percuss_run_event_read(run, i, &e, &error), PERCUSS_OK);
        ck_assert(equal(e.t, events[i].t) && e.event == -1);
        ck_assert_str_eq(e.kind, pc_event_kind_word(events[i].kind));
        ck_assert_int_eq(e.contact, events[i].pair);
        if (strcmp(e.kind, "impact") == 0) ck_assert_int_eq((int)e.impact, (int)events[i].impact);
        if (strcmp(e.kind, "accumulation") == 0) ck_assert(equal(e.ratio, events[i].ratio));
    }
    for (size_t i = 0; i < n_impacts; i++) {
        const double *states = (const double *)core.history.states.data + impacts[i].states;
        percuss_run_impact hit;
        double q[3], u0[3], u1[3];
        ck_assert_int_eq(percuss_run_impact_read(run, i, &hit, q, u0, u1, 3, &error), PERCUSS_OK);
        ck_assert(equal(hit.t, impacts[i].t) && hit.contact == 0 && hit.over == 1 && hit.order == 0);
        ck_assert(same(hit.velocity, impacts[i].v1, sizeof hit.velocity));
        ck_assert(same(hit.velocity_before, impacts[i].v0, sizeof hit.velocity));
        ck_assert(same(hit.impulse, impacts[i].impulse, sizeof hit.impulse));
        ck_assert(equal(hit.energy, impacts[i].energy1) && equal(hit.energy_before, impacts[i].energy0));
        ck_assert(equal(hit.W[1][1], impacts[i].W.nn) && equal(hit.stop, hit.t) && isnan(hit.peak[0]));
        ck_assert(same(q, states, sizeof q) && same(u0, states + 3, sizeof q) && same(u1, states + 6, sizeof q));
    }
    for (int i = 0; i <= 40; i++) {
        double t = 0.05 * i, values[32], q[3], u[3];
        int n = 0;
        while (percuss_scene_column(scene, n)) n++;
        pc_run_column columns[32];
        pc_look look;
        pc_error err = {0};
        ck_assert_int_eq(pc_run_columns(&own, columns, 32), n);
        for (int side = -1; side <= 1; side += 2) {
            ck_assert_int_eq(percuss_run_at(run, t, side, values, n, &error), PERCUSS_OK);
            ck_assert_int_eq(pc_run_look(&core, t, side, &look, &err), PC_OK);
            for (int k = 0; k < n; k++) ck_assert(equal(values[k], pc_run_column_value(&look, &columns[k])));
            ck_assert_int_eq(percuss_run_state(run, t, side, q, u, 3, &error), PERCUSS_OK);
            ck_assert(same(q, look.y, sizeof q) && same(u, look.y + 3, sizeof u));
        }
    }
    /* closed form: the first bounce after sqrt(2 h/g), with e times the speed */
    percuss_run_impact first;
    ck_assert_int_eq(percuss_run_impact_read(run, 0, &first, NULL, NULL, NULL, 0, &error), PERCUSS_OK);
    ck_assert_double_eq_tol(first.t, sqrt(2 / 9.81), 1e-15);
    ck_assert_double_eq_tol(first.velocity[PERCUSS_N], 0.5 * sqrt(2 * 9.81), 1e-14);
    pc_run_close(&core);
    pc_scene_free(&own);
    percuss_scene_free(scene); /* the run keeps it */
    ck_assert_int_eq(percuss_run_continue(run, 1, &error), PERCUSS_OK);
    ck_assert_int_eq(percuss_run_read(run, &r, &error), PERCUSS_OK);
    ck_assert(r.time == 3);
    percuss_run_free(run);
    percuss_run_free(NULL);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(the_detail_of_an_impact_is_what_collide_says)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const percuss_option one_by_one[] = {PERCUSS_WORD("together", "sequential"), PERCUSS_END};
    percuss_scene *scene = ball_on_floor("newton", newton, one_by_one);
    percuss_run *run = run_of(scene, for_two, NULL);
    percuss_run_impact hit;
    ck_assert_int_eq(percuss_run_impact_read(run, 0, &hit, NULL, NULL, NULL, 0, &error), PERCUSS_OK);
    percuss_impact *detail = percuss_run_impact_detail(run, 0, &error);
    ck_assert_msg(detail != NULL, "%s", error.message);
    const percuss_impact_record *r = percuss_impact_values(detail);
    ck_assert(same(r->velocity, hit.velocity, sizeof hit.velocity) && r->n_phases == hit.n_phases);
    ck_assert(same(r->impulse, hit.impulse, sizeof hit.impulse));
    ck_assert_double_eq_tol(r->kinematic, 0.5, 1e-15);
    ck_assert_ptr_null(percuss_run_impact_detail(run, 1000, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "i", "", "there is no impact 1000");
    ck_assert_ptr_null(percuss_run_impact_detail(NULL, 0, NULL));
    percuss_run_free(run);
    percuss_scene_free(scene);
    ck_assert_str_eq(percuss_impact_regime(detail), "slip-stick"); /* it lives on without them */
    percuss_impact_free(detail);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(compliant_impacts_have_a_history)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const percuss_option moving[] = {PERCUSS_WORD("configuration", "moving"), PERCUSS_NUMBER("gravity", 0),
                                     PERCUSS_END};
    const percuss_option spring[] = {PERCUSS_NUMBER("stiffness", 1e5), PERCUSS_NUMBER("tangential", 1e5),
                                     PERCUSS_NUMBER("friction", 0), PERCUSS_END};
    const double down[3] = {0, -1, 0};
    const percuss_setup setup = {.u = down};
    percuss_scene *scene = ball_on_floor("linear", spring, moving);
    percuss_run *run = run_of(scene, for_two, &setup);
    percuss_run_impact hit;
    ck_assert_int_eq(percuss_run_impact_read(run, 0, &hit, NULL, NULL, NULL, 0, &error), PERCUSS_OK);
    /* half a vibration of mass and spring: pi sqrt(m/k), greatest force v sqrt(k m); the solver's rtol is 1e-10 */
    const double half = 3.14159265358979323846 * sqrt(2 / 1e5);
    ck_assert_str_eq(hit.rule, "compliant");
    ck_assert_int_eq(hit.over, 1);
    ck_assert_double_eq_tol(hit.stop - hit.t, half, 1e-8 * half);
    ck_assert_double_eq_tol(hit.peak[PERCUSS_N], sqrt(2 * 1e5), 1e-8 * sqrt(2 * 1e5));
    percuss_impact *detail = percuss_run_impact_detail(run, 0, &error);
    ck_assert_msg(detail != NULL, "%s", error.message);
    ck_assert_double_eq_tol(percuss_impact_values(detail)->duration, half, 1e-8 * half);
    percuss_impact_free(detail);
    percuss_run_free(run);
    const percuss_option unseen[] = {PERCUSS_NUMBER("duration", 2), PERCUSS_NUMBER("record", 0), PERCUSS_END};
    run = run_of(scene, unseen, &setup);
    ck_assert_ptr_null(percuss_run_impact_detail(run, 0, &error));
    ck_assert_int_eq(error.code, PERCUSS_E_UNSUPPORTED);
    percuss_run_free(run);
    percuss_scene_free(scene);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

static int height(double t, const double *y, double *value, void *context)
{
    (void)t;
    *value = y[1] - *(const double *)context;
    return 0;
}

static int refuse_late(double t, const double *y, double *value, void *context)
{
    (void)context;
    *value = y[0] + 1;
    return t > 0.3 ? -1 : 0;
}

static int bounce(double t, double *y, void *context)
{
    (void)t;
    y[1] = -*(const double *)context * y[1];
    return PERCUSS_RESTART;
}

static void count(double t, long impacts, void *context)
{
    ck_assert(t >= 0 && impacts >= 0);
    ++*(int *)context;
}

START_TEST(events_end_a_run)
{
    percuss_error error = PERCUSS_NO_ERROR;
    double level = 0.6;
    int called = 0;
    const percuss_event events[] = {{"half way", -1, 0, height, NULL, &level}, {NULL, 1, 1, height, NULL, &level}};
    const percuss_option elastic[] = {PERCUSS_NUMBER("restitution", 1), PERCUSS_NUMBER("friction", 0), PERCUSS_END};
    percuss_setup setup = {.events = events, .n_events = 2, .progress = count, .progress_context = &called};
    percuss_scene *scene = ball_on_floor("newton", elastic, NULL);
    percuss_run *run = run_of(scene, for_two, &setup);
    percuss_run_record r;
    percuss_run_event e;
    percuss_run_read(run, &r, &error);
    ck_assert(r.ending == PERCUSS_BY_EVENT && r.event == 1);
    /* down through 0.6 after sqrt(2 0.5/g); up again as long after the bounce as it took from there */
    const double first = sqrt(1 / 9.81), bounce = sqrt(2 / 9.81);
    ck_assert_double_eq_tol(r.time, 2 * bounce - first, 1e-14);
    ck_assert_int_eq(percuss_run_event_read(run, 0, &e, &error), PERCUSS_OK);
    ck_assert_str_eq(e.kind, "user");
    ck_assert(e.event == 0 && e.contact == -1 && e.impact == -1 && isnan(e.ratio));
    ck_assert_double_eq_tol(e.t, first, 1e-14);
    percuss_run_free(run);
    /* with a function that asks to stop the run is there as far as it got, and may be continued */
    const percuss_event stops[] = {{"late", 0, 0, refuse_late, NULL, NULL}};
    setup = (percuss_setup){.events = stops, .n_events = 1};
    ck_assert_int_eq(percuss_simulate(scene, for_two, &setup, &run, &error), PERCUSS_E_CALLBACK);
    failed_with(&error, PERCUSS_E_CALLBACK, "late", "", "late");
    ck_assert_str_eq(error.quantity, "late");
    ck_assert_ptr_nonnull(run);
    percuss_run_read(run, &r, &error);
    ck_assert(r.ending == PERCUSS_BY_FAILURE && r.time < 2);
    ck_assert_int_eq(percuss_run_continue(run, 1, &error), PERCUSS_E_CALLBACK);
    percuss_run_free(run);
    percuss_scene_free(scene);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* An event that asks its own run. */
static int ask_own_run(double t, const double *y, double *value, void *context)
{
    percuss_run **run = context;
    double q[3];
    (void)t;
    *value = y[1] - 0.1;
    if (!*run) return 0;
    percuss_error error = PERCUSS_NO_ERROR;
    ck_assert_int_eq(percuss_run_state(*run, 0, 1, q, NULL, 3, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "run", "", "is being worked out");
    ck_assert_int_eq(percuss_run_continue(*run, 1, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_ptr_null(percuss_run_impact_detail(*run, 0, NULL));
    return 0;
}

START_TEST(a_function_cannot_ask_the_run_that_calls_it)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_run *run = NULL;
    const percuss_event events[] = {{"low", 0, 0, ask_own_run, NULL, &run}};
    const percuss_setup setup = {.events = events, .n_events = 1};
    percuss_scene *scene = ball_on_floor("newton", newton, NULL);
    ck_assert_int_eq(percuss_simulate(scene, for_two, &setup, &run, &error), PERCUSS_OK);
    ck_assert_int_eq(percuss_run_continue(run, 1, &error), PERCUSS_OK);
    percuss_run_free(run);
    percuss_scene_free(scene);
}
END_TEST

START_TEST(the_number_of_impacts_may_be_limited)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const percuss_option few[] = {PERCUSS_NUMBER("duration", 2), PERCUSS_NUMBER("max_impacts", 3), PERCUSS_END};
    percuss_scene *scene = ball_on_floor("newton", newton, NULL);
    percuss_run *run = run_of(scene, few, NULL);
    percuss_run_record r;
    percuss_run_read(run, &r, &error);
    ck_assert(r.n_impacts == 3 && r.ending == PERCUSS_BY_LIMIT);
    ck_assert_int_eq(percuss_run_continue(run, 2, &error), PERCUSS_OK);
    percuss_run_read(run, &r, &error);
    ck_assert_uint_eq(r.n_impacts, 6);
    percuss_run_free(run);
    percuss_scene_free(scene);
}
END_TEST

START_TEST(wrong_simulations_are_refused)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_scene *scene = ball_on_floor("newton", newton, NULL);
    percuss_run *run = (percuss_run *)&error;
    ck_assert_int_eq(percuss_simulate(scene, NULL, NULL, &run, &error), PERCUSS_E_ARGUMENT);
    ck_assert_ptr_null(run);
    failed_with(&error, PERCUSS_E_ARGUMENT, "duration", "s", "is needed");
    const percuss_option negative[] = {PERCUSS_NUMBER("duration", -1), PERCUSS_END};
    ck_assert_int_eq(percuss_simulate(scene, negative, NULL, &run, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "duration", "s", "must be >= 0 s");
    const double below[3] = {0, 0, 0}, wild[3] = {0, NAN, 0}, never[1] = {NAN};
    double level = 0;
    const percuss_event no_function[] = {{"none", 0, 0, NULL, NULL, NULL}},
                        sideways[] = {{"side", 2, 0, height, NULL, &level}},
                        acting[] = {{"acts", 0, 0, height, bounce, &level}};
    const percuss_option step[] = {PERCUSS_NUMBER("step", 0.1), PERCUSS_END};
    percuss_solver *symplectic = percuss_solver_new("symplectic", step, &error);
    percuss_solver *fixed = percuss_solver_new("rk4", step, &error);
    ck_assert_msg(symplectic && fixed, "%s", error.message);
    struct {
        percuss_setup setup;
        percuss_code code;
        const char *parameter, *unit, *part;
    } cases[] = {
        {{.q = below}, PERCUSS_E_ARGUMENT, "gap", "", "an overlap of 0.1 m"},
        {{.q = wild}, PERCUSS_E_ARGUMENT, "q", "", "q[1] = nan"},
        {{.u = wild}, PERCUSS_E_ARGUMENT, "u", "", "u[1] = nan"},
        {{.breaks = never, .n_breaks = 1}, PERCUSS_E_ARGUMENT, "breaks", "s", "breaks[0] = nan"},
        {{.breaks = never, .n_breaks = -1}, PERCUSS_E_ARGUMENT, "n_breaks", "", "-1 breaks"},
        {{.n_events = 1}, PERCUSS_E_ARGUMENT, "events", "", "events is NULL"},
        {{.events = no_function, .n_events = 1}, PERCUSS_E_ARGUMENT, "g of an event", "", "is NULL"},
        {{.events = sideways, .n_events = 1}, PERCUSS_E_ARGUMENT, "direction", "", "must be -1, 0 or 1"},
        {{.events = acting, .n_events = 1}, PERCUSS_E_UNSUPPORTED, "action", "", "have no actions"},
        {{.time_scale = -1}, PERCUSS_E_ARGUMENT, "time_scale", "s", "must be > 0 s"},
        {{.time_scale = NAN}, PERCUSS_E_ARGUMENT, "time_scale", "s", "nan"},
        {{.solver = symplectic}, PERCUSS_E_UNSUPPORTED, "solver", "", "do not depend on velocities"},
        {{.contact_solver = fixed}, PERCUSS_E_UNSUPPORTED, "contact_solver", "", "chooses its steps"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        percuss_error fresh = PERCUSS_NO_ERROR;
        ck_assert_int_eq(percuss_simulate(scene, for_two, &cases[i].setup, &run, &fresh), cases[i].code);
        failed_with(&fresh, cases[i].code, cases[i].parameter, cases[i].unit, cases[i].part);
        percuss_run_free(run); /* that which is in the floor was open */
        ck_assert_int_eq(percuss_simulate(scene, for_two, &cases[i].setup, &run, NULL), cases[i].code);
        percuss_run_free(run);
    }
    ck_assert_int_eq(percuss_simulate(NULL, for_two, NULL, &run, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_simulate(scene, for_two, NULL, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_ptr_null(percuss_solver_new("dop", NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "kind", "", "no solver 'dop'");
    const percuss_option loose[] = {PERCUSS_NUMBER("rtol", -1), PERCUSS_END};
    ck_assert_ptr_null(percuss_solver_new("dop853", loose, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "rtol", "", "-1 is not allowed");

    run = run_of(scene, for_two, NULL);
    percuss_run_record r;
    percuss_run_event e;
    percuss_run_impact hit;
    double q[3], values[3];
    ck_assert_int_eq(percuss_run_continue(run, NAN, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "duration", "s", "must be finite and >= 0 s");
    ck_assert_int_eq(percuss_run_continue(NULL, 1, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_run_read(run, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_run_read(NULL, &r, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_run_event_read(run, 999, &e, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "i", "", "there is no event 999");
    ck_assert_int_eq(percuss_run_event_read(NULL, 0, &e, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_run_impact_read(run, 0, NULL, NULL, NULL, NULL, 0, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_run_impact_read(NULL, 0, &hit, NULL, NULL, NULL, 0, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_run_impact_read(run, 999, &hit, NULL, NULL, NULL, 0, &error), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_run_impact_read(run, 0, &hit, q, NULL, NULL, 2, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "n", "", "has 3 coordinates");
    ck_assert_int_eq(percuss_run_state(run, 5, 1, q, NULL, 3, &error), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_run_state(run, NAN, 1, q, NULL, 3, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "t", "s", "nan");
    ck_assert_int_eq(percuss_run_state(run, 1, 1, q, NULL, 2, &error), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_run_state(NULL, 1, 1, q, NULL, 3, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_run_at(run, 1, 1, values, 3, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "n", "", "columns");
    ck_assert_int_eq(percuss_run_at(run, 1, 1, NULL, 3, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_run_at(NULL, 1, 1, values, 3, NULL), PERCUSS_E_ARGUMENT);
    percuss_run_free(run);
    percuss_solver_free(symplectic);
    percuss_solver_free(fixed);
    percuss_scene_free(scene);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- chains ---- */

static int gravity_off(double t, const double *angles, const double *rates, double *torque, void *context)
{
    (void)t, (void)rates;
    torque[0] = *(const double *)context * sin(angles[0]); /* holds the weight of the rod */
    return 0;
}

static int lift(double t, double state[6], void *context)
{
    const double g = *(const double *)context;
    const double values[6] = {0, -0.5 * g * t * t, 0, -g * t, 0, -g};
    memcpy(state, values, sizeof values);
    return 0;
}

static int refuse_torque(double t, const double *angles, const double *rates, double *torque, void *context)
{
    (void)t, (void)angles, (void)rates, (void)torque, (void)context;
    return -1;
}

START_TEST(a_chain_hangs_from_a_pivot_with_torques)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const percuss_option link[] = {PERCUSS_NUMBER("length", 2), PERCUSS_NUMBER("mass", 3), PERCUSS_END};
    const percuss_option *const links[] = {link};
    const percuss_option named[] = {PERCUSS_WORD("name", "arm"), PERCUSS_WORD("touch", "none"), PERCUSS_END};
    const double angle = 0.3, rate = 0.7, weight = 3 * 9.81 * 1, g = 9.81;
    percuss_chain in[3] = {{.n = 1, .links = links, .angles = &angle, .rates = &rate, .options = named}};
    in[1] = in[2] = in[0];
    in[0].torque = gravity_off, in[0].torque_context = (void *)(uintptr_t)&weight;
    in[1].motion = lift, in[1].motion_context = (void *)(uintptr_t)&g; /* falls with the pivot: no weight either */
    in[2].torque = refuse_torque;
    for (int i = 0; i < 3; i++) {
        percuss_part *chain = percuss_chain_new(&in[i], &error);
        ck_assert_msg(chain != NULL, "%s", error.message);
        percuss_scene *scene = percuss_scene_new((const percuss_part *const *)&chain, 1, NULL, NULL, 0, NULL, &error);
        ck_assert_msg(scene != NULL, "%s", error.message);
        percuss_part_free(chain);
        ck_assert_str_eq(percuss_scene_column(scene, 0), "arm.angle1");
        percuss_run *run;
        percuss_code code = percuss_simulate(scene, for_two, NULL, &run, &error);
        if (i == 2) {
            ck_assert_int_eq(code, PERCUSS_E_CALLBACK);
        } else {
            double q, u;
            ck_assert_msg(code == PERCUSS_OK, "%s", error.message);
            ck_assert_int_eq(percuss_run_state(run, 2, 1, &q, &u, 1, &error), PERCUSS_OK);
            /* nothing turns it: uniform rotation, to the solver's rtol of 1e-10 */
            ck_assert_double_eq_tol(q, 0.3 + 2 * 0.7, 1e-9);
            ck_assert_double_eq_tol(u, 0.7, 1e-9);
        }
        percuss_run_free(run);
        percuss_scene_free(scene);
    }
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- files ---- */

START_TEST(a_run_goes_on_from_a_file)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const char *folder = getenv("TMPDIR");
    char path[512];
    snprintf(path, sizeof path, "%s/face.run", folder ? folder : "/tmp");
    percuss_scene *scene = ball_on_floor("newton", newton, NULL);
    percuss_run *run = run_of(scene, for_two, NULL);
    ck_assert_msg(percuss_run_save(run, path, &error) == PERCUSS_OK, "%s", error.message);
    percuss_run *again = percuss_run_load(scene, for_two, NULL, path, &error);
    ck_assert_msg(again != NULL, "%s", error.message);
    percuss_run *const both[] = {run, again};
    double q[2][3], u[2][3];
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(percuss_run_continue(both[i], 1, &error), PERCUSS_OK);
        ck_assert_int_eq(percuss_run_state(both[i], 0.9, 1, q[i], u[i], 3, &error), PERCUSS_OK);
    }
    ck_assert(same(q[0], q[1], sizeof q[0]) && same(u[0], u[1], sizeof u[0]));
    percuss_run_record r[2];
    for (int i = 0; i < 2; i++) percuss_run_read(both[i], &r[i], &error);
    ck_assert(r[0].n_events == r[1].n_events && equal(r[0].time, r[1].time) && r[0].steps == r[1].steps);
    percuss_run_free(again);
    const percuss_option harder[] = {PERCUSS_NUMBER("restitution", 0.6), PERCUSS_NUMBER("friction", 0.1), PERCUSS_END};
    percuss_scene *other = ball_on_floor("newton", harder, NULL);
    ck_assert_ptr_null(percuss_run_load(other, for_two, NULL, path, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "scene", "", "is a run of another scene");
    const percuss_option few[] = {PERCUSS_NUMBER("duration", 2), PERCUSS_NUMBER("max_impacts", 3), PERCUSS_END};
    ck_assert_ptr_null(percuss_run_load(scene, few, NULL, path, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "setup", "", "of other settings");
    FILE *file = fopen(path, "r+b");
    ck_assert(file && fseek(file, 60, SEEK_SET) == 0 && fputc('?', file) == '?' && fclose(file) == 0);
    ck_assert_ptr_null(percuss_run_load(scene, for_two, NULL, path, &error));
    ck_assert_int_eq(error.code, PERCUSS_E_ARGUMENT);
    remove(path);
    ck_assert_ptr_null(percuss_run_load(scene, for_two, NULL, path, &error));
    ck_assert_int_eq(error.code, PERCUSS_E_SYSTEM);
    ck_assert_int_eq(percuss_run_save(run, "/nowhere/face.run", &error), PERCUSS_E_SYSTEM);
    ck_assert_int_eq(percuss_run_save(run, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_run_save(NULL, path, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_ptr_null(percuss_run_load(scene, for_two, NULL, NULL, NULL));
    ck_assert_ptr_null(percuss_run_load(NULL, for_two, NULL, path, NULL));
    percuss_run_free(run);
    percuss_scene_free(other);
    percuss_scene_free(scene);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- differential equations ---- */

static int fall(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)context;
    dydt[0] = y[1];
    dydt[1] = -9.81;
    return 0;
}

static int oscillate(double t, const double *y, double *dydt, void *context)
{
    (void)t, (void)context;
    dydt[0] = y[1];
    dydt[1] = -y[0];
    return 0;
}

static int oscillate_jacobian(double t, const double *y, double *dfdy, void *context)
{
    (void)t, (void)y, (void)context;
    dfdy[1] = 1;
    dfdy[2] = -1;
    return 0;
}

static int ground_level(double t, const double *y, double *value, void *context)
{
    (void)t, (void)context;
    *value = y[0];
    return 0;
}

static int refuse(double t, const double *y, double *dydt, void *context)
{
    (void)y, (void)context;
    dydt[0] = 1;
    return t > 0.5 ? -1 : 0;
}

static int impatient(double t, size_t n_events, void *context)
{
    (void)t, (void)n_events, (void)context;
    return 1;
}

START_TEST(equations_are_solved_with_events)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const double e = 0.5, y0[2] = {1, 0};
    const percuss_event floor[] = {{"floor", -1, 0, ground_level, bounce, (void *)(uintptr_t)&e}};
    const percuss_ode ode = {.n = 2, .rhs = fall, .events = floor, .n_events = 1};
    percuss_motion *motion;
    ck_assert_msg(percuss_ode_solve(&ode, y0, 0, 0.8, &motion, &error) == PERCUSS_OK, "%s", error.message);
    percuss_motion_record r;
    percuss_motion_event event;
    double y[2], before[2], after[2];
    ck_assert_int_eq(percuss_motion_read(motion, &r, &error), PERCUSS_OK);
    ck_assert(r.n == 2 && r.start == 0 && r.time == 0.8 && r.ending == PERCUSS_ENDED && r.n_events == 1);
    ck_assert(r.steps > 0 && r.rhs_calls > 0 && r.event_calls > 0 && r.event == -1);
    ck_assert_int_eq(percuss_motion_event_read(motion, 0, &event, before, after, 2, &error), PERCUSS_OK);
    /* to the solver's rtol of 1e-10; the equations are a polynomial, which it integrates to rounding */
    ck_assert_double_eq_tol(event.t, sqrt(2 / 9.81), 1e-14);
    ck_assert(event.direction == -1 && event.from == 1 && event.multiplicity == 1 && event.event == 0);
    ck_assert_double_eq_tol(after[1], 0.5 * sqrt(2 * 9.81), 1e-13);
    ck_assert(after[1] == -0.5 * before[1]);
    ck_assert_int_eq(percuss_motion_at(motion, event.t, -1, y, 2, &error), PERCUSS_OK);
    ck_assert(same(y, before, sizeof y));
    ck_assert_int_eq(percuss_motion_at(motion, event.t, 1, y, 2, &error), PERCUSS_OK);
    ck_assert(same(y, after, sizeof y));
    ck_assert_int_eq(percuss_motion_at(motion, 0.2, 1, y, 2, &error), PERCUSS_OK);
    ck_assert_double_eq_tol(y[0], 1 - 0.5 * 9.81 * 0.04, 1e-14);
    ck_assert_int_eq(percuss_motion_at(motion, 0.9, 1, y, 2, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "t", "s", "goes from 0 to 0.8 s");
    ck_assert_int_eq(percuss_motion_at(motion, 0.2, 1, y, 3, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "n", "", "has 2 components");
    ck_assert_int_eq(percuss_motion_event_read(motion, 1, &event, NULL, NULL, 0, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "i", "", "there is no event 1");
    ck_assert_int_eq(percuss_motion_event_read(motion, 0, &event, before, NULL, 1, &error), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_motion_event_read(motion, 0, NULL, NULL, NULL, 0, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_motion_event_read(NULL, 0, &event, NULL, NULL, 0, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_motion_read(motion, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_motion_read(NULL, &r, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_motion_at(NULL, 0, 1, y, 2, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_motion_at(motion, 0, 1, NULL, 2, NULL), PERCUSS_E_ARGUMENT);
    percuss_motion_free(motion);
    percuss_motion_free(NULL);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(every_solver_solves)
{
    percuss_error error = PERCUSS_NO_ERROR;
    for (int i = 0; i < percuss_kind_count("solver"); i++) {
        percuss_kind kind;
        percuss_kind_read("solver", i, &kind, &error);
        const percuss_option step[] = {PERCUSS_NUMBER("step", 1e-3), PERCUSS_END};
        percuss_solver *solver = percuss_solver_new(kind.name, NULL, NULL);
        if (!solver) solver = percuss_solver_new(kind.name, step, &error);
        ck_assert_msg(solver != NULL, "%s", error.message);
        const percuss_ode ode = {.n = 2,
                                 .rhs = oscillate,
                                 .jacobian = oscillate_jacobian,
                                 .n_positions = 1,
                                 .autonomous = 1,
                                 .solver = solver,
                                 .forget = 1};
        percuss_motion *motion;
        const double y0[2] = {1, 0};
        ck_assert_msg(percuss_ode_solve(&ode, y0, 0, 1, &motion, &error) == PERCUSS_OK, "%s: %s", kind.name,
                      error.message);
        double y[2];
        ck_assert_int_eq(percuss_motion_at(motion, 1, 1, y, 2, &error), PERCUSS_OK);
        /* the coarsest is of second order with steps of 1e-3 */
        ck_assert_double_eq_tol(y[0], cos(1), 1e-6);
        ck_assert_int_eq(percuss_motion_at(motion, 0.5, 1, y, 2, &error), PERCUSS_E_ARGUMENT);
        failed_with(&error, PERCUSS_E_ARGUMENT, "t", "s", "the end alone was kept");
        percuss_motion_free(motion);
        percuss_solver_free(solver);
    }
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(wrong_equations_are_refused)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const double y0[2] = {1, 0}, wild[2] = {1, INFINITY};
    percuss_ode ode = {.n = 2, .rhs = fall};
    percuss_motion *motion = NULL;
    ck_assert_int_eq(percuss_ode_solve(&ode, wild, 0, 1, &motion, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "y0", "", "y0[1] = inf");
    ck_assert_int_eq(percuss_ode_solve(&ode, y0, NAN, 1, &motion, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "t0", "s", "nan");
    ck_assert_int_eq(percuss_ode_solve(&ode, y0, 0, INFINITY, &motion, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "t1", "s", "inf");
    ode.n = 0;
    ck_assert_int_eq(percuss_ode_solve(&ode, y0, 0, 1, &motion, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "n", "", "from 1 to");
    ode.n = 2, ode.n_positions = 3;
    ck_assert_int_eq(percuss_ode_solve(&ode, y0, 0, 1, &motion, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "n_positions", "", "from 0 to 2");
    ode.n_positions = 0, ode.max_events = -1;
    ck_assert_int_eq(percuss_ode_solve(&ode, y0, 0, 1, &motion, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "max_events", "", "-1");
    ode.max_events = 0, ode.time_scale = -1;
    ck_assert_int_eq(percuss_ode_solve(&ode, y0, 0, 1, &motion, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "time_scale", "s", "-1 s");
    ode.time_scale = 0;
    ck_assert_ptr_null(motion);
    ck_assert_int_eq(percuss_ode_solve(NULL, y0, 0, 1, &motion, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_ode_solve(&ode, NULL, 0, 1, &motion, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_ode_solve(&ode, y0, 0, 1, NULL, NULL), PERCUSS_E_ARGUMENT);
    ode.rhs = NULL;
    ck_assert_int_eq(percuss_ode_solve(&ode, y0, 0, 1, &motion, NULL), PERCUSS_E_ARGUMENT);
    /* what stops on the way leaves the motion as far as it got */
    ode = (percuss_ode){.n = 1, .rhs = refuse};
    ck_assert_int_eq(percuss_ode_solve(&ode, y0, 0, 1, &motion, &error), PERCUSS_E_CALLBACK);
    ck_assert_ptr_nonnull(motion);
    percuss_motion_record r;
    percuss_motion_read(motion, &r, &error);
    ck_assert(r.ending == PERCUSS_BY_FAILURE && r.time < 1);
    percuss_motion_free(motion);
    ode = (percuss_ode){.n = 2, .rhs = fall, .progress = impatient};
    percuss_code code = percuss_ode_solve(&ode, y0, 0, 1e6, &motion, &error);
    ck_assert(code == PERCUSS_E_CALLBACK || code == PERCUSS_OK); /* called now and then: perhaps not at all */
    percuss_motion_free(motion);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- memory and threads ---- */

static percuss_code everything(percuss_error *error)
{
    double level = 0.5;
    const percuss_event events[] = {{"level", 0, 0, height, NULL, &level}};
    const double breaks[2] = {0.2, 0.1}, y0[2] = {1, 0};
    const percuss_setup setup = {.events = events, .n_events = 1, .breaks = breaks, .n_breaks = 2};
    const percuss_option link[] = {PERCUSS_NUMBER("length", 2), PERCUSS_NUMBER("mass", 3), PERCUSS_END};
    const percuss_option *const links[] = {link};
    const percuss_option place[] = {PERCUSS_NUMBER("x", 5), PERCUSS_NUMBER("y", 5), PERCUSS_END};
    const percuss_chain in = {.n = 1, .links = links, .pivot = place};
    percuss_part *parts[] = {percuss_part_new("free", disc, error), percuss_part_new("floor", ground, error),
                             percuss_chain_new(&in, error)};
    percuss_law *law = percuss_law_new("newton", newton, error);
    percuss_scene *scene =
        law ? percuss_scene_new((const percuss_part *const *)parts, 3, law, NULL, 0, NULL, error) : NULL;
    percuss_run *run = NULL;
    percuss_motion *motion = NULL;
    percuss_code code = percuss_simulate(scene, for_two, &setup, &run, error);
    double q[4];
    if (code == PERCUSS_OK) code = percuss_run_state(run, 1, 1, q, NULL, 4, error);
    const percuss_ode ode = {.n = 2, .rhs = fall};
    if (code == PERCUSS_OK) code = percuss_ode_solve(&ode, y0, 0, 1, &motion, error);
    percuss_motion_free(motion);
    percuss_run_free(run);
    percuss_scene_free(scene);
    percuss_law_free(law);
    for (int i = 0; i < 3; i++) percuss_part_free(parts[i]);
    return code;
}

START_TEST(each_failure_of_memory_is_told_and_leaves_nothing)
{
    long n = 0;
    for (bool met = true; met; n++) {
        percuss_error error = PERCUSS_NO_ERROR;
        pc_alloc_fail_after(n);
        percuss_code code = everything(&error);
        met = pc_alloc_fail_left() < 0;
        pc_alloc_fail_after(-1);
        ck_assert_int_eq((int)pc_alloc_live(), 0);
        if (met) ck_assert_msg(code == PERCUSS_E_MEMORY, "%ld: %s", n, error.message);
        if (!met) ck_assert_msg(code == PERCUSS_OK, "%s", error.message);
    }
    ck_assert_int_gt((int)n, 20);
}
END_TEST

static void *simulate_and_solve(void *context)
{
    const percuss_scene *scene = context;
    percuss_error error = PERCUSS_NO_ERROR;
    for (int i = 0; i < 10; i++) {
        percuss_run *run;
        percuss_motion *motion;
        const double y0[2] = {1, 0};
        const percuss_ode ode = {.n = 2, .rhs = oscillate};
        double q[3];
        ck_assert_int_eq(percuss_simulate(scene, for_two, NULL, &run, &error), PERCUSS_OK);
        ck_assert_int_eq(percuss_run_state(run, 1, 1, q, NULL, 3, &error), PERCUSS_OK);
        ck_assert_int_eq(percuss_ode_solve(&ode, y0, 0, 10, &motion, &error), PERCUSS_OK);
        percuss_motion_free(motion);
        percuss_run_free(run);
    }
    return NULL;
}

START_TEST(threads_share_a_scene)
{
    percuss_scene *scene = ball_on_floor("newton", newton, NULL);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, simulate_and_solve, scene), 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    percuss_scene_free(scene);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

UNIT_MAIN("face motion", 30, a_scene_says_what_it_is, parts_get_names_and_pairs_get_laws,
          a_body_is_a_part_by_its_outline, wrong_parts_and_scenes_are_refused, a_run_is_that_of_the_core,
          the_detail_of_an_impact_is_what_collide_says, compliant_impacts_have_a_history, events_end_a_run,
          a_function_cannot_ask_the_run_that_calls_it, the_number_of_impacts_may_be_limited,
          wrong_simulations_are_refused, an_obstacle_moves_by_options_or_by_a_function, wrong_motions_are_refused,
          a_chain_hangs_from_a_pivot_with_torques, a_run_goes_on_from_a_file, equations_are_solved_with_events,
          every_solver_solves, wrong_equations_are_refused, each_failure_of_memory_is_told_and_leaves_nothing,
          threads_share_a_scene)
