//! The design of opendyn's adapter (a table of fields, plain slots and a typed thunk) with jiter as
//! the reader. It knows integers and one function: enough to measure the benefit of our own reader
//! against the minimum cost of jiter.

use std::ffi::c_int;

use jiter::{Jiter, NumberInt};

use crate::Error;
use crate::calc::Calc;

/// `add`, read by jiter.
pub struct OnJiter<'c> {
    calc: &'c Calc,
    fields: &'static [Field],
    thunk: fn(&Calc, &[i64]) -> i64,
}

struct Field {
    name: &'static str,
    least: i64,
    most: i64,
}

impl Field {
    const fn int(name: &'static str) -> Self {
        Self { name, least: c_int::MIN as i64, most: c_int::MAX as i64 }
    }
}

static ADD: [Field; 2] = [Field::int("a"), Field::int("b")];

impl<'c> OnJiter<'c> {
    /// `add` of `calc`.
    #[must_use]
    pub fn new(calc: &'c Calc) -> Self {
        let thunk = |calc: &Calc, slots: &[i64]| calc.add(slots[0] as c_int, slots[1] as c_int).into();
        Self { calc, fields: &ADD, thunk }
    }

    /// Calls `name`.
    ///
    /// # Errors
    ///
    /// The name is not `add`, or the arguments are invalid.
    pub fn call(&self, name: &str, arguments: &str) -> Result<String, Error> {
        if name != "add" {
            return Err(format!("unknown function `{name}`").into());
        }
        let mut slots = [0; 8];
        read(self.fields, arguments.as_bytes(), &mut slots)?;
        let result = (self.thunk)(self.calc, &slots[..self.fields.len()]);
        let mut out = String::with_capacity(64);
        out.push_str("{\"result\":");
        out.push_str(itoa::Buffer::new().format(result));
        out.push('}');
        Ok(out)
    }
}

fn read(fields: &[Field], text: &[u8], slots: &mut [i64]) -> Result<(), Error> {
    let mut jiter = Jiter::new(text);
    let mut seen = 0_u32;
    let mut expected = 0;
    let mut key = jiter.next_object()?;
    while let Some(name) = key {
        let index = match fields.get(expected) {
            Some(field) if field.name == name => expected,
            _ => fields.iter().position(|field| field.name == name).ok_or("unknown argument")?,
        };
        if seen & 1 << index != 0 {
            return Err("given twice".into());
        }
        seen |= 1 << index;
        let field = &fields[index];
        slots[index] = match jiter.next_int()? {
            NumberInt::Int(value) if (field.least..=field.most).contains(&value) => value,
            _ => return Err(format!("/{}: out of range", field.name).into()),
        };
        expected = index + 1;
        key = jiter.next_key()?;
    }
    jiter.finish()?;
    if seen.count_ones() as usize == fields.len() { Ok(()) } else { Err("missing argument".into()) }
}
