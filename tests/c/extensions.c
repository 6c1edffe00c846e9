/* One function for every spelling of x-cType, and symbols that differ from the functions' names. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#define ECHO(type)                                                                                 \
    type echo_##type(type value, type *next)                                                       \
    {                                                                                              \
        *next = (type)((unsigned long long)value + 1);                                             \
        return value;                                                                              \
    }

ECHO(size_t)
ECHO(ssize_t)
ECHO(ptrdiff_t)
ECHO(intptr_t)
ECHO(uintptr_t)
ECHO(int8_t)
ECHO(uint8_t)
ECHO(int16_t)
ECHO(uint16_t)
ECHO(int32_t)
ECHO(uint32_t)
ECHO(int64_t)
ECHO(uint64_t)

size_t text_length(const uint8_t *text) { return strlen((const char *)text); }

/* Every value except 0 is true. */
uint32_t is_even(uint64_t value) { return value % 2 == 0 ? 0x100 : 0; }

int8_t initial(const char *text) { return (int8_t)text[0]; }

size_t sum_sizes(const size_t *sizes, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += sizes[i];
    return sum;
}

uint16_t ext_library_version_2(void) { return 65535; }

int32_t ext_with_dash(void) { return 42; }
