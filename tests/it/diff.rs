//! `research diff` between rounds and between sessions, and the manual pages of `research man`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use clap::Command;

use crate::harness::{DEMANDING, Scratch, TOPIC, WIDE_TOPIC, parsed, tree};

/// A session of two rounds and more, made once for all tests here.
static ROUNDS: LazyLock<Scratch> = LazyLock::new(|| {
    let scratch = Scratch::with_few();
    let arguments = ["run", WIDE_TOPIC, "--docs", "docs", "--session", "s"];
    scratch.expect(0, &[&arguments[..], &DEMANDING].concat());
    scratch
});

fn texts(report: &serde_json::Value) -> BTreeSet<String> {
    let claims = report["content"]["claims"].as_array().unwrap().iter();
    let quotes = claims.map(|claim| claim["citations"][0]["quote"].as_str().unwrap().to_owned());
    quotes.collect()
}

fn quotes(changes: &serde_json::Value) -> BTreeSet<String> {
    let changes = changes.as_array().unwrap().iter();
    changes
        .map(|claim| claim["quote"].as_str().unwrap().to_owned())
        .collect()
}

fn locators(references: &serde_json::Value) -> BTreeSet<String> {
    let references = references.as_array().unwrap().iter();
    references
        .map(|reference| reference["locator"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn diff_of_rounds_lists_added_claims_and_review_notes() {
    let difference = parsed(&ROUNDS.expect(0, &["diff", "s", "1", "2", "--json"]).stdout);
    let before = ROUNDS.json("rounds/1/report.json");
    let file = if ROUNDS.session().join("rounds/2").exists() {
        "rounds/2/report.json"
    } else {
        "report.json"
    };
    let after = ROUNDS.json(file);
    let (old, new) = (texts(&before), texts(&after));
    let claims = &difference["claims"];
    assert_eq!(quotes(&claims["added"]), &new - &old);
    assert_eq!(quotes(&claims["removed"]), &old - &new);
    assert_eq!(quotes(&claims["kept"]), &old & &new);
    assert_ne!(old, new);

    let review = ROUNDS.json("rounds/1/review.json");
    assert_eq!(difference["notes"], review["content"]["notes"]);
    assert_eq!(difference["score"]["from"], review["content"]["score"]);
    assert_eq!(difference["criteria"].as_array().unwrap().len(), 7);

    let text = ROUNDS.expect(0, &["diff", "s", "1", "2"]).stdout;
    assert!(text.starts_with("s, round 1 → s, round 2\n"), "{text}");
    for criterion in difference["criteria"].as_array().unwrap() {
        let weight = criterion["weight"].as_f64().unwrap();
        let reason = criterion["reason"].as_str().unwrap();
        let weighs = format!("(weight {weight}: {reason})");
        assert!(text.contains(&weighs), "{weighs}\n{text}");
    }
    for claim in &quotes(&claims["added"]) {
        let line = claim.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&format!("  + {line}")), "{text}");
    }
    assert!(text.contains("review notes in between\n"), "{text}");
}

#[test]
fn diff_defaults_to_the_last_two_rounds() {
    let rounds =
        (1..).take_while(|round| ROUNDS.session().join(format!("rounds/{round}")).exists());
    let past = rounds.last().unwrap();
    let named = ["diff", "s", &past.to_string(), &(past + 1).to_string()];
    let named = ROUNDS.expect(0, &named).stdout;
    assert_eq!(ROUNDS.expect(0, &["diff", "s"]).stdout, named);
    let text = ROUNDS.expect(0, &["diff", "s", "1", "2", "--text"]).stdout;
    assert!(
        text.starts_with("--- s, round 1\n+++ s, round 2\n@@ "),
        "{text}"
    );
    let same = ROUNDS.expect(0, &["diff", "s", "1", "1", "--text"]).stdout;
    assert_eq!(same, "");
}

#[test]
fn diff_of_sessions_matches_quotations_not_ids() {
    let scratch = Scratch::with_few();
    scratch.research();
    for name in ["costs.md", "radiators-can-stay.md"] {
        scratch.write(
            &format!("other/{name}"),
            scratch.read(&format!("docs/{name}")),
        );
    }
    scratch.write(
        "other/a.md",
        "# Heat pumps\n\nHeat pumps work in old houses with large radiators.\n",
    );
    scratch.expect(0, &["run", TOPIC, "--docs", "other", "--session", "t"]);
    let difference = parsed(&scratch.expect(0, &["diff", "s", "t", "--json"]).stdout);
    let report =
        |session: &str| parsed(&scratch.read(&format!("research-output/{session}/report.json")));
    let (before, after) = (report("s"), report("t"));
    let (old, new) = (texts(&before), texts(&after));
    let claims = &difference["claims"];
    assert_eq!(quotes(&claims["kept"]), &old & &new);
    assert_eq!(quotes(&claims["added"]), &new - &old);
    assert!(!(&old & &new).is_empty());
    let (old, new) = (
        locators(&before["content"]["references"]),
        locators(&after["content"]["references"]),
    );
    let references = &difference["references"];
    assert_eq!(locators(&references["kept"]), &old & &new);
    assert_eq!(locators(&references["added"]), &new - &old);
    assert_eq!(locators(&references["removed"]), &old - &new);
    assert_ne!(old, new);
    assert_eq!(difference["topics"], serde_json::Value::Null);
    let before = tree(scratch.path());
    scratch.expect(0, &["diff", "s", "research-output/t"]);
    assert!(tree(scratch.path()) == before);
}

#[test]
fn diff_of_an_updated_session_shows_what_the_update_replaced() {
    let scratch = Scratch::new();
    let price = |pounds| format!("# Prices\n\nA day pass costs {pounds} pounds per person.\n");
    scratch.write("docs/prices.md", price("eighteen"));
    let run = [
        "run",
        "How much is a day pass?",
        "--docs",
        "docs",
        "--session",
        "s",
    ];
    scratch.expect(0, &run);
    assert!(
        scratch
            .expect(2, &["diff", "s"])
            .stderr
            .contains("no earlier report")
    );
    scratch.write("docs/prices.md", price("nineteen"));
    let updated = scratch.run(&["update", "s"]);
    assert!(updated.stdout.contains("nineteen"), "{}", updated.stdout);
    let text = scratch.expect(0, &["diff", "s"]).stdout;
    for words in [
        "s, superseded/1",
        "claims: 1 changed, 0 added, 0 removed",
        "- was:    A day pass costs eighteen",
        "+ is now: A day pass costs nineteen",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn diff_refuses_missing_rounds_and_sessions() {
    let scratch = Scratch::with_few();
    scratch.research();
    for (arguments, words) in [
        (&["diff", "s"][..], "only one round"),
        (&["diff", "s", "1", "7"], "no round 7"),
        (&["diff", "s", "0"], "only one round"),
        (&["diff", "s", "nothing"], "research list"),
        (&["diff", "s", "s", "1"], "not both"),
        (&["diff", "s", "1", "1", "--text", "--json"], "--text"),
    ] {
        let refused = scratch.expect(2, arguments);
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
}

/// A page without its roff escapes.
fn plain(page: &str) -> String {
    page.replace('\\', "")
}

fn assert_documented(page: &str, command: &Command) {
    for argument in command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set())
    {
        if let Some(long) = argument.get_long() {
            assert!(page.contains(&format!("--{long}")), "{long}: {page}");
        }
        if let Some(short) = argument.get_short() {
            assert!(page.contains(&format!("-{short}")), "{short}: {page}");
        }
    }
}

#[test]
fn manual_pages_list_every_command_and_flag() {
    let scratch = Scratch::new();
    let main = plain(&scratch.expect(0, &["man"]).stdout);
    scratch.expect(0, &["man", "-o", "a/pages", "-q"]);
    let pages = tree(&scratch.path().join("a/pages"));
    let mut command = research::cli::Cli::default().definition();
    command.build();
    assert_documented(&main, &command);
    assert_eq!(plain(&scratch.read("a/pages/research.1")), main);
    let mut count = 1;
    let commands = command.get_subcommands();
    for child in commands.filter(|child| !child.is_hide_set() && child.get_name() != "help") {
        let name = format!("research-{}", child.get_name());
        assert!(main.contains(&format!("{name}(1)")), "{main}");
        let page = plain(&scratch.read(&format!("a/pages/{name}.1")));
        assert!(page.contains(&format!(".TH {name} 1")), "{page}");
        assert_documented(&page, child);
        count += 1;
    }
    assert_eq!(pages.len(), count, "{:?}", pages.keys());
}
