/* Matrices of an elastic body of revolution by harmonic, made once for all its impacts on one mesh.
 *
 * Harmonic 0 is u_r = U, u_z = W; harmonic 1 is u_r = U cos th, u_th = V sin th, u_z = W cos th, kept as p = (U - V)/2,
 * s = (U + V)/2 and W, since p is the mean displacement along x and s vanishes on the axis. Bilinear cells, 2 x 2
 * points of Gauss: no mode without energy. Mass is lumped by rows.
 *
 * What lies near the contact is so small beside the waves of an impact that it follows its boundary and the contact
 * forces as in statics (pc_elastic_patch): it is eliminated from the inside outwards, the core first, then layer by
 * layer. Its mass counts with the static modes that the boundary enforces (Guyan 1965), so that momentum, moment of
 * momentum and energy keep their balances, and the rings that touch have none of their own: contact is a static problem
 * at every step. In fast impacts the core moves as well, and only its bottom row is static; the row above takes its
 * mass.
 */
#ifndef PC_ELASTIC_MODEL_H
#define PC_ELASTIC_MODEL_H

#include "elastic/mesh.h"

enum { PC_ELASTIC_HARMONICS = 2 };

/* Displacements of a harmonic: 2 or 3 components. */
static inline int pc_elastic_components(int m)
{
    return 2 + m;
}

/* Stiffness in diagonals: of each node with itself (upper triangle) and, in full, with the next position and with those
 * beside it in the next layer (offsets +1, pitch - 1, pitch, pitch + 1). `coefficient` is the first entry of layer 0;
 * before it and behind the last one are zeros, and so they are around each component of a displacement. */
typedef struct pc_elastic_block {
    int positions, pitch, layers; /* pitch: whole vectors with at least one node more, without coefficients */
    double *coefficient[PC_ELASTIC_HARMONICS];
    double *inverse_mass[PC_ELASTIC_HARMONICS]; /* components x nodes; 0: the displacement stays 0 */
    double *memory;
} pc_elastic_block;

static inline int pc_elastic_diagonals(int m)
{
    return m == 0 ? 19 : 42;
}

static inline size_t pc_elastic_nodes(const pc_elastic_block *b)
{
    return (size_t)b->layers * (size_t)b->pitch;
}

/* Zeros before and behind a component, and the room of one. */
static inline size_t pc_elastic_margin(const pc_elastic_block *b)
{
    return 2 * (size_t)b->pitch;
}
static inline size_t pc_elastic_room(const pc_elastic_block *b)
{
    return pc_elastic_nodes(b) + 2 * pc_elastic_margin(b);
}

/* The kernels of each instruction set. */
void pc_elastic_force_plain(const pc_elastic_block *b, int m, const double *u, double *f);
void pc_elastic_force_avx2(const pc_elastic_block *b, int m, const double *u, double *f);
void pc_elastic_force_avx512(const pc_elastic_block *b, int m, const double *u, double *f);

/* f = -K u of harmonic m; component c of both at c times pc_elastic_room, from the margin on. */
void pc_elastic_force(const pc_elastic_block *b, int m, const double *u, double *f);

/* Boundary: components x boundary nodes. Contact displacements: harmonic 0: W of each ring, then U of each; harmonic 1:
 * p of each. Force f on the boundary and contact displacements w by boundary displacements u and contact forces P: f =
 * -K u + X' P, w = X u + S P. */
typedef struct pc_elastic_patch {
    int boundary, contacts;
    double *K, *mass, *inverse_mass; /* boundary x boundary; mass of patch and boundary, NULL where the core moves */
    double *X, *S;
    /* Of layer k (0 is the core's inside) by layer k + 1 and contact forces: u_k = T u_k+1 + Y P. */
    int levels;
    double **T, **Y;
} pc_elastic_patch;

/* What moves: layers from the boundary on, and squares whose edges are nodes of the last layer, of layer 0. A part that
 * is not there has no layers. */
enum { PC_ELASTIC_BODY, PC_ELASTIC_CAP, PC_ELASTIC_CORE, PC_ELASTIC_PARTS };

/* Displacements, velocities or forces of a harmonic: of each part its components, pc_elastic_room apart. */
typedef struct pc_elastic_field {
    double *part[PC_ELASTIC_PARTS];
} pc_elastic_field;

typedef struct pc_elastic_model {
    pc_elastic_mesh mesh;
    double shear, lame, density; /* G, lambda: Pa; kg/m^3, such that straight cells have the body's mass */
    double axial_share;          /* of mass in harmonic 1, near 1/2: such that lumps have its moment of inertia */
    int first;                   /* layer of the mesh that is the body's layer 0 */
    pc_elastic_block part[PC_ELASTIC_PARTS];
    double *mass[PC_ELASTIC_PARTS]; /* of each node, kg; edges of squares have none, layer 0 by its outer cells alone
                                       where the patch has a mass */
    double *r[PC_ELASTIC_PARTS], *z[PC_ELASTIC_PARTS];
    pc_elastic_patch patch[PC_ELASTIC_HARMONICS];
    size_t
        *boundary_place; /* of the patch's boundary nodes in a component of the body, or of the core where that moves */
    size_t *edge_place;  /* of the squares' edges in a component */
    double *area;        /* of each ring, m^2 */
    double total, inertia; /* of the lumped body: kg, kg m^2 about the mass centre */
    double step;           /* s: the greatest stable one */
    double *memory;
    size_t *places;
} pc_elastic_model;

/* Young's modulus, Poisson's ratio, density. static_radius: what is nearer to the pole than this is static, m; where
 * the core is larger, it moves. */
pc_status pc_elastic_model_make(const pc_elastic_shape *shape, double young, double poisson, double density, int cells,
                                double h, double static_radius, pc_elastic_model *model, pc_error *err);

void pc_elastic_model_free(pc_elastic_model *model);

/* Contact displacements that the boundary alone would give. Edges of squares are set in u. */
void pc_elastic_model_contact(const pc_elastic_model *model, int m, pc_elastic_field u, double *w);

/* Forces of harmonic m with contact forces P; edges of squares are set in u, and give their forces to the body. */
void pc_elastic_model_force(const pc_elastic_model *model, int m, pc_elastic_field u, const double *P,
                            pc_elastic_field f);

/* Accelerations from forces, in place. */
void pc_elastic_model_accelerate(const pc_elastic_model *model, int m, pc_elastic_field f);

/* v' M w, and u . f. */
double pc_elastic_model_mass_product(const pc_elastic_model *model, int m, pc_elastic_field v, pc_elastic_field w);
double pc_elastic_model_work(const pc_elastic_model *model, int m, pc_elastic_field u, pc_elastic_field f);

/* Velocities of a rigid motion: of the mass centre along x and z, and a rotation that carries the pole along x. */
void pc_elastic_model_rigid(const pc_elastic_model *model, int m, const double rigid[3], pc_elastic_field v);

/* Doubles that a field of harmonic m takes, and a field in such memory. */
size_t pc_elastic_field_room(const pc_elastic_model *model, int m);
pc_elastic_field pc_elastic_field_in(const pc_elastic_model *model, int m, double *memory);

#endif
