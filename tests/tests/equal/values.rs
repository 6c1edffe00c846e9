//! Values as JSON text, most of them valid, made from what the plan says about an argument.
//!
//! Text, because a tree of values has no exponents, no escapes and no numbers beyond 64 bits.

use opendyn_model::c_type::{CType, Class};
use opendyn_model::plan::{Bound, FieldType, Kind, Record, Scalar, Tagged, Types, Values, View};
use serde_json::Value;

use super::pool::Pool;
use super::random::Random;
use super::strings;

/// What values are made from.
#[derive(Debug)]
pub struct Maker<'m> {
    pub types: &'m Types,
    pub pool: &'m Pool,
}

/// Integers at which widths, signs and the exactness of JSON end.
const BOUNDARIES: [i128; 24] = [
    0,
    1,
    -1,
    2,
    127,
    128,
    -128,
    -129,
    255,
    256,
    32_767,
    32_768,
    -32_769,
    65_535,
    65_536,
    2_147_483_647,
    -2_147_483_648,
    4_294_967_295,
    1 << 32,
    1 << 53,
    (1 << 53) + 1,
    -(1 << 53) - 1,
    i64::MAX as i128,
    i64::MIN as i128,
];

const NUMBERS: [&str; 20] = [
    "0",
    "-0",
    "-0.0",
    "1",
    "0.1",
    "-2.5",
    "1e3",
    "1E+2",
    "25e-1",
    "3.4028235e38",
    "3.5e38",
    "1e-46",
    "1.7976931348623157e308",
    "-1.7976931348623157e308",
    "5e-324",
    "2.2250738585072011e-308",
    "1e-400",
    "123456789012345678901234567890",
    "0.30000000000000004",
    "9007199254740993",
];

impl Maker<'_> {
    /// A value for an argument or a member.
    pub fn value(&self, kind: &Kind, random: &mut Random) -> String {
        match kind {
            Kind::Scalar(scalar) => self.scalar(*scalar, random),
            Kind::TruthInMemory(_) => truth(random),
            Kind::Text(text) => match text.one_of {
                Some(index) => self.choice(index, random),
                None => strings::valid(*text, random),
            },
            Kind::List(of) => {
                let count = if random.chance(3) { random.below(300) } else { random.below(8) };
                self.list(of, count, random)
            }
            Kind::Fixed(of, count) => {
                let count = usize::try_from(*count).unwrap_or(usize::MAX).min(64);
                let count = if random.chance(90) { count } else { random.below(count + 3) };
                self.list(of, count, random)
            }
            Kind::Bits { truth: true, .. } => truth(random),
            Kind::Bits { width, .. } => {
                let value = (random.next() & ((1_u64 << width) - 1)) as i128;
                (if random.chance(50) { value } else { value - (1 << (width - 1)) }).to_string()
            }
            Kind::Union(tagged) => self.union(tagged, random),
            // Some within the limits, some not.
            Kind::Within(of, limits) => match (limits.least.or(limits.most), random.below(4)) {
                (Some(Bound::Integer(limit)), 0..=1) => (limit + random.below(5) as i128 - 1).to_string(),
                (Some(Bound::Number(limit)), 0..=1) => format!("{:?}", limit + random.below(5) as f64 - 1.0),
                _ => self.value(of, random),
            },
            Kind::Nullable(_) if random.chance(30) => "null".to_owned(),
            Kind::Nullable(of) => self.value(of, random),
            Kind::Record(record) => self.record(&self.types.records[*record], random),
            Kind::Handle(handle) => self.pool.token(&self.types.handles[*handle].name, random),
            Kind::State(record) => self.pool.token(&self.types.records[*record].name, random),
            Kind::Capacity { c_type, .. } => {
                if random.chance(90) {
                    random.below(40).to_string()
                } else {
                    capacity(*c_type, random)
                }
            }
            Kind::Count(c_type) => integer(*c_type, random),
            Kind::Collect { .. } => truth(random),
            Kind::Callback | Kind::Calls(_) | Kind::Events { .. } | Kind::Texts | Kind::Opaque => {
                "null".to_owned()
            }
        }
    }

    fn scalar(&self, scalar: Scalar, random: &mut Random) -> String {
        match scalar.view {
            View::Truth => truth(random),
            View::Character => strings::character(random),
            View::Enum(index) => self.choice(index, random),
            View::Plain if scalar.c_type.class() == Class::Boolean => truth(random),
            View::Plain if scalar.c_type.class() == Class::Floating => number(random),
            View::Plain => integer(scalar.c_type, random),
        }
    }

    /// One of the listed values.
    fn choice(&self, index: usize, random: &mut Random) -> String {
        match &self.types.enums[index].of {
            Values::Integers { variants, .. } => random.pick(variants).value.to_string(),
            Values::Strings(variants) => Value::from(random.pick(variants).value.as_str()).to_string(),
        }
    }

    fn list(&self, of: &Kind, count: usize, random: &mut Random) -> String {
        let elements: Vec<String> = (0..count).map(|_| self.value(of, random)).collect();
        format!("[{}]", elements.join(","))
    }

    /// Most often one member; sometimes another number of them.
    fn union(&self, tagged: &Tagged, random: &mut Random) -> String {
        let count = if random.chance(92) { 1 } else { random.below(3) };
        let members = (0..count).map(|_| {
            let (_, member) = random.pick(&tagged.members);
            let value = match &member.of {
                FieldType::Text { count, encoding, .. } => strings::at_most(*count, *encoding, random),
                of => self.value(&Kind::field(of), random),
            };
            format!("{}:{value}", Value::from(member.key.as_str()))
        });
        let members: Vec<String> = members.collect();
        format!("{{{}}}", members.join(","))
    }

    fn record(&self, record: &Record, random: &mut Random) -> String {
        let mut members = Vec::new();
        for field in record.fields() {
            if !field.required && random.chance(30) {
                continue;
            }
            // What follows from others, and what C fills, is not given.
            if (field.hidden || field.is_room()) && !random.chance(3) {
                continue;
            }
            let null = !field.required && random.chance(10);
            let value = match &field.of {
                _ if null => "null".to_owned(),
                // A struct may contain its own kind: there must be an end. A list has 8 elements on average, so that
                // at most one in eight may have a list of its own.
                FieldType::Many(many) if many.record().is_some() && random.chance(93) => "[]".to_owned(),
                // Shorter text fits as well.
                FieldType::Text { count, encoding, .. } => strings::at_most(*count, *encoding, random),
                _ => self.value(&field.kind(), random),
            };
            members.push(format!("{}:{value}", Value::from(field.key.as_str())));
        }
        if random.chance(20) {
            members.reverse();
        }
        format!("{{{}}}", members.join(","))
    }
}

fn truth(random: &mut Random) -> String {
    random.chance(50).to_string()
}

fn integer(c_type: CType, random: &mut Random) -> String {
    let (low, high) = c_type.widest();
    let value = match random.below(10) {
        0..2 => random.below(4) as i128,
        2..4 => (random.below(20) as i128) - if low < 0 { 10 } else { 0 },
        4..6 => *random.pick(&[low, low + 1, high - 1, high]),
        6..9 => *random.pick(&BOUNDARIES),
        _ => low + i128::from(random.next()) % (high - low + 1),
    };
    // Most of them fit. In small ranges every value has the same chance.
    let value = if (low..=high).contains(&value) || random.chance(10) {
        value
    } else {
        low + value.rem_euclid(high - low + 1)
    };
    match random.below(20) {
        0 => format!("\"{value}\""),
        1 => format!("{value}.0"),
        2 => format!("{value}e0"),
        3 if value == 0 => "-0".to_owned(),
        _ => value.to_string(),
    }
}

/// Too large for most buffers, or below 0: larger ones that are allowed would only take time.
fn capacity(c_type: CType, random: &mut Random) -> String {
    let (low, high) = c_type.widest();
    random.pick(&[low, high, -1, 1 << 40, 100, 1000]).to_string()
}

fn number(random: &mut Random) -> String {
    match random.below(4) {
        0 => random.below(1000).to_string(),
        1 => f64::from_bits(random.next()).to_string().replace("NaN", "1.5").replace("inf", "1e308"),
        _ => (*random.pick(&NUMBERS)).to_owned(),
    }
}
