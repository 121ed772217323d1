/* chafa: see media.h. GLib tells the version that is loaded, chafa only the one its headers came from. */
#include "chart/media/media.h"

#ifdef PC_HAVE_CHAFA

#include <chafa.h>

#include <stdio.h>

pc_pixels pc_chafa_detect(void)
{
    /* in order of preference: sixels lose colours to a palette */
    static const struct {
        pc_pixels way;
        ChafaTermSeq needs;
    } ways[] = {
        {PC_PIXELS_KITTY, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1},
        {PC_PIXELS_ITERM, CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE},
        {PC_PIXELS_SIXEL, CHAFA_TERM_SEQ_BEGIN_SIXELS},
    };
    gchar **variables = g_get_environ();
    ChafaTermInfo *info = chafa_term_db_detect(chafa_term_db_get_default(), variables);
    g_strfreev(variables);
    pc_pixels best = PC_PIXELS_NONE;
    for (size_t i = sizeof ways / sizeof *ways; i-- > 0;) {
        if (chafa_term_info_have_seq(info, ways[i].needs)) best = ways[i].way;
    }
    chafa_term_info_unref(info);
    return best;
}

pc_status pc_chafa_sixel(const pc_buffer *pixels, int columns, int rows, int cell_width, int cell_height,
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

char *pc_chafa_versions(char *text, size_t size)
{
    snprintf(text, size, "chafa %d.%d.%d\nGLib %u.%u.%u\n", CHAFA_MAJOR_VERSION, CHAFA_MINOR_VERSION,
             CHAFA_MICRO_VERSION, glib_major_version, glib_minor_version, glib_micro_version);
    return text;
}

#else

pc_pixels pc_chafa_detect(void)
{
    return PC_PIXELS_NONE;
}

pc_status pc_chafa_sixel(const pc_buffer *pixels, int columns, int rows, int cell_width, int cell_height,
                         pc_buffer *out, pc_error *err)
{
    (void)pixels, (void)columns, (void)rows, (void)cell_width, (void)cell_height, (void)out;
    return pc_fail_missing(err, "chafa", "sixels");
}

char *pc_chafa_versions(char *text, size_t size)
{
    if (size) text[0] = '\0';
    return text;
}

#endif
