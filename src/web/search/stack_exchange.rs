//! Stack Exchange: <https://api.stackexchange.com/docs/advanced-search>.

use serde_json::Value;
use url::Url;

use super::provider::{Defaults, PageApi, PageSetup, SearchProvider, ServiceConfig};
use super::reply::{date_of, json, list, optional, paragraphs, text};
use crate::read::Document;
use crate::read::thread::{Thread, ThreadPost};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// Stack Exchange, whose extra parameter is the site.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        key_variable: "STACK_EXCHANGE_KEY",
        queries: 6,
        suits: &[
            "programming",
            "code",
            "compiler",
            "library",
            "python",
            "rust",
            "java",
            "javascript",
            "sql",
            "linux",
            "error",
        ],
        ..Defaults::NONE
    },
    page_api: Some(PageApi {
        owns: |page| question(page).is_some(),
        setup: Some(PageSetup {
            request: filter_request,
            parse: |reply| optional(&json(reply)?["items"][0]["filter"]),
        }),
        request: question_request,
        parse: |bytes| parse(&json(bytes)?),
    }),
    is_social: true,
    remedy: |status| match status {
        400 => Some(
            "it rejects the request, or its rate limit is reached; ask less at once, \
             or check its key",
        ),
        _ => None,
    },
    ..SearchProvider::new("stack-exchange", request, |reply| hits(&json(reply)?))
};

/// The address of the interface.
const BASE: &str = "https://api.stackexchange.com";

/// The fields of a question that a filter has to name.
const FIELDS: &str = "question.body;question.answers;question.comments;answer.body;\
    answer.comments;comment.body";

/// The sites that do not end in `.stackexchange.com`.
const SITES: [&str; 7] = [
    "stackoverflow.com",
    "superuser.com",
    "serverfault.com",
    "askubuntu.com",
    "mathoverflow.net",
    "stackapps.com",
    "stackexchange.com",
];

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let count = limit.clamp(1, 100).to_string();
    let site = config.extra_param.as_deref().unwrap_or("stackoverflow");
    let parameters = [
        ("q", query),
        ("site", site),
        ("order", "desc"),
        ("sort", "relevance"),
        ("pagesize", count.as_str()),
    ];
    let request = config.get(BASE, "/2.3/search/advanced", &parameters)?;
    Some(request.with_key("key", config.key.as_ref()))
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["items"], |question| WebHit {
        url: text(&question["link"]),
        title: text(&question["title"]),
        snippet: None,
        date: date_of(&question["creation_date"]),
        author: optional(&question["owner"]["display_name"]),
        points: question["score"].as_i64(),
        comments: question["answer_count"].as_u64(),
        ..WebHit::default()
    })
}

/// The site and the id of the question at an address, if it is one.
fn question(page: &Url) -> Option<(&str, &str)> {
    let host = page.host_str()?;
    let is_site = |site: &str| {
        let rest = host.strip_suffix(site);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    if !SITES.into_iter().any(is_site) {
        return None;
    }
    let mut parts = page.path_segments()?;
    let id = parts
        .next()
        .filter(|part| ["questions", "q"].contains(part))
        .and(parts.next())?;
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    is_id.then(|| (host.strip_prefix("www.").unwrap_or(host), id))
}

/// The request for a filter by which a question comes with its answers and comments. The same
/// fields always make the same filter: <https://api.stackexchange.com/docs/create-filter>.
fn filter_request(config: &ServiceConfig) -> Option<ServiceRequest> {
    let parameters = [("include", FIELDS), ("base", "default")];
    let request = config.get(BASE, "/2.3/filters/create", &parameters)?;
    Some(request.with_key("key", config.key.as_ref()))
}

/// The request for a question: <https://api.stackexchange.com/docs/questions-by-ids>.
fn question_request(config: &ServiceConfig, page: &Url) -> Option<ServiceRequest> {
    let (site, id) = question(page)?;
    let filter = config.access_token.as_deref().unwrap_or("withbody");
    let path = format!("/2.3/questions/{id}");
    let request = config.get(BASE, &path, &[("site", site), ("filter", filter)])?;
    Some(request.with_key("key", config.key.as_ref()))
}

/// The document in a question with its answers and comments.
fn parse(reply: &Value) -> Option<Document> {
    let question = &reply["items"][0];
    question["question_id"].as_u64()?;
    let opening = post(question, 0, None);
    let mut posts = comments(question, 1, None);
    for answer in question["answers"].as_array().into_iter().flatten() {
        posts.push(post(answer, 1, None));
        posts.extend(comments(answer, 2, opening_author(answer)));
    }
    let thread = Thread {
        title: text(&question["title"]),
        url: optional(&question["link"]).filter(|url| url.starts_with("https://")),
        link: None,
        comments: posts.len() as u64,
        opening,
        posts,
    };
    // A question in a list of search results comes without its words.
    let has_words = !thread.posts.is_empty() || !thread.opening.paragraphs.is_empty();
    has_words.then_some(thread)?.document()
}

fn comments(post_of: &Value, level: usize, reply_to: Option<String>) -> Vec<ThreadPost> {
    let comments = post_of["comments"].as_array().into_iter().flatten();
    let comments = comments.map(|comment| post(comment, level, reply_to.clone()));
    comments.collect()
}

fn opening_author(post: &Value) -> Option<String> {
    optional(&post["owner"]["display_name"])
}

fn post(value: &Value, level: usize, reply_to: Option<String>) -> ThreadPost {
    ThreadPost {
        author: opening_author(value),
        date: date_of(&value["creation_date"]),
        points: value["score"].as_i64(),
        level,
        reply_to,
        paragraphs: paragraphs(&value["body"]),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_question_is_a_thread_with_answers_and_comments() {
        let comment = |name: &str, body: &str| {
            json!({"owner": {"display_name": name}, "score": 2, "creation_date": 1_577_923_200,
                   "body": body, "comment_id": 1})
        };
        let reply = json!({"items": [{
            "question_id": 7, "title": "Why &quot;so&quot;?", "score": 5,
            "link": "https://diy.stackexchange.com/questions/7/why",
            "owner": {"display_name": "ann"}, "creation_date": 1_577_836_800,
            "body": "<p>It hums.</p>\n<pre><code>a &lt; b</code></pre>",
            "comments": [comment("ben", "Which one?")],
            "answers": [{"answer_id": 8, "owner": {"display_name": "cid"}, "score": 9,
                "creation_date": 1_577_923_200, "body": "<p>Turn it.</p>",
                "comments": [comment("dan", "That helped.")]}],
        }], "has_more": false});
        assert_eq!(
            parse(&reply).unwrap().text,
            "# Why \"so\"?\n\nann, 2020-01-01, 5 points, 3 comments\n\nIt hums.\n\na \\< b\n\n\
             ## Comments\n\n### cid, 2020-01-02, 9 points\n\nTurn it.\n\n\
             ### ben, 2020-01-02, 2 points\n\nWhich one?\n\n\
             ### dan, 2020-01-02, 2 points, level 2, in reply to cid\n\nThat helped.\n"
        );
        let listed = json!({"items": [{"question_id": 7, "title": "T"}]});
        assert!(parse(&listed).is_none());
    }

    #[test]
    fn questions_are_asked_for_by_site_with_the_filter() {
        let config = ServiceConfig::default().with_access_token("!f".to_owned());
        let address = |page: &str| {
            question_request(&config, &Url::parse(page).unwrap())
                .map(|request| request.url.to_string())
        };
        assert_eq!(
            address("https://diy.stackexchange.com/questions/7/why").as_deref(),
            Some(
                "https://api.stackexchange.com/2.3/questions/7?site=diy.stackexchange.com\
                 &filter=%21f"
            )
        );
        for page in [
            "https://stackoverflow.com/users/7/ann",
            "https://stackoverflow.com/questions/tagged/rust",
            "https://notstackoverflow.com/questions/7/",
            "https://stackoverflow.com.evil.example/questions/7/",
        ] {
            assert_eq!(address(page), None, "{page}");
        }
    }
}
