#include <stddef.h>
#include <stdint.h>
int64_t room(size_t n) { return (int64_t)n; }
