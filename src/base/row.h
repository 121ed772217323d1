/* Parameter rows: the single description of everything that can be set.
 *
 * A kind (a law, a body, a method) describes its parameters as const rows; constructor, range check, error text,
 * help, completion, manual and property tests all read them. A schema is a list of rows together with the struct
 * they fill and one cross-check.
 *
 * Filling an object from outside goes: pc_schema_defaults, then one pc_schema_set_* per given name, then
 * pc_schema_finish, which applies "exactly one of" groups, refuses what is missing and calls `validate`. Validate
 * also computes derived members, so that every alternative can be read back whichever was given.
 */
#ifndef PC_BASE_ROW_H
#define PC_BASE_ROW_H

#include "base/status.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Units as dimension exponents. Everything in percuss is SI and radians; the unit of a quantity says what is
 * printed in help, errors, column headers and axis labels.
 *
 * An exponent of the metre may depend on another parameter: the stiffness k of F = k u^p has unit N/m^p. Then
 * m_minus names that parameter and its value is subtracted from m.
 */

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

typedef enum pc_kind {
    PC_REAL,    /* double */
    PC_INTEGER, /* int */
    PC_BOOLEAN, /* bool */
    PC_CHOICE,  /* int: index into `choices`; < 0: none holds */
    PC_VECTOR,  /* `count` doubles */
    PC_MATRIX,  /* pc_matrix */
    PC_OBJECT,  /* a value of the type named `object`, copied: `count` bytes */
    PC_TEXT,    /* char[count], ends with a zero byte; empty: not given */
    PC_STRING,  /* const char *, of whoever gave it; NULL: not given */

    /* Values of the script that stay where they were given; rows of these have no member. */
    PC_NUMBERS, /* an array or a list of numbers; they are checked where they are fetched */
    PC_LIST,    /* a list of anything */
    PC_TABLE,   /* a table, with `options` if they are told */
    PC_FUNCTION,
    PC_ANYTHING,
} pc_kind;

/* In `also` of a row: another kind of value is welcome, too. Such a row has no member either, but for that of a
 * pc_coefficient, and that of PC_CHOICE, which words are put in; it begins as 0, and other values stay. */
#define PC_ALSO(kind) (1u << (kind))

/* A matrix given by the user; row-major, element (i, j) at v[i * cols + j]. rows == 0: not given. */
enum { PC_MATRIX_SIDE = 24 };
typedef struct pc_matrix {
    int rows, cols;
    double v[PC_MATRIX_SIDE * PC_MATRIX_SIDE];
} pc_matrix;

/* All zero: no range is told, and any finite number is allowed; of PC_NUMBERS any at all. */
typedef struct pc_range {
    double lo, hi;
    bool lo_open, hi_open;
} pc_range;

/* A closed interval. */
typedef struct pc_interval {
    double lo, hi;
} pc_interval;

/* A number, or what gives it by another quantity: the member of a row of PC_REAL that has its size as `count`. Scripts
 * give the second as an object or a function, as `also` of the row says. */
typedef struct pc_curve pc_curve;
struct pc_curve {
    pc_status (*at)(const pc_curve *curve, double x, double *value, pc_error *err);
    const char *text; /* as it is shown */
};
typedef struct pc_coefficient {
    double value;          /* NaN: the curve tells it */
    const pc_curve *curve; /* kept alive by whoever keeps the parameters */
} pc_coefficient;

/* Initializers of ranges, as for units. */
/* clang-format off */
#define PC_ANY {-INFINITY, INFINITY, true, true}
#define PC_POSITIVE {0, INFINITY, true, true}
#define PC_NONNEGATIVE {0, INFINITY, false, true}
#define PC_BETWEEN(a, b) {(a), (b), false, false}
/* clang-format on */

/* Default of a row that must be given; and of one that may stay absent (reads NaN until `validate` derives it). */
#define PC_REQUIRED (-INFINITY)
#define PC_ABSENT (NAN)

/* What a row is to those who look for it in any law: the restitution that the law is asked for; or a constant that a
 * body or a material may give, PC_COUNTER_: of the obstacle. */
typedef enum pc_role {
    PC_NO_ROLE,
    PC_RESTITUTION,
    PC_YOUNG,
    PC_POISSON,
    PC_RADIUS,
    PC_COUNTER_YOUNG,
    PC_COUNTER_POISSON
} pc_role;

typedef struct pc_row {
    const char *name;   /* the word: "friction" */
    const char *symbol; /* alias in ASCII, or NULL: "mu" */
    const char *greek;  /* how the symbol is written on axes and in help, or NULL for `symbol`: "μ" */
    pc_kind kind;
    size_t offset;
    size_t count;  /* PC_VECTOR: elements; PC_OBJECT, PC_TEXT: bytes; PC_OBJECT of 0 bytes: stays where it was given;
                      PC_REAL: bytes of a pc_coefficient, else 0 */
    unsigned also; /* PC_ALSO of further kinds, or 0 */
    pc_unit unit;
    const char *written;   /* the unit where it is none of these: "pixels"; else NULL */
    double initial;        /* default; PC_REQUIRED or PC_ABSENT */
    const char *otherwise; /* what holds where an absent one is not given: "from the data"; else NULL */
    pc_range allowed;
    pc_interval sample;              /* from where tests draw values; lo == hi: do not vary */
    const char *const *choices;      /* PC_CHOICE: words, NULL at the end */
    const char *object;              /* PC_OBJECT: name of its type */
    int place;                       /* > 0: may stand at this place of the table's list instead */
    const struct pc_schema *options; /* PC_TABLE: what the table takes, or each table of a PC_LIST; else NULL */
    int group;                       /* rows of one group > 0 are alternatives: see pc_schema.groups */
    pc_role role;
    bool follows;    /* from other rows, as a rule: its value is not told where those are */
    const char *doc; /* one sentence */
} pc_row;

/* The row `word` of one member, whose type tells its kind: a real, an integer, a boolean, a vector, a matrix or a text;
 * that of an int that is the place of a word in a list; and a row of a value that stays, absent if it is not given.
 * What else is told of it follows by name. */
#define PC_ROW(type, member, word, ...)                                                                                \
    {                                                                                                                  \
        .name = word, .kind = PC_ROW_KIND(((type *)0)->member), .offset = offsetof(type, member),                      \
        .count = PC_ROW_COUNT(((type *)0)->member), __VA_ARGS__                                                        \
    }
#define PC_ROW_KIND(member)                                                                                            \
    _Generic(member, double: PC_REAL, int: PC_INTEGER, bool: PC_BOOLEAN, double *: PC_VECTOR, pc_matrix: PC_MATRIX,    \
             char *: PC_TEXT)
#define PC_ROW_COUNT(member)                                                                                           \
    _Generic(member, double * : sizeof(member) / sizeof(double), char * : sizeof(member), default : 0)
#define PC_STAYS_ROW(word, what, ...)                                                                                  \
    {                                                                                                                  \
        .name = word, .kind = what, .initial = PC_ABSENT, __VA_ARGS__                                                  \
    }
#define PC_CHOICE_ROW(type, member, word, words, ...)                                                                  \
    {                                                                                                                  \
        .name = word, .kind = PC_CHOICE, .offset = offsetof(type, member), .choices = words, __VA_ARGS__               \
    }

/* Kind and offset of a pc_coefficient, which an object of the type `object_` or a function may tell. */
#define PC_COEFFICIENT(type, member, object_)                                                                          \
    .kind = PC_REAL, .offset = offsetof(type, member), .count = sizeof(((type *)0)->member), .object = object_,        \
    .also = PC_ALSO(PC_OBJECT) | PC_ALSO(PC_FUNCTION)

/* The rows of a schema: all of an array. */
#define PC_ROWS(array) .rows = array, .n_rows = sizeof array / sizeof *array

/* How many rows of a group have to be given. */
typedef enum pc_group_rule { PC_EXACTLY_ONE = 1, PC_AT_MOST_ONE } pc_group_rule;

typedef struct pc_schema {
    const char *name;    /* path as scripts see it: "contact.linear" */
    const char *summary; /* one sentence */
    const char *details; /* paragraphs, or NULL */
    /* Lines "formula: words", the formula in plain characters, as in F_n = k u^1.5 (1 + zeta w); of kinds of laws and
     * bodies. NULL: none. */
    const char *equations;
    const char *source;  /* literature: "Birlik (2012), section 3.3; Stronge (2000)" */
    const char *example; /* runs as a test; its last line may hold "--> output" */
    const pc_row *rows;
    int n_rows; /* at most 64 */
    size_t size;
    bool list;                    /* the table is a list of something else as well */
    const struct pc_schema *base; /* whose rows count, too, and whose struct is filled: `rows` are values that stay */
    pc_group_rule groups[8];      /* rule of group i at [i - 1] */
    /* `schema` is this one, so that kinds with the same parameters can share a check. */
    pc_status (*validate)(const struct pc_schema *schema, void *object, uint64_t given, pc_error *err);
} pc_schema;

void pc_schema_defaults(const pc_schema *schema, void *object);

/* An object with those rows of another that are in `given`, and the others at their defaults; and `given` without a row
 * and its alternatives. */
void pc_schema_copy(const pc_schema *schema, const void *from, uint64_t given, void *to);
uint64_t pc_schema_without(const pc_schema *schema, uint64_t given, int row);

/* Row of a name or alias; -1 if there is none. */
int pc_schema_find(const pc_schema *schema, const char *name);

/* Row with a role; -1 if there is none. */
int pc_schema_find_role(const pc_schema *schema, pc_role role);

/* Fill the error for an unknown name, with the nearest known one. */
pc_status pc_schema_unknown(const pc_schema *schema, const char *name, pc_error *err);

/* The same for a function with other names. */
pc_status pc_fail_unknown(const char *where, const char *name, const char *const *words, int n, pc_error *err);

/* Set one row. `given` has bit i set for each row set so far; setting a row twice (word and alias) is refused. */
pc_status pc_schema_set_number(const pc_schema *schema, int row, void *object, double value, uint64_t *given,
                               pc_error *err);
pc_status pc_schema_set_word(const pc_schema *schema, int row, void *object, const char *word, uint64_t *given,
                             pc_error *err);
pc_status pc_schema_set_boolean(const pc_schema *schema, int row, void *object, bool value, uint64_t *given,
                                pc_error *err);
pc_status pc_schema_set_vector(const pc_schema *schema, int row, void *object, const double *values, size_t count,
                               uint64_t *given, pc_error *err);
pc_status pc_schema_set_matrix(const pc_schema *schema, int row, void *object, const pc_matrix *value, uint64_t *given,
                               pc_error *err);
pc_status pc_schema_set_object(const pc_schema *schema, int row, void *object, const void *value, uint64_t *given,
                               pc_error *err);
pc_status pc_schema_finish(const pc_schema *schema, void *object, uint64_t given, pc_error *err);

/* Fill the error for a value of the wrong type: "friction must be a number, not a string". */
pc_status pc_schema_wrong_type(const pc_schema *schema, int row, const char *got, pc_error *err);

/* True if the row called `name` is among those given: for `validate`. */
bool pc_schema_given(const pc_schema *schema, uint64_t given, const char *name);

/* Note that the row was given; refused if it was before. */
pc_status pc_schema_claim(const pc_schema *schema, int row, uint64_t *given, pc_error *err);

/* Fill the error for a number outside the range; `which`: of a list, from 1, or 0. */
pc_status pc_schema_check_number(const pc_schema *schema, int row, double value, size_t which, pc_error *err);

/* Whether the row has no member, because its values stay where they were given. */
bool pc_row_stays(const pc_row *row);

/* What a value is in a script: "number", "array or number", "law". */
char *pc_row_type_text(const pc_row *row, char *text, size_t size);

/* The unit in words, "" for none. */
const char *pc_row_unit_text(const pc_row *row, char text[PC_UNIT_TEXT]);

/* Value of a REAL, INTEGER, BOOLEAN or CHOICE row as a double; NaN: there is none. */
double pc_row_number(const pc_row *row, const void *object);

/* The curve that tells the number of a row; NULL: there is none. */
const pc_curve *pc_row_curve(const pc_row *row, const void *object);

/* The coefficient at x, which a curve is asked for. */
pc_status pc_coefficient_at(const pc_coefficient *c, double x, double *value, pc_error *err);

/* Text of the allowed range, with the unit: "> 0 N/m", "from 0 to 1", "any finite number". */
char *pc_range_text(const pc_row *row, char *text, size_t size);

/* The word nearest to `word` (edit distance, transpositions count one), or NULL if none is near. */
const char *pc_nearest(const char *word, const char *const *words, int n_words);

#endif
