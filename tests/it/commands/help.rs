//! Help, manual pages and completions.

use std::fs;

use research::cli::{COMMANDS, Cli};

use super::finished;
use crate::harness::{Ran, Scratch, TOPIC};

#[test]
fn every_command_has_examples_that_can_be_typed() {
    let scratch = Scratch::new();
    let definition = Cli::default().definition();
    for command in COMMANDS {
        let help = scratch.expect(0, &[command.name, "--help"]).stdout;
        assert!(help.contains("\nExamples:\n"), "{help}");
        assert!(!command.examples.is_empty(), "{}", command.name);
        for (_, line) in command.examples {
            let words = shlex::split(line).unwrap();
            assert_eq!(words[..2], ["research", command.name], "{line}");
            let parsed = definition.clone().try_get_matches_from(words);
            parsed.unwrap_or_else(|error| panic!("{line}: {error}"));
            assert!(help.contains(line), "{line}: {help}");
        }
    }
}

#[test]
fn help_is_in_groups_and_has_defaults_and_variables() {
    let scratch = Scratch::new();
    let help = scratch.expect(0, &["--help"]).stdout;
    for command in COMMANDS {
        let line = help.lines().find(|line| {
            let mut words = line.split_whitespace();
            line.starts_with("  ") && words.next() == Some(command.name)
        });
        assert!(line.is_some(), "{}: {help}", command.name);
    }
    assert!(!help.contains("__reader"), "{help}");
    for words in [
        "Research:",
        "Sessions:",
        "Settings and help:",
        "Examples:",
        "NO_COLOR",
        "Exit codes",
    ] {
        assert!(help.contains(words), "{words}: {help}");
    }
    let help = scratch.expect(0, &["run", "--help"]).stdout;
    let headings: Vec<&str> = help
        .lines()
        .filter(|line| !line.starts_with(' ') && line.ends_with(':'))
        .collect();
    let expected = [
        "Arguments:",
        "Documents and web:",
        "Work:",
        "Model and limits:",
        "Report:",
        "Resume and redo:",
        "Global options:",
        "Examples:",
    ];
    assert_eq!(headings, expected);
    assert!(
        help.contains("[default: 0.6] [env: RESEARCH_RUN__THRESHOLD]"),
        "{help}"
    );
    let short = scratch.expect(0, &["run", "-h"]).stdout;
    assert!(
        short.contains("[default: 300]") && !short.contains("[env"),
        "{short}"
    );
    for line in help.lines().chain(short.lines()) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn name_of_a_command_is_no_directory_for_manual_pages() {
    let scratch = Scratch::new();
    let page = scratch.expect(0, &["man", "run"]).stdout;
    assert!(page.contains(".TH research-run 1"), "{page}");
    assert!(!scratch.path().join("run").exists());
    let refused = scratch.expect(2, &["man", "pages"]).stderr;
    assert!(refused.contains("research man -o pages"), "{refused}");
}

#[test]
fn help_says_how_to_read_a_manual_page_from_a_pipe() {
    let help = Scratch::new().expect(0, &["man", "--help"]).stdout;
    assert!(help.contains("research man run | man -l -"), "{help}");
}

#[test]
fn manual_pages_have_the_sections_of_manual_pages() {
    let scratch = Scratch::new();
    scratch.expect(0, &["man", "-o", "pages"]);
    let sections = |name: &str| -> Vec<String> {
        let page = scratch.read(&format!("pages/{name}.1"));
        let lines = page.lines().filter_map(|line| line.strip_prefix(".SH "));
        lines
            .map(|line| line.trim_matches('"').to_owned())
            .collect()
    };
    for command in COMMANDS {
        let name = format!("research-{}", command.name);
        let sections = sections(&name);
        for expected in [
            "SYNOPSIS",
            "EXAMPLES",
            "ENVIRONMENT",
            "FILES",
            "EXIT STATUS",
            "SEE ALSO",
        ] {
            assert!(
                sections.iter().any(|section| section == expected),
                "{name}: {sections:?}"
            );
        }
        assert!(!sections.iter().any(|section| section == "EXTRA"), "{name}");
    }
    let pages = fs::read_dir(scratch.path().join("pages")).unwrap().count();
    assert_eq!(pages, COMMANDS.len() + 1);
    let batch = scratch.read("pages/research-batch.1");
    assert!(batch.contains("research batch [OPTIONS] <LIST>"), "{batch}");
    assert!(batch.contains("RESEARCH_SECTION__KEY"), "{batch}");
    assert!(!batch.contains('\u{1b}'), "{batch}");
}

#[test]
fn completions_know_sessions_stages_services_and_models() {
    let scratch = finished();
    let complete = |words: &[&str]| {
        let mut command = scratch.command(&[&["--", "research"], words].concat());
        let ran = Ran::from(command.env("RESEARCH_COMPLETE", "fish").output().unwrap());
        ran.assert_ended(0, &words.join(" "));
        assert_eq!(ran.stderr, "");
        ran.stdout
    };
    let sessions = complete(&["show", ""]);
    assert!(sessions.contains(&format!("s\t{TOPIC}\n")), "{sessions}");
    assert!(sessions.contains("last\n"), "{sessions}");
    let files = complete(&["run", "x", "--until", "re"]);
    assert_eq!(files, "research\nreview\n");
    assert_eq!(
        complete(&["run", "x", "--search", "arxiv,wiki"]),
        "arxiv,wikipedia\n"
    );
    let models = complete(&["run", "x", "--model", "openai"]);
    assert!(models.contains("openai:gpt"), "{models}");
    assert_eq!(complete(&["schema", "err"]), "error\n");
    assert_eq!(complete(&["prompts", "plan"]), "planner\n");
    let commands = complete(&[""]);
    assert!(
        commands.contains("explain\t") && !commands.contains("__reader"),
        "{commands}"
    );
    // Broken settings do not garble the command line that is being typed.
    scratch.write("config/research.toml", "[");
    assert!(complete(&["show", ""]).contains("last"));
}
