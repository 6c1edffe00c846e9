/* Every kind of C type in parameters and return values, for the readers of debug info. The library is
 * compiled in many ways, and each must say the same. No header of an operating system is needed, so
 * that it compiles for those that are not installed. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define API __declspec(dllexport)
/* The linker asks for it where there are floating-point numbers, and no C library is there to have it. */
int _fltused;
#else
#define API __attribute__((visibility("default"), used))
#endif
/* Optimizers must not drop what the test asks for. */
#define KEEP __attribute__((noinline))

struct point {
  double x;
  double y;
};

struct small {
  char tag;
  short count;
  int value;
};

struct nested {
  struct small head;
  struct point *at;
  struct {
    int left;
    union {
      float f;
      unsigned u;
    };
  } pair;
  unsigned char bytes[6];
  int grid[2][3];
};

struct bits {
  unsigned low : 3;
  unsigned middle : 7;
  int high : 12;
  unsigned char rest;
};

struct packed {
  char tag;
  int value;
} __attribute__((packed));

struct aligned {
  _Alignas(16) char bytes[8];
};

struct list {
  struct list *next;
  const char *name;
  int (*compare)(const struct list *, const struct list *);
};

struct flexible {
  size_t length;
  unsigned char data[];
};

union number {
  int64_t whole;
  double real;
  unsigned char raw[8];
};

struct opaque;
typedef struct opaque *handle;
typedef struct {
  int code;
  handle owner;
} status;

enum colour { RED, GREEN = 5, BLUE };
enum level { LOW = -2, HIGH = 70000 };

typedef int (*visitor)(void *user, const char *name, double value);
typedef const char *text;
typedef uint8_t key[32];

API KEEP void t_void(void) {}
API KEEP bool t_bool(bool a) { return !a; }
API KEEP char t_char(char a) { return a; }
API KEEP signed char t_signed_char(signed char a) { return a; }
API KEEP unsigned char t_unsigned_char(unsigned char a) { return a; }
API KEEP short t_short(short a) { return a; }
API KEEP unsigned short t_unsigned_short(unsigned short a) { return a; }
API KEEP int t_int(int a) { return a; }
API KEEP unsigned t_unsigned(unsigned a) { return a; }
API KEEP long t_long(long a) { return a; }
API KEEP unsigned long t_unsigned_long(unsigned long a) { return a; }
API KEEP long long t_long_long(long long a) { return a; }
API KEEP unsigned long long t_unsigned_long_long(unsigned long long a) { return a; }
API KEEP float t_float(float a) { return a; }
API KEEP double t_double(double a) { return a; }
API KEEP size_t t_size(size_t a) { return a; }
API KEEP ptrdiff_t t_difference(ptrdiff_t a) { return a; }
API KEEP int8_t t_int8(int8_t a) { return a; }
API KEEP uint16_t t_uint16(uint16_t a) { return a; }
API KEEP int32_t t_int32(int32_t a) { return a; }
API KEEP uint64_t t_uint64(uint64_t a) { return a; }
API KEEP enum colour t_enum(enum colour a) { return a; }
API KEEP int t_negative_enum(enum level a) { return (int)a; }
API KEEP struct point t_struct(struct point a) { return a; }
API KEEP int t_small_struct(struct small a, status b) { return a.value + b.code; }
API KEEP int t_struct_pointer(const struct nested *in, struct nested *out) { out->head = in->head; return 0; }
API KEEP int t_layouts(struct bits *a, struct packed *b, struct aligned *c, union number *d, struct flexible *e) {
  return (int)a->low + b->value + c->bytes[0] + d->raw[0] + (int)e->length;
}
API KEEP struct list *t_recursive(struct list *a) { return a->next; }
API KEEP void *t_pointer(void *a, const void *b) { return a ? a : (void *)b; }
API KEEP const char *t_text(const char *a, char *out, text named) { *out = *a; return named; }
API KEEP int t_pointers(char **a, const char *const *b, int **c) { return **a + **b + **c; }
API KEEP int t_numbers(const int *in, int *out, volatile unsigned long *flag) { *out = *in; return (int)*flag; }
API KEEP int t_arrays(const unsigned char k[32], int grid[][3], key secret) { return k[0] + grid[0][0] + secret[0]; }
API KEEP int t_handle(handle *out, handle in) { *out = in; return 0; }
API KEEP int t_callback(visitor visit, void *user) { return visit(user, "name", 1.5); }
API KEEP int t_plain_callback(int (*f)(int, ...), void (*g)(void)) { g(); return f(1); }
API KEEP visitor t_returns_callback(visitor a) { return a; }
API KEEP int t_variadic(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int first = va_arg(list, int);
  va_end(list);
  return first;
}
API KEEP int t_qualified(const int a, char *restrict b, const char *const c) { return a + *b + *c; }
API KEEP int t_many(int a, double b, char c, float d, long e, short f, void *g, unsigned char h, bool i, double j) {
  return a + (int)b + c + (int)d + (int)e + f + (g != 0) + h + i + (int)j;
}
