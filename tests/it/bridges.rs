//! The papers of a bridge office and of a plant in two languages: numbers that are withdrawn,
//! things that no paper names, years, and languages.

use crate::harness::Scratch;

const PAPERS: [(&str, &str); 6] = [
    (
        "memo.md",
        "---\ndate: 2024-05-02\n---\n# Load rating memo, girder G3\n\nThe thinnest web was found \
         in girder G3 at the pier 2 end, with 9.4 mm of the original 12.0 mm.\n",
    ),
    (
        "mail.eml",
        "From: Tunde Okafor <t.okafor@wexmoor.example>\nDate: Tue, 21 May 2024 16:42:10 +0200\n\
         Subject: Correction: web thickness of girder G3\n\nDear Lena,\n\nplease do not use the \
         web thickness of 9.4 mm for girder G3 at the pier 2 end that stands in my memo of 2 May. \
         It is a typing error. The correct value is 7.4 mm.\n",
    ),
    (
        "joints.md",
        "# Expansion joints\n\nThe expansion joint above pier 2 leaks. The expansion joints are \
         renewed every 20 years.\n",
    ),
    (
        "press.md",
        "---\ndate: 2023-02-02\n---\n# Press release\n\n## A clean record in 2022\n\nThe annual \
         mean for nitrogen oxides was 146 mg per cubic metre.\n",
    ),
    (
        "later.md",
        "---\ndate: 2024-02-02\n---\n# Press release\n\n## Better still in 2023\n\nThe annual mean \
         for nitrogen oxides was 121 mg per cubic metre.\n",
    ),
    (
        "niederschrift.md",
        "# Niederschrift der Sitzung\n\nDer Stadtrat hat die Erweiterung der Anlage mit 21 Stimmen \
         gegen 14 Stimmen abgelehnt, weil die Unterlagen nicht vollständig waren und die Kosten \
         nicht mehr getragen werden können.\n",
    ),
];

fn report(scratch: &Scratch, arguments: &[&str]) -> String {
    let run = ["run", "--docs", "docs", "--offline", "--quiet"];
    scratch.expect(0, &[&run[..], arguments].concat()).stdout
}

#[test]
fn a_number_that_a_later_mail_asks_not_to_use_does_not_lead() {
    let scratch = Scratch::with_docs(&PAPERS);
    let report = report(&scratch, &["How thick is the web of girder G3 at pier 2?"]);
    let (right, wrong) = (report.find("7.4 mm"), report.find("9.4 mm of the original"));
    assert!(right.is_some(), "{report}");
    assert!(wrong.is_none_or(|wrong| right < Some(wrong)), "{report}");
}

#[test]
fn a_thing_that_no_paper_names_is_said_to_be_missing() {
    let scratch = Scratch::with_docs(&PAPERS);
    let missing = report(&scratch, &["Is there asbestos in the expansion joints?"]);
    let notice = "> **Not answered as asked.** No document mentions “asbestos”.";
    assert!(missing.contains(notice), "{missing}");
    let named = report(&scratch, &["Is there a leak in the expansion joint?"]);
    assert!(!named.contains("Not answered"), "{named}");
}

#[test]
fn a_further_question_of_another_year_is_asked_in_full() {
    let scratch = Scratch::with_docs(&PAPERS);
    let topic = "What was the annual mean for nitrogen oxides in 2022?";
    let first = report(&scratch, &[topic, "--session", "first"]);
    let lead = |report: &str| {
        report
            .lines()
            .find(|line| line.starts_with("- "))
            .map(str::to_owned)
    };
    assert!(lead(&first).unwrap().contains("146 mg"), "{first}");
    let second = report(&scratch, &["What about 2023?", "--follow", "first"]);
    assert!(
        second.starts_with("# What was the annual mean for nitrogen oxides in 2023?"),
        "{second}"
    );
    assert!(lead(&second).unwrap().contains("121 mg"), "{second}");
}

#[test]
fn documents_in_another_language_than_the_topic_are_counted() {
    let scratch = Scratch::with_docs(&PAPERS);
    let question = "What was the annual mean for nitrogen oxides in 2022?";
    // Most of them are in English, and answer.
    let english = report(&scratch, &[question]);
    assert!(!english.contains("in German"), "{english}");
    let german = report(
        &scratch,
        &["Wie hat der Stadtrat über die Erweiterung abgestimmt?"],
    );
    assert!(german.contains("21 Stimmen"), "{german}");
    assert!(!german.contains("in German"), "{german}");
}

#[test]
fn documents_of_another_language_are_said_where_they_are_most_and_it_is_certain() {
    let pumps = "# Wärmepumpen\n\nEine Wärmepumpe ist in der Nacht leise, und sie braucht nur \
                 wenig Strom für das Haus, wenn es gut gedämmt ist.\n";
    let bees = "# Heat of the bees\n\nThe bees of the town make the heat of the hive in winter.\n";
    let german = Scratch::new();
    german.write("docs/a.md", pumps);
    german.write("docs/b.md", pumps.replace("Nacht", "Kälte"));
    german.write("docs/c.md", bees);
    let limit =
        "2 documents are in German, and the words of the topic are not: ask in German, too.";
    let mixed = report(&german, &["What is the heat of the hive?"]);
    assert!(mixed.contains(limit), "{mixed}");
    // "Do" is a word of Portuguese, too.
    let english = Scratch::new();
    english.write("docs/c.md", bees);
    let certain = report(&english, &["Do bees heat hives?"]);
    assert!(!certain.contains("in English"), "{certain}");
}
