//! `import --ask`: questions in order and in groups, one key each.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

use super::command::{Run, argument, command, folder, opendyn, opendyn_with};
use super::{function, questions};

/// Handles, buffers and numbers that C does not explain.
pub const HEADER: &str = "
typedef struct box box;
/** Opens a box. */
box *box_open(const char *path);
box *box_scratch(void);
int box_close(box *b);
int box_count(box *b);
int box_width(box *b);
int box_height(box *b);
unsigned box_sum(const unsigned char *buf, unsigned len);
unsigned box_xor(const unsigned char *buf, unsigned len);
unsigned box_mix(const unsigned char *data, unsigned len);
/** Packs.
 *  @param dest where the bytes go */
int box_pack(unsigned char *dest, unsigned long *destLen, const unsigned char *src, unsigned long srcLen);
double box_split(double x, int *exponent);
";

/// The files of one test.
pub struct Files {
    pub header: PathBuf,
    pub answers: PathBuf,
    pub document: PathBuf,
}

impl Files {
    pub fn new(name: &str) -> Self {
        let folder = folder(&format!("import-ask-{name}"));
        let files = Self {
            header: folder.join("box.h"),
            answers: folder.join("answers.json"),
            document: folder.join("box.json"),
        };
        files.declare(HEADER);
        files
    }

    pub fn declare(&self, header: &str) {
        std::fs::write(&self.header, header).expect("it can be written");
    }

    pub fn arguments(&self) -> [&str; 7] {
        let [header, answers, document] =
            [&self.header, &self.answers, &self.document].map(|path| argument(path));
        ["import", header, "--answers", answers, "-o", document, "--force"]
    }

    /// Asks, with these keys.
    pub fn ask(&self, keys: &str) -> Run {
        let run = opendyn_with(&[&self.arguments()[..], &["--ask"]].concat(), keys);
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
        self.check();
        run
    }

    /// Applies the answers.
    pub fn apply(&self) -> Run {
        let run = opendyn(&self.arguments());
        assert_eq!(run.status, 0, "{}", run.stderr);
        self.check();
        run
    }

    fn check(&self) {
        let run = opendyn(&["check", argument(&self.document)]);
        assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    }

    pub fn document(&self) -> Value {
        json_of(&self.document)
    }

    pub fn answers(&self) -> Vec<Value> {
        json_of(&self.answers)["answers"].as_array().expect("a list").clone()
    }
}

fn json_of(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("it is there")).expect("JSON")
}

/// The questions as they were asked, each with its answers.
pub fn asked(run: &Run) -> Vec<&str> {
    run.stderr.split("\n\n").filter(|part| part.contains("left; this one")).collect()
}

/// Whether JSON can call a function.
pub fn is_callable(document: &Value, name: &str) -> bool {
    let function =
        super::plan(document).functions.iter().find(|of| of.name == name).expect(name).json.clone();
    matches!(function, opendyn_model::plan::Json::Callable(_))
}

#[test]
fn what_opens_most_functions_is_asked_first_and_once() {
    let run = Files::new("order").ask("");
    let first = asked(&run)[0];
    assert!(first.contains("this one opens 3 functions"), "{first}");
    assert!(first.contains("Does C only use the `box` during the call?"), "{first}");
    for name in ["int box_count(box *b)", "int box_width(box *b)", "int box_height(box *b)"] {
        assert!(first.contains(name), "{first}");
    }
    assert!(!first.contains("box_close"), "what may free it is asked alone: {first}");
    let run = Files::new("order-all").ask(&"s\n".repeat(20));
    let opened: Vec<usize> = asked(&run)
        .iter()
        .map(|question| {
            let of = question.split("this one opens ").nth(1).expect("a number");
            of.split_whitespace().next().expect("a number").parse().unwrap_or(0)
        })
        .collect();
    assert!(opened.is_sorted_by(|a, b| a >= b), "{opened:?}");
    assert_eq!(asked(&run).len(), 9, "{}", run.stderr);
}

#[test]
fn one_answer_is_for_one_type_shape_and_name() {
    let run = Files::new("groups").ask(&"s\n".repeat(20));
    let of =
        |part: &str| asked(&run).into_iter().find(|question| question.contains(part)).expect("a question");
    let sums = of("Is `len` the length of `buf`?");
    assert!(sums.contains("box_sum") && sums.contains("box_xor") && !sums.contains("box_mix"), "{sums}");
    let opened = of("Who frees the returned `box`?");
    assert!(opened.contains("box_open") && opened.contains("box_scratch"), "{opened}");
    assert!(opened.contains("  1  the caller, with `box_close`"), "{opened}");
    let dest = of("int box_pack(unsigned char *dest");
    assert!(dest.contains("where the bytes go") && dest.contains("box.h:14"), "{dest}");
}

#[test]
fn answers_make_functions_callable_and_are_kept() {
    let files = Files::new("kept");
    let run = files.ask("1\n");
    assert!(run.stderr.contains("\n3 functions callable through JSON now, 0 before\n"), "{}", run.stderr);
    assert!(run.stderr.contains("new: box_count, box_height, box_width"), "{}", run.stderr);
    let document = files.document();
    assert!(is_callable(&document, "box_count") && !is_callable(&document, "box_sum"));
    assert!(questions(&function(&document, "box_count")["parameters"][0]).is_empty());
    assert_eq!(
        files.answers(),
        [json!({
            "question": "functions only use a `box` during the call",
            "text": "Does C only use the `box` during the call?",
            "answer": "yes, only during the call",
            "changes": { "schema": { "cType": { "x-handle": "box" } } },
            "places": {
                "box_count.b": "int box_count(box *b)",
                "box_height.b": "int box_height(box *b)",
                "box_width.b": "int box_width(box *b)"
            }
        })]
    );
    let text = std::fs::read_to_string(&files.answers).expect("it is there");
    std::fs::remove_file(&files.document).expect("it was there");
    let run = files.apply();
    assert!(run.stderr.contains("answers.json: 3 answers applied, 0 not"), "{}", run.stderr);
    assert_eq!(files.document(), document);
    assert_eq!(std::fs::read_to_string(&files.answers).expect("it is there"), text);
}

#[test]
fn every_likely_answer_together_is_a_document_without_errors() {
    let files = Files::new("all");
    let run = files.ask(&"1\n".repeat(20));
    let document = files.document();
    for name in
        ["box_open", "box_close", "box_count", "box_sum", "box_xor", "box_mix", "box_pack", "box_split"]
    {
        assert!(is_callable(&document, name), "{name}: {}", run.stderr);
    }
    let first = std::fs::read_to_string(&files.answers).expect("it is there");
    let run = files.ask("");
    assert!(asked(&run).is_empty(), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(&files.answers).expect("it is there"), first);
}

#[test]
fn every_possible_answer_alone_is_refused_or_fits() {
    let files = Files::new("each");
    let run = files.ask(&"s\n".repeat(20));
    let mut tried = 0;
    for (question, shown) in asked(&run).into_iter().enumerate() {
        let answers = (1..=9).filter(|number| shown.contains(&format!("\n  {number}  ")));
        for answer in answers {
            tried += 1;
            let _ = std::fs::remove_file(&files.answers);
            let run = files.ask(&format!("{}{answer}\n", "s\n".repeat(question)));
            let is_taken = files.answers.exists();
            assert!(is_taken || run.stderr.contains("not taken, because"), "{}", run.stderr);
        }
    }
    assert_eq!(tried, 18);
}

#[test]
fn what_c_may_keep_can_be_answered() {
    let files = Files::new("kept");
    files.declare(
        "typedef struct box box; typedef struct label label;\n\
         /** Opens a box. It must be freed with box_close(). */\nbox *box_open(void);\n\
         /** Frees the box b. */\nvoid box_close(box *b);\n\
         /** Changes the name. */\nint box_set_name(box *b, const char *name);\n\
         /** Changes the label. */\nint box_use_label(box *b, const label *l);\n",
    );
    for (key, keeper) in [("1", None), ("2", Some("b"))] {
        let _ = std::fs::remove_file(&files.answers);
        let run = files.ask(&format!("{key}\n{key}\n"));
        let shown = asked(&run);
        assert_eq!(shown.len(), 2, "{}", run.stderr);
        assert!(shown.iter().all(|shown| shown.contains("`b` uses it from now on")), "{}", run.stderr);
        let document = files.document();
        for name in ["box_set_name", "box_use_label"] {
            let kept = &function(&document, name)["parameters"][1];
            assert_eq!(kept.get("x-keeps").and_then(Value::as_str), keeper, "{name}");
            assert!(is_callable(&document, name), "{name}");
        }
    }
}

#[test]
fn one_function_of_many_can_be_answered_alone() {
    let files = Files::new("only");
    let run = files.ask("o\n1\n");
    let document = files.document();
    assert!(is_callable(&document, "box_count") && !is_callable(&document, "box_width"));
    let next = asked(&run)[2];
    assert!(next.contains("opens 2 functions") && next.contains("box_width"), "{next}");
    assert!(!next.contains("box_count"), "{next}");
}

#[test]
fn the_last_answer_can_be_taken_back() {
    let files = Files::new("undo");
    let run = files.ask("u\n1\nu\n2\nu\nu\ns\nu\n1\n");
    assert_eq!(run.stderr.matches("nothing to take back").count(), 2, "{}", run.stderr);
    assert_eq!(files.answers()[0]["answer"], "yes, only during the call");
    assert_eq!(files.answers().len(), 1);
    let files = Files::new("undo-all");
    files.ask("1\nu\n");
    assert!(files.answers().is_empty());
    assert!(!is_callable(&files.document(), "box_count"));
}

#[test]
fn it_stops_and_goes_on() {
    let files = Files::new("stop");
    let run = files.ask("1\nq\n1\n");
    assert_eq!(asked(&run).len(), 2);
    let run = files.ask("1\n");
    assert!(asked(&run)[0].contains("Who frees the returned `box`?"), "{}", run.stderr);
    assert!(run.stderr.contains("callable through JSON now, 3 before"), "{}", run.stderr);
    assert_eq!(files.answers().len(), 2);
}

#[test]
fn the_end_of_the_input_and_what_is_no_answer_lose_nothing() {
    let files = Files::new("end");
    let mut child = command(&[&files.arguments()[..], &["--ask"]].concat())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(b"\xff\xfe\n\n9\n0\n12\nyes\n?\n1\n1").expect("it reads");
    drop(pipe);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success(), "{text}");
    assert_eq!(text.matches("is no answer to this question").count(), 6, "{text}");
    assert!(text.contains("in `cType` write \"x-handle\": \"box\""), "`?` shows what is written: {text}");
    assert_eq!(files.answers().len(), 2, "the last line needs no end");
    files.check();
}

#[test]
fn an_answer_that_needs_another_waits_for_it() {
    let files = Files::new("waits");
    let all = asked(&files.ask(&"s\n".repeat(20))).iter().map(|of| (*of).to_owned()).collect::<Vec<_>>();
    let at = |part: &str| all.iter().position(|of| of.contains(part)).expect("a question");
    let dest = at("Does C fill `dest`");
    let run = files.ask(&format!("{}1\n", "s\n".repeat(dest)));
    assert!(run.stderr.contains("waits for others"), "{}", run.stderr);
    assert!(!is_callable(&files.document(), "box_pack"));
    let run = files.ask(&"1\n".repeat(20));
    assert!(run.stderr.contains("not applied: `box_pack.dest`"), "{}", run.stderr);
    assert!(!run.stderr.contains("\n  the answer at"), "{}", run.stderr);
    assert!(is_callable(&files.document(), "box_pack"));
}

#[test]
#[cfg_attr(no_zlib_and_sqlite, ignore = "needs zlib1g-dev and libsqlite3-dev of Debian 12")]
fn the_answers_for_zlib_open_functions_that_work() {
    let folder = folder("import-ask-zlib");
    let [answers, document] = ["answers.json", "zlib.json"].map(|name| folder.join(name));
    let arguments = [
        "import",
        "zlib.h",
        "--library",
        "libz.so.1",
        "--only",
        "crc32_z",
        "--only",
        "adler32_z",
        "--answers",
        argument(&answers),
        "-o",
        argument(&document),
        "--ask",
    ];
    let run = opendyn_with(&arguments, "1\n");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("2 functions callable through JSON now, 0 before"), "{}", run.stderr);
    let check = opendyn(&["check", argument(&document), "--library", "libz.so.1", "--header", "zlib.h"]);
    assert_eq!(check.status, 0, "{}{}", check.stdout, check.stderr);
    let call = opendyn(&["call", argument(&document), "crc32_z", r#"{"crc": 0, "buf": "MTIzNDU2Nzg5"}"#]);
    assert!(call.stdout.contains("3421780262"), "{}{}", call.stdout, call.stderr);
}
