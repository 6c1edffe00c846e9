/* Points of a plane and of space, described by fixtures/points: two documents that have types of the same names. */

#include <stdlib.h>

#ifdef SPACE
typedef struct { int x, y, z; } point;
#define SUM(p) ((p)->x + (p)->y + (p)->z)
#else
typedef struct { int x, y; } point;
#define SUM(p) ((p)->x + (p)->y)
#endif

int point_sum(const point *p) { return SUM(p); }

point *path_begin(const point *p)
{
    point *path = malloc(sizeof *path);
    if (path)
        *path = *p;
    return path;
}

int path_sum(const point *path) { return SUM(path); }
void path_end(point *path) { free(path); }
