//! The printings of a card of our JSON Lines, and what marketplaces call them.

use super::json::Object;
use super::{MOST_EDITIONS, MOST_PRINTINGS, slug_of};
use crate::answer::MarketIds;
use crate::attributes::label::{Labels, Written};
use crate::build::rows::Printing;
use crate::error::Error;
use crate::sort::sort_by;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The printings of a card, labelled as the price service's export labels them, and what
/// marketplaces call each; `unknown` is the slug of a card without any. Ids that are missing at the
/// end are left out.
///
/// # Errors
/// If `variants` is not a list of objects of texts and ids, or has too many.
pub(super) fn variants(
    object: &Object<'_>,
    unknown: &str,
) -> Result<(Vec<Printing>, Vec<MarketIds>), Error> {
    let (printings, mut ids) = printings(object, unknown)?;
    share_ids(&object.ids("tcgplayerIds")?, &mut ids, |ids| {
        &mut ids.tcgplayer
    });
    share_ids(&object.ids("cardmarketIds")?, &mut ids, |ids| {
        &mut ids.cardmarket
    });
    while ids.last().is_some_and(MarketIds::is_empty) {
        ids.pop();
    }
    Ok((printings, ids))
}

/// Gives a marketplace's ids of a card to those of its printings that have none.
///
/// A source often knows the product that a marketplace sells the card as, and not which printings
/// it is. An id is given only where that leaves no choice: to all printings if none has an id of
/// its own and the card has one, or to the only printing that has none if one id is left over.
fn share_ids(
    of_card: &[u32],
    printings: &mut [MarketIds],
    of: fn(&mut MarketIds) -> &mut Option<u32>,
) {
    let own: Vec<u32> = printings.iter_mut().filter_map(|ids| *of(ids)).collect();
    let mut left = of_card.iter().filter(|id| !own.contains(id));
    let without = printings.len() - own.len();
    if let (Some(&id), None) = (left.next(), left.next())
        && (own.is_empty() || without == 1)
    {
        for ids in printings {
            of(ids).get_or_insert(id);
        }
    }
}

/// The printings of a card, and as many ids.
fn printings(object: &Object<'_>, unknown: &str) -> Result<(Vec<Printing>, Vec<MarketIds>), Error> {
    let Some(list) = object.list("variants")? else {
        let unlabelled = Printing {
            label: String::new(),
            slug: unknown.to_owned(),
        };
        return Ok((vec![unlabelled], vec![MarketIds::default()]));
    };
    within(object, "variants", "printings", list.len(), MOST_PRINTINGS)?;
    let list = list
        .iter()
        .map(|value| Variant::of(object, value))
        .collect::<Result<Vec<_>, _>>()?;
    let list: Vec<Variant> = list.into_iter().flat_map(Variant::by_edition).collect();
    within(object, "variants", "printings", list.len(), MOST_PRINTINGS)?;
    Ok(labelled(&list, Labels::builtin()?))
}

/// Whether `kind` is a type of variants that is known, whose finish is another than `Other`.
pub(super) fn is_type(labels: &Labels, kind: &str) -> bool {
    let kind = kind.to_lowercase();
    kind.contains("-stamp") || labels.written(Written::Finish, &kind).is_some()
}

/// Refuses more than `most` of what a member lists.
fn within(
    object: &Object<'_>,
    member: &str,
    what: &str,
    count: usize,
    most: usize,
) -> Result<(), Error> {
    if count <= most {
        return Ok(());
    }
    Err(object.wrong(member, &format!("has {count} {what}; write at most {most}")))
}

// What our JSON Lines call editions and finishes of which more is to be said here; the rest is in
// `dictionaries/common/printing_labels.csv`.
const FIRST_EDITION: &str = "1st-edition";
const UNLIMITED: &str = "unlimited";
const NORMAL: &str = "normal";
const OTHER: &str = "other";

/// A printing, as our JSON Lines describe it.
#[derive(Clone)]
struct Variant {
    kind: Option<String>,
    subtype: String,
    /// Each of them is a printing.
    editions: Vec<String>,
    rarity: String,
    /// What tells it apart, in the words that a label has for it.
    looks: Vec<String>,
    stamps: Vec<String>,
    foils: Vec<String>,
    sizes: Vec<String>,
    ids: MarketIds,
}

impl Variant {
    fn of(object: &Object<'_>, value: &Value) -> Result<Self, Error> {
        let Value::Object(members) = value else {
            return Err(object.mistyped("variants", value, "a list of objects"));
        };
        let mut kind = texts(object, members, "type")?.into_iter().next();
        let mut stamps = texts(object, members, "stamp")?;
        // a source has one word for both: `pikachu-stamp` is a stamp, and says nothing of the foil
        kind = kind.map(|kind| kind.to_lowercase());
        if let Some((stamp, _)) = kind.as_deref().and_then(|kind| kind.split_once("-stamp")) {
            stamps.push(stamp.to_owned());
            kind = None;
        }
        let editions = texts(object, members, "editions")?;
        let count = editions.len();
        within(
            object,
            "variants.editions",
            "editions",
            count,
            MOST_EDITIONS,
        )?;
        for code in texts(object, members, "languages")? {
            if !super::is_code(&code) {
                let what = format!("`{code}` {}", super::NO_CODE);
                return Err(object.wrong("variants.languages", &what));
            }
        }
        Ok(Self {
            kind,
            subtype: texts(object, members, "subtype")?.pop().unwrap_or_default(),
            editions,
            rarity: texts(object, members, "rarity")?.pop().unwrap_or_default(),
            looks: texts(object, members, "looks")?,
            stamps,
            foils: texts(object, members, "foil")?,
            sizes: texts(object, members, "size")?,
            ids: MarketIds::new(
                object.id_in(members, "variants", "tcgplayerId")?,
                object.id_in(members, "variants", "cardmarketId")?,
            ),
        })
    }

    /// The printings that it is: one for each of its editions.
    fn by_edition(mut self) -> Vec<Variant> {
        let editions = std::mem::take(&mut self.editions);
        if editions.is_empty() {
            return vec![self];
        }
        let of = |edition| Variant {
            subtype: edition,
            ..self.clone()
        };
        editions.into_iter().map(of).collect()
    }

    fn is_first_edition(&self) -> bool {
        self.stamps.iter().any(|stamp| stamp == FIRST_EDITION)
    }

    fn is_reverse(&self) -> bool {
        self.kind.as_deref() == Some("reverse")
    }
}

/// One text or several; none if the member is missing.
fn texts(
    object: &Object<'_>,
    members: &Map<String, Value>,
    key: &str,
) -> Result<Vec<String>, Error> {
    let member = format!("variants.{key}");
    let text = |value| object.text_in(&member, value).map(str::to_owned);
    match members.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(many)) => many.iter().map(text).collect(),
        Some(one) => Ok(vec![text(one)?]),
    }
}

/// Variants that differ in nothing that a label says are one printing, which keeps the ids of the
/// first that has any.
fn labelled(list: &[Variant], labels: &Labels) -> (Vec<Printing>, Vec<MarketIds>) {
    let edition_of = |source: &str| labels.written(Written::Edition, &source.to_lowercase());
    let finish_of = |source: &str| labels.written(Written::Finish, source);
    let (normal, other) = (
        finish_of(NORMAL).unwrap_or(""),
        finish_of(OTHER).unwrap_or(""),
    );
    let has_first = list.iter().any(Variant::is_first_edition);
    // of a card that has one rarity it is the card's
    let other_rarity = |pair: &[Variant]| pair[0].rarity != pair[1].rarity;
    let several_rarities = list.windows(2).any(other_rarity);
    // in 2004-2006 every reverse holo bears the set's logo: it is a stamp only if a reverse without
    // it exists
    let plain_reverse = list
        .iter()
        .any(|variant| variant.is_reverse() && variant.stamps.is_empty());
    let (mut out, mut ids) = (Vec::new(), Vec::<MarketIds>::new());
    let mut places: HashMap<String, usize> = HashMap::new();
    for variant in list {
        let mut tail: Vec<String> = Vec::new();
        let mut stamps = variant.stamps.clone();
        stamps.retain(|s| {
            s != FIRST_EDITION && (s != "set-logo" || !variant.is_reverse() || plain_reverse)
        });
        sort_by(&mut stamps, String::cmp);
        let subtype = variant.subtype.as_str();
        let edition = match edition_of(subtype) {
            _ if variant.is_first_edition() => edition_of(FIRST_EDITION),
            None if subtype.is_empty() && has_first && stamps.is_empty() => edition_of(UNLIMITED),
            own => own,
        };
        let edition = edition.unwrap_or("");
        let spaced = |text: &str| text.replace('-', " ");
        if !subtype.is_empty() && edition_of(subtype).is_none() {
            tail.push(spaced(subtype));
        }
        if several_rarities && !variant.rarity.is_empty() {
            tail.push(variant.rarity.clone());
        }
        tail.extend(variant.looks.iter().cloned());
        tail.extend(stamps.iter().map(|s| format!("{} stamp", spaced(s))));
        tail.extend(variant.foils.iter().map(|f| format!("{} foil", spaced(f))));
        tail.extend(
            variant
                .sizes
                .iter()
                .filter(|s| *s != "standard")
                .map(|s| spaced(s)),
        );
        let kind = variant.kind.as_deref();
        let kind = kind.map_or(normal, |kind| finish_of(kind).unwrap_or(other));
        let mut label = match (edition, kind) {
            ("", kind) => kind.to_owned(),
            (edition, kind) if kind == normal => edition.to_owned(),
            (edition, kind) => format!("{edition} {kind}"),
        };
        if !tail.is_empty() {
            label = format!("{label} [{}]", tail.join(", "));
        }
        let slug = slug_of(&label);
        match places.get(&slug) {
            Some(&same) if ids[same].is_empty() => ids[same] = variant.ids,
            Some(_) => {}
            None => {
                places.insert(slug.clone(), out.len());
                out.push(Printing { label, slug });
                ids.push(variant.ids);
            }
        }
    }
    (out, ids)
}
