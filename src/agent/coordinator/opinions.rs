//! Topics that ask for opinions: what people think of something, or have experienced with it.

use crate::text;

/// Words that such a topic frames its subject with.
pub(super) const WORDS: &str = "people think thought say feel users owners customers opinion view \
    review experience sentiment consensus public reddit";

/// Phrases that ask for opinions, as they are written (chosen by hand).
const PHRASES: [&str; 21] = [
    "what do people think",
    "what people think",
    "what do people say",
    "what people say",
    "what do users think",
    "what users think",
    "what do owners",
    "how do people feel",
    "how do owners feel",
    "how do users feel",
    "opinion on",
    "opinion about",
    "opinions",
    "public opinion",
    "public sentiment",
    "reviews of",
    "user reviews",
    "customer reviews",
    "experiences with",
    "experience with",
    "user experiences",
];

/// `true` if a topic asks for opinions.
pub(super) fn are_requested(topic: &str) -> bool {
    // Words alone, so that punctuation and line breaks do not matter.
    let words = text::folded(topic);
    let words = format!(" {} ", words.join(" "));
    PHRASES
        .iter()
        .any(|phrase| words.contains(&format!(" {phrase} ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opinions_are_requested_by_name() {
        for (topic, expected) in [
            ("What do people think about heat pumps?", true),
            ("Experiences with R290 heat pumps", true),
            ("Opinions on tabs", true),
            ("Reviews of the Framework laptop", true),
            ("Do heat pumps work in old houses?", false),
            ("How does peer review work?", false),
            ("The opinion of the court in Marbury", false),
        ] {
            assert_eq!(are_requested(topic), expected, "{topic}");
        }
    }
}
