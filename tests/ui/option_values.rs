//! A value that an option cannot have is marked, and what it can have is said.

mod path_missing {
    opendyn::opendyn!();
}
mod path_not_quoted {
    opendyn::opendyn!(calc.json);
}
mod no_comma {
    opendyn::opendyn!("calc.json" name = Calc);
}
mod no_value {
    opendyn::opendyn!("calc.json", debug);
}
mod name_is_a_number {
    opendyn::opendyn!("calc.json", name = 7);
}
mod name_is_no_identifier {
    opendyn::opendyn!("calc.json", name = "my calc");
}
mod rename_is_a_list {
    opendyn::opendyn!("calc.json", rename = ["add"]);
}
mod optional_is_a_name {
    opendyn::opendyn!("calc.json", optional = add);
}
mod strip_prefix_is_a_name {
    opendyn::opendyn!("calc.json", strip_prefix = calc_);
}
mod unchecked_is_a_boolean {
    opendyn::opendyn!("calc.json", unchecked = true);
}
mod warnings_are_a_boolean {
    opendyn::opendyn!("calc.json", warnings = true);
}
mod debug_is_a_string {
    opendyn::opendyn!("calc.json", debug = "yes");
}

fn main() {}
