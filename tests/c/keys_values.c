/* Variadic functions, defaults and enums, described by fixtures/keys-values.
 *
 * Functions with many arguments return a text of their values, valid until the next call. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char seen[512];

/* Variadic: one letter per following argument, as C promotes it. */
const char *describe(const char *kinds, ...)
{
    size_t length = 0;
    va_list args;
    va_start(args, kinds);
    seen[0] = 0;
    for (; *kinds; kinds++) {
        char *end = seen + length;
        size_t room = sizeof seen - length;
        switch (*kinds) {
        case 'i': length += (size_t)snprintf(end, room, "i%d ", va_arg(args, int)); break;
        case 'u': length += (size_t)snprintf(end, room, "u%u ", va_arg(args, unsigned int)); break;
        case 'l': length += (size_t)snprintf(end, room, "l%lld ", va_arg(args, long long)); break;
        case 'd': length += (size_t)snprintf(end, room, "d%g ", va_arg(args, double)); break;
        case 's': length += (size_t)snprintf(end, room, "s%s ", va_arg(args, const char *)); break;
        default: length += (size_t)snprintf(end, room, "? "); break;
        }
    }
    va_end(args);
    return seen;
}

/* Variadic, with a count. */
long sum_variadic(int count, ...)
{
    long sum = 0;
    va_list args;
    va_start(args, count);
    for (int i = 0; i < count; i++)
        sum += va_arg(args, int);
    va_end(args);
    return sum;
}

/* Variadic, with an output among the fixed ones. */
int format_two(char *buffer, size_t n, ...)
{
    va_list args;
    va_start(args, n);
    int first = va_arg(args, int);
    double second = va_arg(args, double);
    va_end(args);
    return snprintf(buffer, n, "%d %g", first, second);
}

/* Defaults: of each scalar, of text, of an enum. */
const char *defaults(bool flag, char c, unsigned char byte, short s, int i, unsigned int u, long long ll,
                     size_t size, float f, double d, const char *text, int color, const char *unit)
{
    snprintf(seen, sizeof seen, "%d %d %d %d %d %u %lld %zu %g %g %s %d %s", flag, c, byte, s, i, u, ll, size,
             f, d, text == NULL ? "NULL" : text, color, unit == NULL ? "NULL" : unit);
    return seen;
}

/* Enums: integers. Red is 1, green 2, blue -4; 99 is not a color. */

int color_value(int color) { return color; }
int color_of(int value) { return value; }
unsigned char level_of(unsigned char level) { return level; }
long long wide_of(long long value) { return value; }
void color_out(int value, int *color) { *color = value; }
void color_next(int *color) { *color = *color == 1 ? 2 : *color == 2 ? -4 : 99; }
int color_or(int color) { return color == 0 ? 1000 : color; }

const int *color_pointed(bool there)
{
    static const int blue = -4;
    return there ? &blue : NULL;
}

int colors_sum(const int *colors, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += colors[i];
    return sum;
}

void colors_fill(int *colors, int n)
{
    static const int all[] = { 1, 2, -4, 99 };
    for (int i = 0; i < n; i++)
        colors[i] = all[i % 4];
}

/* Enums: strings. mm, cm and m; furlong is not a unit. */

int unit_millimetres(const char *unit)
{
    if (unit == NULL)
        return -1;
    return strcmp(unit, "mm") == 0 ? 1 : strcmp(unit, "cm") == 0 ? 10 : strcmp(unit, "m") == 0 ? 1000 : 0;
}

const char *unit_name(int i)
{
    static const char *const names[] = { "mm", "cm", "m", "furlong" };
    return i < 0 || i > 3 ? NULL : names[i];
}

void unit_out(int i, const char **unit) { *unit = unit_name(i); }
