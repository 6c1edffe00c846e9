use super::docstring::{Docstring, read};
use super::type_text::stated;
use opentool::{Schema, SchemaType};

/// Name, type and description of every parameter.
fn parameters(docstring: &Docstring) -> Vec<[&str; 3]> {
    let parameters = docstring.parameters.iter();
    parameters.map(|it| [&it.name, &it.kind, &it.description].map(|text| text.as_str())).collect()
}

#[test]
fn the_first_paragraph_is_the_summary() {
    assert_eq!(read("Adds\nnumbers.\n\nMore.").summary, "Adds numbers.");
    assert_eq!(read("\n\nAdds.").summary, "Adds.");
    assert_eq!(read("Adds.\nArgs:\n    a: x").summary, "Adds.");
    assert_eq!(read("Adds.\n:param a: x").summary, "Adds.");
    assert_eq!(read("Args:\n    a: x").summary, "");
    assert_eq!(read("").summary, "");
}

#[test]
fn the_three_styles_have_the_same_result() {
    let google = "S.\n\nArgs:\n    a (int, optional): The first\n        of two.\n    b: Other: b.\n\nReturns:\n    dict: r";
    let numpy = "S.\n\nParameters\n----------\na : int, optional\n    The first\n    of two.\nb\n    Other: b.\n\nReturns\n-------\ndict\n    r";
    let sphinx = "S.\n\n:param a: The first\n    of two.\n:type a: int, optional\n:param b: Other: b.\n:returns: r\n:rtype: dict";
    for text in [google, numpy, sphinx] {
        let docstring = read(text);
        let expected = [["a", "int, optional", "The first of two."], ["b", "", "Other: b."]];
        assert_eq!(parameters(&docstring), expected, "{text}");
        assert_eq!((docstring.summary.as_str(), docstring.returns.as_deref()), ("S.", Some("r")), "{text}");
    }
}

#[test]
fn keys_may_be_listed_below_the_dict() {
    let text = "S.\n\nArgs:\n    tool_input (dict): with\n        - a (int): one\n          and more\n        - `b`: two\n";
    let keys = read(text).keys("tool_input");
    let names: Vec<_> = keys.iter().map(|key| (key.name.as_str(), key.description.as_str())).collect();
    assert_eq!(names, [("a", "one and more"), ("b", "two")]);
}

#[test]
fn other_sections_are_not_parameters() {
    let text = "S.\n\nArgs:\n    a: x\n\nRaises:\n    KeyError: never\n\nExample:\n    b: y\n\nText: more.\n    c: z";
    assert_eq!(parameters(&read(text)), [["a", "", "x"]]);
}

#[test]
fn any_text_is_a_docstring() {
    let text = "S.\n\nArgs:\n    汉 (整数，可选)：一（个\n  ：\n Parameters\n---\n: :x\n:param:\n:param a b\n:type :\n(: [\nReturns:\n:";
    for (cut, _) in text.char_indices() {
        for part in [&text[..cut], &text[cut..]] {
            let _ = read(part).keys("汉");
            let _ = stated(part);
        }
    }
}

#[test]
fn common_spellings_of_types_are_read() {
    use SchemaType::{Array, Boolean, Integer, Number, Object, String};
    for (text, kind) in [
        ("str", String),
        ("`int`", Integer),
        ("float, optional", Number),
        ("布尔", Boolean),
        ("typing.Dict[str, int]", Object),
        ("List[str]", Array),
        ("int[]", Array),
        ("list of str", Array),
        ("Optional[int]", Integer),
        ("str | None", String),
        ("None or float", Number),
        ("Union[None, dict]", Object),
        ("Literal['a', \"b\"]", String),
        ("{1, 2}", Integer),
    ] {
        assert_eq!(stated(text).schema.map(|schema| schema.kind), Some(kind), "{text}");
    }
    for text in ["datetime", "int | str", "Union[int]", "{a, b}", "{'a', 1}", "[]", "str of int", ""] {
        assert_eq!(stated(text).schema, None, "{text}");
    }
    let nested =
        stated("list[list[int]]").schema.and_then(|schema| schema.items).and_then(|items| items.items);
    assert_eq!(nested, Some(Box::new(Schema::of(Integer))));
    assert!(stated("Optional[int]").schema.is_some_and(|schema| schema.nullable));
    assert_eq!(stated("datetime").unknown.as_deref(), Some("datetime"));
    assert_eq!(stated(&"list[".repeat(50_000)).schema, None);
}

#[test]
fn optional_has_many_spellings() {
    for text in [
        "int, optional",
        "optional",
        "int, default 5",
        "整数，可选",
        "int, 默认 5",
        "str, required, optional",
    ] {
        assert!(stated(text).is_optional, "{text}");
    }
    for text in ["int", "int, required", "Optional[int]", "必填"] {
        assert!(!stated(text).is_optional, "{text}");
    }
}
