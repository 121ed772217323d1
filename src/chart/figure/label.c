/* Texts on charts: see figure.h. */
#include "chart/figure/figure.h"

#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- bytes --- */

/* Room for `extra` more bytes and the closing zero. */
static bool reserve(pc_buffer *buffer, size_t extra)
{
    if (buffer->failed) return false;
    buffer->failed = !PC_GROW(buffer->data, buffer->capacity, buffer->size + extra + 1);
    return !buffer->failed;
}

void pc_buffer_append(pc_buffer *buffer, const void *bytes, size_t size)
{
    if (size == 0 || !reserve(buffer, size)) return;
    memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
    buffer->data[buffer->size] = '\0';
}

void pc_buffer_print(pc_buffer *buffer, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    if (size > 0 && reserve(buffer, (size_t)size)) {
        vsnprintf(buffer->data + buffer->size, (size_t)size + 1, format, again);
        buffer->size += (size_t)size;
    }
    va_end(again);
    va_end(arguments);
}

void pc_buffer_put(pc_buffer *buffer, unsigned character)
{
    char bytes[4];
    size_t size = 0;
    if (character < 0x80) {
        bytes[size++] = (char)character;
    } else if (character < 0x800) {
        bytes[size++] = (char)(0xC0 | (character >> 6));
        bytes[size++] = (char)(0x80 | (character & 0x3F));
    } else if (character < 0x10000) {
        bytes[size++] = (char)(0xE0 | (character >> 12));
        bytes[size++] = (char)(0x80 | ((character >> 6) & 0x3F));
        bytes[size++] = (char)(0x80 | (character & 0x3F));
    } else {
        bytes[size++] = (char)(0xF0 | (character >> 18));
        bytes[size++] = (char)(0x80 | ((character >> 12) & 0x3F));
        bytes[size++] = (char)(0x80 | ((character >> 6) & 0x3F));
        bytes[size++] = (char)(0x80 | (character & 0x3F));
    }
    pc_buffer_append(buffer, bytes, size);
}

void pc_buffer_clear(pc_buffer *buffer)
{
    buffer->size = 0;
    if (buffer->data) buffer->data[0] = '\0';
}

const char *pc_buffer_text(const pc_buffer *buffer)
{
    return buffer->data ? buffer->data : "";
}

pc_status pc_buffer_status(const pc_buffer *buffer, pc_error *err)
{
    if (buffer->failed) return pc_fail(err, PC_E_MEMORY, "not enough memory for the chart");
    return PC_OK;
}

void pc_buffer_free(pc_buffer *buffer)
{
    pc_free(buffer->data);
    *buffer = (pc_buffer){0};
}

/* --- labels --- */

enum { REPLACEMENT = 0xFFFD, ELLIPSIS = 0x2026, SHORT_SYMBOL = 2 };

/* Height of a script relative to its base, as PLplot draws it. */
static const double SCRIPT_SCALE = 0.75;

unsigned pc_label_next(const char **text)
{
    const unsigned char *s = (const unsigned char *)*text;
    if (*s == 0) return 0;
    if (*s < 0x80) {
        *text += 1;
        return *s;
    }
    int extra = *s >= 0xF0 ? 3 : *s >= 0xE0 ? 2 : 1;
    static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
    unsigned character = *s & (0x3Fu >> extra);
    bool good = *s >= 0xC2 && *s <= 0xF4;
    for (int i = 1; good && i <= extra; i++) {
        if ((s[i] & 0xC0) != 0x80) good = false;
        character = (character << 6) | (s[i] & 0x3Fu);
    }
    if (!good || character < least[extra] || character > 0x10FFFF || (character >= 0xD800 && character < 0xE000)) {
        *text += 1;
        return REPLACEMENT;
    }
    *text += 1 + extra;
    return character;
}

char *pc_label_clean(const char *text)
{
    pc_buffer clean = {0};
    int length = 0;
    for (unsigned c; (c = pc_label_next(&text)) != 0; length++) {
        if (length == PC_LABEL_LENGTH - 1 && *text) {
            pc_buffer_put(&clean, ELLIPSIS);
            break;
        }
        pc_buffer_put(&clean, c < 0x20 || (c >= 0x7F && c < 0xA0) ? ' ' : c);
    }
    pc_buffer_append(&clean, "", 1);
    if (!clean.failed) return clean.data;
    pc_buffer_free(&clean);
    return NULL;
}

/* --- the markup, read piece by piece --- */

static bool is_digit(unsigned c)
{
    return c >= '0' && c <= '9';
}

/* Letters: ASCII, and everything beyond Latin-1's signs up to the end of Greek and Cyrillic. */
static bool is_letter(unsigned c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0x52F && c != 0xD7 && c != 0xF7);
}

/* What a script sign at `at` takes: true if it is one. */
static bool read_script(const char *at, int letters, pc_label_piece *found, const char **after)
{
    if (*at != '_' && *at != '^') return false;
    found->height = *at == '_' ? -1 : 1;
    const char *s = at + 1;
    if (*s == '{') {
        const char *end = strchr(s, '}');
        if (!end || end == s + 1) return false;
        *found = (pc_label_piece){s + 1, (size_t)(end - s - 1), found->height};
        *after = end + 1;
        return true;
    }
    if (found->height < 0 && (letters < 1 || letters > SHORT_SYMBOL)) return false;
    const char *end = s;
    if (found->height > 0 && (*end == '-' || *end == '+')) end++;
    const char *first = end;
    for (;;) {
        const char *next = end;
        unsigned c = pc_label_next(&next);
        bool point = c == '.' && found->height > 0 && end > first && is_digit((unsigned char)next[0]);
        if (!is_letter(c) && !is_digit(c) && !point) break;
        end = next;
    }
    if (end == first) return false;
    *found = (pc_label_piece){s, (size_t)(end - s), found->height};
    *after = end;
    return true;
}

bool pc_label_read(pc_label_reader *r, pc_label_piece *found)
{
    if (*r->at == '\0') return false;
    const char *after;
    if (read_script(r->at, r->letters, found, &after)) {
        r->at = after;
        r->letters = 0;
        return true;
    }
    if (r->at[0] == '\\' && r->at[1]) r->at++;
    after = r->at;
    unsigned c = pc_label_next(&after);
    *found = (pc_label_piece){r->at, (size_t)(after - r->at), 0};
    if (is_letter(c) || (is_digit(c) && r->letters > 0))
        r->letters++;
    else
        r->letters = c == '_' ? SHORT_SYMBOL + 1 : 0;
    r->at = after;
    return true;
}

/* --- the forms --- */

/* Characters that exist raised or lowered in Unicode ("Superscripts and Subscripts", phonetic extensions). */
typedef struct script_pair {
    unsigned base, up, down;
} script_pair;

static const script_pair SCRIPTS[] = {
    {'0', 0x2070, 0x2080}, {'1', 0xB9, 0x2081},   {'2', 0xB2, 0x2082},   {'3', 0xB3, 0x2083},   {'4', 0x2074, 0x2084},
    {'5', 0x2075, 0x2085}, {'6', 0x2076, 0x2086}, {'7', 0x2077, 0x2087}, {'8', 0x2078, 0x2088}, {'9', 0x2079, 0x2089},
    {'+', 0x207A, 0x208A}, {'-', 0x207B, 0x208B}, {'=', 0x207C, 0x208C}, {'(', 0x207D, 0x208D}, {')', 0x207E, 0x208E},
    {'a', 0x1D43, 0x2090}, {'b', 0x1D47, 0},      {'c', 0x1D9C, 0},      {'d', 0x1D48, 0},      {'e', 0x1D49, 0x2091},
    {'h', 0x2B0, 0x2095},  {'i', 0x2071, 0x1D62}, {'j', 0x2B2, 0x2C7C},  {'k', 0x1D4F, 0x2096}, {'l', 0x2E1, 0x2097},
    {'m', 0x1D50, 0x2098}, {'n', 0x207F, 0x2099}, {'o', 0x1D52, 0x2092}, {'p', 0x1D56, 0x209A}, {'r', 0x2B3, 0x1D63},
    {'s', 0x2E2, 0x209B},  {'t', 0x1D57, 0x209C}, {'u', 0x1D58, 0x1D64}, {'v', 0x1D5B, 0x1D65}, {'x', 0x2E3, 0x2093},
};

static unsigned raised(unsigned c, int height)
{
    for (size_t i = 0; i < sizeof SCRIPTS / sizeof *SCRIPTS; i++) {
        if (SCRIPTS[i].base == c) return height > 0 ? SCRIPTS[i].up : SCRIPTS[i].down;
    }
    return 0;
}

/* A character in ASCII: Greek by name, common signs by their nearest spelling. */
static void put_ascii(unsigned c, pc_buffer *out)
{
    static const char *const small[] = {"alpha",   "beta", "gamma", "delta",  "epsilon", "zeta", "eta",
                                        "theta",   "iota", "kappa", "lambda", "mu",      "nu",   "xi",
                                        "omicron", "pi",   "rho",   "sigma",  "sigma",   "tau",  "upsilon",
                                        "phi",     "chi",  "psi",   "omega"};
    static const char *const capital[] = {"Alpha",   "Beta", "Gamma", "Delta",  "Epsilon", "Zeta", "Eta",
                                          "Theta",   "Iota", "Kappa", "Lambda", "Mu",      "Nu",   "Xi",
                                          "Omicron", "Pi",   "Rho",   "",       "Sigma",   "Tau",  "Upsilon",
                                          "Phi",     "Chi",  "Psi",   "Omega"};
    static const struct {
        unsigned character;
        const char *text;
    } signs[] = {{0xB5, "mu"},   {0xB7, "*"},    {0xD7, "x"},      {0xB0, " deg"},  {0xB1, "+-"},
                 {0x2212, "-"},  {0x2013, "-"},  {0x2014, "-"},    {0x2026, "..."}, {0x2264, "<="},
                 {0x2265, ">="}, {0x2260, "!="}, {0x221A, "sqrt"}, {0x221E, "inf"}, {0x2192, "->"},
                 {0x2019, "'"},  {0x2032, "'"},  {0xA0, " "},      {0x3D5, "phi"}};
    if (c < 0x80) {
        pc_buffer_put(out, c);
        return;
    }
    if (c >= 0x3B1 && c <= 0x3C9) {
        pc_buffer_print(out, "%s", small[c - 0x3B1]);
        return;
    }
    if (c >= 0x391 && c <= 0x3A9) {
        pc_buffer_print(out, "%s", capital[c - 0x391]);
        return;
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (signs[i].character == c) {
            pc_buffer_print(out, "%s", signs[i].text);
            return;
        }
    }
    pc_buffer_put(out, '?');
}

static void put_script(pc_label_piece p, bool unicode, pc_buffer *out)
{
    bool exists = unicode;
    const char *end = p.start + p.size;
    for (const char *s = p.start; exists && s < end;) exists = raised(pc_label_next(&s), p.height) != 0;
    if (!exists) pc_buffer_put(out, p.height > 0 ? '^' : '_');
    for (const char *s = p.start; s < end;) {
        unsigned c = pc_label_next(&s);
        if (exists)
            pc_buffer_put(out, raised(c, p.height));
        else if (unicode)
            pc_buffer_put(out, c);
        else
            put_ascii(c, out);
    }
}

void pc_label_plain(const char *label, bool unicode, pc_buffer *out)
{
    pc_label_reader r = {label, 0};
    for (pc_label_piece p; pc_label_read(&r, &p);) {
        const char *s = p.start;
        if (p.height)
            put_script(p, unicode, out);
        else if (unicode)
            pc_buffer_append(out, p.start, p.size);
        else
            put_ascii(pc_label_next(&s), out);
    }
}

int pc_label_columns(const char *plain)
{
    int columns = 0;
    for (unsigned c; (c = pc_label_next(&plain)) != 0;) {
        bool combining = c >= 0x300 && c <= 0x36F;
        bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
                    (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF00 && c <= 0xFF60) || (c >= 0x1F300 && c <= 0x1F9FF);
        columns += combining ? 0 : wide ? 2 : 1;
    }
    return columns;
}

/* Advance of a character, in ems: classes of DejaVu Sans, one of the wider faces that "sans" may stand for. */
static double advance(unsigned c)
{
    if (c >= 0x300 && c <= 0x36F) return 0;
    if (c == 0x2212 || c == 0xD7) return 0.84; /* minus and times, as wide as a plus */
    if (c > 0x7F) return c >= 0x2E80 ? 1 : 0.66;
    if (strchr("il.,:;'|!jIft()[]/\\ -r", (int)c)) return strchr("ft()[]-r", (int)c) ? 0.4 : 0.32;
    if (strchr("mwMW@%+=<>~", (int)c)) return 0.86;
    return c >= 'A' && c <= 'Z' ? 0.7 : 0.64;
}

double pc_label_width(const char *label)
{
    double width = 0;
    pc_label_reader r = {label, 0};
    for (pc_label_piece p; pc_label_read(&r, &p);) {
        for (const char *s = p.start; s < p.start + p.size;) {
            width += advance(pc_label_next(&s)) * (p.height ? SCRIPT_SCALE : 1);
        }
    }
    return width;
}
