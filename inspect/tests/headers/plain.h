/*
 * Copyright (C) Nobody. Permission is hereby granted to read this file.
 */
int after_licence(void);

/* --------------------------------------------------------------
 *  Section of functions
 * -------------------------------------------------------------- */
int after_banner(void);

/* a heading */

int after_heading(void);

/* Opens the thing at PATH. Unlike close_thing() it can fail. */
int open_thing(const char *path);

/* Frees what open_thing() made, or nothing if it is NULL. */
void close_thing(int thing);

/* Counts words. */
int count_words(const char *text);
/* Counts lines, as count_words() counts words. */
int count_lines(const char *text);

/* Reads and writes numbers. */
int read_number(int at);
int write_number(int at, int number);

/* Length of p. */
double length_of(const double *p);
int unrelated(int);

/*
** CAPI3REF: Two Of A Kind
** METHOD: thing
** KEYWORDS: {two} {kind}
**
** ^The kind_one() routine does [kind_two()|the same] as kind_two().
** <ul>
** <li> first &lt;point&gt;
** <li> second point
** </ul>
*/
int kind_one(
  int thing,              /* The thing */
  const char *,           /* Its name,
                          ** or NULL */
  void (*done)(void)      /* Called when done */
);

int kind_two(int thing);

/*
 * NAME distant_thing()
 *
 * DESCRIPTION
 *
 * Is described far away from its declaration.
 */
#define DISTANT 1
struct distant {
    int a;       /* the first */
    /* The second, which is
     * explained above. */
    int b, c;
    char *d;     /**< the last */
    int e;
};
enum kinds {
    KIND_NONE,   /* 0 */
    KIND_ONE,    /* 1 - the first kind */
    /** the second kind */
    KIND_TWO,
    KIND_LAST    // the last kind
};
struct distant distant_thing(enum kinds of);
enum kinds kind_of(struct distant *thing);

/*! LZ4_like() :
 *  Compresses 'size' bytes.
 *  size : how many bytes
 * *used : how many were used
 * @return : the number of bytes written
 *           or 0 if it fails
 *  Note : it never writes outside.
 */
int LZ4_like(int size, int *used);

#ifdef NEVER
/* Never seen. */
int never(void);
#endif /* NEVER */
int undescribed(void);
// clang-format off
int after_tool(void);
