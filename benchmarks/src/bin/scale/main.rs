//! The cost of libraries of 1,000 and 10,000 functions for the generator and the compiler.
//!
//! Times are the best of a few runs. They are printed with their bounds, but an exceeded time is not a
//! failure, because the machine may be busy. Those of Cargo are CPU times (see `project`). Lines and
//! bytes per function do not depend on the machine; exceeding their bounds is a failure.
//!
//! Bytes of code are the difference between the `.text` sections of two release builds of a shared
//! library that exports `open` and a call by name: one with all functions, one with an empty
//! document. Both have the same runtime, so the difference is the generated code.
//!
//! With `--once`, each time is that of one run.

mod project;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use opendyn_benchmarks::Error;
use opendyn_benchmarks::bounds::scale as bounds;
use opendyn_benchmarks::scale::Library;
use opendyn_codegen::{Generated, Options};
use project::{Project, Source};

fn main() -> ExitCode {
    if cfg!(debug_assertions) {
        eprintln!("not optimised: the times of the generator are meaningless; run with --release");
    }
    let mut report = Report { failed: false };
    println!("{:<48} {:>12} {:>12}", "", "measured", "bound");
    match measure(&mut report) {
        Ok(()) if report.failed => ExitCode::from(1),
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn measure(report: &mut Report) -> Result<(), Error> {
    let empty = generate("empty", 0, report)?;
    let thousand = generate("1,000", 1000, report)?;
    let ten_thousand = generate("10,000", 10_000, report)?;

    let project = Project::new("thousand", Source::Bindings(&thousand))?;
    report.time("1,000: cargo check, CPU", best(3, || project.check())?, Some(bounds::CHECK));
    report.time("1,000: cargo build --release, CPU", best(3, || project.release())?, Some(bounds::RELEASE));
    let bare = Project::new("empty", Source::Bindings(&empty))?;
    bare.release()?;
    let bytes = (project.text_size()? - bare.text_size()?) / 1000.0;
    report.size("1,000: bytes of code per function", bytes, bounds::BYTES);
    let macros = Project::new("thousand-macro", Source::Document(&Library::new(1000).document))?;
    report.time("1,000: cargo check, through the macro, CPU", best(3, || macros.check())?, None);

    let project = Project::new("ten-thousand", Source::Bindings(&ten_thousand))?;
    report.time("10,000: cargo check, CPU", best(2, || project.check())?, Some(bounds::CHECK_10_000));
    Ok(())
}

/// Generates the bindings of `count` functions, and reports the cost.
fn generate(name: &str, count: usize, report: &mut Report) -> Result<String, Error> {
    let Library { document, .. } = Library::new(count);
    let generate = || opendyn_codegen::generate("scale.json", &document, &Options::default());
    let generated: Generated = generate()?;
    let text = generated.to_file()?;
    if count == 0 {
        return Ok(text);
    }
    let bound = |bound| (count == 1000).then_some(bound);
    // As the macro does it.
    let tokens = best(5, || timed(|| generate().map(|generated| generated.tokens())))?;
    report.time(&format!("{name}: document to tokens"), tokens, bound(bounds::TOKENS));
    let format = best(5, || timed(|| generated.to_file()))?;
    report.time(&format!("{name}: tokens to a formatted file"), format, bound(bounds::FORMAT));
    let lines = text.lines().count() as f64 / count as f64;
    report.size(&format!("{name}: lines per function"), lines, bounds::LINES);
    Ok(text)
}

/// How long `run` takes, without dropping its result.
fn timed<T, E: Into<Error>>(run: impl FnOnce() -> Result<T, E>) -> Result<Duration, Error> {
    let start = Instant::now();
    let made = run().map_err(Into::into)?;
    let time = start.elapsed();
    drop(made);
    Ok(time)
}

/// The best of so many runs, unless one is enough.
fn best(times: usize, run: impl Fn() -> Result<Duration, Error>) -> Result<Duration, Error> {
    let mut best = run()?;
    if std::env::args().any(|argument| argument == "--once") {
        return Ok(best);
    }
    for _ in 1..times {
        best = best.min(run()?);
    }
    Ok(best)
}

struct Report {
    /// Whether a bound that does not depend on the machine is exceeded.
    failed: bool,
}

impl Report {
    fn time(&self, what: &str, time: Duration, bound: Option<Duration>) {
        let over = bound.is_some_and(|bound| time > bound);
        let bound = bound.map_or_else(String::new, |bound| format!("{:.2} s", bound.as_secs_f64()));
        line(what, &format!("{:.3} s", time.as_secs_f64()), &bound, over);
    }

    fn size(&mut self, what: &str, size: f64, bound: f64) {
        self.failed |= size > bound;
        line(what, &format!("{size:.1}"), &format!("{bound:.0}"), size > bound);
    }
}

fn line(what: &str, measured: &str, bound: &str, over: bool) {
    println!("{what:<48} {measured:>12} {bound:>12}{}", if over { "  OVER" } else { "" });
}
