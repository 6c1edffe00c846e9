//! What import once stated about real libraries without proof: each function is asked about, and a call of it does not
//! reach C.

use serde_json::json;

use super::pitfalls::{ARCHIVE, CAIRO, CJSON, GEOS, GIT2, PQ, UV, XML, assert_refused, imported};
use super::{function, is_certain, questions};

#[test]
#[cfg_attr(no_pitfall_libraries, ignore = "needs the libraries of PITFALLS in Debian 12, see .ci/install")]
fn the_buffers_of_uv_try_write2_are_an_array() {
    let document = imported(UV, &["uv_try_write2"]);
    assert_refused("uv", &document, "uv_try_write2", "{}");
    let buffers = &function(&document, "uv_try_write2")["parameters"][1];
    assert!(questions(buffers).join(" ").contains("an array of `nbufs` structs"), "{buffers}");
}

#[test]
#[cfg_attr(no_pitfall_libraries, ignore = "needs the libraries of PITFALLS in Debian 12, see .ci/install")]
fn cairo_surface_finish_and_archive_read_close_are_no_destructors() {
    let document =
        imported(CAIRO, &["cairo_image_surface_create", "cairo_surface_finish", "cairo_surface_destroy"]);
    for name in ["cairo_image_surface_create", "cairo_surface_finish"] {
        assert_refused("cairo", &document, name, r#"{"format": "ARGB32", "width": 1, "height": 1}"#);
    }
    assert_eq!(function(&document, "cairo_image_surface_create")["return"].get("x-free"), None);
    // It may free the surface, and nothing else may.
    let destroyed = &function(&document, "cairo_surface_destroy")["parameters"][0];
    assert_eq!(destroyed["x-free"], "cairo_surface_destroy", "{destroyed}");
    let document = imported(ARCHIVE, &["archive_read_new", "archive_read_close", "archive_read_free"]);
    for name in ["archive_read_new", "archive_read_close", "archive_read_free"] {
        assert_refused("archive", &document, name, "{}");
    }
    assert_eq!(function(&document, "archive_read_new")["return"].get("x-free"), None);
}

#[test]
#[cfg_attr(no_pitfall_libraries, ignore = "needs the libraries of PITFALLS in Debian 12, see .ci/install")]
fn pq_clear_and_geos_functions_that_free_or_take_are_asked() {
    let document = imported(PQ, &["PQclear", "PQfinish", "PQntuples"]);
    assert_refused("pq-clear", &document, "PQclear", "{}");
    // It is always freed, unlike a result, of which one is not allocated.
    assert_eq!(function(&document, "PQfinish")["parameters"][0]["x-free"], "PQfinish");
    assert!(is_certain(function(&document, "PQntuples")));
    let names = ["GEOSPreparedGeom_destroy_r", "GEOSGeom_createPoint", "GEOSGeom_createPoint_r"];
    let document = imported(GEOS, &names);
    names.iter().for_each(|name| assert_refused("geos-more", &document, name, "{}"));
    let taken = &function(&document, "GEOSGeom_createPoint")["parameters"][0];
    assert!(questions(taken).join(" ").contains("ownership passes to the geometry"), "{taken}");
    let document = imported(CJSON, &["cJSON_AddItemToArray", "cJSON_ReplaceItemInArray", "cJSON_Delete"]);
    for name in ["cJSON_AddItemToArray", "cJSON_ReplaceItemInArray", "cJSON_Delete"] {
        assert_refused("cjson-more", &document, name, "{}");
    }
}

#[test]
#[cfg_attr(no_pitfall_libraries, ignore = "needs the libraries of PITFALLS in Debian 12, see .ci/install")]
fn xml_free_id_table_does_not_free_an_element_table() {
    let names = ["xmlCopyElementTable", "xmlDumpElementTable", "xmlFreeElementTable", "xmlFreeIDTable"];
    let document = imported(XML, &names);
    names[..2].iter().for_each(|name| assert_refused("xml", &document, name, "{}"));
    for (name, table) in [("xmlFreeElementTable", "xmlElementTable"), ("xmlFreeIDTable", "xmlIDTable")] {
        let parameter = &function(&document, name)["parameters"][0];
        assert_eq!(parameter["schema"]["cType"]["x-handle"], table, "{parameter}");
        assert_eq!(parameter["x-free"], name, "{parameter}");
    }
    let made = questions(&function(&document, "xmlCopyElementTable")["return"]).join(" ");
    assert!(made.contains("xmlFreeElementTable") && !made.contains("xmlFreeIDTable"), "{made}");
}

#[test]
#[cfg_attr(no_pitfall_libraries, ignore = "needs the libraries of PITFALLS in Debian 12, see .ci/install")]
fn git_oid_is_a_struct_and_git_commit_a_handle() {
    let document = imported(GIT2, &["git_oid_cmp", "git_commit_id"]);
    let oid = json!({ "$ref": "#/schemas/git_oid" });
    assert_eq!(function(&document, "git_commit_id")["return"]["schema"], oid);
    assert_eq!(function(&document, "git_oid_cmp")["parameters"][0]["schema"], oid);
    let commit = &function(&document, "git_commit_id")["parameters"][0]["schema"]["cType"];
    assert_eq!(commit["x-handle"], "git_commit");
}
