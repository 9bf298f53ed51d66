//! Cards that are merged.

use crate::client::Call;
use crate::corrections::{day, sources};
use crate::market::money;
use crate::support::{Database, Service, on_each_database};
use crate::undo::{CARDS, Shelf, at_now, row};
use titledex_server::market::load::Kind;
use titledex_server::store::Actor;
use titledex_server::store::market::{Merge, Merged, ReviewFilter, Undone};

/// Another card of the name of the first, which its title without a number means.
pub(crate) const OTHER: &str =
    "swsh7-111:holofoil|Rayquaza VMAX|Evolving Skies|swsh7|111/203||english|Holofoil";

pub(crate) fn with_duplicate(database: &Database) -> Shelf {
    let shelf = Shelf::on(database);
    let cards: Vec<String> = (0..CARDS.len())
        .map(|at| format!("{}|{}", CARDS[at].0, CARDS[at].1))
        .collect();
    shelf.import(Kind::Cards, &cards);
    shelf.import(Kind::Cards, &[OTHER.to_owned()]);
    let more = "own-1:foil|Glitterzard|Home Made|own|1/9||english|Foil|||||42";
    shelf.import(Kind::Cards, &[more.to_owned()]);
    shelf
}

/// Of a merged card nothing is lost, what the other has stays, and the old ids answer everywhere.
#[test]
fn merged_card_becomes_part_of_the_other() {
    on_each_database(|database| {
        let shelf = with_duplicate(database);
        let target = "swsh7-218:holofoil";
        let prices = [
            format!("{target}|2026-11-10|10|||two"),
            format!("{target}|2026-11-12|12|||two"),
            "own-1:foil|2026-11-10|99|||two".to_owned(),
            "own-1:foil|2026-11-11|11|||two".to_owned(),
            "own-1:foil|2026-11-13|13|||one".to_owned(),
        ];
        shelf.import(Kind::Prices, &prices);
        let counts = |id: &str, grader: &str, tens: u32| {
            format!("{id}|{grader}{}{tens}|||||high", "|".repeat(21))
        };
        let populations = [
            counts(target, "GRADER_A", 5),
            counts("own-1:foil", "GRADER_A", 99),
            counts("own-1:foil", "GRADER_B", 7),
        ];
        shelf.import(Kind::Population, &populations);
        let before = shelf.everything();
        // the names do not tell, so the printings of the other card are its own
        let merged = shelf.merge("own-1", "swsh7-218");
        let Merged::Done(report) = merged else {
            panic!("{merged:?}")
        };
        assert_eq!((report.printings_merged, report.printings_moved), (0, 2));
        assert!(matches!(shelf.undo(report.change), Undone::Done(_)));
        assert_eq!(shelf.everything(), before);
        let stated = Merge {
            from: "own-1".to_owned(),
            into: "swsh7-218".to_owned(),
            printings: vec![("Foil".to_owned(), "holofoil".to_owned())],
        };
        let of = sources();
        let merged = shelf
            .store
            .merge_cards(&stated, &of, Actor::Operator, at_now());
        let merged = shelf.runtime.block_on(merged).expect("it answers");
        let Merged::Done(report) = merged else {
            panic!("{merged:?}")
        };
        assert_eq!((report.printings_merged, report.printings_moved), (1, 1));
        let known = shelf.known_prices(target);
        let points: Vec<_> = known.points.iter().map(|p| (p.day, p.market)).collect();
        assert_eq!(
            points,
            [("10", "10"), ("11", "11"), ("12", "12")]
                .map(|(date, price)| (day(&format!("2026-11-{date}")), Some(money(price))))
        );
        assert_eq!(known.item.market, Some(money("12")));
        assert_eq!(known.item.source.as_deref(), Some("two"));
        assert_eq!(known.item.ids.tcgplayer, Some(42));
        let quotes: Vec<_> = known
            .quotes
            .iter()
            .map(|quote| (quote.source.as_str(), quote.market))
            .collect();
        assert_eq!(
            quotes,
            [("one", Some(money("13"))), ("two", Some(money("12")))]
        );
        let of = [target];
        let populations = shelf.store.populations_of(&of, None);
        let populations = shelf.runtime.block_on(populations).expect("it answers");
        let tens: Vec<i64> = populations[0].counts.values().map(|of| of.gems()).collect();
        assert_eq!(tens, [5, 7]);
        // later files that use the old ids reach the card, and do not make it again
        let old = "own-1:foil|Glitterzard|Home Made|own|1/9||english|Foil|21|||2026-11-14";
        shelf.import(Kind::Cards, &[old.to_owned()]);
        shelf.import(Kind::Prices, &["own-1:foil|2026-11-15|22|||two".to_owned()]);
        assert_eq!(shelf.known_prices(target).item.market, Some(money("22")));
        assert_eq!(
            shelf.merge("own-1", "swsh7-189"),
            Merged::NoCard("own-1".to_owned())
        );
        assert_eq!(shelf.merge("swsh7-218", "own-1"), Merged::Same);
        let service = Service::on(database);
        let holder = service.account("site", "business");
        for (called, shown) in [
            ("own-1", target),
            ("own-1:foil", target),
            ("own-1:plain", "swsh7-218:plain"),
            ("42", target),
        ] {
            let path = format!("/api/v2/cards?marketplaceId={called}");
            let reply = service
                .send(&Call::new("GET", path).key(&holder.key))
                .json();
            assert_eq!(reply["data"][0]["cardId"], "swsh7-218", "{called}: {reply}");
            assert_eq!(reply["data"][0]["marketplaceId"], shown, "{called}");
            let page = service.send(&Call::new("GET", format!("/cards/{called}")));
            assert_eq!(page.status, 200, "{called}");
            let path = format!("/api/v1/prices?id={called}");
            let reply = service
                .send(&Call::new("GET", path).key(&holder.key))
                .json();
            assert_eq!(
                reply["data"].as_array().map(Vec::len),
                Some(1),
                "{called}: {reply}"
            );
        }
        service.stop();
    });
}

/// Listings under review follow a merged card: best guess, candidates, and what is accepted.
#[test]
fn merged_card_takes_its_listings_along() {
    on_each_database(|database| {
        let shelf = with_duplicate(database);
        shelf.import(Kind::Sales, &[row(Kind::Sales, [2, 0, 0, 1])]);
        let filter = ReviewFilter::default();
        let listing = || {
            let page = shelf.store.reviews(&filter, 0, 9);
            let mut page = shelf.runtime.block_on(page).expect("it answers");
            page.rows.remove(0)
        };
        let candidate = listing().listing.candidates[0].clone();
        let card = candidate
            .marketplace_id
            .split(':')
            .next()
            .expect("it has one");
        assert_eq!(candidate.marketplace_id, "swsh7-111:holofoil");
        let merged = shelf.merge(card, "swsh7-189");
        assert!(
            matches!(&merged, Merged::Done(report) if report.listings > 0),
            "{merged:?}"
        );
        let now = listing();
        assert_eq!(
            now.listing.candidates[0].marketplace_id,
            "swsh7-189:holofoil"
        );
        assert_eq!(now.listing.candidates[0].name, "Umbreon V");
        assert_eq!(now.marketplace_id.as_deref(), Some("swsh7-189:holofoil"));
    });
}
