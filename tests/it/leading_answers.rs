//! The answer that leads: what somebody does, the row of the named thing, the list under the
//! heading that is asked for.

use crate::laboratory::{in_brief, report_on};

const BRIEF: &str = "\
---
title: Brief for the search of a kiln
date: 2026-02-03
---
The guild asked Fernwood to recommend a kiln for the new workshop by 31 May 2026. The board of the
guild takes the decision; Fernwood only recommends.

## Requirements

- Rent below 145 pounds per square metre and year.
";

const ADVICE: &str = "\
---
title: Advice to the board
date: 2026-05-22
---
Fernwood recommends Upper Hadley. The choice was made because of the low damp.

## Cost

The repairs of Upper Hadley cost 1.2 million pounds.

## Risks

- The chimney cannot be raised before 2028.
- The landlord may not finish the road before March.
- A third of the potters may leave.
";

const RENTS: &str = "\
Site,Owner,Area m2,Rent GBP per m2 and year
Lower Hadley,Ash Estates,900,128
Upper Hadley,Elm Trust,750,118
Overton,Yew Land,820,89
";

#[test]
fn what_is_asked_for_comes_first() {
    let documents = [
        ("brief.md", BRIEF),
        ("advice.md", ADVICE),
        ("rents.csv", RENTS),
    ];
    for (question, answer) in [
        (
            "Which kiln does Fernwood recommend?",
            "Fernwood recommends Upper Hadley",
        ),
        (
            "What is the rent per square metre in Upper Hadley?",
            "m2 and year: 118",
        ),
        (
            "What are the risks of Upper Hadley?",
            "chimney cannot be raised",
        ),
    ] {
        let report = report_on(&documents, question);
        // A list has lines of its own.
        let first = in_brief(&report).split("\n- ").nth(1);
        assert!(
            first.is_some_and(|first| first.contains(answer)),
            "{question}\n{report}"
        );
    }
}

#[test]
fn the_section_of_the_exceptions_answers_whatever_binds() {
    let act = "# Act 2024/12 on animals in the town\n\n## Article 3 Leads of dogs\n\n1. Dogs are \
               kept on a lead in all streets.\n2. The lead is at most 2 metres long.\n\n\
               ## Article 4 Exemptions\n\n1. Article 3 does not apply in the meadow at the mill.\n\
               2. Guide dogs need none.\n";
    let minutes = "# Minutes of the council\n\nMr Quist said that half a rule was no rule. The \
                   dog rule was discussed for an hour.\n";
    let documents = [("act.md", act), ("minutes.md", minutes)];
    let report = report_on(
        &documents,
        "Which exceptions from the dog lead rule are there?",
    );
    assert!(in_brief(&report).contains("meadow at the mill"), "{report}");
    assert!(!report.contains("Not answered as asked"), "{report}");
}

#[test]
fn what_is_not_yet_decided_is_no_decision_and_a_reply_to_the_reader_is_one_to_all() {
    let ruling = "# Summary of the ruling on the mill, case 7\n\nThe owner argued that the order \
                  takes his property. The judges rejected this argument. The order limits the \
                  property, so that no compensation is due.\n";
    let questions = "# Questions and answers on the weir\n\n**Is compensation taxed?**\n\nThe tax \
                     office has not yet decided.\n\n**What happens if I do not comply?**\n\nA fine \
                     of 500 euros may be imposed.\n";
    let order = "# Order on the weir\n\nThe town takes the steps that are necessary to comply with \
                 this order by 1 June 2031. Each miller opens the weir on Sundays.\n";
    let documents = [
        ("ruling.md", ruling),
        ("questions.md", questions),
        ("order.md", order),
    ];
    let first = |question: &str| {
        let report = report_on(&documents, question);
        let first = in_brief(&report)
            .lines()
            .find(|line| line.starts_with("- "));
        first.unwrap_or_default().to_owned()
    };
    let decided = first("What did the judges decide about compensation?");
    assert!(decided.contains("no compensation is due"), "{decided}");
    let fine = first("What happens if a miller does not comply?");
    assert!(fine.contains("A fine of 500 euros"), "{fine}");
}
