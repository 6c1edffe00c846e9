//! Every mutant is found. `cargo test -p opendyn-tests --test contract -- --nocapture mutant` prints the table.

use std::collections::BTreeMap;

use opendyn_codegen::{Diagnostics, Rule};
use opendyn_inspect::header;

use super::mutants::{Maker, Mutant};
use super::{Sources, document, source, variants};

/// Whether a finding is about the library, and not about the document alone.
fn is_about_the_library(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::NotExported
            | Rule::Arity
            | Rule::ParameterType
            | Rule::ReturnType
            | Rule::StructLayout
            | Rule::CallbackSignature
            | Rule::VariadicMismatch
            | Rule::ConventionMismatch
            | Rule::Sign
            | Rule::SameBytes
            | Rule::DroppedReturn
            | Rule::ConstOutput
    )
}

fn is_found(diagnostics: &Diagnostics) -> bool {
    diagnostics.iter().any(|diagnostic| is_about_the_library(diagnostic.rule))
}

/// Checks every mutant, prints how many of each kind were found, and fails if some were not.
fn assert_all_found(name: &str, sources: &Sources, mutants: &[Mutant]) {
    let mut table: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut survivors = Vec::new();
    for mutant in mutants {
        let found = is_found(&sources.check("types.json", &mutant.document).diagnostics);
        let row = table.entry(mutant.kind).or_default();
        row.0 += 1;
        row.1 += usize::from(found);
        if !found {
            survivors.push(format!("{}: {}", mutant.kind, mutant.what));
        }
    }
    let all = mutants.len();
    println!("{name}: {} of {all} mutants found", all - survivors.len());
    for (kind, (made, found)) in table {
        println!("  {kind:9} {found:4} of {made:4}");
    }
    assert!(survivors.is_empty(), "{name}: these mutants are not found:\n{}", survivors.join("\n"));
}

#[test]
fn every_mutant_is_found_by_debug_info() {
    let mutants = Maker::new(&document()).make();
    assert!(mutants.len() > 500, "there are only {}", mutants.len());
    // All variants have the same content, which another test proves; these differ most in form.
    let chosen = ["dwarf-4", "optimized-dwarf-5", "lto", "split-dwarf-5"];
    for variant in variants::PLAIN.iter().filter(|variant| chosen.contains(&variant.name)) {
        assert_all_found(variant.name, &Sources::variant(variant), &mutants);
    }
}

#[test]
fn every_mutant_is_found_by_the_header() {
    let mutants = Maker::new(&document()).make();
    let header = header::read(&[source()], &header::Options::default()).map_err(|error| error.to_string());
    let built = Sources::variant(&variants::PLAIN[3]);
    let sources = Sources { header, debug_info: Err("none".to_owned()), ..built };
    assert_all_found("header", &sources, &mutants);
}
