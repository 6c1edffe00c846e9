/* Handles, described by fixtures/keys-handles: banks, and accounts that live in them.
 *
 * Objects are slots of a pool and are never returned to the system, so that a use after free, a
 * double free, or a free before the children is counted instead of crashing: tests read
 * `keys_living` and `keys_faults`. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct bank {
    bool lives;
    int accounts;
    char name[32];
} bank;

typedef struct account {
    bool lives;
    int balance;
    bank *bank;
} account;

#define SLOTS 4096

static bank banks[SLOTS];
static account accounts[SLOTS];
static int bank_count, account_count, living, faults;

int keys_living(void) { return living; }
int keys_faults(void) { return faults; }

static bool is_bank(const bank *b) { return b != NULL && b->lives ? true : (faults++, false); }
static bool is_account(const account *a) { return a != NULL && a->lives ? true : (faults++, false); }

/* Banks. */

/* NULL for an empty name. */
bank *bank_open(const char *name)
{
    if (*name == 0 || bank_count == SLOTS)
        return NULL;
    bank *b = &banks[bank_count++];
    b->lives = true;
    snprintf(b->name, sizeof b->name, "%s", name);
    living++;
    return b;
}

void bank_close(bank *b)
{
    if (!is_bank(b))
        return;
    faults += b->accounts != 0;
    b->lives = false;
    living--;
}

/* As in many libraries, there is a handle to free even if it fails. */
int bank_open_out(const char *name, bank **out)
{
    *out = bank_open(name);
    return *out == NULL ? 1 : strcmp(name, "closed") == 0 ? 2 : 0;
}

/* Another function that frees its handle, and returns a value. */
int bank_shut(bank *b)
{
    int accounts_left = is_bank(b) ? b->accounts : -1;
    bank_close(b);
    return accounts_left;
}

/* A part of a bank, which lives as long as the bank. */
char *bank_plate(bank *b) { return is_bank(b) ? b->name : NULL; }

int plate_length(const char *plate)
{
    const bank *b = (const bank *)(plate - offsetof(bank, name));
    return is_bank(b) ? (int)strlen(plate) : -1;
}

const char *bank_name(const bank *b) { return is_bank(b) ? b->name : NULL; }

int bank_rename(bank *b, const char *name)
{
    if (!is_bank(b))
        return -1;
    return snprintf(b->name, sizeof b->name, "%s", name);
}

/* Accounts. */

/* NULL for a debt. */
account *account_open(bank *b, int balance)
{
    if (!is_bank(b) || balance < 0 || account_count == SLOTS)
        return NULL;
    account *a = &accounts[account_count++];
    *a = (account){ true, balance, b };
    b->accounts++;
    living++;
    return a;
}

/* An account in a bank, for the owner of another account. */
account *account_open_beside(account *beside, bank *b, int balance)
{
    return is_account(beside) ? account_open(b, balance) : NULL;
}

int account_open_out(bank *b, int balance, account **out)
{
    *out = account_open(b, balance);
    return *out == NULL ? 1 : 0;
}

void account_close(account *a)
{
    if (!is_account(a))
        return;
    is_bank(a->bank);
    a->bank->accounts--;
    a->lives = false;
    living--;
}

/* Frees, even if it returns an error. */
int account_end(account *a)
{
    int code = is_account(a) && a->balance == 0 ? 0 : 3;
    account_close(a);
    return code;
}

/* Frees, and leaves NULL. */
void account_drop(account **a)
{
    account_close(*a);
    *a = NULL;
}

int account_balance(const account *a) { return is_account(a) ? a->balance : -1; }

int account_deposit(account *a, int amount)
{
    if (!is_account(a))
        return -1;
    a->balance += amount;
    return a->balance;
}

int balance_or(const account *a, int otherwise) { return a == NULL ? otherwise : account_balance(a); }

int transfer(account *from, account *to, int amount)
{
    if (!is_account(from) || !is_account(to) || from == to)
        return 4;
    if (from->balance < amount)
        return 3;
    from->balance -= amount;
    to->balance += amount;
    return 0;
}

/* Borrowed: the caller does not free it. */

account *bank_richest(bank *b)
{
    account *richest = NULL;
    if (!is_bank(b))
        return NULL;
    for (account *a = accounts; a < accounts + account_count; a++)
        if (a->lives && a->bank == b && (richest == NULL || a->balance > richest->balance))
            richest = a;
    return richest;
}

bank *account_bank(account *a) { return is_account(a) ? a->bank : NULL; }

void account_bank_out(account *a, bank **out) { *out = account_bank(a); }

/* Lives as long as the library. */
bank *central_bank(void)
{
    static bank central = { true, 0, "central" };
    return &central;
}

/* Several handles, described by fixtures/keys-handles/several.json. */

/* Frees only the second. */
int account_merge(account *into, account *from)
{
    if (is_account(into) && is_account(from))
        into->balance += from->balance;
    account_close(from);
    return account_balance(into);
}

void bank_close_both(bank *first, bank *second)
{
    bank_close(first);
    bank_close(second);
}

/* A part of a plate. */
char *plate_letter(char *plate) { return plate + 1; }

static int letter_code(const char *letter)
{
    for (const bank *b = banks; b < banks + bank_count; b++)
        if (letter == b->name + 1)
            return is_bank(b) ? *letter : -1;
    return faults++, -1;
}

/* Frees the bank first, and then reads a letter, which must not be one of its own. */
int bank_close_with(bank *b, const char *letter)
{
    bank_close(b);
    return letter == NULL ? 0 : letter_code(letter);
}

int bank_close_all(bank *b, const char *const *letters, int count)
{
    bank_close(b);
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += letter_code(letters[i]);
    return sum;
}
