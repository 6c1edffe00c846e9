/* A library that is not thread-safe, and finds out when it is called as if it were. */
#include <unistd.h>

static int inside;

/* How many calls run when it ends, which should be one: its own. */
int busy(int milliseconds)
{
    __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    usleep(1000 * milliseconds);
    int most = __atomic_load_n(&inside, __ATOMIC_SEQ_CST);
    __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    return most;
}
