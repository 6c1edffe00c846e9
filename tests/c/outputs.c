/* The library of fixtures/outputs/tool.json: outputs, alone and beside a return value. */
#include <stdbool.h>
#include <stddef.h>

void one(int *value) { *value = -1; }

int return_and_outputs(int x, double *number, bool *flag, char *letter)
{
    *number = x / 2.0;
    *flag = x > 0;
    *letter = (char)(x & 0x7F);
    return x % 3;
}

/* Every int except 0 is true, also one whose low byte is 0. */
void two(int *first, int *second)
{
    *first = 7;
    *second = 0x100;
}

void increment(int *counter) { *counter = (int)((unsigned int)*counter + 1); }
void toggle(bool *flag) { *flag = !*flag; }

int *biggest(void)
{
    static int value = 2147483647;
    return &value;
}

bool *is_big(void)
{
    static bool value = true;
    return &value;
}

/* NULL when none is left, and then the first again. */
char *next(int *left)
{
    static char *items[] = { "one", "two", NULL };
    static int at;
    char *item = items[at];
    *left = 2 - at;
    at = (at + 1) % 3;
    return item;
}
