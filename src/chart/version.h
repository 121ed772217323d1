/* The versions of the libraries that draw. */
#ifndef PC_CHART_VERSION_H
#define PC_CHART_VERSION_H

#include <stddef.h>

/* One line each: "PLplot 5.15.0\nchafa 1.12.4\nGLib 2.74.6\n". Returns `text`. */
char *pc_chart_versions(char *text, size_t size);

#endif
