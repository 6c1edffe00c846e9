/* Every C type of OpenDyn 1.0 in every place where a document can put it.
 *
 * One X-macro writes the five functions of a type, so that no type can be forgotten in one of
 * the places. The functions return their argument: a test that sees another value has found a
 * wrong width, a wrong sign or a wrong register. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The C type, its name in the names of the functions, and an operator that changes every value of
 * the type: the value that is written back through a pointer must differ. */
#define EACH_TYPE(X)                                  \
    X(bool, bool, !)                                  \
    X(char, char, ~)                                  \
    X(unsigned char, unsigned_char, ~)                \
    X(short, short, ~)                                \
    X(unsigned short, unsigned_short, ~)              \
    X(int, int, ~)                                    \
    X(unsigned int, unsigned_int, ~)                  \
    X(long, long, ~)                                  \
    X(unsigned long, unsigned_long, ~)                \
    X(long long, long_long, ~)                        \
    X(unsigned long long, unsigned_long_long, ~)      \
    X(float, float, -)                                \
    X(double, double, -)

/* The same C types with another JSON type: truth values in integers. */
#define EACH_FLAG(X)                                  \
    X(int, int_flag, !)                               \
    X(unsigned char, unsigned_char_flag, !)

#define FUNCTIONS(type, name, change)                 \
    type value_##name(type x) { return x; }           \
    type in_##name(type *p)                           \
    {                                                 \
        type before = *p;                             \
        *p = (type)(change before);                   \
        return before;                                \
    }                                                 \
    void out_##name(type x, type *value) { *value = x; } \
    type *return_##name(type x)                       \
    {                                                 \
        static type kept;                             \
        kept = x;                                     \
        return &kept;                                 \
    }                                                 \
    type last_##name(const type *values, int count)   \
    {                                                 \
        return values[count - 1];                     \
    }

EACH_TYPE(FUNCTIONS)
EACH_FLAG(FUNCTIONS)

/* Characters in strings of one byte; a `string` that is a pointer is a whole string. */
char value_letter(char x) { return x; }
unsigned char value_unsigned_letter(unsigned char x) { return x; }

/* void* as a parameter, as an output and as a return value. The output is what OpenDyn 1.0 can
 * say about it: a pointer to memory that the function fills. */
static int target = 42;

int in_void(void *p) { return p ? *(int *)p : -1; }
void out_void(void *value) { memcpy(value, &target, sizeof target); }
void *return_void(void) { return &target; }

/* Strings of char and unsigned char. The length in bytes shows whether the string arrived
 * unchanged; the returned text is valid until the next call. */
static char text[64];

unsigned long length(const char *s) { return strlen(s); }
unsigned long unsigned_length(const unsigned char *s) { return strlen((const char *)s); }

char *twice(const char *s)
{
    size_t size = strlen(s);
    if (2 * size >= sizeof text)
        return NULL;
    memcpy(text, s, size);
    memcpy(text + size, s, size + 1);
    return text;
}

unsigned char *unsigned_twice(const unsigned char *s)
{
    return (unsigned char *)twice((const char *)s);
}

/* Documented as `bool`, but the byte is 2, which C code does produce: with a union, with memset, or
 * from a language with other truth values. Declared as bytes here, because a bool that is 2 is
 * undefined for the C compiler too. */
static unsigned char two = 2;

unsigned char two_value(void) { return two; }
void two_in(unsigned char *p) { *p = two; }
void two_out(unsigned char *value) { *value = two; }
unsigned char *two_return(void) { return &two; }

/* An int that is true without being 1, and whose low byte is 0. */
int high_bit_flag(void) { return 256; }
