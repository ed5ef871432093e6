//! Documents of a party: what somebody publishes to further a matter of their own.

use crate::artifact::source::Source;
use crate::text;

/// Names of such documents in a title or a file name; a closed list, written by hand.
const OF_PARTIES: &str = "press release, press statement, media release, letter, brochure, \
    leaflet, flyer";

/// `true` for a document that its title or the name of its file calls a press release or the like.
pub(super) fn is_of_party(source: &Source) -> bool {
    let named = |name: &str| {
        let words: Vec<String> = name
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(text::fold)
            .collect();
        let mut names = OF_PARTIES.split(", ");
        names.any(|own| text::phrase(&words, own).is_some())
    };
    named(&source.title) || named(&source.locator)
}
