/* Whether Lua text may be complete: see balance.h. Follows the lexical rules of the manual of Lua 5.4, section 3.1. */
#include "repl/balance.h"

#include <ctype.h>
#include <string.h>

/* Every block ends with one of the closers. `while` and `for` open theirs by `do`, `elseif` and `else` go on with
 * one. */
static const char *const openers[] = {"do", "function", "if", "repeat", NULL};
static const char *const closers[] = {"end", "until", NULL};

static bool is_among(const char *const *words, const char *word, size_t length)
{
    for (; *words; words++)
        if (strlen(*words) == length && memcmp(*words, word, length) == 0) return true;
    return false;
}

/* Level of the long bracket that starts at `p` ('[' or ']' as `bracket`), counted from 1; 0 if there is none. */
static int long_bracket(const char *p, const char *end, char bracket)
{
    const char *q = p + 1;
    if (p >= end || *p != bracket) return 0;
    while (q < end && *q == '=') q++;
    return q < end && *q == bracket ? (int)(q - p) : 0;
}

static const char *skip_long(pc_balance *balance, const char *p, const char *end)
{
    for (; p < end; p++) {
        if (long_bracket(p, end, ']') != balance->long_level) continue;
        p += balance->long_level + 1;
        balance->long_level = 0;
        return p;
    }
    return end;
}

/* An unfinished string ends with its line, unless the newline is escaped or skipped by \z. */
static const char *skip_string(pc_balance *balance, const char *p, const char *end)
{
    char quote = balance->quote;
    for (; p < end; p++) {
        if (*p == quote) {
            balance->quote = 0;
            return p + 1;
        }
        if (*p != '\\') continue;
        bool skips = ++p < end && *p == 'z';
        while (skips && p + 1 < end && isspace((unsigned char)p[1])) p++;
        if (p >= end || (skips && p + 1 == end)) return end;
    }
    balance->quote = 0;
    return end;
}

static const char *skip_word(pc_balance *balance, const char *p, const char *end)
{
    const char *start = p;
    while (p < end && (isalnum((unsigned char)*p) || *p == '_')) p++;
    balance->depth += is_among(openers, start, (size_t)(p - start));
    balance->depth -= is_among(closers, start, (size_t)(p - start));
    return p;
}

void pc_balance_add(pc_balance *balance, const char *line, size_t length)
{
    const char *p = line;
    const char *end = line + length;
    while (p < end) {
        bool comment = end - p >= 2 && p[0] == '-' && p[1] == '-';
        int level = long_bracket(comment ? p + 2 : p, end, '[');
        if (balance->long_level) {
            p = skip_long(balance, p, end);
        } else if (balance->quote) {
            p = skip_string(balance, p, end);
        } else if (level) {
            balance->long_level = level;
            p += (comment ? 2 : 0) + level + 1;
        } else if (comment) {
            return;
        } else if (*p == '"' || *p == '\'') {
            balance->quote = *p++;
            if (p == end) balance->quote = 0;
        } else if (isalnum((unsigned char)*p) || *p == '_') {
            p = skip_word(balance, p, end);
        } else {
            balance->depth += *p == '(' || *p == '[' || *p == '{';
            balance->depth -= *p == ')' || *p == ']' || *p == '}';
            p++;
        }
    }
}

bool pc_balance_closed(const pc_balance *balance)
{
    return balance->depth <= 0 && !balance->long_level && !balance->quote;
}
