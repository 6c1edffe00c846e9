/* Declarations in every way that C has. */
#ifndef DECLARATIONS_H
#define DECLARATIONS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define KEY_BYTES 32U
#define NONCE_BYTES (KEY_BYTES / 2 + 8)
#define API extern __attribute__((visibility("default")))
#define OF(args) args
#ifdef __clang__
#define UNUSED
#else
#define UNUSED [[maybe_unused]]
#endif

typedef struct opaque opaque;
typedef struct node {
    struct node *next;
    int (*compare)(const struct node *, const struct node *);
    union {
        int64_t number;
        double real;
    };
} node, *node_pointer;
typedef const char *text;
typedef const struct node constant_node;
typedef int operation(int left, int right);
typedef operation *operation_pointer;
typedef unsigned char key[KEY_BYTES];
typedef enum color { RED, GREEN = 1 << 2, BLUE, LAST = -1 } color;
typedef struct { int x; } only, *only_pointer;
enum { NAMELESS = sizeof(int) * 2 };
typedef int quarter __attribute__((__mode__(__QI__)));
typedef float wide_complex_part;

API int plain(int a, unsigned b, long unsigned int c, short int d, signed char e, long long f);
extern void no_parameters(void);
extern int says_nothing();
int first(int), second(double), *third(const char *const *list);
operation by_typedef;
operation_pointer returns_typedef(operation callback, operation_pointer other);
void (*signal_like(int number, void (*handler)(int)))(int);
int (*returns_array_pointer(void))[3];
int (parenthesized)(int (inner));
API void arrays(unsigned char k[KEY_BYTES], const unsigned char n[NONCE_BYTES], key key, int matrix[2][3],
                const char *const argv[], char open[], int at_least[static 4]);
int with_restrict(char *__restrict to, const char *restrict from, size_t n) __attribute__((nonnull(1, 2)));
int renamed(const char *format, ...) __asm__("renamed" "_v2") __attribute__((format(printf, 1, 2)));
__extension__ long long extended(unsigned long long x);
_Noreturn void stops(int status);
void also_stops(void) __attribute__((__noreturn__));
int old_style OF((node_pointer list, text name, constant_node *fixed));
_Bool flags(_Bool on, enum color c, color d);
node by_value(node n);
only *by_only_name(only_pointer p);
opaque *make(void), *copy(const opaque *of);
char *list(va_list arguments);
wchar_t wide(wchar_t c);
quarter small(quarter q);
float _Complex rotate(float _Complex z);
_Complex double rotate_more(double complex_is_a_name, __complex__ double z);
long double _Complex rotate_most(long double _Complex z);
long double exact(long double x);
__int128 huge(unsigned __int128 x);
UNUSED int with_standard_attribute(int x);
int size_known(char buffer[sizeof(node) + NAMELESS + GREEN]);
__typeof__(unsigned long) by_typeof(__typeof__(node *) n);

static inline int inline_with_body(int x) {
    const char *brace = "} ; {";
    return x + brace[0] + '}';
}
static int private_function(int x);
extern inline __attribute__((__gnu_inline__)) int inlined_here_only(int x) { return x; }
extern int also_inlined(int x);
extern inline __attribute__((__gnu_inline__)) int also_inlined(int x) { return x; }
extern int variable, *pointer_variable;
extern operation_pointer variable_of_functions;
int initialized[] = { 1, 2, (3), };
_Static_assert(sizeof(int) == 4, "int f(int);");
int twice(int, char **);
int twice(int count, char **texts);

#endif
