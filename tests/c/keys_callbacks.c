/* Callbacks, described by fixtures/keys-callbacks: with user data and without, while the function
 * runs and until a handle is freed, with arguments of every kind. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double x, y; } point;

/* While the function runs. The user data is the first argument, the last, or between others. */

long long each_int(const int *xs, size_t n, long long (*visit)(void *arg, int x), void *arg)
{
    long long sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += visit(arg, xs[i]);
    return sum;
}

double integrate(double (*f)(double x, void *arg), void *arg, double from, double to, int steps)
{
    double sum = 0, width = (to - from) / steps;
    for (int i = 0; i < steps; i++)
        sum += width * f(from + width * (i + 0.5), arg);
    return sum;
}

int find(void *arg, bool (*found)(int i, void *arg, int of), int n)
{
    for (int i = 0; i < n; i++)
        if (found(i, arg, n))
            return i;
    return -1;
}

/* NULL is allowed: then it only counts. */
int count_down(int from, void (*visit)(int i, void *arg), void *arg)
{
    int count = 0;
    for (int i = from; i > 0; i--, count++)
        if (visit != NULL)
            visit(i, arg);
    return count;
}

/* Stops at a negative result, and returns the number of calls. */
int call_until_negative(int (*visit)(void *arg, int times), void *arg)
{
    int times = 0;
    while (times < 5 && visit(arg, times++) >= 0)
        ;
    return times;
}

/* Two closures at once. */
int choose(bool (*which)(void *first, int i), void *first, int (*value)(void *second, int i), void *second,
           int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (which(first, i))
            sum += value(second, i);
    return sum;
}

/* Without user data. */

int apply(int (*f)(int x), int x) { return f(x); }
int apply_optional(int (*f)(int x), int x) { return f == NULL ? -x : f(x); }

/* Arguments of every kind. */

double all_kinds(double (*visit)(void *arg, bool flag, char c, unsigned char byte, short s, int i,
                                 unsigned int u, long l, long long ll, size_t size, float f, double d),
                 void *arg)
{
    return visit(arg, true, 'c', 200, -3, -4, 5u, -6, -7, 8, 0.5f, 0.25);
}

int each_text(int (*visit)(const char *text, void *arg), void *arg)
{
    return visit("one", arg) + visit("", arg) + visit("three", arg);
}

/* A note, which a callback can make the library forget while it is told. */
typedef struct { char text[32]; int numbers[4]; const char *words[2]; char word[8]; point at; } note;
static note *noted;

void note_forget(void)
{
    if (noted != NULL)
        memset(noted, 0x5a, sizeof *noted);
    free(noted);
    noted = NULL;
}

int note_tell(int (*visit)(void *arg, const char *text, const int *numbers, int n, const char *const *words, int count,
                           const point *at),
              void *arg)
{
    note_forget();
    noted = malloc(sizeof *noted);
    if (noted == NULL)
        return -1;
    *noted = (note){.text = "remember the milk", .numbers = {1, 2, 3, 4}, .word = "milk", .at = {1.5, 2.5}};
    noted->words[0] = noted->word;
    int told = visit(arg, noted->text, noted->numbers, 4, noted->words, 2, &noted->at);
    note_forget();
    return told;
}

int each_maybe_text(int (*visit)(const char *text, void *arg), void *arg)
{
    return visit("one", arg) + visit(NULL, arg);
}

int each_slice(void (*visit)(void *arg, const double *xs, size_t n), void *arg)
{
    static const double xs[] = { 0.5, 1.5, 2.5 };
    visit(arg, xs, 3);
    visit(arg, xs + 1, 1);
    visit(arg, NULL, 0);
    return 3;
}

int each_bytes(int (*visit)(void *arg, const unsigned char *bytes, int n), void *arg)
{
    return visit(arg, (const unsigned char *)"a\0b", 3);
}

/* As sqlite3_exec: values, some of them NULL, and their names. A nonzero result stops. */
int each_row(int rows, int (*visit)(void *arg, int n, char **values, char **names), void *arg)
{
    char *names[] = { "id", "name" };
    char *values[] = { "1", NULL };
    for (int row = 0; row < rows; row++)
        if (visit != NULL && visit(arg, 2, values, names) != 0)
            return 4;
    return 0;
}

int each_point(void (*visit)(const point *p, void *arg), void *arg)
{
    static const point points[] = { { 1, 2 }, { 3, 4 } };
    visit(&points[0], arg);
    visit(&points[1], arg);
    return 2;
}

/* Only C knows what it points to. */
int each_raw(void (*visit)(void *arg, void *raw), void *arg, int n)
{
    for (int i = 0; i < n; i++)
        visit(arg, &n);
    return n;
}

/* An unknown value is among the colors. */
int each_color(int (*visit)(void *arg, int color), void *arg) { return visit(arg, 1) + visit(arg, 99); }

/* Until a handle is freed. */

typedef struct hub {
    int (*listener)(void *arg, int event);
    void *listener_arg;
    void (*logger)(void *arg, const char *text);
    void *logger_arg;
} hub;

static int living;

int keys_living(void) { return living; }

hub *hub_new(void)
{
    living++;
    return calloc(1, sizeof(hub));
}

/* Replaces the one before it; NULL removes it. */
void hub_listen(hub *h, int (*listener)(void *arg, int event), void *arg)
{
    h->listener = listener;
    h->listener_arg = arg;
}

/* If it returns an error code, the closure is not kept. */
int hub_log(hub *h, void (*logger)(void *arg, const char *text), void *arg, int code)
{
    if (code == 0) {
        h->logger = logger;
        h->logger_arg = arg;
    }
    return code;
}

int hub_fire(hub *h, int event)
{
    if (h->logger != NULL)
        h->logger(h->logger_arg, "fire");
    return h->listener == NULL ? -1 : h->listener(h->listener_arg, event);
}

/* Notifies its listener of the end, so closures have to live until then. */
void hub_free(hub *h)
{
    if (h->listener != NULL)
        h->listener(h->listener_arg, -1);
    living--;
    free(h);
}

/* Frees, and returns the last result of the listener. */
int hub_close(hub *h)
{
    int last = hub_fire(h, -2);
    hub_free(h);
    return last;
}

/* Notifies its listener, and frees only if the code is 0. */
int hub_try_close(hub *h, int code)
{
    if (h->listener != NULL)
        h->listener(h->listener_arg, -3);
    if (code == 0)
        hub_free(h);
    return code;
}
