//! PubMed, by Europe PMC's interface, which answers a search in one step:
//! <https://europepmc.org/RestfulWebService>.

use serde_json::Value;

use super::{Asked, Setup, WebHit, get, list, optional, query, text};

pub(super) fn request(setup: &Setup, query: &str, limit: usize) -> Option<Asked> {
    let count = limit.clamp(1, 100).to_string();
    let query = format!("({}) AND SRC:MED", query::words(query).join(" "));
    let parameters = [
        ("query", query.as_str()),
        ("format", "json"),
        ("resultType", "core"),
        ("pageSize", count.as_str()),
    ];
    let base = "https://www.ebi.ac.uk/europepmc";
    get(setup, base, "/webservices/rest/search", &parameters)
}

pub(super) fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    let page = |id: String| format!("https://pubmed.ncbi.nlm.nih.gov/{id}/");
    list(&reply["resultList"]["result"], |paper| WebHit {
        url: optional(&paper["pmid"]).map(page).unwrap_or_default(),
        title: text(&paper["title"]),
        snippet: text(&paper["abstractText"]),
        date: optional(&paper["firstPublicationDate"]),
        author: optional(&paper["authorString"]),
        ..WebHit::default()
    })
}
