/* Impacts while the body goes on turning: Brach's simulations, the frozen limit, conservation of energy. */
#include "engine/collide.h"
#include "unit.h"

#include "base/alloc.h"
#include "body/body.h"
#include "law/hertz.h"
#include "law/element.h"
#include "law/law.h"
#include "law/linear/linear.h"
#include "scene/moving_body.h"

#include <math.h>
#include <string.h>

extern const pc_law pc_law_hunt_crossley, pc_law_kelvin_voigt;
extern const pc_body_kind pc_body_kind_linkage, pc_body_kind_pendulum;

#define DEGREE (3.14159265358979323846 / 180)

/* The slender rod of Brach's Table 1: m = 1 kg, L = 1 m, at 45 degrees, its tip behind the mass centre. */
static pc_body rod(void)
{
    pc_body body;
    pc_error err = {0};
    double inertia[3][3] = {{0}}, arm = 0.5 / sqrt(2);
    memset(&body, 0, sizeof body);
    body.curvature = NAN;
    inertia[PC_T2][PC_T2] = 1.0 / 12;
    pc_body_fill_free(&body, false, 1, inertia, (double[3]){-arm, -arm, 0});
    ck_assert_msg(pc_body_finish(&body, &err) == PC_OK, "%s", err.text);
    return body;
}

static pc_hunt_crossley damped(double k, double zeta, double mu)
{
    return (pc_hunt_crossley){
        .power = {k, 1}, .damping = zeta, .restitution = NAN, .tangential = {0, NAN, NAN, NAN, mu}};
}

static void strike(const pc_body *body, const pc_element *element, const void *params, const double u0[3],
                   bool persistent, pc_impact *hit, double u1[3], double *rotation)
{
    pc_error err = {0};
    pc_impact_init(hit);
    pc_moving_task task = {.body = body, .element = element, .params = params, .u0 = u0, .persistent = persistent};
    pc_status status = pc_moving_impact(&task, hit, u1, rotation, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
}

/* Brach (1993), Tables 3, 4 and 6, kappa = 1000 N/m, p = 1, computed anew to 1e-9 by an independent program:
 * v_t, f, zeta -> duration, P_n, P_t, e, R, V_Ct, Omega (deg/s, clockwise), final angle (deg). */
static const struct {
    const char *name;
    double vt, f, zeta, duration, pn, pt, e, R, v, omega, angle;
} rows[] = {
    {"T3.sim.r1", 0.6, 0.01, 0.0, 0.0610316480218, 0.774062676077, -0.000229165843203, 1.07898723481, 0.977095880115,
     -0.464183024576, 192.937135079, 50.8083502271},
    {"T3.sim.r2", 0.6, 0.01, 0.04, 0.061017964885, 0.763831974853, -0.000331842705601, 1.05122206772, 0.950912817899,
     -0.450043926223, 190.348573317, 50.8068870915},
    {"T3.sim.r3", 0.6, 0.01, 1.69, 0.0639494078929, 0.559005822453, -0.00238630706551, 0.499517814071, 0.426191840345,
     -0.162030427559, 138.538398581, 51.0724630593},
    {"T3.sim.r4", 0.6, 0.01, 20.0, 0.0231925744068, 0.40947455667, -0.00387402800312, 0.05, 0.0401625777189,
     -0.00710743100668, 100.825164846, 46.7174041258},
    {"T4.sim.vt0.r1", 0.0, 0.0, 0.0, 0.0610492376598, 0.77660652201, 0.0, 1.08495149688, 0.971782287302, -1.06701428703,
     193.462525401, 50.8012054903},
    {"T4.sim.vt0.r2", 0.0, 0.5975, 0.0, 0.0764795891087, 1.21434219324, 0.72489483335, 1.07013390164, 0.974981096733,
     0.0, 128.519016905, 49.733870415},
    {"T4.sim.vt0.r3", 0.0, 1.0, 0.0, 0.07661874869, 1.21935227007, 0.727741060633, 1.07797066, 0.975330755348, 0.0,
     128.976991338, 49.7163171829},
    {"T4.sim.vt0.r4", 0.0, 0.0, 1.69, 0.0640009004553, 0.561058525567, 0.0, 0.500798740878, 0.422891889994,
     -0.759273946898, 138.442946753, 51.0631221843},
    {"T4.sim.vt0.r5", 0.0, 0.5888, 1.61, 0.0800086249097, 0.881878470841, 0.519249794606, 0.499926295942,
     0.443713320476, 6.50953000303e-05, 92.4957529514, 49.9684076809},
    {"T4.sim.vt0.r6", 0.0, 0.5905, 1.61, 0.0800677936479, 0.883310344367, 0.520016487851, 0.502176415553,
     0.443752129223, 0.0, 92.6288561987, 49.9605691013},
    {"T4.sim.vt0.r7", 0.0, 1.0, 1.68, 0.0803516235402, 0.882655117677, 0.519150694831, 0.499773743217, 0.428577767788,
     0.0, 92.4117403633, 49.9277946127},
    {"T4.sim.vt0.r8", 0.0, 0.0, 20.0, 0.0232145473788, 0.411841861957, 0.0, 0.05, 0.0399229129489, -0.601132771345,
     100.462650362, 46.7112740752},
    {"T4.sim.vt0.r9", 0.0, 0.5968, 20.0, 0.0309393970971, 0.645013080044, 0.38462335791, 0.05, 0.043007120387, 0.0,
     64.00218456, 46.4772953599},
    {"T4.sim.vt0.r10", 0.0, 1.0, 20.0, 0.029853424502, 0.645549617725, 0.385114637836, 0.05, 0.0411324924675, 0.0,
     63.9964255536, 46.4028422422},
    {"T4.sim.vt0.2.r1", 0.2, 0.0, 0.0, 0.0610492376598, 0.77660652201, 0.0, 1.08495149688, 0.971782287302,
     -0.867014287027, 193.462525401, 50.8012054903},
    {"T4.sim.vt0.2.r2", 0.2, 0.5987, 0.0, 0.0748007448499, 1.06121264864, 0.551302135196, 0.97057930905, 0.97881883848,
     0.0, 135.169602515, 50.4371040727},
    {"T4.sim.vt0.2.r3", 0.2, 1.0, 0.0, 0.0749103632606, 1.05946427804, 0.550485237658, 0.968563258572, 0.976762266467,
     0.0, 135.086343239, 50.4594262767},
    {"T4.sim.vt0.2.r4", 0.2, 0.0, 1.7, 0.0640297228483, 0.560427009969, 0.0, 0.499107772264, 0.421281897041,
     -0.55834723192, 138.281774955, 51.0657339127},
    {"T4.sim.vt0.2.r5", 0.2, 0.5993, 1.58, 0.0775842022501, 0.791362841736, 0.381351257868, 0.500552630549,
     0.471997160246, 0.0, 105.082361654, 50.657155024},
    {"T4.sim.vt0.2.r6", 0.2, 1.0, 1.58, 0.0776582483196, 0.790947914171, 0.381218385111, 0.500348191161, 0.471804300181,
     0.0, 105.09136614, 50.6719117027},
    {"T4.sim.vt0.2.r7", 0.2, 0.0, 20.0, 0.0232145473788, 0.411841861957, 0.0, 0.05, 0.0399229129489, -0.401132771345,
     100.462650362, 46.7112740752},
    {"T4.sim.vt0.2.r8", 0.2, 0.6019, 20.0, 0.0291943007216, 0.565585173759, 0.256065838534, 0.05, 0.0437581836948, 0.0,
     76.2403204802, 46.7265487059},
    {"T4.sim.vt0.2.r9", 0.2, 1.0, 20.0, 0.0292286327996, 0.565506889126, 0.256049773776, 0.05, 0.0437575800921, 0.0,
     76.2455904792, 46.7321768791},
    {"T6.sim.vt0.6.r1", 0.6, 0.0, 0.0, 0.0610492376598, 0.77660652201, 0.0, 1.08495149688, 0.971782287302,
     -0.467014287027, 193.462525401, 50.8012054903},
    {"T6.sim.vt0.6.r2", 0.6, 0.5908, 0.0, 0.0680602947359, 0.800622484468, 0.221942787724, 0.821973061333, 1.0946986937,
     0.0, 150.23066787, 51.1742561958},
    {"T6.sim.vt0.6.r3", 0.6, 1.0, 0.0, 0.0684969459963, 0.784112769201, 0.212563526525, 0.798118308624, 1.06299595368,
     0.0, 148.901434052, 51.2933962219},
    {"T6.sim.vt0.6.r4", 0.6, 0.0, 1.69, 0.0640009004553, 0.561058525567, 0.0, 0.500798740878, 0.422891889994,
     -0.159273946898, 138.442946753, 51.0631221843},
    {"T6.sim.vt0.6.r5", 0.6, 0.5481, 1.21, 0.068916597979, 0.616676776973, 0.107013615192, 0.499989559563,
     0.637927925189, 0.00264331452711, 129.462041713, 51.430480093},
    {"T6.sim.vt0.6.r6", 0.6, 0.5899, 1.31, 0.0695101082456, 0.615913236695, 0.10468954481, 0.500312802392,
     0.611247019052, 0.0, 129.582227856, 51.4521641856},
    {"T6.sim.vt0.6.r7", 0.6, 1.0, 1.27, 0.0699625939246, 0.613304838713, 0.103667364856, 0.499621920722, 0.61261036186,
     0.0, 129.681284751, 51.553136836},
    {"T6.sim.vt0.6.r8", 0.6, 0.0, 20.0, 0.0232145473788, 0.411841861957, 0.0, 0.05, 0.0399229129489, -0.00113277134487,
     100.462650362, 46.7112740752},
    {"T6.sim.vt0.6.r9", 0.6, 0.595, 20.0, 0.0270654670442, 0.40634506038, -0.0037085319986, 0.05, 0.0513559710498, 0.0,
     100.544229598, 47.1875206136},
    {"T6.sim.vt0.6.r10", 0.6, 1.0, 20.0, 0.0275082700208, 0.405435720579, -0.00422686861682, 0.05, 0.0513563078608, 0.0,
     100.580369563, 47.2526824081},
    {"T6.sim.vt-1.r1", -1.0, 0.0, 0.0, 0.0610492376598, 0.77660652201, 0.0, 1.08495149688, 0.971782287302,
     -2.06701428703, 193.462525401, 50.8012054903},
    {"T6.sim.vt-1.r2", -1.0, 0.8555, 0.0, 0.0886948004776, 1.61731878904, 1.38321739228, 1.03900171833, 0.984811113934,
     0.0, 65.2942726056, 47.7360374854},
    {"T6.sim.vt-1.r3", -1.0, 1.0, 0.0, 0.0886546815373, 1.78714553845, 1.47099358344, 1.29099658919, 0.787145538449,
     0.0, 79.0350233335, 46.9304427748},
    {"T6.sim.vt-1.r4", -1.0, 0.0, 1.69, 0.0640009004553, 0.561058525567, 0.0, 0.500798740878, 0.422891889994,
     -1.7592739469, 138.442946753, 51.0631221843},
    {"T6.sim.vt-1.r5", -1.0, 0.912, 1.49, 0.0968913253022, 1.30129363141, 1.18578147769, 0.500169014283, 0.480633330303,
     0.0, 31.1862091838, 46.9496231764},
    {"T6.sim.vt-1.r6", -1.0, 1.0, 1.77, 0.0961759284808, 1.30700474247, 1.18333936535, 0.499083935971, 0.307004742468,
     0.0, 30.4278329717, 46.3336176908},
    {"T6.sim.vt-1.r7", -1.0, 0.0, 20.0, 0.0232145473788, 0.411841861957, 0.0, 0.05, 0.0399229129489, -1.60113277134,
     100.462650362, 46.7112740752},
    {"T6.sim.vt-1.r8", -1.0, 0.9882, 20.0, 0.0671790033614, 1.03105783237, 1.01882773822, 0.05, 0.0497440985688, 0.0,
     3.06045167008, 45.1735853436},
    {"T6.sim.vt-1.r9", -1.0, 1.0, 20.0, 0.0553408186385, 1.03121903428, 1.01872241074, 0.05, 0.0312190342778, 0.0,
     3.03884486084, 45.0894572896},
};

START_TEST(every_simulation_of_brach_comes_out)
{
    pc_body body = rod();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pc_hunt_crossley law = damped(1000, rows[i].zeta, rows[i].f);
        double u0[3] = {rows[i].vt, -1, 0}, u1[3], rotation;
        pc_impact hit;
        strike(&body, pc_law_hunt_crossley.element, &law, u0, true, &hit, u1, &rotation);
        pc_restitution3 r = pc_impact_restitution(&hit);
        struct {
            const char *what;
            double got, want;
        } checks[] = {{"duration", hit.duration, rows[i].duration},
                      {"P_n", hit.impulse[PC_N], rows[i].pn},
                      {"P_t", hit.impulse[PC_T], rows[i].pt},
                      {"e", r.kinematic, rows[i].e},
                      {"R", r.kinetic, rows[i].R},
                      {"V_Ct", hit.v1[PC_T], rows[i].v},
                      {"Omega", -u1[2], rows[i].omega * DEGREE},
                      {"angle", -rotation, (rows[i].angle - 45) * DEGREE}};
        for (size_t k = 0; k < sizeof checks / sizeof *checks; k++)
            ck_assert_msg(fabs(checks[k].got - checks[k].want) <= 2e-9, "%s: %s = %.12g, not %.12g", rows[i].name,
                          checks[k].what, checks[k].got, checks[k].want);
        pc_impact_free(&hit);
    }
}
END_TEST

/* At the very end there is no pressure to hold the tip of a turning rod: c_t = -omega^2 b_t sets it in motion. */
START_TEST(by_coulombs_law_a_turning_rod_slips_again_before_the_end)
{
    pc_body body = rod();
    pc_hunt_crossley law = damped(1000, 0, 1);
    double u0[3] = {0.6, -1, 0}, u1[3], rotation;
    pc_impact hit;
    strike(&body, pc_law_hunt_crossley.element, &law, u0, false, &hit, u1, &rotation);
    ck_assert_int_eq(hit.n_phases, 3);
    const pc_state *end = &hit.phases[1].stop;
    ck_assert_int_eq(hit.phases[1].kind, PC_PHASE_STICK);
    ck_assert_double_eq_tol(fabs(end->F[PC_T]), end->F[PC_N], 1e-9 * hit.peak[PC_N]);
    ck_assert_double_eq_tol(end->v[PC_T], 0, 1e-10);
    ck_assert(end->F[PC_N] > 0 && end->F[PC_N] < 0.2 * hit.peak[PC_N] && fabs(hit.v1[PC_T]) > 1e-3);
    pc_impact_free(&hit);
}
END_TEST

/* The rod turns by an angle of the order of the duration, which falls with the square root of the stiffness: ten
 * thousand times stiffer, the distance from the frozen answer is 100 times less. */
START_TEST(a_stiffer_surface_tends_to_the_frozen_configuration_with_its_square_root)
{
    pc_body body = rod();
    double u0[3] = {0.2, -1, 0}, u1[3], rotation, distance[3];
    for (int i = 0; i < 3; i++) {
        pc_hunt_crossley law = damped(1e5 * pow(1e4, i), 1.7, 0.3);
        pc_impact hit, frozen;
        pc_error err = {0};
        pc_impact_init(&frozen);
        strike(&body, pc_law_hunt_crossley.element, &law, u0, false, &hit, u1, &rotation);
        ck_assert(pc_law_impact(&pc_law_hunt_crossley, &law, &body.W, u0, &frozen, &err) == PC_OK);
        distance[i] = hypot(hit.impulse[0] - frozen.impulse[0], hit.impulse[1] - frozen.impulse[1]);
        pc_impact_free(&hit);
        pc_impact_free(&frozen);
    }
    ck_assert_msg(fabs(distance[0] / distance[1] - 100) < 2, "%.4g, %.4g", distance[0], distance[1]);
    ck_assert_msg(fabs(distance[1] / distance[2] - 100) < 2, "%.4g, %.4g", distance[1], distance[2]);
}
END_TEST

/* The works are integrated beside the motion; the kinetic energy comes from the velocities. */
START_TEST(conservative_contact_loses_the_work_of_friction_alone)
{
    pc_body body = rod();
    for (int i = 0; i < 20; i++) {
        double u0[3] = {0.1 * i - 1, -1, 0.3 * (i % 3)}, u1[3], rotation;
        pc_coupled law = {.friction = 0.05 * i};
        law.hertz.modulus = 1e6, law.hertz.radius = 0.05, law.hertz.counter_radius = INFINITY, law.hertz.kappa = 0.8;
        pc_impact hit;
        strike(&body, &pc_coupled_element, &law, u0, false, &hit, u1, &rotation);
        double change = pc_body_energy(&body, u1) - pc_body_energy(&body, u0);
        ck_assert_double_eq_tol(change, hit.energy1 - hit.energy0, 1e-12 * hit.energy0);
        ck_assert_msg(fabs(change - hit.work_f) <= 1e-10 * hit.energy0, "impact %d: %.3g of the energy is lost", i,
                      (change - hit.work_f) / hit.energy0);
        ck_assert(hit.work_f <= 0);
        pc_impact_free(&hit);
    }
}
END_TEST

/* A sphere's contact point stays below its centre, whatever it turns: W is constant, the answer the frozen one. */
START_TEST(a_sphere_does_not_notice_that_it_turns)
{
    pc_body body;
    pc_error err = {0};
    double inertia[3][3] = {{0}};
    memset(&body, 0, sizeof body);
    body.curvature = 10;
    inertia[PC_T2][PC_T2] = 0.4 * 0.01;
    pc_body_fill_free(&body, false, 1, inertia, (double[3]){0, -0.1, 0});
    ck_assert(pc_body_finish(&body, &err) == PC_OK);
    double u0[3] = {0.7, -1, 5}, u1[3], v0[3], rotation;
    pc_body_contact_velocity(&body, u0, v0);
    pc_hunt_crossley law = damped(1e4, 0.5, 0.3);
    law.tangential = (pc_tangential_choice){1, 8e3, NAN, NAN, 0.3, 0};
    pc_impact hit, frozen;
    pc_impact_init(&frozen);
    strike(&body, pc_law_hunt_crossley.element, &law, u0, false, &hit, u1, &rotation);
    ck_assert(pc_law_impact(&pc_law_hunt_crossley, &law, &body.W, v0, &frozen, &err) == PC_OK);
    ck_assert_double_eq_tol(hit.v1[0], frozen.v1[0], 1e-10);
    ck_assert_double_eq_tol(hit.v1[1], frozen.v1[1], 1e-10);
    ck_assert_double_eq_tol(hit.duration, frozen.duration, 1e-10);
    ck_assert_int_eq(hit.n_phases, frozen.n_phases);
    ck_assert(rotation != 0);
    pc_impact_free(&hit);
    pc_impact_free(&frozen);
}
END_TEST

/* ---- pendulums and linkages ---- */

typedef struct jointed {
    pc_body body;
    void *params;
} jointed;

/* A body of a kind whose parameters are numbers and lists. */
static void give(const pc_schema *schema, void *params, uint64_t *given, const char *name, const double *v, int n)
{
    pc_error err = {0};
    int row = pc_schema_find(schema, name);
    pc_matrix list = {.rows = 1, .cols = n};
    pc_status status;
    if (schema->rows[row].kind == PC_MATRIX) {
        memcpy(list.v, v, (size_t)n * sizeof *v);
        status = pc_schema_set_matrix(schema, row, params, &list, given, &err);
    } else {
        status = pc_schema_set_number(schema, row, params, *v, given, &err);
    }
    ck_assert_msg(status == PC_OK, "%s", err.text);
}

static jointed finish(const pc_body_kind *kind, void *params, uint64_t given)
{
    jointed out = {.params = params};
    pc_error err = {0};
    ck_assert_msg(pc_schema_finish(kind->schema, params, given, &err) == PC_OK, "%s", err.text);
    ck_assert_msg(pc_body_make(kind, params, &out.body, &err) == PC_OK, "%s", err.text);
    return out;
}

static jointed linkage(int n, const double *lengths, const double *masses, const double *angles, double radius)
{
    const pc_schema *schema = pc_body_kind_linkage.schema;
    void *params = pc_calloc(1, schema->size);
    uint64_t given = 0;
    pc_schema_defaults(schema, params);
    give(schema, params, &given, "lengths", lengths, n);
    give(schema, params, &given, "masses", masses, n);
    give(schema, params, &given, "angles", angles, n);
    give(schema, params, &given, "radius", &radius, 1);
    return finish(&pc_body_kind_linkage, params, given);
}

static jointed double_pendulum(double radius)
{
    return linkage(2, (double[]){1, 0.8}, (double[]){1, 0.5}, (double[]){0.6, -0.3}, radius);
}

static void strike_jointed(const jointed *b, const pc_element *element, const void *params, const double *u0,
                           pc_impact *hit, double *u1, double *rotation)
{
    pc_error err = {0};
    pc_impact_init(hit);
    pc_moving_task task = {.body = &b->body, .body_params = b->params, .element = element, .params = params, .u0 = u0};
    ck_assert_msg(pc_moving_impact(&task, hit, u1, rotation, &err) == PC_OK, "%s", err.text);
}

/* The chain integrates its own velocity products; the ledger takes energies from its velocities. Joints do no work. */
START_TEST(a_double_pendulum_loses_the_work_of_friction_alone)
{
    for (int k = 0; k < 2; k++) {
        jointed b = double_pendulum(0.1 * k);
        for (int i = 0; i < 12; i++) {
            double u0[2] = {-1 - 0.1 * i, 0.5 * (i % 4) - 0.4}, v0[3], u1[2], rotation;
            pc_body_contact_velocity(&b.body, u0, v0);
            if (!(v0[PC_N] < 0)) continue;
            pc_linear law = {.kn = 1e3, .kt = 8e2, .mu = 0.08 * i, .restitution = 1};
            pc_impact hit;
            strike_jointed(&b, &pc_linear_element, &law, u0, &hit, u1, &rotation);
            double change = pc_body_energy(&b.body, u0);
            ck_assert_msg(fabs(hit.energy1 - hit.energy0 - hit.work_f) <= 1e-10 * change, "impact %d: %.3g", i,
                          (hit.energy1 - hit.energy0 - hit.work_f) / change);
            ck_assert(hit.work_f <= 0 && rotation != 0);
            pc_impact_free(&hit);
        }
        pc_free(b.params);
    }
}
END_TEST

/* Where a body turns by an angle in proportion to the duration, and that to k^(-1/2), so does what moving changes. */
static double distance_from_frozen(const jointed *b, const pc_linear *law, const double *u0, int dof)
{
    double v0[3], u1[4], rotation, p[3], after[4], sum = 0;
    pc_impact hit, frozen;
    pc_error err = {0};
    pc_body_contact_velocity(&b->body, u0, v0);
    strike_jointed(b, &pc_linear_element, law, u0, &hit, u1, &rotation);
    pc_impact_init(&frozen);
    ck_assert_msg(pc_law_impact(&pc_law_linear, law, &b->body.W, v0, &frozen, &err) == PC_OK, "%s", err.text);
    memcpy(p, frozen.impulse, sizeof p);
    pc_body_after(&b->body, u0, p, after);
    for (int i = 0; i < dof; i++) sum += (u1[i] - after[i]) * (u1[i] - after[i]);
    pc_impact_free(&hit);
    pc_impact_free(&frozen);
    return sqrt(sum);
}

START_TEST(jointed_bodies_tend_to_the_frozen_configuration_with_the_root_of_the_stiffness)
{
    jointed b[2] = {double_pendulum(0.05),
                    linkage(3, (double[]){0.5, 0.7, 0.4}, (double[]){1, 0.6, 0.3}, (double[]){0.5, -0.2, 0.9}, 0)};
    const double u0[2][3] = {{-1.2, 0.3}, {-0.8, 0.4, -0.9}};
    for (int k = 0; k < 2; k++) {
        double d[3];
        for (int i = 0; i < 3; i++) {
            double stiffness = 1e5 * pow(1e2, i);
            pc_linear law = {.kn = stiffness, .kt = stiffness / 1.21, .eta = 1.21, .mu = 0.1, .restitution = 0.8};
            d[i] = distance_from_frozen(&b[k], &law, u0[k], b[k].body.dof);
        }
        ck_assert_msg(fabs(d[0] / d[1] - 10) < 0.6, "%d: %.4g, %.4g", k, d[0], d[1]);
        ck_assert_msg(fabs(d[1] / d[2] - 10) < 0.2, "%d: %.4g, %.4g", k, d[1], d[2]);
        pc_free(b[k].params);
    }
}
END_TEST

/* A pendulum is a linkage of one link. */
START_TEST(a_pendulum_is_a_linkage_of_one_link)
{
    const pc_schema *schema = pc_body_kind_pendulum.schema;
    void *params = pc_calloc(1, schema->size);
    uint64_t given = 0;
    double length = 0.7, mass = 1e-9, rod_mass = 1.3, angle = 0.5;
    pc_schema_defaults(schema, params);
    give(schema, params, &given, "length", &length, 1);
    give(schema, params, &given, "mass", &mass, 1);
    give(schema, params, &given, "link_mass", &rod_mass, 1);
    give(schema, params, &given, "angle", &angle, 1);
    jointed one = finish(&pc_body_kind_pendulum, params, given), two = linkage(1, &length, &rod_mass, &angle, 0);
    pc_hunt_crossley law = damped(1e4, 0.2, 0.1);
    double u0 = -2, u1[2], rotation[2];
    pc_impact hit[2];
    strike_jointed(&one, pc_law_hunt_crossley.element, &law, &u0, &hit[0], &u1[0], &rotation[0]);
    strike_jointed(&two, pc_law_hunt_crossley.element, &law, &u0, &hit[1], &u1[1], &rotation[1]);
    /* the bob adds 1e-9 kg to 1.3 */
    ck_assert_double_eq_tol(u1[0], u1[1], 1e-8);
    ck_assert_double_eq_tol(rotation[0], rotation[1], 1e-8);
    /* contact ends at the angle where it began */
    ck_assert(u1[0] > 0 && fabs(rotation[0]) < 1e-10);
    for (int i = 0; i < 2; i++) pc_impact_free(&hit[i]);
    pc_free(one.params);
    pc_free(two.params);
}
END_TEST

/* One uniform link of 1 m and 1 kg that points `angle` from the normal. */
static jointed link(double angle)
{
    return linkage(1, (double[]){1}, (double[]){1}, &angle, 0);
}

/* Held by rigid friction the link is at rest as soon as its end is: then the moments of the two forces about the pivot
 * balance, and all its energy has gone into the elements and into friction. */
START_TEST(a_wedged_link_rests_where_its_forces_balance)
{
    pc_hunt_crossley law = damped(1e5, 0.1, 0.9);
    for (double angle = 0.1; angle < 0.75; angle += 0.1) {
        jointed b = link(angle);
        double u0 = -1, u1, rotation;
        pc_impact hit;
        strike_jointed(&b, pc_law_hunt_crossley.element, &law, &u0, &hit, &u1, &rotation);
        ck_assert_int_eq(hit.outcome, PC_OUTCOME_WEDGED);
        ck_assert_int_eq(hit.n_phases, 2);
        ck_assert(isinf(hit.duration) && isinf(hit.phases[1].stop.t) && hit.arrest_time == hit.phases[1].start.t);
        ck_assert(u1 == 0 && hit.v1[PC_T] == 0 && hit.v1[PC_N] == 0 && hit.energy1 == 0);
        ck_assert_double_eq_tol(hit.work_n + hit.work_t + hit.work_f, -hit.energy0, 1e-10 * hit.energy0);
        ck_assert_double_eq_tol(hit.impulse[PC_T], 0.9 * hit.impulse[PC_N], 1e-10 * hit.impulse[PC_N]);
        double at = angle + rotation, moment = cos(at) * hit.lock_mean[PC_T] + sin(at) * hit.lock_mean[PC_N];
        ck_assert_double_eq_tol(moment, 0, 1e-10 * hit.peak[PC_N]);
        ck_assert(hit.lock_mean[PC_N] > 0 && hit.lock_amplitude[PC_N] == 0 && isnan(hit.lock_frequency));
        pc_impact_free(&hit);
        pc_free(b.params);
    }
}
END_TEST

/* Joined by springs it vibrates for ever. The frozen law has frequency, mean and amplitude in closed form; moving, they
 * differ by a share of the indentation, which falls with the root of the stiffness. */
START_TEST(a_wedged_link_vibrates_as_the_frozen_one_does_where_it_is_stiff)
{
    jointed b = link(0.15);
    double u0 = -1, v0[3], u1, rotation, distance[3][3];
    pc_body_contact_velocity(&b.body, &u0, v0);
    for (int i = 0; i < 3; i++) {
        double stiffness = 1e6 * pow(1e2, i);
        pc_linear law = {.kn = stiffness, .kt = stiffness / 1.21, .eta = 1.21, .mu = 0.6, .restitution = 1};
        pc_impact hit, frozen;
        pc_error err = {0};
        strike_jointed(&b, &pc_linear_element, &law, &u0, &hit, &u1, &rotation);
        pc_impact_init(&frozen);
        ck_assert(pc_law_impact(&pc_law_linear, &law, &b.body.W, v0, &frozen, &err) == PC_OK);
        ck_assert(hit.outcome == PC_OUTCOME_WEDGED && frozen.outcome == PC_OUTCOME_WEDGED);
        ck_assert_int_eq(hit.n_phases, frozen.n_phases);
        distance[i][0] = fabs(hit.lock_frequency / frozen.lock_frequency - 1);
        distance[i][1] = fabs(hit.lock_mean[PC_N] / frozen.lock_mean[PC_N] - 1);
        distance[i][2] = fabs(hit.lock_amplitude[PC_T] / frozen.lock_amplitude[PC_T] - 1);
        pc_impact_free(&hit);
        pc_impact_free(&frozen);
    }
    for (int k = 0; k < 3; k++) {
        ck_assert_msg(distance[0][k] < 0.05, "%d: %g", k, distance[0][k]);
        for (int i = 0; i < 2; i++)
            ck_assert_msg(fabs(distance[i][k] / distance[i + 1][k] - 10) < 0.5, "%d: %g, %g", k, distance[i][k],
                          distance[i + 1][k]);
    }
    pc_free(b.params);
}
END_TEST

/* A period after it came to rest it is at rest in the same place again. */
START_TEST(a_wedged_link_can_be_traced_through_its_vibration)
{
    jointed b = link(0.15);
    pc_linear law = {.kn = 1e5, .kt = 1e5 / 1.21, .eta = 1.21, .mu = 0.6, .restitution = 1};
    double u0 = -1, u1, rotation;
    pc_impact hit, again;
    pc_error err = {0};
    strike_jointed(&b, &pc_linear_element, &law, &u0, &hit, &u1, &rotation);
    double period = 2 * M_PI / hit.lock_frequency, arrest = hit.arrest_time;
    double times[4] = {arrest, arrest + period / 2, arrest + period, arrest + 20 * period};
    pc_state states[4];
    pc_moving_task task = {.body = &b.body,
                           .body_params = b.params,
                           .element = &pc_linear_element,
                           .params = &law,
                           .u0 = &u0,
                           .asked = {4, times, states}};
    pc_impact_init(&again);
    ck_assert(pc_moving_impact(&task, &again, &u1, &rotation, &err) == PC_OK);
    double other = 2 * hit.lock_mean[PC_N] - states[0].F[PC_N];
    for (int i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(states[i].t, times[i], 1e-15);
        ck_assert_double_eq_tol(states[i].v[PC_N], 0, 1e-8);
        ck_assert_double_eq_tol(states[i].F[PC_N], i == 1 ? other : states[0].F[PC_N], 1e-8 * hit.peak[PC_N]);
    }
    pc_impact_free(&hit);
    pc_impact_free(&again);
    pc_free(b.params);
}
END_TEST

/* A dashpot's force is there at the touch. */
START_TEST(peaks_begin_with_the_force_at_the_touch)
{
    pc_body body = rod();
    pc_impact hit;
    double u0[3] = {0, -1, 0}, u1[3], rotation;
    struct {
        const pc_law *law;
        union {
            double align;
            unsigned char bytes[512];
        } params;
    } f = {.law = &pc_law_kelvin_voigt};
    uint64_t given = 0;
    double k = 1000, c = 500, mu = 0.1;
    pc_schema_defaults(f.law->schema, &f.params);
    give(f.law->schema, &f.params, &given, "stiffness", &k, 1);
    give(f.law->schema, &f.params, &given, "damping", &c, 1);
    give(f.law->schema, &f.params, &given, "friction", &mu, 1);
    pc_error err = {0};
    ck_assert(pc_schema_finish(f.law->schema, &f.params, given, &err) == PC_OK);
    strike(&body, f.law->element, &f.params, u0, false, &hit, u1, &rotation);
    ck_assert_double_eq_tol(hit.peak[PC_N], c, 1e-9);
    ck_assert_double_eq(hit.peak_time[PC_N], 0);
    pc_impact_free(&hit);
}
END_TEST

START_TEST(traces_pass_through_the_phases)
{
    jointed b = double_pendulum(0.05);
    pc_linear law = {.kn = 1e4, .kt = 8e3, .mu = 0.3, .restitution = 0.8};
    double u0[2] = {-1.2, 1.5}, u1[2], rotation, times[64];
    pc_impact hit, again;
    pc_error err = {0};
    strike_jointed(&b, &pc_linear_element, &law, u0, &hit, u1, &rotation);
    int n = 0;
    for (int i = 0; i < hit.n_phases && n < 60; i++) {
        times[n++] = hit.phases[i].start.t;
        times[n++] = (hit.phases[i].start.t + hit.phases[i].stop.t) / 2;
    }
    times[n++] = hit.duration;
    times[n++] = 2 * hit.duration;
    pc_state states[64];
    pc_moving_task task = {.body = &b.body,
                           .body_params = b.params,
                           .element = &pc_linear_element,
                           .params = &law,
                           .u0 = u0,
                           .asked = {(size_t)n, times, states}};
    pc_impact_init(&again);
    ck_assert(pc_moving_impact(&task, &again, u1, &rotation, &err) == PC_OK);
    ck_assert_int_ge(hit.n_phases, 2);
    for (int i = 0; i < hit.n_phases; i++) {
        ck_assert_double_eq_tol(states[2 * i].v[PC_N], hit.phases[i].start.v[PC_N], 1e-10);
        ck_assert_double_eq_tol(states[2 * i].p[PC_N], hit.phases[i].start.p[PC_N], 1e-10);
        ck_assert_double_gt(states[2 * i + 1].F[PC_N], 0);
    }
    for (int i = n - 2; i < n; i++) ck_assert_double_eq_tol(states[i].v[PC_N], hit.v1[PC_N], 1e-12);
    pc_impact_free(&hit);
    pc_impact_free(&again);
    pc_free(b.params);
}
END_TEST

UNIT_MAIN("moving", 120, every_simulation_of_brach_comes_out, by_coulombs_law_a_turning_rod_slips_again_before_the_end,
          a_stiffer_surface_tends_to_the_frozen_configuration_with_its_square_root,
          conservative_contact_loses_the_work_of_friction_alone, a_sphere_does_not_notice_that_it_turns,
          a_double_pendulum_loses_the_work_of_friction_alone,
          jointed_bodies_tend_to_the_frozen_configuration_with_the_root_of_the_stiffness,
          a_pendulum_is_a_linkage_of_one_link, traces_pass_through_the_phases,
          a_wedged_link_rests_where_its_forces_balance, a_wedged_link_vibrates_as_the_frozen_one_does_where_it_is_stiff,
          a_wedged_link_can_be_traced_through_its_vibration, peaks_begin_with_the_force_at_the_touch)
