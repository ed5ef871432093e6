//! Clarifying questions on a terminal: each is printed, and a line is read as its answer.

use std::io::{self, BufRead, IsTerminal as _, Read as _, Write};

use anyhow::{Result, anyhow};

use super::{Output, exit};
use crate::text::without_controls;

/// The length limit of an answer, in bytes: more than any sentence.
const MAX_ANSWER_BYTES: u64 = 10_000;

/// `true` if the user can be asked: standard input and standard error are terminals, and messages
/// are wanted.
pub(super) fn can_ask(output: &Output) -> bool {
    !output.quiet && io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks whether to do something that cannot be undone; `true` at once if the answer was given on
/// the command line.
///
/// # Errors
/// A usage error where nobody can be asked.
pub(super) fn consent(output: &Output, is_given: bool, question: &str) -> Result<bool> {
    if is_given {
        return Ok(true);
    }
    if !can_ask(output) {
        let problem = anyhow!("nobody can be asked here; add --yes to do it without a question");
        return Err(exit::usage(problem));
    }
    let mut stderr = io::stderr().lock();
    write!(stderr, "{} [y/N] ", without_controls(question))?;
    stderr.flush()?;
    let mut answer = String::new();
    let stdin = io::stdin().lock();
    stdin.take(MAX_ANSWER_BYTES).read_line(&mut answer)?;
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}

/// Asks questions one after another, and returns the answers as one text; `None` if all of them
/// are empty.
///
/// # Errors
/// When the answers cannot be read, or the questions not written.
pub(super) fn ask(
    questions: &[String],
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<Option<String>> {
    let mut answers = Vec::new();
    for (index, question) in questions.iter().enumerate() {
        let number = match questions.len() {
            1 => String::new(),
            count => format!("({}/{count}) ", index + 1),
        };
        // The question may be a model's, and the model may repeat what a page has told it.
        let question = without_controls(question);
        write!(output, "{number}{question}\n> ")?;
        output.flush()?;
        let mut answer = String::new();
        if input
            .by_ref()
            .take(MAX_ANSWER_BYTES)
            .read_line(&mut answer)?
            == 0
        {
            break;
        }
        let answer = without_controls(answer.trim()).into_owned();
        if !answer.is_empty() {
            answers.push(answer);
        }
    }
    Ok((!answers.is_empty()).then(|| answers.join("\n")))
}

/// Asks to confirm what cannot be undone; `true` where nobody can be asked, as in a script.
///
/// # Errors
/// When the answer cannot be read, or the question not written.
pub(super) fn confirm(output: &Output, question: &str) -> io::Result<bool> {
    if !can_ask(output) {
        return Ok(true);
    }
    let question = [question.to_owned()];
    let answer = ask(&question, &mut io::stdin().lock(), &mut io::stderr().lock())?;
    let answer = answer.unwrap_or_default().to_lowercase();
    Ok(["y", "yes"].contains(&answer.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed_answers(questions: &[&str], typed: &str) -> (Option<String>, String) {
        let questions: Vec<String> = questions.iter().map(|one| (*one).to_owned()).collect();
        let mut printed = Vec::new();
        let answer = ask(&questions, &mut typed.as_bytes(), &mut printed).unwrap();
        (answer, String::from_utf8(printed).unwrap())
    }

    #[test]
    fn answers_of_several_questions_are_one_text() {
        let (answer, printed) =
            typed_answers(&["Which house?", "Which year?"], "an old one\n 2024 \n");
        assert_eq!(answer.as_deref(), Some("an old one\n2024"));
        assert_eq!(printed, "(1/2) Which house?\n> (2/2) Which year?\n> ");
    }

    #[test]
    fn empty_lines_and_the_end_of_input_are_no_answer() {
        assert_eq!(typed_answers(&["Which house?"], "\n").0, None);
        assert_eq!(typed_answers(&["Which house?", "Which year?"], "").0, None);
        let (answer, _) = typed_answers(&["Which house?", "Which year?"], "\n2024");
        assert_eq!(answer.as_deref(), Some("2024"));
    }

    #[test]
    fn control_characters_of_a_question_do_not_reach_the_terminal() {
        let (_, printed) = typed_answers(&["Which\u{1b}[2J house?"], "\n");
        assert!(!printed.contains('\u{1b}'), "{printed:?}");
    }
}
