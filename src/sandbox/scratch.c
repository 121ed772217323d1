/* Files in memory behind fopencookie(3): see sandbox.h. Where no process is confined nobody has such a folder. */
#define _GNU_SOURCE
#include "sandbox/sandbox.h"

#include <errno.h>

#ifdef PC_HAVE_SECCOMP

#include "base/alloc.h"

#include <stdint.h>
#include <string.h>
#include <sys/types.h>

typedef struct scratch_file {
    char name[PC_SCRATCH_NAME + 1]; /* "": removed, or the place is free */
    unsigned char *bytes;
    size_t size, room;
    int users; /* open streams */
} scratch_file;

struct pc_scratch {
    size_t most, used; /* bytes: the sum of the rooms */
    int open;          /* streams */
    scratch_file files[PC_SCRATCH_FILES];
};

/* An open file: what a FILE refers to. */
typedef struct scratch_stream {
    pc_scratch *scratch;
    scratch_file *file;
    size_t at;
    bool appends;
} scratch_stream;

pc_scratch *pc_scratch_new(size_t most)
{
    pc_scratch *s = pc_calloc(1, sizeof *s);
    if (s) s->most = most;
    return s;
}

/* Give back the bytes of a file; a file without name and users is a free place. */
static void empty(pc_scratch *s, scratch_file *file)
{
    s->used -= file->room;
    pc_free(file->bytes);
    file->bytes = NULL;
    file->size = file->room = 0;
}

void pc_scratch_free(pc_scratch *s)
{
    if (!s) return;
    for (int i = 0; i < PC_SCRATCH_FILES; i++) pc_free(s->files[i].bytes);
    pc_free(s);
}

/* --- names --- */

static const char *bare(const char *name)
{
    return strncmp(name, "./", 2) == 0 ? name + 2 : name;
}

bool pc_scratch_allows(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    name = bare(name);
    size_t n = strlen(name);
    return n > 0 && n <= PC_SCRATCH_NAME && name[0] != '.' && strspn(name, letters) == n;
}

static scratch_file *find(pc_scratch *s, const char *name)
{
    for (int i = 0; i < PC_SCRATCH_FILES; i++)
        if (strcmp(s->files[i].name, name) == 0) return &s->files[i];
    return NULL;
}

static scratch_file *create(pc_scratch *s, const char *name)
{
    for (int i = 0; i < PC_SCRATCH_FILES; i++) {
        scratch_file *file = &s->files[i];
        if (file->name[0] || file->users > 0) continue;
        memcpy(file->name, name, strlen(name) + 1);
        return file;
    }
    return NULL;
}

/* --- what a FILE asks for --- */

static ssize_t stream_read(void *cookie, char *to, size_t n)
{
    scratch_stream *stream = cookie;
    const scratch_file *file = stream->file;
    size_t left = stream->at < file->size ? file->size - stream->at : 0;
    if (n > left) n = left;
    if (n > 0) memcpy(to, file->bytes + stream->at, n);
    stream->at += n;
    return (ssize_t)n;
}

/* Room for `size` bytes in a file: doubled where the folder has as much, so that many small writes cost little. */
static bool make_room(pc_scratch *s, scratch_file *file, size_t size)
{
    enum { LEAST = 4096 };
    if (size <= file->room) return true;
    size_t most = s->most - s->used + file->room, room = 2 * file->room;
    if (size > most) return false;
    if (room < LEAST) room = LEAST;
    if (room < size) room = size;
    if (room > most) room = most;
    unsigned char *bytes = pc_realloc(file->bytes, room, 1);
    if (!bytes) return false;
    s->used += room - file->room;
    file->bytes = bytes;
    file->room = room;
    return true;
}

/* 0 says that nothing could be written, as fopencookie wants it. */
static ssize_t stream_write(void *cookie, const char *from, size_t n)
{
    scratch_stream *stream = cookie;
    scratch_file *file = stream->file;
    if (stream->appends) stream->at = file->size;
    if (n > SIZE_MAX / 2 - stream->at || !make_room(stream->scratch, file, stream->at + n)) {
        errno = ENOSPC;
        return 0;
    }
    /* what was skipped by seeking reads as zeros */
    if (stream->at > file->size) memset(file->bytes + file->size, 0, stream->at - file->size);
    if (n > 0) memcpy(file->bytes + stream->at, from, n);
    stream->at += n;
    if (stream->at > file->size) file->size = stream->at;
    return (ssize_t)n;
}

static int stream_seek(void *cookie, off64_t *offset, int whence)
{
    scratch_stream *stream = cookie;
    off64_t origin = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (off64_t)stream->at : (off64_t)stream->file->size;
    const off64_t farthest = (off64_t)1 << 40; /* far beyond any folder, and sums below do not overflow */
    if (*offset > farthest || *offset < -farthest || origin + *offset < 0) {
        errno = EINVAL;
        return -1;
    }
    stream->at = (size_t)(origin + *offset);
    *offset = (off64_t)stream->at;
    return 0;
}

static int stream_close(void *cookie)
{
    scratch_stream *stream = cookie;
    stream->scratch->open--;
    if (--stream->file->users == 0 && !stream->file->name[0]) empty(stream->scratch, stream->file);
    pc_free(stream);
    return 0;
}

/* --- opening and removing --- */

static FILE *fail(int code)
{
    errno = code;
    return NULL;
}

static bool is_mode(const char *mode)
{
    if (!strchr("rwa", mode[0])) return false;
    const char *rest = mode[1] == '+' ? mode + 2 : mode + 1;
    return rest[0] == '\0' || strcmp(rest, "b") == 0;
}

FILE *pc_scratch_open(pc_scratch *s, const char *name, const char *mode)
{
    if (!mode[0] || !is_mode(mode)) return fail(EINVAL);
    if (!pc_scratch_allows(name)) return fail(EACCES);
    if (s->open == PC_SCRATCH_OPEN) return fail(EMFILE);
    name = bare(name);
    scratch_file *file = find(s, name);
    bool fresh = !file;
    if (fresh && mode[0] == 'r') return fail(ENOENT);
    if (fresh) file = create(s, name);
    if (!file) return fail(ENOSPC);
    scratch_stream *stream = pc_calloc(1, sizeof *stream);
    const cookie_io_functions_t functions = {stream_read, stream_write, stream_seek, stream_close};
    FILE *opened = stream ? fopencookie(stream, mode, functions) : NULL;
    if (!opened) {
        pc_free(stream);
        if (fresh) file->name[0] = '\0';
        return fail(ENOMEM);
    }
    *stream = (scratch_stream){.scratch = s, .file = file, .appends = mode[0] == 'a'};
    file->users++;
    s->open++;
    if (mode[0] == 'w') empty(s, file);
    return opened;
}

bool pc_scratch_rename(pc_scratch *s, const char *from, const char *to)
{
    bool allowed = pc_scratch_allows(from) && pc_scratch_allows(to);
    scratch_file *file = allowed ? find(s, bare(from)) : NULL;
    if (!file) {
        errno = allowed ? ENOENT : EACCES;
        return false;
    }
    scratch_file *old = find(s, bare(to));
    if (old == file) return true;
    if (old) pc_scratch_remove(s, to);
    memcpy(file->name, bare(to), strlen(bare(to)) + 1);
    return true;
}

bool pc_scratch_remove(pc_scratch *s, const char *name)
{
    scratch_file *file = pc_scratch_allows(name) ? find(s, bare(name)) : NULL;
    if (!file) {
        errno = pc_scratch_allows(name) ? ENOENT : EACCES;
        return false;
    }
    file->name[0] = '\0';
    if (file->users == 0) empty(s, file);
    return true;
}

#else

pc_scratch *pc_scratch_new(size_t most)
{
    (void)most;
    return NULL;
}

void pc_scratch_free(pc_scratch *scratch)
{
    (void)scratch;
}

bool pc_scratch_allows(const char *name)
{
    (void)name;
    return false;
}

FILE *pc_scratch_open(pc_scratch *scratch, const char *name, const char *mode)
{
    (void)scratch, (void)name, (void)mode;
    errno = ENOSYS;
    return NULL;
}

bool pc_scratch_rename(pc_scratch *scratch, const char *from, const char *to)
{
    (void)scratch, (void)from, (void)to;
    errno = ENOSYS;
    return false;
}

bool pc_scratch_remove(pc_scratch *scratch, const char *name)
{
    (void)scratch, (void)name;
    errno = ENOSYS;
    return false;
}

#endif
