//! Findings for programs: one object.

use opendyn_inspect::contract::{Gap, Tier};
use serde_json::{Value, json};

use super::Results;
use crate::trial::Tried;

pub(crate) fn show(results: &Results) {
    anstream::println!("{:#}", object(results));
}

fn object(results: &Results) -> Value {
    let findings: Vec<Value> = results
        .findings
        .iter()
        .map(|found| {
            json!({
                "rule": found.code,
                "severity": found.severity.name(),
                "file": found.file,
                "line": found.line,
                "column": found.column,
                "message": found.message,
                "help": found.help,
            })
        })
        .collect();
    let tiers: Vec<Value> = results
        .documents
        .iter()
        .flat_map(|checked| checked.report.tiers.iter().map(|tier| self::tier(&checked.file, tier)))
        .collect();
    let (errors, warnings) = results.counts();
    let mut object = json!({ "errors": errors, "warnings": warnings, "findings": findings, "tiers": tiers });
    if !results.tried.is_empty() || !results.not_tried.is_empty() {
        object["tried"] = results.tried.iter().map(tried).collect();
        object["notTried"] = json!(results.not_tried);
    }
    object
}

fn tried(tried: &Tried) -> Value {
    let calls: Vec<Value> = tried
        .calls
        .iter()
        .map(|call| json!({ "function": call.function, "arguments": call.arguments }))
        .collect();
    let seen: Vec<Value> = tried
        .seen
        .iter()
        .map(|seen| json!({ "line": seen.line, "column": seen.column, "message": seen.message }))
        .collect();
    json!({ "file": tried.file, "calls": calls, "faults": seen, "notes": tried.notes })
}

fn tier(file: &str, tier: &Tier) -> Value {
    let against = tier.against.name();
    match &tier.result {
        Ok(checked) => json!({
            "file": file,
            "against": against,
            "source": tier.source,
            "checked": checked.functions,
            "functions": checked.of,
            "unchecked": groups(&checked.unchecked),
            "partly": groups(&checked.partly),
        }),
        Err(reason) => {
            json!({ "file": file, "against": against, "source": tier.source, "notChecked": reason })
        }
    }
}

fn groups(groups: &[Gap]) -> Vec<Value> {
    groups.iter().map(|group| json!({ "reason": group.reason, "functions": group.functions })).collect()
}
