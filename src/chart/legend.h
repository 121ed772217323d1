/* What a legend holds and where it hides least. */
#ifndef PC_CHART_LEGEND_H
#define PC_CHART_LEGEND_H

#include "chart/layout.h"

/* Fill the entries of a panel and find a free place for them inside its frame. True if one was found: then the
 * layout holds it. False if every place would hide something, or the legend is as large as the frame. */
pc_status pc_legend_place_inside(const pc_panel *panel, const pc_type_sizes *type, pc_panel_layout *layout,
                                 bool *placed, pc_error *err);

/* Entries of the panel; those already there are forgotten. */
void pc_legend_collect(const pc_panel *panel, const pc_type_sizes *type, pc_panel_layout *layout);

/* Rows that the entries take when they flow above a frame of this width, and their places there: `y` is the middle of
 * the lowest row. */
int pc_legend_rows(const pc_panel *panel, const pc_type_sizes *type, pc_panel_layout *layout);
void pc_legend_place_above(const pc_panel *panel, const pc_type_sizes *type, pc_panel_layout *layout, double y);

#endif
