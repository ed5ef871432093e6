//! Answers: the sentence that answers comes first, or the report says in its first line that there
//! is none.

use crate::harness::{Ran, Scratch};

const UNIT: &str = "\
# The outdoor unit

The outdoor unit of the heat pump has a sound power level of 55 dB at night. It stands beside the
house.
";

const PEP: &str = "\
# PEP 3105: Make print a function

## Abstract

Print becomes a function that takes a separator and a file.

## Rejected ideas

Keeping the print statement beside the function was rejected.
";

const BEES: &str = "# Bees\n\nA bee collects nectar from the flowers in summer.\n";

/// Runs a topic over three short documents.
fn answered(topic: &str, code: i32) -> Ran {
    let scratch = Scratch::new();
    for (name, text) in [("unit.md", UNIT), ("pep-3105.md", PEP), ("bees.md", BEES)] {
        scratch.write(&format!("three/{name}"), text);
    }
    scratch.expect(
        code,
        &["run", topic, "--docs", "three", "--offline", "--quiet"],
    )
}

/// The text of the first claim in brief.
fn first_claim(ran: &Ran) -> &str {
    let (_, brief) = ran.stdout.split_once("## In brief\n\n").unwrap();
    brief.lines().next().unwrap()
}

#[test]
fn measure_answers_how_loud() {
    let ran = answered("How loud is the heat pump?", 0);
    assert!(first_claim(&ran).contains("55 dB"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn unknown_word_is_named_and_silences_nothing() {
    let ran = answered("How loud is the outdoor unit in Germany?", 0);
    let warning = ran.stdout.find("Not answered as asked").unwrap();
    assert!(warning < ran.stdout.find("## In brief").unwrap());
    assert!(ran.stdout[warning..].contains("“Germany”"));
    assert!(first_claim(&ran).contains("55 dB"), "{}", ran.stdout);
}

#[test]
fn document_is_found_by_its_number_and_answers_with_its_abstract() {
    let ran = answered("What does PEP 3105 propose?", 0);
    assert!(
        first_claim(&ran).contains("Print becomes a function"),
        "{}",
        ran.stdout
    );
}

#[test]
fn silence_names_the_nearest_document_with_its_best_sentence() {
    let ran = answered(
        "Why do bees dance before the parliament of Norway in storms?",
        5,
    );
    assert!(
        ran.stdout.contains("No evidence was found"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("A bee collects nectar"),
        "{}",
        ran.stdout
    );
}

#[test]
fn editions_of_a_report_make_a_dated_table_and_no_contradiction() {
    let scratch = Scratch::new();
    for (year, members) in [(2021, 412), (2023, 538), (2022, 455)] {
        let text = format!(
            "---\ndate: {year}-12-31\n---\n# Annual report {year}\n\nThe bicycle cooperative of \
             the old harbour town has {members} members.\n"
        );
        scratch.write(&format!("reports/{year}.md"), &text);
    }
    let topic = "How many members does the bicycle cooperative have?";
    let options = ["--offline", "--quiet", "--session", "s"];
    let run = [&["run", topic, "--docs", "reports"], &options[..]].concat();
    let report = scratch.expect(0, &run).stdout;
    let (_, table) = report.split_once("## Values over time\n").unwrap();
    let rows: Vec<&str> = table
        .lines()
        .filter(|line| line.starts_with("| 20"))
        .collect();
    assert_eq!(rows.len(), 3, "{report}");
    for (row, cells) in rows.iter().zip([
        "| 2021-12-31 | 412 | Annual report 2021",
        "| 2022-12-31 | 455 | Annual report 2022",
        "| 2023-12-31 | 538 | Annual report 2023",
    ]) {
        assert!(row.starts_with(cells) && row.contains("bytes"), "{row}");
    }
    assert!(!report.contains("Where the documents disagree"), "{report}");
    scratch.expect(0, &["verify", "s"]);
    let html = scratch
        .expect(0, &["export", "s", "--format", "html"])
        .stdout;
    assert!(html.contains("<td>2022-12-31</td><td>455</td>"));
}

#[test]
fn item_of_a_list_of_conditions_is_no_answer() {
    let scratch = Scratch::new();
    let text = "# Boilers\n\nThese conditions speak for a boiler:\n\n- The house needs a flow \
                temperature of 70 °C.\n- The chimney is sound.\n\n## Radiators\n\nA flow \
                temperature of 50 °C is enough for most radiators.\n";
    scratch.write("docs/boilers.md", text);
    let topic = "What flow temperature is needed?";
    let run = ["run", topic, "--docs", "docs", "--offline", "--quiet"];
    let ran = scratch.expect(0, &run);
    assert!(first_claim(&ran).contains("50 °C"), "{}", ran.stdout);
}

/// Runs a topic over documents of these names and texts.
fn asked(topic: &str, documents: &[(&str, &str)], code: i32) -> Ran {
    let scratch = Scratch::new();
    for (name, text) in documents {
        scratch.write(&format!("docs/{name}"), text);
    }
    let options = ["--docs", "docs", "--offline", "--quiet"];
    scratch.expect(code, &[&["run", topic], &options[..]].concat())
}

#[test]
fn a_heading_of_plain_text_is_no_claim() {
    let text = "Field measurements of pumps\n\nHow the measurements were made\n\nA meter was \
                installed in every house of the field measurements.\n\nThe year began in July \
                2020 and ended in June 2021.\n";
    let ran = asked(
        "When were the field measurements made?",
        &[("report.txt", text)],
        0,
    );
    assert!(
        !ran.stdout.contains("How the measurements"),
        "{}",
        ran.stdout
    );
    assert!(
        !ran.stdout.contains("** Field measurements of pumps"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_question_for_a_date_without_one_in_the_summary_is_not_answered() {
    let text = "# Heat pumps\n\nThe heat pump was invented for the cellar of the old brewery.\n";
    let ran = asked("When was the heat pump invented?", &[("pumps.md", text)], 0);
    let warning = ran.stdout.find("Not answered as asked").unwrap();
    assert!(warning < ran.stdout.find("## In brief").unwrap());
}

#[test]
fn a_section_that_is_asked_for_by_its_name_answers() {
    let text = "# Notes of the group\n\nThe points of the compass are open to all.\n\n## Open \
                points\n\n- Who pays for the fuse box?\n- The neighbour has not agreed.\n\n## \
                Agreed\n\nThe outdoor unit of the pump stands beside the garage.\n";
    let ran = asked("What are the open points?", &[("notes.md", text)], 0);
    let first = first_claim(&ran);
    assert!(first.contains("Who pays for the fuse box?"), "{first}");
    assert!(first.contains("The neighbour has not agreed"), "{first}");
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn a_question_how_is_answered_below_the_heading_that_asks_it() {
    let text = "# Heating\n\n## Hybrid systems\n\nA hybrid system is no permanent solution for \
                an old house.\n\n## How a hybrid system works\n\nThe control unit of the hybrid \
                system changes between pump and boiler at a chosen temperature.\n";
    let ran = asked("How does a hybrid system work?", &[("heating.md", text)], 0);
    let first = first_claim(&ran);
    assert!(first.contains("The control unit"), "{first}");
}

#[test]
fn a_later_correction_stands_first_and_what_it_corrects_is_named() {
    let note = |date: &str, text: &str| format!("---\ndate: {date}\n---\n# Notes\n\n{text}\n");
    let first = note(
        "2026-05-02",
        "The installation of the heat pump is on 14 May.",
    );
    let later = note(
        "2026-05-09",
        "The installation is postponed to 21 May, because the fuse box is late.",
    );
    let documents = [("a.md", first.as_str()), ("b.md", later.as_str())];
    let ran = asked("When is the installation of the heat pump?", &documents, 0);
    assert!(first_claim(&ran).contains("21 May"), "{}", ran.stdout);
    let old = ran.stdout.lines().find(|line| line.contains("14 May"));
    let remark = "(superseded by \\[1\\] of 2026-05-09)";
    assert!(
        old.is_some_and(|line| line.contains(remark)),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_draft_stands_behind_the_document_in_force() {
    let rules = |status: &str, date: &str, text: &str| {
        format!("---\nstatus: {status}\ndate: {date}\n---\n# House rules\n\n{text}\n")
    };
    let draft = rules(
        "draft",
        "2026-06-03",
        "The night setback of the heat pump in the house is at most 5 °C by these rules.",
    );
    let agreed = rules(
        "accepted",
        "2026-06-10",
        "The night setback of the heat pump is at most 2 °C.",
    );
    let documents = [("a.md", draft.as_str()), ("b.md", agreed.as_str())];
    let topic = "How large may the night setback of the heat pump in the house be?";
    let ran = asked(topic, &documents, 0);
    assert!(first_claim(&ran).contains("2 °C"), "{}", ran.stdout);
}
