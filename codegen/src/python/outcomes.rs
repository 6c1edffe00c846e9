//! What a caller gets of what C left.

use super::call::Call;
use super::literals::{encoding, text};
use super::parts::Part;
use super::refusal::{self, Refusal};
use opendyn_model::plan::{Back, Content, Got, Kind, Outcome, Place};

impl Call<'_, '_> {
    pub(super) fn outcome(&mut self, outcome: &Outcome) -> Result<String, Refusal> {
        let key = text(&outcome.key);
        // What a pointer led to is behind it, or in the memory that was made for the parameter.
        let (from, memory) = (self.left(outcome.from), self.memory_at(outcome.from));
        let nullable: &[&str] = if outcome.nullable { &["nullable=True"] } else { &[] };
        Ok(match &outcome.got {
            Got::Code(_) | Got::Scalar(_) | Got::Count(_) => {
                format!("{}.show({from}, {key})", self.kind_of(outcome)?)
            }
            Got::Record(_) => format!("{}.show({memory}, {key})", self.kind_of(outcome)?),
            Got::Buffer { content, written } => {
                let count = written.map(|place| self.left(place)).unwrap_or_default();
                let data = format!("{memory}.written({count})");
                self.content(*content, written.is_some(), &data, outcome)?
            }
            Got::Text(of) => {
                let arguments = [&[from.as_str(), encoding(of.encoding), &key], nullable].concat();
                self.script.call(Part::StringOf, &arguments)
            }
            Got::Pointed(_) | Got::PointedRecord(_) => {
                let kind = self.kind_of(outcome)?;
                let arguments = [&[kind.as_str(), &from, &key], nullable].concat();
                self.script.call(Part::ValueOf, &arguments)
            }
            Got::Elements { content, count } => {
                let count = self.counted(count, &key)?;
                match content {
                    Content::Text { encoding: of, .. } if content.ends_at_nul(true) => {
                        let arguments = [&[from.as_str(), &count, encoding(*of), &key], nullable].concat();
                        self.script.call(Part::CharactersOf, &arguments)
                    }
                    Content::Text { .. } | Content::Elements(_) | Content::Handles(_) => {
                        let of = self.script.content_type(*content);
                        let arguments = [&[of.as_str(), &from, &count, &key], nullable].concat();
                        let data = self.script.call(Part::DataOf, &arguments);
                        self.content(*content, true, &data, outcome)?
                    }
                }
            }
            Got::Strings { nullable: true, .. } => return Err(refusal::null_elements()),
            Got::Strings { count, nullable: false } => {
                let count = self.counted(count, &key)?;
                let arguments = [&[from.as_str(), &count, &key], nullable].concat();
                self.script.call(Part::ListOf, &arguments)
            }
            Got::Back(back) => self.back(back, outcome)?,
            Got::Events { .. } => return Err(refusal::calls(&outcome.key)),
            // Their kind is refused.
            Got::State { .. }
            | Got::Handle { .. }
            | Got::Handles { .. }
            | Got::Taken { .. }
            | Got::TakenAll { .. } => self.kind_of(outcome)?,
            Got::Raw => return Err(refusal::pointee(&outcome.key)),
        })
    }

    /// What C left in an argument; None if that was absent.
    fn back(&mut self, back: &Back, outcome: &Outcome) -> Result<String, Refusal> {
        let (key, memory) = (text(&outcome.key), self.memory_at(outcome.from));
        let given = self.given_at(outcome.from);
        Ok(match back {
            Back::Cell(_) => {
                let kind = self.kind_of(outcome)?;
                self.script.call(Part::Left, &[&kind, &memory, &key])
            }
            Back::List(_) => {
                let kind = self.kind_of(outcome)?;
                self.script.call(Part::Shown, &[&kind, &memory, &key])
            }
            Back::Record(_) => {
                let kind = self.kind_of(outcome)?;
                self.script.call(Part::Shown, &[&kind, &given, &key])
            }
            Back::Units(of) => self.script.call(Part::Back, &[&given, &memory, encoding(*of), &key]),
            Back::Room => return Err(refusal::room(&outcome.key)),
            Back::Calls { .. } => return Err(refusal::calls(&outcome.key)),
        })
    }

    /// What shows the value.
    fn kind_of(&mut self, outcome: &Outcome) -> Result<String, Refusal> {
        self.script.kind(&outcome.kind, &outcome.key)
    }

    /// What bytes of C are.
    fn content(
        &mut self,
        content: Content,
        counted: bool,
        data: &str,
        outcome: &Outcome,
    ) -> Result<String, Refusal> {
        let key = text(&outcome.key);
        Ok(match content {
            Content::Elements(element) => {
                let kind = self.script.kind(&Kind::element(element), &outcome.key)?;
                self.script.call(Part::Elements, &[&kind, data, &key])
            }
            Content::Handles(handle) => self.script.kind(&Kind::Handle(handle), &outcome.key)?,
            Content::Text { encoding: of, .. } => {
                let part = if content.ends_at_nul(counted) { Part::TextOf } else { Part::BytesOf };
                self.script.call(part, &[data, encoding(of), &key])
            }
        })
    }

    fn memory_at(&self, place: Place) -> String {
        match place {
            Place::Returned => self.names.returned.clone(),
            Place::Param(index) => self.names.memory(index),
        }
    }

    fn given_at(&self, place: Place) -> String {
        match place {
            Place::Returned => self.names.returned.clone(),
            Place::Param(index) => self.names.param(index).to_owned(),
        }
    }
}
