//! The bytes of an input as a row of choices. When they are used up, every choice is the first one.

/// The rest of an input.
pub struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub fn are_used_up(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *first
    }

    /// Less than `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        let byte = usize::from(self.byte());
        if count <= 256 { byte % count } else { (byte << 8 | usize::from(self.byte())) % count }
    }

    /// True once in `count` times.
    pub fn rarely(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    pub fn one_of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }

    /// Up to `most` of the next bytes.
    pub fn bytes(&mut self, most: usize) -> &'a [u8] {
        let count = self.below(most + 1).min(self.bytes.len());
        let (taken, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        taken
    }
}
