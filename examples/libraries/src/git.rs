//! libgit2: a repository with a merge, and a walk back from it.

use std::path::Path;

use opendyn::Tool;
use serde_json::{Value, json};

use crate::report::{Done, Report, call, text};

opendyn::opendyn!("documents/git.json", strings = str);

/// When everything happens, so that ids are the same each time.
const TIME: i64 = 1_700_000_000;
/// The mode of a file.
const FILE: i32 = 0o100_644;
/// Children before parents, and the newest first.
const ORDER: u32 = 1 + 2;

const MAIN: &str = "refs/heads/main";
const SIDE: &str = "refs/heads/side";

fn commit(message: &str, parents: u64, id: &str) -> String {
    format!("{id} {}, parents: {parents}", message.trim_end())
}

/// With typed calls.
///
/// # Errors
///
/// A call failed that should not.
pub fn typed(library: &Git, folder: &Path) -> Done {
    let repo = library.repository_init(&folder.join("typed").to_string_lossy(), 1)?;
    let blob = repo.blob_create_from_buffer(b"one line\n")?;
    let mut bld = repo.treebuilder_new(None)?;
    let file = bld.insert("first.txt", &blob, FILE)?.name()?;
    let tree = repo.tree_lookup(&bld.write()?)?;
    let at = |minutes: i64| library.signature_new("Ada", "ada@example.org", TIME + 60 * minutes, 0);
    let store = |into: &str, minutes: i64, message: &str, parents: &[&Commit<'_>]| {
        let author = at(minutes)?;
        let id = repo.commit_create(Some(into), &author, &author, None, message, &tree, parents)?;
        repo.commit_lookup(&id)
    };
    let first = store(MAIN, 0, "first\n", &[])?;
    let second = store(MAIN, 1, "second\n", &[&first])?;
    let other = store(SIDE, 2, "beside it\n", &[&first])?;
    let _merge = store(MAIN, 3, "both\n", &[&second, &other])?;

    let mut report = Report::default();
    report.fact(file);
    let walk = repo.revwalk_new()?;
    walk.sorting(ORDER)?;
    walk.push_ref(MAIN)?;
    loop {
        let id = match walk.next() {
            Ok(id) => id,
            Err(error) if error.is(GitCode::ITEROVER) => break,
            Err(error) => return Err(error.into()),
        };
        let found = repo.commit_lookup(&id)?;
        let hex = data_encoding::HEXLOWER.encode(&id.id);
        report.fact(commit(&found.message()?, found.parentcount().into(), &hex));
    }
    let names = repo.reference_list()?;
    let mut names: Vec<String> =
        names.strings.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    report.fact(names.join(", "));
    let missing = repo.reference_lookup("refs/heads/missing");
    if !missing.as_ref().is_err_and(|error| error.is(GitCode::ENOTFOUND)) {
        return Err("a missing reference is ENOTFOUND".into());
    }
    report.failure(missing)?;
    report.failure(store(MAIN, 4, "without parents\n", &[]))?;
    report.failure(repo.commit_lookup(&blob))?;
    Ok(report)
}

/// With JSON.
///
/// # Errors
///
/// A call failed that should not.
pub fn json(tool: &dyn Tool, folder: &Path) -> Done {
    let repo = json!({"path": folder.join("json"), "is_bare": 1});
    let repo = call(tool, "git_repository_init", &repo)?["repo"].take();
    let buffer = data_encoding::BASE64.encode(b"one line\n");
    let blob =
        call(tool, "git_blob_create_from_buffer", &json!({"repo": repo, "buffer": buffer}))?["id"].take();
    let bld = call(tool, "git_treebuilder_new", &json!({"repo": repo}))?["bld"].take();
    let file = json!({"bld": bld, "filename": "first.txt", "id": blob, "filemode": FILE});
    let entry = call(tool, "git_treebuilder_insert", &file)?;
    let file = call(tool, "git_tree_entry_name", &entry)?;
    let id = call(tool, "git_treebuilder_write", &json!({"bld": bld}))?;
    let tree = call(tool, "git_tree_lookup", &json!({"repo": repo, "id": id["id"]}))?["tree"].take();
    let store = |into: &str, minutes: i64, message: &str, parents: Vec<&Value>| {
        let author =
            json!({"name": "Ada", "email": "ada@example.org", "time": TIME + 60 * minutes, "offset": 0});
        let author = call(tool, "git_signature_new", &author)?["signature"].take();
        let new = json!({
            "repo": repo, "update_ref": into, "author": author, "committer": author, "message": message,
            "tree": tree, "parents": parents,
        });
        let id = call(tool, "git_commit_create", &new)?;
        let found = call(tool, "git_commit_lookup", &json!({"repo": repo, "id": id["id"]}))?["commit"].take();
        Ok::<Value, opendyn::ToolError>(found)
    };
    let first = store(MAIN, 0, "first\n", vec![])?;
    let second = store(MAIN, 1, "second\n", vec![&first])?;
    let other = store(SIDE, 2, "beside it\n", vec![&first])?;
    store(MAIN, 3, "both\n", vec![&second, &other])?;
    let refused = store(MAIN, 4, "without parents\n", vec![]);

    let mut report = Report::default();
    report.fact(text(&file, "name")?);
    let walk = call(tool, "git_revwalk_new", &json!({"repo": repo}))?["walk"].take();
    call(tool, "git_revwalk_sorting", &json!({"walk": walk, "sort_mode": ORDER}))?;
    call(tool, "git_revwalk_push_ref", &json!({"walk": walk, "refname": MAIN}))?;
    loop {
        let id = match call(tool, "git_revwalk_next", &json!({"walk": walk})) {
            Ok(reply) => reply["id"].clone(),
            Err(error) if error.to_string().contains("(ITEROVER)") => break,
            Err(error) => return Err(error.into()),
        };
        let found = call(tool, "git_commit_lookup", &json!({"repo": repo, "id": id}))?;
        let message = call(tool, "git_commit_message", &found)?;
        let parents = call(tool, "git_commit_parentcount", &found)?["count"].as_u64();
        report.fact(commit(text(&message, "message")?, parents.unwrap_or_default(), text(&id, "id")?));
        call(tool, "git_commit_free", &found)?;
    }
    let names = call(tool, "git_reference_list", &json!({"repo": repo}))?;
    let names = names["array"]["strings"].as_array().cloned().unwrap_or_default();
    let mut names: Vec<String> = names.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    names.sort();
    report.fact(names.join(", "));
    let missing = json!({"repo": repo, "name": "refs/heads/missing"});
    report.failure(call(tool, "git_reference_lookup", &missing))?;
    report.failure(refused)?;
    report.failure(call(tool, "git_commit_lookup", &json!({"repo": repo, "id": blob})))?;
    // What is left is freed with the tool, before the library ends.
    Ok(report)
}
