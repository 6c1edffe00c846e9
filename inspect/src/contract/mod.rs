//! Checks the contract between a document and a library: compares what the document declares with the symbols
//! that the library exports, with C headers, and with debug info.
//!
//! | step | module |
//! |---|---|
//! | what the document declares | the plan, and its `layout` on a target |
//! | names | `exports`; the symbols of `x-free` also in what the library links: `frees` |
//! | prototypes | `comparison`: every function by `signature`, `value`, `scalar`, `record` and `member` |
//! | what was compared and what was not | `report` |
//!
//! The first rule is to report no false errors: a difference that does not matter to a call is a warning, or
//! not reported. The commands, the macro and build scripts use this module.

mod comparison;
mod exports;
mod frees;
mod layout;
mod library;
mod member;
mod record;
mod report;
mod scalar;
mod signature;
#[cfg(feature = "header")]
mod sources;
#[cfg(test)]
mod tests;
mod value;
mod verdict;
mod wording;

use opendyn_model::Options;
use opendyn_model::diagnostic::Findings;
use opendyn_model::lower::{self, Lowered};
use opendyn_model::read;

use crate::{Exports, Interface};

use comparison::{Comparison, Told};

pub use library::{NativeLibrary, NativeOptions, check_option, default_library, symbols};
pub use report::{Against, ContractReport, Coverage, Gap, Tier};
#[cfg(feature = "header")]
pub use sources::{Library, SourceOptions, Sources, SourcesError};

/// A source of facts about a library: its name and content; or why there is none.
pub type Source<'s, T> = Result<(String, &'s T), String>;

/// What a document is compared with.
#[derive(Clone, Debug)]
pub struct Evidence<'e> {
    /// What the library exports.
    pub exports: Source<'e, Exports>,
    /// What headers declare.
    pub header: Source<'e, Interface>,
    /// What the debug info of the library says.
    pub debug_info: Source<'e, Interface>,
}

/// Checks a document as `opendyn_codegen::check` does, and compares it with the available evidence. `file` is
/// its name in findings.
#[must_use]
pub fn check_contract(
    file: &str,
    source: &str,
    options: &Options,
    evidence: &Evidence<'_>,
) -> ContractReport {
    let findings = Findings::new();
    let mut tiers = Vec::new();
    if let Some(document) = read::read(source, &findings) {
        let lowered = lower::lower(&document, options, &findings);
        tiers = compare(&lowered, evidence, &findings);
    }
    ContractReport { diagnostics: findings.finish(file, source), tiers }
}

/// Compares a document with each source in turn.
fn compare(document: &Lowered, evidence: &Evidence<'_>, findings: &Findings) -> Vec<Tier> {
    let told = Told::default();
    let prototypes = |source: &Source<'_, Interface>, against, absent| {
        let result = source
            .as_ref()
            .map_err(Clone::clone)
            .map(|(_, interface)| Comparison::new(document, interface, against, findings, &told).run(absent));
        Tier { against, result, source: path(source) }
    };
    let names = evidence
        .exports
        .as_ref()
        .map(|(path, exports)| exports::compare(document, (path, exports), findings, &told));
    vec![
        Tier {
            against: Against::Exports,
            result: names.map_err(Clone::clone),
            source: path(&evidence.exports),
        },
        prototypes(&evidence.header, Against::Header, "not declared in the header"),
        prototypes(&evidence.debug_info, Against::DebugInfo, "not in the debug info"),
    ]
}

fn path<T>(source: &Source<'_, T>) -> Option<String> {
    source.as_ref().ok().map(|(path, _)| path.clone())
}
