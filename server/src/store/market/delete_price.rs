//! Prices that are removed one by one: the rows as if the price had not been imported, as far as
//! what is kept tells.

use super::delete::Deleted;
use super::journal::DeedKind;
use super::known_prices::KnownPrices;
use super::records::Quote;
use super::source_history::PriceSource;
use crate::clock::{MILLIS_A_DAY, Moment};
use crate::market::headline::{NEAR_MINT, headline_rank, is_near_mint};
use crate::market::history::merge;
use crate::market::{Day, Money, Point};
use crate::store::{Actor, Deed, Store, StoreError};

/// A price that is kept under its source, condition and currency.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuoteName {
    /// Whose; empty where it is not known.
    pub source: String,
    /// For which condition; empty for none in particular.
    pub condition: String,
}

impl QuoteName {
    /// The history by source that has this price, if one has.
    fn price_source(&self) -> Option<PriceSource> {
        let condition = Some(self.condition.as_str()).filter(|condition| !condition.is_empty());
        let kept = !self.source.is_empty() && condition.is_none_or(is_near_mint);
        kept.then(|| PriceSource {
            name: self.source.clone(),
            near_mint: condition.is_some(),
        })
    }
}

/// A price to be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceName {
    /// The own id of the item.
    pub item: String,
    /// The day.
    pub day: i64,
    /// Source and condition; the headline price of the day by default.
    pub quote: Option<QuoteName>,
    /// Whether it is in EUR, not in USD.
    pub eur: bool,
}

impl PriceName {
    fn currency(&self) -> &'static str {
        if self.eur { "EUR" } else { "USD" }
    }

    /// In words, for the record.
    fn detail(&self) -> String {
        let mut detail = format!("{} {} {}", self.item, Day(self.day), self.currency());
        if let Some(quote) = &self.quote {
            for word in [&quote.source, &quote.condition] {
                if !word.is_empty() {
                    detail = format!("{detail} {word}");
                }
            }
        }
        detail
    }
}

/// The amounts of a price.
type Amounts = (Option<Money>, Option<Money>, Option<i64>);

fn of_quote(quote: &Quote) -> Amounts {
    (quote.market, quote.low, quote.sellers)
}

fn of_point(point: &Point) -> Amounts {
    (point.market, point.low, point.sellers)
}

impl KnownPrices {
    fn quote(&self, name: &QuoteName, currency: &str) -> Option<&Quote> {
        self.quotes.iter().find(|quote| {
            quote.source == name.source
                && quote.condition == name.condition
                && quote.currency == currency
        })
    }

    /// The headline's source and condition, where it is of this day.
    fn headline_of(&self, day: i64) -> Option<QuoteName> {
        let updated = self.item.updated?;
        (updated.div_euclid(MILLIS_A_DAY) == day).then(|| QuoteName {
            source: self.item.source.clone().unwrap_or_default(),
            condition: self.item.condition.clone().unwrap_or_default(),
        })
    }

    /// The quotes in USD that can be a headline, with their ranks, best first.
    fn headlines<'q>(&'q self, sources: &[String]) -> Vec<(u32, &'q Quote)> {
        let word = |text: &'q str| Some(text).filter(|text| !text.is_empty());
        let mut found: Vec<(u32, &Quote)> = self
            .quotes
            .iter()
            .filter(|quote| quote.currency == "USD")
            .filter_map(|quote| {
                let rank = headline_rank(sources, word(&quote.source), word(&quote.condition))?;
                Some((rank, quote))
            })
            .collect();
        found.sort_by_key(|(rank, quote)| (*rank, -quote.day));
        found
    }

    /// Removes the day of the history, what its price gave the headline, and the quote that it gave.
    /// False where there is no such day.
    fn remove_day(&mut self, day: i64, sources: &[String]) -> bool {
        let Ok(at) = self.points.binary_search_by_key(&day, |point| point.day) else {
            return false;
        };
        let amounts = of_point(&self.points.remove(at));
        let headline = self.headline_of(day);
        // whose price it was: the headline says it, else the source whose last price is the same
        let giver = match &headline {
            Some(name) => self.quote(name, "USD").filter(|quote| quote.day == day),
            None => {
                let ranked = self.headlines(sources).into_iter();
                let mut same = ranked.filter(|(_, q)| q.day == day && of_quote(q) == amounts);
                same.next().map(|(_, quote)| quote)
            }
        };
        let giver = giver.map(|quote| QuoteName {
            source: quote.source.clone(),
            condition: quote.condition.clone(),
        });
        let source = match (&giver, &headline) {
            (Some(name), _) | (None, Some(name)) => name.price_source(),
            (None, None) => self.source_of(day, amounts, sources),
        };
        self.remove_from_source(source.as_ref(), day);
        let is_giver = |quote: &Quote| {
            quote.currency == "USD"
                && giver.as_ref().is_some_and(|giver| {
                    quote.source == giver.source && quote.condition == giver.condition
                })
        };
        let Some(name) = headline else {
            self.quotes.retain(|quote| !is_giver(quote));
            return true;
        };
        // the newest day that is left is of another source if that source's last price is the same
        let before = self.points.last().copied();
        let other = before.and_then(|point| {
            let ranked = self.headlines(sources).into_iter();
            let mut same = ranked.filter(|(_, quote)| {
                !is_giver(quote) && quote.day == point.day && of_quote(quote) == of_point(&point)
            });
            same.next().map(|(_, quote)| quote.clone())
        });
        match (before, &other) {
            (Some(point), None) => {
                // the same source's price of a day before
                for quote in self.quotes.iter_mut().filter(|quote| is_giver(quote)) {
                    (quote.market, quote.low, quote.sellers) = of_point(&point);
                    quote.day = point.day;
                }
                self.set_headline(Some((point, name)));
            }
            _ => {
                self.quotes.retain(|quote| !is_giver(quote));
                // what the removed price outranked counts again
                let best = self
                    .headlines(sources)
                    .first()
                    .map(|(_, quote)| (*quote).clone());
                let headline = best.map(|quote| {
                    let point = Point {
                        day: quote.day,
                        market: quote.market,
                        low: quote.low,
                        sellers: quote.sellers,
                    };
                    let name = QuoteName {
                        source: quote.source,
                        condition: quote.condition,
                    };
                    (point, name)
                });
                if let Some((point, _)) = &headline {
                    self.points = merge(&self.points, &[*point]);
                }
                self.set_headline(headline);
            }
        }
        true
    }

    /// The source, of those that come first, that gave this price on a day.
    fn source_of(&self, day: i64, amounts: Amounts, sources: &[String]) -> Option<PriceSource> {
        let gave = |points: &Vec<Point>| {
            let mut points = points.iter();
            points.any(|point| point.day == day && of_point(point) == amounts)
        };
        let found = self.by_source.iter().filter(|(_, points)| gave(points));
        let rank = |source: &PriceSource| {
            let condition = source.near_mint.then_some(NEAR_MINT);
            headline_rank(sources, Some(&source.name), condition)
        };
        let first = found.min_by_key(|(source, _)| rank(source).unwrap_or(u32::MAX));
        first.map(|(source, _)| source.clone())
    }

    /// Removes a day from what a source gave.
    fn remove_from_source(&mut self, source: Option<&PriceSource>, day: i64) {
        let Some(source) = source else { return };
        if let Some(points) = self.by_source.get_mut(source) {
            points.retain(|point| point.day != day);
            if points.is_empty() {
                self.by_source.remove(source);
            }
        }
    }

    fn set_headline(&mut self, headline: Option<(Point, QuoteName)>) {
        let item = &mut self.item;
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        let Some((point, name)) = headline else {
            (item.market, item.low, item.sellers) = (None, None, None);
            (item.updated, item.source, item.condition) = (None, None, None);
            return;
        };
        (item.market, item.low, item.sellers) = of_point(&point);
        item.updated = Some(point.day * MILLIS_A_DAY);
        (item.source, item.condition) = (some(name.source), some(name.condition));
    }

    /// Removes the price in EUR of a day; false if it has no such price.
    fn remove_eur(&mut self, day: i64) -> bool {
        let (market, low) = (self.item.eur_market, self.item.eur_low);
        let of_day = |moment: i64| moment.div_euclid(MILLIS_A_DAY) == day;
        if !self.item.eur_updated.is_some_and(of_day) {
            return false;
        }
        let plain = |quote: &Quote| quote.currency == "EUR" && quote.condition.is_empty();
        let gave = |quote: &Quote| {
            plain(quote) && quote.day == day && (quote.market, quote.low) == (market, low)
        };
        self.quotes.retain(|quote| !gave(quote));
        let rest = self.quotes.iter().filter(|quote| plain(quote));
        let newest = rest.max_by_key(|quote| quote.day);
        self.item.eur_market = newest.and_then(|quote| quote.market);
        self.item.eur_low = newest.and_then(|quote| quote.low);
        self.item.eur_updated = newest.map(|quote| quote.day * MILLIS_A_DAY);
        true
    }

    /// Removes a price; what became of it.
    fn remove(&mut self, price: &PriceName, sources: &[String]) -> Result<(), Deleted> {
        let Some(name) = &price.quote else {
            let removed = match price.eur {
                true => self.remove_eur(price.day),
                false => self.remove_day(price.day, sources),
            };
            return if removed {
                Ok(())
            } else {
                Err(Deleted::Nothing)
            };
        };
        let quote = self.quote(name, price.currency()).ok_or(Deleted::Nothing)?;
        if quote.day != price.day {
            return Err(Deleted::OtherDay(quote.day));
        }
        let amounts = of_quote(quote);
        let is_headline = match price.eur {
            true => {
                name.condition.is_empty() && {
                    let of_day = |moment: i64| moment.div_euclid(MILLIS_A_DAY) == price.day;
                    self.item.eur_updated.is_some_and(of_day)
                        && (self.item.eur_market, self.item.eur_low) == (amounts.0, amounts.1)
                }
            }
            false => self.headline_of(price.day).as_ref() == Some(name),
        };
        if is_headline && price.eur {
            self.remove_eur(price.day);
        } else if is_headline {
            self.remove_day(price.day, sources);
        } else {
            self.quotes.retain(|quote| {
                quote.currency != price.currency()
                    || quote.source != name.source
                    || quote.condition != name.condition
            });
            if !price.eur {
                self.remove_from_source(name.price_source().as_ref(), price.day);
            }
        }
        Ok(())
    }
}

impl Store {
    /// Removes a price of an item, and what it gave: a day of the history, the headline, the last
    /// price of its source. `sources` is the order of sources of headline prices.
    pub async fn delete_price(
        &self,
        price: &PriceName,
        sources: &[String],
        by: Actor,
        now: Moment,
    ) -> Result<Deleted, StoreError> {
        let mut loader = self.load().await?;
        let Some(item) = loader.item_with_id(&price.item).await? else {
            return Ok(Deleted::Nothing);
        };
        let before = loader.prices_of(item).await?;
        let mut after = before.clone();
        if let Err(refused) = after.remove(price, sources) {
            return Ok(refused);
        }
        let kind = DeedKind::DeletePrice;
        let change = loader.begin_change(kind.name(), now.millis()).await?;
        loader.put_prices(&before, &after).await?;
        let deed = Deed {
            by,
            deed: kind.name(),
            account: None,
            subject: Some(change),
            detail: &price.detail(),
        };
        loader.end_deed(deed, 1, now).await?;
        Ok(Deleted::Done(change))
    }
}
