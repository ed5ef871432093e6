//! `research status --queue`: the state of the queue.

use std::fmt::Write as _;

use anyhow::Result;

use super::queue_args::connect;
use super::words::truncated;
use super::{Exit, Program};

/// The longest message and reason that a line shows, in characters.
const MESSAGE_CHARACTERS: usize = 100;
const REASON_CHARACTERS: usize = 400;

/// Prints the topics of each lane, and the reasons of the dead letters.
pub(super) fn queue(program: &Program<'_>, url: Option<&str>) -> Result<Exit> {
    let status = connect(program, url)?.status()?;
    if program.output.json {
        return program.output.value(&status);
    }
    let mut text = String::new();
    for row in &status.lanes {
        let lane = &row.lane;
        let _ = writeln!(
            text,
            "{lane:<16}  {} pending  {} leased  {} dead",
            row.pending, row.leased, row.dead
        );
    }
    if status.lanes.is_empty() {
        text.push_str("the queue is empty\n");
    }
    for letter in &status.letters {
        let message = truncated(letter.message.trim(), MESSAGE_CHARACTERS);
        let reason = truncated(&letter.reason, REASON_CHARACTERS);
        let _ = writeln!(text, "dead  {}  {message}: {reason}", letter.lane);
    }
    program.output.text(&text)
}
