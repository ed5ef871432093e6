//! Word lists of the comparison of statements: negations, qualifiers, opposites, synonyms, number
//! words. English; collected by hand from the pairs on which the comparison failed (development
//! halves of WiCE and Factcheck-GPT, reports over the Rust RFCs, Cranfield and XQuAD).

use std::sync::LazyLock;

use foldhash::{HashMap, HashSet};

use super::opposites::{self, sides};
pub(in crate::cite) use super::opposites::{are_states, is_change};
use crate::text;

/// A class of words that weaken, strengthen or bound a statement. Two statements of which only one
/// is bounded so do not say the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::cite) enum Qualifier {
    /// "must", "have to".
    Obligation,
    /// "should".
    Advice,
    /// "may", "perhaps", "seems".
    Possibility,
    /// "can".
    Ability,
    /// "if", "would", "unless".
    Hypothesis,
    /// "all", "every", "always".
    All,
    /// "most", "usually".
    Most,
    /// "some", "sometimes".
    Some,
    /// "few", "rarely".
    Few,
    /// "only".
    Only,
    /// "never".
    Never,
    /// "permanently".
    Lasting,
    /// "for example".
    Example,
    /// "said", "according to", "believes".
    Report,
    /// "proposes", "planned".
    Proposal,
}

/// The qualifiers and their words, folded.
const QUALIFIERS: &[(Qualifier, &str)] = &[
    (Qualifier::Obligation, "must shall mandatory obligatory"),
    (
        Qualifier::Advice,
        "should ought recommend recommends recommended advise advised advisable",
    ),
    (
        Qualifier::Possibility,
        "may might could perhaps possible possibly probable probably likely unlikely potentially \
         seem seems seemed appear appears appeared maybe",
    ),
    (Qualifier::Ability, "can able"),
    (
        Qualifier::Hypothesis,
        "if unless would suppose assuming hypothetical hypothetically otherwise wouldn't \
         couldn't whether",
    ),
    (Qualifier::All, "all every each always entirely"),
    (
        Qualifier::Most,
        "most mostly usually generally typically often normally commonly frequently many lot lots",
    ),
    (
        Qualifier::Some,
        "some sometimes several occasionally partly partially",
    ),
    (
        Qualifier::Few,
        "few rarely seldom hardly scarcely little barely",
    ),
    (Qualifier::Only, "only solely exclusively merely"),
    (
        Qualifier::Example,
        "example examples instance imagine e.g fictional",
    ),
    (
        Qualifier::Report,
        "said says stated according argue argues argued believe believes believed think thinks \
         thought suggest suggests suggested allegedly reportedly estimated",
    ),
    (
        Qualifier::Proposal,
        "propose proposes proposed proposal proposals plan plans planned intend intends intended \
         want wants wanted wish wishes wished",
    ),
];

/// The qualifier of a folded word.
pub(in crate::cite) fn qualifier(folded: &str) -> Option<Qualifier> {
    static WORDS: LazyLock<HashMap<&str, Qualifier>> = LazyLock::new(|| {
        let pairs = QUALIFIERS.iter();
        pairs
            .flat_map(|(qualifier, words)| words.split(' ').map(|word| (word, *qualifier)))
            .filter(|(word, _)| !word.is_empty())
            .collect()
    });
    WORDS.get(folded).copied()
}

/// The words that make a statement absolute, and other words that say as much: a sentence with one
/// of these backs a claim with one of those.
const ABSOLUTES: &[(Qualifier, &str, &str)] = &[
    (
        Qualifier::Only,
        "only solely exclusively",
        "merely just sole alone single purely unique uniquely nothing except unless limited \
         restricted confined",
    ),
    (
        Qualifier::All,
        "all every always entirely completely wholly totally invariably universally \
         everyone everybody everything everywhere whole entire",
        "each any both full fully complete throughout total totally universal \
         constant constantly continuously",
    ),
    (
        Qualifier::Obligation,
        "must shall mandatory obligatory compulsory",
        "require requires required requiring requirement requirements necessary necessarily \
         need needs needed oblige obliged obliges force forced forces cannot enforce enforced \
         duty",
    ),
    (
        Qualifier::Lasting,
        "permanently forever indefinitely",
        "permanent lasting perpetual",
    ),
    (
        Qualifier::Never,
        "never",
        "not no none nobody nothing neither nor cannot without nowhere ever unable zero",
    ),
];

/// `true` if a folded word is a unit of time: "every day" says how often.
pub(in crate::cite) fn is_time_unit(folded: &str) -> bool {
    const UNITS: &str = "second minute hour day week month year decade morning afternoon evening \
                         night time summer winter spring autumn season monday tuesday wednesday \
                         thursday friday saturday sunday";
    UNITS.split(' ').any(|unit| unit == folded)
}

/// `true` for a folded word that says no more than the present tense does.
pub(in crate::cite) fn is_of_now(folded: &str) -> bool {
    matches!(folded, "now" | "currently")
}

/// The class of absolute statements that a folded word speaks for, and `true` if it makes one
/// itself.
pub(in crate::cite) fn absolute(folded: &str) -> Option<(Qualifier, bool)> {
    static WORDS: LazyLock<HashMap<&str, (Qualifier, bool)>> = LazyLock::new(|| {
        let classes = ABSOLUTES.iter().flat_map(|(class, making, backing)| {
            let backing = backing.split(' ').map(|word| (word, (*class, false)));
            backing.chain(making.split(' ').map(|word| (word, (*class, true))))
        });
        classes.collect()
    });
    let contracted = || folded.ends_with("n't").then_some((Qualifier::Never, false));
    WORDS.get(folded).copied().or_else(contracted)
}

/// A set of folded words.
type Words = LazyLock<HashSet<&'static str>>;

/// The set of words that spaces separate.
fn set(words: &'static str) -> HashSet<&'static str> {
    words.split(' ').collect()
}

/// Words that negate what follows them.
static NEGATIONS: Words = Words::new(|| {
    set(
        "not no never cannot neither nor none nobody nothing without unable fails failed fail \
         lack lacks lacked lacking nicht kein keine keinen ohne nie",
    )
});

/// The forms of "be" and "become".
pub(in crate::cite) const BE: [&str; 9] = [
    "is", "are", "was", "were", "be", "been", "being", "became", "becomes",
];

/// `true` for a word for advice that says something of its subject besides, "Bea was recommended":
/// all but auxiliary verbs.
pub(in crate::cite) fn is_advice(folded: &str) -> bool {
    qualifier(folded) == Some(Qualifier::Advice) && !matches!(folded, "should" | "ought")
}

/// `true` if a folded word negates.
pub(in crate::cite) fn is_negation(folded: &str) -> bool {
    NEGATIONS.contains(folded) || folded.ends_with("n't")
}

/// `true` if a folded word adds an alternative to what is before it.
pub(in crate::cite) fn is_disjunction(folded: &str) -> bool {
    matches!(folded, "or" | "alternatively")
}

/// The rows of the tables that a stem belongs to, looked up once for all comparisons of a word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::cite) struct Entry {
    sides: opposites::Sides,
    groups: &'static [usize],
}

impl Entry {
    pub(in crate::cite) fn of(stem: &str) -> Self {
        Self {
            sides: sides(stem),
            groups: groups(stem),
        }
    }

    fn is_opposite(self, other: Self) -> bool {
        opposites::exclude(self.sides, other.sides)
    }

    /// `true` if two stems may stand for each other.
    pub(in crate::cite) fn is_synonym(self, other: Self) -> bool {
        self.groups.iter().any(|group| other.groups.contains(group))
    }
}

/// `true` if two stems, with their entries, exclude each other: by the table, or since one is the
/// other with a negating prefix.
pub(in crate::cite) fn are_opposite(
    (left, entry): (&str, Entry),
    (right, other): (&str, Entry),
) -> bool {
    let negates = |long: &str, short: &str| {
        // A "debut" is not the contrary of "but".
        let is_word = short.len() >= 3 && !text::is_stop_word(short);
        let rest = long.strip_suffix(short).filter(|_| is_word);
        rest.is_some_and(|prefix| {
            ["un", "in", "im", "ir", "dis", "non", "mis", "anti", "de"].contains(&prefix)
        })
    };
    entry.is_opposite(other) || negates(left, right) || negates(right, left)
}

/// `true` if one of two stems, with their entries, says what the other denies.
pub(in crate::cite) fn are_complements(
    (left, entry): (&str, Entry),
    (right, other): (&str, Entry),
) -> bool {
    let mut rows = entry.sides.iter().map(|(row, _)| *row);
    let is_shared = |row: usize| other.sides.iter().any(|(own, _)| *own == row);
    are_opposite((left, entry), (right, other))
        && (entry.sides.is_empty() || other.sides.is_empty() || {
            rows.any(|row| opposites::are_complements(row) && is_shared(row))
        })
}

/// Words for giving a number, which a claim on what was said has; a closed list, written by hand.
const GIVING: [&str; 9] = [
    "announced",
    "claimed",
    "gave",
    "given",
    "published",
    "reported",
    "said",
    "stated",
    "wrote",
];

/// `true` for a folded word by which somebody gives a number, right or wrong.
pub(in crate::cite) fn is_giving(folded: &str) -> bool {
    GIVING.contains(&folded)
}

/// Words for the two sides of a thing; a closed list, written by hand.
const SIDES: [(&[&str], &[&str]); 3] = [
    (&["above"], &["below", "beneath", "underneath"]),
    (&["inside"], &["outside"]),
    (&["upstream"], &["downstream"]),
];

/// The axis on which a folded word puts something, and `true` for the first of its two sides.
pub(in crate::cite) fn side(folded: &str) -> Option<(usize, bool)> {
    SIDES.iter().enumerate().find_map(|(axis, (one, other))| {
        let is_first = one.contains(&folded);
        (is_first || other.contains(&folded)).then_some((axis, is_first))
    })
}

/// Pairs of particles that turn a verb round: "opt in", "opt out".
const PARTICLE_PAIRS: &[(&str, &str)] = &[
    ("in", "out"),
    ("on", "off"),
    ("up", "down"),
    ("into", "out"),
    ("above", "below"),
    ("over", "under"),
];

/// `true` if two folded particles turn the same verb into opposites.
pub(in crate::cite) fn are_opposite_particles(one: &str, other: &str) -> bool {
    let mut pairs = PARTICLE_PAIRS.iter();
    pairs.any(|pair| *pair == (one, other) || *pair == (other, one))
}

/// Classes of words of which one excludes the others in the same place.
const CLASSES: &[&str] = &[
    "second minute hour day week month year decade century millennium",
    "monday tuesday wednesday thursday friday saturday sunday",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "spring summer autumn fall winter",
    "north south east west northern southern eastern western",
    "morning afternoon evening night",
    "daily weekly monthly yearly hourly",
    "first second third last",
    "hundred thousand million billion trillion",
];

/// `true` if two stems exclude each other in the same place: as opposites, or as members of a
/// class.
pub(in crate::cite) fn exclude(
    (left, entry): (&str, Entry),
    (right, other): (&str, Entry),
) -> bool {
    static STEMS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
        let classes = CLASSES.iter();
        classes
            .map(|words| words.split(' ').map(text::stem).collect())
            .collect()
    });
    let in_class = |class: &Vec<String>| {
        let has = |stem: &str| class.iter().any(|own| own == stem);
        left != right && has(left) && has(right)
    };
    are_opposite((left, entry), (right, other)) || STEMS.iter().any(in_class)
}

/// Words that may stand for each other.
const SYNONYMS: &[&str] = &[
    "use utilise utilize employ",
    "acknowledge ack",
    "show demonstrate display",
    "begin start commence",
    "end finish conclude",
    "buy purchase",
    "big large",
    "fast quick rapid quickly rapidly",
    "help assist aid",
    "need require",
    "build construct erect",
    "choose select pick",
    "create make produce",
    "allow permit enable",
    "get obtain receive",
    "found establish",
    "die death",
    "female woman women",
    "male man men",
    "live reside",
    "movie film",
    "car automobile",
    "company firm",
    "city town",
    "increase rise grow",
    "decrease decline fall drop reduce",
    "main principal primary chief",
    "name title",
    "annual yearly year",
    "monthly month",
    "weekly week",
    "daily day",
    "hourly hour",
    "house home",
    "price cost expensive costly",
    "nearly almost",
    "kill murder",
    "win victory",
    "write author",
    "supply deliver provide furnish",
    "decide resolve",
    "accept approve adopt favour favor",
    "reject refuse decline",
    "forbid prohibit ban bar disallow",
    "mandatory compulsory obligatory require",
    "replace supersede substitute",
    "chair preside",
    "appoint nominate",
    "extend lengthen prolong",
    "recommend advise advisable",
    "shorten curtail cut",
    "lower reduce decrease cut",
    "raise increase lift",
    "destroy ruin wreck",
    "repair fix mend",
    "trigger cause provoke",
    "stop halt cease",
    "close shut",
    "employ hire recruit",
    "dismiss sack",
    "leave depart quit resign",
    "send ship dispatch",
    "rent lease hire",
    "store keep hold",
    "cook prepare",
    "eat consume",
    "injure hurt wound",
    "happen occur",
    "train teach instruct educate",
    "test examine check inspect study investigate",
    "find discover detect",
    "state say declare announce",
    "ask request demand",
    "schedule plan",
    "postpone delay defer",
    "cancel abandon",
    "merge join combine unite connect",
    "split divide separate",
    "move relocate transfer",
    "own possess",
    "contain include comprise",
    "reach attain achieve",
    "prevent avoid",
    "protect guard",
    "remove delete",
    "change alter modify",
    "publish release issue",
    "gather collect",
    "measure record",
    "suffer undergo",
    "name designate call",
];

/// The groups of [`SYNONYMS`] that a stem belongs to.
fn groups(stem: &str) -> &'static [usize] {
    static GROUPS: LazyLock<HashMap<String, Vec<usize>>> = LazyLock::new(|| {
        let mut groups: HashMap<String, Vec<usize>> = HashMap::default();
        for (group, words) in SYNONYMS.iter().enumerate() {
            for word in words.split(' ') {
                groups.entry(text::stem(word)).or_default().push(group);
            }
        }
        groups
    });
    GROUPS.get(stem).map_or(&[], Vec::as_slice)
}

/// Number words and their digits. "One" is not among them: it is more often a pronoun.
const NUMBER_WORDS: &[(&str, &str)] = &[
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("dozen", "12"),
    ("thirteen", "13"),
    ("fourteen", "14"),
    ("fifteen", "15"),
    ("sixteen", "16"),
    ("seventeen", "17"),
    ("eighteen", "18"),
    ("nineteen", "19"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("forty", "40"),
    ("fifty", "50"),
    ("sixty", "60"),
    ("seventy", "70"),
    ("eighty", "80"),
    ("ninety", "90"),
];

/// The digits of a folded number word.
pub(in crate::cite) fn digits(folded: &str) -> Option<&'static str> {
    let entry = NUMBER_WORDS.iter().find(|(word, _)| *word == folded);
    entry.map(|(_, digits)| *digits)
}

/// The months, folded. May is missing: it is more often a verb.
pub(in crate::cite) fn months() -> impl Iterator<Item = &'static str> {
    text::MONTHS.into_iter().filter(|month| *month != "may")
}

/// Irregular forms: each row is a base form and the forms that stand for it. Forms that are more
/// often another word, such as "found", "left" and "saw", are not among them.
const IRREGULAR: &str = "\
    analysis analyses; arise arose arisen; awake awoke awoken; bacterium bacteria; bear bore \
    borne; beat beaten; become became; begin began begun; bend bent; bite bitten; bleed bled; \
    blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt; \
    buy bought; catch caught; child children; choose chose chosen; cling clung; come came; \
    creep crept; crisis crises; criterion criteria; deal dealt; die died dying; dig dug; draw \
    drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell \
    fallen; feed fed; fight fought; flee fled; fly flew flown; foot feet; forbid forbade \
    forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got \
    gotten; give gave given; go went gone; goose geese; grow grew grown; half halves; hang \
    hung; hear heard; hide hid hidden; hold held; hypothesis hypotheses; index indices; keep \
    kept; knife knives; know knew known; lay laid; lead led; lend lent; life lives; loaf \
    loaves; lose lost; make made; man men; matrix matrices; mean meant; meet met; mouse mice; \
    overcome overcame; pay paid; person people; phenomenon phenomena; ride rode ridden; ring \
    rang; rise rose risen; run ran; say said; see seen; seek sought; self selves; sell sold; \
    send sent; shake shook shaken; shelf shelves; shoot shot; show shown; shrink shrank \
    shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; speak spoke \
    spoken; spend spent; spin spun; spring sprang sprung; stand stood; steal stole stolen; \
    stick stuck; strike struck stricken; strive strove striven; swear swore sworn; sweep \
    swept; swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell \
    told; thesis theses; thief thieves; think thought; throw threw thrown; tooth teeth; \
    understand understood; undertake undertook undertaken; wake woke woken; wear wore worn; \
    weave wove woven; wife wives; win won; withdraw withdrew withdrawn; wolf wolves; woman \
    women; write wrote written";

/// The base form of an irregular folded word.
pub(in crate::cite) fn base(folded: &str) -> Option<&'static str> {
    static FORMS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        let rows = IRREGULAR.split("; ").filter_map(|row| row.split_once(' '));
        rows.flat_map(|(base, forms)| forms.split(' ').map(move |form| (form, base)))
            .collect()
    });
    FORMS.get(folded).copied()
}

/// The ordinals from three. "First" is more often an order than a number, "second" a time.
const ORDINALS: [&str; 18] = [
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];

/// The digits of a folded ordinal: "3" for "third" and "3rd".
pub(in crate::cite) fn ordinal(folded: &str) -> Option<String> {
    if let Some(index) = ORDINALS.iter().position(|word| *word == folded) {
        return Some((index + 3).to_string());
    }
    let digits = folded.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_ordinal = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(&folded[digits.len()..], "st" | "nd" | "rd" | "th");
    is_ordinal.then(|| digits.to_owned())
}

/// Prepositions and conjunctions that the stop words lack: they say nothing by themselves.
static PARTICLES: Words = Words::new(|| {
    set(
        "against throughout within toward towards among amongst onto despite amid alongside \
         whilst hence etc",
    )
});

/// `true` if a folded word says nothing by itself, even if it is written as a name: "The".
pub(in crate::cite) fn is_particle(folded: &str) -> bool {
    PARTICLES.contains(folded) || text::is_stop_word(folded)
}

/// The weights of the first classes of common words, and of all other words: about the logarithm of
/// the frequency.
const CLASS_WEIGHTS: [f64; 3] = [0.3, 0.45, 0.6];
const RARE_WEIGHT: f64 = 0.85;

/// The weight of a stem in the coverage of a claim, by how rare it is.
pub(in crate::cite) fn rarity(stem: &str) -> f64 {
    let weight = text::class_of_common(stem).and_then(|class| CLASS_WEIGHTS.get(class));
    weight.copied().unwrap_or(RARE_WEIGHT)
}

/// `true` for a stem that is not among the common words.
pub(in crate::cite) fn is_rare(stem: &str) -> bool {
    rarity(stem) >= RARE_WEIGHT
}

/// The first three letters of a month that is written out or abbreviated. May is missing: it is
/// more often a verb.
pub(in crate::cite) fn month(folded: &str) -> Option<&'static str> {
    let is_month = |name: &&str| {
        *name == folded || (3..=4).contains(&folded.len()) && name.starts_with(folded)
    };
    let name = months().find(is_month)?;
    name.get(..3)
}

/// Content words that say little: a statement keeps its meaning without them.
static LIGHT: Words = Words::new(|| {
    set(
        "also thing make made way use used new well even like take become became include \
         including included known call called name named various different number part kind \
         type form several main mainly quite simply actually especially particularly therefore \
         however currently now today later provide provides come came around about \
         approximately roughly nearly almost exactly located early time total overall average \
         mean eventually finally",
    )
});

/// Words in "-ly" that say much.
static HEAVY_ADVERBS: Words = Words::new(|| {
    set(
        "early daily family only supply apply reply rely july italy yearly weekly monthly \
         assembly anomaly fully partly partially nightly directly indirectly ally fly \
         statically dynamically implicitly explicitly automatically manually poorly badly \
         quickly slowly",
    )
});

/// `true` if a folded word says little: one of a list, or an adverb.
pub(in crate::cite) fn is_light(folded: &str) -> bool {
    LIGHT.contains(folded) || folded.ends_with("ly") && !HEAVY_ADVERBS.contains(folded)
}

/// Words by which a statement depends on what is before it or on who says it.
static DEICTIC: Words = Words::new(|| {
    set(
        "he she this these those such we our ours us i my me you your here following former \
         latter aforementioned above-mentioned",
    )
});

/// Words that begin a statement on something named before it.
static DEICTIC_STARTS: Words = Words::new(|| {
    set(
        "it its they their he she his her that another other both either neither again one \
         there",
    )
});

/// Words with which a document speaks about itself, after an article.
static SELF_REFERENCES: Words = Words::new(|| {
    set(
        "proposal rfc paper author authors result results present method theory report study \
         section document article experiment experiments analysis investigation approach \
         solution feature change changes design implementation problem latter former same \
         other above following new proposed current existing drawback drawbacks motivation \
         alternative alternatives test tests model case cases idea question issue data \
         calculation calculations equation equations technique procedure",
    )
});

/// The number of words at the beginning of a statement among which a pronoun is its subject.
const SUBJECT_WORDS: usize = 4;

/// `true` if a folded word depends on its context; `at` is its place in the statement,
/// `follows_article` the place after "the".
pub(in crate::cite) fn is_deictic(folded: &str, at: usize, follows_article: bool) -> bool {
    DEICTIC.contains(folded)
        || at == 0 && DEICTIC_STARTS.contains(folded)
        || at < SUBJECT_WORDS && matches!(folded, "it" | "they")
        || follows_article && SELF_REFERENCES.contains(folded)
}

/// Words after a form of "be" with which a document reports what it did itself.
static REPORTED: Words = Words::new(|| {
    set(
        "made presented given described conducted discussed investigated tested obtained \
         compared studied carried performed considered examined measured determined analysed \
         analyzed developed derived calculated computed concluded proposed reported reviewed \
         archived retrieved",
    )
});

/// `true` if a folded word after a form of "be" reports the work of its document.
pub(in crate::cite) fn is_reported(folded: &str) -> bool {
    REPORTED.contains(folded)
}

/// Words by which the time of a statement is the time of its document.
static PRESENT: Words = Words::new(|| {
    set(
        "now today currently current recently recent latest present presently yet still \
         nowadays yesterday tomorrow ago upcoming previous previously next last",
    )
});

/// `true` if a folded word dates its statement by the time of its document.
pub(in crate::cite) fn is_relative_time(folded: &str) -> bool {
    PRESENT.contains(folded)
}

/// Irregular plurals, which are no forms of verbs.
const IRREGULAR_PLURALS: &str = "analyses bacteria children crises criteria feet geese halves \
                                 hypotheses indices knives lives loaves matrices men mice people \
                                 selves shelves teeth theses thieves wives wolves women phenomena";

/// `true` for a folded word that is the past form of a verb.
pub(in crate::cite) fn is_past_form(folded: &str) -> bool {
    let is_plural = || IRREGULAR_PLURALS.split(' ').any(|word| word == folded);
    folded.len() > 4 && folded.ends_with("ed") || base(folded).is_some() && !is_plural()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_are_found_by_table_and_by_prefix() {
        let opposite = |a: &str, b: &str| {
            let (a, b) = (text::stem(a), text::stem(b));
            are_opposite((&a, Entry::of(&a)), (&b, Entry::of(&b)))
        };
        assert!(opposite("increased", "decreases") && opposite("stable", "unstable"));
        assert!(opposite("compatible", "incompatible") && opposite("accepted", "rejected"));
        assert!(!opposite("increase", "increased") && !opposite("higher", "heat"));
        assert!(!opposite("debut", "but") && !opposite("inform", "for"));
        assert!(!opposite("pendent", "independent") || opposite("form", "inform"));
    }

    #[test]
    fn words_are_classified() {
        assert_eq!(qualifier("must"), Some(Qualifier::Obligation));
        assert_eq!(qualifier("usually"), Some(Qualifier::Most));
        assert_eq!(qualifier("heat"), None);
        assert!(is_negation("doesn't") && !is_negation("note"));
        let are_synonyms = |a: &str, b: &str| Entry::of(a).is_synonym(Entry::of(b));
        assert!(are_synonyms("movy", "film") || are_synonyms("buy", "purchas"));
    }
}
