#define MORE 0x100
#define TWICE(x) ((x) * 2)
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
int from_more(void);
