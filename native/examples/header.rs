//! Prints what headers declare: `cargo run -p opendyn-native --features header --example header -- zlib.h`.

use opendyn_native::header::{Options, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options::default();
    let mut headers = Vec::new();
    for argument in std::env::args().skip(1) {
        match (argument.strip_prefix("-D"), argument.strip_prefix("-I")) {
            (Some(define), _) => options.define.push(define.to_owned()),
            (_, Some(folder)) => options.include.push(folder.into()),
            _ => headers.push(argument.into()),
        }
    }
    let begin = std::time::Instant::now();
    let interface = read(&headers, &options)?;
    let time = begin.elapsed();
    for function in &interface.functions {
        let signature = match &function.signature {
            Ok(signature) => {
                let parameters: Vec<String> = signature
                    .parameters
                    .iter()
                    .map(|p| {
                        format!("{} {}", interface.types.spelling(p.of), p.name.as_deref().unwrap_or(""))
                    })
                    .collect();
                format!(
                    "{} ({}{})",
                    interface.types.spelling(signature.returns),
                    parameters.join(", "),
                    if signature.variadic { ", ..." } else { "" }
                )
            }
            Err(reason) => reason.clone(),
        };
        println!(
            "{}: {signature}{}",
            function.name,
            function.symbol.as_deref().map(|s| format!(" = {s}")).unwrap_or_default()
        );
        if let Ok(signature) = &function.signature {
            for p in &signature.parameters {
                if p.comment.is_some() || p.direction.is_some() || p.array.is_some() {
                    println!(
                        "    [{}] {:?} {:?} {}",
                        p.name.as_deref().unwrap_or(""),
                        p.array,
                        p.direction,
                        p.comment.as_deref().unwrap_or("")
                    );
                }
            }
        }
        if let Some(comment) = &function.comment {
            println!("    ({}) {}", comment.shared_by, comment.text.replace('\n', "\n    "));
            if let Some(returns) = &comment.returns {
                println!("    -> {}", returns.replace('\n', "\n    "));
            }
        }
    }
    for constant in &interface.constants {
        println!("#{} = {}  {}", constant.name, constant.value, constant.comment.as_deref().unwrap_or(""));
    }
    for skipped in &interface.skipped {
        println!(
            "SKIPPED {}:{}: {} ({})",
            skipped.place.file, skipped.place.line, skipped.text, skipped.reason
        );
    }
    let described = interface.functions.iter().filter(|f| f.comment.is_some()).count();
    eprintln!(
        "{} functions, {described} described, {} constants, {} skipped, {time:?}",
        interface.functions.len(),
        interface.constants.len(),
        interface.skipped.len()
    );
    Ok(())
}
