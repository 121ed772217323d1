/* Closed contacts as linear equations: see block.h. */
#include "engine/block.h"

#include "base/alloc.h"
#include "base/tolerance.h"
#include "law/impact.h"
#include "math/linsolve.h"

#include <math.h>
#include <string.h>

/* What lists of `total` elements for n contacts take for each of them. */
static size_t share_of(size_t total, size_t n)
{
    return (total + n - 1) / n;
}

static pc_status make_room(pc_block *b, int contacts, pc_error *err)
{
    const int most = contacts > 0 ? contacts : 1;
    const size_t n = (size_t)most, system = 2 * (2 * n + 1), rates = share_of((size_t)b->n_velocities, n);
    const size_t own = share_of(pc_friction_room(most), n), indices = share_of(pc_friction_indices(most), n);
    pc_kept_modes *kept = &b->kept;
    const pc_column columns[] = {PC_COLUMNS(b->W, 4 * n),
                                 PC_COLUMNS(b->x, system),
                                 PC_COLUMNS(b->y, 2 * system),
                                 PC_COLUMNS(b->a, rates),
                                 PC_COLUMNS(b->b, 2),
                                 PC_COLUMNS(b->p, 2),
                                 PC_COLUMNS(b->more, 2),
                                 PC_COLUMNS(b->bounds, 2),
                                 PC_COLUMNS(b->scale, 2),
                                 PC_COLUMNS(b->weights, 2),
                                 PC_COLUMNS(b->factors, 4 * n),
                                 PC_COLUMNS(b->solution, 2),
                                 PC_COLUMNS(b->friction, own),
                                 PC_COLUMN(kept->friction),
                                 PC_COLUMN(kept->static_friction),
                                 PC_COLUMN(b->touch),
                                 PC_COLUMNS(b->rubbing, 2),
                                 PC_COLUMNS(b->index, indices),
                                 PC_COLUMNS(b->row, 2),
                                 PC_COLUMN(kept->mode),
                                 PC_COLUMN(kept->apart),
                                 PC_COLUMN(b->order),
                                 PC_COLUMN(b->end),
                                 PC_COLUMN(b->place)};
    size_t room = 0; /* nothing is kept */
    if (!pc_columns_reserve(columns, sizeof columns / sizeof *columns, &room, n))
        return pc_fail(err, PC_E_MEMORY, "not enough memory for the contacts of a motion");
    b->room = contacts;
    b->n = b->n_groups = 0;
    return PC_OK;
}

pc_status pc_block_open(pc_block *block, int n_velocities, int contacts, pc_error *err)
{
    *block = (pc_block){.n_velocities = n_velocities};
    return make_room(block, contacts, err);
}

pc_status pc_block_reserve(pc_block *block, int contacts, pc_error *err)
{
    return contacts <= block->room ? PC_OK : make_room(block, contacts, err);
}

void pc_block_close(pc_block *block)
{
    pc_free(block->W); /* the first list */
    *block = (pc_block){0};
}

/* The groups of contacts that are coupled, directly or by others: each in the order in which they are given. */
static void find_groups(pc_block *block, const pc_mechanics *m, const pc_contact_set *set)
{
    int n = set->n, placed = 0, *order = block->order, *left = block->row;
    block->n_groups = 0;
    memcpy(block->place, set->place, (size_t)n * sizeof *block->place);
    for (int i = 0; i < n; i++) left[i] = i;
    while (placed < n) {
        int first = placed, n_left = n - placed;
        order[placed++] = left[0];
        left[0] = -1;
        for (int k = first; k < placed; k++)
            for (int j = 1; j < n_left; j++) {
                if (left[j] < 0 || !m->provider->coupled(m->self, m->at, set->place[order[k]], set->place[left[j]]))
                    continue;
                int at = placed++; /* sorted, but for those whose own coupling has been looked at */
                order[at] = left[j];
                left[j] = -1;
            }
        for (int k = first + 1; k < placed; k++) {
            int contact = order[k], at = k;
            for (; at > first && order[at - 1] > contact; at--) order[at] = order[at - 1];
            order[at] = contact;
        }
        for (int j = 0, kept = 0; j < n_left; j++)
            if (left[j] >= 0) left[kept++] = left[j];
        block->end[block->n_groups++] = placed;
    }
}

void pc_block_build(pc_block *block, const pc_mechanics *m, const pc_contact_set *set)
{
    size_t side = 2 * (size_t)set->n;
    if (set->n == 0) {
        block->n = block->n_groups = 0;
        return;
    }
    if (set->n != block->n || memcmp(block->place, set->place, (size_t)set->n * sizeof *set->place) != 0) {
        find_groups(block, m, set);
        if (block->n_groups > 1) memset(block->W, 0, side * side * sizeof *block->W);
    }
    block->n = set->n;
    if (block->n_groups <= 1) {
        m->provider->mobility(m->self, m->at, set, block->W);
        return;
    }
    for (int g = 0, first = 0; g < block->n_groups; first = block->end[g++]) {
        const int *order = block->order + first, n = block->end[g] - first;
        for (int i = 0; i < n; i++) {
            block->row[i] = set->place[order[i]];
            block->touch[i] = set->touch[order[i]];
        }
        m->provider->mobility(m->self, m->at, &(pc_contact_set){n, block->row, block->touch}, block->x);
        for (int i = 0; i < 2 * n; i++)
            for (int j = 0; j < 2 * n; j++)
                block->W[(size_t)(2 * order[i / 2] + i % 2) * side + (size_t)(2 * order[j / 2] + j % 2)] =
                    block->x[i * 2 * n + j];
    }
}

double pc_block_slip_mobility(const pc_block *block, int i, int mode, double friction)
{
    const double *row = block->W + (2 * i + PC_N) * 2 * block->n + 2 * i;
    return row[PC_N] - friction * mode * row[PC_T];
}

bool pc_block_is_locked(const pc_block *block, int place)
{
    for (int i = 0; i < block->n; i++)
        if (block->place[i] == place) return block->W[(2 * i + PC_T) * (2 * block->n + 1)] == 0;
    return false;
}

/* Conditions (rows) and unknowns of the closed pairs of a group: normal ones of all, tangential ones of those that
 * stick; to block->row. Their number. */
static int choose_rows(pc_block *block, int first, int end)
{
    int n = 0;
    for (int k = first; k < end; k++) {
        int i = block->order[k];
        if (i < block->kept.n) block->row[n++] = 2 * i + PC_N;
        if (block->kept.mode[i] == 0) block->row[n++] = 2 * i + PC_T;
    }
    return n;
}

/* A x = b in block->x, as solve_dependent wants it. */
static void fill_system(pc_block *block, bool smooth, int n)
{
    const pc_kept_modes *c = &block->kept;
    int side = 2 * block->n;
    for (int i = 0; i < n; i++) {
        const double *W = block->W + block->row[i] * side;
        double *A = block->x + i * (n + 1);
        for (int j = 0; j < n; j++) {
            int k = block->row[j] / 2;
            A[j] = W[block->row[j]];
            if (smooth && c->mode[k] != 0) A[j] -= c->friction[k] * c->mode[k] * W[2 * k + PC_T];
        }
        A[n] = -block->b[block->row[i]];
    }
}

/* Friction counts so much more than normal forces where forces are shared: what these can carry, they do. A wedged
 * link, whose end can move in one direction only, then leaves its cone at no angle where that can be avoided. It is the
 * root of PC_CLEARLY, so that with the weight of what carries nothing on top (PC_CLEARLY) it stays three decades above
 * the rank: rounding does not decide what takes part. */
static const double FRICTION_LAST = 1e-3;

/* Rows of A differ in size, as masses do and as forces differ from moments: a heavy body that slides beside a light one
 * that turns has a row of 1e-4. Its square with the weight of friction came beneath the rank, and what should stick
 * slid on without a force. So B = A w A^T gets the same size on its diagonal, up to the root of what the rank leaves:
 * smaller rows may be rounding of those that nothing moves. */
static void equate(double *B, int n, int sides, double *scale)
{
    const int row = n + sides;
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, B[i * row + i]);
    for (int i = 0; i < n; i++) scale[i] = most > 0 ? 1 / sqrt(fmax(B[i * row + i], pc_rank_bound(most))) : 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) B[i * row + j] *= scale[i] * scale[j];
        for (int s = 0; s < sides; s++) B[i * row + n + s] *= scale[i];
    }
}

/* Solutions of least sum x_i^2/w_i: x = w A^T y, A w A^T y = b, for right sides b one after another, whose place the
 * solutions take. */
static void solve_least(pc_block *block, int n, int sides, const double *weight, double *x)
{
    const int row = n + 1, wide = n + sides;
    double *y = block->factors, *A = block->x, *B = block->y, *scale = block->scale, *columns = y;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) columns[k * n + j] = A[j * row + k];
    for (int i = 0; i < n; i++) {
        double *restrict b = B + i * wide;
        memset(b, 0, (size_t)n * sizeof *b);
        for (int k = 0; k < n; k++) { /* A has many zeros: contacts of bodies that do not touch */
            const double factor = A[i * row + k] * weight[k], *restrict column = columns + k * n;
            if (factor == 0) continue;
            for (int j = 0; j < n; j++) b[j] += factor * column[j];
        }
        for (int s = 0; s < sides; s++) b[n + s] = x[s * n + i];
    }
    equate(B, n, sides, scale);
    pc_solve_dependent(B, n, sides, PC_RANK_TOLERANCE, true, y, block->index);
    for (int s = 0; s < sides; s++, x += n, y += n) {
        for (int i = 0; i < n; i++) y[i] *= scale[i];
        for (int k = 0; k < n; k++) {
            x[k] = 0;
            for (int i = 0; i < n; i++) x[k] += weight[k] * A[i * row + k] * y[i];
        }
    }
}

/* The same of the right side that stands in block->x. */
static void solve_given(pc_block *block, int n, const double *weight, double *x)
{
    for (int i = 0; i < n; i++) x[i] = block->x[i * (n + 1) + n];
    solve_least(block, n, 1, weight, x);
}

/* The row of the normal force of a row; -1: held points and couples have none. */
static int normal_of(const pc_block *block, int i)
{
    int normal = i; /* the tangential condition follows the normal one */
    while (normal > 0 && block->row[normal] != (block->row[i] | 1)) normal--;
    return block->row[normal] == (block->row[i] | 1) ? normal : -1;
}

/* Whether a row is a normal force that can only press. */
static bool only_presses(const pc_block *block, int i)
{
    return block->row[i] % 2 == PC_N && !block->kept.apart[block->row[i] / 2];
}

static double largest_normal(const pc_block *block, int n, const double *x)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        if (only_presses(block, i)) largest = fmax(largest, x[i]);
    return largest;
}

static bool pulls(const pc_block *block, int n, const double *x)
{
    const double rounding = pc_rank_bound(largest_normal(block, n, x));
    for (int i = 0; i < n; i++)
        if (only_presses(block, i) && x[i] < -rounding) return true;
    return false;
}

/* Weights by the bounds of friction mu N and the normal forces of a solution x with `weight`. */
static void weigh_by_bounds(const pc_block *block, int n, const double *weight, const double *x, double *bound)
{
    const double largest = largest_normal(block, n, x);
    for (int i = 0; i < n; i++) {
        const int normal = normal_of(block, i);
        bool held = normal < 0 || block->kept.apart[block->row[i] / 2];
        bound[i] = weight[i] * (largest > 0 && !held ? fmax(x[normal], PC_CLEARLY * largest) : 1);
    }
}

/* x += what is left, and that is left of A x = b then: with weights so far apart rounding would let contacts creep. */
static void refine(pc_block *block, int n, const double *weight, double *x)
{
    double *more = block->more;
    for (int i = 0; i < n; i++) {
        const double *A = block->x + i * (n + 1);
        more[i] = A[n];
        for (int k = 0; k < n; k++) more[i] -= A[k] * x[k];
    }
    solve_least(block, n, 1, weight, more);
    for (int i = 0; i < n; i++) x[i] += more[i];
}

/* Where conditions depend on each other, forces are shared: first with weights that know of no forces, then with the
 * bounds of friction mu N and the normal forces of that solution, so that the sticking corners of one block reach their
 * bounds together. Both depend smoothly on the state, as elimination would not, which has to choose what to leave out.
 */
static void share(pc_block *block, int n, double *x)
{
    const int *row = block->row;
    double *weight = block->weights, *bound = block->bounds;
    for (int i = 0; i < n; i++) {
        double mu = block->kept.static_friction[row[i] / 2];
        weight[i] = row[i] % 2 == PC_N ? 1 : FRICTION_LAST * fmin(mu, 1e6);
    }
    solve_given(block, n, weight, x);
    weigh_by_bounds(block, n, weight, x, bound);
    solve_given(block, n, bound, x);
    refine(block, n, bound, x);
}

/* ---- sharing among those that only press ----
 *
 * Forces of least norm may pull where others would press alone. Of all x that solve A x = b those of least sum
 * x_i^2/w_i with C x >= 0, rows of C: N >= 0 of what slips, N + T/mu >= 0 and N - T/mu >= 0 of what sticks. They are
 * x_0 + P C^T s with s >= 0, C x >= 0 and s . C x = 0, where x_0 is the solution without C, and P the projection on
 * what moves nothing: a symmetric linear complementarity problem, positive semi-definite, which Lemke's method solves
 * wherever there are such x (Cottle, Pang and Stone 1992, section 4.4). */

/* A row of C, one for each of the conditions: x of a normal force (-1: nothing), and `share` of that of friction. */
typedef struct side_of_cone {
    int normal, tangential;
    double share;
} side_of_cone;

static side_of_cone side_of(const pc_block *block, int n, int i)
{
    const int *row = block->row, normal = normal_of(block, i);
    if (normal < 0 || !only_presses(block, normal)) return (side_of_cone){-1, 0, 0};
    const double mu = block->kept.static_friction[row[i] / 2];
    const bool sticks = normal + 1 < n && row[normal + 1] == (row[normal] ^ 1);
    if (!sticks || !(mu > 0)) return (side_of_cone){normal, normal, 0};
    return (side_of_cone){normal, normal + 1, (i == normal ? 1 : -1) / mu};
}

static double inside(side_of_cone c, const double *x)
{
    return c.normal < 0 ? 0 : x[c.normal] + c.share * x[c.tangential];
}

static void add_side(side_of_cone c, double s, const double *weight, double *x)
{
    if (c.normal < 0) return;
    x[c.normal] += s * weight[c.normal];
    x[c.tangential] += s * c.share * weight[c.tangential];
}

/* Some z, one after another, lose what of them moves something, by the weights; `moving`: room for as many. */
static void project(pc_block *block, int n, int sides, const double *weight, double *z, double *moving)
{
    const double *A = block->x;
    for (int s = 0; s < sides; s++)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += A[i * (n + 1) + k] * z[s * n + k];
            moving[s * n + i] = sum;
        }
    solve_least(block, n, sides, weight, moving);
    for (int i = 0; i < sides * n; i++) z[i] -= moving[i];
}

/* Whether z changes what x does, by more than rounding. */
static bool moves(const pc_block *block, int n, const double *x, const double *z)
{
    for (int i = 0; i < n; i++) {
        const double *A = block->x + i * (n + 1);
        double sum = 0, size = 0;
        for (int k = 0; k < n; k++) {
            sum += A[k] * z[k];
            size += fabs(A[k]) * (fabs(x[k]) + fabs(z[k]));
        }
        if (!(fabs(sum) <= pc_rank_bound(size))) return true;
    }
    return false;
}

/* x, which stands before the workspace, becomes the solution of least norm that lies in the cones; false: there is
 * none, or rounding hides it. */
static bool press_alone(pc_block *block, int n, const double *weight, double *x)
{
    double *M = block->friction + n, *Z = M + n * n, *q = Z + n * n, *own = q + n, *cover = own + n, *s = cover + n;
    double *z = s + n, *work = z + n, largest = 0;
    memset(Z, 0, (size_t)(n * n) * sizeof *Z);
    for (int j = 0; j < n; j++) {
        const side_of_cone c = side_of(block, n, j);
        add_side(c, 1, weight, Z + j * n);
        own[j] = inside(c, Z + j * n);
        q[j] = inside(c, x);
        cover[j] = 1;
        largest = fmax(largest, fabs(x[j]));
    }
    project(block, n, n, weight, Z, M);
    for (int j = 0; j < n; j++) {
        const bool given = !(inside(side_of(block, n, j), Z + j * n) > PC_CLEARLY * own[j]); /* by the motion */
        for (int i = 0; i < n; i++) M[i * n + j] = given ? 0 : inside(side_of(block, n, i), Z + j * n);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            M[i * n + j] = M[j * n + i] = M[i * n + i] > 0 && M[j * n + j] > 0 ? M[i * n + j] : 0;
    if (!pc_lcp_solve(n, M, q, cover, s, work, block->index)) return false;
    memset(z, 0, (size_t)n * sizeof *z);
    for (int j = 0; j < n; j++) add_side(side_of(block, n, j), s[j], weight, z);
    for (int i = 0; i < 2; i++) project(block, n, 1, weight, z, block->more); /* s may be large where M is rounding */
    if (moves(block, n, x, z)) return false;
    for (int i = 0; i < n; i++) x[i] += z[i];
    for (int i = 0; i < n; i++)
        if (inside(side_of(block, n, i), x) < -PC_CLEARLY * largest) return false;
    return true;
}

/* The shared forces x, some of which pull, become those that press alone, where there are any: in the same two steps,
 * so that bounds are those of forces that press. */
static void share_pressing(pc_block *block, int n, double *x)
{
    double *weight = block->weights, *bound = block->bounds, *found = block->friction;
    solve_given(block, n, weight, found);
    refine(block, n, weight, found);
    if (pulls(block, n, found) && !press_alone(block, n, weight, found)) return;
    memcpy(x, found, (size_t)n * sizeof *x);
    weigh_by_bounds(block, n, weight, x, bound);
    solve_given(block, n, bound, found);
    refine(block, n, bound, found);
    if (pulls(block, n, found) && !press_alone(block, n, bound, found)) return;
    memcpy(x, found, (size_t)n * sizeof *x);
}

/* How far the conditions are independent. */
typedef enum independence { CLEARLY_NOT, PERHAPS, CLEARLY } independence;

/* What is clear needs no full pivoting, though pivots are sought in columns alone: conditions that are independent are
 * solved. */
static independence solve_regular(pc_block *block, int n, double *x)
{
    double *lu = block->y, least = INFINITY, most = 0;
    for (int i = 0; i < n; i++) {
        memcpy(lu + i * n, block->x + i * (n + 1), (size_t)n * sizeof *lu);
        x[i] = block->x[i * (n + 1) + n];
    }
    if (!pc_lu_factor(lu, n, block->index)) {
        block->spread = 0;
        return CLEARLY_NOT;
    }
    for (int i = 0; i < n; i++) { /* pivots are kept inverted */
        least = fmin(least, fabs(lu[i * n + i]));
        most = fmax(most, fabs(lu[i * n + i]));
    }
    if (n > 0) block->spread = fmin(block->spread, least / most);
    if (!(least > PC_CLEARLY * most)) return least > pc_rank_bound(most) ? PERHAPS : CLEARLY_NOT;
    pc_lu_solve(lu, n, block->index, x);
    return CLEARLY;
}

/* The same of one group. */
static bool solve_group(pc_block *block, int first, int end, bool smooth, bool press, double (*force)[2])
{
    const pc_kept_modes *c = &block->kept;
    int n = choose_rows(block, first, end);
    double *x = block->solution;
    fill_system(block, smooth, n);
    independence are = solve_regular(block, n, x);
    if (are == PERHAPS || (are == CLEARLY_NOT && !press)) {
        bool is = pc_solve_dependent(block->x, n, 1, PC_RANK_TOLERANCE, false, x, block->index) == n;
        if (!is) are = CLEARLY_NOT;
        if (!is && press) fill_system(block, smooth, n);
    }
    bool shared = are == CLEARLY_NOT && press;
    if (shared) share(block, n, x);
    if (shared && pulls(block, n, x)) share_pressing(block, n, x);
    for (int k = first, row = 0; k < end; k++) {
        int i = block->order[k];
        force[i][PC_N] = i < c->n ? x[row++] : 0;
        if (c->mode[i] == 0)
            force[i][PC_T] = x[row++];
        else
            force[i][PC_T] = smooth ? -c->friction[i] * c->mode[i] * force[i][PC_N] : 0;
    }
    return shared;
}

bool pc_block_solve_modes(pc_block *block, bool smooth, bool press, double (*force)[2])
{
    bool shared = false;
    block->spread = block->n > 0 ? INFINITY : 0;
    for (int g = 0, first = 0; g < block->n_groups; first = block->end[g++])
        shared |= solve_group(block, first, block->end[g], smooth, press, force);
    return shared;
}

bool pc_block_solve_friction(pc_block *block, const double *b, double rounding, double *p)
{
    int side = 2 * block->n;
    if (block->n_groups <= 1)
        return pc_friction_solve(block->n, block->rubbing, block->W, b, rounding, p, block->friction, block->index);
    for (int g = 0, first = 0; g < block->n_groups; first = block->end[g++]) {
        const int *order = block->order + first, n = block->end[g] - first;
        double *W = block->x, *own = block->weights, *found = block->bounds;
        pc_rubbing *rubbing = block->rubbing + block->room;
        for (int i = 0; i < 2 * n; i++) {
            int row = 2 * order[i / 2] + i % 2;
            own[i] = b[row];
            for (int j = 0; j < 2 * n; j++) W[i * 2 * n + j] = block->W[row * side + 2 * order[j / 2] + j % 2];
        }
        for (int i = 0; i < n; i++) rubbing[i] = block->rubbing[order[i]];
        if (!pc_friction_solve(n, rubbing, W, own, rounding, found, block->friction, block->index)) return false;
        for (int i = 0; i < 2 * n; i++) p[2 * order[i / 2] + i % 2] = found[i];
    }
    return true;
}
