//! `opendyn diff old.json new.json`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use opendyn_codegen::Options;
use opendyn_codegen::description::Description;
use opendyn_codegen::diff::{self, Audience, Change};
use serde_json::json;

use crate::document::{Document, is_stdin};
use crate::failure::{Failure, Outcome};
use crate::options::Generator;
use crate::{findings, output};

/// Show what changed between two versions of a document
#[derive(Args)]
#[command(after_help = "\
Documents are compared by meaning, not by text. A change breaks C if it needs another build of
the library, Rust if callers may not compile or behave differently, JSON if calls are refused or
results differ. Exit status: 0 nothing breaks, 1 something breaks, 2 the comparison failed.

Examples:
  opendyn diff old.json new.json
  git show main:calc.json | opendyn diff - calc.json --audience json")]
pub(crate) struct Arguments {
    /// The old document; - is stdin
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new document; - is stdin
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// text or json
    #[arg(long, default_value = "text", hide_possible_values = true, hide_default_value = true)]
    format: Format,
    /// Only count what breaks c, rust or json; may be repeated
    #[arg(long, value_name = "WHO", hide_possible_values = true, value_parser = audience())]
    audience: Vec<Audience>,
    /// When to exit with status 1: breaking (default), any, never
    #[arg(long, value_name = "CHANGE", default_value = "breaking")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    fail_on: FailOn,
    #[command(flatten)]
    generator: Generator,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Breaking,
    Any,
    Never,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        if is_stdin(&self.old) && is_stdin(&self.new) {
            return Err(Failure::new("only one of the two documents can come from stdin"));
        }
        let options = self.generator.options();
        let (old, new) = (described(&self.old, &options)?, described(&self.new, &options)?);
        let mut changes = diff::compare(&old, &new);
        if !self.audience.is_empty() {
            for change in &mut changes {
                change.breaks.retain(|audience| self.audience.contains(audience));
            }
        }
        match self.format {
            Format::Text => output::print(&text(&changes))?,
            Format::Json => output::print(&format!("{:#}\n", self.json(&changes)))?,
        }
        let fails = match self.fail_on {
            FailOn::Breaking => changes.iter().any(|change| !change.breaks.is_empty()),
            FailOn::Any => !changes.is_empty(),
            FailOn::Never => false,
        };
        Ok(if fails { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }

    fn json(&self, changes: &[Change]) -> serde_json::Value {
        let breaks = |audience: Audience| changes.iter().any(|change| change.breaks.contains(&audience));
        json!({
            "old": self.old.display().to_string(),
            "new": self.new.display().to_string(),
            "breaks": Audience::ALL.into_iter().filter(|audience| breaks(*audience)).map(key).collect::<Vec<_>>(),
            "changes": changes.iter().map(entry).collect::<Vec<_>>(),
        })
    }
}

/// Parses the names of audiences, which are the same as in JSON.
fn audience() -> impl TypedValueParser<Value = Audience> {
    PossibleValuesParser::new(Audience::ALL.map(key)).try_map(|name| {
        Audience::ALL.into_iter().find(|audience| key(*audience) == name).ok_or("no such audience")
    })
}

fn key(audience: Audience) -> &'static str {
    match audience {
        Audience::C => "c",
        Audience::Rust => "rust",
        Audience::Json => "json",
    }
}

fn entry(change: &Change) -> serde_json::Value {
    let Change { of, message, breaks, text } = change;
    let breaks: Vec<&str> = breaks.iter().copied().map(key).collect();
    json!({ "of": of, "message": message, "breaks": breaks, "text": text })
}

/// The description of a document. One with errors has none and cannot be compared.
fn described(path: &Path, options: &Options) -> Outcome<Description> {
    let document = Document::read(path)?;
    opendyn_codegen::describe(&document.name, &document.source, options).map_err(|found| {
        findings::show(&found);
        Failure::new(format!("`{}` has errors and cannot be compared", document.name))
    })
}

/// Breaking changes first, then the others, grouped by what they change.
fn text(changes: &[Change]) -> String {
    let breaking: Vec<&Change> = changes.iter().filter(|change| !change.breaks.is_empty()).collect();
    let texts: Vec<&Change> = changes.iter().filter(|change| change.text).collect();
    let compatible: Vec<&Change> =
        changes.iter().filter(|change| change.breaks.is_empty() && !change.text).collect();
    if changes.is_empty() {
        return "no changes\n".to_owned();
    }
    let mut out = String::new();
    let sections = [
        ("Breaking", AnsiColor::Red, &breaking),
        ("Compatible", AnsiColor::Green, &compatible),
        ("Texts", AnsiColor::Blue, &texts),
    ];
    for (title, color, changes) in sections {
        if changes.is_empty() {
            continue;
        }
        let style = Style::new().bold().fg_color(Some(color.into()));
        out += &format!("{style}{title}{style:#}\n");
        let mut of = "";
        for change in changes {
            if change.of != of {
                out += &format!("  {}\n", change.of);
                of = &change.of;
            }
            let who: Vec<String> = change.breaks.iter().map(Audience::to_string).collect();
            let who = if who.is_empty() { String::new() } else { format!("  [{}]", who.join(", ")) };
            out += &format!("    {}{who}\n", change.message);
        }
        out.push('\n');
    }
    out + &format!("{} breaking, {} compatible, {} of texts\n", breaking.len(), compatible.len(), texts.len())
}
