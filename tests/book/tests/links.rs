//! Every link of every page leads to a file that exists and, where it names one, to a heading of it.

#![expect(clippy::expect_used, reason = "what helps a test may fail as a test does")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use opendyn_book::root;

/// The pages of the repository, apart from those that tests write.
fn pages() -> Vec<PathBuf> {
    let mut folders = vec![root()];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() && !name.starts_with('.') && name != "target" && name != "goldens" {
                folders.push(path);
            } else if name.ends_with(".md") {
                pages.push(path);
            }
        }
    }
    pages
}

/// The lines of a page outside its blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The targets of the links in a line, but not what stands between backticks.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

/// The name by which a link finds a heading: lower case, without punctuation, dashes for spaces.
fn anchor(heading: &str) -> String {
    let kept =
        heading.trim().chars().filter(|sign| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn anchors(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).expect("a page");
    prose(&text)
        .filter(|line| line.starts_with('#'))
        .map(|line| anchor(line.trim_start_matches('#')))
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = BTreeMap::new();
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        let folder = page.parent().expect("a folder");
        for target in prose(&text).flat_map(targets).filter(|target| !target.starts_with("http")) {
            count += 1;
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { page.clone() } else { folder.join(file) };
            if !file.exists() {
                broken.insert(format!("{}: {target}", page.display()), "there is no such file");
            } else if !heading.is_empty() && !anchors(&file).iter().any(|anchor| anchor == heading) {
                broken.insert(format!("{}: {target}", page.display()), "there is no such heading");
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(count > 80, "the pages were read: {count} links");
}

#[test]
fn headings_have_the_anchors_that_forges_give_them() {
    assert_eq!(anchor(" Arrays: `x-length`"), "arrays-x-length");
    assert_eq!(anchor(" Ownership: `x-free`, `x-nullable`"), "ownership-x-free-x-nullable");
    assert_eq!(anchor(" 从库到工具"), "从库到工具");
}
