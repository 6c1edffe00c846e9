#include <stdlib.h>
void calc_free(void *p) { free(p); }
void (*calc_deallocate)(void *) = calc_free;
__thread void (*calc_local)(void *) = calc_free;
char *calc_text(void) { return malloc(1); }
int calc_data;
void calc_take(char *text) { free(text); }
