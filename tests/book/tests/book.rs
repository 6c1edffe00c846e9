//! The book is complete, and each of its blocks is something that a test reads: a command that `.ci/pages` runs, a file
//! that it saves, Rust that compiles, JSON that parses, a message that another test has.

#![expect(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

use opendyn_book::{Block, blocks, pages, read, root};
use serde_json::Value;

/// The pages whose commands `.ci/pages` runs, in the order in which `.ci/book` names them.
fn run_pages() -> Vec<String> {
    let script = read(".ci/book");
    let line = script.lines().find(|line| line.contains(".ci/pages")).expect("the command");
    let named = line.split_whitespace().filter_map(|word| word.strip_prefix("docs/"));
    let mut run = Vec::new();
    for name in named {
        match name.strip_suffix("/*.md") {
            Some(folder) => run.extend(pages().into_iter().filter(|page| page.starts_with(folder))),
            None => run.push(name.to_owned()),
        }
    }
    run
}

/// The pages that are run, except those that the comment of a block says are only read.
fn each_run_block(mut look: impl FnMut(&str, &Block<'_>)) {
    for page in run_pages() {
        let text = read(&format!("docs/{page}"));
        blocks(&text).iter().for_each(|block| look(&page, block));
    }
}

#[test]
fn every_page_is_a_chapter_and_every_chapter_a_page() {
    let summary = read("docs/SUMMARY.md");
    let links = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let mut chapters: Vec<&str> = links.collect();
    chapters.sort_unstable();
    assert_eq!(chapters, pages());
}

#[test]
fn the_pages_of_three_folders_are_run() {
    let run = run_pages();
    for folder in ["tutorials/", "guides/", "maintaining/"] {
        for page in pages().iter().filter(|page| page.starts_with(folder)) {
            assert!(run.contains(page), ".ci/book does not run docs/{page}");
        }
    }
    assert_eq!(run[0], "tutorials/README.md", "it has what the others need");
}

#[test]
fn every_block_of_these_pages_is_of_a_kind_that_is_tested() {
    let mut count = 0;
    each_run_block(|page, block| {
        count += 1;
        let is_tested = match block.language {
            // `.ci/pages` runs it, or `examples.rs` compiles it.
            "console" | "rust" => true,
            "json" => block.file.is_some() || !block.lines.is_empty(),
            "text" => block.hint.is_some(),
            _ => block.file.is_some(),
        };
        assert!(is_tested, "{page}: a block of {:?} that no test reads: {block:#?}", block.language);
    });
    assert!(count > 80, "the pages were read: {count} blocks");
}

#[test]
fn a_file_that_the_reader_saves_is_named_in_the_text() {
    for page in run_pages() {
        let text = read(&format!("docs/{page}"));
        for file in blocks(&text).iter().filter_map(|block| block.file) {
            assert!(text.contains(&format!("`{file}`")), "docs/{page} does not say that the block is {file}");
        }
    }
}

#[test]
fn text_that_another_program_wrote_is_what_it_wrote() {
    let mut count = 0;
    each_run_block(|page, block| {
        let Some(file) = block.hint.and_then(|hint| hint.strip_prefix("from ")) else { return };
        let (from, shown) = (read(file), block.lines.join("\n"));
        assert!(from.contains(&shown), "{page}: this is not in {file}:\n{shown}");
        count += 1;
    });
    assert!(count > 3, "{count} messages");
}

#[test]
fn whole_json_on_all_pages_is_json() {
    let mut count = 0;
    for page in pages() {
        let text = read(&format!("docs/{page}"));
        for block in blocks(&text).iter().filter(|block| block.language == "json") {
            let body = block.lines.join("\n");
            // Pieces of a document begin with a key; `…` stands for what is left out.
            if body.contains('…') || body.starts_with('"') {
                continue;
            }
            let is_lines = block.file.is_some_and(|file| file.ends_with(".jsonl"));
            let texts = if is_lines { block.lines.clone() } else { vec![body.as_str()] };
            for text in texts {
                let read = serde_json::from_str::<Value>(text);
                assert!(read.is_ok(), "docs/{page}: {read:?}:\n{text}");
                count += 1;
            }
        }
    }
    assert!(count > 15, "{count} blocks");
}

/// The commands and files of the pages up to the end of a section.
fn counted(page: &str, section: &str) -> (usize, usize) {
    let text = read(&format!("docs/tutorials/{page}"));
    let start = text.find(&format!("## {section}")).unwrap_or_else(|| panic!("{page} has no {section:?}"));
    let end = text[start + 1..].find("\n## ").map_or(text.len(), |end| start + 1 + end);
    let blocks = blocks(&text[..end]);
    let commands = blocks.iter().map(|block| block.commands().count()).sum();
    (commands, blocks.iter().filter(|block| block.file.is_some()).count())
}

/// How many commands install what the tutorials need.
fn to_install() -> usize {
    blocks(&read("docs/tutorials/README.md")).iter().map(|block| block.commands().count()).sum()
}

#[test]
fn the_steps_of_the_first_call_are_counted() {
    let installing = to_install();
    let text = read("docs/tutorials/README.md");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| a "))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 3, "the table is there: {rows:?}");
    for row in rows {
        let target = row[1].split(['(', ')']).nth(1).expect("a link");
        let (page, anchor) = target.split_once('#').expect("a heading");
        let headings = read(&format!("docs/tutorials/{page}"));
        let section = headings
            .lines()
            .filter_map(|line| line.strip_prefix("## "))
            .find(|title| title.to_lowercase().replace(['.', '\''], "").replace(' ', "-") == anchor)
            .expect("the heading of the link");
        let (commands, files) = counted(page, section);
        let before = if row[0] == "a clone" { installing } else { 0 };
        let actual = [(commands + before).to_string(), files.to_string()];
        assert_eq!(row[2..], actual, "{}, the commands and files to {target}", row[0]);
    }
}

#[test]
fn commands_on_all_pages_have_the_options_that_the_command_has() {
    let mut count = 0;
    for page in pages() {
        let text = read(&format!("docs/{page}"));
        for command in blocks(&text).iter().flat_map(|block| block.commands()) {
            // Another program, such as `grep`, has options of its own.
            for part in command.split(['|', ';', '&']) {
                let mut words = part.split_whitespace().skip_while(|word| word.contains('='));
                if words.next() != Some("opendyn") {
                    continue;
                }
                let subcommand = words.next().unwrap_or_default();
                let path = root().join(format!("cli/tests/goldens/help/{subcommand}.txt"));
                let Ok(help) = std::fs::read_to_string(path) else {
                    panic!("docs/{page}: there is no command {subcommand:?}: {command}");
                };
                // The rights of a key are described by the help of `keys add`.
                if subcommand == "keys" {
                    continue;
                }
                for option in words.filter(|word| word.starts_with("--")) {
                    let known =
                        help.split_whitespace().any(|word| word.trim_end_matches([',', ']']) == option);
                    assert!(known, "docs/{page}: `opendyn {subcommand}` has no {option}: {command}");
                    count += 1;
                }
            }
        }
    }
    assert!(count > 60, "{count} options");
}
