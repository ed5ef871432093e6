//! Queries as services accept them: truncated to the length that they allow, and without what would
//! be an operator to them.

use crate::text;

/// The number of words that are sent; Brave refuses more.
const MAX_WORDS: usize = 50;

/// The first words that fit into so many characters; of a text without spaces, its first
/// characters.
pub(super) fn truncated(query: &str, characters: usize) -> String {
    // Characters are counted and not bytes: that is how services state their limits.
    let mut short = String::new();
    let mut length = 0;
    for word in query.split_whitespace().take(MAX_WORDS) {
        let more = word.chars().count() + usize::from(length > 0);
        if length + more > characters {
            break;
        }
        if length > 0 {
            short.push(' ');
        }
        short.push_str(word);
        length += more;
    }
    // A text without spaces, as of Chinese, has no end of a word before the limit.
    if short.is_empty() {
        return text::truncate(query.trim(), characters).to_owned();
    }
    short
}

/// The characters between words, and those that a service could take for an operator.
const SEPARATORS: &str = "\"()[]{}<>:;,!?*~^|&=/\\“”„«»？！。，、；：（）「」";

/// The words of a query: without brackets, quotes and signs, and AND, OR and NOT in small letters,
/// so that they are words and no operators.
pub(super) fn words(query: &str) -> Vec<String> {
    query
        .replace('’', "'")
        .split(|c: char| c.is_whitespace() || c.is_control() || SEPARATORS.contains(c))
        .map(|word| {
            // At the start of a word they exclude or require it; inside, as in a-b, they do not.
            word.trim_start_matches(['-', '+'])
                .trim_matches(['\'', '.', '-'])
        })
        .filter(|word| word.contains(char::is_alphanumeric))
        // Services take these for operators in capitals alone.
        .map(|word| match word {
            "AND" | "OR" | "NOT" => word.to_lowercase(),
            word => word.to_owned(),
        })
        .collect()
}

/// The words of a query that are no stop words; all of them if all are. For services that search
/// for every word.
pub(super) fn content_words(query: &str) -> Vec<String> {
    let all = words(query);
    let content: Vec<String> = all
        .iter()
        .filter(|word| !text::is_stop_word(&text::fold(word)))
        .cloned()
        .collect();
    if content.is_empty() { all } else { content }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_query_is_truncated_between_words() {
        assert_eq!(truncated("do heat  pumps work", 13), "do heat pumps");
        assert_eq!(truncated("do heat pumps work", 14), "do heat pumps");
        assert_eq!(truncated("热泵可以在旧房子里使用", 4), "热泵可以");
        assert_eq!(truncated(&"a ".repeat(60), 400).len(), 99);
        assert_eq!(truncated(" ", 400), "");
    }

    #[test]
    fn a_query_holds_no_operators() {
        let of = |query: &str| words(query).join(" ");
        assert_eq!(
            of("heat) OR (cats \"5' pipe\" -x: a-b"),
            "heat or cats 5 pipe x a-b"
        );
        assert_eq!(
            of("C++ and C#? हिन्दी, น้ำ; Alzheimer’s 3.5."),
            "C++ and C# हिन्दी น้ำ Alzheimer's 3.5"
        );
        assert_eq!(
            content_words("Do heat pumps work in old houses?").join(" "),
            "heat pumps work old houses"
        );
        assert_eq!(content_words("to be or not").join(" "), "to be or not");
    }
}
