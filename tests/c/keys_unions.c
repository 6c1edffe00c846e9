/* Unions, described by fixtures/keys-unions. */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct point { float x, y; };

/* The tag is in front of the union. */
enum kind { NONE = 0, INT = 1, DOUBLE = 2, TEXT = 3, POINT = 4, NAME = 5, FLAG = 6, BYTES = -1 };

union value {
    int i;
    double d;
    char text[12];
    struct point point;
    const char *name;
    bool flag;
    unsigned char bytes[4];
};

struct variant {
    enum kind kind;
    union value value;
    unsigned char after;
};

int variant_size(void)
{
    return (int)(sizeof(struct variant) + 100 * _Alignof(struct variant) + 10000 * sizeof(union value));
}

static const char *const names[] = {"zero", "one", "two"};

static struct variant made(int kind)
{
    struct variant made;
    memset(&made, 0xEE, sizeof made);
    made.kind = kind;
    made.after = 7;
    switch (kind) {
    case INT: made.value.i = -42; break;
    case DOUBLE: made.value.d = 2.5; break;
    case TEXT: strcpy(made.value.text, "in place"); break;
    case POINT: made.value.point = (struct point){1.5f, -2}; break;
    case NAME: made.value.name = names[1]; break;
    case FLAG: memset(&made.value, 0x02, 1); break; /* a bool that is neither 0 nor 1 */
    case BYTES: memcpy(made.value.bytes, "\1\2\3\377", 4); break;
    default: break;
    }
    return made;
}

void variant_make(int kind, struct variant *variant) { *variant = made(kind); }

static struct variant shared;

const struct variant *variant_shared(int kind)
{
    shared = made(kind);
    return kind == 99 ? NULL : &shared;
}

double variant_sum(const struct variant *variant)
{
    double sum = 1000.0 * variant->kind + 0.25 * variant->after;
    switch (variant->kind) {
    case INT: return sum + variant->value.i;
    case DOUBLE: return sum + variant->value.d;
    case TEXT: return sum + (double)strnlen(variant->value.text, 12);
    case POINT: return sum + variant->value.point.x * 2 + variant->value.point.y;
    case NAME: return sum + (variant->value.name ? (double)strlen(variant->value.name) : -1);
    case FLAG: return sum + (variant->value.flag ? 100 : 200);
    case BYTES: return sum + variant->value.bytes[0] + 256.0 * variant->value.bytes[3];
    default: return sum;
    }
}

static size_t used(const struct variant *variant)
{
    switch (variant->kind) {
    case INT: return sizeof(int);
    case DOUBLE: return sizeof(double);
    case TEXT: return 12;
    case POINT: return sizeof(struct point);
    case NAME: return sizeof(char *);
    case FLAG: return 1;
    case BYTES: return 4;
    default: return 0;
    }
}

/* The bytes of the union behind the member that is used, and that are not zero. */
int variant_rest(const struct variant *variant)
{
    const unsigned char *bytes = (const unsigned char *)&variant->value;
    int rest = 0;
    for (size_t i = used(variant); i < sizeof variant->value; i++)
        rest += bytes[i] != 0;
    return rest;
}

double variants_sum(const struct variant *variants, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += variant_sum(&variants[i]);
    return sum;
}

void variants_make(int first, struct variant *variants, size_t n)
{
    for (size_t i = 0; i < n; i++)
        variants[i] = made((int)((unsigned int)first + (unsigned int)i));
}

/* An integer becomes a number, a number a text, and everything else nothing. */
void variant_turn(struct variant *variant)
{
    int i = variant->value.i;
    switch (variant->kind) {
    case INT: variant->kind = DOUBLE; variant->value.d = i / 2.0; break;
    case DOUBLE: variant->kind = TEXT; strcpy(variant->value.text, "a number"); break;
    default: variant->kind = NONE; break;
    }
    variant->after++;
}

void variants_each(int last, void (*each)(const struct variant *variant, void *data), void *data)
{
    for (int kind = BYTES; kind <= last; kind++) {
        struct variant variant = made(kind);
        each(&variant, data);
    }
}

/* The tag is behind the union, and narrow. */
struct reading {
    union { float celsius; int32_t raw[3]; } value;
    int8_t tag;
};

struct box {
    struct reading readings[2];
    const struct variant *variant;
};

double reading_sum(const struct reading *reading)
{
    if (reading->tag == -7)
        return reading->value.celsius;
    return reading->tag * 1000 + (double)reading->value.raw[0] + reading->value.raw[2];
}

double box_sum(const struct box *box)
{
    double sum = reading_sum(&box->readings[0]) + 2 * reading_sum(&box->readings[1]);
    return box->variant ? sum + variant_sum(box->variant) : sum;
}

void box_make(struct box *box)
{
    memset(box, 0xEE, sizeof *box);
    box->readings[0].tag = -7;
    box->readings[0].value.celsius = 36.5f;
    box->readings[1].tag = 100;
    box->readings[1].value.raw[0] = 1;
    box->readings[1].value.raw[1] = 2;
    box->readings[1].value.raw[2] = 3;
    shared = made(NAME);
    box->variant = &shared;
}

/* One member is always used, as in `epoll_event`. */
union data { void *ptr; int fd; uint32_t u32; uint64_t u64; const char *name; };

struct event {
    uint32_t events;
    union data data;
};

void event_make(uint32_t events, uint64_t u64, struct event *event)
{
    event->events = events;
    event->data.u64 = u64;
}

uint64_t event_data(const struct event *event) { return event->data.u64 + event->events; }

void data_make(int fd, union data *data)
{
    memset(data, 0xEE, sizeof *data);
    data->fd = fd;
}

/* All bytes: those that are not of the member must be zero. */
uint64_t data_bytes(const union data *data)
{
    unsigned char bytes[sizeof *data];
    uint64_t sum = 0;
    memcpy(bytes, data, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        sum += (uint64_t)bytes[i] << 8 * i;
    return sum;
}

void data_next(union data *data) { data->u32++; }

int data_length(const union data *data) { return data->name ? (int)strlen(data->name) : -1; }

void data_name(int index, union data *data) { data->name = index < 0 || index > 2 ? NULL : names[index]; }

uint64_t datas_sum(const union data *datas, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += datas[i].u64;
    return sum;
}

/* Nothing says which member is used. */
struct timer {
    int id;
    union { int32_t ticks; double seconds; } rest;
    int after;
};

int timer_sum(const struct timer *timer)
{
    unsigned int sum = (unsigned int)timer->id + 10 * (unsigned int)timer->after;
    return (int)(sum + (timer->rest.seconds != 0));
}

void timer_make(int id, struct timer *timer)
{
    timer->id = id;
    timer->rest.seconds = 0.5;
    timer->after = id + 1;
}

/* By value: in registers for numbers, for integers, for both, and on the stack. */
union number { double d; float f; };
union number number_twice(union number number) { return (union number){.d = 2 * number.d}; }

union data data_twice(int before, union data data, double after)
{
    return (union data){.u64 = 2 * data.u64 + (uint64_t)(int64_t)before + (uint64_t)(after > 0)};
}

struct reading reading_other(struct reading reading)
{
    struct reading other = {.tag = reading.tag == -7 ? 100 : -7};
    if (reading.tag == -7)
        other.value.raw[2] = (int32_t)(reading.value.celsius > 0 ? 1 : -1);
    else
        other.value.celsius = (float)reading.value.raw[0];
    return other;
}

/* Eight bytes of numbers, and eight with an integer among them. */
struct sample { double weight; union { float f; int32_t i; } value; int32_t kind; };

struct sample sample_twice(struct sample sample)
{
    sample.weight *= 2;
    if (sample.kind == 1)
        sample.value.f *= 2;
    else
        sample.value.i = (int32_t)(2 * (uint32_t)sample.value.i);
    return sample;
}

/* Numbers only, in 12 bytes. */
struct mixed { union { float one; float two[2]; } value; float last; };
struct mixed mixed_turn(struct mixed mixed) { return (struct mixed){{.two = {mixed.last, mixed.value.two[0]}}, mixed.value.two[1]}; }

double variant_sum_value(struct variant variant) { return variant_sum(&variant); }
struct variant variant_make_value(int kind) { return made(kind); }
