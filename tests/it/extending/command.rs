//! A command of somebody else: a [`Command`] in the table is all it takes.

use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::Shell;
use research::cli::{Action, COMMANDS, Cli, Command, Exit, Group, Program, arguments};

use crate::harness::Scratch;

/// Writes the name and the number of files of a session.
const TOY: Command = Command {
    name: "count-files",
    about: "Count the files of a session",
    group: Group::Sessions,
    examples: &[(
        "Count those of the last one",
        "research count-files last --to count.txt",
    )],
    results: &[],
    define: |command, _| CountArgs::augment_args(command),
    action: Action::WithSession(|program, session, matches| {
        count(program, session, &arguments(matches)?)
    }),
};

#[derive(Args)]
struct CountArgs {
    /// Write the count to this file
    #[arg(long)]
    to: PathBuf,
}

fn count(program: &Program<'_>, session: &Path, arguments: &CountArgs) -> anyhow::Result<Exit> {
    let name = session.strip_prefix(program.output_dir())?;
    let files = session.read_dir()?.count();
    std::fs::write(&arguments.to, format!("{}: {files}", name.display()))?;
    Ok(Exit::Complete)
}

#[test]
fn command_in_the_table_is_in_help_and_completions_and_can_be_run() {
    let commands = [COMMANDS, &[TOY]].concat();
    let cli = Cli {
        commands: &commands,
        ..Cli::default()
    };
    let help = cli.definition().render_help().to_string();
    assert!(
        help.contains(TOY.name) && help.contains(TOY.about),
        "{help}"
    );
    let mut definition = cli.definition();
    let own = definition.find_subcommand_mut(TOY.name).unwrap();
    let own = own.render_help().to_string();
    assert!(own.contains("<SESSION>") && own.contains("--to"), "{own}");
    let mut script = Vec::new();
    clap_complete::generate(Shell::Bash, &mut cli.definition(), "research", &mut script);
    assert!(String::from_utf8(script).unwrap().contains(TOY.name));

    let scratch = Scratch::new();
    scratch.write("sessions/first/session.json", "{}");
    let [sessions, target] =
        ["sessions", "count.txt"].map(|name| scratch.path().join(name).display().to_string());
    let run = |session| {
        let arguments = ["research", "--output-dir", &sessions, TOY.name];
        cli.run([&arguments[..], &[session, "--to", &target]].concat())
    };
    // A unique prefix names the session, as for every command that takes one.
    assert_eq!(run("firs"), Exit::Complete);
    assert_eq!(scratch.read("count.txt"), "first: 1");
    assert_eq!(run("second"), Exit::Usage);
}
