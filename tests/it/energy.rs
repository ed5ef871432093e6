//! The papers of an energy officer: questions with their replies, minutes, a table of buildings.

use crate::harness::{Scratch, parsed};

const FAQ: &str = "\
# Questions on the solar subsidy

**Can I get the subsidy if I have already bought the system?**
No. You must have our approval before you order.

**Do clubs get the subsidy?**

Yes, if they own the roof.

Is the bath open on Mondays? No, Tuesday to Sunday only.
";

const HEADINGS: &str = "\
# Questions on the solar subsidy

## Can I get the subsidy if I have already bought the system?

No. You must have our approval before you order.
";

const MINUTES: &str = "\
# Minutes of the energy committee, 13 February 2024

Present: Ruth Okafor, Tom Vance.
Apologies: Karl Wenzel (schools).

The police did not see more accidents or break-ins. Nevertheless the committee rejected the
extension of the night switch-off to the whole town, because a bus line would run through unlit
streets.
";

const BUILDINGS: &str = "\
building,heating_source,heat_mwh
Comenius school,gas,690
Library,district heating,131
Municipal depot,oil,231
Town museum,gas,167
";

/// The verdict on each sentence, and the first reason.
fn verdicts(documents: &[(&str, &str)], report: &[&str]) -> Vec<(String, String)> {
    let scratch = Scratch::new();
    for (name, text) in documents {
        scratch.write(&format!("docs/{name}"), text);
    }
    scratch.write("report.md", report.join("\n\n"));
    let arguments = [
        "check",
        "report.md",
        "--docs",
        "docs",
        "--offline",
        "--json",
    ];
    let ran = scratch.expect(0, &[&arguments[..], &["--fail-on", "never"]].concat());
    let checked = parsed(&ran.stdout);
    let sentences = checked["sentences"].as_array().unwrap().iter();
    let verdict = |own: &serde_json::Value| {
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        (text(&own["verdict"]), text(&own["reasons"][0]))
    };
    sentences.map(verdict).collect()
}

#[test]
fn a_question_of_a_list_is_no_evidence_and_its_reply_turns_it_round() {
    let report = [
        "You get the subsidy if you have already bought the system [faq.md].",
        "You cannot get the subsidy if you have already bought the system [faq.md].",
        "The bath is open on Mondays [faq.md].",
    ];
    let verdicts = verdicts(&[("faq.md", FAQ)], &report);
    let reply = ("contradicted", "the reply to this question is no");
    let reply = (reply.0.to_owned(), reply.1.to_owned());
    assert_eq!(verdicts[0], reply);
    assert_eq!(verdicts[1].0, "supported", "{verdicts:?}");
    assert_eq!(verdicts[2], reply);
}

#[test]
fn a_reply_below_a_heading_supports_the_denial_of_its_question() {
    let report = [
        "You get the subsidy if you have already bought the system [faq.md].",
        "You cannot get the subsidy if you have already bought the system [faq.md].",
    ];
    let verdicts = verdicts(&[("faq.md", HEADINGS)], &report);
    assert_eq!(verdicts[0].0, "contradicted", "{verdicts:?}");
    assert_eq!(verdicts[1].0, "supported", "{verdicts:?}");
}

#[test]
fn what_the_police_did_not_see_and_the_committee_refused_is_contradicted() {
    let report = [
        "The police saw more accidents [minutes.md].",
        "According to the police there were more break-ins [minutes.md].",
        "The committee extended the night switch-off to the whole town [minutes.md].",
        "Karl Wenzel took part in the meeting of February 2024 [minutes.md].",
    ];
    let verdicts = verdicts(&[("minutes.md", MINUTES)], &report);
    for (number, own) in verdicts.iter().enumerate() {
        let expected = if number == 2 {
            "partial"
        } else {
            "contradicted"
        };
        assert_eq!(own.0, expected, "{verdicts:?}");
    }
}

#[test]
fn another_value_of_the_field_of_a_row_is_contradicted() {
    let report = [
        "The museum is heated with oil [buildings.csv].",
        "The library is heated with gas [buildings.csv].",
        "The museum is heated with gas [buildings.csv].",
        "The library is heated with district heating [buildings.csv].",
    ];
    let verdicts = verdicts(&[("buildings.csv", BUILDINGS)], &report);
    let reason = "\"heating source\" is \"gas\" in that row, not \"oil\"";
    assert_eq!(verdicts[0], ("contradicted".to_owned(), reason.to_owned()));
    assert_ne!(verdicts[1].0, "supported", "{verdicts:?}");
    for own in &verdicts[2..] {
        assert_ne!(own.0, "contradicted", "{verdicts:?}");
    }
}
