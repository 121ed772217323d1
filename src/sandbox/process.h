/* A child process that answers requests: frames of bytes go both ways over one socket pair.
 *
 * A frame is its length (four bytes, least first) and that many bytes. The parent trusts nothing that comes back: a
 * frame longer than agreed ends the child, and so does a request that is not answered in time. The child inherits no
 * descriptor but its end of the pair, number PC_PROCESS_FD, and no environment but what is given. Where processes are
 * missing none starts (pc_fail_missing).
 */
#ifndef PC_SANDBOX_PROCESS_H
#define PC_SANDBOX_PROCESS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

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

#endif
