//! The fixed headings of a report, in the language that it was written in.

/// A part with a fixed heading.
#[derive(Debug, Clone, Copy)]
pub(super) enum Heading {
    Summary,
    Abstract,
    Answer,
    Tables,
    Series,
    Disagreements,
    Opinion,
    Conclusion,
    Questions,
    Nearest,
    Themes,
    Limits,
    References,
    Evidence,
    Contents,
    Date,
    Value,
    Source,
    /// A sentence with `{}` for what one side affirms and the other denies.
    Denied,
}

/// The number of headings.
const COUNT: usize = Heading::Denied as usize + 1;

/// The headings of the languages, in the order of [`Heading`], with the names by which users call
/// each language; those of the first language stand for all that are missing.
const LANGUAGES: [(&str, [&str; COUNT]); 8] = [
    (
        "en english",
        [
            "In brief",
            "Abstract",
            "Answer",
            "Tables",
            "Values over time",
            "Where the documents disagree",
            "Public opinion",
            "Conclusion",
            "Open questions",
            "Nearest documents",
            "Themes",
            "Limits of this research",
            "References",
            "Evidence",
            "Contents",
            "Date",
            "Value",
            "Source",
            "One says yes, the other no, to “{}”",
        ],
    ),
    (
        "de german deutsch",
        [
            "Kurz gefasst",
            "Zusammenfassung",
            "Antwort",
            "Tabellen",
            "Werte im Lauf der Zeit",
            "Worin sich die Dokumente widersprechen",
            "Öffentliche Meinung",
            "Fazit",
            "Offene Fragen",
            "Nächstliegende Dokumente",
            "Themen",
            "Grenzen dieser Recherche",
            "Quellen",
            "Belege",
            "Inhalt",
            "Datum",
            "Wert",
            "Quelle",
            "Das eine sagt Ja, das andere Nein zu „{}“",
        ],
    ),
    (
        "fr french français francais",
        [
            "En bref",
            "Résumé",
            "Réponse",
            "Tableaux",
            "Valeurs au fil du temps",
            "Points de désaccord entre les documents",
            "Opinion publique",
            "Conclusion",
            "Questions ouvertes",
            "Documents les plus proches",
            "Thèmes",
            "Limites de cette recherche",
            "Références",
            "Preuves",
            "Sommaire",
            "Date",
            "Valeur",
            "Source",
            "L’un dit oui, l’autre non à « {} »",
        ],
    ),
    (
        "es spanish español espanol castellano",
        [
            "En breve",
            "Resumen",
            "Respuesta",
            "Tablas",
            "Valores a lo largo del tiempo",
            "En qué discrepan los documentos",
            "Opinión pública",
            "Conclusión",
            "Preguntas abiertas",
            "Documentos más cercanos",
            "Temas",
            "Límites de esta investigación",
            "Referencias",
            "Pruebas",
            "Índice",
            "Fecha",
            "Valor",
            "Fuente",
            "Uno dice sí, el otro no a «{}»",
        ],
    ),
    (
        "it italian italiano",
        [
            "In breve",
            "Sommario",
            "Risposta",
            "Tabelle",
            "Valori nel tempo",
            "Dove i documenti non concordano",
            "Opinione pubblica",
            "Conclusione",
            "Questioni aperte",
            "Documenti più vicini",
            "Temi",
            "Limiti di questa ricerca",
            "Riferimenti",
            "Prove",
            "Indice",
            "Data",
            "Valore",
            "Fonte",
            "Uno dice sì, l’altro no a «{}»",
        ],
    ),
    (
        "pt portuguese português portugues",
        [
            "Em resumo",
            "Resumo",
            "Resposta",
            "Tabelas",
            "Valores ao longo do tempo",
            "Onde os documentos divergem",
            "Opinião pública",
            "Conclusão",
            "Questões em aberto",
            "Documentos mais próximos",
            "Temas",
            "Limites desta pesquisa",
            "Referências",
            "Provas",
            "Índice",
            "Data",
            "Valor",
            "Fonte",
            "Um diz sim, o outro não a “{}”",
        ],
    ),
    (
        "nl dutch nederlands",
        [
            "In het kort",
            "Samenvatting",
            "Antwoord",
            "Tabellen",
            "Waarden door de tijd",
            "Waarin de documenten verschillen",
            "Publieke opinie",
            "Conclusie",
            "Open vragen",
            "Meest verwante documenten",
            "Thema's",
            "Beperkingen van dit onderzoek",
            "Bronnen",
            "Bewijs",
            "Inhoud",
            "Datum",
            "Waarde",
            "Bron",
            "Het ene zegt ja, het andere nee op “{}”",
        ],
    ),
    (
        "pl polish polski",
        [
            "W skrócie",
            "Streszczenie",
            "Odpowiedź",
            "Tabele",
            "Wartości w czasie",
            "W czym dokumenty się różnią",
            "Opinia publiczna",
            "Wnioski",
            "Otwarte pytania",
            "Najbliższe dokumenty",
            "Tematy",
            "Ograniczenia tych badań",
            "Źródła",
            "Dowody",
            "Spis treści",
            "Data",
            "Wartość",
            "Źródło",
            "Jedno źródło mówi tak, drugie nie: „{}”",
        ],
    ),
];

/// The headings that the rules give to sections, in the order of [`LANGUAGES`].
const SECTIONS: [[&str; LANGUAGES.len()]; 10] = [
    [
        "What the documents say",
        "Was die Dokumente sagen",
        "Ce que disent les documents",
        "Lo que dicen los documentos",
        "Che cosa dicono i documenti",
        "O que dizem os documentos",
        "Wat de documenten zeggen",
        "Co mówią dokumenty",
    ],
    [
        "How it works",
        "Wie es funktioniert",
        "Fonctionnement",
        "Cómo funciona",
        "Come funziona",
        "Como funciona",
        "Hoe het werkt",
        "Jak to działa",
    ],
    [
        "Reasons and benefits",
        "Gründe und Vorteile",
        "Raisons et avantages",
        "Razones y ventajas",
        "Ragioni e vantaggi",
        "Razões e vantagens",
        "Redenen en voordelen",
        "Powody i korzyści",
    ],
    [
        "Arguments in favour",
        "Was dafür spricht",
        "Arguments pour",
        "Argumentos a favor",
        "Argomenti a favore",
        "Argumentos a favor",
        "Argumenten voor",
        "Argumenty za",
    ],
    [
        "Costs and drawbacks",
        "Kosten und Nachteile",
        "Coûts et inconvénients",
        "Costes e inconvenientes",
        "Costi e svantaggi",
        "Custos e desvantagens",
        "Kosten en nadelen",
        "Koszty i wady",
    ],
    [
        "Arguments against, and costs",
        "Was dagegen spricht, und Kosten",
        "Arguments contre, et coûts",
        "Argumentos en contra, y costes",
        "Argomenti contro, e costi",
        "Argumentos contra, e custos",
        "Argumenten tegen, en kosten",
        "Argumenty przeciw i koszty",
    ],
    [
        "Other options",
        "Andere Möglichkeiten",
        "Autres options",
        "Otras opciones",
        "Altre possibilità",
        "Outras opções",
        "Andere mogelijkheden",
        "Inne możliwości",
    ],
    [
        "Figures", "Zahlen", "Chiffres", "Cifras", "Cifre", "Números", "Cijfers", "Liczby",
    ],
    [
        "Recommendations in the documents",
        "Empfehlungen in den Dokumenten",
        "Recommandations des documents",
        "Recomendaciones de los documentos",
        "Raccomandazioni dei documenti",
        "Recomendações dos documentos",
        "Aanbevelingen in de documenten",
        "Zalecenia w dokumentach",
    ],
    [
        "Left open in the documents",
        "Was die Dokumente offen lassen",
        "Ce que les documents laissent ouvert",
        "Lo que los documentos dejan abierto",
        "Che cosa i documenti lasciano aperto",
        "O que os documentos deixam em aberto",
        "Wat de documenten openlaten",
        "Co dokumenty pozostawiają otwarte",
    ],
];

/// The fixed headings of a language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Headings {
    /// The code of ISO 639-1.
    pub(super) code: &'static str,
    texts: &'static [&'static str; COUNT],
}

impl Headings {
    /// Returns the headings of a language by its name or code, English ones for any other.
    pub(super) fn of(language: &str) -> Self {
        let language = language.trim().to_lowercase();
        // `de-CH` and `German (Swiss)` are German.
        let name = language
            .split(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or_default();
        let is_called = |names: &str| names.split(' ').any(|own| own == name);
        let mut languages = LANGUAGES.iter();
        let own = languages.find(|(names, _)| is_called(names));
        let (names, texts) = own.unwrap_or(&LANGUAGES[0]);
        let code = names.split(' ').next().unwrap_or_default();
        Self { code, texts }
    }

    /// Returns the heading of a section: that of the rules, which is English, in this language, any
    /// other as it is.
    pub(super) fn section(self, heading: &str) -> &str {
        let is_called = |(names, _): &(&str, _)| names.starts_with(self.code);
        let language = LANGUAGES.iter().position(is_called).unwrap_or(0);
        let mut sections = SECTIONS.iter();
        let own = sections.find(|texts| texts[0] == heading);
        own.map_or(heading, |texts| texts[language])
    }

    /// Returns a heading.
    pub(super) fn get(self, heading: Heading) -> &'static str {
        self.texts[heading as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_those_of_the_named_language() {
        let conclusion = |language| Headings::of(language).get(Heading::Conclusion);
        assert_eq!(conclusion("German"), "Fazit");
        assert_eq!(conclusion("de-CH"), "Fazit");
        assert_eq!(conclusion(" Español "), "Conclusión");
        assert_eq!(conclusion(""), "Conclusion");
        assert_eq!(conclusion("Klingon"), "Conclusion");
        let section = |heading| Headings::of("de").section(heading);
        assert_eq!(section("Other options"), "Andere Möglichkeiten");
        assert_eq!(section("Kosten"), "Kosten");
        let column = |language| Headings::of(language).get(Heading::Value);
        assert_eq!(column("de"), "Wert");
        assert_eq!(column(""), "Value");
        for (names, texts) in LANGUAGES {
            let distinct: std::collections::BTreeSet<&str> = texts.into_iter().collect();
            assert_eq!(distinct.len(), texts.len(), "{names}");
            let denied = texts[Heading::Denied as usize];
            assert_eq!(denied.matches("{}").count(), 1, "{names}");
        }
    }
}
