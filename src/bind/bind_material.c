/* The module percuss.material: named materials as read-only values, and one made of constants. */
#include "bind/bind_body.h"
#include "bind/register.h"

static int material_new(lua_State *L)
{
    const pc_schema *schema = lua_touserdata(L, lua_upvalueindex(1));
    lua_settop(L, 1);
    pc_material *self = pc_type_new(L, &pc_type_material, sizeof *self, 0);
    pc_options_read(L, 1, schema, self);
    return 1;
}

static void push_source(lua_State *L, void *self)
{
    lua_pushstring(L, ((pc_material *)self)->source); /* nil for NULL */
}

/* Constants by word or symbol; unknown ones are nil. */
static int material_index(lua_State *L)
{
    const pc_material *self = pc_type_check(L, 1, &pc_type_material);
    const char *key = luaL_checkstring(L, 2);
    int row = pc_schema_find(&pc_material_schema, key);
    if (row < 0) {
        pc_error err = {0};
        pc_schema_unknown(&pc_material_schema, key, &err);
        return pc_raise(L, &err);
    }
    pc_row_push(L, &pc_material_schema.rows[row], self);
    return 1;
}

static int material_equal(lua_State *L)
{
    const pc_material *a = pc_type_test(L, 1, &pc_type_material), *b = pc_type_test(L, 2, &pc_type_material);
    lua_pushboolean(L, a && b && pc_material_same(a, b));
    return 1;
}

static void material_describe(lua_State *L, void *self)
{
    const pc_material *material = self;
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    luaL_addstring(&b, material->name);
    const char *gap = ": ";
    for (int i = 0; i < pc_material_schema.n_rows; i++) {
        const pc_row *row = &pc_material_schema.rows[i];
        double x = pc_row_number(row, material);
        if (isnan(x)) continue;
        char amount[96];
        luaL_addstring(&b, gap);
        luaL_addstring(&b, row->name);
        luaL_addchar(&b, ' ');
        luaL_addstring(&b, pc_quantity_text(x, row->unit, amount, sizeof amount));
        gap = ", ";
    }
    luaL_pushresult(&b);
}

static const pc_property properties[] = {
    {"source", push_source, NULL, "where the constants of a named material come from"},
    {0},
};

static const luaL_Reg metamethods[] = {{"__index", material_index}, {"__eq", material_equal}, {NULL, NULL}};

const pc_type pc_type_material = {
    .name = "percuss.material",
    .summary = "Elastic and plastic constants: density, young, poisson, yield; a constant that is unknown is nil.",
    .properties = properties,
    .metamethods = metamethods,
    .describe = material_describe,
};

void pc_open_material(lua_State *L)
{
    pc_type_open(L, &pc_type_material);
    lua_newtable(L);
    for (int i = 0; i < pc_n_materials; i++) {
        pc_material *self = pc_type_new(L, &pc_type_material, sizeof *self, 0);
        *self = pc_materials[i];
        lua_setfield(L, -2, self->name);
    }
    pc_constructor_open(L, &pc_material_schema, material_new, &pc_material_schema);
    pc_module_strict(L, "material");
    lua_setfield(L, -2, "material");
}
