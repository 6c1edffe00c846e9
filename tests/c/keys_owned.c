/* Ownership, results that may be NULL, and codes, described by fixtures/keys-owned.
 *
 * `keys_free` counts: memory that is not freed stays in `keys_allocated`, and freeing memory twice or
 * memory that was not allocated here is counted in `keys_faults`. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double x, y; } point;

/* The live allocations, so that a pointer can be checked before it is followed. */
#define SLOTS 256
static void *blocks[SLOTS];
static int allocated, faults;

int keys_allocated(void) { return allocated; }
int keys_faults(void) { return faults; }

static void *allocate(size_t size)
{
    for (int i = 0; i < SLOTS; i++)
        if (blocks[i] == NULL) {
            allocated++;
            return blocks[i] = calloc(1, size + 1);
        }
    abort();
}

/* NULL is allowed, as for free. */
void keys_free(void *pointer)
{
    if (pointer == NULL)
        return;
    for (int i = 0; i < SLOTS; i++)
        if (blocks[i] == pointer) {
            blocks[i] = NULL;
            allocated--;
            free(pointer);
            return;
        }
    faults++;
}

/* Owned: text. NULL for an empty one. */

char *owned_text(const char *text)
{
    return *text == 0 ? NULL : memcpy(allocate(strlen(text)), text, strlen(text) + 1);
}

/* A byte that UTF-8 never has. */
char *owned_broken(void) { return owned_text("ab\xFF"); }

/* Leaves a text, even if it fails. */
int owned_text_out(int code, char **text)
{
    *text = owned_text("left behind");
    return code;
}

/* Leaves a text and a number, or fails before it leaves anything. */
int owned_text_late(int code, char **text, int *length)
{
    *length = -1;
    if (code != 0)
        return code;
    *text = owned_text("late");
    *length = 4;
    return 0;
}

void owned_two_out(char **first, char **second)
{
    *first = owned_text("first");
    *second = owned_text("");
}

uint16_t *owned_utf16(void)
{
    static const uint16_t text[] = { 'o', 'k', 0 };
    return memcpy(allocate(sizeof text), text, sizeof text);
}

/* Owned: arrays. */

int *owned_ints(int n, int *count)
{
    int *xs = allocate((size_t)(n > 0 ? n : 0) * sizeof *xs);
    for (int i = 0; i < n; i++)
        xs[i] = i * i;
    *count = n;
    return xs;
}

int owned_ints_out(int code, int **xs, size_t *count)
{
    int n;
    *xs = owned_ints(3, &n);
    *count = (size_t)n;
    return code;
}

unsigned char *owned_bytes(size_t n) { return memset(allocate(n), 0xEE, n); }

/* One block: the pointers, followed by the strings. */
char **owned_names(int *n)
{
    char **names = allocate(2 * sizeof *names + 8);
    char *text = (char *)(names + 2);
    memcpy(text, "ada\0bob", 8);
    names[0] = text;
    names[1] = text + 4;
    *n = 2;
    return names;
}

/* Not a number, which JSON does not have. */
double *owned_nan(void)
{
    double *x = allocate(sizeof *x);
    *x = 0.0 / 0.0;
    return x;
}

/* Owned: structs. */

point *owned_point(double x, double y)
{
    point *p = allocate(sizeof *p);
    *p = (point){ x, y };
    return p;
}

int owned_point_out(int code, point **p)
{
    *p = owned_point(1, 2);
    return code;
}

/* An owned output, and another output with a wrong length: the owned one is freed anyway. */
int owned_and_claim(char **text, int *xs, int n)
{
    *text = owned_text("beside a lie");
    memset(xs, 0, (size_t)n * sizeof *xs);
    return n + 1;
}

/* NULL is a value. */

static const int answer = 42;

const char *maybe_text(bool there) { return there ? "there" : NULL; }
const int *maybe_int(bool there) { return there ? &answer : NULL; }
void maybe_text_out(bool there, const char **text) { *text = maybe_text(there); }

const int *maybe_ints(bool there, int *n)
{
    *n = there ? 1 : 0;
    return maybe_int(there);
}

/* Codes of each width and signedness. */

int code_int(int code) { return code; }
short code_short(short code) { return code; }
unsigned char code_small(unsigned char code) { return code; }
long long code_wide(long long code) { return code; }
unsigned int code_unsigned(unsigned int code) { return code; }

/* A code and results: C writes the results whatever it returns. */
int code_divide(int a, int b, int *quotient, int *remainder)
{
    *quotient = b ? a / b : 0;
    *remainder = b ? a % b : 0;
    return b == 0 ? 2 : a % b == 0 ? 1 : 0;
}

int code_fill(int code, int *xs, int n)
{
    memset(xs, 0, (size_t)n * sizeof *xs);
    return code;
}
