/* io and os.remove inside the sandbox. An open file is Lua's own file object, whose methods read, write, seek and so on
 * work on the FILE of the scratch folder; only how it is opened and closed differs. */
#include "bind/sandbox_io.h"

#include "base/files.h"
#include "sandbox/scratch.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

enum { SCRATCH_MOST = 16 << 20 };

/* One process holds one sandbox, and the folder lives as long as it. */
static pc_scratch *folder;

static int close_file(lua_State *L)
{
    luaL_Stream *file = luaL_checkudata(L, 1, LUA_FILEHANDLE);
    return luaL_fileresult(L, fclose(file->f) == 0, NULL);
}

/* A name without a zero byte, at which C would cut it. */
static const char *check_name(lua_State *L, int index)
{
    size_t n;
    const char *name = luaL_checklstring(L, index, &n);
    luaL_argcheck(L, strlen(name) == n, index, "the name has a zero byte");
    return name;
}

/* Leave an open file on the stack; or fail with errno. Files that a script let go are closed before it is refused. */
static int push_file(lua_State *L, const char *name, const char *mode)
{
    luaL_Stream *file = lua_newuserdatauv(L, sizeof *file, 0);
    file->closef = NULL; /* it counts as closed until it is open */
    luaL_setmetatable(L, LUA_FILEHANDLE);
    file->f = pc_scratch_open(folder, name, mode);
    if (!file->f && errno == EMFILE) {
        lua_gc(L, LUA_GCCOLLECT);
        file->f = pc_scratch_open(folder, name, mode);
    }
    if (!file->f) return 0;
    file->closef = close_file;
    return 1;
}

static int io_open(lua_State *L)
{
    const char *name = check_name(L, 1), *mode = luaL_optstring(L, 2, "r");
    if (push_file(L, name, mode)) return 1;
    int code = errno;
    luaL_argcheck(L, code != EINVAL, 2, "the modes here are r, w, a, r+, w+ and a+, each also with b");
    if (code != EACCES) {
        errno = code;
        return luaL_fileresult(L, 0, name);
    }
    lua_pushnil(L);
    lua_pushfstring(L, "%s: only plain names are allowed here, of files in the scratch folder", name);
    lua_pushinteger(L, code);
    return 3;
}

/* As io.lines: the iterator, two nils, and the file, which a loop closes at its end. */
static int io_lines(lua_State *L)
{
    int n = lua_gettop(L);
    const char *name = check_name(L, 1);
    if (!push_file(L, name, "r")) return luaL_error(L, "%s: %s", name, strerror(errno));
    lua_replace(L, 1); /* file, formats... */
    lua_getfield(L, 1, "lines");
    lua_insert(L, 1);
    lua_pushvalue(L, 2);
    lua_insert(L, 1); /* file, lines, file, formats... */
    lua_call(L, n, 1);
    lua_pushnil(L);
    lua_pushnil(L);
    lua_pushvalue(L, 1);
    return 4;
}

int pc_sandbox_remove(lua_State *L)
{
    const char *name = check_name(L, 1);
    return luaL_fileresult(L, pc_scratch_remove(folder, name), name);
}

int pc_sandbox_rename(lua_State *L)
{
    const char *from = check_name(L, 1), *to = check_name(L, 2);
    return luaL_fileresult(L, pc_scratch_rename(folder, from, to), NULL);
}

/* --- what percuss itself writes and reads --- */

static FILE *open_own(const char *name, const char *mode)
{
    return pc_scratch_open(folder, name, mode);
}

static bool rename_own(const char *from, const char *to)
{
    return pc_scratch_rename(folder, from, to);
}

static bool remove_own(const char *name)
{
    return pc_scratch_remove(folder, name);
}

void pc_sandbox_push_io(lua_State *L)
{
    static const pc_files files = {open_own, rename_own, remove_own};
    folder = pc_scratch_new(SCRATCH_MOST);
    if (!folder) luaL_error(L, "not enough memory");
    pc_files_replace(&files);
    /* Lua's library makes the metatable of files; of its functions only type stays */
    lua_pushcfunction(L, luaopen_io);
    lua_call(L, 0, 1);
    lua_createtable(L, 0, 5);
    lua_getfield(L, -2, "type");
    lua_setfield(L, -2, "type");
    lua_remove(L, -2);
    lua_pushcfunction(L, io_open);
    lua_setfield(L, -2, "open");
    lua_pushcfunction(L, io_lines);
    lua_setfield(L, -2, "lines");
}
