//! cairo: a drawing as a PNG file, in pieces, and read again.

use std::path::Path;

use opendyn::Tool;
use serde_json::json;

use crate::report::{Done, Report, bytes, call};

opendyn::opendyn!("documents/cairo.json", strings = str);

fn report(png: &[u8], pixels: &[u8], width: i64, height: i64) -> Report {
    let is_png = png.starts_with(b"\x89PNG\r\n\x1a\n") && png.ends_with(b"IEND\xaeB`\x82");
    let sum = png.iter().fold(0_u32, |sum, byte| sum.rotate_left(5) ^ u32::from(*byte));
    let mut report = Report::default();
    report.fact(format!("a PNG file: {is_png}, {} bytes, sum {sum:x}", png.len()));
    report.fact(format!("{width} by {height} pixels when it is read again"));
    let red = pixels.chunks_exact(4).filter(|pixel| **pixel == 0xffff_0000_u32.to_ne_bytes()).count();
    report.fact(format!("{} bytes of pixels, {red} pixels are red", pixels.len()));
    report
}

/// With typed calls.
///
/// # Errors
///
/// A call failed that should not.
pub fn typed(library: &Cairo, folder: &Path) -> Done {
    let surface = library.image_surface_create(Format::Argb32, 10, 8)?;
    let cr = library.create(&surface)?;
    cr.set_source_rgb(1.0, 1.0, 1.0);
    cr.paint();
    cr.set_source_rgb(1.0, 0.0, 0.0);
    cr.rectangle(3.0, 3.0, 4.0, 4.0);
    cr.fill();
    // Both count: the image lives as long as one of them.
    let image = surface.clone();
    drop(surface);
    drop(cr);
    image.flush();
    let pixels = image.image_surface_get_data()?;
    let mut png = Vec::new();
    image.write_to_png_stream(|piece| {
        png.extend_from_slice(piece);
        0
    })?;
    let file = folder.join("typed.png");
    std::fs::write(&file, &png)?;
    let again = library.image_surface_create_from_png(&file.to_string_lossy())?;
    let (width, height) = (again.image_surface_get_width(), again.image_surface_get_height());
    let mut report = report(&png, &pixels, width.into(), height.into());
    report.failure(image.write_to_png("/nowhere/drawing.png"))?;
    report.failure(library.image_surface_create_from_png("/nowhere/drawing.png"))?;
    report.failure(library.image_surface_create(Format::Argb32, 100_000, 8))?;
    Ok(report)
}

/// With JSON.
///
/// # Errors
///
/// A call failed that should not.
pub fn json(tool: &dyn Tool, folder: &Path) -> Done {
    let made = call(tool, "cairo_image_surface_create", &json!({"format": 0, "width": 10, "height": 8}))?;
    let surface = json!({"surface": made["surface"]});
    let cr = call(tool, "cairo_create", &json!({"target": made["surface"]}))?["cr"].take();
    call(tool, "cairo_set_source_rgb", &json!({"cr": cr, "red": 1, "green": 1, "blue": 1}))?;
    call(tool, "cairo_paint", &json!({"cr": cr}))?;
    call(tool, "cairo_set_source_rgb", &json!({"cr": cr, "red": 1, "green": 0, "blue": 0}))?;
    call(tool, "cairo_rectangle", &json!({"cr": cr, "x": 3, "y": 3, "width": 4, "height": 4}))?;
    call(tool, "cairo_fill", &json!({"cr": cr}))?;
    call(tool, "cairo_destroy", &json!({"cr": cr}))?;
    call(tool, "cairo_surface_flush", &surface)?;
    let pixels = bytes(&call(tool, "cairo_image_surface_get_data", &surface)?, "data")?;
    let pieces = call(tool, "cairo_surface_write_to_png_stream", &surface)?;
    let mut png = Vec::new();
    for piece in pieces["write"].as_array().into_iter().flatten() {
        png.extend(bytes(piece, "data")?);
    }
    let file = folder.join("json.png");
    std::fs::write(&file, &png)?;
    let again = call(tool, "cairo_image_surface_create_from_png", &json!({"filename": file}))?;
    let again = json!({"surface": again["surface"]});
    let side = |function: &str, name: &str| -> Result<i64, Box<dyn std::error::Error>> {
        call(tool, function, &again)?[name].as_i64().ok_or_else(|| "a number of pixels".into())
    };
    let width = side("cairo_image_surface_get_width", "width")?;
    let mut report = report(&png, &pixels, width, side("cairo_image_surface_get_height", "height")?);
    let missing = "/nowhere/drawing.png";
    let arguments = json!({"surface": made["surface"], "filename": missing});
    report.failure(call(tool, "cairo_surface_write_to_png", &arguments))?;
    report.failure(call(tool, "cairo_image_surface_create_from_png", &json!({"filename": missing})))?;
    let arguments = json!({"format": 0, "width": 100_000, "height": 8});
    report.failure(call(tool, "cairo_image_surface_create", &arguments))?;
    Ok(report)
}
