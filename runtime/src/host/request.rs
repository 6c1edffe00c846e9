//! The request to the program: its arguments, as the command `opendyn` writes them.
//!
//! `call|batch|serve|mcp (--document NAME [--library PATH] [--prefix NAME])… (--script PATH --name NAME)…
//! [options] [-- FUNCTION ARGUMENTS]`

use std::ffi::OsString;
use std::path::PathBuf;

/// A request.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    pub(super) order: Order,
    pub(super) documents: Vec<Document>,
    pub(super) scripts: Vec<Script>,
    /// Where scripts find modules.
    pub(super) modules: Vec<PathBuf>,
    /// The environment variables that scripts see in addition to a few standard ones.
    pub(super) environment: Vec<String>,
}

#[derive(Debug, PartialEq)]
pub(super) enum Order {
    /// One call; the arguments `-` are read from standard input.
    Call { function: String, arguments: String, compact: bool },
    /// One call per line of standard input.
    Batch,
    /// A server for clients of OpenTool and MCP.
    Serve { host: String, port: u16, tag: Option<String> },
    /// A server for the client that started the process.
    Mcp,
}

/// A document.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Document {
    /// Its name for the user.
    pub(super) name: String,
    /// Its library, if not the one that it names.
    pub(super) library: Option<PathBuf>,
    /// The prefix of its functions' names.
    pub(super) prefix: Option<String>,
}

/// A Python script.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Script {
    pub(super) path: PathBuf,
    /// The name of its function.
    pub(super) name: String,
}

impl Request {
    pub(super) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        let mut arguments = arguments.into_iter();
        let order = text(arguments.next().ok_or("there is no request")?)?;
        let mut documents: Vec<Document> = Vec::new();
        let (mut scripts, mut modules): (Vec<Script>, Vec<PathBuf>) = (Vec::new(), Vec::new());
        let mut environment: Vec<String> = Vec::new();
        let mut compact = false;
        let (mut host, mut port, mut tag) = ("127.0.0.1".to_owned(), 0, None);
        let mut rest = Vec::new();
        while let Some(argument) = arguments.next() {
            let option = text(argument)?;
            let mut value = || arguments.next().ok_or_else(|| format!("`{option}` has no value"));
            match option.as_str() {
                "--document" => documents.push(Document { name: text(value()?)?, ..Document::default() }),
                "--library" => last(&mut documents)?.library = Some(value()?.into()),
                "--prefix" => last(&mut documents)?.prefix = Some(text(value()?)?),
                "--script" => scripts.push(Script { path: value()?.into(), ..Script::default() }),
                "--name" => {
                    scripts.last_mut().ok_or("there is no script yet")?.name = text(value()?)?;
                }
                "--modules" => modules.push(value()?.into()),
                "--env" => environment.push(text(value()?)?),
                "--compact" => compact = true,
                "--host" => host = text(value()?)?,
                "--port" => {
                    port = text(value()?)?.parse().map_err(|error| format!("invalid port: {error}"))?;
                }
                "--tag" => tag = Some(text(value()?)?),
                "--" => rest = arguments.by_ref().map(text).collect::<Result<_, _>>()?,
                other => return Err(format!("unknown argument `{other}`")),
            }
        }
        let mut rest = rest.into_iter();
        let order = match (order.as_str(), rest.next(), rest.next()) {
            ("call", Some(function), Some(arguments)) => Order::Call { function, arguments, compact },
            ("batch", None, None) => Order::Batch,
            ("serve", None, None) => Order::Serve { host, port, tag },
            ("mcp", None, None) => Order::Mcp,
            (other, _, _) => return Err(format!("`{other}` is not a request, or its arguments are wrong")),
        };
        Ok(Self { order, documents, scripts, modules, environment })
    }
}

fn last(documents: &mut [Document]) -> Result<&mut Document, String> {
    documents.last_mut().ok_or_else(|| "there is no document yet".to_owned())
}

fn text(argument: OsString) -> Result<String, String> {
    argument.into_string().map_err(|argument| format!("{argument:?} is not text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        Request::parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn every_order_has_its_documents_and_their_libraries() {
        let document = |name: &str, library: Option<&str>, prefix: Option<&str>| Document {
            name: name.to_owned(),
            library: library.map(Into::into),
            prefix: prefix.map(Into::into),
        };
        assert_eq!(
            parsed("serve --document a --prefix x --document b --library /b.so --host ::1 --port 80 --tag 2"),
            Ok(Request {
                order: Order::Serve { host: "::1".to_owned(), port: 80, tag: Some("2".to_owned()) },
                documents: vec![document("a", None, Some("x")), document("b", Some("/b.so"), None)],
                scripts: Vec::new(),
                modules: Vec::new(),
                environment: Vec::new(),
            })
        );
        let order = Order::Call { function: "--f".to_owned(), arguments: "-".to_owned(), compact: true };
        assert_eq!(
            parsed("call --document a.json --compact -- --f -"),
            Ok(Request {
                order,
                documents: vec![document("a.json", None, None)],
                scripts: Vec::new(),
                modules: Vec::new(),
                environment: Vec::new(),
            })
        );
    }

    #[test]
    fn scripts_have_names_and_folders_of_modules() {
        let script = |path: &str, name: &str| Script { path: path.into(), name: name.to_owned() };
        assert_eq!(
            parsed("mcp --script /a.py --name a --modules /m --script b-c.py --name b-c --env A --env B"),
            Ok(Request {
                order: Order::Mcp,
                documents: Vec::new(),
                scripts: vec![script("/a.py", "a"), script("b-c.py", "b-c")],
                modules: vec!["/m".into()],
                environment: vec!["A".to_owned(), "B".to_owned()],
            })
        );
    }

    #[test]
    fn invalid_requests_are_refused() {
        for line in [
            "",
            "fly",
            "call --document",
            "call -- f",
            "mcp -- f {}",
            "serve --port http",
            "mcp --x",
            "mcp --name a",
        ] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
