//! The English and the Chinese README agree as far as a program can tell: the same commands and code, the
//! same figures, and the same structure in the same order.

#![expect(clippy::expect_used, reason = "test code may panic")]

use opendyn_tests::root;

/// The parts that both must have, in order.
#[derive(Debug, PartialEq)]
enum Part {
    /// A heading of that level.
    Heading(usize),
    /// A block of code, with its language.
    Code(String),
    /// A row of a table: its number of cells, and the text in backticks, in any order.
    Row(usize, Vec<String>),
    /// The files that a paragraph or a table links to, in any order.
    Links(Vec<String>),
}

fn parts(file: &str) -> Vec<Part> {
    let text = std::fs::read_to_string(root().join(file)).expect(file);
    let mut parts = Vec::new();
    let mut links = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let body = lines.by_ref().take_while(|line| *line != "```");
            parts.push(Part::Code([line].into_iter().chain(body).collect::<Vec<_>>().join("\n")));
        } else if line.starts_with('#') {
            parts.push(Part::Heading(line.chars().take_while(|sign| *sign == '#').count()));
        } else if line.starts_with('|') {
            let mut code: Vec<String> = line.split('`').skip(1).step_by(2).map(str::to_owned).collect();
            code.sort();
            parts.push(Part::Row(line.matches('|').count(), code));
            links.extend(linked_files(line));
        } else if line.is_empty() {
            flush(&mut links, &mut parts);
        } else {
            links.extend(linked_files(line));
        }
    }
    flush(&mut links, &mut parts);
    parts
}

fn flush(links: &mut Vec<String>, parts: &mut Vec<Part>) {
    if !links.is_empty() {
        links.sort();
        parts.push(Part::Links(std::mem::take(links)));
    }
}

/// The targets of links, except those within the page and to the page in the other language.
fn linked_files(line: &str) -> impl Iterator<Item = String> + '_ {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.starts_with('#') && !target.starts_with("README")).map(str::to_owned)
}

#[test]
fn both_have_the_same_parts() {
    let (english, chinese) = (parts("README.md"), parts("README-zh_CN.md"));
    for (index, (english, chinese)) in english.iter().zip(&chinese).enumerate() {
        assert_eq!(english, chinese, "part {index}: README.md on the left, README-zh_CN.md on the right");
    }
    assert_eq!(english.len(), chinese.len());
    assert!(english.len() > 40, "the pages were read: {} parts", english.len());
}
