/* Structs with text that C allocated and frees with them, described by fixtures/keys-replies.
 * The struct is that of a Redis client: a text with its length, and elements.
 *
 * Memory is overwritten before it is freed, so that a text that is read too late is wrong. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct reply {
    int type;
    long long integer;
    size_t len;
    char *str;
    char tag[4];
    size_t elements;
    struct reply **element;
} reply;

typedef struct { int id; reply key; reply values[2]; } entry;
typedef struct { const char *word; int len; } view;

static int allocated;

int keys_allocated(void) { return allocated; }

/* The size is stored first, for overwriting. */
static void *allocate(size_t size)
{
    size_t *block = calloc(1, sizeof(size_t) * 2 + size);
    *block = size;
    allocated++;
    return block + 2;
}

void text_free(void *pointer)
{
    if (pointer == NULL)
        return;
    size_t *block = (size_t *)pointer - 2;
    memset(pointer, 0xDD, *block);
    allocated--;
    free(block);
}

static char *copy(const char *text) { return memcpy(allocate(strlen(text) + 1), text, strlen(text) + 1); }

static void fill(reply *r, const char *text)
{
    r->type = text ? 1 : 4;
    r->integer = -1;
    r->len = text ? strlen(text) : 0;
    r->str = text ? copy(text) : NULL;
    memcpy(r->tag, "txt", 4);
}

/* One reply, alone or with elements; NULL for an empty text. */

void reply_free(reply *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->elements; i++)
        reply_free(r->element[i]);
    text_free(r->element);
    text_free(r->str);
    text_free(r);
}

reply *reply_text(const char *text)
{
    if (*text == 0)
        return NULL;
    reply *r = allocate(sizeof *r);
    fill(r, text);
    return r;
}

reply *reply_list(const char *text)
{
    reply *r = allocate(sizeof *r);
    fill(r, NULL);
    r->elements = 1;
    r->element = allocate(sizeof *r->element);
    r->element[0] = reply_text(text);
    return r;
}

int reply_get(int code, const char *text, reply **out)
{
    *out = reply_text(text);
    return code;
}

/* Structs in a struct. */

void entry_free(entry *e)
{
    if (e == NULL)
        return;
    text_free(e->key.str);
    text_free(e->values[0].str);
    text_free(e->values[1].str);
    text_free(e);
}

entry *entry_make(const char *key, const char *first)
{
    entry *e = allocate(sizeof *e);
    e->id = 7;
    fill(&e->key, key);
    fill(&e->values[0], first);
    fill(&e->values[1], NULL);
    return e;
}

/* Arrays of structs; the last has no text. */

void replies_free(reply *rs)
{
    if (rs == NULL)
        return;
    for (reply *r = rs; r->str != NULL; r++)
        text_free(r->str);
    text_free(rs);
}

reply *replies_all(int *n)
{
    reply *rs = allocate(3 * sizeof *rs);
    fill(&rs[0], "one");
    fill(&rs[1], "two");
    fill(&rs[2], NULL);
    *n = 3;
    return rs;
}

int replies_get(int code, reply **out, int *n)
{
    *out = replies_all(n);
    return code;
}

/* Results that point into another result. */

char *word_first(const char *text, view *first)
{
    char *whole = copy(text);
    char *space = strchr(whole, ' ');
    if (space != NULL)
        *space = 0;
    *first = (view){ whole, (int)strlen(whole) };
    return whole;
}

void word_last(const char *text, char **whole, const char **word)
{
    char *last;
    *whole = copy(text);
    last = strrchr(*whole, ' ');
    *word = last ? last + 1 : *whole;
}

/* A struct by value, and as many as fit. */
view word_value(const char *text, char **whole)
{
    view first;
    *whole = word_first(text, &first);
    return first;
}

int words(const char *text, char **whole, view *out, int n)
{
    int found = 0;
    *whole = copy(text);
    for (char *word = strtok(*whole, " "); word != NULL && found < n; word = strtok(NULL, " "))
        out[found++] = (view){ word, (int)strlen(word) };
    return found;
}

/* Changes a struct of the caller to point into the returned memory. */
char *word_next(const char *text, view *at)
{
    return word_first(text, at);
}

/* Not freed: the text belongs to the library. */
view *word_static(void)
{
    static view lent = { "lent", 4 };
    return &lent;
}
