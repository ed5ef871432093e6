//! The check of a report that any program or person wrote, against the sources that it cites: a
//! verdict a sentence. Also that of pairs of a claim and its passages.
//!
//! `paragraphs` parses the report, `marks` cuts out the citations, `references` reads the list at
//! its end, `report` joins them to sentences; `sources` finds and reads what is cited, `evidence`
//! selects passages of it by BM25 and checks them by [`crate::cite::support()`]. Nothing is fetched
//! but by the function that the caller passes.

mod absence;
mod amended;
mod attribution;
mod corrected;
mod designations;
mod evidence;
mod handover;
mod location;
mod marks;
mod outcome;
mod pairs;
mod paragraphs;
mod references;
mod report;
mod rivals;
mod sources;
mod table;
mod taken_back;
mod takeover;

use std::rc::Rc;

pub use location::Original;
pub use outcome::{CheckedCitation, CheckedReport, CheckedSentence, Finding, Match, Summary};
pub use pairs::{CheckedPair, Pair, PassageMatch, check_pair};
pub use paragraphs::links;
pub use report::addresses;
pub use sources::{Fetch, Sources};

use evidence::Evidence;
use location::Locations;
use outcome::rounded;
use report::{Cited, Need, Sentence};
use sources::Source;

use crate::cite;
use crate::text;

/// The score of a sentence that a document supports by a number with which it corrects another one.
const CORRECTED: f64 = 0.9;

/// Checks a report in Markdown, or what another format became as Markdown, against its sources.
pub fn check_report(
    markdown: &str,
    original: Original<'_>,
    sources: &mut Sources<'_>,
) -> CheckedReport {
    let sentences = report::sentences(markdown, &|name| sources.is_document(name));
    let cited = || sentences.iter().flat_map(|sentence| &sentence.citations);
    let references = cited().filter_map(|cited| cited.reference.as_ref());
    sources.read(&references.collect::<Vec<_>>());
    // A document that is named here and there in the text makes no report that cites its sources.
    let has_references = cited().any(|own| own.reference.is_some() && !own.is_in_text);
    // What cites nothing is compared with everything that there is; in a report with a list of
    // references, a number that is not in it is a citation all the same.
    let cites_nothing = || cited().all(|own| own.is_in_text);
    let is_without_citations =
        !has_references && (cites_nothing() || !report::has_references(markdown));
    if is_without_citations {
        sources.read_folder();
    }
    let mut locations = Locations::new(markdown, original);
    let mut checked = CheckedReport {
        summary: Summary::default(),
        sentences: Vec::new(),
    };
    for sentence in &sentences {
        let (line, column) = locations.of(sentence);
        let citations = match sentence.need {
            Need::Shared(other) => &sentences[other].citations,
            _ => &sentence.citations,
        };
        let needs_nothing = sentence.need == Need::Nothing && citations.is_empty();
        if needs_nothing || sentence.need == Need::Caption {
            checked.summary.exempt += 1;
            continue;
        }
        let judged = match sentence.need {
            Need::Summary => shared(&sentence.text, &sources.all()),
            Need::Source if is_without_citations && !sentence.cites_in_text() => {
                shared(&sentence.text, &sources.all())
            }
            Need::Shared(_) => shared(&sentence.text, &resolved(citations, sources).0),
            _ if citations.is_empty() => Judged::uncited(),
            _ => cited_sentence(sentence, sources),
        };
        let mut sentence = CheckedSentence {
            line,
            column,
            text: sentence.text.clone(),
            verdict: judged.verdict,
            score: judged.score,
            reasons: judged.reasons,
            unsupported: judged.unsupported,
            best: judged.best,
            further: judged.further,
            rival: None,
            citations: judged.citations,
        };
        compare(&mut sentence, sources);
        checked.push(sentence);
    }
    checked
}

/// Adds to the verdict on a sentence what other documents say of it.
fn compare(sentence: &mut CheckedSentence, sources: &mut Sources<'_>) {
    let claim = without_title(&sentence.text, &sources.all()).to_owned();
    let correction = corrected::correction(&claim, sentence, sources);
    if let Some((correction, support)) = correction {
        sentence.best = Some(correction);
        sentence.further.clear();
        sentence.reasons.clear();
        sentence.unsupported.clear();
        sentence.verdict = support.verdict.into();
        if sentence.verdict == Finding::Supported {
            sentence.score = rounded(CORRECTED);
        } else {
            sentence.score = rounded(support.score);
            sentence.reasons = support.reasons;
        }
    }
    if let Some(successor) = handover::successor(&claim, sentence, sources) {
        sentence.verdict = Finding::Contradicted;
        sentence.best = Some(successor);
        sentence.further.clear();
        sentence.reasons = vec!["somebody else takes that over".to_owned()];
    }
    sentence.rival = rivals::rival(&claim, sentence, sources);
    if let Some(best) = &mut sentence.best
        && best.status.is_none()
    {
        best.status = rivals::referral(&best.text, &sources.all());
    }
}

/// The verdict on a sentence, before its place is known.
struct Judged {
    verdict: Finding,
    score: f64,
    reasons: Vec<String>,
    unsupported: Vec<String>,
    best: Option<Match>,
    further: Vec<Match>,
    citations: Vec<CheckedCitation>,
}

impl Judged {
    fn uncited() -> Self {
        Self {
            verdict: Finding::Uncited,
            score: 0.0,
            reasons: Vec::new(),
            unsupported: Vec::new(),
            best: None,
            further: Vec::new(),
            citations: Vec::new(),
        }
    }

    fn of(evidence: Evidence, sources: &[Rc<Source>]) -> Self {
        // One sentence is enough to contradict.
        let verdict = evidence.verdict.into();
        let has_further = matches!(verdict, Finding::Supported | Finding::Partial);
        let further = evidence.best.iter().filter(|_| has_further);
        let further = further.flat_map(|(number, _)| {
            let ranges = evidence.further.iter();
            ranges.filter_map(|range| sources[*number].matching(range))
        });
        let further = further.collect();
        let best = evidence.best;
        let best = best.and_then(|(number, range)| {
            let own = sources[number].matching(&range)?;
            let status = own.status.clone().or(evidence.remark);
            Some(Match { status, ..own })
        });
        Self {
            verdict,
            score: rounded(evidence.score),
            // The words that a supported claim has of its own are no fault.
            reasons: match verdict {
                Finding::Supported => Vec::new(),
                _ => evidence.reasons,
            },
            unsupported: evidence.unsupported,
            best,
            further,
            citations: Vec::new(),
        }
    }
}

/// The verdict on a sentence that cites nothing itself, by sources that are cited elsewhere: if
/// they do not speak of it, it is without a source.
fn shared(text: &str, sources: &[Rc<Source>]) -> Judged {
    let text = without_title(text, sources);
    let evidence = evidence::check(text, sources, evidence::Cited::Elsewhere);
    let judged = Judged::of(evidence, sources);
    match judged.verdict {
        Finding::Unsupported if !gives_other_number(&judged) => Judged::uncited(),
        _ => judged,
    }
}

/// `true` if all that the best words lack of a sentence are sizes, and they give others of the same
/// units: they speak of it, and say another number.
fn gives_other_number(judged: &Judged) -> bool {
    let quantities = |text: &str| text::quantities(&cite::with_digits(text));
    let best = judged.best.as_ref();
    let given = best.map_or_else(Vec::new, |best| quantities(&best.text));
    let is_other = |words: &String| {
        let mut claimed = quantities(words).into_iter().peekable();
        let is_given = |own: text::Quantity| {
            let is_size = !own.unit.is_empty() && own.unit != "year";
            is_size && given.iter().any(|given| given.unit == own.unit)
        };
        claimed.peek().is_some() && claimed.all(is_given)
    };
    !judged.unsupported.is_empty() && judged.unsupported.iter().all(is_other)
}

/// The verdict on a sentence with citations.
fn cited_sentence(sentence: &Sentence, sources: &Sources<'_>) -> Judged {
    let (read, mut citations) = resolved(&sentence.citations, sources);
    if read.is_empty() {
        let problems = citations.iter().filter_map(|one| one.problem.clone());
        return Judged {
            verdict: Finding::Unreachable,
            reasons: problems.collect(),
            citations,
            ..Judged::uncited()
        };
    }
    let text = without_title(&sentence.text, &read);
    let text = attribution::without_attribution(text, &read).unwrap_or(text);
    let evidence = evidence::check(text, &read, evidence::Cited::Together);
    let verdicts = evidence.by_source.clone();
    for citation in citations.iter_mut().filter(|one| one.problem.is_none()) {
        let number = read
            .iter()
            .position(|source| citation.source.as_ref() == Some(&source.name));
        if let Some(verdict) = number.and_then(|number| verdicts.get(number)) {
            citation.verdict = (*verdict).into();
        }
    }
    Judged {
        citations,
        ..Judged::of(evidence, &read)
    }
}

/// A sentence without the title of its source before it, as our own reports have it, perhaps with a
/// year and a heading: "What a heat pump costs (2024), Prices: It costs …".
fn without_title<'t>(sentence: &'t str, sources: &[Rc<Source>]) -> &'t str {
    let mut rests = sources.iter().filter_map(|source| {
        let title = Some(source.title.trim()).filter(|title| !title.is_empty())?;
        let (label, rest) = sentence.strip_prefix(title)?.split_once(": ")?;
        let is_year = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '(' | ')');
        let heading = label.trim_start_matches(is_year);
        let heading = heading.strip_prefix(", ").unwrap_or(heading);
        source.text.contains(heading).then_some(rest)
    });
    rests.next().unwrap_or(sentence)
}

/// The sources of citations, each once, and the citations, of which those without one have a
/// problem.
fn resolved(cited: &[Cited], sources: &Sources<'_>) -> (Vec<Rc<Source>>, Vec<CheckedCitation>) {
    let mut read: Vec<Rc<Source>> = Vec::new();
    let mut citations = Vec::new();
    for own in cited {
        let Cited {
            label, reference, ..
        } = own;
        let source = match reference {
            Some(reference) => sources.resolve(reference),
            None => Err(format!("{label} is not in the list of references")),
        };
        citations.push(CheckedCitation {
            label: label.clone(),
            source: source.as_ref().ok().map(|source| source.name.clone()),
            verdict: Finding::Unreachable,
            problem: source.as_ref().err().cloned(),
            unlisted: own.is_unlisted,
        });
        if let Ok(source) = source
            && !read.iter().any(|own| own.name == source.name)
        {
            read.push(source);
        }
    }
    (read, citations)
}
