/* Eigenvalues of small symmetric matrices. */
#ifndef PC_BODY_EIGEN_H
#define PC_BODY_EIGEN_H

/* Eigenvalues of a symmetric 3 x 3 matrix in descending order; column k of `vectors` (element [i][k]) belongs to
 * values[k]; the columns are orthonormal. Reads the upper triangle. */
void pc_eigen_symmetric3(double matrix[3][3], double values[3], double vectors[3][3]);

#endif
