/* Functions that do what their document does not allow, one each, and honest ones, for `opendyn check --try`. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* The memory is written through this, so that no compiler knows better. */
static void put(volatile unsigned char *at, unsigned char byte) { *at = byte; }

EXPORT void fill(unsigned char *out, int capacity) {
    for (int i = 0; i < capacity; i++) put(out + i, (unsigned char)(i + 1));
}

EXPORT void overrun(unsigned char *out, int capacity) {
    for (int i = 0; i <= capacity; i++) put(out + i, 1);
}

EXPORT void underrun(unsigned char *out, int capacity) {
    for (int i = 0; i < capacity; i++) put(out + i, 1);
    put(out - 1, 1);
}

EXPORT int sum(const unsigned char *buf, int length) {
    int sum = 0;
    for (int i = 0; i < length; i++) sum += ((const volatile unsigned char *)buf)[i];
    return sum;
}

EXPORT int sum_past(const unsigned char *buf, int length) { return sum(buf, length + 1); }

EXPORT int measure(const char *text) { return (int)strlen(text); }

EXPORT int measure_past(const char *text) { return ((const volatile char *)text)[strlen(text) + 1]; }

EXPORT void write_to_input(unsigned char *buf, int length) {
    if (length > 0) put(buf, 0);
}

EXPORT void write_to_text(char *text) { put((unsigned char *)text, 'x'); }

EXPORT void add_one(int *values, int count) {
    for (int i = 0; i < count; i++) values[i]++;
}

static const volatile char *kept;

/* Uses what the call before passed. */
EXPORT int keep(const char *value) {
    int before = kept ? *kept : 0;
    kept = value;
    return before;
}

EXPORT int recall(void) { return kept ? *kept : -1; }

/* Keeps it, as its document says. */
static const volatile char *named;
EXPORT void set_name(const char *name) { named = name; }
EXPORT int name_starts_with(void) { return named ? *named : -1; }

EXPORT void free_lent(unsigned char *buf, int length) {
    (void)length;
    free(buf);
}

EXPORT void half(unsigned char *out, int capacity) { fill(out, capacity / 2); }

EXPORT void unterminated(char *out, int capacity) {
    if (capacity > 3) {
        put((unsigned char *)out, 'a');
        put((unsigned char *)out + 1, 'b');
    }
}

EXPORT int counted(unsigned char *out, int capacity) {
    fill(out, capacity / 2);
    return capacity;
}

EXPORT void wide(int64_t *out) { *(volatile int64_t *)out = -1; }

EXPORT void forever(void) {
    for (volatile int i = 0;; i++) {
    }
}

EXPORT void stop(void) { abort(); }

EXPORT void leave(int status) { exit(status); }

EXPORT int through_null(void) {
    int *volatile nowhere = NULL;
    return *(volatile int *)nowhere;
}

EXPORT int refuse(int code) { return code; }

struct box {
    /* The allocator uses the first and the last bytes of freed memory. */
    int64_t sizes[2];
    const char *label;
    int64_t more[2];
};

EXPORT struct box *box_new(const char *label) {
    struct box *box = calloc(1, sizeof *box);
    char *copy = malloc(strlen(label) + 1);
    strcpy(copy, label);
    box->label = copy;
    return box;
}

EXPORT int box_first(struct box *box) { return *(const volatile char *)box->label; }

EXPORT void box_free(struct box *box) {
    if (box) {
        free((char *)box->label);
        free(box);
    }
}

/* Keeps the label, and uses it when it is freed. */
EXPORT struct box *lazy_new(const char *label) {
    struct box *box = calloc(1, sizeof *box);
    box->label = label;
    return box;
}

EXPORT void lazy_free(struct box *box) {
    if (*(const volatile char *)box->label) free(box);
}

/* A state that is larger than its document says. */
EXPORT void state_begin(unsigned char *state) {
    for (int i = 0; i < 24; i++) put(state + i, 0);
}

struct pair {
    const char *name;
    int length;
};

EXPORT int pair_past(const struct pair *pair) { return ((const volatile char *)pair->name)[strlen(pair->name) + 1]; }

EXPORT int all_past(const char **names, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += ((const volatile char *)names[i])[strlen(names[i]) + 1];
    return sum;
}

/* Frees it, and uses it. */
EXPORT int use_after_free(void) {
    struct box *box = box_new("gone");
    const volatile char *volatile *label = (const volatile char *volatile *)&box->label;
    box_free(box);
    return **label;
}
