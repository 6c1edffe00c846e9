//! Two bindings in one module whose documents have types of the same names.
//!
//! Only a name that both have must be said with the module of its binding: `opendyn_` and the name of the struct.

#![expect(unused_qualifications, reason = "the compiler takes one of two glob imports for the only one")]

use opendyn_tests::shared_library;

opendyn::opendyn!("fixtures/points/tool.json");
opendyn::opendyn!("fixtures/points/space.json");

/// Other crates reach the types through modules of their own names.
pub mod plane {
    pub use super::opendyn_plane::*;
}

#[test]
fn two_bindings_of_one_module_share_the_names_of_their_types() {
    let (flat, deep) = (shared_library("points", &[]), shared_library("points", &["-DSPACE"]));
    // SAFETY: the documents describe c/points.c correctly, as it was compiled.
    let (flat, deep) = unsafe { (Plane::open(flat.path()), Space::open(deep.path())) };
    let (flat, deep) = (flat.expect("every function is there"), deep.expect("every function is there"));
    let point = opendyn_plane::Point { x: 1, y: 2 };
    assert_eq!(flat.point_sum(&point), 3);
    assert_eq!(deep.point_sum(&opendyn_space::Point { x: 1, y: 2, z: 3 }), 6);
    assert_eq!(plane::Point { x: 1, y: 2 }, point, "it is the same type");
    let path: opendyn_plane::Path<'_> = flat.path_begin(&point).expect("memory");
    assert_eq!(path.sum(), 3);
}
