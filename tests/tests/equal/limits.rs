//! Calls that the C fixtures leave undefined, or that would take minutes. They are not made.

use serde_json::Value;

/// What an argument must be for a call to be made.
#[derive(Debug)]
enum Limit {
    /// A number between these.
    Between(f64, f64),
    /// At least 1, and at most the number of elements of this array.
    Within(&'static str),
    /// At most that many bytes.
    Short(usize),
}

/// The function, its argument, the limit, and the reason.
const LIMITS: &[(&str, &str, Limit, &str)] = &[
    ("shape_divide", "a", Limit::Between(-2e9, 3e9), "INT_MIN / -1 is a trap"),
    ("code_divide", "a", Limit::Between(-2e9, 3e9), "INT_MIN / -1 is a trap"),
    ("owned_ints", "n", Limit::Between(-3e9, 1000.0), "it allocates that many"),
    ("owned_bytes", "n", Limit::Between(-1.0, 1000.0), "it allocates that many"),
    ("count_down", "from", Limit::Between(-3e9, 1000.0), "it counts"),
    ("each_row", "rows", Limit::Between(-3e9, 1000.0), "it counts"),
    ("hub_try_close", "code", Limit::Between(0.0, 0.0), "otherwise it leaks the hub"),
    ("fill_cells", "rows", Limit::Between(-1.0, 30.0), "it fills the product"),
    ("fill_cells", "columns", Limit::Between(-1.0, 30.0), "it fills the product"),
    ("fill_cells_told", "rows", Limit::Between(-1.0, 1000.0), "it fills twice as many"),
    ("describe_all", "f", Limit::Short(200), "it has 512 bytes for everything"),
    ("sum", "count", Limit::Within("values"), "it trusts the count"),
    ("count_true", "count", Limit::Within("flags"), "it trusts the count"),
    ("mean", "count", Limit::Within("values"), "it trusts the count"),
    ("sum_sizes", "count", Limit::Within("sizes"), "it trusts the count"),
];

/// Functions that write past the end of a buffer: within its guard, unless there is none.
const OVERRUN: [&str; 4] =
    ["fill_bytes_past_end", "fill_ints_past_end", "fill_written_past_end", "write_past_end"];

/// Functions that only the binding itself calls. Otherwise it borrows the richest account of the central bank, which a
/// session owns, and keeps it when the session frees it.
pub const SHARED: [&str; 1] = ["central_bank"];

/// Whether C defines what the call does.
pub fn is_defined(function: &str, arguments: &[u8]) -> bool {
    if cfg!(opendyn_exact_buffers) && OVERRUN.contains(&function) {
        return false;
    }
    let mut limits: Vec<(&str, &Limit)> =
        LIMITS.iter().filter(|limit| limit.0 == function).map(|limit| (limit.1, &limit.2)).collect();
    // The family of tests/c/types.c that reads the last element.
    if function.starts_with("last_") {
        limits.push(("count", &Limit::Within("values")));
    }
    if limits.is_empty() {
        return true;
    }
    // What another reader does not understand is not tried where it could be dangerous.
    let Ok(arguments) = serde_json::from_slice::<Value>(arguments) else { return false };
    limits.iter().all(|(name, limit)| {
        let value = &arguments[*name];
        let number = match value {
            Value::Number(number) => number.as_f64(),
            Value::String(digits) => digits.parse().ok(),
            // They are refused, or another document has a function of this name.
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return true,
        };
        match limit {
            Limit::Between(low, high) => number.is_none_or(|number| (*low..=*high).contains(&number)),
            Limit::Short(length) => value.as_str().is_none_or(|text| text.len() <= *length),
            Limit::Within(array) => match &arguments[*array] {
                Value::Array(all) => number.is_none_or(|number| (1.0..=all.len() as f64).contains(&number)),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => true,
            },
        }
    })
}
