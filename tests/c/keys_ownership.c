/* Who owns, who keeps, who frees; described by fixtures/keys-ownership.
 *
 * Objects are slots of pools and are never returned to the system, so that a use after free, a double free, or a free
 * before the children is counted instead of crashing: tests read `keys_living` and `keys_faults`. Memory that the
 * caller allocates and C keeps is read where it is, so that a sanitizer sees a use after free. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 4096

typedef struct store {
    bool lives;
    int busy, children, id;
    const char *label;
    const char *note;
    const int *numbers;
    size_t count;
    struct store *linked;
    int (*listener)(void *, int);
    void *listener_arg;
    struct entry *current;
} store;

static store stores[SLOTS];
static int store_count, living, faults;

int keys_living(void) { return living; }
int keys_faults(void) { return faults; }

static bool is_store(const store *s) { return s != NULL && s->lives ? true : (faults++, false); }

store *store_open(int id)
{
    if (id < 0 || store_count == SLOTS)
        return NULL;
    store *s = &stores[store_count++];
    *s = (store){ .lives = true, .id = id };
    living++;
    return s;
}

/* Refuses while it is busy. */
int store_close(store *s)
{
    if (!is_store(s))
        return 7;
    if (s->busy)
        return 5;
    faults += s->children != 0;
    s->lives = false;
    living--;
    return 0;
}

/* Closes it, and returns the label that the caller gave it. */
const char *store_close_label(store *s)
{
    const char *label = is_store(s) ? s->label : NULL;
    s->busy = 0;
    store_close(s);
    return label;
}

/* The same, with an argument that C checks before. */
int store_close_with(store *s, const int *codes, unsigned char n)
{
    return n != 0 && codes[0] == 9 ? 9 : store_close(s);
}

/* Frees it even if it fails. */
int store_abandon(store *s)
{
    int code = is_store(s) && s->busy ? 5 : 0;
    if (s != NULL)
        s->busy = 0;
    store_close(s);
    return code;
}

int store_id(const store *s) { return is_store(s) ? s->id : -1; }
void store_busy(store *s, int busy) { if (is_store(s)) s->busy = busy; }

void store_listen(store *s, int (*listener)(void *, int), void *arg)
{
    if (!is_store(s))
        return;
    s->listener = listener;
    s->listener_arg = arg;
}

/* Calls the listeners of all stores that C has not freed. */
int stores_fire(int event)
{
    int sum = 0;
    for (store *s = stores; s < stores + store_count; s++)
        if (s->lives && s->listener != NULL)
            sum += s->listener(s->listener_arg, event);
    return sum;
}

/* Strings and arrays that C keeps. */

void label_set(store *s, const char *label) { if (is_store(s)) s->label = label; }
const char *label_get(const store *s) { return is_store(s) ? s->label : NULL; }

/* Fails for an empty note, and keeps the one before. */
int note_set(store *s, const char *note)
{
    if (!is_store(s) || (note != NULL && *note == 0))
        return 3;
    s->note = note;
    return 0;
}
/* Sets a note, and returns the one before. */
const char *note_swap(store *s, const char *note)
{
    const char *before = is_store(s) ? s->note : NULL;
    if (is_store(s))
        s->note = note;
    return before;
}
const char *note_get(const store *s) { return is_store(s) ? s->note : NULL; }

void numbers_set(store *s, const int *numbers, size_t count)
{
    if (!is_store(s))
        return;
    s->numbers = numbers;
    s->count = count;
}

long numbers_sum(const store *s)
{
    long sum = 0;
    if (is_store(s))
        for (size_t i = 0; i < s->count; i++)
            sum += s->numbers[i];
    return sum;
}

store *store_named(const char *label)
{
    store *s = *label == 0 ? NULL : store_open(0);
    if (s != NULL)
        s->label = label;
    return s;
}

/* The store of the library gets a label, which it keeps; it greets those that do not shout. */
static store common_store = { .lives = true, .id = 100 };

const char *common_named(const char *label, store **common)
{
    common_store.label = label;
    *common = &common_store;
    return *label == '!' ? NULL : "welcome";
}

size_t common_length(void) { return common_store.label == NULL ? 0 : strlen(common_store.label); }

static const char *greeting = "hello";
void greeting_set(const char *text) { greeting = text; }
const char *greeting_get(void) { return greeting; }

/* A store that uses another one. */
void store_link(store *s, store *other) { if (is_store(s) && is_store(other)) s->linked = other; }
int store_linked(const store *s) { return is_store(s) && s->linked != NULL && is_store(s->linked) ? s->linked->id : -1; }

/* A copy lives in two stores. */

typedef struct copying {
    bool lives;
    store *into, *from;
} copying;

static copying copyings[SLOTS];
static int copying_count;

copying *copying_begin(store *into, store *from)
{
    if (!is_store(into) || !is_store(from) || copying_count == SLOTS)
        return NULL;
    copying *c = &copyings[copying_count++];
    *c = (copying){ true, into, from };
    into->children++;
    from->children++;
    living++;
    return c;
}

int copying_step(copying *c)
{
    if (c == NULL || !c->lives)
        return faults++, -1;
    return is_store(c->into) && is_store(c->from) ? c->into->id * 10 + c->from->id : -1;
}

void copying_end(copying *c)
{
    if (c == NULL || !c->lives) {
        faults++;
        return;
    }
    if (is_store(c->into) && is_store(c->from)) {
        c->into->children--;
        c->from->children--;
    }
    c->lives = false;
    living--;
}

/* An entry that is valid until the next one. */

typedef struct entry {
    bool lives;
    int value;
} entry;

static entry entries[SLOTS];
static int entry_count;

void entry_skip(store *s)
{
    if (!is_store(s))
        return;
    if (s->current != NULL)
        s->current->lives = false;
    s->current = NULL;
}

entry *entry_next(store *s)
{
    entry_skip(s);
    if (!is_store(s) || entry_count == SLOTS)
        return NULL;
    s->current = &entries[entry_count];
    *s->current = (entry){ true, entry_count++ % 100 };
    return s->current;
}

bool entry_is_valid(const entry *e) { return e != NULL && e->lives ? true : (faults++, false); }

/* Skips first, and then reads the entry. */
bool entry_skip_to(store *s, const entry *e) { return entry_skip(s), entry_is_valid(e); }

/* A reading lives in its entry. */

typedef struct reading {
    bool lives;
    entry *of;
} reading;

static reading readings[SLOTS];
static int reading_count;

reading *reading_begin(entry *e)
{
    if (!entry_is_valid(e) || reading_count == SLOTS)
        return NULL;
    reading *r = &readings[reading_count++];
    *r = (reading){ true, e };
    living++;
    return r;
}

int reading_value(const reading *r) { return r->lives && entry_is_valid(r->of) ? r->of->value : -1; }

void reading_end(reading *r)
{
    faults += !r->lives;
    r->lives = false;
    living--;
}

/* Memory that is freed by symbols that the document does not describe as functions. */

void ownership_free(void *p)
{
    living--;
    free(p);
}

void (*ownership_deallocate)(void *) = ownership_free;

static char *counted_copy(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    strcpy(copy, text);
    living++;
    return copy;
}

char *text_by_symbol(const char *text) { return counted_copy(text); }
char *text_by_variable(const char *text) { return counted_copy(text); }

char *text_by_free(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return strcpy(copy, text);
}

/* Items, which are freed with their context and their kind. */

typedef struct item {
    bool lives;
    int kind;
    store *context;
} item;

static item items[SLOTS];
static int item_count;

item *item_new(store *context, int kind)
{
    if (!is_store(context) || item_count == SLOTS)
        return NULL;
    item *i = &items[item_count++];
    *i = (item){ true, kind, context };
    context->children++;
    living++;
    return i;
}

int item_kind(const item *i) { return i != NULL && i->lives ? i->kind : (faults++, -1); }

void item_free(store *context, item *i, int kind, int check)
{
    if (!is_store(context) || i == NULL || !i->lives || i->context != context || i->kind != kind || check != 42) {
        faults++;
        return;
    }
    context->children--;
    i->lives = false;
    living--;
}

char *store_text(store *context, const char *text) { return is_store(context) ? counted_copy(text) : NULL; }

void store_text_free(store *context, char *text)
{
    is_store(context);
    ownership_free(text);
}

/* Timers: memory of the caller that C links. */

typedef struct timer {
    uint64_t magic;
    struct timer *next;
    int ticks;
} timer;

#define MAGIC 0x71636b

static timer *timers;

/* Fails for a negative count, and links nothing. */
int timer_init(timer *t, int ticks)
{
    if (ticks < 0)
        return 3;
    *t = (timer){ MAGIC, timers, ticks };
    timers = t;
    living++;
    return 0;
}

int timer_ticks(const timer *t) { return t->magic == MAGIC ? t->ticks : (faults++, -1); }

/* Reads every timer that is linked. */
int timers_run(void)
{
    int sum = 0;
    for (timer *t = timers; t != NULL; t = t->next)
        sum += t->magic == MAGIC ? t->ticks : (faults++, 0);
    return sum;
}

/* Refuses while it has more than 100 ticks. */
int timer_stop(timer *t)
{
    if (t->magic != MAGIC)
        return faults++, 7;
    if (t->ticks > 100)
        return 5;
    for (timer **at = &timers; *at != NULL; at = &(*at)->next)
        if (*at == t) {
            *at = t->next;
            break;
        }
    t->magic = 0;
    living--;
    return 0;
}

/* The same, described without an end: dropped ones stay linked, so they are not counted as living. */
int watch_init(timer *t, int ticks)
{
    int code = timer_init(t, ticks);
    living -= code == 0;
    return code;
}

int watch_stop(timer *t)
{
    int code = timer_stop(t);
    living += code == 0;
    return code;
}

/* A state in a store. */
int alarm_init(store *s, timer *t, int ticks)
{
    if (!is_store(s))
        return 7;
    return timer_init(t, ticks);
}

void alarm_stop(timer *t) { t->ticks = 0; timer_stop(t); }

/* Sheets, of which C counts the owners. One belongs to the library. */

typedef struct sheet {
    int owners, id;
    int (*listener)(void *, int);
    void *listener_arg;
    const char *title;
} sheet;

static sheet sheets[SLOTS];
static sheet common = { .owners = 1, .id = 100 };
static int sheet_count;

static bool is_sheet(const sheet *s) { return s != NULL && s->owners > 0 ? true : (faults++, false); }

sheet *sheet_new(int id)
{
    if (sheet_count == SLOTS)
        return NULL;
    sheet *s = &sheets[sheet_count++];
    *s = (sheet){ .owners = 1, .id = id };
    living++;
    return s;
}

sheet *sheet_common(void) { return &common; }

sheet *sheet_reference(sheet *s)
{
    if (is_sheet(s))
        s->owners++;
    return s;
}

void sheet_destroy(sheet *s)
{
    if (is_sheet(s) && --s->owners == 0)
        living--;
}

int sheet_owners(const sheet *s) { return is_sheet(s) ? s->owners : -1; }

void sheet_listen(sheet *s, int (*listener)(void *, int), void *arg)
{
    if (!is_sheet(s))
        return;
    s->listener = listener;
    s->listener_arg = arg;
}

int sheet_fire(const sheet *s, int event)
{
    return is_sheet(s) && s->listener != NULL ? s->listener(s->listener_arg, event) : -1;
}

void sheet_title_set(sheet *s, const char *title) { if (is_sheet(s)) s->title = title; }

/* A board is an owner of its sheet. */

typedef struct board {
    bool lives;
    sheet *of;
} board;

static board boards[SLOTS];
static int board_count;

board *board_new(sheet *s)
{
    if (!is_sheet(s) || board_count == SLOTS)
        return NULL;
    board *b = &boards[board_count++];
    *b = (board){ true, sheet_reference(s) };
    living++;
    return b;
}

int board_fire(const board *b, int event) { return b->lives ? sheet_fire(b->of, event) : (faults++, -1); }
const char *board_title(const board *b) { return b->lives ? b->of->title : (faults++, NULL); }

void board_free(board *b)
{
    if (!b->lives) {
        faults++;
        return;
    }
    b->lives = false;
    sheet_destroy(b->of);
    living--;
}
