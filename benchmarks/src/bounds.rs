//! What the benchmarks are held to, in one place.

/// The instructions that `add` may take from JSON text to JSON text.
pub const JSON_ADD: u64 = 800;

/// How many times the instructions of `add` a call through libffi and `Value` takes at least.
pub const LIBFFI_VALUE: u64 = 5;

/// How many times the time of a call, over all of a thousand functions in turn, libffi with
/// `Value` takes at least.
pub const SWEEP: f64 = 4.0;

/// What 1,000 functions may cost, and what 10,000 may.
pub mod scale {
    use std::time::Duration;

    /// From the text of a document of 1,000 functions to tokens.
    pub const TOKENS: Duration = Duration::from_millis(50);
    /// From the tokens to a formatted file.
    pub const FORMAT: Duration = Duration::from_millis(350);
    /// `cargo check` of that file.
    pub const CHECK: Duration = Duration::from_secs(2);
    /// `cargo check` of the file for 10,000 functions.
    pub const CHECK_10_000: Duration = Duration::from_secs(20);
    /// `cargo build --release` of the file for 1,000 functions.
    pub const RELEASE: Duration = Duration::from_secs(6);
    /// Lines of the file for a function.
    pub const LINES: f64 = 40.0;
    /// Bytes of machine code for a function.
    pub const BYTES: f64 = 300.0;
}
