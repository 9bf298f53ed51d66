//! Invented sealed products, and sales of them.

use super::random::Random;
use super::{Item, Plan, SHOWN, Taker, emit, price};
use crate::market::day::Day;
use crate::market::load::Kind;
use crate::market::money::Money;
use crate::market::seed_store::set_languages;
use titledex::Catalogue;

/// A sealed product with its prices.
pub(super) struct Product {
    pub(super) item: Item,
    /// What a seller calls it.
    title: String,
    /// It is a box, and not a pack.
    sold: bool,
}

/// The products of each set, whose prices come with the other prices: those have a source.
pub(super) fn sealed<E>(
    plan: &Plan,
    catalogue: &Catalogue,
    row: &mut Taker<'_, E>,
) -> Result<Vec<Product>, E> {
    let languages = set_languages(catalogue);
    let mut products = Vec::new();
    for (at, set) in catalogue.sets().filter(|set| set.cards > 0).enumerate() {
        let mut random = Random::of(plan.seed, (at as u64) << 8 | 3);
        let language = languages.get(set.id).copied().unwrap_or_default().name();
        let shown = SHOWN.contains(&set.id);
        let age = price::of_age(Some(set.released.0).filter(|year| *year > 0));
        for (product, slug, base) in [
            ("Booster Box", "booster-box", 12_000),
            ("Booster Pack", "booster-pack", 450),
        ] {
            let id = format!("synthetic:{}:{slug}", set.id);
            let name = format!("{} {product}", set.name);
            let cells = [&id, &name, set.name, set.id, product, language];
            emit(Kind::Sealed, &cells, row)?;
            let item = Item {
                id,
                invented: true,
                shown,
                begin: base * (60 + random.below(300)) / 100 * age / 10,
            };
            let sold = slug == "booster-box";
            let title = format!("{product} {} {language} sealed", set.name);
            products.push(Product { item, title, sold });
        }
    }
    Ok(products)
}

/// Sold products: several of the sets that are shown, one box of the others.
pub(super) fn sealed_sales<E>(
    plan: &Plan,
    products: &[Product],
    row: &mut Taker<'_, E>,
) -> Result<(), E> {
    let most = if plan.sales == 0 { 0 } else { 6 };
    for (at, product) in products.iter().enumerate() {
        let mut random = Random::of(plan.seed, (at as u64) << 8 | 6);
        let count = if product.item.shown {
            most
        } else {
            most.min(i64::from(product.sold))
        };
        for number in 0..count {
            // the type first: `151 Booster Box` reads as 151 of them
            let title = &product.title;
            let cents = (product.item.begin * (85 + random.below(31)) / 100).max(1);
            let day = Day(plan.until.0 - random.below(plan.days.clamp(1, 30)));
            let price = Money(cents * 100).to_string();
            let seed = plan.seed;
            let url = format!("https://example.invalid/synthetic/{seed}/sealed-{at}-{number}");
            let cells = [title, &price, "USD", &day.to_string(), &url];
            emit(Kind::Sales, &cells, row)?;
        }
    }
    Ok(())
}
