//! LaTeX: the text between `\begin{document}` and `\end{document}` as Markdown; title, author and
//! date as front matter.
//!
//! Nothing is expanded and no file is included. Commands that are known become what they stand for
//! in prose, arguments that are no text are left out, and of any other command the arguments are
//! text. The scan is a state machine over characters with a stack of groups on the heap.

use std::collections::BTreeSet;

use super::fields::Fields;
use super::inline::code_span;
use super::latex_commands as commands;
use super::latex_formulas;
use super::latex_parts::{citation, has_section, parts, raw_length};
use super::latex_quantities;
use super::output::Output;
use crate::read::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use crate::read::error::ReadError;

/// LaTeX: the clean text is the document as Markdown.
pub static KIND: SourceKind = SourceKind {
    name: "latex",
    label: "LaTeX",
    extensions: &["tex", "ltx"],
    shared_extensions: &[],
    media_types: &[
        "text/x-tex",
        "application/x-tex",
        "application/x-latex",
        "text/x-latex",
    ],
    signature: Signature::None,
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "save it again as UTF-8",
    read,
};

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let text = input.text()?;
    let (preamble, body) = parts(&text);
    // What a preamble defines is no text of the document, but it may state the title.
    let mut definitions = Latex::new(preamble, 0);
    definitions.run();
    let outermost = commands::SECTIONS
        .iter()
        .position(|name| has_section(body, name));
    let mut latex = Latex::new(body, outermost.unwrap_or(0));
    latex.fields = definitions.fields;
    latex.run();
    latex.fields.document(input, &latex.out.finish())
}

/// The use of the text in a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Text of what is around it.
    Text,
    /// The title of a section of a level from 1.
    Heading(usize),
    /// The value of a field.
    Field(&'static str),
    /// Code in a line.
    Code,
    /// Text in quotation marks.
    Quoted,
    /// The text below a picture or a table.
    Caption,
    /// The label of an item.
    Label,
    /// Nothing: an argument that is left out, and so many after it.
    LeftOut(usize),
    /// Nothing: a note, which may hold paragraphs.
    Note,
}

/// A group that is open: what ends it, what it is for, and the text in it.
struct Group {
    close: u8,
    used: Use,
    text: String,
}

/// The rows of a table that is open.
#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
    row: Vec<String>,
}

/// The state of the scan.
struct Latex<'a> {
    text: &'a str,
    at: usize,
    out: Output,
    fields: Fields,
    /// The place of the outermost section that occurs in [`commands::SECTIONS`].
    outermost: usize,
    /// The text of the paragraph, or of the cell of a table.
    paragraph: String,
    groups: Vec<Group>,
    /// The places in `groups` of those that are not for text, so that none has to be searched.
    sinks: Vec<usize>,
    /// The lists around the text: the number of the last item, none for bullets.
    lists: Vec<Option<usize>>,
    tables: Vec<Table>,
    /// The ends that the text does not hold: each is searched in vain once.
    missing: BTreeSet<String>,
}

impl<'a> Latex<'a> {
    fn new(text: &'a str, outermost: usize) -> Self {
        Self {
            text,
            at: 0,
            out: Output::default(),
            fields: Fields::default(),
            outermost,
            paragraph: String::new(),
            groups: Vec::new(),
            sinks: Vec::new(),
            lists: Vec::new(),
            tables: Vec::new(),
            missing: BTreeSet::new(),
        }
    }

    /// Scans the text to its end.
    fn run(&mut self) {
        while let Some(c) = self.rest().chars().next() {
            self.at += c.len_utf8();
            match c {
                '\\' => self.command(),
                '%' => self.comment(),
                '{' => self.open(b'}', Use::Text),
                '}' => self.close(b'}'),
                ']' if self.groups.last().is_some_and(|group| group.close == b']') => {
                    self.close(b']');
                }
                '$' => self.formula(),
                '&' if !self.tables.is_empty() => self.end_cell(),
                '~' => self.push(" "),
                '`' if self.skip("`") => self.push("“"),
                '`' => self.push("'"),
                '\'' if self.skip("'") => self.push("”"),
                '-' if self.skip("--") => self.push("—"),
                '-' if self.skip("-") => self.push("–"),
                '\n' => self.line_end(),
                c => self.push(c.encode_utf8(&mut [0; 4])),
            }
        }
        self.break_paragraph();
        self.close_all();
        while !self.tables.is_empty() {
            self.end_table();
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips a mark if it is next.
    fn skip(&mut self, mark: &str) -> bool {
        let is_next = self.rest().starts_with(mark);
        self.at += if is_next { mark.len() } else { 0 };
        is_next
    }

    /// The text of the innermost group, or of the paragraph.
    fn sink(&mut self) -> &mut String {
        let sink = self.sinks.last().and_then(|at| self.groups.get_mut(*at));
        sink.map_or(&mut self.paragraph, |group| &mut group.text)
    }

    fn push(&mut self, text: &str) {
        self.sink().push_str(text);
    }

    /// Removes the space before what is left out.
    fn trim_end(&mut self) {
        let text = self.sink();
        text.truncate(text.trim_end().len());
    }

    /// Skips a comment, its line end, and the indentation of the next line.
    fn comment(&mut self) {
        let length = self
            .rest()
            .find('\n')
            .map_or(self.rest().len(), |at| at + 1);
        self.at += length;
        self.skip_spaces();
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    /// Reads a line end: with an empty line after it, it ends the paragraph.
    fn line_end(&mut self) {
        self.skip_spaces();
        if self.rest().starts_with('\n') {
            self.break_paragraph();
        } else {
            self.push(" ");
        }
    }

    /// Ends the paragraph. Arguments end here at the latest: their closing brace is missing.
    fn break_paragraph(&mut self) {
        let is_note = |at: &usize| self.groups[*at].used == Use::Note;
        if self.sinks.iter().any(is_note) {
            return self.push(" ");
        }
        if !self.sinks.is_empty() {
            self.close_all();
        }
        if !self.tables.is_empty() {
            return self.push(" ");
        }
        let paragraph = std::mem::take(&mut self.paragraph);
        self.out.paragraph(&paragraph);
    }

    fn close_all(&mut self) {
        while let Some(group) = self.pop() {
            self.use_group(group);
        }
    }

    fn pop(&mut self) -> Option<Group> {
        let group = self.groups.pop()?;
        if group.used != Use::Text {
            self.sinks.pop();
        }
        Some(group)
    }

    fn open(&mut self, close: u8, used: Use) {
        if used != Use::Text {
            self.sinks.push(self.groups.len());
        }
        self.groups.push(Group {
            close,
            used,
            text: String::new(),
        });
    }

    /// Closes the innermost group that this mark closes. A bracket that was never closed ends with
    /// the group around it.
    fn close(&mut self, close: u8) {
        if !self.groups.iter().rev().any(|group| group.close == close) {
            return;
        }
        while let Some(group) = self.pop() {
            let is_last = group.close == close;
            self.use_group(group);
            if is_last {
                break;
            }
        }
    }

    fn use_group(&mut self, group: Group) {
        let text = group.text.trim();
        match group.used {
            Use::Text | Use::Note => {}
            Use::Heading(level) => {
                self.break_paragraph();
                self.out.heading(level, text);
            }
            Use::Field(name) => self.fields.push(name, &text.replace(" ,", ",")),
            Use::Code => self.push(&code_span(text)),
            Use::Quoted => self.push(&format!("“{text}”")),
            Use::Label => self.push(&format!("{text}: ")),
            Use::Caption => {
                let around = std::mem::take(&mut self.paragraph);
                self.out.paragraph(text);
                self.paragraph = around;
            }
            Use::LeftOut(0 | 1) => {}
            Use::LeftOut(count) => self.leave_out(count - 1),
        }
    }

    /// Opens the next argument as a group, if there is one; brackets before it are left out.
    fn argument(&mut self, used: Use) {
        let spaces = self.rest().len() - self.rest().trim_start_matches([' ', '\n']).len();
        let is_argument = self.rest()[spaces..].starts_with(['{', '[']);
        // An empty line ends a paragraph, also between a command and what looks like its argument.
        if !is_argument || self.rest()[..spaces].matches('\n').count() > 1 {
            return;
        }
        self.at += spaces;
        while self.rest().starts_with('[')
            && let Some(length) = self.raw_length(']')
        {
            self.at += length + 2;
        }
        if self.skip("{") {
            self.open(b'}', used);
        }
    }

    /// The length of what is between the bracket that is next and the one that closes it.
    fn raw_length(&self, close: char) -> Option<usize> {
        raw_length(self.rest(), close)
    }

    /// Leaves out so many arguments.
    fn leave_out(&mut self, count: usize) {
        // The name in `\newcommand\name{…}` is an argument without braces.
        let is_bare = count > 1 && self.rest().starts_with('\\');
        if is_bare {
            self.at += 1;
            self.name();
        }
        let count = count - usize::from(is_bare);
        if count > 0 {
            self.argument(Use::LeftOut(count));
        }
    }

    /// Reads a citation, whose keys stay, "[doe2020]": a sentence may be none without them.
    fn citation(&mut self) {
        if let Some((keys, length)) = citation(self.rest()) {
            self.push(&keys);
            self.at += length;
        } else {
            self.trim_end();
            self.leave_out(1);
        }
    }

    /// The name of the command that begins here: letters, or one other character.
    fn name(&mut self) -> &'a str {
        let rest = self.rest();
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length = if letters > 0 { letters } else { first };
        self.at += length;
        &rest[..length]
    }

    fn command(&mut self) {
        let name = self.name();
        let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if let Some(accent) = commands::accent(name) {
            return self.accent(accent);
        }
        if !is_word {
            return self.sign_command(name);
        }
        self.skip("*");
        if let Some(level) = commands::SECTIONS.iter().position(|own| *own == name) {
            let level = level.saturating_sub(self.outermost) + 1;
            return self.argument(Use::Heading(level));
        }
        if let Some(sign) = commands::sign(name) {
            self.push(sign);
            self.skip_spaces();
            self.skip("{}");
        } else if commands::CITATIONS.contains(&name) {
            self.citation();
        } else if let Some((_, count)) = commands::LEFT_OUT.iter().find(|(own, _)| *own == name) {
            // Such as the space before a citation.
            if name == "label" || name == "index" || name == "nocite" {
                self.trim_end();
            }
            self.leave_out(*count);
        } else if commands::NOTES.contains(&name) {
            self.trim_end();
            self.argument(Use::Note);
        } else if let Some((quantity, length)) = latex_quantities::read(name, self.rest()) {
            self.push(&quantity);
            self.at += length;
        } else if !self.structure(name) && !self.raw(name) {
            self.unknown(name);
        }
    }

    /// Reads a command of one character that is no letter.
    fn sign_command(&mut self, name: &str) {
        match name {
            "\\" => self.line_break(),
            "(" => self.raw_until("\\)", |latex, formula| latex.inline(formula)),
            "[" => self.raw_until("\\]", |latex, formula| latex.display(formula)),
            "%" | "&" | "_" | "#" | "$" | "{" | "}" => self.push(name),
            "\n" => self.line_end(),
            " " | "," | ";" | ":" => self.push(" "),
            _ => {}
        }
    }

    /// Reads a command that structures the document; returns `false` for others.
    fn structure(&mut self, name: &str) -> bool {
        match name {
            "begin" => self.begin(),
            "end" => self.end(),
            "item" => self.item(),
            "par" => self.break_paragraph(),
            "title" | "subtitle" => self.argument(Use::Field(if name == "title" {
                "title"
            } else {
                "subtitle"
            })),
            "author" => self.argument(Use::Field("author")),
            "date" => self.argument(Use::Field("date")),
            "caption" => self.argument(Use::Caption),
            "frametitle" => self.argument(Use::Heading(3)),
            "enquote" => self.argument(Use::Quoted),
            "tabularnewline" => self.line_break(),
            _ => return false,
        }
        true
    }

    /// Reads a command with an argument that is no LaTeX; returns `false` for others.
    fn raw(&mut self, name: &str) -> bool {
        match name {
            "url" | "path" | "href" | "nolinkurl" => {
                if self.rest().starts_with('{')
                    && let Some(length) = self.raw_length('}')
                {
                    let address = &self.rest()[1..=length];
                    if name != "href" {
                        self.push(address);
                    }
                    self.at += length + 2;
                }
            }
            "verb" | "lstinline" | "mintinline" => {
                if name == "mintinline"
                    && let Some(length) = self.raw_length('}')
                {
                    self.at += length + 2;
                }
                if self.rest().starts_with('[')
                    && let Some(length) = self.raw_length(']')
                {
                    self.at += length + 2;
                }
                let delimiter = self.rest().chars().next().filter(char::is_ascii);
                let close = delimiter.map(|c| if c == '{' { '}' } else { c });
                if let Some(length) = close.and_then(|close| self.raw_length(close)) {
                    let code = code_span(&self.rest()[1..=length]);
                    self.push(&code);
                    self.at += length + 2;
                }
            }
            "iffalse" => self.raw_until("\\fi", |_, _| {}),
            "def" | "gdef" | "edef" | "let" => {
                let line = self.rest().split('\n').next().unwrap_or_default();
                self.at += line.find('{').unwrap_or(line.len());
                self.argument(Use::LeftOut(1));
            }
            _ => return false,
        }
        true
    }

    /// Reads a command that is not known: its arguments in braces are text.
    fn unknown(&mut self, name: &str) {
        if commands::CODE.contains(&name) {
            return self.argument(Use::Code);
        }
        if self.rest().starts_with('[')
            && let Some(length) = self.raw_length(']')
        {
            self.at += length + 2;
        }
        // White space after the name of a command belongs to the name.
        self.skip_spaces();
    }

    fn accent(&mut self, accent: char) {
        self.skip_spaces();
        let is_group = self.skip("{");
        let mut letter = self.rest().chars().next();
        if letter == Some('\\') {
            self.at += 1;
            letter = commands::sign(self.name()).and_then(|sign| sign.chars().next());
        } else {
            self.at += letter.map_or(0, char::len_utf8);
        }
        match letter.filter(|letter| letter.is_alphabetic()) {
            Some(letter) => self.push(&commands::accented(letter, accent)),
            // An empty group: the accent stands for itself, as in `\~{}`.
            None if letter == Some('}') => {
                return self.push(if accent == '\u{303}' { "~" } else { "^" });
            }
            None => {}
        }
        if is_group {
            self.skip("}");
        }
    }

    /// Reads a formula between dollar signs: in the text, or apart from it as code.
    fn formula(&mut self) {
        if self.skip("$") {
            return self.raw_until("$$", |latex, formula| latex.display(formula));
        }
        let mut before = '$';
        let end = self.rest().char_indices().find(|(_, c)| {
            let is_end = *c == '$' && before != '\\';
            before = *c;
            is_end
        });
        match end.map(|(at, _)| &self.rest()[..at]) {
            Some(formula) if !formula.contains("\n\n") => {
                self.at += formula.len() + 1;
                self.inline(formula);
            }
            _ => self.push("$"),
        }
    }

    /// Reads raw text up to an end mark, if there is one.
    fn raw_until(&mut self, end: &str, read: impl FnOnce(&mut Self, &'a str)) {
        if self.missing.contains(end) {
            return;
        }
        match self.rest().find(end) {
            Some(at) => {
                let raw = &self.rest()[..at];
                self.at += at + end.len();
                read(self, raw);
            }
            None => {
                self.missing.insert(end.to_owned());
            }
        }
    }

    /// Writes a formula in the text: as text if it is one of numbers and units, else as it is.
    fn inline(&mut self, formula: &str) {
        let rest = self.rest();
        let text = latex_formulas::text(formula, self.sink(), rest);
        self.push(&text.unwrap_or_else(|| format!("${}$", formula.trim())));
    }

    /// Writes a formula that stands apart from the text.
    fn display(&mut self, formula: &str) {
        // In a table or in an argument there is no place apart.
        if !self.tables.is_empty() || !self.sinks.is_empty() {
            return self.inline(formula);
        }
        self.break_paragraph();
        let lines: Vec<&str> = formula.trim_matches('\n').lines().collect();
        self.out.code("latex", &lines);
    }

    /// The name in braces after `\begin` or `\end`.
    fn environment(&mut self) -> &'a str {
        let rest = self.rest();
        let is_named = rest.starts_with('{');
        let length = is_named.then(|| self.raw_length('}')).flatten();
        self.at += length.map_or(0, |length| length + 2);
        length.map_or("", |length| &rest[1..=length])
    }

    fn begin(&mut self) {
        let name = self.environment();
        let plain = name.trim_end_matches('*');
        let end = format!("\\end{{{name}}}");
        if commands::VERBATIM.contains(&name) {
            self.raw_until(&end, |latex, code| latex.verbatim(name, code));
        } else if commands::FORMULAS.contains(&plain) {
            self.raw_until(&end, |latex, formula| latex.display(formula));
        } else if commands::DROPPED.contains(&name) {
            self.raw_until(&end, |_, _| {});
        } else if let Some((_, count)) = commands::TABLES.iter().find(|(own, _)| *own == name) {
            self.begin_table(*count);
        } else if let Some((_, count)) = commands::WITH_ARGUMENTS
            .iter()
            .find(|(own, _)| *own == name)
        {
            self.leave_out(*count);
        } else {
            self.begin_blocks(name);
        }
    }

    /// Begins an environment of blocks.
    fn begin_blocks(&mut self, name: &str) {
        self.break_paragraph();
        match name {
            "itemize" | "description" | "compactitem" => self.lists.push(None),
            "enumerate" | "compactenum" => self.lists.push(Some(0)),
            "quote" | "quotation" | "displayquote" | "verse" => self.out.begin_quote(),
            "abstract" => return self.out.heading(1, "Abstract"),
            "frame" => return self.argument(Use::Heading(3)),
            _ => {}
        }
        if self.rest().starts_with('[')
            && let Some(length) = self.raw_length(']')
        {
            self.at += length + 2;
        }
    }

    fn end(&mut self) {
        let name = self.environment();
        if commands::TABLES.iter().any(|(own, _)| *own == name) {
            return self.end_table();
        }
        if commands::WITH_ARGUMENTS.iter().any(|(own, _)| *own == name) && !self.tables.is_empty() {
            return;
        }
        self.break_paragraph();
        match name {
            "itemize" | "description" | "compactitem" | "enumerate" | "compactenum" => {
                self.out.end_item();
                self.lists.pop();
            }
            "quote" | "quotation" | "displayquote" | "verse" => self.out.end_quote(),
            _ => {}
        }
    }

    fn item(&mut self) {
        self.break_paragraph();
        let level = self.lists.len().saturating_sub(1);
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{number}.")
            }
            _ => "-".to_owned(),
        };
        self.out.begin_item(level, mark);
        self.skip_spaces();
        if self.skip("[") {
            self.open(b']', Use::Label);
        }
    }

    fn verbatim(&mut self, name: &str, code: &str) {
        self.break_paragraph();
        // The rest of the first line are options, and for `minted` the language.
        let (options, code) = code.split_once('\n').unwrap_or(("", code));
        let language = options.rsplit_once('{').filter(|_| name == "minted");
        let language = language.map_or("", |(_, language)| language.trim_end_matches('}'));
        let lines: Vec<&str> = code.lines().collect();
        self.out.code(language, &lines);
    }

    fn begin_table(&mut self, arguments: usize) {
        // Tables inside of tables are rows of the outer one.
        if self.tables.is_empty() {
            self.break_paragraph();
        }
        self.tables.push(Table::default());
        self.leave_out(arguments);
    }

    fn end_cell(&mut self) {
        if !self.sinks.is_empty() {
            return self.push("&");
        }
        let cell = std::mem::take(&mut self.paragraph);
        if let Some(table) = self.tables.last_mut() {
            table.row.push(cell);
        }
    }

    /// Reads `\\`: the end of a row, or of a line.
    fn line_break(&mut self) {
        self.skip("*");
        if self.rest().starts_with('[')
            && let Some(length) = self.raw_length(']')
        {
            self.at += length + 2;
        }
        let sink = self.sinks.last().and_then(|at| self.groups.get(*at));
        match sink.map(|group| group.used) {
            Some(Use::Field("author")) => self.push(", "),
            None if !self.tables.is_empty() => self.end_row(),
            _ => self.push(" "),
        }
    }

    fn end_row(&mut self) {
        self.end_cell();
        if let Some(table) = self.tables.last_mut() {
            let row = std::mem::take(&mut table.row);
            if row.iter().any(|cell| !cell.trim().is_empty()) {
                table.rows.push(row);
            }
        }
    }

    fn end_table(&mut self) {
        self.close_all();
        self.end_row();
        let Some(table) = self.tables.pop() else {
            return self.break_paragraph();
        };
        match self.tables.last_mut() {
            Some(around) => around.rows.extend(table.rows),
            None => self.out.table(&table.rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Document {
        super::read(&Input::of_bytes(&KIND, "a.tex", text.as_bytes(), 10_000)).unwrap()
    }

    fn body(text: &str) -> String {
        read(&format!(
            "\\begin{{document}}\n{text}\n\\end{{document}}\nafter"
        ))
        .text
    }

    #[test]
    fn title_author_and_date_are_front_matter() {
        let document = read(
            "\\documentclass[a4paper]{article}\n\\usepackage{x}\n\\newcommand{\\y}[1]{Not #1}\n\
             \\title{On \\emph{Heat}\\thanks{To all}}\n\\author{Ann B\\\\Perth \\and C}\n\
             \\date{May 6, 2020}\n% \\begin{document}\n\\begin{document}\n\\maketitle\n\
             \\begin{abstract}\nShort.\n\\end{abstract}\n\\section{Motivation}\nWhy.\n\
             \\end{document}\n",
        );
        assert_eq!(document.title, "On Heat");
        assert_eq!(document.author.as_deref(), Some("Ann B, Perth, C"));
        assert_eq!(document.date.as_deref(), Some("2020-05-06"));
        assert!(
            document
                .text
                .ends_with("---\n\n# Abstract\n\nShort.\n\n# Motivation\n\nWhy.\n"),
            "{}",
            document.text
        );
    }

    #[test]
    fn running_text_is_prose() {
        for (latex, markdown) in [
            ("a~b -- c --- ``d'' \\% \\_ x", "a b – c — “d” % _ x"),
            ("\\'e \\\"{u} \\c{c} \\^\\i{} \\ss{} \\ldots", "é ü ç î ß …"),
            (
                "Shown~\\cite[p.~2]{doe} in \\ref{x}.% comment\nSo.",
                "Shown [doe] in .So.",
            ),
            (
                "It differs from \\cite{doe20,roe:21}, a trial, \\citep[see][p. 2]{x}. \\cite{}B.",
                "It differs from [doe20, roe:21], a trial, [x].B.",
            ),
            ("A\\footnote{Not {this}.} b.", "A b."),
            (
                "\\textbf{bold \\emph{x}} {\\em y} \\unknown[o]{kept}",
                "bold x y kept",
            ),
            ("\\texttt{a\\_b} and \\verb|c_d|", "`a_b` and `c_d`"),
            ("$x_1$ and \\(y\\), \\$5", "$x_1$ and $y$, $5"),
            (
                "\\href{https://e.org/%20}{site} \\url{e.org/a%b}",
                "site e.org/a%b",
            ),
            ("\\enquote{q} \\textcolor{red}{t}", "“q” t"),
            ("open {\\label{never closed", "open"),
        ] {
            assert_eq!(body(latex).trim(), markdown, "{latex}");
        }
    }

    #[test]
    fn environments_are_blocks() {
        let text = "\\chapter{One}\n\\section*{Two}\nText.\n\\begin{itemize}\n\\item a\n\
            \\begin{enumerate}\\item b\n\\item c\\end{enumerate}\n\\item[d] e\n\\end{itemize}\n\
            \\begin{quote}Said.\\end{quote}\n\\begin{verbatim}\n  x %\n\\end{verbatim}\n\
            \\begin{equation}\nx\n\\end{equation}\n\\begin{table}[h]\n\\caption{Sizes}\n\
            \\begin{tabular}{l|r}\n\\hline a & b \\\\ \\hline\n\
            1 & \\multicolumn{2}{c}{2} \\\\[2pt]\n\
            \\end{tabular}\n\\end{table}\n\\begin{tikzpicture}no\\end{tikzpicture}\nLast.";
        assert_eq!(
            body(text),
            "# One\n\n## Two\n\nText.\n\n- a\n    1. b\n    2. c\n- d: e\n\n> Said.\n\n\
             ```\nx %\n```\n\n```latex\nx\n```\n\nSizes\n\n\
             | a | b |\n| --- | --- |\n| 1 | 2 |\n\nLast.\n"
        );
    }
}
