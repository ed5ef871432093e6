//! The keys of this process, and their redaction from everything that is written.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::GeneralPurpose;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};

/// The replacement of a key.
const MASK: &str = "[key]";

/// The shortest value that is redacted: anything shorter is not a key, and redacting it would
/// damage ordinary words (chosen by hand).
const SHORTEST: usize = 8;

/// The shortest beginning or end of a key that is redacted (chosen by hand): half of the key,
/// within these limits. Shorter ones are what providers repeat to tell keys apart, and what all of
/// theirs begin with, of which `sk-ant-api03-` is the longest.
const SHORTEST_PART: usize = 12;
const LONGEST_PART: usize = 16;

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
    /// address, and in base64, also behind a user name.
    pub(super) fn add(&mut self, key: &SecretString) {
        let key = key.expose_secret();
        if key.len() < SHORTEST {
            return;
        }
        let json = serde_json::Value::from(key).to_string();
        let escaped: String = key.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let plain = [
            key.to_owned(),
            json.trim_matches('"').to_owned(),
            utf8_percent_encode(key, QUERY).to_string(),
            escaped.to_lowercase(),
            escaped,
        ];
        let encoded = [BASE64_STANDARD, BASE64_URL_SAFE];
        let encoded = encoded
            .iter()
            .flat_map(|base64| shifted_base64(base64, key));
        for form in plain.into_iter().chain(encoded) {
            if self.0.iter().all(|other| other.expose_secret() != form) {
                self.0.push(form.into());
            }
        }
    }

    /// Returns a text with every key redacted, whole or as a beginning or end that tells much
    /// of it.
    pub(super) fn redact(&self, text: &str) -> String {
        let keys = self.0.iter().map(ExposeSecret::expose_secret);
        let mut ranges: Vec<Range<usize>> = keys.flat_map(|key| occurrences(text, key)).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        let (mut redacted, mut done) = (String::new(), 0);
        for range in ranges {
            // What overlaps with the one before is another form of the same key.
            if range.start >= done {
                redacted.push_str(&text[done..range.start]);
                redacted.push_str(MASK);
            }
            done = done.max(range.end);
        }
        redacted.push_str(&text[done..]);
        redacted
    }

    /// `true` if a text holds a key.
    pub(super) fn occur_in(&self, text: &str) -> bool {
        self.redact(text) != text
    }
}

/// A key in base64 after zero, one and two other bytes, without the letters that depend on what is
/// around it: base64 writes three bytes as four letters of six bits.
fn shifted_base64(base64: &GeneralPurpose, key: &str) -> impl Iterator<Item = String> {
    (0..3).map(|shift| {
        let bytes = [&vec![0; shift], key.as_bytes()].concat();
        let (first, last) = ((shift * 8).div_ceil(6), bytes.len() * 8 / 6);
        base64.encode(&bytes)[first..last].to_owned()
    })
}

/// The occurrences of a key in a text, and of a beginning or end of it.
fn occurrences(text: &str, key: &str) -> Vec<Range<usize>> {
    let shortest = (key.len() / 2)
        .clamp(SHORTEST_PART, LONGEST_PART)
        .min(key.len());
    // A key in other letters than ASCII has no part that is cut there: the next longer one.
    let beginning = (shortest..=key.len()).find_map(|end| key.get(..end));
    let ending = (shortest..=key.len()).find_map(|length| key.get(key.len() - length..));
    let (Some(beginning), Some(ending)) = (beginning, ending) else {
        return Vec::new();
    };
    let begun = text.match_indices(beginning).map(|(start, _)| {
        let length = shared_prefix(&text[start..], key);
        start..start + length
    });
    let ended = text.match_indices(ending).map(|(start, _)| {
        let missing = &key[..key.len() - ending.len()];
        start - shared_suffix(&text[..start], missing)..start + ending.len()
    });
    begun.chain(ended).collect()
}

/// The length in bytes of what two texts begin with.
fn shared_prefix(one: &str, other: &str) -> usize {
    let pairs = one.chars().zip(other.chars());
    let same = pairs.take_while(|(one, other)| one == other);
    same.map(|(c, _)| c.len_utf8()).sum()
}

/// The length in bytes of what two texts end with.
fn shared_suffix(one: &str, other: &str) -> usize {
    let pairs = one.chars().rev().zip(other.chars().rev());
    let same = pairs.take_while(|(one, other)| one == other);
    same.map(|(c, _)| c.len_utf8()).sum()
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
            "planted/0123456789abcdef",
            "%73%6b%2d%70%6c%61%6e%74%65%64%2f%30%31%32%33%34%35%36%37%38%39%61%62%63%64%65%66",
        ] {
            assert_eq!(
                secrets.redact(&format!("<{leaked}>")),
                "<[key]>",
                "{leaked}"
            );
        }
        // "user:" and the key in base64: what is left is the user's.
        for user in ["u:", "us:", "use:"] {
            let header = BASE64_STANDARD.encode(format!("{user}{key}"));
            let redacted = secrets.redact(&header);
            assert!(redacted.contains(MASK), "{header}");
            assert!(redacted.len() < MASK.len() + 10, "{redacted}");
        }
        // What providers show of a key to name it.
        assert!(!secrets.occur_in("sk-plant***cdef"));
        // Of a long key a quarter tells much, but not what all keys of a provider begin with.
        let long = format!("sk-ant-api03-{}", "0123456789abcdef".repeat(4));
        secrets.add(&SecretString::from(long.as_str()));
        assert_eq!(secrets.redact(&format!("{}…", &long[..20])), "[key]…");
        assert!(!secrets.occur_in(&long[..13]));
        let mut secrets = Secrets::default();
        secrets.add(&SecretString::from("пароль-пароль"));
        assert_eq!(secrets.redact("пароль-паро"), "[key]");
    }
}
