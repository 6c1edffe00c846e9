//! A type that two bindings of one module have is named with its module.

opendyn::opendyn!("calc.json", name = First);
opendyn::opendyn!("calc.json", name = Second);
opendyn::opendyn!("handles.json", name = Third);
opendyn::opendyn!("handles.json", name = Fourth);

fn main() {
    let _: Option<Bank<'_>> = None;
    let _: (Option<First>, Option<Second>, Option<opendyn_third::Bank<'_>>) = (None, None, None);
}
