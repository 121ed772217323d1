/* Rooted trees up to order 8 and what the order conditions need of them: tests of Runge-Kutta and Rosenbrock tables.
 *
 * A tree is a list of subtrees on a root. A method has order p if sum_i b_i Phi_i(t) = 1/gamma(t) for all trees of
 * up to p nodes; its interpolant b_i(x) if the sum is x^order/gamma. Butcher (1963); Hairer, Norsett and Wanner, II.2;
 * for Rosenbrock methods Hairer and Wanner, Solving Ordinary Differential Equations II, IV.7.
 */
#ifndef TESTS_C_ORDER_H
#define TESTS_C_ORDER_H

enum { TREE_ORDER = 8, N_TREES = 200, MAX_STAGES = 16 };

typedef struct tree {
    int order, n_children, child[TREE_ORDER];
    double gamma;
} tree;

typedef struct forest {
    tree t[N_TREES];
    int n;
} forest;

/* All ways to hang subtrees of `left` nodes in total, each numbered at most `limit`, on the root of `root`. */
static void hang(forest *f, tree root, int left, int limit)
{
    if (left == 0) {
        root.gamma = root.order;
        for (int i = 0; i < root.n_children; i++) root.gamma *= f->t[root.child[i]].gamma;
        f->t[f->n++] = root;
        return;
    }
    for (int k = 0; k <= limit && f->t[k].order <= left; k++) {
        tree more = root;
        more.child[more.n_children++] = k;
        hang(f, more, left - f->t[k].order, k);
    }
}

static void grow_forest(forest *f)
{
    f->n = 0;
    for (int order = 1; order <= TREE_ORDER; order++) hang(f, (tree){.order = order}, order - 1, f->n - 1);
}

/* Phi_i of all trees for all stages. A node with one child multiplies by `single`, one with more by `a` (for
 * Runge-Kutta methods both are a). Row i of the matrices belongs to stage i. */
static void elementary_weights(const forest *f, int stages, double a[MAX_STAGES][MAX_STAGES],
                               double single[MAX_STAGES][MAX_STAGES], double phi[N_TREES][MAX_STAGES])
{
    for (int t = 0; t < f->n; t++) {
        const tree *tr = &f->t[t];
        for (int i = 0; i < stages; i++) {
            double product = 1;
            for (int c = 0; c < tr->n_children; c++) {
                double sum = 0;
                for (int j = 0; j < stages; j++) sum += (tr->n_children == 1 ? single : a)[i][j] * phi[tr->child[c]][j];
                product *= sum;
            }
            phi[t][i] = product;
        }
    }
}

#endif
