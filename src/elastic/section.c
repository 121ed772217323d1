/* Fields in a section: see elastic.h. */
#include "elastic/elastic.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* Displacements of both harmonics at every node: U0, W0, p, s, W1. */
enum { N_VALUES = 5 };

/* Nodes by number: layers, then the squares and inner nodes, of which some are the same as others. */
typedef struct nodes {
    double *layer, *core, *cap, *inner; /* N_VALUES each; layers x positions; squares; inner nodes of the mesh */
    double *mean[2];                    /* of the quantity at each node, for th = pi and th = 0 */
    double *cells;                      /* that meet there */
    size_t n;
    int *same; /* the node that stands for each */
    double *memory;
} nodes;

static pc_status reserve(const pc_elastic_mesh *mesh, nodes *n, pc_error *err)
{
    size_t layers = (size_t)mesh->layers * (size_t)mesh->positions, row = (size_t)mesh->side + 1;
    size_t square = mesh->side ? row * row : 0, inner = (size_t)mesh->n_inner;
    *n = (nodes){.n = layers + 2 * square + inner};
    n->memory = pc_calloc((N_VALUES + 3) * n->n, sizeof *n->memory);
    n->same = pc_calloc(n->n, sizeof *n->same);
    if (!n->memory || !n->same) return pc_fail(err, PC_E_MEMORY, "not enough memory for a field of %zu nodes", n->n);
    n->layer = n->memory, n->core = n->layer + N_VALUES * layers, n->cap = n->core + N_VALUES * square;
    n->inner = n->cap + N_VALUES * square, n->mean[0] = n->memory + N_VALUES * n->n, n->mean[1] = n->mean[0] + n->n;
    n->cells = n->mean[1] + n->n;
    for (size_t i = 0; i < n->n; i++) n->same[i] = (int)i;
    for (int k = 0; k < mesh->positions && mesh->side; k++) {
        n->same[layers + (size_t)mesh->edge[k]] = k;
        n->same[layers + square + (size_t)mesh->edge[k]] = (mesh->layers - 1) * mesh->positions + k;
    }
    return PC_OK;
}

/* First value of a harmonic. */
static int offset_of(int m)
{
    return m == 0 ? 0 : 2;
}

/* One layer of a block, or row of a square, into values of nodes. */
static void take_row(const pc_elastic_block *b, int m, const double *u, int layer, double *out)
{
    for (int c = 0; c < pc_elastic_components(m); c++) {
        const double *from =
            u + (size_t)c * pc_elastic_room(b) + pc_elastic_margin(b) + (size_t)layer * (size_t)b->pitch;
        for (int k = 0; k < b->positions; k++) out[k * N_VALUES + offset_of(m) + c] = from[k];
    }
}

/* What is static: from the boundary inwards. */
static pc_status take_patch(const pc_elastic_model *model, int m, pc_elastic_field u, const double *P, nodes *n,
                            pc_error *err)
{
    const pc_elastic_patch *p = &model->patch[m];
    const pc_elastic_mesh *mesh = &model->mesh;
    const int comps = pc_elastic_components(m), part = mesh->core_moves ? PC_ELASTIC_CORE : PC_ELASTIC_BODY;
    const size_t room = pc_elastic_room(&model->part[part]), inner = (size_t)(mesh->n_inner * comps);
    size_t most = inner > (size_t)p->boundary ? inner : (size_t)p->boundary;
    double *memory = pc_calloc(2 * most, sizeof *memory), *outer = memory;
    if (!memory) return pc_fail(err, PC_E_MEMORY, "not enough memory for the field near the contact");
    double *now = memory + most;
    for (int c = 0; c < comps; c++)
        for (int k = 0; k < mesh->n_boundary; k++)
            outer[c * mesh->n_boundary + k] = u.part[part][(size_t)c * room + model->boundary_place[k]];
    for (int level = p->levels - 1; level >= 0; level--) {
        size_t rows = level == 0 ? inner : (size_t)p->boundary;
        for (size_t i = 0; i < rows; i++) {
            double sum = 0;
            for (int j = 0; j < p->boundary; j++) sum += p->T[level][i * (size_t)p->boundary + (size_t)j] * outer[j];
            for (int j = 0; j < p->contacts; j++) sum += p->Y[level][i * (size_t)p->contacts + (size_t)j] * P[j];
            now[i] = sum;
        }
        for (size_t i = 0; i < rows; i++) {
            if (level > 0) { /* layer level - 1, components one after the other */
                int c = (int)i / mesh->positions, k = (int)i % mesh->positions;
                n->layer[((level - 1) * mesh->positions + k) * N_VALUES + offset_of(m) + c] = now[i];
            } else /* inner nodes, each with its components */
                n->inner[i / (size_t)comps * N_VALUES + (size_t)offset_of(m) + i % (size_t)comps] = now[i];
        }
        double *spare = outer;
        outer = now, now = spare;
    }
    pc_free(memory);
    return PC_OK;
}

static pc_status take_nodes(const pc_elastic_model *model, const pc_elastic_field u[PC_ELASTIC_HARMONICS],
                            const double *const contact[PC_ELASTIC_HARMONICS], nodes *n, pc_error *err)
{
    const pc_elastic_mesh *mesh = &model->mesh;
    const int row = mesh->side + 1;
    for (int m = 0; m < PC_ELASTIC_HARMONICS; m++) {
        const pc_elastic_block *body = &model->part[PC_ELASTIC_BODY];
        for (int layer = 0; layer < body->layers; layer++)
            take_row(body, m, u[m].part[PC_ELASTIC_BODY], layer,
                     n->layer + N_VALUES * (layer + model->first) * mesh->positions);
        for (int j = 0; mesh->side && j < row; j++) {
            take_row(&model->part[PC_ELASTIC_CAP], m, u[m].part[PC_ELASTIC_CAP], j, n->cap + N_VALUES * j * row);
            if (mesh->core_moves)
                take_row(&model->part[PC_ELASTIC_CORE], m, u[m].part[PC_ELASTIC_CORE], j, n->core + N_VALUES * j * row);
        }
        pc_status status = take_patch(model, m, u[m], contact[m], n, err);
        if (status) return status;
    }
    if (mesh->side == 0) return PC_OK;
    /* the core's own nodes, and the edges of both squares */
    for (int i = 0; i < mesh->n_inner; i++) {
        int j = mesh->core_moves ? 0 : i / mesh->side, k = i % mesh->side;
        memcpy(n->core + N_VALUES * (j * row + k), n->inner + N_VALUES * i, N_VALUES * sizeof *n->core);
    }
    for (int k = 0; k < mesh->positions; k++) {
        const double *last = n->layer + N_VALUES * ((mesh->layers - 1) * mesh->positions + k);
        memcpy(n->core + N_VALUES * mesh->edge[k], n->layer + N_VALUES * k, N_VALUES * sizeof *n->core);
        memcpy(n->cap + N_VALUES * mesh->edge[k], last, N_VALUES * sizeof *n->cap);
    }
    return PC_OK;
}

/* ---- cells ---- */

enum { CORNERS = 4 };

typedef struct place {
    double N[CORNERS], Nr[CORNERS], Nz[CORNERS];
    double r;
} place;

static const double SX[CORNERS] = {-1, 1, 1, -1}, SY[CORNERS] = {-1, -1, 1, 1};

/* Where a point lies in a cell; false if outside. */
static bool find_place(const double r[CORNERS], const double z[CORNERS], double at_r, double at_z, place *out)
{
    double x = 0, y = 0;
    for (int pass = 0; pass < 12; pass++) {
        double R = 0, Z = 0, rx = 0, ry = 0, zx = 0, zy = 0;
        for (int a = 0; a < CORNERS; a++) {
            double u = 1 + SX[a] * x, v = 1 + SY[a] * y;
            R += u * v / 4 * r[a], Z += u * v / 4 * z[a];
            rx += SX[a] * v / 4 * r[a], ry += SY[a] * u / 4 * r[a];
            zx += SX[a] * v / 4 * z[a], zy += SY[a] * u / 4 * z[a];
        }
        double det = rx * zy - ry * zx, dr = at_r - R, dz = at_z - Z;
        if (det == 0) return false;
        double dx = (dr * zy - dz * ry) / det, dy = (dz * rx - dr * zx) / det;
        x += dx, y += dy;
        if (!(fabs(x) < 3 && fabs(y) < 3)) return false;
        for (int a = 0; a < CORNERS; a++) {
            double u = 1 + SX[a] * x, v = 1 + SY[a] * y;
            out->N[a] = u * v / 4;
            out->Nr[a] = (SX[a] * v * zy - SY[a] * u * zx) / 4 / det;
            out->Nz[a] = (SY[a] * u * rx - SX[a] * v * ry) / 4 / det;
        }
        if (fabs(dx) + fabs(dy) < 1e-10) break;
    }
    const double edge = 1 + 1e-9;
    out->r = at_r;
    return fabs(x) <= edge && fabs(y) <= edge;
}

/* A stress off the axis, on the side of th = 0 (sign 1) or th = pi (sign -1). */
static double evaluate(const pc_elastic_model *model, pc_elastic_quantity quantity, const place *at,
                       const double *const values[CORNERS], double sign)
{
    double S = 0, e[3] = {0}; /* rr, zz, rz */
    for (int a = 0; a < CORNERS; a++) {
        const double *v = values[a];
        double u_r = v[0] + sign * (v[3] + v[2]), u_z = v[1] + sign * v[4];
        S += at->N[a] * (v[0] + sign * 2 * v[3]); /* r e_tt = U0 + (U1 + V1) cos th */
        e[0] += at->Nr[a] * u_r, e[1] += at->Nz[a] * u_z, e[2] += at->Nz[a] * u_r + at->Nr[a] * u_z;
    }
    const double G = model->shear, hoop = S / at->r, trace = model->lame * (e[0] + e[1] + hoop);
    double rr = trace + 2 * G * e[0], zz = trace + 2 * G * e[1], tt = trace + 2 * G * hoop, rz = G * e[2];
    switch (quantity) {
    case PC_ELASTIC_PRESSURE: return -(rr + zz + tt) / 3;
    case PC_ELASTIC_SIGMA_TT: return rr;
    case PC_ELASTIC_SIGMA_NN: return zz;
    case PC_ELASTIC_SIGMA_TN: return sign * rz;
    case PC_ELASTIC_MISES:
    case PC_ELASTIC_U_T:
    case PC_ELASTIC_U_N: break;
    }
    return sqrt(((rr - zz) * (rr - zz) + (zz - tt) * (zz - tt) + (tt - rr) * (tt - rr)) / 2 + 3 * rz * rz);
}

/* Stresses are best in the middle of a cell: what nodes have is the mean over the cells that meet there. */
static void add_middle(const pc_elastic_model *model, const pc_elastic_section *s, const pc_elastic_cell *c, nodes *n)
{
    place at;
    const double *values[CORNERS];
    double r = 0, z = 0;
    for (int a = 0; a < CORNERS; a++)
        values[a] = n->memory + N_VALUES * n->same[c->node[a]], r += c->r[a] / 4, z += c->z[a] / 4;
    if (!find_place(c->r, c->z, r, z, &at)) return;
    for (int side = 0; side < 2; side++) {
        double value = evaluate(model, s->quantity, &at, values, side ? 1 : -1);
        for (int a = 0; a < CORNERS; a++) n->mean[side][n->same[c->node[a]]] += value;
    }
    for (int a = 0; a < CORNERS; a++) n->cells[n->same[c->node[a]]] += 1;
}

static double interpolate(const pc_elastic_section *s, const nodes *n, const pc_elastic_cell *c, const place *at,
                          int side)
{
    double sum = 0;
    for (int a = 0; a < CORNERS; a++) {
        int node = n->same[c->node[a]];
        double sign = side ? 1 : -1, value = n->mean[side][node] / n->cells[node];
        const double *v = n->memory + N_VALUES * node;
        if (s->quantity == PC_ELASTIC_U_T) value = sign * (v[0] + sign * (v[3] + v[2]));
        if (s->quantity == PC_ELASTIC_U_N) value = v[1] + sign * v[4];
        sum += at->N[a] * value;
    }
    return sum;
}

static void fill_cell(const pc_elastic_section *s, const pc_elastic_cell *c, const nodes *n, double *out)
{
    double least = c->z[0], most = c->z[0], far = c->r[0], near = c->r[0];
    for (int a = 1; a < CORNERS; a++) {
        least = fmin(least, c->z[a]), most = fmax(most, c->z[a]);
        far = fmax(far, c->r[a]), near = fmin(near, c->r[a]);
    }
    const double dx = (s->x[1] - s->x[0]) / (s->nx - 1), dz = (s->z[1] - s->z[0]) / (s->nz - 1);
    int from = (int)fmax(0, ceil((least - s->z[0]) / dz - 1e-6));
    int to = (int)fmin(s->nz - 1, floor((most - s->z[0]) / dz + 1e-6));
    for (int side = 0; side < 2; side++) {
        double lo = side ? near : -far, hi = side ? far : -near;
        int first = (int)fmax(0, ceil((lo - s->x[0]) / dx - 1e-6));
        int last = (int)fmin(s->nx - 1, floor((hi - s->x[0]) / dx + 1e-6));
        for (int j = from; j <= to; j++)
            for (int i = first; i <= last; i++) {
                place at;
                double x = s->x[0] + i * dx;
                if ((side ? x < 0 : x > 0) || !find_place(c->r, c->z, fabs(x), s->z[0] + j * dz, &at)) continue;
                out[i * s->nz + j] = interpolate(s, n, c, &at, side);
            }
    }
}

pc_status pc_elastic_section_sample(const pc_elastic_model *model, const pc_elastic_section *section,
                                    const pc_elastic_field u[PC_ELASTIC_HARMONICS],
                                    const double *const contact[PC_ELASTIC_HARMONICS], double *out, pc_error *err)
{
    nodes n;
    pc_status status = reserve(&model->mesh, &n, err);
    for (int i = 0; i < section->nx * section->nz; i++) out[i] = NAN;
    if (!status) status = take_nodes(model, u, contact, &n, err);
    const int cells = status ? 0 : pc_elastic_mesh_cells(&model->mesh);
    pc_elastic_cell c;
    for (int i = 0; i < cells; i++) {
        pc_elastic_mesh_cell(&model->mesh, i, &c);
        add_middle(model, section, &c, &n);
    }
    for (int i = 0; i < cells; i++) {
        pc_elastic_mesh_cell(&model->mesh, i, &c);
        fill_cell(section, &c, &n, out);
    }
    pc_free(n.memory), pc_free(n.same);
    return status;
}
