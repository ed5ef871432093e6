//! Replies: a question that yes or no answers states nothing by itself. Its words count with the
//! reply: "yes" says them, "no" and "only" deny them. One account for a question that is a heading
//! and one that stands inside a passage.

use std::ops::Range;

use super::finding;
use super::statement::inner_question::{InnerQuestion, without_reply_label};
use super::statement::inner_question::{
    asks_whether, bare, inner_questions, is_question, without_questions,
};
use super::support::{Passages, Support};
use crate::artifact::verification::Verdict;
use crate::text;

/// The support of a claim by a passage.
pub fn support(claim: &str, passage: &str) -> Support {
    support_by(claim, &[passage])
}

/// The support of a claim by several passages together: each match names its passage. A question
/// inside a passage that yes or no answers counts with its reply alone.
pub fn support_by(claim: &str, passages: &[&str]) -> Support {
    let support = |claim: &str| support_as_told(claim, passages);
    finding::judged(claim, passages, support)
}

/// The same of a claim as it is told, whoever is said to have found it.
fn support_as_told(claim: &str, passages: &[&str]) -> Support {
    let questions: Vec<Vec<InnerQuestion>> = passages
        .iter()
        .map(|passage| inner_questions(passage))
        .collect();
    if is_question(claim) || questions.iter().all(Vec::is_empty) {
        return Passages::parse(passages).support(claim);
    }
    let exchanges = passages.iter().zip(&questions);
    let plain = exchanges.map(|(passage, questions)| without_questions(passage, questions));
    let plain: Vec<String> = plain.collect();
    let plain: Vec<&str> = plain.iter().map(String::as_str).collect();
    let support = Passages::parse(&plain).support(claim);
    let exchanges = questions.iter().zip(passages).enumerate();
    let mut replies = exchanges.flat_map(|(number, (questions, passage))| {
        let questions = questions.iter();
        questions.filter_map(move |own| support_inside(claim, (number, passage), own))
    });
    let is_supported = support.verdict == Verdict::Supported;
    let reply = replies.find(|reply| !is_supported || reply.verdict != Verdict::Supported);
    reply.unwrap_or(support)
}

/// The support by a question inside a passage and its reply.
fn support_inside(
    claim: &str,
    (number, passage): (usize, &str),
    own: &InnerQuestion,
) -> Option<Support> {
    let question = &passage[own.range.clone()];
    let mut support = support_as_reply(claim, question, &passage[own.reply.clone()])?;
    shift(&mut support, |at| at + own.reply.start);
    for part in &mut support.matches {
        part.passage = number;
        // The reply without its question says nothing to a reader.
        part.range.start = own.range.start;
    }
    Some(support)
}

/// Moves the ranges of the matches.
fn shift(support: &mut Support, moved: impl Fn(usize) -> usize) {
    for part in &mut support.matches {
        part.range = moved(part.range.start)..moved(part.range.end);
    }
}

/// The support by a passage as the reply to a question: "About 3.8 TB" below "How big is the
/// database?" is one statement with it. Of a question that yes or no answers the words count below
/// a "yes", and "no" contradicts them. `None` if there is no question, or if the reply is on
/// something else.
pub fn support_as_reply(claim: &str, question: &str, words: &str) -> Option<Support> {
    if !is_question(question) {
        return None;
    }
    let reply = without_reply_label(words);
    let mut support = if asks_whether(question) {
        support_as_decision(claim, bare(question), reply)
    } else {
        support_with(claim, bare(question), reply)
    }?;
    shift(&mut support, |at| at + words.len() - reply.len());
    Some(support)
}

/// The support by the reply to a question that yes or no answers.
fn support_as_decision(claim: &str, question: &str, words: &str) -> Option<Support> {
    let first = text::sentences(words, 0..words.len()).into_iter().next()?;
    if let Some(support) = support_as_condition(claim, question, words) {
        return Some(support);
    }
    let Some(is_yes) = text::reply(words) else {
        return support_as_only(claim, question, &words[first]);
    };
    let decided = |claim: &str, verdict: Verdict| {
        let mut support = support(claim, question);
        let is_asked = support.verdict == Verdict::Supported;
        support.verdict = verdict;
        support.reasons = match (verdict, is_yes) {
            (Verdict::Supported, _) => Vec::new(),
            (_, true) => vec!["the reply to this question is yes".to_owned()],
            (_, false) => vec!["the reply to this question is no".to_owned()],
        };
        shown_as(&mut support, 0..words.len());
        is_asked.then_some(support)
    };
    let affirmed = affirmed(claim);
    match (&affirmed, is_yes) {
        (None, false) => decided(claim, Verdict::Contradicted),
        (Some(affirmed), true) => decided(affirmed, Verdict::Contradicted),
        (Some(affirmed), false) => decided(affirmed, Verdict::Supported),
        (None, true) => support_with(claim, question, words),
    }
}

/// The support by a question and its reply as one statement.
fn support_with(claim: &str, question: &str, words: &str) -> Option<Support> {
    let statement = format!("{question}: {words}");
    let mut support = support(claim, &statement);
    let start = statement.len() - words.len();
    shift(&mut support, |at| at.saturating_sub(start));
    support.matches.retain(|part| !part.range.is_empty());
    let is_shown = support.verdict == Verdict::Supported && !support.matches.is_empty();
    is_shown.then_some(support)
}

/// Makes all matches those of one range of the reply.
fn shown_as(support: &mut Support, range: Range<usize>) {
    for part in &mut support.matches {
        part.range = range.clone();
    }
}

/// A claim with one negation without it, blank in its place: "You can    go" for "You cannot go".
/// `None` for any other.
fn affirmed(claim: &str) -> Option<String> {
    let negation = |word: text::Word<'_>| {
        let folded = text::fold(word.text);
        let end = word.range.end;
        match folded.as_str() {
            "not" => Some(word.range),
            "cannot" | "can't" | "can’t" => Some(word.range.start + "can".len()..end),
            "won't" | "won’t" | "shan't" | "shan’t" => None,
            own if own.ends_with("n't") => Some(end - "n't".len()..end),
            own if own.ends_with("n’t") => Some(end - "n’t".len()..end),
            _ => None,
        }
    };
    let mut negations = text::words(claim).filter_map(negation);
    let range = negations.next().filter(|_| negations.next().is_none())?;
    let blank = " ".repeat(range.len());
    Some([&claim[..range.start], &blank, &claim[range.end..]].concat())
}

/// The support by a reply that gives the condition of what a question asks, "Only with a permit",
/// of a claim that is the question with that condition, or with "without" in its place.
fn support_as_condition(claim: &str, question: &str, words: &str) -> Option<Support> {
    let start = "Only with ".len();
    let end = words.find(['.', '!'])?;
    let condition = words
        .get(start..end)
        .filter(|_| words.starts_with("Only with "))?;
    let at = claim.find(&format!(" {condition}"))?;
    let rest = |word: &str| claim[..at].strip_suffix(word).map(str::to_owned);
    let (before, is_denied) = match (rest(" without"), rest(" only with"), rest(" with")) {
        (Some(before), _, _) => (before, true),
        (None, Some(before), _) | (None, None, Some(before)) => (before, false),
        _ => return None,
    };
    let behind = &claim[at + 1 + condition.len()..];
    let mut support = support(&[&before, behind].concat(), question);
    let is_asked = support.verdict == Verdict::Supported;
    if is_denied {
        support.verdict = Verdict::Contradicted;
        support.reasons = vec![format!(
            "the reply to this question is only with {condition}"
        )];
    }
    shown_as(&mut support, 0..end + 1);
    is_asked.then_some(support)
}

/// The support by a reply such as "Only on a lead" or "Tuesday to Sunday only" of a claim that is
/// the question without any of it: another day, month or number is denied, the rest is more than
/// the reply says.
fn support_as_only(claim: &str, question: &str, sentence: &str) -> Option<Support> {
    let own: Vec<String> = text::folded(sentence);
    let is_only = |word: Option<&String>| word.is_some_and(|word| word == "only");
    let is_restricting = is_only(own.first()) || is_only(own.last());
    let claimed = text::folded(claim);
    let stems: Vec<String> = claimed.iter().map(|word| text::stem(word)).collect();
    let shares = |word: &String| !text::is_stop_word(word) && stems.contains(&text::stem(word));
    if !is_restricting || own.iter().any(shares) {
        return None;
    }
    let mut support = support(claim, question);
    let is_asked = support.verdict == Verdict::Supported;
    let has_value = |words: &[String]| words.iter().any(|word| is_value(word));
    let excludes = has_value(&own) && has_value(&claimed);
    support.verdict = if excludes {
        Verdict::Contradicted
    } else {
        Verdict::Partial
    };
    let reply = sentence.trim().trim_end_matches(['.', '!']);
    support.reasons = vec![format!("the reply to this question is {reply:?}")];
    shown_as(&mut support, 0..sentence.len());
    is_asked.then_some(support)
}

/// `true` for a day of the week, a month or a number.
fn is_value(word: &str) -> bool {
    let day = word.trim_end_matches('s');
    let is_time = text::WEEKDAYS.contains(&day) || text::MONTHS.contains(&word);
    is_time || word.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_inside_a_passage_counts_with_its_reply_alone() {
        let consent = "Can tenants apply without consent? No. The owner must sign first.";
        let subsidy = "**Can I get the subsidy if I have already bought the system?**\nNo. You \
                       must have our approval before you order.";
        let labelled = "Q: Can I park a trailer in the yard?\nA: No.\nQ: Can I park a van there?\n\
                        A: Yes, at any time.";
        let bath = "Is the bath open on Mondays? No, Tuesday to Sunday only.";
        let only = "Is the bath open on Mondays? Only Tuesday to Sunday.";
        let bought = "get the subsidy if you have already bought the system.";
        for (claim, passage, verdict) in [
            ("Tenants can apply without consent.", consent, "no"),
            ("Tenants cannot apply without consent.", consent, "yes"),
            (&*format!("You {bought}"), subsidy, "no"),
            (&*format!("You cannot {bought}"), subsidy, "yes"),
            ("You can park a trailer in the yard.", labelled, "no"),
            ("You cannot park a trailer in the yard.", labelled, "yes"),
            ("You can park a van at any time.", labelled, "yes"),
            ("The bath is open on Mondays.", bath, "no"),
            ("The bath is not open on Mondays.", bath, "yes"),
            ("The bath is open on Mondays.", only, "no"),
            ("The bath is open on Sundays.", bath, "open"),
            (
                "Dogs are allowed in the hall.",
                "Are dogs allowed in the hall? Only on a lead.",
                "open",
            ),
            (
                "Tenants can apply without consent.",
                "Can tenants apply without consent?",
                "open",
            ),
        ] {
            let support = support(claim, passage);
            let answer = match support.verdict {
                Verdict::Supported => "yes",
                Verdict::Contradicted => "no",
                _ => "open",
            };
            assert_eq!(answer, verdict, "{claim} {passage} {support:?}");
        }
        let support = support("Tenants can apply without consent.", consent);
        assert_eq!(support.matches[0].range, 0..consent.len());
    }
}
