//! Tables, JSON, e-mail, notebooks, presentations and OpenDocument as files and from the web: text,
//! search, quotations of records, and hostile input.

use std::io::{Cursor, Write};
use std::time::SystemTime;

use research::read::Reader;
use research::web::{self, FetchResponse};
use url::Url;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::harness::{Scratch, parsed};

const PRODUCTS: &str = "Model;Price_EUR;Stock\nSilento 12;5305;yes\nBreeze XL;9200;no\n";

const ABSTRACTS: &str = "{\"_id\": \"1\", \"title\": \"On wings in a slipstream\", \"text\": \"The \
    lift of a wing in a slipstream was measured, and it differs from theory by no more than a \
    tenth of it.\"}\n";

const EMAIL: &str = "From: Ann B <ann@example.org>\nTo: bob@example.org\nSubject: Offer for the \
    roof\nDate: Wed, 6 May 2020 10:30:00 +0000\nContent-Type: text/plain; charset=utf-8\n\
    Content-Transfer-Encoding: quoted-printable\n\nThe new roof costs 14,500 =E2=82=AC with all =\n\
    of its tiles.\n";

const NOTEBOOK: &str = r##"{"nbformat": 4, "metadata": {}, "cells": [
    {"cell_type": "markdown", "source": ["# Loads\n", "\n", "The bridge carried forty tonnes."]},
    {"cell_type": "code", "source": "print(1)", "outputs": []}]}"##;

const ODT: &str = "<office:body><text:h>Glass</text:h><text:p>Windows lose heat at night.</text:p>\
    </office:body>";

const ODS: &str = "<office:body><table:table table:name='Rates'><table:table-row>\
    <table:table-cell><text:p>bank</text:p></table:table-cell><table:table-cell><text:p>rate\
    </text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Nord\
    </text:p></table:table-cell><table:table-cell><text:p>3.5 %</text:p></table:table-cell>\
    </table:table-row></table:table></office:body>";

/// An archive whose first part is not compressed, as that of OpenDocument.
fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (number, (name, text)) in parts.iter().enumerate() {
        let method = [CompressionMethod::Stored, CompressionMethod::Deflated][number.min(1)];
        let options = SimpleFileOptions::default().compression_method(method);
        zip.start_file(*name, options).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn open_document(class: &str, content: &str) -> Vec<u8> {
    let media_type = format!("application/vnd.oasis.opendocument.{class}");
    zipped(&[("mimetype", &media_type), ("content.xml", content)])
}

/// A package of Office Open XML with one sheet or slide.
fn package(main: &str, xml: &str, kind: &str, part: &str, content: &str) -> Vec<u8> {
    let (folder, name) = main.rsplit_once('/').unwrap();
    let relations = format!("{folder}/_rels/{name}.rels");
    let relation = format!("<a><Relationship Id='r1' Type='x/{kind}' Target='{part}'/></a>");
    zipped(&[
        ("[Content_Types].xml", "<Types/>"),
        (main, xml),
        (&relations, &relation),
        (&format!("{folder}/{part}"), content),
    ])
}

fn workbook(sheet: &str) -> Vec<u8> {
    package(
        "xl/workbook.xml",
        "<workbook><sheets><sheet name='Sites' r:id='r1'/></sheets></workbook>",
        "worksheet",
        "s.xml",
        &format!("<worksheet>{sheet}</worksheet>"),
    )
}

fn sites() -> Vec<u8> {
    let cell = |words: &str| format!("<c t='inlineStr'><is><t>{words}</t></is></c>");
    let row = |cells: [&str; 2]| format!("<row>{}</row>", cells.map(cell).concat());
    workbook(&[row(["site", "builder"]), row(["Town Hall", "Meyer"])].concat())
}

fn slides() -> Vec<u8> {
    package(
        "ppt/presentation.xml",
        "<p:presentation><p:sldId id='256' r:id='r1'/></p:presentation>",
        "slide",
        "s.xml",
        "<p:sld><p:sp><p:nvPr><p:ph type='title'/></p:nvPr><p:txBody><a:p><a:t>Roofs</a:t></a:p>\
         </p:txBody></p:sp><p:sp><p:txBody><a:p><a:t>Flat roofs carry panels.</a:t></a:p>\
         </p:txBody></p:sp></p:sld>",
    )
}

/// A file: its name, its kind, its bytes, its text, and a question to it.
type File = (
    &'static str,
    &'static str,
    Vec<u8>,
    &'static str,
    &'static str,
);

/// Files of records and of messages.
fn text_files() -> Vec<File> {
    vec![
        (
            "products.csv",
            "csv",
            PRODUCTS.into(),
            "# Products\n\n- Model: Silento 12; Price EUR: 5305; Stock: yes.\n- Model: Breeze XL; \
             Price EUR: 9200; Stock: no.\n",
            "What does the Silento 12 cost?",
        ),
        (
            "wings.jsonl",
            "json",
            ABSTRACTS.into(),
            "# Wings\n\n## On wings in a slipstream\n\n- Id: 1\n\nThe lift of a wing in a \
             slipstream was measured, and it differs from theory by no more than a tenth of it.\n",
            "lift of a wing",
        ),
        (
            "list.json",
            "json",
            b"[{\"city\": \"Perth\", \"mayor\": \"Lee\"}]".into(),
            "# List\n\n- City: Perth; mayor: Lee.\n",
            "mayor of Perth",
        ),
        (
            "offer.eml",
            "email",
            EMAIL.into(),
            "# Offer for the roof\n\n- From: Ann B (ann@example.org); to: bob@example.org; date: \
             2020-05-06 10:30.\n\nThe new roof costs 14,500 € with all of its tiles.\n",
            "Who asks for tiles?",
        ),
        (
            "box.mbox",
            "mbox",
            format!(
                "From a Wed May  6 10:30:00 2020\n{}",
                EMAIL.replace("tiles", "gutters")
            )
            .into(),
            "# Box\n\n## Offer for the roof\n\n- From: Ann B (ann@example.org); to: \
             bob@example.org; date: 2020-05-06 10:30.\n\nThe new roof costs 14,500 € \
             with all of its gutters.\n",
            "gutters",
        ),
        (
            "loads.ipynb",
            "notebook",
            NOTEBOOK.into(),
            "# Loads\n\nThe bridge carried forty tonnes.\n\n```\nprint(1)\n```\n",
            "How many tonnes did the bridge carry?",
        ),
    ]
}

/// Files of archives.
fn archive_files() -> Vec<File> {
    vec![
        (
            "glass.odt",
            "odt",
            open_document("text", ODT),
            "# Glass\n\nWindows lose heat at night.\n",
            "windows at night",
        ),
        (
            "rates.ods",
            "ods",
            open_document("spreadsheet", ODS),
            "# Rates\n\n- Bank: Nord; rate: 3.5 %.\n",
            "rate of the bank Nord",
        ),
        (
            "sites.xlsx",
            "xlsx",
            sites(),
            "# Sites\n\n- Site: Town Hall; builder: Meyer.\n",
            "builder of the Town Hall",
        ),
        (
            "talk.pptx",
            "pptx",
            slides(),
            "# Roofs\n\n- Flat roofs carry panels.\n",
            "panels on flat roofs",
        ),
    ]
}

#[test]
fn files_of_every_kind_are_read_and_searched() {
    let scratch = Scratch::new();
    let files = [text_files(), archive_files()].concat();
    for (file, _, bytes, ..) in &files {
        scratch.write(&format!("docs/{file}"), bytes);
    }
    // Neither a list of objects nor named by the user.
    scratch.write("docs/settings.json", "{\"a\": 1}");
    for (file, kind, _, text, query) in &files {
        let output = scratch
            .expect(0, &["read", &format!("docs/{file}"), "--json"])
            .stdout;
        let output = parsed(&output);
        assert_eq!(output["kind"], *kind);
        assert_eq!(output["text"], *text, "{file}");
        let ran = scratch.expect(0, &["search", query, "--docs", "docs", "--json"]);
        let output = parsed(&ran.stdout);
        assert_eq!(output["results"][0]["file"], *file, "{output}");
        assert_eq!(output["documents"], files.len(), "{}", ran.stderr);
    }
}

#[test]
fn report_quotes_the_record_that_answers() {
    let scratch = Scratch::new();
    scratch.write("docs/products.csv", PRODUCTS);
    let question = "What does the Silento 12 cost?";
    let arguments = ["run", question, "--docs", "docs", "--offline"];
    let report = scratch.expect(0, &arguments).stdout;
    let record = "Model: Silento 12; Price EUR: 5305; Stock: yes.";
    assert!(report.contains(record), "{report}");
    assert!(!report.contains("Breeze"), "{report}");
}

#[test]
fn media_type_or_signature_decides_the_kind_of_a_fetched_file() {
    let reader = Reader::in_process();
    let bytes = "application/octet-stream";
    for (media_type, body, kind) in [
        ("text/csv; charset=utf-8", PRODUCTS.into(), "csv"),
        ("application/x-ndjson", ABSTRACTS.into(), "json"),
        ("application/json", b"[{\"a\": 1, \"b\": 2}]".into(), "json"),
        ("message/rfc822", EMAIL.into(), "email"),
        (bytes, sites(), "xlsx"),
        (bytes, slides(), "pptx"),
        (bytes, open_document("text", ODT), "odt"),
        ("application/zip", open_document("spreadsheet", ODS), "ods"),
    ] {
        let response = FetchResponse {
            url: Url::parse("https://e.org/download?id=3").unwrap(),
            media_type: Some(media_type.to_owned()),
            body: body.into(),
            from_cache: false,
            confirmed_at: SystemTime::UNIX_EPOCH.into(),
        };
        let page = web::page(&reader, response).unwrap();
        assert_eq!(page.document.kind.name, kind, "{media_type}");
    }
}

#[test]
fn damaged_files_are_errors() {
    let scratch = Scratch::new();
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    for (name, bytes, problem) in [
        ("cut.xlsx", cut(sites()), "not a complete zip archive"),
        ("cut.pptx", cut(slides()), "not a complete zip archive"),
        (
            "cut.odt",
            cut(open_document("text", ODT)),
            "not a complete zip archive",
        ),
        ("none.xlsx", zipped(&[("a", "b")]), "xl/workbook.xml"),
        ("none.ods", zipped(&[("a", "b")]), "content.xml"),
        (
            "deep.odt",
            open_document("text", &"<text:list>".repeat(100_000)),
            "nests deeper",
        ),
        (
            "object.json",
            b"{\"a\":\n1}".into(),
            "no list of JSON objects",
        ),
        (
            "cut.json",
            b"[{\"a\": 1}, {\"a\"".into(),
            "its JSON is broken",
        ),
        (
            "other.ipynb",
            b"{\"cells\": 3}".into(),
            "not that of a notebook",
        ),
        ("empty.csv", b"\n".into(), "has no rows"),
        (
            "words.eml",
            b"just words".into(),
            "neither a sender nor a subject",
        ),
        ("words.mbox", b"just words".into(), "holds no messages"),
    ] {
        scratch.write(name, bytes);
        let stderr = scratch.expect(1, &["read", name]).stderr;
        assert!(
            stderr.contains(name) && stderr.contains(problem),
            "{stderr}"
        );
    }
}
