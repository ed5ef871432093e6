//! Hacker News, by Algolia's interface: <https://hn.algolia.com/api>.

use std::collections::VecDeque;

use serde_json::Value;
use url::Url;

use super::provider::{Defaults, PageApi, SearchProvider, ServiceConfig};
use super::reply::{date_of, json, list, optional, paragraphs, text};
use crate::read::Document;
use crate::read::thread::{Thread, ThreadPost};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// Hacker News.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        suits: &[
            "startup",
            "startups",
            "software",
            "programming",
            "open-source",
        ],
        ..Defaults::NONE
    },
    page_api: Some(PageApi {
        owns: |page| thread_id(page).is_some(),
        setup: None,
        request: |config, page| {
            let path = format!("/api/v1/items/{}", thread_id(page)?);
            config.get(BASE, &path, &[])
        },
        parse: |bytes| parse(&json(bytes)?),
    }),
    is_social: true,
    ..SearchProvider::new("hacker-news", request, |reply| hits(&json(reply)?))
};

/// The address of the interface.
const BASE: &str = "https://hn.algolia.com";

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let count = limit.clamp(1, 100).to_string();
    let parameters = [
        ("query", query),
        ("tags", "story"),
        ("hitsPerPage", count.as_str()),
    ];
    config.get(BASE, "/api/v1/search", &parameters)
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["hits"], |story| {
        let address = optional(&story["url"]);
        // A story with an address links to somebody else's page, of which its submitter and the
        // day of submission say nothing. One without is a question, and its thread is the page.
        let own = address.is_none();
        WebHit {
            title: text(&story["title"]),
            snippet: optional(&story["story_text"]),
            date: optional(&story["created_at"]).filter(|_| own),
            author: optional(&story["author"]).filter(|_| own),
            points: story["points"].as_i64(),
            comments: story["num_comments"].as_u64(),
            discussion: address
                .is_some()
                .then(|| thread_address(&text(&story["objectID"]))),
            url: address.unwrap_or_else(|| thread_address(&text(&story["objectID"]))),
            is_public: false,
        }
    })
}

fn thread_address(id: &str) -> String {
    format!("https://news.ycombinator.com/item?id={id}")
}

/// The id of the thread at an address, if it is one.
fn thread_id(page: &Url) -> Option<String> {
    let is_item = page.host_str() == Some("news.ycombinator.com") && page.path() == "/item";
    let mut parameters = page.query_pairs();
    let (_, id) = parameters.find(|(name, _)| name == "id")?;
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    (is_item && is_id).then(|| id.into_owned())
}

/// The document in an item with its comments, as of `/api/v1/items/ID`:
/// <https://hn.algolia.com/api>.
fn parse(item: &Value) -> Option<Document> {
    let children = item["children"].as_array()?;
    if !item["created_at_i"].is_i64() || item["type"].is_null() {
        return None;
    }
    let mut posts = Vec::new();
    let mut queue = VecDeque::from([(children, 1, None)]);
    while let Some((children, level, reply_to)) = queue.pop_front() {
        for child in children {
            posts.push(post(child, level, reply_to.clone()));
            if let Some(answers) = child["children"].as_array() {
                queue.push_back((answers, level + 1, optional(&child["author"])));
            }
        }
    }
    let thread = Thread {
        title: text(&item["title"]),
        url: optional(&item["id"]).map(|id| thread_address(&id)),
        link: optional(&item["url"]),
        comments: posts.len() as u64,
        opening: post(item, 0, None),
        posts,
    };
    thread.document()
}

fn post(item: &Value, level: usize, reply_to: Option<String>) -> ThreadPost {
    ThreadPost {
        author: optional(&item["author"]),
        date: date_of(&item["created_at_i"]),
        points: item["points"].as_i64(),
        level,
        reply_to,
        paragraphs: paragraphs(&item["text"]),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_item_is_a_thread_of_posts() {
        let item = json!({
            "id": 1, "created_at_i": 1_577_836_800, "type": "story", "author": "ann",
            "title": "Is it quiet?", "url": "https://e.org/a", "text": null, "points": 11,
            "children": [
                {"id": 2, "created_at_i": 1_577_923_200, "type": "comment", "author": "ben",
                 "text": "It is.<p>I&#x27;ve <i>one</i>.", "points": null, "children": [
                    {"id": 3, "created_at_i": 1_577_923_200, "type": "comment", "author": "cid",
                     "text": "&gt; It is.<p>Mine is not.", "points": null, "children": []}]},
                {"id": 4, "created_at_i": 1_577_923_200, "type": "comment", "author": null,
                 "text": null, "points": null, "children": []},
            ],
        });
        let thread = parse(&item).unwrap();
        assert_eq!(
            thread.text,
            "# Is it quiet?\n\nann, 2020-01-01, 11 points, 3 comments\n\nhttps://e.org/a\n\n\
             ## Comments\n\n### ben, 2020-01-02\n\nIt is.\n\nI've one.\n\n\
             ### cid, 2020-01-02, level 2, in reply to ben\n\nMine is not.\n"
        );
        assert!(parse(&json!({"children": []})).is_none());
        let page = |address: &str| thread_id(&Url::parse(address).unwrap());
        assert_eq!(
            page("https://news.ycombinator.com/item?id=12").as_deref(),
            Some("12")
        );
        assert_eq!(page("https://news.ycombinator.com/item?id=1%2F"), None);
        assert_eq!(
            page("https://news.ycombinator.com.evil.example/item?id=1"),
            None
        );
    }
}
