/* Macros: those that are integers, and those that are not. */
#include "constants_more.h"

#define ZERO 0 /* nothing */
#define NEGATIVE (-6) // below zero
#define SHIFTED (1 << 4 | MORE) /**< a sum of flags */
#define TEXTUAL 1 + 2
#define TEXTUAL_TWICE TEXTUAL * 3
#define CALLED TWICE(TWICE(5))
#define LIMITED SMALLER(0xFFFFFFFFFFFFFFFFULL, 70000)
#define CAST ((unsigned char)-1)
#define SIZE sizeof(struct pair)
#define LETTER 'x'
#define CHOICE (sizeof(void *) > 2 ? 10 : 1 / 0)
#define UNSIGNED (~0U)
#define LEAST (-0x7fffffffffffffffLL - 1)
#define ALIAS FIRST /* the first of them */
#define LONG_STORY 7 /* a comment
                        that goes on */

/** Stands alone. */
#define LONELY 99

/* Several at once. */
#define GROUPED_A 1
#define GROUPED_B 2

#define FLOATING 1.5
#define TEXT "text"
#define EMPTY
#define POINTER ((void *)0)
#define CALL(x) (x)
#define PASTED GROUPED_##A
#define CIRCULAR CIRCULAR_TOO
#define CIRCULAR_TOO CIRCULAR
#define UNKNOWN not_declared
#define GONE 5
#undef GONE
#define CHANGED 1
#undef CHANGED
#define CHANGED 2
#define CONTINUED (1 + \
                   2)

struct pair { int a; char b; };
enum { FIRST = 41, NEXT };
int use(struct pair *);
