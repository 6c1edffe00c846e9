//! The bytes between the two processes. Every frame has a header: the nonce of its call, what it is, its length, and how
//! many handles the worker has.
//!
//! The nonce is random. A library that writes to the descriptor does not know it, so that its bytes are not taken for a
//! reply.

use std::hash::{BuildHasher, RandomState};

/// The length of a header.
pub(crate) const HEADER: usize = 8 + 1 + 4 + 4;

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// To the worker: what to open, as JSON.
    Open = 1,
    /// To the worker: the length of a name, the name, the arguments.
    Call = 2,
    /// From the worker: the result.
    Done = 3,
    /// From the worker: an error, as JSON.
    Failed = 4,
    /// From the handler of a signal in the worker: the signal, and the address.
    Fault = 5,
    /// To the worker, on the pipe: the call is not wanted any more. There is no body.
    Cancel = 6,
    /// To the worker: a call, as [`Kind::Call`]; how far it is is wanted.
    Watched = 7,
    /// From the worker, before the reply to a call: how far it is, as JSON.
    Progress = 8,
}

impl Kind {
    fn of(byte: u8) -> Option<Self> {
        let all = [
            Self::Open,
            Self::Call,
            Self::Done,
            Self::Failed,
            Self::Fault,
            Self::Cancel,
            Self::Watched,
            Self::Progress,
        ];
        all.into_iter().find(|kind| *kind as u8 == byte)
    }
}

/// The beginning of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub nonce: u64,
    pub kind: Kind,
    pub length: u32,
    /// From the worker, in a reply. Only counted: the library could write something else.
    pub handles: u32,
}

impl Header {
    pub(crate) fn bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&self.nonce.to_le_bytes());
        bytes[8] = self.kind as u8;
        bytes[9..13].copy_from_slice(&self.length.to_le_bytes());
        bytes[13..].copy_from_slice(&self.handles.to_le_bytes());
        bytes
    }

    /// `None` if there is no such kind of frame.
    pub(crate) fn read(bytes: [u8; HEADER]) -> Option<Self> {
        let [a, b, c, d, e, f, g, h, kind, i, j, k, l, m, n, o, p] = bytes;
        Some(Self {
            nonce: u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            kind: Kind::of(kind)?,
            length: u32::from_le_bytes([i, j, k, l]),
            handles: u32::from_le_bytes([m, n, o, p]),
        })
    }
}

/// A whole frame. `None` if it is longer than a frame can be.
pub(crate) fn frame(nonce: u64, kind: Kind, handles: u32, parts: &[&[u8]]) -> Option<Vec<u8>> {
    let length = u32::try_from(parts.iter().map(|part| part.len()).sum::<usize>()).ok()?;
    let mut bytes = Vec::with_capacity(HEADER + length as usize);
    bytes.extend_from_slice(&Header { nonce, kind, length, handles }.bytes());
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
    Some(bytes)
}

/// The body of a call, as its name and its arguments.
pub(crate) fn split_call(body: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = body.split_first_chunk()?;
    let (name, arguments) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((str::from_utf8(name).ok()?, arguments))
}

/// Random numbers that another process cannot guess: those of the hash tables of the standard library, whose keys
/// come from the system.
#[derive(Debug)]
pub(crate) struct Nonces {
    keys: RandomState,
    count: u64,
}

impl Nonces {
    pub(crate) fn new() -> Self {
        Self { keys: RandomState::new(), count: 0 }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.count += 1;
        self.keys.hash_one(self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let header = Header { nonce: 0x0102_0304_0506_0708, kind: Kind::Done, length: 77, handles: 3 };
        assert_eq!(Header::read(header.bytes()), Some(header));
        let mut wrong = header.bytes();
        wrong[8] = 99;
        assert_eq!(Header::read(wrong), None);
    }

    #[test]
    fn a_call_is_split_only_where_its_length_says() {
        assert_eq!(split_call(b"\x03\0\0\0add{}"), Some(("add", &b"{}"[..])));
        for broken in [&b""[..], b"\x03\0\0", b"\x09\0\0\0add{}", b"\xff\xff\xff\xffadd", b"\x01\0\0\0\xff{}"]
        {
            assert_eq!(split_call(broken), None, "{broken:?}");
        }
    }

    #[test]
    fn nonces_differ() {
        let (mut one, mut other) = (Nonces::new(), Nonces::new());
        let all: std::collections::HashSet<u64> =
            (0..1000).flat_map(|_| [one.next(), other.next()]).collect();
        assert_eq!(all.len(), 2000);
    }
}
