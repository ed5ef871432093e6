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
}

/// The number of headings.
const COUNT: usize = Heading::Source as usize + 1;

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
        ],
    ),
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
        let column = |language| Headings::of(language).get(Heading::Value);
        assert_eq!(column("de"), "Wert");
        assert_eq!(column(""), "Value");
        for (names, texts) in LANGUAGES {
            let distinct: std::collections::BTreeSet<&str> = texts.into_iter().collect();
            assert_eq!(distinct.len(), texts.len(), "{names}");
        }
    }
}
