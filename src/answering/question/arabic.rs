//! Light stems of Arabic words, without the clitics that are written together with them: articles,
//! conjunctions, prepositions and pronouns.
//!
//! These are the stems of light10 (Larkey, Ballesteros and Connell, 2007), which were made for
//! retrieval. Snowball's stemmer, by which the index counts words, takes some first letters of a
//! word for a clitic, so that two forms of one word may have different stems there.

/// Articles, with conjunctions and prepositions before them; the longer ones first.
const ARTICLES: &[&str] = &["وال", "بال", "كال", "فال", "ولل", "لل", "ال"];

/// Endings that are taken off first and leave a word of three letters at least: of the dual and of
/// possession behind the feminine ending, which is "t" there, and of "their" and "they".
const LONG_ENDINGS: &[&str] = &["تان", "تين", "تها", "تهم", "ته", "هما", "هم", "وا"];

/// Endings of number, gender and possession, in the order in which they are taken off.
const ENDINGS: &[&str] = &["ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي", "ا"];

/// Prepositions and conjunctions of one letter.
const CLITICS: [char; 4] = ['ب', 'ل', 'ف', 'ك'];

/// First letters of verbs: of the imperfect, "he writes", "she writes", "we write", and of the
/// derived forms, which lose theirs in the imperfect.
const VERB_PREFIXES: [char; 4] = ['ي', 'ت', 'ن', 'ا'];

/// The least number of letters that are left of a word.
const LEAST_LETTERS: usize = 2;

/// `true` if a word is written in Arabic letters.
pub(in crate::answering) fn is_arabic(word: &str) -> bool {
    word.starts_with(|c: char| ('\u{620}'..='\u{64a}').contains(&c))
}

/// The light stem of a word.
pub(in crate::answering) fn light_stem(word: &str) -> String {
    let word: String = word.chars().filter_map(normalised).collect();
    let word = without_prefix(&word, "و", LEAST_LETTERS + 1);
    let article = ARTICLES
        .iter()
        .find(|article| without_prefix(word, article, LEAST_LETTERS) != word);
    let mut stem = article.map_or(word, |article| &word[article.len()..]);
    let mut long_endings = LONG_ENDINGS.iter();
    stem = long_endings
        .find_map(|ending| stem.strip_suffix(ending))
        .filter(|rest| has_letters(rest, LEAST_LETTERS + 1))
        .unwrap_or(stem);
    for ending in ENDINGS {
        let rest = stem.strip_suffix(ending);
        stem = rest
            .filter(|rest| has_letters(rest, LEAST_LETTERS))
            .unwrap_or(stem);
    }
    stem.to_owned()
}

/// `true` if two light stems are the same, but for a preposition or a conjunction before one, or
/// for the first letters of the forms of a verb.
pub(in crate::answering) fn are_same(one: &str, other: &str) -> bool {
    let bare = |word: &str, other: &str| {
        word.strip_prefix(CLITICS)
            .is_some_and(|rest| rest == other && has_letters(rest, LEAST_LETTERS + 1))
    };
    one == other || bare(one, other) || bare(other, one) || verb(one) == verb(other)
}

/// A light stem without the first letter of a form of a verb, if three letters are left.
pub(in crate::answering) fn verb(stem: &str) -> &str {
    let rest = stem.strip_prefix(VERB_PREFIXES);
    rest.filter(|rest| has_letters(rest, LEAST_LETTERS + 1))
        .unwrap_or(stem)
}

fn without_prefix<'a>(word: &'a str, prefix: &str, least: usize) -> &'a str {
    let rest = word.strip_prefix(prefix);
    rest.filter(|rest| has_letters(rest, least)).unwrap_or(word)
}

fn has_letters(word: &str, least: usize) -> bool {
    word.chars().nth(least - 1).is_some()
}

/// A letter in one of its spellings; none for vowel marks, the stretching stroke, and the glottal
/// stop by itself, which is often left out.
fn normalised(letter: char) -> Option<char> {
    match letter {
        '\u{640}' | '\u{64b}'..='\u{652}' | 'ء' => None,
        'أ' | 'إ' | 'آ' => Some('ا'),
        'ى' | 'ئ' => Some('ي'),
        'ؤ' => Some('و'),
        'ة' => Some('ه'),
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_light_stem() {
        for (one, other) in [
            ("مدينة", "والمدينة"),
            ("لمدينة", "المدينة"),
            ("فريق", "للفريق"),
            ("وصوله", "وصول"),
            ("الطاعون", "بالطاعون"),
            ("عملاً", "العمل"),
            ("يمثل", "تمثلها"),
            ("تستخدمه", "استخدم"),
            ("مدرسته", "مدرسة"),
            ("المدرستان", "مدرسة"),
            ("مسؤول", "مسوول"),
        ] {
            assert!(
                are_same(&light_stem(one), &light_stem(other)),
                "{one} {other}"
            );
        }
        assert!(!are_same(&light_stem("مدينة"), &light_stem("مدرسة")));
        assert_eq!(light_stem("ال"), "ال");
    }
}
