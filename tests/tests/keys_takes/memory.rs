//! Memory that passes to C: copies that C's own allocator makes. `c/keys_takes_memory.c` counts its blocks.

use opendyn::{CallError, Tool};
use opendyn_tests::{Twin, TwinLibrary};
use serde_json::json;

use crate::call;

opendyn::opendyn!("fixtures/keys-takes/memory.json");
opendyn_tests::twin!(KeysTakesMemory = "fixtures/keys-takes/memory.json");

/// A separate library for each test.
fn tool() -> Twin<KeysTakesMemory> {
    // SAFETY: fixtures/keys-takes/memory.json describes c/keys_takes_memory.c correctly.
    unsafe { Twin::open_in(&TwinLibrary::new("keys_takes_memory", &[])) }
        .expect("every function of the document is there")
}

/// How many blocks are alive, and how many were freed wrongly, in the library of the binding.
fn alive(tool: &KeysTakesMemory) -> (i32, i32) {
    (tool.pool_living(), tool.pool_faults())
}

/// The same in both libraries.
fn counted(tool: &impl Tool) -> (i64, i64) {
    let count =
        |function| call(tool, function, &json!({})).expect("a count")["count"].as_i64().expect("a number");
    (count("pool_living"), count("pool_faults"))
}

/// The sum and the number of the bytes that C owns.
fn owned(tool: &KeysTakesMemory) -> (i32, usize) {
    let sum = tool.pool_sum();
    (sum.sum, sum.size)
}

mod typed {
    use super::*;

    #[test]
    fn a_text_is_copied_with_its_nul_and_freed_by_c() {
        let tool = tool();
        let text = c"ab".to_owned();
        tool.text_take(&text).expect("it is taken");
        assert_eq!((owned(&tool), alive(&tool)), ((0x61 + 0x62, 3), (1, 0)));
        assert_eq!(text.as_c_str(), c"ab", "the caller keeps its own");
        tool.text_take(c"").expect("it is taken");
        assert_eq!((owned(&tool), alive(&tool)), ((0, 1), (1, 0)));
        tool.pool_forget();
        assert_eq!(alive(&tool), (0, 0));
    }

    #[test]
    fn a_call_that_fails_has_taken_nothing() {
        let tool = tool();
        let error = tool.text_take(c"!ab").expect_err("C refuses it");
        assert_eq!((error.code(), error.text(), alive(&tool)), (Some(3), Some("a wrong argument"), (0, 0)));
        assert!(tool.numbers_take(&[-1, 2]).is_err());
        assert!(matches!(tool.note_new(c"!"), Err(CallError::Null { value: "note" })));
        assert_eq!(alive(&tool), (0, 0));
    }

    /// A double free, or a free of memory of another allocator, ends the process or is seen by a sanitizer.
    #[test]
    fn what_c_takes_always_c_frees_where_it_fails_too() {
        let tool = tool();
        tool.text_take_always(c"ab").expect("it is taken");
        assert_eq!(tool.text_take_always(c"!ab").expect_err("it fails").code(), Some(3));
    }

    #[test]
    fn no_memory_is_an_error_before_c_is_called() {
        let tool = tool();
        tool.pool_limit(0);
        assert_eq!(tool.text_take(c"ab"), Err(CallError::NoMemory { value: "text" }));
        // A variable that holds no allocator.
        assert_eq!(tool.nothing_take(c"ab"), Err(CallError::NoMemory { value: "text" }));
        // The first of two is freed.
        tool.pool_limit(1);
        assert_eq!(tool.pair_take(c"a", c"b", 1), Err(CallError::NoMemory { value: "second" }));
        assert_eq!(alive(&tool), (0, 0));
        tool.pool_limit(-1);
        tool.pair_take(c"a", c"b", 1).expect("both are taken");
        assert_eq!(tool.pair_take(c"!", c"b", 7).expect_err("none is taken").code(), Some(7));
        assert_eq!(alive(&tool), (1, 0));
        tool.pool_forget();
    }

    #[test]
    fn a_call_that_is_refused_allocates_nothing() {
        let tool = tool();
        tool.pool_limit(5);
        assert!(matches!(tool.numbers_take(&[0; 256]), Err(CallError::Length { .. })));
        assert!(matches!(tool.numbers_take(&[0; 301]), Err(CallError::Limit(_) | CallError::Length { .. })));
        assert!(matches!(tool.pair_take(c"a", c"b", 0), Err(CallError::Limit(_))));
        for _ in 0..5 {
            tool.text_take(c"a").expect("there is memory for five");
        }
        assert_eq!((tool.text_take(c"a").is_err(), alive(&tool)), (true, (1, 0)));
        tool.pool_forget();
    }

    #[test]
    fn null_bytes_numbers_and_wide_text_pass_too() {
        let tool = tool();
        assert!(tool.text_take_or_null(None).expect("no memory is needed"));
        assert_eq!(alive(&tool), (0, 0));
        assert!(!tool.text_take_or_null(Some(c"a")).expect("there is memory"));
        assert_eq!(owned(&tool), (0x61, 2));
        tool.bytes_take(&[1, 0, 2]).expect("there is memory");
        assert_eq!(owned(&tool), (3, 3));
        // No elements are one byte: some allocators return NULL for none.
        tool.bytes_take(&[]).expect("there is memory");
        assert_eq!((owned(&tool), alive(&tool)), ((0, 0), (1, 0)));
        tool.numbers_take(&[1, 256, 2]).expect("there is memory");
        assert_eq!(owned(&tool), (4, 6));
        let wide = opendyn::Utf16CString::try_from("aé").expect("no NUL");
        tool.wide_take(&wide).expect("there is memory");
        assert_eq!(owned(&tool), (0x61 + 0xe9, 6));
        tool.mode_take(&ModeTakeMode::Fast).expect("there is memory");
        assert_eq!(owned(&tool).1, 5);
        tool.pool_forget();
        assert_eq!(alive(&tool), (0, 0));
    }

    #[test]
    fn a_handle_can_own_what_it_was_made_with() {
        let tool = tool();
        let note = tool.note_new(c"text").expect("a note");
        assert_eq!(note.text().expect("a text").as_c_str(), c"text");
        assert_eq!(alive(&tool), (2, 0));
        drop(note);
        assert_eq!(alive(&tool), (0, 0));
        // C has no memory for the note, and so has not taken its text.
        tool.pool_limit(1);
        assert!(tool.note_new(c"text").is_err());
        assert_eq!(alive(&tool), (0, 0));
    }
}

/// A `&str` gets its NUL before it is copied.
mod strs {
    use super::*;

    mod binding {
        opendyn::opendyn!("fixtures/keys-takes/memory.json", strings = str);
    }

    #[test]
    fn a_str_passes_with_its_nul() {
        let library = TwinLibrary::new("keys_takes_memory", &[]);
        // SAFETY: fixtures/keys-takes/memory.json describes c/keys_takes_memory.c correctly.
        let tool = unsafe { binding::KeysTakesMemory::open(&library.compiled) }.expect("it is there");
        tool.text_take("ab").expect("it is taken");
        let sum = tool.pool_sum();
        assert_eq!((sum.sum, sum.size, tool.pool_living()), (0x61 + 0x62, 3, 1));
        assert_eq!(tool.text_take("a\0"), Err(CallError::Nul { value: "text", index: 1 }));
        assert!(tool.text_take_or_null(None).expect("no memory is needed"));
        assert_eq!((tool.pool_living(), tool.pool_faults()), (0, 0));
    }
}

/// The compiled binding and the interpreter must agree.
mod json {
    use super::*;

    fn sum(tool: &impl Tool) -> serde_json::Value {
        call(tool, "pool_sum", &json!({})).expect("a sum")
    }

    #[test]
    fn every_form_of_memory_passes() {
        let tool = tool();
        let called = |function, arguments, bytes: (i64, i64)| {
            call(&tool, function, &arguments).expect(function);
            assert_eq!(sum(&tool), json!({"sum": bytes.0, "size": bytes.1}), "{function}");
            assert_eq!(counted(&tool), (i64::from(bytes.1 > 0 || function == "bytes_take"), 0), "{function}");
        };
        called("text_take", json!({"text": "ab"}), (0x61 + 0x62, 3));
        called("text_take_or_null", json!({"text": "a"}), (0x61, 2));
        called("text_take_or_null", json!({}), (0, 0));
        called("mode_take", json!({"mode": "slow"}), (453, 5));
        called("wide_take", json!({"text": "aé"}), (0x61 + 0xe9, 6));
        called("bytes_take", json!({"data": "AQAC"}), (3, 3));
        called("bytes_take", json!({"data": ""}), (0, 0));
        called("numbers_take", json!({"numbers": [1, 256, 2]}), (4, 6));
        called("numbers_take", json!({"numbers": [7]}), (7, 2));
        call(&tool, "text_take_always", &json!({"text": "ab"})).expect("it is taken");
        call(&tool, "pool_forget", &json!({})).expect("nothing can fail");
        assert_eq!(counted(&tool), (0, 0));
    }

    #[test]
    fn nothing_leaks_where_a_call_fails() {
        let tool = tool();
        let failed = |function, arguments, text: &str| {
            let error = call(&tool, function, &arguments).expect_err(function);
            assert!(error.to_string().contains(text), "{error}");
            assert_eq!(counted(&tool), (0, 0), "{function}: {error}");
        };
        failed("text_take", json!({"text": "!"}), "a wrong argument");
        failed("text_take_always", json!({"text": "!"}), "a wrong argument");
        failed("numbers_take", json!({"numbers": [-1]}), "-1");
        failed("numbers_take", json!({"numbers": [0, 40000]}), "/numbers/1");
        failed("numbers_take", json!({"numbers": vec![0; 256]}), "/numbers");
        failed("pair_take", json!({"first": "!", "second": "b", "n": 4}), "4");
        failed("pair_take", json!({"first": "a", "second": "b", "n": 0}), "/n");
        failed("note_new", json!({"text": "!"}), "NULL");
        failed("nothing_take", json!({"text": "a"}), "the library has no memory for `text`");
        call(&tool, "pool_limit", &json!({"blocks": 1})).expect("nothing can fail");
        failed("pair_take", json!({"first": "a", "second": "b", "n": 1}), "no memory for `second`");
        failed("text_take", json!({"text": "a"}), "the library has no memory for `text`");
    }

    #[test]
    fn a_note_owns_its_text() {
        let tool = tool();
        let note = crate::token(&tool, "note_new", &json!({"text": "text"}), "note");
        assert_eq!(call(&tool, "note_text", &json!({"note": note})), Ok(json!({"text": "text"})));
        assert_eq!(counted(&tool), (2, 0));
        call(&tool, "note_free", &json!({"note": note})).expect("it is freed");
        assert_eq!(counted(&tool), (0, 0));
    }
}
