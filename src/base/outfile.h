/* A file that appears whole or not at all: written beside its place under a temporary name and renamed when it is
 * complete. A link is followed to the file it names; a device or pipe cannot be replaced and is written directly. */
#ifndef PC_BASE_OUTFILE_H
#define PC_BASE_OUTFILE_H

#include "base/status.h"

#include <stdio.h>

typedef struct pc_outfile {
    FILE *stream; /* write here */
    char *path;   /* final name */
    char *part;   /* temporary name; NULL where the file is written directly */
} pc_outfile;

/* PC_E_SYSTEM if the file cannot be written, PC_E_MEMORY; then nothing has to be closed. */
pc_status pc_outfile_open(pc_outfile *file, const char *path, pc_error *err);

/* Why a write to the stream failed; the file is to be abandoned then. */
pc_status pc_outfile_failure(const pc_outfile *file, pc_error *err);

/* Close and rename. PC_E_SYSTEM if anything could not be written (a full disk): then the old file, if any, stays. */
pc_status pc_outfile_commit(pc_outfile *file, pc_error *err);

/* Give up: remove what was written. Harmless after commit and on a zeroed struct. */
void pc_outfile_abandon(pc_outfile *file);

#endif
