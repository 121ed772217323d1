/* Elastic bodies of revolution that strike a rigid plane: meshes, matrices, rings that touch, one impact, and impacts
 * as they are asked for, by cells or by an error that is allowed. */
#ifndef PC_ELASTIC_ELASTIC_H
#define PC_ELASTIC_ELASTIC_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Meshes of the meridian half-section of a body of revolution that stands with its pole on the plane z = 0.
 *
 * Layers of nodes lie around the pole, each from the surface (position 0) to the axis (the last position). Layer 0 is
 * the edge of the core, a square patch of small cells at the pole, and the last layer the flat end of a rod or the edge
 * of the cap, a square patch at the far pole. Some nodes at the pole have no equations of motion, but follow the others
 * as in statics: the inner nodes, first of all the rings, bottom nodes that may touch.
 */

/* What the outline of a body is made of. */
enum { PC_ELASTIC_OUTLINE_MOST = 66 };
typedef struct pc_elastic_shape {
    double radius; /* of sphere or cylinder, m */
    double length; /* of the cylindrical part, m; 0: a sphere */
    bool flat;     /* ends of the cylinder; else they are hemispheres */
    double nose;   /* of the spherical cap at the end that strikes, from the radius on, m; 0: it is a hemisphere, too */
    /* Of an outline of one's own, whose pole has the radius: the distance from the pole at an angle from the axis, over
     * that of the sphere, with its slope; ascending angles from 0 to a quarter turn. 0 points: none. */
    int n;
    double angle[PC_ELASTIC_OUTLINE_MOST], stretch[PC_ELASTIC_OUTLINE_MOST], slope[PC_ELASTIC_OUTLINE_MOST];
} pc_elastic_shape;

/* The shape through n points (r, z) from near the pole, which is at the origin, to the axis again. From the pole every
 * point of the outline must be in sight. */
pc_status pc_elastic_shape_outline(double radius, int n, const double *r, const double *z, pc_elastic_shape *out,
                                   pc_error *err);

/* Radius of curvature at the pole that strikes. */
double pc_elastic_shape_curvature(const pc_elastic_shape *shape);

/* Greatest distance from the axis, and height of the far pole. */
void pc_elastic_shape_extent(const pc_elastic_shape *shape, double *width, double *top);

/* Mass, moment of inertia about the mass centre across the axis, and height of the mass centre. */
void pc_elastic_shape_matter(const pc_elastic_shape *shape, double density, double *mass, double *inertia,
                             double *height);

typedef struct pc_elastic_mesh {
    pc_elastic_shape shape;
    int positions; /* nodes of a layer */
    int layers;
    double *r, *z;                           /* layers x positions, m */
    int side;                                /* cells along a side of core and cap; 0: there is neither */
    double *core_r, *core_z, *cap_r, *cap_z; /* (side + 1)^2, in rows of nodes that begin on the axis */
    int *edge;                               /* the node of core and cap at each position of layer 0, of the last one */
    bool core_moves;                         /* but for its bottom row; else all of it is static */
    int n_inner, n_rings, n_boundary;        /* rings are the first of the inner nodes, from the axis outwards */
    double *inner_r, *inner_z, *boundary_r, *boundary_z; /* boundary: nodes that move and have inner ones beside them */
    int n_quads;
    int *quads;  /* cells with inner nodes, 4 nodes each, in order round: below n_inner, else n_inner + boundary node */
    int *upward; /* the boundary node that takes the mass of each inner one, where the core moves */
    double *gap; /* of each ring, m */
    double height; /* of the mass centre, m */
} pc_elastic_mesh;

/* Cells of size h at the pole, `cells` of them along a side of the core (flat ends: along the radius, and h counts for
 * nothing). */
pc_status pc_elastic_mesh_make(const pc_elastic_shape *shape, int cells, double h, bool core_moves,
                               pc_elastic_mesh *mesh, pc_error *err);

/* About a point of a half-space, with cells of size 1: so many layers, `doubling` of which make a radius twice as
 * large.
 */
pc_status pc_elastic_mesh_half_space(int cells, int doubling, int layers, pc_elastic_mesh *mesh, pc_error *err);

void pc_elastic_mesh_free(pc_elastic_mesh *mesh);

/* A cell of a mesh, its corners in order round. Nodes are numbered: layers, core, cap, inner ones. */
typedef struct pc_elastic_cell {
    double r[4], z[4];
    int node[4];
} pc_elastic_cell;

/* Every cell of the body by its number: of layers, core and cap; of flat ends the bottom row instead of these. */
int pc_elastic_mesh_cells(const pc_elastic_mesh *mesh);
void pc_elastic_mesh_cell(const pc_elastic_mesh *mesh, int which, pc_elastic_cell *out);

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

/* The rings that touch: contact without mass, solved anew at every step.
 *
 * w = w0 + S f, where S (symmetric, positive) is the compliance of the rings and w0 what the body's motion alone would
 * give. Sets of rings that touch, stick or slip change rarely, so they are followed: the factors of a set serve until
 * it changes. Where sets do not settle, Gauss and Seidel's method decides.
 */

enum { PC_ELASTIC_RINGS_MOST = 130 };

typedef struct pc_elastic_rings {
    int n;
    const double *S; /* n x n; of rows `stride` apart */
    size_t stride;
    signed char state[PC_ELASTIC_RINGS_MOST];    /* -1, 1: at the least or greatest force; 0: it touches, or sticks */
    signed char factored[PC_ELASTIC_RINGS_MOST]; /* members of the set whose factors are kept */
    bool kept;
    double *factor; /* room for n x n */
} pc_elastic_rings;

/* P >= 0, w0 + S P >= 0, one of them 0. The set of the last step is the first that is tried. */
pc_status pc_elastic_rings_press(pc_elastic_rings *rings, const double *w0, double *P, pc_error *err);

/* |Q| <= bound; w stays as it was (`old`) where |Q| < bound, and goes against Q elsewhere. Rings of bound 0 are free.
 */
pc_status pc_elastic_rings_rub(pc_elastic_rings *rings, const double *w0, const double *bound, const double *old,
                               double *Q, double *w, pc_error *err);

/* Normal and radial forces at once: S is of W of each ring, then of U of each; `gap` is added to W. f: both forces, on
 * entry those of the last step; w: both displacements; work: room for 4 n^2 + 2 n. The states of the last step are
 * tried first; where they do not settle, Gauss and Seidel's method decides. */
pc_status pc_elastic_rings_grip(int n, const double *S, const double *w0, const double *gap, double friction,
                                const double *old, double *f, double *w, double *work, pc_error *err);

/* One impact of an elastic body of revolution on a rigid plane with friction.
 *
 * Small displacements; leapfrog at a tenth below the stability limit, contact and friction decided at every step.
 * Pressure and tangential traction are axisymmetric, the traction is along x; what this leaves out (Maw's assumptions)
 * is the displacement across, and the radial one by pressure but where `radial_friction` asks for it.
 */

/* Velocities of the mass centre along the plane and towards it (> 0), and the rate of rotation that carries the contact
 * point along with positive velocities. */
typedef struct pc_elastic_motion {
    double vt, approach, omega;
    double friction;
    bool radial_friction;
} pc_elastic_motion;

/* Means over a sample, but for what belongs to its last step: radii, forces by ring, energies. */
typedef struct pc_elastic_sample {
    double t;                            /* s: middle of the sample */
    double normal, tangential;           /* N */
    double contact_radius, stick_radius; /* m */
    double v_n, v_t;                     /* of the contact point as the rigid part of the motion carries it, m/s */
    double error;                        /* of the balance of energy, J */
} pc_elastic_sample;

typedef struct pc_elastic_phase {
    int sign; /* every ring slips along or against x; 0: some stick */
    double start, stop;
} pc_elastic_phase;

typedef struct pc_elastic_result {
    double step;
    int steps;
    double cell_steps; /* nodes times steps */
    double duration;   /* s: from touch until the last contact is over */
    int contacts;      /* 1: it did not touch again */
    double impulse[2]; /* tangential, normal; N s */
    double impulse_compression[2];
    double compression_time;
    double v_n, v_t, omega;                 /* of the rigid part afterwards; v_t of the mass centre */
    double approach_depth;                  /* greatest way of the mass centre, m */
    double peak[2], peak_time[2];           /* tangential, normal */
    double energy_before, energy_after;     /* of rigid motion, J */
    double vibration[PC_ELASTIC_HARMONICS]; /* J */
    double friction_work;                   /* <= 0 */
    double energy_error;                    /* greatest, J */
    double momentum_error;                  /* between the body's momentum and the impulses, N s: of both directions */
    double greatest_slip;                   /* m: way of the rigid contact point along the plane while in contact */
    int greatest_contact;                   /* rings */
    pc_elastic_phase *phases;
    int n_phases;
    size_t phase_room;
    pc_elastic_sample *samples;
    double *rings; /* by sample: normal, then tangential force of each ring */
    int n_samples;
    size_t sample_room, ring_room;
} pc_elastic_result;

/* Displacements at a time asked for, called at the step next to it: u of each harmonic, and contact forces. */
typedef struct pc_elastic_watch {
    const double *times; /* ascending */
    int n;
    pc_status (*see)(void *context, const pc_elastic_model *model, int which, double t,
                     const pc_elastic_field u[PC_ELASTIC_HARMONICS], const double *const contact[PC_ELASTIC_HARMONICS],
                     pc_error *err);
    /* now and then: the share of a contact time that has passed; NULL: nobody asks. Returns whether to go on. */
    bool (*progress)(void *context, double share);
    void *context;
} pc_elastic_watch;

/* time_scale: an estimate of the contact's duration, s, of which a sample is a four-hundredth. quiet: s without contact
 * after which the impact is over, at least three tenths of the contact. */
pc_status pc_elastic_strike(const pc_elastic_model *model, const pc_elastic_motion *motion, double time_scale,
                            double quiet, const pc_elastic_watch *watch, pc_elastic_result *out, pc_error *err);

void pc_elastic_result_free(pc_elastic_result *result);

typedef struct pc_elastic_body {
    pc_elastic_shape shape;
    double young, poisson, density; /* Pa, -, kg/m^3 */
} pc_elastic_body;

/* Cells along a side of the core; Poisson's ratio from which bilinear cells lock too much. */
enum { PC_ELASTIC_CELLS_LEAST = 6, PC_ELASTIC_CELLS_MOST = 40 };
#define PC_ELASTIC_POISSON_MOST 0.45

/* What is known beforehand: the rigid body, and Hertz's impact of it (round ends; else NaN). */
typedef struct pc_elastic_scales {
    double mass, inertia, height;                  /* kg; kg m^2 about the mass centre, across; m */
    double width, top;                             /* greatest distance from the axis; of the far pole: m */
    double bar_speed;                              /* sqrt(E/rho), m/s */
    double contact_radius, depth, force, duration; /* m, m, N, s; flat ends: 2 L/c for the duration */
} pc_elastic_scales;
void pc_elastic_body_scales(const pc_elastic_body *body, double approach, pc_elastic_scales *out);

/* The tangential velocity by which psi counts, as in contact.maw: mu (2 - nu)/(2 (1 - nu)) |v_n|; 0 without friction.
 */
double pc_elastic_unit(const pc_elastic_body *body, const pc_elastic_motion *motion);

typedef struct pc_elastic_request {
    pc_elastic_motion motion;
    int cells;
    double tolerance;        /* of e, v_t in units of psi, and the duration over its Hertz value; NaN: cells decides */
    pc_elastic_watch *watch; /* NULL: nobody looks */
} pc_elastic_request;

/* The mesh on which an impact's history and fields are: cells, and where the edge of contact lies within one. */
typedef struct pc_elastic_hit {
    pc_elastic_scales scales;
    int cells;
    double placement;
    pc_elastic_result result;     /* means of both placements where a tolerance was given, but for histories */
    double mass, inertia, height; /* of the mesh, by which momenta are */
    int n_rings;
    double *radius, *area;                                            /* of each ring: m, m^2 */
    bool unresolved;                                                  /* the finest mesh has not met the tolerance */
    int meshes;                                                       /* computed in all */
    double error_restitution, error_unit, error_duration, error_peak; /* estimates; NaN: none was asked for */
} pc_elastic_hit;

pc_status pc_elastic_collide(const pc_elastic_body *body, const pc_elastic_request *request, pc_elastic_hit *out,
                             pc_error *err);

/* The same impact again on the mesh of its history, for those who want to see more of it. */
pc_status pc_elastic_collide_again(const pc_elastic_body *body, const pc_elastic_motion *motion,
                                   const pc_elastic_hit *hit, pc_elastic_watch *watch, pc_error *err);

void pc_elastic_hit_free(pc_elastic_hit *hit);

/* Fields in the section along t and n, on a rectangular grid of points. */

typedef enum pc_elastic_quantity {
    PC_ELASTIC_MISES,    /* equivalent stress, Pa */
    PC_ELASTIC_PRESSURE, /* mean pressure, Pa */
    PC_ELASTIC_SIGMA_TT,
    PC_ELASTIC_SIGMA_NN,
    PC_ELASTIC_SIGMA_TN,
    PC_ELASTIC_U_T, /* displacements, m */
    PC_ELASTIC_U_N,
} pc_elastic_quantity;

typedef struct pc_elastic_section {
    pc_elastic_quantity quantity;
    int nx, nz;
    double x[2], z[2]; /* least and greatest; x from the axis along t, z from the plane, m */
} pc_elastic_section;

/* Values at nx columns of nz points, NaN outside of the body as it was before the impact. `contact`: forces of each
 * harmonic as pc_elastic_watch has them. */
pc_status pc_elastic_section_sample(const pc_elastic_model *model, const pc_elastic_section *section,
                                    const pc_elastic_field u[PC_ELASTIC_HARMONICS],
                                    const double *const contact[PC_ELASTIC_HARMONICS], double *out, pc_error *err);

#endif
