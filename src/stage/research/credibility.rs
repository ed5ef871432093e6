//! How far to trust a source before looking at what it says, and why.

use chrono::NaiveDate;
use url::Url;

use crate::artifact::collected::PageRecord;
use crate::artifact::source::Credibility;
use crate::config::CredibilitySettings;

/// What is said of pages of social networks.
const SOCIAL: &str = "a social network";

/// What is said for a source, or against it.
pub(super) struct Known<'a> {
    /// Its address, if it is from the web.
    pub(super) url: Option<&'a str>,
    /// Whether it names its author.
    pub(super) has_author: bool,
    /// Whether it is dated.
    pub(super) has_date: bool,
    /// What is known of it as a thread of a social network.
    pub(super) thread: Option<Thread>,
    /// Whether it gives orders to language models.
    pub(super) speaks_to_models: bool,
}

/// How much a thread was taken note of.
#[derive(Clone, Copy)]
pub(super) struct Thread {
    points: i64,
    comments: u64,
    days: i64,
}

impl Thread {
    /// What a service said of a page, if that is a thread.
    pub(super) fn of(page: &PageRecord, written: Option<&str>) -> Option<Self> {
        let day = |text: &str| text.get(..10)?.parse::<NaiveDate>().ok();
        Some(Self {
            points: page.points?,
            comments: page.comments?,
            days: (day(&page.read_at)? - day(written?)?).num_days(),
        })
    }

    /// How much it is taken note of, from 0 to 1 (the weights of a prototype): points, comments,
    /// and how new it was when it was read.
    fn weight(self) -> f64 {
        let share = |count: f64, enough: f64| (count / enough).clamp(0.0, 1.0);
        0.3 * share(self.points as f64, 1000.0)
            + 0.3 * share(self.comments as f64, 100.0)
            + 0.4 * (1.0 - share(self.days as f64, 30.0))
    }
}

/// The defaults of a prototype, for pages by the kind of their host (.edu, .gov and .org 0.8,
/// listed news and science 0.9, social networks 0.3), and more for what says who wrote it and when.
pub(super) fn credibility(known: &Known<'_>, settings: &CredibilitySettings) -> Credibility {
    let (mut score, reason) = match known.url {
        None => (0.5, "a document of yours"),
        Some(url) => of_host(&host(url), settings),
    };
    let mut reasons = vec![reason.to_owned()];
    match known.thread.filter(|_| reason == SOCIAL) {
        // Its author and its day are part of the weight, or say nothing.
        Some(thread) => {
            score = thread.weight();
            reasons.push(format!(
                "a thread with {} points and {} comments, {} days old when it was read",
                thread.points, thread.comments, thread.days
            ));
        }
        None => {
            for (is_known, reason) in [
                (known.has_author, "names its author"),
                (known.has_date, "is dated"),
            ] {
                if is_known {
                    score += 0.1;
                    reasons.push(reason.to_owned());
                }
            }
        }
    }
    if known.speaks_to_models {
        score = 0.1;
        reasons.push("gives orders to language models".to_owned());
    }
    Credibility {
        score: score.min(1.0),
        reasons,
    }
}

fn of_host(host: &str, settings: &CredibilitySettings) -> (f64, &'static str) {
    let is_of = |list: &str| {
        let mut names = list
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        names.any(|name| host == name || host.ends_with(&format!(".{name}")))
    };
    let public = ["edu", "gov", "org", "ac.uk", "gov.uk"];
    if is_of(&settings.social) {
        (0.3, SOCIAL)
    } else if is_of(&settings.listed) {
        (0.9, "a publisher of news or science that is listed")
    } else if public.iter().any(|end| host.ends_with(&format!(".{end}"))) {
        (0.8, "a host of .edu, .gov or .org")
    } else {
        (0.5, "a page of the web")
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
    fn hosts_authors_and_dates_count() {
        let settings = CredibilitySettings {
            listed: "nature.com, reuters.com".to_owned(),
            social: "reddit.com".to_owned(),
        };
        let score = |url: Option<&str>, has_author: bool| {
            let known = Known {
                url,
                has_author,
                has_date: false,
                thread: None,
                speaks_to_models: false,
            };
            credibility(&known, &settings).score
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
        let known = Known {
            url: Some("https://www.reddit.com/r/a/comments/1"),
            has_author: false,
            has_date: false,
            thread: Some(thread),
            speaks_to_models: false,
        };
        let found = credibility(&known, &settings);
        assert!((found.score - 0.65).abs() < 1e-9, "{found:?}");
        let known = Known {
            url: Some("https://e.org/"),
            ..known
        };
        assert!((credibility(&known, &settings).score - 0.8).abs() < 1e-9);
    }
}
