//! How much a sentence belongs to an aspect of a topic: by the heading it stands under, and by its
//! words.
//!
//! What an author puts under a heading tells more than a word in the sentence: under "Drawbacks"
//! every sentence is one, and reasons seldom use the word. Refuses to know what the topic is.

use std::collections::BTreeSet;

use crate::artifact::plan::Facet;
use crate::text;

/// Words of sentences, and of headings, that belong to an aspect. Stemmed like the text they are
/// looked for in.
struct Words {
    said: BTreeSet<String>,
    sections: BTreeSet<String>,
}

impl Words {
    fn of(said: &str, sections: &str) -> Self {
        Self {
            said: stems(said),
            sections: stems(sections),
        }
    }
}

/// An aspect, ready to be looked for.
pub(super) struct Aspect {
    facet: Facet,
    words: Words,
    /// Those of other options, which stand together with reasons under one heading often.
    other_options: Words,
    elsewhere: BTreeSet<String>,
}

/// Headings under which nothing answers a question about the subject itself.
const BESIDE: &str =
    "prior acknowledgement appendix acknowledgment changelog reference bibliography teach";

/// Headings of what is left open.
const OPEN_SECTIONS: &str = "unresolved open future question todo";

/// Words of other options, and of their headings.
const OPTIONS: &str = "alternative alternatively instead option rather replace could";
const OPTION_SECTIONS: &str = "alternative option";

impl Aspect {
    pub(super) fn of(facet: Facet) -> Self {
        let (said, sections) = match facet {
            Facet::How => (
                "how work mechanism process method step",
                "how work design explanation guide detail mechanism proposal solution semantic implementation",
            ),
            Facet::Why => (
                "why because reason benefit advantage help improve save allow avoid problem difficult cannot",
                "why motivation rationale reason benefit advantage background problem goal",
            ),
            Facet::Costs => (
                "cost drawback disadvantage risk problem price harder worse expensive downside complexity burden break confus danger",
                "cost drawback disadvantage risk downside limitation concern problem",
            ),
            Facet::Alternatives => (OPTIONS, OPTION_SECTIONS),
            Facet::Recommendations => (
                "recommend recommendation advise advice ought guideline",
                "recommendation advice guideline policy conclusion",
            ),
            Facet::Open => ("unresolved open undecided unclear future", OPEN_SECTIONS),
            Facet::Overview | Facet::Side | Facet::Figures | Facet::Entries | Facet::Term => {
                ("", "")
            }
        };
        let beside = match facet {
            Facet::Open => BESIDE.to_owned(),
            // What was not chosen is not what the document says.
            Facet::Overview | Facet::Entries | Facet::How => {
                format!("{BESIDE} {OPEN_SECTIONS} {OPTION_SECTIONS}")
            }
            _ => format!("{BESIDE} {OPEN_SECTIONS}"),
        };
        Self {
            facet,
            words: Words::of(said, sections),
            other_options: Words::of(OPTIONS, OPTION_SECTIONS),
            elsewhere: stems(&beside),
        }
    }

    /// Whether what stands under these headings, as terms, is beside the aspect.
    pub(super) fn is_elsewhere(&self, headings: &[String]) -> bool {
        headings.iter().any(|term| self.elsewhere.contains(term))
    }

    /// 0 to 1: under a heading of the aspect and with a word of it, under one, with a word only, or
    /// neither.
    pub(super) fn cue(&self, sentence: &str, headings: &[String], is_lead: bool) -> f64 {
        match self.facet {
            Facet::Overview => return if is_lead { 1.0 } else { 0.2 },
            Facet::Entries => return if is_lead { 1.0 } else { 0.3 },
            Facet::Side | Facet::Term => return if is_lead { 1.0 } else { 0.7 },
            Facet::Figures => return f64::from(measures(sentence)),
            _ => {}
        }
        let said: Vec<String> = text::words(sentence)
            .map(|word| text::stem(&text::fold(word.text)))
            .collect();
        let in_sentence = said.iter().any(|word| self.words.said.contains(word));
        let under = |sections: &BTreeSet<String>| headings.iter().any(|h| sections.contains(h));
        let mut in_headings = under(&self.words.sections);
        // "Rationale and alternatives": the words decide which of the two a sentence is.
        if self.facet == Facet::Why && in_headings && under(&self.other_options.sections) {
            let is_other = said
                .iter()
                .any(|word| self.other_options.said.contains(word));
            in_headings = in_sentence && !is_other;
        }
        match (in_sentence, in_headings) {
            (true, true) => 1.0,
            (false, true) => UNDER_HEADING,
            (true, false) => 0.4,
            (false, false) => 0.0,
        }
    }
}

/// The cue of a sentence that stands under a heading of the aspect.
pub(super) const UNDER_HEADING: f64 = 0.9;

fn stems(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(text::stem).collect()
}

/// Whether a sentence gives a quantity of something, or a decimal number; a year or a bare count is
/// none.
fn measures(sentence: &str) -> bool {
    let mut quantities = text::quantities(sentence).into_iter();
    quantities.any(|found| match found.unit.as_str() {
        "" => found.value.fract() != 0.0,
        unit => unit != "year",
    })
}
