//! A query as services take it: no longer than they allow, and without what would be an operator to
//! them.

use crate::text;

/// Words at most: Brave refuses more.
const WORDS: usize = 50;

/// The first words that fit into so many characters; of a text without spaces, its first
/// characters.
pub(super) fn shortened(query: &str, characters: usize) -> String {
    let mut short = String::new();
    let mut length = 0;
    for word in query.split_whitespace().take(WORDS) {
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
    match short.is_empty() {
        true => query.trim().chars().take(characters).collect(),
        false => short,
    }
}

/// What is put between words, and what a service could take for an operator.
const BETWEEN: &str = "\"()[]{}<>:;,!?*~^|&=/\\“”„«»？！。，、；：（）「」";

/// The words alone: without brackets, quotes and signs, and AND, OR and NOT as the words that they
/// are.
pub(super) fn words(query: &str) -> Vec<String> {
    query
        .replace('’', "'")
        .split(|c: char| c.is_whitespace() || c.is_control() || BETWEEN.contains(c))
        .map(|word| {
            word.trim_start_matches(['-', '+'])
                .trim_matches(['\'', '.', '-'])
        })
        .filter(|word| word.contains(char::is_alphanumeric))
        .map(|word| match word {
            "AND" | "OR" | "NOT" => word.to_lowercase(),
            word => word.to_owned(),
        })
        .collect()
}

/// The words that carry subject matter; all of them if none does. For services that want every word
/// in what they find.
pub(super) fn telling(query: &str) -> Vec<String> {
    let all = words(query);
    let is_telling = |word: &&String| !text::is_stop_word(&text::fold(word));
    let telling: Vec<String> = all.iter().filter(is_telling).cloned().collect();
    match telling.is_empty() {
        true => all,
        false => telling,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_ends_between_words() {
        assert_eq!(shortened("do heat  pumps work", 13), "do heat pumps");
        assert_eq!(shortened("do heat pumps work", 14), "do heat pumps");
        assert_eq!(shortened("热泵可以在旧房子里使用", 4), "热泵可以");
        assert_eq!(shortened(&"a ".repeat(60), 400).len(), 99);
        assert_eq!(shortened(" ", 400), "");
    }

    #[test]
    fn nothing_of_a_query_is_an_operator() {
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
            telling("Do heat pumps work in old houses?").join(" "),
            "heat pumps work old houses"
        );
        assert_eq!(telling("to be or not").join(" "), "to be or not");
    }
}
