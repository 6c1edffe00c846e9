/* Callbacks that tell how far a call is. `tests/keys_progress` describes it. */
#define _POSIX_C_SOURCE 200809L
#include <stddef.h>
#include <time.h>

#ifdef _WIN32
#define API __declspec(dllexport)
#else
#define API
#endif

static void wait_ms(int ms) {
    struct timespec pause = { ms / 1000, (long)(ms % 1000) * 1000000 };
    if (ms > 0) {
        nanosleep(&pause, NULL);
    }
}

typedef int (*told)(void *arg, int done, int total, const char *what);

/* Tells each step before it waits. Any answer but 0 ends it. */
API int work(int steps, int pause, told tell, void *arg) {
    for (int step = 1; step <= steps; step++) {
        if (tell && tell(arg, step, steps, step < steps ? "working" : "almost done")) {
            return 4;
        }
        wait_ms(pause);
    }
    return 0;
}

/* The answers, added up. */
API int work_always(int steps, told tell, void *arg) {
    int sum = 0;
    for (int step = 1; step <= steps; step++) {
        sum += tell(arg, step, -1, NULL);
    }
    return sum;
}

/* Whether C has something to call. */
API int is_awaited(void (*tick)(void *arg), void *arg) {
    if (tick) {
        tick(arg);
    }
    return tick != NULL;
}

API int ticks(int count, void (*tick)(void *arg), void *arg) {
    for (int call = 0; tick && call < count; call++) {
        tick(arg);
    }
    return count;
}

API int kinds(double done, unsigned long long total, void (*tell)(unsigned long long total, void *arg, double done), void *arg) {
    tell(total, arg, done);
    return 0;
}
