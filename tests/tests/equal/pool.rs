//! The tokens that were seen: of handles that live, that were freed, and that are foreign.

use serde_json::Value;

use super::random::Random;

/// The tokens of one library.
#[derive(Debug, Default)]
pub struct Pool {
    living: Vec<String>,
    freed: Vec<String>,
    /// Those of libraries that were closed.
    foreign: Vec<String>,
}

/// Strings that are no tokens.
const INVENTED: [&str; 5] = [
    "",
    "ours",
    "0x7fff0000",
    "bank:1.0.1.0123456789abcdef",
    "bank:18446744073709551616.0.0.0000000000000000",
];

impl Pool {
    /// Notes the tokens in a reply.
    pub fn learn(&mut self, reply: &[u8]) {
        let Ok(Value::Object(reply)) = serde_json::from_slice(reply) else { return };
        let texts = reply.values().flat_map(|value| match value {
            Value::Array(elements) => elements.iter().filter_map(Value::as_str).collect(),
            value => value.as_str().into_iter().collect::<Vec<_>>(),
        });
        for token in texts.filter(|text| is_token(text)) {
            if !self.living.iter().any(|known| known == token) {
                self.living.push(token.to_owned());
            }
        }
        // Old ones stay, and are freed by chance.
        if self.freed.len() > 100 {
            self.freed.drain(..50);
        }
    }

    /// Notes that handles were freed: `error` says so.
    pub fn unlearn(&mut self, error: &str) {
        if error.ends_with("was freed") {
            let (gone, living) = std::mem::take(&mut self.living)
                .into_iter()
                .partition(|token| error.contains(token.as_str()));
            self.living = living;
            self.freed.extend::<Vec<String>>(gone);
        }
    }

    /// A pool for the next library.
    pub fn closed(mut self) -> Self {
        self.living.truncate(20);
        Self { foreign: self.living, ..Self::default() }
    }

    /// A token as JSON text: in most cases of a living handle of the type `name`.
    pub fn token(&self, name: &str, random: &mut Random) -> String {
        let prefix = format!("{name}:");
        let fitting: Vec<&String> = self.living.iter().filter(|token| token.starts_with(&prefix)).collect();
        let of = |all: &[String], random: &mut Random| {
            if all.is_empty() { String::new() } else { random.pick(all).clone() }
        };
        let token = match random.below(20) {
            0 => of(&self.freed, random),
            1 => of(&self.foreign, random),
            2 => of(&self.living, random),
            3 if random.chance(50) => (*random.pick(&INVENTED)).to_owned(),
            3 => forged(of(&self.living, random), random),
            // The latest are the likeliest to live.
            _ if fitting.is_empty() => String::new(),
            4..12 => fitting[fitting.len() - 1 - random.below(fitting.len().min(4))].clone(),
            _ => (*random.pick(&fitting)).clone(),
        };
        Value::from(token).to_string()
    }
}

fn is_token(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(_, rest)| rest.split('.').count() == 4)
}

/// A token with another digit in its tag.
fn forged(mut token: String, random: &mut Random) -> String {
    let other = *random.pick(&['1', 'f']);
    if let Some(last) = token.pop() {
        token.push(if last == other { '0' } else { other });
    }
    token
}
