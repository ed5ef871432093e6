//! `research verify`: every quotation of a session against its stored texts.

use anyhow::Result;

use super::Program;
use super::exit::Exit;
use crate::run;

/// Verifies a session; fails if one quotation does not hold.
pub(super) fn verify(program: &Program<'_>, reference: &str) -> Result<Exit> {
    let path = program.find(reference)?;
    let verified = run::verify(&path)?;
    let exit = if verified.problems.is_empty() {
        Exit::Complete
    } else {
        Exit::Failed
    };
    if program.output.json {
        program.output.value(&verified)?;
        return Ok(exit);
    }
    for problem in &verified.problems {
        program.output.complaint(problem);
    }
    program.output.text(&format!(
        "{} quotations of {} claims in {} sources checked, {} problems\n",
        verified.quotations,
        verified.claims,
        verified.sources,
        verified.problems.len()
    ))?;
    Ok(exit)
}
