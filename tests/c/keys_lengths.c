/* Lengths that no single parameter holds, described by fixtures/keys-lengths: products, capacities that C is not
 * told, elements up to a zero, and what another function leaves in its output. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int allocated;

int keys_allocated(void) { return allocated; }

static void *allocate(size_t size)
{
    allocated++;
    return calloc(1, size + 1);
}

void keys_free(void *pointer)
{
    if (pointer == NULL)
        return;
    allocated--;
    free(pointer);
}

/* Products. */

unsigned int sum_pixels(const unsigned char *pixels, int width, int height)
{
    unsigned int sum = 0;
    for (int i = 0; i < width * height * 3; i++)
        sum += pixels[i];
    return sum;
}

double sum_weighted_rows(const double *xs, size_t rows, const double *weights, int n)
{
    double sum = 0;
    for (size_t row = 0; row < rows; row++)
        for (int i = 0; i < n; i++)
            sum += xs[row * (size_t)n + (size_t)i] * weights[i];
    return sum;
}

int sum_optional_grid(const int *xs, int rows, int columns)
{
    unsigned int sum = 0;
    if (xs == NULL)
        return -1;
    for (int i = 0; i < rows * columns; i++)
        sum += (unsigned int)xs[i];
    return (int)sum;
}

void fill_grid(int *cells, int rows, short columns)
{
    for (int i = 0; i < rows * columns; i++)
        cells[i] = i;
}

/* Puts a seal of two bytes before the text, as boxes of libsodium have theirs. */
void seal(unsigned char *out, const unsigned char *text, unsigned n)
{
    out[0] = 's';
    out[1] = (unsigned char)n;
    memcpy(out + 2, text, n);
}

int unseal(unsigned char *text, const unsigned char *sealed, int n)
{
    if (sealed[0] != 's')
        return -1;
    memcpy(text, sealed + 2, (size_t)n - 2);
    return n - 2;
}

int sum_around(const int *xs, int before, int after)
{
    int sum = 0;
    for (int i = 0; i < (long long)before + 1 + after; i++)
        sum += xs[i];
    return sum;
}

void fill_lines(char *text, unsigned char lines)
{
    for (int i = 0; i < lines; i++)
        memcpy(text + 8 * i, "line...\n", 8);
}

void fill_wide(long long *out, unsigned long long a, unsigned long long b, unsigned long long c)
{
    for (unsigned long long i = 0; i < a * b * c; i++)
        out[i] = 1;
}

void double_grid(int *xs, int rows)
{
    for (int i = 0; i < rows * 2; i++)
        xs[i] = (int)(2u * (unsigned int)xs[i]);
}

const unsigned char *picture(int *width, int *height)
{
    static const unsigned char pixels[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18 };
    *width = 3;
    *height = 2;
    return pixels;
}

const int *negative_picture(int *width)
{
    static const int xs[] = { 1, 2 };
    *width = -1;
    return xs;
}

int grid_out(unsigned int rows, unsigned int columns, int **cells)
{
    *cells = NULL;
    if (rows > 100 || columns > 100)
        return 0;
    *cells = allocate(rows * columns * sizeof **cells);
    for (unsigned int i = 0; i < rows * columns; i++)
        (*cells)[i] = (int)i;
    return 1;
}

/* Capacities that C is not told. */

void format_number(char *text, int value) { sprintf(text, "%d", value); }

int divisors_into(int *xs, int n)
{
    int count = 0;
    for (int i = 1; i <= n && i < 1000; i++)
        if (n % i == 0)
            xs[count++] = i;
    return count;
}

void split_sign(const int *xs, int n, int *positive, int *p, int *negative, int *q)
{
    *p = *q = 0;
    for (int i = 0; i < n; i++)
        if (xs[i] < 0)
            negative[(*q)++] = xs[i];
        else
            positive[(*p)++] = xs[i];
}

/* Up to a zero. */

long long sum_until_zero(const int *xs)
{
    long long sum = 0;
    for (; *xs != 0; xs++)
        sum += *xs;
    return sum;
}

int sum_bytes_until_zero(const unsigned char *xs)
{
    int sum = 0;
    for (; *xs != 0; xs++)
        sum += *xs;
    return sum;
}

double sum_doubles_until_zero(const double *xs)
{
    double sum = 0;
    if (xs == NULL)
        return -1;
    for (; *xs != 0; xs++)
        sum += *xs;
    return sum;
}

int count_flags(const bool *flags)
{
    int count = 0;
    for (; flags[count]; count++)
        ;
    return count;
}

int total_until_null(const char *const *names)
{
    int total = 0;
    if (names == NULL)
        return -1;
    for (; *names != NULL; names++)
        total += (int)strlen(*names);
    return total;
}

const int *divisors(int n)
{
    static int xs[1000];
    xs[divisors_into(xs, n)] = 0;
    return xs;
}

double *halves(double x)
{
    double *xs;
    int count = 0;
    if (!(x >= 0) || x > 1e300)
        return NULL;
    xs = allocate(1200 * sizeof *xs);
    for (; x >= 1 && count < 1100; x /= 2)
        xs[count++] = x;
    return xs;
}

bool *flags_before_false(int n)
{
    bool *flags = allocate(100);
    memset(flags, 1, n < 0 ? 0 : n > 99 ? 99 : (size_t)n);
    return flags;
}

int divisors_out(int n, int **xs)
{
    *xs = allocate(1000 * sizeof **xs);
    divisors_into(*xs, n);
    return n > 0;
}

const char *const *words(void)
{
    static const char *const all[] = { "to", "", "be", NULL, "beyond" };
    return all;
}

/* The text is behind the pointers, in one block. */
char **split_words(const char *text)
{
    char **all;
    char *copy, *word;
    size_t count = 0, room = strlen(text) + 2;
    if (*text == 0)
        return NULL;
    all = allocate(room * sizeof *all + room);
    copy = strcpy((char *)(all + room), text);
    for (word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        all[count++] = word;
    return all;
}

/* Lengths that another function leaves in its output. */

int disk_size(int k, int64_t *out)
{
    if (k < 0)
        return 7;
    *out = k > 100 ? INT64_MAX : 1 + 3 * (int64_t)k * (k + 1);
    return 0;
}

void disk(int k, int *cells)
{
    for (int i = 0; i < 1 + 3 * k * (k + 1); i++)
        cells[i] = i;
}

int disk_told(int k, int *cells, size_t room)
{
    disk(k, cells);
    return (int)room;
}

long long sum_disk(int k, const int *cells)
{
    long long sum = 0;
    for (int i = 0; i < 1 + 3 * k * (k + 1); i++)
        sum += cells[i];
    return sum;
}

int *disk_of(int k)
{
    int *cells;
    if (k < 0 || k > 100)
        return allocate(4);
    cells = allocate((size_t)(1 + 3 * k * (k + 1)) * sizeof *cells);
    disk(k, cells);
    return cells;
}

/* Returns whether it succeeded, and leaves the number even if not. */
int ring_size(int k, unsigned char scale, unsigned int *out)
{
    *out = k < 0 ? 9 : (unsigned int)k * scale;
    return k >= 0 && k < 1000;
}

const char *ring_error(int k) { return k < 0 ? "the ring is too small" : "the ring is too large"; }

void ring(unsigned char *cells, int k) { memset(cells, 0xAB, 2 * (size_t)k); }

typedef struct { unsigned int count; } bag;

bag *bag_new(unsigned int count)
{
    bag *made = allocate(sizeof *made);
    made->count = count;
    return made;
}

void bag_free(bag *made) { keys_free(made); }

int bag_count(bag *made, size_t *count)
{
    *count = made->count;
    return made->count > 1000 ? 7 : 0;
}

void bag_numbers(bag *made, int *xs)
{
    for (unsigned int i = 0; i < made->count; i++)
        xs[i] = (int)(i * i);
}
