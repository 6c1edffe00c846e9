//! One document in every format, as readable files: `exports/FORMAT.json`.

use std::path::Path;

use opendyn_tests::assert_golden;
use opentool::OpenTool;

use super::meta::FORMATS;

#[test]
fn one_document_is_exported_as_the_files_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("exports");
    let text = std::fs::read_to_string(folder.join("opentool.json")).expect("it is there");
    let document = OpenTool::parse(&text).unwrap_or_else(|invalid| panic!("{invalid}"));
    assert_eq!(document.to_string_pretty() + "\n", text);
    for (format, export, _) in FORMATS {
        let exported = export(&document).unwrap_or_else(|error| panic!("{error}"));
        assert_golden(&folder.join(format).with_extension("json"), &format!("{exported:#}\n"));
    }
}
