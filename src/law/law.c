/* The list of laws: see laws.def. */
#include "law/law.h"

#define PC_LAW(name) extern const pc_law pc_law_##name;
#include "law/laws.def"
#undef PC_LAW

const pc_law *const pc_laws[] = {
#define PC_LAW(name) &pc_law_##name,
#include "law/laws.def"
#undef PC_LAW
};

const int pc_n_laws = sizeof pc_laws / sizeof pc_laws[0];
