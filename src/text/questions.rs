//! Questions in a list of questions and answers, which stand above their replies as headings do
//! without being marked as such.

use super::words::{fold, words};

/// The maximum number of words of such a question. Chosen by hand.
const QUESTION_WORDS: usize = 20;

/// The maximum number of words of the name of who asks, "MK: What breaks most often?"
const SPEAKER_WORDS: usize = 3;

/// Labels of a question and of the reply to it; closed lists, written by hand.
const QUESTION_LABELS: &[&str] = &["Q", "Question", "F", "Frage"];
const REPLY_LABELS: &[&str] = &["A", "Answer", "Antwort"];

/// The question that the first line of a paragraph is, in bold or behind "Q:", without its marks
/// and the name of who asks, and the length of that line in bytes.
pub(super) fn question_line(paragraph: &str) -> Option<(String, usize)> {
    let line = paragraph.lines().next()?.trim_end();
    let is_bold = line.len() > 4
        && line.starts_with("**")
        && line.ends_with("**")
        && line.matches("**").count() == 2;
    let plain = line.replace("**", "");
    let (speaker, rest) = plain.split_once(": ").unwrap_or(("", &plain));
    let is_speaker = speaker.split_whitespace().count() <= SPEAKER_WORDS;
    let question = if is_speaker { rest } else { &plain }.trim();
    let is_marked = is_bold || QUESTION_LABELS.contains(&speaker.trim());
    let words = question.split_whitespace().count();
    (is_marked && question.ends_with('?') && (1..=QUESTION_WORDS).contains(&words))
        .then(|| (question.to_owned(), line.len()))
}

/// Who speaks in a turn of a transcript, by a name in capitals, and what is said: "BRANDT: When?"
pub(super) fn turn(text: &str) -> Option<(&str, &str)> {
    let (speaker, words) = text.trim_start().split_once(": ")?;
    let is_capital = |c: char| c.is_uppercase() || !c.is_alphabetic();
    let letters = speaker.chars().filter(|c| c.is_alphabetic()).count();
    let is_name = speaker.chars().all(is_capital)
        && letters > 1
        && speaker.split_whitespace().count() <= SPEAKER_WORDS;
    is_name.then_some((speaker, words))
}

/// The question that a turn of a transcript asks, if somebody else has the next one.
pub(super) fn question_of_turn(own: &str, next: &str) -> Option<String> {
    let ((asking, question), (replying, _)) = (turn(own)?, turn(next)?);
    let words = question.split_whitespace().count();
    let is_asked = question.ends_with('?') && words <= QUESTION_WORDS && asking != replying;
    is_asked.then(|| question.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The length in bytes of the label with which a question begins, "Q: ", or of the name of who
/// asks, "BRANDT: ".
pub fn question_label(text: &str) -> usize {
    match label(text, QUESTION_LABELS) {
        0 => speaker(text),
        label => label,
    }
}

/// The length in bytes of the name of a speaker with which a text begins, in capitals or of words
/// that each have one.
fn speaker(text: &str) -> usize {
    let Some((name, rest)) = text.split_once(": ") else {
        return 0;
    };
    let words = name.split_whitespace();
    let is_name = |word: &str| word.trim_matches('*').starts_with(char::is_uppercase);
    let is_speaker = words.clone().all(is_name) && (1..=SPEAKER_WORDS).contains(&words.count());
    usize::from(is_speaker) * (text.len() - rest.trim_start().len())
}

/// The length in bytes of the label with which the reply to a question begins, "A: ".
pub fn reply_label(text: &str) -> usize {
    label(text, REPLY_LABELS)
}

/// The text above a reply without the label of that at its end.
pub fn without_reply_label(above: &str) -> &str {
    let above = above.trim_end();
    let last = above.rsplit_once(char::is_whitespace);
    let before = last.filter(|(_, word)| is_label(word, REPLY_LABELS));
    before.map_or(above, |(before, _)| before)
}

fn label(text: &str, labels: &[&str]) -> usize {
    let first = text.split_once(char::is_whitespace);
    let behind = first.filter(|(word, _)| is_label(word, labels));
    behind.map_or(0, |(_, rest)| text.len() - rest.trim_start().len())
}

/// `true` for one of some labels with its colon, in bold or not.
fn is_label(word: &str, labels: &[&str]) -> bool {
    let plain = word.replace("**", "");
    let plain = plain.strip_suffix(':');
    plain.is_some_and(|plain| labels.contains(&plain))
}

/// Whether a sentence is a reply that begins with "yes", or with "no": "No. Fares stay." but not
/// "No charge applies". `None` for any other sentence.
pub fn reply(sentence: &str) -> Option<bool> {
    let first = words(sentence).next()?;
    let rest = &sentence[first.range.end..];
    let is_reply = rest.trim().is_empty() || rest.starts_with([',', '.', ':', ';', '!']);
    match fold(first.text).as_str() {
        "yes" if is_reply => Some(true),
        "no" if is_reply => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_in_a_line_of_its_own_is_a_heading() {
        for (paragraph, question) in [
            ("**Who can apply?**\nAnyone.", Some("Who can apply?")),
            ("**Who can apply?**", Some("Who can apply?")),
            ("Q: Who can apply?\nA: Anyone.", Some("Who can apply?")),
            (
                "**Q:** Who can apply?\n**A:** Anyone.",
                Some("Who can apply?"),
            ),
            ("**MK: What breaks?**\nAll of it.", Some("What breaks?")),
            ("Who can apply?\nAnyone.", None),
            ("**Who** can **apply?**\nAnyone.", None),
            ("**Who can apply?** Anyone.", None),
            ("**Apply now!**\nAnyone can.", None),
            ("**?**", Some("?")),
            ("****", None),
            ("", None),
        ] {
            let line = question_line(paragraph);
            assert_eq!(line.map(|(own, _)| own).as_deref(), question, "{paragraph}");
        }
        assert_eq!(reply_label("A: Anyone."), 3);
        assert_eq!(reply_label("**A:** Anyone."), 7);
        assert_eq!(reply_label("A boy: Anyone."), 0);
        assert_eq!(question_label("Q: Who?"), 3);
        assert_eq!(question_label("BRANDT: Who?"), 8);
        assert_eq!(question_label("Is it so: who?"), 0);
        assert_eq!(without_reply_label("Who?\n**A:** "), "Who?");
        assert_eq!(without_reply_label("Who? "), "Who?");
    }
}
