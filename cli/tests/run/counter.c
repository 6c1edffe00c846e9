/* Counters, and what else a step of a workflow can do. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct counter {
    int value;
};

struct counter *counter_open(int value)
{
    struct counter *counter = malloc(sizeof *counter);
    if (counter)
        counter->value = value;
    return counter;
}

int counter_next(struct counter *counter) { return ++counter->value; }

void counter_close(struct counter *counter)
{
    fprintf(stderr, "closed at %d\n", counter->value);
    free(counter);
}

/* 0, or -7 if the number is odd. */
int half(int of, int *half)
{
    if (of % 2)
        return -7;
    *half = of / 2;
    return 0;
}

void hang(void)
{
    for (;;)
        pause();
}

void die(void) { abort(); }

__attribute__((constructor)) static void loaded(void) { fprintf(stderr, "loaded\n"); }
