/* What the kinds of bodies share: see kind.h. */
#include "body/kind.h"

#include <math.h>

void pc_surface_settle(pc_surface *surface, const pc_schema *schema, uint64_t given, double natural_curvature)
{
    if (!pc_schema_given(schema, given, "material")) surface->material = pc_material_unknown;
    if (!pc_schema_given(schema, given, "curvature")) surface->curvature = natural_curvature;
}

pc_status pc_matter_settle(pc_matter *matter, const pc_surface *surface, const pc_schema *schema, uint64_t given,
                           double volume, const char *missing, pc_error *err)
{
    if (pc_schema_given(schema, given, "mass")) {
        matter->density = matter->mass / volume;
        return PC_OK;
    }
    if (!pc_schema_given(schema, given, "density")) {
        if (!pc_schema_given(schema, given, "material"))
            return pc_fail(err, PC_E_ARGUMENT, "%s: one of 'mass', 'density' or 'material' is needed", schema->name);
        matter->density = surface->material.density;
        if (isnan(matter->density))
            return pc_fail(err, PC_E_ARGUMENT, "%s: the material '%s' has no density; give 'mass' or 'density'",
                           schema->name, surface->material.name);
    }
    if (isnan(volume))
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s is needed to find the mass from the density", schema->name, missing);
    matter->mass = matter->density * volume;
    if (!(matter->mass > 0) || !isfinite(matter->mass))
        return pc_fail(err, PC_E_ARGUMENT, "%s: density and size give a mass of %.10g kg; it must be > 0 kg",
                       schema->name, matter->mass);
    return PC_OK;
}

void pc_surface_put(const pc_surface *surface, pc_body *body)
{
    body->curvature = surface->curvature;
    body->material = surface->material;
}

void pc_body_fill_free(pc_body *body, bool spatial, double mass, double inertia[3][3], const double arm[3])
{
    static const char *const plane[] = {"v[1]", "v[2]", "omega"};
    static const char *const space[] = {"v[1]", "v[2]", "v[3]", "omega[1]", "omega[2]", "omega[3]"};
    int half = spatial ? 3 : 2, n = spatial ? 6 : 3;
    body->form = PC_BODY_FREE;
    body->spatial = spatial;
    body->mass = mass;
    body->dof = n;
    for (int i = 0; i < n; i++) {
        body->names[i] = spatial ? space[i] : plane[i];
        body->units[i] = i < half ? (pc_unit)PC_UNIT_M_PER_S : (pc_unit)PC_UNIT_RAD_PER_S;
    }
    for (int i = 0; i < half; i++) {
        body->A[i * n + i] = mass;
        body->J[i * n + i] = 1;
    }
    /* v = v_centre + omega x arm */
    double x = arm[PC_T], z = arm[PC_N], y = arm[PC_T2];
    int last = n - 1;
    body->A[last * n + last] = inertia[PC_T2][PC_T2];
    body->J[PC_T * n + last] = -z;
    body->J[PC_N * n + last] = x;
    if (!spatial) return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) body->A[(3 + i) * n + 3 + j] = inertia[i][j];
    body->J[PC_T * n + 4] = y;
    body->J[PC_N * n + 3] = -y;
    body->J[PC_T2 * n + 3] = z;
    body->J[PC_T2 * n + 4] = -x;
}

void pc_inertia_axial(double along, double across, double angle, double inertia[3][3])
{
    double d[3] = {sin(angle), -cos(angle), 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inertia[i][j] = (i == j ? across : 0) + (along - across) * d[i] * d[j];
}

void pc_inertia_rolling(double along, double across, double inertia[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inertia[i][j] = 0;
    inertia[PC_T][PC_T] = inertia[PC_N][PC_N] = across;
    inertia[PC_T2][PC_T2] = along;
}

void pc_corner_arm(double width, double height, double angle, double arm[3])
{
    arm[PC_T] = arm[PC_T2] = 0;
    if (angle == 0) {
        arm[PC_N] = -height / 2;
    } else if (fabs(angle) == PC_BODY_QUARTER) {
        arm[PC_N] = -width / 2;
    } else {
        /* turned anticlockwise, the corner on the side of -t is the lowest */
        double side = angle > 0 ? -width / 2 : width / 2;
        arm[PC_T] = side * cos(angle) + height / 2 * sin(angle);
        arm[PC_N] = side * sin(angle) - height / 2 * cos(angle);
    }
}
