//! The help of the command and of every subcommand, completions, manual pages.

#![allow(clippy::expect_used, clippy::panic, reason = "what helps a test may fail as a test does")]

mod command;

use command::{argument, assert_golden, command, folder, opendyn};

/// The subcommands, as the help of the command lists them.
fn subcommands() -> Vec<String> {
    let help = opendyn(&["--help"]).stdout;
    let listed = help.split("Options:").next().expect("a list");
    let lines = listed.lines().filter(|line| line.starts_with("  "));
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn the_help_is_as_it_was_read() {
    let run = opendyn(&["--help"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_golden("help/opendyn.txt", &run.stdout);
    for subcommand in subcommands() {
        let run = opendyn(&[&subcommand, "--help"]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{subcommand}");
        assert_golden(&format!("help/{subcommand}.txt"), &run.stdout);
    }
}

#[test]
fn short_and_long_help_are_one() {
    for subcommand in subcommands() {
        assert_eq!(
            opendyn(&[&subcommand, "-h"]).stdout,
            opendyn(&[&subcommand, "--help"]).stdout,
            "{subcommand}"
        );
    }
}

#[test]
fn help_fits_a_screen() {
    for subcommand in subcommands() {
        let help = opendyn(&[&subcommand, "--help"]).stdout;
        let limit = match subcommand.as_str() {
            // The two servers have what is served, where, and what is allowed; one of them can also be installed.
            "mcp" => 88,
            "serve" => 73,
            // The formats, and what bundles need.
            "export" => 45,
            _ => 36,
        };
        assert!(help.lines().count() <= limit, "{subcommand} has {} lines", help.lines().count());
        for line in help.lines() {
            assert!(line.chars().count() <= 100, "{subcommand}: {line}");
        }
        let about = help.lines().next().expect("a line");
        assert!(!about.ends_with('.') && about.len() <= 80, "{subcommand}: {about}");
    }
}

#[test]
fn every_subcommand_is_listed() {
    let listed = subcommands();
    let usage = opendyn(&["help"]).stdout;
    assert_eq!(usage, opendyn(&["--help"]).stdout);
    let script = opendyn(&["completions", "fish"]).stdout;
    let known = script.lines().filter(|line| {
        line.contains("__fish_opendyn_needs_command") && !line.contains(" -l ") && line.contains(" -a \"")
    });
    for line in known {
        let name = line.split("-a \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a name");
        assert!(name == "help" || listed.iter().any(|listed| listed == name), "{name} is not listed");
    }
}

#[test]
fn without_arguments_there_is_help_and_no_success() {
    let run = opendyn(&[]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("Usage: opendyn"), "{}", run.stderr);
}

#[test]
fn a_slip_is_answered_with_what_was_meant() {
    let run = opendyn(&["generat"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("'generate'"), "{}", run.stderr);
}

#[test]
fn help_has_colours_where_they_are_asked_for() {
    let help = |arguments: &[&str]| {
        let output = command(arguments).env_remove("NO_COLOR").output().expect("it starts");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(!help(&["fmt", "--help"]).contains('\u{1b}'));
    assert!(help(&["fmt", "--help", "--color=always"]).contains('\u{1b}'));
    assert!(!help(&["--color", "never", "fmt", "--help"]).contains('\u{1b}'));
}

#[test]
fn completions_are_for_five_shells() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = opendyn(&["completions", shell]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{shell}");
        for subcommand in subcommands() {
            assert!(run.stdout.contains(&subcommand), "{shell} does not know {subcommand}");
        }
    }
}

#[test]
fn there_is_a_manual_page_for_each_subcommand() {
    let folder = folder("man");
    assert_eq!(opendyn(&["man", "-o", argument(&folder)]).status, 0);
    let page = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it was written");
    assert_eq!(page("opendyn.1"), opendyn(&["man"]).stdout);
    for subcommand in subcommands() {
        let page = page(&format!("opendyn-{subcommand}.1"));
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{subcommand}");
    }
}
