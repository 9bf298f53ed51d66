//! Each card is served in its own language: the Asian tree has Japanese, Chinese, Thai and
//! Indonesian cards.

use crate::client::Call;
use crate::few_sets;
use crate::market::Market;
use crate::support::{Database, Service, on_each_database};
use titledex_server::catalogue::Reader;
use titledex_server::market::seed_store::{FACT, seed_store};
use titledex_server::store::market::{ItemRecord, Language, PopulationRecord};

/// A Chinese card of a Chinese set.
const CHINESE: &str = "asia:SC1a-001";

/// A store that was filled by a build that knew two languages.
#[test]
fn store_of_an_earlier_build_learns_the_languages() {
    on_each_database(|database| {
        let few = Reader::open(Some(few_sets::index()), &[]).expect("it opens");
        let market = Market::on(database);
        let store = &market.store;
        market.runtime.block_on(async {
            let before = store.set("asia:SC1a").await.expect("it answers");
            let before = before.expect("it is there");
            assert_eq!(before.language, Language::Chinese);
            let mut cards = store.cards_with_ids(&[CHINESE]).await.expect("it answers");
            let found = cards.remove(0);
            assert_eq!(found.card.language, Language::Chinese);
            let mut loader = store.load().await.expect("it begins");
            let japanese = |item: ItemRecord| ItemRecord {
                language: Language::Japanese,
                ..item
            };
            let item = japanese(found.printings[0].clone());
            let mut card = found.card;
            card.language = Language::Japanese;
            let slug = "taken-by-another".to_owned();
            let moved = [(before.key, Language::Japanese, slug)];
            loader.move_sets(&moved).await.expect("it can be written");
            loader.put_cards(&[card]).await.expect("it can be written");
            let population = PopulationRecord {
                item: item.key,
                language: Language::Japanese,
                confidence: "high".to_owned(),
                ..PopulationRecord::default()
            };
            loader.put_items(&[item]).await.expect("it can be written");
            let populations = loader.put_populations(&[population]).await;
            populations.expect("it can be written");
            loader.set_fact(FACT, "earlier").await.expect("it is kept");
            loader.commit().await.expect("it is kept");
            let done = seed_store(store, &few.now()).await;
            assert!(done.expect("it can be filled"));
            let cards = store.cards_with_ids(&[CHINESE]).await.expect("it answers");
            assert_eq!(cards[0].card.language, Language::Chinese);
            assert_eq!(cards[0].printings[0].language, Language::Chinese);
            let own = cards[0].printings[0].marketplace_id.as_str();
            let populations = store
                .populations_of(&[own], None)
                .await
                .expect("it answers");
            assert_eq!(populations[0].language, Language::Chinese);
            let after = store.set("asia:SC1a").await.expect("it answers");
            assert_eq!(after.as_ref(), Some(&before));
        });
    });
}

#[test]
fn requests_for_a_language_get_that_language_alone() {
    let database = Database::sqlite();
    let service = Service::with(&database, |settings| settings.market.fill = true);
    let holder = service.account("shop", "enterprise");
    let get = |path: &str| {
        let call = Call::new("GET", format!("/api/v2/{path}")).key(&holder.key);
        let reply = service.send(&call);
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        reply.json()
    };
    for (language, total, set) in [
        ("chinese", 1_785, "asia:SC1a"),
        ("thai", 761, "asia:SV8s"),
        ("indonesian", 834, "asia:SV6s"),
    ] {
        let cards = get(&format!("cards?language={language}&limit=100"));
        assert_eq!(cards["metadata"]["total"], total);
        assert_eq!(cards["metadata"]["language"], language);
        let data = cards["data"].as_array().expect("a list");
        assert!(data.iter().all(|card| card["language"] == language));
        let sets = get(&format!("sets?language={language}&limit=1000"));
        let of_set = sets["data"].as_array().expect("a list");
        assert!(of_set.iter().all(|set| set["language"] == language));
        assert!(of_set.iter().any(|found| found["id"] == set), "{sets}");
    }
    let sets = get("sets?language=japanese&limit=1000");
    let ids = sets["data"].as_array().expect("a list").iter();
    let mut ids = ids.map(|set| set["id"].as_str().unwrap_or_default());
    assert!(ids.len() > 400 && !ids.any(|id| id == "asia:SC1a" || id == "asia:SV8s"));
    // words, too: the name is that of cards in all of them
    for language in ["english", "japanese", "chinese", "thai", "indonesian"] {
        let path = format!("cards?search=pikachu&language={language}&limit=100");
        let found = get(&path);
        let data = found["data"].as_array().expect("a list");
        assert!(!data.is_empty(), "{language}");
        assert!(data.iter().all(|card| card["language"] == language));
    }
    // words for an era name several sets, and so none
    let call = Call::new(
        "GET",
        "/api/v2/cards?set=%E6%97%A7%E8%A3%8F&language=japanese",
    );
    let era = service.send(&call.key(&holder.key));
    assert_eq!((era.status, era.code().as_str()), (404, "unknown_set"));
    let message = era.json()["error"]["message"].to_string();
    assert!(message.contains("perhaps"), "{message}");
    // a set has all its cards unless a language stands beside it
    let all = get("cards?setId=asia:S10b&fetchAllInSet=true");
    assert_eq!(all["metadata"]["language"], "japanese");
    let japanese = get("cards?setId=asia:S10b&fetchAllInSet=true&language=japanese");
    let chinese = get("cards?setId=asia:S10b&fetchAllInSet=true&language=chinese");
    let total = |body: &serde_json::Value| body["metadata"]["total"].as_i64();
    assert_eq!(
        (total(&all), total(&japanese), total(&chinese)),
        (Some(109), Some(101), Some(8))
    );
}
