//! An export format of somebody else: a [`Format`] in the table is all it takes.

use research::cli::{Cli, Exit};
use research::export::{Edition, FORMATS, Format};

use crate::harness::Scratch;

/// One line per reference.
const TOY: Format = Format {
    name: "toy",
    extension: "txt",
    media_type: "text/plain; charset=utf-8",
    about: "The references, one per line",
    needs_texts: true,
    missing: None,
    render,
};

fn render(edition: &Edition<'_>) -> anyhow::Result<Vec<u8>> {
    let mut lines = String::new();
    for reference in &edition.report.references {
        let bytes = edition.texts[&reference.source].len();
        lines += &format!("{} {bytes} {}\n", reference.number, reference.title);
    }
    Ok(lines.into_bytes())
}

#[test]
fn export_format_in_the_table_is_in_the_help_and_can_be_exported() {
    let formats = [FORMATS, &[TOY]].concat();
    let cli = Cli {
        formats: &formats,
        ..Cli::default()
    };
    for (command, expected) in [
        ("export", &["toy:", "The references, one per line"][..]),
        ("run", &["toy:", "final_report.txt", "final_report.html"]),
    ] {
        let mut definition = cli.definition();
        let command = definition.find_subcommand_mut(command).unwrap();
        let help = command.render_long_help().to_string();
        for words in expected {
            assert!(help.contains(words), "{words}: {help}");
        }
    }

    let scratch = Scratch::with_few();
    scratch.research();
    let sessions = scratch.path().join("research-output");
    let [sessions, target] = [
        sessions.display().to_string(),
        sessions.join("s/final_report.txt").display().to_string(),
    ];
    let export = |format| {
        let arguments = ["research", "--output-dir", &sessions, "-q", "export", "s"];
        cli.run([&arguments[..], &["--format", format, "-o", &target]].concat())
    };
    // The file belongs to the format, so it may be written and written again.
    for _ in 0..2 {
        assert_eq!(export("toy"), Exit::Complete);
    }
    let lines = scratch.read("research-output/s/final_report.txt");
    let report = &scratch.json("report.json")["content"];
    let references = report["references"].as_array().unwrap();
    assert_eq!(lines.lines().count(), references.len());
    let title = references[0]["title"].as_str().unwrap();
    assert!(lines.lines().next().unwrap().ends_with(title), "{lines}");
}
