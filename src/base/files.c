/* Names of files: see files.h. */
#include "base/files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

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
