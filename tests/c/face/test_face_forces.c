/* The interface for C, forces and joints of scenes, outlines by corners, and restitution by the speed of approach. */
#include "face_tools.h"

#include "base/alloc.h"
#include "scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* How near the closed forms a run of rtol 1e-12 comes. */
static const double NEAR = 1e-9;

static void near(double a, double b)
{
    ck_assert_msg(fabs(a - b) <= NEAR * fmax(1, fabs(b)), "%.17g is not %.17g: off by %.3g", a, b, a - b);
}

/* A disc of 2 kg called "ball", 0.1 m, with a start. */
static percuss_part *ball_with(double x, double vx, double vy, double rate)
{
    const percuss_option options[] = {PERCUSS_WORD("shape", "disc"), PERCUSS_NUMBER("radius", 0.1),
                                      PERCUSS_NUMBER("mass", 2),     PERCUSS_NUMBER("inertia", 0.5),
                                      PERCUSS_NUMBER("x", x),        PERCUSS_NUMBER("vx", vx),
                                      PERCUSS_NUMBER("vy", vy),      PERCUSS_NUMBER("rate", rate),
                                      PERCUSS_WORD("name", "ball"),  PERCUSS_END};
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_part *part = percuss_part_new("free", options, &error);
    ck_assert_msg(part != NULL, "%s", error.message);
    return part;
}

static percuss_part *force_of(const char *kind, const percuss_option *options, const percuss_force_function *function)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_part *part = percuss_force_new(kind, options, function, &error);
    ck_assert_msg(part != NULL, "%s", error.message);
    return part;
}

static percuss_part *part_of(const char *kind, const percuss_option *options)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_part *part = percuss_part_new(kind, options, &error);
    ck_assert_msg(part != NULL, "%s", error.message);
    return part;
}

/* Parts become a scene without gravity, and are given back. */
static percuss_scene *scene_of(percuss_part *const *parts, int n, const percuss_law *law)
{
    static const percuss_option weightless[] = {PERCUSS_NUMBER("gravity", 0), PERCUSS_END};
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_scene *scene = percuss_scene_new((const percuss_part *const *)parts, n, law, NULL, 0, weightless, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    for (int i = 0; i < n; i++) percuss_part_free(parts[i]);
    return scene;
}

/* A run of the scene, which is given back. */
static percuss_run *run_of(percuss_scene *scene, double duration)
{
    const percuss_option tight[] = {PERCUSS_NUMBER("rtol", 1e-12), PERCUSS_END};
    const percuss_option options[] = {PERCUSS_NUMBER("duration", duration), PERCUSS_END};
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_solver *solver = percuss_solver_new("dop853", tight, &error);
    const percuss_setup setup = {.solver = solver};
    percuss_run *run;
    percuss_code code = percuss_simulate(scene, options, &setup, &run, &error);
    ck_assert_msg(code == PERCUSS_OK, "%s", error.message);
    percuss_solver_free(solver);
    percuss_scene_free(scene);
    return run;
}

static percuss_run *run_with(percuss_part *body, percuss_part *force, double duration)
{
    return run_of(scene_of((percuss_part *const[]){body, force}, 2, NULL), duration);
}

static void state_at(percuss_run *run, double t, double q[3], double u[3])
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_code code = percuss_run_state(run, t, 1, q, u, 3, &error);
    ck_assert_msg(code == PERCUSS_OK, "%s", error.message);
}

static void work_of(percuss_run *run, const char *name, double t, double given, double damped)
{
    percuss_error error = PERCUSS_NO_ERROR;
    double work[2];
    percuss_code code = percuss_run_work(run, name, t, &work[0], &work[1], &error);
    ck_assert_msg(code == PERCUSS_OK, "%s", error.message);
    near(work[0], given);
    near(work[1], damped);
}

/* ---- kinds by their options ---- */

START_TEST(springs_drag_and_spin_act_by_their_options)
{
    double q[3], u[3];
    /* 2 kg on 8 N/m swing with 2 rad/s */
    const double anchor[2] = {3, 0};
    const percuss_option spring[] = {PERCUSS_WORD("a", "ball"), PERCUSS_LIST("b_at", anchor, 2), PERCUSS_NUMBER("k", 8),
                                     PERCUSS_NUMBER("rest_length", 3), PERCUSS_END};
    percuss_run *run = run_with(ball_with(0.5, 0, 0, 0), force_of("spring", spring, NULL), 2);
    state_at(run, 2, q, u);
    near(q[0], 0.5 * cos(4));
    near(u[0], -sin(4));
    work_of(run, "spring", 2, 0, 0);
    percuss_run_free(run);
    /* 0.5 kg m^2 on 2 N m/rad likewise */
    const percuss_option turning[] = {PERCUSS_WORD("a", "ball"), PERCUSS_NUMBER("stiffness", 2), PERCUSS_END};
    run = run_with(ball_with(0, 0, 0, 1), force_of("rotational_spring", turning, NULL), 2);
    state_at(run, 2, q, u);
    near(q[2], sin(4) / 2);
    percuss_run_free(run);
    /* 2 kg lose speed by exp(-t/4), and all of 25 J but exp(-t/2) of it */
    const percuss_option drag[] = {PERCUSS_WORD("on", "ball"), PERCUSS_NUMBER("linear", 0.5), PERCUSS_END};
    run = run_with(ball_with(0, 5, 0, 0), force_of("drag", drag, NULL), 4);
    state_at(run, 4, q, u);
    near(u[0], 5 * exp(-1));
    work_of(run, "drag", 4, 0, 25 * (1 - exp(-2)));
    work_of(run, "drag", 2, 0, 25 * (1 - exp(-1)));
    percuss_run_free(run);
    /* S omega/m = 1 turns the velocity by a radian a second */
    const percuss_option magnus[] = {PERCUSS_WORD("on", "ball"), PERCUSS_NUMBER("S", 0.4), PERCUSS_END};
    run = run_with(ball_with(0, 3, 0, 5), force_of("magnus", magnus, NULL), 1);
    state_at(run, 1, q, u);
    near(u[0], 3 * cos(1));
    near(u[1], 3 * sin(1));
    percuss_run_free(run);
    /* constants of the three that may have a function */
    const percuss_option field[] = {PERCUSS_NUMBER("x", 2), PERCUSS_NUMBER("y", -1), PERCUSS_END};
    run = run_with(ball_with(0, 0, 0, 0), force_of("field", field, NULL), 1);
    state_at(run, 1, q, u);
    near(q[0], 1);
    near(u[1], -1);
    work_of(run, "field", 1, 5, 0);
    percuss_run_free(run);
    const percuss_option motor[] = {PERCUSS_WORD("on", "ball"), PERCUSS_NUMBER("torque", 3), PERCUSS_END};
    run = run_with(ball_with(0, 0, 0, 0), force_of("motor", motor, NULL), 1);
    state_at(run, 1, q, u);
    near(u[2], 6);
    percuss_run_free(run);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(joints_hold_and_drive)
{
    /* a pendulum of a disc: J + m l^2 = 2.5, m g l = 19.62, small swings from 1e-6 rad */
    double q[3], u[3];
    const double on_ball[2] = {0, 1}, ground[2] = {0, 1}, origin[2] = {0, 0};
    const percuss_option pin[] = {PERCUSS_WORD("a", "ball"), PERCUSS_LIST("a_at", on_ball, 2),
                                  PERCUSS_LIST("b_at", ground, 2), PERCUSS_END};
    percuss_part *const parts[] = {ball_with(0, 1e-6, 0, 1e-6), force_of("pin", pin, NULL)};
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_scene *scene = percuss_scene_new((const percuss_part *const *)parts, 2, NULL, NULL, 0, NULL, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    percuss_part_free(parts[0]);
    percuss_part_free(parts[1]);
    percuss_run *run = run_of(scene, 1);
    state_at(run, 1, q, u);
    const double rate = sqrt(2 * 9.81 / 2.5);
    ck_assert_double_eq_tol(q[2], 1e-6 / rate * sin(rate), 1e-12); /* what the errors of the run are, absolutely */
    ck_assert_double_eq_tol(q[0], q[2], 1e-12);
    percuss_run_free(run);
    /* an exact rate */
    const percuss_option driven[] = {PERCUSS_WORD("a", "ball"), PERCUSS_LIST("at", origin, 2),
                                     PERCUSS_NUMBER("rate", 3), PERCUSS_END};
    run = run_with(ball_with(0, 0, 0, 3), force_of("pin", driven, NULL), 2);
    state_at(run, 2, q, u);
    near(q[2], 6);
    percuss_run_free(run);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- functions ---- */

static int pull_back(double t, const percuss_force_state *at, double out[3], void *context)
{
    const double *k = context;
    (void)t;
    out[0] = -k[0] * at->x;
    out[2] = -k[1] * at->angle;
    return at->mass == 2 ? 0 : -1;
}

static int harmonic_field(double t, const percuss_force_state *at, double out[3], void *context)
{
    (void)context;
    out[0] = cos(t);
    out[1] = at->x - at->x;
    return 0;
}

static int brake(double t, const percuss_force_state *at, double out[3], void *context)
{
    (void)t, (void)context;
    out[0] = -0.5 * at->rate;
    return 0;
}

START_TEST(functions_say_what_acts)
{
    double q[3], u[3], k[2] = {8, 2};
    const percuss_option on_ball[] = {PERCUSS_WORD("on", "ball"), PERCUSS_END};
    percuss_run *run =
        run_with(ball_with(0.5, 0, 0, 1),
                 force_of("force", on_ball, &(percuss_force_function){.call = pull_back, .context = k}), 2);
    state_at(run, 2, q, u);
    near(q[0], 0.5 * cos(4));
    near(q[2], sin(4) / 2);
    /* 1 J in the spring that it stands for, and 0.25 J of turning */
    work_of(run, "force", 2, -4 * (q[0] * q[0] - 0.25) - q[2] * q[2], 0);
    percuss_run_free(run);
    run =
        run_with(ball_with(0, 0, 0, 0), force_of("field", NULL, &(percuss_force_function){.call = harmonic_field}), 2);
    state_at(run, 2, q, u);
    near(u[0], sin(2));
    near(q[0], 1 - cos(2));
    percuss_run_free(run);
    run = run_with(ball_with(0, 0, 0, 4), force_of("motor", on_ball, &(percuss_force_function){.call = brake}), 2);
    state_at(run, 2, q, u);
    near(u[2], 4 * exp(-2));
    percuss_run_free(run);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

enum { LATE = 7 };
static const double PULSE = 1e-6;

static int pulse(double t, const percuss_force_state *at, double out[3], void *context)
{
    (void)at;
    if (t == LATE || t == LATE + PULSE) return -1; /* a break itself is not asked */
    out[0] = t > LATE && t < LATE + PULSE ? 4e6 : 0;
    ++*(int *)context;
    return 0;
}

START_TEST(a_pulse_is_met_at_its_breaks)
{
    double q[3], u[3];
    int calls = 0;
    const percuss_option on_ball[] = {PERCUSS_WORD("on", "ball"), PERCUSS_END};
    double breaks[2] = {LATE + PULSE, LATE};
    percuss_part *force = force_of(
        "force", on_ball, &(percuss_force_function){.call = pulse, .context = &calls, .breaks = breaks, .n_breaks = 2});
    breaks[0] = breaks[1] = NAN; /* they were copied */
    percuss_run *run = run_with(ball_with(0, 0, 0, 0), force, 10);
    state_at(run, 10, q, u);
    near(u[0], 2);
    work_of(run, "force", 10, 4, 0);
    ck_assert_int_gt(calls, 0);
    ck_assert_int_lt(calls, 2000);
    percuss_run_free(run);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

static int stop_late(double t, const percuss_force_state *at, double out[3], void *context)
{
    (void)at, (void)out, (void)context;
    return t > 0.5 ? -1 : 0;
}

START_TEST(wrong_forces_are_refused)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const percuss_option on_ball[] = {PERCUSS_WORD("on", "ball"), PERCUSS_END};
    const percuss_option on_bal[] = {PERCUSS_WORD("on", "bal"), PERCUSS_END};
    const percuss_option stiffnes[] = {PERCUSS_WORD("a", "ball"), PERCUSS_NUMBER("stiffnes", 1), PERCUSS_END};
    const percuss_option negative[] = {PERCUSS_WORD("a", "ball"), PERCUSS_NUMBER("k", -3), PERCUSS_END};
    const percuss_option with_breaks[] = {PERCUSS_WORD("on", "ball"), PERCUSS_LIST("breaks", (double[1]){1}, 1),
                                          PERCUSS_END};
    ck_assert_ptr_null(percuss_force_new("sprung", on_ball, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "kind", "", "did you mean 'spring'?");
    ck_assert_ptr_null(percuss_force_new(NULL, on_ball, NULL, NULL));
    ck_assert_ptr_null(percuss_force_new("spring", stiffnes, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "stiffnes", "", "did you mean 'stiffness'?");
    ck_assert_ptr_null(percuss_force_new("spring", negative, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "stiffness", "N/m", "-3 N/m is not allowed");
    ck_assert_ptr_null(percuss_force_new("spring", NULL, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "a", "", "a is needed");
    ck_assert_ptr_null(percuss_force_new("force", with_breaks, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "breaks", "s", "they stand in a percuss_force_function");
    percuss_force_function function = {.call = brake};
    ck_assert_ptr_null(percuss_force_new("drag", on_ball, &function, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "function", "", "force, field and motor do");
    function.n_breaks = 1;
    ck_assert_ptr_null(percuss_force_new("motor", on_ball, &function, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "n_breaks", "", "without their times");
    function.breaks = (double[1]){NAN};
    ck_assert_ptr_null(percuss_force_new("motor", on_ball, &function, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "breaks", "s", "must be a finite number");
    function.n_breaks = -1;
    ck_assert_ptr_null(percuss_force_new("motor", on_ball, &function, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "n_breaks", "", "-1 breaks");
    function = (percuss_force_function){.n_breaks = 1, .breaks = (double[1]){1}};
    ck_assert_ptr_null(percuss_force_new("motor", on_ball, &function, NULL));

    percuss_part *parts[2] = {ball_with(0, 0, 0, 0), force_of("drag", on_bal, NULL)};
    ck_assert_ptr_null(percuss_scene_new((const percuss_part *const *)parts, 2, NULL, NULL, 0, NULL, &error));
    ck_assert_msg(strstr(error.message, "acts on 'bal', which is no body") != NULL, "%s", error.message);
    ck_assert_int_eq(percuss_part_move(parts[1], &(percuss_drive){0}, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "part", "", "this is a force");
    percuss_part_free(parts[1]);

    /* one that asks to stop ends the run, which stays as far as it got */
    parts[1] = force_of("force", on_ball, &(percuss_force_function){.call = stop_late});
    percuss_scene *scene = scene_of((percuss_part *const *)parts, 2, NULL);
    const percuss_option options[] = {PERCUSS_NUMBER("duration", 1), PERCUSS_END};
    percuss_run *run;
    percuss_run_record record;
    ck_assert_int_eq(percuss_simulate(scene, options, NULL, &run, &error), PERCUSS_E_CALLBACK);
    ck_assert_int_eq(percuss_run_read(run, &record, &error), PERCUSS_OK);
    ck_assert(record.time > 0 && record.time <= 0.5);
    double work;
    ck_assert_int_eq(percuss_run_work(run, "forse", 0, &work, NULL, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "name", "", "did you mean 'force'?");
    ck_assert_int_eq(percuss_run_work(run, "force", 2, &work, NULL, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "t", "s", "is not from 0 to");
    ck_assert_int_eq(percuss_run_work(run, NULL, 0, &work, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_run_work(NULL, "force", 0, &work, NULL, NULL), PERCUSS_E_ARGUMENT);
    percuss_run_free(run);
    percuss_scene_free(scene);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(a_run_with_forces_goes_on_from_a_file)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_scene *scenes[2];
    for (int i = 0; i < 2; i++) {
        const double anchor[2] = {3, i}; /* the second is another scene by a vector alone */
        const percuss_option spring[] = {PERCUSS_WORD("a", "ball"), PERCUSS_LIST("b_at", anchor, 2),
                                         PERCUSS_NUMBER("k", 8), PERCUSS_NUMBER("rest_length", 3), PERCUSS_END};
        scenes[i] =
            scene_of((percuss_part *const[]){ball_with(0.5, 0, 0.1, 0), force_of("spring", spring, NULL)}, 2, NULL);
    }
    const percuss_option options[] = {PERCUSS_NUMBER("duration", 1), PERCUSS_END};
    percuss_run *run;
    ck_assert_int_eq(percuss_simulate(scenes[0], options, NULL, &run, &error), PERCUSS_OK);
    char path[SCRATCH_SIZE];
    scratch_pattern(path);
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    ck_assert_msg(percuss_run_save(run, path, &error) == PERCUSS_OK, "%s", error.message);
    percuss_run *again = percuss_run_load(scenes[0], options, NULL, path, &error);
    ck_assert_msg(again != NULL, "%s", error.message);
    ck_assert_int_eq(percuss_run_continue(run, 1, &error), PERCUSS_OK);
    ck_assert_int_eq(percuss_run_continue(again, 1, &error), PERCUSS_OK);
    double q[2][3];
    state_at(run, 2, q[0], NULL);
    state_at(again, 2, q[1], NULL);
    ck_assert(same(q[0], q[1], sizeof q[0]));
    ck_assert_ptr_null(percuss_run_load(scenes[1], options, NULL, path, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "scene", "", "a run of another scene");
    remove(path);
    percuss_run_free(run);
    percuss_run_free(again);
    for (int i = 0; i < 2; i++) percuss_scene_free(scenes[i]);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- outlines by corners ---- */

/* Where a body that begins so is after a second on a slope of 3 to 4; the scene is made of the slope given. */
static void slide_down(percuss_part *body, percuss_part *slope, double q[3])
{
    const percuss_option newton[] = {PERCUSS_NUMBER("e", 0), PERCUSS_NUMBER("mu", 0.5), PERCUSS_END};
    percuss_law *law = law_of("newton", newton);
    percuss_part *const parts[] = {body, slope};
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_scene *scene = percuss_scene_new((const percuss_part *const *)parts, 2, law, NULL, 0, NULL, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    percuss_law_free(law);
    for (int i = 0; i < 2; i++) percuss_part_free(parts[i]);
    percuss_run *run = run_of(scene, 1);
    double u[3];
    state_at(run, 1, q, u);
    percuss_run_free(run);
}

START_TEST(corners_make_bodies_and_obstacles)
{
    /* a box of 0.4 by 0.2 on the slope of the triangle (0, 0), (-8, 0), (-8, 6), by corners anywhere and either way */
    const double slope[3][2] = {{0, 0}, {-8, 0}, {-8, 6}};
    const double box[4][2] = {{3, 1}, {3, 1.2}, {3.4, 1.2}, {3.4, 1}};
    const double tilt = atan2(-3, 4), x = -4 + 0.6 * 0.1, y = 3 + 0.8 * 0.1;
    const percuss_option ground[] = {PERCUSS_MATRIX("corners", &slope[0][0], 3, 2), PERCUSS_END};
    const percuss_option by_corners[] = {PERCUSS_MATRIX("corners", &box[0][0], 4, 2),
                                         PERCUSS_NUMBER("mass", 1),
                                         PERCUSS_NUMBER("x", x),
                                         PERCUSS_NUMBER("y", y),
                                         PERCUSS_NUMBER("angle", tilt),
                                         PERCUSS_END};
    const percuss_option by_shape[] = {PERCUSS_WORD("shape", "box"),  PERCUSS_NUMBER("width", 0.4),
                                       PERCUSS_NUMBER("height", 0.2), PERCUSS_NUMBER("mass", 1),
                                       PERCUSS_NUMBER("x", x),        PERCUSS_NUMBER("y", y),
                                       PERCUSS_NUMBER("angle", tilt), PERCUSS_END};
    double q[2][3];
    slide_down(part_of("free", by_corners), part_of("polygon", ground), q[0]);
    slide_down(part_of("free", by_shape), part_of("polygon", ground), q[1]);
    const double way = 9.81 * (0.6 - 0.5 * 0.8) / 2;
    for (int i = 0; i < 2; i++) {
        near(q[i][0], x + 0.8 * way);
        near(q[i][1], y - 0.6 * way);
        near(q[i][2], tilt);
    }
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(wrong_corners_are_refused)
{
    percuss_error error = PERCUSS_NO_ERROR;
    double places[3][2] = {{0, 0}, {1, 0}, {0, NAN}};
    const percuss_option odd[] = {PERCUSS_MATRIX("corners", &places[0][0], 2, 3), PERCUSS_END};
    const percuss_option wrong[] = {PERCUSS_MATRIX("corners", &places[0][0], 3, 2), PERCUSS_END};
    const percuss_option number[] = {PERCUSS_NUMBER("corners", 3), PERCUSS_END};
    const percuss_option twice[] = {PERCUSS_MATRIX("corners", &places[0][0], 3, 2),
                                    PERCUSS_MATRIX("corners", &places[0][0], 3, 2), PERCUSS_END};
    ck_assert_ptr_null(percuss_part_new("polygon", odd, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "corners", "m", "a matrix of 2 by 3");
    ck_assert_ptr_null(percuss_part_new("polygon", number, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "corners", "m", "a number");
    ck_assert_ptr_null(percuss_part_new("polygon", wrong, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "corners", "m", "must be a finite number");
    places[2][1] = 0; /* on one line */
    ck_assert_ptr_null(percuss_part_new("polygon", wrong, &error));
    ck_assert_int_eq(error.code, PERCUSS_E_ARGUMENT);
    ck_assert_ptr_null(percuss_part_new("free", wrong, &error));
    ck_assert_int_eq(error.code, PERCUSS_E_ARGUMENT);
    places[2][1] = 1;
    ck_assert_ptr_null(percuss_part_new("polygon", twice, &error));
    ck_assert_int_eq(error.code, PERCUSS_E_ARGUMENT);
    ck_assert_ptr_null(percuss_part_new("polygon", NULL, &error));
    ck_assert_int_eq(error.code, PERCUSS_E_ARGUMENT);
    /* the list of options says what a matrix of places is */
    percuss_option_info info;
    ck_assert_int_eq(percuss_kind_option("part", "polygon", 0, &info, &error), PERCUSS_OK);
    ck_assert_str_eq(info.name, "corners");
    ck_assert(info.type == PERCUSS_TABLE && info.count == 2);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- restitution ---- */

static int falling(double speed, double *value, void *context)
{
    *value = 1 / (1 + speed * *(const double *)context);
    return speed > 50 ? -1 : 0;
}

/* The restitution of a central impact of the law. */
static double struck(const percuss_law *law, double speed, percuss_error *error)
{
    const percuss_option options[] = {PERCUSS_NUMBER("radius", 0.1), PERCUSS_NUMBER("mass", 2), PERCUSS_END};
    const double velocity[3] = {0.1, -speed, 0};
    percuss_body *ball = percuss_body_new("sphere", options, error);
    percuss_impact *hit = percuss_collide(ball, law, velocity, NULL, error);
    double e = hit ? percuss_impact_values(hit)->velocity[PERCUSS_N] / speed : NAN;
    percuss_impact_free(hit);
    percuss_body_free(ball);
    return e;
}

static percuss_law *law_with(const char *kind, percuss_restitution *restitution)
{
    const percuss_option options[] = {PERCUSS_OBJECT("restitution", restitution), PERCUSS_NUMBER("mu", 0.2),
                                      PERCUSS_END};
    percuss_law *law = law_of(kind, options);
    percuss_restitution_free(restitution); /* the law keeps it */
    return law;
}

START_TEST(restitution_may_depend_on_the_speed)
{
    static const char *const kinds[] = {"newton", "poisson", "stronge"};
    percuss_error error = PERCUSS_NO_ERROR;
    const percuss_option power[] = {PERCUSS_NUMBER("at", 1), PERCUSS_NUMBER("value", 0.8),
                                    PERCUSS_NUMBER("exponent", 0.25), PERCUSS_END};
    const double speeds[] = {0.1, 1, 4}, values[] = {0.9, 0.8, 0.5};
    const percuss_option table[] = {PERCUSS_LIST("values", values, 3), PERCUSS_LIST("speeds", speeds, 3), PERCUSS_END};
    const percuss_option soft[] = {PERCUSS_NUMBER("at", 1), PERCUSS_NUMBER("value", 0.8), PERCUSS_END};
    double slope = 0.3;
    for (int i = 0; i < 3; i++) {
        percuss_law *law = law_with(kinds[i], percuss_restitution_new("power", power, &error));
        for (double v = 0.5; v < 20; v *= 2) near(struck(law, v, &error), fmin(0.8 * pow(v, -0.25), 1));
        double number;
        ck_assert_int_eq(percuss_law_get(law, "restitution", &number, &error), PERCUSS_OK);
        ck_assert(isnan(number));
        percuss_law_free(law);
        law = law_with(kinds[i], percuss_restitution_new("table", table, &error));
        for (int k = 0; k < 3; k++) near(struck(law, speeds[k], &error), values[k]);
        near(struck(law, 100, &error), 0.5);
        percuss_law_free(law);
        law = law_with(kinds[i], percuss_restitution_new("viscoelastic", soft, &error));
        near(struck(law, 1, &error), 0.8);
        ck_assert(struck(law, 0.1, &error) > 0.8 && struck(law, 10, &error) < 0.8);
        percuss_law_free(law);
        law = law_with(kinds[i], percuss_restitution_function(falling, &slope, &error));
        near(struck(law, 2, &error), 1 / 1.6);
        ck_assert(isnan(struck(law, 60, &error)));
        ck_assert_int_eq(error.code, PERCUSS_E_CALLBACK);
        error.code = PERCUSS_OK;
        percuss_law_free(law);
    }
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(restitutions_tell_their_values_and_refuse_what_is_none)
{
    percuss_error error = PERCUSS_NO_ERROR;
    double value, slope = -2;
    const double speeds[] = {0.1, 1}, falling_speeds[] = {1, 0.1}, values[] = {0.9, 0.8, 0.7};
    const percuss_option one[] = {PERCUSS_LIST("speeds", speeds, 1), PERCUSS_LIST("values", values, 1), PERCUSS_END};
    const percuss_option alone[] = {PERCUSS_LIST("speeds", speeds, 2), PERCUSS_END};
    const percuss_option uneven[] = {PERCUSS_LIST("speeds", speeds, 2), PERCUSS_LIST("values", values, 3), PERCUSS_END};
    const percuss_option backwards[] = {PERCUSS_LIST("speeds", falling_speeds, 2), PERCUSS_LIST("values", values, 2),
                                        PERCUSS_END};
    const percuss_option unknown[] = {PERCUSS_LIST("speed", speeds, 2), PERCUSS_END};
    const percuss_option above[] = {PERCUSS_NUMBER("value", 1.5), PERCUSS_END};
    ck_assert_ptr_null(percuss_restitution_new("table", one, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "speeds", "m/s", "two numbers or more");
    ck_assert_ptr_null(percuss_restitution_new("table", alone, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "values", "", "values is needed");
    ck_assert_ptr_null(percuss_restitution_new("table", uneven, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "values", "", "2 speeds and 3 values");
    ck_assert_ptr_null(percuss_restitution_new("table", backwards, &error));
    ck_assert_int_eq(error.code, PERCUSS_E_ARGUMENT);
    ck_assert_ptr_null(percuss_restitution_new("table", unknown, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "speed", "", "did you mean 'speeds'?");
    ck_assert_ptr_null(percuss_restitution_new("power", above, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "value", "", "1.5 is not allowed");
    ck_assert_ptr_null(percuss_restitution_new("powr", above, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "kind", "", "did you mean 'power'?");
    ck_assert_ptr_null(percuss_restitution_function(NULL, NULL, NULL));
    percuss_restitution *wrong = percuss_restitution_function(falling, &slope, &error);
    ck_assert_int_eq(percuss_restitution_at(wrong, 1, &value, &error), PERCUSS_E_CALLBACK);
    ck_assert_msg(strstr(error.message, "-1, which is not from 0 to 1, at a speed of 1 m/s") != NULL, "%s",
                  error.message);
    ck_assert_int_eq(percuss_restitution_at(wrong, -1, &value, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "speed", "m/s", "must be finite and >= 0");
    ck_assert_int_eq(percuss_restitution_at(NULL, 1, &value, NULL), PERCUSS_E_ARGUMENT);
    slope = 1;
    ck_assert_int_eq(percuss_restitution_at(wrong, 1, &value, &error), PERCUSS_OK);
    ck_assert(value == 0.5);
    /* a law whose restitution is a number, and another handle */
    const percuss_option elastic[] = {PERCUSS_NUMBER("stiffness", 1e6), PERCUSS_OBJECT("restitution", wrong),
                                      PERCUSS_NUMBER("mu", 0), PERCUSS_END};
    ck_assert_ptr_null(percuss_law_new("kelvin_voigt", elastic, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "restitution", "", "restitution");
    percuss_restitution_free(wrong);
    percuss_restitution_free(NULL);
    percuss_part *ball = ball_with(0, 0, 0, 0);
    const percuss_option newton[] = {PERCUSS_OBJECT("restitution", ball), PERCUSS_NUMBER("mu", 0), PERCUSS_END};
    ck_assert_ptr_null(percuss_law_new("newton", newton, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "restitution", "", "another handle");
    percuss_part_free(ball);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(rolling_is_resisted)
{
    /* a solid disc that rolls: a = -2/3 g delta/r */
    const percuss_option disc[] = {PERCUSS_WORD("shape", "disc"),
                                   PERCUSS_NUMBER("radius", 0.1),
                                   PERCUSS_NUMBER("mass", 2),
                                   PERCUSS_NUMBER("y", 0.1),
                                   PERCUSS_NUMBER("vx", 1),
                                   PERCUSS_NUMBER("rate", -10),
                                   PERCUSS_END};
    const percuss_option ground[] = {PERCUSS_NUMBER("height", 0), PERCUSS_END};
    const percuss_option newton[] = {PERCUSS_NUMBER("e", 0), PERCUSS_NUMBER("mu", 0.5),
                                     PERCUSS_NUMBER("rolling", 0.002), PERCUSS_END};
    percuss_law *law = law_of("newton", newton);
    percuss_part *const parts[] = {part_of("free", disc), part_of("floor", ground)};
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_scene *scene = percuss_scene_new((const percuss_part *const *)parts, 2, law, NULL, 0, NULL, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    percuss_law_free(law);
    for (int i = 0; i < 2; i++) percuss_part_free(parts[i]);
    percuss_run *run = run_of(scene, 2);
    double q[3], u[3];
    state_at(run, 2, q, u);
    near(u[0], 1 - 2. / 3 * 9.81 * 0.02 * 2);
    percuss_run_free(run);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- memory ---- */

static percuss_code everything(percuss_error *error)
{
    const double corners[3][2] = {{-9, -1}, {9, -1}, {0, -0.5}}, body[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    const double speeds[] = {0.1, 1}, values[] = {0.9, 0.8}, breaks[] = {0.2, 0.1};
    const percuss_option table[] = {PERCUSS_LIST("speeds", speeds, 2), PERCUSS_LIST("values", values, 2), PERCUSS_END};
    const percuss_option ground[] = {PERCUSS_MATRIX("corners", &corners[0][0], 3, 2), PERCUSS_END};
    const percuss_option tile[] = {PERCUSS_MATRIX("corners", &body[0][0], 3, 2), PERCUSS_NUMBER("mass", 1),
                                   PERCUSS_NUMBER("y", 2), PERCUSS_END};
    const percuss_option on_body[] = {PERCUSS_WORD("on", "body"), PERCUSS_END};
    const percuss_force_function function = {.call = brake, .breaks = breaks, .n_breaks = 2};
    percuss_part *parts[] = {percuss_part_new("free", tile, error), percuss_part_new("polygon", ground, error),
                             percuss_force_new("motor", on_body, &function, error)};
    percuss_restitution *restitution = percuss_restitution_new("table", table, error);
    const percuss_option newton[] = {PERCUSS_OBJECT("e", restitution), PERCUSS_NUMBER("mu", 0.2), PERCUSS_END};
    percuss_law *law = percuss_law_new("newton", newton, error);
    percuss_scene *scene =
        law ? percuss_scene_new((const percuss_part *const *)parts, 3, law, NULL, 0, NULL, error) : NULL;
    percuss_restitution_free(restitution);
    percuss_law_free(law);
    for (int i = 0; i < 3; i++) percuss_part_free(parts[i]); /* the scene keeps what it needs */
    const percuss_option options[] = {PERCUSS_NUMBER("duration", 0.4), PERCUSS_END};
    percuss_run *run = NULL;
    percuss_code code = percuss_simulate(scene, options, NULL, &run, error);
    double given;
    if (code == PERCUSS_OK) code = percuss_run_work(run, "motor", 0.4, &given, NULL, error);
    percuss_run_free(run);
    percuss_scene_free(scene);
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
        ck_assert_msg(code == (met ? PERCUSS_E_MEMORY : PERCUSS_OK), "%ld: %s", n, error.message);
    }
    ck_assert_int_gt((int)n, 20);
}
END_TEST

UNIT_MAIN("face forces", 30, springs_drag_and_spin_act_by_their_options, joints_hold_and_drive, functions_say_what_acts,
          a_pulse_is_met_at_its_breaks, wrong_forces_are_refused, a_run_with_forces_goes_on_from_a_file,
          corners_make_bodies_and_obstacles, wrong_corners_are_refused, restitution_may_depend_on_the_speed,
          restitutions_tell_their_values_and_refuse_what_is_none, rolling_is_resisted,
          each_failure_of_memory_is_told_and_leaves_nothing)
