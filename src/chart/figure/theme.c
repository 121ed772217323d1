/* Themes, named colours and palettes: see theme.h.
 *
 * viridis: S. van der Walt and N. Smith (2015), in the public domain (CC0). cividis: J. R. Nunez, C. R. Anderton and
 * R. S. Renslow (2018), "Optimizing colormaps with consideration for color vision deficiency", PLoS ONE 13, e0199239.
 * Ten of their colours each; between them the error of a straight line is below what the eye sees.
 */
#include "chart/figure/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RGB(hex)                                                                                                       \
    {                                                                                                                  \
        ((hex) >> 16) & 0xFF, ((hex) >> 8) & 0xFF, (hex)&0xFF, true                                                    \
    }

/* Okabe and Ito's values. */
#define BLUE RGB(0x0072B2)
#define VERMILLION RGB(0xD55E00)
#define GREEN RGB(0x009E73)
#define PURPLE RGB(0xCC79A7)
#define ORANGE RGB(0xE69F00)
#define SKY RGB(0x56B4E9)
#define YELLOW RGB(0xF0E442)

const pc_theme pc_themes[] = {{.name = "light",
                               .page = RGB(0xFFFFFF),
                               .ink = RGB(0x1E1E1E),
                               .muted = RGB(0x666666),
                               .grid = RGB(0xE3E3E3),
                               .curve = {BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, RGB(0x1E1E1E)},
                               .tint = {RGB(0xEAF1F8), RGB(0xFBF0E4), RGB(0xE8F4EE), RGB(0xF6EDF3)}},
                              {.name = "dark",
                               .page = RGB(0x181A1F),
                               .ink = RGB(0xE6E6E6),
                               .muted = RGB(0xA0A4AB),
                               .grid = RGB(0x33363D),
                               .curve = {SKY, ORANGE, RGB(0x2CC295), PURPLE, YELLOW, RGB(0xF2803A), RGB(0xE6E6E6)},
                               .tint = {RGB(0x202B38), RGB(0x362B1E), RGB(0x1C312A), RGB(0x33263A)}},
                              {.name = NULL}};

static const struct {
    const char *name;
    pc_colour colour;
} named[] = {{"blue", BLUE},          {"vermillion", VERMILLION}, {"green", GREEN},
             {"purple", PURPLE},      {"orange", ORANGE},         {"sky", SKY},
             {"yellow", YELLOW},      {"black", RGB(0x000000)},   {"grey", RGB(0x808080)},
             {"white", RGB(0xFFFFFF)}};

const char *const pc_colour_names[] = {"blue",   "vermillion", "green", "purple", "orange", "sky",
                                       "yellow", "black",      "grey",  "white",  NULL};

const pc_theme *pc_theme_find(const char *name)
{
    for (const pc_theme *theme = pc_themes; theme->name; theme++) {
        if (strcmp(theme->name, name) == 0) return theme;
    }
    return NULL;
}

bool pc_colour_parse(const char *text, pc_colour *colour)
{
    if (text[0] == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6) {
        unsigned long hex = strtoul(text + 1, NULL, 16);
        *colour = (pc_colour){(unsigned char)(hex >> 16 & 0xFF), (unsigned char)(hex >> 8 & 0xFF),
                              (unsigned char)(hex & 0xFF), true};
        return true;
    }
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (strcmp(named[i].name, text) == 0) {
            *colour = named[i].colour;
            return true;
        }
    }
    return false;
}

/* Level 0..5 of the cube, whose channel values are 0, 95, 135, 175, 215, 255. */
static int cube_level(int channel)
{
    return channel < 48 ? 0 : channel < 115 ? 1 : (channel - 35) / 40;
}

int pc_colour_terminal(pc_colour colour)
{
    return 16 + 36 * cube_level(colour.red) + 6 * cube_level(colour.green) + cube_level(colour.blue);
}

/* --- palettes --- */

const pc_palette pc_palettes[] = {
    {"viridis",
     false,
     10,
     {0x440154, 0x482878, 0x3E4A89, 0x31688E, 0x26828E, 0x1F9E89, 0x35B779, 0x6DCD59, 0xB4DE2C, 0xFDE725}},
    {"cividis",
     false,
     10,
     {0x00204D, 0x00336F, 0x39486B, 0x575C6D, 0x707173, 0x8A8779, 0xA69D75, 0xC4B56C, 0xE4CF5B, 0xFFEA46}},
    {"grey", false, 2, {0x202020, 0xF4F4F4}},
    /* Okabe and Ito's blue and vermillion, darkened outwards and lightened inwards */
    {"diverging", true, 7, {0x0A3560, 0x0072B2, 0x9CC7E2, 0xF4F4F1, 0xF0BB92, 0xD55E00, 0x702C00}},
    {.name = 0},
};

static double channel(unsigned from, unsigned to, int shift, double part)
{
    double a = from >> shift & 0xFF, b = to >> shift & 0xFF;
    return a + part * (b - a);
}

pc_colour pc_palette_at(const pc_palette *palette, double at)
{
    double place = fmin(fmax(at, 0), 1) * (palette->n - 1);
    int i = (int)fmin(floor(place), palette->n - 2);
    double part = place - i;
    unsigned a = palette->points[i], b = palette->points[i + 1];
    return (pc_colour){(unsigned char)(channel(a, b, 16, part) + 0.5), (unsigned char)(channel(a, b, 8, part) + 0.5),
                       (unsigned char)(channel(a, b, 0, part) + 0.5), true};
}

/* sRGB to linear light (IEC 61966-2-1). */
static double linear_light(unsigned char value)
{
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

double pc_colour_lightness(pc_colour colour)
{
    double y =
        0.2126 * linear_light(colour.red) + 0.7152 * linear_light(colour.green) + 0.0722 * linear_light(colour.blue);
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}
