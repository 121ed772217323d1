/* Running the points of a sweep: sweep_core.run{ table =, inputs =, outputs =, run =, ... }.
 *
 * The function runs in forked workers, which have everything the script has and share nothing with it afterwards. The
 * parent takes finished points, writes them into the columns of the table and into the store, and shows progress.
 * Whatever happens, the table holds what is known so far.
 */
#include "base/status.h"
#include "bind/array/array.h"
#include "bind/core/bind.h"
#include "bind/sweep/sweep.h"
#include "sweep/plan.h"
#include "sweep/team.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long the parent sleeps between looks at what is finished, and between commits: a finished point is on disk after
 * their sum at the latest. */
enum { LOOK_MILLISECONDS = 5 };
#define COMMIT_SECONDS 0.02

/* Grace for points in flight after Ctrl-C: a person waits for the prompt. */
enum { STOP_MILLISECONDS = 200 };

/* Progress appears when a sweep takes longer than a moment. */
#define SHOW_AFTER_SECONDS 0.5
#define LINE_SECONDS 0.25
#define JSON_SECONDS 1.0

typedef enum show { SHOW_NOTHING, SHOW_LINE, SHOW_JSON } show;

typedef struct job {
    lua_State *L;
    pc_team *team;
    pc_store *store;
    int table, function, randomseed, names, info, failures; /* stack indices; names: inputs, then outputs */
    size_t n;
    int n_inputs, n_outputs;
    double *columns[PC_STORE_COLUMNS_MAX];
    unsigned char *done;
    lua_Integer seed;
    uint64_t first, stride; /* row k is point first + k stride of the sweep, from 0 */
    bool retry;
    show show;
    int shown; /* width of the line on the terminal */
    double start, committed, reported;
    pc_progress progress;
    size_t n_failures;
} job;

enum { OPTIONS = 1 };

static bool in_worker;

bool pc_sweep_in_worker(void)
{
    return in_worker;
}

/* ---- a worker ---- */

static int message_text(lua_State *L)
{
    luaL_tolstring(L, 1, NULL);
    return 1;
}

/* One number that keeps its bits wherever it goes: SQLite knows neither the sign of zero nor that of NaN. */
static double plain(double x)
{
    return isnan(x) ? (double)NAN : x + 0.0;
}

static double result_number(lua_State *L, const char *name)
{
    int type = lua_type(L, -1);
    if (type == LUA_TNUMBER) return plain(lua_tonumber(L, -1));
    if (type == LUA_TBOOLEAN) return lua_toboolean(L, -1);
    if (type == LUA_TNIL) pc_refuse(L, "the function returned no '%s'", name);
    pc_refuse(L, "the function returned a %s as '%s': a column takes numbers and booleans", luaL_typename(L, -1), name);
    return 0;
}

/* Arguments: the job, math.randomseed, the function, the worker's number, the list of names. Runs points until there
 * are none; an error in one of them leaves through here, and the caller comes back. */
static int run_points(lua_State *L)
{
    enum { JOB = 1, SEED, FUNCTION, WORKER, NAMES };
    job *j = lua_touserdata(L, JOB);
    int worker = (int)lua_tointeger(L, WORKER);
    double values[PC_TEAM_VALUES_MAX];
    uint64_t k;
    int n = j->n_inputs + j->n_outputs;
    luaL_checkstack(L, n + 8, "too many columns");
    for (int c = 1; c <= n; c++) lua_rawgeti(L, NAMES, c); /* now name c is at NAMES + c */
    while (pc_team_next(j->team, worker, &k)) {
        /* the random numbers of a point are its own, whoever computes it */
        lua_pushvalue(L, SEED);
        lua_pushinteger(L, j->seed);
        lua_pushinteger(L, (lua_Integer)(j->first + k * j->stride) + 1);
        lua_call(L, 2, 0);
        lua_pushvalue(L, FUNCTION);
        lua_createtable(L, 0, j->n_inputs);
        for (int c = 0; c < j->n_inputs; c++) {
            lua_pushvalue(L, NAMES + 1 + c);
            lua_pushnumber(L, j->columns[c][k]);
            lua_rawset(L, -3);
        }
        lua_call(L, 1, 1);
        if (!lua_istable(L, -1) && !lua_isuserdata(L, -1))
            return pc_refuse(L, "the function must return a table { column = value }, not a %s", luaL_typename(L, -1));
        for (int c = 0; c < j->n_outputs; c++) {
            int name = NAMES + 1 + j->n_inputs + c;
            lua_pushvalue(L, name);
            lua_gettable(L, -2);
            values[c] = result_number(L, lua_tostring(L, name));
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
        pc_team_put(j->team, worker, values, (size_t)j->n_outputs, NULL);
    }
    return 0;
}

/* Nothing outside the protected call may raise: the error would unwind into what is the parent's program. So nothing
 * there takes memory, and pc_sweep_run has seen to room on the stack. */
static void work(job *j, int worker)
{
    lua_State *L = j->L;
    in_worker = true;
    lua_sethook(L, NULL, 0, 0);
    pc_store_leave(j->store);
    for (;;) {
        lua_pushcfunction(L, message_text);
        int handler = lua_gettop(L);
        lua_pushcfunction(L, run_points);
        lua_pushlightuserdata(L, j);
        lua_pushvalue(L, j->randomseed);
        lua_pushvalue(L, j->function);
        lua_pushinteger(L, worker);
        lua_pushvalue(L, j->names);
        if (lua_pcall(L, 5, 0, handler) == LUA_OK) break;
        const char *text = lua_tostring(L, -1);
        pc_team_put(j->team, worker, NULL, 0, text ? text : "an error without a text");
        lua_settop(L, handler - 1);
    }
    /* what the function printed; the streams were empty when this process began */
    fflush(NULL);
    _exit(EXIT_SUCCESS);
}

static pc_status start_worker(job *j, int worker, pc_error *err)
{
    bool child;
    fflush(NULL);
    pc_status status = pc_team_start(j->team, worker, &child, err);
    if (!status && child) work(j, worker);
    return status;
}

/* ---- progress ---- */

static void clear_line(job *j)
{
    if (j->shown > 0) fprintf(stderr, "\r%*s\r", j->shown, "");
    j->shown = 0;
}

/* state: "running", "done", "interrupted" or "failed". The last report is always given, and stays. */
static void report(job *j, const char *state)
{
    char text[512];
    bool last = state[0] != 'r';
    double now = pc_team_clock() - j->start;
    bool due = now - j->reported >= (j->show == SHOW_JSON ? JSON_SECONDS : LINE_SECONDS);
    if (j->show == SHOW_NOTHING || !(due || last)) return;
    j->reported = now;
    pc_progress_update(&j->progress, now);
    if (j->show == SHOW_JSON) {
        pc_progress_json(&j->progress, state, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    } else if (last && j->shown > 0) {
        char duration[32];
        pc_progress_duration(now, duration, sizeof duration);
        clear_line(j);
        unsigned long long have = j->progress.skipped + j->progress.done, failed = j->progress.failed;
        fprintf(stderr, "%s: %llu of %llu points in %s, %llu failed%s\n", j->progress.name, have,
                (unsigned long long)j->progress.total, duration, failed,
                state[0] != 'i' ? ""
                : j->store      ? "; interrupted: the same call goes on from here"
                                : "; interrupted: with store = \"file.db\" the same call would go on from here");
    } else if (!last && now > SHOW_AFTER_SECONDS) {
        pc_progress_line(&j->progress, text, sizeof text);
        int width = (int)strlen(text);
        fprintf(stderr, "\r%s%*s", text, j->shown > width ? j->shown - width : 0, "");
        j->shown = width > j->shown ? width : j->shown;
    }
    fflush(stderr);
}

/* ---- the parent ---- */

static void set_failure(job *j, uint64_t k, const char *text)
{
    lua_pushstring(j->L, text);
    lua_rawseti(j->L, j->failures, (lua_Integer)k + 1);
    j->n_failures++;
}

static void set_outputs(job *j, uint64_t k, const double *values)
{
    for (int c = 0; c < j->n_outputs; c++) j->columns[j->n_inputs + c][k] = values ? values[c] : (double)NAN;
}

/* Points of this part that the store has. */
static pc_status load(job *j, pc_error *err)
{
    pc_store_row row;
    bool found = true;
    pc_status status = pc_store_rows(j->store, err);
    while (!status) {
        status = pc_store_next(j->store, &row, &found, err);
        if (status || !found) break;
        uint64_t point = row.index - 1;
        if (point % j->stride != j->first || point / j->stride >= j->n) continue;
        uint64_t k = point / j->stride;
        if (row.error && j->retry) continue;
        set_outputs(j, k, row.error ? NULL : row.values + j->n_inputs);
        if (row.error) set_failure(j, k, row.error);
        pc_team_set_done(j->done, k);
        j->progress.skipped++;
    }
    return status;
}

static pc_status keep(job *j, const pc_record *record, pc_error *err)
{
    uint64_t k = record->point;
    bool failed = record->text_bytes > 0;
    set_outputs(j, k, failed ? NULL : record->values);
    if (failed) {
        set_failure(j, k, record->text);
        j->progress.failed++;
    }
    j->progress.done++;
    if (!j->store) return PC_OK;
    double values[PC_STORE_COLUMNS_MAX];
    for (int c = 0; c < j->n_inputs + j->n_outputs; c++) values[c] = j->columns[c][k];
    pc_store_row row = {j->first + k * j->stride + 1, values, record->seconds, failed ? record->text : NULL};
    return pc_store_put(j->store, &row, err);
}

static pc_status take_finished(job *j, pc_error *err)
{
    pc_record record;
    pc_status status = PC_OK;
    for (int n = 0; !status && pc_team_take(j->team, &record); n++) {
        status = keep(j, &record, err);
        if (n % 4096 == 4095) report(j, "running");
    }
    double now = pc_team_clock();
    if (!status && j->store && now - j->committed >= COMMIT_SECONDS) {
        status = pc_store_commit(j->store, err);
        j->committed = now;
    }
    return status;
}

/* Workers that died are replaced; a run of points that was lost with one is found and given out again. */
static pc_status replace_workers(job *j, int workers, pc_error *err)
{
    pc_status status = PC_OK;
    for (int fallen; !status && (fallen = pc_team_fallen(j->team)) >= 0;) status = start_worker(j, fallen, err);
    if (status || pc_team_works(j->team) || j->progress.skipped + j->progress.done == j->progress.total) return status;
    pc_team_rewind(j->team);
    for (int i = 0; i < workers && !status; i++) status = start_worker(j, i, err);
    return status;
}

static pc_status run(job *j, int workers, pc_error *err)
{
    pc_status status = PC_OK;
    j->start = j->committed = pc_team_clock();
    if (j->show == SHOW_JSON) report(j, "running");
    if (j->show == SHOW_LINE && j->progress.skipped)
        fprintf(stderr, "%s: %llu of %llu points are in the store, going on with the rest\n", j->progress.name,
                (unsigned long long)j->progress.skipped, (unsigned long long)j->progress.total);
    for (int i = 0; i < workers && !status; i++) status = start_worker(j, i, err);
    while (!status && pc_team_works(j->team)) {
        if (pc_interrupted()) {
            status = pc_fail(err, PC_E_INTERRUPTED, "interrupted");
            break;
        }
        pc_team_wait(j->team, LOOK_MILLISECONDS);
        status = take_finished(j, err);
        if (!status) status = replace_workers(j, workers, err);
        report(j, "running");
    }
    /* nothing that a worker has finished is thrown away, unless the store cannot take it */
    if (status) pc_team_stop(j->team, STOP_MILLISECONDS);
    pc_error other;
    pc_status rest = status == PC_OK || status == PC_E_INTERRUPTED ? take_finished(j, &other) : PC_OK;
    if (j->store && !rest) rest = pc_store_commit(j->store, &other);
    if (rest && (status == PC_OK || status == PC_E_INTERRUPTED)) {
        *err = other;
        status = rest;
    }
    return status;
}

/* ---- options ---- */

static const char *option_text(lua_State *L, const char *key)
{
    lua_getfield(L, OPTIONS, key);
    const char *text = lua_tostring(L, -1); /* the options keep it alive */
    lua_pop(L, 1);
    return text;
}

static lua_Integer option_integer(lua_State *L, const char *key, lua_Integer otherwise)
{
    lua_getfield(L, OPTIONS, key);
    lua_Integer value = luaL_optinteger(L, -1, otherwise);
    lua_pop(L, 1);
    return value;
}

/* Names of the list `key` go to the list at j->names, their columns to j->columns. */
static int add_names(job *j, const char *key, int from)
{
    lua_State *L = j->L;
    lua_getfield(L, OPTIONS, key);
    int n = (int)lua_rawlen(L, -1);
    if (from + n > PC_STORE_COLUMNS_MAX) pc_refuse(L, "sweep: more than %d columns", PC_STORE_COLUMNS_MAX);
    for (int i = 1; i <= n; i++) {
        lua_rawgeti(L, -1, i);
        j->columns[from + i - 1] = pc_table_column(L, j->table, lua_tostring(L, -1));
        lua_rawseti(L, j->names, from + i);
    }
    lua_pop(L, 1);
    return n;
}

static const char team_type[] = "percuss.sweep_team";

static int team_close(lua_State *L)
{
    pc_team **team = luaL_checkudata(L, 1, team_type);
    pc_team_free(*team);
    *team = NULL;
    return 0;
}

/* An empty owner of a team, closed when the call ends in whatever way. */
static pc_team **push_team(lua_State *L)
{
    pc_team **team = lua_newuserdatauv(L, sizeof *team, 0);
    *team = NULL;
    if (luaL_newmetatable(L, team_type)) {
        lua_pushcfunction(L, team_close);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, "__gc");
        lua_setfield(L, -2, "__close");
    }
    lua_setmetatable(L, -2);
    lua_toclose(L, -1);
    return team;
}

static show what_to_show(lua_State *L)
{
    const char *word = option_text(L, "progress");
    if (in_worker || (word && strcmp(word, "none") == 0)) return SHOW_NOTHING;
    if (word && strcmp(word, "json") == 0) return SHOW_JSON;
    if (word && strcmp(word, "line") == 0) return SHOW_LINE;
    return isatty(STDERR_FILENO) ? SHOW_LINE : SHOW_NOTHING;
}

static void set_info(job *j, const char *key, double value, bool whole)
{
    if (whole)
        lua_pushinteger(j->L, (lua_Integer)value);
    else
        lua_pushnumber(j->L, value);
    lua_setfield(j->L, j->info, key);
}

/* Nothing, or nil, message, code of a failure of the store. An interruption is raised with the table as its partial
 * result. */
int pc_sweep_run(lua_State *L)
{
    pc_argument_type(L, OPTIONS, LUA_TTABLE);
    lua_settop(L, OPTIONS);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    job *j = lua_newuserdatauv(L, sizeof *j, 0);
    *j = (job){.L = L};
    lua_getfield(L, OPTIONS, "table");
    j->table = lua_gettop(L);
    j->n = ((pc_bound_table *)pc_type_check(L, j->table, &pc_type_table))->n;
    lua_getfield(L, OPTIONS, "run");
    j->function = lua_gettop(L);
    lua_getfield(L, OPTIONS, "randomseed");
    j->randomseed = lua_gettop(L);
    lua_newtable(L);
    j->names = lua_gettop(L);
    lua_getiuservalue(L, j->table, PC_TABLE_INFO);
    j->info = lua_gettop(L);
    lua_getfield(L, j->info, "failures");
    j->failures = lua_gettop(L);
    j->n_inputs = add_names(j, "inputs", 0);
    j->n_outputs = add_names(j, "outputs", j->n_inputs);
    j->seed = option_integer(L, "seed", 0);
    j->first = (uint64_t)option_integer(L, "first", 0);
    j->stride = (uint64_t)option_integer(L, "stride", 1);
    lua_getfield(L, OPTIONS, "retry");
    j->retry = lua_toboolean(L, -1);
    j->show = what_to_show(L);
    j->progress = (pc_progress){.name = option_text(L, "name"), .total = j->n};
    if (lua_getfield(L, OPTIONS, "store") != LUA_TNIL)
        j->store = ((pc_bound_store *)luaL_checkudata(L, -1, PC_BOUND_STORE))->store;
    j->done = lua_newuserdatauv(L, j->n / 8 + 1, 0);
    memset(j->done, 0, j->n / 8 + 1);
    for (uint64_t k = 0; k < j->n; k++) set_outputs(j, k, NULL);

    pc_error err = {0};
    pc_status status = j->store ? load(j, &err) : PC_OK;
    uint64_t left = j->n - j->progress.skipped;
    lua_Integer jobs = option_integer(L, "jobs", 1);
    int workers = left < (uint64_t)jobs ? (int)left : (int)jobs;
    if (!status && workers > 0) {
        pc_team **team = push_team(L);
        status = pc_team_new(team, workers, j->n, j->done, &err);
        j->team = *team;
        if (!status) status = run(j, workers, &err);
        report(j, status == PC_OK ? "done" : status == PC_E_INTERRUPTED ? "interrupted" : "failed");
    }
    set_info(j, "computed", (double)j->progress.done, true);
    set_info(j, "skipped", (double)j->progress.skipped, true);
    set_info(j, "failed", (double)j->n_failures, true);
    set_info(j, "missing", (double)(j->n - j->progress.skipped - j->progress.done), true);
    set_info(j, "seconds", workers > 0 ? pc_team_clock() - j->start : 0, false);
    if (status == PC_E_INTERRUPTED) return pc_interrupt_raise(L, j->table);
    if (status == PC_E_SYSTEM) return pc_push_failure(L, &err);
    return status ? pc_raise(L, &err) : 0;
}
