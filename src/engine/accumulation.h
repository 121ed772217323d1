/* Impacts that accumulate: infinitely many in finite time, and when they are over.
 *
 * The end of a sequence is extrapolated. Late in it intervals and speeds round (a gap of rounding d takes d/v), early
 * in it the motion may still change by the end: so it is found from several impacts, every time the speeds have halved,
 * and the one with the least error counts. From an impact with the speed v and the ratio r of speeds after and before,
 * the bounces are those of a point under a load A(t) + J s - S s (d - s)/2, s the time since the last impact and d that
 * of the bounce: A is a parabola through the loads after the last three impacts, J and S follow from the free motion of
 * the next bounce, and stay. Where restitution depends on the speed, the sequence is followed at the last load by the
 * law itself, to speeds far below any that occur.
 */
#ifndef PC_ENGINE_ACCUMULATION_H
#define PC_ENGINE_ACCUMULATION_H

#include "base/status.h"

#include <stdbool.h>

/* What is known of the last impacts, and of a sequence of gentle ones of one pair. */
typedef struct pc_accumulation {
    double time[5]; /* of the last impacts, the latest first; NaN: none */
    int pair[4];    /* that struck */
    double load[3]; /* that pressed the pair after the last ones, the latest first: normal accelerations, m/s^2 */
    double speed;   /* of parting from the last one, m/s */
    double ratio;   /* to that of approach */
    double anchor;  /* from the last impact that the end was found from */
    double end;     /* the best that was found, s; NaN: none */
    double error;   /* of that */
} pc_accumulation;

/* An impact with the speed v so gentle, beside what its contact has seen, that it can be one of the last of its
 * bounces. Those of several contacts may follow one another as closely while they are fast. */
bool pc_bounce_is_gentle(double v, double scale);

/* A bounce of the speed v that lasts d rises by v d/4 at most: whether that, or d beside t, is near rounding. */
bool pc_bounce_is_low(double v, double d, double length, double t);

/* No impact so far counts as one of a sequence; then one more. */
void pc_accumulation_forget(pc_accumulation *a);
void pc_accumulation_add(pc_accumulation *a, double t, int pair);

/* How long impacts go on after one at t, whose like have shrunk to nothing; 0: it is not known. */
double pc_accumulation_rest(const pc_accumulation *a, double t);

/* True if so little is left after the last impact, of approach v and in a gap of such lengths, that this is the end:
 * after *rest, with the ratio of speeds from one impact to the next. exact: that ratio, if it is known; else NaN. */
bool pc_accumulation_is_due(const pc_accumulation *a, double v, double length, double exact, double *ratio,
                            double *rest);

/* After the last impact its pair parts with the speed v, pressed by a load; *ratio: of speeds after and before; varies:
 * it depends on the speed. Where that continues no sequence of one pair it becomes NaN. True if the end can be found
 * better than before, for lengths in the gap that round: by the loads half of the way through the next bounce and at
 * its end; or, where the ratio varies, by pc_bounces_left. */
bool pc_accumulation_follow(pc_accumulation *a, double load, double v, bool varies, double *ratio);
void pc_accumulation_look_ahead(pc_accumulation *a, const double ahead[2], double length);
void pc_accumulation_foresee(pc_accumulation *a, double left, double length);

/* What gives the ratio of speeds after and before an impact of speed v. */
typedef pc_status pc_bounce_ratio(const void *context, double v, double *ratio, pc_error *err);

/* How long bounces go on under a steady load, the next of which begins with the speed v, as a multiple of that one; 0
 * where the ratio does not depend on the speed, or tends to 1 so fast that they never end. */
pc_status pc_bounces_left(pc_bounce_ratio *ratio, const void *context, double v, double *left, pc_error *err);

/* When the bounces of a pair are over, if at t that is known better than by this guess. */
double pc_accumulation_end(const pc_accumulation *a, int pair, double t, double guess);

#endif
