//! Structs as JSON objects: [`record!`] writes `Serialize` and `Deserialize` from a table of fields.
//!
//! serde's derive macro would do the same, but it brings syn into the build of every binding, and costs more time
//! than all of this crate.

use serde_core::de::{Deserialize, Error, MapAccess};

/// Implements `Serialize` and `Deserialize` for a struct. A line of the table is a field, its key, and how it may be
/// missing:
///
/// | line | when it is read | when it is written |
/// |---|---|---|
/// | `name "name"` | required | always |
/// | `name "name" = default` | absent or null is the default | always |
/// | `name "name" = default, if test` | absent or null is the default | if the test holds |
///
/// Unknown keys are ignored; a duplicate key is an error.
macro_rules! record {
    ($name:ident { $($field:ident $key:literal $(= $default:expr $(, if $test:expr)?)?;)* }) => {
        crate::record::readable!($name { $($field $key $(= $default)?;)* });
        crate::record::writable!($name { $($field $key $($(, if $test)?)?;)* });
    };
}

/// The half of [`record!`] that reads.
macro_rules! readable {
    ($name:ident { $($field:ident $key:literal $(= $default:expr)?;)* }) => {
        impl<'de> serde_core::Deserialize<'de> for $name {
            fn deserialize<D: serde_core::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct RecordVisitor;
                impl<'de> serde_core::de::Visitor<'de> for RecordVisitor {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("struct ", stringify!($name)))
                    }

                    fn visit_map<A: serde_core::de::MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
                        $(let mut $field = None;)*
                        while let Some(key) = map.next_key::<String>()? {
                            match key.as_str() {
                                $($key => crate::record::read(&mut $field, $key, &mut map)?,)*
                                _ => _ = map.next_value::<serde_core::de::IgnoredAny>()?,
                            }
                        }
                        Ok($name { $($field: crate::record::taken!($field $key $(= $default)?)),* })
                    }
                }
                deserializer.deserialize_map(RecordVisitor)
            }
        }
    };
}

/// The half of [`record!`] that writes.
macro_rules! writable {
    ($name:ident { $($field:ident $key:literal $(, if $test:expr)?;)* }) => {
        impl serde_core::Serialize for $name {
            fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde_core::ser::SerializeMap;
                let mut map = serializer.serialize_map(None)?;
                $(if true $(&& $test(&self.$field))? {
                    map.serialize_entry($key, &self.$field)?;
                })*
                map.end()
            }
        }
    };
}

/// The value of a field after all keys are read.
macro_rules! taken {
    ($field:ident $key:literal) => {
        $field.ok_or_else(|| serde_core::de::Error::missing_field($key))?
    };
    ($field:ident $key:literal = $default:expr) => {
        $field.flatten().unwrap_or_else(|| $default)
    };
}

pub(crate) use {readable, record, taken, writable};

/// Reads the value of a key that must not occur twice.
pub(crate) fn read<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    field: &mut Option<T>,
    key: &'static str,
    map: &mut A,
) -> Result<(), A::Error> {
    if field.is_some() {
        return Err(A::Error::duplicate_field(key));
    }
    *field = Some(map.next_value()?);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[derive(Debug, PartialEq)]
    struct Dish {
        name: String,
        hot: bool,
        price: Option<u32>,
    }

    record!(Dish {
        name "name";
        hot "x-hot" = true;
        price "price" = None, if Option::is_some;
    });

    #[test]
    fn a_record_is_written_as_it_was_read() {
        for text in [r#"{"name":"soup","x-hot":false,"price":3}"#, r#"{"name":"soup","x-hot":true}"#] {
            let dish: Dish = serde_json::from_str(text).expect("a dish");
            assert_eq!(serde_json::to_string(&dish).expect("JSON"), text);
        }
    }

    #[test]
    fn null_and_absent_are_the_default_and_unknown_keys_are_ignored() {
        let soup = Dish { name: "soup".to_owned(), hot: true, price: None };
        for text in [r#"{"name":"soup"}"#, r#"{"x":[1],"price":null,"x-hot":null,"name":"soup"}"#] {
            assert_eq!(serde_json::from_str::<Dish>(text).expect("a dish"), soup, "{text}");
        }
    }

    #[test]
    fn errors_say_what_is_wrong_in_the_words_of_serde() {
        for (text, expected) in [
            ("{}", "missing field `name`"),
            (r#"{"name":"a","name":"b"}"#, "duplicate field `name`"),
            (r#"{"name":null}"#, "invalid type: null, expected a string"),
            (r#"["a"]"#, "invalid type: sequence, expected struct Dish"),
        ] {
            let error = serde_json::from_str::<Dish>(text).expect_err("no dish");
            assert!(error.to_string().starts_with(expected), "{error}");
        }
    }
}
