/* Status codes and the error record: see status.h. */
#include "base/status.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *word, *text;
} status_rows[] = {
#define PC_STATUS(id, word, text) {word, text},
#include "base/status.def"
#undef PC_STATUS
};

static void PC_PRINTF(5, 0)
    fill(pc_error *err, pc_status code, double time, const char *quantity, const char *format, va_list args)
{
    if (!err) return;
    err->code = code;
    err->time = time;
    snprintf(err->quantity, sizeof err->quantity, "%s", quantity);
    vsnprintf(err->text, sizeof err->text, format, args);
}

pc_status pc_fail(pc_error *err, pc_status code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, code, NAN, "", format, args);
    va_end(args);
    return code;
}

pc_status pc_fail_at(pc_error *err, pc_status code, double time, const char *quantity, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, code, time, quantity, format, args);
    va_end(args);
    return code;
}

pc_status pc_fail_stopped(pc_error *err, double time, const char *quantity, const char *format, ...)
{
    if (err && err->code != PC_OK) return err->code;
    va_list args;
    va_start(args, format);
    fill(err, PC_E_CALLBACK, time, quantity, format, args);
    va_end(args);
    return PC_E_CALLBACK;
}

pc_status pc_fail_missing(pc_error *err, const char *part, const char *needed_for)
{
    return pc_fail(err, PC_E_SYSTEM, "this build of percuss has no %s, which %s need", part, needed_for);
}

const char *pc_status_word(pc_status code)
{
    return code < PC_N_STATUS ? status_rows[code].word : "unknown";
}

const char *pc_status_text(pc_status code)
{
    return code < PC_N_STATUS ? status_rows[code].text : "unknown status";
}

volatile sig_atomic_t pc_interrupt_flag = 0;
