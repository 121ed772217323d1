/* Units as dimension exponents. Everything in percuss is SI and radians; the unit of a quantity says what is
 * printed in help, errors, column headers and axis labels.
 *
 * An exponent of the metre may depend on another parameter: the stiffness k of F = k u^p has unit N/m^p. Then
 * m_minus names that parameter and its value is subtracted from m.
 */
#ifndef PC_BASE_UNIT_H
#define PC_BASE_UNIT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pc_unit {
    float kg, m, s, rad;
    const char *m_minus;
} pc_unit;

/* Initializers; in an expression write (pc_unit)PC_UNIT_N. A compound literal would not be a constant in ISO C. */
/* clang-format off */
#define PC_UNIT_NONE {0}
#define PC_UNIT_KG {.kg = 1}
#define PC_UNIT_M {.m = 1}
#define PC_UNIT_S {.s = 1}
#define PC_UNIT_RAD {.rad = 1}
#define PC_UNIT_PER_M {.m = -1}
#define PC_UNIT_PER_KG {.kg = -1}
#define PC_UNIT_M_PER_S {.m = 1, .s = -1}
#define PC_UNIT_RAD_PER_S {.rad = 1, .s = -1}
#define PC_UNIT_PER_S {.s = -1}
#define PC_UNIT_M_PER_S2 {.m = 1, .s = -2}
#define PC_UNIT_N {.kg = 1, .m = 1, .s = -2}
#define PC_UNIT_N_PER_M {.kg = 1, .s = -2}
#define PC_UNIT_N_S {.kg = 1, .m = 1, .s = -1}
#define PC_UNIT_J {.kg = 1, .m = 2, .s = -2}
#define PC_UNIT_PA {.kg = 1, .m = -1, .s = -2}
#define PC_UNIT_KG_M2 {.kg = 1, .m = 2}
#define PC_UNIT_KG_PER_M3 {.kg = 1, .m = -3}
/* clang-format on */

enum { PC_UNIT_TEXT = 48 };

/* Text of a unit: "N/m", "kg m^2", "" for a pure number. `exponent` is the value of the parameter that m_minus
 * names; NaN where it is not known, which prints the parameter's name ("N/m^p"). Returns `text`. */
char *pc_unit_text(pc_unit unit, double exponent, char text[PC_UNIT_TEXT]);

/* The unit that a text names: "N/m^1.5", "kg m^2", "s/m", "1/s", "" for a pure number; what follows a stroke divides.
 * False if the text is none. */
bool pc_unit_parse(const char *text, pc_unit *unit);

/* "0.25 N/m": a number in %.10g with its unit, or the number alone. Returns `text`. */
char *pc_quantity_text(double value, pc_unit unit, char *text, size_t size);

#endif
