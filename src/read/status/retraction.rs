//! Retractions of other documents: notices in files of their own, "Retraction notice to: A", and
//! sentences such as "The article “A” has been retracted".

use super::{HEAD_LINES, NOTICE_PARAGRAPHS, paragraphs, plain};
use crate::artifact::source::DocumentStatus;
use crate::read::metadata;
use crate::text;

/// The labels with which the title of such a notice begins; a closed list, written by hand.
const LABELS: &[&str] = &[
    "notice of retraction",
    "retraction notice",
    "retraction note",
    "retraction statement",
    "retraction",
];

/// The words between such a label and what is retracted.
const OF: &[&str] = &["to", "of", "for"];

/// Nouns for what is retracted; a closed list, written by hand.
const NOUNS: &[&str] = &[
    "article",
    "chapter",
    "letter",
    "manuscript",
    "paper",
    "preprint",
    "publication",
    "report",
    "review",
    "study",
    "trial",
];

/// The number of words at the beginning of a sentence, or behind its verb, among which that noun
/// is: "The following research article". Chosen by hand.
const NOUN_WORDS: usize = 4;

/// Words with which a retraction is denied, demanded or only possible.
const UNCERTAIN: &[&str] = &[
    "could", "if", "may", "might", "never", "not", "should", "unless", "until", "whether", "would",
];

/// Phrases behind what is retracted that give the reason.
const REASONS: &[&str] = &[
    " because",
    " after ",
    " following ",
    " since ",
    " due to ",
    " owing to ",
    " at the request ",
];

/// Notes what a document retracts, if it does. A notice in a file of its own says "this article" of
/// another one, and is not retracted itself.
pub(in crate::read) fn note(status: &mut DocumentStatus, title: &str, text: &str) {
    let named = of_title(title);
    let of_notice = named.map(|named| [named, &cited_above(text)].join("\n"));
    if of_notice.is_some() {
        (status.stated, status.lifecycle) = (None, None);
    }
    status.retracts = of_notice.or_else(|| by_sentence(text));
}

/// What the title of a notice says is retracted, "" if it is only called a notice; `None` for any
/// other title.
fn of_title(title: &str) -> Option<&str> {
    let label = LABELS.iter().find_map(|label| {
        let begins = title.get(..label.len())?.eq_ignore_ascii_case(label);
        begins.then(|| &title[label.len()..])
    })?;
    let rest = label.trim_start_matches([':', '.', '-', '–', '—', ' ']);
    let (first, behind) = rest.split_once(' ').unwrap_or((rest, ""));
    let of = OF.contains(&first.trim_end_matches(':').to_lowercase().as_str());
    // "Retraction rates in surgery" is on a matter.
    let is_label = rest.is_empty() || label.starts_with([':', '.', '–', '—']) || of;
    is_label.then_some(if of { behind } else { rest })
}

/// What a notice cites above the sentence that says that it is retracted.
fn cited_above(text: &str) -> String {
    let front = metadata::front_matter(text).map_or(0, |front| front.lines().count() + 2);
    let lines: Vec<&str> = text.lines().skip(front).take(HEAD_LINES).collect();
    let (_, above) = paragraphs(&lines);
    let above = above.iter().take(NOTICE_PARAGRAPHS);
    let above = above.take_while(|paragraph| verb_in(paragraph).is_none());
    above.map(|own| plain(own)).collect::<Vec<_>>().join("\n")
}

/// The byte ranges of the verb of a retraction in a sentence: "has been retracted", "retract".
fn verb_in(sentence: &str) -> Option<std::ops::Range<usize>> {
    let is_verb = |word: &text::Word<'_>| {
        matches!(
            &*text::fold(word.text),
            "retract" | "retracts" | "retracted"
        )
    };
    text::words(sentence).find(is_verb).map(|word| word.range)
}

/// What a sentence of a text says is retracted, as far as it is named.
fn by_sentence(text: &str) -> Option<String> {
    let mut lines = text.split("\n\n").filter(|own| verb_in(own).is_some());
    lines.find_map(|paragraph| {
        let paragraph = plain(paragraph);
        let ranges = text::sentences(&paragraph, 0..paragraph.len()).into_iter();
        let named: Vec<String> = ranges.filter_map(|own| named_in(&paragraph[own])).collect();
        (!named.is_empty()).then(|| named.join("\n"))
    })
}

/// What a sentence says is retracted: "The article “A” has been retracted", "We retract our paper
/// “A”, because …".
fn named_in(sentence: &str) -> Option<String> {
    let verb = verb_in(sentence)?;
    let (before, behind) = (&sentence[..verb.start], &sentence[verb.end..]);
    let folded = text::folded(before);
    let has_noun = |text: &str| {
        let mut first = text::words(text).take(NOUN_WORDS);
        first.any(|word| NOUNS.contains(&&*text::fold(word.text)))
    };
    if folded.iter().any(|word| UNCERTAIN.contains(&word.as_str())) {
        return None;
    }
    let is_passive = folded
        .last()
        .is_some_and(|word| matches!(word.as_str(), "been" | "is" | "was" | "hereby"));
    let named = if is_passive { before } else { behind };
    let begins = text::words(named).next().map(|word| text::fold(word.text));
    let is_other = begins.is_some_and(|word| matches!(&*word, "the" | "our" | "an" | "a"));
    let ends = REASONS.iter().filter_map(|reason| named.find(reason));
    // What stands in quotation marks is the title, whatever words it has.
    let end = ends
        .min()
        .filter(|_| !is_passive && !named.contains(['“', '"', '„']));
    let named = &named[..end.unwrap_or(named.len())];
    (is_other && has_noun(named)).then(|| named.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::source::Lifecycle;

    fn noted(title: &str, text: &str) -> DocumentStatus {
        let mut status = super::super::of(title, text);
        note(&mut status, title, text);
        status
    }

    #[test]
    fn a_notice_names_what_it_retracts_and_is_not_retracted() {
        let title = "Tea and sleep in old age";
        let cited = "Lind A. Tea and sleep in old age. doi:10.1000/182";
        for (heading, text) in [
            ("Retraction notice to: Tea and sleep in old age", ""),
            ("Retraction: Tea and sleep in old age", ""),
            ("RETRACTION NOTICE", cited),
            ("Notice of retraction", cited),
        ] {
            let text =
                format!("# {heading}\n\n{text}\n\nThe editors have retracted this article.\n");
            let status = noted(heading, &text);
            let retracts = status.retracts.unwrap_or_default();
            assert!(retracts.contains(title), "{heading}: {retracts}");
            assert_eq!(status.lifecycle, None, "{heading}");
        }
        let own = noted(title, "This article has been retracted by the editors.\n");
        assert_eq!(own.lifecycle, Some(Lifecycle::Withdrawn));
        assert_eq!(own.retracts, None);
    }

    #[test]
    fn a_sentence_names_what_was_retracted() {
        for (sentence, names) in [
            ("The article “Tea and sleep” has been retracted.", true),
            (
                "We retract our paper \"Tea and sleep\", because of errors.",
                true,
            ),
            ("The article “Tea and sleep” has not been retracted.", false),
            ("The trial “Tea and sleep” should be retracted.", false),
            ("Beside “Tea and sleep”, one was retracted.", false),
            ("The claws are retracted.", false),
        ] {
            let retracts = noted("News", sentence).retracts;
            assert_eq!(retracts.is_some(), names, "{sentence}");
        }
        assert_eq!(noted("Retraction rates in surgery", "").retracts, None);
    }
}
