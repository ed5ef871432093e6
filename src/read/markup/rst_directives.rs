//! The explicit markup blocks of reStructuredText, which begin with `.. `: directives, footnotes,
//! targets and comments.

use super::lines::{Lines, indentation, is_blank};
use super::rst_tables::list_table;

/// Directives of which the body is code.
const CODE: &[&str] = &[
    "code",
    "code-block",
    "sourcecode",
    "parsed-literal",
    "doctest",
    "testcode",
    "testoutput",
    "testsetup",
    "prompt",
    "productionlist",
    "math",
    "ipython",
    "console",
    "graphviz",
    "digraph",
    "mermaid",
    "uml",
    "plantuml",
    "plot",
    "csv-table",
    "highlight-block",
    "tabularcolumns",
];

/// Directives that are left out with their bodies: instructions to a program, and pictures.
const IGNORED: &[&str] = &[
    "index",
    "toctree",
    "image",
    "raw",
    "include",
    "literalinclude",
    "contents",
    "meta",
    "highlight",
    "default-role",
    "role",
    "currentmodule",
    "module",
    "sectnum",
    "section-numbering",
    "unicode",
    "date",
    "replace",
    "header",
    "footer",
    "target-notes",
    "title",
    "canonical",
    "bibliography",
    "autosummary",
    "automodule",
    "autoclass",
    "autofunction",
    "sectionauthor",
    "codeauthor",
    "moduleauthor",
    "youtube",
    "video",
    "rst-class",
    "class",
    "cssclass",
];

/// Directives of which the argument is the first line of the text.
const TEXT: &[&str] = &[
    "note",
    "warning",
    "tip",
    "hint",
    "important",
    "caution",
    "danger",
    "error",
    "attention",
    "seealso",
    "epigraph",
    "pull-quote",
    "highlights",
    "compound",
    "container",
    "line-block",
];

/// The notes of Sphinx on versions, with the words that it shows.
const VERSIONS: &[(&str, &str)] = &[
    ("versionadded", "Added in version"),
    ("versionchanged", "Changed in version"),
    ("versionremoved", "Removed in version"),
    ("deprecated", "Deprecated since version"),
];

/// Directives of Sphinx that describe a part of a program: its signature is code.
const OBJECTS: &[&str] = &[
    "function",
    "method",
    "attribute",
    "data",
    "exception",
    "classmethod",
    "staticmethod",
    "property",
    "describe",
    "object",
    "cmdoption",
    "option",
    "envvar",
    "macro",
    "type",
    "member",
    "struct",
    "opcode",
    "decorator",
];

/// A part of what a block of explicit markup says.
pub(super) enum Part<'a> {
    /// A paragraph of text with inline markup.
    Paragraph(String),
    /// Blocks.
    Blocks(Vec<&'a str>),
    /// Code in a language.
    Code(&'a str, Vec<&'a str>),
    /// The rows of a table.
    Table(Vec<Vec<String>>),
    /// The label and the text of a footnote or of an entry of a bibliography.
    Footnote(&'a str, String),
}

/// Reads a block that begins with `.. `.
pub(super) fn explicit<'a>(lines: &mut Lines<'a>) -> Vec<Part<'a>> {
    let line = lines.next().unwrap_or_default();
    let rest = line.get(3..).unwrap_or_default().trim();
    // An empty comment does not go on after an empty line.
    if rest.is_empty() && lines.peek().is_none_or(is_blank) {
        return Vec::new();
    }
    let body = lines.indented(1);
    if let Some((label, text)) = footnote(rest) {
        let words = [vec![text], body].concat().join(" ");
        return vec![Part::Footnote(label, words)];
    }
    match directive(rest) {
        Some((name, argument)) => Directive {
            name,
            argument,
            body,
        }
        .parts(),
        // A comment, a target, or the definition of a substitution.
        None => Vec::new(),
    }
}

/// The name and the value of a field: `:Author: Ann`.
pub(super) fn field(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix(':')?;
    let (name, value) = rest.split_once(':')?;
    let is_apart = value.is_empty() || value.starts_with(' ');
    let is_name = !name.is_empty() && !name.starts_with(' ') && !name.contains('`');
    (is_apart && is_name).then(|| (name, value.trim()))
}

/// The label and the first line of a footnote or an entry of a bibliography: `[1] text`.
fn footnote(rest: &str) -> Option<(&str, &str)> {
    let (label, text) = rest.strip_prefix('[')?.split_once(']')?;
    let is_label = !label.is_empty() && !label.contains(char::is_whitespace);
    is_label.then(|| (label.trim_start_matches('#'), text.trim()))
}

/// The name and the argument of a directive: `note:: text`.
fn directive(rest: &str) -> Option<(&str, &str)> {
    let (name, argument) = rest.split_once("::")?;
    let is_name = name
        .chars()
        .all(|c| c.is_alphanumeric() || "-_.:+".contains(c));
    let is_apart = argument.is_empty() || argument.starts_with(' ');
    (is_name && is_apart && !name.is_empty()).then(|| (name, argument.trim()))
}

/// A directive.
struct Directive<'a> {
    name: &'a str,
    argument: &'a str,
    body: Vec<&'a str>,
}

impl<'a> Directive<'a> {
    fn parts(self) -> Vec<Part<'a>> {
        // The domain of a directive of Sphinx, such as `py` of `py:function`, does not count.
        let name = self.name.rsplit(':').next().unwrap_or_default();
        if let Some((_, words)) = VERSIONS.iter().find(|(own, _)| *own == name) {
            return self.version_note(words);
        }
        let content = self.content();
        if CODE.contains(&name) {
            vec![Part::Code(self.language(name), content)]
        } else if OBJECTS.contains(&name) || name != self.name {
            let signature = Part::Code("", vec![self.argument]);
            vec![signature, Part::Blocks(content)]
        } else if IGNORED.contains(&name) {
            Vec::new()
        } else if name == "list-table" {
            vec![Part::Table(list_table(&content))]
        } else if name == "rubric" {
            vec![Part::Paragraph(format!("**{}**", self.argument))]
        } else if TEXT.contains(&name) {
            vec![Part::Blocks([vec![self.argument], content].concat())]
        } else {
            vec![Part::Blocks(content)]
        }
    }

    fn version_note(self, words: &str) -> Vec<Part<'a>> {
        let (version, text) = self.argument.split_once(' ').unwrap_or((self.argument, ""));
        let body: Vec<&str> = [vec![text], self.content()].concat();
        if body.iter().all(|line| is_blank(line)) {
            return vec![Part::Paragraph(format!("{words} {version}."))];
        }
        let mut lines: Lines<'_> = body.into();
        lines.skip_blank();
        let first = lines.take_while(|line| !is_blank(line)).join(" ");
        let note = Part::Paragraph(format!("{words} {version}: {}", first.trim()));
        vec![note, Part::Blocks(lines.take_while(|_| true))]
    }

    /// The body without the options at its beginning, such as `:linenos:`.
    fn content(&self) -> Vec<&'a str> {
        let mut lines: Lines<'_> = self.body.clone().into();
        let mut is_option = false;
        lines.take_while(|line| {
            is_option = field(line).is_some() || is_option && indentation(line) > 0;
            is_option
        });
        lines.skip_blank();
        lines.take_while(|_| true)
    }

    fn language(&self, name: &str) -> &'a str {
        match name {
            "code" | "code-block" | "sourcecode" => self.argument,
            _ => "",
        }
    }
}
