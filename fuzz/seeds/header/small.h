# 1 "a.h"
/** Adds.
 * @param a first */
int add(int a, const char *b);
struct s { int a : 3; union { float f; long double g; }; enum e { A = 1 << 3, B = sizeof(int) } e; };
typedef void (*cb)(struct s *, unsigned long long [static 3], ...) __attribute__((nonnull(1)));
#define N (1 + 2 * ~0x3ul)
#define S "a" "b"
extern cb x(cb (*)(void)) __attribute__((malloc, access(read_only, 1, 2)));
static inline int f(void) { return 0; }
