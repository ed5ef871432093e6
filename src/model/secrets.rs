//! The keys of this process, and their redaction from everything that is written.

use std::ops::Range;
use std::sync::Arc;

use aho_corasick::AhoCorasick;
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

/// The shortest part of a key that is redacted, in bytes (chosen by hand): shorter ones are what
/// providers repeat to tell keys apart.
const PART: usize = 12;

/// The longest beginning that all keys of a provider may have, up to a hyphen or an underscore, of
/// which `sk-ant-api03-` is the longest seen; by itself it tells nothing.
const LONGEST_PREFIX: usize = 16;

/// The letters of base64 for the bytes of a part.
const PART_IN_BASE64: usize = PART * 4 / 3;

/// The characters that are escaped in a query: all but the unreserved ones (RFC 3986, section 2.3).
const QUERY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// The keys of this process.
#[derive(Clone, Default)]
pub(super) struct Secrets {
    /// The parts of the keys that are redacted, in each form.
    parts: Vec<SecretString>,
    /// What they begin with as other keys do, in lower case.
    prefixes: Vec<String>,
    /// Finds them in either case; `None` if there is none.
    finder: Option<Arc<AhoCorasick>>,
}

impl Secrets {
    /// Adds a key, in all forms in which a provider may repeat it: as it is, as in JSON, as in an
    /// address, in hexadecimal digits, and in base64, also behind a user name.
    pub(super) fn add(&mut self, key: &SecretString) {
        let key = key.expose_secret();
        if key.len() < SHORTEST {
            return;
        }
        let json = serde_json::Value::from(key).to_string();
        let escaped: String = key.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let plain = [
            (key.to_owned(), PART),
            (json.trim_matches('"').to_owned(), PART),
            (utf8_percent_encode(key, QUERY).to_string(), PART),
            (escaped.replace('%', ""), PART * "00".len()),
            (escaped, PART * "%00".len()),
        ];
        let encoded = [BASE64_STANDARD, BASE64_URL_SAFE];
        let encoded = encoded.iter().flat_map(|base64| {
            let forms = shifted_base64(base64, key);
            forms.map(|form| (form, PART_IN_BASE64))
        });
        for (form, length) in plain.into_iter().chain(encoded) {
            let parts = parts(&form, length).map(SecretString::from);
            self.parts.extend(parts);
        }
        self.prefixes.push(common_prefix(key).to_lowercase());
        let parts = self.parts.iter().map(ExposeSecret::expose_secret);
        // It fails with more parts than memory holds only.
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(parts);
        self.finder = finder.ok().map(Arc::new);
    }

    /// Returns a text with every key redacted, whole or as a part that tells much of it.
    pub(super) fn redact(&self, text: &str) -> String {
        let (mut redacted, mut done) = (String::new(), 0);
        for range in self.occurrences(text) {
            redacted.push_str(&text[done..range.start]);
            redacted.push_str(MASK);
            done = range.end;
        }
        redacted.push_str(&text[done..]);
        redacted
    }

    /// The ranges of a text that are of keys, none of which touches another.
    fn occurrences(&self, text: &str) -> Vec<Range<usize>> {
        let finder = self.finder.iter();
        let hits = finder.flat_map(|finder| finder.find_overlapping_iter(text));
        let mut ranges: Vec<Range<usize>> = hits.map(|part| part.range()).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        let mut joined: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => joined.push(range),
            }
        }
        joined.retain(|range| {
            let part = text[range.clone()].to_lowercase();
            !self.prefixes.iter().any(|prefix| prefix.contains(&part))
        });
        joined
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

/// The beginning of a key that other keys of its provider may have as well.
fn common_prefix(key: &str) -> &str {
    let first = key
        .char_indices()
        .take_while(|(at, _)| *at < LONGEST_PREFIX);
    let separators = first.filter(|(_, c)| matches!(c, '-' | '_'));
    let end = separators.last().map_or(0, |(at, _)| at + 1);
    // Of a short key it is much of it.
    if key.len() < 2 * LONGEST_PREFIX {
        ""
    } else {
        &key[..end]
    }
}

/// The parts of a form of a key with so many bytes, or as few more as whole characters have; all of
/// a form that has no more.
fn parts(form: &str, bytes: usize) -> impl Iterator<Item = &str> {
    let bytes = bytes.min(form.len());
    let starts = form.char_indices().map(|(start, _)| start);
    starts
        .filter_map(move |start| (start + bytes..=form.len()).find_map(|end| form.get(start..end)))
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
        for leaked in [
            &long[20..32],
            &long[5..17],
            &long.to_uppercase(),
            &long
                .bytes()
                .map(|byte| format!("{byte:02X}"))
                .collect::<String>(),
        ] {
            assert_eq!(
                secrets.redact(&format!("<{leaked}>")),
                "<[key]>",
                "{leaked}"
            );
        }
        assert_eq!(secrets.redact("sk-planted/0"), "[key]");
        assert!(!secrets.occur_in("sk-planted/"));
        let mut secrets = Secrets::default();
        secrets.add(&SecretString::from("пароль-пароль"));
        assert_eq!(secrets.redact("пароль-паро"), "[key]");
    }
}
