/* Starting, asking and burying a child: see process.h. */
#include "sandbox/sandbox.h"

/* --- frames --- */

void pc_process_head(size_t n, unsigned char head[PC_PROCESS_HEAD])
{
    for (int i = 0; i < PC_PROCESS_HEAD; i++) head[i] = (unsigned char)(n >> (8 * i) & 0xff);
}

size_t pc_process_length(const unsigned char head[PC_PROCESS_HEAD])
{
    size_t n = 0;
    for (int i = 0; i < PC_PROCESS_HEAD; i++) n |= (size_t)head[i] << (8 * i);
    return n;
}

#ifdef PC_HAVE_PROCESSES

#include "base/alloc.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct pc_process {
    int fd;
    pid_t pid; /* 0: buried */
    int state; /* as waitpid gave it, once buried */
    size_t most;
    double deadline;
    unsigned char *bytes; /* the frame that is coming in, with its head */
    size_t have, room;
    bool delivered; /* the frame in `bytes` has been handed out */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- life and death --- */

/* The child gets its end as PC_PROCESS_FD and nothing to read or to print to. */
static int spawn(pid_t *pid, const char *program, char *const argv[], char *const environment[], int end)
{
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code) return code;
    /* first of all, or the standard three could land on it; dup2 onto itself lets the descriptor be inherited */
    code = posix_spawn_file_actions_adddup2(&actions, end, PC_PROCESS_FD);
    for (int fd = 0; fd < PC_PROCESS_FD && !code; fd++)
        code = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    posix_spawnattr_t attributes;
    if (!code) code = posix_spawnattr_init(&attributes);
    if (!code) {
        /* a group of its own, so that Ctrl-C reaches the parent alone, which then ends the child */
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        code = posix_spawn(pid, program, &actions, &attributes, argv, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

pc_status pc_process_start(pc_process **process, const char *program, char *const argv[], char *const environment[],
                           size_t most, pc_error *err)
{
    pc_process *p = pc_calloc(1, sizeof *p);
    if (!p) return pc_fail(err, PC_E_MEMORY, "not enough memory for a process");
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        pc_free(p);
        return pc_fail(err, PC_E_SYSTEM, "cannot make a socket pair: %s", strerror(errno));
    }
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    /* a low number could be one of the standard three in a host that closed them */
    int end = fcntl(ends[1], F_DUPFD_CLOEXEC, PC_PROCESS_FD + 1);
    int code = end < 0 ? errno : spawn(&p->pid, program, argv, environment, end);
    close(ends[1]);
    if (end >= 0) close(end);
    if (code) {
        close(ends[0]);
        pc_free(p);
        return pc_fail(err, PC_E_SYSTEM, "cannot start %.200s: %s", program, strerror(code));
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    p->fd = ends[0];
    p->most = most;
    p->deadline = INFINITY;
    *process = p;
    return PC_OK;
}

/* End the child and keep how it ended. `by_force`: it may still run. */
static void bury(pc_process *p, bool by_force)
{
    if (!p->pid) return;
    if (by_force) kill(p->pid, SIGKILL);
    while (waitpid(p->pid, &p->state, 0) < 0 && errno == EINTR) continue;
    p->pid = 0;
}

void pc_process_free(pc_process *p)
{
    if (!p) return;
    bury(p, true);
    close(p->fd);
    pc_free(p->bytes);
    pc_free(p);
}

bool pc_process_end(const pc_process *p, int *code, int *signal)
{
    if (p->pid) return false;
    *signal = WIFSIGNALED(p->state) ? WTERMSIG(p->state) : 0;
    *code = WIFEXITED(p->state) ? WEXITSTATUS(p->state) : 0;
    return true;
}

/* --- frames --- */

static int milliseconds(double seconds)
{
    if (seconds <= 0) return 0;
    return seconds < 1e6 ? (int)ceil(1e3 * seconds) : 1000000000;
}

/* Send all, waiting for room no longer than the deadline. */
static bool send_all(pc_process *p, const unsigned char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t sent = send(p->fd, bytes, n, MSG_NOSIGNAL);
        if (sent > 0) {
            bytes += sent;
            n -= (size_t)sent;
            continue;
        }
        if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
        struct pollfd room = {.fd = p->fd, .events = POLLOUT};
        double left = p->deadline - now();
        if (left <= 0 || pc_interrupted()) return false;
        poll(&room, 1, milliseconds(left));
    }
    return true;
}

void pc_process_allow(pc_process *p, double seconds)
{
    p->deadline = now() + seconds;
}

pc_status pc_process_send(pc_process *p, const void *bytes, size_t n, double seconds, pc_error *err)
{
    if (n > UINT32_MAX) return pc_fail(err, PC_E_LIMIT, "a request of %zu bytes is too long", n);
    pc_process_allow(p, seconds);
    unsigned char head[PC_PROCESS_HEAD];
    pc_process_head(n, head);
    if (send_all(p, head, sizeof head) && send_all(p, bytes, n)) return PC_OK;
    return pc_fail(err, PC_E_SYSTEM, "the process takes no requests any more");
}

/* Bytes that the present frame still lacks: of its head while that is incomplete. SIZE_MAX: it is too long. */
static size_t missing(const pc_process *p)
{
    if (p->have < PC_PROCESS_HEAD) return PC_PROCESS_HEAD - p->have;
    size_t length = pc_process_length(p->bytes);
    return length > p->most ? SIZE_MAX : PC_PROCESS_HEAD + length - p->have;
}

pc_reply pc_process_receive(pc_process *p, const unsigned char **bytes, size_t *n)
{
    if (p->delivered) p->have = 0;
    p->delivered = false;
    for (;;) {
        size_t lack = missing(p);
        if (lack == SIZE_MAX || !PC_GROW(p->bytes, p->room, p->have + lack)) {
            bury(p, true);
            return PC_REPLY_LONG;
        }
        if (lack == 0) break;
        ssize_t got = recv(p->fd, p->bytes + p->have, lack, 0);
        if (got > 0) {
            p->have += (size_t)got;
        } else if (got < 0 && errno == EINTR) {
            continue;
        } else if (got < 0 && errno == EAGAIN) {
            if (now() < p->deadline) return PC_REPLY_WAIT;
            bury(p, true);
            return PC_REPLY_LATE;
        } else {
            /* a child that closed its end but runs on is ended by force; give one that is just leaving its moment */
            siginfo_t info;
            struct timespec moment = {0, 10000000};
            for (int i = 0; i < 20 && p->pid; i++) {
                info.si_pid = 0;
                if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid) break;
                nanosleep(&moment, NULL);
            }
            bury(p, true);
            return PC_REPLY_ENDED;
        }
    }
    p->delivered = true;
    *bytes = p->bytes + PC_PROCESS_HEAD;
    *n = p->have - PC_PROCESS_HEAD;
    return PC_REPLY_HERE;
}

void pc_process_wait(pc_process *const *processes, size_t n, double seconds)
{
    struct pollfd *fds = pc_calloc(n, sizeof *fds);
    if (!fds) return;
    double least = seconds, at = now();
    for (size_t i = 0; i < n; i++) {
        fds[i] = (struct pollfd){.fd = processes[i]->fd, .events = POLLIN};
        least = fmin(least, processes[i]->deadline - at);
    }
    if (!pc_interrupted()) poll(fds, (nfds_t)n, milliseconds(least));
    pc_free(fds);
}

/* --- the child's side --- */

bool pc_process_read(int fd, void *bytes, size_t n)
{
    for (unsigned char *to = bytes; n > 0;) {
        ssize_t got = read(fd, to, n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        to += got;
        n -= (size_t)got;
    }
    return true;
}

bool pc_process_write(int fd, const void *bytes, size_t n)
{
    for (const unsigned char *from = bytes; n > 0;) {
        ssize_t put = write(fd, from, n);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        from += put;
        n -= (size_t)put;
    }
    return true;
}

#else

pc_status pc_process_start(pc_process **process, const char *program, char *const argv[], char *const environment[],
                           size_t most, pc_error *err)
{
    *process = NULL;
    (void)program, (void)argv, (void)environment, (void)most;
    return pc_fail_missing(err, "processes", "sandboxes");
}

void pc_process_free(pc_process *process)
{
    (void)process;
}

pc_status pc_process_send(pc_process *process, const void *bytes, size_t n, double seconds, pc_error *err)
{
    (void)process, (void)bytes, (void)n, (void)seconds;
    return pc_fail_missing(err, "processes", "sandboxes");
}

void pc_process_allow(pc_process *process, double seconds)
{
    (void)process, (void)seconds;
}

pc_reply pc_process_receive(pc_process *process, const unsigned char **bytes, size_t *n)
{
    (void)process, (void)bytes, (void)n;
    return PC_REPLY_ENDED;
}

void pc_process_wait(pc_process *const *processes, size_t n, double seconds)
{
    (void)processes, (void)n, (void)seconds;
}

bool pc_process_end(const pc_process *process, int *code, int *signal)
{
    (void)process;
    *code = *signal = 0;
    return true;
}

bool pc_process_read(int fd, void *bytes, size_t n)
{
    (void)fd, (void)bytes, (void)n;
    return false;
}

bool pc_process_write(int fd, const void *bytes, size_t n)
{
    (void)fd, (void)bytes, (void)n;
    return false;
}

#endif
