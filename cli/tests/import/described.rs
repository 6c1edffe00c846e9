//! Descriptions that belong to their function, and names of parameters that the declaration lacks.

use serde_json::Value;

use super::command::{argument, folder};
use super::{function, import, imported};

fn description<'d>(document: &'d Value, name: &str) -> &'d str {
    function(document, name)["description"].as_str().expect("a text")
}

fn names<'d>(document: &'d Value, name: &str) -> Vec<&'d str> {
    let parameters = function(document, name)["parameters"].as_array().expect("a list");
    parameters.iter().filter_map(|parameter| parameter["name"].as_str()).collect()
}

#[test]
fn parameters_are_named_by_as_many_params_in_order() {
    let document = import(
        "param-names",
        "/** Adds. @param base the first @param delta the second */\nint f(int, int);\n\
         /** Adds. @param base the first */\nint g(int, int);\n\
         /** Adds. @param a the first @param n the second */\nint h(int n, int);\n\
         /** Adds. @param n the first @param delta the second */\nint k(int n, int);\n",
    );
    assert_eq!(names(&document, "f"), ["arg1", "arg2"], "one line is one command");
    let document = import(
        "param-names-lines",
        "/**\n * Adds.\n * @param base the first\n * @param delta the second\n */\nint f(int, int);\n\
         /**\n * Adds.\n * @param base the first\n */\nint g(int, int);\n\
         /**\n * Adds.\n * @param a the first\n * @param n the second\n */\nint h(int n, int);\n\
         /**\n * Adds.\n * @param n the first\n * @param delta the second\n */\nint k(int n, int);\n\
         /**\n * l:\n * @x: the first\n * @y: the second\n *\n * Adds.\n */\nint l(int, int);\n",
    );
    assert_eq!(names(&document, "f"), ["base", "delta"]);
    assert_eq!(function(&document, "f")["parameters"][1]["description"], "the second");
    assert_eq!(names(&document, "g"), ["arg1", "arg2"], "it may be the second");
    assert_eq!(names(&document, "h"), ["n", "arg2"], "the order is another");
    assert_eq!(names(&document, "k"), ["n", "delta"]);
    assert_eq!(names(&document, "l"), ["x", "y"], "GTK-Doc");
}

#[test]
fn a_comment_in_place_of_a_name_is_the_name() {
    let header =
        "typedef int size;\nint f(int /* fd */, void * /* client_data */, int /* out */, int /* size */);";
    assert_eq!(names(&import("inner-names", header), "f"), ["fd", "client_data", "arg3", "arg4"]);
    let facts = imported("inner-evidence", header, &["--evidence", "--summary"]).stdout;
    assert!(facts.contains("f.fd\tits name\tdocumentation: `/* fd */`"), "{facts}");
}

#[test]
fn a_heading_is_no_description() {
    let document = import(
        "headings",
        "/**\n * Export context to users.\n */\nint a_new(void);\n\nint a_free(int n);\n\nint a_use(int n);\nint a_more(void);\n\
         int a_other(void); int a_5(void); int a_6(void); int a_7(void); int a_8(void); int a_9(void);\n\n/* Manage the definition object */\nint b_new(int definition);\nint b_copy(int a);\nint b_end(int a);\n\n\
         /* These are deprecated! */\nint c_one(void);\nint c_two(void);\n",
    );
    assert_eq!(description(&document, "a_new"), "");
    assert_eq!(description(&document, "b_new"), "");
    assert_eq!(description(&document, "c_two"), "These are deprecated!");
}

#[test]
fn lines_that_are_blocks_are_one_comment() {
    let document = import(
        "blocks",
        "int before(void);\n/*  This function retrieves the number as it is known to the */\n/*  library. */\nint f(void);\n\
         /* Accessors */\n/* Returns the size. */\nint g(void);\n",
    );
    let text = "This function retrieves the number as it is known to the library.";
    assert_eq!(description(&document, "f"), text);
    assert_eq!(description(&document, "before"), "");
    assert_eq!(description(&document, "g"), "Returns the size.");
}

#[test]
fn a_comment_above_a_macro_does_not_describe_the_function_before_it() {
    let document = import(
        "macros",
        "/* Writes. */\nint f(int n);\nint g(int n);\n/*\n * This flag can be used to return an error.\n */\n#define FLAG 1\nint h(int n);\n",
    );
    assert_eq!(description(&document, "g"), "");
    assert_eq!(description(&document, "h"), "");
}

#[test]
fn a_comment_that_mentions_a_function_does_not_describe_it() {
    let document = import(
        "mentions",
        "/** Available values for f(). */\nenum option { ONE, TWO };\nint f(int n);\n\
         /** Retrieves a string. See g_ascii(). */\nint g(int n);\nint g_ascii(int n);\n",
    );
    assert_eq!(description(&document, "f"), "");
    assert_eq!(description(&document, "g_ascii"), "");
}

#[test]
fn the_sections_of_freetype_are_read() {
    let document = import(
        "freetype",
        "/**\n * @function:\n *   FT_Set\n *\n * @description:\n *   Sets it, see @FT_Get_It.\n *\n * @input:\n *   face ::\n *     The face.\n *\n\
         *   n ::\n *     The number.\n *\n * @return:\n *   An error code.\n */\nint FT_Set(int face, int n);\n",
    );
    assert_eq!(description(&document, "FT_Set"), "Sets it, see FT_Get_It.");
    assert_eq!(function(&document, "FT_Set")["parameters"][1]["description"], "The number.");
    assert_eq!(function(&document, "FT_Set")["return"]["description"], "An error code.");
}

/// The document of a header, with manual pages.
fn with_pages(name: &str, header: &str, pages: &[(&str, &str)]) -> Value {
    let folder = folder(name);
    std::fs::create_dir_all(folder.join("man3")).expect("a folder");
    for (file, page) in pages {
        std::fs::write(folder.join("man3").join(file), page).expect("it can be written");
    }
    let file = folder.join("mine.h");
    std::fs::write(&file, header).expect("it can be written");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_opendyn"));
    let output = command.args(["import", argument(&file), "--man"]).env("MANPATH", &folder).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_page_of_a_whole_library_names_parameters_and_describes_each_function_by_its_own_paragraph() {
    let document = with_pages(
        "import-man-library",
        "typedef struct mine mine;\nmine *mine_open(int);\nvoid mine_close(mine *);\nint mine_each(mine *, void (*)(int), int);\n\
         int mine_old(mine *, int);\n",
        &[(
            "libmine.3mine",
            ".SH NAME\nmine_open, mine_close, mine_each \\- a library\n.SH SYNOPSIS\n.nf\n#include <mine.h>\nmine *mine_open(int \\fIflags\\fP);\n\
             void mine_close(mine *\\fIhandle\\fP);\nint mine_each(mine *\\fIhandle\\fP, void (*\\fIcallback\\fP)(int), int \\fIlimit\\fP);\n\
             int mine_old(int \\fIhandle\\fP, mine *\\fIother\\fP);\n.fi\n.SH DESCRIPTION\nThe library is small.\n.PP\n\
             The mine_close() function closes the handle.\n.PP\nAfter mine_open() more can be done.\n.SH RETURN VALUE\nNothing.\n",
        )],
    );
    assert_eq!(names(&document, "mine_each"), ["handle", "callback", "limit"]);
    assert_eq!(names(&document, "mine_open"), ["flags"]);
    assert_eq!(names(&document, "mine_old"), ["arg1", "arg2"], "the types are others");
    assert_eq!(description(&document, "mine_close"), "The mine_close() function closes the handle.");
    assert_eq!(description(&document, "mine_each"), "");
}
