/* Figures and their panels as userdata. A figure owns everything; a panel keeps its figure alive. */
#ifndef PC_BIND_CHART_CHART_H
#define PC_BIND_CHART_CHART_H

#include "bind/core/bind.h"
#include "chart/figure/figure.h"

/* figure == NULL: not made yet. */
typedef struct pc_bound_figure {
    pc_figure *figure;
} pc_bound_figure;

/* The panel belongs to the figure in user value 1. */
typedef struct pc_bound_panel {
    pc_panel *panel;
} pc_bound_panel;

enum { PC_PANEL_FIGURE = 1 };

extern const pc_type pc_type_figure, pc_type_panel;

#endif
