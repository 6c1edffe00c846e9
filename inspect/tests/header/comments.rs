//! What comments say, and what they describe.

use crate::listing;

#[test]
fn the_commands_of_doxygen_are_understood() {
    listing::agrees(&listing::of("doxygen.h"), "doxygen.txt");
}

#[test]
fn plain_comments_are_given_to_what_they_are_about() {
    listing::agrees(&listing::of("plain.h"), "plain.txt");
}

#[test]
fn a_header_may_describe_its_functions_below_them() {
    listing::agrees(&listing::of("below.h"), "below.txt");
}
