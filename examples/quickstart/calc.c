/* The bundled library: one function for each shape that OpenDyn 1.0 describes. */
#include <limits.h>
#include <stdio.h>

int add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

/* Returns 0, or 1 if the quotient does not exist. */
int divide(int dividend, int divisor, int *quotient, int *remainder)
{
    if (divisor == 0 || (dividend == INT_MIN && divisor == -1))
        return 1;
    *quotient = dividend / divisor;
    *remainder = dividend % divisor;
    return 0;
}

/* The text is valid until the next call: a caller has to copy it. */
const char *greet(const char *name)
{
    static char text[128];
    if (name && !*name)
        return NULL;
    snprintf(text, sizeof text, "Hello, %s!", name ? name : "everybody");
    return text;
}

/* By Newton's method, so that the library needs no other library. */
double square_root(double x)
{
    if (x < 0)
        return (x - x) / (x - x);
    double root = x > 1 ? x : 1;
    for (int i = 0; i < 2000; i++) {
        double next = (root + x / root) / 2;
        if (next >= root)
            break;
        root = next;
    }
    return x == 0 ? 0 : root;
}

long sum(const int *values, int count)
{
    long total = 0;
    for (int i = 0; i < count; i++)
        total += values[i];
    return total;
}
