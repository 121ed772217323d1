/* Eigenvalues of a symmetric 3 x 3 matrix by Jacobi's rotations (Golub and Van Loan, Matrix Computations, 8.5).
 *
 * Jacobi rather than the trigonometric closed form: the small eigenvalues decide ranks, and Jacobi finds them with
 * an error of the order of rounding in the matrix, where the closed form loses half of the digits at double roots.
 */
#include "math/eigen.h"

#include <math.h>

/* Zero element (p, q) of a by a rotation, and collect the rotation in v. */
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0) return;
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1));
    double c = 1 / hypot(t, 1), s = t * c;
    int r = 3 - p - q;
    double app = a[p][p] - t * a[p][q], aqq = a[q][q] + t * a[p][q];
    double arp = c * a[r][p] - s * a[r][q], arq = s * a[r][p] + c * a[r][q];
    a[p][p] = app, a[q][q] = aqq;
    a[p][q] = a[q][p] = 0;
    a[r][p] = a[p][r] = arp, a[r][q] = a[q][r] = arq;
    for (int i = 0; i < 3; i++) {
        double vip = v[i][p], viq = v[i][q];
        v[i][p] = c * vip - s * viq;
        v[i][q] = s * vip + c * viq;
    }
}

static void swap_columns(double values[3], double v[3][3], int i, int j)
{
    double x = values[i];
    values[i] = values[j], values[j] = x;
    for (int k = 0; k < 3; k++) {
        x = v[k][i];
        v[k][i] = v[k][j], v[k][j] = x;
    }
}

void pc_eigen_symmetric3(double matrix[3][3], double values[3], double vectors[3][3])
{
    double a[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            a[i][j] = i <= j ? matrix[i][j] : matrix[j][i];
            vectors[i][j] = i == j;
        }
    /* convergence is quadratic: six sweeps are enough for 3 x 3 in double, the bound keeps NaN from looping */
    for (int sweep = 0; sweep < 12 && (a[0][1] != 0 || a[0][2] != 0 || a[1][2] != 0); sweep++) {
        rotate(a, vectors, 0, 1);
        rotate(a, vectors, 0, 2);
        rotate(a, vectors, 1, 2);
    }
    for (int i = 0; i < 3; i++) values[i] = a[i][i];
    if (values[0] < values[1]) swap_columns(values, vectors, 0, 1);
    if (values[1] < values[2]) swap_columns(values, vectors, 1, 2);
    if (values[0] < values[1]) swap_columns(values, vectors, 0, 1);
}
