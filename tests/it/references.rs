//! `research export` for other programs: the references as BibTeX, RIS and CSL-JSON, each read back
//! by a parser of somebody else or by the rules of its format, and the claims as CSV.

use std::sync::LazyLock;

use biblatex::{Bibliography, ChunksExt as _};
use serde_json::{Value, json};

use crate::harness::{FEW, Scratch, example, parsed};

/// Characters that mean something in each of the formats, or to a terminal.
const ATTACK: &str = "}, title = {\\input{x} 50% $a_1^2 & #~|<b> \"ä熱\" \u{1b}[2J\u{202e}ER  - ";

/// A session over documents whose every field is hostile.
static HOSTILE: LazyLock<Scratch> = LazyLock::new(|| {
    let scratch = Scratch::new();
    let headers = [
        (ATTACK, ATTACK, "2024-11-08"),
        ("Costs", "=1+1", "2024-02"),
        ("Costs", "=1+1", "spring"),
        ("熱ポンプ", "Ä. Öz", "2023"),
    ];
    for (name, (title, author, date)) in FEW.iter().zip(headers) {
        let header = format!(
            "---\ntitle: '{title}'\nauthor: '{author}'\ndate: {date}\nstatus: Withdrawn\n\
             superseded-by: '{ATTACK}'\n---\n\n"
        );
        let text = std::fs::read_to_string(example().join(name)).unwrap();
        let body = text
            .rsplit_once("\n---\n")
            .map_or(text.as_str(), |own| own.1);
        scratch.write(&format!("docs/{{@ {name}"), format!("{header}{body}"));
    }
    scratch.research();
    scratch
});

/// An export of the session.
fn exported(format: &str) -> String {
    let arguments = ["export", "s", "--format", format];
    HOSTILE.expect(0, &arguments).stdout
}

/// The references of the report, in order.
fn references() -> Vec<Value> {
    let report = parsed(&exported("json"));
    report["references"].as_array().unwrap().clone()
}

/// A text as the formats show it: in one line, without control characters.
fn shown(text: &Value) -> String {
    let shown = text.as_str().unwrap_or_default();
    let line: Vec<&str> = shown.split_whitespace().collect();
    line.join(" ").replace(['\u{1b}', '\u{202e}'], "\u{fffd}")
}

/// The keys of the entries, which all formats share.
fn keys() -> Vec<String> {
    let items = parsed(&exported("csl-json"));
    let items = items.as_array().unwrap().iter();
    items
        .map(|item| item["id"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn bibtex_is_read_back_with_every_character() {
    let text = exported("bibtex");
    let bibliography = Bibliography::parse(&text).unwrap();
    let references = references();
    assert_eq!(bibliography.len(), references.len());
    assert!(references.len() == 4, "{references:#?}");
    for ((entry, reference), key) in bibliography.iter().zip(&references).zip(keys()) {
        assert_eq!(entry.key, key);
        let field = |name: &str| entry.get(name).map(|value| value.format_verbatim());
        assert_eq!(field("title").unwrap(), shown(&reference["title"]));
        assert_eq!(field("howpublished").unwrap(), shown(&reference["locator"]));
        let author = shown(&reference["author"]).replace("Ä. Öz", "Öz, Ä.");
        assert_eq!(field("author").unwrap_or_default(), author);
        assert!(field("note").unwrap().starts_with("withdrawn"));
        assert!(field("url").is_none());
    }
    // BibTeX counts braces whatever stands before them.
    assert_eq!(text.matches('{').count(), text.matches('}').count());
    assert!(text.contains("  month = nov,\n"), "{text}");
}

#[test]
fn pages_name_the_day_on_which_they_were_read() {
    let scratch = HOSTILE.copy();
    let mut report = scratch.json("report.json");
    for reference in report["content"]["references"].as_array_mut().unwrap() {
        reference["locator"] = "https://example.org/".into();
        reference["read_at"] = "2026-11-08T10:00:00Z".into();
        reference["date"] = Value::Null;
    }
    scratch.write("research-output/s/report.json", report.to_string());
    let exported = |format: &str| {
        scratch
            .expect(0, &["export", "s", "--format", format])
            .stdout
    };
    let text = exported("bibtex");
    let bibliography = Bibliography::parse(&text).unwrap();
    for entry in bibliography.iter() {
        let day = entry.get("urldate").unwrap().format_verbatim();
        assert_eq!(day, "2026-11-08");
    }
    assert!(exported("ris").contains("\r\nY2  - 2026/11/08/\r\n"));
    let items = parsed(&exported("csl-json"));
    assert_eq!(items[0]["accessed"], json!({"date-parts": [[2026, 11, 8]]}));
    let styled = ["export", "s", "--citations", "apa"];
    let styled = scratch.expect(0, &styled).stdout;
    assert!(
        styled.contains("Retrieved November 8, 2026, from"),
        "{styled}"
    );
}

#[test]
fn ris_is_one_line_a_field() {
    let text = exported("ris");
    let mut records = Vec::new();
    for line in text.strip_suffix("\r\n").unwrap().split("\r\n") {
        let (tag, value) = line.split_once("  - ").unwrap();
        assert!(
            tag.len() == 2 && tag.chars().all(|c| c.is_ascii_alphanumeric()),
            "{line}"
        );
        assert!(!value.contains(char::is_control), "{line}");
        match tag {
            "TY" => records.push(vec![(tag, value)]),
            _ => records.last_mut().unwrap().push((tag, value)),
        }
    }
    let references = references();
    assert_eq!(records.len(), references.len());
    for ((record, reference), key) in records.iter().zip(&references).zip(keys()) {
        let field = |name: &str| record.iter().find(|(tag, _)| *tag == name).map(|own| own.1);
        assert_eq!(record.last(), Some(&("ER", "")));
        assert_eq!(field("ID"), Some(key.as_str()));
        assert_eq!(field("TI").unwrap(), shown(&reference["title"]));
        assert_eq!(field("L1").unwrap(), shown(&reference["locator"]));
    }
    assert!(
        text.contains("\r\nPY  - 2024\r\nDA  - 2024/11/08/\r\n"),
        "{text}"
    );
    assert!(text.contains("\r\nDA  - 2024/02//\r\n"), "{text}");
    assert!(text.contains("\r\nAU  - Öz, Ä.\r\n"), "{text}");
}

#[test]
fn csl_json_has_an_item_for_each_reference() {
    let items = parsed(&exported("csl-json"));
    let (items, references) = (items.as_array().unwrap(), references());
    assert_eq!(items.len(), references.len());
    for (item, reference) in items.iter().zip(&references) {
        assert_eq!(item["title"], shown(&reference["title"]));
        assert_eq!(item["type"], "document");
        match item["author"].as_array() {
            Some(names) if reference["author"] == "Ä. Öz" => {
                assert_eq!(names[0], json!({"family": "Öz", "given": "Ä."}));
            }
            Some(names) => assert_eq!(names[0]["literal"], shown(&reference["author"])),
            None => assert_eq!(shown(&reference["author"]), ""),
        }
        let date = match reference["date"].as_str() {
            Some("spring") => json!({"literal": "spring"}),
            Some("2024-11-08") => json!({"date-parts": [[2024, 11, 8]]}),
            Some("2024-02") => json!({"date-parts": [[2024, 2]]}),
            Some(year) => json!({"date-parts": [[year.parse::<u32>().unwrap()]]}),
            None => Value::Null,
        };
        assert_eq!(item["issued"], date);
    }
    let mut unique = keys();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), references.len());
}

#[test]
fn keys_stay_when_other_references_go() {
    let arguments = ["export", "s", "--format", "csl-json", "--kind", "summary"];
    let brief = parsed(&HOSTILE.expect(0, &arguments).stdout);
    let keys = keys();
    for item in brief.as_array().unwrap() {
        assert!(keys.contains(&item["id"].as_str().unwrap().to_owned()));
    }
}

#[test]
fn csv_has_a_row_for_each_claim_and_source_and_no_formula() {
    let text = exported("csv");
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let headers = table.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let cell = |row: &csv::StringRecord, name: &str| {
        let column = headers.iter().position(|header| header == name);
        row[column.unwrap()].to_owned()
    };
    let report = parsed(&exported("json"));
    let claims = report["claims"].as_array().unwrap();
    let citations = claims
        .iter()
        .map(|claim| claim["citations"].as_array().unwrap().len());
    assert_eq!(rows.len(), citations.sum::<usize>());
    for row in &rows {
        for value in row {
            assert!(
                !value.starts_with(['=', '+', '-', '@', '\t', '\r']),
                "{value}"
            );
            assert!(!value.contains(['\u{1b}', '\u{202e}']), "{value}");
        }
        let claim = claims
            .iter()
            .find(|claim| claim["id"] == *cell(row, "claim"));
        let claim = claim.unwrap();
        assert_eq!(cell(row, "verdict"), claim["verdict"].as_str().unwrap());
        let source: usize = cell(row, "source").parse().unwrap();
        let mut citations = claim["citations"].as_array().unwrap().iter();
        let citation = citations.find(|own| own["reference"] == source);
        let citation = citation.unwrap();
        assert_eq!(cell(row, "start"), citation["start"].to_string());
        assert_eq!(cell(row, "end"), citation["end"].to_string());
        let quote = citation["quote"].as_str().unwrap();
        let quote = quote.replace(['\u{1b}', '\u{202e}'], "\u{fffd}");
        assert_eq!(cell(row, "quote").trim_start_matches('\''), quote);
    }
    let authors: Vec<String> = rows.iter().map(|row| cell(row, "author")).collect();
    assert!(
        authors.iter().any(|author| author == "'=1+1"),
        "{authors:?}"
    );
}

#[test]
fn journal_and_issuer_of_a_document_are_in_every_bibliography() {
    let scratch = Scratch::new();
    let body = "The herring stock of the bight fell to 41,000 tonnes in 2023.\n";
    let article = format!(
        "# Herring of the bight\n\nM. Lind\n\n*Fisheries Research* 274 (2024) 106–118\n\n\
         https://doi.org/10.1016/j.fishres.2024.106\n\n## Results\n\n{body}"
    );
    scratch.write("docs/article.md", article);
    let release = "PRESS RELEASE - Nordring Energie GmbH\nKehrfeld, 2 February 2023\n\nHerring in \
                   the bight\n\nThe herring stock of the bight is above 40,000 tonnes.\n";
    scratch.write("docs/release.txt", release);
    let topic = "How large is the herring stock of the bight?";
    scratch.expect(0, &["run", topic, "--docs", "docs", "--session", "s"]);
    let exported = |format: &str| {
        let arguments = ["export", "s", "--format", format];
        scratch.expect(0, &arguments).stdout
    };
    for (format, lines) in [
        (
            "bibtex",
            [
                "@article{",
                "journal = {{Fisheries Research}}",
                "volume = {{274}}",
                "doi = {10.1016/j.fishres.2024.106}",
                "Nordring Energie GmbH",
            ],
        ),
        (
            "ris",
            [
                "TY  - JOUR",
                "JO  - Fisheries Research",
                "SP  - 106\r\nEP  - 118",
                "DO  - 10.1016/j.fishres.2024.106",
                "PB  - Nordring Energie GmbH",
            ],
        ),
        (
            "csl-json",
            [
                "\"type\": \"article-journal\"",
                "\"container-title\": \"Fisheries Research\"",
                "\"page\": \"106-118\"",
                "\"DOI\": \"10.1016/j.fishres.2024.106\"",
                "\"publisher\": \"Nordring Energie GmbH\"",
            ],
        ),
    ] {
        let text = exported(format);
        for line in lines {
            assert!(text.contains(line), "{line}: {text}");
        }
    }
    let apa = ["export", "s", "--citations", "apa"];
    let apa = scratch.expect(0, &apa).stdout;
    let entry = "*Fisheries Research*, *274*, 106–118. https://doi.org/10.1016/j.fishres.2024.106";
    assert!(apa.contains(entry), "{apa}");
}
