//! The check of one claim against sources: the best passages of each by BM25, and whether they
//! support it.

use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

use super::absence::absence;
use super::attribution::without_own_name;
use super::sources::Source;
use super::table::{self, Row, Trend};
use crate::artifact::verification::Verdict;
use crate::cite::{self, Support};
use crate::search::IndexedPassage;
use crate::text;

/// The number of passages of a source that a claim is checked against. Chosen by hand.
const PASSAGES: usize = 6;

/// The number of passages of a source that may support a claim together.
const TOGETHER: usize = 2;

/// The least score of a claim that a row states.
const STATED_BY_ROW: f64 = 0.9;

/// The least number of words between quotation marks that are a quotation, and not a term.
const QUOTED_WORDS: usize = 4;

/// The result of the check of a claim.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    pub(super) verdict: Verdict,
    pub(super) score: f64,
    pub(super) reasons: Vec<String>,
    /// The words of the claim that nothing supports.
    pub(super) unsupported: Vec<String>,
    /// The source and the byte range of the sentence in it that matches best.
    pub(super) best: Option<(usize, Range<usize>)>,
    /// The byte ranges of the other sentences of that source that say the rest of the claim.
    pub(super) further: Vec<Range<usize>>,
    /// The remark on the part of the source that matches best, if that is of an earlier edition.
    pub(super) remark: Option<String>,
    /// For each source, the verdict by itself.
    pub(super) by_source: Vec<Verdict>,
}

/// A passage and the support that it gives.
pub(super) struct Candidate {
    source: usize,
    range: Range<usize>,
    pub(super) support: Support,
    is_in_force: bool,
    /// The remark on a row whose column is of an earlier edition.
    remark: Option<String>,
    /// `true` if all that it lacks of the claim are numbers.
    lacks_only_numbers: bool,
    /// `true` for a row of a table.
    is_row: bool,
}

impl Candidate {
    fn new(
        claim: &str,
        (number, source): (usize, &Source),
        range: Range<usize>,
        support: Support,
    ) -> Self {
        let has_digit = |word: &String| word.contains(|c: char| c.is_ascii_digit());
        let remark = Row::of(claim, source, &range).and_then(|row| table::remark(&row));
        Self {
            source: number,
            is_in_force: !source.status.is_not_in_force() && remark.is_none(),
            remark,
            lacks_only_numbers: words(claim, &support).iter().all(has_digit),
            is_row: text::tables::is_record(&source.text[range.clone()]),
            range,
            support,
        }
    }

    /// The byte range of its matching sentence in the source.
    pub(super) fn sentence(&self) -> Option<Range<usize>> {
        self.sentences().next()
    }

    /// The byte ranges of all its matching sentences, the best first.
    fn sentences(&self) -> impl Iterator<Item = Range<usize>> {
        // The second passage is the headings.
        let matches = self.support.matches.iter();
        let sentences = matches.filter(|one| one.passage == 0);
        let start = self.range.start;
        sentences.map(move |one| start + one.range.start..start + one.range.end)
    }
}

/// The numbers that are read as years.
const YEARS: std::ops::Range<u16> = 1900..2100;

/// The sources that a claim is checked against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cited {
    /// Those that it cites: each may say a part of it.
    Together,
    /// Those that others cite, or all there are: one has to say it, since parts of it are said
    /// somewhere by chance.
    Elsewhere,
}

/// Checks a claim against sources, of which one is enough.
pub(super) fn check(claim: &str, sources: &[Rc<Source>], cited: Cited) -> Evidence {
    let mut candidates = Vec::new();
    let mut by_source = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let own = candidates_of(claim, number, source, PASSAGES);
        let best = own.iter().max_by(|a, b| order(a, b));
        by_source.push(best.map_or(Verdict::Unsupported, |one| one.support.verdict));
        candidates.extend(own);
    }
    let is_supported = candidates
        .iter()
        .any(|one| one.support.verdict == Verdict::Supported);
    // What says one thing, one passage says: two that share its words may speak of two things.
    let may_join = !is_supported && !cite::is_short(claim);
    let groups: Vec<Range<usize>> = match cited {
        Cited::Together => std::iter::once(0..sources.len()).collect(),
        Cited::Elsewhere => (0..sources.len()).map(|at| at..at + 1).collect(),
    };
    let mut groups = groups.into_iter().filter(|_| may_join);
    let joined = groups.find_map(|group| together(claim, sources, group, &candidates));
    if let (Some(joined), [own]) = (&joined, &mut by_source[..]) {
        *own = joined.support.verdict;
    }
    candidates.extend(joined);
    // The first of equals, which is of the source that is cited first.
    let best = candidates.iter().rev().max_by(|a, b| order(a, b));
    let mut evidence = match best {
        Some(best) => Evidence {
            verdict: best.support.verdict,
            score: best.support.score,
            reasons: best.support.reasons.clone(),
            unsupported: words(claim, &best.support),
            best: matching_range(best),
            further: best.sentences().skip(1).collect(),
            remark: best.remark.clone(),
            by_source,
        },
        None => Evidence {
            verdict: Verdict::Unsupported,
            score: 0.0,
            reasons: vec!["no passage shares a word with it".to_owned()],
            unsupported: vec![claim.to_owned()],
            best: None,
            further: Vec::new(),
            remark: None,
            by_source,
        },
    };
    if evidence.verdict == Verdict::Partial && lacks_fact(claim, best, &evidence.unsupported) {
        evidence.verdict = Verdict::Unsupported;
    }
    if let Some(words) = misquoted(claim, sources)
        && !matches!(evidence.verdict, Verdict::Contradicted)
    {
        evidence.verdict = Verdict::Unsupported;
        evidence.reasons = vec![format!("the quotation “{words}” is not in the source")];
    }
    // What one source says, its citation says.
    if let [own] = &mut evidence.by_source[..] {
        *own = evidence.verdict;
    }
    evidence
}

/// `true` if a number or a name of a claim stands nowhere, which outweighs all words that do, or
/// most of its words.
fn lacks_fact(claim: &str, best: Option<&Candidate>, unsupported: &[String]) -> bool {
    let has_digit = |word: &String| {
        let word = cite::with_digits(word);
        word.contains(|c: char| c.is_ascii_digit())
    };
    best.is_some_and(|best| lacks_name(claim, &best.support))
        || unsupported.iter().any(has_digit)
        || lacks_most(claim, unsupported)
}

/// `true` if most of the words of a claim that mean something are missing: "opened", "mayor" and
/// "speech" of "The mayor opened the concert with a speech".
fn lacks_most(claim: &str, unsupported: &[String]) -> bool {
    let count = |text: &str| {
        let words = text::words(text).map(|word| text::fold(word.text));
        words.filter(|word| !text::is_stop_word(word)).count()
    };
    let missing: usize = unsupported.iter().map(|words| count(words)).sum();
    2 * missing > count(claim)
}

/// `true` if a name of the claim is missing, and not only the surname of somebody whose first name
/// is there.
fn lacks_name(claim: &str, support: &Support) -> bool {
    let [.., names] = support.measures;
    let is_name = |word: Option<&str>| word.is_some_and(|own| own.starts_with(char::is_uppercase));
    let words = |range: Range<usize>| {
        let all = claim.get(range).unwrap_or_default();
        all.split(' ').filter(|word| !word.is_empty())
    };
    let mut missing = support.unsupported.iter().filter(|range| {
        let own = || words((*range).clone());
        let is_rest = is_name(words(0..range.start).next_back()) && is_name(own().next())
            || is_name(words(range.end..claim.len()).next()) && is_name(own().next_back());
        !is_rest && own().any(|word| is_name(Some(word)))
    });
    names > 0.0 && missing.next().is_some()
}

/// The least share of what a passage of a document that is not in force covers of a claim, which
/// one in force covers to prevail over it. Chosen by hand.
const IN_FORCE_SHARE: f64 = 0.7;

/// Worse before better. Of a passage that supports a claim and one that contradicts it, the one
/// that covers more of it counts: the other may speak of something else. Of two that agree, the one
/// of a document in force counts.
fn order(one: &Candidate, other: &Candidate) -> Ordering {
    let rank = |candidate: &Candidate| match candidate.support.verdict {
        Verdict::Supported => 3,
        Verdict::Contradicted => 2,
        Verdict::Partial => 1,
        Verdict::Unsupported | Verdict::Abstained => 0,
    };
    let score = |candidate: &Candidate| candidate.support.score;
    let covered = |candidate: &Candidate| candidate.support.measures[0];
    // What an earlier edition says against a claim counts nothing beside what is in force and has
    // about as much of it.
    let prevails = |own: &Candidate, past: &Candidate| {
        let is_said = matches!(own.support.verdict, Verdict::Supported | Verdict::Partial);
        let [.., numbers, _] = own.support.measures;
        is_said
            && numbers == 0.0
            && past.support.verdict == Verdict::Contradicted
            && own.is_in_force
            && !past.is_in_force
            && covered(own) >= IN_FORCE_SHARE * covered(past)
    };
    // What one row of a table says, another one does not deny: it is of something else.
    let are_rows = one.source == other.source && one.is_row && other.is_row;
    match (one.support.verdict, other.support.verdict) {
        (Verdict::Supported, Verdict::Contradicted) if are_rows => return Ordering::Greater,
        (Verdict::Contradicted, Verdict::Supported) if are_rows => return Ordering::Less,
        _ if prevails(one, other) => return Ordering::Greater,
        _ if prevails(other, one) => return Ordering::Less,
        (Verdict::Supported, Verdict::Contradicted) if is_outdone(one, other) => {
            return Ordering::Less;
        }
        (Verdict::Contradicted, Verdict::Supported) if is_outdone(other, one) => {
            return Ordering::Greater;
        }
        (_, Verdict::Contradicted) if is_of_other_thing(other, one) => {
            return Ordering::Greater;
        }
        (Verdict::Contradicted, _) if is_of_other_thing(one, other) => {
            return Ordering::Less;
        }
        (Verdict::Supported, Verdict::Contradicted) if covered(one) < covered(other) => {
            return Ordering::Less;
        }
        (Verdict::Contradicted, Verdict::Supported) if covered(one) > covered(other) => {
            return Ordering::Greater;
        }
        _ => {}
    }
    // Of two that say too little, the one with the numbers of the claim: they are of few things.
    let missing_numbers = |candidate: &Candidate| {
        let [.., numbers, _] = candidate.support.measures;
        numbers
    };
    let is_definite = rank(one) >= 2;
    let has_numbers = missing_numbers(other).total_cmp(&missing_numbers(one));
    rank(one)
        .cmp(&rank(other))
        .then((is_definite && one.is_in_force).cmp(&(is_definite && other.is_in_force)))
        .then(if is_definite {
            Ordering::Equal
        } else {
            has_numbers
        })
        .then(score(one).total_cmp(&score(other)))
}

/// `true` if a passage that supports a claim lacks a word of it, and another one has all words but
/// a number, in whose place it has another: "We recommend 86 °C as the set point" against "outlet
/// at 82, 85 and 88 °C" for a set point of 88 °C.
fn is_outdone(supporting: &Candidate, contradicting: &Candidate) -> bool {
    let support = &contradicting.support;
    support.has_other_number
        && contradicting.lacks_only_numbers
        && !supporting.support.unsupported.is_empty()
}

/// `true` if a passage has another number than a claim, and lacks a word of it besides: beside one
/// that says the number and as much of the claim, it is on something else. "Nitrate nitrogen was 28
/// kg/ha at the optimum" is no other economic optimum than 178 kg/ha.
fn is_of_other_thing(contradicting: &Candidate, saying: &Candidate) -> bool {
    let [covered, .., numbers, _] = saying.support.measures;
    let says = match saying.support.verdict {
        Verdict::Supported => true,
        Verdict::Partial => numbers == 0.0 && covered >= contradicting.support.measures[0],
        Verdict::Contradicted | Verdict::Unsupported | Verdict::Abstained => false,
    };
    says && contradicting.support.has_other_number && !contradicting.lacks_only_numbers
}

/// How a row is read beside a claim: one that is a row as our own reports print it has no units
/// beside its numbers.
fn record_for(claim: &str) -> fn(&str, &Range<usize>) -> Option<String> {
    if text::tables::is_record(claim) {
        table::plain_record
    } else {
        table::record
    }
}

/// The best passages of a source, each with its support: by itself, or else with its headings.
pub(super) fn candidates_of(
    claim: &str,
    number: usize,
    source: &Source,
    limit: usize,
) -> Vec<Candidate> {
    let mut passages = source.passages.best(claim, limit);
    // What a source says word for word, among many rows that are much the same.
    let verbatim = source.text.find(claim.trim());
    let verbatim = verbatim.and_then(|at| source.passages.at(at));
    let is_new = |one: &&IndexedPassage| passages.iter().all(|own| own.range != one.range);
    let verbatim = verbatim.filter(is_new);
    passages.extend(verbatim);
    passages
        .into_iter()
        .map(|passage| {
            let support = judged(claim, source, passage);
            Candidate::new(claim, (number, source), passage.range.clone(), support)
        })
        .collect()
}

/// The support of a claim by a passage: by its words, and by what its row says if it is one of a
/// table.
fn judged(claim: &str, source: &Source, passage: &IndexedPassage) -> Support {
    let range = &passage.range;
    let row = Row::of(claim, source, range);
    let record = record_for(claim)(&source.text, range);
    let written = &source.text[with_correction(source, range)];
    let words = record.as_deref().unwrap_or(written);
    let mut support = support_of_passage(claim, source, passage, words, row.as_ref());
    if let Some(trend) = row.as_ref().and_then(table::trend) {
        by_trend(trend, range, &mut support);
        return support;
    }
    let is_contradicted = support.verdict == Verdict::Contradicted;
    if !is_contradicted && row.as_ref().is_some_and(table::states) {
        make_stated(&mut support);
    }
    if record.is_some() {
        whole_rows(&mut support, range.len());
    }
    if support.verdict == Verdict::Supported {
        weaken(&mut support, claim, source);
    }
    if support.verdict == Verdict::Contradicted
        && let Some(year) = other_year(claim, words, &source.title)
    {
        support.verdict = Verdict::Unsupported;
        support.reasons = vec![format!("it is of {year}")];
    }
    let conflict = row.as_ref().and_then(table::conflict);
    if let Some(reason) = conflict.or_else(|| absence(claim, source, words)) {
        support.verdict = Verdict::Contradicted;
        support.reasons = vec![reason];
        return support;
    }
    let is_definite = matches!(support.verdict, Verdict::Supported | Verdict::Contradicted);
    let mismatch = row
        .as_ref()
        .filter(|_| is_definite)
        .and_then(table::mismatch);
    if let Some(reason) = mismatch {
        // What a row says of another thing speaks neither for nor against this one.
        support.verdict = match support.verdict {
            Verdict::Supported => Verdict::Partial,
            _ => Verdict::Unsupported,
        };
        support.reasons = vec![reason];
    }
    support
}

/// Makes a passage support in part that says a claim in no one sentence, or is of a document that
/// does not apply any more.
fn weaken(support: &mut Support, claim: &str, source: &Source) {
    let reason = if support.is_scattered {
        "no sentence says all of it"
    } else if source.is_past() && is_of_now(claim) {
        "the document does not apply any more"
    } else {
        return;
    };
    support.verdict = Verdict::Partial;
    support.reasons = vec![reason.to_owned()];
}

/// Makes the support by a row that of what its table says of a claim on a trend.
fn by_trend(trend: Trend, row: &Range<usize>, support: &mut Support) {
    whole_rows(support, row.len());
    make_stated(support);
    if let Trend::Otherwise(reason) = trend {
        support.verdict = Verdict::Contradicted;
        support.reasons = vec![reason];
    }
}

/// Makes a support by a row that of one that says all of a claim.
fn make_stated(support: &mut Support) {
    support.verdict = Verdict::Supported;
    support.score = support.score.max(STATED_BY_ROW);
    support.measures[0] = 1.0;
    support.reasons.clear();
    support.unsupported.clear();
    support.is_scattered = false;
}

/// The support by the words of a passage in their place; of a row of a table also by its values
/// before the names of its columns.
fn support_of_passage(
    claim: &str,
    source: &Source,
    passage: &IndexedPassage,
    words: &str,
    row: Option<&Row<'_>>,
) -> Support {
    let support = support_in_place(claim, source, passage, words);
    let row = row.filter(|_| support.verdict != Verdict::Supported);
    let measured = row.and_then(table::measured_record);
    let other = measured.map(|record| support_in_place(claim, source, passage, &record));
    match other.filter(|other| other.score > support.score) {
        Some(mut other) => {
            whole_rows(&mut other, passage.range.len());
            other
        }
        None => support,
    }
}

/// The range of a passage, with the one behind it if it says that something in it is wrong: there
/// is what is right.
fn with_correction(source: &Source, range: &Range<usize>) -> Range<usize> {
    let behind = &source.text[range.end..];
    let next = range.end + behind.len() - behind.trim_start().len();
    let next = source.passages.at(next);
    let next = next.filter(|_| cite::takes_back(&source.text[range.clone()]));
    range.start..next.map_or(range.end, |next| next.range.end)
}

/// The support by the words of a passage, by themselves, below their headings, or as a reply.
fn support_in_place(
    claim: &str,
    source: &Source,
    passage: &IndexedPassage,
    words: &str,
) -> Support {
    let support = cite::support(claim, words);
    let reply = || {
        let question = question_above(source, passage)?;
        cite::support_as_reply(claim, question, words)
    };
    if support.verdict == Verdict::Supported {
        let denied = reply().filter(|reply| reply.verdict != support.verdict);
        return denied.unwrap_or(support);
    }
    // What a passage does not say by itself, it may say below its headings.
    let context = context(source, &passage.context);
    let below = cite::support_by(claim, &[words, &context]);
    if below.verdict != Verdict::Supported
        && let Some(other) = of_topic(claim, &context, words)
    {
        // It covers no more of the claim for that.
        return Support {
            verdict: other.verdict,
            reasons: other.reasons,
            has_other_number: true,
            ..support
        };
    }
    // The name of a study stands in its title alone.
    if let Some(rest) = without_own_name(claim, &source.title, words)
        && matches!(below.verdict, Verdict::Partial | Verdict::Unsupported)
    {
        let support = cite::support_by(&rest, &[words, &context]);
        if support.verdict == Verdict::Supported && !support.is_scattered {
            return support;
        }
    }
    // "2024" may stand in the title alone.
    let says_more = below.verdict == support.verdict && below.score > support.score;
    match reply() {
        _ if below.verdict == Verdict::Supported => below,
        Some(reply) => reply,
        None if says_more => below,
        None => support,
    }
}

/// The contradiction by another number of a claim without the words by which it names the topic of
/// the document: "Registers of loans are kept for five years" where the procedure on loans says
/// "Registers are kept for seven years". `None` if there is none.
fn of_topic(claim: &str, context: &str, words: &str) -> Option<Support> {
    let stems = |text: &str| -> Vec<String> {
        let words = text::words(text).map(|word| text::stem(&text::fold(word.text)));
        words.collect()
    };
    let (topic, own) = (stems(context), stems(words));
    let claimed: Vec<text::Word<'_>> = text::words(claim).collect();
    let of = claimed.iter().position(|word| word.text == "of")?;
    let is_open = |word: &&text::Word<'_>| !text::is_stop_word(&text::fold(word.text));
    let phrase: Vec<&text::Word<'_>> = claimed[of + 1..].iter().take_while(is_open).collect();
    let last = phrase.last()?;
    let is_topic = phrase.iter().all(|word| {
        let stem = text::stem(&text::fold(word.text));
        topic.contains(&stem) && !own.contains(&stem)
    });
    let range = claimed[of].range.start..last.range.end;
    // As long as it was, so that the ranges are those of the claim.
    let blank = " ".repeat(range.len());
    let rest = [&claim[..range.start], &blank, &claim[range.end..]].concat();
    let support = Some(rest).filter(|_| is_topic);
    let support = support.map(|rest| cite::support(&rest, words))?;
    let is_other = support.verdict == Verdict::Contradicted && support.has_other_number;
    is_other.then_some(support)
}

/// `true` if a claim says of the present that something is so: "Milk is now collected daily".
fn is_of_now(claim: &str) -> bool {
    const NOW: [&str; 6] = [
        "now",
        "currently",
        "nowadays",
        "presently",
        "still",
        "today",
    ];
    text::words(claim).any(|word| NOW.contains(&text::fold(word.text).as_str()))
}

/// The year of a document by its title, if a claim is of another one and the passage names none.
fn other_year(claim: &str, words: &str, title: &str) -> Option<u16> {
    // "1950 mm" is no year.
    let years = |text: &str| -> Vec<u16> {
        let quantities = text::quantities(text).into_iter();
        let years = quantities.filter(|quantity| quantity.unit == "year");
        let years = years.map(|quantity| quantity.value as u16);
        years.filter(|year| YEARS.contains(year)).collect()
    };
    let (claimed, own) = (years(claim), years(title));
    let is_of_another = !claimed.is_empty() && !own.iter().any(|year| claimed.contains(year));
    let is_of_document = is_of_another && years(words).is_empty() && text::is_of_period(title);
    own.first().copied().filter(|_| is_of_document)
}

/// Makes the matches in a record those of its row, of which it is another writing.
fn whole_rows(support: &mut Support, length: usize) {
    for part in support.matches.iter_mut().filter(|part| part.passage == 0) {
        part.range = 0..length;
    }
}

/// The question that stands right above a passage as its heading: what follows further below is on
/// it too, but need not be the reply.
fn question_above<'a>(source: &Source, passage: &'a IndexedPassage) -> Option<&'a str> {
    let heading = passage.context.last()?;
    let above = source.text.get(..passage.range.start)?;
    let above = text::without_reply_label(above);
    let above = above.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_'));
    above.ends_with(heading.trim()).then_some(heading.as_str())
}

/// The title and the headings above a passage, as sentences of their own. "Will fares go up?" does
/// not say that they will.
fn context(source: &Source, headings: &[String]) -> String {
    let mut context = String::new();
    let headings = std::iter::once(&source.title).chain(headings);
    for heading in headings.filter(|heading| !cite::asks_whether(heading)) {
        context += heading.trim().trim_end_matches(['.', '?', '!', ':']);
        context += ".\n\n";
    }
    context
}

/// The support that the best passages of some sources give together: two of one, or the best of
/// each of several.
fn together(
    claim: &str,
    sources: &[Rc<Source>],
    group: Range<usize>,
    candidates: &[Candidate],
) -> Option<Candidate> {
    let mut chosen: Vec<&Candidate> = Vec::new();
    for number in group {
        let mut own: Vec<&Candidate> = candidates
            .iter()
            .filter(|one| one.source == number)
            .collect();
        own.sort_by(|a, b| order(b, a));
        // Each row is of a thing of its own.
        let mut has_row = false;
        own.retain(|one| {
            let text = &sources[number].text;
            let is_row = table::record(text, &one.range).is_some()
                || text
                    .get(one.range.clone())
                    .is_some_and(text::tables::is_record);
            !is_row || !std::mem::replace(&mut has_row, true)
        });
        chosen.extend(own.into_iter().take(TOGETHER));
    }
    // A row of another thing adds its words, and says nothing of this one.
    chosen.retain(|one| {
        let row = Row::of(claim, &sources[one.source], &one.range);
        row.is_none_or(|row| table::mismatch(&row).is_none())
    });
    if chosen.len() < 2 {
        return None;
    }
    let passages: Vec<String> = chosen
        .iter()
        .map(|one| {
            let text = &sources[one.source].text;
            table::record(text, &one.range).unwrap_or_else(|| text[one.range.clone()].to_owned())
        })
        .collect();
    let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
    let mut support = cite::support_by(claim, &passages);
    // The passage that says most of it.
    let best = support.matches.first().map(|own| own.passage)?;
    let first = *chosen.get(best)?;
    support.matches = first.support.matches.clone();
    (support.verdict == Verdict::Supported).then(|| Candidate {
        source: first.source,
        range: first.range.clone(),
        support,
        is_in_force: first.is_in_force,
        remark: first.remark.clone(),
        is_row: false,
        lacks_only_numbers: false,
    })
}

/// The words of a claim that nothing supports.
fn words(claim: &str, support: &Support) -> Vec<String> {
    let ranges = support.unsupported.iter();
    ranges
        .filter_map(|range| Some(claim.get(range.clone())?.to_owned()))
        .collect()
}

/// The source and the byte range of the matching sentence of a candidate.
fn matching_range(candidate: &Candidate) -> Option<(usize, Range<usize>)> {
    Some((candidate.source, candidate.sentence()?))
}

/// A quotation in a claim that is in none of the sources, word for word.
fn misquoted(claim: &str, sources: &[Rc<Source>]) -> Option<String> {
    let quotations = quotations(claim);
    if quotations.is_empty() {
        return None;
    }
    let texts: Vec<String> = sources.iter().map(|source| plain(&source.text)).collect();
    let is_missing = |quotation: &&str| {
        let mut parts = quotation.split(['…']).flat_map(|part| part.split("..."));
        let is_there = |part: &str| {
            let part = plain(part.trim_matches(['[', ']', ' ']));
            texts.iter().any(|text| text.contains(part.trim()))
        };
        !parts.all(is_there)
    };
    let missing = quotations.into_iter().find(is_missing)?;
    Some(text::truncate(missing, 80).to_owned())
}

/// The pieces of a text between quotation marks that are long enough to be quotations.
fn quotations(claim: &str) -> Vec<&str> {
    let mut quotations = Vec::new();
    for (open, close) in [('“', '”'), ('"', '"'), ('«', '»'), ('„', '“')] {
        let mut rest = claim;
        while let Some((_, after)) = rest.split_once(open) {
            let Some((inner, further)) = after.split_once(close) else {
                break;
            };
            if text::words(inner).count() >= QUOTED_WORDS {
                quotations.push(inner);
            }
            rest = further;
        }
    }
    quotations
}

/// The folded words and numbers of a text between single spaces.
fn plain(text: &str) -> String {
    let words = text::folded(text);
    format!(" {} ", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_found_between_marks() {
        let text = "He says “a pump moves heat well” and \"it is very cold\" of a “pump”.";
        assert_eq!(
            quotations(text),
            ["a pump moves heat well", "it is very cold"]
        );
        assert!(quotations("5\" and “a").is_empty());
    }
}
