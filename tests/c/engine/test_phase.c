/* A contact phase without a run, on a provider of given W: particles on springs and dampers, in closed form; and
 * impacts from change to change, beside those of elements, which follow the same contact in other variables. */
#include "element_unit.h"
#include "provider_contract.h"

#include "engine/element_impact.h"
#include "engine/phase.h"

#include <float.h>

/* A step may be wrong by rtol of the size of the contact, which lasts for less than a hundred of them. */
static const double RTOL = 1e-11, CLOSE = 1e-9;

enum { MOST = 2, NUMBERS = 4 * MOST + MOST * PC_ROWS };

typedef struct phase_of {
    particles p;
    pc_provider provider;
    pc_mechanics mechanics;
    pc_contacts contacts;
    pc_compliant compliant;
    pc_block block;
    pc_peaks peaks[MOST];
    pc_contact_phase phase;
    double y[NUMBERS];
    filled law[MOST];
} phase_of;

static pc_peaks *peaks_of(void *log, size_t impact)
{
    return &((phase_of *)log)->peaks[impact];
}

/* n particles of mass 1/w under a load along n, each of which touches with a speed v after it was at rest in t. */
static void begin(phase_of *m, int n, double w, double load, const filled *law, double v_t, const double *v,
                  const double *u, const pc_ode_method *method)
{
    *m = (phase_of){.p.f.n = n, .provider = frozen_provider};
    m->provider.place = particles_place;
    m->provider.state = particles_state;
    m->mechanics = frozen_mechanics(&m->p.f);
    m->mechanics.provider = &m->provider;
    ck_assert_int_eq(pc_block_open(&m->block, 2 * n, n, NULL), PC_OK);
    ck_assert_int_eq(pc_contacts_reserve(&m->contacts, n, NULL), PC_OK);
    ck_assert_int_eq(pc_compliant_reserve(&m->compliant, n, NULL), PC_OK);
    for (int i = 0; i < n; i++) {
        m->law[i] = law[i];
        const pc_element *element = law[i].law->element;
        pc_compliant_contact *c = &m->compliant.contact[i];
        m->p.f.W[(2 * i) * 2 * n + 2 * i] = m->p.f.W[(2 * i + 1) * 2 * n + 2 * i + 1] = w;
        m->p.f.load[2 * i + PC_N] = load;
        m->p.f.pairing[i] = (pc_pairing){
            .name = "contact", .law = law[i].law, .params = &m->law[i].params, .length = 1, .endless = true};
        m->y[2 * i + PC_N] = -u[i];
        m->y[2 * n + 2 * i + PC_T] = v_t;
        m->y[2 * n + 2 * i + PC_N] = -v[i];
        *c = (pc_compliant_contact){
            .pair = i, .feature = -1, .base.element = element, .mass = 1 / w, .impact = (size_t)i};
        c->speed = fmax(fabs(v[i]), sqrt(fabs(load) * u[i]));
        c->length = element->length(&m->law[i].params, c->mass, c->speed);
        element->prepare(&m->law[i].params, &(pc_scales){1, 1, 1}, c->mass, c->speed, &c->base.p);
        pc_contact_begin(&c->base, u[i], v[i], v_t, c->length, DBL_EPSILON);
    }
    m->compliant.n = n;
    m->compliant.version++;
    const pc_contact_phase_options options = {
        .peaks = peaks_of, .log = m, .method = method, .settings = {.rtol = RTOL, .max_steps = 10000}};
    ck_assert_int_eq(
        pc_contact_phase_open(&m->phase, &m->contacts, &m->compliant, &m->mechanics, &m->block, &options, NULL), PC_OK);
    ck_assert_int_eq(pc_contact_phase_start(&m->phase, 0, m->y, NULL), PC_OK);
}

static void end(phase_of *m)
{
    pc_contact_phase_close(&m->phase);
    pc_block_close(&m->block);
    pc_contacts_close(&m->contacts);
    pc_compliant_close(&m->compliant);
}

/* Go on until a contact changes; when, with the state there in y. */
static double follow(phase_of *m, pc_guard_fall *change)
{
    for (int steps = 0; steps < 1000; steps++) {
        const pc_dense *dense;
        ck_assert_int_eq(pc_contact_phase_step(&m->phase, 1e9, change, NULL), PC_OK);
        if (change->x > 1) continue;
        ck_assert_int_eq(pc_stepper_dense(&m->phase.stepper, &dense, NULL), PC_OK);
        pc_dense_eval(dense, change->x, m->y);
        return dense->t + change->x * dense->h;
    }
    ck_abort_msg("the contact has not changed");
}

static const pc_ode_method *const methods[] = {NULL, &pc_ode_dop853, &pc_ode_rodas5p};
enum { METHODS = sizeof methods / sizeof *methods };

/* Kelvin and Voigt's law in closed form is in its file. */
START_TEST(a_particle_leaves_a_spring_and_a_damper)
{
    const double ratios[] = {0, 0.05, 0.3, 0.8}, w = 2, k = 800, v = 1.5, mu = 0.2, v_t = 3, u = 0;
    for (int method = 0; method < METHODS; method++)
        for (int i = 0; i < 4; i++) {
            const double z = ratios[i], omega = sqrt(k * w * (1 - z * z)), stop = 2 * acos(z) / omega;
            const double e = exp(-2 * z * acos(z) / sqrt(1 - z * z));
            const filled law =
                fill("kelvin_voigt", "stiffness", k, "damping_ratio", z, "friction", mu, "tangential", "rigid", NULL);
            phase_of m;
            pc_guard_fall change;
            begin(&m, 1, w, 0, &law, v_t, &v, &u, methods[method]);
            const double t = follow(&m, &change);
            ck_assert_int_eq(change.guard, PC_GUARD_RELEASE);
            ck_assert_double_eq_tol(t, stop, CLOSE * stop);
            ck_assert_double_eq_tol(m.y[2 + PC_N], e * v, CLOSE * v);
            ck_assert_double_eq_tol(m.y[2 + PC_T], v_t - mu * (1 + e) * v, CLOSE * v);
            ck_assert_double_eq_tol(m.y[4 + PC_ROW_PN], (1 + e) * v / w, CLOSE * v / w);
            if (z == 0) {
                const double peak = v * sqrt(k / w);
                ck_assert_double_eq_tol(m.peaks[0].force[PC_N], peak, CLOSE * peak);
                ck_assert_double_eq_tol(m.peaks[0].time[PC_N], stop / 2, 1e-6 * stop); /* where the force is flat */
                ck_assert_double_eq_tol(m.peaks[0].force[PC_T], mu * peak, CLOSE * peak);
            }
            end(&m);
        }
}
END_TEST

START_TEST(of_two_contacts_the_stiffer_ends_first)
{
    const double w = 1, v[2] = {1, 0.7}, k[2] = {100, 400}, u[2] = {0, 0};
    const filled law[2] = {fill("kelvin_voigt", "stiffness", k[0], "damping_ratio", 0.0, "friction", 0.0, NULL),
                           fill("kelvin_voigt", "stiffness", k[1], "damping_ratio", 0.0, "friction", 0.0, NULL)};
    for (int method = 0; method < METHODS; method++) {
        phase_of m;
        pc_guard_fall change;
        begin(&m, 2, w, 0, law, 0, v, u, methods[method]);
        const double t = follow(&m, &change), stop = acos(-1) / sqrt(k[1] * w), omega = sqrt(k[0] * w);
        ck_assert_int_eq(change.contact, 1);
        ck_assert_int_eq(change.guard, PC_GUARD_RELEASE);
        ck_assert_double_eq_tol(t, stop, CLOSE * stop);
        ck_assert_double_eq_tol(m.y[PC_N], -v[0] / omega * sin(omega * t), CLOSE * v[0] / omega);
        ck_assert_double_eq_tol(m.y[4 + PC_N], -v[0] * cos(omega * t), CLOSE * v[0]);
        end(&m);
    }
}
END_TEST

START_TEST(what_lies_on_its_spring_rests)
{
    const double w = 0.5, g = 9.81, k = 1e4;
    const filled law = fill("kelvin_voigt", "stiffness", k, "damping_ratio", 0.1, "friction", 0.0, NULL);
    for (int i = 0; i < 3; i++) {
        const double depth = g / (w * k), u = i == 1 ? 1.01 * depth : depth, v = i == 2 ? 1e-3 : 0;
        phase_of m;
        begin(&m, 1, w, -g, &law, 0, &v, &u, NULL);
        ck_assert_int_eq(pc_contact_phase_rests(&m.phase, 0, m.y), i == 0);
        end(&m);
    }
}
END_TEST

/* Go on until the contact ends; when, with the state there in y. Returns how many changes there were before. */
static int follow_to_the_end(phase_of *m, double *t)
{
    pc_contact *c = &m->compliant.contact[0].base;
    pc_guard_fall change;
    for (int changes = 0;; changes++) {
        *t = follow(m, &change);
        if (change.guard == PC_GUARD_RELEASE) return changes;
        ck_assert_int_lt(changes, 100);
        ck_assert_int_eq(pc_contact_phase_evaluate(&m->phase, *t, m->y, true), 0);
        c->fresh = true;
        if (change.guard == PC_GUARD_ARREST) {
            m->y[4 + PC_ROW_Q] = m->compliant.now[0].q;
            c->stuck = true;
        } else {
            pc_contact_cross(c, &m->compliant.now[0], change.guard);
        }
        ck_assert_int_eq(pc_contact_phase_start(&m->phase, *t, m->y, NULL), PC_OK);
    }
}

START_TEST(impacts_are_those_of_elements)
{
    const filled laws[] = {
        fill("coupled", "modulus", 1e6, "compliance_ratio", 0.8, "radius", 0.1, "friction", 0.3, NULL),
        fill("hunt_crossley", "stiffness", 1e4, "restitution", 0.7, "friction", 0.3, "tangential", "rigid", NULL),
        fill("kelvin_voigt", "stiffness", 1e4, "damping_ratio", 0.1, "friction", 0.3, "tangential", "spring",
             "tangential_stiffness", 8e3, NULL),
    };
    const double w = 1.5, v_n = 1, speeds[] = {0.1, 0.5, 5}, u = 0;
    int changes = 0;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        for (int k = 0; k < 3; k++) {
            const pc_element_contact contact = {laws[i].law->element, &laws[i].params};
            const double W[4] = {w, 0, 0, w}, v0[2] = {speeds[k], -v_n};
            const pc_element_task task = {
                .k = 1, .contacts = &contact, .W = W, .rank = 2, .v0 = v0, .tolerance = PC_ELEMENT_TOLERANCE};
            pc_element_summary known;
            double duration, t;
            ck_assert_int_eq(pc_element_run(&task, &known, NULL, &duration, NULL), PC_OK);
            phase_of m;
            begin(&m, 1, w, 0, &laws[i], speeds[k], &v_n, &u, NULL);
            changes += follow_to_the_end(&m, &t);
            ck_assert_double_eq_tol(t, duration, CLOSE * duration);
            for (int axis = 0; axis < 2; axis++) {
                ck_assert_double_eq_tol(m.y[2 + axis], known.v[axis], CLOSE * (v_n + speeds[k]));
                ck_assert_double_eq_tol(m.y[4 + PC_ROW_PT + axis], known.p[axis], CLOSE * (v_n + speeds[k]) / w);
            }
            ck_assert_double_eq_tol(m.y[4 + PC_ROW_WN], known.work_n, CLOSE * v_n * v_n / w);
            ck_assert_double_eq_tol(m.peaks[0].force[PC_N], known.peak[PC_N], CLOSE * known.peak[PC_N]);
            end(&m);
        }
    ck_assert_int_ge(changes, 6); /* stick and slip follow each other in several of them */
}
END_TEST

UNIT_MAIN("phase", 30, a_particle_leaves_a_spring_and_a_damper, of_two_contacts_the_stiffer_ends_first,
          what_lies_on_its_spring_rests, impacts_are_those_of_elements)
