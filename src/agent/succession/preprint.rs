//! Preprints: the sentence of a published article that says that its numbers replace those of its
//! preprint.

use std::sync::LazyLock;

use super::phrases::{DatedSentence, share_most};
use crate::text::{LazyPhrases, Phrases};

/// Words for an article before its review; a closed list, in English and German.
static PREPRINTS: LazyPhrases = LazyLock::new(|| Phrases::new("preprint, preprints, vorabdruck"));

/// Words with which an article says that what its preprint says does not hold; the same.
static REPLACED: LazyPhrases = LazyLock::new(|| {
    Phrases::new(
        "replace, replaces, replaced, supersede, supersedes, superseded, overestimated, \
         underestimated, overstated, understated, outdated, was wrong, were wrong, ersetzt, \
         ersetzen, uberschatzt, unterschatzt",
    )
});

/// `true` if a sentence of an article says that the preprint that another sentence is of does not
/// hold: the titles of both have most of their words in common.
pub(in crate::agent) fn replaces_preprint(
    later: DatedSentence<'_>,
    earlier: DatedSentence<'_>,
) -> bool {
    PREPRINTS.are_in(earlier.title)
        && !PREPRINTS.are_in(later.title)
        && PREPRINTS.are_in(later.text)
        && REPLACED.are_in(later.text)
        && share_most(later.title, earlier.title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_article_replaces_the_preprint_of_its_title_alone() {
        let of = |title, text| DatedSentence {
            text,
            title,
            date: None,
            heading: None,
        };
        let preprint = of("Reed beds against nitrate (preprint)", "They remove 60 %.");
        let says = "The numbers of this article replace those of the preprint.";
        let article = of("Reed beds against nitrate: a field study", says);
        assert!(replaces_preprint(article, preprint));
        assert!(!replaces_preprint(preprint, article));
        let other = of("Willows against phosphate: a field study", says);
        assert!(!replaces_preprint(other, preprint));
        let silent = of(article.title, "Reed beds remove 40 %.");
        assert!(!replaces_preprint(silent, preprint));
    }
}
