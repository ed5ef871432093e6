//! Older mails below newer ones: lines behind ">", and what stands below "Original message".

/// Lines above an older mail that is not behind ">", in lower case; a closed list, written by hand.
const HEADINGS: [&str; 4] = [
    "original message",
    "forwarded message",
    "ursprüngliche nachricht",
    "weitergeleitete nachricht",
];

/// Words of the line that names who wrote an older mail; the same.
const ATTRIBUTIONS: [&str; 6] = [
    " wrote:",
    " writes:",
    " schrieb",
    "from:",
    "von:",
    "escribió:",
];

/// `true` if a text has an older mail in it, so that its lines have an age.
pub fn has_older_mail(text: &str) -> bool {
    text.lines().any(|line| {
        let lower = line.to_lowercase();
        let is_behind_mark = line.starts_with('>');
        is_heading(&lower) || is_behind_mark && ATTRIBUTIONS.iter().any(|own| lower.contains(own))
    })
}

/// The number of mails that are newer than the one with a byte of a text, by the marks before its
/// line and the headings above it.
pub fn age_of_mail(text: &str, byte: usize) -> usize {
    let start = text[..byte].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let marks = line.chars().take_while(|c| matches!(c, '>' | ' '));
    let marks = marks.filter(|c| *c == '>').count();
    let above = text[..start].lines().map(str::to_lowercase);
    marks + above.filter(|line| is_heading(line)).count()
}

/// `true` for the line, in lower case, above an older mail: "-----Original Message-----".
fn is_heading(line: &str) -> bool {
    let bare = line.trim_matches(|c: char| !c.is_alphanumeric());
    HEADINGS.contains(&bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_mails_are_behind_marks_or_below_a_heading() {
        let text = "It is 5.\n\n> On Monday Ann wrote:\n> Is it 6?\n>> It is 6.\n";
        assert!(has_older_mail(text) && !has_older_mail("> A proverb.\n"));
        for (words, age) in [("It is 5", 0), ("Is it 6", 1), ("It is 6.", 2)] {
            assert_eq!(age_of_mail(text, text.find(words).unwrap()), age, "{words}");
        }
        let text = "Yes.\n-----Original Message-----\nFrom: Ann\n\nIs it 6?\n";
        assert!(has_older_mail(text));
        assert_eq!(age_of_mail(text, text.find("Is it").unwrap()), 1);
        assert_eq!(age_of_mail(text, 0), 0);
    }
}
