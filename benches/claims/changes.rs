//! Sentences made false, or only rewritten, by rules of their own: a list of words and patterns
//! that shares nothing with the check.

use std::collections::BTreeMap;

use anyhow::Result;
use regex::{Captures, Regex};
use research::artifact::verification::Verdict;
use research::cite::support;
use research::text;
use serde_json::Value;

/// The result of the rules of one name.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    /// The changed sentences.
    pub(crate) all: usize,
    /// Those that the paragraph counts as supporting.
    pub(crate) accepted: usize,
    /// Those that word overlap accepts, at the share that accepts 98 % of the true ones.
    pub(crate) overlapping: usize,
}

/// The results by whether the changed sentence is still true, and by rule.
pub(crate) type Results = BTreeMap<(bool, &'static str), Counted>;

/// A rule: its name, what it finds, and what it writes in its place; several writings apply to what
/// the one before did not find.
struct Rule {
    name: &'static str,
    is_true: bool,
    patterns: &'static [(&'static str, &'static str)],
}

const fn falsehood(name: &'static str, patterns: &'static [(&'static str, &'static str)]) -> Rule {
    Rule {
        name,
        is_true: false,
        patterns,
    }
}

const fn rewrite(name: &'static str, patterns: &'static [(&'static str, &'static str)]) -> Rule {
    Rule {
        name,
        is_true: true,
        patterns,
    }
}

const RULES: &[Rule] = &[
    falsehood(
        "scale",
        &[
            (r"\bmillion\b", "billion"),
            (r"\bbillion\b", "million"),
            (r"\bthousand\b", "million"),
            (r"\bhundred\b", "thousand"),
        ],
    ),
    falsehood(
        "unit",
        &[
            (r"(?i)\b(kilometres?|kilometers?|km) ", "miles "),
            (r"(?i)\bmiles?\b", "kilometres"),
            (r"\b(\d+) (feet|ft)\b", "$1 metres"),
            (r"\b(\d+) (metres|meters|m)\b", "$1 feet"),
            (r"\b(\d+) years\b", "$1 months"),
            (r"\b(\d+) days\b", "$1 weeks"),
            (r"\b(\d+) (hours|minutes)\b", "$1 days"),
            (r"\b(\d[\d,.]*) ?(%|percent)", "$1 percentage points"),
        ],
    ),
    falsehood(
        "currency",
        &[
            (r"US\$|\$", "£"),
            ("£", "€"),
            ("€", "$$"),
            (r"\bdollars\b", "pounds"),
            (r"\bpounds\b", "euros"),
        ],
    ),
    falsehood(
        "direction",
        &[
            (r"\bincreas(e|ed|es|ing)\b", "decreas$1"),
            (r"\bdecreas(e|ed|es|ing)\b", "increas$1"),
            (r"\b(rose|grew)\b", "fell"),
            (r"\bfell\b", "rose"),
            (r"\bhigher\b", "lower"),
            (r"\blower\b", "higher"),
            (r"\bmore than\b", "less than"),
            (r"\bless than\b", "more than"),
            (r"\blarger\b", "smaller"),
            (r"\bgreater\b", "smaller"),
            (r"\blargest\b", "smallest"),
            (r"\bhighest\b", "lowest"),
            (r"\bmost\b", "least"),
        ],
    ),
    falsehood(
        "negation",
        &[
            (
                r"\b(is|was|are|were|can|could|will|had been|has been) not\b",
                "$1",
            ),
            (r"\b(is|was|are|were|can|could|will|would|must)\b", "$1 not"),
            (r"\b(did|does|do) not\b", "$1"),
        ],
    ),
    falsehood(
        "order",
        &[
            (r"\bbefore\b", "after"),
            (r"\bafter\b", "before"),
            (r"\bearlier\b", "later"),
            (r"\blater\b", "earlier"),
        ],
    ),
    falsehood(
        "quantifier",
        &[
            (r"\b(usually|often|generally|typically)\b", "rarely"),
            (r"\b(rarely|seldom)\b", "usually"),
            (r"\balways\b", "never"),
            (r"\bnever\b", "always"),
            (r"\b[Aa]ll (of )?the\b", "none of the"),
            (r"\b[Mm]ost of\b", "few of"),
        ],
    ),
    falsehood(
        "month",
        &[
            (r"\bJanuary\b", "July"),
            (r"\bFebruary\b", "August"),
            (r"\bMarch\b", "November"),
            (r"\bApril\b", "October"),
            (r"\bJune\b", "December"),
            (r"\bJuly\b", "February"),
            (r"\bAugust\b", "April"),
            (r"\bSeptember\b", "January"),
            (r"\bOctober\b", "June"),
            (r"\bNovember\b", "March"),
            (r"\bDecember\b", "September"),
        ],
    ),
    falsehood(
        "opposite",
        &[
            (r"\bsuccessful\b", "unsuccessful"),
            (r"\bnorth(ern)?\b", "south$1"),
            (r"\bsouth(ern)?\b", "north$1"),
            (r"\beast(ern)?\b", "west$1"),
            (r"\bwest(ern)?\b", "east$1"),
            (r"\bwon\b", "lost"),
            (r"\bpublic\b", "private"),
            (r"\bpossible\b", "impossible"),
            (r"\bable\b", "unable"),
            (r"\ballowed\b", "forbidden"),
            (r"\bbegan\b", "ended"),
            (r"\bpositive\b", "negative"),
            (r"\bstrong\b", "weak"),
            (r"\binternal\b", "external"),
        ],
    ),
    falsehood(
        "only",
        &[
            (
                r"\b(is|was|are|were|can|could|has|have|had) ([a-z])",
                "$1 only $2",
            ),
            (r"\b(in|by|for|from|with) (the [a-z]+)", "only $1 $2"),
        ],
    ),
    falsehood(
        "solely",
        &[(r" (in|by|for|from|with|of|on) ([a-z])", " solely $1 $2")],
    ),
    falsehood(
        "always",
        &[(
            r"\b(is|was|are|were|can|could|has|have|had|will|would) ([a-z])",
            "$1 always $2",
        )],
    ),
    falsehood(
        "all",
        &[
            (
                r"^(?:The|Some|Many|Most|Several) ([a-z]+[^s]s) ",
                "All the $1 ",
            ),
            (
                r"\b(?:the|some|many|most|several) ([a-z]{3,}[^s]s)\b",
                "all $1",
            ),
        ],
    ),
    falsehood("every", &[(r"\b(?:a|an) ([a-z]{4,}) ", "every $1 ")]),
    falsehood(
        "must",
        &[(
            r"\b(can|could|may|might|should|will|would) ([a-z])",
            "must $2",
        )],
    ),
    rewrite(
        "absolute",
        &[
            (r"\b[Aa]ll of the\b", "all the"),
            (r"\ball the\b", "all of the"),
            (r"\b(is|was|are|were) only\b", "$1 solely"),
            (r"\bmust\b", "has to"),
            (r"\b(has|have) to\b", "must"),
            (r"\b(is|are) required to\b", "must"),
            (r"\beach\b", "every"),
            (r"\bevery\b", "each"),
            (r"\bentire\b", "whole"),
            (r"\bsolely\b", "only"),
            (r"\bonly\b", "exclusively"),
        ],
    ),
    rewrite(
        "thousands",
        &[
            (r"(^|[ $£(])(\d{1,3}),(\d{3})([ .)]|$)", "$1$2$3$4"),
            (
                r"\b(\d)(\d{3}) (people|men|students|seats|feet)",
                "$1,$2 $3",
            ),
        ],
    ),
    rewrite(
        "number words",
        &[
            (r"\btwo ", "2 "),
            (r"\bthree ", "3 "),
            (r"\bfour ", "4 "),
            (r"\bfive ", "5 "),
            (r"\bsix ", "6 "),
            (r"\bten ", "10 "),
            (r"\btwelve ", "12 "),
            (r"\b3 ", "three "),
            (r"\b4 ", "four "),
            (r"\b20 ", "twenty "),
        ],
    ),
    rewrite(
        "per cent",
        &[
            (r"(\d)%", "$1 per cent"),
            (r" percent\b", " %"),
            (r" per cent\b", "%"),
        ],
    ),
    rewrite(
        "half",
        &[
            (r"\b[Hh]alf of\b", "50 % of"),
            (r"\b50 ?(%|percent) of\b", "half of"),
            (r"\b25 ?(%|percent) of\b", "a quarter of"),
        ],
    ),
    rewrite(
        "unit",
        &[
            (r"\b(\d+) (km|kilometres|kilometers) ", "${1}000 metres "),
            (r"\b(\d+),000 (m|metres|meters)\b", "$1 km"),
            (r"\b(\d+) kg\b", "${1}000 g"),
        ],
    ),
    rewrite(
        "scale",
        &[
            (r"\b(\d+) million\b", "$1,000,000"),
            (r"\b(\d+)\.(\d) million\b", "$1,${2}00,000"),
            (r"\b(\d+),000,000\b", "$1 million"),
            (r"\b(\d+),000\b", "$1 thousand"),
        ],
    ),
    rewrite("layout", &[(r", ", " ,  "), (" ", "\n")]),
    rewrite(
        "date",
        &[
            (
                r"\b(\d{1,2}) ([A-Z][a-z]+(?:ber|uary)|March|April|June|July|August)\b",
                "$2 $1",
            ),
            (
                r"\b([A-Z][a-z]+(?:ber|uary)|March|April|June|July|August) (\d{1,2})\b",
                "$2 $1",
            ),
        ],
    ),
    rewrite(
        "synonym",
        &[
            (r"\bbegan\b", "started"),
            (r"\babout\b", "approximately"),
            (r"\bshows\b", "demonstrates"),
            (r"\bbuilt\b", "constructed"),
            (r"\bused\b", "employed"),
            (r"\bhowever, ", ""),
            (r"\blarge\b", "big"),
            (r"\bnearly\b", "almost"),
        ],
    ),
    rewrite(
        "clause",
        &[
            (r"^In ([^,]{3,40}), (the [^;:]*)\.$", "$2 in $1."),
            (r"^In ([^,]{3,40}), ([A-Z][^;:]*)\.$", "$2 in $1."),
            (r"^During ([^,]{3,40}), (the [^;:]*)\.$", "$2 during $1."),
        ],
    ),
];

/// Names to put in the place of others: places and people that the articles do not have.
const NAMES: [&str; 4] = ["Zanzibar", "Montevideo", "Lindqvist", "Okonkwo"];

/// Phrases that no article has, to add to a sentence.
const PHRASES: [&str; 6] = [
    "free of charge",
    "against the advice of engineers",
    "because taxpayers demanded it",
    "within a fortnight",
    "despite repeated warnings",
    "thanks to a generous donation",
];

/// The words of an added clause, at least and at most.
const CLAUSE: std::ops::RangeInclusive<usize> = 4..=14;

/// Applies all rules to the sentences of some articles, and checks what they make against the
/// paragraphs.
pub(crate) fn measure(articles: &str) -> Result<Results> {
    let articles: Value = serde_json::from_str(articles)?;
    let rules: Vec<(&Rule, Vec<(Regex, &str)>)> = RULES
        .iter()
        .map(|rule| {
            let patterns = rule.patterns.iter();
            let patterns = patterns.map(|(from, to)| Ok((Regex::new(from)?, *to)));
            Ok((rule, patterns.collect::<Result<_>>()?))
        })
        .collect::<Result<_>>()?;
    let mut results = Results::new();
    let mut overlaps = Vec::new();
    let clauses = clauses(&contexts(&articles))?;
    for (paragraph, context) in contexts(&articles).into_iter().enumerate() {
        for range in text::sentences(context, 0..context.len()) {
            let sentence = &context[range];
            let written = rules.iter().filter_map(|(rule, patterns)| {
                let substitution = patterns.iter().find(|(from, _)| from.is_match(sentence));
                let (from, to) = substitution?;
                let changed = from.replace(sentence, *to).into_owned();
                Some((rule.is_true, rule.name, changed))
            });
            // Half of the paragraphs on is another article.
            let other = &clauses[(paragraph + clauses.len() / 2) % clauses.len()];
            let made = numbers(sentence)?.into_iter().chain(names(sentence)?);
            let made = made.chain(additions(sentence, other));
            let made = made.map(|(name, changed)| (false, name, changed));
            let shorter = without_clause(sentence)?.map(|changed| (true, "shorter", changed));
            for (is_true, name, changed) in written.chain(made).chain(shorter) {
                if changed == sentence {
                    continue;
                }
                let is_accepted = support(&changed, context).verdict == Verdict::Supported;
                let counted = results.entry((is_true, name)).or_default();
                counted.all += 1;
                counted.accepted += usize::from(is_accepted);
                overlaps.push((is_true, name, super::overlap(&changed, context)));
                if is_accepted != is_true && super::shows() {
                    super::print(&format!(
                        "{name} ({is_true}): {changed:?}\n    {sentence:?}"
                    ));
                }
            }
        }
    }
    let mut true_ones: Vec<f64> = overlaps
        .iter()
        .filter(|one| one.0)
        .map(|one| one.2)
        .collect();
    true_ones.sort_by(f64::total_cmp);
    let least = true_ones
        .get(true_ones.len() / 50)
        .copied()
        .unwrap_or_default();
    for (is_true, name, overlap) in overlaps {
        let counted = results.entry((is_true, name)).or_default();
        counted.overlapping += usize::from(overlap >= least);
    }
    Ok(results)
}

/// The sentence with a number changed: a digit, the decimal places, the year, two numbers swapped.
fn numbers(sentence: &str) -> Result<Vec<(&'static str, String)>> {
    let mut changed = Vec::new();
    let year = Regex::new(r"\b(1[0-9]|20)(\d)(\d)\b")?;
    if year.is_match(sentence) {
        let other = year.replace(sentence, |captures: &Captures<'_>| {
            let decade = (captures[2].parse::<u8>().unwrap_or_default() + 3) % 10;
            format!("{}{decade}{}", &captures[1], &captures[3])
        });
        changed.push(("year", other.into_owned()));
    }
    let number = Regex::new(r"\b\d{1,3}(,\d{3})*(\.\d+)?\b")?;
    let matches: Vec<_> = number.find_iter(sentence).collect();
    if let Some(first) = matches.first() {
        let last = first
            .as_str()
            .char_indices()
            .rev()
            .find(|(_, c)| ('1'..='9').contains(c));
        if let Some((at, digit)) = last {
            let other = if digit == '9' {
                '4'
            } else {
                char::from(digit as u8 + 1)
            };
            let mut other_text = sentence.to_owned();
            let at = first.start() + at;
            other_text.replace_range(at..=at, &other.to_string());
            changed.push(("digit", other_text));
        }
        let tenfold = format!(
            "{}{}0{}",
            &sentence[..first.start()],
            first.as_str().replace(['.', ','], ""),
            &sentence[first.end()..]
        );
        changed.push(("factor", tenfold));
    }
    if let [one, .., other] = matches.as_slice()
        && one.as_str() != other.as_str()
    {
        changed.push((
            "swapped numbers",
            swapped(sentence, one.range(), other.range()),
        ));
    }
    Ok(changed)
}

/// The sentence with a name replaced, or two swapped.
fn names(sentence: &str) -> Result<Vec<(&'static str, String)>> {
    let name = Regex::new(r"\b[A-Z][a-z]{3,}(?: [A-Z][a-z]{2,})*\b")?;
    let months =
        Regex::new(r"(?:Jan|Febr)uary|March|April|June|July|August|(?:Sept|Nov|Dec)ember|October")?;
    let matches: Vec<_> = name
        .find_iter(sentence)
        .filter(|matched| matched.start() > 0 && !months.is_match(matched.as_str()))
        .collect();
    let mut changed = Vec::new();
    if let Some(first) = matches.first() {
        let other = NAMES[sentence.len() % NAMES.len()];
        let range = first.range();
        let other = format!(
            "{}{other}{}",
            &sentence[..range.start],
            &sentence[range.end..]
        );
        changed.push(("name", other));
    }
    let verb = [
        r" (defeated|beat|founded|wrote|discovered|invented|conquered|invaded|succeeded|replaced",
        r"|led|followed|joined|influenced|won|attacked) (?:the )?$",
    ];
    let verb = Regex::new(&verb.concat())?;
    for pair in matches.windows(2) {
        let between = format!("{} ", &sentence[pair[0].end()..pair[1].start()].trim_end());
        if verb.is_match(&between) && pair[0].as_str() != pair[1].as_str() {
            changed.push((
                "swapped names",
                swapped(sentence, pair[0].range(), pair[1].range()),
            ));
        }
    }
    Ok(changed)
}

/// For each paragraph the last clause of one of its sentences; that of the paragraph before, if
/// none ends in one.
fn clauses(contexts: &[&str]) -> Result<Vec<String>> {
    let clause = Regex::new(r", (?:and |but |or )?([a-z][^,;:()]*)[.]$")?;
    let mut last = "which few people remember".to_owned();
    let clauses = contexts.iter().map(|context| {
        let sentences = text::sentences(context, 0..context.len());
        let own = sentences.iter().find_map(|range| {
            let own = clause.captures(&context[range.clone()])?.get(1)?.as_str();
            let words = own.split(' ').count();
            CLAUSE.contains(&words).then_some(own)
        });
        last = own.map_or_else(|| last.clone(), str::to_owned);
        last.clone()
    });
    Ok(clauses.collect())
}

/// The sentence with something added that its paragraph does not say: a clause of another one, a
/// phrase, a name, a sentence.
fn additions(sentence: &str, clause: &str) -> Vec<(&'static str, String)> {
    let Some(own) = sentence.strip_suffix('.') else {
        return Vec::new();
    };
    let phrase = PHRASES[sentence.len() % PHRASES.len()];
    let name = NAMES[sentence.len() % NAMES.len()];
    let mut capitals = clause.chars();
    let first = capitals.next().map(|c| c.to_uppercase().to_string());
    let beginning = first.unwrap_or_default();
    vec![
        ("added clause", format!("{own}, and {clause}.")),
        ("added phrase", format!("{own} {phrase}.")),
        ("added name", format!("{own}, as {name} did.")),
        (
            "added sentence",
            format!("{sentence} {beginning}{}.", capitals.as_str()),
        ),
    ]
}

/// The sentence without its last clause, if that leaves most of it.
fn without_clause(sentence: &str) -> Result<Option<String>> {
    let clause = Regex::new(r", (?:which|who|where|although|while|because) [^,;:()]*[.]$")?;
    let shorter = clause.replace(sentence, ".").into_owned();
    let is_whole = shorter.split(' ').count() >= 2 * *CLAUSE.start();
    Ok((shorter != sentence && is_whole).then_some(shorter))
}

/// A text with two of its parts in each other's places.
fn swapped(text: &str, one: std::ops::Range<usize>, other: std::ops::Range<usize>) -> String {
    let (first, second) = (&text[one.clone()], &text[other.clone()]);
    format!(
        "{}{second}{}{first}{}",
        &text[..one.start],
        &text[one.end..other.start],
        &text[other.end..]
    )
}

/// All paragraphs of the articles.
pub(crate) fn contexts(articles: &Value) -> Vec<&str> {
    let articles = articles["data"].as_array().or(articles.as_array());
    let paragraphs = articles.into_iter().flatten();
    paragraphs
        .flat_map(|article| article["paragraphs"].as_array().into_iter().flatten())
        .filter_map(|paragraph| paragraph["context"].as_str())
        .collect()
}
