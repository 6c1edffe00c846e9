/* Functions whose symbols and debug info are not in a simple relation. */

/* Two names of one function. */
__attribute__((visibility("default"))) int alias_target(const char *text, unsigned long length) {
  return text[0] + (int)length;
}
__attribute__((visibility("default"), alias("alias_target"))) int alias_name(const char *, unsigned long);

/* A name for a function that is not visible itself. */
__attribute__((used)) static double hidden(double a, int b) { return a * b; }
__attribute__((visibility("default"), alias("hidden"))) double shown(double, int);

/* Another function has the name in the source, and is not this one. */
__asm__(".symver versioned_old, versioned@V1");
__asm__(".symver versioned_new, versioned@@V2");
int versioned_old(int a) { return a; }
long versioned_new(long a, long b) { return a + b; }

/* Two functions with equal code: a linker may fold them, and then both have one address. */
__attribute__((visibility("default"))) void *folded_pointer(void *a) { return a; }
__attribute__((visibility("default"))) unsigned long folded_number(unsigned long a) { return a; }

/* Chosen when the library is loaded. */
static int choice(int a, float b) { return a + (int)b; }
static int (*choose(void))(int, float) { return choice; }
__attribute__((visibility("default"))) int chosen(int, float) __attribute__((ifunc("choose")));
static void *choose_blindly(void) { return (void *)choice; }
__attribute__((visibility("default"))) int chosen_blindly(int, float) __attribute__((ifunc("choose_blindly")));

/* A definition as before 1989: callers pass a double and an int. */
__attribute__((visibility("default"))) int old_style(a, b, c)
float a;
short b;
char *c;
{
  return (int)a + b + c[0];
}
__attribute__((visibility("default"))) int old_empty() { return 1; }

/* Another name for the linker than for the compiler. */
__attribute__((visibility("default"))) int renamed(short a) __asm__("linker_name");
int renamed(short a) { return a; }

/* Written in assembler: exported, and with nothing that tells its type. */
__asm__(".globl assembled\n.type assembled, @function\nassembled:\n  ret\n.size assembled, .-assembled\n");

/* Inlined elsewhere, so that its debug info is in two parts. */
__attribute__((visibility("default"))) int inlined(int a, const char *b) { return a * 3 + b[0]; }
__attribute__((visibility("default"))) int caller(int a) { return inlined(a, "x") + inlined(a + 1, "y"); }

/* A static function that has the name of nothing that is exported here, and data. */
__attribute__((visibility("default"))) int data = 5;
__attribute__((visibility("default"))) _Thread_local int of_thread = 6;

/* What the model has no word for. */
__attribute__((visibility("default"))) int atomic_and_vector(
    _Atomic int *a, _Atomic(struct pair *) b, int __attribute__((vector_size(16))) c, __int128 d, _Float128 e,
    long double f, float _Complex g) {
  return *a + (b != 0) + c[0] + (int)d + (int)e + (int)f + (int)g;
}
