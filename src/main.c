/* percuss: a host for Lua 5.4 that takes the options of `lua` and behaves as it does (manual of Lua 5.4, section 7).
 *
 * What it adds: require "percuss" needs no file, the prompt of repl/prompt.h, an interrupt that reaches solvers and
 * coroutines, options for sweeps, --help and --version, and a failure when its output could not be written.
 */
#include "base/alloc.h"
#include "base/status.h"
#include "base/tolerance.h"
#include "base/version.h"
#include "bind/core/bind.h"
#include "bind/sandbox/sandbox.h"
#include "chart/media/media.h"
#include "chart/paint/paint.h"
#include "repl/prompt.h"

#include <errno.h>
#include <lualib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The command line. `script`: index in argv of the script's name, argc if there is none; options lie before it.
 * `command`: chunk of a command that is no script, such as --merge, with its arguments from `operands` on; or NULL. */
typedef struct command {
    int argc;
    char **argv;
    int script, operands;
    const char *command;
    const char *connection; /* file of a notebook's client; or NULL */
    bool interactive, version, execute, no_environment, loose, verbose;
    int status; /* of the program */
} command;

static const char *program = "percuss";

/* Commands: chunks that get the operands and return true if all went well. */
static const char merge_command[] = "require 'percuss'\nlocal first = ...\n"
                                    "return require('percuss.sweep').merge_command(first, { select(2, ...) })";
static const char new_study_command[] = "require 'percuss'\nreturn require('percuss.new').command(...)";
static const char assignment_command[] = "require 'percuss'\nreturn require('percuss.assignment_command')(...)";
static const char kernel_command[] = "require 'percuss'\nreturn require('percuss.kernel').install(...)";
static const char shelf_command[] = "require 'percuss'\nreturn require('percuss.shelf').command(...)";

/* Those that are named by the first words; `operands`: index of the first argument that the chunk gets. */
static const struct {
    const char *first, *second;
    const char *chunk;
    int operands;
} commands[] = {
    {"new", "study", new_study_command, 3},      {"new", "assignment", assignment_command, 1},
    {"assignment", NULL, assignment_command, 1}, {"recipe", NULL, shelf_command, 1},
    {"tutorial", NULL, shelf_command, 1},        {"examples", NULL, shelf_command, 1},
    {"gallery", NULL, shelf_command, 1},         {"kernel", "install", kernel_command, 3},
};

static const char usage[] = "usage: %s [options] [script [args]]\n"
                            "       %s new study|assignment NAME\n"
                            "       %s assignment start|check|grade ...\n"
                            "       %s recipe|tutorial|examples [NAME [--source]]\n"
                            "       %s gallery [DIRECTORY]\n"
                            "       %s kernel install [--user | --prefix DIR] | kernel FILE\n"
                            "Available options are:\n"
                            "  -e stat    execute string 'stat', which knows the names of percuss\n"
                            "  -i         enter interactive mode after executing 'script'\n"
                            "  -l mod     require library 'mod' into global 'mod'\n"
                            "  -l g=mod   require library 'mod' into global 'g'\n"
                            "  -v         show version information\n"
                            "  -E         ignore environment variables\n"
                            "  -W         turn warnings on\n"
                            "  --         stop handling options\n"
                            "  -          stop handling options and execute stdin\n"
                            "  --no-strict\n"
                            "             a global that does not exist is nil, as in lua; otherwise reading\n"
                            "             one is an error at the prompt, in 'stat' and in 'script'\n"
                            "  --jobs N   run sweeps in N processes\n"
                            "  --shard i/n\n"
                            "             compute the i-th of n parts of every sweep\n"
                            "  --progress line|json|none\n"
                            "             how sweeps tell how far they are\n"
                            "  --merge all.db part.db ...\n"
                            "             join stores of sweeps and say what is missing\n"
                            "  --tolerances\n"
                            "             print what counts as rounding, as one instant, as zero\n"
                            "  --help     show this text\n"
                            "  --version [--verbose]\n"
                            "             show the versions of percuss and of its libraries, and how it was built\n";

/* Options with a value that sweeps read from the environment, where percuss.so finds them too. */
static const struct {
    const char *option, *variable;
} settings[] = {{"--jobs", "PERCUSS_JOBS"}, {"--shard", "PERCUSS_SHARD"}, {"--progress", "PERCUSS_PROGRESS"}};

/* Take "--name value" or "--name=value" at argv[*i]; false if it is something else or has no value. */
static bool take_setting(const command *line, int *i)
{
    const char *option = line->argv[*i];
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        size_t n = strlen(settings[k].option);
        if (strncmp(option, settings[k].option, n) != 0) continue;
        if (option[n] == '=') return setenv(settings[k].variable, option + n + 1, 1) == 0;
        if (option[n] != '\0' || *i + 1 >= line->argc) continue;
        return setenv(settings[k].variable, line->argv[++*i], 1) == 0;
    }
    return false;
}

/* Take one of `commands`; a script that is called like a command of one word comes first. */
static bool take_command(command *line)
{
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        const char *second = commands[k].second;
        if (line->argc < (second ? 3 : 2) || strcmp(line->argv[1], commands[k].first) != 0) continue;
        if (second ? strcmp(line->argv[2], second) != 0 : access(line->argv[1], F_OK) == 0) continue;
        line->command = commands[k].chunk;
        line->operands = commands[k].operands;
        line->script = line->argc;
        return true;
    }
    return false;
}

/* Take "kernel FILE". */
static bool take_kernel(command *line)
{
    if (line->argc != 3 || strcmp(line->argv[1], "kernel") != 0 || access("kernel", F_OK) == 0) return false;
    line->connection = line->argv[2];
    line->script = line->argc;
    return true;
}

/* Returns the option that is wrong, or NULL. -e and -l take what follows, joined or as the next argument. */
static const char *parse_command(command *line)
{
    char **argv = line->argv;
    int i = line->argc > 0 ? 1 : 0;
    if (take_command(line) || take_kernel(line)) return NULL;
    for (; i < line->argc && argv[i][0] == '-'; i++) {
        const char *option = argv[i];
        bool single = option[1] == '\0' || option[2] == '\0';
        switch (option[1]) {
        case '\0': line->script = i; return NULL;
        case '-':
            if (!single && strcmp(option, "--merge") == 0 && i + 2 < line->argc) {
                line->command = merge_command;
                line->operands = i + 1;
                line->script = line->argc;
                return NULL;
            }
            if (!single && take_setting(line, &i)) continue;
            if (!single && strcmp(option, "--no-strict") == 0) {
                line->loose = true;
                continue;
            }
            line->script = i + 1;
            line->verbose = i + 1 < line->argc && strcmp(argv[i + 1], "--verbose") == 0;
            return single ? NULL : option;
        case 'E': line->no_environment = true; break;
        case 'W': break;
        case 'i': line->interactive = line->version = true; break;
        case 'v': line->version = true; break;
        case 'e': line->execute = true; /* fall through */
        case 'l':
            if (single && (++i >= line->argc || argv[i][0] == '-')) return option;
            single = true;
            break;
        default: return option;
        }
        if (!single) return option;
    }
    line->script = i;
    return NULL;
}

static void print_versions(void)
{
    char plplot[PC_PLPLOT_VERSION], chafa[64];
    printf("percuss %s\n%s\n", PC_VERSION, LUA_RELEASE);
    if (pc_plplot_version(plplot)) printf("PLplot %s\n", plplot);
    printf("%s", pc_chafa_versions(chafa, sizeof chafa));
    if (pc_editor_version()) printf("readline %s\n", pc_editor_version());
    if (pc_wire_version()) printf("libzmq %s\n", pc_wire_version());
}

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* What a report of a fault should say of this build and this machine. */
static void print_build(void)
{
    struct utsname machine;
    printf("compiler " COMPILER "\nbuild " PC_BUILD "\n");
    if (uname(&machine) == 0) printf("%s %s on %s\n", machine.sysname, machine.release, machine.machine);
    static const char *const names[] = {"TERM",     "COLORTERM",     "LANG",        "LC_ALL",
                                        "NO_COLOR", "PERCUSS_CHART", "PERCUSS_JOBS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value) printf("%s=%s\n", names[i], value);
    }
}

static void print_tolerances(void)
{
#define PC_TOLERANCE(value, of, meaning, use) printf("%-18s %-9.3g of %s\n%28s %s\n", meaning, value, of, "", use);
#include "base/tolerance.def"
#undef PC_TOLERANCE
}

/* An option that is not one of Lua's. */
static int answer(const command *line, const char *option)
{
    if (strcmp(option, "--version") == 0) {
        print_versions();
        if (line->verbose) print_build();
        return EXIT_SUCCESS;
    }
    if (strcmp(option, "--tolerances") == 0) {
        print_tolerances();
        return EXIT_SUCCESS;
    }
    if (strcmp(option, "--help") == 0) {
        printf(usage, program, program, program, program, program, program);
        return EXIT_SUCCESS;
    }
    bool argument = option[1] == 'e' || option[1] == 'l' || strcmp(option, "--merge") == 0;
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        argument = argument || strcmp(option, settings[k].option) == 0;
    fprintf(stderr, argument ? "%s: '%s' needs argument\n" : "%s: unrecognized option '%s'\n", program, option);
    fprintf(stderr, usage, program, program, program, program, program, program);
    return EXIT_FAILURE;
}

static int run_chunk(lua_State *L, int status)
{
    if (status == LUA_OK) status = pc_chunk_call(L, 0, 0, PC_TRACE_ALWAYS);
    return pc_chunk_report(L, status, program);
}

/* Push a function of percuss.strict. A host whose `require` is not Lua's goes without: false, and nothing is pushed. */
static bool push_strict(lua_State *L, const char *name)
{
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss.strict");
    if (pc_chunk_call(L, 1, 1, PC_TRACE_KEEP) != LUA_OK || !lua_istable(L, -1)) {
        lua_pop(L, 1);
        return false;
    }
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    return true;
}

/* Hold the script of a source to names that exist. */
static void watch(lua_State *L, const command *line, const char *source)
{
    if (line->loose || !push_strict(L, "watch")) return;
    lua_pushstring(L, source);
    if (pc_chunk_call(L, 1, 0, PC_TRACE_KEEP) != LUA_OK) lua_pop(L, 1);
}

/* Give the chunk on top the names of percuss: its one upvalue is its _ENV. */
static void set_names(lua_State *L, const command *line)
{
    if (!push_strict(L, "command_line")) return;
    lua_pushboolean(L, !line->loose);
    if (pc_chunk_call(L, 1, 1, PC_TRACE_KEEP) != LUA_OK || !lua_istable(L, -1) || !lua_setupvalue(L, -2, 1))
        lua_pop(L, 1);
}

static int run_text(lua_State *L, const char *text, const char *name)
{
    return run_chunk(L, luaL_loadbuffer(L, text, strlen(text), name));
}

static int run_library(lua_State *L, const char *text)
{
    const char *equals = strchr(text, '=');
    lua_pushlstring(L, text, equals ? (size_t)(equals - text) : strlen(text));
    lua_getglobal(L, "require");
    lua_pushstring(L, equals ? equals + 1 : text);
    int status = pc_chunk_call(L, 1, 1, PC_TRACE_ALWAYS);
    if (status == LUA_OK) lua_setglobal(L, lua_tostring(L, -2));
    pc_chunk_report(L, status, program);
    lua_pop(L, 1);
    return status;
}

static int run_environment(lua_State *L)
{
    const char *name = "=LUA_INIT" LUA_VERSUFFIX;
    const char *text = getenv(name + 1);
    if (!text) {
        name = "=LUA_INIT";
        text = getenv(name + 1);
    }
    if (!text) return LUA_OK;
    return text[0] == '@' ? run_chunk(L, luaL_loadfile(L, text + 1)) : run_text(L, text, name);
}

/* The options that do something, in the order given. */
static int run_options(lua_State *L, const command *line)
{
    int status = LUA_OK;
    int end = line->command ? line->operands : line->script;
    for (int i = 1; i < end && status == LUA_OK; i++) {
        if (line->argv[i][0] != '-') continue; /* the value of a setting, or a command */
        char letter = line->argv[i][1];
        if (letter == 'W') lua_warning(L, "@on", 0);
        if (letter != 'e' && letter != 'l') continue;
        const char *text = line->argv[i] + 2;
        if (!*text) text = line->argv[++i];
        if (letter == 'l') {
            status = run_library(L, text);
            continue;
        }
        status = luaL_loadbuffer(L, text, strlen(text), "=(command line)");
        if (status == LUA_OK) set_names(L, line);
        status = run_chunk(L, status);
    }
    return status;
}

/* Push the elements of the global `arg`, which an earlier chunk may have changed. */
static int push_arguments(lua_State *L)
{
    if (lua_getglobal(L, "arg") != LUA_TTABLE) luaL_error(L, "'arg' is not a table");
    int n = (int)luaL_len(L, -1);
    luaL_checkstack(L, n + 3, "too many arguments to script");
    for (int i = 1; i <= n; i++) lua_rawgeti(L, -i, i);
    lua_remove(L, -n - 1);
    return n;
}

static int run_script(lua_State *L, const command *line)
{
    char **script = line->argv + line->script;
    bool is_stdin = strcmp(script[0], "-") == 0 && strcmp(script[-1], "--") != 0;
    int status = luaL_loadfile(L, is_stdin ? NULL : script[0]);
    if (status == LUA_OK) {
        lua_pushfstring(L, "@%s", script[0]);
        watch(L, line, is_stdin ? "=stdin" : lua_tostring(L, -1));
        lua_pop(L, 1);
        int n = push_arguments(L);
        status = pc_chunk_call(L, n, LUA_MULTRET, PC_TRACE_ALWAYS);
    }
    return pc_chunk_report(L, status, program);
}

/* Push the path of this program, by which others can start it; its name where the system does not tell. */
static void push_program(lua_State *L)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    if (n > 0 && (size_t)n < sizeof path)
        lua_pushlstring(L, path, (size_t)n);
    else
        lua_pushstring(L, program);
}

/* True if the command went well. */
static bool run_command(lua_State *L, const command *line)
{
    int status = luaL_loadstring(L, line->command);
    int n = line->argc - line->operands;
    luaL_checkstack(L, n + 3, "too many arguments");
    if (status == LUA_OK) {
        if (line->command == kernel_command || line->command == new_study_command) push_program(L), n++;
        for (int i = line->operands; i < line->argc; i++) lua_pushstring(L, line->argv[i]);
        status = pc_chunk_call(L, n, 1, PC_TRACE_ALWAYS);
    }
    return pc_chunk_report(L, status, program) == LUA_OK && lua_toboolean(L, -1);
}

/* Global `arg`: the script at 0, its arguments from 1, what stands before it at negative indices. */
static void set_arg(lua_State *L, const command *line)
{
    int zero = line->script < line->argc ? line->script : 0;
    int n = line->argc - zero - 1;
    lua_createtable(L, n > 0 ? n : 0, zero + 1);
    for (int i = 0; i < line->argc; i++) {
        lua_pushstring(L, line->argv[i]);
        lua_rawseti(L, -2, i - zero);
    }
    lua_setglobal(L, "arg");
}

static void open_libraries(lua_State *L, const command *line)
{
    if (line->no_environment) {
        lua_pushboolean(L, 1);
        lua_setfield(L, LUA_REGISTRYINDEX, "LUA_NOENV");
    }
    luaL_openlibs(L);
    pc_percuss_preload(L);
    pc_interrupt_open(L);
    lua_gc(L, LUA_GCGEN, 0, 0);
}

/* Everything that uses Lua, in protected mode: a memory error anywhere ends here. */
static int run_program(lua_State *L)
{
    command *line = lua_touserdata(L, 1);
    luaL_checkversion(L);
    if (line->version) printf("percuss %s (%s)\n", PC_VERSION, LUA_RELEASE);
    open_libraries(L, line);
    set_arg(L, line);
    line->status = EXIT_FAILURE;
    if (!line->no_environment && run_environment(L) != LUA_OK) return 0;
    if (run_options(L, line) != LUA_OK) return 0;
    if (line->connection) {
        if (pc_kernel_run(L, line->connection, true)) line->status = EXIT_SUCCESS;
        return 0;
    }
    if (line->command) {
        if (run_command(L, line)) line->status = EXIT_SUCCESS;
        return 0;
    }
    bool has_script = line->script < line->argc;
    /* with -i what Ctrl-C stopped goes on at the prompt, which has what the script had computed so far */
    bool failed = has_script && run_script(L, line) != LUA_OK;
    if (failed && !(line->interactive && pc_interrupted() && isatty(STDIN_FILENO))) return 0;
    line->status = EXIT_SUCCESS;
    if (line->interactive) {
        pc_prompt_run(L, !line->loose);
    } else if (!has_script && !line->execute && !line->version) {
        if (isatty(STDIN_FILENO)) {
            printf("percuss %s (%s): help() explains what there is, Ctrl-D leaves\n", PC_VERSION, LUA_RELEASE);
            pc_prompt_run(L, !line->loose);
        } else {
            watch(L, line, "=stdin");
            /* lua reports success here, which hides the failure from a shell */
            if (run_chunk(L, luaL_loadfile(L, NULL)) != LUA_OK) line->status = EXIT_FAILURE;
        }
    }
    return 0;
}

/* The exit status. Results that did not reach their file, on a full disk say, are a failure that Lua keeps to
 * itself. */
static int finish(int status)
{
    int flushed = fflush(stdout);
    if (flushed == 0 && !ferror(stdout)) return status;
    const char *why = flushed != 0 ? strerror(errno) : "some of the output is lost";
    fprintf(stderr, "%s: cannot write to standard output: %s\n", program, why);
    return status == EXIT_SUCCESS ? EXIT_FAILURE : status;
}

int main(int argc, char **argv)
{
    /* before anything else: what runs here is foreign, and the process leaves no way to find out more */
    if (argc > 1 && strcmp(argv[1], PC_SANDBOX_OPTION) == 0) _exit(pc_sandbox_child(argc, argv));
    pc_alloc_keep();
    command line = {.argc = argc, .argv = argv};
    if (argc > 0 && argv[0][0]) program = argv[0];
    const char *wrong = parse_command(&line);
    if (wrong) return finish(answer(&line, wrong));

    lua_State *L = luaL_newstate();
    if (!L) {
        pc_chunk_print(program, "cannot create state: not enough memory");
        return EXIT_FAILURE;
    }
    pc_signals_open();
    lua_pushcfunction(L, run_program);
    lua_pushlightuserdata(L, &line);
    if (pc_chunk_report(L, lua_pcall(L, 1, 0, 0), program) != LUA_OK) line.status = EXIT_FAILURE;
    pc_interrupt_close();
    lua_close(L);
    return finish(pc_interrupted() ? PC_EXIT_INTERRUPTED : line.status);
}
