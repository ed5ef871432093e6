//! Org: its blocks as Markdown, its keywords such as `#+TITLE:` as front matter.
//!
//! Follows the syntax of Org mode. Drawers, planning lines, comments and the marks of tasks are
//! left out.

use super::fields::Fields;
use super::lines::{Lines, MAX_DEPTH, indentation, is_blank};
use super::org_inline::to_markdown;
use super::output::Output;
use crate::read::document::{Document, Input, Isolation, Markup, Signature, SourceKind};
use crate::read::error::ReadError;

/// The keywords of tasks that need no declaration: those of Org, and common ones.
const TASK_KEYWORDS: &[&str] = &["TODO", "DONE", "NEXT", "WAITING", "CANCELLED", "CANCELED"];

/// Keywords at the top of a document that are instructions to a program.
const SETTINGS: &[&str] = &[
    "options",
    "startup",
    "include",
    "setupfile",
    "macro",
    "todo",
    "seq_todo",
    "typ_todo",
    "bind",
    "property",
    "filetags",
    "latex_header",
    "html_head",
    "latex_class",
    "bibliography",
];

/// Org: the clean text is the document as Markdown.
pub static KIND: SourceKind = SourceKind {
    name: "org",
    label: "Org",
    extensions: &["org"],
    shared_extensions: &[],
    media_types: &["text/org", "text/x-org"],
    signature: Signature::None,
    markup: Markup::Markdown,
    isolation: Isolation::Process,
    remedy: "save it again as UTF-8",
    read,
};

fn read(input: &Input<'_>) -> Result<Document, ReadError> {
    let text = input.text()?;
    let mut org = Org::default();
    org.blocks(Lines::of(&text), 0);
    org.fields.document(input, &org.out.finish())
}

/// The state of reading a document.
#[derive(Default)]
struct Org {
    out: Output,
    fields: Fields,
    /// The keywords of tasks that the document declares.
    tasks: Vec<String>,
    /// The indentations of the items around the next line, outermost first.
    items: Vec<usize>,
}

/// A marker of a list item.
struct Marker<'a> {
    mark: String,
    text: &'a str,
}

impl Org {
    /// Reads the blocks of a document, or of a block in it.
    fn blocks(&mut self, mut lines: Lines<'_>, depth: usize) {
        loop {
            lines.skip_blank();
            let Some(line) = lines.peek() else { break };
            let words = line.trim();
            if let Some((level, title)) = headline(line).filter(|_| depth == 0) {
                lines.next();
                self.headline(&mut lines, level, title);
            } else if let Some((name, parameters)) = block_begin(words) {
                lines.next();
                let end = format!("#+end_{name}");
                let body = lines.until(|line| line.trim().eq_ignore_ascii_case(&end));
                self.block(name, parameters, body, depth);
            } else if let Some((name, value)) = keyword(words) {
                lines.next();
                self.keyword(name, value);
            } else if is_comment(words) || is_rule(words) || is_planning(words) {
                lines.next();
            } else if is_drawer(words) {
                lines.next();
                lines.until(|line| line.trim().eq_ignore_ascii_case(":end:"));
            } else if words.starts_with('|') {
                self.table(&mut lines);
            } else if let Some(label) = footnote(line) {
                self.footnote(&mut lines, label);
            } else if let Some(name) = environment(words) {
                let end = format!("\\end{{{name}}}");
                let mut code = lines.take_while(|line| !line.trim().starts_with(&end));
                code.extend(lines.next());
                self.out.code("latex", &code);
            } else if is_fixed(words) {
                let fixed = lines.take_while(|line| is_fixed(line.trim()));
                let code: Vec<&str> = fixed
                    .iter()
                    .map(|line| line.trim().get(2..).unwrap_or_default())
                    .collect();
                self.out.code("", &code);
            } else {
                self.text(&mut lines, line);
            }
        }
    }

    /// Writes a heading, without the keyword and priority of a task, its tags and its statistics.
    fn headline(&mut self, lines: &mut Lines<'_>, level: usize, title: &str) {
        self.items.clear();
        let (first, rest) = title.split_once(' ').unwrap_or((title, ""));
        let is_task = TASK_KEYWORDS.contains(&first) || self.tasks.iter().any(|own| own == first);
        let title = if is_task { rest.trim() } else { title };
        // A commented subtree is not a part of the document.
        if first == "COMMENT" {
            lines.take_while(|line| headline(line).is_none_or(|(own, _)| own > level));
            return;
        }
        let title = match title
            .strip_prefix("[#")
            .and_then(|rest| rest.split_once(']'))
        {
            Some((priority, rest)) if priority.len() == 1 => rest.trim(),
            _ => title,
        };
        let words = to_markdown(without_statistics(without_tags(title)));
        self.out.heading(level, &words);
    }

    /// Reads a block between `#+BEGIN_name` and `#+END_name`.
    fn block(&mut self, name: &str, parameters: &str, body: Vec<&str>, depth: usize) {
        self.items.clear();
        // A comma protects lines that would look like Org.
        let unprotected = |line: &&'_ str| match line.trim_start().strip_prefix(',') {
            Some(rest) if rest.starts_with(['*', '#', ',']) => line.replacen(',', "", 1),
            _ => (*line).to_owned(),
        };
        match name.to_ascii_lowercase().as_str() {
            "src" | "example" => {
                let language = parameters.split(' ').next().unwrap_or_default();
                let language = if name.len() == 3 { language } else { "" };
                let code: Vec<String> = body.iter().map(unprotected).collect();
                let code: Vec<&str> = code.iter().map(String::as_str).collect();
                self.out.code(language, &code);
            }
            "comment" | "export" => {}
            _ if depth >= MAX_DEPTH => self.out.paragraph(&to_markdown(&body.join(" "))),
            "quote" | "verse" => {
                self.out.begin_quote();
                self.blocks(body.into(), depth + 1);
                self.out.end_quote();
            }
            _ => self.blocks(body.into(), depth + 1),
        }
    }

    /// Reads a keyword: metadata before the first block, which all others are about.
    fn keyword(&mut self, name: &str, value: &str) {
        let lower = name.to_ascii_lowercase();
        if matches!(lower.as_str(), "todo" | "seq_todo" | "typ_todo") {
            let words = value.split_whitespace().filter(|word| *word != "|");
            let names = words.map(|word| word.split('(').next().unwrap_or(word).to_owned());
            self.tasks.extend(names);
        }
        let is_setting = SETTINGS.contains(&lower.as_str()) || lower.starts_with("attr_");
        if self.out.is_empty() && !is_setting {
            // Org shows a title of several keywords as one.
            self.fields.push(&lower, &to_markdown(value));
        }
    }

    fn table(&mut self, lines: &mut Lines<'_>) {
        self.items.clear();
        let block = lines.take_while(|line| line.trim().starts_with('|'));
        let rows = block
            .iter()
            .map(|line| line.trim().trim_matches('|'))
            .filter(|line| !line.starts_with('-'));
        let rows: Vec<Vec<String>> = rows
            .map(|line| line.split('|').map(to_markdown).collect())
            .collect();
        self.out.table(&rows);
    }

    fn footnote(&mut self, lines: &mut Lines<'_>, label: &str) {
        let block = lines.take_while(|line| !is_blank(line));
        let text = block.join(" ");
        let words = text.split_once(']').map_or("", |(_, text)| text);
        self.out.footnote(label, &to_markdown(words));
    }

    /// Reads a paragraph, or an item of a list with its first paragraph.
    fn text(&mut self, lines: &mut Lines<'_>, first: &str) {
        lines.next();
        let own = indentation(first);
        // An item ends before a line that is not indented more than its marker.
        self.items.retain(|around| *around < own);
        let marker = marker(first);
        let mut text = match &marker {
            Some(marker) => {
                self.out.begin_item(self.items.len(), marker.mark.as_str());
                self.items.push(own);
                marker.text.to_owned()
            }
            None => first.trim().to_owned(),
        };
        let more = lines.take_while(|line| is_text(line, marker.as_ref().map(|_| own)));
        for line in more {
            text.push('\n');
            text.push_str(line.trim());
        }
        self.out.paragraph(&to_markdown(&text));
        self.out.end_item();
    }
}

/// Returns `true` for a line that goes on with a paragraph, or with an item at some indentation.
fn is_text(line: &str, item: Option<usize>) -> bool {
    let words = line.trim();
    let is_inside = item.is_none_or(|item| indentation(line) > item);
    let is_block = block_begin(words).is_some()
        || keyword(words).is_some()
        || is_comment(words)
        || is_drawer(words)
        || is_fixed(words)
        || words.starts_with('|')
        || headline(line).is_some()
        || environment(words).is_some();
    is_inside && !is_blank(line) && !is_block && marker(line).is_none()
}

/// The level and the text of a headline.
fn headline(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('*');
    let level = line.len() - title.len();
    (level > 0 && title.starts_with(' ')).then(|| (level, title.trim()))
}

/// The title without its tags: `:work:urgent:`.
fn without_tags(title: &str) -> &str {
    let is_tag = |c: char| c.is_alphanumeric() || "_@#%:".contains(c);
    match title.rsplit_once(char::is_whitespace) {
        Some((before, tags))
            if tags.len() > 2
                && tags.starts_with(':')
                && tags.ends_with(':')
                && tags.chars().all(is_tag) =>
        {
            before.trim_end()
        }
        _ => title,
    }
}

/// The title without the number of its tasks that are done: `[2/3]` or `[66%]`.
fn without_statistics(title: &str) -> &str {
    match title.rsplit_once('[') {
        Some((before, cookie))
            if cookie.ends_with(']')
                && cookie.contains(['/', '%'])
                && cookie
                    .chars()
                    .all(|c| c.is_ascii_digit() || "/%]".contains(c)) =>
        {
            before.trim_end()
        }
        _ => title,
    }
}

/// The name and the parameters of `#+BEGIN_name parameters`.
fn block_begin(words: &str) -> Option<(&str, &str)> {
    let prefix = words.get(..8)?;
    let rest = &words[8..];
    let (name, parameters) = rest.split_once(' ').unwrap_or((rest, ""));
    let is_begin = prefix.eq_ignore_ascii_case("#+begin_") && !name.is_empty();
    is_begin.then(|| (name, parameters.trim()))
}

/// The name and the value of `#+NAME: value`.
fn keyword(words: &str) -> Option<(&str, &str)> {
    let (name, value) = words.strip_prefix("#+")?.split_once(':')?;
    (!name.is_empty() && !name.contains(' ')).then(|| (name, value.trim()))
}

fn is_comment(words: &str) -> bool {
    words == "#" || words.starts_with("# ")
}

fn is_rule(words: &str) -> bool {
    words.len() >= 5 && words.bytes().all(|byte| byte == b'-')
}

fn is_planning(words: &str) -> bool {
    let planned = ["SCHEDULED:", "DEADLINE:", "CLOSED:", "CLOCK:"];
    planned.iter().any(|name| words.starts_with(name))
}

/// Returns `true` for the beginning of a drawer: `:PROPERTIES:`.
fn is_drawer(words: &str) -> bool {
    let name = words
        .strip_prefix(':')
        .and_then(|rest| rest.strip_suffix(':'));
    name.is_some_and(|name| {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        !name.is_empty() && name.chars().all(is_name) && !name.eq_ignore_ascii_case("end")
    })
}

/// Returns `true` for a line that is shown as it is: `: text`.
fn is_fixed(words: &str) -> bool {
    words == ":" || words.starts_with(": ")
}

/// The label of a footnote: `[fn:1] text`.
fn footnote(line: &str) -> Option<&str> {
    let (label, _) = line.strip_prefix("[fn:")?.split_once(']')?;
    Some(label)
}

/// The name of an environment of LaTeX that begins here.
fn environment(words: &str) -> Option<&str> {
    let (name, _) = words.strip_prefix("\\begin{")?.split_once('}')?;
    Some(name)
}

/// The marker of a list item: `-`, `+`, an indented `*`, `1.` or `1)`, without a check box.
fn marker(line: &str) -> Option<Marker<'_>> {
    let words = line.trim();
    let (word, text) = words.split_once(' ').unwrap_or((words, ""));
    let is_bullet = matches!(word, "-" | "+") || word == "*" && indentation(line) > 0;
    let number = word.strip_suffix(['.', ')']).filter(|number| {
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        digits && (1..10).contains(&number.len())
    });
    let mark = match number {
        Some(number) => format!("{number}."),
        None if is_bullet => "-".to_owned(),
        None => return None,
    };
    let text = text.trim_start();
    let boxes = ["[ ] ", "[X] ", "[x] ", "[-] "];
    let text = boxes
        .iter()
        .find_map(|mark| text.strip_prefix(mark))
        .unwrap_or(text);
    Some(Marker { mark, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Document {
        super::read(&Input::of_bytes(&KIND, "a.org", text.as_bytes(), 10_000)).unwrap()
    }

    #[test]
    fn keywords_are_front_matter() {
        let document = read(
            "#+TITLE: On /heat/\n#+AUTHOR: Ann B\n#+DATE: <2020-05-06 Wed>\n#+STATUS: Final\n\
             #+OPTIONS: toc:nil\n\nText.\n\n#+caption: no\n",
        );
        assert_eq!(document.title, "On *heat*");
        assert_eq!(document.author.as_deref(), Some("Ann B"));
        assert_eq!(document.date.as_deref(), Some("2020-05-06"));
        assert_eq!(
            document.text,
            "---\ntitle: On *heat*\nauthor: Ann B\ndate: 2020-05-06\nstatus: Final\n---\n\n\
             Text.\n"
        );
    }

    #[test]
    fn headlines_have_no_tasks_and_tags() {
        let text = "#+TODO: OPEN(o) | SHUT\n* TODO [#A] Motivation [1/2] :a:b:\n\
            SCHEDULED: <2020-01-01>\n:PROPERTIES:\n:ID: 1\n:END:\nWhy.\n** OPEN Detail\n\
            * COMMENT Not this\nHidden.\n** Nor this\n* Rejected Ideas\nNo.\n";
        assert_eq!(
            read(text).text,
            "# Motivation\n\nWhy.\n\n## Detail\n\n# Rejected Ideas\n\nNo.\n"
        );
    }

    #[test]
    fn blocks_are_those_of_markdown() {
        let text = "One\ntwo.\n- a\n  more\n  - b\n    1) c\n- [X] d\n\n  Rest of d.\n\
            #+BEGIN_SRC rust :exports code\n,* x\n#+END_SRC\n#+begin_quote\nSaid.\n#+end_quote\n\
            # comment\n: fixed\n| a | b |\n|---+---|\n| 1 | 2 |\n#+BEGIN_EXPORT html\n<p>\n\
            #+END_EXPORT\n\\begin{equation}\nx\n\\end{equation}\n-----\n[fn:1] A note.\n";
        assert_eq!(
            read(text).text,
            "One two.\n\n- a more\n    - b\n        1. c\n- d\n\nRest of d.\n\n\
             ```rust\n* x\n```\n\n> Said.\n\n```\nfixed\n```\n\n\
             | a | b |\n| --- | --- |\n| 1 | 2 |\n\n\
             ```latex\n\\begin{equation}\nx\n\\end{equation}\n```\n\n[^1]: A note.\n"
        );
    }
}
