//! Answers in other words than the question's: the larger part, who has the most of something, who
//! coined a word, a share as a fraction.

use crate::laboratory::{in_brief, report_on};

const FOREST: &str = "\
# The pines of Alba

The pine forest of Alba (Latin: pinetum) is an old forest that covers most of the Alba valley. The
majority of the forest stands in the district of Orrin. The pines are over half of the trees of the
district, and 20 % of the oaks grow there as well.

The name pinetum was coined in 1788 by Ann Lee, who walked there. Trees of the pinetum were found
by Carl Rask and used for ships, bridges and mills.
";

const LEAGUE: &str = "\
# The league

Bo Hart had 4 goals in spring and led the team in passes with 90. Cy Dunn led the team in goals
with 11. The coach of the team was the leader in games of the league. Dee Wick, a 3-time winner of
the cup, had nine passes for the team.
";

/// The first item of the summary of a report on the documents above.
fn first(question: &str) -> String {
    let documents = [("forest.md", FOREST), ("league.md", LEAGUE)];
    let report = report_on(&documents, question);
    let mut lines = in_brief(&report).lines();
    let first = lines.find(|line| line.starts_with("- "));
    first.map(str::to_owned).unwrap_or(report)
}

#[test]
fn what_answers_in_other_words_comes_first() {
    for (question, answer) in [
        (
            "In which district does most of the pine forest of Alba stand?",
            "district of Orrin",
        ),
        (
            "What percentage of the trees of the district are pines?",
            "over half",
        ),
        ("Who first used the word pinetum?", "Ann Lee"),
        ("Who got the most goals for the team?", "Cy Dunn"),
        ("Who was the goal leader of the team in spring?", "Cy Dunn"),
    ] {
        let first = first(question);
        assert!(first.contains(answer), "{question}\n{first}");
    }
}
