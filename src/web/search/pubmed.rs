//! PubMed, by Europe PMC's interface, which answers a search in one step:
//! <https://europepmc.org/RestfulWebService>.

use serde_json::Value;

use super::provider::{Defaults, SearchProvider, ServiceConfig};
use super::query;
use super::reply::{json, list, optional, text};
use crate::web::hit::WebHit;
use crate::web::request::ServiceRequest;

/// PubMed.
pub(super) const PROVIDER: SearchProvider = SearchProvider {
    defaults: Defaults {
        suits: &[
            "disease",
            "patient",
            "patients",
            "clinical",
            "medicine",
            "medical",
            "drug",
            "drugs",
            "therapy",
            "treatment",
            "cancer",
            "vaccine",
            "health",
            "symptoms",
            "gene",
            "protein",
        ],
        ..Defaults::NONE
    },
    ..SearchProvider::new("pubmed", request, |reply| hits(&json(reply)?))
};

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let count = limit.clamp(1, 100).to_string();
    let query = format!("({}) AND SRC:MED", query::words(query).join(" "));
    let parameters = [
        ("query", query.as_str()),
        ("format", "json"),
        ("resultType", "core"),
        ("pageSize", count.as_str()),
    ];
    let base = "https://www.ebi.ac.uk/europepmc";
    config.get(base, "/webservices/rest/search", &parameters)
}

fn hits(reply: &Value) -> Option<Vec<WebHit>> {
    list(&reply["resultList"]["result"], |paper| WebHit {
        url: optional(&paper["pmid"]).map(page).unwrap_or_default(),
        title: text(&paper["title"]),
        date: optional(&paper["firstPublicationDate"]),
        author: optional(&paper["authorString"]),
        ..WebHit::default()
    })
}

fn page(id: String) -> String {
    format!("https://pubmed.ncbi.nlm.nih.gov/{id}/")
}
