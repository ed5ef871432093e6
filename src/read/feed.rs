//! Feeds (RSS, Atom, JSON Feed) as one document: each entry is a heading, a line with date, author
//! and link, and its content as Markdown. Nothing that entries link to is fetched.
//!
//! XML that `feed-rs` refuses or panics on is repaired before it is parsed.

use std::borrow::Cow;

use feed_rs::model::{Entry, Feed, FeedType, Link, Person};
use url::Url;

use super::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use super::error::ReadError;
use super::failure::Failure;
use super::html;
use super::markdown_writer::MarkdownWriter;
use super::xml::{Piece, Pieces};
use super::{charset, metadata};
use crate::text::one_line;

/// Elements whose text the parser splits into a name and a mail address.
const PEOPLE: &[&str] = &["author", "creator", "managingEditor", "name", "webMaster"];

/// The beginning and the end of a CDATA section.
const CDATA: (&str, &str) = ("<![CDATA[", "]]>");

/// The number of bytes in which the root element must begin, comments before it included.
const SNIFFED_BYTES: usize = 16 * 1024;

/// The number of levels by which headings in an entry are lowered, below the entry's own.
const LOWER: usize = 2;

/// RSS, Atom or JSON Feed: the clean text is the entries as Markdown.
pub static KIND: SourceKind = SourceKind {
    name: "feed",
    label: "feed",
    extensions: &["rss", "atom"],
    shared_extensions: &["xml"],
    media_types: &[
        "application/rss+xml",
        "application/atom+xml",
        "application/feed+json",
    ],
    signature: Signature::Root(is_feed),
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "get it again, or save what it leads to as files",
    read,
};

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let text = input.markup_text()?;
    let feed = extract(without_xml_declaration(&text)).map_err(|failure| input.failure(failure))?;
    let title = feed
        .title
        .unwrap_or_else(|| metadata::name_as_title(input.path));
    Ok(Document {
        author: feed.author,
        date: feed.date,
        language: feed.language,
        url: feed.url,
        ..input.document(title, charset::normalise(&feed.text))
    })
}

/// Returns `true` if bytes are the beginning of an XML feed, by its root element.
fn is_feed(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(SNIFFED_BYTES)];
    let text = charset::decode(start, true);
    if !text
        .trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])
        .starts_with('<')
    {
        return false;
    }
    let mut pieces = Pieces::of(&text);
    while let Ok(Some(piece)) = pieces.next() {
        if let Piece::Open(root) = piece {
            // RSS 2.0 has the root `rss` and Atom (RFC 4287) `feed`. RSS 1.0 is RDF, as much else
            // is, and is recognised by its namespace.
            return match root.name() {
                "rss" | "feed" => true,
                "RDF" => root
                    .attributes()
                    .any(|(_, value)| value == "http://purl.org/rss/1.0/"),
                _ => false,
            };
        }
    }
    false
}

/// The text without its XML declaration, which names a character set that the text, decoded by now,
/// is no longer in.
fn without_xml_declaration(text: &str) -> &str {
    let declared = text.trim_start().strip_prefix("<?xml");
    let rest = declared.and_then(|rest| rest.split_once("?>"));
    rest.map_or(text, |(_, rest)| rest).trim_start()
}

/// The text and the metadata of a feed.
struct FeedText {
    title: Option<String>,
    text: String,
    author: Option<String>,
    date: Option<String>,
    language: Option<String>,
    url: Option<String>,
}

fn extract(text: &str) -> Result<FeedText, Failure> {
    let feed = parse(text)?;
    if feed.entries.is_empty() {
        return Err("it has no entries".into());
    }
    let rules = TextRules::of(&feed);
    let title = rules.line(feed.title.as_ref())?;
    let mut out = MarkdownWriter::default();
    out.heading(1, title.as_deref().unwrap_or_default());
    if let Some(description) = &feed.description {
        rules.lay_out(
            &mut out,
            &description.content,
            is_html(&description.content_type),
        )?;
    }
    for entry in &feed.entries {
        rules.entry(&mut out, entry)?;
    }
    // A date of the channel is optional in RSS 2.0: without one the newest entry gives it.
    let newest = feed.entries.iter().filter_map(time).max();
    let time = feed.updated.or(feed.published).or(newest);
    // The link with `rel=self` is the address of the feed itself (RFC 4287, 4.1.1).
    let own = feed
        .links
        .iter()
        .find(|link| link.rel.as_deref() == Some("self"));
    Ok(FeedText {
        title,
        text: out.finish(),
        author: names(&feed.authors),
        date: time.map(day),
        language: feed.language.as_deref().and_then(metadata::language_code),
        url: own.and_then(|link| address(&link.href)).map(String::from),
    })
}

/// Returns `true` if the parser takes a feed for JSON: by the first of two characters.
fn is_json(text: &str) -> bool {
    let first = text.find(['<', '{']);
    first.is_some_and(|at| text[at..].starts_with('{'))
}

/// Parses a feed, which is repaired where its parser would refuse it.
fn parse(text: &str) -> Result<Feed, Failure> {
    let text = if is_json(text) {
        text.into()
    } else {
        without_joined_addresses(escape_bare_ampersands(text))
    };
    let feed = feed_rs::parser::parse(text.as_bytes());
    feed.map_err(|error| format!("it is no feed that can be read ({error})").into())
}

/// Escapes each `&` that begins no entity or character reference, as in `Q & A`: people write
/// those, and the parser refuses them. CDATA sections, which have no entities, stay as they are.
fn escape_bare_ampersands(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 64);
    for (index, part) in text.split_inclusive(CDATA.0).enumerate() {
        // Every part but the first begins inside of a CDATA section.
        let verbatim = if index == 0 {
            0
        } else {
            part.find(CDATA.1).unwrap_or(part.len())
        };
        out.push_str(&part[..verbatim]);
        for (index, rest) in part[verbatim..].split('&').enumerate() {
            if index > 0 {
                out.push_str(if ends_entity(rest) { "&" } else { "&amp;" });
            }
            out.push_str(rest);
        }
    }
    out.into()
}

/// Returns `true` if the text after an `&` is the rest of an entity or character reference.
fn ends_entity(rest: &str) -> bool {
    let name = rest.split_once(';').map_or("", |(name, _)| name);
    let letters = name.strip_prefix('#').unwrap_or(name);
    !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Removes the `@` of mail addresses with characters beside them that are not ASCII, as in
/// `ann@e.org（…）`: the parser (feed-rs 3) slices such a text inside of a character and panics.
fn without_joined_addresses(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_joined = |word: &str| word.contains('@') && (!word.is_ascii() || word.contains("&#"));
    if !text.split_ascii_whitespace().any(is_joined) {
        return text;
    }
    let mut is_person = false;
    let parts = text.split('<').map(|part| {
        let name = part.split(|c: char| c == '>' || c.is_whitespace()).next();
        let name = name.unwrap_or_default();
        // A comment or a CDATA section (`<!`) begins no element: the one around it is still open.
        if !name.starts_with('!') {
            // The prefix does not count: `dc:creator` is a person, too.
            is_person = PEOPLE.contains(&name.rsplit(':').next().unwrap_or_default());
        }
        if is_person && part.split_ascii_whitespace().any(is_joined) {
            part.replace('@', " ")
        } else {
            part.to_owned()
        }
    });
    parts.collect::<Vec<_>>().join("<").into()
}

/// The interpretation of text constructs in a feed.
struct TextRules {
    /// `true` if even plain text is HTML, as RSS has it; Atom and JSON Feed declare each type.
    all_html: bool,
}

impl TextRules {
    fn of(feed: &Feed) -> Self {
        // RSS 2.0 has HTML in its descriptions and no attribute that says so; Atom has `type` (RFC
        // 4287, 3.1.1), JSON Feed `content_html` beside `content_text`.
        let is_newer = matches!(feed.feed_type, FeedType::Atom | FeedType::JSON);
        Self {
            all_html: !is_newer,
        }
    }

    fn entry(&self, out: &mut MarkdownWriter, entry: &Entry) -> Result<(), String> {
        let title = self.line(entry.title.as_ref())?;
        let title = title.as_deref().unwrap_or("Untitled");
        // The day in the heading is that of all that is quoted from the entry.
        let title = match time(entry).map(day) {
            Some(day) => format!("{title} ({day})"),
            None => title.to_owned(),
        };
        out.heading(2, &title);
        // The id of an Atom entry and the `guid` of an RSS item may be an address (permalink).
        let link = main_link(&entry.links).or_else(|| address(&entry.id));
        let about = [
            time(entry).map(day),
            names(&entry.authors),
            link.as_ref().map(self::link),
        ];
        out.paragraph(&about.into_iter().flatten().collect::<Vec<_>>().join(" · "));
        let content = entry.content.as_ref().and_then(|content| {
            let body = content.body.as_deref()?;
            let kind = &content.content_type;
            // Content may be of any media type, such as a picture in Base64 (RFC 4287, 4.1.3).
            let is_text = kind.ty().as_str() == "text" || is_html(kind);
            (is_text && !body.trim().is_empty()).then(|| (body, is_html(kind)))
        });
        let summary = entry.summary.as_ref();
        let summary = summary.map(|text| (text.content.as_str(), is_html(&text.content_type)));
        let media = entry
            .media
            .iter()
            .find_map(|media| media.description.as_ref());
        let media = media.map(|text| (text.content.as_str(), is_html(&text.content_type)));
        // The full content first, then the summary, then the description of an attached medium.
        match content.or(summary).or(media) {
            Some((words, is_html)) => self.lay_out(out, words, is_html),
            None => Ok(()),
        }
    }

    fn lay_out(&self, out: &mut MarkdownWriter, words: &str, is_html: bool) -> Result<(), String> {
        if (is_html || self.all_html) && words.contains(['<', '&']) {
            out.markdown(&html::to_markdown(words, LOWER)?);
        } else {
            // Plain text has its paragraphs between blank lines.
            let words = words.replace("\r\n", "\n");
            words.split("\n\n").for_each(|words| out.paragraph(words));
        }
        Ok(())
    }

    /// A text construct in one line.
    fn line(&self, text: Option<&feed_rs::model::Text>) -> Result<Option<String>, String> {
        let Some(text) = text else {
            return Ok(None);
        };
        let words = &text.content;
        let is_html = is_html(&text.content_type) || self.all_html;
        let line = if is_html && words.contains(['<', '&']) {
            html::text_line(words)?
        } else {
            one_line(words)
        };
        Ok(Some(line).filter(|line| !line.is_empty()))
    }
}

fn is_html(kind: &impl std::fmt::Display) -> bool {
    kind.to_string().contains("html")
}

type Time = chrono::DateTime<chrono::Utc>;

fn time(entry: &Entry) -> Option<Time> {
    entry.published.or(entry.updated)
}

fn day(time: Time) -> String {
    time.format("%Y-%m-%d").to_string()
}

fn names(people: &[Person]) -> Option<String> {
    let names = people.iter().filter_map(|one| one.name.as_deref());
    let names: Vec<String> = names
        .map(|name| one_line(unbracketed(name)))
        .filter(|name| !name.is_empty())
        .collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// A name without the brackets it has in `ann@e.org (Ann B)`.
fn unbracketed(name: &str) -> &str {
    let inside = name.trim().strip_prefix('(');
    inside
        .and_then(|name| name.strip_suffix(')'))
        .unwrap_or(name)
}

/// The link of an entry: the one without a relation, or with `alternate` (RFC 4287).
fn main_link(links: &[Link]) -> Option<Url> {
    links
        .iter()
        .filter(|link| matches!(link.rel.as_deref(), None | Some("alternate")))
        .find_map(|link| address(&link.href))
}

fn address(text: &str) -> Option<Url> {
    let url = Url::parse(text.trim()).ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

/// A Markdown link that shows the host; brackets would end it.
fn link(url: &Url) -> String {
    let address = url.as_str().replace('(', "%28").replace(')', "%29");
    format!("[{}]({address})", url.host_str().unwrap_or("link"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RSS: &str = "<?xml version='1.0' encoding='iso-8859-1'?><rss version='2.0' \
        xmlns:content='http://purl.org/rss/1.0/modules/content/'>\
        <channel><title>Heat &amp;amp; cold</title><link>https://e.org/</link><description>All on \
        heat.</description>\
        <language>de-CH</language><pubDate>Wed, 06 May 2020 01:02:03 GMT</pubDate>\
        <item><title>Größer &lt;b&gt;pumps&lt;/b&gt;</title><link>https://e.org/a_(b)</link>\
        <author>ann@e.org (Ann B)</author>\
        <pubDate>Tue, 05 May 2020 23:59:00 +0000</pubDate><description>Short.</description>\
        <content:encoded><![CDATA[<h1>Why</h1><p>Quiet <b>and</b> small.</p><ul><li>one</li></ul>\
        <script>x()</script>]]></content:encoded></item>\
        <item><guid>https://e.org/c</guid><description>First &amp;lt;5.\n\nSecond.</description>\
        </item></channel></rss>";

    fn read(text: &str) -> Result<Document, ReadError> {
        let input = Input::of_bytes(&KIND, "/x/my-feed.xml", text.as_bytes(), 1_000_000);
        super::read(&input)
    }

    #[test]
    fn rss_becomes_one_document() {
        let document = read(RSS).unwrap();
        assert_eq!(
            document.text,
            "# Heat & cold\n\nAll on heat.\n\n## Größer pumps (2020-05-05)\n\n2020-05-05 · Ann B · \
             [e.org](https://e.org/a_%28b%29)\n\n\
             ### Why\n\nQuiet **and** small.\n\n- one\n\n## Untitled\n\n\
             [e.org](https://e.org/c)\n\nFirst \\<5. Second.\n"
        );
        assert_eq!(document.title, "Heat & cold");
        assert_eq!(document.date.as_deref(), Some("2020-05-06"));
        assert_eq!(document.language.as_deref(), Some("de"));
        assert_eq!((document.url, document.kind), (None, &KIND));
    }

    #[test]
    fn atom_rss_1_and_json_feed_are_read() {
        let atom = "<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='en'><title>On heat</title>\
            <id>x</id>\
            <author><name>Ann  B</name></author><updated>2020-05-06T01:02:03Z</updated><link \
            rel='self' href='https://e.org/feed'/>\
            <entry><title type='text'>Vec&lt;T> &amp; more</title><id>y</id>\
            <updated>2020-05-05T01:02:03Z</updated>\
            <link rel='enclosure' href='https://e.org/a.mp3'/><link href='https://e.org/a'/>\
            <content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><p>Warm &amp; dry.</p>\
            </div></content></entry></feed>";
        let document = read(atom).unwrap();
        assert_eq!(
            document.text,
            "# On heat\n\n## Vec\\<T> & more (2020-05-05)\n\n2020-05-05 · \
             [e.org](https://e.org/a)\n\nWarm & dry.\n"
        );
        assert_eq!(document.author.as_deref(), Some("Ann B"));
        assert_eq!(document.url.as_deref(), Some("https://e.org/feed"));

        let rdf = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
            xmlns='http://purl.org/rss/1.0/'>\
            <channel rdf:about='x'><title>Old</title><link>https://e.org</link>\
            <description>d</description></channel>\
            <item rdf:about='y'><title>Entry</title><link>https://e.org/a</link>\
            <description>Words.</description></item></rdf:RDF>";
        assert!(read(rdf).unwrap().text.contains("## Entry\n"));

        let json = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"New\",\
            \"items\":[{\"id\":\"1\",\
            \"title\":\"Entry\",\"content_text\":\"a < b\\n\\nc\"}]}";
        let text = read(json).unwrap().text;
        assert_eq!(text, "# New\n\n## Entry\n\na \\< b\n\nc\n");
        for (text, wanted) in [(RSS, true), (atom, true), (rdf, true), (json, false)] {
            assert_eq!(is_feed(text.as_bytes()), wanted, "{text}");
        }
        let other = "<!DOCTYPE x><rdf:RDF xmlns='http://xmlns.com/foaf/0.1/'/>";
        assert!(!is_feed(other.as_bytes()) && !is_feed(b"<svg/>") && !is_feed(b"<"));
    }

    #[test]
    fn bare_ampersands_and_joined_addresses_are_repaired() {
        let of = |item: &str| {
            let item = format!("<item>{item}<description>x</description></item>");
            read(&format!(
                "<rss version='2.0'><channel>{item}</channel></rss>"
            ))
        };
        let document =
            of("<title>Q & A &amp; R&D; &#66;</title><link>https://e.org/?a=1&b=2</link>");
        let text = document.unwrap().text;
        assert!(text.contains("## Q & A & R&D; B\n"), "{text}");
        assert!(text.contains("(https://e.org/?a=1&b=2)"), "{text}");
        let document = of("<title><![CDATA[Q & A]]> & B</title>");
        let text = document.unwrap().text;
        assert!(text.contains("## Q & A & B\n"), "{text}");
        let document = of("<author>ann@e.org (Zoë B)</author>").unwrap();
        assert!(document.text.contains("\nZoë B\n"), "{}", document.text);
        for author in [
            "zhang@e.cn（张三）",
            "<![CDATA[（张三）zhang@e.cn]]>",
            "张三-zhang@e.cn",
            "zhang@e.cn&#xFF08;张三)",
        ] {
            let document = of(&format!("<title>at @home</title><author>{author}</author>"));
            let text = document.unwrap().text;
            assert!(text.contains("at @home") && text.contains("张三"), "{text}");
        }
    }

    #[test]
    fn hostile_feeds_are_errors() {
        let error_of = |text: &str| read(text).unwrap_err().to_string();
        let of = |items: &str| format!("<rss version='2.0'><channel>{items}</channel></rss>");
        for (text, problem) in [
            (of(""), "no entries"),
            ("<rss version='2.0'/>".to_owned(), "no feed"),
            ("<a/>".to_owned(), "no feed"),
            (String::new(), "no feed"),
            ("<rss version='2.0'><channel>".to_owned(), "no feed"),
            ("{\"items\":".to_owned() + &"[".repeat(100_000), "no feed"),
            ("{}".repeat(1_000), "no feed"),
            (
                of(&format!(
                    "<item><description><![CDATA[{}]]></description></item>",
                    "<i>".repeat(2_000)
                )),
                "nest",
            ),
        ] {
            let error = error_of(&text);
            assert!(
                error.contains("my-feed.xml") && error.contains(problem),
                "{problem}: {error}"
            );
        }
        let laughs = "<!DOCTYPE rss [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]>".to_owned();
        let laughs = laughs + &of("<item><title>x</title><description>&b;</description></item>");
        assert!(read(&laughs).unwrap().text.len() < 100);
    }
}
