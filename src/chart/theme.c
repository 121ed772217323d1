/* Themes and named colours: see theme.h. */
#include "chart/theme.h"

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
