//! [`Site`]: what the pages of cards, sets and searches share. They need no key; each address may
//! see a number of them a minute.

use crate::accept::accepts;
use crate::app::App;
use crate::clock::{Clock, Moment};
use crate::config::Page;
use crate::error::ApiError;
use crate::guard::{self, Attempt, PerMinute};
use crate::images::{Images, percent_encoded};
use crate::market::Companies;
use crate::middleware::Explained;
use crate::pages::Pages;
use crate::proxies::{Peer, Proxies};
use crate::store::Store;
use crate::store::market::{CardWithPrintings, MarketplaceId};
use axum::extract::{FromRef, Request};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use maud::{Markup, html};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

/// Pages that an address may see in a minute.
pub(crate) const PAGES_A_MINUTE: u32 = 120;
/// What belongs to the link "Sets".
const BROWSED: [&str; 2] = ["/sets", "/cards/"];
/// Bytes of an id, at most. A longer one, or one with control characters (PostgreSQL stores no
/// NUL), is not asked for.
const ID_BYTES: usize = 256;

/// What the pages for people need.
#[derive(Clone)]
pub(crate) struct Site {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) pages: Arc<Pages>,
    /// Pages that each address saw in this minute.
    seen: Arc<PerMinute<IpAddr>>,
    proxies: Proxies,
    pub(super) companies: Companies,
    /// What is shown without a key.
    pub(super) shown: Page,
    /// Which marketplace's product a number is.
    pub(super) scheme: MarketplaceId,
    pub(super) images: Arc<Images>,
}

impl FromRef<App> for Site {
    fn from_ref(app: &App) -> Self {
        let market = &app.settings.market;
        Self {
            store: app.store.clone(),
            clock: app.ledger.clock().clone(),
            pages: Arc::clone(&app.description().pages),
            seen: Arc::clone(&app.card_pages),
            proxies: app.settings.proxies.clone(),
            companies: market.companies.clone(),
            shown: market.page,
            scheme: market.marketplace_id,
            images: Arc::clone(&market.images),
        }
    }
}

impl Site {
    /// The page that `make` makes, counted for the caller; or what went wrong, as a page to browsers
    /// and as JSON to others.
    ///
    /// # Errors
    /// Those of `make`; 429 if the caller has seen enough in this minute; 404 if the settings show
    /// no pages.
    pub(super) async fn show<M>(
        &self,
        request: Request,
        make: impl FnOnce(Moment) -> M,
    ) -> Result<Response, ApiError>
    where
        M: Future<Output = Result<(String, Markup), ApiError>>,
    {
        let admitted = self.admit(&request);
        let browsing = BROWSED
            .iter()
            .any(|of| request.uri().path().starts_with(of));
        // a body that nobody reads is not kept while the page is made
        let headers = request.into_parts().0.headers;
        let made = match admitted {
            Ok(now) => make(now).await,
            Err(error) => Err(error),
        };
        match made {
            Ok((title, content)) => {
                Ok(self.page(if browsing { "/sets" } else { "" }, &title, &content))
            }
            Err(error) if wants_page(&headers) && error.status.is_client_error() => {
                Ok(self.failure(&error))
            }
            Err(error) => Err(error),
        }
    }

    /// Counts one more page of the caller.
    fn admit(&self, request: &Request) -> Result<Moment, ApiError> {
        let peer = request
            .extensions()
            .get::<Peer>()
            .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
        let address = guard::counted(self.proxies.client(peer, request.headers()));
        let now = self.clock.now();
        if !matches!(self.seen.count(address, now), Attempt::Allowed) {
            let seconds = now.seconds_until(now.next_minute());
            let message = format!(
                "{PAGES_A_MINUTE} pages a minute are shown to an address: wait {seconds} seconds, or use the API with a key"
            );
            return Err(
                ApiError::new(StatusCode::TOO_MANY_REQUESTS, "page_limit", message)
                    .retry_after(seconds),
            );
        }
        if self.shown.shown {
            Ok(now)
        } else {
            Err(missing("this page is switched off: market.page says so"))
        }
    }

    /// A page of the catalogue; the link to `path` is marked.
    fn page(&self, path: &str, title: &str, content: &Markup) -> Response {
        let title = html! { (title) };
        self.pages.fill(
            include_str!("../../pages/page.html"),
            path,
            &[("title", &title.0), ("content", &content.0)],
        )
    }

    /// What went wrong as a page, with a search.
    pub(super) fn failure(&self, error: &ApiError) -> Response {
        let missing = error.status == StatusCode::NOT_FOUND;
        let heading = if missing { "Not found" } else { "Not now" };
        let content = html! {
            h1 { (heading) }
            p class="lead" { (error.message) }
            @if missing { (search_form("")) }
        };
        let mut response = self.page("", heading, &content);
        *response.status_mut() = error.status;
        if let Some(seconds) = error.retry_after {
            response
                .headers_mut()
                .insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(Explained);
        response
    }
}

/// 404 with what to do.
pub(super) fn missing(message: &str) -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "not_found", message)
}

/// Whether the caller is a browser that shows a page.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    accepts(headers, "text/html")
}

/// Whether an id may be looked up.
pub(super) fn is_id(id: &str) -> bool {
    id.len() <= ID_BYTES && !id.contains(char::is_control)
}

/// A search of the catalogue.
pub(super) fn search_form(words: &str) -> Markup {
    html! {
        form class="search" action="/search" role="search" aria-label="The catalogue" {
            input type="search" name="q" value=(words) maxlength="200" aria-label="Search cards and sets" placeholder="Charizard 4/102, ブラッキー…";
            " "
            button class="main" { "Search" }
        }
    }
}

/// Cards as links: a grid with pictures where a setting says where those are, otherwise a list.
pub(super) fn card_grid<'c>(
    site: &Site,
    cards: impl Iterator<Item = &'c CardWithPrintings>,
    with_set: bool,
) -> Markup {
    let drawn = site.images.are_of_cards();
    html! {
        ul class=(if drawn { "cards" } else { "cards plain" }) {
            @for card in cards {
                @let number = card.card.number.as_deref();
                li {
                    a href={ "/cards/" (in_path(&card.card.id)) } {
                        @if drawn {
                            (art(site.images.of_card(card).as_deref(), card))
                        } @else {
                            span class="at" { (number.unwrap_or_default()) }
                            " "
                        }
                        b { (card.card.name) }
                        " "
                        span class="soft" {
                            (joined(&[number.filter(|_| drawn), card.card.rarity.as_deref(), with_set.then_some(card.set_name.as_str())]))
                        }
                    }
                }
            }
        }
    }
}

/// A card drawn by its number and set, under its picture if there is one.
pub(super) fn art(picture: Option<&str>, card: &CardWithPrintings) -> Markup {
    html! {
        span class="art" aria-hidden="true" {
            span class="art-number" { (card.card.number.as_deref().unwrap_or_default()) }
            span class="art-set" { (card.set_name) }
            @if let Some(address) = picture {
                img src=(address) alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer";
            }
        }
    }
}

/// What is known, with dots between. `None` is how the catalogue's source writes a rarity that a
/// card does not have.
pub(super) fn joined(parts: &[Option<&str>]) -> String {
    let parts: Vec<&str> = parts
        .iter()
        .filter_map(|part| part.filter(|part| !matches!(*part, "" | "None")))
        .collect();
    parts.join(" · ")
}

/// A word with a capital.
pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// Text as one segment of a path of this service, whose ids have colons.
pub(super) fn in_path(text: &str) -> String {
    percent_encoded(text, b"-._~:")
}

#[cfg(test)]
mod tests {
    use super::{capital, in_path, joined};

    #[test]
    fn ids_are_escaped_in_paths() {
        assert_eq!(in_path("asia:S6a-095:card"), "asia:S6a-095:card");
        assert_eq!(in_path("a/b?c é"), "a%2Fb%3Fc%20%C3%A9");
    }

    #[test]
    fn unknown_parts_are_left_out() {
        assert_eq!(joined(&[Some("a"), None, Some(""), Some("b")]), "a · b");
        assert_eq!(
            (capital("english").as_str(), capital("").as_str()),
            ("English", "")
        );
    }
}
