#include <stdio.h>
#include <stdlib.h>

/* Leaves a file where it can: a test sees that the library was loaded, or that it could write. */
static void leave(const char *name) {
  const char *folder = getenv("FOO_LEAVES");
  char path[4096];
  FILE *file;
  if (!folder) return;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "w");
  if (file) fclose(file);
}

__attribute__((constructor)) static void loaded(void) { leave("loaded"); }

int foo_count(void) {
  leave("counted");
  return 3;
}

int foo_add(int a, int b) { return a + b; }

unsigned foo_sum(const unsigned char *buf, unsigned len) {
  unsigned sum = 0;
  for (unsigned i = 0; i < len; i++) sum += buf[i];
  return sum;
}
