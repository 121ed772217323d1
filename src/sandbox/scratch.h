/* A scratch folder in memory: the files that a confined process may write and read.
 *
 * A confined process opens no file of the kernel's, so that the walls of confine.h need no gate. What it calls files
 * are bytes of its own memory behind a FILE: flat names, no links, pipes, devices or folders, nothing outside that a
 * name could reach, and nothing left when the process has ended.
 */
#ifndef PC_SANDBOX_SCRATCH_H
#define PC_SANDBOX_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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
