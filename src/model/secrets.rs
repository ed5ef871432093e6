//! Keys, and how they are kept out of everything that is written.

use secrecy::{ExposeSecret, SecretString};

/// What stands where a key stood.
const MASK: &str = "[key]";

/// Shorter values are no keys, and masking them would hurt innocent words.
const SHORTEST: usize = 8;

/// Every key that this process knows.
#[derive(Clone, Default)]
pub(super) struct Secrets(Vec<SecretString>);

impl Secrets {
    /// Remembers a key.
    pub(super) fn add(&mut self, key: &SecretString) {
        if key.expose_secret().len() >= SHORTEST {
            self.0.push(key.clone());
        }
    }

    /// A text without any of them.
    pub(super) fn clear(&self, text: &str) -> String {
        let mut cleared = text.to_owned();
        for key in &self.0 {
            let key = key.expose_secret();
            if cleared.contains(key) {
                cleared = cleared.replace(key, MASK);
            }
            // A provider may say it back as JSON does.
            let escaped = serde_json::Value::from(key).to_string();
            let escaped = escaped.trim_matches('"');
            if escaped != key && cleared.contains(escaped) {
                cleared = cleared.replace(escaped, MASK);
            }
        }
        cleared
    }

    /// Whether a text holds one.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.clear(text) != text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_masked_wherever_it_stands() {
        let mut secrets = Secrets::default();
        secrets.add(&SecretString::from("sk-a\"bcdefgh"));
        secrets.add(&SecretString::from("no"));
        assert_eq!(secrets.clear("no: sk-a\"bcdefgh!"), "no: [key]!");
        assert_eq!(
            secrets.clear(r#"{"k":"sk-a\"bcdefgh"}"#),
            r#"{"k":"[key]"}"#
        );
        assert!(!secrets.is_in("no"));
    }
}
