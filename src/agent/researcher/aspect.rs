//! Cue words of the aspects of a topic, in headings and sentences: the strength of the cue that a
//! sentence belongs to an aspect.
//!
//! A heading is a stronger cue than a word in the sentence: under "Drawbacks" every sentence is a
//! drawback, and reasons seldom use the word "reason". The lists are English, written by hand while
//! reading the reports on twenty questions to the 648 Rust RFCs (`benches/reports.rs`).

use std::collections::BTreeSet;

use super::candidate::Candidate;
use crate::artifact::plan::Facet;
use crate::text;

/// The cue words of an aspect, stemmed like the text in which they are looked up.
struct CueWords {
    sentences: BTreeSet<String>,
    headings: BTreeSet<String>,
}

impl CueWords {
    fn of(sentences: &str, headings: &str) -> Self {
        Self {
            sentences: stems(sentences),
            headings: stems(headings),
        }
    }
}

/// An aspect with its cue words.
pub(super) struct Aspect {
    facet: Facet,
    words: CueWords,
    /// Words of the usual headings of a section on the aspect; none if documents have no such
    /// section.
    usual_headings: BTreeSet<String>,
    /// The cue words of other options, which often share a heading with reasons.
    other_options: CueWords,
    /// Words of headings under which nothing belongs to the aspect.
    excluded_headings: BTreeSet<String>,
}

/// Words of headings under which nothing answers a question about the subject itself.
const BACK_MATTER: &str =
    "prior acknowledgement appendix acknowledgment changelog reference bibliography teach";

/// Words of headings of drawbacks, as in "Known problems".
const DRAWBACK_SECTIONS: &str = "drawback disadvantage downside con known";

/// Words of headings of open questions. "Questions about the building" are answered below it.
const OPEN_SECTIONS: &str = "unresolved open future todo";

/// Cue words of other options in sentences.
const OPTIONS: &str = "alternative alternatively instead option rather replace could";

/// Cue words of other options in headings.
const OPTION_SECTIONS: &str = "alternative option";

/// The strength of the cue under a heading of the aspect, without a cue word in the sentence.
pub(super) const UNDER_HEADING: f64 = 0.9;

/// The strength of a cue word in the sentence alone.
const IN_SENTENCE: f64 = 0.4;

/// The strength of the cue outside of a document's summary in a chronicle, which has no cue words:
/// the summary says best what the document is about.
const ENTRY_BODY: f64 = 0.3;

/// The same for a term, which needs the summary least.
const TERM_BODY: f64 = 0.7;

impl Aspect {
    pub(super) fn of(facet: Facet) -> Self {
        let (sentences, headings) = match facet {
            Facet::How => (
                "how work mechanism process method step",
                "how work design explanation guide detail mechanism proposal solution semantic \
                 implementation",
            ),
            Facet::Why => (
                "why because reason benefit advantage help improve save allow avoid problem \
                 difficult cannot",
                "why motivation rationale reason benefit advantage background problem goal",
            ),
            Facet::Costs => (
                "cost drawback disadvantage risk problem price harder worse expensive downside \
                 complexity burden break confus danger",
                "cost drawback disadvantage risk downside limitation concern problem",
            ),
            Facet::Alternatives => (OPTIONS, OPTION_SECTIONS),
            Facet::Recommendations => (
                "recommend recommendation advise advice ought guideline",
                "recommendation advice guideline policy conclusion",
            ),
            Facet::Open => ("unresolved open undecided unclear future", OPEN_SECTIONS),
            Facet::Overview
            | Facet::Side
            | Facet::Question
            | Facet::Figures
            | Facet::Entries
            | Facet::Term
            | Facet::Aspect => ("", ""),
        };
        let usual_headings = match facet {
            Facet::Why => "motivation rationale",
            Facet::Costs => "drawback disadvantage downside",
            Facet::Alternatives => "alternative",
            Facet::Recommendations => "recommendation",
            Facet::Open => "unresolved open",
            _ => "",
        };
        let excluded = match facet {
            Facet::Open => BACK_MATTER.to_owned(),
            // A drawback is no reason, whatever its words.
            Facet::Why => format!("{BACK_MATTER} {OPEN_SECTIONS} {DRAWBACK_SECTIONS}"),
            // A rejected alternative is not the document's own position.
            Facet::Entries | Facet::How => {
                format!("{BACK_MATTER} {OPEN_SECTIONS} {OPTION_SECTIONS}")
            }
            _ => format!("{BACK_MATTER} {OPEN_SECTIONS}"),
        };
        Self {
            facet,
            words: CueWords::of(sentences, headings),
            usual_headings: stems(usual_headings),
            other_options: CueWords::of(OPTIONS, OPTION_SECTIONS),
            excluded_headings: stems(&excluded),
        }
    }

    /// The degree of a section with the usual name of those on an aspect, "Drawbacks".
    pub(super) const USUAL: u8 = 2;

    /// `true` if a question has a word of the usual headings of the sections on the aspect.
    pub(super) fn is_named_in(&self, question: &str) -> bool {
        let mut words = text::words(question).map(|word| text::stem(&text::fold(word.text)));
        words.any(|word| self.usual_headings.contains(&word))
    }

    /// The degree to which these headings, given as terms, are those of a section on the aspect: 2
    /// for its usual name, such as "Drawbacks", 1 for another, such as "Risks", 0 for none.
    pub(super) fn section_degree(&self, headings: &[String]) -> u8 {
        if self.usual_headings.is_empty() || self.excludes(headings) {
            0
        } else if under(headings, &self.usual_headings) {
            Self::USUAL
        } else {
            u8::from(under(headings, &self.words.headings))
        }
    }

    /// `true` if these headings, given as terms, are those of other options alone: "Alternatives",
    /// but not "Rationale and alternatives".
    pub(super) fn is_other_option(&self, headings: &[String]) -> bool {
        !self.is_on_options()
            && under(headings, &self.other_options.headings)
            && !under(headings, &self.words.headings)
    }

    /// `true` if other options are asked for.
    pub(super) fn is_on_options(&self) -> bool {
        self.facet == Facet::Alternatives
    }

    /// `true` if nothing under these headings, given as terms, belongs to the aspect.
    pub(super) fn excludes(&self, headings: &[String]) -> bool {
        under(headings, &self.excluded_headings)
    }

    /// The strength of the cue that a sentence belongs to the aspect, 0 to 1.
    pub(super) fn cue(&self, candidate: &Candidate, is_lead: bool) -> f64 {
        match self.facet {
            Facet::Entries => return if is_lead { 1.0 } else { ENTRY_BODY },
            Facet::Term => return if is_lead { 1.0 } else { TERM_BODY },
            Facet::Figures => return f64::from(measures(&candidate.sentence)),
            // Stemmed, opening hours are open.
            Facet::Open if tells_of_opening(candidate) => return 0.0,
            _ => {}
        }
        // Stop words too: "how", "why" and "because" are cues.
        let (words, headings) = (candidate.stems(), &candidate.heading_terms);
        let in_sentence = words.iter().enumerate().any(|(at, word)| {
            let is_denied = || self.facet == Facet::Why && is_denied(words, at);
            self.words.sentences.contains(word) && !is_denied()
        });
        let mut in_headings = under(headings, &self.words.headings);
        // "Rationale and alternatives": the words decide which of the two a sentence is.
        if self.facet == Facet::Why && in_headings && under(headings, &self.other_options.headings)
        {
            let is_other = words
                .iter()
                .any(|word| self.other_options.sentences.contains(word));
            in_headings = in_sentence && !is_other;
        }
        match (in_sentence, in_headings) {
            (true, true) => 1.0,
            (false, true) => UNDER_HEADING,
            (true, false) => IN_SENTENCE,
            (false, false) => 0.0,
        }
    }
}

/// `true` under a heading on an opening or on the hours of it, and for a sentence in which somebody
/// opens something, or on an open day.
fn tells_of_opening(candidate: &Candidate) -> bool {
    let has = |text: &str, forms: &[&str]| {
        text::words(text).any(|word| forms.contains(&text::fold(word.text).as_str()))
    };
    let sentence = &candidate.sentence;
    let is_of_day = |text: &str| {
        let words = text::folded(text);
        let mut pairs = words.windows(2);
        pairs.any(|pair| pair[0] == "open" && matches!(&*pair[1], "day" | "days" | "house"))
    };
    let mut headings = candidate.headings.iter();
    headings.any(|own| has(own, &["opening"]) || is_of_day(own))
        || is_of_day(sentence)
        || has(sentence, &["opens", "opened", "opening"]) && !has(sentence, &["open"])
}

/// Words that deny what they stand beside: "saves little", "rarely pays", "no advantage".
const DENIALS: &str = "no not never little hardly rarely seldom barely without neither nor";

/// The number of words on either side of a cue among which it is denied.
const DENIAL_DISTANCE: usize = 2;

/// `true` if the word at a position is denied: what saves little is no reason for it.
fn is_denied(words: &[String], at: usize) -> bool {
    let near = at.saturating_sub(DENIAL_DISTANCE)..(at + DENIAL_DISTANCE).min(words.len());
    let is_denial = |word: &String| DENIALS.split(' ').any(|own| text::stem(own) == *word);
    words[near].iter().any(is_denial)
}

/// `true` if a heading, given as terms, has a cue word.
fn under(headings: &[String], cues: &BTreeSet<String>) -> bool {
    headings.iter().any(|term| cues.contains(term))
}

fn stems(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(text::stem).collect()
}

/// `true` if a sentence gives a quantity with a unit, or a decimal number; a year or a bare count
/// is not a measurement.
fn measures(sentence: &str) -> bool {
    text::quantities(sentence)
        .iter()
        .any(|quantity| match quantity.unit.as_str() {
            // A bare integer may be a count, a version or a section; a decimal number is measured.
            "" => quantity.value.fract() != 0.0,
            unit => unit != "year",
        })
}
