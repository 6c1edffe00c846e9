//! A program, its arguments and its environment, as the system takes them.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::windows::ffi::OsStrExt;

use crate::system::Launch;

/// A text with a zero at its end, which it must not contain.
pub(super) fn text(text: &OsStr) -> io::Result<Vec<u16>> {
    let mut units: Vec<u16> = text.encode_wide().collect();
    if units.contains(&0) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a text with a zero in it"));
    }
    units.push(0);
    Ok(units)
}

/// The program and its arguments as one text, from which the C runtime of the program reads them again.
pub(super) fn command_line(launch: &Launch<'_>) -> io::Result<Vec<u16>> {
    let mut line = OsString::from("\"");
    line.push(launch.executable);
    line.push("\"");
    let mut line = text(&line)?;
    line.pop();
    for argument in launch.arguments {
        let argument = text(argument)?;
        line.push(u16::from(b' '));
        quote(&argument[..argument.len() - 1], &mut line);
    }
    line.push(0);
    Ok(line)
}

/// Backslashes count twice before a quotation mark, and only there.
fn quote(argument: &[u16], line: &mut Vec<u16>) {
    const MARK: u16 = b'"' as u16;
    const BACKSLASH: u16 = b'\\' as u16;
    line.push(MARK);
    let mut backslashes = 0;
    for &unit in argument {
        match unit {
            BACKSLASH => backslashes += 1,
            MARK => {
                line.extend(std::iter::repeat_n(BACKSLASH, backslashes + 1));
                backslashes = 0;
            }
            _ => backslashes = 0,
        }
        line.push(unit);
    }
    line.extend(std::iter::repeat_n(BACKSLASH, backslashes));
    line.push(MARK);
}

/// The variables of a process, without those that are hidden and with those that are given. Case does not matter.
pub(super) fn environment(
    all: impl Iterator<Item = (OsString, OsString)>,
    hidden: &[OsString],
    given: &[(&str, &OsStr)],
) -> io::Result<Vec<u16>> {
    let is = |name: &OsStr, other: &OsStr| name.eq_ignore_ascii_case(other);
    let all = all.filter(|(name, _)| {
        hidden.iter().all(|hidden| !is(name, hidden))
            && given.iter().all(|(given, _)| !is(name, OsStr::new(given)))
    });
    let mut variables: Vec<(OsString, OsString)> = all.collect();
    variables.extend(given.iter().map(|(name, value)| (OsString::from(name), (*value).to_owned())));
    // The system expects them in this order.
    variables.sort_by_cached_key(|(name, _)| name.to_ascii_uppercase());
    let mut block = Vec::new();
    for (mut variable, value) in variables {
        variable.push("=");
        variable.push(value);
        block.extend(text(&variable)?);
    }
    block.push(0);
    Ok(block)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn line(arguments: &[&str]) -> String {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let launch = Launch {
            executable: Path::new(r"C:\a b\c.exe"),
            arguments: &arguments,
            variable: ("", ""),
            hidden: &[],
            memory: None,
        };
        String::from_utf16(&command_line(&launch).expect("no zero")).expect("it is Unicode")
    }

    #[test]
    fn arguments_are_quoted_as_the_c_runtime_reads_them() {
        assert_eq!(line(&[]), "\"C:\\a b\\c.exe\"\0");
        let expected = r#""C:\a b\c.exe" "" "a b" "x\y" "end\\" "say \"hi\"" "\\\"""#;
        assert_eq!(line(&["", "a b", r"x\y", r"end\", r#"say "hi""#, r#"\""#]), format!("{expected}\0"));
    }

    #[test]
    fn hidden_variables_are_left_out_whatever_their_case() {
        let all = [("=C:", "C:\\"), ("Path", "p"), ("Secret", "s"), ("Z", "z"), ("worker", "old")]
            .map(|(a, b)| (a.into(), b.into()));
        let block = environment(all.into_iter(), &["SECRET".into()], &[("WORKER", OsStr::new("new"))]);
        let block = String::from_utf16(&block.expect("no zero")).expect("it is Unicode");
        assert_eq!(block, "=C:=C:\\\0Path=p\0WORKER=new\0Z=z\0\0");
        assert!(environment(std::iter::empty(), &[], &[("A", OsStr::new("\0"))]).is_err());
    }
}
