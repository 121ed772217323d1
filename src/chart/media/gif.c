/* Moving pictures: see media.h. */
#include "chart/media/media.h"

#include <stddef.h>

#ifdef PC_HAVE_GIFLIB

#include "base/alloc.h"
#include "base/files.h"

#include <gif_lib.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { COLOURS = 256, LEVELS = 64, BINS = LEVELS * LEVELS * LEVELS, UNKNOWN = -1 };

struct pc_gif {
    pc_outfile file;
    GifFileType *out;
    int width, height;
    double rate;
    long shown; /* pictures so far */
    int n_colours;
    int bin[COLOURS];
    int16_t index[BINS]; /* of the nearest colour */
    GifByteType *now, *before;
};

/* ---- colours ---- */

static int bin_of(const unsigned char *rgb)
{
    return (rgb[0] >> 2) * LEVELS * LEVELS + (rgb[1] >> 2) * LEVELS + (rgb[2] >> 2);
}

/* Channels of a bin, from 0 to LEVELS - 1. */
static void channels_of(int bin, int out[3])
{
    out[0] = bin / (LEVELS * LEVELS);
    out[1] = bin / LEVELS % LEVELS;
    out[2] = bin % LEVELS;
}

typedef struct tally {
    uint32_t count;
    int bin;
} tally;

/* The most frequent first; equal ones in the order of their bins, so that the file does not depend on qsort. */
static int compare_tallies(const void *a, const void *b)
{
    const tally *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return x->bin - y->bin;
}

static pc_status choose_colours(pc_gif *gif, const unsigned char *pixels, pc_error *err)
{
    tally *all = pc_calloc(BINS, sizeof *all);
    if (!all) return pc_fail(err, PC_E_MEMORY, "not enough memory for the colours of a picture");
    for (int i = 0; i < BINS; i++) all[i].bin = i;
    size_t n = (size_t)gif->width * (size_t)gif->height;
    for (size_t i = 0; i < n; i++) all[bin_of(pixels + 3 * i)].count++;
    qsort(all, BINS, sizeof *all, compare_tallies);
    while (gif->n_colours < COLOURS && all[gif->n_colours].count > 0) {
        gif->bin[gif->n_colours] = all[gif->n_colours].bin;
        gif->n_colours++;
    }
    for (int i = 0; i < BINS; i++) gif->index[i] = UNKNOWN;
    pc_free(all);
    return PC_OK;
}

static GifByteType index_of(pc_gif *gif, int bin)
{
    if (gif->index[bin] != UNKNOWN) return (GifByteType)gif->index[bin];
    int wanted[3], least = 3 * LEVELS * LEVELS;
    channels_of(bin, wanted);
    for (int i = 0; i < gif->n_colours; i++) {
        int got[3], distance = 0;
        channels_of(gif->bin[i], got);
        for (int k = 0; k < 3; k++) distance += (got[k] - wanted[k]) * (got[k] - wanted[k]);
        if (distance >= least) continue;
        least = distance;
        gif->index[bin] = (int16_t)i;
    }
    return (GifByteType)gif->index[bin];
}

/* ---- the file ---- */

static int write_bytes(GifFileType *out, const GifByteType *bytes, int n)
{
    return (int)fwrite(bytes, 1, (size_t)n, ((pc_gif *)out->UserData)->file.stream);
}

static pc_status fail_gif(const pc_gif *gif, int code, pc_error *err)
{
    if (code == E_GIF_ERR_WRITE_FAILED || code == E_GIF_ERR_DISK_IS_FULL) return pc_outfile_failure(&gif->file, err);
    const char *text = GifErrorString(code);
    return pc_fail(err, code == E_GIF_ERR_NOT_ENOUGH_MEM ? PC_E_MEMORY : PC_E_SYSTEM, "cannot write the GIF: %s",
                   text ? text : "unknown error");
}

/* What stands before the pictures: size, colours, and that they repeat for ever (the extension of Netscape). */
static bool put_head(pc_gif *gif)
{
    int size = 2;
    while (size < gif->n_colours) size *= 2;
    ColorMapObject *map = GifMakeMapObject(size, NULL);
    if (!map) return false;
    for (int i = 0; i < gif->n_colours; i++) {
        int c[3];
        channels_of(gif->bin[i], c);
        map->Colors[i].Red = (GifByteType)(c[0] * 255 / (LEVELS - 1));
        map->Colors[i].Green = (GifByteType)(c[1] * 255 / (LEVELS - 1));
        map->Colors[i].Blue = (GifByteType)(c[2] * 255 / (LEVELS - 1));
    }
    EGifSetGifVersion(gif->out, true);
    bool ok = EGifPutScreenDesc(gif->out, gif->width, gif->height, 8, 0, map) == GIF_OK &&
              EGifPutExtensionLeader(gif->out, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
              EGifPutExtensionBlock(gif->out, 11, "NETSCAPE2.0") == GIF_OK &&
              EGifPutExtensionBlock(gif->out, 3, "\1\0\0") == GIF_OK && EGifPutExtensionTrailer(gif->out) == GIF_OK;
    GifFreeMapObject(map);
    return ok;
}

typedef struct part {
    int left, top, width, height;
} part;

/* What differs from the picture before; one dot where nothing does, which carries the time. */
static part changed_part(const pc_gif *gif)
{
    if (gif->shown == 0) return (part){0, 0, gif->width, gif->height};
    int left = gif->width, right = -1, top = gif->height, bottom = -1;
    for (int y = 0; y < gif->height; y++) {
        const GifByteType *a = gif->now + y * gif->width, *b = gif->before + y * gif->width;
        if (memcmp(a, b, (size_t)gif->width) == 0) continue;
        if (top > y) top = y;
        bottom = y;
        for (int x = 0; x < gif->width; x++) {
            if (a[x] == b[x]) continue;
            if (left > x) left = x;
            if (right < x) right = x;
        }
    }
    if (right < 0) return (part){0, 0, 1, 1};
    return (part){left, top, right - left + 1, bottom - top + 1};
}

static bool put_picture(pc_gif *gif)
{
    part p = changed_part(gif);
    long begin = lround(100 * (double)gif->shown / gif->rate), end = lround(100 * (double)(gif->shown + 1) / gif->rate);
    GraphicsControlBlock control = {DISPOSE_DO_NOT, false, (int)(end - begin), NO_TRANSPARENT_COLOR};
    GifByteType bytes[4];
    size_t n = EGifGCBToExtension(&control, bytes);
    if (EGifPutExtension(gif->out, GRAPHICS_EXT_FUNC_CODE, (int)n, bytes) != GIF_OK) return false;
    if (EGifPutImageDesc(gif->out, p.left, p.top, p.width, p.height, false, NULL) != GIF_OK) return false;
    for (int y = 0; y < p.height; y++)
        if (EGifPutLine(gif->out, gif->now + (p.top + y) * gif->width + p.left, p.width) != GIF_OK) return false;
    return true;
}

/* ---- life ---- */

pc_status pc_gif_open(pc_gif **out, const char *path, int width, int height, double rate, pc_error *err)
{
    *out = NULL;
    if (!(rate > 0 && rate <= PC_GIF_RATE_MAX))
        return pc_fail(err, PC_E_ARGUMENT, "a GIF shows up to %d pictures a second, not %g", PC_GIF_RATE_MAX, rate);
    if (width < 1 || height < 1 || width > UINT16_MAX || height > UINT16_MAX)
        return pc_fail(err, PC_E_ARGUMENT, "%d x %d dots is not a size for a GIF", width, height);
    size_t size = (size_t)width * (size_t)height;
    pc_gif *gif = pc_calloc(1, sizeof *gif);
    if (gif) {
        *gif = (pc_gif){.width = width, .height = height, .rate = rate};
        gif->now = pc_calloc(size, 1);
        gif->before = pc_calloc(size, 1);
    }
    pc_status status = PC_OK;
    int code = 0;
    if (!gif || !gif->now || !gif->before) status = pc_fail(err, PC_E_MEMORY, "not enough memory for the pictures");
    if (status == PC_OK) status = pc_outfile_open(&gif->file, path, err);
    if (status == PC_OK) {
        gif->out = EGifOpen(gif, write_bytes, &code);
        if (!gif->out) status = fail_gif(gif, code, err);
    }
    if (status == PC_OK)
        *out = gif;
    else
        pc_gif_abandon(gif);
    return status;
}

pc_status pc_gif_add(pc_gif *gif, const unsigned char *pixels, pc_error *err)
{
    bool first = gif->shown == 0;
    pc_status status = first ? choose_colours(gif, pixels, err) : PC_OK;
    if (status != PC_OK) return status;
    size_t n = (size_t)gif->width * (size_t)gif->height;
    for (size_t i = 0; i < n; i++) gif->now[i] = index_of(gif, bin_of(pixels + 3 * i));
    if ((first && !put_head(gif)) || !put_picture(gif)) return fail_gif(gif, gif->out->Error, err);
    GifByteType *swap = gif->before;
    gif->before = gif->now;
    gif->now = swap;
    gif->shown++;
    return PC_OK;
}

/* Ends the file's data; false if it could not be written. */
static bool close_out(pc_gif *gif, int *code)
{
    GifFileType *out = gif->out;
    gif->out = NULL;
    return !out || EGifCloseFile(out, code) == GIF_OK;
}

pc_status pc_gif_commit(pc_gif *gif, pc_error *err)
{
    int code = 0;
    pc_status status = PC_OK;
    if (gif->shown == 0)
        status = pc_fail(err, PC_E_ARGUMENT, "a GIF needs a picture");
    else if (!close_out(gif, &code))
        status = fail_gif(gif, code, err);
    else
        status = pc_outfile_commit(&gif->file, err);
    pc_gif_abandon(gif);
    return status;
}

void pc_gif_abandon(pc_gif *gif)
{
    int code;
    if (!gif) return;
    close_out(gif, &code);
    pc_outfile_abandon(&gif->file);
    pc_free(gif->now);
    pc_free(gif->before);
    pc_free(gif);
}

#else

pc_status pc_gif_open(pc_gif **gif, const char *path, int width, int height, double rate, pc_error *err)
{
    *gif = NULL;
    (void)path, (void)width, (void)height, (void)rate;
    return pc_fail_missing(err, "giflib", "GIF files");
}

pc_status pc_gif_add(pc_gif *gif, const unsigned char *pixels, pc_error *err)
{
    (void)gif, (void)pixels;
    return pc_fail_missing(err, "giflib", "GIF files");
}

pc_status pc_gif_commit(pc_gif *gif, pc_error *err)
{
    (void)gif;
    return pc_fail_missing(err, "giflib", "GIF files");
}

void pc_gif_abandon(pc_gif *gif)
{
    (void)gif;
}

#endif
