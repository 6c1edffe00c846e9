//! GEOS: geometries are read, and a collection takes them.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use opendyn::{Refused, Tool, ToolError};
use serde_json::{Value, json};

use crate::report::{Done, Report, call, text};

opendyn::opendyn!("documents/geos.json", strings = str);

const LINES: [&str; 2] = ["LINESTRING (0 0, 3 4)", "LINESTRING (1 1, 1 3)"];
/// The second number is missing.
const BROKEN: &str = "POINT (1";
/// `GEOS_MULTILINESTRING`
const MULTI_LINE: i32 = 5;
/// No type of geometries.
const UNKNOWN: i32 = 99;

/// With typed calls.
///
/// # Errors
///
/// A call failed that should not.
pub fn typed(library: &Geos, _: &Path) -> Done {
    let mut report = Report::default();
    let context = library.init_r()?;
    let errors = Arc::new(Mutex::new(Vec::new()));
    let inside = Arc::clone(&errors);
    context.context_set_error_message_handler_r(move |message| {
        let mut errors = inside.lock().unwrap_or_else(PoisonError::into_inner);
        errors.push(message.to_string_lossy().into_owned());
    });
    // GEOS tells its errors to the handler.
    let last = || errors.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();

    let lines = LINES.iter().map(|line| context.geom_from_wkt_r(line)).collect::<Result<Vec<_>, _>>()?;
    // SAFETY: the lines and the collection live in the same context.
    let collection =
        unsafe { context.geom_create_collection_r(MULTI_LINE, lines) }.map_err(Refused::into_error)?;
    report.fact(format!("lines: {}", context.get_num_geometries_r(&collection)));
    report.fact(format!("length: {}", context.length_r(&collection)?));
    for n in 0..context.get_num_geometries_r(&collection) {
        let part = context.get_geometry_n_r(&collection, n)?;
        report.fact(format!("length of {n}: {}", context.length_r(&part)?));
    }
    report.fact(context.is_valid_reason_r(&collection)?);
    drop(collection);

    let broken = context.geom_from_wkt_r(BROKEN).map(drop).map_err(|_| last());
    report.failure(broken)?;
    let line = context.geom_from_wkt_r(LINES[0])?;
    // SAFETY: as above.
    let unknown = unsafe { context.geom_create_collection_r(UNKNOWN, vec![line]) };
    let unknown = unknown.map(drop).map_err(|refused| (refused.into_inner().is_none(), last()));
    report.fact(format!("gone: {}", matches!(unknown, Err((true, _)))));
    report.failure(unknown.map_err(|(_, text)| text))?;
    Ok(report)
}

/// What GEOS told its handler in a call that failed.
fn told(error: &ToolError) -> String {
    let ToolError::CallFailed { details: Some(details), .. } = error else { return error.to_string() };
    details.outputs["errors"][0]["message"].as_str().unwrap_or_default().to_owned()
}

/// With JSON.
///
/// # Errors
///
/// A call failed that should not.
pub fn json(tool: &dyn Tool, _: &Path) -> Done {
    let mut report = Report::default();
    let context = call(tool, "GEOSinit_r", &json!({}))?["context"].take();
    call(tool, "GEOSContext_setErrorMessageHandler_r", &json!({"context": context}))?;
    let of = |function: &str, geometry: &Value| {
        call(tool, function, &json!({"context": context, "geometry": geometry}))
    };
    let read = |wkt: &str| call(tool, "GEOSGeomFromWKT_r", &json!({"context": context, "wkt": wkt}));
    let collect = |of: i32, geoms: &[Value]| {
        call(tool, "GEOSGeom_createCollection_r", &json!({"context": context, "type": of, "geoms": geoms}))
    };
    let geometry = |wkt: &str| read(wkt).map(|mut reply| reply["geometry"].take());

    let lines = LINES.iter().map(|line| geometry(line)).collect::<Result<Vec<_>, _>>()?;
    let collection = collect(MULTI_LINE, &lines)?["collection"].take();
    let count = of("GEOSGetNumGeometries_r", &collection)?["count"].as_i64().unwrap_or_default();
    report.fact(format!("lines: {count}"));
    report.fact(format!("length: {}", of("GEOSLength_r", &collection)?["length"]).replace(".0", ""));
    for n in 0..count {
        let part = json!({"context": context, "geometry": collection, "n": n});
        let part = call(tool, "GEOSGetGeometryN_r", &part)?["part"].take();
        let length = of("GEOSLength_r", &part)?;
        report.fact(format!("length of {n}: {}", length["length"]).replace(".0", ""));
    }
    report.fact(text(&of("GEOSisValidReason_r", &collection)?, "reason")?);
    of("GEOSGeom_destroy_r", &collection)?;

    report.failure(read(BROKEN).map_err(|error| told(&error)))?;
    let line = geometry(LINES[0])?;
    let unknown = collect(UNKNOWN, std::slice::from_ref(&line));
    report.fact(format!("gone: {}", of("GEOSLength_r", &line).is_err()));
    report.failure(unknown.map_err(|error| told(&error)))?;
    Ok(report)
}
