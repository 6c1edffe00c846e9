//! Functions of the C library, by what they do with their arguments. Others are code that cannot be read.

use super::bytes::Bytes;
use super::summary::{Extent, Fate, Summary};
use super::value::{ALLOCATED, FOLLOWED, Origin, Set};

/// What functions of the C library do, by the letter of each argument:
///
/// | letter | the function |
/// |---|---|
/// | `.` | takes no pointer there |
/// | `r` | reads through it |
/// | `w` | writes through it |
/// | `b` | reads and writes through it |
/// | `f` | frees it, and what it holds |
/// | `c` | writes there what it reads through the next argument |
/// | `e` | leaves there a pointer into the first argument |
/// | `g` | reads and writes through it, and frees and allocates what it holds |
/// | `d` | reads and writes through it, and through the pointers that it holds |
/// | `s` | stores it |
/// | `t` | reads through it up to a NUL |
///
/// After `>` comes the argument into which the result points, with a `+` if it may also be something else, or `*` if the
/// result is allocated.
const KNOWN: [(&str, &str); 70] = [
    ("..>*", "aligned_alloc calloc memalign"),
    (".>*", "_Znam _Znwm malloc"),
    (".r>*", "_ZnamRKSt9nothrow_t _ZnwmRKSt9nothrow_t"),
    (".s", "pthread_setspecific"),
    (".r..", "send"),
    (".w..", "recv"),
    (".w.>1+", "strerror_r"),
    (".ww", "accept getpeername getsockname"),
    ("...r.", "setsockopt"),
    ("...ww", "getsockopt"),
    ("b.", "pthread_mutexattr_settype pthread_once"),
    ("b..", "poll"),
    ("bb", "pthread_cond_wait"),
    ("bbr", "pthread_cond_timedwait"),
    ("br..>0", "__strncat_chk"),
    ("br.>0", "strncat"),
    ("bt.>0", "__strcat_chk"),
    ("bt>0", "strcat"),
    ("bdbdb", "iconv"),
    // `std::string`: `_M_dispose`, `reserve`, `resize`, `_M_assign`, `_M_append`, `_M_create`, `_M_mutate`, `_M_replace`.
    ("g", "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv"),
    ("g..", "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6resizeEmc"),
    ("gr", "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_assignERKS4_"),
    ("gr.>0", "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm"),
    (".b.>*", "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm"),
    ("g..r.", "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm"),
    ("g..r.>0", "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_replaceEmmPKcm"),
    (".b", "fputc putc ungetc"),
    (".r.", "bind connect write"),
    (".w", "clock_gettime frexp frexpf fstat fstat64 modf modff"),
    (".w.", "__xpg_strerror_r read"),
    (
        "b",
        "__cxa_guard_abort __cxa_guard_acquire __cxa_guard_release clearerr feof ferror fflush fgetc fileno flockfile ftell ftello ftello64 funlockfile getc \
         pthread_cond_broadcast pthread_cond_destroy pthread_cond_signal pthread_mutex_destroy \
         pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_init pthread_rwlock_destroy \
         pthread_rwlock_rdlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_unlock \
         pthread_rwlock_wrlock pthread_spin_lock pthread_spin_unlock readdir readdir64 rewind sem_post \
         sem_wait",
    ),
    ("cr..>0", "__memcpy_chk __memmove_chk __mempcpy_chk"),
    ("cr.>0", "memcpy memmove mempcpy wmemcpy wmemmove"),
    ("f", "_ZdaPv _ZdlPv __cxa_free_exception closedir fclose free iconv_close"),
    ("f.", "_ZdaPvm _ZdlPvm munmap"),
    ("r", "atof atoi atol atoll gmtime localtime wcslen"),
    ("r.", "strnlen"),
    ("r..>0", "memchr memrchr"),
    ("r..b", "fwrite"),
    ("r.>*", "__strndup strndup"),
    ("r.>0", "rawmemchr"),
    ("re", "strtod strtof"),
    ("rr.", "bcmp memcmp strncasecmp strncmp"),
    ("rw>1", "gmtime_r localtime_r"),
    ("t", "chdir getenv opendir perror puts rmdir secure_getenv strlen unlink"),
    ("t.", "access chmod mkdir open open64"),
    ("t.>0", "index rindex strchr strchrnul strrchr"),
    ("t>*", "__strdup strdup"),
    ("tb", "fputs"),
    (
        "tt",
        "fopen fopen64 iconv_open link popen rename strcasecmp strcmp strcoll strcspn strspn strverscmp symlink",
    ),
    ("tt.>1+", "dcgettext"),
    ("tt>1+", "dgettext"),
    ("tt>0", "strcasestr strpbrk strstr"),
    ("tw", "lstat lstat64 stat stat64"),
    (
        "re.",
        "__isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull strtoimax strtol strtoll strtoul \
         strtoull strtoumax",
    ),
    ("w", "time"),
    ("w.", "bzero explicit_bzero"),
    ("w..", "__explicit_bzero_chk"),
    ("w...>0", "__memset_chk"),
    ("w..>0", "memset wmemset"),
    ("w..b", "fread"),
    ("w.b>0", "fgets"),
    ("w.b", "wcrtomb"),
    ("wr.b", "mbrtowc"),
    ("ww", "gettimeofday"),
    ("wr..>0", "__stpncpy_chk __strncpy_chk"),
    ("wr", "pthread_cond_init pthread_mutex_init pthread_rwlock_init"),
    ("wr.>0", "stpncpy strncpy"),
    ("wt.>0", "__stpcpy_chk __strcpy_chk"),
    ("wt>0", "stpcpy strcpy"),
];

/// The same, for functions that free and allocate again.
const MOVED: [(&str, &str); 2] = [("f.>*", "realloc"), ("f..>*", "reallocarray")];

/// Functions without pointers among their arguments, whose results are not pointers to them.
const WITHOUT: &str = "__ctype_b_loc __ctype_get_mb_cur_max __cxa_allocate_exception __cxa_begin_catch __cxa_end_catch nl_langinfo socket __ctype_tolower_loc __ctype_toupper_loc __errno_location __finite __isinf __isnan abs acos acosf \
     acosh asin asinf asinh atan atan2 atan2f atanf atanh cbrt ceil ceilf clock close copysign cos cosf cosh drand48 \
     dup erf erfc exp exp10 exp2 exp2f expf expm1 fabs fabsf fdim finite floor floorf fma fmax fmaxf fmin fminf fmod \
     fmodf ftruncate ftruncate64 getegid geteuid getgid getpagesize getpid getuid hypot hypotf ilogb isalnum isalpha \
     isatty isdigit isinf islower isnan isprint ispunct isspace isupper isxdigit kill labs ldexp ldexpf lgamma llrint llround \
     log log10 log10f log1p log2 log2f logb logf lrint lrintf lround lroundf lseek lseek64 nearbyint nextafter \
     nextafterf pow powf pthread_getspecific pthread_self putchar raise rand random remainder rint rintf round roundf \
     scalbn sched_yield sin sinf sinh sleep sqrt sqrtf srand strerror sysconf tan tanf tanh tgamma tolower toupper trunc \
     truncf umask usleep";

/// Functions that do not return.
const ENDS: &str = "_Exit _Unwind_Resume _ZSt16__throw_bad_castv _ZSt17__throw_bad_allocv _ZSt19__throw_logic_errorPKc \
                    _ZSt20__throw_length_errorPKc _ZSt20__throw_out_of_rangePKc _ZSt24__throw_invalid_argumentPKc \
                    _ZSt24__throw_out_of_range_fmtPKcz _ZSt25__throw_bad_function_callv \
                    _ZSt28__throw_bad_array_new_lengthv _ZSt9terminatev __assert __assert_fail __chk_fail __cxa_rethrow __cxa_throw __fortify_fail __stack_chk_fail _exit abort exit longjmp \
                    quick_exit siglongjmp";

/// Functions that print texts and numbers as their format says, with the number of arguments that they write to. They
/// keep nothing.
const PRINTS: [(&str, usize); 22] = [
    ("__asprintf_chk", 1),
    ("__dprintf_chk", 0),
    ("__fprintf_chk", 1),
    ("__printf_chk", 0),
    ("__snprintf_chk", 1),
    ("__sprintf_chk", 1),
    ("__vasprintf_chk", 1),
    ("__vfprintf_chk", 1),
    ("__vprintf_chk", 0),
    ("__vsnprintf_chk", 1),
    ("__vsprintf_chk", 1),
    ("asprintf", 1),
    ("dprintf", 0),
    ("fprintf", 1),
    ("printf", 0),
    ("snprintf", 1),
    ("sprintf", 1),
    ("vasprintf", 1),
    ("vfprintf", 1),
    ("vprintf", 0),
    ("vsnprintf", 1),
    ("vsprintf", 1),
];

/// Functions that read what their format says into their arguments from the third on, from what the first one is.
const SCANS: &str = "__isoc23_fscanf __isoc23_sscanf __isoc99_fscanf __isoc99_sscanf fscanf sscanf";

/// The functions of BLAS: they work with numbers, and keep nothing.
const NUMBERS: &str = "cblas_";

/// Functions whose third argument is the number of bytes that they access through the others.
const SIZED: &str = "__memcpy_chk __memmove_chk __memset_chk bcmp memcmp memcpy memmove memset";

/// What a function of the C library does; `None` if it is not known.
pub(super) fn known(name: &str) -> Option<Summary> {
    if is_in(ENDS, name) {
        return Some(Summary::nothing());
    }
    if is_in(WITHOUT, name) {
        return Some(of_form(""));
    }
    if let Some((_, written)) = PRINTS.iter().find(|(one, _)| *one == name) {
        return Some(printing(*written));
    }
    if is_in(SCANS, name) || name.starts_with(NUMBERS) {
        return Some(filling());
    }
    let mut forms = KNOWN.iter().chain(&MOVED);
    forms.find(|(_, names)| is_in(names, name)).map(|(form, _)| of_form(form))
}

/// Whether the third argument is the number of bytes that are accessed.
pub(super) fn is_sized(name: &str) -> bool {
    is_in(SIZED, name)
}

/// The arguments through which a function reads or writes bytes, and those whose product is their number, if it does nothing else
/// with the memory of its caller, but for streams.
pub(super) fn counted(name: &str) -> Option<(&'static [usize], &'static [usize])> {
    match name {
        "memcpy" | "memmove" | "memcmp" | "bcmp" => Some((&[0, 1], &[2])),
        "memset" => Some((&[0], &[2])),
        "fwrite" => Some((&[0], &[1, 2])),
        _ => None,
    }
}

fn is_in(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|one| one == name)
}

/// All arguments are read and written, and none of them is kept.
fn filling() -> Summary {
    let mut summary = printing(FOLLOWED);
    summary.uses.iter_mut().for_each(|one| one.is_deep = false);
    summary.finish()
}

/// What is printed may be any of the arguments, or what a list of arguments holds.
fn printing(written: usize) -> Summary {
    let mut summary = Summary::nothing();
    for (index, one) in summary.uses.iter_mut().enumerate() {
        (one.reads, one.takes, one.is_deep) = (Extent::Anything, Extent::Anything, true);
        if index < written {
            (one.writes, one.is_blind) = (Extent::Anything, true);
        }
    }
    summary.returns = Some([Origin::OTHER; 2]);
    summary.is_null = false;
    summary.written = [Bytes::default(); FOLLOWED];
    summary.read = 0;
    summary.freed = 0;
    (summary.text, summary.bare) = (0, Set::MAX);
    summary.finish()
}

fn of_form(form: &str) -> Summary {
    let mut summary = Summary::nothing();
    let (mut freed, mut texts, mut bare): (Set, Set, Set) = (0, 0, 0);
    let (letters, result) = form.split_once('>').unwrap_or((form, ""));
    for (index, letter) in letters.bytes().enumerate() {
        let one = &mut summary.uses[index];
        if matches!(letter, b'r' | b'b' | b'f' | b'g' | b'd' | b't') {
            (one.reads, one.takes) = (Extent::Anything, Extent::Anything);
        }
        if matches!(letter, b'w' | b'c' | b'e' | b'b' | b'f' | b'g' | b'd') {
            (one.writes, one.is_blind) = (Extent::Anything, true);
        }
        if letter == b'f' {
            one.pointer = Fate { freed: true, itself: true, ended: true, ..Fate::default() };
            one.content = one.pointer;
            freed |= 1 << index;
        }
        match letter {
            b't' => texts |= 1 << index,
            b'.' => {}
            _ => bare |= 1 << index,
        }
        match letter {
            b'c' => summary.uses[index + 1].content.into |= 1 << index,
            b'e' => summary.uses[0].pointer.into |= 1 << index,
            b'g' => {
                summary.uses[index].content.freed = true;
                summary.uses[index].frees_inside = true;
            }
            b'd' => (summary.uses[index].is_deep, summary.uses[index].is_followed) = (true, true),
            b's' => summary.uses[index].pointer = Fate { stored: true, itself: true, ..Fate::default() },
            _ => {}
        }
    }
    let (result, is_other) = match result.strip_suffix('+') {
        Some(result) => (result, true),
        None => (result, false),
    };
    let pointers: Set = match result {
        "" => 0,
        "*" => 1 << ALLOCATED,
        index => index.parse::<u8>().map_or(0, |index| 1 << index),
    };
    summary.written = [Bytes::default(); FOLLOWED];
    summary.is_null = false;
    summary.read = 0;
    summary.freed = freed;
    (summary.text, summary.may_be_text, summary.bare) = (texts, texts, bare);
    summary.returns =
        Some([Origin { pointers, other: pointers == 0 || is_other, ..Origin::default() }, Origin::OTHER]);
    summary.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_c_library_is_known_by_what_it_does() {
        let copy = known("memcpy").expect("it is known");
        assert_eq!((copy.uses[0].writes, copy.uses[1].reads), (Extent::Anything, Extent::Anything));
        assert_eq!(copy.uses[1].content.into, 1);
        assert_eq!(copy.returns.expect("it returns")[0].pointers, 1);
        assert!(known("free").expect("it is known").uses[0].pointer.freed);
        assert!(known("realloc").expect("it is known").uses[0].pointer.freed);
        assert_eq!(known("strtol").expect("it is known").uses[0].pointer.into, 2);
        assert_eq!(known("abort").expect("it is known").returns, None);
        assert!(known("qsort").is_none() && known("dlopen").is_none());
    }

    #[test]
    fn every_letter_has_a_meaning() {
        for (form, _) in KNOWN.iter().chain(&MOVED) {
            let (letters, _) = form.split_once('>').unwrap_or((form, ""));
            assert!(letters.chars().all(|letter| ".rwbfcegdst".contains(letter)), "{form}");
        }
    }

    #[test]
    fn every_function_is_listed_once() {
        let lists = KNOWN.iter().chain(&MOVED).map(|(_, names)| *names).chain([WITHOUT, ENDS, SCANS]);
        let mut names: Vec<&str> = lists.flat_map(str::split_ascii_whitespace).collect();
        names.extend(PRINTS.iter().map(|(name, _)| *name));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
