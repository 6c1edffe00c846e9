//! Workflows as tools beside the documents and scripts whose functions they call.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use opentool::OpenTool;
use opentool_workflow::{Cause, Invalid, Workflow, WorkflowTool};
use serde::de::IgnoredAny;

use super::source::Shared;
use crate::document::Document;
use crate::failure::{Failure, Outcome};
use crate::findings;
use crate::script;

/// A workflow, by its file.
#[derive(Clone)]
pub(crate) struct Flow {
    pub(super) document: Document,
    /// Absolute, because a library may change the folder.
    pub(super) path: PathBuf,
    /// The name of its tool: the name of the file, as for scripts.
    pub(super) tool: String,
}

/// A workflow without errors of its own.
pub(super) struct ReadFlow {
    /// The file, for the user.
    name: String,
    tool: String,
    workflow: Arc<Workflow>,
}

/// Whether a text is a workflow. Other documents have other keys for their version.
pub(crate) fn is_workflow(source: &str) -> bool {
    // A struct would also be read from an array.
    let members = |source| serde_json::from_str::<HashMap<String, IgnoredAny>>(source);
    source.contains("\"openworkflow\"")
        && members(source).is_ok_and(|members| members.contains_key("openworkflow"))
}

impl Flow {
    /// The workflow that was read from `path`.
    pub(crate) fn of(path: &Path, document: Document) -> Outcome<Self> {
        let tool = script::named(path)?;
        let path = std::path::absolute(path)
            .map_err(|error| Failure::new(format!("the workflow `{}`: {error}", document.name)))?;
        Ok(Self { document, path, tool })
    }

    /// Reads it. Findings are shown.
    pub(super) fn read(&self) -> Outcome<ReadFlow> {
        let name = self.document.name.clone();
        let workflow = Workflow::parse(&self.document.source).map_err(|invalid| shown(&name, invalid))?;
        Ok(ReadFlow { name, tool: self.tool.clone(), workflow: Arc::new(workflow) })
    }
}

/// The tool of a workflow over others, which it must fit. Findings are shown.
pub(super) fn over(flow: &ReadFlow, base: &Shared) -> Outcome<Shared> {
    match WorkflowTool::new(&flow.tool, Arc::clone(&flow.workflow), Arc::clone(base)) {
        Ok(tool) => Ok(Arc::new(tool)),
        Err(Cause::Invalid(invalid)) => Err(shown(&flow.name, invalid)),
        Err(cause) => Err(Failure::fault(format!("`{}`: {cause}", flow.name))),
    }
}

/// A workflow without errors that fits the functions of `tools`. Findings are shown, all together.
pub(super) fn fitting(document: &Document, tools: &OpenTool) -> Outcome<Workflow> {
    Workflow::parse_for(&document.source, tools).map_err(|invalid| shown(&document.name, invalid))
}

/// Shows the findings of a workflow with the name of its file.
fn shown(name: &str, mut invalid: Invalid) -> Failure {
    for finding in &mut invalid.findings {
        name.clone_into(&mut finding.file);
    }
    findings::show(&invalid);
    Failure::shown()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workflow_is_told_by_its_own_key() {
        for (text, expected) in [
            (r#"{"info": {}, "openworkflow": "1.0.0"}"#, true),
            (r#"{"openworkflow": 1}"#, true),
            (r#"{"opendyn": "1.0.0", "info": {"title": "\"openworkflow\""}}"#, false),
            (r#"{"opendyn": "1.0.0", "info": {"openworkflow": "1.0.0"}}"#, false),
            (r#"["openworkflow"]"#, false),
            (r#"{"openworkflow": "#, false),
        ] {
            assert_eq!(is_workflow(text), expected, "{text}");
        }
    }
}
