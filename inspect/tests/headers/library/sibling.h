#ifndef SIBLING
#define SIBLING
int of_sibling(void);
#endif
