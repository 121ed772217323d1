/* Names of files: see files.h. */
#include "base/files.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The process is confined as a whole, hence one for all of it. */
static const pc_files *replaced;

void pc_files_replace(const pc_files *files)
{
    replaced = files;
}

const pc_files *pc_files_replaced(void)
{
    return replaced;
}

FILE *pc_file_open(const char *path, const char *mode)
{
    return replaced ? replaced->open(path, mode) : fopen(path, mode);
}

static pc_status fail_read(const char *path, const char *why, pc_error *err)
{
    return pc_fail(err, PC_E_SYSTEM, "cannot read '%.300s': %s", path, why);
}

pc_status pc_file_measure(const char *path, size_t *size, pc_error *err)
{
    struct stat found;
    if (!replaced) {
        if (stat(path, &found) != 0) return fail_read(path, strerror(errno), err);
        if (!S_ISREG(found.st_mode)) return fail_read(path, "it is no plain file", err);
        *size = (size_t)found.st_size;
        return PC_OK;
    }
    FILE *stream = replaced->open(path, "r");
    if (!stream) return fail_read(path, strerror(errno), err);
    long end = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
    int code = errno;
    fclose(stream);
    if (end < 0) return fail_read(path, strerror(code), err);
    *size = (size_t)end;
    return PC_OK;
}

pc_status pc_file_read(const char *path, void *bytes, size_t size, size_t *got, pc_error *err)
{
    FILE *stream = pc_file_open(path, "r");
    if (!stream) return fail_read(path, strerror(errno), err);
    *got = fread(bytes, 1, size, stream);
    bool failed = ferror(stream);
    int code = errno;
    fclose(stream);
    return failed ? fail_read(path, strerror(code), err) : PC_OK;
}

enum { SUFFIX = 48, TRIES = 100 };

static void release(pc_outfile *file)
{
    pc_free(file->path);
    pc_free(file->part);
    *file = (pc_outfile){0};
}

static pc_status fail_write(const char *path, int code, pc_error *err)
{
    return pc_fail(err, code == ENOMEM ? PC_E_MEMORY : PC_E_SYSTEM, "cannot write '%s': %s", path, strerror(code));
}

/* The name of the file itself, where `path` is a link to it. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);
    char *copy = pc_strdup(real ? real : path);
    free(real); /* by libc, not by base/alloc.h */
    return copy;
}

static bool put_in_place(const pc_outfile *file)
{
    const pc_files *files = pc_files_replaced();
    return files ? files->rename(file->part, file->path) : rename(file->part, file->path) == 0;
}

static void remove_part(const pc_outfile *file)
{
    if (!file->part) return;
    if (pc_files_replaced())
        pc_files_replaced()->remove(file->part);
    else
        unlink(file->part);
}

/* A stream on what has been opened; what was made for it goes again if there is none. */
static FILE *stream_of(int fd, const char *made)
{
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "w");
    int code = errno;
    if (fd >= 0 && !stream) close(fd);
    if (fd >= 0 && !stream && made) unlink(made);
    errno = code;
    return stream;
}

/* Creates the temporary file; leaves its name in file->part. The number tells processes and threads apart; what stands
 * in the place of the file system this process has for itself. */
static FILE *open_part(pc_outfile *file, const struct stat *old)
{
    size_t size = strlen(file->path) + SUFFIX;
    int fd = -1;
    file->part = pc_calloc(size, 1);
    errno = file->part ? EEXIST : ENOMEM;
    if (file->part && replaced) {
        snprintf(file->part, size, "%s.part", file->path);
        return replaced->open(file->part, "w");
    }
    for (int i = 0; i < TRIES && fd < 0 && errno == EEXIST; i++) {
        snprintf(file->part, size, "%s.%ld-%d.part", file->path, (long)getpid(), i);
        fd = open(file->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (fd >= 0 && old) fchmod(fd, old->st_mode & 0777);
    return stream_of(fd, file->part);
}

pc_status pc_outfile_open(pc_outfile *file, const char *path, pc_error *err)
{
    struct stat old;
    *file = (pc_outfile){.path = replaced ? pc_strdup(path) : resolve(path)};
    if (!file->path) return pc_fail(err, PC_E_MEMORY, "no memory for the name of a file");
    bool exists = !replaced && stat(file->path, &old) == 0;
    if (exists && !S_ISREG(old.st_mode))
        file->stream = stream_of(open(file->path, O_WRONLY | O_CLOEXEC), NULL);
    else
        file->stream = open_part(file, exists ? &old : NULL);
    if (file->stream) return PC_OK;
    pc_status status = fail_write(path, errno, err);
    release(file);
    return status;
}

/* A stream knows that an earlier write failed, but not why. What kept that from the disk keeps another byte from it as
 * well; the file is given up anyway. */
static int ask_why(FILE *stream)
{
    clearerr(stream);
    errno = 0;
    return putc('\n', stream) == EOF || fflush(stream) != 0 ? errno : EIO;
}

pc_status pc_outfile_failure(const pc_outfile *file, pc_error *err)
{
    return fail_write(file->path, ask_why(file->stream), err);
}

pc_status pc_outfile_commit(pc_outfile *file, pc_error *err)
{
    errno = 0;
    bool failed = ferror(file->stream), ok = !failed && fflush(file->stream) == 0;
    int code = failed ? ask_why(file->stream) : errno;
    if (fclose(file->stream) != 0 && ok) {
        ok = false;
        code = errno;
    }
    file->stream = NULL;
    if (ok && file->part && !put_in_place(file)) {
        ok = false;
        code = errno;
    }
    pc_status status = ok ? PC_OK : fail_write(file->path, code ? code : EIO, err);
    if (!ok) remove_part(file);
    release(file);
    return status;
}

void pc_outfile_abandon(pc_outfile *file)
{
    if (!file->stream) return;
    fclose(file->stream);
    remove_part(file);
    release(file);
}
