/* A child process that answers requests: frames of bytes go both ways over one socket pair.
 *
 * A frame is its length (four bytes, least first) and that many bytes. The parent trusts nothing that comes back: a
 * frame longer than agreed ends the child, and so does a request that is not answered in time. The child inherits no
 * descriptor but its end of the pair, number PC_PROCESS_FD, and no environment but what is given. Where processes are
 * missing none starts (pc_fail_missing).
 */
#ifndef PC_SANDBOX_SANDBOX_H
#define PC_SANDBOX_SANDBOX_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Give up, for good, everything a computation does not need: see the threat model in scripts/assignments/README.md.
 *
 * After pc_confine the process can compute, use the memory it is allowed, read and write descriptors that are open, and
 * end. It can open no file, start no process or thread, reach no network and signal nobody. Two walls of the kernel
 * stand behind each other, a filter of system calls (seccomp) and a Landlock domain without any path; either may be
 * missing on a machine, and `walls` says which stand. A build without libseccomp confines nothing and says so
 * (pc_fail_missing).
 */

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

enum { PC_PROCESS_FD = 3, PC_PROCESS_HEAD = 4 };

typedef struct pc_process pc_process;

typedef enum pc_reply {
    PC_REPLY_WAIT,  /* not yet */
    PC_REPLY_HERE,  /* a frame is complete */
    PC_REPLY_LATE,  /* the time is over; the child was killed */
    PC_REPLY_LONG,  /* the frame is longer than allowed; the child was killed */
    PC_REPLY_ENDED, /* the child has ended by itself */
} pc_reply;

/* Start a program: argv and environment end with NULL. `most`: bytes of the longest frame taken from it. */
pc_status pc_process_start(pc_process **process, const char *program, char *const argv[], char *const environment[],
                           size_t most, pc_error *err);

/* Kills and buries the child; NULL is fine. */
void pc_process_free(pc_process *process);

/* Send a request and set the time for its answer, in seconds of wall time from now. */
pc_status pc_process_send(pc_process *process, const void *bytes, size_t n, double seconds, pc_error *err);

/* Set the time alone, for a frame that comes unasked. */
void pc_process_allow(pc_process *process, double seconds);

/* Take what has come, without waiting. For PC_REPLY_HERE the frame is at *bytes until the next call. */
pc_reply pc_process_receive(pc_process *process, const unsigned char **bytes, size_t *n);

/* Wait until one of the processes has something to say or has run out of time, at most that many seconds. */
void pc_process_wait(pc_process *const *processes, size_t n, double seconds);

/* How a child that is gone ended: exit code (signal 0), or the signal that killed it. False while it runs. */
bool pc_process_end(const pc_process *process, int *code, int *signal);

/* For the child: the same frames on its descriptor, waiting. False when there is no parent any more. */
bool pc_process_read(int fd, void *bytes, size_t n);
bool pc_process_write(int fd, const void *bytes, size_t n);

/* Lengths of frames. */
void pc_process_head(size_t n, unsigned char head[PC_PROCESS_HEAD]);
size_t pc_process_length(const unsigned char head[PC_PROCESS_HEAD]);

/* A scratch folder in memory: the files that a confined process may write and read.
 *
 * A confined process opens no file of the kernel's, so that the walls above need no gate. What it calls files
 * are bytes of its own memory behind a FILE: flat names, no links, pipes, devices or folders, nothing outside that a
 * name could reach, and nothing left when the process has ended.
 */

enum { PC_SCRATCH_FILES = 64, PC_SCRATCH_OPEN = 64, PC_SCRATCH_NAME = 64 };

typedef struct pc_scratch pc_scratch;

/* `most`: bytes of all files together. NULL: no memory. */
pc_scratch *pc_scratch_new(size_t most);

/* Every file of it must be closed. NULL is fine. */
void pc_scratch_free(pc_scratch *scratch);

/* A name of 1 to PC_SCRATCH_NAME letters, digits, _ - and dots, of which the first is no dot; "./" may stand before. */
bool pc_scratch_allows(const char *name);

/* As fopen(3), with the modes r, w, a, r+, w+, a+, each also with b. NULL and errno: EACCES for a name that is not
 * allowed, EINVAL for another mode, ENOENT, ENOSPC for too many files, EMFILE for too many open ones, ENOMEM. Writing
 * beyond the size of the folder fails with ENOSPC. */
FILE *pc_scratch_open(pc_scratch *scratch, const char *name, const char *mode);

/* As rename(2): a file that has the new name already is removed. */
bool pc_scratch_rename(pc_scratch *scratch, const char *from, const char *to);

/* As remove(3). Who has the file open keeps its bytes, which count until then. */
bool pc_scratch_remove(pc_scratch *scratch, const char *name);

#endif
