//! `/cards/{marketplaceId}`: the page of a card, with prices, history, graded sales and
//! populations, complete without scripts.
//!
//! It needs no key. Settings say what it shows, by default nothing that a plan sells, and each
//! address may see a number of cards a minute.

use super::market::graded::{self, GradeSales};
use crate::app::App;
use crate::catalogue::Reader;
use crate::clock::Clock;
use crate::config::Page;
use crate::error::ApiError;
use crate::guard::{self, Attempt, PerMinute};
use crate::market::money::divide;
use crate::market::{Companies, Counts, Grade, GradeKey, Grader, Money, SYNTHETIC, stats};
use crate::pages::Pages;
use crate::plot::{self, dollars, grouped};
use crate::proxies::{Peer, Proxies};
use crate::store::Store;
use crate::store::market::{CardWithPrintings, ItemRecord, MarketplaceId, PopulationRecord};
use crate::thinning::thin;
use axum::extract::{FromRef, Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

/// Pages that an address may see in a minute.
pub(crate) const PAGES_A_MINUTE: u32 = 120;
/// Bytes of a marketplaceId, at most. A longer one, or one with control characters (PostgreSQL
/// stores no NUL), is not asked for.
const ID_BYTES: usize = 256;
/// Days of graded sales.
const SALE_DAYS: i64 = 90;
/// Points of a plot. More would not be visible.
const POINTS: usize = 365;

/// What the pages of cards need.
#[derive(Clone)]
pub(crate) struct CardPages {
    store: Store,
    reader: Arc<Reader>,
    clock: Clock,
    pages: Arc<Pages>,
    /// Pages that each address saw in this minute.
    seen: Arc<PerMinute<IpAddr>>,
    proxies: Proxies,
    companies: Companies,
    /// What is shown without a key.
    shown: Page,
    /// Which marketplace's product a number is.
    scheme: MarketplaceId,
}

impl FromRef<App> for CardPages {
    fn from_ref(app: &App) -> Self {
        Self {
            store: app.store.clone(),
            reader: Arc::clone(&app.reader),
            clock: app.ledger.clock().clone(),
            pages: Arc::clone(&app.pages),
            seen: Arc::clone(&app.card_pages),
            proxies: app.settings.proxies.clone(),
            companies: app.settings.market.companies.clone(),
            shown: app.settings.market.page,
            scheme: app.settings.market.marketplace_id,
        }
    }
}

/// The page of a card.
pub(super) async fn show(
    State(of): State<CardPages>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    let peer = request
        .extensions()
        .get::<Peer>()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
    let address = guard::counted(of.proxies.client(peer, request.headers()));
    drop(request);
    let now = of.clock.now();
    if !matches!(of.seen.count(address, now), Attempt::Allowed) {
        let seconds = now.seconds_until(now.next_minute());
        let message = format!(
            "{PAGES_A_MINUTE} cards a minute are shown to an address: wait {seconds} seconds, or use the interface with a key"
        );
        return Err(
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, "page_limit", message)
                .retry_after(seconds),
        );
    }
    let unknown = || {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "not_found",
            "there is no card of this marketplaceId: /api/v2/cards finds it",
        )
    };
    if !of.shown.shown || id.len() > ID_BYTES || id.contains(char::is_control) {
        return Err(unknown());
    }
    let own = of.store.own_ids(&[&id], of.scheme).await?.concat();
    let id = own.into_iter().next().ok_or_else(unknown)?;
    let cards = of.store.cards_with_marketplace_ids(&[&id]).await?;
    let loaded = of.reader.now();
    let card = cards
        .first()
        .filter(|card| loaded.games().is_open(&card.game))
        .ok_or_else(unknown)?;
    let several = loaded.games().open().len() > 1;
    let game = several.then(|| loaded.game_name(&card.game));
    let item = card
        .printings
        .iter()
        .find(|item| item.marketplace_id == id)
        .ok_or_else(unknown)?;
    let today = now.day();
    let shown = of.shown;
    let history = of
        .store
        .history(&[item], today - shown.days + 1, today)
        .await?;
    let mut grades = BTreeMap::new();
    if shown.sales {
        let from = today - SALE_DAYS + 1;
        let sales = of.store.graded_sales(&[item.key], from, today).await?;
        grades = graded::by_grade(&sales, from, today);
    }
    let mut population = Vec::new();
    if shown.population {
        population = of.store.populations_of(&[&id]).await?;
    }
    let points: Vec<(i64, Money)> = history
        .iter()
        .flatten()
        .filter_map(|point| Some((point.day, point.market?)))
        .collect();
    let synthetic = of.store.fact(SYNTHETIC).await?.is_some();
    let body = html! {
        (head(card, item, game))
        (prices(card, item))
        @if shown.days > 0 { (history_plot(shown.days, &points)) }
        @if shown.sales { (graded_sales(&grades)) }
        @if let Some(record) = population.first() { (populations(&of.companies, record)) }
        @if synthetic {
            p class="panel note" { "These prices were made up for a demonstration. They are no market's." }
        }
    };
    let title = html! { (card.card.name) };
    Ok(of.pages.fill(
        include_str!("../../pages/card.html"),
        &[("title", &title.0), ("card", &body.0)],
    ))
}

/// The head of a page, with the name of the game where there are several.
fn head(card: &CardWithPrintings, item: &ItemRecord, game: Option<&str>) -> Markup {
    let of = &card.card;
    let parts = [
        game,
        of.printed_name.as_deref(),
        Some(card.set_name.as_str()),
        of.number.as_deref(),
        of.rarity.as_deref(),
        Some(of.language.name()),
    ];
    let parts: Vec<&str> = parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    html! {
        h1 { (of.name) }
        p class="lead" { (parts.join(" · ")) }
        p class="quiet" { code { (item.marketplace_id) } }
    }
}

/// A figure, or that it is not known.
fn known(figure: Option<String>) -> Markup {
    html! {
        @if let Some(figure) = figure { (figure) } @else { span class="quiet" { "not known" } }
    }
}

/// A table that scrolls sideways. Each column has a head, and whether it holds numbers.
fn table<const N: usize>(
    name: &str,
    heads: [(&str, bool); N],
    rows: impl Iterator<Item = [Markup; N]>,
) -> Markup {
    let class = |number: bool| number.then_some("number");
    html! {
        div class="wide" tabindex="0" role="region" aria-label=(name) {
            table {
                thead {
                    tr { @for (head, number) in heads { th scope="col" class=[class(number)] { (head) } } }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (cell, (_, number)) in row.into_iter().zip(heads) {
                                td class=[class(number)] { (cell) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The prices of each printing. The one of this page is marked.
fn prices(card: &CardWithPrintings, shown: &ItemRecord) -> Markup {
    let price = |amount: Option<Money>| known(amount.map(dollars));
    let figures = [
        ("Market price", price(shown.market)),
        ("Lowest asked", price(shown.low)),
        ("Sellers", known(shown.sellers.map(grouped))),
    ];
    let printings = card.printings.iter().map(|item| {
        let label = if item.label.is_empty() {
            &item.marketplace_id
        } else {
            &item.label
        };
        let name = html! {
            @if item.key == shown.key {
                b aria-current="page" { (label) }
            } @else {
                a href={ "/cards/" (in_path(&item.marketplace_id)) } { (label) }
            }
        };
        [name, price(item.market), price(item.low)]
    });
    let heads = [
        ("Printing", false),
        ("Market price", true),
        ("Lowest asked", true),
    ];
    html! {
        dl class="figures" {
            @for (name, figure) in figures {
                div class="panel" { dt { (name) } dd class="large" { (figure) } }
            }
        }
        @if card.printings.len() > 1 {
            h2 { "Printings" }
            (table("Printings", heads, printings))
        }
    }
}

fn history_plot(days: i64, points: &[(i64, Money)]) -> Markup {
    let shape: Vec<(i64, i64)> = points.iter().map(|(day, price)| (*day, price.0)).collect();
    let kept: Vec<(i64, Money)> = thin(&shape, POINTS)
        .into_iter()
        .map(|at| points[at])
        .collect();
    html! {
        h2 { "Price history" }
        p class="quiet" { "Market price of the last " (days) " days, daily." }
        @if let Some(plot) = plot::prices(&kept) {
            div class="panel" { (plot) }
        } @else {
            p { "No history is known." }
        }
    }
}

fn graded_sales(grades: &BTreeMap<GradeKey, GradeSales>) -> Markup {
    let rows = grades.iter().rev().map(|(key, sales)| {
        [
            html! { (grader(key.grader)) " " (grade(key.grade)) },
            html! { (grouped(sales.sales_count)) },
            html! { (dollars(sales.avg)) },
            html! { (dollars(sales.smart_market_price)) },
            html! { (sales.smart_market_confidence.name()) },
            html! { (sales.last_sale) },
        ]
    });
    let heads = [
        ("Grade", false),
        ("Sales", true),
        ("Mean", true),
        ("Smart price", true),
        ("Trust", false),
        ("Last sale", false),
    ];
    html! {
        h2 { "Graded sales" }
        p class="quiet" { "Of the last " (SALE_DAYS) " days." }
        @if grades.is_empty() {
            p { "No sales are known." }
        } @else {
            (table("Graded sales", heads, rows))
        }
    }
}

fn populations(companies: &Companies, record: &PopulationRecord) -> Markup {
    let combined = stats::combined(&record.counts);
    let rate = divide(i128::from(stats::gem_rate(&combined).0), 10_000);
    html! {
        h2 { "Population" }
        p class="quiet" {
            (grouped(combined.total())) " graded cards, " (grouped(combined.gems())) " of them tens (" (rate) " %)."
        }
        @for (of, counts) in &record.counts {
            @let name = &companies.0[*of as usize];
            @let said = format!("{name}: {} cards by grade", grouped(counts.total()));
            h3 { (name) " " span class="quiet" { (grader(*of)) } }
            div class="panel" { (plot::bars(&said, &rows(counts))) }
        }
    }
}

/// Counts, the best grade first.
fn rows(counts: &Counts) -> Vec<(String, i64)> {
    counts
        .0
        .iter()
        .rev()
        .map(|(of, count)| (grade(*of), *count))
        .collect()
}

fn grader(grader: Grader) -> String {
    format!("Grader {}", grader.code().trim_start_matches("GRADER_"))
}

fn grade(grade: Grade) -> String {
    match grade {
        Grade::Authentic => "Authentic".to_owned(),
        Grade::Qualified => "Qualified".to_owned(),
        Grade::Pristine => "Pristine".to_owned(),
        Grade::Perfect => "Perfect".to_owned(),
        Grade::Halves(halves) if halves % 2 == 1 => format!("{}.5", halves / 2),
        Grade::Halves(halves) => (halves / 2).to_string(),
    }
}

/// Text as one segment of a path.
fn in_path(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:".contains(&byte);
    text.bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_are_escaped_in_paths() {
        assert_eq!(super::in_path("asia:S6a-095:card"), "asia:S6a-095:card");
        assert_eq!(super::in_path("a/b?c é"), "a%2Fb%3Fc%20%C3%A9");
    }
}
