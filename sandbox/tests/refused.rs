//! What a C library and Python can do in a sandbox, and without it: every case is run both ways, so that each refusal is the
//! sandbox's. A process can only be restricted before it has threads, so this program runs the cases in children of itself.
// Clippy allows it in tests, but does not see that this is one.
#![allow(clippy::expect_used)]

#[cfg(target_os = "linux")]
mod linux;

fn main() {
    #[cfg(target_os = "linux")]
    linux::main();
    #[cfg(not(target_os = "linux"))]
    println!("nothing to test: this system has no Landlock and no seccomp");
}
