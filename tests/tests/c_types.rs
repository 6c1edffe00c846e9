//! The runtime cannot depend on the table of C types, and has a line of its own per integer.

use opendyn::generated::Kind;
use opendyn_inspect::Target;
use opendyn_model::c_type::CType;
use opendyn_model::data_model::{Representation, Sign};

#[test]
fn the_integers_of_the_runtime_are_those_of_the_table() {
    let target = Target::host();
    let integers = CType::SPECIFICATION.iter().chain(CType::SPELLINGS).filter(|c_type| c_type.counts());
    let expected: Vec<(&str, String)> = integers
        .map(|c_type| {
            let Representation { bits, sign } = c_type.on(target.data_model());
            let lowest: i128 = match sign {
                Sign::Signed => -(1 << (bits - 1)),
                Sign::OfTarget if target.char_signed => -(1 << (bits - 1)),
                Sign::Unsigned | Sign::OfTarget => 0,
            };
            let highest = lowest + (1 << bits) - 1;
            (c_type.kind(), format!("an integer ({}, {lowest} to {highest})", c_type.name()))
        })
        .collect();
    let found: Vec<(&str, String)> =
        Kind::INTEGERS.iter().map(|(constant, kind)| (*constant, kind.to_string())).collect();
    assert_eq!(found, expected);
}
