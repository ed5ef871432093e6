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

/// Each question is answered in the first claim, without a warning.
pub(crate) fn assert_answered_first(run: impl Fn(&str) -> Ran, expected: &[(&str, &str)]) {
    for (question, answer) in expected {
        let ran = run(question);
        let first = first_claim(&ran);
        assert!(first.contains(answer), "{question}\n{}", ran.stdout);
        let is_warned = ran.stdout.contains("Not answered as asked");
        assert!(!is_warned, "{question}\n{}", ran.stdout);
    }
}

/// The text of the first claim in brief.
pub(crate) fn first_claim(ran: &Ran) -> &str {
    let (_, brief) = ran.stdout.split_once("## In brief\n\n").unwrap();
    let ends = ["\n- ", "\n\n## "]
        .into_iter()
        .filter_map(|end| brief.find(end));
    &brief[..ends.min().unwrap_or(brief.len())]
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
pub(crate) fn run_topic(topic: &str, documents: &[(&str, &str)], code: i32) -> Ran {
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
    let ran = run_topic(
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
    let ran = run_topic("When was the heat pump invented?", &[("pumps.md", text)], 0);
    let warning = ran.stdout.find("Not answered as asked").unwrap();
    assert!(warning < ran.stdout.find("## In brief").unwrap());
}

#[test]
fn a_section_that_is_asked_for_by_its_name_answers() {
    let text = "# Notes of the group\n\nThe points of the compass are open to all.\n\n## Open \
                points\n\n- Who pays for the fuse box?\n- The neighbour has not agreed.\n\n## \
                Agreed\n\nThe outdoor unit of the pump stands beside the garage.\n";
    let ran = run_topic("What are the open points?", &[("notes.md", text)], 0);
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
    let ran = run_topic("How does a hybrid system work?", &[("heating.md", text)], 0);
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
    let ran = run_topic("When is the installation of the heat pump?", &documents, 0);
    assert!(first_claim(&ran).contains("21 May"), "{}", ran.stdout);
    let old = ran.stdout.lines().find(|line| line.contains("14 May"));
    let remark = "(superseded by [1] of 2026-05-09)";
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
    let ran = run_topic(topic, &documents, 0);
    assert!(first_claim(&ran).contains("2 °C"), "{}", ran.stdout);
}

#[test]
fn a_drawback_is_no_argument_in_favour() {
    let text = "# Settings of a heat pump\n\nThe night setback of a heat pump is a setting.\n\n\
                ## Drawbacks\n\nA deep night setback saves little energy with a heat pump in an \
                old house.\n\n## Comfort\n\nA night setback rarely improves the comfort of a \
                bedroom in the morning.\n";
    let ran = run_topic(
        "Should a heat pump have a night setback?",
        &[("settings.md", text)],
        0,
    );
    let favour = ran.stdout.split_once("## Arguments in favour");
    let favour = favour.map_or("", |(_, rest)| rest.split("\n## ").next().unwrap_or(rest));
    assert!(!favour.contains("saves little"), "{}", ran.stdout);
    assert!(!favour.contains("rarely improves"), "{}", ran.stdout);
}

#[test]
fn how_long_a_thing_lasts_is_answered_by_its_expected_life() {
    let text = "# Costs\n\nThe maintenance of a heat pump costs 200 euros per year.\n\nThe \
                expected life of a heat pump is about 20 years.\n";
    let ran = run_topic("How long does a heat pump last?", &[("costs.md", text)], 0);
    assert!(first_claim(&ran).contains("20 years"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn the_author_of_a_document_is_named_from_its_header() {
    let text = "---\ntitle: Old radiators\nauthor: Ann Howe\n---\n# Old radiators\n\nMost old \
                radiators are too small for a heat pump.\n";
    let documents = [("radiators.md", text), ("unit.md", UNIT)];
    for topic in [
        "Who is the author of the article on old radiators?",
        "Who wrote \"Old radiators\"?",
    ] {
        let ran = run_topic(topic, &documents, 0);
        assert!(first_claim(&ran).contains("Ann Howe"), "{}", ran.stdout);
        assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    }
    let ran = run_topic("Who installs old radiators?", &documents, 0);
    assert!(!ran.stdout.contains("author:"), "{}", ran.stdout);
}

#[test]
fn a_right_answer_to_what_a_thing_brings_has_no_banner() {
    let text = "# Balancing\n\nHydraulic balancing allows a flow temperature that is 5 °C \
                lower.\n\nMost radiators of the house stand below a window of the room.\n";
    let ran = run_topic(
        "What does hydraulic balancing bring?",
        &[("balancing.md", text)],
        0,
    );
    assert!(first_claim(&ran).contains("5 °C"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn a_name_at_the_beginning_of_a_sentence_answers_who() {
    let text = "# Notes\n\nTom orders the fuse box.\n\nThe fuse box of the house is too small.\n";
    let ran = run_topic("Who orders the fuse box?", &[("notes.md", text)], 0);
    assert!(first_claim(&ran).contains("Tom"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn a_short_question_of_which_half_is_met_is_not_answered() {
    let text = "# Settings\n\nThe settings decide whether the house is heated cheaply.\n\nThe \
                commissioning of the pump takes one day.\n";
    let ran = run_topic(
        "What did the committee decide?",
        &[("settings.md", text)],
        0,
    );
    assert!(
        ran.stdout.contains("Not answered as asked"),
        "{}",
        ran.stdout
    );
}

#[test]
fn of_two_nearly_equal_versions_the_one_in_force_is_quoted() {
    let rules = |status: &str, date: &str, degrees: u32| {
        let rest: String = (1..40)
            .map(|number| format!("Rule {number} is on the room of that number in the house.\n"))
            .collect();
        format!(
            "---\nstatus: {status}\ndate: {date}\n---\n# House rules\n\nThe night setback of the \
             heat pump is at most {degrees} °C.\n\n{rest}"
        )
    };
    let (draft, agreed) = (
        rules("draft", "2026-06-03", 5),
        rules("accepted", "2026-06-10", 2),
    );
    let documents = [("a.md", draft.as_str()), ("b.md", agreed.as_str())];
    let topic = "How large may the night setback of the heat pump be?";
    let ran = run_topic(topic, &documents, 0);
    assert!(first_claim(&ran).contains("2 °C"), "{}", ran.stdout);
}

#[test]
fn a_heading_on_a_kind_of_the_thing_does_not_answer_for_the_thing() {
    let text = "# Costs\n\n## Running costs\n\nA heat pump saves 630 euros per year compared with \
                the boiler in the example.\n\n## Is a ground-source heat pump worth the \
                money?\n\nA ground-source heat pump saves 370 euros per year compared with an \
                air-source heat pump.\n";
    let topic = "How much money can I save with a heat pump?";
    let ran = run_topic(topic, &[("costs.md", text)], 0);
    assert!(first_claim(&ran).contains("630"), "{}", ran.stdout);
}

#[test]
fn the_author_of_another_document_is_no_answer() {
    let text = "---\ntitle: Old radiators\nauthor: Ann Howe\ndate: 2018-09-05\n---\n# Old \
                radiators\n\nMost old radiators are small. The field study was made in winter.\n";
    let other = "# Pumps\n\nPublished on 19 September 2022 for owners of old radiators.\n";
    let documents = [("radiators.md", text), ("pumps.md", other)];
    let ran = run_topic("Who wrote the field study?", &documents, 0);
    assert!(!ran.stdout.contains("author:"), "{}", ran.stdout);
    let topic = "When was the article on old radiators published?";
    let ran = run_topic(topic, &documents, 0);
    assert!(first_claim(&ran).contains("2018-09-05"), "{}", ran.stdout);
}

#[test]
fn similar_sentences_with_another_value_are_both_quoted() {
    for (question, one, other) in [
        (
            "How long does the warranty last?",
            "The warranty lasts 5 years.",
            "The warranty lasts 2 years.",
        ),
        (
            "Do we need a second load balancer?",
            "We need a second load balancer.",
            "We do not need a second load balancer.",
        ),
        (
            "Where is the server?",
            "The server is in Rotterdam.",
            "The server is in Ghent.",
        ),
    ] {
        let scratch = Scratch::new();
        scratch.write("docs/a.md", format!("# First\n\n{one}\n"));
        scratch.write("docs/b.md", format!("# Second\n\n{other}\n"));
        let ran = scratch.expect(0, &["run", question, "--docs", "docs", "--offline"]);
        let report = &ran.stdout;
        assert!(report.contains(one) && report.contains(other), "{report}");
        assert!(report.contains("2 are quoted"), "{report}");
    }
}

const NAMES: &str = "\
# Names of variables

Examples of names that the compiler refuses are:

- keywords such as `fn` and `impl`,
- most emoji, such as the crab.

Examples of names that it takes are:

- words with accents, such as the French ones.
";

#[test]
fn an_item_of_a_list_is_quoted_after_its_introduction() {
    let documents = [("names.md", NAMES), ("bees.md", BEES)];
    let ran = run_topic("May I use an emoji in a name?", &documents, 0);
    let claim = first_claim(&ran);
    let words = "Examples of names that the compiler refuses are:\n    - keywords";
    assert!(claim.contains(words), "{}", ran.stdout);
    assert!(claim.contains("\n    - most emoji"), "{}", ran.stdout);
}

const DELETIONS: &str = "\
# Deletion of packages

Authors can delete their packages under certain conditions.

Authors can delete their packages under the following conditions:

* the package was published less than 72 hours ago,
* or it has a single owner.

The index is rebuilt each night.
";

#[test]
fn an_introduction_answers_with_the_items_of_its_list() {
    let documents = [("deletions.md", DELETIONS), ("bees.md", BEES)];
    let question = "Can authors delete their packages?";
    let ran = run_topic(question, &documents, 0);
    let claim = first_claim(&ran);
    assert!(claim.contains("less than 72 hours ago"), "{}", ran.stdout);
    assert!(
        claim.contains("- or it has a single owner"),
        "{}",
        ran.stdout
    );
}

const COUNCIL: &str = "\
# The council

Members of the council must not come from any one company out of proportion. If it has five members
or fewer, no more than 1 may have any given affiliation. It meets in spring.
";

#[test]
fn a_number_one_sentence_later_is_quoted_with_it() {
    let documents = [("council.md", COUNCIL), ("bees.md", BEES)];
    let question = "How many members of the council may come from one company?";
    let ran = run_topic(question, &documents, 0);
    assert!(
        first_claim(&ran).contains("no more than 1"),
        "{}",
        ran.stdout
    );
}

const COOLING: &str = "\
# Experiments on transition

An investigation was made to determine the effect of surface cooling on transition at supersonic
speeds. Data were obtained optically in a wind tunnel. The results show that transition on a smooth
cone is delayed by cooling of its surface.
";

#[test]
fn an_outcome_answers_and_not_the_study_that_it_came_of() {
    let documents = [("cooling.md", COOLING), ("bees.md", BEES)];
    let question = "Does cooling the surface delay transition at supersonic speeds?";
    let ran = run_topic(question, &documents, 0);
    assert!(
        first_claim(&ran).contains("is delayed by"),
        "{}",
        ran.stdout
    );
}

const WING: &str = "\
# The leading edge of a wing

Changes of the leading edge of a wing change its stalling angle. A slat on the leading edge raises
the stalling angle of the wing.
";

#[test]
fn what_is_asked_about_and_nowhere_mentioned_is_not_answered() {
    let documents = [("wing.md", WING), ("bees.md", BEES)];
    let question = "How does ice on the leading edge change the stalling angle of a wing?";
    let ran = run_topic(question, &documents, 0);
    let warning = ran.stdout.find("Not answered as asked").unwrap();
    let said = "No document mentions “ice”.";
    assert!(ran.stdout[warning..].contains(said), "{}", ran.stdout);
}

#[test]
fn signatures_and_header_lines_are_not_quoted() {
    let scratch = Scratch::new();
    scratch.write(
        "docs/minutes.md",
        "# Minutes on the office heating\n\nAuthor: Ann Smith. Date: 2024-03-11.\n\n\
         Present: Ann Smith, Bob Jones and Carla Diaz of the office heating group.\n\
         Apologies: Erik Olsen of the office heating group and Fay Wong.\n\n\
         The office heating budget of the coming year is 42,000 euros. The group will replace the \
         boiler of the office heating in June.\n\n\
         Best regards,\nAnn Smith, head of office heating and of all facilities of the north.\n\n\
         Sent from my telephone, with the office heating app of the north region.\n\n\
         -- \nThis message about the office heating is confidential and meant for you only.\n",
    );
    let topic = "office heating";
    scratch.expect(0, &["run", topic, "--docs", "docs", "--session", "s"]);
    let report = scratch.read("research-output/s/final_report.md");
    assert!(report.contains("42,000 euros"), "{report}");
    for unquotable in [
        "Apologies",
        "Present",
        "regards",
        "Sent from",
        "confidential",
    ] {
        assert!(!report.contains(unquotable), "{unquotable}: {report}");
    }
    assert!(
        report.contains("Ann Smith, 2024-03-11, minutes.md"),
        "{report}"
    );
}

#[test]
fn a_minute_of_a_later_day_stands_before_what_it_corrects() {
    let documents = [
        (
            "a.md",
            "# Minutes, 4 March 2026\n\nThe office moves on 15 June 2026.\n",
        ),
        (
            "b.md",
            "# Minutes, 15 April 2026\n\nThe move of the office is postponed from 15 June to \
             1 September 2026.\n",
        ),
    ];
    let ran = run_topic("When does the office move?", &documents, 0);
    assert!(first_claim(&ran).contains("1 September"), "{}", ran.stdout);
    assert!(ran.stdout.contains("superseded by"), "{}", ran.stdout);
}

#[test]
fn short_answers_that_exclude_each_other_are_a_disagreement() {
    let documents = [
        ("a.md", "# Handbook\n\nThe daily allowance is 28 euros.\n"),
        (
            "b.md",
            "# Notes of the council\n\nThe daily allowance is 32 euros.\n",
        ),
    ];
    let ran = run_topic("How much is the daily allowance?", &documents, 0);
    let disagreements = "## Where the documents disagree";
    assert!(ran.stdout.contains(disagreements), "{}", ran.stdout);
    assert!(ran.stdout.contains("28 against 32"), "{}", ran.stdout);
}

#[test]
fn question_for_disagreements_is_answered_by_sentences_that_contradict_each_other() {
    let documents = [
        (
            "a.md",
            "# Guide\n\nA flow temperature of 55 °C is the highest sensible value.\n\n\
             About 60 % of the old radiators have to be replaced in a house.\n",
        ),
        (
            "b.md",
            "# Leaflet\n\nAbout 20 % of the old radiators have to be replaced in a house.\n\n\
             A flow temperature of 55 °C is common.\n",
        ),
    ];
    let none = "No two documents were seen to contradict each other";
    for topic in [
        "Where do the documents disagree?",
        "Do the documents agree on the radiators?",
    ] {
        let report = run_topic(topic, &documents, 0).stdout;
        assert!(
            report.contains("## Where the documents disagree"),
            "{report}"
        );
        let (_, first) = report.split_once("## In brief").unwrap();
        let (first, _) = first.split_once("\n## ").unwrap();
        assert!(
            first.contains("About 60 %") && first.contains("About 20 %"),
            "{report}"
        );
        assert!(
            !report.contains("Not answered") && !report.contains(none),
            "{report}"
        );
    }
    let report = run_topic(
        "Where do the documents disagree on the temperature?",
        &documents,
        0,
    );
    let report = report.stdout;
    assert!(
        report.contains("Not answered as asked") && report.contains(none),
        "{report}"
    );
    assert!(!report.contains("“disagree”"), "{report}");
    let alone = [(
        "a.md",
        "# Guide\n\nThe sources agree that a pump needs water and air.\n",
    )];
    // A sentence with the words of the question says nothing of it.
    let report = run_topic("Where do the sources disagree?", &alone, 5).stdout;
    assert!(report.contains(none), "{report}");
    assert!(!report.contains("“disagree”"), "{report}");
}

#[test]
fn answers_in_other_words_than_the_question_have_no_warning() {
    for (topic, sentence) in [
        (
            "When does the canteen close on Fridays?",
            "On Fridays the canteen closes at 13:30.",
        ),
        (
            "How high is the rent?",
            "The rent is 9,800 euros per month.",
        ),
        (
            "Was anybody injured?",
            "Nobody was injured when the coolant leaked.",
        ),
    ] {
        let ran = run_topic(
            topic,
            &[("notes.md", &format!("# Notes\n\n{sentence}\n"))],
            0,
        );
        assert!(first_claim(&ran).contains(sentence), "{}", ran.stdout);
        assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
    }
}

#[test]
fn a_row_of_words_and_numbers_is_found_by_its_name() {
    let table = "# Boats\n\n| Boat | Type | Weight limit |\n|---|---|---|\n\
                 | Lotte | single scull | 85 kg |\n| Greta | coxed four | 380 kg |\n";
    let ran = run_topic(
        "What is the weight limit of the Greta?",
        &[("boats.md", table)],
        0,
    );
    assert!(first_claim(&ran).contains("380 kg"), "{}", ran.stdout);
}

#[test]
fn decisions_of_a_day_are_those_under_the_heading_in_its_minutes() {
    let minutes = "# Meeting, 4 March 2026\n\n## Decisions\n\n\
                   1. The move takes place on 15 June 2026.\n\
                   2. We stay with the supplier Nordlys until the end of 2027.\n\n\
                   ## Discussion\n\nThe warehouse floor was discussed on 4 March 2026.\n";
    let ran = run_topic(
        "What was decided on 4 March 2026?",
        &[("minutes.md", minutes)],
        0,
    );
    assert!(first_claim(&ran).contains("15 June"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Nordlys"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn who_is_responsible_for_another_thing_is_no_answer() {
    let text = "# Incident\n\nTomasz Wrona is responsible for the pumps in hall 2.\n";
    let ran = run_topic(
        "Who is responsible for the migration?",
        &[("incident.md", text)],
        0,
    );
    let warning = ran.stdout.find("No document mentions “migration”").unwrap();
    assert!(warning < ran.stdout.find("## In brief").unwrap());
}

#[test]
fn a_price_of_another_thing_does_not_answer() {
    let documents = [
        (
            "lease.md",
            "# Lease\n\nThe tenant bears the cost of small repairs up to 300 euros each.\n",
        ),
        (
            "stock.csv",
            "Item,Unit price EUR\nDrill bit 8 mm,3.20\nDrill bit 12 mm,5.40\n",
        ),
    ];
    let ran = run_topic("What does a drill bit of 8 mm cost?", &documents, 0);
    assert!(first_claim(&ran).contains("3.20"), "{}", ran.stdout);
}

#[test]
fn hundred_copies_of_a_document_leave_room_for_their_original() {
    let scratch = Scratch::new();
    for year in 1600..1700 {
        let text = format!(
            "# Minutes of {year}\n\nThe board met in the cafe of the climbing hall, and the chair \
             opened the meeting. The annual fee was raised from 180 to 210 euros, against the \
             votes of fifteen members.\n\nThe boulder room opened in spring, two months late, \
             because the delivery of the mats was delayed. It cost 91,400 euros.\n"
        );
        scratch.write(&format!("docs/{year}.md"), text);
    }
    // The original has more words, so that its copies rank before it.
    let original = scratch.read("docs/1600.md") + "\nA letter of a member who was ill was read.\n";
    scratch.write("docs/1600.md", original);
    let ran = scratch.expect(
        0,
        &[
            "run",
            "How much did the boulder room cost?",
            "--docs",
            "docs",
        ],
    );
    assert!(first_claim(&ran).contains("91,400 euros"), "{}", ran.stdout);
}

#[test]
fn reasons_are_quoted_behind_their_announcement() {
    let scratch = Scratch::new();
    scratch.write(
        "docs/counters.md",
        "# Counters\n\nThe kernel needs counters, but it cannot use the counter of the library. \
         There are several reasons for this:\n\n1. The counter of the library aborts on \
         overflow. This is not acceptable in the kernel.\n2. Its atomics follow another memory \
         model.\n\nCounters are tested at night.\n",
    );
    let question = "Why can the kernel not use the counter of the library?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "--quiet"]);
    let first = first_claim(&ran);
    for part in [
        "The kernel needs counters",
        "aborts on overflow",
        "memory model",
    ] {
        assert!(first.contains(part), "{}", ran.stdout);
    }
}

#[test]
fn thing_is_not_defined_by_what_is_thought_of_it() {
    let scratch = Scratch::new();
    scratch.write(
        "docs/hybrid.md",
        "# Hybrid heating\n\nA hybrid system is a sensible solution for an old house. A hybrid \
         heating system combines a heat pump with a boiler.\n",
    );
    let question = "What is a hybrid system?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "--quiet"]);
    assert!(first_claim(&ran).contains("combines"), "{}", ran.stdout);
}

#[test]
fn question_with_a_word_that_is_only_the_ending_of_a_superlative_does_not_crash() {
    let ran = answered("Where is Hôtel est?", 5);
    assert!(ran.stdout.contains("No evidence"), "{}", ran.stdout);
}

#[test]
fn rule_comes_before_an_example() {
    let scratch = Scratch::new();
    scratch.write(
        "docs/pumps.md",
        "# Pumps in old houses\n\nThe curve in the example gives a flow temperature of 40 °C. A \
         flow temperature of 55 °C is the highest value for a pump in an old house.\n",
    );
    let question = "What flow temperature do I need?";
    let ran = scratch.expect(0, &["run", question, "--docs", "docs", "--quiet"]);
    assert!(first_claim(&ran).contains("55 °C"), "{}", ran.stdout);
}
