/* What kernels do each in their own way: see system.h. */
#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT */
#include "base/system.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#endif

int pc_system_cores(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

bool pc_system_end_with_parent(void)
{
#ifdef __linux__
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
#else
    errno = ENOSYS;
    return false;
#endif
}

/* NFS, SMB, CIFS, SMB2, AFS, Coda, Ceph, Lustre, GPFS, 9P. */
bool pc_system_is_network_kind(unsigned long kind)
{
    static const unsigned long network[] = {0x6969,     0x517b,     0xff534d42, 0xfe534d42, 0x5346414f,
                                            0x73757245, 0x00c36400, 0x0bd00bd0, 0x47504653, 0x01021997};
    for (size_t i = 0; i < sizeof network / sizeof *network; i++)
        if ((kind & 0xffffffffUL) == network[i]) return true;
    return false;
}

bool pc_system_is_network(int fd)
{
#ifdef __linux__
    struct statfs system;
    return fstatfs(fd, &system) == 0 && pc_system_is_network_kind((unsigned long)system.f_type);
#else
    (void)fd;
    return false;
#endif
}
