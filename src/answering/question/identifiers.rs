//! Identifiers of code in a question, and whether a sentence has them as they are written:
//! `foo_bar` is neither "foo::bar" nor "foo" beside "bar".

/// The marks around a word that are none of it.
const AROUND: &[char] = &['?', ',', ';', ':', '.', '"', '“', '”', '(', ')', '\''];

/// An identifier as it is written.
#[derive(Debug, Clone, PartialEq)]
struct Identifier {
    written: String,
    /// `true` for a word that only its backticks make one: `cause`.
    is_word: bool,
}

/// The identifiers of a question, each once.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::answering) struct Identifiers(Vec<Identifier>);

impl Identifiers {
    pub(in crate::answering) fn of(question: &str) -> Self {
        let mut own: Vec<Identifier> = Vec::new();
        let mut add = |identifier: Identifier| {
            if !own.contains(&identifier) {
                own.push(identifier);
            }
        };
        let quoted = question.split('`').skip(1).step_by(2);
        for code in quoted.filter(|code| code.contains(char::is_alphanumeric)) {
            add(Identifier {
                written: code.to_owned(),
                is_word: code.chars().all(char::is_alphanumeric),
            });
        }
        let words = || {
            question
                .split_whitespace()
                .map(|word| word.trim_matches(AROUND))
        };
        let plain = || words().filter(|word| !word.contains('`'));
        let written = |word: &str| Identifier {
            written: word.to_owned(),
            is_word: false,
        };
        plain()
            .filter(|word| is_identifier(word))
            .map(written)
            .for_each(&mut add);
        // "Can foo_bar be published beside foo-bar?"
        if plain().any(is_identifier) {
            plain()
                .filter(|word| is_hyphenated(word))
                .map(written)
                .for_each(&mut add);
        }
        Self(own)
    }

    /// The share of them that stand in a sentence as they are written; 0 if there are none.
    pub(in crate::answering) fn share_in(&self, sentence: &str) -> f64 {
        let count = self.0.iter().filter(|own| own.stands_in(sentence)).count();
        count as f64 / self.0.len().max(1) as f64
    }
}

impl Identifier {
    fn stands_in(&self, sentence: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        sentence.match_indices(&self.written).any(|(at, written)| {
            let (before, after) = (&sentence[..at], &sentence[at + written.len()..]);
            let is_whole = !before.ends_with(is_part) && !after.starts_with(is_part);
            let is_code = before.ends_with(['`', ':', '.']) || after.starts_with(['`', '(']);
            is_whole && (is_code || !self.is_word)
        })
    }
}

/// `true` for a word that is written as code is: `foo_bar`, `Vec::push`, `--cap-lints`.
fn is_identifier(word: &str) -> bool {
    let has_inner = |sign: &str| {
        let parts = word.split_once(sign);
        parts.is_some_and(|(before, after)| {
            before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)
        })
    };
    let is_option = word.starts_with("--") && word.len() > 2;
    is_option || has_inner("_") || has_inner("::")
}

fn is_hyphenated(word: &str) -> bool {
    let mut parts = word.split('-');
    word.contains('-')
        && parts.all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_compared_as_they_are_written() {
        let names = Identifiers::of("Can I publish a crate called foo_bar if foo-bar exists?");
        let both = "We currently prevent `foo-bar` and `foo_bar` from existing at once.";
        assert_eq!(names.share_in(both), 1.0);
        assert_eq!(
            names.share_in("The owner of `foo::bar` publishes foo."),
            0.0
        );
        assert_eq!(names.share_in("There is foo_bar_baz and a foo-bar."), 0.5);
        let method = Identifiers::of("Why was the `cause` method replaced?");
        assert_eq!(method.share_in("`Error::cause` is deprecated."), 1.0);
        assert_eq!(method.share_in("This is no cause of concern."), 0.0);
        let plain = Identifiers::of("Why is the well-known pump loud?");
        assert_eq!(plain, Identifiers::default());
    }
}
