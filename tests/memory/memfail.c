/* Memory runs out at every point: for n = 0, 1, 2, ... a script runs in a fresh Lua state in which the n-th allocation
 * is refused. In the first sweep it is Lua's, and all that follow fail too (Lua collects garbage and asks again before
 * it gives up); in the second it is the core's. The script must either finish or raise, and nothing may be left
 * behind. Each sweep ends when the script gets through without meeting the failure. Last line: "N passed, N failed".
 * STEP > 1 tries every STEP-th allocation, for when there is no time for all: where these lie shifts with every change
 * of the code before them.
 *
 * Usage: memfail SCRIPT [STEP]
 */
#include "base/alloc.h"
#include "bind/core/bind.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct budget {
    long left;  /* allocations before they fail; < 0: none fails */
    long bytes; /* in use */
    bool failed;
} budget;

/* Shrinking and freeing always succeed, as Lua requires. */
static void *allocate(void *user, void *block, size_t old, size_t fresh)
{
    budget *b = user;
    long before = block ? (long)old : 0;
    if (fresh == 0) {
        free(block);
        b->bytes -= before;
        return NULL;
    }
    if ((long)fresh > before && b->left >= 0) {
        if (b->left == 0) {
            b->failed = true;
            return NULL;
        }
        b->left--;
    }
    void *moved = realloc(block, fresh);
    if (moved) b->bytes += (long)fresh - before;
    return moved;
}

static int prepare(lua_State *L)
{
    luaL_openlibs(L);
    luaL_requiref(L, "percuss", luaopen_percuss, 0);
    lua_pop(L, 1);
    if (luaL_loadfile(L, lua_touserdata(L, 1)) != LUA_OK) return lua_error(L);
    return 1;
}

typedef struct outcome {
    bool met;           /* the failure was met */
    bool raised;        /* the script raised */
    long bytes, blocks; /* left behind */
} outcome;

/* One run with the n-th allocation after the preparation failing: Lua's own, or the core's. */
static outcome run(const char *script, long n, bool core)
{
    outcome out = {0};
    budget b = {.left = -1};
    long blocks = pc_alloc_live();
    lua_State *L = lua_newstate(allocate, &b);
    lua_pushcfunction(L, prepare);
    lua_pushlightuserdata(L, (void *)(uintptr_t)script);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
        fprintf(stderr, "memfail: %s\n", lua_tostring(L, -1));
        exit(EXIT_FAILURE);
    }
    if (core)
        pc_alloc_fail_after(n);
    else
        b.left = n;
    out.raised = lua_pcall(L, 0, 0, 0) != LUA_OK;
    out.met = core ? pc_alloc_fail_left() < 0 : b.failed;
    b.left = -1;
    pc_alloc_fail_after(-1);
    lua_close(L);
    out.bytes = b.bytes;
    out.blocks = pc_alloc_live() - blocks;
    return out;
}

static void sweep(const char *script, bool core, long step, long *passed, long *failed)
{
    const char *kind = core ? "core" : "Lua";
    for (long n = 0; n < 1000000; n += step) {
        outcome out = run(script, n, core);
        bool clean = out.bytes == 0 && out.blocks == 0;
        if (!clean) printf("%s allocation %ld: %ld bytes and %ld blocks left behind\n", kind, n, out.bytes, out.blocks);
        ++*(clean ? passed : failed);
        if (!out.met) {
            if (out.raised) {
                printf("%s: the script raised without a failure\n", kind);
                ++*failed;
            }
            return;
        }
    }
    printf("%s: the script never got through\n", kind);
    ++*failed;
}

int main(int argc, char **argv)
{
    long step = argc == 3 ? strtol(argv[2], NULL, 10) : 1;
    if (argc < 2 || argc > 3 || step < 1) {
        fprintf(stderr, "usage: memfail SCRIPT [STEP]\n");
        return EXIT_FAILURE;
    }
    long passed = 0, failed = 0;
    sweep(argv[1], false, step, &passed, &failed);
    sweep(argv[1], true, step, &passed, &failed);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
