//! The keys of this process, and their redaction from everything that is written.

use secrecy::{ExposeSecret, SecretString};

/// The replacement of a key.
const MASK: &str = "[key]";

/// The shortest value that is redacted: anything shorter is not a key, and redacting it would
/// damage ordinary words (chosen by hand).
const SHORTEST: usize = 8;

/// The keys of this process.
#[derive(Clone, Default)]
pub(super) struct Secrets(Vec<SecretString>);

impl Secrets {
    /// Adds a key.
    pub(super) fn add(&mut self, key: &SecretString) {
        if key.expose_secret().len() >= SHORTEST {
            self.0.push(key.clone());
        }
    }

    /// Returns a text with every key redacted.
    pub(super) fn redact(&self, text: &str) -> String {
        let mut redacted = text.to_owned();
        for key in &self.0 {
            let key = key.expose_secret();
            if redacted.contains(key) {
                redacted = redacted.replace(key, MASK);
            }
            // A provider may echo the key inside JSON, where quotes and backslashes are escaped.
            let escaped = serde_json::Value::from(key).to_string();
            let escaped = escaped.trim_matches('"');
            if escaped != key && redacted.contains(escaped) {
                redacted = redacted.replace(escaped, MASK);
            }
        }
        redacted
    }

    /// `true` if a text holds a key.
    pub(super) fn occur_in(&self, text: &str) -> bool {
        self.redact(text) != text
    }
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
}
