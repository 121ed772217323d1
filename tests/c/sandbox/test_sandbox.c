/* The walls of a confined process, tried with its own system calls; and a parent that meets children of all kinds. */
#define _GNU_SOURCE
#include "sandbox/sandbox.h"

#include "base/alloc.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- walls: each trial runs in a confined child and says by its exit code whether it got out --- */

enum { BARRED = 0, OUT = 1, UNUSABLE = 2 };

static bool trial_open(void)
{
    return open("/etc/passwd", O_RDONLY) >= 0;
}

static bool trial_create(void)
{
    return open("/tmp/percuss-canary", O_WRONLY | O_CREAT, 0600) >= 0;
}

static bool trial_stat(void)
{
    struct stat found;
    return stat("/etc/passwd", &found) == 0;
}

static bool trial_remove(void)
{
    return unlink("/tmp/percuss-canary") == 0 || mkdir("/tmp/percuss-canary", 0700) == 0;
}

static bool trial_fork(void)
{
    pid_t pid = fork();
    if (pid == 0) _exit(0);
    return pid > 0;
}

static void *idle(void *nothing)
{
    return nothing;
}

static bool trial_thread(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, idle, NULL) == 0;
}

static bool trial_exec(void)
{
    char name[] = "true";
    char *argv[] = {name, NULL}, *none[] = {NULL};
    execve("/bin/true", argv, none);
    return false;
}

static bool trial_socket(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static bool trial_signal(void)
{
    return kill(getppid(), 0) == 0;
}

static bool trial_trace(void)
{
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
}

static bool trial_code(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static bool trial_make_code(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page != MAP_FAILED && mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
}

static bool trial_dumpable(void)
{
    return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
}

static bool trial_chdir(void)
{
    return chdir("/tmp") == 0;
}

static const struct {
    const char *name;
    bool (*get_out)(void);
} trials[] = {
    {"reading a file", trial_open},    {"making a file", trial_create},   {"looking at a file", trial_stat},
    {"removing a file", trial_remove}, {"a new process", trial_fork},     {"a thread", trial_thread},
    {"another program", trial_exec},   {"the network", trial_socket},     {"a signal", trial_signal},
    {"tracing", trial_trace},          {"executable memory", trial_code}, {"memory made executable", trial_make_code},
    {"being dumped", trial_dumpable},  {"another folder", trial_chdir},
};

static int exit_code(pid_t pid)
{
    int state = 0;
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

static int try_confined(bool (*get_out)(void))
{
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        pc_confinement limits = {.memory = (size_t)1 << 28, .speed = 20};
        int walls;
        if (pc_confine(&limits, &walls, NULL) || !(walls & PC_WALL_SECCOMP)) _exit(UNUSABLE);
        _exit(get_out() ? OUT : BARRED);
    }
    return exit_code(pid);
}

START_TEST(a_confined_process_cannot_get_out)
{
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        ck_assert_msg(try_confined(trials[i].get_out) == BARRED, "%s", trials[i].name);
}
END_TEST

/* What is barred there works here; else the trials would prove nothing. */
START_TEST(an_unconfined_process_can)
{
    ck_assert(trial_open());
    ck_assert(trial_stat());
    ck_assert(trial_fork());
    ck_assert(trial_socket());
    ck_assert(trial_signal());
    ck_assert(trial_code());
    ck_assert(trial_make_code());
}
END_TEST

/* --- machines that lack a protection: a filter of system calls plays them --- */

enum { WALLS = 16 }; /* exit codes from here on: the walls that stand */

/* In a child on a kernel where these calls fail: the walls, UNUSABLE if it cannot be confined, OUT if it gets out. */
static int confine_without(const int *calls, size_t n, bool (*get_out)(void))
{
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        scmp_filter_ctx kernel = seccomp_init(SCMP_ACT_ALLOW);
        for (size_t i = 0; i < n; i++) seccomp_rule_add(kernel, SCMP_ACT_ERRNO(ENOSYS), calls[i], 0);
        if (seccomp_load(kernel) != 0) _exit(99);
        seccomp_release(kernel);
        pc_confinement limits = {.memory = (size_t)1 << 28, .speed = 20};
        int walls;
        pc_error err = {0};
        if (pc_confine(&limits, &walls, &err)) _exit(err.code == PC_E_SYSTEM && err.text[0] ? UNUSABLE : 98);
        _exit(get_out && get_out() ? OUT : WALLS + walls);
    }
    return exit_code(pid);
}

START_TEST(a_missing_wall_is_told_and_the_other_stands)
{
    const int landlock[] = {SCMP_SYS(landlock_create_ruleset)}, restrict_self[] = {SCMP_SYS(landlock_restrict_self)};
    const int filter[] = {SCMP_SYS(seccomp)}, both[] = {SCMP_SYS(seccomp), SCMP_SYS(landlock_create_ruleset)};
    ck_assert_int_eq(confine_without(landlock, 1, NULL), WALLS + PC_WALL_SECCOMP);
    ck_assert_int_eq(confine_without(restrict_self, 1, NULL), WALLS + PC_WALL_SECCOMP);
    ck_assert_int_eq(confine_without(both, 2, NULL), WALLS);
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        ck_assert_msg(confine_without(landlock, 1, trials[i].get_out) == WALLS + PC_WALL_SECCOMP, "%s", trials[i].name);
    int found = confine_without(filter, 1, NULL);
    if (found == WALLS) return; /* this machine has no Landlock that could stand alone */
    ck_assert_int_eq(found, WALLS + PC_WALL_LANDLOCK);
    ck_assert_int_eq(confine_without(filter, 1, trial_open), WALLS + PC_WALL_LANDLOCK);
    ck_assert_int_eq(confine_without(filter, 1, trial_create), WALLS + PC_WALL_LANDLOCK);
    ck_assert_int_eq(confine_without(filter, 1, trial_remove), WALLS + PC_WALL_LANDLOCK);
    ck_assert_int_eq(confine_without(filter, 1, trial_exec), WALLS + PC_WALL_LANDLOCK);
    ck_assert_int_eq(confine_without(filter, 1, trial_code), OUT); /* what the filter alone bars */
}
END_TEST

START_TEST(without_limits_there_is_no_confinement)
{
    const int limits[] = {SCMP_SYS(prlimit64), SCMP_SYS(setrlimit)}, privileges[] = {SCMP_SYS(prctl)};
    ck_assert_int_eq(confine_without(limits, 2, NULL), UNUSABLE);
    ck_assert_int_eq(confine_without(privileges, 1, NULL), UNUSABLE);
}
END_TEST

static bool can_compute(void)
{
    /* beyond the size from which malloc asks the kernel, and given back */
    char *block = malloc((size_t)1 << 24);
    if (!block) return false;
    memset(block, 7, (size_t)1 << 24);
    bool right = block[12345] == 7;
    free(block);
    return right;
}

START_TEST(a_confined_process_can_compute)
{
    ck_assert_int_eq(try_confined(can_compute), OUT);
}
END_TEST

static bool takes_too_much(void)
{
    /* asked of the kernel: the allocator of the thread sanitizer ends a process that it cannot serve */
    return mmap(NULL, (size_t)1 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

/* The address sanitizer takes terabytes of addresses for itself, so that there this limit is not set. */
START_TEST(memory_has_a_limit)
{
#ifdef __SANITIZE_ADDRESS__
    const int expected = OUT;
#else
    const int expected = BARRED;
#endif
    ck_assert_int_eq(try_confined(takes_too_much), expected);
}
END_TEST

START_TEST(descriptors_are_closed)
{
    pid_t pid = fork();
    if (pid == 0) {
        int high = dup2(STDIN_FILENO, 100);
        pc_confine_descriptors(3);
        _exit(high == 100 && fcntl(100, F_GETFD) < 0 && fcntl(3, F_GETFD) < 0 ? BARRED : OUT);
    }
    ck_assert_int_eq(exit_code(pid), BARRED);
}
END_TEST

/* --- children that misbehave: the shell plays them --- */

enum { MOST = 1000 };

static pc_process *shell(const char *script)
{
    char name[] = "sh", option[] = "-c", text[256];
    snprintf(text, sizeof text, "%s", script);
    char *argv[] = {name, option, text, NULL}, *environment[] = {NULL};
    pc_process *process = NULL;
    pc_error err;
    ck_assert_msg(pc_process_start(&process, "/bin/sh", argv, environment, MOST, &err) == PC_OK, "%s", err.text);
    return process;
}

/* The reply, waiting at most `seconds`. */
static pc_reply reply_of(pc_process *process, double seconds, const unsigned char **bytes, size_t *n)
{
    pc_process_allow(process, seconds);
    for (;;) {
        pc_reply reply = pc_process_receive(process, bytes, n);
        if (reply != PC_REPLY_WAIT) return reply;
        pc_process_wait(&process, 1, 1);
    }
}

static void expect(const char *script, double seconds, pc_reply expected)
{
    const unsigned char *bytes;
    size_t n;
    pc_process *process = shell(script);
    ck_assert_int_eq(reply_of(process, seconds, &bytes, &n), expected);
    pc_process_free(process);
    ck_assert_int_eq(pc_alloc_live(), 0);
}

START_TEST(frames_arrive_whole)
{
    const unsigned char *bytes;
    size_t n;
    /* two frames, the first in pieces */
    pc_process *process = shell("printf '\\003\\0' >&3; sleep 0.1; printf '\\0\\0ab' >&3; sleep 0.1; "
                                "printf 'c\\001\\0\\0\\0d' >&3; sleep 5");
    ck_assert_int_eq(reply_of(process, 20, &bytes, &n), PC_REPLY_HERE);
    ck_assert_uint_eq(n, 3);
    ck_assert_int_eq(memcmp(bytes, "abc", 3), 0);
    ck_assert_int_eq(reply_of(process, 20, &bytes, &n), PC_REPLY_HERE);
    ck_assert_uint_eq(n, 1);
    ck_assert_int_eq(bytes[0], 'd');
    pc_process_free(process);
}
END_TEST

START_TEST(a_request_reaches_the_child)
{
    const unsigned char *bytes;
    size_t n;
    pc_error err;
    pc_process *process = shell("x=$(head -c 9 <&3 | tail -c 5); printf '\\005\\0\\0\\0%s' \"$x\" >&3");
    ck_assert_int_eq(pc_process_send(process, "hello", 5, 20, &err), PC_OK);
    ck_assert_int_eq(reply_of(process, 20, &bytes, &n), PC_REPLY_HERE);
    ck_assert_int_eq(memcmp(bytes, "hello", 5), 0);
    pc_process_free(process);
}
END_TEST

START_TEST(misbehaving_children_are_ended)
{
    expect("sleep 100", 0.2, PC_REPLY_LATE);
    expect("trap '' TERM INT HUP; while :; do :; done", 0.2, PC_REPLY_LATE);
    expect("printf '\\377\\377\\377\\377' >&3; sleep 100", 20, PC_REPLY_LONG);
    expect("printf '\\011\\0\\0\\0abc' >&3; sleep 100", 0.2, PC_REPLY_LATE);
    expect("printf '\\011\\0\\0\\0abc' >&3", 20, PC_REPLY_ENDED);
    expect("exec 3>&-; sleep 100", 20, PC_REPLY_ENDED);
    expect("exit 7", 20, PC_REPLY_ENDED);
    expect("kill -9 $$", 20, PC_REPLY_ENDED);
}
END_TEST

START_TEST(how_a_child_ended_is_told)
{
    const unsigned char *bytes;
    size_t n;
    int code = 0, killed_by = 0;
    pc_process *process = shell("exit 7");
    ck_assert(!pc_process_end(process, &code, &killed_by));
    ck_assert_int_eq(reply_of(process, 20, &bytes, &n), PC_REPLY_ENDED);
    ck_assert(pc_process_end(process, &code, &killed_by));
    ck_assert_int_eq(code, 7);
    ck_assert_int_eq(killed_by, 0);
    pc_process_free(process);
    process = shell("kill -9 $$");
    ck_assert_int_eq(reply_of(process, 20, &bytes, &n), PC_REPLY_ENDED);
    ck_assert(pc_process_end(process, &code, &killed_by));
    ck_assert_int_eq(killed_by, SIGKILL);
    pc_process_free(process);
}
END_TEST

START_TEST(a_child_inherits_nothing)
{
    const unsigned char *bytes;
    size_t n;
    setenv("PERCUSS_SECRET", "x", 1);
    int high = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 50);
    pc_process *process =
        shell("[ -z \"$PERCUSS_SECRET\" ] && ! [ -e /proc/$$/fd/50 ] && printf '\\001\\0\\0\\0y' >&3");
    ck_assert_int_eq(reply_of(process, 20, &bytes, &n), PC_REPLY_HERE);
    pc_process_free(process);
    close(high);
}
END_TEST

START_TEST(a_program_that_is_not_there_is_an_error)
{
    char name[] = "none";
    char *argv[] = {name, NULL}, *environment[] = {NULL};
    pc_process *process = NULL;
    pc_error err;
    ck_assert_int_eq(pc_process_start(&process, "/nowhere/none", argv, environment, MOST, &err), PC_E_SYSTEM);
    ck_assert_int_eq(pc_alloc_live(), 0);
}
END_TEST

UNIT_MAIN("sandbox", 60, a_confined_process_cannot_get_out, an_unconfined_process_can,
          a_missing_wall_is_told_and_the_other_stands, without_limits_there_is_no_confinement,
          a_confined_process_can_compute, memory_has_a_limit, descriptors_are_closed, frames_arrive_whole,
          a_request_reaches_the_child, misbehaving_children_are_ended, how_a_child_ended_is_told,
          a_child_inherits_nothing, a_program_that_is_not_there_is_an_error)
