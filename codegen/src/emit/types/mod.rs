//! The types of parameters and results: for C, and for Rust.

mod of_c;
mod of_rust;

pub(super) use of_c::{
    c_type, c_type_at, content_memory, memory, parameter, pointee, returned, written_element,
};
pub(super) use of_rust::{result, seen, taken};

/// Where a type is named: in the block, which imports the C types, or outside of it.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Block,
    Outside,
}
