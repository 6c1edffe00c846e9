/* Ownership that passes to C; described by fixtures/keys-takes.
 *
 * Objects are slots of a pool and are never returned to the system, so that a use after free, a double free or a cycle
 * is counted instead of crashing: tests read `keys_living` and `keys_faults`. Memory that the caller allocates and C
 * keeps is read where it is, so that a sanitizer sees a use after free. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define SLOTS 4096

typedef struct branch {
    bool lives, is_root;
    int id;
    struct branch *parent, *first, *next;
    const char *note;
    int (*listener)(void *, int);
    void *listener_arg;
} branch;

static branch branches[SLOTS];
static int branch_count, living, faults;

int keys_living(void) { return living; }
int keys_faults(void) { return faults; }

static bool is_branch(const branch *b) { return b != NULL && b->lives ? true : (faults++, false); }

/* NULL for -1. */
branch *branch_new(int id)
{
    if (id == -1 || branch_count == SLOTS)
        return NULL;
    branch *b = &branches[branch_count++];
    *b = (branch){ .lives = true, .is_root = true, .id = id };
    living++;
    return b;
}

static void end(branch *b)
{
    if (!is_branch(b))
        return;
    for (branch *child = b->first; child != NULL; child = child->next)
        end(child);
    b->lives = false;
    living--;
}

/* Frees a branch with everything in it, calling the listeners and reading the notes one last time. */
void branch_free(branch *b)
{
    if (!is_branch(b))
        return;
    faults += !b->is_root;
    end(b);
}

int branch_id(const branch *b) { return is_branch(b) ? b->id : -1; }

/* The sum of the numbers of a branch and everything in it. */
int branch_sum(const branch *b)
{
    unsigned sum = (unsigned)branch_id(b);
    if (b != NULL)
        for (const branch *child = b->first; child != NULL; child = child->next)
            sum += (unsigned)branch_sum(child);
    return (int)sum;
}

branch *branch_first(const branch *b) { return is_branch(b) ? b->first : NULL; }
branch *branch_next(const branch *b) { return is_branch(b) ? b->next : NULL; }

static bool link_in(branch *parent, branch *child)
{
    if (!is_branch(parent) || !is_branch(child) || !child->is_root)
        return faults++, false;
    for (branch *above = parent; above != NULL; above = above->parent)
        if (above == child)
            return faults++, false;
    child->is_root = false;
    child->parent = parent;
    child->next = parent->first;
    parent->first = child;
    return true;
}

/* Fails for a child with the number 13, and takes nothing then. */
int branch_add(branch *parent, branch *child)
{
    if (branch_id(child) == 13)
        return 3;
    return link_in(parent, child) ? 0 : 7;
}

/* Takes it always, and fails for a child with the number 13. */
int branch_force(branch *parent, branch *child)
{
    int code = branch_id(child) == 13 ? 3 : 0;
    link_in(parent, child);
    return code;
}

/* A child that may be NULL; the parent comes last. */
void branch_hang(branch *child, branch *parent)
{
    if (child != NULL)
        link_in(parent, child);
}

/* Merges equal numbers, as text nodes are merged: the child is freed then. NULL for the number 13, and takes nothing. */
branch *branch_merge(branch *parent, branch *child)
{
    if (branch_id(child) == 13)
        return NULL;
    for (branch *other = parent->first; other != NULL; other = other->next)
        if (other->id == child->id) {
            branch_free(child);
            return other;
        }
    return link_in(parent, child) ? child : NULL;
}

/* What the library owns for good. */
static branch *owned;

static int in_tree(const branch *b)
{
    int count = 1;
    for (const branch *child = b->first; child != NULL; child = child->next)
        count += in_tree(child);
    return count;
}

void branch_give(branch *b)
{
    if (!is_branch(b))
        return;
    living -= in_tree(b);
    b->next = owned;
    owned = b;
    b->is_root = false;
}

/* A branch that the library owns is nobody else's to pass. */
int branch_give_beside(branch *b, branch *const *others, int count)
{
    branch_give(b);
    unsigned sum = 0;
    for (int i = 0; i < count; i++) {
        for (const branch *up = others[i]; up != NULL; up = up->parent)
            faults += up == b;
        sum += (unsigned)branch_id(others[i]);
    }
    return (int)sum;
}

int given_sum(int event)
{
    unsigned sum = 0;
    for (branch *b = owned; b != NULL; b = b->next)
        sum += (unsigned)b->id + (unsigned)(b->listener != NULL ? b->listener(b->listener_arg, event) : 0);
    return (int)sum;
}

void branch_listen(branch *b, int (*listener)(void *, int), void *arg)
{
    if (!is_branch(b))
        return;
    b->listener = listener;
    b->listener_arg = arg;
}

/* Calls the listeners of a branch and everything in it. */
int branch_fire(const branch *b, int event)
{
    int sum = is_branch(b) && b->listener != NULL ? b->listener(b->listener_arg, event) : 0;
    for (const branch *child = b->first; child != NULL; child = child->next)
        sum += branch_fire(child, event);
    return sum;
}

void branch_note(branch *b, const char *note) { if (is_branch(b)) b->note = note; }

/* The number of characters in the notes of a branch and everything in it. */
int branch_notes(const branch *b)
{
    int count = 0;
    for (const char *at = b->note; at != NULL && *at != 0; at++)
        count++;
    for (const branch *child = b->first; child != NULL; child = child->next)
        count += branch_notes(child);
    return count;
}

/* Arrays of branches: whether C refuses one of them, which has the number 13. C may write to the array. */
static bool is_refused(branch **branches, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (branches[i] != NULL && branch_id(branches[i]) == 13)
            return true;
    return false;
}

static void link_all(branch *parent, branch **branches, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (branches[i] != NULL) {
            link_in(parent, branches[i]);
            branches[i] = NULL;
        }
}

/* A new branch with all of them in it. NULL for none or the number 13, and takes nothing then. */
branch *branch_bundle(branch **branches, size_t count)
{
    if (count == 0 || is_refused(branches, count))
        return NULL;
    branch *bundle = branch_new(100);
    if (bundle == NULL)
        return NULL;
    link_all(bundle, branches, count);
    return bundle;
}

/* The same, but frees all of them where it fails. A byte counts them. */
branch *branch_bundle_always(branch **branches, unsigned char count)
{
    branch *bundle = branch_bundle(branches, count);
    if (bundle != NULL)
        return bundle;
    for (size_t i = 0; i < count; i++)
        branch_free(branches[i]);
    return NULL;
}

/* A new branch with this one in it. NULL for the number 13, and takes nothing then. */
branch *branch_wrap(branch *child) { return branch_bundle(&child, 1); }

/* Takes all, or none if one has the number 13. */
int branch_add_all(branch *parent, branch **children, int count)
{
    if (is_refused(children, (size_t)count))
        return 3;
    link_all(parent, children, (size_t)count);
    return 0;
}

/* Children that may be NULL. */
void branch_hang_all(branch *parent, branch **children, int count) { link_all(parent, children, (size_t)count); }

/* Up to a NULL, or NULL itself. */
void branch_give_all(branch **branches)
{
    for (; branches != NULL && *branches != NULL; branches++) {
        branch_give(*branches);
        *branches = NULL;
    }
}

/* A bud needs its branch: freed or read without it, it is a fault. */
typedef struct bud {
    bool lives;
    branch *on;
    struct bowl *in;
    struct bud *next;
} bud;

typedef struct bowl {
    bool lives;
    bud *first;
} bowl;

static bud buds[SLOTS];
static bowl bowls[SLOTS];
static int bud_count, bowl_count;

bud *bud_new(branch *on)
{
    if (!is_branch(on) || bud_count == SLOTS)
        return NULL;
    bud *b = &buds[bud_count++];
    *b = (bud){ .lives = true, .on = on };
    living++;
    return b;
}

void bud_free(bud *b)
{
    if (!b->lives || !is_branch(b->on)) {
        faults++;
        return;
    }
    b->lives = false;
    living--;
}

bowl *bowl_new(void)
{
    bowl *b = &bowls[bowl_count++ % SLOTS];
    *b = (bowl){ .lives = true };
    living++;
    return b;
}

void bowl_free(bowl *b)
{
    if (!b->lives) {
        faults++;
        return;
    }
    for (bud *each = b->first; each != NULL; each = each->next)
        bud_free(each);
    b->lives = false;
    living--;
}

void bowl_add(bowl *b, bud *child)
{
    child->next = b->first;
    b->first = child;
}

/* A new bowl with all of them in it. */
bowl *bowl_of(bud **children, size_t count)
{
    bowl *b = bowl_new();
    for (size_t i = 0; i < count; i++)
        bowl_add(b, children[i]);
    return b;
}

void bud_lose(bud *b) { b->lives = false; living--; }

/* Parts, which are freed with their branch and their kind. */
typedef struct part {
    bool lives;
    int kind;
    branch *context;
} part;

static part parts[SLOTS];
static int part_count;

part *part_new(branch *context, int kind)
{
    if (!is_branch(context) || part_count == SLOTS)
        return NULL;
    part *p = &parts[part_count++];
    *p = (part){ true, kind, context };
    living++;
    return p;
}

void part_free(branch *context, part *p, int kind, int check)
{
    if (!is_branch(context) || p == NULL || !p->lives || p->context != context || p->kind != kind || check != 42) {
        faults++;
        return;
    }
    p->lives = false;
    living--;
}
