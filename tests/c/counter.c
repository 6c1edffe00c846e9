/* A counter, described by fixtures/threads: thread-safe with THREAD_SAFE, otherwise not. Between
 * reading and writing it waits, and sometimes lets another thread run, so that two threads that are
 * in it at once lose a count: a test that lets them in does not pass by chance. */

#ifdef THREAD_SAFE
#include <stdatomic.h>

static atomic_llong value;

long long increment(void) { return atomic_fetch_add(&value, 1) + 1; }
long long current(void) { return atomic_load(&value); }

#else

#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#else
#define sched_yield() ((void)0)
#endif

static volatile long long value;

long long increment(void)
{
    long long before = value;
    for (volatile int i = 0; i < 20; i++)
        ;
    if (before % 16 == 0)
        sched_yield();
    value = before + 1;
    return before + 1;
}

#ifndef WITHOUT_CURRENT
long long current(void) { return value; }
#endif

#endif

/* Not in any document. */
int undescribed(void) { return 99; }

/* A function that the library itself lacks must be reported when it is loaded, not at the first call. */
#ifdef WITH_UNDEFINED
extern int nowhere_to_be_found(void);
int calls_nowhere(void) { return nowhere_to_be_found(); }
#endif
