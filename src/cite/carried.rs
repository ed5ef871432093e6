//! Carried motions: minutes that say what became of a motion say who decided it, and that it was
//! decided, without a word for either: "Motion to close the bath: carried 7 to 2".

use super::alignment::{SAME_WORD, SYNONYM, has_word};
use super::statement::Statement;

/// Verbs of what a motion that is carried decides; a closed list, written by hand.
const DECIDES: &[&str] = &[
    "decided", "decides", "resolved", "resolves", "agreed", "agrees", "voted", "votes", "approved",
];

/// Those who decide on motions, in English and German, and words that name none of them by itself:
/// "council meeting"; closed lists, written by hand.
const BODIES: &[&str] = &[
    "assembly",
    "board",
    "committee",
    "council",
    "parliament",
    "ausschuss",
    "gemeinderat",
    "rat",
    "stadtrat",
    "versammlung",
    "vorstand",
];
const MEETINGS: &[&str] = &["meeting", "members", "mitglieder"];

/// The words of a claim of a decision that a sentence says by the outcome of a motion, by their
/// index, each with the value of the match. Who decided is only said so if the evidence names no
/// other body.
pub(super) fn said<'a>(
    claim: &Statement,
    own: &Statement,
    mut evidence: impl Iterator<Item = &'a Statement>,
) -> Vec<(usize, f64)> {
    let words = &claim.words;
    let is_decided = |folded: &str| DECIDES.contains(&folded);
    let verb = words.iter().position(|word| is_decided(&word.folded));
    let Some(verb) = verb.filter(|_| claim.negations == 0 && own.carries_motion()) else {
        return Vec::new();
    };
    // What was decided is what the motion asks for.
    let is_moved = words[verb + 1..]
        .iter()
        .filter(|word| !word.is_light() && !word.is_name)
        .all(|word| has_word(&own.words, word));
    if !is_moved {
        return Vec::new();
    }
    let body = verb.checked_sub(1).filter(|at| {
        let body = words[*at].folded.as_str();
        let names_other = |folded: &str| BODIES.contains(&folded) && folded != body;
        let mut tokens = evidence.by_ref().flat_map(|own| own.normal.split(' '));
        (BODIES.contains(&body) || MEETINGS.contains(&body)) && !tokens.any(names_other)
    });
    let body = body.map(|at| (at, SAME_WORD));
    [(verb, SYNONYM)].into_iter().chain(body).collect()
}

#[cfg(test)]
mod tests {
    use crate::cite::tests::assert_supported;

    #[test]
    fn a_motion_that_was_carried_was_decided() {
        let bath = "Motion to close the bath: carried 7 to 2.";
        let fee = "The motion to raise the fee was carried by 12 votes to 5.";
        let lost = "Motion to close the bath: lost 2 to 7.";
        let open = "Motion to close the bath: adjourned. Motion to sell the mill: carried.";
        let other = "Minutes of the finance committee. Motion to close the bath: carried 7 to 2.";
        let german = "Antrag, das Bad zu schließen: angenommen mit 7 zu 2 Stimmen.";
        assert_supported(&[
            ("The council decided to close the bath.", bath, true),
            ("The bath will be closed.", bath, true),
            ("The assembly decided to raise the fee.", fee, true),
            ("Der Rat beschloss, das Bad zu schließen.", german, true),
            ("The council decided to close the bath.", lost, false),
            ("The council decided to close the bath.", open, false),
            ("The council decided to close the bath.", other, false),
            ("The council decided to sell the bath.", bath, false),
            (
                "The council decided to close the bath.",
                "Council meeting. Motion to close the bath: carried 7 to 2.",
                true,
            ),
            (
                "The bath will be closed.",
                "The motion to close the bath will be carried on Monday.",
                false,
            ),
        ]);
    }
}
