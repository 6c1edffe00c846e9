struct point {
  double x, y;
};
struct state {
  long words[4];
};
struct rect {
  double width, height, depth;
};
struct mark {
  char tag;
  short count;
  int value;
};
struct node {
  char *name;
  short flags;
  int kind;
  double rest[8];
};
int next(struct node *node) { return node->kind; }
double length(const struct point *at) { return at->x + at->y; }
void begin(struct state *state) { state->words[0] = 0; }
double area(const struct rect *of) { return of->width * of->height; }
void mark(struct mark *at) { at->tag = 0; }
