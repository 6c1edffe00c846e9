//! libarchive: a compressed tar file is written, and read again from memory.

use std::path::Path;

use data_encoding::BASE64;
use opendyn::Tool;
use serde_json::json;

use crate::report::{Done, Report, bytes, call, text};

opendyn::opendyn!("documents/archive.json", strings = str);

const FILES: [(&str, &str); 2] = [("notes/first.txt", "one line\n"), ("notes/second.txt", "another line\n")];

fn read(report: &mut Report, path: &str, size: i64, data: &[u8]) {
    report.fact(format!("{path}, {size} bytes: {:?}", String::from_utf8_lossy(data)));
}

/// With typed calls.
///
/// # Errors
///
/// A call failed that should not.
pub fn typed(library: &Archive, folder: &Path) -> Done {
    let file = folder.join("typed.tar.gz");
    let writer = library.write_new()?;
    writer.set_format_pax_restricted()?;
    writer.add_filter_gzip()?;
    writer.open_filename(&file.to_string_lossy())?;
    for (path, data) in FILES {
        let entry = library.entry_new()?;
        entry.set_pathname(path)?;
        entry.set_size(data.len() as i64)?;
        entry.set_filetype(FileType::File)?;
        entry.set_perm(0o644)?;
        writer.header(&entry)?;
        writer.data(data.as_bytes())?;
    }
    writer.close()?;
    drop(writer);

    let mut report = Report::default();
    let mut reader = library.read_new()?;
    reader.support_filter_all()?;
    reader.support_format_all()?;
    reader.open_memory(std::fs::read(&file)?)?;
    loop {
        let next = reader.next_header()?;
        if next.code == ArchiveCode::EOF {
            break;
        }
        let (path, size) = (next.entry.pathname()?.unwrap_or_default(), next.entry.size());
        drop(next);
        let data = reader.data(1000)?;
        read(&mut report, &path, size, &data);
    }

    let reader = library.read_new()?;
    reader.support_format_all()?;
    report.failure(reader.open_memory(b"not an archive".to_vec()))?;
    report.failure(library.read_new()?.open_filename("/nowhere/a.tar", None))?;
    Ok(report)
}

/// With JSON.
///
/// # Errors
///
/// A call failed that should not.
pub fn json(tool: &dyn Tool, folder: &Path) -> Done {
    let file = folder.join("json.tar.gz");
    let writer = call(tool, "archive_write_new", &json!({}))?["archive"].take();
    call(tool, "archive_write_set_format_pax_restricted", &json!({"archive": writer}))?;
    call(tool, "archive_write_add_filter_gzip", &json!({"archive": writer}))?;
    call(tool, "archive_write_open_filename", &json!({"archive": writer, "filename": file}))?;
    for (path, data) in FILES {
        let entry = call(tool, "archive_entry_new", &json!({}))?["entry"].take();
        call(tool, "archive_entry_set_pathname", &json!({"entry": entry, "path": path}))?;
        call(tool, "archive_entry_set_size", &json!({"entry": entry, "size": data.len()}))?;
        call(tool, "archive_entry_set_filetype", &json!({"entry": entry, "type": 0o100_000}))?;
        call(tool, "archive_entry_set_perm", &json!({"entry": entry, "mode": 0o644}))?;
        call(tool, "archive_write_header", &json!({"archive": writer, "entry": entry}))?;
        let data = BASE64.encode(data.as_bytes());
        call(tool, "archive_write_data", &json!({"archive": writer, "data": data}))?;
        call(tool, "archive_entry_free", &json!({"entry": entry}))?;
    }
    call(tool, "archive_write_close", &json!({"archive": writer}))?;
    call(tool, "archive_write_free", &json!({"archive": writer}))?;

    let mut report = Report::default();
    let open = || -> Result<_, Box<dyn std::error::Error>> {
        let reader = call(tool, "archive_read_new", &json!({}))?["archive"].take();
        call(tool, "archive_read_support_filter_all", &json!({"archive": reader}))?;
        call(tool, "archive_read_support_format_all", &json!({"archive": reader}))?;
        Ok(reader)
    };
    let reader = open()?;
    let data = BASE64.encode(&std::fs::read(&file)?);
    call(tool, "archive_read_open_memory", &json!({"archive": reader, "data": data}))?;
    loop {
        let next = call(tool, "archive_read_next_header", &json!({"archive": reader}))?;
        if next["code"] == 1 {
            break;
        }
        let entry = json!({"entry": next["entry"]});
        let path = call(tool, "archive_entry_pathname", &entry)?;
        let size = call(tool, "archive_entry_size", &entry)?;
        let data = call(tool, "archive_read_data", &json!({"archive": reader, "size": 1000}))?;
        let size = size["size"].as_i64().ok_or("a size is a number")?;
        read(&mut report, text(&path, "path")?, size, &bytes(&data, "data")?);
    }

    let reader = open()?;
    let garbage = BASE64.encode(b"not an archive");
    report.failure(call(tool, "archive_read_open_memory", &json!({"archive": reader, "data": garbage})))?;
    let arguments = json!({"archive": open()?, "filename": "/nowhere/a.tar"});
    report.failure(call(tool, "archive_read_open_filename", &arguments))?;
    Ok(report)
}
