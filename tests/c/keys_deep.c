/* Structs with what they point to, described by fixtures/keys-deep. `keys_living` counts what was not freed. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int living;

int keys_living(void) { return living; }

static void *made(size_t size)
{
    living++;
    return calloc(1, size + 1);
}

static void gone(void *memory)
{
    living -= memory != NULL;
    free(memory);
}

static char *copy_of(const char *text)
{
    char *copy = made(strlen(text));
    strcpy(copy, text);
    return copy;
}

/* Buffers with their lengths beside them, as those of zstd. */

typedef struct {
    const void *src;
    size_t size;
    size_t pos;
} in_buffer;

typedef struct {
    void *dst;
    size_t size;
    size_t pos;
} out_buffer;

/* Copies as much as fits, and returns how much is left. */
size_t pump(out_buffer *out, in_buffer *in)
{
    while (in->pos < in->size && out->pos < out->size)
        ((char *)out->dst)[out->pos++] = ((const char *)in->src)[in->pos++];
    return in->size - in->pos;
}

/* One byte more than there is room for. */
void overfill(out_buffer *out)
{
    memset(out->dst, 'x', out->size + 1);
    out->pos = out->size;
}

/* More than there is room for, says C. */
void overstate(out_buffer *out) { out->pos = out->size + 1; }

/* A buffer that is moved while it is filled, as that of zlib. */
typedef struct {
    char *next;
    unsigned char left;
} tail;

void append(tail *out, const char *text)
{
    while (*text != 0 && out->left > 0) {
        *out->next++ = *text++;
        out->left--;
    }
}

/* Strings. */

typedef struct {
    char **strings;
    size_t count;
} strarray;

int names_new(strarray *out, int count)
{
    if (count < 0)
        return -1;
    out->count = (size_t)count;
    out->strings = made(sizeof(char *) * (size_t)count);
    for (int index = 0; index < count; index++) {
        char name[16];
        snprintf(name, sizeof name, "name %d", index);
        out->strings[index] = copy_of(name);
    }
    return 0;
}

/* The same, with NULL in place of the last. */
int names_new_strict(strarray *out, int count)
{
    int code = names_new(out, count);
    if (code == 0 && count > 0) {
        gone(out->strings[count - 1]);
        out->strings[count - 1] = NULL;
    }
    return code;
}

void names_free(strarray *names)
{
    for (size_t index = 0; index < names->count; index++)
        gone(names->strings[index]);
    gone(names->strings);
}

/* The static strings "a" and "b" with NULL between them. */
void with_gap(strarray *out)
{
    static char *strings[] = { "a", NULL, "b" };
    out->strings = strings;
    out->count = 3;
}

size_t names_length(const strarray *names)
{
    size_t length = 0;
    for (size_t index = 0; index < names->count; index++)
        length += names->strings[index] == NULL ? 100 : strlen(names->strings[index]);
    return length;
}

/* Up to NULL, and up to 0. */
typedef struct {
    const char **vars;
    const int *numbers;
} ended;

int ended_sum(const ended *of)
{
    int sum = 0;
    for (const char **var = of->vars; *var != NULL; var++)
        sum += (int)strlen(*var);
    for (const int *number = of->numbers; *number != 0; number++)
        sum += *number;
    return sum;
}

void ended_make(ended *out)
{
    static const char *vars[] = { "A=1", "B=2", NULL };
    static const int numbers[] = { 3, 4, 0 };
    out->vars = vars;
    out->numbers = numbers;
}

/* Structs by pointer, and arrays of them. */

typedef struct {
    int x, y;
} dot;

typedef struct {
    unsigned char n;
    dot *dots;
    const unsigned char *color;
    double *weights;
} polygon;

/* The sum of everything; `color` has three bytes and may be NULL. */
double polygon_sum(const polygon *of)
{
    double sum = 0;
    for (int index = 0; index < of->n; index++)
        sum += (of->dots[index].x + of->dots[index].y) * of->weights[index];
    for (int index = 0; of->color != NULL && index < 3; index++)
        sum += of->color[index];
    return sum;
}

double polygon_sum_value(polygon of) { return polygon_sum(&of); }

polygon *polygon_new(int n)
{
    polygon *of = made(sizeof *of);
    of->n = (unsigned char)n;
    of->dots = made(sizeof(dot) * of->n);
    of->weights = made(sizeof(double) * of->n);
    for (int index = 0; index < of->n; index++) {
        of->dots[index].x = index;
        of->dots[index].y = -index;
        of->weights[index] = index / 2.0;
    }
    return of;
}

void polygon_free(polygon *of)
{
    if (of == NULL)
        return;
    gone(of->dots);
    gone(of->weights);
    gone(of);
}

/* A count without what it counts. */
void polygon_broken(polygon *out)
{
    memset(out, 0, sizeof *out);
    out->n = 2;
}

/* A person with a name, a best friend, and tags. */
typedef struct person {
    char *name;
    int age;
    struct person *friend;
    dot *home;
} person;

/* The ages of a person and of all friends of friends, and the lengths of their names. */
int person_sum(const person *of)
{
    int sum = 0;
    for (; of != NULL; of = of->friend)
        sum += of->age + (of->name == NULL ? 0 : (int)strlen(of->name)) + (of->home == NULL ? 0 : of->home->x);
    return sum;
}

int people_sum(const person *people, int count)
{
    int sum = 0;
    for (int index = 0; index < count; index++)
        sum += person_sum(&people[index]);
    return sum;
}

/* Replaces the name and forgets the friend. */
void person_settle(person *of)
{
    of->age++;
    of->name = "settled";
    of->friend = NULL;
}

/* Two who are each other's friends: without an end. */
void person_cycle(person *out)
{
    static person first, second;
    first.friend = &second;
    second.friend = &first;
    *out = first;
}

/* A reply with replies in it, as those of hiredis. */
typedef struct reply {
    int type;
    long long integer;
    size_t len;
    char *str;
    size_t elements;
    struct reply **element;
} reply;

/* A reply of `width` replies, each of which has as many, and so on; a string where it ends. */
reply *reply_new(int width, int depth)
{
    reply *of = made(sizeof *of);
    of->integer = depth;
    if (depth == 0) {
        of->type = 1;
        of->str = copy_of("end");
        of->len = 3;
        return of;
    }
    of->type = 2;
    of->elements = (size_t)width;
    of->element = made(sizeof(reply *) * (size_t)width);
    for (int index = 0; index < width; index++)
        of->element[index] = reply_new(width, depth - 1);
    return of;
}

void reply_free(reply *of)
{
    if (of == NULL)
        return;
    for (size_t index = 0; index < of->elements; index++)
        reply_free(of->element[index]);
    gone(of->element);
    gone(of->str);
    gone(of);
}

long long reply_sum(const reply *of)
{
    long long sum = of->integer + (long long)of->len;
    for (size_t index = 0; index < of->elements; index++)
        sum += reply_sum(of->element[index]);
    return sum;
}
