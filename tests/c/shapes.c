/* The shapes of functions that OpenDyn 1.0 describes: several results and none, optional
 * arguments of every kind, NULL, text of every kind, and pointers of unknown length.
 *
 * Functions with many arguments return a text of their values, so that one reply shows whether
 * every argument arrived in its place. Such texts are valid until the next call. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The convention exists only on 32-bit x86; elsewhere the keyword has no effect. */
#if defined(__i386__)
#define STDCALL __attribute__((stdcall))
#else
#define STDCALL
#endif

static char seen[256];

/* Results. */

int shape_divide(int a, int b, int *quotient, int *remainder)
{
    if (b == 0)
        return 7;
    *quotient = a / b;
    *remainder = a % b;
    return 0;
}

void shape_measure(const char *s, unsigned long *length, bool *ascii, char *first)
{
    *length = strlen(s);
    *ascii = true;
    for (const char *c = s; *c; c++)
        *ascii = *ascii && (unsigned char)*c < 0x80;
    *first = *s;
}

char *shape_name(int number, int *length)
{
    static char *names[] = { "zero", "one", "two" };
    *length = -1;
    if (number < 0 || number > 2)
        return NULL;
    *length = (int)strlen(names[number]);
    return names[number];
}

static int kept;

#ifndef WITHOUT_SET
void shape_set(int x) { kept = x; }
#endif
int shape_get(void) { return kept; }

#ifdef WITH_EXTRA
int extra(int x) { return x + 1; }
#endif

/* Optional arguments. */

char *see_values(int number, bool flag, int truth, double ratio, char letter)
{
    snprintf(seen, sizeof seen, "%d %d %d %g %d", number, flag, truth, ratio, letter);
    return seen;
}

char *see_texts(const char *text, const unsigned char *bytes)
{
    snprintf(seen, sizeof seen, "%s %s", text ? text : "NULL", bytes ? (const char *)bytes : "NULL");
    return seen;
}

/* Changes its argument. */
char *see_pointers(int *number, double *ratio, bool *flag, int *truth)
{
    char *end = seen;
    end += number ? sprintf(end, "%d ", (*number)++) : sprintf(end, "NULL ");
    end += ratio ? sprintf(end, "%g ", *ratio) : sprintf(end, "NULL ");
    end += flag ? sprintf(end, "%d ", *flag) : sprintf(end, "NULL ");
    end += truth ? sprintf(end, "%d", *truth) : sprintf(end, "NULL");
    if (flag)
        *flag = !*flag;
    if (truth)
        *truth = *truth ? 0 : 256;
    return seen;
}

int see_object(void *object) { return object ? *(int *)object : -1; }

/* Twelve arguments of every width: more than there are registers. */
char *twelve(char a, unsigned char b, short c, unsigned short d, int e, unsigned int f, long g,
             unsigned long h, long long i, float j, double k, const char *l)
{
    snprintf(seen, sizeof seen, "%d %u %d %u %d %u %ld %lu %lld %g %g %s", a, b, c, d, e, f, g, h, i,
             (double)j, k, l);
    return seen;
}

/* Texts and NULL. */

char *null_text(void) { return NULL; }
int *null_number(void) { return NULL; }
bool *null_flag(void) { return NULL; }
char *latin_text(void) { return "caf\xe9 au lait"; }
char latin_letter(void) { return (char)0xe9; }

char *echo(const char *text)
{
    static char *copy;
    char *grown = realloc(copy, strlen(text) + 1);
    if (!grown)
        return NULL;
    copy = grown;
    return strcpy(copy, text);
}

/* 0 for NaN, otherwise the infinity of that sign. */
double special(int sign) { return sign ? sign / 0.0 : 0.0 / 0.0; }
float special_float(int sign) { return (float)special(sign); }
void special_out(int sign, double *before, double *value, double *after)
{
    *before = 1;
    *value = special(sign);
    *after = 2;
}

/* Pointers without a length. */

long sum(const int *values, int count)
{
    long total = 0;
    for (int i = 0; values && i < count; i++)
        total += values[i];
    return total;
}

int count_true(const bool *flags, int count)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        found += flags[i];
    return found;
}

double mean(const double *values, int count)
{
    double total = 0;
    for (int i = 0; i < count; i++)
        total += values[i];
    return total / count;
}

void squares(int *values, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = i * i;
}

int describe(int number, char *text) { return sprintf(text, "number %d", number); }

int *primes(void)
{
    static int values[] = { 2, 3, 5, 7 };
    return values;
}

/* Described by stdcall.json. */
int STDCALL subtract(int a, short b, double c) { return a - b - (int)c; }
