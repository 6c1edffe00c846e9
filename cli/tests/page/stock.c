// Every kind of value that a form has to offer, and a reply that is long.

#include <stddef.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  double x;
  double y;
} Point;

int add(int a, int b) { return a + b; }

int paint(int colour, const char *note, int loud) { return colour * 10 + (note != NULL) * 2 + (loud != 0); }

int total(const unsigned char *xs, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) sum += xs[i];
  return sum;
}

double distance(Point from, Point to) {
  double x = from.x - to.x, y = from.y - to.y;
  return x * x + y * y;
}

unsigned int checksum(const unsigned char *data, size_t length) {
  unsigned int sum = 0;
  for (size_t i = 0; i < length; i++) sum = sum * 31 + data[i];
  return sum;
}

unsigned long long twice(unsigned long long x) { return x * 2; }

// A text of that many letters.
const char *long_text(int length) {
  static char text[2000001];
  memset(text, 'a', (size_t)length);
  text[length] = 0;
  return text;
}

// What a page must not take for HTML.
const char *tell(const char *text) {
  (void)text;
  return "<img src=x onerror=alert(2)><script>alert(3)</script>";
}

unsigned int nap(unsigned int seconds) { return sleep(seconds); }

void wipe(void) {}

void gather(const int *xs, void *into) {
  (void)xs;
  (void)into;
}
