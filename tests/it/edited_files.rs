//! Edits by hand of files for people to read, and references to what does not exist.

use crate::harness::{Scratch, TOPIC};

fn finished() -> Scratch {
    let scratch = Scratch::with_few();
    scratch.research();
    scratch
}

#[test]
fn edited_rendering_is_noticed_and_not_overwritten() {
    let scratch = finished();
    scratch.expect(0, &["verify", "s"]);
    scratch.edit("final_report.md", "## In brief", "## In short");
    let status = scratch.expect(0, &["status", "s"]).stdout;
    assert!(
        status.contains("edited   final_report.md: changed by hand"),
        "{status}"
    );
    let verified = scratch.expect(1, &["verify", "s"]);
    let verified = verified.stdout + &verified.stderr;
    assert!(
        verified.contains("final_report.md was changed by hand"),
        "{verified}"
    );
    let ran = scratch.expect(0, &["run", "--resume", "s"]);
    let warning = "research-output/s/final_report.md: changed by hand";
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
    assert!(ran.stdout.contains("## In short"), "{}", ran.stdout);
    // A run that makes it again keeps the edit.
    scratch.expect(0, &["run", "--resume", "s", "--from", "review"]);
    assert!(
        scratch
            .read("research-output/s/superseded/1/final_report.md")
            .contains("## In short")
    );
    assert!(
        scratch
            .read("research-output/s/final_report.md")
            .contains("## In brief")
    );
    scratch.expect(0, &["verify", "s"]);
}

#[test]
fn reference_to_what_does_not_exist_is_an_error_with_file_and_line() {
    for (file, words, others, named) in [
        (
            "analysis.json",
            "\"passage\": \"P1\"",
            "\"passage\": \"P999\"",
            "passage in research.json \"P999\"",
        ),
        (
            "report.json",
            "\"source\": \"S1\"",
            "\"source\": \"S99\"",
            "source in research.json \"S99\"",
        ),
        (
            "research.json",
            "\"source\": \"S1\"",
            "\"source\": \"S99\"",
            "source in research.json \"S99\"",
        ),
        ("report.json", "\"C1\"", "\"C99\"", "claim in this file \"C"),
    ] {
        let scratch = finished();
        let before = scratch.read("research-output/s/final_report.md");
        scratch.edit(file, words, others);
        let ran = scratch.expect(1, &["run", "--resume", "s"]);
        assert!(ran.stderr.contains(named), "{}", ran.stderr);
        assert!(
            ran.stderr.contains(&format!("research-output/s/{file}:")),
            "{}",
            ran.stderr
        );
        assert!(!ran.stderr.contains("to resume"), "{}", ran.stderr);
        let status = scratch.expect(0, &["status", "s"]).stdout;
        assert!(
            status.contains("BROKEN") && status.contains(named),
            "{status}"
        );
        assert_eq!(scratch.read("research-output/s/final_report.md"), before);
        scratch.edit(file, others, words);
        scratch.expect(0, &["run", "--resume", "s"]);
    }
    let scratch = finished();
    scratch.edit(
        "analysis.json",
        "\"passage\": \"P1\"",
        "\"passage\": \"P999\"",
    );
    scratch.expect(0, &["run", "--resume", "s", "--from", "analysis"]);
}

#[test]
fn claim_that_was_changed_by_hand_is_marked_where_it_is_printed() {
    let scratch = finished();
    let text = scratch.json("report.json")["content"]["claims"][0]["text"].clone();
    let text = text.as_str().unwrap();
    let altered = format!("{} Honestly.", text.trim_end_matches('.'));
    let [was, is] = [text, &altered].map(|text| format!("\"text\": {}", serde_json::json!(text)));
    scratch.edit("report.json", &was, &is);
    let ran = scratch.expect(0, &["run", "--resume", "s"]);
    let mark = "changed by hand: not the words of the source";
    assert!(ran.stdout.contains(mark), "{}", ran.stdout);
    for format in ["md", "html", "json"] {
        let exported = scratch
            .expect(0, &["export", "s", "--format", format])
            .stdout;
        assert!(exported.contains(mark), "{format}");
    }
    scratch.expect(1, &["verify", "s"]);
    let other = Scratch::with_few();
    let ran = other.expect(0, &["run", TOPIC, "--docs", "docs"]);
    assert!(!ran.stdout.contains(mark));
}
