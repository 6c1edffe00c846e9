//! Any text is a workflow, or has findings; a workflow that fits the tool runs to an end within its limits.

use std::sync::OnceLock;

use opentool::{MapTool, OpenTool};
use opentool_workflow::Workflow;

const TOOL: &str = include_str!("../../../fuzz/seeds/tool.json");

/// Gives the bytes to the reader.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    static DOCUMENT: OnceLock<OpenTool> = OnceLock::new();
    let document = DOCUMENT.get_or_init(|| OpenTool::parse(TOOL).expect("the document of the tool is valid"));
    let Ok(workflow) = Workflow::parse(text) else { return };
    // A step that sleeps is as long as it says.
    if workflow.check(document).is_err() || workflow.steps().iter().any(|step| step.function == "sleep") {
        return;
    }
    let tool = MapTool::new(|_, arguments| Ok(arguments.clone())).described_by(document.clone());
    let _ = workflow.run(&tool, |_| {});
}
