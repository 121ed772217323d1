/* Files as the grading of submissions needs them: what lies in a folder, reading a file that somebody else made, and
 * writing one that appears whole or not at all. */
#include "base/files.h"
#include "bind/core/bind.h"
#include "bind/sandbox/sandbox.h"
#include "sandbox/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static int push_system_failure(lua_State *L, const char *doing, const char *path, const char *why)
{
    pc_error err = {0};
    pc_fail(&err, PC_E_SYSTEM, "cannot %s %.300s: %s", doing, path, why);
    return pc_push_failure(L, &err);
}

/* An open directory in a userdata, so that an error of Lua's closes it. */
static int close_directory(lua_State *L)
{
    DIR **directory = lua_touserdata(L, 1);
    if (*directory) closedir(*directory);
    *directory = NULL;
    return 0;
}

static const char *kind_of(DIR *directory, const char *name)
{
    struct stat found;
    if (fstatat(dirfd(directory), name, &found, AT_SYMLINK_NOFOLLOW) != 0) return "other";
    return S_ISREG(found.st_mode)   ? "file"
           : S_ISDIR(found.st_mode) ? "folder"
           : S_ISLNK(found.st_mode) ? "link"
                                    : "other";
}

static int file_list(lua_State *L)
{
    const char *path = pc_argument_string(L, 1);
    DIR **directory = lua_newuserdatauv(L, sizeof *directory, 0);
    *directory = NULL;
    if (luaL_newmetatable(L, "percuss.directory")) {
        lua_pushcfunction(L, close_directory);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    *directory = opendir(path);
    if (!*directory) return push_system_failure(L, "list the folder", path, strerror(errno));
    lua_newtable(L);
    lua_Integer n = 0;
    for (struct dirent *entry; (entry = readdir(*directory)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        lua_createtable(L, 0, 2);
        lua_pushstring(L, entry->d_name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, kind_of(*directory, entry->d_name));
        lua_setfield(L, -2, "kind");
        lua_rawseti(L, -2, ++n);
    }
    closedir(*directory);
    *directory = NULL;
    return 1;
}

/* The same where no file system is: what is there are plain files of one's own. */
static int read_replaced(lua_State *L, const char *path, size_t most)
{
    size_t size, got = 0;
    pc_error err = {0};
    if (pc_file_measure(path, &size, &err)) return pc_push_failure(L, &err);
    if (size > most) return push_system_failure(L, "read", path, "it is too long");
    char *bytes = lua_newuserdatauv(L, size + 1, 0);
    if (pc_file_read(path, bytes, size, &got, &err)) return pc_push_failure(L, &err);
    lua_pushlstring(L, bytes, got);
    return 1;
}

/* The descriptor is held while Lua allocates, hence the bytes are read into memory that Lua made before. */
static int file_read(lua_State *L)
{
    const char *path = pc_argument_string(L, 1);
    lua_Integer most = pc_argument_integer_or(L, 2, 1 << 28);
    pc_argument_check(L, most >= 0 && most <= 1 << 30, 2, "must be from 0 to 2^30 bytes");
    if (pc_files_replaced()) return read_replaced(L, path, (size_t)most);
    struct stat found;
    if (lstat(path, &found) != 0) return push_system_failure(L, "read", path, strerror(errno));
    if (!S_ISREG(found.st_mode)) return push_system_failure(L, "read", path, "it is no regular file");
    if (found.st_size > most) return push_system_failure(L, "read", path, "it is too long");
    size_t room = (size_t)found.st_size + 1, have = 0;
    char *bytes = lua_newuserdatauv(L, room, 0);
    /* it may have been exchanged since: a link is not followed, and a pipe does not block */
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return push_system_failure(L, "read", path, strerror(errno));
    ssize_t got = 1;
    if (fstat(fd, &found) != 0 || !S_ISREG(found.st_mode)) got = -1;
    while (got > 0 && have < room) {
        got = read(fd, bytes + have, room - have);
        if (got > 0) have += (size_t)got;
    }
    close(fd);
    if (got < 0 || have == room) return push_system_failure(L, "read", path, "it changed while it was read");
    lua_pushlstring(L, bytes, have);
    return 1;
}

static int file_write(lua_State *L)
{
    size_t n;
    const char *path = pc_argument_string(L, 1), *text = pc_argument_bytes(L, 2, &n);
    pc_outfile file;
    pc_error err = {0};
    if (pc_outfile_open(&file, path, &err)) return pc_push_failure(L, &err);
    fwrite(text, 1, n, file.stream); /* commit sees what went wrong */
    if (pc_outfile_commit(&file, &err)) return pc_push_failure(L, &err);
    lua_pushvalue(L, 1);
    return 1;
}

#define EXAMPLE                                                                                                        \
    "print(percuss.file.write(\"mu.txt\", \"mu = 0.5\"))\nprint(percuss.file.read \"mu.txt\")\n"                       \
    "--> mu.txt\n--> mu = 0.5"

static const pc_row list_params[] = {
    {.name = "path", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the folder"}, {0}};
static const pc_row read_params[] = {
    {.name = "path", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the file; a link is not followed"},
    {.name = "most",
     .kind = PC_INTEGER,
     .written = "bytes",
     .initial = PC_ABSENT,
     .otherwise = "2^28",
     .doc = "a longer file is refused"},
    {0},
};
static const pc_row write_params[] = {
    {.name = "path", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the file"},
    {.name = "text", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "its new contents"},
    {0},
};

static const pc_function functions[] = {
    {"list", file_list, "What lies in a folder, in no order.", list_params,
     "list of { name =, kind = } (file, folder, link or other); or nil, message, code", NULL,
     "for _, entry in ipairs(percuss.file.list(\"/\")) do\n    if entry.name == \"tmp\" then print(entry.kind) "
     "end\nend\n"
     "--> folder"},
    {"read", file_read, "The contents of a regular file.", read_params, "string; or nil, message, code", NULL, EXAMPLE},
    {"write", file_write, "Write a file, which appears whole or not at all.", write_params,
     "the path; or nil, message, code", NULL, EXAMPLE},
    {0},
};

void pc_open_file(lua_State *L)
{
    lua_newtable(L);
    pc_functions_open(L, "file", functions);
    pc_module_strict(L, "file");
    lua_setfield(L, -2, "file");
}
