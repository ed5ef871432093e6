//! A kind of document of somebody else: a [`SourceKind`] in the table of a reader is all it takes.

use research::read::{
    Document, Input, Isolation, Kinds, Markup, ReadError, Reader, Signature, SourceKind, walk,
};
use research::search::Library;
use research::web::{self, FetchResponse};
use url::Url;

use crate::harness::Scratch;

/// SubRip subtitles, of which only the words are read.
static SUBTITLES: SourceKind = SourceKind {
    name: "subtitles",
    label: "SubRip",
    extensions: &["srt"],
    shared_extensions: &["sub"],
    media_types: &["application/x-subrip"],
    signature: Signature::Root(is_subtitles),
    markup: Markup::Plain,
    isolation: Isolation::None,
    remedy: "export them again",
    read,
};

const FILE: &str = "1\n00:00:01,000 --> 00:00:02,000\nA heat pump moves heat.\n";

fn is_subtitles(bytes: &[u8]) -> bool {
    bytes.starts_with(b"1\n00:")
}

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let text = input.text()?;
    if !is_subtitles(text.as_bytes()) {
        return Err(input.malformed("it does not begin with the first subtitle"));
    }
    let words = text
        .lines()
        .filter(|line| line.contains(char::is_alphabetic));
    let words: String = words.flat_map(|line| [line, "\n"]).collect();
    Ok(input.document("Subtitles".to_owned(), words))
}

fn reader() -> Reader {
    Reader {
        kinds: Kinds::built_in().with(&SUBTITLES),
        ..Reader::in_process()
    }
}

fn fetched(path: &str, media_type: &str) -> FetchResponse {
    FetchResponse {
        url: Url::parse("https://e.org/").unwrap().join(path).unwrap(),
        media_type: Some(media_type.to_owned()),
        body: FILE.as_bytes().to_vec().into(),
        from_cache: false,
        confirmed_at: std::time::SystemTime::UNIX_EPOCH.into(),
    }
}

#[test]
fn source_kind_in_the_table_is_listed_read_and_searched() {
    let scratch = Scratch::new();
    for (name, text) in [
        ("docs/a.srt", FILE),
        ("docs/b.sub", FILE),
        ("docs/other.sub", "binary, perhaps"),
    ] {
        scratch.write(name, text);
    }
    let (reader, docs) = (reader(), scratch.path().join("docs"));
    let document = reader.read(&docs.join("a.srt")).unwrap();
    assert_eq!(document.text, "A heat pump moves heat.\n");
    assert_eq!(document.kind, &SUBTITLES);

    let listing = walk(std::slice::from_ref(&docs), &reader.kinds).unwrap();
    let names: Vec<&str> = listing.files.iter().map(|file| &*file.name).collect();
    assert_eq!(names, ["a.srt", "b.sub"]);
    let without = walk(std::slice::from_ref(&docs), &Kinds::built_in()).unwrap();
    assert!(without.files.is_empty());

    let library = Library::open(&[docs], &reader, None).unwrap();
    let hits = library.search("heat pump", 5).unwrap();
    let hit_document = &library.documents[hits[0].document];
    assert_eq!(
        (&*hit_document.locator, hit_document.kind),
        ("a.srt", &SUBTITLES)
    );
}

#[test]
fn source_kind_in_the_table_is_detected_in_what_is_fetched() {
    for (path, media_type) in [
        ("a", "application/x-subrip; charset=utf-8"),
        ("a.txt", "text/plain"),
    ] {
        let page = web::page(&reader(), fetched(path, media_type)).unwrap();
        assert_eq!(page.document.kind, &SUBTITLES, "{path}");
    }
}

#[test]
fn source_kind_in_the_table_is_named_in_errors() {
    let scratch = Scratch::new();
    scratch.write("a.srt", "<svg/>");
    let error = reader().read(&scratch.path().join("a.srt")).unwrap_err();
    let error = error.to_string();
    assert!(
        error.starts_with("cannot read the SubRip ") && error.ends_with("; export them again"),
        "{error}"
    );
    scratch.write("a.wpd", "words");
    let error = reader().read(&scratch.path().join("a.wpd")).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("SubRip, Markdown"), "{error}");
}

#[test]
fn every_built_in_source_kind_is_in_the_help_and_known_to_the_doctor() {
    let scratch = Scratch::new();
    let help = scratch.expect(0, &["read", "--help"]).stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let doctor = scratch.expect(0, &["doctor"]).stdout;
    for kind in Kinds::BUILT_IN {
        assert!(help.contains(kind.label), "{kind:?}: {help}");
        assert!(doctor.contains(kind.label), "{kind:?}: {doctor}");
    }
}
