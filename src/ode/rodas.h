/* Rosenbrock methods as data, in the form that needs no product with the Jacobian (Hairer and Wanner, Solving
 * Ordinary Differential Equations II, IV.7):
 *
 *     (1/(h gamma) - J) U_i = f(t + c_i h, y + sum_j a_ij U_j) + sum_j C_ij/h U_j + h d_i df/dt
 *
 * The method is stiffly accurate: the last two arguments add U_(s-2) and U_(s-1) in turn, y1 adds U_s, and U_s is the
 * error estimate. Interpolant: (1-x) y0 + x y1 + x(1-x) (K_1 + x K_2 + x^2 K_3), K_i = sum_j H_ij U_j.
 */
#ifndef PC_ODE_RODAS_H
#define PC_ODE_RODAS_H

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
