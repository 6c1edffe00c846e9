//! Any text is a workflow, or has findings; a workflow that fits the tool runs to an end within its limits.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use opentool::{MapTool, OpenTool};
use opentool_workflow::Workflow;

const TOOL: &str = include_str!("../seeds/tool.json");

fuzz_target!(|text: &str| {
    static DOCUMENT: OnceLock<OpenTool> = OnceLock::new();
    let document = DOCUMENT.get_or_init(|| OpenTool::parse(TOOL).expect("the document of the tool is valid"));
    let Ok(workflow) = Workflow::parse(text) else { return };
    // A step that sleeps is as long as it says.
    if workflow.check(document).is_err() || workflow.steps().iter().any(|step| step.function == "sleep") {
        return;
    }
    let tool = MapTool::new(|_, arguments| Ok(arguments.clone())).described_by(document.clone());
    let _ = workflow.run(&tool, |_| {});
});
