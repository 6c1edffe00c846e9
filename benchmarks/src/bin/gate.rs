//! Counts the instructions of every way to call, twice, and fails if a bound is exceeded.
//!
//! This runs `benches/instructions.rs` and `benches/shapes.rs`, prints the tables and compares the counts with each
//! other and with [`bounds`]. Exit status 1 is an exceeded bound, 2 a benchmark that did not run.

use std::process::{Command, ExitCode};

use opendyn_benchmarks::{Error, bounds};
use serde_json::Value;

/// The names of the benchmarks and their instruction counts.
type Counts = Vec<(String, u64)>;

fn main() -> ExitCode {
    let runs = count().and_then(|first| Ok((first, count()?)));
    let (first, second) = match runs {
        Ok(runs) => runs,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    print_table(&first);
    let (same, differing): (Vec<_>, Vec<_>) = first.iter().zip(&second).partition(|(a, b)| a == b);
    println!("\n{} of {} counts are the same in a second run", same.len(), first.len());
    for ((name, before), (_, after)) in differing {
        println!("  {name}: {before}, then {after}");
    }
    let broken = judge(&first);
    for bound in &broken {
        println!("BROKEN: {bound}");
    }
    if broken.is_empty() {
        println!("every bound holds");
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}

/// Runs the benchmark once.
fn count() -> Result<Counts, Error> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "bench",
            "--quiet",
            "--features",
            "peers,callgrind",
            "--bench",
            "instructions",
            "--bench",
            "shapes",
            "--manifest-path",
        ])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .args(["--", "--output-format=json"])
        .output()?;
    // An exceeded hard limit also fails the run, but `judge` reports it.
    let counts: Counts = String::from_utf8(output.stdout)?.lines().map(parse).collect::<Result<_, _>>()?;
    if counts.is_empty() {
        return Err(format!(
            "{}\nnothing was counted ({}); this needs valgrind, and gungraun-runner 0.20 on the PATH or \
             where GUNGRAUN_RUNNER says",
            String::from_utf8_lossy(&output.stderr),
            output.status
        )
        .into());
    }
    Ok(counts)
}

/// One line of gungraun's JSON output.
fn parse(line: &str) -> Result<(String, u64), Error> {
    let summary: Value = serde_json::from_str(line)?;
    let count = &summary["profiles"][0]["data"]["total"]["metrics"]["Ir"]["values"]["new"];
    match (summary["function_name"].as_str(), summary["id"].as_str(), count.as_u64()) {
        (Some(name), None | Some("run"), Some(count)) => Ok((name.to_owned(), count)),
        // A shape, and the way to call it.
        (Some(name), Some(shape), Some(count)) => Ok((format!("{shape} {name}"), count)),
        _ => Err(format!("not a summary of gungraun 0.20: {line}").into()),
    }
}

fn print_table(counts: &Counts) {
    let json_add =
        counts.iter().find(|(name, _)| name == "json_add").map_or(f64::NAN, |(_, count)| *count as f64);
    println!("{:<26} {:>12} {:>10}", "", "instructions", "json_add");
    let (shapes, ways): (Vec<_>, Vec<_>) = counts.iter().partition(|(name, _)| name.contains(' '));
    for (name, count) in ways {
        println!("{name:<26} {count:>12} {:>9.2}x", *count as f64 / json_add);
    }
    println!("\n{:<26} {:>12} {:>12} {:>10}", "", "json", "derived", "");
    for (name, json) in &shapes {
        let Some(shape) = name.strip_suffix(" json") else { continue };
        let derived = shapes.iter().find(|(name, _)| *name == format!("{shape} derived"));
        if let Some((_, derived)) = derived {
            println!("{shape:<26} {json:>12} {derived:>12} {:>9.2}x", *json as f64 / *derived as f64);
        }
    }
}

/// Every exceeded bound, as a sentence.
fn judge(counts: &Counts) -> Vec<String> {
    let mut broken = Vec::new();
    let count = |name: &str| counts.iter().find(|(present, _)| present == name).map(|(_, count)| *count);
    let mut at_most = |name: &str, what: &str, bound: Option<u64>| match (count(name), bound) {
        (Some(count), Some(bound)) if count <= bound => {}
        (Some(count), Some(bound)) => {
            broken.push(format!("{name} takes {count} instructions, more than {what} ({bound})"));
        }
        _ => broken.push(format!("{name} or the count to compare it with is missing")),
    };
    at_most("typed_add", "the function pointer by hand", count("by_hand_add"));
    at_most("typed_divmod", "the function pointer by hand", count("by_hand_divmod"));
    at_most("json_add", "the bound", Some(bounds::JSON_ADD));
    at_most("json_add_reordered", "the bound", Some(bounds::JSON_REORDERED));
    for (shape, bound) in bounds::SHAPES {
        at_most(&format!("{shape} json"), "the bound", Some(bound));
    }
    at_most(
        "json_add",
        "a fifth of libffi with Value",
        count("libffi_value").map(|count| count / bounds::LIBFFI_VALUE),
    );
    at_most(
        "interpreted_add",
        "1.6 times libffi with our tables",
        count("libffi_on_our_tables").map(|count| count * bounds::INTERPRETED / 10),
    );
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(changed: &str, to: u64) -> Counts {
        [
            ("by_hand_add", 14),
            ("typed_add", 14),
            ("by_hand_divmod", 24),
            ("typed_divmod", 24),
            ("json_add", 680),
            ("json_add_reordered", 840),
            ("libffi_value", 4200),
            ("interpreted_add", 1900),
            ("libffi_on_our_tables", 1400),
        ]
        .into_iter()
        .map(|(name, count)| (name.to_owned(), count))
        .chain(bounds::SHAPES.iter().map(|(shape, bound)| (format!("{shape} json"), *bound)))
        .map(|(name, count)| {
            let count = if name == changed { to } else { count };
            (name, count)
        })
        .collect()
    }

    #[test]
    fn good_counts_break_nothing() {
        assert_eq!(judge(&counts("", 0)), [""; 0]);
    }

    #[test]
    fn every_bound_can_be_broken() {
        for (name, to, told) in [
            ("typed_add", 15, "typed_add takes 15 instructions, more than the function pointer by hand (14)"),
            (
                "typed_divmod",
                25,
                "typed_divmod takes 25 instructions, more than the function pointer by hand (24)",
            ),
            ("json_add", 701, "json_add takes 701 instructions, more than the bound (700)"),
            (
                "json_add_reordered",
                861,
                "json_add_reordered takes 861 instructions, more than the bound (860)",
            ),
            ("text_64 json", 1801, "text_64 json takes 1801 instructions, more than the bound (1800)"),
            (
                "libffi_value",
                3399,
                "json_add takes 680 instructions, more than a fifth of libffi with Value (679)",
            ),
            (
                "interpreted_add",
                2241,
                "interpreted_add takes 2241 instructions, more than 1.6 times libffi with our tables (2240)",
            ),
        ] {
            assert!(judge(&counts(name, to)).contains(&told.to_owned()), "{name}");
        }
    }

    #[test]
    fn a_missing_count_breaks_its_bound() {
        assert_eq!(judge(&Vec::new()).len(), 6 + bounds::SHAPES.len());
    }

    #[test]
    fn a_shape_is_named_before_the_way_to_call_it() {
        let line = r#"{"function_name":"json","id":"text_64","profiles":[{"data":{"total":{"metrics":{"Ir":{"values":{"new":7}}}}}}]}"#;
        assert_eq!(parse(line).expect("a summary"), ("text_64 json".to_owned(), 7));
    }

    #[test]
    fn a_summary_gives_name_and_count() {
        let line = r#"{"function_name":"json_add","profiles":[{"data":{"total":{"metrics":{"Ir":{"values":{"new":736}}}}}}]}"#;
        assert_eq!(parse(line).expect("a summary"), ("json_add".to_owned(), 736));
        assert!(parse("{}").is_err());
    }
}
