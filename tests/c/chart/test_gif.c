/* Moving pictures: files are decoded again, and every dot compared. */
#include "base/alloc.h"
#include "chart/media/media.h"
#include "rng.h"
#include "scratch.h"
#include "unit.h"

#include <gif_lib.h>
#include <math.h>

#include <stdio.h>
#include <unistd.h>

enum { WIDTH = 60, HEIGHT = 40, DOTS = WIDTH * HEIGHT };

static char path[SCRATCH_SIZE];

static void new_path(void)
{
    scratch_pattern(path);
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static GifFileType *decode(void)
{
    int code = 0;
    GifFileType *file = DGifOpenFileName(path, &code);
    ck_assert_msg(file != NULL, "%s", GifErrorString(code));
    ck_assert_int_eq(DGifSlurp(file), GIF_OK);
    return file;
}

/* Lay picture k over what is shown. */
static void lay(const GifFileType *file, int k, unsigned char *shown)
{
    const SavedImage *image = &file->SavedImages[k];
    const GifImageDesc *d = &image->ImageDesc;
    for (int y = 0; y < d->Height; y++) {
        for (int x = 0; x < d->Width; x++) {
            GifColorType c = file->SColorMap->Colors[image->RasterBits[y * d->Width + x]];
            unsigned char *dot = shown + 3 * ((d->Top + y) * WIDTH + d->Left + x);
            dot[0] = c.Red;
            dot[1] = c.Green;
            dot[2] = c.Blue;
        }
    }
}

static int delay_of(GifFileType *file, int k)
{
    GraphicsControlBlock control;
    ck_assert_int_eq(DGifSavedExtensionToGCB(file, k, &control), GIF_OK);
    ck_assert_int_eq(control.DisposalMode, DISPOSE_DO_NOT);
    ck_assert_int_eq(control.TransparentColor, NO_TRANSPARENT_COLOR);
    return control.DelayTime;
}

static void set(unsigned char *pixels, int x, int y, int red, int green, int blue)
{
    unsigned char *dot = pixels + 3 * (y * WIDTH + x);
    dot[0] = (unsigned char)red;
    dot[1] = (unsigned char)green;
    dot[2] = (unsigned char)blue;
}

/* White with a square that moves, and a few shades. */
static void draw(int k, unsigned char *pixels)
{
    memset(pixels, 255, 3 * DOTS);
    for (int x = 0; x < 30; x++) set(pixels, x, 0, 8 * x, 0, 255 - 8 * x);
    for (int y = 10; y < 15; y++)
        for (int x = 5 + 4 * k; x < 10 + 4 * k; x++) set(pixels, x, y, 0, 114, 178);
}

START_TEST(what_is_decoded_is_what_was_drawn)
{
    enum { PICTURES = 7 };
    pc_error err = {0};
    pc_gif *gif;
    unsigned char pixels[3 * DOTS], shown[3 * DOTS];
    new_path();
    ck_assert_int_eq(pc_gif_open(&gif, path, WIDTH, HEIGHT, 30, &err), PC_OK);
    for (int k = 0; k < PICTURES; k++) {
        draw(k == 4 ? 3 : k, pixels); /* one repeats */
        ck_assert_int_eq(pc_gif_add(gif, pixels, &err), PC_OK);
    }
    ck_assert_int_eq(pc_gif_commit(gif, &err), PC_OK);

    GifFileType *file = decode();
    ck_assert_int_eq(file->ImageCount, PICTURES);
    ck_assert_int_eq(file->SWidth, WIDTH);
    ck_assert_int_eq(file->SHeight, HEIGHT);
    int time = 0;
    for (int k = 0; k < PICTURES; k++) {
        draw(k == 4 ? 3 : k, pixels);
        lay(file, k, shown);
        for (int i = 0; i < 3 * DOTS; i++) { /* 6 bits a channel: white and black are exact, the rest within 3 */
            int off = abs(pixels[i] - shown[i]);
            ck_assert_int_le(off, pixels[i] == 255 || pixels[i] == 0 ? 0 : 3);
        }
        time += delay_of(file, k);
        ck_assert_int_eq(time, (int)(100.0 * (k + 1) / 30 + 0.5));
    }
    ck_assert_int_eq(file->SavedImages[4].ImageDesc.Width, 1); /* nothing changed */
    ck_assert_int_eq(file->SavedImages[2].ImageDesc.Height, 5);
    ck_assert_int_eq(file->SavedImages[2].ImageDesc.Width, 9);

    /* it loops for ever */
    const SavedImage *first = &file->SavedImages[0];
    bool loops = false;
    for (int i = 0; i + 1 < first->ExtensionBlockCount; i++) {
        const ExtensionBlock *block = &first->ExtensionBlocks[i], *next = block + 1;
        if (block->Function != APPLICATION_EXT_FUNC_CODE || block->ByteCount != 11) continue;
        ck_assert_mem_eq(block->Bytes, "NETSCAPE2.0", 11);
        ck_assert_int_eq(next->ByteCount, 3);
        ck_assert_mem_eq(next->Bytes, "\1\0\0", 3);
        loops = true;
    }
    ck_assert(loops);
    DGifCloseFile(file, NULL);
    unlink(path);
}
END_TEST

START_TEST(more_colours_than_it_has_become_the_nearest)
{
    pc_error err = {0};
    pc_gif *gif;
    pc_rng rng;
    unsigned char pixels[3 * DOTS], shown[3 * DOTS];
    pc_rng_seed(&rng, 4);
    for (int i = 0; i < 3 * DOTS; i++) pixels[i] = (unsigned char)pc_rng_below(&rng, 256);
    for (int i = 0; i < 30 * WIDTH; i++) memset(pixels + 3 * i, 255, 3); /* most of it is white */
    new_path();
    ck_assert_int_eq(pc_gif_open(&gif, path, WIDTH, HEIGHT, 10, &err), PC_OK);
    ck_assert_int_eq(pc_gif_add(gif, pixels, &err), PC_OK);
    ck_assert_int_eq(pc_gif_commit(gif, &err), PC_OK);
    GifFileType *file = decode();
    lay(file, 0, shown);
    const ColorMapObject *map = file->SColorMap;
    ck_assert_int_eq(map->ColorCount, 256);
    ck_assert_mem_eq(pixels, shown, 3 * 30 * WIDTH);
    for (int i = 30 * WIDTH; i < DOTS; i++) {
        int got = 0, least = 3 * 256 * 256;
        for (int k = 0; k < 3; k++)
            got += (pixels[3 * i + k] - shown[3 * i + k]) * (pixels[3 * i + k] - shown[3 * i + k]);
        for (int c = 0; c < 256; c++) {
            int r = map->Colors[c].Red - pixels[3 * i], g = map->Colors[c].Green - pixels[3 * i + 1];
            int b = map->Colors[c].Blue - pixels[3 * i + 2], off = r * r + g * g + b * b;
            if (off < least) least = off;
        }
        /* the nearest by 6 bits a channel: half a step of 4 in each, on both sides */
        ck_assert_double_le(sqrt((double)got), sqrt((double)least) + 2 * sqrt(3) * 2.5);
    }
    DGifCloseFile(file, NULL);
    unlink(path);
}
END_TEST

START_TEST(what_cannot_be_is_refused_and_leaves_nothing)
{
    pc_error err = {0};
    pc_gif *gif;
    unsigned char pixels[3 * DOTS] = {0};
    ck_assert_int_eq(pc_gif_open(&gif, "/nowhere/a.gif", WIDTH, HEIGHT, 10, &err), PC_E_SYSTEM);
    ck_assert_int_eq(pc_gif_open(&gif, path, WIDTH, HEIGHT, 51, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_gif_open(&gif, path, WIDTH, 0, 10, &err), PC_E_ARGUMENT);
    new_path();
    unlink(path);
    ck_assert_int_eq(pc_gif_open(&gif, path, WIDTH, HEIGHT, 10, &err), PC_OK);
    ck_assert_int_eq(pc_gif_commit(gif, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(access(path, F_OK), -1);
    ck_assert_int_eq(pc_gif_open(&gif, path, WIDTH, HEIGHT, 10, &err), PC_OK);
    ck_assert_int_eq(pc_gif_add(gif, pixels, &err), PC_OK);
    pc_gif_abandon(gif);
    ck_assert_int_eq(access(path, F_OK), -1);
    /* a full disk */
    ck_assert_int_eq(pc_gif_open(&gif, "/dev/full", WIDTH, HEIGHT, 10, &err), PC_OK);
    ck_assert_int_eq(pc_gif_add(gif, pixels, &err), PC_OK);
    ck_assert_int_eq(pc_gif_commit(gif, &err), PC_E_SYSTEM);
}
END_TEST

START_TEST(memory_may_run_out_anywhere)
{
    pc_error err = {0};
    unsigned char pixels[3 * DOTS] = {0};
    new_path();
    long live = pc_alloc_live();
    bool done = false;
    for (long k = 0; !done && k < 50; k++) {
        pc_gif *gif;
        pc_alloc_fail_after(k);
        pc_status status = pc_gif_open(&gif, path, WIDTH, HEIGHT, 10, &err);
        if (status == PC_OK) status = pc_gif_add(gif, pixels, &err);
        if (status == PC_OK)
            status = pc_gif_commit(gif, &err);
        else
            pc_gif_abandon(gif);
        pc_alloc_fail_after(-1);
        done = status == PC_OK;
        if (!done) ck_assert_int_eq(status, PC_E_MEMORY);
        ck_assert_int_eq(pc_alloc_live(), live);
    }
    ck_assert(done);
    unlink(path);
}
END_TEST

UNIT_MAIN("gif", 60, what_is_decoded_is_what_was_drawn, more_colours_than_it_has_become_the_nearest,
          what_cannot_be_is_refused_and_leaves_nothing, memory_may_run_out_anywhere)
