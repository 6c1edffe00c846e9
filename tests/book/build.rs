//! Writes the Rust examples of the README and of docs/ to one file, which `tests/examples.rs` compiles.
//!
//! A block ```` ```rust ````, without a file name, is the body of a function that returns a `Result`. A comment before the block, which
//! readers of the page do not see, changes that: `<!-- given calc: &Calc -->` lists parameters of the function,
//! `<!-- items -->` puts the block into a module instead.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The documents that examples name, and where they are.
const DOCUMENTS: [(&str, &str); 3] = [
    ("\"calc.json\"", "\"../../examples/quickstart/calc.json\""),
    ("\"sqlite.json\"", "\"../../examples/sqlite/sqlite.json\""),
    ("\"zlib.json\"", "\"../../examples/zlib/zlib.json\""),
];

/// What `.ci/editors` leaves when it has installed everything.
const EDITORS: &str = "../../target/editors/installed";

fn main() -> Result<(), Box<dyn Error>> {
    let mut pages = vec![PathBuf::from("../../README.md")];
    let mut folders = vec![PathBuf::from("../../docs")];
    while let Some(folder) = folders.pop() {
        println!("cargo::rerun-if-changed={}", folder.display());
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { &mut folders } else { &mut pages }.push(path);
        }
    }
    pages.sort();
    let mut file = String::new();
    let mut count = 0;
    for page in pages.iter().filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        println!("cargo::rerun-if-changed={}", page.display());
        count += write_examples(&mut file, page)?;
    }
    for (name, path) in DOCUMENTS {
        file = file.replace(name, path);
    }
    writeln!(file, "const EXAMPLES: usize = {count};")?;
    let out_dir = std::env::var("OUT_DIR")?;
    std::fs::write(Path::new(&out_dir).join("examples.rs"), file)?;

    println!("cargo::rustc-check-cfg=cfg(no_editor)");
    println!("cargo::rerun-if-env-changed=OPENDYN_TEST_ALL");
    println!("cargo::rerun-if-changed={EDITORS}");
    if std::env::var_os("OPENDYN_TEST_ALL").is_none() && !Path::new(EDITORS).exists() {
        println!("cargo::rustc-cfg=no_editor");
    }

    // The file that the example of a build script includes.
    opendyn_codegen::Builder::new("../../examples/quickstart/calc.json").write_to_out_dir()?;
    Ok(())
}

/// Writes the examples of `page`, and returns how many there are.
fn write_examples(file: &mut String, page: &Path) -> Result<usize, Box<dyn Error>> {
    let text = std::fs::read_to_string(page)?;
    let name = page
        .with_extension("")
        .to_string_lossy()
        .replace("../../", "")
        .replace(['-', '/'], "_")
        .to_lowercase();
    let (mut before, mut count) = ("", 0);
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if line != "```rust" {
            before = line;
            continue;
        }
        let body: Vec<&str> =
            lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        let body = body.join("\n");
        let hint = before.strip_prefix("<!-- ").and_then(|hint| hint.strip_suffix(" -->"));
        writeln!(file, "mod {name}_line_{} {{", index + 1)?;
        if hint == Some("items") {
            writeln!(file, "{body}")?;
        } else {
            let given = hint.and_then(|hint| hint.strip_prefix("given ")).unwrap_or_default();
            writeln!(file, "use super::given::*;")?;
            writeln!(file, "fn example({given}) -> Result<(), Box<dyn std::error::Error>> {{")?;
            writeln!(file, "{body}\nOk(())\n}}")?;
        }
        writeln!(file, "}}")?;
        before = "```";
        count += 1;
    }
    Ok(count)
}
