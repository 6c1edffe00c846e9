//! Results laid out for people.

/// The same JSON text with line breaks. Numbers keep their spelling, which a `Value` would lose. `json` must be
/// valid JSON, as results are.
pub(super) fn pretty(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0;
    let mut characters = json.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                out.push('"');
                let mut escaped = false;
                for character in characters.by_ref() {
                    out.push(character);
                    if character == '"' && !escaped {
                        break;
                    }
                    escaped = character == '\\' && !escaped;
                }
            }
            '{' | '[' => {
                out.push(character);
                if let Some(end) = characters.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(end);
                    continue;
                }
                depth += 1;
                line(&mut out, depth);
            }
            '}' | ']' => {
                depth = usize::saturating_sub(depth, 1);
                line(&mut out, depth);
                out.push(character);
            }
            ',' => {
                out.push(',');
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            character if character.is_whitespace() => {}
            character => out.push(character),
        }
    }
    out
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_laid_out_as_serde_json_would() {
        for json in [
            r#"{"result":5}"#,
            r#"{"a":[1,-2.5,true,null],"b":{"c":"x, {y}: \"[z]\" \\","d":[]},"e":{}}"#,
            r#"{}"#,
            r#"{"s":"\\","t":"\\\""}"#,
        ] {
            let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
            assert_eq!(pretty(json), serde_json::to_string_pretty(&value).expect("JSON"));
        }
    }

    #[test]
    fn numbers_stay_as_they_are_written() {
        let json = "{\"x\":1e300,\"y\":0.1000000000000000055511151231257827}";
        let expected = "{\n  \"x\": 1e300,\n  \"y\": 0.1000000000000000055511151231257827\n}";
        assert_eq!(pretty(json), expected);
    }
}
