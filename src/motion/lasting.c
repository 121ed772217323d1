/* Contacts that last: see lasting.h. */
#include "motion/lasting.h"

#include "base/alloc.h"
#include "math/friction.h"
#include "math/linsolve.h"
#include "motion/compliant.h"

#include <math.h>
#include <string.h>

enum { SIDE = 2 * PC_CLOSED };

/* Pivots below this share of the largest belong to conditions that follow from the others (a block on two corners
 * sticks at both); W rounds at a few 1e-16. */
static const double DEPENDENT = 1e-11;

/* Far enough from it for pivots that were sought in columns alone. */
static const double REGULAR = 1e-6;

/* See soften(). */
static const double GIVE = 1e-6, PULL = 0.1;

typedef struct held_points {
    int n, which[PC_CLOSED];
} held_points;

/* Normal accelerations cancel to a few 1e-16 of their terms: a force that answers to less is none. */
static const double FORCELESS = 1e-12;

/* Clearly more than that: contacts that held no longer do, and what decides on modes will see it as well. */
static const double CLEAR = 1e6;

pc_status pc_block_open(pc_block *block, const pc_scene *scene, pc_error *err)
{
    /* for as many pairs as can be closed at once in this scene */
    size_t n = (size_t)scene->n_dof, most = (size_t)(scene->n_pairs < PC_CLOSED ? scene->n_pairs : PC_CLOSED);
    size_t side = 2 * most, system = side * (side + 1);
    size_t sizes[] = {side * side, side, n, system, system, side, pc_friction_room((int)most)};
    double **parts[] = {&block->W, &block->b, &block->a, &block->x, &block->y, &block->p, &block->friction};
    enum { PARTS = sizeof sizes / sizeof *sizes };
    size_t total = 0;
    for (int i = 0; i < PARTS; i++) total += sizes[i];
    *block = (pc_block){.memory = pc_calloc(total + 1, sizeof(double)),
                        .index = pc_calloc(pc_friction_indices((int)most), sizeof(int))};
    if (!block->memory || !block->index) {
        pc_block_close(block);
        return pc_fail(err, PC_E_MEMORY, "not enough memory for the contacts of a motion");
    }
    double *next = block->memory;
    for (int i = 0; i < PARTS; i++) {
        *parts[i] = next;
        next += sizes[i];
    }
    return PC_OK;
}

void pc_block_close(pc_block *block)
{
    pc_free(block->memory);
    pc_free(block->index);
    block->memory = NULL;
    block->index = NULL;
}

void pc_block_build(pc_block *block, pc_system *system, const int *pairs, const pc_touch *touch, int n)
{
    const int side = 2 * n;
    block->n = n;
    memset(block->W, 0, (size_t)side * (size_t)side * sizeof *block->W);
    for (int j = 0; j < side; j++) {
        memset(block->a, 0, (size_t)system->now.scene->n_dof * sizeof *block->a);
        double unit[2] = {j % 2 == PC_T, j % 2 == PC_N};
        pc_system_respond(system, pairs[j / 2], &touch[j / 2], unit, block->a);
        for (int i = 0; i < n; i++) {
            if (!pc_system_coupled(system, pairs[i], pairs[j / 2])) continue;
            double v[2];
            pc_configuration_change(&system->now, pairs[i], &touch[i], block->a, v);
            block->W[2 * i * side + j] = v[PC_T];
            block->W[(2 * i + 1) * side + j] = v[PC_N];
        }
    }
}

void pc_contacts_touch(pc_contacts *c, const pc_system *system)
{
    for (int i = 0; i < c->n; i++) pc_configuration_touch(&system->now, &system->places, c->pair[i], &c->touch[i]);
}

/* Points of compliant contacts that stick without an element: behind the closed pairs, with a tangential condition and
 * no normal one, since their normal force is known. */
static void find_held(pc_contacts *c, const pc_system *system, held_points *held)
{
    held->n = pc_compliant_held(system, held->which);
    for (int k = 0; k < held->n; k++) {
        int i = held->which[k];
        c->pair[c->n + k] = system->compliant->contact[i].pair;
        c->touch[c->n + k] = system->compliant->touch[i];
        c->mode[c->n + k] = 0;
        system->compliant->now[i].Ft = 0;
    }
}

static double friction_of(const pc_contacts *c, const pc_system *system, int i)
{
    return system->now.scene->pairs[c->pair[i]].friction;
}

double pc_contacts_slip_mobility(const pc_contacts *c, const pc_system *system, const pc_block *block, int i)
{
    const double *row = block->W + (2 * i + PC_N) * 2 * block->n + 2 * i;
    return row[PC_N] - friction_of(c, system, i) * c->mode[i] * row[PC_T];
}

/* Conditions (rows) and unknowns of the closed pairs: normal ones of all, tangential ones of those that stick. */
typedef struct unknowns {
    int size, row[SIDE];
} unknowns;

/* A x = b in block->x, as solve_dependent wants it. */
static void fill_system(const pc_contacts *c, const pc_system *system, pc_block *block, bool smooth, const unknowns *u)
{
    int side = 2 * block->n, size = u->size;
    for (int i = 0; i < size; i++) {
        const double *W = block->W + u->row[i] * side;
        double *A = block->x + i * (size + 1);
        for (int j = 0; j < size; j++) {
            int k = u->row[j] / 2;
            A[j] = W[u->row[j]];
            if (smooth && c->mode[k] != 0) A[j] -= friction_of(c, system, k) * c->mode[k] * W[2 * k + PC_T];
        }
        A[size] = -block->b[u->row[i]];
    }
}

/* Friction counts so much more than normal forces where forces are shared: what these can carry, they do. A wedged
 * link, whose end can move in one direction only, then leaves its cone at no angle where that can be avoided. */
static const double FRICTION_LAST = 1e-3;

/* What carries nothing counts by this share of the greatest normal force. With FRICTION_LAST on top it has to stay
 * clear of DEPENDENT, or rounding would decide what takes part. */
static const double LEAST_SHARE = 1e-6;

/* The solution of least sum x_i^2/w_i: x = w A^T y, A w A^T y = b. */
static void solve_least(pc_block *block, int n, const double *weight, double *x)
{
    int row = n + 1;
    double y[SIDE], *A = block->x, *B = block->y;
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
    pc_solve_diagonal(B, n, DEPENDENT, y, block->index);
    for (int k = 0; k < n; k++) {
        x[k] = 0;
        for (int i = 0; i < n; i++) x[k] += weight[k] * A[i * row + k] * y[i];
    }
}

/* Where conditions depend on each other, forces are shared: first with weights that know of no forces, then with the
 * bounds of friction mu N and the normal forces of that solution, so that the sticking corners of one block reach their
 * bounds together. Both depend smoothly on the state, as elimination would not, which has to choose what to leave out.
 */
static void share(const pc_contacts *c, const pc_system *system, pc_block *block, const unknowns *u, double *x)
{
    int n = u->size;
    double weight[SIDE] = {0}, bound[SIDE] = {0}, largest = 0;
    for (int i = 0; i < n; i++) {
        double mu = system->now.scene->pairs[c->pair[u->row[i] / 2]].static_friction;
        weight[i] = u->row[i] % 2 == PC_N ? 1 : FRICTION_LAST * fmin(mu, 1e6);
    }
    solve_least(block, n, weight, x);
    for (int i = 0; i < n; i++)
        if (u->row[i] % 2 == PC_N) largest = fmax(largest, x[i]);
    for (int i = 0; i < n; i++) {
        int normal = i;
        /* the tangential condition follows the normal one; that of a held point has none */
        while (normal > 0 && u->row[normal] != (u->row[i] | 1)) normal--;
        bool held = u->row[normal] != (u->row[i] | 1);
        bound[i] = weight[i] * (largest > 0 && !held ? fmax(x[normal], LEAST_SHARE * largest) : 1);
    }
    solve_least(block, n, bound, x);

    /* once more for what is left: with weights so far apart rounding would let contacts creep */
    double more[SIDE], *A = block->x;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) A[i * (n + 1) + n] -= A[i * (n + 1) + k] * x[k];
    solve_least(block, n, bound, more);
    for (int i = 0; i < n; i++) x[i] += more[i];
}

/* How far the conditions are independent. */
typedef enum independence { CLEARLY_NOT, PERHAPS, CLEARLY } independence;

/* What is clear needs no full pivoting: conditions that are independent are solved. */
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
    if (!(least > REGULAR * most)) return least > DEPENDENT * most ? PERHAPS : CLEARLY_NOT;
    pc_lu_solve(lu, n, block->index, x);
    return CLEARLY;
}

/* Forces at all closed pairs, and at held points behind them, that change the accelerations (or velocities) b of the
 * contact points to what the modes allow. `smooth`: friction of slipping pairs acts with their normal forces. True:
 * some do not follow from that alone, and were shared, if forces that press are wanted (`press`). */
static bool solve_modes(const pc_contacts *c, const pc_system *system, pc_block *block, bool smooth, bool press,
                        double (*force)[2])
{
    int n = c->n, all = block->n;
    unknowns u = {0};
    double x[SIDE];
    for (int i = 0; i < all; i++) {
        if (i < n) u.row[u.size++] = 2 * i + PC_N;
        if (c->mode[i] == 0) u.row[u.size++] = 2 * i + PC_T;
    }
    fill_system(c, system, block, smooth, &u);
    independence are = solve_regular(block, u.size, x);
    if (are == PERHAPS || (are == CLEARLY_NOT && !press)) {
        bool is = pc_solve_dependent(block->x, u.size, DEPENDENT, x, block->index) == u.size;
        if (!is) are = CLEARLY_NOT;
        if (!is && press) fill_system(c, system, block, smooth, &u);
    }
    bool shared = are == CLEARLY_NOT && press;
    if (shared) share(c, system, block, &u, x);
    for (int i = 0, k = 0; i < all; i++) {
        force[i][PC_N] = i < n ? x[k++] : 0;
        if (c->mode[i] == 0)
            force[i][PC_T] = x[k++];
        else
            force[i][PC_T] = smooth ? -friction_of(c, system, i) * c->mode[i] * force[i][PC_N] : 0;
    }
    return shared;
}

/* Accelerations of the contact points without their forces. */
static int bias(pc_contacts *c, pc_system *system, pc_block *block)
{
    int got = pc_system_load(system);
    if (got != 0) return got;
    pc_system_accelerations(system, block->a);
    for (int i = 0; i < block->n; i++)
        pc_configuration_acceleration(&system->now, c->pair[i], &c->touch[i], block->a, block->b + 2 * i);
    return 0;
}

/* Two held points of one body ask for nearly the same. So that their forces stay what friction could be, and do not
 * jump where rounding makes the conditions dependent, they give by a millionth, and are brought back: they creep at
 * about that share of the speed that their load would reach in the time of an impact. */
static void soften(const pc_contacts *c, const pc_system *system, pc_block *block, const held_points *held)
{
    for (int k = 0; k < held->n && held->n > 1; k++) {
        const pc_run_contact *contact = &system->compliant->contact[held->which[k]];
        int row = 2 * (c->n + k) + PC_T;
        block->W[row * 2 * block->n + row] *= 1 + GIVE;
        block->b[row] += PULL * system->compliant->now[held->which[k]].v_t * contact->speed / contact->length;
    }
}

int pc_contacts_accelerate(pc_contacts *c, pc_system *system, pc_block *block, double *a)
{
    held_points held;
    held.n = 0;
    if (system->compliant) {
        pc_compliant_evaluate(system);
        find_held(c, system, &held);
    }
    if (c->n + held.n > 0) {
        pc_contacts_touch(c, system);
        pc_block_build(block, system, c->pair, c->touch, c->n + held.n);
        int got = bias(c, system, block);
        if (got != 0) return got;
        soften(c, system, block, &held);
        block->shared = solve_modes(c, system, block, true, true, c->force);
        for (int k = 0; k < held.n; k++) system->compliant->now[held.which[k]].Ft = c->force[c->n + k][PC_T];
    }
    int got = pc_system_load(system);
    if (got != 0) return got;
    for (int i = 0; i < c->n; i++) pc_system_push(system, c->pair[i], &c->touch[i], c->force[i]);
    pc_system_accelerations(system, a);
    return 0;
}

/* y[at ..] += the jump that impulses at the closed pairs make. */
static void add_jump(pc_contacts *c, pc_system *system, pc_block *block, double (*impulse)[2], double *y)
{
    pc_system_unload(system);
    for (int i = 0; i < c->n; i++) pc_system_push(system, c->pair[i], &c->touch[i], impulse[i]);
    pc_system_jumps(system, block->a);
    for (int i = 0; i < system->now.scene->n_dof; i++) y[i] += block->a[i];
}

void pc_contacts_project(pc_contacts *c, pc_system *system, pc_block *block, bool rub, double *y)
{
    double impulse[PC_CLOSED][2];
    int mode[PC_CLOSED], n_dof = system->now.scene->n_dof;
    pc_contacts_touch(c, system);
    pc_block_build(block, system, c->pair, c->touch, c->n);
    /* velocities first: they are asked of the configuration that was placed */
    for (int i = 0; i < c->n; i++) pc_configuration_velocity(&system->now, c->pair[i], &c->touch[i], block->b + 2 * i);
    solve_modes(c, system, block, rub, false, impulse);
    add_jump(c, system, block, impulse, y + n_dof);
    memcpy(mode, c->mode, sizeof mode);
    for (int i = 0; i < c->n; i++) {
        c->mode[i] = 1; /* positions along the tangent are free */
        block->b[2 * i + PC_T] = 0;
        block->b[2 * i + PC_N] = c->touch[i].gap;
    }
    solve_modes(c, system, block, false, false, impulse);
    add_jump(c, system, block, impulse, y);
    memcpy(c->mode, mode, sizeof mode);
}

/* All pairs at rest, and the forces that hold them there are within their cones: then they may stay, even where the
 * search for modes ends without an answer (a wedged link, on which slip either way would press harder). */
static bool all_stick(pc_contacts *c, const pc_system *system, pc_block *block)
{
    for (int i = 0; i < c->n; i++)
        if (c->mode[i] != 0) return false;
    double largest = 0;
    solve_modes(c, system, block, true, true, c->force);
    for (int i = 0; i < c->n; i++) largest = fmax(largest, fabs(c->force[i][PC_N]) + fabs(c->force[i][PC_T]));
    for (int i = 0; i < c->n; i++) {
        double bound = system->now.scene->pairs[c->pair[i]].static_friction * c->force[i][PC_N];
        if (!(c->force[i][PC_N] > DEPENDENT * largest) || fabs(c->force[i][PC_T]) > bound) return false;
    }
    return true;
}

/* Forces in block->p for pairs that touch, held points among them, by complementarity; accelerations within `least` of
 * zero are zero. */
static pc_verdict solve_free(pc_contacts *c, pc_system *system, pc_block *block, double *least)
{
    held_points held;
    held.n = 0;
    if (system->compliant) {
        pc_compliant_evaluate(system);
        find_held(c, system, &held);
    }
    pc_contacts_touch(c, system);
    pc_block_build(block, system, c->pair, c->touch, c->n + held.n);
    if (bias(c, system, block) != 0) return PC_STOPPED;

    pc_rubbing rub[PC_CLOSED];
    for (int i = 0; i < block->n; i++) {
        const pc_pair *pair = &system->now.scene->pairs[c->pair[i]];
        rub[i] = (pc_rubbing){.mu = c->mode[i] ? pair->friction : pair->static_friction, .slip = c->mode[i]};
        if (i < c->n) continue;
        rub[i].held = true; /* with a normal force that is known */
        rub[i].given = fmax(system->compliant->now[held.which[i - c->n]].Fn, 0);
    }
    *least = fabs(system->now.scene->gravity);
    for (int i = 0; i < 2 * block->n; i++) *least = fmax(*least, fabs(block->b[i]));
    *least *= FORCELESS;
    bool solved = pc_friction_solve(block->n, rub, block->W, block->b, *least, block->p, block->friction, block->index);
    return solved ? PC_CONSISTENT : PC_INCONSISTENT;
}

/* The acceleration (t, n) of a pair that goes with block->p. */
static double accelerated(const pc_block *block, int row)
{
    int side = 2 * block->n;
    double sum = block->b[row];
    for (int k = 0; k < side; k++) sum += block->W[row * side + k] * block->p[k];
    return sum;
}

int pc_contacts_persist(pc_contacts *c, pc_system *system, pc_block *block, bool *hold)
{
    double least;
    pc_verdict verdict = solve_free(c, system, block, &least);
    if (verdict == PC_STOPPED) return -1;
    *hold = verdict == PC_CONSISTENT;
    for (int i = 0; i < c->n && *hold; i++) {
        bool slips = c->mode[i] == 0 && fabs(accelerated(block, 2 * i + PC_T)) > CLEAR * least;
        *hold = !slips && accelerated(block, 2 * i + PC_N) <= CLEAR * least;
    }
    return 0;
}

pc_verdict pc_contacts_decide(pc_contacts *c, pc_system *system, pc_block *block)
{
    int n = c->n, kept = 0;
    double least;
    pc_verdict verdict = solve_free(c, system, block, &least);
    if (verdict == PC_INCONSISTENT && all_stick(c, system, block)) return PC_CONSISTENT;
    if (verdict != PC_CONSISTENT) return verdict;
    for (int i = 0; i < n; i++) {
        int mode = c->mode[i];
        double N = block->p[2 * i + PC_N];
        if (mode == 0) {
            double slide = accelerated(block, 2 * i + PC_T);
            bool smooth = system->now.scene->pairs[c->pair[i]].static_friction == 0;
            mode = slide < -least ? -1 : slide > least || smooth ? 1 : 0;
        }
        const double *W = block->W + (2 * i + PC_N) * 2 * block->n + 2 * i;
        if (!(N * W[PC_N] > least)) continue; /* opens, or touches without a force */
        c->pair[kept] = c->pair[i];
        c->touch[kept] = c->touch[i];
        c->mode[kept] = mode;
        c->press[kept] = N * W[PC_N] + block->p[2 * i + PC_T] * W[PC_T];
        kept++;
    }
    c->n = kept;
    return PC_CONSISTENT;
}
