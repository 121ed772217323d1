/* Tagged values: see bind.h. */
#include "bind/core/bind.h"

#include <string.h>

/* ---- writing ---- */

void pc_tagged_put(pc_tagged_out *out, const void *bytes, size_t n)
{
    if (out->bytes && n > 0) memcpy(out->bytes + out->n, bytes, n);
    out->n += n;
}

void pc_tagged_put_tag(pc_tagged_out *out, char tag)
{
    pc_tagged_put(out, &tag, 1);
}

void pc_tagged_put_bits(pc_tagged_out *out, char tag, uint64_t bits)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(bits >> 8 * i);
    pc_tagged_put_tag(out, tag);
    pc_tagged_put(out, bytes, 8);
}

void pc_tagged_put_string(pc_tagged_out *out, const char *text, size_t n)
{
    pc_tagged_put_bits(out, 'S', n);
    pc_tagged_put(out, text, n);
}

static void put_double(pc_tagged_out *out, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    pc_tagged_put_bits(out, 'D', bits);
}

bool pc_tagged_put_plain(pc_tagged_out *out, lua_State *L, int index)
{
    size_t n;
    const char *text;
    switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL: pc_tagged_put_tag(out, 'N'); return true;
    case LUA_TBOOLEAN: pc_tagged_put_tag(out, lua_toboolean(L, index) ? 'T' : 'F'); return true;
    case LUA_TNUMBER:
        if (lua_isinteger(L, index))
            pc_tagged_put_bits(out, 'I', (uint64_t)lua_tointeger(L, index));
        else
            put_double(out, lua_tonumber(L, index));
        return true;
    case LUA_TSTRING:
        text = lua_tolstring(L, index, &n);
        pc_tagged_put_string(out, text, n);
        return true;
    default: return false;
    }
}

/* ---- reading ---- */

bool pc_tagged_get_tag(pc_tagged_in *in, char *tag)
{
    if (in->at == in->end) return false;
    *tag = (char)*in->at++;
    return true;
}

bool pc_tagged_get_bits(pc_tagged_in *in, uint64_t *bits)
{
    if (in->end - in->at < 8) return false;
    *bits = 0;
    for (int i = 0; i < 8; i++) *bits |= (uint64_t)*in->at++ << 8 * i;
    return true;
}

bool pc_tagged_get_length(pc_tagged_in *in, size_t size, size_t *n)
{
    uint64_t length;
    if (!pc_tagged_get_bits(in, &length) || length > (uint64_t)(in->end - in->at) / size) return false;
    *n = (size_t)length;
    return true;
}

bool pc_tagged_get_string(pc_tagged_in *in, const char **text, size_t *n)
{
    if (!pc_tagged_get_length(in, 1, n)) return false;
    *text = (const char *)in->at;
    in->at += *n;
    return true;
}

bool pc_tagged_push_plain(pc_tagged_in *in, lua_State *L, char tag)
{
    uint64_t bits;
    double x;
    const char *text;
    size_t n;
    switch (tag) {
    case 'N': lua_pushnil(L); return true;
    case 'T':
    case 'F': lua_pushboolean(L, tag == 'T'); return true;
    case 'I':
        if (!pc_tagged_get_bits(in, &bits)) return false;
        lua_pushinteger(L, (lua_Integer)bits);
        return true;
    case 'D':
        if (!pc_tagged_get_bits(in, &bits)) return false;
        memcpy(&x, &bits, sizeof x);
        lua_pushnumber(L, x);
        return true;
    case 'S':
        if (!pc_tagged_get_string(in, &text, &n)) return false;
        lua_pushlstring(L, text, n);
        return true;
    default: return false;
    }
}
