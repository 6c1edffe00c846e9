/* What `arguments` calls: one function for each kind of argument. `x` is the argument. */
#include <stdbool.h>
#include <string.h>

int same_int(int x) { return x; }
long long same_long_long(long long x) { return x; }
unsigned char same_byte(unsigned char x) { return x; }
double same_double(double x) { return x; }
bool same_bool(bool x) { return x; }
unsigned long length(const char *x) { return strlen(x); }
long long sum(const int *x, int count) {
    long long sum = 0;
    for (int i = 0; i < count; i++) sum += x[i];
    return sum;
}
