/* A run in a file: everything that it was, so that a run read back answers as the first one did and goes on bit by bit
 * as it would have.
 *
 * The file holds two notes of the caller, bytes that this part does not look into (how to make the scene again, how the
 * run was asked for), then the run: its state and all that it recorded, numbers as 8 bytes with the least significant
 * first. It begins with a mark and the version of the format and ends with a checksum of everything before. Equal runs
 * make equal files.
 */
#ifndef PC_MOTION_SAVE_H
#define PC_MOTION_SAVE_H

#include "motion/run.h"

#include <stdint.h>

enum { PC_SAVE_VERSION = 21, PC_SAVE_NOTES = 2 };

typedef struct pc_note {
    const unsigned char *bytes;
    size_t n;
} pc_note;

/* Write the run; the file appears whole or not at all. */
pc_status pc_run_save(const pc_run *run, const pc_note notes[PC_SAVE_NOTES], const char *path, pc_error *err);

/* The parts of a file whose bytes were read; they must stay. PC_E_ARGUMENT: it is no saved run, one of another version,
 * or damaged. `path` is for the message. */
typedef struct pc_saved {
    pc_note notes[PC_SAVE_NOTES], run;
    const char *path;
} pc_saved;
pc_status pc_saved_open(pc_saved *saved, pc_note file, const char *path, pc_error *err);

/* The run of such a file in its scene; afterwards it is open and complete, or nothing was kept. */
pc_status pc_saved_restore(const pc_saved *saved, pc_run *run, const pc_scene *scene, pc_error *err);

#endif
