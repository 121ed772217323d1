/* Fields as plain data: see field.h. */
#include "chart/field.h"

#include "base/alloc.h"
#include "base/grow.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const pc_field_kind pc_field_kinds[] = {
    {"heatmap", .shaded = true, .parts = 1, .doc = "cells coloured by value, with a colour bar"},
    {"bands", .shaded = true, .banded = true, .parts = 1, .doc = "areas between levels, with a colour bar in steps"},
    {"contour", .levelled = true, .parts = 1, .doc = "lines of equal value with their labels"},
    {"vectors", .arrowed = true, .parts = 2, .doc = "an arrow at grid points"},
    {"streamlines", .traced = true, .parts = 2, .doc = "lines that follow a vector field, evenly spaced"},
    {.name = NULL},
};

const pc_field_kind *pc_field_kind_find(const char *name)
{
    for (const pc_field_kind *kind = pc_field_kinds; kind->name; kind++) {
        if (strcmp(kind->name, name) == 0) return kind;
    }
    return NULL;
}

static pc_status no_memory(pc_error *err)
{
    return pc_fail(err, PC_E_MEMORY, "not enough memory for the figure");
}

/* --- building --- */

void pc_field_clear(pc_field *field)
{
    pc_free(field->x);
    pc_free(field->y);
    pc_free(field->values[0]);
    pc_free(field->values[1]);
    pc_free(field->z.label);
    pc_free(field->z.unit);
    pc_free(field->levels);
    pc_free(field->label);
}

static pc_status check_lines(const char *kind, const char *name, const double *lines, size_t n, pc_error *err)
{
    if (n < 2) return pc_fail(err, PC_E_ARGUMENT, "%s: %s has %zu grid lines; it needs at least 2", kind, name, n);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(lines[i])) {
            return pc_fail(err, PC_E_ARGUMENT, "%s: %s[%zu] = %g is not finite", kind, name, i + 1, lines[i]);
        }
        if (i > 0 && lines[i] == lines[i - 1]) {
            return pc_fail(err, PC_E_ARGUMENT, "%s: %s[%zu] repeats %g", kind, name, i + 1, lines[i]);
        }
        if (i > 0 && (lines[i] > lines[i - 1]) != (lines[1] > lines[0])) {
            return pc_fail(err, PC_E_ARGUMENT, "%s: grid lines must ascend or descend, but %s[%zu] = %g follows %g",
                           kind, name, i + 1, lines[i], lines[i - 1]);
        }
    }
    return PC_OK;
}

/* A copy that ascends. */
static double *copy_lines(const double *lines, size_t n)
{
    double *copy = pc_calloc(n, sizeof *copy);
    bool descends = lines[1] < lines[0];
    for (size_t i = 0; copy && i < n; i++) copy[i] = lines[descends ? n - 1 - i : i];
    return copy;
}

static double *copy_values(const double *x, size_t nx, const double *y, size_t ny, const double *values)
{
    double *copy = nx <= SIZE_MAX / ny ? pc_calloc(nx * ny, sizeof *copy) : NULL;
    bool turn_x = x[1] < x[0], turn_y = y[1] < y[0];
    for (size_t i = 0; copy && i < nx; i++) {
        const double *column = values + (turn_x ? nx - 1 - i : i) * ny;
        for (size_t j = 0; j < ny; j++) copy[i * ny + j] = column[turn_y ? ny - 1 - j : j];
    }
    return copy;
}

pc_status pc_panel_add_field(pc_panel *panel, const pc_field_kind *kind, const double *x, size_t nx, const double *y,
                             size_t ny, const double *const values[2], pc_field **field, pc_error *err)
{
    if (panel->polar) return pc_fail(err, PC_E_ARGUMENT, "%s does not go on a polar panel", kind->name);
    pc_status status = check_lines(kind->name, "x", x, nx, err);
    if (!status) status = check_lines(kind->name, "y", y, ny, err);
    if (status) return status;
    pc_field made = {
        .kind = kind, .nx = nx, .ny = ny, .palette = &pc_palettes[0], .labelled = true, .about = 8, .density = 1};
    made.z.lo = made.z.hi = NAN;
    made.x = copy_lines(x, nx);
    made.y = copy_lines(y, ny);
    bool complete = made.x && made.y;
    for (int k = 0; complete && k < kind->parts; k++) {
        made.values[k] = copy_values(x, nx, y, ny, values[k]);
        complete = made.values[k] != NULL;
    }
    if (!complete || !PC_GROW(panel->fields, panel->field_room, panel->n_fields + 1)) {
        pc_field_clear(&made);
        return no_memory(err);
    }
    *field = &panel->fields[panel->n_fields++];
    **field = made;
    return PC_OK;
}

void pc_panel_drop_field(pc_panel *panel)
{
    if (panel->n_fields > 0) pc_field_clear(&panel->fields[--panel->n_fields]);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

pc_status pc_field_set_levels(pc_field *field, const double *levels, size_t n, pc_error *err)
{
    if (n < 1 || n > PC_LEVELS_MAX) {
        return pc_fail(err, PC_E_ARGUMENT, "%s: levels holds %zu numbers; 1 to %d are allowed", field->kind->name, n,
                       PC_LEVELS_MAX);
    }
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(levels[i])) {
            return pc_fail(err, PC_E_ARGUMENT, "%s: levels[%zu] = %g is not finite", field->kind->name, i + 1,
                           levels[i]);
        }
    }
    double *copy = pc_calloc(n, sizeof *copy);
    if (!copy) return no_memory(err);
    memcpy(copy, levels, n * sizeof *copy);
    qsort(copy, n, sizeof *copy, ascending);
    size_t kept = 1;
    for (size_t i = 1; i < n; i++) {
        if (copy[i] > copy[kept - 1]) copy[kept++] = copy[i];
    }
    pc_free(field->levels);
    field->levels = copy;
    field->n_levels = kept;
    return PC_OK;
}

/* --- what drawing asks --- */

bool pc_field_has_data(const pc_field *field)
{
    for (size_t i = 0; i < field->nx * field->ny; i++) {
        if (isfinite(field->values[0][i])) return true;
    }
    return false;
}

const pc_field *pc_panel_bar(const pc_panel *panel)
{
    for (size_t i = 0; i < panel->n_fields; i++) {
        if (panel->fields[i].kind->shaded) return &panel->fields[i];
    }
    return NULL;
}

void pc_field_scale(const pc_field *field, pc_scale *z)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < field->nx * field->ny; i++) {
        double value = field->values[0][i];
        if (!isfinite(value) || (field->z.log && value <= 0)) continue;
        if (value < lo) lo = value;
        if (value > hi) hi = value;
    }
    if (field->palette->diverging && !field->z.log && lo <= hi) {
        hi = fmax(fabs(lo), fabs(hi));
        lo = -hi;
    }
    pc_scale_resolve(&field->z, lo, hi, z);
}

int pc_field_levels(const pc_field *field, double levels[PC_LEVELS_MAX])
{
    int n = 0;
    if (field->levels) {
        for (size_t i = 0; i < field->n_levels; i++) levels[n++] = field->levels[i];
        return n;
    }
    pc_scale z;
    pc_field_scale(field, &z);
    pc_scale_set_ticks(&z, field->about);
    for (int i = 0; i < z.n_ticks; i++) {
        if (z.ticks[i].text[0]) levels[n++] = z.ticks[i].value;
    }
    return n;
}

void pc_field_level_text(double level, char *text, size_t size)
{
    /* six digits: what rounding left in 3 * 0.1 does not show */
    char digits[32];
    snprintf(digits, sizeof digits, "%.6g", fabs(level));
    char *exponent = strchr(digits, 'e');
    const char *sign = level < 0 ? "\u2212" : "";
    if (exponent) {
        *exponent = '\0';
        snprintf(text, size, "%s%s×10^{%d}", sign, digits, atoi(exponent + 1));
    } else {
        snprintf(text, size, "%s%s", sign, digits);
    }
}

void pc_field_edges(const double *lines, size_t n, bool log, double *edges)
{
    for (size_t i = 1; i < n; i++) {
        edges[i] = log && lines[i - 1] > 0 ? sqrt(lines[i - 1]) * sqrt(lines[i]) : 0.5 * lines[i - 1] + 0.5 * lines[i];
    }
    if (log && lines[0] > 0) {
        edges[0] = lines[0] * (lines[0] / edges[1]);
        edges[n] = lines[n - 1] * (lines[n - 1] / edges[n - 1]);
    } else {
        edges[0] = lines[0] - (edges[1] - lines[0]);
        edges[n] = lines[n - 1] + (lines[n - 1] - edges[n - 1]);
    }
}

void pc_field_reach(const pc_field *field, bool along_y, bool log, double *first, double *last)
{
    const double *lines = along_y ? field->y : field->x;
    size_t n = along_y ? field->ny : field->nx;
    *first = lines[0];
    *last = lines[n - 1];
    if (!field->kind->shaded || field->kind->banded) return;
    double edges[3];
    pc_field_edges(lines, 2, log, edges);
    *first = edges[0];
    pc_field_edges(lines + n - 2, 2, log, edges);
    *last = edges[2];
}

pc_colour pc_field_colour(const pc_panel *panel, const pc_field *field, const pc_theme *theme)
{
    if (field->style.colour.given) return field->style.colour;
    if (field->kind->levelled) return theme->ink;
    /* vectors are ground for curves, where there are any */
    return panel->n_series > 0 ? theme->muted : theme->curve[0];
}
