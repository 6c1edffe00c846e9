/* A tally that several threads may use at once, described by fixtures/threads/handles.json. */
#define _POSIX_C_SOURCE 200809L
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

struct tally { atomic_long count, inside; };

struct tally *tally_open(void) { return calloc(1, sizeof(struct tally)); }
void tally_close(struct tally *tally) { free(tally); }
long tally_add(struct tally *tally, long n) { return atomic_fetch_add(&tally->count, n) + n; }
long tally_count(struct tally *tally) { return atomic_load(&tally->count); }

/* Whether so many calls are in this function at the same time, within five seconds. */
int tally_meet(struct tally *tally, long calls)
{
    atomic_fetch_add(&tally->inside, 1);
    for (int i = 0; i < 5000; i++) {
        if (atomic_load(&tally->inside) >= calls)
            return 1;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return 0;
}
