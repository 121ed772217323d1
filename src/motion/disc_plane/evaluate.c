/* The equations of a disc on a plane: see disc_plane.c for the model. */
#include "motion/disc_plane/internal.h"

#include <math.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
}

void pc_disc_scale(const pc_disc_plane *p, disc *s)
{
    double a = p->radius, T = sqrt(p->mass / p->stiffness);
    s->length = a;
    s->time = T;
    s->speed = a / T;
    s->force = p->stiffness * a;
    s->energy = s->force * a;
    s->patch = (pc_flat_patch){.model = p->model, .radius = 1};
    s->density = 1 / pc_flat_part(&s->patch, -1, 1).j[0];
    s->inertia = p->inertia / (p->mass * a * a);
    s->polar = p->polar / (p->mass * a * a);
    s->kt = 1 / p->eta;
    s->mu = p->friction;
    s->zeta = p->damping * s->speed;
    s->g = p->gravity * T * T / a;
}

/* Where the disc is and how it moves. */
static void place(const disc *s, const double *y, moment *m)
{
    double size = sqrt(dot(y + AXIS, y + AXIS));
    for (int i = 0; i < 3; i++) m->axis[i] = y[AXIS + i] / size;
    double along = dot(y + MOMENTUM, m->axis) * (1 / s->polar - 1 / s->inertia);
    for (int i = 0; i < 3; i++) m->omega[i] = y[MOMENTUM + i] / s->inertia + along * m->axis[i];
    m->cosine = m->axis[2];
    for (int i = 0; i < 3; i++) m->slope[i] = m->cosine * m->axis[i];
    /* 1 - cos^2 without cancellation */
    m->slope[2] = -(m->axis[0] * m->axis[0] + m->axis[1] * m->axis[1]);
    m->s = hypot(m->axis[0], m->axis[1]);
    m->d = -y[PLACE + 2];
    m->ddot = -y[SPEED + 2];
}

/* Normal force with its couple. The rate of the depth has the gradient omega x n within the disc. */
static void press(const disc *s, const double down[3], moment *m, double couple[3])
{
    m->load = s->whole ? pc_flat_press_whole(&s->patch, m->d, m->s) : pc_flat_press(&s->patch, m->d, m->s);
    double elastic = s->density * m->load.force;
    double along = m->load.along, athwart = m->load.athwart;
    m->stored = s->density * m->load.potential;
    m->lever = m->load.lever;
    m->gyration = sqrt(along + athwart);
    m->w = m->ddot + m->lever * m->sdot;
    double g[3] = {m->omega[1], -m->omega[0], 0}; /* omega x n */
    double out = dot(g, m->axis), steep = m->sdot, spread[3], held;
    for (int i = 0; i < 3; i++) {
        g[i] -= out * m->axis[i];
        spread[i] = athwart * g[i] + (along - athwart) * steep * down[i];
    }
    double size = dot(g, spread);
    m->F = pc_flat_damp(elastic, s->zeta, m->w, size, &held);
    for (int i = 0; i < 3; i++) couple[i] = held * spread[i];
    m->damped = (m->F - elastic) * m->w + held * size;
}

/* The sledge: a force along the plane and a couple, their three parts on a sphere of radius mu F at most. */
static void drag(const disc *s, const double *y, moment *m)
{
    m->R = s->mu * m->F / s->kt;
    for (int i = 0; i < 3; i++) m->f[i] = 0;
    double speed = sqrt(dot(m->V, m->V));
    for (int i = 0; i < 3 && s->hold != NONE; i++) {
        if (s->hold == STICK)
            m->f[i] = -s->kt * y[SLEDGE + i];
        else if (s->hold == SLIP)
            m->f[i] = -s->mu * m->F * y[SLEDGE + i] / sqrt(dot(y + SLEDGE, y + SLEDGE));
        else if (speed > 0)
            m->f[i] = -s->mu * m->F * m->V[i] / speed;
    }
}

void pc_disc_evaluate(const disc *s, const double *y, moment *m)
{
    place(s, y, m);
    double down[3] = {0};
    if (m->s > 0)
        for (int i = 0; i < 3; i++) down[i] = m->slope[i] / m->s;
    m->sdot = m->omega[1] * down[0] - m->omega[0] * down[1];
    double couple[3], arm[3], turning[3];
    press(s, down, m, couple);
    for (int i = 0; i < 3; i++) arm[i] = m->lever * down[i];
    cross(m->omega, arm, turning);
    m->V[0] = y[SPEED] + turning[0];
    m->V[1] = y[SPEED + 1] + turning[1];
    m->V[2] = m->gyration * m->omega[2];
    drag(s, y, m);
    double force[3] = {m->f[0], m->f[1], m->F};
    cross(arm, force, m->torque);
    m->torque[0] += couple[1]; /* couple x n */
    m->torque[1] -= couple[0];
    m->torque[2] += m->gyration * m->f[2];
    for (int i = 0; i < 3; i++) m->a[i] = force[i] - (i == 2 ? s->g : 0);
}

/* With q the lever: w = d' + q s', so w' = d'' + q' s' + q s'', and q' is the moment about q of the rate of depth. */
void pc_disc_force_rate(const disc *s, moment *m)
{
    const double *j = m->load.pressed;
    double elastic = s->density * (m->w * j[0] + m->sdot * j[1]);
    double factor = 1 + s->zeta * m->w;
    m->Fdot = elastic * fmax(factor, 0);
    if (s->zeta == 0 || !(factor > 0) || !(m->load.force > 0)) return;
    double wdot = -m->a[2];
    if (m->s > 0) {
        double axis_rate[3], again[3], pushed[3], turn[3];
        cross(m->omega, m->axis, axis_rate);
        double along = dot(m->torque, m->axis), more = 1 / s->polar - 1 / s->inertia,
               kept = s->polar * dot(m->omega, m->axis);
        for (int i = 0; i < 3; i++)
            turn[i] = m->torque[i] / s->inertia + more * (along * m->axis[i] + kept * axis_rate[i]);
        cross(turn, m->axis, pushed);
        cross(m->omega, axis_rate, again);
        double bend = -axis_rate[2] * axis_rate[2] - m->cosine * (pushed[2] + again[2]) - m->sdot * m->sdot;
        double leverdot = (m->w * j[1] + m->sdot * j[2]) / m->load.force;
        wdot += leverdot * m->sdot + m->lever * bend / m->s;
    }
    m->Fdot += s->density * m->load.force * s->zeta * wdot;
}

static double kinetic(const double *y, const moment *m)
{
    return (dot(y + SPEED, y + SPEED) + dot(y + MOMENTUM, m->omega)) / 2;
}

double pc_disc_stretched(const disc *s, const double *y)
{
    moment m;
    if (s->hold == NONE) return 0;
    pc_disc_evaluate(s, y, &m);
    return s->kt / 2 * (s->hold == STICK ? dot(y + SLEDGE, y + SLEDGE) : m.R * m.R);
}

double pc_disc_ledger(const disc *s, const double *y)
{
    moment m;
    pc_disc_evaluate(s, y, &m);
    return kinetic(y, &m) + s->g * y[PLACE + 2] + m.stored + y[WORK_T] + y[LOSS_N];
}

pc_disc_row pc_disc_row_at(const disc *s, double t, const double *y)
{
    moment m;
    pc_disc_evaluate(s, y, &m);
    double v = s->speed, turn = 1 / s->time, tangential = pc_disc_stretched(s, y);
    double spin = dot(m.omega, m.axis);
    pc_disc_row r = {.t = t * s->time,
                     .x = y[PLACE] * s->length,
                     .y = y[PLACE + 1] * s->length,
                     .height = y[PLACE + 2] * s->length,
                     .vx = y[SPEED] * v,
                     .vy = y[SPEED + 1] * v,
                     .vz = y[SPEED + 2] * v,
                     .tilt = atan2(m.s, fabs(m.cosine)),
                     .azimuth = m.s > 0 ? atan2(m.cosine * m.axis[1], m.cosine * m.axis[0]) : 0,
                     .spin = spin * turn,
                     .twist = m.omega[2] * turn,
                     .depth = (m.d + m.s) * s->length,
                     .force = m.F * s->force,
                     .friction = hypot(m.f[0], m.f[1]) * s->force,
                     .couple = m.gyration * m.f[2] * s->force * s->length,
                     .lever = m.lever * s->length,
                     .creep = m.F > 0 ? hypot(m.V[0], m.V[1]) * v : 0,
                     .kinetic = kinetic(y, &m) * s->energy,
                     .potential = s->g * y[PLACE + 2] * s->energy,
                     .stored = (m.stored + tangential) * s->energy,
                     .lost_friction = (y[WORK_T] - tangential) * s->energy,
                     .lost_damping = y[LOSS_N] * s->energy};
    if (m.s > 0) r.precession = (m.omega[2] - m.cosine * spin) / (m.s * m.s) * turn;
    pc_disc_mode slipping = s->mu > 0 ? PC_DISC_SLIP : PC_DISC_SMOOTH;
    r.mode = !s->touching ? PC_DISC_FLIGHT : s->hold == STICK ? PC_DISC_STICK : slipping;
    return r;
}
