//! Reddit: <https://www.reddit.com/dev/api/#GET_search>, and its threads:
//! <https://www.reddit.com/dev/api/#GET_comments_{article}>.

use std::cmp::Reverse;
use std::collections::VecDeque;

use serde_json::Value;
use url::Url;

use super::{Asked, Body, Setup, WebHit, day, get, list, optional, text, unescaped};
use crate::read::markdown_writer::MarkdownWriter;
use crate::read::{Document, charset, markdown};

/// The most comments of a thread that are read.
const MOST_COMMENTS: usize = 20;

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let count = limit.clamp(1, 100).to_string();
    let parameters = [
        ("q", query),
        ("limit", count.as_str()),
        ("sort", "relevance"),
        ("raw_json", "1"),
    ];
    // An id without its secret is none, and neither is a secret without its id.
    if setup.key.is_some() != setup.extra.is_some() {
        return None;
    }
    match &setup.pass {
        Some(pass) => {
            let asked = get(setup, "https://oauth.reddit.com", "/search", &parameters)?;
            Some(asked.with("Authorization", format!("Bearer {pass}")))
        }
        None => get(setup, "https://www.reddit.com", "/search.json", &parameters),
    }
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["data"]["children"], |thread| {
        let thread = &thread["data"];
        WebHit {
            url: address(thread).unwrap_or_default(),
            title: text(&thread["title"]),
            snippet: text(&thread["selftext"]),
            date: day(&thread["created_utc"]),
            author: optional(&thread["author"]),
            score: thread["score"].as_i64(),
            comments: thread["num_comments"].as_u64(),
        }
    })
}

/// How a pass is asked for by a registered program: its id, and its secret.
/// <https://github.com/reddit-archive/reddit/wiki/OAuth2#application-only-oauth>
pub(super) fn login(setup: &Setup) -> Option<Asked> {
    let (id, secret) = (setup.extra.as_deref()?, setup.key.as_deref()?);
    let mut url = super::address(setup, "https://www.reddit.com", "/api/v1/access_token")?;
    url.set_username(id).ok()?;
    url.set_password(Some(secret)).ok()?;
    Some(Asked {
        body: Some(Body::Form("grant_type=client_credentials")),
        ..Asked::get(url)
    })
}

/// The thread at an address, if it is one.
pub(super) fn thread_id(page: &Url) -> Option<&str> {
    let host = page.host_str()?;
    let is_here = host == "reddit.com" || host.ends_with(".reddit.com");
    let mut parts = page.path_segments()?;
    let id = parts.find(|part| *part == "comments").and(parts.next())?;
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_here && is_id).then_some(id)
}

/// Where programs read the thread at an address, if it is one: its site's pages are for people
/// alone.
pub(super) fn reading(setup: &Setup, page: &Url) -> Option<Asked> {
    let id = thread_id(page)?;
    let parameters = [("raw_json", "1"), ("sort", "top")];
    match &setup.pass {
        Some(pass) => {
            let place = format!("/comments/{id}");
            let asked = get(setup, "https://oauth.reddit.com", &place, &parameters)?;
            Some(asked.with("Authorization", format!("Bearer {pass}")))
        }
        None => {
            let place = format!("/comments/{id}.json");
            get(setup, "https://www.reddit.com", &place, &parameters)
        }
    }
}

/// Where people read a thread.
fn address(thread: &Value) -> Option<String> {
    let path = thread["permalink"].as_str()?;
    // Anything but a path would lead to another host.
    let path = Some(path).filter(|path| path.starts_with('/'))?;
    Some(format!("https://www.reddit.com{path}"))
}

/// The document in a thread's JSON, as of `https://www.reddit.com/comments/ID.json`: what was
/// asked, then the comments that readers found best. Nothing where the bytes are no such thread.
pub fn thread(bytes: &[u8]) -> Option<Document> {
    // Two listings: the post alone, and the comments.
    if bytes.trim_ascii_start().first() != Some(&b'[') {
        return None;
    }
    let reply: Value = serde_json::from_slice(bytes).ok()?;
    let post = &reply[0]["data"]["children"][0];
    if reply[1]["kind"] != "Listing" || post["kind"] != "t3" {
        return None;
    }
    let post = &post["data"];
    // Words in angle brackets are words here.
    let title = body(&post["title"]);
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = Some(title).filter(|title| !title.is_empty())?;
    let mut found = MarkdownWriter::default();
    found.heading(1, &title);
    let count = post["num_comments"].as_u64().unwrap_or_default();
    found.paragraph(&format!("{}, {count} comments", told(post)));
    if post["is_self"] == false {
        found.paragraph(&text(&post["url"]));
    }
    for paragraph in body(&post["selftext"]).split("\n\n") {
        found.paragraph(paragraph);
    }
    let best = best(&reply[1]);
    if !best.is_empty() {
        found.heading(2, "Comments");
    }
    for comment in best {
        found.heading(3, &told(comment));
        for paragraph in body(&comment["body"]).split("\n\n") {
            found.paragraph(paragraph);
        }
    }
    Some(Document {
        title,
        text: charset::normalise(&found.finish()),
        kind: &markdown::KIND,
        author: optional(&post["author"]),
        date: day(&post["created_utc"]),
        language: None,
        url: address(post),
    })
}

/// Who wrote something, when, and what readers gave for it.
fn told(thing: &Value) -> String {
    let author = optional(&thing["author"]).unwrap_or_else(|| "somebody".to_owned());
    let mut parts = vec![author];
    parts.extend(day(&thing["created_utc"]));
    let hidden = thing["score_hidden"] == true;
    let score = thing["score"].as_i64().filter(|_| !hidden);
    parts.extend(score.map(|score| format!("{score} points")));
    parts.join(", ")
}

/// The comments at all depths that have the most points, those first; of equals, the one nearer to
/// the post.
fn best(listing: &Value) -> Vec<&Value> {
    let mut comments = Vec::new();
    let mut open = VecDeque::from([listing]);
    while let Some(listing) = open.pop_front() {
        let children = listing["data"]["children"].as_array();
        for child in children.into_iter().flatten() {
            let comment = &child["data"];
            let words = comment["body"].as_str().unwrap_or_default().trim();
            // The rest stands for comments that were not sent, or are gone.
            if child["kind"] == "t1" && !["", "[deleted]", "[removed]"].contains(&words) {
                comments.push(comment);
            }
            open.push_back(&comment["replies"]);
        }
    }
    comments.sort_by_key(|comment| Reverse(comment["score"].as_i64()));
    comments.truncate(MOST_COMMENTS);
    comments
}

fn body(text: &Value) -> String {
    unescaped(text.as_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn comment(author: &str, score: i64, body: &str, replies: Value) -> Value {
        json!({"kind": "t1", "data": {"author": author, "score": score, "body": body, "created_utc": 1577923200.0,
            "score_hidden": false, "replies": replies}})
    }

    fn listing(children: &[Value]) -> Value {
        json!({"kind": "Listing", "data": {"after": null, "children": children}})
    }

    fn a_thread(post: Value, comments: &[Value]) -> Option<Document> {
        let post = listing(&[json!({"kind": "t3", "data": post})]);
        thread(json!([post, listing(comments)]).to_string().as_bytes())
    }

    #[test]
    fn a_thread_is_its_post_and_its_best_comments() {
        let post = json!({"title": "Is it &amp; quiet?", "selftext": "I have one.\n\n# Not a heading", "author": "ann",
            "score": 11, "num_comments": 5, "created_utc": 1577836800.0, "permalink": "/r/x/comments/1/t/", "is_self": true});
        let answer = comment(
            "cid",
            40,
            "Yes &lt; 40 dB.\n\n- **eve**, 900 points: No",
            json!(""),
        );
        let more = json!({"kind": "more", "data": {"count": 3, "children": ["x"]}});
        let found = a_thread(
            post,
            &[
                comment("ben", 3, "Which one?", listing(&[answer])),
                comment("[deleted]", 90, "[deleted]", json!("")),
                more,
            ],
        )
        .unwrap();
        assert_eq!(
            found.text,
            "# Is it & quiet?\n\nann, 2020-01-01, 11 points, 5 comments\n\nI have one.\n\n\\# Not a heading\n\n\
             ## Comments\n\n### cid, 2020-01-02, 40 points\n\nYes \\< 40 dB.\n\n- **eve**, 900 points: No\n\n\
             ### ben, 2020-01-02, 3 points\n\nWhich one?\n"
        );
        assert_eq!(
            (
                found.title.as_str(),
                found.author.as_deref(),
                found.date.as_deref(),
                found.url.as_deref()
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
    fn a_link_is_named_and_twenty_comments_are_enough() {
        let post = json!({"title": "News", "selftext": "", "is_self": false, "url": "https://e.org/a",
            "permalink": "@evil.example/x", "created_utc": 1e300});
        let comments: Vec<Value> = (0..50)
            .map(|score| comment("ann", score, "words", json!("")))
            .collect();
        let found = a_thread(post, &comments).unwrap();
        assert!(
            found
                .text
                .starts_with("# News\n\nsomebody, 0 comments\n\nhttps://e.org/a\n")
        );
        assert_eq!(found.text.matches("words").count(), 20);
        assert!(found.text.contains("30 points\n\nwords") && !found.text.contains("29 points"));
        assert_eq!((found.date, found.url), (None, None));
    }

    #[test]
    fn threads_are_read_where_programs_may() {
        let asked = |setup: &Setup, page: &str| {
            reading(setup, &Url::parse(page).unwrap()).map(|asked| asked.url.to_string())
        };
        let open = Setup::default();
        let keyed = Setup::default().with_pass("a-pass".to_owned());
        let half = Setup {
            key: Some("a-secret".to_owned()),
            ..Setup::default()
        };
        assert_eq!(request(&half, "q", 5), None);
        let page = "https://www.reddit.com/r/x/comments/abc1/is_it_quiet/";
        assert_eq!(
            asked(&open, page).as_deref(),
            Some("https://www.reddit.com/comments/abc1.json?raw_json=1&sort=top")
        );
        assert_eq!(
            asked(&keyed, page).as_deref(),
            Some("https://oauth.reddit.com/comments/abc1?raw_json=1&sort=top")
        );
        for page in [
            "https://www.reddit.com/r/x/",
            "https://reddit.com.evil.example/r/x/comments/abc1/",
            "https://evilreddit.com/comments/abc1/",
            "https://www.reddit.com/comments/a%2fb/",
        ] {
            assert_eq!(asked(&open, page), None, "{page}");
        }
    }

    #[test]
    fn what_is_no_thread_is_none() {
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        for text in [
            "",
            "[]",
            "{}",
            "[1, 2]",
            "[{\"kind\": \"Listing\"}]",
            deep.as_str(),
        ] {
            assert_eq!(thread(text.as_bytes()), None);
        }
        assert_eq!(a_thread(json!({"author": "nobody"}), &[]), None);
        let search = listing(&[]).to_string();
        assert_eq!(thread(search.as_bytes()), None);
    }
}
