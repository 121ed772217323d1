/* Whether Lua text, read line by line, may be complete.
 *
 * Only the compiler can say that a statement is complete, but asking it after every line of a long one makes a paste of
 * ten thousand lines take a minute. Counting open blocks, brackets and long strings costs next to nothing and rules
 * out most of those questions.
 */
#ifndef PC_REPL_BALANCE_H
#define PC_REPL_BALANCE_H

#include <stdbool.h>
#include <stddef.h>

/* All zero: nothing read. */
typedef struct pc_balance {
    int depth;      /* blocks and brackets opened and not closed */
    int long_level; /* inside [==[ with n - 1 equal signs: n; else 0 */
    char quote;     /* the string that goes on in the next line, after \ or \z; else 0 */
} pc_balance;

/* Read one more line (without its newline). */
void pc_balance_add(pc_balance *balance, const char *line, size_t length);

/* False if the text read so far is certainly incomplete. */
bool pc_balance_closed(const pc_balance *balance);

#endif
