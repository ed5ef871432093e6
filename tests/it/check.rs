//! `research check`: reports by other programs with planted faults, in every style of citation, and
//! pairs.

use std::io::{Cursor, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::harness::{Ran, Scratch, example, parsed};
use crate::online::html;
use crate::server::{Server, page};

const NUMBERED: &str = include_str!("../recorded/foreign-reports/numbered.md");
const SUPERSCRIPT: &str = include_str!("../recorded/foreign-reports/superscript.html");

/// The words with which the planted faults of [`NUMBERED`] begin, and their verdicts.
const FAULTS: [(&str, &str); 10] = [
    (
        "The COP of a typical air-source heat pump falls to about 3.2",
        "contradicted",
    ),
    (
        "A ground-source heat pump costs about 40,000 to 50,000 dollars",
        "contradicted",
    ),
    (
        "Maintenance costs about 150 to 250 euros per year, and the exp",
        "unsupported",
    ),
    (
        "The European Union pays half of the purchase price",
        "uncited",
    ),
    (
        "Grants for wall insulation are paid by the local",
        "unsupported",
    ),
    (
        "The advice desk puts it bluntly: “Owners who replace",
        "unsupported",
    ),
    (
        "A house with a heating demand of more than 150 kWh",
        "contradicted",
    ),
    ("Defrosting raises the efficiency", "contradicted"),
    (
        "Outdoor units are banned in most city centres.",
        "unreachable",
    ),
    ("An induction hob transfers about 80 %", "unsupported"),
];

fn checked(scratch: &Scratch, report: &str, code: i32) -> Value {
    let docs = example();
    let arguments = [
        "check",
        report,
        "--docs",
        docs.to_str().unwrap(),
        "--offline",
        "--json",
    ];
    parsed(&scratch.expect(code, &arguments).stdout)
}

/// The sentences that are not supported, and their verdicts.
fn faults(checked: &Value) -> Vec<(&str, &str)> {
    let sentences = checked["sentences"].as_array().unwrap().iter();
    sentences
        .map(|one| {
            (
                one["text"].as_str().unwrap(),
                one["verdict"].as_str().unwrap(),
            )
        })
        .filter(|(_, verdict)| *verdict != "supported")
        .collect()
}

fn assert_faults(checked: &Value, planted: &[(&str, &str)]) {
    let named = faults(checked);
    for ((words, verdict), (text, own)) in planted.iter().zip(&named) {
        assert!(text.starts_with(words), "{words:?} is not {text:?}");
        assert_eq!(verdict, own, "{text}");
    }
    assert_eq!(planted.len(), named.len(), "{named:?}");
}

#[test]
fn ten_planted_faults_are_named_and_nothing_sound_is() {
    let scratch = Scratch::new();
    scratch.write("report.md", NUMBERED);
    let checked = checked(&scratch, "report.md", 1);
    assert_faults(&checked, &FAULTS);
    assert_eq!(checked["passed"], false);
    // The place is that of the sentence in the file, and the match that of the words in the source.
    for sentence in checked["sentences"].as_array().unwrap() {
        let line = sentence["line"].as_u64().unwrap() as usize;
        let column = sentence["column"].as_u64().unwrap() as usize;
        let line = NUMBERED.lines().nth(line - 1).unwrap();
        let there: String = line.chars().skip(column - 1).take(12).collect();
        assert!(
            sentence["text"]
                .as_str()
                .unwrap()
                .starts_with(there.trim_end_matches('['))
        );
        if let Some(matching) = sentence["match"].as_object() {
            let source = example().join(matching["source"].as_str().unwrap());
            let text = std::fs::read_to_string(source).unwrap();
            let byte = |name: &str| matching[name].as_u64().unwrap() as usize;
            assert_eq!(
                &text[byte("start")..byte("end")],
                matching["text"].as_str().unwrap()
            );
            let line = text[..byte("start")].matches('\n').count() + 1;
            assert_eq!(byte("line"), line);
        }
    }
}

/// Sentences with a fault, each with one of the same source without.
const TURNED: [[&str; 2]; 7] = [
    [
        "The refrigerant R290 is not flammable (the-outdoor-unit.txt).",
        "The refrigerant R290 is highly flammable (the-outdoor-unit.txt).",
    ],
    [
        "The refrigerant R32 is propane (the-outdoor-unit.txt).",
        "The refrigerant R32 is mildly flammable (the-outdoor-unit.txt).",
    ],
    [
        "Ground-source heat pumps reached 3.1 in the measurements (field-measurements.pdf).",
        "Ground-source heat pumps reached 3.9 in the measurements (field-measurements.pdf).",
    ],
    [
        "Air-source heat pumps are cheaper to run than ground-source heat pumps (costs.md).",
        "The maintenance costs about 150 to 250 euros per year (costs.md).",
    ],
    [
        "A heat pump should stand in front of a neighbour's bedroom window \
         (the-outdoor-unit.txt).",
        "An outdoor unit should not blow towards a neighbour's window (the-outdoor-unit.txt).",
    ],
    [
        "Insulation must come before a heat pump (insulation-can-wait.md).",
        "Insulation does not have to come before a pump (insulation-can-wait.md).",
    ],
    [
        "Ground-source heat pumps are quieter (field-measurements.pdf).",
        "Ground-source heat pumps reached a mean factor of 3.9 (field-measurements.pdf).",
    ],
];

#[test]
fn what_the_source_says_of_another_thing_or_denies_is_not_supported() {
    let scratch = Scratch::new();
    scratch.write(
        "report.md",
        TURNED.concat().concat().replace(").", ").\n\n"),
    );
    let checked = checked(&scratch, "report.md", 1);
    let sentences = checked["sentences"].as_array().unwrap();
    assert_eq!(sentences.len(), 14);
    for pair in sentences.chunks(2) {
        assert_ne!(pair[0]["verdict"], "supported", "{}", pair[0]);
        assert_eq!(pair[1]["verdict"], "supported", "{}", pair[1]);
    }
}

#[test]
fn places_are_printed_as_compilers_do_and_the_exit_code_obeys_fail_on() {
    let scratch = Scratch::with_example();
    scratch.write("report.md", NUMBERED);
    let check = |code: i32, more: &[&str]| -> Ran {
        let arguments = ["check", "report.md", "--docs", "docs", "--offline"];
        scratch.expect(code, &[&arguments, more].concat())
    };
    let text = check(1, &[]).stdout;
    assert!(
        text.contains("report.md:19:255: without a source: The European Union"),
        "{text}"
    );
    assert!(
        text.contains("    [9]: [9] is not in the list of references\n"),
        "{text}"
    );
    assert!(
        text.contains("    the-outdoor-unit.txt:26: 1255-1351: Defrosting reduces"),
        "{text}"
    );
    assert!(!text.contains("supported: A heat pump moves"), "{text}");
    assert!(text.ends_with("3 more need no source\n"), "{text}");
    assert!(
        check(0, &["--fail-on", "never", "--all"])
            .stdout
            .contains("supported: A heat pump")
    );
    check(1, &["--fail-on", "uncited"]);
    check(2, &["--fail-on", "nothing"]);
    scratch.write(
        "sound.md",
        "A heat pump moves heat from a cold place to a warm place \
                  [how-heat-pumps-work.md].\n",
    );
    let sound = scratch.expect(0, &["check", "sound.md", "--docs", "docs"]);
    assert!(
        sound.stdout.starts_with("checked 1 sentence: 1 supported"),
        "{}",
        sound.stdout
    );
    for arguments in [
        &["check", "sound.md", "--offline"][..],
        &["check", "sound.md"],
    ] {
        let refused = scratch.expect(2, arguments).stderr;
        assert!(refused.contains("--docs PATH"), "{refused}");
    }
    scratch.expect(2, &["check", "missing.md", "--docs", "docs"]);
    scratch.expect(2, &["check", "sound.md", "--docs", "missing"]);
}

#[test]
fn html_with_superscripts_and_notes_is_checked_by_its_lines() {
    let scratch = Scratch::new();
    scratch.write("report.html", SUPERSCRIPT);
    let checked = checked(&scratch, "report.html", 1);
    assert_faults(
        &checked,
        &[
            ("A new radiator costs about 6,000", "contradicted"),
            (
                "Hydraulic balancing of a detached house costs about 600 to 1,200 pounds",
                "contradicted",
            ),
            ("Smart thermostats", "uncited"),
            ("Most heat pumps in old houses do not work", "contradicted"),
            ("A garden of 200 m2", "unreachable"),
        ],
    );
    let first = &checked["sentences"][0];
    assert_eq!(
        (first["line"].as_u64(), first["column"].as_u64()),
        (Some(9), Some(4))
    );
    assert_eq!(first["citations"][0]["source"], "old-radiators-must-go.md");
}

/// A document of a word processor: a link, two footnotes and a superscript number.
fn docx() -> Vec<u8> {
    let run = |words: &str| format!("<w:r><w:t xml:space='preserve'>{words}</w:t></w:r>");
    let note = |id: u8| format!("<w:r><w:footnoteReference w:id='{id}'/></w:r>");
    let raised = "<w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>1</w:t></w:r>";
    let link = format!(
        "<w:hyperlink r:id='r1'>{}</w:hyperlink>",
        run("the outdoor unit")
    );
    let paragraphs = [
        run("Heat pumps"),
        run("An induction hob heats the pan and not the glass.")
            + &note(2)
            + &run(" One litre of water boils in about 40 minutes on a cooking zone with 2 kW.")
            + &note(2),
        run("The refrigerant R32 has a global warming potential of 675 (see ")
            + &link
            + &run("). The fan is a source of noise.")
            + &note(3),
        run("Insulation must come before a heat pump in an old house.") + raised,
        run("References"),
        run("1. Insulation first, heating second"),
    ];
    let body: String = paragraphs
        .iter()
        .map(|words| format!("<w:p>{words}</w:p>"))
        .collect();
    let notes = format!(
        "<w:footnotes><w:footnote w:id='2'><w:p>{}</w:p></w:footnote><w:footnote w:id='3'>\
         <w:p>{}</w:p></w:footnote></w:footnotes>",
        run("A short note on induction cooking, 2020."),
        run("A handbook of fans, 1999."),
    );
    let rels = "<Relationships><Relationship Id='r1' Type='x/hyperlink' \
                Target='files/the-outdoor-unit.txt' TargetMode='External'/></Relationships>";
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [
        ("[Content_Types].xml", "<Types/>".to_owned()),
        (
            "word/document.xml",
            format!("<w:document><w:body>{body}</w:body></w:document>"),
        ),
        ("word/_rels/document.xml.rels", rels.to_owned()),
        ("word/footnotes.xml", notes),
    ] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn docx_with_footnotes_links_and_superscripts_is_checked_by_its_paragraphs() {
    let scratch = Scratch::new();
    scratch.write("report.docx", docx());
    let checked = checked(&scratch, "report.docx", 1);
    assert_faults(
        &checked,
        &[
            (
                "One litre of water boils in about 40 minutes",
                "contradicted",
            ),
            ("The fan is a source of noise.", "unreachable"),
        ],
    );
    let sentences = checked["sentences"].as_array().unwrap();
    let paragraphs = sentences.iter().map(|one| one["line"].as_u64().unwrap());
    assert_eq!(paragraphs.collect::<Vec<u64>>(), [2, 2, 3, 3, 4]);
}

#[test]
fn own_addresses_are_fetched_and_offline_refuses() {
    let server = Server::new(|path, stream| match path.strip_prefix('/').and_then(html) {
        Some(body) => page(stream, "200 OK", "text/html", body.as_bytes()),
        None => page(stream, "404 Not Found", "text/html", b"gone"),
    });
    let scratch = Scratch::new();
    let report = format!(
        "# Costs\n\nThe expected life of a heat pump is about 20 years \
         ([costs]({})). The expected life of a heat pump is about 50 years.[^1] It is gone \
         [2](<{}>).\n\n[^1]: {}\n",
        server.url("/costs.md"),
        server.url("/gone.md"),
        server.url("/costs.md"),
    );
    scratch.write("report.md", report);
    let run = |arguments: &[&str]| {
        let mut command = scratch.command(&[&["check", "report.md", "--json"], arguments].concat());
        command
            .env("RESEARCH_NETWORK__ALLOW", "127.0.0.1")
            .env("RESEARCH_NETWORK__GAP_MILLISECONDS", "0");
        Ran::from(command.output().unwrap())
    };
    let ran = run(&[]);
    ran.assert_ended(1, "check");
    let checked = parsed(&ran.stdout);
    assert_faults(
        &checked,
        &[
            (
                "The expected life of a heat pump is about 50",
                "contradicted",
            ),
            ("It is gone.", "unreachable"),
        ],
    );
    assert_eq!(
        checked["sentences"][0]["match"]["source"],
        server.url("/costs.md")
    );
    let problem = checked["sentences"][2]["reasons"][0].as_str().unwrap();
    assert!(problem.contains("404"), "{problem}");
    // Without the permission for it, no address of this machine is read.
    let refused = scratch.expect(1, &["check", "report.md", "--json"]).stdout;
    assert_eq!(parsed(&refused)["summary"]["unreachable"], 3);
    scratch.write("docs/other.md", "# Other\n\nNothing of the sort.\n");
    let before = server.requests.load(std::sync::atomic::Ordering::SeqCst);
    let offline = parsed(&run(&["--offline", "--docs", "docs"]).stdout);
    assert_eq!(offline["summary"]["unreachable"], 3);
    assert_eq!(
        server.requests.load(std::sync::atomic::Ordering::SeqCst),
        before
    );
}

#[test]
fn pair_without_a_passage_is_an_error_that_names_line_and_field() {
    let scratch = Scratch::new();
    let pairs = "{\"claim\": \"Pumps are loud.\", \"passages\": []}\n\
                 {\"claim\": \"Pumps are loud.\", \"pasages\": [\"Pumps are loud.\"]}\n";
    scratch.write("pairs.jsonl", pairs);
    let ran = scratch.expect(2, &["check", "pairs.jsonl"]);
    for words in ["line 2", "missing field `passage` or `passages`"] {
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    assert_eq!(parsed(ran.stdout.trim())["verdict"], "unsupported");
}

#[test]
fn passages_of_pairs_are_a_text_or_a_list_and_errors_are_short() {
    let scratch = Scratch::new();
    let pairs: String = ["passage", "passages", "evidence"]
        .into_iter()
        .flat_map(|name| {
            [
                (name, json!("Pumps are loud.")),
                (name, json!(["Pumps are loud."])),
            ]
        })
        .map(|(name, value)| json!({"claim": "Pumps are loud.", name: value}).to_string() + "\n")
        .collect();
    scratch.write("pairs.jsonl", &pairs);
    let ran = scratch.expect(0, &["check", "pairs.jsonl"]);
    let verdicts = ran
        .stdout
        .lines()
        .map(|line| parsed(line)["verdict"].clone());
    assert_eq!(verdicts.collect::<Vec<_>>(), ["supported"; 6]);
    let long = "Pumps are loud. ".repeat(500);
    for (bad, problem) in [
        (
            json!({"claim": "Pumps are loud.", "evidence": {"text": long}}),
            "`evidence` is neither a text nor a list of texts",
        ),
        (json!(long), "expected struct Pair"),
    ] {
        scratch.write("bad.jsonl", format!("{bad}\n"));
        let ran = scratch.expect(2, &["check", "bad.jsonl"]);
        assert!(ran.stderr.contains(problem), "{}", ran.stderr);
        assert!(ran.stderr.len() < 400, "{}", ran.stderr);
    }
}

#[test]
fn pairs_are_checked_a_line_each() {
    let scratch = Scratch::new();
    let pairs = "{\"claim\": \"A pump costs 5 euros.\", \"passage\": \"A pump costs 6 euros.\"}\n\n\
                 {\"id\": 7, \"claim\": \"Pumps are quiet and cheap.\", \"passages\": [\"Pumps are \
                 quiet.\", \"Pumps are cheap.\"]}\n";
    scratch.write("pairs.jsonl", pairs);
    let ran = scratch.expect(1, &["check", "pairs.jsonl"]);
    let lines: Vec<Value> = ran.stdout.lines().map(parsed).collect();
    assert_eq!(lines[0]["verdict"], "contradicted");
    assert_eq!(lines[0]["reasons"][0], "5 € against 6 €");
    assert_eq!(lines[0]["unsupported"][0], "5 euros");
    assert_eq!(
        (&lines[1]["id"], &lines[1]["verdict"]),
        (&7.into(), &"supported".into())
    );
    assert_eq!(lines[1]["matches"][1]["text"], "Pumps are quiet.");
    let mut command = scratch.command(&["check", "-", "--fail-on", "never"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(pairs.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), ran.stdout);
    scratch.write("bad.jsonl", "{\"claim\": 5}\n");
    let bad = scratch.expect(2, &["check", "bad.jsonl"]);
    assert!(bad.stderr.contains("line 1"), "{}", bad.stderr);
}

#[test]
fn pairs_that_say_something_else_in_the_same_words_are_not_supported() {
    let scratch = Scratch::new();
    let orders = "The queue handles 40,000 orders a day, up to 3,000 an hour.";
    let price = "The Business plan costs 229 euros a month, not 249.";
    let crash = "The cluster crashed twice in 2025, and nobody could repair it.";
    let queue = "We use RabbitMQ as the message queue. Kafka is used for logs.";
    let trip = "The trip takes 3 hours and 10 minutes.";
    let pairs = [
        ("", orders, false),
        ("x", orders, false),
        ("The queue handles 40,000 orders an hour.", orders, false),
        ("The queue handles 40,000 orders per day.", orders, true),
        ("The Business plan costs 249 euros.", price, false),
        ("The Business plan costs 229 euros monthly.", price, true),
        ("The cluster never crashed.", crash, false),
        ("The cluster crashed twice in 2025.", crash, true),
        ("We use Kafka as the message queue.", queue, false),
        ("We use RabbitMQ for the message queue.", queue, true),
        ("The trip takes 200 minutes.", trip, false),
        ("The trip takes 190 minutes.", trip, true),
    ];
    let lines = pairs
        .map(|(claim, passage, _)| format!("{}\n", json!({"claim": claim, "passages": [passage]})));
    scratch.write(
        "pairs.jsonl",
        &(lines.concat() + "{\"claim\": \"Bees make honey.\", \"passages\": []}\n"),
    );
    let ran = scratch.expect(1, &["check", "pairs.jsonl"]);
    let checked: Vec<Value> = ran.stdout.lines().map(parsed).collect();
    assert_eq!(checked.len(), pairs.len() + 1);
    for (checked, (_, _, is_supported)) in checked.iter().zip(pairs) {
        assert_eq!(checked["verdict"] == "supported", is_supported, "{checked}");
    }
    assert_eq!(checked[pairs.len()]["verdict"], "unsupported");
}

#[test]
fn hostile_reports_end() {
    let scratch = Scratch::with_few();
    let unit = "[1](<http://169.254.169.254/x>) [^1] <sup>1</sup> ([a](../../etc/passwd)) ";
    scratch.write("report.md", format!("A pump {}", unit.repeat(300)));
    let ran = scratch.run(&["check", "report.md", "--docs", "docs", "--offline"]);
    assert!(
        !ran.stderr.contains("panicked") && ran.code.is_some(),
        "{}",
        ran.stderr
    );
    scratch.write("empty.md", "");
    scratch.expect(2, &["check", "empty.md", "--docs", "docs"]);
    scratch.write("report.docx", b"PK\x03\x04");
    scratch.expect(2, &["check", "report.docx", "--docs", "docs"]);
}

#[test]
fn own_report_is_checked_against_the_sources_of_its_session() {
    let scratch = Scratch::with_few();
    scratch.research();
    let printed = scratch.expect(0, &["run", "--resume", "s", "-o", "report.md"]);
    assert_eq!(printed.stdout, "");
    scratch.write("printed.md", scratch.expect(0, &["show", "s"]).stdout);
    for report in [
        "report.md",
        "printed.md",
        "research-output/s/final_report.md",
    ] {
        let checked = scratch.expect(0, &["check", report, "--offline", "--json"]);
        let summary = &parsed(&checked.stdout)["summary"];
        // The rows of its table say nothing without the names of their columns.
        let faults = ["partial", "unsupported", "contradicted", "unreachable"];
        for fault in faults {
            assert_eq!(summary[fault], 0, "{report}: {summary}");
        }
        assert!(
            summary["supported"].as_u64() >= Some(15),
            "{report}: {summary}"
        );
    }
}

#[test]
fn an_export_without_links_is_checked_as_the_refusal_says() {
    let scratch = Scratch::with_few();
    scratch.research();
    for format in ["html", "docx"] {
        let report = format!("report.{format}");
        let export = ["export", "s", "--format", format, "-o", &report];
        scratch.expect(0, &export);
        let refused = scratch.expect(2, &["check", &report, "--offline"]).stderr;
        let advice = "checked with the documents of the session as --docs";
        assert!(refused.contains(advice), "{refused}");
        let check = ["check", &report, "--docs", "docs", "--offline", "--json"];
        let summary = &parsed(&scratch.expect(0, &check).stdout)["summary"];
        assert_eq!(summary["unreachable"], 0, "{format}: {summary}");
        assert!(
            summary["supported"].as_u64() >= Some(10),
            "{format}: {summary}"
        );
    }
}

#[test]
fn without_documents_the_files_below_the_report_that_it_names_are_its_sources() {
    let scratch = Scratch::new();
    let papers = [("fees.md", "12"), ("old/fees.md", "10")];
    for (name, fee) in papers {
        let text = format!("# Fees\n\nA licence of the harbour costs {fee} euros.\n");
        scratch.write(&format!("mine/papers/{name}"), text);
    }
    let fault = "contradicted: A licence of the harbour costs 12";
    for (report, words) in [
        (
            "A licence of the harbour costs 12 euros ([fees](papers/fees.md)).",
            "",
        ),
        (
            "A licence of the harbour costs 12 euros ([old](papers/old/fees.md#1)).",
            fault,
        ),
        (
            "A licence of the harbour costs 12 euros.[^1]\n\n[^1]: papers/old/fees.md, line 3",
            fault,
        ),
        (
            "A licence of the harbour costs 12 euros [1].\n\n## Sources\n\n[1]: ./papers/fees.md\n",
            "",
        ),
    ] {
        scratch.write("mine/report.md", report);
        let code = i32::from(!words.is_empty());
        let ran = scratch.expect(code, &["check", "mine/report.md", "--offline"]);
        assert!(ran.stdout.contains(words), "{report}: {}", ran.stdout);
    }
}

#[test]
fn a_report_reads_no_file_outside_of_its_folder_and_none_that_is_hidden() {
    let scratch = Scratch::new();
    let secret = "A heat pump whispers at night.\n";
    for name in [
        "secret.md",
        "mine/.hidden.md",
        "mine/.folder/secret.md",
        "mine/session/secret.md",
        "mine/session/session.json",
    ] {
        scratch.write(name, secret);
    }
    let directory = scratch.path().display().to_string();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret.md", scratch.path().join("mine/link.md")).unwrap();
    for address in [
        "../secret.md",
        "../mine/../secret.md",
        "%2e%2e/secret.md",
        &format!("{directory}/secret.md"),
        &format!("file://{directory}/secret.md"),
        ".hidden.md",
        ".folder/secret.md",
        "session/secret.md",
        "link.md",
        "report.md",
    ] {
        let report = format!("A heat pump whispers at night ([source]({address})).\n");
        scratch.write("mine/report.md", report);
        let refused = scratch.expect(2, &["check", "mine/report.md", "--offline"]);
        let error = refused.stderr;
        assert!(error.contains("nothing to check against"), "{error}");
    }
}

#[test]
fn a_text_is_checked_whatever_its_title_and_nothing_checked_is_an_error() {
    let scratch = Scratch::new();
    scratch.write(
        "docs/a.md",
        "# Policy\n\nLabels are red. The hall is free of nuts.\n",
    );
    for title in ["Notes", "Sources", "Themes"] {
        let report = format!("# {title}\n\nThe hall is free of nuts [1].\n\n[1]: a.md\n");
        scratch.write("report.md", report);
        let ran = scratch.expect(0, &["check", "report.md", "--docs", "docs", "--offline"]);
        let words = "checked 1 sentence: 1 supported";
        assert!(ran.stdout.starts_with(words), "{title}: {}", ran.stdout);
    }
    scratch.write("report.md", "# Policy\n\nWhat is red?\n");
    let ran = scratch.expect(2, &["check", "report.md", "--docs", "docs", "--offline"]);
    for words in ["no sentence of report.md was checked", "running text"] {
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}

#[test]
fn a_text_without_citations_is_checked_against_all_documents() {
    let scratch = Scratch::new();
    scratch.write(
        "docs/a.md",
        "# Policy\n\nThe label of a meal is red. Nuts are not allowed. It holds from 1 \
         March 2025.\n",
    );
    scratch.write(
        "report.md",
        "The label of a meal is red. Nuts are allowed. The director lives in Ghent.\n",
    );
    let arguments = [
        "check",
        "report.md",
        "--docs",
        "docs",
        "--offline",
        "--json",
    ];
    let checked = parsed(&scratch.expect(1, &arguments).stdout);
    let sentences = checked["sentences"].as_array().unwrap().iter();
    let verdicts: Vec<&str> = sentences
        .map(|one| one["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(
        verdicts,
        ["supported", "contradicted", "uncited"],
        "{checked}"
    );
}

#[test]
fn a_report_among_the_documents_is_no_source_of_its_own() {
    let scratch = Scratch::with_docs(&[("prices.md", "# Prices\n\nThe urea costs 412 euros.\n")]);
    let report = "The urea costs 999 euros per tonne. The director lives in Ghent.\n";
    for name in ["docs/draft.md", "docs/old/copy.md"] {
        scratch.write(name, report);
    }
    let arguments = ["check", "docs/draft.md", "--docs", "docs", "--offline"];
    let ran = scratch.expect(0, &arguments);
    for words in [
        "without a source: The urea",
        "without a source: The director",
    ] {
        assert!(ran.stdout.contains(words), "{}", ran.stdout);
    }
    for name in ["draft.md", "old/copy.md"] {
        let words = format!("left out: {name} is the report itself");
        assert!(ran.stderr.contains(&words), "{}", ran.stderr);
    }
    // What it cites by its own name or title is nowhere.
    scratch.write("docs/draft.md", "The urea costs 999 euros [draft.md].\n");
    let ran = scratch.expect(1, &arguments);
    let words = "source not reachable: The urea";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
    scratch.write("alone/draft.md", report);
    let ran = scratch.expect(2, &["check", "alone/draft.md", "--docs", "alone"]);
    let words = "the only document is the report itself";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
}

#[test]
fn sentences_that_break_off_are_checked() {
    let scratch = Scratch::new();
    let broken = [
        "Until was?",
        "Before January was?",
        "It is due in May instead of",
    ];
    let pair = |claim: &&str| {
        let passage = "It is due in May until was.";
        format!("{{\"claim\": \"{claim}\", \"passage\": \"{passage}\"}}\n")
    };
    let pairs: String = broken.iter().map(pair).collect();
    scratch.write("pairs.jsonl", &pairs);
    let ran = scratch.expect(0, &["check", "pairs.jsonl", "--fail-on", "never"]);
    assert_eq!(ran.stdout.lines().count(), broken.len(), "{}", ran.stdout);
}
