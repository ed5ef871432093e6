//! Cues of languages other than English: the words that ask for a type of answer, and the words
//! that a sentence with such an answer has. Short lists of closed classes, from grammars: question
//! words, numerals, months, causal conjunctions, prepositions of place.

use std::cmp::Reverse;
use std::ops::Range;

use super::super::vocabulary::is_ideograph;
use super::answer_type::AnswerType;
use super::arabic;
use super::wording::AUXILIARIES;
use crate::text::{self, Language};

/// The cues of a language: lists of words and phrases between commas. They are folded, except in
/// Chinese, where they are parts of the text, since it has no spaces.
#[derive(Debug)]
pub(in crate::answering) struct Cues {
    /// The code of the language, by ISO 639-1.
    code: &'static str,
    /// Phrases that ask for a type of answer.
    questions: &'static [(AnswerType, &'static str)],
    /// Nouns that ask for a type of answer behind a question word: "year" in "which year".
    nouns: &'static [(AnswerType, &'static str)],
    /// Phrases that only frame a question, beside stop words.
    frame: &'static str,
    /// Question words that stand before a noun.
    determiners: &'static str,
    /// Endings of verbs, which the same question words may stand before.
    verb_endings: &'static str,
    /// Numerals.
    pub(in crate::answering) numbers: &'static str,
    /// Months, and words for periods.
    pub(in crate::answering) dates: &'static str,
    /// Phrases that introduce a reason.
    pub(in crate::answering) reasons: &'static str,
    /// Prepositions before a place; in Chinese also the last characters of the names of places.
    pub(in crate::answering) prepositions: &'static str,
}

/// The cues of a language without any.
const NONE: Cues = Cues {
    code: "",
    questions: &[],
    nouns: &[],
    frame: "",
    determiners: "",
    verb_endings: "",
    numbers: "",
    dates: "",
    reasons: "",
    prepositions: "",
};

impl Cues {
    /// The cues for a question in a language; `None` in English and in languages without any.
    pub(in crate::answering) fn of(question: &str, language: Language) -> Option<&'static Self> {
        let is_ideographic = text::words(question).any(|word| is_ideograph(word.text));
        CUES.iter().find(|cues| match cues.code {
            "zh" => is_ideographic,
            code => !is_ideographic && language == Language::of_code(code),
        })
    }

    /// The type of answer that the first asking phrase asks for; the longest of those that begin
    /// at the same place.
    pub(in crate::answering) fn answer_type(&self, question: &str) -> AnswerType {
        self.asking(question)
            .map_or(AnswerType::Open, |(_, answer_type)| answer_type)
    }

    /// The first phrase of a question that asks, and the type of answer that it asks for.
    fn asking(&self, question: &str) -> Option<(Range<usize>, AnswerType)> {
        let words = folded(question);
        let phrases = self.questions.iter().flat_map(|(answer_type, phrases)| {
            let ranges = items(phrases).flat_map(|phrase| self.find(&words, question, phrase));
            ranges.map(|range| (range, *answer_type))
        });
        let determiners = items(self.determiners);
        let determiners = determiners.flat_map(|phrase| self.find(&words, question, phrase));
        let nouns = determiners.flat_map(|determiner| {
            let of_type = |(answer_type, nouns): &(AnswerType, &'static str)| {
                let ends = items(nouns)
                    .filter_map(|noun| self.end_of_noun(&words, question, determiner.end, noun));
                Some((determiner.start..ends.max()?, *answer_type))
            };
            self.nouns.iter().filter_map(of_type).collect::<Vec<_>>()
        });
        let counter = ideographic_counter(question).filter(|_| self.code == "zh");
        let counter = counter.map(|range| (range, AnswerType::Quantity));
        phrases
            .chain(nouns)
            .chain(counter)
            .filter(|(range, _)| self.asks(question, range.clone()))
            .min_by_key(|(range, _)| (range.start, Reverse(range.end)))
    }

    /// The end of a noun that stands right behind a place in a question, if it does.
    fn end_of_noun(
        &self,
        words: &[Folded],
        question: &str,
        place: usize,
        noun: &str,
    ) -> Option<usize> {
        if self.code == "zh" {
            let is_there = question[place..].starts_with(noun);
            return is_there.then_some(place + noun.len());
        }
        let (word, range) = words.iter().find(|(_, range)| range.start >= place)?;
        (word == noun || is_same_arabic(word, noun)).then_some(range.end)
    }

    /// `true` unless a phrase of a question only looks like one that asks: in Spanish an accent
    /// tells question words from relative pronouns, where one of them is written with it; in Arabic
    /// "who" begins a clause, and is "from" elsewhere.
    fn asks(&self, question: &str, range: Range<usize>) -> bool {
        if self.code == "ar" && &question[range.clone()] == ARABIC_WHO {
            let before = question[..range.start].trim_end();
            return before.is_empty() || before.ends_with(['،', ',', ':']);
        }
        let is_marked = |word: text::Word<'_>| is_spanish_question_word(word.text) == Some(true);
        let is_plain = |word: text::Word<'_>| is_spanish_question_word(word.text) == Some(false);
        self.code != "es"
            || !text::words(question).any(is_marked)
            || !text::words(&question[range]).any(is_plain)
    }

    /// The question with spaces in place of the phrases that only frame it.
    pub(in crate::answering) fn without_frame(&self, question: &str) -> String {
        let words = folded(question);
        let mut rest = question.to_owned();
        if let Some(range) = ideographic_counter(question).filter(|_| self.code == "zh") {
            rest.replace_range(range.clone(), &" ".repeat(range.len()));
        }
        // "Which year" is answered by one, and names nothing.
        if let Some((range, AnswerType::Date)) = self.asking(question) {
            rest.replace_range(range.clone(), &" ".repeat(range.len()));
        }
        for range in items(self.frame).flat_map(|phrase| self.find(&words, question, phrase)) {
            rest.replace_range(range.clone(), &" ".repeat(range.len()));
        }
        rest
    }

    /// `true` if a sentence has one of some phrases that the question does not have.
    pub(in crate::answering) fn has_new(
        &self,
        sentence: &str,
        question: &str,
        phrases: &str,
    ) -> bool {
        let (words, question_words) = (folded(sentence), folded(question));
        items(phrases).any(|phrase| {
            !self.find(&words, sentence, phrase).is_empty()
                && self.find(&question_words, question, phrase).is_empty()
        })
    }

    /// The ranges of a phrase in a text, whose words are given: anywhere in Chinese, of whole words
    /// in other languages.
    fn find(&self, words: &[Folded], text: &str, phrase: &str) -> Vec<Range<usize>> {
        if self.code == "zh" {
            let matches = text.match_indices(phrase);
            return matches
                .map(|(at, matched)| at..at + matched.len())
                .collect();
        }
        positions(words, phrase)
            .map(|range| words[range.start].1.start..words[range.end - 1].1.end)
            .collect()
    }
}

/// The Arabic word for "who", and "from".
const ARABIC_WHO: &str = "من";
const ARABIC_WHICH: &str = "أي";

/// `true` for two forms of an Arabic word, whatever clitics they have.
pub(in crate::answering) fn is_same_arabic(one: &str, other: &str) -> bool {
    arabic::is_arabic(one)
        && arabic::is_arabic(other)
        && arabic::are_same(&arabic::light_stem(one), &arabic::light_stem(other))
}

/// Whether a Spanish question word or relative pronoun has the accent of a question word; `None`
/// for any other word.
fn is_spanish_question_word(word: &str) -> Option<bool> {
    const WORDS: &[&str] = &[
        "adonde", "como", "cual", "cuales", "cuando", "cuanta", "cuantas", "cuanto", "cuantos",
        "donde", "que", "quien", "quienes",
    ];
    let is_own = WORDS.contains(&text::fold(word).as_str());
    is_own.then(|| !word.is_ascii())
}

/// The items of a list between commas.
pub(in crate::answering) fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(", ").filter(|item| !item.is_empty())
}

/// Phrases before what is counted.
const COUNTERS: &str = "how many, wie viele, wie vielen, cuantos, cuantas, كم عدد, ما عدد, \
    ما هو عدد, كم من, كم";

/// The word of a question after "how many", in any language; in English the noun of that phrase:
/// "sacks" in "How many career sacks did he have?"
pub(in crate::answering) fn counted(question: &str) -> Option<&str> {
    if let Some(counted) = counted_in_ideographs(question) {
        return Some(counted);
    }
    let words = folded(question);
    let end = items(COUNTERS).find_map(|phrase| Some(positions(&words, phrase).next()?.end))?;
    let phrase = words[end..].iter();
    let phrase = phrase.take_while(|(word, _)| !text::is_stop_word(word));
    let is_plural = |(word, _): &&Folded| word.ends_with('s') && !word.ends_with("ss");
    let is_english = words[end - 1].0 == "many";
    // "Square kilometres" are a unit, by whatever spelling.
    let is_unit = |word: &str| matches!(word, "square" | "cubic" | "metric");
    let is_of_unit = words.get(end).is_some_and(|(word, _)| is_unit(word));
    let noun = phrase.filter(is_plural).last();
    let noun = noun.filter(|_| is_english && !is_of_unit);
    let (_, range) = noun.or_else(|| words.get(end))?;
    Some(&question[range.clone()])
}

/// Chinese words for "how many", and the measure words that may stand behind them.
const IDEOGRAPHIC_COUNTERS: [&str; 2] = ["多少", "几"];
pub(in crate::answering) const MEASURE_WORDS: &str =
    "个名位种次座只家所项篇条件颗棵支艘辆架层届部本张";

/// The range of "how many" in a Chinese question, with the measure word behind it, without which
/// the shorter word is part of another.
fn ideographic_counter(question: &str) -> Option<Range<usize>> {
    let counters = IDEOGRAPHIC_COUNTERS.iter();
    let ranges = counters.filter_map(|word| {
        let at = question.find(word)?;
        let end = at + word.len();
        let measure = question[end..].chars().next();
        let measure = measure.filter(|c| MEASURE_WORDS.contains(*c));
        let is_word = *word != IDEOGRAPHIC_COUNTERS[1];
        let length = measure.map(char::len_utf8).or(is_word.then_some(0))?;
        Some(at..end + length)
    });
    ranges.min_by_key(|range| range.start)
}

/// The two ideographs behind "how many" and a measure word in a Chinese question.
fn counted_in_ideographs(question: &str) -> Option<&str> {
    let rest = &question[ideographic_counter(question)?.end..];
    let mut words = text::words(rest).filter(|word| is_ideograph(word.text));
    let (first, second) = (words.next()?, words.next()?);
    let touch = first.range.start == 0 && first.range.end == second.range.start;
    touch.then(|| &rest[..second.range.end])
}

/// The word of a question that a determiner which asks stands before: "king" in "Which king". In
/// Chinese, the text after it.
pub(in crate::answering) fn focus<'a>(question: &'a str, cues: Option<&Cues>) -> Option<&'a str> {
    let determiners = cues.map_or("which", |cues| cues.determiners);
    if cues.is_some_and(|cues| cues.code == "zh") {
        let ends = items(determiners).filter_map(|word| Some(question.find(word)? + word.len()));
        return question.get(ends.min()?..);
    }
    let words = folded(question);
    // "Que" is also a conjunction, which is not near the beginning of a question.
    let asks = |at: &Range<usize>| {
        let range = words[at.start].1.start..words[at.end - 1].1.end;
        cues.is_none_or(|cues| cues.asks(question, range))
    };
    let ranges = items(determiners).filter_map(|word| positions(&words, word).find(asks));
    let range = ranges.min_by_key(|range| (range.start, Reverse(range.end)))?;
    let first = Some(range.end - 1).filter(|_| range.start < ASKED_WORDS)?;
    let is_capitalised = |at: &usize| {
        let word = words
            .get(*at)
            .and_then(|(_, range)| question.get(range.clone()));
        word.is_some_and(|word| word.starts_with(char::is_uppercase))
    };
    let noun = match cues.map(|cues| cues.code) {
        None => head_of_phrase(&words, first + 1),
        // Adjectives have no capital: "Welche neue Brücke".
        Some("de") => (first + 1..=first + PHRASE_WORDS).find(is_capitalised)?,
        Some(_) => first + 1,
    };
    let (word, range) = words.get(noun)?;
    let is_verb = cues.is_some_and(|cues| {
        let mut endings = items(cues.verb_endings);
        endings.any(|ending| question[range.clone()].ends_with(ending))
    });
    let is_stop_word = text::is_stop_word(word);
    (!is_verb && !is_stop_word).then(|| &question[range.clone()])
}

/// The position of the noun of a phrase of at most two words at a position: "threshold" of "Which
/// haemoglobin threshold applies", "king" of "Which king ruled".
fn head_of_phrase(words: &[Folded], first: usize) -> usize {
    let ending = |at: usize, endings: &[&str]| {
        let word = words.get(at);
        word.is_some_and(|(word, _)| endings.iter().any(|ending| word.ends_with(ending)))
    };
    let is_auxiliary = |at: usize| {
        let word = words.get(at).map(|(word, _)| word.as_str());
        word.is_some_and(|word| AUXILIARIES.contains(&word) || BE.contains(&word))
    };
    let second = first + 1;
    let is_noun = words
        .get(second)
        .is_some_and(|(word, _)| !text::is_stop_word(word))
        && !is_auxiliary(second)
        && !ending(second, &["s", "ed"]);
    if is_noun && (is_auxiliary(second + 1) || ending(second + 1, &["s", "ed"])) {
        second
    } else {
        first
    }
}

/// Forms of "be".
const BE: &[&str] = &["is", "are", "was", "were"];

/// The number of words behind "which" among which its noun is.
const PHRASE_WORDS: usize = 3;

/// The number of first words of a question among which the asking word is.
const ASKED_WORDS: usize = 12;

/// A folded word with its range in the text.
type Folded = (String, Range<usize>);

fn folded(text: &str) -> Vec<Folded> {
    text::words(text)
        .map(|word| (text::fold(word.text), word.range))
        .collect()
}

/// `true` for an Arabic word of a list with a conjunction or preposition of one letter before it:
/// "in which", "and when".
fn is_with_clitic(word: &str, own: &str) -> bool {
    (own.len() > ARABIC_WHO.len() || own == ARABIC_WHICH)
        && arabic::is_arabic(own)
        && word.strip_prefix(['و', 'ب', 'ل', 'ف']) == Some(own)
}

/// The positions of a phrase among words.
fn positions(words: &[Folded], phrase: &str) -> impl Iterator<Item = Range<usize>> {
    let length = phrase.split(' ').count();
    let windows = words
        .windows(length)
        .enumerate()
        .filter(move |(_, window)| {
            let mut window = window.iter().map(|(word, _)| word.as_str());
            phrase.split(' ').all(|own| {
                window
                    .next()
                    .is_some_and(|word| word == own || is_with_clitic(word, own))
            })
        });
    windows.map(move |(at, _)| at..at + length)
}

const CUES: &[Cues] = &[
    Cues {
        code: "de",
        questions: &[
            (AnswerType::Date, "wann"),
            (
                AnswerType::Quantity,
                "wie viel, wie viele, wie vielen, wieviel, wieviele, wie lang, wie lange, \
                    wie hoch, wie groß, wie weit, wie oft, wie alt, wie schnell, wie tief, \
                    wie schwer, wie breit, wie teuer, wie laut, wie warm, wie kalt",
            ),
            (AnswerType::Person, "wer, wen, wem, wessen, von wem"),
            (AnswerType::Location, "wo, woher, wohin"),
            (AnswerType::Reason, "warum, weshalb, wieso"),
        ],
        nouns: &[
            (
                AnswerType::Date,
                "jahr, jahren, datum, tag, tage, tagen, monat, jahrhundert, jahrzehnt, zeit",
            ),
            (
                AnswerType::Quantity,
                "prozentsatz, anteil, anzahl, zahl, menge, hohe, lange, tiefe, breite, große, \
                    flache, temperatur, geschwindigkeit, entfernung, alter, preis",
            ),
            (
                AnswerType::Person,
                "person, mann, frau, konig, konigin, kaiser, prasident, autor, forscher, \
                    wissenschaftler, spieler, kunstler, philosoph, unternehmen, firma, gruppe, \
                    team, mannschaft, organisation",
            ),
            (
                AnswerType::Location,
                "stadt, land, landern, ort, staat, region, nation, gebiet, kontinent, \
                    bundesland, stadtteil, viertel, provinz, insel, dorf",
            ),
            (AnswerType::Reason, "grund, grunde, grunden"),
        ],
        frame: "wer, wen, wem, wessen, wann, wieviel, wieviele, wie viel, wie viele, wie vielen, \
            wie lange, wie lang, wie hoch, wie oft, wie alt, wie teuer, woher, \
            wohin, warum, weshalb, wieso, wofur, womit, woran, worauf, woraus, \
            worin, worum, wovon, wozu, wodurch, wogegen, wonach, woruber, art von, name, namen, \
            heißt, hieß, lautet, genannt, bezeichnet, begriff, gibt es, gab es, existiert, \
            existieren, passierte, geschah, moglich, bekannt, befindet sich, befinden sich",
        determiners: "welche, welcher, welches, welchem, welchen",
        verb_endings: "",
        numbers: "zwei, drei, vier, funf, sechs, sieben, acht, neun, zehn, elf, zwolf, zwanzig, \
            dreißig, vierzig, funfzig, hundert, hunderte, tausend, tausende, million, \
            millionen, milliarde, milliarden, halfte, halb, drittel, viertel, doppelt, dutzend, \
            einmal, zweimal, dreimal",
        dates: "januar, februar, marz, april, mai, juni, juli, august, september, oktober, \
            november, dezember, jahrhundert, jahrhunderts, jahrzehnt",
        reasons: "weil, da, denn, wegen, aufgrund, durch, daher, deshalb, grund, grunde, grunden, \
            fuhrte, fuhrten, damit, um",
        prepositions: "in, im, aus, nach, bei, von, nahe, zwischen, am, an, auf, um",
    },
    Cues {
        code: "es",
        questions: &[
            (AnswerType::Date, "cuando"),
            (
                AnswerType::Quantity,
                "cuanto, cuanta, cuantos, cuantas, que tan, cantidad de, numero de, porcentaje de",
            ),
            (AnswerType::Open, "en cuanto a"),
            (AnswerType::Person, "quien, quienes"),
            (AnswerType::Location, "donde, adonde"),
            (
                AnswerType::Reason,
                "por que, que causo, que provoco, cual fue la causa, cual es la causa, \
                    a que se debe",
            ),
        ],
        nouns: &[
            (
                AnswerType::Date,
                "ano, anos, fecha, fechas, siglo, mes, dia, dias, decada, epoca, momento",
            ),
            (
                AnswerType::Quantity,
                "porcentaje, cantidad, numero, proporcion, altura, longitud, distancia, edad, \
                    temperatura, superficie, velocidad, poblacion, precio, costo, tasa, peso, \
                    profundidad, duracion",
            ),
            (
                AnswerType::Person,
                "persona, hombre, mujer, rey, reina, emperador, presidente, lider, autor, \
                    cientifico, investigador, jugador, equipo, empresa, compania, grupo, \
                    organizacion, artista, filosofo",
            ),
            (
                AnswerType::Location,
                "ciudad, pais, paises, lugar, region, nacion, estado, provincia, condado, \
                    barrio, continente, pueblo, zona, area, ubicacion, isla",
            ),
            (AnswerType::Reason, "motivo, motivos, razon, razones"),
        ],
        frame: "cuando, cuanto, cuanta, cuantos, cuantas, cual, cuales, quien, quienes, como, \
            adonde, tipo de, clase de, llama, llamaba, denomina, termino, nombre, nombres, \
            hay, habia, hubo, ser, puede, pueden, podia, podian, existe, existen, conoce, conocen, \
            se encuentra, se encuentran, principal, principales, posible, paso, ocurrio, sucedio, \
            funciona, funcionan, en cuanto a",
        determiners: "que, cual es el, cual es la, cual era el, cual era la, cual fue el, \
            cual fue la",
        verb_endings: "ó, aron, ieron, aba, aban, ía, ían, é",
        numbers: "dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce, veinte, \
            treinta, cuarenta, cincuenta, cien, ciento, cientos, mil, miles, millon, millones, \
            mitad, tercio, cuarto, doble, docena",
        dates: "enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, \
            noviembre, diciembre, siglo, siglos, decada",
        reasons: "porque, debido, ya que, puesto que, pues, por lo que, a causa, causa, causas, \
            motivo, razon, gracias a, para evitar",
        prepositions: "en, de, del, a, al, desde, hasta, cerca, entre",
    },
    Cues {
        code: "ar",
        questions: &[
            (AnswerType::Date, "متى"),
            (AnswerType::Quantity, "كم, بكم, ما مدى"),
            (
                AnswerType::Person,
                "من, من هو, من هي, من هم, من الذي, من التي, من الذين",
            ),
            (AnswerType::Location, "أين"),
            (AnswerType::Reason, "لماذا, لم"),
        ],
        nouns: &[
            (
                AnswerType::Date,
                "عام, أعوام, سنة, سنوات, تاريخ, قرن, شهر, يوم, عقد, وقت, فترة, موعد",
            ),
            (
                AnswerType::Quantity,
                "عدد, مقدار, نسبة, مساحة, طول, عرض, ارتفاع, عمق, وزن, سعر, تكلفة, قيمة, كمية, \
                    سرعة, درجة, حجم, معدل, متوسط, عمر, مدة, مسافة",
            ),
            (
                AnswerType::Person,
                "شخص, رجل, امرأة, ملك, ملكة, رئيس, زعيم, قائد, مؤلف, عالم, باحث, لاعب, شاعر, \
                    فنان, فيلسوف, فريق, شركة, منظمة",
            ),
            (
                AnswerType::Location,
                "مدينة, بلد, دولة, مكان, منطقة, قارة, ولاية, مقاطعة, موقع, إقليم, قرية, جزيرة",
            ),
            (AnswerType::Reason, "سبب, أسباب"),
        ],
        frame: "لماذا, كم عدد, ما عدد, ما هو عدد, كان, كانت, يكون, تكون, تم, اسم, نوع, عندما, \
            بم, إلام, علام, فيم, مم, يمكن, توجد, يوجد, تعرف, يعرف",
        determiners: "أي, أية, ما, ما هو, ما هي, ما كان, ما كانت, من هو, من هي, من هم",
        verb_endings: "",
        numbers: "اثنان, اثنين, ثلاثة, ثلاث, أربعة, أربع, خمسة, خمس, ستة, ست, سبعة, سبع, ثمانية, \
            ثماني, تسعة, تسع, عشرة, عشر, عشرين, ثلاثين, مئة, مائة, ألف, آلاف, مليون, مليار, \
            نصف, ثلث, ربع",
        dates: "يناير, فبراير, مارس, أبريل, مايو, يونيو, يوليو, أغسطس, سبتمبر, أكتوبر, نوفمبر, \
            ديسمبر, القرن, قرن, عام, سنة",
        reasons: "لأن, لأنه, لأنها, لأنهم, بسبب, نتيجة, سبب, لذلك, أدى, أدت",
        prepositions: "في, إلى, من, قرب, بين",
    },
    Cues {
        code: "zh",
        questions: &[
            (
                AnswerType::Date,
                "哪年, 何时, 哪天, 几月, 哪月, 何年, 哪一世纪",
            ),
            (AnswerType::Person, "谁, 哪位, 哪一位, 何人"),
            (
                AnswerType::Location,
                "哪里, 哪儿, 何处, 何地, 在哪, 哪国, 哪一国",
            ),
            (AnswerType::Reason, "为什么, 为何, 原因是什么, 何以"),
            (
                AnswerType::Quantity,
                "几次, 几年, 几天, 几岁, 几人, 百分之几, 多长, 多大, 多久, 多远, 多高, 多重, \
                    多快, 多深, 多宽",
            ),
        ],
        nouns: &[
            (
                AnswerType::Date,
                "年, 年份, 年代, 时候, 时间, 时期, 世纪, 天, 日, 日期, 月, 月份, 朝代",
            ),
            (AnswerType::Person, "人, 国王, 女王, 皇帝, 总统"),
            (
                AnswerType::Location,
                "地方, 国家, 城市, 地区, 区域, 地点, 位置, 省, 州, 县, 镇, 岛, 大陆, 大洲",
            ),
            (AnswerType::Reason, "原因"),
            (AnswerType::Quantity, "比例, 百分比"),
        ],
        frame: "什么时候, 什么时间, 什么名字, 是什么, 什么, 哪一年, 哪一个, 哪一, 哪些, 哪个, \
            哪位, 哪里, 哪种, 哪年, 哪天, 哪, 何时, 多少, 多长, 多大, 多久, 几个, 如何, 怎样, 怎么, \
            为什么, 为何, 谁, 吗, 呢, 哪一位, 哪一项, 哪一座, 哪一种, 哪座, 哪项, 哪条, 哪部, 哪家, \
            哪支, 哪本, 这项, 这个, 这种, 这些, 叫什么, 叫做, 称作, 何为, 何种",
        determiners: "哪一个, 哪个, 哪一位, 哪位, 哪一项, 哪项, 哪种, 哪座, 哪一座, 哪条, 哪些, 哪几个, 哪一, \
            什么",
        verb_endings: "",
        numbers: "二, 三, 四, 五, 六, 七, 八, 九, 十, 百, 千, 万, 亿, 两, 半",
        dates: "世纪, 年代, 月",
        reasons: "因为, 由于, 因此, 所以, 导致, 为了, 以便, 归因, 原因",
        prepositions: "位于, 坐落, 坐落于, 坐落在, 来自, 前往, 抵达, 毗邻, 省, 市, 州, 县, 镇, 岛, 国",
    },
    Cues {
        code: "fr",
        questions: &[
            (AnswerType::Date, "quand, quelle annee"),
            (AnswerType::Quantity, "combien"),
        ],
        ..NONE
    },
    Cues {
        code: "it",
        questions: &[
            (AnswerType::Date, "quando, che anno"),
            (AnswerType::Quantity, "quanto, quanta, quanti, quante"),
        ],
        ..NONE
    },
    Cues {
        code: "pt",
        questions: &[
            (AnswerType::Date, "quando, que ano"),
            (AnswerType::Quantity, "quanto, quanta, quantos, quantas"),
        ],
        ..NONE
    },
    Cues {
        code: "nl",
        questions: &[
            (AnswerType::Date, "wanneer, welk jaar"),
            (AnswerType::Quantity, "hoeveel"),
        ],
        ..NONE
    },
];

#[cfg(test)]
mod tests {
    use super::super::Question;
    use super::*;

    #[test]
    fn spanish_question_words_have_accents_where_one_has() {
        for (question, expected) in [
            ("¿Cuándo llegó el tren?", AnswerType::Date),
            (
                "¿Cómo se llama el puente que se cayó cuando llegó el tren?",
                AnswerType::Open,
            ),
            ("cuando llego el tren de la mañana", AnswerType::Date),
        ] {
            assert_eq!(
                Question::parse(question).answer_type,
                expected,
                "{question}"
            );
        }
    }

    #[test]
    fn counted_thing_stands_behind_a_measure_word() {
        let question = Question::parse("这条河上有多少座桥梁？");
        assert_eq!(question.counted.as_deref(), Some("桥梁"));
        assert!(question.terms.iter().all(|term| term.word != "座桥"));
        assert_eq!(counted_in_ideographs("他几岁？"), None);
    }

    #[test]
    fn nouns_behind_question_words_ask_for_their_type() {
        for (question, expected) in [
            ("In welchem Monat schließt das Bad?", AnswerType::Date),
            ("¿Cuál es la altura de la torre?", AnswerType::Quantity),
            ("¿En qué isla está el faro?", AnswerType::Location),
            ("من كتب القصيدة؟", AnswerType::Person),
            ("قبل الحرب، من هو الملك؟", AnswerType::Person),
            ("ما الهدف من الرحلة؟", AnswerType::Open),
            ("بأي مدينة يقع المصنع؟", AnswerType::Location),
            ("ما هي مساحة الحديقة؟", AnswerType::Quantity),
            ("哪座城市有两条地铁？", AnswerType::Location),
            ("几支队伍参加了比赛？", AnswerType::Quantity),
            ("什么几乎毁了这座桥？", AnswerType::Open),
        ] {
            let question = Question::parse(question);
            assert_eq!(question.answer_type, expected, "{}", question.text);
        }
        let question = Question::parse("In welchem Jahr brannte die Mühle?");
        assert!(question.terms.iter().all(|term| term.word != "jahr"));
        let question = Question::parse("كم من سفينة غرقت؟");
        assert_eq!(question.counted_word(), "سفينة");
    }

    #[test]
    fn german_focus_is_the_noun_behind_its_adjectives() {
        let question = "Welche neue Brücke führt über den Fluss?";
        let cues = Cues::of(question, Language::of_code("de"));
        assert_eq!(focus(question, cues), Some("Brücke"));
    }
}
