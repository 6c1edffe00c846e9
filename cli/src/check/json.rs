//! Findings for programs: one object.

use opendyn_codegen::contract::{Tier, Unchecked};
use serde_json::{Value, json};

use super::{Checked, counts};

pub(crate) fn show(checked: &[Checked]) {
    anstream::println!("{:#}", object(checked));
}

fn object(checked: &[Checked]) -> Value {
    let findings: Vec<Value> = checked
        .iter()
        .flat_map(|checked| &checked.report.diagnostics)
        .map(|diagnostic| {
            json!({
                "rule": diagnostic.rule.code(),
                "severity": diagnostic.severity().name(),
                "file": diagnostic.file,
                "line": diagnostic.line,
                "column": diagnostic.column,
                "message": diagnostic.message,
                "help": diagnostic.help,
            })
        })
        .collect();
    let tiers: Vec<Value> = checked
        .iter()
        .flat_map(|checked| checked.report.tiers.iter().map(|tier| self::tier(&checked.file, tier)))
        .collect();
    let (errors, warnings) = counts(checked);
    json!({ "errors": errors, "warnings": warnings, "findings": findings, "tiers": tiers })
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

fn groups(groups: &[Unchecked]) -> Vec<Value> {
    groups.iter().map(|group| json!({ "reason": group.reason, "functions": group.functions })).collect()
}
