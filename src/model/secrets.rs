//! The keys of this process, and their redaction from everything that is written.

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};

/// The replacement of a key.
const MASK: &str = "[key]";

/// The shortest value that is redacted: anything shorter is not a key, and redacting it would
/// damage ordinary words (chosen by hand).
const SHORTEST: usize = 8;

/// The shortest beginning of a key that is redacted, if it is half of the key too (chosen by hand):
/// shorter ones are what providers repeat to tell keys apart, and what all of theirs begin with.
const BEGINNING: usize = 12;

/// The characters that are escaped in a query: all but the unreserved ones (RFC 3986, section 2.3).
const QUERY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// The keys of this process.
#[derive(Clone, Default)]
pub(super) struct Secrets(Vec<SecretString>);

impl Secrets {
    /// Adds a key, in all forms in which a provider may repeat it: as it is, as in JSON, as in an
    /// address, and in base64.
    pub(super) fn add(&mut self, key: &SecretString) {
        let key = key.expose_secret();
        if key.len() < SHORTEST {
            return;
        }
        let json = serde_json::Value::from(key).to_string();
        let forms = [
            key.to_owned(),
            json.trim_matches('"').to_owned(),
            utf8_percent_encode(key, QUERY).to_string(),
            BASE64_STANDARD.encode(key).trim_end_matches('=').to_owned(),
            BASE64_URL_SAFE.encode(key).trim_end_matches('=').to_owned(),
        ];
        for form in forms {
            if self.0.iter().all(|other| other.expose_secret() != form) {
                self.0.push(form.into());
            }
        }
    }

    /// Returns a text with every key redacted, whole or cut off in its second half.
    pub(super) fn redact(&self, text: &str) -> String {
        let mut redacted = text.to_owned();
        for key in &self.0 {
            redacted = without(&redacted, key.expose_secret());
        }
        redacted
    }

    /// `true` if a text holds a key.
    pub(super) fn occur_in(&self, text: &str) -> bool {
        self.redact(text) != text
    }
}

/// A text with every occurrence of a key masked, or of a beginning of it.
fn without(text: &str, key: &str) -> String {
    let shortest = key.len().min(BEGINNING.max(key.len() / 2));
    // A key in other letters than ASCII has no beginning that ends there: the next longer one.
    let Some(beginning) = (shortest..=key.len()).find_map(|end| key.get(..end)) else {
        return text.to_owned();
    };
    let (mut masked, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(beginning) {
        let remainder = &key[beginning.len()..];
        let same = after.chars().zip(remainder.chars());
        let same = same.take_while(|(is, was)| is == was);
        let length: usize = same.map(|(is, _)| is.len_utf8()).sum();
        masked.push_str(before);
        masked.push_str(MASK);
        rest = &after[length..];
    }
    masked.push_str(rest);
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_redacted_plain_and_escaped() {
        let mut secrets = Secrets::default();
        secrets.add(&SecretString::from("sk-a\"bcdefgh"));
        secrets.add(&SecretString::from("no"));
        assert_eq!(secrets.redact("no: sk-a\"bcdefgh!"), "no: [key]!");
        assert_eq!(
            secrets.redact(r#"{"k":"sk-a\"bcdefgh"}"#),
            r#"{"k":"[key]"}"#
        );
        assert!(!secrets.occur_in("no"));
    }

    #[test]
    fn keys_are_redacted_when_encoded_or_cut_off() {
        let key = "sk-planted/0123456789abcdef";
        let mut secrets = Secrets::default();
        secrets.add(&SecretString::from(key));
        for leaked in [
            "sk-planted/0123456789abcd",
            "sk-planted/0123",
            "sk-planted%2F0123456789abcdef",
            "c2stcGxhbnRlZC8wMTIzNDU2Nzg5YWJjZGVm",
        ] {
            assert_eq!(
                secrets.redact(&format!("<{leaked}>")),
                "<[key]>",
                "{leaked}"
            );
        }
        // What providers show of a key to name it.
        assert!(!secrets.occur_in("sk-plant***cdef"));
        let mut secrets = Secrets::default();
        secrets.add(&SecretString::from("пароль-пароль"));
        assert_eq!(secrets.redact("пароль-паро"), "[key]");
    }
}
