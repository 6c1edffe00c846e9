/* A library that must be initialized before other calls, and ended after them; described by fixtures/keys-init.
 *
 * It does not count: a second end, a call before the beginning or after the end, and an end while objects live are
 * faults. Tests read the counts through symbols that the documents do not describe, also after the end. */
#include <stdatomic.h>
#include <stddef.h>

typedef struct item {
    int value;
} item;

#define SLOTS 4096

/* Slots are never used again. */
static item items[SLOTS];
static atomic_int item_count, initialized, begun, ended, living, faults, flags_seen, refusal;

/* For tests, not in the documents. */
int seen_begun(void) { return begun; }
int seen_ended(void) { return ended; }
int seen_faults(void) { return faults; }
int seen_flags(void) { return flags_seen; }
/* From now on the library cannot be initialized; 0 for the opposite. */
void refuse(int code) { refusal = code; }

static void use(void) { faults += !initialized; }

/* Negative if it fails. */
int keys_begin(int flags)
{
    if (refusal != 0)
        return -refusal;
    begun++;
    flags_seen |= flags;
    initialized = 1;
    return begun;
}

/* Why the library could not be initialized. */
const char *keys_why(void) { return refusal == 7 ? "the seventh seal is closed" : NULL; }

void keys_end(void)
{
    faults += !initialized + living;
    ended++;
    initialized = 0;
}

/* The same with a code: 0 if it succeeds. */
int code_begin(int flags) { return keys_begin(flags) < 0 ? refusal : 0; }
int code_end(void) { return keys_end(), ended; }

/* The same with a text: NULL if it fails. */
const char *text_begin(void) { return keys_begin(0) < 0 ? NULL : "ready"; }

void plain_begin(void) { keys_begin(16); }

item *item_new(int value)
{
    use();
    int slot = item_count++;
    if (slot >= SLOTS)
        return NULL;
    items[slot].value = value;
    living++;
    return &items[slot];
}

void item_free(item *it)
{
    use();
    it->value = 0;
    living--;
}

int item_value(const item *it) { return use(), it->value; }

int keys_living(void) { return use(), living; }
int keys_faults(void) { return faults; }
