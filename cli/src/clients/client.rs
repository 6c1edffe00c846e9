//! The clients: what each calls itself, which file it reads, and the form of an entry.
//!
//! The paths and forms are those of the clients' own documentation; `docs/command.md` says which were tried.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::failure::{Failure, Outcome};

/// An MCP client with a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// Claude Desktop.
    Claude,
    /// Claude Code: the file of a project.
    ClaudeCode,
    /// Visual Studio Code.
    Vscode,
    /// Cursor.
    Cursor,
}

/// Where the user's files are on this system.
pub(crate) struct Folders {
    /// `linux`, `macos` or `windows`.
    pub(crate) system: &'static str,
    pub(crate) home: Option<PathBuf>,
    /// `%APPDATA%` on Windows, `~/Library/Application Support` on macOS, `$XDG_CONFIG_HOME` elsewhere.
    pub(crate) settings: Option<PathBuf>,
    /// The folder of the project.
    pub(crate) current: PathBuf,
}

impl Folders {
    pub(crate) fn of_user() -> Outcome<Self> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
        let below = |folder: &str| home.as_ref().map(|home| home.join(folder));
        let system = std::env::consts::OS;
        let settings = match system {
            "windows" => set("APPDATA"),
            "macos" => below("Library/Application Support"),
            _ => set("XDG_CONFIG_HOME").or_else(|| below(".config")),
        };
        let current = std::env::current_dir()
            .map_err(|error| Failure::new(format!("cannot tell the current folder: {error}")))?;
        Ok(Self { system, home, settings, current })
    }
}

impl Client {
    /// Its name for people.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Desktop",
            Self::ClaudeCode => "Claude Code",
            Self::Vscode => "VS Code",
            Self::Cursor => "Cursor",
        }
    }

    /// The key whose members are the servers.
    pub(super) fn section(self) -> &'static str {
        match self {
            Self::Vscode => "servers",
            Self::Claude | Self::ClaudeCode | Self::Cursor => "mcpServers",
        }
    }

    /// A server that the client starts.
    pub(crate) fn entry(self, command: &str, arguments: &[String]) -> Value {
        match self {
            Self::Claude => json!({"command": command, "args": arguments}),
            Self::ClaudeCode | Self::Vscode | Self::Cursor => {
                json!({"type": "stdio", "command": command, "args": arguments})
            }
        }
    }

    /// The configuration file: that of the user, or that of the project in the current folder.
    pub(crate) fn file(self, folders: &Folders, project: bool) -> Outcome<PathBuf> {
        let current = &folders.current;
        match (self, project) {
            (Self::ClaudeCode, _) => Ok(current.join(".mcp.json")),
            (Self::Vscode, true) => Ok(current.join(".vscode/mcp.json")),
            (Self::Cursor, true) => Ok(current.join(".cursor/mcp.json")),
            (Self::Claude, true) => Err(Failure::new("Claude Desktop has no configuration for one project")
                .help("leave out --project, or use `--install claude-code`")),
            (Self::Vscode, false) => Ok(known(folders.settings.as_ref(), self)?.join("Code/User/mcp.json")),
            (Self::Cursor, false) => Ok(known(folders.home.as_ref(), self)?.join(".cursor/mcp.json")),
            (Self::Claude, false) => claude_desktop(folders),
        }
    }

    /// What to do before the client has the tools.
    pub(crate) fn then(self) -> &'static str {
        match self {
            Self::Claude => "quit Claude Desktop and start it again",
            Self::ClaudeCode => "start `claude` in this folder; it asks whether to trust the file",
            Self::Vscode => "start the server with `MCP: List Servers` in the command palette",
            Self::Cursor => "switch the server on in Cursor's settings for MCP",
        }
    }
}

fn known(folder: Option<&PathBuf>, client: Client) -> Outcome<&Path> {
    folder.map(PathBuf::as_path).ok_or_else(|| {
        Failure::new(format!(
            "cannot tell where {} keeps its configuration: the user has no home",
            client.title()
        ))
        .help("name the file with --config")
    })
}

/// Claude Desktop is made for macOS and Windows. Elsewhere its folder says that somebody has built one.
fn claude_desktop(folders: &Folders) -> Outcome<PathBuf> {
    let folder = known(folders.settings.as_ref(), Client::Claude)?.join("Claude");
    if !matches!(folders.system, "macos" | "windows") && !folder.is_dir() {
        let message = format!("Claude Desktop is not here: there is no folder `{}`", folder.display());
        return Err(Failure::new(message)
            .help("`--install claude-code` is for Claude Code in this folder; --config names another file"));
    }
    Ok(folder.join("claude_desktop_config.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(system: &'static str, settings: &str) -> Folders {
        Folders {
            system,
            home: Some("/home/ada".into()),
            settings: Some(settings.into()),
            current: "/project".into(),
        }
    }

    #[test]
    fn each_client_has_its_file_on_each_system() {
        for (system, settings) in [
            ("linux", "/home/ada/.config"),
            ("macos", "/home/ada/Library/Application Support"),
            ("windows", "C:/Users/ada/AppData/Roaming"),
        ] {
            let folders = folders(system, settings);
            let file = |client: Client, project| {
                client.file(&folders, project).map_err(|failure| failure.to_string())
            };
            let below = |path: &str| Ok(Path::new(settings).join(path));
            assert_eq!(file(Client::Vscode, false), below("Code/User/mcp.json"));
            assert_eq!(file(Client::Cursor, false), Ok("/home/ada/.cursor/mcp.json".into()));
            assert_eq!(file(Client::ClaudeCode, false), Ok("/project/.mcp.json".into()));
            assert_eq!(file(Client::Vscode, true), Ok("/project/.vscode/mcp.json".into()));
            assert_eq!(file(Client::Cursor, true), Ok("/project/.cursor/mcp.json".into()));
            assert!(file(Client::Claude, true).is_err());
            match system {
                "linux" => assert!(file(Client::Claude, false).is_err(), "the folder does not exist"),
                _ => assert_eq!(file(Client::Claude, false), below("Claude/claude_desktop_config.json")),
            }
        }
        let nobody = Folders { home: None, settings: None, ..folders("linux", "") };
        assert!(Client::Cursor.file(&nobody, false).is_err());
    }
}
