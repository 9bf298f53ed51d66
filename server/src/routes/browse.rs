//! `/search`, `/sets`, `/sets/{id}`: the catalogue for people, and what search engines read,
//! `/sitemap.xml` and `/robots.txt`.

use super::site::{Site, capital, card_grid, in_path, is_id, joined, missing, search_form};
use crate::catalogue::{Loaded, Reader};
use crate::error::ApiError;
use crate::origin::Origin;
use crate::pages::answer;
use crate::parameters::Parameters;
use crate::plot::grouped;
use crate::series;
use crate::store::market::{CardQuery, CardWithPrintings, SetRecord};
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::Uri;
use axum::response::Response;
use maud::{Markup, html};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::Arc;
use titledex::Within;

/// Cards that a search shows.
const FOUND: usize = 60;
/// Sets that a search shows.
const SETS: usize = 6;
/// Cards of a page of a set. The largest sets have some 700.
const CARDS: i64 = 1_000;

/// The address of the service to a caller of HTTP/1.0 that names no host.
const NO_HOST: &str = "http://localhost";

/// Cards and sets that words mean.
pub(super) async fn search(
    State(site): State<Site>,
    State(reader): State<Arc<Reader>>,
    request: Request,
) -> Result<Response, ApiError> {
    let uri = request.uri().clone();
    site.show(request, |_| found(&site, &reader, &uri)).await
}

async fn found(site: &Site, reader: &Reader, uri: &Uri) -> Result<(String, Markup), ApiError> {
    let parameters = Parameters::of(uri, &["q"])?;
    let words = parameters.search("q").unwrap_or_default().unwrap_or("");
    let (cards, sets) = if words.is_empty() {
        (Vec::new(), Vec::new())
    } else {
        let loaded = reader.now();
        let ids = loaded.search(words, &Within::new().most(FOUND));
        let ids = ids.into_iter().map(|(id, _)| id).collect();
        let ids = site.store.present_cards(ids).await?;
        let mut sets: Vec<SetRecord> = Vec::new();
        for id in loaded.search_sets(words).into_iter().take(SETS) {
            sets.extend(site.store.set(&id).await?);
        }
        (in_order(site, &ids).await?, sets)
    };
    let content = html! {
        h1 { @if words.is_empty() { "Search the catalogue" } @else { "Cards for “" (words) "”" } }
        (search_form(words))
        @if !sets.is_empty() {
            h2 { "Sets" }
            (set_list(sets.iter()))
        }
        @if !cards.is_empty() {
            h2 { "Cards" }
            (card_grid(site, cards.iter(), true))
        } @else if sets.is_empty() && !words.is_empty() {
            p { "No card and no set matches. Try fewer words, a name or a number, or " a href="/sets" { "look through the sets" } "." }
        }
    };
    Ok(("Search".to_owned(), content))
}

/// The cards of these ids, in their order.
pub(super) async fn in_order(
    site: &Site,
    ids: &[String],
) -> Result<Vec<CardWithPrintings>, ApiError> {
    let wanted: Vec<&str> = ids.iter().map(String::as_str).collect();
    let cards = site.store.cards_with_ids(&wanted).await?;
    let mut by_id: HashMap<String, CardWithPrintings> = cards
        .into_iter()
        .map(|card| (card.card.id.clone(), card))
        .collect();
    Ok(ids.iter().filter_map(|id| by_id.remove(id)).collect())
}

/// All sets, the newest first.
pub(super) async fn sets(
    State(site): State<Site>,
    State(reader): State<Arc<Reader>>,
    request: Request,
) -> Result<Response, ApiError> {
    site.show(request, |_| all_sets(&site, &reader)).await
}

async fn all_sets(site: &Site, reader: &Reader) -> Result<(String, Markup), ApiError> {
    let loaded = reader.now();
    let sets = site.store.sets(None).await?;
    let mut languages: BTreeMap<&str, BTreeMap<&str, Vec<&SetRecord>>> = BTreeMap::new();
    for set in sets.iter().filter(|set| is_listed(set, &loaded)) {
        let series = series_name(set).unwrap_or("Other");
        let of = languages.entry(set.language.name()).or_default();
        of.entry(series).or_default().push(set);
    }
    let content = html! {
        h1 { "Sets" }
        (search_form(""))
        @for (language, series) in &languages {
            @let all: usize = series.values().map(Vec::len).sum();
            details open[*language == "english"] {
                summary { h2 { (capital(language)) " " span class="soft" { (all) " sets" } } }
                @for (name, sets) in newest_first(series) {
                    h3 { (capital(name)) }
                    (set_list(sets.into_iter()))
                }
            }
        }
    };
    Ok(("Sets".to_owned(), content))
}

/// Whether a set is listed: it has cards, and its game is open.
fn is_listed(set: &SetRecord, loaded: &Loaded) -> bool {
    set.total != Some(0) && loaded.games().is_open(&set.game)
}

/// What people call the series of a set.
fn series_name(set: &SetRecord) -> Option<&str> {
    set.series
        .as_deref()
        .map(|series| series::name(&set.game, series))
}

/// Series by their newest set, and within each its newest set first.
fn newest_first<'s>(
    series: &BTreeMap<&'s str, Vec<&'s SetRecord>>,
) -> Vec<(&'s str, Vec<&'s SetRecord>)> {
    let mut all: Vec<(&str, Vec<&SetRecord>)> = series
        .iter()
        .map(|(name, sets)| {
            let mut sets = sets.clone();
            sets.sort_by(|one, other| other.released.cmp(&one.released));
            (*name, sets)
        })
        .collect();
    all.sort_by(|(_, one), (_, other)| {
        let newest = |sets: &[&SetRecord]| sets.first().and_then(|set| set.released.clone());
        newest(other).cmp(&newest(one))
    });
    all
}

fn set_list<'s>(sets: impl Iterator<Item = &'s SetRecord>) -> Markup {
    html! {
        ul class="sets" {
            @for set in sets {
                li {
                    a href={ "/sets/" (in_path(&set.id)) } { (set.name) }
                    " "
                    span class="soft" {
                        (joined(&[set.code.as_deref(), set.released.as_deref(), set.total.map(|total| format!("{} cards", grouped(total))).as_deref()]))
                    }
                }
            }
        }
    }
}

/// A set with its cards.
pub(super) async fn set(
    State(site): State<Site>,
    State(reader): State<Arc<Reader>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    site.show(request, |_| one_set(&site, &reader, &id)).await
}

async fn one_set(site: &Site, reader: &Reader, id: &str) -> Result<(String, Markup), ApiError> {
    let unknown = || missing("There is no set of this id: look through /sets.");
    if !is_id(id) {
        return Err(unknown());
    }
    let loaded = reader.now();
    let set = site.store.set(id).await?;
    let set = set
        .filter(|set| loaded.games().is_open(&set.game))
        .ok_or_else(unknown)?;
    let query = CardQuery {
        set: Some(set.key),
        limit: CARDS,
        ..CardQuery::default()
    };
    let cards = site.store.cards(&query).await?;
    let count = i64::try_from(cards.len()).unwrap_or(CARDS);
    let printings: usize = cards.iter().map(|card| card.printings.len()).sum();
    let printings = i64::try_from(printings).unwrap_or(0);
    let printed = set.printed_total.filter(|printed| *printed != count);
    let content = html! {
        nav class="path" aria-label="Where" { a href="/sets" { "Sets" } " › " (set.name) }
        h1 { (set.name) @if let Some(printed) = &set.printed_name { " " span class="soft" { (printed) } } }
        p class="lead" {
            (joined(&[series_name(&set).map(capital).as_deref(), set.code.as_deref(), set.released.as_deref(), Some(&capital(set.language.name()))]))
        }
        p class="soft" {
            (grouped(count)) " cards, " (grouped(printings)) " printings"
            @if let Some(printed) = printed { ". The cards count up to " (grouped(printed)) }
            "."
        }
        (card_grid(site, cards.iter(), false))
    };
    Ok((set.name.clone(), content))
}

/// Addresses for search engines.
pub(super) async fn sitemap(
    State(site): State<Site>,
    State(reader): State<Arc<Reader>>,
    origin: Origin,
) -> Result<Response, ApiError> {
    let base = origin.address.as_deref().unwrap_or(NO_HOST);
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    let mut add = |path: &str| {
        let address = html! { (base) (path) };
        // memory takes it
        let _ = writeln!(text, "<url><loc>{}</loc></url>", address.0);
    };
    for path in ["/", "/docs"] {
        add(path);
    }
    if site.shown.shown {
        add("/sets");
        let loaded = reader.now();
        let sets = site.store.sets(None).await?;
        for set in sets.iter().filter(|set| is_listed(set, &loaded)) {
            add(&format!("/sets/{}", in_path(&set.id)));
        }
    }
    text.push_str("</urlset>\n");
    Ok(with_address(text, "application/xml", &origin))
}

/// What search engines may read: pages, not answers.
pub(super) async fn robots(origin: Origin) -> Response {
    let text = format!(
        "User-agent: *\nDisallow: /api/\nDisallow: /search\nDisallow: /dashboard\nDisallow: /review\n\nSitemap: {}/sitemap.xml\n",
        origin.address.as_deref().unwrap_or(NO_HOST)
    );
    with_address(text, "text/plain; charset=utf-8", &origin)
}

/// What has the address of the service: kept for an hour if a setting says which that is.
fn with_address(text: String, kind: &'static str, origin: &Origin) -> Response {
    let caching = if origin.is_set {
        "max-age=3600"
    } else {
        "no-store"
    };
    answer(&Bytes::from(text), kind, caching)
}
