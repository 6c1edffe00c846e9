//! Unions that are passed by value.

/// Whether the interpreter can tell libffi how C passes a union by value: by eight bytes at a time on x86-64, and on the
/// stack on 32-bit x86.
pub const UNIONS_BY_VALUE: bool = cfg!(all(any(target_arch = "x86_64", target_arch = "x86"), not(windows)));

/// Stops the compiler on a target where a binding and the interpreter would differ.
#[expect(clippy::assertions_on_constants, reason = "it is about the target")]
pub const fn assert_union_by_value() {
    assert!(
        UNIONS_BY_VALUE,
        "a function takes or returns a union by value, which is supported on x86 except Windows; describe a \
         function that takes a pointer"
    );
}
