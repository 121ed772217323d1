/* Status codes and the error record.
 *
 * Every function that can fail returns pc_status and takes `pc_error *err` last. The core never prints, exits,
 * aborts or long-jumps: it fills the record, frees what it took and returns. `err` may be NULL where the caller
 * needs the code alone.
 */
#ifndef PC_BASE_STATUS_H
#define PC_BASE_STATUS_H

#include <signal.h>

typedef enum pc_status {
#define PC_STATUS(id, word, text) PC_##id,
#include "status.def"
#undef PC_STATUS
    PC_N_STATUS
} pc_status;

enum { PC_ERROR_TEXT = 512 };

/* text: one sentence for a person. time and quantity: where a numerical failure happened (NaN and "" where they
 * mean nothing). */
typedef struct pc_error {
    pc_status code;
    double time;
    char quantity[32];
    char text[PC_ERROR_TEXT];
} pc_error;

#if defined(__GNUC__)
#define PC_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PC_PRINTF(fmt, args)
#endif

/* Fill the record and return `code`, so that failing reads `return pc_fail(err, ...)`. Text that is too long is cut. */
pc_status pc_fail(pc_error *err, pc_status code, const char *format, ...) PC_PRINTF(3, 4);

/* The same for a numerical failure, with the time reached (s) and the quantity that failed. */
pc_status pc_fail_at(pc_error *err, pc_status code, double time, const char *quantity, const char *format, ...)
    PC_PRINTF(5, 6);

/* The functions that a caller gives (a right-hand side, an event, an action) return numbers: a negative one stops
 * whoever calls them, and the record of that one is theirs to say why. So it is cleared before they are called, and
 * where one has stopped the failure is what they left there, or else PC_E_CALLBACK with this text. */
static inline void pc_error_clear(pc_error *err)
{
    if (err) err->code = PC_OK;
}
pc_status pc_fail_stopped(pc_error *err, double time, const char *quantity, const char *format, ...) PC_PRINTF(4, 5);

/* For a part that this build was made without: PC_E_SYSTEM, "this build has no PLplot, which PNG files need". */
pc_status pc_fail_missing(pc_error *err, const char *part, const char *needed_for);

/* Stable word of a code ("argument", "memory", ...), as scripts see it; and a sentence that says what it means. */
const char *pc_status_word(pc_status code);
const char *pc_status_text(pc_status code);

/* The interrupt flag. A signal handler raises it; every loop of the core that may run longer than a few
 * milliseconds asks it and returns PC_E_INTERRUPTED with its partial result. Whoever shows the result to a person
 * clears it. */

extern volatile sig_atomic_t pc_interrupt_flag;

static inline int pc_interrupted(void)
{
    return pc_interrupt_flag != 0;
}

#endif
