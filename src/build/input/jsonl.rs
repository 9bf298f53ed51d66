//! Our JSON Lines.

use super::json::{Object, each_object};
use super::unread::{SET, Unread};
use super::variants::{is_type, variants};
use super::{MOST_HP, NAME_LANGUAGES, NO_CODE, base, is_code};
use crate::attributes::label::{Labels, Written};
use crate::build::rows::{CardRow, FIRST_GAME, Rows, SetRow, game_or_first, language_name};
use crate::dictionary::{Dictionary, Game, Region};
use crate::error::Error;
use crate::sort::sort_by_key;
use serde_json::Value;
use std::collections::HashSet;

/// The names that an object states, in the order of the languages. Names in a language for private
/// use (`x-phyrexian`), and in one that an index has no room for, are left out.
fn names(object: &Object<'_>) -> Result<Vec<(String, String)>, Error> {
    let given = object.texts_by_name("names")?;
    if let Some((code, _)) = given.iter().find(|(code, _)| !is_code(code)) {
        return Err(object.wrong(&format!("names.{code}"), NO_CODE));
    }
    let name = |language: &str| {
        let of = |code: &str| code.eq_ignore_ascii_case(language);
        // English as another region prints it is English where there is no other
        let own = given.iter().find(|(code, _)| of(code));
        let found = own.or_else(|| given.iter().find(|(code, _)| of(base(code))));
        found.filter(|(_, name)| !name.is_empty())
    };
    // the name of a region says something only where it is another than its language's
    let repeats = |code: &str, value: &str| {
        let language = base(code);
        let stored = language != code && NAME_LANGUAGES.contains(&language);
        stored && name(language).is_some_and(|(_, other)| *other == value)
    };
    Ok(NAME_LANGUAGES
        .iter()
        .filter_map(|language| name(language).map(|(_, name)| (*language, *name)))
        .filter(|(code, name)| !repeats(code, name))
        .map(|(code, name)| (code.to_owned(), name.to_owned()))
        .collect())
}

/// What is known of the game with this id: one of the caller's `own`, or of this build.
fn known_game<'g>(
    object: &Object<'_>,
    game: &str,
    own: &'g [Game],
    dictionary: &'g Dictionary,
) -> Result<&'g Game, Error> {
    let id = game_or_first(game);
    let mut all = own.iter().chain(&dictionary.folders);
    all.find(|game| game.id == id).ok_or_else(|| {
        object.wrong(
            "game",
            "is not a game that is known; give the folder of its dictionary, as docs/GAMES.md says",
        )
    })
}

/// The region of a card or set, by what its game calls the regions; the first if it states none.
fn region<'g>(object: &Object<'_>, known: &'g Game) -> Result<&'g Region, Error> {
    let place = known.region_called(object.text("region")?);
    let found = place.and_then(|place| known.regions.get(place));
    found.ok_or_else(|| {
        let names: Vec<&str> = known.regions.iter().map(Region::name).collect();
        object.wrong("region", &format!("is not one of: {}", names.join(", ")))
    })
}

/// The words that describe the print: the product, else the treatments and promotions, of the card
/// and of the products that it is sold in.
fn product(object: &Object<'_>) -> Result<String, Error> {
    let product = object.text("product")?;
    if !product.is_empty() {
        return Ok(product.to_owned());
    }
    let mut words = Vec::new();
    for member in ["treatments", "promoTypes"] {
        words.extend(object.texts(member)?);
    }
    for product in object.list("products")?.unwrap_or_default() {
        let treatment = product.get("treatment").and_then(Value::as_str);
        let other =
            treatment.filter(|treatment| *treatment != "Regular" && !words.contains(treatment));
        words.extend(other);
    }
    Ok(words.join(", "))
}

/// The language of a card whose printings tell theirs, which are of the region and none of them `own`:
/// of a card that is printed in Korean alone, sources give the Japanese name, too.
fn language_of_prints(
    object: &Object<'_>,
    region: &Region,
    own: &str,
) -> Result<Option<String>, Error> {
    let mut first = None;
    for variant in object.list("variants")?.unwrap_or_default() {
        let Some(Value::Array(languages)) = variant.get("languages") else {
            return Ok(None);
        };
        for code in languages.iter().filter_map(Value::as_str) {
            let language = language_name(&code.to_lowercase()).to_owned();
            if language == own {
                return Ok(None);
            }
            if region.languages.contains(&language) {
                first.get_or_insert(language);
            }
        }
    }
    Ok(first)
}

/// The collector number of a game whose number codes say the language, without the letters that do:
/// one number in all languages.
fn without_language(game: &Game, printed: &str) -> String {
    let number = printed.rfind('-').map_or(printed.len(), |dash| dash + 1);
    let (code, part) = printed.split_at(number);
    let letters = game
        .code_language(&part.to_lowercase())
        .map_or(0, |(letters, _)| letters);
    [code, &part[letters..]].concat()
}

/// What stands before the slash of `4/102`, `TG12/TG30`, `098/SV-P` and `1/204 EN 4`, whose total
/// stands behind it. The slash of a code (`AB/S10-E021`) belongs to the number, and so does that of
/// a number that is `coded` by a pattern of its game.
fn without_total<'p>(printed: &'p str, denominator: &str, coded: bool) -> &'p str {
    let Some((number, behind)) = printed.split_once('/').filter(|_| !coded) else {
        return printed;
    };
    let total = behind.split(' ').next().unwrap_or("");
    let code = total.contains('-') && total.bytes().any(|byte| byte.is_ascii_digit());
    if code && behind != denominator {
        printed
    } else {
        number
    }
}

/// The id of the game that an object states; empty for the first.
fn game<'o>(object: &'o Object<'_>) -> Result<&'o str, Error> {
    let game = object.text("game")?;
    if game.is_empty() {
        return Ok(game);
    }
    let id = object.id("game")?;
    if id
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    {
        return Ok(if id == FIRST_GAME { "" } else { id });
    }
    Err(object.wrong(
        "game",
        "is not the id of a game: small letters and digits, as onepiece",
    ))
}

/// The id of a card or set among those of all games: the game's id stands before it, but for the
/// first game's.
fn scoped(game: &str, id: &str) -> String {
    let before = |rest: &str| rest.starts_with(':');
    if game.is_empty() || id.strip_prefix(game).is_some_and(before) {
        return id.to_owned();
    }
    format!("{game}:{id}")
}

/// Reads cards as JSON Lines in the schema of our catalogue; digital cards are left out. If a file
/// of sets was read before, each card's set must be in it.
///
/// # Errors
/// [`ErrorKind::Source`](crate::ErrorKind::Source), [`ErrorKind::Row`](crate::ErrorKind::Row) or
/// [`ErrorKind::Duplicate`](crate::ErrorKind::Duplicate), naming file, line and column.
pub fn jsonl_cards(file: &str, bytes: &[u8], rows: &mut Rows) -> Result<(), Error> {
    let mut seen: HashSet<String> = rows.cards.iter().map(|c| c.id.clone()).collect();
    let sets = rows.known_sets();
    let dictionary = rows.dictionary()?;
    let labels = Labels::builtin()?;
    let mut unread = Unread::default();
    each_object(file, bytes, |object| {
        let game = game(object)?;
        let id = scoped(game, object.id("id")?);
        let set = scoped(game, object.id("set")?);
        if object.truth("digital")? {
            return Ok(());
        }
        if !seen.insert(id.clone()) {
            return Err(object.twice(&format!("card `{id}`")));
        }
        if sets.as_ref().is_some_and(|sets| !sets.contains(&set)) {
            let what = format!("`{set}` is in no file of sets; add it there");
            return Err(object.wrong("set", &what));
        }
        let known = known_game(object, game, &rows.games, &dictionary)?;
        let region = region(object, known)?;
        let further = known.regions.first() != Some(region);
        let mut names = names(object)?;
        if further {
            sort_by_key(&mut names, |n| {
                (language_name(&n.0) != region.language(), n.0 == "en")
            });
        }
        let english = object.text("englishName")?;
        if names.is_empty() && english.is_empty() {
            return Err(object.wrong("names", "is missing; a card needs a name in some language"));
        }
        // an English name is a translation there
        let own = names.first().filter(|name| further && name.0 != "en");
        let language = own.map_or(region.language(), |name| language_name(&name.0));
        let language = match further.then(|| language_of_prints(object, region, language)) {
            Some(printed) => printed?.unwrap_or_else(|| language.to_owned()),
            None => language.to_owned(),
        };
        let number = if game.is_empty() {
            object.number("number")?
        } else {
            // a `DON!!` card has none
            object.short("number")?
        };
        let printed = object.short("printedNumber")?;
        unread.card(object, |kind| is_type(labels, kind));
        if number.is_empty() && printed.is_empty() {
            unread.unnumbered();
        }
        let denominator = object.short("denominator")?;
        let subjects = |member: &str| -> Result<Vec<u16>, Error> {
            let mut numbers = object.counts(member, u16::MAX)?;
            numbers.retain(|&number| number > 0);
            numbers.sort_unstable();
            numbers.dedup();
            Ok(numbers)
        };
        let stated = [
            subjects("subjects")?,
            subjects("dexId")?,
            subjects("dexIdInferred")?,
        ];
        let mut stated = stated.into_iter();
        let subjects = stated.find(|list| !list.is_empty()).unwrap_or_default();
        // the sign of a number (`DPBP#181`) is only in numbers that stand on cards
        let no_print = printed.is_empty() && !number.is_empty() && !number.contains('#');
        let unknown = if further && (object.has("origin") || names.len() > 1) {
            ":card"
        } else {
            ":unspecified"
        };
        let (printings, market_ids) = variants(object, unknown)?;
        let languages = Some(known).filter(|game| !game.code_languages.is_empty());
        let coded = dictionary.is_coded(&known.id, printed);
        let part = without_total(printed, denominator, coded);
        rows.cards.push(CardRow {
            printings,
            market_ids,
            id,
            set,
            number: if printed.is_empty() {
                number.to_owned()
            } else if let Some(game) = languages {
                without_language(game, printed)
            } else {
                part.to_owned()
            },
            // other games' sources give the total alone
            total: if part.len() < printed.len() || printed.is_empty() && !game.is_empty() {
                denominator.to_owned()
            } else {
                String::new()
            },
            // a number that the first game's sources alone give to cards which print none
            number_unprinted: no_print && further && game.is_empty(),
            names,
            english: english.to_owned(),
            english_unsure: object.text("englishNameMethod")?.ends_with("(unsure)"),
            english_derived: String::new(),
            language,
            category: object.text("category")?.to_owned(),
            subjects,
            rarity: object.text("rarity")?.to_owned(),
            mark: object.text("rarityMark")?.to_owned(),
            hp: object.count("hp", MOST_HP)?,
            illustrator: object.text("illustrator")?.to_owned(),
            product: product(object)?,
            game: game.to_owned(),
        });
        Ok(())
    })?;
    let types: Vec<&str> = labels.sources(Written::Finish).collect();
    rows.notes.extend(unread.notes(file, &types));
    Ok(())
}

/// Reads sets as JSON Lines in the schema of our catalogue; digital sets are left out.
///
/// # Errors
/// As [`jsonl_cards`].
pub fn jsonl_sets(file: &str, bytes: &[u8], rows: &mut Rows) -> Result<(), Error> {
    let mut seen: HashSet<String> = rows.sets.iter().map(|s| s.id.clone()).collect();
    rows.sets_given = true;
    let dictionary = Dictionary::builtin()?;
    let mut unread = Unread::default();
    each_object(file, bytes, |object| {
        let game = game(object)?;
        let id = scoped(game, object.id("id")?);
        if object.truth("digital")? {
            return Ok(());
        }
        if !seen.insert(id.clone()) {
            return Err(object.twice(&format!("set `{id}`")));
        }
        let suspect = object.texts("namesSuspect")?;
        let mut names = names(object)?;
        names.retain(|n| !suspect.contains(&n.0.as_str()));
        let released = if object.is_object("releaseDate") {
            let dates = object.texts_by_name("releaseDate")?;
            let of = |language: &str| dates.iter().find(|(code, _)| *code == language);
            let first = of("en").or_else(|| of("ja")).or(dates.first());
            first.map_or("", |(_, date)| date)
        } else {
            object.text("releaseDate")?
        };
        let abbreviation = if object.is_object("abbreviation") {
            let all = object.texts_by_name("abbreviation")?;
            let of = |kind: &str| all.iter().find(|(name, _)| *name == kind);
            of("official")
                .or_else(|| of("tcgOnline"))
                .map_or("", |(_, text)| text)
        } else {
            object.text("abbreviation")?
        };
        unread.members(object, &SET);
        let known = known_game(object, game, &rows.games, &dictionary)?;
        rows.sets.push(SetRow {
            code: object.short("code")?.to_owned(),
            region: region(object, known)?.name().to_owned(),
            series: object.text("serie")?.to_owned(),
            names,
            english: object.text("englishName")?.to_owned(),
            abbreviation: abbreviation.to_owned(),
            released: released.to_owned(),
            official: object.count("officialCount", u16::MAX)?,
            id,
            game: game.to_owned(),
            // `promo` and `promotional`, by source
            promos: object.text("setType")?.starts_with("promo"),
        });
        Ok(())
    })?;
    rows.notes.extend(unread.notes(file, &[]));
    Ok(())
}
