/* What mechanics demands of every law, from many seeds. */
#define SEEDS 60
#include "test_laws.c"
