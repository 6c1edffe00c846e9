//! Random choices, and names that have caused trouble.

use serde_json::{Value, json};

use crate::{FUNCTION_NAMES, VALUE_NAMES};

/// Pseudo-random numbers from one seed (SplitMix64), and choices made with them.
pub(crate) struct Choices {
    state: u64,
    /// Function names that are not used yet.
    functions: Vec<&'static str>,
}

impl Choices {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed, functions: FUNCTION_NAMES.to_vec() }
    }

    fn below(&mut self, count: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % count
    }

    pub(crate) fn of<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    /// A name that no other function of the document has. Some of them become the same name in Rust.
    pub(crate) fn function(&mut self) -> String {
        let index = self.below(self.functions.len());
        let name = self.functions.swap_remove(index);
        if self.one_in(2) { name.to_owned() } else { format!("{name}-{}", self.functions.len()) }
    }

    /// Distinct names for the parameters of one function.
    pub(crate) fn values<const N: usize>(&mut self) -> [&'static str; N] {
        let mut names = VALUE_NAMES.to_vec();
        std::array::from_fn(|_| {
            let index = self.below(names.len());
            names.swap_remove(index)
        })
    }

    /// A parameter that counts, by value or by pointer.
    pub(crate) fn count(&mut self, pointer: bool) -> Value {
        let (c_type, spelling) = self.of(&[
            ("int", None),
            ("unsigned long", Some("size_t")),
            ("unsigned int", None),
            ("unsigned char", None),
            ("short", None),
            ("long long", None),
            ("unsigned long long", Some("uint64_t")),
            ("long", Some("ssize_t")),
        ]);
        let mut schema = scalar("integer", c_type, pointer);
        if let Some(spelling) = spelling {
            schema["cType"]["x-cType"] = json!(spelling);
        }
        schema
    }

    /// A scalar by value.
    pub(crate) fn scalar(&mut self) -> Value {
        let (kind, c_type) = self.of(&[
            ("integer", "int"),
            ("boolean", "bool"),
            ("boolean", "int"),
            ("number", "double"),
            ("number", "float"),
            ("string", "char"),
            ("integer", "unsigned long long"),
            ("integer", "char"),
        ]);
        scalar(kind, c_type, false)
    }
}

pub(crate) fn scalar(kind: &str, c_type: &str, pointer: bool) -> Value {
    json!({"type": kind, "cType": {"type": c_type, "isPointer": pointer}})
}

/// `value` with the keys of `more`.
pub(crate) fn with(mut value: Value, more: Value) -> Value {
    if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
        value.extend(more);
    }
    value
}

pub(crate) fn input(name: &str, schema: Value) -> Value {
    json!({"name": name, "schema": schema, "isIn": true, "required": true})
}

pub(crate) fn output(name: &str, schema: Value) -> Value {
    with(input(name, schema), json!({"isIn": false}))
}

/// A function, with keys that any function may have.
pub(crate) fn function(choices: &mut Choices, name: &str, parameters: Vec<Value>, returned: Value) -> Value {
    let function =
        json!({"name": name, "description": "Does it.", "parameters": parameters, "return": returned});
    if choices.one_in(8) {
        with(function, json!({"x-symbol": "symbol", "x-annotations": {"readOnly": true}}))
    } else {
        function
    }
}

/// A return value with any name and any keys.
pub(crate) fn returned(choices: &mut Choices, schema: Value, keys: Value) -> Value {
    let [name] = choices.values();
    with(json!({"name": name, "schema": schema}), keys)
}

/// The return value of a function with outputs: nothing, a code, or a number.
pub(crate) fn some_return(choices: &mut Choices) -> Value {
    let schema = scalar("integer", "int", false);
    let keys = match choices.of(&[0, 1, 2, 3]) {
        0 => return Value::Null,
        1 => json!({"x-code": true}),
        2 => json!({"x-code": true, "x-success": ["0", "1"]}),
        _ => json!({}),
    };
    returned(choices, schema, keys)
}
