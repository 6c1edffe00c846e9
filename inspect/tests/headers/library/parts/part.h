int of_part(void);
#include "../sibling.h"
