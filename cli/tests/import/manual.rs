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

#[test]
fn a_page_about_a_placeholder_is_about_each_function_of_its_title() {
    let folder = folder("import-man-placeholder");
    std::fs::create_dir_all(folder.join("man3")).expect("a folder");
    std::fs::create_dir_all(folder.join("keys")).expect("a folder");
    let page = |name: &str, says: &str| {
        format!(
            ".SH NAME\n{name}_new, {name}_free, {name}_own, {name}params_new \\- templates\n.SH SYNOPSIS\n\
             .B #include <keys/templates.h>\n.sp\nTYPE *TYPE_new(void);\nvoid TYPE_free(TYPE *a);\n\
             {name} *{name}params_new(void);\n.SH DESCRIPTION\n{says}\n.PP\nTYPE_new() allocates an empty object. The object \
             returned must be released by calling TYPE_free().\n.PP\nTYPE_free() releases the object.\n"
        )
    };
    for (name, says) in [
        ("rsa", "In the description below, TYPE is used as a placeholder for any of the types, such as rsa."),
        ("dsa", "TYPE is the name of a type."),
    ] {
        for function in ["new", "free", "own"] {
            std::fs::write(folder.join(format!("man3/{name}_{function}.3")), page(name, says))
                .expect("it can be written");
        }
        std::fs::write(folder.join(format!("man3/{name}params_new.3")), page(name, says))
            .expect("it can be written");
    }
    std::fs::write(folder.join("keys/templates.h"), "").expect("it can be written");
    let header = folder.join("keys/keys.h");
    std::fs::write(
        &header,
        "typedef struct rsa { int n; } rsa; rsa *rsa_new(void); void rsa_free(rsa *a); rsa *rsa_own(void); rsa *rsaparams_new(void);\n\
         typedef struct dsa { int n; } dsa; dsa *dsa_new(void); void dsa_free(dsa *a);\n",
    )
    .expect("it can be written");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_opendyn"));
    let output = command
        .args(["import", argument(&header), "--man"])
        .env("MANPATH", &folder)
        .output()
        .expect("it runs");
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let found = |name: &str| {
        let functions = document["functions"].as_array().expect("functions");
        functions.iter().find(|of| of["name"] == name).cloned().expect("it is imported")
    };
    let made = found("rsa_new");
    assert_eq!(
        made["description"],
        "rsa_new() allocates an empty object. The object returned must be released by calling rsa_free().",
    );
    assert_eq!(made["return"]["x-free"], "rsa_free");
    assert!(is_certain(&made) && is_certain(&found("rsa_free")), "{made}");
    // No sentence is about them, or nothing says that the word is a placeholder.
    for name in ["rsa_own", "rsaparams_new", "dsa_new", "dsa_free"] {
        assert!(!is_certain(&found(name)), "{name}: {}", found(name));
    }
}

#[test]
fn an_overview_says_whose_the_results_of_some_functions_are() {
    let folder = folder("import-man-overview");
    for section in ["man3", "man7"] {
        std::fs::create_dir_all(folder.join(section)).expect("a folder");
    }
    let page = |name: &str, says: &str, refers: &str| {
        let text = format!(
            ".SH NAME\n{name} \\- about it\n.SH SYNOPSIS\n.B #include <tree.h>\n.sp\nleaf *{name}(const tree *tree);\n\
             .SH DESCRIPTION\n{says}\n.SH SEE ALSO\n{refers}\n"
        );
        std::fs::write(folder.join(format!("man3/{name}.3")), text).expect("it can be written");
    };
    page("tree_get0_leaf", "The first leaf of the tree.", "tree(7)");
    page("tree_get0_copy", "A copy of a leaf.", "tree(7)");
    page("tree_get_leaf", "The first leaf of the tree.", "tree(7)");
    let overview = ".SH NAME\ntree \\- trees\n.SH CONVENTIONS\nMany functions have get0 or get1 in their names. In the 0 version \
                    the ownership of the object is retained by (for a get) the parent object. It lives as long.\n";
    let header = folder.join("tree.h");
    let text = "typedef struct tree tree; typedef struct leaf leaf; leaf *tree_get0_leaf(const tree *tree);\n\
                leaf *tree_get0_copy(const tree *tree); leaf *tree_get_leaf(const tree *tree); leaf *leaf_get0_first(int number);\n";
    std::fs::write(&header, text).expect("it can be written");
    let import = || -> Value {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_opendyn"));
        let output = command.args(["import", argument(&header), "--man"]).env("MANPATH", &folder).output();
        serde_json::from_slice(&output.expect("it runs").stdout).expect("JSON")
    };
    let asked = |document: &Value| -> Vec<String> {
        let functions = document["functions"].as_array().expect("functions");
        let asked = functions.iter().filter(|of| of["return"].get("x-todo").is_some());
        asked.map(|of| of["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(asked(&import()).len(), 4);
    std::fs::write(folder.join("man7/tree.7"), overview).expect("it can be written");
    assert_eq!(asked(&import()), ["leaf_get0_first", "tree_get0_copy", "tree_get_leaf"]);
    // A page that nothing refers to may be about another library.
    std::fs::rename(folder.join("man7/tree.7"), folder.join("man7/other.7")).expect("it is renamed");
    assert_eq!(asked(&import()).len(), 4);
}
