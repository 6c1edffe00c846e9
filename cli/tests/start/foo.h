/** Counts the things. */
int foo_count(void);
/** Adds two numbers. */
int foo_add(int a, int b);
unsigned foo_sum(const unsigned char *buf, unsigned len);
