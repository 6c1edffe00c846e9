//! What is read from C headers, compared with the compiler and with golden listings.

#![cfg(feature = "header")]
#![allow(clippy::expect_used, clippy::panic)]

mod comments;
mod errors;
mod installed;
mod listing;
mod prove;
mod traps;
