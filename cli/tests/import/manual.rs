//! Manual pages, which document what a header does not.

use serde_json::{Value, json};

use super::command::{argument, folder};
use super::is_certain;

#[test]
fn a_manual_page_documents_what_the_header_does_not() {
    let folder = folder("import-man");
    std::fs::create_dir_all(folder.join("man3")).expect("a folder");
    std::fs::write(
        folder.join("man3/db_count.3"),
        ".TH db_count 3\n.SH NAME\ndb_count \\- count the entries\n.SH SYNOPSIS\n.nf\n#include <db.h>\n\
         int db_count(db *\\fIhandle\\fP, const char *\\fIname\\fP);\n.fi\n.SH DESCRIPTION\nCounts the entries.\n\
         .PP\n\\fIname\\fP may be NULL.\n.SH RETURN VALUE\nThe number of entries.\n",
    )
    .expect("it can be written");
    let header = folder.join("db.h");
    std::fs::write(&header, "typedef struct db db;\nint db_count(db *, const char *);\n")
        .expect("it can be written");
    let import = |arguments: &[&str]| -> Value {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_opendyn"));
        command.args(["import", argument(&header)]).args(arguments).env("MANPATH", &folder);
        let output = command.output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    assert!(!is_certain(&import(&[])["functions"][0]));
    let document = import(&["--man"]);
    let found = &document["functions"][0];
    assert!(
        found["description"].as_str().is_some_and(|text| text.starts_with("count the entries.")),
        "{found}"
    );
    assert_eq!(
        (&found["parameters"][0]["name"], &found["parameters"][1]["name"]),
        (&json!("handle"), &json!("name"))
    );
    assert_eq!(found["parameters"][1]["required"], false);
    assert!(is_certain(found), "{found}");
}

#[test]
fn a_manual_page_of_another_header_says_nothing() {
    let folder = folder("import-man-other");
    std::fs::create_dir_all(folder.join("man3")).expect("a folder");
    std::fs::write(
        folder.join("man3/count.3"),
        ".SH NAME\ncount \\- count\n.SH SYNOPSIS\n#include <other.h>\nint count(int a);\n.SH DESCRIPTION\nCounts.\n",
    )
    .expect("it can be written");
    let header = folder.join("mine.h");
    std::fs::write(&header, "int count(int a);\n").expect("it can be written");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_opendyn"));
    let output = command
        .args(["import", argument(&header), "--man"])
        .env("MANPATH", &folder)
        .output()
        .expect("it runs");
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["functions"][0]["description"], "");
}

#[test]
fn the_arguments_of_a_page_are_described_and_a_brief_of_several_pages_is_not_its_own() {
    let folder = folder("import-man-arguments");
    std::fs::create_dir_all(folder.join("man3")).expect("a folder");
    let page = |name: &str, kind: &str| {
        let text = format!(
            ".SH NAME\n{name} \\- API function\n.SH SYNOPSIS\n.B #include <key.h>\n.sp\n.BI \"int {name}(const char * \" key \");\"\n\
             .SH ARGUMENTS\n.IP \"const char * key\" 12\n{kind}.\n.SH \"DESCRIPTION\"\nDoes {name}.\n"
        );
        std::fs::write(folder.join(format!("man3/{name}.3")), text).expect("it can be written");
    };
    page("key_derive", "input array with a salted key");
    page("key_check", "the name of a key, or NULL");
    page("key_find", "a zero terminated character array");
    let header = folder.join("key.h");
    std::fs::write(
        &header,
        "int key_derive(const char *key);\nint key_check(const char *key);\nint key_find(const char *key);\n",
    )
    .expect("it can be written");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_opendyn"));
    let output = command
        .args(["import", argument(&header), "--man"])
        .env("MANPATH", &folder)
        .output()
        .expect("it runs");
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let found = |name: &str| super::function(&document, name);
    assert_eq!(found("key_derive")["description"], "Does key_derive.");
    assert!(!is_certain(found("key_derive")), "{document}");
    assert_eq!(found("key_check")["parameters"][0]["required"], false);
    assert!(is_certain(found("key_check")) && is_certain(found("key_find")), "{document}");
}

#[test]
fn a_paragraph_that_goes_on_from_another_describes_no_function() {
    let folder = folder("import-man-above");
    std::fs::create_dir_all(folder.join("man3")).expect("a folder");
    std::fs::write(
        folder.join("man3/move.3"),
        ".SH NAME\nmove, copy \\- move\n.SH SYNOPSIS\n#include <mine.h>\n.br\nint move(int a);\n.br\nint copy(int a);\n\
         .SH DESCRIPTION\nmove() and copy() are fast.\n.PP\nCalling move() may be faster than the above code.\n\
         .PP\ncopy() copies.\n",
    )
    .expect("it can be written");
    let header = folder.join("mine.h");
    std::fs::write(&header, "int move(int a); int copy(int a);\n").expect("it can be written");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_opendyn"));
    let command = command.args(["import", argument(&header), "--man"]).env("MANPATH", &folder);
    let output = command.output().expect("it runs");
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let described = |name| super::function(&document, name)["description"].clone();
    assert_eq!((described("move"), described("copy")), (json!(""), json!("copy() copies.")));
}
