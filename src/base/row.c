/* Parameter rows: see row.h. */
#include "base/row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Units with a name of their own; the first row that matches wins. Radians are kept apart from pure numbers so that
 * rates print as rad/s. */
static const struct {
    pc_unit unit;
    const char *text;
} written[] = {
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
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        const pc_unit *row = &written[i].unit;
        if (same_float(row->kg, unit.kg) && same_float(row->m, unit.m) && same_float(row->s, unit.s) &&
            same_float(row->rad, unit.rad)) {
            snprintf(text, PC_UNIT_TEXT, "%s", written[i].text);
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

static void *slot(const pc_row *row, void *object)
{
    return (char *)object + row->offset;
}

static void store_number(const pc_row *row, void *object, double value)
{
    switch (row->kind) {
    case PC_REAL:
        memset(slot(row, object), 0, row->count);
        *(double *)slot(row, object) = value;
        break;
    case PC_INTEGER: *(int *)slot(row, object) = (int)value; break;
    case PC_CHOICE: *(int *)slot(row, object) = (int)value; break;
    case PC_BOOLEAN: *(bool *)slot(row, object) = value != 0; break;
    case PC_VECTOR:
        for (size_t i = 0; i < row->count; i++) ((double *)slot(row, object))[i] = value;
        break;
    default: break; /* all zero bytes: not given */
    }
}

bool pc_row_stays(const pc_row *row)
{
    return (row->also && row->count == 0) || row->kind >= PC_NUMBERS || (row->kind == PC_OBJECT && row->count == 0);
}

const pc_curve *pc_row_curve(const pc_row *row, const void *object)
{
    if (row->kind != PC_REAL || row->count == 0) return NULL;
    const pc_coefficient *c = (const void *)((const char *)object + row->offset);
    return isnan(c->value) ? c->curve : NULL;
}

pc_status pc_coefficient_at(const pc_coefficient *c, double x, double *value, pc_error *err)
{
    *value = c->value;
    return isnan(c->value) && c->curve ? c->curve->at(c->curve, x, value, err) : PC_OK;
}

double pc_row_number(const pc_row *row, const void *object)
{
    const char *at = (const char *)object + row->offset;
    switch (row->kind) {
    case PC_REAL: return *(const double *)(const void *)at;
    case PC_INTEGER: return *(const int *)(const void *)at;
    case PC_CHOICE: return *(const int *)(const void *)at < 0 ? NAN : (double)*(const int *)(const void *)at;
    case PC_BOOLEAN: return *(const bool *)(const void *)at;
    default: return NAN;
    }
}

static bool is_required(const pc_row *row)
{
    return row->initial == PC_REQUIRED;
}

void pc_schema_defaults(const pc_schema *schema, void *object)
{
    if (schema->size > 0) memset(object, 0, schema->size);
    for (int i = 0; i < schema->n_rows; i++) {
        const pc_row *row = &schema->rows[i];
        bool open = is_required(row) || isnan(row->initial);
        if (pc_row_stays(row)) continue;
        if (!open)
            store_number(row, object, row->initial);
        else if (row->kind == PC_REAL || row->kind == PC_VECTOR)
            store_number(row, object, NAN);
    }
}

static size_t size_of(const pc_row *row)
{
    switch (row->kind) {
    case PC_REAL: return row->count ? row->count : sizeof(double);
    case PC_INTEGER:
    case PC_CHOICE: return sizeof(int);
    case PC_BOOLEAN: return sizeof(bool);
    case PC_VECTOR: return row->count * sizeof(double);
    case PC_MATRIX: return sizeof(pc_matrix);
    case PC_STRING: return sizeof(const char *);
    default: return row->count;
    }
}

void pc_schema_copy(const pc_schema *schema, const void *from, uint64_t given, void *to)
{
    pc_schema_defaults(schema, to);
    for (int i = 0; i < schema->n_rows; i++) {
        const pc_row *row = &schema->rows[i];
        if (given >> i & 1 && !pc_row_stays(row)) memcpy(slot(row, to), (const char *)from + row->offset, size_of(row));
    }
}

uint64_t pc_schema_without(const pc_schema *schema, uint64_t given, int row)
{
    int group = schema->rows[row].group;
    for (int i = 0; i < schema->n_rows; i++)
        if (i == row || (group > 0 && schema->rows[i].group == group)) given &= ~(UINT64_C(1) << i);
    return given;
}

int pc_schema_find(const pc_schema *schema, const char *name)
{
    for (int i = 0; i < schema->n_rows; i++) {
        const pc_row *row = &schema->rows[i];
        if (strcmp(row->name, name) == 0 || (row->symbol && strcmp(row->symbol, name) == 0)) return i;
    }
    return -1;
}

int pc_schema_find_role(const pc_schema *schema, pc_role role)
{
    for (int i = 0; i < schema->n_rows; i++)
        if (schema->rows[i].role == role) return i;
    return -1;
}

/* Optimal string alignment distance, cut off at `limit` + 1. Words are short. */
static int edit_distance(const char *a, const char *b, int limit)
{
    enum { LONGEST = 40 };
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST) return limit + 1;
    int d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++) d[i][0] = (int)i;
    for (size_t j = 0; j <= m; j++) d[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[n][m];
}

const char *pc_nearest(const char *word, const char *const *words, int n_words)
{
    size_t length = strlen(word);
    int limit = length <= 2 ? 1 : length <= 5 ? 2 : 3;
    const char *best = NULL, *longer = NULL;
    for (int i = 0; i < n_words; i++) {
        if (!words[i]) continue;
        size_t other = strlen(words[i]);
        int distance = edit_distance(word, words[i], limit);
        if (distance <= limit && (size_t)distance < (length > other ? length : other)) {
            best = words[i];
            limit = distance - 1;
        }
        /* a word that begins with what was typed is near however long its tail: "stiff" for "stiffness" */
        bool begins = length >= 3 && other > length && strncmp(word, words[i], length) == 0;
        if (begins && (!longer || other < strlen(longer))) longer = words[i];
    }
    return best ? best : longer;
}

pc_status pc_fail_unknown(const char *where, const char *name, const char *const *words, int n, pc_error *err)
{
    const char *near = pc_nearest(name, words, n);
    if (near) return pc_fail(err, PC_E_ARGUMENT, "%s has no parameter '%.60s'; did you mean '%s'?", where, name, near);
    char list[320] = "";
    for (int i = 0; i < n; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    return pc_fail(err, PC_E_ARGUMENT, "%s has no parameter '%.60s'; it has: %s", where, name, list);
}

pc_status pc_schema_unknown(const pc_schema *schema, const char *name, pc_error *err)
{
    const char *words[256] = {NULL};
    int n = 0, named = 0;
    for (const pc_schema *s = schema; s; s = s->base)
        for (int i = 0; i < s->n_rows && n < 128; i++) words[n++] = s->rows[i].name;
    named = n;
    for (const pc_schema *s = schema; s; s = s->base)
        for (int i = 0; i < s->n_rows && n < 256; i++)
            if (s->rows[i].symbol) words[n++] = s->rows[i].symbol;
    if (!pc_nearest(name, words, n)) n = named; /* symbols are not listed */
    return pc_fail_unknown(schema->name, name, words, n, err);
}

static bool has_range(const pc_range *r)
{
    return r->lo != r->hi || r->lo_open;
}

const char *pc_row_unit_text(const pc_row *row, char text[PC_UNIT_TEXT])
{
    return row->written ? row->written : pc_unit_text(row->unit, NAN, text);
}

char *pc_range_text(const pc_row *row, char *text, size_t size)
{
    char buffer[PC_UNIT_TEXT];
    const char *unit = pc_row_unit_text(row, buffer), *gap = unit[0] ? " " : "";
    const pc_range *r = &row->allowed;
    bool low = isfinite(r->lo) && has_range(r), high = isfinite(r->hi) && has_range(r);
    if (low && high)
        snprintf(text, size, "%s %.10g %s %.10g%s%s%s", r->lo_open ? "above" : "from", r->lo,
                 r->hi_open ? "and below" : "to", r->hi, gap, unit, r->hi_open && !r->lo_open ? " (excluded)" : "");
    else if (low)
        snprintf(text, size, "%s %.10g%s%s", r->lo_open ? ">" : ">=", r->lo, gap, unit);
    else if (high)
        snprintf(text, size, "%s %.10g%s%s", r->hi_open ? "<" : "<=", r->hi, gap, unit);
    else
        snprintf(text, size, "any finite number%s%s", unit[0] ? " of " : "", unit);
    return text;
}

/* "friction (μ)": the word with its symbol. */
static const char *title(const pc_row *row, char text[96])
{
    const char *symbol = row->greek ? row->greek : row->symbol;
    snprintf(text, 96, symbol ? "%s (%s)" : "%s", row->name, symbol);
    return text;
}

pc_status pc_schema_claim(const pc_schema *schema, int index, uint64_t *given, pc_error *err)
{
    const pc_row *row = &schema->rows[index];
    uint64_t bit = UINT64_C(1) << index;
    if (*given & bit)
        return pc_fail(err, PC_E_ARGUMENT, "%s: '%s' and '%s' are the same parameter; give one of them", schema->name,
                       row->name, row->symbol ? row->symbol : row->name);
    *given |= bit;
    return PC_OK;
}

static const char *const kind_words[] = {"number", "integer", "boolean", "string", "list",  "matrix",   "object",
                                         "string", "string",  "array",   "list",   "table", "function", "any"};

static const char *const kind_nouns[] = {"a number",      "a whole number",
                                         "true or false", "a string",
                                         "a list",        "a table of rows of numbers",
                                         "an object",     "a string",
                                         "a string",      "an array or a list of numbers",
                                         "a list",        "a table",
                                         "a function",    "a value"};

/* Words of the kinds of a row, joined by "or". */
static void join_kinds(const pc_row *row, const char *const *words, const char *object, char *text, size_t size)
{
    snprintf(text, size, "%s", row->kind == PC_OBJECT ? object : words[row->kind]);
    for (int kind = 0; row->also >> kind; kind++) {
        if (!(row->also >> kind & 1)) continue;
        size_t used = strlen(text);
        snprintf(text + used, size - used, " or %s", kind == PC_OBJECT ? object : words[kind]);
    }
}

char *pc_row_type_text(const pc_row *row, char *text, size_t size)
{
    join_kinds(row, kind_words, row->object, text, size);
    return text;
}

static const char *kind_text(const pc_row *row, char text[96])
{
    char object[48];
    snprintf(object, sizeof object, "%s %s", row->object && strchr("aeiou", row->object[0]) ? "an" : "a",
             row->object ? row->object : "value");
    if (row->kind == PC_VECTOR)
        snprintf(text, 96, "a list of %zu numbers", row->count);
    else
        join_kinds(row, kind_nouns, object, text, 96);
    return text;
}

pc_status pc_schema_wrong_type(const pc_schema *schema, int index, const char *got, pc_error *err)
{
    char name[96], kind[96];
    const pc_row *row = &schema->rows[index];
    return pc_fail(err, PC_E_ARGUMENT, "%s: %s must be %s, not %s", schema->name, title(row, name),
                   kind_text(row, kind), got);
}

static bool is_inside(const pc_range *r, double value)
{
    if (!has_range(r)) return isfinite(value);
    if (value == INFINITY && r->hi == INFINITY && !r->hi_open) return true;
    return isfinite(value) && (r->lo_open ? value > r->lo : value >= r->lo) &&
           (r->hi_open ? value < r->hi : value <= r->hi);
}

pc_status pc_schema_check_number(const pc_schema *schema, int index, double value, size_t which, pc_error *err)
{
    const pc_row *row = &schema->rows[index];
    const pc_range *r = &row->allowed;
    if (is_inside(r, value)) return PC_OK;
    char name[96], amount[80], range[160], hint[64] = "", place[24] = "";
    bool one_sided = has_range(r) && isfinite(r->lo) != isfinite(r->hi); /* inf >= 0: the other bound has to be told */
    /* an angle beyond a full turn was most likely meant in degrees */
    if (row->unit.rad == 1 && row->unit.s == 0 && fabs(value) > 6.2832 && is_inside(r, value * 0.0174533))
        snprintf(hint, sizeof hint, "; did you mean %.10g*percuss.deg?", value);
    if (which) snprintf(place, sizeof place, "[%zu]", which);
    pc_quantity_text(value, row->unit, amount, sizeof amount);
    return pc_fail(err, PC_E_ARGUMENT, "%s: %s%s = %s%s%s is not allowed; it must be %s%s%s", schema->name,
                   title(row, name), place, amount, row->written ? " " : "", row->written ? row->written : "",
                   one_sided && !isfinite(value) ? "finite and " : "", pc_range_text(row, range, sizeof range), hint);
}

pc_status pc_schema_set_number(const pc_schema *schema, int index, void *object, double value, uint64_t *given,
                               pc_error *err)
{
    const pc_row *row = &schema->rows[index];
    if (row->kind != PC_REAL && row->kind != PC_INTEGER) return pc_schema_wrong_type(schema, index, "a number", err);
    pc_status status = pc_schema_check_number(schema, index, value, 0, err);
    if (status) return status;
    if (row->kind == PC_INTEGER && (value != floor(value) || fabs(value) > 2147483647.0)) {
        char name[96];
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s = %.10g must be a whole number", schema->name, title(row, name),
                       value);
    }
    status = pc_schema_claim(schema, index, given, err);
    if (!status) store_number(row, object, value);
    return status;
}

/* Claim the row, whose value is good. */
static pc_status put(const pc_schema *schema, int index, void *object, const void *value, size_t size, uint64_t *given,
                     pc_error *err)
{
    pc_status status = pc_schema_claim(schema, index, given, err);
    if (!status) memcpy(slot(&schema->rows[index], object), value, size);
    return status;
}

pc_status pc_schema_set_boolean(const pc_schema *schema, int index, void *object, bool value, uint64_t *given,
                                pc_error *err)
{
    if (schema->rows[index].kind != PC_BOOLEAN) return pc_schema_wrong_type(schema, index, "a boolean", err);
    return put(schema, index, object, &value, sizeof value, given, err);
}

/* "\"link\" or \"surface\"": the words of a choice. */
static char *choices_text(const pc_row *row, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; row->choices[i]; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s\"%s\"",
                 i == 0                ? ""
                 : row->choices[i + 1] ? ", "
                                       : " or ",
                 row->choices[i]);
    }
    return text;
}

static pc_status set_text(const pc_schema *schema, int index, void *object, const char *text, uint64_t *given,
                          pc_error *err)
{
    const pc_row *row = &schema->rows[index];
    size_t length = strlen(text);
    char name[96];
    if (length == 0 || length >= row->count)
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s must have from 1 to %zu bytes, not %zu", schema->name,
                       title(row, name), row->count - 1, length);
    return put(schema, index, object, text, length + 1, given, err);
}

pc_status pc_schema_set_word(const pc_schema *schema, int index, void *object, const char *word, uint64_t *given,
                             pc_error *err)
{
    const pc_row *row = &schema->rows[index];
    if (row->kind == PC_TEXT) return set_text(schema, index, object, word, given, err);
    if (row->kind == PC_STRING) return put(schema, index, object, &word, sizeof word, given, err);
    if (row->kind != PC_CHOICE) return pc_schema_wrong_type(schema, index, "a string", err);
    int n = 0;
    for (; row->choices[n]; n++)
        if (strcmp(row->choices[n], word) == 0) return put(schema, index, object, &n, sizeof n, given, err);
    char list[256];
    choices_text(row, list, sizeof list);
    const char *near = pc_nearest(word, row->choices, n);
    return pc_fail(err, PC_E_ARGUMENT, "%s: %s = \"%.60s\" is not known; it must be %s%s%s%s", schema->name, row->name,
                   word, list, near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
}

pc_status pc_schema_set_vector(const pc_schema *schema, int index, void *object, const double *values, size_t count,
                               uint64_t *given, pc_error *err)
{
    const pc_row *row = &schema->rows[index];
    char name[96];
    if (row->kind != PC_VECTOR) return pc_schema_wrong_type(schema, index, "a list", err);
    if (count != row->count)
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s must be a list of %zu numbers, not %zu", schema->name,
                       title(row, name), row->count, count);
    for (size_t i = 0; i < count; i++) {
        pc_status status = pc_schema_check_number(schema, index, values[i], 0, err);
        if (status) return status;
    }
    return put(schema, index, object, values, count * sizeof *values, given, err);
}

pc_status pc_schema_set_matrix(const pc_schema *schema, int index, void *object, const pc_matrix *value,
                               uint64_t *given, pc_error *err)
{
    const pc_row *row = &schema->rows[index];
    if (row->kind != PC_MATRIX) return pc_schema_wrong_type(schema, index, "a matrix", err);
    for (int i = 0; i < value->rows * value->cols; i++) {
        pc_status status = pc_schema_check_number(schema, index, value->v[i], 0, err);
        if (status) return status;
    }
    return put(schema, index, object, value, sizeof *value, given, err);
}

pc_status pc_schema_set_object(const pc_schema *schema, int index, void *object, const void *value, uint64_t *given,
                               pc_error *err)
{
    return put(schema, index, object, value, schema->rows[index].count, given, err);
}

bool pc_schema_given(const pc_schema *schema, uint64_t given, const char *name)
{
    int index = pc_schema_find(schema, name);
    return index >= 0 && (given >> index & 1);
}

/* "'tangential' or 'stiffness_ratio'": the rows of a group. */
static void group_text(const pc_schema *schema, int group, char *text, size_t size)
{
    int total = 0, seen = 0;
    for (int i = 0; i < schema->n_rows; i++) total += schema->rows[i].group == group;
    text[0] = '\0';
    for (int i = 0; i < schema->n_rows; i++) {
        if (schema->rows[i].group != group) continue;
        seen++;
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s'%s'",
                 seen == 1       ? ""
                 : seen == total ? " or "
                                 : ", ",
                 schema->rows[i].name);
    }
}

static pc_status check_groups(const pc_schema *schema, uint64_t given, pc_error *err)
{
    for (int group = 1; group <= (int)(sizeof schema->groups / sizeof *schema->groups); group++) {
        if (!schema->groups[group - 1]) continue;
        int n = 0;
        for (int i = 0; i < schema->n_rows; i++)
            if (schema->rows[i].group == group) n += (int)(given >> i & 1);
        bool missing = n == 0 && schema->groups[group - 1] == PC_EXACTLY_ONE;
        if (n <= 1 && !missing) continue;
        char list[256];
        group_text(schema, group, list, sizeof list);
        if (missing) return pc_fail(err, PC_E_ARGUMENT, "%s: one of %s is needed", schema->name, list);
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s say the same thing; give one of them", schema->name, list);
    }
    return PC_OK;
}

pc_status pc_schema_finish(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    for (int i = 0; i < schema->n_rows; i++) {
        const pc_row *row = &schema->rows[i];
        if ((given >> i & 1) || !is_required(row)) continue;
        char name[96], text[160];
        const char *allowed = row->kind == PC_REAL || row->kind == PC_INTEGER ? pc_range_text(row, text, sizeof text)
                              : row->kind == PC_CHOICE                        ? choices_text(row, text, sizeof text)
                                                                              : kind_text(row, text);
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s is needed (%s)", schema->name, title(row, name), allowed);
    }
    pc_status status = check_groups(schema, given, err);
    if (status) return status;
    return schema->validate ? schema->validate(schema, object, given, err) : PC_OK;
}
