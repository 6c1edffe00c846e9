//! The questions that nobody was there to answer.

use opendyn_inspect::import::Interview;

/// How many are shown.
const SHOWN: usize = 5;

/// Shows the questions that open most functions, and how to answer them.
pub(crate) fn show(interview: &Interview, again: &str) {
    let groups = interview.groups();
    let count = groups.len();
    if count == 0 {
        return;
    }
    let (noun, verb) = if count == 1 { ("question", "is") } else { ("questions", "are") };
    anstream::eprintln!("\n{count} {noun} {verb} open; JSON callers are refused where one is:");
    for group in groups.iter().take(SHOWN) {
        let Some(first) = interview.asked(group).next() else { continue };
        let more = match group.size() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        anstream::eprintln!("  {}  (`{}`{more})", first.text, first.place());
    }
    if count > SHOWN {
        anstream::eprintln!("  and {} more", count - SHOWN);
    }
    anstream::eprintln!("to answer them, in a terminal: {again}");
}
