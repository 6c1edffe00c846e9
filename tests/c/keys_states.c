/* Memory of the caller that C uses between calls; described by fixtures/keys-states.
 *
 * A stream has members through which a call is lent input and room. A hub links alarms, which end only when it runs
 * again: it reads and writes their memory, so that a sanitizer sees a use after free. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static int living, faults;

int keys_living(void) { return living; }
int keys_faults(void) { return faults; }

typedef struct stream {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total;
    const char *msg;
    const int *numbers;
    size_t count;
    float *halves;
    size_t room;
    size_t filled;
    struct stream *self;
} stream;

void stream_begin(stream *s)
{
    memset(s, 0, sizeof *s);
    s->self = s;
    living++;
}

void stream_end(stream *s)
{
    faults += s->self != s;
    s->self = NULL;
    living--;
}

/* Copies at most `most` bytes, with small letters as capitals. */
int stream_run(stream *s, unsigned int most)
{
    if (s->self != s)
        return -2;
    for (; most > 0 && s->avail_in > 0 && s->avail_out > 0; most--) {
        unsigned char byte = *s->next_in;
        if (byte == '!') {
            s->msg = "an exclamation mark";
            return -1;
        }
        *s->next_out++ = byte >= 'a' && byte <= 'z' ? (unsigned char)(byte - 32) : byte;
        s->next_in++;
        s->avail_in--;
        s->avail_out--;
        s->total++;
    }
    return s->avail_in == 0 ? 1 : 0;
}

/* Whether no memory of an earlier call is left. */
bool stream_is_clear(const stream *s)
{
    return !s->next_in && !s->avail_in && !s->next_out && !s->avail_out && !s->numbers && !s->count && !s->halves
        && !s->room && !s->filled;
}

/* Says that more room is left than there was. */
void stream_lie(stream *s) { s->avail_out += 1000; }

/* The sum of the numbers; half of each goes to the other array. */
long long stream_sum(stream *s)
{
    long long sum = 0;
    s->filled = 0;
    for (size_t i = 0; i < s->count; i++) {
        sum += s->numbers[i];
        if (s->filled < s->room)
            s->halves[s->filled++] = (float)s->numbers[i] / 2;
    }
    return s->numbers == NULL ? -1 : sum;
}

/* Copies one into the other, which must be another one. */
int stream_copy(stream *into, const stream *from)
{
    if (into == from)
        faults++;
    into->total = from->total;
    return 0;
}

typedef struct alarm {
    struct hub *hub;
    struct alarm *next;
    int (*ring)(struct alarm *, int);
    void (*closed)(struct alarm *);
    int value;
    bool closing;
} alarm;

typedef struct hub {
    alarm *first;
    bool strict;
} hub;

void hub_begin(hub *h, bool strict)
{
    *h = (hub){ .strict = strict };
    living++;
}

int hub_alarms(const hub *h)
{
    int count = 0;
    for (const alarm *a = h->first; a != NULL; a = a->next)
        count++;
    return count;
}

/* Rings all alarms, also once more those that are closed, which end. */
int hub_run(hub *h)
{
    int sum = 0;
    for (alarm **place = &h->first; *place != NULL;) {
        alarm *a = *place;
        if (a->ring != NULL)
            sum += a->ring(a, a->closing ? -1 : a->value);
        if (!a->closing) {
            place = &a->next;
            continue;
        }
        *place = a->next;
        a->hub = NULL;
        living--;
        if (a->closed != NULL)
            a->closed(a);
    }
    return sum;
}

/* Refuses while it has alarms, if it is strict. */
int hub_end(hub *h)
{
    if (h->strict && h->first != NULL)
        return 16;
    while (h->first != NULL) {
        alarm *a = h->first;
        faults += !a->closing;
        h->first = a->next;
        living--;
    }
    living--;
    return 0;
}

int alarm_begin(hub *h, alarm *a, int value)
{
    if (value < 0)
        return 22;
    *a = (alarm){ .hub = h, .next = h->first, .value = value };
    h->first = a;
    living++;
    return 0;
}

/* Fails for a value below 0, and keeps the callback from before. */
int alarm_set(alarm *a, int (*ring)(alarm *, int), int value)
{
    if (value < 0)
        return 22;
    a->ring = ring;
    a->value = value;
    return 0;
}

int alarm_value(const alarm *a) { return a->closing ? (faults++, -1) : a->value; }

/* The end of an alarm, when its hub runs again. */
void alarm_close(alarm *a, void (*closed)(alarm *))
{
    faults += a->closing;
    a->closing = true;
    a->closed = closed;
}
