//! The keys of a TOML text with their lines, so that a message can name the place of a setting.

use toml::de::{DeTable, DeValue};

/// A key of a TOML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// The name with those of its tables: `run.threshold`.
    pub(super) name: String,
    /// The line, from 1.
    pub(super) line: usize,
    /// `true` if it names a table.
    pub(super) is_table: bool,
}

/// The keys of a text, tables before their keys; none if it is not TOML.
pub(super) fn keys(text: &str) -> Vec<Key> {
    let mut keys = Vec::new();
    if let Ok(table) = DeTable::parse(text) {
        collect("", table.get_ref(), text, &mut keys);
    }
    keys
}

fn collect(prefix: &str, table: &DeTable<'_>, text: &str, keys: &mut Vec<Key>) {
    for (key, value) in table {
        let name = format!("{prefix}{}", key.get_ref());
        let before = text.get(..key.span().start).unwrap_or_default();
        let below = match value.get_ref() {
            DeValue::Table(below) => Some(below),
            _ => None,
        };
        keys.push(Key {
            name: name.clone(),
            line: before.matches('\n').count() + 1,
            is_table: below.is_some(),
        });
        if let Some(below) = below {
            collect(&format!("{name}."), below, text, keys);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_lines_and_tables_come_first() {
        let text = "a = 1\n[b]\n# c\nc = 2\n[b.d]\ne = []\n[f]\n";
        let named: Vec<(String, usize, bool)> = keys(text)
            .into_iter()
            .map(|key| (key.name, key.line, key.is_table))
            .collect();
        let expected = [
            ("a", 1, false),
            ("b", 2, true),
            ("b.c", 4, false),
            ("b.d", 5, true),
            ("b.d.e", 6, false),
            ("f", 7, true),
        ];
        let expected = expected.map(|(name, line, is_table)| (name.to_owned(), line, is_table));
        assert_eq!(named, expected);
        assert_eq!(keys("[b"), []);
    }
}
