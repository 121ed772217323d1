/* Parameters of an object as Lua values and as text. */
#include "bind/bind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void push_number_or_nil(lua_State *L, double x)
{
    if (isnan(x))
        lua_pushnil(L);
    else
        lua_pushnumber(L, x);
}

static void push_matrix(lua_State *L, const pc_matrix *matrix)
{
    lua_createtable(L, matrix->rows, 0);
    for (int i = 0; i < matrix->rows; i++) {
        lua_createtable(L, matrix->cols, 0);
        for (int j = 0; j < matrix->cols; j++) {
            lua_pushnumber(L, matrix->v[i * matrix->cols + j]);
            lua_rawseti(L, -2, j + 1);
        }
        lua_rawseti(L, -2, i + 1);
    }
}

void pc_row_push(lua_State *L, const pc_row *row, const void *object)
{
    const void *at = (const char *)object + row->offset;
    switch (row->kind) {
    case PC_REAL: push_number_or_nil(L, pc_row_number(row, object)); return;
    case PC_INTEGER: lua_pushinteger(L, (lua_Integer)pc_row_number(row, object)); return;
    case PC_BOOLEAN: lua_pushboolean(L, pc_row_number(row, object) != 0); return;
    case PC_CHOICE: lua_pushstring(L, row->choices[(int)pc_row_number(row, object)]); return;
    case PC_MATRIX: push_matrix(L, at); return;
    case PC_TEXT: lua_pushstring(L, at); return;
    case PC_OBJECT: lua_pushnil(L); return; /* an owner that wants it readable gives it a property */
    case PC_VECTOR: break;
    }
    lua_createtable(L, (int)row->count, 0);
    for (size_t i = 0; i < row->count; i++) {
        lua_pushnumber(L, ((const double *)at)[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void pc_schema_push_text(lua_State *L, const pc_schema *schema, const void *object)
{
    char text[1024], amount[96];
    size_t used = (size_t)snprintf(text, sizeof text, "%s{", schema->name);
    const char *gap = " ";
    for (int i = 0; i < schema->n_rows && used < sizeof text - 1; i++) {
        const pc_row *row = &schema->rows[i];
        double x = pc_row_number(row, object);
        if (isnan(x)) continue;
        const char *value = amount;
        if (row->kind == PC_CHOICE)
            snprintf(amount, sizeof amount, "\"%s\"", row->choices[(int)x]);
        else if (row->kind == PC_BOOLEAN)
            value = x != 0 ? "true" : "false";
        else
            pc_quantity_text(x, row->unit, amount, sizeof amount);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %s", gap, row->name, value);
        gap = ", ";
    }
    if (used > sizeof text - 3) used = sizeof text - 3;
    memcpy(text + used, " }", 3);
    lua_pushstring(L, text);
}
