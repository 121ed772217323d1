/* Closed contacts as linear equations: see block.h. */
#include "engine/block.h"

#include "base/alloc.h"
#include "base/tolerance.h"
#include "law/impact.h"
#include "math/friction.h"
#include "math/linsolve.h"

#include <math.h>
#include <string.h>

pc_status pc_block_open(pc_block *block, int n_velocities, int contacts, pc_error *err)
{
    size_t n = (size_t)n_velocities, most = (size_t)contacts, side = 2 * most, system = side * (side + 1);
    pc_block fresh = {.room = contacts, .n_velocities = n_velocities};
    const struct {
        double **list;
        size_t size;
    } parts[] = {{&fresh.W, side * side},
                 {&fresh.b, side},
                 {&fresh.a, n},
                 {&fresh.x, system},
                 {&fresh.y, system},
                 {&fresh.p, side},
                 {&fresh.solution, side},
                 {&fresh.weights, side},
                 {&fresh.bounds, side},
                 {&fresh.more, side},
                 {&fresh.factors, side},
                 {&fresh.friction, pc_friction_room(contacts)},
                 {&fresh.kept.friction, most},
                 {&fresh.kept.static_friction, most}};
    enum { PARTS = sizeof parts / sizeof *parts };
    for (int i = 0; i < PARTS; i++) fresh.size += parts[i].size;
    size_t indices = pc_friction_indices(contacts);
    double *next = fresh.memory = pc_calloc(fresh.size + 1, sizeof(double));
    fresh.rubbing = pc_calloc(most + 1, sizeof *fresh.rubbing);
    fresh.index = pc_calloc(indices + side + most, sizeof(int));
    if (!fresh.memory || !fresh.rubbing || !fresh.index) {
        pc_block_close(&fresh);
        return pc_fail(err, PC_E_MEMORY, "not enough memory for the contacts of a motion");
    }
    for (int i = 0; i < PARTS; i++) {
        *parts[i].list = next;
        next += parts[i].size;
    }
    fresh.row = fresh.index + indices;
    fresh.kept.mode = fresh.row + side;
    *block = fresh;
    return PC_OK;
}

pc_status pc_block_reserve(pc_block *block, int contacts, pc_error *err)
{
    pc_block fresh;
    if (contacts <= block->room) return PC_OK;
    pc_status status = pc_block_open(&fresh, block->n_velocities, contacts, err);
    if (status != PC_OK) return status;
    pc_block_close(block);
    *block = fresh;
    return PC_OK;
}

void pc_block_close(pc_block *block)
{
    pc_free(block->memory);
    pc_free(block->rubbing);
    pc_free(block->index);
    block->memory = NULL;
    block->rubbing = NULL;
    block->index = NULL;
}

void pc_block_build(pc_block *block, const pc_mechanics *m, const pc_contact_set *set)
{
    block->n = set->n;
    m->provider->mobility(m->self, m->at, set, block->W);
}

double pc_block_slip_mobility(const pc_block *block, int i, int mode, double friction)
{
    const double *row = block->W + (2 * i + PC_N) * 2 * block->n + 2 * i;
    return row[PC_N] - friction * mode * row[PC_T];
}

/* Conditions (rows) and unknowns of the closed pairs: normal ones of all, tangential ones of those that stick; to
 * block->row. Their number. */
static int choose_rows(pc_block *block)
{
    int n = 0;
    for (int i = 0; i < block->n; i++) {
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

/* The solution of least sum x_i^2/w_i: x = w A^T y, A w A^T y = b. */
static void solve_least(pc_block *block, int n, const double *weight, double *x)
{
    int row = n + 1;
    double *y = block->factors, *A = block->x, *B = block->y;
    for (int i = 0; i < n; i++) {
        double *b = B + i * row;
        memset(b, 0, (size_t)n * sizeof *b);
        for (int k = 0; k < n; k++) { /* A has many zeros: contacts of bodies that do not touch */
            double factor = A[i * row + k] * weight[k];
            if (factor == 0) continue;
            for (int j = 0; j < n; j++) b[j] += factor * A[j * row + k];
        }
        b[n] = A[i * row + n];
    }
    pc_solve_diagonal(B, n, PC_RANK_TOLERANCE, y, block->index);
    for (int k = 0; k < n; k++) {
        x[k] = 0;
        for (int i = 0; i < n; i++) x[k] += weight[k] * A[i * row + k] * y[i];
    }
}

/* Where conditions depend on each other, forces are shared: first with weights that know of no forces, then with the
 * bounds of friction mu N and the normal forces of that solution, so that the sticking corners of one block reach their
 * bounds together. Both depend smoothly on the state, as elimination would not, which has to choose what to leave out.
 */
static void share(pc_block *block, int n, double *x)
{
    const int *row = block->row;
    double *weight = block->weights, *bound = block->bounds, largest = 0;
    for (int i = 0; i < n; i++) {
        double mu = block->kept.static_friction[row[i] / 2];
        weight[i] = row[i] % 2 == PC_N ? 1 : FRICTION_LAST * fmin(mu, 1e6);
    }
    solve_least(block, n, weight, x);
    for (int i = 0; i < n; i++)
        if (row[i] % 2 == PC_N) largest = fmax(largest, x[i]);
    for (int i = 0; i < n; i++) {
        int normal = i;
        /* the tangential condition follows the normal one; that of a held point has none */
        while (normal > 0 && row[normal] != (row[i] | 1)) normal--;
        bool held = row[normal] != (row[i] | 1);
        bound[i] = weight[i] * (largest > 0 && !held ? fmax(x[normal], PC_CLEARLY * largest) : 1);
    }
    solve_least(block, n, bound, x);

    /* once more for what is left: with weights so far apart rounding would let contacts creep */
    double *more = block->more, *A = block->x;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) A[i * (n + 1) + n] -= A[i * (n + 1) + k] * x[k];
    solve_least(block, n, bound, more);
    for (int i = 0; i < n; i++) x[i] += more[i];
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
    block->spread = 0;
    if (!pc_lu_factor(lu, n, block->index)) return CLEARLY_NOT;
    for (int i = 0; i < n; i++) { /* pivots are kept inverted */
        least = fmin(least, fabs(lu[i * n + i]));
        most = fmax(most, fabs(lu[i * n + i]));
    }
    if (n > 0) block->spread = least / most;
    if (!(least > PC_CLEARLY * most)) return least > pc_rank_bound(most) ? PERHAPS : CLEARLY_NOT;
    pc_lu_solve(lu, n, block->index, x);
    return CLEARLY;
}

bool pc_block_solve_modes(pc_block *block, bool smooth, bool press, double (*force)[2])
{
    const pc_kept_modes *c = &block->kept;
    int n = choose_rows(block);
    double *x = block->solution;
    fill_system(block, smooth, n);
    independence are = solve_regular(block, n, x);
    if (are == PERHAPS || (are == CLEARLY_NOT && !press)) {
        bool is = pc_solve_dependent(block->x, n, PC_RANK_TOLERANCE, x, block->index) == n;
        if (!is) are = CLEARLY_NOT;
        if (!is && press) fill_system(block, smooth, n);
    }
    bool shared = are == CLEARLY_NOT && press;
    if (shared) share(block, n, x);
    for (int i = 0, k = 0; i < block->n; i++) {
        force[i][PC_N] = i < c->n ? x[k++] : 0;
        if (c->mode[i] == 0)
            force[i][PC_T] = x[k++];
        else
            force[i][PC_T] = smooth ? -c->friction[i] * c->mode[i] * force[i][PC_N] : 0;
    }
    return shared;
}
