/* Memory that passes to C; described by fixtures/keys-takes/memory.json.
 *
 * Blocks of `pool_alloc` are counted, and a block that another allocator made, or that is freed twice, is a fault: tests
 * read `pool_living` and `pool_faults`. What C takes it reads where it is, and frees itself. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x706f6f6c /* "pool" */

/* In front of every block. */
typedef union header {
    struct { unsigned magic; size_t size; } of;
    max_align_t align;
} header;

static int living, faults, allocations_left = -1;

int pool_living(void) { return living; }
int pool_faults(void) { return faults; }

/* From now on there is memory for so many blocks; -1 for any number. */
void pool_limit(int blocks) { allocations_left = blocks; }

void *pool_alloc(size_t size)
{
    if (size == 0) {
        faults++;
        return NULL;
    }
    if (allocations_left == 0)
        return NULL;
    if (allocations_left > 0)
        allocations_left--;
    header *h = malloc(sizeof(header) + size);
    if (h == NULL)
        return NULL;
    h->of.magic = MAGIC;
    h->of.size = size;
    living++;
    memset(h + 1, 0xa5, size);
    return h + 1;
}

void pool_free(void *block)
{
    if (block == NULL)
        return;
    header *h = (header *)block - 1;
    if (h->of.magic != MAGIC) {
        faults++;
        return;
    }
    h->of.magic = 0;
    living--;
    free(h);
}

void *(*pool_alloc_variable)(size_t) = pool_alloc;
void (*pool_free_variable)(void *) = pool_free;
void *(*no_alloc_variable)(size_t) = NULL;

/* What C has taken: it is freed when something else is taken, or with `pool_forget`. */
static void *owned;
static size_t owned_size;

static void own(void *block, size_t size)
{
    pool_free(owned);
    owned = block;
    owned_size = size;
}

void pool_forget(void) { own(NULL, 0); }

/* Blocks that nothing owns. */
int pool_leaked(void) { return living - (owned != NULL); }

/* The sum of the bytes that C has taken, and their number. */
int pool_sum(size_t *size)
{
    int sum = 0;
    for (size_t i = 0; i < owned_size; i++)
        sum += ((unsigned char *)owned)[i];
    *size = owned_size;
    return sum;
}

/* Fails for a text that begins with `!`, and takes nothing then. */
int text_take(char *text)
{
    if (text[0] == '!')
        return 3;
    own(text, strlen(text) + 1);
    return 0;
}

/* Takes it always, and fails for a text that begins with `!`. It is memory of malloc. */
int text_take_always(char *text)
{
    int code = text[0] == '!' ? 3 : 0;
    text[0] = '?';
    free(text);
    return code;
}

/* May be NULL. */
int text_take_or_null(char *text)
{
    own(text, text == NULL ? 0 : strlen(text) + 1);
    return text == NULL;
}

void mode_take(char *mode) { own(mode, strlen(mode) + 1); }

void wide_take(uint16_t *text)
{
    size_t units = 0;
    while (text[units] != 0)
        units++;
    own(text, (units + 1) * 2);
}

void bytes_take(void *data, size_t size) { own(data, size); }

/* A byte counts the numbers. Fails if the first one is negative, and takes nothing then. */
int numbers_take(int16_t *numbers, unsigned char count)
{
    if (count > 0 && numbers[0] < 0)
        return -1;
    own(numbers, count * sizeof *numbers);
    return 0;
}

/* Takes both, or none if the first one begins with `!`. */
int pair_take(char *first, char *second, int n)
{
    if (first[0] == '!')
        return n;
    pool_free(second);
    own(first, strlen(first) + 1);
    return 0;
}

void nothing_take(char *text) { (void)text; faults++; }

typedef struct note { char *text; } note;

/* NULL for a text that begins with `!`, and takes nothing then. */
note *note_new(char *text)
{
    if (text[0] == '!')
        return NULL;
    note *n = pool_alloc(sizeof *n);
    if (n == NULL)
        return NULL;
    n->text = text;
    return n;
}

void note_free(note *n)
{
    pool_free(n->text);
    pool_free(n);
}

const char *note_text(const note *n) { return n->text; }
