//! No safe code frees what a table of handles has.

fn main() {
    let handles = opendyn::Handles::new();
    handles.free_all(std::ptr::null());
}
