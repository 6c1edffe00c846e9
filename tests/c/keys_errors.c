// How functions report a failure: `x-error`. One function per condition, source of the code and source of the text.
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int allocated;
static int faults;
static int last;

static char *copied(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    strcpy(copy, text);
    allocated++;
    return copy;
}

int errors_allocated(void) { return allocated; }

int errors_faults(void) { return faults; }

// Changes errno, as freeing may: who reads errno late reads this.
void errors_free(void *pointer) {
    if (pointer == NULL || allocated == 0) {
        faults++;
    }
    allocated--;
    free(pointer);
    errno = ERANGE;
}

int errors_last(void) { return last; }

const char *errors_last_text(void) {
    errno = ERANGE;
    return last == 9 ? NULL : last == 8 ? "" : "the last error";
}

const char *errors_text_of(int code) {
    switch (code) {
    case 5: return "the library is busy";
    case 6: return "z\xfcrich is locked";
    default: return NULL;
    }
}

// Conditions.

int when_negative(int value) { return value; }

char *when_null(int code) {
    last = code;
    return code == 0 ? copied("fine") : NULL;
}

int when_zero(int value) {
    last = 5;
    return value;
}

int when_nonzero(int code) { return code; }

bool when_false(bool value) { return value; }

long when_value(long value) {
    errno = value == -1 ? EACCES : 0;
    return value;
}

// As ZSTD: errors are the highest values of size_t.
size_t when_called(int code) { return code == 0 ? 42 : (size_t)-code; }

unsigned is_error(size_t result) { return result > (size_t)-100; }

int code_of(size_t result) { return (int)(0 - result); }

const char *name_of(size_t result) { return errors_text_of(code_of(result)); }

void when_asked(int code) { last = code; }

// errno.

int change_folder(const char *path) { return chdir(path); }

int folder_error(const char *path) { return chdir(path) == 0 ? 0 : errno; }

int negated_error(const char *path) { return chdir(path) == 0 ? 0 : -errno; }

int keeps_errno(int code, char **note, int *count) {
    *note = copied("noted");
    *count = 7;
    errno = code;
    return code == 0 ? 0 : -1;
}

int write_text(int length, char *text, int room) {
    if (length > room) {
        errno = ENOSPC;
        return -1;
    }
    memset(text, 'x', (size_t)length);
    return length;
}

// Outputs.

int run(int code, char **errmsg) {
    if (code == 5) {
        *errmsg = copied("near \"selekt\": syntax error");
    }
    return code;
}

int run_buffer(int code, char *message, int room) {
    strncpy(message, code == 0 ? "" : "no such device", (size_t)room);
    return code;
}

int sum(const int *values, int count, long long *total, double *mean, bool *is_odd, char *sign, int *code) {
    *total = 0;
    for (int i = 0; i < count; i++) {
        *total += values[i];
    }
    *mean = count == 0 ? 0 : (double)*total / count;
    *is_odd = *total % 2 != 0;
    *sign = *total < 0 ? '-' : '+';
    *code = count == 0 ? 5 : 0;
    return count == 0 ? 0 : 1;
}

// A struct with the text.

struct info {
    int class;
    const char *message;
    char place[8];
};

const struct info *last_info(void) {
    static struct info info;
    info.class = 1;
    info.message = last == 4 ? NULL : "object not found";
    memcpy(info.place, "in place", 8);
    return last == 3 ? NULL : &info;
}

int find(int code) {
    last = code;
    return code;
}

// Handles.

struct db {
    int code;
};

int db_open(int code, struct db **db) {
    if (code == 7) {
        *db = NULL;
        return code;
    }
    *db = malloc(sizeof **db);
    allocated++;
    (*db)->code = code;
    return code;
}

struct db *db_make(int code) {
    struct db *db = NULL;
    if (code == 0) {
        db_open(0, &db);
    }
    errno = code;
    return db;
}

// A handle in every case; `is_broken` says whether it can be used.
struct db *db_connect(int code) {
    struct db *db = NULL;
    db_open(code, &db);
    return db;
}

int is_broken(struct db *db) { return db->code != 0; }

int db_code(struct db *db) { return db->code; }

char *db_text(struct db *db) { return copied(db->code == 0 ? "no error" : "the database is locked"); }

int db_use(struct db *db, int code) {
    db->code = code;
    return code;
}

int db_use_maybe(struct db *db, int code) {
    if (db != NULL) {
        db->code = code;
    }
    return code;
}

int db_close(struct db *db) {
    if (db->code == 6) {
        errno = EBUSY;
        return -1;
    }
    errors_free(db);
    return 0;
}

void db_free(struct db *db) { errors_free(db); }

// Enums.

enum status { STATUS_FINE, STATUS_LATE = 5, STATUS_GONE = 11 };

enum status state(int code) { return (enum status)code; }

// The text is behind two calls: the line knows its file, and the file knows why.

typedef struct { int code; } error_file;
typedef struct { error_file *file; } error_line;

static error_file only_file;
static error_line only_line = { &only_file }, lost_line = { NULL };
static int asked;

error_line *line_open(bool lost) { return lost ? &lost_line : &only_line; }

error_file *line_file(error_line *line) {
    asked++;
    return line->file;
}

int file_code(error_file *file) { return file->code; }

const char *file_text(error_file *file) { return file->code == 5 ? "the file is busy" : "the file is gone"; }

int line_asked(void) { return asked; }

int line_read(error_line *line, int code) {
    (void)line;
    only_file.code = code;
    return code;
}

// The same, with the condition and the code behind the calls.
void line_write(error_line *line, int code) {
    (void)line;
    only_file.code = code;
}

/* The text of a code alone. */
const char *code_text(int code) { return code == 5 ? "five" : "another"; }

/* Its file has the code afterwards; NULL for a line without a file. */
error_file *line_make(error_line *line, int code) {
    only_file.code = code;
    return line->file;
}
