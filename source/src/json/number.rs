//! Numbers as they are written: what a number means is decided by who reads the document.

use super::Failure;
use super::read::Reader;

impl<'s> Reader<'s> {
    /// Reads a number, which begins here.
    pub(super) fn number(&mut self) -> Result<&'s str, Failure> {
        let start = self.at;
        self.take(b'-');
        let zero = self.at;
        self.digits()?;
        if self.source.as_bytes()[zero] == b'0' && self.at > zero + 1 {
            return Err(Failure::Syntax { at: zero, message: "a number has no leading zeros".to_owned() });
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(&self.source[start..self.at])
    }

    /// Reads one digit or more.
    fn digits(&mut self) -> Result<(), Failure> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        match self.peek() {
            _ if self.at > start => Ok(()),
            None => Err(self.ends_inside("a number")),
            Some(_) => Err(Failure::Syntax { at: start, message: "expected a digit".to_owned() }),
        }
    }
}
