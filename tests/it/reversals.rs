//! Decisions that are reversed and numbers that are corrected: what holds comes first, and what
//! does not is marked.

use crate::answers::{first_claim, run_topic};
use crate::laboratory::report_on;

const MARCH: &str = "\
# Minutes of the bell tower committee, 10 March 2026

## Repair

The committee discussed the offers of three founders for the bells of the tower.

**Decision 2:** The bells of the tower are recast by Aldous. The work begins in summer.

## Clock

**Decision 3:** The clock of the tower is painted blue.
";

const APRIL: &str = "\
# Minutes of the bell tower committee, 21 April 2026

## Offers

Aldous cannot cast the bells of the tower before 2029, because its furnace is broken.

**Decision 4:** Decision 2 of 10 March is reversed. The offer of Brandt is taken.
";

#[test]
fn a_reversed_decision_is_marked_and_does_not_lead() {
    let documents = [("march.md", MARCH), ("april.md", APRIL)];
    for question in [
        "Why were the bells of the tower not recast by Aldous?",
        "When does the work on the bells of the tower begin?",
        "What is decided on the bells of the tower?",
    ] {
        let report = report_on(&documents, question);
        let mut claims = report.lines().filter(|line| line.starts_with("- **"));
        let first = claims.next().unwrap_or_default();
        assert!(first.contains("21 April 2026"), "{question}\n{report}");
        let reversed = report.lines().filter(|line| line.contains("Decision 2:**"));
        for line in reversed {
            assert!(line.contains("(superseded by [1]"), "{question}\n{report}");
        }
        let blue = report.lines().find(|line| line.contains("painted blue"));
        let is_marked = blue.is_some_and(|line| line.ends_with("superseded by [1] of 2026-04-21)"));
        assert!(!is_marked, "{question}\n{report}");
    }
    let report = report_on(&documents, "Which colour is the clock of the tower?");
    assert!(report.contains("painted blue"), "{report}");
    assert!(!report.contains("superseded"), "{report}");
}

const MAIL: &str = "\
From: Ida Falk <ida@kiln.example>
To: Jon Beck <jon@kiln.example>
Date: Wed, 13 May 2026 17:42:00 +0200
Subject: Re: the kiln

Jon,

a correction to my mail of Monday: the limit of the kiln is 1180 °C, not 1240 °C. I had read the old
plate.

Ida

> On Tue, 12 May 2026 at 08:10, Jon Beck wrote:
> Is 1240 °C really right? It seems high.
>
>> On Mon, 11 May 2026 at 11:25, Ida Falk wrote:
>> Please remember: never heat the small kiln with glazed pots above 1240 °C.
>> The shelves were replaced on 8 May.
";

#[test]
fn a_mail_comes_before_the_older_one_that_it_corrects() {
    let documents = [("mail.txt", MAIL)];
    for question in [
        "Up to which temperature may the small kiln with glazed pots be heated?",
        "What is the limit of the kiln?",
    ] {
        let report = report_on(&documents, question);
        let right = report.find("1180 °C, not 1240 °C").unwrap_or(usize::MAX);
        let wrong = report.find("above 1240 °C").unwrap_or(usize::MAX);
        assert!(right < wrong || wrong == usize::MAX, "{question}\n{report}");
        assert!(right < usize::MAX, "{question}\n{report}");
    }
}

#[test]
fn a_mail_that_takes_an_amount_back_comes_before_the_older_one_with_it() {
    let mail = "From: Ann Lee <ann@hall.example>\nTo: Bo Rask <bo@hall.example>\n\
                Date: Mon, 18 Sep 2023 10:42:00 +0100\nSubject: Cost of the hall roof\n\n\
                Dear Bo,\n\n\
                In my mail of 11 September I wrote that the repair of the hall roof would cost \
                £86,000. That figure was wrong. The correct figure is £68,000.\n\nAnn\n\n\
                > On 11 September 2023 Ann Lee wrote:\n\
                > The repair of the hall roof will cost £86,000.\n";
    let documents = [("roof.eml", mail)];
    let ran = run_topic(
        "How much does the repair of the hall roof cost?",
        &documents,
        0,
    );
    let claim = first_claim(&ran);
    assert!(claim.contains("That figure was wrong."), "{}", ran.stdout);
    assert!(claim.contains("£68,000"), "{}", ran.stdout);
    assert!(!claim.contains("will cost £86,000"), "{}", ran.stdout);
}
