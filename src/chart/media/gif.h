/* Moving pictures as GIF files that loop for ever, by giflib.
 *
 * A GIF has at most 256 colours: those that fill most of the first picture, to 6 bits a channel; what comes later takes
 * the nearest. Of each picture only the part that differs from the one before is stored. Times are kept in hundredths
 * of a second, so that their sum stays right whatever the rate. Without giflib none opens (pc_fail_missing).
 */
#ifndef PC_CHART_GIF_H
#define PC_CHART_GIF_H

#include "base/status.h"

/* Faster ones are slowed down by what shows them. */
enum { PC_GIF_RATE_MAX = 50 };

typedef struct pc_gif pc_gif;

/* rate: pictures a second, at most PC_GIF_RATE_MAX. The file appears at the commit, or not at all. */
pc_status pc_gif_open(pc_gif **gif, const char *path, int width, int height, double rate, pc_error *err);

/* One picture: width x height, three bytes each, the upper row first. */
pc_status pc_gif_add(pc_gif *gif, const unsigned char *pixels, pc_error *err);

/* Both end the life of the gif; NULL may be abandoned. PC_E_ARGUMENT: nothing was added. */
pc_status pc_gif_commit(pc_gif *gif, pc_error *err);
void pc_gif_abandon(pc_gif *gif);

#endif
