//! Arguments from the schemas of a function: mostly right, some wrong in one place, the same in every run.

use opendyn_codegen::description::{Exchanged, Function};
use serde_json::{Map, Value, json};

/// Pseudo-random numbers, the same in every run.
pub struct Dice {
    state: u64,
    /// The limit for integers: some libraries allocate as much memory as requested.
    pub most: u64,
}

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, most: u64::MAX }
    }

    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as usize % sides.max(1)
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.roll(of.len())].clone()
    }
}

/// The arguments of one call.
pub fn arguments(function: &Function, dice: &mut Dice) -> Value {
    // Otherwise arrays that share a length would rarely have it.
    let length = if dice.roll(20) == 0 { 300 } else { dice.roll(5) };
    let is_given = |argument: &Exchanged, dice: &mut Dice| argument.required || dice.roll(3) > 0;
    let mut arguments = Map::new();
    for argument in &function.arguments {
        if is_given(argument, dice) {
            arguments.insert(argument.name.clone(), right(&argument.schema, length, dice));
        }
    }
    if dice.roll(3) == 0 {
        spoil(function, &mut arguments, dice);
    }
    Value::Object(arguments)
}

/// Makes one argument wrong.
fn spoil(function: &Function, arguments: &mut Map<String, Value>, dice: &mut Dice) {
    if dice.roll(8) == 0 || function.arguments.is_empty() {
        arguments.insert("unknown".to_owned(), json!(1));
        return;
    }
    let argument = &function.arguments[dice.roll(function.arguments.len())];
    if dice.roll(6) == 0 {
        arguments.remove(&argument.name);
        return;
    }
    arguments.insert(argument.name.clone(), wrong(&argument.schema, dice));
}

fn right(schema: &Value, length: usize, dice: &mut Dice) -> Value {
    if let Some(values) = schema["enum"].as_array() {
        return dice.pick(values);
    }
    match schema["type"].as_str().unwrap_or_default() {
        "boolean" => json!(dice.roll(2) == 0),
        "integer" => integer(schema, dice),
        "number" => dice.pick(&[
            json!(0),
            json!(1.5),
            json!(-2),
            json!(0.1),
            json!(1e30),
            json!(-0.0),
            json!(16_777_217),
        ]),
        "array" => {
            let count = schema["minItems"].as_u64().map_or(length, |count| count as usize);
            // In a long array, a single wrong element is enough.
            let same = (count > 5).then(|| right(&schema["items"], 2, dice));
            (0..count).map(|_| same.clone().unwrap_or_else(|| right(&schema["items"], 2, dice))).collect()
        }
        "object" => {
            let required: Vec<&str> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let properties = schema["properties"].as_object().into_iter().flatten();
            let members = properties.filter_map(|(key, property)| {
                let given = required.contains(&key.as_str()) || dice.roll(2) == 0;
                given.then(|| (key.clone(), right(property, length, dice)))
            });
            Value::Object(members.collect())
        }
        "string" => string(schema, length, dice),
        _ => Value::Null,
    }
}

fn integer(schema: &Value, dice: &mut Dice) -> Value {
    let ends = ["minimum", "maximum"].map(|end| match &schema[end] {
        Value::Number(number) if schema["format"].is_string() => json!(number.to_string()),
        other => other.clone(),
    });
    match dice.roll(8) {
        0 if schema["maximum"].as_u64().is_some_and(|most| most <= dice.most) => dice.pick(&ends),
        1 => json!(3.0),
        2 => schema["minimum"].as_i64().filter(|low| *low < 0).map_or(json!(0), |_| json!(-1)),
        _ => json!(dice.roll(5)),
    }
}

fn string(schema: &Value, length: usize, dice: &mut Dice) -> Value {
    if schema["maxLength"] == 1 {
        return dice.pick(&[json!("a"), json!("Z"), json!("~")]);
    }
    let count = schema["x-length"].as_u64().map_or(length, |count| count as usize);
    let bytes: Vec<u8> = (0..count).map(|_| dice.roll(256) as u8).collect();
    match schema["contentEncoding"].as_str() {
        Some("base64") => json!(data_encoding::BASE64.encode(&bytes)),
        Some("base16") => json!(data_encoding::HEXLOWER.encode(&bytes)),
        _ => {
            let texts = ["", "abc", "hello, world", "42", "\u{e9}", "a\"b\\c\n", "Ω🦀"];
            match schema["x-length"].as_u64() {
                Some(count) => json!("abcdefgh".chars().cycle().take(count as usize).collect::<String>()),
                None => json!(dice.pick(&texts)),
            }
        }
    }
}

fn wrong(schema: &Value, dice: &mut Dice) -> Value {
    let anything = [
        json!(null),
        json!(true),
        json!("x"),
        json!(""),
        json!("a\u{0}b"),
        json!(1.5),
        json!(-1),
        json!(256),
        json!([]),
        json!({}),
        json!("9007199254740993"),
        json!("007"),
        json!(9_007_199_254_740_993_u64),
        json!(1e20),
        json!("aGVsbG9="),
        json!("0g"),
        json!("ab"),
        json!(i64::MIN),
        json!(u64::MAX),
        json!("18446744073709551616"),
        json!(3e38),
        json!(1e39),
        json!("\u{e9}"),
    ];
    match schema["type"].as_str() {
        Some("number") if dice.roll(2) == 0 => {
            dice.pick(&[json!(1e39), json!(-1e39), json!("1"), json!(true)])
        }
        Some("array") if dice.roll(2) == 0 => json!([wrong(&schema["items"], dice)]),
        Some("object") if dice.roll(2) == 0 => {
            let mut object = right(schema, 2, dice);
            let keys: Vec<String> =
                schema["properties"].as_object().into_iter().flat_map(Map::keys).cloned().collect();
            if let (Some(members), false) = (object.as_object_mut(), keys.is_empty()) {
                let key = dice.pick(&keys);
                match dice.roll(3) {
                    0 => drop(members.remove(&key)),
                    1 => drop(members.insert(format!("{key}x"), json!(1))),
                    _ => drop(members.insert(key.clone(), wrong(&schema["properties"][&key], dice))),
                }
            }
            object
        }
        _ => {
            let number =
                |value: &Value| value.as_str().map_or_else(|| value.as_f64(), |text| text.parse().ok());
            let most = dice.most as f64;
            let bearable: Vec<Value> = anything
                .into_iter()
                .filter(|value| number(value).is_none_or(|number| number <= most))
                .collect();
            dice.pick(&bearable)
        }
    }
}
