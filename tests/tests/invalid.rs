//! Documents that break a rule, and the messages for their authors.
//!
//! A case is `invalid/CASE.json`, named after the one rule that it breaks, and `CASE.stderr`, the
//! findings of `check`. Errors that any file can have come at the end.

#![expect(clippy::expect_used, reason = "test code may panic")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use opendyn_codegen::{Diagnostics, Options, Rule, check, generate};
use opendyn_tests::assert_golden;

/// One test per case; the name of the case has dashes in place of underscores.
macro_rules! cases {
    ($($(#[$attribute:meta])* $case:ident)*) => {
        const CASES: &[&str] = &[$(stringify!($case)),*];

        $(#[test]
        $(#[$attribute])*
        fn $case() {
            breaks_one_rule(&stringify!($case).replace('_', "-"));
        })*
    };
}

cases! {
    array_items array_items_depth array_items_freed array_items_terminated_null array_items_terminated_null_handle
    linked_function_factor linked_function_items missing_field_factor misused_key_items pointer_depth_items
    unknown_parameter_items_parent
    not_json not_json_after_the_end not_json_bad_escape not_json_comment not_json_empty not_json_escape
    not_json_line_break not_json_single_quotes not_json_trailing_comma not_json_unclosed
    version version_missing version_number
    missing_field missing_field_alone missing_field_null missing_field_schema
    missing_field_functions
    wrong_json_type wrong_json_type_behind_chinese wrong_json_type_boolean wrong_json_type_c_type
    wrong_json_type_code wrong_json_type_null wrong_json_type_of_the_document
    wrong_json_type_functions
    wrong_json_type_is_in
    wrong_json_type_schema
    unknown_c_type unknown_c_type_pointer unknown_c_type_size
    unknown_spelling spelling_mismatch
    library_name wrong_json_type_library unknown_key_library
    unknown_schema_type
    illegal_name illegal_name_chinese illegal_name_empty illegal_name_parameter illegal_name_return
    illegal_name_symbol wrong_json_type_symbol
    long_name long_name_parameter
    duplicate_name duplicate_name_code duplicate_name_parameter duplicate_name_result
    rust_name_collision rust_name_collision_optional rust_name_collision_parameter
    rust_name_collision_struct
    rust_name_collision_result
    type_mismatch type_mismatch_array type_mismatch_boolean type_mismatch_character type_mismatch_floating
    type_mismatch_object type_mismatch_void
    output_not_pointer output_not_pointer_schema
    void_by_value void_by_value_return
    calling_convention
    code_key code_key_hexadecimal code_key_large
    unresolved_ref unresolved_ref_elsewhere unresolved_ref_no_schemas
    ref_cycle ref_cycle_of_one
    missing_c_type
    no_identifier no_identifier_empty no_identifier_function no_identifier_name no_identifier_parameter
    no_identifier_rename
    takes takes_freed takes_not_a_handle takes_optional takes_on takes_without_failure misused_key_keeps_taken misused_key_keeps_structs misused_key_keeps_terminated misused_key_keeps_text misused_key_keeps_union misused_key_takes
    misused_key_takes_freed unknown_parameter_takes wrong_json_type_takes duplicate_name_taken
    linked_function_free_arguments
    failure failure_name failure_when_missing failure_when_and_code failure_null failure_negative failure_zero
    failure_void failure_value failure_word failure_code failure_output failure_member failure_member_integer
    failure_member_of_output linked_function_error linked_function_error_text linked_function_error_code
    linked_function_error_when linked_function_error_struct linked_function_error_args
    linked_function_error_optional linked_function_error_nested linked_function_error_nested_text
    missing_field_error_argument unknown_parameter_error unknown_parameter_error_output
    missing_field_error_when missing_field_error_text wrong_json_type_error wrong_json_type_error_when
    code_key_name no_identifier_code rust_name_collision_code code_names
    unknown_function
    duplicate_key duplicate_key_code duplicate_key_schemas
    too_deep
    schema_alias
    misplaced_is_in misplaced_is_in_twice
    missing_boolean missing_boolean_null
    unknown_key mistyped_key
    number_on_integer
    optional_output
    no_functions
    union union_not_object union_beside_struct union_required union_not_named union_tag_alone
    union_tag_unknown union_tag_not_integer union_tag_twice union_tag_default
    union_tag_value union_tag_value_wide union_tag_value_twice union_tag_null_twice union_tag_no_members
    union_member_twice union_member_called_unknown union_member_called_self union_absent union_of_bits union_of_unions
    union_of_elements union_of_deep_structs union_of_limits union_of_default union_pointer union_of_pointers
    union_beside_pointer wrong_json_type_union wrong_json_type_union_member missing_field_union
    rust_name_collision_union unused_union
    pointer_depth pointer_depth_not_pointer pointer_depth_handle_output pointer_depth_handle_input
    pointer_depth_returned_handle pointer_depth_input_string pointer_depth_input pointer_depth_return
    pointer_depth_callback misused_key misused_key_return misused_key_written misused_key_parent
    misused_key_handle_output misused_key_handle misused_key_callback misused_key_returned_callback
    misused_key_returned_state misused_key_struct misused_key_in_callback misused_key_schema misused_key_beside_ref unknown_encoding_callback
    unknown_parameter unknown_parameter_none unknown_parameter_written unknown_parameter_args
    unknown_parameter_parent unknown_parameter_receiver unknown_parameter_receiver_optional wrong_json_type_receiver unknown_parameter_until unknown_parameter_user_data linked_function
    linked_function_input linked_function_call linked_function_argument linked_function_two_parameters
    linked_function_retain linked_function_retain_parameters linked_function_retain_returns linked_function_retain_free
    linked_function_retain_optional misused_key_retain misused_key_retain_twice misused_key_retain_valid_until
    linked_function_other_handle linked_function_not_a_pointer linked_function_optional linked_function_absent linked_function_free_absent
    linked_function_itself linked_function_no_count linked_function_arguments
    linked_function_argument_type linked_function_argument_range length_parameter length_parameter_itself
    length_parameter_output length_parameter_capacity length_parameter_by_value length_parameter_return
    length_parameter_code length_parameter_optional length_parameter_input_pointer length_parameter_large
    unknown_encoding unknown_encoding_c_type struct_empty struct_required struct_required_without_members
    struct_length struct_array struct_array_of_void struct_nested struct_items struct_itself struct_each_other layout
    layout_size layout_multiple enumeration enumeration_names enumeration_value enumeration_large
    enumeration_twice enumeration_c_type enumeration_wide_string enumeration_no_values enumeration_string
    enumeration_string_twice enumeration_string_nul enumeration_string_latin1 enumeration_name_unknown enumeration_name_collision
    enumeration_no_identifier enumeration_buffer default_value default_value_range default_value_pointer
    default_value_enum default_value_nul default_value_latin1 default_value_output default_value_counted default_value_return
    default_value_callback default_value_on_panic callback callback_until callback_on_panic
    struct_member_length struct_member_length_form length_parameter_struct struct_room_of_structs struct_room_output struct_room_callback struct_room_in_array struct_room_itself struct_room_returned struct_room_behind misused_key_member_written misused_key_member_is_in pointer_depth_member
    struct_member_unknown struct_member_nothing_behind struct_member_twice type_mismatch_member
    misused_key_member_no_return misused_key_member_parameters misused_key_member_symbol misused_key_member_freed
    misused_key_length_member length_parameter_member
    callback_struct_by_value callback_length callback_length_call callback_length_type callback_return
    callback_by_handle callback_by_handle_until missing_field_user_data callback_collect_until callback_collect_types
    callback_collect_name duplicate_name_events
    callback_collect_answer callback_collect_into callback_collect_limit callback_collect_stop
    callback_collect_user_data default_value_collect duplicate_name_collect
    callback_progress_answer callback_progress_collect callback_progress_done callback_progress_message
    callback_progress_name callback_progress_stop callback_progress_until callback_progress_user_data
    callback_user_data callback_stdcall callback_output duplicate_name_callback variadic variadic_too_many
    variadic_stdcall variadic_struct code code_success_alone code_success_key code_no_success
    code_no_success_of_the_document misplaced_key default_required no_identifier_handle
    no_identifier_schema no_identifier_member no_identifier_callback rust_name_collision_member
    rust_name_collision_type missing_field_length wrong_json_type_keys unresolved_ref_items
    todo wrong_json_type_todo
    length_parameter_factor
    length_parameter_factor_absent
    length_parameter_terminated
    wrong_json_type_factor
    unknown_parameter_factor
    duplicate_name_argument
    misused_key_argument
    misused_key_argument_return
    misused_key_terminated
    misused_key_terminated_inout
    misused_key_length
    length_parameter_no_factor
    misused_key_terminated_false
    unknown_parameter_output
    linked_function_output
    linked_function_output_arguments
    linked_function_output_type
    linked_function_output_argument_type
    lent_to_all_threads lent_to_all_threads_array lent_to_all_threads_buffer
    limits
    limits_range
    limits_fraction
    limits_default
    limits_enum
    misused_key_limits
    misused_key_limits_items
    misused_key_limits_member
    wrong_json_type_limits
    cancel cancel_itself cancel_optional cancel_member cancel_parameters cancel_frees cancel_returns cancel_freed
    cancel_other_handle cancel_reads wrong_json_type_cancel
    init init_unknown init_range init_limits init_pointer init_output init_handle init_returns init_optional init_member
    init_end_parameter init_end_returns init_same init_symbol init_length init_error init_free wrong_json_type_init
    wrong_json_type_init_args missing_field_init
    unexplained_integer
    misused_key_complex
    misused_key_complex_limits
    default_value_complex
    misused_key_bits
    misused_key_bits_default
    misused_key_bits_parameter
    struct_bits_by_value
    struct_bits_and_text
    check_library
    missing_field_free missing_field_free_always missing_field_free_two missing_field_free_args wrong_json_type_free
    linked_function_free_literal illegal_name_free_symbol linked_function_free_unknown
    unknown_parameter_free_args linked_function_free_no_value linked_function_free_args
    linked_function_free_argument linked_function_free_swapped misused_key_free_false wrong_json_type_keeps
    missing_field_keeps misused_key_keeps unknown_parameter_keeps unknown_parameter_keeps_scalar
    unknown_parameter_keeps_return unknown_parameter_keeps_freed unknown_parameter_keeps_itself
    unknown_parameter_keeps_handle_for_good misused_key_valid_until misused_key_valid_until_owned
    linked_function_valid_until_unknown linked_function_valid_until wrong_json_type_valid_until
    unknown_parameter_parents unknown_parameter_parents_scalar wrong_json_type_parents
    linked_function_state_unknown linked_function_state_free misused_key_state_keeps
    lends lends_beginning lends_scalar lends_optional lends_no_members lends_plain_member lends_twice
    lends_parameter lends_left
    unknown_end misused_key_state misused_key_later misused_key_later_no_keeper
    linked_function_state_args linked_function_free_null
    unknown_parameter_state_keeps
    takes_memory takes_memory_free_alone takes_memory_into takes_memory_no_free takes_memory_two
    takes_memory_handle takes_memory_items takes_memory_keeps takes_memory_inout takes_memory_default
    takes_memory_terminated takes_memory_no_length takes_memory_structs missing_field_takes
    wrong_json_type_takes_memory illegal_name_takes_memory misused_key_takes_array misused_key_takes_strings
    misused_key_takes_return takes_return takes_return_nullable takes_mixed takes_array_into_itself
    takes_memory_without_failure
}

/// Options that some rules are about.
fn options(case: &str) -> Options {
    let mut options = Options::default();
    match case {
        "no-identifier-name" => options.name = Some("c_int".to_owned()),
        "no-identifier-rename" => {
            options.rename.insert("add".to_owned(), "add-up".to_owned());
        }
        "check-library" => options.check_library = Some("nowhere/libcalc.so".to_owned()),
        "unknown-function" => {
            options.rename.insert("ad".to_owned(), "sum".to_owned());
            options.optional.insert("Add".to_owned());
        }
        _ => {}
    }
    options
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("invalid")
}

fn source(case: &str) -> String {
    std::fs::read_to_string(folder().join(case).with_extension("json")).expect("the case is there")
}

fn checked(case: &str) -> Diagnostics {
    check(&format!("{case}.json"), &source(case), &options(case))
}

fn assert_stderr(case: &str, diagnostics: &Diagnostics) {
    assert_golden(&folder().join(case).with_extension("stderr"), &format!("{diagnostics}\n"));
}

/// `UnknownCType` as `unknown-c-type`.
fn kebab_case(rule: Rule) -> String {
    format!("{rule:?}").chars().fold(String::new(), |mut kebab, character| {
        if character.is_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.extend(character.to_lowercase());
        kebab
    })
}

/// Whether the name of `case` begins with the name of `rule`.
fn is_about(case: &str, rule: Rule) -> bool {
    case.strip_prefix(&kebab_case(rule)).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

fn breaks_one_rule(case: &str) {
    let diagnostics = checked(case);
    assert!(!diagnostics.is_empty(), "{case} breaks no rule");
    for diagnostic in &diagnostics {
        assert!(is_about(case, diagnostic.rule), "{case} is not about {diagnostic}");
    }
    assert_stderr(case, &diagnostics);
    // `check` and `generate` have the same findings.
    let findings = match generate(&format!("{case}.json"), &source(case), &options(case)) {
        Ok(generated) => generated.warnings,
        Err(diagnostics) => diagnostics,
    };
    assert_eq!(findings, diagnostics);
}

#[test]
fn every_rule_has_a_case() {
    // Rules that need a library have their cases in `contract`.
    let contract = |rule: Rule| {
        let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("contract").join(kebab_case(rule));
        case.with_extension("stderr").exists()
    };
    for rule in Rule::ALL.iter().filter(|rule| !contract(**rule)) {
        let case = CASES.iter().map(|case| case.replace('_', "-")).find(|case| is_about(case, *rule));
        assert!(case.is_some(), "add a case {}.json for {}", kebab_case(*rule), rule.code());
    }
}

#[test]
fn every_file_has_a_test() {
    let tested: BTreeSet<String> = CASES.iter().map(|case| case.replace('_', "-")).collect();
    for entry in std::fs::read_dir(folder()).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let case = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(tested.contains(&case) || case == "ten-mistakes", "no test looks at {}", path.display());
    }
}

#[test]
fn ten_mistakes_in_ten_places_are_found_at_once() {
    let diagnostics = checked("ten-mistakes");
    let found: Vec<_> = diagnostics
        .iter()
        .map(|diagnostic| {
            (diagnostic.rule.code(), diagnostic.line.unwrap_or(0), diagnostic.column.unwrap_or(0))
        })
        .collect();
    let expected = [
        ("E014", 3, 93),
        ("E007", 6, 15),
        ("E005", 9, 74),
        ("E006", 10, 73),
        ("E011", 12, 54),
        ("E009", 19, 19),
        ("E012", 20, 72),
        ("E016", 22, 59),
        ("E013", 28, 77),
        ("E015", 36, 5),
    ];
    assert_eq!(found, expected);
    assert_stderr("ten-mistakes", &diagnostics);
}

/// The findings in `source`, without the places.
fn found(source: &str) -> Vec<(&'static str, String)> {
    let diagnostics = check("tool.json", source, &Options::default());
    diagnostics.iter().map(|diagnostic| (diagnostic.rule.code(), diagnostic.message.clone())).collect()
}

#[test]
fn line_ends_of_windows_change_nothing() {
    let source = source("ten-mistakes");
    let windows = source.replace('\n', "\r\n");
    let options = Options::default();
    assert_eq!(
        check("tool.json", &windows, &options).to_string(),
        check("tool.json", &source, &options).to_string()
    );
}

#[test]
fn a_byte_order_mark_changes_nothing() {
    let options = Options::default();
    for source in [minified("ten-mistakes"), "\n{".to_owned(), String::new(), "7".to_owned()] {
        let marked = format!("\u{feff}{source}");
        assert_eq!(
            check("tool.json", &marked, &options).to_string(),
            check("tool.json", &source, &options).to_string()
        );
    }
}

/// A document in one line. Columns count characters, and the description is Chinese.
fn minified(case: &str) -> String {
    let document: serde_json::Value = serde_json::from_str(&source(case)).expect("JSON");
    document.to_string()
}

#[test]
fn a_place_far_to_the_right_is_still_marked() {
    let source = minified("ten-mistakes");
    let diagnostics = check("tool.json", &source, &Options::default());
    assert_eq!(found(&source), found(&self::source("ten-mistakes")));
    for diagnostic in &diagnostics {
        let column = diagnostic.column.expect("it has a place");
        let at: String = source.chars().skip(column - 1).take(6).collect();
        let shown = diagnostic.to_string();
        let mut lines = shown.lines().skip(1);
        let (line, marks) = (lines.next().expect("the line"), lines.next().expect("the marks"));
        assert!(above(line, marks.find('^').expect("a mark")).starts_with(&at), "{shown}");
        assert!(line.chars().count() <= 120, "{shown}");
    }
}

/// The text of `line` from the column `mark`. Chinese characters are two columns wide.
fn above(line: &str, mark: usize) -> &str {
    let mut columns = 0;
    let start = line.char_indices().find(|(_, character)| {
        let here = columns;
        columns += if *character > '\u{2e80}' { 2 } else { 1 };
        here == mark
    });
    start.map_or("", |(start, _)| &line[start..])
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let closed = open.repeat(100_000) + "1" + &close.repeat(100_000);
        assert_eq!(found(&closed)[0].0, "E022");
        // The limit comes before the end.
        assert_eq!(found(&open.repeat(100_000))[0].0, "E022");
    }
}

#[test]
fn a_document_cut_short_is_an_error_and_no_panic() {
    let whole = include_str!("../fixtures/docs/tool.json");
    let lines = whole.lines().count();
    for (cut, _) in whole.trim_end().char_indices() {
        let diagnostics = check("tool.json", &whole[..cut], &Options::default());
        let [diagnostic] = diagnostics.iter().as_slice() else { panic!("{cut}: {diagnostics}") };
        assert_eq!(diagnostic.rule, Rule::NotJson, "{diagnostic}");
        assert!(diagnostic.line.is_some_and(|line| line <= lines), "{diagnostic}");
    }
}

#[test]
fn a_character_in_the_wrong_place_causes_neither_a_panic_nor_broken_code() {
    let whole = source("number-on-integer");
    for (at, character) in whole.char_indices() {
        for wrong in ["", "{", "]", "\"", ",", "\\", "7", "错", "\0"] {
            let source = [&whole[..at], wrong, &whole[at + character.len_utf8()..]].concat();
            if let Ok(bindings) = generate("tool.json", &source, &Options::default()) {
                bindings.to_file().expect("it is Rust");
            }
        }
    }
}

#[test]
fn a_function_that_begins_with_a_digit_can_have_several_results() {
    let source = source("optional-output").replace("\"add\"", "\"7zip\"");
    let bindings = generate("tool.json", &source, &Options::default()).expect("it has warnings only");
    bindings.to_file().expect("it is Rust");
}
