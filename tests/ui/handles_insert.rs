//! No safe code puts a pointer into a table of handles, which would free it.

use std::ffi::c_void;
use std::ptr::NonNull;

fn main() {
    let handles = opendyn::Handles::new();
    let pointer: NonNull<c_void> = NonNull::dangling();
    handles.insert(pointer);
}
