/* Bodies against values from the literature and against closed forms. Each case names the source of its number. */
#include "unit.h"

#include "body/body.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DEG (3.14159265358979323846 / 180)

/* Bounds relative to the largest element of W. Values worked out here in closed form differ by a few roundings; those
 * printed with 12 digits after the point by half a unit of the last. */
#define ROUND 2e-15
#define PRINTED 1e-12

/* A body from "kind" and a list of name, number (double) pairs that ends with NULL; words are given as "name=word". */
static pc_body body(const char *kind, ...)
{
    const pc_body_kind *k = NULL;
    for (int i = 0; i < pc_n_body_kinds; i++)
        if (strcmp(pc_body_kinds[i]->schema->name + 5, kind) == 0) k = pc_body_kinds[i];
    ck_assert_msg(k != NULL, "no body is called %s", kind);
    void *params = malloc(k->schema->size);
    uint64_t given = 0;
    pc_error err = {0};
    pc_body b;
    va_list list;
    va_start(list, kind);
    pc_schema_defaults(k->schema, params);
    for (const char *name; (name = va_arg(list, const char *));) {
        char word[64];
        snprintf(word, sizeof word, "%s", name);
        char *equals = strchr(word, '=');
        if (equals) *equals = '\0';
        int row = pc_schema_find(k->schema, word);
        ck_assert_msg(row >= 0, "%s has no %s", kind, word);
        pc_status status = !equals ? pc_schema_set_number(k->schema, row, params, va_arg(list, double), &given, &err)
                           : strcmp(equals + 1, "true") == 0
                               ? pc_schema_set_boolean(k->schema, row, params, true, &given, &err)
                               : pc_schema_set_word(k->schema, row, params, equals + 1, &given, &err);
        ck_assert_msg(!status, "%s", err.text);
    }
    va_end(list);
    ck_assert_msg(!pc_schema_finish(k->schema, params, given, &err), "%s", err.text);
    ck_assert_msg(!pc_body_make(k, params, &b, &err), "%s", err.text);
    free(params);
    return b;
}

static pc_body rigid(double mass, const double inertia[9], double x, double z, double y)
{
    const pc_schema *schema = NULL;
    const pc_body_kind *kind = NULL;
    for (int i = 0; i < pc_n_body_kinds; i++)
        if (strcmp(pc_body_kinds[i]->schema->name, "body.rigid") == 0) kind = pc_body_kinds[i];
    schema = kind->schema;
    void *params = malloc(schema->size);
    uint64_t given = 0;
    pc_error err = {0};
    pc_body b;
    pc_matrix tensor = {.rows = 3, .cols = 3};
    memcpy(tensor.v, inertia, 9 * sizeof *inertia);
    const double arm[2] = {x, z};
    pc_schema_defaults(schema, params);
    pc_schema_set_number(schema, pc_schema_find(schema, "mass"), params, mass, &given, &err);
    pc_schema_set_matrix(schema, pc_schema_find(schema, "inertia_tensor"), params, &tensor, &given, &err);
    pc_schema_set_vector(schema, pc_schema_find(schema, "arm"), params, arm, 2, &given, &err);
    pc_schema_set_number(schema, pc_schema_find(schema, "arm_t2"), params, y, &given, &err);
    ck_assert_msg(!pc_schema_finish(schema, params, given, &err), "%s", err.text);
    ck_assert_msg(!pc_body_make(kind, params, &b, &err), "%s", err.text);
    free(params);
    return b;
}

static void near(const char *what, double got, double want, double bound)
{
    ck_assert_msg(fabs(got - want) <= bound, "%s is %.17g, expected %.17g (difference %.3g, bound %.3g)", what, got,
                  want, got - want, bound);
}

static void near_plane(const char *what, const pc_body *b, double tt, double tn, double nn, double relative)
{
    char text[80];
    double size = tt + nn;
    snprintf(text, sizeof text, "%s: w_tt", what);
    near(text, b->W.tt, tt, relative * size);
    snprintf(text, sizeof text, "%s: w_tn", what);
    near(text, b->W.tn, tn, relative * size);
    snprintf(text, sizeof text, "%s: w_nn", what);
    near(text, b->W.nn, nn, relative * size);
}

/* Lai (1999), Table 5.1 and the text after (3.56). */
START_TEST(lambda_of_round_bodies_and_the_rod_are_simple_fractions)
{
    const struct {
        const char *kind;
        double lambda, w_tt;
    } rows[] = {{"sphere", 5.0 / 9, 3.5}, {"disc", 1.0 / 2, 3}, {"shell", 3.0 / 7, 2.5}, {"hoop", 1.0 / 3, 2}};
    double mass, lambda, theta;
    for (int i = 0; i < 4; i++) {
        pc_body b = body(rows[i].kind, "radius", 0.37, "mass", 0.8, NULL);
        pc_body_lai(&b, &mass, &lambda, &theta);
        near_plane(rows[i].kind, &b, rows[i].w_tt / 0.8, 0, 1 / 0.8, ROUND);
        near(rows[i].kind, lambda, rows[i].lambda, ROUND);
        near("effective mass", mass, 2 * 0.8 / (rows[i].w_tt + 1), ROUND);
        ck_assert_double_eq(theta, 0);
        near("curvature", b.curvature, 1 / 0.37, ROUND / 0.37);
    }
    for (int degrees = -80; degrees <= 80; degrees += 20) {
        pc_body rod = body("rod", "length", 1.3, "mass", 0.8, "angle", degrees * DEG, NULL);
        pc_body_lai(&rod, &mass, &lambda, &theta);
        near("rod: lambda", lambda, 0.6, ROUND);
        near("rod: theta", theta, degrees * DEG, ROUND);
        ck_assert(isnan(rod.curvature));
    }
}
END_TEST

/* W_tn = -x z/J and its companions, for every shape whose arm is simple. */
START_TEST(planar_mobility_follows_the_arm)
{
    double a = 0.7, m = 1.9;
    pc_body rod = body("rod", "length", 0.6, "mass", m, "angle", a, NULL);
    near_plane("rod", &rod, (1 + 3 * cos(a) * cos(a)) / m, 3 * sin(a) * cos(a) / m, (1 + 3 * sin(a) * sin(a)) / m,
               ROUND);

    /* Birlik (2012), Figs 3.8 and 3.9: contact point behind the mass centre, a13 < 0 */
    pc_body behind = body("rod", "length", 0.1, "mass", 1.0, "angle", -45 * DEG, NULL);
    near_plane("rod of Fig 3.8", &behind, 2.5, -1.5, 2.5, ROUND);

    /* a box turned anticlockwise stands on the corner that was left below */
    double w = 0.3, h = 0.5, J = m * (w * w + h * h) / 12;
    double x = -w / 2 * cos(a) + h / 2 * sin(a), z = -w / 2 * sin(a) - h / 2 * cos(a);
    pc_body box = body("box", "width", w, "height", h, "mass", m, "angle", a, NULL);
    near_plane("box", &box, 1 / m + z * z / J, -x * z / J, 1 / m + x * x / J, 2 * ROUND);
    pc_body flat = body("box", "width", w, "height", h, "mass", m, "angle", 0.0, NULL);
    near_plane("flat box", &flat, 1 / m + h * h / 4 / J, 0, 1 / m, ROUND);
    ck_assert_double_eq(flat.curvature, 0);
    pc_body side = body("box", "width", w, "height", h, "mass", m, "angle", 90 * DEG, NULL);
    near_plane("box on its side", &side, 1 / m + w * w / 4 / J, 0, 1 / m, ROUND);

    /* the cylinder's rim in the plane is the corner of a box 2 R by H */
    double R = 0.2, H = 0.9, Jc = m * (3 * R * R + H * H) / 12;
    x = -R * cos(a) + H / 2 * sin(a), z = -R * sin(a) - H / 2 * cos(a);
    pc_body cylinder = body("cylinder", "radius", R, "height", H, "mass", m, "angle", a, NULL);
    near_plane("cylinder", &cylinder, 1 / m + z * z / Jc, -x * z / Jc, 1 / m + x * x / Jc, 2 * ROUND);
}
END_TEST

/* The lowest point must be the lowest: no other corner of the box and no other point of the cylinder's rim lies below
 * it. The arm is read back from J. */
START_TEST(contact_is_the_lowest_point)
{
    double w = 0.3, h = 0.5;
    for (int degrees = -89; degrees <= 89; degrees += 2) {
        double a = degrees * DEG, lowest = INFINITY;
        pc_body box = body("box", "width", w, "height", h, "mass", 1.0, "angle", a, NULL);
        for (int k = 0; k < 4; k++) {
            double x = k & 1 ? w / 2 : -w / 2, z = k & 2 ? h / 2 : -h / 2;
            lowest = fmin(lowest, x * sin(a) + z * cos(a));
        }
        near("lowest corner", -box.J[2], lowest, 1e-15);
    }
}
END_TEST

/* Lai (1999), (5.76)-(5.79) with L/R = 5 and the four theta of Table 5.2. The printed lambda differ and exceed what
 * any L/R can give; these are recomputed. Ours is the angle of the axis, Lai's phi. */
START_TEST(capsule_agrees_with_lai)
{
    const struct {
        double theta, phi, lambda;
    } cases[] = {{0.27018, 0.3771458260573, 0.6206145790806},
                 {0.38956, 0.5420630116927, 0.6132441630301},
                 {-0.62204, -0.8572813601835, 0.5912779045211},
                 {-0.59062, -0.8152548894612, 0.5948281944578}};
    for (int i = 0; i < 4; i++) {
        double phi = cases[i].theta + asin(sin(cases[i].theta) / 2.5), mass, lambda, theta;
        near("phi", phi, cases[i].phi, PRINTED);
        pc_body b = body("capsule", "radius", 0.2, "length", 1.0, "mass", 3.1, "angle", phi, NULL);
        pc_body_lai(&b, &mass, &lambda, &theta);
        near("lambda", lambda, cases[i].lambda, PRINTED);
        near("theta", theta, cases[i].theta, PRINTED);
    }
    /* without a cylinder the capsule is a sphere, whatever its angle */
    pc_body ball = body("capsule", "radius", 0.2, "length", 0.0, "mass", 3.1, "angle", 0.4, "spatial=true", NULL);
    pc_body sphere = body("sphere", "radius", 0.2, "mass", 3.1, "spatial=true", NULL);
    near_plane("capsule of length 0", &ball, sphere.W.tt, 0, sphere.W.nn, ROUND);
    near("w_t2t2", ball.W.t2t2, sphere.W.t2t2, ROUND * sphere.W.tt);
    near("w_tt2", ball.W.tt2, 0, ROUND * sphere.W.tt);
}
END_TEST

/* Lai (1999), (3.33)-(3.56): a rod with arm b, radius of gyration k and angle theta. */
START_TEST(lai_parameters_of_an_eccentric_body)
{
    const struct {
        double m, b, k, theta, tt, tn, nn, mass, lambda;
    } cases[] = {
        {1.0, 0.05, 0.03162277660168, 0, 3.5, 0, 1, 0.4444444444444, 0.5555555555556},
        {2.5, 1.3, 0.7, 0.6, 1.339748818394, 0.642916757259, 0.8398430183406, 0.9176029962547, 0.6329588014981},
        {0.8, 0.9, 1.4, -1.1, 1.356286382342, -0.2088271961396, 1.660295250311, 0.6630021141649, 0.1712473572939}};
    for (int i = 0; i < 3; i++) {
        double m = cases[i].m, b = cases[i].b, k = cases[i].k, theta = cases[i].theta, mass, lambda, angle;
        const double inertia[9] = {m * k * k, 0, 0, 0, m * k * k, 0, 0, 0, m * k * k};
        pc_body body3 = rigid(m, inertia, b * sin(theta), -b * cos(theta), 0);
        near_plane("eccentric body", &body3, cases[i].tt, cases[i].tn, cases[i].nn, PRINTED);
        pc_body_lai(&body3, &mass, &lambda, &angle);
        near("mass", mass, cases[i].mass, PRINTED);
        near("lambda", lambda, cases[i].lambda, PRINTED);
        near("theta", angle, theta, PRINTED);
    }
}
END_TEST

/* Lai (1999), (5.73): the greatest loss in terms of his parameters and the angle of incidence. */
START_TEST(greatest_loss_in_lai_parameters)
{
    for (double lambda = 0; lambda < 0.95; lambda += 0.1)
        for (double theta = -1.5; theta < 1.6; theta += 0.25)
            for (double alpha = -1.5; alpha < 1.6; alpha += 0.5) {
                pc_body b = body("lai", "mass", 0.7, "lambda", lambda, "theta", theta, NULL);
                const double v[3] = {3 * sin(alpha), -3 * cos(alpha), 0};
                double want = (1 + lambda * cos(2 * (alpha - theta))) * 0.7 * 9 / (2 * (1 - lambda * lambda));
                near("greatest loss", pc_mobility_energy(&b.W, v), want, 1e-14 * want / (1 - lambda));
            }
}
END_TEST

/* Birlik (2012), (3.36): a general body in space. His axes n1, n2, n3 are our t, -t2, n. The bound is that of inverting
 * an inertia tensor of condition number about 5. */
static void check_general(double m, const double J[3][3], const double rho[3], const double B[3][3])
{
    const double inertia[9] = {J[0][0], J[0][2], -J[0][1], J[2][0], J[2][2], -J[2][1], -J[1][0], -J[1][2], J[1][1]};
    pc_body b = rigid(m, inertia, rho[0], rho[2], -rho[1]);
    double bound = 1e-14;
    near("a11", b.W.tt, B[0][0], bound);
    near("a13", b.W.tn, B[0][2], bound);
    near("a33", b.W.nn, B[2][2], bound);
    near("a22", b.W.t2t2, B[1][1], bound);
    near("a12", -b.W.tt2, B[0][1], bound);
    near("a23", -b.W.t2n, B[1][2], bound);
    ck_assert_int_eq(b.W.rank, 3);
}

START_TEST(general_body_agrees_with_birlik)
{
    check_general(1.7, (const double[3][3]){{0.03, 0.004, -0.002}, {0.004, 0.022, 0.003}, {-0.002, 0.003, 0.015}},
                  (const double[3]){0.06, -0.03, -0.11},
                  (const double[3][3]){{1.303925806328583, 0.3014264102009942, 0.3081694402420575},
                                       {0.30142641020099414, 1.3383649677722829, -0.040166414523449316},
                                       {0.30816944024205745, -0.04016641452344933, 0.7672821927560737}});
    check_general(3.0, (const double[3][3]){{2.0, -0.3, 0.1}, {-0.3, 1.4, 0.25}, {0.1, 0.25, 1.1}},
                  (const double[3]){0.5, 0.8, -1.2},
                  (const double[3][3]){{1.7024171677868174, -0.37877608772550403, 0.3179342058719491},
                                       {-0.37877608772550403, 1.2343237825728097, 0.4428369296073576},
                                       {0.3179342058719491, 0.44283692960735765, 0.7610305388515506}});
}
END_TEST

/* Birlik (2012), Figs 4.5, 4.6, 4.16, 4.17 and an angle of 12 degrees: R = 5 mm, L = 0.1 m, times m. */
START_TEST(pendulum_agrees_with_birlik)
{
    const struct {
        double degrees, a11, a13, a33;
    } cases[] = {{70, 0.11686091752298809, 0.32107273211115867, 0.8821400814780108},
                 {30, 0.7492507492507492, 0.43258012177044874, 0.24975024975024965},
                 {13, 0.9484485745750088, 0.218966606787751, 0.050552424425990526},
                 {26, 0.8070237139488801, 0.39361176503832257, 0.19197728505211875},
                 {12, 0.9558169119093912, 0.20316515638151864, 0.04318408709160796}};
    for (int i = 0; i < 5; i++) {
        pc_body p = body("pendulum", "mass", 1.0, "radius", 5e-3, "length", 0.1, "angle", cases[i].degrees * DEG, NULL);
        near_plane("pendulum", &p, cases[i].a11, cases[i].a13, cases[i].a33, ROUND);
        ck_assert_int_eq(p.W.rank, 1);
    }
    /* the same in SI, with its energy at -6 rad/s */
    pc_body p = body("pendulum", "mass", 0.0041, "radius", 5e-3, "length", 0.1, "angle", 30 * DEG, NULL);
    near("T0", pc_body_energy(&p, (double[]){-6}), 0.000738738, 1e-18);
}
END_TEST

/* Closed forms of the variants that the thesis does not have: a touch below the centre, other bobs, a massive link. */
START_TEST(pendulum_variants_follow_their_arm_and_inertia)
{
    double m = 0.3, R = 0.04, L = 0.5, a = 0.6, c = cos(a), s = sin(a);
    const struct {
        const char *word;
        double factor;
    } bobs[] = {{"bob=sphere", 0.4}, {"bob=shell", 2.0 / 3}, {"bob=disc", 0.5}, {"bob=hoop", 1}};
    for (int i = 0; i < 4; i++) {
        double J = m * L * L + bobs[i].factor * m * R * R + 0.2 * L * L / 3;
        double x = L * s, z = -(L * c + R);
        pc_body p = body("pendulum", "mass", m, "radius", R, "length", L, "angle", a, "link_mass", 0.2,
                         "contact=surface", bobs[i].word, NULL);
        near_plane(bobs[i].word, &p, z * z / J, -x * z / J, x * x / J, ROUND);
        near("moving mass", p.mass, 0.5, ROUND);
    }
}
END_TEST

/* Birlik (2012), (4.6): with a point mass both joints give the projector across the link. With a ball they differ:
 * suppressed, the ball turns about n at the distance L sin a; universal, about an axis at the distance L. */
START_TEST(spherical_pendulum_depends_on_its_joint)
{
    static const char *const joints[] = {"joint=suppressed", "joint=universal"};
    double a = 30 * DEG, c = cos(a), s = sin(a), L = 0.7, R = 0.2;
    for (int i = 0; i < 2; i++) {
        pc_body point = body("spherical_pendulum", "mass", 1.0, "length", L, "angle", a, joints[i], NULL);
        near_plane("point bob", &point, c * c, s * c, s * s, ROUND);
        near("w_t2t2", point.W.t2t2, 1, ROUND);
        ck_assert_int_eq(point.W.rank, 2);
        ck_assert(point.W.tt2 == 0 && point.W.t2n == 0);

        pc_body ball = body("spherical_pendulum", "mass", 1.0, "length", L, "radius", R, "angle", a, joints[i], NULL);
        double reach = i ? L : L * s, J = L * L + 0.4 * R * R;
        near_plane("ball", &ball, L * L * c * c / J, L * L * s * c / J, L * L * s * s / J, ROUND);
        near("w_t2t2", ball.W.t2t2, reach * reach / (reach * reach + 0.4 * R * R), ROUND);

        /* a link is a rod about its end */
        pc_body heavy =
            body("spherical_pendulum", "mass", 1.0, "length", L, "link_mass", 0.6, "angle", a, joints[i], NULL);
        near_plane("massive link", &heavy, c * c / 1.2, s * c / 1.2, s * s / 1.2, ROUND);
        near("w_t2t2", heavy.W.t2t2, 1 / 1.2, ROUND);
    }
    /* contact on the surface: across the plane the universal joint has the arm L + R cos a */
    pc_body below = body("spherical_pendulum", "mass", 1.0, "length", L, "radius", R, "angle", a, "joint=universal",
                         "contact=surface", NULL);
    double arm = L + R * c;
    near("w_t2t2", below.W.t2t2, arm * arm / (L * L + 0.4 * R * R), 2 * ROUND);
}
END_TEST

/* A rod has no inertia about its axis, and needs none: its end lies on it. In space its mobility is that of the plane
 * beside 4/m across, and an impulse does not spin it about the axis. */
START_TEST(slender_rod_in_space_does_not_spin_about_its_axis)
{
    for (int k = -8; k <= 20; k++) { /* and nearly upright, down to 1e-12 rad */
        double a = k <= 8 ? 10 * k * DEG : pow(10, 8 - k), m = 0.7, u[6] = {0};
        pc_body plane = body("rod", "length", 1.3, "mass", m, "angle", a, NULL);
        pc_body space = body("rod", "length", 1.3, "mass", m, "angle", a, "spatial=true", NULL);
        near_plane("rod in space", &space, plane.W.tt, plane.W.tn, plane.W.nn, 4 * ROUND);
        near("w_t2t2", space.W.t2t2, 4 / m, 4 * ROUND * 4 / m);
        ck_assert_int_eq(space.W.rank, 3);
        pc_body_after(&space, u, (double[]){0.3, 1, -0.8}, u);
        near("spin", u[3] * sin(a) - u[4] * cos(a), 0, 1e-14);
    }
}
END_TEST

/* Shapes in space against the general body with the tensor that turning their principal axes about t2 gives. */
static void check_turned(const char *what, const pc_body *b, double m, double I1, double I2, double I3, double a,
                         double x, double z)
{
    double c = cos(a), s = sin(a);
    const double inertia[9] = {
        I1 * c * c + I2 * s * s, (I1 - I2) * s * c, 0, (I1 - I2) * s * c, I1 * s * s + I2 * c * c, 0, 0, 0, I3};
    pc_body general = rigid(m, inertia, x, z, 0);
    near_plane(what, b, general.W.tt, general.W.tn, general.W.nn, 4 * ROUND);
    near(what, b->W.t2t2, general.W.t2t2, 4 * ROUND * general.W.t2t2);
    ck_assert(b->W.tt2 == 0 && b->W.t2n == 0);
}

START_TEST(shapes_in_space_turn_about_their_principal_axes)
{
    double m = 1.3, w = 0.3, h = 0.5, d = 0.8, R = 0.2;
    for (int degrees = -75; degrees <= 75; degrees += 30) {
        double a = degrees * DEG, c = cos(a), s = sin(a), side = degrees > 0 ? -1 : 1;
        pc_body box = body("box", "width", w, "height", h, "depth", d, "mass", m, "angle", a, "spatial=true", NULL);
        check_turned("box", &box, m, m * (h * h + d * d) / 12, m * (w * w + d * d) / 12, m * (w * w + h * h) / 12, a,
                     side * w / 2 * c + h / 2 * s, side * w / 2 * s - h / 2 * c);
        double across = m * (3 * R * R + h * h) / 12;
        pc_body can = body("cylinder", "radius", R, "height", h, "mass", m, "angle", a, "spatial=true", NULL);
        check_turned("cylinder", &can, m, across, m * R * R / 2, across, a, side * R * c + h / 2 * s,
                     side * R * s - h / 2 * c);
    }
    /* about t a disc has m R^2/4, a hoop m R^2/2 */
    pc_body disc = body("disc", "radius", R, "mass", m, "spatial=true", NULL);
    near("disc", disc.W.t2t2, 5 / m, ROUND * 5 / m);
    pc_body hoop = body("hoop", "radius", R, "mass", m, "spatial=true", NULL);
    near("hoop", hoop.W.t2t2, 3 / m, ROUND * 3 / m);
    pc_body shell = body("shell", "radius", R, "mass", m, "spatial=true", NULL);
    near("shell", shell.W.t2t2, 2.5 / m, ROUND * 2.5 / m);
}
END_TEST

/* A rod of mass 1 kg, length 2 m and inertia 0.01 kg m^2 at 315 degrees falls with 6.5 m/s onto a smooth floor with
 * e = 0.95; the impulse and the motion afterwards are those of a published test of a physics engine, re-derived. */
START_TEST(frictionless_impact_of_a_light_rod)
{
    double half = sqrt(0.5);
    const double inertia[9] = {0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01};
    pc_body rod = rigid(1, inertia, half, -half, 0);
    double p = (1 + 0.95) * 6.5 / rod.W.nn, u[6] = {0, -6.5};
    near("impulse", p, 0.248529412, 5e-10);
    pc_body_after(&rod, u, (double[]){0, p, 0}, u);
    near("vn", u[PC_N], -6.251470588, 5e-10);
    near("omega", u[5], 17.573683238, 5e-10);
}
END_TEST

START_TEST(density_and_material_give_the_mass)
{
    double pi = 180 * DEG;
    pc_body sphere = body("sphere", "radius", 0.1, "density", 2699.0, NULL);
    near("sphere", sphere.mass, 2699 * 4 * pi / 3 * 1e-3, 1e-14);
    pc_body capsule = body("capsule", "radius", 0.1, "length", 0.5, "density", 1000.0, "angle", 0.3, NULL);
    near("capsule", capsule.mass, 1000 * (4 * pi / 3 * 1e-3 + pi * 0.01 * 0.5), 1e-13);
    pc_body shell = body("shell", "radius", 0.1, "thickness", 1e-3, "density", 1000.0, NULL);
    near("shell", shell.mass, 1000 * 4 * pi * 0.01 * 1e-3, 1e-14);
    pc_body hoop = body("hoop", "radius", 0.1, "section", 1e-4, "density", 1000.0, NULL);
    near("hoop", hoop.mass, 1000 * 2 * pi * 0.1 * 1e-4, 1e-15);
    pc_body box = body("box", "width", 0.1, "height", 0.2, "depth", 0.3, "density", 500.0, "angle", 0.1, NULL);
    near("box", box.mass, 3, 1e-14);
}
END_TEST

UNIT_MAIN("body_reference", 30, lambda_of_round_bodies_and_the_rod_are_simple_fractions,
          planar_mobility_follows_the_arm, contact_is_the_lowest_point, capsule_agrees_with_lai,
          lai_parameters_of_an_eccentric_body, greatest_loss_in_lai_parameters, general_body_agrees_with_birlik,
          pendulum_agrees_with_birlik, pendulum_variants_follow_their_arm_and_inertia,
          spherical_pendulum_depends_on_its_joint, slender_rod_in_space_does_not_spin_about_its_axis,
          shapes_in_space_turn_about_their_principal_axes, frictionless_impact_of_a_light_rod,
          density_and_material_give_the_mass)
