//! Items by what marketplaces call them: in files, in requests and in answers.

use crate::client::Call;
use crate::few_sets;
use crate::market::Market;
use crate::support::{Database, Service, on_each_database};
use serde_json::Value;
use titledex_server::catalogue::Reader;
use titledex_server::market::load::Kind;
use titledex_server::store::market::MarketplaceId;

/// TCGplayer's and Cardmarket's product of Base Set's unlimited Charizard.
const TCGPLAYER: &str = "42382";
const CARDMARKET: &str = "273699";

/// A service with the cards of a few sets.
fn service(database: &Database, scheme: MarketplaceId) -> Service {
    Service::with(database, |settings| {
        settings.catalogue = Some(few_sets::index());
        settings.market.fill = true;
        settings.market.marketplace_id = scheme;
    })
}

fn get(service: &Service, key: &str, path: &str) -> Value {
    let reply = service.send(&Call::new("GET", path.to_owned()).key(key));
    assert_eq!(reply.status, 200, "{path}: {reply:?}");
    reply.json()
}

/// A price row for each printing that TCGplayer sells, by its product and the printing's name.
fn rows(reader: &Reader) -> Vec<String> {
    let loaded = reader.now();
    let mut rows = Vec::new();
    for (at, facts) in loaded.catalogue().facts().enumerate() {
        for printing in &facts.card.printings {
            if let Some(product) = printing.ids.tcgplayer {
                let (dollars, label) = (at % 900 + 1, printing.printing);
                rows.push(format!("|2026-11-20|{dollars}.25||||||{product}||{label}"));
            }
        }
    }
    rows
}

#[test]
fn prices_of_every_product_are_placed_or_refused_with_a_reason() {
    on_each_database(|database| {
        // all cards on SQLite: writing them takes seconds
        let few = (database.kind == "postgres")
            .then(|| Reader::open(Some(few_sets::index()), &[]).expect("it opens"));
        let market = match few {
            Some(_) => Market::on(database),
            None => Market::whole(database),
        };
        let (rows, least) = match &few {
            Some(few) => (rows(few), 1_000),
            None => (rows(&market.reader), 40_000),
        };
        let texts: Vec<&str> = rows.iter().map(String::as_str).collect();
        let report = market.load_right(Kind::Prices, &texts);
        // the header is the first row
        let wrong: Vec<usize> = report.errors.iter().map(|e| e.row as usize - 2).collect();
        for error in &report.errors {
            assert!(error.to_string().contains("printings ("), "{error}");
        }
        assert!(
            rows.len() > least && wrong.len() * 20 < rows.len(),
            "{} of {} rows are several printings",
            wrong.len(),
            rows.len()
        );
        let placed: Vec<&str> = (0..)
            .zip(&texts)
            .filter(|(at, _)| wrong.binary_search(at).is_err())
            .map(|(_, row)| *row)
            .collect();
        let service = Service::on(database);
        let holder = service.account("reader", "enterprise");
        for row in placed.iter().step_by(least / 5 + 1) {
            let cells: Vec<&str> = row.split('|').collect();
            let path = format!("/api/v2/cards?marketplaceId={}", cells[8]);
            let answer = get(&service, &holder.key, &path);
            let priced = answer["data"]
                .as_array()
                .expect("a list")
                .iter()
                .any(|card| {
                    let of = card["printings"].as_array().expect("a list");
                    of.iter().any(|one| {
                        one["market"].as_f64() == cells[2].parse().ok()
                            && one["ids"]["tcgplayer"].as_u64() == cells[8].parse().ok()
                    })
                });
            assert!(priced, "{row}: {answer}");
        }
        service.stop();
    });
}

#[test]
fn an_item_is_found_by_any_of_its_names() {
    let database = Database::sqlite();
    let service = service(&database, MarketplaceId::Own);
    let holder = service.account("reader", "enterprise");
    let own = "base1-4:unlimited-holofoil";
    for called in [
        own,
        "base1-4",
        TCGPLAYER,
        &format!("tcgplayer:{TCGPLAYER}"),
        &format!("cardmarket:{CARDMARKET}"),
    ] {
        let path = format!("/api/v2/cards?marketplaceId={called}");
        let answer = get(&service, &holder.key, &path);
        let cards = answer["data"].as_array().expect("a list");
        assert_eq!(cards.len(), 1, "{called}: {answer}");
        assert_eq!(cards[0]["marketplaceId"], own, "{called}");
        assert_eq!(cards[0]["ids"]["tcgplayer"].to_string(), TCGPLAYER);
        assert_eq!(cards[0]["ids"]["cardmarket"].to_string(), CARDMARKET);
    }
    for unknown in ["1", "cardmarket:1", "tcgplayer:0", "base1-4:other"] {
        let path = format!("/api/v2/cards?marketplaceId={unknown}");
        let answer = get(&service, &holder.key, &path);
        assert_eq!(answer["data"], Value::Array(Vec::new()), "{unknown}");
    }
    service.stop();
}

#[test]
fn a_setting_says_whose_ids_are_shown() {
    for (scheme, shown) in [
        (MarketplaceId::Tcgplayer, TCGPLAYER),
        (MarketplaceId::Cardmarket, CARDMARKET),
    ] {
        let database = Database::sqlite();
        let service = service(&database, scheme);
        let holder = service.account("reader", "enterprise");
        let path = format!("/api/v2/cards?marketplaceId={shown}");
        let answer = get(&service, &holder.key, &path);
        assert_eq!(answer["data"][0]["marketplaceId"], shown, "{answer}");
        assert_eq!(answer["data"][0]["cardId"], "base1-4");
        service.stop();
    }
}

#[test]
fn cards_of_an_export_with_products_are_those_of_the_catalogue() {
    let database = Database::sqlite();
    let market = Market::on(&database);
    market.right(
        Kind::Cards,
        &[
            "42382|Charizard|Base Set|base1|4/102|Holo Rare|english|Unlimited Holofoil|420.5|||2026-11-20",
            "990001|New Card|New Set|new1|7/10|Rare|english|Holofoil|2|||2026-11-20",
        ],
    );
    let found = |called: &str| {
        let own = async { market.store.own_ids(&[called], MarketplaceId::Own).await };
        market.runtime.block_on(own).expect("it answers").concat()
    };
    assert_eq!(found("42382"), ["base1-4:unlimited-holofoil"]);
    assert_eq!(found("990001"), ["new1-7:holofoil"]);
    let report = market.load(
        Kind::Prices,
        &[
            "|2026-11-20|1||||||42382x",
            "|2026-11-20|1||||||",
            "|2026-11-20|1||||||3",
        ],
    );
    let said: Vec<String> = report.errors.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said[1].contains("is empty"), "{said:?}");
    assert!(said[2].contains("is not in the store"), "{said:?}");
}

/// A product that is two printings has two populations: a list shows both, and who asks for one is
/// told their ids.
#[test]
fn populations_of_a_shared_product_are_all_listed_and_none_is_hidden() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("reader", "business");
        let import = |kind: &str, body: &str| {
            let mut call = Call::new("POST", format!("/api/admin/import/{kind}"))
                .key(&service.admin)
                .header("Content-Type", "text/csv");
            call.body = body.as_bytes().to_vec();
            let reply = service.send(&call);
            assert_eq!(reply.status, 201, "{}", reply.text());
        };
        import(
            "cards",
            "marketplaceId,name,setName,setId,cardNumber,language,printing,tcgplayerId\n\
             own-7:holo,Glitterzard,Home Made,own,7/10,english,Holo,106999\n\
             own-7:first,Glitterzard,Home Made,own,7/10,english,1st Edition,106999\n\
             own-8:holo,Mudzard,Home Made,own,8/10,english,Holo,107000\n",
        );
        let population = |id: &str, tens: u32| {
            let header = "marketplaceId,grader,matchConfidence,g10\n";
            import(
                "population",
                &format!("{header}{id},GRADER_A,high,{tens}\n"),
            );
        };
        let path = |query: &str| format!("/api/v2/population?{query}");
        let of = |query: &str| get(&service, &holder.key, &path(query));
        // only one of the two has data: that one is meant
        population("own-7:first", 3);
        let one = of("marketplaceId=106999");
        assert_eq!(one["data"]["marketplaceId"], "own-7:first", "{one}");
        assert_eq!(one["metadata"]["count"], 1);
        population("own-7:holo", 40);
        population("own-8:holo", 5);
        let reply = service.send(&Call::new("GET", path("marketplaceId=106999")).key(&holder.key));
        assert_eq!(
            (
                reply.status,
                reply.code().as_str(),
                reply.number("x-ratelimit-cost")
            ),
            (400, "several_printings", 0),
            "{reply:?}"
        );
        for id in ["own-7:holo", "own-7:first"] {
            assert!(reply.text().contains(id), "{id}: {}", reply.text());
        }
        // filters may leave one
        let one = of("marketplaceId=106999&minPopulation=10");
        assert_eq!(one["data"]["totalPopulation"], 40, "{one}");
        let three = of("marketplaceIds=106999,own-8:holo,106999");
        let metadata = &three["metadata"];
        let counts = ["total", "count", "limit"].map(|name| metadata[name].as_i64());
        assert_eq!(counts, [Some(3); 3], "{three}");
        assert_eq!(three["data"].as_array().map(Vec::len), Some(3));
        assert_eq!(metadata["apiCallsConsumed"]["total"], 4, "{three}");
        service.stop();
    });
}
