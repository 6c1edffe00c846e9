/* Arrays of pointers, for tests: handles and strings, with NULL among them, and lengths that are products of calls. */
#include <stdlib.h>
#include <string.h>

#define LIVING 0x600d
#define ROOM 8

typedef struct book {
  int mark;
  int pages;
} book;

typedef struct shelf {
  int mark;
  int count;
  book *books[ROOM];
  book *ended[ROOM + 1];
} shelf;

typedef struct image {
  int mark;
  int stride;
  int height;
  unsigned char data[64];
} image;

static int living;
static int faults;

int keys_living(void) { return living; }
int keys_faults(void) { return faults; }

static void *counted(size_t size) {
  living++;
  return calloc(1, size);
}

void keys_free(void *memory) {
  if (memory) living--;
  free(memory);
}

static book *made(int pages) {
  book *new = counted(sizeof *new);
  new->mark = LIVING;
  new->pages = pages;
  return new;
}

static int pages_of(const book *of) {
  if (of->mark != LIVING) {
    faults++;
    return 0;
  }
  return of->pages;
}

book *book_new(int pages) { return made(pages); }
int book_pages(book *of) { return pages_of(of); }

void book_free(book *of) {
  if (of->mark != LIVING) faults++;
  of->mark = 0;
  keys_free(of);
}

/* The handles of an array. */

int books_pages(book **books, size_t n) {
  int pages = 0;
  for (size_t i = 0; i < n; i++) pages += pages_of(books[i]) % 1000;
  /* The array is a copy: C may change it. */
  if (n) books[0] = NULL;
  return pages;
}

int books_until_null(book **books) {
  int count = 0;
  while (books[count]) faults += books[count++]->mark != LIVING;
  return count;
}

int books_some(book **books, int n) {
  int nulls = 0, found = 0;
  for (int i = 0; i < n; i++) books[i] ? (found += pages_of(books[i]) > 0) : nulls++;
  return nulls * 1000 + found;
}

int books_or_none(book **books, unsigned char n) {
  if (!books) return -1;
  for (int i = 0; i < n; i++) pages_of(books[i]);
  return n;
}

book *books_last(book **books, size_t n) { return n ? books[n - 1] : NULL; }

int books_after(book *freed, book **books, size_t n) {
  int pages = pages_of(freed) % 1000;
  book_free(freed);
  for (size_t i = 0; i < n; i++) pages += pages_of(books[i]) % 1000;
  return pages;
}

/* Handles from C. */

shelf *shelf_new(void) {
  shelf *new = counted(sizeof *new);
  new->mark = LIVING;
  return new;
}

void shelf_free(shelf *of) {
  if (of->mark != LIVING) faults++;
  of->mark = 0;
  for (int i = 0; i < of->count; i++) book_free(of->books[i]);
  keys_free(of);
}

int shelf_add(shelf *to, int pages) {
  if (to->count == ROOM) return 0;
  book *new = made(pages);
  to->books[to->count] = new;
  to->ended[to->count] = new;
  return ++to->count;
}

/* Its books, which it owns; the array is the caller's. No books are NULL. */
book **shelf_books(shelf *of, int *count) {
  *count = of->count;
  if (!of->count) return NULL;
  book **list = counted(sizeof(book *) * ROOM);
  memcpy(list, of->books, sizeof(book *) * of->count);
  return list;
}

/* The same, up to a NULL; the array is the shelf's. */
book **shelf_ended(shelf *of) { return of->ended; }

book **shelf_ended_or_none(shelf *of) { return of->count ? of->ended : NULL; }

/* All its places, some of them NULL. */
book **shelf_places(shelf *of) { return of->books; }

/* Copies of its first books, which the caller owns. With fewer books there are NULLs; with a negative count, none. */
static book **copies(shelf *of, int n, size_t *count) {
  *count = (size_t)n;
  if (n < 0) return NULL;
  book **list = counted(sizeof(book *) * (ROOM + 1));
  for (int i = 0; i < n && i < ROOM; i++) list[i] = i < of->count ? made(pages_of(of->books[i])) : NULL;
  if (n > ROOM) *count = ROOM;
  return list;
}

book **shelf_copies(shelf *of, int n, size_t *count) { return copies(of, n, count); }
book **shelf_some_copies(shelf *of, int n, size_t *count) { return copies(of, n, count); }

/* The title is NULL for an odd number. */
book **shelf_titled_copies(shelf *of, int n, const char **title, size_t *count) {
  *title = n % 2 ? NULL : "titled";
  return copies(of, n, count);
}

/* What the shelf lends is given back to it. */
book **shelf_loans(shelf *of, int n, size_t *count) { return copies(of, n, count); }

void loan_end(shelf *of, book *lent) {
  if (of->mark != LIVING) faults++;
  book_free(lent);
}

/* Arrays that the caller allocates. */

int shelf_fill(shelf *of, book **books, int capacity) {
  int n = of->count < capacity ? of->count : capacity;
  for (int i = 0; i < n; i++) books[i] = of->books[i];
  return n;
}

/* Fails with 1 if there is no room; beyond four books it says that it wrote one more than there is room for. */
int shelf_fill_copies(shelf *of, book **books, size_t capacity, size_t *written, int *total) {
  *written = 0;
  if ((size_t)of->count > capacity) return 1;
  for (int i = 0; i < of->count; i++) books[i] = of->count > 4 ? of->books[i] : made(pages_of(of->books[i]));
  *written = of->count > 4 ? capacity + 1 : (size_t)of->count;
  *total = of->count;
  return 0;
}

void shelf_fill_four(shelf *of, book **books) {
  for (int i = 0; i < 4; i++) books[i] = i < of->count ? made(pages_of(of->books[i])) : NULL;
}

/* Strings with NULL among them. */

int names_count(const char **names, int n) {
  int nulls = 0, bytes = 0;
  for (int i = 0; i < n; i++) names[i] ? (bytes += (int)strlen(names[i])) : nulls++;
  return nulls * 1000 + bytes;
}

int names_or_none(const char **names, size_t n) { return names ? names_count(names, (int)n) : -1; }

int names_all(const char **names, int n) { return names_count(names, n); }

const char **names_some(int n, int *count) {
  *count = n;
  if (n < 0) return NULL;
  const char **list = counted(sizeof(char *) * ROOM);
  for (int i = 0; i < ROOM; i += 2) list[i] = i % 4 ? "\xc3\xa9t\xc3\xa9" : "name";
  if (n > ROOM) *count = ROOM;
  return list;
}

const char **names_some_or_none(int n, int *count) { return names_some(n, count); }

/* Lengths that are products of calls. */

image *image_new(int stride, int height) {
  image *new = counted(sizeof *new);
  new->mark = LIVING;
  new->stride = stride % 9;
  new->height = height % 8;
  for (int i = 0; i < 64; i++) new->data[i] = (unsigned char)i;
  return new;
}

void image_free(image *of) {
  if (of->mark != LIVING) faults++;
  of->mark = 0;
  keys_free(of);
}

int image_stride(image *of) { return of->stride; }

/* Fails with 1 if there are no rows. */
int image_rows(image *of, short *rows) {
  *rows = (short)of->height;
  return of->height < 0;
}

unsigned char *image_data(image *of) { return of->data; }
unsigned char *image_pixels(image *of) { return of->data; }

int image_sum(image *of, const unsigned char *data) {
  int sum = 0;
  for (int i = 0; i < of->stride * of->height; i++) sum += data[i];
  return sum;
}

void image_copy(image *of, short *out) {
  for (int i = 0; i < of->stride * 2; i++) out[i] = of->data[i];
}
