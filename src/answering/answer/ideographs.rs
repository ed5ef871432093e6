//! Numbers and names as answers in Chinese sentences, which have no spaces and no capitals.

use super::super::question::cues::MEASURE_WORDS;
use super::super::vocabulary::is_ideograph;
use crate::text;

/// Characters between a thing and its number behind it: "桥梁（12）", "桥梁共 12 座".
const BETWEEN: &str = "（(共达有为是：:约";

/// `true` if a Chinese sentence has a number that a question does not have before a thing, perhaps
/// with a measure word between them, or right behind it.
pub(super) fn counts(sentence: &str, question: &str, thing: &str) -> bool {
    sentence.match_indices(thing).any(|(at, _)| {
        let before = sentence[..at].trim_end();
        let before = before
            .strip_suffix(|c| MEASURE_WORDS.contains(c))
            .unwrap_or(before);
        let before = before.trim_end();
        let is_numeral = |c: char| c.is_ascii_digit() || NUMERALS.contains(c);
        let start = before.trim_end_matches(is_numeral).len();
        let number = &before[start..];
        let is_between = |c: char| c.is_whitespace() || BETWEEN.contains(c);
        let behind = sentence[at + thing.len()..].trim_start_matches(is_between);
        let end = behind.find(|c| !is_numeral(c)).unwrap_or(behind.len());
        let is_new = |number: &str| !number.is_empty() && !question.contains(number);
        is_new(number) || is_new(&behind[..end])
    })
}

/// The characters of Chinese numbers.
const NUMERALS: &str = "一二三四五六七八九十百千万亿两数几";

/// `true` if a Chinese sentence has a name that a question does not have beside a word of one of
/// two kinds: behind a preposition or verb, "位于" or "由", or before the last character of the names
/// of places, "州".
pub(super) fn names(sentence: &str, question: &str, word: &str) -> bool {
    let is_new = |name: &str| {
        name.chars().count() == NAME_CHARACTERS
            && name
                .chars()
                .all(|c| is_ideograph(c.encode_utf8(&mut [0; 4])))
            && !name.contains(PRONOUNS)
            && !question.contains(name)
    };
    sentence.match_indices(word).any(|(at, _)| {
        let (before, behind) = (&sentence[..at], &sentence[at + word.len()..]);
        if word == AGENT || word.chars().nth(1).is_some() {
            let is_part = before.ends_with(['自', '理']) || behind.starts_with(['于', '来', '此']);
            let behind = behind.trim_start_matches([' ', '于', '在', '了']);
            let name: String = behind.chars().take(NAME_CHARACTERS).collect();
            return !is_part && is_new(&name);
        }
        let is_part = behind.starts_with(['家', '会', '王', '民', '场', '政', '长', '区']);
        let start = before.char_indices().nth_back(NAME_CHARACTERS - 2);
        let name = start.map(|(start, _)| &sentence[start..at + word.len()]);
        !is_part && name.is_some_and(is_new)
    })
}

/// The preposition before somebody who does something, which is also part of other words.
const AGENT: &str = "由";

/// The characters of a name by which it is new, at least.
const NAME_CHARACTERS: usize = 2;

/// Characters before or behind such a word that are no part of a name: particles, pronouns, and
/// numbers with measure words.
const PRONOUNS: [char; 16] = [
    '的', '其', '该', '这', '那', '此', '他', '她', '它', '各', '个', '本', '全', '两', '几', '一',
];

/// The dot between the parts of a foreign name.
const NAME_DOTS: [char; 2] = ['·', '・'];

/// `true` if a Chinese sentence has a name that a question does not have: a foreign one, whose
/// parts have a dot between them, one in Latin letters, or that of somebody who does something.
pub(super) fn names_somebody(sentence: &str, question: &str) -> bool {
    let is_new_part = |part: &str| !part.is_empty() && !question.contains(part);
    let mut dots = sentence.match_indices(NAME_DOTS);
    let has_foreign = dots.any(|(at, _)| {
        let words = text::words(&sentence[..at]);
        let part = words
            .last()
            .filter(|word| is_ideograph(word.text) && word.range.end == at);
        part.is_some_and(|part| {
            is_new_part(
                &sentence[part.range.start..]
                    .chars()
                    .take(2)
                    .collect::<String>(),
            )
        })
    });
    let mut words = text::words(sentence);
    has_foreign
        || names(sentence, question, AGENT)
        || words.any(|word| {
            // "NFL" is nobody.
            word.text.starts_with(|c: char| c.is_ascii_uppercase())
                && word.text.contains(|c: char| c.is_ascii_lowercase())
                && is_new_part(word.text)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_thing_are_those_before_it() {
        assert!(counts("这里有三座 桥梁。", "这里有多少桥梁？", "桥梁"));
        assert!(counts("共有 12 条河流。", "有几条河流？", "河流"));
        assert!(counts("他数了河流（12）。", "有几条河流？", "河流"));
        assert!(!counts("河流长 12 公里。", "有几条河流？", "河流"));
    }

    #[test]
    fn foreign_names_have_dots_or_letters() {
        assert!(names_somebody("它由安娜·贝尔设计。", "谁设计了它？"));
        assert!(names_somebody("它由 Anna 设计。", "谁设计了它？"));
        assert!(!names_somebody(
            "安娜·贝尔住在这里。",
            "安娜·贝尔的丈夫是谁？"
        ));
        assert!(!names_somebody("它很旧。", "谁设计了它？"));
        let question = "桥在哪里？谁设计了它？";
        assert!(names("桥位于 柏林。", question, "位于"));
        assert!(names("桥在加州。", question, "州"));
        assert!(!names("各州都有桥。", question, "州"));
        assert!(names("它由张三设计。", question, "由"));
        assert!(!names("由于大雨，桥关了。", question, "由"));
    }
}
