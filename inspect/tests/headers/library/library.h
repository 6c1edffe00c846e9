#include "parts/part.h"
#include "../other/foreign.h"
#include <stdlib.h>
#include "sibling.h"
int own(void);
