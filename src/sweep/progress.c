/* How far a sweep is: see progress.h. */
#include "sweep/progress.h"

#include <math.h>
#include <stdio.h>

/* Old speed is forgotten over this time, s: points of a grid get slower and quicker. */
#define MEMORY_SECONDS 10.0

void pc_progress_update(pc_progress *p, double seconds)
{
    double passed = seconds - p->rated_at;
    if (passed > 0) {
        double now = (double)(p->done - p->rated_done) / passed;
        /* until there is memory to lose, the mean since the start */
        double keep = p->rated_at > 0 ? exp(-passed / fmin(MEMORY_SECONDS, seconds)) : 0;
        p->rate = keep * p->rate + (1 - keep) * now;
        p->rated_at = seconds;
        p->rated_done = p->done;
    }
    p->seconds = seconds;
}

static uint64_t remaining(const pc_progress *p)
{
    return p->total - p->skipped - p->done;
}

void pc_progress_duration(double seconds, char *text, size_t size)
{
    unsigned long long s = seconds > 0 && seconds < 1e15 ? (unsigned long long)(seconds + 0.5) : 0;
    if (s >= 172800)
        snprintf(text, size, "%llu days %llu h", s / 86400, s % 86400 / 3600);
    else if (s >= 3600)
        snprintf(text, size, "%llu h %02llu min", s / 3600, s % 3600 / 60);
    else if (s >= 60)
        snprintf(text, size, "%llu min %02llu s", s / 60, s % 60);
    else
        snprintf(text, size, "%llu s", s);
}

void pc_progress_line(const pc_progress *p, char *text, size_t size)
{
    char left[64] = "", wait[32], failed[40] = "";
    unsigned long long done = p->skipped + p->done, total = p->total;
    if (p->rate > 0 && remaining(p) > 0) {
        pc_progress_duration((double)remaining(p) / p->rate, wait, sizeof wait);
        snprintf(left, sizeof left, ", %s left", wait);
    }
    if (p->failed) snprintf(failed, sizeof failed, ", %llu failed", (unsigned long long)p->failed);
    snprintf(text, size, "%.40s: %llu of %llu (%.0f %%), %.3g/s%s%s", p->name, done, total,
             total ? floor(100 * (double)done / (double)total) : 100.0, p->rate, left, failed);
}

/* The name of a sweep may hold anything; in JSON quotes, backslashes and control characters need care. */
static void escape(const char *name, char *out, size_t size)
{
    size_t n = 0;
    for (const char *c = name; *c && n + 8 < size; c++) {
        if (*c == '"' || *c == '\\')
            n += (size_t)snprintf(out + n, size - n, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            n += (size_t)snprintf(out + n, size - n, "\\u%04x", (unsigned)*c);
        else
            out[n++] = *c;
    }
    out[n] = '\0';
}

void pc_progress_json(const pc_progress *p, const char *state, char *text, size_t size)
{
    char name[128], left[32] = "null";
    escape(p->name, name, sizeof name);
    if (p->rate > 0 || remaining(p) == 0)
        snprintf(left, sizeof left, "%.3f", remaining(p) ? (double)remaining(p) / p->rate : 0.0);
    snprintf(text, size,
             "{\"sweep\": \"%s\", \"state\": \"%s\", \"total\": %llu, \"skipped\": %llu, \"done\": %llu, "
             "\"failed\": %llu, \"seconds\": %.3f, \"rate\": %.6g, \"left\": %s}",
             name, state, (unsigned long long)p->total, (unsigned long long)p->skipped, (unsigned long long)p->done,
             (unsigned long long)p->failed, p->seconds, p->rate, left);
}
