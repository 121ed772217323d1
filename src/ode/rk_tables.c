/* Coefficients of the explicit Runge-Kutta methods: see rk.h for what the arrays mean.
 *
 * Entries are {stage, coefficient} with zeros left out, row after row; *_lengths says how many belong to each row.
 * The tests check every row against the order conditions, so a mistaken digit cannot hide here.
 */
#include "ode/rk.h"
#include "ode/rk_dop853.h"

/* The classical fourth-order method of Kutta (1901), cubic Hermite interpolant. */
static const double rk4_c[] = {
    0.0, 1.0 / 2, 1.0 / 2, 1.0, 1.0,
};
static const pc_rk_entry rk4_a[] = {
    {0, 1.0 / 2}, {1, 1.0 / 2}, {2, 1.0}, {0, 1.0 / 6}, {1, 1.0 / 3}, {2, 1.0 / 3}, {3, 1.0 / 6},
};
static const unsigned char rk4_a_lengths[] = {1, 1, 1, 4};
const pc_rk_table pc_rk_rk4 = {.stages = 4, .c = rk4_c, .a = rk4_a, .lengths = rk4_a_lengths};

/* Bogacki and Shampine (1989), A 3(2) pair of Runge-Kutta formulas, cubic Hermite interpolant. */
static const double bs32_c[] = {
    0.0,
    1.0 / 2,
    3.0 / 4,
    1.0,
};
static const pc_rk_entry bs32_a[] = {
    {0, 1.0 / 2}, {1, 3.0 / 4}, {0, 2.0 / 9}, {1, 1.0 / 3}, {2, 4.0 / 9},
};
static const unsigned char bs32_a_lengths[] = {1, 1, 3};
static const pc_rk_entry bs32_e[] = {
    {0, -5.0 / 72},
    {1, 1.0 / 12},
    {2, 1.0 / 9},
    {3, -1.0 / 8},
};
static const unsigned char bs32_e_lengths[] = {4};
const pc_rk_table pc_rk_bs32 = {.stages = 3,
                                .c = bs32_c,
                                .a = bs32_a,
                                .lengths = bs32_a_lengths,
                                .errors = 1,
                                .e = bs32_e,
                                .e_lengths = bs32_e_lengths};

/* Dormand and Prince (1980), A family of embedded Runge-Kutta formulae: RK5(4)7M. Interpolant of fourth order after
 * Shampine (1986) in the form of Hairer, Norsett and Wanner, II.6. */
static const double dp54_c[] = {
    0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0,
};
static const pc_rk_entry dp54_a[] = {
    {0, 1.0 / 5},       {0, 3.0 / 40},       {1, 9.0 / 40},        {0, 44.0 / 45},      {1, -56.0 / 15},
    {2, 32.0 / 9},      {0, 19372.0 / 6561}, {1, -25360.0 / 2187}, {2, 64448.0 / 6561}, {3, -212.0 / 729},
    {0, 9017.0 / 3168}, {1, -355.0 / 33},    {2, 46732.0 / 5247},  {3, 49.0 / 176},     {4, -5103.0 / 18656},
    {0, 35.0 / 384},    {2, 500.0 / 1113},   {3, 125.0 / 192},     {4, -2187.0 / 6784}, {5, 11.0 / 84},
};
static const unsigned char dp54_a_lengths[] = {1, 2, 3, 4, 5, 5};
static const pc_rk_entry dp54_e[] = {
    {0, 71.0 / 57600}, {2, -71.0 / 16695}, {3, 71.0 / 1920}, {4, -17253.0 / 339200}, {5, 22.0 / 525}, {6, -1.0 / 40},
};
static const unsigned char dp54_e_lengths[] = {6};
static const pc_rk_entry dp54_d[] = {
    {0, -12715105075.0 / 11282082432},  {2, 87487479700.0 / 32700410799}, {3, -10690763975.0 / 1880347072},
    {4, 701980252875.0 / 199316789632}, {5, -1453857185.0 / 822651844},   {6, 69997945.0 / 29380423},
};
static const unsigned char dp54_d_lengths[] = {6};
const pc_rk_table pc_rk_dp54 = {.stages = 6,
                                .c = dp54_c,
                                .a = dp54_a,
                                .lengths = dp54_a_lengths,
                                .errors = 1,
                                .e = dp54_e,
                                .e_lengths = dp54_e_lengths,
                                .high = 1,
                                .d = dp54_d,
                                .d_lengths = dp54_d_lengths};

/* DOP853 has a file of its own. */
const pc_rk_table pc_rk_dop853 = PC_RK_DOP853;
