/* Limits of arguments, complex numbers, bit fields and unions, described by fixtures/keys-odd. */
#include <complex.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Limits: every function believes its caller. */

int set_percent(int percent) { return percent; }
int set_below_zero(int n) { return n; }
unsigned long long set_large(unsigned long long n) { return n; }
double set_ratio(double ratio) { return ratio; }
float set_narrow(float ratio) { return ratio; }
short set_level(short level) { return level; }
void step_up(int *n) { ++*n; }

int sum_small(const short *xs, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += xs[i];
    return sum;
}

int sum_ints(const int *xs, int n)
{
    unsigned int sum = 0;
    for (int i = 0; i < n; i++)
        sum += (unsigned int)xs[i];
    return (int)sum;
}

void fill_few(int *xs, int n)
{
    for (int i = 0; i < n; i++)
        xs[i] = i;
}

int text_length(const char *text) { return (int)strlen(text); }

int bytes_sum(const unsigned char *bytes, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += bytes[i];
    return sum;
}

int names_length(const char *const *names, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += (int)strlen(names[i]);
    return total;
}

struct inner { short trio[3]; char tag[4]; };
struct share { int percent; double ratio; struct inner inner; };

double share_sum(const struct share *share)
{
    if (share == NULL)
        return -1;
    return share->percent + share->ratio + share->inner.trio[0] + share->inner.trio[1] + share->inner.trio[2]
        + share->inner.tag[0];
}

double share_sum_value(struct share share) { return share_sum(&share); }

double share_sum_all(const struct share *shares, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += share_sum(shares + i);
    return sum;
}

/* Complex numbers. */

void turn(const double _Complex *z, double _Complex *turned) { *turned = *z * I; }
void turn_in_place(float _Complex *z) { *z *= I; }

void sum_complex(const double _Complex *zs, int n, double _Complex *sum)
{
    *sum = 0;
    for (int i = 0; i < n; i++)
        *sum += zs[i];
}

void powers(const float _Complex *z, float _Complex *zs, int n)
{
    float _Complex power = 1;
    for (int i = 0; i < n; i++) {
        zs[i] = power;
        power *= *z;
    }
}

const double _Complex *unit(void)
{
    static const double _Complex i = I;
    return &i;
}

struct signal { float gain; double _Complex carrier; float _Complex taps[2]; };

double signal_energy(const struct signal *signal)
{
    return signal->gain + 10 * creal(signal->carrier) + 100 * cimag(signal->carrier) + crealf(signal->taps[1])
        + 1000 * cimagf(signal->taps[1]);
}

void signal_make(double re, struct signal *signal)
{
    signal->gain = 0.5f;
    signal->carrier = re + 2 * I;
    signal->taps[0] = 1;
    signal->taps[1] = 3 * I;
}

double _Complex conjugate(double _Complex z) { return conj(z); }
float _Complex conjugate_float(float _Complex z) { return conjf(z); }

double _Complex weighted(double a, double _Complex z, float _Complex w, int b) { return a * z + b * w; }

/* A struct with text and a limit. */

struct label { const char *text; int percent; };

int label_percent(const struct label *label) { return label->percent; }

int label_sum(const struct label *labels, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += labels[i].percent;
    return sum;
}

/* Bit fields: of several widths and types, alone and between ordinary members. */

struct flags {
    unsigned int ready : 1;
    unsigned int level : 3;
    int delta : 5;
    unsigned int wide : 30;
    unsigned short small : 7;
    unsigned short next : 11;
    _Bool on : 1;
    unsigned long long large : 40;
};

struct packet {
    unsigned char kind;
    unsigned int a : 3;
    unsigned int b : 22;
    float weight;
    short c : 4;
    unsigned char last;
    int d : 12;
    struct flags flags;
};

int flags_size(void)
{
    return (int)(sizeof(struct flags) + 100 * _Alignof(struct flags) + 10000 * sizeof(struct packet)
        + 1000000 * _Alignof(struct packet));
}

void flags_make(unsigned int seed, struct flags *flags)
{
    memset(flags, 0, sizeof *flags);
    flags->ready = seed & 1;
    flags->level = seed & 7;
    flags->delta = -(int)(seed & 15);
    flags->wide = seed & 0x3FFFFFFF;
    flags->small = seed & 127;
    flags->next = seed & 2047;
    flags->on = seed >> 1 & 1;
    flags->large = seed * 1000ULL & 0xFFFFFFFFFFULL;
}

long long flags_sum(const struct flags *flags)
{
    return flags->ready + 10 * flags->level + 100 * flags->delta + 3 * (long long)flags->wide + 7 * flags->small
        + 11 * flags->next + 13 * flags->on + 17 * (long long)flags->large;
}

void flags_flip(struct flags *flags)
{
    flags->ready = !flags->ready;
    flags->level = ~flags->level;
    flags->delta = ~flags->delta;
    flags->wide = ~flags->wide;
    flags->small = (unsigned short)~flags->small;
    flags->next = (unsigned short)~flags->next;
    flags->on = !flags->on;
    flags->large = ~flags->large;
}

void packet_make(unsigned int seed, struct packet *packet)
{
    memset(packet, 0, sizeof *packet);
    packet->kind = (unsigned char)seed;
    packet->a = seed & 7;
    packet->b = seed & 0x3FFFFF;
    packet->weight = 0.5f;
    packet->c = -(int)(seed & 7);
    packet->last = 200;
    packet->d = -(int)(seed & 1023);
    flags_make(seed, &packet->flags);
}

double packet_sum(const struct packet *packet)
{
    return packet->kind + 2.0 * packet->a + 3.0 * packet->b + packet->weight + 5.0 * packet->c + 7.0 * packet->last
        + 11.0 * packet->d + 13.0 * (double)flags_sum(&packet->flags);
}

double packets_sum(const struct packet *packets, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += packet_sum(packets + i);
    return sum;
}
