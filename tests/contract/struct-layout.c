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
double length(const struct point *at) { return at->x + at->y; }
void begin(struct state *state) { state->words[0] = 0; }
double area(const struct rect *of) { return of->width * of->height; }
void mark(struct mark *at) { at->tag = 0; }
