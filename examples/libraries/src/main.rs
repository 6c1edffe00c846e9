//! Does the jobs of the libraries that are named, or of all.

use libraries_example::JOBS;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = wanted.iter().find(|name| JOBS.iter().all(|job| job.name != *name)) {
        let names: Vec<&str> = JOBS.iter().map(|job| job.name).collect();
        return Err(format!("there is no job `{unknown}`; there are {}", names.join(", ")).into());
    }
    for job in JOBS.iter().filter(|job| wanted.is_empty() || wanted.iter().any(|name| name == job.name)) {
        println!("{}", job.name);
        match job.run() {
            Ok(report) => {
                report.facts.iter().for_each(|fact| println!("  {fact}"));
                report.failures.iter().for_each(|text| println!("  failed as it should: {text}"));
            }
            // The others can still be done, unless this one was asked for.
            Err(error) if wanted.is_empty() => println!("  left out: {error}"),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
