/* Limits and walls of a confined process: see sandbox.h. Linux: getrlimit(2), prctl(2), seccomp(2), landlock(7). */
#include "sandbox/sandbox.h"

#ifdef PC_HAVE_SECCOMP

#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void pc_confine_descriptors(int first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = first; fd < (most > 0 ? (int)most : 1024); fd++) close(fd);
}

pc_status pc_confine_lifetime(pc_error *err)
{
    if (pc_system_end_with_parent()) return PC_OK;
    return pc_fail(err, PC_E_SYSTEM, "cannot tie a process to its parent: %s", strerror(errno));
}

/* --- limits --- */

/* Address space in use, from /proc; 0 where it cannot be read. */
static size_t mapped_bytes(void)
{
    char text[64] = "";
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    unsigned long pages = 0;
    if (n <= 0 || sscanf(text, "%lu", &pages) != 1) return 0;
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static pc_status set_limit(int which, rlim_t value, const char *name, pc_error *err)
{
    struct rlimit limit = {value, value};
    if (setrlimit(which, &limit) == 0) return PC_OK;
    return pc_fail(err, PC_E_SYSTEM, "cannot limit the %s of a process: %s", name, strerror(errno));
}

/* The address sanitizer reserves terabytes, so that a limit of address space would stop it at once. */
#ifdef __SANITIZE_ADDRESS__
static const bool space_is_limited = false;
#else
static const bool space_is_limited = true;
#endif

static pc_status set_limits(const pc_confinement *limits, pc_error *err)
{
    pc_status status = set_limit(RLIMIT_CORE, 0, "core dump", err);
    if (!status) status = set_limit(RLIMIT_FSIZE, 0, "file size", err);
    if (!status) status = set_limit(RLIMIT_NPROC, 0, "number of children", err);
    if (!status) status = set_limit(RLIMIT_MEMLOCK, 0, "locked memory", err);
    if (!status && limits->speed) status = set_limit(RLIMIT_CPU, limits->speed, "processor time", err);
    if (!status && limits->memory && space_is_limited)
        status = set_limit(RLIMIT_AS, mapped_bytes() + limits->memory, "address space", err);
    return status;
}

/* --- Landlock: a domain that handles every access of the kernel's version and allows none --- */

/* As in linux/landlock.h of version 6 of the interface; older headers lack the later members. */
typedef struct landlock_rules {
    uint64_t files, net, scoped;
} landlock_rules;

enum { LANDLOCK_VERSION = 1 }; /* flag: ask for the version */

static bool raise_landlock(void)
{
#ifdef SYS_landlock_create_ruleset
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION);
    if (version < 1) return false;
    landlock_rules rules = {.files = 0x1fff};  /* the thirteen rights of version 1 */
    if (version >= 2) rules.files |= 1u << 13; /* link or rename to another folder */
    if (version >= 3) rules.files |= 1u << 14; /* truncate */
    if (version >= 5) rules.files |= 1u << 15; /* ioctl on devices */
    if (version >= 4) rules.net = 3;           /* bind and connect TCP */
    if (version >= 6) rules.scoped = 3;        /* abstract sockets, signals */
    size_t size = version >= 6 ? sizeof rules : version >= 4 ? offsetof(landlock_rules, scoped) : sizeof rules.files;
    int fd = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (fd < 0) return false;
    bool stands = syscall(SYS_landlock_restrict_self, fd, 0) == 0;
    close(fd);
    return stands;
#else
    return false;
#endif
}

/* --- seccomp: calls that computing needs, all others fail with EPERM --- */

static const int allowed[] = {
    SCMP_SYS(read),          SCMP_SYS(write),        SCMP_SYS(close),        SCMP_SYS(brk),
    SCMP_SYS(munmap),        SCMP_SYS(mremap),       SCMP_SYS(madvise),      SCMP_SYS(exit),
    SCMP_SYS(exit_group),    SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(sigaltstack),   SCMP_SYS(futex),        SCMP_SYS(getpid),       SCMP_SYS(gettid),
    SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(getrusage),    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_yield),   SCMP_SYS(getrandom),    SCMP_SYS(lseek),        SCMP_SYS(restart_syscall),
};

static bool fill_filter(scmp_filter_ctx filter)
{
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0) != 0) return false;
    /* memory, but never code: the third argument is the protection */
    const struct scmp_arg_cmp no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, no_code) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, no_code) == 0;
}

static bool raise_seccomp(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) return false;
    bool stands = fill_filter(filter) && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return stands;
}

pc_status pc_confine(const pc_confinement *limits, int *walls, pc_error *err)
{
    *walls = 0;
    pc_status status = set_limits(limits, err);
    if (status) return status;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        return pc_fail(err, PC_E_SYSTEM, "cannot give up privileges: %s", strerror(errno));
    if (raise_landlock()) *walls |= PC_WALL_LANDLOCK;
    if (raise_seccomp()) *walls |= PC_WALL_SECCOMP;
    return PC_OK;
}

#else

void pc_confine_descriptors(int first)
{
    (void)first;
}

pc_status pc_confine_lifetime(pc_error *err)
{
    return pc_fail_missing(err, "libseccomp", "sandboxes");
}

pc_status pc_confine(const pc_confinement *limits, int *walls, pc_error *err)
{
    (void)limits;
    *walls = 0;
    return pc_fail_missing(err, "libseccomp", "sandboxes");
}

#endif
