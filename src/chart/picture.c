/* Pictures as escape sequences: see picture.h.
 *
 * kitty's "terminal graphics protocol" and iTerm2's "inline images protocol" take PNG files, a twentieth of the bytes
 * that raw pixels need: that is felt over a slow line. Sixels have to be made from pixels, with a palette, which chafa
 * does.
 */
#include "chart/picture.h"

#include <chafa.h>

/* Append bytes in base64 (RFC 4648). */
static void put_base64(const char *bytes, size_t size, pc_buffer *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        unsigned group = 0;
        for (size_t k = 0; k < 3; k++) group = group << 8 | (i + k < size ? (unsigned char)bytes[i + k] : 0);
        char text[4];
        for (size_t k = 0; k < 4; k++) text[k] = i + k <= size ? digits[group >> (18 - 6 * k) & 63] : '=';
        pc_buffer_append(out, text, sizeof text);
    }
}

void pc_picture_kitty(const pc_buffer *png, int columns, int rows, pc_buffer *out)
{
    enum { CHUNK = 3072 }; /* 4096 letters, the most that one sequence may carry */
    for (size_t i = 0; i < png->size; i += CHUNK) {
        size_t size = png->size - i < CHUNK ? png->size - i : CHUNK;
        int more = i + size < png->size;
        /* a=T: send and show; f=100: a PNG file; q=2: no answer, which would arrive as typed input */
        if (i == 0)
            pc_buffer_print(out, "\033_Ga=T,f=100,q=2,c=%d,r=%d,m=%d;", columns, rows, more);
        else
            pc_buffer_print(out, "\033_Gm=%d;", more);
        put_base64(png->data + i, size, out);
        pc_buffer_print(out, "\033\\");
    }
    pc_buffer_put(out, '\n');
}

void pc_picture_iterm(const pc_buffer *png, int columns, int rows, pc_buffer *out)
{
    pc_buffer_print(out, "\033]1337;File=inline=1;size=%zu;width=%d;height=%d;preserveAspectRatio=0:", png->size,
                    columns, rows);
    put_base64(png->data, png->size, out);
    pc_buffer_print(out, "\a\n");
}

pc_status pc_picture_sixel(const pc_buffer *pixels, int columns, int rows, int cell_width, int cell_height,
                           pc_buffer *out, pc_error *err)
{
    /* the usual sequences: whether this terminal knows them was asked before */
    ChafaTermInfo *info = chafa_term_db_get_fallback_info(chafa_term_db_get_default());
    ChafaCanvasConfig *config = chafa_canvas_config_new();
    chafa_canvas_config_set_geometry(config, columns, rows);
    chafa_canvas_config_set_cell_geometry(config, cell_width, cell_height);
    chafa_canvas_config_set_pixel_mode(config, CHAFA_PIXEL_MODE_SIXELS);
    chafa_canvas_config_set_dither_mode(config, CHAFA_DITHER_MODE_NONE);
    ChafaCanvas *canvas = chafa_canvas_new(config);
    int width = columns * cell_width, height = rows * cell_height;
    chafa_canvas_draw_all_pixels(canvas, CHAFA_PIXEL_RGB8, (const guint8 *)pixels->data, width, height, 3 * width);
    GString *text = chafa_canvas_print(canvas, info);
    pc_status status = text->len > 0 ? PC_OK : pc_fail(err, PC_E_UNSUPPORTED, "this chafa makes no sixels");
    pc_buffer_append(out, text->str, text->len);
    pc_buffer_put(out, '\n');
    g_string_free(text, TRUE);
    chafa_canvas_unref(canvas);
    chafa_canvas_config_unref(config);
    chafa_term_info_unref(info);
    return status;
}
