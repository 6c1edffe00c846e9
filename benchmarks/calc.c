/* Functions that do almost nothing, so that the call itself is measured. */

int add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

void divmod(int dividend, int divisor, int *quotient, int *remainder)
{
    *quotient = dividend / divisor;
    *remainder = dividend % divisor;
}

/* The text is valid until the next call: a caller has to copy it. */
const char *greet(const char *name)
{
    static char text[64] = "Hello, ";
    char *to = text + 7;
    while (*name && to < text + sizeof text - 1)
        *to++ = *name++;
    *to = 0;
    return text;
}

double scale(double x, double factor) { return x * factor; }
