//! Filters that compare texts: letters outside ASCII are alike in every case, on each database.

use crate::migrations::run;
use crate::support::{Database, on_each_database};
use crate::undo::{Shelf, at_now};
use titledex_server::market::load::Kind;
use titledex_server::store::Actor;
use titledex_server::store::market::{CardQuery, ReviewFilter, ReviewStatus, SealedQuery, Undone};

const CARD: &str =
    "swsh7-218:holofoil|Rayquaza VMAX|Evolving Skies|swsh7|218/203|ÉCLAT Doré|english|Holofoil";
const PRODUCT: &str = "sealed:box|Box|Evolving Skies|swsh7|COFFRET Été|english|9|||2026-11-12";
/// Its number is missing, so that a person must look at it.
const LISTING: &str = "POKÉMON Rayquaza VMAX PSA 9|10|USD|2026-11-12|";

impl Shelf {
    /// With a card, a product and a listing under review.
    fn with_accents(database: &Database) -> Self {
        let shelf = Self::on(database);
        shelf.import(Kind::Cards, &[CARD.to_owned()]);
        let other =
            "swsh7-111:holofoil|Rayquaza VMAX|Evolving Skies|swsh7|111/203||english|Holofoil";
        shelf.import(Kind::Cards, &[other.to_owned()]);
        shelf.import(Kind::Sealed, &[PRODUCT.to_owned()]);
        shelf.import(Kind::Sales, &[LISTING.to_owned()]);
        shelf
    }

    /// The listings with this status in whose titles these words stand.
    fn listings(&self, status: ReviewStatus, words: &str) -> i64 {
        let filter = ReviewFilter {
            status,
            words: Some(words.to_owned()),
            ..ReviewFilter::default()
        };
        let page = self.runtime.block_on(self.store.reviews(&filter, 0, 9));
        page.expect("it answers").total
    }

    /// The cards of a rarity, as the database finds them and as a card that is known is held against
    /// the filter.
    fn cards_of(&self, rarity: &str) -> (usize, bool) {
        let query = CardQuery {
            rarity: Some(rarity.to_owned()),
            limit: 9,
            ..CardQuery::default()
        };
        self.runtime.block_on(async {
            let found = self.store.cards(&query).await.expect("it answers");
            let card = self.store.cards_with_ids(&["swsh7-218"]).await;
            (found.len(), query.admits(&card.expect("it answers")[0]))
        })
    }

    /// How many products are of a type.
    fn products_of(&self, product_type: &str) -> i64 {
        let query = SealedQuery {
            product_type: Some(product_type.to_owned()),
            limit: 9,
            ..SealedQuery::default()
        };
        let found = self.runtime.block_on(self.store.sealed(&query));
        found.expect("it answers").0
    }

    /// That all three are found however they are written, and by nothing else.
    fn is_found(&self) {
        for words in ["POKÉMON", "pokémon", "Pokémon ray", "pokemon"] {
            assert_eq!(self.listings(ReviewStatus::Open, words), 1, "{words}");
        }
        for words in ["pokÉmonster", "'"] {
            assert_eq!(self.listings(ReviewStatus::Open, words), 0, "{words}");
        }
        for rarity in ["ÉCLAT Doré", "éclat doré", "ÉCLAT DORÉ"] {
            assert_eq!(self.cards_of(rarity), (1, true), "{rarity}");
        }
        assert_eq!(self.cards_of("éclat"), (0, false));
        for product_type in ["COFFRET Été", "coffret été", "COFFRET ÉTÉ"] {
            assert_eq!(self.products_of(product_type), 1, "{product_type}");
        }
    }
}

#[test]
fn letters_outside_ascii_are_alike_in_every_case() {
    on_each_database(|database| Shelf::with_accents(database).is_found());
}

/// What an undone import puts back and what becomes of a sale that is deleted is found as before.
#[test]
fn what_changes_make_and_put_back_is_found() {
    on_each_database(|database| {
        let shelf = Shelf::with_accents(database);
        let altered = [
            CARD.replace("ÉCLAT Doré", "Éclipse"),
            PRODUCT.replace("COFFRET Été", "Étui"),
        ];
        let cards = shelf.import(Kind::Cards, &altered[..1]);
        let sealed = shelf.import(Kind::Sealed, &altered[1..]);
        assert_eq!(shelf.cards_of("éclipse"), (1, true));
        assert_eq!(shelf.products_of("étui"), 1);
        for import in [sealed, cards] {
            assert!(matches!(shelf.undo(import), Undone::Done(_)));
        }
        shelf.is_found();
        let sold = "swsh7-218 POKÉMON Rayquaza VMAX 218/203 Evolving Skies PSA 10";
        shelf.import(Kind::Sales, &[format!("{sold}|12|USD|2026-11-12|")]);
        let sales = shelf.sales("swsh7-218:holofoil");
        let deleted = (shelf.store).delete_sale(sales[0], Actor::Operator, at_now());
        let deleted = shelf.runtime.block_on(deleted).expect("it answers");
        assert!(deleted.is_some());
        assert_eq!(shelf.listings(ReviewStatus::Rejected, "pokémon ray"), 1);
    });
}

/// Rows of a build that had no folded texts are found as soon as the database is opened.
#[test]
fn older_rows_are_folded_when_the_database_is_opened() {
    on_each_database(|database| {
        let shelf = Shelf::with_accents(database);
        let import = shelf.import(Kind::Cards, &[CARD.replace("ÉCLAT Doré", "Éclipse")]);
        shelf.runtime.block_on(shelf.store.close());
        run(
            database,
            "UPDATE cards SET folded_rarity = NULL; UPDATE undo_cards SET folded_rarity = NULL; \
             UPDATE sealed SET folded_type = NULL; UPDATE undo_sealed SET folded_type = NULL; \
             UPDATE review SET folded_title = NULL; \
             INSERT INTO facts (name, value) VALUES ('rows lack folded texts', '')",
        );
        let shelf = Shelf::on(database);
        assert_eq!(shelf.cards_of("éclipse"), (1, true));
        assert!(matches!(shelf.undo(import), Undone::Done(_)));
        shelf.is_found();
    });
}
