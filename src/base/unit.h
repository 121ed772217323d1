/* Units as dimension exponents. Everything in percuss is SI and radians; the unit of a quantity says what is
 * printed in help, errors, column headers and axis labels.
 *
 * An exponent of the metre may depend on another parameter: the stiffness k of F = k u^p has unit N/m^p. Then
 * m_minus names that parameter and its value is subtracted from m.
 */
#ifndef PC_BASE_UNIT_H
#define PC_BASE_UNIT_H

#include <stddef.h>

typedef struct pc_unit {
    float kg, m, s, rad;
    const char *m_minus;
} pc_unit;

#define PC_UNIT_NONE ((pc_unit){0})
#define PC_UNIT_KG ((pc_unit){.kg = 1})
#define PC_UNIT_M ((pc_unit){.m = 1})
#define PC_UNIT_S ((pc_unit){.s = 1})
#define PC_UNIT_RAD ((pc_unit){.rad = 1})
#define PC_UNIT_PER_M ((pc_unit){.m = -1})
#define PC_UNIT_PER_KG ((pc_unit){.kg = -1})
#define PC_UNIT_M_PER_S ((pc_unit){.m = 1, .s = -1})
#define PC_UNIT_RAD_PER_S ((pc_unit){.rad = 1, .s = -1})
#define PC_UNIT_PER_S ((pc_unit){.s = -1})
#define PC_UNIT_M_PER_S2 ((pc_unit){.m = 1, .s = -2})
#define PC_UNIT_N ((pc_unit){.kg = 1, .m = 1, .s = -2})
#define PC_UNIT_N_PER_M ((pc_unit){.kg = 1, .s = -2})
#define PC_UNIT_N_S ((pc_unit){.kg = 1, .m = 1, .s = -1})
#define PC_UNIT_J ((pc_unit){.kg = 1, .m = 2, .s = -2})
#define PC_UNIT_PA ((pc_unit){.kg = 1, .m = -1, .s = -2})
#define PC_UNIT_KG_M2 ((pc_unit){.kg = 1, .m = 2})
#define PC_UNIT_KG_PER_M3 ((pc_unit){.kg = 1, .m = -3})

enum { PC_UNIT_TEXT = 48 };

/* Text of a unit: "N/m", "kg m^2", "" for a pure number. `exponent` is the value of the parameter that m_minus
 * names; NaN where it is not known, which prints the parameter's name ("N/m^p"). Returns `text`. */
char *pc_unit_text(pc_unit unit, double exponent, char text[PC_UNIT_TEXT]);

/* "0.25 N/m": a number in %.10g with its unit, or the number alone. Returns `text`. */
char *pc_quantity_text(double value, pc_unit unit, char *text, size_t size);

#endif
