//! A hundred proposals for one language, each with its summary, motivation and drawbacks: plain
//! questions that name the language, which tells no proposal from another.

use crate::answers::{assert_answered_first, first_claim};
use crate::harness::{Ran, Scratch};

const PROPOSALS: [(&str, &str); 4] = [
    (
        "tier-policy.md",
        "# Tier policy\n\n## Summary\n\nThis proposal codifies the requirements for each tier of \
         Kite, and for moving a target to another tier.\n\n## Guide\n\nThe compiler has three \
         tiers of support:\n\n- It gives no guarantee for tier 3, which may or may not build.\n- \
         It checks that tier 2 builds, but its tests may fail.\n- It checks that tier 1 builds and \
         passes its tests.\n",
    ),
    (
        "identifiers.md",
        "# Unicode identifiers\n\n## Summary\n\nAllow letters such as accented characters in the \
         identifiers of Kite.\n\n## Motivation\n\nWriting in their own language makes Kite open to \
         more people.\n\n## Guide\n\nUnicode identifiers are not allowed within an external block \
         and in exported functions.\n",
    ),
    (
        "mangling.md",
        "# Symbol mangling\n\n## Summary\n\nThis proposal describes a new mangling scheme for \
         symbols in Kite.\n\n## Motivation\n\nThe old mangling scheme has a number of \
         drawbacks:\n\n- It loses the generic parameters of a function.\n- It is inconsistent \
         from path to path.\n\n## Drawbacks\n\nThe new names are longer.\n",
    ),
    (
        "fibres.md",
        "# Remove fibres\n\n## Summary\n\nThis proposal removes the fibres from the library of \
         Kite.\n\n## Motivation\n\nFibres are removed because every call through them is \
         slower. This has several downsides:\n\n- Each of the many programs that start a fibre \
         for every request has to carry the whole of the scheduler and the whole of the input and \
         output layer of the library, whether or not the program ever asks for either of them, so \
         that even the smallest program on the smallest board takes several megabytes of memory \
         and most of a second to start, which its users notice at once and complain about in \
         every survey of the project.\n",
    ),
];

/// A folder of a hundred and more proposals, all of which name the language.
fn proposals() -> Scratch {
    let scratch = Scratch::new();
    for (name, text) in PROPOSALS {
        scratch.write(&format!("docs/{name}"), text);
    }
    for number in 0..110 {
        let text = format!(
            "# Method number {number}\n\n## Summary\n\nAdd the method m{number} to the lists of \
             Kite.\n\n## Motivation\n\nKite programs often need it.\n"
        );
        scratch.write(&format!("docs/method-{number}.md"), &text);
    }
    scratch
}

fn answered(topic: &str) -> Ran {
    proposals().expect(0, &["run", topic, "--docs", "docs", "--offline", "--quiet"])
}

#[test]
fn name_of_what_a_large_collection_is_on_need_not_be_in_the_answer() {
    assert_answered_first(
        answered,
        &[
            (
                "Where are Unicode identifiers still not allowed in Kite?",
                "within an external block",
            ),
            (
                "What was wrong with the old mangling scheme in Kite?",
                "loses the generic parameters",
            ),
        ],
    );
}

#[test]
fn list_of_what_the_question_counts_is_quoted_whole() {
    let ran = answered("How do the three tiers of Kite differ?");
    let first = first_claim(&ran);
    for item in ["no guarantee for tier 3", "tier 2 builds", "tier 1 builds"] {
        assert!(first.contains(item), "{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn no_quotation_ends_with_the_announcement_of_what_is_not_quoted() {
    let ran = answered("Why were fibres removed from Kite?");
    assert!(first_claim(&ran).contains("slower"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("downsides: ["), "{}", ran.stdout);
}

#[test]
fn long_question_is_the_whole_title_of_its_report() {
    let question = "Where are Unicode identifiers still not allowed in Kite, now that letters such \
                    as accented characters may be used in identifiers in most places of a program?";
    let ran = answered(question);
    assert!(
        ran.stdout.contains(&format!("# {question}\n")),
        "{}",
        ran.stdout
    );
}

#[test]
fn question_for_papers_is_answered_by_one_sentence_of_each_paper_on_it() {
    let scratch = proposals();
    for (number, subject) in ["thin cones", "corrugated cones", "wet cones"]
        .iter()
        .enumerate()
    {
        let text = format!(
            "# Flutter of {subject}\n\nThe flutter of {subject} in a fast stream is studied. A \
             series of 40 tests was made. The flutter of {subject} was found to depend on the \
             angle of the stream. Further work on flutter is under way.\n"
        );
        scratch.write(&format!("docs/flutter-{number}.md"), &text);
    }
    let ran = |topic| {
        let arguments = ["run", topic, "--docs", "docs", "--offline", "--quiet"];
        scratch.expect(0, &arguments).stdout
    };
    let report = ran("What papers are there on the flutter of cones?");
    assert!(!report.contains("Not answered"), "{report}");
    for subject in ["thin cones", "corrugated cones", "wet cones"] {
        let aim = format!("The flutter of {subject} in a fast stream is studied.");
        assert_eq!(report.matches(&aim).count(), 1, "{report}");
    }
    assert!(!report.contains("Further work"), "{report}");
    let report = ran("Has anyone investigated the flutter of accented characters in lists?");
    assert!(report.contains("Not answered as asked"), "{report}");
}

/// A hundred and more notes of a harbour office, all on the same pier but one.
fn notes() -> Scratch {
    let scratch = Scratch::new();
    let trees = ["Alder", "Birch", "Cedar", "Elm", "Hazel", "Larch", "Maple"];
    for number in 0..110 {
        let tree = trees[number % trees.len()];
        let text = format!(
            "# Note on {tree} Street {number}\n\nThe harbour office talked about the north pier \
             with the owners of {tree} Street. The boats of {tree} Street stay where they are. A \
             survey of berth {number} is filed with the plans.\n"
        );
        scratch.write(&format!("docs/note-{number}.md"), &text);
    }
    let slipway = "# Note on the slipway\n\nThe slipway is closed in winter because ice makes its \
                   planks slippery. The harbour office clears it in March.\n";
    scratch.write("docs/slipway.md", slipway);
    let crane = "# Note on the crane\n\nThe old crane at the quay was sold to the museum. Money of \
                 the sale went into a new roof of the shed. Its plans are in the archive.\n";
    scratch.write("docs/crane.md", crane);
    scratch
}

#[test]
fn sentence_that_leads_by_far_answers_in_words_of_its_own() {
    let question = "Which season makes slippery planks of the slipway a worry?";
    let ran = notes().expect(0, &["run", question, "--docs", "docs", "--quiet"]);
    assert!(first_claim(&ran).contains("in winter"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Not answered"), "{}", ran.stdout);
}

#[test]
fn sentence_that_leads_by_nothing_is_doubted() {
    let question = "What did the owners say to the harbour office about the north pier?";
    let ran = notes().expect(0, &["run", question, "--docs", "docs", "--quiet"]);
    assert!(
        ran.stdout.contains("Not answered as asked"),
        "{}",
        ran.stdout
    );
}

#[test]
fn answer_in_a_large_collection_is_quoted_with_the_sentence_that_explains_it() {
    let question = "What became of the old crane at the quay?";
    let ran = notes().expect(0, &["run", question, "--docs", "docs", "--quiet"]);
    let first = first_claim(&ran);
    for sentence in ["sold to the museum", "a new roof of the shed"] {
        assert!(first.contains(sentence), "{}", ran.stdout);
    }
}
