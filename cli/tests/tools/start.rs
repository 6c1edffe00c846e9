//! What a client loads at the start, in tokens of four bytes.

use serde_json::json;

use super::Model;

fn tokens(model: &Model) -> usize {
    let listed = serde_json::to_string(&model.listed).expect("JSON");
    (listed.len() + model.instructions.len()).div_ceil(4)
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn the_start_of_sqlite_takes_at_most_3000_tokens() {
    let plain = tokens(&Model::at(&["sqlite/sqlite.json"]));
    let scripts = ["sqlite/sqlite.json", "sqlite/tools/query.py", "sqlite/tools/backup.py"];
    let with_scripts = tokens(&Model::at(&scripts));
    println!("sqlite: {plain} tokens, {with_scripts} with two scripts");
    assert!(plain < with_scripts && with_scripts <= 3000, "{plain}, {with_scripts}");
}

#[test]
#[cfg_attr(no_python, ignore = "needs python3")]
fn the_start_of_zlib_takes_at_most_2000_tokens() {
    let plain = tokens(&Model::at(&["zlib/zlib.json"]));
    let with_script = tokens(&Model::at(&["zlib/zlib.json", "zlib/tools/decompress.py"]));
    println!("zlib: {plain} tokens, {with_script} with a script");
    assert!(plain < with_script && with_script <= 2000, "{plain}, {with_script}");
}

#[test]
fn the_start_of_a_thousand_functions_takes_at_most_2000_tokens() {
    let functions: Vec<_> = (0..1000)
        .map(|number| {
            json!({
                "name": format!("measure_quantity_{number:04}"),
                "description": "Measures a quantity of some kind, and returns it with its unit.",
                "x-symbol": "cos",
                "parameters": [{
                    "name": "x", "description": "Where.", "isIn": true, "required": true,
                    "schema": {"type": "number", "cType": {"type": "double", "isPointer": false}}
                }],
                "return": {"name": "y", "schema": {"type": "number", "cType": {"type": "double", "isPointer": false}}}
            })
        })
        .collect();
    let info =
        json!({"title": "many", "version": "1", "callingConvention": "cdecl", "x-library": "libm.so.6"});
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("thousand.json");
    let document = json!({"opendyn": "1.0.0", "info": info, "functions": functions});
    std::fs::write(&path, document.to_string()).expect("written");
    let mut model = Model::at(&[path.to_str().expect("UTF-8")]);
    let start = tokens(&model);
    println!("1,000 functions: {start} tokens");
    assert!(start <= 2000, "{start}");
    assert_eq!(model.search("measure_quantity_0417")[0], "measure_quantity_0417");
    assert_eq!(model.call("measure_quantity_0417", json!({"x": 0})), json!({"y": 1.0}));
}

#[test]
fn a_list_of_all_can_be_wanted() {
    let model = Model::at(&["zlib/zlib.json", "--list", "all"]);
    let names: Vec<&str> = model.listed.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert!(names.contains(&"compress") && !names.contains(&"call_tool"), "{names:?}");
    assert!(!names.contains(&"crc32_z"), "the document does not offer it");
    let few = Model::at(&["zlib/zlib.json", "--tools", "crc*", "--tools", "adler*"]);
    let names: Vec<&str> = few.listed.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["adler32", "adler32_combine", "crc32", "crc32_combine"]);
    assert!(!few.instructions.contains("search_tools"), "{}", few.instructions);
}
