//! Functions that a compiler makes of C, and what is proven of them.

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]

use std::process::Command;
use std::sync::Mutex;

use super::*;

/// How the compiler may be told to optimize.
pub(super) const LEVELS: [&str; 5] = ["-O0", "-O1", "-O2", "-O3", "-Os"];

/// The library that the tests share, at each level.
static COMPILED: Mutex<Option<Vec<Code>>> = Mutex::new(None);

fn compiled() -> Vec<Code> {
    let folder = std::env::temp_dir().join(format!("opendyn-code-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let library = folder.join("libcode.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/code/tests.c");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let compile = |level: &&str| {
        let mut command = Command::new(&compiler);
        command.args([level, "-shared", "-fPIC", "-o"]).args([library.as_os_str(), source.as_ref()]);
        assert!(command.status().expect("these tests need a C compiler").success());
        let mut code = Code::read(&library).expect("a library for x86-64");
        code.declare([("report", Some(0b11)), ("report_its_name", Some(0b111))].into_iter());
        code
    };
    let compiled = LEVELS.iter().map(compile).collect();
    std::fs::remove_dir_all(&folder).expect("the folder is removed");
    compiled
}

/// What `ask` finds at each level.
pub(super) fn with_code<T>(ask: impl FnMut(&mut Code) -> T) -> Vec<T> {
    let mut all = COMPILED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    all.get_or_insert_with(compiled).iter_mut().map(ask).collect()
}

/// What the function in `tests.c` does with the argument at `place`, at each level.
#[track_caller]
fn at_each_level(function: &str, place: usize) -> Vec<Use> {
    let mut all = COMPILED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let all = all.get_or_insert_with(compiled).iter_mut();
    all.map(|code| code.of(function, place).expect("an exported function")).collect()
}

/// The same at the level of most libraries.
#[track_caller]
fn of(function: &str, place: usize) -> Use {
    at_each_level(function, place)[2]
}

#[test]
fn what_is_only_read_is_lent() {
    for function in ["get", "length_of_list", "text_length", "through_a_table", "spilled", "with_many"] {
        assert!(of(function, 0).is_lent(0), "{function}: {:?}", of(function, 0));
    }
    // The ninth argument is the third on the stack.
    assert!(of("with_many", 8).is_lent(0));
    assert_eq!(of("get", 0).accesses(), (Extent::Bytes(0, 4), Extent::Nothing));
}

#[test]
fn what_is_stored_is_kept() {
    for (function, place) in [
        ("keep", 0),
        ("keep_by_a_helper", 0),
        ("link", 1),
        ("keep_in_a_new_object", 0),
        ("keep_after_a_switch", 0),
        ("keep_the_ninth", 8),
        ("keep_in_a_copied_struct", 0),
        ("keep_both", 0),
        ("keep_both", 1),
    ] {
        for (one, level) in at_each_level(function, place).iter().zip(LEVELS) {
            assert!(!one.is_not_kept() && !one.is_lent(0), "{function} {level}");
        }
    }
    for (function, place) in [("keep", 0), ("link", 1), ("keep_by_a_helper", 0), ("keep_in_a_new_object", 0)]
    {
        assert!(of(function, place).may_be_kept(), "{function}");
    }
    // What it is stored in is not kept itself.
    assert!(of("link", 0).is_lent(0));
}

#[test]
fn what_it_holds_is_kept_too() {
    assert!(of("keep_what_it_holds", 0).is_not_kept());
    assert!(at_each_level("keep_what_it_holds", 0).iter().all(|one| !one.is_lent(0)));
    // A number that is as wide as a pointer may be one, unless it is stored where none is read.
    assert!(!of("size_of", 0).is_lent(0));
    assert!(of("size_of", 0).is_lent(0b10));
}

#[test]
fn what_is_freed_is_not_lent() {
    assert!(of("destroy", 0).may_be_freed() && of("destroy", 0).may_be_kept());
    for function in ["destroy", "rename_it", "grow", "release"] {
        assert!(at_each_level(function, 0).iter().all(|one| !one.is_lent(0)), "{function}");
    }
}

#[test]
fn what_cannot_be_followed_may_do_anything() {
    for (function, place) in
        [("call_back", 0), ("call_a_variable", 0), ("call_another_library", 0), ("call_from_the_frame", 0)]
    {
        for one in at_each_level(function, place) {
            assert!(!one.is_not_kept() && !one.accesses().0.is_within(u64::MAX), "{function}");
        }
    }
    // Without having it, nothing can be done with it.
    assert!(of("call_back_without_it", 0).is_not_kept());
}

#[test]
fn a_register_that_is_overwritten_holds_nothing() {
    assert!(of("call_back_after_another", 1).is_lent(0), "{:?}", of("call_back_after_another", 1));
    // What a function leaves alone, a compiler may still use.
    assert!(at_each_level("keep_after_a_leaf", 0).iter().all(|one| !one.is_not_kept()));
    assert!(at_each_level("keep_what_it_holds_after_a_leaf", 0).iter().all(|one| !one.is_used(0)));
}

#[test]
fn a_function_gets_what_it_declares() {
    assert!(of("check", 2).is_lent(0), "{:?}", of("check", 2));
    assert!(at_each_level("report_its_name", 2).iter().all(|one| !one.is_not_kept()));
    assert!(at_each_level("report", 0).iter().all(|one| !one.is_not_kept()));
}

#[test]
fn by_another_name_a_function_may_have_other_arguments() {
    let mut all = COMPILED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let code = &mut all.get_or_insert_with(compiled)[0];
    let start = code.image.export("report").expect("it is exported");
    assert_eq!(code.declared.get(&start), Some(&0b11));
    code.declare([("get", Some(1)), ("get", None)].into_iter());
    let start = code.image.export("get").expect("it is exported");
    assert_eq!(code.declared.get(&start), Some(&Set::MAX));
}

#[test]
fn scanning_and_printing_keep_nothing() {
    assert!(of("scan_into", 0).is_lent(0) && of("scan_into", 1).is_lent(0), "{:?}", of("scan_into", 0));
    assert!(of("format_into", 0).is_not_kept() && of("format_into", 2).is_not_kept());
    // A list of arguments leads to all that they point to.
    assert!(at_each_level("format_a_text", 0).iter().all(|one| one.accesses().0 == Extent::Anything));
    assert!(at_each_level("format_into", 4).iter().all(|one| one.accesses().0 == Extent::Anything));
}

#[test]
fn what_an_object_holds_is_its_own_affair() {
    for function in ["get", "rename_it", "give_its_name"] {
        assert!(of(function, 0).is_used(0), "{function}: {:?}", of(function, 0));
    }
    assert!(at_each_level("rename_it", 0).iter().all(Use::may_free_content));
    assert!(at_each_level("give_its_name", 0).iter().all(Use::gives_content));
    // What is stored elsewhere depends on the object.
    for function in ["keep_what_it_holds", "link_what_it_holds", "destroy", "call_back", "release"] {
        assert!(at_each_level(function, 0).iter().all(|one| !one.is_used(0)), "{function}");
    }
}

#[test]
fn the_accessed_bytes_are_counted() {
    assert_eq!(of("fill", 0).accesses(), (Extent::Nothing, Extent::Bytes(0, 16)));
    assert_eq!(of("clear", 0).accesses(), (Extent::Nothing, Extent::Bytes(0, 32)));
    assert_eq!(of("count_up", 0).accesses(), (Extent::Bytes(0, 8), Extent::Bytes(0, 8)));
    assert_eq!(of("second", 0).accesses().0, Extent::Bytes(32, 36));
    for function in ["sum", "sum_by_recursion"] {
        assert!(
            at_each_level(function, 0).iter().all(|one| one.accesses().0 == Extent::Anything),
            "{function}"
        );
    }
    assert_eq!(of("before", 0).accesses().0, Extent::Bytes(-4, 0));
}

#[test]
fn what_is_written_first_is_only_filled() {
    let all = [(0, 4), (8, 32)];
    for (function, bytes) in [
        ("fill", &[(0, 4), (8, 16)][..]),
        ("clear", &all),
        ("fill_and_read", &[(0, 16)]),
        ("fill_by_another", &[(0, 4), (8, 16), (24, 32)]),
        ("fill_on_both_paths", &[(0, 8)]),
        ("fill_or_fail", &all),
    ] {
        assert!(of(function, 0).is_only_filled(bytes), "{function}: {:?}", of(function, 0));
    }
    for function in ["count_up", "get", "fill_on_one_path", "fill_a_part"] {
        assert!(at_each_level(function, 0).iter().all(|one| !one.is_only_filled(&[(0, 4)])), "{function}");
    }
    // What is left as it was is not filled, whichever part it is.
    for function in ["fill", "set_one_of_them"] {
        assert!(at_each_level(function, 0).iter().all(|one| !one.is_only_filled(&all)), "{function}");
    }
}

#[test]
fn what_the_caller_left_is_read_first() {
    for function in ["add_one", "double_it", "limit", "count_up"] {
        assert!(at_each_level(function, 0).iter().all(Use::is_taken_and_written), "{function}");
    }
    let others = ["fill", "fill_and_read", "get", "set_then_read", "set_by_another_then_read", "add_or_set"];
    for function in others.into_iter().chain(["exchange", "set_or_scale"]) {
        assert!(at_each_level(function, 0).iter().all(|one| !one.is_taken_and_written()), "{function}");
    }
}

#[test]
fn what_is_accessed_through_the_frame_is_not_counted() {
    for one in at_each_level("clear_through_the_frame", 0) {
        let (reads, writes) = one.accesses();
        assert!(!reads.is_within(4) || !writes.is_within(4), "{one:?}");
    }
}

#[test]
fn what_is_returned_has_an_owner() {
    let returned = |function: &str| {
        let mut all = COMPILED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let all = all.get_or_insert_with(compiled).iter_mut();
        all.map(|code| code.returned(function).expect("it returns")).collect::<Vec<_>>()
    };
    assert!(returned("constant").iter().all(|one| one.is_constant() && !one.is_null() && one.is_old()));
    for function in ["nothing", "nothing_by_another"] {
        assert!(returned(function)[2].is_null(), "{function}");
    }
    assert!(returned("make").iter().all(|one| !one.is_null() && !one.is_old()));
    assert!(returned("variable_of_the_library").iter().all(|one| !one.is_constant() && !one.is_new()));
    assert!(returned("make").iter().all(Returned::is_new));
    assert!(returned("make_by_another")[2].is_new());
    for function in ["make_and_keep", "keep_both_and_return", "constant", "next_of", "make_or_find"] {
        assert!(returned(function).iter().all(|one| !one.is_new()), "{function}");
    }
    assert!(returned("next_of").iter().all(|one| one.is_read_through() == Some(0)));
    for function in ["make", "make_or_find", "same"] {
        assert!(returned(function).iter().all(|one| one.is_read_through().is_none()), "{function}");
    }
    assert!(of("next_of", 0).is_unchanged());
    assert!(at_each_level("take_next", 0).iter().all(|one| !one.is_unchanged()));
    assert!(of("keep_in_a_new_object", 0).is_kept_by_new());
    let frees = |function: &str| {
        let mut all = COMPILED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let all = all.get_or_insert_with(compiled).iter_mut();
        all.map(|code| code.frees(function, 0)).collect::<Vec<_>>()
    };
    for function in ["destroy", "destroy_by_another", "grow"] {
        assert!(frees(function).iter().all(|frees| *frees), "{function}");
    }
    // What counts its owners may live on.
    for function in ["release", "finish", "rename_it", "keep", "get"] {
        assert!(frees(function).iter().all(|frees| !frees), "{function}");
    }
}

#[test]
fn what_a_callee_finds_in_a_list_of_arguments_is_kept() {
    assert!(at_each_level("keep_from_a_list", 0).iter().all(|one| !one.is_not_kept()));
}

#[test]
fn what_is_only_measured_is_a_place() {
    assert!(of("place_of", 1).is_only_measured() && !of("place_of", 0).is_only_measured());
}

#[test]
fn other_files_are_not_followed() {
    assert!(Code::read(Path::new("/does/not/exist")).is_none());
    assert!(Code::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))).is_none());
}

/// What `ask` says of the library at each level.
#[track_caller]
fn of_code<T>(ask: impl Fn(&mut Code) -> T) -> Vec<T> {
    let mut all = COMPILED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    all.get_or_insert_with(compiled).iter_mut().map(ask).collect()
}

#[test]
fn what_code_that_cannot_be_read_allocates_is_its_own() {
    let is_new = |function: &str| of_code(|code| code.returned(function).expect("it returns").is_new());
    assert!(is_new("make_or_complain").iter().all(|is_new| *is_new));
    for function in ["make_and_show", "make_elsewhere", "make_here_or_elsewhere", "view_elsewhere"] {
        assert!(is_new(function).iter().all(|is_new| !is_new), "{function}");
    }
    // What is stored there is kept.
    for (function, place) in
        [("keep_in_memory_from_elsewhere", 0), ("leave_memory_from_elsewhere", 1), ("leave_it_by_another", 1)]
    {
        for one in at_each_level(function, place) {
            assert!(!one.is_not_kept() && !one.is_lent(0) && !one.is_used(0), "{function}: {one:?}");
        }
    }
    // What it returns may need what it was given.
    assert!(of_code(|code| code.gives_new("view_elsewhere")).iter().all(|gives| *gives));
    assert!(of_code(|code| code.gives_new("make_and_show")).iter().all(|gives| *gives));
    assert!(of_code(|code| code.gives_new("make_or_complain")).iter().all(|gives| !gives));
}

#[test]
fn what_a_path_frees_may_end() {
    let may_end = |function: &str| of_code(|code| code.may_end(function, 0));
    for function in ["destroy", "destroy_by_another", "release", "finish", "destroy_by_a_hook"] {
        assert!(may_end(function).iter().all(|ends| *ends), "{function}");
    }
    for function in ["rename_it", "keep", "get", "call_back", "call_a_variable", "keep_both"] {
        assert!(may_end(function).iter().all(|ends| !ends), "{function}");
    }
}

#[test]
fn a_variable_that_begins_as_a_function_for_memory_is_one() {
    let frees = |function: &str| of_code(|code| code.frees(function, 0));
    for function in ["destroy_by_a_hook", "destroy_by_an_own_hook"] {
        assert!(frees(function).iter().all(|frees| *frees), "{function}");
    }
    let is_new = of_code(|code| code.returned("make_by_a_hook").expect("it returns").is_new());
    assert!(is_new.iter().all(|is_new| *is_new));
    // What begins as something else, or as nothing, may do anything.
    assert!(frees("destroy_by_a_late_hook").iter().all(|frees| !frees));
    for function in ["destroy_by_a_late_hook", "keep_by_a_hook"] {
        assert!(at_each_level(function, 0).iter().all(|one| one.is_given()), "{function}");
    }
}

#[test]
fn what_is_put_in_the_stead_of_a_function_does_the_same() {
    let frees = of_code(|code| code.frees("destroy_by_a_replaceable", 0));
    assert!(frees.iter().all(|frees| *frees));
    assert!(at_each_level("size_or_another", 0).iter().all(|one| one.is_lent(0) || one.is_not_kept()));
    assert!(at_each_level("size_by_a_variable", 0).iter().all(|one| one.is_given()));
}

#[test]
fn a_struct_that_is_returned_may_hold_what_an_argument_holds() {
    assert!(of("parts_of", 1).is_lent(0b1), "{:?}", of("parts_of", 1));
    assert!(at_each_level("parts_of", 1).iter().all(|one| !one.is_lent(0)));
    assert!(at_each_level("whole", 1).iter().all(|one| !one.is_lent(0b1)));
}

#[test]
fn what_is_kept_by_new_memory_may_have_one_owner_more() {
    let [kept, shared] = ["keep_in_a_new_object", "share_with_a_new_object"].map(|function| of(function, 0));
    assert!(kept.is_kept_by_new_alone() && !kept.may_be_counted());
    assert!(shared.is_kept_by_new_alone() && shared.may_be_counted());
    for function in ["keep", "keep_both_and_return", "link"] {
        assert!(at_each_level(function, 0).iter().all(|one| !one.is_kept_by_new_alone()), "{function}");
    }
}

#[test]
fn what_is_read_up_to_a_nul_whenever_it_is_read_is_a_text() {
    for function in ["text_length", "text_or_nothing", "text_through_another"] {
        let found = with_code(|code| code.is_text(function, 0));
        // With `-Os`, `strlen` is a few instructions.
        assert_eq!(found[..4], [true; 4], "{function}");
    }
    // From `-O2` on, `strcmp` with a text of one character is a few instructions.
    assert_eq!(with_code(|code| code.is_text("text_of_either", 0))[..2], [true; 2]);
    for function in ["text_or_length", "text_to_print", "text_that_is_kept", "get"] {
        let found = with_code(|code| code.is_text(function, 0));
        assert_eq!(found, [false; LEVELS.len()], "{function}");
    }
}
