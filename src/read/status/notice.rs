//! Notices: titles, lines and sentences by which a document says that it is not in force.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::super::metadata;
use super::german;
use super::words::{Statement, begins_with_edition, ends, lifecycle_of, name_after};
use crate::artifact::source::Lifecycle;
use crate::text;

/// The words for a stage that a notice may consist of, in English and German: strong ones, which
/// titles and headings of documents in force hardly have.
const NOTICE_WORDS: &[&str] = &[
    "archived",
    "deprecated",
    "draft",
    "historic",
    "historical",
    "obsolete",
    "obsoleted",
    "outdated",
    "preprint",
    "rejected",
    "replaced",
    "retired",
    "retracted",
    "superceded",
    "superseded",
    "withdrawn",
    "abgelöst",
    "archiviert",
    "aufgehoben",
    "entwurf",
    "ersetzt",
    "überholt",
    "ungültig",
    "veraltet",
    "widerrufen",
    "zurückgezogen",
];

/// The position from which on "this" is no subject of the sentence: "In short, this …".
const MAX_OPENING: usize = 4;

/// The nouns by which a notice names the document that it stands in.
const NOUNS: &[&str] = &[
    "adr",
    "agreement",
    "announcement",
    "article",
    "brochure",
    "bylaws",
    "catalogue",
    "chapter",
    "circular",
    "contract",
    "decision",
    "document",
    "draft",
    "edition",
    "guide",
    "guideline",
    "leaflet",
    "letter",
    "list",
    "manual",
    "memo",
    "memorandum",
    "note",
    "notice",
    "offer",
    "order",
    "page",
    "paper",
    "pep",
    "permit",
    "policy",
    "preprint",
    "press",
    "procedure",
    "proposal",
    "record",
    "regulations",
    "release",
    "report",
    "rfc",
    "rules",
    "schedule",
    "spec",
    "specification",
    "standard",
    "statutes",
    "study",
    "tariff",
    "text",
    "tutorial",
    "version",
    "wiki",
];

/// The verbs of a notice.
const VERBS: &[&str] = &["is", "was", "has", "should", "must"];

/// The words that may stand between the verb of a notice and the word for the stage.
const FILLERS: &[&str] = &[
    "a",
    "already",
    "an",
    "be",
    "been",
    "considered",
    "currently",
    "early",
    "first",
    "formally",
    "internal",
    "kept",
    "largely",
    "marked",
    "mostly",
    "now",
    "officially",
    "only",
    "preliminary",
    "regarded",
    "rough",
    "since",
    "still",
    "the",
    "therefore",
    "very",
    "working",
    "as",
    "erster",
    "interner",
    "nur",
    "vorläufiger",
];

/// The words for the stages that a document left: "was previously approved, but later withdrawn".
const EARLIER: &[&str] = &["accepted", "adopted", "approved", "merged", "published"];

/// The words between such a stage and the one that followed it.
const THEN: &[&str] = &[
    "and",
    "been",
    "but",
    "eventually",
    "finally",
    "has",
    "later",
    "subsequently",
    "then",
    "ultimately",
    "was",
];

/// The verbs by which somebody ends "this document": the forms, and the stage that it ends in.
const ENDS: &[(&[&str], Lifecycle)] = &[
    (&["retract", "retracted"], Lifecycle::Withdrawn),
    (&["withdraw", "withdrew"], Lifecycle::Withdrawn),
    (&["reject", "rejected"], Lifecycle::Rejected),
    (&["deprecate", "deprecated"], Lifecycle::Deprecated),
    (&["retire", "retired"], Lifecycle::Obsolete),
];

/// The words by which what somebody does to a document is denied, or only possible.
const UNCERTAIN: &[&str] = &[
    "can", "could", "if", "may", "might", "never", "not", "please", "should", "unless", "until",
    "would",
];

/// What follows the word for the stage in a notice without a subject.
const AFTER: &[&str] = &[
    "by ",
    "since ",
    "on ",
    "as of ",
    "from ",
    "for comment",
    "for consultation",
    "for discussion",
    "for review",
    "am ",
    "durch ",
    "seit ",
    "mit wirkung",
    "zum ",
];

/// The maximum number of words of such a notice; chosen by hand.
const LINE_WORDS: usize = 12;

/// The maximum number of words of a title with such a notice; chosen by hand.
const TITLE_WORDS: usize = 30;

/// The verbs by which a document names the one before it.
const REPLACES: &[&str] = &[
    "replaces ",
    "supersedes ",
    "obsoletes ",
    "revokes ",
    "repeals ",
    "ersetzt ",
];

/// The same verbs in the passive voice: "Order No. 7 is revoked and replaced by this order."
const REPLACED: &[&str] = &[
    "cancelled",
    "obsoleted",
    "repealed",
    "replaced",
    "revoked",
    "superseded",
    "withdrawn",
];

/// The maximum number of words of what such a sentence begins with; chosen by hand.
const SUBJECT_WORDS: usize = 14;

/// What a document is not any more if it is "no longer" this.
const NO_LONGER: &[&str] = &[
    "accurate",
    "active",
    "applicable",
    "applies",
    "correct",
    "current",
    "effective",
    "in",
    "maintained",
    "relevant",
    "supported",
    "up",
    "updated",
    "valid",
];

/// The status in a title: `[DEPRECATED] Title`, `Title (draft)`, `Obsolete: Title`.
pub(super) fn of_title(title: &str) -> Option<Statement> {
    let closed = |open: char, close: char| {
        let first = title
            .strip_prefix(open)
            .and_then(|rest| rest.split_once(close));
        let last = title
            .strip_suffix(close)
            .and_then(|rest| rest.rsplit_once(open));
        [first.map(|(mark, _)| mark), last.map(|(_, mark)| mark)]
    };
    let label = title.split_once(':').map(|(mark, _)| mark);
    closed('[', ']')
        .into_iter()
        .chain(closed('(', ')'))
        .chain([label])
        .flatten()
        .find_map(lone_mark)
}

/// A status of one to three words, one of which is that of a notice.
fn lone_mark(words: &str) -> Option<Statement> {
    let lower = words.to_lowercase();
    let all: Vec<&str> = text::words(&lower).map(|word| word.text).collect();
    let is_part =
        |word: &&str| NOTICE_WORDS.contains(word) || NOUNS.contains(word) || FILLERS.contains(word);
    let is_mark = all.len() <= 3
        && all.iter().any(|word| NOTICE_WORDS.contains(word))
        && all.iter().all(is_part);
    let is_in_progress = all == ["work", "in", "progress"];
    (is_mark || is_in_progress).then(|| Statement::of_words(words.trim().to_owned()))
}

/// The words of which every notice has one, and every sentence on what a document replaces.
static MARKS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let phrases = [
        "no longer",
        "out of date",
        "in progress",
        "by this",
        "hereby",
        "nicht mehr",
        "er kraft",
        "ß kraft",
    ];
    let verbs = ENDS.iter().flat_map(|(forms, _)| forms.iter().copied());
    let all = NOTICE_WORDS.iter().copied().chain(phrases);
    let all = all.chain(verbs).chain(REPLACES.iter().copied());
    // The automaton folds ASCII letters only.
    let umlauts = NOTICE_WORDS.iter().filter(|word| !word.is_ascii());
    let capitals = umlauts.flat_map(|word| [word.to_uppercase(), german::with_capital(word)]);
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true);
    builder.build(all.map(str::to_owned).chain(capitals)).ok()
});

/// `true` if a paragraph may be a notice, or name what its document replaces: the others, most of
/// all, need no parsing.
pub(super) fn may_be_notice(paragraph: &str) -> bool {
    MARKS.as_ref().is_none_or(|marks| marks.is_match(paragraph))
}

/// `true` for a line above the title that is a notice and nothing else: "*** WITHDRAWN ***", "This
/// press release is withdrawn."
pub(super) fn is_banner(line: &str) -> bool {
    let bare = line.trim_matches(|c: char| !c.is_alphanumeric());
    let is_framed = [line.split(bare).next(), line.rsplit(bare).next()]
        .iter()
        .all(|marks| marks.is_some_and(|marks| marks.trim().len() >= FRAME_MARKS));
    // "Draft policy" is a title.
    let is_word = bare.chars().all(char::is_alphabetic);
    let is_mark = || lone_mark(bare).or_else(|| marked(bare)).is_some();
    let is_notice = || in_sentence(bare).is_some() || (is_word || is_framed) && is_mark();
    !bare.is_empty() && may_be_notice(line) && is_notice()
}

/// The number of marks on each side of a line in a frame: "*** DRAFT - not for citation ***".
const FRAME_MARKS: usize = 2;

/// The notice that a paragraph is or begins with.
pub(super) fn notice_in(paragraph: &str) -> Option<Statement> {
    let bare = paragraph.trim_matches(|c: char| !c.is_alphanumeric());
    // A title with the notice below it: "RULES OF THE CLUB of 1998 (no longer in force)".
    let is_title = !paragraph.contains(". ") && text::words(paragraph).count() <= TITLE_WORDS;
    let last = paragraph.trim_end().strip_suffix(')').filter(|_| is_title);
    let last = last.and_then(|rest| rest.rsplit_once('('));
    let in_brackets = || {
        let (_, line) = last?;
        lone_mark(line).or_else(|| marked(line))
    };
    lone_mark(bare)
        .or_else(|| marked(bare))
        .or_else(in_brackets)
        .or_else(|| in_imprint(paragraph))
        .or_else(|| {
            // Later sentences are mostly about other documents: "an earlier proposal … This
            // proposal was rejected".
            let first = text::sentences(paragraph, 0..paragraph.len()).into_iter();
            let mut first =
                first.filter(|range| text::words(&paragraph[range.clone()]).count() > 2);
            first
                .next()
                .and_then(|range| in_sentence(&paragraph[range]))
        })
}

/// A notice behind the edition: "Edition 3, May 2022. Superseded by Edition 4."
fn in_imprint(paragraph: &str) -> Option<Statement> {
    let sentences = text::sentences(paragraph, 0..paragraph.len()).into_iter();
    let mut sentences = sentences.filter(|_| metadata::is_imprint(paragraph));
    sentences.find_map(|range| {
        let sentence = &paragraph[range];
        marked(sentence.trim_matches(|c: char| !c.is_alphanumeric()))
    })
}

/// A notice that begins with the stage: `DEPRECATED. Use …`, `Obsolete: see …`, "Superseded by the
/// policy of 2025.", "No longer in force since May."
fn marked(paragraph: &str) -> Option<Statement> {
    let lower = paragraph.to_lowercase();
    if let Some(rest) = lower.strip_prefix("no longer ") {
        let next = text::words(rest).next()?.text;
        return NO_LONGER.contains(&next).then(|| Statement {
            lifecycle: Some(Lifecycle::Obsolete),
            stated: paragraph.to_owned(),
        });
    }
    if german::is_over(&lower) {
        return Some(Statement {
            lifecycle: Some(Lifecycle::Obsolete),
            stated: paragraph.to_owned(),
        });
    }
    let first = paragraph.split(|c: char| !c.is_alphanumeric()).next()?;
    let rest = paragraph[first.len()..].trim_start();
    let is_shouted = first.len() > 3 && first.chars().all(char::is_uppercase);
    let is_label = rest.starts_with([':', '!', '–', '—']);
    // "Replaced by his brother in May, he left" is a story.
    let is_line = text::words(paragraph).count() <= LINE_WORDS && !has_clause(paragraph);
    let is_elliptic = is_line && AFTER.iter().any(|word| rest.starts_with(word));
    // "Ersetzt: Fassung 2" names what it replaces, "Entwurf: Meyer" who designed it.
    let is_name = matches!(first.to_lowercase().as_str(), "ersetzt" | "entwurf");
    let is_label = is_label && !(is_name && rest.starts_with(':'));
    let is_shouted = is_shouted && !rest.to_lowercase().starts_with("und ");
    let is_mark = NOTICE_WORDS.contains(&first.to_lowercase().as_str());
    (is_mark && (is_shouted || is_label || is_elliptic)).then(|| Statement {
        lifecycle: later_stage(paragraph).or_else(|| lifecycle_of(first)),
        stated: paragraph.to_owned(),
    })
}

/// `true` for a comma before anything but an edition, which belongs to a name: "Advice, version 2".
fn has_clause(line: &str) -> bool {
    let mut clauses = line.split(',').skip(1);
    clauses.any(|clause| {
        let words: Vec<&str> = clause.split_whitespace().collect();
        !begins_with_edition(&words)
    })
}

/// The stage that ends what a line calls a draft before it: "DRAFT - NOT FOR CITATION - WITHDRAWN
/// ON 3 NOVEMBER 2023".
fn later_stage(line: &str) -> Option<Lifecycle> {
    let parts = line.split([',', ';', '–', '—']);
    let mut parts = parts
        .flat_map(|part| part.split(" - "))
        .map(str::to_lowercase);
    let is_line = text::words(line).count() <= LINE_WORDS;
    parts.find_map(|part| {
        let first = text::words(&part).next().filter(|_| is_line)?;
        let is_mark = NOTICE_WORDS.contains(&first.text);
        lifecycle_of(first.text).filter(|stage| is_mark && ends(*stage))
    })
}

/// The document that this one replaces, by a sentence of a paragraph: "It replaces the policy of
/// 2021", "This guide supersedes RFC 9", or behind the edition "Replaces Edition 3".
pub(super) fn predecessor_in(paragraph: &str) -> Option<String> {
    let sentences = text::sentences(paragraph, 0..paragraph.len());
    let is_imprint = metadata::is_imprint(paragraph);
    sentences.into_iter().find_map(|range| {
        let sentence = &paragraph[range];
        let lower = sentence.to_lowercase();
        let mut words = text::words(&lower).map(|word| word.text).peekable();
        let is_this = words
            .next_if(|word| matches!(*word, "this" | "the") || german::THIS.contains(word))
            .is_some();
        let is_it = !is_this
            && words
                .next_if(|word| matches!(*word, "it" | "sie"))
                .is_some();
        let is_noun = |word: &str| NOUNS.contains(&word) || german::is_document(word);
        let has_noun = is_this && words.next().is_some_and(is_noun);
        let verb = words.next()?;
        // "Replaces version 2" is of an edition of its own document.
        let mut is_of_edition = || words.next().is_some_and(metadata::is_word_for_edition);
        if !is_it && !has_noun && (is_this || !is_imprint && !is_of_edition()) {
            return None;
        }
        let verb = REPLACES.iter().find(|own| own.trim_end() == verb)?;
        // "This order revokes and replaces Order No. 7."
        name_after(sentence, &["and replaces ", "and supersedes ", verb])
    })
}

/// The document that a sentence says its own one ends: "Order No. 7 of 4 April is revoked and
/// replaced by this order", "Order No. 7 is hereby revoked".
pub(super) fn predecessor_ended_in(paragraph: &str) -> Option<String> {
    let sentences = text::sentences(paragraph, 0..paragraph.len());
    sentences.into_iter().find_map(|range| {
        let sentence = &paragraph[range];
        let lower = sentence.to_lowercase();
        let words: Vec<&str> = text::words(&lower).map(|word| word.text).collect();
        let verb = words
            .iter()
            .position(|word| matches!(*word, "is" | "are"))?;
        let behind = &words[verb + 1..];
        let is_hereby = behind.first() == Some(&"hereby");
        let ended = behind.get(usize::from(is_hereby))?;
        let by = |run: &[&str]| matches!(run, ["by", "this", noun] if NOUNS.contains(noun));
        let is_ended = REPLACED.contains(ended) && (is_hereby || behind.windows(3).any(by));
        let subject = &sentence[..[" is ", " are "]
            .iter()
            .filter_map(|verb| sentence.find(verb))
            .min()?];
        let has_number = subject.contains(|c: char| c.is_ascii_digit());
        let is_name = has_number && verb <= SUBJECT_WORDS;
        name_after(subject, &[""]).filter(|_| is_ended && is_name)
    })
}

/// A notice such as "This document has been superseded by RFC 9", or "The team decided to retract
/// this proposal".
fn in_sentence(sentence: &str) -> Option<Statement> {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> = text::words(&lower).map(|word| word.text).collect();
    let lifecycle = stage_of_subject(&words)
        .or_else(|| stage_of_object(&words))
        .or_else(|| german::stage_of_subject(&words, NOTICE_WORDS))?;
    Some(Statement {
        stated: sentence.to_owned(),
        lifecycle: Some(lifecycle),
    })
}

/// The stage that somebody gave "this document", without a word that denies it.
fn stage_of_object(words: &[&str]) -> Option<Lifecycle> {
    let (number, lifecycle) = words.iter().enumerate().find_map(|(number, word)| {
        let (_, lifecycle) = ENDS.iter().find(|(forms, _)| forms.contains(word))?;
        Some((number, *lifecycle))
    })?;
    let is_this =
        matches!(words.get(number + 1..), Some(["this", noun, ..]) if NOUNS.contains(noun));
    let is_certain = !words[..number].iter().any(|word| UNCERTAIN.contains(word));
    (is_this && number > 0 && is_certain).then_some(lifecycle)
}

/// The stage that "this document" is said to be in.
fn stage_of_subject(words: &[&str]) -> Option<Lifecycle> {
    let this = words
        .iter()
        .take(MAX_OPENING)
        .position(|word| *word == "this")?;
    // "This is …", "This old document of ours is …".
    let verb = words
        .iter()
        .skip(this + 1)
        .take(7)
        .position(|word| VERBS.contains(word))?
        + this
        + 1;
    let subject = &words[this + 1..verb];
    // "This was replaced" is about what the sentence before it is about.
    let is_plain = subject.is_empty() && words[verb] == "is";
    if !is_plain && !subject.iter().take(3).any(|word| NOUNS.contains(word)) {
        return None;
    }
    let rest: Vec<&str> = words[verb + 1..]
        .iter()
        .skip_while(|word| FILLERS.contains(word))
        .copied()
        .collect();
    match after_earlier(&rest) {
        ["no", "longer", word, ..] if NO_LONGER.contains(word) => Some(Lifecycle::Obsolete),
        ["out", "of", "date", ..] | ["for" | "of", "historical", ..] => Some(Lifecycle::Obsolete),
        ["work", "in", "progress", ..] => Some(Lifecycle::Draft),
        [word, ..] if NOTICE_WORDS.contains(word) => lifecycle_of(word),
        _ => None,
    }
}

/// The words behind the stages that a document left: "withdrawn" of "previously approved, but later
/// withdrawn".
fn after_earlier<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let behind = |number: &usize| {
        let is_once = matches!(
            words[..*number],
            [] | ["previously" | "originally" | "once"]
        );
        is_once && EARLIER.contains(&words[*number])
    };
    let Some(number) = (0..words.len().min(2)).find(behind) else {
        return words;
    };
    let rest = &words[number + 1..];
    let then = rest.iter().take_while(|word| THEN.contains(word)).count();
    &rest[then..]
}
