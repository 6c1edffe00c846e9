//! Where the Linux loader finds libraries: its cache, and the directories that the cache is built from.

use std::fs;
use std::path::{Path, PathBuf};

use super::path_of;

const MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
const OLD_MAGIC: &[u8] = b"ld.so-1.7.0\0";
const HEADER: usize = 48;
const ENTRY: usize = 24;

/// The files that the cache lists for a name, in its order.
pub(super) fn entries(cache: &[u8], name: &[u8]) -> Vec<PathBuf> {
    let Some(table) = current_table(cache) else { return Vec::new() };
    let count = number(table, MAGIC.len()).unwrap_or(0);
    let mut found = Vec::new();
    for index in 0..count {
        let Some(at) = index.checked_mul(ENTRY).and_then(|offset| offset.checked_add(HEADER)) else { break };
        let (Some(key), Some(value)) = (number(table, at + 4), number(table, at + 8)) else { break };
        if text(table, key) == Some(name) {
            found.extend(text(table, value).and_then(path_of));
        }
    }
    found
}

/// The table in the format since glibc 2.2; older files have it after the previous format.
fn current_table(cache: &[u8]) -> Option<&[u8]> {
    if cache.starts_with(MAGIC) {
        return Some(cache);
    }
    if !cache.starts_with(OLD_MAGIC) {
        return None;
    }
    let end = number(cache, 12)?.checked_mul(12)?.checked_add(16)?;
    cache.get(end.next_multiple_of(8)..).filter(|table| table.starts_with(MAGIC))
}

fn number(table: &[u8], at: usize) -> Option<usize> {
    let bytes = table.get(at..at.checked_add(4)?)?;
    // The cache is in the byte order of the machine.
    Some(u32::from_ne_bytes(bytes.try_into().ok()?) as usize)
}

fn text(table: &[u8], at: usize) -> Option<&[u8]> {
    let rest = table.get(at..)?;
    rest.get(..rest.iter().position(|byte| *byte == 0)?)
}

/// The directories that a file such as `/etc/ld.so.conf` lists, including those of the files that it
/// includes.
pub(super) fn configured_directories(file: &Path) -> Vec<PathBuf> {
    let mut directories = Vec::new();
    collect(file, &mut directories, 4);
    directories
}

fn collect(file: &Path, directories: &mut Vec<PathBuf>, depth: u32) {
    let Ok(text) = fs::read_to_string(file) else { return };
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        match line.strip_prefix("include").filter(|rest| rest.starts_with(char::is_whitespace)) {
            Some(pattern) if depth > 0 => {
                for included in matching(file, pattern.trim()) {
                    collect(&included, directories, depth - 1);
                }
            }
            Some(_) => {}
            None if line.starts_with('/') => directories.push(PathBuf::from(line)),
            None => {}
        }
    }
}

/// The files that match a pattern such as `/etc/ld.so.conf.d/*.conf`, sorted. Only the last component may
/// have a star, as is usual.
fn matching(file: &Path, pattern: &str) -> Vec<PathBuf> {
    let base = file.parent().unwrap_or(Path::new("/"));
    let pattern = base.join(pattern);
    let (Some(folder), Some(last)) = (pattern.parent(), pattern.file_name().and_then(|name| name.to_str()))
    else {
        return Vec::new();
    };
    let Some((start, end)) = last.split_once('*') else { return vec![pattern] };
    let Ok(names) = fs::read_dir(folder) else { return Vec::new() };
    let fits = |name: &str| name.len() >= last.len() - 1 && name.starts_with(start) && name.ends_with(end);
    let mut files: Vec<PathBuf> = names
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| fits(name))
        .map(|name| folder.join(name))
        .collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(names: &[(&str, &str)]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(u32::try_from(names.len()).expect("few").to_ne_bytes());
        bytes.resize(HEADER, 0);
        let mut strings = Vec::new();
        let start = HEADER + names.len() * ENTRY;
        for (name, path) in names {
            let mut put = |text: &str| {
                let at = u32::try_from(start + strings.len()).expect("short").to_ne_bytes();
                strings.extend(text.bytes().chain([0]));
                at
            };
            let (name, path) = (put(name), put(path));
            bytes.extend([0; 4]);
            bytes.extend(name);
            bytes.extend(path);
            bytes.extend([0; 12]);
        }
        bytes.extend(strings);
        bytes
    }

    #[test]
    fn the_cache_gives_every_file_of_a_name() {
        let bytes = cache(&[("liba.so", "/x/liba.so"), ("libb.so", "/x/libb.so"), ("liba.so", "/y/liba.so")]);
        assert_eq!(entries(&bytes, b"liba.so"), [PathBuf::from("/x/liba.so"), PathBuf::from("/y/liba.so")]);
        assert!(entries(&bytes, b"libc.so").is_empty());
    }

    #[test]
    fn the_cache_is_found_behind_the_older_format() {
        let mut bytes = OLD_MAGIC.to_vec();
        bytes.extend(1u32.to_ne_bytes());
        bytes.extend([0; 12]);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes.extend(cache(&[("liba.so", "/x/liba.so")]));
        assert_eq!(entries(&bytes, b"liba.so"), [PathBuf::from("/x/liba.so")]);
    }

    #[test]
    fn a_damaged_cache_gives_what_it_can() {
        let bytes = cache(&[("liba.so", "/x/liba.so"), ("libb.so", "/x/libb.so")]);
        for length in 0..bytes.len() {
            entries(&bytes[..length], b"libb.so");
        }
        let mut many = bytes;
        many[MAGIC.len()..MAGIC.len() + 4].fill(0xff);
        assert_eq!(entries(&many, b"liba.so"), [PathBuf::from("/x/liba.so")]);
    }
}
