/* Give up, for good, everything a computation does not need: see the threat model in scripts/assignments/README.md.
 *
 * After pc_confine the process can compute, use the memory it is allowed, read and write descriptors that are open, and
 * end. It can open no file, start no process or thread, reach no network and signal nobody. Two walls of the kernel
 * stand behind each other, a filter of system calls (seccomp) and a Landlock domain without any path; either may be
 * missing on a machine, and `walls` says which stand. A build without libseccomp confines nothing and says so
 * (pc_fail_missing).
 */
#ifndef PC_SANDBOX_CONFINE_H
#define PC_SANDBOX_CONFINE_H

#include "base/status.h"

#include <stddef.h>

enum { PC_WALL_SECCOMP = 1, PC_WALL_LANDLOCK = 2 };

typedef struct pc_confinement {
    size_t memory;       /* bytes of address space beyond what the process has now; 0: no limit */
    unsigned long speed; /* seconds of processor time in all; 0: no limit */
} pc_confinement;

/* Close every descriptor from `first` on, so that nothing of the parent's is inherited. */
void pc_confine_descriptors(int first);

/* Die with the parent. */
pc_status pc_confine_lifetime(pc_error *err);

/* PC_E_SYSTEM if a limit that every kernel has cannot be set; a missing wall is no failure. */
pc_status pc_confine(const pc_confinement *limits, int *walls, pc_error *err);

#endif
