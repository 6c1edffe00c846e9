/* One function for each shape of argument and result. Each touches all of its data once, so that the call is measured. */

#include <stddef.h>
#include <stdint.h>

unsigned checksum(const char *text)
{
    unsigned sum = 0;
    while (*text)
        sum = sum * 31 + (unsigned char)*text++;
    return sum;
}

const char *same(const char *text) { return text; }

double sum(const double *xs, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += xs[i];
    return sum;
}

int64_t total(const int64_t *xs, size_t n)
{
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += (uint64_t)xs[i];
    return (int64_t)total;
}

void spread(double *xs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        xs[i] = (double)(i + 1) / 7;
}

struct point {
    double x, y;
    int tag;
};

double center(const struct point *points, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += points[i].x + points[i].y + points[i].tag;
    return sum;
}

unsigned digest(const unsigned char *data, size_t n)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = sum * 31 + data[i];
    return sum;
}

void invert(unsigned char *data, size_t n)
{
    for (size_t i = 0; i < n; i++)
        data[i] = (unsigned char)~data[i];
}
