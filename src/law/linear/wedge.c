/* Closed forms of the pendulum on the linear law: see linear/wedge.h. */
#include "law/linear/wedge.h"

#include <math.h>

double pc_wedge_critical_angle(double mu, double eta, double restitution)
{
    double h = eta / (restitution * restitution);
    double b = 1 + 3 * mu * mu * h;
    return atan(2 * mu / (b + sqrt(b * b + 4 * mu * mu * h)));
}

bool pc_wedge_friction_range(double theta, double eta, double restitution, double *mu_low, double *mu_high)
{
    double h = eta / (restitution * restitution), T = tan(theta);
    /* the same equation as one in mu: 3 h T mu^2 - (1 - h T^2) mu + T = 0 */
    double b = 1 - h * T * T, discriminant = b * b - 12 * h * T * T;
    if (!(b > 0 && discriminant >= 0)) return false;
    double root = b + sqrt(discriminant);
    *mu_low = 2 * T / root;
    *mu_high = root / (6 * h * T);
    return true;
}

double pc_wedge_greatest_angle(double eta, double restitution, double *mu)
{
    double root = sqrt(eta) / restitution;
    if (mu) *mu = 1 / (sqrt(3) * root);
    return atan((2 - sqrt(3)) / root); /* tan(15 deg) = 2 - sqrt(3) */
}

/* What both slides take, as a fraction; above 1 the second one stops first. */
static double slides(double T, double mu, double eta)
{
    double stick = mu * eta * T;
    if (stick >= 1) return 0;
    return 2 * mu * (1 - stick) / ((mu + T) * (1 + stick));
}

double pc_pendulum_loss(double theta, double mu, double eta)
{
    return fmin(slides(tan(theta), mu, eta), 1);
}

double pc_pendulum_speed_ratio(double theta, double mu, double eta)
{
    double T = tan(theta), stick = mu * eta * T;
    if (stick >= 1) return 1;
    /* 1 - loss, written so that it does not cancel at the critical angle */
    double square = (T - mu) / (T + mu) + 4 * mu * mu * eta * T / ((T + mu) * (1 + stick));
    return sqrt(fmax(square, 0));
}

double pc_pendulum_greatest_loss(double theta, double eta, double *mu)
{
    double T = tan(theta), q = eta * T * T;
    double best = (sqrt(2 * (1 + q) / eta) - T) / (2 + q);
    if (mu) *mu = best;
    return pc_pendulum_loss(theta, best, eta);
}

double pc_pendulum_rigid_speed_ratio(double theta, double mu, double restitution)
{
    double T = tan(theta);
    return mu < T ? restitution * sqrt((T - mu) / (T + mu)) : 0;
}
