/* Palettes: see palette.h.
 *
 * viridis: S. van der Walt and N. Smith (2015), in the public domain (CC0). cividis: J. R. Nunez, C. R. Anderton and
 * R. S. Renslow (2018), "Optimizing colormaps with consideration for color vision deficiency", PLoS ONE 13, e0199239.
 * Ten of their colours each; between them the error of a straight line is below what the eye sees.
 */
#include "chart/palette.h"

#include <math.h>

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
