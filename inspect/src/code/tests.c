/* What functions do with the pointers that they are given. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct object {
    int number;
    struct object *next;
    char *name;
    size_t size;
};

struct object *current, *previous;
void *(*variable)(void *) = 0;

/* Only read. */
int get(const struct object *object) { return object->number; }

int length_of_list(const struct object *object) { return object ? 1 + length_of_list(object->next) : 0; }

size_t text_length(const char *text) { return strlen(text); }

int through_a_table(const struct object *object, int how) {
    switch (how) {
    case 0: return object->number;
    case 1: return (int)strlen(object->name);
    case 2: return object->next ? 7 : 9;
    case 3: return object->number * 5;
    case 4: return length_of_list(object);
    case 5: return (int)text_length(object->name);
    case 6: return object->number / 3;
    }
    return 0;
}

int spilled(const struct object *object, const char *text) {
    const struct object *volatile copy = object;
    size_t length = strlen(text);
    return copy->number + (int)length + (int)strlen(text + 1) + copy->number;
}

int with_many(const struct object *object, int a, int b, int c, int d, int e, int f, int g, const struct object *last) {
    return object->number + last->number + a + b + c + d + e + f + g;
}

/* Stored. */
void keep(struct object *object) { current = object; }

static __attribute__((noinline)) void helper(struct object *object, int how) {
    if (how > 3) previous = object;
}

void keep_by_a_helper(struct object *object) { helper(object, object->number); }

void link(struct object *object, struct object *next) { object->next = next; }

struct object *keep_in_a_new_object(struct object *object) {
    struct object *made = calloc(1, sizeof *made);
    if (made) made->next = object;
    return made;
}

void keep_after_a_switch(struct object *object, int how) {
    switch (how) {
    case 0: object->number = 1; break;
    case 1: object->size = strlen(object->name); break;
    case 2: object->number = 7; break;
    case 3: current = object; break;
    case 4: object->next = 0; break;
    case 5: object->number *= 3; break;
    case 6: object->number = (int)object->size; break;
    }
}

void keep_the_ninth(int a, int b, int c, int d, int e, int f, int g, int h, struct object *last) {
    if (a + b + c + d + e + f + g + h) current = last;
}

struct object copied;
void keep_in_a_copied_struct(struct object *object) {
    struct object local = { 1, object, 0, 0 };
    memcpy(&copied, &local, sizeof local);
}

void keep_both(struct object *one, struct object *other) {
    struct object **pair = malloc(2 * sizeof *pair);
    pair[0] = one;
    pair[1] = other;
    current = (struct object *)pair;
}

void keep_what_it_holds(struct object *object) { current = object->next; }

void size_of(const struct object *object, size_t *size) { *size = object->size; }

/* Freed. */
void destroy(struct object *object) {
    if (!object) return;
    free(object->name);
    free(object);
}

void rename_it(struct object *object, const char *name) {
    free(object->name);
    object->name = strdup(name);
}

void *grow(void *memory, size_t size) { return realloc(memory, size); }

void release(struct object *object) {
    if (--object->number == 0) destroy(object);
}

/* Code that cannot be followed. */
int call_back(struct object *object, int (*call)(struct object *)) { return call(object); }

int call_back_without_it(struct object *object, int (*call)(int)) {
    int number = object->number;
    object->number = 0;
    return call(number) + 1;
}

void call_a_variable(struct object *object) { variable(object); }

void some_other_library(struct object *object);
void call_another_library(struct object *object) { some_other_library(object); }

void some_other_library_with_a_frame(struct object **object);
void call_from_the_frame(struct object *object) {
    struct object *pair[2] = { object, 0 };
    some_other_library_with_a_frame(pair);
}

/* Accesses. */
void fill(struct object *object, int number) {
    object->number = number;
    object->next = 0;
}

void clear(struct object *object) { memset(object, 0, sizeof *object); }

void count_up(long *number) { ++*number; }

int second(const struct object *objects) { return objects[1].number; }

int before(const int *number) { return number[-1]; }

double sum(const double *numbers, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += numbers[i];
    return sum;
}

__attribute__((noinline)) double sum_by_recursion(const double *numbers, int count) {
    return count ? sum_by_recursion(numbers + 1, count - 1) * 2 + *numbers : 0;
}

/* Written first. */
double fill_and_read(double *pair) {
    pair[0] = 1.5;
    pair[1] = pair[0] * 2;
    return pair[1];
}

__attribute__((noinline)) void fill_by_another(struct object *object) {
    fill(object, 3);
    object->size = object->number;
}

void fill_on_both_paths(long *number, int how) {
    if (how) {
        *number = 1;
    } else {
        *number = text_length("abc");
    }
    *number += 2;
}

void fill_on_one_path(long *number, int how) {
    if (how) *number = 1;
    *number += 2;
}

long fill_a_part(long *number) {
    *(volatile int *)number = 1;
    return *(volatile long *)number;
}

/* Returned. */
const struct object *constant(int how) {
    static const struct object one = { 1, 0, 0, 0 }, other = { 2, 0, 0, 0 };
    return how ? &one : &other;
}

struct object *variable_of_the_library(void) { return current; }

struct object *make(void) {
    struct object *made = malloc(sizeof *made);
    if (!made) return 0;
    made->name = strdup("made");
    if (!made->name) {
        free(made);
        return 0;
    }
    return made;
}

struct object *make_by_another(int number) {
    struct object *made = make();
    if (made) made->number = number;
    return made;
}

struct object *make_and_keep(void) { return current = make(); }

struct object *keep_both_and_return(struct object *one) {
    struct object *made = make();
    one->next = made;
    return made;
}

struct object *make_or_find(struct object *object) { return object->next ? object->next : make(); }

struct object *next_of(const struct object *object) { return object ? object->next : 0; }

struct object *take_next(struct object *object) {
    struct object *next = object->next;
    object->next = 0;
    return next;
}

struct object *same(struct object *object) { return object; }

int fill_or_fail(struct object *object, int number) {
    if (number < 0) return -1;
    object->number = number;
    object->next = 0;
    object->name = 0;
    object->size = 7;
    return 0;
}

void set_one_of_them(struct object *object, int which, size_t value) {
    switch (which) {
    case 0: object->number = (int)value; break;
    case 1: object->next = 0; break;
    case 2: object->name = 0; break;
    default: object->size = value;
    }
}

/* Freed for certain, or not. */
__attribute__((noinline)) void destroy_by_another(struct object *object) {
    if (object) {
        object->number = 0;
        destroy(object);
    }
}

__attribute__((noinline)) void finish(struct object *object) {
    object->number++;
    free(object->name);
    object->name = 0;
    release(object);
}

/* Registers after a call. */
static volatile int counted;

static __attribute__((noinline)) void leaf(void) { counted++; }

static __attribute__((noinline)) int clobbering(void) { return (int)strlen(current->name) + counted; }

int call_back_after_another(int (*call)(int), struct object *object) {
    object->number = 3;
    return call(clobbering()) + 1;
}

void keep_after_a_leaf(struct object *object) {
    leaf();
    current = object;
}

void keep_what_it_holds_after_a_leaf(struct object *object) {
    struct object *next = object->next;
    leaf();
    current = next;
}

/* Functions with two arguments that end in a call through a variable. */
void (*handler)(const char *, int) = 0;

__attribute__((noinline)) void report(const char *text, int number) {
    if (handler) {
        handler(text, number);
    } else {
        counted++;
    }
}

int check(int a, int b, struct object *object) {
    if (object->number < a) report("too small", b);
    return 0;
}

void report_its_name(int a, int b, struct object *object) { report((const char *)object, a + b); }

/* Other functions of the C library. */
int scan_into(struct object *object, FILE *file) { return fscanf(file, "%d", &object->number); }

__attribute__((noinline)) int format_into(char *buffer, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int written = vsnprintf(buffer, size, format, list);
    va_end(list);
    return written;
}

int format_a_text(const char *text) {
    char buffer[32];
    return *text == 'a' ? format_into(buffer, sizeof buffer, "%s", text) : 0;
}

/* What it holds. */
void give_its_name(struct object *object, void (*call)(const char *)) {
    call(object->name);
    object->number++;
}

void link_what_it_holds(struct object *from, struct object *to) { to->next = from->next; }

/* What the caller left is read, or not. */
void add_one(int *number) { *number += 1; }

__attribute__((noinline)) static void twice(int *number) { *number *= 2; }
void double_it(int *number) { twice(number); }

void limit(int *number, int most) {
    if (*number > most) *number = most;
}

int set_then_read(int *number, int value) {
    if (value > 0) *number = value;
    return value > 0 ? *number : 0;
}

__attribute__((noinline)) static void set_if(int *number, int value) {
    if (value > 3) *number = value;
}
int set_by_another_then_read(int *number, int value) {
    set_if(number, value);
    return value > 3 ? *number : 0;
}

void add_or_set(int *number, int value) {
    if (value) *number = value;
    else current = 0;
    if (value) *number += 1;
}

/* On one path, an error, it reads what nobody wrote. */
void set_or_scale(int *number, int value) {
    if (value != 7) *number = value;
    *number *= 2;
}

void exchange(int *number, int value) { __atomic_store_n(number, value, __ATOMIC_SEQ_CST); }

struct holder {
    int *numbers;
    int count;
};

__attribute__((noinline)) static void clear_held(struct holder *holder) {
    for (int i = 0; i < holder->count; i++) holder->numbers[i] = 0;
}

/* A callee writes several through a pointer that it finds in the frame. */
int clear_through_the_frame(int *numbers, int count) {
    struct holder holder = { numbers, count };
    clear_held(&holder);
    return *numbers;
}

/* A callee keeps what it finds among its arguments on the stack. */
__attribute__((noinline)) static void keep_last(int count, ...) {
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++) current = va_arg(list, struct object *);
    va_end(list);
}
void keep_from_a_list(struct object *object, struct object *other) {
    keep_last(8, other, other, other, other, other, other, other, object);
}

/* A place in a text. */
long place_of(const char *text, const char *part) { return *text ? part - text : 0; }

void *nothing(struct object *object) { return 0; }
void *nothing_by_another(struct object *object) {
    object->number = 0;
    return nothing(object);
}

/* Memory, and code that cannot be read. */
struct object *make_or_complain(int number) {
    struct object *made = malloc(sizeof *made);
    if (!made) {
        report("no memory", number);
        return 0;
    }
    made->number = number;
    return made;
}

struct object *make_and_show(void (*show)(struct object *)) {
    struct object *made = malloc(sizeof *made);
    show(made);
    return made;
}

struct object *make_elsewhere(void *(*elsewhere)(size_t)) { return elsewhere(sizeof(struct object)); }

struct object *make_here_or_elsewhere(void *(*elsewhere)(size_t), int how) {
    return how ? malloc(sizeof(struct object)) : elsewhere(sizeof(struct object));
}

struct object *view_elsewhere(struct object *object, struct object *(*elsewhere)(const char *)) {
    return elsewhere(object->name);
}

/* Variables that begin as functions of the C library, or of this one, or as nothing. */
void *(*memory_hook)(size_t) = malloc;
void (*free_hook)(void *) = free;
static void (*own_free_hook)(void *) = free;
void set_own_free_hook(void (*to)(void *)) { own_free_hook = to; }
void (*late_free_hook)(void *);
void (*keep_hook)(struct object *) = keep;

struct object *make_by_a_hook(void) {
    struct object *made = memory_hook(sizeof *made);
    if (made) made->number = 1;
    return made;
}

void destroy_by_a_hook(struct object *object) {
    if (!object) return;
    free_hook(object->name);
    free_hook(object);
}

void destroy_by_an_own_hook(struct object *object) {
    if (object) own_free_hook(object);
}

void destroy_by_a_late_hook(struct object *object) {
    if (object) late_free_hook(object);
}

void keep_by_a_hook(struct object *object) { keep_hook(object); }

/* Functions whose user can put another in their stead. */
void free_or_another(void *memory);
static void (*freeing)(void *) = free_or_another;
void set_freeing(void (*to)(void *)) { freeing = to; }
void free_or_another(void *memory) {
    if (freeing != free_or_another) {
        freeing(memory);
        return;
    }
    free(memory);
}

void destroy_by_a_replaceable(struct object *object) {
    if (!object) return;
    free_or_another(object->name);
    free_or_another(object);
}

size_t size_or_another(struct object *object);
static size_t (*sizing)(struct object *) = size_or_another;
void set_sizing(size_t (*to)(struct object *)) { sizing = to; }
size_t size_or_another(struct object *object) { return sizing != size_or_another ? sizing(object) : object->size; }

/* Elsewhere, it is any function. */
size_t size_by_a_variable(struct object *object) { return sizing(object); }

/* A struct that is returned in memory. */
struct parts {
    struct object *first, *second;
    size_t count;
};

struct parts parts_of(const struct object *object) {
    struct parts parts = { object->next, object->next, object->size };
    return parts;
}

struct parts whole(struct object *object) {
    struct parts parts = { object, object->next, 1 };
    return parts;
}

/* Kept by what is new, with one owner more. */
struct object *share_with_a_new_object(struct object *object) {
    struct object *made = calloc(1, sizeof *made);
    if (made) {
        made->next = object;
        object->number++;
    }
    return made;
}

/* Kept by memory of code that cannot be read. */
void *(*late_memory_hook)(size_t);

struct object *keep_in_memory_from_elsewhere(struct object *object) {
    struct object *made = late_memory_hook(sizeof *made);
    if (made) made->next = object;
    return made;
}

__attribute__((noinline)) int leave_memory_from_elsewhere(struct object **left, struct object *object) {
    struct object *made = late_memory_hook(sizeof *made);
    if (!made) return -1;
    made->next = object;
    made->name = object->name;
    *left = made;
    return 0;
}

int leave_it_by_another(struct object **left, struct object *object) {
    struct object *made = 0;
    if (leave_memory_from_elsewhere(&made, object) < 0) return -1;
    *left = made;
    return 0;
}

/* How far they reach. */
extern size_t number_of_the_library;
size_t number_of_the_library = 3;

double sum_all(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum;
}

double sum_strided(const double *x, size_t stride, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i * stride];
    return sum;
}

double largest_strided(const short *x, size_t stride, size_t n) {
    short most = x[0];
    for (size_t i = 0; i < n; i++) if (x[i * stride] > most) most = x[i * stride];
    return most;
}

double variance_strided(const double *x, size_t stride, size_t n) {
    double mean = sum_strided(x, stride, n) / n, sum = 0;
    for (size_t i = 0; i < n; i++) sum += (x[i * stride] - mean) * (x[i * stride] - mean);
    return sum;
}

double product_strided(const double *x, size_t x_stride, const double *y, size_t y_stride, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i * x_stride] * y[i * y_stride];
    return sum;
}

double sum_backwards(const double *x, size_t n) {
    double sum = 0;
    while (n > 0) sum += x[--n];
    return sum;
}

/* These reach further, or nobody knows how far. */
double sum_and_one_more(const double *x, size_t stride, size_t n) {
    double sum = 0;
    for (size_t i = 0; i <= n; i++) sum += x[i * stride];
    return sum;
}

double sum_of_pairs(const double *x, size_t stride, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i * stride] * x[i * stride + 1];
    return sum;
}

double sum_from_before(const double *x, size_t stride, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i * stride - 1];
    return sum;
}

double sum_until_zero(const double *x, size_t stride, size_t n) {
    double sum = 0;
    for (size_t i = 0; x[i * stride] != 0; i++) sum += x[i * stride] * n;
    return sum;
}

double sum_of_variable(const double *x, size_t stride, size_t n) {
    double sum = n;
    for (size_t i = 0; i < number_of_the_library; i++) sum += x[i * stride];
    return sum;
}

double sum_in_steps(const double *x, size_t stride, size_t n) {
    double sum = 0;
    for (size_t i = 0; i != n; i += 3) sum += x[i * stride];
    return sum;
}

double sum_of_rows(const double *x, size_t stride, size_t n, size_t width) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < width; j++) sum += x[i * stride + j];
    return sum;
}

double sum_of_squares_of_places(const double *x, size_t stride, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i * i * stride];
    return sum;
}

double sum_where_it_is_told(const double *x, size_t stride, size_t n, const size_t *places) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[places[i] * stride];
    return sum;
}

double sum_by_another_library(const double *x, size_t stride, size_t n) {
    extern double sum_elsewhere(const double *, size_t, size_t);
    return sum_elsewhere(x, stride, n);
}

double sum_by_a_variable(const double *x, size_t stride, size_t n) {
    return sum_strided(x, stride, n) + (variable(0) != 0) + (variable((void *)x) != 0);
}

double sum_by_a_helper_of_more(const double *x, size_t stride, size_t n) { return sum_strided(x, stride, n + 1); }

double sum_of_a_stored_array(const double *x, size_t stride, size_t n) {
    static const double *stored;
    stored = x;
    double sum = 0;
    for (size_t i = 0; i < number_of_the_library; i++) sum += stored[i];
    return sum + sum_strided(x, stride, n);
}

double sum_with_a_longer_step(const double *x, size_t stride, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += *x;
        x += stride;
        if (sum > 3) x += stride;
    }
    return sum;
}

double sum_twice(const double *x, size_t stride, size_t n) {
    double sum = 0;
    size_t i = 0;
    for (; i < n; i++) sum += x[i * stride];
    for (size_t j = 0; j < n; j++, i++) sum += x[i * stride];
    return sum;
}

/* The loop begins where the caller says. */
double sum_from(const double *x, size_t stride, size_t n, size_t i) {
    double sum = 0;
    for (; i != n; i++) sum += x[i * stride];
    return sum;
}

/* Read up to a NUL. */
int text_or_nothing(const char *text, int how) { return how < 0 ? -1 : text ? (int)strlen(text) + how : 0; }

int text_through_another(const char *text) { return text_or_nothing(text, 1) + (int)strlen(current->name); }

int text_of_either(const char *text, int how) { return how ? strcmp(text, "a") : strchr(text, how + 'b') != 0; }

/* Not so on every path, or kept. */
int text_or_length(const char *text, int length) {
    int sum = 0;
    if (length < 0) length = (int)strlen(text);
    for (int i = 0; i < length; i++) sum += text[i];
    return sum;
}

int text_to_print(const char *text) { return printf("%s", text); }

int text_that_is_kept(const char *text) {
    current->name = (char *)text;
    return (int)strlen(text);
}
