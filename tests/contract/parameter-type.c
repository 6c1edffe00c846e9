#include <stddef.h>
typedef unsigned long uLong;
typedef int (*visitor)(int);
void narrow(uLong n) { (void)n; }
void signed_really(int n) __asm__("signed");
void signed_really(int n) { (void)n; }
void pointed(const int *n) { (void)n; }
void deep(char **text) { (void)text; }
void wide(long *out) { *out = 0; }
void real(double x) { (void)x; }
void size(size_t n) { (void)n; }
void called(visitor f) { (void)f; }
