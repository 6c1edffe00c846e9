/* Nothing of its own. */
#include <stddef.h>
#include <foreign.h>
