/* The linear law's batch kernel behind the contract of law/map.h. */
#include "law/linear/linear.h"
#include "law/map.h"

#include <string.h>

static pc_linear_column column(pc_column from)
{
    return (pc_linear_column){from.values, from.fixed};
}

/* The column of one parameter, by its name in the schema; the map's own parameters where it has none. */
static pc_linear_column parameter(const pc_map *map, const char *name, double fixed)
{
    if (!map->rows) return (pc_linear_column){NULL, fixed};
    return column(map->rows[pc_schema_find(pc_law_linear.schema, name)]);
}

pc_status pc_linear_map_columns(const pc_map *map, size_t *failed, pc_error *err)
{
    const pc_linear *params = map->params;
    pc_linear_batch batch = {
        .w_tt = column(map->w_tt),
        .w_tn = column(map->w_tn),
        .w_nn = column(map->w_nn),
        .rank = column(map->rank),
        .v_t = column(map->v_t),
        .v_n = column(map->v_n),
        .kn = parameter(map, "stiffness", params->kn),
        .eta = parameter(map, "stiffness_ratio", params->eta),
        .mu = parameter(map, "friction", params->mu),
        .restitution = parameter(map, "restitution", params->restitution),
        .after_t = map->out[PC_MAP_VT],
        .after_n = map->out[PC_MAP_VN],
        .p_t = map->out[PC_MAP_PT],
        .p_n = map->out[PC_MAP_PN],
        .duration = map->out[PC_MAP_DURATION],
        .compression_time = map->out[PC_MAP_COMPRESSION_TIME],
        .peak_n = map->out[PC_MAP_PEAK_N],
        .work_n = map->out[PC_MAP_WORK_N],
        .work_f = map->out[PC_MAP_WORK_F],
        .loss = map->out[PC_MAP_LOSS],
        .loss_fraction = map->out[PC_MAP_LOSS_OF_MAX],
        .outcome = map->out[PC_MAP_OUTCOME],
        .phases = map->out[PC_MAP_PHASES],
    };
    pc_status status = pc_linear_map(&batch, map->n, failed, err);
    if (!status && *failed)
        pc_fail(err, PC_E_NUMERIC, "%s: W is not positive semi-definite, or there are more phases than can be computed",
                pc_law_linear.schema->name);
    return status;
}
