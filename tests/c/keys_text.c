/* Text and bytes in every encoding, described by fixtures/keys-text. C has no encodings: many
 * functions of the document are the same function here, under different names. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The samples that are written and returned, by number. */
static const struct {
    const char *bytes;
    size_t count;
} samples[] = {
    { "Gr\xC3\xBC\xC3\x9F" "e", 7 }, /* 0: Grüße in UTF-8 */
    { "Gr\xFC\xDF" "e", 5 },         /* 1: Grüße in Latin-1, which is not UTF-8 */
    { "ab\xFF" "cd", 5 },            /* 2: a byte that UTF-8 never has */
    { "one\0two", 7 },               /* 3: with an interior NUL */
    { "", 0 },                       /* 4: empty */
};

/* "Grüße" followed by the character U+1F389; and an unpaired surrogate. */
static const uint16_t greeting[] = { 'G', 'r', 0xFC, 0xDF, 'e', 0xD83C, 0xDF89, 0 };
static const uint16_t broken[] = { 'a', 0xD800, 'b', 0 };

static const char *bytes_of(int which) { return which < 0 || which > 4 ? NULL : samples[which].bytes; }
static size_t count_of(int which) { return which < 0 || which > 4 ? 0 : samples[which].count; }

/* Inputs: the functions return the count and the sum of the units. */

unsigned long sum_counted(const char *text, size_t n)
{
    unsigned long sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (unsigned char)text[i];
    return 100000 * (unsigned long)n + sum;
}

unsigned long sum_terminated(const char *text) { return text == NULL ? 7 : sum_counted(text, strlen(text)); }

unsigned long sum_counted_int(const char *text, int n) { return sum_counted(text, (size_t)n); }

unsigned long sum16_counted(const uint16_t *text, size_t n)
{
    unsigned long sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += text[i];
    return 1000000 * (unsigned long)n + sum;
}

unsigned long sum16_terminated(const uint16_t *text)
{
    size_t n = 0;
    if (text == NULL)
        return 7;
    while (text[n] != 0)
        n++;
    return sum16_counted(text, n);
}

/* A key has four bytes. */
unsigned long key_sum(const unsigned char *key) { return sum_counted((const char *)key, 4); }

/* Both, with the parameters in an unusual order. */
unsigned long sum_two(size_t an, const char *a, const char *b, size_t bn)
{
    return 1000 * (sum_counted(a, an) % 1000) + sum_counted(b, bn) % 1000;
}

/* Outputs: buffers. */

/* Always writes a NUL, unless the capacity is 0. */
void write_terminated(int which, char *buffer, int n)
{
    size_t count = count_of(which);
    if (n <= 0 || bytes_of(which) == NULL)
        return;
    if (count > (size_t)n - 1)
        count = (size_t)n - 1;
    memcpy(buffer, samples[which].bytes, count);
    buffer[count] = 0;
}

/* Never writes a NUL. */
void write_full(char *buffer, int n) { memset(buffer, 'x', (size_t)n); }

int write_counted(int which, char *buffer, int n)
{
    size_t count = count_of(which);
    if (bytes_of(which) == NULL)
        return -1;
    if (count > (size_t)n)
        count = (size_t)n;
    memcpy(buffer, samples[which].bytes, count);
    return (int)count;
}

void write_counted_param(int which, char *buffer, size_t *n)
{
    *n = (size_t)write_counted(which, buffer, (int)*n);
}

/* Writes its NUL past the end, as careless code does. */
void write_past_end(char *buffer, int n)
{
    memset(buffer, 'x', (size_t)n);
    buffer[n] = 0;
}

void make_key(unsigned char *key) { memcpy(key, "\x00\x7F\x80\xFF", 4); }

void write16_terminated(uint16_t *buffer, int n)
{
    if (n > 7)
        memcpy(buffer, greeting, sizeof greeting);
}

int write16_counted(uint16_t *buffer, int n)
{
    int count = n < 7 ? n : 7;
    memcpy(buffer, greeting, (size_t)count * sizeof *buffer);
    return count;
}

/* Returned. */

const char *sample(int which) { return bytes_of(which); }

const char *sample_counted(int which, size_t *n)
{
    *n = count_of(which);
    return bytes_of(which);
}

const uint16_t *sample16(int which) { return which == 0 ? greeting : which == 1 ? broken : NULL; }

const uint16_t *sample16_counted(int which, unsigned int *n)
{
    *n = which == 0 ? 7 : 3;
    return sample16(which);
}

const char *fixed_key(void) { return "\x01\x02\x03\xFE"; }

/* Through a pointer to a pointer. */

void sample_out(int which, const char **text) { *text = bytes_of(which); }

void sample_out_counted(int which, const char **text, size_t *n)
{
    *text = bytes_of(which);
    *n = count_of(which);
}

void sample16_out(int which, const uint16_t **text) { *text = sample16(which); }
