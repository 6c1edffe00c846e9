//! Scripts that the rules allow.

#![expect(clippy::expect_used, clippy::panic, reason = "test helpers may panic")]

use opentool_python::{Rule, Script, check};
use opentool_python_tests::{folder, python, scripts};

fn script(source: impl AsRef<[u8]>) -> Script {
    let report = check("tool.py", source.as_ref(), &python()).expect("Python works");
    let shown = format!("{:#?}\n{}", report.findings, String::from_utf8_lossy(source.as_ref()));
    assert!(report.findings.is_empty(), "{shown}");
    report.into_script().unwrap_or_else(|_| panic!("{shown}"))
}

const BODY: &str = "    return dict(success=True, message='', data=1)\n";

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn the_samples_of_the_specification_are_valid() {
    let scripts = scripts("page");
    assert_eq!(scripts.len(), 4);
    for (_, source) in scripts {
        assert_eq!(script(source).entry(), "execute");
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn whole_modules_are_imported_in_every_form() {
    let source = format!(
        "import os, sys\nimport a.b as c\nimport d.e\ndef run(d: dict) -> dict:\n    import g\n{BODY}"
    );
    assert_eq!(script(source).entry(), "run");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn one_parameter_is_one_dict_in_these_forms() {
    for parameter in [
        "d",
        "d, /",
        "d=None",
        "d: dict = {}",
        "d: 'dict'",
        "d: Dict",
        "d: typing.Dict[str, typing.Any]",
        "d: dict[str, int]",
        "d: \"t.Dict[str, 'x']\"",
        "d: _Input",
    ] {
        let classes = "class _Input(typing.TypedDict):\n    a: int\n";
        script(format!("import typing\n{classes}def run({parameter}) -> 'Dict[str, object]':\n{BODY}"));
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn private_and_nested_names_are_unrestricted() {
    script(format!(
        "_URL = 'x'\nLIMIT = 3\nlimits: list = [1]\n\n\ndef _helper(a, b, *c, **d):\n    yield a\n\n\n\
         async def _later():\n    pass\n\n\nclass _Cache:\n    def get(self, a, b):\n        return a\n\n\n\
         def run(d):\n    def sub_method(*a):\n        yield 1\n    class Inner:\n        pass\n    \
         square = lambda x: (yield x)\n{BODY}\n\nif __name__ == '__main__':\n    def main():\n        pass\n    \
         result = run({{}})\n"
    ));
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn one_of_several_branches_defines_the_function() {
    let indented = BODY.replace("    ", "        ");
    for (first, second) in [("if a:", "else:"), ("try:", "except ImportError:")] {
        let source =
            format!("import a\n{first}\n    def run(d):\n{indented}{second}\n    def run(d):\n{indented}");
        assert_eq!(script(source).entry(), "run");
    }
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn a_name_may_be_used_before_the_function_is_defined() {
    script(format!("run = None\n\n\ndef run(d):\n{BODY}"));
    script(format!("def helper(a):\n    return a\n\n\ndef run(d):\n{BODY}\n\ndel helper\n"));
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn results_that_the_source_does_not_show_are_checked_at_the_call() {
    for result in [
        "f(d)",
        "{**d, 'data': 1}",
        "dict(d, success=True)",
        "dict(success=d['a'], message=str(d), data=None)",
        "{'success': False, 'message': 'no', 'data': None}",
        "dict(success=False, message='no')",
        "d",
    ] {
        script(format!("def run(d):\n    return {result}\n"));
    }
    script("def run(d):\n    raise ValueError('never')\n");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn line_ends_byte_order_marks_and_encodings_do_not_matter() {
    let source = std::fs::read_to_string(folder("page/inter-client.py")).expect("it is there");
    let expected = script(&source);
    for same in [
        source.replace('\n', "\r\n").into_bytes(),
        source.replace('\n', "\r").into_bytes(),
        format!("\u{feff}{source}").into_bytes(),
        source.trim_end().as_bytes().to_vec(),
        format!("\u{c}{source}").into_bytes(),
    ] {
        assert_eq!(script(same).describe(), expected.describe());
    }
    // `执行` in GBK.
    script(
        b"# coding: gbk\ndef run(d):\n    return dict(success=True, message='\xd6\xb4\xd0\xd0', data=1)\n",
    );
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3, 3.8 or newer")]
fn columns_count_characters_in_every_encoding() {
    let place = |source: &[u8]| {
        let report = check("tool.py", source, &python()).expect("Python works");
        let [finding] = report.findings.as_slice() else { panic!("{:#?}", report.findings) };
        assert_eq!(finding.rule, Rule::FromImport);
        (finding.line.expect("a line"), finding.column.expect("a column"))
    };
    assert_eq!(place(format!("'''汉字'''; from a import b\ndef run(d):\n{BODY}").as_bytes()), (1, 11));
    assert_eq!(place(format!("\u{feff}from a import b\ndef run(d):\n{BODY}").as_bytes()), (1, 1));
    assert_eq!(place(b"def run(d):\r\n\tfrom a import b\r\n\treturn d\r\n"), (2, 2));
    assert_eq!(place(b"def run(d):\r    from a import b\r    return d"), (2, 5));
    assert_eq!(
        place(b"# coding: gbk\n'\xd6\xb4\xd0\xd0'; from a import b\ndef run(d):\n    return d\n"),
        (2, 7)
    );
}
