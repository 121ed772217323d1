/* The rigid laws that follow an impact through impulse space: Newton's, Poisson's and Stronge's. They differ in how
 * restitution ends. */
#include "law/law.h"
#include "law/rigid/rigid.h"

/* ---- newton ---- */

/* Newton's law with Coulomb friction: contact ends when v_n = -e v_n0. */

static const pc_row newton_rows[] = {
    PC_RIGID_ROWS("e", "kinematic coefficient of restitution e = -v_n+/v_n-"),
};

static const pc_schema newton_schema = {
    .name = "contact.newton",
    .summary = "Rigid impact with friction; the normal velocity is reversed by the kinematic coefficient e.",
    .details = "May create energy where slip stops or reverses; the result says so (flags.gained_energy).",
    .equations = "v_n' = -e v_n: afterwards\n"
                 "dp_t = -mu s dp_n: in slip, s = 1 or -1 being its direction\n"
                 "|dp_t| <= mu dp_n: in stick",
    .source = "Routh (1905); Sypniewska-Kaminska (2017), section 3.3; Wang and Mason (1992)",
    .example = "print(percuss.contact.newton{ restitution = 0.8, friction = 0.3 }.e) --> 0.8",
    PC_ROWS(newton_rows),
    .size = sizeof(pc_rigid),
    .validate = pc_rigid_validate,
};

PC_RIGID_LAW(newton, PC_JOINT_NEWTON, PC_LAW_MAY_GAIN)

/* ---- poisson ---- */

/* Poisson's law with Coulomb friction: contact ends when the normal impulse of restitution is R times that of
 * compression. */

static const pc_row poisson_rows[] = {
    PC_RIGID_ROWS("R", "kinetic coefficient of restitution R = p_n(restitution)/p_n(compression)"),
};

static const pc_schema poisson_schema = {
    .name = "contact.poisson",
    .summary = "Rigid impact with friction; the normal impulse of restitution is R times that of compression.",
    .details = "Never creates energy, though the energetic coefficient that comes out may exceed 1.",
    .equations = "p_r = R p_c: normal impulses of restitution and of compression\n"
                 "dp_t = -mu s dp_n: in slip, s = 1 or -1 being its direction\n"
                 "|dp_t| <= mu dp_n: in stick",
    .source = "Routh (1905); Sypniewska-Kaminska (2017), equations 28-37; Wang and Mason (1992)",
    .example = "print(percuss.contact.poisson{ restitution = 0.9, friction = 0.15 }.R) --> 0.9",
    PC_ROWS(poisson_rows),
    .size = sizeof(pc_rigid),
    .validate = pc_rigid_validate,
};

PC_RIGID_LAW(poisson, PC_JOINT_POISSON, 0)

/* ---- stronge ---- */

/* Stronge's law with Coulomb friction: contact ends when the work of the normal force in restitution is E^2 times
 * what it took in compression. */

static const pc_row stronge_rows[] = {
    PC_RIGID_ROWS("E", "energetic coefficient of restitution, E^2 = W_n(restitution)/-W_n(compression)"),
};

static const pc_schema stronge_schema = {
    .name = "contact.stronge",
    .summary = "Rigid impact with friction; the normal force gives back E^2 of the work it took.",
    .details = "Never creates energy. With E = 1 it loses the work of friction alone and is the limit of the linear "
               "contact for infinite tangential stiffness.",
    .equations = "W_r = -E^2 W_c: normal works of restitution and of compression\n"
                 "dp_t = -mu s dp_n: in slip, s = 1 or -1 being its direction\n"
                 "|dp_t| <= mu dp_n: in stick",
    .source = "Stronge, Proc. R. Soc. Lond. A 431 (1990), 169-181; Brach (1993); Kecskemethy (1999)",
    .example = "print(percuss.contact.stronge{ restitution = 0.5, friction = 0.3 }.E) --> 0.5",
    PC_ROWS(stronge_rows),
    .size = sizeof(pc_rigid),
    .validate = pc_rigid_validate,
};

PC_RIGID_LAW(stronge, PC_JOINT_STRONGE, PC_LAW_CONSERVATIVE)
