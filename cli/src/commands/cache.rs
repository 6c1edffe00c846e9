//! `opendyn cache`

use std::process::ExitCode;
use std::time::SystemTime;

use clap::{Args, Subcommand};

use crate::failure::Outcome;
use crate::host::Cache;

/// Show or remove the programs that `call`, `serve` and `mcp` compiled
#[derive(Args)]
#[command(
    after_help = "They are in the folder that OPENDYN_CACHE names, or else in the user's folder for caches."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print the folder
    Path,
    /// List the programs: key, kind, size, age, documents
    List,
    /// Remove all of them, and the compiled dependencies
    Clean,
}

impl Arguments {
    pub(crate) fn run(self) -> Outcome {
        let cache = Cache::find()?;
        match self.action {
            Action::Path => anstream::println!("{}", cache.path().display()),
            Action::List => list(&cache),
            Action::Clean => {
                let before = cache.size();
                cache.clean()?;
                anstream::eprintln!("removed {}", size(before.saturating_sub(cache.size())));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn list(cache: &Cache) {
    let entries = cache.entries();
    for entry in &entries {
        let age = SystemTime::now().duration_since(entry.compiled).unwrap_or_default().as_secs();
        let age = match age {
            0..3_600 => format!("{} min", age / 60),
            3_600..86_400 => format!("{} h", age / 3_600),
            _ => format!("{} days", age / 86_400),
        };
        let about = &entry.about;
        let key = entry.key.get(..8).unwrap_or(&entry.key);
        let scripts = about.scripts.then_some("scripts");
        let documents =
            about.documents.iter().map(String::as_str).chain(scripts).collect::<Vec<_>>().join(" ");
        anstream::println!("{key}  {:<5}  {:>8}  {age:>8}  {documents}", about.role, size(entry.size));
    }
    let noun = if entries.len() == 1 { "program" } else { "programs" };
    anstream::eprintln!("{} {noun}, {} with their dependencies", entries.len(), size(cache.size()));
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        1_000_000..1_000_000_000 => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
        _ => format!("{}.{} GB", bytes / 1_000_000_000, bytes / 100_000_000 % 10),
    }
}
