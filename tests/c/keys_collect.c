/* Callbacks whose calls a JSON caller gets, described by fixtures/keys-collect. What is passed is in memory that the
 * next call overwrites, so that a copy that is made too late is wrong. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double x, y; const char *label; } point;

static char scratch[4][64];

/* Rows as sqlite3_exec passes them. NULL is allowed for `visit`. Stops at a nonzero answer; the number of calls. */
int rows_each(int rows, int (*visit)(void *arg, int count, char **values, char **names), void *arg)
{
    int calls = 0;
    for (int row = 0; row < rows && visit != NULL; row++) {
        char *names[2] = { scratch[0], scratch[1] }, *values[2] = { scratch[2], NULL };
        strcpy(scratch[0], "id");
        strcpy(scratch[1], "note");
        snprintf(scratch[2], sizeof scratch[2], "row %d", row);
        if (row % 2 == 1) {
            strcpy(scratch[3], "odd");
            values[1] = scratch[3];
        }
        calls++;
        int stop = visit(arg, 2, values, names);
        memset(scratch, 'x', sizeof scratch - 1);
        if (stop != 0)
            break;
    }
    return calls;
}

double kinds_pass(double (*visit)(void *arg, bool flag, char c, unsigned char byte, short s, int level,
                                  unsigned int u, long l, long long ll, size_t size, float f, double d),
                  void *arg)
{
    return visit(arg, true, 'c', 200, -3, 2, 5u, -6, 1LL << 60, 8, 0.1f, 0.25);
}

void texts_each(int n, void (*visit)(const char *text, const char *latin, const char *maybe, const char *never,
                                     const unsigned char *bytes, size_t bytes_n, const char *part, int part_n,
                                     const unsigned short *wide, int wide_n, void *raw, void *arg),
                void *arg)
{
    for (int i = 0; i < n; i++) {
        unsigned char *bytes = malloc(3);
        unsigned short *wide = malloc(2 * sizeof *wide);
        memcpy(bytes, "\0\1\xff", 3);
        wide[0] = 0x3a9;
        wide[1] = (unsigned short)i;
        snprintf(scratch[0], sizeof scratch[0], "text \xc3\xa9 %d", i);
        visit(scratch[0], "caf\xe9", i % 2 ? "odd" : NULL, NULL, bytes, 3, "partial", i, wide, 2, bytes, arg);
        memset(scratch[0], 'x', 8);
        free(bytes);
        free(wide);
    }
}

/* The number of calls that were answered with true. `maybe` is NULL for every other, `here` for `missing`. */
int points_each(int n, int missing, bool (*visit)(const point *here, const point *maybe, const int *xs, size_t xs_n,
                                                  const bool *flags, void *arg),
                void *arg)
{
    int yes = 0;
    for (int i = 0; i < n; i++) {
        int xs[3] = { i, -i, 1 };
        bool flags[2] = { true, i > 0 };
        snprintf(scratch[1], sizeof scratch[1], "p%d", i);
        point here = { i, 0.5, scratch[1] }, maybe = { -1, -2, NULL };
        yes += visit(i == missing ? NULL : &here, i % 2 ? &maybe : NULL, i ? xs : NULL, i ? 3 : 0, flags, arg);
        memset(scratch[1], 'x', 8);
    }
    return yes;
}

/* 0, or 7 if the callback stopped it. The text of call `bad` is not UTF-8. */
int texts_stop(int n, int bad, int (*visit)(void *arg, const char *text), void *arg)
{
    for (int i = 0; i < n; i++)
        if (visit(arg, i == bad ? "a\xff" : "good") != 0)
            return 7;
    return 0;
}

/* Fails with 3 after `n` calls, if `fail`. */
int calls_fail(int n, bool fail, int (*visit)(void *arg, int i), void *arg, char **message)
{
    for (int i = 0; i < n && visit != NULL; i++)
        visit(arg, i);
    *message = NULL;
    if (!fail)
        return 0;
    *message = scratch[3];
    strcpy(scratch[3], "it failed");
    return 3;
}

double numbers_pass(double x, double (*visit)(double x, void *arg), void *arg) { return visit(x, arg); }

/* `n` calls with a text of `length` bytes; the number of those that were answered with 1. */
int flood(int n, size_t length, int (*visit)(const char *text, void *arg), void *arg)
{
    int on = 0;
    char *text = malloc(length + 1);
    memset(text, 'x', length);
    text[length] = 0;
    for (int i = 0; i < n; i++)
        on += visit(text, arg) == 1;
    free(text);
    return on;
}

/* Answers of every width. */

short answer_short(short (*visit)(void *arg), void *arg) { return visit(arg); }
unsigned char answer_byte(unsigned char (*visit)(void *arg), void *arg) { return visit(arg); }
long long answer_wide(long long (*visit)(void *arg), void *arg) { return visit(arg); }
float answer_float(float (*visit)(void *arg), void *arg) { return visit(arg); }
bool answer_truth(int (*visit)(void *arg), void *arg) { return visit(arg) == 1; }
int answer_level(int (*visit)(void *arg), void *arg) { return visit(arg); }

/* Two callbacks at once. */
int pairs_each(int n, int (*first)(void *one, int i), void *one, void (*second)(void *two, int i), void *two)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += first(one, i);
        if (second != NULL)
            second(two, 2 * i);
    }
    return sum;
}

/* What a comparison returns must be computed. */
void sort_ints(int *xs, size_t n, int (*compare)(int a, int b, void *arg), void *arg)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && compare(xs[j - 1], xs[j], arg) > 0; j--) {
            int x = xs[j];
            xs[j] = xs[j - 1];
            xs[j - 1] = x;
        }
}

/* Callbacks that a handle keeps. `start` and `end` get the emitter itself, or NULL if it is detached, in place of user
 * data; `text` has user data of its own. */

typedef struct emitter emitter;
struct emitter {
    void (*start)(emitter *from, const char *name, const char **attributes);
    int (*end)(emitter *from, const char *name);
    int (*text)(void *arg, const char *part, int part_n);
    void *arg;
    bool detached, busy;
    int sum;
};

static int living;
static emitter *latest;

emitter *emitter_new(void)
{
    living++;
    return latest = calloc(1, sizeof(emitter));
}

int emitters_living(void) { return living; }
void emitter_detach(emitter *from, bool detached) { from->detached = detached; }
void emitter_keep_busy(emitter *from, int busy) { from->busy = busy != 0; }

void emitter_on_start(emitter *from, void (*start)(emitter *from, const char *name, const char **attributes))
{
    from->start = start;
}

/* Fails with 4 if `fail`, and keeps the callback that it has. */
int emitter_on_end(emitter *from, int (*end)(emitter *from, const char *name), bool fail)
{
    if (fail)
        return 4;
    from->end = end;
    return 0;
}

void emitter_on_text(emitter *from, int (*text)(void *arg, const char *part, int part_n), void *arg)
{
    from->text = text;
    from->arg = arg;
}

static void emit_text(emitter *from, const char *part, int part_n)
{
    if (from->text != NULL)
        from->sum += 100 * from->text(from->arg, part, part_n);
}

/* `<` is a start, `>` an end, `~` a text that is not UTF-8, `!` fails, and other characters are texts. */
int emitter_feed(emitter *from, const char *source)
{
    for (; *source != 0; source++) {
        emitter *back = from->detached ? NULL : from;
        char *name = malloc(2), *attribute = malloc(6);
        strcpy(name, "n");
        strcpy(attribute, "value");
        const char *attributes[] = { "key", attribute, NULL };
        if (*source == '<' && from->start != NULL)
            from->start(back, name, attributes);
        else if (*source == '>' && from->end != NULL)
            from->sum += from->end(back, name);
        else if (*source == '~')
            emit_text(from, "\xff", 1);
        else if (*source != '<' && *source != '>' && *source != '!')
            emit_text(from, source, 1);
        free(name);
        free(attribute);
        if (*source == '!')
            return 2;
    }
    return 0;
}

/* What the answers add up to. */
int emitter_sum(emitter *from) { return from->sum; }

/* Without a handle: the text goes to the latest emitter. */
void emitter_tick(void)
{
    if (latest != NULL)
        emit_text(latest, "tick", 4);
}

const char *emitter_why(emitter *from) { return from->busy ? "the emitter is busy" : "a mark of exclamation"; }

/* 5 if it is busy: nothing is freed then. Calls `end` before it frees. */
int emitter_close(emitter *from)
{
    if (from->end != NULL)
        from->end(from, from->busy ? "refused" : "closed");
    if (from->busy)
        return 5;
    living--;
    if (latest == from)
        latest = NULL;
    free(from);
    return 0;
}
