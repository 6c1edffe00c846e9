//! libxml2: a document is parsed and walked, nodes are built and given to it, and it becomes text again.

use std::path::Path;

use opendyn::{Borrowed, Refused, Tool};
use serde_json::{Value, json};

use crate::report::{Done, Report, call, text};

opendyn::opendyn!("documents/xml.json", strings = str);

type Failed = Box<dyn std::error::Error>;

const PLANETS: &str = r#"<planets star="Sun"><planet>Mars</planet><planet>Saturn</planet></planets>"#;
/// The end tag does not fit.
const BROKEN: &str = "<planets><planet></planets>";
/// The entity is not declared.
const UNKNOWN: &str = "<stars>&sirius;</stars>";
/// `XML_PARSE_NOERROR | XML_PARSE_NOWARNING`: errors are returned and not printed.
const SILENT: i32 = 32 | 64;

/// The nodes beside `node`, from it on, and everything in them.
fn walk(node: Option<Borrowed<Node<'_>>>, depth: usize, report: &mut Report) -> Result<(), Failed> {
    // What is read from a node borrows it, so that siblings are walked by recursion.
    let Some(node) = node else { return Ok(()) };
    let name = node.name()?.unwrap_or_default();
    let content = node.get_content()?.unwrap_or_default();
    report.fact(format!("{:depth$}{name}, {:?}: {content:?}", "", node.r#type()));
    walk(node.children(), depth + 1, report)?;
    walk(node.next(), depth, report)
}

/// With typed calls.
///
/// # Errors
///
/// A call failed that should not.
pub fn typed(library: &Xml, _: &Path) -> Done {
    let mut report = Report::default();
    let doc = library.read_memory(PLANETS, None, None, SILENT)?;
    {
        let root = doc.get_root_element().ok_or("no root")?;
        report.fact(format!("star: {:?}", root.get_prop("star")?));

        let planet = library.new_node(None, "planet")?;
        planet.set_prop("rings", "many")?;
        // A text is merged with the one before, which is then all that is left of both.
        let first = planet.add_child(library.new_text("Ura")?).map_err(Refused::into_error)?;
        let second = planet.add_child(library.new_text("nus")?).map_err(Refused::into_error)?;
        report.fact(format!("merged: {}", first.as_ptr() == second.as_ptr()));
        drop((first, second));
        let planet = root.add_child(planet).map_err(Refused::into_error)?;
        report.fact(format!("path: {}, rings: {:?}", planet.get_node_path()?, planet.get_prop("rings")?));
        // A node that is given to no document is freed by its owner.
        drop(library.new_node_eat_name(None, "comet")?);
    }
    walk(doc.get_root_element(), 0, &mut report)?;
    report.fact(doc.dump_memory()?);
    report.failure(library.read_memory(BROKEN, None, None, SILENT))?;
    report.failure(library.read_memory(UNKNOWN, Some("stars.xml"), None, SILENT))?;
    Ok(report)
}

fn walk_tokens(tool: &dyn Tool, node: Value, depth: usize, report: &mut Report) -> Result<(), Failed> {
    let mut node = node;
    while !node.is_null() {
        let this = json!({"node": node});
        let name = call(tool, "xmlNode_name", &this)?;
        let content = call(tool, "xmlNodeGetContent", &this)?;
        let of = ElementType::from(i32::try_from(
            call(tool, "xmlNode_type", &this)?["type"].as_i64().ok_or("a type is a number")?,
        )?);
        let (name, content) = (text(&name, "name")?, text(&content, "content")?);
        report.fact(format!("{:depth$}{name}, {of:?}: {content:?}", ""));
        walk_tokens(tool, call(tool, "xmlNode_children", &this)?["child"].take(), depth + 1, report)?;
        node = call(tool, "xmlNode_next", &this)?["next"].take();
    }
    Ok(())
}

/// With JSON.
///
/// # Errors
///
/// A call failed that should not.
pub fn json(tool: &dyn Tool, _: &Path) -> Done {
    let mut report = Report::default();
    let read = |text: &str, url: Option<&str>| {
        call(tool, "xmlReadMemory", &json!({"buffer": text, "URL": url, "options": SILENT}))
    };
    let doc = read(PLANETS, None)?;
    let root = call(tool, "xmlDocGetRootElement", &doc)?["root"].take();
    let prop = |node: &Value, name: &str| -> Result<Option<String>, Failed> {
        let value = call(tool, "xmlGetProp", &json!({"node": node, "name": name}))?;
        Ok(value["value"].as_str().map(str::to_owned))
    };
    report.fact(format!("star: {:?}", prop(&root, "star")?));

    let planet = call(tool, "xmlNewNode", &json!({"name": "planet"}))?["node"].take();
    call(tool, "xmlSetProp", &json!({"node": planet, "name": "rings", "value": "many"}))?;
    let new_text = |content: &str| call(tool, "xmlNewText", &json!({"content": content}));
    let add =
        |parent: &Value, child: &Value| call(tool, "xmlAddChild", &json!({"parent": parent, "child": child}));
    let first = add(&planet, &new_text("Ura")?["node"])?;
    let second = add(&planet, &new_text("nus")?["node"])?;
    report.fact(format!("merged: {}", first["added"] == second["added"]));
    let added = add(&root, &planet)?["added"].take();
    let path = call(tool, "xmlGetNodePath", &json!({"node": added}))?;
    report.fact(format!("path: {}, rings: {:?}", text(&path, "path")?, prop(&added, "rings")?));
    let comet = call(tool, "xmlNewNodeEatName", &json!({"name": "comet"}))?;
    call(tool, "xmlFreeNode", &comet)?;

    walk_tokens(tool, root, 0, &mut report)?;
    report.fact(text(&call(tool, "xmlDocDumpMemory", &doc)?, "text")?);
    call(tool, "xmlFreeDoc", &doc)?;
    report.failure(read(BROKEN, None))?;
    report.failure(read(UNKNOWN, Some("stars.xml")))?;
    Ok(report)
}
