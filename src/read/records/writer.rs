//! The writer of records: one list item each, or a heading with paragraphs where a field holds
//! running text.

use std::fmt::Write as _;

use super::layout::{Field, Layout, is_identifier};
use crate::read::charset;
use crate::read::html;
use crate::read::markdown_writer::MarkdownWriter;
use crate::read::plain_blocks::{self, Quoted};
use crate::text::one_line;

pub(in crate::read) use super::layout::Record;

/// The limit on the fields of a record, chosen by hand; surveys have some hundreds.
pub(in crate::read) const MAX_FIELDS: usize = 1000;

/// The number of records that the layout is chosen by.
const SAMPLE_RECORDS: usize = 1000;

/// The size of the records that the layout is chosen by, in bytes: wide ones are fewer.
pub(super) const SAMPLE_BYTES: usize = 4 << 20;

/// The length from which a record is more than one sentence, in words; chosen by hand, within what
/// is quoted as one.
const SENTENCE_WORDS: usize = 45;

/// The longest title that is the name of something, and not of a text, in words; chosen by hand.
const NAME_WORDS: usize = 4;

/// Tags by which HTML in a field is told from text that mentions a tag.
const HTML_TAGS: &[&str] = &[
    "</p>", "</div>", "</li>", "</span>", "<br>", "<br/>", "<br />",
];

/// The longest HTML in a field that is read as such, in bytes; chosen by hand.
const MAX_HTML_BYTES: usize = 256 * 1024;

/// Writes records one after the other, in a layout that suits the first ones.
pub(in crate::read) struct RecordWriter<'o> {
    out: &'o mut MarkdownWriter,
    /// The level of the headings of records.
    level: usize,
    /// The first records, before the layout is known.
    sample: Vec<Record>,
    sample_bytes: usize,
    layout: Option<Layout>,
    /// The number of records written.
    count: usize,
    /// `true` if a record had too many fields.
    is_cut: bool,
    /// `true` until some HTML could not be read.
    has_readable_html: bool,
}

impl<'o> RecordWriter<'o> {
    /// A writer with headings of a level.
    pub(in crate::read) fn new(out: &'o mut MarkdownWriter, level: usize) -> Self {
        Self {
            out,
            level,
            sample: Vec::new(),
            sample_bytes: 0,
            layout: None,
            count: 0,
            is_cut: false,
            has_readable_html: true,
        }
    }

    /// A heading above the records, those of which are below it.
    pub(super) fn heading(&mut self, words: &str) {
        self.out.heading(self.level, words);
        self.level += 1;
    }

    /// A paragraph before the records.
    pub(super) fn paragraph(&mut self, words: &str) {
        self.out.paragraph(words);
    }

    /// Adds a record.
    pub(in crate::read) fn push(&mut self, mut record: Record) {
        self.is_cut |= record.len() > MAX_FIELDS;
        record.truncate(MAX_FIELDS);
        record.retain(|(_, value)| !value.trim().is_empty());
        if record.is_empty() {
            return;
        }
        if let Some(layout) = self.layout.take() {
            self.write(&layout, &record);
            self.layout = Some(layout);
            return;
        }
        let bytes = |(name, value): &Field| name_bytes(name) + value.len();
        self.sample_bytes += record.iter().map(bytes).sum::<usize>();
        self.sample.push(record);
        let is_enough = self.sample.len() >= SAMPLE_RECORDS || self.sample_bytes >= SAMPLE_BYTES;
        if is_enough {
            self.flush();
        }
    }

    /// Ends the records, and returns their number.
    pub(in crate::read) fn finish(mut self) -> usize {
        self.flush();
        if self.is_cut {
            self.out.paragraph(&format!(
                "[Fields after the first {MAX_FIELDS} of a record are left out.]"
            ));
        }
        self.count
    }

    /// Chooses the layout and writes the first records.
    fn flush(&mut self) {
        let sample = std::mem::take(&mut self.sample);
        let layout = self.layout.take().unwrap_or_else(|| Layout::of(&sample));
        for record in &sample {
            self.write(&layout, record);
        }
        self.layout = Some(layout);
    }

    fn write(&mut self, layout: &Layout, record: &Record) {
        self.count += 1;
        match record.as_slice() {
            [(name, value)] if layout.is_list => {
                if layout.is_text(name) {
                    self.text(value);
                } else {
                    self.out.item(0, "-", value);
                }
            }
            _ if layout.texts.is_empty() => {
                let title = layout.title_of(record).or_else(|| record.first());
                let fields: Vec<_> = record.iter().collect();
                self.out.item(0, "-", &sentences(&fields, title));
            }
            _ => self.article(layout, record),
        }
    }

    /// Writes a record with running text: its title as a heading, its other fields as an item, and
    /// its texts as paragraphs.
    fn article(&mut self, layout: &Layout, record: &Record) {
        let identifier = || record.iter().find(|(name, _)| is_identifier(name));
        let title = layout.title_of(record).or_else(identifier);
        let heading = match title {
            Some((_, value)) => value.clone(),
            None => format!("Record {}", self.count),
        };
        // The day in the heading is that of all that is quoted from the record.
        let day = day_of(record).filter(|day| !heading.contains(day));
        let day = day.map_or(String::new(), |day| format!(" ({day})"));
        self.out.heading(self.level, &format!("{heading}{day}"));
        let (texts, fields): (Vec<&Field>, Vec<&Field>) =
            record.iter().partition(|(name, _)| layout.is_text(name));
        self.out.item(0, "-", &facts(&fields, title));
        for (name, value) in texts {
            if layout.texts.len() > 1 {
                self.out.heading(self.level + 1, &capitalised(name));
            }
            self.text(value);
        }
    }

    /// Writes running text, which may be HTML.
    fn text(&mut self, value: &str) {
        if self.has_readable_html && value.len() <= MAX_HTML_BYTES && is_html(value) {
            if let Ok(blocks) = html::fragment_to_markdown(value, self.level) {
                return self.out.markdown(&charset::normalise(&blocks));
            }
            // What fails once may take its time again: the rest is text all the same.
            self.has_readable_html = false;
        }
        plain_blocks::write(value, Quoted::Included, self.out);
    }
}

/// The names of the fields with the day of a record, in lower case.
const DAYS: &[&str] = &[
    "created",
    "created_at",
    "date",
    "datum",
    "day",
    "published",
    "updated",
];

/// The day of a record, "2022-08-12", by the first field of such a name.
fn day_of(record: &Record) -> Option<&str> {
    let is_named = |name: &str| DAYS.contains(&&*name.to_lowercase());
    let mut fields = record.iter().filter(|(name, _)| is_named(name));
    let day = fields.next()?.1.get(.."2022-08-12".len())?;
    let is_day = chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").is_ok();
    is_day.then_some(day)
}

/// Returns `true` for text with the tags of paragraphs, items or the like.
fn is_html(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    HTML_TAGS.iter().any(|tag| lower.contains(tag))
}

fn name_bytes(name: &str) -> usize {
    // With what a field takes beside its letters.
    name.len() + size_of::<(&str, String)>()
}

/// The fields of an article beside its texts. Of something with a name they are a statement that
/// can be quoted; those of a text, such as its number and its year, end without a full stop.
fn facts(fields: &[&Field], title: Option<&Field>) -> String {
    let is_fact = |field: &Field| !is_identifier(&field.0) && Some(field) != title;
    let is_name = |title: &Field| title.1.split_whitespace().count() <= NAME_WORDS;
    let has_facts = fields.iter().any(|field| is_fact(field));
    if has_facts && title.is_some_and(is_name) {
        return sentences(fields, title);
    }
    let others = fields.iter().filter(|field| Some(**field) != title);
    let others: Vec<String> = others
        .map(|(name, value)| format!("{name}: {}", one_line(value)))
        .collect();
    capitalised(&others.join("; "))
}

/// Fields as sentences, `Name: Ann; year: 2020.`; of a long record each begins with its title, so
/// that each says what it is about.
fn sentences(fields: &[&Field], title: Option<&Field>) -> String {
    // A sentence with an address in it is not quoted, so addresses have their own.
    let (links, facts): (Vec<&Field>, Vec<&Field>) =
        fields.iter().partition(|field| field.1.contains("://"));
    let mut sentences: Vec<Vec<&Field>> = Vec::new();
    let mut words = 0;
    for field in facts {
        let own = count_words(field);
        let is_full = words + own > SENTENCE_WORDS;
        match sentences.last_mut() {
            Some(last) if !is_full => last.push(field),
            Some(_) => {
                let title = title.filter(|title| *title != field);
                words = title.map_or(0, count_words);
                sentences.push(title.into_iter().chain([field]).collect());
            }
            None => sentences.push(vec![field]),
        }
        words += own;
    }
    if !links.is_empty() {
        sentences.push(links);
    }
    let sentences: Vec<String> = sentences.iter().map(|fields| sentence(fields)).collect();
    sentences.join(" ")
}

/// Fields as one sentence.
fn sentence(fields: &[&Field]) -> String {
    let mut text = String::new();
    for (name, value) in fields {
        let name = if text.is_empty() {
            capitalised(name)
        } else {
            text.push_str("; ");
            name.to_string()
        };
        let _ = write!(text, "{name}: {}", one_line(value));
    }
    // A full stop would become part of an address.
    let is_ended = text.ends_with(['.', '!', '?', '。']);
    if !is_ended && !fields.last().is_some_and(|field| field.1.contains("://")) {
        text.push('.');
    }
    text
}

fn count_words(field: &Field) -> usize {
    field.0.split_whitespace().count() + field.1.split_whitespace().count()
}

/// Words that begin with a capital, as a sentence does.
fn capitalised(words: &str) -> String {
    let mut characters = words.chars();
    let first = characters.next();
    first
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(characters)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(records: &[&[(&str, &str)]]) -> String {
        let mut out = MarkdownWriter::default();
        let mut writer = RecordWriter::new(&mut out, 2);
        for fields in records {
            let field = |(name, value): &(&str, &str)| ((*name).into(), (*value).to_owned());
            writer.push(fields.iter().map(field).collect());
        }
        assert_eq!(writer.finish(), records.len());
        out.finish()
    }

    #[test]
    fn short_records_are_items_of_one_sentence() {
        let text = written(&[
            &[
                ("model", "X2"),
                ("price", "300"),
                ("note", " "),
                ("url", "https://e.org/a"),
            ],
            &[("model", "X3\nbis"), ("price", "")],
        ]);
        assert_eq!(
            text,
            "- Model: X2; price: 300. Url: https://e.org/a\n- Model: X3 bis.\n"
        );
        assert_eq!(
            written(&[&[("word", "One")], &[("word", "two")]]),
            "- One\n- two\n"
        );
    }

    #[test]
    fn long_record_repeats_its_title_in_each_sentence() {
        let names: Vec<String> = (0..40).map(|number| format!("part {number}")).collect();
        let mut fields: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "a b")).collect();
        fields.insert(1, ("name", "X2"));
        let text = written(&[&fields]);
        assert!(
            text.starts_with("- Part 0: a b; name: X2; part 1: a b;"),
            "{text}"
        );
        assert_eq!(text.matches(". Name: X2; part ").count(), 3, "{text}");
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn records_with_running_text_are_articles() {
        let long = "A wing in a slipstream has lift. ".repeat(5);
        let (one, two) = (format!("{long}\n\nIt ends."), long.clone());
        let text = written(&[
            &[("id", "1"), ("title", "wings"), ("text", &one)],
            &[("id", "2"), ("author", "Ann"), ("text", &two)],
        ]);
        let long = long.trim();
        assert_eq!(
            text,
            format!(
                "## wings\n\n- Id: 1\n\n{long}\n\nIt ends.\n\n## 2\n\n- Id: 2; author: \
                 Ann.\n\n{long}\n"
            )
        );
        let dated = written(&[&[("title", "C-1"), ("date", "2022-08-12"), ("text", &two)]]);
        assert!(dated.starts_with("## C-1 (2022-08-12)\n"), "{dated}");
        let page = format!("<p>{long}</p><div hidden>no</div><ul><li>It ends.</li></ul>");
        let text = written(&[&[("name", "X2"), ("text", &page)]]);
        assert_eq!(text, format!("## X2\n\n{long}\n\n- It ends.\n"));
        let text = written(&[&[("name", "X2"), ("pros", &two), ("cons", &two)]]);
        assert!(text.contains("## X2\n\n### Pros\n\nA wing"), "{text}");
    }

    #[test]
    fn fields_after_the_limit_are_left_out() {
        let mut out = MarkdownWriter::default();
        let mut writer = RecordWriter::new(&mut out, 2);
        let record = |fields: usize| -> Record {
            (0..fields)
                .map(|n| (format!("f{n}").into(), n.to_string()))
                .collect()
        };
        writer.push(record(MAX_FIELDS + 1));
        writer.finish();
        let text = out.finish();
        assert!(!text.contains("f1000") && text.contains("first 1000 of a record"));
    }
}
