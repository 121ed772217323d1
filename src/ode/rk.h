/* Explicit Runge-Kutta methods as data.
 *
 * Stage 0 is f(t, y); stage i < stages is f(t + c_i h, y + h sum_j a_ij k_j); stage `stages` is f at the end of the
 * step, so its row of `a` holds the weights b, and it serves as stage 0 of the next step ("first same as last").
 * The `extra` stages after it are evaluated for dense output alone.
 *
 * Interpolant, with D = y1 - y0 (Hairer, Norsett and Wanner, II.6):
 *     y0 + x D + x(1-x) F1 + x^2(1-x) F2 + x^2(1-x)^2 F3 + x^3(1-x)^2 F4 + x^3(1-x)^3 F5 + x^4(1-x)^3 F6
 * F1 = h k_0 - D and F2 = 2 D - h (k_0 + k_stages) make the cubic Hermite polynomial; F_(3+i) = h sum_j d_ij k_j for
 * i < high.
 */
#ifndef PC_ODE_RK_H
#define PC_ODE_RK_H

#include "ode/ode.h"

typedef struct pc_rk_entry {
    int stage;
    double weight;
} pc_rk_entry;

/* The parts of a step that are arithmetic. */
typedef struct pc_rk_kernel {
    int (*advance)(pc_stepper *s, double h);     /* stages from 1 on, y_new, and the estimates of the error */
    int (*interpolate)(pc_stepper *s, double h); /* the extra stages and the polynomial */
} pc_rk_kernel;

typedef struct pc_rk_table {
    int stages, extra;
    const double *c;              /* stages + 1 + extra */
    const pc_rk_entry *a;         /* rows of stages 1 .. stages + extra */
    const unsigned char *lengths; /* of these rows */
    int errors;                   /* rows of error weights: 0, 1, or 2 (see rk.c) */
    const pc_rk_entry *e;
    const unsigned char *e_lengths;
    const pc_rk_entry *second; /* weights of an error that checks the first of two, or NULL */
    int second_length;
    int high; /* terms of the interpolant beyond the cubic */
    const pc_rk_entry *d;
    const unsigned char *d_lengths;
    const pc_rk_kernel *(*kernel)(size_t stride); /* for vectors of that length; NULL: pc_rk_any */
} pc_rk_table;

/* Workspace of a stepper, in vectors of its stride: the stages k, one vector for the argument of a stage, and the F_1,
 * F_2, ... of the interpolant. The estimates of the error lie where the argument and F_1 do. */
enum { PC_RK_HIGH = 4, PC_RK_TERMS = 2 + PC_RK_HIGH };

static inline double *pc_rk_stage(const pc_stepper *s, int i)
{
    return s->work + (size_t)i * s->stride;
}

static inline double *pc_rk_scratch(const pc_stepper *s)
{
    const pc_rk_table *t = s->method->table;
    return pc_rk_stage(s, t->stages + 1 + t->extra);
}

/* Exponents of x and 1 - x with each F. */
extern const pc_dense_term pc_rk_terms[PC_RK_TERMS];

/* DOP853 for up to four equations, in the arithmetic of every processor and in AVX2; all give the same bits. */
extern const pc_rk_kernel pc_rk_small, pc_rk_small_avx2;
const pc_rk_kernel *pc_rk_fastest(size_t stride);

/* What serves every table. */
extern const pc_rk_kernel pc_rk_any;
int pc_rk_interpolate(pc_stepper *s, double h);

/* Functions of a pc_ode_method with a table of this form; it need not stand in rk.c. */
size_t pc_rk_room(const pc_ode_method *method, size_t n, size_t stride);
pc_status pc_rk_open(pc_stepper *s, pc_error *err);
int pc_rk_start(pc_stepper *s);
int pc_rk_attempt(pc_stepper *s, double h, double *error);
int pc_rk_finish(pc_stepper *s);
#define PC_RK_FUNCTIONS                                                                                                \
    .room = pc_rk_room, .open = pc_rk_open, .start = pc_rk_start, .attempt = pc_rk_attempt, .interpolate = pc_rk_finish

extern const pc_rk_table pc_rk_rk4, pc_rk_bs32, pc_rk_dp54, pc_rk_dop853;

/* Rosenbrock methods as data, in the form that needs no product with the Jacobian (Hairer and Wanner, Solving
 * Ordinary Differential Equations II, IV.7):
 *
 *     (1/(h gamma) - J) U_i = f(t + c_i h, y + sum_j a_ij U_j) + sum_j C_ij/h U_j + h d_i df/dt
 *
 * The method is stiffly accurate: the last two arguments add U_(s-2) and U_(s-1) in turn, y1 adds U_s, and U_s is the
 * error estimate. Interpolant: (1-x) y0 + x y1 + x(1-x) (K_1 + x K_2 + x^2 K_3), K_i = sum_j H_ij U_j.
 */

enum { PC_RODAS_STAGES = 8, PC_RODAS_DENSE = 3 };

typedef struct pc_rodas_table {
    int stages, dense; /* terms of the interpolant */
    double gamma;
    double c[PC_RODAS_STAGES], d[PC_RODAS_STAGES];
    double a[PC_RODAS_STAGES][PC_RODAS_STAGES];
    double C[PC_RODAS_STAGES][PC_RODAS_STAGES];
    double H[PC_RODAS_DENSE][PC_RODAS_STAGES];
} pc_rodas_table;

extern const pc_rodas_table pc_rodas_rodas5p;

#endif
