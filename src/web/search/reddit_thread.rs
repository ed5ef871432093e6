//! A Reddit thread's JSON as a document: the post, then the comments with the most points.
//!
//! Threads are requested with `raw_json=1` and so come as their authors wrote them: nothing is
//! unescaped, and a comment that shows `&lt;b&gt;` keeps it.

use std::collections::VecDeque;

use serde_json::Value;

use super::reply::{date_of, verbatim};
use crate::read::Document;
use crate::read::thread::{Thread, ThreadPost};

/// The document in a thread's JSON, as of `https://www.reddit.com/comments/ID.json`; `None` where
/// the bytes are no such thread.
pub(super) fn parse_thread(bytes: &[u8]) -> Option<Document> {
    // Two listings: the post alone, and the comments.
    if bytes.trim_ascii_start().first() != Some(&b'[') {
        return None;
    }
    let reply: Value = serde_json::from_slice(bytes).ok()?;
    let post = &reply[0]["data"]["children"][0];
    if reply[1]["kind"] != "Listing" || post["kind"] != "t3" {
        return None;
    }
    let data = &post["data"];
    let thread = Thread {
        title: string(&data["title"]).to_owned(),
        url: thread_address(data),
        link: (data["is_self"] == false).then(|| string(&data["url"]).to_owned()),
        comments: data["num_comments"].as_u64().unwrap_or_default(),
        opening: thread_post(data, "selftext", 0, None),
        posts: comments(&reply[1]),
    };
    thread.document()
}

fn thread_post(data: &Value, words: &str, level: usize, reply_to: Option<String>) -> ThreadPost {
    let is_hidden = data["score_hidden"] == true;
    let paragraphs = string(&data[words]).split("\n\n");
    ThreadPost {
        author: verbatim(&data["author"]),
        date: date_of(&data["created_utc"]),
        points: data["score"].as_i64().filter(|_| !is_hidden),
        level,
        reply_to,
        paragraphs: paragraphs.map(str::to_owned).collect(),
    }
}

/// The comments at all depths, breadth-first: one nearer to the post stays ahead of others.
fn comments(listing: &Value) -> Vec<ThreadPost> {
    let mut posts = Vec::new();
    let mut queue = VecDeque::from([(listing, 1, None)]);
    while let Some((listing, level, reply_to)) = queue.pop_front() {
        let children = listing["data"]["children"].as_array();
        for child in children.into_iter().flatten() {
            let data = &child["data"];
            // The rest stands for comments that were not sent.
            if child["kind"] == "t1" {
                posts.push(thread_post(data, "body", level, reply_to.clone()));
            }
            queue.push_back((&data["replies"], level + 1, verbatim(&data["author"])));
        }
    }
    posts
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The address at which people read a thread.
pub(super) fn thread_address(thread: &Value) -> Option<String> {
    // Anything but a path would lead to another host.
    let path = thread["permalink"].as_str()?;
    path.starts_with('/')
        .then(|| format!("https://www.reddit.com{path}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn comment(author: &str, score: i64, body: &str, replies: Value) -> Value {
        json!({"kind": "t1", "data": {"author": author, "score": score, "body": body,
            "created_utc": 1577923200.0, "score_hidden": false, "replies": replies}})
    }

    fn listing(children: &[Value]) -> Value {
        json!({"kind": "Listing", "data": {"after": null, "children": children}})
    }

    fn parse(post: Value, comments: &[Value]) -> Option<Document> {
        let post = listing(&[json!({"kind": "t3", "data": post})]);
        parse_thread(json!([post, listing(comments)]).to_string().as_bytes())
    }

    #[test]
    fn a_reddit_thread_is_its_post_and_its_best_comments() {
        let post = json!({"title": "Is it & quiet?", "selftext": "I have one.\n\n# Not a heading",
            "author": "ann", "score": 11, "num_comments": 5, "created_utc": 1577836800.0,
            "permalink": "/r/x/comments/1/t/", "is_self": true});
        let answer = comment(
            "cid",
            40,
            "Yes < 40 dB.\n\n- **eve**, 900 points: No",
            json!(""),
        );
        let more = json!({"kind": "more", "data": {"count": 3, "children": ["x"]}});
        let thread = parse(
            post,
            &[
                comment("ben", 3, "Which one?", listing(&[answer])),
                comment("[deleted]", 90, "[deleted]", json!("")),
                more,
            ],
        )
        .unwrap();
        assert_eq!(
            thread.text,
            "# Is it & quiet?\n\nann, 2020-01-01, 11 points, 5 comments\n\nI have one.\n\n\
             \\# Not a heading\n\n\
             ## Comments\n\n\
             ### cid, 2020-01-02, 40 points, level 2, in reply to ben\n\nYes \\< 40 dB.\n\n\
             - **eve**, 900 points: No\n\n\
             ### ben, 2020-01-02, 3 points\n\nWhich one?\n"
        );
        assert_eq!(
            (
                thread.title.as_str(),
                thread.author.as_deref(),
                thread.date.as_deref(),
                thread.url.as_deref()
            ),
            (
                "Is it & quiet?",
                Some("ann"),
                Some("2020-01-01"),
                Some("https://www.reddit.com/r/x/comments/1/t/")
            )
        );
    }

    #[test]
    fn a_link_post_names_its_link_and_forty_comments_are_read() {
        let post = json!({"title": "News", "selftext": "", "is_self": false,
            "url": "https://e.org/a",
            "permalink": "@evil.example/x", "created_utc": 1e300});
        let comments: Vec<Value> = (0..50)
            .map(|score| comment("ann", score, "words", json!("")))
            .collect();
        let thread = parse(post, &comments).unwrap();
        assert!(
            thread
                .text
                .starts_with("# News\n\nsomebody, 0 comments\n\nhttps://e.org/a\n")
        );
        assert_eq!(thread.text.matches("words").count(), 40);
        assert!(thread.text.contains("10 points\n\nwords") && !thread.text.contains(" 9 points"));
        assert_eq!((thread.date, thread.url), (None, None));
    }

    #[test]
    fn text_that_came_with_raw_json_is_not_unescaped_again() {
        let post = json!({"title": "How is &amp; written?", "selftext": "As &amp;amp;."});
        let reply = comment("ann", 1, "It shows &lt;b&gt; and <i>.", json!(""));
        let thread = parse(post, &[reply]).unwrap();
        assert_eq!(thread.title, "How is &amp; written?");
        for part in [
            "# How is &amp; written?",
            "As &amp;amp;.",
            "It shows &lt;b&gt; and \\<i>.",
        ] {
            assert!(thread.text.contains(part), "{part}: {}", thread.text);
        }
    }

    #[test]
    fn json_that_is_no_reddit_thread_is_not_parsed() {
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        for text in [
            "",
            "[]",
            "{}",
            "[1, 2]",
            "[{\"kind\": \"Listing\"}]",
            deep.as_str(),
        ] {
            assert_eq!(parse_thread(text.as_bytes()), None);
        }
        assert_eq!(parse(json!({"author": "nobody"}), &[]), None);
        let search = listing(&[]).to_string();
        assert_eq!(parse_thread(search.as_bytes()), None);
    }
}
