/* What kernels do each in their own way, and POSIX has no call for. What else is Linux's own is in sandbox/confine. */
#ifndef PC_BASE_SYSTEM_H
#define PC_BASE_SYSTEM_H

#include <stdbool.h>

/* Cores that this process may use; where the kernel does not tell, all that the machine has. At least 1. */
int pc_system_cores(void);

/* Have this process killed when its parent ends. False with errno where that fails or, ENOSYS, cannot be asked for. */
bool pc_system_end_with_parent(void);

/* Whether a file is on a network file system, by its descriptor. False where the kernel does not tell. */
bool pc_system_is_network(int fd);

/* The number of a kind of file system, as Linux gives it in statfs(2): whether that kind is a network's. */
bool pc_system_is_network_kind(unsigned long kind);

#endif
