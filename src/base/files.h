/* Where names of files lead: into the file system, or in a confined process to what stands in its place. */
#ifndef PC_BASE_FILES_H
#define PC_BASE_FILES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A folder without the kernel. Each function sets errno where it fails. */
typedef struct pc_files {
    FILE *(*open)(const char *name, const char *mode); /* as fopen(3), with the modes r and w */
    bool (*rename)(const char *from, const char *to);
    bool (*remove)(const char *name);
} pc_files;

/* Said once, before any file is opened; `files` stays valid. */
void pc_files_replace(const pc_files *files);

/* What stands in the place of the file system; NULL: nothing does. */
const pc_files *pc_files_replaced(void);

/* fopen(3) where the names lead. */
FILE *pc_file_open(const char *path, const char *mode);

/* Size of a file in bytes; and its first `size` bytes, of which `got` were there. PC_E_SYSTEM if it cannot be read or
 * is no plain file. */
pc_status pc_file_measure(const char *path, size_t *size, pc_error *err);
pc_status pc_file_read(const char *path, void *bytes, size_t size, size_t *got, pc_error *err);

/* A file that appears whole or not at all: written beside its place under a temporary name and renamed when it is
 * complete. A link is followed to the file it names; a device or pipe cannot be replaced and is written directly. */

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
