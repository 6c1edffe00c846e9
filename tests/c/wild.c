/* The library of fixtures/wild/tool.json. The function with three pointers to int, one read, one
 * written and one returned, is from the public example. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>

int count(void)
{
    static int calls;
    return ++calls;
}

double add(double a, double b) { return a + b; }

int *halve(int *number, int *half)
{
    static int rest;
    *half = *number / 2;
    rest = *number % 2;
    /* C may write to an input that is a pointer: a typed caller sees it, a JSON caller does not. */
    *number = 0;
    return &rest;
}

char *label(const char *title, int number, bool upper)
{
    static char text[128];
    snprintf(text, sizeof text, "%s %d", title, number);
    for (char *c = text; upper && *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return text;
}
