/* What is behind handles, described by fixtures/keys-members: a linked list of nodes, whose members are read. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int x, y;
} spot;

typedef struct node {
    struct node *next;
    char *name;
    int kind;
    bool on;
    unsigned short count;
    unsigned char *data;
    char error[8];
    double pair[2];
    spot at;
    spot *far;
    const char *tags[3];
    const char **words;
    long long stamp;
    /* The document ends before this member. */
    double secret;
} node;

static int living;

int keys_living(void) { return living; }

/* A list of `length` nodes; NULL if there are none. */
node *list_new(int length)
{
    static const char *words[] = { "one", "two", "three" };
    static spot far = { -1, -2 };
    node *first = NULL;
    for (int index = length; index > 0; index--) {
        node *made = calloc(1, sizeof *made);
        made->next = first;
        made->kind = index;
        made->on = index % 2;
        if (index % 2) {
            made->name = malloc(16);
            memcpy(made->name, "node 0", 7);
            made->name[5] = (char)('0' + index % 10);
        }
        made->count = (unsigned short)(index % 4);
        made->data = malloc(4);
        memcpy(made->data, "\x00\x01\xfe\xff", 4);
        /* Without a NUL if the index is 8. */
        memset(made->error, 'e', (size_t)(index % 9));
        made->pair[0] = index;
        made->pair[1] = -index;
        made->at.x = index;
        made->at.y = index * 2;
        made->far = index == 2 ? NULL : &far;
        made->words = words;
        made->stamp = -((long long)1 << 60);
        first = made;
        living++;
    }
    return first;
}

/* Frees the whole list. */
void list_free(node *list)
{
    while (list != NULL) {
        node *next = list->next;
        free(list->name);
        free(list->data);
        free(list);
        list = next;
        living--;
    }
}

void node_rename(node *of, const char *name)
{
    free(of->name);
    of->name = malloc(strlen(name) + 1);
    strcpy(of->name, name);
}

/* A count that is larger than what is there would be read: tests set one that is invalid as a signed number. */
void node_break(node *of)
{
    free(of->data);
    of->data = NULL;
    of->count = 3;
}

/* Fails for a node whose kind is even; the node says why. */
int node_check(node *of)
{
    return of->kind % 2 ? 0 : -1;
}
