/* Lines of equal value of a field. */
#ifndef PC_CHART_CONTOUR_H
#define PC_CHART_CONTOUR_H

#include "chart/curve.h"
#include "chart/field.h"

/* Gives every line of a level to the sink, in the units of the axes. A closed line ends at its first point. Cells
 * with a value that is not finite have no line. Between grid points values run straight; where a cell has two lines,
 * the mean of its corners says which corners they join. */
pc_status pc_contour_trace(const pc_field *field, double level, pc_run_sink sink, void *context, pc_error *err);

#endif
