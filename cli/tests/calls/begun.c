/* A library that must be initialized, and ended once; described by begun.json. */
static int initialized, begun, faults;

int begun_init(int flags)
{
    initialized |= flags;
    return ++begun;
}

void begun_end(void)
{
    faults += !initialized;
    initialized = 0;
}

/* 1000 times the beginnings, 100 times the faults, and the flags; negative if the library has not begun. */
int begun_state(void) { return initialized ? 1000 * begun + 100 * faults + initialized : -1; }
