//! A thread of posts as Markdown: written with a heading for each post that says author, date,
//! points and whom it answers, and read back from it.
//!
//! No post can forge a heading: the writer escapes marks at the beginning of a line, and an author
//! is a name without commas.

use std::cmp::Reverse;
use std::ops::Range;

use super::markdown_writer::MarkdownWriter;
use super::{Document, charset, extent, markdown};
use crate::artifact::source::{DocumentStatus, PageStarts, Publication};
use crate::text::{counted, is_deceptive, one_line, truncate};

/// The number of comments that are read of a thread; chosen by hand.
const MAX_COMMENTS: usize = 40;

/// The maximum length of the name of an author, in characters; longer than any service allows.
const AUTHOR: usize = 60;

/// The maximum number of paragraphs of a post, and of characters of a paragraph (chosen by hand).
const PARAGRAPHS: usize = 20;
const PARAGRAPH: usize = 4000;

/// The name of an author that is not known.
const ANONYMOUS: &str = "somebody";

/// What a service writes in place of a name or of words that were deleted.
const DELETED: [&str; 4] = ["[deleted]", "[removed]", "[flagged]", "[dead]"];

/// A thread as a service gives it.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    /// The title.
    pub(crate) title: String,
    /// The address at which people read it.
    pub(crate) url: Option<String>,
    /// The address that it is about, if any.
    pub(crate) link: Option<String>,
    /// The number of all comments.
    pub(crate) comments: u64,
    /// The post that opens it.
    pub(crate) opening: ThreadPost,
    /// The other posts, each after the one that it answers.
    pub(crate) posts: Vec<ThreadPost>,
}

/// A post of a thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ThreadPost {
    /// The author, if known.
    pub(crate) author: Option<String>,
    /// The date.
    pub(crate) date: Option<String>,
    /// The points, if the service gives any.
    pub(crate) points: Option<i64>,
    /// The number of posts between it and the opening, plus one; 0 for the opening itself.
    pub(crate) level: usize,
    /// The author whom it answers, if that is not the opening's.
    pub(crate) reply_to: Option<String>,
    /// Its paragraphs, as plain text.
    pub(crate) paragraphs: Vec<String>,
}

/// A post in the text of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedPost {
    /// The author, if known.
    pub author: Option<String>,
    /// The date, as `2020-05-06`.
    pub date: Option<String>,
    /// The points, if the service gives any.
    pub points: Option<i64>,
    /// 0 for the post that opens the thread, 1 for one that answers it, and so on.
    pub level: usize,
    /// The author whom it answers, if that is not the opening's.
    pub reply_to: Option<String>,
    /// The byte range of its words.
    pub range: Range<usize>,
}

impl Thread {
    /// The document of a thread; `None` if it has no title.
    pub(crate) fn document(self) -> Option<Document> {
        let title = one_line(&self.title);
        if title.is_empty() {
            return None;
        }
        let mut writer = MarkdownWriter::default();
        writer.heading(1, &title);
        let count = usize::try_from(self.comments).unwrap_or(usize::MAX);
        let count = counted(count, "comment");
        writer.paragraph(&format!("{}, {count}", self.opening.byline()));
        if let Some(link) = &self.link {
            writer.paragraph(link);
        }
        self.opening.write(&mut writer);
        let best = best(self.posts);
        if !best.is_empty() {
            writer.heading(2, "Comments");
        }
        for post in &best {
            writer.heading(3, &post.byline());
            post.write(&mut writer);
        }
        let mut document = Document {
            title,
            text: charset::normalise(&writer.finish()),
            kind: &markdown::KIND,
            author: self.opening.author.as_deref().and_then(name),
            date: self.opening.date,
            language: None,
            url: self.url,
            pages: PageStarts::default(),
            status: DocumentStatus::default(),
            publication: Publication::default(),
            is_cut: false,
        };
        extent::limit(&mut document);
        Some(document)
    }
}

/// The posts with words that have the most points, those first; of equals, the one nearer to the
/// opening.
fn best(mut posts: Vec<ThreadPost>) -> Vec<ThreadPost> {
    posts.retain(|post| !post.is_deleted());
    posts.sort_by_key(|post| (Reverse(post.points), post.level));
    posts.truncate(MAX_COMMENTS);
    posts
}

impl ThreadPost {
    fn is_deleted(&self) -> bool {
        let words = self.paragraphs.concat();
        words.trim().is_empty() || DELETED.contains(&words.trim())
    }

    /// Author, date, points, and whom the post answers.
    fn byline(&self) -> String {
        let author = self.author.as_deref().and_then(name);
        let reply_to = self.reply_to.as_deref().and_then(name);
        let parts = [
            Some(author.unwrap_or_else(|| ANONYMOUS.to_owned())),
            self.date.clone(),
            self.points.map(|points| match points {
                1 => "1 point".to_owned(),
                _ => format!("{points} points"),
            }),
            (self.level > 1).then(|| {
                let to = reply_to.unwrap_or_else(|| ANONYMOUS.to_owned());
                format!("level {}, in reply to {to}", self.level)
            }),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn write(&self, writer: &mut MarkdownWriter) {
        // What begins with `>` quotes another post.
        let own = self.paragraphs.iter();
        let own = own.filter(|paragraph| !paragraph.trim_start().starts_with('>'));
        for paragraph in own.take(PARAGRAPHS) {
            writer.paragraph(truncate(paragraph, PARAGRAPH));
        }
    }
}

/// A name as it stands in a byline; `None` for that of a deleted account.
fn name(author: &str) -> Option<String> {
    let plain = one_line(
        &author
            .replace(is_deceptive, "")
            .replace([',', '<', '`', '\\'], " "),
    );
    let is_name = !plain.is_empty() && !DELETED.contains(&plain.as_str());
    is_name.then(|| truncate(&plain, AUTHOR).to_owned())
}

/// The title and the posts in the text of a thread; `None` if the text is no thread.
pub fn posts(text: &str) -> Option<(String, Vec<ParsedPost>)> {
    let mut lines = lines(text).filter(|(_, line)| !line.trim().is_empty());
    let (_, first) = lines.next()?;
    let title = first.strip_prefix("# ")?.trim().to_owned();
    let (at, opening) = lines.next()?;
    if !opening.ends_with(" comment") && !opening.ends_with(" comments") {
        return None;
    }
    let mut posts = vec![parsed(opening, at + opening.len())];
    for (at, line) in lines {
        let end = posts.last_mut()?;
        if let Some(byline) = line.strip_prefix("### ") {
            posts.push(parsed(byline, at + line.len()));
        } else if line == "## Comments" {
            // Whatever follows up to the first byline belongs to nobody.
        } else {
            if end.range.is_empty() {
                end.range.start = at;
            }
            end.range.end = at + line.trim_end().len();
        }
    }
    posts.retain(|post| !post.range.is_empty());
    Some((title, posts))
}

/// The lines of a text, each with the offset of its first byte.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split('\n').map(move |line| {
        let start = at;
        at += line.len() + 1;
        (start, line)
    })
}

/// A post by its byline, without words so far.
fn parsed(byline: &str, at: usize) -> ParsedPost {
    let mut parts = byline.split(", ");
    let known = |name: &str| Some(name.to_owned()).filter(|name| name != ANONYMOUS);
    let mut post = ParsedPost {
        author: parts.next().and_then(known),
        date: None,
        points: None,
        level: usize::from(!byline.contains(" comment")),
        reply_to: None,
        range: at..at,
    };
    for part in parts {
        let points = part.strip_suffix(" points").or(part.strip_suffix(" point"));
        if let Some(points) = points {
            post.points = points.parse().ok();
        } else if let Some(to) = part.strip_prefix("in reply to ") {
            post.reply_to = known(to);
        } else if let Some(level) = part.strip_prefix("level ") {
            post.level = level.parse().unwrap_or(post.level);
        } else if part.len() == 10 && part.starts_with(|c: char| c.is_ascii_digit()) {
            post.date = Some(part.to_owned());
        }
    }
    post
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(author: &str, level: usize, words: &str) -> ThreadPost {
        ThreadPost {
            author: Some(author.to_owned()),
            date: Some("2024-05-06".to_owned()),
            points: Some(3),
            level,
            reply_to: (level > 1).then(|| "ann".to_owned()),
            paragraphs: words.split("\n\n").map(str::to_owned).collect(),
        }
    }

    #[test]
    fn posts_are_read_back_with_their_words() {
        let thread = Thread {
            title: "Is it quiet?".to_owned(),
            comments: 2,
            opening: post("ann", 0, "I wonder.\n\nDo you know?"),
            posts: vec![post("ben", 1, "Yes."), post("cid", 2, "> Yes.\n\nNo.")],
            ..Thread::default()
        };
        let text = thread.document().unwrap().text;
        let (title, posts) = posts(&text).unwrap();
        assert_eq!(title, "Is it quiet?");
        let words: Vec<&str> = posts.iter().map(|own| &text[own.range.clone()]).collect();
        assert_eq!(words, ["I wonder.\n\nDo you know?", "Yes.", "No."]);
        let levels: Vec<usize> = posts.iter().map(|own| own.level).collect();
        assert_eq!(levels, [0, 1, 2]);
        assert_eq!(posts[2].author.as_deref(), Some("cid"));
        assert_eq!(posts[2].reply_to.as_deref(), Some("ann"));
        assert_eq!((posts[1].points, posts[1].level), (Some(3), 1));
        assert_eq!(posts[1].date.as_deref(), Some("2024-05-06"));
    }

    #[test]
    fn hostile_posts_forge_no_heading_and_no_author() {
        let forged = "### eve, 2020-01-01, 900 points\n\n## Comments\n\n<b>Mine</b>\n# x";
        let thread = Thread {
            title: "T".to_owned(),
            posts: vec![
                post("a, 999 points, in reply to b", 1, forged),
                post("[deleted]", 1, "Words stay."),
                post("gone", 1, "[removed]"),
            ],
            ..Thread::default()
        };
        let text = thread.document().unwrap().text;
        let (_, posts) = posts(&text).unwrap();
        assert_eq!(posts.len(), 2, "{text}");
        assert_eq!(
            posts[0].author.as_deref(),
            Some("a 999 points in reply to b")
        );
        assert_eq!(
            (posts[0].points, posts[0].reply_to.as_deref()),
            (Some(3), None)
        );
        assert_eq!(posts[1].author, None);
        assert!(super::posts("# T\n\nwords").is_none());
        assert!(super::posts("").is_none());
    }
}
