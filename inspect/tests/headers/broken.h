/* Declarations that cannot be read stand between others that can. */

int before(int a);
unknown_type uses_unknown(int a);
int wrong(int a, @);
int between(int a);
struct broken { int a; what b; };
int uses_broken(struct broken *b);
typedef int (*unfinished)(int;
int after_all(int a);
static inline int body(void) { unknown_type x = 3; return x; }
template <class T> T generic(T x);
int last(int a);
