/* Matrices of an elastic body of revolution: see elastic.h. */
#include "elastic/elastic.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* ---- the matrices of one cell ---- */

enum { CORNERS = 4, CELL0 = 2 * CORNERS, CELL1 = 3 * CORNERS };

/* Harmonic 0 in order (U, W) of each corner, harmonic 1 (p, s, W); mass of each corner, kg. */
typedef struct cell {
    double K0[CELL0][CELL0], K1[CELL1][CELL1], mass[CORNERS];
} cell;

/* Strains e_rr, e_zz, e_tt, g_rz of harmonic 0, and with g_rt, g_tz of harmonic 1, by the displacements of a corner
 * with shape function N and its derivatives. */
static void strains(double N, double Nr, double Nz, double r, double B0[4][2], double B1[6][3])
{
    const double b0[4][2] = {{Nr, 0}, {0, Nz}, {N / r, 0}, {Nz, Nr}};
    /* U = s + p, V = s - p: e_tt = (U + V)/r, g_rz = U,z + W,r, g_rt = V,r - (U + V)/r, g_tz = V,z - W/r */
    const double b1[6][3] = {{Nr, Nr, 0},      {0, 0, Nz}, {0, 2 * N / r, 0}, {Nz, Nz, Nr}, {-Nr, Nr - 2 * N / r, 0},
                             {-Nz, Nz, -N / r}};
    memcpy(B0, b0, sizeof b0);
    memcpy(B1, b1, sizeof b1);
}

/* Add w B' D B of n columns in rows of `side`; the first three strains are normal ones. */
static void add_stiffness(int rows, int n, const double *B, double lame, double shear, double w, double *K)
{
    for (int a = 0; a < n; a++) {
        double trace = B[a] + B[n + a] + B[2 * n + a];
        for (int b = a; b < n; b++) {
            double sum = lame * trace * (B[b] + B[n + b] + B[2 * n + b]);
            for (int i = 0; i < rows; i++) sum += (i < 3 ? 2 : 1) * shear * B[i * n + a] * B[i * n + b];
            K[a * n + b] += w * sum;
            if (b > a) K[b * n + a] += w * sum;
        }
    }
}

/* Corners in order round the cell, either way. */
static void make_cell(const double r[CORNERS], const double z[CORNERS], double lame, double shear, double density,
                      cell *out)
{
    static const double sx[CORNERS] = {-1, 1, 1, -1}, sy[CORNERS] = {-1, -1, 1, 1};
    *out = (cell){0};
    for (int g = 0; g < 4; g++) {
        double x = sx[g] / sqrt(3), y = sy[g] / sqrt(3), N[CORNERS], Nx[CORNERS], Ny[CORNERS];
        double rx = 0, ry = 0, zx = 0, zy = 0, at = 0;
        for (int a = 0; a < CORNERS; a++) {
            N[a] = (1 + sx[a] * x) * (1 + sy[a] * y) / 4;
            Nx[a] = sx[a] * (1 + sy[a] * y) / 4, Ny[a] = sy[a] * (1 + sx[a] * x) / 4;
            rx += Nx[a] * r[a], ry += Ny[a] * r[a], zx += Nx[a] * z[a], zy += Ny[a] * z[a], at += N[a] * r[a];
        }
        double det = rx * zy - ry * zx, w = M_PI * at * fabs(det);
        double B0[4][CELL0], B1[6][CELL1];
        for (int a = 0; a < CORNERS; a++) {
            double b0[4][2], b1[6][3];
            strains(N[a], (Nx[a] * zy - Ny[a] * zx) / det, (Ny[a] * rx - Nx[a] * ry) / det, at, b0, b1);
            for (int i = 0; i < 4; i++) memcpy(&B0[i][2 * a], b0[i], sizeof b0[i]);
            for (int i = 0; i < 6; i++) memcpy(&B1[i][3 * a], b1[i], sizeof b1[i]);
            out->mass[a] += 2 * w * density * N[a];
        }
        add_stiffness(4, CELL0, B0[0], lame, shear, 2 * w, out->K0[0]);
        add_stiffness(6, CELL1, B1[0], lame, shear, w, out->K1[0]);
    }
}

/* Displacements that are 0 on the axis. */
static bool pinned(int m, int component, double r)
{
    return r == 0 && (m == 0 ? component == 0 : component > 0);
}

static double cell_entry(const cell *e, int m, int a, int i, int b, int j)
{
    return m == 0 ? e->K0[2 * a + i][2 * b + j] : e->K1[3 * a + i][3 * b + j];
}

/* Share of the mass that moves with a component: cos^2 and sin^2 have the mean 1/2, and U'^2 + V'^2 = 2 (p'^2 + s'^2).
 */
static double mass_share(const pc_elastic_model *model, int m, int component)
{
    return m == 1 && component == 2 ? model->axial_share : 1;
}

/* ---- blocks ---- */

static pc_status block_reserve(pc_elastic_block *b, int positions, int layers, pc_error *err)
{
    *b = (pc_elastic_block){.positions = positions, .pitch = (positions + 4) / 4 * 4, .layers = layers};
    size_t pitch = (size_t)b->pitch, rows = (size_t)layers + 2, nodes = pc_elastic_nodes(b);
    size_t stiffness[2] = {19 * pitch * rows + 2 * pitch, 42 * pitch * rows + 2 * pitch};
    b->memory = pc_calloc(stiffness[0] + stiffness[1] + 5 * nodes, sizeof *b->memory);
    if (!b->memory) return pc_fail(err, PC_E_MEMORY, "not enough memory for a mesh of %d layers", layers);
    double *at = b->memory;
    for (int m = 0; m < 2; m++) {
        b->coefficient[m] = at + (size_t)pc_elastic_diagonals(m) * pitch + pitch;
        at += stiffness[m];
    }
    for (int m = 0; m < 2; m++) {
        b->inverse_mass[m] = at;
        at += (size_t)pc_elastic_components(m) * nodes;
    }
    return PC_OK;
}

/* The first diagonal of an offset: none, next position, pitch - 1, pitch, pitch + 1. */
static int offset_diagonal(int m, int rank)
{
    int own = m == 0 ? 3 : 6, each = m == 0 ? 4 : 9;
    return rank == 0 ? 0 : own + (rank - 1) * each;
}

/* Add entry (i, j) of nodes at (layer, position) and the place `rank` behind it. */
static void block_add(pc_elastic_block *b, int m, int layer, int position, int rank, int i, int j, double k)
{
    int n = pc_elastic_components(m), d = offset_diagonal(m, rank);
    if (rank == 0) {
        if (j < i) return;
        d += i * n - i * (i - 1) / 2 + j - i;
    } else
        d += i * n + j;
    b->coefficient[m][((ptrdiff_t)layer * pc_elastic_diagonals(m) + d) * b->pitch + position] += k;
}

/* Add a cell whose corners, in order, are nodes (layer, position), the next position, both in the next layer. */
static void block_cell(pc_elastic_block *b, int layer, int position, const cell *e, const double r[CORNERS])
{
    static const int dl[CORNERS] = {0, 0, 1, 1}, dp[CORNERS] = {0, 1, 1, 0};
    for (int m = 0; m < 2; m++)
        for (int a = 0; a < CORNERS; a++)
            for (int c = 0; c < CORNERS; c++) {
                int down = dl[c] - dl[a], along = dp[c] - dp[a];
                if (down < 0 || (down == 0 && along < 0)) continue;
                int rank = down == 0 ? along : 3 + along;
                for (int i = 0; i < pc_elastic_components(m); i++)
                    for (int j = 0; j < pc_elastic_components(m); j++)
                        if (!pinned(m, i, r[a]) && !pinned(m, j, r[c]))
                            block_add(b, m, layer + dl[a], position + dp[a], rank, i, j, cell_entry(e, m, a, i, c, j));
            }
}

/* ---- dense and banded matrices: loops run along rows, which the compiler makes vectors of ---- */

/* U'DU of a symmetric matrix with half-bandwidth w, in place; entry (k, i) at k (w + 1) + i - k. */
static void band_factor(double *a, size_t n, size_t w)
{
    for (size_t k = 0; k < n; k++) {
        double *restrict row = a + k * (w + 1);
        size_t last = k + w < n ? w : n - 1 - k;
        for (size_t i = 1; i <= last; i++) {
            double share = row[i] / row[0];
            if (share == 0) continue;
            double *restrict to = a + (k + i) * (w + 1);
            for (size_t j = i; j <= last; j++) to[j - i] -= share * row[j];
        }
    }
}

/* Solve for `columns` right-hand sides, n x columns. */
static void band_solve(const double *a, size_t n, size_t w, double *b, size_t columns)
{
    for (size_t k = 0; k < n; k++) {
        const double *row = a + k * (w + 1);
        double *restrict from = b + k * columns;
        size_t last = k + w < n ? w : n - 1 - k;
        for (size_t i = 1; i <= last; i++) {
            double share = row[i] / row[0];
            if (share == 0) continue;
            double *restrict to = b + (k + i) * columns;
            for (size_t c = 0; c < columns; c++) to[c] -= share * from[c];
        }
    }
    for (size_t k = n; k-- > 0;) {
        const double *row = a + k * (w + 1);
        double *restrict to = b + k * columns, inverse = 1 / row[0];
        size_t last = k + w < n ? w : n - 1 - k;
        for (size_t c = 0; c < columns; c++) to[c] *= inverse;
        for (size_t i = 1; i <= last; i++) {
            double share = row[i] * inverse;
            if (share == 0) continue;
            const double *restrict from = b + (k + i) * columns;
            for (size_t c = 0; c < columns; c++) to[c] -= share * from[c];
        }
    }
}

/* C += A B, A: n x m, B: m x q. */
static void add_product(size_t n, size_t m, size_t q, const double *A, const double *B, double *C)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++) {
            double x = A[i * m + k];
            const double *restrict row = B + k * q;
            double *restrict to = C + i * q;
            if (x != 0)
                for (size_t j = 0; j < q; j++) to[j] += x * row[j];
        }
}

/* C += A' B, A: m x n, B: m x q. */
static void add_transposed_product(size_t n, size_t m, size_t q, const double *A, const double *B, double *C)
{
    for (size_t k = 0; k < m; k++)
        for (size_t i = 0; i < n; i++) {
            double x = A[k * n + i];
            const double *restrict row = B + k * q;
            double *restrict to = C + i * q;
            if (x != 0)
                for (size_t j = 0; j < q; j++) to[j] += x * row[j];
        }
}

/* ---- the patch: elimination from the inside outwards ---- */

/* Of the innermost layer kept so far: stiffness and mass of all that lies within, by which it moves, and contact. */
typedef struct front {
    int m;
    size_t boundary, contacts;
    double *K, *M, *X, *S; /* S: contacts x contacts; X: contacts x boundary */
    double *A, *work, *outer;
} front;

static pc_status front_make(front *f, int m, int positions, int rings, pc_error *err)
{
    size_t nb = (size_t)(pc_elastic_components(m) * positions), nc = (size_t)((m == 0 ? 2 : 1) * rings);
    *f = (front){.m = m, .boundary = nb, .contacts = nc};
    double *at = pc_calloc(5 * nb * nb + nc * nb + nc * nc, sizeof *at);
    if (!at) return pc_fail(err, PC_E_MEMORY, "not enough memory for the matrices of the contact");
    f->K = at, f->M = at + nb * nb, f->A = at + 2 * nb * nb, f->work = at + 3 * nb * nb, f->outer = at + 4 * nb * nb;
    f->X = at + 5 * nb * nb, f->S = f->X + nc * nb;
    return PC_OK;
}

static pc_status level_make(pc_elastic_patch *p, size_t inner, const front *f, double **T, double **Y, pc_error *err)
{
    *T = p->T[p->levels] = pc_calloc(inner * f->boundary, sizeof **T);
    *Y = p->Y[p->levels] = pc_calloc(inner * f->contacts, sizeof **Y);
    p->levels++;
    if (!*T || !*Y) return pc_fail(err, PC_E_MEMORY, "not enough memory for the matrices of the contact");
    return PC_OK;
}

static void mesh_corner(const pc_elastic_mesh *mesh, int node, double *r, double *z)
{
    const bool inside = node < mesh->n_inner;
    *r = inside ? mesh->inner_r[node] : mesh->boundary_r[node - mesh->n_inner];
    *z = inside ? mesh->inner_z[node] : mesh->boundary_z[node - mesh->n_inner];
}

static void core_cell(const pc_elastic_model *model, int quad, cell *e, double r[CORNERS], double z[CORNERS])
{
    for (int a = 0; a < CORNERS; a++) mesh_corner(&model->mesh, model->mesh.quads[4 * quad + a], &r[a], &z[a]);
    make_cell(r, z, model->lame, model->shear, model->density, e);
}

/* The displacement of a ring that contact quantity c is about: its component. Harmonic 0 has W, then U; harmonic 1 p.
 */
static int contact_component(int m, size_t c, size_t rings)
{
    return m == 0 ? (c < rings ? 1 : 0) : 0;
}

/* T and Y of what is eliminated, by its stiffness in band form, its coupling with what lies outside and the places of
 * the contact forces, which are in the last columns of `both`; K gets what that adds to the stiffness outside. */
static void solve_inner(front *f, size_t inner, double *band, size_t w, const double *coupling, double *both, double *T,
                        double *Y)
{
    const size_t nb = f->boundary, nc = f->contacts;
    for (size_t i = 0; i < inner; i++)
        for (size_t j = 0; j < nb; j++) both[i * (nb + nc) + j] = -coupling[i * nb + j];
    band_factor(band, inner, w);
    band_solve(band, inner, w, both, nb + nc);
    for (size_t i = 0; i < inner; i++) {
        memcpy(T + i * nb, both + i * (nb + nc), nb * sizeof *T);
        memcpy(Y + i * nc, both + i * (nb + nc) + nb, nc * sizeof *Y);
    }
    add_transposed_product(nb, inner, nb, coupling, T, f->K);
}

/* Eliminate the inner nodes: into the front of their boundary. */
static pc_status eliminate_core(const pc_elastic_model *model, front *f, pc_elastic_patch *patch, pc_error *err)
{
    const pc_elastic_mesh *mesh = &model->mesh;
    const int m = f->m, comps = pc_elastic_components(m);
    const size_t inner = (size_t)(mesh->n_inner * comps), rings = (size_t)mesh->n_rings;
    size_t w = 0;
    for (int q = 0; q < mesh->n_quads; q++)
        for (int a = 0; a < CORNERS; a++)
            for (int b = 0; b < CORNERS; b++) {
                int i = mesh->quads[4 * q + a], j = mesh->quads[4 * q + b];
                if (i <= j && j < mesh->n_inner && (size_t)((j - i + 1) * comps - 1) > w)
                    w = (size_t)((j - i + 1) * comps - 1);
            }
    double *T, *Y;
    pc_status status = level_make(patch, inner, f, &T, &Y, err);
    if (status) return status;
    size_t columns = f->boundary + f->contacts;
    double *band = pc_calloc(inner * (w + 1) + inner * (columns + f->boundary) + 2 * inner, sizeof *band);
    if (!band) return pc_fail(err, PC_E_MEMORY, "not enough memory for the matrices of the contact");
    double *both = band + inner * (w + 1), *coupling = both + inner * columns; /* coupling with the boundary */
    double *mass = coupling + inner * f->boundary, *free = mass + inner;
    for (int n = 0; n < mesh->n_inner; n++)
        for (int c = 0; c < comps; c++) free[n * comps + c] = pinned(m, c, mesh->inner_r[n]) ? 0 : 1;
    for (int q = 0; q < mesh->n_quads; q++) {
        cell e;
        double r[CORNERS], z[CORNERS];
        core_cell(model, q, &e, r, z);
        for (int a = 0; a < CORNERS; a++) {
            int na = mesh->quads[4 * q + a];
            for (int i = 0; i < comps; i++) {
                size_t at =
                    na < mesh->n_inner ? (size_t)(na * comps + i) : (size_t)(i * mesh->n_boundary + na - mesh->n_inner);
                if (na < mesh->n_inner)
                    mass[at] += free[at] * e.mass[a] * mass_share(model, m, i);
                else if (!pinned(m, i, r[a]))
                    f->M[at * f->boundary + at] += e.mass[a] * mass_share(model, m, i);
                for (int b = 0; b < CORNERS; b++) {
                    int nb = mesh->quads[4 * q + b];
                    for (int j = 0; j < comps; j++) {
                        if (pinned(m, i, r[a]) || pinned(m, j, r[b])) continue;
                        double k = cell_entry(&e, m, a, i, b, j);
                        size_t to = nb < mesh->n_inner ? (size_t)(nb * comps + j)
                                                       : (size_t)(j * mesh->n_boundary + nb - mesh->n_inner);
                        if (na < mesh->n_inner && nb < mesh->n_inner) {
                            if (to >= at) band[at * (w + 1) + to - at] += k;
                        } else if (na < mesh->n_inner)
                            coupling[at * f->boundary + to] += k;
                        else if (nb >= mesh->n_inner)
                            f->K[at * f->boundary + to] += k;
                    }
                }
            }
        }
    }
    for (size_t i = 0; i < inner; i++)
        if (free[i] == 0) band[i * (w + 1)] = 1;
    for (size_t c = 0; c < f->contacts; c++) {
        size_t at = (c % rings) * (size_t)comps + (size_t)contact_component(m, c, rings);
        both[at * columns + f->boundary + c] = free[at];
    }
    solve_inner(f, inner, band, w, coupling, both, T, Y);
    double *scaled = coupling; /* mass T */
    for (size_t i = 0; i < inner; i++)
        for (size_t a = 0; a < f->boundary; a++) scaled[i * f->boundary + a] = mass[i] * T[i * f->boundary + a];
    add_transposed_product(f->boundary, inner, f->boundary, scaled, T, f->M);
    for (size_t c = 0; c < f->contacts; c++) {
        size_t at = (c % rings) * (size_t)comps + (size_t)contact_component(m, c, rings);
        memcpy(f->X + c * f->boundary, T + at * f->boundary, f->boundary * sizeof *T);
        memcpy(f->S + c * f->contacts, Y + at * f->contacts, f->contacts * sizeof *Y);
    }
    pc_free(band);
    return PC_OK;
}

/* A cell of the mesh by its number, and its matrices. */
static void mesh_cell(const pc_elastic_model *model, int which, pc_elastic_cell *at, cell *e)
{
    pc_elastic_mesh_cell(&model->mesh, which, at);
    make_cell(at->r, at->z, model->lame, model->shear, model->density, e);
}

/* Eliminate layer k: its front becomes that of layer k + 1. */
static pc_status eliminate_layer(const pc_elastic_model *model, int layer, front *f, pc_elastic_patch *patch,
                                 pc_error *err)
{
    const int positions = model->mesh.positions, comps = pc_elastic_components(f->m);
    const size_t nb = f->boundary, nc = f->contacts;
    double *T, *Y;
    pc_status status = level_make(patch, nb, f, &T, &Y, err);
    if (status) return status;
    /* of the layer outside: the coupling with it, its stiffness and its mass */
    double *coupling = f->A, *outer_mass = f->work;
    memset(coupling, 0, nb * nb * sizeof *coupling);
    memset(f->outer, 0, nb * nb * sizeof *f->outer);
    memset(outer_mass, 0, nb * sizeof *outer_mass);
    for (int position = 0; position + 1 < positions; position++) {
        static const int dl[CORNERS] = {0, 0, 1, 1}, dp[CORNERS] = {0, 1, 1, 0};
        pc_elastic_cell corners;
        cell e;
        mesh_cell(model, layer * (positions - 1) + position, &corners, &e);
        for (int a = 0; a < CORNERS; a++)
            for (int i = 0; i < comps; i++) {
                if (pinned(f->m, i, corners.r[a])) continue;
                size_t at = (size_t)(i * positions + position + dp[a]);
                double mass = e.mass[a] * mass_share(model, f->m, i);
                if (dl[a] == 0)
                    f->M[at * nb + at] += mass;
                else
                    outer_mass[at] += mass;
                for (int b = 0; b < CORNERS; b++)
                    for (int j = 0; j < comps; j++) {
                        if (pinned(f->m, j, corners.r[b])) continue;
                        size_t to = (size_t)(j * positions + position + dp[b]);
                        double k = cell_entry(&e, f->m, a, i, b, j);
                        if (dl[a] == 0 && dl[b] == 0) f->K[at * nb + to] += k;
                        if (dl[a] == 0 && dl[b] == 1) coupling[at * nb + to] += k;
                        if (dl[a] == 1 && dl[b] == 1) f->outer[at * nb + to] += k;
                    }
            }
    }
    /* banded storage with full rows; what lies beyond the matrix is not read */
    double *band = pc_calloc(nb * nb + nb * (nb + nc), sizeof *band);
    if (!band) return pc_fail(err, PC_E_MEMORY, "not enough memory for the matrices of the contact");
    double *both = band + nb * nb;
    for (size_t k = 0; k < nb; k++) {
        for (size_t i = k; i < nb; i++) band[k * nb + i - k] = f->K[k * nb + i];
        if (band[k * nb] == 0) band[k * nb] = 1; /* pinned */
        for (size_t c = 0; c < nc; c++) both[k * (nb + nc) + nb + c] = f->X[c * nb + k];
    }
    memcpy(f->K, f->outer, nb * nb * sizeof *f->K);
    solve_inner(f, nb, band, nb - 1, coupling, both, T, Y);
    double *mean = band; /* X T */
    memset(mean, 0, nc * nb * sizeof *mean);
    add_product(nc, nb, nc, f->X, Y, f->S);
    add_product(nc, nb, nb, f->X, T, mean);
    memcpy(f->X, mean, nc * nb * sizeof *mean);
    if (model->density > 0) {
        memset(both, 0, nb * nb * sizeof *both);
        add_product(nb, nb, nb, f->M, T, both);
        memset(f->M, 0, nb * nb * sizeof *f->M);
        add_transposed_product(nb, nb, nb, T, both, f->M);
        for (size_t k = 0; k < nb; k++) f->M[k * nb + k] += outer_mass[k];
    }
    pc_free(band);
    return PC_OK;
}

/* The inverse of the boundary's mass; pinned displacements have none and stay. */
static void invert_mass(const pc_elastic_patch *p, double *inverse, double *band)
{
    size_t n = (size_t)p->boundary;
    memset(inverse, 0, n * n * sizeof *inverse);
    for (size_t k = 0; k < n; k++) {
        for (size_t i = k; i < n; i++) band[k * n + i - k] = p->mass[k * n + i];
        if (band[k * n] == 0)
            band[k * n] = 1;
        else
            inverse[k * n + k] = 1;
    }
    band_factor(band, n, n - 1);
    band_solve(band, n, n - 1, inverse, n);
}

/* ---- what a mesh has wrong beneath a ring ---- */

/* S of harmonic m of the half-space's mesh. Where what lies beyond a distance R is held, it is S - c/R - d/R^3; the
 * last layer, and those at a half and at a quarter of its distance, give S. */
static pc_status half_space_compliance(const pc_elastic_model *half, int m, int doubling, double *S, pc_error *err)
{
    static const double shares[3] = {16.0 / 7, -10.0 / 7, 1.0 / 7};
    const int last = half->mesh.layers - 1;
    pc_elastic_patch p = {0};
    double *T = NULL, *Y = NULL;
    p.T = &T, p.Y = &Y;
    front f;
    pc_status status = front_make(&f, m, half->mesh.n_boundary, half->mesh.n_rings, err);
    for (int k = -1; k < last && !status; k++) {
        p.levels = 0;
        if (pc_interrupted())
            status = pc_fail(err, PC_E_INTERRUPTED, "interrupted while matrices are made");
        else
            status = k < 0 ? eliminate_core(half, &f, &p, err) : eliminate_layer(half, k, &f, &p, err);
        pc_free(T), pc_free(Y);
        T = Y = NULL;
        int behind = last - (k + 1);
        if (status || behind % doubling != 0 || behind > 2 * doubling) continue;
        for (size_t i = 0; i < f.contacts * f.contacts; i++) S[i] += shares[behind / doubling] * f.S[i];
    }
    pc_free(f.K);
    return status;
}

/* Add to the tangential compliance of the rings what makes it (2 - nu)/(2 (1 - nu)) times the normal one in a
 * half-space, as it is there for loads that turn about the axis (Boussinesq and Cerruti; Mindlin 1949).
 *
 * A ring of a mesh is too stiff by what its cells are too coarse for, more so across than along the normal: by 0.02 of
 * its own compliance, and its neighbours less than a fifth of that. Sums of smooth loads do not notice, but the edge of
 * contact, where a ring lies that has no neighbour, makes psi2 converge with the first power of cells. Only cells
 * beside the ring matter, hence the half-space. */
static pc_status mend_compliance(const pc_elastic_model *model, pc_elastic_patch *p, pc_error *err)
{
    const double poisson = model->lame / (2 * (model->lame + model->shear));
    const size_t n = (size_t)model->mesh.n_rings;
    pc_elastic_model half = {.shear = 1, .lame = model->lame / model->shear};
    double *S = pc_calloc(5 * n * n, sizeof *S);
    pc_status status = S ? PC_OK : pc_fail(err, PC_E_MEMORY, "not enough memory for %zu rings", n);
    /* layers grow as those of a sphere do, and blend into circles before a quarter of the distance, 3 times the core */
    const int doubling = (int)ceil(4 * log(2) / M_PI * (double)n), quarter = (int)ceil(4 * log(3) / M_PI * (double)n);
    if (!status) status = pc_elastic_mesh_half_space((int)n, doubling, quarter + 2 * doubling + 1, &half.mesh, err);
    if (!status) status = half_space_compliance(&half, 0, doubling, S, err);
    if (!status) status = half_space_compliance(&half, 1, doubling, S + 4 * n * n, err);
    const double ratio = (2 - poisson) / (2 * (1 - poisson)), unit = 1 / (model->shear * model->mesh.inner_r[1]);
    for (size_t i = 0; i < n && !status; i++)
        for (size_t j = 0; j < n; j++) p->S[i * n + j] += unit * (ratio * S[2 * n * i + j] - S[4 * n * n + n * i + j]);
    pc_free(S);
    pc_elastic_mesh_free(&half.mesh);
    return status;
}

static pc_status make_patch(pc_elastic_model *model, int m, pc_error *err)
{
    pc_elastic_patch *p = &model->patch[m];
    const pc_elastic_mesh *mesh = &model->mesh;
    front f;
    pc_status status = front_make(&f, m, mesh->n_boundary, mesh->n_rings, err);
    if (status) return status;
    size_t nb = f.boundary, nc = f.contacts;
    *p = (pc_elastic_patch){.boundary = (int)nb, .contacts = (int)nc, .K = f.K, .X = f.X, .S = f.S};
    p->T = pc_calloc((size_t)model->first + 1, sizeof *p->T);
    p->Y = pc_calloc((size_t)model->first + 1, sizeof *p->Y);
    if (!p->T || !p->Y) status = pc_fail(err, PC_E_MEMORY, "not enough memory for the matrices of the contact");
    if (!status) status = eliminate_core(model, &f, p, err);
    for (int k = 0; k < model->first && !status; k++)
        status = pc_interrupted() ? pc_fail(err, PC_E_INTERRUPTED, "interrupted while matrices are made")
                                  : eliminate_layer(model, k, &f, p, err);
    if (!status && !mesh->core_moves) {
        p->mass = f.M, p->inverse_mass = f.A;
        for (int c = 0; c < pc_elastic_components(m); c++)
            for (int k = 0; k < mesh->positions; k++) {
                size_t at = (size_t)(c * mesh->positions + k);
                if (!pinned(m, c, model->r[PC_ELASTIC_BODY][k]))
                    p->mass[at * nb + at] += model->mass[PC_ELASTIC_BODY][k] * mass_share(model, m, c);
            }
        invert_mass(p, p->inverse_mass, f.outer);
    }
    if (!status && m == 1 && mesh->side) status = mend_compliance(model, p, err);
    return status;
}

/* ---- what moves ---- */

/* Places, masses and stiffness of a part of what moves, whose nodes and cells follow one another in the mesh; of the
 * first rows of cells, `from` of them, it has nothing. */
static void fill_part(pc_elastic_model *model, int part, const double *r, const double *z, int first_cell, int from)
{
    pc_elastic_block *b = &model->part[part];
    for (int row = 0; row < b->layers; row++)
        for (int k = 0; k < b->positions; k++) {
            model->r[part][row * b->pitch + k] = r[row * b->positions + k];
            model->z[part][row * b->pitch + k] = z[row * b->positions + k];
        }
    for (int row = from; row + 1 < b->layers; row++)
        for (int k = 0; k + 1 < b->positions; k++) {
            const int low = row * b->pitch + k, high = low + b->pitch, to[CORNERS] = {low, low + 1, high + 1, high};
            pc_elastic_cell at;
            cell e;
            mesh_cell(model, first_cell + row * (b->positions - 1) + k, &at, &e);
            for (int a = 0; a < CORNERS; a++) model->mass[part][to[a]] += e.mass[a];
            block_cell(b, row, k, &e, at.r);
        }
}

/* Where the core moves, the nodes above take the mass of the rings. */
static void lift_masses(pc_elastic_model *model)
{
    const pc_elastic_mesh *mesh = &model->mesh;
    const size_t margin = pc_elastic_margin(&model->part[PC_ELASTIC_CORE]);
    for (int q = 0; q < mesh->n_quads; q++) {
        cell e;
        double r[CORNERS], z[CORNERS];
        core_cell(model, q, &e, r, z);
        for (int a = 0; a < CORNERS; a++) {
            int node = mesh->quads[4 * q + a];
            int to = node < mesh->n_inner ? mesh->upward[node] : node - mesh->n_inner;
            model->mass[PC_ELASTIC_CORE][model->boundary_place[to] - margin] += e.mass[a];
        }
    }
}

/* Nodes of a square's edge move with a layer of the body, which takes their masses. */
static void join_masses(pc_elastic_model *model, int part, int layer)
{
    const pc_elastic_block *b = &model->part[PC_ELASTIC_BODY];
    for (int k = 0; k < b->positions; k++) {
        double *mass = &model->mass[part][model->edge_place[k] - pc_elastic_margin(&model->part[part])];
        model->mass[PC_ELASTIC_BODY][layer * b->pitch + k] += *mass;
        *mass = 0;
    }
}

static void set_inverse_masses(pc_elastic_model *model, int part)
{
    const pc_elastic_block *b = &model->part[part];
    for (int m = 0; m < 2; m++)
        for (int c = 0; c < pc_elastic_components(m); c++)
            for (size_t k = 0; k < pc_elastic_nodes(b); k++) {
                double mass = model->mass[part][k];
                if (mass > 0 && !pinned(m, c, model->r[part][k]))
                    b->inverse_mass[m][(size_t)c * pc_elastic_nodes(b) + k] = 1 / (mass * mass_share(model, m, c));
            }
}

/* ---- fields ---- */

size_t pc_elastic_field_room(const pc_elastic_model *model, int m)
{
    size_t room = 0;
    for (int part = 0; part < PC_ELASTIC_PARTS; part++)
        if (model->part[part].layers) room += (size_t)pc_elastic_components(m) * pc_elastic_room(&model->part[part]);
    return room;
}

pc_elastic_field pc_elastic_field_in(const pc_elastic_model *model, int m, double *memory)
{
    pc_elastic_field field = {{NULL}};
    for (int part = 0; part < PC_ELASTIC_PARTS; part++) {
        if (!model->part[part].layers) continue;
        field.part[part] = memory;
        memory += (size_t)pc_elastic_components(m) * pc_elastic_room(&model->part[part]);
    }
    return field;
}

void pc_elastic_model_rigid(const pc_elastic_model *model, int m, const double rigid[3], pc_elastic_field v)
{
    const double zc = model->mesh.height;
    for (int part = 0; part < PC_ELASTIC_PARTS; part++) {
        const pc_elastic_block *b = &model->part[part];
        for (int c = 0; c < pc_elastic_components(m); c++)
            for (size_t k = 0; k < (b->layers ? pc_elastic_nodes(b) : 0); k++) {
                bool moves = b->inverse_mass[m][(size_t)c * pc_elastic_nodes(b) + k] > 0;
                /* of harmonic 1: p = v_x - (z - zc) omega, W = r omega */
                double x = m == 0   ? (c == 1 ? rigid[1] : 0)
                           : c == 0 ? rigid[0] - (model->z[part][k] - zc) * rigid[2]
                           : c == 2 ? model->r[part][k] * rigid[2]
                                    : 0;
                v.part[part][(size_t)c * pc_elastic_room(b) + pc_elastic_margin(b) + k] = moves ? x : 0;
            }
    }
}

/* Where the patch's boundary lies. */
static inline int boundary_part(const pc_elastic_model *model)
{
    return model->mesh.core_moves ? PC_ELASTIC_CORE : PC_ELASTIC_BODY;
}

enum { BOUNDARY_MOST = 3 * 512 };

/* Of displacements, or to forces, those of the boundary, all components one after the other: layer 0 lies as it is, the
 * core's nodes have places. */
static void gather(const pc_elastic_model *model, int m, pc_elastic_field u, double out[BOUNDARY_MOST])
{
    const int part = boundary_part(model), n = model->mesh.n_boundary;
    for (int c = 0; c < pc_elastic_components(m); c++) {
        const double *component = u.part[part] + (size_t)c * pc_elastic_room(&model->part[part]);
        for (int k = 0; k < n; k++) out[c * n + k] = component[model->boundary_place[k]];
    }
}

static void scatter(const pc_elastic_model *model, int m, const double *in, pc_elastic_field f)
{
    const int part = boundary_part(model), n = model->mesh.n_boundary;
    for (int c = 0; c < pc_elastic_components(m); c++) {
        double *component = f.part[part] + (size_t)c * pc_elastic_room(&model->part[part]);
        for (int k = 0; k < n; k++) component[model->boundary_place[k]] += in[c * n + k];
    }
}

/* out += factor row, of n numbers. */
static inline void add_row(int n, double factor, const double *restrict row, double *restrict out)
{
    for (int l = 0; l < n; l++) out[l] += factor * row[l];
}

/* The edge of a square is where the layer of the body is. */
static void lend_edge(const pc_elastic_model *model, int m, int part, int layer, pc_elastic_field u)
{
    const pc_elastic_block *b = &model->part[part], *body = &model->part[PC_ELASTIC_BODY];
    for (int c = 0; c < pc_elastic_components(m); c++) {
        const double *from = u.part[PC_ELASTIC_BODY] + (size_t)c * pc_elastic_room(body) + pc_elastic_margin(body) +
                             (size_t)(layer * body->pitch);
        double *to = u.part[part] + (size_t)c * pc_elastic_room(b);
        for (int k = 0; k < body->positions; k++) to[model->edge_place[k]] = from[k];
    }
}

void pc_elastic_model_contact(const pc_elastic_model *model, int m, pc_elastic_field u, double *w)
{
    const pc_elastic_patch *p = &model->patch[m];
    double at[BOUNDARY_MOST];
    if (model->mesh.core_moves) lend_edge(model, m, PC_ELASTIC_CORE, 0, u);
    gather(model, m, u, at);
    for (int c = 0; c < p->contacts; c++) {
        const double *row = p->X + (size_t)c * (size_t)p->boundary;
        double sum[4] = {0};
        int k = 0;
        for (; k + 4 <= p->boundary; k += 4)
            for (int l = 0; l < 4; l++) sum[l] += row[k + l] * at[k + l];
        for (; k < p->boundary; k++) sum[0] += row[k] * at[k];
        w[c] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

/* A square whose edge is a layer of the body gives its forces to that. */
static void join(const pc_elastic_model *model, int m, int part, int layer, pc_elastic_field f)
{
    const pc_elastic_block *b = &model->part[part], *body = &model->part[PC_ELASTIC_BODY];
    const size_t at = pc_elastic_margin(body) + (size_t)(layer * body->pitch);
    for (int c = 0; c < pc_elastic_components(m); c++)
        for (int k = 0; k < body->positions; k++)
            f.part[PC_ELASTIC_BODY][(size_t)c * pc_elastic_room(body) + at + (size_t)k] +=
                f.part[part][(size_t)c * pc_elastic_room(b) + model->edge_place[k]];
}

void pc_elastic_model_force(const pc_elastic_model *model, int m, pc_elastic_field u, const double *P,
                            pc_elastic_field f)
{
    const pc_elastic_patch *p = &model->patch[m];
    const pc_elastic_block *body = &model->part[PC_ELASTIC_BODY];
    double at[BOUNDARY_MOST], patch[BOUNDARY_MOST] = {0};
    if (model->mesh.core_moves) lend_edge(model, m, PC_ELASTIC_CORE, 0, u);
    if (model->part[PC_ELASTIC_CAP].layers) lend_edge(model, m, PC_ELASTIC_CAP, body->layers - 1, u);
    gather(model, m, u, at);
    for (int j = 0; j < p->boundary; j++) add_row(p->boundary, -at[j], p->K + (size_t)j * (size_t)p->boundary, patch);
    for (int c = 0; c < p->contacts; c++)
        if (P[c] != 0) add_row(p->boundary, P[c], p->X + (size_t)c * (size_t)p->boundary, patch);
    for (int part = 0; part < PC_ELASTIC_PARTS; part++)
        if (model->part[part].layers) pc_elastic_force(&model->part[part], m, u.part[part], f.part[part]);
    scatter(model, m, patch, f);
    if (model->mesh.core_moves) join(model, m, PC_ELASTIC_CORE, 0, f);
    if (model->part[PC_ELASTIC_CAP].layers) join(model, m, PC_ELASTIC_CAP, body->layers - 1, f);
}

static void block_accelerate(const pc_elastic_block *b, int m, double *f)
{
    const size_t nodes = pc_elastic_nodes(b);
    for (int c = 0; c < pc_elastic_components(m); c++) {
        const double *restrict inverse = b->inverse_mass[m] + (size_t)c * nodes;
        double *restrict to = f + (size_t)c * pc_elastic_room(b) + pc_elastic_margin(b);
        for (size_t k = 0; k < nodes; k++) to[k] *= inverse[k];
    }
}

void pc_elastic_model_accelerate(const pc_elastic_model *model, int m, pc_elastic_field f)
{
    const pc_elastic_patch *p = &model->patch[m];
    double force[BOUNDARY_MOST], rate[BOUNDARY_MOST] = {0};
    if (p->mass) {
        gather(model, m, f, force);
        for (int j = 0; j < p->boundary; j++)
            add_row(p->boundary, force[j], p->inverse_mass + (size_t)j * (size_t)p->boundary, rate);
    }
    for (int part = 0; part < PC_ELASTIC_PARTS; part++)
        if (model->part[part].layers) block_accelerate(&model->part[part], m, f.part[part]);
    if (!p->mass) return;
    const pc_elastic_block *body = &model->part[PC_ELASTIC_BODY];
    for (int c = 0; c < pc_elastic_components(m); c++)
        memcpy(f.part[PC_ELASTIC_BODY] + (size_t)c * pc_elastic_room(body) + pc_elastic_margin(body),
               rate + c * body->positions, (size_t)body->positions * sizeof *rate);
}

/* ---- products ---- */

double pc_elastic_model_mass_product(const pc_elastic_model *model, int m, pc_elastic_field v, pc_elastic_field w)
{
    const pc_elastic_patch *p = &model->patch[m];
    double sum = 0;
    for (int part = 0; part < PC_ELASTIC_PARTS; part++) {
        const pc_elastic_block *b = &model->part[part];
        size_t from = part == PC_ELASTIC_BODY && p->mass ? (size_t)b->pitch : 0;
        for (int c = 0; c < pc_elastic_components(m); c++) {
            size_t at = (size_t)c * pc_elastic_room(b) + pc_elastic_margin(b);
            for (size_t k = from; b->layers && k < pc_elastic_nodes(b); k++) {
                double inverse = b->inverse_mass[m][(size_t)c * pc_elastic_nodes(b) + k];
                if (inverse > 0) sum += v.part[part][at + k] * w.part[part][at + k] / inverse;
            }
        }
    }
    if (!p->mass) return sum;
    double a[BOUNDARY_MOST], b[BOUNDARY_MOST], product[BOUNDARY_MOST] = {0};
    gather(model, m, v, a);
    gather(model, m, w, b);
    for (int j = 0; j < p->boundary; j++)
        add_row(p->boundary, b[j], p->mass + (size_t)j * (size_t)p->boundary, product);
    for (int j = 0; j < p->boundary; j++) sum += a[j] * product[j];
    return sum;
}

double pc_elastic_model_work(const pc_elastic_model *model, int m, pc_elastic_field u, pc_elastic_field f)
{
    double sum = 0;
    for (int part = 0; part < PC_ELASTIC_PARTS; part++) {
        const pc_elastic_block *b = &model->part[part];
        for (int c = 0; c < pc_elastic_components(m); c++) {
            size_t at = (size_t)c * pc_elastic_room(b) + pc_elastic_margin(b);
            for (size_t k = 0; b->layers && k < pc_elastic_nodes(b); k++)
                if (b->inverse_mass[m][(size_t)c * pc_elastic_nodes(b) + k] > 0)
                    sum += u.part[part][at + k] * f.part[part][at + k];
        }
    }
    return sum;
}

/* Mass, its centre and moment of inertia as the motion has them: by rigid velocities. */
static pc_status set_totals(pc_elastic_model *model, pc_error *err)
{
    size_t room = pc_elastic_field_room(model, 1);
    double *memory = pc_calloc(2 * room, sizeof *memory);
    if (!memory) return pc_fail(err, PC_E_MEMORY, "not enough memory for rigid motions");
    pc_elastic_field x = pc_elastic_field_in(model, 1, memory), turn = pc_elastic_field_in(model, 1, memory + room);
    pc_elastic_model_rigid(model, 1, (const double[3]){1, 0, 0}, x);
    pc_elastic_model_rigid(model, 1, (const double[3]){0, 0, 1}, turn);
    model->total = pc_elastic_model_mass_product(model, 1, x, x);
    /* a rotation about the centre has no momentum */
    model->mesh.height -= pc_elastic_model_mass_product(model, 1, x, turn) / model->total;
    pc_elastic_model_rigid(model, 1, (const double[3]){0, 0, 1}, turn);
    model->inertia = pc_elastic_model_mass_product(model, 1, turn, turn);
    pc_free(memory);
    return PC_OK;
}

/* ---- the greatest stable step ---- */

/* The greatest frequency with the rings held, by power iteration, which comes from below: so many turns leave less than
 * one percent, and steps are a tenth shorter than the limit. */
static pc_status set_step(pc_elastic_model *model, pc_error *err)
{
    enum { TURNS = 120 };
    double greatest = 0;
    for (int m = 0; m < 2; m++) {
        const pc_elastic_patch *p = &model->patch[m];
        const size_t room = pc_elastic_field_room(model, m), nc = (size_t)p->contacts;
        double *memory = pc_calloc(2 * room + nc * nc + nc, sizeof *memory);
        if (!memory) return pc_fail(err, PC_E_MEMORY, "not enough memory for the greatest frequency");
        pc_elastic_field u = pc_elastic_field_in(model, m, memory), f = pc_elastic_field_in(model, m, memory + room);
        double *S = memory + 2 * room, *P = S + nc * nc;
        for (size_t k = 0; k < nc; k++) {
            for (size_t i = k; i < nc; i++) S[k * nc + i - k] = p->S[k * nc + i];
            if (S[k * nc] == 0) S[k * nc] = 1;
        }
        band_factor(S, nc, nc - 1);
        unsigned seed = 1;
        for (int part = 0; part < PC_ELASTIC_PARTS; part++) {
            const pc_elastic_block *b = &model->part[part];
            for (int c = 0; c < pc_elastic_components(m); c++)
                for (size_t k = 0; b->layers && k < pc_elastic_nodes(b); k++) {
                    seed = seed * 1664525u + 1013904223u;
                    bool moves = b->inverse_mass[m][(size_t)c * pc_elastic_nodes(b) + k] > 0;
                    u.part[part][(size_t)c * pc_elastic_room(b) + pc_elastic_margin(b) + k] =
                        moves ? (double)(seed >> 16) - 32768 : 0;
                }
        }
        double squared = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            pc_elastic_model_contact(model, m, u, P);
            for (size_t k = 0; k < nc; k++) P[k] = -P[k];
            band_solve(S, nc, nc - 1, P, 1);
            pc_elastic_model_force(model, m, u, P, f);
            pc_elastic_model_accelerate(model, m, f);
            double norm = 0, before = 0;
            double *from = memory, *to = memory + room;
            for (size_t k = 0; k < room; k++) norm += to[k] * to[k], before += from[k] * from[k];
            squared = sqrt(norm / before);
            double scale = 1 / sqrt(norm);
            for (size_t k = 0; k < room; k++) from[k] = -to[k] * scale;
        }
        greatest = fmax(greatest, squared);
        pc_free(memory);
    }
    model->step = 2 / sqrt(greatest);
    return PC_OK;
}

void pc_elastic_model_free(pc_elastic_model *model)
{
    for (int m = 0; m < 2; m++) {
        pc_elastic_patch *p = &model->patch[m];
        for (int k = 0; k < p->levels; k++) pc_free(p->T[k]), pc_free(p->Y[k]);
        pc_free(p->T), pc_free(p->Y), pc_free(p->K);
    }
    for (int part = 0; part < PC_ELASTIC_PARTS; part++) pc_free(model->part[part].memory);
    pc_free(model->memory), pc_free(model->places);
    pc_elastic_mesh_free(&model->mesh);
    *model = (pc_elastic_model){0};
}

/* The last layer that lies within a distance from the pole, as far as two layers move. */
static int find_first(const pc_elastic_mesh *mesh, double within)
{
    int first = 0;
    if (mesh->core_moves || mesh->side == 0) return 0;
    for (int layer = 1; layer + 2 < mesh->layers; layer++) {
        double far = 0;
        for (int k = 0; k < mesh->positions; k++) {
            size_t at = (size_t)layer * (size_t)mesh->positions + (size_t)k;
            far = fmax(far, hypot(mesh->r[at], mesh->z[at]));
        }
        if (far > within) break;
        first = layer;
    }
    return first;
}

static void set_areas(pc_elastic_model *model)
{
    const pc_elastic_mesh *mesh = &model->mesh;
    for (int i = 0; i < mesh->n_rings; i++) {
        double r = mesh->inner_r[i], before = i > 0 ? mesh->inner_r[i - 1] : r;
        double after = i + 1 < mesh->n_rings ? mesh->inner_r[i + 1] : mesh->side ? mesh->r[0] : r;
        /* integral of 2 pi r times the ring's shape function */
        model->area[i] = M_PI / 3 * ((r - before) * (2 * r + before) + (after - r) * (2 * r + after));
    }
}

static pc_status reserve(pc_elastic_model *model, pc_error *err)
{
    const pc_elastic_mesh *mesh = &model->mesh;
    size_t nodes = 0;
    for (int part = 0; part < PC_ELASTIC_PARTS; part++) {
        if (part == PC_ELASTIC_CAP && !mesh->side) continue;
        if (part == PC_ELASTIC_CORE && !mesh->core_moves) continue;
        bool body = part == PC_ELASTIC_BODY;
        pc_status status = block_reserve(&model->part[part], body ? mesh->positions : mesh->side + 1,
                                         body ? mesh->layers - model->first : mesh->side + 1, err);
        if (status) return status;
        nodes += pc_elastic_nodes(&model->part[part]);
    }
    model->memory = pc_calloc(3 * nodes + (size_t)mesh->n_rings, sizeof *model->memory);
    model->places = pc_calloc((size_t)(mesh->n_boundary + mesh->positions), sizeof *model->places);
    if (!model->memory || !model->places)
        return pc_fail(err, PC_E_MEMORY, "not enough memory for the masses of %zu nodes", nodes);
    double *at = model->memory;
    for (int part = 0; part < PC_ELASTIC_PARTS; part++) {
        size_t n = model->part[part].layers ? pc_elastic_nodes(&model->part[part]) : 0;
        model->mass[part] = at, model->r[part] = at + n, model->z[part] = at + 2 * n;
        at += 3 * n;
    }
    model->area = at;
    model->boundary_place = model->places, model->edge_place = model->places + mesh->n_boundary;
    return PC_OK;
}

static void set_places(pc_elastic_model *model)
{
    const pc_elastic_mesh *mesh = &model->mesh;
    const pc_elastic_block *square = &model->part[PC_ELASTIC_CAP]; /* the core is as large */
    const size_t margin = pc_elastic_margin(&model->part[boundary_part(model)]);
    for (int k = 0; k < mesh->positions && mesh->side; k++) {
        int node = mesh->edge[k], row = mesh->side + 1;
        model->edge_place[k] = pc_elastic_margin(square) + (size_t)(node / row * square->pitch + node % row);
    }
    for (int k = 0; k < mesh->n_boundary; k++) {
        size_t place = (size_t)k; /* of layer 0 */
        if (mesh->core_moves) place = k <= mesh->side ? (size_t)(square->pitch + k) : (size_t)mesh->side;
        model->boundary_place[k] = margin + place;
    }
}

/* Lumped masses of all cells: their sum, and their moments of inertia by z - height and by r along the plane. */
typedef struct lumps {
    double mass, across, along;
} lumps;

static lumps add_all(const pc_elastic_model *model)
{
    lumps sum = {0};
    pc_elastic_cell at;
    cell e;
    for (int i = 0; i < pc_elastic_mesh_cells(&model->mesh); i++) {
        mesh_cell(model, i, &at, &e);
        for (int a = 0; a < CORNERS; a++) {
            double dz = at.z[a] - model->mesh.height;
            sum.mass += e.mass[a], sum.across += e.mass[a] * dz * dz, sum.along += e.mass[a] * at.r[a] * at.r[a] / 2;
        }
    }
    return sum;
}

/* Cells have straight sides and lumps for mass. A density and a share of the mass that moves along the axis, both
 * corrected by as little as the square of a cell, give the body its own mass and moment of inertia. */
static void set_matter(pc_elastic_model *model)
{
    double mass, inertia, height;
    pc_elastic_shape_matter(&model->mesh.shape, model->density, &mass, &inertia, &height);
    lumps sum = add_all(model);
    double share = mass / sum.mass;
    model->density *= share;
    model->axial_share = 0.5 * (inertia - share * sum.across) / (share * sum.along);
}

static pc_status make(pc_elastic_model *model, double within, pc_error *err)
{
    const pc_elastic_mesh *mesh = &model->mesh;
    set_matter(model);
    model->first = find_first(mesh, within);
    pc_status status = reserve(model, err);
    if (status) return status;
    set_places(model);
    set_areas(model);
    const int layer = mesh->positions * model->first, body = (mesh->layers - 1) * (mesh->positions - 1);
    fill_part(model, PC_ELASTIC_BODY, mesh->r + layer, mesh->z + layer, model->first * (mesh->positions - 1), 0);
    if (mesh->core_moves) {
        fill_part(model, PC_ELASTIC_CORE, mesh->core_r, mesh->core_z, body, 1);
        lift_masses(model);
        join_masses(model, PC_ELASTIC_CORE, 0);
        set_inverse_masses(model, PC_ELASTIC_CORE);
    }
    if (mesh->side) {
        fill_part(model, PC_ELASTIC_CAP, mesh->cap_r, mesh->cap_z, body + mesh->side * mesh->side, 0);
        join_masses(model, PC_ELASTIC_CAP, model->part[PC_ELASTIC_BODY].layers - 1);
        set_inverse_masses(model, PC_ELASTIC_CAP);
    }
    set_inverse_masses(model, PC_ELASTIC_BODY);
    for (int m = 0; m < 2 && !status; m++) status = make_patch(model, m, err);
    if (!status) status = set_totals(model, err);
    return status ? status : set_step(model, err);
}

pc_status pc_elastic_model_make(const pc_elastic_shape *shape, double young, double poisson, double density, int cells,
                                double h, double static_radius, pc_elastic_model *model, pc_error *err)
{
    *model = (pc_elastic_model){.shear = young / (2 * (1 + poisson)), .density = density, .axial_share = 0.5};
    model->lame = 2 * model->shear * poisson / (1 - 2 * poisson);
    bool core_moves = !shape->flat && cells * h * sqrt(2) > static_radius;
    pc_status status = pc_elastic_mesh_make(shape, cells, h, core_moves, &model->mesh, err);
    if (!status) status = make(model, static_radius, err);
    if (status) pc_elastic_model_free(model);
    return status;
}
