//! Further questions that name only what is other than in the question before.

use crate::harness::Scratch;

const PRICES: (&str, &str) = (
    "prices.md",
    "# Prices of the swimming hall\n\nA day ticket for adults costs 9 euros. A day ticket for \
     students costs 5 euros. The large pool holds 120 people. The small pool holds 30 people.\n",
);

const SALES: (&str, &str) = (
    "sales.md",
    "# Sales\n\nIn 2022 the hall sold 4,100 tickets. In 2023 the hall sold 4,700 tickets. In \
     2023 the hall sold 280 towels.\n",
);

const WORKS: (&str, &str) = (
    "works.md",
    "# Works\n\nThe firm Orr repaired the roof in May. The roof cost 31,000 euros. A new boiler \
     costs 18,000 euros.\n\nThe hall was closed in June, because the boiler failed.\n",
);

fn report(scratch: &Scratch, arguments: &[&str]) -> String {
    let run = ["run", "--docs", "docs", "--offline", "--quiet"];
    scratch.expect(0, &[&run[..], arguments].concat()).stdout
}

#[test]
fn the_question_before_is_asked_of_what_is_named() {
    let scratch = Scratch::with_docs(&[PRICES, SALES, WORKS]);
    for (number, (question, further, full, answer)) in [
        (
            "How much does a day ticket for adults cost?",
            "And for students?",
            "How much does a day ticket for students cost?",
            "5 euros",
        ),
        (
            "How many people does the large pool hold?",
            "What about the small one?",
            "How many people does the small pool hold?",
            "30 people",
        ),
        (
            "How many tickets were sold in 2023?",
            "And the year before?",
            "How many tickets were sold in 2022?",
            "4,100 tickets",
        ),
        (
            "How many tickets were sold in 2023?",
            "And towels?",
            "How many towels were sold in 2023?",
            "280 towels",
        ),
        (
            "Who repaired the roof?",
            "How much did it cost?",
            "How much did it cost?",
            "31,000 euros",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let session = format!("before-{number}");
        report(&scratch, &[question, "--session", &session]);
        let report = report(&scratch, &[further, "--follow", &session]);
        assert!(report.starts_with(&format!("# {full}\n")), "{report}");
        let first = report.lines().find(|line| line.starts_with("- "));
        let is_first = first.is_some_and(|line| line.contains(answer));
        assert!(is_first, "{further}\n{report}");
    }
}

#[test]
fn further_question_says_how_it_is_read() {
    let scratch = Scratch::with_docs(&[PRICES]);
    let first = "What does a day ticket for adults cost?";
    let run = ["run", "--docs", "docs", "--offline"];
    scratch.expect(0, &[&run[..], &[first, "--session", "a"]].concat());
    let further = ["And for students?", "--follow", "a"];
    let ran = scratch.expect(0, &[&run[..], &further].concat());
    let said = "the question is read as: What does a day ticket for students cost?";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}
