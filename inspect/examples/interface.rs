//! Prints what the debug info of a library says about its functions, one line each.
//!
//! ```console
//! $ cargo run -p opendyn-inspect --example interface -- libm.so.6 cos pow
//! ```

use std::process::ExitCode;
use std::time::Instant;

use opendyn_inspect::{Interface, Signature, debug, locate};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(library) = arguments.next() else {
        eprintln!("usage: interface LIBRARY [FUNCTION]...");
        return ExitCode::from(2);
    };
    let names: Vec<String> = arguments.collect();
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let start = Instant::now();
    let found = match locate(&library) {
        Ok(path) => {
            let options = debug::Options { wanted: Some(&is_wanted), ..debug::Options::default() };
            debug::read(&path, &options).map_err(|error| error.to_string())
        }
        Err(error) => Err(error.to_string()),
    };
    let interface = match found {
        Ok(interface) => interface,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let elapsed = start.elapsed();
    for function in &interface.functions {
        match &function.signature {
            Ok(signature) => println!("{}", line(&interface, &function.name, signature)),
            Err(reason) => println!("{}: {reason}", function.name),
        }
    }
    let told = interface.functions.iter().filter(|function| function.signature.is_ok()).count();
    eprintln!("{told} of {} functions in {elapsed:?}", interface.functions.len());
    ExitCode::SUCCESS
}

fn line(interface: &Interface, name: &str, signature: &Signature) -> String {
    let parameters = signature.parameters.iter().map(|parameter| {
        let name = parameter.name.as_deref().unwrap_or("_");
        format!("{name}: {}", interface.types.spelling(parameter.of))
    });
    let dots = signature.variadic.then(|| "...".to_owned());
    let parameters: Vec<String> = parameters.chain(dots).collect();
    format!("{name}({}) -> {}", parameters.join(", "), interface.types.spelling(signature.returns))
}
