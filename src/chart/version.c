/* The versions of the libraries that draw: see version.h. PLplot and GLib tell the one that is loaded, chafa only the
 * one its headers came from. */
#include "chart/version.h"

#include <chafa.h>
#include <plplot.h>
#include <stdio.h>

char *pc_chart_versions(char *text, size_t size)
{
    char plplot[80];
    plgver(plplot);
    snprintf(text, size, "PLplot %s\nchafa %d.%d.%d\nGLib %u.%u.%u\n", plplot, CHAFA_MAJOR_VERSION, CHAFA_MINOR_VERSION,
             CHAFA_MICRO_VERSION, glib_major_version, glib_minor_version, glib_micro_version);
    return text;
}
