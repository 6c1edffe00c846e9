//! The bounds of all benchmarks.

/// The maximum number of instructions for `add` from JSON text to JSON text.
pub const JSON_ADD: u64 = 700;

/// The same for its arguments in another order.
pub const JSON_REORDERED: u64 = 860;

/// The maximum number of instructions for each shape of `benches/shapes.rs`, about two in a hundred more than it takes.
pub const SHAPES: [(&str, u64); 15] = [
    ("text_16", 1_340),
    ("text_64", 1_800),
    ("text_64k", 706_000),
    ("escaped_1k", 52_000),
    ("text_returned_64", 2_150),
    ("text_returned_64k", 443_000),
    ("escaped_returned_1k", 65_700),
    ("short_doubles_16", 4_030),
    ("doubles_16", 5_240),
    ("doubles_10k", 2_500_000),
    ("integers_10k", 1_340_000),
    ("doubles_returned_10k", 2_265_000),
    ("structs_1k", 1_103_000),
    ("bytes_12k", 262_000),
    ("bytes_returned_12k", 346_000),
];

/// A call through libffi and `Value` takes at least this many times the instructions of `add`.
pub const LIBFFI_VALUE: u64 = 5;

/// A call through the interpreter takes at most this many tenths of the instructions of libffi with our reader and
/// writer, which knows this one function and checks nothing else.
pub const INTERPRETED: u64 = 16;

/// Over a thousand functions in turn, libffi with `Value` takes at least this many times as long per
/// call.
pub const SWEEP: f64 = 4.0;

/// A process per call takes at least this many times as long as a call in a worker.
pub const PROCESS_PER_CALL: f64 = 50.0;

/// A request of a lone client to a server that calls in its own process takes at most this many times the CPU of a bare handler:
/// 1.5 to 1.9 where it was measured, and more where the machine is busy.
pub const LONE_CLIENT: f64 = 3.0;

/// The maximum costs of 1,000 and of 10,000 functions.
pub mod scale {
    use std::time::Duration;

    /// From the text of a document of 1,000 functions to tokens.
    pub const TOKENS: Duration = Duration::from_millis(40);
    /// From the tokens to a formatted file.
    pub const FORMAT: Duration = Duration::from_millis(350);
    /// `cargo check` of that file.
    pub const CHECK: Duration = Duration::from_secs(2);
    /// `cargo check` of the file for 10,000 functions.
    pub const CHECK_10_000: Duration = Duration::from_secs(20);
    /// `cargo build --release` of the file for 1,000 functions.
    pub const RELEASE: Duration = Duration::from_secs(6);
    /// Lines of the file per function.
    pub const LINES: f64 = 40.0;
    /// Bytes of machine code per function.
    pub const BYTES: f64 = 300.0;
}
