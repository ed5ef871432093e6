//! Reports on a terminal: rendered, and through a pager if they are longer than the screen.

use std::env;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::{Command, ExitStatus, Stdio};

use anstream::ColorChoice;
use url::Url;

use super::markdown;
use crate::platform::leave_interrupts_to_child;

/// The pager where PAGER is not set.
const DEFAULT: &str = "less";

/// What `less` does, unless LESS is set, as with git: it leaves short text (F), passes colors on
/// (R), and does not clear the screen at the end (X).
const LESS: &str = "FRX";

/// `true` if standard output is a terminal that can show a rendered report.
pub(super) fn is_wanted() -> bool {
    io::stdout().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Renders Markdown for the terminal on standard output.
pub(super) fn rendered(text: &str) -> String {
    let has_color = anstream::AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let directory = env::current_dir().ok().filter(|_| has_color);
    let base = directory.and_then(|path| Url::from_directory_path(path).ok());
    let rendered = markdown::render(text, textwrap::termwidth(), base.as_ref());
    if has_color {
        rendered
    } else {
        anstream::adapter::strip_str(&rendered).to_string()
    }
}

/// Shows text in the pager, if it is longer than the screen and there is a pager; `false` if the
/// caller has to print it.
pub(super) fn show(text: &str) -> bool {
    let height = terminal_size::terminal_size().map_or(0, |(_, height)| usize::from(height.0));
    if text.lines().count() < height || height == 0 {
        return false;
    }
    let pager = env::var("PAGER").unwrap_or_else(|_| DEFAULT.to_owned());
    if pager.trim().is_empty() || pager.trim() == "cat" {
        return false;
    }
    // As git does it: the variable is a command of the shell, with its options.
    let mut command = Command::new("sh");
    command.args(["-c", &pager]).stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        command.env("LESS", LESS);
    }
    // 127: the shell knows no such program.
    feed(command, text).is_some_and(|status| status.code() != Some(127))
}

/// Runs a program that reads text from its standard input; `None` if it does not start.
pub(super) fn feed(mut command: Command, text: &str) -> Option<ExitStatus> {
    let status = leave_interrupts_to_child(|| {
        let mut child = command.spawn()?;
        if let Some(mut input) = child.stdin.take() {
            // A reader who has seen enough closes the pipe.
            let _ = input.write_all(text.as_bytes());
        }
        child.wait()
    });
    status.flatten().ok()
}
