//! One key from a terminal, or one line from anything else.

use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal};

/// Where answers come from.
pub(super) struct Keys {
    is_terminal: bool,
    /// Keys that were pressed and are not yet used.
    pressed: VecDeque<String>,
}

impl Keys {
    /// Keys of the terminal if stdin is one and can give single keys; otherwise lines of stdin.
    pub(super) fn open() -> Self {
        Self { is_terminal: io::stdin().is_terminal() && cfg!(unix), pressed: VecDeque::new() }
    }

    /// The next key or line, without spaces around it; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<String>> {
        if let Some(key) = self.pressed.pop_front() {
            return Ok(Some(key));
        }
        #[cfg(unix)]
        if self.is_terminal {
            match single::Mode::enter() {
                Ok(mode) => {
                    let bytes = read_available()?;
                    drop(mode);
                    return Ok(self.press(&bytes));
                }
                // A terminal that cannot give single keys gives lines.
                Err(_) => self.is_terminal = false,
            }
        }
        line(&mut io::stdin().lock())
    }

    /// Takes what a terminal sent at once; returns the first key.
    fn press(&mut self, bytes: &[u8]) -> Option<String> {
        const INTERRUPT: u8 = 3;
        const END: u8 = 4;
        const ESCAPE: u8 = 27;
        match bytes {
            [] => return None,
            // The rest of it may look like an answer: F1, arrows, a paste.
            [ESCAPE, ..] => self.pressed.push_back("Esc".to_owned()),
            bytes => {
                for character in String::from_utf8_lossy(bytes).chars() {
                    if matches!(u8::try_from(character), Ok(INTERRUPT | END)) {
                        self.pressed.push_back("q".to_owned());
                        break;
                    }
                    self.pressed.push_back(character.to_string());
                }
            }
        }
        self.pressed.pop_front()
    }
}

/// Waits for what comes next, and takes all of it that is there.
#[cfg(unix)]
fn read_available() -> io::Result<Vec<u8>> {
    let mut stdin = io::stdin().lock();
    loop {
        match stdin.fill_buf() {
            Ok(bytes) => {
                let bytes = bytes.to_vec();
                stdin.consume(bytes.len());
                return Ok(bytes);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The next line. Bytes that are not UTF-8 are shown as such, and are no answer.
fn line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
}

/// A terminal that gives every key at once.
#[cfg(unix)]
mod single {
    use std::io;

    use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};

    /// Lasts until it is dropped.
    pub(super) struct Mode {
        before: Termios,
    }

    impl Mode {
        pub(super) fn enter() -> io::Result<Self> {
            let before = tcgetattr(io::stdin())?;
            let mut single = before.clone();
            // Ctrl-C is a key, so that the terminal is put back and the document written.
            single.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
            single.special_codes[SpecialCodeIndex::VMIN] = 1;
            single.special_codes[SpecialCodeIndex::VTIME] = 0;
            tcsetattr(io::stdin(), OptionalActions::Now, &single)?;
            Ok(Self { before })
        }
    }

    impl Drop for Mode {
        fn drop(&mut self) {
            // Nothing else can be done about a terminal that is gone.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Keys {
        Keys { is_terminal: false, pressed: VecDeque::new() }
    }

    #[test]
    fn keys_that_come_together_are_keys_one_by_one() {
        let mut keys = keys();
        assert_eq!(keys.press(b"1s\x03z").as_deref(), Some("1"));
        assert_eq!(keys.pressed, ["s", "q"]);
    }

    #[test]
    fn a_key_that_sends_several_bytes_is_no_answer() {
        assert_eq!(keys().press(b"\x1b[1;5C").as_deref(), Some("Esc"));
        assert_eq!(keys().press("é".as_bytes()).as_deref(), Some("é"));
        assert_eq!(keys().press(b""), None);
    }

    #[test]
    fn lines_end_and_need_not_be_utf8() {
        let mut input: &[u8] = b" 1 \r\n\xff\n\nq";
        let mut lines = Vec::new();
        while let Some(text) = line(&mut input).expect("bytes") {
            lines.push(text);
        }
        assert_eq!(lines, ["1", "\u{fffd}", "", "q"]);
    }
}
