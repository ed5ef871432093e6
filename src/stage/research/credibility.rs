//! The credibility of a source, estimated from its metadata alone, with the reasons.
//!
//! A heuristic in three parts: a base score by the kind of host, a bonus for naming the author and
//! the date, and for threads of social networks their engagement instead. All numbers are the
//! defaults of a prototype; they have not been measured.

use chrono::NaiveDate;
use url::Url;

use crate::artifact::collected::PageRecord;
use crate::artifact::source::Credibility;
use crate::config::CredibilitySettings;
use crate::search::SearchableDocument;

/// The reason given for pages of social networks.
const SOCIAL: &str = "a social network";

/// The base score of a social network.
const SOCIAL_SCORE: f64 = 0.3;

/// The base score of a listed host.
const LISTED_SCORE: f64 = 0.9;

/// The base score of a host of .edu, .gov or .org.
const PUBLIC_SCORE: f64 = 0.8;

/// The base score of any other host, and of the user's own documents.
const OTHER_SCORE: f64 = 0.5;

/// The bonus for each of author and date.
const ATTRIBUTION_BONUS: f64 = 0.1;

/// The loss of a source that is not in force by its own words.
const NOT_IN_FORCE_LOSS: f64 = 0.2;

/// The score of a page with a prompt injection, whoever published it.
const INJECTION_SCORE: f64 = 0.1;

/// The domains whose hosts count as public bodies.
const PUBLIC_DOMAINS: [&str; 5] = ["edu", "gov", "org", "ac.uk", "gov.uk"];

/// The facts about a source that its credibility is estimated from.
pub(super) struct SourceFacts<'a> {
    /// The address, if the source is from the web.
    pub(super) url: Option<&'a str>,
    /// `true` if the source names its author.
    pub(super) has_author: bool,
    /// `true` if the source is dated.
    pub(super) has_date: bool,
    /// The engagement, if the source is a thread of a social network.
    pub(super) thread: Option<Thread>,
    /// `true` if the source gives orders to language models.
    pub(super) has_prompt_injection: bool,
    /// The remark on its status, if it is not in force.
    pub(super) status: Option<String>,
}

impl<'a> SourceFacts<'a> {
    /// The facts about a document, which is a web page or one of the user's own.
    pub(super) fn of(document: &SearchableDocument, page: Option<&'a PageRecord>) -> Self {
        Self {
            url: page.map(|page| page.url.as_str()),
            has_author: document.author.is_some(),
            has_date: document.date.is_some(),
            thread: page.and_then(|page| Thread::of(page, document.date.as_deref())),
            has_prompt_injection: page.is_some_and(|page| page.prompt_injection.is_some()),
            status: document.status.remark(),
        }
    }
}

/// The engagement of a thread.
#[derive(Clone, Copy)]
pub(super) struct Thread {
    points: i64,
    comments: u64,
    days: i64,
}

impl Thread {
    /// Returns the engagement that a service gave for a page; `None` if the page is not a thread.
    pub(super) fn of(page: &PageRecord, written: Option<&str>) -> Option<Self> {
        let day = |text: &str| text.get(..10)?.parse::<NaiveDate>().ok();
        Some(Self {
            points: page.points?,
            comments: page.comments?,
            days: (day(&page.read_at)? - day(written?)?).num_days(),
        })
    }

    /// Returns the score of a thread, 0 to 1: points, comments and recency, each linear up to a
    /// saturation of 1,000 points, 100 comments and 30 days (the weights of the prototype).
    fn score(self) -> f64 {
        let saturating = |count: f64, enough: f64| (count / enough).clamp(0.0, 1.0);
        0.3 * saturating(self.points as f64, 1000.0)
            + 0.3 * saturating(self.comments as f64, 100.0)
            + 0.4 * (1.0 - saturating(self.days as f64, 30.0))
    }

    fn describe(self) -> String {
        format!(
            "a thread with {} and {}, {} old when it was read",
            counted(self.points, "point"),
            counted(self.comments, "comment"),
            counted(self.days, "day")
        )
    }
}

/// Returns a count with its noun. Points and days may be negative.
fn counted(count: impl TryInto<i64> + Copy, noun: &str) -> String {
    let count: i64 = count.try_into().unwrap_or(i64::MAX);
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Estimates the credibility of a source.
pub(super) fn credibility(facts: &SourceFacts<'_>, settings: &CredibilitySettings) -> Credibility {
    let (mut score, reason) = match facts.url {
        None => (OTHER_SCORE, "a document of yours"),
        Some(url) => of_host(&host(url), settings),
    };
    let mut reasons = vec![reason.to_owned()];
    if let Some(thread) = facts.thread.filter(|_| reason == SOCIAL) {
        // No bonus here: every thread has an author, and its date is part of its score.
        score = thread.score();
        reasons.push(thread.describe());
    } else {
        // Who wrote what was taken back, and when, speaks for nothing.
        let is_taken_back = facts.status.as_deref().is_some_and(|status| {
            status.starts_with("retracted") || status.starts_with("withdrawn")
        });
        for (is_given, reason) in [
            (facts.has_author, "names its author"),
            (facts.has_date, "is dated"),
        ] {
            if is_given && !is_taken_back {
                score += ATTRIBUTION_BONUS;
                reasons.push(reason.to_owned());
            }
        }
    }
    if let Some(status) = &facts.status {
        score -= NOT_IN_FORCE_LOSS;
        reasons.push(format!("is marked as {status}"));
    }
    // Last, since no bonus may raise it.
    if facts.has_prompt_injection {
        score = INJECTION_SCORE;
        reasons.push("gives orders to language models".to_owned());
    }
    Credibility {
        score: score.clamp(0.0, 1.0),
        reasons,
    }
}

/// Returns the base score of a host, and the reason for it.
fn of_host(host: &str, settings: &CredibilitySettings) -> (f64, &'static str) {
    let is_in = |list: &str| {
        list.split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .any(|name| host == name || host.ends_with(&format!(".{name}")))
    };
    // The lists of the settings go first: a listed .org is a publisher.
    if is_in(&settings.social) {
        (SOCIAL_SCORE, SOCIAL)
    } else if is_in(&settings.listed) {
        (
            LISTED_SCORE,
            "a publisher of news or science that is listed",
        )
    } else if PUBLIC_DOMAINS
        .iter()
        .any(|domain| host.ends_with(&format!(".{domain}")))
    {
        (PUBLIC_SCORE, "a host of .edu, .gov or .org")
    } else {
        (OTHER_SCORE, "a page of the web")
    }
}

fn host(url: &str) -> String {
    let parsed = Url::parse(url).ok();
    let host = parsed.as_ref().and_then(Url::host_str).unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credibility_counts_host_author_date_and_thread() {
        let settings = CredibilitySettings {
            listed: "nature.com, reuters.com".to_owned(),
            social: "reddit.com".to_owned(),
        };
        let score = |url: Option<&str>, has_author: bool| {
            let facts = SourceFacts {
                url,
                has_author,
                has_date: false,
                thread: None,
                has_prompt_injection: false,
                status: None,
            };
            credibility(&facts, &settings).score
        };
        assert!((score(None, false) - 0.5).abs() < 1e-9);
        assert!((score(Some("https://www.nature.com/a"), true) - 1.0).abs() < 1e-9);
        assert!((score(Some("https://old.reddit.com/r/a"), false) - 0.3).abs() < 1e-9);
        assert!((score(Some("https://www.nih.gov/"), false) - 0.8).abs() < 1e-9);
        assert!((score(Some("https://notnature.com/"), false) - 0.5).abs() < 1e-9);
        let thread = Thread {
            points: 500,
            comments: 200,
            days: 15,
        };
        let facts = SourceFacts {
            url: Some("https://www.reddit.com/r/a/comments/1"),
            has_author: false,
            has_date: false,
            thread: Some(thread),
            has_prompt_injection: false,
            status: None,
        };
        let credible = credibility(&facts, &settings);
        assert!((credible.score - 0.65).abs() < 1e-9, "{credible:?}");
        let facts = SourceFacts {
            url: Some("https://e.org/"),
            ..facts
        };
        assert!((credibility(&facts, &settings).score - 0.8).abs() < 1e-9);
        let facts = SourceFacts {
            status: Some("withdrawn".to_owned()),
            ..facts
        };
        let credible = credibility(&facts, &settings);
        assert!((credible.score - 0.6).abs() < 1e-9, "{credible:?}");
        assert_eq!(credible.reasons[1], "is marked as withdrawn");
    }
}
