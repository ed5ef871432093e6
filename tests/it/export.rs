//! `research export`: the same report as Markdown, HTML and JSON, and the escaping of hostile
//! documents.

use std::os::unix::fs::symlink;
use std::sync::LazyLock;

use dom_query::{Document, NodeRef};
use serde_json::Value;

use crate::harness::{DEMANDING, Scratch, TOPIC, WIDE_TOPIC, parsed};

/// A session over the whole example, made once for the tests that only read it.
static EXAMPLE: LazyLock<Scratch> = LazyLock::new(|| {
    let scratch = Scratch::with_example();
    scratch.research();
    scratch
});

const KINDS: [&str; 3] = ["detailed", "summary", "academic"];

/// Markup that a hostile document injects.
const ATTACK: &str =
    "<script>alert(1)</script> \"><img src=x onerror=alert(2)> </title></mark></details>";

fn exported(scratch: &Scratch, arguments: &[&str]) -> String {
    let command = [&["export", "s"], arguments].concat();
    scratch.expect(0, &command).stdout
}

fn html(scratch: &Scratch, kind: &str) -> String {
    exported(scratch, &["--format", "html", "--kind", kind])
}

#[test]
fn format_of_ones_own_is_a_template() {
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/formats/minutes.md.jinja"
    );
    let minutes = exported(&EXAMPLE, &["--template", example]);
    let report = EXAMPLE.json("report.json")["content"].clone();
    let title = format!("# Minutes: {}\n", report["title"].as_str().unwrap());
    assert!(minutes.starts_with(&title), "{minutes}");
    for claim in report["claims"].as_array().unwrap() {
        let line = format!(". {}", claim["text"].as_str().unwrap());
        let (_, behind) = minutes.split_once(&line).unwrap();
        assert!(behind.starts_with("\n   - S") || behind.starts_with(" (implausible beside ["));
    }
    EXAMPLE.write("own/broken.jinja", "{{ title }}\n{{ no_such_value }}");
    let broken = ["export", "s", "--template", "own/broken.jinja"];
    let ran = EXAMPLE.expect(1, &broken);
    let problem = "own/broken.jinja:2: this template cannot be rendered";
    assert!(ran.stderr.contains(problem), "{}", ran.stderr);
    let both = ["export", "s", "--template", example, "--format", "html"];
    EXAMPLE.expect(2, &both);
    EXAMPLE.expect(2, &["export", "s", "--template", "no-such-file"]);
}

#[test]
fn a_report_replaces_no_document_that_it_is_made_of() {
    let scratch = Scratch::new();
    let text = "# Valve\n\n> This document is withdrawn.\n\nThe valve opens at 3 bar.\n";
    scratch.write("docs/valve.md", text);
    let topic = "When does the valve open?";
    for (session, documents) in [("s", "docs"), ("t", "docs/valve.md")] {
        scratch.expect(
            0,
            &["run", topic, "--docs", documents, "--session", session],
        );
        let ran = scratch.expect(2, &["export", session, "-o", "docs/valve.md"]);
        assert!(ran.stderr.contains("among the documents"), "{}", ran.stderr);
        let document = scratch.path().join("docs/valve.md");
        assert_eq!(std::fs::read_to_string(document).unwrap(), text);
    }
    // What a format of one's own shows of a document that is not in force.
    let template = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/formats/minutes.md.jinja"
    );
    let minutes = scratch
        .expect(0, &["export", "s", "--template", template])
        .stdout;
    assert!(minutes.contains("3 bar. (withdrawn)"), "{minutes}");
}

/// Fails if a page has active content or loads anything.
fn assert_no_active_content(page: &str) {
    let document = Document::from(page);
    let names = "script, img, iframe, object, embed, link, base, form, video, audio, math, use";
    assert_eq!(document.select(names).length(), 0, "{page}");
    assert_eq!(
        document.select("svg").length(),
        document.select(".chart > svg").length()
    );
    for node in document.select("*").nodes() {
        for attribute in node.attrs() {
            let name = attribute.name.local.to_string();
            assert!(
                !name.starts_with("on") && name != "src" && name != "style",
                "{name}"
            );
            if name == "href" {
                let is_safe = ["#", "https://", "http://"]
                    .iter()
                    .any(|start| attribute.value.starts_with(start));
                assert!(is_safe, "{}", attribute.value);
            }
        }
    }
    let style = document.select("style").text().to_string();
    assert!(!style.contains("url(") && !style.contains("@import"));
    assert!(page.contains("default-src 'none'; style-src 'unsafe-inline'"));
}

/// Fails if start and end tags do not match: browsers would repair that in their own ways.
fn assert_balanced(page: &str) {
    let void = ["meta", "!DOCTYPE"];
    let mut open: Vec<&str> = Vec::new();
    for tag in page.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        let name = tag.split([' ', '\n']).next().unwrap();
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !void.contains(&name) && !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// Fails if a link within the page has no target, or two elements share an id.
fn assert_linked(document: &Document) {
    let anchors = document.select("[id]");
    let mut ids: Vec<String> = anchors
        .iter()
        .map(|node| node.attr("id").unwrap().to_string())
        .collect();
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
    for link in document.select("a[href^='#']").iter() {
        let target = link.attr("href").unwrap().to_string();
        assert!(ids.contains(&target[1..].to_owned()), "{target}");
    }
}

/// The claims that a kind of report shows, in the order of its page.
fn shown<'a>(report: &'a Value, kind: &str) -> Vec<&'a Value> {
    let content = &report["content"];
    let mut ids: Vec<&Value> = content["executive_summary"]
        .as_array()
        .unwrap()
        .iter()
        .collect();
    if kind != "summary" {
        let sections = content["sections"].as_array().unwrap().iter();
        ids.extend(sections.flat_map(|section| section["claims"].as_array().unwrap()));
    }
    for pair in content["disagreements"].as_array().unwrap() {
        ids.extend([&pair["one"], &pair["other"]]);
    }
    let claims = content["claims"].as_array().unwrap();
    let claim = |id: &Value| claims.iter().find(|claim| claim["id"] == *id).unwrap();
    ids.into_iter().map(claim).collect()
}

/// A report of session `s` with links from the working directory.
fn linked(report: &str) -> String {
    report.replace("](sources/", "](research-output/s/sources/")
}

fn text_of(node: &NodeRef<'_>) -> String {
    node.text().to_string()
}

#[test]
fn markdown_export_equals_the_published_report() {
    let published = EXAMPLE.read("research-output/s/final_report.md");
    let published = linked(&published);
    assert_eq!(exported(&EXAMPLE, &[]), published);
    assert_eq!(exported(&EXAMPLE, &["--round", "1"]), published);
}

#[test]
fn html_claims_open_their_passages_in_context() {
    let report = EXAMPLE.json("report.json");
    for kind in KINDS {
        let page = html(&EXAMPLE, kind);
        assert_no_active_content(&page);
        assert_balanced(&page);
        let document = Document::from(page.as_str());
        assert_linked(&document);
        assert_eq!(document.select("html").attr("lang").as_deref(), Some("en"));
        let opened = document.select("details.claim");
        let claims = shown(&report, kind);
        assert_eq!(opened.length(), claims.len(), "{kind}");
        for (details, claim) in opened.iter().zip(claims) {
            assert_eq!(
                details.select("summary .words").text().as_ref(),
                claim["text"].as_str().unwrap()
            );
            let marks = details.select("mark");
            let citations = claim["citations"].as_array().unwrap();
            assert_eq!(marks.length(), citations.len());
            for (mark, citation) in marks.nodes().iter().zip(citations) {
                assert_eq!(text_of(mark), citation["quote"].as_str().unwrap());
            }
            let facts = details.select("dl").text().to_string();
            let [line, start, end] = ["line", "start", "end"].map(|name| &citations[0][name]);
            let position = format!("line {line}, bytes {start} to {end}");
            assert!(facts.contains(&position), "{facts}");
            let around = text_of(&details.select("blockquote").nodes()[0])
                .chars()
                .count();
            let quoted = citations[0]["quote"].as_str().unwrap().chars().count();
            assert!((quoted + 100..quoted + 1300).contains(&around), "{around}");
        }
    }
}

#[test]
fn one_verdict_on_all_quotations_is_said_once() {
    let verdict = "supported: the claim is its quotation, word for word";
    let page = html(&EXAMPLE, "detailed");
    assert_eq!(page.matches(verdict).count(), 1, "{page}");
    assert!(!page.contains("<dt>Verdict</dt>"), "{page}");
    // Where one differs, each says its own.
    let scratch = EXAMPLE.copy();
    let mut report = scratch.json("report.json");
    report["content"]["verdicts"][0]["reason"] = "another reason".into();
    scratch.write("research-output/s/report.json", report.to_string());
    let page = html(&scratch, "detailed");
    assert!(
        page.contains("<dd>supported: another reason</dd>"),
        "{page}"
    );
    assert!(page.matches(verdict).count() > 1, "{page}");
}

#[test]
fn html_shows_disagreements_side_by_side() {
    let document = Document::from(html(&EXAMPLE, "detailed").as_str());
    let report = EXAMPLE.json("report.json");
    let pairs = report["content"]["disagreements"].as_array().unwrap();
    assert!(!pairs.is_empty());
    assert_eq!(document.select(".sides").length(), pairs.len());
    assert_eq!(
        document.select(".sides > .side > details").length(),
        pairs.len() * 2
    );
}

#[test]
fn kinds_and_citation_styles() {
    let brief = exported(&EXAMPLE, &["--kind", "summary"]);
    for (heading, is_there) in [
        ("\n## In brief\n", true),
        ("\n## Where the documents disagree\n", true),
        ("\n## References\n", true),
        ("\n## What the documents say\n", false),
        ("\n## Limits of this research\n", false),
    ] {
        assert_eq!(brief.contains(heading), is_there, "{heading}");
    }
    let academic = |style| exported(&EXAMPLE, &["--kind", "academic", "--citations", style]);
    let apa = exported(&EXAMPLE, &["--kind", "academic"]);
    assert_eq!(apa, academic("apa"));
    assert!(apa.contains("\n## Abstract\n"), "{apa}");
    assert!(apa.contains("\n## 1. What the documents say\n"), "{apa}");
    for (style, entry) in [
        (
            "apa",
            "- Heating practice group. (2023, March 20). *Insulation can wait.* \
             insulation-can-wait.md",
        ),
        (
            "mla",
            "- Heating practice group. “Insulation can wait.” 20 Mar. 2023, \
             insulation-can-wait.md.",
        ),
        (
            "chicago",
            "- Heating practice group. 2023. “Insulation can wait.” March 20. \
             insulation-can-wait.md.",
        ),
    ] {
        let text = academic(style);
        assert!(text.contains(entry), "{text}");
    }
    let numbered = exported(&EXAMPLE, &["--citations", "mla"]);
    assert!(
        numbered.contains("\n1. ") && numbered.contains("20 Mar. 2023"),
        "{numbered}"
    );
}

#[test]
fn undated_document_names_the_day_on_which_it_was_read_and_parts_that_of_the_round() {
    for (style, entry) in [
        (
            "apa",
            "- *How heat pumps work.* (n.d.). Retrieved DAY, from how-heat-pumps-work.md",
        ),
        (
            "chicago",
            "- “How heat pumps work.” n.d. Accessed DAY. how-heat-pumps-work.md.",
        ),
    ] {
        let record = EXAMPLE.json("sources/S1.json")["made_at"].clone();
        let read = chrono::DateTime::parse_from_rfc3339(record.as_str().unwrap()).unwrap();
        let entry = entry.replace("DAY", &read.format("%B %-d, %Y").to_string());
        let text = exported(&EXAMPLE, &["--kind", "academic", "--citations", style]);
        assert!(text.contains(&entry), "{entry}: {text}");
    }
    let started = EXAMPLE.json("session.json")["started_at"].clone();
    let day = started.as_str().unwrap().split('T').next().unwrap();
    let about = format!("\n*Round 1, started on {day}*\n");
    for kind in ["summary", "academic"] {
        let text = exported(&EXAMPLE, &["--kind", kind]);
        assert!(text.contains(&about), "{text}");
    }
    // The same documents give the same report on any day.
    assert!(!exported(&EXAMPLE, &[]).contains(day));
}

#[test]
fn implausible_number_is_marked_beside_its_claim() {
    let scratch = Scratch::with_example();
    let topic = "What seasonal performance factor do air-source heat pumps reach in old houses?";
    let run = ["run", topic, "--docs", "docs", "--session", "s", "-q"];
    let report = scratch.expect(0, &run).stdout;
    let is_of_claim = |line: &&str| line.contains("performance factor of 31 over one year");
    let mut lines = report.lines().filter(is_of_claim);
    let brief = lines.next().unwrap();
    assert!(
        brief.ends_with(" (implausible beside [1] and [2])"),
        "{brief}"
    );
    let claims = report
        .lines()
        .filter(|line| line.contains("factor of 3.1 over"));
    for line in claims {
        assert!(!line.contains("(implausible"), "{line}");
    }
    let page = html(&scratch, "summary");
    let mark = "<span class=\"status\">(implausible beside [1] and [2])</span>";
    assert!(page.contains(mark), "{page}");
}

#[test]
fn disagreement_says_what_is_denied_in_the_language_of_the_headings() {
    let denied = "Insulation … come before a heat pump in an old house";
    let heading = format!("- One says yes, the other no, to “{denied}”:\n");
    let report = exported(&EXAMPLE, &[]);
    assert!(report.contains(&heading), "{report}");
    let scratch = EXAMPLE.copy();
    let mut report = scratch.json("report.json");
    report["content"]["language"] = "German".into();
    scratch.write("research-output/s/report.json", report.to_string());
    let report = exported(&scratch, &["--kind", "summary"]);
    let heading = format!("- Das eine sagt Ja, das andere Nein zu „{denied}“:\n");
    assert!(report.contains(&heading), "{report}");
}

#[test]
fn json_export_has_references_and_verdicts() {
    let document = parsed(&exported(&EXAMPLE, &["--format", "json"]));
    assert_eq!(document, parsed(&exported(&EXAMPLE, &["--json"])));
    let report = EXAMPLE.json("report.json");
    for field in [
        "title",
        "topic",
        "sections",
        "disagreements",
        "limits",
        "executive_summary",
    ] {
        assert_eq!(document[field], report["content"][field], "{field}");
    }
    assert_eq!(document["version"], 1);
    assert_eq!(document["published"], true);
    assert!(document["review"]["score"].is_number());
    for claim in document["claims"].as_array().unwrap() {
        assert_eq!(claim["verdict"], "supported");
        let citation = &claim["citations"][0];
        let number = citation["reference"].as_u64().unwrap() as usize;
        let reference = &document["references"][number - 1];
        assert_eq!(reference["number"], number);
        assert_eq!(reference["source"], citation["source"]);
        let text = EXAMPLE.read(&format!(
            "research-output/s/sources/{}.md",
            citation["source"].as_str().unwrap()
        ));
        let start = citation["start"].as_u64().unwrap() as usize;
        let end = citation["end"].as_u64().unwrap() as usize;
        assert_eq!(&text[start..end], citation["quote"]);
    }
    let brief = parsed(&exported(&EXAMPLE, &["--json", "--kind", "summary"]));
    assert_eq!(brief["sections"], serde_json::json!([]));
    assert!(
        brief["claims"].as_array().unwrap().len() < document["claims"].as_array().unwrap().len()
    );
    let schema = parsed(&EXAMPLE.expect(0, &["schema", "final_report"]).stdout);
    let properties = schema["properties"].as_object().unwrap();
    let fields = document.as_object().unwrap();
    assert!(fields.keys().all(|field| properties.contains_key(field)));
}

#[test]
fn positions_of_claims_are_those_of_their_sentences_in_the_text() {
    // `positions` of the report, in the text of its Markdown.
    let sentences = |report: &serde_json::Value, markdown: &str| -> Vec<(String, String)> {
        let characters: Vec<char> = markdown.chars().collect();
        let positions = report["positions"].as_array().unwrap().iter();
        let positions = positions.map(|position| {
            let at = |field: &str| position[field].as_u64().unwrap() as usize;
            let sentence = characters[at("start")..at("end")].iter().collect();
            (position["claim"].as_str().unwrap().to_owned(), sentence)
        });
        positions.collect()
    };
    let report = &EXAMPLE.json("report.json")["content"];
    let printed = sentences(report, &EXAMPLE.read("research-output/s/report.md"));
    let claims = report["claims"].as_array().unwrap();
    for claim in claims {
        let of_claim = printed.iter().filter(|(id, _)| claim["id"] == id.as_str());
        let texts: Vec<&str> = of_claim.map(|(_, text)| text.as_str()).collect();
        assert!(!texts.is_empty(), "{claim}");
        assert!(
            texts.iter().all(|text| claim["text"] == *text),
            "{claim} {texts:?}"
        );
    }
    for kind in ["detailed", "summary", "academic"] {
        let document = parsed(&exported(&EXAMPLE, &["--json", "--kind", kind]));
        let markdown = exported(&EXAMPLE, &["--kind", kind]);
        let markdown = markdown.replace("](research-output/s/sources/", "](sources/");
        let printed = sentences(&document, &markdown);
        assert!(!printed.is_empty(), "{kind}");
        for (id, text) in printed {
            let mut claims = document["claims"].as_array().unwrap().iter();
            let claim = claims.find(|claim| claim["id"] == id.as_str()).unwrap();
            assert_eq!(claim["text"], text.as_str(), "{kind}");
        }
    }
}

#[test]
fn html_of_hostile_documents_is_escaped() {
    let scratch = Scratch::new();
    let document = |euros: u32| {
        format!(
            "---\ntitle: {ATTACK}\nauthor: {ATTACK}\ndate: javascript:alert(3)\n---\n\n# Heat \
             pumps {ATTACK}\n\n\
             Heat pumps in old houses cost about {euros} euros <script>alert(\"x\")</script> with \
             *installation* and [more](javascript:alert(4)).\n\n\
             Heat pumps need </mark></details></blockquote> a heat load of 11 kW in old houses \">\
             <img src=x onerror=alert(2)> every winter.\n\n\
             Heat pumps work in old houses ![p](http://evil.example/x.png) <iframe \
             src=\"//evil.example\"></iframe> when radiators are large.\n"
        )
    };
    scratch.write("docs/one.md", document(30_000));
    scratch.write("docs/\"><img src=x onerror=alert(5)>.md", document(40_000));
    let topic = format!("{TOPIC} <script>alert(1)</script> \"><img src=x onerror=alert(2)>");
    let arguments = [
        "run",
        &topic,
        "--docs",
        "docs",
        "--session",
        "s",
        "--no-clarify",
    ];
    scratch.expect(0, &arguments);
    for kind in KINDS {
        for style in ["apa", "mla", "chicago"] {
            let arguments = ["--format", "html", "--kind", kind, "--citations", style];
            let page = exported(&scratch, &arguments);
            assert_no_active_content(&page);
            assert_balanced(&page);
            let document = Document::from(page.as_str());
            assert_linked(&document);
            assert!(
                document
                    .select("h1")
                    .text()
                    .contains("<script>alert(1)</script>")
            );
            let marks = document.select("mark").text().to_string();
            assert!(marks.contains("<script>alert(\"x\")</script>"), "{marks}");
            assert!(marks.contains("[more](javascript:alert(4))"), "{marks}");
        }
    }
}

#[test]
fn html_shows_relations_and_corroboration_and_escapes_both() {
    let scratch = Scratch::with_example();
    scratch.research();
    // That a sentence names two things says nothing of them.
    assert!(!html(&scratch, "detailed").contains("id=\"knowledge\""));
    let mut analysis = scratch.json("analysis.json");
    for number in [0, 1] {
        let relations = &mut analysis["content"]["knowledge_graph"]["relations"];
        assert_eq!(relations[number]["relation"], "named with");
        relations[number]["relation"] = "requires".into();
    }
    scratch.write("research-output/s/analysis.json", analysis.to_string());
    let page = html(&scratch, "detailed");
    assert!(!page.contains("named with"), "{page}");
    let document = Document::from(page.as_str());
    assert_linked(&document);
    let row = document.select("#knowledge + table tr").first();
    assert!(text_of(&row.nodes()[0]).contains("heat pump"), "{page}");
    assert!(row.select("a[href^='#passage-']").length() > 0, "{page}");
    assert!(
        page.contains("2 independent sources, strength 0.88"),
        "{page}"
    );
    assert!(page.contains("; another source contradicts it"), "{page}");
    assert!(!html(&scratch, "summary").contains("id=\"knowledge\""));
    // An analysis that somebody else has written.
    let mut analysis = scratch.json("analysis.json");
    let graph = &mut analysis["content"]["knowledge_graph"];
    graph["entities"][0]["name"] = ATTACK.into();
    graph["relations"][0]["relation"] = ATTACK.into();
    graph["relations"][1]["to"] = "E77".into();
    scratch.write("research-output/s/analysis.json", analysis.to_string());
    let page = html(&scratch, "detailed");
    assert_no_active_content(&page);
    assert_balanced(&page);
    let document = Document::from(page.as_str());
    assert!(
        document
            .select("table")
            .text()
            .contains("<script>alert(1)</script>")
    );
    for format in ["mermaid", "dot", "json-ld"] {
        let arguments = ["graph", "s", "--knowledge", "--format", format];
        let printed = scratch.expect(0, &arguments).stdout;
        assert_eq!(
            printed.contains("<script>"),
            format != "mermaid",
            "{printed}"
        );
    }
}

#[test]
fn category_of_a_source_is_in_its_reference() {
    let scratch = Scratch::with_few();
    let text = scratch.read("docs/costs.md");
    scratch.write("docs/notes/costs.md", text);
    std::fs::remove_file(scratch.path().join("docs/costs.md")).unwrap();
    scratch.research();
    let references = parsed(&exported(&scratch, &["--json"]))["references"].clone();
    let mut references = references.as_array().unwrap().iter();
    let notes = references
        .find(|one| one["locator"] == "notes/costs.md")
        .unwrap();
    assert_eq!(notes["category"], "notes");
    assert_eq!(notes["reliability"], "medium");
    let report = exported(&scratch, &[]);
    assert!(report.contains(", notes, notes/costs.md"), "{report}");
    assert!(
        html(&scratch, "detailed")
            .contains("</cite>, Consumer information service, 2024-11-08, notes, ")
    );
}

#[test]
fn warnings_below_threshold_and_without_evidence() {
    let scratch = Scratch::with_few();
    let arguments = ["run", WIDE_TOPIC, "--docs", "docs", "--session", "s"];
    scratch.expect(0, &[&arguments[..], &DEMANDING].concat());
    let warning = |round: &[&str]| {
        let page = exported(&scratch, &[&["--format", "html"], round].concat());
        let document = Document::from(page.as_str());
        document.select("header .warning").text().to_string()
    };
    assert!(warning(&["--round", "1"]).contains("The review of this round rates"));
    let published = warning(&[]);
    let markdown = scratch.read("research-output/s/final_report.md");
    assert_eq!(
        markdown.contains("Low review score"),
        published.contains("Low review score")
    );
    assert_eq!(exported(&scratch, &[]), linked(&markdown));

    let arguments = [
        "run",
        "quantum chromodynamics",
        "--docs",
        "docs",
        "--session",
        "t",
    ];
    scratch.expect(5, &arguments);
    let page = scratch
        .expect(0, &["export", "t", "--format", "html", "--kind", "summary"])
        .stdout;
    let document = Document::from(page.as_str());
    assert!(
        document
            .select(".warning")
            .text()
            .contains("No evidence was found")
    );
    assert!(
        document
            .select("main")
            .text()
            .contains("documents were searched")
    );
    assert_eq!(document.select("details").length(), 0);
}

#[test]
fn changed_source_text_is_not_shown_as_context() {
    let scratch = Scratch::with_few();
    scratch.research();
    let report = scratch.json("report.json");
    let citation = &report["content"]["claims"][0]["citations"][0];
    let source = citation["source"].as_str().unwrap();
    let path = scratch.session().join(format!("sources/{source}.md"));
    std::fs::write(&path, "Other words.\n").unwrap();
    let page = html(&scratch, "detailed");
    assert!(page.contains("Not found."), "{page}");
    let document = Document::from(page.as_str());
    let quote = citation["quote"].as_str().unwrap();
    assert!(
        document
            .select("mark")
            .nodes()
            .iter()
            .any(|mark| text_of(mark) == quote)
    );

    // A foreign session may hold links to anything: files outside of it are not shown.
    scratch.write("secret", "the secret words");
    std::fs::remove_file(&path).unwrap();
    symlink(scratch.path().join("secret"), &path).unwrap();
    let ran = scratch.expect(0, &["export", "s", "--format", "html"]);
    assert!(ran.stderr.contains("not a regular file"), "{}", ran.stderr);
    assert!(!ran.stdout.contains("the secret words"));
}

#[test]
fn exported_file_links_to_the_session_and_replaces_no_session_file() {
    let scratch = Scratch::with_few();
    scratch.research();
    let before = scratch.tree();
    scratch.write("out dir/old.md", "old");
    let ran = scratch.expect(0, &["export", "s", "-o", "out dir/old.md"]);
    assert_eq!(ran.stdout, "");
    let text = scratch.read("out dir/old.md");
    assert!(text.contains("](../research-output/s/sources/S"), "{text}");
    scratch.expect(
        0,
        &["export", "s", "--format", "html", "-o", "page.html", "-q"],
    );
    assert_eq!(scratch.read("page.html"), html(&scratch, "detailed"));
    assert!(scratch.tree() == before);
    for (target, words) in [
        ("/dev/null", "regular file"),
        ("docs", "regular file"),
        ("research-output/s/report.json", "file of the session"),
        ("research-output/s/final_report.md", "file of the session"),
    ] {
        let refused = scratch.expect(2, &["export", "s", "-o", target]);
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
    let refused = scratch.expect(2, &["export", "s", "--round", "9"]);
    assert!(refused.stderr.contains("no round 9"), "{}", refused.stderr);
    scratch.expect(2, &["export", "s", "-o", "nowhere/x.md"]);
    assert!(scratch.tree() == before);
}

#[test]
fn export_without_report_names_the_command_to_resume() {
    let scratch = Scratch::with_few();
    let arguments = ["run", TOPIC, "--docs", "docs", "--session", "s"];
    scratch.expect(0, &[&arguments[..], &["--until", "analysis"]].concat());
    let refused = scratch.expect(1, &["export", "s"]);
    assert!(
        refused.stderr.contains("research run --resume"),
        "{}",
        refused.stderr
    );
    scratch.expect(0, &["run", "--resume", "s", "--until", "write"]);
    let ran = scratch.expect(0, &["export", "s"]);
    assert!(ran.stderr.contains("not complete"), "{}", ran.stderr);
    let report = scratch.read("research-output/s/report.md");
    assert_eq!(ran.stdout, linked(&report));
}

#[test]
fn run_writes_formats_beside_the_report_and_updates_them() {
    let scratch = Scratch::with_few();
    scratch.research();
    let plain = scratch.tree();
    let resume = ["run", "--resume", "s"];
    let asking = [&resume[..], &["--format", "md,html,json"]].concat();
    scratch.expect(0, &asking);
    assert_eq!(scratch.tree().len(), plain.len() + 2);
    let page = scratch.read("research-output/s/final_report.html");
    assert_eq!(page, html(&scratch, "detailed"));
    assert_eq!(
        scratch.read("research-output/s/final_report.json"),
        exported(&scratch, &["--json"])
    );

    // They are not part of the pipeline: nothing is stale, and equal bytes are not rewritten.
    let ran = scratch.expect(0, &asking);
    assert!(ran.stderr.contains("nothing to do"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("wrote"), "{}", ran.stderr);
    std::fs::remove_file(scratch.session().join("final_report.html")).unwrap();
    scratch.expect(0, &resume);
    assert!(!scratch.tree().contains_key("final_report.html"));
    scratch.expect(0, &asking);
    assert_eq!(scratch.read("research-output/s/final_report.html"), page);

    // With a new report, the files that exist are rewritten.
    scratch.edit(
        "report.json",
        "Do heat pumps work",
        "Really, do heat pumps work",
    );
    scratch.expect(0, &resume);
    let page = scratch.read("research-output/s/final_report.html");
    assert!(page.contains("Really, do heat pumps work"));
    let gone = scratch.tree();
    assert!(plain.keys().all(|name| gone.contains_key(name)));
}

#[test]
fn source_that_is_not_in_force_is_marked_beside_every_citation() {
    let scratch = Scratch::with_few();
    for entry in std::fs::read_dir(scratch.path().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let front = "---\nstatus: Withdrawn\nsuperseded-by: \"A <b>new</b> guide\"\n---\n\n";
        std::fs::write(path, format!("{front}{text}")).unwrap();
    }
    scratch.research();
    let remark = "withdrawn, superseded by A new guide";
    let report = scratch.read("research-output/s/final_report.md");
    // Each link to a passage ends with its title.
    let after_links = report.split("\")").skip(1);
    assert!(after_links.clone().count() > 2, "{report}");
    let (_, references) = report.split_once("## References\n\n").unwrap();
    for after in after_links.chain(
        references
            .lines()
            .map(|line| line.split_once(".md))").unwrap().1),
    ) {
        assert!(after.starts_with(&format!(" ({remark})")), "{after}");
    }
    assert!(report.contains("Quoted but not in force: “"), "{report}");
    let json = parsed(&exported(&scratch, &["--format", "json"]));
    let status = &json["references"][0]["status"];
    assert_eq!(status["lifecycle"], "withdrawn");
    assert_eq!(status["stated"], "Withdrawn");
    let page = html(&scratch, "academic");
    assert_no_active_content(&page);
    assert!(page.contains(&format!("({remark})")), "{page}");
    let source = scratch.json("sources/S1.json");
    let reasons = source["content"]["credibility"]["reasons"].to_string();
    assert!(reasons.contains("is marked as withdrawn"), "{reasons}");
}

#[test]
fn source_that_is_not_in_force_yields_to_one_in_force() {
    for (first, other) in [("Withdrawn", "Final"), ("Final", "Withdrawn")] {
        let scratch = Scratch::new();
        for (name, status, number) in [("a", first, "nine"), ("b", other, "six")] {
            let text = format!(
                "# Heat pumps in old houses\n\n- Status: {status}\n\nHeat pumps work in old houses \
                 with {number} large radiators. Old houses need {number} rooms for heat pumps.\n"
            );
            scratch.write(&format!("docs/{name}.md"), text);
        }
        scratch.research();
        let json = parsed(&exported(&scratch, &["--format", "json"]));
        let status = &json["references"][0]["status"]["stated"];
        assert_eq!(status, "Final", "{json:#}");
    }
}
