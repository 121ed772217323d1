/* Meshes of bodies of revolution: see elastic.h.
 *
 * The plane of zeta maps to the meridian half-disc of a sphere by zeta/(1 - i zeta/2R), which is the identity at the
 * pole: the real axis becomes the surface, |zeta| = 2R the equator, and what lies beyond the upper hemisphere. Layers
 * are arcs whose radii grow geometrically, so that cells keep their shape and their number grows with ln(R/h) alone.
 *
 * Under a cap flatter than a hemisphere, w = (2R + zeta)/(2R - zeta) makes a quadrant of the half-disc |zeta| < 2R, w^p
 * a wedge, and R (w - 1)/(w + 1) from there a lens through the rim, whose lower side is the cap when w^p is turned by
 * the cap's slope at the rim. Angles are kept everywhere but at the rim, where p lets the last layer halve the body's
 * angle.
 */
#include "elastic/elastic.h"

#include "base/alloc.h"

#include <complex.h>
#include <math.h>

/* ---- shapes ---- */

/* Distance from the pole over that of the sphere, at an angle from the axis: a cubic between points. */
static double stretch_at(const pc_elastic_shape *s, double angle)
{
    if (s->n == 0) return 1;
    int i = 0;
    while (i + 2 < s->n && s->angle[i + 1] < angle) i++;
    double h = s->angle[i + 1] - s->angle[i], x = fmin(1, fmax(0, (angle - s->angle[i]) / h));
    double a = s->stretch[i], b = s->stretch[i + 1], p = h * s->slope[i], q = h * s->slope[i + 1];
    return a + x * (p + x * (3 * (b - a) - 2 * p - q + x * (2 * (a - b) + p + q)));
}

/* Slopes that let no cubic overshoot its points (Fritsch and Butland 1984); 0 at both poles, where outlines are smooth.
 */
static void set_slopes(pc_elastic_shape *s)
{
    s->slope[0] = s->slope[s->n - 1] = 0;
    for (int i = 1; i + 1 < s->n; i++) {
        double h = s->angle[i] - s->angle[i - 1], k = s->angle[i + 1] - s->angle[i];
        double a = (s->stretch[i] - s->stretch[i - 1]) / h, b = (s->stretch[i + 1] - s->stretch[i]) / k;
        double share = (h + 2 * k) / (3 * (h + k));
        s->slope[i] = a * b > 0 ? a * b / (share * b + (1 - share) * a) : 0;
    }
}

pc_status pc_elastic_shape_outline(double radius, int n, const double *r, const double *z, pc_elastic_shape *out,
                                   pc_error *err)
{
    *out = (pc_elastic_shape){.radius = radius};
    if (n < 2 || n > PC_ELASTIC_OUTLINE_MOST - 1)
        return pc_fail(err, PC_E_ARGUMENT, "outline has %d points; it must have from 2 to %d", n,
                       PC_ELASTIC_OUTLINE_MOST - 1);
    if (r[n - 1] != 0 || !(z[n - 1] > 0))
        return pc_fail(err, PC_E_ARGUMENT, "outline must end on the axis above the pole, with r = 0 and z > 0");
    out->n = n + 1;
    out->angle[n] = M_PI / 2, out->stretch[n] = 1;
    for (int i = 0; i < n; i++) {
        double angle = atan2(r[i], z[i]), before = i == 0 ? M_PI / 2 : out->angle[n - i];
        if (!(angle < before && angle >= 0 && z[i] > 0))
            return pc_fail(
                err, PC_E_ARGUMENT,
                "outline: point %d, { %g, %g }, is not in sight of the pole: seen from there, points must turn "
                "from the plane to the axis",
                i + 1, r[i], z[i]);
        double stretch = (r[i] * r[i] + z[i] * z[i]) / (2 * radius * z[i]);
        if (!(stretch > 0.2 && stretch < 6))
            return pc_fail(
                err, PC_E_ARGUMENT,
                "outline: point %d, { %g, %g }, is %.3g times as far from the pole as on a sphere of the radius "
                "there; meshes serve from 0.2 to 6 times",
                i + 1, r[i], z[i], stretch);
        out->angle[n - 1 - i] = angle, out->stretch[n - 1 - i] = stretch;
    }
    set_slopes(out);
    return PC_OK;
}

enum { SLICES = 2000 };

double pc_elastic_shape_curvature(const pc_elastic_shape *shape)
{
    return shape->nose > 0 ? shape->nose : shape->radius;
}

static bool has_cap(const pc_elastic_shape *shape)
{
    return shape->nose > shape->radius;
}

/* Of a sphere, at a distance from its axis, above its pole. */
static double rise(double r, double radius)
{
    return r * r / (radius + sqrt(radius * radius - r * r));
}

/* Height of the cap, where the cylinder begins. */
static double depth_of(const pc_elastic_shape *shape)
{
    return shape->flat ? 0 : rise(shape->radius, pc_elastic_shape_curvature(shape));
}

void pc_elastic_shape_extent(const pc_elastic_shape *shape, double *width, double *top)
{
    *width = shape->radius, *top = shape->length + (shape->flat ? 0 : 2 * shape->radius);
    if (has_cap(shape)) *top = depth_of(shape) + shape->length + shape->radius;
    if (shape->n == 0) return;
    *top = 2 * shape->radius * shape->stretch[0], *width = 0;
    for (int i = 0; i <= SLICES; i++) {
        double angle = M_PI / 2 * i / SLICES;
        *width = fmax(*width, 2 * shape->radius * cos(angle) * sin(angle) * stretch_at(shape, angle));
    }
}

/* Cap, cylinder and hemisphere; of the cap by integrals of r^2 = 2 N z - z^2 over its height. */
static void add_parts(const pc_elastic_shape *shape, double density, double *mass, double *inertia, double *height)
{
    const double R = shape->radius, L = shape->length, N = shape->nose, d = depth_of(shape);
    const double m[3] = {density * M_PI * d * d * (N - d / 3), density * M_PI * R * R * L,
                         density * M_PI * R * R * R * 2 / 3};
    const double z[3] = {d * (8 * N - 3 * d) / (4 * (3 * N - d)), d + L / 2, d + L + 3 * R / 8};
    /* across the axis, of the cap about its pole, of the others about their mass centres */
    const double cap = density * M_PI * d * d * d * (N * N / 3 + N * d / 4 - 3 * d * d / 20);
    const double own[3] = {cap - m[0] * z[0] * z[0], m[1] * (R * R / 4 + L * L / 12), m[2] * R * R * (0.4 - 9. / 64)};
    *mass = m[0] + m[1] + m[2];
    *height = (m[0] * z[0] + m[1] * z[1] + m[2] * z[2]) / *mass;
    *inertia = 0;
    for (int i = 0; i < 3; i++) *inertia += own[i] + m[i] * (z[i] - *height) * (z[i] - *height);
}

void pc_elastic_shape_matter(const pc_elastic_shape *shape, double density, double *mass, double *inertia,
                             double *height)
{
    const double R = shape->radius, L = shape->length, disc = M_PI * R * R * density;
    double bar = disc * L, balls = shape->flat ? 0 : disc * 4 * R / 3;
    *mass = bar + balls;
    *height = L / 2 + (shape->flat ? 0 : R);
    /* of each hemisphere about its base 0.2 balls R^2, and its centre is 3/8 R from there */
    *inertia = bar * (R * R / 4 + L * L / 12) + balls * (0.4 * R * R + L * L / 4 + 3 * L * R / 8);
    if (has_cap(shape)) add_parts(shape, density, mass, inertia, height);
    if (shape->n == 0) return;
    /* cones from the pole to slices of the surface, by Simpson's rule */
    double volume = 0, first = 0, second = 0;
    for (int i = 0; i <= SLICES; i++) {
        double angle = M_PI / 2 * i / SLICES, s = sin(angle), c = cos(angle),
               far = 2 * R * c * stretch_at(shape, angle);
        double w = (i == 0 || i == SLICES ? 1 : i % 2 ? 4 : 2) * M_PI / 2 / SLICES / 3 * 2 * M_PI * s;
        volume += w * pow(far, 3) / 3, first += w * c * pow(far, 4) / 4;
        second += w * (c * c + s * s / 2) * pow(far, 5) / 5;
    }
    *mass = density * volume;
    *height = first / volume;
    *inertia = density * second - *mass * *height * *height;
}

/* ---- the conformal map ---- */

static double complex map(double complex zeta, double R)
{
    return zeta / (1 - I * zeta / (2 * R));
}

/* What is between the pole and the end of the cap or hemisphere that strikes, and how much larger it is at the pole. */
typedef struct end {
    double radius; /* of the rod; INFINITY: a half-space */
    double nose, depth;
    double power; /* 1: a hemisphere */
    double slope;
} end;

static end end_of(const pc_elastic_shape *shape)
{
    const double R = shape->radius, d = depth_of(shape);
    if (!has_cap(shape)) return (end){.radius = R, .depth = R, .power = 1, .slope = 1};
    const double power = 0.5 + asin(R / shape->nose) / M_PI;
    return (end){R, shape->nose, d, power, power / 2 * (1 + d * d / (R * R))};
}

static double complex map_end(const end *e, double complex zeta)
{
    const double R = e->radius;
    if (e->power == 1) return map(zeta, R);
    double complex w = cpow((2 * R + zeta) / (2 * R - zeta), e->power) * cexp(-2 * I * atan(e->depth / R));
    double complex x = I * e->depth + R * (w - 1) / (w + 1);
    return cimag(zeta) == 0 ? creal(x) + I * rise(fmin(R, creal(x)), e->nose) : x; /* the surface to rounding */
}

/* Column and row of a position along the edge of a square patch with n cells a side, from the surface to the axis. */
static void edge_place(int n, int position, int *i, int *j)
{
    *i = position <= n ? n : 2 * n - position;
    *j = position <= n ? position : n;
}

/* A node of layer k in the plane of zeta: square next to the patch of half-width b, circles from `blend` layers on.
 * `grow` is the logarithm of the ratio of layers. */
static double complex layer_place(int n, double b, int k, double grow, int blend, int position)
{
    int i, j;
    edge_place(n, position, &i, &j);
    double complex corner = ((double)i + I * (double)j) * (b / n);
    double share = k < blend ? (double)k / blend : 1;
    double logarithm = log(b) + k * grow + (1 - share) * log(cabs(corner) / b);
    double angle = (1 - share) * carg(corner) + share * M_PI / 2 * position / (2 * n);
    return exp(logarithm) * (cos(angle) + I * sin(angle));
}

static bool reserve(pc_elastic_mesh *m)
{
    size_t nodes = (size_t)m->layers * (size_t)m->positions, inner = (size_t)m->n_inner;
    size_t square = m->side ? (size_t)(m->side + 1) * (size_t)(m->side + 1) : 0, boundary = (size_t)m->n_boundary;
    double *at = pc_calloc(2 * nodes + 4 * square + 2 * inner + 2 * boundary + (size_t)m->n_rings, sizeof *at);
    int *list = pc_calloc(4 * (size_t)m->n_quads + (size_t)m->positions + inner, sizeof *list);
    m->r = at, m->quads = list; /* the first of each block, to be freed */
    if (!at || !list) return false;
    m->z = m->r + nodes, m->core_r = m->z + nodes, m->core_z = m->core_r + square, m->cap_r = m->core_z + square;
    m->cap_z = m->cap_r + square, m->inner_r = m->cap_z + square, m->inner_z = m->inner_r + inner;
    m->boundary_r = m->inner_z + inner, m->boundary_z = m->boundary_r + boundary, m->gap = m->boundary_z + boundary;
    m->edge = m->quads + 4 * m->n_quads, m->upward = m->edge + m->positions;
    return true;
}

void pc_elastic_mesh_free(pc_elastic_mesh *m)
{
    pc_free(m->r), pc_free(m->quads);
    *m = (pc_elastic_mesh){0};
}

int pc_elastic_mesh_cells(const pc_elastic_mesh *m)
{
    return (m->layers - 1) * (m->positions - 1) + (m->side ? 2 * m->side * m->side : m->n_quads);
}

void pc_elastic_mesh_cell(const pc_elastic_mesh *m, int which, pc_elastic_cell *out)
{
    const int nodes = m->layers * m->positions, squares = m->side * m->side;
    const int beyond = which - (m->layers - 1) * (m->positions - 1);
    if (beyond >= 0 && !m->side) { /* the boundary of the bottom row is layer 0 */
        for (int a = 0; a < 4; a++) {
            const int node = m->quads[4 * beyond + a], outer = node - m->n_inner;
            out->r[a] = outer < 0 ? m->inner_r[node] : m->boundary_r[outer];
            out->z[a] = outer < 0 ? m->inner_z[node] : m->boundary_z[outer];
            out->node[a] = outer < 0 ? nodes + node : outer;
        }
        return;
    }
    const int grid = beyond < 0 ? 0 : 1 + beyond / squares, one = grid ? beyond % squares : which;
    const int across = grid ? m->side : m->positions - 1, low = one / across * (across + 1) + one % across;
    const int at[4] = {low, low + 1, low + across + 2, low + across + 1};
    const int first[3] = {0, nodes, nodes + (m->side + 1) * (m->side + 1)};
    const double *const r[3] = {m->r, m->core_r, m->cap_r}, *const z[3] = {m->z, m->core_z, m->cap_z};
    for (int a = 0; a < 4; a++) {
        out->r[a] = r[grid][at[a]], out->z[a] = z[grid][at[a]];
        out->node[a] = first[grid] + at[a];
    }
}

/* ---- round ends ---- */

/* The number in a list of cells of column i, row j of the core. */
static int core_node(const pc_elastic_mesh *m, int i, int j)
{
    int n = m->side;
    if (!m->core_moves) return i < n && j < n ? j * n + i : m->n_inner + (i == n ? j : 2 * n - i);
    return j == 0 && i < n ? i : m->n_inner + (j == 1 ? i : n + 1);
}

/* Both squares, and what is static of the core. */
static void fill_squares(pc_elastic_mesh *m, const end *e, double h, double top, double tip)
{
    const int n = m->side, rows = m->core_moves ? 1 : n;
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++) {
            int at = j * (n + 1) + i;
            double complex x = map_end(e, (i + I * (double)j) * h), y = map((i + I * (double)j) * top / n, e->radius);
            m->core_r[at] = i == 0 ? 0 : creal(x), m->core_z[at] = cimag(x);
            m->cap_r[at] = i == 0 ? 0 : creal(y), m->cap_z[at] = tip - cimag(y);
        }
    for (int j = 0; j <= (m->core_moves ? 1 : n); j++)
        for (int i = 0; i <= n; i++) {
            int node = core_node(m, i, j), at = j * (n + 1) + i;
            bool inner = node < m->n_inner;
            (inner ? m->inner_r : m->boundary_r)[inner ? node : node - m->n_inner] = m->core_r[at];
            (inner ? m->inner_z : m->boundary_z)[inner ? node : node - m->n_inner] = m->core_z[at];
            if (inner)
                m->upward[node] = i; /* the first boundary nodes are the row above the rings, if the core moves */
        }
    for (int i = 0; i < n; i++) m->gap[i] = m->core_z[i];
    int *quad = m->quads;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < n; i++, quad += 4) {
            quad[0] = core_node(m, i, j), quad[1] = core_node(m, i + 1, j);
            quad[2] = core_node(m, i + 1, j + 1), quad[3] = core_node(m, i, j + 1);
        }
    for (int s = 0; s < m->positions; s++) {
        int i, j;
        edge_place(n, s, &i, &j);
        m->edge[s] = j * (n + 1) + i;
    }
}

static void set(pc_elastic_mesh *m, int layer, int position, double r, double z)
{
    size_t at = (size_t)layer * (size_t)m->positions + (size_t)position;
    m->r[at] = position == m->positions - 1 ? 0 : r;
    m->z[at] = z;
}

static pc_status make_round(const pc_elastic_shape *shape, int n, double h, pc_elastic_mesh *m, pc_error *err)
{
    const end e = end_of(shape);
    double R = shape->radius, b = n * h / e.slope, top = 0.6 * R, mass, inertia;
    int lower = (int)fmax(2, ceil(log(2 * R / b) * 4 * n / M_PI - 1e-9));
    int upper = (int)ceil(log(2 * R / top) * 4 * n / M_PI - 1e-9);
    int middle = shape->length > 0 ? (int)ceil(0.8 * n * shape->length / R) : 0;
    m->positions = 2 * n + 1;
    m->layers = lower + 1 + middle + upper;
    m->side = n, m->n_rings = n;
    m->n_inner = m->core_moves ? n : n * n, m->n_quads = m->n_inner;
    m->n_boundary = m->core_moves ? n + 2 : m->positions;
    pc_elastic_shape_matter(shape, 1, &mass, &inertia, &m->height);
    if (!reserve(m)) return pc_fail(err, PC_E_MEMORY, "not enough memory for a mesh of %d layers", m->layers);
    const double tip = 2 * (R + shape->length / 2) - (R - e.depth);
    fill_squares(m, &e, h / e.slope, top, tip);
    int layer = 0;
    for (int k = 0; k <= lower; k++, layer++)
        for (int s = 0; s < m->positions; s++) {
            double complex zeta = layer_place(n, b, k, log(2 * R / b) / lower, n < lower ? n : lower, s);
            double complex x = e.power < 1 && k == lower && s == 0 ? R + I * e.depth : map_end(&e, zeta);
            set(m, layer, s, creal(x), cimag(x));
        }
    /* the last layer over a cap bulges: it is flat, with nodes where a hemisphere has them, after a radius at most */
    const size_t last = (size_t)lower * (size_t)m->positions;
    for (int k = 1; k <= middle; k++, layer++)
        for (int s = 0; s < m->positions; s++) {
            double z = shape->length * k / middle, r = m->r[last + (size_t)s];
            double left = e.power < 1 ? fmax(0, 1 - z / fmin(R, shape->length)) : 0;
            if (e.power < 1) r = left * r + (1 - left) * R * tan(M_PI / 4 * (1 - s / (2. * n)));
            set(m, layer, s, r, e.depth + z + left * (m->z[last + (size_t)s] - e.depth));
        }
    for (int k = upper - 1; k >= 0; k--, layer++)
        for (int s = 0; s < m->positions; s++) {
            double complex x = map(layer_place(n, top, k, log(2 * R / top) / upper, n < upper ? n : upper, s), R);
            set(m, layer, s, creal(x), tip - cimag(x));
        }
    return PC_OK;
}

/* ---- the half-space that a pole is seen as from close by ---- */

pc_status pc_elastic_mesh_half_space(int n, int doubling, int layers, pc_elastic_mesh *m, pc_error *err)
{
    *m = (pc_elastic_mesh){.positions = 2 * n + 1, .side = n, .n_rings = n, .n_inner = n * n, .n_quads = n * n};
    m->layers = layers, m->n_boundary = m->positions;
    if (!reserve(m)) return pc_fail(err, PC_E_MEMORY, "not enough memory for a mesh of %d layers", m->layers);
    fill_squares(m, &(end){.radius = INFINITY, .power = 1}, 1, n, 0);
    for (int k = 0; k < layers; k++)
        for (int s = 0; s < m->positions; s++) {
            double complex x = layer_place(n, n, k, log(2) / doubling, n < layers ? n : layers, s);
            set(m, k, s, creal(x), cimag(x));
        }
    return PC_OK;
}

/* ---- outlines of one's own ---- */

/* From the sphere of the pole's radius: along every ray from the pole, not at all near it, at the surface by all. */
static void warp(const pc_elastic_shape *shape, int n, double *r, double *z)
{
    for (int i = 0; i < n; i++) {
        double far = hypot(r[i], z[i]);
        if (far == 0) continue;
        double angle = atan2(r[i], z[i]), sphere = 2 * shape->radius * z[i] / far;
        double t = sphere > 0 ? fmin(1, far / sphere) : 1;
        double scale = 1 + (stretch_at(shape, angle) - 1) * t * t * (3 - 2 * t);
        r[i] *= scale, z[i] *= scale;
    }
}

/* Whether cells of a grid with rows of `row` nodes have kept their orientation, that of the first. */
static bool upright(int rows, int row, const double *r, const double *z)
{
    double first = 0;
    for (int j = 0; j + 1 < rows; j++)
        for (int i = 0; i + 1 < row; i++)
            for (int corner = 0; corner < 4; corner++) {
                int at[4] = {j * row + i, j * row + i + 1, (j + 1) * row + i + 1, (j + 1) * row + i};
                int a = at[corner], b = at[(corner + 1) % 4], c = at[(corner + 3) % 4];
                double area = (r[b] - r[a]) * (z[c] - z[a]) - (z[b] - z[a]) * (r[c] - r[a]);
                if (first == 0) first = area;
                if (!(area * first > 0)) return false;
            }
    return true;
}

static pc_status warp_all(const pc_elastic_shape *shape, pc_elastic_mesh *m, pc_error *err)
{
    const int square = (m->side + 1) * (m->side + 1);
    warp(shape, m->layers * m->positions, m->r, m->z);
    warp(shape, square, m->core_r, m->core_z);
    warp(shape, square, m->cap_r, m->cap_z);
    warp(shape, m->n_inner, m->inner_r, m->inner_z);
    warp(shape, m->n_boundary, m->boundary_r, m->boundary_z);
    for (int i = 0; i < m->n_rings; i++) m->gap[i] = m->inner_z[i];
    double mass, inertia;
    pc_elastic_shape_matter(shape, 1, &mass, &inertia, &m->height);
    if (upright(m->layers, m->positions, m->r, m->z) && upright(m->side + 1, m->side + 1, m->core_r, m->core_z) &&
        upright(m->side + 1, m->side + 1, m->cap_r, m->cap_z))
        return PC_OK;
    return pc_fail(
        err, PC_E_UNSUPPORTED,
        "the mesh of this outline has cells that are folded: it turns too sharply, or is too far from a sphere "
        "of the radius at its pole");
}

/* ---- flat ends: the core is the bottom row alone ---- */

static pc_status make_flat(const pc_elastic_shape *shape, int n, pc_elastic_mesh *m, pc_error *err)
{
    int along = (int)fmax(3, ceil(n * shape->length / shape->radius - 1e-9));
    m->positions = n + 1;
    m->layers = along;
    m->n_inner = m->n_rings = m->n_boundary = n + 1, m->n_quads = n;
    m->height = shape->length / 2;
    if (!reserve(m)) return pc_fail(err, PC_E_MEMORY, "not enough memory for a mesh of %d layers", m->layers);
    for (int k = 0; k < along; k++)
        for (int s = 0; s <= n; s++) set(m, k, s, shape->radius * (n - s) / n, shape->length * (k + 1) / along);
    for (int i = 0; i <= n; i++) {
        m->inner_r[i] = shape->radius * i / n;
        m->boundary_r[i] = m->r[i], m->boundary_z[i] = m->z[i];
    }
    for (int i = 0; i < n; i++) {
        int *quad = m->quads + 4 * i;
        quad[0] = i, quad[1] = i + 1, quad[2] = m->n_inner + n - i - 1, quad[3] = m->n_inner + n - i;
    }
    return PC_OK;
}

pc_status pc_elastic_mesh_make(const pc_elastic_shape *shape, int cells, double h, bool core_moves,
                               pc_elastic_mesh *mesh, pc_error *err)
{
    *mesh = (pc_elastic_mesh){.shape = *shape, .core_moves = core_moves};
    pc_status status = shape->flat ? make_flat(shape, cells, mesh, err) : make_round(shape, cells, h, mesh, err);
    if (!status && shape->n > 0) status = warp_all(shape, mesh, err);
    if (status) pc_elastic_mesh_free(mesh);
    return status;
}
