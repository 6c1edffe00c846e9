/* Structs, described by fixtures/keys-structs: by pointer and by value, in and out, nested, with
 * members of every kind; and a state that only C accesses. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct { double x, y; } point;
typedef struct { point min, max; } rect;
typedef struct { int a, b; } pair;

/* Members whose offsets are not the sum of the sizes before them. */
typedef struct {
    char tag;
    double value;
    short small;
    bool flag;
    int color;
    unsigned char bytes[3];
    char label[16];
    int counts[4];
    point corners[2];
    const char *name;
    void *extra;
    long long big;
    float ratio;
} mixed;

_Static_assert(sizeof(point) == 16 && _Alignof(point) == 8, "as the document says");
_Static_assert(sizeof(rect) == 32, "as the document says");
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(mixed) == 128 && _Alignof(mixed) == 8, "as the document says");
#endif

/* By pointer. */

/* Squared, so that no math library has to be linked. */
double point_length(const point *p) { return p->x * p->x + p->y * p->y; }
double point_length_or(const point *p, double otherwise) { return p == NULL ? otherwise : point_length(p); }

void point_make(double x, double y, point *p)
{
    p->x = x;
    p->y = y;
}

void point_scale(point *p, double by)
{
    p->x *= by;
    p->y *= by;
}

/* Two structs; one is written. */
int point_move(point *p, const point *by)
{
    p->x += by->x;
    p->y += by->y;
    return p->x < 0 || p->y < 0 ? 1 : 0;
}

/* By value: in registers of each kind, and in memory. */

double point_length_value(point p) { return point_length(&p); }
point point_add(point a, point b) { return (point){ a.x + b.x, a.y + b.y }; }
pair pair_swap(pair p) { return (pair){ p.b, p.a }; }
rect rect_of(point min, point max) { return (rect){ min, max }; }
double rect_area_value(rect r) { return (r.max.x - r.min.x) * (r.max.y - r.min.y); }

/* Nested. */

double rect_area(const rect *r) { return rect_area_value(*r); }

void rect_grow(rect *r, double by)
{
    r->min.x -= by;
    r->min.y -= by;
    r->max.x += by;
    r->max.y += by;
}

/* Returned by pointer, and through a pointer to a pointer. */

static const point unit = { 1, 1 };

const point *unit_point(void) { return &unit; }
const point *maybe_point(bool there) { return there ? &unit : NULL; }
void point_out(bool there, const point **p) { *p = maybe_point(there); }

/* Members of every kind. */

void mixed_make(mixed *m)
{
    memset(m, 0, sizeof *m);
    m->tag = 'm';
    m->value = 2.5;
    m->small = -7;
    memset(&m->flag, 2, 1); /* true, if every value except 0 is */
    m->color = 2;
    memcpy(m->bytes, "\x00\x80\xFF", 3);
    memcpy(m->label, "sixteen letters!", 16); /* fills the array, without a NUL */
    for (int i = 0; i < 4; i++)
        m->counts[i] = 10 * i;
    m->corners[0] = unit;
    m->corners[1] = (point){ 3, 4 };
    m->name = "a mixed one";
    m->big = 9007199254740993; /* more than a double represents exactly */
    m->ratio = 0.1f;
}

/* One bit per member that has the value from mixed_make; strings are compared by content. */
int mixed_check(const mixed *m)
{
    int seen = 0;
    seen |= (m->tag == 'm') << 0;
    seen |= (m->value == 2.5) << 1;
    seen |= (m->small == -7) << 2;
    seen |= (*(const unsigned char *)&m->flag == 1) << 3;
    seen |= (m->color == 2) << 4;
    seen |= (memcmp(m->bytes, "\x00\x80\xFF", 3) == 0) << 5;
    seen |= (strncmp(m->label, "sixteen letters!", 16) == 0) << 6;
    seen |= (m->counts[0] == 0 && m->counts[3] == 30) << 7;
    seen |= (m->corners[0].x == 1 && m->corners[1].y == 4) << 8;
    seen |= (m->name != NULL && strcmp(m->name, "a mixed one") == 0) << 9;
    seen |= (m->extra == NULL) << 10;
    seen |= (m->big == 9007199254740993) << 11;
    seen |= (m->ratio == 0.1f) << 12;
    return seen;
}

void mixed_change(mixed *m)
{
    m->color = 99; /* not in the document */
    m->small++;
    strcpy(m->label, "short");
    m->name = NULL;
}

/* Two letters of the label are Latin-1, which is not UTF-8. */
void mixed_latin(mixed *m)
{
    mixed_make(m);
    strcpy(m->label, "Gr\xFC\xDF" "e");
}

int mixed_check_value(mixed m) { return mixed_check(&m); }

/* Members with defaults. */

typedef struct { int level; double ratio; bool fast; int retries; } settings;

int settings_digest(const settings *s)
{
    return 1000 * s->level + 100 * (int)(10 * s->ratio) + 10 * s->fast + s->retries;
}

/* Arrays of structs. */

double points_sum(const point *points, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += points[i].x + points[i].y;
    return sum;
}

void points_line(point *points, int n)
{
    for (int i = 0; i < n; i++)
        points[i] = (point){ i, -i };
}

int points_some(point *points, int n)
{
    points_line(points, n < 2 ? n : 2);
    return n < 2 ? n : 2;
}

void points_scale(point *points, size_t n, double by)
{
    for (size_t i = 0; i < n; i++)
        point_scale(&points[i], by);
}

static const point corners[] = { { 0, 0 }, { 1, 0 }, { 1, 1 } };

const point *points_all(int *n)
{
    *n = 3;
    return corners;
}

void points_out(const point **points, unsigned int *n)
{
    *points = corners;
    *n = 2;
}

/* A state that the caller allocates: a checksum, with a mark that shows whether it is initialised. */

#define MARK 0x5EED5EED5EED5EEDu

typedef struct {
    uint64_t mark;
    uint32_t sum;
    uint32_t count;
    unsigned char block[24];
} state;

_Static_assert(sizeof(state) == 40 && _Alignof(state) == 8, "as the document says");

void state_init(state *s)
{
    memset(s, 0, sizeof *s);
    s->mark = MARK;
}

int state_update(state *s, const unsigned char *bytes, size_t n)
{
    if (s->mark != MARK)
        return 1;
    for (size_t i = 0; i < n; i++)
        s->sum = s->sum * 31 + bytes[i];
    s->count += (uint32_t)n;
    return 0;
}

unsigned int state_count(const state *s) { return s->mark == MARK ? s->count : 0; }

void state_copy(state *to, const state *from) { *to = *from; }

unsigned int state_final(state *s)
{
    s->mark = 0;
    return s->sum;
}
