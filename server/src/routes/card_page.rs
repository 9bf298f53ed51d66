//! `/cards/{marketplaceId}`: the page of a card, with prices, history, graded sales and
//! populations, complete without scripts.
//!
//! It needs no key. Settings say what it shows, by default nothing that a plan sells.

use super::browse::in_order;
use super::market::graded::{self, GradeSales};
use super::site::{Site, art, capital, card_grid, in_path, is_id, joined, missing};
use crate::catalogue::Reader;
use crate::clock::Moment;
use crate::error::ApiError;
use crate::market::money::divide;
use crate::market::{Companies, Counts, Grade, GradeKey, Money, SYNTHETIC, stats};
use crate::plot::{self, dollars, grouped};
use crate::shops::Shops;
use crate::store::market::{CardWithPrintings, ItemRecord, PopulationRecord};
use crate::thinning::thin;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::sync::Arc;
use titledex::Within;

/// Days of graded sales.
const SALE_DAYS: i64 = 90;
/// Points of a plot. More would not be visible.
const POINTS: usize = 365;
/// Cards that are looked through for similar ones, and shown.
const SIMILAR: (usize, usize) = (24, 6);

/// The page of a card.
pub(super) async fn show(
    State(site): State<Site>,
    State(reader): State<Arc<Reader>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    site.show(request, |now| made(&site, &reader, &id, now))
        .await
}

async fn made(
    site: &Site,
    reader: &Reader,
    id: &str,
    now: Moment,
) -> Result<(String, Markup), ApiError> {
    let unknown = || missing("There is no card of this id: search for its name or number.");
    if !is_id(id) {
        return Err(unknown());
    }
    let own = site.store.own_ids(&[id], site.scheme).await?.concat();
    let id = own.into_iter().next().ok_or_else(unknown)?;
    let cards = site.store.cards_with_marketplace_ids(&[&id]).await?;
    let loaded = reader.now();
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
    let shown = site.shown;
    let history = site
        .store
        .history(&[item], today - shown.days + 1, today)
        .await?;
    let mut grades = BTreeMap::new();
    if shown.sales {
        let from = today - SALE_DAYS + 1;
        let sales = site.store.graded_sales(&[item.key], from, today).await?;
        grades = graded::by_grade(&sales, from, today);
    }
    let mut population = Vec::new();
    if shown.population {
        population = site.store.populations_of(&[&id], None).await?;
    }
    let points: Vec<(i64, Money)> = history
        .iter()
        .flatten()
        .filter_map(|point| Some((point.day, point.market?)))
        .collect();
    let synthetic = site.store.fact(SYNTHETIC).await?.is_some();
    let similar = similar(site, reader, card).await?;
    let figures = [item.market, item.low, item.eur_market];
    let unpriced = figures.iter().all(Option::is_none)
        && item.sellers.is_none()
        && points.is_empty()
        && grades.is_empty();
    let body = html! {
        (head(site, card, item, game))
        @if unpriced {
            p class="panel" { "No price and no sale of this printing is known here yet." }
        } @else {
            (prices(item))
            @if shown.days > 0 { (history_plot(shown.days, &points)) }
        }
        @if shown.sales && !unpriced { (graded_sales(&site.companies, &grades)) }
        @if let Some(record) = population.first() { (populations(&site.companies, record)) }
        @if synthetic {
            p class="panel note" { "These prices were made up for a demonstration. No market had them." }
        }
        @if !similar.is_empty() {
            h2 { "Similar cards" }
            (card_grid(site, similar.iter(), true))
        }
        details class="panel" {
            summary { "This card by the API" }
            pre tabindex="0" { "curl '/api/v2/cards?marketplaceId=" (in_path(&item.marketplace_id)) "' -H \"Authorization: Bearer $KEY\"" }
        }
    };
    Ok((
        joined(&[
            Some(&card.card.name),
            card.card.number.as_deref(),
            Some(&card.set_name),
        ]),
        body,
    ))
}

/// Other cards of the name.
async fn similar(
    site: &Site,
    reader: &Reader,
    card: &CardWithPrintings,
) -> Result<Vec<CardWithPrintings>, ApiError> {
    let found = reader
        .now()
        .search(&card.card.name, &Within::new().most(SIMILAR.0));
    let ids = found.into_iter().map(|(id, _)| id).collect();
    let mut ids = site.store.present_cards(ids).await?;
    ids.retain(|id| *id != card.card.id);
    ids.truncate(SIMILAR.1);
    in_order(site, &ids).await
}

/// Name, set, picture, the printings as tabs, and where it is sold; with the name of the game where
/// there are several.
fn head(site: &Site, card: &CardWithPrintings, item: &ItemRecord, game: Option<&str>) -> Markup {
    let of = &card.card;
    let links = Shops::new(site.shown.links);
    let links = links.links(item.ids, &card.game);
    html! {
        nav class="path" aria-label="Where" {
            a href="/sets" { "Sets" } " › " a href={ "/sets/" (in_path(&card.set_id)) } { (card.set_name) } " › " (of.name)
        }
        div class="product" {
            (art(site.images.of_card(card).as_deref(), card))
            div {
                h1 { (of.name) @if let Some(number) = of.number.as_deref() { " " span class="soft" { (number) } } }
                p class="lead" {
                    (joined(&[game, of.printed_name.as_deref(), Some(&card.set_name), of.rarity.as_deref(), Some(&capital(of.language.name()))]))
                }
                @if card.printings.len() > 1 {
                    nav class="tabs" aria-label="Printings" {
                        @for other in &card.printings {
                            @let label = label(other);
                            @if other.key == item.key {
                                a href={ "/cards/" (in_path(&other.marketplace_id)) } aria-current="page" { (label) }
                            } @else {
                                a href={ "/cards/" (in_path(&other.marketplace_id)) } { (label) }
                            }
                        }
                    }
                } @else if !item.label.is_empty() {
                    p { (item.label) }
                }
                @if !links.is_empty() {
                    p class="links" {
                        @for link in &links {
                            a href=(link.address) rel="noreferrer noopener" { "See it at " (link.name) } " "
                        }
                    }
                }
                p class="soft" { code { (item.marketplace_id) } }
            }
        }
    }
}

/// A printing's label. Some cards have one that the catalogue does not name.
fn label(item: &ItemRecord) -> &str {
    if item.label.is_empty() {
        "Standard"
    } else {
        &item.label
    }
}

/// A figure, or that it is not known.
fn known(figure: Option<String>) -> Markup {
    html! {
        @if let Some(figure) = figure { (figure) } @else { span class="soft" { "not known" } }
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

/// What the printing costs.
fn prices(item: &ItemRecord) -> Markup {
    let price = |amount: Option<Money>| known(amount.map(dollars));
    let figures = [
        ("Market price, USD", price(item.market)),
        ("Lowest price asked", price(item.low)),
        ("Sellers", known(item.sellers.map(grouped))),
    ];
    let europe = item
        .eur_market
        .map(|amount| dollars(amount).replace('$', "€"));
    html! {
        dl class="figures" {
            @for (name, figure) in figures {
                div class="panel" { dt { (name) } dd class="large" { (figure) } }
            }
            @if let Some(price) = europe {
                div class="panel" { dt { "In Europe, EUR" } dd class="large" { (price) } }
            }
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
        p class="soft" { "Market price of the last " (days) " days, daily." }
        @if let Some(plot) = plot::prices(&kept) {
            div class="panel" { (plot) }
        } @else {
            p { "No history is known." }
        }
    }
}

fn graded_sales(companies: &Companies, grades: &BTreeMap<GradeKey, GradeSales>) -> Markup {
    let rows = grades.iter().rev().map(|(key, sales)| {
        [
            html! { (companies.0[key.grader as usize]) " " (grade(key.grade)) },
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
        ("Confidence", false),
        ("Last sale", false),
    ];
    html! {
        h2 { "Graded sales" }
        p class="soft" { "Of the last " (SALE_DAYS) " days." }
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
        p class="soft" {
            (grouped(combined.total())) " graded cards, " (grouped(combined.gems())) " of them tens (" (rate) "%)."
        }
        @for (of, counts) in &record.counts {
            @let name = &companies.0[*of as usize];
            @let said = format!("{name}: {} cards by grade", grouped(counts.total()));
            h3 { (name) }
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
