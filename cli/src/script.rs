//! The Python scripts given to a command.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};

/// The maximum length of a tool name.
const LONGEST: usize = 64;

/// A Python script, by its file.
#[derive(Clone)]
pub(crate) struct Script {
    /// Absolute, because a server may run elsewhere.
    pub(crate) path: PathBuf,
    /// As the user gave it.
    pub(crate) name: String,
    /// The name of its tool: the name of the file, because most scripts have an `execute`.
    pub(crate) tool: String,
}

impl Script {
    /// The script at `path`, which must exist.
    pub(crate) fn find(path: &Path) -> Outcome<Self> {
        let name = path.display().to_string();
        if !path.is_file() {
            let what = if path.exists() { "is not a file" } else { "does not exist" };
            return Err(Failure::new(format!("the script `{name}` {what}")));
        }
        let absolute = std::path::absolute(path)
            .map_err(|error| Failure::new(format!("the script `{name}`: {error}")))?;
        let tool = named(path)?;
        Ok(Self { path: absolute, name, tool })
    }
}

/// The tool of a script or workflow: it has the name of its file.
pub(crate) fn named(path: &Path) -> Outcome<String> {
    tool(path).ok_or_else(|| {
        let (name, ending) = (path.display(), path.extension().unwrap_or_default().display());
        Failure::fault(format!(
            "the tool of `{name}` would be named after the file, which is not a legal name for a tool"
        ))
        .help(format!(
            "rename the file: 1 to {LONGEST} characters from A to Z, a to z, 0 to 9, - and _, then .{ending}"
        ))
    })
}

/// Whether a path has the name of a script.
pub(crate) fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("py"))
}

fn tool(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_str()?;
    let fits = stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    (fits && !stem.is_empty() && stem.len() <= LONGEST).then(|| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_called_as_its_file_is_if_it_can_be() {
        for (path, name) in [("a/cpu-query_2.py", Some("cpu-query_2")), ("查询.py", None), ("a b.py", None)]
        {
            assert_eq!(tool(Path::new(path)).as_deref(), name, "{path}");
        }
        assert_eq!(tool(Path::new(&format!("{}.py", "x".repeat(65)))), None);
        assert!(
            is_script(Path::new("a.PY")) && !is_script(Path::new("a.json")) && !is_script(Path::new("py"))
        );
    }
}
