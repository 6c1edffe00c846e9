/* What a caller has to live with: handles, a library that prints, and one that dies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int add(int a, int b) { return a + b; }

/* Prints what looks like a result, and leaves some of it in the buffer. */
int chat(int times)
{
    for (int i = 0; i < times; i++) {
        puts("{\"result\":0}");
        fflush(stdout);
    }
    printf("no newline");
    return times;
}

/* The next byte of standard input, or -1 at its end. */
int listen_in(void) { return getchar(); }

const char *greet(const char *name)
{
    static char text[128];
    snprintf(text, sizeof text, "Hello, %s!", name);
    return text;
}

struct shelf {
    int books;
};

struct shelf *shelf_open(int books)
{
    struct shelf *shelf = malloc(sizeof *shelf);
    if (shelf)
        shelf->books = books;
    return shelf;
}

int shelf_take(struct shelf *shelf) { return --shelf->books; }

void shelf_close(struct shelf *shelf) { free(shelf); }

void die(void) { abort(); }

__attribute__((constructor)) static void loaded(void)
{
    puts("loaded");
    fflush(stdout);
}
