//! Checks Python scripts, all with one Python process.

use std::path::Path;
use std::time::Duration;

use opentool_python::{Interpreter, Report, check_all};

use crate::failure::{Failure, Outcome};

/// The time limit for one script, which takes a fraction of a second.
const LIMIT: Duration = Duration::from_secs(30);

/// The findings for each script. No script is run.
pub(crate) fn check_scripts(paths: &[&Path]) -> Outcome<Vec<Report>> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let mut scripts = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        match std::fs::read(path) {
            Ok(source) => scripts.push((name, source)),
            Err(error) => return Err(Failure::new(format!("cannot read the script `{name}`: {error}"))),
        }
    }
    let scripts: Vec<(&str, &Vec<u8>)> = scripts.iter().map(|(name, source)| (&**name, source)).collect();
    let python = Interpreter::find().map_err(|missing| Failure::new(missing.to_string()))?;
    check_all(&scripts, &python, LIMIT).map_err(|failed| Failure::new(failed.to_string()))
}
