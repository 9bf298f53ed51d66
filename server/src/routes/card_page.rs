//! `/cards/{marketplaceId}`: a card for people: prices, history, graded sales and populations, whole without scripts. It needs no key; how much
//! history it shows is a setting, and an address sees so many cards a minute.

use super::market::graded::{self, GradeSales};
use super::pages;
use crate::app::App;
use crate::error::ApiError;
use crate::guard::{self, Attempt};
use crate::html::escape;
use crate::market::{Counts, Grade, GradeKey, Grader, Money, stats};
use crate::plot::{self, dollars, grouped};
use crate::proxies::Peer;
use crate::store::market::{CardWithPrintings, ItemRecord, PopulationRecord};
use crate::thinning::thin;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

/// Cards that an address sees in a minute.
pub(crate) const PAGES_A_MINUTE: u32 = 120;
/// Days of graded sales.
const SALE_DAYS: i64 = 90;
/// Points of a plot: more than its width shows.
const POINTS: usize = 365;

/// The page of a card.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    let peer = request
        .extensions()
        .get::<Peer>()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
    let address = guard::counted(app.settings.proxies.client(peer, request.headers()));
    drop(request);
    let now = app.ledger.clock().now();
    if !matches!(app.card_pages.count(address, now), Attempt::Allowed) {
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
    let cards = app.store.cards_with_marketplace_ids(&[&id]).await?;
    let card = cards.first().ok_or_else(unknown)?;
    let item = card
        .printings
        .iter()
        .find(|item| item.marketplace_id == id)
        .ok_or_else(unknown)?;
    let today = now.day();
    let history = app
        .store
        .history(&[item], today - app.settings.market.page_days + 1, today)
        .await?;
    let sales = app
        .store
        .graded_sales(&[item.key], today - SALE_DAYS + 1, today)
        .await?;
    let grades = graded::by_grade(&sales, today - SALE_DAYS + 1, today);
    let population = app.store.populations_of(&[&id]).await?;
    let points: Vec<(i64, Money)> = history
        .iter()
        .flatten()
        .filter_map(|point| Some((point.day, point.market?)))
        .collect();
    let mut out = String::with_capacity(16 * 1024);
    head(card, item, &mut out);
    prices(card, item, &mut out);
    plotted(&app, &points, &mut out);
    graded_sales(&grades, &mut out);
    if let Some(record) = population.first() {
        populations(&app, record, &mut out);
    }
    if app.store.fact("synthetic").await?.is_some() {
        out.push_str("<p class=\"panel note\">These prices were made up for a demonstration. They are no market's.</p>");
    }
    Ok(pages::made(
        include_str!("../../pages/card.html"),
        &[("title", &escape(&card.card.name)), ("card", &out)],
    ))
}

fn head(card: &CardWithPrintings, item: &ItemRecord, out: &mut String) {
    let of = &card.card;
    let _ = write!(out, "<h1>{}</h1>", escape(&of.name));
    let parts = [
        of.printed_name.as_deref(),
        Some(card.set_name.as_str()),
        of.number.as_deref(),
        of.rarity.as_deref(),
        Some(of.language.name()),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .map(escape)
        .collect();
    let _ = write!(out, "<p class=\"lead\">{}</p>", parts.join(" · "));
    let _ = write!(
        out,
        "<p class=\"quiet\"><code>{}</code></p>",
        escape(&item.marketplace_id)
    );
}

/// The prices of each printing; the page's own one is marked.
fn prices(card: &CardWithPrintings, shown: &ItemRecord, out: &mut String) {
    let price = |amount: Option<Money>| {
        amount.map_or_else(
            || "<span class=\"quiet\">not known</span>".to_owned(),
            dollars,
        )
    };
    let _ = write!(
        out,
        "<dl class=\"figures\"><div class=\"panel\"><dt>Market price</dt><dd class=\"large\">{}</dd></div>\
         <div class=\"panel\"><dt>Lowest asked</dt><dd class=\"large\">{}</dd></div>\
         <div class=\"panel\"><dt>Sellers</dt><dd class=\"large\">{}</dd></div></dl>",
        price(shown.market),
        price(shown.low),
        shown.sellers.map_or_else(
            || "<span class=\"quiet\">not known</span>".to_owned(),
            grouped
        )
    );
    if card.printings.len() < 2 {
        return;
    }
    out.push_str("<h2>Printings</h2><div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Printings\"><table><thead><tr><th scope=\"col\">Printing</th>");
    out.push_str(
        "<th scope=\"col\" class=\"number\">Market price</th><th scope=\"col\" class=\"number\">Lowest asked</th></tr></thead><tbody>",
    );
    for item in &card.printings {
        let label = escape(if item.label.is_empty() {
            &item.marketplace_id
        } else {
            &item.label
        });
        let name = if item.key == shown.key {
            format!("<b aria-current=\"page\">{label}</b>")
        } else {
            format!(
                "<a href=\"/cards/{}\">{label}</a>",
                in_path(&item.marketplace_id)
            )
        };
        let _ = write!(
            out,
            "<tr><td>{name}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
            price(item.market),
            price(item.low)
        );
    }
    out.push_str("</tbody></table></div>");
}

fn plotted(app: &App, points: &[(i64, Money)], out: &mut String) {
    let _ = write!(
        out,
        "<h2>Price history</h2><p class=\"quiet\">Market price of the last {} days, daily.</p>",
        app.settings.market.page_days
    );
    let shape: Vec<(i64, i64)> = points.iter().map(|(day, price)| (*day, price.0)).collect();
    let kept: Vec<(i64, Money)> = thin(&shape, POINTS)
        .into_iter()
        .map(|at| points[at])
        .collect();
    let plot = plot::prices(&kept);
    if plot.is_empty() {
        out.push_str("<p>No history is known.</p>");
    } else {
        let _ = write!(out, "<div class=\"panel\">{plot}</div>");
    }
}

fn graded_sales(grades: &BTreeMap<GradeKey, GradeSales>, out: &mut String) {
    let _ = write!(
        out,
        "<h2>Graded sales</h2><p class=\"quiet\">Of the last {SALE_DAYS} days.</p>"
    );
    if grades.is_empty() {
        out.push_str("<p>No sales are known.</p>");
        return;
    }
    out.push_str(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Graded sales\"><table><thead><tr><th scope=\"col\">Grade</th>",
    );
    out.push_str("<th scope=\"col\" class=\"number\">Sales</th><th scope=\"col\" class=\"number\">Mean</th><th scope=\"col\" class=\"number\">Smart price</th><th scope=\"col\">Trust</th><th scope=\"col\">Last sale</th></tr></thead><tbody>");
    for (key, sales) in grades.iter().rev() {
        let _ = write!(
            out,
            "<tr><td>{} {}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td><td>{}</td></tr>",
            grader(key.grader),
            grade(key.grade),
            grouped(sales.sales_count),
            dollars(sales.avg),
            dollars(sales.smart_market_price),
            sales.smart_market_confidence.name(),
            sales.last_sale
        );
    }
    out.push_str("</tbody></table></div>");
}

fn populations(app: &App, record: &PopulationRecord, out: &mut String) {
    let combined = stats::combined(&record.counts);
    let _ = write!(
        out,
        "<h2>Population</h2><p class=\"quiet\">{} graded cards, {} of them tens ({} %).</p>",
        grouped(combined.total()),
        grouped(combined.gems()),
        crate::market::money::divide(i128::from(stats::gem_rate(&combined).0), 10_000)
    );
    for (of, counts) in &record.counts {
        let name = &app.settings.market.companies.0[*of as usize];
        let said = format!("{name}: {} cards by grade", grouped(counts.total()));
        let _ = write!(
            out,
            "<h3>{} <span class=\"quiet\">{}</span></h3><div class=\"panel\">{}</div>",
            escape(name),
            grader(*of),
            plot::bars(&said, &rows(counts))
        );
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

/// Text as one part of a path.
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
    fn ids_are_parts_of_paths() {
        assert_eq!(super::in_path("asia:S6a-095:card"), "asia:S6a-095:card");
        assert_eq!(super::in_path("a/b?c é"), "a%2Fb%3Fc%20%C3%A9");
    }
}
