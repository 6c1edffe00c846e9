/* Arrays whose length is in the document, described by fixtures/keys-arrays: each form of x-length
 * on each side of a call, x-written, x-inout. Some functions report a wrong count, or write where
 * they must not; their comments say so. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const int primes[] = { 2, 3, 5, 7, 11, 13, 17, 19 };
#define PRIMES ((int)(sizeof primes / sizeof *primes))

/* Inputs: each C type for a count. */

long long sum_ints(const int *xs, int n)
{
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += xs[i];
    return sum;
}

double sum_doubles(const double *xs, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += xs[i];
    return sum;
}

/* Reads bytes, because a bool that is neither 0 nor 1 is undefined. */
unsigned int count_true(const bool *flags, unsigned int n)
{
    unsigned int count = 0;
    for (unsigned int i = 0; i < n; i++)
        count += ((const unsigned char *)flags)[i] == 1;
    return count;
}

int sum_chars(const char *xs, unsigned char n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += (signed char)xs[i];
    return sum;
}

unsigned int sum_bytes(const unsigned char *xs, unsigned short n)
{
    unsigned int sum = 0;
    for (int i = 0; i < n; i++)
        sum += xs[i];
    return sum;
}

int sum_by_pointer(const int *xs, const int *n) { return (int)sum_ints(xs, *n); }

/* Inputs: several arrays that share a length. */

double dot(const double *xs, const double *ys, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += xs[i] * ys[i];
    return sum;
}

/* Inputs: arrays that share a length with an optional array before or after them. */
double weighted_sum(const double *xs, const double *weights, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += xs[i] * (weights == NULL ? 1 : weights[i]);
    return sum;
}

double sum_weighted(const double *weights, const double *xs, size_t n) { return weighted_sum(xs, weights, n); }

/* Inputs: a constant length, and a length from another function. */

int sum_four(const int *xs) { return (int)sum_ints(xs, 4); }
int sum_told(const int *xs, int n) { return n == 3 ? (int)sum_ints(xs, 3) : -1; }

int cells(int rows, int columns) { return rows * columns; }
int sum_cells(const int *xs, int rows, int columns) { return (int)sum_ints(xs, rows * columns); }
int sum_six(const int *xs) { return (int)sum_ints(xs, 6); }
int sum_cells_told(const int *xs, int count, int rows)
{
    return count == 2 * rows ? (int)sum_ints(xs, count) : -1;
}

/* Inputs: NULL, which is not the same as an empty array. */
int sum_optional(const int *xs, int n) { return xs == NULL ? -1 - n : (int)sum_ints(xs, n); }

/* Outputs: the caller or an input determines the capacity. */

void fill_ints(int *xs, int n)
{
    for (int i = 0; i < n; i++)
        xs[i] = i;
}

void fill_doubles(double *xs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        xs[i] = (double)i / 2;
}

/* Every byte except 0 is true. */
void fill_flags(bool *flags, unsigned int n)
{
    for (unsigned int i = 0; i < n; i++)
        ((unsigned char *)flags)[i] = i % 2 ? 0x80 : 0;
}

void fill_bytes(unsigned char *bytes, long long n)
{
    for (long long i = 0; i < n; i++)
        bytes[i] = (unsigned char)(255 - i);
}

void fill_four(int *xs) { fill_ints(xs, 4); }

void doubled(const int *xs, int *twice, int n)
{
    for (int i = 0; i < n; i++)
        twice[i] = 2 * xs[i];
}

void fill_cells(int *xs, int rows, int columns) { fill_ints(xs, rows * columns); }

/* The capacity that C was given. */
int fill_cells_told(int *xs, int capacity, int rows)
{
    fill_ints(xs, capacity);
    return capacity + 1000 * rows;
}

/* Outputs: a pointer to the capacity, which then holds the count. */

void fill_capacity_pointer(int *xs, size_t *n)
{
    *n = *n < 3 ? *n : 3;
    fill_ints(xs, (int)*n);
}

/* Reports a wrong count: more than the capacity. */
void fill_capacity_beyond(int *xs, int *n)
{
    fill_ints(xs, *n);
    *n += 1;
}

void fill_capacity_negative(int *xs, int *n)
{
    fill_ints(xs, *n);
    *n = -1;
}

/* Outputs: how many were written. */

int fill_written(int *xs, int n)
{
    int count = n < 2 ? n : 2;
    fill_ints(xs, count);
    return count;
}

/* Reports any count that it is given. */
int claim_written(int *xs, int n, int claim)
{
    fill_ints(xs, n);
    return claim;
}

void fill_written_param(int *xs, unsigned int n, unsigned int *written)
{
    *written = *written == n && n > 0 ? n - 1 : 0;
    fill_ints(xs, (int)*written);
}

void claim_written_param(int *xs, int n, long long claim, long long *written)
{
    fill_ints(xs, n);
    *written = claim;
}

/* As compress of zlib: the capacity is a constant that C gets by pointer. */
int fill_const_told(unsigned char *bytes, size_t *count)
{
    if (*count != 16)
        return 1;
    memset(bytes, 0xAB, 5);
    *count = 5;
    return 0;
}

/* Outputs: written beyond their end, by one byte and by one element. */

void fill_bytes_past_end(unsigned char *bytes, int n) { memset(bytes, 1, (size_t)n + 1); }
void fill_ints_past_end(int *xs, int n) { fill_ints(xs, n + 1); }
int fill_written_past_end(double *xs, int n)
{
    fill_doubles(xs, (size_t)n + 1);
    return n;
}

/* Returned. */

const int *all_primes(int *n)
{
    *n = PRIMES;
    return primes;
}

int prime_count(int below)
{
    int count = 0;
    while (count < PRIMES && primes[count] < below)
        count++;
    return count;
}

const int *first_primes(unsigned int n) { return n <= (unsigned int)PRIMES ? primes : NULL; }
const int *primes_below(int below) { return prime_count(below) > 0 ? primes : NULL; }
const int *three_primes(void) { return primes; }

const bool *four_flags(void)
{
    static const unsigned char flags[] = { 0, 1, 2, 255 };
    return (const bool *)flags;
}

const unsigned char *magic(size_t *n)
{
    static const unsigned char bytes[] = { 0x89, 'P', 0, 0xFF };
    *n = sizeof bytes;
    return bytes;
}

const char *const *names(int *n)
{
    static const char *const all[] = { "ada", "", "grace" };
    *n = 3;
    return all;
}

/* An error in place of the array that the document expects. */
const char *const *names_with_null(int *n)
{
    static const char *const all[] = { "ada", NULL };
    *n = 2;
    return all;
}

/* The second is Latin-1, which is not UTF-8. */
const char *const *names_in_latin(int *n)
{
    static const char *const all[] = { "ada", "gr\xFCn" };
    *n = 2;
    return all;
}

const int *negative_count(int *n)
{
    *n = -1;
    return primes;
}

const int *null_and_none(int *n)
{
    *n = 0;
    return NULL;
}

const int *null_and_two(int *n)
{
    *n = 2;
    return NULL;
}

/* Through a pointer to a pointer. */

bool primes_out(const int **xs, size_t *n)
{
    *xs = primes;
    *n = 2;
    return true;
}

void magic_out(const unsigned char **bytes, unsigned int *n)
{
    size_t count;
    *bytes = magic(&count);
    *n = (unsigned int)count;
}

void four_out(const int **xs) { *xs = primes; }
void given_out(int n, const int **xs) { *xs = n <= PRIMES ? primes : NULL; }

/* Arrays of strings. */

int total_length(const char *const *texts, int n)
{
    size_t length = 0;
    for (int i = 0; i < n; i++)
        length += strlen(texts[i]);
    return (int)length;
}

/* In and out. */

void increment(int *x) { ++*x; }
void halve(double *x) { *x /= 2; }
void flip(bool *flag) { *flag = !*flag; }

/* Every byte except 0 is true. */
void flip_all(bool *flags, int n)
{
    for (int i = 0; i < n; i++)
        ((unsigned char *)flags)[i] = ((const unsigned char *)flags)[i] ? 0 : 2;
}

void double_all(int *xs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        xs[i] *= 2;
}

void double_four(int *xs) { double_all(xs, 4); }

void reverse_bytes(unsigned char *bytes, int n)
{
    for (int i = 0; i < n / 2; i++) {
        unsigned char byte = bytes[i];
        bytes[i] = bytes[n - 1 - i];
        bytes[n - 1 - i] = byte;
    }
}

int swap_halves(int *left, int *right, int n)
{
    for (int i = 0; i < n; i++) {
        int x = left[i];
        left[i] = right[i];
        right[i] = x;
    }
    return n;
}
