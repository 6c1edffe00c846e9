//! Which sentences prove what.

use super::*;
use crate::{Comment, Convention, Parameter, Place, Signature, Type, Types};

fn said(names: &[&str], text: &str) -> Said {
    let mut types = Types::new();
    let of = types.add(Type::Void);
    let parameter = |name: &&str| Parameter {
        name: Some((*name).to_owned()),
        of,
        array: None,
        is_array: false,
        nullable: None,
        direction: None,
        comment: None,
    };
    Said::of(&Function {
        name: "f".to_owned(),
        symbol: None,
        signature: Ok(Signature {
            parameters: names.iter().map(parameter).collect(),
            returns: of,
            variadic: false,
            convention: Convention::Cdecl,
        }),
        comment: Some(Comment {
            shared_by: 1,
            place: Some(Place { file: "t.h".to_owned(), line: 10 }),
            lines: text.lines().map(str::to_owned).collect(),
            ..Comment::default()
        }),
        attributes: Vec::new(),
        place: None,
    })
}

#[test]
fn a_sentence_that_names_both_says_the_length_and_its_line_is_known() {
    let said = said(
        &["source", "sourceLen"],
        "Compresses.\nThe sourceLen is\nunknown. sourceLen is the byte length of the source buffer.",
    );
    let (unit, evidence) = said.length("source", "sourceLen").expect("it says so");
    assert_eq!(unit, Unit::Size);
    assert_eq!(
        evidence.to_string(),
        "documentation: \"sourceLen is the byte length of the source buffer.\" (t.h:12)"
    );
}

#[test]
fn a_length_that_may_be_negative_or_of_a_text_is_not_stated() {
    let said = said(&["s", "n"], "@param n length of s, or -1 if s is nul terminated");
    assert!(said.length("s", "n").is_none());
}

#[test]
fn entry_and_exit_are_in_and_out() {
    let both = said(&["len"], "Upon entry, len is the room. Upon exit, len is what was used.");
    assert_eq!(both.direction("len", None).map(|found| found.0), Some(Direction::InOut));
    assert!(said(&["len"], "Upon exit, len is what was used.").direction("len", None).is_none());
}

#[test]
fn null_is_allowed_only_if_the_sentence_says_so() {
    assert!(said(&["p"], "@param p the options, or NULL for defaults").may_be_null("p").is_some());
    assert!(said(&["p"], "If p is NULL, nothing happens.").may_be_null("p").is_some());
    assert!(said(&["p"], "p must not be NULL.").may_be_null("p").is_none());
    assert!(said(&["p"], "If p is NULL, the behaviour is undefined.").may_be_null("p").is_none());
    assert!(said(&["p"], "Returns p or NULL.").may_be_null("p").is_none());
}

#[test]
fn what_frees_is_named_once_and_with_a_verb() {
    let of = |text: &str| {
        said(&[], text)
            .freed_with("f", None, |name| ["x_free", "y_free"].contains(&name))
            .map(|found| found.0)
    };
    assert_eq!(of("The result must be freed with x_free().").as_deref(), Some("x_free"));
    assert_eq!(of("It should be released by passing it to x_free().").as_deref(), Some("x_free"));
    assert_eq!(of("Free it with x_free() or y_free()."), None);
    assert_eq!(of("It must not be freed with x_free()."), None);
    assert_eq!(of("See x_free()."), None);
}

#[test]
fn a_function_frees_what_its_first_verb_takes() {
    let objects = ["reference".to_owned()];
    assert!(said(&["ref"], "Free the given reference.").frees(&objects).is_some());
    assert!(said(&["ref"], "Free the memory cached by the reference.").frees(&objects).is_none());
    assert!(said(&["ref"], "Delete an existing branch reference.").frees(&objects).is_none());
}

#[test]
fn words_that_end_a_handle_name_it_and_nothing_that_it_holds() {
    let objects: Vec<String> = ["iter", "git_branch_iterator", "iterator"].map(str::to_owned).into();
    let ends = |text: &str| said(&["iter"], text).ends("iter", &objects).is_some();
    for text in [
        "Free a branch iterator",
        "Frees the branch iterator object.",
        "Close it.\n@param iter the thing to free",
        "Free the memory associated with an iterator.",
        "Close an open iterator\n\nYou can no longer use the iterator pointer after this call.",
    ] {
        assert!(ends(text), "{text}");
    }
    for text in [
        "Free the branch iterator entries",
        "Free the branch",
        "Free a branch iterator if nobody else has it",
        "Free the memory associated with an iterator.\nThe iterator itself can be used again.",
        "Free the memory referred to by the iterator.",
        "Close it.\n@param other the thing to free",
        "Close it.\n@param iter the branch to delete",
        "You can no longer use the entries after this call.",
    ] {
        assert!(!ends(text), "{text}");
    }
}
