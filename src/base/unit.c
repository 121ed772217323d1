/* Text of units: see unit.h. */
#include "base/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Units with a name of their own; the first row that matches wins. Radians are kept apart from pure numbers so that
 * rates print as rad/s. */
static const struct {
    pc_unit unit;
    const char *text;
} named[] = {
    {{0}, ""},
    {{.kg = 1}, "kg"},
    {{.m = 1}, "m"},
    {{.s = 1}, "s"},
    {{.rad = 1}, "rad"},
    {{.rad = 1, .s = -1}, "rad/s"},
    {{.rad = 1, .s = -2}, "rad/s^2"},
    {{.m = -1}, "1/m"},
    {{.s = -1}, "1/s"},
    {{.kg = -1}, "1/kg"},
    {{.m = 1, .s = -1}, "m/s"},
    {{.m = 1, .s = -2}, "m/s^2"},
    {{.m = -1, .s = 1}, "s/m"},
    {{.kg = 1, .m = 1, .s = -2}, "N"},
    {{.kg = 1, .s = -2}, "N/m"},
    {{.kg = 1, .m = 1, .s = -1}, "N s"},
    {{.kg = 1, .s = -1}, "N s/m"},
    {{.kg = 1, .m = 2, .s = -2}, "J"},
    {{.kg = 1, .m = 2, .s = -2, .rad = -1}, "N m"}, /* a torque is energy per angle */
    {{.kg = 1, .m = 2, .s = -2, .rad = -2}, "N m/rad"},
    {{.kg = 1, .m = 2, .s = -1, .rad = -2}, "N m s/rad"},
    {{.kg = 1, .m = 2, .s = -3}, "W"},
    {{.kg = 1, .m = -1, .s = -2}, "Pa"},
    {{.kg = 1, .m = 2}, "kg m^2"},
    {{.kg = 1, .m = -3}, "kg/m^3"},
};

/* One factor of a product, such as " m^2"; nothing for exponent 0. */
static void append_power(char text[PC_UNIT_TEXT], const char *base, double power)
{
    if (power == 0) return;
    size_t used = strlen(text);
    const char *gap = used ? " " : "";
    if (power == 1)
        snprintf(text + used, PC_UNIT_TEXT - used, "%s%s", gap, base);
    else
        snprintf(text + used, PC_UNIT_TEXT - used, "%s%s^%g", gap, base, power);
}

static int same_float(float a, float b)
{
    return fabsf(a - b) < 1e-6f;
}

char *pc_unit_text(pc_unit unit, double exponent, char text[PC_UNIT_TEXT])
{
    if (unit.m_minus && isnan(exponent)) {
        /* the only family in use: force divided by a length to a power */
        pc_unit rest = unit;
        rest.m_minus = NULL;
        char head[PC_UNIT_TEXT];
        pc_unit_text(rest, NAN, head);
        snprintf(text, PC_UNIT_TEXT, "%.20s/m^%.20s", head, unit.m_minus);
        return text;
    }
    if (unit.m_minus) unit.m -= (float)exponent;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        const pc_unit *row = &named[i].unit;
        if (same_float(row->kg, unit.kg) && same_float(row->m, unit.m) && same_float(row->s, unit.s) &&
            same_float(row->rad, unit.rad)) {
            snprintf(text, PC_UNIT_TEXT, "%s", named[i].text);
            return text;
        }
    }
    text[0] = '\0';
    if (same_float(unit.kg, 1) && same_float(unit.s, -2)) {
        append_power(text, "N", 1);
        unit.m -= 1;
        if (unit.m < 0) {
            size_t used = strlen(text);
            snprintf(text + used, PC_UNIT_TEXT - used, "/m^%g", -(double)unit.m);
            return text;
        }
        unit.kg = unit.s = 0;
    }
    append_power(text, "kg", (double)unit.kg);
    append_power(text, "m", (double)unit.m);
    append_power(text, "s", (double)unit.s);
    append_power(text, "rad", (double)unit.rad);
    return text;
}

char *pc_quantity_text(double value, pc_unit unit, char *text, size_t size)
{
    char name[PC_UNIT_TEXT];
    pc_unit_text(unit, NAN, name);
    snprintf(text, size, name[0] ? "%.10g %s" : "%.10g%s", value, name);
    return text;
}

/* One factor, "m^1.5" or "1", at *at, to the power +-1. */
static bool parse_factor(const char **at, float sign, pc_unit *unit)
{
    static const struct {
        const char *name;
        pc_unit unit;
    } words[] = {
        {"kg", PC_UNIT_KG},    {"m", PC_UNIT_M}, {"s", PC_UNIT_S},   {"rad", PC_UNIT_RAD},
        {"N", PC_UNIT_N},      {"J", PC_UNIT_J}, {"Pa", PC_UNIT_PA}, {"W", {.kg = 1, .m = 2, .s = -3, .rad = 0}},
        {"Hz", PC_UNIT_PER_S}, {"1", {.kg = 0}},
    };
    size_t n = strspn(*at, "1abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].name) != n || memcmp(words[i].name, *at, n) != 0) continue;
        *at += n;
        if (**at == '^') {
            char *end;
            double power = strtod(*at + 1, &end);
            if (end == *at + 1 || !(fabs(power) <= 100)) return false;
            sign *= (float)power;
            *at = end;
        }
        unit->kg += sign * words[i].unit.kg;
        unit->m += sign * words[i].unit.m;
        unit->s += sign * words[i].unit.s;
        unit->rad += sign * words[i].unit.rad;
        return true;
    }
    return false;
}

bool pc_unit_parse(const char *text, pc_unit *unit)
{
    *unit = (pc_unit)PC_UNIT_NONE;
    float sign = 1;
    const char *at = text;
    while (*at) {
        if (!parse_factor(&at, sign, unit)) return false;
        if (*at == ' ' || *at == '*') {
            at++;
        } else if (*at == '/') {
            at++;
            sign = -1;
        } else if (*at) {
            return false;
        }
    }
    return at == text || !strchr(" */", at[-1]);
}
