//! What is read from C headers: against the compiler, and against listings of it.

#![cfg(feature = "header")]
#![allow(clippy::expect_used, clippy::panic)]

mod comments;
mod errors;
mod installed;
mod listing;
mod prove;
mod traps;
