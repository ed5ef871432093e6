//! The sources of a report: the documents of a folder, and pages of the web.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use percent_encoding::percent_decode_str;
use url::Url;

use super::outcome::Match;
use super::report::{Reference, file_names};
use crate::artifact::source::{DocumentStatus, Lifecycle};
use crate::read::{Document, Kind, Kinds, Reader, metadata};
use crate::search::{Library, PassageIndex, SearchableDocument};
use crate::text::{self, Table};
use crate::web::page_identity;

/// The least number of letters of a title that is looked for inside of an entry. Chosen by hand.
const TITLE_LETTERS: usize = 8;

/// The maximum number of documents with which a report that cites none is compared.
const MAX_DOCUMENTS: usize = 500;

/// The keys of front matter under which the address of a document is given.
const ADDRESS_KEYS: &[&str] = &[
    "url",
    "source",
    "source_url",
    "canonical_url",
    "canonical",
    "link",
];

/// Fetches pages, many at once; in their order. The error completes "… cannot be read: ".
pub type Fetch<'a> = &'a dyn Fn(&[String]) -> Vec<Result<Document, String>>;

/// A source that was read.
pub(super) struct Source {
    /// The path in the folder, or the address.
    pub(super) name: String,
    pub(super) title: String,
    pub(super) text: String,
    pub(super) passages: PassageIndex,
    /// Its status by its own header or by the document that replaces it.
    pub(super) status: DocumentStatus,
    /// Its date, as far as it is given: `2025-02-18`.
    pub(super) date: Option<String>,
    /// The tables of the text.
    tables: OnceCell<Vec<Table>>,
}

impl Source {
    fn new(
        (name, title): (String, String),
        kind: Kind,
        text: String,
        (status, date): (DocumentStatus, Option<String>),
    ) -> Self {
        Self {
            name,
            title,
            passages: PassageIndex::new(kind, &text),
            text,
            status,
            date,
            tables: OnceCell::new(),
        }
    }

    /// A byte range of the text as a match.
    pub(super) fn matching(&self, range: &Range<usize>) -> Option<Match> {
        Some(Match {
            source: self.name.clone(),
            line: text::line_number(&self.text, range.start),
            text: self.text.get(range.clone())?.to_owned(),
            start: range.start,
            end: range.end,
            status: self.status.remark(),
        })
    }

    /// `true` for a document that does not apply any more.
    pub(super) fn is_past(&self) -> bool {
        self.status.lifecycle.is_some_and(Lifecycle::is_over)
    }

    /// The tables of the text.
    pub(super) fn tables(&self) -> &[Table] {
        self.tables.get_or_init(|| text::tables::tables(&self.text))
    }
}

/// The sources of a report, read as they are needed.
pub struct Sources<'a> {
    folder: Option<Folder<'a>>,
    fetch: Option<Fetch<'a>>,
    /// The pages that were fetched, by identity.
    pages: BTreeMap<String, Result<Rc<Source>, String>>,
    /// The documents that were read, by number.
    documents: BTreeMap<usize, Result<Rc<Source>, String>>,
    /// The documents that links of the report lead to.
    linked: BTreeMap<String, usize>,
}

/// The documents of a folder.
struct Folder<'a> {
    library: &'a Library,
    reader: &'a Reader,
    /// The documents that are no sources, by number.
    left_out: BTreeSet<usize>,
    /// The words of each title.
    titles: Vec<String>,
    /// The documents by the identity of the address that they state.
    addresses: OnceCell<BTreeMap<String, usize>>,
}

impl<'a> Sources<'a> {
    /// The documents of a library, which `reader` reads, and the pages that `fetch` gets; without
    /// either, none of that kind.
    pub fn new(library: Option<(&'a Library, &'a Reader)>, fetch: Option<Fetch<'a>>) -> Self {
        let folder = library.map(|(library, reader)| Folder {
            library,
            reader,
            left_out: BTreeSet::new(),
            titles: library
                .documents
                .iter()
                .map(|document| words(&document.title))
                .collect(),
            addresses: OnceCell::new(),
        });
        Self {
            folder,
            fetch,
            pages: BTreeMap::new(),
            documents: BTreeMap::new(),
            linked: BTreeMap::new(),
        }
    }

    /// Leaves documents out, by number: the report that is checked is no source of its own.
    pub fn without(mut self, documents: BTreeSet<usize>) -> Self {
        if let Some(folder) = &mut self.folder {
            folder.left_out = documents;
        }
        self
    }

    /// Lets links of the report, by their addresses, lead to files that are among the documents.
    pub fn with_links(mut self, links: &BTreeMap<String, PathBuf>) -> Self {
        let folder = self.folder.iter();
        let documents: BTreeMap<&Path, usize> = folder
            .flat_map(Folder::documents)
            .map(|(number, document)| (document.path(), number))
            .collect();
        let links = links
            .iter()
            .filter_map(|(address, path)| Some((address.clone(), *documents.get(path.as_path())?)));
        self.linked = links.collect();
        self
    }

    /// `true` if a text is the name of a document of the folder, or of a file that should be one,
    /// and nothing else: a file that is not there is a source that cannot be reached.
    pub(super) fn is_document(&self, name: &str) -> bool {
        let folder = self.folder.as_ref();
        let is_file = !name.contains(char::is_whitespace)
            && Kinds::built_in().by_extension(Path::new(name)).is_some();
        folder.is_some_and(|folder| is_file || folder.by_whole_name(name).is_some())
    }

    /// Reads what references refer to; pages all at once.
    pub(super) fn read(&mut self, references: &[&Reference]) {
        let mut wanted: BTreeMap<String, String> = BTreeMap::new();
        for reference in references {
            match self.document(reference) {
                Some(document) => self.read_document(document),
                None => wanted.extend(
                    web_addresses(reference).map(|url| (page_identity(url), url.to_owned())),
                ),
            }
        }
        let Some(fetch) = self.fetch else {
            return;
        };
        let (identities, addresses): (Vec<String>, Vec<String>) = wanted.into_iter().unzip();
        let results = fetch(&addresses).into_iter();
        for ((identity, address), result) in identities.into_iter().zip(addresses).zip(results) {
            let source = result.map(|page| {
                let (names, times) = ((address, page.title), (page.status, page.date));
                Rc::new(Source::new(names, page.kind, page.text, times))
            });
            self.pages.insert(identity, source);
        }
    }

    /// The source that a reference refers to.
    ///
    /// # Errors
    /// The reason why there is none, or why it cannot be read.
    pub(super) fn resolve(&self, reference: &Reference) -> Result<Rc<Source>, String> {
        if let Some(document) = self.document(reference)
            && let Some(source) = self.documents.get(&document)
        {
            return source.clone();
        }
        let mut problem = None;
        for address in web_addresses(reference) {
            match self.pages.get(&page_identity(address)) {
                Some(Ok(source)) => return Ok(source.clone()),
                Some(Err(error)) => problem = problem.or(Some(error.clone())),
                None if self.folder.is_some() => {
                    let error = format!("{address} is not in the folder, and was not fetched");
                    problem = problem.or(Some(error));
                }
                None => problem = problem.or(Some(format!("{address} was not fetched"))),
            }
        }
        Err(problem.unwrap_or_else(|| {
            let name = reference.addresses.first().unwrap_or(&reference.text);
            let hint = if is_relative_path(name) {
                "; a link is looked for from the directory of the report"
            } else {
                ""
            };
            format!(
                "{:?} names no document{hint}",
                text::truncate(name, TITLE_SHOWN)
            )
        }))
    }

    /// Reads the documents of the folder, if they are not too many.
    pub(super) fn read_folder(&mut self) {
        let documents = self.folder.iter().flat_map(Folder::documents);
        let numbers = documents.map(|(number, _)| number).take(MAX_DOCUMENTS);
        let numbers: Vec<usize> = numbers.collect();
        numbers
            .into_iter()
            .for_each(|number| self.read_document(number));
    }

    /// All documents and pages that were read.
    pub(super) fn all(&self) -> Vec<Rc<Source>> {
        let read = self.documents.values().chain(self.pages.values());
        read.filter_map(|source| source.as_ref().ok().cloned())
            .collect()
    }

    /// The documents of the folder that are nearest to a text, the nearest first.
    pub(super) fn nearest(&mut self, text: &str, limit: usize) -> Vec<Rc<Source>> {
        let ranked = self.folder.as_ref();
        let ranked = ranked.map_or_else(Vec::new, |own| own.nearest(text, limit));
        let mut sources = Vec::new();
        for number in ranked {
            self.read_document(number);
            let source = self.documents.get(&number);
            sources.extend(source.and_then(|source| source.as_ref().ok().cloned()));
        }
        sources
    }

    fn document(&self, reference: &Reference) -> Option<usize> {
        let folder = self.folder.as_ref()?;
        let mut addresses = reference.addresses.iter();
        addresses
            .find_map(|address| {
                let linked = self.linked.get(address).copied();
                linked.or_else(|| folder.by_address(address))
            })
            .or_else(|| file_names(&reference.text).find_map(|name| self.linked.get(name).copied()))
            .or_else(|| folder.by_file_name(&reference.text))
            .or_else(|| folder.by_title(&reference.text))
            .or_else(|| folder.by_number(&reference.text))
    }

    fn read_document(&mut self, number: usize) {
        let Some(folder) = self.folder.as_ref() else {
            return;
        };
        let document = &folder.library.documents[number];
        self.documents.entry(number).or_insert_with(|| {
            let content = folder.library.content(number);
            let content = content.map_err(|error| format!("{error:#}"))?;
            let names = (document.locator.clone(), document.title.clone());
            let times = (document.status.clone(), document.date.clone());
            let source = Source::new(names, document.kind, content.text.clone(), times);
            Ok(Rc::new(source))
        });
    }
}

/// The maximum number of bytes of a name in a message.
const TITLE_SHOWN: usize = 80;

/// `true` for a path that leads somewhere else once its report is copied.
fn is_relative_path(address: &str) -> bool {
    address.contains('/') && !address.starts_with('/') && !address.contains([':', ' '])
}

fn web_addresses(reference: &Reference) -> impl Iterator<Item = &String> {
    let addresses = reference.addresses.iter();
    addresses.filter(|address| address.starts_with("http://") || address.starts_with("https://"))
}

impl Folder<'_> {
    /// The documents that are sources, with their numbers.
    fn documents(&self) -> impl Iterator<Item = (usize, &SearchableDocument)> {
        let documents = self.library.documents.iter().enumerate();
        documents.filter(|(number, _)| !self.left_out.contains(number))
    }

    /// The words of the titles of the documents, with their numbers.
    fn titles(&self) -> impl Iterator<Item = (usize, &String)> {
        self.documents()
            .map(|(number, _)| (number, &self.titles[number]))
    }

    /// The numbers of the documents that are nearest to a text, the nearest first.
    fn nearest(&self, text: &str, limit: usize) -> Vec<usize> {
        let ranked = self.library.rank_plain(text, limit + self.left_out.len());
        let numbers = ranked.into_iter().map(|own| own.document);
        let numbers = numbers.filter(|number| !self.left_out.contains(number));
        numbers.take(limit).collect()
    }

    /// The document at an address: one that states it, or whose path or file name it is.
    fn by_address(&self, address: &str) -> Option<usize> {
        if let Ok(url) = Url::parse(address)
            && url.has_host()
        {
            let stated = self.addresses().get(&page_identity(address));
            return stated.copied().or_else(|| {
                let name = url.path_segments()?.next_back()?;
                self.by_path(&percent_decode_str(name).decode_utf8_lossy())
                    .filter(|_| !name.starts_with("index."))
            });
        }
        let path = address.split(['#', '?']).next().unwrap_or_default();
        let path = path.strip_prefix("file://").unwrap_or(path);
        self.by_path(&percent_decode_str(path).decode_utf8_lossy())
    }

    /// The document at a path, which may begin above the folder or inside of it.
    fn by_path(&self, path: &str) -> Option<usize> {
        let path = path.trim_start_matches(['.', '/']);
        let is_end = |long: &str, short: &str| {
            let before = long.strip_suffix(short);
            before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let mut matching = self.documents().filter(|(_, own)| {
            !path.is_empty() && (is_end(&own.locator, path) || is_end(path, &own.locator))
        });
        // A file name that two documents have names neither.
        let first = matching.next()?.0;
        match matching.next() {
            None => Some(first),
            Some(_) => self
                .documents()
                .find(|(_, own)| own.locator == path)
                .map(|(number, _)| number),
        }
    }

    /// The document whose file name stands in a text: that of several words which is longest, or
    /// else one that is a word of it.
    fn by_file_name(&self, text: &str) -> Option<usize> {
        self.by_spaced_name(text).or_else(|| self.by_word(text))
    }

    /// The document with the longest file name of several words that stands in a text.
    fn by_spaced_name(&self, text: &str) -> Option<usize> {
        let documents = self.documents();
        let names = documents.filter_map(|(_, own)| own.locator.rsplit('/').next());
        let is_named = |name: &&str| {
            let mut places = text.match_indices(name);
            name.contains(' ') && places.any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
        };
        let name = names.filter(is_named).max_by_key(|name| name.len())?;
        // With the folders before it, where they tell two documents apart.
        let end = text.find(name)? + name.len();
        let with_folders = self.by_path(&text[..end]);
        with_folders.or_else(|| self.by_path(name))
    }

    /// The document whose file name is a word of a text.
    fn by_word(&self, text: &str) -> Option<usize> {
        file_names(text).find_map(|word| self.by_path(word))
    }

    /// The document with the longest title that a text contains.
    fn by_title(&self, text: &str) -> Option<usize> {
        let text = words(text);
        let titles = self.titles();
        titles
            .filter(|(_, title)| title.len() >= TITLE_LETTERS && text.contains(title.as_str()))
            // Of equal length the first.
            .max_by_key(|(number, title)| (title.len(), std::cmp::Reverse(*number)))
            .map(|(number, _)| number)
    }

    fn by_whole_name(&self, name: &str) -> Option<usize> {
        let name = name.trim_matches(['`', '"', '“', '”', '*']).trim();
        let by_path = name.contains('.').then(|| self.by_path(name)).flatten();
        let title = words(name);
        by_path.or_else(|| self.by_number(name)).or_else(|| {
            let mut titles = self.titles();
            titles
                .find(|(_, own)| **own == title && own.len() >= TITLE_LETTERS)
                .map(|(number, _)| number)
        })
    }

    /// The document of a series by its number, "ADR 19" or "ADR-0019", if exactly one has it in its
    /// title or at the beginning of the name of its file.
    fn by_number(&self, name: &str) -> Option<usize> {
        let wanted = series_and_number(&words(name))?;
        let is_series = name.starts_with(|c: char| c.is_ascii_uppercase());
        let is_wanted = |words: &str| {
            let first: Vec<&str> = words.split_whitespace().take(2).collect();
            series_and_number(&first.join(" ")).is_some_and(|own| own == wanted)
        };
        let mut documents = self.documents().filter(|(number, own)| {
            let file = Path::new(&own.locator).file_stem().unwrap_or_default();
            is_wanted(&self.titles[*number]) || is_wanted(&words(&file.to_string_lossy()))
        });
        let (number, _) = documents.next().filter(|_| is_series)?;
        documents.next().is_none().then_some(number)
    }

    /// The documents by the address in their front matter, or that a page declares as its own.
    fn addresses(&self) -> &BTreeMap<String, usize> {
        self.addresses.get_or_init(|| {
            let mut addresses = BTreeMap::new();
            for (number, document) in self.documents() {
                let stated = match document.kind.name {
                    "html" => self
                        .reader
                        .read(document.path())
                        .ok()
                        .and_then(|page| page.url),
                    _ => self.library.content(number).ok().and_then(|content| {
                        let front = metadata::front_matter(&content.text)?;
                        metadata::front_value(front, ADDRESS_KEYS)
                    }),
                };
                if let Some(address) = stated.filter(|address| address.starts_with("http")) {
                    addresses.entry(page_identity(&address)).or_insert(number);
                }
            }
            addresses
        })
    }
}

/// The letters and the number of two folded words that name a document of a series.
fn series_and_number(words: &str) -> Option<(String, u32)> {
    let (series, number) = words.trim().split_once(' ')?;
    let is_series = series.len() > 1 && series.bytes().all(|byte| byte.is_ascii_lowercase());
    Some((series.to_owned(), number.parse().ok()?)).filter(|_| is_series)
}

/// The folded words of a text between spaces, so that a part of it is a run of whole words.
fn words(text: &str) -> String {
    let words = text::folded(text);
    format!(" {} ", words.join(" "))
}
