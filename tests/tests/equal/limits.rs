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
    /// Not true.
    False,
    /// The token of a handle that is newer than the one in this argument.
    Newer(&'static str),
}

/// The function, its argument, the limit, and the reason.
const LIMITS: &[(&str, &str, Limit, &str)] = &[
    ("shape_divide", "a", Limit::Between(-2e9, 3e9), "INT_MIN / -1 is a trap"),
    ("code_divide", "a", Limit::Between(-2e9, 3e9), "INT_MIN / -1 is a trap"),
    ("owned_ints", "n", Limit::Between(-3e9, 1000.0), "it allocates that many"),
    ("owned_bytes", "n", Limit::Between(-1.0, 1000.0), "it allocates that many"),
    ("count_down", "from", Limit::Between(-3e9, 1000.0), "it counts"),
    ("rows_each", "rows", Limit::Between(-3e9, 1000.0), "it counts"),
    ("texts_each", "n", Limit::Between(-3e9, 7.0), "it has a text of seven bytes for that many"),
    ("points_each", "n", Limit::Between(-3e9, 1000.0), "it counts"),
    ("texts_stop", "n", Limit::Between(-3e9, 2000.0), "it counts"),
    ("calls_fail", "n", Limit::Between(-3e9, 2000.0), "it counts"),
    ("pairs_each", "n", Limit::Between(-3e9, 2000.0), "it counts"),
    ("emitter_keep_busy", "busy", Limit::Between(0.0, 0.0), "otherwise it leaks the emitter"),
    ("hub_begin", "strict", Limit::False, "otherwise it leaks the hub"),
    ("flood", "n", Limit::Between(-3e9, 100.0), "it counts"),
    ("flood", "length", Limit::Between(0.0, 100_000.0), "it allocates that many"),
    ("each_row", "rows", Limit::Between(-3e9, 1000.0), "it counts"),
    ("hub_try_close", "code", Limit::Between(0.0, 0.0), "otherwise it leaks the hub"),
    ("store_busy", "busy", Limit::Between(0.0, 0.0), "otherwise it leaks the store"),
    ("store_link", "store", Limit::Newer("other"), "of stores that use each other, one is left to C"),
    ("timer_init", "ticks", Limit::Between(-3e9, 100.0), "otherwise it leaks the timer"),
    ("fill_cells", "rows", Limit::Between(-1.0, 30.0), "it fills the product"),
    ("fill_cells", "columns", Limit::Between(-1.0, 30.0), "it fills the product"),
    ("fill_cells_told", "rows", Limit::Between(-1.0, 1000.0), "it fills twice as many"),
    ("fill_grid", "rows", Limit::Between(-3.0, 30.0), "it fills the product"),
    ("fill_grid", "columns", Limit::Between(-3.0, 30.0), "it fills the product"),
    ("fill_wide", "a", Limit::Between(-3.0, 30.0), "it fills the product"),
    ("fill_wide", "b", Limit::Between(-3.0, 30.0), "it fills the product"),
    ("fill_wide", "c", Limit::Between(-3.0, 30.0), "it fills the product"),
    ("sum_weighted_rows", "rows", Limit::Between(0.0, 1000.0), "it counts, also rows without a number"),
    ("disk", "k", Limit::Between(-3e9, 20.0), "it fills thousands"),
    ("disk_told", "k", Limit::Between(-3e9, 20.0), "it fills thousands"),
    ("disk_of", "k", Limit::Between(-3e9, 20.0), "it fills thousands"),
    ("describe_all", "f", Limit::Short(200), "it has 512 bytes for everything"),
    ("names_new_strict", "count", Limit::Between(-3e9, 50.0), "it allocates that many"),
    ("names_new", "count", Limit::Between(-3e9, 50.0), "it allocates that many"),
    ("reply_new", "width", Limit::Between(0.0, 3.0), "it allocates a power of it"),
    ("reply_new", "depth", Limit::Between(0.0, 4.0), "it allocates as many levels"),
    ("list_new", "length", Limit::Between(-3e9, 50.0), "it allocates that many"),
    ("sum", "count", Limit::Within("values"), "it trusts the count"),
    ("count_true", "count", Limit::Within("flags"), "it trusts the count"),
    ("mean", "count", Limit::Within("values"), "it trusts the count"),
    ("sum_sizes", "count", Limit::Within("sizes"), "it trusts the count"),
];

/// Functions that write past the end of a buffer: within its guard, unless there is none.
const OVERRUN: [&str; 5] =
    ["overfill", "fill_bytes_past_end", "fill_ints_past_end", "fill_written_past_end", "write_past_end"];

/// Functions that leak on purpose: the memory of a state without a known end, what C keeps for good, and what a handle keeps
/// that is borrowed, that C counts the owners of, or that C takes for good or into a borrowed handle.
const LEAKS: [&str; 5] = ["watch_init", "greeting_set", "branch_note", "common_named", "sheet_title_set"];

/// Functions that are refused unless they are passed what a handle was made with, which random arguments are not.
pub const EXACT: [&str; 2] = ["item_free", "part_free"];

/// Functions that only the binding itself calls: they lend an object of which there is one for all sessions, and what one
/// session has borrowed from it, another could end.
pub const SHARED: [&str; 2] = ["central_bank", "common_named"];

/// Whether C defines what the call does.
pub fn is_defined(function: &str, arguments: &[u8]) -> bool {
    if cfg!(opendyn_exact_buffers) && (OVERRUN.contains(&function) || LEAKS.contains(&function)) {
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
        if let Limit::False = limit {
            return *value != Value::Bool(true);
        }
        if let Limit::Newer(other) = limit {
            let (Some(new), Some(old)) = (generation(value), generation(&arguments[*other])) else {
                return true;
            };
            return new > old;
        }
        let number = match value {
            Value::Number(number) => number.as_f64(),
            Value::String(digits) => digits.parse().ok(),
            // They are refused, or another document has a function of this name.
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return true,
        };
        match limit {
            Limit::Between(low, high) => number.is_none_or(|number| (*low..=*high).contains(&number)),
            Limit::False | Limit::Newer(_) => true,
            Limit::Short(length) => value.as_str().is_none_or(|text| text.len() <= *length),
            Limit::Within(array) => match &arguments[*array] {
                Value::Array(all) => number.is_none_or(|number| (1.0..=all.len() as f64).contains(&number)),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => true,
            },
        }
    })
}

/// The generation of a token: the number of handles that its table had before, and one.
fn generation(token: &Value) -> Option<u64> {
    token.as_str()?.split('.').nth(2)?.parse().ok()
}
