//! [`Scope`]: of which games, set and language something is listed.

use super::{Market, language, set};
use crate::error::ApiError;
use crate::parameters::Parameters;
use crate::store::market::{Language, SetRecord};

/// Of what a list of cards or products is, as `game`, `set`, `setId`, `language` and
/// `marketplaceId` say it together.
pub(super) struct Scope {
    /// Of which games.
    pub(super) games: Option<Vec<String>>,
    pub(super) set: Option<SetRecord>,
    /// In which language; all of the set, or of what the id names, where none is sent beside it.
    pub(super) language: Option<Language>,
    /// Whether an id names what is listed.
    by_id: bool,
}

impl Scope {
    /// # Errors
    /// 400 if a parameter is wrong, 404 if there is no such set.
    pub(super) async fn of(market: &Market, parameters: &Parameters) -> Result<Self, ApiError> {
        let language = language(parameters)?;
        let games = market.games(parameters).await?;
        let set = set(market, parameters, language, games.as_deref()).await?;
        let by_id = parameters.sent("marketplaceId").is_some();
        // a few cards and products of a set may be in another language than the rest of it
        let of_any = by_id || set.is_some();
        let language = (!of_any || parameters.sent("language").is_some()).then_some(language);
        Ok(Self {
            games,
            set,
            language,
            by_id,
        })
    }

    /// The language that the answer names: that of the request, or of the set.
    pub(super) fn listed_language(&self) -> Option<Language> {
        let set = self.set.as_ref().filter(|_| !self.by_id);
        self.language.or(set.map(|set| set.language))
    }
}
