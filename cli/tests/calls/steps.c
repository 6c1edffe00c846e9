/* Calls that take long, and results that are large. */
#define _POSIX_C_SOURCE 200809L
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int (*told)(void *arg, int done, int total, const char *what);

/* Tells each step, and waits a while. Any answer but 0 ends it. */
int steps(int count, int milliseconds, told tell, void *arg) {
    for (int step = 1; step <= count; step++) {
        struct timespec pause = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
        if (tell && tell(arg, step, count, step < count ? "stepping" : "arrived")) {
            return 4;
        }
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* `x`, so often. */
char *repeated(int count) {
    char *text = malloc((size_t)count + 1);
    if (text) {
        memset(text, 'x', (size_t)count);
        text[count] = 0;
    }
    return text;
}
