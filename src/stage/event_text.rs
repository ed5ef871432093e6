//! Text in events: one line, short, and without addresses, which may hold a secret.

use serde::Serialize;

use crate::text::{one_line, truncate_with_ellipsis};

/// The maximum length of a text in an event, in characters (chosen by hand: a long sentence).
const LENGTH: usize = 300;

/// Returns a text as an event shows it: each address in it is replaced by its host.
pub(super) fn event_text(text: &str) -> String {
    // Cut before it is searched for addresses, so that a document of a text costs nothing.
    let line = one_line(&truncate_with_ellipsis(text, 4 * LENGTH));
    let words: Vec<&str> = line.split(' ').map(without_address).collect();
    truncate_with_ellipsis(&words.join(" "), LENGTH).into_owned()
}

/// Returns the name of a value as it stands in session files, such as `needs_research`.
pub(super) fn serialized(value: &impl Serialize) -> String {
    let name = serde_json::to_value(value).unwrap_or_default();
    name.as_str().unwrap_or_default().to_owned()
}

/// Returns the host of a word that is an address, else the word.
fn without_address(word: &str) -> &str {
    let Some((_, address)) = word.split_once("://") else {
        return word;
    };
    let authority = address.split(['/', '?', '#']).next().unwrap_or_default();
    // Without a user name and password, and without what punctuation follows the address.
    let host = authority.rsplit('@').next().unwrap_or_default();
    host.trim_end_matches(|c: char| c.is_ascii_punctuation())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_hosts() {
        for (text, shown) in [
            ("", ""),
            ("heat\npump", "heat pump"),
            (
                "failed to fetch https://a.org/x?key=s3cret: 404",
                "failed to fetch a.org 404",
            ),
            ("https://user:pass@a.org:8080/x", "a.org:8080"),
            ("see http://a.org.", "see a.org"),
        ] {
            assert_eq!(event_text(text), shown);
        }
        assert_eq!(event_text(&"word ".repeat(1000)).chars().count(), LENGTH);
    }
}
