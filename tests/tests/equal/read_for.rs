//! A document that was read for one function is equal to the whole: same description, same answers.

use opendyn::{Session, Tool};
use opendyn_interpreter::{Document, Interpreted};
use opendyn_model::plan::Json;
use opendyn_tests::{Answer, described, equal};

use super::arguments::arguments;
use super::limits::is_defined;
use super::pool::Pool;
use super::random::Random;
use super::subjects::SUBJECTS;
use super::values::Maker;
use super::{number_tables_from_1000, seed};

/// Calls of each function.
const CALLS: usize = if cfg!(quick) { 5 } else { 30 };

fn answer(tool: &Session<&Interpreted>, function: &str, arguments: &[u8]) -> Answer {
    let mut out = Vec::new();
    tool.call_into(function, arguments, &mut out).map(|()| out)
}

#[test]
fn a_document_that_was_read_for_a_function_is_equal_to_the_whole() {
    number_tables_from_1000();
    let (mut functions, mut succeeded) = (0, 0);
    for subject in SUBJECTS {
        let (source, options, plan) = (subject.source(), (subject.options)(), subject.plan());
        let mut random = Random::new(seed(), subject.document);
        let library = subject.compile();
        let whole = Document::read(subject.document, &source, &options).expect("it has no errors");
        let descriptions = whole.load().expect("it describes itself");
        // SAFETY: the document describes the library; what C leaves undefined is not called.
        let whole = unsafe { Interpreted::open(whole, &library.compiled) }.expect("every function is there");
        let pool = Pool::default();
        let maker = Maker { types: &plan.types, pool: &pool };
        for function in &plan.functions {
            let name = &function.name;
            let part = Document::read_for(subject.document, &source, &options, name).expect("no errors");
            // SAFETY: as above.
            let part =
                unsafe { Interpreted::open(part, &library.interpreted) }.expect("every function is there");
            functions += 1;
            if matches!(function.json, Json::Callable(_)) {
                let description = Tool::load(&part).expect("it describes itself");
                assert_eq!(described(&description, name), described(&descriptions, name));
            }
            // Their handles are numbered alike.
            let (whole, part) = (Session::new(&whole), Session::new(&part));
            for _ in 0..CALLS {
                let arguments = arguments(function, &maker, &mut random);
                if is_defined(name, &arguments) {
                    let answers = (answer(&whole, name, &arguments), answer(&part, name, &arguments));
                    let equal = equal(name, &arguments, answers.0, &answers.1);
                    let answer = equal.unwrap_or_else(|found| panic!("OPENDYN_SEED={}\n{found}", seed()));
                    succeeded += usize::from(answer.is_ok());
                }
            }
        }
    }
    assert!(functions > 500 && succeeded > functions, "{functions} functions, {succeeded} calls succeeded");
}
