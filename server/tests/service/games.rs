//! Several games in one service: what is read, listed, searched and imported of each.

use crate::client::{Call, Reply};
use crate::few_sets;
use crate::support::{Database, Holder, Service, on_each_database};
use serde_json::{Value, json};
use titledex::{Catalogue, Engine, Options};
use titledex_server::market::seed_store::seed_store;

/// The games of most of these tests.
const GAMES: [&str; 3] = ["pokemon", "onepiece", "digimon"];
/// A card of each, by the id of its printing.
const CARDS: [(&str, &str); 3] = [
    ("pokemon", "base1-4:unlimited-holofoil"),
    ("onepiece", "onepiece:OP01-001:normal"),
    ("digimon", "digimon:BT1-010:other"),
];
/// TCGplayer's product of a card of One Piece.
const HYOGORO: &str = "454543";

fn service(database: &Database, games: &[&str]) -> Service {
    Service::with(database, |settings| {
        settings.catalogue = Some(few_sets::index_of_games());
        settings.market.fill = true;
        settings.games = games.iter().map(|game| (*game).to_owned()).collect();
    })
}

fn ask(service: &Service, holder: &Holder, path: &str) -> Reply {
    service.send(&Call::new("GET", format!("/api/{path}")).key(&holder.key))
}

fn get(service: &Service, holder: &Holder, path: &str) -> Value {
    let reply = ask(service, holder, path);
    assert_eq!(reply.status, 200, "{path}: {reply:?}");
    reply.json()
}

/// The values of a member of all that is listed, each once.
fn every(answer: &Value, member: &str) -> Vec<String> {
    let data = answer["data"].as_array().expect("a list").iter();
    let mut all: Vec<String> = data
        .map(|one| one[member].as_str().unwrap_or_default().to_owned())
        .collect();
    all.sort();
    all.dedup();
    all
}

/// Imports rows, and answers what became of them.
fn import(service: &Service, kind: &str, rows: &str) -> Value {
    let mut call = Call::new("POST", format!("/api/admin/import/{kind}"))
        .key(&service.admin)
        .header("Content-Type", "text/csv");
    call.body = rows.as_bytes().to_vec();
    let reply = service.send(&call);
    assert!(reply.status < 300, "{kind}: {reply:?}");
    reply.json()["data"].clone()
}

/// The reasons for which rows were set aside.
fn reasons(summary: &Value) -> Vec<String> {
    let errors = summary["errors"].as_array().expect("a list").iter();
    errors.map(ToString::to_string).collect()
}

#[test]
fn titles_and_lists_have_the_cards_of_every_open_game() {
    let index = std::fs::read(few_sets::index_of_games()).expect("it was made");
    let engine = Engine::builder(Catalogue::open(index).expect("it opens"))
        .games(GAMES)
        .build()
        .expect("it has these games");
    on_each_database(|database| {
        let service = service(database, &GAMES);
        let holder = service.account("shop", "enterprise");
        for (title, outcome, game) in [
            (
                "Roronoa Zoro OP01-001 Leader Romance Dawn PSA 10",
                "match",
                "onepiece",
            ),
            ("Agumon BT1-010 Rare NM", "match", "digimon"),
            ("Charizard Holo 4/102 Base Set PSA 9", "match", "pokemon"),
            (
                "Magic the Gathering Alpha Shivan Dragon",
                "other_game",
                "magic",
            ),
        ] {
            let body = json!({"title": title}).to_string();
            let answer = service.send(&Call::parse(&holder.key, body)).json()["data"].clone();
            let native = serde_json::to_string(&engine.answer(title, &Options::new()));
            let native: Value = serde_json::from_str(&native.expect("it is text")).expect("JSON");
            assert_eq!(answer, native, "{title}");
            assert_eq!(answer["outcome"]["type"], outcome, "{title}");
            assert_eq!(answer["parsed"]["game"], game, "{title}");
        }
        let total = |path: &str| get(&service, &holder, path)["metadata"]["total"].clone();
        let one_piece = total("v2/cards?game=onepiece&limit=1");
        let digimon = total("v2/cards?game=digimon&limit=1");
        let number = |total: &Value| total.as_i64().expect("a number");
        assert_eq!((number(&one_piece), number(&digimon)), (3_040, 4_397));
        let both = total("v2/cards?game=digimon,onepiece&limit=1");
        assert_eq!(number(&both), number(&one_piece) + number(&digimon));
        let all = total("v2/cards?limit=1");
        let pokemon = total("v2/cards?game=pokemon&limit=1");
        assert_eq!(number(&all), number(&both) + number(&pokemon));
        for order in ["price", "name", "number", "rarity", "releaseDate"] {
            let path = format!("v2/cards?game=onepiece&sortBy={order}&limit=100");
            let page = get(&service, &holder, &path);
            assert_eq!(page["metadata"]["total"], one_piece, "{order}");
            assert_eq!(every(&page, "game"), ["onepiece"], "{order}");
        }
        // a kind of card is Pokémon's
        let agumon = get(&service, &holder, "v2/cards?marketplaceId=digimon:BT1-010");
        assert_eq!(agumon["data"][0]["cardType"], Value::Null);
        for (game, id) in CARDS {
            let of_game = format!("v2/sets?game={game}&limit=1000");
            assert_eq!(every(&get(&service, &holder, &of_game), "game"), [game]);
            let of_game = format!("v1/sets?game={game}");
            assert_eq!(every(&get(&service, &holder, &of_game), "game"), [game]);
            let (card, _) = id.rsplit_once(':').expect("a printing");
            for called in [id, card] {
                let path = format!("v2/cards?marketplaceId={called}");
                let found = get(&service, &holder, &path);
                assert_eq!(found["data"][0]["marketplaceId"], id, "{called}");
                assert_eq!(found["data"][0]["game"], game, "{called}");
                let other = if game == "digimon" {
                    "onepiece"
                } else {
                    "digimon"
                };
                let elsewhere = get(&service, &holder, &format!("{path}&game={other}"));
                assert_eq!(elsewhere["data"], json!([]), "{called}");
                let older = get(&service, &holder, &format!("v1/prices?id={called}"));
                assert_eq!(older["data"][0]["game"], game, "{called}");
                let older = format!("v1/prices?id={called}&game={other}");
                assert_eq!(get(&service, &holder, &older)["data"], json!([]));
            }
        }
        let sets = get(&service, &holder, "v2/sets?limit=1000");
        assert_eq!(every(&sets, "game"), ["digimon", "onepiece", "pokemon"]);
        let named = get(&service, &holder, "v2/sets?search=romance+dawn");
        assert_eq!(named["data"][0]["id"], "onepiece:OP01");
        service.stop();
    });
}

#[test]
fn searches_find_cards_of_the_games_that_are_asked_for() {
    let database = Database::sqlite();
    let service = service(&database, &GAMES);
    let holder = service.account("shop", "enterprise");
    let first = |path: &str| get(&service, &holder, path)["data"][0]["cardId"].clone();
    assert_eq!(
        first("v2/cards?search=roronoa+zoro+OP01-001"),
        "onepiece:OP01-001"
    );
    assert_eq!(first("v2/cards?search=agumon+BT1-010"), "digimon:BT1-010");
    assert_eq!(first("v2/cards?search=charizard+4/102"), "base1-4");
    for game in ["onepiece", "digimon", "pokemon"] {
        let path = format!("v2/cards?search=ace&game={game}&limit=100");
        let games = every(&get(&service, &holder, &path), "game");
        assert!(games.iter().all(|of| of == game), "{game}: {games:?}");
    }
    let zoro = get(
        &service,
        &holder,
        "v2/cards?search=zoro&game=onepiece&limit=100",
    );
    assert!(zoro["metadata"]["total"].as_i64() > Some(5), "{zoro}");
    let none = get(
        &service,
        &holder,
        "v2/cards?search=charizard+4/102&game=onepiece,digimon",
    );
    assert_ne!(none["data"][0]["cardId"], "base1-4");
    let of_set = get(
        &service,
        &holder,
        "v2/cards?set=Romance+Dawn&game=onepiece&limit=1",
    );
    assert_eq!(of_set["data"][0]["setId"], "onepiece:OP01");
    let elsewhere = ask(&service, &holder, "v2/cards?set=romance-dawn&game=digimon");
    assert_eq!((elsewhere.status, &*elsewhere.code()), (404, "unknown_set"));
    let elsewhere = ask(&service, &holder, "v2/cards?setId=base1&game=digimon");
    assert_eq!((elsewhere.status, &*elsewhere.code()), (404, "unknown_set"));
}

#[test]
fn a_game_that_is_not_open_is_refused_with_those_that_are() {
    let database = Database::sqlite();
    let service = service(&database, &["pokemon", "onepiece"]);
    let holder = service.account("shop", "enterprise");
    for path in [
        "v2/cards?game=magic",
        "v2/cards?search=zoro&game=poker",
        "v2/sets?game=pokemon,magic",
        "v2/sealed-products?game=",
        "v1/prices?game=One+Piece",
        "v1/sets?game=digimon",
    ] {
        let reply = ask(&service, &holder, path);
        assert_eq!(
            (reply.status, &*reply.code()),
            (400, "invalid_value"),
            "{path}"
        );
        let error = reply.json()["error"].clone();
        assert_eq!(error["field"], "game", "{path}");
        let message = error["message"].as_str().expect("a sentence");
        assert!(message.contains("onepiece, pokemon"), "{message}");
    }
    // and its description says so
    let described = service.send(&Call::new("GET", "/openapi.json")).json();
    for path in [
        "v2/cards",
        "v2/sets",
        "v2/sealed-products",
        "v1/prices",
        "v1/sets",
    ] {
        let parameters = described["paths"][format!("/api/{path}")]["get"]["parameters"].clone();
        let mut parameters = parameters.as_array().into_iter().flatten();
        let game = parameters.find(|one| one["name"] == "game");
        let one = "(onepiece|pokemon)";
        let pattern = game.map(|game| game["schema"]["pattern"].clone());
        assert_eq!(pattern, Some(format!("^{one}(,{one})*$").into()), "{path}");
    }
}

#[test]
fn settings_that_name_an_unknown_game_stop_the_start() {
    let games = ["pokemon".to_owned(), "poker".to_owned()];
    let refused = titledex_server::catalogue::Reader::open(None, &games);
    let message = refused.expect_err("there is no such game").to_string();
    assert!(
        message.contains("`poker`") && message.contains("digimon, lorcana, magic"),
        "{message}"
    );
}

#[test]
fn imports_take_rows_of_open_games_and_set_others_aside() {
    on_each_database(|database| {
        let service = service(database, &GAMES);
        let holder = service.account("shop", "enterprise");
        let mut rows = "marketplaceId,date,marketPrice,tcgplayerId\n".to_owned();
        for (at, (_, id)) in CARDS.iter().enumerate() {
            rows.push_str(&format!("{id},2024-10-03,{}.5,\n", at + 10));
        }
        rows.push_str(&format!(",2024-10-03,7.25,{HYOGORO}\n"));
        rows.push_str("magic:10e-1:normal,2024-10-03,3,\n");
        rows.push_str("onepiece:OP01-999:normal,2024-10-03,3,\n");
        let summary = import(&service, "prices", &rows);
        assert_eq!(summary["rows"], 6, "{summary}");
        let set_aside = reasons(&summary);
        assert_eq!(set_aside.len(), 2, "{summary}");
        assert!(
            set_aside[0].contains("is of the game magic, which is not open"),
            "{summary}"
        );
        assert!(set_aside[1].contains("is not in the store"), "{summary}");
        let price = |id: &str| {
            let path = format!("v2/cards?marketplaceId={id}&includeHistory=true");
            let card = get(&service, &holder, &path)["data"][0].clone();
            assert_eq!(
                card["priceHistory"]["points"][0]["market"],
                card["prices"]["market"]
            );
            card["prices"]["market"].as_f64()
        };
        for (at, (_, id)) in CARDS.iter().enumerate() {
            assert_eq!(price(id), Some(at as f64 + 10.5), "{id}");
        }
        assert_eq!(price(HYOGORO), Some(7.25));
        assert_eq!(price("onepiece:OP01-020"), Some(7.25));
        let best = get(
            &service,
            &holder,
            "v2/cards?game=digimon,onepiece&sortBy=price&limit=1",
        );
        assert_eq!(best["data"][0]["cardId"], "digimon:BT1-010");

        let sets = "id,name,language,releaseDate\n\
                    onepiece:XX01,Straw Hats at Home,english,2024-01-01\n\
                    yugioh:XX01,Dragons at Home,english,2024-01-01\n";
        let set_aside = reasons(&import(&service, "sets", sets));
        assert!(
            set_aside.len() == 1 && set_aside[0].contains("yugioh"),
            "{set_aside:?}"
        );
        let cards = "marketplaceId,name,setId,cardNumber,language,printing\n\
                     onepiece:XX01-001:foil,Cook at Home,onepiece:XX01,XX01-001,english,Foil\n\
                     onepiece:XX01-002:foil,Lost,base1,XX01-002,english,Foil\n\
                     onepiece:XX01-003,No Printing,onepiece:XX01,XX01-003,english,\n\
                     123456789,By Product,onepiece:XX01,XX01-004,english,Foil\n";
        let set_aside = reasons(&import(&service, "cards", cards));
        assert_eq!(set_aside.len(), 2, "{set_aside:?}");
        assert!(
            set_aside[0].contains("its set base1 of pokemon"),
            "{set_aside:?}"
        );
        assert!(set_aside[1].contains("names no printing"), "{set_aside:?}");
        let made = get(&service, &holder, "v2/cards?setId=onepiece:XX01");
        let ids = every(&made, "cardId");
        assert_eq!(ids, ["onepiece:XX01-001", "onepiece:XX01-XX01-004"]);
        assert_eq!(every(&made, "game"), ["onepiece"]);

        let sealed = "marketplaceId,name,setId,productType,language,marketPrice,lastPriceUpdate\n\
                      box-1,Romance Dawn Booster Box,onepiece:OP01,Booster Box,english,99,2024-10-03\n\
                      digimon:box-2,Tamers Booster Box,,Booster Box,english,50,2024-10-03\n\
                      box-3,Base Set Booster Box,base1,Booster Box,english,9000,2024-10-03\n\
                      magic:box-4,Alpha Booster Box,,Booster Box,english,9000,2024-10-03\n";
        let set_aside = reasons(&import(&service, "sealed", sealed));
        assert!(
            set_aside.len() == 1 && set_aside[0].contains("magic"),
            "{set_aside:?}"
        );
        for (game, id) in [
            ("onepiece", "box-1"),
            ("digimon", "digimon:box-2"),
            ("pokemon", "box-3"),
        ] {
            let path = format!("v2/sealed-products?game={game}");
            let found = get(&service, &holder, &path);
            assert_eq!(every(&found, "marketplaceId"), [id]);
            assert_eq!(every(&found, "game"), [game]);
            let path = format!("v2/sealed-products?search=booster+box&game={game}");
            assert_eq!(every(&get(&service, &holder, &path), "marketplaceId"), [id]);
        }

        let sales = "title,price,date,url\n\
                     One Piece OP01-001 Roronoa Zoro Leader Romance Dawn PSA 10,250,2024-10-02,https://www.ebay.com/itm/400100000001\n\
                     Magic the Gathering Alpha Black Lotus PSA 8,900,2024-10-02,https://www.ebay.com/itm/400100000002\n";
        let summary = import(&service, "sales", sales);
        let counted = &summary["sales"];
        assert_eq!(
            (&counted["matched"], &counted["noCards"]),
            (&json!(1), &json!(1))
        );
        let zoro = "v2/cards?marketplaceId=onepiece:OP01-001&includeAuction=true";
        let zoro = get(&service, &holder, zoro)["data"][0].clone();
        assert_eq!(zoro["auction"]["GRADER_A_10"]["avg"], 250.0, "{zoro}");
        service.stop();
    });
}

/// A store that a start with more games filled shows those that are open now.
#[test]
fn closed_games_are_neither_listed_nor_imported() {
    let database = Database::sqlite();
    let first = service(&database, &GAMES);
    let (admin, holder) = (first.admin.clone(), first.account("shop", "enterprise"));
    let page = |service: &Service| {
        let call = Call::new("GET", "/cards/onepiece:OP01-001:normal".to_owned());
        service.send(&call)
    };
    let shown = page(&first);
    assert_eq!(shown.status, 200);
    let (closed, open) = ("onepiece:OP01-001:normal", "base1-4:unlimited-holofoil");
    let head = "marketplaceId,grader,g9,g10,matchConfidence";
    let rows = format!("{head}\n{closed},GRADER_A,4,5,high\n{open},GRADER_A,1,2,high\n");
    assert_eq!(import(&first, "population", &rows)["wrong"], 0);
    assert!(
        shown.text().contains("One Piece Card Game"),
        "{}",
        shown.text()
    );
    first.stop();
    let mut service = service(&database, &["pokemon"]);
    service.admin = admin;
    assert_eq!(page(&service).status, 404);
    for path in [
        "v2/cards?limit=100&sortBy=number",
        "v2/cards?search=pikachu",
        "v2/sets?limit=1000",
        "v1/sets",
        "v1/prices?name=a",
    ] {
        assert_eq!(
            every(&get(&service, &holder, path), "game"),
            ["pokemon"],
            "{path}"
        );
    }
    for path in [
        "v2/cards?marketplaceId=onepiece:OP01-001",
        "v1/prices?id=onepiece:OP01-001",
    ] {
        assert_eq!(get(&service, &holder, path)["data"], json!([]), "{path}");
    }
    let populations = get(&service, &holder, "v2/population");
    assert_eq!(every(&populations, "marketplaceId"), [open]);
    assert_eq!(populations["metadata"]["total"], 1);
    let one = format!("v2/population?marketplaceId={closed}");
    assert_eq!(get(&service, &holder, &one)["data"], Value::Null);
    let some = format!("v2/population?marketplaceIds={closed},{open}");
    let some = get(&service, &holder, &some);
    assert_eq!(every(&some, "marketplaceId"), [open]);
    let sitemap = service.send(&Call::new("GET", "/sitemap.xml"));
    let sitemap = sitemap.text();
    assert!(
        sitemap.contains("/sets/base1<") && !sitemap.contains("onepiece"),
        "{sitemap}"
    );
    let rows = "marketplaceId,date,marketPrice\nonepiece:OP01-001:normal,2024-10-03,3\n";
    let set_aside = reasons(&import(&service, "prices", rows));
    assert!(
        set_aside.len() == 1 && set_aside[0].contains("not open"),
        "{set_aside:?}"
    );
    // nothing is written anew, since the store has what the catalogue has
    let (store, reader) = (&service.server().app.store, &service.server().app.reader);
    let again = service.runtime().block_on(seed_store(store, &reader.now()));
    assert!(!again.expect("it answers"));
}
