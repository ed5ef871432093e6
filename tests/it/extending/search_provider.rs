//! A search service of somebody else: a [`SearchProvider`] in a table is all it takes.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use research::pipeline::Clock;
use research::read::Reader;
use research::web::search::reply::{json, list, optional, text};
use research::web::{
    Defaults, Fetcher, Limits, PROVIDERS, ProviderTable, SearchProvider, ServiceConfig,
    ServiceRequest, SystemLookup, WebClient, WebError, WebHit,
};

use crate::server::{Server, page};
use crate::web::wait;

/// A library of card indexes, which wants a key.
static CARDS: SearchProvider = SearchProvider {
    longest_query: 20,
    defaults: Defaults {
        key_variable: "CARDS_OF_A_TEST_KEY",
        usd_per_thousand: 1000.0,
        suits: &["cards"],
        queries: 2,
        ..Defaults::NONE
    },
    remedy: |status| (status == 418).then_some("it is a teapot; look in its drawers"),
    ..SearchProvider::new("cards", request, |reply| {
        list(&json(reply)?["drawers"], |card| WebHit {
            url: text(&card["at"]),
            title: text(&card["name"]),
            author: optional(&card["by"]),
            ..WebHit::default()
        })
    })
};

const KEY: &str = "a-key-of-cards";

fn request(config: &ServiceConfig, query: &str, limit: usize) -> Option<ServiceRequest> {
    let limit = limit.to_string();
    let parameters = [("words", query), ("number", limit.as_str())];
    let request = config.get("https://cards.example", "/find", &parameters)?;
    Some(request.with_header("X-Card-Key", config.key.as_ref()?))
}

/// All services, and this one.
fn table() -> ProviderTable {
    let providers: Vec<&SearchProvider> = PROVIDERS.iter().copied().chain([&CARDS]).collect();
    ProviderTable::new(&providers)
}

fn fetcher() -> Fetcher {
    let limits = Limits {
        allow: vec!["127.0.0.1".to_owned()],
        gap: Duration::ZERO,
        retry_wait: Duration::ZERO,
        ..Limits::default()
    };
    Fetcher::new(limits, Arc::new(SystemLookup), None, Clock::default()).unwrap()
}

fn served(server: &Server) -> ServiceConfig {
    ServiceConfig {
        base_url: Some(server.url("")),
        key: Some(KEY.to_owned()),
        ..ServiceConfig::default()
    }
}

#[test]
fn a_toy_search_provider_is_asked_and_its_hits_come_back() {
    let server = Server::new(|path, stream| {
        assert_eq!(path, "/find?words=heat+pumps+in+old&number=5");
        let reply = r#"{"drawers": [{"at": "https://e.org/a", "name": "On <b>heat</b>",
            "by": "Ann B"}, {"at": "drawer 3", "name": "No page"}]}"#;
        page(stream, "200 OK", "application/json", reply.as_bytes())
    });
    let query = "heat pumps in old houses";
    let response = wait(CARDS.search(&fetcher(), &served(&server), query, 5)).unwrap();
    let hit = WebHit {
        url: "https://e.org/a".to_owned(),
        title: "On heat".to_owned(),
        author: Some("Ann B".to_owned()),
        ..WebHit::default()
    };
    assert_eq!(response.hits, [hit]);
    assert_eq!(server.requests.load(Ordering::SeqCst), 1);
}

#[test]
fn the_table_derives_names_settings_and_help_from_a_toy_search_provider() {
    let mut table = table();
    let cards = ["cards".to_owned()];
    assert_eq!(table.provider("cards").unwrap(), &CARDS);
    assert_eq!(table.usd_per_query(&CARDS), 1.0);
    assert_eq!(table.max_queries(&CARDS), 2);
    // The doctor, and whoever names it, read which variable it wants.
    let described = table.describe();
    assert!(
        described.contains("cards wants CARDS_OF_A_TEST_KEY"),
        "{described}"
    );
    let missing = table.select(&cards, "").unwrap_err().to_string();
    assert!(
        missing.contains("cards cannot be asked: set CARDS_OF_A_TEST_KEY"),
        "{missing}"
    );
    let unknown = table.provider("card").unwrap_err().to_string();
    assert!(unknown.ends_with(", cards"), "{unknown}");
    // An entry of the user's replaces its settings. Any variable that is set serves for a key.
    table
        .replace("[cards]\nkey_variable = \"PATH\"\nusd_per_thousand = 5.0\nsuits = [\"bees\"]\n")
        .unwrap();
    assert_eq!(table.usd_per_query(&CARDS), 0.005);
    assert_eq!(table.select(&cards, "").unwrap(), [&CARDS]);
    let auto = table
        .select(&["auto".to_owned()], "Do bees dance?")
        .unwrap();
    assert!(auto.contains(&&CARDS), "{auto:?}");
}

#[test]
fn the_web_client_searches_a_toy_search_provider_and_names_its_remedy() {
    let server = Server::new(|_, stream| page(stream, "418 I'm a teapot", "text/plain", b""));
    let mut table = table();
    let entry = format!(
        "[cards]\nbase_url = \"{}\"\nkey_variable = \"PATH\"\n",
        server.url("")
    );
    table.replace(&entry).unwrap();
    let client = WebClient::new(fetcher(), table, Reader::in_process()).unwrap();
    let searches = wait(client.search(&[&CARDS], &["heat".to_owned()], 5));
    let error = searches[0].hits.as_ref().unwrap_err();
    assert!(
        matches!(error, WebError::Service { status: 418, .. }),
        "{error}"
    );
    assert!(error.to_string().contains("look in its drawers"), "{error}");
}
