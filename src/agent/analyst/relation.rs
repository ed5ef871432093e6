//! Relations by verb patterns: what stands between two entities of a sentence says how they are
//! related.

use crate::text;

/// The maximum number of words between two related entities.
const BETWEEN_WORDS: usize = 7;

/// What stands between two entities, without articles and adverbs; its relation; and `true` if the
/// second entity is the subject. Chosen by hand from the sentences of design documents, manuals and
/// encyclopaedias; `be` is any form of it.
const PATTERNS: &[(&str, &str, bool)] = &[
    ("replaces", "replaces", false),
    ("supersedes", "replaces", false),
    ("obsoletes", "replaces", false),
    ("be replaced by", "replaces", true),
    ("be superseded by", "replaces", true),
    ("requires", "requires", false),
    ("needs", "requires", false),
    ("depends on", "requires", false),
    ("relies on", "requires", false),
    ("be required by", "requires", true),
    ("be required for", "requires", true),
    ("uses", "uses", false),
    ("be used by", "uses", true),
    ("be used in", "uses", true),
    ("be based on", "is based on", false),
    ("builds on", "is based on", false),
    ("be derived from", "is based on", false),
    ("extends", "extends", false),
    ("be extended by", "extends", true),
    ("be kind of", "is a", false),
    ("be type of", "is a", false),
    ("be form of", "is a", false),
    ("be part of", "is part of", false),
    ("belongs to", "is part of", false),
    ("contains", "contains", false),
    ("includes", "contains", false),
    ("consists of", "contains", false),
    ("introduces", "introduces", false),
    ("adds", "introduces", false),
    ("be introduced by", "introduces", true),
    ("be added by", "introduces", true),
    ("be introduced in", "was introduced in", false),
    ("be added in", "was introduced in", false),
    ("be released in", "was introduced in", false),
    ("be published in", "was published in", false),
    ("be proposed by", "was proposed by", false),
    ("be developed by", "was developed by", false),
    ("be written by", "was written by", false),
    ("supports", "supports", false),
    ("be supported by", "supports", true),
    ("implements", "implements", false),
    ("be implemented by", "implements", true),
    ("be implemented in", "is implemented in", false),
    ("defines", "defines", false),
    ("be defined by", "defines", true),
    ("be defined in", "defines", true),
    ("causes", "causes", false),
    ("leads to", "causes", false),
    ("results in", "causes", false),
    ("be caused by", "causes", true),
    ("prevents", "prevents", false),
    ("reduces", "reduces", false),
    ("lowers", "reduces", false),
    ("increases", "increases", false),
    ("raises", "increases", false),
    ("improves", "improves", false),
    ("enables", "enables", false),
    ("allows", "enables", false),
    ("provides", "provides", false),
    ("produces", "produces", false),
];

/// Words that take a sentence back, or make a condition of it.
const UNCERTAIN: &[&str] = &[
    "not", "no", "never", "cannot", "neither", "nor", "if", "whether", "unless", "would", "could",
    "might", "should", "without", "instead", "rarely", "hardly",
];

/// A relation of two entities, in the order in which they stand in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) relation: &'static str,
    /// `true` if the second entity is the subject.
    pub(super) is_reversed: bool,
}

/// `true` if a sentence says something outright: no question, no negation, no condition.
pub(super) fn is_assertion(sentence: &str) -> bool {
    let is_uncertain = |word: &str| UNCERTAIN.contains(&word) || word.ends_with("n't");
    !sentence.trim_end().ends_with('?')
        && !text::words(sentence).any(|word| is_uncertain(&text::fold(word.text)))
}

/// The relation that the words between two entities state.
pub(super) fn between(words: &str) -> Option<Pattern> {
    let is_plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || "-'’`".contains(c);
    if !words.chars().all(is_plain) {
        return None;
    }
    let folded: Vec<String> = text::words(words)
        .take(BETWEEN_WORDS + 1)
        .map(|word| text::fold(word.text))
        .collect();
    if folded.len() > BETWEEN_WORDS {
        return None;
    }
    let has_article = folded.iter().any(|word| word == "a" || word == "an");
    let core: Vec<String> = folded.iter().filter_map(|word| core(word)).collect();
    // "X is a Y", and not "X is Y's".
    if core == ["be"] && has_article {
        return Some(Pattern {
            relation: "is a",
            is_reversed: false,
        });
    }
    let (_, relation, is_reversed) = PATTERNS.iter().find(|(pattern, ..)| {
        let words = pattern.split(' ').map(text::stem);
        words.eq(core.iter().cloned())
    })?;
    Some(Pattern {
        relation,
        is_reversed: *is_reversed,
    })
}

/// A word of a pattern in the form in which it is compared; `None` for one that may be left out.
fn core(word: &str) -> Option<String> {
    match word {
        "is" | "are" | "was" | "were" | "been" | "being" => Some("be".to_owned()),
        "a" | "an" | "the" | "its" | "their" | "this" | "has" | "have" | "had" | "also" | "now"
        | "all" | "both" | "first" | "one" | "new" => None,
        _ if word.ends_with("ly") => None,
        _ => Some(text::stem(word)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_between_entities_are_relations() {
        for (words, expected) in [
            (" replaces the ", Some(("replaces", false))),
            (" has been replaced by ", Some(("replaces", true))),
            (" is a ", Some(("is a", false))),
            (" is ", None),
            (" also requires a new ", Some(("requires", false))),
            (
                " was first introduced in ",
                Some(("was introduced in", false)),
            ),
            (" and ", None),
            (", which replaces ", None),
            (" replaces. ", None),
            ("", None),
        ] {
            let relation = between(words).map(|pattern| (pattern.relation, pattern.is_reversed));
            assert_eq!(relation, expected, "{words}");
        }
    }

    #[test]
    fn only_assertions_relate_entities() {
        assert!(is_assertion("PEP 703 replaces PEP 684."));
        for other in [
            "PEP 703 does not replace PEP 684.",
            "PEP 703 doesn't replace PEP 684.",
            "If PEP 703 replaces PEP 684, it is so.",
            "Does PEP 703 replace PEP 684?",
        ] {
            assert!(!is_assertion(other), "{other}");
        }
    }
}
