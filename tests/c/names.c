/* Functions and parameters whose names are taken: by Rust, by every binding, or by the code that
 * is generated around the call. Each function returns a different number, so that a call of the
 * wrong function is noticed. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define EACH_NAME(X)                                            \
    X(open, 1) X(load, 2) X(call, 3) X(call_json, 4)            \
    X(call_into, 5) X(call_serde, 6) X(library, 7)              \
    X(from_library, 8) X(type, 9) X(self, 10) X(new, 11)        \
    X(Option, 12) X(Result, 13) X(match, 14) X(drop, 15)        \
    X(async, 16) X(get_x, 17)

#define FUNCTION(name, number) \
    int name(int x) { return 100 * x + number; }

/* A hyphen is allowed in a document and in a symbol, but not in C. GNU as accepts it in quotes. */
#if defined(__clang__)
int get_x(int x) __asm__("get-x");
#else
int get_x(int x) __asm__("\"get-x\"");
#endif

EACH_NAME(FUNCTION)

/* One decimal digit per parameter. */
int params(int self, int type, int args, int out, int binding, int runtime, int library, int params)
{
    return (((((((self * 10 + type) * 10 + args) * 10 + out) * 10 + binding) * 10 + runtime) * 10 +
             library) * 10 + params);
}

int outputs(int x, int *self, int *out, int *args, int *outputs, int *binding, int *runtime, int *library)
{
    int *all[] = { self, out, args, outputs, binding, runtime, library };
    for (int i = 0; i < 7; i++)
        *all[i] = x + i + 1;
    return x;
}

const char *texts(const char *runtime, const char *out, int *args, bool *binding)
{
    static char seen[128];
    snprintf(seen, sizeof seen, "%s %s %d %d", runtime, out ? out : "NULL", args ? *args : -1,
             binding ? *binding : -1);
    return seen;
}
