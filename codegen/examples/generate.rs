//! Prints the bindings for a document: `cargo run -p opendyn-codegen --example generate -- calc.json`.

use opendyn_codegen::Builder;

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: generate DOCUMENT");
        std::process::exit(2);
    };
    let text = Builder::new(path).generate().and_then(|generated| {
        eprintln!("{}", generated.warnings);
        generated.to_file().map_err(opendyn_codegen::BuildError::Format)
    });
    match text {
        Ok(text) => print!("{text}"),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}
