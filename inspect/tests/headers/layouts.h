/* Structs and unions whose layout a compiler has to be asked for. */
#include <stddef.h>
#include <stdint.h>

struct padded { char a; double b; char c; };
struct nested { struct padded inner[2]; struct { short x; char y; } named; union { int i; char bytes[6]; }; };
struct __attribute__((packed)) tight { char a; int b; long long c; };
struct packed_after { char a; int b; } __attribute__((__packed__));
struct packed_member { char a; int b __attribute__((packed)); double c; };
struct aligned_type { char a; } __attribute__((aligned(32)));
struct aligned_member { char a; int b __attribute__((aligned(16))); _Alignas(double) char c; };
struct largest { char a; int b __attribute__((aligned)); };
typedef int aligned_int __attribute__((aligned(8)));
struct with_alias { char a; aligned_int b; char c; };
#pragma pack(push, 2)
struct pushed { char a; int b; double c; };
struct pushed_bits { char a : 3; int b : 30; char c; };
struct pushed_end { char a : 3; int : 0; char b; };
#pragma pack(8)
struct pushed_wide { char a : 3; int b : 30; char c; };
#pragma pack(1)
struct pushed_more { char a; int b; };
#pragma pack(pop)
struct popped { char a; int b; };
struct bits { unsigned a : 3; unsigned b : 30; unsigned : 0; char c : 2; int64_t d : 40; char e; };
struct bits_after { char a; int b : 7; short c : 9; char d; };
struct bits_unnamed { int a : 4; int : 20; int b : 12; char c; };
struct bits_packed { unsigned a : 3; unsigned b : 30; char c; } __attribute__((packed));
struct bits_wide { char a : 1; long long b : 63; long long c : 2; };
struct bits_padding { char a; int : 4; char b; };
struct bits_ended { char a : 3; int : 0; char b; };
struct bits_first { int : 0; char a; short : 3; };
struct flexible { size_t length; char data[]; };
struct zero { int n; char none[0]; };
struct empty {};
union either { char a; double b; int c[3]; };
struct floats { float _Complex a; long double b; double _Complex c; _Bool d; };
struct vector { float v __attribute__((vector_size(16))); char after; };
enum small { SMALL_A, SMALL_B = 200 } __attribute__((packed));
enum large { LARGE_A = 0x1234567890, LARGE_B };
enum negative { NEGATIVE = -5, POSITIVE = 'a', MASK = ~0xF };
enum unsigned_values { TOP = 0x80000000, NEXT = 4294967294U };
struct enums { enum small a; enum large b; enum negative c; enum unsigned_values d; };
struct pointers { void *a; void (*b)(struct pointers *); const char *const *c; char d; };

struct padded use_padded(struct nested *, struct tight *, struct packed_after *, struct packed_member *);
struct aligned_type use_aligned(struct aligned_member *, struct largest *, struct with_alias *);
struct pushed use_packs(struct pushed_bits *, struct pushed_end *, struct pushed_wide *, struct pushed_more *, struct popped *);
struct bits use_bits(struct bits_after *, struct bits_unnamed *, struct bits_packed *, struct bits_wide *,
                     struct bits_padding *, struct bits_ended *, struct bits_first *);
struct flexible *use_others(struct zero *, struct empty *, union either *, struct floats *, struct vector *);
struct enums use_enums(struct pointers *);
