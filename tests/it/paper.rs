//! `research export --format docx`: the parts of the document are valid XML, and every mark and
//! link in it leads somewhere. `--format pdf`: in a build without it, a remedy.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read as _};
use std::process::Output;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use crate::harness::{Scratch, TOPIC};

/// Markup of several kinds, characters that XML does not allow, and some that reorder text.
const ATTACK: &str =
    "</w:t></w:r><w:p/> ]]> &amp; \" onclick=\"x {\\field} #set \u{1b}[2J\u{202e}\u{ffff}";

/// The parts of a document, by name.
pub(crate) type Parts = BTreeMap<String, String>;

/// The document of a session in a kind of report.
pub(crate) fn parts(scratch: &Scratch, kind: &str) -> Parts {
    let arguments = ["export", "s", "--format", "docx", "--kind", kind];
    let Output { status, stdout, .. } = scratch.command(&arguments).output().unwrap();
    assert!(status.success());
    let mut archive = ZipArchive::new(Cursor::new(stdout)).unwrap();
    let names: Vec<String> = archive
        .file_names()
        .map(|name| name.unwrap().into_owned())
        .collect();
    let part = |name: String| {
        let mut text = String::new();
        archive
            .by_name(&name)
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        (name, text)
    };
    names.into_iter().map(part).collect()
}

/// The elements of a part, with their attributes. Fails if the part is not valid.
fn elements(part: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let mut reader = Reader::from_str(part);
    let mut elements = Vec::new();
    let element = |start: &BytesStart<'_>| {
        let attributes = start.attributes().map(|attribute| {
            let attribute = attribute.unwrap();
            let name = attribute.key.as_ref().to_owned();
            let value = attribute.value.into_owned();
            (name, value)
        });
        let name = start.name().as_ref().to_owned();
        (name, attributes.collect())
    };
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) | Event::Empty(start) => elements.push(element(&start)),
            Event::Eof => return elements,
            _ => {}
        }
    }
}

/// The values of an attribute of all elements of this name, in order.
fn values(part: &str, element: &str, attribute: &str) -> Vec<String> {
    let elements = elements(part).into_iter();
    elements
        .filter(|(name, _)| name == element)
        .filter_map(|(_, attributes)| attributes.get(attribute).cloned())
        .collect()
}

/// Fails if a part is not valid XML, or a mark, a link or a style leads nowhere.
fn assert_sound(parts: &Parts) {
    // By XML 1.0, section 2.2.
    let is_invalid = |c: char| (c.is_control() && c != '\n') || "\u{fffe}\u{ffff}".contains(c);
    for (name, part) in parts {
        assert!(!elements(part).is_empty(), "{name}");
        assert!(!part.contains(is_invalid), "{name}");
        assert!(!part.contains('\u{202e}'), "{name}");
    }
    let document = &parts["word/document.xml"];
    let marks = values(document, "w:bookmarkStart", "w:name");
    let unique: BTreeSet<&String> = marks.iter().collect();
    assert_eq!(marks.len(), unique.len());
    for anchor in values(document, "w:hyperlink", "w:anchor") {
        assert!(marks.contains(&anchor), "{anchor}");
    }
    let relationships = &parts["word/_rels/document.xml.rels"];
    let ids = values(relationships, "Relationship", "Id");
    for id in values(document, "w:hyperlink", "r:id") {
        assert!(ids.contains(&id), "{id}");
    }
    for target in values(relationships, "Relationship", "Target") {
        let is_part = parts.contains_key(&format!("word/{target}"));
        assert!(is_part || target.starts_with("http"), "{target}");
    }
    let styles = values(&parts["word/styles.xml"], "w:style", "w:styleId");
    for element in ["w:pStyle", "w:rStyle", "w:tblStyle"] {
        for style in values(document, element, "w:val") {
            assert!(styles.contains(&style), "{style}");
        }
    }
    let types = values(&parts["[Content_Types].xml"], "Override", "PartName");
    for part in types {
        assert!(parts.contains_key(part.trim_start_matches('/')), "{part}");
    }
}

#[test]
fn docx_has_styles_numbers_and_links_of_its_own() {
    let scratch = Scratch::with_example();
    scratch.research();
    let detailed = parts(&scratch, "detailed");
    assert_sound(&detailed);
    let document = &detailed["word/document.xml"];
    let styles = values(document, "w:pStyle", "w:val");
    for style in [
        "Title",
        "Heading1",
        "Heading2",
        "ListBullet",
        "Bibliography",
    ] {
        assert!(styles.iter().any(|own| own == style), "{style}");
    }
    let references = scratch.json("report.json")["content"]["references"].clone();
    let count = references.as_array().unwrap().len();
    let marks: Vec<String> = (1..=count)
        .map(|number| format!("reference_{number}"))
        .collect();
    assert_eq!(values(document, "w:bookmarkStart", "w:name"), marks);
    // Every source is cited somewhere by a raised number.
    let cited: BTreeSet<String> = values(document, "w:hyperlink", "w:anchor")
        .into_iter()
        .collect();
    assert_eq!(cited.len(), count);
    let raised = values(document, "w:vertAlign", "w:val");
    assert!(raised.len() >= cited.len() && raised[0] == "superscript");
    assert!(document.contains("<w:tbl>"), "{document}");
    assert!(detailed["word/footer1.xml"].contains(" PAGE "));
    let core = &detailed["docProps/core.xml"];
    assert!(
        core.contains(&format!("<dc:title>{TOPIC}</dc:title>")),
        "{core}"
    );
    assert!(core.contains("<dc:language>en</dc:language>"), "{core}");
    assert!(detailed == parts(&scratch, "detailed"));

    let academic = parts(&scratch, "academic");
    assert_sound(&academic);
    let document = &academic["word/document.xml"];
    assert!(
        document.contains("(Heating practice group, 2023)"),
        "{document}"
    );
    assert_eq!(
        values(document, "w:vertAlign", "w:val"),
        Vec::<String>::new()
    );
}

#[test]
fn docx_of_hostile_documents_is_valid() {
    let scratch = Scratch::new();
    for (name, euros) in [("one", 30_000), ("two", 40_000)] {
        let text = format!(
            "---\ntitle: '{ATTACK}'\nauthor: '{ATTACK}'\ndate: '{ATTACK}'\n---\n\nHeat pumps in \
             old houses cost about {euros} euros with *installation* {ATTACK} and `code`.\n\n\
             Heat pumps in old houses need {euros} litres of water, says {ATTACK}.\n"
        );
        scratch.write(&format!("docs/{name} <w:p>.md"), text);
    }
    let topic = format!("{TOPIC} {}", ATTACK.replace('\u{1b}', ""));
    let run = [
        "run",
        &topic,
        "--docs",
        "docs",
        "--session",
        "s",
        "--no-clarify",
    ];
    scratch.expect(0, &run);
    for kind in ["detailed", "summary", "academic"] {
        let parts = parts(&scratch, kind);
        assert_sound(&parts);
        let document = &parts["word/document.xml"];
        assert!(document.contains("&lt;/w:t&gt;"), "{document}");
    }
    // A foreign session may say anything.
    let mut report = scratch.json("report.json");
    for reference in report["content"]["references"].as_array_mut().unwrap() {
        reference["locator"] = format!("https://[bad {ATTACK}").into();
    }
    scratch.write("research-output/s/report.json", report.to_string());
    let parts = parts(&scratch, "detailed");
    assert_sound(&parts);
    assert_eq!(
        values(&parts["word/document.xml"], "w:hyperlink", "r:id"),
        Vec::<String>::new()
    );
}

#[test]
fn docx_links_to_pages() {
    let scratch = Scratch::with_few();
    scratch.research();
    let mut report = scratch.json("report.json");
    let references = report["content"]["references"].as_array_mut().unwrap();
    references[0]["locator"] = "https://example.org/a b?q=\"<&>\"&r=ä".into();
    scratch.write("research-output/s/report.json", report.to_string());
    let parts = parts(&scratch, "summary");
    assert_sound(&parts);
    let targets = values(
        &parts["word/_rels/document.xml.rels"],
        "Relationship",
        "Target",
    );
    let target = targets.last().unwrap();
    assert_eq!(
        target,
        "https://example.org/a%20b?q=%22%3C&amp;%3E%22&amp;r=%C3%A4"
    );
}

/// A report of more words than a reader leafs through, in another language.
fn long() -> Scratch {
    let scratch = Scratch::with_few();
    scratch.research();
    let mut report = scratch.json("report.json");
    let limits = vec![vec!["word"; 40].join(" "); 60];
    report["content"]["limits"] = limits.into();
    report["content"]["language"] = "German".into();
    scratch.write("research-output/s/report.json", report.to_string());
    scratch
}

#[test]
fn long_reports_have_contents_and_headings_are_in_their_language() {
    let scratch = long();
    let parts = parts(&scratch, "detailed");
    assert_sound(&parts);
    let document = &parts["word/document.xml"];
    let styles = values(document, "w:pStyle", "w:val");
    let count = |style: &str| styles.iter().filter(|own| *own == style).count();
    assert_eq!(count("ContentsTitle"), 1);
    assert_eq!(count("TOC1"), count("Heading1"));
    for heading in [
        "Inhalt",
        "Kurz gefasst",
        "Grenzen dieser Recherche",
        "Quellen",
    ] {
        assert!(
            document.contains(&format!(">{heading}<")),
            "{heading}: {document}"
        );
    }
    let text = scratch.expect(0, &["export", "s"]).stdout;
    assert!(text.contains("\n## Quellen\n"), "{text}");
    let page = scratch
        .expect(0, &["export", "s", "--format", "html"])
        .stdout;
    assert!(page.contains("<html lang=\"de\">"), "{page}");
}

/// The pages of a PDF, as text.
#[cfg(feature = "pdf")]
fn pages(scratch: &Scratch, kind: &str) -> Vec<String> {
    let arguments = ["export", "s", "--format", "pdf", "--kind", kind];
    let Output { status, stdout, .. } = scratch.command(&arguments).output().unwrap();
    assert!(status.success());
    pdf_extract::extract_text_from_mem_by_pages(&stdout).unwrap()
}

#[test]
#[cfg(feature = "pdf")]
fn long_pdf_has_contents_with_the_numbers_of_pages() {
    let pages = pages(&long(), "detailed");
    assert!(pages.len() > 2, "{pages:?}");
    let (first, last) = (&pages[0], &pages[pages.len() - 1]);
    assert!(
        first.contains("Inhalt") && first.contains("Quellen"),
        "{first}"
    );
    assert!(last.contains("Quellen"), "{last}");
}

#[test]
#[cfg(feature = "pdf")]
fn pdf_shows_the_report_and_takes_nothing_for_markup() {
    let scratch = Scratch::with_few();
    scratch.research();
    let mut report = scratch.json("report.json");
    let attack = "#panic(1) $x$ *b* @label <label> \\ ]) } // \u{1b}[2J\u{202e}";
    report["content"]["title"] = attack.into();
    report["content"]["claims"][0]["text"] = attack.into();
    let references = report["content"]["references"].as_array_mut().unwrap();
    references[0]["title"] = attack.into();
    references[0]["locator"] = format!("https://example.org/{attack}").into();
    scratch.write("research-output/s/report.json", report.to_string());
    for kind in ["detailed", "summary", "academic"] {
        let text = pages(&scratch, kind).concat();
        assert!(text.contains("#panic(1) $x$ *b* @label"), "{text}");
        assert!(text.contains("References"), "{text}");
    }
}

#[test]
#[cfg(not(feature = "pdf"))]
fn format_of_a_feature_that_is_missing_says_how_to_get_it() {
    let scratch = Scratch::with_few();
    scratch.research();
    let before = scratch.tree();
    for arguments in [
        &["export", "s", "--format", "pdf"][..],
        &["run", "--resume", "s", "--format", "html,pdf"],
    ] {
        let refused = scratch.expect(2, arguments);
        let advice = refused.stderr.trim_end();
        assert!(advice.contains("--features pdf"), "{advice}");
        assert!(
            advice.contains("export html, which a browser prints, or docx"),
            "{advice}"
        );
        assert!(!advice.contains('\n'), "{advice}");
    }
    assert!(scratch.tree() == before);
}

#[test]
fn values_over_time_name_their_documents() {
    let scratch = Scratch::new();
    for (year, members) in [(2021, 412), (2023, 538)] {
        let text = format!(
            "---\ndate: {year}-12-31\n---\n# Annual report {year}\n\nThe rowing club of the old \
             harbour town has {members} members.\n"
        );
        scratch.write(&format!("docs/{year}.md"), &text);
    }
    let topic = "How many members does the rowing club have?";
    scratch.expect(0, &["run", topic, "--docs", "docs", "--session", "s"]);
    let document = &parts(&scratch, "detailed")["word/document.xml"];
    let (_, table) = document.split_once("Values over time").unwrap();
    let (_, table) = table.split_once("<w:tbl>").unwrap();
    let (table, _) = table.split_once("</w:tbl>").unwrap();
    assert!(table.contains("Annual report 2021"), "{table}");
    assert!(!table.contains("has 412 members"), "{table}");
}
